//! The rules: the set-up, who decides, and the sequence of play, a file for each chapter.

use table::rooms::*;
use table::{
    Ballot, MOST_SEATS, Map, Outcome, Readers, Seat, SeatSet, Setup, SetupError, Title, Umpire, rule,
};

use crate::FourKeeps;
use crate::action::Action;
use crate::position::{CARDS, Captain, Hidden, LATEST, MEN, Open, Position, Step, side};

mod battle;
mod bids;
mod ending;
mod march;

impl Rules for FourKeeps {
    type Position = Position;
    type Action = Action;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        let mut p = Position {
            open: Open {
                party: setup.party(),
                turn: 1,
                last: if setup.scenario() == "two-turns" { 2 } else { 6 },
                captains: [Captain::default(); MOST_SEATS],
                held: Map::filled(None),
                step: Step::Bids,
                battles: Default::default(),
            },
            hidden: Hidden { wards: [0; MOST_SEATS], bids: [None; MOST_SEATS], stances: [None; MOST_SEATS] },
        };
        umpire.heading(format_args!("Turn 1"));
        umpire.cite(rule!("1.2"));
        let gold = if setup.is_on("rich") { 10 } else { 5 };
        for seat in p.open.party.iter() {
            self.enlist(&mut p, seat, gold, umpire);
        }
        Ok(p)
    }

    #[inline]
    fn deciding(&self, p: &Position) -> SeatSet {
        let fighting = p.open.fighting();
        match &p.open.step {
            Step::Bids => fighting.iter().filter(|seat| p.hidden.bids[seat.index()].is_none()).collect(),
            Step::March { order, .. } => order.first().copied().into_iter().collect(),
            Step::Battles => fighting.iter().filter(|seat| p.must_fight(*seat)).collect(),
            Step::Over => SeatSet::NONE,
        }
    }

    #[inline]
    fn options(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        match p.open.step {
            Step::Bids => self.list_bids(p, seat, ballot),
            Step::March { left, .. } => self.list_marches(p, seat, left, ballot),
            Step::Battles => self.list_fights(p, seat, ballot),
            Step::Over => {}
        }
    }

    #[inline]
    fn apply(&self, p: &mut Position, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        match action {
            Action::Bid(gold) => self.bid(p, seat, gold, umpire),
            Action::Go(direction) => self.go(p, seat, direction, umpire),
            Action::Halt => self.next_march(p, umpire),
            Action::Fight(stance) => self.fight(p, seat, stance, umpire),
            Action::Ward => self.answer(p, seat, true, umpire),
            Action::Pass => self.answer(p, seat, false, umpire),
        }
    }

    fn outcome(&self, p: &Position) -> Option<Outcome> {
        (p.open.step == Step::Over).then(|| self.result(&p.open))
    }

    fn reason(&self, p: &Position) -> String {
        self.why(&p.open)
    }

    fn together(&self, p: &Position, seat: Seat) -> SeatSet {
        match p.open.battle_of(seat) {
            Some(battle) if p.open.step == Step::Battles => battle.sides.into_iter().collect(),
            _ => self.deciding(p),
        }
    }

    fn window(&self, p: &Position, seat: Seat) -> bool {
        p.open.step == Step::Battles && p.open.battle_of(seat).is_some_and(|b| b.asked.is_some())
    }

    fn still_in(&self, p: &Position, party: SeatSet) -> SeatSet {
        party.both(p.open.fighting())
    }

    fn lets_join(&self) -> bool {
        true
    }

    fn latecomers(&self, p: &Position) -> SeatSet {
        let absent = SeatSet::first(MOST_SEATS).minus(p.open.party);
        let free = |seat: &Seat| p.open.on(self.components.home(*seat)).is_empty();
        if p.open.turn < LATEST && p.open.step == Step::Bids {
            absent.iter().filter(free).collect()
        } else {
            SeatSet::NONE
        }
    }

    fn arrive(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.party = p.open.party.with(seat);
        self.enlist(p, seat, 5, umpire);
        let name = self.title.seat_name(seat);
        umpire.note(Readers::ALL, rule!("1.3"), format_args!("{name} joins the game"));
    }

    fn with_amount(&self, action: Action, amount: u32) -> Action {
        match action {
            Action::Bid(_) => Action::Bid(amount.min(255) as u8),
            other => other,
        }
    }

    fn amount(&self, action: Action) -> Option<u32> {
        match action {
            Action::Bid(gold) => Some(gold.into()),
            _ => None,
        }
    }
}

impl FourKeeps {
    /// A captain begins at home with men, gold and cards that only he knows [1.1].
    fn enlist(&self, p: &mut Position, seat: Seat, gold: u8, umpire: &mut (impl Umpire + ?Sized)) {
        let home = self.components.home(seat);
        p.open.captains[seat.index()] = Captain { at: Some(home), men: MEN, gold, fame: 0, cards: CARDS };
        let own = Readers::only(seat.into());
        for _ in 0..CARDS {
            let drawn = umpire.draw(own, 2, &|i| ["ward", "blank"][usize::from(i)].to_string());
            p.hidden.wards[seat.index()] += u8::from(drawn == 0);
        }
        let wards = p.hidden.wards[seat.index()];
        umpire.note(
            own,
            rule!("1.1"),
            format_args!(
                "Of your two cards {}",
                ["none is a ward", "one is a ward", "both are wards"][usize::from(wards)]
            ),
        );
    }

    /// All have fought: keeps are taken, the turn ends, and another begins unless it is over.
    fn end_turn(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.battles.clear();
        self.take_keeps(p, umpire);
        for seat in p.open.fighting().iter() {
            let home = self.components.home(seat);
            if p.open.captain(seat).at.is_none() && p.open.on(home).is_empty() {
                umpire.cite(rule!("4.5"));
                p.open.captains[seat.index()].at = Some(home);
            }
        }
        if self.is_decided(&p.open) || p.open.turn == p.open.last {
            p.open.step = Step::Over;
            // All cards are laid open.
            umpire.reveal(Readers::ALL);
            if umpire.writes() {
                let outcome = self.result(&p.open);
                umpire.note(Readers::ALL, outcome.rule, format_args!("{}", self.why(&p.open)));
                if outcome.first.is_some() {
                    umpire.cite(rule!("6.3"));
                }
            }
            return;
        }
        p.open.turn += 1;
        umpire.heading(format_args!("Turn {}", p.open.turn));
        p.open.step = Step::Bids;
    }

    /// Keeps go to whoever stands on them [5.1].
    fn take_keeps(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for (keep, (name, hex)) in self.components.keeps.iter() {
            let Some(seat) = p.open.on(*hex).lowest() else { continue };
            if p.open.held[keep] != Some(side(seat)) {
                p.open.held[keep] = Some(side(seat));
                p.open.captains[seat.index()].fame += 1;
                let who = self.title.seat_name(seat);
                umpire.note(Readers::ALL, rule!("5.1"), format_args!("{who} takes {name}"));
            }
        }
    }
}
