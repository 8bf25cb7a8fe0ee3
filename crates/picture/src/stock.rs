//! The stock of a drawing: symbols that are defined once and used often (arms, buildings, wood), and the
//! cellar in which they are kept from drawing to drawing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use levant::Theme;
use table::Seat;
use table::arms::Arms;

use crate::Style;
use crate::arms::{Escutcheon, Symbol, symbol, used};
use crate::look::Look;
use crate::svg::{Svg, num};

/// Symbols that were made once.
#[derive(Default)]
pub(crate) struct Cellar(Mutex<BTreeMap<(Arms, u8, bool), Arc<Symbol>>>);

/// So many coats are kept; the games together have a few hundred.
const MOST_COATS: usize = 2_000;

impl Cellar {
    fn coat(&self, arms: &Arms, shield: Escutcheon, style: Style) -> Arc<Symbol> {
        let key = (arms.clone(), shield as u8, style.theme == Theme::Night);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(symbol) = kept.get(&key) {
            return symbol.clone();
        }
        let made = Arc::new(symbol(arms, shield, &style));
        if kept.len() >= MOST_COATS {
            kept.clear();
        }
        kept.insert(key, made.clone());
        made
    }
}

/// The symbols that a drawing uses, by their ids.
#[derive(Default)]
pub(crate) struct Stock {
    cellar: Arc<Cellar>,
    used: RefCell<BTreeMap<String, Made>>,
}

enum Made {
    Coat(Arc<Symbol>),
    Other(String),
}

impl std::fmt::Debug for Stock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Stock({} symbols)", self.used.borrow().len())
    }
}

impl Stock {
    pub(crate) fn from(cellar: &Arc<Cellar>) -> Self {
        Self { cellar: cellar.clone(), used: RefCell::default() }
    }

    /// The symbols that were used, by their ids, each as an element.
    pub(crate) fn taken(&self) -> Vec<(String, String)> {
        let used = self.used.borrow();
        let text = |made: &Made| match made {
            Made::Coat(symbol) => symbol.svg.clone(),
            Made::Other(text) => text.clone(),
        };
        used.iter().map(|(id, made)| (id.clone(), text(made))).collect()
    }
}

/// The shield that a seat bears: the shape doubles the colour.
pub(crate) fn shield_of(seat: Option<Seat>) -> Escutcheon {
    match seat.map(Seat::index) {
        Some(0 | 4 | 6) => Escutcheon::Heater,
        Some(1 | 3 | 7) => Escutcheon::Roundel,
        Some(_) => Escutcheon::Kite,
        None => Escutcheon::Lozenge,
    }
}

impl Look<'_> {
    /// A symbol in a square of so much on every side of its middle; its id. Made when it is not there.
    pub(crate) fn symbol(&self, name: &str, half: f64, make: impl FnOnce() -> String) -> String {
        let id = format!("{name}-{}", if self.theme == Theme::Night { "n" } else { "d" });
        self.stock.used.borrow_mut().entry(id.clone()).or_insert_with(|| {
            let (from, size) = (num(-half), num(2.0 * half));
            Made::Other(format!(
                "<symbol id=\"{id}\" viewBox=\"{from} {from} {size} {size}\">{}</symbol>\n",
                make()
            ))
        });
        id
    }

    /// Puts a symbol with its middle at a place, so large from edge to edge.
    pub(crate) fn place(&self, svg: &mut Svg, id: &str, (x, y): (f64, f64), size: f64) {
        svg.add(&used(id, x, y, size));
        svg.add("\n");
    }

    /// Draws arms on the shield of a seat, with their middle at a place.
    pub(crate) fn arms(&self, svg: &mut Svg, arms: &Arms, owner: Option<Seat>, at: (f64, f64), size: f64) {
        let coat = self.stock.cellar.coat(arms, shield_of(owner), Style { theme: self.theme });
        self.place(svg, &coat.id, at, size * 1.08);
        self.stock.used.borrow_mut().entry(coat.id.clone()).or_insert_with(|| Made::Coat(coat));
    }
}
