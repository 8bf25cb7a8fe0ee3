//! `Rules` of a skirmish: set-up, muster, quick battles, the sides that the house plays, and the outcome.

use arrayvec::ArrayVec;
use table::rooms::*;
use table::{
    Ballot, Lots, MOST_SEATS, Options, Outcome, Readers, Seat, SeatSet, Setup, SetupError, Title, Umpire,
    rule,
};

use super::action::{Action, Within};
use super::position::{Hidden, MUSTERED, Open, Position, Prelude};
use super::{Skirmish, seat_of, side_of};
use crate::data::{KNIGHT, NCO};
use crate::field::{Chief, Ending, Field, Step};
use crate::ids::{Counter, Man, Side, Who};

/// No decision of the house takes more than this many actions in a row: a battle has fewer.
const HOUSE: u32 = 200_000;

impl Rules for Skirmish {
    type Position = Position;
    type Action = Action;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        let data = &self.tactics.data;
        let number = self.title.scenarios.iter().position(|s| s.id == setup.scenario()).unwrap_or(0);
        let sheet = data.skirmishes.get(number);
        let map = match sheet {
            Some(sheet) => sheet.map,
            None => data.maps.iter().position(|m| m.id == setup.option("map")).unwrap_or(data.muster.maps[0]),
        };
        let breaches = setup.option("breaches").parse().unwrap_or(0);
        if breaches > 0 && sheet.is_none_or(|s| s.assault.is_none()) {
            return Err(SetupError::Together("There are breaches only in an assault.".into()));
        }
        let nobody = [0, 1].map(|i| Chief { man: Man::at(i), command: 0, fame: 0 });
        let mut p = Position {
            open: Open {
                party: setup.party(),
                scenario: number as u8,
                map: map as u8,
                sum: setup.option("sum").parse().unwrap_or(200),
                breaches,
                prelude: if setup.is_on("quick") {
                    Prelude::Quick
                } else {
                    Prelude::Muster([sheet.is_some(); 2])
                },
                field: Field::new(data_columns(), data_rows(), nobody),
            },
            hidden: Hidden::default(),
        };
        umpire.heading(format_args!("{}", self.title.scenarios[number].name));
        if p.open.prelude != Prelude::Quick && sheet.is_some() {
            self.call_up(&mut p, umpire);
        }
        self.play_house(&mut p, umpire);
        Ok(p)
    }

    #[inline]
    fn deciding(&self, p: &Position) -> SeatSet {
        match p.open.prelude {
            Prelude::Quick => {
                (0..2).filter(|i| p.hidden.quick[*i].is_none()).map(|i| Seat::new(i as u8)).collect()
            }
            Prelude::Muster(sealed) => (0..2).filter(|i| !sealed[*i]).map(|i| Seat::new(i as u8)).collect(),
            Prelude::Past => match p.open.field.deciding() {
                Some(side) => SeatSet::only(seat_of(side)),
                None => SeatSet::NONE,
            },
        }
    }

    #[inline]
    fn options(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        match p.open.prelude {
            Prelude::Quick => {
                ballot.allow(Action::Fight);
                ballot.allow(Action::Quick);
            }
            Prelude::Muster(_) => self.list_muster(p, side_of(seat), ballot),
            Prelude::Past => self.tactics.options(&p.open.field, &mut Within(ballot)),
        }
    }

    #[inline]
    fn apply(&self, p: &mut Position, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        self.carry_out(p, seat, action, umpire);
        if p.open.party != SeatSet::first(2) {
            self.play_house(p, umpire);
        }
    }

    fn outcome(&self, p: &Position) -> Option<Outcome> {
        let f = &p.open.field;
        let winner = self.tactics.winner(f).filter(|_| p.open.prelude == Prelude::Past)?;
        let mut scores = [0; MOST_SEATS];
        for side in Side::BOTH {
            scores[side.index()] = (self.tactics.score(f, side) / 100) as i32;
        }
        let rule = if f.siege.is_some() { rule!("T45") } else { rule!("T31") };
        let (winners, headline) = match winner {
            Some(Side::First) => (SeatSet::only(seat_of(Side::First)), "The Crusaders win"),
            Some(Side::Second) => (SeatSet::only(seat_of(Side::Second)), "The Saracens win"),
            None => (SeatSet::NONE, "A draw"),
        };
        Some(Outcome { winners, first: None, headline, rule, scores })
    }

    fn reason(&self, p: &Position) -> String {
        let f = &p.open.field;
        let Some(ending) = f.ended else { return String::new() };
        let chief = |side: Side| self.tactics.call(f, f.chiefs[side.index()].man);
        let why = match ending {
            Ending::Beaten(side) => format!("Nobody who follows {} fights on.", chief(side)),
            Ending::Withdrawn(side) => format!("{} has left the field.", chief(side)),
            Ending::GivenUp(side) => format!("{} has given the battle up.", chief(side)),
            Ending::Night => "Night has fallen.".to_string(),
            Ending::Taken => "The place is taken.".to_string(),
        };
        if f.siege.is_some() {
            return why;
        }
        let points = Side::BOTH.map(|side| self.tactics.score(f, side) / 100);
        format!("{why} The Crusaders count {}, the Saracens {}.", points[0], points[1])
    }
}

const fn data_columns() -> u8 {
    crate::data::MAP_COLUMNS as u8
}

const fn data_rows() -> u8 {
    crate::data::MAP_ROWS as u8
}

impl Skirmish {
    fn carry_out(&self, p: &mut Position, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        let side = side_of(seat);
        match action {
            Action::Quick | Action::Fight => {
                p.hidden.quick[side.index()] = Some(action == Action::Quick);
                if p.hidden.quick.iter().all(Option::is_some) {
                    self.answer_quick(p, umpire);
                }
            }
            Action::BuyOnFoot(_) => {}
            Action::Buy(who) => {
                if !p.hidden.musters[side.index()].is_full() {
                    p.hidden.musters[side.index()].push(who);
                }
            }
            Action::Seal => {
                if let Prelude::Muster(sealed) = &mut p.open.prelude {
                    sealed[side.index()] = true;
                    if *sealed == [true; 2] {
                        umpire.reveal(Readers::ALL);
                        umpire.note(Readers::ALL, rule!("3.14"), format_args!("Both musters are opened"));
                        self.call_up(p, umpire);
                    }
                }
            }
            Action::Field(deed) => self.tactics.apply(&mut p.open.field, deed, umpire),
        }
    }

    /// Both have said whether they want a quick battle.
    fn answer_quick(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        let quick = p.hidden.quick == [Some(true); 2];
        let written = self.tactics.data.skirmishes.get(usize::from(p.open.scenario)).is_some();
        p.open.prelude = Prelude::Muster([written; 2]);
        p.hidden.quick = [None; 2];
        let what = if quick { "Both agree to a quick battle" } else { "The battle will be fought out" };
        umpire.note(Readers::ALL, rule!("S41"), format_args!("{what}"));
        if written {
            self.call_up(p, umpire);
        }
        if quick {
            self.play_out(p, SeatSet::NONE, umpire);
        }
    }

    /// The house plays the sides that nobody plays.
    fn play_house(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        if !self.deciding(p).minus(p.open.party).is_empty() {
            self.play_out(p, p.open.party, umpire);
        }
    }

    /// Plays by habit, from lots that all see, until somebody of these must decide or it is over.
    fn play_out(&self, p: &mut Position, party: SeatSet, umpire: &mut (impl Umpire + ?Sized)) {
        let number = umpire.draw(Readers::ALL, u16::MAX, &|i| format!("lot {i}"));
        let mut lots = Lots::new(u64::from(number));
        let mut room = Options::new();
        for _ in 0..HOUSE {
            let Some(seat) = self.deciding(p).minus(party).lowest() else { return };
            let Some(action) = self.routine(p, seat, &mut room, &mut lots) else { return };
            self.carry_out(p, seat, action, umpire);
        }
    }

    /// The men are called up, and the commanders roll for the initiative.
    fn call_up(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let data = &self.tactics.data;
        let sheet = data.skirmishes.get(usize::from(p.open.scenario));
        let mut men: [ArrayVec<Who, MUSTERED>; 2] = Default::default();
        let mut assault = None;
        let mut civilians = 0;
        match sheet {
            Some(sheet) => {
                for side in Side::BOTH {
                    men[side.index()] =
                        sheet.men[side.index()].iter().map(|c| Who::first(*c)).take(MUSTERED).collect();
                }
                assault = sheet.assault;
                if let Some(assault) = assault {
                    let garrison = &mut men[assault.defender.index()];
                    let room = MUSTERED - garrison.len();
                    civilians = usize::from(sheet.civilians).min(room);
                    garrison.extend(data.civilians(assault.defender, civilians as u8));
                }
            }
            None => {
                men = p.hidden.musters.clone();
                // A man of both sides who stands on both has a double [3.66].
                for i in 0..men[1].len() {
                    if men[0].contains(&men[1][i]) {
                        men[1][i].double = 1;
                    }
                }
                for list in &mut men {
                    // The leader of the highest class commands, of equals the dearest.
                    let best = (0..list.len()).min_by_key(|i| {
                        let counter = list[*i].counter;
                        (data.kind(counter).class.max(KNIGHT), u16::MAX - data.card(counter).cost)
                    });
                    if let Some(best) = best {
                        list.swap(0, best);
                    }
                }
            }
        }
        let mut field = self.tactics.field(usize::from(p.open.map), [&men[0], &men[1]], assault);
        if let Some(siege) = &mut field.siege {
            siege.breaches = p.open.breaches;
        }
        if let Some(defender) = field.defender()
            && civilians > 0
        {
            let chief = self.tactics.call(&field, field.chiefs[defender.index()].man);
            umpire.note(
                Readers::ALL,
                rule!("T46"),
                format_args!("{civilians} civilians carry oil for {chief}"),
            );
        }
        field.agenda.push(Step::Over);
        self.tactics.roll_initiative(&mut field, umpire);
        p.open.field = field;
        p.open.prelude = Prelude::Past;
        p.hidden = Hidden::default();
    }

    /// What a side's muster has cost.
    pub(crate) fn spent(&self, muster: &[Who]) -> u16 {
        muster.iter().map(|who| self.tactics.data.card(who.counter).cost).sum()
    }

    /// Whether a man can be bought now; else why not.
    pub(crate) fn may_buy(&self, p: &Position, side: Side, counter: Counter) -> Result<(), &'static str> {
        let muster = &p.hidden.musters[side.index()];
        let data = &self.tactics.data;
        if muster.iter().any(|who| who.counter == counter) {
            return Err("you have him already");
        }
        if muster.is_full() {
            return Err("there are men enough");
        }
        if self.spent(muster) + data.card(counter).cost > p.open.sum {
            return Err("your points do not suffice");
        }
        Ok(())
    }

    fn list_muster(&self, p: &Position, side: Side, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let data = &self.tactics.data;
        let muster = &p.hidden.musters[side.index()];
        let led = muster.iter().any(|who| data.kind(who.counter).class <= NCO);
        if led {
            ballot.allow(Action::Seal);
        } else {
            ballot.refuse(Action::Seal, rule!("3.14"), format_args!("somebody must lead them"));
        }
        let cheapest = || {
            let all = (0..data.counters.len())
                .map(Counter::at)
                .filter(|c| data.for_sale(*c, side) && data.kind(*c).class <= NCO);
            all.map(|c| data.card(c).cost).min().unwrap_or(0)
        };
        // Until there is a leader, enough is kept back for one.
        let reserve = if led { 0 } else { cheapest() };
        let spent = self.spent(muster);
        for number in 0..data.counters.len() {
            let counter = Counter::at(number);
            if !data.for_sale(counter, side) {
                continue;
            }
            if ballot.explains() && data.card(counter).mounted.is_some() {
                ballot.refuse(
                    Action::BuyOnFoot(Who::first(counter)),
                    rule!("3.14"),
                    format_args!("a rider comes with his horse"),
                );
            }
            let action = Action::Buy(Who::first(counter));
            let leads = data.kind(counter).class <= NCO;
            match self.may_buy(p, side, counter) {
                Ok(()) if leads || spent + data.card(counter).cost + reserve <= p.open.sum => {
                    ballot.allow(action)
                }
                Ok(()) => {
                    ballot.refuse(action, rule!("3.14"), format_args!("nothing would be left for a leader"));
                }
                Err(why) => ballot.refuse(action, rule!("3.14"), format_args!("{why}")),
            }
        }
    }
}
