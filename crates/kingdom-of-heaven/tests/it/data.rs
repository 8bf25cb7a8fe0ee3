//! Components from outside: a card of known operations works, and what cannot be is refused with file and line.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use kingdom_of_heaven::action::Action;
use kingdom_of_heaven::position::Step;
use kingdom_of_heaven::{FILES, KingdomOfHeaven};
use table::rooms::*;
use table::{DataFiles, Explained, Match, Nonces, Seat, Seed, TableError, Wishes};

/// The game with one of its files changed.
fn changed(file: &str, change: impl Fn(&str) -> String) -> Result<KingdomOfHeaven, String> {
    let mut files = DataFiles::built_in(FILES);
    let text = change(files.text(file));
    assert_ne!(text, files.text(file), "nothing was changed in {file}");
    files.replace(file, text).unwrap();
    KingdomOfHeaven::open(&files).map_err(|e| e.to_string())
}

#[test]
fn a_new_card_of_known_operations_works() {
    let card = r#"
[[card]]
id = "D7"
scenario = "D"
title = "Tidings from the West"
ov = 2
type = "normal"
gist = "The player takes the advantage marker and draws a card."
effects = [{ op = "diplomatic_advantage", do = "take" }, { op = "draw", n = 1 }]
source = "a test"
"#;
    let game = Arc::new(changed("cards.toml", |text| format!("{text}{card}")).unwrap());
    let card = game.components().card_of("Tidings from the West").unwrap();
    let setup = game.title().set_up(&Wishes { scenario: Some("D".into()), ..Wishes::default() }).unwrap();
    for seed in 0..40 {
        let mut sitting =
            Match::open(game.clone(), setup.clone(), Seed::numbered(seed), Nonces::default()).unwrap();
        let p = sitting.position();
        let Some(Step::Round { seat }) = p.open.agenda.now().copied() else { continue };
        if !p.hidden.hands[seat].has(card) {
            continue;
        }
        let before = p.open.held[seat];
        sitting.act(seat, None, &[Action::Event(card), Action::Draw]).unwrap();
        let p = sitting.position();
        assert_eq!(p.open.marker, Some(seat), "the marker is taken");
        assert_eq!(p.open.held[seat], before, "one played, one drawn");
        return;
    }
    panic!("in none of forty deals the first player held the card");
}

#[test]
fn what_cannot_be_is_refused() {
    type Change = fn(&str) -> String;
    let cases: [(&str, Change, &str); 14] = [
        (
            "cards.toml",
            |t| t.replacen("op = \"hold_back\"", "op = \"hold_up\"", 1),
            "an operation that the rules know",
        ),
        (
            "cards.toml",
            |t| t.replacen("power = \"byzantium\", toward", "power = \"rome\", toward", 1),
            "the id of a Power",
        ),
        (
            "cards.toml",
            |t| t.replacen("leader = \"sigurd\"", "leader = \"siegfried\"", 1),
            "the id of a leader",
        ),
        ("cards.toml", |t| t.replacen("\nov = 1\n", "\n", 1), "`ov` is missing"),
        ("cards.toml", |t| t.replacen("op = \"draw\", n = 2", "op = \"draw\", n = 2, m = 3", 1), "`m`"),
        (
            "cards.toml",
            |t| t.replacen("spaces = [\"antioch\"]", "spaces = [\"atlantis\"]", 1),
            "the id of a space",
        ),
        (
            "scenarios.toml",
            |t| t.replacen("leader = \"toulouse\"", "leader = \"toulon\"", 1),
            "the id of a leader",
        ),
        (
            "scenarios.toml",
            |t| t.replacen("space = \"constantinople\"", "space = \"byzantion\"", 1),
            "the id of a space",
        ),
        (
            "scenarios.toml",
            |t| t.replacen("power = \"jerusalem\"", "power = \"jericho\"", 1),
            "the id of a Power",
        ),
        ("map.toml", |t| t.replacen("one_way = true", "one_way = false", 1), "roads lead both ways"),
        (
            "tables.toml",
            |t| t.replacen("[0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2]", "[0, 0, 0, 2, 0, 1, 1, 1, 1, 2, 2]", 1),
            "falls with the die",
        ),
        (
            "scenarios.toml",
            |t| {
                t.replacen(
                    "space = \"beirut\", power = \"jerusalem\"",
                    "space = \"tyre\", power = \"jerusalem\"",
                    1,
                )
            },
            "two strongholds",
        ),
        ("forces.toml", |t| t.replacen("count = 20", "count = 2", 1), "counters"),
        (
            "forces.toml",
            |t| t.replacen("replaceable = true", "replaceable = false", 1),
            "command rating of 3 or less",
        ),
    ];
    for (file, change, expected) in cases {
        let complaint = changed(file, change).err().unwrap_or_else(|| panic!("{file} was taken: {expected}"));
        let (at, _) = complaint.split_once(": ").unwrap();
        let line = at.rsplit_once(':').map(|(_, line)| line.parse::<u32>());
        assert!(matches!(line, Some(Ok(_))), "no line in `{complaint}`");
        assert!(complaint.contains(expected), "`{complaint}` does not say `{expected}`");
    }
}

/// What the checker of the collected data finds, the reader finds too.
#[test]
fn what_the_collected_data_are_checked_for_is_refused() {
    // The file, what stands there, and what is put in its place.
    let cases: [(&str, &str, &str); 26] = [
        ("map.toml", "name = \"Tyre\"", "name = \"Acre\""),
        ("map.toml", "id = \"tyre\"", "id = \"acre\""),
        ("map.toml", "province = \"armenia\"", "province = \"armorica\""),
        ("map.toml", "a = \"mosul\"\nb = \"nisibin\"", "a = \"nisibin\"\nb = \"nisibin\""),
        ("map.toml", "b = \"nisibin\"", "b = \"nineveh\""),
        ("map.toml", "red_sea_port = true", "red_sea_port = true\nport = true"),
        ("forces.toml", "power = \"crusaders\"\nstrategy", "power = \"cruisers\"\nstrategy"),
        ("forces.toml", "strategy = 2", "strategy = 7"),
        ("forces.toml", "battle = 3", "battle = 9"),
        ("forces.toml", "command = 8", "command = 0"),
        ("forces.toml", "ma = 4\nscenarios", "ma = 5\nscenarios"),
        ("forces.toml", "cs = 3\nma = 4", "cs = 9\nma = 4"),
        ("forces.toml", "cs = 3\nma = 4", "cs = 3\nma = 5"),
        ("scenarios.toml", "years = [1187, 1192]", "years = [1187, 1195]"),
        ("scenarios.toml", "rate = \"1/2\"", "rate = \"1/5\""),
        ("scenarios.toml", "orientation = \"christian\"", "orientation = \"martian\""),
        ("scenarios.toml", "provinces = [\"damascus\"]", "provinces = [\"damascus\", \"aleppo\"]"),
        ("scenarios.toml", "start_vp = { christian = 18", "start_vp = { christian = 17"),
        ("scenarios.toml", "turn = 4\nyear = 1190", "turn = 4\nyear = 1191"),
        ("scenarios.toml", "box = \"constantinople\"", "box = \"byzantion\""),
        ("scenarios.toml", "power = \"antioch\", christian = 3", "power = \"antioch\", christian = 7"),
        ("scenarios.toml", "consult = \"both\"", "consult = \"nobody\""),
        ("tables.toml", "min = 3\nmax = 6", "min = 4\nmax = 6"),
        ("tables.toml", "dice = [0, 1, 2", "dice = [0, 2, 2"),
        ("cards.toml", "id = \"2\"", "id = \"1\""),
        ("cards.toml", "cond = \"units\"", "cond = \"unity\""),
    ];
    let mut taken = Vec::new();
    for (file, from, to) in cases {
        match changed(file, |text| text.replacen(from, to, 1)) {
            Ok(_) => taken.push(format!("{file}: {to}")),
            Err(complaint) => {
                let (at, _) = complaint.split_once(": ").unwrap();
                let line = at.rsplit_once(':').map(|(_, line)| line.parse::<u32>());
                assert!(matches!(line, Some(Ok(_))), "no line in `{complaint}`");
            }
        }
    }
    assert!(taken.is_empty(), "taken as if nothing were wrong: {taken:#?}");
}

#[test]
fn what_comes_too_late_has_a_name_and_changes_nothing() {
    let game = Arc::new(KingdomOfHeaven::built_in());
    let setup = game.title().usual_set_up();
    let mut late = [false; 2];
    for seed in 0..20 {
        let mut sitting =
            Match::open(game.clone(), setup.clone(), Seed::numbered(seed), Nonces::default()).unwrap();
        // Whoever has the first round marches, and the other is asked whether he answers.
        let Some(Step::Round { seat }) = sitting.position().open.agenda.now().copied() else { continue };
        let mut all = Explained::default();
        game.options(sitting.position(), seat, &mut all);
        let leads = all.offers.iter().map(|o| o.action).find(|a| matches!(a, Action::Activate(..)));
        let Some(lead) = leads else { continue };
        if sitting.act(seat, None, &[lead, Action::Go]).is_err() {
            continue;
        }
        let other = seat.other();
        if !matches!(sitting.position().open.agenda.now(), Some(Step::Window { seat, .. }) if *seat == other)
        {
            continue;
        }
        let number = sitting.number(other);
        sitting.act(other, Some(number), &[Action::Decline]).unwrap();
        let before = sitting.position().clone();
        // The same answer again: its window has been closed.
        let stale = sitting.act(other, Some(number), &[Action::Decline]);
        assert!(matches!(stale, Err(TableError::Stale { .. })), "{stale:?}");
        late[0] = true;
        if !sitting.waiting_for().contains(other) {
            let closed = sitting.act(other, None, &[Action::Decline]);
            assert!(matches!(closed, Err(TableError::NotYours { .. })), "{closed:?}");
            late[1] = true;
        }
        assert_eq!(*sitting.position(), before, "something has changed");
    }
    assert_eq!(late, [true, true], "no window was closed");
}

#[test]
fn notation_goes_both_ways() {
    let game = Arc::new(KingdomOfHeaven::built_in());
    let setup = game.title().usual_set_up();
    let sitting = Match::open(game.clone(), setup, Seed::numbered(3), Nonces::default()).unwrap();
    let seat = sitting.waiting_for().lowest().unwrap();
    let mut all = Explained::default();
    game.options(sitting.position(), seat, &mut all);
    assert!(all.offers.len() > 20);
    let actions = all.offers.iter().map(|o| o.action).chain(all.refusals.iter().map(|r| r.action));
    for action in actions {
        assert_eq!(game.read(game.write(action).as_str()), Ok(action));
    }
    for nonsense in
        ["", "march", "march Nowhere", "activate 1", "lose reduced", "choose 0", "via Acre > Tyre", "go go"]
    {
        assert!(game.read(nonsense).is_err(), "`{nonsense}` was read");
    }
    let _ = Seat::new(0);
}
