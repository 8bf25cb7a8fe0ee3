//! The components: map, blocks, cards and scenarios, read and checked once.

use arrayvec::ArrayVec;
use table::sheet::{self, DataError, Node};
use table::{DataFiles, Id, Map, Seat, Set};

pub use crate::ids::{
    BOTH, Block, Card, Cards, FRANK, Guess, Letter, Mark, Nation, Place, Road, SARACEN, SIDES, Sides, Town,
    Way, Whence,
};

/// Every block that moves can go so many roads in a march.
pub const SLOW: u8 = 2;

/// What stands in no name, since notation needs it.
const NAMES: &str = "> ~ : ( )";

/// Ways in for the Germans: the last of the roads.
pub const ENTRIES: usize = 3;

/// A harbour [1.14].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Port {
    /// None.
    No,
    /// A harbour that the besieger controls.
    Plain,
    /// Tripoli and Tyre: the besieged controls it.
    Fortified,
}

/// What the map says of a town [1.1].
#[derive(Clone, Debug)]
pub struct Site {
    /// Its name.
    pub name: String,
    /// The realm it lies in.
    pub region: String,
    /// Whose it is when nobody stands there; nobody's for Masyaf.
    pub home: Option<Seat>,
    /// Town rating: castle limit, winter supply, replacements.
    pub rating: u8,
    /// Its harbour.
    pub port: Port,
    /// Whether it is a victory city.
    pub prize: bool,
    /// Degrees north, degrees east.
    pub place: (f64, f64),
    /// Where it stands on the board, in board units.
    pub xy: (i32, i32),
    /// Its neighbours: town, road.
    pub roads: ArrayVec<(Town, Road), 8>,
}

/// What the map says of a road [5.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    /// One end; none for a way in from off the map.
    pub a: Option<Town>,
    /// The other end.
    pub b: Town,
    /// Whether four blocks may use it, or two.
    pub major: bool,
    /// Whether it is the Iron Bridge of the optional rule.
    pub bridge: bool,
}

/// The kinds of blocks [2.2, 2.3, 2.4].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Lords of Outremer.
    Outremer,
    /// Templars and Hospitallers.
    Order,
    /// Light horse of the Franks.
    Turcople,
    /// The Third Crusade.
    Crusader,
    /// Bands of pilgrims.
    Pilgrim,
    /// Saladin and his lords.
    Emir,
    /// Arabs, Kurds and Turks.
    Nomad,
    /// The black block.
    Assassin,
}

/// A block as its face shows it [2.1].
#[derive(Clone, Debug)]
pub struct Label {
    /// A name that no other block has.
    pub name: String,
    /// Whose it is; nobody's for the Assassins.
    pub side: Option<Seat>,
    /// What kind it is.
    pub class: Class,
    /// For crusaders, whose.
    pub nation: Option<Nation>,
    /// Move rating.
    pub moves: u8,
    /// Steps at full strength.
    pub steps: u8,
    /// Initiative.
    pub letter: Letter,
    /// Firepower.
    pub fire: u8,
    /// Its home seat, if it has one.
    pub home: Option<Town>,
    /// Home and alternate seats.
    pub seats: Set<Town>,
    /// Whether it begins in the draw pool.
    pub pool: bool,
}

impl Label {
    /// Its combat rating, such as `B3`.
    pub fn rating(&self) -> String {
        format!("{:?}{}", self.letter, self.fire)
    }
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
    /// How many years are played.
    pub years: u8,
    /// How many victory cities the Saracens need at the end.
    pub needs: u8,
    /// How many shields of Outremer they need instead, where those count.
    pub shields: Option<u8>,
    /// For a single battle: the town it is about, and how it is set up.
    pub stage: Option<BattlePlot>,
}

/// A scenario that begins in the midst of a turn.
#[derive(Clone, Debug)]
pub struct BattlePlot {
    /// The town that decides.
    pub goal: Town,
    /// Who moves first.
    pub first: Seat,
    /// Moves of the first and of the second player.
    pub moves: [u8; 2],
    /// Block, town, strength, whether it is besieged.
    pub blocks: Vec<(Block, Town, u8, bool)>,
}

/// All components.
#[derive(Clone, Debug)]
pub struct Components {
    /// The towns.
    pub towns: Map<Town, Site>,
    /// The roads; the last three are the Germans' ways in.
    pub roads: Map<Road, Path>,
    /// The blocks.
    pub blocks: Map<Block, Label>,
    /// How many cards of each kind there are.
    pub deck: Cards,
    /// What each kind of card does, in a sentence.
    pub effects: Map<Card, String>,
    /// The scenarios.
    pub plots: Vec<Plot>,
    /// The blocks of each side.
    pub army: Sides<Set<Block>>,
    /// The blocks of each initiative letter.
    pub letter: Map<Letter, Set<Block>>,
    /// Who may charge [6.32].
    pub knights: Set<Block>,
    /// Who may harry [6.33].
    pub harriers: Set<Block>,
    /// Who never comes back [6.34].
    pub permanent: Set<Block>,
    /// The nomads [2.3.2].
    pub nomads: Set<Block>,
    /// The crusaders of each nation.
    pub nations: Map<Nation, Set<Block>>,
    /// Saladin and his family.
    pub family: Set<Block>,
    /// Saladin himself.
    pub saladin: Block,
    /// The black block.
    pub assassins: Block,
    /// The victory cities.
    pub prizes: Set<Town>,
    /// The ports.
    pub ports: Set<Town>,
    /// The towns of each side.
    pub homes: Sides<Set<Town>>,
    /// The blocks that can begin in each town, as everybody knows [3.1, 3.2].
    pub beginnings: Map<Town, Set<Block>>,
    /// How near each town is to the victory cities: for each of them within four roads, one divided by the
    /// roads between.
    pub nearness: Map<Town, f32>,
    /// How far each town is within reach of each other, from 1 for the town itself to 0.
    reach: Map<Town, Map<Town, f32>>,
    /// How many roads lie between two towns; none where no road leads from one to the other.
    pub roads_between: Map<Town, Map<Town, Option<u8>>>,
    /// Blocks that go farther in a march than [`SLOW`] roads.
    pub fast: Set<Block>,
    /// The board: width and height in units.
    pub board: (i32, i32),
}

/// The window of the map: west, south, east, north in hundredths of a degree.
pub const WINDOW: (i32, i32, i32, i32) = (3310, 3055, 3760, 3675);
const BOARD_WIDTH: i32 = 1500;
/// How far a town is within reach of another, by the roads between them.
const REACH: [f32; 4] = [1.0, 0.7, 0.45, 0.2];
/// Room for a town and its blocks, in board units.
pub const TOWN_RADIUS: i32 = 30;

/// The map as read: towns and the roads between them.
struct Chart {
    towns: Map<Town, Site>,
    roads: Map<Road, Path>,
    board: (i32, i32),
}

/// The blocks as read.
struct Roster {
    blocks: Map<Block, Label>,
    /// Saladin and his family.
    family: Set<Block>,
    saladin: Block,
    assassins: Block,
}

/// What was read of each, if it is as many as there must be.
fn complete<K: Id, T: Clone>(list: &[T]) -> Option<Map<K, T>> {
    (list.len() == K::COUNT).then(|| Map::new(|id: K| list[id.number()].clone()))
}

impl Components {
    /// Reads and checks the data files.
    pub fn read(files: &DataFiles) -> Result<Self, DataError> {
        let chart = Chart::read(files.text("map.toml"))?;
        let roster = Roster::read(files.text("blocks.toml"), &chart.towns)?;
        let (deck, effects) = read_cards(files.text("cards.toml"))?;
        let Roster { blocks, family, saladin, assassins } = roster;
        let those = |wanted: &dyn Fn(&Label) -> bool| -> Set<Block> {
            blocks.iter().filter(|(_, label)| wanted(label)).map(|(b, _)| b).collect()
        };
        let towns = |wanted: &dyn Fn(&Site) -> bool| -> Set<Town> {
            chart.towns.iter().filter(|(_, site)| wanted(site)).map(|(t, _)| t).collect()
        };
        let prizes = towns(&|site| site.prize);
        let roads_between: Map<Town, _> = Map::new(|t| distances(&chart.towns, t));
        let reach = |far: Option<u8>| far.and_then(|far| REACH.get(usize::from(far))).copied().unwrap_or(0.0);
        let mut nearness = Map::filled(0.0);
        for city in prizes {
            for (t, far) in roads_between[city].iter() {
                nearness[t] += match far {
                    Some(far @ 1..=4) => 1.0 / f32::from(*far),
                    _ => 0.0,
                };
            }
        }
        let mut this = Self {
            army: Sides::new(|seat| those(&|label| label.side == Some(seat))),
            letter: Map::new(|letter| those(&|label| label.letter == letter)),
            knights: those(&|label| label.side == Some(FRANK) && label.letter == Letter::B),
            harriers: those(&|label| matches!(label.class, Class::Turcople | Class::Nomad)),
            permanent: those(&|label| matches!(label.class, Class::Crusader | Class::Order)) | family,
            nomads: those(&|label| label.class == Class::Nomad),
            nations: Map::new(|nation| those(&|label| label.nation == Some(nation))),
            family,
            saladin,
            assassins,
            ports: towns(&|site| site.port != Port::No),
            homes: Sides::new(|seat| towns(&|site| site.home == Some(seat))),
            prizes,
            beginnings: beginnings(&blocks, family, saladin),
            nearness,
            reach: Map::new(|t| Map::new(|to| reach(roads_between[t][to]))),
            roads_between,
            fast: blocks.iter().filter(|(_, label)| label.moves > SLOW).map(|(b, _)| b).collect(),
            towns: chart.towns,
            roads: chart.roads,
            board: chart.board,
            blocks,
            deck,
            effects,
            plots: Vec::new(),
        };
        this.read_scenarios(files.text("scenarios.toml"))?;
        Ok(this)
    }

    /// The might in and near a town: what stands in each town, by how far the town is within its reach.
    #[inline]
    pub(crate) fn near(&self, town: Town, might: &Map<Town, f32>) -> f32 {
        self.reach[town].values().iter().zip(might.values()).map(|(reach, might)| reach * might).sum()
    }

    /// The ways in for the Germans.
    #[inline]
    pub fn entries(&self) -> impl Iterator<Item = (Road, Town)> + '_ {
        Road::all().skip(Road::COUNT - ENTRIES).map(|road| (road, self.roads[road].b))
    }

    fn read_scenarios(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("scenarios.toml", text)?;
        let mut fields = root.sourced()?;
        for node in fields.records("scenario")? {
            let mut f = node.sourced()?;
            let shields = f.optional("saracen_shields").map(|n| n.number_in(1..=30)).transpose()?;
            let mut plot = Plot {
                id: f.required("id")?.text()?.to_string(),
                name: f.required("name")?.text()?.to_string(),
                gist: f.required("gist")?.text()?.to_string(),
                minutes: f.required("minutes")?.number_in(1..=2000)? as u16,
                years: f.required("years")?.number_in(1..=6)? as u8,
                needs: f.optional("saracen_needs").map_or(Ok(4), |n| n.number_in(1..=7))? as u8,
                shields: shields.map(|n| n as u8),
                stage: None,
            };
            if let Some(goal) = f.optional("goal") {
                let mut stage = BattlePlot {
                    goal: self.town_at(goal)?,
                    first: f.required("first")?.one_of(&SIDES)?,
                    moves: [1; 2],
                    blocks: Vec::new(),
                };
                for (i, n) in f.required("moves")?.list()?.iter().take(2).enumerate() {
                    stage.moves[i] = n.number_in(1..=3)? as u8;
                }
                for n in f.required("inside")?.list()? {
                    let (b, s) = self.block_strength(n, n.text()?)?;
                    stage.blocks.push((b, stage.goal, s, true));
                }
                for n in f.required("field")?.list()? {
                    let (b, t, s) = self.block_place(n)?;
                    stage.blocks.push((b, t, s, false));
                }
                plot.stage = Some(stage);
            }
            f.finish()?;
            self.plots.push(plot);
        }
        fields.finish()?;
        if self.plots.is_empty() {
            return Err(root.wrong("expected a scenario"));
        }
        Ok(())
    }

    /// Reads `BLOCK TOWN STRENGTH`.
    pub(crate) fn block_place(&self, node: &Node) -> Result<(Block, Town, u8), DataError> {
        let text = node.text()?;
        let (rest, strength) = text.rsplit_once(' ').ok_or_else(|| node.expected("`BLOCK TOWN STRENGTH`"))?;
        for (b, label) in self.blocks.iter() {
            if let Some(town) = rest.strip_prefix(label.name.as_str()).and_then(|r| r.strip_prefix(' '))
                && let Some(t) = self.town(town)
            {
                return Ok((b, t, self.strength_of(node, b, strength)?));
            }
        }
        Err(node.expected("`BLOCK TOWN STRENGTH`"))
    }

    /// Reads `BLOCK STRENGTH`.
    pub(crate) fn block_strength(&self, node: &Node, text: &str) -> Result<(Block, u8), DataError> {
        let (name, strength) = text.rsplit_once(' ').ok_or_else(|| node.expected("`BLOCK STRENGTH`"))?;
        let b = self.block(name).ok_or_else(|| node.wrong(format!("no block is called `{name}`")))?;
        Ok((b, self.strength_of(node, b, strength)?))
    }

    fn strength_of(&self, node: &Node, b: Block, text: &str) -> Result<u8, DataError> {
        let steps = self.blocks[b].steps;
        let strength = text.parse().ok().filter(|s| (1..=steps).contains(s));
        strength.ok_or_else(|| node.expected(&format!("a strength from 1 to {steps}")))
    }

    /// The town that a text names.
    pub(crate) fn town_at(&self, node: &Node) -> Result<Town, DataError> {
        town_at(self.towns.values(), node)
    }

    /// The town with this name.
    pub fn town(&self, name: &str) -> Option<Town> {
        named(self.towns.values(), name)
    }

    /// The block with this name.
    pub fn block(&self, name: &str) -> Option<Block> {
        self.blocks.iter().find(|(_, label)| label.name == name).map(|(b, _)| b)
    }

    /// The road between two towns.
    pub fn road(&self, from: Town, to: Town) -> Option<Road> {
        self.towns[from].roads.iter().find(|(t, _)| *t == to).map(|(_, road)| *road)
    }

    /// The name of a town.
    pub fn town_name(&self, t: Town) -> &str {
        &self.towns[t].name
    }

    /// The name of a block.
    pub fn block_name(&self, b: Block) -> &str {
        &self.blocks[b].name
    }
}

/// The town of a list with this name.
fn named(towns: &[Site], name: &str) -> Option<Town> {
    towns.iter().position(|t| t.name == name).and_then(Town::try_at)
}

/// The town of a list that a text names.
fn town_at(towns: &[Site], node: &Node) -> Result<Town, DataError> {
    let name = node.text()?;
    named(towns, name).ok_or_else(|| node.wrong(format!("no town is called `{name}`")))
}

/// How many roads away each town lies.
fn distances(towns: &Map<Town, Site>, from: Town) -> Map<Town, Option<u8>> {
    let mut far = Map::filled(None);
    far[from] = Some(0);
    for distance in 1..Town::COUNT as u8 {
        for t in Town::all() {
            let next = |(to, _): &(Town, Road)| far[*to] == Some(distance - 1);
            if far[t].is_none() && towns[t].roads.iter().any(next) {
                far[t] = Some(distance);
            }
        }
    }
    far
}

/// Franks begin at any of their seats, Saracens at home; Saladin may change places with one of his family who
/// begins elsewhere.
fn beginnings(blocks: &Map<Block, Label>, family: Set<Block>, saladin: Block) -> Map<Town, Set<Block>> {
    let mut beginnings: Map<Town, Set<Block>> = Map::filled(Set::NONE);
    let court = blocks[saladin].home;
    for (b, label) in blocks.iter() {
        let frank = label.side == Some(FRANK);
        let mut towns = match (frank, label.pool, label.home) {
            (true, true, _) | (false, _, None) => Set::NONE,
            (true, false, _) => label.seats,
            (false, _, Some(home)) => Set::one(home),
        };
        if family.has(b) && label.home != court {
            towns = court.into_iter().fold(towns, Set::with);
            if let Some(home) = label.home {
                beginnings[home].insert(saladin);
            }
        }
        for t in towns {
            beginnings[t].insert(b);
        }
    }
    beginnings
}

impl Chart {
    fn read(text: &str) -> Result<Self, DataError> {
        let root = sheet::parse("map.toml", text)?;
        let mut fields = root.sourced()?;
        let ports = [("plain", Port::Plain), ("fortified", Port::Fortified)];
        let places = ["known", "approx", "inferred", "symbolic"].map(|w| (w, ()));
        let mut sites: Vec<Site> = Vec::new();
        for node in fields.records("town")? {
            let mut f = node.sourced()?;
            let name = f.required("name")?;
            f.required("place")?.one_of(&places)?;
            sites.push(Site {
                name: name.new_name(NAMES, named(&sites, name.text()?).is_some())?,
                region: f.required("region")?.text()?.to_string(),
                home: f.optional("side").map(|n| n.one_of(&SIDES)).transpose()?,
                rating: f.required("rating")?.number_in(0..=6)? as u8,
                port: f.optional("port").map_or(Ok(Port::No), |n| n.one_of(&ports))?,
                prize: f.optional("prize").map_or(Ok(false), Node::flag)?,
                place: (f.required("lat")?.decimal()?, f.required("lon")?.decimal()?),
                xy: (0, 0),
                roads: ArrayVec::new(),
            });
            f.finish()?;
        }
        let prizes = sites.iter().filter(|site| site.prize).count();
        let many = format!(
            "expected {} towns, seven of them prizes; found {}, {prizes} of them prizes",
            Town::COUNT,
            sites.len()
        );
        let towns = complete::<Town, _>(&sites).filter(|_| prizes == 7);
        let mut towns = towns.ok_or_else(|| root.wrong(many))?;
        let kinds = [("major", true), ("minor", false)];
        let mut paths: Vec<Path> = Vec::new();
        for node in fields.records("road")? {
            let mut f = node.sourced()?;
            let a = town_at(towns.values(), f.required("from")?)?;
            let b = town_at(towns.values(), f.required("to")?)?;
            let major = f.required("kind")?.one_of(&kinds)?;
            let bridge = f.optional("iron_bridge").map_or(Ok(false), Node::flag)?;
            f.finish()?;
            if a == b || towns[a].roads.iter().any(|(to, _)| *to == b) {
                return Err(node.wrong("a road leads to another town, and only one leads there"));
            }
            let road = Road::try_at(paths.len()).ok_or_else(|| node.wrong("expected 87 roads"))?;
            for (from, to) in [(a, b), (b, a)] {
                towns[from]
                    .roads
                    .try_push((to, road))
                    .map_err(|_| node.wrong("expected at most eight roads at a town"))?;
            }
            paths.push(Path { a: Some(a), b, major, bridge });
        }
        for node in fields.records("entry")? {
            let mut f = node.sourced()?;
            let b = town_at(towns.values(), f.required("to")?)?;
            let major = f.required("kind")?.one_of(&kinds)?;
            f.finish()?;
            paths.push(Path { a: None, b, major, bridge: false });
        }
        fields.finish()?;
        let entries = paths.iter().filter(|path| path.a.is_none()).count();
        let roads = complete(&paths).filter(|_| entries == ENTRIES);
        let roads = roads.ok_or_else(|| {
            root.wrong(format!("expected 87 roads and three entries, found {}", paths.len()))
        })?;
        let spot = |(lat, lon): (f64, f64)| levant::Spot { lat, lon, radius: TOWN_RADIUS };
        let spots: Vec<_> = towns.values().iter().map(|site| spot(site.place)).collect();
        let laid_out = levant::lay_out(WINDOW, BOARD_WIDTH, &spots).map_err(|e| root.wrong(e.to_string()))?;
        for (site, xy) in towns.values_mut().iter_mut().zip(laid_out.places) {
            site.xy = xy;
        }
        Ok(Self { towns, roads, board: laid_out.size })
    }
}

impl Roster {
    fn read(text: &str, towns: &Map<Town, Site>) -> Result<Self, DataError> {
        let root = sheet::parse("blocks.toml", text)?;
        let mut fields = root.sourced()?;
        let classes = [
            ("outremer", Class::Outremer),
            ("military_order", Class::Order),
            ("turcople", Class::Turcople),
            ("crusader", Class::Crusader),
            ("pilgrim", Class::Pilgrim),
            ("emir", Class::Emir),
            ("nomad", Class::Nomad),
            ("assassin", Class::Assassin),
        ];
        let nations = [("english", Nation::English), ("french", Nation::French), ("german", Nation::German)];
        let letters = [("A", Letter::A), ("B", Letter::B), ("C", Letter::C)];
        let (mut labels, mut family, mut saladin, mut assassins) =
            (Vec::<Label>::new(), Set::NONE, None, None);
        for node in fields.records("block")? {
            let mut f = node.sourced()?;
            let name = f.required("name")?;
            let known = labels.iter().any(|label| name.text().is_ok_and(|name| label.name == name));
            let mut label = Label {
                name: name.new_name(NAMES, known || named(towns.values(), name.text()?).is_some())?,
                side: f.optional("side").map(|n| n.one_of(&SIDES)).transpose()?,
                class: f.required("class")?.one_of(&classes)?,
                nation: f.optional("nation").map(|n| n.one_of(&nations)).transpose()?,
                moves: f.required("move")?.number_in(0..=4)? as u8,
                steps: f.required("steps")?.number_in(1..=4)? as u8,
                letter: f.required("letter")?.one_of(&letters)?,
                fire: f.required("fire")?.number_in(1..=5)? as u8,
                home: None,
                seats: Set::NONE,
                pool: f.optional("pool").map_or(Ok(false), Node::flag)?,
            };
            if let Some(home) = f.optional("home") {
                let home = town_at(towns.values(), home)?;
                label.home = Some(home);
                label.seats.insert(home);
            }
            if let Some(seats) = f.optional("alternates") {
                for seat in seats.list()? {
                    label.seats.insert(town_at(towns.values(), seat)?);
                }
            }
            let kin = f.optional("family").map_or(Ok(false), Node::flag)?;
            f.finish()?;
            let Some(b) = Block::try_at(labels.len()) else {
                return Err(node.wrong(format!("expected {} blocks", Block::COUNT)));
            };
            if label.side.is_some() && label.moves < 2 {
                return Err(node.wrong("expected a move rating of at least 2"));
            }
            if (label.class == Class::Crusader) != label.nation.is_some() {
                return Err(node.wrong("expected a nation for crusaders and for nobody else"));
            }
            if !label.pool && label.home.is_none() {
                return Err(node.wrong("expected a home for a block that begins on the map"));
            }
            if kin {
                family.insert(b);
                if label.name == "Saladin" {
                    saladin = Some(b);
                }
            }
            if label.side.is_none() {
                assassins = Some(b);
            }
            labels.push(label);
        }
        fields.finish()?;
        let many = |wanted: &dyn Fn(&Label) -> bool| labels.iter().filter(|label| wanted(label)).count();
        let sides = BOTH.iter().all(|seat| many(&|label| label.side == Some(*seat)) == 31);
        let crusade = Nation::ALL.iter().all(|nation| many(&|label| label.nation == Some(*nation)) == 3);
        match (complete(&labels).filter(|_| sides && crusade), saladin, assassins) {
            (Some(blocks), Some(saladin), Some(assassins)) => {
                Ok(Self { blocks, family, saladin, assassins })
            }
            _ => Err(root.wrong(
                "expected 63 blocks: 31 a side, three of each nation, Saladin in his family, and the Assassins",
            )),
        }
    }
}

/// How many cards of each kind there are, and what they do.
fn read_cards(text: &str) -> Result<(Cards, Map<Card, String>), DataError> {
    let root = sheet::parse("cards.toml", text)?;
    let mut fields = root.sourced()?;
    let (mut deck, mut effects) = (Map::filled(0), Map::filled(String::new()));
    let words = Card::ALL.map(|card| (card.name(), card));
    for node in fields.records("card")? {
        let mut f = node.sourced()?;
        let card = f.required("name")?.one_of(&words)?;
        deck[card] = f.required("count")?.number_in(1..=20)? as u8;
        if let Some(moves) = f.optional("moves") {
            let expected = i64::from(card.moves());
            moves.number_in(expected..=expected)?;
        }
        effects[card] = f.required("effect")?.text()?.to_string();
        f.finish()?;
    }
    fields.finish()?;
    if deck.values().contains(&0) || deck[Card::Intrigue] != 1 || deck.values().iter().sum::<u8>() < 12 {
        return Err(root.wrong("expected all nine kinds of cards, one Intrigue, at least twelve cards"));
    }
    Ok((deck, effects))
}
