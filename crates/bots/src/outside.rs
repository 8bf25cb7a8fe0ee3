//! Players that are programs of their own. `PROTOCOL.md` says what is spoken.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use table::{Notation, Outcome, Seat, Setup, Title};

use crate::clock::{Clock, wait_a_little};
use crate::player::{Fault, Player, Turn};

/// The version of the protocol.
pub const VERSION: u32 = 2;
/// How long a program may take to say that it is ready.
const TO_BE_READY: Duration = Duration::from_secs(10);
/// The longest line that is read from a program.
const LONGEST_LINE: u64 = 4096;

/// A player that is a program of its own, started anew for every game.
#[derive(Debug)]
pub struct Outside {
    path: String,
    limit: Duration,
    running: Option<Running>,
    decisions: u64,
}

#[derive(Debug)]
struct Running {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be gone already; then there is nothing to end.
        drop(self.to.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Outside {
    /// The program with this path, which may take so long for a decision.
    pub fn new(path: &str, limit: Duration) -> Self {
        Self { path: path.to_string(), limit, running: None, decisions: 0 }
    }

    fn start(&self) -> Result<Running, Fault> {
        let fault = |why: std::io::Error| Fault::Start { player: self.path.clone(), why: why.to_string() };
        let mut child = Command::new(&self.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(fault)?;
        let to = child.stdin.take();
        let Some(from) = child.stdout.take() else {
            return Err(fault(std::io::Error::other("it has no standard output")));
        };
        // A few lines may wait unread; a program that says more must wait for the table.
        let (sender, receiver) = sync_channel(16);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(from);
            loop {
                let mut line = Vec::new();
                let mut limited = std::io::Read::take(&mut reader, LONGEST_LINE);
                match limited.read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                let line = String::from_utf8_lossy(&line).trim_end().to_string();
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Running { child, to, from: receiver })
    }

    fn say(&mut self, text: &str) -> Result<(), Fault> {
        let said = match self.running.as_mut().and_then(|r| r.to.as_mut()) {
            Some(to) => to.write_all(text.as_bytes()).and_then(|()| to.flush()),
            None => return Err(self.gone("it was not started")),
        };
        said.map_err(|_| self.gone_by_itself())
    }

    /// The next line that is not empty.
    fn hear(&mut self, limit: Duration) -> Result<String, Fault> {
        let start = Clock::start();
        loop {
            let Some(running) = &self.running else { return Err(self.gone("it was not started")) };
            match running.from.recv_timeout(limit.saturating_sub(start.elapsed())) {
                Ok(line) if line.is_empty() => {}
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Fault::Late { player: self.path.clone(), limit });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone_by_itself()),
            }
        }
    }

    fn gone(&self, how: &str) -> Fault {
        Fault::Gone { player: self.path.clone(), how: how.to_string() }
    }

    fn gone_by_itself(&mut self) -> Fault {
        let status = self.running.as_mut().and_then(|r| {
            // Its output is closed; it should end at once, and is ended if it does not.
            let start = Clock::start();
            loop {
                match r.child.try_wait() {
                    Ok(Some(status)) => return Some(status),
                    Ok(None) if start.elapsed() < Duration::from_millis(500) => wait_a_little(),
                    Ok(None) | Err(_) => return None,
                }
            }
        });
        match status {
            Some(status) => self.gone(&status.to_string()),
            None => self.gone("it has closed its input or its output"),
        }
    }

    fn nonsense(&self, said: &str, why: impl Into<String>) -> Fault {
        let said = said.chars().take(80).collect();
        Fault::Nonsense { player: self.path.clone(), said, why: why.into() }
    }
}

impl Player for Outside {
    fn name(&self) -> &str {
        &self.path
    }

    fn begin(&mut self, title: &Title, setup: &Setup, seat: Seat) -> Result<(), Fault> {
        self.running = None;
        self.running = Some(self.start()?);
        let seats = title.party_names(setup.party());
        let mut greeting = format!("outremer {VERSION}\ngame {}\nscenario {}\n", title.id, setup.scenario(),);
        for (key, value) in setup.options() {
            greeting.push_str(&format!("setup {key}={value}\n"));
        }
        greeting.push_str(&format!("seats {seats}\nseat {}\nhello\n", title.seat_name(seat)));
        self.say(&greeting)?;
        let answer = self.hear(TO_BE_READY)?;
        match answer.split_whitespace().next() {
            Some("ready") => Ok(()),
            _ => Err(self.nonsense(&answer, "expected `ready` after `hello`")),
        }
    }

    fn decide(&mut self, turn: &Turn) -> Result<Notation, Fault> {
        self.decisions += 1;
        let offered = turn.offered();
        let mut text = format!("decide {}\nview {}\n", self.decisions, turn.view());
        for line in turn.scene().lines() {
            text.push_str(&format!("scene {line}\n"));
        }
        for offer in &offered {
            match offer.range {
                None => text.push_str(&format!("option {}\n", offer.notation)),
                Some((least, most)) => text.push_str(&format!("range {least} {most} {}\n", offer.notation)),
            }
        }
        text.push_str(&format!("clock {}\ngo\n", self.limit.as_millis()));
        self.say(&text)?;
        let answer = self.hear(self.limit)?;
        match answer.strip_prefix("choose ") {
            Some(choice) => Ok(Notation::new(choice.trim())),
            None => Err(self.nonsense(&answer, "expected `choose` and an option")),
        }
    }

    fn end(&mut self, outcome: Option<&Outcome>) {
        let headline = outcome.map_or("no result", |o| o.headline);
        // Whether it still listens or not, the game is over.
        let _ = self.say(&format!("over {headline}\n"));
        if let Some(mut running) = self.running.take() {
            drop(running.to.take());
            let start = Clock::start();
            while start.elapsed() < Duration::from_millis(200) && matches!(running.child.try_wait(), Ok(None))
            {
                wait_a_little();
            }
        }
    }
}
