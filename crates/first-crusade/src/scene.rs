//! A view as a picture of the table: the map, the battle inside it, markers, tracks, prompts and warnings.
//!
//! Everything is made from the view. Where a question of the rules must be answered, it is asked of a position
//! imagined from the view: what the viewer may know is the same in all of them.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use table::rooms::{Rules, Secrets, Shown};

use table::arms::{Arms, Roll};
use table::scene::{
    self, Aid, AidRow, Board, Card, Choice, Face, Form, Front, Ground, Harbour, Head, HeadCount, Keep, Link,
    LinkStyle, Manner, Mat, MatRow, Piece, Prompt, Register, RegisterRow, Scene, Shape, Sign, Sum, SumLine,
    Trace, Track, Tray, Warning,
};
use table::{Happening, Lots, Reach, Rule, Seat, Set, Viewer, rule};

use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::data::{
    Arm, Contingent, Counter, Event, Family, Leader, Marker, PathKind, SPACE_RADIUS, Space, Symbol, Terrain,
    Unit, WINDOW,
};
use crate::errands::Errand;
use crate::flow::{LEVELS, Odds, season};
use crate::position::{Battle, Cause, Landing, Phase, Place, Position, Stage, Step};
use crate::view::{Concealed, View};
use crate::words::{Host, Listed, count, points, units};

/// The colours of those who have no seat.
const SELJUK: Seat = Seat::new(7);
const FATIMID: Seat = Seat::new(3);

/// Who bears which arms.
static ROLL: LazyLock<Roll> = LazyLock::new(|| Roll::read("arms.toml", levant::ARMS).unwrap_or_default());

/// The arms of a unit: its own, or those of its house or contingent.
fn arms(name: &str, contingent: Contingent) -> Option<Arms> {
    let kind = match contingent {
        Contingent::Crusader | Contingent::Mercenary => "contingent:crusader",
        Contingent::Byzantine => "contingent:byzantine",
        Contingent::Armenian => "contingent:armenian",
        Contingent::Seljuk => "contingent:seljuk",
        Contingent::Fatimid => "contingent:fatimid",
        Contingent::Assassin => "contingent:assassin",
    };
    ROLL.bears("first-crusade", name, &[kind]).map(|coat| coat.arms.clone())
}

impl Shown for FirstCrusade {
    fn scene(&self, view: &View) -> Scene {
        let p = self.imagine(view, &mut Lots::new(0));
        let mut boards = vec![self.map(view, &p)];
        if let Some(b) = &view.battle {
            boards.push(self.battle_board(view, b, &p));
        }
        let title = match view.result {
            Some(_) => format!("{}: the game is over. {}", season(view.turn), self.reason(&p)),
            None => format!("{}, {}", season(view.turn), self.phase_name(view)),
        };
        Scene {
            title,
            boards,
            trays: self.trays(view, &p),
            tracks: self.tracks(view, &p),
            register: (view.table.party.len() > 1).then(|| self.register(view, &p)),
            sums: self.sums(view, &p),
            aids: self.aids(view),
            prompt: self.prompt(view, &p),
            warnings: self.warnings(view, &p),
            ..Scene::default()
        }
    }

    fn reach(&self, view: &View, picked: &[&str]) -> Vec<Reach> {
        self.errands(view, picked).into_iter().map(|errand| errand.reach).collect()
    }

    fn route(&self, view: &View, picked: &[&str], to: &str) -> Vec<Action> {
        let errand = self.errands(view, picked).into_iter().find(|errand| errand.reach.space == to);
        errand.map_or(Vec::new(), |errand| errand.route)
    }

    fn choice(&self, view: &View, action: Action) -> Choice {
        let c = &self.components;
        let space = |s: Space| self.space_id(s);
        let unit = |u: Unit| format!("unit-{}", c.unit_name(u));
        let battle_unit = |u: Unit| match view.battle {
            None => unit(u),
            Some(_) => format!("battle-unit-{}", c.unit_name(u)),
        };
        let boon = |m: Marker| format!("boon-{}", c.marker_name(m));
        let button = Choice::button(self.say(view, action));
        match action {
            Action::March(s, f) | Action::Advance(s, f) | Action::SuppliedMarch(s, f) => {
                let p = self.imagine(view, &mut Lots::new(0));
                let host = self.host(&p, s, f);
                button.at(space(s)).hint(self.march_hint(host))
            }
            Action::Form(s, _) | Action::Fleet(s, _) => button.at(space(s)),
            Action::AttackFrom(s, f) | Action::SiegeAttack(s, f) => {
                let p = self.imagine(view, &mut Lots::new(0));
                let siege = matches!(action, Action::SiegeAttack(..));
                let odds = self.odds(&p, s, self.muster(&p, s, f), siege);
                button.at(space(s)).hint(odds_text(odds))
            }
            Action::Leave(u) | Action::Only(u) | Action::Take(u) | Action::Embark(u) | Action::Restore(u) => {
                button.at(unit(u))
            }
            Action::Recruit(u) | Action::Pilgrimage(u) | Action::Diplomacy(u) => {
                let picks = if c.diplomats.has(u) || view.is_titled(u) { 2 } else { 1 };
                button.at(unit(u)).hint(match action {
                    Action::Recruit(_) => format!("{picks} from the bin"),
                    Action::Pilgrimage(_) => format!("{picks} from the Pilgrimage bin; a bane ends it"),
                    _ => String::new(),
                })
            }
            Action::Crown(u) | Action::Name(u) => button.at(unit(u)),
            Action::Roll | Action::RollSupplied => {
                button.hint(self.march_hint(view.march.map_or(Set::NONE, |m| m.force)))
            }
            Action::Go(s) | Action::Cross(s) => self.go_button(view, s, button.at(space(s))),
            Action::Assault => {
                let Some(m) = &view.march else { return button };
                let p = self.imagine(view, &mut Lots::new(0));
                let hint = odds_text(self.odds(&p, m.at, m.force & p.here[m.at], false));
                button.at(space(m.at)).hint(hint)
            }
            Action::Stop => match &view.march {
                Some(m) if m.engaged => self.go_button(view, m.at, button),
                _ => button,
            },
            Action::Rally(s) | Action::Camp(s) | Action::Castle(s) | Action::Monastery(s) => {
                button.at(space(s))
            }
            Action::Play(m, _) | Action::Give(m, _) => button.at(boon(m)),
            Action::Lose(u) => {
                let last = c.leaders.has(u) && (view.reduced.has(u) || !c.two_steps.has(u));
                let button = button.at(battle_unit(u)).at(unit(u));
                if last { button.hint("this would be his death") } else { button }
            }
            Action::Strike(u) => button.at(battle_unit(u)).at(unit(u)),
            Action::Withdraw(s) => self.withdraw_button(view, s, button.at(space(s))),
            Action::Place(s) | Action::SpendCamp(s) => button.at(space(s)),
            Action::GiveUp(_) => button.confirm("All its units there are lost. Give it up?"),
            Action::Pass => button.confirm("Forgo this action?").refusal(),
            Action::Besiege
            | Action::Join
            | Action::Hand(_)
            | Action::Done
            | Action::Allot
            | Action::Endure
            | Action::Proceed => button,
        }
    }
}

impl FirstCrusade {
    fn phase_name(&self, view: &View) -> &'static str {
        match view.agenda.steps().first() {
            Some(Step::Turn(Phase::Event)) => "events",
            Some(Step::Turn(Phase::Standard)) if view.standard > 0 => "standard actions",
            Some(Step::Turn(Phase::Standard)) => "last standard action",
            Some(Step::Turn(Phase::Determination | Phase::Special)) => "Special Actions",
            Some(Step::Turn(Phase::Reaction | Phase::Counteroffensive)) => "Muslim reaction",
            Some(Step::Turn(Phase::Winter | Phase::End)) => "winter",
            _ => "",
        }
    }

    pub(crate) fn space_id(&self, s: Space) -> String {
        format!("space-{}", self.components.space_name(s))
    }

    pub(crate) fn owner(&self, u: Unit) -> Option<Seat> {
        match self.components.units[u].contingent {
            Contingent::Crusader | Contingent::Mercenary => Some(Family::Crusader.seat()),
            Contingent::Byzantine => Some(Family::Byzantine.seat()),
            Contingent::Armenian => Some(Family::Armenian.seat()),
            Contingent::Seljuk => Some(SELJUK),
            Contingent::Fatimid => Some(FATIMID),
            Contingent::Assassin => None,
        }
    }

    fn describe(&self, p: &Position, u: Unit) -> String {
        let unit = &self.components.units[u];
        let what = match unit.leader {
            Leader::Military => "military leader",
            Leader::Diplomatic => "diplomatic leader",
            Leader::No => "unit",
        };
        let factor = match unit.contingent {
            Contingent::Assassin => "combat by the die".to_string(),
            _ => format!("combat {}", unit.factor(p.reduced.has(u))),
        };
        let state = match (unit.steps, p.reduced.has(u)) {
            (2, false) => ", full strength",
            (2, true) => ", reduced",
            _ => "",
        };
        format!("{}, {} {what}, {}, {factor}{state}", unit.name, unit.contingent.adjective(), unit.arm.name())
    }

    fn face(&self, p: &Position, u: Unit, lit: bool) -> Face {
        let unit = &self.components.units[u];
        let now = if p.reduced.has(u) { 1 } else { unit.steps };
        let factor = match unit.contingent {
            Contingent::Assassin => "?".into(),
            _ => unit.factor(p.reduced.has(u)).to_string(),
        };
        Face::Shown(Front {
            name: unit.name.clone(),
            arms: arms(&unit.name, unit.contingent),
            sign: match unit.arm {
                Arm::Horse => Some(Sign::HeavyHorse),
                Arm::Archers => Some(Sign::LightHorse),
                Arm::Foot => Some(Sign::Foot),
                Arm::Militia => Some(Sign::Militia),
                Arm::Fleet => Some(Sign::Ship),
                Arm::Assassins => Some(Sign::Dagger),
            },
            left: factor,
            right: unit.arm.sign().into(),
            pips: (now, unit.steps),
            lit,
            wounded: p.reduced.has(u),
            ..Front::default()
        })
    }

    fn unit_piece(&self, view: &View, p: &Position, u: Unit, prefix: &str, space: String) -> Piece {
        let lit = view.march.is_some_and(|m| m.force.has(u)) || view.pool.has(u);
        let mut text = self.describe(p, u);
        if let Some((kingdom, _)) = view.titles.iter().find(|(_, leader)| **leader == Some(u)) {
            let capital = self.components.space_name(self.components.pilgrimage[kingdom]);
            text.push_str(&format!("; lord of {capital}"));
        }
        if let Some((fleet, _)) = view.cargo.iter().find(|(_, cargo)| **cargo == Some(u)) {
            let fleet = self.components.unit_name(self.components.fleet_units[fleet]);
            text.push_str(&format!("; aboard {fleet}"));
        }
        Piece {
            id: format!("{prefix}unit-{}", self.components.unit_name(u)),
            space,
            owner: self.owner(u),
            form: match self.components.units[u].leader {
                Leader::No => Form::Counter,
                Leader::Military | Leader::Diplomatic => Form::Stand,
            },
            face: self.face(p, u, lit),
            text,
            ..Piece::default()
        }
    }

    /// Units where they stand; those that are alike in all lie as one with a number. Options name the first
    /// of such units, and so does the piece.
    fn unit_pieces(
        &self,
        view: &View,
        p: &Position,
        prefix: &str,
        units: impl Iterator<Item = (Unit, String)>,
    ) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut kinds: Vec<Option<Kind<'_>>> = Vec::new();
        for (u, space) in units {
            let piece = self.unit_piece(view, p, u, prefix, space);
            let kind = self.kind(view, u, piece.face.lit());
            let alike = |(other, k): (&Piece, &Option<Kind<'_>>)| {
                kind.is_some() && *k == kind && other.space == piece.space
            };
            match pieces.iter().zip(&kinds).position(alike) {
                Some(i) => {
                    pieces[i].more += 1;
                    if let Some(front) = pieces[i].face.front_mut() {
                        front.name = kind_of(&self.components.units[u].name).into();
                    }
                }
                None => {
                    kinds.push(kind);
                    pieces.push(piece);
                }
            }
        }
        pieces
    }

    /// What units have in common that lie as one; `None` for who is like no other: a laden ship, what it
    /// carries, and who has a name of his own.
    fn kind(&self, view: &View, u: Unit, lit: bool) -> Option<Kind<'_>> {
        let c = &self.components;
        let laden = c.fleet_number[u].is_some_and(|fleet| view.cargo[fleet].is_some());
        let single = c.leaders.has(u) || laden || view.cargo.values().contains(&Some(u));
        let troop = &c.units[u];
        (!single).then(|| Kind {
            name: kind_of(&troop.name),
            class: troop.class,
            reduced: view.reduced.has(u),
            lit,
        })
    }

    /// The units that a piece of the scene stands for: itself, and those that lie under it as one.
    pub(crate) fn units_of_piece(&self, view: &View, id: &str) -> Option<Set<Unit>> {
        let lit = |u: Unit| view.march.is_some_and(|m| m.force.has(u)) || view.pool.has(u);
        let name = id.strip_prefix("battle-").unwrap_or(id).strip_prefix("unit-")?;
        let u = self.components.unit(name)?;
        let (_, at) = view.places.iter().find(|(other, _)| *other == u)?;
        let Some(kind) = self.kind(view, u, lit(u)) else { return Some(Set::one(u)) };
        if !matches!(at, Place::Map(_)) {
            return Some(Set::one(u));
        }
        let alike = |(other, place): &&(Unit, Place)| {
            place == at && self.kind(view, *other, lit(*other)).as_ref() == Some(&kind)
        };
        let units: Set<Unit> = view.places.iter().filter(alike).map(|(other, _)| *other).collect();
        // The piece bears the name of the first.
        (units.first() == Some(u)).then_some(units)
    }

    /// Who holds a space, for its colour.
    fn colour(&self, p: &Position, s: Space) -> Option<Seat> {
        if let Some(family) = self.holder(p, s) {
            return Some(family.seat());
        }
        let muslims = self.muslims(p, s);
        match muslims.first() {
            Some(u) if self.christians(p, s).is_empty() => self.owner(u),
            _ => None,
        }
    }

    fn badge(&self, view: &View, s: Space) -> String {
        let mut words: Vec<String> = Vec::new();
        for (set, word) in [
            (view.camps, "camp"),
            (view.castles, "castle"),
            (view.monasteries, "monastery"),
            (view.massacres, "massacre"),
        ] {
            if set.has(s) {
                words.push(word.into());
            }
        }
        words.join(" ")
    }

    /// Where the force can come to: before the dice how likely, after them at what cost.
    fn reach_of_force(&self, view: &View, p: &Position, pieces: &[Piece]) -> Vec<scene::InReach> {
        let (Some(m), Some(seat)) = (&view.march, view.deciding.lowest()) else { return Vec::new() };
        let here = self.space_id(m.at);
        let marching = pieces.iter().filter(|piece| piece.space == here && piece.face.lit());
        let pieces: Vec<_> = marching.map(|piece| piece.id.clone()).collect();
        let (errands, rolled) = match view.agenda.now() {
            Some(Step::Force) => (self.before_the_dice(p, &[]), false),
            Some(Step::March) => (self.after_the_dice(p, seat, m.force), true),
            _ => return Vec::new(),
        };
        if pieces.is_empty() || errands.is_empty() {
            return Vec::new();
        }
        let reached = |errand: Errand| match rolled {
            true => Reach { cost: errand.points.to_string(), ..errand.reach },
            false => errand.reach,
        };
        vec![scene::InReach { pieces, shown: true, spaces: errands.into_iter().map(reached).collect() }]
    }

    fn map(&self, view: &View, p: &Position) -> Board {
        let (west, south, east, north) = WINDOW;
        let c = &self.components;
        let spaces = c
            .spaces
            .iter()
            .map(|(s, space)| {
                let shape = match space.terrain {
                    Terrain::Capital => Shape::Rect { w: 60, h: 60 },
                    Terrain::Fortress => Shape::Rect { w: 46, h: 46 },
                    Terrain::Town => Shape::Circle { r: SPACE_RADIUS - 8 },
                    Terrain::Open => Shape::Circle { r: SPACE_RADIUS - 14 },
                    Terrain::Desert => Shape::Hex { r: SPACE_RADIUS - 12 },
                    Terrain::Sea => Shape::Circle { r: SPACE_RADIUS - 12 },
                };
                let keep = match space.terrain {
                    Terrain::Capital => Some(Keep::City(4)),
                    Terrain::Fortress if c.holy.has(s) => Some(Keep::City(3)),
                    Terrain::Fortress if space.port => Some(Keep::City(2)),
                    Terrain::Fortress => Some(Keep::FullCastle),
                    Terrain::Town => Some(Keep::Town),
                    Terrain::Open | Terrain::Desert | Terrain::Sea => None,
                };
                let holder = self.colour(p, s);
                let siege = view.sieges.has(s).then(|| Seat::new(0)).filter(|by| Some(*by) != holder);
                scene::Space {
                    keep,
                    points: self.stake(p, s),
                    harbour: if space.port { Harbour::Plain } else { Harbour::No },
                    holder,
                    siege,
                    badge: self.badge(view, s),
                    region: space.region.clone(),
                    prize: c.holy.has(s),
                    lit: view.battle.is_some_and(|b| b.space == s),
                    ..scene::Space::new(self.space_id(s), space.name.clone(), space.xy, shape)
                }
            })
            .collect();
        let links = c
            .paths
            .iter()
            .map(|path| Link {
                id: format!("path-{}-{}", c.space_name(path.a), c.space_name(path.b)),
                from: self.space_id(path.a),
                to: self.space_id(path.b),
                style: match path.kind {
                    PathKind::Road => LinkStyle::Major,
                    PathKind::Pass => LinkStyle::Minor,
                    PathKind::Sea => LinkStyle::Sea,
                },
                note: String::new(),
            })
            .collect();
        let on_map = view.places.iter().filter_map(|(u, place)| match place {
            Place::Map(s) => Some((*u, self.space_id(*s))),
            _ => None,
        });
        let mut pieces = self.unit_pieces(view, p, "", on_map);
        for stack in &view.concealed {
            let counter = |i| self.hidden_piece("", stack, i, self.space_id(stack.space));
            pieces.extend((0..stack.count).map(counter));
        }
        Board {
            id: "map".into(),
            name: "From Constantinople to Jerusalem".into(),
            width: c.board.0,
            height: c.board.1,
            ground: Ground::Levant { west, south, east, north },
            head: Some(self.head(view, p)),
            spaces,
            links,
            reach: self.reach_of_force(view, p, &pieces),
            pieces,
            ..Board::default()
        }
    }

    /// A concealed counter, numbered by its place.
    fn hidden_piece(&self, prefix: &str, stack: &Concealed, i: u8, space: String) -> Piece {
        let (owner, side) = if stack.fatimid { (FATIMID, "Fatimid") } else { (SELJUK, "Seljuk") };
        Piece {
            id: format!("{prefix}concealed-{}-{i}", self.components.space_name(stack.space)),
            space,
            owner: Some(owner),
            form: Form::Counter,
            text: format!("A concealed {side} counter"),
            ..Piece::default()
        }
    }

    /// The battle: the Muslims above, the Christians below; walls between them where there are any.
    fn battle_board(&self, view: &View, b: &Battle, p: &Position) -> Board {
        let attack = |muslims: bool| if b.muslims_attack == muslims { "attacking" } else { "defending" };
        let (muslims, christians) = ("battle-muslims", "battle-christians");
        let mut pieces = Vec::new();
        for (units, row) in [(b.muslims & view.shown, muslims), (b.christians, christians)] {
            let here = units.iter().filter(|u| p.at(*u) == Some(b.space));
            pieces.extend(self.unit_pieces(view, p, "battle-", here.map(|u| (u, row.to_string()))));
        }
        for stack in view.concealed.iter().filter(|stack| stack.space == b.space) {
            let counter = |i| self.hidden_piece("battle-", stack, i, muslims.into());
            pieces.extend((0..stack.count).map(counter));
        }
        let (attackers, place) =
            (if b.muslims_attack { "Muslims" } else { "Christians" }, self.components.space_name(b.space));
        let walls = if b.walls { ", behind walls" } else { "" };
        let verb = match (b.walls, b.muslims_attack) {
            (true, _) => "storm",
            (false, _) => "attack",
        };
        let edge = if b.edge { "Christians" } else { "Muslims" };
        let course = match b.round {
            0 => String::new(),
            round => format!(", round {round} of {}, edge: {edge}", b.rounds),
        };
        let row = |id: &str, name: String, within: bool| MatRow {
            id: id.into(),
            name,
            within,
            dice_above: true,
            ..MatRow::default()
        };
        // Whoever is behind walls stands above them.
        let mut rows = vec![
            row(muslims, format!("Muslims, {}", attack(true)), b.walls && !b.muslims_attack),
            row(christians, format!("Christians, {}", attack(false)), b.walls && b.muslims_attack),
        ];
        rows.sort_by_key(|row| !row.within);
        let mat = Mat {
            id: "battle".into(),
            name: format!("{attackers} {verb} {place}{walls}{course}"),
            rows,
            pieces,
        };
        let rounds: Vec<String> = (1..=b.rounds.max(b.round)).map(|n| n.to_string()).collect();
        let note = match b.round {
            0 => format!("{attackers} {verb}{walls}"),
            _ => format!("{attackers} {verb}; edge: {edge}"),
        };
        Board {
            head: Some(Head {
                title: place.into(),
                steps: Head::steps(rounds, usize::from(b.round).wrapping_sub(1)),
                note,
                ribbon: view.deciding.lowest().map(|seat| (seat, self.ribbon(view))),
                ..Head::default()
            }),
            ..mat.board()
        }
    }

    /// What is decided in a battle now, in a word or two.
    fn ribbon(&self, view: &View) -> String {
        match view.agenda.now() {
            Some(Step::Losses { left, .. }) => format!("You take {}", count(*left, "hit", "hits")),
            Some(Step::Withdraw) => "You withdraw".into(),
            _ => "You decide".into(),
        }
    }

    /// Units that went from space to space, for the boards.
    pub(crate) fn trace(&self, force: Set<Unit>, from: Space, to: Space, manner: Manner) -> Happening {
        Happening::Moved(Trace {
            from: self.space_id(from),
            to: self.space_id(to),
            count: force.len() as u16,
            owner: force.first().and_then(|u| self.owner(u)),
            manner,
        })
    }

    /// The cartouche: the year, its seasons, what is done now and what waits in the bins.
    fn head(&self, view: &View, p: &Position) -> Head {
        let named = season(view.turn);
        let (year, now) = named.split_once(' ').unwrap_or((&named, ""));
        let seasons = ["Spring", "Summer", "Autumn"];
        let bin = |side: Contingent| HeadCount {
            owner: self.of(side).first().and_then(|u| self.owner(u)),
            text: format!("{} in the bin", self.of(side).iter().filter(|u| p.in_bin(*u)).count()),
        };
        Head {
            title: self.title.name.clone(),
            figure: year.into(),
            steps: Head::steps(seasons, seasons.iter().position(|s| *s == now).unwrap_or(0)),
            note: self.phase_name(view).into(),
            counts: [Contingent::Crusader, Contingent::Byzantine, Contingent::Armenian].map(bin).to_vec(),
            ribbon: None,
        }
    }

    fn trays(&self, view: &View, p: &Position) -> Vec<Tray> {
        let c = &self.components;
        let mut trays = Vec::new();
        for seat in view.table.party.iter() {
            let pieces = view.boons[seat.index()]
                .iter()
                .map(|m| Piece {
                    id: format!("boon-{}", c.marker_name(m)),
                    owner: Some(seat),
                    form: Form::Card,
                    face: Face::Card(Card {
                        sign: self.marker_sign(m),
                        ..Card::titled(c.marker_name(m), self.symbols(m))
                    }),
                    text: format!("{}: {}", c.marker_name(m), self.symbols(m)),
                    ..Piece::default()
                })
                .collect();
            let name = match view.table.party.len() {
                1 => "Pilgrimage markers".to_string(),
                _ => format!("Markers of the {}", self.title.seat_name(seat)),
            };
            trays.push(Tray {
                id: format!("boons-{}", seat.index()),
                name,
                owner: Some(seat),
                spread: true,
                pieces,
                ..Tray::default()
            });
        }
        let place_tray = |id: &str, name: &str, place: Place, note: &str| Tray {
            id: id.into(),
            name: name.into(),
            pieces: view
                .places
                .iter()
                .filter(|(u, at)| *at == place && (place != Place::Dead || c.leaders.has(*u)))
                .map(|(u, _)| self.unit_piece(view, p, *u, "", String::new()))
                .collect(),
            note: note.into(),
            ..Tray::default()
        };
        let dead = place_tray("dead", "Eliminated leaders", Place::Dead, "");
        let waiting = place_tray("waiting", "About to arrive", Place::Waiting, "");
        trays.extend([dead, waiting].into_iter().filter(|tray| !tray.pieces.is_empty()));
        let mut note = Vec::new();
        for side in [Contingent::Crusader, Contingent::Byzantine, Contingent::Armenian] {
            let n = self.of(side).iter().filter(|u| p.in_bin(*u)).count();
            note.push(format!("{} {n}", side.name()));
        }
        for side in [Contingent::Seljuk, Contingent::Fatimid] {
            let of_side = |stack: &&Concealed| stack.fatimid == (side == Contingent::Fatimid);
            let hidden: u8 = view.concealed.iter().filter(of_side).map(|stack| stack.count).sum();
            let n = self.unseen(p, side).len() - usize::from(hidden);
            note.push(format!("{} {n}", side.name()));
        }
        trays.push(Tray { id: "bins".into(), name: "Bins".into(), note: note.join(", "), ..Tray::default() });
        trays
    }

    /// What each seat commands, and what it brings to the account.
    fn register(&self, view: &View, p: &Position) -> Register {
        let contributions = self.contributions(p);
        let row = |seat: Seat| {
            let played = |family: &Family| self.seat_of(p, *family) == seat;
            let families: Vec<Family> = Family::ALL.into_iter().filter(played).collect();
            let units = families.iter().flat_map(|f| self.family(*f)).filter(|u| p.on_map(*u)).count();
            let holds = |s: &Space| self.holder(p, *s).is_some_and(|f| families.contains(&f));
            let held = self.components.spaces.ids().filter(holds).count();
            let boons = view.boons[seat.index()].len();
            let points = contributions[seat.index()];
            let cells = [units.to_string(), held.to_string(), boons.to_string(), points.to_string()];
            RegisterRow::new(seat, cells)
        };
        Register {
            id: "register".into(),
            name: "Who has what".into(),
            columns: ["units", "places", "markers", "points"].map(String::from).to_vec(),
            rows: view.table.party.iter().map(row).collect(),
        }
        .with_best()
    }

    /// The account of the points, and what a battle promises.
    fn sums(&self, view: &View, p: &Position) -> Vec<Sum> {
        let mut sums = Vec::new();
        if let Some(b) = &view.battle {
            sums.extend(self.battle_sum(view, b, p));
        }
        if view.table.goal.is_none() {
            let lines = self.account(p).into_iter().map(|entry| {
                let sign = if entry.points > 0 { "+" } else { "" };
                SumLine::new(entry.what, format!("{sign}{}", entry.points), rule!("6.1"))
            });
            sums.push(Sum {
                id: "account".into(),
                name: "Victory points".into(),
                total: self.points(p).to_string(),
                note: self.level_name(p, self.points(p)).to_string(),
                lines: lines.collect(),
                ..Sum::default()
            });
        }
        sums
    }

    /// What both sides can expect of a round, from those who are seen.
    fn battle_sum(&self, view: &View, b: &Battle, p: &Position) -> Option<Sum> {
        let c = &self.components;
        let tenths = |sixths: u32| format!("{}.{}", (sixths * 10 + 3) / 6 / 10, (sixths * 10 + 3) / 6 % 10);
        let (christian, muslim) = self.advantages(p, b);
        let mut lines = Vec::new();
        let mut shares = Vec::new();
        let sides =
            [("Christians", b.christians, christian), ("Muslims, seen", b.muslims & view.shown, muslim)];
        for (i, (name, units, advantages)) in sides.into_iter().enumerate() {
            let here = units.iter().filter(|u| p.at(*u) == Some(b.space));
            let mut factors: BTreeMap<u8, u32> = BTreeMap::new();
            for u in here.filter(|u| *u != c.assassin) {
                *factors.entry(c.units[u].factor(p.reduced.has(u))).or_default() += 1;
            }
            let mut sum = 0;
            for (factor, n) in factors.into_iter().rev() {
                sum += u32::from(factor) * n;
                let text = format!("{}, combat {factor}", units_of(n));
                lines.push(SumLine::new(text, tenths(u32::from(factor) * n), rule!("23.2")));
            }
            if b.round == 0 {
                lines.push(SumLine::new("for the Tactical Edge", format!("+{advantages}"), rule!("23.1")));
            }
            lines.push(SumLine { text: name.into(), amount: tenths(sum), rule: None, total: true });
            shares.push((Some(if i == 0 { Seat::new(0) } else { SELJUK }), sum));
        }
        shares.iter().any(|(_, share)| *share > 0).then(|| Sum {
            id: "expected".into(),
            name: "Hits to expect in a round".into(),
            total: format!("{} : {}", tenths(shares[0].1), tenths(shares[1].1)),
            note: "a die for each unit: its combat factor or less hits".into(),
            lines,
            shares,
            target: Some(self.space_id(b.space)),
        })
    }

    /// The tables: attrition on the march, events, the counteroffensive.
    fn aids(&self, view: &View) -> Vec<Aid> {
        let texts = |all: [&str; 7]| all.map(String::from).to_vec();
        let marching = matches!(view.agenda.now(), Some(Step::Force | Step::March));
        let led = view.march.is_some_and(|m| self.is_led(m.force));
        let row = |name: &str, dice: &str, open: &str, desert: &str, lit: bool| {
            AidRow::new([name, dice, open, desert]).lit(marching && lit)
        };
        let event = |column: usize, row: usize| self.components.events[column][row].name().to_string();
        let counter = |column: usize, row: usize| match self.components.counters[column][row] {
            Counter::Attack(route) => format!("Attack, {}", self.components.routes[route].0),
            Counter::Relief(route) => format!("Relief, {}", self.components.routes[route].0),
            Counter::Raid(s) => format!("Raid {}", self.components.space_name(s)),
            Counter::Naval => "Naval action".to_string(),
        };
        let grid = |cell: &dyn Fn(usize, usize) -> String| {
            (0..6)
                .map(|row| {
                    AidRow::new(
                        std::iter::once((row + 1).to_string()).chain((0..6).map(|column| cell(column, row))),
                    )
                })
                .collect()
        };
        vec![
            Aid {
                id: "aid-attrition".into(),
                name: "Attrition on the march".into(),
                note: "A die spares as many units as it shows; all others that march lose a step.".into(),
                rule: Some(rule!("18.1")),
                columns: ["force", "dice", "attrition on", "in the desert on"].map(String::from).to_vec(),
                rows: vec![
                    row("with a leader", "two", "7 (17 %)", "7 or 8 (31 %)", led),
                    row("without", "one", "6 (17 %)", "5 or 6 (33 %)", !led),
                ],
            },
            Aid {
                id: "aid-events".into(),
                name: "Events".into(),
                note: "The first die is the column, the second the row.".into(),
                rule: Some(rule!("9.0")),
                columns: texts(["", "1", "2", "3", "4", "5", "6"]),
                rows: grid(&event),
            },
            Aid {
                id: "aid-counteroffensive".into(),
                name: "Counteroffensive".into(),
                note: "The first die is the column, the second the row.".into(),
                rule: Some(rule!("27.3")),
                columns: texts(["", "1", "2", "3", "4", "5", "6"]),
                rows: grid(&counter),
            },
        ]
    }

    /// A picture for a marker: that of its first symbol.
    fn marker_sign(&self, m: Marker) -> Option<Sign> {
        let signs = [
            (Symbol::Scroll, Sign::Scroll),
            (Symbol::Sword, Sign::Dagger),
            (Symbol::Shield, Sign::Foot),
            (Symbol::Eye, Sign::Lantern),
            (Symbol::Wagon, Sign::Bread),
        ];
        signs.into_iter().find(|(symbol, _)| self.components.with(*symbol).has(m)).map(|(_, sign)| sign)
    }

    fn symbols(&self, m: Marker) -> String {
        let borne = Symbol::ALL.iter().filter(|(symbol, _)| self.components.with(*symbol).has(m));
        borne.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
    }

    fn tracks(&self, view: &View, p: &Position) -> Vec<Track> {
        let now = |name: String, at: usize| vec![scene::Marker { name, owner: None, at }];
        let sum = self.points(p);
        let [draw, victory, overwhelming] = self.levels(p);
        let level = [draw, victory, overwhelming].iter().filter(|level| sum >= **level).count();
        let level = if self.has_prize(p) { level } else { level.min(1) };
        let mut tracks = vec![
            Track {
                id: "reaction".into(),
                name: "Muslim reaction".into(),
                boxes: LEVELS[1..].iter().map(|l| (*l).to_string()).collect(),
                markers: now(
                    format!("rises on {} or less of three dice", self.provoking(p)),
                    usize::from(view.reaction) - 1,
                ),
                ..Track::default()
            },
            Track {
                id: "turns".into(),
                name: "Turn".into(),
                boxes: (1..=9).map(season).collect(),
                markers: now("now".into(), usize::from(view.turn) - 1),
                ..Track::default()
            },
            Track {
                id: "actions".into(),
                name: "Standard actions".into(),
                boxes: (0..=3).map(|n| n.to_string()).collect(),
                markers: now("left".into(), usize::from(view.standard)),
                ..Track::default()
            },
            Track {
                id: "special".into(),
                name: "Special Actions".into(),
                boxes: (0..=6).map(|n| n.to_string()).collect(),
                markers: now("registered".into(), usize::from(view.special)),
                ..Track::default()
            },
        ];
        if view.table.goal.is_none() {
            tracks.push(Track {
                id: "points".into(),
                name: "Victory points".into(),
                boxes: vec![
                    "Defeat".into(),
                    format!("Draw from {draw}"),
                    format!("Victory from {victory}"),
                    format!("Overwhelming from {overwhelming}"),
                ],
                markers: now(points(sum).to_string(), level),
                foremost: true,
                goals: vec![2, 3],
                ..Track::default()
            });
        }
        tracks
    }

    fn prompt(&self, view: &View, p: &Position) -> Option<Prompt> {
        let c = &self.components;
        let seat = view.deciding.lowest()?;
        // Whoever decides is spoken to; the others read about him.
        let own = view.viewer == Viewer::Seat(seat);
        let who = if own { "You" } else { self.title.seat_name(seat) };
        let here = view.march.map_or("nowhere", |m| c.space_name(m.at));
        let field = view.battle.map_or("nowhere", |b| c.space_name(b.space));
        let (text, rule) = match *view.agenda.now()? {
            Step::Choose => {
                let (left, kind, rule) = if view.standard > 0 {
                    (view.standard, ("standard action", "standard actions"), rule!("12.1"))
                } else {
                    (view.special, ("Special Action", "Special Actions"), rule!("12.2"))
                };
                (format!("{who}: choose an action ({} left)", count(left, kind.0, kind.1)), rule)
            }
            Step::Force => {
                let force = view.march.map_or(Set::NONE, |m| m.force);
                let text = format!("{who}: form the force in {here} ({}), then roll", units(force.len()));
                (text, rule!("12.4"))
            }
            Step::March => match view.march? {
                m if m.engaged => {
                    (format!("{who}: Muslims hold {here}; slip by, or stop and fight"), rule!("10.4"))
                }
                m => (
                    format!(
                        "{who}: in {here} with {} left; go on, or stop",
                        count(m.left, "movement point", "movement points")
                    ),
                    if m.sea { rule!("20.1") } else { rule!("17.1") },
                ),
            },
            Step::Gate => (format!("{who}: attack {here} at once, or lie before it"), rule!("opt-34.1")),
            Step::Camps => (format!("{who}: which camp is used up?"), rule!("22.1")),
            Step::Rally { left, .. } => {
                let more = count(left, "more unit is", "more units are");
                (format!("{who}: {more} restored; choose"), rule!("15.1"))
            }
            Step::Landing(landing) => {
                let name = self.waiting(p).map_or("the unit", |u| c.unit_name(u));
                let rule = match landing {
                    Landing::CrusaderPort => rule!("35.crusader-reinforcement"),
                    Landing::AnyPort => rule!("24.0"),
                };
                (format!("{who}: where does {name} arrive?"), rule)
            }
            Step::Named(Event::AssassinsStrike) => {
                (format!("{who}: name the leader whom the Assassins seek"), rule!("35.assassins-strike"))
            }
            Step::Named(_) => (
                format!("{who}: name the Crusader leader who goes home"),
                rule!("35.crusader-leader-goes-home"),
            ),
            Step::Shields => {
                (format!("{who}: play markers for Special Actions, or go on"), rule!("boon.special-action"))
            }
            Step::Council => {
                (format!("{who}: negotiate before the Muslims react, or go on"), rule!("boon.negotiations"))
            }
            Step::Battle(Stage::Dawn) => (
                format!("{who}: a marker for the Tactical Edge in {field}?"),
                rule!("boon.military-advantage"),
            ),
            Step::Battle(_) => {
                (format!("{who}: a marker before the enemy gathers in {field}?"), rule!("boon.treachery"))
            }
            Step::Losses { left, cause: Cause::Battle } => {
                let hits = count(left, "hit", "hits");
                (format!("{who}: {hits} to take in {field}; choose who is hit"), rule!("23.2"))
            }
            Step::Losses { left, cause: Cause::March } => {
                let lose = count(left, "unit loses", "units lose");
                (format!("{who}: attrition in {here}; {lose} a step"), rule!("18.2"))
            }
            Step::Losses { left, cause: Cause::Winter } => {
                let lose = count(left, "unit loses", "units lose");
                (format!("{who}: hunger; {lose} a step"), rule!("28.2"))
            }
            Step::Strikes { left } => {
                let hits = count(left, "hit", "hits");
                (format!("{who}: {hits} on the weakest Muslims; choose among equals"), rule!("23.2"))
            }
            Step::Withdraw => (format!("{who}: withdraw from {field}"), rule!("24.2")),
            Step::Crowded { space } => (
                format!(
                    "{who}: contingents may not stand together in {}; one is given up",
                    c.space_name(space)
                ),
                rule!("10.1"),
            ),
            Step::Breath => ("A counter was placed face down; the system goes on".into(), rule!("11.0")),
            Step::Hunger { spaces } => {
                let place = spaces.first().map_or("", |s| c.space_name(s));
                (format!("{who}: the force in {place} has no supply for the winter"), rule!("28.1"))
            }
            Step::Turn(_)
            | Step::Close(_)
            | Step::Pilgrim { .. }
            | Step::Bane(_)
            | Step::Event(_)
            | Step::Counter { .. } => return None,
        };
        let advice = self.guidance(view).filter(|_| own);
        Some(Prompt::new(view.deciding, text, rule).advice(advice))
    }

    /// A sentence of advice for each kind of decision in the guided scenario.
    fn guidance(&self, view: &View) -> Option<&'static str> {
        view.table.goal?;
        Some(match view.agenda.now()? {
            Step::Choose if view.standard == 3 => {
                "Click Constantinople and march with all Crusaders: two dice, since leaders go with them"
            }
            Step::Choose => {
                "If Nicaea is not yours, march again or rally the reduced units; if it is, keep a unit there"
            }
            Step::Force => "Whoever stays behind cannot fight; a leader gives two dice instead of one",
            Step::March => {
                "Nicaea is two spaces away on the Central route. A seven wears the host out, however far it goes"
            }
            Step::Losses { .. } => {
                "Let full units be reduced before anybody dies: reduced units can rally in a port or fortress"
            }
            Step::Strikes { .. } => "Any of them will do; leaders fall last among equals",
            Step::Withdraw => "A failed assault must leave: choose a space from which you can come again",
            _ => "Read the rule beside the prompt if in doubt",
        })
    }

    fn warnings(&self, view: &View, p: &Position) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warn = |text: String, rule: Rule, s: Space| {
            warnings.push(Warning { text, rule, target: Some(self.space_id(s)) });
        };
        if view.result.is_some() || view.table.quiet {
            return warnings;
        }
        let c = &self.components;
        // From summer on: who would go hungry.
        if !view.turn.is_multiple_of(3)
            || !matches!(view.agenda.steps().first(), Some(Step::Turn(Phase::Winter)))
        {
            let soon = view.turn % 3 != 1;
            for s in self.hungry(p).iter().filter(|_| soon) {
                let n = self.unfed(p, s).len();
                let text = if view.camps.has(s) {
                    format!("{}: the winter will use up the camp", c.space_name(s))
                } else {
                    format!("{}: {} would be out of supply in winter", c.space_name(s), units(n))
                };
                warn(text, rule!("28.1"), s);
            }
        }
        if let (Some(Step::March | Step::Force), Some(m)) = (view.agenda.now(), &view.march)
            && self.crowds(p, m, m.at)
        {
            let text = format!("Ending in {} would cost a whole contingent", c.space_name(m.at));
            warn(text, rule!("10.1"), m.at);
        }
        if let Some(b) = view.battle.filter(|b| !b.muslims_attack) {
            let (s, ships) = (b.space, b.christians.meets(c.fleets));
            if self.exits(p, s).is_empty() && !ships {
                warn(format!("From {} there is no way to withdraw", c.space_name(s)), rule!("24.2"), s);
            }
        }
        warnings
    }

    fn march_hint(&self, force: Set<Unit>) -> String {
        match self.is_led(force) {
            true => "two dice; attrition on a 7 (17 %), in the desert on 7 or 8 (31 %)".into(),
            false => "one die; attrition on a 6 (17 %), in the desert on 5 or 6 (33 %); no passes".into(),
        }
    }

    /// What awaits a force that goes to a space.
    fn go_button(&self, view: &View, s: Space, button: Choice) -> Choice {
        let Some(m) = &view.march else { return button };
        let p = self.imagine(view, &mut Lots::new(0));
        let c = &self.components;
        if self.muslims(&p, s).is_empty() {
            let wears = m.dice == 2 && m.roll == 8 || m.dice == 1 && m.roll == 5;
            let dry = !m.sea && self.ways(&p, m).dry.has(s);
            return if dry && wears { button.hint("through the desert: attrition") } else { button };
        }
        let odds = self.odds(&p, s, m.force, false);
        let exits = self.exits(&p, s);
        let land = m.force - c.fleets;
        let open = |to: &Space| land.is_empty() || land.iter().any(|u| self.may_be(&p, u, *to));
        let exits: Set<Space> = exits.iter().filter(open).collect();
        let ships = m.force.meets(c.fleets);
        let out = match (exits.is_empty(), ships) {
            (false, _) => format!("withdrawal to {}", Listed(exits.iter().map(|to| c.space_name(to)))),
            (true, true) => "withdrawal to sea".into(),
            (true, false) => "no way to withdraw: all would be lost".into(),
        };
        let button = button.hint(format!("{}; {out}", odds_text(odds)));
        if exits.is_empty() && !ships {
            button.confirm(format!("From {} nobody could withdraw. Attack?", c.space_name(s)))
        } else {
            button
        }
    }

    /// Who would be lost in a withdrawal to a space.
    fn withdraw_button(&self, view: &View, s: Space, button: Choice) -> Choice {
        let c = &self.components;
        let p = self.imagine(view, &mut Lots::new(0));
        let Some(b) = &view.battle else { return button };
        let ashore = self.withdrawing(&p, b).ashore;
        let lost = self.lost_in_withdrawal(&p, ashore, s);
        if lost.is_empty() { button } else { button.hint(format!("lost: {}", Host(c, lost))) }
    }

    /// An action as a button says it.
    fn say(&self, view: &View, action: Action) -> String {
        let c = &self.components;
        let space = |s: Space| c.space_name(s);
        let unit = |u: Unit| c.unit_name(u);
        let force = |f: Family| f.name();
        match (action, view.agenda.now()) {
            (Action::March(s, f), _) => format!("All {} march from {}", force(f), space(s)),
            (Action::Advance(s, f), _) => {
                format!("{} march from {} and leave a garrison", force(f), space(s))
            }
            (Action::SuppliedMarch(s, f), _) => {
                format!("All {} march from {}, supplied", force(f), space(s))
            }
            (Action::Form(s, f), _) => format!("Some {} march from {}", force(f), space(s)),
            (Action::Fleet(s, f), _) => format!("{} sail from {}", force(f), space(s)),
            (Action::Leave(u), _) => format!("{} stays behind", unit(u)),
            (Action::Only(u), _) => format!("Only {}, to begin with", unit(u)),
            (Action::Take(u), _) => format!("{} comes along", unit(u)),
            (Action::Embark(u), _) => format!("{} goes aboard", unit(u)),
            (Action::Roll, _) => "Set out".into(),
            (Action::RollSupplied, _) => "Set out, supplied".into(),
            (Action::Go(s), _) => format!("On to {}", space(s)),
            (Action::Cross(s), _) => format!("Over the pass to {}", space(s)),
            (Action::Stop, _) if self.must_fight(view) => "Stop and fight".into(),
            (Action::Stop, _) if view.march.is_some_and(|m| !m.moved) => "Stay where they are".into(),
            (Action::Stop, _) => "Stop here".into(),
            (Action::Recruit(u), _) => format!("{} recruits", unit(u)),
            (Action::Rally(s), _) => format!("Rally in {}", space(s)),
            (Action::Restore(u), _) => format!("Restore {}", unit(u)),
            (Action::Diplomacy(u), _) => format!("{} negotiates", unit(u)),
            (Action::Pilgrimage(u), _) => format!("{} goes on a pilgrimage", unit(u)),
            (Action::Camp(s), _) => format!("Build a camp in {}", space(s)),
            (Action::Castle(s), _) => format!("Build a castle in {} (3 actions)", space(s)),
            (Action::Monastery(s), _) => format!("Build a monastery in {} (2 actions)", space(s)),
            (Action::Crown(u), _) => format!("{} founds a kingdom", unit(u)),
            (Action::Play(m, used), _) => {
                let what = match used {
                    Use::Peace => "the Muslim reaction falls",
                    Use::Armenia => "Armenia joins",
                    Use::Edge => "+1 to the Tactical Edge",
                    Use::Actions => "two Special Actions",
                    Use::Treachery => "one die of reinforcements less",
                    Use::Passage => "slip by",
                    Use::Supplies => "supplies",
                };
                format!("{}: {what}", c.marker_name(m))
            }
            (Action::Pass, _) => "Forgo this action".into(),
            (Action::Done, Some(Step::Rally { .. })) => "That is enough".into(),
            (Action::Done, _) => "No marker".into(),
            (Action::Give(m, to), _) => {
                format!("Give {} to the {}", c.marker_name(m), self.title.seat_name(to))
            }
            (Action::Hand(to), _) => format!("Let the {} take this action", self.title.seat_name(to)),
            (Action::AttackFrom(s, f), _) => {
                format!("{} attack {} by the standard rules", force(f), space(s))
            }
            (Action::SiegeAttack(s, f), _) => format!("{} make a siege attack on {}", force(f), space(s)),
            (Action::SpendCamp(s), _) => format!("Use up the camp in {}", space(s)),
            (Action::Name(u), Some(Step::Named(Event::AssassinsStrike))) => {
                format!("The Assassins seek {}", unit(u))
            }
            (Action::Name(u), _) => format!("{} goes home", unit(u)),
            (Action::Lose(u), _) => format!("{} loses a step", unit(u)),
            (Action::Allot, _) => "Let the table choose the rest".into(),
            (Action::Strike(u), _) => format!("Hit {}", unit(u)),
            (Action::Withdraw(s), _) => format!("Withdraw to {}", space(s)),
            (Action::GiveUp(f), _) => format!("Give up the {}", force(f)),
            (Action::Place(s), _) => format!("Place it in {}", space(s)),
            (Action::Endure, _) => "Play no supplies: they face the winter".into(),
            (Action::Proceed, _) => "Go on".into(),
            (Action::Besiege, _) => "Lay siege".into(),
            (Action::Assault, _) => "Attack at once".into(),
            (Action::Join, _) => "Join the siege".into(),
        }
    }

    /// Whether the force on its way stands before Muslims, or among those whom it has slipped by.
    fn must_fight(&self, view: &View) -> bool {
        view.march.is_some_and(|m| {
            let there = |(u, at): &(Unit, Place)| *at == Place::Map(m.at) && self.components.muslims.has(*u);
            m.engaged || m.moved && view.places.iter().any(there)
        })
    }
}

/// What units have in common that lie as one with a number.
#[derive(PartialEq, Eq)]
struct Kind<'a> {
    name: &'a str,
    class: Unit,
    reduced: bool,
    lit: bool,
}

/// The name of a unit without its number.
fn kind_of(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((kind, number)) if number.chars().all(|c| "IVX".contains(c)) => kind,
        _ => name,
    }
}

/// So many units, in words.
fn units_of(n: u32) -> String {
    if n == 1 { "1 unit".into() } else { format!("{n} units") }
}

/// The chance in percent that so many dice show at least so much.
pub(crate) fn chance_of(dice: u8, need: u8) -> u32 {
    let mut ways = 0u32;
    let all = if dice == 2 { 36 } else { 6 };
    for first in 1..=6u8 {
        for second in 1..=(if dice == 2 { 6 } else { 1u8 }) {
            let sum = if dice == 2 { first + second } else { first };
            ways += u32::from(sum >= need);
        }
    }
    (ways * 100 + all / 2) / all
}

fn odds_text(odds: Odds) -> String {
    format!(
        "won {} %, thrown back {} %, destroyed {} %; about {}.{} steps lost",
        odds.won,
        odds.drawn,
        odds.lost,
        odds.steps / 10,
        odds.steps % 10
    )
}
