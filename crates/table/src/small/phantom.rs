//! Phantom tic-tac-toe: neither seat sees the other's signs.
//!
//! A seat tries a cell. If the other has marked it already, the seat learns just that and tries again;
//! otherwise the cell is its own and the turn passes. The other learns only that the turn passed.

use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};

use super::tic_tac_toe::{headline, outcome_of, sound_boards, standing_after, why_over};
use super::{Standing, cell_name, cross_and_nought, grid, has_line, read_board, read_cell, standard};
use crate::rooms::*;
use crate::scene::{Choice, Prompt};
use crate::sheet::{DataError, Node};
use crate::{
    Ballot, Fact, Ledger, Lots, NoOrder, Notation, Outcome, ReadError, Readers, Scene, Seat, SeatSet, Setup,
    SetupError, Title, Umpire, Viewer, rule,
};

static VIGNETTES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/small/phantom/vignettes");

/// The rules of phantom tic-tac-toe.
#[derive(Clone, Debug)]
pub struct Phantom {
    title: Title,
}

/// A position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Position {
    /// The cells of each seat.
    pub(crate) boards: [u16; 2],
    /// The cells of the other that each seat has run into.
    pub(crate) met: [u16; 2],
    standing: Standing,
}

/// What one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    viewer: Viewer,
    /// How many cells each seat has marked: the turns tell.
    marked: [u32; 2],
    /// The viewer's own cells, and those of the other that it has run into. Nothing for observers.
    own: u16,
    met: u16,
    standing: Standing,
    /// Everything, once the game is over.
    all: Option<[u16; 2]>,
    all_met: Option<[u16; 2]>,
}

/// Trying a cell, numbered from the upper left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Try(u8);

impl Phantom {
    /// The game.
    #[allow(clippy::expect_used, clippy::missing_panics_doc)]
    pub fn new() -> Self {
        let ledger = Ledger::read("phantom-tic-tac-toe/rules.toml", include_str!("phantom/rules.toml"));
        Self {
            title: Title {
                id: "phantom-tic-tac-toe",
                name: "Phantom tic-tac-toe".into(),
                pitch: "Three in a row against signs that you cannot see.".into(),
                seats: cross_and_nought(),
                scenarios: standard(5),
                options: Vec::new(),
                version: "1",
                data_hash: "none".into(),
                longest: 17,
                ledger: ledger.expect("the ledger of phantom tic-tac-toe is tested"),
                rule_numbers: ["1", "2", "3", "4"].map(String::from).to_vec(),
                vignettes: crate::embedded(&VIGNETTES),
            },
        }
    }
}

impl Default for Phantom {
    fn default() -> Self {
        Self::new()
    }
}

impl Rules for Phantom {
    type Position = Position;
    type Action = Try;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, _: &Setup, _: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        Ok(Position { boards: [0; 2], met: [0; 2], standing: Standing::Turn(Seat::new(0)) })
    }

    #[inline]
    fn deciding(&self, position: &Position) -> SeatSet {
        position.standing.deciding()
    }

    #[inline]
    fn options(&self, position: &Position, seat: Seat, ballot: &mut (impl Ballot<Try> + ?Sized)) {
        let own = position.boards[seat.index()];
        let met = position.met[seat.index()];
        for cell in 0..9 {
            if (own | met) >> cell & 1 == 0 {
                ballot.allow(Try(cell));
            } else if ballot.explains() {
                let whose = if own >> cell & 1 == 1 { "is yours" } else { "is the other's, as you know" };
                ballot.refuse(Try(cell), rule!("1"), format_args!("{} {whose}", cell_name(cell)));
            }
        }
    }

    #[inline]
    fn apply(
        &self,
        position: &mut Position,
        seat: Seat,
        Try(cell): Try,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (own, other) = (seat.index(), seat.other().index());
        let me = Readers::only(seat.into());
        // Whatever comes of it, the seat learns whether the cell was free.
        umpire.reveal(me);
        if position.boards[other] >> cell & 1 == 1 {
            position.met[own] |= 1 << cell;
            if umpire.writes() {
                umpire.note(me, rule!("4"), format_args!("{} is taken: try again", cell_name(cell)));
            }
            return;
        }
        position.boards[own] |= 1 << cell;
        position.standing = standing_after(position.boards, seat);
        if umpire.writes() {
            umpire.note(me, rule!("1"), format_args!("{} is yours", cell_name(cell)));
            let name = self.title.seat_name(seat);
            umpire.note(Readers::all_but(seat.into()), rule!("1"), format_args!("{name} has marked a cell"));
        }
        if let Some(outcome) = self.outcome(position) {
            umpire.reveal(Readers::ALL);
            umpire.note(Readers::ALL, outcome.rule, format_args!("{}", outcome.headline));
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        outcome_of(position.standing)
    }

    fn reason(&self, position: &Position) -> String {
        why_over(position.standing, ["Cross", "Nought"])
    }
}

impl Written for Phantom {
    fn write(&self, Try(cell): Try) -> Notation {
        Notation::new(cell_name(cell))
    }

    fn read(&self, text: &str) -> Result<Try, ReadError> {
        read_cell(text).map(Try).ok_or_else(|| ReadError::new(format!("`{text}`"), "a cell from a1 to c3"))
    }
}

impl Secrets for Phantom {
    type View = View;

    fn view(&self, position: &Position, viewer: Viewer) -> View {
        let open = self.outcome(position).is_some() || viewer == Viewer::Umpire;
        View {
            viewer,
            marked: position.boards.map(u16::count_ones),
            own: viewer.seat().map_or(0, |s| position.boards[s.index()]),
            met: viewer.seat().map_or(0, |s| position.met[s.index()]),
            standing: position.standing,
            all: open.then_some(position.boards),
            all_met: open.then_some(position.met),
        }
    }

    fn seen(&self, position: &Position, seat: Seat, action: Try, viewer: Viewer) -> Option<Notation> {
        let mut after = position.clone();
        self.apply(&mut after, seat, action, &mut crate::Silent::new(0));
        if viewer.shares(seat) || self.outcome(&after).is_some() {
            Some(self.write(action))
        } else if after.standing == position.standing {
            None
        } else {
            Some(Notation::new("a cell"))
        }
    }

    fn imagine(&self, view: &View, lots: &mut Lots) -> Position {
        if let (Some(boards), Some(met)) = (view.all, view.all_met) {
            return Position { boards, met, standing: view.standing };
        }
        let seat = view.viewer.seat();
        loop {
            let mut boards = [0; 2];
            for i in seat.map_or([0, 1], |s| [s.index(), s.other().index()]) {
                boards[i] = match seat {
                    Some(seat) if seat.index() == i => view.own,
                    Some(_) => {
                        some_of(!(view.own | view.met) & 0o777, view.marked[i] - view.met.count_ones(), lots)
                            | view.met
                    }
                    None => some_of(!boards[1 - i] & 0o777, view.marked[i], lots),
                };
            }
            if boards.into_iter().any(has_line) {
                continue;
            }
            // What a seat has run into: any cells of the other, unless the viewer knows.
            let met = std::array::from_fn(|i| match seat {
                Some(seat) if seat.index() == i => view.met,
                _ => boards[1 - i] & lots.bits() as u16,
            });
            return Position { boards, met, standing: view.standing };
        }
    }
}

impl Shown for Phantom {
    fn scene(&self, view: &View) -> Scene {
        let sign = |column: u8, row: u8| {
            let cell = row * 3 + column;
            let boards = view.all.or_else(|| {
                let own = view.viewer.seat()?.index();
                let mut boards = [0; 2];
                boards[own] = view.own;
                boards[1 - own] = view.met;
                Some(boards)
            })?;
            (0..2).find(|i| boards[*i] >> cell & 1 == 1).map(|i| (Seat::new(i as u8), ["X", "O"][i]))
        };
        Scene {
            title: format!(
                "{}; {} {}, {} {}",
                headline(view.standing, ["Cross", "Nought"]),
                view.marked[0],
                if view.marked[0] == 1 { "cross" } else { "crosses" },
                view.marked[1],
                if view.marked[1] == 1 { "nought" } else { "noughts" },
            ),
            boards: vec![grid(3, 3, |column, row| cell_name(row * 3 + column), sign)],
            prompt: view.standing.deciding().lowest().map(|seat| {
                Prompt::new(seat.into(), format!("{} tries a cell", self.title.seat_name(seat)), rule!("1"))
            }),
            ..Scene::default()
        }
    }

    fn choice(&self, _: &View, Try(cell): Try) -> Choice {
        Choice::button(format!("Try {}", cell_name(cell))).at(format!("cell-{}", cell_name(cell)))
    }
}

impl Ordered for Phantom {
    type Order = NoOrder;
}

impl Minded for Phantom {
    fn appraise(&self, position: &Position, seat: Seat) -> f32 {
        position.standing.worth(seat)
    }
}

impl Staged for Phantom {
    fn sound(&self, position: &Position) -> Result<(), String> {
        sound_boards(position.boards)?;
        for i in 0..2 {
            if position.met[i] & !position.boards[1 - i] != 0 {
                return Err("a seat has run into a cell that is not the other's".into());
            }
        }
        Ok(())
    }

    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let mut fields = sheet.fields()?;
        let boards = read_board(fields.required("board")?)?;
        let mut met = [0; 2];
        for (i, key) in ["met_by_cross", "met_by_nought"].into_iter().enumerate() {
            if let Some(cells) = fields.optional(key) {
                for cell in cells.list()? {
                    met[i] |=
                        1 << read_cell(cell.text()?).ok_or_else(|| cell.expected("a cell from a1 to c3"))?;
                }
            }
        }
        fields.finish()?;
        sound_boards(boards).map_err(|e| sheet.wrong(e))?;
        let last = Seat::new(u8::from(boards[0].count_ones() == boards[1].count_ones()));
        Ok(Position { boards, met, standing: standing_after(boards, last) })
    }

    fn fact(&self, _: &Position, after: &Position, key: &str) -> Option<Fact> {
        match key {
            "standing" => Some(headline(after.standing, ["Cross", "Nought"]).as_str().into()),
            "marked" => Some(i64::from((after.boards[0] | after.boards[1]).count_ones()).into()),
            "met_by_nought" => Some(i64::from(after.met[1].count_ones()).into()),
            _ => None,
        }
    }

    fn facts(&self) -> &'static str {
        "standing, marked, met_by_nought"
    }
}

/// So many of these cells, chosen by lot.
fn some_of(mut cells: u16, count: u32, lots: &mut Lots) -> u16 {
    let mut chosen = 0;
    for _ in 0..count {
        let at = lots.below(cells.count_ones().max(1));
        let mut rest = cells;
        for _ in 0..at {
            rest &= rest - 1;
        }
        let cell = rest & rest.wrapping_neg();
        chosen |= cell;
        cells &= !cell;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::{Options, Silent};

    /// The true positions that there are, found by playing everything.
    fn reachable(game: &Phantom) -> BTreeSet<Position> {
        let start = game.setup(&game.title.usual_set_up(), &mut Silent::new(0)).unwrap();
        let (mut found, mut open) = (BTreeSet::from([start.clone()]), vec![start]);
        while let Some(position) = open.pop() {
            let Standing::Turn(seat) = position.standing else { continue };
            let mut options = Options::new();
            game.options(&position, seat, &mut options);
            for offer in options.offers() {
                let mut next = position.clone();
                game.apply(&mut next, seat, offer.action, &mut Silent::new(0));
                if found.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        found
    }

    /// The same count by arithmetic. While the game goes on, each seat's last turn came after all signs of
    /// the other but those of a turn in which it may still try: it may have run into any of them.
    #[test]
    fn positions_are_those_of_tic_tac_toe_times_what_was_met() {
        let found = reachable(&Phantom::new());
        let boards: BTreeMap<_, _> = found.iter().map(|p| (p.boards, p.standing)).collect();
        assert_eq!(boards.len(), 5_478);
        let open = boards.iter().filter(|(_, standing)| matches!(standing, Standing::Turn(_)));
        let expected: usize = open.map(|(boards, _)| 1 << (boards[0] | boards[1]).count_ones()).sum();
        assert_eq!(found.iter().filter(|p| matches!(p.standing, Standing::Turn(_))).count(), expected);
    }

    /// Every position that a view leaves open is imagined sooner or later, and nothing else is.
    #[test]
    fn imagined_positions_are_exactly_those_with_the_same_view() {
        let game = Phantom::new();
        let found = reachable(&game);
        let mut by_view: BTreeMap<String, BTreeSet<[u16; 2]>> = BTreeMap::new();
        let key = |p: &Position, seat| serde_json::to_string(&game.view(p, Viewer::Seat(seat))).unwrap();
        for position in &found {
            by_view.entry(key(position, Seat::new(1))).or_default().insert(position.boards);
        }
        let mut lots = Lots::new(5);
        let mut compared = 0;
        for position in
            found.iter().filter(|p| p.boards[0].count_ones() == 2 && p.boards[1].count_ones() == 1)
        {
            let view = game.view(position, Viewer::Seat(Seat::new(1)));
            let imagined: BTreeSet<_> = (0..600).map(|_| game.imagine(&view, &mut lots).boards).collect();
            assert_eq!(imagined, by_view[&key(position, Seat::new(1))]);
            compared += 1;
        }
        assert!(compared > 500, "{compared}");
    }

    /// What follows from one action, with its probability, when a seat tries at random until its turn ends.
    fn random_turn(game: &Phantom, position: &Position, weight: f64, after: &mut BTreeMap<Position, f64>) {
        let Standing::Turn(seat) = position.standing else { return };
        let mut options = Options::new();
        game.options(position, seat, &mut options);
        for offer in options.offers() {
            let mut next = position.clone();
            game.apply(&mut next, seat, offer.action, &mut Silent::new(0));
            let weight = weight / options.len() as f64;
            if next.standing == position.standing {
                random_turn(game, &next, weight, after);
            } else {
                *after.entry(next).or_default() += weight;
            }
        }
    }

    /// Whoever tries at random marks each free cell with the same chance, so random play ends as in
    /// tic-tac-toe, whose exact chances are known.
    #[test]
    fn random_play_ends_with_the_known_chances() {
        let game = Phantom::new();
        let start = game.setup(&game.title.usual_set_up(), &mut Silent::new(0)).unwrap();
        let mut level = BTreeMap::from([(start, 1.0)]);
        let mut chances = [0.0; 3];
        while !level.is_empty() {
            let mut next = BTreeMap::new();
            for (position, weight) in &level {
                match position.standing {
                    Standing::Won(seat) => chances[seat.index()] += weight,
                    Standing::Drawn => chances[2] += weight,
                    Standing::Turn(_) => random_turn(&game, position, *weight, &mut next),
                }
            }
            level = next;
        }
        for (found, known) in chances.into_iter().zip([737.0 / 1260.0, 121.0 / 420.0, 8.0 / 63.0]) {
            assert!((found - known).abs() < 1e-12, "{chances:?}");
        }
    }

    /// The best that Cross can do against random play, from all it can know: every position that it cannot
    /// tell apart is weighed together. Positions come from the rules; what Cross sees decides what is one.
    fn best_answer(game: &Phantom, belief: &BTreeMap<Position, f64>) -> f64 {
        let cross = Seat::new(0);
        let Some((first, _)) = belief.first_key_value() else { return 0.0 };
        let mut options = Options::new();
        game.options(first, cross, &mut options);
        let mut best: f64 = 0.0;
        for offer in options.offers() {
            let (mut worth, mut again, mut later) = (0.0, BTreeMap::new(), BTreeMap::new());
            for (position, weight) in belief {
                let mut next = position.clone();
                game.apply(&mut next, cross, offer.action, &mut Silent::new(0));
                match next.standing {
                    Standing::Turn(seat) if seat == cross => *again.entry(next).or_default() += weight,
                    Standing::Turn(_) => {
                        let mut answers = BTreeMap::new();
                        random_turn(game, &next, *weight, &mut answers);
                        for (mut answer, weight) in answers {
                            // What Nought has run into changes nothing about where it marks at random.
                            answer.met[1] = 0;
                            match answer.standing {
                                Standing::Turn(_) => *later.entry(answer).or_default() += weight,
                                over => worth += weight * f64::from(over.worth(cross)),
                            }
                        }
                    }
                    over => worth += weight * f64::from(over.worth(cross)),
                }
            }
            // A seat that has run into something, and one whose turn comes again: two things Cross can tell
            // apart. Within each it cannot.
            for belief in [&again, &later] {
                let views: Vec<_> = belief.keys().map(|p| game.view(p, Viewer::Seat(cross))).collect();
                assert!(views.windows(2).all(|w| w[0] == w[1]));
            }
            worth += best_answer(game, &again) + best_answer(game, &later);
            best = best.max(worth);
        }
        best
    }

    /// The same by hand: sets of cells and nothing else.
    fn best_by_hand(own: u16, met: u16, noughts: &BTreeMap<u16, f64>) -> f64 {
        let mut best: f64 = 0.0;
        for cell in (0..9).map(|c| 1u16 << c).filter(|c| (own | met) & c == 0) {
            let (mut worth, mut again, mut later) = (0.0, BTreeMap::new(), BTreeMap::new());
            let mine = own | cell;
            for (nought, weight) in noughts {
                if nought & cell != 0 {
                    *again.entry(*nought).or_default() += weight;
                } else if has_line(mine) {
                    worth += weight;
                } else if mine | nought == 0o777 {
                    worth += weight / 2.0;
                } else {
                    let free = !(mine | nought) & 0o777;
                    for reply in (0..9).map(|c| 1u16 << c).filter(|c| free & c != 0) {
                        let weight = weight / f64::from(free.count_ones());
                        if !has_line(nought | reply) {
                            *later.entry(nought | reply).or_default() += weight;
                        }
                    }
                }
            }
            let known = met | cell;
            worth += if again.is_empty() { 0.0 } else { best_by_hand(own, known, &again) };
            worth += if later.is_empty() { 0.0 } else { best_by_hand(mine, met, &later) };
            best = best.max(worth);
        }
        best
    }

    /// Exact play of the endgame: from positions after two marks each, Cross to move, the best answer to a
    /// random Nought through the trait is the one found by hand.
    #[test]
    fn exact_play_against_a_random_nought() {
        let game = Phantom::new();
        let mut compared = 0;
        for (own, met) in [(0o021, 0o400), (0o003, 0o004), (0o120, 0), (0o401, 0o020), (0o202, 0o010)] {
            let free = !(own | met) & 0o777;
            let nought = |rest: u16| rest | met;
            let sets: Vec<u16> = (0..0o1000u16)
                .filter(|s| s & !free == 0 && nought(*s).count_ones() == 2)
                .map(nought)
                .collect();
            let weight = 1.0 / sets.len() as f64;
            let by_hand = best_by_hand(own, met, &sets.iter().map(|s| (*s, weight)).collect());
            let belief = sets.iter().map(|s| {
                let position =
                    Position { boards: [own, *s], met: [met, 0], standing: Standing::Turn(Seat::new(0)) };
                (position, weight)
            });
            let by_rules = best_answer(&game, &belief.collect());
            assert!((by_hand - by_rules).abs() < 1e-12, "{by_hand} {by_rules}");
            assert!(by_rules > 0.6 && by_rules <= 1.0, "{by_rules}");
            compared += 1;
        }
        assert_eq!(compared, 5);
    }
}
