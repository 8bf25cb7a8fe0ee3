//! The components: map, forces, tables, cards and scenarios, read from TOML and checked once.
//!
//! Every complaint names file and line, what was found and what would be right.

use serde::{Deserialize, Serialize};
use table::sheet::{self, DataError, Node};
use table::{DataFiles, Id as _, Map, Seat, Set};

use crate::ids::{
    CHRISTIAN, Card, Cards, Kind, Leader, MUSLIM, Power, Powers, Province, Space, Spaces, Unit, Units, fill,
};

pub mod cards;
pub mod scenarios;

pub use cards::{CardData, List, Op, SiegeData};
pub use scenarios::Plot;

/// The part of the drawn map that the game is played on.
pub const WINDOW: (i32, i32, i32, i32) = (2900, 2740, 4300, 3930);

/// What stands in no name, since notation needs it.
const NAMES: &str = "> ~ : ( ) ,";

/// Where a Power stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Stance {
    /// With the Christian player.
    Christian,
    /// With the Muslim player.
    Muslim,
    /// With nobody.
    Neutral,
    /// Not in the game, or dissolved.
    Absent,
}

impl Stance {
    /// Who controls such a Power.
    #[inline]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Christian => Some(CHRISTIAN),
            Self::Muslim => Some(MUSLIM),
            Self::Neutral | Self::Absent => None,
        }
    }

    /// Pro-Christian or pro-Muslim.
    #[inline]
    pub fn of(seat: Seat) -> Self {
        if seat == CHRISTIAN { Self::Christian } else { Self::Muslim }
    }

    /// Its name in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Christian => "pro-Christian",
            Self::Muslim => "pro-Muslim",
            Self::Neutral => "neutral",
            Self::Absent => "not in the game",
        }
    }
}

/// A religion \[3\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Religion {
    Catholic,
    Orthodox,
    Sunni,
    Shiite,
    Pagan,
}

/// A way from one space to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// Where it leads.
    pub to: Space,
    /// Its cost in movement points.
    pub mp: u8,
    /// Whether it is a mountain pass.
    pub pass: bool,
    /// Whether it needs a card of three [10.6].
    pub desert: bool,
    /// The number of its line on the map, the same both ways.
    pub line: u8,
}

/// A space or a box.
#[derive(Clone, Debug)]
pub struct SpaceData {
    pub id: String,
    pub name: String,
    /// Its province; a box has none.
    pub province: Option<Province>,
    pub is_box: bool,
    /// Whether a box is left by sea only.
    pub by_sea: bool,
    /// Whether who leaves this box crosses Asia Minor [10.6].
    pub asia_minor: bool,
    pub port: bool,
    pub red_sea: bool,
    pub harsh: bool,
    pub nile: bool,
    pub capital: bool,
    pub ways: Vec<Way>,
    pub lat: f64,
    pub lon: f64,
    /// Where it is drawn on the board.
    pub xy: (i32, i32),
    city: Vec<(String, bool)>,
    is_city: bool,
    vp: u8,
    vps: Vec<(String, u8)>,
}

impl SpaceData {
    /// Whether a port of either sea is here.
    #[inline]
    pub fn any_port(&self) -> bool {
        self.port || self.red_sea
    }
}

/// A province.
#[derive(Clone, Debug)]
pub struct ProvinceData {
    pub id: String,
    pub name: String,
    pub capitals: Spaces,
    pub spaces: Spaces,
}

/// How a Power demobilises [16.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demob {
    Normal,
    Optional,
    Never,
}

/// A Power.
#[derive(Clone, Debug)]
pub struct PowerData {
    pub id: String,
    pub name: String,
    pub religion: Religion,
    pub never_dissolved: bool,
    /// How many castles it has, where that is a limit [17.7.3].
    pub castles: Option<u8>,
    pub demob: Demob,
    pub castle_rf: i8,
    pub castle_low_rf: i8,
    /// Whether its religion is Christian.
    pub christian: bool,
    /// Whether its religion is Muslim.
    pub muslim: bool,
}

/// A leader.
#[derive(Clone, Debug)]
pub struct LeaderData {
    pub id: String,
    pub name: String,
    pub power: Power,
    pub strategy: u8,
    pub battle: u8,
    pub command: u8,
    pub ma: u8,
    scenarios: Vec<String>,
}

/// A kind of unit.
#[derive(Clone, Debug)]
pub struct KindData {
    pub id: String,
    pub power: Power,
    pub cs: u8,
    pub reduced_cs: u8,
    pub ma: u8,
    pub cavalry: bool,
    pub dot: bool,
    pub count: u8,
    /// How it is called: `Templar 3-4`.
    pub name: String,
}

/// What a castle is worth \[17\].
#[derive(Clone, Copy, Debug)]
pub struct CastleData {
    pub cs_full: u8,
    pub cs_low: u8,
    pub man_full: u8,
    pub man_low: u8,
    pub capacity: u8,
    pub blockade: u8,
}

/// A table of results: columns by strength or value, rows by modified die.
#[derive(Clone, Debug)]
pub struct Chart {
    first: i8,
    columns: Vec<(u8, Vec<u8>)>,
}

impl Chart {
    /// The number of the column of a value, from 0; none below the first.
    #[inline]
    pub fn column(&self, value: i16) -> Option<usize> {
        self.columns.iter().rposition(|(min, _)| value >= i16::from(*min))
    }

    /// What a column says for a modified die.
    #[inline]
    pub fn steps(&self, column: usize, die: i8) -> u8 {
        let rows = &self.columns[column.min(self.columns.len() - 1)].1;
        let row = (i16::from(die) - i16::from(self.first)).clamp(0, rows.len() as i16 - 1);
        rows[row as usize]
    }

    /// What the table says for a value and a modified die; nothing below its first column.
    #[inline]
    pub fn result(&self, value: i16, die: i8) -> u8 {
        self.column(value).map_or(0, |column| self.steps(column, die))
    }
}

/// Everything that is printed.
#[derive(Clone, Debug)]
pub struct Components {
    pub spaces: Vec<SpaceData>,
    pub provinces: Vec<ProvinceData>,
    pub powers: Vec<PowerData>,
    pub leaders: Vec<LeaderData>,
    pub kinds: Vec<KindData>,
    pub cards: Vec<CardData>,
    pub sieges: Vec<SiegeData>,
    pub lists: Vec<Vec<Op>>,
    pub castle: CastleData,
    pub crt: Chart,
    pub pursuit: Chart,
    pub attrition: Chart,
    pub plots: Vec<Plot>,
    /// Powers that share one orientation [9.1.1], the first of which has the marker.
    pub shared: Powers,
    /// The Crusaders.
    pub crusaders: Powers,
    /// Templars and Hospitallers: those whose demobilisation is optional.
    pub orders: Powers,
    /// The Power whose leaders outrank other Catholics [10.3].
    pub kingdom: Powers,
    /// Byzantium, which Asia Minor does not hurt.
    pub byzantium: Powers,
    /// Neighbours of each space, by any way.
    pub near: Map<Space, Spaces>,
    /// Movement points from each space to each other by land, whoever stands between; more than any march if there is
    /// no way.
    pub far: Vec<[u8; 128]>,
    /// The size of the board.
    pub board: (i32, i32),
}

impl Components {
    pub(crate) fn read(files: &DataFiles) -> Result<Self, DataError> {
        let mut c = Self {
            spaces: Vec::new(),
            provinces: Vec::new(),
            powers: Vec::new(),
            leaders: Vec::new(),
            kinds: Vec::new(),
            cards: Vec::new(),
            sieges: Vec::new(),
            lists: vec![Vec::new()],
            castle: CastleData { cs_full: 3, cs_low: 2, man_full: 2, man_low: 1, capacity: 3, blockade: 1 },
            crt: Chart { first: 0, columns: Vec::new() },
            pursuit: Chart { first: 0, columns: Vec::new() },
            attrition: Chart { first: 0, columns: Vec::new() },
            plots: Vec::new(),
            shared: Set::NONE,
            crusaders: Set::NONE,
            orders: Set::NONE,
            kingdom: Set::NONE,
            byzantium: Set::NONE,
            near: Map::filled(Set::NONE),
            far: Vec::new(),
            board: (0, 0),
        };
        c.read_map(&sheet::parse("map.toml", files.text("map.toml"))?)?;
        c.read_forces(&sheet::parse("forces.toml", files.text("forces.toml"))?)?;
        c.read_tables(&sheet::parse("tables.toml", files.text("tables.toml"))?)?;
        cards::read(&mut c, &sheet::parse("cards.toml", files.text("cards.toml"))?)?;
        scenarios::read(&mut c, &sheet::parse("scenarios.toml", files.text("scenarios.toml"))?)?;
        Ok(c)
    }

    fn read_map(&mut self, root: &Node) -> Result<(), DataError> {
        let mut fields = root.sourced()?;
        let provinces = fields.records("province")?;
        for node in provinces {
            let mut f = node.sourced()?;
            let id = f.required("id")?;
            let taken = self.provinces.iter().any(|p| Ok(p.id.as_str()) == id.text());
            self.provinces.push(ProvinceData {
                id: id.new_name(NAMES, taken)?,
                name: f.required("name")?.text()?.to_string(),
                capitals: Set::NONE,
                spaces: Set::NONE,
            });
            f.optional("capitals");
            f.finish()?;
        }
        if self.provinces.len() != Province::COUNT {
            let (found, expected) = (self.provinces.len(), Province::COUNT);
            return Err(root.wrong(format!("{found} provinces, expected {expected} [2.2]")));
        }
        for node in fields.records("space")? {
            let mut f = node.sourced()?;
            let (id, name) = self.new_place(f.required("id")?, f.required("name")?)?;
            let home = f.required("province")?;
            let province = self.provinces.iter().position(|p| Ok(p.id.as_str()) == home.text());
            let province = Province::at(province.ok_or_else(|| home.expected("a province"))?);
            let kind = |n: &Node| n.one_of(&[("city", true), ("castle-site", false), ("plain", false)]);
            let space = SpaceData {
                id,
                name,
                province: Some(province),
                is_box: false,
                by_sea: false,
                asia_minor: false,
                is_city: kind(f.required("kind")?)?,
                port: flag(f.optional("port"))?,
                red_sea: flag(f.optional("red_sea_port"))?,
                harsh: flag(f.optional("harsh"))?,
                nile: flag(f.optional("nile"))?,
                capital: false,
                ways: Vec::new(),
                lat: f.required("lat")?.decimal()?,
                lon: f.required("lon")?.decimal()?,
                xy: (0, 0),
                city: by_scenario(f.optional("kind_by_scenario"), kind)?,
                vp: f.optional("vp").map_or(Ok(0), |n| n.number_in(0..=9))? as u8,
                vps: by_scenario(f.optional("vp_by_scenario"), |n| Ok(n.number_in(0..=9)? as u8))?,
            };
            f.finish()?;
            if space.port && space.red_sea {
                return Err(node.wrong(format!("{} is a port of both seas, expected one of them", space.id)));
            }
            let this = self.next_space(node)?;
            self.provinces[province.number()].spaces.insert(this);
            self.spaces.push(space);
        }
        for node in fields.records("box")? {
            let mut f = node.sourced()?;
            let (id, name) = self.new_place(f.required("id")?, f.required("name")?)?;
            f.optional("entry");
            f.required("muster_limit")?.number_in(1..=9)?;
            let space = SpaceData {
                id,
                name,
                province: None,
                is_box: true,
                by_sea: flag(f.optional("by_sea"))?,
                asia_minor: flag(f.optional("asia_minor_attrition"))?,
                is_city: false,
                port: false,
                red_sea: false,
                harsh: false,
                nile: false,
                capital: false,
                ways: Vec::new(),
                lat: f.required("lat")?.decimal()?,
                lon: f.required("lon")?.decimal()?,
                xy: (0, 0),
                city: Vec::new(),
                vp: 0,
                vps: Vec::new(),
            };
            f.finish()?;
            self.next_space(node)?;
            self.spaces.push(space);
        }
        for (i, node) in provinces.iter().enumerate() {
            let mut f = node.fields()?;
            for n in f.required("capitals")?.list()? {
                let space = self.space_named(n)?;
                if self.spaces[space.number()].province != Some(Province::at(i)) {
                    return Err(n.expected("a capital that lies in its province"));
                }
                self.provinces[i].capitals.insert(space);
                self.spaces[space.number()].capital = true;
            }
        }
        self.read_edges(fields.records("edge")?)?;
        for node in fields.records("box")? {
            let mut f = node.fields()?;
            let mut listed = Set::NONE;
            for n in f.optional("entry").map_or(Ok(&[][..]), Node::list)? {
                listed.insert(self.space_named(n)?);
            }
            let this = self.space_named(f.required("id")?)?;
            let drawn: Spaces = self.spaces[this.number()].ways.iter().map(|way| way.to).collect();
            if listed != drawn {
                return Err(node.wrong("its entries are not its edges: expected the same spaces in both"));
            }
        }
        fields.finish()?;
        self.far = self.distances();
        let spot =
            |s: &SpaceData| levant::Spot { lat: s.lat, lon: s.lon, radius: if s.is_box { 60 } else { 26 } };
        let spots: Vec<_> = self.spaces.iter().map(spot).collect();
        let laid = levant::lay_out(WINDOW, 2600, &spots).map_err(|e| root.wrong(e.to_string()))?;
        for (s, xy) in self.spaces.iter_mut().zip(laid.places) {
            s.xy = xy;
        }
        self.board = laid.size;
        for i in 0..self.spaces.len() {
            self.near[Space::at(i)] = self.spaces[i].ways.iter().map(|way| way.to).collect();
        }
        Ok(())
    }

    /// Distances by land between all spaces.
    fn distances(&self) -> Vec<[u8; 128]> {
        let from = |start: usize| {
            let mut cost = [99_u8; 128];
            cost[start] = 0;
            for reached in 0..60 {
                for i in (0..self.spaces.len()).filter(|i| cost[*i] == reached).collect::<Vec<_>>() {
                    for way in self.spaces[i].ways.iter().filter(|way| !way.desert) {
                        let to = &mut cost[way.to.number()];
                        *to = (*to).min(reached + way.mp);
                    }
                }
            }
            cost
        };
        (0..self.spaces.len()).map(from).collect()
    }

    fn next_space(&self, node: &Node) -> Result<Space, DataError> {
        Space::try_at(self.spaces.len())
            .ok_or_else(|| node.wrong(format!("expected at most {} spaces", Space::COUNT)))
    }

    fn new_place(&self, id: &Node, name: &Node) -> Result<(String, String), DataError> {
        let taken = self.spaces.iter().any(|s| Ok(s.id.as_str()) == id.text());
        let twice = self.spaces.iter().any(|s| Ok(s.name.as_str()) == name.text());
        Ok((id.new_name(NAMES, taken)?, name.new_name(NAMES, twice)?))
    }

    fn read_edges(&mut self, nodes: &[Node]) -> Result<(), DataError> {
        let mut lines: Vec<(Space, Space)> = Vec::new();
        for node in nodes {
            let mut f = node.sourced()?;
            let (a, b) = (self.space_named(f.required("a")?)?, self.space_named(f.required("b")?)?);
            if a == b || lines.contains(&(a, b)) || lines.contains(&(b, a)) {
                return Err(node
                    .wrong("this edge occurs twice or is a loop: expected a line between two other spaces"));
            }
            let line = u8::try_from(lines.len()).map_err(|_| node.wrong("expected at most 255 edges"))?;
            lines.push((a, b));
            let pass = flag(f.optional("pass"))?;
            let mp = f.optional("mp").map_or(Ok(1), |n| n.number_in(1..=4))? as u8;
            if (mp > 1) != pass {
                return Err(
                    node.wrong(format!("it costs {mp}, expected 1, and more over a pass only [10.2]"))
                );
            }
            let special = f
                .optional("special")
                .map_or(Ok(None), |n| n.one_of(&[("box_entry", Some(false)), ("card_ov3", Some(true))]))?;
            let desert = special == Some(true);
            let one_way = flag(f.optional("one_way"))?;
            f.finish()?;
            if one_way != self.spaces[a.number()].is_box || self.spaces[b.number()].is_box {
                return Err(
                    node.wrong("roads lead both ways, and out of boxes one way: expected the box as `a`")
                );
            }
            self.spaces[a.number()].ways.push(Way { to: b, mp, pass, desert, line });
            if !one_way {
                self.spaces[b.number()].ways.push(Way { to: a, mp, pass, desert, line });
            }
        }
        Ok(())
    }

    fn read_forces(&mut self, root: &Node) -> Result<(), DataError> {
        let mut fields = root.sourced()?;
        fields.required("walled_city_markers")?.number()?;
        let mut f = fields.required("religions")?.fields()?;
        for religion in ["catholic", "orthodox", "sunni", "shiite", "pagan"] {
            f.required(religion)?.text()?;
        }
        f.finish()?;
        let mut f = fields.required("castle")?.sourced()?;
        let mut number =
            |key: &str| -> Result<u8, DataError> { Ok(f.required(key)?.number_in(0..=9)? as u8) };
        self.castle = CastleData {
            cs_full: number("cs_full")?,
            cs_low: number("cs_low")?,
            man_full: number("manpower_full")?,
            man_low: number("manpower_low")?,
            capacity: number("capacity")?,
            blockade: number("blockade_units")?,
        };
        f.finish()?;
        let limits = fields.required("castle_limits")?;
        for node in fields.records("power")? {
            let mut f = node.sourced()?;
            let id = f.required("id")?;
            let taken = self.powers.iter().any(|p| Ok(p.id.as_str()) == id.text());
            let id = id.new_name(NAMES, taken)?;
            let religion = f.required("religion")?.one_of(&[
                ("catholic", Religion::Catholic),
                ("orthodox", Religion::Orthodox),
                ("sunni", Religion::Sunni),
                ("shiite", Religion::Shiite),
                ("pagan", Religion::Pagan),
            ])?;
            let christian = matches!(religion, Religion::Catholic | Religion::Orthodox);
            let ma = f.required("leader_ma")?;
            if ma.number()? != if christian { 4 } else { 6 } {
                return Err(ma.expected(if christian { "4 [2.3]" } else { "6 [2.3]" }));
            }
            f.required("usual_side")?.one_of(&[("christian", ()), ("muslim", ()), ("neutral", ())])?;
            let counters = f.required("castle_counters")?.number_in(0..=40)? as u8;
            let limited = limits.texts()?.contains(&id);
            let power = PowerData {
                name: f.required("name")?.new_name(NAMES, false)?,
                religion,
                never_dissolved: flag(f.optional("never_dissolved"))?,
                castles: limited.then_some(counters),
                demob: f.optional("demobilize").map_or(Ok(Demob::Normal), |n| {
                    n.one_of(&[
                        ("normal", Demob::Normal),
                        ("optional", Demob::Optional),
                        ("never", Demob::Never),
                    ])
                })?,
                castle_rf: f.optional("castle_rf_bonus").map_or(Ok(0), |n| n.number_in(-3..=3))? as i8,
                castle_low_rf: f.optional("castle_low_rf").map_or(Ok(0), |n| n.number_in(-3..=3))? as i8,
                christian,
                muslim: matches!(religion, Religion::Sunni | Religion::Shiite),
                id,
            };
            f.finish()?;
            let this = Power::try_at(self.powers.len())
                .ok_or_else(|| node.wrong(format!("expected at most {} Powers", Power::COUNT)))?;
            match (power.id.as_str(), power.demob) {
                ("crusaders", _) => self.crusaders.insert(this),
                ("jerusalem", _) => self.kingdom.insert(this),
                ("byzantium", _) => self.byzantium.insert(this),
                (_, Demob::Optional) => self.orders.insert(this),
                _ => {}
            }
            self.powers.push(power);
        }
        for n in fields.required("shared_orientation")?.list()? {
            let power = self.power_named(n)?;
            self.shared.insert(power);
        }
        for n in limits.list()? {
            self.power_named(n)?;
        }
        for node in fields.records("leader")? {
            let leader = self.read_leader(node)?;
            Leader::try_at(self.leaders.len())
                .ok_or_else(|| node.wrong(format!("expected at most {} leaders", Leader::COUNT)))?;
            self.leaders.push(leader);
        }
        for node in fields.records("unit")? {
            let kind = self.read_kind(node)?;
            Kind::try_at(self.kinds.len())
                .ok_or_else(|| node.wrong(format!("expected at most {} kinds of units", Kind::COUNT)))?;
            self.kinds.push(kind);
        }
        fields.finish()
    }

    fn read_leader(&self, node: &Node) -> Result<LeaderData, DataError> {
        let mut f = node.sourced()?;
        let (id, name) = (f.required("id")?, f.required("name")?);
        let taken = self.leaders.iter().any(|l| Ok(l.id.as_str()) == id.text());
        let twice = self.leaders.iter().any(|l| Ok(l.name.as_str()) == name.text());
        let power = self.power_named(f.required("power")?)?;
        let command = f.required("command")?.number_in(1..=12)? as u8;
        let ma = f.required("ma")?;
        let expected = if self.powers[power.number()].christian { 4 } else { 6 };
        if ma.number()? != expected {
            return Err(ma.expected(&format!("{expected} [2.3]")));
        }
        if let Some(n) = f.optional("replaceable") {
            if n.flag()? != (command <= 3) {
                return Err(n.expected("true for a command rating of 3 or less, and false else [6.1]"));
            }
        } else if command <= 3 {
            return Err(node.wrong("`replaceable = true` is missing: his command rating is 3 or less [6.1]"));
        }
        let leader = LeaderData {
            id: id.new_name(NAMES, taken)?,
            name: name.text()?.to_string(),
            power,
            strategy: f.required("strategy")?.number_in(1..=3)? as u8,
            battle: f.required("battle")?.number_in(0..=4)? as u8,
            command,
            ma: expected as u8,
            scenarios: f.required("scenarios")?.texts()?,
        };
        f.finish()?;
        if twice {
            return Err(name.expected("a new name"));
        }
        Ok(leader)
    }

    fn read_kind(&self, node: &Node) -> Result<KindData, DataError> {
        let mut f = node.sourced()?;
        let id = f.required("id")?;
        let taken = self.kinds.iter().any(|k| Ok(k.id.as_str()) == id.text());
        let power = self.power_named(f.required("power")?)?;
        let (cs, ma) = (f.required("cs")?.number_in(1..=4)? as u8, f.required("ma")?.number_in(4..=6)? as u8);
        let cavalry = flag(f.optional("cavalry"))?;
        if cavalry != (ma == 6) || ma == 5 {
            return Err(node
                .wrong(format!("a movement allowance of {ma}: expected 6 for cavalry, 4 for others [2.3]")));
        }
        let data = &self.powers[power.number()];
        let dot = flag(f.optional("dot"))?;
        if dot != (cavalry && (cs >= 3 || data.christian && cs == 2)) {
            return Err(
                node.wrong("expected a dot on 3-6, on 4-6 and on Christian 2-6, and on no other [7.3]")
            );
        }
        f.required("steps")?.number_in(2..=2)?;
        f.required("reduced_ma")?.number_in(i64::from(ma)..=i64::from(ma))?;
        let kind = KindData {
            id: id.new_name(NAMES, taken)?,
            power,
            cs,
            reduced_cs: f.required("reduced_cs")?.number_in(1..=i64::from(cs))? as u8,
            ma,
            cavalry,
            dot,
            count: f.required("count")?.number_in(1..=40)? as u8,
            name: format!("{} {cs}-{ma}", adjective(&data.name)),
        };
        f.finish()?;
        if self.kinds.iter().any(|other| other.name == kind.name) {
            return Ok(KindData { name: format!("{} {cs}-{ma}", data.name), ..kind });
        }
        Ok(kind)
    }

    fn read_tables(&mut self, root: &Node) -> Result<(), DataError> {
        let mut fields = root.sourced()?;
        self.crt = read_chart(fields.required("crt")?)?;
        self.pursuit = read_chart(fields.required("pursuit")?)?;
        self.attrition = read_chart(fields.required("attrition")?)?;
        // The fates of leaders are printed in the rulebook itself, and are rules here [13.6].
        let mut f = fields.required("leader_loss")?.sourced()?;
        for key in ["rows", "modifiers", "escape_failed", "dice"] {
            f.optional(key);
        }
        f.finish()?;
        fields.finish()
    }

    /// The space of this id.
    pub(crate) fn space_named(&self, node: &Node) -> Result<Space, DataError> {
        let id = node.text()?;
        self.space_of(id).ok_or_else(|| node.expected("the id of a space or box"))
    }

    /// The space of this id or name.
    pub fn space_of(&self, id: &str) -> Option<Space> {
        let found = self.spaces.iter().position(|s| s.id == id || s.name == id);
        found.map(Space::at)
    }

    /// The Power of this id or name.
    pub fn power_of(&self, id: &str) -> Option<Power> {
        self.powers.iter().position(|p| p.id == id || p.name == id).map(Power::at)
    }

    /// The leader of this id or name.
    pub fn leader_of(&self, id: &str) -> Option<Leader> {
        self.leaders.iter().position(|l| l.id == id || l.name == id).map(Leader::at)
    }

    /// The kind of unit of this id or name.
    pub fn kind_of(&self, id: &str) -> Option<Kind> {
        self.kinds.iter().position(|k| k.id == id || k.name == id).map(Kind::at)
    }

    /// The card of this id or title.
    pub fn card_of(&self, id: &str) -> Option<Card> {
        self.cards.iter().position(|card| card.id == id || card.title == id).map(Card::at)
    }

    pub(crate) fn power_named(&self, node: &Node) -> Result<Power, DataError> {
        self.power_of(node.text()?).ok_or_else(|| node.expected("the id of a Power"))
    }

    pub(crate) fn leader_named(&self, node: &Node) -> Result<Leader, DataError> {
        self.leader_of(node.text()?).ok_or_else(|| node.expected("the id of a leader"))
    }

    pub(crate) fn kind_named(&self, node: &Node) -> Result<Kind, DataError> {
        self.kind_of(node.text()?).ok_or_else(|| node.expected("the id of a kind of unit"))
    }

    pub(crate) fn card_named(&self, node: &Node) -> Result<Card, DataError> {
        self.card_of(node.text()?).ok_or_else(|| node.expected("the number of a card"))
    }

    /// A group of Powers by its name.
    pub(crate) fn group(&self, name: &str) -> Option<Powers> {
        let of = |holds: &dyn Fn(&PowerData) -> bool| {
            self.powers.iter().enumerate().filter(|(_, p)| holds(p)).map(|(i, _)| Power::at(i)).collect()
        };
        Some(match name {
            "catholic" => of(&|p| p.religion == Religion::Catholic),
            "orthodox" => of(&|p| p.religion == Religion::Orthodox),
            "sunni" => of(&|p| p.religion == Religion::Sunni),
            "shiite" => of(&|p| p.religion == Religion::Shiite),
            "pagan" => of(&|p| p.religion == Religion::Pagan),
            "christian" => of(&|p| p.christian),
            "muslim" => of(&|p| p.muslim),
            "orders" => self.orders,
            _ => return None,
        })
    }

    /// What is printed of a space.
    #[inline]
    pub fn space(&self, space: Space) -> &SpaceData {
        &self.spaces[space.number()]
    }
    /// What is printed of a Power.
    #[inline]
    pub fn power(&self, power: Power) -> &PowerData {
        &self.powers[power.number()]
    }
    /// What is printed of a leader.
    #[inline]
    pub fn leader(&self, leader: Leader) -> &LeaderData {
        &self.leaders[leader.number()]
    }
    /// What is printed of a kind of unit.
    #[inline]
    pub fn kind(&self, kind: Kind) -> &KindData {
        &self.kinds[kind.number()]
    }
    /// What is printed of a card.
    #[inline]
    pub fn card(&self, card: Card) -> &CardData {
        &self.cards[card.number()]
    }
    /// A list of operations.
    #[inline]
    pub fn list(&self, list: List) -> &[Op] {
        &self.lists[usize::from(list.0)]
    }
    /// All spaces and boxes.
    #[inline]
    pub fn all_spaces(&self) -> impl DoubleEndedIterator<Item = Space> + Clone + use<> {
        (0..self.spaces.len()).map(Space::at)
    }
    /// All Powers.
    #[inline]
    pub fn all_powers(&self) -> impl DoubleEndedIterator<Item = Power> + Clone + use<> {
        (0..self.powers.len()).map(Power::at)
    }
    /// The way from one space to a neighbour.
    #[inline]
    pub fn way(&self, from: Space, to: Space) -> Option<&Way> {
        self.space(from).ways.iter().find(|way| way.to == to)
    }
}

/// A Power's name before another word: `Templar`, `Kingdom of Jerusalem` as `Jerusalem`.
fn adjective(name: &str) -> String {
    let short = name.rsplit(" of ").next().unwrap_or(name);
    short
        .strip_suffix('s')
        .filter(|s| !s.ends_with('u') && *s != "Cypru" && *s != "Damascu")
        .unwrap_or(short)
        .to_string()
}

pub(crate) fn flag(node: Option<&Node>) -> Result<bool, DataError> {
    node.map_or(Ok(false), Node::flag)
}

/// Values by ranges of scenario letters, as in `A-D`.
fn by_scenario<T>(
    node: Option<&Node>,
    read: impl Fn(&Node) -> Result<T, DataError>,
) -> Result<Vec<(String, T)>, DataError> {
    let Some(node) = node else { return Ok(Vec::new()) };
    node.fields()?.all().iter().map(|n| Ok((n.name().to_string(), read(n)?))).collect()
}

/// Whether a range of letters, as in `B-J`, holds a scenario.
fn covers(range: &str, scenario: &str) -> bool {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    scenario.len() == 1 && (first..=last).contains(&scenario)
}

impl SpaceData {
    /// Whether it is a walled city in a scenario of this letter, or where Jerusalem is said to be one.
    pub(crate) fn city_in(&self, scenario: &str, jerusalem: bool) -> bool {
        if !self.city.is_empty() && scenario.len() > 1 {
            return jerusalem;
        }
        self.city.iter().find(|(range, _)| covers(range, scenario)).map_or(self.is_city, |(_, city)| *city)
    }

    /// Whether it is a walled city in some scenarios and not in others.
    pub(crate) fn varies(&self) -> bool {
        !self.city.is_empty()
    }

    /// Its victory points in a scenario.
    pub(crate) fn vp_in(&self, scenario: &str) -> u8 {
        self.vps.iter().find(|(range, _)| covers(range, scenario)).map_or(self.vp, |(_, vp)| *vp)
    }
}

fn read_chart(node: &Node) -> Result<Chart, DataError> {
    let mut f = node.sourced()?;
    let dice = f.required("dice")?.list()?;
    let numbers = dice.iter().map(|n| n.number_in(-9..=20)).collect::<Result<Vec<_>, _>>()?;
    if numbers.is_empty() || numbers.windows(2).any(|pair| pair[0] + 1 != pair[1]) {
        return Err(node.wrong("`dice` must count up by one"));
    }
    let mut columns: Vec<(u8, Vec<u8>)> = Vec::new();
    let mut next = Some(1);
    for n in f.records("column")? {
        let mut g = n.sourced()?;
        g.optional("fixed");
        let min = g.required("min")?.number_in(1..=99)?;
        let max = g.optional("max").map(|m| m.number_in(min..=99)).transpose()?;
        if next != Some(min) {
            return Err(n.wrong(format!("this column begins at {min}, expected {next:?}")));
        }
        next = max.map(|max| max + 1);
        let list = g.required("steps")?;
        let steps =
            list.list()?.iter().map(|s| Ok(s.number_in(0..=99)? as u8)).collect::<Result<Vec<_>, _>>()?;
        g.finish()?;
        if steps.len() != numbers.len() {
            return Err(list.wrong(format!(
                "{} figures, expected one for each of {} dice",
                steps.len(),
                numbers.len()
            )));
        }
        if steps.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(list.wrong("this column falls with the die, expected figures that never fall"));
        }
        if columns.last().is_some_and(|(_, before)| before.iter().zip(&steps).any(|(a, b)| a > b)) {
            return Err(
                list.wrong("this column is kinder than the one before, expected figures that never fall")
            );
        }
        columns.push((min as u8, steps));
    }
    f.finish()?;
    if columns.is_empty() || next.is_some() {
        return Err(node.wrong("the last column must have no upper end"));
    }
    Ok(Chart { first: numbers[0] as i8, columns })
}

/// Which units there are in a scenario, by their numbers.
#[derive(Clone, Debug)]
pub struct Roster {
    /// The kind of each unit.
    pub kinds: Vec<Kind>,
    /// The units of each kind.
    pub of_kind: Map<Kind, Units>,
    /// The units of each Power.
    pub of_power: Map<Power, Units>,
    /// The kinds of each Power.
    pub kinds_of: Map<Power, Set<Kind>>,
    /// Cavalry.
    pub cavalry: Units,
    /// Units with a dot.
    pub dotted: Units,
    /// Combat strength of each, full and reduced.
    pub strength: Map<Unit, [u8; 2]>,
}

impl Roster {
    pub(crate) fn new(c: &Components, present: Powers) -> Self {
        let mut kinds = Vec::new();
        for (i, kind) in c.kinds.iter().enumerate() {
            if present.has(kind.power) {
                kinds.extend((0..kind.count).map(|_| Kind::at(i)));
            }
        }
        let units = || {
            kinds.iter().enumerate().filter_map(|(i, kind)| Some((Unit::try_at(i)?, c.kind(*kind), *kind)))
        };
        let such = |holds: &dyn Fn(&KindData) -> bool| {
            units().filter(|(_, k, _)| holds(k)).map(|(u, ..)| u).collect()
        };
        let strength: Vec<_> = units().map(|(_, k, _)| [k.cs, k.reduced_cs]).collect();
        Self {
            of_kind: Map::new(|kind| units().filter(|(.., k)| *k == kind).map(|(u, ..)| u).collect()),
            of_power: Map::new(|power| such(&|k| k.power == power)),
            kinds_of: Map::new(|power| {
                (0..c.kinds.len()).map(Kind::at).filter(|k| c.kind(*k).power == power).collect()
            }),
            cavalry: such(&|k| k.cavalry),
            dotted: such(&|k| k.dot),
            strength: fill(&strength, [0, 0]),
            kinds,
        }
    }
}

/// The cards of a deck.
pub(crate) fn deck(c: &Components, of: impl Fn(&CardData) -> bool) -> Cards {
    c.cards.iter().enumerate().filter(|(_, card)| of(card)).map(|(i, _)| Card::at(i)).collect()
}
