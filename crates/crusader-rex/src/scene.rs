//! A view as a picture of the table: the map, the battle inside it, hands, pools, what is known of hidden
//! blocks, prompts and warnings.
//!
//! Everything is made from the view. Where a question of the rules must be answered (who holds a town, which
//! castle is full), it is asked of a position imagined from the view: what the viewer may know is the same in
//! all of them.

use std::sync::LazyLock;

use table::arms::{Arms, Roll};
use table::scene::{
    self, Aid, AidRow, Board, Choice, Die, Face, Fall, Form, Front, Ground, Harbour, Head, HeadCount, Keep,
    Link, LinkStyle, Manner, Marker, Mat, MatRow, Piece, Prompt, Region, Register, RegisterRow, Scene, Shape,
    Sign, Space, Sum, SumLine, Throw, Trace, Track, Tray, Turn, TurnState, Warning,
};
use table::{Happening, Id, Lots, Reach, Rule, Seat, Secrets, Shown, Viewer, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{
    BOTH, Block, Card, FRANK, Label, Nation, Place, Port, SARACEN, TOWN_RADIUS, Town, WINDOW, Whence,
};
use crate::flow::FIRST_YEAR;
use crate::ids::Letter;
use crate::position::{Battle, Going, Position, Step};
use crate::view::{SeenBlock, Slot, View};
use crate::words::{counted, either, listed};

/// Where the castle of a besieged town stands, above its field.
const CASTLE_RISE: i32 = 34;

/// A hidden block that may be one of so many at most is among the suspected.
const FEW_SUSPECTS: usize = 3;

/// Who bears which arms.
static ROLL: LazyLock<Roll> = LazyLock::new(|| Roll::read("arms.toml", levant::ARMS).unwrap_or_default());

/// The arms of a block: its own, or those of its house.
fn arms(name: &str) -> Option<Arms> {
    ROLL.bears("crusader-rex", name, &[]).map(|coat| coat.arms.clone())
}

impl Shown for CrusaderRex {
    fn scene(&self, view: &View) -> Scene {
        let p = self.imagine(view, &mut Lots::new(0));
        let year = FIRST_YEAR + u32::from(view.open.year);
        let season = if view.open.is_winter() {
            "winter turn".to_string()
        } else {
            format!("turn {}", view.open.turn)
        };
        let mut boards = vec![self.map(view, &p)];
        if let Some(battle) = &view.open.battle {
            boards.push(self.battle_board(view, battle, &p));
        }
        Scene {
            title: if view.open.result.is_some() {
                format!("{year}: the game is over")
            } else {
                format!("{year}, {season}")
            },
            boards,
            trays: self.trays(view),
            tracks: vec![
                Track {
                    id: "years".into(),
                    name: "Year".into(),
                    boxes: (0..view.open.table.years)
                        .map(|y| (FIRST_YEAR + u32::from(y)).to_string())
                        .collect(),
                    markers: vec![Marker {
                        name: "now".into(),
                        owner: None,
                        at: usize::from(view.open.year.min(view.open.table.years - 1)),
                    }],
                    ..Track::default()
                },
                Track {
                    id: "turns".into(),
                    name: "Turn".into(),
                    boxes: ["1", "2", "3", "4", "5", "winter"].map(String::from).to_vec(),
                    markers: vec![Marker {
                        name: "now".into(),
                        owner: None,
                        at: usize::from(view.open.turn.clamp(1, 6)) - 1,
                    }],
                    ..Track::default()
                },
                self.goal_track(view, &p),
            ],
            register: Some(self.register(view, &p)),
            sums: self.sums(view, &p),
            aids: self.aids(view, &p),
            prompt: self.prompt(view, &p),
            warnings: self.warnings(view, &p),
            ..Scene::default()
        }
    }

    fn reach(&self, view: &View, picked: &[&str]) -> Vec<Reach> {
        let journeys = self.journeys(view, picked, None);
        journeys.iter().map(|journey| self.reach_of(view, picked, journey)).collect()
    }

    fn route(&self, view: &View, picked: &[&str], to: &str) -> Vec<Action> {
        self.journeys(view, picked, Some(to)).into_iter().next().map_or(Vec::new(), |journey| journey.actions)
    }

    fn choice(&self, view: &View, action: Action) -> Choice {
        let town = |t: Town| self.town_id(t);
        let block = |b: Block| {
            let name = self.components.block_name(b);
            if view.open.battle.is_none() { format!("block-{name}") } else { format!("battle-block-{name}") }
        };
        let strength = |b: Block| view.blocks.iter().find(|s| s.block == b).map_or(0, |s| s.strength);
        let odds = |dice: u8, aim: u8| {
            let tenths = (u32::from(dice) * u32::from(aim) * 10 + 3) / 6;
            format!("about {}.{} hits from {}", tenths / 10, tenths % 10, counted(dice, "die", "dice"))
        };
        let label = |b: Block| &self.components.blocks[b];
        let button = Choice::button(self.say(view, action));
        match action {
            Action::Go(b, t) | Action::Enter(b, t) => button.at(town(t)).at(block(b)).hint(self.march_hint(view, t)),
            Action::Seat(b, t) | Action::Regroup(b, t) => button.at(town(t)).at(block(b)),
            Action::Retreat(b, t) => {
                let city = view.open.battle.filter(|battle| {
                    self.components.prizes.has(battle.town)
                        && view.viewer.seat().is_some_and(|s| s != battle.attacker)
                        && matches!(view.step(), Some(Step::Round))
                });
                let button = button.at(town(t)).at(block(b));
                match city {
                    Some(battle) => {
                        let name = self.components.town_name(battle.town);
                        button.confirm(format!("Leave {name}, a victory city?"))
                    }
                    None => button,
                }
            }
            Action::Exchange(b) | Action::Bless(b) | Action::Sail(b) | Action::Withdraw(b) | Action::Take(b)
            | Action::Starve(b) | Action::Replace(b) | Action::Pick(b) => button.at(block(b)),
            Action::Play(card) => {
                let hand = view.viewer.seat().map_or("", |s| self.title.seat_name(s));
                let hint = self.components.effects[card].clone();
                button.at(format!("card-{hand}-{}-0", card.name())).hint(hint)
            }
            Action::Strike(t) => button.at(town(t)).hint("three dice, hits up to 3").confirm("Send the assassins there?"),
            Action::Stab(b) => button.at(block(b)).hint("three dice, hits up to 3").confirm("Send the assassins to it?"),
            Action::Group(t) | Action::MusterAt(t) | Action::Land(t) | Action::Assault(t) | Action::Campaign(t)
            | Action::Main(t, _) | Action::Jihad(t) | Action::Fight(t) => button.at(town(t)),
            Action::Place(t) => button.at(town(t)).hint(self.place_hint(view, t)),
            Action::Fire(b) => button.at(block(b)).hint(odds(strength(b), label(b).fire)),
            Action::Harry(b) => {
                button.at(block(b)).hint(format!("{}, then it must retreat", odds(strength(b), label(b).fire)))
            }
            Action::Charge(b) => {
                let hint = format!("{}; every six costs it a step", odds(strength(b), label(b).fire + 1));
                let button = button.at(block(b)).hint(hint);
                if strength(b) == 1 { button.confirm("One step left: a six would be its end. Charge?") } else { button }
            }
            Action::Begin if matches!(view.step(), Some(Step::Shelter { .. })) => {
                let n = view.picked().len();
                let verb = if n == 1 { "goes" } else { "go" };
                let blocks = counted(n, "block", "blocks");
                button
                    .hint("besieged blocks lose a step on 1 to 3 each turn (Tripoli and Tyre: on 1)")
                    .confirm(format!("{blocks} {verb} into the castle, the rest fights in the field?"))
            }
            Action::Done if matches!(view.step(), Some(Step::Sally { .. })) => {
                button.hint("if the besieger does not storm either, attrition follows at once: 50 % a block, 17 % in Tripoli and Tyre").refusal()
            }
            Action::Done if matches!(view.step(), Some(Step::Moves { .. })) => button.main(),
            Action::Done
                if matches!(
                    view.step(),
                    Some(Step::Storm { .. } | Step::Regroup { .. } | Step::LeaveSiege { .. })
                ) =>
            {
                button.refusal()
            }
            Action::Homes | Action::Deal | Action::Muster | Action::Begin | Action::Return | Action::Fill
            | Action::Done => button,
        }
    }
}

impl CrusaderRex {
    /// What the Saracens have of what they need.
    fn goal_track(&self, view: &View, p: &Position) -> Track {
        if let Some(goal) = view.open.table.goal {
            let there = p.here[goal].meets(self.of(SARACEN));
            return Track {
                id: "goal".into(),
                name: format!("Saracens at {}", self.components.town_name(goal)),
                boxes: ["None: the Franks win", "Some: the Saracens win"].map(String::from).to_vec(),
                markers: vec![Marker { name: "now".into(), owner: None, at: usize::from(there) }],
                foremost: true,
                ends: Some((FRANK, SARACEN)),
                ..Track::default()
            };
        }
        let (name, has, needs) = match view.open.table.shields {
            None => ("Saracen cities", self.prizes(p, SARACEN), view.open.table.needs),
            Some(shields) => ("Shields taken", self.shields_taken(p), shields),
        };
        let most = needs.max(has).max(7);
        Track {
            id: "goal".into(),
            name: name.into(),
            note: format!("{needs} win"),
            foremost: true,
            ends: Some((FRANK, SARACEN)),
            boxes: (0..=most).map(|n| n.to_string()).collect(),
            goals: vec![usize::from(needs)],
            markers: vec![Marker { name: "now".into(), owner: Some(SARACEN), at: usize::from(has) }],
        }
    }

    /// Blocks that went from town to town, for the boards of who may know it.
    pub(crate) fn trace(&self, owner: Seat, count: usize, from: Town, to: Town, manner: Manner) -> Happening {
        let (from, to) = (self.town_id(from), self.town_id(to));
        Happening::Moved(Trace { from, to, count: count as u16, owner: Some(owner), manner })
    }

    /// A block that fell in a town.
    pub(crate) fn fall(&self, owner: Seat, t: Town) -> Happening {
        Happening::Fell(Fall { space: self.town_id(t), count: 1, owner: Some(owner) })
    }

    /// The dice of a block that fires, on the cloth of the battle mat.
    pub(crate) fn threw(&self, p: &Position, b: Block, aim: u8, dice: &str, scored: &str) -> Happening {
        let results: Vec<u8> = dice.split(' ').filter_map(|die| die.parse().ok()).collect();
        let name = self.components.block_name(b);
        let tenths = (u32::from(p.strength[b]) * u32::from(aim) * 10 + 3) / 6;
        Happening::Threw(Throw {
            name: format!("{name} hits at {aim} or less"),
            owner: Some(self.owner(b)),
            dice: Die::hitting_at(aim, &results),
            result: scored.into(),
            note: format!("expected {}.{}", tenths / 10, tenths % 10),
            space: Some("battle-dice".into()),
        })
    }

    /// The cartouche: the year, its turns, the pools.
    fn head(&self, view: &View) -> Head {
        let turn = usize::from(view.open.turn.clamp(1, 6)) - 1;
        let ordinals = ["first", "second", "third", "fourth", "fifth"];
        let note = match ordinals.get(turn) {
            Some(which) => format!("{which} turn of five, then winter"),
            None => "winter".to_string(),
        };
        let pool =
            |seat: Seat| HeadCount { owner: Some(seat), text: format!("{} in the pool", view.pools[seat]) };
        let single = view.open.table.goal.is_some();
        Head {
            title: self.title.name.clone(),
            figure: (FIRST_YEAR + u32::from(view.open.year)).to_string(),
            steps: if single { Vec::new() } else { Head::steps(["1", "2", "3", "4", "5", "W"], turn) },
            note: if single { "a single battle".into() } else { note },
            counts: if single { Vec::new() } else { BOTH.map(pool).to_vec() },
            ribbon: None,
        }
    }

    fn town_id(&self, t: Town) -> String {
        format!("town-{}", self.components.town_name(t))
    }

    fn space_of(&self, slot: &Slot) -> String {
        let name = slot.place.town().map_or("", |t| self.components.town_name(t));
        if slot.inside { format!("castle-{name}") } else { format!("town-{name}") }
    }

    fn face(&self, b: Block, strength: u8, lit: bool, spent: bool) -> Face {
        let label = &self.components.blocks[b];
        let (name, home) = label.name.split_once(" of ").unwrap_or((&label.name, ""));
        Face::Shown(Front {
            name: name.into(),
            home: if home.is_empty() { String::new() } else { format!("of {home}") },
            arms: arms(&label.name),
            left: label.rating(),
            right: label.moves.to_string(),
            pips: (strength, label.steps),
            lit,
            spent,
            ..Front::default()
        })
    }

    fn describe(&self, b: Block, strength: u8) -> String {
        let label = &self.components.blocks[b];
        let steps = counted(strength, "step", "steps");
        format!("{} {}, moves {}, {steps} of {}", label.name, label.rating(), label.moves, label.steps)
    }

    fn piece(&self, seen: &SeenBlock, space: String, view: &View, p: &Position) -> Piece {
        let label = &self.components.blocks[seen.block];
        let acting = self
            .acting(p)
            .is_some_and(|(_, blocks)| matches!(view.step(), Some(Step::Round)) && blocks.has(seen.block));
        let picked = view.picked().has(seen.block);
        let spent = seen.slot.moved && !view.march.under_way.has(seen.block);
        let mut text = self.describe(seen.block, seen.strength);
        if view.open.known.has(seen.block) && !view.open.shown.has(seen.block) {
            text.push_str("; the enemy knows where it is");
        }
        if let Some(round) = seen.slot.arrival {
            text.push_str(&format!("; arrives in round {round}"));
        }
        Piece {
            id: format!("block-{}", label.name),
            space,
            owner: Some(seen.slot.owner),
            form: Form::Block,
            face: self.face(seen.block, seen.strength, acting || picked, spent),
            text,
            ..Piece::default()
        }
    }

    /// Hidden blocks of the viewer's enemies: a lone one is followed by its mark, others are numbered by place.
    fn hidden_pieces(&self, view: &View) -> Vec<Piece> {
        let mut slots: Vec<(Slot, Option<Block>)> = view.hidden.iter().map(|slot| (*slot, None)).collect();
        // A lone block that is known is marked as such; in a stack nothing tells which one it is.
        slots.extend(view.suspects.iter().map(|(b, slot)| (*slot, slot.mark.is_some().then_some(*b))));
        slots.sort_unstable();
        let mut pieces: Vec<Piece> = Vec::new();
        for (slot, known) in slots {
            let owner = self.title.seat_name(slot.owner);
            let space = self.space_of(&slot);
            let before = pieces.iter().filter(|p| p.space == space && p.owner == Some(slot.owner)).count();
            let id = match slot.mark {
                Some(mark) => format!("hidden-{owner}-lone-{}", mark.number() + 1),
                None => format!("hidden-{owner}-{space}-{before}"),
            };
            let when = slot.arrival.map_or(String::new(), |round| format!(", arrives in round {round}"));
            pieces.push(Piece {
                id,
                space,
                owner: Some(slot.owner),
                form: Form::Block,
                face: known.map_or(Face::Hidden, |b| {
                    let name = self.components.block_name(b).to_string();
                    Face::Suspected { arms: arms(&name), name }
                }),
                text: format!("a hidden block of the {}{when}", self.title_of(slot.owner)),
                ..Piece::default()
            });
        }
        pieces
    }

    fn map(&self, view: &View, p: &Position) -> Board {
        let (west, south, east, north) = WINDOW;
        let (mut spaces, mut castles) = (Vec::new(), Vec::new());
        for t in Town::all() {
            let town = &self.components.towns[t];
            let besieged = self.besieged(p, t);
            let keep = match (town.rating, town.prize, town.port) {
                (0, _, Port::No) => Keep::Village,
                (0, ..) => Keep::Town,
                (1, false, Port::No) => Keep::LowCastle,
                (_, false, Port::No) => Keep::FullCastle,
                (walls, ..) => Keep::City(walls.min(4)),
            };
            spaces.push(Space {
                keep: Some(keep),
                rating: town.rating,
                harbour: match town.port {
                    Port::No => Harbour::No,
                    Port::Plain => Harbour::Plain,
                    Port::Fortified => Harbour::Fortified,
                },
                holder: self.control(p, t),
                siege: besieged.map(Seat::other),
                region: town.region.clone(),
                prize: town.prize,
                lit: view.open.battle.is_some_and(|battle| battle.town == t) || view.open.jihad == Some(t),
                ..Space::new(
                    self.town_id(t),
                    town.name.clone(),
                    town.xy,
                    Shape::Circle { r: TOWN_RADIUS - 4 },
                )
            });
            if besieged.is_some() {
                castles.push(Space {
                    id: format!("castle-{}", town.name),
                    name: format!("{} castle", town.name),
                    x: town.xy.0,
                    y: town.xy.1 - CASTLE_RISE,
                    shape: Shape::Rect { w: 36, h: 24 },
                    holder: besieged,
                    region: town.region.clone(),
                    annex: true,
                    ..Space::default()
                });
            }
        }
        spaces.extend(castles);
        let mover = match view.step() {
            Some(Step::Moves { seat, .. } | Step::Regroup { seat, .. }) => Some(*seat),
            _ => view.deciding.lowest(),
        };
        let links = self
            .components
            .roads
            .iter()
            .filter_map(|(road, path)| Some((road, path, path.a?)))
            .map(|(road, path, a)| Link {
                id: format!("road-{}-{}", self.components.town_name(a), self.components.town_name(path.b)),
                from: self.town_id(a),
                to: self.town_id(path.b),
                style: if path.major { LinkStyle::Major } else { LinkStyle::Minor },
                note: match (view.open.used[road], mover) {
                    (0, _) | (_, None) => String::new(),
                    (used, Some(seat)) => format!("{used}/{}", self.road_limit(p, seat, road)),
                },
            })
            .collect();
        let mut pieces: Vec<Piece> = view
            .blocks
            .iter()
            .filter(|seen| seen.slot.place.is_town())
            .map(|seen| self.piece(seen, self.space_of(&seen.slot), view, p))
            .collect();
        pieces.extend(self.hidden_pieces(view));
        let assassins = self.components.assassins;
        let label = &self.components.blocks[assassins];
        if let Some(home) = label.home {
            pieces.push(Piece {
                id: format!("block-{}", label.name),
                space: self.town_id(home),
                form: Form::Block,
                face: self.face(assassins, label.steps, false, false),
                text: "the Assassins of Masyaf".into(),
                ..Piece::default()
            });
        }
        Board {
            id: "map".into(),
            name: "Outremer".into(),
            width: self.components.board.0,
            height: self.components.board.1,
            ground: Ground::Levant { west, south, east, north },
            head: Some(self.head(view)),
            // The names of the coast lie in the sea beside it, that of Syria in the desert.
            regions: [("Antioch", -262), ("Tripoli", -260), ("Jerusalem", -330), ("Syria", 260)]
                .into_iter()
                .filter(|(name, _)| spaces.iter().any(|s| s.region == *name))
                .map(|(name, aside)| {
                    let region = Region::lettered(name, &spaces);
                    Region { x: region.x + aside, ..region }
                })
                .collect(),
            spaces,
            links,
            pieces,
            ..Board::default()
        }
    }

    /// The battle: castle, defenders, attackers, and those on their way.
    fn battle_board(&self, view: &View, battle: &Battle, p: &Position) -> Board {
        let t = battle.town;
        let attacker = battle.attacker;
        let row = |slot: &Slot, stormer: bool| {
            let name = if slot.arrival.is_some() {
                "battle-reserve"
            } else if slot.inside {
                "battle-castle"
            } else if stormer {
                "battle-storm"
            } else if slot.owner == attacker {
                "battle-attack"
            } else {
                "battle-defence"
            };
            name.to_string()
        };
        let mut pieces: Vec<Piece> = Vec::new();
        let mut fighters: Vec<&SeenBlock> =
            view.blocks.iter().filter(|s| s.slot.place == Place::Town(t)).collect();
        fighters.sort_by_key(|s| (self.components.blocks[s.block].letter, s.block));
        for seen in fighters {
            let mut piece = self.piece(seen, row(&seen.slot, battle.stormers.has(seen.block)), view, p);
            piece.id = format!("battle-{}", piece.id);
            if let Some(front) = piece.face.front_mut() {
                front.spent = battle.acted.has(seen.block);
            }
            if battle.half == Some(seen.block) {
                piece.text.push_str("; half-hit");
            }
            pieces.push(piece);
        }
        let hidden = view.hidden.iter().chain(view.suspects.iter().map(|(_, slot)| slot));
        for (i, slot) in hidden.filter(|s| s.place == Place::Town(t)).enumerate() {
            pieces.push(Piece {
                id: format!("battle-hidden-{i}"),
                space: row(slot, false),
                owner: Some(slot.owner),
                form: Form::Block,
                text: format!("a hidden block of the {}", self.title_of(slot.owner)),
                ..Piece::default()
            });
        }
        let within = self.besieged(p, t);
        let row = |id: &str, name: String, holder: Option<Seat>, within: bool, dice_above: bool| MatRow {
            id: id.into(),
            name,
            holder,
            within,
            dice_above,
        };
        let defender = attacker.other();
        let inside = row("battle-castle", "In the castle".into(), within, true, false);
        let defence = format!("{} in the field, defending", self.title_of(defender));
        let attack = format!("{} in the field, attacking", self.title_of(attacker));
        let storm = row("battle-storm", "Storming".into(), within.map(Seat::other), false, true);
        let reserve = row("battle-reserve", "On their way".into(), None, false, false);
        // One's own side stands below.
        let rows = if view.viewer == Viewer::Seat(defender) && within.is_none() {
            let attack = row("battle-attack", attack, Some(attacker), false, false);
            vec![reserve, attack, row("battle-defence", defence, Some(defender), false, true)]
        } else {
            let defence = row("battle-defence", defence, Some(defender), false, false);
            vec![inside, defence, storm, row("battle-attack", attack, Some(attacker), false, true), reserve]
        };
        let mat = Mat { id: "battle".into(), name: self.battle_title(battle, within), rows, pieces };
        Board {
            head: Some(self.battle_head(view, battle, p, within)),
            order: self.battle_order(view, battle, p),
            ..mat.board()
        }
    }

    /// Who attacks where, and the round.
    fn battle_title(&self, battle: &Battle, within: Option<Seat>) -> String {
        let town = self.components.town_name(battle.town);
        let (who, verb) = match within {
            Some(within) if battle.storm => (within.other(), "storm"),
            Some(within) if battle.attacker != within => (within.other(), "besiege"),
            Some(_) => (battle.attacker, "come to relieve"),
            None => (battle.attacker, "attack"),
        };
        format!("{} {verb} {town}, round {} of 3", self.title_of(who), battle.round)
    }

    fn battle_head(&self, view: &View, battle: &Battle, p: &Position, within: Option<Seat>) -> Head {
        let title = self.battle_title(battle, within);
        let who = title.split(&format!(" {}", self.components.town_name(battle.town))).next().unwrap_or("");
        let jihad = if view.open.jihad == Some(battle.town) { ", jihad" } else { "" };
        let walls = match within {
            Some(_) => format!(", walls for {}", self.rating(battle.town)),
            None => String::new(),
        };
        let ribbon = match (view.step(), self.acting(p)) {
            (Some(Step::Round), Some((seat, blocks))) => {
                let seen = blocks.iter().filter(|b| view.blocks.iter().any(|s| s.block == *b));
                let names: Vec<_> = seen.map(|b| self.components.block_name(b).to_string()).collect();
                let text = match names.len() {
                    1..=2 => format!("{}: {}", self.title_of(seat), listed(&names)),
                    _ => format!("{} act", self.title_of(seat)),
                };
                Some((seat, text))
            }
            _ => {
                let seat = view.deciding.lowest();
                seat.map(|seat| (seat, format!("{} decide", self.title_of(seat))))
            }
        };
        Head {
            title: self.components.town_name(battle.town).into(),
            figure: String::new(),
            steps: Head::steps(["1", "2", "3"], usize::from(battle.round.clamp(1, 3)) - 1),
            note: format!("{who}{walls}{jihad}"),
            counts: Vec::new(),
            ribbon,
        }
    }

    /// A before B before C, the defender first: who still acts in this round, as far as blocks are seen.
    fn battle_order(&self, view: &View, battle: &Battle, p: &Position) -> Vec<Turn> {
        let Some(now) = self.acting(p).filter(|_| matches!(view.step(), Some(Step::Round))) else {
            return Vec::new();
        };
        let fights = |seen: &&SeenBlock| {
            seen.slot.place == Place::Town(battle.town)
                && seen.slot.arrival.is_none()
                && (!battle.storm || seen.slot.inside || battle.stormers.has(seen.block))
                && (battle.storm || !seen.slot.inside)
        };
        let attacker = if battle.storm { self.besieged(p, battle.town).map(Seat::other) } else { None };
        let attacker = attacker.unwrap_or(battle.attacker);
        let jihad = self.has_jihad(p, battle);
        let letters = Letter::ALL.into_iter();
        let slots: Vec<(Letter, Seat)> = if jihad {
            let side = |seat: Seat| letters.clone().map(move |letter| (letter, seat));
            side(attacker).chain(side(attacker.other())).collect()
        } else {
            letters.flat_map(|letter| [(letter, attacker.other()), (letter, attacker)]).collect()
        };
        let mut order = Vec::new();
        for (letter, seat) in slots {
            let those: Vec<Block> = view
                .blocks
                .iter()
                .filter(fights)
                .filter(|s| s.slot.owner == seat && self.components.blocks[s.block].letter == letter)
                .map(|s| s.block)
                .collect();
            if those.is_empty() {
                continue;
            }
            let acting = now.0 == seat && those.iter().any(|b| now.1.has(*b));
            let state = if acting {
                TurnState::Now
            } else if those.iter().all(|b| battle.acted.has(*b)) {
                TurnState::Done
            } else {
                TurnState::ToCome
            };
            order.push(Turn { label: format!("{letter:?}"), owner: Some(seat), state });
        }
        order
    }

    fn trays(&self, view: &View) -> Vec<Tray> {
        let mut trays = Vec::new();
        for seat in BOTH {
            let name = self.title.seat_name(seat);
            let paper = |id: String, face: Face, text: String| Piece {
                id,
                owner: Some(seat),
                form: Form::Card,
                face,
                text,
                ..Piece::default()
            };
            let mut pieces = Vec::new();
            match &view.secret[seat] {
                Some(secret) => {
                    for (card, count) in secret.hand.iter() {
                        for copy in 0..*count {
                            let id = format!("card-{name}-{}-{copy}", card.name());
                            let text = self.components.effects[card].clone();
                            pieces.push(paper(id, Face::Card(self.card(card)), text));
                        }
                    }
                }
                None => {
                    for copy in 0..view.hand_sizes[seat] {
                        let id = format!("card-{name}-hidden-{copy}");
                        pieces.push(paper(id, Face::Hidden, "a card".into()));
                    }
                }
            }
            let note = match (view.open.printed[seat].map(Card::name), view.open.last[seat].map(Card::name)) {
                (Some(now), Some(last)) => format!("played {now}; last turn {last}"),
                (Some(now), None) => format!("played {now}"),
                (None, Some(last)) => format!("last turn {last}"),
                (None, None) => String::new(),
            };
            trays.push(Tray {
                id: format!("hand-{name}"),
                name: format!("{name} cards"),
                owner: Some(seat),
                spread: view.viewer == Viewer::Seat(seat),
                pieces,
                note,
                ..Tray::default()
            });
        }
        let lying = |name: String, id: String, owner: Seat, lies: &dyn Fn(&SeenBlock) -> bool| Tray {
            id,
            name,
            owner: Some(owner),
            pieces: view
                .blocks
                .iter()
                .filter(|seen| seen.slot.owner == owner && lies(seen))
                .map(|s| Piece {
                    id: format!("block-{}", self.components.block_name(s.block)),
                    owner: Some(s.slot.owner),
                    form: Form::Block,
                    face: self.face(s.block, s.strength, false, false),
                    text: self.describe(s.block, s.strength),
                    ..Piece::default()
                })
                .collect(),
            ..Tray::default()
        };
        for nation in Nation::ALL {
            let waits = |seen: &SeenBlock| {
                seen.slot.place == Place::Staging && self.components.blocks[seen.block].nation == Some(nation)
            };
            let id = format!("staging-{}", nation.number());
            let tray = lying(format!("{} crusaders", nation.name()), id, FRANK, &waits);
            if !tray.pieces.is_empty() {
                trays.push(tray);
            }
        }
        // A single battle has no pools.
        let pools: &[Seat] = if view.open.table.goal.is_none() { &BOTH } else { &[] };
        for seat in pools.iter().copied() {
            let name = self.title.seat_name(seat);
            let lies = |place: Place| move |seen: &SeenBlock| seen.slot.place == place;
            let pool = format!("{name} draw pool");
            let mut tray = lying(pool, format!("pool-{name}"), seat, &lies(Place::Dead));
            tray.note = format!("{} face down", view.pools[seat]);
            if view.shares(seat) {
                let own = lying(String::new(), String::new(), seat, &lies(Place::Pool));
                tray.pieces.extend(own.pieces);
            }
            trays.push(tray);
            for (what, id, place) in [("drawn", "drawn", Place::Hand), ("lost for good", "lost", Place::Gone)]
            {
                let tray = lying(format!("{name} {what}"), format!("{id}-{name}"), seat, &lies(place));
                if !tray.pieces.is_empty() {
                    trays.push(tray);
                }
            }
        }
        trays.extend(self.suspicions(view));
        trays
    }

    /// Hidden blocks that are known, and those of which only a few could be.
    fn suspicions(&self, view: &View) -> Option<Tray> {
        let town = |slot: &Slot| slot.place.town().map_or("", |t| self.components.town_name(t));
        let name = |b: Block| self.components.block_name(b).to_string();
        let mut pieces: Vec<Piece> = Vec::new();
        let mut notes: Vec<String> = Vec::new();
        for (b, slot) in &view.suspects {
            let seen = view.open.seen[*b].unwrap_or(0);
            let steps = counted(seen, "step", "steps");
            pieces.push(Piece {
                id: format!("known-{}", name(*b)),
                owner: Some(slot.owner),
                form: Form::Block,
                face: self.face(*b, seen, false, false),
                text: format!("{} is in {}, last seen with {steps}", name(*b), town(slot)),
                ..Piece::default()
            });
            notes.push(format!("{} in {}", name(*b), town(slot)));
        }
        let mut guessed = 0;
        for slot in &view.hidden {
            let among = view.possible(slot);
            if among.is_empty() || among.len() > FEW_SUSPECTS {
                continue;
            }
            let names = either(&among.iter().map(name).collect::<Vec<_>>());
            guessed += 1;
            pieces.push(Piece {
                id: format!("suspected-{guessed}"),
                owner: Some(slot.owner),
                form: Form::Block,
                face: Face::Hidden,
                text: format!("In {} stands {names}", town(slot)),
                ..Piece::default()
            });
            notes.push(format!("{names} in {}", town(slot)));
        }
        (!pieces.is_empty()).then(|| Tray {
            id: "known".into(),
            name: "Known and suspected".into(),
            pieces,
            note: notes.join(", "),
            ..Tray::default()
        })
    }

    /// A card's front.
    fn card(&self, card: Card) -> scene::Card {
        let sign = match card {
            Card::Assassins => Some(Sign::Dagger),
            Card::Guide => Some(Sign::Lantern),
            Card::Intrigue => Some(Sign::Key),
            Card::Jihad => Some(Sign::Scroll),
            Card::Manna => Some(Sign::Bread),
            Card::WinterCampaign => Some(Sign::Road),
            _ => None,
        };
        let value = if sign.is_none() { card.moves().to_string() } else { String::new() };
        let corner = value.clone();
        scene::Card {
            value,
            corner,
            sign,
            ..scene::Card::titled(card.name(), self.components.effects[card].clone())
        }
    }

    /// What both sides have, as everybody can count it.
    fn register(&self, view: &View, p: &Position) -> Register {
        let row = |seat: Seat| {
            let cards = view.secret[seat].as_ref().map_or(u32::from(view.hand_sizes[seat]), |own| {
                own.hand.values().iter().map(|n| u32::from(*n)).sum()
            });
            let fielded: usize = Town::all().map(|t| (p.here[t] & self.of(seat)).len()).sum();
            let towns = Town::all().filter(|t| self.control(p, *t) == Some(seat)).count();
            let figures = [
                self.prizes(p, seat).to_string(),
                towns.to_string(),
                fielded.to_string(),
                view.pools[seat].to_string(),
                cards.to_string(),
            ];
            RegisterRow::new(seat, figures)
        };
        Register {
            id: "register".into(),
            name: "Who has what".into(),
            columns: ["cities", "towns", "blocks", "pool", "cards"].map(String::from).to_vec(),
            rows: vec![row(FRANK), row(SARACEN)],
        }
        .with_best()
    }

    /// What both sides can expect of a round in which all who are seen in the field fire.
    fn sums(&self, view: &View, p: &Position) -> Vec<Sum> {
        let Some(battle) = view.open.battle.filter(|battle| battle.round > 0) else { return Vec::new() };
        let t = battle.town;
        let fighting = |seat: Seat| {
            view.blocks.iter().filter(move |s| {
                s.slot.place == Place::Town(t)
                    && s.slot.owner == seat
                    && s.slot.arrival.is_none()
                    && s.strength > 0
            })
        };
        let hits =
            |seen: &SeenBlock| u32::from(seen.strength) * u32::from(self.components.blocks[seen.block].fire);
        let tenths = |sixths: u32| format!("{}.{}", (sixths * 10 + 3) / 6 / 10, (sixths * 10 + 3) / 6 % 10);
        let mut lines = Vec::new();
        let mut shares = Vec::new();
        for seat in [battle.attacker, battle.attacker.other()] {
            let mut all: Vec<&SeenBlock> = fighting(seat).collect();
            all.sort_by_key(|s| (self.components.blocks[s.block].letter, s.block));
            for seen in &all {
                let label = &self.components.blocks[seen.block];
                let text = format!("{} {}, strength {}", label.name, label.rating(), seen.strength);
                lines.push(SumLine::new(text, tenths(hits(seen)), rule!("6.2")));
            }
            let sum: u32 = all.iter().map(|s| hits(s)).sum();
            let text = format!("{}, seen", self.title_of(seat));
            lines.push(SumLine { text, amount: tenths(sum), rule: None, total: true });
            shares.push((Some(seat), sum));
        }
        if shares.iter().all(|(_, share)| *share == 0) {
            return Vec::new();
        }
        let walls =
            if self.besieged(p, t).is_some() { "; behind walls it takes two to lose a step" } else { "" };
        vec![Sum {
            id: "expected".into(),
            name: "Hits to expect in a round".into(),
            total: format!("{} : {}", tenths(shares[0].1), tenths(shares[1].1)),
            note: format!("if all fire and nobody charges{walls}"),
            lines,
            shares,
            target: Some(self.town_id(t)),
        }]
    }

    /// In which order blocks act, and what they hit with.
    fn aids(&self, view: &View, p: &Position) -> Vec<Aid> {
        let acting = self
            .acting(p)
            .filter(|_| matches!(view.step(), Some(Step::Round)))
            .and_then(|(_, blocks)| blocks.first())
            .map(|b| &self.components.blocks[b]);
        let lit = |holds: &dyn Fn(&Label) -> bool| acting.is_some_and(holds);
        let initiative = Letter::ALL.into_iter().map(|letter| {
            let who: Vec<_> = BOTH
                .map(|seat| {
                    let n = (self.components.letter[letter] & self.of(seat)).len();
                    format!("{} {n}", self.title.seat_name(seat))
                })
                .to_vec();
            AidRow::new([format!("{letter:?}"), "defender, then attacker".to_string(), who.join(", ")])
                .lit(lit(&|label| label.letter == letter))
        });
        let chance = |aim: u8| format!("{} %", (u32::from(aim) * 100 + 3) / 6);
        let fire = (1..=4u8).map(|aim| {
            let charge =
                if aim < 6 { format!("up to {}, {}", aim + 1, chance(aim + 1)) } else { String::new() };
            AidRow::new([aim.to_string(), format!("up to {aim}, {}", chance(aim)), charge])
                .lit(lit(&|label| label.fire == aim))
        });
        vec![
            Aid {
                id: "aid-initiative".into(),
                name: "Initiative".into(),
                note: "In each round all of a letter act before the next letter begins.".into(),
                rule: Some(rule!("6.2")),
                columns: ["letter", "order", "blocks in the game"].map(String::from).to_vec(),
                rows: initiative.collect(),
            },
            Aid {
                id: "aid-fire".into(),
                name: "Fire and charge".into(),
                note: "A die for each step of strength. A charge hits on one more, and each six costs the knights a step."
                    .into(),
                rule: Some(rule!("6.3")),
                columns: ["rating", "fires", "charges"].map(String::from).to_vec(),
                rows: fire.collect(),
            },
        ]
    }

    fn prompt(&self, view: &View, p: &Position) -> Option<Prompt> {
        let seat = view.deciding.lowest()?;
        let who = self.title.seat_name(seat);
        let town = |t: Town| self.components.town_name(t).to_string();
        let battle = view.open.battle;
        let here = battle.map_or(String::new(), |battle| town(battle.town));
        let round = battle.map_or(0, |battle| battle.round);
        let moves_left = |left: u8| match left {
            0 => "no move left".to_string(),
            _ => format!("{} left", counted(left, "move", "moves")),
        };
        let limit = counted(battle.map_or(0, |battle| self.rating(battle.town)), "block", "blocks");
        let (text, rule) = match *view.step()? {
            Step::Turn(_) | Step::Fight(_) => return None,
            Step::Deploy { .. } => {
                (format!("{who} shifts blocks among their seats, then is done"), rule!("3.1"))
            }
            Step::Exchange => {
                (format!("{who} lets Saladin change places with one of his family, or not"), rule!("3.2"))
            }
            Step::Deal => (format!("{who} takes six cards"), rule!("4.0")),
            Step::Cards { .. } => {
                let all: Vec<_> = view.deciding.iter().map(|s| self.title.seat_name(s)).collect();
                let verb = if all.len() > 1 { "choose" } else { "chooses" };
                (format!("{} {verb} a card in secret", all.join(" and ")), rule!("4.1"))
            }
            Step::Assassins { .. } => (
                format!(
                    "{who} names a town, where a hidden block is drawn for the assassins, or a face-up block"
                ),
                rule!("card.assassins"),
            ),
            Step::Manna { left, .. } => {
                let more = counted(left, "more block", "more blocks");
                (format!("{who} gives a step to {more}, or is done"), rule!("card.manna"))
            }
            Step::Moves { left, group_only, going, .. } => match (view.sailing(), going) {
                (Some(block), _) => {
                    (format!("{who} names the port for {}", self.components.block_name(block)), rule!("5.4"))
                }
                (None, Going::Call) => (format!("{who} names the muster town"), rule!("5.3")),
                (None, Going::Muster { town: t }) => (
                    format!(
                        "{who} musters at {}: any block that can reach it ({})",
                        town(t),
                        moves_left(left)
                    ),
                    rule!("5.3"),
                ),
                (None, Going::Group { town: t, .. }) => (
                    format!("{who} moves the group in {}, road by road ({})", town(t), moves_left(left)),
                    rule!("5.2"),
                ),
                (None, Going::Idle) if group_only => {
                    (format!("{who} moves one group by road, or is done"), rule!("4.2b"))
                }
                (None, Going::Idle) if view.open.is_winter() => {
                    (format!("{who} moves into winter quarters ({})", moves_left(left)), rule!("8.1"))
                }
                (None, Going::Idle) => (
                    format!("{who} moves a group, musters or sails ({}), or is done", moves_left(left)),
                    rule!("5.0"),
                ),
            },
            Step::MainRoad { town: t, .. } => {
                let rule =
                    if view.open.attacked[seat.other()].has(t) { rule!("6.42") } else { rule!("6.41") };
                (format!("{who} names the main road into {}; the others come a round later", town(t)), rule)
            }
            Step::Jihad { .. } => (format!("{who} declares where the jihad is"), rule!("card.jihad")),
            Step::NextBattle => (format!("{who} picks the next battle"), rule!("6.0")),
            Step::Shelter { .. } => (
                format!("{who} puts up to {limit} into the castle of {here}; the rest fights in the field"),
                rule!("6.1"),
            ),
            Step::Storm { .. } => (
                format!("{who} storms {here} with up to {limit} in round {round}, or does not"),
                rule!("6.53"),
            ),
            Step::Sally { .. } => (
                format!(
                    "{who} sallies from {here} in round {round}, or stays; if nobody fights, hunger decides"
                ),
                rule!("6.55"),
            ),
            Step::FaceUp { town: t, .. } => {
                (format!("{who} turns one of the besiegers of {} face-up", town(t)), rule!("6.51"))
            }
            Step::Round if battle.is_some_and(|battle| battle.storm) => {
                (format!("{who}: a block fires in the storm of {here} (round {round})"), rule!("6.54"))
            }
            Step::Round => {
                (format!("{who}: a block fires or retreats at {here} (round {round} of 3)"), rule!("6.2"))
            }
            Step::Hits { hits, .. } => (
                format!("{who} chooses which of the strongest blocks takes a hit ({hits} to place)"),
                rule!("6.31"),
            ),
            Step::Harried { block } => (
                format!("{who}: {} has harried and must retreat", self.components.block_name(block)),
                rule!("6.33"),
            ),
            Step::MustRetreat { .. } => {
                (format!("{who} has attacked for three rounds and must leave {here}"), rule!("6.2"))
            }
            Step::LeaveSiege { .. } => {
                (format!("{who} may leave the siege of {here}, or stays"), rule!("6.2"))
            }
            Step::Regroup { town: t, .. } => (format!("{who} may regroup from {}", town(t)), rule!("6.7")),
            Step::Place { .. } => {
                let what = view.drawn().map_or("the drawn block", |b| self.components.block_name(b));
                (format!("{who} places {what}"), rule!("7.0"))
            }
            Step::Winter => {
                let hungry = view
                    .viewer
                    .seat()
                    .is_some_and(|s| Town::all().any(|t| self.wintering(p, s, t).len() > self.supply(t)));
                let all: Vec<_> = view.deciding.iter().map(|s| self.title.seat_name(s).to_string()).collect();
                let (spend, verb) = if all.len() > 1 { ("spend", "give") } else { ("spends", "gives") };
                let all = listed(&all);
                if hungry {
                    (format!("{all} {verb} up blocks in towns that cannot feed them all"), rule!("8.3"))
                } else {
                    (format!("{all} {spend} replacement points in secret"), rule!("8.4"))
                }
            }
        };
        Some(Prompt::new(view.deciding, text, rule).advice(self.guidance(view)))
    }

    /// A sentence of advice for each kind of decision in the guided scenario, for the eyes of the one who
    /// decides.
    fn guidance(&self, view: &View) -> Option<&'static str> {
        let Viewer::Seat(me) = view.viewer else { return None };
        if view.open.table.goal.is_none() || !view.deciding.contains(me) {
            return None;
        }
        let frank = me == FRANK;
        Some(match view.step()? {
            Step::Moves { going: Going::Idle, left: 0, .. } => "No move is left: end your moves",
            Step::Moves { going: Going::Idle, .. } if frank => {
                "Raymond is besieged in Tiberias. Click Acre and send its blocks along the road to Tiberias; four fit on it"
            }
            Step::Moves { going: Going::Idle, .. } => {
                "Your army stands before Tiberias. Bring more blocks from Banyas or Ashtera: they arrive in round 2"
            }
            Step::Moves { .. } => {
                "Pick a block, then the next town on its way; a field with enemies ends the march"
            }
            Step::MainRoad { .. } => {
                "Blocks of the main road fight from the first round; choose the stronger column"
            }
            Step::Sally { .. } => {
                "Raymond may join the fight outside, or keep the walls between himself and Saladin"
            }
            Step::Storm { .. } => "Storming costs blood: behind walls it takes two hits to lose a step",
            Step::Round if frank => {
                "Letters act in order, A before B before C. Your knights may charge: one more to hit, but sixes hurt"
            }
            Step::Round => {
                "Letters act in order, A before B before C. Your Kurds may harry: they fire and retreat at once"
            }
            Step::FaceUp { .. } => "Your enemy will see this block and its strength; the others stay hidden",
            Step::Hits { .. } => "Hits go to your strongest block; only ties are yours to decide",
            Step::MustRetreat { .. } => "Three rounds did not win you the field: go back the way you came",
            Step::Regroup { .. } => "The field is yours: you may move on one road, or stay",
            Step::LeaveSiege { .. } => "Stay, and your siege stands; leave, and Tiberias is free",
            Step::Harried { .. } => "Choose where the riders go",
            Step::Shelter { .. } => "Walls protect, but blocks inside go hungry",
            _ => "Read the rule beside the prompt if in doubt",
        })
    }

    fn warnings(&self, view: &View, p: &Position) -> Vec<Warning> {
        let Viewer::Seat(me) = view.viewer else { return Vec::new() };
        let Some(Step::Moves { seat, left, .. }) = view.step() else { return Vec::new() };
        let mut warnings = Vec::new();
        if *seat != me {
            return warnings;
        }
        let mut warn = |text: String, rule: Rule, t: Option<Town>| {
            warnings.push(Warning { text, rule, target: t.map(|t| self.town_id(t)) });
        };
        if *left > 0 {
            let verb = if *left == 1 { "is" } else { "are" };
            let moves = counted(*left, "move", "moves");
            warn(format!("{moves} {verb} left and cannot be saved"), rule!("5.0"), None);
        }
        for t in Town::all() {
            let town = &self.components.towns[t];
            let mine = (p.here[t] & self.of(me)).len();
            if town.prize && self.control(p, t) == Some(me) && mine == 0 && view.open.table.goal.is_none() {
                warn(format!("{} is a victory city and nobody guards it", town.name), rule!("1.12"), Some(t));
            }
            if p.open.is_winter() && mine > 0 {
                if self.besieged(p, t) == Some(me.other()) && view.open.campaign != Some(t) {
                    let besiegers = counted(mine, "besieger", "besiegers");
                    warn(
                        format!("{besiegers} of {} will not survive the winter", town.name),
                        rule!("8.3"),
                        Some(t),
                    );
                } else if self.besieged(p, t).is_none() && mine > self.supply(t) {
                    warn(
                        format!(
                            "{} feeds {} in winter, and {mine} are there",
                            town.name,
                            counted(self.supply(t), "block", "blocks")
                        ),
                        rule!("8.3"),
                        Some(t),
                    );
                }
            }
            if p.open.attacked[me].has(t) && p.open.pending.has(t) {
                let way_out = town.roads.iter().any(|(to, road)| {
                    self.entered_by(p, me, *road, t) && (self.vacant(p, *to) || self.friendly(p, *to, me))
                });
                if !way_out {
                    warn(format!("Nobody who attacks {} could retreat", town.name), rule!("6.61"), Some(t));
                }
            }
        }
        warnings
    }

    /// What awaits a block that goes to a town.
    pub(crate) fn march_hint(&self, view: &View, t: Town) -> String {
        let Some(Step::Moves { seat, .. }) = view.step() else { return String::new() };
        let p = self.imagine(view, &mut Lots::new(0));
        let enemies = self.field(&p, t, seat.other()).len();
        if enemies == 0 {
            let besieged = self.besieged(&p, t) == Some(seat.other());
            return if besieged { "your own siege".into() } else { String::new() };
        }
        let enemies = counted(enemies, "block", "blocks");
        let reinforces = view.open.attacked[seat.other()].has(t);
        let relieves = self.besieged(&p, t) == Some(*seat) && *seat != view.open.first;
        if reinforces || relieves {
            format!("against {enemies}: on the main road in round 2, else in round 3")
        } else {
            format!("against {enemies}: on the main road in round 1, else in round 2")
        }
    }

    pub(crate) fn place_hint(&self, view: &View, t: Town) -> String {
        match (view.step(), view.drawn()) {
            (Some(Step::Place { seat }), Some(b)) => {
                let p = self.imagine(view, &mut Lots::new(0));
                format!("arrives with strength {}", self.entry_strength(&p, *seat, b, t))
            }
            _ => String::new(),
        }
    }

    /// An action as a button says it.
    fn say(&self, view: &View, action: Action) -> String {
        let town = |t: Town| self.components.town_name(t);
        let block = |b: Block| self.components.block_name(b);
        match (action, view.step()) {
            (Action::Pick(b), Some(Step::Shelter { .. })) => format!("{} into the castle", block(b)),
            (Action::Pick(b), Some(Step::Storm { .. })) => format!("{} storms", block(b)),
            (Action::Pick(b), Some(Step::Sally { .. })) => format!("{} sallies", block(b)),
            (Action::Pick(b), Some(Step::FaceUp { .. })) => format!("Show {}", block(b)),
            (Action::Pick(b), _) => format!("Pick {}", block(b)),
            (Action::Done, Some(Step::FaceUp { .. })) => "Show the one that matters least".into(),
            (Action::Done, Some(Step::Deploy { .. })) => "The Franks are deployed".into(),
            (Action::Done, Some(Step::Manna { .. })) => "No more blocks gain a step".into(),
            (Action::Done, Some(Step::Winter)) => "Done with winter".into(),
            (Action::Begin, Some(Step::Shelter { .. })) => "Deploy".into(),
            (Action::Begin, Some(Step::Storm { .. })) => "Storm!".into(),
            (Action::Begin, Some(Step::Sally { .. })) => "Sally!".into(),
            (Action::Done, Some(Step::Storm { .. })) => "Do not storm".into(),
            (Action::Done, Some(Step::Sally { .. })) => "Stay inside".into(),
            (Action::Done, Some(Step::Moves { .. })) => "End the moves".into(),
            (Action::Done, Some(Step::LeaveSiege { .. })) => "Stay on siege".into(),
            (Action::Done, Some(Step::Regroup { .. })) => "End the regrouping".into(),
            (Action::Done, Some(Step::Exchange)) => "Saladin stays where he is".into(),
            (Action::Done, _) => "Done".into(),
            (Action::Go(b, t), _) => format!("{} to {}", block(b), town(t)),
            (Action::Fire(b), _) => format!("{} fires", block(b)),
            (Action::Charge(b), _) => format!("{} charges", block(b)),
            (Action::Harry(b), _) => format!("{} harries", block(b)),
            (Action::Withdraw(b), _) => format!("{} withdraws", block(b)),
            (Action::Retreat(b, t), _) => format!("{} retreats to {}", block(b), town(t)),
            (Action::Regroup(b, t), _) => format!("{} regroups to {}", block(b), town(t)),
            (Action::Take(b), _) => format!("{} takes the hit", block(b)),
            (Action::Fill, _) => "Fill up for me".into(),
            (Action::Homes, _) => "All to their home seats".into(),
            (Action::Seat(b, t), _) => format!("{} begins in {}", block(b), town(t)),
            (Action::Exchange(b), _) => format!("Saladin changes places with {}", block(b)),
            (Action::Deal, _) => "Take the cards".into(),
            (Action::Play(card), _) => format!("Play {}", card.name()),
            (Action::Strike(t), _) => format!("The assassins strike in {}", town(t)),
            (Action::Stab(b), _) => format!("The assassins strike {}", block(b)),
            (Action::Bless(b) | Action::Replace(b), _) => format!("{} gains a step", block(b)),
            (Action::Group(t), _) => format!("Move the group in {}", town(t)),
            (Action::Muster, _) => "Begin a muster".into(),
            (Action::MusterAt(t), _) => format!("Muster at {}", town(t)),
            (Action::Sail(b), _) => format!("{} sails", block(b)),
            (Action::Land(t), _) => format!("Land in {}", town(t)),
            (Action::Assault(t), _) => format!("Attack {} from the sea", town(t)),
            (Action::Enter(b, t), _) => format!("{} enters {}", block(b), town(t)),
            (Action::Campaign(t), _) => format!("Keep the siege of {} over the winter", town(t)),
            (Action::Main(t, Whence::Sea), _) => format!("The main attack on {} comes from the sea", town(t)),
            (Action::Main(t, Whence::North), _) => {
                format!("The main attack on {} comes from the north", town(t))
            }
            (Action::Main(t, Whence::Town(from)), _) => {
                format!("The main road into {} is that from {}", town(t), town(from))
            }
            (Action::Jihad(t), _) => format!("Declare the jihad at {}", town(t)),
            (Action::Fight(t), _) => format!("Fight at {} next", town(t)),
            (Action::Begin, _) => "Begin".into(),
            (Action::Place(t), _) => {
                let what = view.drawn().map_or("The block", |b| self.components.block_name(b));
                format!("{what} comes to {}", town(t))
            }
            (Action::Return, _) => "Put it back into the pool".into(),
            (Action::Starve(b), _) => format!("Give up {}", block(b)),
        }
    }
}
