//! Reach and route: where the active army can go, what it costs and what waits there, and the clicks that bring it
//! there. While the army is formed the way is laid out at once and followed by itself; on the march it is walked space
//! by space.

use table::rooms::*;
use table::{Id as _, Lots, Options, Reach, Seat};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::ids::Space;
use crate::position::{March, Position, Step};
use crate::scene::space_id;
use crate::view::View;
use crate::words::counted;

impl KingdomOfHeaven {
    /// The army that its own player moves, if the picked pieces belong to it.
    fn picked_army<'a>(&self, view: &'a View, picked: &[&str]) -> Option<(Seat, &'a March)> {
        let seat = view.viewer.seat().filter(|seat| view.deciding.contains(*seat))?;
        let march = view.open.march.as_ref().filter(|march| march.seat == seat && !march.over)?;
        let ours = |id: &&str| match id.strip_prefix("leader-") {
            Some(name) => self.components.leader_of(name).is_some_and(|l| march.leaders.has(l)),
            None => id.contains("unit"),
        };
        let moving = matches!(view.open.agenda.now(), Some(Step::Command | Step::March));
        (moving && !picked.is_empty() && picked.iter().all(ours)).then_some((seat, march))
    }

    /// Each space that the army can reach, with the way to it and its cost.
    fn journeys(&self, p: &Position, march: &March) -> Vec<(Space, u8, Vec<Space>)> {
        let (from, spent) = self.plan_end(p, march);
        let left = self.points_left(&p.open, march).saturating_sub(spent);
        let (cost, before) = self.reachable(&p.open, march, from, left);
        let mut found = Vec::new();
        for space in self.components.all_spaces() {
            let price = cost[space.number()];
            if price == 0 || price > left {
                continue;
            }
            let (mut way, mut at) = (vec![space], space);
            while let Some(previous) = before[at.number()].filter(|s| *s != from) {
                way.push(previous);
                at = previous;
            }
            way.reverse();
            found.push((space, price, way));
        }
        found
    }

    /// Whether a way can be taken from here: what the options offer decides.
    fn is_open(&self, view: &View, options: &Options<Action>, space: Space, way: &[Space]) -> bool {
        let offered = |action: Action| options.offers().iter().any(|offer| offer.action == action);
        match view.open.agenda.now() {
            Some(Step::Command) => offered(Action::To(space)) && offered(Action::Go),
            _ => way.first().is_some_and(|first| offered(Action::March(*first))),
        }
    }

    /// The journeys that the army can set out on now.
    fn open_journeys(&self, view: &View, seat: Seat, march: &March) -> Vec<(Space, u8, Vec<Space>)> {
        let p = self.imagine(view, &mut Lots::new(0));
        let mut options = Options::new();
        self.options(&p, seat, &mut options);
        let mut journeys = self.journeys(&p, march);
        journeys.retain(|(space, _, way)| self.is_open(view, &options, *space, way));
        journeys
    }

    pub(crate) fn reach_of(&self, view: &View, picked: &[&str]) -> Vec<Reach> {
        let Some((seat, march)) = self.picked_army(view, picked) else { return Vec::new() };
        let p = self.imagine(view, &mut Lots::new(0));
        let left = self.points_left(&p.open, march);
        let reach = |(space, price, way): &(Space, u8, Vec<Space>)| Reach {
            space: space_id(&self.components, *space),
            cost: counted(usize::from(*price), "point", "points"),
            danger: self.dangers(&p, march, seat, way).join("; "),
            ends: *price >= left,
        };
        self.open_journeys(view, seat, march).iter().map(reach).collect()
    }

    pub(crate) fn route_of(&self, view: &View, picked: &[&str], to: &str) -> Vec<Action> {
        let Some((seat, march)) = self.picked_army(view, picked) else { return Vec::new() };
        let journeys = self.open_journeys(view, seat, march);
        let journey = journeys.into_iter().find(|(s, ..)| space_id(&self.components, *s) == to);
        let Some((space, _, way)) = journey else { return Vec::new() };
        match view.open.agenda.now() {
            Some(Step::Command) => vec![Action::To(space), Action::Go],
            _ => way.into_iter().map(Action::March).collect(),
        }
    }

    /// What waits on a way.
    fn dangers(&self, p: &Position, march: &March, seat: Seat, way: &[Space]) -> Vec<String> {
        let o = &p.open;
        let mut dangers = Vec::new();
        let enemy = seat.other();
        for space in way {
            let name = self.space_name(*space);
            if let Some(power) = self.neutral_at(o, *space).filter(|w| !self.passes(o, seat, *w)) {
                dangers.push(format!("{} would turn against you", self.power_name(power)));
            }
            let (units, leaders) = self.outside(o, *space, enemy);
            if units.any() || leaders.any() {
                let strength = self.strength(o, units, leaders);
                dangers.push(format!("an enemy army of strength {strength} in {name}"));
            }
            if self.holds(o, *space, enemy) {
                dangers.push(format!("the enemy holds {name}"));
            }
            let near = self.components.near[*space].iter().any(|s| {
                let way = self.components.way(s, *space);
                way.is_some_and(|w| !w.pass && !w.desert) && self.outside(o, s, enemy).1.any()
            });
            if near {
                dangers.push(format!("an enemy leader could intercept in {name}"));
            }
        }
        let _ = march;
        dangers.dedup();
        dangers
    }
}
