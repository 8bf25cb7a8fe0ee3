//! The decisions, and their notation.

use serde::{Deserialize, Serialize};
use table::{Id as _, Notation, ReadError, Written};

use crate::ThirdCrusade;
use crate::ids::{
    Event, ICONS, Icon, Leader, Objective, Order, Owner, Piece, Region, Road, SLOT_NAMES, Slot, Space, UNITS,
};

/// One decision. Parts of a deed are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Draw objectives [setup.3].
    Draw,
    /// Discard an objective [setup.variable].
    Discard(Objective),
    /// Deploy a piece [setup.variable].
    Deploy(Piece, Region),
    /// Lay a card under the next value [1.1].
    Lay(Event),
    /// Select a card of the enemy [1.2].
    Pick(Event),
    /// Take an order from the box [2.1].
    Take(Order),
    /// Place the order that was taken [2.1].
    Set(Region),
    /// Pass [2.4, 3.10].
    Pass,
    /// Play an event card [3.2].
    Play(Event),
    /// Execute the order in a region [3.7].
    Execute(Region),
    /// Pay gold for the crowns that are missing [3.3].
    Crown,
    /// Carry out a part that needs no choice.
    Part(u8),
    /// Carry out a part in a region with so many pieces.
    Place(u8, Region, u8),
    /// Carry out a part on a Slot: Sabotage, Repair.
    Spot(u8, Region, Slot),
    /// Carry out a part by removing a Unit.
    Remove(u8, Region, Piece),
    /// Carry out a part by removing a leader.
    Slay(u8, Leader),
    /// Carry out a part on a road.
    Road(u8, Road),
    /// Begin the march of a part in a region.
    March(u8, Region),
    /// Carry out a part by gaining an Advanced Order.
    Gain(u8, Order),
    /// Carry out a part with a leader from the pool.
    Settle(u8, Leader, Region),
    /// Put a piece of the diplomacy board in the place of another.
    Replace(u8, Region, Out),
    /// Leave it at that.
    Done,
    /// Leave a piece behind.
    Leave(Piece),
    /// Go there.
    Go(Region),
    /// March no further.
    Halt,
    /// Fight here first [glossary.disperse].
    Fight(Region),
    /// Execute a Reaction Order; a Diversion against the reaction from the other region.
    React(Region, Option<Region>),
    /// Execute no Reaction Order.
    Decline,
    /// Lose a piece.
    Lose(Piece, Region),
    /// Send a piece away that finds no Slot.
    Send(Piece),
    /// Bid so much gold [4.1].
    Bid(u8),
    /// Take or name the reward with this number, from 0 [4.2].
    Reward(u8),
    /// Agree with the partner's proposal [4.2].
    Assent,
    /// Move to a space of the diplomacy board [4.4].
    Advance(Space),
    /// Tithe the order in a region [5.2].
    Tithe(Region),
    /// Buy an Advanced Order [5.4b].
    Buy(Order),
    /// Land in a port [5.7].
    Land(Region),
    /// Reveal an objective for Glory [end.1].
    Reveal(Objective),
}

/// What makes room on the map for a gain of the diplomacy board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Out {
    /// A Unit of the shape, of this owner.
    Unit(Owner),
    /// A token.
    Token(Icon),
}

impl ThirdCrusade {
    pub(crate) fn owner_name(&self, owner: Owner) -> &str {
        owner.army().map_or("Neutral", |army| self.components.army(army))
    }

    pub(crate) fn piece_name(&self, piece: Piece) -> String {
        match piece {
            Piece::Unit(owner, unit) => format!("{} {}", self.owner_name(owner), unit.name()),
            Piece::Leader(leader) => self.components.leaders[leader].faces[0].name.clone(),
        }
    }

    /// An order by army and title: `Angevin March with tithe`.
    pub(crate) fn order_name(&self, order: Order) -> String {
        let sheet = &self.components.orders[order];
        let tithe = if sheet.tithe { " with tithe" } else { "" };
        format!("{} {}{tithe}", self.components.army(sheet.army), sheet.title)
    }

    fn road_name(&self, road: Road) -> String {
        let (a, b) = self.components.ends(road);
        format!("{} to {}", self.components.place(a), self.components.place(b))
    }

    fn objective_name(&self, objective: Objective) -> &str {
        self.components.place(self.components.objectives[objective].main)
    }
}

impl Written for ThirdCrusade {
    fn write(&self, action: Action) -> Notation {
        let c = &self.components;
        let at = |region: Region| c.place(region);
        let part = |part: u8, what: String| format!("part {}: {what}", part + 1);
        Notation::new(match action {
            Action::Draw => "draw".into(),
            Action::Discard(o) => format!("discard {}", self.objective_name(o)),
            Action::Deploy(piece, r) => format!("deploy {} at {}", self.piece_name(piece), at(r)),
            Action::Lay(e) => format!("lay {}", c.events[e].title),
            Action::Pick(e) => format!("pick {}", c.events[e].title),
            Action::Take(o) => format!("take {}", self.order_name(o)),
            Action::Set(r) => format!("set {}", at(r)),
            Action::Pass => "pass".into(),
            Action::Play(e) => format!("play {}", c.events[e].title),
            Action::Execute(r) => format!("execute {}", at(r)),
            Action::Crown => "pay for crowns".into(),
            Action::Part(n) => format!("part {}", n + 1),
            Action::Place(n, r, k) => part(n, format!("{k} at {}", at(r))),
            Action::Spot(n, r, slot) => part(n, format!("slot {} of {}", SLOT_NAMES[slot.number()], at(r))),
            Action::Remove(n, r, piece) => {
                part(n, format!("remove {} from {}", self.piece_name(piece), at(r)))
            }
            Action::Slay(n, leader) => part(n, format!("slay {}", self.piece_name(Piece::Leader(leader)))),
            Action::Road(n, road) => part(n, format!("road {}", self.road_name(road))),
            Action::March(n, r) => part(n, format!("march from {}", at(r))),
            Action::Gain(n, o) => part(n, format!("gain {}", self.order_name(o))),
            Action::Settle(n, leader, r) => {
                part(n, format!("settle {} at {}", self.piece_name(Piece::Leader(leader)), at(r)))
            }
            Action::Replace(n, r, Out::Unit(owner)) => {
                part(n, format!("replace {} unit at {}", self.owner_name(owner), at(r)))
            }
            Action::Replace(n, r, Out::Token(icon)) => {
                part(n, format!("replace {} token at {}", icon.name(), at(r)))
            }
            Action::Done => "done".into(),
            Action::Leave(piece) => format!("leave {}", self.piece_name(piece)),
            Action::Go(r) => format!("go {}", at(r)),
            Action::Halt => "halt".into(),
            Action::Fight(r) => format!("fight {}", at(r)),
            Action::React(r, None) => format!("react {}", at(r)),
            Action::React(r, Some(against)) => format!("react {} against {}", at(r), at(against)),
            Action::Decline => "decline".into(),
            Action::Lose(piece, r) => format!("lose {} at {}", self.piece_name(piece), at(r)),
            Action::Send(piece) => format!("send {}", self.piece_name(piece)),
            Action::Bid(gold) => format!("bid {gold}"),
            Action::Reward(n) => format!("reward {}", n + 1),
            Action::Assent => "assent".into(),
            Action::Advance(space) => format!("advance {}", c.spaces[space].id),
            Action::Tithe(r) => format!("tithe {}", at(r)),
            Action::Buy(o) => format!("buy {}", self.order_name(o)),
            Action::Land(r) => format!("land {}", at(r)),
            Action::Reveal(o) => format!("reveal {}", self.objective_name(o)),
        })
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        let words = Words { game: self, text };
        match text {
            "draw" => return Ok(Action::Draw),
            "pass" => return Ok(Action::Pass),
            "pay for crowns" => return Ok(Action::Crown),
            "done" => return Ok(Action::Done),
            "halt" => return Ok(Action::Halt),
            "decline" => return Ok(Action::Decline),
            "assent" => return Ok(Action::Assent),
            _ => {}
        }
        if let Some(rest) = text.strip_prefix("part ") {
            return words.part(rest);
        }
        let (verb, rest) = text.split_once(' ').ok_or_else(|| words.wrong())?;
        Ok(match verb {
            "discard" => Action::Discard(words.objective(rest)?),
            "deploy" => {
                let (piece, region) = words.piece_at(rest, " at ")?;
                Action::Deploy(piece, region)
            }
            "lay" => Action::Lay(words.event(rest)?),
            "pick" => Action::Pick(words.event(rest)?),
            "take" => Action::Take(words.order(rest)?),
            "set" => Action::Set(words.region(rest)?),
            "play" => Action::Play(words.event(rest)?),
            "execute" => Action::Execute(words.region(rest)?),
            "leave" => Action::Leave(words.piece(rest)?),
            "go" => Action::Go(words.region(rest)?),
            "fight" => Action::Fight(words.region(rest)?),
            "react" => match rest.split_once(" against ") {
                Some((at, against)) => Action::React(words.region(at)?, Some(words.region(against)?)),
                None => Action::React(words.region(rest)?, None),
            },
            "lose" => {
                let (piece, region) = words.piece_at(rest, " at ")?;
                Action::Lose(piece, region)
            }
            "send" => Action::Send(words.piece(rest)?),
            "bid" => Action::Bid(words.number(rest)?),
            "reward" => Action::Reward(words.one_based(rest, 5)?),
            "advance" => {
                let found = Space::all().find(|s| self.components.spaces[*s].id == rest);
                Action::Advance(found.ok_or_else(|| words.wrong())?)
            }
            "tithe" => Action::Tithe(words.region(rest)?),
            "buy" => Action::Buy(words.order(rest)?),
            "land" => Action::Land(words.region(rest)?),
            "reveal" => Action::Reveal(words.objective(rest)?),
            _ => return Err(words.wrong()),
        })
    }
}

/// Notation that is being read.
struct Words<'a> {
    game: &'a ThirdCrusade,
    text: &'a str,
}

impl Words<'_> {
    fn wrong(&self) -> ReadError {
        ReadError::new(
            format!("`{}`", self.text),
            "something like `lay Greek Fire`, `take Angevin March`, `set Acre`, `execute Acre`, `part 1: 2 at Acre`, \
             `leave Angevin Infantry`, `go Tyre`, `react Acre`, `decline`, `lose Neutral Infantry at Acre`, `bid 3`, \
             `reward 2`, `advance r1a`, `done` or `pass`",
        )
    }

    fn part(&self, rest: &str) -> Result<Action, ReadError> {
        let (number, rest) = match rest.split_once(": ") {
            None => return Ok(Action::Part(self.one_based(rest, 8)?)),
            Some((number, rest)) => (self.one_based(number, 8)?, rest),
        };
        let (verb, more) = rest.split_once(' ').ok_or_else(|| self.wrong())?;
        Ok(match verb {
            "slot" => {
                let (slot, region) = more.split_once(" of ").ok_or_else(|| self.wrong())?;
                let slot = SLOT_NAMES.iter().position(|name| *name == slot).and_then(Slot::try_at);
                Action::Spot(number, self.region(region)?, slot.ok_or_else(|| self.wrong())?)
            }
            "remove" => {
                let (piece, region) = self.piece_at(more, " from ")?;
                Action::Remove(number, region, piece)
            }
            "slay" => Action::Slay(number, self.leader(more)?),
            "road" => {
                let road = |r: &Road| {
                    r.number() < self.game.components.roads.len() && self.game.road_name(*r) == more
                };
                Action::Road(number, Road::all().find(road).ok_or_else(|| self.wrong())?)
            }
            "march" => {
                let from = more.strip_prefix("from ").ok_or_else(|| self.wrong())?;
                Action::March(number, self.region(from)?)
            }
            "gain" => Action::Gain(number, self.order(more)?),
            "settle" => {
                let (leader, region) = more.split_once(" at ").ok_or_else(|| self.wrong())?;
                Action::Settle(number, self.leader(leader)?, self.region(region)?)
            }
            "replace" => {
                let (what, region) = more.split_once(" at ").ok_or_else(|| self.wrong())?;
                let region = self.region(region)?;
                let out = if let Some(owner) = what.strip_suffix(" unit") {
                    Owner::all().find(|o| self.game.owner_name(*o) == owner).map(Out::Unit)
                } else {
                    let icon = what.strip_suffix(" token");
                    ICONS.into_iter().find(|i| Some(i.name()) == icon).map(Out::Token)
                };
                Action::Replace(number, region, out.ok_or_else(|| self.wrong())?)
            }
            count => {
                let region = more.strip_prefix("at ").ok_or_else(|| self.wrong())?;
                Action::Place(number, self.region(region)?, self.number(count)?)
            }
        })
    }

    /// A number as it is written, without signs and leading noughts.
    fn number(&self, text: &str) -> Result<u8, ReadError> {
        let number: u8 = text.parse().map_err(|_| self.wrong())?;
        if number.to_string() == text { Ok(number) } else { Err(self.wrong()) }
    }

    fn one_based(&self, text: &str, most: u8) -> Result<u8, ReadError> {
        let number = self.number(text)?;
        if (1..=most).contains(&number) { Ok(number - 1) } else { Err(self.wrong()) }
    }

    fn region(&self, name: &str) -> Result<Region, ReadError> {
        Region::all().find(|r| self.game.components.place(*r) == name).ok_or_else(|| self.wrong())
    }

    fn event(&self, title: &str) -> Result<Event, ReadError> {
        Event::all().find(|e| self.game.components.events[*e].title == title).ok_or_else(|| self.wrong())
    }

    fn order(&self, name: &str) -> Result<Order, ReadError> {
        let named = |o: &Order| self.game.components.orders[*o].count > 0 && self.game.order_name(*o) == name;
        Order::all().find(named).ok_or_else(|| self.wrong())
    }

    fn objective(&self, name: &str) -> Result<Objective, ReadError> {
        Objective::all().find(|o| self.game.objective_name(*o) == name).ok_or_else(|| self.wrong())
    }

    fn leader(&self, name: &str) -> Result<Leader, ReadError> {
        let named = |l: &Leader| self.game.components.leaders[*l].faces[0].name == name;
        Leader::all().find(named).ok_or_else(|| self.wrong())
    }

    fn piece(&self, name: &str) -> Result<Piece, ReadError> {
        for owner in Owner::all() {
            let Some(rest) = name.strip_prefix(self.game.owner_name(owner)) else { continue };
            let unit = UNITS.into_iter().find(|unit| rest.strip_prefix(' ') == Some(unit.name()));
            if let Some(unit) = unit {
                return Ok(Piece::Unit(owner, unit));
            }
        }
        self.leader(name).map(Piece::Leader)
    }

    fn piece_at(&self, text: &str, between: &str) -> Result<(Piece, Region), ReadError> {
        let (piece, region) = text.split_once(between).ok_or_else(|| self.wrong())?;
        Ok((self.piece(piece)?, self.region(region)?))
    }
}
