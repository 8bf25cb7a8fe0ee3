//! Secret bids: an amount that all choose at once [2].

use arrayvec::ArrayVec;
use table::{Ballot, MOST_SEATS, Readers, Seat, Umpire, rule};

use crate::FourKeeps;
use crate::action::Action;
use crate::position::{MARCH, Position, Step};

impl FourKeeps {
    pub(super) fn list_bids(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let gold = p.open.captain(seat).gold;
        ballot.allow_range(Action::Bid(0), 0, gold.into());
        if ballot.explains() {
            let more = Action::Bid(gold.saturating_add(1));
            ballot.refuse(more, rule!("2.1"), format_args!("the purse holds no more gold"));
        }
    }

    pub(super) fn bid(&self, p: &mut Position, seat: Seat, gold: u8, umpire: &mut (impl Umpire + ?Sized)) {
        p.hidden.bids[seat.index()] = Some(gold);
        let fighting = p.open.fighting();
        if fighting.iter().any(|s| p.hidden.bids[s.index()].is_none()) {
            return;
        }
        umpire.reveal(Readers::ALL);
        let mut order: ArrayVec<Seat, MOST_SEATS> = fighting.iter().collect();
        let bid = |s: &Seat| p.hidden.bids[s.index()].unwrap_or(0);
        // A stable order: of equal bids the earlier seat stays first [2.2].
        order.sort_by_key(|s| std::cmp::Reverse(bid(s)));
        if order.windows(2).any(|pair| bid(&pair[0]) == bid(&pair[1])) {
            umpire.cite(rule!("2.2"));
        }
        for seat in &order {
            let (name, gold) = (self.title.seat_name(*seat), bid(seat));
            umpire.note(Readers::ALL, rule!("2.1"), format_args!("{name} bids {gold}"));
            p.open.captains[seat.index()].gold -= gold;
        }
        p.hidden.bids = [None; MOST_SEATS];
        p.open.step = Step::March { order, left: MARCH };
        self.skip_absent(p, umpire);
    }
}
