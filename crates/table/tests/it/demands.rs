//! What the five wargames will demand of the core, each as a stub that runs and passes the examination:
//! an interrupt window, orders that a partner sees and the enemy does not, battles side by side, and an
//! opponent played by the system with concealed counters.
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use table::conformance::{Examination, examine};
use table::rooms::*;
use table::scene::Prompt;
use table::sheet::{DataError, Node};
use table::{
    Acted, Agenda, Ballot, Fact, Ledger, Lots, Match, NoOrder, Nonces, Notation, Outcome, ReadError, Readers,
    Scenario, Scene, Seat, SeatSet, SeatTitle, Seed, Setup, SetupError, Title, Umpire, Viewer, rule,
};

/// The part of a game that matters here.
trait Demand: Send + Sync + 'static {
    type P: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;
    type A: Copy + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync;
    type V: Clone + PartialEq + Debug + Serialize + Send + Sync;
    /// The alliance of each seat.
    const ALLIANCES: &'static [u8];
    const ACTIONS: &'static [Self::A];
    fn start(&self, umpire: &mut (impl Umpire + ?Sized)) -> Self::P;
    fn deciding(&self, p: &Self::P) -> SeatSet;
    fn options(&self, p: &Self::P, seat: Seat, ballot: &mut (impl Ballot<Self::A> + ?Sized));
    fn apply(&self, p: &mut Self::P, seat: Seat, action: Self::A, umpire: &mut (impl Umpire + ?Sized));
    fn winners(&self, p: &Self::P) -> SeatSet;
    fn look(&self, p: &Self::P, viewer: Viewer) -> Self::V;
    fn dream(&self, v: &Self::V, lots: &mut Lots) -> Self::P;
    /// Whether a viewer sees what a seat does.
    fn sees(&self, p: &Self::P, seat: Seat, action: Self::A, viewer: Viewer) -> bool;
}

struct Stub<D> {
    demand: D,
    title: Title,
}

fn stub<D: Demand>(demand: D) -> Arc<Stub<D>> {
    let seat = |(i, alliance): (usize, &u8)| SeatTitle { name: format!("Seat{i}"), alliance: *alliance };
    let ledger = "[[rule]]\nnumber = \"1\"\ntitle = \"The stub\"\ngist = \"Whatever it shows.\"\n";
    let title = Title {
        id: "stub",
        name: "Stub".into(),
        pitch: String::new(),
        seats: D::ALLIANCES.iter().enumerate().map(seat).collect(),
        scenarios: vec![Scenario {
            id: "only".into(),
            name: "Only".into(),
            gist: String::new(),
            minutes: 1,
            parties: vec![SeatSet::first(D::ALLIANCES.len())],
        }],
        options: Vec::new(),
        version: "1",
        data_hash: "none".into(),
        longest: 400,
        ledger: Ledger::read("rules.toml", ledger).unwrap(),
        rule_numbers: Vec::new(),
        vignettes: Vec::new(),
    };
    Arc::new(Stub { demand, title })
}

impl<D: Demand> Rules for Stub<D> {
    type Position = D::P;
    type Action = D::A;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, _: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<D::P, SetupError> {
        Ok(self.demand.start(umpire))
    }

    fn deciding(&self, p: &D::P) -> SeatSet {
        self.demand.deciding(p)
    }

    fn options(&self, p: &D::P, seat: Seat, ballot: &mut (impl Ballot<D::A> + ?Sized)) {
        self.demand.options(p, seat, ballot);
    }

    fn apply(&self, p: &mut D::P, seat: Seat, action: D::A, umpire: &mut (impl Umpire + ?Sized)) {
        self.demand.apply(p, seat, action, umpire);
    }

    fn outcome(&self, p: &D::P) -> Option<Outcome> {
        self.demand.deciding(p).is_empty().then(|| Outcome {
            winners: self.demand.winners(p),
            first: None,
            headline: "over",
            rule: rule!("1"),
            scores: [0; 8],
        })
    }
}

impl<D: Demand> Written for Stub<D> {
    fn write(&self, action: D::A) -> Notation {
        Notation::new(format!("{action:?}"))
    }

    fn read(&self, text: &str) -> Result<D::A, ReadError> {
        let found = D::ACTIONS.iter().find(|a| format!("{a:?}") == text);
        found.copied().ok_or_else(|| ReadError::new(text, "an action of the stub"))
    }
}

impl<D: Demand> Secrets for Stub<D> {
    type View = (SeatSet, D::V);

    fn view(&self, p: &D::P, viewer: Viewer) -> Self::View {
        (self.demand.deciding(p), self.demand.look(p, viewer))
    }

    fn seen(&self, p: &D::P, seat: Seat, action: D::A, viewer: Viewer) -> Option<Notation> {
        (viewer.shares(seat) || self.demand.sees(p, seat, action, viewer)).then(|| self.write(action))
    }

    fn imagine(&self, (_, v): &Self::View, lots: &mut Lots) -> D::P {
        self.demand.dream(v, lots)
    }
}

impl<D: Demand> Shown for Stub<D> {
    fn scene(&self, (seats, _): &Self::View) -> Scene {
        let prompt = Prompt::new(*seats, "something", rule!("1"));
        Scene { prompt: (!seats.is_empty()).then_some(prompt), ..Scene::default() }
    }
}

impl<D: Demand> Ordered for Stub<D> {
    type Order = NoOrder;
}

impl<D: Demand> Minded for Stub<D> {
    fn appraise(&self, _: &D::P, _: Seat) -> f32 {
        0.5
    }
}

impl<D: Demand> Staged for Stub<D> {
    fn sound(&self, _: &D::P) -> Result<(), String> {
        Ok(())
    }

    fn stage(&self, sheet: &Node) -> Result<D::P, DataError> {
        Err(sheet.wrong("stubs have no vignettes"))
    }

    fn fact(&self, _: &D::P, _: &D::P, _: &str) -> Option<Fact> {
        None
    }

    fn facts(&self) -> &'static str {
        "none"
    }
}

#[track_caller]
fn passes<D: Demand>(demand: D) {
    let findings = examine(&stub(demand), &Examination { games: 60, ..Examination::default() }, &mut |_| {});
    assert_eq!(findings.failures, [], "{:#?}", findings.failures.first().map(|f| f.what.clone()));
}

fn sit<D: Demand>(demand: D) -> Match<Stub<D>> {
    let game = stub(demand);
    let setup = game.title().usual_set_up();
    Match::open(game, setup, Seed::numbered(1), Nonces::default()).unwrap()
}

const ONE: Seat = Seat::new(0);
const TWO: Seat = Seat::new(1);

/// An interrupt: at every step of a march the other side may spring a trap, if it holds one. It is asked as
/// long as it holds cards, whatever they are, and the battle that follows is a step inside the march.
struct Interrupt;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct MarchPosition {
    /// Which of the other side's three cards are traps, and which are played.
    traps: [bool; 3],
    played: u8,
    distance: u8,
    losses: u8,
    agenda: Agenda<MarchStep, 3>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
enum MarchStep {
    March,
    Window,
    Battle { rounds: u8 },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum MarchAction {
    Step,
    Pass,
    Trap,
    Bluff,
    Fight,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct MarchView {
    traps: Option<[bool; 3]>,
    played: u8,
    distance: u8,
    losses: u8,
    steps: Vec<MarchStep>,
}

impl Demand for Interrupt {
    type P = MarchPosition;
    type A = MarchAction;
    type V = MarchView;
    const ALLIANCES: &'static [u8] = &[0, 1];
    const ACTIONS: &'static [MarchAction] =
        &[MarchAction::Step, MarchAction::Pass, MarchAction::Trap, MarchAction::Bluff, MarchAction::Fight];

    fn start(&self, umpire: &mut (impl Umpire + ?Sized)) -> MarchPosition {
        let traps = [(); 3].map(|()| {
            let name = |i: u16| ["trap", "blank"][usize::from(i)].to_string();
            umpire.draw(Readers::only(TWO.into()), 2, &name) == 0
        });
        MarchPosition { traps, played: 0, distance: 0, losses: 0, agenda: Agenda::starting(MarchStep::March) }
    }
    fn deciding(&self, p: &MarchPosition) -> SeatSet {
        match p.agenda.now() {
            None => SeatSet::NONE,
            Some(MarchStep::Window) => TWO.into(),
            Some(MarchStep::March | MarchStep::Battle { .. }) => ONE.into(),
        }
    }
    fn options(&self, p: &MarchPosition, _: Seat, ballot: &mut (impl Ballot<MarchAction> + ?Sized)) {
        match p.agenda.now() {
            None => {}
            Some(MarchStep::March) => ballot.allow(MarchAction::Step),
            Some(MarchStep::Battle { .. }) => ballot.allow(MarchAction::Fight),
            Some(MarchStep::Window) => {
                ballot.allow(MarchAction::Pass);
                if p.traps[usize::from(p.played)] {
                    ballot.allow(MarchAction::Trap);
                } else {
                    ballot.allow(MarchAction::Bluff);
                    ballot.refuse(MarchAction::Trap, rule!("1"), format_args!("your next card is a blank"));
                }
            }
        }
    }
    fn apply(
        &self,
        p: &mut MarchPosition,
        _: Seat,
        action: MarchAction,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            MarchAction::Step => {
                p.distance += 1;
                // By what all know: cards are left, so the window opens.
                if p.played < 3 {
                    p.agenda.push(MarchStep::Window);
                }
            }
            MarchAction::Pass => drop(p.agenda.pop()),
            MarchAction::Bluff | MarchAction::Trap => {
                umpire.reveal(Readers::ALL);
                p.agenda.pop();
                p.played += 1;
                if action == MarchAction::Trap {
                    p.agenda.push(MarchStep::Battle { rounds: 2 });
                }
            }
            MarchAction::Fight => {
                p.losses += u8::from(umpire.roll(6) <= 3);
                if let Some(MarchStep::Battle { rounds: 2 }) = p.agenda.pop() {
                    p.agenda.push(MarchStep::Battle { rounds: 1 });
                }
            }
        }
        if matches!(p.agenda.now(), Some(MarchStep::March)) && (p.distance == 6 || p.losses >= 3) {
            p.agenda.pop();
            umpire.reveal(Readers::ALL);
        }
    }
    fn winners(&self, p: &MarchPosition) -> SeatSet {
        if p.losses >= 3 { TWO.into() } else { ONE.into() }
    }
    fn look(&self, p: &MarchPosition, viewer: Viewer) -> MarchView {
        MarchView {
            traps: (viewer.shares(TWO) || p.agenda.is_empty()).then_some(p.traps),
            played: p.played,
            distance: p.distance,
            losses: p.losses,
            steps: p.agenda.steps().to_vec(),
        }
    }
    fn dream(&self, v: &MarchView, lots: &mut Lots) -> MarchPosition {
        let mut agenda = Agenda::default();
        v.steps.iter().for_each(|s| agenda.push(*s));
        MarchPosition {
            traps: v.traps.unwrap_or_else(|| [(); 3].map(|()| lots.below(2) == 0)),
            played: v.played,
            distance: v.distance,
            losses: v.losses,
            agenda,
        }
    }
    fn sees(&self, _: &MarchPosition, _: Seat, _: MarchAction, _: Viewer) -> bool {
        true
    }
}

#[test]
fn an_interrupt_window() {
    passes(Interrupt);
    // The window opens after every step while cards are left, and the march waits under it.
    let mut sitting = sit(Interrupt);
    for _ in 0..3 {
        sitting.act(ONE, None, &[MarchAction::Step]).unwrap();
        assert_eq!(sitting.waiting_for(), TWO.into());
        assert_eq!(sitting.position().agenda.steps().len(), 2);
        sitting.act(TWO, None, &[MarchAction::Pass]).unwrap();
        assert_eq!(sitting.waiting_for(), ONE.into());
    }
}

/// Four seats in two alliances give secret orders at the same time: a partner sees them, the enemy does not
/// until all are turned.
struct Orders;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct OrdersPosition {
    orders: [Option<u8>; 4],
    rounds: u8,
    points: [u8; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Place(u8);

#[derive(Clone, PartialEq, Debug, Serialize)]
struct OrdersView {
    /// Known orders.
    orders: [Option<u8>; 4],
    given: [bool; 4],
    rounds: u8,
    points: [u8; 2],
}

fn allied(viewer: Viewer, seat: Seat) -> bool {
    viewer == Viewer::Umpire || viewer.seat().is_some_and(|s| s.index() / 2 == seat.index() / 2)
}

impl Demand for Orders {
    type P = OrdersPosition;
    type A = Place;
    type V = OrdersView;
    const ALLIANCES: &'static [u8] = &[0, 0, 1, 1];
    const ACTIONS: &'static [Place] = &[Place(0), Place(1), Place(2)];

    fn start(&self, _: &mut (impl Umpire + ?Sized)) -> OrdersPosition {
        OrdersPosition { orders: [None; 4], rounds: 0, points: [0; 2] }
    }
    fn deciding(&self, p: &OrdersPosition) -> SeatSet {
        if p.rounds == 3 {
            return SeatSet::NONE;
        }
        SeatSet::first(4).iter().filter(|s| p.orders[s.index()].is_none()).collect()
    }
    fn options(&self, _: &OrdersPosition, _: Seat, ballot: &mut (impl Ballot<Place> + ?Sized)) {
        (0..3).for_each(|i| ballot.allow(Place(i)));
    }
    fn apply(
        &self,
        p: &mut OrdersPosition,
        seat: Seat,
        Place(order): Place,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.orders[seat.index()] = Some(order);
        if umpire.writes() {
            let partners = SeatSet::only(seat).with(Seat::new(seat.index() as u8 ^ 1));
            umpire.note(Readers::only(partners), rule!("1"), format_args!("{seat:?} ordered {order}"));
        }
        if let [Some(a), Some(b), Some(c), Some(d)] = p.orders {
            umpire.reveal(Readers::ALL);
            umpire.note(Readers::ALL, rule!("1"), format_args!("orders {a} {b} {c} {d}"));
            let ahead = usize::from(c + d > a + b);
            p.points[ahead] += 1;
            p.rounds += 1;
            p.orders = [None; 4];
        }
    }
    fn winners(&self, p: &OrdersPosition) -> SeatSet {
        let side = u8::from(p.points[1] > p.points[0]);
        [2 * side, 2 * side + 1].into_iter().map(Seat::new).collect()
    }
    fn look(&self, p: &OrdersPosition, viewer: Viewer) -> OrdersView {
        OrdersView {
            orders: std::array::from_fn(|i| p.orders[i].filter(|_| allied(viewer, Seat::new(i as u8)))),
            given: p.orders.map(|o| o.is_some()),
            rounds: p.rounds,
            points: p.points,
        }
    }
    fn dream(&self, v: &OrdersView, lots: &mut Lots) -> OrdersPosition {
        let order = |i: usize| v.given[i].then_some(lots.below(3) as u8);
        let dealt: Vec<_> = (0..4).map(order).collect();
        OrdersPosition {
            orders: std::array::from_fn(|i| v.orders[i].or(dealt[i])),
            rounds: v.rounds,
            points: v.points,
        }
    }
    fn sees(&self, p: &OrdersPosition, seat: Seat, _: Place, viewer: Viewer) -> bool {
        let last = p.orders.iter().filter(|o| o.is_none()).count() == 1;
        last || allied(viewer, seat)
    }
}

#[test]
fn orders_that_a_partner_sees_and_the_enemy_does_not() {
    passes(Orders);
    let mut sitting = sit(Orders);
    let (partner, enemy) = (Viewer::Seat(TWO), Viewer::Seat(Seat::new(2)));
    let seen_by_enemy = sitting.journal(enemy);
    sitting.act(ONE, None, &[Place(2)]).unwrap();
    assert_eq!(sitting.view(partner).1.orders, [Some(2), None, None, None]);
    assert_eq!(sitting.view(enemy).1.orders, [None; 4]);
    assert_eq!(sitting.journal(enemy), seen_by_enemy);
    assert_eq!(sitting.history(enemy), []);
    // Others choose at the same time: what the first seat did does not make them stale.
    let number = sitting.number(Seat::new(3));
    sitting.act(TWO, None, &[Place(0)]).unwrap();
    sitting.act(Seat::new(3), Some(number), &[Place(1)]).unwrap();
    sitting.act(Seat::new(2), None, &[Place(1)]).unwrap();
    assert_eq!(sitting.position().rounds, 1);
}

/// Two seats write two orders each, in secret and at the same time; all four are opened together.
struct Sealed;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SealedPosition {
    orders: [[Option<u8>; 2]; 2],
    rounds: u8,
}

/// Own orders; of the other's how many there are.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct SealedView {
    orders: [[Option<u8>; 2]; 2],
    given: [usize; 2],
    rounds: u8,
}

impl Demand for Sealed {
    type P = SealedPosition;
    type A = Place;
    type V = SealedView;
    const ALLIANCES: &'static [u8] = &[0, 1];
    const ACTIONS: &'static [Place] = &[Place(0), Place(1)];

    fn start(&self, _: &mut (impl Umpire + ?Sized)) -> SealedPosition {
        SealedPosition { orders: [[None; 2]; 2], rounds: 0 }
    }
    fn deciding(&self, p: &SealedPosition) -> SeatSet {
        let open = |s: &Seat| p.rounds < 2 && p.orders[s.index()][1].is_none();
        SeatSet::first(2).iter().filter(open).collect()
    }
    fn options(&self, _: &SealedPosition, _: Seat, ballot: &mut (impl Ballot<Place> + ?Sized)) {
        (0..2).for_each(|i| ballot.allow(Place(i)));
    }
    fn apply(
        &self,
        p: &mut SealedPosition,
        seat: Seat,
        Place(order): Place,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let own = &mut p.orders[seat.index()];
        own[usize::from(own[0].is_some())] = Some(order);
        if p.orders.as_flattened().iter().all(Option::is_some) {
            umpire.reveal(Readers::ALL);
            umpire.note(Readers::ALL, rule!("1"), format_args!("orders {:?}", p.orders));
            *p = SealedPosition { orders: [[None; 2]; 2], rounds: p.rounds + 1 };
        }
    }
    fn winners(&self, _: &SealedPosition) -> SeatSet {
        ONE.into()
    }
    fn look(&self, p: &SealedPosition, viewer: Viewer) -> SealedView {
        SealedView {
            orders: std::array::from_fn(|i| {
                if viewer.shares(Seat::new(i as u8)) { p.orders[i] } else { [None; 2] }
            }),
            given: p.orders.map(|own| own.iter().flatten().count()),
            rounds: p.rounds,
        }
    }
    fn dream(&self, v: &SealedView, lots: &mut Lots) -> SealedPosition {
        let order = |i: usize, n: usize, lots: &mut Lots| {
            v.orders[i][n].or_else(|| (n < v.given[i]).then(|| lots.below(2) as u8))
        };
        let mut orders = [[None; 2]; 2];
        for (i, own) in orders.iter_mut().enumerate() {
            *own = [order(i, 0, lots), order(i, 1, lots)];
        }
        SealedPosition { orders, rounds: v.rounds }
    }
    fn sees(&self, p: &SealedPosition, _: Seat, _: Place, _: Viewer) -> bool {
        p.orders.as_flattened().iter().filter(|o| o.is_none()).count() == 1
    }
}

#[test]
fn who_is_through_with_all_secret_steps_has_chosen() {
    passes(Sealed);
    let mut sitting = sit(Sealed);
    assert_eq!(sitting.act(ONE, None, &[Place(0)]), Ok(Acted::Drafted));
    assert_eq!(sitting.chosen(), SeatSet::NONE, "one order is left to write");
    assert_eq!(sitting.act(ONE, None, &[Place(0)]), Ok(Acted::Held { unplayed: 0 }));
    assert_eq!(sitting.chosen(), ONE.into());
    // The last order is taken back, both are, and the first is written for good: still it has chosen once.
    sitting.undo(ONE).unwrap();
    assert_eq!((sitting.chosen(), sitting.waiting_for()), (ONE.into(), SeatSet::first(2)));
    sitting.undo(ONE).unwrap();
    sitting.act(ONE, None, &[Place(1)]).unwrap();
    sitting.commit(ONE).unwrap();
    assert_eq!((sitting.chosen(), sitting.waiting_for()), (ONE.into(), SeatSet::first(2)));
    sitting.act(TWO, None, &[Place(1), Place(0)]).unwrap();
    assert_eq!((sitting.chosen(), sitting.waiting_for()), (SeatSet::first(2), ONE.into()));
    sitting.act(ONE, None, &[Place(1)]).unwrap();
    assert_eq!((sitting.position().rounds, sitting.chosen()), (1, SeatSet::NONE), "all is opened");
}

/// Eight lords in four battles that share no seat: each goes on at its own pace, and the campaign waits for
/// all of them.
struct Forks;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct ForksPosition {
    battles: [Agenda<Fight, 2>; 4],
    lost: [u8; 8],
    over: bool,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Fight {
    turn: Seat,
    hits: [u8; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Blow {
    Strike,
    Wait,
    Campaign,
}

impl Demand for Forks {
    type P = ForksPosition;
    type A = Blow;
    type V = ForksPosition;
    const ALLIANCES: &'static [u8] = &[0, 1, 0, 1, 0, 1, 0, 1];
    const ACTIONS: &'static [Blow] = &[Blow::Strike, Blow::Wait, Blow::Campaign];

    fn start(&self, _: &mut (impl Umpire + ?Sized)) -> ForksPosition {
        let fight = |i: usize| Agenda::starting(Fight { turn: Seat::new(2 * i as u8), hits: [0; 2] });
        ForksPosition { battles: std::array::from_fn(fight), lost: [0; 8], over: false }
    }
    fn deciding(&self, p: &ForksPosition) -> SeatSet {
        let fighting: SeatSet = p.battles.iter().filter_map(|b| b.now()).map(|f| f.turn).collect();
        if fighting.is_empty() && !p.over { ONE.into() } else { fighting }
    }
    fn options(&self, p: &ForksPosition, seat: Seat, ballot: &mut (impl Ballot<Blow> + ?Sized)) {
        if p.battles[seat.index() / 2].is_empty() {
            ballot.force(Blow::Campaign);
        } else {
            ballot.allow(Blow::Strike);
            ballot.allow(Blow::Wait);
        }
    }
    fn apply(&self, p: &mut ForksPosition, seat: Seat, action: Blow, umpire: &mut (impl Umpire + ?Sized)) {
        let battle = &mut p.battles[seat.index() / 2];
        match action {
            Blow::Campaign => p.over = true,
            Blow::Strike | Blow::Wait => {
                let Some(fight) = battle.now_mut() else { return };
                let foe = seat.index() as u8 ^ 1;
                fight.turn = Seat::new(foe);
                // Who waits tires too: every battle ends.
                let hit = if action == Blow::Strike { umpire.roll(6) <= 3 } else { false };
                let victim = if hit { foe } else { seat.index() as u8 };
                fight.hits[usize::from(victim % 2)] += 1;
                p.lost[usize::from(victim)] += 1;
                if fight.hits.contains(&3) {
                    battle.pop();
                }
            }
        }
    }
    fn winners(&self, p: &ForksPosition) -> SeatSet {
        SeatSet::first(8).iter().filter(|s| p.lost[s.index()] < 3).collect()
    }
    fn look(&self, p: &ForksPosition, _: Viewer) -> ForksPosition {
        p.clone()
    }
    fn dream(&self, v: &ForksPosition, _: &mut Lots) -> ForksPosition {
        v.clone()
    }
    fn sees(&self, _: &ForksPosition, _: Seat, _: Blow, _: Viewer) -> bool {
        true
    }
}

#[test]
fn battles_side_by_side() {
    passes(Forks);
    let mut sitting = sit(Forks);
    // The first battle is fought to its end while the others have not begun.
    while let Some(fight) = sitting.position().battles[0].now().copied() {
        let acted = sitting.act(fight.turn, None, &[Blow::Strike]).unwrap();
        assert_eq!(acted, Acted::Committed { unplayed: 0 });
        assert_eq!(sitting.waiting_for().minus(SeatSet::first(2)).len(), 3);
    }
    // What a lord of another battle had before him is not stale.
    let four = Seat::new(4);
    let number = sitting.number(four);
    sitting.act(Seat::new(2), None, &[Blow::Wait]).unwrap();
    assert!(sitting.act(four, Some(number), &[Blow::Strike]).is_ok());
    // The campaign goes on when all are done.
    while let Some(seat) = sitting.waiting_for().minus(ONE.into()).lowest() {
        sitting.act(seat, None, &[Blow::Strike]).unwrap();
    }
    assert!(sitting.outcome().is_some(), "the forced campaign step was made by the table");
}

/// A lone player against the system: counters are drawn concealed, told to nobody, and shown when attacked.
struct System;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SystemPosition {
    /// The strength of the concealed counter in each of four places, and whether it is shown.
    counters: [u8; 4],
    shown: [bool; 4],
    strength: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Attack(u8);

#[derive(Clone, PartialEq, Debug, Serialize)]
struct SystemView {
    counters: [Option<u8>; 4],
    shown: [bool; 4],
    strength: u8,
}

const BIN: [u8; 4] = [1, 1, 2, 3];

impl Demand for System {
    type P = SystemPosition;
    type A = Attack;
    type V = SystemView;
    const ALLIANCES: &'static [u8] = &[0];
    const ACTIONS: &'static [Attack] = &[Attack(0), Attack(1), Attack(2), Attack(3)];

    fn start(&self, umpire: &mut (impl Umpire + ?Sized)) -> SystemPosition {
        let mut bin = BIN.to_vec();
        let counters = [(); 4].map(|()| {
            let at = umpire
                .draw(Readers::only(SeatSet::NONE), bin.len() as u16, &|i| bin[usize::from(i)].to_string());
            bin.remove(usize::from(at))
        });
        SystemPosition { counters, shown: [false; 4], strength: 5 }
    }
    fn deciding(&self, p: &SystemPosition) -> SeatSet {
        if p.strength == 0 || p.shown == [true; 4] { SeatSet::NONE } else { ONE.into() }
    }
    fn options(&self, p: &SystemPosition, _: Seat, ballot: &mut (impl Ballot<Attack> + ?Sized)) {
        (0..4).filter(|i| !p.shown[usize::from(*i)]).for_each(|i| ballot.allow(Attack(i)));
    }
    fn apply(
        &self,
        p: &mut SystemPosition,
        _: Seat,
        Attack(at): Attack,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        umpire.reveal(Readers::ALL);
        p.shown[usize::from(at)] = true;
        if umpire.roll(6) <= p.counters[usize::from(at)] {
            p.strength -= 1;
        }
        if self.deciding(p).is_empty() {
            p.shown = [true; 4];
        }
    }
    fn winners(&self, p: &SystemPosition) -> SeatSet {
        if p.strength > 2 { ONE.into() } else { SeatSet::NONE }
    }
    fn look(&self, p: &SystemPosition, viewer: Viewer) -> SystemView {
        let open = |i: usize| viewer == Viewer::Umpire || p.shown[i];
        SystemView {
            counters: std::array::from_fn(|i| open(i).then_some(p.counters[i])),
            shown: p.shown,
            strength: p.strength,
        }
    }
    fn dream(&self, v: &SystemView, lots: &mut Lots) -> SystemPosition {
        let mut bin = BIN.to_vec();
        for known in v.counters.iter().flatten() {
            bin.remove(bin.iter().position(|c| c == known).unwrap());
        }
        lots.shuffle(&mut bin);
        let counters = v.counters.map(|c| c.unwrap_or_else(|| bin.pop().unwrap()));
        SystemPosition { counters, shown: v.shown, strength: v.strength }
    }
    fn sees(&self, _: &SystemPosition, _: Seat, _: Attack, _: Viewer) -> bool {
        true
    }
}

#[test]
fn an_opponent_played_by_the_system() {
    passes(System);
    let sitting = sit(System);
    assert_eq!(sitting.view(Viewer::Seat(ONE)).1.counters, [None; 4]);
    // Even the record as the table keeps it holds the draws only until it is handed out.
    assert_eq!(sitting.record(false).setup.len(), 4);
}

/// A very long campaign: a large position, two seats in turn, a die and a line of the journal for each entry.
struct Campaign;

const ENTRIES: u32 = 50_000;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct CampaignPosition {
    turn: u32,
    /// 96 KiB of men and places.
    realm: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct March;

impl Demand for Campaign {
    type P = CampaignPosition;
    type A = March;
    type V = u32;
    const ALLIANCES: &'static [u8] = &[0, 1];
    const ACTIONS: &'static [March] = &[March];

    fn start(&self, _: &mut (impl Umpire + ?Sized)) -> CampaignPosition {
        CampaignPosition { turn: 0, realm: vec![0; 96 << 10] }
    }
    fn deciding(&self, p: &CampaignPosition) -> SeatSet {
        match p.turn {
            ENTRIES => SeatSet::NONE,
            turn => [ONE, TWO][turn as usize % 2].into(),
        }
    }
    fn options(&self, _: &CampaignPosition, _: Seat, ballot: &mut (impl Ballot<March> + ?Sized)) {
        ballot.allow(March);
    }
    fn apply(&self, p: &mut CampaignPosition, _: Seat, _: March, umpire: &mut (impl Umpire + ?Sized)) {
        let die = umpire.roll(6);
        p.realm[p.turn as usize] = die;
        p.turn += 1;
        umpire.note(Readers::ALL, rule!("1"), format_args!("The host marches {die} leagues"));
    }
    fn winners(&self, _: &CampaignPosition) -> SeatSet {
        SeatSet::NONE
    }
    fn look(&self, p: &CampaignPosition, _: Viewer) -> u32 {
        p.turn
    }
    fn dream(&self, turn: &u32, _: &mut Lots) -> CampaignPosition {
        CampaignPosition { turn: *turn, realm: vec![0; 96 << 10] }
    }
    fn sees(&self, _: &CampaignPosition, _: Seat, _: March, _: Viewer) -> bool {
        true
    }
}

/// What a look at a long game costs hangs on what is shown, not on how long it has gone on. The clock is generous:
/// BENCHMARKS.md has what it takes on a quiet machine.
#[test]
#[allow(clippy::disallowed_types)]
fn a_record_of_fifty_thousand_entries_is_opened_soon() {
    let mut game = Arc::try_unwrap(stub(Campaign)).ok().unwrap();
    game.title.longest = ENTRIES;
    let game = Arc::new(game);
    let setup = game.title().usual_set_up();
    let mut played = Match::open(game.clone(), setup, Seed::numbered(1), Nonces::default()).unwrap();
    while let Some(seat) = played.waiting_for().lowest() {
        played.act(seat, None, &[March]).unwrap();
    }
    let text = played.record(true).to_string();
    let begun = std::time::Instant::now();
    let record = table::Record::read("campaign", &text).unwrap();
    let again = Match::replay(game, &record, None).unwrap();
    let opened = begun.elapsed();
    assert_eq!((again.last_entry(), again.position()), (ENTRIES, played.position()));
    assert!(opened.as_secs() < 10, "it took {opened:?}");
    println!("opened in {opened:?}");
    let page = again.journal_page(Viewer::Seat(ONE), None);
    let lines: usize = page.groups.iter().map(Vec::len).sum();
    assert!((100..=600).contains(&lines), "{lines} lines are sent, not {ENTRIES}");
    let before = again.journal_page(Viewer::Seat(ONE), Some(page.first));
    assert_eq!(before.first + before.groups.len(), page.first);
}
