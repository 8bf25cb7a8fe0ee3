//! Campaigns in numbers: by habit with quick battles, or at random. Who wins, how long it takes, how fast it is.
//!
//! `cargo run --release -p croisades --example campaign [GAMES [SEATS [habit|random [quick|fought|asked [SCENARIO [FOLDER]]]]]]`,
//! where files of data in FOLDER replace the game's own; or with files of vignettes in the place of all that, to play these
//! without building anew; or `examine [GAMES [SEED [EVERY [ACTIONS]]]]`.

// This measures time, which no rule does.
#![allow(clippy::disallowed_types)]

use std::time::Instant;

use croisades::campaign::{Campaign, FILES};
use croisades::realm::Realm;
use table::rooms::*;
use table::{DataFiles, Lots, Options, Seats, Silent, Wishes};

fn main() {
    let arg = |n: usize| std::env::args().nth(n);
    if arg(1).is_some_and(|file| file.ends_with(".toml")) {
        return vignettes();
    }
    if arg(1).is_some_and(|word| word == "examine") {
        return examine();
    }
    let games: u64 = arg(1).and_then(|n| n.parse().ok()).unwrap_or(20);
    let seats: u8 = arg(2).and_then(|n| n.parse().ok()).unwrap_or(2);
    let habit = arg(3).is_none_or(|word| word == "habit");
    let battles = arg(4).unwrap_or_else(|| "quick".into());
    let mut files = DataFiles::built_in(FILES);
    let scenario = arg(5).unwrap_or_else(|| "short".into());
    if let Some(folder) = arg(6) {
        for (name, _) in FILES {
            if let Ok(text) = std::fs::read_to_string(std::path::Path::new(&folder).join(name)) {
                files.replace(name, text).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
    let game = Campaign::open(&files).unwrap_or_else(|e| panic!("{e}"));
    println!(
        "a position has {} bytes, an action {}",
        size_of::<Realm>(),
        size_of::<croisades::campaign::action::Action>()
    );
    let wishes = Wishes {
        scenario: Some(scenario),
        seats: Some(Seats::Count(seats)),
        options: [("battles".to_string(), battles)].into(),
    };
    let setup = game.title().set_up(&wishes).unwrap_or_else(|e| panic!("{e}"));
    let (mut wins, mut turns, mut actions, mut goals, mut treaties) = ([0u64; 9], 0u64, 0u64, 0u64, 0u64);
    let mut longest = 0u64;
    // Rounds of waiting in turns without battles and sieges: how many turns had so many.
    let mut rounds = [0u64; 64];
    // Of each side, at each collection: revenue, fame of towns, men, games counted.
    let mut course = [[[0u64; 4]; 2]; 241];
    let mut kept: Option<Realm> = None;
    let begin = Instant::now();
    for seed in 0..games {
        let mut umpire = Silent::new(seed * 7919 + 1);
        let Ok(mut p) = game.setup(&setup, &mut umpire) else { continue };
        let (mut lots, mut room) = (Lots::new(seed), Options::new());
        let (mut count, mut treaty) = (0u64, false);
        let (mut waited, mut round, mut quiet) = (0usize, table::SeatSet::NONE, true);
        while let Some(seat) = game.deciding(&p).lowest() {
            let action = if habit {
                game.routine(&p, seat, &mut room, &mut lots)
            } else {
                room.clear();
                game.options(&p, seat, &mut room);
                lots.pick(room.offers()).map(|offer| match offer.range {
                    Some((least, most)) => {
                        game.with_amount(offer.action, least + lots.below(most - least + 1))
                    }
                    None => offer.action,
                })
            };
            let Some(action) = action else { panic!("nothing to do: {:?}", p.open.step()) };
            if cfg!(debug_assertions) && habit {
                room.clear();
                game.options(&p, seat, &mut room);
                let fits = room.offers().iter().any(|o| match (o.range, game.amount(action)) {
                    (Some((least, most)), Some(n)) => {
                        game.with_amount(o.action, n) == action && (least..=most).contains(&n)
                    }
                    _ => o.action == action,
                });
                assert!(fits, "{} is not offered at {:?}", game.write(action), p.open.step());
            }
            let turn = p.open.turn;
            // Somebody is asked who was not asked before: all others wait for him.
            let asked = game.deciding(&p);
            waited += usize::from(!asked.minus(round).is_empty());
            round = asked;
            game.apply(&mut p, seat, action, &mut umpire);
            quiet &= p.open.theatres.is_empty() && p.open.sieges.is_empty();
            if p.open.turn > turn {
                if quiet && turn > 0 {
                    rounds[waited.min(63)] += 1;
                }
                (waited, quiet) = (0, true);
            }
            if p.open.turn > turn && turn % 5 == 1 {
                for lord in p.open.playing().iter() {
                    let (revenue, towns) = game.holdings(&p, lord);
                    let row = &mut course[usize::from(turn)][lord.index() % 2];
                    let men = p.men_of(lord).count() as u64;
                    for (sum, n) in row.iter_mut().zip([revenue.into(), towns.into(), men, 1]) {
                        *sum += n;
                    }
                }
            }
            if cfg!(debug_assertions) {
                game.sound(&p).unwrap_or_else(|e| panic!("{e} after {}", game.write(action)));
            }
            if kept.is_none() && !p.open.theatres.is_empty() {
                kept = Some(p.clone());
            }
            count += 1;
            treaty |= !p.hidden.treaties.is_empty();
        }
        actions += count;
        longest = longest.max(count);
        turns += u64::from(p.open.turn);
        treaties += u64::from(treaty);
        let outcome = game.outcome(&p).unwrap_or_else(|| panic!("no outcome"));
        wins[outcome.winners.lowest().map_or(8, |s| s.index())] += 1;
        goals += u64::from(p.open.turn < game.last(&p));
    }
    let took = begin.elapsed().as_secs_f64();
    let share = |count: u64| {
        let p = count as f64 / games as f64;
        format!("{:.1} % ± {:.1}", p * 100.0, 196.0 * (p * (1.0 - p) / games as f64).sqrt())
    };
    for (turn, sides) in course.iter().enumerate().filter(|(_, sides)| sides[0][3] > 0) {
        let mean = |side: usize, what: usize| sides[side][what] as f64 / sides[side][3].max(1) as f64;
        let words = |side: usize| {
            format!(
                "{:.0} dinars, {:.1} fame of towns, {:.0} men",
                mean(side, 0),
                mean(side, 1),
                mean(side, 2)
            )
        };
        println!("after turn {turn:2}: a Saracen {}; a Crusader {}", words(0), words(1));
    }
    let waits = rounds.iter().enumerate().filter(|(_, n)| **n > 0).map(|(n, turns)| format!("{n}: {turns}"));
    println!("rounds of waiting in quiet turns: {}", waits.collect::<Vec<_>>().join(", "));
    let saracens: u64 = (0..8).step_by(2).map(|i| wins[i]).sum();
    let crusaders: u64 = (1..8).step_by(2).map(|i| wins[i]).sum();
    println!(
        "{games} games of {seats}: Saracens {}, Crusaders {}, draws {}",
        share(saracens),
        share(crusaders),
        share(wins[8])
    );
    println!(
        "by seat {:?}, {:.1} turns, {goals} decided before the limit, a treaty in {treaties}",
        &wins[..8],
        turns as f64 / games as f64
    );
    let clones = 20_000u32;
    let Some(kept) = kept else { return println!("nothing was fought") };
    let begin = Instant::now();
    for _ in 0..clones {
        std::hint::black_box(std::hint::black_box(&kept).clone());
    }
    println!(
        "a clone of a realm at war takes {:.2} µs",
        begin.elapsed().as_secs_f64() * 1e6 / f64::from(clones)
    );
    println!(
        "{:.0} actions a second, {} a game, {longest} at the most",
        actions as f64 / took,
        actions / games.max(1)
    );
}

/// The examination: `examine [GAMES [SEED [EVERY [ACTIONS]]]]`.
fn examine() {
    let number = |n: usize, usual: u64| std::env::args().nth(n).and_then(|n| n.parse().ok()).unwrap_or(usual);
    let game =
        (croisades::campaign::ENTRY.open)(&DataFiles::built_in(FILES)).unwrap_or_else(|e| panic!("{e}"));
    let examination = table::conformance::Examination {
        games: number(2, 24) as u32,
        seed: number(3, 1),
        every: number(4, 40) as u32,
        actions: Some(number(5, 500) as u32),
        failures: 3,
        wording: true,
        ..Default::default()
    };
    let findings = game.examine(&examination, &mut |_| {});
    for failure in &findings.failures {
        println!("{failure}");
        for line in failure.record.lines().rev().take(12).collect::<Vec<_>>().into_iter().rev() {
            println!("    {line}");
        }
    }
    println!("{} games, {} actions, twins {:?}", findings.games, findings.actions, findings.twins);
}

/// Plays vignettes from files.
fn vignettes() {
    let game = Campaign::built_in();
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
        let played = table::Vignette::read(&file, &text).map_err(|e| e.to_string()).and_then(|vignette| {
            let played = vignette.play(&game).map_err(|e| e.to_string())?;
            let unproved: Vec<&str> = vignette.unproved(&played).collect();
            if unproved.is_empty() {
                Ok(())
            } else {
                Err(format!("{file}: {unproved:?} not at work: {:?}", played.journal))
            }
        });
        match played {
            Ok(()) => println!("{file} holds"),
            Err(error) => println!("{error}"),
        }
    }
}
