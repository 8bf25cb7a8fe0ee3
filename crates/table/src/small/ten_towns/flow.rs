//! The sequence of play of Ten Towns: cards (3), moves (4), the ambush (5), battles (6), the end (7).

use super::TenTowns;
use super::action::Action;
use super::data::{BLOCKS, ROADS, TOWNS};
use super::position::{Block, Position, Step, TURNS, Token};
use crate::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

const SIDES: [Seat; 2] = [Seat::new(0), Seat::new(1)];
/// Blocks that may use one road in one move phase [4.2].
const ROAD_LIMIT: u8 = 2;

impl TenTowns {
    #[inline]
    pub(super) fn side(&self, block: usize) -> Seat {
        self.components.blocks[block].side
    }

    /// The blocks of a side in a town.
    #[inline]
    pub(super) fn standing<'a>(
        &'a self,
        p: &'a Position,
        seat: Seat,
        town: u8,
    ) -> impl Iterator<Item = usize> + 'a {
        let first = self.first_block(seat);
        (first..first + BLOCKS / 2).filter(move |b| p.blocks[*b].town == Some(town))
    }

    /// Blocks are numbered side by side.
    #[inline]
    fn first_block(&self, seat: Seat) -> usize {
        seat.index() * (BLOCKS / 2)
    }

    #[inline]
    fn present(&self, p: &Position, seat: Seat, town: u8) -> bool {
        self.standing(p, seat, town).next().is_some()
    }

    /// The two sides in the order of a battle: defender, attacker.
    #[inline]
    pub(super) fn order(p: &Position, town: u8) -> [Seat; 2] {
        let defender = p.holder[usize::from(town)].unwrap_or(SIDES[0]);
        [defender, defender.other()]
    }

    #[inline]
    pub(super) fn who_decides(&self, p: &Position) -> SeatSet {
        match p.agenda.now() {
            None => SeatSet::NONE,
            Some(Step::Cards { chosen }) => undecided(chosen.map(|c| c.is_some())),
            Some(Step::Bids { bids, .. }) => undecided(bids.map(|b| b.is_some())),
            Some(Step::Moves { seat, .. } | Step::Hits { seat, .. }) => (*seat).into(),
            Some(Step::Window { town }) => Self::order(p, *town)[0].into(),
            Some(Step::Battle { town, round }) => {
                self.acting(p, *town, *round).map_or(SeatSet::NONE, |(seat, _)| seat.into())
            }
        }
    }

    /// Who acts in a battle, and with which letter [6.1]: A before B before C, the defender first.
    fn acting(&self, p: &Position, town: u8, round: u8) -> Option<(Seat, u8)> {
        let sides = Self::order(p, town);
        if round == 3 {
            return Some((sides[1], 3));
        }
        for letter in 0..3 {
            for seat in sides {
                let ready = |b: usize| !p.blocks[b].fired && self.components.blocks[b].letter == letter;
                if self.standing(p, seat, town).any(ready) {
                    return Some((seat, letter));
                }
            }
        }
        None
    }

    pub(super) fn list(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        match p.agenda.now() {
            None => {}
            Some(Step::Cards { .. }) => {
                let hand = p.hands[seat.index()];
                let only = hand.iter().filter(|cards| **cards > 0).count() == 1;
                for card in 0..3 {
                    if hand[usize::from(card)] > 0 && only {
                        // Played cards are open, so all know that no other is left.
                        ballot.force(Action::Card(card));
                    } else if hand[usize::from(card)] > 0 {
                        ballot.allow(Action::Card(card));
                    } else {
                        ballot.refuse(
                            Action::Card(card),
                            rule!("3.1"),
                            format_args!("both cards of that value are played"),
                        );
                    }
                }
            }
            Some(Step::Bids { .. }) => {
                let gold = p.gold[seat.index()];
                ballot.allow_range(Action::Bid(0), 0, gold.into());
                ballot.refuse(Action::Bid(gold + 1), rule!("3.2"), format_args!("you have {gold} gold"));
            }
            Some(Step::Moves { seat, left, group, roads, .. }) => {
                self.list_moves(p, *seat, left[seat.index()], *group, roads, ballot);
            }
            Some(Step::Window { .. }) => {
                // The others cannot know which token it is: passing is never forced [5.1].
                ballot.allow(Action::Pass);
                if p.tokens[seat.index()] == Token::Ambush {
                    ballot.allow(Action::Ambush);
                } else {
                    ballot.refuse(Action::Ambush, rule!("5.1"), format_args!("your token is a feint"));
                }
            }
            Some(Step::Battle { town, round }) => self.list_battle(p, *town, *round, ballot),
            Some(Step::Hits { seat, town, .. }) => {
                let most = self.strongest(p, *seat, *town);
                for b in self.standing(p, *seat, *town) {
                    if p.blocks[b].strength == most {
                        ballot.allow(Action::Take(b as u8));
                    } else {
                        ballot.refuse(
                            Action::Take(b as u8),
                            rule!("6.3"),
                            format_args!("hits go to the strongest block"),
                        );
                    }
                }
            }
        }
    }

    fn list_moves(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        group: Option<u8>,
        roads: &[u8; ROADS],
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let Some(town) = group else {
            if left == 0 {
                // Everybody saw the moves and the card: nothing is told by ending for the player.
                ballot.force(Action::End);
            } else {
                ballot.allow(Action::End);
            }
            let mut can_move = 0u32;
            let first = self.first_block(seat);
            for block in &p.blocks[first..first + BLOCKS / 2] {
                if let Some(town) = block.town.filter(|_| !block.moved) {
                    can_move |= 1 << town;
                }
            }
            for town in 0..TOWNS as u8 {
                if can_move >> town & 1 == 0 {
                    if ballot.explains() && self.present(p, seat, town) {
                        ballot.refuse(
                            Action::Group(town),
                            rule!("4.3"),
                            format_args!("all blocks there have moved"),
                        );
                    }
                } else if left == 0 {
                    ballot.refuse(
                        Action::Group(town),
                        rule!("4.1"),
                        format_args!("your card gives no more group moves"),
                    );
                } else if self.is_contested(p, seat, town) {
                    ballot.refuse(
                        Action::Group(town),
                        rule!("4.4"),
                        format_args!("the enemy stands there: nobody leaves"),
                    );
                } else {
                    ballot.allow(Action::Group(town));
                }
            }
            return;
        };
        ballot.allow(Action::Halt);
        let neighbours = &self.components.towns[usize::from(town)].roads;
        for b in self.standing(p, seat, town) {
            for (to, road) in neighbours {
                let go = Action::Go(b as u8, *to);
                if p.blocks[b].moved {
                    ballot.refuse(go, rule!("4.3"), format_args!("it has moved already"));
                } else if roads[usize::from(*road)] >= ROAD_LIMIT {
                    ballot.refuse(go, rule!("4.2"), format_args!("two blocks have used that road"));
                } else {
                    ballot.allow(go);
                }
            }
        }
    }

    /// Whether the enemy stands in a town too.
    fn is_contested(&self, p: &Position, seat: Seat, town: u8) -> bool {
        self.present(p, seat.other(), town)
    }

    fn list_battle(&self, p: &Position, town: u8, round: u8, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some((seat, letter)) = self.acting(p, town, round) else { return };
        for b in self.standing(p, seat, town) {
            let fire = Action::Fire(b as u8);
            let own = self.components.blocks[b].letter;
            if round == 3 {
                ballot.refuse(fire, rule!("6.5"), format_args!("after two rounds the attacker must leave"));
            } else if p.blocks[b].fired {
                ballot.refuse(fire, rule!("6.2"), format_args!("it has acted in this round"));
                continue;
            } else if own != letter {
                let now = ["A", "B", "C"][usize::from(letter)];
                ballot.refuse(fire, rule!("6.1"), format_args!("it is the turn of blocks with letter {now}"));
                continue;
            } else {
                ballot.allow(fire);
            }
            for (to, _) in &self.components.towns[usize::from(town)].roads {
                let retreat = Action::Retreat(b as u8, *to);
                if self.can_retreat_to(p, seat, *to) {
                    ballot.allow(retreat);
                } else {
                    ballot.refuse(retreat, rule!("6.4"), format_args!("the enemy is there or holds it"));
                }
            }
        }
    }

    /// A retreat leads to a town that is friendly or that nobody holds, without enemies [6.4].
    fn can_retreat_to(&self, p: &Position, seat: Seat, town: u8) -> bool {
        p.holder[usize::from(town)] != Some(seat.other()) && !self.present(p, seat.other(), town)
    }

    pub(super) fn act(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(step) = p.agenda.now().copied() else { return };
        match (step, action) {
            (Step::Cards { mut chosen }, Action::Card(card)) => {
                chosen[seat.index()] = Some(card);
                p.agenda.replace(Step::Cards { chosen });
                if let [Some(red), Some(blue)] = chosen {
                    self.turn_cards(p, [red, blue], umpire);
                }
            }
            (Step::Bids { mut bids, card }, Action::Bid(gold)) => {
                bids[seat.index()] = Some(gold);
                p.agenda.replace(Step::Bids { bids, card });
                if let [Some(red), Some(blue)] = bids {
                    self.compare_bids(p, [red, blue], card, umpire);
                }
            }
            (Step::Moves { seat, second, mut left, roads, .. }, Action::Group(town)) => {
                left[seat.index()] -= 1;
                p.agenda.replace(Step::Moves { seat, second, left, group: Some(town), roads });
                umpire.cite(rule!("4.1"));
            }
            (Step::Moves { seat, second, left, group: Some(from), mut roads }, Action::Go(b, to)) => {
                if let Some(road) = self.components.road(from, to) {
                    roads[usize::from(road)] += 1;
                }
                self.enter_town(p, usize::from(b), to);
                p.blocks[usize::from(b)].moved = true;
                // A group of which nobody is left to move has moved.
                let more = self.standing(p, seat, from).any(|b| !p.blocks[b].moved);
                p.agenda.replace(Step::Moves { seat, second, left, group: more.then_some(from), roads });
                if umpire.writes() {
                    let [from, to] = [from, to].map(|t| self.components.towns[usize::from(t)].name.as_str());
                    let name = &self.components.blocks[usize::from(b)].name;
                    umpire.note(
                        Readers::only(seat.into()),
                        rule!("4.2"),
                        format_args!("{name} goes from {from} to {to}"),
                    );
                    umpire.note(
                        Readers::all_but(seat.into()),
                        rule!("4.2"),
                        format_args!("A block goes from {from} to {to}"),
                    );
                }
            }
            (Step::Moves { seat, second, left, roads, .. }, Action::Halt) => {
                p.agenda.replace(Step::Moves { seat, second, left, group: None, roads });
            }
            (Step::Moves { seat, second: false, left, .. }, Action::End) => {
                p.agenda.replace(Step::Moves {
                    seat: seat.other(),
                    second: true,
                    left,
                    group: None,
                    roads: [0; ROADS],
                });
            }
            (Step::Moves { .. }, Action::End) => {
                p.agenda.pop();
                self.next_battle(p, umpire);
            }
            (Step::Window { town }, Action::Pass) => {
                p.agenda.replace(Step::Battle { town, round: 1 });
                self.open_battle(p, town, umpire);
            }
            (Step::Window { town }, Action::Ambush) => {
                p.spent[seat.index()] = true;
                p.agenda.replace(Step::Battle { town, round: 1 });
                self.spring_ambush(p, seat, town, umpire);
                self.open_battle(p, town, umpire);
            }
            (Step::Battle { town, .. }, Action::Fire(b)) => {
                p.blocks[usize::from(b)].fired = true;
                self.fire(p, usize::from(b), town, umpire);
                self.go_on(p, town, umpire);
            }
            (Step::Battle { town, .. }, Action::Retreat(b, to)) => {
                self.enter_town(p, usize::from(b), to);
                p.blocks[usize::from(b)].fired = true;
                if umpire.writes() {
                    let name = &self.components.blocks[usize::from(b)].name;
                    let to = &self.components.towns[usize::from(to)].name;
                    umpire.note(Readers::ALL, rule!("6.4"), format_args!("{name} retreats to {to}"));
                }
                self.go_on(p, town, umpire);
            }
            (Step::Hits { seat, town, hits }, Action::Take(b)) => {
                self.hit(p, usize::from(b), umpire);
                p.agenda.pop();
                self.take_hits(p, seat, town, hits - 1, umpire);
                self.go_on(p, town, umpire);
            }
            _ => debug_assert!(false, "{action:?} is no answer to {step:?}"),
        }
    }

    /// Both cards are turned: the higher moves first, equal cards bid [3.1].
    fn turn_cards(&self, p: &mut Position, cards: [u8; 2], umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        for (hand, card) in p.hands.iter_mut().zip(cards) {
            hand[usize::from(card)] -= 1;
        }
        umpire.note(
            Readers::ALL,
            rule!("3.1"),
            format_args!("Red plays {}, Blue plays {}", cards[0] + 1, cards[1] + 1),
        );
        if cards[0] == cards[1] {
            p.agenda.replace(Step::Bids { bids: [None; 2], card: cards[0] });
        } else {
            self.begin_moves(p, SIDES[usize::from(cards[1] > cards[0])], cards);
        }
    }

    /// Both bids are shown: the higher pays and moves first, equal bids roll [3.2].
    fn compare_bids(&self, p: &mut Position, bids: [u8; 2], card: u8, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        umpire.note(Readers::ALL, rule!("3.2"), format_args!("Red bids {}, Blue bids {}", bids[0], bids[1]));
        let first = if bids[0] == bids[1] {
            let die = umpire.roll(6);
            umpire.note(Readers::ALL, rule!("3.2"), format_args!("Equal bids: the die shows {die}"));
            SIDES[usize::from(die > 3)]
        } else {
            let first = SIDES[usize::from(bids[1] > bids[0])];
            p.gold[first.index()] -= bids[first.index()];
            first
        };
        self.begin_moves(p, first, [card; 2]);
    }

    fn begin_moves(&self, p: &mut Position, first: Seat, cards: [u8; 2]) {
        let left = cards.map(|card| card + 1);
        p.agenda.replace(Step::Moves { seat: first, second: false, left, group: None, roads: [0; ROADS] });
    }

    /// A block enters a town; a town without enemies is its side's at once [4.4].
    fn enter_town(&self, p: &mut Position, b: usize, town: u8) {
        let seat = self.side(b);
        p.blocks[b].town = Some(town);
        if !self.present(p, seat.other(), town) {
            p.holder[usize::from(town)] = Some(seat);
        }
    }

    /// The next town where both stand, or the end of the turn.
    fn next_battle(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let mut both = [0u32; 2];
        for (b, block) in p.blocks.iter().enumerate() {
            if let Some(town) = block.town {
                both[b / (BLOCKS / 2)] |= 1 << town;
            }
        }
        let contested = both[0] & both[1];
        if contested == 0 {
            return self.end_turn(p, umpire);
        }
        let town = contested.trailing_zeros() as u8;
        umpire.heading(format_args!("Battle of {}", self.components.towns[usize::from(town)].name));
        // The window opens by what all know: whether the defender's token is spent [5.1].
        if p.spent[Self::order(p, town)[0].index()] {
            p.agenda.push(Step::Battle { town, round: 1 });
            self.open_battle(p, town, umpire);
        } else {
            p.agenda.push(Step::Window { town });
        }
    }

    /// Blocks in battle lie face up [2.2].
    fn open_battle(&self, p: &mut Position, town: u8, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        umpire.cite(rule!("2.2"));
        for block in p.blocks.iter_mut().filter(|b| b.town == Some(town)) {
            block.shown = true;
            block.fired = false;
        }
        self.go_on(p, town, umpire);
    }

    /// A die for every attacking block: 1 or 2 costs a step [5.2].
    fn spring_ambush(&self, p: &mut Position, defender: Seat, town: u8, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.note(Readers::ALL, rule!("5.2"), format_args!("An ambush"));
        let first = self.first_block(defender.other());
        for b in first..first + BLOCKS / 2 {
            if p.blocks[b].town == Some(town) && umpire.roll(6) <= 2 {
                p.blocks[b].shown = true;
                self.hit(p, b, umpire);
            }
        }
    }

    /// A block rolls a die for every step; a die up to its fire hits [6.2].
    fn fire(&self, p: &mut Position, b: usize, town: u8, umpire: &mut (impl Umpire + ?Sized)) {
        let label = &self.components.blocks[b];
        let mut hits = 0;
        for _ in 0..p.blocks[b].strength {
            hits += u8::from(umpire.roll(6) <= label.fire);
        }
        let name = &label.name;
        match hits {
            0 => umpire.note(Readers::ALL, rule!("6.2"), format_args!("{name} fires and misses")),
            1 => umpire.note(Readers::ALL, rule!("6.2"), format_args!("{name} fires and hits once")),
            _ => umpire.note(Readers::ALL, rule!("6.2"), format_args!("{name} fires and hits {hits} times")),
        }
        self.take_hits(p, label.side.other(), town, hits, umpire);
    }

    fn strongest(&self, p: &Position, seat: Seat, town: u8) -> u8 {
        self.standing(p, seat, town).map(|b| p.blocks[b].strength).max().unwrap_or(0)
    }

    /// Every hit goes to the strongest block; among equals its owner chooses [6.3].
    fn take_hits(
        &self,
        p: &mut Position,
        seat: Seat,
        town: u8,
        mut hits: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        while hits > 0 {
            let most = self.strongest(p, seat, town);
            let (b, several) = {
                let mut strongest = self.standing(p, seat, town).filter(|b| p.blocks[*b].strength == most);
                let Some(b) = strongest.next() else { return };
                (b, strongest.next().is_some())
            };
            if several {
                p.agenda.push(Step::Hits { seat, town, hits });
                return;
            }
            self.hit(p, b, umpire);
            hits -= 1;
        }
    }

    fn hit(&self, p: &mut Position, b: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let block: &mut Block = &mut p.blocks[b];
        block.strength -= 1;
        if block.strength == 0 {
            block.town = None;
        }
        let name = &self.components.blocks[b].name;
        let fate = if block.strength == 0 { "is eliminated" } else { "loses a step" };
        umpire.note(Readers::ALL, rule!("6.3"), format_args!("{name} {fate}"));
    }

    /// Goes on with a battle until somebody must decide.
    fn go_on(&self, p: &mut Position, town: u8, umpire: &mut (impl Umpire + ?Sized)) {
        while let Some(Step::Battle { round, .. }) = p.agenda.now().copied() {
            let [defender, attacker] = Self::order(p, town);
            let (holds, attacks) = (self.present(p, defender, town), self.present(p, attacker, town));
            if !(holds && attacks) {
                if attacks {
                    p.holder[usize::from(town)] = Some(attacker);
                }
                p.agenda.pop();
                return self.next_battle(p, umpire);
            }
            if round == 3 {
                // Those who have nowhere to go are lost [6.5].
                let towns = &self.components.towns[usize::from(town)].roads;
                if towns.iter().any(|(to, _)| self.can_retreat_to(p, attacker, *to)) {
                    return;
                }
                umpire.note(
                    Readers::ALL,
                    rule!("6.5"),
                    format_args!("The attackers cannot retreat and are lost"),
                );
                let first = self.first_block(attacker);
                for b in first..first + BLOCKS / 2 {
                    if p.blocks[b].town == Some(town) {
                        p.blocks[b].town = None;
                        p.blocks[b].strength = 0;
                    }
                }
            } else if self.acting(p, town, round).is_some() {
                return;
            } else {
                for block in p.blocks.iter_mut().filter(|b| b.town == Some(town)) {
                    block.fired = false;
                }
                p.agenda.replace(Step::Battle { town, round: round + 1 });
                umpire.cite(rule!("6.1"));
            }
        }
    }

    fn end_turn(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for block in &mut p.blocks {
            block.moved = false;
            block.fired = false;
            block.shown = false;
        }
        let won = SIDES.into_iter().any(|seat| self.prizes(p, seat) == 3);
        if won || p.turn == TURNS {
            umpire.reveal(Readers::ALL);
            let rule = if won { rule!("7.1") } else { rule!("7.2") };
            umpire.note(Readers::ALL, rule, format_args!("The game is over"));
            return;
        }
        p.turn += 1;
        umpire.heading(format_args!("Turn {}", p.turn));
        p.agenda.push(Step::Cards { chosen: [None; 2] });
    }

    /// How many prizes a side holds.
    pub(super) fn prizes(&self, p: &Position, seat: Seat) -> usize {
        let holds = |(i, town): (usize, &super::data::Town)| town.prize && p.holder[i] == Some(seat);
        self.components.towns.iter().enumerate().filter(|t| holds(*t)).count()
    }

    /// The steps that a side has left.
    pub(super) fn steps(&self, p: &Position, seat: Seat) -> u32 {
        let first = self.first_block(seat);
        p.blocks[first..first + BLOCKS / 2].iter().map(|b| u32::from(b.strength)).sum()
    }
}

#[inline]
fn undecided(decided: [bool; 2]) -> SeatSet {
    SIDES.into_iter().filter(|s| !decided[s.index()]).collect()
}
