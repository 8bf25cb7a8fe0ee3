//! What follows from a side's moves: forced marches are rolled for, what moved is told, and attacks and
//! reinforcements are put on their roads [6.4].

use table::scene::Manner;
use table::{Ballot, Id, Map, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, Town, Way, Whence};
use crate::position::{Position, Step};
use crate::words::{counted, listed};

/// A forced march costs a step on so much or less [opt.forced-marches].
const MARCH_LOSS: u8 = 3;

impl CrusaderRex {
    /// The ways by which a side's blocks came into a town in this phase.
    fn ways(&self, p: &Position, seat: Seat, t: Town) -> arrayvec::ArrayVec<Way, 8> {
        let mut ways = arrayvec::ArrayVec::new();
        for b in self.field(p, t, seat) {
            if let Some(via) = p.via[b].filter(|via| !ways.contains(via) && !ways.is_full()) {
                ways.push(via);
            }
        }
        ways.sort_unstable();
        ways
    }

    /// What the notation calls a way into a town: where it comes from.
    fn whence(&self, via: Way, t: Town) -> Whence {
        match via {
            Way::Sea => Whence::Sea,
            Way::Road(road) => match self.components.roads[road] {
                path if path.b != t => Whence::Town(path.b),
                path => path.a.map_or(Whence::North, Whence::Town),
            },
        }
    }

    pub(in crate::flow) fn list_main_roads(
        &self,
        p: &Position,
        seat: Seat,
        t: Town,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for via in self.ways(p, seat, t) {
            ballot.allow(Action::Main(t, self.whence(via, t)));
        }
    }

    pub(in crate::flow) fn act_main_road(
        &self,
        p: &mut Position,
        seat: Seat,
        t: Town,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let Action::Main(_, from) = action else { return };
        let main = self.ways(p, seat, t).into_iter().find(|via| self.whence(*via, t) == from);
        if let Some(main) = main {
            self.assign_roads(p, seat, t, main, umpire);
        }
    }

    /// Whether the marches and roads of a side are settled; if not, it is asked for a main road.
    pub(in crate::flow) fn settle_moves(
        &self,
        p: &mut Position,
        seat: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        if p.marched.any() {
            self.roll_marches(p, seat, umpire);
        }
        self.tell_moves(p, seat, umpire);
        while let Some(t) = p.open.pending.first() {
            let ways = self.ways(p, seat, t);
            match ways.as_slice() {
                [] => p.open.pending.remove(t),
                [only] => self.assign_roads(p, seat, t, *only, umpire),
                // What comes by sea must be the main attack [7.22].
                [.., Way::Sea] => self.assign_roads(p, seat, t, Way::Sea, umpire),
                _ => {
                    p.open.agenda.push(Step::MainRoad { seat, town: t });
                    return false;
                }
            }
        }
        true
    }

    /// Who arrives when [6.41, 6.42, 6.56].
    fn assign_roads(
        &self,
        p: &mut Position,
        seat: Seat,
        t: Town,
        main: Way,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.pending.remove(t);
        let reinforces = p.open.attacked[seat.other()].has(t);
        let relieves = self.besieged(p, t) == Some(seat);
        let late = reinforces || (relieves && seat != p.open.first);
        let rule = match (reinforces, relieves) {
            (true, _) => rule!("6.42"),
            (false, true) => rule!("6.56"),
            (false, false) => rule!("6.41"),
        };
        umpire.cite(rule!("6.4"));
        let mut arrivals = [0u32; 3];
        for b in self.field(p, t, seat) {
            let Some(via) = p.via[b].take() else { continue };
            let wait = usize::from(late) + usize::from(via != main);
            arrivals[wait] += 1;
            match wait {
                0 => {}
                1 => p.second.insert(b),
                _ => p.third.insert(b),
            }
        }
        if umpire.writes() {
            let (who, town) = (self.title_of(seat), self.components.town_name(t));
            let what = match (reinforces, relieves) {
                (true, _) => "come to the battle of",
                (false, true) => "come to relieve",
                (false, false) => "attack",
            };
            let parts: Vec<_> = arrivals
                .iter()
                .zip(1..)
                .filter(|(n, _)| **n > 0)
                .map(|(n, round)| format!("{} from round {round} on", counted(*n, "block", "blocks")))
                .collect();
            let parts = listed(&parts);
            umpire.note(Readers::ALL, rule, format_args!("The {who} {what} {town} with {parts}"));
        }
    }

    /// Who has gone from where to where in this phase, as far as everybody may know [2.0].
    fn tell_moves(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        if umpire.writes() {
            let who = self.title_of(seat);
            for (from, to) in Town::all().flat_map(|from| Town::all().map(move |to| (from, to))) {
                let went: Set<Block> =
                    (p.here[to] & self.of(seat)).iter().filter(|b| p.left[*b] == Some(from)).collect();
                if went.is_empty() {
                    continue;
                }
                let known = went & (p.open.known | p.open.shown);
                let mut names: Vec<_> =
                    known.iter().map(|b| self.components.block_name(b).to_string()).collect();
                match ((went - known).len(), names.is_empty()) {
                    (0, _) => {}
                    (n, true) => names.push(counted(n, "block", "blocks")),
                    (n, false) => names.push(counted(n, "more block", "more blocks")),
                }
                let (names, town) = (listed(&names), |t: Town| self.components.town_name(t));
                if from == to {
                    let place = town(from);
                    umpire.note(
                        Readers::ALL,
                        rule!("5.0"),
                        format_args!("The {who} move {names} out of {place} and back"),
                    );
                } else {
                    umpire.tell(
                        Readers::ALL,
                        rule!("5.0"),
                        format_args!("The {who} move {names} from {} to {}", town(from), town(to)),
                        &|| vec![self.trace(seat, went.len(), from, to, Manner::March)],
                    );
                }
            }
        }
        self.rule_out_slow(p);
        p.left = Map::filled(None);
    }

    /// After all movement a die is rolled for every block on a forced march. Who survives it goes the last road
    /// now; who does not has never come [opt.forced-marches].
    fn roll_marches(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let marched = p.marched;
        let set_out = p.here;
        for t in Town::all() {
            for b in set_out[t] & marched {
                let Some(via) = p.via[b].take() else { continue };
                let Whence::Town(to) = self.whence(via, t) else { continue };
                let die = umpire.roll(6);
                let lost = die <= MARCH_LOSS;
                if umpire.writes() {
                    let (from, to) = (self.components.town_name(t), self.components.town_name(to));
                    let cost = if lost { "costs a step" } else { "costs nothing" };
                    umpire.note(
                        Readers::ALL,
                        rule!("opt.forced-marches"),
                        format_args!("A forced march from {from} to {to} {cost}, with a roll of {die}"),
                    );
                }
                if lost && self.lose_step(p, b, umpire) {
                    // No road is barred by who has never come.
                    umpire.cite(rule!("5.5"));
                    continue;
                }
                p.marched.remove(b);
                p.put(b, to);
                self.lift_siege(p, t, umpire);
                self.meet(p, seat, b, to, via);
                self.arrive(p, b);
            }
        }
    }
}
