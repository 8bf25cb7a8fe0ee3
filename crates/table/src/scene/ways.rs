//! Ways between spaces: roads that are there, traces of what moved, plans, and where pieces could go.

use serde::Serialize;

use crate::seat::Seat;

/// A line between two spaces.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Link {
    /// Its id, unique in the scene.
    pub id: String,
    /// One end: the id of a space.
    pub from: String,
    /// The other end.
    pub to: String,
    /// How it is drawn.
    pub style: LinkStyle,
    /// A word on it, such as how much of its limit is used.
    pub note: String,
}

/// How a link is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub enum LinkStyle {
    /// A thick line.
    #[default]
    Major,
    /// A dashed line.
    Minor,
    /// A dotted line.
    Sea,
    /// An arrow along which something moves.
    Arrow,
}

/// How something moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub enum Manner {
    /// By land.
    #[default]
    March,
    /// By sea: dotted.
    Sea,
    /// Back, out of a battle: pale.
    Retreat,
}

/// What moved since the viewer last decided, from public knowledge.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Trace {
    /// From which space.
    pub from: String,
    /// To which space.
    pub to: String,
    /// How many pieces.
    pub count: u16,
    /// Whose.
    pub owner: Option<Seat>,
    /// How.
    pub manner: Manner,
}

/// Something fell since the viewer last decided.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Fall {
    /// On which space.
    pub space: String,
    /// How many pieces or steps.
    pub count: u16,
    /// Whose.
    pub owner: Option<Seat>,
}

/// How far somebody reaches, as a line around the hexes within: a commander's voice, a bow.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Ring {
    /// What it says: whose it is and what it does.
    pub name: String,
    /// Whose.
    pub owner: Option<Seat>,
    /// The spaces within it.
    pub spaces: Vec<String>,
}

/// What a seat intends: numbered arrows that only it is shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Plan {
    /// Whose.
    pub owner: Option<Seat>,
    /// Step by step; each begins where the one before ended.
    pub steps: Vec<PlanStep>,
}

/// A step of a plan.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PlanStep {
    /// From which space.
    pub from: String,
    /// To which space.
    pub to: String,
    /// What it costs in all, so far; empty where it costs nothing.
    pub cost: String,
    /// Whether the plan stops here, and something waits.
    pub danger: bool,
}

/// Where picked pieces could go together.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct InReach {
    /// The pieces, by their ids: one, several, a whole group.
    pub pieces: Vec<String>,
    /// Whether it is drawn: these pieces are picked now.
    pub shown: bool,
    /// The spaces.
    pub spaces: Vec<Reach>,
}

/// A place that picked pieces can go to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Reach {
    /// The id of the space.
    pub space: String,
    /// What it costs: roads, movement points, a chance; empty where it costs nothing.
    pub cost: String,
    /// What waits there, in a few words; empty where nothing does.
    pub danger: String,
    /// Whether the march ends there, whatever is left.
    pub ends: bool,
}

impl Reach {
    /// Whether something waits there.
    pub fn is_danger(&self) -> bool {
        !self.danger.is_empty()
    }
}
