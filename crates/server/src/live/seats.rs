//! Who sits where: sitting down, secret links, handing a seat over, leaving it.
//!
//! A link is spent when somebody sits down with it, and a seat that somebody has cannot be taken from him: only
//! he can make a link to it, and whoever sits down with that link has the seat, while he has it no more. Before
//! the game the host makes links for empty seats; in a game there are none. Every change is an event that the
//! whole table sees.

use std::sync::Arc;

use table::{MOST_SEATS, Seat, SeatSet, Seats};

use super::{ATTEMPTS, Event, Live, Sitter, Table, Tables, careful};
use crate::bots;
use crate::fault::Fault;
use crate::ids::{PersonId, TableId};
use crate::people::Voice;
use crate::secret;
use crate::store::{Kind, Listing, PersonRow, SeatRow, TableStage};

/// Which seats are played where these sit, by name; the set-up says whether they can be.
pub(crate) fn seats_of(title: &table::Title, sitters: &[Sitter]) -> Result<Seats, Fault> {
    let most = title.seats.len().min(MOST_SEATS);
    if sitters.len() > most {
        return Err(Fault::Wrong(format!("{} has {most} seats, not {}", title.name, sitters.len())));
    }
    let played = sitters.iter().zip(&title.seats).filter(|(sitter, _)| **sitter != Sitter::Nobody);
    Ok(Seats::Named(played.map(|(_, seat)| seat.name.clone()).collect()))
}

/// The seat that a link opens.
pub(crate) fn seat_of_link(live: &Live, link: &str) -> Result<usize, Fault> {
    let fits = |row: &SeatRow| row.link.as_deref().is_some_and(|l| secret::fits(link, l));
    // All are compared, so that the time tells nothing.
    let found = (0..live.seats.len()).rfind(|i| fits(&live.seats[*i]));
    found.ok_or_else(|| Fault::NotYours("this link opens no seat any more".into()))
}

/// A seat for somebody who comes: one that is open, or the one of his link.
fn free_seat(live: &Live, seat: Option<u8>, link: Option<&str>) -> Result<usize, Fault> {
    if let Some(link) = link {
        return seat_of_link(live, link);
    }
    let late = live.sitting.as_ref().map_or(SeatSet::NONE, |sitting| sitting.latecomers());
    let free = |i: &usize| match live.seats[*i].kind {
        Kind::Open => live.row.stage == TableStage::Gathering,
        Kind::Nobody => live.row.stage == TableStage::Running && late.contains(Seat::new(*i as u8)),
        _ => false,
    };
    let wished = |i: &usize| seat.is_none_or(|s| usize::from(s) == *i);
    (0..live.seats.len())
        .filter(free)
        .find(wished)
        .ok_or_else(|| Fault::NotYours("that seat is not free: choose another, or ask for its link".into()))
}

/// Whether seats of a table can still change hands.
fn stands_open(live: &Live) -> Result<(), Fault> {
    match &live.frozen {
        Some(why) => Err(Fault::Frozen(why.clone())),
        None if live.over() => Err(Fault::Stage("the game is over".into())),
        None => Ok(()),
    }
}

impl Tables {
    /// Somebody sits down: on a seat that is open, or with a seat's secret link, which is spent by it.
    pub async fn sit(
        &self,
        id: &TableId,
        person: &PersonRow,
        seat: Option<u8>,
        link: Option<&str>,
    ) -> Result<u8, Fault> {
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        self.catch_up(&table, &mut live).await?;
        for _ in 0..ATTEMPTS {
            stands_open(&live)?;
            let at = free_seat(&live, seat, link)?;
            let old = live.seats[at].clone();
            // Who tries his own link has the seat already, and may still give the link to another.
            if old.person.as_ref() == Some(&person.id) {
                return Ok(at as u8);
            }
            let begun = live.row.stage != TableStage::Gathering;
            let row = SeatRow {
                kind: Kind::Person,
                person: Some(person.id.clone()),
                name: person.name.clone(),
                // What one adds to the dice one adds oneself.
                nonce: old.nonce.filter(|_| begun),
                ..SeatRow::vacant(Kind::Person)
            };
            let event = match old.kind {
                Kind::Person => Event::HandedOver { seat: at as u8 },
                _ => Event::SatDown { seat: at as u8 },
            };
            // Nobody plays against himself in a game that others play.
            let mine = live.held_by(Some(&person.id));
            if old.kind == Kind::Nobody && !mine.minus(live.title().allies(Seat::new(at as u8))).is_empty() {
                return Err(Fault::NotYours("you play on the other side".into()));
            }
            if old.kind == Kind::Nobody {
                // Somebody joins a game that is under way: an entry of its record.
                let sitting = live.sitting.as_mut().ok_or(Fault::Raced)?;
                sitting.arrive(Seat::new(at as u8)).map_err(Fault::Table)?;
            }
            match self.change_seat(&table, &mut live, Seat::new(at as u8), row, event).await {
                Err(Fault::Raced) => {}
                done => return done.map(|()| at as u8),
            }
        }
        Err(Fault::Raced)
    }

    /// A seat changes, as the whole table sees.
    pub(super) async fn change_seat(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        seat: Seat,
        row: SeatRow,
        event: Event,
    ) -> Result<(), Fault> {
        live.seats[seat.index()] = row.clone();
        live.advance_clocks(self.now(), SeatSet::NONE);
        let mut addition = live.event_addition(&event);
        addition.seats.push((seat.into(), row));
        self.happen(table, live, event, addition).await
    }

    /// A new secret link for a seat; an older one stops working. Only the seat's holder makes one, or the host
    /// for a seat that nobody has.
    pub(crate) async fn invite(&self, id: &TableId, person: &Voice, seat: u8) -> Result<String, Fault> {
        let link = secret::word::<26>();
        self.change_link(id, person, seat, Some(secret::hashed(&link))).await.map(|()| link)
    }

    /// The link for a seat stops working.
    pub(crate) async fn uninvite(&self, id: &TableId, person: &Voice, seat: u8) -> Result<(), Fault> {
        self.change_link(id, person, seat, None).await
    }

    async fn change_link(
        &self,
        id: &TableId,
        person: &Voice,
        seat: u8,
        link: Option<String>,
    ) -> Result<(), Fault> {
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        self.catch_up(&table, &mut live).await?;
        for _ in 0..ATTEMPTS {
            let Some(row) = live.seats.get(usize::from(seat)).cloned() else {
                return Err(Fault::Missing(format!("seat {seat}")));
            };
            let vacant = matches!(row.kind, Kind::Open | Kind::Invited);
            let held = row.person.as_ref() == Some(&person.id);
            if !(held || vacant && live.row.host.as_ref() == Some(&person.id)) {
                return Err(Fault::NotYours(
                    "only its holder can make a link for a seat, or the host for an empty one".into(),
                ));
            }
            stands_open(&live)?;
            let event = match &link {
                Some(_) => Event::LinkMade { seat, held },
                None if row.link.is_none() => return Ok(()),
                None => Event::LinkUndone { seat },
            };
            let row = SeatRow { link: link.clone(), ..row };
            match self.change_seat(&table, &mut live, Seat::new(seat), row, event).await {
                Err(Fault::Raced) => {}
                done => return done,
            }
        }
        Err(Fault::Raced)
    }

    /// A seat's holder leaves it, whether or not the game has begun.
    pub(super) async fn try_give_up(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        person: &PersonRow,
        seat: u8,
    ) -> Result<(), Fault> {
        let known = Seat::try_from(seat).ok().filter(|s| s.index() < live.seats.len());
        let seat = known.ok_or_else(|| Fault::Missing(format!("seat {seat}")))?;
        if !live.held_by(Some(&person.id)).contains(seat) {
            return Err(Fault::NotYours("this seat is not yours".into()));
        }
        if live.over() {
            return Err(Fault::Stage("the game is over".into()));
        }
        self.give_up(table, live, seat).await
    }

    /// A seat's holder leaves it. Before the game it is free again; in a game a bot plays it to the end, because
    /// whoever sat down there would learn what only the other knew.
    pub(super) async fn give_up(&self, table: &Arc<Table>, live: &mut Live, seat: Seat) -> Result<(), Fault> {
        let old = live.seats[seat.index()].clone();
        // Who leaves takes his orders along: they would bind the bot to the end.
        if let Some(sitting) = live.sitting.as_mut()
            && let Err(panic) = careful(|| sitting.give_orders(seat, &[]).is_ok())
        {
            return self.freeze(table, live, panic).await;
        }
        let (row, level) = if live.row.stage == TableStage::Gathering {
            (SeatRow::vacant(Kind::Open), None)
        } else {
            let level = bots::LEVELS[0].id.to_string();
            (SeatRow { name: level.clone(), nonce: old.nonce, ..SeatRow::vacant(Kind::Bot) }, Some(level))
        };
        self.change_seat(table, live, seat, row, Event::GaveUp { seat: seat.into(), level }).await
    }

    /// A person leaves all seats of games that are not over.
    pub(crate) async fn leave_all(&self, person: &PersonId) -> Result<(), Fault> {
        for (row, _) in self.0.store.list(Listing::Of(person.clone()), 100_000).await? {
            if row.stage == TableStage::Over {
                continue;
            }
            let table = match self.find(&row.id).await {
                Ok(table) => table,
                Err(fault) => {
                    // Nobody plays what cannot be opened; the name goes from it all the same.
                    tracing::warn!(table = %row.id, %fault, "a seat could not be left in good order");
                    continue;
                }
            };
            let mut live = table.live.lock().await;
            self.catch_up(&table, &mut live).await?;
            let mut attempts = 0;
            while let Some(seat) = live.held_by(Some(person)).lowest().filter(|_| !live.over()) {
                match self.give_up(&table, &mut live, seat).await {
                    Err(Fault::Raced) if attempts < ATTEMPTS * MOST_SEATS => attempts += 1,
                    done => done?,
                }
            }
        }
        Ok(())
    }

    /// Tables in memory that know a person, by seat, word or as host, are loaded anew: the store knows better.
    pub(crate) async fn forget_person(&self, person: &PersonId) {
        for id in self.ids_in_memory() {
            let Some(table) = self.in_memory_as(&id) else { continue };
            let mut live = table.live.lock().await;
            let said = live.chat.iter().any(|c| c.person.as_ref() == Some(person));
            if said || live.row.host.as_ref() == Some(person) || !live.held_by(Some(person)).is_empty() {
                if let Err(fault) = self.reload(&mut live).await {
                    tracing::warn!(table = %id, %fault, "a table could not be loaded anew");
                }
                table.publish(&live);
            }
        }
    }
}
