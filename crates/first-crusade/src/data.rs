//! The components: map, counters, tables and scenarios, read and checked once.

use arrayvec::ArrayVec;
use table::sheet::{self, DataError, Fields, Node};
use table::{DataFiles, Rule, rule};

use crate::set::Set;

/// What stands in no name, since notation needs it.
const NAMES: &str = "> ~ : ( ) ,";

/// The most spaces that a map can have.
pub const SPACES: usize = 88;
/// The most units.
pub const UNITS: usize = 128;
/// The most Pilgrimage markers that are no units.
pub const MARKERS: usize = 32;
/// The most fleets.
pub const FLEETS: usize = 16;
/// Nothing of its kind.
pub const NONE: u8 = 255;

/// To whom a unit belongs [4.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Contingent {
    /// Crusaders.
    Crusader,
    /// Byzantines.
    Byzantine,
    /// Cilician Armenians.
    Armenian,
    /// Mercenaries from the Pilgrimage bin.
    Mercenary,
    /// Seljuk Turks.
    Seljuk,
    /// Fatimids of Egypt.
    Fatimid,
    /// The Assassins.
    Assassin,
}

impl Contingent {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Crusader,
        Self::Byzantine,
        Self::Armenian,
        Self::Mercenary,
        Self::Seljuk,
        Self::Fatimid,
        Self::Assassin,
    ];
    /// Those that can form forces of their own.
    pub const FORCES: [Self; 3] = [Self::Crusader, Self::Byzantine, Self::Armenian];

    /// Its name, of several.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crusader => "Crusaders",
            Self::Byzantine => "Byzantines",
            Self::Armenian => "Armenians",
            Self::Mercenary => "Mercenaries",
            Self::Seljuk => "Seljuks",
            Self::Fatimid => "Fatimids",
            Self::Assassin => "Assassins",
        }
    }

    /// Its place in arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The type of a formation [4.2].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arm {
    /// Heavy cavalry.
    Horse,
    /// Horse archers.
    Archers,
    /// Heavy infantry.
    Foot,
    /// Militia and pilgrims.
    Militia,
    /// A fleet.
    Fleet,
    /// The garrison of Masyaf.
    Assassins,
}

impl Arm {
    /// A short sign, as the counters have it.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Horse => "HC",
            Self::Archers => "HrA",
            Self::Foot => "HI",
            Self::Militia => "Mil",
            Self::Fleet => "Fleet",
            Self::Assassins => "?",
        }
    }
}

/// Whether a unit is a leader [4.2].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leader {
    /// It is none.
    No,
    /// A military leader.
    Military,
    /// A diplomatic leader.
    Diplomatic,
}

/// A counter that fights.
#[derive(Clone, Debug)]
pub struct Unit {
    /// A name that no other unit has.
    pub name: String,
    /// Whose it is.
    pub contingent: Contingent,
    /// Its type.
    pub arm: Arm,
    /// Whether it leads.
    pub leader: Leader,
    /// One step or two.
    pub steps: u8,
    /// Combat factor at full strength and reduced.
    pub combat: [u8; 2],
    /// Where it begins: a space, or [`NONE`] for its bin.
    pub start: u8,
    /// Whether it can hold a fortress at the start [7.0].
    pub garrison: bool,
    /// Units of one class are interchangeable.
    pub class: u8,
    /// Where its figures come from.
    pub source: String,
}

/// The ground of a space [3.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terrain {
    /// Constantinople.
    Capital,
    /// A strongpoint.
    Fortress,
    /// A town.
    Town,
    /// Clear terrain.
    Open,
    /// Desert.
    Desert,
    /// A sea space.
    Sea,
}

/// When Muslim units of a space are Fatimid [27.10, 27.11].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Egyptian {
    /// They are not.
    Never,
    /// Once the Fatimids have intervened.
    After,
    /// Always.
    Always,
}

/// A space of the map.
#[derive(Clone, Debug)]
pub struct Space {
    /// Its name.
    pub name: String,
    /// Its ground.
    pub terrain: Terrain,
    /// The route it lies on, for the reader.
    pub region: String,
    /// Whether it is a port.
    pub port: bool,
    /// Whether it holds a militia at the start.
    pub garrison: bool,
    /// Whether fleets here can be met by a naval action [27.8].
    pub naval_zone: bool,
    /// When its Muslims are Fatimid.
    pub egyptian: Egyptian,
    /// Victory points for holding it [6.1].
    pub points: u8,
    /// Degrees north and east.
    pub place: (f64, f64),
    /// Where it stands on the board.
    pub xy: (i32, i32),
    /// Neighbours along roads.
    pub roads: ArrayVec<u8, 8>,
    /// Neighbours over passes.
    pub passes: ArrayVec<u8, 8>,
    /// Neighbours over the sea.
    pub sea: ArrayVec<u8, 8>,
    /// Where its figures come from.
    pub source: String,
}

/// A path between spaces [3.1].
#[derive(Clone, Debug)]
pub struct Path {
    /// One end.
    pub a: u8,
    /// The other.
    pub b: u8,
    /// Road, pass or sea.
    pub kind: PathKind,
    /// A name, where it has one.
    pub name: String,
}

/// The kinds of paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// A road along a route.
    Road,
    /// A pass between routes [17.5].
    Pass,
    /// A way over the sea.
    Sea,
}

/// The symbols of the boons, as bits [13.2].
pub mod symbol {
    /// Negotiations.
    pub const SCROLL: u8 = 1;
    /// Military advantage.
    pub const SWORD: u8 = 2;
    /// Special Actions.
    pub const SHIELD: u8 = 4;
    /// Treachery.
    pub const EYE: u8 = 8;
    /// Supplies.
    pub const WAGON: u8 = 16;
    /// All of them with their names.
    pub const ALL: [(u8, &str); 5] =
        [(SCROLL, "scroll"), (SWORD, "sword"), (SHIELD, "shield"), (EYE, "eye"), (WAGON, "wagon")];
}

/// What a Pilgrimage marker is [13.2].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkerKind {
    /// A boon with these symbols.
    Boon(u8),
    /// The bane Ambush.
    Ambush,
    /// The bane Event.
    Event,
}

/// A Pilgrimage marker that is no unit.
#[derive(Clone, Debug)]
pub struct Marker {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: MarkerKind,
}

/// The events [35.0].
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs)]
pub enum Event {
    ArmenianAlliance,
    AssassinsStrike,
    ByzantinesGoHome,
    ByzantineReinforcement,
    CelestialWonder,
    ChristianInfighting,
    CrusaderLeaderGoesHome,
    CrusaderReinforcement,
    Earthquake,
    FatimidsIntervene,
    GestaFrancorum,
    Jihad,
    MuslimInfighting,
    PapalSupport,
    Plague,
    Storms,
    TurkCivilWar,
    NoEvent,
}

impl Event {
    /// All of them with their names and rules.
    pub const ALL: [(Self, &'static str, Rule); 18] = [
        (Self::ArmenianAlliance, "Armenian Alliance", rule!("35.armenian-alliance")),
        (Self::AssassinsStrike, "Assassins Strike", rule!("35.assassins-strike")),
        (Self::ByzantinesGoHome, "Byzantines Go Home", rule!("35.byzantines-go-home")),
        (Self::ByzantineReinforcement, "Byzantine Reinforcement", rule!("35.byzantine-reinforcement")),
        (Self::CelestialWonder, "Celestial Wonder", rule!("35.celestial-wonder")),
        (Self::ChristianInfighting, "Christian Infighting", rule!("35.christian-infighting")),
        (Self::CrusaderLeaderGoesHome, "Crusader Leader Goes Home", rule!("35.crusader-leader-goes-home")),
        (Self::CrusaderReinforcement, "Crusader Reinforcement", rule!("35.crusader-reinforcement")),
        (Self::Earthquake, "Earthquake", rule!("35.earthquake")),
        (Self::FatimidsIntervene, "Fatimids Intervene", rule!("35.fatimids-intervene")),
        (Self::GestaFrancorum, "Gesta Francorum", rule!("35.gesta-francorum")),
        (Self::Jihad, "Jihad", rule!("35.jihad")),
        (Self::MuslimInfighting, "Muslim Infighting", rule!("35.muslim-infighting")),
        (Self::PapalSupport, "Papal Support", rule!("35.papal-support")),
        (Self::Plague, "Plague", rule!("35.plague")),
        (Self::Storms, "Storms", rule!("35.storms")),
        (Self::TurkCivilWar, "Turk Civil War", rule!("35.turk-civil-war")),
        (Self::NoEvent, "No Event", rule!("9.0")),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(e, ..)| *e == self).map_or("", |(_, name, _)| name)
    }

    /// Its rule.
    pub fn rule(self) -> Rule {
        Self::ALL.iter().find(|(e, ..)| *e == self).map_or(rule!("9.0"), |(.., rule)| *rule)
    }
}

/// A cell of the Counteroffensive Table [27.3].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counter {
    /// A Muslim attack on a route.
    Attack(u8),
    /// A relief force on a route.
    Relief(u8),
    /// A raid on a space.
    Raid(u8),
    /// A naval action.
    Naval,
}

/// A scenario's own figures.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub gist: String,
    /// About how long it takes.
    pub minutes: u16,
    /// The turn it begins with, counted from 1.
    pub first_turn: u8,
    /// How many turns are played.
    pub turns: u8,
    /// Points for a draw, a victory, an overwhelming victory [6.2].
    pub levels: [i16; 3],
    /// The one space that decides, in the guided scenario.
    pub goal: u8,
    /// Whether there are neither events nor Muslim reaction.
    pub quiet: bool,
    /// Spaces without a Seljuk garrison.
    pub free: Set,
    /// Units and where they begin; `None` for the set-up of the rulebook.
    pub units: Option<Vec<(u8, u8)>>,
}

/// All components.
#[derive(Clone, Debug)]
pub struct Components {
    /// The spaces.
    pub spaces: Vec<Space>,
    /// The paths.
    pub paths: Vec<Path>,
    /// The land routes: name, and spaces nearest to Jerusalem first.
    pub routes: Vec<(String, Vec<u8>)>,
    /// The units.
    pub units: Vec<Unit>,
    /// The Pilgrimage markers that are no units.
    pub markers: Vec<Marker>,
    /// How many camps there are.
    pub camps: u8,
    /// How many castles and monasteries together.
    pub buildings: u8,
    /// How many siege and massacre markers together.
    pub sieges: u8,
    /// The events by column and row.
    pub events: [[Event; 6]; 6],
    /// The counteroffensives by column and row.
    pub counters: [[Counter; 6]; 6],
    /// How likely a counteroffensive is a raid on each space.
    pub raids: [f32; SPACES],
    /// How likely it comes down each land route.
    pub inroads: Vec<f32>,
    /// The scenarios.
    pub plots: Vec<Plot>,
    /// Constantinople.
    pub capital: u8,
    /// Jerusalem.
    pub jerusalem: u8,
    /// Masyaf.
    pub masyaf: u8,
    /// Sis, where diplomacy is done [16.1].
    pub sis: u8,
    /// Damascus [35.jihad].
    pub damascus: u8,
    /// Nicaea, Iconium and Damascus [35.turk-civil-war].
    pub turkish: Set,
    /// All fortresses, Constantinople not among them.
    pub fortresses: Set,
    /// Towns.
    pub towns: Set,
    /// Deserts.
    pub deserts: Set,
    /// Sea spaces.
    pub seas: Set,
    /// Ports, Constantinople among them.
    pub ports: Set,
    /// The Crusader Pilgrimage Fortresses [12.2], Jerusalem first.
    pub pilgrimage: ArrayVec<u8, 5>,
    /// The same as a set.
    pub holy: Set,
    /// Byzantine Objective Fortresses.
    pub objectives: Set,
    /// Armenian fortresses.
    pub armenia: Set,
    /// Where Armenian forces may go [30.2].
    pub armenian_range: Set,
    /// The spaces of each land route.
    pub on_route: Vec<Set>,
    /// The units of each contingent.
    pub of: [Set; 7],
    /// All Christian units.
    pub christians: Set,
    /// All Muslim units and the Assassins.
    pub muslims: Set,
    /// All leaders.
    pub leaders: Set,
    /// Military leaders.
    pub military: Set,
    /// Diplomatic leaders.
    pub diplomats: Set,
    /// Fleets, the naval leader among them.
    pub fleets: Set,
    /// Heavy cavalry.
    pub horse: Set,
    /// Horse archers.
    pub archers: Set,
    /// Heavy infantry.
    pub foot: Set,
    /// Units with two steps.
    pub two_steps: Set,
    /// Leaders who go back to their bin when eliminated [32.4].
    pub emirs: Set,
    /// Alexios [32.2].
    pub emperor: u8,
    /// Takitios [32.3].
    pub takitios: u8,
    /// The Assassin unit.
    pub assassin: u8,
    /// Each fleet's number among the fleets.
    pub fleet_number: Vec<u8>,
    /// The fleets by number.
    pub fleet_units: Vec<u8>,
    /// The boons with each symbol, as bits of markers.
    pub boons: [u32; 5],
    /// All boons, as bits of markers.
    pub all_boons: u32,
    /// All banes, as bits of markers.
    pub banes: u32,
    /// How many paths lie between two spaces, passes and sea counted.
    pub apart: Vec<Vec<u8>>,
    /// The board: width and height in units.
    pub board: (i32, i32),
}

/// The window of the map: west, south, east, north in hundredths of a degree.
pub const WINDOW: (i32, i32, i32, i32) = (2530, 3095, 3970, 4160);
const BOARD_WIDTH: i32 = 2400;
/// Room for a space and its units, in board units.
pub const SPACE_RADIUS: i32 = 30;

impl Components {
    /// Reads and checks the data files.
    pub fn read(files: &DataFiles) -> Result<Self, DataError> {
        let mut this = Self {
            spaces: Vec::new(),
            paths: Vec::new(),
            routes: Vec::new(),
            units: Vec::new(),
            markers: Vec::new(),
            camps: 0,
            buildings: 0,
            sieges: 0,
            events: [[Event::NoEvent; 6]; 6],
            counters: [[Counter::Naval; 6]; 6],
            raids: [0.0; SPACES],
            inroads: Vec::new(),
            plots: Vec::new(),
            capital: NONE,
            jerusalem: NONE,
            masyaf: NONE,
            sis: NONE,
            damascus: NONE,
            turkish: Set::NONE,
            fortresses: Set::NONE,
            towns: Set::NONE,
            deserts: Set::NONE,
            seas: Set::NONE,
            ports: Set::NONE,
            pilgrimage: ArrayVec::new(),
            holy: Set::NONE,
            objectives: Set::NONE,
            armenia: Set::NONE,
            armenian_range: Set::NONE,
            on_route: Vec::new(),
            of: [Set::NONE; 7],
            christians: Set::NONE,
            muslims: Set::NONE,
            leaders: Set::NONE,
            military: Set::NONE,
            diplomats: Set::NONE,
            fleets: Set::NONE,
            horse: Set::NONE,
            archers: Set::NONE,
            foot: Set::NONE,
            two_steps: Set::NONE,
            emirs: Set::NONE,
            emperor: NONE,
            takitios: NONE,
            assassin: NONE,
            fleet_number: Vec::new(),
            fleet_units: Vec::new(),
            boons: [0; 5],
            all_boons: 0,
            banes: 0,
            apart: Vec::new(),
            board: (0, 0),
        };
        this.read_map(files.text("map.toml"))?;
        this.read_units(files.text("units.toml"))?;
        this.read_tables(files.text("tables.toml"))?;
        this.read_scenarios(files.text("scenarios.toml"))?;
        Ok(this)
    }

    fn read_map(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("map.toml", text)?;
        let mut fields = root.sourced()?;
        let terrains = [
            ("capital", Terrain::Capital),
            ("fortress", Terrain::Fortress),
            ("town", Terrain::Town),
            ("open", Terrain::Open),
            ("desert", Terrain::Desert),
            ("sea", Terrain::Sea),
        ];
        let egyptian = [("after", Egyptian::After), ("always", Egyptian::Always)];
        for node in fields.records("space")? {
            let mut f = node.sourced()?;
            let flag = |n: Option<&Node>| n.map_or(Ok(false), Node::flag);
            let s = self.spaces.len() as u8;
            let name = f.required("name")?;
            let name = name.new_name(NAMES, self.space(name.text()?).is_some())?;
            let terrain = f.required("terrain")?.one_of(&terrains)?;
            let space = Space {
                terrain,
                region: f.required("region")?.text()?.to_string(),
                port: flag(f.optional("port"))?,
                garrison: flag(f.optional("garrison"))?,
                naval_zone: flag(f.optional("naval_zone"))?,
                egyptian: f.optional("fatimid").map_or(Ok(Egyptian::Never), |n| n.one_of(&egyptian))?,
                points: f.optional("points").map_or(Ok(0), |n| n.number_in(0..=20))? as u8,
                place: (f.required("lat")?.decimal()?, f.required("lon")?.decimal()?),
                xy: (0, 0),
                roads: ArrayVec::new(),
                passes: ArrayVec::new(),
                sea: ArrayVec::new(),
                source: f.required("source")?.text()?.to_string(),
                name,
            };
            let holy = flag(f.optional("pilgrimage"))?;
            if holy && self.pilgrimage.try_push(s).is_err() {
                return Err(node.wrong("expected five spaces with `pilgrimage`, found more"));
            }
            let bit = Set::one(s);
            for (set, is) in [
                (&mut self.holy, holy),
                (&mut self.fortresses, terrain == Terrain::Fortress),
                (&mut self.towns, terrain == Terrain::Town),
                (&mut self.deserts, terrain == Terrain::Desert),
                (&mut self.seas, terrain == Terrain::Sea),
                (&mut self.ports, space.port || terrain == Terrain::Capital),
                (&mut self.objectives, flag(f.optional("byzantine_objective"))?),
                (&mut self.armenia, flag(f.optional("armenian"))?),
            ] {
                if is {
                    *set |= bit;
                }
            }
            if flag(f.optional("assassin"))? {
                self.masyaf = s;
            }
            if terrain == Terrain::Capital {
                self.capital = s;
            }
            f.finish()?;
            self.spaces.push(space);
            if self.spaces.len() > SPACES {
                return Err(node.wrong(format!("expected at most {SPACES} spaces")));
            }
        }
        self.read_paths(&mut fields)?;
        for node in fields.records("route")? {
            let mut f = node.sourced()?;
            let name = f.required("name")?.text()?.to_string();
            let spaces: Vec<u8> =
                f.required("spaces")?.list()?.iter().map(|n| self.space_at(n)).collect::<Result<_, _>>()?;
            f.finish()?;
            self.on_route.push(spaces.iter().copied().collect());
            self.routes.push((name, spaces));
        }
        fields.finish()?;
        let named = |name: &str| {
            self.space(name).ok_or_else(|| root.wrong(format!("expected a space called `{name}`")))
        };
        let (jerusalem, sis, damascus) = (named("Jerusalem")?, named("Sis")?, named("Damascus")?);
        let turkish = [named("Nicaea")?, named("Iconium")?, damascus].into_iter().collect();
        (self.jerusalem, self.sis, self.damascus, self.turkish) = (jerusalem, sis, damascus, turkish);
        if self.capital == NONE || self.masyaf == NONE || self.routes.len() != 3 || self.pilgrimage.len() != 5
        {
            return Err(root.wrong(format!(
                "expected a capital, a space of the Assassins, five Pilgrimage fortresses and three land \
                 routes; found {} and {} of the last two",
                self.pilgrimage.len(),
                self.routes.len()
            )));
        }
        if self.pilgrimage[0] != self.jerusalem {
            return Err(root.wrong("expected Jerusalem to be the first Pilgrimage fortress"));
        }
        self.armenian_range = self.around(self.armenia, 2);
        self.apart = (0..self.spaces.len() as u8).map(|s| self.distances(s)).collect();
        self.place_spaces().map_err(|what| root.wrong(what))
    }

    fn read_paths(&mut self, fields: &mut Fields<'_>) -> Result<(), DataError> {
        let kinds = [("road", PathKind::Road), ("pass", PathKind::Pass), ("sea", PathKind::Sea)];
        for node in fields.records("path")? {
            let mut f = node.sourced()?;
            let (a, b) = (self.space_at(f.required("from")?)?, self.space_at(f.required("to")?)?);
            let kind = f.required("kind")?.one_of(&kinds)?;
            let name = f.optional("name").map_or(Ok(""), Node::text)?.to_string();
            f.finish()?;
            let wet = |s: u8| self.seas.has(s);
            let fits = match kind {
                PathKind::Sea => {
                    (wet(a) || self.ports.has(a)) && (wet(b) || self.ports.has(b)) && (wet(a) || wet(b))
                }
                PathKind::Road | PathKind::Pass => !wet(a) && !wet(b),
            };
            if !fits || a == b {
                return Err(node.wrong("expected roads and passes between lands, sea paths to the sea"));
            }
            for (from, to) in [(a, b), (b, a)] {
                let space = &mut self.spaces[usize::from(from)];
                let list = match kind {
                    PathKind::Road => &mut space.roads,
                    PathKind::Pass => &mut space.passes,
                    PathKind::Sea => &mut space.sea,
                };
                list.try_push(to).map_err(|_| node.wrong("expected at most eight paths of a kind"))?;
            }
            self.paths.push(Path { a, b, kind, name });
        }
        Ok(())
    }

    /// All spaces within so many roads or passes of some.
    fn around(&self, from: Set, distance: u8) -> Set {
        let mut found = from;
        for _ in 0..distance {
            for s in found.each() {
                let space = &self.spaces[usize::from(s)];
                found |= space.roads.iter().chain(&space.passes).copied().collect::<Set>();
            }
        }
        found
    }

    /// The neighbours of a space by land, passes included.
    #[inline]
    pub fn beside(&self, s: u8) -> impl Iterator<Item = u8> {
        let space = &self.spaces[usize::from(s)];
        space.roads.iter().chain(&space.passes).copied()
    }

    /// How many paths away each space lies; the sea counts too.
    fn distances(&self, from: u8) -> Vec<u8> {
        let mut far = vec![NONE; self.spaces.len()];
        far[usize::from(from)] = 0;
        for distance in 1..self.spaces.len() as u8 {
            for s in 0..self.spaces.len() {
                let space = &self.spaces[s];
                let mut next = space.roads.iter().chain(&space.passes).chain(&space.sea);
                if far[s] == NONE && next.any(|to| far[usize::from(*to)] == distance - 1) {
                    far[s] = distance;
                }
            }
        }
        far
    }

    fn place_spaces(&mut self) -> Result<(), String> {
        let spot = |(lat, lon): (f64, f64)| levant::Spot { lat, lon, radius: SPACE_RADIUS };
        let spots: Vec<_> = self.spaces.iter().map(|space| spot(space.place)).collect();
        let laid_out = levant::lay_out(WINDOW, BOARD_WIDTH, &spots).map_err(|e| e.to_string())?;
        for (space, xy) in self.spaces.iter_mut().zip(laid_out.places) {
            space.xy = xy;
        }
        self.board = laid_out.size;
        Ok(())
    }

    fn read_units(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("units.toml", text)?;
        let mut fields = root.sourced()?;
        let contingents = [
            ("crusader", Contingent::Crusader),
            ("byzantine", Contingent::Byzantine),
            ("armenian", Contingent::Armenian),
            ("mercenary", Contingent::Mercenary),
            ("seljuk", Contingent::Seljuk),
            ("fatimid", Contingent::Fatimid),
            ("assassin", Contingent::Assassin),
        ];
        let arms = [
            ("heavy_horse", Arm::Horse),
            ("horse_archers", Arm::Archers),
            ("heavy_foot", Arm::Foot),
            ("militia", Arm::Militia),
            ("fleet", Arm::Fleet),
            ("assassins", Arm::Assassins),
        ];
        let leaders = [("military", Leader::Military), ("diplomatic", Leader::Diplomatic)];
        for node in fields.records("unit")? {
            let mut f = node.sourced()?;
            let name = f.required("name")?;
            let taken = self.unit(name.text()?).is_some() || self.space(name.text()?).is_some();
            let name = name.new_name(NAMES, taken)?;
            let contingent = f.required("contingent")?.one_of(&contingents)?;
            let arm = f.required("arm")?.one_of(&arms)?;
            let leader = f.optional("leader").map_or(Ok(Leader::No), |n| n.one_of(&leaders))?;
            let full = f.required("combat")?.number_in(0..=6)? as u8;
            let reduced = f.optional("reduced").map(|n| n.number_in(0..=6)).transpose()?;
            let returns = f.optional("returns").map_or(Ok(false), Node::flag)?;
            let (mut start, mut garrison) = (NONE, false);
            if let Some(n) = f.optional("start") {
                if n.text()? == "garrison" {
                    garrison = true;
                } else {
                    start = self.space_at(n)?;
                }
            }
            let role = f
                .optional("role")
                .map(|n| n.one_of(&[("emperor", true), ("takitios", false)]))
                .transpose()?;
            let source = f.required("source")?.text()?.to_string();
            f.finish()?;
            let u = self.units.len() as u8;
            if usize::from(u) >= UNITS {
                return Err(node.wrong(format!("expected at most {UNITS} units")));
            }
            let bit = Set::one(u);
            let christian = contingent.index() <= Contingent::Mercenary.index();
            match role {
                Some(true) => self.emperor = u,
                Some(false) => self.takitios = u,
                None => {}
            }
            if contingent == Contingent::Assassin {
                self.assassin = u;
            }
            if reduced.is_some() && !christian {
                return Err(node.wrong("expected Muslim units to have one step"));
            }
            self.of[contingent.index()] |= bit;
            for (set, is) in [
                (&mut self.christians, christian),
                (&mut self.muslims, !christian),
                (&mut self.leaders, leader != Leader::No),
                (&mut self.military, leader == Leader::Military),
                (&mut self.diplomats, leader == Leader::Diplomatic),
                (&mut self.fleets, arm == Arm::Fleet),
                (&mut self.horse, arm == Arm::Horse),
                (&mut self.archers, arm == Arm::Archers),
                (&mut self.foot, arm == Arm::Foot),
                (&mut self.two_steps, reduced.is_some()),
                (&mut self.emirs, returns),
            ] {
                if is {
                    *set |= bit;
                }
            }
            self.fleet_number.push(NONE);
            if arm == Arm::Fleet {
                if self.fleet_units.len() >= FLEETS {
                    return Err(node.wrong(format!("expected at most {FLEETS} fleets")));
                }
                self.fleet_number[usize::from(u)] = self.fleet_units.len() as u8;
                self.fleet_units.push(u);
            }
            let combat = [full, reduced.map_or(full, |r| r as u8)];
            let alike = |other: &&Unit| {
                leader == Leader::No
                    && other.leader == Leader::No
                    && (other.contingent, other.arm, other.combat, other.steps > 1)
                        == (contingent, arm, combat, reduced.is_some())
            };
            let class = self.units.iter().find(alike).map_or(u, |other| other.class);
            let steps = if reduced.is_some() { 2 } else { 1 };
            self.units.push(Unit {
                name,
                contingent,
                arm,
                leader,
                steps,
                combat,
                start,
                garrison,
                class,
                source,
            });
        }
        for node in fields.records("marker")? {
            let mut f = node.sourced()?;
            let name = f.required("name")?;
            let text = name.text()?.to_string();
            let kind = match (f.optional("bane"), f.optional("symbols")) {
                (Some(bane), None) => {
                    bane.one_of(&[("ambush", MarkerKind::Ambush), ("event", MarkerKind::Event)])?
                }
                (None, Some(symbols)) => {
                    let words = symbol::ALL.map(|(bit, name)| (name, bit));
                    let mut bits = 0;
                    for node in symbols.list()? {
                        bits |= node.one_of(&words)?;
                    }
                    if self.marker(&text).is_some() {
                        return Err(name.expected("a new name"));
                    }
                    MarkerKind::Boon(bits)
                }
                _ => return Err(node.wrong("expected either `bane` or `symbols`")),
            };
            f.finish()?;
            let bit = 1u32 << self.markers.len();
            match kind {
                MarkerKind::Boon(bits) => {
                    self.all_boons |= bit;
                    for (i, (symbol, _)) in symbol::ALL.iter().enumerate() {
                        self.boons[i] |= if bits & symbol != 0 { bit } else { 0 };
                    }
                }
                MarkerKind::Ambush | MarkerKind::Event => self.banes |= bit,
            }
            self.markers.push(Marker { name: text, kind });
            if self.markers.len() >= MARKERS {
                return Err(node.wrong(format!("expected fewer than {MARKERS} markers")));
            }
        }
        self.camps = fields.required("camps")?.number_in(0..=40)? as u8;
        self.buildings = fields.required("buildings")?.number_in(0..=40)? as u8;
        self.sieges = fields.required("sieges")?.number_in(0..=40)? as u8;
        fields.finish()?;
        if [self.emperor, self.takitios, self.assassin].contains(&NONE) {
            return Err(root.wrong("expected an emperor, Takitios and a unit of the Assassins"));
        }
        let holding = self.units.iter().filter(|u| u.garrison).count();
        let held = self.spaces.iter().filter(|s| s.garrison).count();
        if holding < held {
            return Err(root.wrong(format!("{held} spaces need a garrison, and {holding} units can be one")));
        }
        Ok(())
    }

    fn read_tables(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("tables.toml", text)?;
        let mut fields = root.sourced()?;
        let cells = |node: &Node| -> Result<Vec<Node>, DataError> {
            let mut f = node.sourced()?;
            let columns = f.required("columns")?;
            let mut cells = Vec::new();
            for column in columns.list()? {
                let rows = column.list()?;
                if rows.len() != 6 {
                    return Err(column.wrong(format!("expected six rows, found {}", rows.len())));
                }
                cells.extend(rows.iter().cloned());
            }
            if cells.len() != 36 {
                return Err(columns.wrong(format!("expected six columns, found {}", cells.len() / 6)));
            }
            f.finish()?;
            Ok(cells)
        };
        let events = Event::ALL.map(|(event, name, _)| (name, event));
        for (i, node) in cells(fields.required("events")?)?.iter().enumerate() {
            self.events[i / 6][i % 6] = node.one_of(&events)?;
        }
        self.inroads = vec![0.0; self.routes.len()];
        for (i, node) in cells(fields.required("counteroffensive")?)?.iter().enumerate() {
            let text = node.text()?;
            let route = |name: &str| {
                let at = self.routes.iter().position(|(n, _)| n == name);
                at.map(|at| at as u8).ok_or_else(|| node.wrong(format!("no land route is called `{name}`")))
            };
            self.counters[i / 6][i % 6] = match text.split_once(' ') {
                Some(("Attack", name)) => Counter::Attack(route(name)?),
                Some(("Relief", name)) => Counter::Relief(route(name)?),
                Some(("Raid", name)) => {
                    let s = self.space(name);
                    let s = s.ok_or_else(|| node.wrong(format!("no space is called `{name}`")))?;
                    if s == self.masyaf || s == self.capital || self.seas.has(s) {
                        return Err(node.wrong("Muslims never come to Constantinople, Masyaf or the sea"));
                    }
                    Counter::Raid(s)
                }
                Some(("Naval", "Action")) => Counter::Naval,
                _ => return Err(node.expected("Attack ROUTE, Relief ROUTE, Raid SPACE or Naval Action")),
            };
            match self.counters[i / 6][i % 6] {
                Counter::Attack(route) | Counter::Relief(route) => {
                    self.inroads[usize::from(route)] += 1.0 / 36.0;
                }
                Counter::Raid(s) => self.raids[usize::from(s)] += 1.0 / 36.0,
                Counter::Naval => {}
            }
        }
        fields.finish()
    }

    fn read_scenarios(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("scenarios.toml", text)?;
        let mut fields = root.sourced()?;
        for node in fields.records("scenario")? {
            let mut f = node.sourced()?;
            let mut levels = [0; 3];
            let list = f.required("levels")?;
            for (level, node) in levels.iter_mut().zip(list.list()?) {
                *level = node.number_in(-50..=200)? as i16;
            }
            let mut plot = Plot {
                id: f.required("id")?.text()?.to_string(),
                name: f.required("name")?.text()?.to_string(),
                gist: f.required("gist")?.text()?.to_string(),
                minutes: f.required("minutes")?.number_in(1..=600)? as u16,
                first_turn: f.required("first_turn")?.number_in(1..=9)? as u8,
                turns: f.required("turns")?.number_in(1..=9)? as u8,
                levels,
                goal: f.optional("goal").map_or(Ok(NONE), |n| self.space_at(n))?,
                quiet: f.optional("quiet").map_or(Ok(false), Node::flag)?,
                free: Set::NONE,
                units: None,
            };
            if let Some(free) = f.optional("free") {
                for n in free.list()? {
                    plot.free |= Set::one(self.space_at(n)?);
                }
            }
            if let Some(units) = f.optional("units") {
                let mut all = Vec::new();
                for node in units.list()? {
                    let (s, units) = self.stack(node)?;
                    all.extend(units.into_iter().map(|u| (u, s)));
                }
                plot.units = Some(all);
            }
            if plot.first_turn + plot.turns > 10 {
                return Err(node.wrong("the turn track has nine turns"));
            }
            f.finish()?;
            self.plots.push(plot);
        }
        fields.finish()?;
        if self.plots.is_empty() { Err(root.wrong("expected at least one scenario")) } else { Ok(()) }
    }

    /// Reads `SPACE: unit, unit`.
    pub(crate) fn stack(&self, node: &Node) -> Result<(u8, Vec<u8>), DataError> {
        let (space, names) =
            node.text()?.split_once(": ").ok_or_else(|| node.expected("`SPACE: unit, unit`"))?;
        let s = self.space(space).ok_or_else(|| node.wrong(format!("no space is called `{space}`")))?;
        let mut units = Vec::new();
        for name in names.split(", ") {
            let u = self.unit(name).ok_or_else(|| node.wrong(format!("no unit is called `{name}`")))?;
            units.push(u);
        }
        Ok((s, units))
    }

    /// The space with this name.
    pub fn space(&self, name: &str) -> Option<u8> {
        self.spaces.iter().position(|s| s.name == name).map(|s| s as u8)
    }

    pub(crate) fn space_at(&self, node: &Node) -> Result<u8, DataError> {
        let name = node.text()?;
        self.space(name).ok_or_else(|| node.wrong(format!("no space is called `{name}`")))
    }

    /// The unit with this name.
    pub fn unit(&self, name: &str) -> Option<u8> {
        self.units.iter().position(|u| u.name == name).map(|u| u as u8)
    }

    /// The boon with this name.
    pub fn marker(&self, name: &str) -> Option<u8> {
        let boon = |m: &Marker| matches!(m.kind, MarkerKind::Boon(_)) && m.name == name;
        self.markers.iter().position(boon).map(|m| m as u8)
    }

    /// The name of a space.
    pub fn space_name(&self, s: u8) -> &str {
        self.spaces.get(usize::from(s)).map_or("nowhere", |s| &s.name)
    }

    /// The name of a unit.
    pub fn unit_name(&self, u: u8) -> &str {
        self.units.get(usize::from(u)).map_or("nobody", |u| &u.name)
    }

    /// The name of a marker.
    pub fn marker_name(&self, m: u8) -> &str {
        self.markers.get(usize::from(m)).map_or("nothing", |m| &m.name)
    }
}
