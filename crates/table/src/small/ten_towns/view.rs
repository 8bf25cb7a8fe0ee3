//! What a seat of Ten Towns may know, and the positions it cannot tell from the true one.
//!
//! Open to all: who holds what, how many blocks stand where and whether they have moved, the roster (which
//! blocks live, at what strength), cards played, gold, spent tokens. Hidden: which block stands where while
//! it is face down, the card or bid chosen in secret, the token.

use serde::Serialize;

use super::TenTowns;
use super::data::{BLOCKS, TOWNS};
use super::position::{Position, Step, Token};
use crate::{Lots, Seat, SeatSet, Viewer};

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    pub(super) viewer: Viewer,
    pub(super) turn: u8,
    pub(super) holder: [Option<Seat>; TOWNS],
    pub(super) hands: [[u8; 3]; 2],
    pub(super) gold: [u8; 2],
    pub(super) spent: [bool; 2],
    /// The strength of every block, wherever it stands.
    pub(super) roster: [u8; BLOCKS],
    /// Where the blocks are that the viewer can tell from each other.
    pub(super) known: Vec<KnownBlock>,
    /// The others: whose, where, moved or not; sorted, so that their order tells nothing.
    pub(super) hidden: Vec<HiddenBlock>,
    pub(super) own_token: Option<Token>,
    /// Both tokens, for one who knows everything.
    pub(super) all_tokens: Option<[Token; 2]>,
    pub(super) deciding: SeatSet,
    /// What is going on, with the secret choices of others left out.
    pub(super) steps: Vec<Step>,
    pub(super) over: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct KnownBlock {
    pub(super) block: u8,
    pub(super) town: u8,
    pub(super) moved: bool,
    pub(super) fired: bool,
    pub(super) shown: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub(super) struct HiddenBlock {
    pub(super) owner: Seat,
    pub(super) town: u8,
    pub(super) moved: bool,
}

impl TenTowns {
    pub(super) fn look(&self, p: &Position, viewer: Viewer) -> View {
        let over = p.agenda.is_empty();
        let open = over || viewer == Viewer::Umpire;
        let sees = |seat: Seat| open || viewer == Viewer::Seat(seat);
        let (mut known, mut hidden) = (Vec::new(), Vec::new());
        for (b, block) in p.blocks.iter().enumerate() {
            let Some(town) = block.town else { continue };
            let owner = self.side(b);
            if block.shown || sees(owner) {
                let (moved, fired, shown) = (block.moved, block.fired, block.shown);
                known.push(KnownBlock { block: b as u8, town, moved, fired, shown });
            } else {
                hidden.push(HiddenBlock { owner, town, moved: block.moved });
            }
        }
        hidden.sort_unstable();
        let masked = |choices: [Option<u8>; 2]| {
            std::array::from_fn(|i| choices[i].filter(|_| sees(Seat::new(i as u8))))
        };
        let steps = p.agenda.steps().iter().map(|step| match *step {
            Step::Cards { chosen } => Step::Cards { chosen: masked(chosen) },
            Step::Bids { bids, card } => Step::Bids { bids: masked(bids), card },
            open => open,
        });
        View {
            viewer,
            turn: p.turn,
            holder: p.holder,
            hands: p.hands,
            gold: p.gold,
            spent: p.spent,
            roster: p.blocks.map(|b| b.strength),
            known,
            hidden,
            own_token: viewer.seat().map(|s| p.tokens[s.index()]),
            all_tokens: open.then_some(p.tokens),
            deciding: self.who_decides(p),
            steps: steps.collect(),
            over,
        }
    }

    /// Deals anew what the view does not fix.
    pub(super) fn dream(&self, view: &View, lots: &mut Lots) -> Position {
        let mut p = Position::start(&self.components);
        p.turn = view.turn;
        p.holder = view.holder;
        p.hands = view.hands;
        p.gold = view.gold;
        p.spent = view.spent;
        for (b, block) in p.blocks.iter_mut().enumerate() {
            block.strength = view.roster[b];
            block.town = None;
        }
        for known in &view.known {
            let block = &mut p.blocks[usize::from(known.block)];
            block.town = Some(known.town);
            (block.moved, block.fired, block.shown) = (known.moved, known.fired, known.shown);
        }
        for seat in [Seat::new(0), Seat::new(1)] {
            let placeless =
                |b: &usize| self.side(*b) == seat && p.blocks[*b].strength > 0 && p.blocks[*b].town.is_none();
            let mut blocks: Vec<usize> = (0..BLOCKS).filter(placeless).collect();
            lots.shuffle(&mut blocks);
            for (b, hidden) in blocks.into_iter().zip(view.hidden.iter().filter(|h| h.owner == seat)) {
                p.blocks[b].town = Some(hidden.town);
                p.blocks[b].moved = hidden.moved;
            }
            let token = if lots.below(2) == 0 { Token::Ambush } else { Token::Feint };
            p.tokens[seat.index()] = match (view.all_tokens, view.own_token) {
                (Some(tokens), _) => tokens[seat.index()],
                (None, Some(own)) if view.viewer == Viewer::Seat(seat) => own,
                // A token that was played was the ambush.
                _ if view.spent[seat.index()] => Token::Ambush,
                _ => token,
            };
        }
        p.agenda = Default::default();
        for step in &view.steps {
            let mut fill = |mut choices: [Option<u8>; 2], any: &mut dyn FnMut(usize, &mut Lots) -> u8| {
                for (i, choice) in choices.iter_mut().enumerate() {
                    if choice.is_none() && !view.deciding.contains(Seat::new(i as u8)) {
                        *choice = Some(any(i, lots));
                    }
                }
                choices
            };
            p.agenda.push(match *step {
                Step::Cards { chosen } => Step::Cards {
                    chosen: fill(chosen, &mut |i, lots| {
                        let left: Vec<u8> = (0..3).filter(|c| view.hands[i][usize::from(*c)] > 0).collect();
                        lots.pick(&left).unwrap_or(0)
                    }),
                },
                Step::Bids { bids, card } => Step::Bids {
                    bids: fill(bids, &mut |i, lots| lots.below(u32::from(view.gold[i]) + 1) as u8),
                    card,
                },
                open => open,
            });
        }
        p
    }
}
