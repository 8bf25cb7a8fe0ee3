//! The tables that are in memory: found there or loaded, kept in step with other servers of the same store, and
//! forgotten when nobody looks.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::loading::load;
use super::{Live, Table, Tables};
use crate::bells::Bells;
use crate::easel::Prospects;
use crate::fault::Fault;
use crate::ids::TableId;
use crate::secret;
use crate::store::{Changed, Kind, Listing};

impl Tables {
    /// How many tables are in memory.
    pub fn in_memory(&self) -> usize {
        self.0.tables.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The table with this id, from memory or from the store.
    pub async fn find(&self, id: &TableId) -> Result<Arc<Table>, Fault> {
        let cell = {
            let mut tables = self.0.tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.entry(id.clone()).or_default().clone()
        };
        let mut fresh = false;
        let loaded = cell
            .get_or_try_init(|| async {
                fresh = true;
                let whole = self.0.store.table(id.clone()).await?;
                let whole = whole.ok_or_else(|| Fault::Missing("such table".into()))?;
                let game = self.game(&whole.row.game)?.clone();
                let mut live = load(game, whole, self.0.conduct.window_pace);
                self.mind_pace(&mut live);
                let table = Arc::new(Table {
                    bells: Arc::new(Bells::new(&live)),
                    live: tokio::sync::Mutex::new(live),
                    prospects: Prospects::default(),
                    present: Mutex::default(),
                    used: AtomicI64::new(0),
                    bots: tokio::sync::Mutex::default(),
                    bots_called: AtomicBool::new(false),
                });
                Ok::<_, Fault>(table)
            })
            .await;
        match loaded {
            Ok(table) => {
                table.used.store(secret::now(), Ordering::Relaxed);
                if fresh && self.0.store.shared() {
                    // What another server did while the table was being read was told to nobody here.
                    let mut live = table.live.lock().await;
                    self.catch_up(table, &mut live).await?;
                }
                if let Ok(mut live) = table.live.try_lock()
                    && live.lost
                {
                    self.reload(&mut live).await?;
                    table.publish(&live);
                    self.wake_bots(&live);
                }
                Ok(table.clone())
            }
            Err(fault) => {
                let mut tables = self.0.tables.lock().unwrap_or_else(PoisonError::into_inner);
                if tables.get(id).is_some_and(|c| c.get().is_none()) {
                    tables.remove(id);
                }
                Err(fault)
            }
        }
    }

    pub(super) fn ids_in_memory(&self) -> Vec<TableId> {
        self.0.tables.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    pub(super) fn in_memory_as(&self, id: &TableId) -> Option<Arc<Table>> {
        let tables = self.0.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.get(id).and_then(|cell| cell.get()).cloned()
    }

    /// Takes over what another server has done at a table; whether there was anything.
    pub(super) async fn catch_up(&self, table: &Arc<Table>, live: &mut Live) -> Result<bool, Fault> {
        if !self.0.store.shared() {
            return Ok(false);
        }
        let version = self.0.store.version(live.row.id.clone()).await?;
        if version.is_none_or(|v| v == live.row.version) {
            return Ok(false);
        }
        self.reload(live).await?;
        table.publish(live);
        Ok(true)
    }

    /// Follows what other servers do, for tables that are in memory here, until the store is closed.
    pub async fn follow(&self) {
        use tokio::sync::broadcast::error::RecvError;
        let Some(mut news) = self.0.store.news() else { return };
        loop {
            let ids = match news.recv().await {
                Ok(Changed::Table(id)) => vec![id],
                // Some news were lost: any table may have changed.
                Ok(Changed::Any) | Err(RecvError::Lagged(_)) => self.ids_in_memory(),
                Err(RecvError::Closed) => return,
            };
            for id in ids {
                let Some(table) = self.in_memory_as(&id) else { continue };
                let mut live = table.live.lock().await;
                match self.catch_up(&table, &mut live).await {
                    Ok(true) => self.wake_bots(&live),
                    // What is said at a table does not change its version.
                    Ok(false) => {
                        if let Err(fault) = self.hear(&table, &mut live).await {
                            tracing::warn!(table = %id, %fault, "words of another server were not heard");
                        }
                    }
                    Err(fault) => tracing::error!(table = %id, %fault, "another server's news were lost"),
                }
            }
        }
    }

    /// Takes over what was said through another server.
    async fn hear(&self, table: &Arc<Table>, live: &mut Live) -> Result<(), Fault> {
        if let Some(whole) = self.0.store.table(live.row.id.clone()).await?
            && whole.chat.len() > live.chat.len()
        {
            live.chat = whole.chat;
            table.publish(live);
        }
        Ok(())
    }

    /// Loads every table that is being played, so that bots go on where they stopped and a table whose
    /// record no longer replays is found at once. How many there were, and how many are frozen.
    pub async fn resume(&self) -> Result<(usize, usize), Fault> {
        let running = self.0.store.list(Listing::Unfinished, 100_000).await?;
        let mut frozen = 0;
        for (row, seats) in &running {
            if !seats.iter().any(|s| s.kind == Kind::Bot || s.stand_in.is_some()) {
                continue;
            }
            // One that cannot be read does not keep the others from going on.
            let table = match self.find(&row.id).await {
                Ok(table) => table,
                Err(fault) => {
                    tracing::error!(table = %row.id, %fault, "a table could not be resumed");
                    frozen += 1;
                    continue;
                }
            };
            let live = table.live.lock().await;
            if live.frozen.is_some() {
                frozen += 1;
            } else {
                self.wake_bots(&live);
            }
        }
        Ok((running.len(), frozen))
    }

    /// Forgets tables that nobody looks at; the store has them.
    pub fn tidy(&self) {
        let keep = self.0.conduct.keep.as_secs() as i64;
        let oldest = secret::now() - keep;
        let mut tables = self.0.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|_, cell| {
            let Some(table) = cell.get() else { return true };
            if !table.bells.anybody() {
                table.prospects.forget();
            }
            // Whoever else holds it, or is about to, is at work.
            let busy = Arc::strong_count(cell) > 1 || Arc::strong_count(table) > 1 || table.anybody();
            busy || table.used.load(Ordering::Relaxed) > oldest
        });
    }
}
