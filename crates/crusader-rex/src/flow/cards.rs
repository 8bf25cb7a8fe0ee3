//! The cards [4.0]: dealing, secret play, order of play, and the five events.

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{CARD_NAMES, FRANK, KINDS, MOVES, NONE, SARACEN, Set, each, kind, one};
use crate::position::{Phase, Position, Step};

use super::IDLE;

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
            let left: [u8; KINDS] =
                std::array::from_fn(|k| self.components.deck[k] - p.hands[0][k] - p.hands[1][k]);
            let total: u8 = left.iter().sum();
            let kind_of = |mut i: u16| {
                for (k, n) in left.iter().enumerate() {
                    if i < u16::from(*n) {
                        return k;
                    }
                    i -= u16::from(*n);
                }
                0
            };
            let name = |i: u16| CARD_NAMES[kind_of(i)].to_string();
            let drawn = umpire.draw(Readers::only(seat.into()), total.into(), &name);
            p.hands[seat.index()][kind_of(drawn)] += 1;
        }
        umpire.note(
            Readers::ALL,
            rule!("4.0"),
            format_args!("six cards are dealt to the {}", self.title_of(seat)),
        );
    }

    pub(super) fn list_cards(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let hand = p.hands[seat.index()];
        let total: u8 = hand.iter().sum();
        for (k, n) in hand.iter().enumerate() {
            let card = k as u8;
            if *n == 0 {
                ballot.refuse(Action::Play(card), rule!("4.1"), format_args!("it is not in your hand"));
            } else if card == kind::INTRIGUE && p.turn == 1 {
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
        mut chosen: [u8; 2],
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Action::Play(card) = action else { return };
        chosen[seat.index()] = card;
        if chosen.contains(&NONE) {
            p.agenda.replace(Step::Cards { chosen });
            return;
        }
        p.agenda.pop();
        umpire.reveal(Readers::ALL);
        p.printed = chosen;
        p.cards = chosen;
        for side in [FRANK, SARACEN] {
            let (i, card) = (side.index(), usize::from(chosen[side.index()]));
            p.hands[i][card] -= 1;
            p.played[i][card] += 1;
            if umpire.writes() {
                let (who, what) = (self.title_of(side), CARD_NAMES[card]);
                let event = kind::is_event(chosen[i]);
                let rule = if event { rule!("4.2b") } else { rule!("4.2") };
                umpire.note(Readers::ALL, rule, format_args!("the {who} play {what}"));
            }
        }
        if kind::is_event(chosen[0]) && kind::is_event(chosen[1]) {
            umpire.note(Readers::ALL, rule!("4.2b"), format_args!("two events: the turn is cancelled"));
            let winter = self.is_winter(p);
            p.agenda.replace(Step::Turn(if winter { Phase::WinterSieges } else { Phase::TurnEnd }));
            return;
        }
        for side in [FRANK, SARACEN] {
            if chosen[side.index()] == kind::INTRIGUE {
                let copied = p.last[side.other().index()];
                p.cards[side.index()] = if copied == NONE { kind::MOVE1 } else { copied };
                umpire.note(
                    Readers::ALL,
                    rule!("card.intrigue"),
                    format_args!("Intrigue counts as {}", CARD_NAMES[usize::from(p.cards[side.index()])]),
                );
            }
        }
        self.decide_order(p, umpire);
    }

    /// The higher card is player 1; ties are rolled with two dice each [4.1].
    fn decide_order(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let value = |card: u8| if kind::is_event(card) { EVENT_VALUE } else { MOVES[usize::from(card)] };
        let mut worth = p.cards.map(value);
        while worth[0] == worth[1] {
            worth = [(); 2].map(|()| umpire.roll(6) + umpire.roll(6));
            umpire.note(
                Readers::ALL,
                rule!("4.1"),
                format_args!("a tie: the Franks roll {}, the Saracens {}", worth[0], worth[1]),
            );
        }
        p.first = if worth[0] > worth[1] { FRANK } else { SARACEN };
        umpire.note(Readers::ALL, rule!("4.1"), format_args!("the {} are player 1", self.title_of(p.first)));
    }

    /// What a side's card lets it do [4.2].
    pub(super) fn begin_moves(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        p.used = [0; crate::data::ROADS];
        let card = p.cards[seat.index()];
        match card {
            kind::ASSASSINS => {
                umpire.cite(rule!("2.4"));
                if self.enemy_towns(p, seat) != 0 {
                    p.agenda.push(Step::Assassins { seat });
                }
            }
            kind::MANNA => p.agenda.push(Step::Manna { seat, left: MANNA, blessed: 0 }),
            _ => {
                if card == kind::GUIDE {
                    p.guide[seat.index()] = true;
                    umpire.cite(rule!("card.guide"));
                }
                p.agenda.push(Step::Moves {
                    seat,
                    left: MOVES[usize::from(card)],
                    group_only: kind::is_event(card),
                    going: IDLE,
                });
            }
        }
    }

    fn enemy_towns(&self, p: &Position, seat: Seat) -> Set {
        let enemy = self.of(seat.other());
        p.here.iter().enumerate().filter(|(_, here)| *here & enemy != 0).fold(0, |set, (t, _)| set | 1 << t)
    }

    pub(super) fn list_targets(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for t in each(self.enemy_towns(p, seat)) {
            ballot.allow(Action::Strike(t));
        }
    }

    /// The victim is drawn among the enemies in the town, shown, and fired at with three dice. There is no
    /// double defence and no return fire.
    pub(super) fn act_strike(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.agenda.pop();
        let Action::Strike(t) = action else { return };
        let enemies = p.here[usize::from(t)] & self.of(seat.other());
        let nth = |n: u16| each(enemies).nth(usize::from(n)).unwrap_or(0);
        let drawn = umpire
            .draw(Readers::ALL, enemies.count_ones() as u16, &|n| self.components.block_name(nth(n)).into());
        let victim = nth(drawn);
        umpire.reveal(Readers::ALL);
        let assassins = self.components.blocks.iter().find(|b| b.side.is_none());
        let (dice, fire) = assassins.map_or((3, 3), |label| (label.steps, label.fire));
        let mut hits = 0;
        for _ in 0..dice {
            hits += u8::from(umpire.roll(6) <= fire);
        }
        if umpire.writes() {
            let name = self.components.block_name(victim);
            let town = self.components.town_name(t);
            umpire.note(
                Readers::ALL,
                rule!("card.assassins"),
                format_args!("the assassins strike {name} in {town}: {hits} hits"),
            );
        }
        p.known |= one(victim);
        p.board |= one(victim);
        for _ in 0..hits.min(p.strength[usize::from(victim)]) {
            if self.lose_step(p, victim, umpire) {
                return;
            }
        }
        p.seen[usize::from(victim)] = p.strength[usize::from(victim)];
    }

    /// Blocks of a side on the map that are below full strength.
    fn weakened(&self, p: &Position, seat: Seat) -> Set {
        each(self.of(seat))
            .filter(|b| {
                let i = usize::from(*b);
                p.town[i] < crate::position::POOL && p.strength[i] < self.components.blocks[i].steps
            })
            .fold(0, |set, b| set | one(b))
    }

    pub(super) fn list_manna(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        blessed: Set,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        if left == 0 {
            ballot.force(Action::Done);
            return;
        }
        ballot.allow(Action::Done);
        let weakened = self.weakened(p, seat);
        for b in each(weakened & !blessed) {
            ballot.allow(Action::Bless(b));
        }
        if ballot.explains() {
            for b in each(self.of(seat)).filter(|b| p.town[usize::from(*b)] < crate::position::POOL) {
                if blessed & one(b) != 0 {
                    ballot.refuse(Action::Bless(b), rule!("card.manna"), format_args!("once for each block"));
                } else if weakened & one(b) == 0 {
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
        blessed: Set,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if let Action::Bless(b) = action {
            p.strength[usize::from(b)] += 1;
            if umpire.writes() {
                let town = self.components.town_name(p.town[usize::from(b)]);
                umpire.note(
                    Readers::ALL,
                    rule!("card.manna"),
                    format_args!("a block in {town} gains a step"),
                );
            }
            p.agenda.replace(Step::Manna { seat, left: left - 1, blessed: blessed | one(b) });
        } else {
            p.agenda.pop();
        }
    }

    /// Where a side may declare a jihad: the battles it has begun and the sieges it conducts.
    pub(super) fn jihads(&self, p: &Position, seat: Seat) -> Set {
        let mut towns = p.attacked[seat.index()];
        for t in 0..p.here.len() as u8 {
            if self.besieged(p, t) == Some(seat.other()) {
                towns |= one(t);
            }
        }
        each(towns)
            .filter(|t| p.here[usize::from(*t)] & self.of(seat.other()) != 0)
            .fold(0, |set, t| set | one(t))
    }

    pub(super) fn ask_jihad(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let towns = self.jihads(p, seat);
        if towns.is_power_of_two() {
            self.name_jihad(p, towns.trailing_zeros() as u8, umpire);
        } else if towns != 0 {
            p.agenda.push(Step::Jihad { seat });
        }
    }

    pub(super) fn name_jihad(&self, p: &mut Position, t: u8, umpire: &mut (impl Umpire + ?Sized)) {
        p.jihad = t;
        umpire.note(
            Readers::ALL,
            rule!("card.jihad"),
            format_args!("the jihad is declared at {}", self.components.town_name(t)),
        );
    }
}
