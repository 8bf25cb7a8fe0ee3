//! Tables that begin in the middle: a game is played by lot from a numbered seed until there is something to be
//! seen, and laid on a table of the house for people who come with a name.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use serde_json::json;
use server::store::{Allowance, ChatRow, KeepsTables, Kind, SeatRow, TableRow, TableStage};
use server::{PersonId, Sqlite, TableId};
use table::{AnyGame, AnyMatch, DataFiles, GameEntry, Lots, Nonces, Pick, Seat, Seats, Seed, Wishes};

use crate::house::{Browser, Guest, House};

/// The wargames.
pub(crate) const WARGAMES: [GameEntry; 5] = [
    crusader_rex::ENTRY,
    first_crusade::ENTRY,
    kingdom_of_heaven::ENTRY,
    third_crusade::ENTRY,
    croisades::skirmish::ENTRY,
];

/// So many choices are made at most before what was looked for must have been seen.
const LONGEST: usize = 4_000;

pub(crate) fn opened(game: &str) -> Box<dyn AnyGame> {
    let entry = WARGAMES.into_iter().find(|entry| entry.id == game).unwrap();
    (entry.open)(&DataFiles::built_in(entry.files)).unwrap()
}

/// A game that begins: which, what scenario, which seats, and the number from which its dice and lots follow.
#[derive(Clone, Copy)]
pub(crate) struct Beginning<'a> {
    pub(crate) game: &'a str,
    pub(crate) scenario: &'a str,
    /// As the command line has them; the usual ones where it is empty.
    pub(crate) seats: &'a str,
    pub(crate) number: u64,
}

/// Plays on by lot until a moment that was looked for.
pub(crate) fn played(
    beginning: Beginning<'_>,
    until: &dyn Fn(&dyn AnyMatch) -> bool,
) -> Option<Box<dyn AnyMatch>> {
    let game = opened(beginning.game);
    let wishes = Wishes {
        scenario: Some(beginning.scenario.to_string()).filter(|s| !s.is_empty()),
        seats: Some(Seats::from_str(beginning.seats).unwrap()).filter(|_| !beginning.seats.is_empty()),
        options: BTreeMap::new(),
    };
    let setup = game.title().set_up(&wishes).unwrap();
    let mut sitting = game.open(setup, Seed::numbered(beginning.number), Nonces::default()).unwrap();
    let mut lots = Lots::new(beginning.number);
    for _ in 0..LONGEST {
        if until(&*sitting) {
            return Some(sitting);
        }
        let seat = sitting.waiting_for().lowest()?;
        sitting.pick(seat, Pick::Random, &mut lots).unwrap();
    }
    None
}

/// The first of some numbers whose game comes to a moment that is looked for.
pub(crate) fn found(
    (game, scenario, seats): (&str, &str, &str),
    until: &dyn Fn(&dyn AnyMatch) -> bool,
) -> Box<dyn AnyMatch> {
    let all = (1..60).find_map(|number| played(Beginning { game, scenario, seats, number }, until));
    all.unwrap_or_else(|| panic!("no game of {game} came to what was looked for"))
}

impl House {
    /// Lays a game on a table: these people have its seats in their order, bots that do anything have the rest.
    /// The table's id.
    pub(crate) async fn lay(&self, sitting: &dyn AnyMatch, people: &[&Guest]) -> String {
        let record = sitting.record(true);
        let entries = record.entries.iter().map(ToString::to_string).collect();
        let mut head = record.clone();
        head.entries.clear();
        let party = sitting.party();
        let seats: Vec<SeatRow> = (0..sitting.title().seats.len() as u8)
            .filter(|i| *i <= party.iter().map(u8::from).max().unwrap_or(0))
            .map(|i| {
                if !party.contains(Seat::new(i)) {
                    return SeatRow::vacant(Kind::Nobody);
                }
                let at = party.iter().position(|s| u8::from(s) == i).unwrap();
                match people.get(at) {
                    Some(guest) => SeatRow {
                        person: Some(guest.person_id()),
                        name: guest.name.clone(),
                        ..SeatRow::vacant(Kind::Person)
                    },
                    None => SeatRow { name: "random".into(), ..SeatRow::vacant(Kind::Bot) },
                }
            })
            .collect();
        let host = people.first().map(|guest| guest.person_id());
        let id = format!("laid{:04x}{:04x}", hash_of(&record.to_string()) >> 16, LAID.fetch_add(1, Relaxed));
        let over = sitting.outcome().is_some();
        let row = TableRow {
            id: TableId::from_str(&id).unwrap(),
            game: sitting.title().id.into(),
            scenario: sitting.setup().scenario().into(),
            seats: seats.len() as u8,
            options: sitting.setup().options().clone(),
            allowance: Allowance { hints: true, ..Allowance::default() },
            seed: record.seed.as_ref().unwrap().to_hex(),
            head: Some(head.to_string()),
            stage: if over { TableStage::Over } else { TableStage::Running },
            host,
            listed: true,
            created: 1,
            touched: 1,
            waiting: sitting.waiting_for(),
            headline: String::new(),
            version: 0,
            pace: None,
            asked: None,
            chosen: None,
            absence: 86_400,
        };
        let store = Sqlite::open(&self.database()).unwrap();
        store.add_table(row, seats, entries).await.unwrap();
        id
    }
}

impl House {
    /// Somebody has said so much at a table that nobody has looked at yet.
    pub(crate) async fn has_said(&self, table: &str, guest: &Guest, words: u32) {
        let store = Sqlite::open(&self.database()).unwrap();
        for word in 0..words {
            let row = ChatRow {
                at: 1,
                name: guest.name.clone(),
                person: Some(guest.person_id()),
                seat: Some(0),
                readers: None,
                text: format!("Word {word}"),
            };
            store.say(TableId::from_str(table).unwrap(), row).await.unwrap();
        }
    }
}

/// How many tables were laid: the same game can be laid twice, and each has an id of its own.
static LAID: AtomicU32 = AtomicU32::new(0);

/// A number of a text.
fn hash_of(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

impl Guest {
    fn person_id(&self) -> PersonId {
        self.person().parse().unwrap()
    }
}

impl Browser {
    /// Comes as somebody who has a name already.
    pub(crate) async fn come_as(&self, guest: &Guest, house: &House) {
        let cookie = json!({ "name": "outremer", "value": guest.token, "url": house.address("/") });
        self.tell("Network.setCookie", cookie).await;
    }
}
