//! Events [8.4.1]: whether one can be played, what its conditions mean, and where its operations work.

use table::{Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::data::cards::{CardType, Cond, Filter, PowerPick, Stand, Trigger, Where, Who};
use crate::data::{Religion, Stance};
use crate::ids::{Card, Leaders, Power, Powers, Space, Spaces, Units};
use crate::position::{Chosen, Open, Place, Position, Step};

impl KingdomOfHeaven {
    /// A card is played as an event, as a player's action.
    pub(super) fn play_event(
        &self,
        p: &mut Position,
        seat: Seat,
        card: Card,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let data = self.components.card(card);
        self.spend(p, seat, card, umpire);
        let who = self.title.seat_name(seat);
        umpire.note(Readers::ALL, rule!("8.4.1"), format_args!("The {who} plays {} as an event", data.title));
        if data.dual {
            umpire.cite(rule!("8.3"));
        }
        if data.scenario.is_some() {
            umpire.cite(rule!("4.4"));
        }
        p.open.cancelled = false;
        p.open.agenda.replace(Step::EventEnd { seat, card });
        self.begin_effects(p, seat, card, data.effects, Chosen::default());
        self.ask(p, seat.other(), Trigger::Event);
    }

    /// Whether a card can be played as an event now.
    pub(super) fn event_possible(&self, p: &Position, seat: Seat, card: Card) -> bool {
        let data = self.components.card(card);
        data.kind == CardType::Normal
            && data.serves(seat)
            && self.meets_all(p, seat, &data.requires)
            && self.list_possible(p, seat, card, data.effects, &Chosen::default())
    }

    /// Somebody, seen from a player.
    pub(super) fn who(seat: Seat, who: Who) -> Seat {
        if who == Who::Enemy { seat.other() } else { seat }
    }

    /// Whether all conditions hold.
    pub(super) fn meets_all(&self, p: &Position, seat: Seat, conds: &[Cond]) -> bool {
        conds.iter().all(|cond| self.meets(p, seat, *cond, None))
    }

    /// Whether all conditions hold at a siege.
    pub(super) fn meets_siege(&self, p: &Position, seat: Seat, at: Space, conds: &[Cond]) -> bool {
        conds.iter().all(|cond| self.meets(p, seat, *cond, Some(at)))
    }

    /// Where the active army is: the one that moves, or the one that resolves a siege.
    fn active_at(&self, o: &Open) -> Option<Space> {
        o.march.as_ref().map(|m| m.at).or(o.duel.map(|d| d.at))
    }

    pub(super) fn meets(&self, p: &Position, seat: Seat, cond: Cond, siege: Option<Space>) -> bool {
        let o = &p.open;
        match cond {
            Cond::Units { side, filter, min, place } => {
                let who = Self::who(seat, side);
                let units = match place {
                    Where::Battle => {
                        o.battle.as_ref().map_or(Set::NONE, |b| b.hosts[who].units | b.hosts[who].extra)
                    }
                    Where::Active => {
                        o.march.as_ref().filter(|m| m.seat == who).map_or(Set::NONE, |m| m.units)
                    }
                    Where::Siege => siege.map_or(Set::NONE, |at| self.units(o, at, who)),
                    _ => {
                        let army = self.army(o, who);
                        let spaces = self.components.all_spaces().filter(|s| {
                            o.here[*s].meets(army) && self.in_where(o, seat, *s, place, None, None)
                        });
                        spaces.fold(Set::NONE, |units: Units, s| units | o.here[s]) & army
                    }
                };
                let cavalry = self.plot(o).roster.cavalry;
                let units = match filter {
                    Filter::Any => units,
                    Filter::Cavalry => units & cavalry,
                    Filter::Infantry => units - cavalry,
                    Filter::Of(powers) => units & self.units_of_powers(o, powers),
                };
                units.len() >= usize::from(min)
            }
            Cond::Leader { side, leader, powers, place, most } => {
                let who = Self::who(seat, side);
                let such = |l: &crate::ids::Leader| {
                    let data = self.components.leader(*l);
                    leader.is_none_or(|one| one == *l)
                        && powers.is_none_or(|set| set.has(data.power))
                        && most.is_none_or(|m| data.battle <= m)
                        && self.leads_for(o, *l) == Some(who)
                };
                let leaders: Leaders = match place {
                    Where::Battle => o.battle.as_ref().map_or(Set::NONE, |b| b.hosts[who].leaders),
                    Where::Active => o.march.as_ref().and_then(|m| m.leader).map_or(Set::NONE, Set::one),
                    Where::Prisoner => self
                        .plot(o)
                        .all_leaders
                        .iter()
                        .filter(|l| o.led[*l] == Place::Prison(who.other()))
                        .collect(),
                    _ => self
                        .plot(o)
                        .all_leaders
                        .iter()
                        .filter(|l| {
                            o.leader_at(*l)
                                .is_some_and(|s| place == Where::MapOrBox || !self.components.space(s).is_box)
                        })
                        .collect(),
                };
                leaders.iter().any(|l| such(&l))
            }
            Cond::ActiveIn(place) => {
                self.active_at(o).is_some_and(|at| self.in_where(o, seat, at, place, None, None))
            }
            Cond::PowerIs(power, stand) => {
                let stance = o.stance[power];
                stance != Stance::Absent
                    && match stand {
                        Stand::ProOwn => stance.seat() == Some(seat),
                        Stand::ProEnemy => stance.seat() == Some(seat.other()),
                        Stand::NotProEnemy => stance.seat() != Some(seat.other()),
                    }
            }
            Cond::Controls(side, spaces) => spaces.iter().any(|s| self.friendly(o, s, Self::who(seat, side))),
            Cond::Siege { attacker, space } => self.components.all_spaces().any(|s| {
                space.is_none_or(|one| one == s)
                    && self.besieger(o, s).is_some_and(|who| (who == seat) == attacker)
            }),
            Cond::Turn(min) => o.turn >= min,
            Cond::Battle { attacker, half_cavalry } => o.battle.as_ref().is_some_and(|b| {
                let units = b.hosts[seat].units | b.hosts[seat].extra;
                let riders = units & self.plot(o).roster.cavalry;
                attacker.is_none_or(|a| (b.attacker == seat) == a)
                    && (!half_cavalry || units.any() && 2 * self.steps(o, riders) >= self.steps(o, units))
            }),
            Cond::Subordinate => o.march.as_ref().is_some_and(|m| m.leaders.len() > 1),
        }
    }

    /// Whether an operation of a player works in a space.
    pub(super) fn in_where(
        &self,
        o: &Open,
        seat: Seat,
        space: Space,
        place: Where,
        power: Option<Power>,
        chosen: Option<&Chosen>,
    ) -> bool {
        let data = self.components.space(space);
        let mark = &o.marks[space];
        let friendly = || self.friendly(o, space, seat);
        match place {
            Where::Capital => {
                power.and_then(|w| self.plot(o).powers[w]).is_some_and(|d| d.capitals.has(space))
                    && friendly()
            }
            Where::FriendlyPort => data.port && friendly() && !mark.blockaded,
            Where::FriendlyStronghold => self.holds(o, space, seat) && !mark.blockaded,
            Where::FriendlyUnbesieged => !data.is_box && friendly() && !mark.besieged,
            Where::FriendlyCity => {
                self.holds(o, space, seat) && o.holds[space].is_some_and(|h| h.city) && !mark.besieged
            }
            Where::FriendlyOpen => !data.is_box && o.holds[space].is_none() && friendly(),
            Where::OwnLeader => self
                .all_leaders(o, space)
                .iter()
                .any(|l| !o.inside_led.has(l) && power.is_none_or(|w| self.components.leader(l).power == w)),
            Where::EnemyPort => data.port && self.friendly(o, space, seat.other()),
            Where::Harsh => data.harsh,
            Where::OutsideOwnStrongholds => !data.is_box && !self.holds(o, space, seat.other()),
            Where::LeaderAt(leader) => o.led[leader] == Place::At(space),
            Where::Siege => match chosen.and_then(|c| c.space).or(o.duel.map(|d| d.at)) {
                Some(at) => at == space,
                None => self.besieger(o, space) == Some(seat),
            },
            Where::Nile => data.nile,
            Where::OneProvince => chosen.and_then(|c| c.province).is_some_and(|p| data.province == Some(p)),
            Where::Anywhere | Where::MapOrBox => true,
            Where::In(province) => data.province == Some(province),
            Where::Spaces(spaces) => spaces.has(space),
            Where::OnMap => !data.is_box,
            Where::WithinTwo => self.active_at(o).is_some_and(|at| self.within_two(at).has(space)),
            Where::Battle | Where::Active | Where::Prisoner => false,
        }
    }

    /// Spaces at most two from another.
    fn within_two(&self, at: Space) -> Spaces {
        let near = self.components.near[at];
        near.iter().fold(near.with(at), |all, s| all | self.components.near[s])
    }

    /// The Powers that an operation of a player can mean.
    pub(super) fn powers_meant(&self, o: &Open, seat: Seat, pick: PowerPick) -> Powers {
        let plot = self.plot(o);
        let present = || plot.present.iter().filter(|w| o.stance[*w] != Stance::Absent);
        let c = &self.components;
        match pick {
            PowerPick::Among(powers) => present().filter(|w| powers.has(*w)).collect(),
            PowerPick::Controlled => present().filter(|w| self.side(o, *w) == Some(seat)).collect(),
            PowerPick::EnemyPower => present().filter(|w| self.side(o, *w) == Some(seat.other())).collect(),
            PowerPick::Listed => present().filter(|w| plot.diplomacy[*w].is_some()).collect(),
            PowerPick::Sunni => present()
                .filter(|w| self.side(o, *w) == Some(seat) && c.power(*w).religion == Religion::Sunni)
                .collect(),
            PowerPick::Catholic => present()
                .filter(|w| {
                    self.side(o, *w) == Some(seat)
                        && c.power(*w).religion == Religion::Catholic
                        && !c.crusaders.has(*w)
                        && !c.orders.has(*w)
                })
                .collect(),
        }
    }
}
