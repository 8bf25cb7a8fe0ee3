//! The rules: the set-up, who decides, and the sequence of play \[5\], a file for each chapter.
//!
//! What goes on is a stack of steps. Some are decided by a player, some go on by themselves: after every action
//! [`settle`](KingdomOfHeaven::settle) carries out the latter until somebody must decide.

use table::rooms::*;
use table::{
    Agenda, Ballot, Map, Outcome, Readers, Seat, SeatSet, Set, Setup, SetupError, Title, Umpire, rule,
};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::Stance;
use crate::data::scenarios::Victory;
use crate::ids::{BOTH, CHRISTIAN, Leader, MUSLIM, Sides};
use crate::position::{
    BattlePhase, Ending, Hidden, Mark, Open, Phase, Place, Position, Step, TableRules, Year,
};

mod assault;
mod attrition;
mod avoidance;
mod battle;
mod cards;
mod command;
mod control;
mod crusades;
mod demobilisation;
mod diplomacy;
mod events;
mod interception;
mod movement;
mod mustering;
mod operations;
mod replacement;
mod retreat;
mod sea;
mod siege;
mod strongholds;
mod victory;
mod windows;

pub(crate) use command::{Element, Rank};
pub(crate) use control::no_licence;

impl Rules for KingdomOfHeaven {
    type Position = Position;
    type Action = Action;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        let number = self.components.plots.iter().position(|plot| plot.id == setup.scenario()).unwrap_or(0);
        let rules = TableRules {
            combine: setup.is_on("combined-cards"),
            dealt: setup.is_on("dealt-events"),
            marginal: setup.is_on("marginal-victory"),
        };
        let mut p = self.at_start(number, rules);
        for rule in [rule!("4"), rule!("4.1"), rule!("4.2"), rule!("4.3")] {
            umpire.cite(rule);
        }
        self.head_turn(&p, umpire);
        p.open.agenda.push(Step::Turn(Phase::Deal));
        self.settle(&mut p, umpire);
        Ok(p)
    }

    #[inline]
    fn deciding(&self, p: &Position) -> SeatSet {
        let Some(step) = p.open.agenda.now() else { return SeatSet::NONE };
        match *step {
            Step::Replace { seat }
            | Step::Recover { seat, .. }
            | Step::MusterLeaders { seat }
            | Step::MusterUnits { seat }
            | Step::Deal { seat }
            | Step::Draw { seat, .. }
            | Step::Ransom { seat }
            | Step::Round { seat }
            | Step::Window { seat, .. }
            | Step::Designate { seat }
            | Step::Destination { seat, .. }
            | Step::Follow { seat, .. }
            | Step::Rearguard { seat, .. }
            | Step::Shelter { seat, .. }
            | Step::Lift { seat, .. }
            | Step::Losses { seat, .. }
            | Step::Retreat { seat }
            | Step::Refuge { seat, .. }
            | Step::Garrison { seat, .. }
            | Step::Man { seat, .. }
            | Step::Vassals { seat, .. }
            | Step::Expelled { seat, .. }
            | Step::Answer { seat, .. }
            | Step::Winter { seat, .. } => seat.into(),
            Step::Overture { asked, .. } => asked.into(),
            Step::Effects(effects) | Step::Activations { effects } => self.chooser(p, &effects).into(),
            Step::Command | Step::March => {
                p.open.march.as_ref().map_or(SeatSet::NONE, |march| march.seat.into())
            }
            Step::Battle => self.battle_asks(p).map_or(SeatSet::NONE, SeatSet::only),
            Step::Casualties => {
                let owes = |seat: &Seat| p.open.battle.as_ref().is_some_and(|b| b.hosts[*seat].owed > 0);
                BOTH.into_iter().filter(owes).collect()
            }
            Step::Press => p.open.duel.map_or(SeatSet::NONE, |duel| duel.besieger.into()),
            Step::Turn(_)
            | Step::RoundEnd { .. }
            | Step::EventEnd { .. }
            | Step::Sail { .. }
            | Step::Entered { .. }
            | Step::Attempts { .. }
            | Step::Shifting { .. }
            | Step::Announced { .. }
            | Step::Storm { .. }
            | Step::Forage { .. } => SeatSet::NONE,
        }
    }

    #[inline]
    fn options(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(step) = p.open.agenda.now() else { return };
        match *step {
            Step::Replace { .. } => self.list_replacements(p, seat, ballot),
            Step::Recover { powers, left, at, .. } => self.list_recovery(p, seat, powers, left, at, ballot),
            Step::MusterLeaders { .. } => self.list_leaders(p, seat, ballot),
            Step::MusterUnits { .. } => self.list_muster(p, seat, ballot),
            Step::Deal { .. } => ballot.force(Action::Deal),
            Step::Draw { .. } => ballot.force(Action::Draw),
            Step::Ransom { .. } => self.list_ransom(p, seat, ballot),
            Step::Round { .. } => self.list_round(p, seat, ballot),
            Step::Window { trigger, .. } => self.list_window(p, seat, trigger, ballot),
            Step::Designate { .. } => self.list_designations(p, seat, ballot),
            Step::Destination { which, shadow, .. } => self.list_destinations(p, seat, which, shadow, ballot),
            Step::Follow { which, .. } => self.list_follow(p, seat, which, ballot),
            Step::Rearguard { which, at, from, away, .. } => {
                self.list_rearguard(p, seat, which, at, from, away, ballot);
            }
            Step::Shelter { at, .. } => self.list_shelter(p, seat, at, ballot),
            Step::Lift { .. } => {
                ballot.allow(Action::Attack);
                ballot.allow(Action::Done);
            }
            Step::Losses { toll, castle, .. } => {
                self.list_losses(p, seat, p.open.struck, toll, castle, ballot)
            }
            Step::Casualties => self.list_casualties(p, seat, ballot),
            Step::Retreat { .. } => self.list_retreat(p, seat, ballot),
            Step::Refuge { leader, from, .. } => self.list_refuges(p, seat, leader, from, ballot),
            Step::Garrison { at, .. } | Step::Man { at, .. } => self.list_filling(p, seat, at, ballot),
            Step::Vassals { left, extra, card, .. } => self.list_vassals(p, seat, left, extra, card, ballot),
            Step::Expelled { from, .. } => self.list_expelled(p, seat, from, ballot),
            Step::Answer { event, may_cancel, may_answer, .. } => {
                self.list_answers(p, seat, event, may_cancel, may_answer, ballot);
            }
            Step::Winter { at, .. } => self.list_winter(p, seat, at, ballot),
            Step::Overture { .. } => {
                ballot.allow(Action::Spend);
                ballot.allow(Action::Keep);
            }
            Step::Effects(effects) => self.list_choices(p, &effects, ballot),
            Step::Activations { effects } => self.list_activations(p, &effects, ballot),
            Step::Command => self.list_command(p, seat, ballot),
            Step::March => self.list_march(p, seat, ballot),
            Step::Battle => self.list_battle_cards(p, seat, ballot),
            Step::Press => self.list_press(p, seat, ballot),
            _ => {}
        }
    }

    #[inline]
    fn apply(&self, p: &mut Position, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(step) = p.open.agenda.now().copied() else { return };
        match step {
            Step::Replace { .. } => self.act_replacement(p, seat, action, umpire),
            Step::Recover { powers, left, at, .. } => {
                self.act_recovery(p, seat, powers, left, at, action, umpire)
            }
            Step::MusterLeaders { .. } => self.act_leaders(p, seat, action, umpire),
            Step::MusterUnits { .. } => self.act_muster(p, seat, action, umpire),
            Step::Deal { .. } => self.deal(p, seat, umpire),
            Step::Draw { left, .. } => {
                p.open.agenda.pop();
                if left > 1 {
                    p.open.agenda.push(Step::Draw { seat, left: left - 1 });
                }
                self.draw_card(p, seat, None, true, umpire);
            }
            Step::Ransom { .. } => self.act_ransom(p, seat, action, umpire),
            Step::Round { .. } => self.act_round(p, seat, action, umpire),
            Step::Window { trigger, .. } => self.act_window(p, seat, trigger, action, umpire),
            Step::Designate { .. } => self.act_designation(p, seat, action, umpire),
            Step::Destination { which, shadow, .. } => {
                self.act_destination(p, seat, which, shadow, action, umpire)
            }
            Step::Follow { which, .. } => self.act_follow(p, seat, which, action, umpire),
            Step::Rearguard { which, at, from, .. } => {
                self.act_rearguard(p, seat, which, at, from, action, umpire);
            }
            Step::Shelter { at, then_fight, .. } => self.act_shelter(p, seat, at, then_fight, action, umpire),
            Step::Lift { at, .. } => self.act_lift(p, seat, at, action, umpire),
            Step::Losses { left, toll, castle, .. } => {
                self.act_losses(p, seat, left, toll, castle, action, umpire)
            }
            Step::Casualties => self.act_casualties(p, seat, action, umpire),
            Step::Retreat { .. } => self.act_retreat(p, seat, action, umpire),
            Step::Refuge { leader, .. } => self.act_refuge(p, leader, action, umpire),
            Step::Garrison { at, .. } | Step::Man { at, .. } => self.act_filling(p, seat, at, action, umpire),
            Step::Vassals { left, extra, card, .. } => {
                self.act_vassals(p, seat, left, extra, card, action, umpire)
            }
            Step::Expelled { from, .. } => self.act_expelled(p, seat, from, action, umpire),
            Step::Answer { event, may_answer, .. } => {
                self.act_answer(p, seat, event, may_answer, action, umpire)
            }
            Step::Winter { at, late, .. } => self.act_winter(p, seat, at, late, action, umpire),
            Step::Overture { .. } => self.act_overture(p, seat, action, umpire),
            Step::Effects(_) => self.act_choice(p, action, umpire),
            Step::Activations { effects } => self.act_activation(p, effects, action, umpire),
            Step::Command => self.act_command(p, seat, action, umpire),
            Step::March => self.act_march(p, seat, action, umpire),
            Step::Battle => self.act_battle_card(p, seat, action, umpire),
            Step::Press => self.act_press(p, seat, action, umpire),
            _ => {}
        }
        self.settle(p, umpire);
    }

    fn outcome(&self, p: &Position) -> Option<Outcome> {
        let ending = p.open.ending?;
        let scores =
            [self.points(&p.open, CHRISTIAN).into(), self.points(&p.open, MUSLIM).into(), 0, 0, 0, 0, 0, 0];
        let by_space = matches!(self.plot(&p.open).victory, Victory::Space(_));
        let (winners, headline, rule) = match ending {
            Ending::Won(CHRISTIAN) => (SeatSet::only(CHRISTIAN), "The Christian wins", rule!("20.2")),
            Ending::Won(_) => (SeatSet::only(MUSLIM), "The Muslim wins", rule!("20.2")),
            Ending::Marginal(CHRISTIAN) => {
                (SeatSet::only(CHRISTIAN), "A marginal Christian victory", rule!("20.2"))
            }
            Ending::Marginal(_) => (SeatSet::only(MUSLIM), "A marginal Muslim victory", rule!("20.2")),
            Ending::NoCrusade => (SeatSet::only(CHRISTIAN), "A Christian major victory", rule!("19.2")),
            Ending::Draw => (SeatSet::NONE, "A draw", rule!("20.2")),
        };
        let scores = if by_space { [0; 8] } else { scores };
        Some(Outcome { winners, first: None, headline, rule, scores })
    }

    fn reason(&self, p: &Position) -> String {
        self.why(&p.open)
    }

    fn window(&self, p: &Position, _: Seat) -> bool {
        match p.open.agenda.now() {
            Some(Step::Window { .. } | Step::Answer { .. }) => true,
            Some(Step::Battle) => self.battle_asks(p).is_some(),
            _ => false,
        }
    }
}

impl KingdomOfHeaven {
    /// The pieces as a scenario sets them up, and nobody's cards dealt.
    pub(crate) fn at_start(&self, number: usize, rules: TableRules) -> Position {
        let plot = &self.components.plots[number];
        let mut open = Open {
            plot: number as u8,
            to_play: CHRISTIAN,
            rules,
            turn: 1,
            stance: Map::new(|power| plot.powers[power].map_or(Stance::Absent, |data| data.stance)),
            armies: Sides([Set::NONE; 2]),
            holds: plot.holds,
            marks: Map::filled(Mark::default()),
            at: Map::filled(Place::Gone),
            here: Map::filled(Set::NONE),
            reduced: Set::NONE,
            led: Map::new(|l: Leader| if plot.all_leaders.has(l) { Place::Tray } else { Place::Gone }),
            inside: Set::NONE,
            inside_led: Set::NONE,
            apart: plot.held_apart.is_some(),
            marker: None,
            failed: Sides::default(),
            tried: Sides([Set::NONE; 2]),
            moved_powers: Set::NONE,
            wooed: Sides::default(),
            points: Map::filled(0),
            points_later: Map::filled(0),
            paid: Set::NONE,
            held: Sides::default(),
            drawn: Sides::default(),
            discards: Set::NONE,
            removed: Set::NONE,
            reshuffle: false,
            pledged: Set::NONE,
            moved: Set::NONE,
            moved_led: Set::NONE,
            sailed: false,
            winter: Set::NONE,
            bans: Default::default(),
            calls: Default::default(),
            passage: Sides::default(),
            march: None,
            tries: Default::default(),
            foragers: Default::default(),
            battle: None,
            duel: None,
            struck: Set::NONE,
            kept: Set::NONE,
            kept_led: Set::NONE,
            placed: Map::filled(0),
            cancelled: false,
            year: Year::default(),
            ending: None,
            agenda: Agenda::default(),
        };
        for unit in Set::first_n(plot.roster.kinds.len()) {
            open.at[unit] = Place::Tray;
        }
        for (space, kind, count, reduced) in &plot.units {
            for _ in 0..*count {
                let free = plot.roster.of_kind[*kind].iter().find(|u| open.at[*u] == Place::Tray);
                let Some(unit) = free else { continue };
                open.put(unit, Place::At(*space));
                if *reduced {
                    open.reduced.insert(unit);
                }
            }
        }
        for (kind, count) in &plot.pool {
            for _ in 0..*count {
                let free = plot.roster.of_kind[*kind].iter().find(|u| open.at[*u] == Place::Tray);
                if let Some(unit) = free {
                    open.put(unit, Place::Pool);
                }
            }
        }
        for (leader, space) in &plot.leaders {
            open.led[*leader] = Place::At(*space);
        }
        open.year = self.new_year(&open);
        Position { open, hidden: Hidden::default() }
    }

    pub(crate) fn head_turn(&self, p: &Position, umpire: &mut (impl Umpire + ?Sized)) {
        let year = self.plot(&p.open).first_year + u16::from(p.open.turn) - 1;
        umpire.heading(format_args!("Turn {}, the year {year}", p.open.turn));
    }

    /// Carries out whatever goes on by itself, until somebody must decide.
    pub(crate) fn settle(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        self.enlist(&mut p.open);
        loop {
            if p.open.ending.is_some() {
                while p.open.agenda.pop().is_some() {}
                return;
            }
            let Some(step) = p.open.agenda.now().copied() else { return };
            match step {
                Step::Turn(phase) => self.turn(p, phase, umpire),
                Step::RoundEnd { seat } => self.end_round(p, seat, umpire),
                Step::EventEnd { seat, card } => self.end_event(p, seat, card, umpire),
                Step::Sail { to } => self.sail(p, to, umpire),
                Step::Entered { stage } => self.entered(p, stage, umpire),
                Step::Attempts { next } => self.attempt(p, next, umpire),
                Step::Shifting { seat, power, event } => {
                    self.shift_after_window(p, seat, power, event, umpire)
                }
                Step::Announced { seat, card, event, stage } => {
                    self.announced(p, seat, card, event, stage, umpire)
                }
                Step::Storm { stage } => self.storm(p, stage, umpire),
                Step::Forage { which } => self.forage(p, which, umpire),
                Step::Battle => {
                    if self.fight(p, umpire) {
                        return;
                    }
                }
                Step::Casualties => {
                    let owes = |seat: &Seat| p.open.battle.as_ref().is_some_and(|b| b.hosts[*seat].owed > 0);
                    if BOTH.iter().any(owes) {
                        return;
                    }
                    p.open.agenda.pop();
                }
                Step::Effects(effects) => {
                    if self.operate(p, effects, umpire) {
                        return;
                    }
                }
                Step::Window { seat, trigger } => {
                    if self.window_stays(p, seat, trigger) {
                        return;
                    }
                    p.open.agenda.pop();
                }
                Step::March => {
                    if p.open.march.as_ref().is_some_and(|march| !march.over) {
                        return;
                    }
                    self.end_march(p, umpire);
                }
                Step::Losses { seat, left, toll, castle, .. } => {
                    if self.losses_left(p, left, toll, castle) {
                        return;
                    }
                    let _ = seat;
                    p.open.agenda.pop();
                }
                Step::Overture { seat, asked, power, modifier, event, stage } => {
                    if self.overture(p, seat, asked, power, modifier, event, stage, umpire) {
                        return;
                    }
                }
                Step::Press => {
                    if self.pressing(p, umpire) {
                        return;
                    }
                }
                Step::Winter { seat, at, late } => {
                    if self.winter(p, seat, at, late, umpire) {
                        return;
                    }
                }
                Step::Round { seat } => {
                    if !self.begin_round(p, seat, umpire) {
                        return;
                    }
                }
                Step::Follow { seat, which } => {
                    if self.follows(p, seat, which) {
                        return;
                    }
                    p.open.agenda.pop();
                }
                Step::Destination { .. }
                | Step::Rearguard { away: true, .. }
                | Step::Command
                | Step::Answer { .. }
                | Step::Lift { .. } => return,
                Step::Retreat { seat } => {
                    if self.retreats(p, seat, umpire) {
                        return;
                    }
                }
                Step::Refuge { .. } | Step::Expelled { .. } | Step::Deal { .. } | Step::Draw { .. } => return,
                Step::Activations { effects } => {
                    if self.activations_left(p, &effects) {
                        return;
                    }
                    p.open.agenda.pop();
                }
                // Nothing hidden is decided in these: where only one thing can be done, it is done.
                Step::Replace { .. }
                | Step::Recover { .. }
                | Step::MusterLeaders { .. }
                | Step::MusterUnits { .. }
                | Step::Ransom { .. }
                | Step::Designate { .. }
                | Step::Rearguard { .. }
                | Step::Shelter { .. }
                | Step::Garrison { .. }
                | Step::Man { .. }
                | Step::Vassals { .. } => {
                    let Some(seat) = self.deciding(p).lowest() else { return };
                    if matches!(step, Step::MusterUnits { .. }) && self.may_drain(&p.open, seat) {
                        return;
                    }
                    let mut only = Only::default();
                    self.options(p, seat, &mut only);
                    match only {
                        Only { action: Some(Action::Done), more: false } => {
                            self.skip(p, seat, step, umpire);
                        }
                        _ => return,
                    }
                }
            }
        }
    }

    /// Somebody has nothing to do here but to say so.
    fn skip(&self, p: &mut Position, seat: Seat, step: Step, umpire: &mut (impl Umpire + ?Sized)) {
        match step {
            Step::Replace { .. } => self.act_replacement(p, seat, Action::Done, umpire),
            Step::Recover { powers, left, at, .. } => {
                self.act_recovery(p, seat, powers, left, at, Action::Done, umpire)
            }
            Step::MusterLeaders { .. } => self.act_leaders(p, seat, Action::Done, umpire),
            Step::MusterUnits { .. } => self.act_muster(p, seat, Action::Done, umpire),
            Step::Ransom { .. } => self.act_ransom(p, seat, Action::Done, umpire),
            Step::Designate { .. } => self.act_designation(p, seat, Action::Done, umpire),
            Step::Rearguard { which, at, from, .. } => {
                self.act_rearguard(p, seat, which, at, from, Action::Done, umpire);
            }
            Step::Shelter { at, then_fight, .. } => {
                self.act_shelter(p, seat, at, then_fight, Action::Done, umpire)
            }
            Step::Garrison { at, .. } | Step::Man { at, .. } => {
                self.act_filling(p, seat, at, Action::Done, umpire)
            }
            Step::Vassals { left, extra, card, .. } => {
                self.act_vassals(p, seat, left, extra, card, Action::Done, umpire);
            }
            _ => {}
        }
    }

    /// The next phase of the turn \[5\].
    fn turn(&self, p: &mut Position, phase: Phase, umpire: &mut (impl Umpire + ?Sized)) {
        let next = |p: &mut Position, phase| p.open.agenda.replace(Step::Turn(phase));
        umpire.cite(rule!("5"));
        match phase {
            Phase::Arrivals => {
                next(p, Phase::Replacement);
                self.arrive_on_time(p, umpire);
            }
            Phase::Replacement => {
                umpire.cite(rule!("5.1"));
                next(p, Phase::Muster);
                self.begin_replacement(p, umpire);
                p.open.agenda.push(Step::Replace { seat: MUSLIM });
                p.open.agenda.push(Step::Replace { seat: CHRISTIAN });
            }
            Phase::Muster => {
                umpire.cite(rule!("5.2"));
                next(p, Phase::Deal);
                self.begin_muster(p, umpire);
                for seat in [MUSLIM, CHRISTIAN] {
                    p.open.agenda.push(Step::MusterUnits { seat });
                }
                for seat in [MUSLIM, CHRISTIAN] {
                    p.open.agenda.push(Step::MusterLeaders { seat });
                }
            }
            Phase::Deal => {
                umpire.cite(rule!("5.3"));
                next(p, Phase::Initiative);
                p.open.agenda.push(Step::Ransom { seat: MUSLIM });
                p.open.agenda.push(Step::Ransom { seat: CHRISTIAN });
                p.open.agenda.push(Step::Deal { seat: MUSLIM });
                p.open.agenda.push(Step::Deal { seat: CHRISTIAN });
            }
            Phase::Initiative => {
                next(p, Phase::Strategy);
                let first = self.initiative(&p.open);
                p.open.to_play = first;
                let name = self.title.seat_name(first);
                umpire.note(Readers::ALL, rule!("5.4"), format_args!("The {name} acts first"));
            }
            Phase::Strategy => {
                umpire.cite(rule!("5.5"));
                if BOTH.iter().all(|seat| p.open.held[*seat] == 0) {
                    umpire.cite(rule!("5.5.1"));
                    next(p, Phase::Demobilisation);
                } else {
                    let seat = p.open.to_play;
                    p.open.to_play = seat.other();
                    p.open.agenda.push(Step::RoundEnd { seat });
                    p.open.agenda.push(Step::Round { seat });
                }
            }
            Phase::Demobilisation => {
                umpire.cite(rule!("5.6"));
                next(p, Phase::End);
                self.end_strategy(p);
                p.open.agenda.push(Step::Winter { seat: MUSLIM, at: None, late: true });
                p.open.agenda.push(Step::Winter { seat: CHRISTIAN, at: None, late: false });
                p.open.agenda.push(Step::Winter { seat: MUSLIM, at: None, late: false });
                p.open.kept = Set::NONE;
                p.open.kept_led = Set::NONE;
            }
            Phase::End => {
                umpire.cite(rule!("5.7"));
                self.tell_year(p, umpire);
                self.end_turn(p, umpire);
                if p.open.turn >= self.plot(&p.open).turns {
                    self.finish(p, umpire);
                } else {
                    p.open.turn += 1;
                    p.open.year = self.new_year(&p.open);
                    self.head_turn(p, umpire);
                    next(p, Phase::Arrivals);
                }
            }
        }
    }

    /// Who acts first [5.4].
    pub(crate) fn initiative(&self, o: &Open) -> Seat {
        let rating = |seat: Seat| {
            let mine = |l: &Leader| matches!(o.led[*l], Place::At(_)) && self.leads_for(o, *l) == Some(seat);
            let leaders = self.plot(o).all_leaders.iter().filter(mine).collect();
            self.highest(leaders).iter().map(|l| self.components.leader(l).strategy).min().unwrap_or(4)
        };
        if rating(MUSLIM) < rating(CHRISTIAN) { MUSLIM } else { CHRISTIAN }
    }

    /// What lasts for the Strategy Phase is over.
    fn end_strategy(&self, p: &mut Position) {
        p.open.bans.clear();
        p.open.calls.clear();
    }

    /// The turn is over: attempts and calls can be made anew, the deck may be shuffled [8.5].
    fn end_turn(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.tried = Sides([Set::NONE; 2]);
        p.open.moved_powers = Set::NONE;
        p.open.wooed = Sides::default();
        p.open.winter = Set::NONE;
        for space in self.components.all_spaces() {
            p.open.marks[space].called = Sides::default();
        }
        if std::mem::take(&mut p.open.reshuffle) {
            p.open.discards = Set::NONE;
            umpire.note(Readers::ALL, rule!("8.5"), format_args!("The discards are shuffled into the deck"));
        }
    }

    /// Whether a battle waits for somebody: who it is.
    pub(crate) fn battle_asks(&self, p: &Position) -> Option<Seat> {
        let battle = p.open.battle.as_ref()?;
        match battle.phase {
            BattlePhase::CardsAttacker | BattlePhase::AfterAttacker => Some(battle.attacker),
            BattlePhase::CardsDefender | BattlePhase::AfterDefender => Some(battle.attacker.other()),
            BattlePhase::PursuitCards => Some(Self::retreating(battle)),
            _ => None,
        }
    }
}

/// A ballot that only knows whether there is more than one thing to do.
#[derive(Default)]
struct Only {
    action: Option<Action>,
    more: bool,
}

impl Ballot<Action> for Only {
    fn allow(&mut self, action: Action) {
        self.more |= self.action.is_some();
        self.action = Some(action);
    }
    fn allow_range(&mut self, action: Action, least: u32, most: u32) {
        self.allow(action);
        self.more |= least < most;
    }
}
