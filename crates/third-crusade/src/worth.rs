//! What a region, a march, an order or an effect promises, in small coin: [`GLORY`] of it make a point of Glory.
//!
//! Bots plan and appraise by these figures; no rule depends on them.

use crate::ThirdCrusade;
use crate::data::{Effect, March as Kind, Whose};
use crate::ids::{Army, Order, Region, Side, Unit};
use crate::position::{Force, Open};

/// What a point of Glory is worth.
pub(crate) const GLORY: i16 = 6;
/// What an open icon is worth in the long run: supply, gold, command, crown, Glory.
const ICONS_WORTH: [i16; 5] = [1, 2, 4, 3, 5];
/// What a Unit is worth that is mustered: Infantry, Cavalry, a Siege Engine.
const UNITS_WORTH: [i16; 3] = [3, 4, 5];
/// Attackers want to be stronger by so much where an enemy's order could be a defence.
const COVER: i16 = 1;

impl ThirdCrusade {
    /// What it is worth to an alliance to hold a region.
    pub(crate) fn region_worth(&self, open: &Open, region: Region, side: Side) -> i16 {
        let c = &self.components;
        let icons = self.icons(open, region);
        let mut worth: i16 = icons.iter().zip(ICONS_WORTH).map(|(n, each)| i16::from(*n) * each).sum();
        if open.mission.is_some_and(|mission| self.counts_for(open, region, c.missions[mission].glory)) {
            worth += GLORY;
        }
        worth += 2 * i16::from(c.cities.has(region)) + i16::from(c.mercantile.has(region));
        if region == c.jerusalem && side == Side::Crusader {
            worth += 2 * GLORY;
        }
        worth
    }

    /// What a march of these pieces from one region to another promises an army.
    pub(crate) fn march_worth(
        &self,
        open: &Open,
        army: Army,
        (from, to): (Region, Region),
        group: &Force,
        strength: u8,
    ) -> i16 {
        let side = army.side();
        let gain = self.region_worth(open, to, side);
        if self.side_presence(open, to, side.other()) {
            let there = &open.lands[to];
            let own = i16::from(self.power(open, group, to)) + i16::from(strength);
            let covered = open.orders[side.other()][to].is_some_and(|placed| placed.face.is_none());
            let foe = i16::from(self.power(open, there, to)) + if covered { COVER } else { 0 };
            if own <= foe {
                return -2 * GLORY;
            }
            let led = i16::from(!group.leaders.is_empty()) + i16::from(!there.leaders.is_empty());
            let city = i16::from(self.components.cities.has(to));
            // What the enemy loses counts as much as what is gained.
            return GLORY * (city + led) + 2 * gain + (own - foe).min(4);
        }
        if self.side_presence(open, to, side) {
            return -1;
        }
        // A garrison holds what is left behind, if there is anybody to leave.
        let stays = open.lands[from].size() > group.size() || group.all_units() > 1;
        let left = if stays { 0 } else { self.region_worth(open, from, side) };
        gain + i16::from(open.lands[to].size()) - left
    }

    /// The best that a march from a region promises, and where to.
    pub(crate) fn best_march(
        &self,
        open: &Open,
        army: Army,
        kind: Kind,
        from: Region,
        strength: u8,
    ) -> (i16, Option<Region>) {
        let group = self.movable(open, army, kind, from);
        let mut best = (0, None);
        if group.is_empty() {
            return best;
        }
        for to in self.goals(open, kind, from) {
            let worth = self.march_worth(open, army, (from, to), &group, strength);
            if worth > best.0 {
                best = (worth, Some(to));
            }
        }
        best
    }

    /// How much stronger the strongest enemy next to a region is than those who hold it.
    pub(crate) fn threat(&self, open: &Open, region: Region, side: Side) -> i16 {
        let own = i16::from(self.power(open, &open.lands[region], region));
        let enemies = self.beside(open, region).iter().filter(|r| self.side_presence(open, *r, side.other()));
        let strongest = enemies.map(|r| i16::from(self.power(open, &open.lands[r], region))).max();
        strongest.map_or(-GLORY, |foe| foe - own)
    }

    /// What Units of an army's own promise that are mustered in a region, with so much supply to spare.
    pub(crate) fn muster_worth(
        &self,
        open: &Open,
        army: Army,
        unit: Unit,
        n: u8,
        region: Region,
        spare: i16,
    ) -> i16 {
        let n = n.min(self.room(open, region, unit.shape())).min(self.in_pool(open, army, unit));
        let off = open.off_board(army, unit);
        let more = i16::from(self.section_need(unit, off + n) - self.section_need(unit, off));
        let hunger = (more - spare.max(0)).max(0);
        let near = i16::from(n > 0 && self.threat(open, region, army.side()) > -GLORY);
        i16::from(n) * UNITS_WORTH[unit as usize] + near - GLORY * hunger
    }

    /// What an order promises in a region where it can be executed, with so much supply to spare.
    pub(crate) fn order_worth(
        &self,
        open: &Open,
        army: Army,
        order: Order,
        region: Region,
        spare: i16,
    ) -> i16 {
        let side = army.side();
        let parts = self.components.orders[order].parts.iter();
        parts
            .map(|part| match part.effect {
                Effect::March { kind, strength, .. } => self.best_march(open, army, kind, region, strength).0,
                Effect::Muster { unit, n, whose: Whose::Own, .. } => {
                    self.muster_worth(open, army, unit, n, region, spare)
                }
                Effect::Repair { .. } => match open.works[region].sabotage {
                    0 => 0,
                    _ => 3 * i16::from(self.side_presence(open, region, side)),
                },
                Effect::Sabotage { .. } => {
                    let enemy = self.side_presence(open, region, side.other());
                    if enemy && self.sabotage_slots(open, region).any() { 3 } else { -GLORY }
                }
                Effect::PlaceToken { n, .. } => {
                    2 * i16::from(n) * i16::from(self.presence(open, region, army))
                }
                // One that is never used costs a point of Glory.
                Effect::Defence(n) => match self.threat(open, region, side) {
                    threat if threat > 0 && threat <= i16::from(n) => GLORY / 2,
                    _ => -GLORY / 2,
                },
                Effect::Reinforce(_) | Effect::Diversion | Effect::TacticalRetreat => -GLORY / 2,
                Effect::Blank => -GLORY,
                _ => effect_worth(&part.effect),
            })
            .sum()
    }
}

/// What an effect is about worth, wherever it happens.
pub(crate) fn effect_worth(effect: &Effect) -> i16 {
    match *effect {
        Effect::Glory(n) => GLORY * i16::from(n),
        Effect::Faith(n) => 2 * i16::from(n),
        Effect::Gold(n) => i16::from(n),
        Effect::BaseCommand(n) => 4 * i16::from(n),
        Effect::Command(n) => 2 * i16::from(n),
        Effect::AdvancedOrder(n) => 2 * i16::from(n),
        Effect::DiplomacyMove(n) => 4 * i16::from(n),
        Effect::Muster { n, unit, .. } => i16::from(n) * UNITS_WORTH[unit as usize],
        Effect::RemoveUnit { n, .. } => 3 * i16::from(n),
        Effect::PlaceLeader { .. } | Effect::NeutralLeader { .. } | Effect::RemoveLeader { .. } => 5,
        Effect::PlaceToken { icon, n, .. } => i16::from(n) * ICONS_WORTH[icon as usize],
        Effect::RemoveToken { n, .. } | Effect::Sabotage { n, .. } | Effect::Repair { n, .. } => {
            2 * i16::from(n)
        }
        Effect::DestroyPort { .. } => 2,
        Effect::Bandit(n) | Effect::RemoveBandit(n) => i16::from(n),
        Effect::March { strength, .. } => 4 + i16::from(strength),
        Effect::FlipLeader(_) => 1,
        Effect::Defence(_)
        | Effect::Reinforce(_)
        | Effect::Diversion
        | Effect::TacticalRetreat
        | Effect::Blank => 0,
    }
}
