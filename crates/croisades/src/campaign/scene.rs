//! A view as a picture of the table: the map with strongholds and groups, the field of a battle as the skirmish draws
//! it, lords in a register, one's own characters as sheets; choices in words; where a group can march.

use table::hex::{Direction, Lattice, Lie};
use table::rooms::*;
use table::scene::{
    Aid, AidRow, Board, Choice, Face, Form, Front, Harbour, Keep, Piece, Prompt, Register, RegisterRow, Room,
    Scene, Shape, Space, Sum, SumLine, TerrainSign, Track,
};
use table::{Reach, Seat, SeatSet, Viewer, rule};

use super::Campaign;
use super::action::{Action, Suit};
use super::atlas::{Atlas, Kind, Soil};
use super::view::View;
use crate::ids::{Side, Who};
use crate::realm::{
    COLUMNS, GroupId, MapHex, PlaceId, ROWS, Realm, ShipId, Stage, Step, TERMS, Term, What, side_of,
};
use crate::skirmish::action::Action as Skirmishing;
use crate::skirmish::position::{Open as FieldOpen, Prelude};
use crate::skirmish::view::View as FieldView;

/// From the middle of a hex to its corner, in board units.
const SIZE: i32 = 40;

fn hex_id(hex: MapHex) -> String {
    format!("hex-{hex}")
}

fn group_id(id: GroupId) -> String {
    format!("group-{}", id.number() + 1)
}

fn ship_id(id: ShipId) -> String {
    format!("ship-{}", id.number() + 1)
}

fn dinars(sum: u32) -> String {
    if sum == 1 { "1 dinar".into() } else { format!("{sum} dinars") }
}

impl Shown for Campaign {
    fn scene(&self, view: &View) -> Scene {
        let (turn, last) = (view.open.turn, self.atlas.scenarios[usize::from(view.open.scenario)].turns);
        let name = &self.atlas.scenarios[usize::from(view.open.scenario)].name;
        let title = match turn {
            0 => name.clone(),
            _ if self.atlas.scenarios[usize::from(view.open.scenario)].limited => {
                format!("{name}, turn {turn} of {last}")
            }
            _ => format!("{name}, turn {turn}"),
        };
        let mut scene = Scene { title, prompt: self.prompt(view), ..Scene::default() };
        scene.boards.push(self.map(view));
        scene.register = Some(self.lords(view));
        scene.tracks.push(self.turns(view));
        scene.sums = self.purses(view);
        scene.aids = self.sheets(view);
        if let Some((i, field)) = self.shown_field(view) {
            let mut battle = self.skirmish.scene(&field);
            if let Some(mut board) = battle.boards.pop() {
                let seats = view.open.theatres[i].seats;
                let owner = |seat: Option<Seat>| seat.and_then(|s| seats[s.index().min(1)]);
                for piece in &mut board.pieces {
                    piece.owner = owner(piece.owner);
                }
                for fall in &mut board.falls {
                    fall.owner = owner(fall.owner);
                }
                scene.boards.push(board);
            }
            if battle.sums.iter().all(|sum| sum.shares.iter().all(|(seat, _)| seat.is_none())) {
                scene.sums.append(&mut battle.sums);
            }
            scene.aids.append(&mut battle.aids);
        }
        scene
    }

    fn choice(&self, view: &View, action: Action) -> Choice {
        let data = &self.tactics().data;
        let man = |who: Who| data.name(who);
        let place = |id: PlaceId| self.atlas.place(id).name.clone();
        let at = |id: PlaceId| hex_id(self.hex_of(&view.open, id));
        let lord = |seat: Seat| self.lord_name(seat).to_string();
        let group = |id: GroupId| format!("group {}", id.number() + 1);
        match action {
            Action::Castle(id) => Choice::button(format!("Begin at {}", place(id))).at(at(id)),
            Action::Hold(id) => Choice::button(format!(
                "Hold {} for {}",
                place(id),
                dinars(self.worth(&view.open, id).into())
            ))
            .at(at(id)),
            Action::Settle => Choice::button("No more places"),
            Action::Lord(counter) => {
                Choice::button(format!("{} shall be your lord", data.card(counter).name))
                    .hint(format!("He costs {} of his points", data.card(counter).cost))
            }
            Action::Vassal(counter) => Choice::button(format!("{} as a vassal", data.card(counter).name))
                .hint(format!("He costs {} points, and his characteristics", data.card(counter).cost)),
            Action::Hire(counter) => {
                let (card, kind) = (data.card(counter), data.kind(counter));
                Choice::button(format!("{}, {} for {}", card.name, kind.name, card.cost))
            }
            Action::Raise(which, _) => Choice::button(format!("Points of {}", which.word())),
            Action::Ready if view.open.turn > 0 && matches!(view.open.step(), Step::Sieges) => {
                Choice::button("The usual garrison")
            }
            Action::Ready => {
                Choice::button("The ready-made company").hint("A lord, two vassals and men of all kinds")
            }
            Action::Seal => Choice::button("Seal").hint("Nothing can be changed after that"),
            Action::Write(to) => Choice::button(format!("A letter to {}", lord(to))),
            Action::Term(Term::Peace(_)) => Choice::button("Peace until a turn"),
            Action::Term(Term::Alliance(_)) => {
                Choice::button("Alliance until a turn").hint("Peace, passage, refuge and supply")
            }
            Action::Term(Term::Passage(_)) => {
                Choice::button("Passage until a turn").hint("Groups let each other through")
            }
            Action::Term(Term::Promise(_)) => {
                Choice::button("Promise dinars for later").hint("A promise that is not kept costs 3 honour")
            }
            Action::Term(Term::Claim(_)) => {
                Choice::button("Ask for dinars later").hint("With dinars at once, this is a loan")
            }
            Action::Term(Term::Due(_)) => Choice::button("The turn in which later dinars are due"),
            Action::Term(Term::Want(id)) => Choice::button(format!("Ask for {}", place(id))).at(at(id)),
            Action::Term(Term::Free(who)) => Choice::button(format!("Let {} go", man(who))),
            Action::Term(Term::Release(who)) => {
                Choice::button(format!("Ask for the freedom of {}", man(who)))
            }
            Action::Sail(id, way) => {
                Choice::button(format!("Ship {} sails {}", id.number() + 1, way.name(Lie::Pointy)))
                    .at(ship_id(id))
            }
            Action::Load(id, to) => {
                Choice::button(format!("Ship {} takes {} aboard", id.number() + 1, group(to))).at(ship_id(id))
            }
            Action::Land(id, None) => {
                Choice::button(format!("The men of ship {} land in the port", id.number() + 1))
                    .at(ship_id(id))
            }
            Action::Land(id, Some(way)) => {
                Choice::button(format!("The men of ship {} land {}", id.number() + 1, way.name(Lie::Pointy)))
                    .at(ship_id(id))
            }
            Action::Launch(id) => Choice::button(format!("Launch your ships at {}", place(id)))
                .at(at(id))
                .hint("They meet the ships of the blockade; else they wait on the stocks"),
            Action::Sink(id) => {
                let kind =
                    view.open.ships.get(id.number()).copied().flatten().map_or("ship", |s| s.kind.word());
                Choice::button(format!("The {kind} {} is lost", id.number() + 1)).at(ship_id(id))
            }
            Action::Breach => Choice::button("Break the banks of the Nile")
                .confirm("Cairo, Mansourah and Bilbeis will yield nothing for a while. Break them?"),
            Action::Mend => {
                Choice::button("Mend the banks of the Nile").hint("The land is dry four turns later")
            }
            Action::Renounce => Choice::button("Break your vow").confirm(
                "It costs 3 honour, and places without a group of yours stay with your lord. Break it?",
            ),
            Action::Term(Term::Vow(_)) => Choice::button("Swear to him for a share of your revenue")
                .hint("So many per cent are his; he is your lord, and only he can win"),
            Action::Term(Term::Homage(_)) => {
                Choice::button("Ask him to be your vassal for a share of his revenue")
            }
            Action::Flee => Choice::button("Flee").hint("It costs a transport, or else a warship"),
            Action::Build(hull, id) => {
                let price = self.atlas.hulls[hull as usize].price;
                Choice::button(format!("Build a {} at {} for {price}", hull.word(), place(id))).at(at(id))
            }
            Action::Found(kind, hex) => {
                let half = self.atlas.castle_prices[kind as usize] / 2;
                Choice::button(format!("Begin a {} on hex {hex} for {half}", kind.word())).at(hex_id(hex))
            }
            Action::Finish(hex) => {
                Choice::button(format!("Pay the rest of the castle on hex {hex}")).at(hex_id(hex))
            }
            Action::Elite(who) => Choice::button(format!("{} becomes elite", man(who))),
            Action::Delegate(what, to) => {
                let which = match what {
                    What::Battle(hex) => format!("the battle on {}", self.atlas.hex_name(hex)),
                    What::Siege(id) => format!("the siege of {}", place(id)),
                };
                Choice::button(format!("{} shall command in {which}", lord(to)))
            }
            Action::Agree(true) => Choice::button("Command in his place"),
            Action::Agree(false) => Choice::button("Decline"),
            Action::Summon(id) => {
                Choice::button(format!("Call {} to the battle", group(id))).at(group_id(id))
            }
            Action::Join => Choice::button("The garrison comes out of the gate"),
            Action::Redeem(who) => Choice::button(format!("Pay the ransom of the wife of {}", man(who))),
            Action::Kill(whose, who) => {
                Choice::button(format!("Put {} of {} to death", man(who), lord(whose)))
                    .confirm("It costs all the honour of your lord. Put him to death?")
            }
            Action::Term(Term::Gift(_)) => Choice::button("Offer dinars"),
            Action::Term(Term::Demand(_)) => Choice::button("Ask for dinars"),
            Action::Term(Term::Cede(id)) => Choice::button(format!("Hand {} over", place(id))).at(at(id)),
            Action::Send => Choice::button("Send the letter"),
            Action::Accept(from, number) => {
                let mut own =
                    view.letters.iter().filter(|l| l.from == from && Some(l.to) == view.viewer.seat());
                let letter = own.nth(usize::from(number.max(1) - 1));
                let terms = letter.map_or(String::new(), |l| self.terms(l.terms));
                Choice::button(format!("Sign the treaty of {}: {terms}", lord(from)))
            }
            Action::Shift(who, to) => {
                Choice::button(format!("{} joins {}", man(who), group(to))).at(group_id(to))
            }
            Action::Split(who) => Choice::button(format!("{} leads a new group", man(who))),
            Action::Give(from, to, _) => Choice::button(format!("Dinars from {} to {}", man(from), man(to))),
            Action::Entrust(id, who) => {
                Choice::button(format!("{} into the ward of {}", place(id), man(who))).at(at(id))
            }
            Action::Buy(good, id, _) => {
                Choice::button(format!("Buy {} for {}", good.word(), group(id))).at(group_id(id))
            }
            Action::Take(id) => Choice::button(format!("March with {}", group(id))).at(group_id(id)),
            Action::Go(way) => self.step_choice(view, way, "March"),
            Action::Leave(way) => self.step_choice(view, way, "Fall back"),
            Action::Halt => Choice::button("Halt"),
            Action::Attack(whom) => Choice::button(format!("Attack {}", lord(whom)))
                .confirm("You have a treaty with him: a breach costs 3 honour. Attack all the same?"),
            Action::Pass => Choice::button("Let them be"),
            Action::Fight => {
                let choice = Choice::button("Fight").hint("One who wants to fight is enough");
                let other = match (view.open.step(), view.viewer.seat()) {
                    (Step::Meeting { mover, met, .. }, Some(seat)) => {
                        Some(if seat == mover { met } else { mover })
                    }
                    _ => None,
                };
                let bound = other.is_some_and(|other| {
                    view.treaties.iter().any(|t| t.parties.contains(&other) && t.until >= view.open.turn)
                });
                if bound {
                    choice.confirm("You have a treaty with him: a breach costs 3 honour. Fight all the same?")
                } else {
                    choice
                }
            }
            Action::Refuge => Choice::button("Stay behind the walls"),
            Action::Quick => {
                Choice::button("A quick battle").hint("The house plays both sides, if the other agrees")
            }
            Action::Command => Choice::button("Fight it out man by man"),
            Action::Battle(deed) => match self.field_view(view) {
                Some(field) => self.skirmish.choice(&field, Skirmishing::Field(deed)),
                None => Choice::button("Go on"),
            },
            Action::Besiege(id) => {
                let friend = view.open.place(id).holder.is_some_and(|h| {
                    view.treaties.iter().any(|t| t.parties.contains(&h) && t.until >= view.open.turn)
                });
                let choice = Choice::button(format!("Besiege {}", place(id))).at(at(id));
                if friend {
                    choice.confirm("You have a treaty with its lord: a breach costs 3 honour. Besiege it?")
                } else {
                    choice
                }
            }
            Action::Eat(4) => Choice::button("Full rations"),
            Action::Eat(2) => Choice::button("Half rations"),
            Action::Eat(_) => Choice::button("A quarter of the rations"),
            Action::Assault => Choice::button("Assault"),
            Action::Batter => Choice::button("Batter the walls"),
            Action::Parley => Choice::button("Ask for surrender").hint("A 12 with what is added to the die"),
            Action::Wait => Choice::button("Let the day pass"),
            Action::Sortie => Choice::button("Make a sortie").hint("Half the garrison, for food"),
            Action::Raid => Choice::button("Raid the camp").hint("The whole garrison, against the engines"),
            Action::Suit(who, suit) => {
                let what = match suit {
                    Suit::Alliance => "seeks an alliance here",
                    Suit::Allegiance => "asks for allegiance here",
                    Suit::Marriage => "asks for the lady’s hand",
                };
                Choice::button(format!("{} {what}", man(who))).hint(self.suit_hint(view, who, suit))
            }
            Action::Tax(true) => Choice::button("Raise half as much again")
                .hint("For five turns your places are easily turned, and their contingents may be late"),
            Action::Tax(false) => Choice::button("Leave the taxes as they are"),
            Action::Ransom(who) => Choice::button(format!("Pay the ransom of {}", man(who))),
            Action::Polish(who) => Choice::button(format!("The point of diplomacy goes to {}", man(who))),
            Action::Recruit(who) => Choice::button(format!("{} recruits", man(who))),
            Action::Advance(who, counter) => {
                Choice::button(format!("{} rises to be {}", man(who), data.card(counter).name))
            }
            Action::Heir(who) => Choice::button(format!("{} succeeds", man(who))),
            Action::Done => Choice::button("No more in this phase"),
        }
    }

    fn reach(&self, view: &View, picked: &[&str]) -> Vec<Reach> {
        if let Some(field) = self.field_view(view) {
            return self.skirmish.reach(&field, picked);
        }
        let Some((_, ways)) = self.ways(view, picked) else { return Vec::new() };
        let reached = |(hex, spent, _): &(MapHex, u8, Vec<Direction>)| {
            let met = self.strangers(view, *hex);
            Reach {
                space: hex_id(*hex),
                cost: spent.to_string(),
                danger: if met { "other lords are there".into() } else { String::new() },
                ends: met,
            }
        };
        ways.iter().map(reached).collect()
    }

    fn route(&self, view: &View, picked: &[&str], to: &str) -> Vec<Action> {
        if let Some(field) = self.field_view(view) {
            let deeds = self.skirmish.route(&field, picked, to).into_iter();
            return deeds
                .filter_map(
                    |a| if let Skirmishing::Field(deed) = a { Some(Action::Battle(deed)) } else { None },
                )
                .collect();
        }
        let Some((id, ways)) = self.ways(view, picked) else { return Vec::new() };
        let Some((hex, _, way)) = ways.into_iter().find(|(hex, _, _)| hex_id(*hex) == to) else {
            return Vec::new();
        };
        let taken = matches!(view.open.step(), Step::March { group: Some(_), .. });
        let take = (!taken).then_some(Action::Take(id));
        let halt = (!self.strangers(view, hex)).then_some(Action::Halt);
        take.into_iter().chain(way.into_iter().map(Action::Go)).chain(halt).collect()
    }
}

impl Campaign {
    fn lattice() -> Lattice {
        Lattice::new(Lie::Pointy, SIZE, (SIZE, SIZE))
    }

    /// The field that the viewer commands in, as the skirmish would see it.
    pub(crate) fn field_view(&self, view: &View) -> Option<FieldView> {
        let seat = view.viewer.seat()?;
        let i = view.open.theatre_of(seat)?;
        if view.open.theatres[i].stage != Stage::Fought
            || !matches!(view.open.step(), Step::Battles | Step::Sieges)
        {
            return None;
        }
        Some(self.as_skirmish(view, i))
    }

    /// The field that a viewer is shown: his own, or the first that there is.
    fn shown_field(&self, view: &View) -> Option<(usize, FieldView)> {
        let own = view.viewer.seat().and_then(|seat| view.open.theatre_of(seat));
        let fought = |i: &usize| view.open.theatres[*i].stage == Stage::Fought;
        let i = own.filter(fought).or_else(|| (0..view.open.theatres.len()).find(fought))?;
        Some((i, self.as_skirmish(view, i)))
    }

    fn as_skirmish(&self, view: &View, i: usize) -> FieldView {
        let theatre = &view.open.theatres[i];
        let side = |seat: Seat| theatre.seats.iter().position(|s| *s == Some(seat));
        let viewer = match view.viewer.seat().and_then(side) {
            Some(side) => Viewer::Seat(Seat::new(side as u8)),
            None => Viewer::Observer,
        };
        let deciding =
            theatre.field.deciding().map(|side| Seat::new(side.index() as u8)).into_iter().collect();
        FieldView {
            viewer,
            open: FieldOpen {
                party: SeatSet::first(2),
                scenario: 0,
                map: theatre.map,
                sum: 0,
                breaches: 0,
                prelude: Prelude::Past,
                field: theatre.field.clone(),
            },
            deciding,
            musters: Default::default(),
            quick: [None; 2],
        }
    }

    fn map(&self, view: &View) -> Board {
        let lattice = Self::lattice();
        let scenario = usize::from(view.open.scenario);
        let mut board =
            Board { id: "map".into(), name: "Outremer".into(), room: Room::Large, ..Board::default() };
        board.terrains = [
            (TerrainSign::Sea, "Sea", "closed"),
            (TerrainSign::Water, "Lake", "closed"),
            (TerrainSign::Clear, "Land", "1 point"),
            (TerrainSign::Crest, "Mountains", "3 points, 2 by road"),
            (TerrainSign::Desert, "Desert", "2 points, 1 by road"),
        ]
        .map(|(sign, name, note)| table::scene::Terrain::new(sign, name, note))
        .to_vec();
        let all = (1..=ROWS).flat_map(|row| (1..=COLUMNS).filter_map(move |column| MapHex::new(row, column)));
        let all: Vec<MapHex> = all.filter(|hex| self.atlas.mapped(scenario, *hex)).collect();
        let (mut left, mut top) = (i32::MAX, i32::MAX);
        for hex in &all {
            let (x, y) = lattice.centre(hex.plane());
            (left, top) = (left.min(x), top.min(y));
        }
        for hex in all {
            let (x, y) = lattice.centre(hex.plane());
            let (x, y) = (x - left + SIZE, y - top + SIZE);
            (board.width, board.height) = (board.width.max(x + SIZE), board.height.max(y + SIZE));
            let tile = self.atlas.tile(hex);
            let mut space = Space::new(hex_id(hex), "", (x, y), Shape::Hex { r: SIZE });
            space.terrain = Some(match tile.soil {
                Soil::Sea => 0,
                Soil::Lake => 1,
                Soil::Land => 2,
                Soil::Mountain => 3,
                Soil::Desert => 4,
            });
            if let Some(id) = tile.place {
                let (sheet, place) = (self.atlas.place(id), view.open.place(id));
                space.name.clone_from(&sheet.name);
                space.keep = Some(match sheet.kind {
                    Kind::Border => Keep::LowCastle,
                    Kind::Baronial => Keep::FullCastle,
                    Kind::Medium => Keep::Town,
                    Kind::Important => Keep::City(sheet.fame.clamp(1, 4)),
                });
                space.points = sheet.fame;
                space.prize = sheet.kind == Kind::Important;
                space.harbour = if sheet.port { Harbour::Plain } else { Harbour::No };
                space.holder = place.holder;
                space.siege = view.open.siege(id).map(|i| view.open.sieges[i].besieger);
                if place.ally().is_some() {
                    space.badge = "allied".into();
                }
            }
            board.spaces.push(space);
        }
        let taken = match view.open.step() {
            Step::March { group: Some((id, _)), .. } => Some(id),
            _ => None,
        };
        for (id, group) in view.open.all_groups() {
            let word = Atlas::WORDS[usize::from(group.word.min(3))];
            let names = self.known_names(view, id);
            let inside = if group.inside { ", inside the walls" } else { "" };
            let text = format!(
                "Group {} of {}, {word}{inside}{}",
                id.number() + 1,
                self.lord_name(group.lord),
                if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) }
            );
            board.pieces.push(Piece {
                id: group_id(id),
                space: hex_id(group.at),
                owner: Some(group.lord),
                form: Form::Counter,
                face: Face::Shown(Front {
                    name: format!("{}", id.number() + 1),
                    home: word.into(),
                    lit: taken == Some(id),
                    spent: group.moved,
                    ..Front::default()
                }),
                text,
                ..Piece::default()
            });
        }
        for (id, ship) in view.open.all_ships() {
            // A viewer's own ships are where they are ordered to be; nobody else sees that before they sail.
            let plan = view.sailing.iter().find(|s| s.ship == id);
            let at = plan.map_or(ship.at, |plan| plan.at);
            let text = format!(
                "Ship {} of {}, a {}{}",
                id.number() + 1,
                self.lord_name(ship.lord),
                ship.kind.word(),
                if plan.is_some() { ", as it is ordered" } else { "" }
            );
            board.pieces.push(Piece {
                id: ship_id(id),
                space: hex_id(at),
                owner: Some(ship.lord),
                form: Form::Counter,
                face: Face::Shown(Front {
                    name: format!("{}", id.number() + 1),
                    home: ship.kind.word().into(),
                    ..Front::default()
                }),
                text,
                ..Piece::default()
            });
        }
        board
    }

    /// The names of those whom the viewer knows in a group.
    fn known_names(&self, view: &View, id: GroupId) -> Vec<String> {
        let data = &self.tactics().data;
        let own =
            view.men.iter().filter(|(_, m)| m.group == Some(id) && m.lord == Some(view.open.group(id).lord));
        let mut names: Vec<String> = own.map(|(_, m)| data.name(m.who)).collect();
        if let Some((_, known)) = view.known.iter().find(|(other, _)| *other == id) {
            names.extend(known.iter().map(|who| data.name(*who)));
        }
        names
    }

    fn lords(&self, view: &View) -> Register {
        let row = |seat: Seat| {
            let lord = &view.open.lords[seat.index()];
            let major = lord.suzerain.map(|id| view.open.major(id));
            let own = (0..view.open.places.len()).map(PlaceId::at);
            let own: Vec<PlaceId> = own.filter(|id| view.open.place(*id).lord() == Some(seat)).collect();
            let revenue: u16 = own
                .iter()
                .filter(|id| view.open.siege(**id).is_none())
                .map(|id| self.worth(&view.open, *id))
                .sum();
            let cells = [
                major.map_or(0, |m| u32::from(m.fame)),
                major.map_or(0, |m| u32::from(m.honour)),
                revenue.into(),
                own.len() as u32,
                view.open.groups_of(seat).count() as u32,
            ];
            let mut row = RegisterRow::new(seat, cells.map(|n| n.to_string()));
            if let Some(major) = major {
                row.note =
                    format!("{}, {}", self.tactics().data.name(major.who), major.title.word(side_of(seat)));
            }
            row
        };
        Register {
            id: "lords".into(),
            name: "Lords".into(),
            columns: ["Fame", "Honour", "Revenue", "Places", "Groups"].map(String::from).to_vec(),
            rows: view.open.party.iter().map(row).collect(),
        }
    }

    fn turns(&self, view: &View) -> Track {
        let last = self.atlas.scenarios[usize::from(view.open.scenario)].turns;
        // Of a long game the twenty turns around now.
        let first = view.open.turn.saturating_sub(1) / 20 * 20;
        let last = last.min(first + 20);
        Track {
            id: "turns".into(),
            name: "Turns".into(),
            note: "Taxes are collected every fifth turn".into(),
            foremost: true,
            boxes: (first..=last).map(|n| if n == 0 { "Start".into() } else { n.to_string() }).collect(),
            markers: vec![table::scene::Marker {
                name: "Turn".into(),
                owner: None,
                at: (view.open.turn - first).into(),
            }],
            ..Track::default()
        }
    }

    /// What the viewer can spend, line by line.
    fn purses(&self, view: &View) -> Vec<Sum> {
        let Some(seat) = view.viewer.seat() else { return Vec::new() };
        if let (Step::Creation(_), Some((_, sheet))) =
            (view.open.step(), view.sheets.iter().find(|(s, _)| *s == seat))
        {
            return vec![Sum {
                id: "points".into(),
                name: "Points for companions".into(),
                total: self.points_left(&view.open, sheet).to_string(),
                lines: vec![SumLine::new(
                    "Points of the start",
                    self.companions(&view.open).to_string(),
                    rule!("3.14"),
                )],
                ..Sum::default()
            }];
        }
        let own = view.traits.iter().filter(|(id, _)| view.open.major(*id).captor.is_none());
        let lines: Vec<SumLine> = own
            .map(|(id, t)| {
                let name = self.tactics().data.name(view.open.major(*id).who);
                SumLine::new(format!("The purse of {name}"), t.purse.to_string(), rule!("3.74"))
            })
            .collect();
        if lines.is_empty() {
            return Vec::new();
        }
        let total: u32 = view
            .traits
            .iter()
            .filter(|(id, _)| view.open.major(*id).captor.is_none())
            .map(|(_, t)| u32::from(t.purse))
            .sum();
        vec![Sum {
            id: "purses".into(),
            name: "Your purses".into(),
            total: total.to_string(),
            lines,
            ..Sum::default()
        }]
    }

    /// Character sheets of the viewer's own, as the booklet has them.
    fn sheets(&self, view: &View) -> Vec<Aid> {
        let data = &self.tactics().data;
        let majors: Vec<AidRow> = view
            .traits
            .iter()
            .map(|(id, t)| {
                let m = view.open.major(*id);
                let side = m.lord.map_or(Side::First, side_of);
                AidRow::new([
                    data.name(m.who),
                    m.title.word(side).to_string(),
                    m.fame.to_string(),
                    m.honour.to_string(),
                    t.command.to_string(),
                    t.diplomacy.to_string(),
                    t.charisma.to_string(),
                    t.purse.to_string(),
                ])
            })
            .collect();
        let men: Vec<AidRow> = view
            .men
            .iter()
            .map(|(_, m)| {
                let card = data.card(m.who.counter);
                AidRow::new([
                    data.name(m.who),
                    data.kind(m.who.counter).name.clone(),
                    m.group.map_or("prisoner".into(), |g| (g.number() + 1).to_string()),
                    format!("{} of {}", m.life, card.life),
                    m.experience.to_string(),
                ])
            })
            .collect();
        let mut aids = Vec::new();
        if !majors.is_empty() {
            let columns = ["Name", "Title", "Fame", "Honour", "Command", "Diplomacy", "Charisma", "Dinars"];
            aids.push(Aid {
                id: "majors".into(),
                name: "Your major characters".into(),
                rule: Some(rule!("3.14")),
                columns: columns.map(String::from).to_vec(),
                rows: majors,
                ..Aid::default()
            });
        }
        if !men.is_empty() {
            aids.push(Aid {
                id: "men".into(),
                name: "Your men".into(),
                rule: Some(rule!("3.14")),
                columns: ["Name", "Type", "Group", "Life", "Experience"].map(String::from).to_vec(),
                rows: men,
                ..Aid::default()
            });
        }
        aids
    }

    /// A realm that the viewer could be in, for figures that hang on his own men alone.
    fn own_realm(&self, view: &View) -> Realm {
        self.imagine(view, &mut table::Lots::new(1))
    }

    fn suit_hint(&self, view: &View, who: Who, suit: Suit) -> String {
        let Some(seat) = view.viewer.seat() else { return String::new() };
        let p = self.own_realm(view);
        let Some(id) = view.open.major_of(seat, who) else { return String::new() };
        let Some(place) = self.place_of(&p, id) else { return String::new() };
        if suit == Suit::Marriage {
            let lady = view.open.ladies.free[side_of(seat).index()].map(|lady| self.atlas.lady(lady));
            let charm =
                u16::from(p.hidden.traits[id.number()].charisma) + u16::from(view.open.major(id).fame);
            return lady.map_or(String::new(), |lady| format!("{charm} × a die must reach {}", lady.target));
        }
        // What an ally inside takes off hangs on what only he knows.
        if view.open.place(place).holder.is_some_and(|holder| holder != seat) {
            return "Another lord’s name and troops are taken off".into();
        }
        let bid = self.bid(&p, seat, id, place, suit);
        format!("{} × {} = {} of {}", bid.points, bid.troops, bid.points * bid.troops, bid.needed)
    }

    fn terms(&self, terms: [Option<Term>; TERMS]) -> String {
        let words: Vec<String> = terms
            .into_iter()
            .flatten()
            .map(|term| match term {
                Term::Peace(until) => format!("peace until turn {until}"),
                Term::Alliance(until) => format!("alliance until turn {until}"),
                Term::Passage(until) => format!("passage until turn {until}"),
                Term::Promise(sum) => format!("he pays {} later", dinars(sum.into())),
                Term::Claim(sum) => format!("you pay {} later", dinars(sum.into())),
                Term::Due(turn) => format!("what is paid later is due in turn {turn}"),
                Term::Want(id) => format!("you hand over {}", self.atlas.place(id).name),
                Term::Free(who) => format!("he lets {} go", self.tactics().data.name(who)),
                Term::Release(who) => format!("you let {} go", self.tactics().data.name(who)),
                Term::Gift(sum) => format!("he pays {}", dinars(sum.into())),
                Term::Demand(sum) => format!("you pay {}", dinars(sum.into())),
                Term::Cede(id) => format!("he hands over {}", self.atlas.place(id).name),
                Term::Vow(share) => format!("he is your vassal for {share} per cent of his revenue"),
                Term::Homage(share) => format!("you are his vassal for {share} per cent of your revenue"),
            })
            .collect();
        words.join(", ")
    }

    fn step_choice(&self, view: &View, way: Direction, word: &str) -> Choice {
        let choice = Choice::button(format!("{word} {}", way.name(Lie::Pointy)));
        let from = match (view.open.step(), view.viewer.seat()) {
            (Step::March { group: Some((id, _)), .. }, _) => Some(view.open.group(id).at),
            (_, Some(seat)) => view.open.theatre_of(seat).and_then(|i| match view.open.theatres[i].what {
                What::Battle(hex) => Some(hex),
                What::Siege(_) => None,
            }),
            _ => None,
        };
        match from.and_then(|hex| hex.neighbour(way)) {
            Some(to) if self.atlas.mapped(view.open.scenario.into(), to) => {
                let choice = choice.at(hex_id(to));
                if self.strangers(view, to) { choice.hint("Other lords are there") } else { choice }
            }
            _ => choice,
        }
    }

    /// Whether groups of other lords stand on a hex.
    fn strangers(&self, view: &View, hex: MapHex) -> bool {
        view.open.lords_at(hex).iter().any(|lord| Some(lord) != view.viewer.seat())
    }

    /// Where a picked group can march, each hex with its cheapest way.
    #[allow(clippy::type_complexity)]
    fn ways(&self, view: &View, picked: &[&str]) -> Option<(GroupId, Vec<(MapHex, u8, Vec<Direction>)>)> {
        let seat = view.viewer.seat().filter(|seat| view.deciding.contains(*seat))?;
        let [piece] = picked else { return None };
        let id = GroupId::try_at(piece.strip_prefix("group-")?.parse::<usize>().ok()?.checked_sub(1)?)?;
        let group = (*view.open.groups.get(id.number())?)?;
        let p = self.own_realm(view);
        let spent = match view.open.step() {
            Step::March { group: None, .. } if group.lord == seat => {
                let mut options = table::Options::new();
                self.options(&p, seat, &mut options);
                if !options.offers().iter().any(|o| o.action == Action::Take(id)) {
                    return None;
                }
                0
            }
            Step::March { group: Some((taken, spent)), .. } if taken == id => spent,
            _ => return None,
        };
        let most = self.allowance(&p, id);
        let mut done: Vec<(MapHex, u8, Vec<Direction>)> = vec![(group.at, spent, Vec::new())];
        let mut next = 0;
        while next < done.len() {
            let (at, spent, way) = done[next].clone();
            next += 1;
            if at != group.at && self.strangers(view, at) {
                continue;
            }
            for direction in Direction::ALL {
                let Some((to, cost)) = self.atlas.step_cost(at, direction) else { continue };
                if self.flood_bars(&p, seat, at, to, spent).is_some() {
                    continue;
                }
                let cost = if self.is_flooded(&p, to) { most.saturating_sub(spent).max(1) } else { cost };
                let total = spent + cost;
                if !self.atlas.mapped(view.open.scenario.into(), to) || total > most && spent > 0 {
                    continue;
                }
                let mut longer = way.clone();
                longer.push(direction);
                match done.iter_mut().find(|(hex, _, _)| *hex == to) {
                    Some((_, before, _)) if *before <= total => {}
                    Some(entry) => *entry = (to, total, longer),
                    None => done.push((to, total, longer)),
                }
            }
        }
        done.retain(|(hex, _, _)| *hex != group.at);
        Some((id, done))
    }

    fn prompt(&self, view: &View) -> Option<Prompt> {
        let step = view.open.step();
        if step == Step::Over {
            return None;
        }
        let own = view.viewer.seat().is_some_and(|seat| view.deciding.contains(seat));
        let names = || {
            let all: Vec<&str> = view.deciding.iter().map(|seat| self.lord_name(seat)).collect();
            all.join(", ")
        };
        let stage = view
            .viewer
            .seat()
            .and_then(|seat| view.open.theatre_of(seat))
            .map(|i| view.open.theatres[i].stage);
        let (text, advice) = match step {
            Step::Castle(_) => {
                ("Choose the border castle at which you begin", "Look for towns nearby: they make you rich.")
            }
            Step::Holding(_) => {
                ("Choose what you hold besides your castle", "A town brings more than castles, and fame.")
            }
            Step::Creation(_) => {
                ("Put your company together", "Take the ready-made company, if you are in a hurry.")
            }
            Step::Writing(_) => {
                ("Write letters, then seal", "A peace with your neighbour leaves your back free.")
            }
            Step::Answering(_) => (
                "Answer the letters that have come, then seal",
                "Sign what serves you; the rest is declined.",
            ),
            Step::Camp(_) => (
                "Put your groups together and buy what they need",
                "One strong group impresses more than three weak ones.",
            ),
            Step::Fleet(_) => (
                "Write the orders of your ships",
                "A warship before an enemy’s port cuts his revenue and starves a siege.",
            ),
            Step::Losses { .. } => ("Which ship is lost?", "An empty transport, while you have one."),
            Step::Arrival(_) => {
                ("At which castle do you enter?", "Where towns of your side are near and other lords far.")
            }
            Step::Naval { .. } => ("Do your ships fight on?", "Flee while you have a transport to lose."),
            Step::March { group: None, .. } => {
                ("March with your groups", "Go to a neutral place of your own side: it will listen to you.")
            }
            Step::March { .. } => {
                ("March on, or halt", "Halt where a stronghold stands, so that you can negotiate there.")
            }
            Step::Meeting { .. } => {
                ("You meet another lord’s men: fight, or let them be", "Fight only where you are stronger.")
            }
            Step::Naming(_) => (
                "Who commands in your place, where you cannot be?",
                "A friend who is in none of them loses nothing by it.",
            ),
            Step::Agreeing(_) => {
                ("Will you command in the place of another lord?", "It costs only your time.")
            }
            Step::Battles | Step::Sieges => match stage {
                Some(Stage::Muster(_)) => {
                    ("Call groups from near by to the battle", "Riders come sooner than men on foot.")
                }
                Some(Stage::Levy) => ("Call up the garrison", "Take the usual one, if you are in a hurry."),
                Some(Stage::Asked(_)) => {
                    ("Shall the house play this battle out?", "A quick battle saves an hour.")
                }
                Some(Stage::Fought) => ("Command your men", "The odds stand beside each choice."),
                Some(Stage::Leaving(_)) => {
                    ("Where do your men fall back to?", "Towards a stronghold of yours.")
                }
                Some(Stage::Rations) => {
                    ("What does the garrison eat?", "Half rations make stores last, and hearts faint.")
                }
                Some(Stage::Besiegers) => {
                    ("The day is yours: what do the besiegers do?", "A parley costs nothing but the day.")
                }
                _ => ("The day is yours: what does the garrison do?", "A sortie brings food, and blood."),
            },
            Step::Calls(_) => (
                "Whom do you besiege?",
                "Three times their number and some days of hunger make a place surrender.",
            ),
            Step::Suits(_) => (
                "Negotiate where your characters are",
                "Allegiance brings taxes and fame, an alliance only friendship.",
            ),
            Step::Surtax(_) => ("Do you raise the taxes?", "Leave them, unless you must have the money."),
            Step::Ransom(_) => ("Whom do you buy free?", "Who is left in prison costs honour."),
            Step::Market(_) => ("Recruit, advance and buy", "Recruit in a town with your best commander."),
            Step::Heir(_) => ("Your lord is dead: who follows him?", "Whoever has most fame."),
            Step::Over => return None,
        };
        let guided = self.atlas.scenarios[usize::from(view.open.scenario)].ready;
        let shown = if own { text.to_string() } else { format!("Waiting for {}", names()) };
        let prompt = Prompt::new(view.deciding, shown, Self::cite_step(step));
        Some(prompt.advice((own && guided).then_some(advice)))
    }
}
