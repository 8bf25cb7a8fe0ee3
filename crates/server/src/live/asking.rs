//! The path of an action: what a seat asks is tried by the match, made durable, and only then shown.

use std::sync::Arc;

use table::{Acted, AnyMatch, Seat, SeatSet, TableError};

use super::{ATTEMPTS, Live, RULE_FAILED, Table, Tables, careful};
use crate::fault::Fault;
use crate::ids::TableId;
use crate::store::{Kind, PersonRow};

/// So many standing orders a seat may leave.
const MOST_ORDERS: usize = 100;

/// What a seat asks of a table.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Do these actions, all or none.
    Act {
        /// The actions.
        actions: Vec<String>,
        /// The number of the decision that they answer.
        number: Option<u64>,
    },
    /// Undo the last click of the draft.
    Undo,
    /// Make the draft final.
    Commit,
    /// Ask the others to let the last decision be taken back.
    AskTakeBack,
    /// Let another take back, or do not.
    AnswerTakeBack(bool),
    /// Leave standing orders.
    Orders(Vec<String>),
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// What became of the action: `drafted`, `held`, `committed`, `done` or `repeated`.
    pub what: &'static str,
    /// The seat's number afterwards.
    pub number: u64,
    /// How many actions of a batch were left unplayed.
    pub unplayed: usize,
}

impl Tables {
    /// Carries out what a seat asks.
    pub async fn ask(
        &self,
        id: &TableId,
        person: &PersonRow,
        seat: u8,
        ask: Ask,
        key: Option<String>,
    ) -> Result<Done, Fault> {
        if matches!(&ask, Ask::Orders(orders) if orders.len() > MOST_ORDERS) {
            return Err(Fault::Wrong(format!("leave {MOST_ORDERS} orders at most")));
        }
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        let mut looked = false;
        for _ in 0..ATTEMPTS {
            let own = Seat::try_from(seat).ok().filter(|s| live.held_by(Some(&person.id)).contains(*s));
            if let Some(seat) = own
                && (live.seats[seat.index()].stand_in.is_some()
                    || live.seats[seat.index()].called_at.is_some())
            {
                // Whoever acts is back.
                match self.come_back(&table, &mut live, seat).await {
                    Err(Fault::Raced) => continue,
                    back => back?,
                }
            }
            let done = match own {
                Some(seat) => self.ask_as(&table, &mut live, seat, &ask, key.as_deref()).await,
                None => Err(Fault::NotYours("this seat is not yours".into())),
            };
            match done {
                Err(Fault::Raced) => {}
                // What cannot be done may only seem so here: another server may know better.
                Err(Fault::Table(_) | Fault::Stage(_) | Fault::NotYours(_))
                    if !looked && self.catch_up(&table, &mut live).await? =>
                {
                    looked = true;
                }
                done => {
                    if let (Some(seat), Ok(Done { what: "committed", .. })) = (own, &done)
                        && let Err(fault) = self.play_on(&table, &mut live, seat).await
                    {
                        // The action counts all the same, and the offer can still be declined.
                        tracing::warn!(table = %id, %fault, "an offered draw was not declined by a move");
                    }
                    return done;
                }
            }
        }
        Err(Fault::Raced)
    }

    pub(super) async fn ask_as(
        &self,
        table: &Arc<Table>,
        live: &mut Live,
        seat: Seat,
        ask: &Ask,
        key: Option<&str>,
    ) -> Result<Done, Fault> {
        let (base, id) = (live.bases[seat.index()], live.row.id.clone());
        if let Some(why) = &live.frozen {
            return Err(Fault::Frozen(why.clone()));
        }
        if live.sitting.is_none() {
            return Err(Fault::Stage("the game has not begun: seats are still being filled".into()));
        }
        // Asked before anything else: whoever lost the answer to the act that ended the game learns that it counted.
        if let Some(key) = key {
            if key.is_empty() || key.len() > 64 || key.chars().any(char::is_control) {
                return Err(Fault::Wrong("the key of a request has 1 to 64 letters".into()));
            }
            if self.0.store.was_done(id.clone(), u8::from(seat), key.to_string()).await? {
                return Ok(Done { what: "repeated", number: live.number(seat), unplayed: 0 });
            }
        }
        if live.over() {
            return Err(Fault::Table(TableError::Over));
        }
        let held = live.deciding().minus(live.waiting());
        let Some(sitting) = live.sitting.as_mut() else {
            return Err(Fault::Stage("the game has not begun".into()));
        };
        let bots: SeatSet = (0..live.seats.len())
            .filter(|i| live.seats[*i].kind == Kind::Bot)
            .map(|i| Seat::new(i as u8))
            .collect();
        let result = careful(|| perform(&mut **sitting, seat, ask, base, bots));
        let acted = match result {
            Ok(Ok(acted)) => acted,
            Ok(Err(error)) => {
                self.0.metrics.refused.add(1);
                return Err(Fault::Table(raised(error, base)));
            }
            Err(panic) => {
                tracing::error!(table = %id, %panic, "a rule failed: the table is frozen");
                self.freeze(table, live, panic).await?;
                return Err(Fault::Frozen(RULE_FAILED.into()));
            }
        };
        let opened = live.opened(held);
        live.advance_clocks(self.now(), opened);
        let back = live.bot_at(seat).is_none() && live.seats[seat.index()].bot_since.is_some();
        if back && live.bot_undo(seat).is_none() {
            live.seats[seat.index()].bot_since = None;
        }
        let mut addition = live.addition();
        if back {
            addition.seats.push((seat.into(), live.seats[seat.index()].clone()));
        }
        addition.key = key.map(|key| (u8::from(seat), key.to_string()));
        self.keep(table, live, addition).await?;
        self.0.metrics.actions.add(1);
        table.publish(live);
        self.wake_bots(live);
        let (what, unplayed) = match acted {
            Some(Acted::Drafted) => ("drafted", 0),
            Some(Acted::Held { unplayed }) => ("held", unplayed),
            Some(Acted::Committed { unplayed }) => ("committed", unplayed),
            None => ("done", 0),
        };
        Ok(Done { what, number: live.number(seat), unplayed })
    }
}

fn perform(
    sitting: &mut dyn AnyMatch,
    seat: Seat,
    ask: &Ask,
    base: u64,
    bots: SeatSet,
) -> Result<Option<Acted>, TableError> {
    match ask {
        Ask::Act { actions, number } => {
            let texts: Vec<_> = actions.iter().map(String::as_str).collect();
            // A number from before the last loading is never a present one.
            let number = number.map(|n| n.checked_sub(base).unwrap_or(u64::MAX));
            sitting.act(seat, number, &texts).map(Some)
        }
        Ask::Undo => sitting.undo(seat).map(|()| None),
        Ask::Commit => sitting.commit(seat).map(|()| None),
        Ask::AskTakeBack => {
            let to = sitting.before_last_decision(seat).ok_or_else(|| {
                let why = "you have decided nothing yet".to_string();
                TableError::NothingToUndo { why }
            })?;
            sitting.ask_take_back(seat, to)?;
            // Bots do not mind.
            for bot in bots.iter().filter(|b| *b != seat) {
                if sitting.take_back_asked().is_some() {
                    sitting.answer_take_back(bot, true)?;
                }
            }
            Ok(None)
        }
        Ask::AnswerTakeBack(agrees) => sitting.answer_take_back(seat, *agrees).map(|()| None),
        Ask::Orders(orders) => {
            let texts: Vec<_> = orders.iter().map(String::as_str).collect();
            sitting.give_orders(seat, &texts).map(|()| None)
        }
    }
}

/// An error with the numbers that the outside knows.
fn raised(error: TableError, base: u64) -> TableError {
    match error {
        TableError::Stale { sent, present } => {
            TableError::Stale { sent: sent.saturating_add(base), present: present + base }
        }
        other => other,
    }
}
