//! What is printed on a board and hardly ever changes: its ground, the ways of its links, the places of its
//! names; and the press that keeps what it has printed.
//!
//! To find a place for every name and to draw a coast takes most of the time that a picture takes, and both
//! hang on what stays the same from move to move. A [`Press`] prints a board once and draws on it as often as
//! it is asked to.

use std::sync::{Arc, Mutex, PoisonError};

use levant::Theme;
use table::scene::{Board, Ground, Link, Space};

use crate::area::Area;
use crate::block::Detail;
use crate::board::{self, Part};
use crate::layout::{NamePlace, block_side, whole};
use crate::lean::{lean, play};
use crate::look::Look;
use crate::names::upto;
use crate::names::{cell_names, names, room_before};
use crate::road::{Road, roads};
use crate::single::Loose;
use crate::stock::Cellar;
use crate::svg::Svg;
use crate::{Highlights, Style, ground, head};

/// How many boards a press keeps: those of a few dozen games with their battles, in both themes.
const KEPT: usize = 64;

/// A board without what lies on it.
pub(crate) struct Print {
    /// The side of a block.
    pub(crate) block: f64,
    /// The size of the letters of names.
    pub(crate) letters: f64,
    /// The ways of the links.
    pub(crate) roads: Vec<Option<Road>>,
    /// The names of the spaces.
    pub(crate) names: Vec<Option<NamePlace>>,
    /// At how much more than their size names can still be lettered, by their spaces: a step of [`STEPS`].
    pub(crate) upto: Vec<u8>,
    /// Where pieces go best at each space: to which side of it.
    pub(crate) lean: Vec<(f64, f64)>,
    /// What is played on: the board without empty sea and desert at its edges.
    pub(crate) play: Area,
    /// Where the cartouche is.
    pub(crate) head: Option<Area>,
    /// How far the ground reaches beyond the board.
    pub(crate) margin: f64,
    /// The ground.
    pub(crate) ground: String,
}

impl Print {
    /// The places of everything, and no ground.
    pub(crate) fn bare(board: &Board) -> Self {
        let whole = whole(board);
        let measure = (whole.w * whole.h).sqrt();
        let block = block_side(board);
        let letters = (block * 0.38).clamp(measure * 0.0105, measure * 0.024);
        let roads = roads(board);
        let names = match board.ground {
            Ground::Cells { .. } => cell_names(board),
            _ => names(board, block, letters, &roads),
        };
        let upto = upto(board, &names);
        let play = play(board, block, &names);
        let head = head::place(board, block, &names, &roads, &play);
        let lean = lean(board, block, &names, &roads, head.as_ref());
        Self { block, letters, roads, names, upto, lean, play, head, margin: 0.0, ground: String::new() }
    }

    /// The place of a space's name, if it is lettered.
    pub(crate) fn name(&self, space: usize) -> Option<&NamePlace> {
        self.names.get(space)?.as_ref()
    }

    pub(crate) fn new(board: &Board, look: &Look<'_>) -> Self {
        let bare = Self::bare(board);
        let mut svg = Svg::default();
        ground::draw(&mut svg, look, board, bare.head.as_ref());
        Self { margin: ground::margin(board, look), ground: svg.finish(), ..bare }
    }
}

/// A print, and the board that it was made for.
struct Kept {
    board: Board,
    theme: Theme,
    print: Arc<Print>,
}

/// Whether two spaces are printed alike. Who holds them makes no difference but for the room before names,
/// and what changes beside a name makes none.
fn space_alike(a: &Space, b: &Space) -> bool {
    (a.x, a.y, a.shape, a.prize, a.keep, a.terrain) == (b.x, b.y, b.shape, b.prize, b.keep, b.terrain)
        && (a.rating > 0, a.points > 0, a.harbour) == (b.rating > 0, b.points > 0, b.harbour)
        && a.id == b.id
        && a.name == b.name
}

fn link_alike(a: &Link, b: &Link) -> bool {
    a.style == b.style && a.from == b.from && a.to == b.to
}

fn alike<T>(a: &[T], b: &[T], same: fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// The spaces of a board that are printed: annexes come and go, and stand at the end.
fn lasting(board: &Board) -> &[Space] {
    let end = board.spaces.iter().position(|s| s.annex).unwrap_or(board.spaces.len());
    &board.spaces[..end]
}

impl Kept {
    fn serves(&self, board: &Board, theme: Theme) -> bool {
        let own = &self.board;
        (self.theme, own.width, own.height, own.ground) == (theme, board.width, board.height, board.ground)
            && own.id == board.id
            && alike(&own.spaces, lasting(board), space_alike)
            && alike(&own.links, &board.links, link_alike)
            && own.terrains == board.terrains
            && own.regions == board.regions
            && own.head.is_some() == board.head.is_some()
            && own.piece == board.piece
            && room_before(own) == room_before(board)
    }
}

/// Draws boards and keeps what is printed on them, and the arms that it has drawn. Many may use it at once.
#[derive(Default)]
pub struct Press {
    prints: Mutex<Vec<Kept>>,
    cellar: Arc<Cellar>,
}

impl std::fmt::Debug for Press {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Press({} prints)", self.kept().len())
    }
}

impl Press {
    fn kept(&self) -> std::sync::MutexGuard<'_, Vec<Kept>> {
        self.prints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A board with all that lies on it.
    pub fn draw(&self, board: &Board, seats: &[String], highlights: &Highlights, style: &Style) -> Drawing {
        let look = Look::from(&self.cellar, style.theme, seats);
        let print = self.print(board, &look);
        let mut head = Svg::default();
        board::begin(&mut head, board, &look, &print, None);
        let parts = board::parts(board, &look, highlights, print, Detail::Either);
        Drawing { head: head.finish(), parts }
    }

    /// Draws single things for a page.
    pub fn loose<'a>(&self, seats: &'a [String], style: &Style) -> Loose<'a> {
        Loose::new(Look::from(&self.cellar, style.theme, seats))
    }

    /// What is printed on a board: as it was kept, or made anew.
    fn print(&self, board: &Board, look: &Look<'_>) -> Arc<Print> {
        let mut kept = self.kept();
        if let Some(at) = kept.iter().position(|k| k.serves(board, look.theme)) {
            kept[..=at].rotate_right(1);
            return kept[0].print.clone();
        }
        drop(kept);
        // Made without the lock: at worst two make the same.
        let print = Arc::new(Print::new(board, look));
        let bare = Board {
            pieces: Vec::new(),
            traces: Vec::new(),
            plans: Vec::new(),
            reach: Vec::new(),
            falls: Vec::new(),
            rings: Vec::new(),
            order: Vec::new(),
            spaces: lasting(board).to_vec(),
            ..board.clone()
        };
        let mut kept = self.kept();
        kept.truncate(KEPT - 1);
        kept.insert(0, Kept { board: bare, theme: look.theme, print: print.clone() });
        print
    }
}

/// A board, drawn: its ground, and each thing that lies on it by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// The beginning of the element, with the ground in it.
    pub head: String,
    /// What lies on it.
    pub parts: Vec<Part>,
}

impl Drawing {
    /// The whole as an `<svg>` element.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        svg.add(&self.head);
        board::finish(&mut svg, &self.parts);
        svg.finish()
    }
}
