//! Planted leaks: a secrecy test that cannot fail is worse than none. Planted slips of the pen, too.
//!
//! Every leak here is one that such programs have really had. Each must turn the examination red, and the
//! same game without a leak must not.
#![allow(clippy::unwrap_used)]

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use table::conformance::{Examination, Findings, examine};
use table::rooms::*;
use table::scene::Choice;
use table::sheet::{DataError, Node};
use table::small::phantom::Phantom;
use table::small::ten_towns::TenTowns;
use table::{
    Ballot, Explained, Fact, Lots, Notation, OrderOffer, Outcome, ReadError, Readers, Rule, Scene, Seat,
    SeatSet, Setup, SetupError, Title, Umpire, Viewer,
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
    /// A prompt is marked as a window only where its seat holds something.
    WindowTells,
    /// A standing order answers a window only where its giver holds something.
    AnswerTells,
    /// Who is waited for together hangs on a secret.
    CompanyTells,
    /// Imagined positions are not what the viewer could believe.
    ImaginesTheImpossible,
    /// The prompt is written as a move is.
    PromptInNotation,
    /// A button shows the notation.
    LabelInNotation,
    /// A hint names a thing by its id.
    IdInHint,
    /// The journal counts one as many.
    OneCountedAsMany,
    /// A line for observers only begins with a small letter.
    SmallLetterForObservers,
    /// The result begins with a small letter.
    SmallHeadline,
}

impl Leak {
    /// Whether it is a slip of the pen and tells no secret.
    const fn is_slip(self) -> bool {
        matches!(
            self,
            Self::PromptInNotation
                | Self::LabelInNotation
                | Self::IdInHint
                | Self::OneCountedAsMany
                | Self::SmallLetterForObservers
                | Self::SmallHeadline
        )
    }
}

/// A game with a leak.
struct Planted<G> {
    inner: G,
    leak: Leak,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct View<V, P> {
    inner: V,
    observed: bool,
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

impl<G: Game> Rules for Planted<G> {
    type Position = G::Position;
    type Action = G::Action;

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
        if self.leak == Leak::OneCountedAsMany {
            umpire.note(Readers::ALL, Rule::new("1"), format_args!("Red has 1 moves left"));
        }
    }

    fn outcome(&self, position: &G::Position) -> Option<Outcome> {
        let small = self.leak == Leak::SmallHeadline;
        self.inner.outcome(position).map(|o| if small { Outcome { headline: "over", ..o } } else { o })
    }

    fn reason(&self, position: &G::Position) -> String {
        self.inner.reason(position)
    }

    fn together(&self, position: &G::Position, seat: Seat) -> SeatSet {
        let tells = self.leak == Leak::CompanyTells && hidden(position, seat.other());
        if tells { seat.into() } else { self.inner.together(position, seat) }
    }

    fn window(&self, position: &G::Position, seat: Seat) -> bool {
        let tells = self.leak == Leak::WindowTells && hidden(position, seat.other());
        self.inner.window(position, seat) && !tells
    }

    fn with_amount(&self, action: G::Action, amount: u32) -> G::Action {
        self.inner.with_amount(action, amount)
    }

    fn amount(&self, action: G::Action) -> Option<u32> {
        self.inner.amount(action)
    }
}

impl<G: Game> Written for Planted<G> {
    fn write(&self, action: G::Action) -> Notation {
        self.inner.write(action)
    }

    fn read(&self, text: &str) -> Result<G::Action, ReadError> {
        self.inner.read(text)
    }
}

impl<G: Game> Secrets for Planted<G> {
    type View = View<G::View, G::Position>;

    fn view(&self, position: &G::Position, viewer: Viewer) -> Self::View {
        View {
            inner: self.inner.view(position, viewer),
            observed: viewer == Viewer::Observer,
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
}

impl<G: Game> Shown for Planted<G> {
    fn scene(&self, view: &Self::View) -> Scene {
        let mut scene = self.inner.scene(&view.inner);
        if let Some(prompt) = &mut scene.prompt {
            match self.leak {
                Leak::PromptInNotation => prompt.text = "Red moves Acre > Tyre".into(),
                Leak::SmallLetterForObservers if view.observed => prompt.text = "somebody thinks".into(),
                _ => {}
            }
        }
        scene
    }

    fn choice(&self, view: &Self::View, action: G::Action) -> Choice {
        let choice = self.inner.choice(&view.inner, action);
        match self.leak {
            Leak::LabelInNotation => Choice::button(self.inner.write(action).to_string()),
            Leak::IdInHint => choice.hint("needs card.assassins"),
            _ => choice,
        }
    }
}

impl<G: Game> Ordered for Planted<G> {
    type Order = G::Order;

    fn obey(&self, view: &Self::View, orders: &[G::Order]) -> Option<G::Action> {
        let view = &view.inner;
        let holds = serde_json::to_value(view).unwrap()["own_token"] == "Ambush";
        let tells = self.leak == Leak::AnswerTells && !holds;
        self.inner.obey(view, orders).filter(|_| !tells)
    }

    fn orders(&self, view: &Self::View) -> Vec<OrderOffer<G::Order>> {
        self.inner.orders(&view.inner)
    }

    fn write_order(&self, order: &G::Order) -> Notation {
        self.inner.write_order(order)
    }
}

impl<G: Game> Minded for Planted<G> {
    fn appraise(&self, position: &G::Position, seat: Seat) -> f32 {
        self.inner.appraise(position, seat)
    }
}

impl<G: Game> Staged for Planted<G> {
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
    let wording = leak.is_slip() || leak == Leak::None;
    let examination = Examination { games: 25, wording, ..Examination::default() };
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
fn a_window_that_opens_for_secret_reasons() {
    turns_red(TenTowns::built_in(), Leak::WindowTells, "is asked in a window hangs on");
}

#[test]
fn an_order_that_answers_by_what_its_giver_holds() {
    turns_red(TenTowns::built_in(), Leak::AnswerTells, "answers a window by what");
}

#[test]
fn a_company_made_by_secrets() {
    turns_red(TenTowns::built_in(), Leak::CompanyTells, "who chooses together with");
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

#[test]
fn a_prompt_in_notation() {
    turns_red(TenTowns::built_in(), Leak::PromptInNotation, "the prompt “Red moves Acre > Tyre”");
}

#[test]
fn a_button_that_shows_notation() {
    turns_red(TenTowns::built_in(), Leak::LabelInNotation, "it is the bare notation");
    turns_red(Phantom::new(), Leak::LabelInNotation, "it is the bare notation");
}

#[test]
fn a_hint_that_names_an_id() {
    turns_red(TenTowns::built_in(), Leak::IdInHint, "`card.assassins` is an id");
}

#[test]
fn a_line_that_counts_one_as_many() {
    turns_red(TenTowns::built_in(), Leak::OneCountedAsMany, "`1 moves` counts one as many");
}

#[test]
fn a_small_letter_that_only_observers_see() {
    turns_red(
        Phantom::new(),
        Leak::SmallLetterForObservers,
        "“somebody thinks”: it begins with a small letter",
    );
}

#[test]
fn a_result_with_a_small_letter() {
    turns_red(TenTowns::built_in(), Leak::SmallHeadline, "the headline “over”");
}
