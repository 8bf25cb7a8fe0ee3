//! Figures about Kingdom of Heaven, for `BALANCE.md` and `BENCHMARKS.md`.
//!
//! ```text
//! war speed SCENARIO GAMES
//! war arena SCENARIO PAIRS SEED PLAYER PLAYER
//! war balance SCENARIO GAMES PLAYER
//! war tune SCENARIO GAMES TIMES
//! war round SCENARIO ROUNDS SECONDS
//! war course SCENARIO GAMES PLAYER
//! war tale SCENARIO NUMBER PLAYER
//! war vignette FILES
//! ```
#![allow(clippy::unwrap_used, clippy::disallowed_types)]

use std::time::Instant;

use bots::Limits;
use bots::arena::{Draw, Plan as Bout, Share, run};
use kingdom_of_heaven::ids::BOTH;
use kingdom_of_heaven::{ENTRY, FILES, KingdomOfHeaven};
use table::rooms::*;
use table::{
    AnyGame, DataFiles, Lots, Moments, Options, Plan, Seat, SeatSet, Setup, Silent, Vignette, Wishes,
};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let game = (ENTRY.open)(&files()).unwrap();
    match args[..] {
        ["speed", scenario, games] => speed(&*game, &set_up(&*game, scenario), games.parse().unwrap()),
        ["arena", scenario, pairs, seed, one, two] => {
            arena(&*game, scenario, pairs.parse().unwrap(), seed.parse().unwrap(), [one, two]);
        }
        ["balance", scenario, games, player] => {
            arena(&*game, scenario, games.parse::<u32>().unwrap() / 2, 1, [player, player]);
        }
        ["tune", scenario, games, times] => {
            tune(scenario, games.parse().unwrap(), times.parse().unwrap());
        }
        ["course", scenario, games, player] => {
            let games = games.parse().unwrap();
            (0..games).for_each(|number| course(&*game, scenario, number, player, false));
        }
        ["tale", scenario, number, player] => {
            course(&*game, scenario, number.parse().unwrap(), player, true);
        }
        ["round", scenario, rounds, seconds] => {
            rounds_of(&*game, scenario, rounds.parse().unwrap(), seconds.parse().unwrap());
        }
        ["vignette", ref files @ ..] => files.iter().for_each(|file| vignette(&*game, file)),
        _ => panic!(
            "speed SCENARIO GAMES, arena SCENARIO PAIRS SEED PLAYER PLAYER, balance SCENARIO GAMES PLAYER, \
             tune SCENARIO GAMES TIMES, round SCENARIO ROUNDS SECONDS, course SCENARIO GAMES PLAYER, tale SCENARIO NUMBER PLAYER, \
             or vignette FILES"
        ),
    }
}

/// The game's own data, or what stands in the folder `WAR_DATA` in their place.
fn files() -> DataFiles {
    let mut files = DataFiles::built_in(FILES);
    if let Ok(folder) = std::env::var("WAR_DATA") {
        for (name, _) in FILES {
            files.replace(name, std::fs::read_to_string(format!("{folder}/{name}")).unwrap()).unwrap();
        }
    }
    files
}

fn set_up(game: &dyn AnyGame, scenario: &str) -> Setup {
    game.title().set_up(&Wishes { scenario: Some(scenario.into()), ..Wishes::default() }).unwrap()
}

/// Whether a vignette holds as it stands in its file, without building anything anew.
fn vignette(game: &dyn AnyGame, file: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    let played = Vignette::read(file, &text)
        .and_then(|v| game.play_vignette(&v).map(|played| v.unproved(&played).map(String::from).collect()));
    match played {
        Ok(unproved) => {
            let unproved: Vec<String> = unproved;
            println!(
                "{file}: holds{}",
                if unproved.is_empty() { "" } else { ", but not at work: " }.to_owned()
                    + &unproved.join(", ")
            );
        }
        Err(wrong) => println!("{wrong}"),
    }
}

/// Actions a second of random players, on one core.
fn speed(game: &dyn AnyGame, setup: &Setup, games: u64) {
    let plan = Plan { setup: setup.clone(), games, seed: 1, first: 0, picks: Vec::new() };
    let start = Instant::now();
    let tally = game.simulate(&plan, &mut |_| {}).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let rate = tally.actions as f64 / seconds;
    println!("{games} games, {} actions, {seconds:.1} s: {rate:.0} actions a second", tally.actions);
    println!("{:?}", tally.outcomes);
}

/// Two players, sides swapped, with 95 % intervals.
fn arena(game: &dyn AnyGame, scenario: &str, pairs: u32, seed: u64, players: [&str; 2]) {
    let plan = Bout {
        players: players.map(String::from).to_vec(),
        draw: Draw::All,
        share: Share::WHOLE,
        pairs,
        seed,
        threads: 1,
        limits: Limits::default(),
        sprt: None,
    };
    let results = run(game, &set_up(game, scenario), &plan, &|_| {}).unwrap();
    let summary = results.summary().unwrap();
    for meeting in &summary.meetings {
        let [won, drawn, lost] = meeting.games;
        println!("{scenario}: {} over {}: {won} won, {drawn} drawn, {lost} lost", players[0], players[1]);
        println!("  {:?}", meeting.elo);
    }
    println!("  {} (first side): {:?}", results.sides[0], summary.first_side);
    println!("  actions of a game {:.0}, at most {}", summary.actions.0, summary.actions.1);
    for (name, (count, mean, most)) in players.iter().zip(&summary.thinking) {
        println!("  {name}: {count} decisions, {mean:?} on average, {most:?} at most");
    }
    for fault in &summary.faults {
        println!("  fault: {fault}");
    }
}

/// One of so many moves is made at random, so that games go astray and come back.
const STRAY: u32 = 8;
/// Whoever plays a card looks at so many uses of his hand one step ahead.
const LOOKS: usize = 8;

/// The weights that tell best how games end whose players look a step ahead at a few uses of their cards. What was found
/// is played with the next time.
fn tune(scenario: &str, games: u64, times: u32) {
    let mut files = files();
    for time in 1..=times {
        let game = KingdomOfHeaven::open(&files).unwrap();
        let wishes = Wishes { scenario: Some(scenario.into()), ..Wishes::default() };
        let setup = game.title().set_up(&wishes).unwrap();
        let mut moments = Moments { signs: game.signs().to_vec(), ..Moments::default() };
        let mut won = [0; 2];
        for number in 0..games {
            let seed = u64::from(time) << 32 | number;
            let (winners, noted) = played(&game, &setup, seed);
            for seat in BOTH.into_iter().filter(|seat| winners.contains(*seat)) {
                won[seat.index()] += 1;
            }
            moments.games += 1;
            if !winners.is_empty() {
                let judged =
                    noted.into_iter().map(|(seat, signs, said)| (signs, said, winners.contains(seat)));
                moments.noted.extend(judged);
            }
        }
        let tuned = moments.tuned().unwrap();
        println!("# {scenario}, time {time}: {games} games, {won:?} won, {} moments", tuned.moments);
        println!(
            "# surprise at the results: {:.4} before, {:.4} with these weights",
            tuned.surprise.0, tuned.surprise.1
        );
        let lines: String =
            tuned.weights.iter().map(|(sign, weight)| format!("{sign} = {weight:.3}\n")).collect();
        println!("[{scenario}]\n{lines}");
        let text = files.text(table::weights::FILE);
        let (before, rest) = text.split_once(&format!("[{scenario}]\n")).unwrap();
        let after = rest.split_once("\n[").map_or(String::new(), |(_, after)| format!("\n[{after}"));
        let text = format!("{before}[{scenario}]\n{lines}{after}");
        files.replace(table::weights::FILE, text).unwrap();
    }
}

/// A game by habit, whose players look ahead where they play a card: who won, and what was noted.
fn played(game: &KingdomOfHeaven, setup: &Setup, seed: u64) -> (SeatSet, Vec<(Seat, Vec<f32>, f32)>) {
    let (mut dice, mut lots) = (Silent::new(seed), Lots::new(seed));
    let (mut options, mut room) = (Options::new(), Options::new());
    let mut p = game.setup(setup, &mut dice).unwrap();
    let mut noted = Vec::new();
    while let Some(seat) = game.deciding(&p).lowest() {
        room.clear();
        let habit = game.habit(&p, seat, &mut room, &mut lots);
        options.clear();
        game.options(&p, seat, &mut options);
        let stray = lots.below(STRAY) == 0;
        let action = match habit {
            Some(action) if !stray => action,
            None if !stray => {
                if lots.below(4) == 0 {
                    noted.push((seat, game.measure(&p, seat), game.appraise(&p, seat)));
                }
                let thought: Vec<_> = options
                    .offers()
                    .iter()
                    .map(|o| o.action)
                    .filter(|a| game.considered(&p, seat, *a))
                    .collect();
                let looks = (0..LOOKS).filter_map(|_| lots.pick(&thought)).map(|action| {
                    let mut after = p.clone();
                    game.apply(&mut after, seat, action, &mut Silent::new(seed ^ noted.len() as u64));
                    (game.appraise(&after, seat), action)
                });
                let best = looks.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, action)| action);
                best.unwrap_or(options.offers()[0].action)
            }
            _ => options.offers()[lots.below(options.offers().len() as u32) as usize].action,
        };
        game.apply(&mut p, seat, action, &mut dice);
    }
    (game.outcome(&p).map_or(SeatSet::NONE, |outcome| outcome.winners), noted)
}

/// How long a captain with so many seconds for a decision takes for all decisions of one of his rounds.
fn rounds_of(game: &dyn AnyGame, scenario: &str, rounds: usize, seconds: f64) {
    let limits = Limits { time: Some(std::time::Duration::from_secs_f64(seconds)), ..Limits::default() };
    let mut players = [1, 2].map(|seed| bots::seat_player("captain", seed, limits.clone()).unwrap());
    let mut sitting =
        game.open(set_up(game, scenario), table::Seed::numbered(1), table::Nonces::default()).unwrap();
    let mut took: Vec<(f64, u32)> = Vec::new();
    while sitting.outcome().is_none() && took.len() <= rounds {
        let Some(seat) = sitting.waiting_for().lowest() else { break };
        let turn = bots::Turn::new(&*sitting, seat).unwrap();
        let begins = !turn.thought().is_routine();
        let start = Instant::now();
        let said = players[seat.index()].decide(&turn).unwrap();
        let spent = start.elapsed().as_secs_f64();
        if begins {
            took.push((0.0, 0));
        }
        if let Some(last) = took.last_mut() {
            *last = (last.0 + spent, last.1 + 1);
        }
        sitting.act(seat, None, &[said.as_str()]).unwrap();
    }
    let longest = took.iter().fold((0.0, 0), |most, one| if one.0 > most.0 { *one } else { most });
    let mean = took.iter().map(|(time, _)| time).sum::<f64>() / took.len() as f64;
    println!(
        "{scenario}: {} rounds, both players together {mean:.1} s a round, {:.1} s at most ({} decisions)",
        took.len(),
        longest.0,
        longest.1
    );
}

/// The victory points of both at the beginning of every turn and at the end, in a game of a player against himself; all
/// that is decided, where the tale is wanted.
fn course(game: &dyn AnyGame, scenario: &str, number: u64, player: &str, tale: bool) {
    let seeds = [2 * number, 2 * number + 1];
    let mut players = seeds.map(|seed| bots::seat_player(player, seed, Limits::default()).unwrap());
    let seed = table::Seed::numbered(number);
    let mut sitting = game.open(set_up(game, scenario), seed, table::Nonces::default()).unwrap();
    let (mut turns, mut now) = (Vec::new(), String::new());
    loop {
        let scene = sitting.scene(table::Viewer::Umpire);
        let turn = scene.title.split(',').next().unwrap_or_default();
        let points = |register: table::scene::Register| -> Vec<String> {
            register.rows.iter().map(|row| row.cells[0].text.clone()).collect()
        };
        if turn != now || sitting.outcome().is_some() {
            now = turn.to_string();
            turns.push(scene.register.map(points).unwrap_or_default().join(":"));
        }
        let Some(seat) = sitting.waiting_for().lowest() else { break };
        let turn = bots::Turn::new(&*sitting, seat).unwrap();
        let said = players[seat.index()].decide(&turn).unwrap();
        if tale {
            println!("{now}, {}: {said}", game.title().seat_name(seat));
        }
        sitting.act(seat, None, &[said.as_str()]).unwrap();
    }
    let headline = sitting.outcome().map(|o| o.headline.to_string()).unwrap_or_default();
    println!("{} {headline}", turns.join(" "));
}
