//! Tic-tac-toe: the least that a game needs.

use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};

use super::{Standing, cell_name, cross_and_nought, grid, has_line, read_board, read_cell, standard};
use crate::rooms::*;
use crate::scene::{Choice, Prompt};
use crate::sheet::{DataError, Node};
use crate::{
    Ballot, Fact, Ledger, Lots, NoOrder, Notation, Outcome, ReadError, Scene, Seat, SeatSet, Setup,
    SetupError, Title, Umpire, Viewer, rule,
};

static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/small/tic_tac_toe/vignettes");

/// The rules of tic-tac-toe.
#[derive(Clone, Debug)]
pub struct TicTacToe {
    title: Title,
}

/// A position: the cells of each seat, and how it stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Position {
    boards: [u16; 2],
    standing: Standing,
}

/// Marking a cell, numbered from the upper left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Mark(u8);

impl TicTacToe {
    /// The game.
    #[allow(clippy::expect_used, clippy::missing_panics_doc)]
    pub fn new() -> Self {
        let ledger = Ledger::read("tic-tac-toe/rules.toml", include_str!("tic_tac_toe/rules.toml"));
        Self {
            title: Title {
                id: "tic-tac-toe",
                name: "Tic-tac-toe".into(),
                pitch: "Three in a row. Everybody knows how it ends.".into(),
                seats: cross_and_nought(),
                scenarios: standard(2),
                options: Vec::new(),
                version: "1",
                data_hash: "none".into(),
                longest: 9,
                ledger: ledger.expect("the ledger of tic-tac-toe is tested"),
                rule_numbers: ["1", "2", "3"].map(String::from).to_vec(),
                vignettes: crate::embedded(&VIGNETTES),
            },
        }
    }
}

impl Default for TicTacToe {
    fn default() -> Self {
        Self::new()
    }
}

/// The standing after `seat` has marked a cell.
#[inline]
pub(super) fn standing_after(boards: [u16; 2], seat: Seat) -> Standing {
    if has_line(boards[seat.index()]) {
        Standing::Won(seat)
    } else if boards[0] | boards[1] == 0o777 {
        Standing::Drawn
    } else {
        Standing::Turn(seat.other())
    }
}

/// How a game of noughts and crosses ended.
pub(super) fn outcome_of(standing: Standing) -> Option<Outcome> {
    let (winners, headline, rule) = match standing {
        Standing::Turn(_) => return None,
        Standing::Won(seat) => (SeatSet::only(seat), ["Cross wins", "Nought wins"][seat.index()], rule!("2")),
        Standing::Drawn => (SeatSet::NONE, "A draw", rule!("3")),
    };
    Some(Outcome { winners, first: None, headline, rule, scores: [0; 8] })
}

/// Why a game of nine cells is over.
pub(super) fn why_over(standing: Standing, names: [&str; 2]) -> String {
    match standing {
        Standing::Turn(_) => String::new(),
        Standing::Won(seat) => format!("{} has three in a row", names[seat.index()]),
        Standing::Drawn => "All nine cells are marked, and nobody has three in a row".into(),
    }
}

/// What the title line says.
pub(super) fn headline(standing: Standing, names: [&str; 2]) -> String {
    match standing {
        Standing::Turn(seat) => format!("{} to move", names[seat.index()]),
        Standing::Won(seat) => format!("{} has won", names[seat.index()]),
        Standing::Drawn => "A draw".into(),
    }
}

/// Cells with signs, counted: neither seat more than one ahead.
pub(super) fn sound_boards(boards: [u16; 2]) -> Result<(), String> {
    let [cross, nought] = boards.map(|b| b.count_ones());
    if boards[0] & boards[1] != 0 {
        return Err("a cell has two signs".into());
    }
    if cross != nought && cross != nought + 1 {
        return Err(format!("{cross} crosses and {nought} noughts"));
    }
    Ok(())
}

impl Rules for TicTacToe {
    type Position = Position;
    type Action = Mark;

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
    fn options(&self, position: &Position, _: Seat, ballot: &mut (impl Ballot<Mark> + ?Sized)) {
        let mut free = !(position.boards[0] | position.boards[1]) & 0o777;
        while free != 0 {
            ballot.allow(Mark(free.trailing_zeros() as u8));
            free &= free - 1;
        }
        if ballot.explains() {
            for cell in (0..9).filter(|c| (position.boards[0] | position.boards[1]) >> c & 1 == 1) {
                ballot.refuse(Mark(cell), rule!("1"), format_args!("{} is taken", cell_name(cell)));
            }
        }
    }

    #[inline]
    fn apply(
        &self,
        position: &mut Position,
        seat: Seat,
        Mark(cell): Mark,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        position.boards[seat.index()] |= 1 << cell;
        position.standing = standing_after(position.boards, seat);
        if umpire.writes() {
            let name = self.title.seat_name(seat);
            umpire.note(crate::Readers::ALL, rule!("1"), format_args!("{name} marks {}", cell_name(cell)));
            if let Some(outcome) = self.outcome(position) {
                umpire.note(crate::Readers::ALL, outcome.rule, format_args!("{}", outcome.headline));
            }
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        outcome_of(position.standing)
    }

    fn reason(&self, position: &Position) -> String {
        why_over(position.standing, ["Cross", "Nought"])
    }
}

impl Written for TicTacToe {
    fn write(&self, Mark(cell): Mark) -> Notation {
        Notation::new(cell_name(cell))
    }

    fn read(&self, text: &str) -> Result<Mark, ReadError> {
        read_cell(text).map(Mark).ok_or_else(|| ReadError::new(format!("`{text}`"), "a cell from a1 to c3"))
    }
}

impl Secrets for TicTacToe {
    type View = Position;

    fn view(&self, position: &Position, _: Viewer) -> Position {
        position.clone()
    }

    fn seen(&self, _: &Position, _: Seat, action: Mark, _: Viewer) -> Option<Notation> {
        Some(self.write(action))
    }

    fn imagine(&self, view: &Position, _: &mut Lots) -> Position {
        view.clone()
    }
}

impl Shown for TicTacToe {
    fn scene(&self, view: &Position) -> Scene {
        let sign = |column: u8, row: u8| {
            let cell = row * 3 + column;
            (0..2).find(|i| view.boards[*i] >> cell & 1 == 1).map(|i| (Seat::new(i as u8), ["X", "O"][i]))
        };
        Scene {
            title: headline(view.standing, ["Cross", "Nought"]),
            boards: vec![grid(3, 3, |column, row| cell_name(row * 3 + column), sign)],
            prompt: view.standing.deciding().lowest().map(|seat| {
                Prompt::new(
                    seat.into(),
                    format!("{} marks a free cell", self.title.seat_name(seat)),
                    rule!("1"),
                )
            }),
            ..Scene::default()
        }
    }

    fn choice(&self, _: &Position, Mark(cell): Mark) -> Choice {
        Choice::button(format!("Mark {}", cell_name(cell))).at(format!("cell-{}", cell_name(cell)))
    }
}

impl Ordered for TicTacToe {
    type Order = NoOrder;
}

impl Minded for TicTacToe {
    fn appraise(&self, position: &Position, seat: Seat) -> f32 {
        position.standing.worth(seat)
    }
}

impl Staged for TicTacToe {
    fn sound(&self, position: &Position) -> Result<(), String> {
        sound_boards(position.boards)
    }

    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let mut fields = sheet.fields()?;
        let boards = read_board(fields.required("board")?)?;
        fields.finish()?;
        sound_boards(boards).map_err(|e| sheet.wrong(e))?;
        let last = Seat::new(u8::from(boards[0].count_ones() == boards[1].count_ones()));
        Ok(Position { boards, standing: standing_after(boards, last) })
    }

    fn fact(&self, _: &Position, after: &Position, key: &str) -> Option<Fact> {
        match key {
            "standing" => Some(headline(after.standing, ["Cross", "Nought"]).as_str().into()),
            "marked" => Some(i64::from((after.boards[0] | after.boards[1]).count_ones()).into()),
            _ => None,
        }
    }

    fn facts(&self) -> &'static str {
        "standing, marked"
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Options, Silent};

    /// Walks every game: how many there are, how they end, and which positions they pass.
    fn walk(game: &TicTacToe, position: &Position, ends: &mut [u32; 3], positions: &mut BTreeSet<[u16; 2]>) {
        positions.insert(position.boards);
        match position.standing {
            Standing::Won(seat) => ends[seat.index()] += 1,
            Standing::Drawn => ends[2] += 1,
            Standing::Turn(seat) => {
                let mut options = Options::new();
                game.options(position, seat, &mut options);
                for offer in options.offers() {
                    let mut next = position.clone();
                    game.apply(&mut next, seat, offer.action, &mut Silent::new(0));
                    walk(game, &next, ends, positions);
                }
            }
        }
    }

    #[test]
    fn all_games_and_positions_are_counted() {
        let game = TicTacToe::new();
        let start = game.setup(&game.title.usual_set_up(), &mut Silent::new(0)).unwrap();
        let (mut ends, mut positions) = ([0; 3], BTreeSet::new());
        walk(&game, &start, &mut ends, &mut positions);
        assert_eq!(ends, [131_184, 77_904, 46_080], "255,168 games");
        assert_eq!(positions.len(), 5_478);
    }
}
