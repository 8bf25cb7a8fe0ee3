//! Combat [23.0] and what comes of it [24.0].

use table::scene::{Die, Manner, Throw};
use table::{Ballot, Happening, Readers, Rule, SeatSet, Set, Silent, Umpire, rule};

use super::Refused;
use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::data::{Contingent, Family, Fleet, Space, Unit};
use crate::position::{Battle, Cause, Place, Position, Stage, Step};
use crate::words::{Host, Listed, count};

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

/// Attackers who must withdraw [24.2].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Withdrawing {
    /// Land units that go by land.
    pub(crate) ashore: Set<Unit>,
    /// Their fleets.
    pub(crate) fleets: Set<Unit>,
    /// Land units that have gone aboard.
    pub(crate) aboard: Set<Unit>,
}

impl FirstCrusade {
    /// Christians attack where they stand.
    pub(super) fn fight<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        space: Space,
        christians: Set<Unit>,
        family: Family,
        umpire: &mut U,
    ) {
        umpire.heading(format_args!("The battle of {}", self.components.space_name(space)));
        umpire.cite(rule!("23.0"));
        let walls = self.components.fortresses.has(space);
        self.begin(p, Battle { walls, ..Battle::at(space, christians, family) });
    }

    /// Muslims attack the Christians in a space [27.4].
    pub(super) fn muslims_attack<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        space: Space,
        bonus: u8,
        umpire: &mut U,
    ) {
        umpire.heading(format_args!("Muslims attack {}", self.components.space_name(space)));
        umpire.cite(rule!("23.0"));
        let christians = self.christians(p, space);
        self.cite_company(christians, umpire);
        self.cite_team(p, umpire);
        let besieging = p.sieges.has(space);
        if besieging {
            umpire.cite(rule!("opt-34.4"));
        }
        let family = christians.first().map_or(Family::Crusader, |u| self.family_of(u));
        self.begin(
            p,
            Battle {
                muslims_attack: true,
                walls: self.is_fort(p, space) && !besieging,
                bonus,
                ..Battle::at(space, christians, family)
            },
        );
    }

    pub(super) fn begin(&self, p: &mut Position, mut battle: Battle) {
        battle.muslims = self.muslims(p, battle.space);
        p.battle = Some(battle);
        p.asked = SeatSet::NONE;
        p.agenda.push(Step::Battle(Stage::Eve));
    }

    /// Whether Muslim reinforcements are rolled for [26.4, 31.0, opt-34.3].
    pub(super) fn is_reinforced(&self, p: &Position) -> bool {
        p.battle.is_some_and(|b| {
            b.space != self.components.masyaf && (b.muslims_attack || !p.sieges.has(b.space))
        })
    }

    pub(super) fn battle_on<U: Umpire + ?Sized>(&self, p: &mut Position, stage: Stage, umpire: &mut U) {
        let Some(b) = p.battle else {
            p.agenda.pop();
            return;
        };
        match stage {
            Stage::Eve => {
                p.asked = SeatSet::NONE;
                p.agenda.replace(Step::Battle(Stage::Reinforce));
            }
            Stage::Reinforce => {
                p.agenda.replace(Step::Battle(Stage::Dawn));
                if umpire.writes() && !self.is_reinforced(p) {
                    self.cite_no_relief(p, &b, umpire);
                }
                if self.is_reinforced(p) {
                    let dice = p.reaction.saturating_sub(b.fewer);
                    self.reinforce(p, b.space, dice, b.muslims_attack, umpire);
                }
                self.reveal(p, b.space, umpire);
                let muslims = self.muslims(p, b.space);
                p.battle = Some(Battle { muslims, ..b });
                if muslims.is_empty() {
                    umpire.note(
                        Readers::ALL,
                        rule!("26.2"),
                        format_args!("No Muslim units are left to fight"),
                    );
                    p.agenda.pop();
                    p.battle = None;
                }
            }
            Stage::Dawn => {
                p.asked = SeatSet::NONE;
                p.agenda.replace(Step::Battle(Stage::Edge));
            }
            Stage::Edge => {
                let edge = self.tactical_edge(p, &b, umpire);
                let rounds = self.count_rounds(p, &b, umpire);
                p.battle = Some(Battle { edge, rounds, round: 1, ..b });
                p.agenda.replace(Step::Battle(Stage::First));
            }
            Stage::First => {
                p.agenda.replace(Step::Battle(Stage::Second));
                self.fire(p, &b, b.edge, umpire);
            }
            Stage::Second => {
                p.agenda.replace(Step::Battle(Stage::Round));
                if b.christians.any() && b.muslims.any() {
                    self.fire(p, &b, !b.edge, umpire);
                }
            }
            Stage::Round => {
                if b.christians.any() && b.muslims.any() && b.round < b.rounds {
                    p.battle = Some(Battle { round: b.round + 1, ..b });
                    p.agenda.replace(Step::Battle(Stage::First));
                } else {
                    p.agenda.replace(Step::Battle(Stage::Over));
                }
            }
            Stage::Over => self.settle(p, b, umpire),
        }
    }

    /// Cites why no reinforcements come, so that treachery would be of no use [31.1, opt-34.3, boon.treachery].
    fn cite_no_relief<U: Umpire + ?Sized>(&self, p: &Position, b: &Battle, umpire: &mut U) {
        let at_masyaf = b.space == self.components.masyaf;
        umpire.cite(if at_masyaf { rule!("31.1") } else { rule!("opt-34.3") });
        if p.held().meets(self.boons_for(Use::Treachery)) {
            umpire.cite(rule!("boon.treachery"));
        }
    }

    /// Dice for Muslim reinforcements, and units from their bin [23.1].
    pub(super) fn reinforce<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        space: Space,
        dice: u8,
        attack: bool,
        umpire: &mut U,
    ) {
        umpire.cite(rule!("27.1"));
        self.cite_fatimids(p, space, umpire);
        let mut n = 0;
        for _ in 0..dice {
            n += umpire.roll(6);
        }
        let fatimid = self.is_fatimid(p, space);
        let side = if fatimid { Contingent::Fatimid } else { Contingent::Seljuk };
        let mut bin: Set<Unit> = self.of(side).iter().filter(|u| p.in_bin(*u)).collect();
        let found = n.min(bin.len() as u8);
        let mut came = Set::NONE;
        // Fatimids take over from Seljuks: the two never stand together [10.2].
        if fatimid && found > 0 {
            umpire.cite(rule!("10.2"));
            self.relieve_seljuks(p, space);
        }
        for _ in 0..found {
            let Some(u) = self.draw(bin, Readers::ALL, umpire) else { break };
            bin.remove(u);
            came.insert(u);
            p.put(u, space);
            p.shown.insert(u);
        }
        let rule = match (attack, self.components.fortresses.has(space)) {
            (true, _) => rule!("27.4"),
            (false, true) => rule!("26.4"),
            (false, false) => rule!("23.1"),
        };
        if umpire.writes() {
            let side = side.adjective();
            let who = match found {
                0 => format!("No {side} units"),
                1 => format!("1 {side} unit"),
                _ => format!("{found} {side} units"),
            };
            let what = match (attack, found) {
                (true, 1) => "comes to attack",
                (true, _) => "come to attack",
                (false, 1) => "joins the defenders of",
                (false, _) => "join the defenders of",
            };
            let names = Listed(came.iter().map(|u| self.components.unit_name(u)));
            umpire.note(
                Readers::ALL,
                rule,
                format_args!(
                    "{who} {what} {} ({}){}{names}",
                    self.components.space_name(space),
                    count(dice, "die", "dice"),
                    if found > 0 { ": " } else { "" }
                ),
            );
        }
        if found < n {
            umpire.cite(rule!("26.2"));
        }
        self.disturb_armenia(p, space, found > 0, umpire);
    }

    fn relieve_seljuks(&self, p: &mut Position, space: Space) {
        p.rumour[space] = Set::NONE;
        for u in (p.here[space] & self.of(Contingent::Seljuk)).iter() {
            p.stow(u, Place::Bin);
        }
    }

    /// The advantages of both sides before the dice [23.1]: Christians, Muslims.
    pub(crate) fn advantages(&self, p: &Position, b: &Battle) -> (u8, u8) {
        let c = &self.components;
        let archers = |units: Set<Unit>| (units & c.archers).len();
        let (ours, theirs) = (archers(b.christians), archers(b.muslims));
        // Archers count in no fortress space, before the walls as little as behind them.
        let open = !self.is_fort(p, b.space);
        let jerusalem = b.space == c.jerusalem && b.walls;
        let christian = u8::from((b.christians & c.military).any())
            + u8::from(b.sword)
            + u8::from(ours > theirs && open)
            + u8::from(jerusalem && b.muslims_attack)
            + u8::from(self.combined_arms(p, b));
        let muslim = u8::from((b.muslims & c.military).any())
            + u8::from(theirs > ours && open)
            + b.bonus
            + u8::from(jerusalem && !b.muslims_attack)
            + u8::from(b.space == c.masyaf && !b.muslims_attack);
        (christian, muslim)
    }

    /// Three of heavy horse and three of heavy foot [opt-35.2].
    fn combined_arms(&self, p: &Position, b: &Battle) -> bool {
        let force = b.christians & self.all_of(Family::Crusader);
        p.table.cavalry
            && (force & self.components.horse).len() >= 3
            && (force & self.components.foot).len() >= 3
    }

    /// Whether the Christians have the Tactical Edge [23.1].
    fn tactical_edge<U: Umpire + ?Sized>(&self, p: &Position, b: &Battle, umpire: &mut U) -> bool {
        let (christian, muslim) = self.advantages(p, b);
        let ours = umpire.roll(6) + christian;
        let theirs = umpire.roll(6) + muslim;
        let camped = b.muslims_attack && p.camps.has(b.space) && !b.walls;
        // Ties are the defender's behind walls or in a camp, the attacker's in the field.
        let defender_wins = b.walls || camped;
        let tie = if defender_wins { b.muslims_attack } else { !b.muslims_attack };
        let edge = ours > theirs || (ours == theirs && tie);
        if umpire.writes() {
            if self.combined_arms(p, b) {
                umpire.cite(rule!("opt-35.2"));
            }
            umpire.cite(rule!("23.1"));
            if b.space == self.components.jerusalem {
                umpire.cite(rule!("23.6"));
                umpire.cite(rule!("29.3"));
            }
            if b.space == self.components.masyaf {
                umpire.cite(rule!("31.1"));
            }
            if camped {
                umpire.cite(rule!("33.6"));
            }
            if b.walls && p.castles.has(b.space) {
                umpire.cite(rule!("33.7"));
            }
            umpire.note(
                Readers::ALL,
                if b.walls { rule!("23.5") } else { rule!("23.1") },
                format_args!(
                    "The {} have the Tactical Edge: Christians {ours} (die {} and {christian} more), \
                     Muslims {theirs} (die {} and {muslim} more)",
                    if edge { "Christians" } else { "Muslims" },
                    ours - christian,
                    theirs - muslim
                ),
            );
        }
        edge
    }

    /// How many rounds a battle lasts [23.1, 23.5].
    fn count_rounds<U: Umpire + ?Sized>(&self, p: &Position, b: &Battle, umpire: &mut U) -> u8 {
        let led = (b.muslims & self.components.military).any();
        let muslim_siege = p.table.sieges && b.muslims_attack && b.walls && led;
        if muslim_siege {
            umpire.cite(rule!("opt-34.5b"));
        }
        if b.walls && !b.siege && !muslim_siege {
            return 1;
        }
        let rounds = umpire.roll(6);
        umpire.note(
            Readers::ALL,
            rule!("23.1"),
            format_args!("The battle will last up to {}", count(rounds, "round", "rounds")),
        );
        rounds
    }

    /// One side fires with all it has [23.2].
    fn fire<U: Umpire + ?Sized>(&self, p: &mut Position, b: &Battle, christians: bool, umpire: &mut U) {
        let units = if christians { b.christians } else { b.muslims };
        let mut hits = 0;
        let writes = umpire.writes();
        let mut told = String::new();
        let mut dice: Vec<Die> = Vec::new();
        let mut expected = 0;
        for u in units.iter() {
            let mut factor = self.components.units[u].factor(p.reduced.has(u));
            if u == self.components.assassin {
                factor = umpire.roll(6);
                umpire.note(
                    Readers::ALL,
                    rule!("31.2"),
                    format_args!("The Assassins fight with a factor of {factor}"),
                );
            }
            let die = umpire.roll(6);
            hits += u8::from(die <= factor);
            if writes {
                use std::fmt::Write;
                let _ = write!(told, "{}{die}", if told.is_empty() { "" } else { ", " });
                dice.push(Die { sides: 6, result: die, hit: Some(die <= factor) });
                expected += u32::from(factor.min(6));
            }
        }
        let who = if christians { "Christians" } else { "Muslims" };
        umpire.tell(
            Readers::ALL,
            rule!("23.2"),
            format_args!(
                "Round {}: the {who} fire with {} and score {} (dice {told})",
                b.round,
                crate::words::units(units.len()),
                count(hits, "hit", "hits")
            ),
            &|| {
                let tenths = (expected * 10 + 3) / 6;
                vec![Happening::Threw(Throw {
                    name: format!("The {who} fire, round {}", b.round),
                    owner: units.first().and_then(|u| self.owner(u)),
                    dice: dice.clone(),
                    result: count(hits, "hit", "hits").to_string(),
                    note: format!("expected {}.{}", tenths / 10, tenths % 10),
                    space: Some("battle-dice".into()),
                })]
            },
        );
        if hits == 0 {
            return;
        }
        if christians {
            self.strike(p, hits, umpire);
        } else {
            self.be_hit(p, b.christians, hits, umpire);
        }
    }

    /// Hits on Muslims: the weakest first, those who lead last among equals [23.2].
    pub(super) fn strike<U: Umpire + ?Sized>(&self, p: &mut Position, mut left: u8, umpire: &mut U) {
        while left > 0 && p.battle.is_some_and(|b| b.muslims.any()) {
            let tied = self.weakest(p);
            let alike = {
                let mut classes = tied.iter().map(|u| self.components.units[u].class);
                let first = classes.next();
                classes.all(|class| Some(class) == first)
            };
            if !alike && tied.len() > usize::from(left) {
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
    fn weakest(&self, p: &Position) -> Set<Unit> {
        let muslims = p.battle.map_or(Set::NONE, |b| b.muslims);
        let factor = |u: Unit| self.components.units[u].factor(false);
        let least = muslims.iter().map(factor).min().unwrap_or(0);
        let tied: Set<Unit> = muslims.iter().filter(|u| factor(*u) == least).collect();
        let others = tied - self.components.leaders;
        if others.any() { others } else { tied }
    }

    pub(super) fn list_strikes<B: Ballot<Action> + ?Sized>(&self, p: &Position, ballot: &mut B) {
        let tied = self.weakest(p);
        for u in self.one_of_each(p, tied).iter() {
            ballot.allow(Action::Strike(u));
        }
        ballot.allow(Action::Allot);
        if ballot.explains() {
            for u in p.battle.map_or(Set::NONE, |b| b.muslims) - tied {
                let why = format_args!("the weakest is hit first, and among equals no leader");
                ballot.refuse(Action::Strike(u), rule!("23.2"), why);
            }
        }
    }

    /// Hits on Christians: their player chooses [23.2].
    fn be_hit<U: Umpire + ?Sized>(&self, p: &mut Position, who: Set<Unit>, hits: u8, umpire: &mut U) {
        let steps = self.steps(p, who);
        if hits >= steps {
            if hits > steps {
                umpire.cite(rule!("23.4"));
            }
            for u in who {
                self.eliminate(p, u, umpire);
            }
            return;
        }
        p.pool = who;
        p.agenda.push(Step::Losses { left: hits, cause: Cause::Battle });
    }

    /// How many steps units have.
    pub(crate) fn steps(&self, p: &Position, units: Set<Unit>) -> u8 {
        (units.len() + (units & (self.components.two_steps - p.reduced)).len()) as u8
    }

    pub(super) fn list_losses<B: Ballot<Action> + ?Sized>(&self, p: &Position, left: u8, ballot: &mut B) {
        for u in self.one_of_each(p, p.pool).iter() {
            ballot.allow(Action::Lose(u));
        }
        if left > 1 || p.pool.len() > 1 {
            ballot.allow(Action::Allot);
        }
    }

    pub(super) fn lose<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        u: Unit,
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
        self.lose_step(p, u, rule_of(cause), umpire);
        if left <= 1 {
            p.pool = Set::NONE;
        }
    }

    /// The unit that the table would let lose the next step: no leader who would die of it, then the one
    /// whose step is worth the least.
    fn least_loss(&self, p: &Position) -> Option<Unit> {
        p.pool.iter().min_by_key(|u| {
            let unit = &self.components.units[*u];
            let leads = self.components.leaders.has(*u);
            let dies = !self.components.two_steps.has(*u) || p.reduced.has(*u);
            let now = unit.factor(p.reduced.has(*u));
            let cost = if dies { now * 2 + 1 } else { (now - unit.factor(true)) * 2 };
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
            self.lose_step(p, u, rule_of(cause), umpire);
        }
        p.pool = Set::NONE;
    }

    /// The battle is over: who has won, who goes [23.1, 24.0].
    fn settle<U: Umpire + ?Sized>(&self, p: &mut Position, b: Battle, umpire: &mut U) {
        p.agenda.pop();
        let seat = self.seat_of(p, b.family);
        let name = self.components.space_name(b.space);
        if b.muslims.is_empty() {
            umpire.note(Readers::ALL, rule!("24.0"), format_args!("The Christians win the battle of {name}"));
            self.mark_massacre(p, &b, !b.muslims_attack, umpire);
            if b.emirs_lost > 0 || b.space == self.components.masyaf {
                if b.space == self.components.masyaf {
                    umpire.cite(rule!("31.3"));
                }
                self.gain_special(p, 1, umpire);
                self.pick_for(p, seat, b.space, umpire);
            }
            p.battle = None;
        } else if b.christians.is_empty() {
            umpire.note(Readers::ALL, rule!("24.1"), format_args!("The Muslims win the battle of {name}"));
            self.mark_massacre(p, &b, b.muslims_attack, umpire);
            if b.muslims_attack && p.sieges.has(b.space) {
                self.siege_broken(p, b.space, umpire);
            } else {
                self.muslims_settle(p, b.space, umpire);
            }
            if b.leaders_lost > 0 {
                self.lose_special(p, umpire);
                self.lose_boon(p, umpire);
            }
            p.battle = None;
        } else {
            umpire.note(Readers::ALL, rule!("24.2"), format_args!("The battle of {name} is a stalemate"));
            if !b.muslims_attack && b.space == self.components.masyaf && b.leaders_lost > 0 {
                // To fail before Masyaf is a defeat, in a siege too [31.3].
                umpire.cite(rule!("31.3"));
                self.lose_special(p, umpire);
                self.lose_boon(p, umpire);
            }
            if b.muslims_attack {
                // The besieged who attacked with their relief go with it [24.2, opt-34.4].
                for u in b.muslims.iter() {
                    p.stow(u, Place::Bin);
                }
                p.battle = None;
            } else if b.siege {
                umpire.note(Readers::ALL, rule!("opt-34.2"), format_args!("The siege of {name} goes on"));
                p.battle = None;
            } else {
                p.agenda.push(Step::Withdraw);
            }
        }
    }

    /// Relief and besieged have won: together they hold the fortress [opt-34.4].
    fn siege_broken<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
        p.sieges.remove(s);
        umpire.note(
            Readers::ALL,
            rule!("opt-34.4"),
            format_args!(
                "The siege of {} is broken: {} it",
                self.components.space_name(s),
                count(self.muslims(p, s).len(), "Muslim unit holds", "Muslim units hold")
            ),
        );
        self.ruin(p, s, umpire);
    }

    /// After a battle that left Muslims in possession: in a fortress one stays, concealed [24.1, 26.5].
    pub(super) fn muslims_settle<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
        if self.christians(p, s).any() || s == self.components.masyaf {
            return;
        }
        umpire.cite(rule!("24.1"));
        umpire.cite(rule!("26.5"));
        let force = self.muslims(p, s);
        let keeps = self.components.fortresses.has(s) || p.castles.has(s);
        self.ruin(p, s, umpire);
        let stays = if keeps {
            // Who it is, nobody may know.
            self.draw(force, Readers::only(SeatSet::NONE), umpire)
        } else {
            None
        };
        for u in force.iter() {
            if Some(u) == stays {
                p.shown.remove(u);
            } else {
                p.stow(u, Place::Bin);
            }
        }
        if stays.is_some() {
            p.breath = true;
            p.rumour[s] = force;
            umpire.note(
                Readers::ALL,
                rule!("26.5"),
                format_args!("One Muslim unit stays in {}, face down", self.components.space_name(s)),
            );
        }
    }

    /// Land spaces to which a force could withdraw from a space [24.2].
    pub(crate) fn exits(&self, p: &Position, s: Space) -> Set<Space> {
        self.components.beside(s).filter(|to| self.muslims(p, *to).is_empty()).collect()
    }

    /// The attackers that withdraw.
    pub(crate) fn withdrawing(&self, p: &Position, b: &Battle) -> Withdrawing {
        let fleets = b.christians & self.components.fleets;
        let aboard = self.carried(p, fleets);
        Withdrawing { ashore: b.christians - fleets - aboard, fleets, aboard }
    }

    /// Where those who are left have no way to go, they are lost [24.2].
    pub(super) fn no_way_out<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) -> bool {
        let Some(b) = p.battle else { return false };
        let who = self.withdrawing(p, &b);
        let exits = self.exits(p, b.space);
        if who.fleets.any() || who.ashore.iter().any(|u| exits.iter().any(|to| self.may_be(p, u, to))) {
            return false;
        }
        umpire.note(
            Readers::ALL,
            rule!("24.2"),
            format_args!("There is no way out of {}", self.components.space_name(b.space)),
        );
        if let Some((_, (rule, _))) = self.bounds(p, who.ashore).filter(|_| exits.any()) {
            umpire.cite(rule);
        }
        for u in b.christians {
            self.eliminate(p, u, umpire);
        }
        self.withdrawn(p, b.space, umpire);
        true
    }

    /// Whether a unit may be in a space at all: Armenians and kings are bound to theirs [30.2, opt-36.4].
    pub(crate) fn may_be(&self, p: &Position, u: Unit, s: Space) -> bool {
        self.bounds(p, Set::one(u)).is_none_or(|(bounds, _)| bounds.has(s))
    }

    fn withdrawn<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
        p.agenda.pop();
        p.battle = None;
        self.muslims_settle(p, s, umpire);
    }

    pub(super) fn list_withdrawals<B: Ballot<Action> + ?Sized>(&self, p: &Position, ballot: &mut B) {
        let Some(b) = p.battle else { return };
        let s = b.space;
        let Withdrawing { ashore, fleets, aboard } = self.withdrawing(p, &b);
        let explains = ballot.explains();
        // Where all may go together, nobody goes where some may not.
        let (all, bounds) = (self.exits(p, s), self.bounds(p, ashore));
        let within = bounds.map_or(all, |(bounds, _)| all & bounds);
        let exits = if within.any() { within } else { all };
        let crowds = |to: Space| self.crowded(p, to, self.christians(p, to) | ashore);
        let free = exits.iter().any(|to| !crowds(to));
        for to in self.components.beside(s) {
            let verdict: Result<(), Refused> = if self.muslims(p, to).any() {
                Err((rule!("24.2"), "nobody withdraws among enemies"))
            } else if ashore.is_empty() {
                Err((rule!("24.2"), "all are aboard"))
            } else if let Some((_, why)) = bounds
                && !exits.has(to)
            {
                Err(why)
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
            for to in self.components.spaces[s].sea.iter().copied() {
                if ashore.is_empty() || exits.is_empty() {
                    ballot.allow(Action::Withdraw(to));
                } else if explains {
                    let why = format_args!("those ashore must withdraw by land; the ships follow the coast");
                    ballot.refuse(Action::Withdraw(to), rule!("24.2"), why);
                }
            }
            if aboard.len() >= fleets.len() && explains {
                for u in self.one_of_each(p, ashore).iter() {
                    let why = format_args!("each fleet carries one unit");
                    ballot.refuse(Action::Embark(u), rule!("25.3"), why);
                }
            }
            if aboard.len() < fleets.len() {
                let seas = &self.components.spaces[s].sea;
                for u in self.one_of_each(p, ashore).iter() {
                    let bounds = self.bounds(p, Set::one(u));
                    match bounds.filter(|(bounds, _)| !seas.iter().any(|to| bounds.has(*to))) {
                        None => ballot.allow(Action::Embark(u)),
                        Some((_, (rule, why))) => {
                            ballot.refuse(Action::Embark(u), rule, format_args!("{why}"))
                        }
                    }
                }
            }
        }
    }

    pub(super) fn withdraw<U: Umpire + ?Sized>(&self, p: &mut Position, action: Action, umpire: &mut U) {
        let Some(b) = p.battle else { return };
        let Withdrawing { ashore, fleets, aboard } = self.withdrawing(p, &b);
        match action {
            Action::Embark(u) => {
                umpire.cite(rule!("25.3"));
                let empty = |fleet: &Fleet| p.cargo[*fleet].is_none();
                let mut numbers = fleets.iter().filter_map(|f| self.components.fleet_number[f]);
                if let Some(fleet) = numbers.find(empty) {
                    p.cargo[fleet] = Some(u);
                }
            }
            Action::Withdraw(to) => {
                let by_sea = self.components.seas.has(to);
                let home = self.components.spaces[b.space].sea.first().copied();
                let harbour = if by_sea { Some(to) } else { home };
                let lost: Set<Unit> = ashore.iter().filter(|u| by_sea || !self.may_be(p, *u, to)).collect();
                if umpire.writes() {
                    if let Some((_, (rule, _))) = self.bounds(p, ashore) {
                        umpire.cite(rule);
                    }
                    self.tell_of_withdrawal(b.space, ashore - lost, to, umpire);
                    self.tell_of_withdrawal(b.space, fleets | aboard, harbour.unwrap_or(to), umpire);
                }
                for u in ashore {
                    if lost.has(u) {
                        self.eliminate(p, u, umpire);
                    } else {
                        p.put(u, to);
                    }
                }
                if let Some(sea) = harbour {
                    for u in (fleets | aboard).iter() {
                        p.put(u, sea);
                    }
                }
                self.withdrawn(p, b.space, umpire);
            }
            _ => {}
        }
    }

    fn tell_of_withdrawal<U: Umpire + ?Sized>(&self, from: Space, who: Set<Unit>, to: Space, umpire: &mut U) {
        if who.any() {
            umpire.tell(
                Readers::ALL,
                rule!("24.2"),
                format_args!(
                    "{} {} from {} to {}",
                    Host(&self.components, who),
                    if who.len() == 1 { "withdraws" } else { "withdraw" },
                    self.components.space_name(from),
                    self.components.space_name(to)
                ),
                &|| vec![self.trace(who, from, to, Manner::Retreat)],
            );
        }
    }

    /// What would come of an attack by these units, by fighting it many times in imagination.
    pub(crate) fn odds(&self, p: &Position, s: Space, force: Set<Unit>, siege: bool) -> Odds {
        const FIGHTS: u32 = 200;
        let mut odds = Odds::default();
        let mut start = p.clone();
        start.agenda = table::Agenda::default();
        start.march = None;
        start.boons = [Set::NONE; 3];
        for u in force.iter() {
            start.put(u, s);
        }
        let before = self.steps(&start, force);
        let mut fate = Silent::new(0x0dd5);
        for _ in 0..FIGHTS {
            let mut q = start.clone();
            q.battle = None;
            let family = force.first().map_or(Family::Crusader, |u| self.family_of(u));
            let walls = self.components.fortresses.has(s);
            self.begin(&mut q, Battle { walls, siege, ..Battle::at(s, force, family) });
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
            let alive: Set<Unit> = force.iter().filter(|u| q.on_map(*u)).collect();
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

/// The rule under which a step is lost.
fn rule_of(cause: Cause) -> Rule {
    match cause {
        Cause::March => rule!("18.2"),
        Cause::Winter => rule!("28.2"),
        Cause::Battle => rule!("23.3"),
    }
}
