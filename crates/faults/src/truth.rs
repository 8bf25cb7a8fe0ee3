//! What the record of a table lets each viewer see after each of its entries.
//!
//! The record is read from the database when all is over and played again by the rules themselves. A viewer
//! is given what the game's views allow, so whatever a server showed must be one of these sights.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use table::{AnyGame, AnyMatch, By, DataFiles, Deed, Record, Seat, Viewer, small};

use crate::history::{Shown, sight_text};

/// A table as its database has it at the end.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its id.
    pub table: String,
    /// The game's id.
    pub game: String,
    /// The head of its record, with the seed; `None` if the game never began.
    pub head: Option<String>,
    /// The entries of its record.
    pub entries: Vec<String>,
    /// The clicks of each seat that are not in the record yet.
    pub drafts: BTreeMap<u8, Vec<String>>,
    /// Its stage.
    pub stage: String,
}

/// An entry that a player made by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByHand {
    /// The number of the entry, from 1.
    pub entry: usize,
    /// The seat.
    pub seat: u8,
    /// The action.
    pub action: String,
    /// Whether nothing else was possible: then the table may have made it, and what the table does for a seat
    /// that chooses in secret is kept like a click of the seat's own.
    pub only: bool,
    /// Whether it answers a window: it is held like a secret choice, and opened by the table's pace alone.
    pub window: bool,
}

/// In place of an action of a draft: the only one that was possible.
pub const THE_ONLY_ONE: &str = "*";

/// The truth about a table.
pub struct Truth {
    /// What its database has.
    pub kept: Kept,
    /// How many seats there are.
    pub seats: u8,
    /// The entries that players made by hand, in order.
    pub by_hand: Vec<ByHand>,
    /// The clicks of drafts that were never entered, likewise, with the number of the entry that never came.
    pub in_drafts: Vec<ByHand>,
    /// Whether the game is over after its last entry.
    pub over: bool,
    game: Arc<dyn AnyGame>,
    record: Record,
    /// By viewer (0 for an onlooker, then the seats) and number of entries: what he sees.
    sights: Vec<Vec<Shown>>,
    /// By viewer: after which entry he first knew of a piece by its name or id. Pieces that he never knew of
    /// are missing.
    known: Vec<BTreeMap<String, usize>>,
    /// All names and ids of pieces that anybody ever knew.
    marks: Vec<String>,
    /// What a draft shows to its own seat, once it has been asked for.
    drafted: std::sync::Mutex<BTreeMap<Draft, Option<Shown>>>,
}

/// A draft: its seat, after how many entries, its clicks.
type Draft = (u8, usize, Vec<String>);

/// The games of the check.
pub fn game(id: &str) -> Result<Arc<dyn AnyGame>> {
    let [.., phantom, ten_towns] = small::ALL;
    let all = [crusader_rex::ENTRY, ten_towns, phantom];
    let entry = all.iter().find(|g| g.id == id).with_context(|| format!("no game is called `{id}`"))?;
    Ok(Arc::from((entry.open)(&DataFiles::built_in(entry.files))?))
}

fn viewer(index: usize) -> Viewer {
    index.checked_sub(1).map_or(Viewer::Observer, |seat| Viewer::Seat(Seat::new(seat as u8)))
}

/// A scene and the end of the journal as JSON, as a server would send them.
pub(crate) fn seen(sitting: &dyn AnyMatch, viewer: Viewer) -> Result<(Value, Value)> {
    let page = serde_json::to_value(sitting.journal_page(viewer, None))?;
    Ok((serde_json::to_value(sitting.scene(viewer))?, page["journal"].clone()))
}

/// Whether a text holds a name as a word of its own.
pub fn mentions(text: &str, name: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '_');
    text.match_indices(name)
        .any(|(at, _)| !part(text[..at].chars().next_back()) && !part(text[at + name.len()..].chars().next()))
}

/// The name or id of a piece, and the number of its owner.
type Mark = (String, Option<u64>);

/// The names and ids of all pieces of a scene whose fronts are shown, each with its owner. Names of one or two
/// letters are words of a page too often, and both sides hold cards of the same kinds; the ids stand for them.
fn fronts(value: &Value, found: &mut Vec<Mark>) {
    match value {
        Value::Array(all) => all.iter().for_each(|v| fronts(v, found)),
        Value::Object(fields) => {
            let (face, owner) = (&value["face"], value["owner"].as_u64());
            if face["Shown"].is_object() || face["Card"].is_object() {
                found.extend(value["id"].as_str().map(|id| (id.to_string(), owner)));
            }
            let name = face["Shown"]["name"].as_str().or(face["Suspected"]["name"].as_str());
            let name = name.filter(|name| name.chars().count() > 2);
            found.extend(name.map(|name| (name.to_string(), owner)));
            fields.values().for_each(|v| fronts(v, found));
        }
        _ => {}
    }
}

impl Truth {
    /// Plays a record again and notes what everybody may see on the way.
    pub fn of(kept: Kept) -> Result<Option<Self>> {
        let Some(head) = &kept.head else { return Ok(None) };
        let game = game(&kept.game)?;
        let text = format!("{head}\n{}\n", kept.entries.join("\n"));
        let record = Record::read(&kept.table, &text)?;
        // The rows of the page are numbered as the seats: a party of the check has its seats in a row.
        let seats = record.set_up(game.title()).map_err(|e| anyhow!(e.to_string()))?.seats() as u8;
        let replay = |to: usize| game.replay(&record, Some(to as u32)).map_err(|e| anyhow!(e.to_string()));
        let mut by_hand = Vec::new();
        for (i, entry) in record.entries.iter().enumerate() {
            match &entry.deed {
                Deed::Act { seat, by: By::Hand, action, .. } => {
                    let seat = game.title().seat_named(seat).context("an entry of nobody")?;
                    let (seat, action) = (seat.into(), action.clone());
                    by_hand.push(ByHand { entry: i + 1, seat, action, only: false, window: false });
                }
                Deed::Act { .. } => {}
                Deed::Arrive { .. } => bail!("entry {}: somebody joined, and nobody was let in", i + 1),
                Deed::TakeBack { .. } => bail!("entry {} takes something back: nobody asked for that", i + 1),
            }
        }
        let viewers = usize::from(seats) + 1;
        let mut truth = Self {
            seats,
            by_hand,
            in_drafts: Vec::new(),
            over: false,
            sights: vec![Vec::new(); viewers],
            known: vec![BTreeMap::new(); viewers],
            marks: Vec::new(),
            drafted: std::sync::Mutex::default(),
            game: game.clone(),
            record: record.clone(),
            kept,
        };
        // First all names there are, then who knew of them when. The journal only grows: its last state and
        // its length at each moment tell all of them.
        let mut spoken: Vec<Vec<(String, usize)>> = vec![Vec::new(); viewers];
        let mut journals: Vec<Vec<String>> = vec![Vec::new(); viewers];
        let mut shown: Vec<Vec<Vec<Mark>>> = vec![Vec::new(); viewers];
        for entries in 0..=record.entries.len() {
            let mut sitting = replay(entries)?;
            sitting.keep_pace();
            truth.over = sitting.outcome().is_some();
            for next in truth.by_hand.iter_mut().filter(|e| e.entry == entries + 1) {
                next.only = sitting.offered(Seat::new(next.seat)).len() == 1;
                next.window = sitting.windows().contains(Seat::new(next.seat));
            }
            for v in 0..viewers {
                let (scene, journal) = seen(&*sitting, viewer(v))?;
                truth.sights[v].push(Shown::of(&sight_text(&scene, &journal)));
                let mut here = Vec::new();
                fronts(&scene, &mut here);
                shown[v].push(here);
                // Besides the boards, the lines of the journal, all other words of a scene and what a seat is
                // offered may speak of pieces.
                let mut rest = scene;
                drop(rest["boards"].take());
                let mut words = vec![rest.to_string()];
                if let Viewer::Seat(seat) = viewer(v) {
                    for offer in sitting.offered(seat) {
                        words.push(offer.choice.label);
                        words.extend(offer.choice.targets);
                    }
                }
                journals[v] = sitting.journal(viewer(v)).into_iter().map(|line| line.text).collect();
                spoken[v].push((words.join("\n"), journals[v].len()));
            }
        }
        for (seat, draft) in &truth.kept.drafts {
            let mut sitting = replay(record.entries.len())?;
            for action in draft {
                let only = sitting.offered(Seat::new(*seat)).len() == 1;
                let (entry, seat, action) = (usize::MAX, *seat, action.clone());
                // What the rules do not allow any more is kept all the same.
                let _ = sitting.act(Seat::new(seat), None, &[&action]);
                truth.in_drafts.push(ByHand { entry, seat, action, only, window: false });
            }
        }
        truth.marks = shown.iter().flatten().flatten().map(|(mark, _)| mark.clone()).collect();
        truth.marks.sort();
        truth.marks.dedup();
        // A side's own pieces are no secret to it: it clicks on them in drafts that no entry shows.
        for (mark, owner) in shown.iter().flatten().flatten() {
            if let Some(known) = owner.and_then(|seat| truth.known.get_mut(seat as usize + 1)) {
                known.insert(mark.clone(), 0);
            }
        }
        for v in 0..viewers {
            let mut read = 0;
            for (entries, (here, (words, lines))) in shown[v].iter().zip(&spoken[v]).enumerate() {
                for (mark, _) in here {
                    truth.known[v].entry(mark.clone()).or_insert(entries);
                }
                let new = &journals[v][read.min(*lines)..*lines];
                read = *lines;
                let open: Vec<_> =
                    truth.marks.iter().filter(|m| !truth.known[v].contains_key(*m)).cloned().collect();
                for mark in open {
                    if mentions(words, &mark) || new.iter().any(|line| mentions(line, &mark)) {
                        truth.known[v].insert(mark, entries);
                    }
                }
            }
        }
        Ok(Some(truth))
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.record.entries.len()
    }

    /// After how many entries a viewer saw this, if after any.
    pub fn when_seen(&self, eyes: Option<u8>, shown: Shown) -> Vec<usize> {
        let sights = &self.sights[eyes.map_or(0, |s| usize::from(s) + 1)];
        (0..sights.len()).filter(|i| sights[*i] == shown).collect()
    }

    /// Another viewer who would have seen this at some moment, if there is one.
    pub fn whose(&self, eyes: Option<u8>, shown: Shown) -> Option<Option<u8>> {
        let others = [None].into_iter().chain((0..self.seats).map(Some)).filter(|other| *other != eyes);
        others.into_iter().find(|other| !self.when_seen(*other, shown).is_empty())
    }

    /// What a seat sees after so many entries with these clicks in its draft.
    pub fn with_draft(&self, seat: u8, entries: usize, draft: &[String]) -> Option<Shown> {
        if draft.is_empty() {
            return self.sights.get(usize::from(seat) + 1)?.get(entries).copied();
        }
        let key = (seat, entries, draft.to_vec());
        let mut drafted = self.drafted.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *drafted.entry(key).or_insert_with(|| {
            let mut sitting = self.game.replay(&self.record, Some(entries as u32)).ok()?;
            // An answer to a window is held, and shows nothing before the window is opened.
            sitting.keep_pace();
            let seat = Seat::new(seat);
            for action in draft {
                let offered = sitting.offered(seat);
                match offered.as_slice() {
                    [only] if action == THE_ONLY_ONE => sitting.act(seat, None, &[only.notation.as_str()]),
                    _ => sitting.act(seat, None, &[action]),
                }
                .ok()?;
            }
            let (scene, journal) = seen(&*sitting, Viewer::Seat(seat)).ok()?;
            Some(Shown::of(&sight_text(&scene, &journal)))
        })
    }

    /// The names and ids of pieces that a viewer cannot know of after so many entries.
    pub fn unknown(&self, eyes: Option<u8>, entries: usize) -> impl Iterator<Item = &str> {
        let known = &self.known[eyes.map_or(0, |s| usize::from(s) + 1)];
        let secret = move |mark: &&String| known.get(*mark).is_none_or(|since| *since > entries);
        self.marks.iter().filter(secret).map(String::as_str)
    }
}
