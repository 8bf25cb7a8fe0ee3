//! Battles up to their decision [battle.1 to battle.6]: sides, strength, the Faith bonus, and reactions by the weaker
//! side until it declines.
//!
//! Who is asked follows from what everybody knows: a face-down order near by that could be a Reaction Order. What only
//! its owner knows, that it is a blank, closes nothing.

use arrayvec::ArrayVec;
use table::{Ballot, Readers, Rule, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::Effect;
use crate::ids::{Army, Order, Owner, Region, Side, UNITS};
use crate::position::{
    Ambush, Battle, Column, Force, Losses, Open, Position, Reaction, Retreat, Stage, Step,
};

/// What a side's strength is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Might {
    /// Units and leaders in the battle.
    pub(crate) pieces: u8,
    /// What the march adds.
    pub(crate) march: u8,
    /// The Faith bonus of a lone player.
    pub(crate) faith: u8,
    /// Defence Orders.
    pub(crate) defence: u8,
    /// Reinforcements.
    pub(crate) reinforced: u8,
}

impl Might {
    pub(crate) const fn sum(self) -> u8 {
        self.pieces + self.march + self.faith + self.defence + self.reinforced
    }
}

impl ThirdCrusade {
    pub(super) fn begin_battle(
        &self,
        p: &mut Position,
        column: &Column,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        // A battle ends the march, won or lost.
        p.open.march = None;
        let region = column.to;
        let defender = self.in_charge(&p.open, region, column.army.side().other());
        let led = [!column.force.leaders.is_empty(), !p.open.lands[region].leaders.is_empty()];
        p.open.battle = Some(Battle {
            region,
            attacker: column.army,
            defender,
            from: column.from,
            sea: column.sea,
            ignores: column.ignores,
            strength: column.strength,
            force: column.force,
            reactions: ArrayVec::new(),
            declined: Set::NONE,
            stage: Stage::React,
            winner: None,
            margin: 0,
            led,
            killed: false,
            quiet: false,
        });
        let (who, place, whom) = (
            self.components.army(column.army),
            self.components.place(region),
            self.components.army(defender),
        );
        umpire.note(Readers::ALL, rule!("battle.1"), format_args!("{who} attacks {whom} in {place}"));
        p.open.agenda.push(Step::Battle);
    }

    /// Who leads an alliance in a region: who controls it, and of tied partners who is ahead in initiative [battle.1].
    pub(crate) fn in_charge(&self, open: &Open, region: Region, side: Side) -> Army {
        let there: Set<Army> =
            open.armies(side).iter().filter(|army| self.presence(open, region, *army)).collect();
        let controller = self.control(open, region).filter(|army| there.has(*army));
        controller
            .or_else(|| open.ahead(there))
            .or_else(|| open.ahead(open.armies(side)))
            .unwrap_or(side.armies()[0])
    }

    /// The defenders: pieces of the attacked alliance and white ones in the region.
    #[inline]
    pub(crate) fn defenders<'a>(&self, open: &'a Open, battle: &Battle) -> &'a Force {
        &open.lands[battle.region]
    }

    /// The strength of a force in a region [battle.3].
    pub(crate) fn power(&self, open: &Open, force: &Force, region: Region) -> u8 {
        let strength = &self.components.figures.strength[usize::from(!self.components.cities.has(region))];
        let mut units = [0; 3];
        for own in force.units.values() {
            for unit in UNITS {
                units[unit as usize] += own[unit as usize];
            }
        }
        for leader in force.leaders {
            for (sum, icons) in units.iter_mut().zip(self.face(open, leader).units) {
                *sum += icons;
            }
        }
        units.iter().zip(strength).map(|(n, each)| n * each).sum()
    }

    /// Whether a force has leaders and none of them, nor anything else, can fight [battle.3].
    fn is_helpless(&self, open: &Open, force: &Force) -> bool {
        force.all_units() == 0 && force.leaders.iter().all(|l| self.face(open, l).units == [0; 3])
    }

    /// Whether a lone player has more Faith than his enemies [battle.4].
    pub(crate) fn has_faith_bonus(&self, open: &Open, side: Side) -> bool {
        open.is_lone(side) && open.faith[side] > open.faith[side.other()].abs()
    }

    /// Which reactions are not cancelled: of a Diversion against a Diversion the later one holds [glossary.diversion].
    pub(crate) fn live(&self, battle: &Battle) -> u16 {
        let mut live = (1u32 << battle.reactions.len()) as u16 - 1;
        for (i, reaction) in battle.reactions.iter().enumerate().rev() {
            if let Some(against) = reaction.against.filter(|_| live >> i & 1 == 1) {
                live &= !(1 << against);
            }
        }
        live
    }

    fn reaction_effect(&self, order: Order) -> Effect {
        self.components.orders[order].parts.first().map_or(Effect::Blank, |part| part.effect)
    }

    /// The regions whose Units reinforce a side.
    pub(crate) fn reinforcing(&self, battle: &Battle, side: Side) -> Set<Region> {
        let live = self.live(battle);
        let counts = |(i, r): &(usize, &Reaction)| {
            live >> i & 1 == 1
                && r.army.side() == side
                && matches!(self.reaction_effect(r.order), Effect::Reinforce(_))
        };
        battle.reactions.iter().enumerate().filter(counts).map(|(_, r)| r.at).collect()
    }

    /// The strength of a side, in its parts.
    pub(crate) fn might(&self, open: &Open, battle: &Battle, side: Side) -> Might {
        let attacks = battle.attacker.side() == side;
        let force = if attacks { &battle.force } else { self.defenders(open, battle) };
        let mut might = Might {
            pieces: self.power(open, force, battle.region),
            march: if attacks { battle.strength } else { 0 },
            faith: if self.has_faith_bonus(open, side) { self.components.figures.faith_strength } else { 0 },
            ..Might::default()
        };
        let live = self.live(battle);
        for (i, reaction) in battle.reactions.iter().enumerate() {
            if live >> i & 1 == 0 || reaction.army.side() != side {
                continue;
            }
            match self.reaction_effect(reaction.order) {
                Effect::Defence(n) => might.defence += n,
                Effect::Reinforce(each) => {
                    might.reinforced += each * open.lands[reaction.at].all_units();
                }
                _ => {}
            }
        }
        might
    }

    /// The alliance that is weaker now: the attackers, if they are level [battle.5].
    pub(crate) fn weaker(&self, open: &Open, battle: &Battle) -> Side {
        let attackers = battle.attacker.side();
        let (attack, defence) =
            (self.might(open, battle, attackers).sum(), self.might(open, battle, attackers.other()).sum());
        if attack <= defence { attackers } else { attackers.other() }
    }

    /// Who is asked for a reaction now, as everybody can know.
    pub(crate) fn asked(&self, p: &Position) -> Option<Army> {
        let battle = p.open.battle.as_ref()?;
        if battle.stage != Stage::React {
            return None;
        }
        let side = self.weaker(&p.open, battle);
        let leader = if battle.attacker.side() == side {
            battle.attacker
        } else {
            self.in_charge(&p.open, battle.region, side)
        };
        let partner = p.open.partner(leader);
        [Some(leader), partner]
            .into_iter()
            .flatten()
            .find(|army| !battle.declined.has(*army) && self.could_react(&p.open, battle, *army))
    }

    /// Whether an army could have an answer, as far as everybody knows.
    fn could_react(&self, open: &Open, battle: &Battle, army: Army) -> bool {
        let near = self.beside(open, battle.region).with(battle.region);
        let orders = &open.orders[army.side()];
        let face_down =
            |r: &Region| orders[*r].is_some_and(|placed| placed.army == army && placed.face.is_none());
        near.iter().filter(face_down).any(|at| {
            let reactions =
                self.components.orders_of[army].iter().filter(|o| self.components.orders[*o].reaction);
            reactions
                .filter(|o| self.owned(open, *o) > open.aside[*o])
                .any(|order| self.no_reaction(open, battle, army, order, at).is_none())
        })
    }

    /// Why a Reaction Order in a region cannot be executed in a battle.
    fn no_reaction(
        &self,
        open: &Open,
        battle: &Battle,
        army: Army,
        order: Order,
        at: Region,
    ) -> Option<(Rule, &'static str)> {
        if at != battle.region && !self.beside(open, battle.region).has(at) {
            return Some((rule!("3.9"), "it lies neither in the battle's region nor next to it"));
        }
        if let Some(unmet) = self.unmet_in_battle(open, battle, army, order, at) {
            return Some(unmet);
        }
        let attacks = army.side() == battle.attacker.side();
        match self.reaction_effect(order) {
            Effect::Defence(_) if attacks => Some((rule!("glossary.defence"), "only defenders use it")),
            Effect::Defence(_) if at != battle.region => {
                Some((rule!("glossary.defence"), "it helps in its own region only"))
            }
            Effect::Reinforce(_) if at == battle.region => {
                Some((rule!("glossary.reinforce-order"), "the battle must be in a region next to it"))
            }
            Effect::Diversion if self.targets(open, battle, army, at).is_empty() => {
                Some((rule!("glossary.diversion"), "no reaction of the enemy next to it can be cancelled"))
            }
            Effect::TacticalRetreat if attacks => {
                Some((rule!("glossary.tactical-retreat"), "only those who are attacked use it"))
            }
            Effect::TacticalRetreat if at != battle.region => {
                Some((rule!("glossary.tactical-retreat"), "it must lie in the region that is attacked"))
            }
            effect if effect.is_reaction() => None,
            _ => Some((rule!("3.9"), "it is no Reaction Order")),
        }
    }

    /// The requirements of an order in a battle: attackers stand in the battle's region, and nowhere behind.
    fn unmet_in_battle(
        &self,
        open: &Open,
        battle: &Battle,
        army: Army,
        order: Order,
        at: Region,
    ) -> Option<(Rule, &'static str)> {
        let sheet = &self.components.orders[order];
        let attacks = at == battle.region && self.present(&battle.force, army.owner());
        if attacks && self.is(open, at, sheet.sort) {
            let dear = sheet.cost > open.command[army];
            return dear.then_some((rule!("3.8"), "the command points do not suffice"));
        }
        self.unmet(open, army, order, at)
    }

    /// The regions from which an enemy's reaction can be cancelled by a Diversion.
    fn targets(&self, open: &Open, battle: &Battle, army: Army, at: Region) -> Set<Region> {
        let (live, near) = (self.live(battle), self.beside(open, at));
        let can = |(i, r): &(usize, &Reaction)| {
            live >> i & 1 == 1
                && r.army.side() != army.side()
                && near.has(r.at)
                && self.reaction_effect(r.order) != Effect::TacticalRetreat
        };
        battle.reactions.iter().enumerate().filter(can).map(|(_, r)| r.at).collect()
    }

    pub(super) fn list_reactions(
        &self,
        p: &Position,
        army: Army,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let Some(battle) = &p.open.battle else { return };
        let side = army.side();
        for at in p.open.table.ground {
            let Some(placed) = p.open.orders[side][at] else { continue };
            if placed.army != army {
                ballot.refuse(
                    Action::React(at, None),
                    rule!("3.1"),
                    format_args!("it is the partner's order"),
                );
                continue;
            }
            let Some(order) = p.hidden.orders[side][at] else { continue };
            if let Some((rule, why)) = self.no_reaction(&p.open, battle, army, order, at) {
                ballot.refuse(Action::React(at, None), rule, format_args!("{why}"));
            } else if self.reaction_effect(order) == Effect::Diversion {
                for target in self.targets(&p.open, battle, army, at) {
                    ballot.allow(Action::React(at, Some(target)));
                }
            } else {
                ballot.allow(Action::React(at, None));
            }
        }
        ballot.allow(Action::Decline);
    }

    pub(super) fn react(
        &self,
        p: &mut Position,
        army: Army,
        at: Region,
        target: Option<Region>,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(order) = self.turn_order(p, army, at, umpire) else { return };
        let (who, title, place) =
            (self.components.army(army), &self.components.orders[order].title, self.components.place(at));
        umpire.note(Readers::ALL, rule!("battle.5"), format_args!("{who} answers with {title} at {place}"));
        umpire.cite(rule!("3.9"));
        umpire.cite(rule!("glossary.reaction-order"));
        let Some(battle) = &mut p.open.battle else { return };
        battle.declined = Set::NONE;
        let against = target.and_then(|target| {
            let hit = |r: &Reaction| r.at == target && r.army.side() != army.side();
            battle.reactions.iter().rposition(hit).map(|i| i as u8)
        });
        battle.reactions.push(Reaction { army, order, at, against });
        let region = battle.region;
        if at != region {
            umpire.cite(rule!("glossary.adjacent"));
        }
        match self.reaction_effect(order) {
            Effect::Defence(_) => umpire.cite(rule!("glossary.defence")),
            Effect::Reinforce(_) => {
                umpire.cite(rule!("glossary.reinforce-order"));
                // That a march ignores bandits helps nobody who comes from elsewhere.
                if let Some(road) = self.components.road[at][region] {
                    let left = std::mem::take(&mut p.open.bandits[road]) * self.components.figures.prices.2;
                    if left > 0 {
                        umpire.cite(rule!("glossary.bandit"));
                        let ambush = Ambush { army, left, lost: [0; 2], reinforcing: Some(at) };
                        p.open.agenda.push(Step::Bandits(ambush));
                    }
                }
            }
            Effect::Diversion => umpire.cite(rule!("glossary.diversion")),
            Effect::TacticalRetreat => self.leave_tactically(p, army, umpire),
            _ => {}
        }
    }

    /// A player loses a Unit and retreats before the battle is decided [glossary.tactical-retreat].
    fn leave_tactically(&self, p: &mut Position, army: Army, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("glossary.tactical-retreat"));
        let Some(battle) = &p.open.battle else { return };
        let (region, from) = (battle.region, battle.from);
        let controls = self.control(&p.open, region) == Some(army);
        let owners = [Some(army.owner()), controls.then(Owner::neutral)];
        let mut pool = Force::none();
        for owner in owners.into_iter().flatten() {
            pool.units[owner] = p.open.lands[region].units[owner];
            pool.leaders |= p.open.lands[region].leaders & self.components.leaders_of[owner];
        }
        let has_units = pool.all_units() > 0;
        p.open.lands[region].subtract(&pool);
        p.open.retreat = Some(Retreat {
            army,
            from: region,
            group: pool,
            rest: Force::none(),
            only: None,
            barred: from,
            overseas: None,
            ignores: false,
            beaten: false,
        });
        p.open.agenda.push(Step::Retreat);
        if has_units {
            let losses = Losses { army, left: 1, lost: [0; 3], first: true, tactical: true };
            p.open.agenda.push(Step::Losses(losses));
        }
    }

    pub(super) fn decline(&self, p: &mut Position, army: Army, umpire: &mut (impl Umpire + ?Sized)) {
        if let Some(battle) = &mut p.open.battle {
            battle.declined.insert(army);
        }
        let who = self.components.army(army);
        umpire.note(Readers::ALL, rule!("battle.5"), format_args!("{who} executes no Reaction Order"));
    }

    /// The battle goes on by itself until somebody is asked.
    pub(super) fn fighting(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let Some(battle) = &p.open.battle else {
            p.open.agenda.pop();
            return false;
        };
        match battle.stage {
            Stage::React => self.reacting(p, umpire),
            Stage::WinnerLoses => self.winner_loses(p, umpire),
            Stage::LoserLoses => self.loser_loses(p),
            Stage::LoserRetreats => self.loser_retreats(p, umpire),
            Stage::WinnerStays => self.winner_stays(p),
            Stage::Glory => self.battle_glory(p, umpire),
        }
    }

    fn reacting(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let open = &p.open;
        let Some(battle) = &open.battle else { return false };
        let (attackers, region) = (battle.attacker.side(), battle.region);
        let defenders = attackers.other();
        if !self.side_presence(open, region, defenders) {
            // All have left: the attackers walk in, and nobody has won a battle.
            self.set_stage(p, Stage::WinnerStays, |battle| {
                battle.winner = Some(attackers);
                battle.quiet = true;
            });
            return false;
        }
        if self.is_helpless(open, &battle.force) {
            self.rout(p, attackers, umpire);
            return false;
        }
        if self.is_helpless(open, self.defenders(open, battle)) {
            self.rout(p, defenders, umpire);
            return false;
        }
        if self.asked(p).is_some() {
            return true;
        }
        let (attack, defence) = (self.might(open, battle, attackers), self.might(open, battle, defenders));
        let (winner, margin) = if attack.sum() > defence.sum() {
            (attackers, attack.sum() - defence.sum())
        } else {
            (defenders, defence.sum() - attack.sum())
        };
        if umpire.writes() {
            let (attack_sum, defence_sum) = (attack.sum(), defence.sum());
            umpire.note(
                Readers::ALL,
                rule!("battle.6"),
                format_args!(
                    "The attackers have a strength of {attack_sum}, the defenders of {defence_sum}: {} wins in {}",
                    winner.name(),
                    self.components.place(region)
                ),
            );
            umpire.cite(rule!("battle.3"));
            umpire.cite(rule!("glossary.battle-strength"));
            let mut all = battle.force;
            all.add(self.defenders(open, battle));
            let kinds =
                [rule!("glossary.infantry"), rule!("glossary.cavalry"), rule!("glossary.siege-engine")];
            for (unit, rule) in UNITS.into_iter().zip(kinds) {
                if all.units.values().iter().any(|units| units[unit as usize] > 0) {
                    umpire.cite(rule);
                }
            }
            if attack.faith + defence.faith > 0 {
                umpire.cite(rule!("battle.4"));
            }
            let white = Owner::neutral();
            if battle.force.count(white) + self.defenders(open, battle).count(white) > 0 {
                umpire.cite(rule!("battle.2"));
                umpire.cite(rule!("glossary.neutral"));
            }
        }
        let defender = self.in_charge(open, region, defenders);
        let led = !open.lands[region].leaders.is_empty();
        self.set_stage(p, Stage::WinnerLoses, |battle| {
            battle.led[1] = led;
            battle.winner = Some(winner);
            battle.margin = margin;
            battle.defender = defender;
        });
        false
    }

    /// Leaders without a Unit icon, alone: they are lost, and the others win without losses [battle.3].
    fn rout(&self, p: &mut Position, side: Side, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(battle) = &mut p.open.battle else { return };
        let region = battle.region;
        if battle.attacker.side() == side {
            battle.force = Force::none();
        } else {
            p.open.lands[region].leaders = Set::NONE;
        }
        umpire.note(
            Readers::ALL,
            rule!("battle.3"),
            format_args!(
                "Leaders who cannot fight are lost in {}: {} wins",
                self.components.place(region),
                side.other().name()
            ),
        );
        umpire.cite(rule!("glossary.leader"));
        self.set_stage(p, Stage::WinnerStays, |battle| {
            battle.winner = Some(side.other());
            battle.killed = true;
        });
    }

    pub(super) fn set_stage(&self, p: &mut Position, stage: Stage, change: impl FnOnce(&mut Battle)) {
        if let Some(battle) = &mut p.open.battle {
            battle.stage = stage;
            change(battle);
        }
    }
}
