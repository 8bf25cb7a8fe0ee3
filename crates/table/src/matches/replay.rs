//! How a record becomes a match again: every action checked, and every die where the seed is known.

use std::sync::Arc;

use super::{Match, ReplayError, shortened};
use crate::dice::{DiceKey, Nonces, Seed};
use crate::game::Game;
use crate::record::{Deed, Record, RecordEntry};
use crate::umpire::{Chance, Retold, Scribe};

impl<G: Game> Match<G> {
    /// Plays a record again, all of it or up to an entry. Every action is checked; where the record has its
    /// seed, so is every die.
    pub fn replay(game: Arc<G>, record: &Record, to: Option<u32>) -> Result<Self, ReplayError> {
        Self::retrace(game, record, to, &mut |_| {})
    }

    /// The same, looking at the match after its set-up and after every entry: who wants to see many moments of a
    /// game plays it again once. What is seen on the way has not counted the seats' decisions.
    pub fn retrace(
        game: Arc<G>,
        record: &Record,
        to: Option<u32>,
        look: &mut dyn FnMut(&Self),
    ) -> Result<Self, ReplayError> {
        let at = |line: usize, entry: u32, what: String| ReplayError {
            file: record.file.clone(),
            line: line.max(1),
            entry,
            what,
        };
        let title = game.title();
        if record.game != title.id {
            let what = format!("the record is of `{}`, expected `{}`", record.game, title.id);
            return Err(at(1, 0, what));
        }
        if let Some(seed) = &record.seed
            && seed.commitment() != record.commitment
        {
            return Err(at(1, 0, "the seed is not the one that was committed to".into()));
        }
        let setup = record.set_up(title).map_err(|e| at(1, 0, e.to_string()))?;
        let mut scribe = Scribe::new(Retold::new(&record.setup));
        let start = game.setup(&setup, &mut scribe).map_err(|e| at(1, 0, e.to_string()))?;
        scribe.fate.finish().map_err(|what| at(1, 0, what))?;
        let mut this = Self::assemble(
            game.clone(),
            setup,
            record.commitment,
            record.nonces,
            record.seed.clone(),
            start,
            scribe.protocol,
        );
        this.branched_at = record.branched_at;
        this.check_dice(0, &record.setup, |fate| {
            game.setup(&this.setup, fate).map(drop).map_err(|e| e.to_string())
        })
        .map_err(|what| at(1, 0, what))?;
        look(&this);
        for entry in &record.entries {
            if to.is_some_and(|to| entry.number > to) {
                break;
            }
            this.replay_entry(entry).map_err(|what| at(entry.line, entry.number, what))?;
            look(&this);
        }
        this.count_changes(this.party);
        Ok(this)
    }

    fn replay_entry(&mut self, entry: &RecordEntry) -> Result<(), String> {
        let game = self.game.clone();
        let seat_named = |name: &str| {
            let known = || game.title().seat_names().join(", ");
            let seat = game.title().seat_named(name);
            seat.ok_or_else(|| format!("no seat is called `{name}`; the seats are {}", known()))
        };
        match &entry.deed {
            Deed::TakeBack { seat, to } => {
                let seat = seat_named(seat)?;
                if *to != 0 && !self.standing().contains(to) {
                    return Err(format!("entry {to} does not stand, so nothing can be taken back to it"));
                }
                self.take_back(seat, *to);
            }
            Deed::Act { seat, by, action: text, chance } => {
                let seat = seat_named(seat)?;
                if self.outcome().is_some() {
                    return Err("the game is already over".into());
                }
                let action =
                    game.read(text).map_err(|e| format!("cannot read `{}`: {e}", shortened(text)))?;
                if !self.party.contains(seat) {
                    let played = game.title().party_names(self.party);
                    return Err(format!(
                        "nobody plays `{}`; the seats are {played}",
                        game.title().seat_name(seat)
                    ));
                }
                self.check(&self.position, seat, action).map_err(|e| e.to_string())?;
                self.check_dice(entry.number, chance, |scribe| {
                    game.apply(&mut self.position.clone(), seat, action, scribe);
                    Ok(())
                })?;
                let seen = self.seen_by(&self.position, seat, action);
                let mut scribe = Scribe::new(Retold::new(chance));
                game.apply(&mut self.position, seat, action, &mut scribe);
                scribe.fate.finish()?;
                let taught = scribe.protocol.is_final();
                self.mark(seen, taught);
                self.journal.extend(scribe.protocol.notes);
                self.entries.push(Deed::Act { seat, by: *by, action, chance: scribe.protocol.chance });
                self.tell_take_backs();
            }
            Deed::Arrive { seat, chance } => {
                let seat = seat_named(seat)?;
                if self.party.contains(seat) || !game.latecomers(&self.position).contains(seat) {
                    return Err(format!("{} cannot join the game here", game.title().seat_name(seat)));
                }
                self.check_dice(entry.number, chance, |scribe| {
                    game.arrive(&mut self.position.clone(), seat, scribe);
                    Ok(())
                })?;
                let mut scribe = Scribe::new(Retold::new(chance));
                game.arrive(&mut self.position, seat, &mut scribe);
                scribe.fate.finish()?;
                self.note_arrival(seat, scribe.protocol);
            }
        }
        Ok(())
    }

    /// Rolls the dice of an entry again from the seed, if it is known, and compares.
    fn check_dice(
        &self,
        entry: u32,
        chance: &[Chance],
        play: impl FnOnce(&mut Scribe<crate::dice::DiceStream>) -> Result<(), String>,
    ) -> Result<(), String> {
        let Some(key) = &self.key else { return Ok(()) };
        if chance.is_empty() || self.branched_at.is_some_and(|at| entry <= at) {
            return Ok(());
        }
        let mut scribe = Scribe::new(key.stream(self.take_backs, entry));
        play(&mut scribe)?;
        let show = |chance: &[Chance]| chance.iter().map(Chance::to_string).collect::<Vec<_>>().join(" ");
        let (noted, honest) = (show(chance), show(&scribe.protocol.chance));
        if noted == honest {
            Ok(())
        } else {
            Err(format!("the record says `{noted}`, the seed says `{honest}`"))
        }
    }

    /// A new match that begins where entry `to` of this one ended, with dice of its own.
    pub fn branch(&self, to: u32, seed: Seed) -> Result<Self, ReplayError> {
        let mut record = self.record(false);
        record.entries.truncate(to as usize);
        let mut branch = Self::replay(self.game.clone(), &record, None)?;
        branch.commitment = seed.commitment();
        branch.nonces = Nonces::default();
        branch.key = Some(DiceKey::new(&seed, &branch.nonces));
        branch.seed = Some(seed);
        branch.branched_at = Some(to);
        branch.settle();
        branch.count_changes(branch.party);
        Ok(branch)
    }
}
