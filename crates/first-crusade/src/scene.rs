//! A view as a picture of the table: the map, the battle inside it, markers, tracks, prompts and warnings.
//!
//! Everything is made from the view. Where a question of the rules must be answered, it is asked of a position
//! imagined from the view: what the viewer may know is the same in all of them.

use table::scene::{
    Board, Choice, Face, Ground, Link, LinkStyle, Marker, Piece, Prompt, Scene, Shape, Space, Track, Tray,
    Warning,
};
use table::{Lots, Rule, Seat, rule};

use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::data::{Contingent, Event, MarkerKind, NONE, PathKind, SPACE_RADIUS, Terrain, WINDOW, symbol};
use crate::flow::{LEVELS, Odds, season};
use crate::position::{BIN, BOX, Cause, Landing, Phase, Position, Stage, Step, WAITING};
use crate::set::Set;
use crate::view::View;

/// The colours of those who have no seat.
const SELJUK: Seat = Seat::new(7);
const FATIMID: Seat = Seat::new(3);

impl FirstCrusade {
    pub(crate) fn picture(&self, view: &View) -> Scene {
        let p = self.dream(view, &mut Lots::new(0));
        let mut boards = vec![self.map(view, &p)];
        if view.battle.space != NONE {
            boards.push(self.battle_board(view, &p));
        }
        let title = match view.result {
            Some(_) => format!("{}: the game is over", season(view.turn)),
            None => format!("{}, {}", season(view.turn), self.phase_name(view)),
        };
        Scene {
            title,
            boards,
            trays: self.trays(view, &p),
            tracks: self.tracks(view, &p),
            prompt: self.prompt(view, &p),
            warnings: self.warnings(view, &p),
        }
    }

    fn phase_name(&self, view: &View) -> &'static str {
        match view.steps.first() {
            Some(Step::Turn(Phase::Event)) => "events",
            Some(Step::Turn(Phase::Standard)) if view.standard > 0 => "standard actions",
            Some(Step::Turn(Phase::Standard)) => "last standard action",
            Some(Step::Turn(Phase::Determination | Phase::Special)) => "Special Actions",
            Some(Step::Turn(Phase::Reaction | Phase::Counteroffensive)) => "Muslim reaction",
            Some(Step::Turn(Phase::Winter | Phase::End)) => "winter",
            _ => "",
        }
    }

    fn space_id(&self, s: u8) -> String {
        format!("space-{}", self.components.space_name(s))
    }

    fn owner(&self, u: u8) -> Option<Seat> {
        match self.components.units[usize::from(u)].contingent {
            Contingent::Crusader | Contingent::Mercenary => Some(Seat::new(0)),
            Contingent::Byzantine => Some(Seat::new(1)),
            Contingent::Armenian => Some(Seat::new(2)),
            Contingent::Seljuk => Some(SELJUK),
            Contingent::Fatimid => Some(FATIMID),
            Contingent::Assassin => None,
        }
    }

    fn describe(&self, p: &Position, u: u8) -> String {
        let unit = &self.components.units[usize::from(u)];
        let what = match (unit.leader, unit.contingent) {
            (crate::data::Leader::Military, _) => "military leader",
            (crate::data::Leader::Diplomatic, _) => "diplomatic leader",
            (_, Contingent::Mercenary) => "mercenary",
            _ => "unit",
        };
        let factor = match unit.contingent {
            Contingent::Assassin => "combat by the die".to_string(),
            _ => format!("combat {}", unit.combat[usize::from(p.reduced.has(u))]),
        };
        let state = match (unit.steps, p.reduced.has(u)) {
            (2, false) => ", full strength",
            (2, true) => ", reduced",
            _ => "",
        };
        format!("{}, {} {what}, {}, {factor}{state}", unit.name, unit.contingent.name(), unit.arm.sign())
    }

    fn face(&self, p: &Position, u: u8, lit: bool) -> Face {
        let unit = &self.components.units[usize::from(u)];
        let now = if p.reduced.has(u) { 1 } else { unit.steps };
        let factor = match unit.contingent {
            Contingent::Assassin => "?".into(),
            _ => unit.combat[usize::from(p.reduced.has(u))].to_string(),
        };
        Face::Shown {
            name: unit.name.clone(),
            left: factor,
            right: unit.arm.sign().into(),
            pips: (now, unit.steps),
            lit,
            spent: false,
        }
    }

    fn unit_piece(&self, view: &View, p: &Position, u: u8, prefix: &str, space: String) -> Piece {
        let lit = view.march.force.has(u) || view.pool.has(u);
        let mut text = self.describe(p, u);
        if let Some(kingdom) = view.titles.iter().position(|leader| *leader == u) {
            let capital = self.components.space_name(self.components.pilgrimage[kingdom]);
            text.push_str(&format!("; lord of {capital}"));
        }
        if let Some(fleet) = view.cargo.iter().position(|cargo| *cargo == u) {
            let fleet = self.components.unit_name(self.components.fleet_units[fleet]);
            text.push_str(&format!("; aboard {fleet}"));
        }
        Piece {
            id: format!("{prefix}unit-{}", self.components.unit_name(u)),
            space,
            owner: self.owner(u),
            face: self.face(p, u, lit),
            text,
        }
    }

    /// Who holds a space, for its colour.
    fn colour(&self, p: &Position, s: u8) -> Option<Seat> {
        if let Some(family) = self.holder(p, s) {
            return Some(Seat::new(family));
        }
        let muslims = self.muslims(p, s);
        match muslims.first() {
            Some(u) if self.christians(p, s).is_empty() => self.owner(u),
            _ => None,
        }
    }

    fn badge(&self, view: &View, p: &Position, s: u8) -> String {
        let space = &self.components.spaces[usize::from(s)];
        let mut words: Vec<String> = Vec::new();
        if space.points > 0 {
            words.push(space.points.to_string());
        }
        for (set, word) in [
            (view.camps, "camp"),
            (view.castles, "castle"),
            (view.monasteries, "monastery"),
            (view.sieges, "besieged"),
            (view.massacres, "massacre"),
        ] {
            if set.has(s) {
                words.push(word.into());
            }
        }
        if matches!(view.steps.last(), Some(Step::Force)) {
            let chance = self.chance_to_reach(p, s);
            if chance > 0 && s != view.march.start {
                words.push(format!("{chance} %"));
            }
        }
        words.join(" ")
    }

    /// The chance that the force being formed can come to a space, in percent.
    fn chance_to_reach(&self, p: &Position, s: u8) -> u32 {
        let mut q = p.clone();
        let led = (q.march.force & self.components.leaders).any();
        q.march.left = if led { 12 } else { 6 };
        let far = self.reach(&q).far[usize::from(s)];
        if far == NONE { 0 } else { chance_of(if led { 2 } else { 1 }, far) }
    }

    fn map(&self, view: &View, p: &Position) -> Board {
        let (west, south, east, north) = WINDOW;
        let c = &self.components;
        let spaces = (0..c.spaces.len() as u8)
            .map(|s| {
                let space = &c.spaces[usize::from(s)];
                let shape = match space.terrain {
                    Terrain::Capital => Shape::Rect { w: 60, h: 60 },
                    Terrain::Fortress => Shape::Rect { w: 46, h: 46 },
                    Terrain::Town => Shape::Circle { r: SPACE_RADIUS - 8 },
                    Terrain::Open => Shape::Circle { r: SPACE_RADIUS - 14 },
                    Terrain::Desert => Shape::Hex { r: SPACE_RADIUS - 12 },
                    Terrain::Sea => Shape::Circle { r: SPACE_RADIUS - 12 },
                };
                Space {
                    id: self.space_id(s),
                    name: space.name.clone(),
                    x: space.xy.0,
                    y: space.xy.1,
                    shape,
                    holder: self.colour(p, s),
                    badge: self.badge(view, p, s),
                    region: space.region.clone(),
                    prize: c.holy.has(s),
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
        let mut pieces = Vec::new();
        for (u, place) in &view.places {
            if usize::from(*place) < c.spaces.len() {
                pieces.push(self.unit_piece(view, p, *u, "", self.space_id(*place)));
            }
        }
        for (s, n, fatimid) in &view.concealed {
            for i in 0..*n {
                pieces.push(self.hidden_piece("", *s, i, *fatimid, self.space_id(*s)));
            }
        }
        Board {
            id: "map".into(),
            name: "From Constantinople to Jerusalem".into(),
            width: c.board.0,
            height: c.board.1,
            ground: Ground::Levant { west, south, east, north },
            spaces,
            links,
            pieces,
        }
    }

    /// A concealed counter, numbered by its place.
    fn hidden_piece(&self, prefix: &str, s: u8, i: u8, fatimid: bool, space: String) -> Piece {
        Piece {
            id: format!("{prefix}concealed-{}-{i}", self.components.space_name(s)),
            space,
            owner: Some(if fatimid { FATIMID } else { SELJUK }),
            face: Face::Hidden,
            text: format!("a concealed {} counter", if fatimid { "Fatimid" } else { "Seljuk" }),
        }
    }

    /// The battle display: two rows.
    fn battle_board(&self, view: &View, p: &Position) -> Board {
        let b = &view.battle;
        let attack = |muslims: bool| if b.muslims_attack == muslims { "attacking" } else { "defending" };
        let rows = [
            ("battle-muslims", format!("Muslims, {}", attack(true)), 130),
            ("battle-christians", format!("Christians, {}", attack(false)), 390),
        ];
        let mut pieces = Vec::new();
        for (units, row) in [(b.muslims & view.shown, rows[0].0), (b.christians, rows[1].0)] {
            for u in units.each().filter(|u| p.place[usize::from(*u)] == b.space) {
                pieces.push(self.unit_piece(view, p, u, "battle-", row.into()));
            }
        }
        for (s, n, fatimid) in view.concealed.iter().filter(|(s, ..)| *s == b.space) {
            for i in 0..*n {
                pieces.push(self.hidden_piece("battle-", *s, i, *fatimid, rows[0].0.into()));
            }
        }
        let walls = if b.walls { ", behind walls" } else { "" };
        let course = if b.round > 0 {
            let edge = if b.edge { "Christians" } else { "Muslims" };
            format!(", round {} of {}, edge: {edge}", b.round, b.rounds)
        } else {
            String::new()
        };
        Board {
            id: "battle".into(),
            name: format!("{}{walls}{course}", self.components.space_name(b.space)),
            width: 1000,
            height: 520,
            ground: Ground::Plain,
            spaces: rows
                .into_iter()
                .map(|(id, name, y)| Space {
                    id: id.into(),
                    name,
                    x: 500,
                    y,
                    shape: Shape::Rect { w: 960, h: 230 },
                    holder: None,
                    badge: String::new(),
                    region: String::new(),
                    prize: false,
                })
                .collect(),
            links: Vec::new(),
            pieces,
        }
    }

    fn trays(&self, view: &View, p: &Position) -> Vec<Tray> {
        let c = &self.components;
        let mut trays = Vec::new();
        for seat in 0..view.table.seats {
            let held = (0..c.markers.len() as u8).filter(|m| view.boons[usize::from(seat)] >> m & 1 == 1);
            let pieces: Vec<Piece> = held
                .map(|m| Piece {
                    id: format!("boon-{}", c.marker_name(m)),
                    space: String::new(),
                    owner: Some(Seat::new(seat)),
                    face: Face::named(format!("{} ({})", c.marker_name(m), self.symbols(m))),
                    text: format!("{}: {}", c.marker_name(m), self.symbols(m)),
                })
                .collect();
            let name = match view.table.seats {
                1 => "Pilgrimage markers".to_string(),
                _ => format!("Markers of the {}", crate::action::SEATS[usize::from(seat)]),
            };
            trays.push(Tray {
                id: format!("boons-{seat}"),
                name,
                owner: Some(Seat::new(seat)),
                pieces,
                note: String::new(),
            });
        }
        let place_tray = |id: &str, name: &str, place: u8, note: &str| Tray {
            id: id.into(),
            name: name.into(),
            owner: None,
            pieces: view
                .places
                .iter()
                .filter(|(u, at)| *at == place && (place != BOX || c.leaders.has(*u)))
                .map(|(u, _)| self.unit_piece(view, p, *u, "", String::new()))
                .collect(),
            note: note.into(),
        };
        let dead = place_tray("dead", "Eliminated leaders", BOX, "");
        let waiting = place_tray("waiting", "About to arrive", WAITING, "");
        trays.extend([dead, waiting].into_iter().filter(|tray| !tray.pieces.is_empty()));
        let mut note = Vec::new();
        for side in [Contingent::Crusader, Contingent::Byzantine, Contingent::Armenian] {
            let n = self.of(side).each().filter(|u| p.place[usize::from(*u)] == BIN).count();
            note.push(format!("{} {n}", side.name()));
        }
        for side in [Contingent::Seljuk, Contingent::Fatimid] {
            let hidden: u8 = view
                .concealed
                .iter()
                .filter(|(.., fatimid)| *fatimid == (side == Contingent::Fatimid))
                .map(|(_, n, _)| *n)
                .sum();
            let n = self.unseen(p, side).len() - hidden;
            note.push(format!("{} {n}", side.name()));
        }
        trays.push(Tray {
            id: "bins".into(),
            name: "Bins".into(),
            owner: None,
            pieces: Vec::new(),
            note: note.join(", "),
        });
        if view.result.is_some() {
            let account: Vec<_> =
                self.account(p).iter().map(|line| format!("{:+} {}", line.points, line.what)).collect();
            trays.push(Tray {
                id: "account".into(),
                name: format!("{} points", self.points(p)),
                owner: None,
                pieces: Vec::new(),
                note: account.join(", "),
            });
        }
        trays
    }

    fn symbols(&self, m: u8) -> String {
        match self.components.markers[usize::from(m)].kind {
            MarkerKind::Boon(bits) => {
                let names = symbol::ALL.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name);
                names.collect::<Vec<_>>().join(", ")
            }
            MarkerKind::Ambush | MarkerKind::Event => "bane".into(),
        }
    }

    fn tracks(&self, view: &View, p: &Position) -> Vec<Track> {
        let now = |name: String, at: usize| vec![Marker { name, owner: None, at }];
        let points = self.points(p);
        let [draw, victory, overwhelming] = self.levels(p);
        let level = [draw, victory, overwhelming].iter().filter(|level| points >= **level).count();
        let mut tracks = vec![
            Track {
                id: "reaction".into(),
                name: "Muslim reaction".into(),
                boxes: LEVELS[1..].iter().map(|l| (*l).to_string()).collect(),
                markers: now(
                    format!("rises on {} or less of three dice", self.provoking(p)),
                    usize::from(view.reaction) - 1,
                ),
            },
            Track {
                id: "turns".into(),
                name: "Turn".into(),
                boxes: (1..=9).map(season).collect(),
                markers: now("now".into(), usize::from(view.turn) - 1),
            },
            Track {
                id: "actions".into(),
                name: "Standard actions".into(),
                boxes: (0..=3).map(|n| n.to_string()).collect(),
                markers: now("left".into(), usize::from(view.standard)),
            },
            Track {
                id: "special".into(),
                name: "Special Actions".into(),
                boxes: (0..=6).map(|n| n.to_string()).collect(),
                markers: now("registered".into(), usize::from(view.special)),
            },
        ];
        if view.table.goal == NONE {
            tracks.push(Track {
                id: "points".into(),
                name: "Victory points".into(),
                boxes: vec![
                    "defeat".into(),
                    format!("draw {draw}+"),
                    format!("victory {victory}+"),
                    format!("overwhelming {overwhelming}+"),
                ],
                markers: now(format!("{points} points"), level),
            });
        }
        tracks
    }

    fn prompt(&self, view: &View, p: &Position) -> Option<Prompt> {
        let c = &self.components;
        let seat = view.deciding.lowest()?;
        let who = if view.table.seats > 1 { self.title.seat_name(seat) } else { "You" };
        let here = c.space_name(view.march.at);
        let field = c.space_name(view.battle.space);
        let (text, rule) = match *view.steps.last()? {
            Step::Choose => {
                let (left, kind, rule) = if view.standard > 0 {
                    (view.standard, "standard", rule!("12.1"))
                } else {
                    (view.special, "Special", rule!("12.2"))
                };
                (format!("{who}: choose an action ({left} {kind} left)"), rule)
            }
            Step::Force => (
                format!("{who}: form the force in {here} ({} units), then roll", view.march.force.len()),
                rule!("12.4"),
            ),
            Step::March if view.march.engaged => {
                (format!("{who}: Muslims hold {here}; slip by, or stop and fight"), rule!("10.4"))
            }
            Step::March => (
                format!("{who}: {} movement points are left in {here}; go on, or stop", view.march.left),
                if view.march.sea { rule!("20.1") } else { rule!("17.1") },
            ),
            Step::Gate => (format!("{who}: attack {here} at once, or lie before it"), rule!("opt-34.1")),
            Step::Camps => (format!("{who}: which camp is used up?"), rule!("22.1")),
            Step::Rally { left, .. } => {
                (format!("{who}: {left} more units are restored; choose"), rule!("15.1"))
            }
            Step::Landing(landing) => {
                let unit = c.christians.each().find(|u| p.place[usize::from(*u)] == WAITING);
                let name = unit.map_or("the unit", |u| c.unit_name(u));
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
                (format!("{who}: {left} hits in {field}; choose who takes them"), rule!("23.2"))
            }
            Step::Losses { left, cause: Cause::March } => {
                (format!("{who}: attrition; {left} units lose a step"), rule!("18.2"))
            }
            Step::Losses { left, cause: Cause::Winter } => {
                (format!("{who}: hunger; {left} units lose a step"), rule!("28.2"))
            }
            Step::Strikes { left } => {
                (format!("{who}: {left} hits on the weakest Muslims; choose among equals"), rule!("23.2"))
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
            Step::Turn(_) | Step::Close(_) | Step::Pilgrim { .. } | Step::Event(_) | Step::Counter { .. } => {
                return None;
            }
        };
        let text = match self.guidance(view) {
            Some(advice) => format!("{text}. {advice}"),
            None => text,
        };
        Some(Prompt { seats: view.deciding, text, rule })
    }

    /// A sentence of advice for each kind of decision in the guided scenario.
    fn guidance(&self, view: &View) -> Option<&'static str> {
        if view.table.goal == NONE {
            return None;
        }
        Some(match view.steps.last()? {
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
        let mut warn = |text: String, rule: Rule, s: u8| {
            warnings.push(Warning { text, rule, target: Some(self.space_id(s)) });
        };
        if view.result.is_some() || view.table.quiet {
            return warnings;
        }
        let c = &self.components;
        // From summer on: who would go hungry.
        if !view.turn.is_multiple_of(3) || !matches!(view.steps.first(), Some(Step::Turn(Phase::Winter))) {
            let soon = view.turn % 3 != 1;
            for s in self.hungry(p).each().filter(|_| soon) {
                let n = self.christians(p, s).len();
                let text = if view.camps.has(s) {
                    format!("{}: the winter will use up the camp", c.space_name(s))
                } else {
                    format!("{}: {n} units would be out of supply in winter", c.space_name(s))
                };
                warn(text, rule!("28.1"), s);
            }
        }
        if let Some(Step::March | Step::Force) = view.steps.last() {
            let s = view.march.at;
            if self.crowded(p, s, self.christians(p, s) | view.march.force) {
                let text = format!("ending in {} would cost a whole contingent", c.space_name(s));
                warn(text, rule!("10.1"), s);
            }
        }
        if view.battle.space != NONE && !view.battle.muslims_attack {
            let s = view.battle.space;
            let ships = (view.battle.christians & c.fleets).any();
            if self.exits(p, s).is_empty() && !ships {
                warn(format!("from {} there is no way to withdraw", c.space_name(s)), rule!("24.2"), s);
            }
        }
        warnings
    }

    pub(crate) fn button(&self, view: &View, action: Action) -> Choice {
        let c = &self.components;
        let space = |s: u8| self.space_id(s);
        let unit = |u: u8| format!("unit-{}", c.unit_name(u));
        let battle_unit = |u: u8| match view.battle.space {
            NONE => unit(u),
            _ => format!("battle-unit-{}", c.unit_name(u)),
        };
        let boon = |m: u8| format!("boon-{}", c.marker_name(m));
        let button = Choice::button(self.say(view, action));
        match action {
            Action::March(s, f) | Action::Advance(s, f) | Action::SuppliedMarch(s, f) => {
                let p = self.dream(view, &mut Lots::new(0));
                let host = self.host(&p, s, f);
                button.at(space(s)).hint(self.march_hint(host))
            }
            Action::Form(s, _) | Action::Fleet(s, _) => button.at(space(s)),
            Action::AttackFrom(s, f) | Action::SiegeAttack(s, f) => {
                let p = self.dream(view, &mut Lots::new(0));
                let siege = matches!(action, Action::SiegeAttack(..));
                let odds = self.odds(&p, s, self.host(&p, s, f), siege);
                button.at(space(s)).hint(odds_text(odds))
            }
            Action::Leave(u) | Action::Only(u) | Action::Take(u) | Action::Embark(u) | Action::Restore(u) => {
                button.at(unit(u))
            }
            Action::Recruit(u) | Action::Pilgrimage(u) | Action::Diplomacy(u) => {
                let picks = if c.diplomats.has(u) || view.titles.contains(&u) { 2 } else { 1 };
                button.at(unit(u)).hint(match action {
                    Action::Recruit(_) => format!("{picks} from the bin"),
                    Action::Pilgrimage(_) => format!("{picks} from the Pilgrimage bin; a bane ends it"),
                    _ => String::new(),
                })
            }
            Action::Crown(u) | Action::Name(u) => button.at(unit(u)),
            Action::Roll | Action::RollSupplied => button.hint(self.march_hint(view.march.force)),
            Action::Go(s) | Action::Cross(s) => self.go_button(view, s, button.at(space(s))),
            Action::Assault => {
                let p = self.dream(view, &mut Lots::new(0));
                let force = view.march.force & p.here[usize::from(view.march.at)];
                let hint = odds_text(self.odds(&p, view.march.at, force, false));
                button.at(space(view.march.at)).hint(hint)
            }
            Action::Stop if view.march.engaged => self.go_button(view, view.march.at, button),
            Action::Stop => button,
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
            Action::Withdraw(s) | Action::Place(s) | Action::SpendCamp(s) => button.at(space(s)),
            Action::GiveUp(_) => button.confirm("All its units there are lost. Give it up?"),
            Action::Pass => button.confirm("Forgo this action?"),
            Action::Besiege
            | Action::Join
            | Action::Hand(_)
            | Action::Done
            | Action::Allot
            | Action::Endure
            | Action::Proceed => button,
        }
    }

    fn march_hint(&self, force: Set) -> String {
        let led = (force & self.components.leaders).any();
        match led {
            true => "two dice; attrition on a 7 (17 %), in the desert on 7 or 8 (31 %)".into(),
            false => "one die; attrition on a 6 (17 %), in the desert on 5 or 6 (33 %); no passes".into(),
        }
    }

    /// What awaits a force that goes to a space.
    fn go_button(&self, view: &View, s: u8, button: Choice) -> Choice {
        let p = self.dream(view, &mut Lots::new(0));
        let c = &self.components;
        if self.muslims(&p, s).is_empty() {
            let wears =
                view.march.dice == 2 && view.march.roll == 8 || view.march.dice == 1 && view.march.roll == 5;
            let dry = !view.march.sea && self.reach(&p).dry.has(s);
            return if dry && wears { button.hint("through the desert: attrition") } else { button };
        }
        let odds = self.odds(&p, s, view.march.force, false);
        let exits = self.exits(&p, s);
        let names: Vec<_> = exits.each().map(|to| c.space_name(to)).collect();
        let ships = (view.march.force & c.fleets).any();
        let out = match (names.is_empty(), ships) {
            (false, _) => format!("withdrawal to {}", names.join(", ")),
            (true, true) => "withdrawal to sea".into(),
            (true, false) => "no way to withdraw: all would be lost".into(),
        };
        let button = button.hint(format!("{}; {out}", odds_text(odds)));
        if names.is_empty() && !ships {
            button.confirm(format!("From {} nobody could withdraw. Attack?", c.space_name(s)))
        } else {
            button
        }
    }

    /// An action as a button says it.
    fn say(&self, view: &View, action: Action) -> String {
        let c = &self.components;
        let space = |s: u8| c.space_name(s);
        let unit = |u: u8| c.unit_name(u);
        let force = |f: u8| Contingent::FORCES[usize::from(f)].name();
        match (action, view.steps.last()) {
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
            (Action::Stop, _) if view.march.engaged => "Stop and fight".into(),
            (Action::Stop, _) if !view.march.moved => "Stay where they are".into(),
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
            (Action::Lose(u), _) => format!("{} loses a step", unit(u)),
            (Action::Allot, _) => "Let the table choose the rest".into(),
            (Action::Strike(u), _) => format!("{} is hit", unit(u)),
            (Action::Withdraw(s), _) => format!("Withdraw to {}", space(s)),
            (Action::GiveUp(f), _) => format!("Give up the {}", force(f)),
            (Action::Place(s), _) => format!("In {}", space(s)),
            (Action::Endure, _) => "Endure the winter".into(),
            (Action::Proceed, _) => "Go on".into(),
            (Action::Besiege, _) => "Lay siege".into(),
            (Action::Assault, _) => "Attack at once".into(),
            (Action::Join, _) => "Join the siege".into(),
            _ => crate::action::write(c, action).to_string(),
        }
    }
}

/// The chance in percent that so many dice show at least so much.
fn chance_of(dice: u8, need: u8) -> u32 {
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
