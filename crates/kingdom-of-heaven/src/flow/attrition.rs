//! Attrition \[15\]: foraging at the end of a move, Asia Minor, and how steps are lost.

use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::ids::{Sort, Space, Unit, Units};
use crate::position::{March, Open, Place, Pool, Position, Step, Toll};
use crate::words::counted;

/// Added to the Attrition Value for crossing Asia Minor [15.2].
const ASIA_MINOR: i16 = 5;

impl KingdomOfHeaven {
    /// A roll on the Attrition Table; its steps are lost by these units.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn attrition(
        &self,
        p: &mut Position,
        seat: Seat,
        units: Units,
        value: i16,
        shift: usize,
        plus: i8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if value < 1 || units.is_empty() {
            return;
        }
        let die = umpire.roll(6) as i8;
        let over = ((value - 20).max(0) / 5) as i8;
        let Some(column) = self.components.attrition.column(value) else { return };
        let steps = self.components.attrition.steps(column + shift, die + plus + over);
        if umpire.writes() {
            let lost = counted(steps.into(), "step is", "steps are");
            umpire.note(
                Readers::ALL,
                rule!("15.2"),
                format_args!("Attrition with a value of {value}: a {die} is rolled, and {lost} lost"),
            );
        }
        umpire.cite(rule!("15"));
        self.lose(p, seat, units, steps, Toll::Attrition, None);
    }

    /// Steps that some units are to lose, chosen by their owner.
    pub(super) fn lose(
        &self,
        p: &mut Position,
        seat: Seat,
        units: Units,
        steps: u8,
        toll: Toll,
        castle: Option<Space>,
    ) {
        if steps == 0 || units.is_empty() && castle.is_none() {
            return;
        }
        p.open.struck = units;
        p.open.agenda.push(Step::Losses { seat, left: steps, toll, pick: Pool::Struck, castle });
    }

    /// A unit loses a step; says whether it is gone.
    pub(super) fn step_lost(&self, p: &mut Position, unit: Unit) -> bool {
        if p.open.reduced.has(unit) {
            self.bury(p, unit);
            true
        } else {
            p.open.reduced.insert(unit);
            false
        }
    }

    /// A unit goes to the dead pile, and out of whatever it was in.
    pub(super) fn bury(&self, p: &mut Position, unit: Unit) {
        p.open.put(unit, Place::Dead);
        p.open.reduced.remove(unit);
        self.forget_unit(p, unit);
    }

    /// A unit that has left the map is in no army, battle or list.
    pub(super) fn forget_unit(&self, p: &mut Position, unit: Unit) {
        p.open.struck.remove(unit);
        p.open.moved.remove(unit);
        if let Some(march) = &mut p.open.march {
            march.units.remove(unit);
            march.shadowed.remove(unit);
        }
        for f in &mut p.open.foragers {
            f.units.remove(unit);
        }
        if let Some(battle) = &mut p.open.battle {
            battle.sheltered.remove(unit);
            for host in &mut battle.hosts.0 {
                if host.units.has(unit) || host.extra.has(unit) {
                    host.units.remove(unit);
                    host.extra.remove(unit);
                    host.dead += 1;
                }
            }
        }
    }

    /// Of those who lose steps, who has gone inside in a retreat while others stay outside: the owner chooses
    /// between them [13.5].
    fn split(&self, o: &Open) -> Units {
        let inside = o.battle.as_ref().map_or(Set::NONE, |b| b.sheltered) & o.struck;
        if inside == o.struck { Set::NONE } else { inside }
    }

    /// Which of these units may lose the next step.
    pub(super) fn may_lose(&self, o: &Open, units: Units, toll: Toll) -> Units {
        let full = units - o.reduced;
        match toll {
            Toll::FullOnly => full,
            Toll::Attrition if full.any() => full,
            _ => units,
        }
    }

    /// Whether something is still to be lost and can be; what leaves no choice is lost at once.
    pub(super) fn losses_left(&self, p: &mut Position, left: u8, toll: Toll, castle: Option<Space>) -> bool {
        let mut left = left;
        loop {
            let units = self.may_lose(&p.open, p.open.struck, toll);
            let walls = castle.is_some_and(|s| p.open.holds[s].is_some_and(|h| !h.city && h.full));
            if left == 0 || units.is_empty() && !walls {
                return false;
            }
            let Some(unit) = units.first() else { return true };
            let sort = self.sort(&p.open, unit);
            let alike = self.plot(&p.open).roster.of_kind[sort.kind];
            let same =
                units.within(if sort.reduced { alike & p.open.reduced } else { alike - p.open.reduced });
            if !same || walls || self.split(&p.open).any() {
                if let Some(Step::Losses { left: l, .. }) = p.open.agenda.now_mut() {
                    *l = left;
                }
                return true;
            }
            self.step_lost(p, unit);
            left -= 1;
        }
    }

    pub(super) fn list_losses(
        &self,
        p: &Position,
        _: Seat,
        units: Units,
        toll: Toll,
        castle: Option<Space>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        ballot.allow(Action::Usual);
        let may = self.may_lose(o, units, toll);
        let inside = self.split(o);
        self.sorts(o, may - inside, |sort| ballot.allow(Action::Lose(sort)));
        self.sorts(o, may & inside, |sort| ballot.allow(Action::LoseInside(sort)));
        if ballot.explains() {
            self.sorts(o, units - may, |sort| {
                ballot.refuse(
                    Action::Lose(sort),
                    rule!("15.2"),
                    format_args!("full units are reduced before any is eliminated"),
                );
            });
        }
        if castle.is_some_and(|s| o.holds[s].is_some_and(|h| !h.city && h.full)) {
            ballot.allow(Action::LoseCastle);
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn act_losses(
        &self,
        p: &mut Position,
        seat: Seat,
        left: u8,
        toll: Toll,
        castle: Option<Space>,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let mut left = left;
        match action {
            Action::Lose(sort) | Action::LoseInside(sort) => {
                let inside = self.split(&p.open);
                let these = match action {
                    Action::LoseInside(_) => p.open.struck & inside,
                    _ => p.open.struck - inside,
                };
                if let Some(unit) = self.one_of(&p.open, these, sort) {
                    self.tell_loss(p, sort, umpire);
                    self.step_lost(p, unit);
                    left -= 1;
                }
            }
            Action::LoseCastle => {
                if let Some(hold) = castle.and_then(|s| p.open.holds[s].as_mut()) {
                    hold.full = false;
                    left -= 1;
                }
            }
            _ => {
                while left > 0 {
                    let may = self.may_lose(&p.open, p.open.struck, toll);
                    let Some(unit) = self.cheapest_loss(&p.open, may, Set::NONE) else { break };
                    let sort = self.sort(&p.open, unit);
                    self.tell_loss(p, sort, umpire);
                    self.step_lost(p, unit);
                    left -= 1;
                }
                if let Some(hold) = castle.and_then(|s| p.open.holds[s].as_mut())
                    && left > 0
                    && !hold.city
                {
                    hold.full = false;
                }
                left = 0;
            }
        }
        p.open.agenda.replace(Step::Losses { seat, left, toll, pick: Pool::Struck, castle });
    }

    fn tell_loss(&self, p: &Position, sort: Sort, umpire: &mut (impl Umpire + ?Sized)) {
        if umpire.writes() {
            let what = if sort.reduced { "is lost" } else { "is reduced" };
            let kind = self.components.kind(sort.kind);
            let at = p.open.battle.as_ref().map(|b| b.at).or(p.open.march.as_ref().map(|m| m.at));
            let fell = || {
                let owner = self.side(&p.open, kind.power);
                at.zip(owner).map(|(at, owner)| self.felled(owner, at)).into_iter().collect()
            };
            umpire.tell(
                Readers::ALL,
                rule!("13.5"),
                format_args!("{} {what}", crate::words::A(&kind.name)),
                &fell,
            );
        }
    }

    /// Whom losses usually hit: what costs least strength, reduced units last.
    pub(crate) fn cheapest_loss(&self, o: &Open, units: Units, first: Units) -> Option<Unit> {
        let roster = &self.plot(o).roster;
        let price = |u: &Unit| {
            let [full, reduced] = roster.strength[*u];
            let weak = o.reduced.has(*u);
            let lost = if weak { reduced } else { full - reduced };
            (!first.has(*u), weak, lost, full, !roster.cavalry.has(*u))
        };
        units.iter().min_by_key(price)
    }

    /// An army comes out of Constantinople [10.6].
    pub(super) fn cross_asia_minor(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(march) = &p.open.march else { return };
        let (seat, units) =
            (march.seat, march.units - self.units_of_powers(&p.open, self.components.byzantium));
        umpire.cite(rule!("10.6"));
        umpire.cite(rule!("15.1"));
        self.attrition(p, seat, units, units.len() as i16 + ASIA_MINOR, 0, 0, umpire);
    }

    /// The Attrition Value of the active army as it forages, and whether it must [15.1, 15.2].
    pub(crate) fn forage_value(&self, o: &Open, march: &March, units: Units) -> (i16, bool) {
        let trail = &march.trail;
        let seat = march.seat;
        let safe = |s: Space| self.holds(o, s, seat) || self.components.space(s).is_box;
        let must = trail.enemy.any()
            || trail.harsh.any() && !(safe(march.start) && safe(march.at))
            || march.was_shadowed;
        let value = units.len() as i16
            + march.shadowed.len() as i16
            + 2 * trail.enemy.len() as i16
            + trail.harsh.len() as i16
            + 2 * i16::from(trail.passes)
            - i16::from(trail.friendly)
            + i16::from(march.licence.forage_av);
        (value, must && !march.licence.no_forage)
    }

    /// A unit that is dropped off forages by itself [15.1].
    pub(super) fn forage_dropped(
        &self,
        p: &mut Position,
        march: &March,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let dropped: Units = march.dropped.iter().filter(|u| p.open.unit_at(*u) == Some(march.at)).collect();
        if let Some(march) = &mut p.open.march {
            march.dropped = Set::NONE;
        }
        if dropped.is_empty() {
            return;
        }
        let (value, must) = self.forage_value(&p.open, march, dropped);
        if must {
            umpire.cite(rule!("15.1"));
            self.attrition(p, march.seat, dropped, value, 0, 0, umpire);
        }
    }

    /// All who must forage do so: the army, then those who moved without being active.
    pub(super) fn forage(&self, p: &mut Position, which: u8, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.replace(Step::Forage { which: which + 1 });
        if which == 0 {
            let Some(march) = p.open.march.clone() else { return };
            if !march.begun || march.units.is_empty() {
                return;
            }
            let (value, must) = self.forage_value(&p.open, &march, march.units);
            if must {
                umpire.cite(rule!("10.7"));
                umpire.cite(rule!("15.1"));
                if march.was_shadowed {
                    umpire.cite(rule!("12.4.2"));
                }
                self.attrition(p, march.seat, march.units, value, 0, 0, umpire);
            }
            return;
        }
        let Some(f) = p.open.foragers.get(usize::from(which) - 1).copied() else {
            p.open.agenda.pop();
            p.open.foragers.clear();
            p.open.march = None;
            p.open.tries.clear();
            self.tidy(p, umpire);
            return;
        };
        let must = f.must || f.trail.harsh.any() || f.trail.enemy.any();
        if must && f.units.any() {
            umpire.cite(if f.must { rule!("12.4.2") } else { rule!("12.3.1") });
            let value = f.units.len() as i16
                + 2 * f.trail.enemy.len() as i16
                + f.trail.harsh.len() as i16
                + 2 * i16::from(f.trail.passes)
                - f.friendly.len() as i16;
            self.attrition(p, f.seat, f.units, value, 0, 0, umpire);
        }
    }
}
