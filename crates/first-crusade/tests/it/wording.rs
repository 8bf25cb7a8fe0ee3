//! What people read is plain words: over whole games no label, prompt or line of the journal holds notation,
//! begins with a small letter or counts one as many, and advice is given only to those who need it.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use first_crusade::FirstCrusade;
use table::rooms::*;
use table::{Lots, Match, Nonces, Seat, Seats, Seed, Setup, Viewer, Wishes};

/// What is wrong with a text.
fn fault(text: &str) -> Option<&'static str> {
    let words: Vec<_> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_string();
    let is_id = |word: &str| {
        let joined = |(left, right): (&str, &str)| {
            left.ends_with(char::is_alphabetic) && right.starts_with(char::is_alphabetic) && left.len() > 2
        };
        word.contains('_') || word.split_once('.').is_some_and(joined)
    };
    // A die of 1, or round 1, counts nothing.
    let named = ["of", "die", "dice", "round", "column", "row", "and"];
    let between = [
        "more",
        "movement",
        "Special",
        "standard",
        "Muslim",
        "Seljuk",
        "Fatimid",
        "Byzantine",
        "Pilgrimage",
        "Christian",
    ];
    let plural = |word: String| {
        let counted = word.ends_with('s') && word.len() > 3 && !word.ends_with("ss") && !word.ends_with("us");
        counted || word == "dice" || word == "men"
    };
    let miscounted = |i: usize| {
        let before = i.checked_sub(1).map(|at| bare(words[at]).to_lowercase());
        let mut after =
            words[i + 1..].iter().map(|word| bare(word)).skip_while(|word| between.contains(&word.as_str()));
        words[i].trim_start_matches('(') == "1"
            && !before.is_some_and(|word| named.contains(&word.as_str()))
            && after.next().is_some_and(plural)
    };
    if text.trim() != text || text.is_empty() {
        Some("empty, or blanks at an end")
    } else if [" > ", " < ", "`", "::", "->", "  "].iter().any(|sign| text.contains(sign)) {
        Some("notation")
    } else if words.iter().any(|word| is_id(&bare(word))) {
        Some("an id")
    } else if (0..words.len()).any(miscounted) {
        Some("one is counted as many")
    } else {
        None
    }
}

/// The same of a line of its own, which begins with a capital.
fn line_fault(text: &str) -> Option<&'static str> {
    fault(text).or_else(|| text.starts_with(char::is_lowercase).then_some("a small letter at the beginning"))
}

#[test]
fn slips_are_seen_and_sentences_are_not() {
    for text in [
        "give Supplies > Crusaders",
        "Play boon.treachery",
        "Choose space_acre",
        "You: 1 hits to take",
        "Rally: 1 more units",
        "You: 1 movement points are left",
        "an ambush",
        "",
    ] {
        assert!(line_fault(text).is_some(), "`{text}`");
    }
    for text in [
        "You: 1 hit to take in Nicaea; choose who is hit",
        "Attrition: a die of 1 spares 1 of 3 units",
        "1 leader rallies the ranks in St. Symeon",
        "Round 1: the Muslims fire with 2 units and score 1 hit (dice 1, 5)",
        "The event is Storms (column 6, row 1)",
    ] {
        assert_eq!(line_fault(text), None, "`{text}`");
    }
}

fn set_up(game: &FirstCrusade, scenario: &str, seats: u8, options: &[&str]) -> Setup {
    let options = options.iter().map(|name| (name.to_string(), "yes".to_string())).collect();
    let wishes = Wishes { scenario: Some(scenario.into()), seats: Some(Seats::Count(seats)), options };
    game.title().set_up(&wishes).unwrap()
}

/// All that is said about a position.
fn read_over(game: &FirstCrusade, sitting: &Match<FirstCrusade>, slips: &mut BTreeSet<String>) {
    let position = sitting.position();
    let mut check = |what: &str, text: &str, wrong: Option<&'static str>| {
        if let Some(why) = wrong {
            slips.insert(format!("{what} “{text}”: {why}"));
        }
    };
    for seat in game.deciding(position).iter() {
        let view = game.view(position, Viewer::Seat(seat));
        let mut ballot = table::Explained::default();
        game.options(position, seat, &mut ballot);
        for offer in &ballot.offers {
            let choice = game.choice(&view, offer.action);
            check("label", &choice.label, line_fault(&choice.label));
            if choice.label == game.write(offer.action).as_str() {
                check("label", &choice.label, Some("bare notation"));
            }
            if !choice.hint.is_empty() {
                check("hint", &choice.hint, fault(&choice.hint));
            }
            if let Some(question) = &choice.confirm {
                check("question", question, line_fault(question));
            }
        }
        for refusal in &ballot.refusals {
            check("refusal", &refusal.why, fault(&refusal.why));
            let label = game.choice(&view, refusal.action).label;
            check("refused label", &label, line_fault(&label));
        }
    }
    for viewer in Viewer::all(sitting.setup().party()) {
        let scene = game.scene(&game.view(position, viewer));
        check("title", &scene.title, line_fault(&scene.title));
        if let Some(prompt) = &scene.prompt {
            check("prompt", &prompt.text, line_fault(&prompt.text));
        }
        for warning in &scene.warnings {
            check("warning", &warning.text, line_fault(&warning.text));
        }
        for board in &scene.boards {
            check("board", &board.name, line_fault(&board.name));
            // A place for dice has no name.
            for space in board.spaces.iter().filter(|space| !space.annex || !space.name.is_empty()) {
                check("space", &space.name, line_fault(&space.name));
            }
            for piece in &board.pieces {
                check("piece", &piece.text, line_fault(&piece.text));
            }
        }
        for tray in &scene.trays {
            check("tray", &tray.name, line_fault(&tray.name));
            for piece in &tray.pieces {
                check("piece", &piece.text, line_fault(&piece.text));
            }
            if !tray.note.is_empty() {
                check("note", &tray.note, line_fault(&tray.note));
            }
        }
        for track in &scene.tracks {
            check("track", &track.name, line_fault(&track.name));
            for text in &track.boxes {
                check("box", text, line_fault(text));
            }
            for marker in &track.markers {
                check("marker", &marker.name, fault(&marker.name));
            }
        }
    }
    if let Some(outcome) = game.outcome(position) {
        check("headline", outcome.headline, line_fault(outcome.headline));
    }
}

fn play_and_read(game: &Arc<FirstCrusade>, setup: Setup, seed: u64, every: usize) -> Match<FirstCrusade> {
    let mut slips = BTreeSet::new();
    let mut lots = Lots::new(seed);
    let mut sitting = Match::open(game.clone(), setup, Seed::numbered(seed), Nonces::default()).unwrap();
    for step in 0.. {
        if step % every == 0 {
            read_over(game, &sitting, &mut slips);
        }
        let Some(seat) = sitting.deciding().lowest() else { break };
        let Some(observed) = sitting.observed(seat) else { break };
        let action = observed.offers[lots.below(observed.offers.len() as u32) as usize].action;
        sitting.act(seat, None, &[action]).unwrap();
    }
    read_over(game, &sitting, &mut slips);
    for line in sitting.journal(Viewer::Umpire) {
        if let Some(why) = line_fault(&line.text) {
            slips.insert(format!("journal “{}”: {why}", line.text));
        }
    }
    assert!(slips.is_empty(), "{slips:#?}");
    sitting
}

#[test]
fn whole_games_are_told_in_plain_words() {
    let game = Arc::new(FirstCrusade::built_in());
    let all = ["sieges", "cavalry", "kingdoms"];
    for (seed, (scenario, seats, options)) in [
        ("crusade", 1, &[][..]),
        ("crusade", 2, &all),
        ("crusade", 3, &all),
        ("antioch", 1, &all),
        ("antioch", 2, &[]),
        ("antioch", 3, &all),
        ("nicaea", 1, &all),
    ]
    .into_iter()
    .enumerate()
    {
        for round in 0..12 {
            play_and_read(&game, set_up(&game, scenario, seats, options), seed as u64 * 100 + round, 6);
        }
    }
}

#[test]
fn the_end_says_why_and_by_how_much() {
    let game = Arc::new(FirstCrusade::built_in());
    let mut counted = 0;
    for seed in 0..12 {
        let sitting = play_and_read(&game, set_up(&game, "antioch", 1, &[]), seed, 1000);
        let why = sitting.journal(Viewer::Observer).pop().unwrap().text;
        let title = game.scene(&game.view(sitting.position(), Viewer::Observer)).title;
        assert_eq!(why, game.reason(sitting.position()));
        assert!(title.ends_with(&why), "{title}: {why}");
        let outcome = sitting.outcome().unwrap();
        if outcome.rule.number() == "6.2" {
            counted += 1;
            let points = outcome.scores[0];
            assert!(why.starts_with(&format!("{points} point")), "{why}");
            assert!(why.contains(outcome.headline), "{why}");
            assert!(why.contains("short of") || why.contains("would do"), "{why}");
        }
    }
    assert!(counted > 5);
}

#[test]
fn advice_is_for_the_one_who_decides() {
    let game = Arc::new(FirstCrusade::built_in());
    let setup = set_up(&game, "nicaea", 2, &[]);
    let sitting = Match::open(game.clone(), setup, Seed::numbered(1), Nonces::default()).unwrap();
    let said = |viewer| game.scene(&game.view(sitting.position(), viewer)).prompt.unwrap();
    let own = said(Viewer::Seat(Seat::new(0)));
    assert!(own.text.starts_with("You: ") && own.advice.contains("Click Constantinople"), "{own:?}");
    for other in [Viewer::Seat(Seat::new(1)), Viewer::Observer] {
        let other = said(other);
        assert_eq!(other.text, "Crusaders: choose an action (3 standard actions left)");
        assert_eq!(other.advice, "");
    }
}
