//! The decisions and their notation.

use serde::{Deserialize, Serialize};
use table::{Notation, ReadError, Written};

use crate::CrusaderRex;
use crate::data::{Block, Card, Components, Town, Whence};

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// A block begins at another of its seats [3.1].
    Seat(Block, Town),
    /// All blocks begin at their home seats after all [3.1].
    Homes,
    /// Saladin changes places with a block of his family [3.2].
    Exchange(Block),
    /// Take the cards that are dealt [4.0].
    Deal,
    /// Play a card [4.1].
    Play(Card),
    /// The assassins strike in a town, at a block that nothing tells from others.
    Strike(Town),
    /// The assassins strike at a face-up block.
    Stab(Block),
    /// A block gains a step by manna.
    Bless(Block),
    /// Move the group in a town [5.2].
    Group(Town),
    /// Begin a muster [5.3].
    Muster,
    /// Name the muster town [5.3].
    MusterAt(Town),
    /// A block goes along a road.
    Go(Block, Town),
    /// A block goes by sea [5.4].
    Sail(Block),
    /// To this friendly port.
    Land(Town),
    /// Against this port [7.22].
    Assault(Town),
    /// A German block enters [7.23].
    Enter(Block, Town),
    /// Keep a siege over the winter [8.2].
    Campaign(Town),
    /// The road from there (or the sea) is the main road into a town [6.41].
    Main(Town, Whence),
    /// The jihad is declared in a town.
    Jihad(Town),
    /// Fight here next [6.0].
    Fight(Town),
    /// A block is picked: into the castle [6.1], to storm [6.53], to sally [6.55].
    Pick(Block),
    /// The picked blocks do it.
    Begin,
    /// A block fires [6.3].
    Fire(Block),
    /// A block charges [6.32].
    Charge(Block),
    /// A block harries [6.33].
    Harry(Block),
    /// A block retreats along a road [6.6].
    Retreat(Block, Town),
    /// A block withdraws between field and castle [6.63].
    Withdraw(Block),
    /// A block takes a hit [6.31].
    Take(Block),
    /// A block regroups along a road [6.7].
    Regroup(Block, Town),
    /// The drawn block goes to a town [7.0].
    Place(Town),
    /// The drawn block finds no place and goes back [7.24].
    Return,
    /// A block is given up in winter [8.3].
    Starve(Block),
    /// A block gains a step in winter [8.4].
    Replace(Block),
    /// Supply and replacements as the table would do them.
    Fill,
    /// Nothing (more) of this.
    Done,
}

impl Written for CrusaderRex {
    fn write(&self, action: Action) -> Notation {
        write(&self.components, action)
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        read(&self.components, text)
    }
}

fn write(components: &Components, action: Action) -> Notation {
    let town = |t: Town| components.town_name(t);
    let block = |b: Block| components.block_name(b);
    Notation::new(match action {
        Action::Seat(b, t) => format!("seat {} > {}", block(b), town(t)),
        Action::Homes => "homes".into(),
        Action::Exchange(b) => format!("exchange {}", block(b)),
        Action::Deal => "deal".into(),
        Action::Play(card) => format!("play {}", card.name()),
        Action::Strike(t) => format!("strike {}", town(t)),
        Action::Stab(b) => format!("strike {}", block(b)),
        Action::Bless(b) => format!("bless {}", block(b)),
        Action::Group(t) => format!("group {}", town(t)),
        Action::Muster => "muster".into(),
        Action::MusterAt(t) => format!("muster {}", town(t)),
        Action::Go(b, t) => format!("go {} > {}", block(b), town(t)),
        Action::Sail(b) => format!("sail {}", block(b)),
        Action::Land(t) => format!("land {}", town(t)),
        Action::Assault(t) => format!("assault {}", town(t)),
        Action::Enter(b, t) => format!("enter {} > {}", block(b), town(t)),
        Action::Campaign(t) => format!("campaign {}", town(t)),
        Action::Main(t, Whence::Sea) => format!("main {} < the sea", town(t)),
        Action::Main(t, Whence::North) => format!("main {} < the north", town(t)),
        Action::Main(t, Whence::Town(from)) => format!("main {} < {}", town(t), town(from)),
        Action::Jihad(t) => format!("jihad {}", town(t)),
        Action::Fight(t) => format!("fight {}", town(t)),
        Action::Pick(b) => format!("pick {}", block(b)),
        Action::Begin => "begin".into(),
        Action::Fire(b) => format!("fire {}", block(b)),
        Action::Charge(b) => format!("charge {}", block(b)),
        Action::Harry(b) => format!("harry {}", block(b)),
        Action::Retreat(b, t) => format!("retreat {} > {}", block(b), town(t)),
        Action::Withdraw(b) => format!("withdraw {}", block(b)),
        Action::Take(b) => format!("take {}", block(b)),
        Action::Regroup(b, t) => format!("regroup {} > {}", block(b), town(t)),
        Action::Place(t) => format!("place {}", town(t)),
        Action::Return => "return".into(),
        Action::Starve(b) => format!("give up {}", block(b)),
        Action::Replace(b) => format!("replace {}", block(b)),
        Action::Fill => "fill".into(),
        Action::Done => "done".into(),
    })
}

fn read(components: &Components, text: &str) -> Result<Action, ReadError> {
    let town = |name: &str| {
        components.town(name).ok_or_else(|| ReadError::new(format!("`{name}`"), "the name of a town"))
    };
    let block = |name: &str| {
        components.block(name).ok_or_else(|| ReadError::new(format!("`{name}`"), "the name of a block"))
    };
    let way = |rest: &str| -> Result<(Block, Town), ReadError> {
        let (b, t) =
            rest.split_once(" > ").ok_or_else(|| ReadError::new(format!("`{rest}`"), "BLOCK > TOWN"))?;
        Ok((block(b)?, town(t)?))
    };
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    Ok(match (verb, rest) {
        ("homes", "") => Action::Homes,
        ("deal", "") => Action::Deal,
        ("muster", "") => Action::Muster,
        ("begin", "") => Action::Begin,
        ("return", "") => Action::Return,
        ("fill", "") => Action::Fill,
        ("done", "") => Action::Done,
        ("seat", rest) => way(rest).map(|(b, t)| Action::Seat(b, t))?,
        ("exchange", name) => Action::Exchange(block(name)?),
        ("play", name) => match Card::ALL.into_iter().find(|card| card.name() == name) {
            Some(card) => Action::Play(card),
            None => return Err(ReadError::new(format!("`{name}`"), "the name of a card")),
        },
        ("strike", name) => match components.block(name) {
            Some(b) => Action::Stab(b),
            None => Action::Strike(town(name)?),
        },
        ("bless", name) => Action::Bless(block(name)?),
        ("group", name) => Action::Group(town(name)?),
        ("muster", name) => Action::MusterAt(town(name)?),
        ("go", rest) => way(rest).map(|(b, t)| Action::Go(b, t))?,
        ("sail", name) => Action::Sail(block(name)?),
        ("land", name) => Action::Land(town(name)?),
        ("assault", name) => Action::Assault(town(name)?),
        ("enter", rest) => way(rest).map(|(b, t)| Action::Enter(b, t))?,
        ("campaign", name) => Action::Campaign(town(name)?),
        ("main", rest) => {
            let (t, from) = rest
                .split_once(" < ")
                .ok_or_else(|| ReadError::new(format!("`{rest}`"), "TOWN < TOWN it comes from"))?;
            let from = match from {
                "the sea" => Whence::Sea,
                "the north" => Whence::North,
                name => Whence::Town(town(name)?),
            };
            Action::Main(town(t)?, from)
        }
        ("jihad", name) => Action::Jihad(town(name)?),
        ("fight", name) => Action::Fight(town(name)?),
        ("pick", name) => Action::Pick(block(name)?),
        ("fire", name) => Action::Fire(block(name)?),
        ("charge", name) => Action::Charge(block(name)?),
        ("harry", name) => Action::Harry(block(name)?),
        ("retreat", rest) => way(rest).map(|(b, t)| Action::Retreat(b, t))?,
        ("withdraw", name) => Action::Withdraw(block(name)?),
        ("take", name) => Action::Take(block(name)?),
        ("regroup", rest) => way(rest).map(|(b, t)| Action::Regroup(b, t))?,
        ("place", name) => Action::Place(town(name)?),
        ("give", rest) => match rest.strip_prefix("up ") {
            Some(name) => Action::Starve(block(name)?),
            None => return Err(ReadError::new(format!("`{text}`"), "`give up BLOCK`")),
        },
        ("replace", name) => Action::Replace(block(name)?),
        _ => {
            return Err(ReadError::new(
                format!("`{text}`"),
                "an action such as `go King Guy > Acre`, `fire Saladin` or `done`",
            ));
        }
    })
}
