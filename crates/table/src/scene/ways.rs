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

/// Where picked pieces could go.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Reach {
    /// The pieces, by their ids: one, several, a whole group.
    pub pieces: Vec<String>,
    /// Whether it is drawn: these pieces are picked now.
    pub shown: bool,
    /// The spaces.
    pub spaces: Vec<Reached>,
}

/// A space that can be reached.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Reached {
    /// Which space.
    pub space: String,
    /// What it costs.
    pub cost: u16,
    /// Whether something waits there: an enemy, attrition.
    pub danger: bool,
    /// Whether the march ends there.
    pub end: bool,
    /// What to write instead of the cost: a chance, a round.
    pub label: String,
}

impl Reached {
    /// What is written at the space.
    pub fn figure(&self) -> String {
        if self.label.is_empty() { self.cost.to_string() } else { self.label.clone() }
    }
}
