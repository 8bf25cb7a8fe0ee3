//! The kinds of fault, and which comes when: all from one number, so that a run can be had again.

use std::time::Duration;

use table::Lots;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A server is killed and started again.
    Kill,
    /// Both servers over PostgreSQL are killed and started again.
    KillBoth,
    /// A server is stopped in the middle of what it does, and goes on later.
    Stop,
    /// A server is asked to end, and started again.
    End,
    /// PostgreSQL is killed with all its processes, and started again.
    KillDatabase,
    /// PostgreSQL is stopped with all its processes, and goes on later.
    StopDatabase,
    /// The disk of the SQLite database is full for a while.
    FullDisk,
    /// Connections are cut in the middle of requests and answers, or delayed.
    Cut,
}

/// All kinds.
pub const KINDS: [Kind; 8] = [
    Kind::Kill,
    Kind::KillBoth,
    Kind::Stop,
    Kind::End,
    Kind::KillDatabase,
    Kind::StopDatabase,
    Kind::FullDisk,
    Kind::Cut,
];

impl Kind {
    /// Its name in the summary.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kill => "server killed",
            Self::KillBoth => "both servers killed",
            Self::Stop => "server stopped for a while",
            Self::End => "server ended and started",
            Self::KillDatabase => "PostgreSQL killed",
            Self::StopDatabase => "PostgreSQL stopped for a while",
            Self::FullDisk => "disk full",
            Self::Cut => "connections cut",
        }
    }
}

/// A fault to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// How long all is quiet before it.
    pub after: Duration,
    /// Its kind.
    pub kind: Kind,
    /// The server, where it touches one.
    pub server: usize,
    /// How long it lasts.
    pub lasts: Duration,
}

/// The faults of a run, without end: every kind comes once before any comes again.
#[derive(Clone, Debug)]
pub struct Schedule {
    lots: Lots,
    deck: Vec<Kind>,
    servers: u32,
}

impl Schedule {
    /// The schedule of this number, for so many servers.
    pub const fn new(seed: u64, servers: u32) -> Self {
        Self { lots: Lots::new(seed), deck: Vec::new(), servers }
    }

    fn between(&mut self, least: u32, most: u32) -> Duration {
        Duration::from_millis(u64::from(least + self.lots.below(most - least)))
    }
}

impl Iterator for Schedule {
    type Item = Fault;

    fn next(&mut self) -> Option<Fault> {
        if self.deck.is_empty() {
            self.deck = KINDS.to_vec();
            self.lots.shuffle(&mut self.deck);
        }
        let kind = self.deck.pop()?;
        let after = self.between(1_500, 5_000);
        let lasts = match kind {
            Kind::Kill | Kind::KillBoth | Kind::End => self.between(0, 2_000),
            Kind::Stop | Kind::StopDatabase => self.between(1_000, 7_000),
            Kind::KillDatabase => self.between(0, 3_000),
            Kind::FullDisk | Kind::Cut => self.between(2_000, 6_000),
        };
        Some(Fault { after, kind, server: self.lots.below(self.servers) as usize, lasts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_gives_one_schedule_with_every_kind() {
        let some = |seed| Schedule::new(seed, 3).take(40).collect::<Vec<_>>();
        assert_eq!(some(7), some(7));
        assert_ne!(some(7), some(8));
        for eight in some(7).chunks(KINDS.len()) {
            let mut kinds: Vec<_> = eight.iter().map(|f| f.kind).collect();
            kinds.sort();
            assert_eq!(kinds, KINDS);
        }
        assert!((0..3).all(|server| some(7).iter().any(|f| f.server == server)));
    }
}
