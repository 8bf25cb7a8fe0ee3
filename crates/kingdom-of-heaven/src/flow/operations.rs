//! The operations that events are made of, each carried out step by step: what has to be chosen is asked for, then it
//! is done. An operation that cannot be carried out is skipped.

use table::{Ballot, Id as _, Readers, Seat, SeatSet, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::List;
use crate::data::cards::{Amount, Ban, Banned, Op, PowerPick, Removal, Target, Until, Where, Who};
use crate::ids::{BOTH, Card, Kind, Leader, Leaders, Power, Powers, Province, Space, Spaces, Units};
use crate::position::{
    Along, BattlePhase, Chosen, Effects, Forbidden, Hold, Open, Owner, Place, Position, Restriction, Step,
    Toll,
};

use super::strongholds::Fall;

/// What has to be chosen next for an operation.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Need {
    /// Nothing: it can be done.
    Ready,
    /// It cannot be done, or is done.
    Skip,
    /// One of several lists.
    Branch,
    /// A Power.
    Power(Powers),
    /// A leader.
    Leader(Leaders),
    /// A space, or none more if that is allowed.
    Space(Spaces, bool),
    /// A province.
    Province(Set<Province>),
    /// A unit from the tray, and where it comes.
    Unit(Power),
    /// One of these units, by its owner.
    Remove(Units),
    /// How many steps.
    Steps(u8),
}

impl KingdomOfHeaven {
    /// The operation that is being done.
    fn op(&self, e: &Effects) -> Option<&Op> {
        self.components.list(e.list).get(usize::from(e.at))
    }

    /// Who chooses for an operation.
    pub(super) fn chooser(&self, p: &Position, e: &Effects) -> Seat {
        match self.op(e) {
            Some(Op::Choose { by: Who::Enemy, .. }) => e.seat.other(),
            Some(op @ Op::RemoveUnits { .. }) if e.stage > 0 => self.removed_from(p, e, op).unwrap_or(e.seat),
            _ => e.seat,
        }
    }

    /// Whose units an operation removes.
    fn removed_from(&self, p: &Position, e: &Effects, op: &Op) -> Option<Seat> {
        let units = self.removable(p, e, op);
        let unit = units.first()?;
        self.side(&p.open, self.unit_power(&p.open, unit))
    }

    /// Whether any operation of a list could be carried out.
    pub(super) fn list_possible(
        &self,
        p: &Position,
        seat: Seat,
        card: Card,
        list: List,
        chosen: &Chosen,
    ) -> bool {
        self.components.list(list).iter().enumerate().any(|(at, op)| {
            let e =
                Effects { seat, card, list, at: at as u8, left: 0, stage: 0, chosen: *chosen, done: false };
            match op {
                Op::Choose { of, .. } => of.iter().any(|l| self.list_possible(p, seat, card, *l, chosen)),
                Op::Reinforce { power, values, place, exclude, .. } => {
                    (self.powers_meant(&p.open, seat, *power) - *exclude).iter().any(|w| {
                        self.side(&p.open, w) == Some(seat)
                            && self.available(&p.open, w, *values).any()
                            && self.any_place(&p.open, &e, *place, w)
                    })
                }
                _ => self.need(p, &e, op) != Need::Skip,
            }
        })
    }

    /// The units that an operation removes.
    fn removable(&self, p: &Position, e: &Effects, op: &Op) -> Units {
        let Op::RemoveUnits { power, side, place, with, exclude, .. } = op else { return Set::NONE };
        let o = &p.open;
        let mut units = match (power, side) {
            (Some(pick), _) => {
                let powers = e.chosen.power.map_or_else(|| self.powers_meant(o, e.seat, *pick), Set::one);
                self.units_of_powers(o, powers)
            }
            (None, Some(who)) => self.army(o, Self::who(e.seat, *who)),
            (None, None) => Set::NONE,
        } - self.units_of_powers(o, *exclude);
        if let Some(leader) = with {
            let Some(at) = o.leader_at(*leader) else { return Set::NONE };
            units &= o.here[at];
        }
        let shut = |u: &crate::ids::Unit| {
            o.unit_at(*u).is_some_and(|s| {
                place.is_some_and(|w| self.in_where(o, e.seat, s, w, None, Some(&e.chosen)))
                    || place.is_none() && !(o.inside.has(*u) && o.marks[s].besieged)
            })
        };
        units.iter().filter(shut).collect()
    }

    /// A force that an operation strikes in a space.
    fn enemies_at(&self, o: &Open, seat: Seat, space: Space) -> Units {
        self.units(o, space, seat.other())
    }

    /// Spaces with an enemy force that an operation can strike.
    fn targets(&self, p: &Position, e: &Effects, place: Option<Where>, garrison: bool) -> Spaces {
        let o = &p.open;
        let army = self.army(o, e.seat.other());
        let castle = |s: Space| {
            garrison && self.holds(o, s, e.seat.other()) && o.holds[s].is_some_and(|h| !h.city && h.full)
        };
        self.components
            .all_spaces()
            .filter(|s| !self.components.space(*s).is_box || place.is_some())
            .filter(|s| {
                (o.here[*s].meets(army) || castle(*s))
                    && place.is_none_or(|w| self.in_where(o, e.seat, *s, w, None, Some(&e.chosen)))
            })
            .collect()
    }

    /// The army that an operation on a siege or on the active force strikes, and whose it is.
    fn struck(&self, o: &Open, e: &Effects, target: Target) -> Option<(Seat, Units)> {
        let duel = o.duel;
        let at = duel.map(|d| d.at).or(e.chosen.space.filter(|s| o.marks[*s].besieged));
        let besieger =
            || at.and_then(|at| self.besieger(o, at).map(|seat| (seat, self.outside(o, at, seat).0)));
        let besieged = || {
            at.and_then(|at| {
                self.besieger(o, at).map(|seat| (seat.other(), self.within(o, at, seat.other()).0))
            })
        };
        match target {
            Target::Active => match &o.march {
                Some(march) => Some((march.seat, march.units)),
                None => besieger(),
            },
            Target::Besieger => besieger(),
            Target::Besieged => besieged(),
            Target::Opposing => {
                if besieger()?.0 == e.seat {
                    besieged()
                } else {
                    besieger()
                }
            }
            _ => None,
        }
    }

    /// Where a leader may be placed by an event.
    fn places_for(&self, o: &Open, e: &Effects, place: Where, power: Option<Power>) -> Spaces {
        self.components.all_spaces().filter(|s| self.takes_in(o, e, *s, place, power)).collect()
    }

    /// Whether a space takes in somebody whom an event brings: not an enemy's, not blockaded, and nobody comes over a
    /// besieged castle's capacity.
    fn takes_in(&self, o: &Open, e: &Effects, space: Space, place: Where, power: Option<Power>) -> bool {
        let full = || {
            let castle = o.holds[space].is_some_and(|h| !h.city);
            o.marks[space].besieged && castle && self.room_inside(o, space, e.seat) == 0
        };
        self.in_where(o, e.seat, space, place, power, Some(&e.chosen))
            && !o.marks[space].blockaded
            && (self.components.space(space).is_box || self.friendly(o, space, e.seat))
            && power.is_none_or(|w| self.keeps_to(o, w, space))
            && !full()
    }

    /// Whether there is any place for a Power's units.
    fn any_place(&self, o: &Open, e: &Effects, place: Where, power: Power) -> bool {
        self.components.all_spaces().any(|s| self.takes_in(o, e, s, place, Some(power)))
    }

    /// Kinds of a Power's units that an event can bring.
    fn available(&self, o: &Open, power: Power, values: Option<(u8, u8)>) -> Set<Kind> {
        let roster = &self.plot(o).roster;
        let such = |kind: &Kind| {
            let data = self.components.kind(*kind);
            data.power == power && values.map_or(!data.dot, |(cs, ma)| data.cs == cs && data.ma == ma)
        };
        let kinds = || (0..self.components.kinds.len()).map(Kind::at).filter(such);
        let has = |kind: &Kind, place: Place| roster.of_kind[*kind].iter().any(|u| o.at[u] == place);
        let tray: Set<Kind> = kinds().filter(|k| has(k, Place::Tray)).collect();
        if tray.any() { tray } else { kinds().filter(|k| has(k, Place::Dead)).collect() }
    }

    /// What has to be chosen next.
    #[allow(clippy::too_many_lines)]
    fn need(&self, p: &Position, e: &Effects, op: &Op) -> Need {
        let o = &p.open;
        let seat = e.seat;
        let power_of = |powers: Powers| {
            if let Some(power) = e.chosen.power {
                return Err(power);
            }
            Ok(if powers.is_empty() { Need::Skip } else { Need::Power(powers) })
        };
        let ready = |yes: bool| if yes { Need::Ready } else { Need::Skip };
        match op {
            Op::Choose { .. } => Need::Branch,
            Op::Roll { table, pass, fail, .. } => {
                let lists = table.iter().map(|(.., l)| *l).chain([*pass, *fail]);
                let ops = || lists.clone().flat_map(|l| self.components.list(l));
                if ops().any(|op| matches!(op, Op::RemoveLeader { leader: None, .. }))
                    && e.chosen.leader.is_none()
                {
                    let enemies = self.enemy_leaders(o, seat);
                    return if enemies.any() { Need::Leader(enemies) } else { Need::Skip };
                }
                for op in ops() {
                    if let Op::Shift { power, toward } = op
                        && e.chosen.power.is_none()
                    {
                        let to = toward.unwrap_or(seat);
                        let powers = self
                            .powers_meant(o, seat, *power)
                            .iter()
                            .filter(|w| self.can_shift(o, *w, to))
                            .collect::<Powers>();
                        return if powers.any() { Need::Power(powers) } else { Need::Skip };
                    }
                }
                if ops().any(|op| matches!(op, Op::HaltForce)) {
                    return ready(o.march.as_ref().is_some_and(|m| !m.over));
                }
                Need::Ready
            }
            Op::Reinforce { power, values, place, exclude, .. } => {
                let fits = |w: &Power| {
                    self.side(o, *w) == Some(seat)
                        && self.available(o, *w, *values).any()
                        && self.any_place(o, e, *place, *w)
                };
                let powers =
                    (self.powers_meant(o, seat, *power) - *exclude).iter().filter(fits).collect::<Powers>();
                match power_of(powers) {
                    Ok(need) => need,
                    Err(power) if e.stage > 0 && e.left == 0 || !fits(&power) => Need::Skip,
                    Err(power) => Need::Unit(power),
                }
            }
            Op::Recover { power, at_siege, .. } => {
                let at = if *at_siege { o.duel.map(|d| d.at).or(e.chosen.space) } else { None };
                let powers = self.powers_meant(o, seat, *power);
                if matches!(power, PowerPick::Among(_)) {
                    return ready(self.can_recover(o, seat, powers, at));
                }
                // One of those he controls; Crusaders only where they are named [6.1].
                let some = |w: &Power| self.can_recover(o, seat, Set::one(*w), at);
                match power_of((powers - self.components.crusaders).iter().filter(some).collect()) {
                    Ok(need) => need,
                    Err(_) => Need::Ready,
                }
            }
            Op::PlaceLeader { leader, prisoner, place } => {
                let from = if *prisoner { Place::Prison(seat.other()) } else { Place::Tray };
                let free = |l: &Leader| {
                    o.led[*l] == from
                        && leader.is_none_or(|one| one == *l)
                        && self.in_play(o, self.components.leader(*l).power)
                };
                let leaders: Leaders = self
                    .plot(o)
                    .all_leaders
                    .iter()
                    .filter(free)
                    .filter(|l| !*prisoner || self.leads_for(o, *l) == Some(seat))
                    .collect();
                let Some(leader) = e.chosen.leader.filter(|l| leaders.has(*l)) else {
                    return if leaders.is_empty() { Need::Skip } else { Need::Leader(leaders) };
                };
                // He comes to his own side, whoever plays the card.
                let own = self.leads_for(o, leader).unwrap_or(seat);
                let e = Effects { seat: own, ..*e };
                let spaces = self.places_for(o, &e, *place, Some(self.components.leader(leader).power));
                let spaces = if spaces.is_empty() && !*prisoner { Set::NONE } else { spaces };
                if spaces.is_empty() { Need::Skip } else { Need::Space(spaces, false) }
            }
            Op::RemoveLeader { leader, .. } => match leader.or(e.chosen.leader) {
                Some(l) => ready(o.leader_at(l).is_some()),
                None => {
                    let enemies = self.enemy_leaders(o, seat);
                    if enemies.any() { Need::Leader(enemies) } else { Need::Skip }
                }
            },
            Op::RemoveUnits { power, n, .. } => {
                if let Some(pick) = power
                    && e.chosen.power.is_none()
                    && !matches!(pick, PowerPick::Among(_))
                {
                    let powers = self.powers_meant(o, seat, *pick);
                    let some = |w: &Power| {
                        let mut e = *e;
                        e.chosen.power = Some(*w);
                        self.removable(p, &e, op).any()
                    };
                    let powers: Powers = powers.iter().filter(some).collect();
                    return if powers.any() { Need::Power(powers) } else { Need::Skip };
                }
                let units = self.removable(p, e, op);
                if units.is_empty() || e.stage > 0 && e.left == 0 {
                    Need::Skip
                } else if e.stage == 0 || *n == Amount::All {
                    Need::Ready
                } else {
                    Need::Remove(units)
                }
            }
            Op::LoseSteps { target, power, place, garrison, full_only, .. } => match (target, power) {
                (Some(Target::OneEnemyForce), _) => match e.chosen.space.filter(|_| e.stage > 0) {
                    Some(_) => Need::Ready,
                    None => {
                        let spaces = self.targets(p, e, *place, *garrison);
                        if spaces.any() { Need::Space(spaces, false) } else { Need::Skip }
                    }
                },
                (Some(target), _) => ready(self.struck(o, e, *target).is_some_and(|(_, units)| {
                    self.may_lose(o, units, if *full_only { Toll::FullOnly } else { Toll::Any }).any()
                })),
                (None, Some(power)) => ready(self.power_units_in(o, e, *power, *place).any()),
                (None, None) => Need::Skip,
            },
            Op::RollPerUnit { .. } => match e.chosen.space {
                Some(space) => ready(self.enemies_at(o, seat, space).any()),
                None => {
                    let spaces: Spaces = self.targets(p, e, None, false);
                    if spaces.any() { Need::Space(spaces, false) } else { Need::Skip }
                }
            },
            Op::Attrition { target, place, .. } => match target {
                Target::OneEnemyForce => match e.chosen.space.filter(|_| e.stage > 0) {
                    Some(_) => Need::Ready,
                    None => {
                        let spaces = self.targets(p, e, *place, false);
                        if spaces.any() { Need::Space(spaces, false) } else { Need::Skip }
                    }
                },
                Target::EnemyForces => {
                    let spaces = self.targets(p, e, *place, false);
                    ready(spaces.iter().any(|s| s.number() >= usize::from(e.left)))
                }
                other => ready(self.struck(o, e, *other).is_some_and(|(_, units)| units.any())),
            },
            Op::FlipGarrison { side, n, full, place } => {
                if *place == Some(Where::OneProvince) && e.chosen.province.is_none() {
                    return Need::Province(self.provinces_with_strongholds(o));
                }
                let castles = self.castles_to_flip(o, e, *side, *full, *place);
                if castles.is_empty() || e.stage > 0 && e.left == 0 {
                    Need::Skip
                } else if *n == Amount::All || e.stage == 0 {
                    Need::Ready
                } else {
                    Need::Space(castles, true)
                }
            }
            Op::PlaceCastle { power, place, .. } => {
                let spaces: Spaces = self
                    .places_for(o, e, *place, None)
                    .iter()
                    .filter(|s| o.holds[*s].is_none() && self.enemies_at(o, seat, *s).is_empty())
                    .collect();
                if spaces.is_empty() || e.stage > 1 {
                    return Need::Skip;
                }
                let fits = |w: &Power| self.castle_counters_left(o, *w) && self.side(o, *w) == Some(seat);
                match power_of(self.powers_meant(o, seat, *power).iter().filter(fits).collect()) {
                    Ok(need) => need,
                    Err(_) => Need::Space(spaces, false),
                }
            }
            Op::Transfer { spaces, to, .. } => ready(
                self.in_play(o, *to)
                    && spaces.iter().any(|s| o.holds[s].is_some_and(|h| h.owner != Owner::Of(*to))),
            ),
            Op::Demobilize { power } => ready(self.abroad(o, *power).any()),
            Op::Activate { .. } => ready(self.activatable(p, e).any() || self.stacks(p, e).any()),
            Op::NavalMove { .. } => ready(
                self.may_sail(o, seat, true) && (self.activatable(p, e).any() || self.stacks(p, e).any()),
            ),
            Op::HoldBack { .. } => match &o.march {
                Some(march) if march.leaders.len() > 1 && e.stage == 0 => match e.chosen.leader {
                    Some(_) => Need::Ready,
                    None => Need::Leader(march.leaders - march.leader.map_or(Set::NONE, Set::one)),
                },
                _ => Need::Skip,
            },
            Op::HaltForce => ready(o.march.as_ref().is_some_and(|m| !m.over)),
            Op::HaltSiege => ready(o.duel.is_some_and(|d| !d.stopped)),
            Op::MovePoints(_) => ready(o.march.as_ref().is_some_and(|m| !m.over)),
            Op::Shift { power, toward } => {
                let to = toward.unwrap_or(seat);
                let powers = self
                    .powers_meant(o, seat, *power)
                    .iter()
                    .filter(|w| self.can_shift(o, *w, to))
                    .collect::<Powers>();
                match e.chosen.power {
                    Some(power) => ready(self.can_shift(o, power, to)),
                    None if powers.is_empty() => Need::Skip,
                    None => Need::Power(powers),
                }
            }
            Op::Attempt { power, .. } => {
                let plot = self.plot(o);
                let powers = self
                    .powers_meant(o, seat, *power)
                    .iter()
                    .filter(|w| plot.diplomacy[*w].is_some() && self.can_shift(o, *w, seat))
                    .collect::<Powers>();
                if plot.special.no_diplomacy || powers.is_empty() {
                    return Need::Skip;
                }
                match e.chosen.power {
                    Some(_) => Need::Ready,
                    None => Need::Power(powers),
                }
            }
            Op::TakeAdvantage(to) => {
                ready(!self.plot(o).special.no_marker && o.marker != Some(to.unwrap_or(seat)))
            }
            Op::CancelSiege(_) => ready(o.duel.is_some()),
            Op::CancelEvent | Op::CancelDiplomacy => Need::Ready,
            Op::CancelNaval => ready(o.march.is_some()),
            Op::Draw(_) => Need::Ready,
            Op::Discard { .. } => ready(o.held[seat.other()] > 0),
            Op::Restrict { who, .. } => match who {
                Banned::OneEnemyPower => match e.chosen.power {
                    Some(_) => Need::Ready,
                    None => {
                        let powers = self.powers_meant(o, seat, PowerPick::EnemyPower);
                        if powers.any() { Need::Power(powers) } else { Need::Skip }
                    }
                },
                Banned::Power(power) => ready(self.in_play(o, *power)),
                Banned::Target => ready(e.chosen.space.is_some()),
                Banned::Side(_) => Need::Ready,
            },
            Op::BattleModifier { .. } | Op::InterceptModifier { .. } | Op::PursuitModifier { .. } => {
                Need::Ready
            }
            Op::SurrenderModifier { .. } => ready(!o.calls.is_full()),
            Op::ReplacementModifier { power, .. } => ready(self.in_play(o, *power)),
            Op::Resistance { place, count, .. } => {
                let Some(place) = place else { return ready(o.duel.is_some()) };
                if *place == Where::OneProvince && e.chosen.province.is_none() {
                    return Need::Province(self.provinces_with_strongholds(o));
                }
                let spaces: Spaces = self
                    .components
                    .all_spaces()
                    .filter(|s| {
                        o.holds[*s].is_some() && self.in_where(o, seat, *s, *place, None, Some(&e.chosen))
                    })
                    .collect();
                if spaces.is_empty() || e.stage > 0 && e.left == 0 {
                    Need::Skip
                } else if *count == Amount::All || e.stage == 0 || matches!(place, Where::Spaces(_)) {
                    Need::Ready
                } else {
                    Need::Space(spaces, true)
                }
            }
            Op::Blockade { on, port, place } => {
                let at = match place {
                    Some(Where::Spaces(spaces)) => spaces.first(),
                    _ => o.duel.map(|d| d.at).or(e.chosen.space),
                };
                let Some(at) = at else { return Need::Skip };
                let wrong = port.is_some_and(|port| port != self.components.space(at).any_port());
                ready(o.marks[at].besieged && o.marks[at].blockaded != *on && !wrong)
            }
            Op::Sortie { most, .. } => {
                let Some((_, units)) = self.struck(o, e, Target::Besieged) else { return Need::Skip };
                let steps = self.steps(o, units).min(usize::from(*most)) as u8;
                if steps == 0 { Need::Skip } else { Need::Steps(steps) }
            }
            Op::AssaultModifier { .. } => ready(o.duel.is_some()),
            Op::Betray { place, .. } => {
                let sieges: Spaces = self
                    .components
                    .all_spaces()
                    .filter(|s| {
                        self.besieger(o, *s) == Some(seat)
                            && place.is_none_or(|w| self.in_where(o, seat, *s, w, None, None))
                    })
                    .collect();
                match o.duel.map(|d| d.at).or(e.chosen.space) {
                    Some(_) => Need::Ready,
                    None if sieges.is_empty() => Need::Skip,
                    None => Need::Space(sieges, false),
                }
            }
        }
    }

    fn enemy_leaders(&self, o: &Open, seat: Seat) -> Leaders {
        self.plot(o)
            .all_leaders
            .iter()
            .filter(|l| o.leader_at(*l).is_some() && self.leads_for(o, *l) == Some(seat.other()))
            .collect()
    }

    fn provinces_with_strongholds(&self, o: &Open) -> Set<Province> {
        Province::all()
            .filter(|p| self.components.provinces[p.number()].spaces.iter().any(|s| o.holds[s].is_some()))
            .collect()
    }

    fn castle_counters_left(&self, o: &Open, power: Power) -> bool {
        let used =
            o.holds.values().iter().flatten().filter(|h| !h.city && h.owner == Owner::Of(power)).count();
        self.components.power(power).castles.is_none_or(|most| used < usize::from(most))
    }

    fn power_units_in(&self, o: &Open, e: &Effects, power: Power, place: Option<Where>) -> Units {
        let units = self.plot(o).roster.of_power[power];
        units
            .iter()
            .filter(|u| {
                o.unit_at(*u).is_some_and(|s| {
                    place.is_none_or(|w| self.in_where(o, e.seat, s, w, Some(power), Some(&e.chosen)))
                })
            })
            .collect()
    }

    fn castles_to_flip(&self, o: &Open, e: &Effects, side: Who, full: bool, place: Option<Where>) -> Spaces {
        let right = |s: &Space| match o.holds[*s] {
            Some(hold) if !hold.city && hold.full != full && !o.marks[*s].besieged => match side {
                Who::Both => true,
                who => self.holder(o, hold) == Some(Self::who(e.seat, who)),
            },
            _ => false,
        };
        self.components
            .all_spaces()
            .filter(right)
            .filter(|s| place.is_none_or(|w| self.in_where(o, e.seat, *s, w, None, Some(&e.chosen))))
            .collect()
    }

    /// Units of a Power that stand outside its own land, and are not besieged.
    fn abroad(&self, o: &Open, power: Power) -> Units {
        let out = |u: &crate::ids::Unit| {
            o.unit_at(*u).is_some_and(|s| {
                !self.components.space(s).is_box
                    && self.landlord(o, s) != Some(power)
                    && !(o.inside.has(*u) && o.marks[s].besieged)
            })
        };
        self.plot(o).roster.of_power[power].iter().filter(out).collect()
    }

    /// Goes on with an event; says whether somebody is asked.
    pub(super) fn operate(&self, p: &mut Position, e: Effects, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let steps = p.open.agenda.steps();
        let action = steps.len() > 1
            && matches!(steps[steps.len() - 2], Step::EventEnd { card, .. } if card == e.card);
        if action && p.open.cancelled && e.at == 0 && e.stage == 0 {
            p.open.agenda.pop();
            return false;
        }
        let Some(op) = self.op(&e) else {
            p.open.agenda.pop();
            return false;
        };
        match self.need(p, &e, op) {
            Need::Skip => {
                self.advance(p);
                false
            }
            Need::Ready => {
                self.carry_out(p, e, umpire);
                false
            }
            Need::Branch => {
                let Op::Choose { of, .. } = op else { return false };
                let open = of
                    .iter()
                    .enumerate()
                    .filter(|(_, l)| self.list_possible(p, e.seat, e.card, **l, &e.chosen));
                let mut branches = open.map(|(i, _)| i as u8);
                match (branches.next(), branches.next()) {
                    (None, _) => {
                        self.advance(p);
                        false
                    }
                    (Some(only), None) => {
                        self.act_choice(p, Action::Choose(only), umpire);
                        false
                    }
                    _ => true,
                }
            }
            // What leaves no choice is not asked for.
            Need::Power(powers) => match powers.single() {
                Some(power) => {
                    self.act_choice(p, Action::PickPower(power), umpire);
                    false
                }
                None => true,
            },
            Need::Leader(leaders) => match leaders.single() {
                Some(leader) => {
                    self.act_choice(p, Action::PickLeader(leader), umpire);
                    false
                }
                None => true,
            },
            Need::Space(spaces, optional) => match spaces.single().filter(|_| !optional) {
                Some(space) => {
                    self.act_choice(p, Action::Target(space), umpire);
                    false
                }
                None => true,
            },
            Need::Province(_) | Need::Unit(_) | Need::Remove(_) | Need::Steps(_) => true,
        }
    }

    /// The next operation of the list.
    fn advance(&self, p: &mut Position) {
        if let Some(Step::Effects(e)) = p.open.agenda.now_mut() {
            e.at += 1;
            e.stage = 0;
            e.left = 0;
            e.chosen.power = None;
        }
    }

    fn now(p: &mut Position, what: impl FnOnce(&mut Effects)) {
        if let Some(Step::Effects(e)) = p.open.agenda.now_mut() {
            what(e);
        }
    }

    pub(super) fn list_choices(
        &self,
        p: &Position,
        e: &Effects,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let Some(op) = self.op(e) else { return };
        match self.need(p, e, op) {
            Need::Branch => {
                if let Op::Choose { of, .. } = op {
                    for (i, list) in of.iter().enumerate() {
                        if self.list_possible(p, e.seat, e.card, *list, &e.chosen) {
                            ballot.allow(Action::Choose(i as u8));
                        } else {
                            ballot.refuse(
                                Action::Choose(i as u8),
                                rule!("8.4.1"),
                                format_args!("nothing of it can be done now"),
                            );
                        }
                    }
                }
            }
            Need::Power(powers) => powers.iter().for_each(|w| ballot.allow(Action::PickPower(w))),
            Need::Leader(leaders) => leaders.iter().for_each(|l| ballot.allow(Action::PickLeader(l))),
            Need::Space(spaces, optional) => {
                spaces.iter().for_each(|s| ballot.allow(Action::Target(s)));
                if optional {
                    ballot.allow(Action::Done);
                }
            }
            Need::Province(provinces) => provinces.iter().for_each(|w| ballot.allow(Action::PickProvince(w))),
            Need::Unit(power) => {
                if let Op::Reinforce { values, place, .. } = op {
                    for kind in self.available(&p.open, power, *values) {
                        for space in self.places_for(&p.open, e, *place, Some(power)) {
                            ballot.allow(Action::Place(kind, space));
                        }
                        if ballot.explains() {
                            for space in self.components.all_spaces() {
                                if !self.keeps_to(&p.open, power, space) {
                                    ballot.refuse(
                                        Action::Place(kind, space),
                                        rule!("4.4"),
                                        format_args!("the scenario keeps them in their province"),
                                    );
                                }
                            }
                        }
                    }
                }
            }
            Need::Remove(units) => self.sorts(&p.open, units, |sort| ballot.allow(Action::Lose(sort))),
            Need::Steps(most) => (1..=most).for_each(|n| ballot.allow(Action::Commit(n))),
            Need::Ready | Need::Skip => {}
        }
    }

    pub(super) fn act_choice(&self, p: &mut Position, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(Step::Effects(e)) = p.open.agenda.now().copied() else { return };
        let Some(op) = self.op(&e) else { return };
        match (action, op) {
            (Action::Choose(n), Op::Choose { of, .. }) => {
                let Some(list) = of.get(usize::from(n)).copied() else { return };
                self.advance(p);
                self.begin_effects(p, e.seat, e.card, list, e.chosen);
            }
            (Action::PickPower(power), _) => Self::now(p, |e| e.chosen.power = Some(power)),
            (Action::PickLeader(leader), _) => Self::now(p, |e| e.chosen.leader = Some(leader)),
            (Action::PickProvince(province), _) => Self::now(p, |e| e.chosen.province = Some(province)),
            (Action::Place(kind, space), Op::Reinforce { n, reduced, .. }) => {
                let roster = &self.plot(&p.open).roster;
                let find = |place: Place| roster.of_kind[kind].iter().find(|u| p.open.at[*u] == place);
                let Some(unit) = find(Place::Tray).or_else(|| find(Place::Dead)) else { return };
                p.open.put(unit, Place::At(space));
                if *reduced {
                    p.open.reduced.insert(unit);
                } else {
                    p.open.reduced.remove(unit);
                }
                if p.open.marks[space].besieged && self.holds(&p.open, space, e.seat) {
                    p.open.inside.insert(unit);
                }
                let (name, place) = (&self.components.kind(kind).name, self.space_name(space));
                umpire.note(
                    Readers::ALL,
                    rule!("8.4.1"),
                    format_args!("{} comes to {place}", crate::words::A(name)),
                );
                umpire.cite(rule!("19.3"));
                let left = if e.stage == 0 { *n } else { e.left } - 1;
                Self::now(p, |e| {
                    e.stage = 1;
                    e.left = left;
                });
            }
            (Action::Lose(sort), Op::RemoveUnits { to, .. }) => {
                let units = self.removable(p, &e, op);
                if let Some(unit) = self.one_of(&p.open, units, sort) {
                    self.take_off(p, unit, *to);
                }
                Self::now(p, |e| e.left -= 1);
                self.tidy(p, umpire);
            }
            (Action::Commit(n), Op::Sortie { lose_on, rf_on, .. }) => {
                self.sortie(p, &e, n, *lose_on, *rf_on, umpire);
            }
            (Action::Target(space), Op::PlaceLeader { .. }) => {
                if let Some(leader) = e.chosen.leader {
                    p.open.put_leader(leader, Place::At(space));
                    let own = self.leads_for(&p.open, leader).unwrap_or(e.seat);
                    if p.open.marks[space].besieged && self.holds(&p.open, space, own) {
                        p.open.inside_led.insert(leader);
                    }
                    let (name, place) = (self.leader_start(leader), self.space_name(space));
                    umpire.note(Readers::ALL, rule!("8.4.1"), format_args!("{name} comes to {place}"));
                }
                self.advance(p);
                Self::now(p, |e| e.chosen.leader = None);
            }
            (Action::Target(space), Op::PlaceCastle { full, .. }) => {
                if let Some(power) = e.chosen.power {
                    p.open.holds[space] = Some(Hold { city: false, owner: Owner::Of(power), full: *full });
                    let place = self.space_name(space);
                    umpire.note(Readers::ALL, rule!("17.1"), format_args!("A castle is built in {place}"));
                }
                self.advance(p);
            }
            (Action::Target(space), Op::FlipGarrison { full, .. }) => {
                self.set_garrison(p, space, *full, umpire);
                Self::now(p, |e| e.left -= 1);
            }
            (Action::Target(space), Op::Resistance { n, until, .. }) => {
                self.strengthen(p, space, *n, *until, umpire);
                Self::now(p, |e| e.left -= 1);
            }
            (Action::Target(space), _) => Self::now(p, |e| {
                e.chosen.space = Some(space);
                e.stage = 1;
            }),
            _ => self.advance(p),
        }
    }

    fn take_off(&self, p: &mut Position, unit: crate::ids::Unit, to: Removal) {
        let place = match to {
            Removal::Pool => Place::Pool,
            Removal::Dead => Place::Dead,
            Removal::Tray => Place::Tray,
        };
        p.open.put(unit, place);
        if to != Removal::Pool {
            p.open.reduced.remove(unit);
        }
        self.forget_unit(p, unit);
    }

    fn set_garrison(&self, p: &mut Position, space: Space, full: bool, umpire: &mut (impl Umpire + ?Sized)) {
        if let Some(hold) = &mut p.open.holds[space] {
            hold.full = full;
        }
        let place = self.space_name(space);
        let what = if full { "has its full garrison" } else { "has a low garrison" };
        umpire.note(Readers::ALL, rule!("17.10.1"), format_args!("The castle of {place} {what}"));
    }

    fn strengthen(
        &self,
        p: &mut Position,
        space: Space,
        n: i8,
        until: Until,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let mark = &mut p.open.marks[space];
        match until {
            Until::Game => mark.for_good += n,
            Until::Captured => mark.while_held += n,
            _ => {}
        }
        self.change_resistance(p, space, n, umpire);
        let place = self.space_name(space);
        let what = if n > 0 { "are strengthened" } else { "are weakened" };
        umpire.note(Readers::ALL, rule!("17.4"), format_args!("The walls of {place} {what}"));
    }

    fn sortie(
        &self,
        p: &mut Position,
        e: &Effects,
        n: u8,
        lose_on: u8,
        rf_on: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (mut lost, mut gained) = (0, 0);
        for _ in 0..n {
            let face = 1 << (umpire.roll(6) - 1);
            lost += u8::from(lose_on & face != 0);
            gained += i8::from(rf_on & face != 0);
        }
        umpire.note(Readers::ALL, rule!("17.6.6"), format_args!("The sortie costs {lost} and wins {gained}"));
        self.advance(p);
        let at = p.open.duel.map(|d| d.at).or(e.chosen.space);
        if let Some(at) = at
            && gained > 0
        {
            self.change_resistance(p, at, gained, umpire);
        }
        if let Some((seat, units)) = self.struck(&p.open, e, Target::Besieged) {
            self.lose(p, seat, units, lost, Toll::Any, None);
        }
    }

    /// An amount, rolled for if need be.
    fn amount(
        &self,
        n: Amount,
        of: usize,
        leader: Option<Leader>,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> u8 {
        match n {
            Amount::Fixed(n) => n.max(0) as u8,
            Amount::HalfDie => umpire.roll(6).div_ceil(2),
            Amount::Die => umpire.roll(6),
            Amount::All => of.min(255) as u8,
            Amount::Half => of.div_ceil(2).min(255) as u8,
            Amount::Command => leader.map_or(0, |l| self.components.leader(l).command),
            Amount::Battle => leader.map_or(0, |l| self.components.leader(l).battle),
        }
    }

    /// Does an operation for which everything is chosen.
    #[allow(clippy::too_many_lines)]
    fn carry_out(&self, p: &mut Position, e: Effects, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(op) = self.op(&e) else { return };
        let seat = e.seat;
        Self::now(p, |e| e.done = true);
        match op {
            Op::Roll { drm, table, target, pass, fail, .. } => {
                let die = umpire.roll(6) as i8;
                let plus: i8 =
                    drm.iter().filter(|(_, cond)| self.meets(p, seat, *cond, None)).map(|(n, _)| n).sum();
                let total = die + plus;
                umpire.note(Readers::ALL, rule!("13.2.1"), format_args!("A {die} is rolled for the event"));
                let list = if table.is_empty() {
                    let leader = p.open.march.as_ref().and_then(|m| m.leader);
                    let most = self.amount(*target, 0, leader, umpire) as i8;
                    if total <= most { *pass } else { *fail }
                } else {
                    let row = table.iter().find(|(_, max, _)| total <= *max).or(table.last());
                    row.map_or(List(0), |(.., list)| *list)
                };
                self.advance(p);
                self.begin_effects(p, seat, e.card, list, e.chosen);
            }
            Op::Recover { power, rp, at_siege } => {
                let at = if *at_siege { p.open.duel.map(|d| d.at).or(e.chosen.space) } else { None };
                let powers =
                    e.chosen.power.map_or_else(|| self.powers_meant(&p.open, seat, *power), Set::one);
                self.advance(p);
                p.open.agenda.push(Step::Recover { seat, powers, left: *rp, at });
            }
            Op::RemoveLeader { leader, to } => {
                if let Some(leader) = leader.or(e.chosen.leader) {
                    let name = self.leader_start(leader);
                    self.forget_leader(p, leader);
                    let (place, what) = match to {
                        Removal::Pool => (Place::Pool, "leaves the field for this turn"),
                        Removal::Dead => (Place::Dead, "is dead"),
                        Removal::Tray => (Place::Gone, "leaves the war"),
                    };
                    p.open.put_leader(leader, place);
                    umpire.note(Readers::ALL, rule!("8.4.1"), format_args!("{name} {what}"));
                }
                self.advance(p);
                self.tidy(p, umpire);
            }
            Op::RemoveUnits { n, to, .. } => {
                let units = self.removable(p, &e, op);
                if *n == Amount::All {
                    for unit in units {
                        self.take_off(p, unit, *to);
                    }
                    self.advance(p);
                    self.tidy(p, umpire);
                } else {
                    let count = self.amount(*n, units.len(), None, umpire).min(units.len() as u8);
                    Self::now(p, |e| {
                        e.stage = 1;
                        e.left = count;
                    });
                }
            }
            Op::LoseSteps { target, power, place, n, full_only, garrison } => {
                let toll = if *full_only { Toll::FullOnly } else { Toll::Any };
                let steps = self.amount(*n, 0, None, umpire);
                let (who, units, castle) = match (target, power) {
                    (Some(Target::OneEnemyForce), _) => {
                        let space = e.chosen.space;
                        let units = space.map_or(Set::NONE, |s| self.enemies_at(&p.open, seat, s));
                        (
                            seat.other(),
                            units,
                            space.filter(|s| *garrison && self.holds(&p.open, *s, seat.other())),
                        )
                    }
                    (Some(target), _) => {
                        let (who, units) = self.struck(&p.open, &e, *target).unwrap_or((seat, Set::NONE));
                        (who, units, None)
                    }
                    (None, Some(power)) => {
                        let units = self.power_units_in(&p.open, &e, *power, *place);
                        (self.side(&p.open, *power).unwrap_or(seat.other()), units, None)
                    }
                    (None, None) => (seat, Set::NONE, None),
                };
                umpire.note(
                    Readers::ALL,
                    rule!("8.4.1"),
                    format_args!("The event costs {}", crate::words::Counted(steps, "step", "steps")),
                );
                self.advance(p);
                self.lose(p, who, units, steps, toll, castle);
            }
            Op::RollPerUnit { lose_on, spread } => {
                let Some(space) = e.chosen.space else { return };
                self.advance(p);
                let mut struck = vec_of_two(seat.other(), None);
                if *spread > 0 && self.units(&p.open, space, seat).any() && umpire.roll(6) <= *spread {
                    struck[1] = Some(seat);
                }
                for who in struck.into_iter().flatten() {
                    for unit in self.units(&p.open, space, who) {
                        let face = 1 << (umpire.roll(6) - 1);
                        if lose_on & face != 0 {
                            self.step_lost(p, unit);
                        }
                    }
                }
                let place = self.space_name(space);
                umpire.note(Readers::ALL, rule!("8.4.1"), format_args!("Sickness strikes in {place}"));
                self.tidy(p, umpire);
            }
            Op::Attrition { target, place, av } => {
                umpire.cite(rule!("15.1"));
                match target {
                    Target::OneEnemyForce => {
                        let units = e.chosen.space.map_or(Set::NONE, |s| self.enemies_at(&p.open, seat, s));
                        self.advance(p);
                        self.attrition(
                            p,
                            seat.other(),
                            units,
                            units.len() as i16 + i16::from(*av),
                            0,
                            0,
                            umpire,
                        );
                    }
                    Target::EnemyForces => {
                        let spaces = self.targets(p, &e, *place, false);
                        let Some(space) = spaces.iter().find(|s| s.number() >= usize::from(e.left)) else {
                            return;
                        };
                        Self::now(p, |e| e.left = space.number() as u8 + 1);
                        let units = self.enemies_at(&p.open, seat, space);
                        self.attrition(
                            p,
                            seat.other(),
                            units,
                            units.len() as i16 + i16::from(*av),
                            0,
                            0,
                            umpire,
                        );
                    }
                    other => {
                        let struck = self.struck(&p.open, &e, *other);
                        self.advance(p);
                        if let Some((who, units)) = struck {
                            self.attrition(p, who, units, units.len() as i16 + i16::from(*av), 0, 0, umpire);
                        }
                    }
                }
            }
            Op::FlipGarrison { side, n, full, place } => {
                let castles = self.castles_to_flip(&p.open, &e, *side, *full, *place);
                if *n == Amount::All {
                    for space in castles {
                        self.set_garrison(p, space, *full, umpire);
                    }
                    self.advance(p);
                } else {
                    let count = self.amount(*n, castles.len(), None, umpire);
                    Self::now(p, |e| {
                        e.stage = 1;
                        e.left = count;
                    });
                }
            }
            Op::Transfer { spaces, to, full } => {
                self.advance(p);
                self.transfer(p, *spaces, *to, *full, umpire);
            }
            Op::Demobilize { power } => {
                self.advance(p);
                let units = self.abroad(&p.open, *power);
                let home = self.plot(&p.open).powers[*power]
                    .map_or(Set::NONE, |d| d.capitals)
                    .iter()
                    .find(|s| self.space_power(&p.open, *s) == Some(*power));
                for unit in units {
                    let Some(at) = p.open.unit_at(unit) else { continue };
                    let to = home.or_else(|| {
                        self.nearest(&p.open, at, seat, |o, s| matches!(o.holds[s], Some(Hold { owner: Owner::Of(w), .. }) if w == *power)).first()
                    });
                    p.open.put(unit, to.map_or(Place::Pool, Place::At));
                    self.forget_unit(p, unit);
                }
                let name = self.power_name(*power);
                umpire.note(Readers::ALL, rule!("8.4.1"), format_args!("The units of {name} go home"));
                self.tidy(p, umpire);
            }
            Op::Activate { n, .. } => {
                umpire.cite(rule!("10.1.1"));
                self.advance(p);
                p.open.agenda.push(Step::Activations { effects: Effects { left: *n, stage: 0, ..e } });
            }
            Op::NavalMove { .. } => {
                self.advance(p);
                p.open.agenda.push(Step::Activations { effects: Effects { left: 1, stage: 0, ..e } });
            }
            Op::HoldBack { units } => {
                let Some(leader) = e.chosen.leader else { return };
                let count = self.amount(*units, 0, Some(leader), umpire);
                let name = self.leader_start(leader);
                umpire.note(
                    Readers::ALL,
                    rule!("8.4.3"),
                    format_args!(
                        "{name} stays behind, and {} with him",
                        crate::words::Counted(count, "unit", "units")
                    ),
                );
                // The army is formed anew, and may be answered anew.
                p.open.agenda.pop();
                if matches!(p.open.agenda.now(), Some(Step::Window { .. })) {
                    p.open.agenda.pop();
                }
                p.open.kept_led.insert(leader);
                p.open.moved_led.insert(leader);
                if let Some(march) = &mut p.open.march {
                    march.hold = count;
                    march.leaders.remove(leader);
                }
                // Whoever sails is asked again, too.
                if matches!(p.open.agenda.now(), Some(Step::Window { .. })) {
                    p.open.agenda.pop();
                }
                if matches!(p.open.agenda.now(), Some(Step::Sail { .. } | Step::Battle)) {
                    p.open.battle = None;
                    p.open.agenda.pop();
                }
                self.propose(p);
                p.open.agenda.push(Step::Command);
            }
            Op::HaltForce => {
                if let Some(march) = &mut p.open.march {
                    march.over = true;
                }
                umpire.note(Readers::ALL, rule!("8.4.3"), format_args!("The army goes no further"));
                self.advance(p);
            }
            Op::HaltSiege => {
                if let Some(duel) = &mut p.open.duel {
                    duel.stopped = true;
                }
                umpire.note(Readers::ALL, rule!("8.4.3"), format_args!("The besieger’s action is over"));
                self.advance(p);
            }
            Op::MovePoints(n) => {
                if let Some(march) = &mut p.open.march {
                    march.more += n;
                }
                self.advance(p);
            }
            Op::Shift { toward, .. } => {
                self.advance(p);
                if let Some(power) = e.chosen.power {
                    self.shift(p, power, toward.unwrap_or(seat), umpire);
                }
            }
            Op::Attempt { modifier, .. } => {
                self.advance(p);
                if let Some(power) = e.chosen.power {
                    p.open.agenda.push(Step::Overture {
                        seat,
                        asked: seat,
                        power: Some(power),
                        modifier: *modifier,
                        event: true,
                        stage: 0,
                    });
                }
            }
            Op::TakeAdvantage(to) => {
                let to = to.unwrap_or(seat);
                p.open.marker = Some(to);
                let who = self.title.seat_name(to);
                umpire.note(Readers::ALL, rule!("9.3"), format_args!("The {who} has the advantage marker"));
                self.advance(p);
            }
            Op::CancelSiege(_) | Op::CancelEvent | Op::CancelDiplomacy | Op::CancelNaval => {
                p.open.cancelled = true;
                self.advance(p);
            }
            Op::Draw(n) => {
                self.advance(p);
                p.open.agenda.push(Step::Draw { seat, left: *n });
            }
            Op::Discard { n, look } => {
                self.advance(p);
                self.discard_at_random(p, seat, *n, *look, umpire);
            }
            Op::Restrict { who, what, until, place } => {
                self.advance(p);
                self.restrict(p, &e, *who, *what, *until, *place);
                umpire.cite(rule!("8.4.1"));
            }
            Op::BattleModifier { own, enemy } => {
                match &mut p.open.battle {
                    Some(battle) => {
                        let after =
                            matches!(battle.phase, BattlePhase::AfterAttacker | BattlePhase::AfterDefender);
                        for (who, n) in [(seat, *own), (seat.other(), *enemy)] {
                            let host = &mut battle.hosts[who];
                            if after {
                                host.die += n;
                            } else {
                                host.modifier += n;
                            }
                        }
                    }
                    None => {
                        if let Some(ambushers) = p.open.tries.last_mut() {
                            ambushers.ambush.1 += own;
                        }
                    }
                }
                self.advance(p);
            }
            Op::InterceptModifier { n } => {
                if let Some(ambushers) = p.open.tries.last_mut() {
                    ambushers.ambush.0 += n;
                }
                self.advance(p);
            }
            Op::PursuitModifier { n } => {
                if let Some(battle) = &mut p.open.battle {
                    battle.pursuit += n;
                }
                self.advance(p);
            }
            Op::SurrenderModifier { n, power } => {
                let _ = p.open.calls.try_push((seat, *n, *power));
                self.advance(p);
            }
            Op::ReplacementModifier { power, n } => {
                p.open.points_later[*power] += n;
                self.advance(p);
            }
            Op::Resistance { n, place, count, until } => {
                let spaces: Spaces = match place {
                    None => p.open.duel.map_or(Set::NONE, |d| Set::one(d.at)),
                    Some(w) => self
                        .components
                        .all_spaces()
                        .filter(|s| {
                            p.open.holds[*s].is_some()
                                && self.in_where(&p.open, seat, *s, *w, None, Some(&e.chosen))
                        })
                        .collect(),
                };
                if *count == Amount::All || place.is_none() || matches!(place, Some(Where::Spaces(_))) {
                    for space in spaces {
                        self.strengthen(p, space, *n, *until, umpire);
                    }
                    self.advance(p);
                } else {
                    let count = self.amount(*count, spaces.len(), None, umpire);
                    Self::now(p, |e| {
                        e.stage = 1;
                        e.left = count;
                    });
                }
            }
            Op::Blockade { on, place, .. } => {
                let at = match place {
                    Some(Where::Spaces(spaces)) => spaces.first(),
                    _ => p.open.duel.map(|d| d.at).or(e.chosen.space),
                };
                if let Some(at) = at {
                    p.open.marks[at].blockaded = *on;
                    let name = self.space_name(at);
                    let what = if *on { "is blockaded" } else { "is no longer blockaded" };
                    umpire.note(Readers::ALL, rule!("17.6.2"), format_args!("{name} {what}"));
                }
                self.advance(p);
            }
            Op::AssaultModifier { own, columns, pre_loss } => {
                if let Some(duel) = &mut p.open.duel {
                    duel.rolls[seat] += own;
                    duel.columns += columns;
                    duel.pre_loss[seat.other()] += pre_loss;
                }
                self.advance(p);
            }
            Op::Betray { bonus, fail_rf, .. } => {
                self.advance(p);
                let Some(at) = p.open.duel.map(|d| d.at).or(e.chosen.space) else { return };
                let rf = p.open.marks[at].rf.unwrap_or(0) as i8;
                let die = umpire.roll(6) as i8;
                let place = self.space_name(at);
                if die + bonus > rf {
                    umpire.note(
                        Readers::ALL,
                        rule!("17.6.6"),
                        format_args!("A {die} is rolled, and {place} is betrayed"),
                    );
                    self.capture(p, at, seat, Fall::Betrayed, umpire);
                } else {
                    umpire.note(
                        Readers::ALL,
                        rule!("17.6.6"),
                        format_args!("A {die} is rolled, and nobody opens a gate of {place}"),
                    );
                    self.change_resistance(p, at, *fail_rf, umpire);
                }
            }
            // These are done by what was chosen.
            Op::Choose { .. }
            | Op::Reinforce { .. }
            | Op::PlaceLeader { .. }
            | Op::PlaceCastle { .. }
            | Op::Sortie { .. } => self.advance(p),
        }
    }

    /// Strongholds pass to a Power by an event.
    fn transfer(
        &self,
        p: &mut Position,
        spaces: Spaces,
        to: Power,
        full: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(seat) = self.side(&p.open, to) else { return };
        let mut losers: Powers = Set::NONE;
        for space in spaces {
            let Some(hold) = p.open.holds[space] else { continue };
            if hold.owner == Owner::Of(to) {
                continue;
            }
            if let Owner::Of(power) = hold.owner {
                losers.insert(power);
            }
            let mine = self.holder(&p.open, hold) == Some(seat);
            if !mine {
                // Those inside leave for the force pool: it is no assault.
                let (units, leaders) =
                    (self.units(&p.open, space, seat.other()), self.leaders(&p.open, space, seat.other()));
                for unit in units {
                    p.open.put(unit, Place::Pool);
                    self.forget_unit(p, unit);
                }
                for leader in leaders {
                    self.forget_leader(p, leader);
                    p.open.put_leader(leader, Place::Pool);
                }
            }
            let was = p.open.marks[space];
            p.open.marks[space] =
                crate::position::Mark { called: was.called, for_good: was.for_good, ..Default::default() };
            let owner = if hold.city && self.landlord(&p.open, space) != Some(to) {
                Owner::Taken(seat)
            } else {
                Owner::Of(to)
            };
            p.open.holds[space] = Some(Hold { city: hold.city, owner, full });
            if self.plot(&p.open).held_apart == Some(space) {
                p.open.apart = false;
            }
            let (place, name) = (self.space_name(space), self.power_name(to));
            umpire.note(Readers::ALL, rule!("8.4.1"), format_args!("{place} passes to {name}"));
            let worth = self.plot(&p.open).vp[space];
            if worth > 0 && !mine {
                self.advantage(p, seat, worth, umpire);
            }
        }
        for power in losers {
            self.dissolve(p, power, umpire);
        }
        self.tidy(p, umpire);
    }

    fn discard_at_random(
        &self,
        p: &mut Position,
        seat: Seat,
        n: u8,
        look: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let enemy = seat.other();
        if look {
            p.hidden.known[enemy] = p.hidden.hands[enemy];
            umpire.reveal(Readers::only(SeatSet::first(2)));
            if umpire.writes() {
                let names: Vec<_> =
                    p.hidden.hands[enemy].iter().map(|c| self.components.card(c).title.clone()).collect();
                umpire.note(
                    Readers::only(SeatSet::first(2)),
                    rule!("8.4.1"),
                    format_args!("The hand is {}", crate::words::listed(&names)),
                );
            }
        }
        for _ in 0..n {
            let hand = p.hidden.hands[enemy];
            if hand.is_empty() {
                return;
            }
            let name =
                |i: u16| hand.nth(i.into()).map_or(String::new(), |card| self.card_id(card).to_string());
            let drawn = umpire.draw(Readers::ALL, hand.len() as u16, &name);
            let Some(card) = hand.nth(drawn.into()) else { return };
            self.spend(p, enemy, card, umpire);
            let (who, title) = (self.title.seat_name(enemy), &self.components.card(card).title);
            umpire.note(Readers::ALL, rule!("8.4.1"), format_args!("The {who} loses {title}"));
        }
    }

    fn restrict(
        &self,
        p: &mut Position,
        e: &Effects,
        who: Banned,
        what: Ban,
        until: Until,
        place: Option<Where>,
    ) {
        let seat = e.seat;
        let (counts, rounds) = match until {
            Until::NextEnemyRound => (seat.other(), Some(1)),
            Until::TwoRounds => (seat, Some(3)),
            _ => (seat, None),
        };
        let along = match place {
            Some(Where::Harsh) => Along::Harsh,
            Some(Where::In(province)) => Along::In(province),
            _ => Along::Nile,
        };
        let side =
            |what: Ban| if what == Ban::Move { Forbidden::Along(along) } else { Forbidden::side(what) };
        let mut add = |seat: Seat, what: Forbidden| {
            let _ = p.open.bans.try_push(Restriction { what, seat, rounds, counts });
        };
        match who {
            Banned::Side(Who::Both) => BOTH.into_iter().for_each(|s| add(s, side(what))),
            Banned::Side(who) => add(Self::who(seat, who), side(what)),
            Banned::Power(power) => BOTH.into_iter().for_each(|s| add(s, Forbidden::Power(power))),
            Banned::OneEnemyPower => {
                if let Some(power) = e.chosen.power {
                    add(seat.other(), Forbidden::Power(power));
                }
            }
            Banned::Target => {
                if let Some(space) = e.chosen.space {
                    for leader in self.leaders(&p.open, space, seat.other()) {
                        let _ = p.open.bans.try_push(Restriction {
                            what: Forbidden::Leader(leader),
                            seat: seat.other(),
                            rounds,
                            counts,
                        });
                    }
                }
            }
        }
    }

    // ---- Activations by event [10.1.1].

    /// Leaders whom an event can activate.
    fn activatable(&self, p: &Position, e: &Effects) -> Leaders {
        let o = &p.open;
        let card = self.components.card(e.card);
        let able = |l: &Leader| match self.op(e) {
            Some(Op::Activate { free, power, leader, licence, .. }) => {
                let _ = licence;
                leader.is_none_or(|one| one == *l)
                    && power.is_none_or(|w| self.components.leader(*l).power == w)
                    && self
                        .may_lead(
                            o,
                            e.seat,
                            *l,
                            *free,
                            card.ov,
                            card.ov >= super::cards::GREAT && self.may_sail(o, e.seat, false),
                        )
                        .is_ok()
            }
            Some(Op::NavalMove { red, .. }) => {
                self.may_lead(o, e.seat, *l, true, 0, true).is_ok()
                    && o.leader_at(*l).is_some_and(|s| self.harbour(o, e.seat, s, *red))
            }
            _ => false,
        };
        self.plot(o)
            .all_leaders
            .iter()
            .filter(|l| self.leads_for(o, *l) == Some(e.seat))
            .filter(able)
            .collect()
    }

    /// Spaces from which an event can move units without a leader.
    fn stacks(&self, p: &Position, e: &Effects) -> Spaces {
        let o = &p.open;
        let army = self.army(o, e.seat) - o.moved;
        let free = |s: &Space| (o.here[*s] & army) - if o.marks[*s].besieged { o.inside } else { Set::NONE };
        match self.op(e) {
            Some(Op::Activate { cavalry: true, .. }) => {
                let riders = self.plot(o).roster.cavalry;
                self.components
                    .all_spaces()
                    .filter(|s| free(s).meets(riders) && !self.components.space(*s).by_sea)
                    .collect()
            }
            Some(Op::NavalMove { red, leaderless: true, .. }) => self
                .components
                .all_spaces()
                .filter(|s| (o.here[*s] & army).any() && self.harbour(o, e.seat, *s, *red))
                .collect(),
            _ => Set::NONE,
        }
    }

    /// The operation whose activations are under way: its list goes on one further already.
    pub(super) fn activations_left(&self, p: &Position, e: &Effects) -> bool {
        e.left > 0 && (self.activatable(p, e).any() || self.stacks(p, e).any())
    }

    pub(super) fn list_activations(
        &self,
        p: &Position,
        e: &Effects,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Done);
        for leader in self.activatable(p, e) {
            ballot.allow(Action::Lead(leader));
        }
        for space in self.stacks(p, e) {
            ballot.allow(Action::Stack(space));
        }
    }

    pub(super) fn act_activation(
        &self,
        p: &mut Position,
        e: Effects,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let card = self.components.card(e.card);
        p.open.agenda.replace(Step::Activations { effects: Effects { left: e.left.saturating_sub(1), ..e } });
        let (licence, naval) = match self.op(&e) {
            Some(Op::Activate { licence, .. }) => (*licence, None),
            Some(Op::NavalMove { capacity, red, leaderless }) => {
                (super::no_licence(), Some((*capacity, *red, *leaderless)))
            }
            _ => return,
        };
        match action {
            Action::Lead(leader) => self.activate(p, e.seat, leader, card.ov, licence),
            Action::Stack(space) => {
                let mut march = self.new_march(e.seat, None, space, card.ov, licence);
                march.vassal = naval.is_some();
                march.ships = naval.map(|(capacity, ..)| capacity);
                p.open.march = Some(march);
                self.propose(p);
                p.open.agenda.push(Step::March);
                p.open.agenda.push(Step::Command);
            }
            _ => {
                p.open.agenda.pop();
                return;
            }
        }
        umpire.cite(rule!("10.1.1"));
        if let (Some((capacity, red, leaderless)), Some(march)) = (naval, &mut p.open.march) {
            march.ships = Some(capacity);
            march.red_sea = red;
            march.fleet = true;
            march.lands = leaderless;
            march.vassal = false;
        }
        if naval.is_some() {
            self.propose(p);
        }
    }
}

/// Two places, the first taken.
fn vec_of_two(first: Seat, second: Option<Seat>) -> [Option<Seat>; 2] {
    [Some(first), second]
}
