//! The Command Phase \[3\]: event cards and orders are executed one by one until all have passed.

use table::{Ballot, Readers, Rule, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::{Effect, Presence, Sort};
use crate::ids::{Army, Event, Icon, Order, Region};
use crate::position::{Deed, Open, Position, Source, Step};

impl ThirdCrusade {
    /// Why an order cannot be executed in a region, apart from its being for battles [3.7, 3.8].
    pub(crate) fn unmet(
        &self,
        open: &Open,
        army: Army,
        order: Order,
        region: Region,
    ) -> Option<(Rule, &'static str)> {
        let sheet = &self.components.orders[order];
        if sheet.parts.iter().any(|part| part.effect == Effect::Blank) {
            return Some((rule!("3.8"), "a Blank Order is never executed"));
        }
        if !self.meets(open, region, army, sheet.presence) {
            let why = match sheet.presence {
                Presence::Alliance => "it asks for presence of the alliance there",
                _ => "it asks for the army's own presence there",
            };
            return Some((rule!("3.7"), why));
        }
        if !self.is(open, region, sheet.sort) {
            let why = match sheet.sort {
                Sort::City => "it is for cities",
                Sort::Desert => "it is for deserts",
                _ => "it is for regions with a port",
            };
            return Some((rule!("3.7"), why));
        }
        (sheet.cost > open.command[army]).then_some((rule!("3.8"), "the command points do not suffice"))
    }

    pub(super) fn list_activations(
        &self,
        p: &Position,
        army: Army,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for event in p.open.cards {
            if self.components.events[event].army == army {
                ballot.allow(Action::Play(event));
            }
        }
        let side = army.side();
        for region in p.open.table.ground {
            let Some(placed) = p.open.orders[side][region] else { continue };
            if placed.army != army {
                ballot.refuse(
                    Action::Execute(region),
                    rule!("3.1"),
                    format_args!("it is the partner's order"),
                );
                continue;
            }
            let Some(order) = p.hidden.orders[side][region] else { continue };
            if self.components.orders[order].reaction {
                ballot.refuse(
                    Action::Execute(region),
                    rule!("3.9"),
                    format_args!("a Reaction Order waits for a battle"),
                );
            } else if let Some((rule, why)) = self.unmet(&p.open, army, order, region) {
                ballot.refuse(Action::Execute(region), rule, format_args!("{why}"));
            } else {
                ballot.allow(Action::Execute(region));
            }
        }
        ballot.allow(Action::Pass);
    }

    pub(super) fn play(
        &self,
        p: &mut Position,
        army: Army,
        event: Event,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.cards.remove(event);
        let (who, title) = (self.components.army(army), &self.components.events[event].title);
        umpire.note(Readers::ALL, rule!("3.1"), format_args!("{who} plays {title}"));
        umpire.cite(rule!("3.2"));
        p.open.agenda.push(Step::Deed(Deed::new(army, Source::Event(event), None)));
    }

    pub(super) fn execute(
        &self,
        p: &mut Position,
        army: Army,
        region: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(order) = self.turn_order(p, army, region, umpire) else { return };
        let sheet = &self.components.orders[order];
        if umpire.writes() {
            let (who, place) = (self.components.army(army), self.components.place(region));
            umpire.note(
                Readers::ALL,
                rule!("3.7"),
                format_args!("{who} executes {} at {place} for {}", sheet.title, cost_words(sheet.cost)),
            );
            umpire.cite(rule!("3.8"));
            umpire.cite(rule!("glossary.presence"));
        }
        let deed = Deed::new(army, Source::Order(order, region), Some(region));
        p.open.agenda.push(Step::Deed(deed));
        // An order that is one march begins it at once; who wants none of it halts.
        if let [part] = sheet.parts[..]
            && matches!(part.effect, Effect::March { .. })
        {
            self.begin_march(p, 0, region, umpire);
        }
    }

    /// An order is turned, paid for and laid aside.
    pub(super) fn turn_order(
        &self,
        p: &mut Position,
        army: Army,
        region: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> Option<Order> {
        let side = army.side();
        let order = p.hidden.orders[side][region].take()?;
        p.open.orders[side][region] = None;
        p.open.aside[order] += 1;
        p.open.command[army] -= self.components.orders[order].cost;
        umpire.reveal(Readers::ALL);
        Some(order)
    }

    /// Missing crowns are paid for, for this one event [3.3].
    pub(super) fn pay_for_crowns(&self, p: &mut Position, army: Army, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(Step::Deed(deed)) = p.open.agenda.now().copied() else { return };
        let price = self.crown_price(&p.open, &deed).unwrap_or(0);
        p.open.gold[army] -= price;
        if let Some(deed) = Self::deed_mut(p) {
            deed.crowned = true;
        }
        let who = self.components.army(army);
        umpire.note(
            Readers::ALL,
            rule!("3.3"),
            format_args!("{who} pays {price} gold for the crowns that are missing"),
        );
    }

    /// What the crowns would cost that a card's crown event lacks; nothing if they are there.
    pub(crate) fn crown_price(&self, open: &Open, deed: &Deed) -> Option<u8> {
        let Source::Event(event) = deed.source else { return None };
        if deed.crowned {
            return Some(0);
        }
        let missing =
            self.components.events[event].crowns.saturating_sub(self.track(open, deed.army, Icon::Crown));
        Some(missing * self.components.figures.prices.0)
    }

    pub(super) fn commanding(&self, p: &mut Position, turn: u8, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let open = &mut p.open;
        if open.passed == open.table.party {
            self.end_command(p, umpire);
            return false;
        }
        let army = open.at_turn(turn);
        if !open.passed.has(army) {
            let card = open.cards.iter().any(|event| self.components.events[event].army == army);
            if card || open.on_map(army) > 0 {
                return true;
            }
            // Everybody can see that nothing is left to execute.
            umpire.cite(rule!("3.10"));
            open.passed.insert(army);
        }
        let turn = open.after(turn);
        open.agenda.replace(Step::Command { turn });
        false
    }

    /// All have passed [3.11].
    fn end_command(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        if self.victory_check(p, rule!("3.11"), umpire) {
            return;
        }
        self.begin_bids(p);
    }

    /// An activation is over: the turn goes on.
    pub(super) fn finish_deed(&self, p: &mut Position, deed: &Deed, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.pop();
        if deed.begun == [false; 2] && umpire.writes() {
            umpire.cite(rule!("3.4"));
            for part in self.parts(deed.source) {
                match part.effect {
                    Effect::Sabotage { .. } => umpire.cite(rule!("glossary.sabotage")),
                    Effect::Muster { .. } | Effect::PlaceLeader { .. } => {
                        umpire.cite(rule!("glossary.slots"))
                    }
                    Effect::PlaceToken { .. } => umpire.cite(rule!("glossary.resources")),
                    _ => {}
                }
            }
        }
        if let Some(Step::Command { turn }) = p.open.agenda.now().copied() {
            let turn = p.open.after(turn);
            p.open.agenda.replace(Step::Command { turn });
        }
    }

    /// The event cards that an army may still play.
    pub(crate) fn cards_of(&self, open: &Open, army: Army) -> Set<Event> {
        open.cards.iter().filter(|event| self.components.events[*event].army == army).collect()
    }
}

fn cost_words(cost: u8) -> String {
    crate::words::counted(cost, "command point", "command points")
}
