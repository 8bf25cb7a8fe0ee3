//! The decisions of a battle, and their notation. Men are named, hexes written by row and column, directions by
//! their letters; nothing hangs on the position, so that a line of a record can be read by itself.

use serde::{Deserialize, Serialize};
use table::ReadError;
use table::hex::{Direction, Lie};

use crate::data::{Components, letters};
use crate::field::Order;
use crate::ids::{EngineId, Place, Who};

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Deed {
    /// Set up first [3.45].
    First,
    /// Let the other side set up first [3.45].
    Second,
    /// Name a wall hex that was felled before the assault \[T43\].
    Breach(Place),
    /// Take a man, to set him up or to move him.
    Take(Who),
    /// Set up the taken man on a hex \[T10\].
    Put(Place),
    /// Let the taken rider look this way \[T10\].
    Face(Direction),
    /// All are set up \[T10\].
    Ready,
    /// Order the retreat \[T31\].
    Retreat,
    /// Give the battle up \[T31\].
    GiveUp,
    /// Shoot at a man: in the enemy's movement, at a hex of his way [T11, T12].
    Shoot(Who, Who, Option<Place>),
    /// Shoot at a loose horse [3.57].
    ShootHorse(Who, Place),
    /// Shoot a ballista at a man \[T40\].
    Bolt(EngineId, Who),
    /// Pour oil onto a hex below \[T41\].
    Pour(Who, Place),
    /// Set fire to what is on a hex \[T42\].
    Light(Who, Place),
    /// Go on to the next phase.
    Done,
    /// Step to the next hex.
    Go(Direction),
    /// Turn the horse to the left \[T5\].
    Left,
    /// Turn the horse to the right \[T5\].
    Right,
    /// Step back \[T5\].
    Back,
    /// Turn about \[T5\].
    About,
    /// Mount the horse on a hex \[T6\].
    Mount(Place),
    /// Dismount \[T6\].
    Dismount,
    /// Move no further.
    Halt,
    /// Pick up what lies on one's hex.
    Lift,
    /// Lay down what one carries.
    Drop,
    /// Throw a fascine into the moat \[T38\].
    Throw(Direction),
    /// Raise a ladder against the wall \[T36\].
    Raise(Direction),
    /// Tip a ladder over \[T36\].
    Tip(EngineId),
    /// Raise or lower the drawbridge \[T35\].
    Bridge,
    /// Get into a ram or a siege tower [T35, T37].
    Board(EngineId),
    /// Push a ram or a siege tower [T35, T37].
    Push(EngineId, Direction),
    /// Order a formation \[T33\].
    Order(Who, Order),
    /// A man attacks another [3.53].
    Attack(Who, Who),
    /// One more joins the attack [3.53].
    With(Who),
    /// One more is attacked [3.53].
    Also(Who),
    /// The attack is declared [3.53].
    Strike,
    /// A man attacks a loose horse [3.57].
    KillHorse(Who, Place),
    /// The ram strikes \[T35\].
    Ram(EngineId),
    /// A man and another take their axes to a gate or door \[T35\].
    Hew(Who, Place),
    /// Counter-attack [3.54].
    Counter,
    /// Dodge [3.54].
    Dodge,
    /// Withdraw [3.54].
    Withdraw,
    /// Plead for mercy with an enemy [3.58].
    Plea(Who, Who),
    /// Spare him [3.58].
    Grant,
    /// Refuse him [3.58].
    Refuse,
    /// He takes the hits [3.54].
    Hit(Who),
    /// He advances, of several losers after this one \[T21\].
    Advance(Who, Option<Who>),
    /// Nobody advances \[T21\].
    Stay,
}

/// Decisions that are one word or two.
const PLAIN: [(&str, Deed); 22] = [
    ("set up first", Deed::First),
    ("set up second", Deed::Second),
    ("ready", Deed::Ready),
    ("order the retreat", Deed::Retreat),
    ("give up", Deed::GiveUp),
    ("done", Deed::Done),
    ("turn left", Deed::Left),
    ("turn right", Deed::Right),
    ("back", Deed::Back),
    ("about", Deed::About),
    ("dismount", Deed::Dismount),
    ("halt", Deed::Halt),
    ("lift", Deed::Lift),
    ("drop", Deed::Drop),
    ("bridge", Deed::Bridge),
    ("strike", Deed::Strike),
    ("counter", Deed::Counter),
    ("dodge", Deed::Dodge),
    ("withdraw", Deed::Withdraw),
    ("grant", Deed::Grant),
    ("refuse", Deed::Refuse),
    ("stay", Deed::Stay),
];

impl Components {
    /// A decision as a short line of text.
    pub fn write(&self, deed: Deed) -> String {
        let name = |who| self.name(who);
        if let Some((text, _)) = PLAIN.iter().find(|(_, plain)| *plain == deed) {
            return (*text).to_string();
        }
        match deed {
            Deed::Breach(place) => format!("breach {place}"),
            Deed::Take(who) => format!("take {}", name(who)),
            Deed::Put(place) => format!("put {place}"),
            Deed::Face(direction) => format!("face {}", letters(direction)),
            Deed::Shoot(who, target, None) => format!("shoot {} with {}", name(target), name(who)),
            Deed::Shoot(who, target, Some(place)) => {
                format!("shoot {} at {place} with {}", name(target), name(who))
            }
            Deed::ShootHorse(who, place) => format!("shoot the horse at {place} with {}", name(who)),
            Deed::Bolt(engine, target) => {
                format!("shoot {} with engine {}", name(target), engine.number() + 1)
            }
            Deed::Pour(who, place) => format!("pour {place} with {}", name(who)),
            Deed::Light(who, place) => format!("light {place} with {}", name(who)),
            Deed::Go(direction) => format!("step {}", letters(direction)),
            Deed::Mount(place) => format!("mount {place}"),
            Deed::Throw(direction) => format!("throw {}", letters(direction)),
            Deed::Raise(direction) => format!("raise {}", letters(direction)),
            Deed::Tip(engine) => format!("tip {}", engine.number() + 1),
            Deed::Board(engine) => format!("board {}", engine.number() + 1),
            Deed::Push(engine, direction) => format!("push {} {}", engine.number() + 1, letters(direction)),
            Deed::Order(who, order) => {
                let word = Order::WORDS.iter().find(|(_, o)| *o == order).map_or("", |(word, _)| word);
                format!("order {}: {word}", name(who))
            }
            Deed::Attack(who, target) => format!("attack {} with {}", name(target), name(who)),
            Deed::With(who) => format!("with {}", name(who)),
            Deed::Also(who) => format!("also {}", name(who)),
            Deed::KillHorse(who, place) => format!("attack the horse at {place} with {}", name(who)),
            Deed::Ram(engine) => format!("ram with {}", engine.number() + 1),
            Deed::Hew(who, place) => format!("hew {place} with {}", name(who)),
            Deed::Plea(who, to) => format!("plea of {} to {}", name(who), name(to)),
            Deed::Hit(who) => format!("hit {}", name(who)),
            Deed::Advance(who, None) => format!("advance {}", name(who)),
            Deed::Advance(who, Some(loser)) => format!("advance {} after {}", name(who), name(loser)),
            _ => String::new(),
        }
    }

    /// The decision that a line of text stands for.
    pub fn read_deed(&self, text: &str) -> Result<Deed, ReadError> {
        if let Some((_, deed)) = PLAIN.iter().find(|(word, _)| *word == text) {
            return Ok(*deed);
        }
        let unknown = || {
            ReadError::new(
                format!("`{text}`"),
                "a decision such as `take Guy`, `step NE`, `turn left`, `halt`, `shoot Ayub with Simon`, \
                 `attack Taki with Guy`, `with Cliff`, `strike`, `counter`, `dodge`, `withdraw`, `hit Cliff` \
                 or `done`",
            )
        };
        let (verb, rest) = text.split_once(' ').ok_or_else(unknown)?;
        let who = |name: &str| self.read_who(name);
        let place = |text: &str| {
            text.parse::<Place>()
                .map_err(|()| ReadError::new(format!("`{text}`"), "a hex by row and column, such as `07.12`"))
        };
        let direction = |text: &str| Direction::read(text, Lie::Pointy);
        let engine = |text: &str| {
            let number = text.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            number
                .and_then(EngineId::try_at)
                .ok_or_else(|| ReadError::new(format!("`{text}`"), "the number of an engine, such as `1`"))
        };
        let two = |between: &str| rest.split_once(between).ok_or_else(unknown);
        Ok(match verb {
            "breach" => Deed::Breach(place(rest)?),
            "take" => Deed::Take(who(rest)?),
            "put" => Deed::Put(place(rest)?),
            "face" => Deed::Face(direction(rest)?),
            "step" => Deed::Go(direction(rest)?),
            "mount" => Deed::Mount(place(rest)?),
            "throw" => Deed::Throw(direction(rest)?),
            "raise" => Deed::Raise(direction(rest)?),
            "tip" => Deed::Tip(engine(rest)?),
            "board" => Deed::Board(engine(rest)?),
            "with" => Deed::With(who(rest)?),
            "also" => Deed::Also(who(rest)?),
            "hit" => Deed::Hit(who(rest)?),
            "advance" => match rest.split_once(" after ") {
                Some((man, loser)) => Deed::Advance(who(man)?, Some(who(loser)?)),
                None => Deed::Advance(who(rest)?, None),
            },
            "push" => {
                let (number, to) = two(" ")?;
                Deed::Push(engine(number)?, direction(to)?)
            }
            "ram" => Deed::Ram(engine(rest.strip_prefix("with ").ok_or_else(unknown)?)?),
            "shoot" => {
                let (target, shooter) = two(" with ")?;
                if let Some(horse) = target.strip_prefix("the horse at ") {
                    return Ok(Deed::ShootHorse(who(shooter)?, place(horse)?));
                }
                if let Some(number) = shooter.strip_prefix("engine ") {
                    return Ok(Deed::Bolt(engine(number)?, who(target)?));
                }
                match target.split_once(" at ") {
                    Some((target, at)) => Deed::Shoot(who(shooter)?, who(target)?, Some(place(at)?)),
                    None => Deed::Shoot(who(shooter)?, who(target)?, None),
                }
            }
            "attack" => {
                let (target, attacker) = two(" with ")?;
                match target.strip_prefix("the horse at ") {
                    Some(horse) => Deed::KillHorse(who(attacker)?, place(horse)?),
                    None => Deed::Attack(who(attacker)?, who(target)?),
                }
            }
            "pour" | "light" | "hew" => {
                let (at, man) = two(" with ")?;
                let (at, man) = (place(at)?, who(man)?);
                match verb {
                    "pour" => Deed::Pour(man, at),
                    "light" => Deed::Light(man, at),
                    _ => Deed::Hew(man, at),
                }
            }
            "plea" => {
                let (man, to) =
                    rest.strip_prefix("of ").and_then(|rest| rest.split_once(" to ")).ok_or_else(unknown)?;
                Deed::Plea(who(man)?, who(to)?)
            }
            "order" => {
                let (leader, word) = two(": ")?;
                let order = Order::WORDS.iter().find(|(w, _)| *w == word).ok_or_else(|| {
                    ReadError::new(format!("`{word}`"), "one of the orders close, hold, shoot, fall back")
                })?;
                Deed::Order(who(leader)?, order.1)
            }
            _ => return Err(unknown()),
        })
    }

    /// The man of a name, or what there is.
    pub fn read_who(&self, name: &str) -> Result<Who, ReadError> {
        self.who(name).ok_or_else(|| {
            let near: Vec<_> = self
                .counters
                .iter()
                .filter(|c| c.name.chars().next() == name.chars().next())
                .map(|c| c.name.as_str())
                .take(12)
                .collect();
            let known = if near.is_empty() { "such as Guy or Taki".into() } else { near.join(", ") };
            ReadError::new(format!("`{name}`"), format!("the name of a man: {known}"))
        })
    }
}
