//! Boards, what lies under their spaces, their regions, and how much room they want.

use serde::Serialize;

use super::{Fall, InReach, Link, Piece, Plan, Ring, Space, Trace};
use crate::seat::Seat;

/// A board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Board {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Width in board units.
    pub width: i32,
    /// Height in board units.
    pub height: i32,
    /// How much room it wants beside others.
    pub room: Room,
    /// The side of a piece, in board units; 0 for what suits the board.
    pub piece: i32,
    /// Its heading: on a map a cartouche where it covers nothing, on a battle mat the band at the top.
    pub head: Option<Head>,
    /// In which order those on it act, as a strip beside them.
    pub order: Vec<Turn>,
    /// What lies under the spaces.
    pub ground: Ground,
    /// The kinds of terrain that its spaces may have, as a legend tells them.
    pub terrains: Vec<Terrain>,
    /// Regions, lettered and perhaps tinted.
    pub regions: Vec<Region>,
    /// Where pieces can stand.
    pub spaces: Vec<Space>,
    /// Roads and the like between spaces.
    pub links: Vec<Link>,
    /// What stands on them; pieces of one space are drawn in this order.
    pub pieces: Vec<Piece>,
    /// What moved since the viewer last decided, as far as he may know.
    pub traces: Vec<Trace>,
    /// Where something fell since then.
    pub falls: Vec<Fall>,
    /// How far somebody reaches, whether or not anything is picked.
    pub rings: Vec<Ring>,
    /// What the viewer himself intends: nobody else gets it.
    pub plans: Vec<Plan>,
    /// Where the viewer's pieces could go.
    pub reach: Vec<InReach>,
}

/// The heading of a board. It repeats what is said elsewhere too, so the text twin leaves it out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Head {
    /// What it is: the game, the place of a battle.
    pub title: String,
    /// What stands out: a year.
    pub figure: String,
    /// Steps of which one is now: turns of a year, rounds of a battle.
    pub steps: Vec<HeadStep>,
    /// A line below: which step it is, who attacks.
    pub note: String,
    /// What each side has: pools, points.
    pub counts: Vec<HeadCount>,
    /// Who acts, on a ribbon in his colour.
    pub ribbon: Option<(Seat, String)>,
}

/// A step of a heading.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct HeadStep {
    /// What stands on it: a letter or two.
    pub label: String,
    /// Whether it is now.
    pub now: bool,
}

/// What a side has, in a heading.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct HeadCount {
    /// Who.
    pub owner: Option<Seat>,
    /// What, in a word or two.
    pub text: String,
}

/// A turn in the order in which those on a board act.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Turn {
    /// What it is called: a letter or two.
    pub label: String,
    /// Whose.
    pub owner: Option<Seat>,
    /// Where it stands.
    pub state: TurnState,
}

/// Where a turn stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub enum TurnState {
    /// It is to come.
    #[default]
    ToCome,
    /// It is now.
    Now,
    /// It is over.
    Done,
}

impl Head {
    /// Steps with these labels, one of which is now.
    pub fn steps<L: Into<String>>(labels: impl IntoIterator<Item = L>, now: usize) -> Vec<HeadStep> {
        let step = |(i, label): (usize, L)| HeadStep { label: label.into(), now: i == now };
        labels.into_iter().enumerate().map(step).collect()
    }
}

/// How much room a board or a tray wants beside others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub enum Room {
    /// Little: it can be folded.
    Small,
    /// As it comes.
    #[default]
    Usual,
    /// Most of it: a battle that is being fought.
    Large,
}

/// What lies under the spaces of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub enum Ground {
    /// Nothing: a plain surface.
    #[default]
    Plain,
    /// A grid of square cells; the text twin draws it as a grid.
    Cells {
        /// Cells from left to right.
        columns: u8,
        /// Cells from top to bottom.
        rows: u8,
    },
    /// The drawn map of the Levant, cut to a window given in hundredths of a degree.
    Levant {
        /// Western edge.
        west: i32,
        /// Southern edge.
        south: i32,
        /// Eastern edge.
        east: i32,
        /// Northern edge.
        north: i32,
    },
    /// A battle mat: open country on which rows of pieces stand.
    Field,
    /// A battle mat before a wall, which stands at this height: those within above it, the others below.
    Walls {
        /// The foot of the wall, from the top.
        foot: i32,
    },
}

/// A region: a name over the country, and perhaps a tint.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// The middle of its lettering, from the left.
    pub x: i32,
    /// The middle of its lettering, from the top.
    pub y: i32,
    /// The height of its letters; 0 for what suits the board.
    pub letters: i32,
    /// How far the lettering is turned, in degrees, clockwise.
    pub turned: i32,
    /// Its tint.
    pub tint: Tint,
    /// Its outline, if it is tinted: at least three corners.
    pub outline: Vec<(i32, i32)>,
}

/// The tint of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub enum Tint {
    /// None.
    #[default]
    Bare,
    /// Green land.
    Fertile,
    /// Hills.
    Hills,
    /// Desert.
    Desert,
    /// Water.
    Sea,
    /// The colour of a seat.
    Of(Seat),
}

/// A kind of terrain, as the legend tells it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Terrain {
    /// Its name.
    pub name: String,
    /// What it costs or does, in a word or two.
    pub note: String,
    /// How it is drawn.
    pub sign: TerrainSign,
}

/// How terrain is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub enum TerrainSign {
    /// Open ground.
    #[default]
    Clear,
    /// A hill.
    Hill,
    /// A crest.
    Crest,
    /// Trees.
    Wood,
    /// A moat, a river, a lake.
    Water,
    /// The sea.
    Sea,
    /// Sand.
    Desert,
    /// Reeds.
    Marsh,
    /// A wall.
    Wall,
    /// A gate.
    Gate,
    /// A paved court.
    Court,
    /// Houses.
    Town,
}

impl Terrain {
    /// A kind of terrain.
    pub fn new(sign: TerrainSign, name: impl Into<String>, note: impl Into<String>) -> Self {
        Self { name: name.into(), note: note.into(), sign }
    }
}

impl Region {
    /// A name in the midst of those spaces of a board that belong to it, without a tint.
    pub fn lettered(name: impl Into<String>, spaces: &[Space]) -> Self {
        let name = name.into();
        let (mut x, mut y, mut n) = (0, 0, 0);
        for space in spaces.iter().filter(|s| s.region == name && !s.annex) {
            (x, y, n) = (x + space.x, y + space.y, n + 1);
        }
        Self { name, x: x / n.max(1), y: y / n.max(1), ..Self::default() }
    }
}

impl Board {
    /// The space with an id.
    pub fn space(&self, id: &str) -> Option<&Space> {
        self.spaces.iter().find(|s| s.id == id)
    }

    /// The pieces on a space.
    pub fn on<'a>(&'a self, space: &'a str) -> impl Iterator<Item = &'a Piece> {
        self.pieces.iter().filter(move |p| p.space == space)
    }

    /// What moved between an earlier scene of this board and now, as far as ids tell: pieces that stand on
    /// another space, by owner, together. Both are one viewer's own scenes, so it tells him nothing new.
    #[must_use]
    pub fn traced(mut self, before: &Self) -> Self {
        let earlier: std::collections::BTreeMap<&str, &Piece> =
            before.pieces.iter().map(|p| (p.id.as_str(), p)).collect();
        let mut traces: Vec<Trace> = Vec::new();
        for piece in &self.pieces {
            let Some(was) = earlier.get(piece.id.as_str()) else { continue };
            if was.space == piece.space || self.space(&was.space).is_none() {
                continue;
            }
            let same = |t: &&mut Trace| (t.owner, &t.from, &t.to) == (piece.owner, &was.space, &piece.space);
            match traces.iter_mut().find(same) {
                Some(trace) => trace.count += 1 + piece.more,
                None => traces.push(Trace {
                    from: was.space.clone(),
                    to: piece.space.clone(),
                    count: 1 + piece.more,
                    owner: piece.owner,
                    ..Trace::default()
                }),
            }
        }
        self.traces = traces;
        self
    }
}
