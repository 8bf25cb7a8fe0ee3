//! Letters instead of talks: all write in secret, all answer at once; a treaty stands between those who signed it
//! [3.31, 3.74, scenario.3, rulings 43 to 45].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::realm::{Letter, PlaceId, Realm, Step, Term, Treaty};

/// The most letters from one lord to another in an exchange [ruling 43].
const MOST: usize = 3;

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
        let (turn, last) = (p.open.turn, self.last_turn(p));
        if draft.terms.iter().any(Option::is_some) {
            ballot.allow(Action::Send);
        } else {
            ballot.refuse(Action::Send, rule!("3.74"), format_args!("a letter proposes something"));
        }
        let has = |test: fn(&Term) -> bool| draft.terms.iter().flatten().any(test);
        if draft.terms.iter().all(Option::is_some) {
            return;
        }
        for past in [Term::Peace(turn.saturating_sub(1)), Term::Alliance(turn.saturating_sub(1))] {
            ballot.refuse(Action::Term(past), rule!("3.31"), format_args!("that turn is over"));
        }
        if !has(|t| matches!(t, Term::Peace(_) | Term::Alliance(_))) {
            ballot.allow_range(Action::Term(Term::Peace(turn)), turn.into(), last.into());
            ballot.allow_range(Action::Term(Term::Alliance(turn)), turn.into(), last.into());
        }
        if !has(|t| matches!(t, Term::Gift(_) | Term::Demand(_))) {
            let funds = self.funds(p, seat).min(5000);
            if funds > 0 {
                ballot.allow_range(Action::Term(Term::Gift(1)), 1, funds);
            }
            ballot.refuse(
                Action::Term(Term::Gift((funds + 1) as u16)),
                rule!("3.74"),
                format_args!("your purses do not hold so much"),
            );
            ballot.allow_range(Action::Term(Term::Demand(1)), 1, 1000);
        }
        if !has(|t| matches!(t, Term::Cede(_))) {
            for i in 0..p.open.places.len() {
                if p.open.places[i].lord() == Some(seat) && p.open.siege(PlaceId::at(i)).is_none() {
                    ballot.allow(Action::Term(Term::Cede(PlaceId::at(i))));
                }
            }
        }
    }

    pub(super) fn write_letter(&self, p: &mut Realm, seat: Seat, action: Action) {
        match action {
            Action::Write(to) => {
                let letter = Letter { from: seat, to, terms: [None; 3], answer: None };
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
                    self.begin_camp(p, umpire);
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
                let asked: u32 = letter
                    .terms
                    .iter()
                    .flatten()
                    .map(|t| if let Term::Demand(sum) = t { u32::from(*sum) } else { 0 })
                    .sum();
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
            let gift = letter.terms.iter().flatten().map(|t| match t {
                Term::Gift(sum) => u32::from(*sum),
                _ => 0,
            });
            let ask = letter.terms.iter().flatten().map(|t| match t {
                Term::Demand(sum) => u32::from(*sum),
                _ => 0,
            });
            let (gift, ask): (u32, u32) = (gift.sum(), ask.sum());
            if gift > self.funds(p, letter.from) || ask > self.funds(p, letter.to) {
                umpire.note(
                    both,
                    rule!("3.74"),
                    format_args!(
                        "The treaty of {} and {} fails: it cannot be paid",
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
            for term in letter.terms.into_iter().flatten() {
                let (alliance, until) = match term {
                    Term::Peace(until) => (false, until),
                    Term::Alliance(until) => (true, until),
                    Term::Cede(place) => {
                        if p.open.place(place).lord() == Some(letter.from) {
                            let heir = p.open.lords[letter.to.index()].suzerain;
                            self.own(p, letter.to, place);
                            self.set_guardian(p, place, heir);
                            umpire.note(
                                Readers::ALL,
                                rule!("3.74"),
                                format_args!(
                                    "{} hands {} over to {}",
                                    self.lord_name(letter.from),
                                    self.atlas.place(place).name,
                                    self.lord_name(letter.to)
                                ),
                            );
                            self.put_out(p, place, umpire);
                        }
                        continue;
                    }
                    _ => continue,
                };
                if let Some(old) = p.treaty(letter.from, letter.to) {
                    p.hidden.treaties.remove(old);
                }
                if !p.hidden.treaties.is_full() {
                    p.hidden.treaties.push(Treaty { parties: [letter.from, letter.to], alliance, until });
                }
            }
        }
        p.hidden.letters.clear();
    }

    /// A treaty is broken: it ends, and the breaker loses honour [3.31].
    pub(super) fn breach(&self, p: &mut Realm, by: Seat, with: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(i) = p.treaty(by, with) else { return };
        p.hidden.treaties.remove(i);
        if let Some(id) = p.open.lords[by.index()].suzerain {
            Self::adjust(&mut p.open.majors[id.number()].honour, -3);
        }
        umpire.reveal(Readers::ALL);
        umpire.note(
            Readers::ALL,
            rule!("3.31"),
            format_args!(
                "{} breaks his treaty with {}, and loses 3 honour",
                self.lord_name(by),
                self.lord_name(with)
            ),
        );
    }
}
