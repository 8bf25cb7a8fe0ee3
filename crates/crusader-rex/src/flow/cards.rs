//! The cards [4.0]: dealing, secret play, order of play, and the five events.

use table::{Ballot, Id, Map, Readers, Seat, SeatSet, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{BOTH, Block, Card, Cards, FRANK, SARACEN, Sides, Town};
use crate::position::{Going, Phase, Position, Step};
use crate::words::counted;

/// Cards in a hand [4.0].
const HAND_SIZE: u8 = 6;
/// Events count for more than any move card.
const EVENT_VALUE: u8 = 10;
/// Steps that manna gives.
const MANNA: u8 = 3;

impl CrusaderRex {
    /// Six cards for one side. The sides are dealt in two actions, so that neither deal tells of the other.
    pub(crate) fn deal(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        for _ in 0..HAND_SIZE {
            let left: Cards =
                Map::new(|k| self.components.deck[k] - p.secret[FRANK].hand[k] - p.secret[SARACEN].hand[k]);
            let total: u8 = left.values().iter().sum();
            let card_at = |mut i: u16| {
                for (card, n) in left.iter() {
                    if i < u16::from(*n) {
                        return card;
                    }
                    i -= u16::from(*n);
                }
                Card::Move3
            };
            let name = |i: u16| card_at(i).name().to_string();
            let drawn = umpire.draw(Readers::only(seat.into()), total.into(), &name);
            p.secret[seat].hand[card_at(drawn)] += 1;
        }
        umpire.note(
            Readers::ALL,
            rule!("4.0"),
            format_args!("Six cards are dealt to the {}", self.title_of(seat)),
        );
    }

    pub(super) fn list_cards(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let hand = p.secret[seat].hand;
        let total: u8 = hand.values().iter().sum();
        for (card, n) in hand.iter() {
            if *n == 0 {
                ballot.refuse(Action::Play(card), rule!("4.1"), format_args!("it is not in your hand"));
            } else if card == Card::Intrigue && p.open.turn == 1 {
                ballot.refuse(
                    Action::Play(card),
                    rule!("card.intrigue"),
                    format_args!("not in the first turn of a year"),
                );
            } else if total == 1 {
                // Everybody counts cards: the last one must be played.
                ballot.force(Action::Play(card));
            } else {
                ballot.allow(Action::Play(card));
            }
        }
    }

    pub(super) fn act_cards(
        &self,
        p: &mut Position,
        seat: Seat,
        chosen: SeatSet,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Action::Play(card) = action else { return };
        p.secret[seat].chosen = Some(card);
        if !chosen.contains(seat.other()) {
            p.open.agenda.replace(Step::Cards { chosen: chosen.with(seat) });
            return;
        }
        p.open.agenda.pop();
        umpire.reveal(Readers::ALL);
        let chosen = Sides::new(|side| p.secret[side].chosen.take());
        p.open.printed = chosen;
        p.open.cards = chosen;
        for side in BOTH {
            let Some(card) = chosen[side] else { continue };
            p.secret[side].hand[card] -= 1;
            p.open.played[side][card] += 1;
            let rule = if card.is_event() { rule!("4.2b") } else { rule!("4.2") };
            umpire.note(Readers::ALL, rule, format_args!("The {} play {}", self.title_of(side), card.name()));
        }
        if chosen.0.iter().flatten().all(|card| card.is_event()) {
            umpire.note(Readers::ALL, rule!("4.2b"), format_args!("Two events cancel the turn"));
            if chosen.0.contains(&Some(Card::Intrigue)) {
                // It is an event itself, whatever it would have copied.
                umpire.cite(rule!("card.intrigue"));
            }
            let winter = p.open.is_winter();
            p.open.agenda.replace(Step::Turn(if winter { Phase::WinterSieges } else { Phase::TurnEnd }));
            return;
        }
        for side in BOTH {
            if chosen[side] == Some(Card::Intrigue) {
                let copied = p.open.last[side.other()].unwrap_or(Card::Move1);
                p.open.cards[side] = Some(copied);
                umpire.note(
                    Readers::ALL,
                    rule!("card.intrigue"),
                    format_args!("Intrigue counts as {}", copied.name()),
                );
            }
        }
        self.decide_order(p, umpire);
    }

    /// The higher card is player 1; ties are rolled with two dice each [4.1].
    fn decide_order(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let value = |card: Option<Card>| match card {
            Some(card) if card.is_event() => EVENT_VALUE,
            card => card.map_or(0, Card::moves),
        };
        let mut worth = p.open.cards.0.map(value);
        if p.open.cards.0.contains(&Some(Card::WinterCampaign)) {
            // For the order of play it is a move card of one.
            umpire.cite(rule!("8.2"));
        }
        while worth[0] == worth[1] {
            worth = [(); 2].map(|()| umpire.roll(6) + umpire.roll(6));
            umpire.note(
                Readers::ALL,
                rule!("4.1"),
                format_args!("The cards tie: the Franks roll {}, the Saracens {}", worth[0], worth[1]),
            );
        }
        p.open.first = if worth[0] > worth[1] { FRANK } else { SARACEN };
        umpire.note(
            Readers::ALL,
            rule!("4.1"),
            format_args!("The {} are player 1", self.title_of(p.open.first)),
        );
    }

    /// What a side's card lets it do [4.2].
    pub(super) fn begin_moves(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.used = Map::filled(0);
        match p.open.cards[seat] {
            Some(Card::Assassins) => {
                umpire.cite(rule!("2.4"));
                if self.enemy_towns(p, seat).any() {
                    p.open.agenda.push(Step::Assassins { seat });
                }
            }
            Some(Card::Manna) => p.open.agenda.push(Step::Manna { seat, left: MANNA }),
            card => {
                if card == Some(Card::Guide) {
                    p.open.guide[seat] = true;
                    umpire.cite(rule!("card.guide"));
                }
                p.open.agenda.push(Step::Moves {
                    seat,
                    left: card.map_or(0, Card::moves),
                    group_only: card.is_some_and(Card::is_event),
                    going: Going::Idle,
                });
            }
        }
    }

    fn enemy_towns(&self, p: &Position, seat: Seat) -> Set<Town> {
        let enemy = self.of(seat.other());
        Town::all().filter(|t| p.here[*t].meets(enemy)).collect()
    }

    pub(super) fn list_targets(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for t in self.enemy_towns(p, seat) {
            ballot.allow(Action::Strike(t));
            let enemies = p.here[t] & self.of(seat.other());
            if !enemies.within(p.open.shown) {
                for b in enemies & p.open.shown {
                    ballot.allow(Action::Stab(b));
                }
            }
        }
    }

    /// The victim is a face-up block that was named, or it is drawn among the hidden enemies in the town. It is
    /// shown, and fired at with three dice. There is no double defence and no return fire.
    pub(super) fn act_strike(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        umpire.cite(rule!("2.4"));
        let victim = match action {
            Action::Stab(b) => {
                // Only a besieger lies face-up while nobody fights.
                umpire.cite(rule!("6.51"));
                Some(b)
            }
            Action::Strike(t) => {
                let here = p.here[t] & self.of(seat.other());
                let hidden = here - p.open.shown;
                let enemies = if hidden.any() { hidden } else { here };
                let drawn = umpire.draw(Readers::ALL, enemies.len() as u16, &|n| {
                    enemies.nth(n.into()).map_or("nobody", |b| self.components.block_name(b)).into()
                });
                enemies.nth(drawn.into())
            }
            _ => None,
        };
        let Some(victim) = victim else { return };
        umpire.reveal(Readers::ALL);
        let assassins = &self.components.blocks[self.components.assassins];
        let mut hits = 0;
        for _ in 0..assassins.steps {
            hits += u8::from(umpire.roll(6) <= assassins.fire);
        }
        if umpire.writes() {
            let name = self.components.block_name(victim);
            let town = p.town(victim).map_or("", |t| self.components.town_name(t));
            let hits = counted(hits, "hit", "hits");
            umpire.note(
                Readers::ALL,
                rule!("card.assassins"),
                format_args!("The assassins strike {name} in {town}: {hits}"),
            );
        }
        p.open.known |= Set::one(victim) - p.open.shown;
        p.guess[victim] = None;
        p.open.board.insert(victim);
        for _ in 0..hits.min(p.strength[victim]) {
            if self.lose_step(p, victim, umpire) {
                return;
            }
        }
        p.open.seen[victim] = Some(p.strength[victim]);
    }

    /// Blocks of a side on the map that are below full strength.
    fn weakened(&self, p: &Position, seat: Seat) -> Set<Block> {
        let below = |b: &Block| p.place[*b].is_town() && p.strength[*b] < self.components.blocks[*b].steps;
        self.of(seat).iter().filter(below).collect()
    }

    pub(super) fn list_manna(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        if left == 0 {
            ballot.force(Action::Done);
            return;
        }
        ballot.allow(Action::Done);
        let (weakened, blessed) = (self.weakened(p, seat), p.secret[seat].blessed);
        for b in weakened - blessed {
            ballot.allow(Action::Bless(b));
        }
        if ballot.explains() {
            for b in self.of(seat).iter().filter(|b| p.place[*b].is_town()) {
                if blessed.has(b) {
                    ballot.refuse(Action::Bless(b), rule!("card.manna"), format_args!("once for each block"));
                } else if !weakened.has(b) {
                    ballot.refuse(
                        Action::Bless(b),
                        rule!("card.manna"),
                        format_args!("it is at full strength"),
                    );
                }
            }
        }
    }

    pub(super) fn act_manna(
        &self,
        p: &mut Position,
        seat: Seat,
        left: u8,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if let Action::Bless(b) = action {
            p.strength[b] += 1;
            self.see_steps(p, b);
            if let Some(t) = p.town(b) {
                let town = self.components.town_name(t);
                umpire.note(
                    Readers::ALL,
                    rule!("card.manna"),
                    format_args!("A block in {town} gains a step"),
                );
            }
            p.secret[seat].blessed.insert(b);
            p.open.agenda.replace(Step::Manna { seat, left: left - 1 });
        } else {
            p.secret[seat].blessed = Set::NONE;
            p.open.agenda.pop();
        }
    }

    /// Names the town of a jihad, or asks for it: any battle or siege will do [card.jihad].
    pub(super) fn ask_jihad(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let towns = self.contested(p);
        if let Some(only) = towns.single() {
            self.name_jihad(p, only, umpire);
        } else if towns.any() {
            p.open.agenda.push(Step::Jihad { seat });
        }
    }

    pub(super) fn name_jihad(&self, p: &mut Position, t: Town, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.jihad = Some(t);
        umpire.note(
            Readers::ALL,
            rule!("card.jihad"),
            format_args!("The jihad is declared at {}", self.components.town_name(t)),
        );
    }
}
