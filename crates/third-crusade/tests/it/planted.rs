//! Leaks that are planted, each of which must turn the examination red: an id that follows the kind of an order, a window
//! that a blank shuts, an objective shown to the partner.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use table::conformance::{Examination, examine};
use table::rooms::*;
use table::scene::{Choice, Scene};
use table::sheet::{DataError, Node};
use table::weights::Sign;
use table::{
    Ballot, Fact, Lots, Notation, Options, OrderOffer, OrderState, Outcome, Reach, ReadError, Seat, SeatSet,
    Setup, SetupError, Title, Umpire, Viewer,
};
use third_crusade::ThirdCrusade;
use third_crusade::action::Action;
use third_crusade::ids::{Army, SIDES};
use third_crusade::orders::Plan;
use third_crusade::position::{Position, Step};
use third_crusade::view::View;

/// What leaks.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Leak {
    Nothing,
    IdByKind,
    WindowShutByBlank,
    ObjectiveShown,
}

struct Leaky {
    game: ThirdCrusade,
    leak: Leak,
}

/// A view that may hold more than it should.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
struct LeakyView {
    view: View,
    more: Vec<String>,
}

impl Leaky {
    /// Whether the one who is asked holds nothing but blanks near the battle, which only he knows.
    fn holds_nothing(&self, p: &Position) -> bool {
        let Some(seat) = self.game.deciding(p).lowest() else { return false };
        let mut options = Options::new();
        self.game.options(p, seat, &mut options);
        options.len() == 1
    }
}

impl Rules for Leaky {
    type Position = Position;
    type Action = Action;
    fn title(&self) -> &Title {
        self.game.title()
    }
    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        self.game.setup(setup, umpire)
    }
    fn deciding(&self, p: &Position) -> SeatSet {
        self.game.deciding(p)
    }
    fn options(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let window = self.game.window(p, seat);
        if self.leak == Leak::WindowShutByBlank && window && self.holds_nothing(p) {
            ballot.force(Action::Decline);
        } else {
            self.game.options(p, seat, ballot);
        }
    }
    fn apply(&self, p: &mut Position, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        self.game.apply(p, seat, action, umpire);
    }
    fn outcome(&self, p: &Position) -> Option<Outcome> {
        self.game.outcome(p)
    }
    fn reason(&self, p: &Position) -> String {
        self.game.reason(p)
    }
    fn window(&self, p: &Position, seat: Seat) -> bool {
        self.game.window(p, seat)
    }
    fn with_amount(&self, action: Action, amount: u32) -> Action {
        self.game.with_amount(action, amount)
    }
    fn amount(&self, action: Action) -> Option<u32> {
        self.game.amount(action)
    }
}

impl Written for Leaky {
    fn write(&self, action: Action) -> Notation {
        self.game.write(action)
    }
    fn read(&self, text: &str) -> Result<Action, ReadError> {
        self.game.read(text)
    }
}

impl Secrets for Leaky {
    type View = LeakyView;
    fn view(&self, p: &Position, viewer: Viewer) -> LeakyView {
        let mut more = Vec::new();
        if self.leak == Leak::IdByKind {
            for side in SIDES {
                for (region, order) in p.hidden.orders[side].iter() {
                    more.extend(order.map(|order| format!("order-{region:?}-{order:?}")));
                }
            }
        }
        if self.leak == Leak::ObjectiveShown
            && let Viewer::Seat(seat) = viewer
        {
            more.push(format!("{:?}", p.hidden.objectives[Army::of(seat).partner()]));
        }
        LeakyView { view: self.game.view(p, viewer), more }
    }
    fn seen(&self, p: &Position, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        self.game.seen(p, seat, action, viewer)
    }
    fn imagine(&self, view: &LeakyView, lots: &mut Lots) -> Position {
        self.game.imagine(&view.view, lots)
    }
}

impl Shown for Leaky {
    fn scene(&self, view: &LeakyView) -> Scene {
        let mut scene = self.game.scene(&view.view);
        scene.title.push_str(&view.more.join(" "));
        scene
    }
    fn choice(&self, view: &LeakyView, action: Action) -> Choice {
        self.game.choice(&view.view, action)
    }
    fn reach(&self, view: &LeakyView, picked: &[&str]) -> Vec<Reach> {
        self.game.reach(&view.view, picked)
    }
}

impl Ordered for Leaky {
    type Order = Plan;
    fn obey(&self, view: &LeakyView, orders: &[Plan]) -> Option<Action> {
        self.game.obey(&view.view, orders)
    }
    fn orders(&self, view: &LeakyView) -> Vec<OrderOffer<Plan>> {
        self.game.orders(&view.view)
    }
    fn stands(&self, view: &LeakyView, order: &Plan) -> OrderState {
        self.game.stands(&view.view, order)
    }
    fn write_order(&self, order: &Plan) -> Notation {
        self.game.write_order(order)
    }
    fn read_order(&self, text: &str) -> Result<Plan, ReadError> {
        self.game.read_order(text)
    }
}

impl Minded for Leaky {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        self.game.appraise(p, seat)
    }
    fn signs(&self) -> &'static [Sign] {
        self.game.signs()
    }
}

impl Staged for Leaky {
    fn sound(&self, p: &Position) -> Result<(), String> {
        self.game.sound(p)
    }
    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        self.game.stage(sheet)
    }
    fn fact(&self, before: &Position, after: &Position, key: &str) -> Option<Fact> {
        self.game.fact(before, after, key)
    }
    fn facts(&self) -> &'static str {
        self.game.facts()
    }
}

/// What the examination finds first.
fn found(leak: Leak) -> Option<String> {
    let game = Arc::new(Leaky { game: ThirdCrusade::built_in(), leak });
    let examination = Examination { games: 40, seed: 7, twins: 2, every: 6, ..Examination::default() };
    examine(&game, &examination, &mut |_| {}).failures.first().map(ToString::to_string)
}

#[test]
fn without_a_leak_nothing_is_found() {
    let game = Arc::new(Leaky { game: ThirdCrusade::built_in(), leak: Leak::Nothing });
    let examination = Examination { games: 4, seed: 7, twins: 1, every: 10, ..Examination::default() };
    assert_eq!(examine(&game, &examination, &mut |_| {}).failures, []);
}

#[test]
fn an_id_that_follows_the_kind_is_found() {
    let what = found(Leak::IdByKind).unwrap();
    assert!(what.contains("order-"), "{what}");
}

#[test]
fn a_window_that_a_blank_shuts_is_found() {
    let what = found(Leak::WindowShutByBlank).unwrap();
    assert!(what.contains("forced"), "{what}");
}

#[test]
fn an_objective_shown_to_the_partner_is_found() {
    let what = found(Leak::ObjectiveShown).unwrap();
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
