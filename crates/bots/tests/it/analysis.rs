//! Analysis: the course of a game, and the moment that decided it.
#![allow(clippy::unwrap_used)]

use bots::analyse::{Depth, analyse};
use table::{AnyGame, Nonces, Seat, SeatSet, Seed, small::connect_four::ConnectFour};

/// Red is allowed to build three with both ends free; Yellow's careless third drop decides the game.
#[test]
fn a_blunder_is_a_turning_point() {
    let game = <dyn AnyGame>::new(ConnectFour::new());
    let mut sitting = game.open(game.title().usual_set_up(), Seed::numbered(1), Nonces::default()).unwrap();
    for column in ["d", "a", "e", "a", "f", "a", "g"] {
        let seat = sitting.waiting_for().lowest().unwrap();
        sitting.act(seat, None, &[column]).unwrap();
    }
    assert_eq!(sitting.outcome().unwrap().headline, "Red wins");
    let record = sitting.record(true);
    let depth = Depth { iterations: 6000, ..Depth::default() };
    let analysis = analyse(&*game, &record, &depth, &mut |_, _| {}).unwrap();
    assert_eq!(analysis.seat, "Red");
    assert_eq!(analysis.points.len(), 8, "every entry, and the start");
    assert_eq!(analysis.points.last().unwrap().chance, 1.0);
    let blunder = &analysis.turnings[0];
    assert_eq!((blunder.from, blunder.to), (4, 4), "{:?}", analysis.turnings);
    assert!(blunder.after > blunder.before);
    assert_eq!(blunder.done[0].0, Seat::new(1));
    assert_eq!(blunder.done[0].1.as_str(), "a");
    assert_eq!(blunder.told[0], "Yellow: Drop into column a");
    assert!(analysis.chart("Connect Four").unwrap().contains("chance of Red to win"));

    let thought = |asked| {
        let depth = Depth { asked, ..depth };
        analyse(&*game, &record, &depth, &mut |_, _| {}).unwrap().turnings.remove(0).thoughts
    };
    let yellow = thought(SeatSet::only(Seat::new(1)));
    assert_eq!((yellow.len(), yellow[0].entry, &*yellow[0].did), (1, 4, "Drop into column a"));
    assert!(yellow[0].chance < 0.5, "{yellow:?}");
    let rather = yellow[0].rather.as_deref();
    assert!(matches!(rather, Some("Drop into column c" | "Drop into column f")), "{yellow:?}");
    assert_eq!(thought(SeatSet::only(Seat::new(0))), [], "nothing was Red's to choose there");
}
