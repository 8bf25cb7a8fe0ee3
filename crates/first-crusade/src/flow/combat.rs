//! Combat [23.0] and what comes of it [24.0].

use table::{Ballot, Readers, Seat, SeatSet, Silent, Umpire, rule};

use super::{CRUSADER, Refused};
use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Contingent, NONE};
use crate::position::{BIN, Battle, Cause, Position, Stage, Step};
use crate::set::Set;

/// What is likely to come of an attack, in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Odds {
    /// The space is taken or held.
    pub(crate) won: u32,
    /// Both sides survive.
    pub(crate) drawn: u32,
    /// Nobody comes back.
    pub(crate) lost: u32,
    /// Steps lost, in tenths, on the average.
    pub(crate) steps: u32,
}

impl FirstCrusade {
    /// Christians attack where they stand.
    pub(super) fn fight<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        space: u8,
        christians: Set,
        family: u8,
        umpire: &mut U,
    ) {
        umpire.heading(format_args!("The battle of {}", self.components.space_name(space)));
        umpire.cite(rule!("23.0"));
        self.begin(
            p,
            Battle {
                space,
                christians,
                walls: self.components.fortresses.has(space),
                family,
                ..Battle::NONE
            },
        );
    }

    /// Muslims attack the Christians in a space [27.4].
    pub(super) fn muslims_attack<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        space: u8,
        bonus: u8,
        umpire: &mut U,
    ) {
        umpire.heading(format_args!("Muslims attack {}", self.components.space_name(space)));
        umpire.cite(rule!("23.0"));
        let christians = self.christians(p, space);
        let besieging = p.sieges.has(space);
        if besieging {
            umpire.cite(rule!("opt-34.4"));
        }
        if self.components.armenia.has(space) {
            self.activate_armenia(p, umpire);
        }
        let family = christians.first().map_or(CRUSADER, |u| self.family_of(u));
        self.begin(
            p,
            Battle {
                space,
                christians,
                muslims_attack: true,
                walls: self.is_fort(p, space) && !besieging,
                bonus,
                family,
                ..Battle::NONE
            },
        );
    }

    pub(super) fn begin(&self, p: &mut Position, mut battle: Battle) {
        battle.garrison = self.muslims(p, battle.space);
        battle.muslims = battle.garrison;
        p.battle = battle;
        p.asked = SeatSet::NONE;
        p.agenda.push(Step::Battle(Stage::Eve));
    }

    /// Whether Muslim reinforcements are rolled for [26.4, 31.0, opt-34.3].
    pub(super) fn is_reinforced(&self, p: &Position) -> bool {
        let b = &p.battle;
        b.space != self.components.masyaf && (b.muslims_attack || !p.sieges.has(b.space))
    }

    pub(super) fn battle_on<U: Umpire + ?Sized>(&self, p: &mut Position, stage: Stage, umpire: &mut U) {
        match stage {
            Stage::Eve => {
                p.asked = SeatSet::NONE;
                p.agenda.replace(Step::Battle(Stage::Reinforce));
            }
            Stage::Reinforce => {
                p.agenda.replace(Step::Battle(Stage::Dawn));
                if self.is_reinforced(p) {
                    let dice = p.reaction.saturating_sub(p.battle.fewer);
                    let (space, attack) = (p.battle.space, p.battle.muslims_attack);
                    self.reinforce(p, space, dice, attack, umpire);
                }
                self.reveal(p, p.battle.space, umpire);
                p.battle.muslims = self.muslims(p, p.battle.space);
                if p.battle.muslims.is_empty() {
                    umpire.note(
                        Readers::ALL,
                        rule!("26.2"),
                        format_args!("no Muslim units are left to fight"),
                    );
                    p.agenda.pop();
                    p.battle = Battle::NONE;
                }
            }
            Stage::Dawn => {
                p.asked = SeatSet::NONE;
                p.agenda.replace(Step::Battle(Stage::Edge));
            }
            Stage::Edge => {
                self.tactical_edge(p, umpire);
                self.count_rounds(p, umpire);
                p.battle.round = 1;
                p.agenda.replace(Step::Battle(Stage::First));
            }
            Stage::First => {
                p.agenda.replace(Step::Battle(Stage::Second));
                self.fire(p, p.battle.edge, umpire);
            }
            Stage::Second => {
                p.agenda.replace(Step::Battle(Stage::Round));
                if p.battle.christians.any() && p.battle.muslims.any() {
                    self.fire(p, !p.battle.edge, umpire);
                }
            }
            Stage::Round => {
                let b = &mut p.battle;
                if b.christians.any() && b.muslims.any() && b.round < b.rounds {
                    b.round += 1;
                    p.agenda.replace(Step::Battle(Stage::First));
                } else {
                    p.agenda.replace(Step::Battle(Stage::Over));
                }
            }
            Stage::Over => self.settle(p, umpire),
        }
    }

    /// Dice for Muslim reinforcements, and units from their bin [23.1].
    pub(super) fn reinforce<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        space: u8,
        dice: u8,
        attack: bool,
        umpire: &mut U,
    ) {
        let mut n = 0;
        for _ in 0..dice {
            n += umpire.roll(6);
        }
        let fatimid = self.is_fatimid(p, space);
        let side = if fatimid { Contingent::Fatimid } else { Contingent::Seljuk };
        let mut bin: Set = self.of(side).each().filter(|u| p.place[usize::from(*u)] == BIN).collect();
        let found = n.min(bin.len());
        // Fatimids take over from Seljuks: the two never stand together [10.2].
        if fatimid && found > 0 {
            self.relieve_seljuks(p, space);
        }
        for _ in 0..found {
            let Some(u) = self.draw(bin, Readers::ALL, umpire) else { break };
            bin.remove(u);
            p.put(u, space);
            p.shown.insert(u);
        }
        let rule = match (attack, self.components.fortresses.has(space)) {
            (true, _) => rule!("27.4"),
            (false, true) => rule!("26.4"),
            (false, false) => rule!("23.1"),
        };
        umpire.note(
            Readers::ALL,
            rule,
            format_args!(
                "{dice} dice: {found} {} units {}",
                if fatimid { "Fatimid" } else { "Seljuk" },
                if attack { "attack" } else { "reinforce the defenders" }
            ),
        );
        if found < n {
            umpire.cite(rule!("26.2"));
        }
    }

    fn relieve_seljuks(&self, p: &mut Position, space: u8) {
        p.rumour[usize::from(space)] = Set::NONE;
        for u in (p.here[usize::from(space)] & self.of(Contingent::Seljuk)).each() {
            p.stow(u, BIN);
        }
    }

    /// The advantages of both sides before the dice [23.1]: Christians, Muslims.
    pub(crate) fn advantages(&self, p: &Position) -> (u8, u8) {
        let (b, c) = (&p.battle, &self.components);
        let archers = |units: Set| (units & c.archers).len();
        let (ours, theirs) = (archers(b.christians), archers(b.muslims));
        let jerusalem = b.space == c.jerusalem && b.walls;
        let christian = u8::from((b.christians & c.military).any())
            + u8::from(b.sword)
            + u8::from(ours > theirs && !b.walls)
            + u8::from(jerusalem && b.muslims_attack)
            + u8::from(self.combined_arms(p));
        let muslim = u8::from((b.muslims & c.military).any())
            + u8::from(theirs > ours && !b.walls)
            + b.bonus
            + u8::from(jerusalem && !b.muslims_attack)
            + u8::from(b.space == c.masyaf && !b.muslims_attack);
        (christian, muslim)
    }

    /// Three of heavy horse and three of heavy foot [opt-35.2].
    fn combined_arms(&self, p: &Position) -> bool {
        let force = p.battle.christians & self.all_of(CRUSADER);
        p.table.cavalry
            && (force & self.components.horse).len() >= 3
            && (force & self.components.foot).len() >= 3
    }

    fn tactical_edge<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let (christian, muslim) = self.advantages(p);
        let ours = umpire.roll(6) + christian;
        let theirs = umpire.roll(6) + muslim;
        let b = &p.battle;
        let camped = b.muslims_attack && p.camps.has(b.space) && !b.walls;
        // Ties are the defender's behind walls or in a camp, the attacker's in the field.
        let defender_wins = b.walls || camped;
        let tie = if defender_wins { b.muslims_attack } else { !b.muslims_attack };
        p.battle.edge = ours > theirs || (ours == theirs && tie);
        if umpire.writes() {
            if self.combined_arms(p) {
                umpire.cite(rule!("opt-35.2"));
            }
            if p.battle.space == self.components.jerusalem {
                umpire.cite(rule!("23.6"));
            }
            if camped {
                umpire.cite(rule!("33.6"));
            }
            if p.battle.walls && p.castles.has(p.battle.space) {
                umpire.cite(rule!("33.7"));
            }
            umpire.note(
                Readers::ALL,
                if p.battle.walls { rule!("23.5") } else { rule!("23.1") },
                format_args!(
                    "Tactical Edge: Christians {ours} (+{christian}), Muslims {theirs} (+{muslim}): the {} have it",
                    if p.battle.edge { "Christians" } else { "Muslims" }
                ),
            );
        }
    }

    fn count_rounds<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let b = &p.battle;
        let led = (b.muslims & self.components.military).any();
        let muslim_siege = p.table.sieges && b.muslims_attack && b.walls && led;
        if muslim_siege {
            umpire.cite(rule!("opt-34.5b"));
        }
        p.battle.rounds = if b.walls && !b.siege && !muslim_siege {
            1
        } else {
            let rounds = umpire.roll(6);
            umpire.note(
                Readers::ALL,
                rule!("23.1"),
                format_args!("the battle will last up to {rounds} rounds"),
            );
            rounds
        };
    }

    /// One side fires with all it has [23.2].
    fn fire<U: Umpire + ?Sized>(&self, p: &mut Position, christians: bool, umpire: &mut U) {
        let units = if christians { p.battle.christians } else { p.battle.muslims };
        let mut hits = 0;
        let writes = umpire.writes();
        let mut told = String::new();
        for u in units.each() {
            let unit = &self.components.units[usize::from(u)];
            let mut factor = unit.combat[usize::from(p.reduced.has(u))];
            if u == self.components.assassin {
                factor = umpire.roll(6);
                umpire.note(
                    Readers::ALL,
                    rule!("31.2"),
                    format_args!("the Assassins fight with a factor of {factor}"),
                );
            }
            let die = umpire.roll(6);
            hits += u8::from(die <= factor);
            if writes {
                use std::fmt::Write;
                let _ = write!(told, " {die}{}", if die <= factor { "!" } else { "" });
            }
        }
        umpire.note(
            Readers::ALL,
            rule!("23.2"),
            format_args!(
                "round {}: the {} fire with {} units:{told}: {hits} hits",
                p.battle.round,
                if christians { "Christians" } else { "Muslims" },
                units.len()
            ),
        );
        if hits == 0 {
            return;
        }
        if christians {
            self.strike(p, hits, umpire);
        } else {
            self.be_hit(p, hits, umpire);
        }
    }

    /// Hits on Muslims: the weakest first, those who lead last among equals [23.2].
    pub(super) fn strike<U: Umpire + ?Sized>(&self, p: &mut Position, mut left: u8, umpire: &mut U) {
        while left > 0 && p.battle.muslims.any() {
            let tied = self.weakest(p);
            let alike = {
                let mut classes = tied.each().map(|u| self.components.units[usize::from(u)].class);
                let first = classes.next();
                classes.all(|class| Some(class) == first)
            };
            if !alike && tied.len() > left {
                p.agenda.push(Step::Strikes { left });
                return;
            }
            let Some(u) = tied.first() else { return };
            self.eliminate(p, u, umpire);
            left -= 1;
        }
        if left > 0 {
            umpire.cite(rule!("23.4"));
        }
    }

    /// The rest of the hits on Muslims, without asking.
    pub(super) fn strike_all<U: Umpire + ?Sized>(&self, p: &mut Position, left: u8, umpire: &mut U) {
        for _ in 0..left {
            let Some(u) = self.weakest(p).first() else { break };
            self.eliminate(p, u, umpire);
        }
    }

    /// The Muslim units of which the next is hit.
    fn weakest(&self, p: &Position) -> Set {
        let muslims = p.battle.muslims;
        let factor = |u: u8| self.components.units[usize::from(u)].combat[0];
        let least = muslims.each().map(factor).min().unwrap_or(0);
        let tied: Set = muslims.each().filter(|u| factor(*u) == least).collect();
        let others = tied - self.components.leaders;
        if others.any() { others } else { tied }
    }

    pub(super) fn list_strikes<B: Ballot<Action> + ?Sized>(&self, p: &Position, left: u8, ballot: &mut B) {
        let _ = left;
        let tied = self.weakest(p);
        for u in self.one_of_each(p, tied).each() {
            ballot.allow(Action::Strike(u));
        }
        ballot.allow(Action::Allot);
        if ballot.explains() {
            for u in (p.battle.muslims - tied).each() {
                let why = format_args!("the weakest is hit first, and among equals no leader");
                ballot.refuse(Action::Strike(u), rule!("23.2"), why);
            }
        }
    }

    /// Hits on Christians: their player chooses [23.2].
    fn be_hit<U: Umpire + ?Sized>(&self, p: &mut Position, hits: u8, umpire: &mut U) {
        let steps = self.steps(p, p.battle.christians);
        if hits >= steps {
            if hits > steps {
                umpire.cite(rule!("23.4"));
            }
            for u in p.battle.christians.each() {
                self.eliminate(p, u, umpire);
            }
            return;
        }
        p.pool = p.battle.christians;
        p.agenda.push(Step::Losses { left: hits, cause: Cause::Battle });
    }

    /// How many steps units have.
    pub(crate) fn steps(&self, p: &Position, units: Set) -> u8 {
        units.len() + (units & (self.components.two_steps - p.reduced)).len()
    }

    pub(super) fn list_losses<B: Ballot<Action> + ?Sized>(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        cause: Cause,
        ballot: &mut B,
    ) {
        for u in self.one_of_each(p, p.pool).each() {
            ballot.allow(Action::Lose(u));
        }
        if left > 1 || p.pool.len() > 1 {
            ballot.allow(Action::Allot);
        }
        if cause == Cause::March {
            self.list_boons(p, seat, ballot);
        }
    }

    pub(super) fn lose<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        u: u8,
        left: u8,
        cause: Cause,
        umpire: &mut U,
    ) {
        p.agenda.pop();
        // In battle a unit can be hit again; attrition and hunger take one step from each [18.2, 28.2].
        if cause != Cause::Battle {
            p.pool.remove(u);
        }
        if left > 1 {
            p.agenda.push(Step::Losses { left: left - 1, cause });
        }
        if umpire.writes() {
            umpire.note(
                Readers::ALL,
                match cause {
                    Cause::March => rule!("18.2"),
                    Cause::Winter => rule!("28.2"),
                    Cause::Battle => rule!("23.3"),
                },
                format_args!("{} loses a step", self.components.unit_name(u)),
            );
        }
        self.lose_step(p, u, umpire);
        if left <= 1 {
            p.pool = Set::NONE;
        }
    }

    /// The unit that the table would let lose the next step: no leader who would die of it, then the one
    /// whose step is worth the least.
    fn least_loss(&self, p: &Position) -> Option<u8> {
        p.pool.each().min_by_key(|u| {
            let unit = &self.components.units[usize::from(*u)];
            let leads = self.components.leaders.has(*u);
            let dies = !self.components.two_steps.has(*u) || p.reduced.has(*u);
            let now = unit.combat[usize::from(p.reduced.has(*u))];
            let cost = if dies { now * 2 + 1 } else { (now - unit.combat[1]) * 2 };
            let emperor = *u == self.components.emperor;
            (leads && dies, emperor && dies, cost + u8::from(leads) * 2, *u)
        })
    }

    pub(super) fn allot<U: Umpire + ?Sized>(&self, p: &mut Position, left: u8, cause: Cause, umpire: &mut U) {
        p.agenda.pop();
        for _ in 0..left {
            let Some(u) = self.least_loss(p) else { break };
            if cause != Cause::Battle {
                p.pool.remove(u);
            }
            self.lose_step(p, u, umpire);
        }
        p.pool = Set::NONE;
    }

    /// The battle is over: who has won, who goes [23.1, 24.0].
    fn settle<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        p.agenda.pop();
        let b = p.battle;
        let seat = self.seat_of(p, b.family);
        let name = self.components.space_name(b.space);
        if b.muslims.is_empty() {
            umpire.note(Readers::ALL, rule!("24.0"), format_args!("the Christians win the battle of {name}"));
            self.mark_massacre(p, &b, !b.muslims_attack, umpire);
            if b.leaders_lost[1] > 0 || b.space == self.components.masyaf {
                if b.space == self.components.masyaf {
                    umpire.cite(rule!("31.3"));
                }
                self.gain_special(p, 1, umpire);
                self.pick_for(p, seat, b.space, umpire);
            }
            p.battle = Battle::NONE;
        } else if b.christians.is_empty() {
            umpire.note(Readers::ALL, rule!("24.1"), format_args!("the Muslims win the battle of {name}"));
            self.mark_massacre(p, &b, b.muslims_attack, umpire);
            self.muslims_settle(p, b.space, umpire);
            if b.leaders_lost[0] > 0 {
                self.lose_special(p, umpire);
                self.lose_boon(p, umpire);
            }
            p.battle = Battle::NONE;
        } else {
            umpire.note(Readers::ALL, rule!("24.2"), format_args!("the battle of {name} is a stalemate"));
            if b.muslims_attack {
                let stay = if p.sieges.has(b.space) { b.garrison } else { Set::NONE };
                for u in (b.muslims - stay).each() {
                    p.stow(u, BIN);
                }
                p.battle = Battle::NONE;
            } else if b.siege {
                umpire.note(Readers::ALL, rule!("opt-34.2"), format_args!("the siege of {name} goes on"));
                p.battle = Battle::NONE;
            } else {
                if b.space == self.components.masyaf && b.leaders_lost[0] > 0 {
                    // To fail before Masyaf is a defeat [31.3].
                    umpire.cite(rule!("31.3"));
                    self.lose_special(p, umpire);
                    self.lose_boon(p, umpire);
                }
                p.agenda.push(Step::Withdraw);
            }
        }
    }

    /// After a battle that left Muslims in possession: in a fortress one stays, concealed [24.1, 26.5].
    pub(super) fn muslims_settle<U: Umpire + ?Sized>(&self, p: &mut Position, s: u8, umpire: &mut U) {
        if self.christians(p, s).any() || s == self.components.masyaf {
            return;
        }
        let force = self.muslims(p, s);
        let keeps = self.components.fortresses.has(s) || p.castles.has(s);
        self.ruin(p, s, umpire);
        let stays = if keeps {
            // Who it is, nobody may know.
            self.draw(force, Readers::only(SeatSet::NONE), umpire)
        } else {
            None
        };
        for u in force.each() {
            if Some(u) == stays {
                p.shown.remove(u);
            } else {
                p.stow(u, BIN);
            }
        }
        if stays.is_some() {
            p.breath = true;
            p.rumour[usize::from(s)] = force;
            umpire.note(
                Readers::ALL,
                rule!("26.5"),
                format_args!("one Muslim unit stays in {}, face down", self.components.space_name(s)),
            );
        }
    }

    /// Land spaces to which a force could withdraw from a space [24.2].
    pub(crate) fn exits(&self, p: &Position, s: u8) -> Set {
        self.components.beside(s).filter(|to| self.muslims(p, *to).is_empty()).collect()
    }

    /// The attackers that withdraw: by land, by sea.
    fn withdrawing(&self, p: &Position) -> (Set, Set) {
        let fleets = p.battle.christians & self.components.fleets;
        (p.battle.christians - fleets, fleets)
    }

    /// Land units that have gone aboard for the withdrawal.
    fn aboard(&self, p: &Position, fleets: Set) -> Set {
        let cargo = fleets.each().map(|u| p.cargo[usize::from(self.components.fleet_number[usize::from(u)])]);
        cargo.filter(|u| *u != NONE).collect()
    }

    /// Where those who are left have no way to go, they are lost [24.2].
    pub(super) fn no_way_out<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) -> bool {
        let (_, fleets) = self.withdrawing(p);
        let s = p.battle.space;
        if fleets.any() || self.exits(p, s).any() {
            return false;
        }
        umpire.note(Readers::ALL, rule!("24.2"), format_args!("there is no way out"));
        for u in p.battle.christians.each() {
            self.eliminate(p, u, umpire);
        }
        self.withdrawn(p, umpire);
        true
    }

    fn withdrawn<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        p.agenda.pop();
        let s = p.battle.space;
        p.battle = Battle::NONE;
        self.muslims_settle(p, s, umpire);
    }

    pub(super) fn list_withdrawals<B: Ballot<Action> + ?Sized>(&self, p: &Position, ballot: &mut B) {
        let s = p.battle.space;
        let (land, fleets) = self.withdrawing(p);
        let aboard = self.aboard(p, fleets);
        let ashore = land - aboard;
        let explains = ballot.explains();
        let exits = self.exits(p, s);
        let crowds = |to: u8| self.crowded(p, to, self.christians(p, to) | ashore);
        let free = exits.each().any(|to| !crowds(to));
        for to in self.components.beside(s) {
            let verdict: Result<(), Refused> = if self.muslims(p, to).any() {
                Err((rule!("24.2"), "nobody withdraws among enemies"))
            } else if ashore.is_empty() {
                Err((rule!("24.2"), "all are aboard"))
            } else if crowds(to) && free {
                Err((rule!("10.1"), "it would have to end among another contingent"))
            } else {
                Ok(())
            };
            match verdict {
                Ok(()) => ballot.allow(Action::Withdraw(to)),
                Err((rule, why)) if explains => {
                    ballot.refuse(Action::Withdraw(to), rule, format_args!("{why}"));
                }
                Err(_) => {}
            }
        }
        if fleets.any() {
            for to in self.components.spaces[usize::from(s)].sea.iter().copied() {
                if ashore.is_empty() || exits.is_empty() {
                    ballot.allow(Action::Withdraw(to));
                } else if explains {
                    let why = format_args!("those ashore must withdraw by land; the ships follow the coast");
                    ballot.refuse(Action::Withdraw(to), rule!("24.2"), why);
                }
            }
            if aboard.len() < fleets.len() {
                for u in self.one_of_each(p, ashore).each() {
                    ballot.allow(Action::Embark(u));
                }
            }
        }
    }

    pub(super) fn withdraw<U: Umpire + ?Sized>(&self, p: &mut Position, action: Action, umpire: &mut U) {
        let (land, fleets) = self.withdrawing(p);
        let aboard = self.aboard(p, fleets);
        match action {
            Action::Embark(u) => {
                let number = |f: u8| usize::from(self.components.fleet_number[usize::from(f)]);
                if let Some(fleet) = fleets.each().find(|f| p.cargo[number(*f)] == NONE) {
                    p.cargo[number(fleet)] = u;
                }
            }
            Action::Withdraw(to) => {
                let by_sea = self.components.seas.has(to);
                let home = self.components.spaces[usize::from(p.battle.space)].sea.first().copied();
                let harbour = if by_sea { Some(to) } else { home };
                for u in (land - aboard).each() {
                    if by_sea {
                        self.eliminate(p, u, umpire);
                    } else {
                        p.put(u, to);
                    }
                }
                if let Some(sea) = harbour {
                    for u in (fleets | aboard).each() {
                        p.put(u, sea);
                    }
                }
                umpire.note(
                    Readers::ALL,
                    rule!("24.2"),
                    format_args!("the attackers withdraw to {}", self.components.space_name(to)),
                );
                self.withdrawn(p, umpire);
            }
            _ => {}
        }
    }

    /// What would come of an attack by these units, by fighting it many times in imagination.
    pub(crate) fn odds(&self, p: &Position, s: u8, force: Set, siege: bool) -> Odds {
        const FIGHTS: u32 = 200;
        let mut odds = Odds::default();
        let mut start = p.clone();
        start.agenda = table::Agenda::default();
        start.march = crate::position::March::NONE;
        start.boons = [0; 3];
        for u in force.each() {
            start.put(u, s);
        }
        let before = self.steps(&start, force);
        let mut fate = Silent::new(0x0dd5);
        for _ in 0..FIGHTS {
            let mut q = start.clone();
            q.battle = Battle::NONE;
            let family = force.first().map_or(CRUSADER, |u| self.family_of(u));
            let walls = self.components.fortresses.has(s);
            self.begin(&mut q, Battle { space: s, christians: force, walls, siege, family, ..Battle::NONE });
            loop {
                match q.agenda.now().copied() {
                    Some(Step::Battle(Stage::Over)) | None => break,
                    Some(Step::Battle(stage)) => self.battle_on(&mut q, stage, &mut fate),
                    Some(Step::Losses { left, cause }) => self.allot(&mut q, left, cause, &mut fate),
                    Some(Step::Strikes { left }) => {
                        q.agenda.pop();
                        self.strike_all(&mut q, left, &mut fate);
                    }
                    Some(_) => break,
                }
            }
            let alive: Set = force.each().filter(|u| q.on_map(*u)).collect();
            odds.steps += u32::from(before - self.steps(&q, alive));
            if alive.is_empty() {
                odds.lost += 1;
            } else if self.muslims(&q, s).is_empty() {
                odds.won += 1;
            } else {
                odds.drawn += 1;
            }
        }
        odds.won = odds.won * 100 / FIGHTS;
        odds.lost = odds.lost * 100 / FIGHTS;
        odds.drawn = 100 - odds.won - odds.lost;
        odds.steps = odds.steps * 10 / FIGHTS;
        odds
    }
}
