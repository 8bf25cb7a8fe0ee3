//! The map and the figures of the campaign, read once and checked: what does not fit is told with its file, its line,
//! what was found and what was expected.

use table::hex::Direction;
use table::sheet::{self, DataError, Fields, Node};
use table::{DataFiles, MOST_SEATS};

use crate::data::{Components, SIDES};
use crate::ids::{Counter, Side};
use crate::realm::{BUILT, COLUMNS, Hull, LadyId, MapHex, PLACES, PlaceId, ROWS, Title};

/// No campaign has more turns: the chronicle ends with this one.
pub const LAST_TURN: u8 = 240;

const MAP: &str = "strategic-map.toml";
const FIGURES: &str = "campaign.toml";

/// Ground of the strategic map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Soil {
    Sea,
    Lake,
    Land,
    Mountain,
    Desert,
}

const SIGNS: [(char, Soil); 5] =
    [('~', Soil::Sea), ('=', Soil::Lake), ('.', Soil::Land), ('^', Soil::Mountain), (':', Soil::Desert)];

/// A hex of the map.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    /// Its ground.
    pub soil: Soil,
    /// Whether a river runs through it.
    pub river: bool,
    /// Whether it is under water when the banks of the Nile are broken (S43).
    pub floods: bool,
    /// Whether caravans pass through it.
    pub camel: bool,
    /// In which directions roads leave it, a bit each.
    pub roads: u8,
    /// The stronghold on it.
    pub place: Option<PlaceId>,
    /// The stronghold to whose domain it belongs \[S5\].
    pub domain: Option<PlaceId>,
}

/// Kinds of strongholds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Border,
    Baronial,
    Medium,
    Important,
}

impl Kind {
    /// Their words, as the sheets have them.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("border castle", Self::Border),
        ("baronial castle", Self::Baronial),
        ("medium town", Self::Medium),
        ("important town", Self::Important),
    ];

    /// Its word.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// Whether it is a town.
    pub const fn is_town(self) -> bool {
        matches!(self, Self::Medium | Self::Important)
    }
}

/// A stronghold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceSheet {
    /// Its name.
    pub name: String,
    /// Where.
    pub hex: MapHex,
    /// What.
    pub kind: Kind,
    /// Whether it is a port.
    pub port: bool,
    /// Whether its sea lies off the map: no ship comes there.
    pub inland: bool,
    /// Its side; none where it is neutral.
    pub side: Option<Side>,
    /// Dinars every fifth turn, without caravans.
    pub revenue: u16,
    /// Fame for its guardian.
    pub fame: u8,
    /// Where its figures come from.
    pub source: String,
}

/// A lady.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lady {
    /// Her name.
    pub name: String,
    /// Her side.
    pub side: Side,
    /// The number on the die.
    pub die: u8,
    /// What charisma and fame times a die must reach.
    pub target: u16,
    /// Where she is courted.
    pub town: PlaceId,
    /// The title that she brings.
    pub title: Title,
    /// The places that she brings.
    pub dowry: Vec<PlaceId>,
}

/// A scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct ScenarioSheet {
    pub id: String,
    pub name: String,
    pub text: String,
    pub minutes: u16,
    /// The southernmost and the northernmost row.
    pub rows: (usize, usize),
    /// The westernmost place of a row.
    pub west: usize,
    pub turns: u8,
    /// Whether these turns are a limit that players agreed upon, or only the end of the chronicle.
    pub limited: bool,
    pub seats: Vec<u8>,
    /// Whether groups are ready-made.
    pub ready: bool,
    /// Whether lords begin with more points and with places of one region [scenario.7].
    pub rich: bool,
    pub goal: Goal,
}

/// What wins before the last turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Fame of the lord himself, and revenue [scenario.7].
    Riches(u8, u16),
    /// Every town of the map [scenario.6].
    Towns,
}

/// Points and costs of creation [3.14].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Creation {
    pub lord: u16,
    /// Points for companions: the usual ones, and those of the rich start.
    pub companions: [u16; 2],
    pub revenue: u16,
    pub hexes: u32,
    pub vassal: u16,
    pub lord_purse: u16,
    pub vassal_purse: u16,
    pub fame: u8,
    /// By [`crate::realm::Trait`].
    pub costs: [u16; 5],
}

/// What negotiations must reach [3.41, 3.42].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SuitSheet {
    /// For an alliance: with one's own side, with the other.
    pub alliance: [u32; 2],
    /// For allegiance.
    pub allegiance: [u32; 2],
    /// Troop points of an ally inside that make a change impossible.
    pub guard: u16,
}

/// A result of battering \[S26\].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Blow {
    /// Whether the wall is damaged.
    pub damage: bool,
    /// How many of the crew are hurt.
    pub crew: u8,
}

/// A way up for minor characters [3.62].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advance {
    /// From which type.
    pub from: usize,
    /// To which types.
    pub to: Vec<usize>,
    /// Experience that it asks for.
    pub experience: u8,
}

/// The map and the figures.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Atlas {
    tiles: Vec<Tile>,
    land: Vec<MapHex>,
    /// Where caravans pass.
    pub camels: Vec<MapHex>,
    /// How many strongholds the map prints; behind them are those that can be built.
    pub printed: usize,
    pub castle_prices: [u16; 2],
    pub castle_turns: u8,
    /// Experience that regular infantry needs to become elite [3.62].
    pub elite: u8,
    pub places: Vec<PlaceSheet>,
    pub ladies: Vec<Lady>,
    pub scenarios: Vec<ScenarioSheet>,
    pub creation: Creation,
    pub suits: [SuitSheet; 4],
    pub stores: [u16; 4],
    pub advances: Vec<Advance>,
    pub battering: Vec<[Blow; 5]>,
    pub caravan: u16,
    pub every: u8,
    pub surtax: u16,
    /// Points of march: light horse alone, usual, slow.
    pub marches: [u8; 3],
    pub costs: MarchCosts,
    pub most_groups: usize,
    pub words: [u8; 4],
    pub men_by_class: [u8; 7],
    pub supply_line: u8,
    pub ration_days: u16,
    pub mule_carries: u16,
    pub cart_carries: u16,
    pub desert_from: u8,
    pub prices: Prices,
    pub besieger_bonus: u8,
    pub siege_days: u8,
    pub surrender: u8,
    pub breach: u8,
    /// Mangonel, trebuchet, ram.
    pub engine_points: [u8; 3],
    pub one_map: usize,
    pub four_maps: usize,
    /// Maps by ground: land, mountain, desert, river.
    pub boards: [[usize; 4]; 4],
    pub castle_map: usize,
    pub town_map: usize,
    pub camp_map: usize,
    /// Ships, by [`crate::realm::Hull`].
    pub hulls: [HullSheet; 2],
    /// The room that a rider, an animal, and a cart or an engine need aboard.
    pub rider_room: u16,
    pub animal_room: u16,
    pub engine_room: u16,
    pub ship_turns: u8,
    /// What a blockaded port yields: a medium town, and thirds of an important one.
    pub blockaded: (u16, u16),
    pub nile: NileSheet,
    /// The ransom of a wife, by her husband's title.
    pub wives: [u16; 4],
    /// Days of work: ladder or screen, mangonel, ram, trebuchet.
    pub engine_days: [u8; 4],
    /// Who builds engines.
    pub engineers: Vec<Counter>,
}

/// The banks of the Nile [scenario.10].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NileSheet {
    /// The town from which they are broken and mended.
    pub town: PlaceId,
    /// Towns that yield nothing after a flood.
    pub barren: Vec<PlaceId>,
    /// So many turns after it is announced the land is dry.
    pub mend: u8,
    /// Up to which number on a die a man drowns: without armour, and in it.
    pub drowns: [u8; 2],
}

/// A kind of ship \[S12\].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct HullSheet {
    pub speed: u8,
    pub room: u16,
    pub strength: u16,
    pub price: u16,
}

/// What a hex costs \[S2\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct MarchCosts {
    pub land: u8,
    pub road: u8,
    pub mountain: u8,
    pub mountain_road: u8,
    pub desert: u8,
    pub desert_road: u8,
    pub river: u8,
}

/// What things cost [3.75].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Prices {
    pub horse: u16,
    pub mule: u16,
    pub cart: u16,
    pub mail: u16,
    pub heavy: u16,
    pub rations: u16,
    pub ladder: u16,
    pub ram: u16,
    pub screen: u16,
    pub mangonel: u16,
    pub trebuchet: u16,
}

fn number(f: &mut Fields<'_>, key: &str, most: i64) -> Result<i64, DataError> {
    f.required(key)?.number_in(0..=most)
}

fn read_hex(node: &Node) -> Result<MapHex, DataError> {
    node.text()?.parse().map_err(|()| node.expected("a hex of the map such as `2108`"))
}

impl Atlas {
    /// Reads and checks the map and the figures.
    pub fn read(files: &DataFiles, data: &Components) -> Result<Self, DataError> {
        let map = sheet::parse(MAP, files.text(MAP))?;
        let (tiles, places, ladies) = read_map(&map)?;
        let root = sheet::parse(FIGURES, files.text(FIGURES))?;
        let mut f = root.sourced()?;
        let creation = {
            let mut g = f.required("creation")?.sourced()?;
            let mut n = |key| Ok::<u16, DataError>(number(&mut g, key, 2000)? as u16);
            let creation = Creation {
                lord: n("lord")?,
                companions: [n("companions")?, n("rich_companions")?],
                revenue: n("rich_revenue")?,
                hexes: n("rich_hexes")?.into(),
                vassal: n("vassal")?,
                lord_purse: n("lord_purse")?,
                vassal_purse: n("vassal_purse")?,
                fame: n("fame")? as u8,
                costs: [
                    n("experience_cost")?,
                    n("charisma_cost")?,
                    n("diplomacy_cost")?,
                    n("command_cost")?,
                    n("honour_cost")?,
                ],
            };
            g.finish()?;
            creation
        };
        let mut g = f.required("revenue")?.sourced()?;
        let castles = [number(&mut g, "border_castle", 1000)?, number(&mut g, "baronial_castle", 1000)?];
        let caravan = number(&mut g, "caravan", 1000)? as u16;
        let blockaded =
            (number(&mut g, "blockaded_medium", 1000)? as u16, number(&mut g, "blockaded_thirds", 3)? as u16);
        let every = g.required("every")?.number_in(1..=20)? as u8;
        let surtax = number(&mut g, "surtax_percent", 100)? as u16;
        g.finish()?;
        let mut places = places;
        for place in &mut places {
            match place.kind {
                Kind::Border => place.revenue = castles[0] as u16,
                Kind::Baronial => place.revenue = castles[1] as u16,
                _ => {}
            }
        }
        let mut suits = [SuitSheet { alliance: [0; 2], allegiance: [0; 2], guard: 0 }; 4];
        for (i, node) in f.records("suit")?.iter().enumerate() {
            let mut g = node.sourced()?;
            let kind = g.required("place")?.one_of(&Kind::WORDS)?;
            if kind as usize != i || i > 3 {
                return Err(node.expected("the four kinds of strongholds in their order"));
            }
            let pair = |node: &Node| -> Result<[u32; 2], DataError> {
                let [one, other] = node.list()? else { return Err(node.expected("two numbers")) };
                Ok([one.number_in(1..=20000)? as u32, other.number_in(1..=20000)? as u32])
            };
            suits[i] = SuitSheet {
                alliance: pair(g.required("alliance")?)?,
                allegiance: pair(g.required("allegiance")?)?,
                guard: number(&mut g, "guard", 500)? as u16,
            };
            g.finish()?;
        }
        let mut g = f.required("stores")?.sourced()?;
        let mut stores = [0; 4];
        for (i, (word, _)) in Kind::WORDS.iter().enumerate() {
            stores[i] = number(&mut g, &word.replace(' ', "_"), 5000)? as u16;
        }
        g.finish()?;
        let mut g = f.required("march")?.sourced()?;
        let mut n = |key| Ok::<u8, DataError>(g.required(key)?.number_in(1..=20)? as u8);
        let marches = [n("light")?, n("usual")?, n("slow")?];
        let costs = MarchCosts {
            land: n("land")?,
            road: n("road")?,
            mountain: n("mountain")?,
            mountain_road: n("mountain_road")?,
            desert: n("desert")?,
            desert_road: n("desert_road")?,
            river: n("river")?,
        };
        g.finish()?;
        let mut g = f.required("groups")?.sourced()?;
        let most_groups = g.required("most")?.number_in(1..=16)? as usize;
        let bytes = |node: &Node, count: usize| -> Result<Vec<u8>, DataError> {
            let all = node.list()?.iter().map(|n| n.number_in(0..=250).map(|n| n as u8));
            let all: Vec<u8> = all.collect::<Result<_, _>>()?;
            if all.len() == count { Ok(all) } else { Err(node.expected(&format!("{count} numbers"))) }
        };
        let words = bytes(g.required("words")?, 4)?;
        let by_class = bytes(g.required("men_by_class")?, 7)?;
        g.finish()?;
        let mut g = f.required("supply")?.sourced()?;
        let supply_line = number(&mut g, "line", 30)? as u8;
        let ration_days = number(&mut g, "ration_days", 30)? as u16;
        let mule_carries = number(&mut g, "mule_carries", 500)? as u16;
        let cart_carries = number(&mut g, "cart_carries", 500)? as u16;
        number(&mut g, "hungry_attack", 20)?;
        let desert_from = number(&mut g, "desert_from", 20)? as u8;
        g.finish()?;
        let mut g = f.required("prices")?.sourced()?;
        let mut n = |key| Ok::<u16, DataError>(number(&mut g, key, 1000)? as u16);
        let prices = Prices {
            horse: n("riding_horse")?,
            mule: n("mule")?,
            cart: n("cart")?,
            mail: n("mail")?,
            heavy: n("heavy_equipment")?,
            rations: n("rations_for_one")?,
            ladder: n("ladder")?,
            ram: n("ram")?,
            screen: n("screen")?,
            mangonel: n("mangonel")?,
            trebuchet: n("trebuchet")?,
        };
        let castle_prices =
            [number(&mut g, "border_castle", 5000)? as u16, number(&mut g, "baronial_castle", 5000)? as u16];
        let castle_turns = number(&mut g, "castle_turns", 50)? as u8;
        let elite = number(&mut g, "elite_experience", 50)? as u8;
        g.finish()?;
        let mut g = f.required("wives")?.sourced()?;
        let mut wives = [0; 4];
        for (i, word) in ["knight", "baron", "prince", "king"].iter().enumerate() {
            wives[i] = number(&mut g, word, 5000)? as u16;
        }
        g.finish()?;
        let mut g = f.required("ships")?.sourced()?;
        let mut hulls = [HullSheet::default(); 2];
        for (word, hull) in Hull::ALL {
            let node = g.required(word)?;
            let mut h = node.fields()?;
            hulls[hull as usize] = HullSheet {
                speed: h.required("speed")?.number_in(1..=30)? as u8,
                room: number(&mut h, "room", 500)? as u16,
                strength: number(&mut h, "strength", 50)? as u16,
                price: number(&mut h, "price", 1000)? as u16,
            };
            h.finish()?;
        }
        let rider_room = g.required("rider")?.number_in(1..=9)? as u16;
        let animal_room = g.required("animal")?.number_in(1..=9)? as u16;
        let engine_room = g.required("engine")?.number_in(1..=9)? as u16;
        let ship_turns = g.required("turns")?.number_in(1..=40)? as u8;
        g.finish()?;
        let mut g = f.required("nile")?.sourced()?;
        let town = |node: &Node| -> Result<PlaceId, DataError> {
            let found = places.iter().position(|p| node.text().is_ok_and(|name| name == p.name));
            found.and_then(PlaceId::try_at).ok_or_else(|| node.expected("a town of the map"))
        };
        let nile = NileSheet {
            town: town(g.required("town")?)?,
            barren: g.required("barren")?.list()?.iter().map(town).collect::<Result<_, _>>()?,
            mend: g.required("mend")?.number_in(1..=9)? as u8,
            drowns: [number(&mut g, "drowns", 6)? as u8, number(&mut g, "drowns_in_armour", 6)? as u8],
        };
        g.finish()?;
        let mut g = f.required("siege")?.sourced()?;
        let besieger_bonus = number(&mut g, "besieger", 20)? as u8;
        let siege_days = g.required("days")?.number_in(1..=9)? as u8;
        let surrender = number(&mut g, "surrender", 30)? as u8;
        let breach = number(&mut g, "breach", 20)? as u8;
        let engine_points = [
            number(&mut g, "mangonel", 9)? as u8,
            number(&mut g, "trebuchet", 9)? as u8,
            number(&mut g, "ram", 9)? as u8,
        ];
        let days = g.required("days_of_work")?;
        let engine_days = bytes(days, 4)?;
        if engine_days.contains(&0) {
            return Err(days.expected("a day at least for each engine"));
        }
        let engine_days = std::array::from_fn(|i| engine_days[i]);
        let engineers = (0..data.counters.len()).map(Counter::at);
        let engineers = engineers.filter(|c| data.kind(*c).name == "Engineer").collect();
        g.finish()?;
        let mut battering = Vec::new();
        for node in f.records("battering")? {
            let mut g = node.sourced()?;
            g.required("die")?.number_in(battering.len() as i64 + 1..=battering.len() as i64 + 1)?;
            let results = g.required("results")?;
            let read = |node: &Node| -> Result<Blow, DataError> {
                let text = node.text()?;
                let rest = text.strip_prefix('D').unwrap_or(text);
                let crew = match rest.strip_prefix('C') {
                    Some(count) => count.parse().map_err(|_| node.expected("`-`, `D`, `C2` or `DC2`"))?,
                    None if rest.is_empty() || rest == "-" => 0,
                    None => return Err(node.expected("`-`, `D`, `C2` or `DC2`")),
                };
                Ok(Blow { damage: text.starts_with('D'), crew })
            };
            let row = results.list()?.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            battering.push(row.try_into().map_err(|_| results.expected("five results"))?);
            g.finish()?;
        }
        if battering.len() != 10 {
            return Err(root.wrong(format!("expected ten rows of battering, found {}", battering.len())));
        }
        let mut g = f.required("boards")?.sourced()?;
        let one_map = number(&mut g, "one", 200)? as usize;
        let four_maps = number(&mut g, "four", 200)? as usize;
        let find = |node: &Node| -> Result<usize, DataError> {
            let id = node.text()?;
            let known = || data.maps.iter().map(|m| m.id.as_str()).collect::<Vec<_>>().join(", ");
            let found = data.maps.iter().position(|m| m.id == id);
            found.ok_or_else(|| node.expected(&format!("one of the maps {}", known())))
        };
        let mut boards = [[0; 4]; 4];
        for (i, key) in ["land", "mountain", "desert", "river"].iter().enumerate() {
            let node = g.required(key)?;
            let maps = node.list()?.iter().map(&find).collect::<Result<Vec<_>, _>>()?;
            boards[i] = maps.try_into().map_err(|_| node.expected("four maps"))?;
        }
        let (castle_map, town_map) = (find(g.required("castle")?)?, find(g.required("town")?)?);
        let camp_map = find(g.required("camp")?)?;
        g.finish()?;
        let kind = |node: &Node| -> Result<usize, DataError> {
            let name = node.text()?;
            let found = data.kinds.iter().position(|k| k.name == name);
            let known = || data.kinds.iter().map(|k| k.name.as_str()).collect::<Vec<_>>().join(", ");
            found.ok_or_else(|| node.expected(&format!("one of the types {}", known())))
        };
        let mut advances = Vec::new();
        for node in f.records("advance")? {
            let mut g = node.sourced()?;
            advances.push(Advance {
                from: kind(g.required("from")?)?,
                to: g.required("to")?.list()?.iter().map(kind).collect::<Result<_, _>>()?,
                experience: g.required("experience")?.number_in(1..=20)? as u8,
            });
            g.finish()?;
        }
        let mut scenarios = Vec::new();
        for node in f.records("scenario")? {
            let mut g = node.sourced()?;
            let row = |node: &Node| Ok::<usize, DataError>(node.number_in(1..=ROWS as i64)? as usize);
            scenarios.push(ScenarioSheet {
                id: g.required("id")?.text()?.to_string(),
                name: g.required("name")?.text()?.to_string(),
                text: g.required("text")?.text()?.to_string(),
                minutes: number(&mut g, "minutes", 2000)? as u16,
                rows: (row(g.required("south")?)?, row(g.required("north")?)?),
                west: g.required("west")?.number_in(1..=COLUMNS as i64)? as usize,
                turns: g.required("turns")?.number_in(1..=LAST_TURN.into())? as u8,
                limited: g.optional("limited").map_or(Ok(true), Node::flag)?,
                seats: {
                    let seats = g.required("seats")?;
                    let all = bytes(seats, seats.list()?.len())?;
                    if all.is_empty() || all.iter().any(|n| !(2..=MOST_SEATS as u8).contains(n)) {
                        return Err(seats.expected("numbers of lords from 2 to 8"));
                    }
                    all
                },
                ready: g.required("ready")?.flag()?,
                rich: g.required("rich")?.flag()?,
                goal: match g.optional("towns").map_or(Ok(false), Node::flag)? {
                    true => Goal::Towns,
                    false => Goal::Riches(
                        number(&mut g, "fame", 100)? as u8,
                        number(&mut g, "revenue", 9999)? as u16,
                    ),
                },
            });
            g.finish()?;
        }
        f.finish()?;
        let all =
            || (1..=ROWS).flat_map(|row| (1..=COLUMNS).filter_map(move |column| MapHex::new(row, column)));
        let land = all().filter(|hex| !matches!(tiles[hex.number()].soil, Soil::Sea | Soil::Lake)).collect();
        let camels = all().filter(|hex| tiles[hex.number()].camel).collect();
        // Castles that can be built stand behind those that the map prints.
        let printed = places.len();
        let hex = places[0].hex;
        for (n, kind) in
            [Kind::Border, Kind::Baronial].into_iter().flat_map(|kind| [kind; BUILT / 2]).enumerate()
        {
            let words = ["New", "Great"][n / (BUILT / 2)];
            places.push(PlaceSheet {
                name: format!("{words} Castle {}", ["I", "II", "III", "IV"][n % (BUILT / 2)]),
                hex,
                kind,
                port: false,
                inland: false,
                side: None,
                revenue: castles[usize::from(kind == Kind::Baronial)] as u16,
                fame: 0,
                source: "built in the game".into(),
            });
        }
        if places.len() > PLACES {
            return Err(map.wrong(format!("{printed} strongholds; expected at most {}", PLACES - BUILT)));
        }
        Ok(Self {
            tiles,
            land,
            camels,
            printed,
            castle_prices,
            castle_turns,
            elite,
            places,
            ladies,
            scenarios,
            creation,
            suits,
            stores,
            advances,
            battering,
            caravan,
            every,
            surtax,
            marches,
            costs,
            most_groups,
            words: [words[0], words[1], words[2], words[3]],
            men_by_class: std::array::from_fn(|i| by_class[i]),
            supply_line,
            ration_days,
            mule_carries,
            cart_carries,
            desert_from,
            prices,
            besieger_bonus,
            siege_days,
            surrender,
            breach,
            engine_points,
            one_map,
            four_maps,
            boards,
            castle_map,
            town_map,
            camp_map,
            hulls,
            rider_room,
            animal_room,
            engine_room,
            ship_turns,
            blockaded,
            nile,
            wives,
            engine_days,
            engineers,
        })
    }

    /// A hex.
    #[inline]
    pub fn tile(&self, hex: MapHex) -> &Tile {
        &self.tiles[hex.number()]
    }

    /// A stronghold.
    #[inline]
    pub fn place(&self, id: PlaceId) -> &PlaceSheet {
        &self.places[id.number()]
    }

    /// Every hex that is not water.
    pub fn land(&self) -> impl Iterator<Item = MapHex> + Clone + '_ {
        self.land.iter().copied()
    }

    /// A lady.
    #[inline]
    pub fn lady(&self, id: LadyId) -> &Lady {
        &self.ladies[id.number()]
    }

    /// The stronghold of a name.
    pub fn place_named(&self, name: &str) -> Option<PlaceId> {
        self.places.iter().position(|p| p.name == name || p.hex.to_string() == name).and_then(PlaceId::try_at)
    }

    /// What a hex is called: after its stronghold, or by its number.
    pub fn hex_name(&self, hex: MapHex) -> String {
        match self.tile(hex).place {
            Some(place) => self.place(place).name.clone(),
            None => hex.to_string(),
        }
    }

    /// What a step costs, if it can be made \[S2\].
    #[inline]
    pub fn step_cost(&self, from: MapHex, direction: Direction) -> Option<(MapHex, u8)> {
        let to = from.neighbour(direction)?;
        let road = self.tile(from).roads >> (direction as u8) & 1 == 1;
        let tile = self.tile(to);
        let c = &self.costs;
        let cost = match (tile.soil, road) {
            (Soil::Sea | Soil::Lake, _) => return None,
            (Soil::Land, true) => c.road,
            (Soil::Land, false) => c.land,
            (Soil::Mountain, true) => c.mountain_road,
            (Soil::Mountain, false) => c.mountain,
            (Soil::Desert, true) => c.desert_road,
            (Soil::Desert, false) => c.desert,
        };
        Some((to, cost + if tile.river && !road { c.river } else { 0 }))
    }

    /// The size of a group as a word, by number.
    #[inline]
    pub fn word(&self, men: usize) -> u8 {
        self.words.iter().rposition(|from| men >= usize::from(*from)).unwrap_or(0) as u8
    }

    /// The size of a group as people say it.
    pub const WORDS: [&'static str; 4] = ["a few men", "a troop", "a company", "a host"];

    /// Whether a hex is on the map of a scenario; Cyprus is not on that of the short campaign [scenario.7].
    #[inline]
    pub fn mapped(&self, scenario: usize, hex: MapHex) -> bool {
        let sheet = &self.scenarios[scenario];
        (sheet.rows.0..=sheet.rows.1).contains(&hex.row()) && hex.column() <= sheet.west
    }
}

type MapRead = (Vec<Tile>, Vec<PlaceSheet>, Vec<Lady>);

fn read_map(root: &Node) -> Result<MapRead, DataError> {
    let mut f = root.sourced()?;
    let blank = Tile {
        soil: Soil::Sea,
        river: false,
        floods: false,
        camel: false,
        roads: 0,
        place: None,
        domain: None,
    };
    let mut tiles = vec![blank; MapHex::COUNT];
    let rows = f.required("rows")?;
    if rows.list()?.len() != ROWS {
        return Err(rows.expected(&format!("{ROWS} rows")));
    }
    for (i, node) in rows.list()?.iter().enumerate() {
        let (row, text) = (i + 1, node.text()?);
        let columns = if row % 2 == 1 { COLUMNS - 1 } else { COLUMNS };
        if text.chars().count() != columns {
            return Err(node.expected(&format!("a row of {columns} signs, not {}", text.chars().count())));
        }
        for (place, sign) in text.chars().enumerate() {
            let soil = SIGNS.iter().find(|(s, _)| *s == sign).map(|(_, soil)| *soil);
            let hex = MapHex::new(row, columns - place);
            let soil = soil.ok_or_else(|| {
                let at = hex.map_or(String::new(), |h| h.to_string());
                node.wrong(format!("the sign `{sign}` of hex {at}; expected one of ~ = . ^ :"))
            })?;
            if let Some(hex) = hex {
                tiles[hex.number()].soil = soil;
            }
        }
    }
    let dry = |tiles: &[Tile], node: &Node, hex: MapHex| match tiles[hex.number()].soil {
        Soil::Sea | Soil::Lake => Err(node.wrong(format!("hex {hex} is water; expected land"))),
        _ => Ok(()),
    };
    for node in f.required("rivers")?.list()? {
        tiles[read_hex(node)?.number()].river = true;
    }
    for node in f.required("floods")?.list()? {
        let hex = read_hex(node)?;
        if !tiles[hex.number()].river {
            return Err(node.wrong(format!("no river runs through hex {hex}; expected one that can flood")));
        }
        tiles[hex.number()].floods = true;
    }
    for node in f.required("camels")?.list()? {
        let hex = read_hex(node)?;
        dry(&tiles, node, hex)?;
        tiles[hex.number()].camel = true;
    }
    for node in f.records("road")? {
        let mut g = node.sourced()?;
        g.required("name")?.text()?;
        let mut before: Option<MapHex> = None;
        for step in g.required("hexes")?.list()? {
            let hex = read_hex(step)?;
            dry(&tiles, step, hex)?;
            if let Some(from) = before {
                let way = Direction::ALL.into_iter().find(|d| from.neighbour(*d) == Some(hex));
                let way = way.ok_or_else(|| {
                    step.wrong(format!("the road goes from {from} to {hex}; expected a hex next to {from}"))
                })?;
                tiles[from.number()].roads |= 1 << (way as u8);
                tiles[hex.number()].roads |= 1 << (way.opposite() as u8);
            }
            before = Some(hex);
        }
        g.finish()?;
    }
    let mut found: Vec<PlaceSheet> = Vec::new();
    let sides = [("crusader", Some(Side::First)), ("saracen", Some(Side::Second)), ("neutral", None)];
    for (key, town) in [("town", true), ("castle", false)] {
        for node in f.records(key)? {
            let mut g = node.sourced()?;
            let name_node = g.required("name")?;
            let taken = found.iter().any(|p| name_node.text().is_ok_and(|n| n == p.name));
            let name = name_node.new_name(": ~ _", taken)?;
            let hex_node = g.required("hex")?;
            let hex = read_hex(hex_node)?;
            dry(&tiles, hex_node, hex)?;
            if let Some(other) = found.iter().find(|p| p.hex == hex) {
                return Err(hex_node.wrong(format!("{name} and {} both stand on {hex}", other.name)));
            }
            let side = g.required("side")?.one_of(&sides)?;
            let mut sheet = PlaceSheet {
                name,
                hex,
                kind: Kind::Border,
                port: false,
                inland: false,
                side,
                revenue: 0,
                fame: 0,
                source: g.required("source")?.text()?.to_string(),
            };
            if town {
                sheet.kind = g
                    .required("size")?
                    .one_of(&[("medium", Kind::Medium), ("important", Kind::Important)])?;
                sheet.port = g.optional("port").map_or(Ok(false), Node::flag)?;
                sheet.revenue = number(&mut g, "revenue", 1000)? as u16;
                sheet.fame = number(&mut g, "fame", 20)? as u8;
                let coast = Direction::ALL.into_iter().filter_map(|d| hex.neighbour(d));
                let sea = coast.clone().any(|n| tiles[n.number()].soil == Soil::Sea);
                // A port of a sea that the map does not show can neither send ships nor be blockaded.
                let elsewhere = g.optional("sea_off_map").map_or(Ok(false), Node::flag)?;
                if sheet.port && !sea && !elsewhere {
                    return Err(node.wrong(format!("the port {} on {hex} touches no sea", sheet.name)));
                }
                if elsewhere && (sea || !sheet.port) {
                    let wrong = format!("the sea of {} on {hex} is said to lie off the map", sheet.name);
                    return Err(node.wrong(wrong));
                }
                sheet.inland = elsewhere;
            } else {
                sheet.kind =
                    g.required("kind")?.one_of(&[("border", Kind::Border), ("baronial", Kind::Baronial)])?;
            }
            g.finish()?;
            found.push(sheet);
        }
    }
    if found.is_empty() || found.len() > PLACES {
        return Err(root.wrong(format!("expected 1 to {PLACES} strongholds, found {}", found.len())));
    }
    found.sort_by_key(|p| p.hex);
    for (i, place) in found.iter().enumerate() {
        tiles[place.hex.number()].place = PlaceId::try_at(i);
    }
    spread_domains(&mut tiles, &found);
    let mut ladies = Vec::new();
    for node in f.records("lady")? {
        let mut g = node.sourced()?;
        let place = |node: &Node| -> Result<PlaceId, DataError> {
            let name = node.text()?;
            let at = found.iter().position(|p| p.name == name || p.hex.to_string() == name);
            at.and_then(PlaceId::try_at)
                .ok_or_else(|| node.wrong(format!("the dowry `{name}` is no town and no hex of a castle")))
        };
        ladies.push(Lady {
            name: g.required("name")?.text()?.to_string(),
            side: g.required("side")?.one_of(&SIDES)?,
            die: g.required("die")?.number_in(1..=6)? as u8,
            target: number(&mut g, "target", 500)? as u16,
            town: place(g.required("town")?)?,
            title: g.required("title")?.one_of(&[
                ("Baron", Title::Baron),
                ("Duke", Title::Baron),
                ("Emir", Title::Baron),
                ("Prince", Title::Prince),
                ("King", Title::King),
            ])?,
            dowry: g.required("dowry")?.list()?.iter().map(place).collect::<Result<_, _>>()?,
        });
        g.finish()?;
    }
    if ladies.len() > 16 {
        return Err(root.wrong(format!("expected at most 16 ladies, found {}", ladies.len())));
    }
    f.finish()?;
    Ok((tiles, found, ladies))
}

/// Every hex that can be owned belongs to the nearest stronghold by land, of several the one with the lower
/// number \[S5\].
fn spread_domains(tiles: &mut [Tile], places: &[PlaceSheet]) {
    let mut front: Vec<(MapHex, PlaceId)> = Vec::new();
    for (i, place) in places.iter().enumerate() {
        tiles[place.hex.number()].domain = PlaceId::try_at(i);
        front.push((place.hex, PlaceId::at(i)));
    }
    while !front.is_empty() {
        let mut next: Vec<(MapHex, PlaceId)> = Vec::new();
        for (hex, place) in front {
            for to in Direction::ALL.into_iter().filter_map(|d| hex.neighbour(d)) {
                let tile = &tiles[to.number()];
                let owned = match tile.soil {
                    Soil::Sea | Soil::Lake => false,
                    Soil::Desert => tile.roads != 0,
                    _ => true,
                };
                if !owned || tile.domain.is_some() {
                    continue;
                }
                match next.iter_mut().find(|(h, _)| *h == to) {
                    Some((_, other)) => *other = (*other).min(place),
                    None => next.push((to, place)),
                }
            }
        }
        for (hex, place) in &next {
            tiles[hex.number()].domain = Some(*place);
        }
        front = next;
    }
}

/// The counters of a side that can be hired, major characters apart.
pub(crate) fn hired(data: &Components, side: Side) -> impl Iterator<Item = Counter> + Clone + '_ {
    (0..data.counters.len())
        .map(Counter::at)
        .filter(move |c| data.for_sale(*c, side) && data.kind(*c).class > crate::data::KNIGHT)
}

/// The knights or Royal Mamluks of a side.
pub(crate) fn knights(data: &Components, side: Side) -> impl Iterator<Item = Counter> + Clone + '_ {
    (0..data.counters.len())
        .map(Counter::at)
        .filter(move |c| data.for_sale(*c, side) && data.kind(*c).class == crate::data::KNIGHT)
}
