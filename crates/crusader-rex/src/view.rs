//! What a seat may know, and the positions it cannot tell from the true one.
//!
//! Open to all: who stands where in what number, face-up blocks, cards played, dead blocks, crusaders over
//! the sea, how many blocks lie in a pool. Hidden: which block stands where and how strong it is, hands,
//! cards chosen in secret, blocks picked and not yet declared, winter choices until both are made.
//!
//! What everybody may lawfully remember is part of it: a block that was seen, its strength then, and where
//! it went as long as nothing could have been confused with it; that a stack holds it, until a hidden block
//! leaves that stack; and which blocks are certain to be on the map or in the pool.

use serde::Serialize;
use table::{Lots, Notation, Seat, SeatSet, Viewer};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{BLOCKS, FRANK, KINDS, NONE, SARACEN, Set, each, one};
use crate::position::{Battle, DEAD, GONE, Going, HAND, POOL, Position, STAGING, Step, TableRules, Walk};

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    pub(crate) viewer: Viewer,
    /// Whether nothing is hidden from this viewer.
    pub(crate) open: bool,
    pub(crate) year: u8,
    pub(crate) turn: u8,
    pub(crate) first: Seat,
    pub(crate) printed: [u8; 2],
    pub(crate) cards: [u8; 2],
    pub(crate) last: [u8; 2],
    pub(crate) played: [[u8; KINDS]; 2],
    pub(crate) hands: [Option<[u8; KINDS]>; 2],
    pub(crate) hand_sizes: [u8; 2],
    pub(crate) guide: [bool; 2],
    pub(crate) jihad: u8,
    pub(crate) campaign: u8,
    pub(crate) used: Vec<u8>,
    pub(crate) entered: [[Set; 3]; 2],
    pub(crate) attacked: [Set; 2],
    pub(crate) pending: Set,
    pub(crate) to_fight: Set,
    pub(crate) battle: Battle,
    pub(crate) table: TableRules,
    pub(crate) result: Option<(Seat, bool)>,
    /// Blocks that the viewer sees.
    pub(crate) blocks: Vec<SeenBlock>,
    /// Hidden blocks that he knows of, with their places.
    pub(crate) suspects: Vec<(u8, Slot)>,
    /// Other hidden blocks: their places, sorted, so that their order tells nothing.
    pub(crate) hidden: Vec<Slot>,
    /// Blocks face-down in each pool.
    pub(crate) pools: [u8; 2],
    /// The strength at which each block was last seen by all.
    pub(crate) seen: Vec<u8>,
    pub(crate) known: Set,
    pub(crate) board: Set,
    pub(crate) pooled: Set,
    pub(crate) starved: Set,
    pub(crate) gains: Vec<u8>,
    pub(crate) done: [bool; 2],
    pub(crate) deciding: SeatSet,
    pub(crate) steps: Vec<Step>,
}

/// A place where a hidden block stands, and what is open about it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Slot {
    pub(crate) owner: Seat,
    pub(crate) town: u8,
    pub(crate) inside: bool,
    /// The round in which it arrives; 0 if it is there.
    pub(crate) arrival: u8,
    pub(crate) moved: bool,
    pub(crate) marched: bool,
    pub(crate) via: u8,
    pub(crate) token: u8,
}

/// A block that the viewer sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SeenBlock {
    pub(crate) block: u8,
    pub(crate) strength: u8,
    pub(crate) shown: bool,
    /// Its place; `town` may be the pool and the like.
    pub(crate) slot: Slot,
}

impl View {
    /// Whether the viewer sees what only this side may know.
    fn shares(&self, seat: Seat) -> bool {
        self.open || self.viewer.shares(seat)
    }
}

impl CrusaderRex {
    fn slot(&self, p: &Position, b: u8) -> Slot {
        let (i, bit) = (usize::from(b), one(b));
        Slot {
            owner: self.owner(b),
            town: p.town[i],
            inside: p.inside & bit != 0,
            arrival: if p.second & bit != 0 {
                2
            } else if p.third & bit != 0 {
                3
            } else {
                0
            },
            moved: p.moved & bit != 0,
            marched: p.marched & bit != 0,
            via: p.via[i],
            token: p.token[i],
        }
    }

    pub(crate) fn look(&self, p: &Position, viewer: Viewer) -> View {
        let open = p.result.is_some() || viewer == Viewer::Umpire;
        let sees = |seat: Seat| open || viewer.shares(seat);
        let (mut blocks, mut suspects, mut hidden, mut pools) = (Vec::new(), Vec::new(), Vec::new(), [0; 2]);
        for b in each(self.of(FRANK) | self.of(SARACEN)) {
            let (i, owner) = (usize::from(b), self.owner(b));
            let place = p.town[i];
            pools[owner.index()] += u8::from(place == POOL);
            if sees(owner) || p.shown & one(b) != 0 || matches!(place, DEAD | GONE | STAGING) {
                blocks.push(SeenBlock {
                    block: b,
                    strength: p.strength[i],
                    shown: p.shown & one(b) != 0,
                    slot: self.slot(p, b),
                });
            } else if place < POOL && p.known & one(b) != 0 {
                suspects.push((b, self.slot(p, b)));
            } else if place < POOL {
                hidden.push(self.slot(p, b));
            }
        }
        hidden.sort_unstable();
        let picks = match p.agenda.now() {
            Some(Step::Shelter { seat } | Step::Storm { seat } | Step::Sally { seat }) => sees(*seat),
            _ => true,
        };
        let private = (if sees(FRANK) { self.of(FRANK) } else { 0 })
            | (if sees(SARACEN) { self.of(SARACEN) } else { 0 });
        let steps = p.agenda.steps().iter().map(|step| match *step {
            Step::Cards { chosen } => Step::Cards {
                chosen: std::array::from_fn(|i| if sees(Seat::new(i as u8)) { chosen[i] } else { NONE }),
            },
            Step::Manna { seat, left, .. } if !sees(seat) => Step::Manna { seat, left, blessed: 0 },
            Step::Place { seat, .. } if !sees(seat) => Step::Place { seat, block: NONE },
            Step::Moves { seat, left, group_only, going } if !sees(seat) => {
                let still = |walk: Walk| Walk { roads: walk.roads.min(1), ..Walk::NOBODY };
                let going = match going {
                    Going::Group { town, walk } => Going::Group { town, walk: still(walk) },
                    Going::Muster { town, walk } => Going::Muster { town, walk: still(walk) },
                    Going::Sail { .. } | Going::Idle => Going::Idle,
                };
                Step::Moves { seat, left, group_only, going }
            }
            open => open,
        });
        View {
            viewer,
            open,
            year: p.year,
            turn: p.turn,
            first: p.first,
            printed: p.printed,
            cards: p.cards,
            last: p.last,
            played: p.played,
            hands: std::array::from_fn(|i| sees(Seat::new(i as u8)).then_some(p.hands[i])),
            hand_sizes: p.hands.map(|hand| hand.iter().sum()),
            guide: p.guide,
            jihad: p.jihad,
            campaign: p.campaign,
            used: p.used.to_vec(),
            entered: p.entered,
            attacked: p.attacked,
            pending: p.pending,
            to_fight: p.to_fight,
            battle: Battle { picked: if picks { p.battle.picked } else { 0 }, ..p.battle },
            table: p.table,
            result: p.result,
            blocks,
            suspects,
            hidden,
            pools,
            seen: p.seen.to_vec(),
            known: p.known,
            board: p.board,
            pooled: p.pooled,
            starved: p.starved & private,
            gains: (0..BLOCKS as u8)
                .map(|b| if private & one(b) != 0 { p.gains[usize::from(b)] } else { 0 })
                .collect(),
            done: p.done,
            deciding: self.who_decides(p),
            steps: steps.collect(),
        }
    }

    /// What others see of an action.
    pub(crate) fn witness(
        &self,
        p: &Position,
        seat: Seat,
        action: Action,
        viewer: Viewer,
    ) -> Option<Notation> {
        if viewer.shares(seat) {
            return Some(crate::action::write(&self.components, action));
        }
        let town = |t: u8| self.components.town_name(t);
        let from = |b: u8| town(p.town[usize::from(b)]);
        let face_up = |b: u8| p.shown & one(b) != 0 || p.town[usize::from(b)] == STAGING;
        // All see which of the hidden blocks have moved, and which still come as reserves.
        let which = |b: u8| {
            let bit = one(b);
            let moved = if p.moved & bit != 0 { "moved " } else { "" };
            let reserve = match (p.second & bit != 0, p.third & bit != 0) {
                (true, _) => " of round 2",
                (_, true) => " of round 3",
                _ => "",
            };
            format!("a {moved}block{reserve}")
        };
        let text = match (action, p.agenda.now()) {
            (Action::Play(_), Some(Step::Cards { chosen })) if chosen[seat.other().index()] == NONE => {
                return None;
            }
            (_, Some(Step::Winter)) => {
                return (action == Action::Done).then(|| Notation::new("done with winter"));
            }
            (Action::Pick(_) | Action::Sail(_), _) => return None,
            (_, Some(Step::Exchange)) => "settles Saladin's place".to_string(),
            (Action::Seat(b, t), _) => format!("a block shifts {} > {}", from(b), town(t)),
            (Action::Bless(b), _) => format!("a block in {} gains a step", from(b)),
            (
                Action::Go(b, t),
                Some(Step::Moves { going: Going::Group { walk, .. } | Going::Muster { walk, .. }, .. }),
            ) if walk.block == b => format!("the block goes on {} > {}", from(b), town(t)),
            (Action::Go(b, t), _) => format!("a block goes {} > {}", from(b), town(t)),
            (
                Action::Land(t) | Action::Assault(t),
                Some(Step::Moves { going: Going::Sail { block }, .. }),
            ) => {
                let verb = if matches!(action, Action::Land(_)) { "sails" } else { "attacks by sea" };
                if face_up(*block) {
                    format!("{} {verb} > {}", self.components.block_name(*block), town(t))
                } else {
                    format!("a block {verb} {} > {}", from(*block), town(t))
                }
            }
            (Action::Regroup(b, t), _) if !face_up(b) => {
                format!("{} regroups {} > {}", which(b), from(b), town(t))
            }
            (Action::Retreat(b, t), _) if !face_up(b) => {
                format!("{} retreats {} > {}", which(b), from(b), town(t))
            }
            _ => return Some(crate::action::write(&self.components, action)),
        };
        Some(Notation::new(text))
    }

    /// Deals anew what the view does not fix.
    pub(crate) fn dream(&self, view: &View, lots: &mut Lots) -> Position {
        let mut p = Position::empty(&self.components, view.table);
        p.year = view.year;
        p.turn = view.turn;
        p.first = view.first;
        p.printed = view.printed;
        p.cards = view.cards;
        p.last = view.last;
        p.played = view.played;
        p.guide = view.guide;
        p.jihad = view.jihad;
        p.campaign = view.campaign;
        p.used.copy_from_slice(&view.used);
        p.entered = view.entered;
        p.attacked = view.attacked;
        p.pending = view.pending;
        p.to_fight = view.to_fight;
        p.battle = view.battle;
        p.result = view.result;
        p.seen.copy_from_slice(&view.seen);
        p.known = view.known;
        p.starved = view.starved;
        p.gains.copy_from_slice(&view.gains);
        p.done = view.done;
        for seen in &view.blocks {
            self.fill_slot(&mut p, seen.block, &seen.slot, seen.strength);
            if seen.shown {
                p.shown |= one(seen.block);
            }
        }
        for (b, slot) in &view.suspects {
            self.fill_slot(&mut p, *b, slot, self.last_strength(view, *b));
        }
        let located: Set = view.blocks.iter().map(|s| one(s.block)).fold(0, |a, b| a | b)
            | view.suspects.iter().map(|(b, _)| one(*b)).fold(0, |a, b| a | b);
        for seat in [FRANK, SARACEN].into_iter().filter(|s| !view.shares(*s)) {
            self.dream_side(&mut p, view, seat, self.of(seat) & !located, lots);
        }
        p.board = view.board;
        p.pooled = view.pooled;
        self.dream_hands(&mut p, view, lots);
        self.dream_steps(&mut p, view, lots);
        p
    }

    fn last_strength(&self, view: &View, b: u8) -> u8 {
        match view.seen[usize::from(b)] {
            0 => self.components.blocks[usize::from(b)].steps,
            seen => seen,
        }
    }

    fn fill_slot(&self, p: &mut Position, b: u8, slot: &Slot, strength: u8) {
        let (i, bit) = (usize::from(b), one(b));
        p.town[i] = slot.town;
        p.strength[i] = strength;
        p.via[i] = slot.via;
        p.token[i] = slot.token;
        if slot.town < POOL {
            p.here[usize::from(slot.town)] |= bit;
        }
        for (set, on) in [
            (&mut p.inside, slot.inside),
            (&mut p.second, slot.arrival == 2),
            (&mut p.third, slot.arrival == 3),
            (&mut p.moved, slot.moved),
            (&mut p.marched, slot.marched),
        ] {
            *set |= if on { bit } else { 0 };
        }
    }

    /// Puts a side's hidden blocks into its hidden places, its pool and its hand.
    fn dream_side(&self, p: &mut Position, view: &View, seat: Seat, blocks: Set, lots: &mut Lots) {
        let slots: Vec<&Slot> = view.hidden.iter().filter(|s| s.owner == seat).collect();
        let mut standing: Vec<u8> = each(blocks & view.board).collect();
        let mut either: Vec<u8> = each(blocks & !view.board & !view.pooled).collect();
        lots.shuffle(&mut either);
        while standing.len() < slots.len() {
            match either.pop() {
                Some(b) => standing.push(b),
                None => break,
            }
        }
        lots.shuffle(&mut standing);
        for (b, slot) in standing.iter().zip(slots) {
            self.fill_slot(p, *b, slot, self.last_strength(view, *b));
        }
        if view.steps.iter().any(|s| matches!(s, Step::Place { seat: s, .. } if *s == seat))
            && let Some(b) = either.pop()
        {
            p.town[usize::from(b)] = HAND;
        }
    }

    /// Deals hidden hands from the cards that the viewer has not seen.
    fn dream_hands(&self, p: &mut Position, view: &View, lots: &mut Lots) {
        let mut left: Vec<u8> = Vec::new();
        for k in 0..KINDS {
            let gone: u8 = (0..2).map(|i| view.played[i][k] + view.hands[i].map_or(0, |hand| hand[k])).sum();
            left.extend(std::iter::repeat_n(
                k as u8,
                usize::from(self.components.deck[k].saturating_sub(gone)),
            ));
        }
        lots.shuffle(&mut left);
        for i in 0..2 {
            p.hands[i] = view.hands[i].unwrap_or_else(|| {
                let mut hand = [0; KINDS];
                for _ in 0..view.hand_sizes[i] {
                    if let Some(card) = left.pop() {
                        hand[usize::from(card)] += 1;
                    }
                }
                hand
            });
        }
    }

    fn dream_steps(&self, p: &mut Position, view: &View, lots: &mut Lots) {
        for step in &view.steps {
            let step = match *step {
                Step::Cards { mut chosen } => {
                    for (i, card) in chosen.iter_mut().enumerate() {
                        if *card == NONE && !view.deciding.contains(Seat::new(i as u8)) {
                            let hand: Vec<u8> = (0..KINDS as u8)
                                .filter(|k| p.hands[i][usize::from(*k)] > 0)
                                .filter(|k| *k != crate::data::kind::INTRIGUE || p.turn > 1)
                                .collect();
                            *card = lots.pick(&hand).unwrap_or(0);
                        }
                    }
                    Step::Cards { chosen }
                }
                Step::Place { seat, block: NONE } => {
                    let drawn = each(self.of(seat)).find(|b| p.town[usize::from(*b)] == HAND);
                    Step::Place { seat, block: drawn.unwrap_or(NONE) }
                }
                open => open,
            };
            p.agenda.push(step);
        }
    }
}
