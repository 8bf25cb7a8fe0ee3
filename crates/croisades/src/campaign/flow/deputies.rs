//! Delegation: a lord with several battles or sieges may name another seat for one of them, who agrees or not; it
//! commands there to the end [S39, scenario.9].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::realm::{Pending, Realm, Step, What};

impl Campaign {
    /// Whether another seat could command in the place of a lord: in the game, and not in it already.
    fn may_command(&self, p: &Realm, pending: &Pending, to: Seat) -> bool {
        p.open.playing().contains(to) && !pending.seats.contains(&Some(to))
    }

    /// Lords who have more than one battle or siege to command, and somebody to name: everybody can see that.
    pub(super) fn pressed(&self, p: &Realm) -> SeatSet {
        let busy = |seat: &Seat| {
            let own = || p.open.pending.iter().filter(|b| b.seats.contains(&Some(*seat)));
            own().count() > 1 && own().any(|b| p.open.playing().iter().any(|to| self.may_command(p, b, to)))
        };
        p.open.playing().iter().filter(busy).collect()
    }

    /// Who has been named and has not answered.
    pub(super) fn named_deputies(&self, p: &Realm) -> SeatSet {
        p.open.pending.iter().flat_map(|b| b.deputies).flatten().collect()
    }

    /// Before battles or sieges: whoever is pressed is asked; then they begin.
    pub(super) fn begin_naming(&self, p: &mut Realm, next: Step, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.replace(next);
        if self.pressed(p).is_empty() {
            self.next_theatre(p, umpire);
        } else {
            p.open.agenda.push(Step::Naming(SeatSet::NONE));
        }
    }

    pub(super) fn list_deputies(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Done);
        for pending in p.open.pending.iter().filter(|b| b.seats.contains(&Some(seat))) {
            let side = usize::from(pending.seats[1] == Some(seat));
            for to in p.open.party.iter() {
                let action = Action::Delegate(pending.what, to);
                if !self.may_command(p, pending, to) {
                    ballot.refuse(
                        action,
                        rule!("S39"),
                        format_args!("he is in it himself, or out of the game"),
                    );
                } else if pending.deputies[side].is_some() {
                    ballot.refuse(action, rule!("S39"), format_args!("somebody has been named"));
                } else if self.named_by(p, seat, to) {
                    ballot.refuse(action, rule!("S39"), format_args!("he has been named for another"));
                } else {
                    ballot.allow(action);
                }
            }
        }
    }

    /// Whether a lord has named somebody for one of his.
    fn named_by(&self, p: &Realm, seat: Seat, to: Seat) -> bool {
        let by = |b: &Pending| (0..2).any(|i| b.seats[i] == Some(seat) && b.deputies[i] == Some(to));
        p.open.pending.iter().any(by)
    }

    pub(super) fn delegate(&self, p: &mut Realm, seat: Seat, what: What, to: Seat) {
        if let Some(b) = p.open.pending.iter_mut().find(|b| b.what == what && b.seats.contains(&Some(seat))) {
            let side = usize::from(b.seats[1] == Some(seat));
            b.deputies[side] = Some(to);
        }
    }

    /// All who are pressed have said whom they name: those are asked.
    pub(super) fn ask_deputies(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        if self.named_deputies(p).is_empty() {
            p.open.agenda.pop();
            self.next_theatre(p, umpire);
        } else {
            p.open.agenda.replace(Step::Agreeing(SeatSet::NONE));
        }
    }

    pub(super) fn agree(&self, p: &mut Realm, seat: Seat, will: bool, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Agreeing(said) = p.open.step() else { return };
        let said = said.with(seat);
        p.hidden.said[seat.index()] = Some(u8::from(will));
        p.open.agenda.replace(Step::Agreeing(said));
        if !self.named_deputies(p).minus(said).is_empty() {
            return;
        }
        umpire.reveal(Readers::ALL);
        for i in 0..p.open.pending.len() {
            for side in 0..2 {
                let (lord, deputy) = (p.open.pending[i].seats[side], p.open.pending[i].deputies[side]);
                let (Some(lord), Some(deputy)) = (lord, deputy) else { continue };
                let agrees = p.hidden.said[deputy.index()] == Some(1);
                if !agrees {
                    p.open.pending[i].deputies[side] = None;
                }
                umpire.note(
                    Readers::ALL,
                    rule!("S39"),
                    format_args!(
                        "{} {} in the place of {}",
                        self.lord_name(deputy),
                        if agrees { "will command" } else { "will not command" },
                        self.lord_name(lord)
                    ),
                );
            }
        }
        umpire.cite(rule!("scenario.9"));
        p.hidden.said = Default::default();
        p.open.agenda.pop();
        self.next_theatre(p, umpire);
    }
}
