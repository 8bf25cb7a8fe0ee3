//! The components: map, counters, tables and scenarios, read and checked once.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use table::sheet::{self, DataError, Fields, Node};
use table::{DataFiles, Id, Map, Rule, Seat, Set, rule};

mod register;

pub use register::Register;

/// What stands in no name, since notation needs it.
const NAMES: &str = "> ~ : ( ) ,";

table::ids! {
    /// A space of the map.
    pub struct Space: 88 in u128;
    /// A counter that fights.
    pub struct Unit: 128 in u128;
    /// A Pilgrimage marker that is no unit.
    pub struct Marker: 31 in u64;
    /// A fleet, by its number among the fleets.
    pub struct Fleet: 16 in u64;
    /// A land route.
    pub struct Route: 3 in u64;
    /// A kingdom that can be founded: one for each Crusader Pilgrimage Fortress, Jerusalem first.
    pub struct Kingdom: 5 in u64;
}

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

    /// Its name before another word.
    pub const fn adjective(self) -> &'static str {
        match self {
            Self::Crusader => "Crusader",
            Self::Byzantine => "Byzantine",
            Self::Armenian => "Armenian",
            Self::Mercenary => "Mercenary",
            Self::Seljuk => "Seljuk",
            Self::Fatimid => "Fatimid",
            Self::Assassin => "Assassin",
        }
    }

    /// Whether it is on the side of the players.
    pub const fn is_christian(self) -> bool {
        matches!(self, Self::Crusader | Self::Byzantine | Self::Armenian | Self::Mercenary)
    }
}

/// A contingent that forms forces of its own; mercenaries go with them [12.5, 32.5].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Family {
    /// Crusaders.
    Crusader,
    /// Byzantines.
    Byzantine,
    /// Cilician Armenians.
    Armenian,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Crusader, Self::Byzantine, Self::Armenian];

    /// Its units, without mercenaries.
    #[inline]
    pub const fn contingent(self) -> Contingent {
        match self {
            Self::Crusader => Contingent::Crusader,
            Self::Byzantine => Contingent::Byzantine,
            Self::Armenian => Contingent::Armenian,
        }
    }

    /// Its name, of several.
    pub const fn name(self) -> &'static str {
        self.contingent().name()
    }

    /// The seat that is named after it.
    #[inline]
    pub const fn seat(self) -> Seat {
        Seat::new(self as u8)
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

    /// The type in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Horse => "heavy cavalry",
            Self::Archers => "horse archers",
            Self::Foot => "heavy infantry",
            Self::Militia => "militia",
            Self::Fleet => "fleet",
            Self::Assassins => "Assassins",
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

/// What is printed on a unit.
#[derive(Clone, Debug)]
pub struct Troop {
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
    /// Where it begins; else in its bin.
    pub start: Option<Space>,
    /// Whether it can hold a fortress at the start [7.0].
    pub garrison: bool,
    /// Units of one class are interchangeable.
    pub class: Unit,
    /// Where its figures come from.
    pub source: String,
}

impl Troop {
    /// The combat factor on either side.
    #[inline]
    pub fn factor(&self, reduced: bool) -> u8 {
        let [full, half] = self.combat;
        if reduced { half } else { full }
    }
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

/// What is printed on a space.
#[derive(Clone, Debug)]
pub struct Site {
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
    pub roads: ArrayVec<Space, 8>,
    /// Neighbours over passes.
    pub passes: ArrayVec<Space, 8>,
    /// Neighbours over the sea.
    pub sea: ArrayVec<Space, 8>,
    /// Where its figures come from.
    pub source: String,
}

/// A path between spaces [3.1].
#[derive(Clone, Debug)]
pub struct Path {
    /// One end.
    pub a: Space,
    /// The other.
    pub b: Space,
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

/// A symbol of a boon [13.2].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// Negotiations.
    Scroll,
    /// Military advantage.
    Sword,
    /// Special Actions.
    Shield,
    /// Treachery.
    Eye,
    /// Supplies.
    Wagon,
}

impl Symbol {
    /// All of them with their names.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Scroll, "scroll"),
        (Self::Sword, "sword"),
        (Self::Shield, "shield"),
        (Self::Eye, "eye"),
        (Self::Wagon, "wagon"),
    ];
}

/// What a Pilgrimage marker is [13.2].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkerKind {
    /// A boon.
    Boon,
    /// The bane Ambush.
    Ambush,
    /// The bane Event.
    Event,
}

/// What is printed on a Pilgrimage marker.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: MarkerKind,
}

/// The events [35.0].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
    Attack(Route),
    /// A relief force on a route.
    Relief(Route),
    /// A raid on a space.
    Raid(Space),
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
    pub goal: Option<Space>,
    /// The city for which the scenario is fought: it is worth what Jerusalem is else, and nothing is won without it.
    pub prize: Option<Space>,
    /// Fortresses that are worth nothing here.
    pub idle: Set<Space>,
    /// The Muslim reaction at the beginning [27.1].
    pub reaction: u8,
    /// Whether there are neither events nor Muslim reaction.
    pub quiet: bool,
    /// Spaces without a Seljuk garrison.
    pub free: Set<Space>,
    /// Units and where they begin; `None` for the set-up of the rulebook.
    pub units: Option<Vec<(Unit, Space)>>,
}

/// All components.
#[derive(Clone, Debug)]
pub struct Components {
    /// The spaces.
    pub spaces: Register<Space, Site>,
    /// The paths.
    pub paths: Vec<Path>,
    /// The land routes: name, and spaces nearest to Jerusalem first.
    pub routes: Register<Route, (String, Vec<Space>)>,
    /// The units.
    pub units: Register<Unit, Troop>,
    /// The Pilgrimage markers that are no units.
    pub markers: Register<Marker, Token>,
    /// How many camps there are.
    pub camps: usize,
    /// How many castles and monasteries together.
    pub buildings: usize,
    /// How many siege and massacre markers together.
    pub sieges: usize,
    /// The events by column and row.
    pub events: [[Event; 6]; 6],
    /// The counteroffensives by column and row.
    pub counters: [[Counter; 6]; 6],
    /// How likely a counteroffensive is a raid on each space.
    pub raids: Map<Space, f32>,
    /// How likely it comes down each land route.
    pub inroads: Map<Route, f32>,
    /// The scenarios.
    pub plots: Vec<Plot>,
    /// Constantinople.
    pub capital: Space,
    /// Jerusalem.
    pub jerusalem: Space,
    /// Masyaf.
    pub masyaf: Space,
    /// Sis, where diplomacy is done [16.1].
    pub sis: Space,
    /// Damascus [35.jihad].
    pub damascus: Space,
    /// Nicaea, Iconium and Damascus [35.turk-civil-war].
    pub turkish: Set<Space>,
    /// All fortresses, Constantinople not among them.
    pub fortresses: Set<Space>,
    /// Towns.
    pub towns: Set<Space>,
    /// Deserts.
    pub deserts: Set<Space>,
    /// Sea spaces.
    pub seas: Set<Space>,
    /// Ports, Constantinople among them.
    pub ports: Set<Space>,
    /// The Crusader Pilgrimage Fortresses [12.2], Jerusalem first.
    pub pilgrimage: Register<Kingdom, Space>,
    /// The same as a set.
    pub holy: Set<Space>,
    /// Byzantine Objective Fortresses.
    pub objectives: Set<Space>,
    /// Armenian fortresses.
    pub armenia: Set<Space>,
    /// Where Armenian forces may go [30.2].
    pub armenian_range: Set<Space>,
    /// The units of each contingent.
    of: [Set<Unit>; Contingent::ALL.len()],
    /// The same, one by one.
    roster: [Vec<Unit>; Contingent::ALL.len()],
    /// All Christian units.
    pub christians: Set<Unit>,
    /// All Muslim units and the Assassins.
    pub muslims: Set<Unit>,
    /// All leaders.
    pub leaders: Set<Unit>,
    /// Military leaders.
    pub military: Set<Unit>,
    /// Diplomatic leaders.
    pub diplomats: Set<Unit>,
    /// Fleets, the naval leader among them.
    pub fleets: Set<Unit>,
    /// Heavy cavalry.
    pub horse: Set<Unit>,
    /// Horse archers.
    pub archers: Set<Unit>,
    /// Heavy infantry.
    pub foot: Set<Unit>,
    /// Units with two steps.
    pub two_steps: Set<Unit>,
    /// Leaders who go back to their bin when eliminated [32.4].
    pub emirs: Set<Unit>,
    /// Alexios [32.2].
    pub emperor: Unit,
    /// Takitios [32.3].
    pub takitios: Unit,
    /// The Assassin unit.
    pub assassin: Unit,
    /// The number of each unit that is a fleet.
    pub fleet_number: Map<Unit, Option<Fleet>>,
    /// The fleets by number.
    pub fleet_units: Register<Fleet, Unit>,
    /// The boons with each symbol.
    boons: [Set<Marker>; Symbol::ALL.len()],
    /// All boons.
    pub all_boons: Set<Marker>,
    /// All banes.
    pub banes: Set<Marker>,
    /// How many paths lie between two spaces, passes and sea counted, if any way leads there.
    pub apart: Register<Space, Map<Space, Option<u8>>>,
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
        // Every one of these is found below, or the data are refused.
        let (somewhere, someone) = (Space::at(0), Unit::at(0));
        let mut this = Self {
            spaces: Register::new(),
            paths: Vec::new(),
            routes: Register::new(),
            units: Register::new(),
            markers: Register::new(),
            camps: 0,
            buildings: 0,
            sieges: 0,
            events: [[Event::NoEvent; 6]; 6],
            counters: [[Counter::Naval; 6]; 6],
            raids: Map::filled(0.0),
            inroads: Map::filled(0.0),
            plots: Vec::new(),
            capital: somewhere,
            jerusalem: somewhere,
            masyaf: somewhere,
            sis: somewhere,
            damascus: somewhere,
            turkish: Set::NONE,
            fortresses: Set::NONE,
            towns: Set::NONE,
            deserts: Set::NONE,
            seas: Set::NONE,
            ports: Set::NONE,
            pilgrimage: Register::new(),
            holy: Set::NONE,
            objectives: Set::NONE,
            armenia: Set::NONE,
            armenian_range: Set::NONE,
            of: [Set::NONE; Contingent::ALL.len()],
            roster: Default::default(),
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
            emperor: someone,
            takitios: someone,
            assassin: someone,
            fleet_number: Map::filled(None),
            fleet_units: Register::new(),
            boons: [Set::NONE; Symbol::ALL.len()],
            all_boons: Set::NONE,
            banes: Set::NONE,
            apart: Register::new(),
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
        let (mut capital, mut masyaf) = (None, None);
        let egyptian = [("after", Egyptian::After), ("always", Egyptian::Always)];
        for node in fields.records("space")? {
            let mut f = node.sourced()?;
            let flag = |n: Option<&Node>| n.map_or(Ok(false), Node::flag);
            let Some(s) = self.spaces.next() else {
                return Err(node.wrong(format!("expected at most {} spaces", Space::COUNT)));
            };
            let name = f.required("name")?;
            let name = name.new_name(NAMES, self.space(name.text()?).is_some())?;
            let terrain = f.required("terrain")?.one_of(&terrains)?;
            let site = Site {
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
            if holy && self.pilgrimage.push(s).is_none() {
                return Err(node.wrong("expected five spaces with `pilgrimage`, found more"));
            }
            for (set, is) in [
                (&mut self.holy, holy),
                (&mut self.fortresses, terrain == Terrain::Fortress),
                (&mut self.towns, terrain == Terrain::Town),
                (&mut self.deserts, terrain == Terrain::Desert),
                (&mut self.seas, terrain == Terrain::Sea),
                (&mut self.ports, site.port || terrain == Terrain::Capital),
                (&mut self.objectives, flag(f.optional("byzantine_objective"))?),
                (&mut self.armenia, flag(f.optional("armenian"))?),
            ] {
                if is {
                    set.insert(s);
                }
            }
            if flag(f.optional("assassin"))? {
                masyaf = Some(s);
            }
            if terrain == Terrain::Capital {
                capital = Some(s);
            }
            f.finish()?;
            self.spaces.push(site);
        }
        self.read_paths(&mut fields)?;
        for node in fields.records("route")? {
            let mut f = node.sourced()?;
            let name = f.required("name")?.text()?.to_string();
            let spaces: Vec<Space> =
                f.required("spaces")?.list()?.iter().map(|n| self.space_at(n)).collect::<Result<_, _>>()?;
            f.finish()?;
            if self.routes.push((name, spaces)).is_none() {
                return Err(node.wrong("expected three land routes, found more"));
            }
        }
        fields.finish()?;
        let named = |name: &str| {
            self.space(name).ok_or_else(|| root.wrong(format!("expected a space called `{name}`")))
        };
        let (jerusalem, sis, damascus) = (named("Jerusalem")?, named("Sis")?, named("Damascus")?);
        let turkish = [named("Nicaea")?, named("Iconium")?, damascus].into_iter().collect();
        (self.jerusalem, self.sis, self.damascus, self.turkish) = (jerusalem, sis, damascus, turkish);
        let (Some(capital), Some(masyaf), Route::COUNT, Kingdom::COUNT) =
            (capital, masyaf, self.routes.len(), self.pilgrimage.len())
        else {
            return Err(root.wrong(format!(
                "expected a capital, a space of the Assassins, five Pilgrimage fortresses and three land \
                 routes; found {} and {} of the last two",
                self.pilgrimage.len(),
                self.routes.len()
            )));
        };
        (self.capital, self.masyaf) = (capital, masyaf);
        if self.pilgrimage.values().first() != Some(&self.jerusalem) {
            return Err(root.wrong("expected Jerusalem to be the first Pilgrimage fortress"));
        }
        self.armenian_range = self.around(self.armenia, 2);
        for s in self.spaces.ids() {
            let apart = self.distances(s);
            self.apart.push(apart);
        }
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
            let wet = |s: Space| self.seas.has(s);
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
                let space = &mut self.spaces[from];
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
    fn around(&self, from: Set<Space>, distance: u8) -> Set<Space> {
        let mut found = from;
        for _ in 0..distance {
            for s in found {
                let space = &self.spaces[s];
                found |= space.roads.iter().chain(&space.passes).copied().collect::<Set<_>>();
            }
        }
        found
    }

    /// The neighbours of a space by land, passes included.
    #[inline]
    pub fn beside(&self, s: Space) -> impl Iterator<Item = Space> {
        let space = &self.spaces[s];
        space.roads.iter().chain(&space.passes).copied()
    }

    /// How many paths away each space lies; the sea counts too.
    fn distances(&self, from: Space) -> Map<Space, Option<u8>> {
        let mut far = Map::filled(None);
        far[from] = Some(0);
        for distance in 1..self.spaces.len() as u8 {
            for (s, site) in self.spaces.iter() {
                let mut next = site.roads.iter().chain(&site.passes).chain(&site.sea);
                if far[s].is_none() && next.any(|to| far[*to] == Some(distance - 1)) {
                    far[s] = Some(distance);
                }
            }
        }
        far
    }

    fn place_spaces(&mut self) -> Result<(), String> {
        let spot = |(lat, lon): (f64, f64)| levant::Spot { lat, lon, radius: SPACE_RADIUS };
        let spots: Vec<_> = self.spaces.values().iter().map(|site| spot(site.place)).collect();
        let laid_out = levant::lay_out(WINDOW, BOARD_WIDTH, &spots).map_err(|e| e.to_string())?;
        for (s, xy) in self.spaces.ids().zip(laid_out.places) {
            self.spaces[s].xy = xy;
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
        let (mut emperor, mut takitios, mut assassin) = (None, None, None);
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
            let (mut start, mut garrison) = (None, false);
            if let Some(n) = f.optional("start") {
                if n.text()? == "garrison" {
                    garrison = true;
                } else {
                    start = Some(self.space_at(n)?);
                }
            }
            let role = f
                .optional("role")
                .map(|n| n.one_of(&[("emperor", true), ("takitios", false)]))
                .transpose()?;
            let source = f.required("source")?.text()?.to_string();
            f.finish()?;
            let Some(u) = self.units.next() else {
                return Err(node.wrong(format!("expected at most {} units", Unit::COUNT)));
            };
            let christian = contingent.is_christian();
            match role {
                Some(true) => emperor = Some(u),
                Some(false) => takitios = Some(u),
                None => {}
            }
            if contingent == Contingent::Assassin {
                assassin = Some(u);
            }
            if reduced.is_some() && !christian {
                return Err(node.wrong("expected Muslim units to have one step"));
            }
            self.of[contingent as usize].insert(u);
            self.roster[contingent as usize].push(u);
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
                    set.insert(u);
                }
            }
            if arm == Arm::Fleet {
                let Some(fleet) = self.fleet_units.push(u) else {
                    return Err(node.wrong(format!("expected at most {} fleets", Fleet::COUNT)));
                };
                self.fleet_number[u] = Some(fleet);
            }
            let combat = [full, reduced.map_or(full, |r| r as u8)];
            let alike = |other: &&Troop| {
                leader == Leader::No
                    && other.leader == Leader::No
                    && (other.contingent, other.arm, other.combat, other.steps > 1)
                        == (contingent, arm, combat, reduced.is_some())
            };
            let class = self.units.values().iter().find(alike).map_or(u, |other| other.class);
            let steps = if reduced.is_some() { 2 } else { 1 };
            self.units.push(Troop {
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
            let Some(m) = self.markers.next() else {
                return Err(node.wrong(format!("expected at most {} markers", Marker::COUNT)));
            };
            let mut f = node.sourced()?;
            let name = f.required("name")?;
            let text = name.text()?.to_string();
            let kind = match (f.optional("bane"), f.optional("symbols")) {
                (Some(bane), None) => {
                    bane.one_of(&[("ambush", MarkerKind::Ambush), ("event", MarkerKind::Event)])?
                }
                (None, Some(symbols)) => {
                    let words = Symbol::ALL.map(|(symbol, name)| (name, symbol));
                    for node in symbols.list()? {
                        self.boons[node.one_of(&words)? as usize].insert(m);
                    }
                    if self.marker(&text).is_some() {
                        return Err(name.expected("a new name"));
                    }
                    MarkerKind::Boon
                }
                _ => return Err(node.wrong("expected either `bane` or `symbols`")),
            };
            f.finish()?;
            match kind {
                MarkerKind::Boon => self.all_boons.insert(m),
                MarkerKind::Ambush | MarkerKind::Event => self.banes.insert(m),
            }
            self.markers.push(Token { name: text, kind });
        }
        self.camps = fields.required("camps")?.number_in(0..=40)? as usize;
        self.buildings = fields.required("buildings")?.number_in(0..=40)? as usize;
        self.sieges = fields.required("sieges")?.number_in(0..=40)? as usize;
        fields.finish()?;
        let (Some(emperor), Some(takitios), Some(assassin)) = (emperor, takitios, assassin) else {
            return Err(root.wrong("expected an emperor, Takitios and a unit of the Assassins"));
        };
        (self.emperor, self.takitios, self.assassin) = (emperor, takitios, assassin);
        let holding = self.units.values().iter().filter(|u| u.garrison).count();
        let held = self.spaces.values().iter().filter(|s| s.garrison).count();
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
        for (i, node) in cells(fields.required("counteroffensive")?)?.iter().enumerate() {
            let text = node.text()?;
            let route = |name: &str| {
                let at = self.routes.find(|(n, _)| n == name);
                at.ok_or_else(|| node.wrong(format!("no land route is called `{name}`")))
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
                    self.inroads[route] += 1.0 / 36.0;
                }
                Counter::Raid(s) => self.raids[s] += 1.0 / 36.0,
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
                goal: f.optional("goal").map(|n| self.space_at(n)).transpose()?,
                prize: f.optional("prize").map(|n| self.space_at(n)).transpose()?,
                idle: Set::NONE,
                reaction: f.optional("reaction").map_or(Ok(1), |n| n.number_in(1..=3))? as u8,
                quiet: f.optional("quiet").map_or(Ok(false), Node::flag)?,
                free: Set::NONE,
                units: None,
            };
            for (key, places) in [("free", &mut plot.free), ("idle", &mut plot.idle)] {
                for n in f.optional(key).map_or(Ok(&[][..]), Node::list)? {
                    places.insert(self.space_at(n)?);
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
    pub(crate) fn stack(&self, node: &Node) -> Result<(Space, Vec<Unit>), DataError> {
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

    /// The units of a contingent.
    #[inline]
    pub fn of(&self, contingent: Contingent) -> Set<Unit> {
        self.of[contingent as usize]
    }

    /// The units of a contingent, one by one.
    #[inline]
    pub fn roster(&self, contingent: Contingent) -> &[Unit] {
        &self.roster[contingent as usize]
    }

    /// The boons with a symbol.
    #[inline]
    pub fn with(&self, symbol: Symbol) -> Set<Marker> {
        self.boons[symbol as usize]
    }

    /// The space with this name.
    pub fn space(&self, name: &str) -> Option<Space> {
        self.spaces.find(|s| s.name == name)
    }

    pub(crate) fn space_at(&self, node: &Node) -> Result<Space, DataError> {
        let name = node.text()?;
        self.space(name).ok_or_else(|| node.wrong(format!("no space is called `{name}`")))
    }

    /// The unit with this name.
    pub fn unit(&self, name: &str) -> Option<Unit> {
        self.units.find(|u| u.name == name)
    }

    /// The boon with this name.
    pub fn marker(&self, name: &str) -> Option<Marker> {
        self.markers.find(|m| m.kind == MarkerKind::Boon && m.name == name)
    }

    /// The kingdom whose capital a space is.
    pub fn kingdom(&self, s: Space) -> Option<Kingdom> {
        self.pilgrimage.find(|capital| *capital == s)
    }

    /// The name of a space.
    pub fn space_name(&self, s: Space) -> &str {
        self.spaces.get(s).map_or("nowhere", |site| &site.name)
    }

    /// The name of a unit.
    pub fn unit_name(&self, u: Unit) -> &str {
        self.units.get(u).map_or("nobody", |troop| &troop.name)
    }

    /// The name of a marker.
    pub fn marker_name(&self, m: Marker) -> &str {
        self.markers.get(m).map_or("nothing", |token| &token.name)
    }
}
