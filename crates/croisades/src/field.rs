//! A field: all that a battle or an assault is. It knows two sides and who commands them, and nothing of seats, so
//! that a campaign can hold several. Plain data, copied in well under a microsecond.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use table::Agenda;
use table::hex::{Direction, pointy};

use crate::data::Terrain;
use crate::ids::{CELLS, EngineId, Grid, Man, Place, Side, Who};

/// The most hexes of one move: an allowance of twenty and the hex it begins on.
pub const PATH: usize = 24;
/// The most men of one side of a combat: a rider has eight hexes around him.
pub const PARTY: usize = 8;
/// The deepest that steps go: a turn, a phase, an attack, a retreat inside it.
pub const DEPTH: usize = 5;

/// A man in no particular state.
pub type Party = ArrayVec<Man, PARTY>;

/// All that a battle is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Columns of its maps together.
    pub columns: u8,
    /// Rows of its maps together.
    pub rows: u8,
    /// The ground now, with breaches and filled moats.
    pub ground: Grid,
    /// Who stands where: a man's number and 1, or one of the marks below.
    pub on: Grid,
    /// The men of both sides, in the order of their lists.
    pub men: ArrayVec<Soldier, { Man::COUNT }>,
    /// Engines of both sides.
    pub engines: ArrayVec<Engine, { EngineId::COUNT }>,
    /// What burns.
    pub fires: ArrayVec<Fire, 16>,
    /// Where oil was poured.
    pub oiled: ArrayVec<Place, 16>,
    /// Who commands each side.
    pub chiefs: [Chief; 2],
    /// A battle in the field, or an assault.
    pub siege: Option<Siege>,
    /// The middle of the keep, where a garrison runs to.
    pub keep: Option<Place>,
    /// The turn, from 1.
    pub turn: u8,
    /// The last turn.
    pub last: u8,
    /// Whose player-turn it is.
    pub active: Side,
    /// Who has the first player-turn.
    pub first: Side,
    /// Who has ordered the retreat.
    pub retreats: [bool; 2],
    /// The move that is going on.
    pub march: March,
    /// The combat that is going on.
    pub fight: Fight,
    /// The order to a formation that is being carried out \[T33\].
    pub ordered: Option<(Man, Order)>,
    /// Why it is over.
    pub ended: Option<Ending>,
    /// What is going on.
    pub agenda: Agenda<Step, DEPTH>,
}

/// The bit of a hex's ground that says that it lies within the walls.
const INNER: u8 = 128;
/// On a hex stands an engine with a roof.
pub const ENGINE: u8 = 254;
/// On a hex stands a loose horse.
pub const HORSE: u8 = 255;

/// A man on a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Soldier {
    /// Who he is.
    pub who: Who,
    /// His side.
    pub side: Side,
    /// Where he stands; a rider, where his horse's head is.
    pub at: Option<Place>,
    /// Where a rider looks.
    pub facing: Direction,
    /// Life points left.
    pub life: u8,
    /// Combat experience.
    pub experience: u8,
    /// Skill points towards the next point of experience.
    pub skill: u8,
    /// Enemies whom his shots have killed.
    pub kills: u8,
    /// The straight hexes that he has ridden in this player-turn, just before he halted.
    pub run: u8,
    /// Who leads his formation.
    pub leader: Man,
    /// His horse, where he has left it.
    pub horse: Option<Place>,
    /// What he carries or pushes, or what he is aboard of.
    pub engine: Option<EngineId>,
    /// Whether he still fights.
    pub fate: Fate,
    /// Marks.
    pub marks: Marks,
}

/// What has become of a man.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Fate {
    /// He is on the field.
    #[default]
    Fights,
    /// He is dead.
    Dead,
    /// He is a prisoner.
    Captive,
    /// He has left the field.
    Fled,
}

/// Marks of a man, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Marks(u32);

#[allow(missing_docs)]
impl Marks {
    pub const MOUNTED: Self = Self(1);
    pub const STUNNED: Self = Self(1 << 1);
    /// Stunned in the player-turn that is going on.
    pub const FRESH: Self = Self(1 << 2);
    pub const PANIC: Self = Self(1 << 3);
    pub const ROUT: Self = Self(1 << 4);
    /// Has shot in his own fire phase.
    pub const SHOT: Self = Self(1 << 5);
    /// Has shot in the movement of the enemy.
    pub const WATCHED: Self = Self(1 << 6);
    /// Has shot a weapon that shoots once in a turn.
    pub const USED: Self = Self(1 << 7);
    pub const MOVED: Self = Self(1 << 8);
    pub const ATTACKED: Self = Self(1 << 9);
    pub const ASSAILED: Self = Self(1 << 10);
    /// Has pleaded in vain in this player-turn.
    pub const PLEADED: Self = Self(1 << 11);
    /// Was refused mercy once.
    pub const REFUSED: Self = Self(1 << 12);
    /// Must test his morale in this player-turn.
    pub const SHAKEN: Self = Self(1 << 13);
    pub const STRONGER: Self = Self(1 << 14);
    pub const WEAKER: Self = Self(1 << 15);
    /// His horse wears a caparison.
    pub const CAPARISON: Self = Self(1 << 16);
    /// Came up a ladder in this player-turn, or hangs on it.
    pub const CLIMBER: Self = Self(1 << 17);
    /// Is inside an engine.
    pub const ABOARD: Self = Self(1 << 18);
    /// Was put on his hex by hand.
    pub const PLACED: Self = Self(1 << 19);
    /// Panicked before this player-turn.
    pub const RUNNING: Self = Self(1 << 20);
    /// Was stopped short on his way.
    pub const STOPPED: Self = Self(1 << 21);
    /// Has a horse that he could ride.
    pub const OWNS: Self = Self(1 << 22);
    /// Has given his formation an order in this phase.
    pub const ORDERED: Self = Self(1 << 23);
    /// Was stunned anew while he lay stunned.
    pub const ANEW: Self = Self(1 << 24);
    /// Has eaten too little: his attack is weaker [3.55].
    pub const HUNGRY: Self = Self(1 << 25);
    /// Has long had next to nothing: his defence is weaker, too [3.55].
    pub const STARVED: Self = Self(1 << 26);
    /// Commands for his lord: he inspires nobody [3.46].
    pub const VASSAL: Self = Self(1 << 27);
    /// Is still on his way to the field; his run is the turn in which he comes \[S20\].
    pub const LATE: Self = Self(1 << 28);
    /// Has a title: baron or emir; prince; king or sultan, who has both marks [3.62].
    pub const BARON: Self = Self(1 << 29);
    pub const PRINCE: Self = Self(1 << 30);

    const EVERY_TURN: u32 = Self::FRESH.0
        | Self::WATCHED.0
        | Self::ATTACKED.0
        | Self::ASSAILED.0
        | Self::PLEADED.0
        | Self::STRONGER.0
        | Self::WEAKER.0
        | Self::ORDERED.0;
    const OWN_TURN: u32 = Self::SHOT.0 | Self::MOVED.0 | Self::CLIMBER.0 | Self::STOPPED.0;

    #[inline]
    pub const fn has(self, mark: Self) -> bool {
        self.0 & mark.0 != 0
    }

    #[inline]
    pub fn set(&mut self, mark: Self, on: bool) {
        if on { self.0 |= mark.0 } else { self.0 &= !mark.0 }
    }

    /// What is forgotten when a player-turn begins: the own one or the enemy's, the first of its turn or the second.
    #[inline]
    pub fn begin_turn(&mut self, own: bool, first: bool) {
        // A weapon that shoots once in a turn of both sides is ready in a new turn. Shot in the own fire phase, it is
        // not ready in the player-turn of the enemy that follows; shot in the enemy's movement, not in the own
        // player-turn of the same turn \[T13\].
        let ready = if own { first || !self.has(Self::WATCHED) } else { first && !self.has(Self::SHOT) };
        if ready {
            self.0 &= !Self::USED.0;
        }
        self.0 &= !Self::EVERY_TURN;
        if own {
            self.0 &= !Self::OWN_TURN;
        }
    }

    #[inline]
    /// Either of two marks; set, both.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Soldier {
    /// Whether he has a mark.
    #[inline]
    pub const fn is(&self, mark: Marks) -> bool {
        self.marks.has(mark)
    }

    /// Whether he is on the field.
    #[inline]
    pub const fn here(&self) -> bool {
        self.at.is_some()
    }

    /// Whether he is on the field and not stunned.
    #[inline]
    pub const fn stands(&self) -> bool {
        self.at.is_some() && !self.is(Marks::STUNNED)
    }

    /// Whether he stands and does not run.
    #[inline]
    pub const fn steady(&self) -> bool {
        self.stands() && !self.is(Marks::PANIC.or(Marks::ROUT))
    }

    /// Whether he is on horseback.
    #[inline]
    pub const fn mounted(&self) -> bool {
        self.is(Marks::MOUNTED)
    }

    /// Where the tail of his horse is.
    #[inline]
    pub fn tail(&self) -> Option<Place> {
        if self.mounted() { self.at?.neighbour(self.facing.opposite()) } else { None }
    }

    /// The one or two hexes that he covers.
    #[inline]
    pub fn hexes(&self) -> impl Iterator<Item = Place> + Clone + use<> {
        self.at.into_iter().chain(self.tail())
    }
}

/// Who commands a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chief {
    /// Which man.
    pub man: Man,
    /// His command.
    pub command: u8,
    /// His fame.
    pub fame: u8,
}

impl Chief {
    /// How far he inspires [3.46].
    #[inline]
    pub const fn range(self) -> u32 {
        (self.command + self.fame) as u32
    }
}

/// What an assault has besides men.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Siege {
    /// Who defends.
    pub defender: Side,
    /// Barrels of oil left.
    pub oil: u8,
    /// Barrels poured in this player-turn.
    pub poured: u8,
    /// Damage of the gate.
    pub gate: u8,
    /// Damage of the keep's door.
    pub door: u8,
    /// Whether the drawbridge was worked in this player-turn.
    pub worked: bool,
    /// Whether the drawbridge is up.
    pub raised: bool,
    /// Breaches that the besieger may still name.
    pub breaches: u8,
    /// Fascines left in the besieger's camp.
    pub fascines: u8,
}

/// An engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Engine {
    /// What it is.
    pub kind: EngineKind,
    /// Whose.
    pub side: Side,
    /// Where; none where it is destroyed.
    pub at: Option<Place>,
    /// Where it looks: a screen's front, or a ladder's top.
    pub facing: Direction,
    /// Hexes moved in this player-turn, or for a ballista the turn in which it shot.
    pub used: u8,
    /// Whether a ladder stands against the wall, or was tipped at in this player-turn.
    pub raised: bool,
    /// Whether it was tipped at, or has struck, in this player-turn.
    pub done: bool,
}

/// Kinds of engines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum EngineKind {
    Ladder,
    Ram,
    Tower,
    Screen,
    Ballista,
    /// A bundle of brushwood.
    Fascine,
}

impl EngineKind {
    /// What it is called.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ladder => "ladder",
            Self::Ram => "ram",
            Self::Tower => "siege tower",
            Self::Screen => "screen",
            Self::Ballista => "ballista",
            Self::Fascine => "fascine",
        }
    }
}

/// A fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fire {
    /// Where.
    pub at: Place,
    /// How many turns it still burns.
    pub left: u8,
}

/// The move that is going on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct March {
    /// Points spent.
    pub spent: u8,
    /// Points there are.
    pub allowance: u8,
    /// The way: where he was after each step, the first where he began.
    pub path: ArrayVec<Waypoint, PATH>,
    /// Who has challenged him.
    pub challenged: ArrayVec<Man, 16>,
    /// Who helps him carry a ladder.
    pub mate: Option<Man>,
    /// Whether he did something that ends in no step: mounted, raised a ladder.
    pub busy: bool,
}

/// A point of a man's way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Waypoint {
    /// Where.
    pub at: Place,
    /// Where he looked.
    pub facing: Direction,
    /// What he had spent.
    pub spent: u8,
    /// His life.
    pub life: u8,
    /// His straight hexes.
    pub run: u8,
}

/// The combat that is going on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Fight {
    /// Who attack.
    pub attackers: Party,
    /// Who are attacked.
    pub defenders: Party,
    /// Which of the attackers charge, a bit each.
    pub charging: u8,
    /// What has still to be dealt out to somebody who is chosen.
    pub hits: u8,
    /// Defenders who have still to retreat.
    pub leaving: Party,
    /// Where the last loser went.
    pub trail: Trail,
    /// Where the losers before him went.
    pub trails: ArrayVec<Trail, { PARTY - 1 }>,
    /// Attackers who may still advance.
    pub advancing: Party,
}

/// Where a loser went.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trail {
    /// Who.
    pub whose: Option<Man>,
    /// The hexes that he stood on, that which he left first before the other, and then his way.
    pub hexes: ArrayVec<Place, 5>,
    /// How many of them he stood on.
    pub vacated: u8,
}

impl Fight {
    /// Where the losers went, whom one may advance after \[T21\].
    pub fn ways(&self) -> impl Iterator<Item = &Trail> + Clone {
        self.trails.iter().chain([&self.trail]).filter(|trail| trail.whose.is_some())
    }
}

/// What is going on. The side that decides follows from it and from the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// The winner of the initiative says who sets up first [3.45].
    Initiative(Side),
    /// The besieger names breaches \[T43\].
    Breach,
    /// A side sets up; it has taken a man, if it has \[T10\].
    Deploy(Side, Option<Man>),
    /// Offensive fire \[T11\].
    Fire,
    /// Movement: whose move comes next? \[T8\]
    Move,
    /// A man moves.
    March(Man),
    /// The other side may shoot at the man who has halted \[T12\].
    Shots(Man),
    /// Combat: who attacks whom? [3.53]
    Combat,
    /// An attack is put together.
    Attack,
    /// The defenders answer [3.54].
    Answer,
    /// A plea for mercy: who pleads with whom [3.58].
    Mercy(Man, Man),
    /// A side chooses who of the other takes the hits [3.54].
    Victim(Side),
    /// A man retreats, with so many hexes left [3.54].
    Retreat(Man, u8),
    /// The attackers may advance \[T21\].
    Advance,
    /// Over.
    Over,
}

/// An order to a formation \[T33\].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Close in with the enemy.
    Close,
    /// Stay where they are.
    Hold,
    /// Shoot whoever can be shot at.
    Shoot,
    /// Fall back.
    FallBack,
}

impl Order {
    /// Their notation.
    pub const WORDS: [(&'static str, Self); 4] =
        [("close", Self::Close), ("hold", Self::Hold), ("shoot", Self::Shoot), ("fall back", Self::FallBack)];
}

/// Why a battle is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ending {
    /// This side has nobody left who can fight.
    Beaten(Side),
    /// This side has gone, as it was ordered.
    Withdrawn(Side),
    /// This side has given it up.
    GivenUp(Side),
    /// Night falls.
    Night,
    /// The place is taken.
    Taken,
}

impl Field {
    /// An empty field.
    pub fn new(columns: u8, rows: u8, chiefs: [Chief; 2]) -> Self {
        Self {
            columns,
            rows,
            ground: Grid::EMPTY,
            on: Grid::EMPTY,
            men: ArrayVec::new(),
            engines: ArrayVec::new(),
            fires: ArrayVec::new(),
            oiled: ArrayVec::new(),
            chiefs,
            siege: None,
            keep: None,
            turn: 1,
            last: 1,
            active: Side::First,
            first: Side::First,
            retreats: [false; 2],
            march: March::default(),
            fight: Fight::default(),
            ordered: None,
            ended: None,
            agenda: Agenda::default(),
        }
    }

    /// The man with a number.
    #[inline]
    pub fn man(&self, man: Man) -> &Soldier {
        &self.men[man.number()]
    }

    /// The man with a number, to be changed.
    #[inline]
    pub fn man_mut(&mut self, man: Man) -> &mut Soldier {
        &mut self.men[man.number()]
    }

    /// All men, whatever has become of them.
    #[inline]
    pub fn all(&self) -> impl DoubleEndedIterator<Item = (Man, &Soldier)> + Clone {
        self.men.iter().enumerate().map(|(number, soldier)| (Man::at(number), soldier))
    }

    /// The men of a side who are on the field.
    #[inline]
    pub fn of(&self, side: Side) -> impl Iterator<Item = (Man, &Soldier)> + Clone {
        self.all().filter(move |(_, m)| m.side == side && m.here())
    }

    /// The man with a name.
    #[inline]
    pub fn find(&self, who: Who) -> Option<Man> {
        self.men.iter().position(|m| m.who == who).and_then(Man::try_at)
    }

    /// The engine with a number.
    #[inline]
    pub fn engine(&self, engine: EngineId) -> &Engine {
        &self.engines[engine.number()]
    }

    /// The engine with a number, to be changed.
    #[inline]
    pub fn engine_mut(&mut self, engine: EngineId) -> &mut Engine {
        &mut self.engines[engine.number()]
    }

    /// All engines that are not destroyed.
    #[inline]
    pub fn engines(&self) -> impl Iterator<Item = (EngineId, &Engine)> + Clone {
        let all = self.engines.iter().enumerate().map(|(number, e)| (EngineId::at(number), e));
        all.filter(|(_, e)| e.at.is_some())
    }

    /// Whether a hex is on the field.
    #[inline]
    pub fn has(&self, place: Place) -> bool {
        place.row() < usize::from(self.rows) && place.column() < usize::from(self.columns)
    }

    /// The hex next to another, if the field has it.
    #[inline]
    pub fn next(&self, place: Place, direction: Direction) -> Option<Place> {
        place.neighbour(direction).filter(|to| self.has(*to))
    }

    /// The hexes next to another.
    #[inline]
    pub fn around(&self, place: Place) -> impl Iterator<Item = Place> + '_ {
        Direction::ALL.into_iter().filter_map(move |direction| self.next(place, direction))
    }

    /// Every hex of the field.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (rows, columns) = (usize::from(self.rows), usize::from(self.columns));
        (0..rows).flat_map(move |row| (0..columns).filter_map(move |column| Place::new(row, column)))
    }

    /// The ground of a hex; a raised drawbridge is moat \[T35\].
    #[inline]
    pub fn terrain(&self, place: Place) -> Terrain {
        match Terrain::at(self.ground.get(place) & !INNER) {
            Terrain::Drawbridge if self.siege.is_some_and(|siege| siege.raised) => Terrain::Moat,
            terrain => terrain,
        }
    }

    /// Whether a drawbridge spans a hex, raised or not.
    pub fn is_bridge(&self, place: Place) -> bool {
        Terrain::at(self.ground.get(place) & !INNER) == Terrain::Drawbridge
    }

    /// Changes the ground of a hex.
    #[inline]
    pub fn set_terrain(&mut self, place: Place, terrain: Terrain) {
        self.ground.set(place, terrain as u8 | self.ground.get(place) & INNER);
    }

    /// Whether a hex lies within the walls, these included.
    #[inline]
    pub fn inner(&self, place: Place) -> bool {
        self.ground.get(place) & INNER != 0
    }

    /// Finds out which hexes lie within the walls: those that nobody reaches from the edge without crossing them.
    pub fn wall_in(&mut self) {
        let wall = |terrain| matches!(terrain, Terrain::Battlement | Terrain::WallTower | Terrain::Gate);
        let edge = |at: Place| {
            at.row() == 0
                || at.column() == 0
                || at.row() + 1 == usize::from(self.rows)
                || at.column() + 1 == usize::from(self.columns)
        };
        let mut outside = Grid::EMPTY;
        let mut open: ArrayVec<Place, CELLS> =
            self.places().filter(|at| edge(*at) && !wall(self.terrain(*at))).collect();
        for at in &open {
            outside.set(*at, 1);
        }
        while let Some(at) = open.pop() {
            for next in Direction::ALL.into_iter().filter_map(|d| self.next(at, d)) {
                if outside.get(next) == 0 && !wall(self.terrain(next)) {
                    outside.set(next, 1);
                    open.push(next);
                }
            }
        }
        for at in self.places() {
            if outside.get(at) == 0 {
                self.ground.set(at, self.ground.get(at) | INNER);
            }
        }
        self.keep = self.places().find(|at| self.terrain(*at) == Terrain::KeepInterior);
    }

    /// The man on a hex.
    #[inline]
    pub fn man_on(&self, place: Place) -> Option<Man> {
        match self.on.get(place) {
            0 | ENGINE | HORSE => None,
            number => Man::try_at(usize::from(number) - 1),
        }
    }

    /// Whether nothing stands on a hex.
    #[inline]
    pub fn is_free(&self, place: Place) -> bool {
        self.on.get(place) == 0
    }

    /// Whose loose horse stands on a hex.
    pub fn horse_on(&self, place: Place) -> Option<Man> {
        if self.on.get(place) != HORSE {
            return None;
        }
        self.men.iter().position(|m| m.horse == Some(place)).and_then(Man::try_at)
    }

    /// Where loose horses stand.
    pub fn horses(&self) -> impl Iterator<Item = Place> + '_ {
        self.men.iter().filter_map(|m| m.horse)
    }

    /// Takes a man's mark off the hexes that he covers.
    #[inline]
    pub fn lift(&mut self, man: Man) {
        let soldier = *self.man(man);
        for place in soldier.hexes() {
            // A man who walks through a friend is not on that friend's hex.
            if self.man_on(place) == Some(man) {
                self.on.set(place, 0);
            }
        }
    }

    /// Puts a man's mark on the hexes that he covers.
    #[inline]
    pub fn set_down(&mut self, man: Man) {
        let soldier = *self.man(man);
        if !soldier.is(Marks::ABOARD) {
            for place in soldier.hexes() {
                self.on.set(place, man.number() as u8 + 1);
            }
        }
    }

    /// How far apart two men are: the nearest of their hexes \[T1\].
    pub fn apart(&self, one: Man, other: Man) -> u32 {
        let (one, other) = (self.man(one), self.man(other));
        let all = one.hexes().flat_map(|a| other.hexes().map(move |b| a.distance(b)));
        all.min().unwrap_or(u32::MAX)
    }

    /// How far a hex is from the nearest enemy of a side who stands.
    pub fn from_foes(&self, place: Place, side: Side) -> u32 {
        let foes = self.of(side.foe()).filter(|(_, m)| m.stands());
        foes.flat_map(|(_, m)| m.hexes()).map(|at| at.distance(place)).min().unwrap_or(99)
    }

    /// The side that has the assault to repel, if there is one.
    #[inline]
    pub fn defender(&self) -> Option<Side> {
        self.siege.map(|siege| siege.defender)
    }

    /// How many rows a hex is from a side's own edge; in an assault the garrison has none, and its keep counts.
    pub fn to_edge(&self, place: Place, side: Side) -> u32 {
        if self.defender() == Some(side) {
            return self.keep.map_or(0, |keep| keep.distance(place));
        }
        if self.siege.is_some() {
            // Besiegers run wherever the open country is nearest.
            let (row, column) = (place.row(), place.column());
            let south = usize::from(self.rows) - 1 - row;
            let east = usize::from(self.columns) - 1 - column;
            return row.min(south).min(column).min(east) as u32;
        }
        match side {
            Side::First => (usize::from(self.rows) - 1 - place.row()) as u32,
            Side::Second => place.row() as u32,
        }
    }

    /// The way to the enemy's edge, which a side looks at when it sets up.
    pub const fn forward(side: Side) -> [Direction; 2] {
        match side {
            Side::First => [pointy::NORTH_EAST, pointy::NORTH_WEST],
            Side::Second => [pointy::SOUTH_EAST, pointy::SOUTH_WEST],
        }
    }

    /// The step that is going on.
    #[inline]
    pub fn step(&self) -> Step {
        self.agenda.now().copied().unwrap_or(Step::Over)
    }

    /// The side that must decide, unless it is over.
    #[inline]
    pub fn deciding(&self) -> Option<Side> {
        Some(match self.step() {
            Step::Initiative(side) | Step::Deploy(side, _) | Step::Victim(side) => side,
            Step::Breach => self.defender()?.foe(),
            Step::Fire | Step::Move | Step::March(_) | Step::Combat | Step::Attack => self.active,
            Step::Shots(_) | Step::Answer => self.active.foe(),
            Step::Mercy(pleader, _) => self.man(pleader).side.foe(),
            Step::Retreat(man, _) => self.man(man).side,
            Step::Advance => self.active,
            Step::Over => return None,
        })
    }
}
