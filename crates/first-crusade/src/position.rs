//! The position: where every counter is, the tracks, and the agenda of steps that are going on.
//!
//! Plain data without references. What nobody knows yet is not decided yet: bins have no order.

use serde::{Deserialize, Serialize};
use table::{Agenda, Seat, SeatSet};

use crate::data::{Components, Event, FLEETS, NONE, SPACES, UNITS};
use crate::set::Set;

/// The place of a unit in its bin; for a mercenary, the Pilgrimage bin.
pub const BIN: u8 = 200;
/// The place of an eliminated leader.
pub const BOX: u8 = 201;
/// The place of a unit that is out of the game.
pub const OUT: u8 = 202;
/// The place of a unit that is about to be placed.
pub const WAITING: u8 = 203;

/// What was chosen at set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableRules {
    /// Sieges and massacres [opt-34].
    pub sieges: bool,
    /// Christian cavalry and combined arms [opt-35].
    pub cavalry: bool,
    /// Crusader kingdoms [opt-36].
    pub kingdoms: bool,
    /// How many play [opt-37].
    pub seats: u8,
    /// Whether the one who contributed most wins alone [opt-37].
    pub contribution: bool,
    /// The last turn.
    pub last_turn: u8,
    /// Points for a draw, a victory, an overwhelming victory.
    pub levels: [i16; 3],
    /// The space that decides the guided scenario.
    pub goal: u8,
    /// Neither events nor Muslim reaction.
    pub quiet: bool,
}

/// The whole truth at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// Who stands in each space.
    #[serde(with = "table::wide")]
    pub here: [Set; SPACES],
    /// Who the concealed counters of each space may be, as far as all can remember.
    #[serde(with = "table::wide")]
    pub rumour: [Set; SPACES],
    /// Where each unit is: a space, or one of the places above.
    #[serde(with = "table::wide")]
    pub place: [u8; UNITS],
    /// Units on their reduced side.
    pub reduced: Set,
    /// Muslim units on the map whose faces are known.
    pub shown: Set,
    /// What each fleet carries, by the fleet's number.
    pub cargo: [u8; FLEETS],
    /// The boons that each player holds, as bits.
    pub boons: [u32; 3],
    /// The turn, 1 to 9.
    pub turn: u8,
    /// Standard actions left.
    pub standard: u8,
    /// Actions spent this turn.
    pub spent: u8,
    /// The Special Actions index.
    pub special: u8,
    /// The Muslim reaction level, 1 to 3.
    pub reaction: u8,
    /// Whether Armenia is activated [30.1].
    pub armenia: bool,
    /// Whether the Fatimids have taken Jerusalem [27.10].
    pub fatimids: bool,
    /// Whether only Crusaders act this turn [35.christian-infighting].
    pub infighting: bool,
    /// Spaces with a camp.
    pub camps: Set,
    /// Spaces with a castle.
    pub castles: Set,
    /// Spaces with a monastery.
    pub monasteries: Set,
    /// Spaces under siege.
    pub sieges: Set,
    /// Spaces with a massacre.
    pub massacres: Set,
    /// Who bears the title of each kingdom, in the order of the Pilgrimage fortresses.
    pub titles: [u8; 5],
    /// Who may take the present action.
    pub word: Seat,
    /// Who has had the word for it, or has been asked in a window.
    pub asked: SeatSet,
    /// The force that is formed or on its way.
    pub march: March,
    /// The battle that is fought.
    pub battle: Battle,
    /// Units that can still be chosen to lose a step.
    pub pool: Set,
    /// Whether a counter was just placed that nobody may know.
    pub breath: bool,
    /// The table's own rules.
    pub table: TableRules,
    /// How it ended.
    pub result: Option<Ending>,
    /// What is going on.
    pub agenda: Agenda<Step, 10>,
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ending {
    /// After the last winter: points count.
    Counted,
    /// All fortresses are Christian and Jerusalem is the Crusaders' [6.3].
    SuddenVictory,
    /// No Crusader leader is on the map [6.3].
    SuddenDefeat,
    /// The guided scenario's goal was reached, or not.
    Goal(bool),
}

/// A force on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct March {
    /// Who is in it now.
    pub force: Set,
    /// Everybody who marched with it, dropped or picked up.
    pub joined: Set,
    /// Where it began.
    pub start: u8,
    /// Where it is.
    pub at: u8,
    /// The dice, added up.
    pub roll: u8,
    /// How many dice.
    pub dice: u8,
    /// Movement points left.
    pub left: u8,
    /// Its contingent.
    pub family: u8,
    /// By sea.
    pub sea: bool,
    /// Declared a supplied march [22.0].
    pub supplied: bool,
    /// Whether it entered a desert.
    pub desert: bool,
    /// Whether it has moved at all.
    pub moved: bool,
    /// Whether it stands before Muslims and must stop.
    pub engaged: bool,
    /// Whether it is being put together from one unit.
    pub picking: bool,
    /// Fortresses and camps that Christians held when it began [22.0].
    pub havens: Set,
}

impl March {
    pub(crate) const NONE: Self = Self {
        force: Set::NONE,
        joined: Set::NONE,
        start: NONE,
        at: NONE,
        roll: 0,
        dice: 0,
        left: 0,
        family: 0,
        sea: false,
        supplied: false,
        desert: false,
        moved: false,
        engaged: false,
        picking: false,
        havens: Set::NONE,
    };
}

/// A battle [23.0].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Battle {
    /// Where; [`NONE`] when there is none.
    pub space: u8,
    /// The Christians who fight.
    pub christians: Set,
    /// The Muslims who fight.
    pub muslims: Set,
    /// Muslims who were there before the reinforcements.
    pub garrison: Set,
    /// Whether the Muslims attack.
    pub muslims_attack: bool,
    /// Whether the defender stands behind walls [23.5].
    pub walls: bool,
    /// Whether it is a siege attack [opt-34.2].
    pub siege: bool,
    /// Muslim advantage by ambush or jihad.
    pub bonus: u8,
    /// Reinforcement dice taken away by treachery.
    pub fewer: u8,
    /// Whether a boon gives the Christians +1.
    pub sword: bool,
    /// Whether the Christians have the Tactical Edge.
    pub edge: bool,
    /// How many rounds it lasts.
    pub rounds: u8,
    /// The present round.
    pub round: u8,
    /// Leaders lost: Christian, Muslim.
    pub leaders_lost: [u8; 2],
    /// Who leads on the Christian side: whose seat decides.
    pub family: u8,
}

impl Battle {
    pub(crate) const NONE: Self = Self {
        space: NONE,
        christians: Set::NONE,
        muslims: Set::NONE,
        garrison: Set::NONE,
        muslims_attack: false,
        walls: false,
        siege: false,
        bonus: 0,
        fewer: 0,
        sword: false,
        edge: false,
        rounds: 0,
        round: 0,
        leaders_lost: [0; 2],
        family: 0,
    };
}

/// Where in a turn we are [8.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Phase {
    /// The random event.
    Event,
    /// Standard actions.
    Standard,
    /// How many Special Actions there are.
    Determination,
    /// Special Actions.
    Special,
    /// Does the reaction level rise?
    Reaction,
    /// The counteroffensive.
    Counteroffensive,
    /// Winter supply of the Christians.
    Winter,
    /// Winter supply of the Muslims, and the end of the turn.
    End,
}

/// What a march has still to go through when it has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Close {
    /// Attrition.
    Attrition,
    /// Enemies in the space.
    Contact,
    /// A camp to use up.
    Camp,
}

/// The course of a battle [23.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stage {
    /// Boons before the reinforcements.
    Eve,
    /// Reinforcements.
    Reinforce,
    /// Boons for the Tactical Edge.
    Dawn,
    /// The Tactical Edge and the number of rounds.
    Edge,
    /// The side with the edge fires.
    First,
    /// The other side fires.
    Second,
    /// Another round?
    Round,
    /// The battle is over.
    Over,
}

/// Why units lose steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Cause {
    /// Attrition of a march [18.2].
    March,
    /// Hunger in winter [28.2].
    Winter,
    /// Hits in a battle [23.2].
    Battle,
}

/// Where a unit may be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Landing {
    /// Constantinople or a port that Crusaders control.
    CrusaderPort,
    /// Constantinople or a port that Christians occupy [24.0].
    AnyPort,
}

/// One step of the agenda.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// The sequence of a turn.
    Turn(Phase),
    /// Boons at the start of the Special Actions.
    Shields,
    /// Boons before the Muslim reaction.
    Council,
    /// Choose an action.
    Choose,
    /// Form a force.
    Force,
    /// Move it.
    March,
    /// It has stopped.
    Close(Close),
    /// Attack, besiege or join a siege [opt-34.1].
    Gate,
    /// Which camp is used up [22.1].
    Camps,
    /// Choose reduced units to restore.
    Rally {
        /// Where.
        space: u8,
        /// How many.
        left: u8,
    },
    /// Markers still to be picked on a pilgrimage.
    Pilgrim {
        /// Who.
        leader: u8,
        /// How many.
        left: u8,
    },
    /// Units wait for a place.
    Landing(Landing),
    /// An event happens.
    Event(Event),
    /// A leader is named: for the Assassins, or to go home.
    Named(Event),
    /// The counteroffensive table is consulted.
    Counter {
        /// The Muslims' additional edge.
        bonus: u8,
    },
    /// A battle.
    Battle(Stage),
    /// Christian units are chosen to lose steps.
    Losses {
        /// How many steps.
        left: u8,
        /// Why.
        cause: Cause,
    },
    /// Muslim units are chosen to be hit.
    Strikes {
        /// How many.
        left: u8,
    },
    /// Where to withdraw.
    Withdraw,
    /// Which contingent is given up.
    Crowded {
        /// Where.
        space: u8,
    },
    /// A counter was placed that nobody may know; what follows is told apart from it. There is nothing to
    /// decide: the table goes on by itself.
    Breath,
    /// Forces without supply.
    Hunger {
        /// Their spaces.
        spaces: Set,
    },
}

impl Position {
    /// All counters in their bins, nothing going on.
    pub(crate) fn empty(components: &Components, table: TableRules) -> Self {
        let mut place = [OUT; UNITS];
        place[..components.units.len()].fill(BIN);
        Self {
            here: [Set::NONE; SPACES],
            rumour: [Set::NONE; SPACES],
            place,
            reduced: Set::NONE,
            shown: Set::NONE,
            cargo: [NONE; FLEETS],
            boons: [0; 3],
            turn: 1,
            standard: 0,
            spent: 0,
            special: 0,
            reaction: 1,
            armenia: false,
            fatimids: false,
            infighting: false,
            camps: Set::NONE,
            castles: Set::NONE,
            monasteries: Set::NONE,
            sieges: Set::NONE,
            massacres: Set::NONE,
            titles: [NONE; 5],
            word: Seat::new(0),
            asked: SeatSet::NONE,
            march: March::NONE,
            battle: Battle::NONE,
            pool: Set::NONE,
            breath: false,
            table,
            result: None,
            agenda: Agenda::default(),
        }
    }

    /// Puts a unit into a space.
    #[inline]
    pub(crate) fn put(&mut self, u: u8, s: u8) {
        self.lift(u);
        self.place[usize::from(u)] = s;
        self.here[usize::from(s)].insert(u);
    }

    /// Takes a unit off the map, for a moment.
    #[inline]
    pub(crate) fn lift(&mut self, u: u8) {
        let s = usize::from(self.place[usize::from(u)]);
        if s < SPACES {
            self.here[s].remove(u);
        }
    }

    /// Takes a unit off the map, to one of the places beside it.
    #[inline]
    pub(crate) fn stow(&mut self, u: u8, place: u8) {
        self.lift(u);
        self.place[usize::from(u)] = place;
        self.reduced.remove(u);
        self.shown.remove(u);
    }

    /// Whether a unit is on the map.
    #[inline]
    pub fn on_map(&self, u: u8) -> bool {
        usize::from(self.place[usize::from(u)]) < SPACES
    }

    /// All boons that anybody holds.
    #[inline]
    pub fn held(&self) -> u32 {
        self.boons[0] | self.boons[1] | self.boons[2]
    }
}
