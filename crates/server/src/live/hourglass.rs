//! Clocks at a table, and what people may do when time has run out: claim a game, grant time, let a bot take
//! over. Each of these is an event of the table, kept beside the record, because none of them is a move of the
//! game.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use table::{Deed, Seat, SeatSet};

use super::{ATTEMPTS, Event, Live, Table, Tables};
use crate::clock::{Hands, Shown};
use crate::fault::Fault;
use crate::ids::TableId;
use crate::people::Voice;
use crate::secret;
use crate::store::{EventRow, Kind, PersonRow, TableStage};

/// What somebody may do about time that has run out, or about an absent player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Claim the game.
    Claim,
    /// Give a seat more time: so many seconds from now on, or as much as its bank had at first.
    Grant {
        /// To whom.
        to: u8,
        /// How much.
        seconds: Option<u32>,
    },
    /// Let bots of this level sit in for those who are out of time.
    Replace(String),
    /// Let a bot of this level keep a seat warm until its player is back: at once the own one; another's after
    /// it was announced and the table's absence has passed.
    SitIn(String),
    /// Take the own seat back from the bot, or say that one is here.
    ComeBack,
    /// Take back what the bot did meanwhile, while nobody has learned anything from it.
    TakeBack,
    /// Leave the seat for good.
    GiveUp,
    /// Give the game up: with partners a bot plays the seat on, else the others win.
    Resign,
    /// Offer a draw to all who play.
    OfferDraw,
    /// Answer the offer of a draw.
    AnswerDraw(bool),
    /// Put a game away that one plays alone.
    Abandon,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedied {
    /// It is done.
    Done,
    /// It is announced, and can be done from then on, in milliseconds since 1970.
    Announced(i64),
}

impl Remedy {
    /// The remedy that a request names.
    pub(crate) fn named(
        ask: &str,
        to: Option<u8>,
        seconds: Option<u32>,
        level: String,
    ) -> Result<Self, Fault> {
        Ok(match (ask, to) {
            ("claim", _) => Self::Claim,
            ("grant", Some(to)) => Self::Grant { to, seconds },
            ("grant", None) => return Err(Fault::Wrong("say to which seat time is granted".into())),
            ("replace", _) => Self::Replace(level),
            ("sit-in", _) => Self::SitIn(level),
            ("return", _) => Self::ComeBack,
            ("take-back", _) => Self::TakeBack,
            ("give-up", _) => Self::GiveUp,
            ("resign", _) => Self::Resign,
            ("offer-draw", _) => Self::OfferDraw,
            ("agree-draw", _) => Self::AnswerDraw(true),
            ("decline-draw", _) => Self::AnswerDraw(false),
            ("abandon", _) => Self::Abandon,
            (other, _) => {
                let known = "claim, grant, replace, sit-in, return, take-back, give-up, resign, offer-draw, agree-draw, decline-draw or abandon";
                return Err(Fault::Wrong(format!("ask for {known}, not for `{other}`")));
            }
        })
    }
}

impl Live {
    /// How the game ended otherwise than by its rules, if it did: claimed, given up, drawn, put away.
    pub(crate) fn ended(&self) -> Option<&Event> {
        self.events.iter().map(|row| &row.event).find(|e| e.ends())
    }

    /// Seats whose secret choices have just been opened, if seats of `held` are among them: the seats of all
    /// entries that the store does not have yet.
    pub(super) fn opened(&self, held: SeatSet) -> SeatSet {
        let Some(sitting) = self.sitting.as_ref().filter(|_| self.clocks.is_some() && !held.is_empty())
        else {
            return SeatSet::NONE;
        };
        let title = self.title();
        let acted = |entry: table::RecordEntry| match entry.deed {
            Deed::Act { seat, .. } => title.seat_named(&seat),
            Deed::Arrive { .. } | Deed::TakeBack { .. } => None,
        };
        let acted: SeatSet = sitting.entries_since(self.kept).into_iter().filter_map(acted).collect();
        if acted.both(held).is_empty() { SeatSet::NONE } else { acted }
    }

    /// Lets the clocks know what has changed.
    pub(super) fn advance_clocks(&mut self, now: i64, opened: SeatSet) {
        let (deciding, waiting, chosen) = (self.deciding(), self.waiting(), self.chosen());
        let timed = |seat: &Seat| {
            self.seats.get(seat.index()).is_some_and(|r| r.kind == Kind::Person && r.stand_in.is_none())
        };
        let timed = self.party().iter().filter(timed).collect();
        if let Some(clocks) = &mut self.clocks {
            clocks.advance(now, &Hands { deciding, waiting, chosen, opened, timed });
        }
    }

    /// The clocks as the holder of these seats is shown them: those run that he knows to be awaited.
    pub(crate) fn shown_clocks(&self, own: SeatSet) -> Vec<Shown> {
        self.clocks.as_ref().map_or_else(Vec::new, |clocks| clocks.shown(self.seen_waiting(own)))
    }

    /// Whether time has run out for all whom the holder of these seats knows to be awaited.
    pub(crate) fn out_of_time(&self, now: i64, own: SeatSet) -> bool {
        let end = self.clocks.as_ref().and_then(|clocks| clocks.runs_out(self.seen_waiting(own)));
        end.is_some_and(|end| end <= now)
    }

    /// Whether a clock has run out within this time, in anybody's eyes.
    fn ran_out(&self, after: i64, now: i64) -> bool {
        let all = self.party();
        let clocks = self.clocks.as_ref().map_or_else(Vec::new, |clocks| clocks.shown(all));
        clocks.iter().filter_map(|c| c.runs_out).any(|end| after < end && end <= now)
    }

    /// Those for whom time has run out, if it has, in the eyes of the holder of these seats: of those whom he
    /// knows to be awaited the ones that have not chosen.
    fn late(&self, now: i64, own: SeatSet) -> Result<SeatSet, Fault> {
        if self.clocks.is_none() {
            return Err(Fault::Stage("this table has no clocks".into()));
        }
        if self.out_of_time(now, own) {
            return Ok(self.seen_waiting(own).both(self.waiting()));
        }
        // By what he knows: who thinks again makes no difference.
        Err(Fault::Stage("time has not run out for all who must decide".into()))
    }
}

impl Tables {
    /// Does something about time or absence. `seat` is the seat of the person who asks, or for
    /// [`Remedy::SitIn`] the one that is kept warm.
    pub(crate) async fn remedy(
        &self,
        id: &TableId,
        person: &Voice,
        seat: u8,
        remedy: &Remedy,
    ) -> Result<Remedied, Fault> {
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        self.catch_up(&table, &mut live).await?;
        for _ in 0..ATTEMPTS {
            match self.try_remedy(&table, &mut live, person, seat, remedy).await {
                Err(Fault::Raced) => {}
                done => return done,
            }
        }
        Err(Fault::Raced)
    }

    async fn try_remedy(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        person: &PersonRow,
        seat: u8,
        remedy: &Remedy,
    ) -> Result<Remedied, Fault> {
        if *remedy == Remedy::GiveUp {
            return self.try_give_up(table, live, person, seat).await.map(|()| Remedied::Done);
        }
        if live.sitting.is_none() || live.frozen.is_some() || live.over() {
            return Err(Fault::Stage("the game is not being played".into()));
        }
        let known = Seat::try_from(seat).ok().filter(|s| s.index() < live.seats.len());
        let asked = known.ok_or_else(|| Fault::Missing(format!("seat {seat}")))?;
        let own = live.held_by(Some(&person.id));
        let mine = own.contains(asked);
        match remedy {
            Remedy::SitIn(level) => return self.sit_in(table, live, person, asked, level).await,
            _ if !mine => return Err(Fault::NotYours("this seat is not yours".into())),
            Remedy::Claim => self.claim(table, live, asked, own).await,
            Remedy::Grant { to, seconds } => self.grant(table, live, asked, *to, *seconds).await,
            Remedy::Replace(level) => self.replace(table, live, person, asked, own, level).await,
            Remedy::ComeBack => self.come_back(table, live, asked).await,
            Remedy::TakeBack => self.take_back_bot(table, live, asked).await,
            Remedy::GiveUp => self.give_up(table, live, asked).await,
            Remedy::Resign => self.resign(table, live, asked).await,
            Remedy::OfferDraw => self.offer_draw(table, live, asked).await,
            Remedy::AnswerDraw(agrees) => self.answer_draw(table, live, asked, own, *agrees).await,
            Remedy::Abandon => self.abandon(table, live, asked, own).await,
        }
        .map(|()| Remedied::Done)
    }

    async fn claim(&self, table: &Arc<Table>, live: &mut Live, by: Seat, own: SeatSet) -> Result<(), Fault> {
        let (late, awaited) = (live.late(self.now(), own)?, live.seen_waiting(own));
        let title = live.title();
        let side = title.allies(by);
        if own.contains(by) && late.contains(by) {
            return Err(Fault::NotYours("your own time has run out too: decide first".into()));
        }
        // By what he knows: a partner who seems to be awaited may have chosen, and nobody may find out so.
        let partners = awaited.both(side.with(by)).without(by);
        if !partners.is_empty() || !own.both(late).is_empty() {
            return Err(Fault::NotYours("your own side must decide too, so you cannot claim".into()));
        }
        let losers: SeatSet = late.iter().flat_map(|s| title.allies(s).with(s).iter()).collect();
        let numbers = |seats: SeatSet| seats.iter().map(u8::from).collect::<Vec<_>>();
        let winners = live.party().minus(losers);
        let event = Event::Claimed { by: by.into(), out: numbers(late), winners: numbers(winners) };
        self.end_by(table, live, event).await
    }

    /// An event ends the game.
    pub(super) async fn end_by(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        event: Event,
    ) -> Result<(), Fault> {
        let headline = event.in_words(live.title());
        live.events.push(EventRow { at: secret::now(), event: event.clone() });
        // With the event the table waits for nobody, and its clocks stand still.
        live.advance_clocks(self.now(), SeatSet::NONE);
        live.events.pop();
        let mut addition = live.event_addition(&event);
        addition.waiting = SeatSet::NONE;
        addition.stage = Some(TableStage::Over);
        addition.headline = Some(headline);
        self.happen(table, live, event, addition).await
    }

    async fn grant(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        by: Seat,
        to: u8,
        seconds: Option<u32>,
    ) -> Result<(), Fault> {
        let known = Seat::try_from(to).ok().filter(|s| s.index() < live.seats.len());
        let to = known.ok_or_else(|| Fault::Missing(format!("seat {to}")))?;
        let title = live.title();
        if to == by || title.allies(by).contains(to) {
            return Err(Fault::NotYours("only an opponent can grant time".into()));
        }
        let same_person = live.seats[to.index()].person == live.seats[by.index()].person;
        let now = self.now();
        let Some(clocks) = &mut live.clocks else {
            return Err(Fault::Stage("this table has no clocks".into()));
        };
        let seconds = seconds.unwrap_or(clocks.pace.bank.max(clocks.pace.each));
        if !(1..=30 * 86_400).contains(&seconds) {
            return Err(Fault::Wrong("grant between a second and 30 days".into()));
        }
        if same_person {
            return Err(Fault::NotYours("both seats are yours".into()));
        }
        clocks.grant(to, now, seconds);
        let event = Event::Granted { by: by.into(), to: to.into(), seconds };
        let addition = live.event_addition(&event);
        self.happen(table, live, event, addition).await
    }

    async fn replace(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        person: &PersonRow,
        by: Seat,
        own: SeatSet,
        level: &str,
    ) -> Result<(), Fault> {
        let late = live.late(self.now(), own)?;
        if late.contains(by) {
            return Err(Fault::NotYours("your own time has run out too: decide first".into()));
        }
        // One after the other: each is an event of its own.
        for seat in late.iter() {
            self.put_in(table, live, person, seat, Some(by.into()), level).await?;
        }
        Ok(())
    }

    /// Tells those who look at a table that its time has run out. To be called now and then.
    pub async fn tick(&self) {
        let now = self.now();
        let before = self.0.ticked.swap(now, Ordering::Relaxed);
        for id in self.ids_in_memory() {
            let Some(table) = self.in_memory_as(&id) else { continue };
            if table.live.lock().await.ran_out(before, now) {
                table.bells.ring_for_all();
            }
        }
    }
}
