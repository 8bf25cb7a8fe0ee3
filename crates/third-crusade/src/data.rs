//! The components, read and checked once: the map, the armies with their leaders, orders, event cards, boards and
//! tables, castings and set-ups.
//!
//! What the printed game fixes is checked here: counts, roads, decks, and the worked examples of the rulebook. That
//! the starting tracks come out as printed, for every casting, is checked when the game opens (`setup`), with the
//! rules themselves.

use table::sheet::{self, DataError, Fields, Node};
use table::{DataFiles, Id, Map, Set};

use crate::ids::{
    Army, Event, Icon, Land, Leader, Mission, Objective, Order, Owner, Region, Road, SHAPES, SIDES,
    SLOT_NAMES, Shape, Side, Slot, Space, Treaty, UNITS, Unit,
};

pub mod effects;
mod examples;

pub use effects::{Effect, March, Part, Parts, Place, Presence, Sort, Target, Whose};
use effects::{ICON_WORDS, Reader};

/// The most parts of one card.
pub const PARTS: usize = 8;
/// The ids of the armies, in the order of the seats.
const ARMY_IDS: [&str; 4] = ["angevin", "ayyubid", "hre", "turkoman"];
/// The window of both boards on the chart, in hundredths of a degree: west, south, east, north.
pub const WINDOW: (i32, i32, i32, i32) = (3080, 3050, 3860, 3860);
/// How wide the board is drawn.
const BOARD_WIDTH: i32 = 1600;
/// Room for a region and its pieces, in board units.
pub const REGION_RADIUS: i32 = 50;

/// An army.
#[derive(Clone, Debug)]
pub struct ArmySheet {
    /// Its name.
    pub name: String,
    /// Its Units, by kind.
    pub pool: [u8; 3],
    /// The leaders that it deploys in the variable set-up.
    pub leaders: Set<Leader>,
    /// Its deployment points there.
    pub points: u8,
}

/// A region.
#[derive(Clone, Debug)]
pub struct RegionSheet {
    /// Its name.
    pub name: String,
    /// City, desert or Jerusalem.
    pub land: Land,
    /// How many ports it has.
    pub ports: u8,
    /// The printed icon of each Slot.
    pub icons: Map<Slot, Option<Icon>>,
    /// The printed icons by shape and kind, and the bare Slots of each shape.
    pub shown: Shown,
    /// Where it lies: degrees north and east.
    pub place: (f64, f64),
    /// Where it is drawn.
    pub xy: (i32, i32),
}

/// What Slots show: icons by shape and kind, and how many Slots of each shape are bare.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// Icons, by shape and kind.
    pub icons: [[u8; 5]; 3],
    /// Slots that show nothing, by shape.
    pub bare: [u8; 3],
}

impl Shown {
    /// What these Slots show; those that are barred show nothing and hold nobody.
    pub fn of(slots: &Map<Slot, Option<Icon>>, barred: u16) -> Self {
        let mut shown = Self::default();
        for (slot, icon) in slots.iter().filter(|(slot, _)| barred >> slot.number() & 1 == 0) {
            let shape = Shape::of(slot) as usize;
            match icon {
                Some(icon) => shown.icons[shape][*icon as usize] += 1,
                None => shown.bare[shape] += 1,
            }
        }
        shown
    }
}

/// One side of a leader.
#[derive(Clone, Debug)]
pub struct Face {
    /// His name.
    pub name: String,
    /// The Slot that he takes.
    pub shape: Shape,
    /// His Unit icons, by kind.
    pub units: [u8; 3],
    /// His resource icons.
    pub icons: [u8; 5],
}

/// A leader.
#[derive(Clone, Debug)]
pub struct LeaderSheet {
    /// Whose he is.
    pub owner: Owner,
    /// His front, and his other side if he has one.
    pub faces: [Face; 2],
    /// How he comes into the game.
    pub origin: Origin,
}

/// How a leader comes into the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// He is there from the start.
    Setup,
    /// Aboard a ship.
    Genoa,
    /// By a card.
    Event,
    /// From a space of the diplomacy board.
    Diplomacy,
}

/// An order.
#[derive(Clone, Debug)]
pub struct OrderSheet {
    /// Whose it is.
    pub army: Army,
    /// Its title.
    pub title: String,
    /// Whether it must be bought.
    pub advanced: bool,
    /// Whether it is for battles.
    pub reaction: bool,
    /// The presence that it asks for.
    pub presence: Presence,
    /// The sort of region that it asks for.
    pub sort: Sort,
    /// What it costs.
    pub cost: u8,
    /// Whether it can be tithed.
    pub tithe: bool,
    /// What it does.
    pub parts: Parts,
    /// How many there are just like it, itself included; none for those that are like an earlier one.
    pub count: u8,
}

/// How the crown event of a card stands to its main event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// In addition.
    And,
    /// In addition, in its region.
    SameRegion,
    /// In its place.
    Instead,
}

/// An event card.
#[derive(Clone, Debug)]
pub struct EventSheet {
    /// Whose it is.
    pub army: Army,
    /// Its period, from 0.
    pub period: u8,
    /// Its title.
    pub title: String,
    /// The crowns that its crown event needs.
    pub crowns: u8,
    /// How the crown event stands to the main event.
    pub mode: Mode,
    /// Both events.
    pub parts: Parts,
    /// The army without which it leaves its deck.
    pub needs: Option<Army>,
    /// The episode behind it.
    pub note: String,
}

/// What a mission counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quest {
    /// Regions of a sort.
    Sort(Sort),
    /// Regions in which an icon lies open.
    Icon(Icon),
}

/// A mission card.
#[derive(Clone, Debug)]
pub struct MissionSheet {
    /// Its title.
    pub title: String,
    /// What the alliances compete for.
    pub glory: Quest,
    /// What partners compete for.
    pub faith: Quest,
}

/// A diplomacy card.
#[derive(Clone, Debug)]
pub struct TreatySheet {
    /// Its name.
    pub name: String,
    /// Its rewards, 1 to 5.
    pub rewards: [Parts; 5],
}

/// A space of the diplomacy board.
#[derive(Clone, Debug)]
pub struct SpaceSheet {
    /// Its id.
    pub id: String,
    /// Its row, from 1.
    pub row: u8,
    /// What it gives.
    pub parts: Parts,
    /// Where lines lead forward from it.
    pub forward: Set<Space>,
    /// Where lines lead sideways from it.
    pub sideways: Set<Space>,
}

/// An objective card.
#[derive(Clone, Debug)]
pub struct ObjectiveSheet {
    /// Its main city.
    pub main: Region,
    /// The deck that it belongs to in the variable set-up.
    pub deck: Option<Side>,
    /// Whether it bears the North mark.
    pub north: bool,
    /// Its cities.
    pub cities: Set<Region>,
    /// Glory for one, two and three of them.
    pub score: [u8; 3],
}

/// What a ship brings to an army.
#[derive(Clone, Debug)]
pub struct Cargo {
    /// When it lands.
    pub period: u8,
    /// For whom.
    pub army: Army,
    /// Units by kind.
    pub units: [u8; 3],
    /// Leaders.
    pub leaders: Set<Leader>,
}

/// Tables of numbers.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The periods, as they are written.
    pub periods: Vec<String>,
    /// The end of the Glory track, and where it wins.
    pub glory: (i8, i8),
    /// Glory for an order that was not executed, for supply that is short, and for Jerusalem.
    pub penalties: (i8, i8, i8),
    /// The end of the Faith track, and where a lone player and a pair begin.
    pub faith: (i8, i8, i8),
    /// Strength of a lone player with more Faith.
    pub faith_strength: u8,
    /// Gold at the start, and that of the lone one of three.
    pub gold: (u8, u8),
    /// Cards drawn, and cards chosen from each army.
    pub hand: (u8, u8),
    /// Objectives of a player.
    pub objectives: u8,
    /// What a missing crown costs in gold, an Advanced Order in supply, and a Bandit in Units.
    pub prices: (u8, u8, u8),
    /// Deployment points of each Unit.
    pub deployment: [u8; 3],
    /// Strength of Units by kind, in cities and in deserts.
    pub strength: [[u8; 3]; 2],
    /// The shape of each token.
    pub tokens: [Shape; 5],
    /// Ends of the tracks of an army, by icon; Glory has none here.
    pub tracks: [u8; 5],
    /// Sections of each kind of Unit: size and supply.
    pub sections: [(u8, u8); 3],
    /// Command points of the bidding board.
    pub values: [u8; 4],
    /// Diplomacy markers of an army.
    pub markers: u8,
}

/// A set of armies that can play.
#[derive(Clone, Debug)]
pub struct Casting {
    /// The armies.
    pub armies: Set<Army>,
    /// Which set-up they use.
    pub setup: usize,
    /// Whether a table of so many begins with it.
    pub usual: bool,
}

/// Units and leaders that begin somewhere.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Where.
    pub at: Region,
    /// Whose: one army's, or those of whichever army of a side plays.
    pub whose: Result<Army, Side>,
    /// Double-coloured Units: whose they are where that army does not play.
    pub or: Option<Army>,
    /// Units by kind.
    pub units: [u8; 3],
    /// Leaders.
    pub leaders: Set<Leader>,
}

/// A set-up.
#[derive(Clone, Debug)]
pub struct SetupSheet {
    /// Its id.
    pub id: String,
    /// Whether the north board is used.
    pub north: bool,
    /// What begins where.
    pub placements: Vec<Placement>,
    /// Slots that are sabotaged.
    pub sabotage: Vec<(Region, Slot)>,
    /// White Infantry in each city that nobody holds.
    pub neutrals: u8,
    /// The printed tracks: command, crown, supply, gold; and how they change with a partner.
    pub tracks: Map<Army, [i8; 4]>,
    /// The change where the partner plays.
    pub with_partner: Map<Army, [i8; 4]>,
    /// Where the tracks are written.
    pub line: usize,
}

/// A scenario.
#[derive(Clone, Debug)]
pub struct Plot {
    /// A short word.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub gist: String,
    /// About how long it takes.
    pub minutes: u16,
    /// For how many.
    pub players: Vec<u8>,
    /// How many rounds.
    pub rounds: u8,
    /// The first period, from 0.
    pub first: u8,
    /// The one casting that plays it, if it is for one.
    pub casting: Option<Set<Army>>,
    /// Objectives of each player.
    pub objectives: u8,
    /// Ports in which the ship of the first period has landed.
    pub landed: Vec<Region>,
}

/// The components.
#[derive(Clone, Debug)]
pub struct Components {
    /// The armies.
    pub armies: Map<Army, ArmySheet>,
    /// The regions.
    pub regions: Map<Region, RegionSheet>,
    /// How large the board is drawn.
    pub board: (i32, i32),
    /// The roads there are.
    pub roads: Vec<(Region, Region)>,
    /// The road between two regions.
    pub road: Map<Region, Map<Region, Option<Road>>>,
    /// What lies next to a region.
    pub near: Map<Region, Set<Region>>,
    /// The south board.
    pub south: Set<Region>,
    /// Cities, Jerusalem among them.
    pub cities: Set<Region>,
    /// Regions with a port.
    pub ports: Set<Region>,
    /// Mercantile cities.
    pub mercantile: Set<Region>,
    /// Jerusalem.
    pub jerusalem: Region,
    /// The leaders.
    pub leaders: Map<Leader, LeaderSheet>,
    /// The leaders of each owner.
    pub leaders_of: Map<Owner, Set<Leader>>,
    /// The leaders of each shape, by the side that shows.
    pub shaped: [[Set<Leader>; 3]; 2],
    /// The leaders with this origin.
    pub pool: Set<Leader>,
    /// The orders.
    pub orders: Map<Order, OrderSheet>,
    /// The orders of each army, one of those that are alike.
    pub orders_of: Map<Army, Set<Order>>,
    /// The event cards.
    pub events: Map<Event, EventSheet>,
    /// The missions.
    pub missions: Map<Mission, MissionSheet>,
    /// The diplomacy cards.
    pub treaties: Map<Treaty, TreatySheet>,
    /// The diplomacy board.
    pub spaces: Map<Space, SpaceSheet>,
    /// Where lines lead from its start.
    pub start: Set<Space>,
    /// The rows of four, which nobody may pass by.
    pub mandatory: Vec<u8>,
    /// The objectives.
    pub objectives: Map<Objective, ObjectiveSheet>,
    /// What the ships bring.
    pub cargo: Vec<Cargo>,
    /// Numbers.
    pub figures: Figures,
    /// The castings.
    pub castings: Vec<Casting>,
    /// The set-ups.
    pub setups: Vec<SetupSheet>,
    /// The scenarios.
    pub plots: Vec<Plot>,
}

/// What files may name, by id.
#[derive(Debug)]
pub(crate) struct Names {
    armies: Map<Army, &'static str>,
    regions: Vec<String>,
    south: Set<Region>,
    leaders: Vec<String>,
    leader_army: Map<Leader, Owner>,
    two_sided: Set<Leader>,
    /// Leaders who are there from the start.
    starting: Set<Leader>,
}

impl Names {
    fn army(&self, node: &Node) -> Result<Army, DataError> {
        let words: Vec<_> = self.armies.iter().map(|(army, id)| (*id, army)).collect();
        node.one_of(&words)
    }

    fn region(&self, node: &Node) -> Result<Region, DataError> {
        self.region_called(node, node.text()?)
    }

    fn region_called(&self, node: &Node, id: &str) -> Result<Region, DataError> {
        let at = self.regions.iter().position(|r| r == id).and_then(Region::try_at);
        at.ok_or_else(|| node.wrong(format!("no region is called `{id}`")))
    }

    fn leader(&self, node: &Node) -> Result<Leader, DataError> {
        self.leader_called(node, node.text()?)
    }

    fn leader_called(&self, node: &Node, id: &str) -> Result<Leader, DataError> {
        let at = self.leaders.iter().position(|l| l == id).and_then(Leader::try_at);
        at.ok_or_else(|| node.wrong(format!("no leader is called `{id}`")))
    }

    fn leaders(&self, fields: &mut Fields<'_>) -> Result<Set<Leader>, DataError> {
        let list = fields.optional("leaders").map_or(Ok(&[][..]), Node::list)?;
        let mut all = Set::NONE;
        for node in list {
            let leader = self.leader(node)?;
            if all.has(leader) {
                return Err(node.wrong(format!("{} is named twice", node.text()?)));
            }
            all.insert(leader);
        }
        Ok(all)
    }
}

fn period(figures: &[String], node: &Node) -> Result<u8, DataError> {
    let text = node.text()?;
    let at = figures.iter().position(|p| p == text);
    at.map(|at| at as u8).ok_or_else(|| node.expected(&format!("one of {}", figures.join(", "))))
}

/// Reads records of which there must be just so many, each with a new id.
fn exactly<'a, T: Id>(fields: &mut Fields<'a>, key: &str, root: &Node) -> Result<&'a [Node], DataError> {
    let records = fields.records(key)?;
    if records.len() != T::COUNT {
        let (wants, has) = (T::COUNT, records.len());
        return Err(root.wrong(format!("expected {wants} records `{key}`, found {has}")));
    }
    Ok(records)
}

fn new_id(fields: &mut Fields<'_>, seen: &mut Vec<String>) -> Result<String, DataError> {
    let node = fields.required("id")?;
    let id = node.new_name(": ,", seen.iter().any(|s| node.text() == Ok(s)))?;
    seen.push(id.clone());
    Ok(id)
}

fn units(fields: &mut Fields<'_>) -> Result<[u8; 3], DataError> {
    let mut units = [0; 3];
    for (unit, key) in UNITS.into_iter().zip(["infantry", "cavalry", "siege"]) {
        units[unit as usize] = fields.optional(key).map_or(Ok(0), |n| n.number_in(0..=60))? as u8;
    }
    Ok(units)
}

const SHAPE_WORDS: [(&str, Shape); 2] = [("square", Shape::Square), ("hex", Shape::Hex)];

impl Components {
    /// Reads all files.
    pub(crate) fn read(files: &DataFiles) -> Result<Self, DataError> {
        let chart = Chart::read(files.text("map.toml"))?;
        let roster = Roster::read(files.text("armies.toml"))?;
        let names = Names {
            armies: Map::new(|army: Army| ARMY_IDS[army.number()]),
            regions: chart.ids.clone(),
            south: chart.south,
            leaders: roster.ids.clone(),
            leader_army: Map::new(|leader| roster.leaders[leader].owner),
            two_sided: roster.two_sided,
            starting: Leader::all().filter(|l| roster.leaders[*l].origin == Origin::Setup).collect(),
        };
        let boards = Boards::read(files.text("boards.toml"), &names, &chart)?;
        let (orders, order_root) = read_orders(files.text("orders.toml"), &names)?;
        let (events, brought) = read_events(files.text("events.toml"), &names, &boards.figures)?;
        let (armies, cargo) = roster.finish(files.text("armies.toml"), &names, &boards.figures, &brought)?;
        let cast = Cast::read(files.text("castings.toml"), &names, &boards.figures)?;
        let set = |wanted: &dyn Fn(Region) -> bool| Region::all().filter(|r| wanted(*r)).collect();
        let regions = chart.regions;
        let components = Self {
            cities: set(&|r| regions[r].land != Land::Desert),
            ports: set(&|r| regions[r].ports > 0),
            mercantile: chart.mercantile,
            jerusalem: chart.jerusalem,
            regions,
            board: chart.board,
            roads: chart.roads,
            road: chart.road,
            near: chart.near,
            south: chart.south,
            leaders_of: Map::new(|owner| {
                Leader::all().filter(|leader| roster.leaders[*leader].owner == owner).collect()
            }),
            shaped: [0, 1].map(|side| {
                SHAPES.map(|shape| {
                    let of = |leader: &Leader| roster.leaders[*leader].faces[side].shape == shape;
                    Leader::all().filter(of).collect()
                })
            }),
            pool: Leader::all()
                .filter(|leader| roster.leaders[*leader].origin == Origin::Diplomacy)
                .collect(),
            leaders: roster.leaders,
            armies,
            orders_of: Map::new(|army| {
                Order::all().filter(|o| orders[*o].army == army && orders[*o].count > 0).collect()
            }),
            orders,
            events,
            missions: boards.missions,
            treaties: boards.treaties,
            spaces: boards.spaces,
            start: boards.start,
            mandatory: boards.mandatory,
            objectives: boards.objectives,
            cargo,
            figures: boards.figures,
            castings: cast.castings,
            setups: cast.setups,
            plots: cast.plots,
        };
        examples::check(&components, &order_root)?;
        Ok(components)
    }

    /// The name of a region.
    pub fn place(&self, region: Region) -> &str {
        &self.regions[region].name
    }

    /// The name of an army.
    pub fn army(&self, army: Army) -> &str {
        &self.armies[army].name
    }

    /// Whether a row of the diplomacy board must not be passed by.
    #[inline]
    pub fn is_mandatory(&self, row: u8) -> bool {
        self.mandatory.contains(&row)
    }

    /// The ends of a road.
    #[inline]
    pub fn ends(&self, road: Road) -> (Region, Region) {
        self.roads[road.number()]
    }

    /// The events of an army in a period that are in the game with these armies.
    pub fn deck(&self, army: Army, period: u8, party: Set<Army>) -> Set<Event> {
        let fits = |e: &Event| {
            let sheet = &self.events[*e];
            sheet.army == army && sheet.period == period && sheet.needs.is_none_or(|a| party.has(a))
        };
        Event::all().filter(fits).collect()
    }
}

/// The map as read.
struct Chart {
    ids: Vec<String>,
    regions: Map<Region, RegionSheet>,
    board: (i32, i32),
    roads: Vec<(Region, Region)>,
    road: Map<Region, Map<Region, Option<Road>>>,
    near: Map<Region, Set<Region>>,
    south: Set<Region>,
    mercantile: Set<Region>,
    jerusalem: Region,
}

impl Chart {
    fn read(text: &str) -> Result<Self, DataError> {
        let root = sheet::parse("map.toml", text)?;
        let mut fields = root.sourced()?;
        let slots = fields.required("slots")?;
        let mut f = slots.sourced()?;
        for (key, wants) in [("square", 6), ("hex", 2), ("trapezoid", 1)] {
            f.required(key)?.number_in(wants..=wants)?;
        }
        f.finish()?;
        let (mut ids, mut regions) = (Vec::new(), Vec::new());
        let (mut south, mut mercantile, mut jerusalem) = (Set::NONE, Set::NONE, None);
        for (number, node) in exactly::<Region>(&mut fields, "region", &root)?.iter().enumerate() {
            let mut f = node.sourced()?;
            new_id(&mut f, &mut ids)?;
            let region = Region::at(number);
            if f.required("board")?.one_of(&[("south", true), ("north", false)])? {
                south.insert(region);
            }
            let kind = f.required("kind")?;
            let land = kind.one_of(&[
                ("city", Land::City),
                ("desert", Land::Desert),
                ("jerusalem", Land::Jerusalem),
            ])?;
            if land == Land::Jerusalem && jerusalem.replace(region).is_some() {
                return Err(kind.wrong("expected one Jerusalem, found another"));
            }
            let ports = f.optional("ports").map_or(Ok(0), |n| n.number_in(0..=3))? as u8;
            let market = f.optional("mercantile").map_or(Ok(false), Node::flag)?;
            if land == Land::Desert && (ports > 0 || market) {
                return Err(node.wrong("expected a desert without port and market, found one with"));
            }
            if market {
                mercantile.insert(region);
            }
            let name_node = f.required("name")?;
            let taken = regions.iter().any(|r: &RegionSheet| name_node.text() == Ok(&r.name));
            let name = name_node.new_name(", :", taken)?;
            let mut icons = Map::filled(None);
            for icon in f.required("icons")?.list()? {
                let mut i = icon.fields()?;
                let slot = read_slot(i.required("slot")?)?;
                let kind = i.required("icon")?.one_of(&ICON_WORDS)?;
                i.optional("source");
                i.finish()?;
                if icons[slot].replace(kind).is_some() {
                    return Err(icon.wrong(format!(
                        "`{}`: expected one icon in a Slot, found two",
                        SLOT_NAMES[slot.number()]
                    )));
                }
            }
            let place = (f.required("lat")?.decimal()?, f.required("lon")?.decimal()?);
            let shown = Shown::of(&icons, 0);
            regions.push(RegionSheet { name, land, ports, icons, shown, place, xy: (0, 0) });
            f.finish()?;
        }
        let jerusalem =
            jerusalem.ok_or_else(|| root.wrong("expected one region of the kind jerusalem, found none"))?;
        let spots: Vec<_> = regions
            .iter()
            .map(|r| levant::Spot { lat: r.place.0, lon: r.place.1, radius: REGION_RADIUS })
            .collect();
        let laid = levant::lay_out(WINDOW, BOARD_WIDTH, &spots).map_err(|e| root.wrong(e.to_string()))?;
        for (region, xy) in regions.iter_mut().zip(laid.places) {
            region.xy = xy;
        }
        let mut regions = regions.into_iter();
        let regions = Map::new(|_| regions.next().unwrap_or_else(|| unreachable!("counted above")));
        let mut chart = Self {
            ids,
            regions,
            board: laid.size,
            roads: Vec::new(),
            road: Map::filled(Map::filled(None)),
            near: Map::filled(Set::NONE),
            south,
            mercantile,
            jerusalem,
        };
        chart.read_roads(fields.records("road")?)?;
        fields.finish()?;
        chart.check(&root)?;
        Ok(chart)
    }

    fn read_roads(&mut self, records: &[Node]) -> Result<(), DataError> {
        let find = |node: &Node| -> Result<Region, DataError> {
            let id = node.text()?;
            let at = self.ids.iter().position(|r| r == id).and_then(Region::try_at);
            at.ok_or_else(|| node.wrong(format!("no region is called `{id}`")))
        };
        for node in records {
            let mut f = node.sourced()?;
            let (a, b) = (find(f.required("from")?)?, find(f.required("to")?)?);
            f.finish()?;
            if a == b {
                return Err(node.wrong("expected a road to another region, found one that leads to itself"));
            }
            if self.road[a][b].is_some() {
                return Err(node.wrong("expected each road once, found it twice"));
            }
            let road = Road::try_at(self.roads.len())
                .ok_or_else(|| node.wrong(format!("expected at most {} roads, found more", Road::COUNT)))?;
            self.roads.push((a, b));
            (self.road[a][b], self.road[b][a]) = (Some(road), Some(road));
            self.near[a].insert(b);
            self.near[b].insert(a);
        }
        Ok(())
    }

    /// What the printed map must be like.
    fn check(&self, root: &Node) -> Result<(), DataError> {
        let called = |id: &str| {
            let at = self.ids.iter().position(|r| r == id).and_then(Region::try_at);
            at.ok_or_else(|| root.wrong(format!("expected a region `{id}`, found none")))
        };
        let famagusta = called("famagusta")?;
        for (name, board) in [("the south board", self.south), ("both boards", Set::all())] {
            let mut reached = Set::one(self.jerusalem);
            loop {
                let next = reached.iter().fold(reached, |all, r| all | self.near[r]) & board;
                if next == reached {
                    break;
                }
                reached = next;
            }
            let cut = board - reached;
            if cut != Set::one(famagusta) {
                let cut: Vec<_> = cut.iter().map(|r| self.ids[r.number()].as_str()).collect();
                let cut = if cut.is_empty() { "none".into() } else { cut.join(", ") };
                return Err(root.wrong(format!(
                    "on {name} only famagusta, an island, may be cut off by land; found {cut}"
                )));
            }
        }
        let is_desert = |r: Region| self.regions[r].land == Land::Desert;
        for r in Region::all().filter(|r| self.regions[*r].land == Land::City && *r != famagusta) {
            if !self.near[r].iter().any(is_desert) {
                let id = &self.ids[r.number()];
                return Err(root.wrong(format!("{id}: expected a desert next to it, found none")));
            }
        }
        let (tripoli, sidon) = (called("tripoli")?, called("sidon")?);
        let beside: Vec<_> = self.near[tripoli].iter().collect();
        let [one, two] = beside[..] else {
            return Err(root.wrong(format!("tripoli: expected two roads, found {}", beside.len())));
        };
        if !is_desert(one) || !is_desert(two) || !self.near[one].has(two) || self.near[tripoli].has(sidon) {
            return Err(root.wrong(
                "tripoli: expected two deserts next to it that have a road between them, as in the battle example",
            ));
        }
        if !self.mercantile.has(tripoli) {
            return Err(root.wrong("tripoli: expected a mercantile city"));
        }
        let mut icons: Vec<_> =
            self.regions[called("antioch")?].icons.values().iter().flatten().copied().collect();
        icons.sort_unstable();
        if icons != [Icon::Gold, Icon::Glory] {
            return Err(
                root.wrong("antioch: expected a gold and a glory icon, as in the third order example")
            );
        }
        let two = |r: Region| {
            let supply = |icon: &&Option<Icon>| **icon == Some(Icon::Supply);
            is_desert(r) && self.regions[r].icons.values().iter().filter(supply).count() == 2
        };
        if !Region::all().any(two) {
            return Err(root.wrong("expected a desert with two supply icons, as in the second order example"));
        }
        Ok(())
    }
}

fn read_slot(node: &Node) -> Result<Slot, DataError> {
    let words: Vec<_> = SLOT_NAMES.iter().enumerate().map(|(i, name)| (*name, Slot::at(i))).collect();
    node.one_of(&words)
}

/// Leaders and armies as read.
struct Roster {
    ids: Vec<String>,
    leaders: Map<Leader, LeaderSheet>,
    two_sided: Set<Leader>,
}

impl Roster {
    fn read(text: &str) -> Result<Self, DataError> {
        let root = sheet::parse("armies.toml", text)?;
        let mut fields = root.sourced()?;
        let (mut ids, mut leaders, mut two_sided) = (Vec::new(), Vec::new(), Set::NONE);
        for node in exactly::<Leader>(&mut fields, "leader", &root)? {
            let mut f = node.sourced()?;
            new_id(&mut f, &mut ids)?;
            let mut words: Vec<_> = ARMY_IDS.iter().enumerate().map(|(i, id)| (*id, Owner::at(i))).collect();
            words.push(("neutral", Owner::neutral()));
            let owner = f.required("army")?.one_of(&words)?;
            let origin = f.required("origin")?.one_of(&[
                ("setup", Origin::Setup),
                ("genoa", Origin::Genoa),
                ("event", Origin::Event),
                ("diplomacy", Origin::Diplomacy),
            ])?;
            let front = Self::face(&mut f)?;
            let back = match f.optional("flip") {
                None => front.clone(),
                Some(flip) => {
                    two_sided.insert(Leader::at(leaders.len()));
                    let mut f = flip.sourced()?;
                    let face = Self::face(&mut f)?;
                    f.finish()?;
                    face
                }
            };
            leaders.push(LeaderSheet { owner, faces: [front, back], origin });
            f.finish()?;
        }
        let mut leaders = leaders.into_iter();
        let leaders = Map::new(|_| leaders.next().unwrap_or_else(|| unreachable!("counted above")));
        Ok(Self { ids, leaders, two_sided })
    }

    fn face(f: &mut Fields<'_>) -> Result<Face, DataError> {
        let name = f.required("name")?.new_name(", :", false)?;
        let shape = f.required("shape")?.one_of(&SHAPE_WORDS)?;
        let mut face = Face { name, shape, units: [0; 3], icons: [0; 5] };
        for node in f.required("icons")?.list()? {
            match node.text()? {
                "infantry" | "cavalry" | "siege" => {
                    let unit = node.one_of(&[
                        ("infantry", Unit::Infantry),
                        ("cavalry", Unit::Cavalry),
                        ("siege", Unit::Siege),
                    ])?;
                    if unit.shape() != shape {
                        return Err(node.expected("the icon of a Unit of the leader's own shape"));
                    }
                    face.units[unit as usize] += 1;
                }
                "glory" => {
                    return Err(node.expected("infantry, cavalry, siege, supply, gold, command or crown"));
                }
                _ => face.icons[node.one_of(&ICON_WORDS)? as usize] += 1,
            }
        }
        Ok(face)
    }

    /// The armies and the ships, once periods are known.
    fn finish(
        &self,
        text: &str,
        names: &Names,
        figures: &Figures,
        brought: &[Leader],
    ) -> Result<(Map<Army, ArmySheet>, Vec<Cargo>), DataError> {
        let root = sheet::parse("armies.toml", text)?;
        let mut fields = root.sourced()?;
        fields.records("leader")?;
        let mut armies: Map<Army, Option<ArmySheet>> = Map::filled(None);
        for node in exactly::<Army>(&mut fields, "army", &root)? {
            let mut f = node.sourced()?;
            let id = f.required("id")?;
            let army = names.army(id)?;
            let side = f.required("alliance")?;
            if side.one_of(&[("crusader", Side::Crusader), ("muslim", Side::Muslim)])? != army.side() {
                return Err(side.expected("the alliance that its seat has"));
            }
            let partner = f.required("partner")?;
            if names.army(partner)? != army.partner() {
                return Err(partner.expected("the other army of its alliance"));
            }
            let mut pool = [0; 3];
            for (unit, (key, wants)) in
                UNITS.into_iter().zip([("infantry", 30), ("cavalry", 12), ("siege", 6)])
            {
                pool[unit as usize] = f.required(key)?.number_in(wants..=wants)? as u8;
                let (size, _) = figures.sections[unit as usize];
                if i64::from(size) == 0 {
                    return Err(root.wrong("a Section holds no Units"));
                }
            }
            f.required("orders")?.number_in(24..=24)?;
            f.required("events")?.number_in(32..=32)?;
            let listed = f.required("variable_leaders")?;
            let mut leaders = Set::NONE;
            for node in listed.list()? {
                leaders.insert(names.leader(node)?);
            }
            let starting: Set<Leader> = Leader::all()
                .filter(|l| {
                    self.leaders[*l].owner == army.owner() && self.leaders[*l].origin == Origin::Setup
                })
                .collect();
            if leaders != starting {
                return Err(listed.expected("all leaders of the army whose origin is setup"));
            }
            let points = f.required("variable_points")?.number_in(0..=60)? as u8;
            let name = f.required("name")?.new_name(", :", false)?;
            f.finish()?;
            if armies[army].replace(ArmySheet { name, pool, leaders, points }).is_some() {
                return Err(id.wrong("expected each army once, found it twice"));
            }
        }
        for (leader, sheet) in self.leaders.iter() {
            let id = &self.ids[leader.number()];
            let comes = brought.contains(&leader);
            if comes != (sheet.origin == Origin::Event) {
                let found = if comes { "one that does" } else { "none that does" };
                return Err(root.wrong(format!(
                    "{id}: expected an event that places him just where his origin is event, found {found}"
                )));
            }
        }
        let (mut cargo, mut aboard) = (Vec::new(), Set::NONE);
        let ships = fields.records("ship")?;
        if ships.len() != 2 {
            return Err(root.wrong(format!("expected 2 records `ship`, found {}", ships.len())));
        }
        for node in ships {
            let mut f = node.sourced()?;
            let period = period(&figures.periods, f.required("period")?)?;
            for pieces in f.required("pieces")?.list()? {
                let mut p = pieces.fields()?;
                let army = names.army(p.required("army")?)?;
                let leaders = names.leaders(&mut p)?;
                let fits = |l: Leader| {
                    self.leaders[l].owner == army.owner() && self.leaders[l].origin == Origin::Genoa
                };
                if army.side() != Side::Crusader || !leaders.iter().all(fits) {
                    return Err(pieces.wrong("expected a Crusader army and its own leaders from Genoa"));
                }
                cargo.push(Cargo { period, army, units: units(&mut p)?, leaders });
                aboard |= leaders;
                p.finish()?;
            }
            f.finish()?;
        }
        fields.finish()?;
        let genoa: Set<Leader> = Leader::all().filter(|l| self.leaders[*l].origin == Origin::Genoa).collect();
        if aboard != genoa {
            return Err(root.wrong("expected every leader from Genoa aboard a ship, found one that is not"));
        }
        let mut armies = armies.values().to_vec().into_iter().flatten();
        Ok((Map::new(|_| armies.next().unwrap_or_else(|| unreachable!("counted above"))), cargo))
    }
}

/// Tables and cards as read.
struct Boards {
    figures: Figures,
    missions: Map<Mission, MissionSheet>,
    treaties: Map<Treaty, TreatySheet>,
    spaces: Map<Space, SpaceSheet>,
    start: Set<Space>,
    mandatory: Vec<u8>,
    objectives: Map<Objective, ObjectiveSheet>,
}

impl Boards {
    fn read(text: &str, names: &Names, chart: &Chart) -> Result<Self, DataError> {
        let root = sheet::parse("boards.toml", text)?;
        let mut fields = root.sourced()?;
        let figures = Figures::read(&mut fields)?;
        let missions = Self::missions(&mut fields, &root)?;
        let treaties = Self::treaties(&mut fields, &root, names)?;
        let (spaces, start, mandatory) = Self::spaces(&mut fields, &root, names)?;
        let objectives = Self::objectives(&mut fields, &root, names, chart)?;
        fields.finish()?;
        Ok(Self { figures, missions, treaties, spaces, start, mandatory, objectives })
    }

    fn missions(fields: &mut Fields<'_>, root: &Node) -> Result<Map<Mission, MissionSheet>, DataError> {
        let words = [
            ("city", Quest::Sort(Sort::City)),
            ("desert", Quest::Sort(Sort::Desert)),
            ("port", Quest::Sort(Sort::Port)),
            ("mercantile", Quest::Sort(Sort::Mercantile)),
            ("supply_icon", Quest::Icon(Icon::Supply)),
            ("gold_icon", Quest::Icon(Icon::Gold)),
            ("command_icon", Quest::Icon(Icon::Command)),
            ("crown_icon", Quest::Icon(Icon::Crown)),
            ("glory_icon", Quest::Icon(Icon::Glory)),
        ];
        let (mut missions, mut ids) = (Vec::new(), Vec::new());
        for node in exactly::<Mission>(fields, "mission", root)? {
            let mut f = node.sourced()?;
            new_id(&mut f, &mut ids)?;
            let title = f.required("title")?.new_name(":", false)?;
            let glory = f.required("glory")?.one_of(&words)?;
            let faith = f.required("faith")?;
            let sheet = MissionSheet { title, glory, faith: faith.one_of(&words)? };
            if sheet.faith == sheet.glory {
                return Err(faith.expected("something else than for Glory"));
            }
            missions.push(sheet);
            f.finish()?;
        }
        Ok(Map::new(|m: Mission| missions[m.number()].clone()))
    }

    fn treaties(
        fields: &mut Fields<'_>,
        root: &Node,
        names: &Names,
    ) -> Result<Map<Treaty, TreatySheet>, DataError> {
        let (mut treaties, mut ids) = (Vec::new(), Vec::new());
        for node in exactly::<Treaty>(fields, "diplomacy_card", root)? {
            let mut f = node.sourced()?;
            new_id(&mut f, &mut ids)?;
            let name = f.required("name")?.new_name(":", false)?;
            let listed = f.required("rewards")?;
            let mut rewards = Vec::new();
            for reward in listed.list()? {
                let mut parts = Parts::new();
                let mut reader = Reader { names, army: None, anchored: false, brought: Vec::new() };
                reader.read(reward, false, &mut parts)?;
                if parts.iter().any(|part| matches!(part.effect, Effect::Command(_))) {
                    return Err(
                        reward.wrong("command points won after the Command Phase are worth next to nothing")
                    );
                }
                rewards.push(parts);
            }
            let rewards = rewards.try_into().map_err(|_| listed.expected("five rewards"))?;
            treaties.push(TreatySheet { name, rewards });
            f.finish()?;
        }
        Ok(Map::new(|t: Treaty| treaties[t.number()].clone()))
    }

    #[allow(clippy::type_complexity)]
    fn spaces(
        fields: &mut Fields<'_>,
        root: &Node,
        names: &Names,
    ) -> Result<(Map<Space, SpaceSheet>, Set<Space>, Vec<u8>), DataError> {
        let (mut spaces, mut ids) = (Vec::new(), Vec::new());
        let mut leaders = 0;
        for node in exactly::<Space>(fields, "space", root)? {
            let mut f = node.sourced()?;
            let id = new_id(&mut f, &mut ids)?;
            let row = f.required("row")?.number_in(1..=20)? as u8;
            let mut parts = Parts::new();
            let mut reader = Reader { names, army: None, anchored: false, brought: Vec::new() };
            reader.read(f.required("reward")?, false, &mut parts)?;
            leaders += parts.iter().filter(|p| matches!(p.effect, Effect::NeutralLeader { .. })).count();
            spaces.push(SpaceSheet { id, row, parts, forward: Set::NONE, sideways: Set::NONE });
            f.finish()?;
        }
        let lines = fields.required("lines")?;
        let mut f = lines.sourced()?;
        let find = |node: &Node| -> Result<Space, DataError> {
            let id = node.text()?;
            let at = ids.iter().position(|s| s == id).and_then(Space::try_at);
            at.ok_or_else(|| node.wrong(format!("no space is called `{id}`")))
        };
        let mut start = Set::NONE;
        for (key, step) in [("forward", 1), ("sideways", 0)] {
            for pair in f.required(key)?.list()? {
                let [a, b] = pair.list()? else { return Err(pair.expected("two spaces")) };
                let to = find(b)?;
                let from = if a.text()? == "start" { None } else { Some(find(a)?) };
                let row = from.map_or(0, |from| spaces[from.number()].row);
                if spaces[to.number()].row != row + step {
                    return Err(pair.expected(&format!("a line that leads {key}")));
                }
                match (from, step) {
                    (None, _) => start.insert(to),
                    (Some(from), 1) => spaces[from.number()].forward.insert(to),
                    (Some(from), _) => {
                        spaces[from.number()].sideways.insert(to);
                        spaces[to.number()].sideways.insert(from);
                    }
                }
            }
        }
        f.finish()?;
        let last = spaces.iter().map(|s| s.row).max().unwrap_or(0);
        let mandatory: Vec<u8> =
            (1..=last).filter(|row| spaces.iter().filter(|s| s.row == *row).count() == 4).collect();
        let mut reached = start;
        loop {
            let next = reached.iter().fold(reached, |all, s: Space| {
                all | spaces[s.number()].forward | spaces[s.number()].sideways
            });
            if next == reached {
                break;
            }
            reached = next;
        }
        if reached != Set::all() {
            return Err(lines.wrong("expected lines to every space, found one that none leads to"));
        }
        for (i, space) in spaces.iter().enumerate() {
            if space.row < last && space.forward.is_empty() {
                return Err(lines.wrong(format!("{}: expected a line forward, found none", ids[i])));
            }
        }
        let pool = Leader::all().filter(|l| names.leader_army[*l] == Owner::neutral()).count();
        if leaders > pool {
            return Err(root.wrong(format!("expected at most {pool} spaces with a leader, found {leaders}")));
        }
        Ok((Map::new(|s: Space| spaces[s.number()].clone()), start, mandatory))
    }

    fn objectives(
        fields: &mut Fields<'_>,
        root: &Node,
        names: &Names,
        chart: &Chart,
    ) -> Result<Map<Objective, ObjectiveSheet>, DataError> {
        let (mut objectives, mut ids) = (Vec::new(), Vec::new());
        let mut mains = Set::NONE;
        for node in exactly::<Objective>(fields, "objective", root)? {
            let mut f = node.sourced()?;
            new_id(&mut f, &mut ids)?;
            let main_node = f.required("main")?;
            let main = names.region(main_node)?;
            if chart.regions[main].land != Land::City || mains.has(main) {
                return Err(main_node.expected("a city that is no other objective's main city"));
            }
            mains.insert(main);
            let section = f.required("section")?;
            let north = section.one_of(&[("south", false), ("north", true)])?;
            if north == chart.south.has(main) {
                return Err(section.expected("the board of its main city"));
            }
            let listed = f.required("cities")?;
            let mut cities = Set::NONE;
            for city in listed.list()? {
                let region = names.region(city)?;
                if chart.regions[region].land != Land::City || !north && !chart.south.has(region) {
                    return Err(city.expected("a city, of the south board for a card of the south"));
                }
                cities.insert(region);
            }
            if cities.len() != 3 || !cities.has(main) {
                return Err(listed.expected("three cities, the main city among them"));
            }
            let deck = f.required("deck")?.one_of(&[
                ("crusader", Some(Side::Crusader)),
                ("muslim", Some(Side::Muslim)),
                ("none", None),
            ])?;
            let scores = f.required("score")?;
            let mut score = [0; 3];
            let list = scores.list()?;
            if list.len() != 3 {
                return Err(scores.expected("Glory for one, two and three cities"));
            }
            for (points, node) in score.iter_mut().zip(list) {
                *points = node.number_in(0..=13)? as u8;
            }
            objectives.push(ObjectiveSheet { main, deck, north, cities, score });
            f.finish()?;
        }
        for (deck, least_south, least) in
            SIDES.map(|side| (side, 4, 8)).into_iter().map(|(s, a, b)| (Some(s), a, b))
        {
            let of = |o: &&ObjectiveSheet| o.deck == deck;
            let all = objectives.iter().filter(of).count();
            let south = objectives.iter().filter(of).filter(|o| !o.north).count();
            if all < least || south < least_south {
                return Err(root.wrong(format!(
                    "expected {least} objectives in each deck of the variable set-up, {least_south} of them of the \
                     south, found {all} and {south}"
                )));
            }
        }
        Ok(Map::new(|o: Objective| objectives[o.number()].clone()))
    }
}

impl Figures {
    fn read(fields: &mut Fields<'_>) -> Result<Self, DataError> {
        fn table<'a>(fields: &mut Fields<'a>, key: &str) -> Result<Fields<'a>, DataError> {
            fields.required(key)?.sourced()
        }
        fn number(f: &mut Fields<'_>, key: &str, least: i64, most: i64) -> Result<i8, DataError> {
            Ok(f.required(key)?.number_in(least..=most)? as i8)
        }
        let mut f = table(fields, "rounds")?;
        let listed = f.required("periods")?;
        let periods = listed.texts()?;
        if periods.len() != 4 {
            return Err(listed.expected("four periods"));
        }
        f.finish()?;
        let mut f = table(fields, "glory")?;
        let track = number(&mut f, "track", 1, 60)?;
        let glory = (track, number(&mut f, "wins", 1, track.into())?);
        let penalties = (
            number(&mut f, "order_not_executed", -9, 0)?,
            number(&mut f, "supply_short", -9, 0)?,
            number(&mut f, "jerusalem", 0, 9)?,
        );
        f.finish()?;
        let mut f = table(fields, "faith")?;
        let faith = (
            number(&mut f, "track", 1, 20)?,
            number(&mut f, "lone_start", 0, 20)?,
            number(&mut f, "pair_start", 0, 0)?,
        );
        let faith_strength = number(&mut f, "strength", 0, 9)? as u8;
        f.finish()?;
        let mut f = table(fields, "play")?;
        let gold = (number(&mut f, "gold", 0, 50)? as u8, number(&mut f, "lone_gold_of_three", 0, 50)? as u8);
        let hand = (number(&mut f, "hand", 4, 4)? as u8, number(&mut f, "events_chosen", 2, 2)? as u8);
        let objectives = number(&mut f, "objectives", 2, 2)? as u8;
        let markers = number(&mut f, "diplomacy_markers", 1, 22)? as u8;
        let prices = (
            number(&mut f, "gold_for_a_crown", 0, 20)? as u8,
            number(&mut f, "supply_for_an_advanced_order", 1, 20)? as u8,
            number(&mut f, "losses_by_a_bandit", 0, 9)? as u8,
        );
        f.finish()?;
        let mut f = table(fields, "deployment")?;
        let deployment =
            ["infantry", "cavalry", "siege"].map(|key| number(&mut f, key, 0, 20).map(|n| n as u8));
        let [infantry, cavalry, siege] = deployment;
        let deployment = [infantry?, cavalry?, siege?];
        number(&mut f, "leader", 0, 0)?;
        f.finish()?;
        let mut f = table(fields, "strength")?;
        let mut strength = [[0; 3]; 2];
        for (row, key) in strength.iter_mut().zip(["city", "desert"]) {
            let mut units = f.required(key)?.fields()?;
            let printed = if key == "city" { [1, 1, 3] } else { [1, 2, 0] };
            for ((figure, key), wants) in row.iter_mut().zip(["infantry", "cavalry", "siege"]).zip(printed) {
                *figure = number(&mut units, key, wants, wants)? as u8;
            }
            units.finish()?;
        }
        f.required("jerusalem")?.one_of(&[("city", ())])?;
        f.finish()?;
        let mut f = table(fields, "tokens")?;
        let shapes = [("square", Shape::Square), ("hex", Shape::Hex), ("trapezoid", Shape::Trapezoid)];
        let mut tokens = [Shape::Square; 5];
        for (word, icon) in ICON_WORDS {
            tokens[icon as usize] = f.required(word)?.one_of(&shapes)?;
        }
        f.required("sabotage")?.one_of(&[("any", ())])?;
        let order = f.required("cover_order")?;
        if order.texts()? != ICON_WORDS.map(|(word, _)| word) {
            return Err(order.expected("supply, gold, command, crown, glory"));
        }
        f.finish()?;
        let mut f = table(fields, "tracks")?;
        let mut tracks = [0; 5];
        for (word, icon) in &ICON_WORDS[..4] {
            tracks[*icon as usize] = number(&mut f, word, 1, 100)? as u8;
        }
        f.finish()?;
        let mut sections = [(0, 0); 3];
        for node in fields.records("section")? {
            let mut f = node.sourced()?;
            let (unit, pool) = f.required("unit")?.one_of(&[
                ("infantry", (Unit::Infantry, 30)),
                ("cavalry", (Unit::Cavalry, 12)),
                ("siege", (Unit::Siege, 6)),
            ])?;
            let count = f.required("count")?;
            let size = number(&mut f, "size", 1, 60)?;
            if count.number()? * i64::from(size) != pool {
                return Err(count.expected(&format!("Sections that hold {pool} Units in all")));
            }
            sections[unit as usize] = (size as u8, number(&mut f, "supply", 0, 20)? as u8);
            f.finish()?;
        }
        let mut f = table(fields, "bidding")?;
        let listed = f.required("values")?;
        let mut values = [0; 4];
        if listed.list()?.len() != 4 {
            return Err(listed.expected("four values"));
        }
        for (value, node) in values.iter_mut().zip(listed.list()?) {
            *value = node.number_in(0..=9)? as u8;
        }
        if !values.contains(&2) {
            return Err(listed.expected("a value of 2 among them, as in the example of p10"));
        }
        f.finish()?;
        let mut f = table(fields, "initiative")?;
        f.required("alternate_alliances")?.flag()?;
        f.finish()?;
        Ok(Self {
            periods,
            glory,
            penalties,
            faith,
            faith_strength,
            gold,
            hand,
            objectives,
            prices,
            deployment,
            strength,
            tokens,
            tracks,
            sections,
            values,
            markers,
        })
    }
}

fn read_orders(text: &str, names: &Names) -> Result<(Map<Order, OrderSheet>, Node), DataError> {
    let root = sheet::parse("orders.toml", text)?;
    let mut fields = root.sourced()?;
    let (mut orders, mut ids): (Vec<OrderSheet>, _) = (Vec::new(), Vec::new());
    for node in exactly::<Order>(&mut fields, "order", &root)? {
        let mut f = node.sourced()?;
        new_id(&mut f, &mut ids)?;
        let army = names.army(f.required("army")?)?;
        let mut parts = Parts::new();
        let mut reader = Reader { names, army: Some(army), anchored: true, brought: Vec::new() };
        reader.read(f.required("effects")?, false, &mut parts)?;
        let is = |wanted: &dyn Fn(&Effect) -> bool| parts.iter().any(|part| wanted(&part.effect));
        let blank = is(&|e| *e == Effect::Blank);
        let title_node = f.required("title")?;
        let title = title_node.new_name(":", false)?;
        if blank != (title == "Blank") {
            return Err(title_node.expected("`Blank` for an order that does nothing, and for no other"));
        }
        let reaction = f.optional("reaction").map_or(Ok(false), Node::flag)?;
        if reaction != is(&Effect::is_reaction) {
            return Err(node.wrong("expected `reaction` just where an effect is one"));
        }
        let tithe = f.optional("tithe").map_or(Ok(false), Node::flag)?;
        if tithe && (reaction || blank) {
            return Err(node.wrong("expected no tithe on a reaction or blank order, found one"));
        }
        let sort = f.required("region")?.one_of(&[
            ("any", Sort::Region),
            ("city", Sort::City),
            ("desert", Sort::Desert),
            ("port", Sort::Port),
        ])?;
        if is(&|e| matches!(e, Effect::March { kind: March::Sea, .. })) && sort != Sort::Port {
            return Err(node.wrong("expected a Sea Move in a port, found one elsewhere"));
        }
        let mut sheet = OrderSheet {
            army,
            title,
            advanced: f.required("kind")?.one_of(&[("basic", false), ("advanced", true)])?,
            reaction,
            presence: f.required("presence")?.one_of(&[
                ("own", Presence::Own),
                ("alliance", Presence::Alliance),
                ("any", Presence::Any),
            ])?,
            sort,
            cost: f.required("cost")?.number_in(0..=20)? as u8,
            tithe,
            parts,
            count: 1,
        };
        f.finish()?;
        let alike = |other: &&mut OrderSheet| {
            other.count > 0
                && (other.army, &other.title, other.advanced, other.presence, other.sort)
                    == (sheet.army, &sheet.title, sheet.advanced, sheet.presence, sheet.sort)
                && (other.cost, other.tithe, &other.parts) == (sheet.cost, sheet.tithe, &sheet.parts)
        };
        if let Some(first) = orders.iter_mut().find(alike) {
            first.count += 1;
            sheet.count = 0;
        } else if orders
            .iter()
            .any(|o| (o.army, &o.title, o.tithe) == (sheet.army, &sheet.title, sheet.tithe) && o.count > 0)
        {
            return Err(title_node.wrong("another order of this army has the same title and is not like it"));
        }
        orders.push(sheet);
    }
    fields.finish()?;
    for army in Army::all() {
        let found = orders.iter().filter(|o| o.army == army).count();
        if found != 24 {
            let id = ARMY_IDS[army.number()];
            return Err(root.wrong(format!("{id}: expected 24 orders, found {found}")));
        }
    }
    Ok((Map::new(|o: Order| orders[o.number()].clone()), root))
}

fn read_events(
    text: &str,
    names: &Names,
    figures: &Figures,
) -> Result<(Map<Event, EventSheet>, Vec<Leader>), DataError> {
    let root = sheet::parse("events.toml", text)?;
    let mut fields = root.sourced()?;
    let (mut events, mut ids): (Vec<EventSheet>, _) = (Vec::new(), Vec::new());
    let mut brought = Vec::new();
    for node in exactly::<Event>(&mut fields, "event", &root)? {
        let mut f = node.sourced()?;
        new_id(&mut f, &mut ids)?;
        let army = names.army(f.required("army")?)?;
        let mode = f.required("mode")?.one_of(&[
            ("and", Mode::And),
            ("same_region", Mode::SameRegion),
            ("instead", Mode::Instead),
        ])?;
        let mut parts = Parts::new();
        let mut reader = Reader { names, army: Some(army), anchored: false, brought: Vec::new() };
        reader.read(f.required("main")?, false, &mut parts)?;
        let crown_node = f.required("crown")?;
        if mode == Mode::SameRegion && !reader.anchored {
            return Err(crown_node.wrong("a crown event in the same region, but the main event has none"));
        }
        let main = parts.len();
        if mode != Mode::SameRegion {
            // It may stand alone: `same` has a meaning only after a region of its own.
            reader.anchored = false;
        }
        reader.read(crown_node, true, &mut parts)?;
        let crown = || parts[main..].iter().filter_map(|part| part.effect.place());
        if mode == Mode::SameRegion {
            if !crown().any(|place| place == Place::Same) {
                return Err(crown_node.expected("`same` in a crown event in the same region"));
            }
            if let Some(place) = crown().find(|place| *place != Place::Same) {
                return Err(crown_node.wrong(format!(
                    "expected only `same` in a crown event in the same region, found {place:?}"
                )));
            }
        }
        brought.extend(reader.brought);
        let needs_node = f.optional("leaves_without");
        let needs = needs_node.map(|node| names.army(node)).transpose()?;
        let enemies: Set<Army> = effects::named(&parts).filter(|a| a.side() != army.side()).collect();
        if enemies != needs.map_or(Set::NONE, Set::one) {
            let found: Vec<_> = enemies.iter().map(|a| ARMY_IDS[a.number()]).collect();
            return Err(needs_node.unwrap_or(node).wrong(format!(
                "expected `leaves_without` for just the enemy that the card names, found {}",
                if found.is_empty() { "none named".into() } else { found.join(", ") }
            )));
        }
        let title_node = f.required("title")?;
        let taken = events.iter().any(|e| title_node.text() == Ok(&e.title));
        events.push(EventSheet {
            army,
            period: period(&figures.periods, f.required("period")?)?,
            title: title_node.new_name(":", taken)?,
            crowns: f.required("crowns")?.number_in(1..=6)? as u8,
            mode,
            parts,
            needs,
            note: f.optional("note").map_or(Ok(""), Node::text)?.to_string(),
        });
        f.finish()?;
    }
    fields.finish()?;
    for army in Army::all() {
        for (number, period) in figures.periods.iter().enumerate() {
            let found = events.iter().filter(|e| e.army == army && usize::from(e.period) == number).count();
            if found != 8 {
                let id = ARMY_IDS[army.number()];
                return Err(root.wrong(format!("{id}: expected 8 event cards in {period}, found {found}")));
            }
        }
        // One marker a round, and what its best cards could move besides.
        let mut most = figures.periods.len();
        for number in 0..figures.periods.len() {
            let steps = |e: &EventSheet| -> usize {
                let moves = e.parts.iter().map(|part| match part.effect {
                    Effect::DiplomacyMove(n) => usize::from(n),
                    _ => 0,
                });
                moves.sum()
            };
            let own = |e: &&EventSheet| e.army == army && usize::from(e.period) == number;
            let mut moves: Vec<_> = events.iter().filter(own).map(steps).collect();
            moves.sort_unstable_by(|a, b| b.cmp(a));
            most += moves.iter().take(2).sum::<usize>();
        }
        if most > usize::from(figures.markers) {
            let (id, has) = (ARMY_IDS[army.number()], figures.markers);
            return Err(
                root.wrong(format!("{id}: expected at most {has} diplomacy markers, could need {most}"))
            );
        }
    }
    Ok((Map::new(|e: Event| events[e.number()].clone()), brought))
}

/// Castings, set-ups and scenarios as read.
struct Cast {
    castings: Vec<Casting>,
    setups: Vec<SetupSheet>,
    plots: Vec<Plot>,
}

impl Cast {
    fn read(text: &str, names: &Names, figures: &Figures) -> Result<Self, DataError> {
        let root = sheet::parse("castings.toml", text)?;
        let mut fields = root.sourced()?;
        let seats = fields.required("seats")?;
        if seats.texts()? != ARMY_IDS {
            return Err(seats.expected(&ARMY_IDS.join(", ")));
        }
        let (mut setups, mut ids) = (Vec::new(), Vec::new());
        for node in fields.records("setup")? {
            setups.push(Self::setup(node, names, &mut ids)?);
        }
        let mut castings: Vec<Casting> = Vec::new();
        for node in fields.records("casting")? {
            let mut f = node.sourced()?;
            let listed = f.required("armies")?;
            let mut armies = Set::NONE;
            for army in listed.list()? {
                armies.insert(names.army(army)?);
            }
            let both = SIDES.iter().all(|side| side.armies().iter().any(|a| armies.has(*a)));
            if !both || castings.iter().any(|c| c.armies == armies) {
                return Err(listed.expected("a new set of armies, of both alliances"));
            }
            let players = f.required("players")?;
            if players.number()? != armies.len() as i64 {
                return Err(players.expected("as many players as armies"));
            }
            let lone_node = f.required("lone")?;
            let mut lone = Set::NONE;
            for army in lone_node.list()? {
                lone.insert(names.army(army)?);
            }
            if lone != armies.iter().filter(|a| !armies.has(a.partner())).collect() {
                return Err(lone_node.expected("the armies without a partner"));
            }
            let setup_node = f.required("setup")?;
            let setup = ids.iter().position(|id: &String| setup_node.text() == Ok(id));
            let setup = setup.ok_or_else(|| setup_node.expected(&format!("one of {}", ids.join(", "))))?;
            let usual = f.optional("default").map_or(Ok(false), Node::flag)?;
            castings.push(Casting { armies, setup, usual });
            f.finish()?;
        }
        if castings.len() != 9 {
            return Err(root.wrong(format!("expected nine castings, found {}", castings.len())));
        }
        let mut plots = Vec::new();
        let mut plot_ids = Vec::new();
        for node in fields.records("scenario")? {
            plots.push(Self::plot(node, names, figures, &mut plot_ids)?);
        }
        fields.finish()?;
        Ok(Self { castings, setups, plots })
    }

    fn setup(node: &Node, names: &Names, ids: &mut Vec<String>) -> Result<SetupSheet, DataError> {
        let mut f = node.sourced()?;
        let id = new_id(&mut f, ids)?;
        let north = f.required("boards")?.texts()?.iter().any(|board| board == "north");
        if let Some(removed) = f.optional("objectives_removed") {
            removed.one_of(&[("north", ())])?;
        }
        let neutrals = f.required("neutral_infantry_in_empty_cities")?.number_in(0..=6)? as u8;
        let mut placements: Vec<Placement> = Vec::new();
        for piece in f.required("placements")?.list()? {
            let mut p = piece.sourced()?;
            let army = p.required("army")?;
            let whose = match army.text()? {
                "crusader_any" => Err(Side::Crusader),
                "muslim_any" => Err(Side::Muslim),
                _ => Ok(names.army(army)?),
            };
            let or = p.optional("or").map(|other| names.army(other)).transpose()?;
            if or.is_some_and(|other| whose != Ok(other.partner())) {
                return Err(piece.wrong("expected a double-coloured Unit of two partners, found others"));
            }
            let at = p.required("at")?;
            let region = names.region(at)?;
            if !north && !names.south.has(region) {
                return Err(at.expected("a region of the boards in play"));
            }
            let leaders = names.leaders(&mut p)?;
            let fits = |leader: Leader| {
                names.starting.has(leader)
                    && or.is_none()
                    && whose.is_ok_and(|army| names.leader_army[leader] == army.owner())
            };
            if !leaders.iter().all(fits) {
                return Err(piece.wrong("expected leaders of the army that begin in a set-up, found another"));
            }
            if placements.iter().any(|other| (other.leaders & leaders).any()) {
                return Err(piece.wrong("expected each leader in one region, found one in two"));
            }
            placements.push(Placement { at: region, whose, or, units: units(&mut p)?, leaders });
            p.finish()?;
        }
        let mut sabotage = Vec::new();
        for token in f.required("sabotage")?.list()? {
            let mut t = token.sourced()?;
            sabotage.push((names.region(t.required("at")?)?, read_slot(t.required("slot")?)?));
            t.finish()?;
        }
        let tracks_node = f.required("tracks")?;
        let tracks = Self::tracks(tracks_node, names, true)?;
        let with_partner =
            f.optional("with_partner").map_or(Ok(Map::filled([0; 4])), |n| Self::tracks(n, names, false))?;
        f.finish()?;
        let line = tracks_node.line();
        Ok(SetupSheet { id, north, placements, sabotage, neutrals, tracks, with_partner, line })
    }

    fn tracks(node: &Node, names: &Names, all: bool) -> Result<Map<Army, [i8; 4]>, DataError> {
        let mut f = node.sourced()?;
        let mut tracks = Map::filled([0; 4]);
        for (army, id) in names.armies.iter() {
            let row = if all { Some(f.required(id)?) } else { f.optional(id) };
            let Some(row) = row else { continue };
            let mut figures = row.fields()?;
            for (figure, key) in tracks[army].iter_mut().zip(["command", "crown", "supply", "gold"]) {
                *figure = figures.optional(key).map_or(Ok(0), |n| n.number_in(-20..=20))? as i8;
            }
            figures.finish()?;
        }
        f.finish()?;
        Ok(tracks)
    }

    fn plot(node: &Node, names: &Names, figures: &Figures, ids: &mut Vec<String>) -> Result<Plot, DataError> {
        let mut f = node.sourced()?;
        let id = new_id(&mut f, ids)?;
        let mut players = Vec::new();
        for n in f.required("players")?.list()? {
            players.push(n.number_in(2..=4)? as u8);
        }
        let casting = match f.optional("casting") {
            None => None,
            Some(list) => {
                let mut armies = Set::NONE;
                for army in list.list()? {
                    armies.insert(names.army(army)?);
                }
                Some(armies)
            }
        };
        f.optional("setup");
        let mut landed = Vec::new();
        for port in f.optional("landed").map_or(Ok(&[][..]), Node::list)? {
            landed.push(names.region(port)?);
        }
        let first = period(&figures.periods, f.required("first_period")?)?;
        let rounds = f.required("rounds")?;
        let most = figures.periods.len() as i64 - i64::from(first);
        let plot = Plot {
            id,
            name: f.required("name")?.text()?.to_string(),
            gist: f.required("gist")?.text()?.to_string(),
            minutes: f.required("minutes")?.number_in(1..=6000)? as u16,
            players,
            rounds: rounds.number_in(1..=most)? as u8,
            first,
            casting,
            objectives: f.optional("objectives").map_or(Ok(i64::from(figures.objectives)), |n| {
                n.number_in(0..=i64::from(figures.objectives))
            })? as u8,
            landed,
        };
        f.finish()?;
        Ok(plot)
    }
}
