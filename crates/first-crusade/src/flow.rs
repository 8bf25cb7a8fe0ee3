//! The sequence of play: who decides, what may be done, and what follows by itself.
//!
//! One file for each group of chapters of the rulebook; this one holds the sequence of a turn [8.1] and the
//! ground that all chapters stand on: who holds what [10.5] and who may stand together [10.1].

use table::{Ballot, Readers, Rule, Seat, SeatSet, Umpire, rule};

use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Contingent, NONE};
use crate::position::{Battle, Cause, March, OUT, Phase, Position, Stage, Step};
use crate::set::Set;

mod actions;
mod boons;
mod buildings;
mod combat;
mod events;
mod kingdoms;
mod movement;
mod pilgrimage;
mod reaction;
mod siege;
mod victory;
mod winter;

pub(crate) use combat::Odds;

/// Why something may not be done: the rule and a few words.
pub(crate) type Refused = (Rule, &'static str);

/// Crusaders, with their place among the contingents that form forces.
pub(crate) const CRUSADER: u8 = 0;
/// Byzantines.
pub(crate) const BYZANTINE: u8 = 1;
/// Armenians.
pub(crate) const ARMENIAN: u8 = 2;

impl FirstCrusade {
    /// The units of a contingent.
    #[inline]
    pub(crate) fn of(&self, contingent: Contingent) -> Set {
        self.components.of[contingent.index()]
    }

    /// The units of a contingent that forms forces.
    #[inline]
    pub(crate) fn family(&self, family: u8) -> Set {
        self.components.of[usize::from(family)]
    }

    /// Whose force a Christian unit belongs to: mercenaries count as Crusaders [32.5].
    #[inline]
    pub(crate) fn family_of(&self, u: u8) -> u8 {
        match self.components.units[usize::from(u)].contingent {
            Contingent::Byzantine => BYZANTINE,
            Contingent::Armenian => ARMENIAN,
            _ => CRUSADER,
        }
    }

    /// Who plays a contingent: with two players the Armenians follow the Crusaders [opt-37.0].
    #[inline]
    pub(crate) fn seat_of(&self, p: &Position, family: u8) -> Seat {
        match (p.table.seats, family) {
            (1, _) | (2, ARMENIAN) => Seat::new(0),
            _ => Seat::new(family),
        }
    }

    /// Christian units in a space.
    #[inline]
    pub(crate) fn christians(&self, p: &Position, s: u8) -> Set {
        p.here[usize::from(s)] & self.components.christians
    }

    /// Muslim and Assassin units in a space.
    #[inline]
    pub(crate) fn muslims(&self, p: &Position, s: u8) -> Set {
        p.here[usize::from(s)] & self.components.muslims
    }

    /// Whether Christians control a space [10.5]; Constantinople always.
    #[inline]
    pub(crate) fn controlled(&self, p: &Position, s: u8) -> bool {
        s == self.components.capital || (self.christians(p, s).any() && self.muslims(p, s).is_empty())
    }

    /// Which contingent's force controls a space, if Christians do and are there.
    pub(crate) fn holder(&self, p: &Position, s: u8) -> Option<u8> {
        let here = self.christians(p, s);
        if here.is_empty() || self.muslims(p, s).any() {
            return None;
        }
        let found = [CRUSADER, BYZANTINE, ARMENIAN].into_iter().find(|f| (here & self.family(*f)).any());
        Some(found.unwrap_or(CRUSADER))
    }

    /// Whether a space is a fortress for combat, supply and rally: castles are [33.7].
    #[inline]
    pub(crate) fn is_fort(&self, p: &Position, s: u8) -> bool {
        s == self.components.capital || self.components.fortresses.has(s) || p.castles.has(s)
    }

    /// Whether Christian and Muslim units share a space.
    #[inline]
    pub(crate) fn contested(&self, p: &Position, s: u8) -> bool {
        self.christians(p, s).any() && self.muslims(p, s).any()
    }

    /// Whether these Christian units may not end an action together in a space [10.1].
    pub(crate) fn crowded(&self, p: &Position, s: u8, units: Set) -> bool {
        if s == self.components.capital {
            return false;
        }
        let crusaders = units & self.of(Contingent::Crusader);
        let byzantines = units & self.of(Contingent::Byzantine);
        let armenians = units & self.of(Contingent::Armenian);
        let lesser = byzantines - Set::one(self.components.takitios);
        if (lesser.any() && crusaders.any()) || (byzantines.any() && armenians.any()) {
            return true;
        }
        // Before its activation Armenia receives only an embassy in Sis [30.2].
        crusaders.any()
            && armenians.any()
            && !p.armenia
            && !(s == self.components.sis && (crusaders & self.components.diplomats).any())
    }

    /// How many actions can still be spent.
    #[inline]
    pub(crate) fn actions_left(&self, p: &Position) -> u8 {
        p.standard + p.special
    }

    /// Spends actions, standard ones first.
    pub(crate) fn pay(&self, p: &mut Position, actions: u8) {
        let standard = actions.min(p.standard);
        p.standard -= standard;
        p.special -= actions - standard;
        p.spent = p.spent.saturating_add(actions);
    }

    /// Registers Special Actions; never more than six [12.2].
    pub(crate) fn gain_special<U: Umpire + ?Sized>(&self, p: &mut Position, n: u8, umpire: &mut U) {
        p.special = (p.special + n).min(6);
        umpire.note(
            Readers::ALL,
            rule!("12.2"),
            format_args!("{n} Special Actions are gained: {} are registered", p.special),
        );
    }

    /// Takes Special Actions off the index, which never goes below zero [12.2].
    pub(crate) fn lose_special<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        if p.special > 0 {
            p.special -= 1;
            umpire.note(
                Readers::ALL,
                rule!("12.2"),
                format_args!("a Special Action is lost: {} are left", p.special),
            );
        }
    }

    /// The Muslim reaction level moves; it stays between Low and High [27.1].
    pub(crate) fn move_reaction<U: Umpire + ?Sized>(&self, p: &mut Position, by: i8, umpire: &mut U) {
        let level = p.reaction.saturating_add_signed(by).clamp(1, 3);
        if level != p.reaction {
            p.reaction = level;
            umpire.note(
                Readers::ALL,
                rule!("27.1"),
                format_args!("the Muslim reaction is now {}", LEVELS[usize::from(level)]),
            );
        }
    }

    /// A unit loses a step, or is eliminated [23.3].
    pub(crate) fn lose_step<U: Umpire + ?Sized>(&self, p: &mut Position, u: u8, umpire: &mut U) {
        if self.components.two_steps.has(u) && !p.reduced.has(u) {
            p.reduced.insert(u);
        } else {
            self.eliminate(p, u, umpire);
        }
    }

    /// A unit is eliminated: leaders for good, others to their bin [14.5, 23.3].
    pub(crate) fn eliminate<U: Umpire + ?Sized>(&self, p: &mut Position, u: u8, umpire: &mut U) {
        if !p.on_map(u) {
            return;
        }
        let unit = &self.components.units[usize::from(u)];
        let leader = self.components.leaders.has(u);
        let christian = self.components.christians.has(u);
        let place = match unit.contingent {
            _ if !leader || self.components.emirs.has(u) => crate::position::BIN,
            Contingent::Mercenary => OUT,
            _ => crate::position::BOX,
        };
        if umpire.writes() {
            let rule = match (christian, leader) {
                (_, false) => rule!("23.3"),
                (true, true) => rule!("32.1"),
                (false, true) => rule!("32.4"),
            };
            umpire.note(
                Readers::ALL,
                rule,
                format_args!(
                    "{} is eliminated in {}",
                    unit.name,
                    self.components.space_name(p.place[usize::from(u)])
                ),
            );
        }
        if christian {
            umpire.cite(if unit.contingent == Contingent::Mercenary { rule!("14.6") } else { rule!("14.5") });
        }
        self.disembark(p, u);
        let fleet = self.components.fleet_number[usize::from(u)];
        let at = p.place[usize::from(u)];
        p.stow(u, place);
        if p.battle.space != NONE {
            p.battle.christians.remove(u);
            p.battle.muslims.remove(u);
            p.battle.leaders_lost[usize::from(!christian)] += u8::from(leader);
        }
        p.march.force.remove(u);
        p.pool.remove(u);
        if christian && leader {
            self.lose_title(p, u, umpire);
        }
        if fleet != NONE {
            let cargo = std::mem::replace(&mut p.cargo[usize::from(fleet)], NONE);
            // What sails goes down with its ship [25.3].
            if cargo != NONE && self.components.seas.has(at) {
                umpire.cite(rule!("25.3"));
                self.eliminate(p, cargo, umpire);
            }
        }
        if u == self.components.emperor {
            self.emperor_falls(p, umpire);
        }
    }

    /// Without Alexios the Byzantines abandon the field [32.2].
    fn emperor_falls<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        umpire.note(
            Readers::ALL,
            rule!("32.2"),
            format_args!("Alexios is dead: the Byzantine armies in the field go home for good"),
        );
        for u in self.of(Contingent::Byzantine).each() {
            let at = p.place[usize::from(u)];
            let safe = at == self.components.capital || self.components.fortresses.has(at);
            if p.on_map(u) && !safe {
                self.remove(p, u, OUT);
            }
        }
    }

    /// Takes a unit off the map without its being eliminated. What a ship carried at sea is brought to
    /// Constantinople.
    pub(crate) fn remove(&self, p: &mut Position, u: u8, place: u8) {
        self.disembark(p, u);
        let at = p.place[usize::from(u)];
        p.stow(u, place);
        p.battle.christians.remove(u);
        p.battle.muslims.remove(u);
        p.march.force.remove(u);
        p.march.joined.remove(u);
        p.pool.remove(u);
        for title in &mut p.titles {
            if *title == u {
                *title = NONE;
            }
        }
        let fleet = self.components.fleet_number[usize::from(u)];
        if fleet != NONE {
            let cargo = std::mem::replace(&mut p.cargo[usize::from(fleet)], NONE);
            if cargo != NONE && self.components.seas.has(at) {
                p.put(cargo, self.components.capital);
            }
        }
    }

    /// A unit is no longer aboard anything.
    pub(crate) fn disembark(&self, p: &mut Position, u: u8) {
        for cargo in &mut p.cargo {
            if *cargo == u {
                *cargo = NONE;
            }
        }
    }

    /// Who must decide.
    pub(crate) fn who_decides(&self, p: &Position) -> SeatSet {
        let Some(step) = p.agenda.now() else { return SeatSet::NONE };
        if p.result.is_some() {
            return SeatSet::NONE;
        }
        let seat = match *step {
            Step::Shields | Step::Council | Step::Battle(Stage::Eve | Stage::Dawn) => {
                match self.asked_next(p) {
                    Some(seat) => seat,
                    None => return SeatSet::NONE,
                }
            }
            Step::Choose | Step::Rally { .. } => p.word,
            Step::Force | Step::March | Step::Gate | Step::Camps => self.seat_of(p, p.march.family),
            Step::Losses { cause: Cause::March, .. } => self.seat_of(p, p.march.family),
            Step::Losses { cause: Cause::Battle, .. } | Step::Strikes { .. } | Step::Withdraw => {
                self.seat_of(p, p.battle.family)
            }
            Step::Losses { cause: Cause::Winter, .. } => {
                self.seat_of(p, p.pool.first().map_or(CRUSADER, |u| self.family_of(u)))
            }
            Step::Hunger { spaces } => {
                let force = spaces.first().map_or(Set::NONE, |s| self.christians(p, s));
                self.seat_of(p, force.first().map_or(CRUSADER, |u| self.family_of(u)))
            }
            Step::Landing(_) | Step::Named(_) | Step::Crowded { .. } | Step::Breath => Seat::new(0),
            Step::Turn(_)
            | Step::Close(_)
            | Step::Pilgrim { .. }
            | Step::Event(_)
            | Step::Counter { .. }
            | Step::Battle(_) => return SeatSet::NONE,
        };
        seat.into()
    }

    /// What a seat may do.
    pub(crate) fn list<B: Ballot<Action> + ?Sized>(&self, p: &Position, seat: Seat, ballot: &mut B) {
        let Some(step) = p.agenda.now() else { return };
        match *step {
            Step::Choose => self.list_actions(p, seat, ballot),
            Step::Force => self.list_force(p, ballot),
            Step::March => self.list_march(p, seat, ballot),
            Step::Gate => self.list_gate(p, ballot),
            Step::Camps => {
                for s in [p.march.start, p.march.at] {
                    ballot.allow(Action::SpendCamp(s));
                }
            }
            Step::Rally { space, .. } => self.list_rally(p, space, ballot),
            Step::Landing(landing) => self.list_landing(p, landing, ballot),
            Step::Named(event) => self.list_named(p, event, ballot),
            Step::Shields | Step::Council | Step::Battle(Stage::Eve | Stage::Dawn) => {
                self.list_boons(p, seat, ballot);
                ballot.allow(Action::Done);
            }
            Step::Losses { left, cause } => self.list_losses(p, seat, left, cause, ballot),
            Step::Strikes { left } => self.list_strikes(p, left, ballot),
            Step::Withdraw => self.list_withdrawals(p, ballot),
            Step::Crowded { space } => {
                for f in [CRUSADER, BYZANTINE, ARMENIAN] {
                    if (self.christians(p, space) & self.family(f)).any() {
                        ballot.allow(Action::GiveUp(f));
                    }
                }
            }
            Step::Breath => ballot.force(Action::Proceed),
            Step::Hunger { .. } => {
                self.list_boons(p, seat, ballot);
                ballot.allow(Action::Endure);
            }
            Step::Turn(_)
            | Step::Close(_)
            | Step::Pilgrim { .. }
            | Step::Event(_)
            | Step::Counter { .. }
            | Step::Battle(_) => {}
        }
    }

    /// Carries out an action, and all that follows from it by itself.
    pub(crate) fn act<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut U,
    ) {
        let Some(step) = p.agenda.now().copied() else { return };
        match (action, step) {
            (Action::Play(m, used), _) => self.play_boon(p, seat, m, used, umpire),
            (Action::Done, Step::Shields | Step::Council | Step::Battle(_)) => p.asked = p.asked.with(seat),
            (_, Step::Choose) => self.take_action(p, seat, action, umpire),
            (_, Step::Force) => self.form(p, action, umpire),
            (_, Step::March) => self.on_the_march(p, action, umpire),
            (_, Step::Gate) => self.at_the_gate(p, action, umpire),
            (Action::SpendCamp(s), _) => {
                self.spend_camp(p, s, umpire);
                p.agenda.pop();
                self.end_march(p);
            }
            (Action::Restore(u), Step::Rally { space, left }) => self.restore(p, u, space, left, umpire),
            (Action::Done, Step::Rally { .. }) => drop(p.agenda.pop()),
            (Action::Place(s), Step::Landing(_)) => self.land(p, s, umpire),
            (Action::Name(u), Step::Named(event)) => self.name_leader(p, u, event, umpire),
            (Action::Lose(u), Step::Losses { left, cause }) => self.lose(p, u, left, cause, umpire),
            (Action::Allot, Step::Losses { left, cause }) => self.allot(p, left, cause, umpire),
            (Action::Strike(u), Step::Strikes { left }) => {
                p.agenda.pop();
                self.eliminate(p, u, umpire);
                self.strike(p, left - 1, umpire);
            }
            (Action::Allot, Step::Strikes { left }) => {
                p.agenda.pop();
                self.strike_all(p, left, umpire);
            }
            (_, Step::Withdraw) => self.withdraw(p, action, umpire),
            (Action::GiveUp(f), Step::Crowded { space }) => self.give_up(p, f, space, umpire),
            (Action::Proceed, Step::Breath) => drop(p.agenda.pop()),
            (Action::Endure, Step::Hunger { spaces }) => self.endure(p, spaces, umpire),
            _ => {}
        }
        self.proceed(p, umpire);
    }

    /// Where contingents may not stand together, all units of one are given up [10.1].
    fn give_up<U: Umpire + ?Sized>(&self, p: &mut Position, f: u8, space: u8, umpire: &mut U) {
        umpire.note(
            Readers::ALL,
            rule!("10.1"),
            format_args!(
                "the {} in {} are given up: contingents may not stand together there",
                Contingent::FORCES[usize::from(f)].name(),
                self.components.space_name(space)
            ),
        );
        p.agenda.pop();
        for u in (self.christians(p, space) & self.family(f)).each() {
            self.eliminate(p, u, umpire);
        }
    }

    /// Goes on until somebody must decide.
    pub(crate) fn proceed<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        loop {
            // What was drawn for nobody must not be guessed from what is drawn next: that is another entry.
            if std::mem::take(&mut p.breath) {
                p.agenda.push(Step::Breath);
                return;
            }
            self.check_defeat(p, umpire);
            if p.result.is_some() {
                // When all is over, all is shown.
                umpire.reveal(Readers::ALL);
                p.agenda = table::Agenda::default();
                p.march = March::NONE;
                p.battle = Battle::NONE;
                p.pool = Set::NONE;
                return;
            }
            let Some(step) = p.agenda.now().copied() else { return };
            match step {
                Step::Turn(phase) => {
                    self.tidy(p, umpire);
                    if !self.settle_stacking(p) {
                        self.check_victory(p, umpire);
                        if p.result.is_none() {
                            self.next_phase(p, phase, umpire);
                        }
                    }
                }
                Step::Shields | Step::Council => {
                    if self.asked_next(p).is_some() {
                        return;
                    }
                    p.asked = SeatSet::NONE;
                    p.agenda.pop();
                }
                Step::Close(close) => self.close_march(p, close, umpire),
                Step::Pilgrim { leader, left } => self.pilgrim(p, leader, left, umpire),
                Step::Event(event) => {
                    p.agenda.pop();
                    self.happen(p, event, umpire);
                }
                Step::Counter { bonus } => {
                    p.agenda.pop();
                    self.counteroffensive(p, bonus, umpire);
                }
                Step::Battle(Stage::Eve | Stage::Dawn) if self.asked_next(p).is_some() => return,
                Step::Battle(stage) => self.battle_on(p, stage, umpire),
                Step::Losses { left, .. } if left == 0 || p.pool.is_empty() => drop(p.agenda.pop()),
                Step::Rally { space, left } if left == 0 || self.wounded(p, space).is_empty() => {
                    p.agenda.pop();
                }
                Step::Landing(landing) => {
                    if self.landing_settled(p, landing, umpire) {
                        continue;
                    }
                    return;
                }
                Step::Hunger { spaces } => {
                    if self.hunger_settled(p, spaces, umpire) {
                        continue;
                    }
                    return;
                }
                Step::Named(event) => {
                    if self.nameable(p, event).is_empty() {
                        p.agenda.pop();
                        continue;
                    }
                    return;
                }
                Step::Withdraw => {
                    if self.no_way_out(p, umpire) {
                        continue;
                    }
                    return;
                }
                Step::Choose
                | Step::Force
                | Step::March
                | Step::Gate
                | Step::Camps
                | Step::Rally { .. }
                | Step::Losses { .. }
                | Step::Strikes { .. }
                | Step::Breath
                | Step::Crowded { .. } => return,
            }
        }
    }

    /// Opens a decision where contingents stand together that may not [10.1].
    fn settle_stacking(&self, p: &mut Position) -> bool {
        // Every clash is one of Byzantines or Armenians with others.
        for u in (self.family(BYZANTINE) | self.family(ARMENIAN)).each() {
            let s = p.place[usize::from(u)];
            if !p.on_map(u) || s == self.components.capital {
                continue;
            }
            let here = self.christians(p, s);
            if here.len() > 1 && self.crowded(p, s, here) {
                p.agenda.push(Step::Crowded { space: s });
                return true;
            }
        }
        false
    }

    /// What the rules keep in order by themselves between two actions.
    fn tidy<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let masyaf = self.components.masyaf;
        let assassin = self.components.assassin;
        if p.place[usize::from(assassin)] != masyaf && self.christians(p, masyaf).is_empty() {
            p.put(assassin, masyaf);
            p.shown.insert(assassin);
            umpire.note(Readers::ALL, rule!("31.1"), format_args!("the Assassins are back in Masyaf"));
        }
        for s in (p.camps | p.castles | p.monasteries).each() {
            self.ruin(p, s, umpire);
        }
        if p.sieges.any() {
            self.lift_sieges(p, umpire);
        }
    }

    fn next_phase<U: Umpire + ?Sized>(&self, p: &mut Position, phase: Phase, umpire: &mut U) {
        match phase {
            Phase::Event => {
                p.agenda.replace(Step::Turn(Phase::Standard));
                p.standard = 3;
                p.spent = 0;
                if umpire.writes() {
                    umpire.heading(format_args!("{}", season(p.turn)));
                }
                umpire.cite(rule!("8.1"));
                if !p.table.quiet {
                    let event = self.roll_event(umpire);
                    p.agenda.push(Step::Event(event));
                }
            }
            Phase::Standard if p.standard > 0 => self.open_choice(p),
            Phase::Standard => p.agenda.replace(Step::Turn(Phase::Determination)),
            Phase::Determination => {
                p.agenda.replace(Step::Turn(Phase::Special));
                if !p.table.quiet {
                    self.determine_special(p, umpire);
                }
                p.asked = SeatSet::NONE;
                p.agenda.push(Step::Shields);
            }
            Phase::Special if p.special > 0 => self.open_choice(p),
            Phase::Special => {
                p.agenda.replace(Step::Turn(Phase::Reaction));
                p.asked = SeatSet::NONE;
                if !p.table.quiet {
                    p.agenda.push(Step::Council);
                }
            }
            Phase::Reaction => {
                p.agenda.replace(Step::Turn(Phase::Counteroffensive));
                if !p.table.quiet {
                    self.check_reaction(p, umpire);
                }
            }
            Phase::Counteroffensive => {
                p.agenda.replace(Step::Turn(Phase::Winter));
                if !p.table.quiet {
                    p.agenda.push(Step::Counter { bonus: 0 });
                }
            }
            Phase::Winter => {
                p.agenda.replace(Step::Turn(Phase::End));
                if self.is_autumn(p) && !p.table.quiet {
                    self.winter_comes(p, umpire);
                }
            }
            Phase::End => self.end_turn(p, umpire),
        }
    }

    /// Whether the winter supply step follows this turn [28.0].
    pub(crate) fn is_autumn(&self, p: &Position) -> bool {
        p.turn.is_multiple_of(3)
    }

    fn open_choice(&self, p: &mut Position) {
        p.word = Seat::new(0);
        p.asked = Seat::new(0).into();
        p.agenda.push(Step::Choose);
    }

    fn end_turn<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        if self.is_autumn(p) && !p.table.quiet {
            self.winter_ends(p, umpire);
        }
        p.infighting = false;
        p.standard = 0;
        if p.turn >= p.table.last_turn {
            self.count_points(p, umpire);
        } else {
            p.turn += 1;
            p.agenda.replace(Step::Turn(Phase::Event));
        }
    }
}

/// The names of the reaction levels.
pub(crate) const LEVELS: [&str; 4] = ["", "I Low", "II Medium", "III High"];

/// The season of a turn, such as `1097 Spring`.
pub(crate) fn season(turn: u8) -> String {
    let turn = u32::from(turn.clamp(1, 9)) - 1;
    format!("{} {}", 1097 + turn / 3, ["Spring", "Summer", "Autumn"][turn as usize % 3])
}
