//! The decisions of Ten Towns, and their notation.

use serde::{Deserialize, Serialize};

use super::data::Components;
use crate::{Notation, ReadError};

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Play a card: its value less one.
    Card(u8),
    /// Bid gold for the first move.
    Bid(u8),
    /// Move the group in a town.
    Group(u8),
    /// A block of the group goes along a road.
    Go(u8, u8),
    /// The group has moved.
    Halt,
    /// All groups have moved.
    End,
    /// Play the ambush.
    Ambush,
    /// Play nothing.
    Pass,
    /// A block fires.
    Fire(u8),
    /// A block retreats along a road.
    Retreat(u8, u8),
    /// A block takes a hit.
    Take(u8),
}

/// A standing order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Fire whenever a block may fire.
    Fire,
    /// Never play the token.
    Pass,
}

pub(super) fn write(components: &Components, action: Action) -> Notation {
    let town = |t: u8| components.towns[usize::from(t)].name.as_str();
    let block = |b: u8| components.blocks[usize::from(b)].name.as_str();
    Notation::new(match action {
        Action::Card(card) => format!("card {}", card + 1),
        Action::Bid(gold) => format!("bid {gold}"),
        Action::Group(t) => format!("group {}", town(t)),
        Action::Go(b, t) => format!("go {} > {}", block(b), town(t)),
        Action::Halt => "halt".into(),
        Action::End => "end".into(),
        Action::Ambush => "ambush".into(),
        Action::Pass => "pass".into(),
        Action::Fire(b) => format!("fire {}", block(b)),
        Action::Retreat(b, t) => format!("retreat {} > {}", block(b), town(t)),
        Action::Take(b) => format!("take {}", block(b)),
    })
}

pub(super) fn read(components: &Components, text: &str) -> Result<Action, ReadError> {
    let wrong = |expected: &str| ReadError::new(format!("`{text}`"), expected);
    let town = |name: &str| {
        components.town(name).ok_or_else(|| ReadError::new(format!("`{name}`"), "the name of a town"))
    };
    let block = |name: &str| {
        components.block(name).ok_or_else(|| ReadError::new(format!("`{name}`"), "the name of a block"))
    };
    let way = |rest: &str| -> Result<(u8, u8), ReadError> {
        let (b, t) = rest.split_once(" > ").ok_or_else(|| wrong("BLOCK > TOWN"))?;
        Ok((block(b)?, town(t)?))
    };
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    match (verb, rest) {
        ("card", "1") => Ok(Action::Card(0)),
        ("card", "2") => Ok(Action::Card(1)),
        ("card", "3") => Ok(Action::Card(2)),
        ("bid", gold) => match gold.parse::<u8>() {
            Ok(amount) if amount.to_string() == gold => Ok(Action::Bid(amount)),
            _ => Err(ReadError::new(format!("`{gold}`"), "a sum of gold up to 255")),
        },
        ("group", name) => Ok(Action::Group(town(name)?)),
        ("go", rest) => way(rest).map(|(b, t)| Action::Go(b, t)),
        ("halt", "") => Ok(Action::Halt),
        ("end", "") => Ok(Action::End),
        ("ambush", "") => Ok(Action::Ambush),
        ("pass", "") => Ok(Action::Pass),
        ("fire", name) => Ok(Action::Fire(block(name)?)),
        ("retreat", rest) => way(rest).map(|(b, t)| Action::Retreat(b, t)),
        ("take", name) => Ok(Action::Take(block(name)?)),
        _ => Err(wrong(
            "card N, bid N, group TOWN, go BLOCK > TOWN, halt, end, ambush, pass, fire BLOCK, retreat BLOCK > TOWN \
             or take BLOCK",
        )),
    }
}
