//! Ends that are no matter of the rules: giving up, agreeing to a draw, putting a game away. Each is an event of
//! the table, kept beside the record.

use std::sync::Arc;

use table::{Seat, SeatSet};

use super::{Event, Live, Table, Tables};
use crate::fault::Fault;
use crate::store::Kind;

impl Live {
    /// The seats that people play: bots are asked for no draw, and win by no resignation of their partner's.
    fn people(&self) -> SeatSet {
        self.party().iter().filter(|s| self.seats[s.index()].kind == Kind::Person).collect()
    }

    /// Who offers a draw, and who has agreed to it, if one is offered.
    pub(crate) fn draw_offered(&self) -> Option<(u8, SeatSet)> {
        let last = self.events.iter().rposition(|row| matches!(row.event, Event::DrawOffered { .. }))?;
        let Event::DrawOffered { by } = self.events[last].event else { return None };
        let mut agreed: SeatSet = Seat::try_from(by).ok().into_iter().collect();
        for row in &self.events[last + 1..] {
            match row.event {
                Event::DrawAnswered { agrees: false, .. } => return None,
                Event::DrawAnswered { by, agrees: true } => {
                    agreed = Seat::try_from(by).map_or(agreed, |s| agreed.with(s))
                }
                // Whoever leaves the seat takes his offer along.
                Event::HandedOver { seat } | Event::GaveUp { seat, .. } if seat == by => return None,
                _ => {}
            }
        }
        Some((by, agreed))
    }
}

impl Tables {
    /// A player gives the game up. Whoever has partners leaves them his seat with a bot in it; else the others win.
    pub(super) async fn resign(&self, table: &Arc<Table>, live: &mut Live, by: Seat) -> Result<(), Fault> {
        let side = live.title().allies(by).with(by).both(live.party());
        if side.without(by).both(live.people()).is_empty() {
            let winners = live.party().minus(side).iter().map(u8::from).collect();
            return self.end_by(table, live, Event::Resigned { by: by.into(), winners }).await;
        }
        self.give_up(table, live, by).await
    }

    pub(super) async fn offer_draw(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        by: Seat,
    ) -> Result<(), Fault> {
        if live.draw_offered().is_some() {
            return Err(Fault::Stage("a draw is offered already: agree to it, or decline it first".into()));
        }
        let others =
            live.people().iter().any(|s| live.seats[s.index()].person != live.seats[by.index()].person);
        if !others {
            return Err(Fault::Stage("there is nobody to agree: put the game away, or resign".into()));
        }
        let event = Event::DrawOffered { by: by.into() };
        let addition = live.event_addition(&event);
        self.happen(table, live, event, addition).await
    }

    pub(super) async fn answer_draw(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        by: Seat,
        own: SeatSet,
        agrees: bool,
    ) -> Result<(), Fault> {
        let Some((offerer, agreed)) = live.draw_offered() else {
            return Err(Fault::Stage("no draw is offered".into()));
        };
        if agrees && u8::from(by) == offerer {
            return Err(Fault::NotYours("it is your own offer: the others answer it".into()));
        }
        if agrees && agreed.contains(by) {
            return Ok(());
        }
        // Whoever offers speaks for all his seats, and so does whoever answers.
        let offering = Seat::try_from(offerer).ok().and_then(|s| live.seats[s.index()].person.clone());
        let his = live.held_by(offering.as_ref());
        if agrees && live.people().minus(agreed.union(his).union(own)).is_empty() {
            return self.end_by(table, live, Event::Drawn).await;
        }
        let event = Event::DrawAnswered { by: by.into(), agrees };
        let addition = live.event_addition(&event);
        self.happen(table, live, event, addition).await
    }

    /// Whoever plays on has declined: an offer does not outlast the next move of somebody else.
    pub(super) async fn play_on(&self, table: &Arc<Table>, live: &mut Live, by: Seat) -> Result<(), Fault> {
        let Some((offerer, agreed)) = live.draw_offered().filter(|_| !live.over()) else { return Ok(()) };
        let person = |seat: usize| live.seats.get(seat).and_then(|row| row.person.as_ref());
        if agreed.contains(by) || person(offerer.into()) == person(by.index()) {
            return Ok(());
        }
        let event = Event::DrawAnswered { by: by.into(), agrees: false };
        let addition = live.event_addition(&event);
        self.happen(table, live, event, addition).await
    }

    /// Only who is alone with bots, or plays all seats, puts a game away: others would have to agree.
    pub(super) async fn abandon(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        by: Seat,
        own: SeatSet,
    ) -> Result<(), Fault> {
        if !live.people().minus(own).is_empty() {
            return Err(Fault::NotYours("others play here: resign, or offer a draw".into()));
        }
        self.end_by(table, live, Event::Abandoned { by: by.into() }).await
    }
}
