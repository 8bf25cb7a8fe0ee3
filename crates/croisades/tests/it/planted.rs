//! Leaks of a campaign that are planted, each of which must turn the examination red: a purse, the men of a group, a
//! letter, the orders of a ship.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use croisades::campaign::Campaign;
use croisades::campaign::action::Action;
use croisades::campaign::view::View;
use croisades::realm::Realm;
use croisades::skirmish::StandingOrder;
use table::conformance::{Examination, examine};
use table::rooms::*;
use table::scene::{Choice, Scene};
use table::sheet::{DataError, Node};
use table::{
    Ballot, Fact, Lots, Notation, OrderOffer, OrderState, Outcome, Reach, ReadError, Seat, SeatSet, Setup,
    SetupError, Title, Umpire, Viewer,
};

/// What leaks.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Leak {
    Nothing,
    Purses,
    Groups,
    Letters,
    Orders,
}

struct Leaky {
    game: Campaign,
    title: Title,
    leak: Leak,
}

/// A view that may hold more than it should.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
struct LeakyView {
    view: View,
    more: String,
}

impl Rules for Leaky {
    type Position = Realm;
    type Action = Action;
    fn title(&self) -> &Title {
        &self.title
    }
    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Realm, SetupError> {
        self.game.setup(setup, umpire)
    }
    fn deciding(&self, p: &Realm) -> SeatSet {
        self.game.deciding(p)
    }
    fn options(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        self.game.options(p, seat, ballot);
    }
    fn apply(&self, p: &mut Realm, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        self.game.apply(p, seat, action, umpire);
    }
    fn outcome(&self, p: &Realm) -> Option<Outcome> {
        self.game.outcome(p)
    }
    fn reason(&self, p: &Realm) -> String {
        self.game.reason(p)
    }
    fn together(&self, p: &Realm, seat: Seat) -> SeatSet {
        self.game.together(p, seat)
    }
    fn still_in(&self, p: &Realm, party: SeatSet) -> SeatSet {
        self.game.still_in(p, party)
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
    fn view(&self, p: &Realm, viewer: Viewer) -> LeakyView {
        let more = match self.leak {
            Leak::Nothing => String::new(),
            Leak::Purses => format!("{:?}", p.hidden.traits.iter().map(|t| t.purse).collect::<Vec<_>>()),
            Leak::Groups => {
                let men = p.open.all_groups().map(|(id, _)| p.men_in(id).count());
                format!("{:?}", men.collect::<Vec<_>>())
            }
            Leak::Letters => format!("{} letters", p.hidden.letters.len()),
            Leak::Orders => format!("{:?}", p.hidden.sailing),
        };
        LeakyView { view: self.game.view(p, viewer), more }
    }
    fn seen(&self, p: &Realm, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        self.game.seen(p, seat, action, viewer)
    }
    fn imagine(&self, view: &LeakyView, lots: &mut Lots) -> Realm {
        self.game.imagine(&view.view, lots)
    }
}

impl Shown for Leaky {
    fn scene(&self, view: &LeakyView) -> Scene {
        self.game.scene(&view.view)
    }
    fn choice(&self, view: &LeakyView, action: Action) -> Choice {
        self.game.choice(&view.view, action)
    }
    fn reach(&self, view: &LeakyView, picked: &[&str]) -> Vec<Reach> {
        self.game.reach(&view.view, picked)
    }
}

impl Ordered for Leaky {
    type Order = StandingOrder;
    fn obey(&self, view: &LeakyView, orders: &[StandingOrder]) -> Option<Action> {
        self.game.obey(&view.view, orders)
    }
    fn orders(&self, view: &LeakyView) -> Vec<OrderOffer<StandingOrder>> {
        self.game.orders(&view.view)
    }
    fn stands(&self, view: &LeakyView, order: &StandingOrder) -> OrderState {
        self.game.stands(&view.view, order)
    }
    fn write_order(&self, order: &StandingOrder) -> Notation {
        self.game.write_order(order)
    }
    fn read_order(&self, text: &str) -> Result<StandingOrder, ReadError> {
        self.game.read_order(text)
    }
}

impl Minded for Leaky {
    fn appraise(&self, p: &Realm, seat: Seat) -> f32 {
        self.game.appraise(p, seat)
    }
}

impl Staged for Leaky {
    fn sound(&self, p: &Realm) -> Result<(), String> {
        self.game.sound(p)
    }
    fn stage(&self, sheet: &Node) -> Result<Realm, DataError> {
        self.game.stage(sheet)
    }
    fn fact(&self, before: &Realm, after: &Realm, key: &str) -> Option<Fact> {
        self.game.fact(before, after, key)
    }
    fn facts(&self) -> &'static str {
        self.game.facts()
    }
}

/// What the examination finds first, in games some of which begin at a vignette whose name has this word.
fn found(leak: Leak, vignettes: &str) -> Option<String> {
    let game = Campaign::built_in();
    let mut title = game.title().clone();
    title.vignettes.retain(|(file, _)| file.contains(vignettes));
    let game = Arc::new(Leaky { game, title, leak });
    let examination =
        Examination { games: 16, seed: 3, twins: 2, every: 3, actions: Some(60), ..Examination::default() };
    examine(&game, &examination, &mut |_| {}).failures.first().map(ToString::to_string)
}

#[test]
fn without_a_leak_of_a_campaign_nothing_is_found() {
    assert_eq!(found(Leak::Nothing, "orders-at-sea"), None);
}

#[test]
fn a_purse_that_is_shown_is_found() {
    let what = found(Leak::Purses, "market").unwrap();
    assert!(what.contains("can tell") || what.contains("traces"), "{what}");
}

#[test]
fn the_number_of_men_in_a_group_is_found() {
    let what = found(Leak::Groups, "recruitment").unwrap();
    assert!(what.contains("can tell") || what.contains("traces"), "{what}");
}

#[test]
fn a_letter_that_is_counted_is_found() {
    let what = found(Leak::Letters, "letters").unwrap();
    assert!(what.contains("letters"), "{what}");
}

#[test]
fn the_orders_of_a_ship_are_found() {
    let what = found(Leak::Orders, "orders-at-sea").unwrap();
    assert!(what.contains("Sailing"), "{what}");
}
