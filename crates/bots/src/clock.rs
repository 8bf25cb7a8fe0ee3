//! The only clock of this crate: budgets in seconds and the time of a move are measured with it.
#![allow(clippy::disallowed_types, reason = "players may know the time; rules may not")]

use std::time::{Duration, Instant};

/// A moment to measure from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    /// Now.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// How long ago that was.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Waits a little, for a program to end.
#[allow(clippy::disallowed_methods, reason = "a table may wait; rules may not")]
pub(crate) fn wait_a_little() {
    std::thread::sleep(Duration::from_millis(2));
}
