//! Letters instead of talks: all write in secret, all answer at once; a treaty stands between those who signed it
//! [3.31, 3.74, scenario.3, rulings 43 to 45].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::ids::Who;
use crate::realm::{Debt, Letter, Pact, PlaceId, Realm, Step, TERMS, Term, Treaty};

/// The most letters from one lord to another in an exchange [ruling 43].
const MOST: usize = 3;

/// The most dinars that a letter speaks of.
const SUM: u32 = 5000;

impl Campaign {
    pub(super) fn begin_writing(&self, p: &mut Realm) {
        p.hidden.letters.clear();
        p.hidden.drafts = Default::default();
        p.open.agenda.replace(Step::Writing(SeatSet::NONE));
    }

    fn sent(p: &Realm, from: Seat, to: Seat) -> usize {
        p.hidden.letters.iter().filter(|l| l.from == from && l.to == to).count()
    }

    pub(super) fn list_writing(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(draft) = &p.hidden.drafts[seat.index()] else {
            ballot.allow(Action::Seal);
            if p.open.exchange == 0 {
                self.list_any_time(p, seat, ballot);
            }
            for to in p.open.party.iter() {
                let action = Action::Write(to);
                if to == seat {
                    ballot.refuse(action, rule!("scenario.3"), format_args!("nobody writes to himself"));
                } else if !p.open.playing().contains(to) {
                    ballot.refuse(action, rule!("scenario.3"), format_args!("he is out of the game"));
                } else if Self::sent(p, seat, to) >= MOST || p.hidden.letters.is_full() {
                    ballot.refuse(action, rule!("scenario.3"), format_args!("three letters are enough"));
                } else {
                    ballot.allow(action);
                }
            }
            return;
        };
        let to = draft.to;
        let has = |test: fn(&Term) -> bool| draft.terms.iter().flatten().any(test);
        let later = has(|t| matches!(t, Term::Promise(_) | Term::Claim(_)));
        let dated = has(|t| matches!(t, Term::Due(_)));
        if draft.terms.iter().all(Option::is_none) {
            ballot.refuse(Action::Send, rule!("3.74"), format_args!("a letter proposes something"));
        } else if later != dated {
            ballot.refuse(
                Action::Send,
                rule!("3.74"),
                format_args!("a later payment needs a sum and the turn in which it is due"),
            );
        } else {
            ballot.allow(Action::Send);
        }
        let left = draft.terms.iter().filter(|t| t.is_none()).count();
        // The last line is kept for the turn in which a payment is due.
        let room = if later && !dated { left > 1 } else { left > 0 };
        self.list_dates(p, later && !dated && left > 0, room, has, ballot);
        if !room {
            return;
        }
        if !has(|t| matches!(t, Term::Gift(_) | Term::Demand(_))) {
            let funds = self.funds(p, seat).min(SUM);
            if funds > 0 {
                ballot.allow_range(Action::Term(Term::Gift(1)), 1, funds);
            }
            ballot.refuse(
                Action::Term(Term::Gift((funds + 1) as u16)),
                rule!("3.74"),
                format_args!("your purses do not hold so much"),
            );
            ballot.allow_range(Action::Term(Term::Demand(1)), 1, SUM);
        }
        if !later && left > 1 && p.open.turn < self.last_turn(p) {
            ballot.allow_range(Action::Term(Term::Promise(1)), 1, SUM);
            ballot.allow_range(Action::Term(Term::Claim(1)), 1, SUM);
        }
        let free = |lord: Seat| {
            let own = move |i: &usize| p.open.places[*i].lord() == Some(lord);
            (0..p.open.places.len()).filter(own).map(PlaceId::at).filter(|id| p.open.siege(*id).is_none())
        };
        if !has(|t| matches!(t, Term::Cede(_))) {
            for place in free(seat) {
                ballot.allow(Action::Term(Term::Cede(place)));
            }
        }
        if !has(|t| matches!(t, Term::Want(_))) {
            for place in free(to) {
                ballot.allow(Action::Term(Term::Want(place)));
            }
        }
        if !has(|t| matches!(t, Term::Vow(_) | Term::Homage(_))) {
            for (term, vassal, liege) in [(Term::Vow(0), seat, to), (Term::Homage(0), to, seat)] {
                match self.may_swear(p, vassal, liege) {
                    Ok(()) => ballot.allow_range(Action::Term(term), 0, 100),
                    Err(why) => ballot.refuse(Action::Term(term), rule!("scenario.5"), format_args!("{why}")),
                }
            }
        }
        if !has(|t| matches!(t, Term::Free(_))) {
            for (_, major) in p.open.majors_of(to).filter(|(_, m)| m.captor == Some(seat)) {
                ballot.allow(Action::Term(Term::Free(major.who)));
            }
        }
        if !has(|t| matches!(t, Term::Release(_))) {
            for (_, major) in p.open.majors_of(seat).filter(|(_, m)| m.captor == Some(to)) {
                ballot.allow(Action::Term(Term::Release(major.who)));
            }
        }
    }

    /// Terms that name a turn: none that is over.
    fn list_dates(
        &self,
        p: &Realm,
        wants_date: bool,
        room: bool,
        has: impl Fn(fn(&Term) -> bool) -> bool,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let (turn, last) = (p.open.turn, self.last_turn(p));
        let past = turn.saturating_sub(1);
        for term in [Term::Peace(past), Term::Passage(past), Term::Alliance(past)] {
            ballot.refuse(Action::Term(term), rule!("3.31"), format_args!("that turn is over"));
        }
        ballot.refuse(Action::Term(Term::Due(turn)), rule!("3.74"), format_args!("that turn is not to come"));
        if room && !has(|t| matches!(t, Term::Peace(_) | Term::Passage(_) | Term::Alliance(_))) {
            for term in [Term::Peace(turn), Term::Passage(turn), Term::Alliance(turn)] {
                ballot.allow_range(Action::Term(term), turn.into(), last.into());
            }
        }
        if wants_date && turn < last {
            ballot.allow_range(Action::Term(Term::Due(turn + 1)), u32::from(turn) + 1, last.into());
        }
    }

    pub(super) fn write_letter(&self, p: &mut Realm, seat: Seat, action: Action) {
        match action {
            Action::Write(to) => {
                let letter = Letter { from: seat, to, terms: [None; TERMS], answer: None };
                p.hidden.drafts[seat.index()] = Some(letter);
            }
            Action::Term(term) => {
                if let Some(draft) = &mut p.hidden.drafts[seat.index()]
                    && let Some(slot) = draft.terms.iter_mut().find(|t| t.is_none())
                {
                    *slot = Some(term);
                }
            }
            _ => {
                if let Some(draft) = p.hidden.drafts[seat.index()].take()
                    && !p.hidden.letters.is_full()
                {
                    p.hidden.letters.push(draft);
                }
            }
        }
    }

    pub(super) fn seal_letters(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let playing = p.open.playing();
        match p.open.step() {
            Step::Writing(done) => {
                let done = done.with(seat);
                p.open.agenda.replace(Step::Writing(done));
                if playing.minus(done).is_empty() {
                    umpire.reveal(Readers::ALL);
                    self.act_at_dawn(p, umpire);
                    for letter in &p.hidden.letters {
                        umpire.note(
                            Readers::only(letter.to.into()),
                            rule!("scenario.3"),
                            format_args!("A letter comes from {}", self.lord_name(letter.from)),
                        );
                    }
                    p.open.agenda.replace(Step::Answering(SeatSet::NONE));
                }
            }
            Step::Answering(done) => {
                let done = done.with(seat);
                p.open.agenda.replace(Step::Answering(done));
                if playing.minus(done).is_empty() {
                    umpire.reveal(Readers::ALL);
                    self.sign(p, umpire);
                    match p.open.exchange {
                        0 => self.begin_camp(p, umpire),
                        1 => {
                            p.open.exchange = 2;
                            self.begin_writing(p);
                        }
                        _ => {
                            p.open.exchange = 0;
                            self.end_turn(p, umpire);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The so manieth letter from one lord to another.
    pub(crate) fn letter(p: &Realm, from: Seat, to: Seat, number: u8) -> Option<usize> {
        let mut all = (0..p.hidden.letters.len())
            .filter(|i| p.hidden.letters[*i].from == from && p.hidden.letters[*i].to == to);
        all.nth(usize::from(number.checked_sub(1)?))
    }

    pub(super) fn list_answers(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Seal);
        for from in p.open.playing().iter().filter(|from| *from != seat) {
            for number in 1..=MOST as u8 {
                let Some(i) = Self::letter(p, from, seat, number) else { break };
                let letter = &p.hidden.letters[i];
                let action = Action::Accept(from, number);
                let asked = due_at_once(letter)[1];
                if letter.answer.is_some() {
                    ballot.refuse(action, rule!("scenario.3"), format_args!("it is signed"));
                } else if asked > self.funds(p, seat) {
                    ballot.refuse(action, rule!("3.74"), format_args!("your purses do not hold so much"));
                } else {
                    ballot.allow(action);
                }
            }
        }
    }

    pub(super) fn accept(&self, p: &mut Realm, seat: Seat, from: Seat, number: u8) {
        if let Some(i) = Self::letter(p, from, seat, number) {
            p.hidden.letters[i].answer = Some(true);
        }
    }

    /// What was signed comes to pass.
    fn sign(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for i in 0..p.hidden.letters.len() {
            let letter = p.hidden.letters[i];
            if letter.answer != Some(true) {
                continue;
            }
            let both = Readers::only(SeatSet::only(letter.from).with(letter.to));
            let [gift, ask] = due_at_once(&letter);
            if gift > self.funds(p, letter.from) || ask > self.funds(p, letter.to) || !self.stands(p, &letter)
            {
                umpire.note(
                    both,
                    rule!("3.74"),
                    format_args!(
                        "The treaty of {} and {} fails: it cannot be kept",
                        self.lord_name(letter.from),
                        self.lord_name(letter.to)
                    ),
                );
                continue;
            }
            umpire.note(
                both,
                rule!("3.74"),
                format_args!("{} and {} have signed", self.lord_name(letter.from), self.lord_name(letter.to)),
            );
            self.spend(p, letter.from, gift);
            self.earn(p, letter.to, gift);
            self.spend(p, letter.to, ask);
            self.earn(p, letter.from, ask);
            let due = letter.terms.iter().flatten().find_map(|t| match t {
                Term::Due(turn) => Some(*turn),
                _ => None,
            });
            for term in letter.terms.into_iter().flatten() {
                let (from, to) = (letter.from, letter.to);
                match term {
                    Term::Peace(until) => self.bind(p, from, to, Pact::Peace, until),
                    Term::Passage(until) => self.bind(p, from, to, Pact::Passage, until),
                    Term::Alliance(until) => self.bind(p, from, to, Pact::Alliance, until),
                    Term::Cede(place) => self.hand_over(p, place, from, to, umpire),
                    Term::Want(place) => self.hand_over(p, place, to, from, umpire),
                    Term::Free(who) => self.let_go(p, to, who, from, umpire),
                    Term::Release(who) => self.let_go(p, from, who, to, umpire),
                    Term::Vow(share) => self.swear(p, from, to, share, umpire),
                    Term::Homage(share) => self.swear(p, to, from, share, umpire),
                    Term::Promise(sum) => owe(p, Debt { from, to, sum, due: due.unwrap_or(0) }),
                    Term::Claim(sum) => owe(p, Debt { from: to, to: from, sum, due: due.unwrap_or(0) }),
                    Term::Gift(_) | Term::Demand(_) | Term::Due(_) => {}
                }
            }
        }
        p.hidden.letters.clear();
        self.bring_home(p);
    }

    /// Whether what a letter gives away is still there to give.
    fn stands(&self, p: &Realm, letter: &Letter) -> bool {
        let holds = |lord: Seat, place: PlaceId| {
            p.open.place(place).lord() == Some(lord) && p.open.siege(place).is_none()
        };
        let keeps = |captor: Seat, lord: Seat, who: Who| {
            p.open.major_of(lord, who).is_some_and(|id| p.open.major(id).captor == Some(captor))
        };
        letter.terms.iter().flatten().all(|term| match term {
            Term::Cede(place) => holds(letter.from, *place),
            Term::Want(place) => holds(letter.to, *place),
            Term::Free(who) => keeps(letter.from, letter.to, *who),
            Term::Release(who) => keeps(letter.to, letter.from, *who),
            Term::Vow(_) => self.may_swear(p, letter.from, letter.to).is_ok(),
            Term::Homage(_) => self.may_swear(p, letter.to, letter.from).is_ok(),
            _ => true,
        })
    }

    /// A treaty stands between two lords, beside any before it; one of the same kind is renewed.
    fn bind(&self, p: &mut Realm, one: Seat, other: Seat, pact: Pact, until: u8) {
        let both = |t: &Treaty| t.parties == [one, other] || t.parties == [other, one];
        p.hidden.treaties.retain(|t| !both(t) || t.pact != pact || t.until > until);
        if p.hidden.treaties.iter().any(|t| both(t) && t.pact == pact) {
            return;
        }
        if !p.hidden.treaties.is_full() {
            p.hidden.treaties.push(Treaty { parties: [one, other], pact, until });
        }
    }

    /// A place goes from one lord to another by treaty [3.74].
    fn hand_over(
        &self,
        p: &mut Realm,
        place: PlaceId,
        from: Seat,
        to: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let heir = p.open.lords[to.index()].suzerain;
        self.own(p, to, place);
        self.set_guardian(p, place, heir);
        self.win_fame(p, place, heir);
        umpire.note(
            Readers::ALL,
            rule!("3.74"),
            format_args!(
                "{} hands {} over to {}",
                self.lord_name(from),
                self.atlas.place(place).name,
                self.lord_name(to)
            ),
        );
        self.put_out(p, place, umpire);
    }

    /// A prisoner goes free by treaty [3.74].
    fn let_go(&self, p: &mut Realm, lord: Seat, who: Who, captor: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(id) = p.open.major_of(lord, who) else { return };
        self.set_free(p, id);
        umpire.note(
            Readers::ALL,
            rule!("3.74"),
            format_args!("{} lets {} go", self.lord_name(captor), self.tactics().named(who)),
        );
    }

    /// What was promised for this turn is paid; who cannot pay breaks his word [3.31, 3.74, ruling 44].
    pub(super) fn settle_debts(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let mut i = 0;
        while i < p.hidden.debts.len() {
            let debt = p.hidden.debts[i];
            if debt.due > p.open.turn {
                i += 1;
                continue;
            }
            p.hidden.debts.remove(i);
            umpire.reveal(Readers::ALL);
            let sum = u32::from(debt.sum);
            if self.funds(p, debt.from) < sum {
                if let Some(old) = p.treaty(debt.from, debt.to) {
                    p.hidden.treaties.remove(old);
                }
                self.dishonour(p, debt.from);
                umpire.note(
                    Readers::ALL,
                    rule!("3.31"),
                    format_args!(
                        "{} cannot pay what he promised {}, and loses 3 honour",
                        self.lord_name(debt.from),
                        self.lord_name(debt.to)
                    ),
                );
                continue;
            }
            self.spend(p, debt.from, sum);
            self.earn(p, debt.to, sum);
            umpire.note(
                Readers::only(SeatSet::only(debt.from).with(debt.to)),
                rule!("3.74"),
                format_args!(
                    "{} pays {sum} to {} as promised",
                    self.lord_name(debt.from),
                    self.lord_name(debt.to)
                ),
            );
        }
    }

    /// A lord has broken his word.
    pub(super) fn dishonour(&self, p: &mut Realm, lord: Seat) {
        if let Some(id) = p.open.lords[lord.index()].suzerain {
            Self::adjust(&mut p.open.majors[id.number()].honour, -3);
        }
    }

    /// Treaties are broken: they end, and the breaker loses honour for each [3.31, ruling 45].
    pub(super) fn breach(&self, p: &mut Realm, by: Seat, with: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let both = |t: &Treaty| t.parties == [by, with] || t.parties == [with, by];
        let broken = p.hidden.treaties.iter().filter(|t| both(t) && t.until >= p.open.turn).count();
        if broken == 0 {
            return;
        }
        p.hidden.treaties.retain(|t| !both(t));
        for _ in 0..broken {
            self.dishonour(p, by);
        }
        umpire.reveal(Readers::ALL);
        umpire.note(
            Readers::ALL,
            rule!("3.31"),
            format_args!(
                "{} breaks his treaty with {}, and loses {} honour",
                self.lord_name(by),
                self.lord_name(with),
                3 * broken
            ),
        );
    }
}

/// What the writer and the reader of a letter pay at once.
fn due_at_once(letter: &Letter) -> [u32; 2] {
    let mut sums = [0; 2];
    for term in letter.terms.iter().flatten() {
        match term {
            Term::Gift(sum) => sums[0] += u32::from(*sum),
            Term::Demand(sum) => sums[1] += u32::from(*sum),
            _ => {}
        }
    }
    sums
}

fn owe(p: &mut Realm, debt: Debt) {
    let _ = p.hidden.debts.try_push(debt);
}
