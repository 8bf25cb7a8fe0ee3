//! What bots steer by: an appraisal of signs, what is worth a thought, and the house's habits.

use table::rooms::*;
use table::weights::{Sign, chance};
use table::{Lots, Options, Seat};

use super::action::{Action, Within};
use super::position::{Position, Prelude};
use super::{Skirmish, side_of};
use crate::data::NCO;
use crate::deed::Deed;
use crate::field::{EngineKind, Fate, Field, Marks, Step};
use crate::house::Room;
use crate::ids::{Counter, Side, Who};
use crate::tactics::Tactics;

/// What the appraisal adds up, each for one's own side less the same for the other.
pub(crate) const SIGNS: [Sign; 9] = [
    Sign::good("points"),
    Sign::good("strength"),
    Sign::good("life"),
    Sign::good("nerve"),
    Sign::good("standing"),
    Sign::good("horses"),
    Sign::good("command"),
    Sign::either("closeness"),
    Sign::either("walls"),
];

/// How many men a house that musters looks at before it buys one.
const LOOKED_AT: u32 = 6;
/// How many men one who thinks about his muster thinks about.
const CONSIDERED: usize = 8;
/// For how many points of a muster it wants another leader besides the first.
const ANOTHER_LEADER: u16 = 210;

/// Weights for battles in the field and for assaults.
pub(crate) const TABLES: [&str; 2] = ["field", "assault"];

impl Minded for Skirmish {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        if let Some(outcome) = self.outcome(p) {
            return outcome.worth(seat);
        }
        if p.open.prelude != Prelude::Past {
            return 0.5;
        }
        let signs = self.signs_of(&p.open.field, side_of(seat));
        chance(&signs, self.weights.of(usize::from(p.open.field.siege.is_some())))
    }

    fn considered(&self, p: &Position, seat: Seat, action: Action) -> bool {
        match action {
            Action::Quick => false,
            Action::Buy(who) => {
                let side = side_of(seat);
                let own = self.bargain(who.counter);
                let better = self.buyable(p, side).filter(|other| self.bargain(*other) > own);
                self.buyable(p, side).any(|c| c == who.counter) && better.count() < CONSIDERED
            }
            Action::Seal => self.buyable(p, side_of(seat)).next().is_none(),
            Action::Field(deed) => self.tactics.worth_a_thought(&p.open.field, deed),
            _ => true,
        }
    }

    fn habit(&self, p: &Position, seat: Seat, room: &mut Options<Action>, lots: &mut Lots) -> Option<Action> {
        // At rest when a player-turn begins.
        if p.open.prelude == Prelude::Past {
            let f = &p.open.field;
            let begun = f.of(f.active).any(|(_, m)| m.is(Marks::SHOT.or(Marks::MOVED).or(Marks::ORDERED)))
                || f.men.iter().any(|m| m.is(Marks::ATTACKED.or(Marks::WATCHED)));
            if matches!(f.step(), Step::Fire | Step::Move) && !begun {
                return None;
            }
        }
        self.routine(p, seat, room, lots)
    }

    fn signs(&self) -> &'static [Sign] {
        &SIGNS
    }

    fn measure(&self, p: &Position, seat: Seat) -> Vec<f32> {
        self.signs_of(&p.open.field, side_of(seat)).to_vec()
    }
}

impl Room for Options<Action> {
    fn fill(&mut self, tactics: &Tactics, f: &Field) {
        self.clear();
        tactics.options(f, &mut Within(self));
    }
    fn deeds(&self) -> impl Iterator<Item = Deed> + '_ {
        self.offers().iter().filter_map(|offer| match offer.action {
            Action::Field(deed) => Some(deed),
            _ => None,
        })
    }
}

impl Skirmish {
    /// What an old hand does here without thinking.
    pub fn routine(
        &self,
        p: &Position,
        seat: Seat,
        room: &mut Options<Action>,
        lots: &mut Lots,
    ) -> Option<Action> {
        match p.open.prelude {
            Prelude::Quick => Some(Action::Fight),
            Prelude::Muster(_) => Some(self.routine_buy(p, side_of(seat), lots)),
            Prelude::Past => self.tactics.routine(&p.open.field, room).map(Action::Field),
        }
    }

    /// Whom an old hand would look at: leaders, until there are enough, then soldiers.
    fn buyable(&self, p: &Position, side: Side) -> impl Iterator<Item = Counter> + Clone {
        let data = &self.tactics.data;
        let muster = &p.hidden.musters[side.index()];
        let led = muster.iter().filter(|who| data.kind(who.counter).class <= NCO).count();
        let leader = led < 1 + usize::from(p.open.sum / ANOTHER_LEADER);
        (0..data.counters.len()).map(Counter::at).filter(move |counter| {
            let kind = data.kind(*counter);
            data.for_sale(*counter, side)
                && self.may_buy(p, side, *counter).is_ok()
                && (kind.class <= NCO) == leader
                && kind.points > 0
        })
    }

    /// Buys leaders, then soldiers, while there is money: of a few whom the lot names, the one who gives most for his
    /// price.
    fn routine_buy(&self, p: &Position, side: Side, lots: &mut Lots) -> Action {
        let data = &self.tactics.data;
        let muster = &p.hidden.musters[side.index()];
        let all = || self.buyable(p, side);
        let count = all().count() as u32;
        let drawn =
            (0..LOOKED_AT).filter(|_| count > 0).filter_map(|_| all().nth(lots.below(count) as usize));
        match drawn.max_by_key(|counter| self.bargain(*counter)) {
            Some(counter) => Action::Buy(Who::first(counter)),
            None if !muster.iter().any(|who| data.kind(who.counter).class <= NCO) => {
                let any = (0..data.counters.len()).map(Counter::at).find(|c| {
                    data.for_sale(*c, side) && data.kind(*c).class <= NCO && self.may_buy(p, side, *c).is_ok()
                });
                any.map_or(Action::Seal, |counter| Action::Buy(Who::first(counter)))
            }
            None => Action::Seal,
        }
    }

    /// What a man gives for a point of his price, for an old hand's eye: strength on the side of his counter that he
    /// fights on, more in armour, on a horse or with a bow. The figures were found by playing.
    fn bargain(&self, counter: Counter) -> u32 {
        let (card, kind) = (self.tactics.data.card(counter), self.tactics.data.kind(counter));
        let face = card.mounted.map_or(card.foot[0], |faces| faces[0]);
        let armour = if kind.armoured { 12 } else { 10 };
        let bow = if kind.weapon.is_some() { 14 } else { 10 };
        let horse = if card.mounted.is_some() { 12 } else { 10 };
        let strength = u32::from(face.attack) + 2 * u32::from(face.defence) + u32::from(kind.morale) / 2;
        strength * armour * bow * horse / u32::from(card.cost.max(1))
    }

    /// The signs of a field for a side.
    fn signs_of(&self, f: &Field, side: Side) -> [f32; SIGNS.len()] {
        let own = self.side_signs(f, side);
        let other = self.side_signs(f, side.foe());
        let mut signs = [0.0; SIGNS.len()];
        for (i, sign) in signs.iter_mut().enumerate() {
            *sign = own[i] - other[i];
        }
        if let Some(siege) = f.siege {
            let besieger = if siege.defender == side { -1.0 } else { 1.0 };
            let up =
                f.of(siege.defender.foe()).filter(|(_, m)| m.stands() && m.at.is_some_and(|at| f.inner(at)));
            let ladders = f.engines().filter(|(_, e)| e.kind == EngineKind::Ladder && e.raised).count();
            signs[8] = besieger * (up.count() as f32 + ladders as f32 * 0.5 + f32::from(siege.gate) * 0.7);
        }
        signs
    }

    fn side_signs(&self, f: &Field, side: Side) -> [f32; SIGNS.len()] {
        let t = &self.tactics;
        let mut signs = [0.0; SIGNS.len()];
        signs[0] = t.score(f, side) as f32 / 10_000.0;
        for (man, m) in f.all().filter(|(_, m)| m.side == side && m.fate == Fate::Fights) {
            if !m.here() {
                continue;
            }
            let cost = f32::from(t.card(m).cost);
            let share = f32::from(m.life) / f32::from(t.card(m).life.max(1));
            let force = f32::from(t.face(m).attack) + f32::from(m.experience);
            if m.steady() {
                signs[1] += force / 50.0;
            }
            signs[2] += cost * share / 100.0;
            signs[3] -=
                f32::from(u8::from(m.is(Marks::PANIC))) * 0.3 + f32::from(u8::from(m.is(Marks::ROUT)));
            signs[4] -= f32::from(u8::from(m.is(Marks::STUNNED))) * cost / 100.0;
            signs[5] += f32::from(u8::from(m.mounted())) * 0.2;
            if f.chiefs[side.index()].man == man && m.steady() {
                signs[6] = 1.0;
            }
            if let Some(at) = m.at {
                signs[7] -= f.from_foes(at, side).min(12) as f32 / 50.0;
            }
        }
        signs
    }
}
