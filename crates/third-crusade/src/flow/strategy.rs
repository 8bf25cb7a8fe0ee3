//! The Strategy Phase \[1\]: cards are drawn, laid in secret, opened together and selected by the enemy.

use table::{Ballot, Map, Readers, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::ids::{Army, Event};
use crate::position::{Open, Position, Step};

impl ThirdCrusade {
    /// Each draws four of the cards of his period [1.1].
    pub(super) fn draw_events(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let party = p.open.table.party;
        for army in party {
            let mut left = self.components.deck(army, p.open.period, party);
            let mut hand = Set::NONE;
            for _ in 0..self.components.figures.hand.0 {
                let name = |i: u16| {
                    left.nth(i.into()).map_or("nothing", |e| &self.components.events[e].title).to_string()
                };
                let drawn = umpire.draw(Readers::only(army.seat().into()), left.len() as u16, &name);
                let Some(event) = left.nth(drawn.into()) else { continue };
                left.remove(event);
                hand.insert(event);
            }
            p.hidden.hands[army] = hand;
            p.hidden.laid[army] = [None; 4];
        }
        umpire.note(Readers::ALL, rule!("1.1"), format_args!("Everybody draws four event cards"));
    }

    pub(super) fn list_cards(&self, p: &Position, army: Army, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for event in p.hidden.hands[army] {
            ballot.allow(Action::Lay(event));
        }
        for event in p.hidden.laid[army].iter().flatten() {
            ballot.refuse(Action::Lay(*event), rule!("1.1"), format_args!("it lies under a value already"));
        }
    }

    /// A card goes under the lowest value that is free; the last one lays itself.
    pub(super) fn lay(&self, p: &mut Position, army: Army, event: Event) {
        let (hand, laid) = (&mut p.hidden.hands[army], &mut p.hidden.laid[army]);
        for event in [Some(event), None] {
            let event = event.or_else(|| hand.single());
            let free = laid.iter_mut().find(|slot| slot.is_none());
            if let (Some(event), Some(free)) = (event, free) {
                hand.remove(event);
                *free = Some(event);
            }
        }
        if hand.is_empty() {
            p.open.chosen.insert(army);
        }
    }

    /// All have laid their cards: they are opened together.
    pub(super) fn laying(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let party = p.open.table.party;
        if p.open.chosen != party {
            return true;
        }
        umpire.reveal(Readers::ALL);
        p.open.rows = p.hidden.laid;
        p.hidden.laid = Map::filled([None; 4]);
        if umpire.writes() {
            for army in party {
                let titles: Vec<_> = p.open.rows[army]
                    .iter()
                    .flatten()
                    .zip(self.components.figures.values)
                    .map(|(event, value)| format!("{} under {value}", self.components.events[*event].title))
                    .collect();
                umpire.note(
                    Readers::ALL,
                    rule!("1.1"),
                    format_args!("{} has laid {}", self.components.army(army), crate::words::listed(&titles)),
                );
            }
        }
        let each = self.components.figures.hand.1;
        p.open.picks = Map::new(|army: Army| match (party.has(army), party.len()) {
            (false, _) => 0,
            // Of three, the lone one selects for both of his markers, and the others once each [1.4].
            (true, 3) if p.open.is_lone(army.side()) => 2 * each,
            (true, 3) => each / 2,
            (true, _) => each,
        });
        p.open.cards = Set::NONE;
        p.open.agenda.replace(Step::Market { turn: 0 });
        false
    }

    /// How many cards of a row have been selected.
    #[inline]
    fn selected(open: &Open, row: Army) -> usize {
        open.rows[row].iter().filter(|slot| slot.is_none()).count()
    }

    /// What selecting a card of a value is worth to an army [1.2, 1.4].
    pub(crate) fn worth(&self, open: &Open, army: Army, slot: usize) -> u8 {
        let doubled = open.table.party.len() == 3 && !open.is_lone(army.side());
        self.components.figures.values[slot] * if doubled { 2 } else { 1 }
    }

    pub(super) fn list_market(&self, p: &Position, army: Army, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let most = usize::from(self.components.figures.hand.1);
        for row in p.open.table.party {
            let friend = row.side() == army.side();
            let full = Self::selected(&p.open, row) >= most;
            for event in p.open.rows[row].iter().flatten() {
                if friend {
                    ballot.refuse(
                        Action::Pick(*event),
                        rule!("1.2"),
                        format_args!("cards of the enemy are selected"),
                    );
                } else if full {
                    ballot.refuse(
                        Action::Pick(*event),
                        rule!("1.3"),
                        format_args!("two cards of this army have been selected"),
                    );
                } else {
                    ballot.allow(Action::Pick(*event));
                }
            }
        }
        ballot.refuse(Action::Pass, rule!("1.2"), format_args!("a card must be selected"));
    }

    pub(super) fn pick(
        &self,
        p: &mut Position,
        army: Army,
        event: Event,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let row = self.components.events[event].army;
        let Some(slot) = p.open.rows[row].iter().position(|e| *e == Some(event)) else { return };
        let worth = self.worth(&p.open, army, slot);
        p.open.rows[row][slot] = None;
        p.open.cards.insert(event);
        let most = self.components.figures.tracks[crate::ids::Icon::Command as usize];
        p.open.command[army] = (p.open.command[army] + worth).min(most);
        p.open.picks[army] -= 1;
        if umpire.writes() {
            let (who, title, owner) =
                (self.components.army(army), &self.components.events[event].title, self.components.army(row));
            let points = crate::words::counted(worth, "command point", "command points");
            let rule = if p.open.table.party.len() == 3 { rule!("1.4") } else { rule!("1.2") };
            umpire.note(
                Readers::ALL,
                rule,
                format_args!("{who} gives {title} to {owner} and gains {points}"),
            );
        }
        if let Some(Step::Market { turn }) = p.open.agenda.now().copied() {
            let turn = p.open.after(turn);
            p.open.agenda.replace(Step::Market { turn });
        }
    }

    pub(super) fn marketing(&self, p: &mut Position, turn: u8, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let open = &mut p.open;
        if open.picks.values().iter().all(|left| *left == 0) {
            umpire.note(Readers::ALL, rule!("1.3"), format_args!("The other cards are discarded"));
            open.rows = Map::filled([None; 4]);
            open.passed = Set::NONE;
            open.agenda.replace(Step::Plan { turn: 0 });
            return false;
        }
        if open.picks[open.at_turn(turn)] > 0 {
            return true;
        }
        let turn = open.after(turn);
        open.agenda.replace(Step::Market { turn });
        false
    }
}
