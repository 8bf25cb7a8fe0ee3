//! The components: map, blocks, cards and scenarios, read and checked once.

use arrayvec::ArrayVec;
use table::sheet::{self, DataError, Node};
use table::{DataFiles, Seat};

/// What stands in no name, since notation needs it.
const NAMES: &str = "> ~ : ( )";

/// How many towns the map has, Masyaf included.
pub const TOWNS: usize = 53;
/// How many blocks there are.
pub const BLOCKS: usize = 63;
/// Roads between towns, and after them the ways in for the Germans.
pub const ROADS: usize = 90;
/// The kinds of cards.
pub const KINDS: usize = 9;
/// No town, block, road or card.
pub const NONE: u8 = 255;
/// The way of a block that came by sea.
pub const SEA: u8 = 254;

/// The Franks.
pub const FRANK: Seat = Seat::new(0);
/// The Saracens.
pub const SARACEN: Seat = Seat::new(1);
/// Both sides by name.
pub const SIDES: [(&str, Seat); 2] = [("Frank", FRANK), ("Saracen", SARACEN)];

/// A set of blocks, or of towns: one bit each.
pub type Set = u64;

/// The members of a set, in their order.
#[inline]
pub fn each(mut set: Set) -> impl Iterator<Item = u8> + Clone {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let member = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(member)
    })
}

/// The set of one member.
#[inline]
pub const fn one(member: u8) -> Set {
    1 << member
}

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

/// A town [1.1].
#[derive(Clone, Debug)]
pub struct Town {
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
    pub roads: ArrayVec<(u8, u8), 8>,
}

/// A road [5.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Road {
    /// One end; [`NONE`] for a way in from off the map.
    pub a: u8,
    /// The other end.
    pub b: u8,
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
    /// For crusaders 0 English, 1 French, 2 German.
    pub nation: u8,
    /// Move rating.
    pub moves: u8,
    /// Steps at full strength.
    pub steps: u8,
    /// Initiative: 0 for A, 1 for B, 2 for C.
    pub letter: u8,
    /// Firepower.
    pub fire: u8,
    /// Its home seat, if it has one.
    pub home: u8,
    /// Home and alternate seats.
    pub seats: Set,
    /// Whether it begins in the draw pool.
    pub pool: bool,
}

impl Label {
    /// Its combat rating, such as `B3`.
    pub fn rating(&self) -> String {
        format!("{}{}", ["A", "B", "C"][usize::from(self.letter)], self.fire)
    }
}

/// The kinds of cards, as indices into a hand.
pub mod kind {
    /// Three moves.
    pub const MOVE3: u8 = 0;
    /// Two moves.
    pub const MOVE2: u8 = 1;
    /// One move.
    pub const MOVE1: u8 = 2;
    /// One move, or a siege kept over the winter.
    pub const WINTER: u8 = 3;
    /// The assassins strike.
    pub const ASSASSINS: u8 = 4;
    /// One group with double road limits.
    pub const GUIDE: u8 = 5;
    /// The opponent's last card again.
    pub const INTRIGUE: u8 = 6;
    /// One group, and attackers first in one battle.
    pub const JIHAD: u8 = 7;
    /// Three steps.
    pub const MANNA: u8 = 8;

    /// Whether a card is an event card [4.2].
    #[inline]
    pub const fn is_event(card: u8) -> bool {
        card >= ASSASSINS
    }
}

/// The cards' names, in the order of their kinds.
pub const CARD_NAMES: [&str; KINDS] =
    ["Move 3", "Move 2", "Move 1", "Winter Campaign", "Assassins", "Guide", "Intrigue", "Jihad", "Manna"];

/// The staging areas, by nation.
pub const NATIONS: [&str; 3] = ["English", "French", "German"];

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
    /// How many shields of Outremer they need instead; 0 where cities count.
    pub shields: u8,
    /// For a single battle: the town it is about, and how it is set up.
    pub stage: Option<BattlePlot>,
}

/// A scenario that begins in the midst of a turn.
#[derive(Clone, Debug)]
pub struct BattlePlot {
    /// The town that decides.
    pub goal: u8,
    /// Who moves first.
    pub first: Seat,
    /// Moves of the first and of the second player.
    pub moves: [u8; 2],
    /// Block, town, strength, whether it is besieged.
    pub blocks: Vec<(u8, u8, u8, bool)>,
}

/// All components.
#[derive(Clone, Debug)]
pub struct Components {
    /// The towns.
    pub towns: Vec<Town>,
    /// The roads; the last three are the Germans' ways in.
    pub roads: Vec<Road>,
    /// The blocks.
    pub blocks: Vec<Label>,
    /// How many cards of each kind there are.
    pub deck: [u8; KINDS],
    /// What each kind of card does, in a sentence.
    pub effects: Vec<String>,
    /// The scenarios.
    pub plots: Vec<Plot>,
    /// The blocks of each side.
    pub side: [Set; 2],
    /// The blocks of each initiative letter.
    pub letter: [Set; 3],
    /// Who may charge [6.32].
    pub knights: Set,
    /// Who may harry [6.33].
    pub harriers: Set,
    /// Who never comes back [6.34].
    pub permanent: Set,
    /// The crusaders of each nation.
    pub nations: [Set; 3],
    /// Saladin and his family.
    pub family: Set,
    /// Saladin himself.
    pub saladin: u8,
    /// The victory cities, as a set of towns.
    pub prizes: Set,
    /// The ports, as a set of towns.
    pub ports: Set,
    /// The towns of each side, as sets.
    pub homes: [Set; 2],
    /// How near each town is to the victory cities: for each of them within four roads, one divided by the
    /// roads between.
    pub nearness: [f32; TOWNS],
    /// How far each town is within reach of each other, from 1 for the town itself to 0.
    reach: Vec<[f32; TOWNS]>,
    /// How many roads lie between two towns.
    pub roads_between: Vec<[u8; TOWNS]>,
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

impl Components {
    /// Reads and checks the data files.
    pub fn read(files: &DataFiles) -> Result<Self, DataError> {
        let mut this = Self {
            towns: Vec::new(),
            roads: Vec::new(),
            blocks: Vec::new(),
            deck: [0; KINDS],
            effects: vec![String::new(); KINDS],
            plots: Vec::new(),
            side: [0; 2],
            letter: [0; 3],
            knights: 0,
            harriers: 0,
            permanent: 0,
            nations: [0; 3],
            family: 0,
            saladin: NONE,
            prizes: 0,
            ports: 0,
            homes: [0; 2],
            nearness: [0.0; TOWNS],
            reach: Vec::new(),
            roads_between: Vec::new(),
            board: (0, 0),
        };
        this.read_map(files.text("map.toml"))?;
        this.read_blocks(files.text("blocks.toml"))?;
        this.read_cards(files.text("cards.toml"))?;
        this.read_scenarios(files.text("scenarios.toml"))?;
        Ok(this)
    }

    fn read_map(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("map.toml", text)?;
        let mut fields = root.sourced()?;
        let ports = [("plain", Port::Plain), ("fortified", Port::Fortified)];
        let places = ["known", "approx", "inferred", "symbolic"].map(|w| (w, ()));
        for node in fields.records("town")? {
            let mut f = node.sourced()?;
            let name = f.required("name")?;
            f.required("place")?.one_of(&places)?;
            let town = Town {
                name: name.new_name(NAMES, self.town(name.text()?).is_some())?,
                region: f.required("region")?.text()?.to_string(),
                home: f.optional("side").map(|n| n.one_of(&SIDES)).transpose()?,
                rating: f.required("rating")?.number_in(0..=6)? as u8,
                port: f.optional("port").map_or(Ok(Port::No), |n| n.one_of(&ports))?,
                prize: f.optional("prize").map_or(Ok(false), Node::flag)?,
                place: (f.required("lat")?.decimal()?, f.required("lon")?.decimal()?),
                xy: (0, 0),
                roads: ArrayVec::new(),
            };
            f.finish()?;
            let bit = one(self.towns.len() as u8);
            self.prizes |= if town.prize { bit } else { 0 };
            self.ports |= if town.port == Port::No { 0 } else { bit };
            if let Some(side) = town.home {
                self.homes[side.index()] |= bit;
            }
            self.towns.push(town);
            if self.towns.len() > TOWNS {
                break;
            }
        }
        if self.towns.len() != TOWNS || self.prizes.count_ones() != 7 {
            let found = self.prizes.count_ones();
            return Err(root.wrong(format!(
                "expected {TOWNS} towns, seven of them prizes; found {}, {found} of them prizes",
                self.towns.len()
            )));
        }
        let kinds = [("major", true), ("minor", false)];
        for node in fields.records("road")? {
            let mut f = node.sourced()?;
            let (a, b) = (self.town_at(f.required("from")?)?, self.town_at(f.required("to")?)?);
            let major = f.required("kind")?.one_of(&kinds)?;
            let bridge = f.optional("iron_bridge").map_or(Ok(false), Node::flag)?;
            f.finish()?;
            if a == b || self.road(a, b).is_some() {
                return Err(node.wrong("a road leads to another town, and only one leads there"));
            }
            let number = self.roads.len() as u8;
            for (from, to) in [(a, b), (b, a)] {
                self.towns[usize::from(from)]
                    .roads
                    .try_push((to, number))
                    .map_err(|_| node.wrong("expected at most eight roads at a town"))?;
            }
            self.roads.push(Road { a, b, major, bridge });
        }
        for node in fields.records("entry")? {
            let mut f = node.sourced()?;
            let b = self.town_at(f.required("to")?)?;
            let major = f.required("kind")?.one_of(&kinds)?;
            f.finish()?;
            self.roads.push(Road { a: NONE, b, major, bridge: false });
        }
        fields.finish()?;
        if self.roads.len() != ROADS || self.roads.iter().filter(|r| r.a == NONE).count() != 3 {
            return Err(
                root.wrong(format!("expected 87 roads and three entries, found {}", self.roads.len()))
            );
        }
        self.roads_between = (0..TOWNS as u8).map(|t| self.distances(t)).collect();
        let reach = |far: u8| REACH.get(usize::from(far)).copied().unwrap_or(0.0);
        self.reach = self.roads_between.iter().map(|roads| roads.map(reach)).collect();
        for city in each(self.prizes) {
            let distances = &self.roads_between[usize::from(city)];
            for (nearness, far) in self.nearness.iter_mut().zip(distances.iter().copied()) {
                *nearness += if (1..=4).contains(&far) { 1.0 / f32::from(far) } else { 0.0 };
            }
        }
        self.place_towns().map_err(|what| root.wrong(what))
    }

    /// The might in and near a town: what stands in each town, by how far the town is within its reach.
    #[inline]
    pub(crate) fn near(&self, town: u8, might: &[f32; TOWNS]) -> f32 {
        self.reach[usize::from(town)].iter().zip(might).map(|(reach, might)| reach * might).sum()
    }

    /// How many roads away each town lies.
    fn distances(&self, from: u8) -> [u8; TOWNS] {
        let mut far = [NONE; TOWNS];
        far[usize::from(from)] = 0;
        for distance in 1..TOWNS as u8 {
            for t in 0..TOWNS {
                let next = |(to, _): &(u8, u8)| far[usize::from(*to)] == distance - 1;
                if far[t] == NONE && self.towns[t].roads.iter().any(next) {
                    far[t] = distance;
                }
            }
        }
        far
    }

    fn place_towns(&mut self) -> Result<(), String> {
        let spot = |(lat, lon): (f64, f64)| levant::Spot { lat, lon, radius: TOWN_RADIUS };
        let spots: Vec<_> = self.towns.iter().map(|town| spot(town.place)).collect();
        let laid_out = levant::lay_out(WINDOW, BOARD_WIDTH, &spots).map_err(|e| e.to_string())?;
        for (town, xy) in self.towns.iter_mut().zip(laid_out.places) {
            town.xy = xy;
        }
        self.board = laid_out.size;
        Ok(())
    }

    fn read_blocks(&mut self, text: &str) -> Result<(), DataError> {
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
        for node in fields.records("block")? {
            let mut f = node.sourced()?;
            let name = f.required("name")?;
            let mut label = Label {
                name: name.new_name(
                    NAMES,
                    self.block(name.text()?).is_some() || self.town(name.text()?).is_some(),
                )?,
                side: f.optional("side").map(|n| n.one_of(&SIDES)).transpose()?,
                class: f.required("class")?.one_of(&classes)?,
                nation: match f.optional("nation") {
                    Some(n) => n.one_of(&[("english", 0), ("french", 1), ("german", 2)])?,
                    None => NONE,
                },
                moves: f.required("move")?.number_in(0..=4)? as u8,
                steps: f.required("steps")?.number_in(1..=4)? as u8,
                letter: f.required("letter")?.one_of(&[("A", 0), ("B", 1), ("C", 2)])?,
                fire: f.required("fire")?.number_in(1..=5)? as u8,
                home: NONE,
                seats: 0,
                pool: f.optional("pool").map_or(Ok(false), Node::flag)?,
            };
            if let Some(home) = f.optional("home") {
                label.home = self.town_at(home)?;
                label.seats = one(label.home);
            }
            if let Some(seats) = f.optional("alternates") {
                for seat in seats.list()? {
                    label.seats |= one(self.town_at(seat)?);
                }
            }
            let family = f.optional("family").map_or(Ok(false), Node::flag)?;
            f.finish()?;
            if self.blocks.len() == BLOCKS {
                return Err(node.wrong(format!("expected {BLOCKS} blocks")));
            }
            if label.side.is_some() && label.moves < 2 {
                return Err(node.wrong("expected a move rating of at least 2"));
            }
            if (label.class == Class::Crusader) != (label.nation != NONE) {
                return Err(node.wrong("expected a nation for crusaders and for nobody else"));
            }
            if !label.pool && label.home == NONE {
                return Err(node.wrong("expected a home for a block that begins on the map"));
            }
            let (b, bit) = (self.blocks.len() as u8, one(self.blocks.len() as u8));
            if let Some(side) = label.side {
                self.side[side.index()] |= bit;
            }
            self.letter[usize::from(label.letter)] |= bit;
            if label.side == Some(FRANK) && label.letter == 1 {
                self.knights |= bit;
            }
            if matches!(label.class, Class::Turcople | Class::Nomad) {
                self.harriers |= bit;
            }
            if family || matches!(label.class, Class::Crusader | Class::Order) {
                self.permanent |= bit;
            }
            if let Some(nation) = self.nations.get_mut(usize::from(label.nation)) {
                *nation |= bit;
            }
            if family {
                self.family |= bit;
                if label.name == "Saladin" {
                    self.saladin = b;
                }
            }
            self.blocks.push(label);
        }
        fields.finish()?;
        if self.blocks.len() != BLOCKS
            || self.side.map(u64::count_ones) != [31, 31]
            || self.nations.map(u64::count_ones) != [3; 3]
            || self.saladin == NONE
        {
            return Err(root.wrong(
                "expected 63 blocks: 31 a side, three of each nation, Saladin in his family, and the Assassins",
            ));
        }
        Ok(())
    }

    fn read_cards(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("cards.toml", text)?;
        let mut fields = root.sourced()?;
        for node in fields.records("card")? {
            let mut f = node.sourced()?;
            let name = f.required("name")?;
            let words: Vec<_> = CARD_NAMES.iter().enumerate().map(|(i, n)| (*n, i)).collect();
            let card = name.one_of(&words)?;
            self.deck[card] = f.required("count")?.number_in(1..=20)? as u8;
            if let Some(moves) = f.optional("moves") {
                let expected = i64::from(MOVES[card]);
                moves.number_in(expected..=expected)?;
            }
            self.effects[card] = f.required("effect")?.text()?.to_string();
            f.finish()?;
        }
        fields.finish()?;
        if self.deck.contains(&0)
            || self.deck[kind::INTRIGUE as usize] != 1
            || self.deck.iter().sum::<u8>() < 12
        {
            return Err(root.wrong("expected all nine kinds of cards, one Intrigue, at least twelve cards"));
        }
        Ok(())
    }

    fn read_scenarios(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("scenarios.toml", text)?;
        let mut fields = root.sourced()?;
        for node in fields.records("scenario")? {
            let mut f = node.sourced()?;
            let mut plot = Plot {
                id: f.required("id")?.text()?.to_string(),
                name: f.required("name")?.text()?.to_string(),
                gist: f.required("gist")?.text()?.to_string(),
                minutes: f.required("minutes")?.number_in(1..=2000)? as u16,
                years: f.required("years")?.number_in(1..=6)? as u8,
                needs: f.optional("saracen_needs").map_or(Ok(4), |n| n.number_in(1..=7))? as u8,
                shields: f.optional("saracen_shields").map_or(Ok(0), |n| n.number_in(1..=30))? as u8,
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
    pub(crate) fn block_place(&self, node: &Node) -> Result<(u8, u8, u8), DataError> {
        let text = node.text()?;
        let (rest, strength) = text.rsplit_once(' ').ok_or_else(|| node.expected("`BLOCK TOWN STRENGTH`"))?;
        for (b, label) in self.blocks.iter().enumerate() {
            if let Some(town) = rest.strip_prefix(label.name.as_str()).and_then(|r| r.strip_prefix(' '))
                && let Some(t) = self.town(town)
            {
                return Ok((b as u8, t, self.strength_of(node, b as u8, strength)?));
            }
        }
        Err(node.expected("`BLOCK TOWN STRENGTH`"))
    }

    /// Reads `BLOCK STRENGTH`.
    pub(crate) fn block_strength(&self, node: &Node, text: &str) -> Result<(u8, u8), DataError> {
        let (name, strength) = text.rsplit_once(' ').ok_or_else(|| node.expected("`BLOCK STRENGTH`"))?;
        let b = self.block(name).ok_or_else(|| node.wrong(format!("no block is called `{name}`")))?;
        Ok((b, self.strength_of(node, b, strength)?))
    }

    fn strength_of(&self, node: &Node, b: u8, text: &str) -> Result<u8, DataError> {
        let steps = self.blocks[usize::from(b)].steps;
        let strength = text.parse().ok().filter(|s| (1..=steps).contains(s));
        strength.ok_or_else(|| node.expected(&format!("a strength from 1 to {steps}")))
    }

    /// The town that a text names.
    pub(crate) fn town_at(&self, node: &Node) -> Result<u8, DataError> {
        let name = node.text()?;
        self.town(name).ok_or_else(|| node.wrong(format!("no town is called `{name}`")))
    }

    /// The town with this name.
    pub fn town(&self, name: &str) -> Option<u8> {
        self.towns.iter().position(|t| t.name == name).map(|i| i as u8)
    }

    /// The block with this name.
    pub fn block(&self, name: &str) -> Option<u8> {
        self.blocks.iter().position(|b| b.name == name).map(|i| i as u8)
    }

    /// The road between two towns.
    pub fn road(&self, from: u8, to: u8) -> Option<u8> {
        self.towns[usize::from(from)].roads.iter().find(|(t, _)| *t == to).map(|(_, road)| *road)
    }

    /// The name of a town.
    pub fn town_name(&self, t: u8) -> &str {
        self.towns.get(usize::from(t)).map_or("nowhere", |t| t.name.as_str())
    }

    /// The name of a block.
    pub fn block_name(&self, b: u8) -> &str {
        self.blocks.get(usize::from(b)).map_or("nobody", |b| b.name.as_str())
    }
}

/// The moves that each kind of card gives.
pub const MOVES: [u8; KINDS] = [3, 2, 1, 1, 0, 1, 0, 1, 0];
