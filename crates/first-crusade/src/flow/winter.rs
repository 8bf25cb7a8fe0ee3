//! Winter and supply [28.0].

use table::{Readers, Seat, SeatSet, Set, Umpire, rule};

use crate::FirstCrusade;
use crate::action::Use;
use crate::data::{Family, Space, Unit};
use crate::position::{Cause, Place, Position, Step};
use crate::words::units;

impl FirstCrusade {
    /// Whether a place feeds all Christians in it, without using anything up [28.1].
    fn is_fed(&self, p: &Position, s: Space) -> bool {
        let c = &self.components;
        let besieging = p.sieges.has(s);
        let plundered = p.massacres.has(s);
        let place = self.is_fort(p, s) || c.ports.has(s) || c.towns.has(s);
        if place && !besieging && !plundered {
            return true;
        }
        let space = &c.spaces[s];
        let mut beside = space.roads.iter().chain(&space.passes).chain(&space.sea);
        let harbour = |to: Space| c.ports.has(to) && self.controlled(p, to) && !p.massacres.has(to);
        beside.any(|to| harbour(*to))
    }

    /// The units of a space whom nothing feeds. A monastery feeds its Crusaders and mercenaries, not others.
    pub(crate) fn unfed(&self, p: &Position, s: Space) -> Set<Unit> {
        let here = self.christians(p, s);
        match () {
            () if here.is_empty() || self.is_fed(p, s) => Set::NONE,
            () if (p.castles | p.monasteries).has(s) => here - self.all_of(Family::Crusader),
            () => here,
        }
    }

    /// Spaces whose Christians will go hungry; a camp would feed them.
    pub(crate) fn hungry(&self, p: &Position) -> Set<Space> {
        self.components.spaces.ids().filter(|s| self.unfed(p, *s).any()).collect()
    }

    pub(super) fn winter_comes<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        umpire.heading(format_args!("Winter"));
        umpire.cite(rule!("28.1"));
        for (built, rule) in [(p.castles, rule!("33.7")), (p.monasteries, rule!("33.8"))] {
            if built.iter().any(|s| self.christians(p, s).any()) {
                umpire.cite(rule);
            }
        }
        let mut hungry = self.hungry(p);
        for s in (hungry & p.camps).iter() {
            p.camps.remove(s);
            hungry.remove(s);
            self.cite_camp(p, s, umpire);
            umpire.note(
                Readers::ALL,
                rule!("28.1"),
                format_args!("The camp in {} feeds its army and is used up", self.components.space_name(s)),
            );
        }
        if hungry.any() {
            p.asked = SeatSet::NONE;
            p.agenda.push(Step::Hunger { spaces: hungry });
        }
    }

    /// Cites what a camp is good for: a march, the winter, and before the walls too [33.6, opt-34.5].
    pub(super) fn cite_camp<U: Umpire + ?Sized>(&self, p: &Position, s: Space, umpire: &mut U) {
        umpire.cite(rule!("33.6"));
        if p.sieges.has(s) {
            umpire.cite(rule!("opt-34.5"));
        }
    }

    /// Forces for which nobody has supplies to spare face the winter; whether that settled it.
    pub(super) fn hunger_settled<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        spaces: Set<Space>,
        umpire: &mut U,
    ) -> bool {
        if spaces.is_empty() {
            p.agenda.pop();
            return true;
        }
        if self.provider(p, spaces).is_some() {
            return false;
        }
        self.endure(p, spaces, umpire);
        true
    }

    /// Who is asked next for supplies: whoever leads the hungry, then the others of the team.
    pub(super) fn provider(&self, p: &Position, spaces: Set<Space>) -> Option<Seat> {
        let family = self.unfed(p, spaces.first()?).first().map_or(Family::Crusader, |u| self.family_of(u));
        let (own, supplies) = (self.seat_of(p, family), self.boons_for(Use::Supplies));
        let others = p.table.party.without(own);
        let asked = |seat: &Seat| p.asked.contains(*seat) || !p.boons[seat.index()].meets(supplies);
        std::iter::once(own).chain(others.iter()).find(|seat| !asked(seat))
    }

    /// One die: so many units come through unharmed [28.2].
    fn endure<U: Umpire + ?Sized>(&self, p: &mut Position, mut spaces: Set<Space>, umpire: &mut U) {
        let Some(s) = spaces.first() else { return };
        spaces.remove(s);
        p.asked = SeatSet::NONE;
        p.agenda.replace(Step::Hunger { spaces });
        let force = self.unfed(p, s);
        let die = umpire.roll(6);
        let left = force.len().saturating_sub(usize::from(die));
        umpire.note(
            Readers::ALL,
            rule!("28.2"),
            format_args!(
                "Hunger in {}: a die of {die} spares {} of {}",
                self.components.space_name(s),
                force.len() - left,
                units(force.len())
            ),
        );
        if left > 0 {
            p.pool = force;
            p.agenda.push(Step::Losses { left: left as u8, cause: Cause::Winter });
        }
    }

    /// Muslims outside fortresses and towns go home; the besieged go hungry; blood is washed away.
    pub(super) fn winter_ends<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let c = &self.components;
        for s in c.spaces.ids() {
            let muslims = self.muslims(p, s);
            if muslims.is_empty() {
                continue;
            }
            umpire.cite(rule!("28.3"));
            if s == c.masyaf {
                umpire.cite(rule!("31.3"));
            } else if !c.fortresses.has(s) && !c.towns.has(s) {
                for u in muslims.iter() {
                    p.stow(u, Place::Bin);
                }
                p.rumour[s] = Set::NONE;
                umpire.note(
                    Readers::ALL,
                    rule!("28.3"),
                    format_args!("The Muslims in {} go home for the winter", c.space_name(s)),
                );
            } else if p.sieges.has(s) {
                self.starve(p, s, umpire);
            }
        }
        if p.massacres.any() {
            p.massacres = Set::NONE;
            umpire.note(Readers::ALL, rule!("opt-34.6b"), format_args!("The massacres are forgotten"));
        }
    }
}
