//! Connect Four: a position of two bit sets.

use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};

use super::{Standing, grid, standard};
use crate::rooms::*;
use crate::scene::{Choice, Prompt};
use crate::sheet::{DataError, Node};
use crate::{
    Ballot, Fact, Ledger, Lots, NoOrder, Notation, Outcome, ReadError, Scene, Seat, SeatSet, SeatTitle,
    Setup, SetupError, Title, Umpire, Viewer, rule,
};

static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/small/connect_four/vignettes");

/// The rules of Connect Four.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    title: Title,
}

/// A position. Each column takes seven bits, the lowest cell first; the seventh bit stays empty and keeps
/// lines from running over into the next column.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Position {
    boards: [u64; 2],
    standing: Standing,
}

/// Dropping a disc into a column, numbered from the left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Drop(u8);

/// All cells.
const FULL: u64 = {
    let mut all = 0;
    let mut column = 0;
    while column < 7 {
        all |= 0x3f << (column * 7);
        column += 1;
    }
    all
};

#[inline]
fn has_four(board: u64) -> bool {
    [1, 6, 7, 8].into_iter().any(|step| {
        let pairs = board & (board >> step);
        pairs & (pairs >> (2 * step)) != 0
    })
}

#[inline]
fn standing_after(boards: [u64; 2], seat: Seat) -> Standing {
    if has_four(boards[seat.index()]) {
        Standing::Won(seat)
    } else if boards[0] | boards[1] == FULL {
        Standing::Drawn
    } else {
        Standing::Turn(seat.other())
    }
}

impl ConnectFour {
    /// The game.
    #[allow(clippy::expect_used, clippy::missing_panics_doc)]
    pub fn new() -> Self {
        let ledger = Ledger::read("connect-four/rules.toml", include_str!("connect_four/rules.toml"));
        Self {
            title: Title {
                id: "connect-four",
                name: "Connect Four".into(),
                pitch: "Drop discs until four of yours stand in a line.".into(),
                seats: ["Red", "Yellow"]
                    .iter()
                    .enumerate()
                    .map(|(i, name)| SeatTitle { name: (*name).into(), alliance: i as u8 })
                    .collect(),
                scenarios: standard(10),
                options: Vec::new(),
                version: "1",
                data_hash: "none".into(),
                longest: 42,
                ledger: ledger.expect("the ledger of Connect Four is tested"),
                rule_numbers: ["1", "2", "3"].map(String::from).to_vec(),
                vignettes: crate::embedded(&VIGNETTES),
            },
        }
    }
}

impl Default for ConnectFour {
    fn default() -> Self {
        Self::new()
    }
}

impl Rules for ConnectFour {
    type Position = Position;
    type Action = Drop;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, _: &Setup, _: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        Ok(Position { boards: [0; 2], standing: Standing::Turn(Seat::new(0)) })
    }

    #[inline]
    fn deciding(&self, position: &Position) -> SeatSet {
        position.standing.deciding()
    }

    #[inline]
    fn options(&self, position: &Position, _: Seat, ballot: &mut (impl Ballot<Drop> + ?Sized)) {
        let taken = position.boards[0] | position.boards[1];
        for column in 0..7 {
            if taken >> (column * 7 + 5) & 1 == 0 {
                ballot.allow(Drop(column));
            } else if ballot.explains() {
                ballot.refuse(Drop(column), rule!("1"), format_args!("column {} is full", name(column)));
            }
        }
    }

    #[inline]
    fn apply(
        &self,
        position: &mut Position,
        seat: Seat,
        Drop(column): Drop,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let taken = position.boards[0] | position.boards[1];
        let cell = (taken + (1 << (column * 7))) & (0x3f << (column * 7)) & !taken;
        position.boards[seat.index()] |= cell;
        position.standing = standing_after(position.boards, seat);
        if umpire.writes() {
            let who = self.title.seat_name(seat);
            umpire.note(
                crate::Readers::ALL,
                rule!("1"),
                format_args!("{who} drops into column {}", name(column)),
            );
            if let Some(outcome) = self.outcome(position) {
                umpire.note(crate::Readers::ALL, outcome.rule, format_args!("{}", outcome.headline));
            }
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let (winners, headline, rule) = match position.standing {
            Standing::Turn(_) => return None,
            Standing::Won(seat) => (seat.into(), ["Red wins", "Yellow wins"][seat.index()], rule!("2")),
            Standing::Drawn => (SeatSet::NONE, "A draw", rule!("3")),
        };
        Some(Outcome { winners, first: None, headline, rule, scores: [0; 8] })
    }

    fn reason(&self, position: &Position) -> String {
        match position.standing {
            Standing::Turn(_) => String::new(),
            Standing::Won(seat) => format!("{} has four in a line", self.title.seat_name(seat)),
            Standing::Drawn => "The board is full, and nobody has four in a line".into(),
        }
    }
}

impl Written for ConnectFour {
    fn write(&self, Drop(column): Drop) -> Notation {
        Notation::new(name(column))
    }

    fn read(&self, text: &str) -> Result<Drop, ReadError> {
        (0..7)
            .find(|column| name(*column).to_string() == text)
            .map(Drop)
            .ok_or_else(|| ReadError::new(format!("`{text}`"), "a column from a to g"))
    }
}

impl Secrets for ConnectFour {
    type View = Position;

    fn view(&self, position: &Position, _: Viewer) -> Position {
        position.clone()
    }

    fn seen(&self, _: &Position, _: Seat, action: Drop, _: Viewer) -> Option<Notation> {
        Some(self.write(action))
    }

    fn imagine(&self, view: &Position, _: &mut Lots) -> Position {
        view.clone()
    }
}

impl Shown for ConnectFour {
    fn scene(&self, view: &Position) -> Scene {
        let sign = |column: u8, row: u8| {
            let cell = column * 7 + (5 - row);
            (0..2).find(|i| view.boards[*i] >> cell & 1 == 1).map(|i| (Seat::new(i as u8), ["R", "Y"][i]))
        };
        Scene {
            title: super::tic_tac_toe::headline(view.standing, ["Red", "Yellow"]),
            boards: vec![grid(7, 6, |column, row| format!("{}{}", name(column), 6 - row), sign)],
            prompt: view.standing.deciding().lowest().map(|seat| {
                Prompt::new(
                    seat.into(),
                    format!("{} drops a disc into a column", self.title.seat_name(seat)),
                    rule!("1"),
                )
            }),
            ..Scene::default()
        }
    }

    fn choice(&self, view: &Position, Drop(column): Drop) -> Choice {
        let taken = (view.boards[0] | view.boards[1]) >> (column * 7) & 0x3f;
        let row = (taken.count_ones() as u8).min(5) + 1;
        Choice::button(format!("Drop into column {}", name(column))).at(format!("cell-{}{row}", name(column)))
    }
}

impl Ordered for ConnectFour {
    type Order = NoOrder;
}

impl Minded for ConnectFour {
    fn appraise(&self, position: &Position, seat: Seat) -> f32 {
        position.standing.worth(seat)
    }
}

impl Staged for ConnectFour {
    fn sound(&self, position: &Position) -> Result<(), String> {
        let [red, yellow] = position.boards.map(u64::count_ones);
        if position.boards[0] & position.boards[1] != 0 {
            return Err("two discs in one cell".into());
        }
        if (position.boards[0] | position.boards[1]) & !FULL != 0 {
            return Err("a disc above the top".into());
        }
        if red != yellow && red != yellow + 1 {
            return Err(format!("{red} red and {yellow} yellow discs"));
        }
        Ok(())
    }

    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let mut fields = sheet.fields()?;
        let moves = fields.required("moves")?;
        fields.finish()?;
        let mut position = Position { boards: [0; 2], standing: Standing::Turn(Seat::new(0)) };
        for letter in moves.text()?.chars().filter(|c| !c.is_whitespace()) {
            let action = self.read(&letter.to_string()).map_err(|e| moves.wrong(e.to_string()))?;
            let Standing::Turn(seat) = position.standing else {
                return Err(moves.wrong("the game is over before the last of these moves"));
            };
            if !crate::is_allowed(self, &position, seat, action) {
                return Err(moves.wrong(format!("column {letter} is full")));
            }
            self.apply(&mut position, seat, action, &mut crate::Silent::new(0));
        }
        Ok(position)
    }

    fn fact(&self, _: &Position, after: &Position, key: &str) -> Option<Fact> {
        match key {
            "standing" => {
                Some(super::tic_tac_toe::headline(after.standing, ["Red", "Yellow"]).as_str().into())
            }
            "discs" => Some(i64::from((after.boards[0] | after.boards[1]).count_ones()).into()),
            _ => None,
        }
    }

    fn facts(&self) -> &'static str {
        "standing, discs"
    }
}

fn name(column: u8) -> char {
    (b'a' + column) as char
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Options, Silent};

    #[test]
    fn the_first_positions_are_counted() {
        let game = ConnectFour::new();
        let start = game.setup(&game.title.usual_set_up(), &mut Silent::new(0)).unwrap();
        let mut level = BTreeSet::from([start.boards]);
        let mut standing = vec![start];
        let mut counts = Vec::new();
        for _ in 0..9 {
            counts.push(level.len());
            level.clear();
            let mut next = Vec::new();
            for position in &standing {
                let Standing::Turn(seat) = position.standing else { continue };
                let mut options = Options::new();
                game.options(position, seat, &mut options);
                for offer in options.offers() {
                    let mut after = position.clone();
                    game.apply(&mut after, seat, offer.action, &mut Silent::new(0));
                    if level.insert(after.boards) {
                        next.push(after);
                    }
                }
            }
            standing = next;
        }
        // The On-Line Encyclopedia of Integer Sequences, A212693.
        assert_eq!(counts, [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275]);
    }
}
