//! The sequence of play: who decides, what may be done, and what follows by itself.
//!
//! One file for each group of chapters of the rulebook; this one holds the sequence of a turn [8.1] and the
//! ground that all chapters stand on: who holds what [10.5] and who may stand together [10.1].

use table::rooms::Rules;
use table::scene::Fall;
use table::{
    Ballot, Happening, Outcome, Readers, Rule, Seat, SeatSet, Set, Setup, SetupError, Title, Umpire, rule,
};

use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Contingent, Family, Space, Unit};
use crate::position::{Cause, Phase, Place, Position, Stage, Step};
use crate::words::special_actions;

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
pub(crate) use movement::movement_points;

/// Why something may not be done: the rule and a few words.
pub(crate) type Refused = (Rule, &'static str);

impl Rules for FirstCrusade {
    type Position = Position;
    type Action = Action;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        Ok(self.start(setup, umpire))
    }

    fn deciding(&self, p: &Position) -> SeatSet {
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
            Step::Force
            | Step::March
            | Step::Gate
            | Step::Camps
            | Step::Losses { cause: Cause::March, .. } => {
                self.seat_of(p, p.march.map_or(Family::Crusader, |m| m.family))
            }
            Step::Losses { cause: Cause::Battle, .. } | Step::Strikes { .. } | Step::Withdraw => {
                self.seat_of(p, p.battle.map_or(Family::Crusader, |b| b.family))
            }
            Step::Losses { cause: Cause::Winter, .. } => {
                self.seat_of(p, p.pool.first().map_or(Family::Crusader, |u| self.family_of(u)))
            }
            Step::Hunger { spaces } => match self.provider(p, spaces) {
                Some(seat) => seat,
                None => return SeatSet::NONE,
            },
            Step::Landing(_) | Step::Named(_) | Step::Crowded { .. } | Step::Breath => Seat::new(0),
            Step::Turn(_)
            | Step::Close(_)
            | Step::Pilgrim { .. }
            | Step::Bane(_)
            | Step::Event(_)
            | Step::Counter { .. }
            | Step::Battle(_) => return SeatSet::NONE,
        };
        seat.into()
    }

    fn options(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(step) = p.agenda.now() else { return };
        self.list_boons(p, seat, ballot);
        match *step {
            Step::Choose => self.list_actions(p, seat, ballot),
            Step::Force => self.list_force(p, ballot),
            Step::March => self.list_march(p, ballot),
            Step::Gate => self.list_gate(p, ballot),
            Step::Camps => {
                for s in p.march.iter().flat_map(|m| [m.start, m.at]) {
                    ballot.allow(Action::SpendCamp(s));
                }
            }
            Step::Rally { space, .. } => self.list_rally(p, space, ballot),
            Step::Landing(landing) => self.list_landing(p, landing, ballot),
            Step::Named(event) => self.list_named(p, event, ballot),
            Step::Shields | Step::Council | Step::Battle(Stage::Eve | Stage::Dawn) => {
                ballot.allow(Action::Done);
            }
            Step::Losses { left, .. } => self.list_losses(p, left, ballot),
            Step::Strikes { .. } => self.list_strikes(p, ballot),
            Step::Withdraw => self.list_withdrawals(p, ballot),
            Step::Crowded { space } => {
                for f in Family::ALL {
                    if (self.christians(p, space) & self.family(f)).any() {
                        ballot.allow(Action::GiveUp(f));
                    }
                }
            }
            Step::Breath => ballot.force(Action::Proceed),
            Step::Hunger { .. } => ballot.allow(Action::Endure),
            Step::Turn(_)
            | Step::Close(_)
            | Step::Pilgrim { .. }
            | Step::Bane(_)
            | Step::Event(_)
            | Step::Counter { .. }
            | Step::Battle(_) => {}
        }
    }

    fn apply(&self, p: &mut Position, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
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
            (Action::Endure, Step::Hunger { .. }) => {
                self.cite_team(p, umpire);
                p.asked = p.asked.with(seat);
            }
            _ => {}
        }
        self.proceed(p, umpire);
    }

    fn outcome(&self, p: &Position) -> Option<Outcome> {
        self.verdict(p)
    }

    fn reason(&self, p: &Position) -> String {
        self.why_it_ended(p)
    }
}

impl FirstCrusade {
    /// The units of a contingent.
    #[inline]
    pub(crate) fn of(&self, contingent: Contingent) -> Set<Unit> {
        self.components.of(contingent)
    }

    /// The units of a contingent that forms forces.
    #[inline]
    pub(crate) fn family(&self, family: Family) -> Set<Unit> {
        self.of(family.contingent())
    }

    /// Whose force a Christian unit belongs to: mercenaries count as Crusaders [32.5].
    #[inline]
    pub(crate) fn family_of(&self, u: Unit) -> Family {
        match self.components.units[u].contingent {
            Contingent::Byzantine => Family::Byzantine,
            Contingent::Armenian => Family::Armenian,
            _ => Family::Crusader,
        }
    }

    /// Who plays a contingent: one that nobody sits for follows the Crusaders [opt-37.0].
    #[inline]
    pub(crate) fn seat_of(&self, p: &Position, family: Family) -> Seat {
        let own = family.seat();
        if p.table.party.contains(own) { own } else { Family::Crusader.seat() }
    }

    /// Christian units in a space.
    #[inline]
    pub(crate) fn christians(&self, p: &Position, s: Space) -> Set<Unit> {
        p.here[s] & self.components.christians
    }

    /// Muslim and Assassin units in a space.
    #[inline]
    pub(crate) fn muslims(&self, p: &Position, s: Space) -> Set<Unit> {
        p.here[s] & self.components.muslims
    }

    /// Whether Christians control a space [10.5]; Constantinople always.
    #[inline]
    pub(crate) fn controlled(&self, p: &Position, s: Space) -> bool {
        s == self.components.capital || (self.christians(p, s).any() && self.muslims(p, s).is_empty())
    }

    /// Which contingent's force controls a space, if Christians do and are there.
    pub(crate) fn holder(&self, p: &Position, s: Space) -> Option<Family> {
        let here = self.christians(p, s);
        if here.is_empty() || self.muslims(p, s).any() {
            return None;
        }
        let found = Family::ALL.into_iter().find(|f| (here & self.family(*f)).any());
        Some(found.unwrap_or(Family::Crusader))
    }

    /// Whether a space is a fortress for combat, supply and rally: castles are [33.7].
    #[inline]
    pub(crate) fn is_fort(&self, p: &Position, s: Space) -> bool {
        s == self.components.capital || self.components.fortresses.has(s) || p.castles.has(s)
    }

    /// Whether walls shelter the Christians of a space: besiegers lie outside [opt-34.3].
    #[inline]
    pub(crate) fn sheltered(&self, p: &Position, s: Space) -> bool {
        self.is_fort(p, s) && !p.sieges.has(s)
    }

    /// Whether Christian and Muslim units share a space.
    #[inline]
    pub(crate) fn contested(&self, p: &Position, s: Space) -> bool {
        self.christians(p, s).any() && self.muslims(p, s).any()
    }

    /// Whether these Christian units may not end an action together in a space [10.1].
    pub(crate) fn crowded(&self, p: &Position, s: Space, units: Set<Unit>) -> bool {
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
        crusaders.any() && armenians.any() && !self.are_allies(p, s, crusaders)
    }

    /// Whether Armenians let Crusaders end an action among them: once they are activated, before that only an
    /// embassy in Sis [30.2].
    fn are_allies(&self, p: &Position, s: Space, crusaders: Set<Unit>) -> bool {
        p.armenia || (s == self.components.sis && (crusaders & self.components.diplomats).any())
    }

    /// Cites what was asked when Christians stand together in a space: 10.1 where contingents meet, 30.2 where
    /// Crusaders and Armenians do.
    pub(crate) fn cite_company<U: Umpire + ?Sized>(&self, units: Set<Unit>, umpire: &mut U) {
        let there = |contingent: Contingent| units.meets(self.of(contingent));
        let kinds =
            [Contingent::Crusader, Contingent::Byzantine, Contingent::Armenian, Contingent::Mercenary];
        if kinds.into_iter().filter(|kind| there(*kind)).count() > 1 {
            umpire.cite(rule!("10.1"));
        }
        if there(Contingent::Crusader) && there(Contingent::Armenian) {
            umpire.cite(rule!("30.2"));
        }
    }

    /// Cites 32.5 where mercenaries count as Crusaders, or as what they are.
    pub(crate) fn cite_hired<U: Umpire + ?Sized>(&self, units: Set<Unit>, umpire: &mut U) {
        if units.meets(self.of(Contingent::Mercenary)) {
            umpire.cite(rule!("32.5"));
        }
    }

    /// Cites 37.0 where several play.
    pub(crate) fn cite_team<U: Umpire + ?Sized>(&self, p: &Position, umpire: &mut U) {
        if p.table.party.len() > 1 {
            umpire.cite(rule!("opt-37.0"));
        }
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
            format_args!(
                "{} {} gained, which makes {}",
                special_actions(n),
                if n == 1 { "is" } else { "are" },
                p.special
            ),
        );
    }

    /// Takes Special Actions off the index, which never goes below zero [12.2].
    pub(crate) fn lose_special<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        umpire.cite(rule!("12.2"));
        if p.special > 0 {
            p.special -= 1;
            umpire.note(
                Readers::ALL,
                rule!("12.2"),
                format_args!("A Special Action is lost, which leaves {}", p.special),
            );
        }
    }

    /// The Muslim reaction level moves; it stays between Low and High [27.1].
    pub(crate) fn move_reaction<U: Umpire + ?Sized>(&self, p: &mut Position, by: i8, umpire: &mut U) {
        umpire.cite(rule!("27.1"));
        let level = p.reaction.saturating_add_signed(by).clamp(1, 3);
        if level != p.reaction {
            p.reaction = level;
            umpire.note(
                Readers::ALL,
                rule!("27.1"),
                format_args!("The Muslim reaction is now {}", LEVELS[usize::from(level)]),
            );
        }
    }

    /// A unit loses a step, or is eliminated [23.3].
    pub(crate) fn lose_step<U: Umpire + ?Sized>(&self, p: &mut Position, u: Unit, why: Rule, umpire: &mut U) {
        if self.components.two_steps.has(u) && !p.reduced.has(u) {
            p.reduced.insert(u);
            umpire.note(
                Readers::ALL,
                why,
                format_args!("{} loses a step in {}", self.components.unit_name(u), self.whereabouts(p, u)),
            );
        } else {
            umpire.cite(why);
            self.cite_hired(Set::one(u), umpire);
            self.eliminate(p, u, umpire);
        }
    }

    /// A unit is eliminated: leaders for good, others to their bin [14.5, 23.3].
    pub(crate) fn eliminate<U: Umpire + ?Sized>(&self, p: &mut Position, u: Unit, umpire: &mut U) {
        if !p.on_map(u) {
            return;
        }
        let unit = &self.components.units[u];
        let leader = self.components.leaders.has(u);
        let christian = self.components.christians.has(u);
        let place = match unit.contingent {
            _ if !leader || self.components.emirs.has(u) => Place::Bin,
            Contingent::Mercenary => Place::Out,
            _ => Place::Dead,
        };
        if umpire.writes() {
            let rule = match (christian, leader) {
                (_, false) => rule!("23.3"),
                (true, true) => rule!("32.1"),
                (false, true) => rule!("32.4"),
            };
            let place = self.whereabouts(p, u);
            let (who, is) = match unit.contingent {
                Contingent::Assassin => ("The Assassins", "are"),
                _ => (unit.name.as_str(), "is"),
            };
            umpire.tell(Readers::ALL, rule, format_args!("{who} {is} eliminated in {place}"), &|| {
                let at = p.at(u).map(|s| self.space_id(s));
                at.map(|space| Happening::Fell(Fall { space, count: 1, owner: self.owner(u) }))
                    .into_iter()
                    .collect()
            });
        }
        if christian {
            umpire.cite(if unit.contingent == Contingent::Mercenary { rule!("14.6") } else { rule!("14.5") });
        }
        self.disembark(p, u);
        p.stow(u, place);
        if let Some(b) = &mut p.battle {
            b.christians.remove(u);
            b.muslims.remove(u);
            let lost = if christian { &mut b.leaders_lost } else { &mut b.emirs_lost };
            *lost += u8::from(leader);
        }
        if let Some(m) = &mut p.march {
            m.force.remove(u);
        }
        p.pool.remove(u);
        if christian && leader {
            umpire.cite(rule!("6.1"));
            self.lose_title(p, u, umpire);
        }
        // Whoever is aboard goes down with the ship [25.3].
        if let Some(cargo) = self.unload(p, u) {
            umpire.cite(rule!("25.3"));
            self.eliminate(p, cargo, umpire);
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
        for u in self.of(Contingent::Byzantine).iter() {
            match p.at(u) {
                Some(at) if !self.sheltered(p, at) => self.remove(p, u, Place::Out),
                Some(at) if p.castles.has(at) => umpire.cite(rule!("33.7")),
                _ => {}
            }
        }
    }

    /// Takes a unit off the map without its being eliminated. What a ship carried at sea is brought to
    /// Constantinople.
    pub(crate) fn remove(&self, p: &mut Position, u: Unit, place: Place) {
        self.disembark(p, u);
        let at_sea = p.at(u).is_some_and(|at| self.components.seas.has(at));
        p.stow(u, place);
        if let Some(b) = &mut p.battle {
            b.christians.remove(u);
            b.muslims.remove(u);
        }
        if let Some(m) = &mut p.march {
            m.force.remove(u);
            m.joined.remove(u);
        }
        p.pool.remove(u);
        for title in p.titles.values_mut() {
            if *title == Some(u) {
                *title = None;
            }
        }
        if let Some(cargo) = self.unload(p, u)
            && at_sea
        {
            p.put(cargo, self.components.capital);
        }
    }

    /// What a unit carries, if it is a laden fleet.
    #[inline]
    pub(crate) fn cargo(&self, p: &Position, u: Unit) -> Option<Unit> {
        self.components.fleet_number[u].and_then(|fleet| p.cargo[fleet])
    }

    /// Takes from a fleet what it carries.
    pub(crate) fn unload(&self, p: &mut Position, u: Unit) -> Option<Unit> {
        self.components.fleet_number[u].and_then(|fleet| p.cargo[fleet].take())
    }

    /// The name of the space that a unit stands in.
    pub(crate) fn whereabouts(&self, p: &Position, u: Unit) -> &str {
        p.at(u).map_or("nowhere", |s| self.components.space_name(s))
    }

    /// A unit is no longer aboard anything.
    pub(crate) fn disembark(&self, p: &mut Position, u: Unit) {
        for cargo in p.cargo.values_mut() {
            if *cargo == Some(u) {
                *cargo = None;
            }
        }
    }

    /// Where contingents may not stand together, all units of one are given up [10.1].
    fn give_up<U: Umpire + ?Sized>(&self, p: &mut Position, f: Family, space: Space, umpire: &mut U) {
        umpire.note(
            Readers::ALL,
            rule!("10.1"),
            format_args!(
                "The {} in {} are given up: contingents may not stand together there",
                f.name(),
                self.components.space_name(space)
            ),
        );
        p.agenda.pop();
        for u in (self.christians(p, space) & self.family(f)).iter() {
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
                p.march = None;
                p.battle = None;
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
                // What the bane did is done, and its marker goes back [13.2].
                Step::Bane(_) => drop(p.agenda.pop()),
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
                // Armenia may have joined since.
                Step::Crowded { space } if !self.crowded(p, space, self.christians(p, space)) => {
                    p.agenda.pop();
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
        for family in [Family::Byzantine, Family::Armenian] {
            let own = self.family(family);
            for u in self.components.roster(family.contingent()).iter().copied() {
                let Some(s) = p.at(u).filter(|s| *s != self.components.capital) else { continue };
                let here = self.christians(p, s);
                if !here.within(own) && self.crowded(p, s, here) {
                    p.agenda.push(Step::Crowded { space: s });
                    return true;
                }
            }
        }
        false
    }

    /// What the rules keep in order by themselves between two actions.
    fn tidy<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let masyaf = self.components.masyaf;
        let assassin = self.components.assassin;
        if p.at(assassin) != Some(masyaf) && self.christians(p, masyaf).is_empty() {
            p.put(assassin, masyaf);
            p.shown.insert(assassin);
            umpire.note(Readers::ALL, rule!("31.1"), format_args!("The Assassins are back in Masyaf"));
        }
        for s in (p.camps | p.castles | p.monasteries).iter() {
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
                umpire.cite(rule!("28.0"));
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
        if std::mem::take(&mut p.infighting) {
            umpire.cite(rule!("35.christian-infighting"));
        }
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
