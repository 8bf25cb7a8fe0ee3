//! At the table: standing orders, formations, ways, drafts, handovers, secrets of a muster, and bad input.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use croisades::deed::Deed;
use croisades::field::Step;
use croisades::skirmish::action::Action;
use croisades::skirmish::{FILES, Skirmish, StandingOrder};
use table::rooms::*;
use table::{
    Acted, DataFiles, Lots, Match, Nonces, Options, Seat, SeatSet, Seats, Seed, TableError, Viewer, Wishes,
};

const CRUSADER: Seat = Seat::new(0);
const SARACEN: Seat = Seat::new(1);

fn sit_down(scenario: &str, seats: Option<Seats>, seed: u64) -> Match<Skirmish> {
    let game = Arc::new(Skirmish::built_in());
    let wishes = Wishes { scenario: Some(scenario.into()), seats, ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap();
    Match::open(game, setup, Seed::numbered(seed), Nonces::default()).unwrap()
}

fn say(sitting: &mut Match<Skirmish>, seat: Seat, text: &str) -> Result<Acted, TableError> {
    let action = sitting.read(text)?;
    sitting.act(seat, None, &[action])
}

/// What is going on, with what a seat has drafted.
fn step(sitting: &Match<Skirmish>, seat: Seat) -> Step {
    sitting.view(Viewer::Seat(seat)).open.field.step()
}

/// Both sides set up as they are lined up, and whoever moves first has shot; he is told.
fn to_movement(sitting: &mut Match<Skirmish>) -> Seat {
    loop {
        let seat = sitting.waiting_for().lowest().unwrap();
        let text = match step(sitting, seat) {
            Step::Initiative(_) => "set up first",
            Step::Deploy(..) => "ready",
            Step::Fire => "done",
            _ => return seat,
        };
        say(sitting, seat, text).unwrap();
    }
}

/// A formation is ordered as one [T33]: one click, and its men move by themselves until somebody may shoot.
#[test]
fn a_formation_moves_by_one_order() {
    let mut sitting = sit_down("first-blood", None, 3);
    let seat = to_movement(&mut sitting);
    let leader = if seat == CRUSADER { "Guy" } else { "Taki" };
    let before = sitting.last_entry();
    let order = sitting.read(&format!("order {leader}: close")).unwrap();
    sitting.act(seat, None, &[order]).unwrap();
    let drafted = sitting.draft(seat).len() + (sitting.last_entry() - before) as usize;
    assert!(drafted > 5, "the men step by themselves: {drafted}");
    let again = sitting.act(seat, None, &[order]);
    assert!(again.is_err(), "an order is given once in a phase");
}

fn turn(sitting: &Match<Skirmish>) -> (u8, croisades::ids::Side) {
    let f = &sitting.position().open.field;
    (f.turn, f.active)
}

/// Fifteen men of each side, from a muster of 300 points.
const FIFTEENS: [[&str; 15]; 2] = [
    [
        "Gervase", "Pugh", "Shawn", "Cliff", "Fursa", "Bryn", "Gareth", "Arnold", "Stori", "Aki", "Simon",
        "Peter", "Tom", "Will", "Osric",
    ],
    [
        "Rashid", "Vezelay", "Shammin", "Farhad", "Mohammed", "Agul", "Mesult", "Ali", "Husseyn", "Mehmet",
        "Mustafa", "Sadik", "Harun", "Salim", "Tarik",
    ],
];

/// Plays by habit with standing orders; the player-turns, and the most handovers in one.
fn handovers(sitting: &mut Match<Skirmish>, seed: u64) -> (u32, u32) {
    let orders = vec![
        StandingOrder::AnswerBest,
        StandingOrder::ShootAll,
        StandingOrder::HitWorst,
        StandingOrder::RetreatWell,
        StandingOrder::Stand,
        StandingOrder::Spare,
    ];
    to_movement(sitting);
    for seat in [CRUSADER, SARACEN] {
        sitting.give_orders(seat, orders.clone());
    }
    let game = sitting.game().clone();
    let (mut lots, mut room) = (Lots::new(seed), Options::new());
    let (mut turns, mut most) = (0, 0);
    let (mut last, mut handovers) = (None, 0);
    for _ in 0..6_000 {
        let Some(seat) = sitting.waiting_for().lowest() else { break };
        if last != Some(seat) {
            handovers += 1;
            last = Some(seat);
        }
        let now = turn(sitting);
        let position = game.imagine(&sitting.view(Viewer::Seat(seat)), &mut lots);
        let action = game.routine(&position, seat, &mut room, &mut lots).unwrap();
        sitting.act(seat, None, &[action]).unwrap();
        if now != turn(sitting) {
            turns += 1;
            most = most.max(handovers);
            handovers = 0;
        }
    }
    (turns, most)
}

/// With standing orders no player-turn of fifteen against fifteen passes the decision on more than six times.
#[test]
fn standing_orders_keep_handovers_few() {
    let game = Arc::new(Skirmish::built_in());
    let wishes = Wishes {
        scenario: Some("muster".into()),
        options: [("sum".to_string(), "300".to_string())].into(),
        ..Wishes::default()
    };
    let setup = game.title().set_up(&wishes).unwrap();
    let (mut turns, mut most) = (0u32, 0u32);
    for seed in 0..2 {
        let mut sitting =
            Match::open(game.clone(), setup.clone(), Seed::numbered(seed), Nonces::default()).unwrap();
        for (seat, men) in [CRUSADER, SARACEN].into_iter().zip(FIFTEENS) {
            for man in men {
                say(&mut sitting, seat, &format!("buy {man}")).unwrap();
            }
            say(&mut sitting, seat, "seal").unwrap();
        }
        let (some, highest) = handovers(&mut sitting, seed);
        turns += some;
        most = most.max(highest);
    }
    assert!(turns > 10, "{turns}");
    assert!(most <= 6, "{most} handovers in a player-turn");
}

/// Nor does one of the skirmishes as they are, none of which is over later than it says.
#[test]
fn standing_orders_keep_handovers_few_in_every_skirmish() {
    for (scenario, last) in
        [("first-blood", 30), ("watering-hole", 30), ("caravanserai", 30), ("assault", 26)]
    {
        for seed in 0..2 {
            let mut sitting = sit_down(scenario, None, seed);
            let (turns, most) = handovers(&mut sitting, seed);
            assert!(sitting.outcome().is_some(), "{scenario} {seed}");
            assert!(turns > 5 && turns <= 2 * last, "{scenario} {seed}: {turns} player-turns");
            assert!(most <= 6, "{scenario} {seed}: {most} handovers in a player-turn");
        }
    }
}

/// More than two hundred men are refused before anybody sits down.
#[test]
fn more_than_two_hundred_men_are_refused() {
    let mut files = DataFiles::built_in(FILES);
    let game = Skirmish::built_in();
    let data = &game.tactics().data;
    let names = |side: croisades::ids::Side, dearest: u16| {
        let fits = |card: &&croisades::data::Card| {
            data.kinds[card.kind].side.is_none_or(|own| own == side) && card.cost <= dearest
        };
        let names: Vec<_> =
            data.counters.iter().filter(fits).map(|card| format!("\"{}\"", card.name)).collect();
        names.join(", ")
    };
    let [first, second] = [croisades::ids::Side::First, croisades::ids::Side::Second];
    let tables = files.text("tables.toml").to_string();
    let (before, garrison) = tables.split_once("place = \"border castle\"").unwrap();
    let (head, rest) = garrison.split_once("crusader = [").unwrap();
    let (_, rest) = rest.split_once("crusader_points = 99").unwrap();
    let head = head.replace("soldiers = 100", "soldiers = 1000").replace("civilians = 9", "civilians = 63");
    let many = format!("{before}place = \"border castle\"{head}crusader = [\"Gervase\", {}]{rest}", {
        names(first, 28).replacen("\"Gervase\", ", "", 1)
    });
    files.replace("tables.toml", many).unwrap();
    let skirmishes = files.text("skirmishes.toml").to_string();
    let (before, assault) = skirmishes.split_once("id = \"assault\"").unwrap();
    let (head, rest) = assault.split_once("saracen = [").unwrap();
    let (_, rest) = rest.split_once("saracen_points = 389").unwrap();
    let men = names(second, 100).replacen("\"Hakim\", ", "", 1);
    let many = format!("{before}id = \"assault\"{head}saracen = [\"Hakim\", {men}]{rest}");
    files.replace("skirmishes.toml", many).unwrap();
    let error = Skirmish::open(&files).unwrap_err().to_string();
    assert!(error.starts_with("skirmishes.toml:") && error.contains("at most 200 men"), "{error}");
}

#[test]
fn every_reach_has_a_route_that_leads_there() {
    let mut sitting = sit_down("first-blood", None, 1);
    let seat = to_movement(&mut sitting);
    let mut tried = 0;
    for number in 1..=12 {
        let piece = format!("man-{number}");
        for place in sitting.reach(seat, &[&piece]).iter().step_by(7) {
            let route = sitting.route(seat, &[&piece], &place.space);
            assert!(!route.is_empty(), "{place:?}");
            let mut trial = sitting.clone();
            trial.act(seat, None, &route).unwrap();
            let at = trial.position().open.field.men[number - 1].at;
            let drafted = trial.view(Viewer::Seat(seat)).open.field.men[number - 1].at;
            let there =
                |at: Option<croisades::ids::Place>| at.is_some_and(|at| place.space == format!("hex-{at}"));
            assert!(there(at) || there(drafted), "{place:?}: {at:?} {drafted:?}");
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried}");
    assert!(sitting.reach(seat, &["man-999"]).is_empty() && sitting.reach(seat, &["nonsense"]).is_empty());
}

/// A move is a draft until somebody may shoot or challenge: the other side sees nothing of it.
#[test]
fn a_move_is_a_draft() {
    let mut sitting = sit_down("first-blood", None, 5);
    let seat = to_movement(&mut sitting);
    let other = seat.other();
    let (before, own) = (sitting.view(Viewer::Seat(other)), sitting.view(Viewer::Seat(seat)));
    let name = if seat == CRUSADER { "take Cliff" } else { "take Ayub" };
    assert_eq!(say(&mut sitting, seat, name), Ok(Acted::Drafted));
    assert_eq!(sitting.view(Viewer::Seat(other)), before);
    sitting.undo(seat).unwrap();
    assert!(sitting.view(Viewer::Seat(seat)) == own);
}

/// A move that is over is told.
#[test]
fn a_move_is_told() {
    let mut sitting = sit_down("first-blood", None, 5);
    let seat = to_movement(&mut sitting);
    let (name, way) = if seat == CRUSADER { ("Cliff", "NE") } else { ("Mehmet", "SE") };
    for text in [format!("take {name}"), format!("step {way}"), "halt".into()] {
        say(&mut sitting, seat, &text).unwrap();
    }
    let told = sitting.record(true).to_string() + &format!("{:?}", sitting.journal(Viewer::Observer));
    assert!(told.contains(&format!("{name} goes to ")), "{told}");
}

/// A muster is secret until both are sealed [3.14], and keeps to its points.
#[test]
fn a_muster_is_secret_until_both_are_sealed() {
    let mut sitting = sit_down("muster", None, 1);
    assert_eq!(sitting.waiting_for(), SeatSet::first(2));
    assert!(say(&mut sitting, CRUSADER, "seal").is_err(), "somebody must lead them");
    let before = sitting.view(Viewer::Seat(SARACEN));
    for text in ["buy Guy", "buy Cliff", "seal"] {
        say(&mut sitting, CRUSADER, text).unwrap();
    }
    assert_eq!(sitting.view(Viewer::Seat(SARACEN)).musters, before.musters);
    assert!(say(&mut sitting, SARACEN, "buy Guy").is_err(), "a man of the other side");
    for text in ["buy Taki", "seal"] {
        say(&mut sitting, SARACEN, text).unwrap();
    }
    let men = &sitting.position().open.field.men;
    assert_eq!(men.len(), 3);
}

/// The house plays a side that nobody plays.
#[test]
fn the_house_plays_a_side() {
    let mut sitting = sit_down("first-blood", Some(Seats::Named(vec!["Saracen".into()])), 2);
    let game = sitting.game().clone();
    let (mut lots, mut room) = (Lots::new(1), Options::new());
    let mut actions = 0;
    while let Some(seat) = sitting.waiting_for().lowest() {
        assert_eq!(seat, SARACEN);
        let position = game.imagine(&sitting.view(Viewer::Seat(seat)), &mut lots);
        let action = game.routine(&position, seat, &mut room, &mut lots).unwrap();
        sitting.act(seat, None, &[action]).unwrap();
        actions += 1;
        assert!(actions < 20_000);
    }
    assert!(sitting.outcome().is_some());
}

#[test]
fn bad_input_says_what_there_is() {
    let game = Skirmish::built_in();
    let complaint = |text: &str| game.read(text).unwrap_err().to_string();
    assert!(complaint("take Gu").contains("Guy"), "{}", complaint("take Gu"));
    assert!(complaint("put 7.12").contains("07.12"));
    assert!(complaint("step up").contains("NE"), "{}", complaint("step up"));
    assert!(complaint("order Guy: dance").contains("close, hold, shoot, fall back"));
    assert!(complaint("dance").contains("`take Guy`"));
    assert!(complaint("buy Gu").contains("Guy") && complaint("buy Gu on foot").contains("Guy"));
    assert!(game.read_order("dance").unwrap_err().to_string().contains("answer best"));
    for (_, deed) in [("halt", Deed::Halt), ("turn left", Deed::Left)] {
        assert_eq!(game.read(game.write(Action::Field(deed)).as_str()), Ok(Action::Field(deed)));
    }
    let unknown = game
        .title()
        .set_up(&Wishes { options: [("map".to_string(), "moon".to_string())].into(), ..Wishes::default() });
    assert!(unknown.unwrap_err().to_string().contains("open-plain"));
}

/// Data that do not fit name file, line, what was found and what was expected.
#[test]
fn wrong_data_name_their_line() {
    let complaint = |file: &str, from: &str, to: &str| {
        let mut files = DataFiles::built_in(FILES);
        let text = files.text(file).to_string();
        assert!(text.contains(from), "{from}");
        files.replace(file, text.replacen(from, to, 1)).unwrap();
        match Skirmish::open(&files) {
            Ok(_) => "fine".to_string(),
            Err(error) => error.to_string(),
        }
    };
    let row = complaint("maps.toml", "\"...uu...................\"", "\"...uu..................\"");
    assert!(row.starts_with("maps.toml:") && row.contains("a row of 24 signs, not 23"), "{row}");
    let sign = complaint("maps.toml", "\"...uu...................\"", "\"...uz...................\"");
    assert!(sign.contains("the sign `z` in column 5"), "{sign}");
    let cost = complaint("counters.toml", "cost = 57", "cost = 58");
    assert!(cost.contains("expected 57") && cost.contains("Royal Mamluk"), "{cost}");
    let life = complaint("counters.toml", "life = 45", "life = 44");
    assert!(life.contains("expected 45, three times the defence of 15"), "{life}");
    let kind = complaint("counters.toml", "type = \"Royal Mamluk\"", "type = \"Wizard\"");
    assert!(kind.contains("one of the types Knight, Royal Mamluk"), "{kind}");
    let man = complaint("skirmishes.toml", "\"Taki\", \"Ayub\"", "\"Taki\", \"Ayubb\"");
    assert!(man.contains("no counter is called `Ayubb`") && man.contains("Ayub,"), "{man}");
    let sum = complaint("skirmishes.toml", "crusader_points = 111", "crusader_points = 112");
    assert!(sum.contains("expected 111"), "{sum}");
    let dice = complaint("tables.toml", "blocked = \"D6\"", "blocked = \"D7\"");
    assert!(dice.contains("dice such as"), "{dice}");
}
