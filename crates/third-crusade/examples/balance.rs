//! Who wins when equal players meet, casting by casting, with intervals; and which events were never played.
//!
//! `cargo run --release -p third-crusade --example third-crusade-balance -- 100 greedy random` plays a hundred games of each casting by
//! the simple players of the table, the Crusaders by the first word and the Muslims by the second. Searching players are
//! heavier: `outremer arena third-crusade` pits them.
#![allow(clippy::unwrap_used, missing_docs)]
use table::rooms::*;
use table::{Id as _, Lots, Observed, Options, Pick, Silent, Viewer, Wishes, choose};
use third_crusade::ThirdCrusade;
use third_crusade::action::Action;
use third_crusade::ids::Event;

/// Half of a 95 % interval around a share of games, in per cent.
fn interval(won: u32, games: u32) -> f64 {
    let share = f64::from(won) / f64::from(games.max(1));
    196.0 * (share * (1.0 - share) / f64::from(games.max(1))).sqrt()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let games: u32 = words.first().map_or(100, |n| n.parse().unwrap());
    let named =
        |i: usize| words.get(i).map(|word| if word == "random" { Pick::Random } else { Pick::Greedy });
    let crusaders = named(1).unwrap_or(Pick::Greedy);
    let picks = [crusaders, named(2).unwrap_or(crusaders)];
    let game = ThirdCrusade::built_in();
    let mut played: Vec<bool> = vec![false; Event::COUNT];
    for party in game.title().parties("campaign") {
        let wishes = Wishes {
            scenario: Some("campaign".into()),
            seats: Some(game.title().wish_for("campaign", party)),
            ..Wishes::default()
        };
        let setup = game.title().set_up(&wishes).unwrap();
        let (mut won, mut first) = ([0u32; 2], [0u32; 4]);
        let mut actions = 0u64;
        for seed in 0..u64::from(games) {
            let mut umpire = Silent::new(seed);
            let mut lots = Lots::new(seed + 1_000_000);
            let mut p = game.setup(&setup, &mut umpire).unwrap();
            let mut options = Options::new();
            while let Some(seat) = lots.pick(&game.deciding(&p).iter().collect::<Vec<_>>()) {
                options.clear();
                game.options(&p, seat, &mut options);
                let view = game.view(&p, Viewer::Seat(seat));
                let observed = Observed::<ThirdCrusade> { seat, view, offers: options.offers().to_vec() };
                let action = choose(&game, &observed, picks[seat.index() % 2], &mut lots);
                if let Action::Play(event) = action {
                    played[event.number()] = true;
                }
                game.apply(&mut p, seat, action, &mut umpire);
                actions += 1;
            }
            let outcome = game.outcome(&p).unwrap();
            for (side, won) in won.iter_mut().enumerate() {
                *won += u32::from(outcome.winners.iter().any(|seat| seat.index() % 2 == side));
            }
            if let Some(seat) = outcome.first {
                first[seat.index()] += 1;
            }
        }
        let share = |n: u32| 100.0 * f64::from(n) / f64::from(games);
        println!(
            "{}: Crusaders {:.0} % ±{:.0}, Muslims {:.0} % ±{:.0}, {} actions a game",
            game.title().party_names(party),
            share(won[0]),
            interval(won[0], games),
            share(won[1]),
            interval(won[1], games),
            actions / u64::from(games.max(1)),
        );
        for seat in party.iter() {
            println!(
                "  first of the winners: {} in {} games",
                game.title().seat_name(seat),
                first[seat.index()]
            );
        }
    }
    let never: Vec<_> = Event::all()
        .filter(|event| !played[event.number()])
        .map(|event| game.components().events[event].title.clone())
        .collect();
    println!("{} of 128 events were played; never: {}", 128 - never.len(), never.join(", "));
}
