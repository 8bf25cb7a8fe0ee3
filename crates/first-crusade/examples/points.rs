//! What players come to against the system: points and victories, how its counteroffensives end, and whether the
//! first player named gets more points than the second.
//!
//! `cargo run --release -p first-crusade --example first-crusade-points SCENARIO GAMES SEED PLAYER [PLAYER] [data=FOLDER]
//! [seconds=N] [journal=N] [tune=N]`: the journal of the N-th game is printed; the weights are printed that would have
//! told the results best, by the signs of one moment at rest of every N.

// This measures time, which no rule does.
#![allow(clippy::disallowed_types, clippy::expect_used)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use bots::{Limits, Turn, seat_player};
use first_crusade::{FILES, FirstCrusade};
use table::rooms::{Minded, Rules};
use table::{
    AnyMatch, DataFiles, Lots, Match, Moments, Nonces, Options, Seat, Seed, Setup, Tone, Viewer, Wishes,
};

/// What the journals tell of the system.
const TOLD: [(&str, &str); 9] = [
    ("attacks on a route", "The Muslims attack on the "),
    ("reliefs", "A relief force comes "),
    ("raids", "Muslims raid "),
    ("nothing comes of it", "Nothing comes of it"),
    ("fights", "Muslims attack "),
    ("places moved into", "Muslims move into "),
    ("battles won by Muslims", "The Muslims win the battle "),
    ("battles won by Christians", "The Christians win the battle "),
    ("places kept by Muslims", "One Muslim unit stays "),
];

struct Games {
    player: String,
    points: Vec<f64>,
    won: usize,
    drawn: usize,
    told: [usize; TOLD.len()],
    /// Battles that Muslims began and won.
    stormed: usize,
}

fn main() {
    let (named, plain): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.contains('='));
    let [scenario, games, seed, players @ ..] = &plain[..] else {
        panic!("SCENARIO GAMES SEED PLAYER [PLAYER]")
    };
    let value = |key: &str| named.iter().find_map(|n| n.strip_prefix(key)?.strip_prefix('='));
    let (games, seed): (u64, u64) = (games.parse().expect("games"), seed.parse().expect("a seed"));
    let seconds: f64 = value("seconds").map_or(f64::MAX, |n| n.parse().expect("seconds"));
    let shown: u64 = value("journal").map_or(u64::MAX, |n| n.parse().expect("the number of a game"));
    let every: u32 = value("tune").map_or(0, |n| n.parse().expect("a number of moments"));
    let mut files = DataFiles::built_in(FILES);
    for file in value("data").iter().flat_map(|dir| std::fs::read_dir(dir).expect("a folder")) {
        let path = file.expect("a file").path();
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name").to_string();
        let text = std::fs::read_to_string(&path).expect("a text");
        files.replace(&name, text).unwrap_or_else(|e| panic!("{e}"));
    }
    let game = Arc::new(FirstCrusade::open(&files).unwrap_or_else(|e| panic!("{e}")));
    let wishes = Wishes { scenario: Some(scenario.clone()), ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap_or_else(|e| panic!("{e}"));
    let begin = Instant::now();
    let empty = |player: &String| Games {
        player: player.clone(),
        points: Vec::new(),
        won: 0,
        drawn: 0,
        told: [0; TOLD.len()],
        stormed: 0,
    };
    let mut all: Vec<Games> = players.iter().map(empty).collect();
    let mut moments = Moments { signs: game.signs().to_vec(), ..Moments::default() };
    for number in 0..games {
        for own in &mut all {
            if begin.elapsed().as_secs_f64() < seconds {
                let seed = seed.wrapping_mul(0x9e37_79b9).wrapping_add(number);
                play(&game, &setup, seed, own, number == shown, &mut moments, every);
            }
        }
    }
    for own in &all {
        own.print();
    }
    if let [first, second] = &all[..] {
        let ((a, sa), (b, sb)) = (mean(&first.points), mean(&second.points));
        let half = 1.96 * (sa * sa + sb * sb).sqrt();
        println!(
            "{} over {}: {:+.2} points ({:+.2} to {:+.2})",
            first.player,
            second.player,
            a - b,
            a - b - half,
            a - b + half
        );
    }
    if let Some(tuned) = moments.tuned().filter(|_| every > 0) {
        let (before, after) = tuned.surprise;
        println!(
            "# {} games, {} moments; surprise {before:.4} before, {after:.4} with these weights",
            tuned.games, tuned.moments
        );
        println!("[{scenario}]");
        for (sign, weight) in &tuned.weights {
            println!("{sign} = {weight:.3}");
        }
    }
    println!("{:.0} s", begin.elapsed().as_secs_f64());
}

fn play(
    game: &Arc<FirstCrusade>,
    setup: &Setup,
    seed: u64,
    own: &mut Games,
    shown: bool,
    moments: &mut Moments,
    every: u32,
) {
    let mut sitting = Match::open(Arc::clone(game), setup.clone(), Seed::numbered(seed), Nonces::default())
        .expect("it opens");
    let (mut lots, mut room, mut noted) = (Lots::new(seed), Options::new(), Vec::new());
    let seat = |seat: Seat| {
        let lots = seed ^ seat.index() as u64;
        (seat, seat_player(&own.player, lots, Limits::default()).unwrap_or_else(|e| panic!("{e}")))
    };
    let mut seated: BTreeMap<_, _> = setup.party().iter().map(seat).collect();
    while let Some(seat) = sitting.waiting_for().lowest() {
        let p = sitting.position();
        if every > 0 && game.habit(p, seat, &mut room, &mut lots).is_none() && lots.below(every) == 0 {
            noted.push((game.measure(p, seat), game.appraise(p, seat)));
        }
        let turn = Turn::new(&sitting, seat).expect("he must decide");
        let player = seated.get_mut(&seat).expect("the seat is played");
        let answer = player.decide(&turn).unwrap_or_else(|e| panic!("{e}"));
        AnyMatch::act(&mut sitting, seat, None, &[answer.as_str()]).unwrap_or_else(|e| panic!("{e}"));
    }
    let outcome = sitting.outcome().expect("it ended");
    own.points.push(f64::from(outcome.scores.iter().sum::<i32>()));
    let won = !outcome.winners.is_empty();
    moments.noted.extend(noted.into_iter().map(|(signs, said)| (signs, said, won)));
    moments.games += 1;
    own.won += usize::from(!outcome.winners.is_empty());
    own.drawn += usize::from(outcome.headline == "Draw");
    own.note(&sitting);
    for line in sitting.journal(Viewer::Observer).iter().filter(|_| shown) {
        println!("{}{}", if line.tone == Tone::Heading { "" } else { "  " }, line.text);
    }
}

impl Games {
    fn note(&mut self, sitting: &dyn AnyMatch) {
        let mut theirs = false;
        for line in sitting.journal(Viewer::Observer) {
            theirs = match &line.text {
                t if t.starts_with("Muslims attack ") => true,
                t if t.starts_with("The battle of ") && line.tone == Tone::Heading => false,
                _ => theirs,
            };
            self.stormed += usize::from(theirs && line.text.starts_with("The Muslims win "));
            for (count, (_, begins)) in self.told.iter_mut().zip(TOLD) {
                *count += usize::from(line.text.starts_with(begins));
            }
        }
    }

    fn print(&self) {
        let games = self.points.len();
        let (points, error) = mean(&self.points);
        println!(
            "{}: {games} games, {} won, {} drawn, {points:.1} points on average ({:.1} to {:.1})",
            self.player,
            self.won,
            self.drawn,
            points - 1.96 * error,
            points + 1.96 * error
        );
        let each = |(count, (what, _)): (&usize, (&str, &str))| {
            format!("{what} {:.2}", *count as f64 / games.max(1) as f64)
        };
        let stormed = self.stormed as f64 / games.max(1) as f64;
        let told: Vec<_> = self.told.iter().zip(TOLD).map(each).collect();
        println!("  a game: {}, attacks that Muslims won {stormed:.2}", told.join(", "));
    }
}

/// The mean, and its standard error.
fn mean(all: &[f64]) -> (f64, f64) {
    let n = (all.len() as f64).max(1.0);
    let mean = all.iter().sum::<f64>() / n;
    let spread = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (spread / n).sqrt())
}
