//! What a seat may know, and the positions it cannot tell from the true one.
//!
//! Open to all: who stands where in what number, face-up blocks, cards played, dead blocks, crusaders over
//! the sea, how many blocks lie in a pool. Hidden: which block stands where and how strong it is, hands,
//! cards chosen in secret, blocks picked and not yet declared, winter choices until both are made.
//!
//! What everybody may lawfully remember is part of it: a block that was seen, its strength then, and where
//! it went as long as nothing could have been confused with it; that a stack holds it, until a hidden block
//! leaves that stack, and then that each of them is one of those who stood there; that who marched far is none of the slow;
//! and which blocks are certain to be on the map or in the pool.

use std::cmp::Ordering;

use serde::Serialize;
use table::{Lots, Map, Notation, Rules, Seat, SeatSet, Secrets, Set, Viewer, Written};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{BOTH, Block, Card, Mark, Nation, Place, Sides, Town, Way};
use crate::position::{March, Open, Position, Secret, Step, TableRules};

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    pub(crate) viewer: Viewer,
    /// Whether nothing is hidden from this viewer.
    pub(crate) sees_all: bool,
    /// What everybody may know.
    pub(crate) open: Open,
    /// What only a side may know, where the viewer shares it.
    pub(crate) secret: Sides<Option<Secret>>,
    pub(crate) hand_sizes: Sides<u8>,
    /// The blocks under way, for their own side.
    pub(crate) march: March,
    /// Blocks that the viewer sees.
    pub(crate) blocks: Vec<SeenBlock>,
    /// Hidden blocks that he knows of, with their places.
    pub(crate) suspects: Vec<(Block, Slot)>,
    /// Other hidden blocks: their places, sorted, so that their order tells nothing.
    pub(crate) hidden: Vec<Slot>,
    /// Blocks face-down in each pool.
    pub(crate) pools: Sides<u8>,
    pub(crate) deciding: SeatSet,
}

/// A place where a block stands, and what is open about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Slot {
    pub(crate) owner: Seat,
    pub(crate) place: Place,
    pub(crate) inside: bool,
    /// The round in which it arrives, if it is not there yet.
    pub(crate) arrival: Option<u8>,
    pub(crate) moved: bool,
    pub(crate) marched: bool,
    pub(crate) landed: bool,
    pub(crate) via: Option<Way>,
    pub(crate) left: Option<Town>,
    pub(crate) origin: Option<Town>,
    /// The blocks of which everybody knows it to be.
    pub(crate) among: Set<Block>,
    pub(crate) mark: Option<Mark>,
}

impl Ord for Slot {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |s: &Self| {
            let state = (s.inside, s.arrival, s.moved, s.marched, s.landed);
            (s.owner, s.place, state, s.via, s.left, s.origin, s.mark)
        };
        key(self).cmp(&key(other)).then_with(|| self.among.iter().cmp(other.among.iter()))
    }
}

impl PartialOrd for Slot {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A block that the viewer sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SeenBlock {
    pub(crate) block: Block,
    pub(crate) strength: u8,
    pub(crate) slot: Slot,
}

impl View {
    /// Whether the viewer sees what only this side may know.
    pub(crate) fn shares(&self, seat: Seat) -> bool {
        self.sees_all || self.viewer.shares(seat)
    }

    /// What is to be decided.
    pub(crate) fn step(&self) -> Option<&Step> {
        self.open.agenda.now()
    }

    /// The blocks that a hidden one may be, for this viewer: those of whom everybody knows it to be, without those whom he
    /// sees elsewhere.
    pub(crate) fn possible(&self, slot: &Slot) -> Set<Block> {
        let elsewhere = self.blocks.iter().map(|seen| seen.block);
        slot.among - elsewhere.chain(self.suspects.iter().map(|(b, _)| *b)).collect()
    }

    /// Blocks that the viewer sees picked for something that is not declared yet.
    pub(crate) fn picked(&self) -> Set<Block> {
        self.secret.0.iter().flatten().fold(Set::NONE, |all, secret| all | secret.picked)
    }

    /// The block that is to sail, if the viewer may know.
    pub(crate) fn sailing(&self) -> Option<Block> {
        self.secret.0.iter().flatten().find_map(|secret| secret.sailing)
    }

    /// The block that was drawn and is to be placed, if the viewer may know.
    pub(crate) fn drawn(&self) -> Option<Block> {
        self.secret.0.iter().flatten().find_map(|secret| secret.drawn)
    }
}

impl Secrets for CrusaderRex {
    type View = View;

    fn view(&self, p: &Position, viewer: Viewer) -> View {
        let sees_all = p.open.result.is_some() || viewer == Viewer::Umpire;
        let sees = |seat: Seat| sees_all || viewer.shares(seat);
        let (mut blocks, mut suspects, mut hidden) = (Vec::new(), Vec::new(), Vec::new());
        let mut pools = Sides::both(0);
        for b in BOTH.into_iter().flat_map(|seat| self.of(seat)) {
            let (owner, place) = (self.owner(b), p.place[b]);
            pools[owner] += u8::from(place == Place::Pool);
            let lies_open = matches!(place, Place::Dead | Place::Gone | Place::Staging);
            if sees(owner) || p.open.shown.has(b) || lies_open {
                blocks.push(SeenBlock { block: b, strength: p.strength[b], slot: self.slot(p, b) });
            } else if place.is_town() && p.open.known.has(b) {
                suspects.push((b, self.slot(p, b)));
            } else if place.is_town() {
                hidden.push(self.slot(p, b));
            }
        }
        hidden.sort_unstable();
        View {
            viewer,
            sees_all,
            open: p.open.clone(),
            secret: Sides::new(|seat| sees(seat).then_some(p.secret[seat])),
            hand_sizes: Sides::new(|seat| p.secret[seat].hand.values().iter().sum()),
            march: match p.open.agenda.now() {
                Some(Step::Moves { seat, .. }) if sees(*seat) => p.march,
                _ => March::default(),
            },
            blocks,
            suspects,
            hidden,
            pools,
            deciding: self.deciding(p),
        }
    }

    fn seen(&self, p: &Position, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        if viewer.shares(seat) {
            return Some(self.write(action));
        }
        let town = |t: Town| self.components.town_name(t);
        let from = |b: Block| p.town(b).map_or("over the sea", town);
        let face_up = |b: Block| p.open.shown.has(b) || p.place[b] == Place::Staging;
        // All see which of the hidden blocks have moved, and which still come as reserves.
        let which = |b: Block| {
            let moved = if p.moved.has(b) { "moved " } else { "" };
            let reserve = match (p.second.has(b), p.third.has(b)) {
                (true, _) => " of round 2",
                (_, true) => " of round 3",
                _ => "",
            };
            format!("a {moved}block{reserve}")
        };
        let text = match (action, p.open.agenda.now()) {
            (Action::Play(_), Some(Step::Cards { chosen })) if !chosen.contains(seat.other()) => {
                return None;
            }
            (_, Some(Step::Winter)) => {
                return (action == Action::Done).then(|| Notation::new("done with winter"));
            }
            (_, Some(Step::FaceUp { seat, town })) => {
                let shown = self.face_up(p, *seat, *town, action).first();
                format!("shows {}", shown.map_or("nobody", |b| self.components.block_name(b)))
            }
            (Action::Pick(_) | Action::Sail(_), _) => return None,
            (_, Some(Step::Exchange)) => "settles Saladin's place".to_string(),
            (Action::Seat(b, t), _) => format!("a block shifts from {} to {}", from(b), town(t)),
            (Action::Bless(b), _) if !face_up(b) => format!("a block in {} gains a step", from(b)),
            (Action::Go(b, t), _) if p.march.under_way.has(b) => {
                // Who is known is followed, all see where the others set out, and a block on a forced march bears
                // a die.
                let who = match p.left[b] {
                    Some(home) if !p.open.known.has(b) => format!("a block of {}", town(home)),
                    _ => self.components.block_name(b).to_string(),
                };
                let forced = p.march.gone[b] >= self.components.blocks[b].moves;
                let how = if forced { "sets out on a forced march" } else { "goes on" };
                format!("{who} {how} from {} to {}", from(b), town(t))
            }
            (Action::Go(b, t), _) if !face_up(b) => format!("a block goes from {} to {}", from(b), town(t)),
            (Action::Land(t) | Action::Assault(t), _) => {
                let verb = if matches!(action, Action::Land(_)) { "sails" } else { "attacks by sea" };
                match p.secret[seat].sailing {
                    Some(b) if face_up(b) => {
                        format!("{} {verb} to {}", self.components.block_name(b), town(t))
                    }
                    Some(b) => format!("a block {verb} from {} to {}", from(b), town(t)),
                    None => return Some(self.write(action)),
                }
            }
            (Action::Regroup(b, t), _) if !face_up(b) => {
                format!("{} regroups from {} to {}", which(b), from(b), town(t))
            }
            (Action::Retreat(b, t), _) if !face_up(b) => {
                format!("{} retreats from {} to {}", which(b), from(b), town(t))
            }
            _ => return Some(self.write(action)),
        };
        Some(Notation::new(text))
    }

    /// Deals anew what the view does not fix.
    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        let mut p = Position::empty(&self.components, view.open.table);
        p.open = view.open.clone();
        p.march = view.march;
        for seen in &view.blocks {
            self.fill_slot(&mut p, seen.block, &seen.slot, seen.strength);
        }
        for (b, slot) in &view.suspects {
            self.fill_slot(&mut p, *b, slot, self.last_strength(view, *b));
        }
        let located: Set<Block> =
            view.blocks.iter().map(|seen| seen.block).chain(view.suspects.iter().map(|(b, _)| *b)).collect();
        for seat in BOTH {
            match view.secret[seat] {
                Some(secret) => p.secret[seat] = secret,
                None => self.imagine_side(&mut p, view, seat, self.of(seat) - located, lots),
            }
        }
        self.imagine_cards(&mut p, view, lots);
        p
    }
}

impl CrusaderRex {
    fn slot(&self, p: &Position, b: Block) -> Slot {
        Slot {
            owner: self.owner(b),
            place: p.place[b],
            inside: p.inside.has(b),
            arrival: match (p.second.has(b), p.third.has(b)) {
                (true, _) => Some(2),
                (_, true) => Some(3),
                _ => None,
            },
            moved: p.moved.has(b),
            marched: p.marched.has(b),
            landed: p.landed.has(b),
            via: p.via[b],
            left: p.left[b],
            origin: p.origin[b],
            among: self.among(p, b),
            mark: p.mark[b],
        }
    }

    fn last_strength(&self, view: &View, b: Block) -> u8 {
        view.open.seen[b].unwrap_or(self.components.blocks[b].steps)
    }

    fn fill_slot(&self, p: &mut Position, b: Block, slot: &Slot, strength: u8) {
        p.place[b] = slot.place;
        p.strength[b] = strength;
        p.via[b] = slot.via;
        p.left[b] = slot.left;
        p.origin[b] = slot.origin;
        self.know_among(p, b, slot.among);
        p.mark[b] = slot.mark;
        if let Place::Town(t) = slot.place {
            p.here[t].insert(b);
        }
        for (set, on) in [
            (&mut p.inside, slot.inside),
            (&mut p.second, slot.arrival == Some(2)),
            (&mut p.third, slot.arrival == Some(3)),
            (&mut p.moved, slot.moved),
            (&mut p.marched, slot.marched),
            (&mut p.landed, slot.landed),
        ] {
            if on {
                set.insert(b);
            }
        }
    }

    /// The blocks that may stand in a hidden place, as far as everybody knows: those of whom this one was seen to be,
    /// only the English after an attack by sea, and only those who can march as far as it has.
    fn fitting(&self, table: &TableRules, slot: &Slot) -> Set<Block> {
        let by_sea = slot.landed || slot.via == Some(Way::Sea);
        let sailed = if by_sea { self.components.nations[Nation::English] } else { Set::all() };
        let marched = self.so_far(table, slot.left, slot.place).unwrap_or(Set::all());
        slot.among & sailed & marched
    }

    /// Puts a side's hidden blocks into its hidden places, its pool and its hand.
    fn imagine_side(&self, p: &mut Position, view: &View, seat: Seat, blocks: Set<Block>, lots: &mut Lots) {
        let mut slots: Vec<&Slot> = view.hidden.iter().filter(|s| s.owner == seat).collect();
        let mut standing: Vec<Block> = (blocks & view.open.board).iter().collect();
        let mut either: Vec<Block> = (blocks - view.open.board - view.open.pooled).iter().collect();
        lots.shuffle(&mut slots);
        lots.shuffle(&mut standing);
        lots.shuffle(&mut either);
        let mut seating = Seating {
            fits: slots.iter().map(|slot| self.fitting(&view.open.table, slot)).collect(),
            holds: vec![None; slots.len()],
            places: Vec::new(),
            blocks: Set::NONE,
        };
        // First all who are certain to be on the map, then whoever else may be.
        for b in &standing {
            seating.seat(*b);
        }
        let mut everybody = either.clone();
        everybody.extend(&standing);
        for place in 0..slots.len() {
            if seating.holds[place].is_none() {
                seating.fill(place, &everybody);
            }
        }
        for (b, slot) in seating.holds.iter().zip(&slots) {
            if let Some(b) = b {
                self.fill_slot(p, *b, slot, self.last_strength(view, *b));
            }
        }
        either.retain(|b| !seating.holds.contains(&Some(*b)));
        if view.open.agenda.steps().contains(&Step::Place { seat })
            && let Some(b) = either.pop()
        {
            p.place[b] = Place::Hand;
            p.secret[seat].drawn = Some(b);
        }
    }

    /// Deals hidden hands from the cards that the viewer has not seen, and chooses for those who have chosen.
    fn imagine_cards(&self, p: &mut Position, view: &View, lots: &mut Lots) {
        let held = |card: Card| -> u8 {
            let own = view.secret.0.iter().flatten().map(|secret| secret.hand[card]);
            own.chain(view.open.played.0.iter().map(|played| played[card])).sum()
        };
        let mut left: Vec<Card> = Vec::new();
        for (card, count) in self.components.deck.iter() {
            left.extend(std::iter::repeat_n(card, usize::from(count.saturating_sub(held(card)))));
        }
        lots.shuffle(&mut left);
        for seat in BOTH.into_iter().filter(|seat| view.secret[*seat].is_none()) {
            let mut hand = Map::filled(0);
            for _ in 0..view.hand_sizes[seat] {
                if let Some(card) = left.pop() {
                    hand[card] += 1;
                }
            }
            p.secret[seat].hand = hand;
            if let Some(Step::Cards { chosen }) = view.step()
                && chosen.contains(seat)
            {
                let playable =
                    |card: &Card| hand[*card] > 0 && (*card != Card::Intrigue || view.open.turn > 1);
                let cards: Vec<Card> = Card::ALL.into_iter().filter(playable).collect();
                p.secret[seat].chosen = Some(lots.pick(&cards).unwrap_or(Card::Move3));
            }
        }
    }
}

/// Blocks on their way into hidden places, each into one that it fits: whoever finds none makes another
/// give way.
struct Seating {
    /// The blocks that fit each place.
    fits: Vec<Set<Block>>,
    /// The block in each place.
    holds: Vec<Option<Block>>,
    /// Places, and blocks, that were looked at in this attempt.
    places: Vec<usize>,
    blocks: Set<Block>,
}

impl Seating {
    /// A place for a block.
    fn seat(&mut self, b: Block) -> bool {
        self.places.clear();
        self.find_place(b)
    }

    fn find_place(&mut self, b: Block) -> bool {
        for place in 0..self.fits.len() {
            if !self.fits[place].has(b) || self.places.contains(&place) {
                continue;
            }
            self.places.push(place);
            if self.holds[place].is_none_or(|other| self.find_place(other)) {
                self.holds[place] = Some(b);
                return true;
            }
        }
        false
    }

    /// A block for a place; nobody who has a place loses it.
    fn fill(&mut self, place: usize, blocks: &[Block]) -> bool {
        self.blocks = Set::NONE;
        self.find_block(place, blocks)
    }

    fn find_block(&mut self, place: usize, blocks: &[Block]) -> bool {
        for b in blocks {
            if !self.fits[place].has(*b) || self.blocks.has(*b) {
                continue;
            }
            self.blocks.insert(*b);
            let held = self.holds.iter().position(|holder| *holder == Some(*b));
            if held.is_none_or(|other| self.find_block(other, blocks)) {
                self.holds[place] = Some(*b);
                return true;
            }
        }
        false
    }
}
