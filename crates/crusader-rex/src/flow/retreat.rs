//! Retreats [6.6], leaving a siege [6.2] and regroups [6.7].

use table::scene::Manner;
use table::{Ballot, Map, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, Road, Town};
use crate::position::{Position, Step};

impl CrusaderRex {
    /// Whether a block may go to a town by retreat or regroup: a friendly or vacant field [6.6, 6.7].
    #[inline]
    fn is_haven(&self, p: &Position, to: Town, seat: Seat) -> bool {
        self.vacant(p, to) || self.friendly(p, to, seat)
    }

    /// Whether a side may retreat out of a town by a road [6.61].
    fn retreat_road(&self, p: &Position, seat: Seat, from: Town, road: Road, as_it_came: bool) -> bool {
        let mine = self.entered_by(p, seat, road, from);
        let theirs = self.entered_by(p, seat.other(), road, from);
        // A road that both used belongs to player 2.
        let blocked = theirs && !(mine && seat != p.open.first);
        !blocked && (mine || !as_it_came)
    }

    /// Lists a block's retreats; whether there are any.
    pub(super) fn list_retreats(
        &self,
        p: &Position,
        b: Block,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) -> bool {
        let (t, seat) = (p.open.battle().town, self.owner(b));
        // The English who came by sea have no road to go back by, and may take any [7.22].
        let attacks = seat == p.open.battle().attacker && !p.landed.has(b);
        let mut any = false;
        for (to, road) in &self.components.towns[t].roads {
            let retreat = Action::Retreat(b, *to);
            if !self.is_haven(p, *to, seat) {
                ballot.refuse(
                    retreat,
                    rule!("6.6"),
                    format_args!("that town is neither friendly nor vacant"),
                );
            } else if !self.retreat_road(p, seat, t, *road, attacks) {
                let why =
                    if attacks { "attackers leave as they came" } else { "the enemy came by that road" };
                ballot.refuse(retreat, rule!("6.61"), format_args!("{why}"));
            } else if !self.has_room(p, seat, *road) {
                ballot.refuse(retreat, rule!("6.61"), format_args!("that road is full in this round"));
            } else {
                any = true;
                ballot.allow(retreat);
            }
        }
        any
    }

    /// A block leaves the battle along a road.
    pub(super) fn retreat(&self, p: &mut Position, b: Block, to: Town, umpire: &mut (impl Umpire + ?Sized)) {
        self.leave(p, b, to, umpire);
        umpire.cite(rule!("6.61"));
        if umpire.writes() {
            let (name, from) = (self.components.block_name(b), p.open.battle().town);
            let town = |t: Town| self.components.town_name(t);
            umpire.tell(
                Readers::ALL,
                rule!("6.6"),
                format_args!("{name} retreats from {} to {}", town(from), town(to)),
                &|| vec![self.trace(self.owner(b), 1, from, to, Manner::Retreat)],
            );
        }
    }

    fn leave(&self, p: &mut Position, b: Block, to: Town, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(from) = p.town(b) else { return };
        if let Some(road) = self.components.road(from, to) {
            self.use_road(p, self.owner(b), road, umpire);
            if p.here[to].meets(self.of(self.owner(b).other())) {
                // Who joins a siege may leave it as he came, and not otherwise [6.2, 6.61].
                self.mark_entry(p, self.owner(b), road, to);
                p.moved.insert(b);
                umpire.cite(rule!("6.62"));
            }
        }
        self.depart(p, b);
        for set in [&mut p.second, &mut p.third, &mut p.landed] {
            set.remove(b);
        }
        if let Some(battle) = &mut p.open.battle {
            battle.stormers.remove(b);
            battle.sallied.remove(b);
        }
        p.put(b, to);
        self.arrive(p, b);
        self.lift_siege(p, from, umpire);
        self.cite_control(p, from, to, umpire);
        umpire.cite(rule!("2.0"));
    }

    /// Attackers that must still leave the field.
    fn leaving(&self, p: &Position, seat: Seat) -> Set<Block> {
        self.active(p, p.open.battle().town, seat)
    }

    /// Whether anybody who must retreat still can; those who cannot are eliminated [6.6].
    pub(super) fn can_still_retreat(
        &self,
        p: &mut Position,
        seat: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let leaving = self.leaving(p, seat);
        if leaving.is_empty() {
            return false;
        }
        // Each for itself: those who came by sea may have a road where the others have none [7.22].
        if leaving.iter().any(|b| self.list_retreats(p, b, &mut Nobody)) {
            return true;
        }
        for b in leaving {
            umpire.cite(rule!("6.6"));
            umpire.cite(rule!("6.61"));
            self.eliminate(p, b, false, umpire);
        }
        false
    }

    /// Lists the retreats of a block that must go; if there is only one way, it is forced.
    pub(super) fn list_last_retreats(
        &self,
        p: &Position,
        b: Block,
        leaving: Set<Block>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        match self.only_retreat(p, leaving) {
            Some(only) => {
                ballot.force(only);
                self.list_retreats(p, b, &mut Refusing(ballot));
            }
            None => {
                self.list_retreats(p, b, ballot);
            }
        }
    }

    /// The retreat of a face-up block that has no other, for all to see.
    fn only_retreat(&self, p: &Position, blocks: Set<Block>) -> Option<Action> {
        let mut only = Only::default();
        self.list_retreats(p, blocks.single()?, &mut only);
        only.action.filter(|_| only.count == 1)
    }

    pub(super) fn list_forced_retreats(
        &self,
        p: &Position,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let leaving = self.leaving(p, seat);
        for b in leaving {
            self.list_last_retreats(p, b, leaving, ballot);
            ballot.refuse(Action::Fire(b), rule!("6.2"), format_args!("the third round is over"));
        }
    }

    pub(super) fn act_forced_retreat(
        &self,
        p: &mut Position,
        _: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if let Action::Retreat(b, to) = action {
            self.retreat(p, b, to, umpire);
        }
    }

    /// After three rounds a besieger may leave: those who came this turn as they came, the others by any
    /// road that the enemy did not use [6.2].
    pub(super) fn list_leave_siege(
        &self,
        p: &Position,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Done);
        let t = p.open.battle().town;
        for b in self.field(p, t, seat) {
            let came = (p.moved - p.landed).has(b);
            for (to, road) in &self.components.towns[t].roads {
                let retreat = Action::Retreat(b, *to);
                if !self.is_haven(p, *to, seat) {
                    ballot.refuse(
                        retreat,
                        rule!("6.6"),
                        format_args!("that town is neither friendly nor vacant"),
                    );
                } else if !self.retreat_road(p, seat, t, *road, came) {
                    ballot.refuse(retreat, rule!("6.61"), format_args!("not by that road"));
                } else if !self.has_room(p, seat, *road) {
                    ballot.refuse(retreat, rule!("6.61"), format_args!("that road is full"));
                } else {
                    ballot.allow(retreat);
                }
            }
        }
    }

    pub(super) fn act_leave_siege(
        &self,
        p: &mut Position,
        _: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if let Action::Retreat(b, to) = action {
            let name = self.name_for_all(p, b);
            self.leave(p, b, to, umpire);
            umpire.cite(rule!("6.61"));
            if umpire.writes() {
                let town = self.components.town_name(to);
                umpire.tell(
                    Readers::ALL,
                    rule!("6.2"),
                    format_args!("{name} leaves the siege for {town}"),
                    &|| vec![self.trace(self.owner(b), 1, p.open.battle().town, to, Manner::Retreat)],
                );
            }
            if self.field(p, p.open.battle().town, self.owner(b)).any() {
                return;
            }
        }
        p.open.agenda.pop();
    }

    /// The victor may regroup, with fresh road limits [6.7].
    pub(super) fn offer_regroup(&self, p: &mut Position, seat: Seat, town: Town) {
        p.open.used = Map::filled(0);
        p.open.agenda.push(Step::Regroup { seat, town });
    }

    /// Whether blocks may regroup to a town; in winter not into a siege [6.7, 8.2].
    fn may_regroup(&self, p: &Position, seat: Seat, to: Town) -> bool {
        let siege_in_winter = p.open.is_winter() && p.here[to].meets(self.of(seat.other()));
        self.is_haven(p, to, seat) && !siege_in_winter
    }

    pub(super) fn list_regroups(
        &self,
        p: &Position,
        seat: Seat,
        t: Town,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let havens = self.components.towns[t]
            .roads
            .iter()
            .any(|(to, road)| self.may_regroup(p, seat, *to) && self.has_room(p, seat, *road));
        if havens {
            ballot.allow(Action::Done);
        } else {
            // Towns and roads are open to all: there is nowhere to go.
            ballot.force(Action::Done);
        }
        for b in self.field(p, t, seat) {
            for (to, road) in &self.components.towns[t].roads {
                let regroup = Action::Regroup(b, *to);
                if !self.may_regroup(p, seat, *to) {
                    ballot.refuse(
                        regroup,
                        rule!("6.7"),
                        format_args!("that town is neither friendly nor vacant"),
                    );
                } else if !self.has_room(p, seat, *road) {
                    ballot.refuse(regroup, rule!("5.1"), format_args!("that road is full"));
                } else {
                    ballot.allow(regroup);
                }
            }
        }
    }

    pub(super) fn act_regroup(
        &self,
        p: &mut Position,
        seat: Seat,
        town: Town,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if let Action::Regroup(b, to) = action {
            let name = self.name_for_all(p, b);
            self.leave(p, b, to, umpire);
            if umpire.writes() {
                let place = |t: Town| self.components.town_name(t);
                umpire.tell(
                    Readers::ALL,
                    rule!("6.7"),
                    format_args!("{name} regroups from {} to {}", place(town), place(to)),
                    &|| vec![self.trace(seat, 1, town, to, Manner::March)],
                );
            }
            if self.field(p, town, seat).any() {
                return;
            }
        }
        p.open.agenda.pop();
    }
}

/// A ballot that counts, and keeps the last action.
#[derive(Default)]
struct Only {
    count: u32,
    action: Option<Action>,
}

impl Ballot<Action> for Only {
    fn allow(&mut self, action: Action) {
        self.count += 1;
        self.action = Some(action);
    }
    fn allow_range(&mut self, action: Action, _: u32, _: u32) {
        self.allow(action);
    }
}

/// A ballot that passes on what is refused, and nothing else.
struct Refusing<'a, B: ?Sized>(&'a mut B);

impl<B: Ballot<Action> + ?Sized> Ballot<Action> for Refusing<'_, B> {
    fn allow(&mut self, _: Action) {}
    fn allow_range(&mut self, _: Action, _: u32, _: u32) {}
    fn explains(&self) -> bool {
        self.0.explains()
    }
    fn refuse(&mut self, action: Action, rule: table::Rule, why: std::fmt::Arguments<'_>) {
        self.0.refuse(action, rule, why);
    }
}

/// A ballot that nobody reads.
struct Nobody;

impl Ballot<Action> for Nobody {
    fn allow(&mut self, _: Action) {}
    fn allow_range(&mut self, _: Action, _: u32, _: u32) {}
}
