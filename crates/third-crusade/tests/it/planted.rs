//! Leaks that are planted, each of which must turn the examination red: an id that follows the kind of an order, a window
//! that a blank shuts, an objective shown to the partner.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use table::conformance::planted::{Leak, Planted, Tight};
use table::conformance::{Examination, examine};
use table::rooms::*;
use table::{Options, Seat, Viewer};
use third_crusade::ThirdCrusade;
use third_crusade::action::Action;
use third_crusade::ids::{Army, SIDES};
use third_crusade::position::{Position, Step};

/// The id of a face-down order follows its kind.
struct IdByKind;

impl Leak<ThirdCrusade> for IdByKind {
    fn tell(&self, _: &ThirdCrusade, p: &Position, _: Viewer) -> String {
        let orders = SIDES.iter().flat_map(|&side| p.hidden.orders[side].iter());
        orders.filter_map(|(region, order)| Some(format!("order-{region:?}-{:?} ", (*order)?))).collect()
    }
}

/// A window shuts by itself where the one who is asked holds nothing but blanks near the battle.
struct WindowShutByBlank;

impl Leak<ThirdCrusade> for WindowShutByBlank {
    fn force(&self, game: &ThirdCrusade, p: &Position, seat: Seat) -> Option<Action> {
        let mut options = Options::new();
        game.options(p, seat, &mut options);
        (game.window(p, seat) && options.len() == 1).then_some(Action::Decline)
    }
}

/// An objective is shown to the partner.
struct ObjectiveShown;

impl Leak<ThirdCrusade> for ObjectiveShown {
    fn tell(&self, _: &ThirdCrusade, p: &Position, viewer: Viewer) -> String {
        match viewer {
            Viewer::Seat(seat) => format!("{:?}", p.hidden.objectives[Army::of(seat).partner()]),
            _ => String::new(),
        }
    }
}

/// What the examination finds first.
fn found(leak: impl Leak<ThirdCrusade>) -> Option<String> {
    let game = Arc::new(Planted::new(ThirdCrusade::built_in(), leak));
    let examination = Examination { games: 40, seed: 7, twins: 2, every: 6, ..Examination::default() };
    examine(&game, &examination, &mut |_| {}).failures.first().map(ToString::to_string)
}

#[test]
fn without_a_leak_nothing_is_found() {
    let game = Arc::new(Planted::new(ThirdCrusade::built_in(), Tight));
    let examination = Examination { games: 4, seed: 7, twins: 1, every: 10, ..Examination::default() };
    assert_eq!(examine(&game, &examination, &mut |_| {}).failures, []);
}

#[test]
fn an_id_that_follows_the_kind_is_found() {
    let what = found(IdByKind).unwrap();
    assert!(what.contains("order-"), "{what}");
}

#[test]
fn a_window_that_a_blank_shuts_is_found() {
    let what = found(WindowShutByBlank).unwrap();
    assert!(what.contains("forced"), "{what}");
}

#[test]
fn an_objective_shown_to_the_partner_is_found() {
    let what = found(ObjectiveShown).unwrap();
    assert!(what.contains("Set") || what.contains("Objective"), "{what}");
}

#[test]
fn blanks_keep_windows_open() {
    // Two staged battles alike in all that others see: a Stand Firm in one, a blank in the other.
    let game = ThirdCrusade::built_in();
    let staged = |order: &str| {
        let text = format!(
            "turn = \"Angevin\"\npieces = {{ Tyre = [\"3 Angevin Infantry\"], Acre = [\"1 Ayyubid Infantry\"] }}\n\
             orders = {{ Tyre = [\"Angevin March\"], Acre = [\"{order}\"] }}\ncommand = {{ Angevin = 5, Ayyubid = 5 }}"
        );
        let mut p = game.stage(&table::sheet::parse("stage", &text).unwrap()).unwrap();
        for line in ["execute Tyre", "go Acre"] {
            game.apply(&mut p, Seat::new(0), game.read(line).unwrap(), &mut table::Silent::new(0));
        }
        assert!(matches!(p.open.agenda.now(), Some(Step::Battle)));
        (game.deciding(&p), game.window(&p, Seat::new(1)), game.view(&p, Viewer::Seat(Seat::new(0))))
    };
    assert_eq!(staged("Ayyubid Stand Firm"), staged("Ayyubid Blank"));
}
