//! A planted secret: what slips into the open part of a position turns the examination red.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use first_crusade::FirstCrusade;
use first_crusade::action::Action;
use first_crusade::position::Position;
use first_crusade::view::View;
use table::conformance::{Examination, examine};
use table::rooms::*;
use table::scene::{Choice, Scene};
use table::sheet::{DataError, Node};
use table::{
    Ballot, Fact, Lots, NoOrder, Notation, Outcome, ReadError, Seat, SeatSet, Setup, SetupError, Title,
    Umpire, Viewer,
};

/// The game, and whether rumour tells who a concealed counter is.
struct Planted {
    game: FirstCrusade,
    tells: bool,
}

impl Planted {
    fn gossip(&self, p: &mut Position) {
        let c = self.game.components();
        for s in c.spaces.ids().filter(|_| self.tells) {
            let concealed = p.here[s] & (c.muslims - p.shown);
            if concealed.any() {
                p.open.rumour[s] = concealed;
            }
        }
    }
}

impl Rules for Planted {
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
        self.game.options(p, seat, ballot);
    }
    fn apply(&self, p: &mut Position, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        self.game.apply(p, seat, action, umpire);
        self.gossip(p);
    }
    fn outcome(&self, p: &Position) -> Option<Outcome> {
        self.game.outcome(p)
    }
    fn reason(&self, p: &Position) -> String {
        self.game.reason(p)
    }
}

impl Written for Planted {
    fn write(&self, action: Action) -> Notation {
        self.game.write(action)
    }
    fn read(&self, text: &str) -> Result<Action, ReadError> {
        self.game.read(text)
    }
}

impl Secrets for Planted {
    type View = View;

    fn view(&self, p: &Position, viewer: Viewer) -> View {
        self.game.view(p, viewer)
    }
    fn seen(&self, p: &Position, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        self.game.seen(p, seat, action, viewer)
    }
    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        self.game.imagine(view, lots)
    }
}

impl Shown for Planted {
    fn scene(&self, view: &View) -> Scene {
        self.game.scene(view)
    }
    fn choice(&self, view: &View, action: Action) -> Choice {
        self.game.choice(view, action)
    }
}

impl Ordered for Planted {
    type Order = NoOrder;
}

impl Minded for Planted {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        self.game.appraise(p, seat)
    }
}

impl Staged for Planted {
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

#[test]
fn a_secret_that_slips_into_the_open_is_caught() {
    for tells in [false, true] {
        let game = Arc::new(Planted { game: FirstCrusade::built_in(), tells });
        let examination = Examination { games: 12, twins: 1, every: 2, ..Examination::default() };
        let findings = examine(&game, &examination, &mut |_| {});
        let told: Vec<_> = findings.failures.iter().map(ToString::to_string).collect();
        assert_eq!(told.is_empty(), !tells, "{told:?}");
    }
}
