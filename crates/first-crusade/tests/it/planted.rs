//! A planted secret: what slips into the open part of a position turns the examination red.

use std::sync::Arc;

use first_crusade::FirstCrusade;
use first_crusade::position::Position;
use table::conformance::planted::{Leak, Planted, Tight};
use table::conformance::{Examination, examine};

/// Rumour tells who a concealed counter is.
struct Rumour;

impl Leak<FirstCrusade> for Rumour {
    fn slip(&self, game: &FirstCrusade, p: &mut Position) {
        let c = game.components();
        for space in c.spaces.ids() {
            let concealed = p.here[space] & (c.muslims - p.shown);
            if concealed.any() {
                p.open.rumour[space] = concealed;
            }
        }
    }
}

fn found(leak: impl Leak<FirstCrusade>) -> Vec<String> {
    let game = Arc::new(Planted::new(FirstCrusade::built_in(), leak));
    let examination = Examination { games: 12, twins: 1, every: 2, ..Examination::default() };
    examine(&game, &examination, &mut |_| {}).failures.iter().map(ToString::to_string).collect()
}

#[test]
fn a_secret_that_slips_into_the_open_is_caught() {
    assert_eq!(found(Tight), Vec::<String>::new());
    assert_ne!(found(Rumour), Vec::<String>::new());
}
