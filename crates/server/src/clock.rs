//! Time to think: a bank for each seat, and so much for each decision before the bank is touched.
//!
//! All arithmetic, no waiting: the table says who must decide now and who has not chosen yet, and what time
//! it is. What others are shown must not tell who of several has already made a secret choice, so a clock
//! has two sides. The **shown** side starts when a seat must decide and stops when it need not any more (or
//! when the secret choices of all are opened), whatever it did meanwhile. The **true** side stops as soon as
//! the seat has chosen; only what that side counted is taken from the bank, when the shown side stops.
//!
//! For the same reason time has run out for nobody before it has for all who must decide, as shown: whether
//! a claim is possible never depends on who has chosen.

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

    /// How it is written in forms and in the store: `BANK+EACH`, in seconds.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Clocks {
    pub(crate) pace: Pace,
    seats: Vec<Glass>,
}

/// The clock of one seat; times in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Glass {
    /// What is in the bank, not counting the decision under way.
    left: i64,
    /// The decision under way.
    stay: Option<Stay>,
}

/// A decision under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stay {
    /// Since when others are shown a running clock.
    began: i64,
    /// How long the seat truly thought before its clock last stopped.
    thought: i64,
    /// Since when it truly runs.
    runs: Option<i64>,
}

/// A clock as everybody is shown it.
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
        Self { pace, seats: vec![Glass { left, stay: None }; seats] }
    }

    fn each(&self) -> i64 {
        i64::from(self.pace.each) * 1000
    }

    /// Something happened. `deciding` must decide, `waiting` are those of them who have not chosen yet,
    /// `opened` are seats whose choices were just opened, so that a new decision begins for them even if they
    /// are to decide again. Only `timed` seats have clocks: not those of bots.
    pub(crate) fn advance(
        &mut self,
        now: i64,
        deciding: SeatSet,
        waiting: SeatSet,
        opened: SeatSet,
        timed: SeatSet,
    ) {
        let each = self.each();
        for (i, glass) in self.seats.iter_mut().enumerate() {
            let seat = Seat::new(i as u8);
            let on = deciding.both(timed).contains(seat);
            if let Some(stay) = glass.stay.take_if(|_| !on || opened.contains(seat)) {
                let thought = stay.thought + stay.runs.map_or(0, |since| (now - since).max(0));
                glass.left = (glass.left - (thought - each).max(0)).max(0);
            }
            if on {
                let stay = glass.stay.get_or_insert(Stay { began: now, thought: 0, runs: None });
                match (stay.runs, waiting.contains(seat)) {
                    (Some(since), false) => {
                        stay.thought += (now - since).max(0);
                        stay.runs = None;
                    }
                    (None, true) => stay.runs = Some(now),
                    _ => {}
                }
            }
        }
    }

    /// Gives a seat more time: at least so much from now on.
    pub(crate) fn grant(&mut self, seat: Seat, now: i64, seconds: u32) {
        let each = self.each();
        if let Some(glass) = self.seats.get_mut(seat.index()) {
            let used = glass.stay.as_ref().map_or(0, |stay| now - stay.began - each);
            glass.left = glass.left.max(used) + i64::from(seconds) * 1000;
        }
    }

    /// What everybody is shown.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        let each = self.each();
        let one = |(i, glass): (usize, &Glass)| {
            let since = glass.stay.as_ref().map(|stay| stay.began);
            Shown { seat: i as u8, left: glass.left, since, runs_out: since.map(|s| s + each + glass.left) }
        };
        self.seats.iter().enumerate().map(one).collect()
    }

    /// When, as shown, time will have run out for all who must decide; never, if somebody without a clock
    /// is among them or nobody must decide.
    pub(crate) fn runs_out(&self, deciding: SeatSet) -> Option<i64> {
        let shown = self.shown();
        let ends = deciding.iter().map(|s| shown.get(s.index()).and_then(|c| c.runs_out));
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

    /// Two seats choose in secret; one of them after 20 seconds, the other at once.
    #[test]
    fn a_secret_choice_does_not_show_on_the_clock() {
        let all = seats(&BOTH);
        let mut early = Clocks::new(PACE, 2);
        early.advance(0, all, all, SeatSet::NONE, all);
        let mut late = early.clone();
        early.advance(1_000, all, seats(&[1]), SeatSet::NONE, all);
        assert_eq!(early.shown(), late.shown(), "who has chosen looks like the rest");
        assert_eq!(early.runs_out(all), late.runs_out(all));
        late.advance(20_000, all, seats(&[1]), SeatSet::NONE, all);
        assert_eq!(early.shown(), late.shown());
        // All have chosen: now the banks tell, each seat pays for its own time and for no other's.
        early.advance(30_000, seats(&[0]), seats(&[0]), all, all);
        late.advance(30_000, seats(&[0]), seats(&[0]), all, all);
        assert_eq!(early.shown()[0].left, 100_000, "within what each decision has");
        assert_eq!(late.shown()[0].left, 90_000);
        assert_eq!(late.shown()[1].left, 80_000);
        assert_eq!((late.shown()[0].since, late.shown()[1].since), (Some(30_000), None));
    }

    #[test]
    fn time_runs_out_for_all_who_decide_or_for_nobody() {
        let all = seats(&BOTH);
        let mut clocks = Clocks::new(PACE, 2);
        clocks.advance(0, seats(&[0]), seats(&[0]), SeatSet::NONE, all);
        clocks.advance(50_000, all, all, SeatSet::NONE, all);
        assert_eq!(clocks.shown()[0].runs_out, Some(110_000));
        assert_eq!(clocks.runs_out(all), Some(160_000));
        assert_eq!(clocks.runs_out(SeatSet::NONE), None);
        // A bot has no clock, and while it thinks nobody can claim.
        clocks.advance(60_000, all, all, SeatSet::NONE, seats(&[0]));
        assert_eq!(clocks.runs_out(all), None);
    }

    #[test]
    fn what_is_granted_counts_from_now_on() {
        let one = seats(&[0]);
        let mut clocks = Clocks::new(PACE, 1);
        clocks.advance(0, one, one, SeatSet::NONE, one);
        clocks.grant(Seat::new(0), 500_000, 60);
        assert_eq!(clocks.shown()[0].runs_out, Some(560_000));
        clocks.grant(Seat::new(0), 500_000, 60);
        assert_eq!(clocks.shown()[0].runs_out, Some(620_000));
    }

    #[test]
    fn a_bank_never_falls_below_nothing_and_each_decision_has_its_own() {
        let one = seats(&[0]);
        let mut clocks = Clocks::new(PACE, 1);
        clocks.advance(0, one, one, SeatSet::NONE, one);
        clocks.advance(400_000, SeatSet::NONE, SeatSet::NONE, SeatSet::NONE, one);
        assert_eq!(clocks.shown()[0].left, 0);
        clocks.advance(500_000, one, one, SeatSet::NONE, one);
        assert_eq!(clocks.shown()[0].runs_out, Some(510_000));
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
