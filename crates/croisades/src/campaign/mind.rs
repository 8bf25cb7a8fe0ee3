//! What bots steer by, and what an old hand does without thinking. A turn is at rest when letters are written.

use table::hex::Direction;
use table::rooms::*;
use table::{Lots, Options, Seat};

use super::Campaign;
use super::action::{Action, Good, Suit, Within};
use super::atlas::Kind;
use crate::deed::Deed;
use crate::field::Field;
use crate::house::Room;
use crate::realm::{GroupId, MajorId, MapHex, PlaceId, Realm, Stage, Step, Term, Trait, side_of};
use crate::tactics::Tactics;

impl Minded for Campaign {
    fn appraise(&self, p: &Realm, seat: Seat) -> f32 {
        if let Some(outcome) = self.outcome(p) {
            return outcome.worth(seat);
        }
        let value = |seat: Seat| -> f32 {
            let worth = self.riches(p, seat);
            let data = &self.tactics().data;
            let men: u32 = p.men_of(seat).map(|m| u32::from(data.kind(m.who.counter).points)).sum();
            let allies = p.open.places.iter().filter(|place| place.ally() == Some(seat)).count();
            f32::from(worth.fame) * 6.0
                + f32::from(worth.towns) * 8.0
                + f32::from(worth.revenue) * 0.12
                + men as f32 * 0.15
                + allies as f32 * 3.0
                + self.funds(p, seat) as f32 * 0.02
        };
        let own = value(seat);
        let best = p.open.playing().without(seat).iter().map(value).fold(0.0f32, f32::max);
        let ahead = (own - best) / 60.0;
        (0.5 + ahead / (2.0 + 2.0 * ahead.abs())).clamp(0.02, 0.98)
    }

    fn considered(&self, p: &Realm, seat: Seat, action: Action) -> bool {
        let step = p.open.step();
        match action {
            // Letters are a matter of habit: whom one writes to, what one signs.
            Action::Seal if matches!(step, Step::Writing(_)) => self.correspondent(p, seat).is_none(),
            Action::Seal if matches!(step, Step::Answering(_)) => {
                let letter = |from: Seat| (1..=3).any(|n| self.agreeable(p, seat, from, n));
                !p.open.playing().without(seat).iter().any(letter)
            }
            Action::Write(to) => self.correspondent(p, seat) == Some(to),
            Action::Term(term) => matches!(term, Term::Peace(_) | Term::Alliance(_) | Term::Due(_)),
            Action::Accept(from, number) => self.agreeable(p, seat, from, number),
            Action::Shift(..) | Action::Split(_) | Action::Give(..) | Action::Entrust(..) => false,
            Action::Attack(_) | Action::Kill(..) | Action::Breach | Action::Renounce => false,
            Action::Battle(deed) => {
                !matches!(deed, Deed::Order(..) | Deed::GiveUp | Deed::Put(_) | Deed::Face(_))
            }
            _ => true,
        }
    }

    fn habit(&self, p: &Realm, seat: Seat, room: &mut Options<Action>, lots: &mut Lots) -> Option<Action> {
        // At rest when a turn begins.
        if matches!(p.open.step(), Step::Writing(done) if done.is_empty() && p.hidden.drafts[seat.index()].is_none())
            && p.open.turn > 1
            && p.open.exchange == 0
        {
            return None;
        }
        self.routine(p, seat, room, lots)
    }
}

impl Room for Options<Action> {
    fn fill(&mut self, tactics: &Tactics, f: &Field) {
        self.clear();
        tactics.options(f, &mut Within(self));
    }
    fn deeds(&self) -> impl Iterator<Item = Deed> + '_ {
        self.offers().iter().filter_map(|offer| match offer.action {
            Action::Battle(deed) => Some(deed),
            _ => None,
        })
    }
}

impl Campaign {
    /// What an old hand does here without thinking.
    pub fn routine(
        &self,
        p: &Realm,
        seat: Seat,
        room: &mut Options<Action>,
        lots: &mut Lots,
    ) -> Option<Action> {
        if let (Step::Battles | Step::Sieges, Some(i)) = (p.open.step(), p.open.theatre_of(seat))
            && p.open.theatres[i].stage == Stage::Fought
        {
            return self.tactics().routine(&p.open.theatres[i].field, room).map(Action::Battle);
        }
        room.clear();
        self.options(p, seat, room);
        let has = |action: Action| room.offers().iter().any(|o| o.action == action);
        match p.open.step() {
            Step::Castle(_) | Step::Arrival(_) => {
                // What lies near, and how many towns its rich start could hold.
                let near = |id: PlaceId, far: u32| {
                    let hex = self.hex_of(&p.open, id);
                    (0..self.atlas.places.len()).map(PlaceId::at).filter(move |other| {
                        let (sheet, there) = (self.atlas.place(*other), p.open.place(*other));
                        sheet.side == Some(side_of(seat))
                            && sheet.hex.distance(hex) <= far
                            && there.mapped
                            && there.holder.is_none()
                    })
                };
                let worth = |id: PlaceId| -> u16 {
                    let cheap = |other: &PlaceId| self.atlas.place(*other).kind == Kind::Medium;
                    let c = &self.atlas.creation;
                    let fits = |dear: u16| {
                        near(id, c.hexes).filter(cheap).filter(move |o| self.atlas.place(*o).revenue <= dear)
                    };
                    let towns =
                        if fits(c.revenue / 2).count() >= 2 { 2 } else { fits(c.revenue).count().min(1) };
                    towns as u16 * 60 + near(id, 4).map(|other| self.worth(&p.open, other)).sum::<u16>() / 4
                };
                let best = room.offers().iter().filter_map(|o| match o.action {
                    Action::Castle(id) => Some((worth(id) + lots.below(40) as u16, o.action)),
                    _ => None,
                });
                best.max_by_key(|(worth, _)| *worth).map(|(_, action)| action)
            }
            Step::Holding(_) => {
                let best = room.offers().iter().filter_map(|o| match o.action {
                    // A town that leaves room for another first.
                    Action::Hold(id) => {
                        let sheet = self.atlas.place(id);
                        let half = sheet.revenue * 2 <= self.atlas.creation.revenue;
                        Some(((sheet.fame, half, self.worth(&p.open, id)), o.action))
                    }
                    _ => None,
                });
                Some(best.max_by_key(|(worth, _)| *worth).map_or(Action::Settle, |(_, action)| action))
            }
            Step::Creation(_) if has(Action::Ready) => Some(Action::Ready),
            Step::Creation(_) => {
                let trait_of = room.offers().iter().find_map(|o| match (o.action, o.range) {
                    (Action::Raise(which, _), Some((_, most))) => {
                        Some(Action::Raise(which, (1 + most / 4).min(most) as u8))
                    }
                    _ => None,
                });
                let hire = || {
                    let men: u32 =
                        room.offers().iter().filter(|o| matches!(o.action, Action::Hire(_))).count() as u32;
                    let pick = lots.below(men.max(1)) as usize;
                    room.offers().iter().map(|o| o.action).filter(|a| matches!(a, Action::Hire(_))).nth(pick)
                };
                Some(trait_of.or_else(hire).unwrap_or(Action::Seal))
            }
            Step::Writing(_) => Some(self.usual_letter(p, seat, room, lots)),
            Step::Answering(_) => {
                let good = room.offers().iter().map(|o| o.action).find(|a| match a {
                    Action::Accept(from, number) => self.agreeable(p, seat, *from, *number),
                    _ => false,
                });
                Some(good.unwrap_or(Action::Seal))
            }
            Step::Camp(_) => Some(Action::Done),
            Step::Fleet(_) => Some(Action::Done),
            Step::Naval { hex, lords, .. } => {
                let strength = |lord: Seat| -> u16 {
                    let own = p.open.ships_of(lord).filter(|(_, s)| s.at == hex);
                    own.map(|(_, s)| self.atlas.hulls[s.kind as usize].strength).sum()
                };
                let foe = if lords[0] == seat { lords[1] } else { lords[0] };
                let weak = strength(seat) < strength(foe) && has(Action::Flee);
                Some(if weak { Action::Flee } else { Action::Fight })
            }
            Step::Losses { .. } => {
                let worth = |a: &Action| match a {
                    Action::Sink(id) => (p.open.aboard(*id).is_some(), p.open.ship(*id).kind, *id),
                    _ => (true, crate::realm::Hull::Warship, crate::realm::ShipId::at(0)),
                };
                room.offers().iter().map(|o| o.action).min_by_key(worth)
            }
            Step::March { group: None, .. } => {
                let wants = room.offers().iter().map(|o| o.action).find(|a| match a {
                    Action::Take(id) => self.aim(p, seat, *id).is_some(),
                    _ => false,
                });
                Some(wants.unwrap_or(Action::Done))
            }
            Step::March { group: Some((id, _)), .. } => Some(self.usual_step(p, seat, id, room)),
            Step::Meeting { hex, mover, met, .. } => {
                let foe = if seat == mover { met } else { mover };
                let (own, other) = (self.troops_at(p, seat, hex), self.troops_at(p, foe, hex));
                Some(if p.treaty(seat, foe).is_some() {
                    Action::Pass
                } else if has(Action::Refuge) && own < other {
                    Action::Refuge
                } else if own * 2 > other * 3 {
                    Action::Fight
                } else {
                    Action::Pass
                })
            }
            Step::Naming(_) => Some(Action::Done),
            Step::Agreeing(_) => Some(Action::Agree(false)),
            Step::Battles | Step::Sieges => Some(self.usual_day(p, seat, room)),
            Step::Calls(_) => {
                let strong = room.offers().iter().map(|o| o.action).find(|a| match a {
                    Action::Besiege(id) => {
                        let friend = p.open.place(*id).holder.is_some_and(|h| self.friends(p, seat, h));
                        let hex = self.hex_of(&p.open, *id);
                        let needed = [25, 40, 70, 110][self.atlas.place(*id).kind as usize];
                        !friend && self.troops_at(p, seat, hex) >= needed
                    }
                    _ => false,
                });
                Some(strong.unwrap_or_else(|| self.usual_suit(p, seat, room)))
            }
            Step::Suits(_) => Some(self.usual_suit(p, seat, room)),
            Step::Surtax(_) => Some(Action::Tax(false)),
            Step::Ransom(_) => Some(
                room.offers()
                    .iter()
                    .map(|o| o.action)
                    .find(|a| matches!(a, Action::Ransom(_) | Action::Redeem(_)))
                    .unwrap_or(Action::Done),
            ),
            Step::Market(_) => Some(self.usual_market(p, seat, room)),
            Step::Heir(_) => {
                let fame = |a: &Action| match a {
                    Action::Heir(who) => p.open.major_of(seat, *who).map_or(0, |id| p.open.major(id).fame),
                    _ => 0,
                };
                room.offers().iter().map(|o| o.action).max_by_key(fame)
            }
            Step::Over => None,
        }
    }

    /// Peace with whoever is near, an alliance against the first.
    fn usual_letter(&self, p: &Realm, seat: Seat, room: &Options<Action>, lots: &mut Lots) -> Action {
        let offered = |action: Action| room.offers().iter().any(|o| o.action == action);
        if let Some(draft) = &p.hidden.drafts[seat.index()] {
            if offered(Action::Send) {
                return Action::Send;
            }
            // A letter that somebody else began may lack its date.
            let due = room.offers().iter().find(|o| matches!(o.action, Action::Term(Term::Due(_))));
            if let Some(due) = due {
                return due.action;
            }
            let until = (p.open.turn + 4).min(self.last_turn(p));
            let ally = side_of(draft.to) == side_of(seat) && lots.below(3) == 0;
            return Action::Term(if ally { Term::Alliance(until) } else { Term::Peace(until) });
        }
        let wanted = self.correspondent(p, seat).filter(|to| offered(Action::Write(*to)));
        wanted.map_or(Action::Seal, Action::Write)
    }

    /// To whom a lord would write: somebody without a treaty, every third turn.
    fn correspondent(&self, p: &Realm, seat: Seat) -> Option<Seat> {
        p.open.playing().without(seat).iter().find(|to| {
            p.treaty(seat, *to).is_none()
                && p.hidden.letters.iter().all(|l| l.from != seat || l.to != *to)
                && (p.open.turn + seat.index() as u8) % 3 == 1
        })
    }

    /// Whether a letter is worth a signature: no money is asked, and the writer is not far ahead.
    fn agreeable(&self, p: &Realm, seat: Seat, from: Seat, number: u8) -> bool {
        let Some(i) = Self::letter(p, from, seat, number) else { return false };
        let asks = p.hidden.letters[i].terms.iter().flatten().any(|t| {
            matches!(t, Term::Demand(_) | Term::Claim(_) | Term::Want(_) | Term::Release(_) | Term::Homage(_))
        });
        let (own, his) = (self.riches(p, seat), self.riches(p, from));
        let signed = p.hidden.letters[i].answer.is_some();
        !asks && !signed && his.revenue < own.revenue + 150 && p.treaty(seat, from).is_none()
    }

    /// Where a group should go: to the nearest place that it can win by words, else by arms.
    fn aim(&self, p: &Realm, seat: Seat, id: GroupId) -> Option<MapHex> {
        let at = p.open.group(id).at;
        let best = p.men_in(id).filter_map(|m| p.open.major_of(seat, m.who)).max_by_key(|major| {
            u32::from(p.hidden.traits[major.number()].diplomacy) + u32::from(p.open.major(*major).fame)
        })?;
        let troops = self.troops_at(p, seat, at);
        if let Some(town) = self.muster_town(p, seat, best, at) {
            return Some(town).filter(|hex| *hex != at);
        }
        let mut goal: Option<(u32, MapHex)> = None;
        for i in 0..p.open.places.len() {
            let (place, sheet) = (PlaceId::at(i), &self.atlas.places[i]);
            let there = p.open.place(place);
            if !there.mapped || there.holder == Some(seat) && there.controlled {
                continue;
            }
            let free = there.holder.is_none_or(|h| h == seat);
            let points =
                u32::from(p.hidden.traits[best.number()].diplomacy) + u32::from(p.open.major(best).fame);
            let bid = self.bid(p, seat, best, place, Suit::Allegiance);
            let courted = p.open.ladies.free[side_of(seat).index()]
                .is_some_and(|lady| self.atlas.lady(lady).town == place && p.open.major(best).wife.is_none());
            let words = free && points * troops >= bid.needed;
            let arms = troops >= [30, 45, 80, 130][sheet.kind as usize]
                && there.holder.is_none_or(|h| !self.friends(p, seat, h));
            if !(words || arms || courted) {
                continue;
            }
            let far = at.distance(sheet.hex) * 3 + if words { 0 } else { 20 };
            let far = far.saturating_sub(u32::from(self.worth(&p.open, place)) / 20);
            if goal.is_none_or(|(least, _)| far < least) {
                goal = Some((far, sheet.hex));
            }
        }
        // Whoever is where he wants to be stays.
        goal.map(|(_, hex)| hex).filter(|hex| *hex != at)
    }

    /// Before a collection whoever has dinars goes to the nearest town where he can recruit [3.44].
    fn muster_town(&self, p: &Realm, seat: Seat, best: MajorId, at: MapHex) -> Option<MapHex> {
        let left = (self.atlas.every - p.open.turn % self.atlas.every) % self.atlas.every;
        if left > 1 || p.hidden.traits[best.number()].purse < 15 {
            return None;
        }
        let open = |id: &PlaceId| {
            let (there, sheet) = (p.open.place(*id), self.atlas.place(*id));
            let own = there.side == Some(side_of(seat)) && there.holder.is_none_or(|h| p.allied(h, seat));
            sheet.kind.is_town()
                && there.mapped
                && p.open.siege(*id).is_none()
                && (own || there.lord() == Some(seat))
        };
        let towns = (0..p.open.places.len()).map(PlaceId::at).filter(open);
        let towns = towns
            .map(|id| (self.hex_of(&p.open, id).distance(at), p.open.place(id).lord() != Some(seat), id));
        towns.min().filter(|(far, _, _)| *far <= 8).map(|(_, _, id)| self.hex_of(&p.open, id))
    }

    fn usual_step(&self, p: &Realm, seat: Seat, id: GroupId, room: &Options<Action>) -> Action {
        let at = p.open.group(id).at;
        let Some(goal) = self.aim(p, seat, id) else { return Action::Halt };
        let far = self.roads_to(p, goal);
        let here = far[at.number()];
        let nearer = room.offers().iter().filter_map(|o| match o.action {
            Action::Go(direction) => {
                let (to, cost) = self.atlas.step_cost(at, direction)?;
                let rest = far[to.number()];
                (rest < here).then_some((rest.saturating_add(cost.into()), o.action))
            }
            _ => None,
        });
        nearer.min_by_key(|(far, _)| *far).map_or(Action::Halt, |(_, action)| action)
    }

    /// How many points of march it is from every hex to a goal.
    fn roads_to(&self, p: &Realm, goal: MapHex) -> [u16; MapHex::COUNT] {
        let mut far = [u16::MAX; MapHex::COUNT];
        let mut queue: arrayvec::ArrayVec<MapHex, { 4 * MapHex::COUNT }> = arrayvec::ArrayVec::new();
        far[goal.number()] = 0;
        queue.push(goal);
        let mut next = 0;
        while next < queue.len() {
            let to = queue[next];
            next += 1;
            for direction in Direction::ALL {
                let Some(from) = to.neighbour(direction) else { continue };
                if !self.atlas.mapped(p.open.scenario.into(), from) {
                    continue;
                }
                let Some((_, cost)) = self.atlas.step_cost(from, direction.opposite()) else { continue };
                let total = far[to.number()] + u16::from(cost);
                if total < far[from.number()] {
                    far[from.number()] = total;
                    let _ = queue.try_push(from);
                }
            }
        }
        far
    }

    fn usual_day(&self, p: &Realm, seat: Seat, room: &Options<Action>) -> Action {
        let has = |action: Action| room.offers().iter().any(|o| o.action == action);
        let Some(i) = p.open.theatre_of(seat) else { return Action::Wait };
        match p.open.theatres[i].stage {
            Stage::Muster(_) => {
                let call = room.offers().iter().map(|o| o.action);
                call.clone().find(|a| matches!(a, Action::Summon(_) | Action::Join)).unwrap_or(Action::Done)
            }
            Stage::Levy if has(Action::Ready) => Action::Ready,
            Stage::Levy if has(Action::Seal) => Action::Seal,
            Stage::Asked(_) => Action::Quick,
            Stage::Rations => Action::Eat(4),
            Stage::Besiegers => {
                let crate::realm::What::Siege(place) = p.open.theatres[i].what else { return Action::Wait };
                let bonus = p.open.siege(place).map_or(0, |s| self.surrender_bonus(p, s));
                let ladders = p.open.groups_of(seat).any(|(id, _)| p.hidden.cargo[id.number()].ladders > 0);
                if bonus >= 3 || !ladders && !has(Action::Batter) {
                    Action::Parley
                } else if has(Action::Batter) {
                    Action::Batter
                } else {
                    Action::Assault
                }
            }
            Stage::Garrison => Action::Wait,
            _ => room.offers().first().map_or(Action::Wait, |o| o.action),
        }
    }

    fn usual_suit(&self, p: &Realm, seat: Seat, room: &Options<Action>) -> Action {
        let good = room.offers().iter().map(|o| o.action).find(|action| match action {
            Action::Suit(_, Suit::Marriage) => true,
            Action::Suit(who, suit) => self.may_sue(p, seat, *who, *suit).is_ok_and(|(id, place)| {
                let bid = self.bid(p, seat, id, place, *suit);
                bid.points * bid.troops >= bid.needed
                    && (*suit == Suit::Allegiance || p.open.place(place).holder != Some(seat))
            }),
            _ => false,
        });
        // Allegiance is better than an alliance: it comes second in the list, so look for it first.
        let better = room.offers().iter().map(|o| o.action).find(|action| match action {
            Action::Suit(who, Suit::Allegiance) => {
                self.may_sue(p, seat, *who, Suit::Allegiance).is_ok_and(|(id, place)| {
                    let bid = self.bid(p, seat, id, place, Suit::Allegiance);
                    bid.points * bid.troops >= bid.needed
                })
            }
            _ => false,
        });
        better.or(good).unwrap_or(Action::Done)
    }

    fn usual_market(&self, p: &Realm, seat: Seat, room: &Options<Action>) -> Action {
        let polish = room.offers().iter().map(|o| o.action).find(|a| match a {
            Action::Polish(who) => p.open.major_of(seat, *who) == p.open.lords[seat.index()].suzerain,
            _ => false,
        });
        let any = room.offers().iter().map(|o| o.action).find(|a| matches!(a, Action::Polish(_)));
        if let Some(action) = polish.or(any) {
            return action;
        }
        // What a new vassal may have for nothing he takes: diplomacy first, then command and the rest.
        if p.hidden.novices[seat.index()].is_some_and(|n| n.payer.is_none()) {
            let lesson = [Trait::Diplomacy, Trait::Command, Trait::Charisma, Trait::Honour];
            let lesson = lesson.map(|which| Action::Raise(which, 1));
            if let Some(action) = lesson.into_iter().find(|a| room.offers().iter().any(|o| o.action == *a)) {
                return action;
            }
        }
        let data = &self.tactics().data;
        let best = room.offers().iter().filter_map(|o| match o.action {
            Action::Hire(counter) => Some((data.kind(counter).points, data.card(counter).cost, o.action)),
            _ => None,
        });
        // As many points of troops as the purse can buy.
        let value = |points: u8, cost: u16| u32::from(points) * 1000 / u32::from(cost.max(1));
        if let Some((_, _, action)) = best.max_by_key(|(points, cost, _)| (value(*points, *cost), *cost)) {
            return action;
        }
        // Ladders for the next assault.
        let ladders = room.offers().iter().find_map(|o| match o.action {
            Action::Buy(Good::Ladder, id, _) if p.hidden.cargo[id.number()].ladders < 4 => Some(o.action),
            _ => None,
        });
        if let Some(action) = ladders {
            return action;
        }
        let next = room.offers().iter().map(|o| o.action);
        let next = next
            .clone()
            .find(|a| matches!(a, Action::Advance(..) | Action::Elite(_)))
            .or_else(|| next.clone().find(|a| matches!(a, Action::Recruit(_))));
        next.unwrap_or(Action::Done)
    }
}
