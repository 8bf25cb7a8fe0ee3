//! From a history and the truth about its tables to violations: pure functions, so that every kind of
//! violation can be planted and must be found.

use std::collections::BTreeMap;
use std::fmt;

use crate::history::{Answer, Door, Event, Look, Shown, Time, Wish};
use crate::truth::{THE_ONLY_ONE, Truth, mentions};

/// What was violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// An acknowledged action is not in the record, not once, or not in its place.
    Kept,
    /// A viewer was shown what no moment of the record shows him.
    OneOrder,
    /// A viewer was shown an earlier moment after a later one, or a player missed his own action.
    NeverBack,
    /// Something was shown before it was opened, or to somebody who may not see it.
    Secrecy,
    /// A table or a server did not come back.
    Recovery,
}

impl Promise {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "acknowledged and lost",
            Self::OneOrder => "shown and not in the record",
            Self::NeverBack => "gone back",
            Self::Secrecy => "told too early",
            Self::Recovery => "not recovered",
        }
    }
}

/// A violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Of which promise.
    pub promise: Promise,
    /// At which table, if at one.
    pub table: String,
    /// When, if at a certain time.
    pub at: Option<Time>,
    /// What was found.
    pub what: String,
    /// What was shown, if it can be looked up.
    pub shown: Option<Shown>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: table {}", self.promise.name(), self.table)?;
        if let Some(at) = self.at {
            write!(f, " at {:.3} s", at as f64 / 1e6)?;
        }
        write!(f, ": {}", self.what)
    }
}

/// What the checker found and what it had to do with.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Violations.
    pub violations: Vec<Violation>,
    /// Looks that were compared with the record.
    pub looks: usize,
    /// Looks of a player through one server that had not heard yet of what he did through the other.
    pub behind: usize,
    /// Looks at a table whose server waited for its database.
    pub standstills: usize,
    /// Texts that were searched for secret names.
    pub texts: usize,
    /// Requests for what is only given out at the end.
    pub pried: usize,
    /// Actions that the record ascribes to a player and that nobody asked for, where nothing else was possible.
    pub nobodys: usize,
}

/// A request of a player, from its first attempt to its answer.
#[derive(Clone, Debug)]
pub struct Click {
    /// Its key.
    pub key: String,
    /// What he asked.
    pub wish: Wish,
    /// When first.
    pub sent: Time,
    /// When he was told, by which server, and what.
    pub answer: Option<(Time, usize, Answer)>,
}

impl Click {
    fn said_yes(&self) -> bool {
        self.answer.as_ref().is_some_and(|(_, _, answer)| answer.is_yes())
    }
}

/// The requests of each seat of each table, in order.
pub fn clicks(events: &[Event]) -> BTreeMap<(String, u8), Vec<Click>> {
    let mut all: BTreeMap<(String, u8), Vec<Click>> = BTreeMap::new();
    let mut places = BTreeMap::new();
    for event in events {
        match event {
            Event::Sent { table, seat, key, wish, at } => {
                let seat = (table.clone(), *seat);
                let of_seat = all.entry(seat.clone()).or_default();
                places.insert(key.clone(), (seat, of_seat.len()));
                of_seat.push(Click { key: key.clone(), wish: wish.clone(), sent: *at, answer: None });
            }
            Event::Answered { key, server, at, answer } => {
                if let Some((seat, i)) = places.get(key)
                    && let Some(click) = all.get_mut(seat).and_then(|c| c.get_mut(*i))
                {
                    click.answer = Some((*at, *server, answer.clone()));
                }
            }
            _ => {}
        }
    }
    all
}

/// How the requests of a seat and its actions in the record belong together.
#[derive(Clone, Debug)]
struct Match {
    /// For each request: whether it undid a click of the seat's own. The other undone thing can be a choice
    /// that the table made.
    undid: Vec<bool>,
    /// The entry of each standing action that has one.
    entries: Vec<usize>,
    /// How many actions nobody asked for, where nothing else was possible.
    nobodys: usize,
}

/// The actions that stand after some requests of a seat: those that were acknowledged and not undone.
fn standing<'a>(clicks: &'a [Click], undid: &[bool]) -> Vec<&'a Click> {
    let mut stand = Vec::new();
    for (click, undid) in clicks.iter().zip(undid).filter(|(c, _)| c.said_yes()) {
        match click.wish {
            Wish::Act(_) => stand.push(click),
            Wish::Undo if *undid => drop(stand.pop()),
            Wish::Undo => {}
        }
    }
    stand
}

fn action(click: &Click) -> &str {
    match &click.wish {
        Wish::Act(action) => action,
        Wish::Undo => "undo",
    }
}

/// Finds how a seat's requests and what the database has of it belong together: its entries and then its
/// draft are its standing actions, one by one. Only a last request whose fate nobody was told may be there or
/// not, and only where nothing else was possible may the table have acted in its name.
fn matched(truth: &Truth, seat: u8, clicks: &[Click]) -> Option<Match> {
    let found: Vec<_> = truth.by_hand.iter().chain(&truth.in_drafts).filter(|e| e.seat == seat).collect();
    let mut told: Vec<Click> = clicks.to_vec();
    let unsure = told.last_mut().filter(|c| c.answer.is_none());
    // As if it had been answered, and as if it had never been asked.
    let unsure = unsure.map(|last| last.answer = Some((Time::MAX, 0, Answer::Repeated))).is_some();
    let ways = if unsure { vec![clicks, &told[..]] } else { vec![clicks] };
    ways.into_iter().find_map(|way| {
        let mut tries = 4096;
        fits(way, &mut Vec::new(), &mut Vec::new(), &found, &mut tries)
    })
}

/// Tries both for every undo of which it is not certain what it undid.
fn fits<'a>(
    clicks: &'a [Click],
    undid: &mut Vec<bool>,
    stand: &mut Vec<&'a Click>,
    found: &[&crate::truth::ByHand],
    tries: &mut u32,
) -> Option<Match> {
    let begun = undid.len();
    for click in &clicks[begun..] {
        let top = stand.last().and_then(|c| c.answer.as_ref()).map(|(_, _, answer)| answer);
        let undoes = match &click.wish {
            _ if !click.said_yes() => false,
            Wish::Act(_) => {
                stand.push(click);
                false
            }
            // What is in the record cannot be undone; a click of a draft is.
            Wish::Undo if matches!(top, None | Some(Answer::Committed)) => false,
            Wish::Undo if matches!(top, Some(Answer::Drafted)) => true,
            Wish::Undo => {
                let (mut other_undid, mut other_stand) = (undid.clone(), stand.clone());
                other_undid.push(true);
                other_stand.pop();
                if let Some(fit) = fits(clicks, &mut other_undid, &mut other_stand, found, tries) {
                    return Some(fit);
                }
                false
            }
        };
        if undoes {
            stand.pop();
        }
        undid.push(undoes);
    }
    *tries = tries.checked_sub(1)?;
    let (mut entries, mut nobodys, mut left) = (Vec::new(), 0, stand.iter().peekable());
    for kept in found {
        if left.next_if(|c| action(c) == kept.action).is_some() {
            entries.extend((kept.entry != usize::MAX).then_some(kept.entry));
        } else if kept.only {
            nobodys += 1;
        } else {
            return None;
        }
    }
    left.peek().is_none().then(|| Match { undid: undid.clone(), entries, nobodys })
}

/// Goes over a whole history. `text` gives what was shown.
pub fn check(events: &[Event], truths: &[Truth], text: &dyn Fn(Shown) -> Option<String>) -> Findings {
    let mut findings = Findings::default();
    let clicks = clicks(events);
    let truths: BTreeMap<&str, &Truth> = truths.iter().map(|t| (t.kept.table.as_str(), t)).collect();
    let none = Vec::new();
    let of = |table: &str, seat: u8| clicks.get(&(table.to_string(), seat)).unwrap_or(&none);
    let mut matches: BTreeMap<(&str, u8), Match> = BTreeMap::new();
    let mut opened = BTreeMap::new();
    for (id, truth) in &truths {
        let mut requests = BTreeMap::new();
        for seat in (0..truth.seats).filter(|seat| clicks.contains_key(&(id.to_string(), *seat))) {
            let Some(found) = matched(truth, seat, of(id, seat)) else {
                findings.violations.push(not_kept(truth, seat, of(id, seat)));
                continue;
            };
            findings.nobodys += found.nobodys;
            for (click, entry) in standing(of(id, seat), &found.undid).into_iter().zip(&found.entries) {
                requests.insert(*entry, click);
            }
            matches.insert((id, seat), found);
        }
        opened.insert(*id, openings(truth, &requests));
        if truth.kept.stage == "frozen" {
            findings.violations.push(Violation {
                promise: Promise::Recovery,
                table: id.to_string(),
                at: None,
                what: "the table is frozen".into(),
                shown: None,
            });
        }
    }
    // Whoever had something acknowledged at a table must find the table.
    for ((table, seat), asked) in &clicks {
        if !truths.contains_key(table.as_str()) && asked.iter().any(Click::said_yes) {
            let what = format!("seat {seat} acted there, and the database has no such game");
            let promise = Promise::Kept;
            findings.violations.push(Violation {
                promise,
                table: table.clone(),
                at: None,
                what,
                shown: None,
            });
        }
    }
    let mut reached: BTreeMap<(String, Option<u8>, Door), usize> = BTreeMap::new();
    for event in events {
        match event {
            Event::Looked(look) => {
                let Some(truth) = truths.get(look.table.as_str()) else { continue };
                let own = look.own.map_or(&none, |seat| of(&look.table, seat));
                let found = look.own.and_then(|seat| matches.get(&(look.table.as_str(), seat)));
                let opened = &opened[look.table.as_str()];
                compare(look, truth, (own, found), opened, &mut reached, &mut findings);
            }
            Event::Heard { table, who, own, door, ended, shown } => {
                let Some(truth) = truths.get(table.as_str()) else { continue };
                findings.texts += 1;
                let opened = &opened[table.as_str()];
                // When a game is over, all is open.
                let entries = opened.iter().rposition(|at| at <= ended).unwrap_or(0);
                if truth.over && entries == truth.entries() {
                    continue;
                }
                let Some(text) = text(*shown) else { continue };
                if let Some(name) = truth.unknown(*own, entries).find(|name| mentions(&text, name)) {
                    let what = format!("{who} ({own:?}) read of {name} through {door:?}");
                    findings.violations.push(Violation {
                        promise: Promise::Secrecy,
                        table: table.clone(),
                        at: Some(*ended),
                        what,
                        shown: Some(*shown),
                    });
                }
            }
            Event::Pried { table, what, status, ended } => {
                findings.pried += 1;
                let over = truths.get(table.as_str()).is_some_and(|truth| {
                    truth.over && opened[table.as_str()].last().is_some_and(|at| at <= ended)
                });
                if *status == 200 && !over {
                    let what = format!("{what} was given out while the game was being played");
                    findings.violations.push(Violation {
                        promise: Promise::Secrecy,
                        table: table.clone(),
                        at: Some(*ended),
                        what,
                        shown: None,
                    });
                }
            }
            Event::Fell { server, how, at } => findings.violations.push(Violation {
                promise: Promise::Recovery,
                table: "-".into(),
                at: Some(*at),
                what: format!("server {server} ended by itself: {how}"),
                shown: None,
            }),
            Event::Stuck { table, why } => findings.violations.push(Violation {
                promise: Promise::Recovery,
                table: table.clone(),
                at: None,
                what: why.clone(),
                shown: None,
            }),
            _ => {}
        }
    }
    findings
}

/// What does not fit between what a seat was told and what the database has.
fn not_kept(truth: &Truth, seat: u8, clicks: &[Click]) -> Violation {
    let undid: Vec<_> = clicks.iter().map(|c| c.wish == Wish::Undo).collect();
    let stand = standing(clicks, &undid);
    let told: Vec<&str> = stand.iter().map(|c| action(c)).collect();
    let kept = truth.by_hand.iter().chain(&truth.in_drafts).filter(|e| e.seat == seat);
    let kept: Vec<&str> = kept.map(|e| e.action.as_str()).collect();
    let at = kept.iter().zip(&told).take_while(|(a, b)| a == b).count();
    let what = format!(
        "seat {seat} was told of {} actions and {} are kept; from the {}th on: told {:?} (key {:?}), kept {:?}",
        told.len(),
        kept.len(),
        at + 1,
        told.get(at),
        stand.get(at).map(|c| &c.key),
        kept.get(at),
    );
    let at = stand.get(at).map(|c| c.sent);
    Violation { promise: Promise::Kept, table: truth.kept.table.clone(), at, what, shown: None }
}

/// For each number of entries: the earliest time at which anybody else may have been shown that much. A
/// committed action can be seen from when it was sent; a click of a draft when the draft was committed; a
/// held choice when the last of those who chose with it had chosen, the answer to a window from when it was
/// sent. What is not known counts as early.
fn openings(truth: &Truth, clicks: &BTreeMap<usize, &Click>) -> Vec<Time> {
    // The request behind each entry that a player made by hand.
    let requests: Vec<Option<&Click>> =
        truth.by_hand.iter().map(|entry| clicks.get(&entry.entry).copied()).collect();
    let answered = |i: usize| requests[i].and_then(|c| c.answer.as_ref()).map(|(_, _, answer)| answer);
    let sent = |i: usize| requests[i].map_or(0, |c| c.sent);
    let mut own: Vec<Time> = vec![0; requests.len()];
    for i in (0..requests.len()).rev() {
        let seat = truth.by_hand[i].seat;
        own[i] = match answered(i) {
            // The draft was entered as a whole, with the click that ended it.
            Some(Answer::Drafted) => {
                let after = (i + 1..requests.len()).find(|j| truth.by_hand[*j].seat == seat);
                after.map_or(sent(i), |j| own[j].max(sent(i)))
            }
            // A window is opened when its time has come, whoever else has something to choose.
            Some(Answer::Held) if truth.by_hand[i].window => sent(i),
            Some(Answer::Held) => {
                // Choices are entered in the order of the seats: others' of the same opening stand before,
                // or follow up to the click that ended them.
                let before = (0..i).rev().find(|j| truth.by_hand[*j].seat != seat);
                let before = before.filter(|j| truth.by_hand[*j].seat < seat).map_or(0, sent);
                let mut after = 0;
                for j in i + 1..requests.len() {
                    // Where the table made the others' choices, what they do next was not chosen together.
                    let beside = truth.by_hand[j].entry == truth.by_hand[i].entry + (j - i);
                    if truth.by_hand[j].seat <= seat || !beside {
                        break;
                    }
                    after = after.max(sent(j));
                    if answered(j) != Some(&Answer::Drafted) {
                        break;
                    }
                }
                sent(i).max(before).max(after)
            }
            _ => sent(i),
        };
    }
    let mut times = vec![0; truth.entries() + 1];
    for (entry, at) in truth.by_hand.iter().zip(own) {
        times[entry.entry] = at;
    }
    for i in 1..times.len() {
        times[i] = times[i].max(times[i - 1]);
    }
    times
}

fn compare(
    look: &Look,
    truth: &Truth,
    (own, matched): (&[Click], Option<&Match>),
    opened: &[Time],
    reached: &mut BTreeMap<(String, Option<u8>, Door), usize>,
    findings: &mut Findings,
) {
    let mut found = |promise, what: String| {
        findings.violations.push(Violation {
            promise,
            table: look.table.clone(),
            at: Some(look.ended),
            what: format!("{} {what}", look.who),
            shown: Some(look.shown),
        });
    };
    let finished = look.stage == "over";
    if finished && !(truth.over && opened.last().is_some_and(|at| *at <= look.ended)) {
        found(Promise::OneOrder, "was told that the game was over".into());
    }
    if !finished && look.eyes.is_some() && look.eyes != look.own {
        found(Promise::Secrecy, format!("looked through the eyes of seat {:?}", look.eyes));
    }
    if look.eyes.is_none() || look.eyes != look.own {
        let told: Vec<_> = look.private.iter().filter(|field| !finished || *field != "seed").collect();
        if !told.is_empty() {
            found(Promise::Secrecy, format!("was told {told:?} of another's seat"));
        }
    } else if !finished && look.private.iter().any(|field| field == "seed") {
        found(Promise::Secrecy, "was told the seed of a game being played".into());
    }
    if look.standstill {
        findings.standstills += 1;
        return;
    }
    let line = (format!("{} {}", look.table, look.who), look.eyes, look.door);
    if look.stage == "gathering" {
        // A server that has not heard yet that all are ready; once it has, it knows.
        findings.behind += 1;
        if reached.contains_key(&line) {
            found(Promise::NeverBack, "saw the table before its game had begun".into());
        }
        return;
    }
    findings.looks += 1;
    // A player's own sight is the record and his draft; the server he asks may not have heard of the last
    // things that he did through another.
    let mut lag = 0;
    let moments = match look.own.filter(|seat| look.eyes == Some(*seat)) {
        None => truth.when_seen(look.eyes, look.shown),
        Some(seat) => loop {
            // Where his actions are not in the record, that is found already.
            let Some(matched) = matched else { return };
            let stand = standing(&own[..look.answered.saturating_sub(lag).min(own.len())], &matched.undid);
            let moments = own_moments(truth, seat, &stand, &matched.entries, look);
            if !moments.is_empty() || lag >= 40 || lag >= look.answered {
                break moments;
            }
            lag += 1;
        },
    };
    let Some(first) = moments.first() else {
        return match truth.whose(look.eyes, look.shown) {
            Some(other) => {
                found(Promise::Secrecy, format!("({:?}) saw what only {other:?} may see", look.eyes))
            }
            None => found(
                Promise::OneOrder,
                format!("({:?}) saw through {:?} what the record never shows", look.eyes, look.door),
            ),
        };
    };
    if lag > 0 && look.same_server {
        found(Promise::NeverBack, format!("did not see the last {lag} of his own actions"));
    } else if lag > 0 {
        findings.behind += 1;
        return;
    }
    let last = reached.get(&line).copied().unwrap_or(0);
    match moments.iter().find(|m| **m >= last) {
        None => {
            let what = format!("saw {first} entries through {:?} after having seen {last}", look.door);
            findings.violations.push(Violation {
                promise: Promise::NeverBack,
                table: look.table.clone(),
                at: Some(look.ended),
                what: format!("{} {what}", look.who),
                shown: Some(look.shown),
            });
        }
        Some(moment) => {
            if opened[*moment] > look.ended {
                let late = (opened[*moment] - look.ended) as f64 / 1e6;
                let what = format!("saw entry {moment} {late:.3} s before it can have been opened");
                findings.violations.push(Violation {
                    promise: Promise::Secrecy,
                    table: look.table.clone(),
                    at: Some(look.ended),
                    what: format!("{} {what}", look.who),
                    shown: Some(look.shown),
                });
            }
            reached.insert(line, *moment);
        }
    }
}

/// After how many entries a player with these standing actions saw this. What he could undo was a draft of
/// his own, or what the table had chosen for him because nothing else was possible.
fn own_moments(truth: &Truth, seat: u8, stand: &[&Click], entries: &[usize], look: &Look) -> Vec<usize> {
    let mut moments = Vec::new();
    // Besides his own clicks a draft may hold choices that were the only ones, made by the table: before them or
    // after them.
    for own in (0..=look.undoable).rev() {
        let Some(entered) = stand.len().checked_sub(own) else { continue };
        let clicks = stand[entered..].iter().map(|c| action(c).to_string());
        let forced = std::iter::repeat_n(THE_ONLY_ONE.to_string(), look.undoable - own);
        let drafts: [Vec<String>; 2] =
            [clicks.clone().chain(forced.clone()).collect(), forced.chain(clicks).collect()];
        let from = if entered == 0 { 0 } else { entries.get(entered - 1).copied().unwrap_or(usize::MAX) };
        let to = entries.get(entered).map_or(truth.entries(), |e| e - 1);
        let shows =
            |entries: usize, draft: &Vec<String>| truth.with_draft(seat, entries, draft) == Some(look.shown);
        moments.extend((from..=to).filter(|entries| drafts.iter().any(|draft| shows(*entries, draft))));
        if !moments.is_empty() {
            break;
        }
    }
    moments
}

#[cfg(test)]
mod tests {
    use table::{Acted, AnyMatch, Lots, Nonces, Seat, Seed, Viewer};

    use super::*;
    use crate::history::sight_text;
    use crate::truth::{Kept, game, seen};

    /// A table that is played honestly, with players and an onlooker who write down what they see.
    struct Evening {
        sitting: Box<dyn AnyMatch>,
        events: Vec<Event>,
        now: Time,
        answered: [usize; 2],
        /// How many windows were opened.
        opened: usize,
    }

    const TABLE: &str = "table";

    impl Evening {
        fn of(id: &str, seed: u64, steps: usize) -> Self {
            let game = game(id).unwrap();
            let setup = game.title().usual_set_up();
            let mut sitting = game.open(setup, Seed::numbered(seed), Nonces::default()).unwrap();
            sitting.keep_pace();
            let mut evening = Self { sitting, events: Vec::new(), now: 0, answered: [0; 2], opened: 0 };
            let mut lots = Lots::new(seed);
            evening.all_look();
            for step in 0..steps {
                let Some(seat) = evening.sitting.waiting_for().lowest() else {
                    if evening.sitting.windows().is_empty() {
                        break;
                    }
                    // The table's pace has passed: the windows that were answered are opened.
                    evening.sitting.ripen();
                    evening.opened += 1;
                    evening.all_look();
                    continue;
                };
                if step % 7 == 3 && evening.sitting.undoable(seat) > 0 {
                    evening.click(seat, Wish::Undo);
                } else {
                    let offered = evening.sitting.offered(seat);
                    let chosen = &offered[lots.below(offered.len() as u32) as usize];
                    evening.click(seat, Wish::Act(chosen.notation.to_string()));
                }
                evening.all_look();
            }
            evening
        }

        fn tick(&mut self) -> Time {
            self.now += 1000;
            self.now
        }

        fn click(&mut self, seat: Seat, wish: Wish) {
            let (at, key) = (self.tick(), format!("k{}", self.now));
            let table = TABLE.to_string();
            self.events.push(Event::Sent {
                table,
                seat: seat.into(),
                key: key.clone(),
                wish: wish.clone(),
                at,
            });
            let answer = match &wish {
                Wish::Undo => {
                    self.sitting.undo(seat).unwrap();
                    Answer::Done
                }
                Wish::Act(action) => match self.sitting.act(seat, None, &[action]).unwrap() {
                    Acted::Drafted => Answer::Drafted,
                    Acted::Held { .. } => Answer::Held,
                    Acted::Committed { .. } => Answer::Committed,
                },
            };
            let at = self.tick();
            self.answered[seat.index()] += 1;
            self.events.push(Event::Answered { key, server: 0, at, answer });
        }

        fn sight(&self, eyes: Option<u8>) -> Shown {
            let viewer = eyes.map_or(Viewer::Observer, |s| Viewer::Seat(Seat::new(s)));
            let (scene, journal) = seen(&*self.sitting, viewer).unwrap();
            Shown::of(&sight_text(&scene, &journal))
        }

        fn all_look(&mut self) {
            for eyes in [None, Some(0), Some(1)] {
                let ended = self.tick();
                let shown = self.sight(eyes);
                self.events.push(Event::Looked(Look {
                    table: TABLE.into(),
                    who: format!("{eyes:?}"),
                    own: eyes,
                    eyes,
                    door: Door::View(0),
                    ended,
                    shown,
                    stage: if self.sitting.outcome().is_some() { "over".into() } else { "running".into() },
                    standstill: false,
                    undoable: eyes.map_or(0, |s| self.sitting.undoable(Seat::new(s))),
                    answered: eyes.map_or(0, |s| self.answered[usize::from(s)]),
                    same_server: true,
                    private: Vec::new(),
                }));
            }
        }

        fn kept(&self) -> Kept {
            let record = self.sitting.record(true);
            let entries = record.entries.iter().map(ToString::to_string).collect();
            let mut head = record;
            head.entries.clear();
            let draft = |s: u8| self.sitting.draft(Seat::new(s)).iter().map(ToString::to_string).collect();
            Kept {
                table: TABLE.into(),
                game: head.game.clone(),
                head: Some(head.to_string()),
                entries,
                drafts: [0, 1].map(|s| (s, draft(s))).into(),
                stage: "running".into(),
            }
        }

        fn truth(&self) -> Truth {
            Truth::of(self.kept()).unwrap().unwrap()
        }

        fn findings(&self) -> Findings {
            check(&self.events, &[self.truth()], &|_| None)
        }

        fn looks(&mut self) -> impl Iterator<Item = &mut Look> {
            self.events.iter_mut().filter_map(|e| match e {
                Event::Looked(look) => Some(look),
                _ => None,
            })
        }
    }

    fn promises(findings: &Findings) -> Vec<Promise> {
        let mut all: Vec<_> = findings.violations.iter().map(|v| v.promise).collect();
        all.sort();
        all.dedup();
        all
    }

    #[test]
    fn an_honest_evening_is_in_order() {
        for (id, seed) in [
            ("phantom-tic-tac-toe", 1),
            ("phantom-tic-tac-toe", 2),
            ("ten-towns", 3),
            ("ten-towns", 4),
            ("crusader-rex", 5),
        ] {
            let evening = Evening::of(id, seed, if id == "crusader-rex" { 120 } else { 150 });
            let findings = evening.findings();
            assert_eq!(findings.violations, [], "{id} {seed}");
            assert!(id != "crusader-rex" || evening.opened > 2, "windows were opened");
            assert_eq!(
                findings.looks,
                evening.events.iter().filter(|e| matches!(e, Event::Looked(_))).count()
            );
            let answers = |wanted: Answer| {
                evening
                    .events
                    .iter()
                    .filter(|e| matches!(e, Event::Answered { answer, .. } if *answer == wanted))
                    .count()
            };
            assert!(
                id == "phantom-tic-tac-toe" || answers(Answer::Held) > 2 && answers(Answer::Done) > 0,
                "{id}: it had secrets"
            );
        }
    }

    #[test]
    fn a_lost_acknowledgement_is_found() {
        let evening = Evening::of("ten-towns", 3, 100);
        let mut kept = evening.kept();
        kept.entries.pop();
        kept.drafts.clear();
        let findings = check(&evening.events, &[Truth::of(kept).unwrap().unwrap()], &|_| None);
        assert!(promises(&findings).contains(&Promise::Kept), "{findings:?}");
        // A table that is gone altogether.
        assert_eq!(promises(&check(&evening.events, &[], &|_| None)), [Promise::Kept]);
        // A draft that is gone.
        let mut kept =
            (30..).map(|n| Evening::of("ten-towns", 3, n)).find(|e| !e.kept().drafts[&0].is_empty()).unwrap();
        kept.events.retain(|e| !matches!(e, Event::Looked(_)));
        let mut without = kept.kept();
        without.drafts.clear();
        assert_eq!(promises(&kept.findings()), []);
        let findings = check(&kept.events, &[Truth::of(without).unwrap().unwrap()], &|_| None);
        assert_eq!(promises(&findings), [Promise::Kept]);
    }

    #[test]
    fn what_was_done_twice_or_refused_and_done_is_found() {
        let mut evening = Evening::of("phantom-tic-tac-toe", 1, 6);
        evening.events.retain(|e| !matches!(e, Event::Looked(_)));
        let honest = evening.events.clone();
        let last = evening.events.iter().rposition(|e| matches!(e, Event::Answered { .. })).unwrap();
        if let Event::Answered { answer, .. } = &mut evening.events[last] {
            *answer = Answer::Refused("stale".into());
        }
        assert_eq!(promises(&evening.findings()), [Promise::Kept]);
        // Done once in the eyes of the player and twice in the record.
        evening.events = honest;
        evening.events.truncate(evening.events.len() - 2);
        assert_eq!(promises(&evening.findings()), [Promise::Kept]);
        // A request that nobody was told of may have been done or not.
        let mut unsure = Evening::of("phantom-tic-tac-toe", 1, 6);
        unsure.events.retain(|e| !matches!(e, Event::Looked(_)));
        unsure.events.pop();
        assert_eq!(promises(&unsure.findings()), []);
    }

    #[test]
    fn a_second_order_of_events_is_found() {
        let mut evening = Evening::of("ten-towns", 3, 60);
        // An onlooker was shown how the same evening would have gone on with other dice and choices.
        let other = Evening::of("ten-towns", 4, 60).sight(None);
        evening.looks().filter(|l| l.eyes.is_none()).last().unwrap().shown = other;
        assert_eq!(promises(&evening.findings()), [Promise::OneOrder]);
    }

    #[test]
    fn going_back_is_found() {
        let mut evening = Evening::of("ten-towns", 3, 60);
        let mut looks: Vec<_> = evening.looks().filter(|l| l.eyes.is_none()).collect();
        let first = looks[0].shown;
        looks.last_mut().unwrap().shown = first;
        assert_eq!(promises(&evening.findings()), [Promise::NeverBack]);
        // A player who does not see what he was told he had done.
        let mut evening = Evening::of("ten-towns", 3, 60);
        let mut looks: Vec<_> = evening.looks().filter(|l| l.eyes == Some(0)).collect();
        let (last, before) =
            (looks.len() - 1, looks.iter().rposition(|l| l.answered < looks[looks.len() - 1].answered));
        let old = looks[before.unwrap()].clone();
        (looks[last].shown, looks[last].undoable) = (old.shown, old.undoable);
        assert_eq!(promises(&evening.findings()), [Promise::NeverBack]);
        // Through another server, which has not heard of it yet, it is in order.
        evening.looks().filter(|l| l.eyes == Some(0)).last().unwrap().same_server = false;
        let findings = evening.findings();
        assert_eq!((promises(&findings), findings.behind), (vec![], 1));
    }

    #[test]
    fn a_held_choice_that_is_told_early_is_found() {
        let mut evening = Evening::of("ten-towns", 3, 100);
        let truth = evening.truth();
        let (_, opened) = {
            let all = clicks(&evening.events);
            let of = |s: u8| all[&(TABLE.to_string(), s)].clone();
            let (one, two) = (of(0), of(1));
            let mut requests = BTreeMap::new();
            for (seat, clicks) in [(0, &one), (1, &two)] {
                let found = matched(&truth, seat, clicks).unwrap();
                let stand = standing(clicks, &found.undid);
                requests.extend(found.entries.into_iter().zip(stand));
            }
            let opened = openings(&truth, &requests);
            // Both chose; the first of them is not shown before the second has.
            let held = one.iter().find(|c| matches!(c.answer, Some((_, _, Answer::Held)))).unwrap().clone();
            let at = truth.by_hand.iter().find(|e| e.seat == 0).unwrap().entry;
            assert!(opened[at] > held.sent, "{} {}", opened[at], held.sent);
            (held, opened)
        };
        // Somebody sees the opened choices as early as the first of them was made.
        let moment = (1..opened.len()).find(|i| opened[*i] > opened[i - 1]).unwrap();
        let shown = evening
            .looks()
            .filter(|l| l.eyes.is_none())
            .map(|l| l.shown)
            .find(|shown| truth.when_seen(None, *shown).first().is_some_and(|m| *m >= moment))
            .unwrap();
        let early = evening.looks().find(|l| l.eyes.is_none()).unwrap();
        early.shown = shown;
        assert!(promises(&evening.findings()).contains(&Promise::Secrecy));
    }

    #[test]
    fn anothers_sight_is_found() {
        let mut evening = Evening::of("phantom-tic-tac-toe", 1, 4);
        // The onlooker is sent the sight of a seat.
        let own = evening.sight(Some(0));
        evening.looks().filter(|l| l.eyes.is_none()).last().unwrap().shown = own;
        assert_eq!(promises(&evening.findings()), [Promise::Secrecy]);
        // A seat is let look through the eyes of the other.
        let mut evening = Evening::of("phantom-tic-tac-toe", 1, 4);
        evening.looks().filter(|l| l.eyes == Some(0)).last().unwrap().own = None;
        assert_eq!(promises(&evening.findings()), [Promise::Secrecy]);
        // An onlooker is offered something.
        let mut evening = Evening::of("phantom-tic-tac-toe", 1, 4);
        evening.looks().find(|l| l.eyes.is_none()).unwrap().private = vec!["offered".into()];
        assert_eq!(promises(&evening.findings()), [Promise::Secrecy]);
    }

    #[test]
    fn the_sight_of_a_draft_is_no_other_viewers() {
        let mut evening =
            (10..).map(|n| Evening::of("ten-towns", 3, n)).find(|e| !e.kept().drafts[&0].is_empty()).unwrap();
        let drafted = evening.sight(Some(0));
        evening.looks().filter(|l| l.eyes == Some(1)).last().unwrap().shown = drafted;
        assert_eq!(promises(&evening.findings()), [Promise::OneOrder]);
    }

    #[test]
    fn hidden_names_and_records_given_out_are_found() {
        let evening = Evening::of("ten-towns", 3, 40);
        let truth = evening.truth();
        assert!(!truth.over);
        let secret = truth.unknown(Some(1), truth.entries()).find(|m| !m.contains('-')).unwrap().to_string();
        let heard = |own, text: &str| {
            let mut events = evening.events.clone();
            let (shown, ended) = (Shown::of(text), evening.now + 1);
            let (table, who, door) = (TABLE.to_string(), "Eve".to_string(), Door::Socket);
            events.push(Event::Heard { table, who, own, door, ended, shown });
            promises(&check(&events, &[evening.truth()], &|s| (s == shown).then(|| text.to_string())))
        };
        let text = format!("<title>{secret} 2, strength 3</title>");
        assert_eq!(heard(Some(1), &text), [Promise::Secrecy]);
        assert_eq!(heard(Some(0), &text), [], "its own block");
        assert_eq!(heard(Some(1), "<title>a hidden block of Red</title>"), []);
        let pried = |status| {
            let mut events = evening.events.clone();
            let (table, what, ended) = (TABLE.to_string(), "/record".to_string(), evening.now + 1);
            events.push(Event::Pried { table, what, status, ended });
            promises(&check(&events, &[evening.truth()], &|_| None))
        };
        assert_eq!(pried(409), []);
        assert_eq!(pried(200), [Promise::Secrecy]);
    }
}
