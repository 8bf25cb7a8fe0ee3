//! A game with a leak planted in it: how the tests of a game prove that the examination would find one.
//!
//! [`Planted`] plays a game as it is, except for what its [`Leak`] gives away. A test plants what a careless hand could
//! have done (a purse in a view, a secret in the open part of a position, a window that shuts by itself) and looks
//! whether [`examine`](super::examine) turns red; planted with [`Tight`], it must stay green.

use serde::Serialize;

use crate::ballot::{Ballot, Options};
use crate::dice::Lots;
use crate::error::ReadError;
use crate::game::{
    Fact, Game, Minded, Notation, OrderOffer, OrderState, Ordered, Outcome, Rules, Secrets, Shown, Staged,
    Written,
};
use crate::habits::Figure;
use crate::scene::{Choice, Reach, Scene};
use crate::seat::{Seat, SeatSet, Viewer};
use crate::sheet::{DataError, Node};
use crate::title::{Setup, SetupError, Title};
use crate::umpire::Umpire;
use crate::weights::Sign;

/// What a game gives away. Each answer is innocent unless the leak says otherwise.
pub trait Leak<G: Game>: Send + Sync + 'static {
    /// What slips into the position after every action.
    fn slip(&self, game: &G, position: &mut G::Position) {
        let _ = (game, position);
    }

    /// What a viewer overhears beside his view.
    fn tell(&self, game: &G, position: &G::Position, viewer: Viewer) -> String {
        let _ = (game, position, viewer);
        String::new()
    }

    /// What a seat is forced to do in the place of its options.
    fn force(&self, game: &G, position: &G::Position, seat: Seat) -> Option<G::Action> {
        let _ = (game, position, seat);
        None
    }
}

/// No leak at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tight;

impl<G: Game> Leak<G> for Tight {}

/// A game with a leak.
pub struct Planted<G, L> {
    game: G,
    title: Title,
    leak: L,
}

impl<G: Game, L: Leak<G>> Planted<G, L> {
    /// This game with this leak.
    pub fn new(game: G, leak: L) -> Self {
        Self { title: game.title().clone(), game, leak }
    }

    /// The same, where games begin only at vignettes whose file has this word in its name, or at the start.
    #[must_use]
    pub fn at(mut self, vignettes: &str) -> Self {
        self.title.vignettes.retain(|(file, _)| file.contains(vignettes));
        self
    }
}

/// A view, and what was overheard beside it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Overheard<V> {
    view: V,
    told: String,
}

impl<G: Game, L: Leak<G>> Rules for Planted<G, L> {
    type Position = G::Position;
    type Action = G::Action;

    fn title(&self) -> &Title {
        &self.title
    }
    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<G::Position, SetupError> {
        self.game.setup(setup, umpire)
    }
    fn deciding(&self, p: &G::Position) -> SeatSet {
        self.game.deciding(p)
    }
    fn options(&self, p: &G::Position, seat: Seat, ballot: &mut (impl Ballot<G::Action> + ?Sized)) {
        match self.leak.force(&self.game, p, seat) {
            Some(action) => ballot.force(action),
            None => self.game.options(p, seat, ballot),
        }
    }
    fn apply(&self, p: &mut G::Position, seat: Seat, action: G::Action, umpire: &mut (impl Umpire + ?Sized)) {
        self.game.apply(p, seat, action, umpire);
        self.leak.slip(&self.game, p);
    }
    fn outcome(&self, p: &G::Position) -> Option<Outcome> {
        self.game.outcome(p)
    }
    fn reason(&self, p: &G::Position) -> String {
        self.game.reason(p)
    }
    fn together(&self, p: &G::Position, seat: Seat) -> SeatSet {
        self.game.together(p, seat)
    }
    fn window(&self, p: &G::Position, seat: Seat) -> bool {
        self.game.window(p, seat)
    }
    fn still_in(&self, p: &G::Position, party: SeatSet) -> SeatSet {
        self.game.still_in(p, party)
    }
    fn lets_join(&self) -> bool {
        self.game.lets_join()
    }
    fn latecomers(&self, p: &G::Position) -> SeatSet {
        self.game.latecomers(p)
    }
    fn arrive(&self, p: &mut G::Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        self.game.arrive(p, seat, umpire);
    }
    fn with_amount(&self, action: G::Action, amount: u32) -> G::Action {
        self.game.with_amount(action, amount)
    }
    fn amount(&self, action: G::Action) -> Option<u32> {
        self.game.amount(action)
    }
}

impl<G: Game, L: Leak<G>> Written for Planted<G, L> {
    fn write(&self, action: G::Action) -> Notation {
        self.game.write(action)
    }
    fn read(&self, text: &str) -> Result<G::Action, ReadError> {
        self.game.read(text)
    }
}

impl<G: Game, L: Leak<G>> Secrets for Planted<G, L> {
    type View = Overheard<G::View>;

    fn view(&self, p: &G::Position, viewer: Viewer) -> Self::View {
        Overheard { view: self.game.view(p, viewer), told: self.leak.tell(&self.game, p, viewer) }
    }
    fn seen(&self, p: &G::Position, seat: Seat, action: G::Action, viewer: Viewer) -> Option<Notation> {
        self.game.seen(p, seat, action, viewer)
    }
    fn imagine(&self, view: &Self::View, lots: &mut Lots) -> G::Position {
        self.game.imagine(&view.view, lots)
    }
}

impl<G: Game, L: Leak<G>> Shown for Planted<G, L> {
    fn scene(&self, view: &Self::View) -> Scene {
        self.game.scene(&view.view)
    }
    fn choice(&self, view: &Self::View, action: G::Action) -> Choice {
        self.game.choice(&view.view, action)
    }
    fn reach(&self, view: &Self::View, picked: &[&str]) -> Vec<Reach> {
        self.game.reach(&view.view, picked)
    }
    fn route(&self, view: &Self::View, picked: &[&str], to: &str) -> Vec<G::Action> {
        self.game.route(&view.view, picked, to)
    }
}

impl<G: Game, L: Leak<G>> Ordered for Planted<G, L> {
    type Order = G::Order;

    fn obey(&self, view: &Self::View, orders: &[G::Order]) -> Option<G::Action> {
        self.game.obey(&view.view, orders)
    }
    fn orders(&self, view: &Self::View) -> Vec<OrderOffer<G::Order>> {
        self.game.orders(&view.view)
    }
    fn stands(&self, view: &Self::View, order: &G::Order) -> OrderState {
        self.game.stands(&view.view, order)
    }
    fn show_orders(&self, view: &Self::View, orders: &[G::Order], scene: &mut Scene) {
        self.game.show_orders(&view.view, orders, scene);
    }
    fn write_order(&self, order: &G::Order) -> Notation {
        self.game.write_order(order)
    }
    fn read_order(&self, text: &str) -> Result<G::Order, ReadError> {
        self.game.read_order(text)
    }
}

impl<G: Game, L: Leak<G>> Minded for Planted<G, L> {
    fn appraise(&self, p: &G::Position, seat: Seat) -> f32 {
        self.game.appraise(p, seat)
    }
    fn considered(&self, p: &G::Position, seat: Seat, action: G::Action) -> bool {
        self.game.considered(p, seat, action)
    }
    fn habit(
        &self,
        p: &G::Position,
        seat: Seat,
        room: &mut Options<G::Action>,
        lots: &mut Lots,
    ) -> Option<G::Action> {
        self.game.habit(p, seat, room, lots)
    }
    fn routine(&self, p: &G::Position, seat: Seat) -> bool {
        self.game.routine(p, seat)
    }
    fn signs(&self) -> &'static [Sign] {
        self.game.signs()
    }
    fn figures(&self) -> Vec<(Figure, f32)> {
        self.game.figures()
    }
    fn measure(&self, p: &G::Position, seat: Seat) -> Vec<f32> {
        self.game.measure(p, seat)
    }
}

impl<G: Game, L: Leak<G>> Staged for Planted<G, L> {
    fn sound(&self, p: &G::Position) -> Result<(), String> {
        self.game.sound(p)
    }
    fn stage(&self, sheet: &Node) -> Result<G::Position, DataError> {
        self.game.stage(sheet)
    }
    fn fact(&self, before: &G::Position, after: &G::Position, key: &str) -> Option<Fact> {
        self.game.fact(before, after, key)
    }
    fn facts(&self) -> &'static str {
        self.game.facts()
    }
}
