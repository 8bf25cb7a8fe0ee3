//! A view as a picture of the table: the ground, the men on it, odds as sums, character sheets; choices in words; and
//! where a man can go.

use std::sync::LazyLock;

use table::arms::{Arms, Roll};
use table::hex::{Direction, Lattice, Lie};
use table::rooms::*;
use table::scene::{
    Aid, AidRow, Board, Choice, Face, Fall, Form, Front, Marker, Piece, Prompt, Register, RegisterRow, Ring,
    Room, Scene, Shape, Sign, Space, Sum, SumLine, TerrainSign, Track,
};
use table::{Reach, Rule, rule};

use super::action::Action;
use super::position::Prelude;
use super::view::View;
use super::{Skirmish, seat_of, side_of};
use crate::data::{NCO, Shot, Terrain, Weapon};
use crate::deed::Deed;
use crate::field::{EngineKind, Fate, Field, Marks, Order, Soldier, Step, Waypoint};
use crate::ids::{Counter, Man, Place, Side, Who};

/// From the middle of a hex to its corner, in board units.
const SIZE: i32 = 44;
/// Pips of a man in full health.
const PIPS: u16 = 6;

/// Who bears which arms.
static ROLL: LazyLock<Roll> = LazyLock::new(|| Roll::read("arms.toml", levant::ARMS).unwrap_or_default());

/// The id of a hex.
pub(crate) fn hex_id(place: Place) -> String {
    format!("hex-{place}")
}

/// The id of a man's piece.
fn man_id(man: Man) -> String {
    format!("man-{}", man.number() + 1)
}

fn way_word(direction: Direction) -> &'static str {
    direction.name(Lie::Pointy)
}

impl Shown for Skirmish {
    fn scene(&self, view: &View) -> Scene {
        let f = &view.open.field;
        let name = &self.title.scenarios[usize::from(view.open.scenario)].name;
        let title = match view.open.prelude {
            Prelude::Past => format!("{name}, turn {} of {}", f.turn, f.last),
            _ => name.clone(),
        };
        let mut scene = Scene { title, prompt: self.prompt(view), ..Scene::default() };
        if view.open.prelude != Prelude::Past {
            scene.boards.push(self.empty_board(view));
            scene.sums = self.muster_sums(view);
            scene.aids = self.price_lists();
            return scene;
        }
        scene.boards.push(self.board(view));
        scene.register = Some(self.register(f));
        scene.tracks.push(self.points_track(f));
        scene.sums = self.sums(view);
        scene.aids = Side::BOTH.map(|side| self.sheet(f, side)).to_vec();
        scene
    }

    fn choice(&self, view: &View, action: Action) -> Choice {
        let data = &self.tactics.data;
        match action {
            Action::Quick => Choice::button("A quick battle")
                .hint("Both sides are played out at once by the house, if the other agrees"),
            Action::Fight => Choice::button("Fight it out"),
            Action::Seal => Choice::button("Seal the muster").hint("Nobody can be bought after that"),
            Action::BuyOnFoot(who) => Choice::button(format!("{} on foot", data.name(who))),
            Action::Buy(who) => {
                let (card, kind) = (data.card(who.counter), data.kind(who.counter));
                Choice::button(format!(
                    "{}, {} for {}",
                    card.name,
                    lower(&kind.name),
                    points(card.cost.into())
                ))
                .hint(self.figures(who.counter))
            }
            Action::Field(deed) => self.deed_choice(view, deed),
        }
    }

    fn reach(&self, view: &View, picked: &[&str]) -> Vec<Reach> {
        let targets = self.targets(view, picked);
        if !targets.is_empty() {
            let reached = |target: Target| Reach {
                space: hex_id(target.at),
                cost: target.chance,
                danger: String::new(),
                ends: false,
            };
            return targets.into_iter().map(reached).collect();
        }
        let Some((man, ways)) = self.ways(view, picked) else { return Vec::new() };
        let f = &view.open.field;
        let side = f.man(man).side;
        let reached = |way: &Way| {
            let near = self.tactics.near_foe(f, way.at, side);
            Reach {
                space: hex_id(way.at),
                cost: way.spent.to_string(),
                danger: if way.challenged {
                    "enemies may challenge him on the way".into()
                } else if near {
                    "next to an enemy".into()
                } else {
                    String::new()
                },
                ends: way.challenged,
            }
        };
        ways.iter().map(reached).collect()
    }

    fn route(&self, view: &View, picked: &[&str], to: &str) -> Vec<Action> {
        let target = self.targets(view, picked).into_iter().find(|target| hex_id(target.at) == to);
        if let Some(target) = target {
            return vec![Action::Field(target.deed)];
        }
        let Some((man, ways)) = self.ways(view, picked) else { return self.may_not_go(view, picked) };
        let f = &view.open.field;
        let Some(way) = ways.iter().find(|way| hex_id(way.at) == to) else {
            return self.stopped(view, man, &ways, to);
        };
        let take = (f.step() == Step::Move).then(|| Deed::Take(f.man(man).who));
        let all = take.into_iter().chain(way.deeds.iter().copied()).chain([Deed::Halt]);
        all.map(Action::Field).collect()
    }
}

/// An enemy whom a man can shoot at or attack now.
struct Target {
    at: Place,
    /// How good it looks, in a few signs.
    chance: String,
    deed: Deed,
}

/// A way that a man can go.
struct Way {
    at: Place,
    facing: Direction,
    spent: u8,
    challenged: bool,
    deeds: Vec<Deed>,
}

impl Skirmish {
    /// Whom the picked man of the viewer has in range and sight, or in front of him, with his chances: dice of ten that
    /// hit, or times in a hundred that his attack beats a counter-attack.
    fn targets(&self, view: &View, picked: &[&str]) -> Vec<Target> {
        let Some(man) = self.picked(view, picked) else { return Vec::new() };
        let (f, t) = (&view.open.field, &self.tactics);
        let who = f.man(man).who;
        let mut options = table::Options::<Deed>::new();
        match f.step() {
            Step::Fire | Step::Combat => t.options(f, &mut options),
            _ => return Vec::new(),
        }
        let target = |deed: Deed| match deed {
            Deed::Shoot(shooter, target, None) if shooter == who => {
                let (from, weapon) = (f.man(man).at?, t.weapon(f, man)?);
                let at = t.mark(f, weapon, from, f.find(target)?)?;
                let (hits, _) = self.shot_dice(f, man, f.find(target)?, at)?;
                Some(Target { at, chance: format!("{hits}/10"), deed })
            }
            Deed::Attack(attacker, target) if attacker == who => {
                let foe = f.find(target)?;
                let at = f.man(foe).at?;
                Some(Target { at, chance: format!("{} %", self.attack_odds(f, man, foe)), deed })
            }
            _ => None,
        };
        options.offers().iter().filter_map(|offer| target(offer.action)).collect()
    }

    /// The man of the viewer who is picked, alone, while the viewer decides.
    fn picked(&self, view: &View, picked: &[&str]) -> Option<Man> {
        let seat = view.viewer.seat().filter(|seat| view.deciding.contains(*seat))?;
        let [piece] = picked else { return None };
        let man = Man::try_at(piece.strip_prefix("man-")?.parse::<usize>().ok()?.checked_sub(1)?)?;
        let f = &view.open.field;
        let own = view.open.prelude == Prelude::Past
            && man.number() < f.men.len()
            && f.man(man).side == side_of(seat)
            && f.man(man).here();
        own.then_some(man)
    }

    /// How often of a hundred times a man's attack, alone, beats the counter-attack of another.
    fn attack_odds(&self, f: &Field, man: Man, foe: Man) -> u32 {
        let t = &self.tactics;
        let charges = t.charges(f, man, foe);
        let quiet = &mut |_: Rule, _: Man, _: &'static str, _: i16| {};
        let attack = t.force(f, &[man], &[foe], |_| charges, quiet);
        let counter = t.force(f, &[foe], &[man], |_| false, quiet);
        odds(attack, t.dice_against(f, &[foe]), counter, t.dice_against(f, &[man]))
    }

    /// Where the picked man of the viewer can go in this move, each hex with its cheapest way.
    fn ways(&self, view: &View, picked: &[&str]) -> Option<(Man, Vec<Way>)> {
        let man = self.picked(view, picked)?;
        let t = &self.tactics;
        let mut f = view.open.field.clone();
        match f.step() {
            Step::Move if t.may_move(&f, man).is_ok() => {
                let who = f.man(man).who;
                t.apply(&mut f, Deed::Take(who), &mut table::Silent::new(0));
            }
            Step::March(one) if one == man && !f.march.busy => {}
            _ => return None,
        }
        let start = *f.man(man);
        let began = start.at?;
        let mut done: Vec<Way> = vec![Way {
            at: began,
            facing: start.facing,
            spent: f.march.spent,
            challenged: false,
            deeds: Vec::new(),
        }];
        let march = f.march.clone();
        let mut next = 0;
        while next < done.len() {
            let (at, facing, spent, challenged) =
                (done[next].at, done[next].facing, done[next].spent, done[next].challenged);
            let deeds = done[next].deeds.clone();
            next += 1;
            if challenged {
                continue;
            }
            let soldier = f.man_mut(man);
            soldier.at = Some(at);
            soldier.facing = facing;
            f.march = march.clone();
            f.march.spent = spent;
            if !deeds.is_empty() && f.march.path.len() < 2 {
                f.march.path.push(Waypoint { at, facing, spent, life: start.life, run: 0 });
            }
            let near = f.man(man).hexes().any(|hex| t.near_foe(&f, hex, start.side));
            let mut found: Vec<(Place, Direction, u8, Deed)> = Vec::new();
            for way in Direction::ALL {
                if let (Ok(cost), Some(to)) = (t.step_cost(&f, man, way), f.next(at, way)) {
                    found.push((to, way, cost, Deed::Go(way)));
                }
            }
            if start.mounted() {
                for deed in [Deed::Left, Deed::Right] {
                    if let Ok((to, looks, cost)) = t.turning(&f, man, deed) {
                        found.push((to, looks, cost, deed));
                    }
                }
            }
            for (to, looks, cost, deed) in found {
                let spent = spent + cost;
                let same = |way: &&mut Way| way.at == to && (!start.mounted() || way.facing == looks);
                let risky = near && t.near_foe(&f, to, start.side);
                match done.iter_mut().find(same) {
                    Some(way) if way.spent <= spent => {}
                    Some(_) | None => {
                        let mut deeds = deeds.clone();
                        deeds.push(deed);
                        done.push(Way { at: to, facing: looks, spent, challenged: risky, deeds });
                    }
                }
            }
            if done.len() > 4000 {
                break;
            }
        }
        done.sort_by_key(|way| (way.challenged, way.spent, way.deeds.len()));
        let mut seen: Vec<Place> = vec![began];
        let mut best = Vec::new();
        for way in done {
            let stops = f.is_free(way.at)
                && (!start.mounted() || {
                    let tail = way.at.neighbour(way.facing.opposite());
                    tail.is_some_and(|tail| f.is_free(tail))
                });
            if stops && !way.deeds.is_empty() && !seen.contains(&way.at) {
                seen.push(way.at);
                best.push(way);
            }
        }
        Some((man, best))
    }

    /// For a man who may not be moved: the attempt, which is refused and says why.
    fn may_not_go(&self, view: &View, picked: &[&str]) -> Vec<Action> {
        let f = &view.open.field;
        let man = self.picked(view, picked).filter(|_| f.step() == Step::Move);
        man.map(|man| Action::Field(Deed::Take(f.man(man).who))).into_iter().collect()
    }

    /// The way towards a hex that a man does not reach, with the step at its end that he cannot make: played as one
    /// batch it moves nobody, and the refusal says what is in the way or too dear, and under which rule.
    fn stopped(&self, view: &View, man: Man, ways: &[Way], to: &str) -> Vec<Action> {
        let t = &self.tactics;
        let Some(goal) = to.strip_prefix("hex-").and_then(|hex| hex.parse::<Place>().ok()) else {
            return Vec::new();
        };
        let here = view.open.field.man(man);
        let start = here.at.map(|at| (at.distance(goal), 0, &[][..]));
        // Who might be challenged on his way could lose more than a click.
        let safe = ways.iter().filter(|way| !way.challenged);
        let nearest = safe.map(|way| (way.at.distance(goal), way.spent, &way.deeds[..])).chain(start);
        let Some((_, _, deeds)) = nearest.min_by_key(|(far, spent, _)| (*far, *spent)) else {
            return Vec::new();
        };
        let mut f = view.open.field.clone();
        let take = (f.step() == Step::Move).then_some(Deed::Take(here.who));
        let deeds: Vec<Deed> = take.into_iter().chain(deeds.iter().copied()).collect();
        for deed in &deeds {
            t.apply(&mut f, *deed, &mut table::Silent::new(0));
        }
        let Some(at) = f.man(man).at.filter(|_| f.step() == Step::March(man)) else { return Vec::new() };
        let nearer =
            |way: &Direction| f.next(at, *way).is_some_and(|to| to.distance(goal) < at.distance(goal));
        let refused = Direction::ALL.into_iter().filter(nearer).filter_map(|way| {
            let (rule, _) = t.step_cost(&f, man, way).err()?;
            Some((rule == rule!("T3"), way))
        });
        let Some((_, way)) = refused.min_by_key(|(turns, _)| *turns) else { return Vec::new() };
        deeds.into_iter().chain([Deed::Go(way)]).map(Action::Field).collect()
    }

    fn lattice() -> Lattice {
        Lattice::new(Lie::Pointy, SIZE, (SIZE + 6, SIZE + 6))
    }

    fn ground(&self, f: &Field, board: &mut Board) {
        let data = &self.tactics.data;
        let lattice = Self::lattice();
        let (mut width, mut height) = (0, 0);
        let mut kinds: Vec<Terrain> = Vec::new();
        for place in f.places() {
            let (x, y) = lattice.centre(place.hex());
            (width, height) = (width.max(x + SIZE + 6), height.max(y + SIZE + 6));
            let mut space = Space::new(hex_id(place), "", (x, y), Shape::Hex { r: SIZE });
            let terrain = f.terrain(place);
            let number = kinds.iter().position(|kind| *kind == terrain).unwrap_or_else(|| {
                kinds.push(terrain);
                kinds.len() - 1
            });
            space.terrain = Some(number as u8);
            if f.fires.iter().any(|fire| fire.at == place) {
                space.badge = "on fire".into();
            }
            board.spaces.push(space);
        }
        board.terrains = kinds
            .iter()
            .map(|kind| {
                let ground = data.ground(*kind);
                let cost = |points: Option<u8>| points.map_or("closed".to_string(), |n| n.to_string());
                let note = format!(
                    "on foot {}, riding {}, {} cover",
                    cost(ground.foot),
                    cost(ground.mounted),
                    if ground.cover == crate::data::Cover::None { "no" } else { ground.cover.word() }
                );
                table::scene::Terrain::new(sign_of(*kind), capital(kind.word()), note)
            })
            .collect();
        board.width = width;
        board.height = height;
    }

    fn empty_board(&self, view: &View) -> Board {
        let data = &self.tactics.data;
        let mut f = view.open.field.clone();
        let map = &data.maps[usize::from(view.open.map)];
        for (row, line) in map.hexes.iter().enumerate() {
            for (column, terrain) in line.iter().enumerate() {
                if let Some(place) = Place::new(row, column) {
                    f.set_terrain(place, *terrain);
                }
            }
        }
        let mut board =
            Board { id: "ground".into(), name: map.name.clone(), room: Room::Large, ..Board::default() };
        self.ground(&f, &mut board);
        board
    }

    fn board(&self, view: &View) -> Board {
        let f = &view.open.field;
        let name = self.tactics.data.maps[usize::from(view.open.map)].name.clone();
        let mut board = Board { id: "ground".into(), name, room: Room::Large, ..Board::default() };
        self.ground(f, &mut board);
        for (id, engine) in f.engines() {
            let (Some(at), false) = (engine.at, engine.kind == EngineKind::Fascine && engine.raised) else {
                continue;
            };
            let carried = f.men.iter().any(|m| m.engine == Some(id) && !m.is(Marks::ABOARD));
            let word = engine.kind.word();
            let state = if engine.raised && engine.kind == EngineKind::Ladder {
                "raised against the wall"
            } else if carried {
                "carried"
            } else {
                "standing"
            };
            board.pieces.push(Piece {
                id: format!("engine-{}", id.number() + 1),
                space: hex_id(at),
                facing: Some(facing_number(engine.facing)),
                owner: Some(seat_of(engine.side)),
                form: Form::Token,
                face: Face::Shown(Front {
                    name: capital(word),
                    sign: Some(Sign::Engine),
                    ..Front::default()
                }),
                text: format!(
                    "{} {} of the {}, {state}",
                    capital(word),
                    id.number() + 1,
                    side_word(engine.side)
                ),
                ..Piece::default()
            });
        }
        for (man, m) in f.all() {
            if let Some(at) = m.at {
                board.pieces.push(self.piece(f, man, m, at));
            }
        }
        for (man, m) in f.all() {
            if let Some(at) = m.horse {
                board.pieces.push(Piece {
                    id: format!("horse-{}", man.number() + 1),
                    space: hex_id(at),
                    form: Form::Token,
                    face: Face::Shown(Front { name: "Horse".into(), ..Front::default() }),
                    text: format!("A loose horse, that {} rode", self.tactics.call(f, man)),
                    ..Piece::default()
                });
            }
        }
        board.rings = Side::BOTH.into_iter().filter_map(|side| self.ring(f, side)).collect();
        board.falls = f
            .fight
            .defenders
            .iter()
            .filter(|man| !f.man(**man).here())
            .filter_map(|man| {
                let at = f.fight.ways().find(|trail| trail.whose == Some(*man))?.hexes.first()?;
                Some(Fall { space: hex_id(*at), count: 1, owner: Some(seat_of(f.man(*man).side)) })
            })
            .collect();
        board
    }

    /// How far a commander inspires, as a ring [3.46].
    fn ring(&self, f: &Field, side: Side) -> Option<Ring> {
        let chief = f.chiefs[side.index()];
        f.men.get(chief.man.number())?;
        let within = f.places().filter(|place| self.tactics.inspires(f, side, *place));
        let spaces: Vec<String> = within.map(hex_id).collect();
        let name = format!("{} inspires within {}", self.tactics.call(f, chief.man), hexes(chief.range()));
        (!spaces.is_empty()).then_some(Ring { name, owner: Some(seat_of(side)), spaces })
    }

    /// The arms of a man: his own, or those of his type; men of both sides follow their commander.
    fn arms(&self, f: &Field, m: &Soldier) -> Option<Arms> {
        let bears = |m: &Soldier| {
            let (card, kind) = (self.tactics.card(m), self.tactics.kind(m));
            ROLL.bears("croisades", &card.name, &[&kind.code])
        };
        let chief = f.chiefs[m.side.index()].man;
        bears(m).or_else(|| bears(f.men.get(chief.number())?)).map(|coat| coat.arms.clone())
    }

    fn piece(&self, f: &Field, man: Man, m: &Soldier, at: Place) -> Piece {
        let t = &self.tactics;
        let (card, kind, face) = (t.card(m), t.kind(m), t.face(m));
        let acting = match f.step() {
            Step::March(one) | Step::Shots(one) | Step::Retreat(one, _) => one == man,
            Step::Deploy(_, taken) => taken == Some(man),
            Step::Attack | Step::Answer | Step::Victim(_) | Step::Advance => {
                f.fight.attackers.contains(&man) || f.fight.defenders.contains(&man)
            }
            Step::Mercy(one, to) => one == man || to == man,
            _ => false,
        };
        let pips = (u16::from(m.life) * PIPS).div_ceil(u16::from(card.life.max(1)));
        let name = t.call(f, man).to_string();
        let mut states: Vec<&str> = Vec::new();
        for (mark, word) in [
            (Marks::STUNNED, "stunned"),
            (Marks::PANIC, "in panic"),
            (Marks::ROUT, "in rout"),
            (Marks::ABOARD, "inside an engine"),
        ] {
            if m.is(mark) {
                states.push(word);
            }
        }
        if t.wounded(m) {
            states.push("wounded");
        }
        if f.chiefs[m.side.index()].man == man {
            states.push("commands");
        }
        let state = if states.is_empty() { String::new() } else { format!(", {}", states.join(", ")) };
        let text = format!(
            "{name}, {}{state}: attack {}, defence {}, movement {}, life {} of {}, experience {}",
            lower(&kind.name),
            face.attack,
            face.defence,
            face.movement,
            m.life,
            card.life,
            m.experience
        );
        let sign = match (card.mounted.is_some(), kind.armoured, kind.weapon) {
            (true, true, _) => Sign::HeavyHorse,
            (true, false, _) => Sign::LightHorse,
            (false, _, Some(_)) => Sign::Archer,
            (false, _, None) if !kind.armed => Sign::Pilgrim,
            (false, _, None) if kind.class > 5 => Sign::Militia,
            _ => Sign::Foot,
        };
        Piece {
            id: man_id(man),
            space: hex_id(at),
            covers: m.tail().map(hex_id),
            facing: m.mounted().then(|| facing_number(m.facing)),
            owner: Some(seat_of(m.side)),
            form: if t.leads_men(f, man) { Form::Stand } else { Form::Counter },
            face: Face::Shown(Front {
                home: if m.is(Marks::STUNNED) { "stunned".into() } else { String::new() },
                name,
                arms: self.arms(f, m),
                sign: Some(sign),
                left: face.attack.to_string(),
                right: face.movement.to_string(),
                pips: (pips as u8, PIPS as u8),
                lit: acting,
                spent: m.is(Marks::MOVED) && m.side == f.active,
                wounded: t.wounded(m),
                ..Front::default()
            }),
            text,
            ..Piece::default()
        }
    }

    fn register(&self, f: &Field) -> Register {
        let row = |side: Side| {
            let up = f.of(side).filter(|(_, m)| m.stands()).count();
            let count = |fate| f.men.iter().filter(|m| m.side == side && m.fate == fate).count().to_string();
            let cells = [
                up.to_string(),
                count(Fate::Dead),
                count(Fate::Captive),
                count(Fate::Fled),
                (self.tactics.score(f, side) / 100).to_string(),
            ];
            let mut row = RegisterRow::new(seat_of(side), cells);
            let chief = f.chiefs[side.index()];
            row.arms = f.men.get(chief.man.number()).and_then(|m| self.arms(f, m));
            row.note = format!(
                "{} commands and inspires within {}",
                self.tactics.call(f, chief.man),
                hexes(chief.range())
            );
            row
        };
        Register {
            id: "sides".into(),
            name: "The sides".into(),
            columns: ["Standing", "Dead", "Captive", "Fled", "Points"].map(String::from).to_vec(),
            rows: Side::BOTH.map(row).to_vec(),
        }
    }

    fn points_track(&self, f: &Field) -> Track {
        Track {
            id: "turns".into(),
            name: "Turn".into(),
            note: if f.siege.is_some() {
                "At nightfall the garrison holds what is not taken".into()
            } else {
                "One tenth more points than the enemy win".into()
            },
            foremost: true,
            boxes: (1..=f.last).map(|n| n.to_string()).collect(),
            markers: vec![Marker { name: "Now".into(), owner: None, at: usize::from(f.turn) - 1 }],
            ..Track::default()
        }
    }

    /// The character sheets of a side, as a table.
    fn sheet(&self, f: &Field, side: Side) -> Aid {
        let t = &self.tactics;
        let columns = [
            "Name",
            "Type",
            "Class",
            "Attack",
            "Defence",
            "Movement",
            "Life",
            "Experience",
            "Skill",
            "Shots",
            "State",
        ];
        let rows = f.all().filter(|(_, m)| m.side == side).map(|(man, m)| {
            let (card, kind, face) = (t.card(m), t.kind(m), t.face(m));
            let state = match m.fate {
                Fate::Dead => "dead",
                Fate::Captive => "captive",
                Fate::Fled => "fled",
                Fate::Fights if m.is(Marks::STUNNED) => "stunned",
                Fate::Fights if m.is(Marks::ROUT) => "in rout",
                Fate::Fights if m.is(Marks::PANIC) => "in panic",
                Fate::Fights if t.wounded(m) => "wounded",
                Fate::Fights if m.mounted() => "mounted",
                Fate::Fights => "on foot",
            };
            AidRow::new([
                t.call(f, man).to_string(),
                kind.name.clone(),
                kind.class.to_string(),
                face.attack.to_string(),
                face.defence.to_string(),
                face.movement.to_string(),
                format!("{} of {}", m.life, card.life),
                m.experience.to_string(),
                m.skill.to_string(),
                m.kills.to_string(),
                state.to_string(),
            ])
        });
        Aid {
            id: format!("sheet-{}", side.index()),
            name: format!("Men of the {}", side_word(side)),
            note: "Strengths are those of the side of the counter that is up".into(),
            rule: Some(rule!("3.51")),
            columns: columns.map(String::from).to_vec(),
            rows: rows.collect(),
        }
    }

    fn price_lists(&self) -> Vec<Aid> {
        let data = &self.tactics.data;
        let list = |side: Side| {
            let men = (0..data.counters.len()).map(Counter::at).filter(|c| data.for_sale(*c, side));
            let rows = men.map(|c| {
                let (card, kind) = (data.card(c), data.kind(c));
                let face = card.mounted.map_or(card.foot[0], |faces| faces[0]);
                AidRow::new([
                    card.name.clone(),
                    kind.name.clone(),
                    card.cost.to_string(),
                    face.attack.to_string(),
                    face.defence.to_string(),
                    face.movement.to_string(),
                    kind.weapon.map_or("none", Weapon::word).to_string(),
                ])
            });
            Aid {
                id: format!("prices-{}", side.index()),
                name: format!("Men for sale to the {}", side_word(side)),
                note: "Life is three times the defence".into(),
                rule: Some(rule!("3.14")),
                columns: ["Name", "Type", "Cost", "Attack", "Defence", "Movement", "Weapon"]
                    .map(String::from)
                    .to_vec(),
                rows: rows.collect(),
            }
        };
        Side::BOTH.map(list).to_vec()
    }

    fn muster_sums(&self, view: &View) -> Vec<Sum> {
        let Some(seat) = view.viewer.seat() else { return Vec::new() };
        let data = &self.tactics.data;
        let muster = &view.musters[seat.index()];
        let line =
            |who: &Who| SumLine::new(data.name(*who), data.card(who.counter).cost.to_string(), rule!("3.14"));
        vec![Sum {
            id: "muster".into(),
            name: "Your muster".into(),
            total: format!("{} of {}", self.spent(muster), view.open.sum),
            note: "Points that are left over are lost".into(),
            lines: muster.iter().map(line).collect(),
            ..Sum::default()
        }]
    }

    /// Odds as sums: the three answers while an attack is put together or answered.
    fn sums(&self, view: &View) -> Vec<Sum> {
        let f = &view.open.field;
        let t = &self.tactics;
        if !matches!(f.step(), Step::Attack | Step::Answer) || f.fight.defenders.is_empty() {
            return Vec::new();
        }
        let mut shown = f.clone();
        if f.step() == Step::Attack {
            for (i, man) in f.fight.attackers.iter().enumerate() {
                if f.fight.defenders.iter().any(|foe| t.charges(f, *man, *foe)) {
                    shown.fight.charging |= 1 << i;
                }
            }
        }
        let f = &shown;
        let fight = &f.fight;
        let lines = |party: &[Man], foes: &[Man], charges: &dyn Fn(usize) -> bool| {
            let mut lines = Vec::new();
            let total = t.force(f, party, foes, charges, &mut |rule, man, text, amount| {
                lines.push(SumLine::new(
                    format!("{}, {}", t.call(f, man), text.to_lowercase()),
                    format!("{amount:+}"),
                    rule,
                ));
            });
            (total, lines)
        };
        let charges = |i: usize| fight.charging >> i & 1 == 1;
        let back = |i: usize| t.charges_back(f, fight.defenders[i]);
        let (attack, ours) = lines(&fight.attackers, &fight.defenders, &charges);
        let (counter, theirs) = lines(&fight.defenders, &fight.attackers, &back);
        let own_dice = t.dice_against(f, &fight.defenders);
        let their_dice = t.dice_against(f, &fight.attackers);
        let twice = |party: &[Man]| if t.inspired(f, party) { ", rolled twice" } else { "" };
        let target = fight.defenders.first().map(|man| man_id(*man));
        let mut sums = vec![Sum {
            id: "attack".into(),
            name: "Attack".into(),
            total: attack.to_string(),
            note: format!("And {own_dice}{}", twice(&fight.attackers)),
            lines: ours,
            target: target.clone(),
            ..Sum::default()
        }];
        if t.may_counter(f).is_ok() {
            sums.push(Sum {
                id: "counter".into(),
                name: "Counter-attack".into(),
                total: counter.to_string(),
                note: format!(
                    "And {their_dice}{}; the attack wins {} in a hundred",
                    twice(&fight.defenders),
                    times(odds(attack, own_dice, counter, their_dice))
                ),
                lines: theirs,
                target: target.clone(),
                ..Sum::default()
            });
        }
        for man in &fight.defenders {
            let force = t.dodge_force(f, *man);
            let m = f.man(*man);
            let mean = attack + (own_dice.twice_mean() / 2) as u16;
            let good = [1, 1, 2, 3, 4, 5].into_iter().filter(|times| force * times >= mean).count();
            let defence = t.dodging_defence(m);
            sums.push(Sum {
                id: format!("dodge-{}", man.number()),
                name: format!("Dodge of {}", t.call(f, *man)),
                total: force.to_string(),
                note: format!("Times the die less 1; against a middling attack {good} of 6 succeed"),
                lines: vec![
                    SumLine::new("Defence", defence.to_string(), rule!("3.54")),
                    SumLine::new(
                        "Ground",
                        format!("{:+}", t.ground_bonus(f, *man, &fight.attackers)),
                        rule!("3.55"),
                    ),
                    SumLine::new("Twice the experience", format!("+{}", 2 * m.experience), rule!("3.54")),
                ],
                target: Some(man_id(*man)),
                ..Sum::default()
            });
            sums.push(Sum {
                id: format!("life-{}", man.number()),
                name: format!("Life of {}", t.call(f, *man)),
                total: m.life.to_string(),
                note: capital(&self.loss_words(f, *man)),
                target: Some(man_id(*man)),
                ..Sum::default()
            });
            if t.may_withdraw(f).is_ok() {
                let lines = fight.attackers.iter().map(|foe| {
                    let amount = if t.shielded(f, *foe, *man) {
                        "nothing".to_string()
                    } else {
                        let (dice, factor, ground) = t.pursuit(f, *foe, *man);
                        let times = if factor > 1 { format!(", {factor} times") } else { String::new() };
                        let more = if ground == 0 { String::new() } else { format!(", {ground:+}") };
                        format!("{dice}{times}{more}")
                    };
                    SumLine::new(format!("From {}", t.call(f, *foe)), amount, rule!("3.54"))
                });
                let morale = t.morale(f, *man, &mut |_, _, _| {});
                sums.push(Sum {
                    id: format!("withdraw-{}", man.number()),
                    name: format!("Withdrawal of {}", t.call(f, *man)),
                    total: format!("morale {morale}"),
                    note: format!("He holds with {} of ten dice", morale.clamp(0, 10)),
                    lines: lines.collect(),
                    target: Some(man_id(*man)),
                    ..Sum::default()
                });
            }
        }
        sums
    }

    fn prompt(&self, view: &View) -> Option<Prompt> {
        if view.deciding.is_empty() {
            return None;
        }
        let f = &view.open.field;
        let t = &self.tactics;
        let who = view.deciding.iter().map(|s| self.title.seat_name(s)).collect::<Vec<_>>().join(" and ");
        let (text, rule): (String, Rule) = match view.open.prelude {
            Prelude::Quick => (format!("{who}: shall the battle be played out by itself?"), rule!("S41")),
            Prelude::Muster(_) => {
                (format!("{who}: buy men for {} points in secret", view.open.sum), rule!("3.14"))
            }
            Prelude::Past => match f.step() {
                Step::Initiative(_) => {
                    (format!("{who} has the initiative and says who sets up first"), rule!("3.45"))
                }
                Step::Breach => (format!("{who} names a felled hex of the wall"), rule!("T43")),
                Step::Deploy(_, None) => (format!("{who} sets up"), rule!("T10")),
                Step::Deploy(_, Some(man)) => (format!("{who} sets up {}", t.call(f, man)), rule!("T10")),
                Step::Fire if f.retreats[f.active.index()] => {
                    (format!("{who} retreats, and may shoot or give the battle up"), rule!("T31"))
                }
                Step::Fire => (format!("{who} shoots"), rule!("T11")),
                Step::Move => (format!("{who} moves"), rule!("T8")),
                Step::March(man) => {
                    let left = f.march.allowance.saturating_sub(f.march.spent);
                    (format!("{who} moves {}, with {} left", t.call(f, man), movement(left)), rule!("T4"))
                }
                Step::Shots(man) => {
                    (format!("{who} may shoot at {} on his way", t.call(f, man)), rule!("T12"))
                }
                Step::Combat => (format!("{who} attacks"), rule!("3.53")),
                Step::Attack => {
                    let (attacker, target) = (f.fight.attackers[0], f.fight.defenders[0]);
                    (format!("{who}: {} attacks {}", t.call(f, attacker), t.call(f, target)), rule!("3.53"))
                }
                Step::Answer => (
                    format!("{who} answers the attack on {}", t.call(f, f.fight.defenders[0])),
                    rule!("3.54"),
                ),
                Step::Mercy(man, _) => (format!("{who}: shall {} be spared?", t.call(f, man)), rule!("3.58")),
                Step::Victim(_) => (format!("{who} chooses who takes the hits"), rule!("3.54")),
                Step::Retreat(man, left) => {
                    (format!("{who}: {} retreats {}", t.call(f, man), hexes(left.into())), rule!("3.54"))
                }
                Step::Advance => (format!("{who} may advance"), rule!("T21")),
                Step::Over => return None,
            },
        };
        Some(Prompt::new(view.deciding, text, rule).advice(self.advice(view)))
    }

    fn figures(&self, counter: Counter) -> String {
        let (card, kind) = (self.tactics.data.card(counter), self.tactics.data.kind(counter));
        let face = card.mounted.map_or(card.foot[0], |faces| faces[0]);
        let armour = if kind.armoured { "in armour" } else { "without armour" };
        let weapon = kind.weapon.map_or(String::new(), |w| format!(", {}", w.word()));
        let leads = if kind.class <= NCO { ", leads men" } else { "" };
        format!(
            "Attack {}, defence {}, movement {}, life {}, {armour}{weapon}{leads}",
            face.attack, face.defence, face.movement, card.life
        )
    }

    fn deed_choice(&self, view: &View, deed: Deed) -> Choice {
        let f = &view.open.field;
        let t = &self.tactics;
        let name = |who: Who| t.named(who).to_string();
        let piece = |who: Who| f.find(who).map_or_else(String::new, man_id);
        let mover = match f.step() {
            Step::March(man) | Step::Retreat(man, _) | Step::Deploy(_, Some(man)) => Some(man),
            _ => None,
        };
        let next = |way: Direction| mover.and_then(|man| f.man(man).at).and_then(|at| f.next(at, way));
        let engine_word =
            |id: crate::ids::EngineId| f.engines.get(id.number()).map_or("engine", |e| e.kind.word());
        match deed {
            Deed::First => Choice::button("Set up first").hint("You will also have the first player-turn"),
            Deed::Second => Choice::button("Let the enemy set up first").hint("He will also move first"),
            Deed::Breach(place) => Choice::button(format!("A breach on {place}")).at(hex_id(place)),
            Deed::Take(who) => Choice::button(format!("Take {}", name(who))).at(piece(who)),
            Deed::Put(place) => Choice::button(format!("Set him up on {place}")).at(hex_id(place)),
            Deed::Face(way) => Choice::button(format!("Let him look {}", way_word(way))),
            Deed::Ready => Choice::button("All are set up"),
            Deed::Retreat => Choice::button("Order the retreat")
                .hint("All your men go to their own edge, turn by turn, and attack nobody")
                .confirm("Your side will have fled. Order the retreat?"),
            Deed::GiveUp => Choice::button("Give the battle up")
                .hint("It ends here, and what is lost is counted")
                .confirm("The battle ends at once. Give it up?"),
            Deed::Shoot(who, target, at) => {
                let at = at.or_else(|| {
                    let man = f.find(who)?;
                    t.mark(f, t.weapon(f, man)?, f.man(man).at?, f.find(target)?)
                });
                let label = match (f.step(), at) {
                    (Step::Shots(_), Some(at)) => format!("{} shoots at {} on {at}", name(who), name(target)),
                    _ => format!("{} shoots at {}", name(who), name(target)),
                };
                let targets =
                    if f.step() == Step::Fire { piece(target) } else { at.map_or_else(String::new, hex_id) };
                let choice = Choice::button(label).at(targets).at(piece(who));
                match at.and_then(|at| self.shot_words(f, who, target, at)) {
                    Some(hint) => choice.hint(hint),
                    None => choice,
                }
            }
            Deed::ShootHorse(who, place) => {
                Choice::button(format!("{} shoots at the horse on {place}", name(who))).at(hex_id(place))
            }
            Deed::Bolt(_, target) => {
                Choice::button(format!("The ballista shoots at {}", name(target))).at(piece(target))
            }
            Deed::Pour(who, place) => {
                Choice::button(format!("{} pours oil onto {place}", name(who))).at(hex_id(place))
            }
            Deed::Light(who, place) => {
                Choice::button(format!("{} sets fire to what is on {place}", name(who))).at(hex_id(place))
            }
            Deed::Done => Choice::button(match f.step() {
                Step::Fire => "No more shots",
                Step::Move => "All have moved",
                Step::Shots(_) => "Let him pass",
                _ => "No more attacks",
            }),
            Deed::Go(way) => {
                let choice = Choice::button(format!("Step {}", way_word(way)));
                match next(way) {
                    Some(to) => choice.at(hex_id(to)).hint(self.step_words(f, mover, to)),
                    None => choice,
                }
            }
            Deed::Left => Choice::button("Turn left"),
            Deed::Right => Choice::button("Turn right"),
            Deed::Back => Choice::button("Step back"),
            Deed::About => Choice::button("Turn about"),
            Deed::Mount(place) => Choice::button(format!("Mount the horse on {place}")).at(hex_id(place)),
            Deed::Dismount => Choice::button("Dismount"),
            Deed::Halt => Choice::button("Halt"),
            Deed::Lift => Choice::button("Take up what lies here"),
            Deed::Drop => Choice::button("Lay it down"),
            Deed::Throw(way) => {
                let choice = Choice::button(format!("Throw the fascine {}", way_word(way)));
                next(way).map_or(choice.clone(), |to| choice.at(hex_id(to)))
            }
            Deed::Raise(way) => {
                let choice = Choice::button(format!("Raise the ladder {}", way_word(way)));
                next(way).map_or(choice.clone(), |to| choice.at(hex_id(to)))
            }
            Deed::Tip(_) => Choice::button("Tip the ladder over"),
            Deed::Bridge => Choice::button("Work the drawbridge"),
            Deed::Board(id) => Choice::button(format!("Get into the {}", engine_word(id))),
            Deed::Push(id, way) => Choice::button(format!("Push the {} {}", engine_word(id), way_word(way))),
            Deed::Order(who, order) => {
                let word = match order {
                    Order::Close => "close in",
                    Order::Hold => "hold",
                    Order::Shoot => "shoot",
                    Order::FallBack => "fall back",
                };
                Choice::button(format!("The men of {} {word}", name(who)))
            }
            Deed::Attack(who, target) => {
                let choice = Choice::button(format!("{} attacks {}", name(who), name(target)))
                    .at(piece(target))
                    .at(piece(who));
                match f.find(who).zip(f.find(target)) {
                    Some((man, foe)) => choice.hint(format!(
                        "Alone he beats a counter-attack {} in a hundred; {}",
                        times(self.attack_odds(f, man, foe)),
                        self.loss_words(f, foe)
                    )),
                    None => choice,
                }
            }
            Deed::With(who) => Choice::button(format!("{} joins the attack", name(who))).at(piece(who)),
            Deed::Also(who) => Choice::button(format!("{} is attacked as well", name(who))).at(piece(who)),
            Deed::Strike => Choice::button("Strike"),
            Deed::KillHorse(who, place) => {
                Choice::button(format!("{} attacks the horse on {place}", name(who))).at(hex_id(place))
            }
            Deed::Ram(_) => Choice::button("The ram strikes"),
            Deed::Hew(who, place) => {
                Choice::button(format!("{} and another take their axes to {place}", name(who)))
                    .at(hex_id(place))
            }
            Deed::Counter => Choice::button("Counter-attack"),
            Deed::Dodge => Choice::button("Dodge"),
            Deed::Withdraw => Choice::button("Withdraw"),
            Deed::Plea(who, to) => {
                Choice::button(format!("{} pleads with {} for mercy", name(who), name(to)))
                    .hint("A prisoner counts twice for the enemy, but he lives")
            }
            Deed::Grant => Choice::button("Spare him").hint("He is your prisoner and counts double"),
            Deed::Refuse => Choice::button("Refuse").hint("The attack goes on, and he counts a tenth less"),
            Deed::Hit(who) => Choice::button(format!("{} takes the hits", name(who))).at(piece(who)),
            Deed::Advance(who, None) => Choice::button(format!("{} advances", name(who))).at(piece(who)),
            Deed::Advance(who, Some(loser)) => {
                Choice::button(format!("{} advances after {}", name(who), name(loser))).at(piece(who))
            }
            Deed::Stay => Choice::button("Nobody advances"),
        }
    }

    fn step_words(&self, f: &Field, mover: Option<Man>, to: Place) -> String {
        let Some(man) = mover else { return String::new() };
        let t = &self.tactics;
        let ground = capital(f.terrain(to).word());
        let m = f.man(man);
        let near = m.hexes().any(|at| t.near_foe(f, at, m.side)) && t.near_foe(f, to, m.side);
        match f.step() {
            Step::March(_) if near => format!("{ground}; enemies next to it will challenge him"),
            _ => ground,
        }
    }

    /// What a shot needs, in a sentence: dice that hit, and what they would have to do to the target.
    fn shot_words(&self, f: &Field, who: Who, target: Who, at: Place) -> Option<String> {
        let t = &self.tactics;
        let (man, target) = (f.find(who)?, f.find(target)?);
        let from = f.man(man).at?;
        let (hits, driven) = self.shot_dice(f, man, target, at)?;
        let cover = t.cover(f, target, at, from);
        let cover = if cover == crate::data::Cover::None {
            String::new()
        } else {
            format!(", {} cover", cover.word())
        };
        Some(format!(
            "{hits} of ten dice hit, {driven} more drive him back, at {}{cover}; {}",
            hexes(from.distance(at)),
            self.loss_words(f, target)
        ))
    }

    /// How many of ten dice hit, and how many more drive the target back.
    fn shot_dice(&self, f: &Field, man: Man, target: Man, at: Place) -> Option<(usize, usize)> {
        let t = &self.tactics;
        let (from, weapon) = (f.man(man).at?, t.weapon(f, man)?);
        let aim = t.aim(f, Some(man), weapon, from, target, at, &mut |_, _, _| {});
        let hits = (1..=10).filter(|die| matches!(t.result(aim, *die), Shot::Hit(_))).count();
        let driven = (1..=10).filter(|die| t.result(aim, *die) == Shot::Driven).count();
        Some((hits, driven))
    }

    /// What loss stuns, wounds and kills a man, in a few words [3.51].
    fn loss_words(&self, f: &Field, man: Man) -> String {
        let (t, m) = (&self.tactics, f.man(man));
        let half = t.card(m).life.div_ceil(2);
        let wound = if t.wounded(m) { String::new() } else { format!(", {} to wound", m.life - half + 1) };
        format!("it takes a loss of {} to stun him{wound} and {} to kill", t.face(m).defence + 1, m.life)
    }
}

/// How often an attack with its dice beats a counter-attack with its own, of a hundred times.
fn odds(attack: u16, own: crate::data::Dice, counter: u16, other: crate::data::Dice) -> u32 {
    let spread = |dice: crate::data::Dice| {
        let mut counts = vec![1u32];
        let all =
            std::iter::repeat_n(10usize, dice.tens.into()).chain(std::iter::repeat_n(6, dice.sixes.into()));
        for sides in all {
            let mut next = vec![0; counts.len() + sides];
            for (sum, count) in counts.iter().enumerate() {
                for face in 1..=sides {
                    next[sum + face] += count;
                }
            }
            counts = next;
        }
        counts
    };
    let (ours, theirs) = (spread(own), spread(other));
    let (mut wins, mut all) = (0u32, 0u32);
    for (a, n) in ours.iter().enumerate() {
        for (b, m) in theirs.iter().enumerate() {
            all += n * m;
            wins += if usize::from(attack) + a > usize::from(counter) + b { n * m } else { 0 };
        }
    }
    wins * 100 / all.max(1)
}

fn facing_number(direction: Direction) -> u8 {
    (direction as u8 + 1) % 6
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "Crusaders",
        Side::Second => "Saracens",
    }
}

fn hexes(count: u32) -> String {
    if count == 1 { "1 hex".into() } else { format!("{count} hexes") }
}

fn times(count: u32) -> String {
    if count == 1 { "1 time".into() } else { format!("{count} times") }
}

fn points(count: u32) -> String {
    if count == 1 { "1 point".into() } else { format!("{count} points") }
}

fn movement(count: u8) -> String {
    if count == 1 { "1 point".into() } else { format!("{count} points") }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn lower(word: &str) -> String {
    // Names of peoples keep their capital.
    let peoples = [
        "Fatimid",
        "Seljuk",
        "Syrian",
        "Sudanese",
        "Bedouin",
        "Templar",
        "Saracen",
        "Royal",
        "Turcopole",
        "Mongol",
    ];
    if peoples.iter().any(|people| word.starts_with(people)) {
        return word.to_string();
    }
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn sign_of(terrain: Terrain) -> TerrainSign {
    match terrain {
        Terrain::Clear => TerrainSign::Clear,
        Terrain::Track | Terrain::Drawbridge | Terrain::Stairs | Terrain::FilledMoat => TerrainSign::Court,
        Terrain::Scrub => TerrainSign::Marsh,
        Terrain::Olive | Terrain::Palm => TerrainSign::Wood,
        Terrain::Rough | Terrain::Cliff | Terrain::Rubble => TerrainSign::Crest,
        Terrain::Sand => TerrainSign::Desert,
        Terrain::Hillock => TerrainSign::Hill,
        Terrain::Water | Terrain::Ford | Terrain::Moat => TerrainSign::Water,
        Terrain::LowWall | Terrain::Wall | Terrain::Battlement | Terrain::WallTower | Terrain::LadderTop => {
            TerrainSign::Wall
        }
        Terrain::Door | Terrain::Gate | Terrain::Window => TerrainSign::Gate,
        Terrain::Interior | Terrain::KeepInterior | Terrain::Tent | Terrain::SiegeTower => TerrainSign::Town,
    }
}
