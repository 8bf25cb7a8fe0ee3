//! Phase 5: in the order of play each lord marches with his groups, hex by hex [S2 to S4].

use table::hex::Direction;
use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::data::NCO;
use crate::realm::{GroupId, MapHex, Realm, Step};

/// What a group has spent that may go no further: a treaty of peace gives no passage [ruling 44].
pub(super) const STOPPED: u8 = u8::MAX;

impl Campaign {
    pub(super) fn begin_march(&self, p: &mut Realm, at: u8, umpire: &mut (impl Umpire + ?Sized)) {
        let mut at = at;
        p.open.marched = false;
        while let Some(seat) = p.open.at_turn(at) {
            self.take_stranded(p, seat, umpire);
            if p.open.groups_of(seat).any(|(_, g)| Self::is_fresh(g)) {
                p.open.agenda.replace(Step::March { at, group: None });
                return;
            }
            at += 1;
        }
        self.next_naval(p, umpire);
    }

    /// How many points of march a group has: by the slowest in it, animals and engines included \[S3\].
    pub(crate) fn allowance(&self, p: &Realm, id: GroupId) -> u8 {
        let data = &self.tactics().data;
        let cargo = &p.hidden.cargo[id.number()];
        let engines = cargo.carts + cargo.rams + cargo.mangonels + cargo.trebuchets > 0;
        let slow = engines
            || p.men_in(id).any(|m| {
                let kind = data.kind(m.who.counter);
                kind.mounted.is_none() && (kind.armoured || m.heals > 0)
            });
        let light = cargo.mules == 0
            && p.men_in(id).all(|m| {
                let kind = data.kind(m.who.counter);
                kind.mounted.is_some() && !kind.armoured
            });
        let points = self.atlas.marches[if slow {
            2
        } else if light {
            0
        } else {
            1
        }];
        if cargo.hungry > 0 { points / 2 } else { points }
    }

    fn may_march(&self, p: &Realm, id: GroupId) -> Result<(), (table::Rule, &'static str)> {
        let group = p.open.group(id);
        if group.moved {
            return Err((rule!("S4"), "it has marched"));
        }
        if group.aboard.is_some() {
            return Err((rule!("S14"), "it is aboard a ship"));
        }
        if group.pinned {
            return Err((rule!("S18"), "a battle holds it where it is"));
        }
        if self.best_class(p, id, None) > NCO {
            return Err((rule!("S6"), "nobody leads it"));
        }
        if group.inside && self.shut_in(p, group.lord, group.at) {
            return Err((rule!("S31"), "the besiegers hold the gates"));
        }
        Ok(())
    }

    /// Whether a lord's groups inside a place are besieged there.
    pub(super) fn shut_in(&self, p: &Realm, lord: Seat, hex: MapHex) -> bool {
        let siege = self.place_at(&p.open, hex).and_then(|place| p.open.siege(place));
        siege.is_some_and(|i| p.open.sieges[i].besieger != lord)
    }

    pub(super) fn list_march(
        &self,
        p: &Realm,
        seat: Seat,
        taken: Option<(GroupId, u8)>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let Some((id, spent)) = taken else {
            ballot.allow(Action::Done);
            self.list_any_time(p, seat, ballot);
            for (id, _) in p.open.groups_of(seat) {
                match self.may_march(p, id) {
                    Ok(()) => ballot.allow(Action::Take(id)),
                    Err((rule, why)) => ballot.refuse(Action::Take(id), rule, format_args!("{why}")),
                }
            }
            return;
        };
        ballot.allow(Action::Halt);
        let group = p.open.group(id);
        let left = self.allowance(p, id).saturating_sub(spent);
        for direction in Direction::ALL {
            let action = Action::Go(direction);
            match self.atlas.step_cost(group.at, direction) {
                _ if spent == STOPPED => {
                    ballot.refuse(action, rule!("S4"), format_args!("peace alone gives no passage here"));
                }
                None => ballot.refuse(action, rule!("S2"), format_args!("there is only water")),
                Some((to, _)) if !self.atlas.mapped(p.open.scenario.into(), to) => {
                    ballot.refuse(action, rule!("scenario.7"), format_args!("the map ends there"));
                }
                Some((to, _)) if self.flood_bars(p, seat, group.at, to, spent).is_some() => {
                    let why = self.flood_bars(p, seat, group.at, to, spent).unwrap_or_default();
                    ballot.refuse(action, rule!("scenario.10"), format_args!("{why}"));
                }
                // A group may always make one step.
                Some((_, cost)) if cost > left && spent > 0 => {
                    ballot.refuse(action, rule!("S3"), format_args!("it costs {cost}, and {left} are left"));
                }
                Some(_) if spent > 0 && left == 0 => {
                    ballot.refuse(action, rule!("S3"), format_args!("nothing is left"));
                }
                Some(_) => ballot.allow(action),
            }
        }
        for other in p.open.lords_at(group.at).without(seat).iter() {
            if p.open.sworn(seat, other) {
                let why = format_args!("a vow binds you to him: it is broken before the march");
                ballot.refuse(Action::Attack(other), rule!("scenario.5"), why);
            } else if p.treaty(seat, other).is_some() {
                ballot.allow(Action::Attack(other));
            }
        }
    }

    pub(super) fn go(
        &self,
        p: &mut Realm,
        seat: Seat,
        direction: Direction,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Step::March { at, group: Some((id, spent)) } = p.open.step() else { return };
        let from = p.open.group(id).at;
        let Some((to, cost)) = self.atlas.step_cost(from, direction) else { return };
        // The flood takes a whole turn.
        let cost = if self.is_flooded(p, to) { STOPPED - 1 } else { cost };
        let group = p.open.group_mut(id);
        group.at = to;
        group.inside = false;
        p.open
            .agenda
            .replace(Step::March { at, group: Some((id, spent.saturating_add(cost).min(STOPPED - 1))) });
        umpire.note(
            Readers::ALL,
            rule!("S4"),
            format_args!("{} of {} marches to {}", group_word(p, id), self.lord_name(seat), Spot(self, to)),
        );
        self.raise_sieges(p, umpire);
        if self.wade(p, seat, id, to, umpire) {
            self.arrive_at(p, seat, id, to, umpire);
        } else {
            p.open.agenda.replace(Step::March { at, group: None });
        }
        self.raise_heirs(p, umpire);
    }

    pub(super) fn halt(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::March { at, group: Some((id, _)) } = p.open.step() else { return };
        let (lord, hex) = (p.open.group(id).lord, p.open.group(id).at);
        let inside = self.is_friendly(p, lord, hex) && !self.shut_in(p, lord, hex);
        let group = p.open.group_mut(id);
        group.moved = true;
        group.inside = inside;
        p.open.agenda.replace(Step::March { at, group: None });
        if !p.open.groups_of(lord).any(|(_, g)| Self::is_fresh(g)) {
            self.begin_march(p, at + 1, umpire);
        }
    }
}

/// A group as people speak of it.
fn group_word(p: &Realm, id: GroupId) -> &'static str {
    ["A handful", "A troop", "A company", "A host"][usize::from(p.open.group(id).word.min(3))]
}

/// A hex as people call it.
pub(super) struct Spot<'a>(pub(super) &'a Campaign, pub(super) MapHex);

impl std::fmt::Display for Spot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.atlas.tile(self.1).place {
            Some(place) => f.write_str(&self.0.atlas.place(place).name),
            None => write!(f, "hex {}", self.1),
        }
    }
}
