//! A view as a picture of the table, and where a captain can go on it.

use table::hex::{Direction, Hex, Lattice, Lie};
use table::rooms::*;
use table::scene::{
    Board, Card, CardTone, Choice, Face, Form, Front, Marker, Piece, Prompt, Register, RegisterRow, Scene,
    Shape, Space, Track, Tray,
};
use table::{Offer, Options, Reach, Seat, SeatSet, rule};

use crate::FourKeeps;
use crate::action::Action;
use crate::position::{MARCH, Stance, Step, side};
use crate::view::View;

/// From the middle of a hex to its corner, in board units.
const SIZE: i32 = 60;

/// The id of a hex.
pub(crate) fn hex_id(hex: Hex) -> String {
    format!("hex-{}-{}", hex.q, hex.r)
}

impl Shown for FourKeeps {
    fn scene(&self, view: &View) -> Scene {
        let open = &view.open;
        Scene {
            title: format!("Turn {} of {}", open.turn, open.last),
            boards: vec![self.board(view)],
            trays: self.trays(view),
            tracks: vec![Track {
                id: "keeps".into(),
                name: "Keeps held".into(),
                foremost: true,
                boxes: (0..=4).map(|n| n.to_string()).collect(),
                goals: vec![4],
                markers: (0..2)
                    .map(|alliance| Marker {
                        name: format!("{}’s side", self.title.seat_name(Seat::new(alliance))),
                        owner: Some(Seat::new(alliance)),
                        at: self.keeps_of(open, alliance).into(),
                    })
                    .collect(),
                ..Track::default()
            }],
            register: Some(Register {
                id: "captains".into(),
                name: "Captains".into(),
                columns: ["Men", "Gold", "Fame", "Cards"].map(String::from).to_vec(),
                rows: open
                    .party
                    .iter()
                    .map(|seat| {
                        let captain = open.captain(seat);
                        let figures = [captain.men, captain.gold, captain.fame, captain.cards];
                        RegisterRow::new(seat, figures.map(|figure| figure.to_string()))
                    })
                    .collect(),
            }),
            prompt: self.prompt(view),
            ..Scene::default()
        }
    }

    fn choice(&self, view: &View, action: Action) -> Choice {
        match action {
            Action::Bid(_) => Choice::button("Bid gold for the first march"),
            Action::Go(direction) => {
                let name = direction.name(Lie::Pointy);
                let choice = Choice::button(format!("Go {name}"));
                let to = view
                    .viewer
                    .seat()
                    .and_then(|seat| view.open.captain(seat).at)
                    .map(|at| at.neighbour(direction));
                match to {
                    Some(to) if !view.open.on(to).is_empty() => {
                        choice.at(hex_id(to)).hint("There will be a battle")
                    }
                    Some(to) => choice.at(hex_id(to)),
                    None => choice,
                }
            }
            Action::Halt => Choice::button("Halt here"),
            Action::Fight(Stance::Press) => {
                Choice::button("Press").hint("Two more against a guard; two men are lost in defeat")
            }
            Action::Fight(Stance::Guard) => Choice::button("Guard").hint("One man is lost in defeat"),
            Action::Ward => Choice::button("Show a ward").hint("You lose nobody"),
            Action::Pass => Choice::button("Show nothing"),
        }
    }

    fn reach(&self, view: &View, picked: &[&str]) -> Vec<Reach> {
        let ways = self.ways(view, picked);
        let reached = |way: &Vec<Direction>, at: Hex| {
            let met = !view.open.on(at).is_empty();
            Reach {
                space: hex_id(at),
                cost: way.len().to_string(),
                danger: if met { "an enemy: battle".into() } else { String::new() },
                ends: met,
            }
        };
        ways.iter().map(|(at, way)| reached(way, *at)).collect()
    }

    fn route(&self, view: &View, picked: &[&str], to: &str) -> Vec<Action> {
        let ways = self.ways(view, picked);
        let Some((at, way)) = ways.into_iter().find(|(at, _)| hex_id(*at) == to) else { return Vec::new() };
        let met = !view.open.on(at).is_empty();
        let halt = (!met).then_some(Action::Halt);
        way.into_iter().map(Action::Go).chain(halt).collect()
    }
}

impl FourKeeps {
    /// The hexes that the viewer's own captain can reach, if he is picked and marches, each with its shortest way.
    fn ways(&self, view: &View, picked: &[&str]) -> Vec<(Hex, Vec<Direction>)> {
        let Step::March { order, left } = &view.open.step else { return Vec::new() };
        let Some(seat) = view.viewer.seat().filter(|seat| order.first() == Some(seat)) else {
            return Vec::new();
        };
        let (Some(at), [piece]) = (view.open.captain(seat).at, picked) else { return Vec::new() };
        if *piece != captain_id(seat) {
            return Vec::new();
        }
        let mut ways: Vec<(Hex, Vec<Direction>)> = Vec::new();
        let mut edge = vec![(at, Vec::new())];
        for left in (1..=*left).rev() {
            for (from, way) in std::mem::take(&mut edge) {
                // Asked of the rules themselves, with the captain standing there.
                let mut p = self.imagine(view, &mut table::Lots::new(0));
                p.open.captains[seat.index()].at = Some(from);
                let mut options = Options::new();
                self.list_marches(&p, seat, left, &mut options);
                for Offer { action, .. } in options.offers() {
                    let Action::Go(direction) = *action else { continue };
                    let to = from.neighbour(direction);
                    if to == at || ways.iter().any(|(hex, _)| *hex == to) {
                        continue;
                    }
                    let mut further = way.clone();
                    further.push(direction);
                    if view.open.on(to).is_empty() {
                        edge.push((to, further.clone()));
                    }
                    ways.push((to, further));
                }
            }
        }
        ways
    }

    fn board(&self, view: &View) -> Board {
        let radius = i32::from(self.components.radius);
        let half = SIZE * (2 * radius + 2);
        let lattice = Lattice::new(Lie::Pointy, SIZE, (half, half));
        let mut board = Board {
            id: "ground".into(),
            name: "The ground".into(),
            width: half * 2,
            height: half * 2,
            ..Board::default()
        };
        for hex in Hex::ORIGIN.disc(self.components.radius) {
            let keep = self.components.keep_at(hex);
            let mut space = Space::new(
                hex_id(hex),
                self.components.place(hex),
                lattice.centre(hex),
                Shape::Hex { r: SIZE },
            );
            space.holder = keep.and_then(|keep| view.open.held[keep]).map(Seat::new);
            space.prize = keep.is_some();
            if keep.is_none() {
                space.name = String::new();
            }
            board.spaces.push(space);
        }
        let mut fronts: Vec<_> = view.open.party.iter().collect();
        fronts.sort_by_key(|seat| side(*seat));
        for seat in fronts {
            let captain = view.open.captain(seat);
            let Some(at) = captain.at else { continue };
            let men = if captain.men == 1 { "1 man".to_string() } else { format!("{} men", captain.men) };
            let (name, lit) = (self.title.seat_name(seat).to_string(), view.deciding.contains(seat));
            board.pieces.push(Piece {
                id: captain_id(seat),
                space: hex_id(at),
                owner: Some(seat),
                form: Form::Counter,
                text: format!("{name}, {men}, at {}", self.components.place(at)),
                face: Face::Shown(Front {
                    name,
                    pips: (captain.men, crate::position::MEN),
                    lit,
                    ..Front::default()
                }),
                ..Piece::default()
            });
        }
        board
    }

    /// The viewer's own cards, and backs of the others'.
    fn trays(&self, view: &View) -> Vec<Tray> {
        let tray = |seat: Seat| {
            let (cards, wards) = (view.open.captain(seat).cards, view.wards[seat.index()]);
            let card = |i: u8| Piece {
                id: format!("card-{}-{i}", seat.index()),
                owner: Some(seat),
                form: Form::Card,
                face: match wards {
                    None => Face::Hidden,
                    Some(wards) if i < wards => Face::Card(Card {
                        tone: CardTone::Response,
                        ..Card::titled("Ward", "You lose nobody")
                    }),
                    Some(_) => Face::Card(Card::titled("Blank", "It does nothing, but nobody knows")),
                },
                text: match wards {
                    None => "A card".into(),
                    Some(wards) => {
                        if i < wards {
                            "A ward".into()
                        } else {
                            "A blank".into()
                        }
                    }
                },
                ..Piece::default()
            };
            Tray {
                id: format!("hand-{}", seat.index()),
                name: format!("{}’s cards", self.title.seat_name(seat)),
                owner: Some(seat),
                pieces: (0..cards).map(card).collect(),
                ..Tray::default()
            }
        };
        view.open.party.iter().map(tray).collect()
    }

    fn prompt(&self, view: &View) -> Option<Prompt> {
        let names = |seats: SeatSet| {
            seats.iter().map(|seat| self.title.seat_name(seat)).collect::<Vec<_>>().join(" and ")
        };
        let who = names(view.deciding);
        if view.deciding.is_empty() {
            return None;
        }
        Some(match &view.open.step {
            Step::Bids => {
                Prompt::new(view.deciding, format!("{who}: bid gold for the first march"), rule!("2.1"))
            }
            Step::March { left, .. } => {
                let left = if *left == MARCH { "up to two hexes" } else { "on, or halts" };
                Prompt::new(view.deciding, format!("{who} marches {left}"), rule!("3.1"))
            }
            Step::Battles => {
                let asked: SeatSet = view
                    .deciding
                    .iter()
                    .filter(|seat| view.open.battle_of(*seat).is_some_and(|battle| battle.asked.is_some()))
                    .collect();
                let mine = view.viewer.seat().is_some_and(|seat| asked.contains(seat));
                if mine || asked == view.deciding {
                    Prompt::new(view.deciding, format!("{} may show a ward", names(asked)), rule!("4.4"))
                        .window(true)
                } else {
                    Prompt::new(
                        view.deciding,
                        format!("{} press or guard", names(view.deciding.minus(asked))),
                        rule!("4.1"),
                    )
                }
            }
            Step::Over => return None,
        })
    }
}

/// The id of a captain's piece.
fn captain_id(seat: Seat) -> String {
    format!("captain-{}", seat.index())
}
