//! What people read: sentences in plain words, in labels, prompts, warnings and the journal of whole games.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crusader_rex::CrusaderRex;
use crusader_rex::position::Position;
use table::rooms::*;
use table::{Lots, Options, Scribe, Seat, SeatSet, Setup, Tone, Viewer, Vignette, Wishes};

const SEATS: [Seat; 2] = [Seat::new(0), Seat::new(1)];

/// Words that are counted, in the plural.
const COUNTED: [&str; 12] = [
    "moves",
    "hits",
    "blocks",
    "steps",
    "shields",
    "besiegers",
    "points",
    "cards",
    "dice",
    "cities",
    "rounds",
    "roads",
];

/// What is wrong with a line that people read.
fn fault(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        return Some("it is empty");
    }
    if text.starts_with(char::is_lowercase) {
        return Some("it begins with a small letter");
    }
    within(text)
}

/// What is wrong with words that stand behind others.
fn within(text: &str) -> Option<&'static str> {
    if [" < ", " > ", "card.", "opt.", "hand-", "town-", "block-"].iter().any(|sign| text.contains(sign)) {
        return Some("it shows notation");
    }
    let words: Vec<_> = text.split(|c: char| !c.is_alphanumeric() && c != '.').collect();
    let many = words
        .windows(3)
        .any(|w| w[0] == "1" && (COUNTED.contains(&w[1]) || w[1] == "more" && COUNTED.contains(&w[2])))
        || words.windows(2).any(|w| w[0] == "1" && COUNTED.contains(&w[1]));
    many.then_some("it counts one as many")
}

/// Everything that is shown of a position, each line with a word on what it is.
fn shown(game: &CrusaderRex, p: &Position) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let mut options = Options::new();
    for seat in game.deciding(p).iter() {
        let view = game.view(p, Viewer::Seat(seat));
        options.clear();
        game.options(p, seat, &mut options);
        for offer in options.offers() {
            let choice = game.choice(&view, offer.action);
            assert_ne!(choice.label, game.write(offer.action).to_string(), "a bare notation");
            lines.push(("label", choice.label));
            lines.push(("hint", choice.hint));
            lines.extend(choice.confirm.map(|text| ("question", text)));
        }
    }
    for viewer in Viewer::all(SeatSet::first(2)) {
        let scene = game.scene(&game.view(p, viewer));
        lines.push(("title", scene.title));
        lines.extend(scene.prompt.map(|prompt| ("prompt", prompt.text)));
        lines.extend(scene.warnings.into_iter().map(|warning| ("warning", warning.text)));
        for board in scene.boards {
            lines.push(("board", board.name));
            // A place for dice has no name.
            let named = board.spaces.into_iter().filter(|space| !space.annex || !space.name.is_empty());
            lines.extend(named.map(|space| ("space", space.name)));
            lines.extend(board.pieces.into_iter().map(|piece| ("text", piece.text)));
        }
        for tray in scene.trays {
            lines.push(("tray", tray.name));
            lines.push(("note", tray.note));
        }
        lines.extend(scene.tracks.into_iter().map(|track| ("track", track.name)));
    }
    if let Some(outcome) = game.outcome(p) {
        lines.push(("headline", outcome.headline.into()));
        lines.push(("reason", game.reason(p)));
    }
    lines
}

fn set_up(game: &CrusaderRex, scenario: &str, marches: bool) -> Setup {
    let mut wishes = Wishes { scenario: Some(scenario.into()), ..Wishes::default() };
    if marches {
        wishes.options.insert("forced-marches".into(), "yes".into());
        wishes.options.insert("handicap".into(), "1".into());
    }
    game.title().set_up(&wishes).unwrap()
}

#[test]
fn whole_games_read_as_sentences() {
    let game = CrusaderRex::built_in();
    let mut slips = BTreeSet::new();
    let mut note = |what: &'static str, text: &str| {
        let wrong = match what {
            "hint" | "note" | "text" => within(text),
            _ => fault(text),
        };
        if let Some(why) = wrong {
            slips.insert(format!("{what} `{text}`: {why}"));
        }
    };
    let games = [("campaign", 4, false), ("campaign", 3, true), ("1187", 6, false), ("hattin", 20, false)];
    for (scenario, count, marches) in games {
        for seed in 0..count {
            let mut lots = Lots::new(seed ^ 99);
            let mut umpire = Scribe::new(Lots::new(seed));
            let mut p = game.setup(&set_up(&game, scenario, marches), &mut umpire).unwrap();
            let mut options = Options::new();
            let mut entry = 0;
            while let Some(seat) = lots.pick(&game.deciding(&p).iter().collect::<Vec<_>>()) {
                entry += 1;
                if entry % 7 == 0 || scenario == "hattin" {
                    shown(&game, &p).iter().for_each(|(what, text)| note(what, text));
                }
                options.clear();
                game.options(&p, seat, &mut options);
                let action = options.offers()[lots.below(options.len() as u32) as usize].action;
                game.apply(&mut p, seat, action, &mut umpire);
            }
            shown(&game, &p).iter().for_each(|(what, text)| note(what, text));
            umpire.protocol.notes.iter().for_each(|line| note("journal", &line.text));
        }
    }
    assert!(slips.is_empty(), "{} slips:\n{}", slips.len(), slips.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_check_finds_what_it_looks_for() {
    for text in [
        "the Franks win",
        "Main Tiberias < Acre",
        "Play card.guide",
        "Frank has 1 moves left",
        "1 more steps",
        "",
    ] {
        assert!(fault(text).is_some(), "`{text}`");
    }
    for text in ["The Franks win", "1 hit", "11 hits", "Turn 1, 2 moves", "Walter fires: 6 1: 2 hits"] {
        assert_eq!(fault(text), None, "`{text}`");
    }
}

/// Plays actions from a staged position and tells what the journal says of them.
fn journal(game: &CrusaderRex, stage: &str, dice: &[u8], actions: &[(Seat, &str)]) -> Vec<String> {
    let mut p = game.stage(&table::sheet::parse("stage", stage).unwrap()).unwrap();
    let mut umpire =
        Scribe::new(table::Scripted { dice: dice.iter().copied().collect(), ..Default::default() });
    for (seat, text) in actions {
        let action = game.read(text).unwrap();
        assert!(table::is_allowed(game, &p, *seat, action), "{text}");
        game.apply(&mut p, *seat, action, &mut umpire);
    }
    umpire
        .protocol
        .notes
        .iter()
        .filter(|note| note.tone == Tone::Line)
        .map(|note| note.text.clone())
        .collect()
}

#[test]
fn the_journal_says_who_went_from_where_to_where() {
    let game = CrusaderRex::built_in();
    let told = journal(
        &game,
        "moves = \"Frank\"\nknown = [\"Conrad\"]\nblocks = [\"King Guy Acre 4\", \"Walter Acre 3\", \"Acre Hospitallers Acre 3\", \"Conrad Tyre 4\", \"Saladin Damascus 4\"]",
        &[],
        &[
            (SEATS[0], "group Acre"),
            (SEATS[0], "go King Guy > Tiberias"),
            (SEATS[0], "go Walter > Legio"),
            (SEATS[0], "go Acre Hospitallers > Tiberias"),
            (SEATS[0], "group Tyre"),
            (SEATS[0], "go Conrad > Acre"),
            (SEATS[0], "done"),
            (SEATS[1], "done"),
        ],
    );
    assert_eq!(
        told[..4],
        [
            "The Franks move 1 block from Acre to Legio",
            "The Franks move 2 blocks from Acre to Tiberias",
            "The Franks move Conrad from Tyre to Acre",
            "The Saracens move no blocks",
        ]
    );
}

#[test]
fn a_round_trip_and_company_are_told() {
    let game = CrusaderRex::built_in();
    let told = journal(
        &game,
        "moves = \"Frank\"\nknown = [\"Acre Hospitallers\", \"Conrad\"]\nblocks = [\"Acre Hospitallers Nablus 3\", \"Walter Tyre 3\", \"Conrad Tyre 4\", \"Saladin Damascus 4\"]",
        &[],
        &[
            (SEATS[0], "group Nablus"),
            (SEATS[0], "go Acre Hospitallers > Baisan"),
            (SEATS[0], "go Acre Hospitallers > Legio"),
            (SEATS[0], "go Acre Hospitallers > Nablus"),
            (SEATS[0], "group Tyre"),
            (SEATS[0], "go Walter > Sidon"),
            (SEATS[0], "go Conrad > Sidon"),
            (SEATS[0], "done"),
        ],
    );
    assert_eq!(
        told,
        [
            "The Franks move Acre Hospitallers out of Nablus and back",
            "The Franks move 2 blocks from Tyre to Sidon",
        ]
    );
}

/// The Turcopoles kill the last Saracen at Botron and ride away: the Saracens have not won.
#[test]
fn the_journal_names_the_winner_at_botron() {
    let game = CrusaderRex::built_in();
    let battle = "battle = { town = \"Botron\", attacker = \"Saracen\" }\nblocks = [\"Beirut Turcopoles Botron 2\", \"Al Aziz Botron 1\"]";
    let told = journal(
        &game,
        battle,
        &[6, 1],
        &[(SEATS[0], "harry Beirut Turcopoles"), (SEATS[0], "retreat Beirut Turcopoles > Beirut")],
    );
    assert_eq!(told.last().unwrap(), "The Franks win at Botron, and leave it empty");
    let told = journal(&game, battle, &[6, 1], &[(SEATS[0], "fire Beirut Turcopoles")]);
    assert_eq!(told.last().unwrap(), "The Franks win at Botron");
    let told = journal(
        &game,
        battle,
        &[6, 6],
        &[(SEATS[0], "harry Beirut Turcopoles"), (SEATS[0], "retreat Beirut Turcopoles > Beirut")],
    );
    assert_eq!(told.last().unwrap(), "The Saracens win at Botron");
}

#[test]
fn the_end_says_who_won_by_what_and_by_how_much() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/vignettes");
    let game = CrusaderRex::built_in();
    for (file, line) in [
        ("victory.toml", "The Saracens win with 5 of the seven victory cities"),
        ("frank-victory.toml", "The Franks win with 4 of the seven victory cities"),
        ("sudden-death.toml", "The Saracens win at once, for they hold all seven victory cities"),
        (
            "shields-of-1187.toml",
            "The Saracens win: the Saracens hold towns of Outremer worth 2 shields, and need 2",
        ),
    ] {
        let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
        let played = Vignette::read(file, &text).unwrap().play(&game).unwrap();
        assert_eq!(played.journal.last().unwrap(), line, "{file}");
    }
}

/// The guided scenario advises the one who decides, in words that fit him, and nobody else.
#[test]
fn guidance_is_for_the_one_who_decides() {
    let game = CrusaderRex::built_in();
    for seed in 0..10 {
        let mut lots = Lots::new(seed);
        let mut umpire = table::Silent::new(seed);
        let mut p = game.setup(&set_up(&game, "hattin", false), &mut umpire).unwrap();
        let mut options = Options::new();
        while let Some(seat) = game.deciding(&p).lowest() {
            let prompt = |viewer| game.scene(&game.view(&p, viewer)).prompt.unwrap();
            let own = prompt(Viewer::Seat(seat)).advice;
            assert!(!own.is_empty());
            for other in [Viewer::Seat(seat.other()), Viewer::Observer] {
                let other = prompt(other);
                let words: Vec<_> = other.text.split(|c: char| !c.is_alphabetic()).collect();
                let spoken_to = ["you", "your", "You", "Your"].iter().any(|word| words.contains(word));
                assert!(!spoken_to && other.advice.is_empty(), "{} {}", other.text, other.advice);
            }
            let knights = own.contains("knights may charge");
            assert!(!knights || seat == SEATS[0], "{own}");
            options.clear();
            game.options(&p, seat, &mut options);
            let action = options.offers()[lots.below(options.len() as u32) as usize].action;
            game.apply(&mut p, seat, action, &mut umpire);
        }
    }
}
