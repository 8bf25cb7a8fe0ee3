//! Who wins when equal players meet, casting by casting, with intervals; where Glory comes from; and which events were
//! never played.
//!
//! `cargo run --release -p third-crusade --example third-crusade-balance -- 100 captain:200` plays a hundred games of each
//! casting. A second player's name after the first is the Muslims'. `only=4` plays castings of four, `only=Angevin,Ayyubid`
//! that one, `seed=7` other games, `scenario=variable` another scenario, `data=DIR` plays with the data files found there
//! in the place of its own, `record=DIR` writes the records of the games there.
#![allow(clippy::unwrap_used, missing_docs)]
use std::collections::BTreeMap;

use bots::{Limits, Turn, seat_player};
use table::{AnyGame, DataFiles, Id as _, Nonces, SeatSet, Seed, Viewer, Wishes};
use third_crusade::ids::Event;
use third_crusade::{ENTRY, FILES, ThirdCrusade};

/// A 95 % interval around a share of games, in per cent (Wilson's: it holds near the ends, too).
fn interval(won: u32, games: u32) -> String {
    if games == 0 {
        return "no games".into();
    }
    let (n, share, z) = (f64::from(games), f64::from(won) / f64::from(games), 1.96);
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    format!("{:.0} % ({:.0} to {:.0})", 100.0 * share, 100.0 * (middle - half), 100.0 * (middle + half))
}

/// What is to be played.
struct Wanted {
    games: u32,
    players: [String; 2],
    only: Option<String>,
    seed: u64,
    scenario: String,
    records: Option<String>,
    data: Option<String>,
}

fn wanted() -> Wanted {
    let mut names = Vec::new();
    let mut wanted = Wanted {
        games: 100,
        players: Default::default(),
        only: None,
        seed: 0,
        scenario: "campaign".into(),
        records: None,
        data: None,
    };
    for word in std::env::args().skip(1) {
        match word.split_once('=') {
            Some(("only", what)) => wanted.only = Some(what.into()),
            Some(("seed", number)) => wanted.seed = number.parse().unwrap(),
            Some(("scenario", id)) => wanted.scenario = id.into(),
            Some(("record", folder)) => wanted.records = Some(folder.into()),
            Some(("data", folder)) => wanted.data = Some(folder.into()),
            Some(_) => panic!("only, seed, scenario, data or record, not `{word}`"),
            None => match word.parse() {
                Ok(games) => wanted.games = games,
                Err(_) => names.push(word),
            },
        }
    }
    let first = names.first().cloned().unwrap_or_else(|| "greedy".into());
    wanted.players = [first.clone(), names.get(1).cloned().unwrap_or(first)];
    wanted
}

/// What was counted in the games of one casting.
#[derive(Default)]
struct Count {
    won: [u32; 2],
    first: [u32; 4],
    /// Among the wins of a pair: how often each of it led in Faith, and in Mercantile Cities.
    led: [[u32; 2]; 4],
    actions: u64,
    /// Rounds played, and Glory of the Crusaders by the rule that brought it.
    rounds: u32,
    glory: BTreeMap<String, i32>,
}

/// The Glory for the Crusaders that a line of the journal tells of.
fn told(text: &str) -> i32 {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let amount = words
        .iter()
        .rposition(|word| *word == "Glory")
        .and_then(|at| words[..at].iter().rev().find_map(|word| word.parse::<i32>().ok()));
    let marker = text.contains("moves the Glory marker by");
    let moved = || words.iter().rev().find_map(|word| word.parse::<i32>().ok());
    let amount = if marker { moved() } else { amount }.unwrap_or(0);
    let crusader = ["Crusader", "Angevin", "Holy Roman Empire"].iter().any(|name| text.contains(name));
    let loses = text.contains("is lost") || text.contains("pays");
    if crusader == loses { -amount } else { amount }
}

fn play(
    game: &dyn AnyGame,
    wanted: &Wanted,
    party: SeatSet,
    number: u32,
    count: &mut Count,
    played: &mut [bool],
) {
    let title = game.title();
    let wishes = Wishes {
        scenario: Some(wanted.scenario.clone()),
        seats: Some(title.wish_for(&wanted.scenario, party)),
        ..Wishes::default()
    };
    let setup = title.set_up(&wishes).unwrap();
    let seed = wanted.seed * 1_000_000 + u64::from(number);
    let mut sitting = game.open(setup, Seed::numbered(seed), Nonces::default()).unwrap();
    let mut seated: BTreeMap<_, _> = party
        .iter()
        .map(|seat| {
            let name = &wanted.players[seat.index() % 2];
            (seat, seat_player(name, seed ^ (seat.index() as u64 + 1) << 40, Limits::default()).unwrap())
        })
        .collect();
    while let Some(seat) = sitting.waiting_for().lowest() {
        let Some(turn) = Turn::new(&*sitting, seat) else { break };
        let answer = seated.get_mut(&seat).unwrap().decide(&turn).unwrap();
        if let Some(title) = answer.as_str().strip_prefix("play ")
            && let Some(event) = Event::all().find(|e| components().events[*e].title == title)
        {
            played[event.number()] = true;
        }
        sitting.act(seat, None, &[answer.as_str()]).unwrap();
        count.actions += 1;
    }
    for line in sitting.journal(Viewer::Umpire) {
        let Some(rule) = line.rule.filter(|_| line.text.contains("Glory")) else { continue };
        if line.text.contains("draws") || line.text.contains(" wins ") {
            continue;
        }
        *count.glory.entry(rule.to_string()).or_default() += told(&line.text);
        count.rounds += u32::from(line.text.starts_with("Open Glory icons"));
    }
    let outcome = sitting.outcome().unwrap();
    for (side, won) in count.won.iter_mut().enumerate() {
        *won += u32::from(outcome.winners.iter().any(|seat| seat.index() % 2 == side));
    }
    if let Some(seat) = outcome.first {
        count.first[seat.index()] += 1;
    }
    let tracks = sitting.scene(Viewer::Umpire).tracks;
    for (side, winner) in [0, 1].map(|side| (side, outcome.winners.iter().any(|s| s.index() % 2 == side))) {
        let track = tracks.iter().find(|track| track.id == format!("faith-{side}"));
        let Some(track) = track.filter(|track| winner && track.ends.is_some()) else { continue };
        for (what, marker) in track.markers.iter().enumerate() {
            if let Some(owner) = marker.owner {
                count.led[owner.index()][what] += 1;
            }
        }
    }
    if let Some(folder) = &wanted.records {
        let before =
            title.parties(&wanted.scenario).iter().take_while(|other| **other != party).count() as u32;
        let file = format!("{folder}/third-crusade-1-{}.txt", before * wanted.games + number);
        std::fs::write(file, sitting.record(true).to_string()).unwrap();
    }
}

fn components() -> &'static third_crusade::data::Components {
    static GAME: std::sync::OnceLock<ThirdCrusade> = std::sync::OnceLock::new();
    GAME.get_or_init(ThirdCrusade::built_in).components()
}

fn main() {
    let wanted = wanted();
    let mut files = DataFiles::built_in(FILES);
    for (name, _) in FILES {
        let own = wanted.data.as_ref().map(|folder| std::fs::read_to_string(format!("{folder}/{name}")));
        if let Some(Ok(text)) = own {
            files.replace(name, text).unwrap();
        }
    }
    let game = (ENTRY.open)(&files).unwrap();
    let title = game.title();
    let mut played = vec![false; Event::COUNT];
    for party in title.parties(&wanted.scenario) {
        let name = title.party_names(party);
        let fits = |only: &String| *only == name.replace(", ", ",") || *only == party.len().to_string();
        if !wanted.only.as_ref().is_none_or(fits) {
            continue;
        }
        let mut count = Count::default();
        for number in 0..wanted.games {
            play(&*game, &wanted, party, number, &mut count, &mut played);
        }
        println!(
            "{name}: Crusaders {}, Muslims {}; {} actions a game",
            interval(count.won[0], wanted.games),
            interval(count.won[1], wanted.games),
            count.actions / u64::from(wanted.games.max(1)),
        );
        for seat in party.iter() {
            let side = count.won[seat.index() % 2];
            let partners = party.iter().filter(|other| other.index() % 2 == seat.index() % 2).count();
            if partners > 1 {
                let share = interval(count.first[seat.index()], side);
                let [faith, markets] = count.led[seat.index()];
                println!(
                    "  {} first in {share} of its side's {side} wins; led in Faith in {faith}, in Mercantile Cities in {markets}",
                    title.seat_name(seat)
                );
            }
        }
        let rounds = f64::from(count.rounds.max(1));
        let sources = count.glory.iter().map(|(rule, n)| format!("{rule} {:+.2}", f64::from(*n) / rounds));
        println!(
            "  {:.1} rounds a game; Glory of the Crusaders a round, by rule: {}",
            rounds / f64::from(wanted.games.max(1)),
            sources.collect::<Vec<_>>().join(", ")
        );
    }
    let never: Vec<_> = Event::all()
        .filter(|event| !played[event.number()])
        .map(|event| components().events[event].title.clone())
        .collect();
    println!("{} of 128 events were played; never: {}", 128 - never.len(), never.join(", "));
}
