//! Loading: a stored table is played again from its record; what does not replay is frozen before the entry that
//! fails.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use table::{AnyGame, AnyMatch, MOST_SEATS, Record, Seat, SeatSet, TableError, TakeBackRequest};

use super::pace::on_one_screen;
use super::{DOES_NOT_REPLAY, Live, RULE_FAILED, STORE_AWAY, Table, Tables, careful};
use crate::clock::Clocks;
use crate::fault::Fault;
use crate::ids::TableId;
use crate::secret;
use crate::store::{Addition, StoreError, TableStage, Whole};

/// Plays a stored table again. What does not replay is frozen before the entry that fails. Windows are opened at
/// this pace.
pub(super) fn load(game: Arc<dyn AnyGame>, mut whole: Whole, pace: Duration) -> Live {
    let kept = whole.entries.len() as u32;
    let (mut sitting, mut frozen) = (None, None);
    if whole.row.stage == TableStage::Frozen {
        frozen = Some(RULE_FAILED.into());
    }
    if let Some(head) = &whole.row.head {
        let text = format!("{head}\n{}\n", whole.entries.join("\n"));
        match replayed(&*game, &whole.row.id, &text, None) {
            Ok(played) => sitting = Some(played),
            Err((at, why)) => {
                tracing::error!(table = %whole.row.id, entry = at, %why, "a record no longer replays");
                frozen = Some(DOES_NOT_REPLAY.into());
                sitting =
                    at.checked_sub(1).and_then(|to| replayed(&*game, &whole.row.id, &text, Some(to)).ok());
            }
        }
    }
    if let (Some(played), None) = (&mut sitting, &frozen) {
        // Before drafts are restored: an answer that was held is held again.
        if !pace.is_zero() && !on_one_screen(&whole.seats) {
            played.keep_pace();
        }
        for (seat, draft) in &whole.drafts {
            let Ok(seat) = Seat::try_from(*seat) else { continue };
            let texts: Vec<_> = draft.actions.iter().map(String::as_str).collect();
            let orders: Vec<_> = draft.orders.iter().map(String::as_str).collect();
            let restored = careful(|| {
                if !texts.is_empty() {
                    played.act(seat, None, &texts)?;
                }
                if orders.is_empty() { Ok(()) } else { played.give_orders(seat, &orders) }
            });
            if !matches!(restored, Ok(Ok(()))) {
                tracing::warn!(table = %whole.row.id, "a draft could not be restored");
            }
        }
        let chosen = whole.row.chosen.filter(|c| c.after == kept);
        played.remember_chosen(chosen.map_or(SeatSet::NONE, |c| c.seats));
    }
    if let (Some(played), None, Some(asked)) = (&mut sitting, &frozen, whole.row.asked)
        && !matches!(careful(|| ask_again(&mut **played, asked)), Ok(Ok(())))
    {
        tracing::warn!(table = %whole.row.id, "a wish to take back could not be restored");
    }
    // Whose consent it needs follows from the record, and is not kept.
    whole.row.asked = sitting.as_ref().and_then(|played| played.take_back_asked()).or(whole.row.asked);
    let bases = bases(sitting.as_deref(), &whole.numbers);
    Live {
        clocks: whole
            .row
            .pace
            .filter(|_| !whole.clocks.is_empty())
            .map(|pace| Clocks::kept(pace, whole.clocks.values().cloned().collect())),
        events: whole.events,
        row: whole.row,
        seats: whole.seats,
        game,
        sitting,
        chat: whole.chat,
        frozen,
        lost: false,
        wound: Vec::new(),
        bases,
        kept,
        drafts: whole.drafts,
        numbers: whole.numbers,
        glasses: whole.clocks,
    }
}

/// Asks again for a take-back that the store has kept.
fn ask_again(sitting: &mut dyn AnyMatch, asked: TakeBackRequest) -> Result<(), TableError> {
    sitting.ask_take_back(asked.by, asked.to)?;
    for seat in asked.agreed.without(asked.by).iter() {
        sitting.answer_take_back(seat, true)?;
    }
    Ok(())
}

/// Where the numbers of a match begin, so that they go on from those that the store has.
fn bases(sitting: Option<&dyn AnyMatch>, numbers: &BTreeMap<u8, u64>) -> [u64; MOST_SEATS] {
    // Below 2^48, so that a script can count with it, and never so low that counting on from it fails.
    let mut bases = [(secret::number() >> 33 | 1) << 16; MOST_SEATS];
    for seat in SeatSet::first(MOST_SEATS).iter() {
        if let Some(number) = numbers.get(&seat.into()) {
            bases[seat.index()] = number.saturating_sub(sitting.map_or(0, |s| s.number(seat)));
        }
    }
    bases
}

/// A replay, or the entry that fails and why.
fn replayed(
    game: &dyn AnyGame,
    id: &TableId,
    text: &str,
    to: Option<u32>,
) -> Result<Box<dyn AnyMatch>, (u32, String)> {
    let record = Record::read(id.as_str(), text).map_err(|e| (0, e.to_string()))?;
    match careful(|| game.replay(&record, to)) {
        Ok(Ok(played)) => Ok(played),
        Ok(Err(error)) => Err((error.entry, error.to_string())),
        // Which entry it was that panicked is found by trying.
        Err(panic) => {
            let last = record.entries.len() as u32;
            let good =
                (0..last).rev().find(|n| matches!(careful(|| game.replay(&record, Some(*n))), Ok(Ok(_))));
            Err((good.map_or(0, |n| n + 1), panic))
        }
    }
}

impl Tables {
    /// Loads a table anew.
    pub(super) async fn reload(&self, live: &mut Live) -> Result<(), Fault> {
        match self.0.store.table(live.row.id.clone()).await {
            Ok(Some(whole)) => {
                *live = load(live.game.clone(), whole, self.0.conduct.window_pace);
                self.mind_pace(live);
                Ok(())
            }
            other => {
                // Nothing better than a standstill, until somebody asks again and the store is back.
                live.frozen = Some(STORE_AWAY.into());
                live.sitting = None;
                live.lost = true;
                Err(Fault::Store(other.err().unwrap_or(StoreError::Closed)))
            }
        }
    }

    /// Stops a table at its last good entry. Why stands in the store, where only the owner of the server reads it.
    pub(super) async fn freeze(&self, table: &Arc<Table>, live: &mut Live, why: String) -> Result<(), Fault> {
        let addition = Addition {
            version: live.row.version,
            stage: Some(TableStage::Frozen),
            headline: Some(why),
            at: Some(secret::now()),
            ..Addition::default()
        };
        match self.0.store.append(live.row.id.clone(), addition).await {
            // Another server has moved on, or has frozen the table itself.
            Err(StoreError::Conflict(_)) if self.0.store.shared() => {}
            frozen => {
                frozen?;
                self.0.metrics.frozen.add(1);
            }
        }
        self.reload(live).await?;
        table.publish(live);
        Ok(())
    }
}
