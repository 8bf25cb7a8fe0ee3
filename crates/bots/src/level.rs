//! The levels as a person understands them.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use table::{Lots, Notation, Pick};

use crate::outside::Outside;
use crate::player::{Fault, Player, Turn};
use crate::search::{Advice, Budget, Search, Settings};

/// How well a player plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Any option, each as likely as the others.
    Random,
    /// What looks best one step ahead.
    Greedy,
    /// Thinks a little and is easily content: a beginner should beat him, and nobody laugh at him.
    Squire,
    /// Thinks for a moment.
    Knight,
    /// Thinks for about a second.
    Captain,
    /// A captain who thinks four times as long.
    Marshal,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 6] =
        [Self::Random, Self::Greedy, Self::Squire, Self::Knight, Self::Captain, Self::Marshal];

    /// Its name on command lines and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Squire => "squire",
            Self::Knight => "knight",
            Self::Captain => "captain",
            Self::Marshal => "marshal",
        }
    }

    /// The level with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// What it is, in a sentence.
    pub const fn gist(self) -> &'static str {
        match self {
            Self::Random => "any option, each as likely as the others",
            Self::Greedy => "what looks best one step ahead",
            Self::Squire => "thinks a little and is easily content",
            Self::Knight => "thinks for a moment",
            Self::Captain => "thinks for about a second",
            Self::Marshal => "thinks four times as long as a captain",
        }
    }

    /// How long it thinks about one decision within these limits.
    fn budget(self, limits: &Limits) -> Budget {
        let times = if self == Self::Marshal { 4 } else { 1 };
        match (self, limits.iterations, limits.time) {
            (Self::Squire, ..) => Budget::Iterations(SQUIRE),
            (Self::Knight, ..) => Budget::Iterations(KNIGHT),
            (_, Some(iterations), _) => Budget::Iterations(iterations.saturating_mul(times)),
            (_, None, time) => Budget::Time(time.unwrap_or(CAPTAIN) * times),
        }
    }

    /// How it searches.
    fn settings(self, limits: &Limits) -> Settings {
        let threads = if self < Self::Captain { 1 } else { limits.threads };
        let usual = Settings::default();
        // A squire looks at everything for a moment, rather than at the best for long.
        let explore = if self == Self::Squire { 0.5 } else { usual.explore };
        Settings { threads, explore, ..usual }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Iterations of a squire.
const SQUIRE: u32 = 60;
/// Iterations of a knight.
const KNIGHT: u32 = 800;
/// How long a captain thinks about one decision.
const CAPTAIN: Duration = Duration::from_secs(1);
/// A squire takes any choice that costs him no more than this chance to win.
const CONTENT: f32 = 0.04;

/// How long players may think.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Iterations of a captain for one decision; a marshal makes four times as many. Where this is set,
    /// games can be repeated.
    pub iterations: Option<u32>,
    /// How long a captain thinks about one decision, where iterations are not set.
    pub time: Option<Duration>,
    /// Threads of a captain or a marshal.
    pub threads: u16,
    /// How long a player from outside may take for one decision.
    pub outside: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { iterations: None, time: None, threads: 1, outside: Duration::from_secs(10) }
    }
}

/// Nobody is called this.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownPlayer {
    /// No such level, and no path.
    #[error(
        "no player is called `{0}`; there are: {known}; those that search also with a number of iterations \
         (`captain:4000`) and with settings (`captain:4000+beyond=0`), and programs by their path (`./mybot.py`)",
        known = Level::ALL.map(Level::name).join(", ")
    )]
    Name(String),
    /// A number of iterations that is none.
    #[error("`{0}`: expected a number of iterations after the colon, such as captain:4000")]
    Iterations(String),
    /// A setting that there is not.
    #[error("`{player}`: expected a setting ({known}) and a number, found `{found}`", known = Settings::KEYS.join(", "))]
    Setting {
        /// The player.
        player: String,
        /// What was found.
        found: String,
    },
}

/// The player with this name: a level, a level with its iterations (`captain:4000`) and settings
/// (`captain:4000+beyond=0`), or the path of a program (anything with a `/`). Players with the same seed
/// decide alike.
pub fn seat_player(name: &str, seed: u64, limits: Limits) -> Result<Box<dyn Player>, UnknownPlayer> {
    if name.contains('/') {
        return Ok(Box::new(Outside::new(name, limits.outside)));
    }
    let mut parts = name.split('+');
    let first = parts.next().unwrap_or_default();
    let (word, budget) = match first.split_once(':') {
        None => (first, None),
        Some((word, number)) => {
            let number: u32 = number.parse().map_err(|_| UnknownPlayer::Iterations(name.to_string()))?;
            (word, Some(Budget::Iterations(number.max(1))))
        }
    };
    let level = Level::named(word).ok_or_else(|| UnknownPlayer::Name(name.to_string()))?;
    if name != word && level < Level::Squire {
        return Err(UnknownPlayer::Name(name.to_string()));
    }
    let mut settings = level.settings(&limits);
    for part in parts {
        let set = part.split_once('=').is_some_and(|(key, number)| settings.set(key, number));
        if !set {
            return Err(UnknownPlayer::Setting { player: name.to_string(), found: part.to_string() });
        }
    }
    Ok(Box::new(Inside {
        name: name.to_string(),
        level,
        budget: budget.unwrap_or(level.budget(&limits)),
        search: Search::new(settings),
        purse: Purse::default(),
        lots: Lots::new(seed),
    }))
}

/// A player of this crate.
#[derive(Debug)]
struct Inside {
    name: String,
    level: Level,
    budget: Budget,
    search: Search,
    purse: Purse,
    lots: Lots,
}

/// What a player has left to spend on the routine decisions of a round, in parts of his budget. They get an eighth
/// of it each, and all of them together no more than a decision at rest, which fills the purse again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Purse(u32);

/// A purse holds so many parts of a budget.
const PARTS: u32 = 64;
/// A routine decision gets so many of them.
const ROUTINE: u32 = PARTS / 8;

impl Default for Purse {
    fn default() -> Self {
        Self(PARTS)
    }
}

impl Purse {
    /// How many parts of the budget a decision gets.
    fn spend(&mut self, routine: bool) -> u32 {
        if !routine {
            *self = Self::default();
            return PARTS;
        }
        let parts = self.0.min(ROUTINE);
        self.0 -= parts;
        // Even who has spent all looks twice.
        parts.max(1)
    }
}

impl Player for Inside {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(&mut self, turn: &Turn) -> Result<Notation, Fault> {
        let thought = turn.thought();
        // Every decision draws the same from its lots, whatever the seat may hold.
        let seed = self.lots.bits();
        let mut lots = Lots::new(seed);
        match self.level {
            Level::Random => Ok(thought.pick(Pick::Random, &mut lots)),
            Level::Greedy => Ok(thought.pick(Pick::Greedy, &mut lots)),
            _ if thought.choices().len() == 1 => Ok(thought.notation(0)),
            level => {
                let parts = self.purse.spend(thought.is_routine());
                let advice = self.search.think(thought, self.budget.share(parts, PARTS), seed);
                let taken = if level == Level::Squire { contented(&advice, &mut lots) } else { 0 };
                Ok(advice.choices[taken].notation.clone())
            }
        }
    }
}

/// A choice that costs little, by lot: what a squire takes.
fn contented(advice: &Advice, lots: &mut Lots) -> usize {
    let Some(best) = advice.worth() else { return 0 };
    let good = |c: &crate::search::Judged| c.visits > 1 && c.worth.is_some_and(|w| w >= best - CONTENT);
    let fair: Vec<usize> = (0..advice.choices.len()).filter(|i| good(&advice.choices[*i])).collect();
    lots.pick(&fair).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(name: &str) -> String {
        seat_player(name, 1, Limits::default()).map(|p| p.name().to_string()).unwrap_err().to_string()
    }

    #[test]
    fn players_are_known_by_their_names() {
        for level in Level::ALL {
            assert_eq!(Level::named(level.name()), Some(level));
            assert!(seat_player(level.name(), 1, Limits::default()).is_ok());
        }
        assert!(seat_player("captain:4000+beyond=0+explore=0.3", 1, Limits::default()).is_ok());
        assert!(seat_player("./mybot.py", 1, Limits::default()).is_ok());
    }

    #[test]
    fn who_is_not_known_is_told_who_is() {
        assert!(problem("king").starts_with("no player is called `king`; there are: random, greedy, squire"));
        assert!(problem("captain:many").contains("expected a number of iterations"));
        assert!(problem("random:20").contains("no player is called"));
        assert_eq!(
            problem("captain+depth=3"),
            "`captain+depth=3`: expected a setting (explore, swing, beyond, settle, widen, look, trust, weigh) and a number, \
             found `depth=3`"
        );
        assert!(problem("captain+explore=-1").contains("found `explore=-1`"));
    }

    #[test]
    fn routine_decisions_of_a_round_share_a_purse() {
        let mut purse = Purse::default();
        assert_eq!(purse.spend(false), PARTS);
        let routine: Vec<_> = (0..10).map(|_| purse.spend(true)).collect();
        assert_eq!(routine, [8, 8, 8, 8, 8, 8, 8, 8, 1, 1]);
        assert_eq!((purse.spend(false), purse.spend(true)), (PARTS, ROUTINE), "filled again at rest");
        assert_eq!(Budget::Iterations(6400).share(ROUTINE, PARTS), Budget::Iterations(800));
        assert_eq!(Budget::Iterations(3).share(1, PARTS), Budget::Iterations(1));
        let second = Budget::Time(Duration::from_secs(1));
        assert_eq!(second.share(ROUTINE, PARTS), Budget::Time(Duration::from_millis(125)));
    }

    #[test]
    fn budgets_grow_with_the_level() {
        let limits = Limits { iterations: Some(1000), ..Limits::default() };
        assert_eq!(Level::Captain.budget(&limits), Budget::Iterations(1000));
        assert_eq!(Level::Marshal.budget(&limits), Budget::Iterations(4000));
        let limits = Limits { time: Some(Duration::from_millis(500)), ..Limits::default() };
        assert_eq!(Level::Marshal.budget(&limits), Budget::Time(Duration::from_secs(2)));
    }
}
