//! What is counted, as Prometheus reads it.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number that grows, or goes up and down.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// Adds to it.
    pub fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    /// Takes away from it.
    pub fn sub(&self, n: u64) {
        self.0.fetch_sub(n, Ordering::Relaxed);
    }

    /// Its value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Everything that is counted.
#[derive(Clone, Debug, Default)]
pub struct Metrics(Arc<Counts>);

/// The counts.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Counts {
    pub requests: Count,
    pub actions: Count,
    pub refused: Count,
    pub tables_opened: Count,
    pub frozen: Count,
    /// Sights made: looks that nobody with the same eyes had had before.
    pub looks: Count,
    pub sockets: Count,
    pub sockets_dropped: Count,
    pub limited: Count,
    pub told: Count,
    /// Bots that think now.
    pub thinking: Count,
}

impl std::ops::Deref for Metrics {
    type Target = Counts;
    fn deref(&self) -> &Counts {
        &self.0
    }
}

impl Metrics {
    /// The text that Prometheus reads.
    pub fn text(&self, tables: usize) -> String {
        let mut text = String::new();
        let rows: [(&str, &str, &str, u64); 12] = [
            ("outremer_requests_total", "counter", "Requests answered", self.requests.get()),
            ("outremer_actions_total", "counter", "Actions made durable", self.actions.get()),
            ("outremer_refused_total", "counter", "Actions that the rules refused", self.refused.get()),
            ("outremer_tables_opened_total", "counter", "Tables opened", self.tables_opened.get()),
            ("outremer_looks_total", "counter", "Looks at tables that were made anew", self.looks.get()),
            ("outremer_tables_frozen_total", "counter", "Tables frozen by a failure", self.frozen.get()),
            ("outremer_tables_live", "gauge", "Tables in memory", tables as u64),
            ("outremer_sockets", "gauge", "Web sockets and streams open", self.sockets.get()),
            ("outremer_sockets_dropped_total", "counter", "Slow clients dropped", self.sockets_dropped.get()),
            ("outremer_limited_total", "counter", "Requests over the rate limit", self.limited.get()),
            ("outremer_told_total", "counter", "Messages sent to absent players", self.told.get()),
            ("outremer_bots_thinking", "gauge", "Bots that think now", self.thinking.get()),
        ];
        for (name, kind, help, value) in rows {
            let _ = writeln!(text, "# HELP {name} {help}.\n# TYPE {name} {kind}\n{name} {value}");
        }
        text
    }
}
