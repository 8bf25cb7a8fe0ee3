//! Leaks of a campaign that are planted, each of which must turn the examination red: a purse, the men of a group, a
//! letter, the orders of a ship.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use croisades::campaign::Campaign;
use croisades::realm::Realm;
use table::Viewer;
use table::conformance::planted::{Leak, Planted, Tight};
use table::conformance::{Examination, examine};

/// What is told to everybody.
enum Told {
    Purses,
    Groups,
    Letters,
    Orders,
}

impl Leak<Campaign> for Told {
    fn tell(&self, _: &Campaign, p: &Realm, _: Viewer) -> String {
        match self {
            Self::Purses => format!("{:?}", p.hidden.traits.iter().map(|t| t.purse).collect::<Vec<_>>()),
            Self::Groups => {
                let men = p.open.all_groups().map(|(id, _)| p.men_in(id).count());
                format!("{:?}", men.collect::<Vec<_>>())
            }
            Self::Letters => format!("{} letters", p.hidden.letters.len()),
            Self::Orders => format!("{:?}", p.hidden.sailing),
        }
    }
}

/// What the examination finds first, in games some of which begin at a vignette whose name has this word.
fn found(leak: impl Leak<Campaign>, vignettes: &str) -> Option<String> {
    let game = Arc::new(Planted::new(Campaign::built_in(), leak).at(vignettes));
    let examination =
        Examination { games: 16, seed: 3, twins: 2, every: 3, actions: Some(60), ..Examination::default() };
    examine(&game, &examination, &mut |_| {}).failures.first().map(ToString::to_string)
}

#[test]
fn without_a_leak_of_a_campaign_nothing_is_found() {
    assert_eq!(found(Tight, "orders-at-sea"), None);
}

#[test]
fn a_purse_that_is_shown_is_found() {
    let what = found(Told::Purses, "market").unwrap();
    assert!(what.contains("can tell") || what.contains("traces"), "{what}");
}

#[test]
fn the_number_of_men_in_a_group_is_found() {
    let what = found(Told::Groups, "recruitment").unwrap();
    assert!(what.contains("can tell") || what.contains("traces"), "{what}");
}

#[test]
fn a_letter_that_is_counted_is_found() {
    let what = found(Told::Letters, "letters").unwrap();
    assert!(what.contains("letters"), "{what}");
}

#[test]
fn the_orders_of_a_ship_are_found() {
    let what = found(Told::Orders, "orders-at-sea").unwrap();
    assert!(what.contains("Sailing"), "{what}");
}
