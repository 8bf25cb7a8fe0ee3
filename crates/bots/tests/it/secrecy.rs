//! Same view, same answer, in every game: whatever a player of this crate is asked at a true position, it answers alike
//! at one that its seat cannot tell from it. A player who peeks is found by the same comparison.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use bots::search::{Advice, Budget, Search, Settings};
use croisades::campaign::Campaign;
use croisades::skirmish::Skirmish;
use crusader_rex::CrusaderRex;
use first_crusade::FirstCrusade;
use four_keeps::FourKeeps;
use kingdom_of_heaven::KingdomOfHeaven;
use table::rooms::*;
use table::small::phantom::Phantom;
use table::small::ten_towns::TenTowns;
use table::{
    Lots, Mind, Notation, Observed, Options, Pick, Seat, Seats, Setup, Silent, Thought, Viewer, Wishes,
};
use third_crusade::ThirdCrusade;

/// What a seat is given.
fn observed<G: Game>(game: &G, position: &G::Position, seat: Seat, viewer: Viewer) -> Observed<G> {
    let mut options = Options::new();
    game.options(position, seat, &mut options);
    Observed { seat, view: game.view(position, viewer), offers: options.offers().to_vec() }
}

/// What every player would answer.
fn answers<G: Game>(game: &Arc<G>, observed: Observed<G>) -> (Vec<Notation>, Vec<Advice>) {
    let mind = Mind::new(game.clone(), observed);
    let simple = [Pick::Random, Pick::Greedy].map(|pick| mind.pick(pick, &mut Lots::new(9))).to_vec();
    let think = |weigh| {
        let settings = Settings { weigh, ..Settings::default() };
        Search::new(settings).think(&mind, Budget::Iterations(THOUGHT), 9)
    };
    (simple, vec![think(0.0), think(3.0)])
}

/// Iterations of a search in these comparisons.
const THOUGHT: u32 = 40;
/// So many actions of a game are looked at.
const FAR: u64 = 1500;

/// Compares the answers at true positions and at imagined ones with the same view: pairs compared, and pairs
/// where answers differed. With the umpire's eyes the players cheat.
fn compare<G: Game>(game: &Arc<G>, setup: &Setup, wanted: u32, cheat: bool) -> (u32, u32) {
    let (mut pairs, mut differing) = (0, 0);
    for seed in 0..wanted.into() {
        let mut umpire = Silent::new(seed);
        let mut lots = Lots::new(seed + 500);
        let mut position = game.setup(setup, &mut umpire).unwrap();
        // Longer games are looked at less often, so that all of them are.
        let every = 1 + lots.below(7);
        for _ in 0..FAR {
            let deciding: Vec<Seat> = game.deciding(&position).iter().collect();
            let Some(seat) = lots.pick(&deciding) else { break };
            let viewer = Viewer::Seat(seat);
            if lots.below(every) == 0 {
                let twin = game.imagine(&game.view(&position, viewer), &mut lots);
                if twin != position {
                    assert_eq!(game.view(&position, viewer), game.view(&twin, viewer), "twins look the same");
                    let eyes = if cheat { Viewer::Umpire } else { viewer };
                    let [truth, other] =
                        [&position, &twin].map(|p| answers(game, observed(&**game, p, seat, eyes)));
                    pairs += 1;
                    differing += u32::from(truth != other);
                }
            }
            if pairs >= wanted * (1 + seed as u32).min(3) / 3 {
                break;
            }
            let mut options = Options::new();
            game.options(&position, seat, &mut options);
            let offer = lots.pick(options.offers()).unwrap();
            game.apply(&mut position, seat, offer.action, &mut umpire);
        }
        if pairs >= wanted {
            break;
        }
    }
    (pairs, differing)
}

/// Honest players never differ, and those who peek do.
fn examine<G: Game>(game: G, scenario: &str, seats: Option<u8>) {
    let game = Arc::new(game);
    let scenario = (!scenario.is_empty()).then(|| scenario.to_string());
    let wishes = Wishes { scenario, seats: seats.map(Seats::Count), ..Wishes::default() };
    let setup = game.title().set_up(&wishes).unwrap();
    let what = format!("{}, {}", game.title().name, setup.scenario());
    let (pairs, differing) = compare(&game, &setup, PAIRS, false);
    assert_eq!((pairs, differing), (PAIRS, 0), "{what}: pairs compared, answers that differ");
    let (pairs, differing) = compare(&game, &setup, PAIRS, true);
    assert!(differing > 0, "{what}: a player who peeks answers alike in all {pairs} pairs");
}

/// So many pairs for every set-up.
const PAIRS: u32 = 30;

#[test]
fn small_games() {
    examine(TenTowns::built_in(), "", None);
    examine(Phantom::new(), "", None);
    examine(FourKeeps::built_in(), "", Some(4));
}

#[test]
fn crusader_rex() {
    examine(CrusaderRex::built_in(), "", None);
    examine(CrusaderRex::built_in(), "1187", None);
}

#[test]
fn first_crusade() {
    examine(FirstCrusade::built_in(), "", None);
    examine(FirstCrusade::built_in(), "", Some(3));
}

#[test]
fn kingdom_of_heaven() {
    examine(KingdomOfHeaven::built_in(), "D", None);
    examine(KingdomOfHeaven::built_in(), "acre", None);
}

#[test]
fn third_crusade() {
    examine(ThirdCrusade::built_in(), "", Some(2));
    examine(ThirdCrusade::built_in(), "", Some(4));
}

#[test]
fn croisades() {
    let muster = Skirmish::built_in();
    let hidden = muster.title().scenarios.iter().map(|s| s.id.clone()).find(|id| id.contains("muster"));
    examine(muster, &hidden.unwrap(), None);
    examine(Campaign::built_in(), "", None);
}
