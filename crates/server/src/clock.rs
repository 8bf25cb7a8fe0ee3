//! Time to think: a bank for each seat, and so much for each decision before the bank is touched.
//!
//! All arithmetic, no waiting: the table says who must decide now, who has not chosen yet and who is known to
//! have chosen, and what time it is. A clock runs until its seat has chosen for the first time, which everybody
//! may know, and then stands still. What others are shown must not tell who takes a secret choice back, so
//! thinking again costs nothing as long as somebody else has not chosen at all: nobody waits for it. When all
//! have chosen once and nothing is opened, anybody can tell that somebody thinks again. From then on a clock
//! has two sides: **shown**, all run that have chosen; in **truth**, those run that think again, and only what
//! that side counted is taken from the bank.
//!
//! For the same reason time has run out for nobody before it has for all who are awaited, as shown: whether a
//! claim is possible never depends on who thinks again.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde::{Deserialize, Serialize};
use table::{Seat, SeatSet};
use utoipa::ToSchema;

/// What time it is: the system's time, or for tests one that is moved by hand.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<AtomicI64>>);

impl Clock {
    /// A clock that stands still until it is moved.
    pub fn by_hand() -> Self {
        Self(Some(Arc::new(AtomicI64::new(jiff::Timestamp::now().as_millisecond()))))
    }

    /// Moves a clock that stands still.
    pub fn pass(&self, time: std::time::Duration) {
        if let Some(hand) = &self.0 {
            hand.fetch_add(time.as_millis() as i64, Ordering::SeqCst);
        }
    }

    /// Now, in milliseconds since 1970.
    pub fn now(&self) -> i64 {
        match &self.0 {
            Some(hand) => hand.load(Ordering::SeqCst),
            None => jiff::Timestamp::now().as_millisecond(),
        }
    }
}

/// How much time the seats of a table have, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// In the bank, for the whole game.
    pub bank: u32,
    /// For each decision, before the bank is touched.
    #[serde(default)]
    pub each: u32,
}

const DAY: u32 = 86_400;

/// Paces that the lobby offers: a word, its name, and the pace.
pub(crate) const USUAL: [(&str, &str, Pace); 5] = [
    ("1800+60", "Brisk: half an hour, and a minute for each decision", Pace { bank: 1800, each: 60 }),
    ("7200+120", "An evening: two hours, and two minutes for each decision", Pace { bank: 7200, each: 120 }),
    ("259200+86400", "A move a day: three days, and a day each", Pace { bank: 3 * DAY, each: DAY }),
    ("604800+259200", "At leisure: a week, and three days each", Pace { bank: 7 * DAY, each: 3 * DAY }),
    ("300+10", "Lightning: five minutes, and ten seconds each", Pace { bank: 300, each: 10 }),
];

impl Pace {
    /// This pace, if somebody can play by it.
    pub fn checked(self) -> Result<Self, String> {
        if self.bank > 60 * DAY || self.each > 30 * DAY {
            return Err("a clock has at most 60 days in its bank and 30 days for each decision".into());
        }
        if self.bank + self.each < 5 {
            return Err("a clock with less than 5 seconds would run out before anybody could act".into());
        }
        Ok(self)
    }

    /// How it is written in forms: `BANK+EACH`, in seconds.
    pub fn word(self) -> String {
        format!("{}+{}", self.bank, self.each)
    }

    /// Reads what [`Pace::word`] writes; nothing for an empty word.
    pub fn of(word: &str) -> Result<Option<Self>, String> {
        if word.is_empty() || word == "none" {
            return Ok(None);
        }
        let wrong = || format!("a clock is written BANK+EACH in seconds, such as 1800+60, not `{word}`");
        let (bank, each) = word.split_once('+').ok_or_else(wrong)?;
        let pace =
            Self { bank: bank.parse().map_err(|_| wrong())?, each: each.parse().map_err(|_| wrong())? };
        pace.checked().map(Some)
    }
}

/// The clocks of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clocks {
    pub(crate) pace: Pace,
    glasses: Vec<Glass>,
}

/// The clock of one seat; times in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glass {
    /// What is in the bank, not counting the decision under way.
    pub left: i64,
    /// The decision under way.
    pub stay: Option<Stay>,
}

/// A decision under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stay {
    /// How long the seat truly thought before its clock last stopped.
    pub thought: i64,
    /// Since when it truly runs.
    pub runs: Option<i64>,
    /// How long it had thought when it first chose in secret: there its clock stands, as shown.
    pub chose: Option<i64>,
    /// Since when it runs again, as shown, because all have chosen and somebody thinks again.
    pub again: Option<i64>,
}

impl Stay {
    /// As shown: how long the seat thought before its clock last stopped, and since when it runs.
    fn shown(&self) -> (i64, Option<i64>) {
        match self.chose {
            Some(thought) => (thought, self.again),
            None => (self.thought, self.runs),
        }
    }
}

/// Who does what at a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hands {
    /// Must decide.
    pub(crate) deciding: SeatSet,
    /// Of those the ones that have not chosen, or think again.
    pub(crate) waiting: SeatSet,
    /// Have chosen once in secret, as all may know.
    pub(crate) chosen: SeatSet,
    /// Had their choices opened just now: a new decision begins for them even if they are to decide again.
    pub(crate) opened: SeatSet,
    /// Have clocks: not those of bots.
    pub(crate) timed: SeatSet,
}

/// A clock as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// The seat.
    pub seat: u8,
    /// What is in its bank, in milliseconds, not counting the decision under way.
    pub left: i64,
    /// Since when it runs, in milliseconds since 1970.
    pub since: Option<i64>,
    /// When it runs out.
    pub runs_out: Option<i64>,
}

impl Clocks {
    pub(crate) fn new(pace: Pace, seats: usize) -> Self {
        let left = i64::from(pace.bank) * 1000;
        Self { pace, glasses: vec![Glass { left, stay: None }; seats] }
    }

    /// Clocks as they were kept.
    pub(crate) const fn kept(pace: Pace, glasses: Vec<Glass>) -> Self {
        Self { pace, glasses }
    }

    /// The clocks of the seats, in their order.
    pub(crate) fn glasses(&self) -> &[Glass] {
        &self.glasses
    }

    fn each(&self) -> i64 {
        i64::from(self.pace.each) * 1000
    }

    /// Something happened.
    pub(crate) fn advance(&mut self, now: i64, hands: &Hands) {
        let each = self.each();
        let Hands { deciding, waiting, chosen, opened, timed } = *hands;
        // All have chosen once, and yet somebody is awaited.
        let again = !deciding.is_empty() && deciding.minus(chosen).is_empty();
        for (i, glass) in self.glasses.iter_mut().enumerate() {
            let seat = Seat::new(i as u8);
            let on = deciding.both(timed).contains(seat);
            let over = |stay: &Stay| stay.chose.is_some() && !chosen.contains(seat);
            if let Some(stay) = glass.stay.take_if(|s| !on || opened.contains(seat) || over(s)) {
                let thought = stay.thought + stay.runs.map_or(0, |since| (now - since).max(0));
                glass.left = (glass.left - (thought - each).max(0)).max(0);
            }
            if !on {
                continue;
            }
            let stay = glass.stay.get_or_insert_default();
            let first = chosen.contains(seat) && stay.chose.is_none();
            let counts = waiting.contains(seat) && (again || !chosen.contains(seat));
            match (stay.runs, counts && !first) {
                (Some(since), false) => {
                    stay.thought += (now - since).max(0);
                    stay.runs = None;
                }
                (None, true) => stay.runs = Some(now),
                _ => {}
            }
            if first {
                stay.chose = Some(stay.thought);
                stay.runs = (again && counts).then_some(now);
            }
            match (stay.again, stay.chose) {
                (None, Some(_)) if again => stay.again = Some(now),
                // Somebody else is to decide now as well.
                (Some(since), Some(thought)) if !again => {
                    stay.chose = Some(thought + (now - since).max(0));
                    stay.again = None;
                }
                _ => {}
            }
        }
    }

    /// Gives a seat more time: at least so much from now on.
    pub(crate) fn grant(&mut self, seat: Seat, now: i64, seconds: u32) {
        let each = self.each();
        if let Some(glass) = self.glasses.get_mut(seat.index()) {
            let (thought, since) = glass.stay.as_ref().map_or((0, None), Stay::shown);
            let used = thought + since.map_or(0, |since| now - since) - each;
            glass.left = glass.left.max(used) + i64::from(seconds) * 1000;
        }
    }

    /// What is shown to somebody who knows these seats to be awaited.
    pub(crate) fn shown(&self, awaited: SeatSet) -> Vec<Shown> {
        let each = self.each();
        let one = |(i, glass): (usize, &Glass)| {
            let (thought, since) = glass.stay.as_ref().map_or((0, None), Stay::shown);
            let since = since.filter(|_| awaited.contains(Seat::new(i as u8)));
            let left = (glass.left - (thought - each).max(0)).max(0);
            let runs_out = since.map(|s| s + (each - thought).max(0) + left);
            Shown { seat: i as u8, left, since, runs_out }
        };
        self.glasses.iter().enumerate().map(one).collect()
    }

    /// When, as shown, time will have run out for all of these; never, if one of them has no clock or there is
    /// nobody.
    pub(crate) fn runs_out(&self, awaited: SeatSet) -> Option<i64> {
        let shown = self.shown(awaited);
        let ends = awaited.iter().map(|s| shown.get(s.index()).and_then(|c| c.runs_out));
        ends.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(list: &[u8]) -> SeatSet {
        list.iter().map(|s| Seat::new(*s)).collect()
    }

    const PACE: Pace = Pace { bank: 100, each: 10 };
    const BOTH: [u8; 2] = [0, 1];

    /// All seats have clocks; nothing was opened.
    fn hands(deciding: &[u8], waiting: &[u8], chosen: &[u8]) -> Hands {
        let (deciding, waiting, chosen) = (seats(deciding), seats(waiting), seats(chosen));
        Hands { deciding, waiting, chosen, opened: SeatSet::NONE, timed: SeatSet::first(3) }
    }

    fn opened(hands: Hands) -> Hands {
        Hands { opened: SeatSet::first(3), ..hands }
    }

    /// Two seats choose in secret: a clock stands still from the first choice on, whatever its seat does then,
    /// and each pays for its own time.
    #[test]
    fn thinking_again_does_not_show_on_the_clock() {
        let mut steady = Clocks::new(PACE, 2);
        steady.advance(0, &hands(&BOTH, &BOTH, &[]));
        steady.advance(20_000, &hands(&BOTH, &[1], &[0]));
        let mut wavering = steady.clone();
        assert_eq!(
            steady.shown(seats(&[1]))[0],
            Shown { seat: 0, left: 90_000, since: None, runs_out: None }
        );
        wavering.advance(25_000, &hands(&BOTH, &BOTH, &[0]));
        assert_eq!(wavering, steady, "a choice that is taken back");
        assert_eq!(wavering.runs_out(seats(&[1])), Some(110_000), "the one who is awaited decides");
        wavering.advance(60_000, &hands(&BOTH, &[1], &[0]));
        assert_eq!(wavering, steady, "and made anew");
        for clocks in [&mut steady, &mut wavering] {
            clocks.advance(80_000, &opened(hands(&[0], &[0], &[])));
        }
        assert_eq!(wavering, steady);
        assert_eq!((steady.shown(seats(&[0]))[0].left, steady.shown(seats(&[0]))[1].left), (90_000, 30_000));
        assert_eq!(steady.shown(seats(&[0]))[0].since, Some(80_000), "a new decision");
    }

    /// When all have chosen and one thinks again, all seem to; only that one pays.
    #[test]
    fn who_keeps_all_others_waiting_pays_for_it() {
        let mut clocks = Clocks::new(PACE, 2);
        clocks.advance(0, &hands(&BOTH, &BOTH, &[]));
        clocks.advance(4_000, &hands(&BOTH, &[1], &[0]));
        clocks.advance(5_000, &hands(&BOTH, &BOTH, &[0]));
        clocks.advance(30_000, &hands(&BOTH, &[0], &BOTH));
        let shown = clocks.shown(seats(&BOTH));
        assert_eq!((shown[0].since, shown[1].since), (Some(30_000), Some(30_000)));
        // Four of the ten seconds that each decision has were used; the other has used twenty of its bank.
        assert_eq!((shown[0].runs_out, shown[1].runs_out), (Some(136_000), Some(110_000)));
        assert_eq!(clocks.runs_out(seats(&BOTH)), Some(136_000));
        clocks.advance(50_000, &opened(hands(&BOTH, &BOTH, &[])));
        let shown = clocks.shown(seats(&BOTH));
        assert_eq!((shown[0].left, shown[1].left), (86_000, 80_000), "24 and 30 seconds, ten of them free");
        assert_eq!((shown[0].since, shown[1].since), (Some(50_000), Some(50_000)));
    }

    /// Choices can be opened unnoticed, by a standing order: the clock does not stand still for ever.
    #[test]
    fn a_clock_runs_again_after_the_choices_were_opened() {
        let mut clocks = Clocks::new(PACE, 2);
        clocks.advance(0, &hands(&BOTH, &BOTH, &[]));
        clocks.advance(1_000, &hands(&BOTH, &[1], &[0]));
        clocks.advance(2_000, &hands(&BOTH, &BOTH, &[]));
        assert_eq!(clocks.shown(seats(&BOTH))[0].since, Some(2_000));
    }

    #[test]
    fn time_runs_out_for_all_who_are_awaited_or_for_nobody() {
        let all = seats(&BOTH);
        let mut clocks = Clocks::new(PACE, 2);
        clocks.advance(0, &hands(&[0], &[0], &[]));
        clocks.advance(50_000, &hands(&BOTH, &BOTH, &[]));
        assert_eq!(clocks.shown(all)[0].runs_out, Some(110_000));
        assert_eq!(clocks.runs_out(all), Some(160_000));
        assert_eq!(clocks.runs_out(SeatSet::NONE), None);
        // A bot has no clock, and while it thinks nobody can claim.
        clocks.advance(60_000, &Hands { timed: seats(&[0]), ..hands(&BOTH, &BOTH, &[]) });
        assert_eq!(clocks.runs_out(all), None);
    }

    #[test]
    fn what_is_granted_counts_from_now_on() {
        let one = seats(&[0]);
        let mut clocks = Clocks::new(PACE, 1);
        clocks.advance(0, &hands(&[0], &[0], &[]));
        clocks.grant(Seat::new(0), 500_000, 60);
        assert_eq!(clocks.shown(one)[0].runs_out, Some(560_000));
        clocks.grant(Seat::new(0), 500_000, 60);
        assert_eq!(clocks.shown(one)[0].runs_out, Some(620_000));
    }

    #[test]
    fn a_bank_never_falls_below_nothing_and_each_decision_has_its_own() {
        let one = seats(&[0]);
        let mut clocks = Clocks::new(PACE, 1);
        clocks.advance(0, &hands(&[0], &[0], &[]));
        clocks.advance(400_000, &hands(&[], &[], &[]));
        assert_eq!(clocks.shown(one)[0].left, 0);
        clocks.advance(500_000, &hands(&[0], &[0], &[]));
        assert_eq!(clocks.shown(one)[0].runs_out, Some(510_000));
    }

    #[test]
    fn paces_are_read_and_checked() {
        assert_eq!(Pace::of("1800+60"), Ok(Some(Pace { bank: 1800, each: 60 })));
        assert_eq!(Pace::of(""), Ok(None));
        for wrong in ["1800", "a+b", "0+1", "99999999999+1", "6000000+1", "-5+9"] {
            assert!(Pace::of(wrong).is_err(), "{wrong}");
        }
        for (word, _, pace) in USUAL {
            assert_eq!(Pace::of(word), Ok(Some(pace)));
            assert_eq!(pace.word(), word);
        }
    }
}
