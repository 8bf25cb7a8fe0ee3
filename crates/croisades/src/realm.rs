//! The realm: all that a campaign is, plain data. `Open` is what everybody may know, `Hidden` the rest: who marches
//! in which group, what purses hold, letters, treaties and choices that are not opened yet.
//!
//! Men, majors and groups live in arenas; a slot that is free is used again. Nothing is stored that follows from the
//! rest: domains, revenue, supply, the order of play.

use std::fmt;
use std::num::{NonZeroU8, NonZeroU16};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use table::hex::{Direction, Hex, Lie, Shoved};
use table::{Agenda, MOST_SEATS, Seat, SeatSet};

use crate::field::Field;
use crate::ids::{Counter, Side, Who};

/// The most men of all lords.
pub const MEN: usize = 1024;
/// The most men of one lord: each has slots of his own.
pub const LORD_MEN: usize = MEN / MOST_SEATS;
/// The most major characters.
pub const MAJORS: usize = 128;
/// The most groups.
pub const GROUPS: usize = 128;
/// The most strongholds.
pub const PLACES: usize = 124;
/// The most battles and sieges beside each other.
pub const THEATRES: usize = 4;
/// The most men of one side of a battle.
pub const SIDE_MEN: usize = 96;
/// The most ships, and the most works.
pub const SHIPS: usize = 64;
/// The most castles that can be built in a game: as many border castles as baronial ones.
pub const BUILT: usize = 8;
/// The most letters of an exchange: three from each lord to each other, so that nobody's mail takes another's room.
pub const LETTERS: usize = 3 * MOST_SEATS * (MOST_SEATS - 1);
/// Rows of the map.
pub const ROWS: usize = 49;
/// Columns of the map, at the most.
pub const COLUMNS: usize = 34;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident $inner:ident $nonzero:ident below $count:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name($nonzero);

        impl $name {
            /// The one with a number, from 0, if there can be one.
            #[inline]
            pub fn try_at(number: usize) -> Option<Self> {
                if number >= $count {
                    return None;
                }
                $nonzero::new(number as $inner + 1).map(Self)
            }

            /// The one with a number, from 0.
            ///
            /// # Panics
            /// When there can be none.
            #[inline]
            pub fn at(number: usize) -> Self {
                match Self::try_at(number) {
                    Some(this) => this,
                    None => panic!(concat!("there is no ", stringify!($name), " {}"), number),
                }
            }

            /// Its number, from 0.
            #[inline]
            pub fn number(self) -> usize {
                usize::from(self.0.get()) - 1
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.number())
            }
        }
    };
}

id! {
    /// A major character.
    MajorId u8 NonZeroU8 below MAJORS
}
id! {
    /// A group.
    GroupId u8 NonZeroU8 below GROUPS
}
id! {
    /// A stronghold: a castle or a town.
    PlaceId u8 NonZeroU8 below PLACES
}
id! {
    /// A ship.
    ShipId u8 NonZeroU8 below SHIPS
}
id! {
    /// A lady who may be courted.
    LadyId u8 NonZeroU8 below 16
}

/// A hex of the strategic map, by row from the south and place in the row from the east \[S1\].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct MapHex(NonZeroU16);

impl MapHex {
    /// How many numbers there are.
    pub const COUNT: usize = ROWS * COLUMNS;

    /// The hex of a row and a column, both from 1.
    #[inline]
    pub fn new(row: usize, column: usize) -> Option<Self> {
        let columns = if row % 2 == 1 { COLUMNS - 1 } else { COLUMNS };
        if row == 0 || row > ROWS || column == 0 || column > columns {
            return None;
        }
        NonZeroU16::new((row * 100 + column) as u16).map(Self)
    }

    /// Its row, from 1 in the south.
    #[inline]
    pub fn row(self) -> usize {
        usize::from(self.0.get() / 100)
    }

    /// Its place in the row, from 1 in the east.
    #[inline]
    pub fn column(self) -> usize {
        usize::from(self.0.get() % 100)
    }

    /// A number below [`COUNT`](Self::COUNT).
    #[inline]
    pub fn number(self) -> usize {
        (self.row() - 1) * COLUMNS + self.column() - 1
    }

    /// The same as a hex of the plane, north at the top.
    pub fn plane(self) -> Hex {
        let (column, row) = ((COLUMNS - self.column()) as i16, (ROWS - self.row()) as i16);
        Hex::from_offset((column, row), Lie::Pointy, Shoved::Odd)
    }

    /// The hex of the map for one of the plane.
    pub fn of(hex: Hex) -> Option<Self> {
        let (column, row) = hex.to_offset(Lie::Pointy, Shoved::Odd);
        let column = usize::try_from(COLUMNS as i16 - column).ok()?;
        let row = usize::try_from(ROWS as i16 - row).ok()?;
        Self::new(row, column)
    }

    /// The hex next to it.
    pub fn neighbour(self, direction: Direction) -> Option<Self> {
        Self::of(self.plane().neighbour(direction))
    }

    /// How many steps it is to another.
    pub fn distance(self, other: Self) -> u32 {
        self.plane().distance(other.plane())
    }
}

impl TryFrom<u16> for MapHex {
    type Error = String;
    fn try_from(number: u16) -> Result<Self, String> {
        let hex = Self::new(usize::from(number / 100), usize::from(number % 100));
        hex.ok_or_else(|| format!("there is no hex {number:04}"))
    }
}

impl From<MapHex> for u16 {
    fn from(hex: MapHex) -> u16 {
        hex.0.get()
    }
}

impl fmt::Display for MapHex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.0.get())
    }
}

impl fmt::Debug for MapHex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::str::FromStr for MapHex {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        if text.len() != 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(());
        }
        text.parse::<u16>().ok().and_then(|n| Self::try_from(n).ok()).ok_or(())
    }
}

/// The side of a seat: Saracens and Crusaders in turn, a Saracen first.
#[inline]
pub const fn side_of(seat: Seat) -> Side {
    if seat.index() & 1 == 0 { Side::Second } else { Side::First }
}

/// The whole truth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Realm {
    /// All that everybody may know.
    pub open: Open,
    /// What only some know.
    pub hidden: Hidden,
}

/// All that everybody may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Open {
    /// Who plays.
    pub party: SeatSet,
    /// Which scenario.
    pub scenario: u8,
    /// How battles are decided.
    pub quick: Quick,
    /// The turn, from 1; 0 before the first.
    pub turn: u8,
    /// Who plays in which order in the first turn.
    pub order: ArrayVec<Seat, MOST_SEATS>,
    /// The lords, by seat.
    pub lords: [Lord; MOST_SEATS],
    /// The major characters.
    pub majors: ArrayVec<Major, MAJORS>,
    /// The groups; free slots are none.
    pub groups: ArrayVec<Option<Group>, GROUPS>,
    /// The strongholds, by their number in the atlas.
    pub places: ArrayVec<Place, PLACES>,
    /// Sieges that go on.
    pub sieges: ArrayVec<Siege, 12>,
    /// Ladies who may be courted, and who are married.
    pub ladies: Ladies,
    /// Ships; free slots are none.
    pub ships: ArrayVec<Option<Ship>, SHIPS>,
    /// Ships and castles that are being built \[S37\].
    pub works: ArrayVec<Work, SHIPS>,
    /// Where castles were built: the strongholds behind those that the map prints.
    pub built: [Option<MapHex>; BUILT],
    /// The banks of the Nile [scenario.10].
    pub nile: Nile,
    /// Whether the lord whose march it is has marched with a group.
    pub marched: bool,
    /// Who has made his suits of this turn while sieges were called \[S34\].
    pub sued: SeatSet,
    /// Which exchange of letters of the turn it is: 0 in phase 1, 1 and 2 after a collection [ruling 43].
    pub exchange: u8,
    /// Battles and sieges that have still to be fought in this phase.
    pub pending: ArrayVec<Pending, 48>,
    /// Those that are being fought.
    pub theatres: ArrayVec<Theatre, THEATRES>,
    /// What is going on.
    pub agenda: Agenda<Step, 20>,
    /// Who has won, once it is over: nobody in a draw.
    pub victor: Option<SeatSet>,
}

/// What only some know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hidden {
    /// The men of all lords; a free slot has no lord.
    pub men: ArrayVec<Man, MEN>,
    /// What only his lord knows of a major character.
    pub traits: ArrayVec<Traits, MAJORS>,
    /// What a group carries.
    pub cargo: ArrayVec<Cargo, GROUPS>,
    /// What each lord has put together before the first turn.
    pub sheets: [Sheet; MOST_SEATS],
    /// What each has said in a secret choice.
    pub said: [Option<u8>; MOST_SEATS],
    /// The letter that each is writing.
    pub drafts: [Option<Letter>; MOST_SEATS],
    /// Letters of this exchange.
    pub letters: ArrayVec<Letter, LETTERS>,
    /// Treaties that stand.
    pub treaties: ArrayVec<Treaty, 64>,
    /// Payments that were promised for a later turn.
    pub debts: ArrayVec<Debt, 128>,
    /// Orders of ships that have not sailed yet \[S13\].
    pub sailing: ArrayVec<Sailing, SHIPS>,
    /// Rations left in besieged places, which only who commands there knows.
    pub stores: ArrayVec<u16, PLACES>,
    /// What dead lords left, until they are succeeded.
    pub estates: [u16; MOST_SEATS],
    /// Which works are launched into a blockade when all sail, a bit each [3.75].
    pub launches: u64,
    /// Who recruits, and with which dice.
    pub recruiting: [Option<Recruiting>; MOST_SEATS],
    /// A new vassal whose characteristics are being chosen [3.44, 3.64].
    pub novices: [Option<Novice>; MOST_SEATS],
}

/// How battles are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Quick {
    /// Both commanders are asked \[S41\].
    Asked,
    /// All are played out by the house.
    Always,
    /// All are fought man by man.
    Never,
}

/// A lord, that is a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Lord {
    /// Whether he is in the game.
    pub plays: bool,
    /// The character who stands for him.
    pub suzerain: Option<MajorId>,
    /// What he last collected, without surtax.
    pub revenue: Option<u16>,
    /// Whether his troops have fought since the last collection [3.32].
    pub fought: bool,
    /// The last turn in which his subjects groan under the surtax; 0 for none [3.73].
    pub taxed: u8,
    /// Points of diplomacy that he has still to give [3.32].
    pub owed: u8,
    /// The roll for the order of play.
    pub rolled: u8,
    /// The title of a dead lord, which his heir receives [3.16].
    pub late: Title,
    /// Whether he is not in the game and may enter at a free border castle in the next turn [scenario.4].
    pub waits: bool,
    /// The lord whose vassal he has become, and the hundredths of his revenue that he owes him [scenario.5].
    pub liege: Option<(Seat, u8)>,
}

/// A major character, as everybody knows him.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Major {
    /// His lord; none where the slot is free.
    pub lord: Option<Seat>,
    /// His counter.
    pub who: Who,
    /// His fame.
    pub fame: u8,
    /// His honour.
    pub honour: u8,
    /// His title.
    pub title: Title,
    /// His wife.
    pub wife: Option<LadyId>,
    /// Who holds him prisoner.
    pub captor: Option<Seat>,
    /// The group that keeps him: everybody sees where a prisoner is led [3.58].
    pub keeper: Option<GroupId>,
    /// The character who took him, to whom his ransom goes [3.77].
    pub taker: Option<MajorId>,
    /// The turn of his last suit.
    pub suited: u8,
    /// The turn of his last courtship.
    pub courted: u8,
}

/// Titles, the lowest first [3.62].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Title {
    #[default]
    Knight,
    Baron,
    Prince,
    King,
}

impl Title {
    /// The class that goes with it.
    pub const fn class(self) -> u8 {
        match self {
            Self::Knight => 3,
            Self::Baron | Self::Prince => 2,
            Self::King => 1,
        }
    }

    /// What it is called on a side.
    pub const fn word(self, side: Side) -> &'static str {
        match (self, side) {
            (Self::Knight, Side::First) => "knight",
            (Self::Knight, Side::Second) => "Royal Mamluk",
            (Self::Baron, Side::First) => "baron",
            (Self::Baron, Side::Second) => "emir",
            (Self::Prince, _) => "prince",
            (Self::King, Side::First) => "king",
            (Self::King, Side::Second) => "sultan",
        }
    }
}

/// What only his lord knows of a major character.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Traits {
    pub command: u8,
    pub diplomacy: u8,
    pub charisma: u8,
    /// Dinars.
    pub purse: u16,
    /// The turn in which he last recruited.
    pub recruited: u8,
}

/// Characteristics that are bought [3.14].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Trait {
    Experience,
    Charisma,
    Diplomacy,
    Command,
    Honour,
}

impl Trait {
    /// All of them, with their words.
    pub const ALL: [(&'static str, Self); 5] = [
        ("experience", Self::Experience),
        ("charisma", Self::Charisma),
        ("diplomacy", Self::Diplomacy),
        ("command", Self::Command),
        ("honour", Self::Honour),
    ];

    /// Its word.
    pub const fn word(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// A man of a lord.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Man {
    /// Whose he is; none where the slot is free.
    pub lord: Option<Seat>,
    /// Who he is, among the men of his lord.
    pub who: Who,
    /// His group; a prisoner has none.
    pub group: Option<GroupId>,
    /// Life points left.
    pub life: u8,
    /// Combat experience.
    pub experience: u8,
    /// Skill points.
    pub skill: u8,
    /// Enemies whom his shots have killed.
    pub kills: u8,
    /// The turn in which his wound heals; 0 without a wound.
    pub heals: u8,
    /// Whether he has changed his group in this turn.
    pub shifted: bool,
    /// Whether he has risen in this market [3.62].
    pub risen: bool,
}

/// A group, as everybody sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Group {
    /// Whose.
    pub lord: Seat,
    /// Where.
    pub at: MapHex,
    /// Its size as a word, by number.
    pub word: u8,
    /// Which lords know its men.
    pub known: SeatSet,
    /// Whether everybody does.
    pub public: bool,
    /// Whether it is inside the stronghold of its hex.
    pub inside: bool,
    /// Whether it has marched in this turn.
    pub moved: bool,
    /// Whether a battle holds it where it is.
    pub pinned: bool,
    /// The ship that it is aboard.
    pub aboard: Option<ShipId>,
}

impl Group {
    /// Whether it stands in a hex, and not aboard a ship there.
    #[inline]
    pub fn is_ashore(&self, hex: MapHex) -> bool {
        self.at == hex && self.aboard.is_none()
    }
}

/// A ship \[S12\].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ship {
    /// Whose.
    pub lord: Seat,
    /// What it is.
    pub kind: Hull,
    /// Where: a hex of the sea, or a port.
    pub at: MapHex,
}

/// Kinds of ships \[S12\].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Hull {
    Transport,
    Warship,
}

impl Hull {
    /// Both, with their words.
    pub const ALL: [(&'static str, Self); 2] = [("transport", Self::Transport), ("warship", Self::Warship)];

    /// Its word.
    pub const fn word(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// A ship or a castle that is being built \[S37\].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Work {
    /// By whom.
    pub lord: Seat,
    /// What, and where.
    pub what: Building,
    /// The turn in which it is launched, or the rest of it must be paid.
    pub due: u8,
}

/// What is being built, and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Building {
    /// A ship in a port.
    Ship(Hull, PlaceId),
    /// A castle on a hex.
    Castle(Rampart, MapHex),
}

/// Castles that can be built [3.75].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Rampart {
    Border,
    Baronial,
}

impl Rampart {
    /// Both, with their words.
    pub const ALL: [(&'static str, Self); 2] =
        [("border castle", Self::Border), ("baronial castle", Self::Baronial)];

    /// Its word.
    pub const fn word(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// The banks of the Nile [scenario.10].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Nile {
    /// Whether they are broken.
    pub broken: bool,
    /// The turn at whose beginning the land is dry again; 0 while nobody mends them.
    pub dry: u8,
    /// The last turn with a flood; 0 for none.
    pub last: u8,
}

/// What a ship will do when all sail \[S13\].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sailing {
    /// Which ship.
    pub ship: ShipId,
    /// Where it will be.
    pub at: MapHex,
    /// Hexes that it has sailed.
    pub spent: u8,
    /// The group that it takes aboard.
    pub loads: Option<GroupId>,
    /// Where the group aboard goes ashore.
    pub ashore: Option<MapHex>,
}

/// What a group carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Cargo {
    pub rations: u16,
    pub mules: u8,
    pub carts: u8,
    pub ladders: u8,
    pub rams: u8,
    pub screens: u8,
    pub mangonels: u8,
    pub trebuchets: u8,
    /// For how many turns it has had nothing to eat.
    pub hungry: u8,
    /// Days that each of its engineers has had in the camp of a siege \[S30\].
    pub work: u8,
    /// Days of all of them that are used up.
    pub toiled: u8,
}

/// A stronghold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Its side; none where it is neutral.
    pub side: Option<Side>,
    /// Who holds it.
    pub holder: Option<Seat>,
    /// Whether he controls it, or is only its ally.
    pub controlled: bool,
    /// Who has it in ward, and its title.
    pub guardian: Option<MajorId>,
    /// Who has fame by it: where it was earned it stays until the place is lost [3.35].
    pub famed: Option<MajorId>,
    /// The last turn in which it groans under the surtax; 0 for none [3.73].
    pub taxed: u8,
    /// The last turn in which half its garrison marched out [3.42].
    pub sent: u8,
    /// Whether it lies on the map of the scenario.
    pub mapped: bool,
}

impl Place {
    /// Who controls it.
    #[inline]
    pub fn lord(&self) -> Option<Seat> {
        self.holder.filter(|_| self.controlled)
    }

    /// Who is allied with it.
    #[inline]
    pub fn ally(&self) -> Option<Seat> {
        self.holder.filter(|_| !self.controlled)
    }
}

/// A siege.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Siege {
    /// Of which place.
    pub place: PlaceId,
    /// By whom.
    pub besieger: Seat,
    /// Who commands the garrison; the house, if nobody.
    pub warden: Option<Seat>,
    /// What the garrison eats: 4 quarters, 2 or 1.
    pub quarters: u8,
    /// Barrels of oil left.
    pub oil: u8,
    /// Whether the garrison has been called up.
    pub levied: bool,
    /// Damage of the walls towards the next breach.
    pub damage: u8,
    /// Breaches.
    pub breaches: u8,
    /// Whether the besiegers hold the ramparts.
    pub ramparts: bool,
    /// Which major characters have come to its relief, a bit each [3.31].
    pub came: [u64; 2],
    /// Who of the garrison still fights.
    pub garrison: ArrayVec<Watchman, 24>,
}

/// A man of a garrison or a contingent: no lord's, but the place's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Watchman {
    /// Who.
    pub counter: Counter,
    /// Life points left.
    pub life: u8,
}

/// Ladies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ladies {
    /// Who may be courted, of each side.
    pub free: [Option<LadyId>; 2],
    /// Who is married, a bit each.
    pub married: u16,
    /// Suitors of this turn.
    pub suitors: [Option<MajorId>; 16],
    /// Who holds a lady prisoner [3.47].
    pub captors: [Option<Seat>; 16],
}

/// A battle or siege to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pending {
    /// What.
    pub what: What,
    /// Who attacks, and who commands against him; the house, if nobody.
    pub seats: [Option<Seat>; 2],
    /// Who commands in the place of one of them \[S39\].
    pub deputies: [Option<Seat>; 2],
}

impl Pending {
    /// A battle or siege that nobody has delegated.
    pub const fn new(what: What, seats: [Option<Seat>; 2]) -> Self {
        Self { what, seats, deputies: [None; 2] }
    }

    /// Who commands: deputies, else the lords themselves.
    pub fn commanders(&self) -> [Option<Seat>; 2] {
        [self.deputies[0].or(self.seats[0]), self.deputies[1].or(self.seats[1])]
    }
}

/// What is fought.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum What {
    /// A battle in a hex.
    Battle(MapHex),
    /// Three days of a siege.
    Siege(PlaceId),
}

/// A battle or a siege that is being fought.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Theatre {
    /// What.
    pub what: What,
    /// Whose each side is; the house's, if nobody's.
    pub seats: [Option<Seat>; 2],
    /// Who commands in the place of one of them \[S39\].
    pub deputies: [Option<Seat>; 2],
    /// Groups that come from neighbouring hexes, a bit each \[S20\].
    pub summoned: u128,
    /// Whether a besieged garrison makes common cause with those who relieve it \[S31\].
    pub joined: bool,
    /// How far it is.
    pub stage: Stage,
    /// The day of a siege, from 1.
    pub day: u8,
    /// The map of the field.
    pub map: u8,
    /// Whose each man of the field is.
    pub roll: ArrayVec<Enrolled, { 2 * SIDE_MEN }>,
    /// The field, while men fight.
    pub field: Field,
}

impl Theatre {
    /// Who commands each side; the house, if nobody. Where the beaten fall back to is their own lord's matter.
    pub fn commanders(&self) -> [Option<Seat>; 2] {
        match self.stage {
            Stage::Leaving(_) => self.seats,
            _ => [self.deputies[0].or(self.seats[0]), self.deputies[1].or(self.seats[1])],
        }
    }

    /// Whether a group was called \[S20\].
    pub fn calls(&self, group: GroupId) -> bool {
        self.summoned >> group.number() & 1 == 1
    }
}

/// How far a battle or a siege is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stage {
    /// Both call groups from neighbouring hexes; who is done \[S20\].
    Muster(SeatSet),
    /// The commander of a garrison calls it up \[S24\].
    Levy,
    /// Both say whether it shall be played out by the house \[S41\]; who has said.
    Asked(SeatSet),
    /// Men fight.
    Fought,
    /// The beaten side goes to another hex \[S22\].
    Leaving(Side),
    /// The garrison is told what it eats \[S25\].
    Rations,
    /// The besiegers have the day [table.4].
    Besiegers,
    /// The garrison has the day [table.4].
    Garrison,
}

/// A man of a field, as he is called at home.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Enrolled {
    /// Whose; none for a garrison or contingent.
    pub lord: Option<Seat>,
    /// Who he is among the men of his lord.
    pub who: Who,
}

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// Border castles are chosen in the order of play [3.13].
    Castle(u8),
    /// Places of the rich start are chosen, in the same order [scenario.7].
    Holding(u8),
    /// All put their companies together; who has sealed [3.14].
    Creation(SeatSet),
    /// All write; who has sealed [scenario.3].
    Writing(SeatSet),
    /// All answer; who has sealed [scenario.3].
    Answering(SeatSet),
    /// All reorganise and buy rations; who is done [S7, S11].
    Camp(SeatSet),
    /// Owners of ships write their orders; who is done \[S13\].
    Fleet(SeatSet),
    /// They march in the order of play \[S4\].
    March {
        /// Whose turn it is.
        at: u8,
        /// The group that marches, and the points that it has spent.
        group: Option<(GroupId, u8)>,
    },
    /// Groups have met; who has said \[S18\].
    Meeting {
        /// Where.
        hex: MapHex,
        /// Who came.
        mover: Seat,
        /// Who was there.
        met: Seat,
        /// Who has said.
        said: SeatSet,
    },
    /// Ships of two lords fight, round by round; who has said whether he fights on \[S15\].
    Naval {
        /// Where.
        hex: MapHex,
        /// The lords.
        lords: [Seat; 2],
        /// Who has said.
        said: SeatSet,
    },
    /// Lords with several battles or sieges name deputies; who is done \[S39\].
    Naming(SeatSet),
    /// Those who were named say whether they will; who has said \[S39\].
    Agreeing(SeatSet),
    /// Who had less at sea says which ships he loses \[S15\].
    Losses {
        /// Where.
        hex: MapHex,
        /// The lords.
        lords: [Seat; 2],
        /// Which of the two loses ships.
        loser: u8,
        /// How many still.
        count: u8,
    },
    /// Battles are fought.
    Battles,
    /// They say what they besiege, those in one hex in the order of play; who is done \[S24\].
    Calls(SeatSet),
    /// Sieges are fought.
    Sieges,
    /// They negotiate and court, those in one hex in the order of play; who is done [3.41 to 3.43].
    Suits(SeatSet),
    /// All say whether they raise taxes; who has said [3.73].
    Surtax(SeatSet),
    /// All say whether they pay ransoms; who has said [3.77].
    Ransom(SeatSet),
    /// All advance, recruit and buy; who is done [3.44, 3.6, 3.75].
    Market(SeatSet),
    /// A lord is succeeded [3.16].
    Heir(Seat),
    /// A newcomer, or a lord who was out of the game, enters at a free border castle [scenario.4].
    Arrival(Seat),
    /// It is over.
    Over,
}

/// What a lord has put together before the first turn.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sheet {
    /// His major characters, the lord himself first.
    pub majors: ArrayVec<Person, 8>,
    /// His other men.
    pub men: ArrayVec<Who, 64>,
}

/// A major character on a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Person {
    /// His counter.
    pub who: Who,
    /// His characteristics, by [`Trait`]; 0 where nothing has been said.
    pub traits: [u8; 5],
}

/// A letter: a treaty that is proposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Letter {
    /// From whom.
    pub from: Seat,
    /// To whom.
    pub to: Seat,
    /// Its terms.
    pub terms: [Option<Term>; TERMS],
    /// What was answered.
    pub answer: Option<bool>,
}

/// The most terms of a letter.
pub const TERMS: usize = 5;

/// A term of a treaty [ruling 44]. A loan is dinars at once and a larger sum back in a later turn; passage for money is
/// passage and a payment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Term {
    /// Peace until this turn.
    Peace(u8),
    /// Passage until this turn: groups let each other through.
    Passage(u8),
    /// Alliance until this turn: peace, passage, refuge and supply.
    Alliance(u8),
    /// The writer pays so much at once.
    Gift(u16),
    /// The reader pays so much at once.
    Demand(u16),
    /// The writer pays so much when it is due.
    Promise(u16),
    /// The reader pays so much when it is due.
    Claim(u16),
    /// The turn in which promises and claims are due.
    Due(u8),
    /// A place of the writer's goes to the reader.
    Cede(PlaceId),
    /// A place of the reader's goes to the writer.
    Want(PlaceId),
    /// The writer lets a prisoner of the reader's house go.
    Free(Who),
    /// The reader lets a prisoner of the writer's house go.
    Release(Who),
    /// The writer becomes the reader's vassal and owes him so many hundredths of his revenue [scenario.5].
    Vow(u8),
    /// The reader becomes the writer's vassal and owes him so many hundredths of his revenue [scenario.5].
    Homage(u8),
}

/// What a treaty binds to, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Pact {
    /// No attack, and groups let each other through.
    Passage,
    /// No attack and no siege.
    Peace,
    /// Peace, passage, refuge and supply.
    Alliance,
}

/// A treaty that stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Treaty {
    /// Between whom.
    pub parties: [Seat; 2],
    /// To what it binds.
    pub pact: Pact,
    /// Its last turn.
    pub until: u8,
}

/// A payment that was promised for a later turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Debt {
    /// Who pays.
    pub from: Seat,
    /// Who is paid.
    pub to: Seat,
    /// How much.
    pub sum: u16,
    /// In which turn.
    pub due: u8,
}

/// Who recruits, and with which dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recruiting {
    /// Who.
    pub major: MajorId,
    /// How many dice of each face are left.
    pub dice: [u8; 6],
}

/// A new vassal whose characteristics are being chosen [3.44, 3.64].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Novice {
    /// Who.
    pub major: MajorId,
    /// Points that he may still have.
    pub left: u16,
    /// Who pays for them in dinars; who is raised from the ranks has them for nothing.
    pub payer: Option<MajorId>,
}

impl Open {
    /// The step that is going on.
    #[inline]
    pub fn step(&self) -> Step {
        self.agenda.now().copied().unwrap_or(Step::Over)
    }

    /// Seats that are in the game.
    #[inline]
    pub fn playing(&self) -> SeatSet {
        self.party.iter().filter(|seat| self.lords[seat.index()].plays).collect()
    }

    /// Seats that are not in the game and may enter \[scenario.4\].
    pub fn waiting(&self) -> SeatSet {
        self.party.iter().filter(|seat| self.lords[seat.index()].waits).collect()
    }

    /// The lord above a lord and above all whom he has sworn to; himself, if he is nobody's vassal [scenario.5].
    pub fn overlord(&self, seat: Seat) -> Seat {
        let mut top = seat;
        for _ in 0..MOST_SEATS {
            match self.lords[top.index()].liege {
                Some((liege, _)) => top = liege,
                None => break,
            }
        }
        top
    }

    /// Whether one of two lords is the other's vassal [scenario.5].
    #[inline]
    pub fn sworn(&self, one: Seat, other: Seat) -> bool {
        let to =
            |vassal: Seat, liege: Seat| self.lords[vassal.index()].liege.is_some_and(|(l, _)| l == liege);
        to(one, other) || to(other, one)
    }

    /// The order of play of this turn: it shifts by one each turn \[S38\].
    #[inline]
    pub fn at_turn(&self, at: u8) -> Option<Seat> {
        let count = self.order.len();
        if usize::from(at) >= count {
            return None;
        }
        let shift = usize::from(self.turn.max(1) - 1);
        Some(self.order[(usize::from(at) + shift) % count])
    }

    /// A group.
    ///
    /// # Panics
    /// When its slot is free.
    #[inline]
    pub fn group(&self, id: GroupId) -> &Group {
        match &self.groups[id.number()] {
            Some(group) => group,
            None => panic!("{id:?} is no group"),
        }
    }

    /// A group, to be changed.
    ///
    /// # Panics
    /// When its slot is free.
    #[inline]
    pub fn group_mut(&mut self, id: GroupId) -> &mut Group {
        match &mut self.groups[id.number()] {
            Some(group) => group,
            None => panic!("{id:?} is no group"),
        }
    }

    /// All groups.
    #[inline]
    pub fn all_groups(&self) -> impl Iterator<Item = (GroupId, &Group)> + Clone {
        self.groups.iter().enumerate().filter_map(|(i, g)| Some((GroupId::at(i), g.as_ref()?)))
    }

    /// The groups of a lord.
    #[inline]
    pub fn groups_of(&self, seat: Seat) -> impl Iterator<Item = (GroupId, &Group)> + Clone {
        self.all_groups().filter(move |(_, g)| g.lord == seat)
    }

    /// Which lords have groups ashore in a hex.
    pub fn lords_at(&self, hex: MapHex) -> SeatSet {
        self.all_groups().filter(|(_, g)| g.is_ashore(hex)).map(|(_, g)| g.lord).collect()
    }

    /// A major character.
    #[inline]
    pub fn major(&self, id: MajorId) -> &Major {
        &self.majors[id.number()]
    }

    /// The major characters of a lord.
    #[inline]
    pub fn majors_of(&self, seat: Seat) -> impl Iterator<Item = (MajorId, &Major)> + Clone {
        let all = self.majors.iter().enumerate().map(|(i, m)| (MajorId::at(i), m));
        all.filter(move |(_, m)| m.lord == Some(seat))
    }

    /// The major character who is a man of a lord.
    #[inline]
    pub fn major_of(&self, lord: Seat, who: Who) -> Option<MajorId> {
        self.majors.iter().position(|m| m.lord == Some(lord) && m.who == who).and_then(MajorId::try_at)
    }

    /// A ship.
    ///
    /// # Panics
    /// When its slot is free.
    #[inline]
    pub fn ship(&self, id: ShipId) -> &Ship {
        match &self.ships[id.number()] {
            Some(ship) => ship,
            None => panic!("{id:?} is no ship"),
        }
    }

    /// All ships.
    #[inline]
    pub fn all_ships(&self) -> impl Iterator<Item = (ShipId, &Ship)> + Clone {
        self.ships.iter().enumerate().filter_map(|(i, s)| Some((ShipId::at(i), s.as_ref()?)))
    }

    /// The ships of a lord.
    #[inline]
    pub fn ships_of(&self, seat: Seat) -> impl Iterator<Item = (ShipId, &Ship)> + Clone {
        self.all_ships().filter(move |(_, s)| s.lord == seat)
    }

    /// The group aboard a ship.
    pub fn aboard(&self, id: ShipId) -> Option<GroupId> {
        self.all_groups().find(|(_, g)| g.aboard == Some(id)).map(|(group, _)| group)
    }

    /// A stronghold.
    #[inline]
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.number()]
    }

    /// The siege of a place.
    pub fn siege(&self, place: PlaceId) -> Option<usize> {
        self.sieges.iter().position(|s| s.place == place)
    }

    /// The theatre in which a seat commands.
    pub fn theatre_of(&self, seat: Seat) -> Option<usize> {
        self.theatres.iter().position(|t| t.commanders().contains(&Some(seat)))
    }
}

impl Realm {
    /// The men of a group.
    #[inline]
    pub fn men_in(&self, group: GroupId) -> impl Iterator<Item = &Man> + Clone {
        let lord = self.open.group(group).lord;
        self.men_of(lord).filter(move |m| m.group == Some(group))
    }

    /// The slots of a lord's men.
    #[inline]
    pub fn slots(&self, lord: Seat) -> std::ops::Range<usize> {
        let (from, count) = (lord.index() * LORD_MEN, self.hidden.men.len());
        from.min(count)..(from + LORD_MEN).min(count)
    }

    /// The men of a lord, prisoners included.
    #[inline]
    pub fn men_of(&self, lord: Seat) -> impl Iterator<Item = &Man> + Clone {
        self.hidden.men[self.slots(lord)].iter().filter(|m| m.lord.is_some())
    }

    /// A man of a lord.
    #[inline]
    pub fn find(&self, lord: Seat, who: Who) -> Option<usize> {
        let slots = self.slots(lord);
        let from = slots.start;
        self.hidden.men[slots].iter().position(|m| m.lord.is_some() && m.who == who).map(|i| from + i)
    }

    /// The group that a major character is with.
    pub fn group_of(&self, major: MajorId) -> Option<GroupId> {
        let m = self.open.major(major);
        self.hidden.men[self.find(m.lord?, m.who)?].group
    }

    /// The treaty that binds two lords now: of several the one that binds to most.
    pub fn treaty(&self, one: Seat, other: Seat) -> Option<usize> {
        let both = |t: &Treaty| t.parties == [one, other] || t.parties == [other, one];
        let all = self.hidden.treaties.iter().enumerate();
        let stands = all.filter(|(_, t)| both(t) && t.until >= self.open.turn);
        stands.max_by_key(|(i, t)| (t.pact, usize::MAX - i)).map(|(i, _)| i)
    }

    /// Whether two lords are allied by treaty.
    pub fn allied(&self, one: Seat, other: Seat) -> bool {
        one == other || self.pact(one, other) == Some(Pact::Alliance)
    }

    /// To what two lords are bound now; a vow binds as an alliance does [scenario.5].
    pub fn pact(&self, one: Seat, other: Seat) -> Option<Pact> {
        if self.open.sworn(one, other) {
            return Some(Pact::Alliance);
        }
        self.treaty(one, other).map(|i| self.hidden.treaties[i].pact)
    }
}
