//! The scene: a view as a picture of the table, as data.
//!
//! A game describes its table once (boards with spaces, links and pieces; trays with hands and pools;
//! tracks; the prompt) and everything that shows it works from that: the page, the picture file, the
//! terminal, the screen reader. A scene is made from a view, so it cannot tell what the view does not know.
//! Lengths are whole board units and ids are chosen by the game; ids must tell no more than the view does.

use serde::Serialize;

use crate::rule::Rule;
use crate::seat::{Seat, SeatSet};

mod text;

/// Everything a viewer sees.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Scene {
    /// When and where we are: the turn, the phase.
    pub title: String,
    /// The boards, the one where things happen last: a campaign map, then the battle inside it.
    pub boards: Vec<Board>,
    /// Hands, pools and displays beside the boards.
    pub trays: Vec<Tray>,
    /// Tracks: turns, points, reaction levels.
    pub tracks: Vec<Track>,
    /// Who must decide what.
    pub prompt: Option<Prompt>,
    /// What a careful player would not leave as it is, before the phase ends.
    pub warnings: Vec<Warning>,
}

/// Who must decide what, and under which rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Prompt {
    /// Who must decide.
    pub seats: SeatSet,
    /// What: a sentence for the one who decides, or about him for the others.
    pub text: String,
    /// Under which rule.
    pub rule: Rule,
}

/// Something a careful player would not leave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Warning {
    /// What, in a sentence.
    pub text: String,
    /// The rule that will bite.
    pub rule: Rule,
    /// The space or piece that it is about.
    pub target: Option<String>,
}

/// A board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Board {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Width in board units.
    pub width: i32,
    /// Height in board units.
    pub height: i32,
    /// What lies under the spaces.
    pub ground: Ground,
    /// Where pieces can stand.
    pub spaces: Vec<Space>,
    /// Roads and the like between spaces.
    pub links: Vec<Link>,
    /// What stands on them; pieces of one space are drawn in this order.
    pub pieces: Vec<Piece>,
}

/// What lies under the spaces of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Ground {
    /// Nothing: a plain surface.
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
}

/// A place where pieces can stand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Space {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Centre, from the left.
    pub x: i32,
    /// Centre, from the top.
    pub y: i32,
    /// Its outline.
    pub shape: Shape,
    /// Who holds it, for its colour.
    pub holder: Option<Seat>,
    /// A few signs beside the name: a rating, an anchor.
    pub badge: String,
    /// The region it belongs to; the text twin groups by it.
    pub region: String,
    /// Whether it is one of those that decide the game.
    pub prize: bool,
}

/// The outline of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Shape {
    /// A circle.
    Circle {
        /// Radius.
        r: i32,
    },
    /// A rectangle.
    Rect {
        /// Width.
        w: i32,
        /// Height.
        h: i32,
    },
    /// A hexagon with a point to the top.
    Hex {
        /// From the centre to a corner.
        r: i32,
    },
}

/// A line between two spaces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum LinkStyle {
    /// A thick line.
    Major,
    /// A dashed line.
    Minor,
    /// A dotted line.
    Sea,
    /// An arrow along which something moves.
    Arrow,
}

/// Something that stands on a space or lies in a tray.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Piece {
    /// Its id, unique in the scene. Two pieces that a viewer cannot tell apart must not be told apart by
    /// their ids over time either: number hidden pieces by their place.
    pub id: String,
    /// The space it stands on; empty in a tray.
    pub space: String,
    /// Whose it is.
    pub owner: Option<Seat>,
    /// What is seen of it.
    pub face: Face,
    /// The whole of it in words, for the screen reader and on demand.
    pub text: String,
}

/// What is seen of a piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub enum Face {
    /// Its back: a piece and nothing more.
    Hidden,
    /// Its front.
    Shown {
        /// A short name.
        name: String,
        /// Left corner: a combat rating.
        left: String,
        /// Right corner: a move rating.
        right: String,
        /// Strength now and at its most, drawn as pips; (0, 0) for none.
        pips: (u8, u8),
        /// Whether it stands out: acting now, selected.
        lit: bool,
        /// Whether it is spent: has moved, has fired.
        spent: bool,
    },
}

impl Face {
    /// A front with only a name.
    pub fn named(name: impl Into<String>) -> Self {
        Self::Shown {
            name: name.into(),
            left: String::new(),
            right: String::new(),
            pips: (0, 0),
            lit: false,
            spent: false,
        }
    }
}

/// A place beside the boards: a hand, a pool, a display.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tray {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub owner: Option<Seat>,
    /// What lies in it, as far as the viewer may know.
    pub pieces: Vec<Piece>,
    /// A line under it.
    pub note: String,
}

/// A track with markers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Track {
    /// Its id, unique in the scene.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The boxes, in order.
    pub boxes: Vec<String>,
    /// Markers: name, whose, and the number of the box.
    pub markers: Vec<Marker>,
}

/// A marker on a track.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Marker {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub owner: Option<Seat>,
    /// In which box it stands, counted from 0.
    pub at: usize,
}

/// How an option shows itself: a line to read, and where on the scene to click.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Choice {
    /// A short line for a button.
    pub label: String,
    /// The ids of the spaces, pieces, links or cards that it is about, the one to click first.
    pub targets: Vec<String>,
    /// Odds, costs, consequences: what to know before the click.
    pub hint: String,
    /// What to ask before it is done; only for what cannot be taken back and matters.
    pub confirm: Option<String>,
}

impl Choice {
    /// A choice that is only a button.
    pub fn button(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// The same with a place to click.
    #[must_use]
    pub fn at(mut self, target: impl Into<String>) -> Self {
        self.targets.push(target.into());
        self
    }

    /// The same with something to know before the click.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The same with a question to answer first.
    #[must_use]
    pub fn confirm(mut self, question: impl Into<String>) -> Self {
        self.confirm = Some(question.into());
        self
    }
}

impl Scene {
    /// Ids that occur twice, or that something refers to and nothing has: a defect of the game's scene.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut ids = std::collections::BTreeSet::new();
        let mut claim = |id: &str, faults: &mut Vec<String>| {
            if id.is_empty() {
                faults.push("something has an empty id".to_string());
            } else if !ids.insert(id.to_string()) {
                faults.push(format!("the id `{id}` occurs twice"));
            }
        };
        for board in &self.boards {
            claim(&board.id, &mut faults);
            for id in board.spaces.iter().map(|s| &s.id).chain(board.links.iter().map(|l| &l.id)) {
                claim(id, &mut faults);
            }
            for piece in &board.pieces {
                claim(&piece.id, &mut faults);
            }
        }
        for tray in &self.trays {
            claim(&tray.id, &mut faults);
            for piece in &tray.pieces {
                claim(&piece.id, &mut faults);
            }
        }
        for track in &self.tracks {
            claim(&track.id, &mut faults);
            for marker in &track.markers {
                if marker.at >= track.boxes.len() {
                    faults.push(format!("marker `{}` stands off the track `{}`", marker.name, track.id));
                }
            }
        }
        for board in &self.boards {
            let has = |id: &String| board.spaces.iter().any(|s| s.id == *id);
            for piece in board.pieces.iter().filter(|p| !has(&p.space)) {
                faults.push(format!(
                    "piece `{}` stands on `{}`, which board `{}` lacks",
                    piece.id, piece.space, board.id
                ));
            }
            for link in board.links.iter().filter(|l| !has(&l.from) || !has(&l.to)) {
                faults.push(format!("link `{}` leads to a space that board `{}` lacks", link.id, board.id));
            }
        }
        for warning in &self.warnings {
            if let Some(target) = &warning.target
                && !ids.contains(target)
            {
                faults.push(format!("a warning points at `{target}`, which is not there"));
            }
        }
        faults
    }
}
