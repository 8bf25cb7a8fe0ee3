//! A view of Ten Towns as a picture of the table.

use super::TenTowns;
use super::action::Action;
use super::position::{Step, TURNS, Token};
use super::view::View;
use crate::scene::{
    Board, Card, Choice, Face, Form, Front, Keep, Link, LinkStyle, Marker, Piece, Prompt, Scene, Shape,
    Space, Track, Tray, Warning,
};
use crate::{Seat, rule};

impl TenTowns {
    pub(super) fn picture(&self, view: &View) -> Scene {
        Scene {
            title: if view.over {
                "The game is over".into()
            } else {
                format!("Turn {} of {TURNS}", view.turn)
            },
            boards: vec![self.map(view)],
            trays: self.trays(view),
            tracks: vec![Track {
                id: "turns".into(),
                name: "Turn".into(),
                boxes: (1..=TURNS).map(|t| t.to_string()).collect(),
                markers: vec![Marker { name: "now".into(), owner: None, at: usize::from(view.turn) - 1 }],
                ..Track::default()
            }],
            prompt: self.prompt(view),
            warnings: self.warnings(view),
            ..Scene::default()
        }
    }

    fn map(&self, view: &View) -> Board {
        let towns = &self.components.towns;
        let space = |town: &str| format!("town-{town}");
        let used = match view.steps.last() {
            Some(Step::Moves { roads, .. }) => *roads,
            _ => [0; super::data::ROADS],
        };
        let mut links = Vec::new();
        for (i, town) in towns.iter().enumerate() {
            for (to, road) in town.roads.iter().filter(|(to, _)| usize::from(*to) > i) {
                let to = &towns[usize::from(*to)].name;
                let used = used[usize::from(*road)];
                links.push(Link {
                    id: format!("road-{}-{to}", town.name),
                    from: space(&town.name),
                    to: space(to),
                    style: LinkStyle::Major,
                    note: if used > 0 { format!("{used}/2") } else { String::new() },
                });
            }
        }
        let mut pieces = Vec::new();
        for known in &view.known {
            let label = &self.components.blocks[usize::from(known.block)];
            let strength = view.roster[usize::from(known.block)];
            let rating = format!("{}{}", ["A", "B", "C"][usize::from(label.letter)], label.fire);
            pieces.push(Piece {
                id: format!("block-{}", label.name),
                space: space(&towns[usize::from(known.town)].name),
                owner: Some(label.side),
                text: format!("{} {rating}, strength {strength} of {}", label.name, label.steps),
                face: Face::Shown(Front {
                    name: label.name.clone(),
                    left: rating,
                    pips: (strength, label.steps),
                    spent: known.moved || known.fired,
                    ..Front::default()
                }),
                ..Piece::default()
            });
        }
        for (i, hidden) in view.hidden.iter().enumerate() {
            // Numbered by place: nothing follows a hidden block from town to town.
            let before =
                view.hidden[..i].iter().filter(|h| h.town == hidden.town && h.owner == hidden.owner).count();
            let town = &towns[usize::from(hidden.town)].name;
            let owner = self.title.seat_name(hidden.owner);
            pieces.push(Piece {
                id: format!("hidden-{owner}-{town}-{before}"),
                space: space(town),
                owner: Some(hidden.owner),
                face: Face::Hidden,
                text: format!("a hidden block of {owner}"),
                ..Piece::default()
            });
        }
        Board {
            id: "map".into(),
            name: "Ten Towns".into(),
            width: 1000,
            height: 700,
            spaces: towns
                .iter()
                .enumerate()
                .map(|(i, town)| Space {
                    id: space(&town.name),
                    name: town.name.clone(),
                    x: town.x,
                    y: town.y,
                    shape: Shape::Circle { r: 40 },
                    keep: Some(if town.prize { Keep::City(2) } else { Keep::Village }),
                    holder: view.holder[i],
                    prize: town.prize,
                    ..Space::default()
                })
                .collect(),
            links,
            pieces,
            ..Board::default()
        }
    }

    fn trays(&self, view: &View) -> Vec<Tray> {
        let mut trays = Vec::new();
        for (i, seat) in [Seat::new(0), Seat::new(1)].into_iter().enumerate() {
            let name = self.title.seat_name(seat);
            let mut pieces = Vec::new();
            for card in 0..3 {
                for copy in 0..view.hands[i][card] {
                    pieces.push(Piece {
                        id: format!("card-{name}-{}-{copy}", card + 1),
                        owner: Some(seat),
                        form: Form::Card,
                        face: Face::Card(Card { value: (card + 1).to_string(), ..Card::default() }),
                        text: format!("a card of value {}", card + 1),
                        ..Piece::default()
                    });
                }
            }
            let token = match (view.all_tokens, view.own_token) {
                _ if view.spent[i] => "token spent",
                (Some(tokens), _) if tokens[i] == Token::Ambush => "token: ambush",
                (None, Some(Token::Ambush)) if view.viewer.seat() == Some(seat) => "token: ambush",
                (Some(_), _) => "token: feint",
                (None, Some(Token::Feint)) if view.viewer.seat() == Some(seat) => "token: feint",
                _ => "token hidden",
            };
            trays.push(Tray {
                id: format!("hand-{name}"),
                name: format!("{name}'s cards"),
                owner: Some(seat),
                pieces,
                note: format!("{} gold, {token}", view.gold[i]),
                ..Tray::default()
            });
        }
        trays
    }

    fn prompt(&self, view: &View) -> Option<Prompt> {
        let who = |seat: Seat| self.title.seat_name(seat);
        let both = |verb: &str| match view.deciding.iter().map(who).collect::<Vec<_>>()[..] {
            [one] => format!("{one} {verb}s"),
            ref all => format!("{} {verb}", all.join(" and ")),
        };
        let town = |t: u8| self.components.towns[usize::from(t)].name.as_str();
        let first = view.deciding.lowest()?;
        let (text, rule) = match view.steps.last()? {
            Step::Cards { .. } => (format!("{} a card in secret", both("choose")), rule!("3.1")),
            Step::Bids { .. } => (format!("{} gold in secret for the first move", both("bid")), rule!("3.2")),
            Step::Moves { group: None, left, .. } => {
                (format!("{} moves a group ({} left) or ends", who(first), left[first.index()]), rule!("4.1"))
            }
            Step::Moves { group: Some(t), .. } => {
                (format!("{} moves blocks from {}, or halts", who(first), town(*t)), rule!("4.2"))
            }
            Step::Window { town: t } => {
                (format!("{} may play a token before the battle of {}", who(first), town(*t)), rule!("5.1"))
            }
            Step::Battle { town: t, round: 3 } => {
                (format!("{} must retreat from {}", who(first), town(*t)), rule!("6.5"))
            }
            Step::Battle { town: t, round } => (
                format!("{}: a block fires or retreats in {} (round {round} of 2)", who(first), town(*t)),
                rule!("6.2"),
            ),
            Step::Hits { town: t, hits, .. } => {
                let plural = if *hits == 1 { "" } else { "s" };
                (format!("{} takes {hits} hit{plural} in {}", who(first), town(*t)), rule!("6.3"))
            }
        };
        let window = matches!(view.steps.last(), Some(Step::Window { .. }));
        Some(Prompt::new(view.deciding, text, rule).window(window))
    }

    /// What a careful player would not leave when he ends his moves.
    fn warnings(&self, view: &View) -> Vec<Warning> {
        let (Some(Step::Moves { seat, group: None, left, .. }), Some(viewer)) =
            (view.steps.last(), view.viewer.seat())
        else {
            return Vec::new();
        };
        let mut warnings = Vec::new();
        if *seat != viewer {
            return warnings;
        }
        for (i, town) in self.components.towns.iter().enumerate() {
            let empty = !view.known.iter().any(|k| usize::from(k.town) == i);
            if town.prize && view.holder[i] == Some(viewer) && empty {
                warnings.push(Warning {
                    text: format!("{} is a prize and nobody guards it", town.name),
                    rule: rule!("7.1"),
                    target: Some(format!("town-{}", town.name)),
                });
            }
        }
        if left[seat.index()] > 0 {
            let text = match left[seat.index()] {
                1 => "A group move is left and cannot be saved".to_string(),
                left => format!("{left} group moves are left and cannot be saved"),
            };
            warnings.push(Warning { text, rule: rule!("4.1"), target: None });
        }
        warnings
    }

    pub(super) fn button(&self, action: Action) -> Choice {
        let town = |t: u8| format!("town-{}", self.components.towns[usize::from(t)].name);
        let block = |b: u8| format!("block-{}", self.components.blocks[usize::from(b)].name);
        let (towns, blocks) = (&self.components.towns, &self.components.blocks);
        let button = Choice::button(match action {
            Action::Card(card) => format!("Play a card of {}", card + 1),
            Action::Bid(gold) => format!("Bid {gold}"),
            Action::Group(t) => format!("Move the group in {}", towns[usize::from(t)].name),
            Action::Go(b, t) => {
                format!("{} to {}", blocks[usize::from(b)].name, towns[usize::from(t)].name)
            }
            Action::Halt => "Halt this group".into(),
            Action::End => "End the moves".into(),
            Action::Ambush => "Play the ambush".into(),
            Action::Pass => "Play nothing".into(),
            Action::Fire(b) => format!("Fire with {}", blocks[usize::from(b)].name),
            Action::Retreat(b, t) => {
                format!("Retreat with {} to {}", blocks[usize::from(b)].name, towns[usize::from(t)].name)
            }
            Action::Take(b) => format!("{} takes the hit", blocks[usize::from(b)].name),
        });
        match action {
            Action::Group(t) => button.at(town(t)),
            Action::Go(b, t) | Action::Retreat(b, t) => button.at(town(t)).at(block(b)),
            Action::Fire(b) | Action::Take(b) => button.at(block(b)),
            Action::Ambush => button.confirm("Play your only token now?"),
            Action::Card(_) | Action::Bid(_) | Action::Halt | Action::End | Action::Pass => button,
        }
    }
}
