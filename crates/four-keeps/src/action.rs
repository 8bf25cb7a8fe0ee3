//! The decisions, and their notation.

use serde::{Deserialize, Serialize};
use table::hex::{Direction, Lie};
use table::rooms::*;
use table::{Notation, ReadError};

use crate::FourKeeps;
use crate::position::Stance;

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Bid so much gold [2.1].
    Bid(u8),
    /// Go to the next hex [3.1].
    Go(Direction),
    /// March no further [3.1].
    Halt,
    /// Fight so [4.1].
    Fight(Stance),
    /// Show a ward [4.4].
    Ward,
    /// Show nothing [4.4].
    Pass,
}

/// A standing order [7.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Halt at once.
    Stand,
    /// Never show a ward.
    KeepWards,
}

impl Written for FourKeeps {
    fn write(&self, action: Action) -> Notation {
        Notation::new(match action {
            Action::Bid(gold) => format!("bid {gold}"),
            Action::Go(direction) => format!("go {}", direction.letters(Lie::Pointy)),
            Action::Halt => "halt".into(),
            Action::Fight(Stance::Press) => "press".into(),
            Action::Fight(Stance::Guard) => "guard".into(),
            Action::Ward => "ward".into(),
            Action::Pass => "pass".into(),
        })
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        let wrong = || {
            ReadError::new(
                format!("`{text}`"),
                "`bid 3`, `go NE`, `halt`, `press`, `guard`, `ward` or `pass`",
            )
        };
        Ok(match text.split_once(' ') {
            Some(("bid", gold)) => Action::Bid(gold.parse().map_err(|_| wrong())?),
            Some(("go", letters)) => Action::Go(Direction::read(letters, Lie::Pointy)?),
            _ => match text {
                "halt" => Action::Halt,
                "press" => Action::Fight(Stance::Press),
                "guard" => Action::Fight(Stance::Guard),
                "ward" => Action::Ward,
                "pass" => Action::Pass,
                _ => return Err(wrong()),
            },
        })
    }
}
