//! The position: where every counter is, the tracks, and the agenda of steps that are going on.
//!
//! Plain data without references. What nobody knows yet is not decided yet: bins have no order. All that
//! everybody may know is [`Open`]; what is hidden is where the Muslims stand whose faces nobody has seen.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};
use table::{Agenda, Map, Seat, SeatSet, Set};

use crate::data::{Components, Event, Family, Fleet, Kingdom, Marker, Space, Unit};

/// Where a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Place {
    /// In its bin; a mercenary, in the Pilgrimage bin.
    Bin,
    /// On the map.
    Map(Space),
    /// Among the eliminated leaders.
    Dead,
    /// Out of the game.
    Out,
    /// About to be placed.
    Waiting,
}

/// What was chosen at set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableRules {
    /// Sieges and massacres [opt-34].
    pub sieges: bool,
    /// Christian cavalry and combined arms [opt-35].
    pub cavalry: bool,
    /// Crusader kingdoms [opt-36].
    pub kingdoms: bool,
    /// Who plays [opt-37].
    pub party: SeatSet,
    /// Whether the one who contributed most wins alone [opt-37].
    pub contribution: bool,
    /// The last turn.
    pub last_turn: u8,
    /// Points for a draw, a victory, an overwhelming victory.
    pub levels: [i16; 3],
    /// The space that decides the guided scenario.
    pub goal: Option<Space>,
    /// The city that is worth what Jerusalem is else, and without which nothing is won.
    pub prize: Option<Space>,
    /// Fortresses that are worth nothing.
    pub idle: Set<Space>,
    /// Neither events nor Muslim reaction.
    pub quiet: bool,
}

/// The whole truth at one moment: what is open, and where every unit is.
///
/// It reads like what is open of it: `p.turn` is `p.open.turn`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// All that everybody may know.
    pub open: Open,
    /// Who stands in each space, the concealed among them.
    pub here: Map<Space, Set<Unit>>,
    /// Where each unit is.
    pub place: Map<Unit, Place>,
}

/// All that everybody may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Open {
    /// Who the concealed counters of each space may be, as far as all can remember.
    pub rumour: Map<Space, Set<Unit>>,
    /// Units on their reduced side.
    pub reduced: Set<Unit>,
    /// Muslim units on the map whose faces are known.
    pub shown: Set<Unit>,
    /// What each fleet carries.
    pub cargo: Map<Fleet, Option<Unit>>,
    /// The boons that each player holds.
    pub boons: [Set<Marker>; 3],
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
    pub camps: Set<Space>,
    /// Spaces with a castle.
    pub castles: Set<Space>,
    /// Spaces with a monastery.
    pub monasteries: Set<Space>,
    /// Spaces under siege.
    pub sieges: Set<Space>,
    /// Spaces with a massacre.
    pub massacres: Set<Space>,
    /// Who bears the title of each kingdom.
    pub titles: Map<Kingdom, Option<Unit>>,
    /// Who may take the present action.
    pub word: Seat,
    /// Who has had the word for it, or has been asked in a window.
    pub asked: SeatSet,
    /// The force that is formed or on its way.
    pub march: Option<March>,
    /// The battle that is fought.
    pub battle: Option<Battle>,
    /// Units that can still be chosen to lose a step.
    pub pool: Set<Unit>,
    /// Whether a counter was just placed that nobody may know.
    pub breath: bool,
    /// The table's own rules.
    pub table: TableRules,
    /// How it ended.
    pub result: Option<Ending>,
    /// What is going on.
    pub agenda: Agenda<Step, 10>,
}

impl Deref for Position {
    type Target = Open;
    #[inline]
    fn deref(&self) -> &Open {
        &self.open
    }
}

impl DerefMut for Position {
    #[inline]
    fn deref_mut(&mut self) -> &mut Open {
        &mut self.open
    }
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
    pub force: Set<Unit>,
    /// Everybody who marched with it, dropped or picked up.
    pub joined: Set<Unit>,
    /// Where it began.
    pub start: Space,
    /// Where it is.
    pub at: Space,
    /// The dice, added up.
    pub roll: u8,
    /// How many dice.
    pub dice: u8,
    /// Movement points left.
    pub left: u8,
    /// How many of the points are for the horses [opt-35.1].
    pub spurred: u8,
    /// Its contingent.
    pub family: Family,
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
    pub havens: Set<Space>,
}

impl March {
    /// A force that is formed where it stands.
    pub(crate) fn forming(force: Set<Unit>, start: Space, family: Family, sea: bool) -> Self {
        Self {
            force,
            joined: Set::NONE,
            start,
            at: start,
            roll: 0,
            dice: 0,
            left: 0,
            spurred: 0,
            family,
            sea,
            supplied: false,
            desert: false,
            moved: false,
            engaged: false,
            picking: false,
            havens: Set::NONE,
        }
    }
}

/// A battle [23.0].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Battle {
    /// Where.
    pub space: Space,
    /// The Christians who fight.
    pub christians: Set<Unit>,
    /// The Muslims who fight.
    pub muslims: Set<Unit>,
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
    /// Christian leaders lost.
    pub leaders_lost: u8,
    /// Muslim leaders lost.
    pub emirs_lost: u8,
    /// Who leads on the Christian side: whose seat decides.
    pub family: Family,
}

impl Battle {
    /// Christians attack in the open field; what else is to be said of it is said by the one who begins it.
    pub(crate) fn at(space: Space, christians: Set<Unit>, family: Family) -> Self {
        Self {
            space,
            christians,
            muslims: Set::NONE,
            muslims_attack: false,
            walls: false,
            siege: false,
            bonus: 0,
            fewer: 0,
            sword: false,
            edge: false,
            rounds: 0,
            round: 0,
            leaders_lost: 0,
            emirs_lost: 0,
            family,
        }
    }
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
        space: Space,
        /// How many.
        left: u8,
    },
    /// Markers still to be picked on a pilgrimage.
    Pilgrim {
        /// Who.
        leader: Unit,
        /// How many.
        left: u8,
    },
    /// A bane does its work; its marker is out of the bin.
    Bane(Marker),
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
        space: Space,
    },
    /// A counter was placed that nobody may know; what follows is told apart from it. There is nothing to
    /// decide: the table goes on by itself.
    Breath,
    /// Forces without supply.
    Hunger {
        /// Their spaces.
        spaces: Set<Space>,
    },
}

impl Position {
    /// All counters in their bins, nothing going on.
    pub(crate) fn empty(components: &Components, table: TableRules) -> Self {
        let exists = |u: Unit| components.units.get(u).is_some();
        Self {
            here: Map::filled(Set::NONE),
            place: Map::new(|u| if exists(u) { Place::Bin } else { Place::Out }),
            open: Open {
                rumour: Map::filled(Set::NONE),
                reduced: Set::NONE,
                shown: Set::NONE,
                cargo: Map::filled(None),
                boons: [Set::NONE; 3],
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
                titles: Map::filled(None),
                word: Seat::new(0),
                asked: SeatSet::NONE,
                march: None,
                battle: None,
                pool: Set::NONE,
                breath: false,
                table,
                result: None,
                agenda: Agenda::default(),
            },
        }
    }

    /// Puts a unit into a space.
    #[inline]
    pub(crate) fn put(&mut self, u: Unit, s: Space) {
        self.lift(u);
        self.place[u] = Place::Map(s);
        self.here[s].insert(u);
    }

    /// Takes a unit off the map, for a moment.
    #[inline]
    fn lift(&mut self, u: Unit) {
        if let Some(s) = self.at(u) {
            self.here[s].remove(u);
        }
    }

    /// Takes a unit off the map, to one of the places beside it.
    #[inline]
    pub(crate) fn stow(&mut self, u: Unit, place: Place) {
        self.lift(u);
        self.place[u] = place;
        self.reduced.remove(u);
        self.shown.remove(u);
    }

    /// The space that a unit stands in, if it is on the map.
    #[inline]
    pub fn at(&self, u: Unit) -> Option<Space> {
        match self.place[u] {
            Place::Map(s) => Some(s),
            Place::Bin | Place::Dead | Place::Out | Place::Waiting => None,
        }
    }

    /// Whether a unit is on the map.
    #[inline]
    pub fn on_map(&self, u: Unit) -> bool {
        self.at(u).is_some()
    }

    /// Whether a unit is in its bin.
    #[inline]
    pub fn in_bin(&self, u: Unit) -> bool {
        self.place[u] == Place::Bin
    }
}

impl Open {
    /// All boons that anybody holds.
    #[inline]
    pub fn held(&self) -> Set<Marker> {
        let [crusaders, byzantines, armenians] = self.boons;
        crusaders | byzantines | armenians
    }

    /// Whether a leader bears a title.
    #[inline]
    pub fn is_titled(&self, leader: Unit) -> bool {
        self.titles.values().contains(&Some(leader))
    }
}
