//! The position: plain data. `Open` is all that everybody may know, `Hidden` the rest.
//!
//! Nothing that can be told from the rest is stored: control, presence, covered icons, the four tracks, supply
//! needed and the strength of a side in battle are counted whenever they are asked for (`flow/ground`). A piece has no
//! Slot of its own: what is covered follows from how many pieces of each shape stand in a region.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use table::{Agenda, Map, Set};

use crate::data::March as Kind;
use crate::ids::{
    Army, Event, Icon, Leader, Mission, Objective, Order, Owner, Piece, Region, Road, Side, Sides, Slot,
    Space, Treaty, UNITS, Unit,
};

/// How deep things can lie inside each other: a round, an activation, a march, a battle, losses, bandits.
pub const DEPTH: usize = 10;

/// The whole truth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// All that everybody may know.
    pub open: Open,
    /// What only its owner may know, or his alliance.
    pub hidden: Hidden,
}

/// All that everybody may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Open {
    /// What kind of game it is.
    pub table: Table,
    /// The period, from 0.
    pub period: u8,
    /// Whose marker stands where on the initiative track; a lone player of three has two.
    pub initiative: ArrayVec<Army, 4>,
    /// What stands in each region.
    pub lands: Map<Region, Force>,
    /// Leaders who may still come into the game by a card or from the pool.
    pub away: Set<Leader>,
    /// Leaders aboard the ships.
    pub aboard: Set<Leader>,
    /// Leaders who show their other side.
    pub flipped: Set<Leader>,
    /// Tokens, Sabotage and Destroyed Ports of each region.
    pub works: Map<Region, Works>,
    /// Bandits on each road.
    pub bandits: Map<Road, u8>,
    /// The orders on the map, by alliance.
    pub orders: Sides<Map<Region, Option<Placed>>>,
    /// Orders of this round that lie open beside the board.
    pub aside: Map<Order, u8>,
    /// Advanced Orders that were bought or given.
    pub bought: Set<Order>,
    /// Gold.
    pub gold: Map<Army, u8>,
    /// Current command points.
    pub command: Map<Army, u8>,
    /// Base command from cards.
    pub bonus: Map<Army, u8>,
    /// Glory: above nought the Crusaders', below it the Muslims'.
    pub glory: i8,
    /// Faith: of two partners above nought the first one's, below it the other's; of a lone player his own.
    pub faith: Sides<i8>,
    /// The active mission, the future one, and those that have been seen.
    pub mission: Option<Mission>,
    /// The mission of the next round.
    pub future: Option<Mission>,
    /// Missions that have been drawn.
    pub missions: Set<Mission>,
    /// The diplomacy card of the round.
    pub treaty: Option<Treaty>,
    /// Diplomacy cards that have been drawn.
    pub treaties: Set<Treaty>,
    /// Whose marker lies on each space of the diplomacy board.
    pub board: Map<Space, Option<Army>>,
    /// The space that each army took last.
    pub envoy: Map<Army, Option<Space>>,
    /// The event rows: the cards under the four values, once they are open.
    pub rows: Map<Army, [Option<Event>; 4]>,
    /// How many cards each army has still to select.
    pub picks: Map<Army, u8>,
    /// Cards that their owners may still play in this round.
    pub cards: Set<Event>,
    /// Who has passed, or is done with deploying.
    pub passed: Set<Army>,
    /// Who has chosen, where all choose at once.
    pub chosen: Set<Army>,
    /// The bids, once they are open.
    pub bids: Map<Army, Option<u8>>,
    /// Who took each reward.
    pub rewards: [Option<Army>; 5],
    /// Objectives that lie open.
    pub shown: Map<Army, Set<Objective>>,
    /// Deployment points that are left.
    pub points: Map<Army, u8>,
    /// What is going on, and inside what.
    pub agenda: Agenda<Step, DEPTH>,
    /// The march that is being made.
    pub march: Option<March>,
    /// Columns that are on their way, the next one last.
    pub columns: ArrayVec<Column, 2>,
    /// The battle that is being fought.
    pub battle: Option<Battle>,
    /// Pieces that have to find a place.
    pub retreat: Option<Retreat>,
    /// What a ship is to land in the next port.
    pub cargo: Force,
    /// What it keeps aboard meanwhile, for a second port.
    pub kept: Force,
    /// How it ended, once it has.
    pub result: Option<Verdict>,
}

/// What kind of game it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// Who plays.
    pub party: Set<Army>,
    /// The regions of the boards in play.
    pub ground: Set<Region>,
    /// The last period, from 0.
    pub last: u8,
    /// Objectives of each player.
    pub objectives: u8,
    /// Whether it began with the variable set-up.
    pub variable: bool,
    /// Whether it is the guided round.
    pub guided: bool,
}

/// Pieces together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Force {
    /// Units by owner and kind.
    pub units: Map<Owner, [u8; 3]>,
    /// Leaders.
    pub leaders: Set<Leader>,
}

/// What has been laid in a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Works {
    /// The token in each Slot.
    pub tokens: Map<Slot, Option<Icon>>,
    /// Slots under Sabotage, a bit each.
    pub sabotage: u16,
    /// Ports that are destroyed.
    pub ruined: u8,
}

/// An order on the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Placed {
    /// Whose.
    pub army: Army,
    /// Which, once it was turned for all to see.
    pub face: Option<Order>,
}

/// What only its owner may know, or his alliance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hidden {
    /// Event cards in hand.
    pub hands: Map<Army, Set<Event>>,
    /// Event cards laid under the values, face down.
    pub laid: Map<Army, [Option<Event>; 4]>,
    /// An order taken from the box and not yet placed.
    pub ready: Map<Army, Option<Order>>,
    /// Which order lies where.
    pub orders: Sides<Map<Region, Option<Order>>>,
    /// Objectives in hand.
    pub objectives: Map<Army, Set<Objective>>,
    /// The objective that each has chosen to discard.
    pub discards: Map<Army, Option<Objective>>,
    /// Bids, until they are open.
    pub bids: Map<Army, Option<u8>>,
    /// Orders chosen for tithe, until they are open.
    pub tithes: Map<Army, Set<Region>>,
    /// Advanced Orders chosen to be bought, until they are open.
    pub buys: Map<Army, Set<Order>>,
}

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// These draw objectives, one after the other [setup.3, setup.variable].
    Deal {
        /// How many each draws.
        count: u8,
        /// Who has drawn.
        dealt: Set<Army>,
    },
    /// All discard an objective at once [setup.variable].
    Keep,
    /// One piece a turn is deployed [setup.variable].
    Deploy {
        /// Whose marker has the turn.
        turn: u8,
    },
    /// All lay their cards at once [1.1].
    Lay,
    /// Cards are selected [1.2].
    Market {
        /// Whose marker has the turn.
        turn: u8,
    },
    /// Orders are placed [2.1].
    Plan {
        /// Whose marker has the turn.
        turn: u8,
    },
    /// Orders and cards are executed [3.1].
    Command {
        /// Whose marker has the turn.
        turn: u8,
    },
    /// A card, an order, a reward or a space is carried out, part by part.
    Deed(Deed),
    /// A march is put together.
    March,
    /// The mover of a disperse says which battle comes first.
    Which,
    /// Columns move, one after the other.
    Columns,
    /// Bandits strike those who pass.
    Bandits(Ambush),
    /// The battle goes on.
    Battle,
    /// A side bears its losses [battle.7].
    Losses(Losses),
    /// Pieces find a place [battle.9].
    Retreat,
    /// The winner chooses what finds no Slot [battle.9].
    Excess {
        /// Who chooses.
        army: Army,
    },
    /// All bid at once [4.1].
    Bids,
    /// Rewards are chosen [4.2].
    Reward {
        /// How many have been chosen.
        taken: u8,
    },
    /// The lowest bidder's reward is chosen by his enemies [4.2].
    Bestow {
        /// Whose reward.
        army: Army,
        /// What the first of them proposed.
        proposal: Option<u8>,
        /// What the other named instead.
        other: Option<u8>,
    },
    /// A player moves on the diplomacy board, by the numbers of rewards [4.3].
    Envoys {
        /// The next number.
        number: u8,
    },
    /// A player moves on the diplomacy board [4.4].
    Advance {
        /// Who.
        army: Army,
        /// How many moves are left.
        left: u8,
    },
    /// The steps of the Upkeep Phase.
    Upkeep(Chore),
    /// Those short of supply remove Units, in initiative order [5.4a].
    Starve {
        /// Those who have still to.
        short: Set<Army>,
    },
    /// Ships land [5.7].
    Land {
        /// Those who have still to.
        left: Set<Army>,
        /// The one who lands now, once his cargo lies ready.
        now: Option<Army>,
        /// The port that he has used, of two.
        first: Option<Region>,
    },
    /// Objectives are revealed for Glory [end.1].
    Reveal,
    /// It is over.
    Over,
}

/// The steps of the Upkeep Phase that somebody may have to decide in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Chore {
    /// Tithes, chosen at once [5.2].
    Tithe,
    /// Advanced Orders, bought at once [5.4b].
    Buy,
}

/// Something that is carried out part by part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Deed {
    /// Who acts.
    pub army: Army,
    /// What is carried out.
    pub source: Source,
    /// Parts that are done, or cannot be done any more, a bit each.
    pub done: u8,
    /// The branch of an OR that was chosen; 0 before.
    pub branch: u8,
    /// Whether anything of the main event, and of the crown event, has been done.
    pub begun: [bool; 2],
    /// Whether the crowns that the crown event needs are there or paid for.
    pub crowned: bool,
    /// The region that `same` means, for the main event and for a crown event that stands by itself.
    pub anchor: [Option<Region>; 2],
    /// The part of several pieces that is under way: which, how many are left, and the region it is bound to.
    pub under_way: Option<(u8, u8, Option<Region>)>,
}

/// What is carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Source {
    /// An event card.
    Event(Event),
    /// An order in a region.
    Order(Order, Region),
    /// A reward of a diplomacy card, by its number from 0.
    Reward(Treaty, u8),
    /// A space of the diplomacy board.
    Space(Space),
}

/// A march that is being made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct March {
    /// Who marches.
    pub army: Army,
    /// How.
    pub kind: Kind,
    /// From where.
    pub from: Region,
    /// Strength that it adds in its battles.
    pub strength: u8,
    /// Whether it ignores bandits.
    pub ignores: bool,
    /// Those who may go.
    pub all: Force,
    /// Those who are to go.
    pub group: Force,
    /// Whether it is the second leg of a forced march, or the second group of a disperse.
    pub second: bool,
    /// Where the first group of a disperse goes.
    pub first: Option<Region>,
}

/// Pieces on their way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Column {
    /// Who leads them.
    pub army: Army,
    /// Who they are.
    pub force: Force,
    /// From where; nowhere, where a card puts them among enemies.
    pub from: Option<Region>,
    /// To where.
    pub to: Region,
    /// Whether they go by sea.
    pub sea: bool,
    /// Whether they ignore bandits.
    pub ignores: bool,
    /// Strength that they add in battle.
    pub strength: u8,
    /// Whether bandits have struck.
    pub struck: bool,
    /// Whether they retreat.
    pub back: bool,
}

/// Whom bandits strike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ambush {
    /// Who chooses.
    pub army: Army,
    /// How many Units are still to be lost.
    pub left: u8,
    /// Units of the chooser and of his partner that were lost.
    pub lost: [u8; 2],
    /// The region whose Units reinforce; else it is the last column.
    pub reinforcing: Option<Region>,
}

/// A battle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Battle {
    /// Where.
    pub region: Region,
    /// Who leads the attack.
    pub attacker: Army,
    /// Who leads the defence, once it is decided.
    pub defender: Army,
    /// Where the attackers came from.
    pub from: Option<Region>,
    /// Whether they came by sea.
    pub sea: bool,
    /// Whether they ignore bandits.
    pub ignores: bool,
    /// Strength that the march adds.
    pub strength: u8,
    /// The attackers, on the road.
    pub force: Force,
    /// Reaction Orders that were executed.
    pub reactions: ArrayVec<Reaction, 16>,
    /// Who has declined since strengths last changed.
    pub declined: Set<Army>,
    /// How far it has come.
    pub stage: Stage,
    /// Who has won.
    pub winner: Option<Side>,
    /// The difference in strength.
    pub margin: u8,
    /// Whether a leader was part of the attack, and of the defence.
    pub led: [bool; 2],
    /// Whether a leader of the loser was killed.
    pub killed: bool,
    /// Whether the defenders left before it was decided: no Glory, no losses.
    pub quiet: bool,
}

/// How far a battle has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Stage {
    /// The weaker side reacts [battle.5].
    React,
    /// The winner suffers [battle.7].
    WinnerLoses,
    /// The loser suffers [battle.7].
    LoserLoses,
    /// The loser retreats [battle.9].
    LoserRetreats,
    /// The winner holds the region [battle.9].
    WinnerStays,
    /// Glory is gained [battle.10].
    Glory,
}

/// A Reaction Order that was executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reaction {
    /// Whose.
    pub army: Army,
    /// Which.
    pub order: Order,
    /// Where it lay.
    pub at: Region,
    /// What a Diversion cancels: the number of an earlier reaction.
    pub against: Option<u8>,
}

/// Losses that are being borne.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Losses {
    /// Who chooses.
    pub army: Army,
    /// How many are left.
    pub left: u8,
    /// Losses of the chooser, of his partner, and of white pieces after the first Unit.
    pub lost: [u8; 3],
    /// Whether nothing has been lost yet.
    pub first: bool,
    /// Whether it is the price of a Tactical Retreat: a Unit of his own, or a white one that goes with him.
    pub tactical: bool,
}

/// Pieces that have to find a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Retreat {
    /// Who sends them.
    pub army: Army,
    /// From where.
    pub from: Region,
    /// Those who are to go together.
    pub group: Force,
    /// Those who wait.
    pub rest: Force,
    /// The only region that they may go to.
    pub only: Option<Region>,
    /// A region that they may not go to.
    pub barred: Option<Region>,
    /// A region over the sea that they may go to.
    pub overseas: Option<Region>,
    /// Whether they ignore bandits.
    pub ignores: bool,
    /// Whether a leader lost now is a leader killed in the battle.
    pub beaten: bool,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// The alliance that won; none in a draw.
    pub side: Option<Side>,
    /// Who is first of it, if it has two and one is.
    pub first: Option<Army>,
    /// By what it won.
    pub way: Way,
    /// By what one of it is first.
    pub tie: Tie,
}

/// By what a game was won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Way {
    /// Enough Glory at a victory check.
    Check,
    /// More Glory at the end.
    Glory,
    /// Level, and Jerusalem.
    Jerusalem,
    /// Level in all.
    Level,
}

/// By what one of two partners is first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Tie {
    /// There is only one.
    Alone,
    /// More of Faith, Mercantile Cities and objectives.
    Points,
    /// Jerusalem.
    Jerusalem,
    /// Gold.
    Gold,
    /// Nothing: both are.
    Shared,
}

impl Force {
    /// Nobody.
    #[inline]
    pub fn none() -> Self {
        Self { units: Map::filled([0; 3]), leaders: Set::NONE }
    }

    /// Whether nobody is there.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.leaders.is_empty() && self.units.values().iter().all(|units| *units == [0; 3])
    }

    /// How many Units of an owner there are.
    #[inline]
    pub fn count(&self, owner: Owner) -> u8 {
        let [a, b, c] = self.units[owner];
        a + b + c
    }

    /// How many Units there are.
    #[inline]
    pub fn all_units(&self) -> u8 {
        self.units.values().iter().map(|[a, b, c]| a + b + c).sum()
    }

    /// How many pieces there are.
    #[inline]
    pub fn size(&self) -> u8 {
        self.all_units() + self.leaders.len() as u8
    }

    /// Adds pieces.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        for (own, more) in self.units.values_mut().iter_mut().zip(other.units.values()) {
            for (n, m) in own.iter_mut().zip(more) {
                *n += m;
            }
        }
        self.leaders |= other.leaders;
    }

    /// Takes pieces away that are there.
    #[inline]
    pub fn subtract(&mut self, other: &Self) {
        for (own, less) in self.units.values_mut().iter_mut().zip(other.units.values()) {
            for (n, m) in own.iter_mut().zip(less) {
                *n -= m;
            }
        }
        self.leaders -= other.leaders;
    }

    /// Adds a piece.
    #[inline]
    pub fn put(&mut self, piece: Piece) {
        match piece {
            Piece::Unit(owner, unit) => self.units[owner][unit as usize] += 1,
            Piece::Leader(leader) => self.leaders.insert(leader),
        }
    }

    /// Takes a piece away that is there.
    #[inline]
    pub fn take(&mut self, piece: Piece) {
        match piece {
            Piece::Unit(owner, unit) => self.units[owner][unit as usize] -= 1,
            Piece::Leader(leader) => self.leaders.remove(leader),
        }
    }

    /// Whether a piece is there.
    #[inline]
    pub fn has(&self, piece: Piece) -> bool {
        match piece {
            Piece::Unit(owner, unit) => self.units[owner][unit as usize] > 0,
            Piece::Leader(leader) => self.leaders.has(leader),
        }
    }

    /// The pieces, one of those that are alike.
    #[inline]
    pub fn kinds(&self) -> impl Iterator<Item = Piece> + '_ {
        let units = self.units.iter().flat_map(|(owner, n)| {
            UNITS
                .into_iter()
                .filter(move |unit| n[*unit as usize] > 0)
                .map(move |unit| Piece::Unit(owner, unit))
        });
        units.chain(self.leaders.iter().map(Piece::Leader))
    }
}

impl Default for Force {
    fn default() -> Self {
        Self::none()
    }
}

impl Open {
    /// The partner of an army, if it plays.
    #[inline]
    pub fn partner(&self, army: Army) -> Option<Army> {
        Some(army.partner()).filter(|partner| self.table.party.has(*partner))
    }

    /// Whether an alliance has one player.
    #[inline]
    pub fn is_lone(&self, side: Side) -> bool {
        side.armies().iter().filter(|army| self.table.party.has(**army)).count() == 1
    }

    /// The armies of an alliance that play.
    #[inline]
    pub fn armies(&self, side: Side) -> Set<Army> {
        let [one, two] = side.armies();
        Set::one(one).with(two) & self.table.party
    }

    /// The place of an army on the initiative track: of two markers the one further ahead.
    #[inline]
    pub fn rank(&self, army: Army) -> usize {
        self.initiative.iter().position(|a| *a == army).unwrap_or(self.initiative.len())
    }

    /// The one of these who is ahead in initiative.
    #[inline]
    pub fn ahead(&self, armies: Set<Army>) -> Option<Army> {
        self.initiative.iter().copied().find(|army| armies.has(*army))
    }

    /// Whose marker this is.
    #[inline]
    pub fn at_turn(&self, turn: u8) -> Army {
        self.initiative[usize::from(turn)]
    }

    /// The next marker.
    #[inline]
    pub fn after(&self, turn: u8) -> u8 {
        if usize::from(turn) + 1 == self.initiative.len() { 0 } else { turn + 1 }
    }

    /// How many orders an army has face down or open on the map.
    #[inline]
    pub fn on_map(&self, army: Army) -> u8 {
        self.orders[army.side()].values().iter().flatten().filter(|placed| placed.army == army).count() as u8
    }

    /// Where a leader stands.
    #[inline]
    pub fn whereabouts(&self, leader: Leader) -> Option<Region> {
        self.lands.iter().find(|(_, force)| force.leaders.has(leader)).map(|(region, _)| region)
    }

    /// Units of an army that are off its board.
    #[inline]
    pub fn off_board(&self, army: Army, unit: Unit) -> u8 {
        let (owner, unit) = (army.owner(), unit as usize);
        let mut sum: u8 = self.lands.values().iter().map(|force| force.units[owner][unit]).sum();
        let mut more = |force: &Force| sum += force.units[owner][unit];
        self.columns.iter().for_each(|column| more(&column.force));
        if let Some(battle) = &self.battle {
            more(&battle.force);
        }
        if let Some(retreat) = &self.retreat {
            more(&retreat.group);
            more(&retreat.rest);
        }
        sum
    }
}

impl Deed {
    /// A deed that begins.
    pub fn new(army: Army, source: Source, anchor: Option<Region>) -> Self {
        Self {
            army,
            source,
            done: 0,
            branch: 0,
            begun: [false; 2],
            crowned: false,
            anchor: [anchor, None],
            under_way: None,
        }
    }
}

impl Hidden {
    /// Nothing is hidden.
    pub fn none() -> Self {
        Self {
            hands: Map::filled(Set::NONE),
            laid: Map::filled([None; 4]),
            ready: Map::filled(None),
            orders: Sides([Map::filled(None), Map::filled(None)]),
            objectives: Map::filled(Set::NONE),
            discards: Map::filled(None),
            bids: Map::filled(None),
            tithes: Map::filled(Set::NONE),
            buys: Map::filled(Set::NONE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::Id as _;

    #[test]
    fn a_position_is_small() {
        let bytes = size_of::<Position>();
        assert!(bytes <= 3072, "{bytes} bytes");
    }

    #[test]
    fn forces_add_and_subtract() {
        let mut force = Force::none();
        let piece = Piece::Unit(Army::at(1).owner(), Unit::Cavalry);
        force.put(piece);
        force.put(Piece::Leader(Leader::at(3)));
        let mut both = force;
        both.add(&force);
        assert_eq!(both.size(), 3, "a leader is himself only");
        both.subtract(&force);
        assert_eq!(both.kinds().collect::<Vec<_>>(), [piece]);
    }
}
