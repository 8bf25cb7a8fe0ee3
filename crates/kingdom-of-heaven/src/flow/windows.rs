//! Windows [8.4.2, 8.4.3]: who may answer, and when. A window opens by what everybody may know: that a card which
//! could be played now is not accounted for, and that its player holds cards he can use. What he holds decides
//! nothing but what he may play.

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::cards::{CardType, Trigger};
use crate::ids::{Card, Cards};
use crate::position::{Chosen, Effects, Position, Step};

impl KingdomOfHeaven {
    /// Cards that nobody can have accounted for.
    pub(crate) fn at_large(&self, p: &Position) -> Cards {
        self.plot(&p.open).deck - p.open.discards - p.open.removed
    }

    /// Whether a player has cards that he can use, as everybody knows.
    #[inline]
    pub(crate) fn armed(&self, p: &Position, seat: Seat) -> bool {
        p.open.held[seat] > p.open.drawn[seat]
    }

    /// Whether a card could be played by a player at this moment, by what everybody may know.
    pub(super) fn answers(&self, p: &Position, seat: Seat, card: Card, trigger: Trigger) -> bool {
        let data = self.components.card(card);
        data.kind != CardType::Normal
            && data.triggers.contains(&trigger)
            && data.serves(seat)
            && self.meets_all(p, seat, &data.requires)
            && self.list_possible(p, seat, card, data.effects, &Chosen::default())
    }

    /// Whether a window opens for a player.
    pub(super) fn opens(&self, p: &Position, seat: Seat, trigger: Trigger) -> bool {
        self.armed(p, seat) && self.at_large(p).iter().any(|card| self.answers(p, seat, card, trigger))
    }

    /// Whether a window that is on the agenda still asks anything.
    pub(super) fn window_stays(&self, p: &Position, seat: Seat, trigger: Trigger) -> bool {
        let moot = match trigger {
            Trigger::Activation | Trigger::Move | Trigger::Naval => {
                p.open.cancelled
                    || p.open
                        .march
                        .as_ref()
                        .is_none_or(|march| march.over || march.units.is_empty() && march.leaders.is_empty())
            }
            Trigger::SiegeAction => p.open.duel.is_none_or(|duel| duel.stopped),
            Trigger::Event | Trigger::SiegeEvent | Trigger::Diplomacy => p.open.cancelled,
            _ => false,
        };
        !moot && self.opens(p, seat, trigger)
    }

    pub(super) fn list_window(
        &self,
        p: &Position,
        seat: Seat,
        trigger: Trigger,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Decline);
        for card in self.usable(p, seat) {
            if self.answers(p, seat, card, trigger) {
                ballot.allow(Action::Respond(card));
            } else if ballot.explains() {
                ballot.refuse(Action::Respond(card), rule!("8.4.3"), format_args!("it does not answer this"));
            }
        }
    }

    pub(super) fn act_window(
        &self,
        p: &mut Position,
        seat: Seat,
        _: Trigger,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            Action::Respond(card) => self.respond(p, seat, card, umpire),
            _ => {
                p.open.agenda.pop();
            }
        }
    }

    /// A battle or response event is played.
    pub(super) fn respond(
        &self,
        p: &mut Position,
        seat: Seat,
        card: Card,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        self.spend(p, seat, card, umpire);
        let data = self.components.card(card);
        let who = self.title.seat_name(seat);
        let rule = if data.kind == CardType::Battle { rule!("8.4.2") } else { rule!("8.4.3") };
        umpire.note(Readers::ALL, rule, format_args!("The {who} plays {}", data.title));
        // What is cancelled is the enemy's: a response's own card is drawn and put away all the same.
        if data.draws {
            p.open.agenda.push(Step::Draw { seat, left: 1 });
        }
        if data.removed {
            p.open.discards.remove(card);
            p.open.removed.insert(card);
        }
        p.hidden.plan.clear();
        p.open.agenda.push(Step::Effects(Effects {
            seat,
            card,
            list: data.effects,
            at: 0,
            left: 0,
            stage: 0,
            chosen: Chosen::default(),
            done: false,
        }));
    }

    /// Opens a window, if it would ask anything.
    pub(super) fn ask(&self, p: &mut Position, seat: Seat, trigger: Trigger) {
        if self.opens(p, seat, trigger) {
            p.open.agenda.push(Step::Window { seat, trigger });
        }
    }
}
