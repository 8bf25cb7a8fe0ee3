//! The whole map for two to eight lords: its data, whole games by habit and at random, sizes, waiting, newcomers.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use croisades::campaign::action::Action;
use croisades::campaign::{Campaign, FILES};
use croisades::realm::{MapHex, PlaceId, Realm, Step};
use table::rooms::*;
use table::{
    DataFiles, Lots, Match, Nonces, Options, Pick, Record, Seat, SeatSet, Seats, Seed, Silent, TableError,
    Viewer, Wishes,
};

fn wishes(scenario: &str, seats: u8) -> Wishes {
    Wishes {
        scenario: Some(scenario.into()),
        seats: Some(Seats::Count(seats)),
        options: [("battles".to_string(), "quick".to_string())].into(),
    }
}

/// Plays on the whole map until `look` has seen enough.
fn play(
    game: &Campaign,
    seats: u8,
    habit: bool,
    seed: u64,
    mut look: impl FnMut(&Realm, SeatSet) -> bool,
) -> Realm {
    let setup = game.title().set_up(&wishes("full-20", seats)).unwrap();
    let mut umpire = Silent::new(seed);
    let mut p = game.setup(&setup, &mut umpire).unwrap();
    let (mut lots, mut room) = (Lots::new(seed), Options::new());
    while let Some(seat) = game.deciding(&p).lowest() {
        if !look(&p, game.deciding(&p)) {
            break;
        }
        let action = if habit {
            game.routine(&p, seat, &mut room, &mut lots).unwrap()
        } else {
            room.clear();
            game.options(&p, seat, &mut room);
            let offer = lots.pick(room.offers()).unwrap();
            match offer.range {
                Some((least, most)) => game.with_amount(offer.action, least + lots.below(most - least + 1)),
                None => offer.action,
            }
        };
        game.apply(&mut p, seat, action, &mut umpire);
        game.sound(&p).unwrap_or_else(|e| panic!("{e} after {}", game.write(action)));
    }
    p
}

#[test]
fn the_whole_map_is_there() {
    let game = Campaign::built_in();
    let atlas = game.atlas();
    let full = atlas.scenarios.iter().position(|s| s.id == "full").unwrap();
    let all = (1..=49).flat_map(|row| (1..=34).filter_map(move |column| MapHex::new(row, column)));
    assert_eq!(all.filter(|hex| atlas.mapped(full, *hex)).count(), 1641);
    assert_eq!(atlas.places.iter().filter(|p| p.kind.is_town()).count(), 33);
    for scenario in ["full-20", "full-40", "full-80", "full"] {
        for seats in 2..=8 {
            let setup = game.title().set_up(&wishes(scenario, seats)).unwrap();
            let p = game.setup(&setup, &mut Silent::new(1)).unwrap();
            let saracens = p.open.party.iter().filter(|s| s.index() % 2 == 0).count();
            assert_eq!(saracens, usize::from(seats.div_ceil(2)), "{scenario} {seats}");
        }
    }
    assert!(size_of::<Realm>() <= 96 * 1024, "{}", size_of::<Realm>());
}

#[test]
fn a_map_that_does_not_fit_names_file_line_and_hex() {
    let complaint = |file: &str, from: &str, to: &str| {
        let mut files = DataFiles::built_in(FILES);
        let text = files.text(file).to_string();
        assert!(text.contains(from), "{from}");
        files.replace(file, text.replacen(from, to, 1)).unwrap();
        Campaign::open(&files).err().map_or("fine".to_string(), |e| e.to_string())
    };
    let map = "strategic-map.toml";
    let flood =
        complaint(map, "\"0521\", \"0523\", \"0622\", \"0624\"", "\"0521\", \"0522\", \"0622\", \"0624\"");
    assert!(flood.contains("strategic-map.toml:") && flood.contains("0522"), "{flood}");
    let port = complaint(map, "sea_off_map = true\n", "");
    assert!(port.contains("Akaba on 0406 touches no sea"), "{port}");
    let port = complaint(
        map,
        "port = true\nside = \"saracen\"\nrevenue = 180",
        "port = true\nsea_off_map = true\nside = \"saracen\"\nrevenue = 180",
    );
    assert!(port.contains("0627"), "{port}");
    let dowry = complaint(map, "\"4310\", \"4413\", \"4709\"", "\"4311\", \"4413\", \"4709\"");
    assert!(dowry.contains("strategic-map.toml:") && dowry.contains("4311"), "{dowry}");
    let nile = complaint("campaign.toml", "town = \"Cairo\"", "town = \"Cairn\"");
    assert!(nile.contains("campaign.toml:"), "{nile}");
    let seats = complaint("campaign.toml", "seats = [2, 3, 4, 5, 6, 7, 8]", "seats = [2, 9]");
    assert!(seats.contains("from 2 to 8"), "{seats}");
}

#[test]
fn full_campaigns_by_habit_stay_sound() {
    let game = Campaign::built_in();
    for seats in [2, 3, 5, 8] {
        let p = play(&game, seats, true, u64::from(seats), |_, _| true);
        assert!(game.outcome(&p).is_some() && p.open.turn <= 20);
    }
}

#[test]
fn full_campaigns_at_random_stay_sound() {
    let game = Campaign::built_in();
    for seats in [2, 3, 5, 8] {
        let p = play(&game, seats, false, u64::from(seats), |_, _| true);
        assert!(game.outcome(&p).is_some());
    }
}

/// A turn of eight lords who meet nobody keeps nobody waiting more than twelve times: somebody is asked who was not
/// asked with the others before. Turns with battles, sieges, taxes or lords in one hex are not counted.
#[test]
fn a_quiet_turn_of_eight_lords_has_at_most_twelve_rounds_of_waiting() {
    let game = Campaign::built_in();
    let (mut turn, mut rounds, mut before, mut quiet, mut most) = (0, 0, SeatSet::NONE, true, 0);
    let mut counted = 0;
    let (mut steps, mut worst) = (Vec::new(), Vec::new());
    play(&game, 8, true, 3, |p, asked| {
        if p.open.turn > turn {
            if turn > 0 && quiet && turn % 5 != 0 {
                if rounds > most {
                    (most, worst) = (rounds, steps.clone());
                }
                counted += 1;
            }
            steps.clear();
            (turn, rounds, quiet) = (p.open.turn, 0, true);
        }
        quiet &= p.open.pending.is_empty() && p.open.theatres.is_empty() && p.open.sieges.is_empty();
        quiet &= p.open.all_groups().all(|(_, g)| p.open.lords_at(g.at).len() < 2);
        if !asked.minus(before).is_empty() {
            rounds += 1;
            steps.push(p.open.step());
        }
        before = asked;
        true
    });
    assert!(counted > 0 && most <= 12, "{most} rounds at the most in {counted} quiet turns: {worst:?}");
}

/// Somebody sits down in the middle of a game: he enters with the next turn, and the record replays with him.
#[test]
fn somebody_may_come_late() {
    let game = Arc::new(Campaign::built_in());
    let setup = game.title().set_up(&wishes("short", 2)).unwrap();
    let mut sitting = Match::open(game, setup, Seed::numbered(1), Nonces::default()).unwrap();
    let star = Seat::new(2);
    assert!(
        matches!(sitting.arrive(star), Err(TableError::NoRoom { .. })),
        "nobody comes before the first turn"
    );
    let mut lots = Lots::new(4);
    let mut until = |sitting: &mut Match<Campaign>, done: &dyn Fn(&Realm) -> bool| {
        while !done(sitting.position()) && sitting.outcome().is_none() {
            let seat = sitting.waiting_for().lowest().unwrap();
            let observed = sitting.observed(seat).unwrap();
            let action = table::choose(&**sitting.game(), &observed, Pick::Random, &mut lots);
            sitting.act(seat, None, &[action]).unwrap();
        }
    };
    until(&mut sitting, &|p| p.open.turn == 2);
    sitting.arrive(star).unwrap();
    assert!(!sitting.waiting_for().contains(star), "he waits for the next turn");
    assert!(sitting.journal(Viewer::Observer).iter().any(|l| l.text.contains("Star comes to the Levant")));
    until(&mut sitting, &|p| matches!(p.open.step(), Step::Arrival(_)));
    assert_eq!(sitting.waiting_for(), star.into());
    let mut castles = (0..sitting.position().open.places.len()).map(PlaceId::at);
    assert!(castles.any(|id| sitting.act(star, None, &[Action::Castle(id)]).is_ok()));
    until(&mut sitting, &|p| p.open.turn == 4);
    assert!(sitting.position().open.groups_of(star).next().is_some());
    let record = Record::read("late", &sitting.record(true).to_string()).unwrap();
    let again = Match::replay(sitting.game().clone(), &record, None).unwrap();
    assert!(again.position() == sitting.position());
}

/// The examination on the whole map, with up to eight seats.
#[test]
fn full_campaigns_conform() {
    crate::campaign::conforms("FULL", [12, 77, 60, 900]);
}
