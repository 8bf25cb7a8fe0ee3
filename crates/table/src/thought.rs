//! A player's thought: what he can do with what he knows. He imagines, tries, judges, and knows no more.
//!
//! [`Thought`] is an [`Observed`] behind an object-safe trait, so that a bot is written once and plays every
//! game. It is made from a view and its options and holds no true position: whatever a bot tries, it tries
//! in a position that [`Secrets::imagine`] made.

use std::hash::{Hash, Hasher};
use std::io;
use std::sync::Arc;

use serde::Serialize;

use crate::ballot::{Offer, Options};
use crate::dice::Lots;
use crate::game::{Game, Notation, Observed};
use crate::handle::Offered;
use crate::scene::Scene;
use crate::seat::{Seat, SeatSet, Viewer};
use crate::simulate::{Pick, choose};
use crate::title::Title;
use crate::umpire::Silent;

/// The most amounts of one range that a thought tells apart; of wider ranges it takes so many, evenly
/// spread, both ends among them.
pub const AMOUNTS: u32 = 16;

/// What a player can do with what he knows. Moves are numbered by the last list and known by keys: the same
/// action has the same key wherever it comes up.
pub trait Thought: Send + Sync {
    /// The title page of the game.
    fn title(&self) -> &Title;
    /// Whose thought it is.
    fn seat(&self) -> Seat;
    /// What the seat may do, ready to be shown.
    fn offered(&self) -> Vec<Offered>;
    /// The table as the seat sees it.
    fn scene(&self) -> Scene;
    /// What the seat may know, as JSON.
    fn view_json(&self) -> serde_json::Value;
    /// The keys of what the seat may choose and should consider, every amount of a range on its own.
    fn choices(&self) -> &[u64];
    /// The notation of a choice.
    fn notation(&self, choice: usize) -> Notation;
    /// What a simple player would choose.
    fn pick(&self, pick: Pick, lots: &mut Lots) -> Notation;
    /// A number that stands for what the seat knows: views that are equal have equal numbers.
    fn print(&self) -> u64;

    /// Whether an old hand would decide this without thinking.
    fn is_routine(&self) -> bool;

    /// Imagines a position that the seat cannot tell from the true one. It becomes the present one.
    fn imagine(&mut self, lots: &mut Lots);
    /// Who must decide in the present position.
    fn deciding(&self) -> SeatSet;
    /// Who chooses together with a seat in the present position.
    fn together(&self, seat: Seat) -> SeatSet;
    /// Lists what a deciding seat may do in the present position and should consider: the keys of its moves.
    fn list(&mut self, seat: Seat) -> &[u64];
    /// Plays a move of the last list.
    fn play(&mut self, seat: Seat, number: usize, umpire: &mut Silent);
    /// Plays on by habit, with at most so many moves, until the present position is at rest and so many
    /// decisions at rest have been made at random.
    fn settle(&mut self, most: u16, beyond: u16, umpire: &mut Silent, lots: &mut Lots);
    /// What the thinker would see of a move of the last list, as a key.
    fn seen(&self, seat: Seat, number: usize) -> u64;
    /// What the present position is worth to a seat: the result if it is over, the game's appraisal if not.
    fn worth(&self, seat: Seat) -> f32;
    /// The [`print`](Self::print) that the seat would have in the present position.
    fn present_print(&self) -> u64;
    /// Remembers the present position, in the place of the one remembered before.
    fn keep(&mut self);
    /// Goes back to the position last remembered.
    fn back(&mut self);
    /// Another thought of the same.
    fn boxed_clone(&self) -> Box<dyn Thought>;
}

/// The thought of a seat in a game.
#[derive(Debug)]
pub struct Mind<G: Game> {
    game: Arc<G>,
    observed: Observed<G>,
    choices: Moves<G::Action>,
    present: G::Position,
    kept: G::Position,
    options: Options<G::Action>,
    listed: Moves<G::Action>,
}

/// Moves and their keys.
#[derive(Clone, Debug)]
struct Moves<A> {
    actions: Vec<A>,
    keys: Vec<u64>,
}

impl<A: Copy + Hash> Moves<A> {
    fn new() -> Self {
        Self { actions: Vec::with_capacity(64), keys: Vec::with_capacity(64) }
    }

    /// Takes those of these offers that should be considered instead of those it had, ranges taken apart.
    fn take<G: Game<Action = A>>(
        &mut self,
        game: &G,
        position: &G::Position,
        seat: Seat,
        offers: &[Offer<A>],
    ) {
        let considered = |offer: &&Offer<A>| game.considered(position, seat, offer.action);
        self.add_all(game, offers.iter().filter(considered));
        if self.actions.is_empty() {
            self.add_all(game, offers.iter());
        }
    }

    fn add_all<'a, G: Game<Action = A>>(&mut self, game: &G, offers: impl Iterator<Item = &'a Offer<A>>)
    where
        A: 'a,
    {
        self.actions.clear();
        self.keys.clear();
        for offer in offers {
            match offer.range {
                None => self.add(offer.action),
                Some((least, most)) => {
                    let steps = (most - least).min(AMOUNTS - 1);
                    for step in 0..=steps {
                        let share = u64::from(most - least) * u64::from(step) / u64::from(steps.max(1));
                        self.add(game.with_amount(offer.action, least + share as u32));
                    }
                }
            }
        }
    }

    fn add(&mut self, action: A) {
        self.actions.push(action);
        self.keys.push(key(&action));
    }
}

impl<G: Game> Mind<G> {
    /// The thought of one who has observed this.
    pub fn new(game: Arc<G>, observed: Observed<G>) -> Self {
        let present = game.imagine(&observed.view, &mut Lots::new(0));
        let mut choices = Moves::new();
        choices.take(&*game, &present, observed.seat, &observed.offers);
        Self {
            kept: present.clone(),
            present,
            choices,
            options: Options::new(),
            listed: Moves::new(),
            observed,
            game,
        }
    }
}

impl<G: Game> Clone for Mind<G> {
    fn clone(&self) -> Self {
        let Observed { seat, view, offers } = &self.observed;
        let observed = Observed { seat: *seat, view: view.clone(), offers: offers.clone() };
        Self {
            game: self.game.clone(),
            observed,
            choices: self.choices.clone(),
            present: self.present.clone(),
            kept: self.kept.clone(),
            options: Options::new(),
            listed: Moves::new(),
        }
    }
}

impl<G: Game> Thought for Mind<G> {
    fn title(&self) -> &Title {
        self.game.title()
    }
    fn seat(&self) -> Seat {
        self.observed.seat
    }
    fn offered(&self) -> Vec<Offered> {
        let offered = |offer: &Offer<G::Action>| Offered {
            notation: self.game.write(offer.action),
            choice: self.game.choice(&self.observed.view, offer.action),
            range: offer.range,
        };
        self.observed.offers.iter().map(offered).collect()
    }
    fn scene(&self) -> Scene {
        self.game.scene(&self.observed.view)
    }
    fn view_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.observed.view).unwrap_or_default()
    }
    fn choices(&self) -> &[u64] {
        &self.choices.keys
    }
    fn notation(&self, choice: usize) -> Notation {
        self.game.write(self.choices.actions[choice])
    }
    fn pick(&self, pick: Pick, lots: &mut Lots) -> Notation {
        self.game.write(choose(&*self.game, &self.observed, pick, lots))
    }
    fn print(&self) -> u64 {
        print(&self.observed.view)
    }
    fn is_routine(&self) -> bool {
        let imagined = self.game.imagine(&self.observed.view, &mut Lots::new(0));
        self.game.routine(&imagined, self.observed.seat)
    }
    fn imagine(&mut self, lots: &mut Lots) {
        self.present = self.game.imagine(&self.observed.view, lots);
    }
    fn deciding(&self) -> SeatSet {
        self.game.deciding(&self.present)
    }
    fn together(&self, seat: Seat) -> SeatSet {
        self.game.together(&self.present, seat)
    }
    fn list(&mut self, seat: Seat) -> &[u64] {
        self.options.clear();
        self.game.options(&self.present, seat, &mut self.options);
        self.listed.take(&*self.game, &self.present, seat, self.options.offers());
        &self.listed.keys
    }
    fn play(&mut self, seat: Seat, number: usize, umpire: &mut Silent) {
        self.game.apply(&mut self.present, seat, self.listed.actions[number], umpire);
    }
    fn settle(&mut self, most: u16, mut beyond: u16, umpire: &mut Silent, lots: &mut Lots) {
        for _ in 0..most {
            let Some(seat) = self.game.deciding(&self.present).lowest() else { return };
            self.options.clear();
            let habit = self.game.habit(&self.present, seat, &mut self.options, lots);
            let action = match habit {
                Some(action) => action,
                None if beyond == 0 => return,
                None => {
                    beyond -= 1;
                    self.list(seat);
                    let Some(action) = lots.pick(&self.listed.actions) else { return };
                    action
                }
            };
            self.game.apply(&mut self.present, seat, action, umpire);
        }
    }
    fn seen(&self, seat: Seat, number: usize) -> u64 {
        let viewer = Viewer::Seat(self.observed.seat);
        key(&(seat, self.game.seen(&self.present, seat, self.listed.actions[number], viewer)))
    }
    fn worth(&self, seat: Seat) -> f32 {
        match self.game.outcome(&self.present) {
            Some(outcome) if !outcome.winners.is_empty() => outcome.worth(seat),
            _ => self.game.appraise(&self.present, seat),
        }
    }
    fn present_print(&self) -> u64 {
        print(&self.game.view(&self.present, Viewer::Seat(self.observed.seat)))
    }
    fn keep(&mut self) {
        self.kept.clone_from(&self.present);
    }
    fn back(&mut self) {
        self.present.clone_from(&self.kept);
    }
    fn boxed_clone(&self) -> Box<dyn Thought> {
        Box::new(self.clone())
    }
}

/// A hasher that gives the same on every run; nothing that it makes is saved.
struct Keys(u64);

impl Keys {
    #[inline]
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Keys {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.mix(chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            self.mix(rest.iter().fold(rest.len() as u64, |word, byte| word << 8 | u64::from(*byte)));
        }
    }
    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.mix(number.into());
    }
    #[inline]
    fn write_isize(&mut self, number: isize) {
        self.mix(number as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 32
    }
}

impl io::Write for Keys {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Byte by byte: how the writer cuts its text must not matter.
        bytes.iter().for_each(|byte| self.mix((*byte).into()));
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[inline]
fn key<T: Hash>(thing: &T) -> u64 {
    let mut keys = Keys(0x51_7cc1_b727_220a);
    thing.hash(&mut keys);
    keys.finish()
}

fn print<T: Serialize>(view: &T) -> u64 {
    let mut keys = Keys(0x2545_f491_4f6c_dd1d);
    // Writing to a hasher cannot fail.
    let _ = serde_json::to_writer(&mut keys, view);
    keys.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::*;
    use crate::small::ten_towns::TenTowns;
    use crate::{Match, Nonces, Seed};

    fn mind() -> Mind<TenTowns> {
        let game = Arc::new(TenTowns::built_in());
        let setup = game.title().usual_set_up();
        let sitting = Match::open(game.clone(), setup, Seed::numbered(1), Nonces::default()).unwrap();
        Mind::new(game, sitting.observed(Seat::new(0)).unwrap())
    }

    #[test]
    fn what_is_tried_can_be_taken_back_and_looks_different_to_the_seat() {
        let mut mind = mind();
        let me = mind.seat();
        assert_eq!(mind.print(), mind.present_print(), "a twin looks the same");
        mind.keep();
        let keys = mind.list(me).to_vec();
        assert_eq!(keys, mind.choices(), "and offers the same");
        mind.play(me, 0, &mut Silent::new(1));
        assert_ne!(mind.print(), mind.present_print());
        mind.back();
        assert_eq!(mind.print(), mind.present_print());
    }

    #[test]
    fn a_secret_choice_of_the_other_looks_like_any_other() {
        let mut mind = mind();
        let other = mind.seat().other();
        assert_eq!(mind.list(other).len(), 3);
        assert_eq!(mind.seen(other, 0), mind.seen(other, 2), "a card face down");
        let own = mind.seat();
        mind.list(own);
        assert_ne!(mind.seen(own, 0), mind.seen(own, 2), "one's own card is known");
    }

    #[test]
    fn a_range_is_taken_apart_evenly_with_both_ends() {
        let game = TenTowns::built_in();
        let bid = game.read("bid 0").unwrap();
        let mut moves = Moves::new();
        moves.add_all(&game, [Offer { action: bid, range: Some((0, 5)), forced: false }].iter());
        assert_eq!(
            moves.actions.iter().map(|a| game.amount(*a)).collect::<Option<Vec<_>>>().unwrap(),
            [0, 1, 2, 3, 4, 5]
        );
        moves.add_all(&game, [Offer { action: bid, range: Some((10, 250)), forced: false }].iter());
        assert_eq!(moves.actions.len(), AMOUNTS as usize);
        assert_eq!(game.amount(moves.actions[0]), Some(10));
        assert_eq!(game.amount(moves.actions[AMOUNTS as usize - 1]), Some(250));
    }
}
