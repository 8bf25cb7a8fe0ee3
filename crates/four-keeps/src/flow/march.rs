//! Marches: small steps on hexes [3].

use table::hex::Direction;
use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::FourKeeps;
use crate::action::Action;
use crate::position::{Battle, MARCH, Position, Step, side};

impl FourKeeps {
    pub(crate) fn list_marches(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Halt);
        let Some(at) = p.open.captain(seat).at else { return };
        for direction in Direction::ALL {
            let to = at.neighbour(direction);
            if !self.components.has(to) {
                continue;
            }
            let there = p.open.on(to);
            if left == 0 {
                ballot.refuse(Action::Go(direction), rule!("3.1"), format_args!("a march has two hexes"));
            } else if there.iter().any(|other| side(other) == side(seat)) {
                ballot.refuse(Action::Go(direction), rule!("3.2"), format_args!("a friend stands there"));
            } else {
                ballot.allow(Action::Go(direction));
            }
        }
    }

    pub(super) fn go(
        &self,
        p: &mut Position,
        seat: Seat,
        direction: Direction,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(at) = p.open.captain(seat).at else { return };
        let to = at.neighbour(direction);
        let met = p.open.on(to).lowest();
        p.open.captains[seat.index()].at = Some(to);
        if umpire.writes() {
            let (name, place) = (self.title.seat_name(seat), self.components.place(to));
            umpire.note(Readers::ALL, rule!("3.1"), format_args!("{name} goes to {place}"));
        }
        if met.is_some() {
            umpire.cite(rule!("3.3"));
            self.next_march(p, umpire);
        } else if let Step::March { left, .. } = &mut p.open.step {
            *left -= 1;
        }
    }

    /// The next captain marches, or battles begin.
    pub(super) fn next_march(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        if let Step::March { order, left } = &mut p.open.step {
            order.remove(0);
            *left = MARCH;
        }
        self.skip_absent(p, umpire);
    }

    /// Captains who are not on the ground do not march, nor those whom an enemy has met [3.3]; when all have
    /// marched, battles begin.
    pub(super) fn skip_absent(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::March { order, .. } = &mut p.open.step else { return };
        let captains = &p.open.captains;
        let enemies = |seat: Seat, at| {
            p.open.party.iter().any(|o| side(o) != side(seat) && captains[o.index()].at == at)
        };
        while let Some(seat) = order.first().copied() {
            let at = captains[seat.index()].at;
            if at.is_some() && !enemies(seat, at) {
                break;
            }
            order.remove(0);
        }
        if !order.is_empty() {
            return;
        }
        let mut battles = std::mem::take(&mut p.open.battles);
        for seat in p.open.fighting().iter() {
            let Some(at) = p.open.captain(seat).at else { continue };
            let Some(enemy) = p.open.on(at).iter().find(|other| side(*other) != side(seat)) else { continue };
            if seat < enemy {
                battles.push(Battle { at, sides: [seat, enemy], asked: None });
            }
        }
        p.open.battles = battles;
        if p.open.battles.is_empty() {
            self.end_turn(p, umpire);
        } else {
            p.open.step = Step::Battles;
        }
    }
}
