//! Planted leaks: a secrecy test that cannot fail is worse than none.
//!
//! Every leak here is one that such programs have really had. Each must turn the examination red, and the
//! same game without a leak must not.
#![allow(clippy::unwrap_used)]

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use table::conformance::{Examination, Findings, examine};
use table::sheet::{DataError, Node};
use table::small::phantom::Phantom;
use table::small::ten_towns::TenTowns;
use table::{
    Ballot, Explained, Fact, Game, Lots, Notation, Outcome, ReadError, Readers, Rule, Scene, Seat, SeatSet,
    Setup, SetupError, Title, Umpire, Viewer,
};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Leak {
    None,
    /// The view carries a number made from the whole position, as a careless id would.
    ViewHasAnId,
    /// The view carries everything, and imagining just copies it.
    ViewHasAll,
    /// A line about a secret draw is told to all.
    DrawInJournal,
    /// The journal tells all what only the player may know.
    MoveInJournal,
    /// `seen` calls two actions the same that are not.
    SeenTooLittle,
    /// A refusal gives a reason that the seat may not know.
    RefusalTells,
    /// Options come in an order that tells something.
    OrderTells,
    /// A choice is made for the player because of what only he knows.
    ForcedTells,
    /// What a player learns is not marked as revealed, so that he could undo and try again.
    UndoTells,
    /// Imagined positions are not what the viewer could believe.
    ImaginesTheImpossible,
}

/// A game with a leak.
struct Planted<G> {
    inner: G,
    leak: Leak,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct View<V, P> {
    inner: V,
    id: Option<String>,
    all: Option<P>,
}

/// The umpire behind a leak: he forgets to reveal, or tells all what is meant for some.
struct Careless<'a, U: ?Sized> {
    inner: &'a mut U,
    forgets_reveals: bool,
    tells_all: bool,
}

impl<U: Umpire + ?Sized> Umpire for Careless<'_, U> {
    fn roll(&mut self, sides: u8) -> u8 {
        self.inner.roll(sides)
    }
    fn draw(&mut self, to: Readers, n: u16, name: &dyn Fn(u16) -> String) -> u16 {
        self.inner.draw(to, n, name)
    }
    fn reveal(&mut self, to: Readers) {
        if !self.forgets_reveals {
            self.inner.reveal(to);
        }
    }
    fn writes(&self) -> bool {
        self.inner.writes()
    }
    fn note(&mut self, readers: Readers, rule: Rule, text: fmt::Arguments<'_>) {
        self.inner.note(if self.tells_all { Readers::ALL } else { readers }, rule, text);
    }
    fn heading(&mut self, text: fmt::Arguments<'_>) {
        self.inner.heading(text);
    }
    fn cite(&mut self, rule: Rule) {
        self.inner.cite(rule);
    }
}

/// Something that hangs on what the other seat hides.
fn hidden<P: Serialize>(position: &P, seat: Seat) -> bool {
    let json = serde_json::to_value(position).unwrap();
    json["tokens"][seat.other().index()] == "Ambush"
}

impl<G: Game> Game for Planted<G> {
    type Position = G::Position;
    type Action = G::Action;
    type View = View<G::View, G::Position>;
    type Order = G::Order;

    fn title(&self) -> &Title {
        self.inner.title()
    }
    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<G::Position, SetupError> {
        let tells_all = self.leak == Leak::DrawInJournal;
        self.inner.setup(setup, &mut Careless { inner: umpire, forgets_reveals: false, tells_all })
    }
    fn deciding(&self, position: &G::Position) -> SeatSet {
        self.inner.deciding(position)
    }
    fn options(&self, position: &G::Position, seat: Seat, ballot: &mut (impl Ballot<G::Action> + ?Sized)) {
        let mut list = Explained::default();
        self.inner.options(position, seat, &mut list);
        if self.leak == Leak::OrderTells && hidden(position, seat) {
            list.offers.reverse();
        }
        let only = list.offers.len() == 1;
        for offer in &list.offers {
            match offer.range {
                Some((least, most)) => ballot.allow_range(offer.action, least, most),
                None if offer.forced || (only && self.leak == Leak::ForcedTells) => {
                    ballot.force(offer.action)
                }
                None => ballot.allow(offer.action),
            }
        }
        for refusal in &list.refusals {
            if self.leak == Leak::RefusalTells && hidden(position, seat) {
                ballot.refuse(refusal.action, refusal.rule, format_args!("{}, and beware", refusal.why));
            } else {
                ballot.refuse(refusal.action, refusal.rule, format_args!("{}", refusal.why));
            }
        }
    }
    fn apply(
        &self,
        position: &mut G::Position,
        seat: Seat,
        action: G::Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let mut careless = Careless {
            inner: umpire,
            forgets_reveals: self.leak == Leak::UndoTells,
            tells_all: self.leak == Leak::MoveInJournal,
        };
        self.inner.apply(position, seat, action, &mut careless);
    }
    fn outcome(&self, position: &G::Position) -> Option<Outcome> {
        self.inner.outcome(position)
    }
    fn view(&self, position: &G::Position, viewer: Viewer) -> Self::View {
        View {
            inner: self.inner.view(position, viewer),
            id: (self.leak == Leak::ViewHasAnId).then(|| {
                let sum = serde_json::to_string(position).unwrap().bytes().map(u32::from).sum::<u32>();
                format!("table-{}", sum % 97)
            }),
            all: (self.leak == Leak::ViewHasAll).then(|| position.clone()),
        }
    }
    fn seen(
        &self,
        position: &G::Position,
        seat: Seat,
        action: G::Action,
        viewer: Viewer,
    ) -> Option<Notation> {
        match self.inner.seen(position, seat, action, viewer) {
            Some(_) if self.leak == Leak::SeenTooLittle => Some(Notation::new("something")),
            seen => seen,
        }
    }
    fn scene(&self, view: &Self::View) -> Scene {
        self.inner.scene(&view.inner)
    }
    fn imagine(&self, view: &Self::View, lots: &mut Lots) -> G::Position {
        if let Some(all) = &view.all {
            return all.clone();
        }
        let imagined = self.inner.imagine(&view.inner, lots);
        if self.leak == Leak::ImaginesTheImpossible {
            let mut json = serde_json::to_value(&imagined).unwrap();
            json["gold"][0] = 77.into();
            return serde_json::from_value(json).unwrap();
        }
        imagined
    }
    fn appraise(&self, position: &G::Position, seat: Seat) -> f32 {
        self.inner.appraise(position, seat)
    }
    fn with_amount(&self, action: G::Action, amount: u32) -> G::Action {
        self.inner.with_amount(action, amount)
    }
    fn amount(&self, action: G::Action) -> Option<u32> {
        self.inner.amount(action)
    }
    fn write(&self, action: G::Action) -> Notation {
        self.inner.write(action)
    }
    fn read(&self, text: &str) -> Result<G::Action, ReadError> {
        self.inner.read(text)
    }
    fn sound(&self, position: &G::Position) -> Result<(), String> {
        self.inner.sound(position)
    }
    fn stage(&self, sheet: &Node) -> Result<G::Position, DataError> {
        self.inner.stage(sheet)
    }
    fn fact(&self, before: &G::Position, after: &G::Position, key: &str) -> Option<Fact> {
        self.inner.fact(before, after, key)
    }
    fn facts(&self) -> &'static str {
        self.inner.facts()
    }
}

fn findings<G: Game>(inner: G, leak: Leak) -> Findings {
    let examination = Examination { games: 25, ..Examination::default() };
    examine(&Arc::new(Planted { inner, leak }), &examination, &mut |_| {})
}

#[track_caller]
fn turns_red<G: Game>(inner: G, leak: Leak, because: &str) {
    let findings = findings(inner, leak);
    let failure = findings.failures.first().unwrap_or_else(|| panic!("{leak:?} was not noticed"));
    assert!(failure.what.contains(because), "{leak:?} was noticed, but as: {}", failure.what);
}

#[test]
fn without_a_leak_all_is_well() {
    assert_eq!(findings(TenTowns::built_in(), Leak::None).failures, []);
    assert_eq!(findings(Phantom::new(), Leak::None).failures, []);
}

#[test]
fn an_id_made_from_the_truth() {
    turns_red(TenTowns::built_in(), Leak::ViewHasAnId, "can tell");
    turns_red(Phantom::new(), Leak::ViewHasAnId, "leave different traces");
}

#[test]
fn a_view_that_holds_everything() {
    turns_red(TenTowns::built_in(), Leak::ViewHasAll, "leave different traces");
    turns_red(Phantom::new(), Leak::ViewHasAll, "leave different traces");
}

#[test]
fn a_secret_draw_told_to_all() {
    turns_red(TenTowns::built_in(), Leak::DrawInJournal, "drawn for others at set-up: the journal says");
}

#[test]
fn a_hidden_move_told_to_all() {
    turns_red(TenTowns::built_in(), Leak::MoveInJournal, "look alike");
    turns_red(Phantom::new(), Leak::MoveInJournal, "look alike");
}

#[test]
fn actions_called_alike_that_are_not() {
    turns_red(TenTowns::built_in(), Leak::SeenTooLittle, "look alike");
}

#[test]
fn a_refusal_that_knows_too_much() {
    turns_red(TenTowns::built_in(), Leak::RefusalTells, "options or refusals of");
}

#[test]
fn an_order_that_tells() {
    turns_red(TenTowns::built_in(), Leak::OrderTells, "options or refusals of");
}

#[test]
fn a_choice_made_for_secret_reasons() {
    turns_red(TenTowns::built_in(), Leak::ForcedTells, "is forced hangs on");
}

#[test]
fn a_reveal_that_undo_could_exploit() {
    turns_red(Phantom::new(), Leak::UndoTells, "undo would cheat");
    turns_red(TenTowns::built_in(), Leak::UndoTells, "undo would cheat");
}

#[test]
fn imagined_positions_that_nobody_would_believe() {
    turns_red(TenTowns::built_in(), Leak::ImaginesTheImpossible, "can tell an imagined position");
}
