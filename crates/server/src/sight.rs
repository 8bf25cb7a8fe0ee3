//! What one viewer is shown of a table: the only door through which anything leaves it.
//!
//! A sight is made from what the match tells this viewer (scene, journal, options, refusals) and from what
//! is public (seats, stage, commitment). Pages, sockets and the interface for programs are all made from it.

use serde::Serialize;
use table::scene::Scene;
use table::{
    AnyMatch, Chance, Deed, JournalPage, Offered, OrderState, Outcome, RefusedOption, Seat, SeatSet, Viewer,
};

use crate::bots;
use crate::clock::{Pace, Shown};
use crate::easel::Eyes;
use crate::ids::TableId;
use crate::live::{Event, Live, Table};
use crate::store::{Allowance, ChatRow, EventRow, Kind, SeatRow, TableStage};

/// So many of the last events of a table are shown: a table that stands long enough has no end of them.
const LAST_EVENTS: usize = 50;

/// Who sits where, as all may know.
#[derive(Clone, Debug, Serialize)]
pub struct Seated {
    /// The seat's number.
    pub seat: u8,
    /// The seat's name.
    pub name: String,
    /// Who sits there.
    pub kind: Kind,
    /// The name of the person or bot.
    pub player: String,
    /// Whether the table waits for this seat.
    pub waiting: bool,
    /// Whether it has chosen in secret and the table waits for others. It may be thinking again.
    pub chosen: bool,
    /// The name of the bot that sits in for the person.
    pub stand_in: Option<String>,
    /// From when on a bot may sit in, in milliseconds since 1970, if it was announced that he is away.
    pub due: Option<i64>,
    /// Whether it is one of the viewer's own.
    pub own: bool,
    /// Whether its holder looks at the table now.
    pub present: bool,
    /// Its nonce, once given.
    pub nonce: Option<String>,
}

/// A take-back that somebody asks for.
#[derive(Clone, Debug, Serialize)]
pub struct AskedBack {
    /// The seat that asks.
    pub by: u8,
    /// Its name.
    pub name: String,
    /// Whether the viewer's answer is awaited.
    pub answer: bool,
}

/// A standing order that was given.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// Its notation.
    pub notation: String,
    /// A short line for a switch.
    pub label: String,
    /// What it will do, and when.
    pub hint: String,
    /// The rule by which it can no longer be carried out, and why.
    pub stopped: Option<(String, String)>,
}

/// A draw that somebody offers.
#[derive(Clone, Debug, Serialize)]
pub struct DrawOffer {
    /// The seat that offers it.
    pub by: u8,
    /// Its name.
    pub name: String,
    /// Whether the viewer's answer is awaited.
    pub answer: bool,
}

/// The dice of a seat in a finished game, against what is to be expected.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Luck {
    /// The seat.
    pub seat: u8,
    /// How many dice were rolled when it acted.
    pub dice: u32,
    /// What they showed, added up.
    pub sum: u32,
    /// What they would show on average, added up.
    pub expected: f32,
}

/// Something that happened outside the game.
#[derive(Clone, Debug, Serialize)]
pub struct Happened {
    /// When, in seconds since 1970.
    pub at: i64,
    /// What, for programs.
    #[serde(flatten)]
    pub event: Event,
    /// What, in words.
    pub text: String,
}

/// What one viewer is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Sight {
    /// The table's id.
    pub table: TableId,
    /// The game's id.
    pub game: String,
    /// The game's name.
    pub game_name: String,
    /// The scenario's name.
    pub scenario: String,
    /// How far the table has come.
    pub stage: TableStage,
    /// Why it is frozen.
    pub frozen: Option<String>,
    /// Who sits where.
    pub seats: Vec<Seated>,
    /// The seat through whose eyes this is; none for an observer.
    pub seat: Option<u8>,
    /// The number of the seat's present decision, to be sent with an action.
    pub number: u64,
    /// The picture of the table, as data.
    pub scene: Scene,
    /// What happened last, as far as the viewer may know; what is before it can be asked for.
    #[serde(flatten)]
    pub journal: JournalPage,
    /// What the seat may do.
    pub offered: Vec<Offered>,
    /// What it may not do, and why.
    pub refused: Vec<RefusedOption>,
    /// How many clicks it can undo.
    pub undoable: usize,
    /// Whether it has made a secret choice that waits for the others.
    pub held: bool,
    /// Whether it can ask to take its last decision back.
    pub can_ask_back: bool,
    /// A take-back that somebody asks for.
    pub asked_back: Option<AskedBack>,
    /// Its standing orders.
    pub orders: Vec<String>,
    /// The same with what they are called and whether they still stand.
    pub standing: Vec<Standing>,
    /// Orders that make sense now.
    pub offered_orders: Vec<table::OfferedOrder>,
    /// What it has chosen and nobody else has seen yet.
    pub drafted: Vec<table::scene::Choice>,
    /// A draw that somebody offers.
    pub draw_offered: Option<DrawOffer>,
    /// The dice of each seat, once the game is over.
    pub luck: Vec<Luck>,
    /// By how much it was won, where points are counted.
    pub margin: Option<i32>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why it ended so, in a sentence.
    pub reason: Option<String>,
    /// The pace of its clocks.
    pub pace: Option<Pace>,
    /// The clocks, as this viewer is shown them: they do not tell who thinks again about a secret choice.
    pub clocks: Vec<Shown>,
    /// Whether time has run out for all who are awaited, as far as this viewer knows.
    pub out_of_time: bool,
    /// What happened outside the game: claims, time granted, bots that sit in.
    pub events: Vec<Happened>,
    /// The seats that won because the game was claimed.
    pub claimed_by: Vec<u8>,
    /// How long somebody must be away before a bot may sit in for him, in seconds, at a table without clocks.
    pub absence: u32,
    /// Whether the viewer may take back by himself what a bot did in his place.
    pub bot_undo: bool,
    /// The commitment to the seed of the dice.
    pub commitment: String,
    /// The seed, once the game is over.
    pub seed: Option<String>,
    /// What was said last.
    pub chat: Vec<ChatRow>,
    /// How much was said before that, as far as the viewer may know; it can be asked for.
    pub chat_from: usize,
    /// How many look on.
    pub onlookers: usize,
    /// Whether the viewer opened the table.
    pub host: bool,
    /// Whether players may ask for hints at this table.
    pub hints: bool,
    /// Whether it goes on from a moment of a finished game.
    pub analysis: bool,
    /// Whether nobody but this person and bots sit here: then nobody has to be asked.
    pub alone: bool,
    /// What to play next, if this was the game's guided scenario: its id, name and minutes.
    pub next: Option<(String, String, u16)>,
    /// Another seat of the same person that the table waits for, and whether a curtain must fall between.
    pub hand_over: Option<(u8, bool)>,
}

impl Sight {
    /// What this viewer is shown now.
    pub(crate) fn of(table: &Table, live: &Live, eyes: Eyes) -> Self {
        let title = live.title();
        let Eyes { viewer, own, host, alone, out_of_time } = eyes;
        let (deciding, waiting) = (live.deciding(), live.seen_waiting(own));
        let seat = viewer.seat();
        let sitting = live.sitting.as_deref();
        let plays = seat.filter(|s| own.contains(*s) && live.frozen.is_none() && live.ended().is_none());
        let over = live.over();
        let asked_back = sitting.filter(|_| !over).and_then(|s| s.take_back_asked()).map(|asked| AskedBack {
            by: asked.by.into(),
            name: title.seat_name(asked.by).into(),
            answer: plays.is_some_and(|s| asked.needed.minus(asked.agreed).contains(s)),
        });
        let scenario = title.scenarios.iter().find(|s| s.id == live.row.scenario);
        let allowance = live.row.allowance;
        let guided = title.guided().is_some_and(|s| s.id == live.row.scenario);
        let next = title.introductory().filter(|_| guided);
        let (chat_from, chat) = chat_page(live.heard(own), None);
        Self {
            table: live.row.id.clone(),
            game: title.id.into(),
            game_name: title.name.clone(),
            scenario: scenario.map_or(String::new(), |s| s.name.clone()),
            stage: live.row.stage,
            frozen: live.frozen.clone(),
            seats: live
                .seats
                .iter()
                .enumerate()
                .map(|(i, row)| {
                    let seat = Seat::new(i as u8);
                    Seated {
                        seat: i as u8,
                        name: title.seat_name(seat).into(),
                        kind: row.kind,
                        player: match row.kind {
                            Kind::Bot => bots::level(&row.name).map_or("bot", |l| l.name).into(),
                            _ => row.name.clone(),
                        },
                        waiting: waiting.contains(seat),
                        chosen: deciding.minus(waiting).contains(seat),
                        stand_in: live
                            .bot_at(seat)
                            .filter(|_| row.kind == Kind::Person)
                            .map(|l| l.name.into()),
                        due: live.due(seat),
                        own: own.contains(seat),
                        present: is_here(table, row),
                        nonce: row.nonce.clone(),
                    }
                })
                .collect(),
            seat: seat.map(u8::from),
            number: plays.map_or(0, |s| live.number(s)),
            scene: sitting.map_or_else(Scene::default, |s| s.scene(viewer)),
            journal: sitting.map_or_else(JournalPage::default, |s| s.journal_page(viewer, None)),
            offered: sitting.zip(plays).map_or_else(Vec::new, |(s, seat)| s.offered(seat)),
            refused: sitting.zip(plays).map_or_else(Vec::new, |(s, seat)| s.refused(seat)),
            undoable: sitting.zip(plays).map_or(0, |(s, seat)| s.undoable(seat)),
            held: sitting.zip(plays).is_some_and(|(s, seat)| s.undoable(seat) > 0 && !waiting.contains(seat)),
            can_ask_back: !over
                && sitting.zip(plays).is_some_and(|(s, seat)| s.before_last_decision(seat).is_some()),
            asked_back,
            orders: sitting
                .zip(plays)
                .map_or_else(Vec::new, |(s, seat)| s.orders(seat).iter().map(ToString::to_string).collect()),
            standing: sitting.zip(plays).map_or_else(Vec::new, |(s, seat)| standing(s, seat)),
            offered_orders: sitting
                .zip(plays.filter(|_| !over))
                .map_or_else(Vec::new, |(s, seat)| s.offered_orders(seat)),
            drafted: sitting.zip(plays).map_or_else(Vec::new, |(s, seat)| s.drafted(seat)),
            draw_offered: live.draw_offered().filter(|_| !over).map(|(by, agreed)| DrawOffer {
                by,
                name: Seat::try_from(by).map_or("", |s| title.seat_name(s)).into(),
                answer: plays.is_some_and(|s| u8::from(s) != by && !agreed.contains(s)),
            }),
            luck: sitting.filter(|_| over).map_or_else(Vec::new, luck),
            margin: sitting.and_then(|s| s.outcome()).and_then(|outcome| margin(&outcome)),
            outcome: sitting.and_then(|s| s.outcome()),
            reason: sitting.filter(|s| s.outcome().is_some()).map(|s| s.reason()).filter(|r| !r.is_empty()),
            pace: live.row.pace,
            clocks: live.shown_clocks(own),
            out_of_time,
            events: live
                .events
                .iter()
                .skip(live.events.len().saturating_sub(LAST_EVENTS))
                .map(|EventRow { at, event }| Happened {
                    at: *at,
                    text: event.in_words(title),
                    event: event.clone(),
                })
                .collect(),
            claimed_by: live.ended().map_or_else(Vec::new, |event| event.winners().to_vec()),
            absence: live.row.absence,
            bot_undo: plays.is_some_and(|s| live.bot_undo(s).is_some()),
            commitment: table::Seed::from_hex(&live.row.seed)
                .map_or_else(|_| String::new(), |s| s.commitment().to_hex()),
            seed: over.then(|| live.row.seed.clone()),
            chat,
            chat_from,
            onlookers: table.onlookers(&live.seats),
            host,
            hints: allowance.hints,
            analysis: allowance.analysis,
            alone,
            next: next.map(|s| (s.id.clone(), s.name.clone(), s.minutes)),
            hand_over: hand_over(live, own, waiting, seat, allowance),
        }
    }

    /// The same after people came or went.
    pub(crate) fn meet(&mut self, table: &Table, live: &Live) {
        for (seated, row) in self.seats.iter_mut().zip(&live.seats) {
            seated.present = is_here(table, row);
        }
        self.onlookers = table.onlookers(&live.seats);
    }

    /// Names of the seats.
    pub(crate) fn seat_names(&self) -> Vec<String> {
        self.seats.iter().map(|s| s.name.clone()).collect()
    }

    /// Whether the viewer plays here; else he watches.
    pub(crate) fn plays(&self) -> bool {
        self.seats.iter().any(|s| s.own)
    }

    /// Whether the viewer is to decide.
    pub(crate) fn to_decide(&self) -> bool {
        !self.offered.is_empty() && !self.held
    }
}

/// So much that is said makes a group of the chat, and so many groups a page.
pub(crate) const CHAT_GROUP: usize = 30;
const CHAT_GROUPS: usize = 3;

/// The last page of what was said, or the one that ends before a group: how much was said before it, and what it
/// holds. Groups are counted from the beginning, so that an open page and one that is loaded anew agree on them.
pub(crate) fn chat_page<'a>(
    heard: impl Iterator<Item = &'a ChatRow>,
    below: Option<usize>,
) -> (usize, Vec<ChatRow>) {
    let all: Vec<_> = heard.collect();
    let end = below.map_or(all.len(), |group| group.saturating_mul(CHAT_GROUP).min(all.len()));
    let from = end.div_ceil(CHAT_GROUP).saturating_sub(CHAT_GROUPS) * CHAT_GROUP;
    (from, all[from.min(end)..end].iter().map(|row| (*row).clone()).collect())
}

/// The orders of a seat as they stand. What an order is called its game says while it offers it; else its notation
/// must do.
fn standing(sitting: &dyn AnyMatch, seat: Seat) -> Vec<Standing> {
    let offered = sitting.offered_orders(seat);
    let order = |(notation, state): (table::Notation, OrderState)| {
        let known = offered.iter().find(|o| o.notation == notation);
        Standing {
            label: known.map_or_else(|| crate::page::sentence(notation.as_str()), |o| o.label.clone()),
            hint: known.map_or_else(String::new, |o| o.hint.clone()),
            notation: notation.to_string(),
            stopped: match state {
                OrderState::Stopped(rule, why) => Some((rule.to_string(), why)),
                OrderState::Stands | OrderState::Expired => None,
            },
        }
    };
    sitting.orders(seat).into_iter().zip(sitting.order_states(seat)).map(order).collect()
}

/// The dice of a finished game by the seats that acted when they were rolled.
fn luck(sitting: &dyn AnyMatch) -> Vec<Luck> {
    let mut all: Vec<Luck> = Vec::new();
    for entry in sitting.record(false).entries {
        let Deed::Act { seat, chance, .. } = entry.deed else { continue };
        let Some(seat) = sitting.title().seat_named(&seat).map(u8::from) else { continue };
        for chance in chance {
            let Chance::Roll { sides, result } = chance else { continue };
            let at = all.iter().position(|l| l.seat == seat).unwrap_or_else(|| {
                all.push(Luck { seat, dice: 0, sum: 0, expected: 0.0 });
                all.len() - 1
            });
            all[at].dice += 1;
            all[at].sum += u32::from(result);
            all[at].expected += f32::from(sides.unwrap_or(6) + 1) / 2.0;
        }
    }
    all.sort_by_key(|l| l.seat);
    all
}

/// The points by which the winner leads the best of the others, where points are counted.
fn margin(outcome: &Outcome) -> Option<i32> {
    let scores = outcome.scores.iter().enumerate();
    let best = |won: bool| {
        let of = scores.clone().filter(|(i, _)| outcome.winners.contains(Seat::new(*i as u8)) == won);
        of.map(|(_, score)| *score).max()
    };
    outcome.scores.iter().any(|s| *s != 0).then(|| Some(best(true)? - best(false)?)).flatten()
}

/// Whether somebody at a seat looks at the table.
fn is_here(table: &Table, row: &SeatRow) -> bool {
    row.kind == Kind::Bot || row.person.as_ref().is_some_and(|p| table.is_present(p))
}

/// When a person plays several seats and the table waits for another of them: which, and whether the two see
/// different things, so that a curtain must fall.
fn hand_over(
    live: &Live,
    own: SeatSet,
    waiting: SeatSet,
    seat: Option<Seat>,
    allowance: Allowance,
) -> Option<(u8, bool)> {
    let (seat, sitting) = (seat?, live.sitting.as_ref()?);
    if !own.contains(seat) || waiting.contains(seat) || live.frozen.is_some() {
        return None;
    }
    let next = own.both(waiting).lowest()?;
    // Who analyses a finished game has seen everything.
    if allowance.analysis {
        return Some((next.into(), false));
    }
    let (mine, other) = (sitting.scene(Viewer::Seat(seat)), sitting.scene(Viewer::Seat(next)));
    let differ = mine.boards != other.boards || mine.trays != other.trays || mine.tracks != other.tracks;
    let page = |seat| sitting.journal_page(Viewer::Seat(seat), None);
    let journals = page(seat) != page(next);
    Some((next.into(), differ || journals))
}
