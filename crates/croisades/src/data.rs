//! The components: types, men, ground, maps, tables and skirmishes, read once and checked. Everything that the
//! sheets promise is looked after here, and what does not fit is told with its file, its line, what was found and
//! what was expected.

use table::hex::Direction;
use table::sheet::{self, DataError, Fields, Node};
use table::{DataFiles, Umpire};

use crate::ids::{Counter, Man, Side, Who};

/// Columns of one map.
pub const MAP_COLUMNS: usize = 24;
/// Rows of one map.
pub const MAP_ROWS: usize = 16;

/// The components.
#[derive(Clone, Debug)]
pub struct Components {
    /// The types of men.
    pub kinds: Vec<Kind>,
    /// The men.
    pub counters: Vec<Card>,
    /// What each kind of ground is, by [`Terrain`].
    pub grounds: Vec<Ground>,
    /// The maps.
    pub maps: Vec<MapSheet>,
    /// The tables.
    pub tables: Tables,
    /// What garrisons are.
    pub garrisons: Vec<Garrison>,
    /// The townspeople of each side, in the order in which a garrison calls them up \[T46\].
    pub townspeople: [Vec<Counter>; 2],
    /// The skirmishes.
    pub skirmishes: Vec<SkirmishSheet>,
    /// What a commander brings, by class: command and fame.
    pub commanders: Vec<(u8, u8, u8)>,
    /// What a lost man counts, in tenths of his cost.
    pub count: Count,
    /// What may be mustered.
    pub muster: MusterSheet,
}

/// A type of men.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// As the roll of arms calls it: `type:HC_SGT`.
    pub code: String,
    /// Which side has it; none where both do.
    pub side: Option<Side>,
    /// From 1, kings and sultans, to 6, who are no soldiers.
    pub class: u8,
    /// His morale.
    pub morale: u8,
    /// Whether he wears armour.
    pub armoured: bool,
    /// Half points that a point of attack and one of defence cost.
    pub price: (u16, u16),
    /// What he counts in an army.
    pub points: u8,
    /// Whether he fights at all: civilians do not \[T46\].
    pub armed: bool,
    /// What he shoots with.
    pub weapon: Option<Weapon>,
    /// Allowances in full health.
    pub foot: u8,
    /// The same on horseback, if he rides.
    pub mounted: Option<u8>,
    /// Where it comes from.
    pub source: String,
}

impl Kind {
    /// Whether men only rise to it, and nobody sells it [3.62].
    pub fn is_elite(&self) -> bool {
        self.name.ends_with(" elite infantry")
    }
}

/// A side of a counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Face {
    /// Attack strength.
    pub attack: u8,
    /// Defence strength.
    pub defence: u8,
    /// Movement allowance.
    pub movement: u8,
}

/// A counter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    /// The man's name.
    pub name: String,
    /// Which of the types he is.
    pub kind: usize,
    /// Mounted, and mounted and wounded, if he rides.
    pub mounted: Option<[Face; 2]>,
    /// On foot, and on foot and wounded.
    pub foot: [Face; 2],
    /// Life points in full health.
    pub life: u8,
    /// What he costs.
    pub cost: u16,
    /// The elite soldier that a man of regular infantry can become: the same man, stronger [3.62].
    pub elite: Option<Counter>,
    /// Where the figures come from.
    pub source: String,
}

/// A weapon that is shot or thrown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Weapon {
    /// A short bow.
    Shortbow,
    /// A longbow.
    Longbow,
    /// A crossbow.
    Crossbow,
    /// A sling.
    Sling,
    /// A javelin.
    Javelin,
    /// A dagger.
    Dagger,
    /// A ballista.
    Ballista,
}

impl Weapon {
    /// Their names in the sheets.
    pub const WORDS: [(&'static str, Self); 7] = [
        ("shortbow", Self::Shortbow),
        ("longbow", Self::Longbow),
        ("crossbow", Self::Crossbow),
        ("sling", Self::Sling),
        ("javelin", Self::Javelin),
        ("dagger", Self::Dagger),
        ("ballista", Self::Ballista),
    ];

    /// What it is called.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

/// What a weapon does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeaponSheet {
    /// Rows that it adds to the die.
    pub rows: u8,
    /// How far it reaches.
    pub range: u8,
    /// Whether it shoots once in a turn of both sides only.
    pub once: bool,
    /// Whether it shoots after its man has moved.
    pub after_moving: bool,
}

/// Cover from shots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Cover {
    /// None.
    #[default]
    None,
    /// Light.
    Light,
    /// Medium.
    Medium,
    /// Heavy.
    Heavy,
}

impl Cover {
    const WORDS: [(&'static str, Self); 4] =
        [("none", Self::None), ("light", Self::Light), ("medium", Self::Medium), ("heavy", Self::Heavy)];

    /// What it is called.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

macro_rules! terrain {
    ($($sign:literal $name:ident $word:literal)+) => {
        /// Kinds of ground.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Terrain { #[default] $($name),+ }

        impl Terrain {
            /// All of them, with their signs and names.
            pub const ALL: &'static [(char, &'static str, Self)] = &[$(($sign, $word, Self::$name)),+];
        }
    };
}

terrain! {
    '.' Clear "clear"
    '-' Track "track"
    'u' Scrub "scrub"
    'o' Olive "olive tree"
    'p' Palm "palm"
    'k' Rough "rough ground"
    'c' Cliff "cliff"
    's' Sand "soft sand"
    'n' Hillock "hillock"
    'w' Water "water"
    'f' Ford "ford"
    'x' LowWall "low wall"
    '#' Wall "wall"
    'd' Door "door"
    'v' Window "window"
    'i' Interior "interior"
    'B' Battlement "battlement"
    'S' Stairs "stairs"
    'G' Gate "gate"
    'M' Moat "moat"
    'm' FilledMoat "filled moat"
    'R' Rubble "rubble"
    'K' KeepInterior "keep interior"
    't' Tent "tent"
    'q' SiegeTower "siege tower"
    'T' WallTower "wall tower"
    'D' Drawbridge "drawbridge"
    'L' LadderTop "ladder top"
}

impl Terrain {
    /// The ground with a number, as a field stores it.
    #[inline]
    pub fn at(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).map_or(Self::Clear, |(_, _, terrain)| *terrain)
    }

    /// The ground of a sign.
    pub fn of_sign(sign: char) -> Option<Self> {
        Self::ALL.iter().find(|(s, _, _)| *s == sign).map(|(_, _, terrain)| *terrain)
    }

    /// What it is called.
    pub fn word(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Whether men are inside a building here.
    pub fn inside(self) -> bool {
        matches!(self, Self::Interior | Self::KeepInterior | Self::Door | Self::Window)
    }

    /// Whether men stand in water or in a moat here.
    pub fn wet(self) -> bool {
        matches!(self, Self::Water | Self::Ford | Self::Moat)
    }
}

/// What a kind of ground is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ground {
    /// Points for men on foot; none where it is closed to them.
    pub foot: Option<u8>,
    /// Points for riders.
    pub mounted: Option<u8>,
    /// Its cover.
    pub cover: Cover,
    /// Its cover from behind, where that differs.
    pub cover_behind: Option<Cover>,
    /// Better, even or worse to fight on; none where nobody fights.
    pub fighting: Option<i8>,
    /// Whether it blocks sight.
    pub blocks_sight: bool,
    /// 1 on the wall walk.
    pub level: u8,
    /// Whether it leads from one level to the other.
    pub joins: bool,
}

/// A map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapSheet {
    /// A short word.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it shows.
    pub text: String,
    /// Whether it is a walled place.
    pub walls: bool,
    /// Its ground, row by row from the north.
    pub hexes: Vec<[Terrain; MAP_COLUMNS]>,
    /// Where it comes from.
    pub source: String,
}

/// Dice that are added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dice {
    /// Dice of ten.
    pub tens: u8,
    /// Dice of six.
    pub sixes: u8,
    /// What is taken off the sum, which never falls below nought.
    pub less: u8,
}

impl Dice {
    /// Rolls them.
    pub fn roll(self, umpire: &mut (impl Umpire + ?Sized)) -> u8 {
        let tens: u8 = (0..self.tens).map(|_| umpire.roll(10)).sum();
        let sixes: u8 = (0..self.sixes).map(|_| umpire.roll(6)).sum();
        (tens + sixes).saturating_sub(self.less)
    }

    /// The most that they can show.
    pub const fn most(self) -> u8 {
        (self.tens * 10 + self.sixes * 6).saturating_sub(self.less)
    }

    /// Twice the mean of them, without what is taken off.
    pub const fn twice_mean(self) -> u32 {
        self.tens as u32 * 11 + self.sixes as u32 * 7
    }

    /// Reads `2D10+D6` or `D6-2`.
    pub fn read(text: &str) -> Option<Self> {
        let (dice, less) = match text.split_once('-') {
            Some((dice, less)) => (dice, less.parse().ok()?),
            None => (text, 0),
        };
        let mut found = Self { less, ..Self::default() };
        for part in dice.split('+') {
            let (count, sides) = part.split_once('D')?;
            let count: u8 = if count.is_empty() { 1 } else { count.parse().ok().filter(|n| *n <= 4)? };
            match sides {
                "10" => found.tens += count,
                "6" => found.sixes += count,
                _ => return None,
            }
        }
        Some(found)
    }
}

impl std::fmt::Display for Dice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let some = |count: u8, sides: &str| match count {
            0 => String::new(),
            1 => format!("D{sides}"),
            n => format!("{n}D{sides}"),
        };
        let (tens, sixes) = (some(self.tens, "10"), some(self.sixes, "6"));
        let plus = if tens.is_empty() || sixes.is_empty() { "" } else { "+" };
        write!(f, "{tens}{plus}{sixes}")?;
        if self.less > 0 { write!(f, "-{}", self.less) } else { Ok(()) }
    }
}

/// What a shot does [table.1, table.2].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shot {
    /// Nothing.
    Miss,
    /// He gives way, or loses movement.
    Driven,
    /// He is hit, and gives way as well.
    Hit(Dice),
}

/// The results of shots at men on foot or at riders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissileTable {
    /// The last row.
    pub last: u8,
    /// The results for each cover, row by row from 1.
    pub rows: [Vec<Shot>; 4],
    /// How far he retreats.
    pub retreat: u8,
    /// How much movement he loses.
    pub loss: u8,
}

/// Everything else in figures.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Tables {
    pub weapons: Vec<WeaponSheet>,
    /// Up to so many hexes, so much on the die.
    pub ranges: Vec<(u8, i8)>,
    pub at_riders: MissileTable,
    pub at_foot: MissileTable,
    pub armoured_target: i8,
    pub wounded_shooter: i8,
    pub friend_next_to_target: i8,
    pub lowest_die: u8,
    pub skill_at_kills: Vec<(u8, i8)>,
    pub turn_cost: u8,
    pub back_cost: u8,
    pub about_cost: u8,
    pub mount_cost: u8,
    pub dismount_cost: u8,
    pub challenge_foot: u8,
    pub challenge_mounted: u8,
    pub challenge_unarmoured: Dice,
    pub challenge_armoured: Dice,
    pub attack_unarmoured: Dice,
    pub attack_armoured: Dice,
    pub ground: u8,
    pub charge_hexes: u8,
    pub charge_ground: Vec<Terrain>,
    pub charge_halves: u16,
    pub dodge_less: u8,
    pub dodge_least: u8,
    pub dodge_experience: u16,
    pub blow_armoured: Dice,
    pub blow_unarmoured: Dice,
    pub fast_armoured: Dice,
    pub fast_unarmoured: Dice,
    pub slow_armoured: Dice,
    pub slow_unarmoured: Dice,
    pub rider_on_foot: u8,
    pub charge_on_rider: u8,
    pub charge_on_foot: u8,
    pub retreat_foot: u8,
    pub retreat_mounted: u8,
    pub blocked: Dice,
    pub advance_foot: u8,
    pub advance_mounted: u8,
    pub life_per_defence: u8,
    pub stunned_armoured: u8,
    pub stunned_unarmoured: u8,
    pub first_experience: u8,
    pub skill_for_experience: u8,
    pub horse_shot_caparisoned: u8,
    pub horse_shot_bare: u8,
    pub horse_blow: u16,
    pub horse_caparisoned: Dice,
    pub horse_bare: Dice,
    pub mercy_hexes: u8,
    /// Range by class; 0 where a class leads nobody.
    pub command_range: [u8; 7],
    pub panic: u8,
    pub panic_again: i8,
    pub morale: MoraleTable,
    pub field_turns: u8,
    pub assault_turns: u8,
    pub deploy_rows: u8,
    pub from_moat: u8,
    pub gate_damage: u8,
    pub ram_crew: u8,
    pub ram_move: u8,
    pub ram_hits_on: u8,
    pub axes: u8,
    pub axes_hit_on: u8,
    pub ladder_carriers: u8,
    pub ladder_carried: u8,
    pub ladder_raise: u8,
    pub ladder_climb: u8,
    pub ladder_tip_on: u8,
    pub ladder_foot: i8,
    pub tower_pushers: u8,
    pub tower_move: u8,
    pub tower_pass: u8,
    pub tower_holds: u8,
    pub fascines: u8,
    pub throw_cost: u8,
    pub screen_move: u8,
    pub screen_cover: Cover,
    pub ballista_crew: u8,
    pub ballista_turns: u8,
    pub oil_first_turn: u8,
    pub oil_men: u8,
    pub oil_a_turn: u8,
    pub lights_on: u8,
    pub torch_lights_on: u8,
    pub burns_turns: u8,
    pub drawbridge_raised: Dice,
    pub ladder_tipped: Dice,
    pub under_falling_man: Dice,
    pub rampart_destroyed: Dice,
    pub caught_in_fire: Dice,
    pub stunned_in_fire: Dice,
    pub boiling_oil: Dice,
}

/// What is added to a man's morale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct MoraleTable {
    pub odds_for: i8,
    pub odds_against: i8,
    pub commander: i8,
    pub noble: i8,
    pub nco: i8,
    pub wounded: i8,
    pub no_leader: i8,
    pub surrounded: i8,
    pub friends: i8,
    pub panic_near: i8,
    pub cover: i8,
}

/// What a garrison is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Garrison {
    /// Where.
    pub place: String,
    /// Its civilians.
    pub civilians: u8,
    /// Barrels of oil.
    pub oil: u8,
    /// Ballistas.
    pub ballistas: u8,
    /// Its men on each side.
    pub men: [Vec<Counter>; 2],
}

/// A skirmish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkirmishSheet {
    /// A short word.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is about.
    pub text: String,
    /// How long it takes.
    pub minutes: u16,
    /// Whether it is the guided one.
    pub guided: bool,
    /// Which map.
    pub map: usize,
    /// For an assault: who defends, the barrels of oil, and the besieger's engines.
    pub assault: Option<AssaultSheet>,
    /// The men of each side, the first of whom commands.
    pub men: [Vec<Counter>; 2],
    /// How many civilians the garrison has besides \[T46\].
    pub civilians: u8,
}

/// What an assault has besides men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AssaultSheet {
    /// Who defends.
    pub defender: Side,
    /// Barrels of oil.
    pub oil: u8,
    /// Ballistas of the defender.
    pub ballistas: u8,
    /// Ladders of the besieger.
    pub ladders: u8,
    /// His rams.
    pub rams: u8,
    /// His fascines.
    pub fascines: u8,
    /// His screens.
    pub screens: u8,
}

/// What a lost man counts, in tenths of his cost [ruling 50].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Count {
    pub killed: u32,
    pub captured: u32,
    pub fled: u32,
    pub refused_plea: u32,
    /// By how many tenths more one must be ahead.
    pub ahead: u32,
}

/// What may be mustered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MusterSheet {
    /// The sums to choose from.
    pub sums: Vec<u16>,
    /// The maps to choose from.
    pub maps: Vec<usize>,
}

/// The class of the lowest leaders, sergeants and their like.
pub const NCO: u8 = 4;
/// The class of the lowest major characters, knights and their like.
pub const KNIGHT: u8 = 3;

impl Components {
    pub(crate) fn read(files: &DataFiles) -> Result<Self, DataError> {
        let tables_root = sheet::parse("tables.toml", files.text("tables.toml"))?;
        let kinds = read_kinds(&sheet::parse("types.toml", files.text("types.toml"))?)?;
        let counters = read_counters(&sheet::parse("counters.toml", files.text("counters.toml"))?, &kinds)?;
        let grounds = read_grounds(&sheet::parse("terrain.toml", files.text("terrain.toml"))?)?;
        let maps = read_maps(&sheet::parse("maps.toml", files.text("maps.toml"))?)?;
        let (tables, garrisons, townspeople) = read_tables(&tables_root, &kinds, &counters)?;
        let mut components = Self {
            kinds,
            counters,
            grounds,
            maps,
            tables,
            garrisons,
            townspeople,
            skirmishes: Vec::new(),
            commanders: Vec::new(),
            count: Count { killed: 0, captured: 0, fled: 0, refused_plea: 0, ahead: 0 },
            muster: MusterSheet { sums: Vec::new(), maps: Vec::new() },
        };
        components.read_skirmishes(&sheet::parse("skirmishes.toml", files.text("skirmishes.toml"))?)?;
        Ok(components)
    }

    /// So many civilians of a side: its townspeople in turn, then their doubles [T46, 3.66].
    pub fn civilians(&self, side: Side, count: u8) -> impl Iterator<Item = Who> + '_ {
        let people = &self.townspeople[side.index()];
        (0..usize::from(count))
            .map(move |i| Who { counter: people[i % people.len()], double: (i / people.len()) as u8 })
    }

    /// The counter of a man.
    #[inline]
    pub fn card(&self, counter: Counter) -> &Card {
        &self.counters[counter.number()]
    }

    /// The type of a man.
    #[inline]
    pub fn kind(&self, counter: Counter) -> &Kind {
        &self.kinds[self.counters[counter.number()].kind]
    }

    /// What a kind of ground is.
    #[inline]
    pub fn ground(&self, terrain: Terrain) -> &Ground {
        &self.grounds[terrain as usize]
    }

    /// What a man is called.
    pub fn name(&self, who: Who) -> String {
        let name = &self.card(who.counter).name;
        match who.double {
            0 => name.clone(),
            double => format!("{name} {}", ROMAN[usize::from(double).min(ROMAN.len() - 1)]),
        }
    }

    /// The man of a name.
    pub fn who(&self, name: &str) -> Option<Who> {
        let find = |name: &str| self.counters.iter().position(|c| c.name == name).and_then(Counter::try_at);
        if let Some(counter) = find(name) {
            return Some(Who::first(counter));
        }
        let (first, double) = name.rsplit_once(' ')?;
        let double = ROMAN.iter().skip(1).position(|r| *r == double)? as u8 + 1;
        Some(Who { counter: find(first)?, double })
    }

    /// Whether a man can be bought for a side's muster [3.14]: of its side, no lady and no rarity.
    pub fn for_sale(&self, counter: Counter, side: Side) -> bool {
        let kind = self.kind(counter);
        kind.armed && !kind.is_elite() && kind.side.is_none_or(|own| own == side)
    }

    fn read_skirmishes(&mut self, root: &Node) -> Result<(), DataError> {
        let mut f = root.sourced()?;
        for node in f.records("commander")? {
            let mut g = node.sourced()?;
            self.commanders.push((byte(&mut g, "class")?, byte(&mut g, "command")?, byte(&mut g, "fame")?));
            g.finish()?;
        }
        let node = f.required("count")?;
        let mut g = node.sourced()?;
        let mut tenths = |key: &str| -> Result<u32, DataError> { Ok(byte(&mut g, key)?.into()) };
        self.count = Count {
            killed: tenths("killed")?,
            captured: tenths("captured")?,
            fled: tenths("fled")?,
            refused_plea: tenths("refused_plea")?,
            ahead: tenths("ahead")?,
        };
        g.finish()?;
        for node in f.records("skirmish")? {
            let skirmish = self.read_skirmish(node)?;
            self.skirmishes.push(skirmish);
        }
        let node = f.required("muster")?;
        let mut g = node.sourced()?;
        let mut number = |key: &str, range| g.required(key)?.number_in(range);
        let (lowest, highest) = (number("lowest", 20..=1000)?, number("highest", 20..=1000)?);
        let step = number("step", 5..=500)?;
        if lowest > highest || (highest - lowest) % step != 0 {
            return Err(node.wrong(format!("no steps of {step} lead from {lowest} to {highest}")));
        }
        self.muster.sums = (lowest..=highest).step_by(step as usize).map(|sum| sum as u16).collect();
        let maps = g.required("maps")?;
        for map in maps.list()? {
            self.muster.maps.push(self.find_map(map)?);
        }
        if self.muster.maps.is_empty() {
            return Err(maps.expected("at least one map"));
        }
        g.finish()?;
        f.finish()
    }

    fn find_map(&self, node: &Node) -> Result<usize, DataError> {
        let id = node.text()?;
        let known = || self.maps.iter().map(|m| m.id.as_str()).collect::<Vec<_>>().join(", ");
        let found = self.maps.iter().position(|m| m.id == id);
        found.ok_or_else(|| node.expected(&format!("one of the maps {}", known())))
    }

    fn read_skirmish(&self, node: &Node) -> Result<SkirmishSheet, DataError> {
        let mut f = node.sourced()?;
        let id = f.required("id")?;
        let taken = self.skirmishes.iter().any(|s| id.text().is_ok_and(|id| s.id == id));
        let id = id.new_name("_ .", taken)?;
        let (name, text) = (f.required("name")?.text()?.to_string(), f.required("text")?.text()?.to_string());
        let minutes = f.required("minutes")?.number_in(1..=1000)? as u16;
        let guided = f.optional("guided").map_or(Ok(false), Node::flag)?;
        let map_node = f.required("map")?;
        let map = self.find_map(map_node)?;
        let kind = f.required("kind")?.one_of(&[("field", false), ("assault", true)])?;
        let mut men = [Vec::new(), Vec::new()];
        let (mut assault, mut civilians) = (None, 0);
        if kind {
            if !self.maps[map].walls {
                return Err(map_node.expected("a map with walls, for an assault"));
            }
            let defender = f.required("defender")?.one_of(&SIDES)?;
            let garrison_node = f.required("garrison")?;
            let place = garrison_node.text()?;
            let garrison = self.garrisons.iter().find(|g| g.place == place);
            let garrison = garrison.ok_or_else(|| {
                let known = self.garrisons.iter().map(|g| g.place.as_str()).collect::<Vec<_>>().join(", ");
                garrison_node.expected(&format!("one of the garrisons {known}"))
            })?;
            men[defender.index()].clone_from(&garrison.men[defender.index()]);
            civilians = garrison.civilians;
            let mut g = f.required("engines")?.fields()?;
            assault = Some(AssaultSheet {
                defender,
                oil: garrison.oil,
                ballistas: garrison.ballistas,
                ladders: g.required("ladders")?.number_in(0..=8)? as u8,
                rams: g.required("rams")?.number_in(0..=4)? as u8,
                fascines: g.required("fascines")?.number_in(0..=60)? as u8,
                screens: g.required("screens")?.number_in(0..=8)? as u8,
            });
            g.finish()?;
        }
        for (word, side) in SIDES {
            let points = f.optional(&format!("{word}_points"));
            let Some(list) = f.optional(word) else {
                if men[side.index()].is_empty() {
                    return Err(node.wrong(format!("`{word}` is missing in {}", node.name())));
                }
                continue;
            };
            men[side.index()] = read_men(list, &self.kinds, &self.counters, Some(side), points)?;
        }
        for (word, side) in SIDES {
            let men = &men[side.index()];
            let class = men.first().map_or(6, |man| self.kind(*man).class);
            if !self.commanders.iter().any(|(c, _, _)| *c == class) {
                return Err(node.wrong(format!(
                    "the first man of `{word}` is of class {class}; expected a class that commands: {}",
                    self.commanders.iter().map(|(c, _, _)| c.to_string()).collect::<Vec<_>>().join(", ")
                )));
            }
        }
        let found = men[0].len() + men[1].len() + usize::from(civilians);
        if found > Man::COUNT {
            return Err(node.wrong(format!("expected at most {} men, found {found}", Man::COUNT)));
        }
        f.finish()?;
        Ok(SkirmishSheet { id, name, text, minutes, guided, map, assault, men, civilians })
    }
}

const ROMAN: [&str; 9] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];

/// The sides by the words of the sheets.
pub const SIDES: [(&str, Side); 2] = [("crusader", Side::First), ("saracen", Side::Second)];

fn byte(f: &mut Fields<'_>, key: &str) -> Result<u8, DataError> {
    Ok(f.required(key)?.number_in(0..=250)? as u8)
}

fn small(f: &mut Fields<'_>, key: &str) -> Result<i8, DataError> {
    Ok(f.required(key)?.number_in(-20..=20)? as i8)
}

fn dice(f: &mut Fields<'_>, key: &str) -> Result<Dice, DataError> {
    read_dice(f.required(key)?)
}

fn read_dice(node: &Node) -> Result<Dice, DataError> {
    Dice::read(node.text()?).ok_or_else(|| node.expected("dice such as `2D10+D6` or `D6-2`"))
}

fn weapon(node: &Node) -> Result<Weapon, DataError> {
    node.one_of(&Weapon::WORDS)
}

/// Class and morale of the types that the booklet's table of advancement fixes [3.62].
const LEVELS: [(&str, (u8, u8)); 19] = [
    ("Knight", (3, 10)),
    ("Royal Mamluk", (3, 10)),
    ("Mounted sergeant", (4, 9)),
    ("Foot sergeant", (4, 9)),
    ("Light Mamluk", (4, 9)),
    ("Turcopole", (5, 6)),
    ("Halberdier", (5, 7)),
    ("Billman", (5, 6)),
    ("Spearman", (5, 5)),
    ("Horse archer", (5, 4)),
    ("Seljuk heavy cavalry", (4, 7)),
    ("Syrian heavy cavalry", (4, 7)),
    ("Fatimid infantry", (5, 5)),
    ("Seljuk infantry", (5, 5)),
    ("Syrian infantry", (5, 5)),
    ("Fatimid elite infantry", (5, 6)),
    ("Seljuk elite infantry", (5, 6)),
    ("Syrian elite infantry", (5, 6)),
    ("Armed peasant", (6, 2)),
];

fn read_kinds(root: &Node) -> Result<Vec<Kind>, DataError> {
    let mut f = root.sourced()?;
    let mut prices: Vec<(String, (u16, u16))> = Vec::new();
    for node in f.records("price")? {
        let mut g = node.sourced()?;
        let kind = g.required("kind")?.text()?.to_string();
        let halves = (u16::from(byte(&mut g, "attack_halves")?), u16::from(byte(&mut g, "defence_halves")?));
        prices.push((kind, halves));
        g.finish()?;
    }
    let mut kinds: Vec<Kind> = Vec::new();
    for node in f.records("type")? {
        let mut g = node.sourced()?;
        let name = g.required("name")?;
        let taken = kinds.iter().any(|k| name.text().is_ok_and(|name| k.name == name));
        let name = name.new_name("_", taken)?;
        let short = g.optional("abbreviation").map(Node::text).transpose()?.unwrap_or(&name);
        let code = format!("type:{}", short.to_uppercase().replace(' ', "_"));
        let sides = [("crusader", Some(Side::First)), ("saracen", Some(Side::Second)), ("both", None)];
        let side = g.required("side")?.one_of(&sides)?;
        let class = g.required("class")?.number_in(1..=6)? as u8;
        let morale = g.required("morale")?.number_in(1..=20)? as u8;
        let armoured = g.required("armoured")?.flag()?;
        let price_node = g.required("price")?;
        let price_name = price_node.text()?;
        let price = prices.iter().find(|(kind, _)| kind == price_name).map(|(_, halves)| *halves);
        let price = price.ok_or_else(|| {
            let known = prices.iter().map(|(kind, _)| kind.as_str()).collect::<Vec<_>>().join(", ");
            price_node.expected(&format!("one of the prices {known}"))
        })?;
        let points_node = g.required("points")?;
        let points = points_node.number_in(0..=20)? as u8;
        let weapon = g.optional("weapon").map(weapon).transpose()?;
        let foot = g.required("foot")?.number_in(1..=20)? as u8;
        let mounted = g.optional("mounted").map(|n| n.number_in(1..=20)).transpose()?.map(|n| n as u8);
        // What he counts in an army follows from what he is [3.34].
        let due = match (class, armoured, mounted.is_some()) {
            (6, ..) => 0,
            (1..=KNIGHT, _, _) => 6,
            (_, true, true) => 4,
            (_, false, true) => 3,
            (_, true, false) => 2,
            (_, false, false) => 1,
        };
        if points != due {
            return Err(points_node.expected(&format!("{due}, by class, armour and horse")));
        }
        if let Some((_, level)) = LEVELS.iter().find(|(kind, _)| *kind == name)
            && *level != (class, morale)
        {
            return Err(node.wrong(format!(
                "the type {name} has class {class} and morale {morale}; expected {} and {} of the booklet's table",
                level.0, level.1
            )));
        }
        let source = g.required("source")?.text()?.to_string();
        g.finish()?;
        kinds.push(Kind {
            armed: name != "Civilian",
            name,
            code,
            side,
            class,
            morale,
            armoured,
            price,
            points,
            weapon,
            foot,
            mounted,
            source,
        });
    }
    f.finish()?;
    if kinds.is_empty() {
        return Err(root.wrong("expected at least one type of men, found none"));
    }
    Ok(kinds)
}

fn read_face(node: &Node) -> Result<Face, DataError> {
    let expected = || node.expected("`[attack, defence, movement]`, three numbers");
    let [attack, defence, movement] = node.list()? else { return Err(expected()) };
    let number = |n: &Node| n.number_in(0..=80).map(|n| n as u8);
    Ok(Face { attack: number(attack)?, defence: number(defence)?, movement: number(movement)? })
}

fn read_counters(root: &Node, kinds: &[Kind]) -> Result<Vec<Card>, DataError> {
    let mut f = root.sourced()?;
    let mut counters: Vec<Card> = Vec::new();
    for node in f.records("counter")? {
        let mut g = node.sourced()?;
        let name = g.required("name")?;
        let taken = counters.iter().any(|c| name.text().is_ok_and(|name| c.name == name));
        let name = name.new_name(", : ~ _", taken)?;
        let type_node = g.required("type")?;
        let type_name = type_node.text()?;
        let kind = kinds.iter().position(|k| k.name == type_name);
        let kind = kind.ok_or_else(|| {
            let known = kinds.iter().map(|k| k.name.as_str()).collect::<Vec<_>>().join(", ");
            type_node.expected(&format!("one of the types {known}"))
        })?;
        let foot = [read_face(g.required("foot")?)?, read_face(g.required("foot_wounded")?)?];
        let mounted = match (g.optional("mounted"), g.optional("mounted_wounded")) {
            (Some(whole), Some(wounded)) => Some([read_face(whole)?, read_face(wounded)?]),
            (None, None) => None,
            _ => {
                return Err(
                    node.wrong("expected `mounted` and `mounted_wounded` together, found one of them")
                );
            }
        };
        let of = &kinds[kind];
        if mounted.is_some() != of.mounted.is_some() {
            return Err(node.wrong(format!(
                "{name} {}, but his type {} {}",
                if mounted.is_some() { "rides" } else { "does not ride" },
                of.name,
                if of.mounted.is_some() { "rides" } else { "does not" }
            )));
        }
        let whole = mounted.map_or(foot[0], |faces| faces[0]);
        let life_node = g.required("life")?;
        let life = life_node.number_in(1..=250)? as u8;
        if u16::from(life) != 3 * u16::from(whole.defence) {
            let due = 3 * u16::from(whole.defence);
            return Err(life_node.expected(&format!("{due}, three times the defence of {}", whole.defence)));
        }
        let cost_node = g.required("cost")?;
        let cost = cost_node.number_in(0..=500)? as u16;
        let due = (u16::from(whole.attack) * of.price.0 + u16::from(whole.defence) * of.price.1) / 2;
        if cost != due {
            return Err(cost_node.expected(&format!("{due}, by the price of the type {}", of.name)));
        }
        if foot[0].movement != of.foot || mounted.is_some_and(|faces| Some(faces[0].movement) != of.mounted) {
            let found = mounted.map_or(foot[0].movement, |faces| faces[0].movement);
            return Err(node.wrong(format!(
                "{name} moves {} on foot and {found} at his best; expected {} and {}, as far as his type {}",
                foot[0].movement,
                of.foot,
                of.mounted.unwrap_or(of.foot),
                of.name
            )));
        }
        let weaker = |whole: Face, wounded: Face| {
            wounded.attack <= whole.attack
                && wounded.defence <= whole.defence
                && wounded.movement <= whole.movement
                && wounded.movement > 0
        };
        if !weaker(foot[0], foot[1]) || mounted.is_some_and(|faces| !weaker(faces[0], faces[1])) {
            return Err(node.wrong(format!("{name} is stronger wounded than in full health")));
        }
        let source = g.required("source")?.text()?.to_string();
        g.finish()?;
        counters.push(Card { name, kind, mounted, foot, life, cost, elite: None, source });
    }
    f.finish()?;
    for number in 0..counters.len() {
        if let Some(card) = elite(&counters[number], kinds) {
            counters[number].elite = Counter::try_at(counters.len());
            counters.push(card);
        }
    }
    if counters.is_empty() || counters.len() > Counter::COUNT {
        let found = counters.len();
        return Err(root.wrong(format!("expected 1 to {} counters, found {found}", Counter::COUNT)));
    }
    Ok(counters)
}

/// What regular infantry gains as elite in attack and defence; life follows defence [3.62].
const ELITE: u8 = 2;

/// A man of regular infantry as an elite soldier of his nation: the booklet keeps his counter [3.62].
fn elite(card: &Card, kinds: &[Kind]) -> Option<Card> {
    let nation =
        kinds[card.kind].name.strip_suffix(" infantry").filter(|nation| !nation.ends_with("elite"))?;
    let kind = kinds.iter().position(|k| k.name.strip_suffix(" elite infantry") == Some(nation))?;
    let stronger = |face: Face| Face { attack: face.attack + ELITE, defence: face.defence + ELITE, ..face };
    let (foot, price) = (card.foot.map(stronger), kinds[kind].price);
    Some(Card {
        name: format!("Elite {}", card.name),
        kind,
        mounted: None,
        foot,
        life: card.life + 3 * ELITE,
        cost: (u16::from(foot[0].attack) * price.0 + u16::from(foot[0].defence) * price.1) / 2,
        elite: None,
        source: card.source.clone(),
    })
}

fn read_grounds(root: &Node) -> Result<Vec<Ground>, DataError> {
    let mut f = root.sourced()?;
    let mut grounds = vec![None; Terrain::ALL.len()];
    for node in f.records("terrain")? {
        let mut g = node.sourced()?;
        let sign_node = g.required("sign")?;
        let sign = sign_node.text()?;
        let mut signs = sign.chars();
        let terrain = signs.next().filter(|_| signs.next().is_none()).and_then(Terrain::of_sign);
        let terrain = terrain.ok_or_else(|| {
            let known: String = Terrain::ALL.iter().map(|(sign, _, _)| *sign).collect();
            sign_node.expected(&format!("one of the signs {known}"))
        })?;
        g.required("name")?.text()?;
        let cost = |node: Option<&Node>| node.map(|n| n.number_in(1..=9).map(|n| n as u8)).transpose();
        let ground = Ground {
            foot: cost(g.optional("foot"))?,
            mounted: cost(g.optional("mounted"))?,
            cover: g.required("cover")?.one_of(&Cover::WORDS)?,
            cover_behind: g.optional("cover_behind").map(|n| n.one_of(&Cover::WORDS)).transpose()?,
            fighting: g.required("ground")?.one_of(&[
                ("better", Some(1)),
                ("even", Some(0)),
                ("worse", Some(-1)),
                ("closed", None),
            ])?,
            blocks_sight: g.required("blocks_sight")?.flag()?,
            level: g.optional("level").map_or(Ok(0), |n| n.number_in(0..=1))? as u8,
            joins: g.optional("joins").map_or(Ok(false), Node::flag)?,
        };
        g.finish()?;
        if grounds[terrain as usize].replace(ground).is_some() {
            return Err(sign_node.wrong(format!("the sign {sign} stands here a second time")));
        }
    }
    f.finish()?;
    let missing = grounds.iter().position(Option::is_none).map(|i| Terrain::ALL[i].0);
    if let Some(sign) = missing {
        return Err(root.wrong(format!("expected all signs, found none of {sign}")));
    }
    Ok(grounds.into_iter().flatten().collect())
}

fn read_maps(root: &Node) -> Result<Vec<MapSheet>, DataError> {
    let mut f = root.sourced()?;
    f.required("columns")?.number_in(MAP_COLUMNS as i64..=MAP_COLUMNS as i64)?;
    f.required("rows")?.number_in(MAP_ROWS as i64..=MAP_ROWS as i64)?;
    let mut maps: Vec<MapSheet> = Vec::new();
    for node in f.records("map")? {
        let mut g = node.sourced()?;
        let id = g.required("id")?;
        let taken = maps.iter().any(|m| id.text().is_ok_and(|id| m.id == id));
        let id = id.new_name("_ .", taken)?;
        let name = g.required("name")?.text()?.to_string();
        let text = g.required("text")?.text()?.to_string();
        let walls = g.optional("walls").map_or(Ok(false), Node::flag)?;
        let source = g.required("source")?.text()?.to_string();
        let list = g.required("hexes")?;
        let mut hexes = Vec::new();
        for row in list.list()? {
            let signs: Vec<char> = row.text()?.chars().collect();
            if signs.len() != MAP_COLUMNS {
                return Err(row.expected(&format!("a row of {MAP_COLUMNS} signs, not {}", signs.len())));
            }
            let mut line = [Terrain::Clear; MAP_COLUMNS];
            for (at, sign) in signs.into_iter().enumerate() {
                line[at] = Terrain::of_sign(sign).ok_or_else(|| {
                    row.wrong(format!("the sign `{sign}` in column {} is not in terrain.toml", at + 1))
                })?;
            }
            hexes.push(line);
        }
        if hexes.len() != MAP_ROWS {
            return Err(list.expected(&format!("{MAP_ROWS} rows, not {}", hexes.len())));
        }
        g.finish()?;
        maps.push(MapSheet { id, name, text, walls, hexes, source });
    }
    f.finish()?;
    Ok(maps)
}

/// Reads a list of men, each of whom exists, of one side, and checks the sum of their costs.
fn read_men(
    list: &Node,
    kinds: &[Kind],
    counters: &[Card],
    side: Option<Side>,
    points: Option<&Node>,
) -> Result<Vec<Counter>, DataError> {
    let mut men = Vec::new();
    let mut sum = 0;
    for node in list.list()? {
        let name = node.text()?;
        let at = counters.iter().position(|c| c.name == name);
        let at = at.ok_or_else(|| {
            let near = counters.iter().filter(|c| c.name.chars().next() == name.chars().next());
            let near = near.map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ");
            let known =
                if near.is_empty() { "a man of counters.toml".into() } else { format!("one of {near}") };
            node.expected(&format!("{known}; no counter is called `{name}`"))
        })?;
        let counter = Counter::at(at);
        if men.contains(&counter) {
            return Err(node.wrong(format!("{name} stands here a second time")));
        }
        let own = kinds[counters[at].kind].side;
        if side.is_some() && own.is_some() && own != side {
            return Err(node.wrong(format!("{name} is a man of the other side")));
        }
        sum += counters[at].cost;
        men.push(counter);
    }
    if let Some(node) = points
        && node.number()? != i64::from(sum)
    {
        return Err(node.expected(&format!("{sum}, the sum of the costs of these men")));
    }
    Ok(men)
}

fn read_missile(node: &Node, covers: &[&str]) -> Result<MissileTable, DataError> {
    let mut f = node.sourced()?;
    let last = f.required("last_row")?.number_in(2..=12)? as u8;
    let mut rows: [Vec<Shot>; 4] = Default::default();
    for (i, (word, _)) in Cover::WORDS.iter().enumerate() {
        if !covers.contains(word) {
            rows[i] = rows[i - 1].clone();
            continue;
        }
        let table = f.required(word)?;
        let mut from = 0;
        let mut worst = u32::MAX;
        for entry in table.fields()?.all() {
            let shot = match entry.name() {
                "A" => Shot::Driven,
                text => Shot::Hit(
                    Dice::read(text).ok_or_else(|| entry.wrong(format!("`{text}` is neither dice nor A")))?,
                ),
            };
            let weight = if let Shot::Hit(dice) = shot { dice.twice_mean() } else { 0 };
            if weight >= worst {
                return Err(entry.wrong(format!("`{}` does more than the rows above it", entry.name())));
            }
            worst = weight;
            let to = entry.number_in(i64::from(from) + 1..=i64::from(last))? as u8;
            rows[i].extend((from..to).map(|_| shot));
            from = to;
        }
        rows[i].resize(usize::from(last), Shot::Miss);
    }
    let table =
        MissileTable { last, rows, retreat: byte(&mut f, "retreat")?, loss: byte(&mut f, "move_loss")? };
    f.finish()?;
    Ok(table)
}

/// The tables, what garrisons are, and the townspeople of each side.
type TableSheet = (Tables, Vec<Garrison>, [Vec<Counter>; 2]);

fn read_tables(root: &Node, kinds: &[Kind], counters: &[Card]) -> Result<TableSheet, DataError> {
    let mut f = root.sourced()?;
    let mut weapons = vec![None; Weapon::WORDS.len()];
    for node in f.records("weapon")? {
        let mut g = node.sourced()?;
        let name = weapon(g.required("name")?)?;
        let every = [("phase", false), ("turn", true), ("second turn", true)];
        let sheet = WeaponSheet {
            rows: g.required("rows")?.number_in(0..=8)? as u8,
            range: g.required("range")?.number_in(1..=40)? as u8,
            once: g.required("every")?.one_of(&every)?,
            after_moving: g.optional("after_moving").map_or(Ok(true), Node::flag)?,
        };
        g.optional("crew").map(|n| n.number_in(1..=9)).transpose()?;
        g.finish()?;
        weapons[name as usize] = Some(sheet);
    }
    if let Some(missing) = weapons.iter().position(Option::is_none) {
        return Err(root.wrong(format!("expected all weapons, found no {}", Weapon::WORDS[missing].0)));
    }
    let mut ranges: Vec<(u8, i8)> = Vec::new();
    for node in f.records("range")? {
        let mut g = node.sourced()?;
        let from = ranges.last().map_or(1, |(hexes, _)| i64::from(*hexes) + 1);
        ranges.push((g.required("hexes")?.number_in(from..=60)? as u8, small(&mut g, "die")?));
        g.finish()?;
    }
    let node = f.required("missile")?;
    let mut g = node.fields()?;
    let at_riders = read_missile(g.required("mounted")?, &["none", "light", "medium"])?;
    let at_foot = read_missile(g.required("foot")?, &["none", "light", "medium", "heavy"])?;
    g.finish()?;

    let mut aim = f.required("aim")?.sourced()?;
    let skill = aim.required("skill")?;
    let mut skill_at_kills = Vec::new();
    for pair in skill.list()? {
        let [kills, die] = pair.list()? else { return Err(pair.expected("`[kills, die]`")) };
        skill_at_kills.push((kills.number_in(1..=250)? as u8, die.number_in(-9..=0)? as i8));
    }
    let mut facing = f.required("facing")?.sourced()?;
    let mut mounting = f.required("mounting")?.sourced()?;
    let mut challenge = f.required("challenge")?.sourced()?;
    let mut attack = f.required("attack")?.sourced()?;
    let mut charge = f.required("charge")?.sourced()?;
    let mut charge_ground = Vec::new();
    for node in charge.required("ground")?.list()? {
        let name = node.text()?;
        let found = Terrain::ALL.iter().find(|(_, word, _)| *word == name);
        charge_ground.push(found.ok_or_else(|| node.expected("a kind of ground"))?.2);
    }
    let mut dodge = f.required("dodge")?.sourced()?;
    let die = dodge.required("die")?;
    if read_dice(die)? != (Dice { tens: 0, sixes: 1, less: 0 }) {
        return Err(die.expected("`D6`"));
    }
    let mut withdrawal = f.required("withdrawal")?.sourced()?;
    let mut advance = f.required("advance")?.sourced()?;
    let mut wounds = f.required("wounds")?.sourced()?;
    let mut experience = f.required("experience")?.sourced()?;
    let mut horse = f.required("horse")?.sourced()?;
    let mut mercy = f.required("mercy")?.sourced()?;
    let mut command_range = [0; 7];
    for node in f.records("command")? {
        let mut g = node.sourced()?;
        let class = g.required("class")?.number_in(1..=6)? as usize;
        byte(&mut g, "men")?;
        command_range[class] = byte(&mut g, "hexes")?;
        g.finish()?;
    }
    let mut morale = f.required("morale")?.sourced()?;
    let mut modifiers = morale.required("modifiers")?.sourced()?;
    let mut end = f.required("end")?.sourced()?;
    let mut deployment = f.required("deployment")?.sourced()?;
    let mut gate = f.required("gate")?.sourced()?;
    let mut ladder = f.required("ladder")?.sourced()?;
    let mut tower = f.required("tower")?.sourced()?;
    let mut moat = f.required("moat")?.sourced()?;
    let mut screen = f.required("screen")?.sourced()?;
    let mut ballista = f.required("ballista")?.sourced()?;
    let mut oil = f.required("oil")?.sourced()?;
    let mut fire = f.required("fire")?.sourced()?;
    let mut mishaps = f.required("mishaps")?.sourced()?;
    fire.required("burns")?.texts()?;
    screen.required("pushers")?.number_in(1..=1)?;

    let tables = Tables {
        weapons: weapons.into_iter().flatten().collect(),
        ranges,
        at_riders,
        at_foot,
        armoured_target: small(&mut aim, "armoured_target")?,
        wounded_shooter: small(&mut aim, "wounded_shooter")?,
        friend_next_to_target: small(&mut aim, "friend_next_to_target")?,
        lowest_die: byte(&mut aim, "lowest")?,
        skill_at_kills,
        turn_cost: byte(&mut facing, "turn")?,
        back_cost: byte(&mut facing, "back")?,
        about_cost: byte(&mut facing, "about")?,
        mount_cost: byte(&mut mounting, "mount")?,
        dismount_cost: byte(&mut mounting, "dismount")?,
        challenge_foot: byte(&mut challenge, "foot")?,
        challenge_mounted: byte(&mut challenge, "mounted")?,
        challenge_unarmoured: dice(&mut challenge, "unarmoured")?,
        challenge_armoured: dice(&mut challenge, "armoured")?,
        attack_unarmoured: dice(&mut attack, "alone_unarmoured")?,
        attack_armoured: dice(&mut attack, "armoured_or_several")?,
        ground: byte(&mut attack, "ground")?,
        charge_hexes: byte(&mut charge, "hexes")?,
        charge_ground,
        charge_halves: byte(&mut charge, "halves")?.into(),
        dodge_less: byte(&mut dodge, "less")?,
        dodge_least: byte(&mut dodge, "least")?,
        dodge_experience: byte(&mut dodge, "experience")?.into(),
        blow_armoured: dice(&mut dodge, "blow_armoured")?,
        blow_unarmoured: dice(&mut dodge, "blow_unarmoured")?,
        fast_armoured: dice(&mut withdrawal, "fast_armoured")?,
        fast_unarmoured: dice(&mut withdrawal, "fast_unarmoured")?,
        slow_armoured: dice(&mut withdrawal, "slow_armoured")?,
        slow_unarmoured: dice(&mut withdrawal, "slow_unarmoured")?,
        rider_on_foot: byte(&mut withdrawal, "rider_on_foot")?,
        charge_on_rider: byte(&mut withdrawal, "charge_on_rider")?,
        charge_on_foot: byte(&mut withdrawal, "charge_on_foot")?,
        retreat_foot: byte(&mut withdrawal, "retreat_foot")?,
        retreat_mounted: byte(&mut withdrawal, "retreat_mounted")?,
        blocked: dice(&mut withdrawal, "blocked")?,
        advance_foot: byte(&mut advance, "foot")?,
        advance_mounted: byte(&mut advance, "mounted")?,
        life_per_defence: byte(&mut wounds, "life")?,
        stunned_armoured: byte(&mut wounds, "stunned_armoured")?,
        stunned_unarmoured: byte(&mut wounds, "stunned_unarmoured")?,
        first_experience: byte(&mut experience, "start")?,
        skill_for_experience: experience.required("skill")?.number_in(1..=100)? as u8,
        horse_shot_caparisoned: byte(&mut horse, "shot_caparisoned")?,
        horse_shot_bare: byte(&mut horse, "shot_bare")?,
        horse_blow: byte(&mut horse, "blow")?.into(),
        horse_caparisoned: dice(&mut horse, "caparisoned")?,
        horse_bare: dice(&mut horse, "bare")?,
        mercy_hexes: byte(&mut mercy, "hexes")?,
        command_range,
        panic: byte(&mut morale, "panic")?,
        panic_again: small(&mut morale, "panic_again")?,
        morale: MoraleTable {
            odds_for: small(&mut modifiers, "odds_for")?,
            odds_against: small(&mut modifiers, "odds_against")?,
            commander: small(&mut modifiers, "commander")?,
            noble: small(&mut modifiers, "noble")?,
            nco: small(&mut modifiers, "nco")?,
            wounded: small(&mut modifiers, "wounded")?,
            no_leader: small(&mut modifiers, "no_leader")?,
            surrounded: small(&mut modifiers, "surrounded")?,
            friends: small(&mut modifiers, "friends")?,
            panic_near: small(&mut modifiers, "panic_near")?,
            cover: small(&mut modifiers, "cover")?,
        },
        // A battle never outlasts thirty turns, so that every game ends.
        field_turns: end.required("field_turns")?.number_in(1..=30)? as u8,
        assault_turns: end.required("assault_turns")?.number_in(1..=30)? as u8,
        deploy_rows: deployment.required("rows")?.number_in(1..=7)? as u8,
        from_moat: byte(&mut deployment, "besiegers_from_moat")?,
        gate_damage: byte(&mut gate, "damage")?,
        ram_crew: gate.required("ram_crew")?.number_in(1..=6)? as u8,
        ram_move: byte(&mut gate, "ram_move")?,
        ram_hits_on: byte(&mut gate, "ram_hits_on")?,
        axes: byte(&mut gate, "axes")?,
        axes_hit_on: byte(&mut gate, "axes_hit_on")?,
        ladder_carriers: ladder.required("carriers")?.number_in(2..=2)? as u8,
        ladder_carried: byte(&mut ladder, "carried")?,
        ladder_raise: byte(&mut ladder, "raise")?,
        ladder_climb: byte(&mut ladder, "climb")?,
        ladder_tip_on: byte(&mut ladder, "tip_on")?,
        ladder_foot: small(&mut ladder, "tip_for_each_at_foot")?,
        tower_pushers: byte(&mut tower, "pushers")?,
        tower_move: byte(&mut tower, "move")?,
        tower_pass: byte(&mut tower, "pass")?,
        tower_holds: tower.required("holds")?.number_in(1..=6)? as u8,
        fascines: moat.required("fascines")?.number_in(1..=9)? as u8,
        throw_cost: byte(&mut moat, "throw")?,
        screen_move: byte(&mut screen, "move")?,
        screen_cover: screen.required("cover")?.one_of(&Cover::WORDS)?,
        ballista_crew: byte(&mut ballista, "crew")?,
        ballista_turns: byte(&mut ballista, "turns")?,
        oil_first_turn: byte(&mut oil, "first_turn")?,
        oil_men: oil.required("men")?.number_in(2..=2)? as u8,
        oil_a_turn: byte(&mut oil, "barrels_a_turn")?,
        lights_on: byte(&mut fire, "lights_on")?,
        torch_lights_on: byte(&mut fire, "torch_lights_on")?,
        burns_turns: byte(&mut fire, "turns")?,
        drawbridge_raised: dice(&mut mishaps, "drawbridge_raised")?,
        ladder_tipped: dice(&mut mishaps, "ladder_tipped")?,
        under_falling_man: dice(&mut mishaps, "under_falling_man")?,
        rampart_destroyed: dice(&mut mishaps, "rampart_destroyed")?,
        caught_in_fire: dice(&mut mishaps, "hex_catches_fire_no_retreat")?,
        stunned_in_fire: dice(&mut mishaps, "stunned_in_fire")?,
        boiling_oil: dice(&mut mishaps, "boiling_oil")?,
    };
    let groups = [
        aim, facing, mounting, challenge, attack, charge, dodge, withdrawal, advance, wounds, experience,
        horse, mercy, morale, modifiers, end, deployment, gate, ladder, tower, moat, screen, ballista, oil,
        fire, mishaps,
    ];
    for group in groups {
        group.finish()?;
    }
    let mut people = f.required("civilians")?.sourced()?;
    let mut townspeople = [Vec::new(), Vec::new()];
    for (word, side) in SIDES {
        let list = people.required(word)?;
        townspeople[side.index()] = read_men(list, kinds, counters, Some(side), None)?;
        let armed = townspeople[side.index()].iter().find(|c| kinds[counters[c.number()].kind].armed);
        if let Some(soldier) = armed {
            let name = &counters[soldier.number()].name;
            return Err(list.expected(&format!("civilians; {name} is none")));
        }
        if townspeople[side.index()].is_empty() {
            return Err(list.expected("the names of civilians"));
        }
    }
    people.finish()?;
    let mut garrisons = Vec::new();
    for node in f.records("garrison")? {
        let mut g = node.sourced()?;
        let place = g.required("place")?.text()?.to_string();
        let soldiers = g.required("soldiers")?.number_in(1..=1000)? as u16;
        // Each of the townspeople stands here nine times at the most.
        let most = townspeople.iter().map(Vec::len).min().unwrap_or(0) * ROMAN.len();
        let civilians = g.required("civilians")?.number_in(0..=most as i64)? as u8;
        let barrels = byte(&mut g, "oil")?;
        let ballistas = g.required("ballistas")?.number_in(0..=8)? as u8;
        let mut men = [Vec::new(), Vec::new()];
        for (word, side) in SIDES {
            let points = g.optional(&format!("{word}_points"));
            let list = g.required(word)?;
            men[side.index()] = read_men(list, kinds, counters, Some(side), points)?;
            let sum: u16 = men[side.index()].iter().map(|m| counters[m.number()].cost).sum();
            if sum > soldiers {
                return Err(list.expected(&format!("men worth at most {soldiers}, not {sum}")));
            }
        }
        g.finish()?;
        garrisons.push(Garrison { place, civilians, oil: barrels, ballistas, men });
    }
    f.finish()?;
    Ok((tables, garrisons, townspeople))
}

/// How a direction is written on these maps.
pub fn letters(direction: Direction) -> &'static str {
    direction.letters(table::hex::Lie::Pointy)
}
