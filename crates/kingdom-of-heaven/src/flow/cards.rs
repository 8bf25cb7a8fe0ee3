//! The cards \[8\]: dealing, ransom, and the action round with every use of a card.

use table::{Ballot, Id as _, Readers, Seat, SeatSet, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::Stance;
use crate::data::cards::CardType;
use crate::ids::{BOTH, Card, Cards, Leader, Space, Spaces};
use crate::position::{Duel, Forbidden, Open, Place, Position, Step};

/// The value that desert links and the sea ask for [10.6, 10.8].
pub(super) const GREAT: u8 = 3;

impl KingdomOfHeaven {
    /// What is left of the deck.
    pub(crate) fn deck(&self, p: &Position) -> Cards {
        self.plot(&p.open).deck - p.open.discards - p.open.removed - p.hidden.hands.0[0] - p.hidden.hands.0[1]
    }

    /// A card is drawn by a player, whom alone it is shown; an empty deck is refilled at once [8.5].
    pub(super) fn draw_card(
        &self,
        p: &mut Position,
        seat: Seat,
        from: Option<Cards>,
        fresh: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let mut deck = self.deck(p);
        if deck.is_empty() {
            p.open.discards = Cards::NONE;
            deck = self.deck(p);
            umpire.note(
                Readers::ALL,
                rule!("8.5"),
                format_args!("The deck is empty, and the discards are shuffled"),
            );
        }
        let deck = from.map_or(deck, |from| deck & from);
        if deck.is_empty() {
            return false;
        }
        let name = |i: u16| deck.nth(i.into()).map_or(String::new(), |card| self.card_id(card).to_string());
        let drawn = umpire.draw(Readers::only(SeatSet::only(seat)), deck.len() as u16, &name);
        let Some(card) = deck.nth(drawn.into()) else { return false };
        p.hidden.hands[seat].insert(card);
        p.open.held[seat] += 1;
        if fresh {
            p.hidden.fresh[seat].insert(card);
            p.open.drawn[seat] += 1;
        }
        if umpire.writes() {
            let data = self.components.card(card);
            umpire.note(
                Readers::only(seat.into()),
                rule!("8.1"),
                format_args!("You draw {} ({})", data.title, data.id),
            );
        }
        true
    }

    /// A hand is dealt [8.1].
    pub(super) fn deal(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.pop();
        umpire.cite(rule!("2.4"));
        let hand = self.plot(&p.open).hand;
        if p.open.turn == 1 && p.open.rules.dealt {
            umpire.cite(rule!("4.3"));
            let own = self.plot(&p.open).own_cards;
            self.draw_card(p, seat, Some(own), false, umpire);
        }
        while p.open.held[seat] < hand && self.draw_card(p, seat, None, false, umpire) {}
        let who = self.title.seat_name(seat);
        umpire.note(Readers::ALL, rule!("8.1"), format_args!("The {who} is dealt his cards"));
    }

    pub(super) fn list_ransom(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let o = &p.open;
        ballot.allow(Action::Done);
        if o.held[seat] == 0 {
            return;
        }
        for leader in self.plot(o).all_leaders {
            if o.led[leader] == Place::Prison(seat.other()) && self.leads_for(o, leader) == Some(seat) {
                ballot.allow(Action::Ransom(leader));
            }
        }
    }

    /// A leader is freed for a card that his captor draws unseen; both players see it then [13.6].
    pub(super) fn act_ransom(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let Action::Ransom(leader) = action else { return };
        let hand = p.hidden.hands[seat];
        let name = |i: u16| hand.nth(i.into()).map_or(String::new(), |card| self.card_id(card).to_string());
        let drawn = umpire.draw(Readers::only(SeatSet::first(2)), hand.len() as u16, &name);
        let Some(card) = hand.nth(drawn.into()) else { return };
        self.take_card(p, seat, card);
        p.hidden.hands[seat.other()].insert(card);
        p.hidden.known[seat.other()].insert(card);
        p.open.held[seat.other()] += 1;
        p.open.put_leader(leader, Place::Pool);
        let name = self.leader_start(leader);
        umpire.note(
            Readers::ALL,
            rule!("8.1"),
            format_args!("{name} is ransomed for a card, and musters next turn"),
        );
        if umpire.writes() {
            let data = self.components.card(card);
            umpire.note(
                Readers::only(SeatSet::first(2)),
                rule!("13.6"),
                format_args!("The card is {} ({})", data.title, data.id),
            );
        }
    }

    /// A card leaves a hand.
    pub(super) fn take_card(&self, p: &mut Position, seat: Seat, card: Card) {
        p.hidden.hands[seat].remove(card);
        p.hidden.known[seat].remove(card);
        p.open.held[seat] -= 1;
        if p.hidden.fresh[seat].has(card) {
            p.hidden.fresh[seat].remove(card);
            p.open.drawn[seat] -= 1;
        }
    }

    /// A card is shown and put on the discards.
    pub(super) fn spend(
        &self,
        p: &mut Position,
        seat: Seat,
        card: Card,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        self.take_card(p, seat, card);
        p.open.discards.insert(card);
        umpire.cite(rule!("8.2"));
    }

    /// Cards that a player can use now.
    #[inline]
    pub(crate) fn usable(&self, p: &Position, seat: Seat) -> Cards {
        p.hidden.hands[seat] - p.hidden.fresh[seat]
    }

    /// A round begins; nothing goes by itself.
    pub(super) fn begin_round(&self, _: &mut Position, _: Seat, _: &mut (impl Umpire + ?Sized)) -> bool {
        false
    }

    /// A round is over: drawn cards can be used, marks of the round are gone.
    pub(super) fn end_round(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.pop();
        for other in BOTH {
            p.hidden.fresh[other] = Cards::NONE;
            p.open.drawn[other] = 0;
        }
        p.open.moved = Default::default();
        p.open.moved_led = Default::default();
        p.open.pledged = Cards::NONE;
        p.open.sailed = false;
        p.open.duel = None;
        p.open.march = None;
        p.hidden.plan.clear();
        p.open.cancelled = false;
        for space in self.components.all_spaces() {
            p.open.marks[space].begun = false;
        }
        for ban in &mut p.open.bans {
            if ban.counts == seat
                && let Some(rounds) = &mut ban.rounds
            {
                *rounds = rounds.saturating_sub(1);
            }
        }
        p.open.bans.retain(|ban| ban.rounds != Some(0));
        self.end_passage(p, seat, umpire);
        self.tidy(p, umpire);
    }

    /// Whether a player may pass or make a free vassal move: he has fewer cards than the other [8.2].
    pub(crate) fn has_fewer(&self, o: &Open, seat: Seat) -> bool {
        o.held[seat] < o.held[seat.other()]
    }

    /// Whether a leader may be activated by a card of this value.
    pub(super) fn may_lead(
        &self,
        o: &Open,
        seat: Seat,
        leader: Leader,
        free: bool,
        ov: u8,
        sea: bool,
    ) -> Result<(), (table::Rule, &'static str)> {
        let Some(space) = o.leader_at(leader) else { return Err((rule!("10.1"), "he is not on the map")) };
        let data = self.components.leader(leader);
        if self.leads_for(o, leader) != Some(seat) {
            return Err((rule!("10.1"), "he is not yours"));
        }
        if !free && data.strategy > ov {
            return Err((rule!("8.4"), "his strategy rating is higher than the card’s value"));
        }
        if o.moved_led.has(leader) {
            return Err((rule!("10.1.1"), "he has moved in this round"));
        }
        let banned = self.banned(o, seat, Forbidden::Activate)
            || self.banned(o, seat, Forbidden::Power(data.power))
            || self.banned(o, seat, Forbidden::Leader(leader));
        if banned {
            return Err((rule!("8.4.1"), "an event forbids to activate him"));
        }
        if self.components.space(space).by_sea && !sea {
            return Err((rule!("10.6"), "this box is left by sea only, with a card of three"));
        }
        Ok(())
    }

    /// The sieges in which a player can act: where, and whether he besieges.
    pub(super) fn sieges(&self, o: &Open, seat: Seat) -> Spaces {
        let ready = |s: &Space| {
            o.marks[*s].besieged
                && !o.marks[*s].begun
                && o.holds[*s].is_some_and(|h| self.holder(o, h).is_some())
        };
        let _ = seat;
        self.components.all_spaces().filter(ready).collect()
    }

    pub(super) fn list_round(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let o = &p.open;
        let hand = self.usable(p, seat);
        let others = hand.iter().any(|card| !self.components.card(card).must);
        let fewer = self.has_fewer(o, seat);
        let pledged: u8 = o.pledged.iter().map(|card| self.components.card(card).ov).sum();
        let alone = o.pledged.is_empty();
        if alone && (hand.is_empty() || others) {
            if fewer || hand.is_empty() {
                ballot.allow(Action::Pass);
                if self.any_vassal(o, seat) {
                    ballot.allow(Action::FreeVassal);
                }
            } else {
                ballot.refuse(
                    Action::Pass,
                    rule!("8.2"),
                    format_args!("you have as many cards as your opponent, or more"),
                );
                ballot.refuse(
                    Action::FreeVassal,
                    rule!("8.2"),
                    format_args!("you have as many cards as your opponent, or more"),
                );
            }
        }
        if !alone {
            // What was put together can be given up.
            ballot.allow(Action::Pass);
        }
        let sieges = self.sieges(o, seat);
        let hostile = self.banned(o, seat, Forbidden::Hostile);
        let leaders = self.plot(o).all_leaders;
        let vassals = self.any_vassal(o, seat);
        for card in hand {
            let data = self.components.card(card);
            let ov = data.ov + pledged;
            if data.must {
                if self.event_possible(p, seat, card) {
                    ballot.allow(Action::Event(card));
                    ballot.refuse(
                        Action::Discard(card),
                        rule!("8.4.1"),
                        format_args!("this card must be played"),
                    );
                } else {
                    ballot.allow(Action::Discard(card));
                }
                continue;
            }
            for leader in leaders {
                if !matches!(o.led[leader], Place::At(_)) || self.leads_for(o, leader) != Some(seat) {
                    continue;
                }
                let sea = data.ov >= GREAT && alone && self.may_sail(o, seat, false);
                match self.may_lead(o, seat, leader, false, ov, sea) {
                    Ok(()) => ballot.allow(Action::Activate(card, leader)),
                    Err((rule, why)) => {
                        ballot.refuse(Action::Activate(card, leader), rule, format_args!("{why}"))
                    }
                }
            }
            if vassals {
                ballot.allow(Action::Vassals(card));
            }
            for space in sieges {
                self.list_siege_uses(p, seat, card, space, hostile, alone, ballot);
            }
            if alone {
                self.list_single_uses(p, seat, card, ballot);
            }
        }
    }

    /// The uses of a card that is not put together with others.
    fn list_single_uses(
        &self,
        p: &Position,
        seat: Seat,
        card: Card,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let (o, data) = (&p.open, self.components.card(card));
        if self.event_possible(p, seat, card) {
            ballot.allow(Action::Event(card));
        } else if ballot.explains() {
            let why = match data.kind {
                CardType::Battle => "it is played in battle",
                CardType::Response => "it is played in answer to the enemy",
                CardType::Normal if !data.serves(seat) => "its event is not yours",
                CardType::Normal => "nothing of its event can be done now",
            };
            ballot.refuse(Action::Event(card), rule!("8.4.1"), format_args!("{why}"));
        }
        self.list_diplomacy(o, seat, card, ballot);
        ballot.allow(Action::Discard(card));
        if o.rules.combine && p.open.held[seat] > 1 {
            ballot.allow(Action::Combine(card));
        } else {
            ballot.refuse(
                Action::Combine(card),
                rule!("8.6"),
                format_args!("cards are not combined at this table"),
            );
        }
    }

    pub(super) fn act_round(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        umpire.cite(rule!("8"));
        umpire.cite(rule!("8.2"));
        let title = |card: Card| self.components.card(card).title.as_str();
        let who = self.title.seat_name(seat);
        let all = Readers::ALL;
        match action {
            Action::Pass => {
                p.open.agenda.pop();
                umpire.note(all, rule!("8.4"), format_args!("The {who} passes"));
            }
            Action::FreeVassal => {
                p.open.agenda.replace(Step::Vassals { seat, left: 1, extra: false, card: None });
                umpire.note(all, rule!("8.4"), format_args!("The {who} moves a vassal without a card"));
            }
            Action::Combine(card) => {
                self.spend(p, seat, card, umpire);
                p.open.pledged.insert(card);
                umpire.note(
                    all,
                    rule!("8.6"),
                    format_args!("The {who} puts {} to another card", title(card)),
                );
            }
            Action::Discard(card) => {
                self.spend(p, seat, card, umpire);
                p.open.agenda.pop();
                umpire.note(all, rule!("8.4"), format_args!("The {who} discards {}", title(card)));
            }
            Action::Vassals(card) => {
                let value = self.value(p, card);
                self.spend(p, seat, card, umpire);
                let single = p.open.pledged.is_empty().then_some(card);
                p.open.agenda.replace(Step::Vassals { seat, left: value, extra: true, card: single });
                umpire.note(
                    all,
                    rule!("8.4"),
                    format_args!("The {who} plays {} for a vassal move", title(card)),
                );
            }
            Action::Activate(card, leader) => {
                let own = if p.open.pledged.is_empty() { self.components.card(card).ov } else { 0 };
                self.spend(p, seat, card, umpire);
                p.open.agenda.pop();
                umpire.note(
                    all,
                    rule!("8.4"),
                    format_args!("The {who} plays {} to activate {}", title(card), self.leader_name(leader)),
                );
                self.activate(p, seat, leader, own, super::no_licence());
            }
            Action::Event(card) => self.play_event(p, seat, card, umpire),
            Action::Influence(card, power) => {
                self.spend(p, seat, card, umpire);
                p.open.tried[seat].insert(power);
                umpire.note(
                    all,
                    rule!("9.2"),
                    format_args!("The {who} plays {} to influence {}", title(card), self.power_name(power)),
                );
                let modifier = self.components.card(card).diplomacy.unwrap_or(0);
                p.open.agenda.replace(Step::Overture {
                    seat,
                    asked: seat,
                    power: Some(power),
                    modifier,
                    event: false,
                    stage: 0,
                });
            }
            Action::Woo(card) => {
                self.spend(p, seat, card, umpire);
                p.open.wooed[seat] = true;
                umpire.note(
                    all,
                    rule!("9.3"),
                    format_args!("The {who} plays {} for the advantage marker", title(card)),
                );
                let rival = i8::from(p.open.marker == Some(seat.other()));
                let modifier = self.components.card(card).diplomacy.unwrap_or(0) + rival;
                p.open.agenda.replace(Step::Overture {
                    seat,
                    asked: seat,
                    power: None,
                    modifier,
                    event: false,
                    stage: 0,
                });
            }
            Action::Starve(card, space)
            | Action::Fortune(card, space)
            | Action::Storm(card, space)
            | Action::Siege(card, space) => {
                self.begin_siege_action(p, seat, action, card, space, umpire);
            }
            _ => {}
        }
    }

    /// The value of a card with those put to it.
    pub(super) fn value(&self, p: &Position, card: Card) -> u8 {
        let pledged: u8 = p.open.pledged.iter().map(|c| self.components.card(c).ov).sum();
        self.components.card(card).ov + pledged
    }

    /// What an event may draw, and what becomes of its card.
    pub(super) fn end_event(
        &self,
        p: &mut Position,
        seat: Seat,
        card: Card,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let data = self.components.card(card);
        if p.open.cancelled {
            p.open.cancelled = false;
            return;
        }
        if data.draws {
            umpire.cite(rule!("8.4.1"));
            p.open.agenda.push(Step::Draw { seat, left: 1 });
        }
        if data.removed {
            p.open.discards.remove(card);
            p.open.removed.insert(card);
            umpire.note(Readers::ALL, rule!("8.4.1"), format_args!("{} leaves the game", data.title));
        }
        if data.reshuffle {
            p.open.reshuffle = true;
        }
    }

    /// A siege that a player resolves in this round.
    pub(super) fn new_duel(at: Space, besieger: Seat) -> Duel {
        Duel {
            at,
            besieger,
            spent: Default::default(),
            events: true,
            assault: true,
            stopped: false,
            rolls: Default::default(),
            columns: 0,
            pre_loss: Default::default(),
        }
    }

    /// Whether a Power is in the game.
    pub(crate) fn in_play(&self, o: &Open, power: crate::ids::Power) -> bool {
        o.stance[power] != Stance::Absent
    }

    /// All cards, in the order of the data.
    pub(crate) fn all_cards(&self) -> impl Iterator<Item = Card> + use<> {
        (0..self.components.cards.len()).map(Card::at)
    }
}
