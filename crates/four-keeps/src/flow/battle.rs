//! Battles side by side: each has a secret choice of both, and a window for the loser [4].

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::FourKeeps;
use crate::action::Action;
use crate::position::{Battle, Position, Stance};

/// What a captain adds who presses a guard [4.2].
const PRESSING: u8 = 2;

impl Position {
    /// Whether a captain has something to decide in his battle.
    #[inline]
    pub(crate) fn must_fight(&self, seat: Seat) -> bool {
        match self.open.battle_of(seat) {
            Some(Battle { asked: Some((loser, _)), .. }) => *loser == seat,
            Some(_) => self.hidden.stances[seat.index()].is_none(),
            None => false,
        }
    }
}

impl FourKeeps {
    pub(super) fn list_fights(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let asked = p.open.battle_of(seat).is_some_and(|battle| battle.asked.is_some());
        if !asked {
            ballot.allow(Action::Fight(Stance::Press));
            ballot.allow(Action::Fight(Stance::Guard));
            return;
        }
        ballot.allow(Action::Pass);
        if p.hidden.wards[seat.index()] > 0 {
            ballot.allow(Action::Ward);
        } else {
            ballot.refuse(Action::Ward, rule!("4.4"), format_args!("none of the cards is a ward"));
        }
    }

    pub(super) fn fight(
        &self,
        p: &mut Position,
        seat: Seat,
        stance: Stance,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.hidden.stances[seat.index()] = Some(stance);
        let Some(number) = p.open.battles.iter().position(|b| b.sides.contains(&seat)) else { return };
        let sides = p.open.battles[number].sides;
        let [Some(first), Some(second)] = sides.map(|s| p.hidden.stances[s.index()]) else { return };
        umpire.reveal(Readers::ALL);
        for (side, stance) in sides.into_iter().zip([first, second]) {
            let (name, how) =
                (self.title.seat_name(side), if stance == Stance::Press { "presses" } else { "guards" });
            umpire.note(Readers::ALL, rule!("4.1"), format_args!("{name} {how}"));
            p.hidden.stances[side.index()] = None;
        }
        let more = |own, other| if (own, other) == (Stance::Press, Stance::Guard) { PRESSING } else { 0 };
        let [one, two] =
            [(sides[0], more(first, second)), (sides[1], more(second, first))].map(|(side, more)| {
                let die = umpire.roll(6);
                let total = p.open.captain(side).men + die + more;
                let name = self.title.seat_name(side);
                umpire.note(Readers::ALL, rule!("4.2"), format_args!("{name} rolls {die}, in all {total}"));
                total
            });
        // Of equals the seat that comes later, which is the second.
        let (winner, loser, stance) =
            if one > two { (sides[0], sides[1], second) } else { (sides[1], sides[0], first) };
        p.open.captains[winner.index()].fame += 1;
        let men = if stance == Stance::Press { 2 } else { 1 };
        p.open.battles[number].asked = Some((loser, men));
        if p.open.captain(loser).cards == 0 {
            // Everybody knows that he has nothing to show.
            self.lose(p, number, umpire);
        }
    }

    /// The loser shows a ward, or nothing [4.4].
    pub(super) fn answer(
        &self,
        p: &mut Position,
        seat: Seat,
        ward: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(number) = p.open.battles.iter().position(|b| b.sides.contains(&seat)) else { return };
        let name = self.title.seat_name(seat);
        if ward {
            p.hidden.wards[seat.index()] -= 1;
            p.open.captains[seat.index()].cards -= 1;
            p.open.battles[number].asked = Some((seat, 0));
            umpire.reveal(Readers::ALL);
            umpire.note(Readers::ALL, rule!("4.4"), format_args!("{name} shows a ward"));
        } else {
            umpire.note(Readers::ALL, rule!("4.4"), format_args!("{name} shows no ward"));
        }
        self.lose(p, number, umpire);
    }

    /// The loser loses his men and goes home; when no battle is left the turn ends [4.3, 4.5].
    fn lose(&self, p: &mut Position, number: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let Some((loser, men)) = p.open.battles[number].asked else { return };
        p.open.battles.remove(number);
        let captain = &mut p.open.captains[loser.index()];
        let lost = men.min(captain.men);
        captain.men -= lost;
        captain.at = None;
        let left = captain.men;
        let name = self.title.seat_name(loser);
        if lost > 0 {
            umpire.note(
                Readers::ALL,
                rule!("4.3"),
                format_args!("{name} loses {}", ["nobody", "a man", "two men"][usize::from(lost.min(2))]),
            );
        }
        if left == 0 {
            umpire.note(Readers::ALL, rule!("4.6"), format_args!("{name} has no men left"));
        } else {
            umpire.note(Readers::ALL, rule!("4.5"), format_args!("{name} goes home"));
        }
        if p.open.battles.is_empty() {
            self.end_turn(p, umpire);
        }
    }
}
