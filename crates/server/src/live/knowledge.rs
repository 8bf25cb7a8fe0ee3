//! What a table knows of itself, and what of it anybody may know: who holds which seat, through whose eyes
//! somebody looks, whom the table waits for in truth and whom it seems to wait for.

use std::collections::BTreeMap;

use table::{AnyMatch, Seat, SeatSet, Seats, Viewer};

use super::Live;
use crate::bots;
use crate::easel::Eyes;
use crate::ids::PersonId;
use crate::store::{ChatRow, DraftRow, Kind, SeatRow, TableStage, held_by};

impl Live {
    /// The title of the game.
    pub(crate) fn title(&self) -> &table::Title {
        self.game.title()
    }

    /// The number of a seat's present decision.
    pub(crate) fn number(&self, seat: Seat) -> u64 {
        self.sitting.as_ref().map_or(0, |s| self.bases[seat.index()] + s.number(seat))
    }

    /// Whether the game is over, by its rules or because somebody claimed it, as the store has it. A table that
    /// has stopped or that cannot be loaded is not over by that.
    pub(crate) fn over(&self) -> bool {
        !self.lost && self.row.stage == TableStage::Over
    }

    /// The seats that a person holds.
    pub(crate) fn held_by(&self, person: Option<&PersonId>) -> SeatSet {
        held_by(&self.seats, person)
    }

    /// Through whose eyes a person looks: a seat of his own; when the game is over, any; else an observer's.
    pub(crate) fn viewer(&self, person: Option<&PersonId>, wished: Option<u8>) -> Viewer {
        let own = self.held_by(person);
        let wished = wished.and_then(|s| Seat::try_from(s).ok()).filter(|s| s.index() < self.seats.len());
        match wished {
            Some(seat) if own.contains(seat) || self.over() => Viewer::Seat(seat),
            Some(_) => Viewer::Observer,
            None => {
                let waiting = self.sitting.as_ref().map_or(SeatSet::NONE, |s| s.waiting_for());
                let seat = own.both(waiting).lowest().or(own.lowest());
                seat.map_or(Viewer::Observer, Viewer::Seat)
            }
        }
    }

    /// Through whose eyes a person looks, and what else makes a difference.
    pub(crate) fn eyes(&self, person: Option<&PersonId>, wished: Option<u8>, now: i64) -> Eyes {
        let own = self.held_by(person);
        let others = self
            .seats
            .iter()
            .filter(|r| !matches!(r.kind, Kind::Bot | Kind::Nobody) && r.person.as_ref() != person);
        Eyes {
            viewer: self.viewer(person, wished),
            own,
            host: person.is_some() && self.row.host.as_ref() == person,
            alone: person.is_some() && others.count() == 0,
            out_of_time: self.out_of_time(now, own),
        }
    }

    /// The match, as long as it goes on.
    pub(super) fn going_on(&self) -> Option<&dyn AnyMatch> {
        self.sitting.as_deref().filter(|_| self.frozen.is_none() && self.ended().is_none())
    }

    /// The seats that the table waits for.
    pub(crate) fn waiting(&self) -> SeatSet {
        self.going_on().map_or(SeatSet::NONE, AnyMatch::waiting_for)
    }

    /// The seats that must decide, as all may know: a secret choice changes nothing here.
    pub(crate) fn deciding(&self) -> SeatSet {
        self.going_on().map_or(SeatSet::NONE, AnyMatch::deciding)
    }

    /// The seats that have chosen in secret, as all may know: also those that have taken it back meanwhile.
    pub(crate) fn chosen(&self) -> SeatSet {
        self.going_on().map_or(SeatSet::NONE, AnyMatch::chosen)
    }

    /// The seats that a viewer may know to be awaited. Of his own he knows whether they have chosen; another
    /// that has chosen once counts as having chosen, whatever it does now. When all have and nothing is opened,
    /// anybody can tell that somebody thinks again, but not who: then all others seem to be awaited.
    pub(crate) fn seen_waiting(&self, own: SeatSet) -> SeatSet {
        let (deciding, others) = (self.deciding(), self.deciding().minus(own));
        let awaited = others.minus(self.chosen()).union(own.both(self.waiting()).both(deciding));
        if awaited.is_empty() { others } else { awaited }
    }

    /// The bot that plays a seat, whether it is its own or it sits in for somebody.
    pub(crate) fn bot_at(&self, seat: Seat) -> Option<&'static bots::Level> {
        let row = self.seats.get(seat.index())?;
        match (&row.stand_in, row.kind) {
            (Some(level), Kind::Person) => bots::level(level),
            (None, Kind::Bot) => bots::level(&row.name),
            _ => None,
        }
    }

    /// The seats that are played.
    pub(crate) fn party(&self) -> SeatSet {
        let played = self.seats.iter().enumerate().filter(|(_, row)| row.kind != Kind::Nobody);
        played.map(|(i, _)| Seat::new(i as u8)).collect()
    }

    /// The seats that are played, by name.
    pub(super) fn seats_played(&self) -> Seats {
        Seats::Named(self.party().iter().map(|seat| self.title().seat_name(seat).to_string()).collect())
    }

    /// Seats that still lack somebody, or his nonce.
    pub(crate) fn lacking(&self) -> Vec<usize> {
        let lacks = |row: &SeatRow| match row.kind {
            Kind::Bot | Kind::Nobody => false,
            Kind::Person => row.nonce.is_none(),
            Kind::Open | Kind::Invited => true,
        };
        (0..self.seats.len()).filter(|i| lacks(&self.seats[*i])).collect()
    }

    /// What was said that the holder of these seats may read: also afterwards, what allies said stays theirs.
    pub(crate) fn heard(&self, own: SeatSet) -> impl Iterator<Item = &ChatRow> {
        self.chat.iter().filter(move |row| row.readers.is_none_or(|readers| !readers.both(own).is_empty()))
    }

    pub(super) fn present_drafts(&self) -> BTreeMap<u8, DraftRow> {
        let Some(sitting) = &self.sitting else { return BTreeMap::new() };
        let texts = |list: Vec<table::Notation>| list.iter().map(ToString::to_string).collect();
        (0..self.seats.len() as u8)
            .map(|i| {
                let seat = Seat::new(i);
                (i, DraftRow { actions: texts(sitting.draft(seat)), orders: texts(sitting.orders(seat)) })
            })
            .filter(|(_, draft)| *draft != DraftRow::default())
            .collect()
    }

    /// What a seat has drafted and ordered, as the store has it.
    pub(crate) fn draft_of(&self, seat: Seat) -> DraftRow {
        self.drafts.get(&u8::from(seat)).cloned().unwrap_or_default()
    }
}
