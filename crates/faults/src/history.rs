//! What was sent, answered and shown, in the order in which it was written down, with times of one clock.
//!
//! The log only grows, in memory for the checker and as lines of JSON in a file for whoever wants to know how
//! a violation came about. What was shown is long and often the same: it is kept once, under its hash.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Value, json};

/// Microseconds since the check began.
pub type Time = u64;

/// The name of something that was shown: a hash of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shown([u8; 16]);

impl Shown {
    /// The name of a text.
    pub fn of(text: &str) -> Self {
        let mut short = [0; 16];
        short.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
        Self(short)
    }
}

impl Serialize for Shown {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = self.0.iter().map(|b| format!("{b:02x}")).collect();
        serializer.serialize_str(&digits)
    }
}

/// What a viewer sees of a table, as a text that is the same for the same sight: the scene and the journal.
pub fn sight_text(scene: &Value, journal: &Value) -> String {
    json!([scene, journal]).to_string()
}

/// What a seat asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Wish {
    /// An action, in notation.
    Act(String),
    /// To undo its last click.
    Undo,
}

/// What a server said to it in the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Answer {
    /// It is a click of a draft.
    Drafted,
    /// It is a secret choice that waits for others, or was the last of them.
    Held,
    /// It is in the record.
    Committed,
    /// It was undone.
    Done,
    /// It had been done before, by an attempt whose answer was lost.
    Repeated,
    /// It was not done, and why, as a word.
    Refused(String),
}

impl Answer {
    /// Whether it was acknowledged.
    pub const fn is_yes(&self) -> bool {
        !matches!(self, Self::Refused(_))
    }
}

/// Which of the doors something came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Door {
    /// A view was asked for, at the server with this number.
    View(usize),
    /// A line of a stream, which has this number.
    Stream(u64),
    /// A message of a page's socket.
    Socket,
    /// A page, a picture or a moment of the past.
    Page,
}

/// One look at a table.
#[derive(Clone, Debug, Serialize)]
pub struct Look {
    /// The table.
    pub table: String,
    /// Who looked.
    pub who: String,
    /// The seat that he holds there.
    pub own: Option<u8>,
    /// The seat through whose eyes he was let look.
    pub eyes: Option<u8>,
    /// Through which door.
    pub door: Door,
    /// When the answer was complete.
    pub ended: Time,
    /// What he saw.
    pub shown: Shown,
    /// The stage that the table was said to be in.
    pub stage: String,
    /// Whether the server said that it had lost the table and was waiting for its database.
    pub standstill: bool,
    /// Of a player's look through his own eyes: how many clicks he could undo.
    pub undoable: usize,
    /// How many of the player's clicks had been answered before he looked.
    pub answered: usize,
    /// Whether the last of them went through the same server.
    pub same_server: bool,
    /// Fields that only a seat's holder may be told and that were not empty.
    pub private: Vec<String>,
}

/// A line of the history.
#[derive(Clone, Debug, Serialize)]
pub enum Event {
    /// A table was opened.
    Opened {
        /// Its id.
        table: String,
        /// The game.
        game: String,
        /// The house: 0 for the two servers over PostgreSQL, 1 for the one over SQLite.
        house: usize,
    },
    /// A player asked for something, for the first time.
    Sent {
        /// The table.
        table: String,
        /// The seat.
        seat: u8,
        /// The key of the request, by which repetitions are known.
        key: String,
        /// What.
        wish: Wish,
        /// When.
        at: Time,
    },
    /// An attempt came to nothing that the player could be sure of; he goes on asking.
    Unsure {
        /// The key of the request.
        key: String,
        /// The server.
        server: usize,
        /// When.
        at: Time,
        /// What happened.
        why: String,
    },
    /// A player was told what became of it.
    Answered {
        /// The key of the request.
        key: String,
        /// The server that said so.
        server: usize,
        /// When.
        at: Time,
        /// What it said.
        answer: Answer,
    },
    /// Somebody looked at a table.
    Looked(Look),
    /// Somebody was sent a text that speaks of a table: a page, or a message of a socket.
    Heard {
        /// The table.
        table: String,
        /// Who.
        who: String,
        /// The seat that he holds there.
        own: Option<u8>,
        /// Through which door.
        door: Door,
        /// When it was complete.
        ended: Time,
        /// The text.
        shown: Shown,
    },
    /// Somebody asked for what is only given out when a game is over: its record, the proof of its dice.
    Pried {
        /// The table.
        table: String,
        /// For what.
        what: String,
        /// The status of the answer.
        status: u16,
        /// When it was complete.
        ended: Time,
    },
    /// A fault that was made.
    Fault {
        /// Its kind.
        kind: String,
        /// The servers that it touched.
        servers: Vec<usize>,
        /// When it began.
        begun: Time,
        /// When it was over and the servers could begin to recover.
        healed: Time,
    },
    /// A server stopped that nobody had stopped.
    Fell {
        /// The server.
        server: usize,
        /// How.
        how: String,
        /// When.
        at: Time,
    },
    /// A table where something should have happened by the end and did not.
    Stuck {
        /// The table.
        table: String,
        /// What should have happened.
        why: String,
    },
}

/// The log while it is being written.
#[derive(Debug)]
pub struct Log {
    start: Instant,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    events: Vec<Event>,
    lines: File,
    texts: File,
    length: u64,
    places: BTreeMap<Shown, (u64, usize)>,
}

impl Log {
    /// A log that is also kept in two files of a folder.
    pub fn new(folder: &Path) -> Result<Self> {
        let open = |name: &str| {
            let path = folder.join(name);
            let opened = File::options().read(true).write(true).create(true).truncate(true).open(&path);
            opened.with_context(|| format!("cannot write {}", path.display()))
        };
        let kept = Kept {
            events: Vec::new(),
            lines: open("history.jsonl")?,
            texts: open("shown.txt")?,
            length: 0,
            places: BTreeMap::new(),
        };
        Ok(Self { start: Instant::now(), kept: Mutex::new(kept) })
    }

    /// Now.
    pub fn now(&self) -> Time {
        self.start.elapsed().as_micros() as Time
    }

    /// Writes an event down.
    pub fn write(&self, event: Event) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let line = serde_json::to_string(&event).unwrap_or_default();
        // The file is for people who look for a cause; the check itself has the events in memory.
        let _ = writeln!(kept.lines, "{line}");
        kept.events.push(event);
    }

    /// Keeps a text that was shown, once.
    pub fn keep(&self, text: &str) -> Shown {
        let shown = Shown::of(text);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.places.contains_key(&shown) {
            let place = (kept.length, text.len());
            if kept.texts.seek(SeekFrom::Start(place.0)).is_ok()
                && kept.texts.write_all(text.as_bytes()).is_ok()
            {
                kept.length += text.len() as u64;
                kept.places.insert(shown, place);
            }
        }
        shown
    }

    /// A text that was shown.
    pub fn text(&self, shown: Shown) -> Option<String> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, length) = *kept.places.get(&shown)?;
        let mut bytes = vec![0; length];
        kept.texts.seek(SeekFrom::Start(at)).ok()?;
        kept.texts.read_exact(&mut bytes).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// All events so far.
    pub fn events(&self) -> Vec<Event> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).events.clone()
    }
}
