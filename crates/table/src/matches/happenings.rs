//! What happened since a viewer last decided, on his boards: arrows of what moved, rings where something fell,
//! the dice that were thrown last.
//!
//! All of it comes from lines of the journal that he may read, so it tells him nothing that they do not.

use super::Match;
use crate::game::Game;
use crate::journal::Happening;
use crate::record::{By, Deed};
use crate::scene::{Fall, Scene, Throw, Trace};
use crate::seat::Viewer;

/// How many entries back dice are looked for.
const DICE_STAY: usize = 12;

impl<G: Game> Match<G> {
    /// Puts on a scene what happened since its viewer last decided.
    pub(super) fn show_happenings(&self, viewer: Viewer, scene: &mut Scene) {
        let reader =
            if viewer == Viewer::Umpire && self.outcome().is_none() { Viewer::Observer } else { viewer };
        for entry in self.since_decided(viewer)..self.entries.len() {
            for happening in self.happened(entry, reader) {
                match happening {
                    // What he did himself he knows.
                    Happening::Moved(trace) if trace.owner.is_none() || trace.owner != viewer.seat() => {
                        add_trace(scene, trace);
                    }
                    Happening::Fell(fall) => add_fall(scene, fall),
                    Happening::Moved(_) | Happening::Threw(_) | Happening::Rolled(_) => {}
                }
            }
        }
        self.show_dice(reader, scene);
    }

    /// The first entry that a viewer is shown: his own last decision, in which others may have answered. For who
    /// decides nothing, the first of those that the last who decided has made in a row.
    fn since_decided(&self, viewer: Viewer) -> usize {
        let mut first = self.entries.len();
        let mut last = None;
        for (i, deed) in self.entries.iter().enumerate().rev() {
            let Deed::Act { seat, by, .. } = deed else { break };
            // What a viewer saw nothing of draws no line for him.
            if !self.marks.get(i).is_some_and(|mark| mark.seen.includes(viewer)) {
                continue;
            }
            match viewer.seat() {
                Some(own) if own == *seat && *by == By::Hand => return i,
                Some(_) => {}
                None if last.is_some_and(|last| last != *seat) => break,
                None => last = Some(*seat),
            }
            first = i;
        }
        first
    }

    /// What an entry showed to a viewer.
    fn happened(&self, entry: usize, viewer: Viewer) -> impl Iterator<Item = &Happening> {
        let notes = self.journal.notes();
        let end = self.marks.get(entry + 1).map_or(notes.len(), |mark| mark.told);
        let told = self.marks.get(entry).map_or(end, |mark| mark.told);
        notes[told.min(end)..end].iter().filter(move |n| n.readers.include(viewer)).flat_map(|n| &n.shown)
    }

    /// Dice stay on the table until the next are thrown, as long as the place is there where they lie.
    fn show_dice(&self, reader: Viewer, scene: &mut Scene) {
        // Only what he saw counts: how many entries were hidden from him must not tell.
        let seen = |i: &usize| {
            self.marks.get(*i).is_some_and(|mark| mark.seen.includes(reader))
                || self.happened(*i, reader).next().is_some()
        };
        for (ago, entry) in (0..self.entries.len()).rev().filter(seen).take(DICE_STAY).enumerate() {
            if matches!(self.entries[entry], Deed::TakeBack { .. }) {
                return;
            }
            let dice = self.happened(entry, reader).filter_map(|h| match h {
                Happening::Threw(throw) => Some(throw.clone()),
                Happening::Moved(_) | Happening::Fell(_) | Happening::Rolled(_) => None,
            });
            let mut dice: Vec<Throw> = dice.collect();
            if dice.is_empty() {
                continue;
            }
            let there = |id: &String| scene.boards.iter().any(|b| b.space(id).is_some());
            for throw in &mut dice {
                throw.space = throw.space.take().filter(there);
            }
            // The cloth on a board holds one throw: the last.
            let on_board = dice.iter().rposition(|t| t.space.is_some());
            for (i, throw) in dice.into_iter().enumerate() {
                if Some(i) == on_board || (throw.space.is_none() && ago == 0) {
                    scene.throws.push(throw);
                }
            }
            return;
        }
    }
}

fn add_trace(scene: &mut Scene, trace: &Trace) {
    let board =
        scene.boards.iter_mut().find(|b| b.space(&trace.from).is_some() && b.space(&trace.to).is_some());
    let Some(board) = board.filter(|_| trace.from != trace.to) else { return };
    let same = |t: &&mut Trace| {
        (&t.from, &t.to, t.owner, t.manner) == (&trace.from, &trace.to, trace.owner, trace.manner)
    };
    match board.traces.iter_mut().find(same) {
        Some(known) => known.count += trace.count,
        None => board.traces.push(trace.clone()),
    }
}

fn add_fall(scene: &mut Scene, fall: &Fall) {
    let Some(board) = scene.boards.iter_mut().find(|b| b.space(&fall.space).is_some()) else { return };
    match board.falls.iter_mut().find(|f| (&f.space, f.owner) == (&fall.space, fall.owner)) {
        Some(known) => known.count += fall.count,
        None => board.falls.push(fall.clone()),
    }
}
