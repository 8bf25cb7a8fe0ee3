//! The position: plain data. `Open` is all that everybody may know: every piece, the discards, how many cards
//! each holds. `Hidden` is the rest: the two hands, what is left of the deck, and the way that a marching player has
//! laid out.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use table::{Agenda, Map, Seat, Set};

use crate::data::cards::{Ban, Licence, Trigger};
use crate::data::{List, Stance};
use crate::ids::{
    Card, Cards, Leader, Leaders, Power, Powers, Province, Sides, SiegeEvent, Space, Spaces, Unit, Units,
};

/// The most steps inside one another.
pub const DEPTH: usize = 18;

/// The whole truth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// All that everybody may know.
    pub open: Open,
    /// The rest.
    pub hidden: Hidden,
}

/// What not everybody knows.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Hidden {
    /// The hands.
    pub hands: Sides<Cards>,
    /// Of each hand, what was drawn this round and cannot be used yet [8.4.1].
    pub fresh: Sides<Cards>,
    /// Of each hand, what the other player has seen.
    pub known: Sides<Cards>,
    /// The way laid out for the active army, the next space last.
    pub plan: ArrayVec<Planned, 12>,
}

/// A part of a way that was laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Planned {
    /// To this space.
    To(Space),
    /// A movement point is spent waiting.
    Wait,
}

/// Where a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Place {
    /// In the counter tray.
    #[default]
    Tray,
    /// In a space or box.
    At(Space),
    /// In the dead pile.
    Dead,
    /// In the force pool of whoever controls its Power.
    Pool,
    /// Held by this player.
    Prison(Seat),
    /// Out of the game for good.
    Gone,
}

/// Whose a stronghold is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Owner {
    /// A Power's.
    Of(Power),
    /// A city taken by this player, no Power's.
    Taken(Seat),
}

/// A stronghold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hold {
    /// Whether it is a walled city, else a castle.
    pub city: bool,
    /// Whose it is.
    pub owner: Owner,
    /// Whether a castle's garrison is full.
    pub full: bool,
}

/// What is marked at a stronghold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Mark {
    /// The resistance factor, once it is reckoned and while enemies stay.
    pub rf: Option<u8>,
    /// Whether it is besieged.
    pub besieged: bool,
    /// Whether it is blockaded.
    pub blockaded: bool,
    /// Whether the siege began in this round.
    pub begun: bool,
    /// Who has called on it to surrender this turn.
    pub called: Sides<bool>,
    /// Added to its resistance from the start, until it is taken.
    pub while_held: i8,
    /// Added to its resistance from the start, for the game.
    pub for_good: i8,
}

/// Something that is forbidden for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Restriction {
    /// What.
    pub what: Forbidden,
    /// To whom.
    pub seat: Seat,
    /// The rounds of this player after which it is over; none for the turn.
    pub rounds: Option<u8>,
    /// The player whose rounds count.
    pub counts: Seat,
}

/// What is forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Forbidden {
    /// Anything hostile.
    Hostile,
    /// To activate any leader.
    Activate,
    /// To activate leaders of a Power.
    Power(Power),
    /// To activate this leader.
    Leader(Leader),
    /// To move from or into Nile spaces, or where else the event said.
    Along(Along),
    /// To sail.
    Naval,
    /// To command units of other Powers.
    OtherPowers,
}

/// Spaces that an event closes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Along {
    /// The spaces of the Nile.
    Nile,
    /// Harsh terrain.
    Harsh,
    /// A province.
    In(Province),
}

impl Forbidden {
    /// What a ban of the data forbids to a whole side.
    pub(crate) fn side(ban: Ban) -> Self {
        match ban {
            Ban::Hostile => Self::Hostile,
            Ban::Activate => Self::Activate,
            Ban::Move => Self::Along(Along::Nile),
            Ban::Naval => Self::Naval,
            Ban::OtherPowers => Self::OtherPowers,
        }
    }
}

/// What a force passed that has to forage \[15\].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trail {
    /// Spaces with enemy strongholds.
    pub enemy: Spaces,
    /// Harsh spaces without a friendly stronghold.
    pub harsh: Spaces,
    /// Mountain passes, by their lines: how many different ones.
    pub passes: u8,
    lines: [u8; 4],
    /// Friendly strongholds entered and points waited in them.
    pub friendly: u8,
}

impl Trail {
    /// A pass was crossed; each counts once.
    pub fn cross(&mut self, line: u8) {
        let known = &self.lines[..usize::from(self.passes).min(4)];
        if !known.contains(&(line + 1)) {
            if let Some(free) = self.lines.get_mut(usize::from(self.passes)) {
                *free = line + 1;
            }
            self.passes += 1;
        }
    }
}

/// The army that is moving \[10\].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct March {
    /// Whose it is.
    pub seat: Seat,
    /// Its leader; none for a stack of cavalry and for vassals.
    pub leader: Option<Leader>,
    /// All leaders of it.
    pub leaders: Leaders,
    /// Its units.
    pub units: Units,
    /// Where it is.
    pub at: Space,
    /// Where it began.
    pub start: Space,
    /// Where it was before it came here by land.
    pub from: Option<Space>,
    /// Movement points spent.
    pub spent: u8,
    /// Added to everybody's movement allowance.
    pub more: i8,
    /// What the event allows.
    pub licence: Licence,
    /// The value of the card, for desert links and the sea.
    pub ov: u8,
    /// How many units may sail; none if it cannot sail.
    pub ships: Option<u8>,
    /// Whether the sea is the Red Sea.
    pub red_sea: bool,
    /// Whether no fleet has to be found.
    pub fleet: bool,
    /// Whether a force without leader may land anywhere.
    pub lands: bool,
    /// Whether it is a vassal move.
    pub vassal: bool,
    /// Whether it has begun to move.
    pub begun: bool,
    /// Whether it came by sea.
    pub landed: bool,
    /// Whether it came into this space by its own movement, and has not called yet.
    pub arrived: bool,
    /// Whether its movement is over.
    pub over: bool,
    /// How many units must stay behind by a card; they were counted where it started.
    pub hold: u8,
    /// Units that joined on the way, with what was spent then.
    pub late: ArrayVec<(Unit, u8), 20>,
    /// Leaders that joined on the way, with what was spent then.
    pub late_led: ArrayVec<(Leader, u8), 6>,
    /// What it passed.
    pub trail: Trail,
    /// Units left here on the way, who have not foraged yet [15.1].
    pub dropped: Units,
    /// Units that shadow or shadowed it.
    pub shadowed: Units,
    /// Whether anybody shadowed it.
    pub was_shadowed: bool,
}

/// An attempt to intercept, to avoid or to shadow [11, 12].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Try {
    /// What is tried.
    pub what: Trial,
    /// From where.
    pub from: Space,
    /// The leader who rolls.
    pub leader: Option<Leader>,
    /// Who goes along.
    pub leaders: Leaders,
    /// Who goes along.
    pub units: Units,
    /// Added to the roll, and to the battle that may follow, by a card.
    pub ambush: (i8, i8),
    /// What came of it.
    pub result: Option<bool>,
}

/// What is tried.
#[allow(missing_docs)] // their names say it
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Trial {
    Intercept,
    Avoid,
    Shadow,
}

/// A force that moved without being active, and forages in the end.
#[allow(missing_docs)] // their names say it
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Forager {
    pub seat: Seat,
    pub units: Units,
    pub leaders: Leaders,
    pub trail: Trail,
    /// Friendly strongholds it passed, each once.
    pub friendly: Spaces,
    /// Whether it must roll whatever it passed.
    pub must: bool,
    /// Whether it shadows now.
    pub shadows: bool,
    /// Whether it has avoided the active army, and need not roll again [12.3].
    pub avoided: bool,
}

/// One side of a battle.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Host {
    /// Units that count.
    pub units: Units,
    /// Units that do not count and can be lost.
    pub extra: Units,
    /// Leaders.
    pub leaders: Leaders,
    /// The leader whose rating serves.
    pub first: Option<Leader>,
    /// Where it goes back to, for those who came: one of several spaces for several interceptors.
    pub back: Spaces,
    /// Steps still to be lost.
    pub owed: u8,
    /// Steps that the enemy's roll gave.
    pub steps: u8,
    /// The modified die.
    pub die: i8,
    /// Added to the roll.
    pub modifier: i8,
    /// Whether it may play battle events [13.2].
    pub cards: bool,
    /// Whether it tried to avoid and failed.
    pub avoided: bool,
    /// Units lost as wholes.
    pub dead: u8,
    /// Whether the next step must be a Crusader's [13.5].
    pub crusader: bool,
    /// Whether it had a leader when the battle began.
    pub led: bool,
}

/// A battle or an assault.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Battle {
    /// Where.
    pub at: Space,
    /// Who attacks.
    pub attacker: Seat,
    /// The two sides.
    pub hosts: Sides<Host>,
    /// Whether it came by an interception.
    pub interception: bool,
    /// Whether the attacker sallied from a stronghold here.
    pub sally: bool,
    /// Whether the defender besieged.
    pub relief: bool,
    /// Whether the walls are stormed.
    pub assault: bool,
    /// Whether the attacker landed.
    pub landed: bool,
    /// Where the attacker entered from, which bars the defender's retreat.
    pub barred: Option<Space>,
    /// How far it is.
    pub phase: BattlePhase,
    /// The winner, once it is decided; none in a draw.
    pub winner: Option<Seat>,
    /// Whether it is a major victory.
    pub major: bool,
    /// The way of the retreat.
    pub way: ArrayVec<Space, 2>,
    /// Those of the loser who go inside a stronghold here.
    pub sheltered: Units,
    /// Those of the loser who go inside a stronghold here.
    pub sheltered_led: Leaders,
    /// Whether a pursuit was rolled.
    pub pursued: bool,
    /// Added to the pursuit.
    pub pursuit: i8,
    /// The castle's own steps, in an assault.
    pub castle: u8,
    /// Whether a shadower fights, so that the march goes on whoever wins.
    pub aside: bool,
}

/// How far a battle is.
#[allow(missing_docs)] // their names say it
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BattlePhase {
    CardsAttacker,
    CardsDefender,
    Roll,
    AfterAttacker,
    AfterDefender,
    Count,
    Judge,
    Way,
    PursuitCards,
    Pursue,
    Go,
    Fates,
    Reward,
    Over,
}

/// A siege that is being resolved [17.6.3].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Duel {
    /// Where.
    pub at: Space,
    /// Who besieges.
    pub besieger: Seat,
    /// Manpower used this round.
    pub spent: Sides<u8>,
    /// Whether the besieger may still play events.
    pub events: bool,
    /// Whether the besieger may still assault.
    pub assault: bool,
    /// Whether his action was stopped.
    pub stopped: bool,
    /// Added to rolls in an assault this round.
    pub rolls: Sides<i8>,
    /// Columns to the right in an assault this round.
    pub columns: i8,
    /// Steps that each side loses before an assault is rolled.
    pub pre_loss: Sides<u8>,
}

/// What has been chosen for an event so far.
#[allow(missing_docs)] // their names say it
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Chosen {
    pub power: Option<Power>,
    pub leader: Option<Leader>,
    pub space: Option<Space>,
    pub province: Option<Province>,
}

/// An event that is being carried out.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Effects {
    /// Whose card it is.
    pub seat: Seat,
    /// The card; none if it was drawn by Fortunes of War.
    pub card: Card,
    /// The list that is being done.
    pub list: List,
    /// Which operation of it.
    pub at: u8,
    /// Something that the operation counts.
    pub left: u8,
    /// How far the operation is.
    pub stage: u8,
    /// What was chosen.
    pub chosen: Chosen,
    /// Whether any operation was carried out.
    pub done: bool,
}

/// Why steps are lost, which decides what may be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Toll {
    /// In a battle or an assault: anything, the first a Crusader's [13.5].
    Battle,
    /// By pursuit, or by an event: anything.
    Any,
    /// By attrition: full units first [15.2].
    Attrition,
    /// Full units only.
    FullOnly,
}

/// A phase of the turn.
#[allow(missing_docs)] // their names say it
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Phase {
    Arrivals,
    Replacement,
    Muster,
    Deal,
    Initiative,
    Strategy,
    Demobilisation,
    End,
}

/// What is going on, and inside what.
#[allow(missing_docs)] // their names say it
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// The turn; the next phase to begin.
    Turn(Phase),
    /// A player spends replacement points [6.1].
    Replace { seat: Seat },
    /// A player spends points that an event gave.
    Recover { seat: Seat, powers: Powers, left: u8, at: Option<Space> },
    /// A player places leaders [7.1].
    MusterLeaders { seat: Seat },
    /// A player places units and changes garrisons [7.2, 7.3].
    MusterUnits { seat: Seat },
    /// A player is dealt his cards [8.1]; each hand is dealt in an action of its own, so that neither tells of the other.
    Deal { seat: Seat },
    /// A player draws cards that he cannot use before this round ends [8.4.1].
    Draw { seat: Seat, left: u8 },
    /// A player may ransom a leader [8.1].
    Ransom { seat: Seat },
    /// A player's action round [8.2].
    Round { seat: Seat },
    /// What ends a round.
    RoundEnd { seat: Seat },
    /// An event.
    Effects(Effects),
    /// What ends an event: a card drawn, the card put away.
    EventEnd { seat: Seat, card: Card },
    /// Somebody may answer.
    Window { seat: Seat, trigger: Trigger },
    /// The active army is formed [10.2].
    Command,
    /// The army sails [10.8].
    Sail { to: Space },
    /// The army marches on.
    March,
    /// The army came into a space; what is next.
    Entered { stage: u8 },
    /// Those who are near say what they try [11.4].
    Designate { seat: Seat },
    /// The next attempt is rolled.
    Attempts { next: u8 },
    /// Somebody got away: where to? Or an interceptor comes into neutral land: with leave?
    Destination { seat: Seat, which: u8, shadow: bool },
    /// A shadower follows, or stops [12.4.1].
    Follow { seat: Seat, which: u8 },
    /// Those whom a shadower attacks may avoid battle; once they may go away, where to [12.4.1].
    Rearguard { seat: Seat, which: u8, at: Space, from: Space, away: bool },
    /// Who goes inside [17.2].
    Shelter { seat: Seat, at: Space, then_fight: bool },
    /// The besieged may attack those whom a besieger leaves behind [17.9].
    Lift { seat: Seat, at: Space },
    /// A battle.
    Battle,
    /// Steps are lost by both sides of a battle.
    Casualties,
    /// Steps are lost by one force.
    Losses { seat: Seat, left: u8, toll: Toll, pick: Pool, castle: Option<Space> },
    /// The loser retreats [14.1].
    Retreat { seat: Seat },
    /// A leader's refuge [13.6].
    Refuge { seat: Seat, leader: Leader, from: Space },
    /// A castle that was taken may be filled [17.7.3].
    Garrison { seat: Seat, at: Space },
    /// The besieged may fill a castle when a siege begins [17.10.1].
    Man { seat: Seat, at: Space },
    /// Vassals move [8.4].
    Vassals { seat: Seat, left: u8, extra: bool, card: Option<Card> },
    /// Several leaders are activated by an event.
    Activations { effects: Effects },
    /// A diplomacy roll is about to be made [9.5].
    Overture { seat: Seat, asked: Seat, power: Option<Power>, modifier: i8, event: bool, stage: u8 },
    /// A Power is about to shift.
    Shifting { seat: Seat, power: Power, event: bool },
    /// Units must go to one of several friendly strongholds [9.6.1].
    Expelled { seat: Seat, from: Space },
    /// The besieger goes on, storms or stops [17.6.6].
    Press,
    /// A siege event was announced and is carried out.
    Announced { seat: Seat, card: Option<Card>, event: SiegeEvent, stage: u8 },
    /// The besieged may answer an event.
    Answer { seat: Seat, event: SiegeEvent, may_cancel: bool, may_answer: bool, answer: Option<Card> },
    /// The walls are about to be stormed.
    Storm { stage: u8 },
    /// All who must forage do so \[15\].
    Forage { which: u8 },
    /// A player's forces go home [16.1].
    Winter { seat: Seat, at: Option<Space>, late: bool },
}

/// From whom steps are taken: kept apart, so that steps of the agenda stay small.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Pool {
    /// The units marked as struck.
    Struck,
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ending {
    /// A player won by points, or by holding a space.
    Won(Seat),
    /// A player came closest, by the option.
    Marginal(Seat),
    /// The crusade never came [19.2].
    NoCrusade,
    /// Nobody won.
    Draw,
}

/// What the table agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TableRules {
    /// Cards may be combined [8.6].
    pub combine: bool,
    /// A scenario event is dealt to each first [4.3].
    pub dealt: bool,
    /// Whoever comes closest wins [20.2].
    pub marginal: bool,
}

/// How things stood when the turn began, for the page of the year.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Year {
    /// The victory points.
    pub points: Sides<u8>,
    /// The strongholds of each.
    pub held: Sides<Spaces>,
    /// Leaders who were dead, or out of the game.
    pub dead: Leaders,
}

/// All that everybody may know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Open {
    /// The scenario, by its number.
    pub plot: u8,
    /// Who has the next round.
    pub to_play: Seat,
    /// What the table agreed on.
    pub rules: TableRules,
    /// The turn, from 1.
    pub turn: u8,
    /// Where each Power stands.
    pub stance: Map<Power, Stance>,
    /// The units that each player controls, wherever they are: it follows from where the Powers stand.
    pub armies: Sides<Units>,
    /// The strongholds.
    pub holds: Map<Space, Option<Hold>>,
    /// What is marked at them.
    pub marks: Map<Space, Mark>,
    /// Where each unit is.
    pub at: Map<Unit, Place>,
    /// The units in each space.
    pub here: Map<Space, Units>,
    /// Reduced units.
    pub reduced: Units,
    /// Where each leader is.
    pub led: Map<Leader, Place>,
    /// Units inside a stronghold while enemies are in its space.
    pub inside: Units,
    /// Leaders inside a stronghold while enemies are in its space.
    pub inside_led: Leaders,
    /// Whether Jerusalem is still its first owner's [17.1.2].
    pub apart: bool,
    /// Who has the Diplomatic Advantage marker.
    pub marker: Option<Seat>,
    /// Calls that failed [17.5.1].
    pub failed: Sides<u8>,
    /// Whom each player has tried to influence by a card this turn.
    pub tried: Sides<Powers>,
    /// Who has been influenced this turn.
    pub moved_powers: Powers,
    /// Who has tried for the marker by a card this turn.
    pub wooed: Sides<bool>,
    /// Replacement points left in this phase.
    pub points: Map<Power, i8>,
    /// Added to replacement points in the next phase.
    pub points_later: Map<Power, i8>,
    /// Leaders for whom one of two points is paid.
    pub paid: Leaders,
    /// How many cards each holds.
    pub held: Sides<u8>,
    /// How many of them cannot be used before this round ends.
    pub drawn: Sides<u8>,
    /// The discards.
    pub discards: Cards,
    /// Cards out of the game.
    pub removed: Cards,
    /// Whether deck and discards are shuffled together at the end of the turn.
    pub reshuffle: bool,
    /// Cards put together for one action [8.6].
    pub pledged: Cards,
    /// Units that have moved this round.
    pub moved: Units,
    /// Leaders that have moved this round.
    pub moved_led: Leaders,
    /// Whether somebody sailed with this card.
    pub sailed: bool,
    /// Units that need not demobilise this turn.
    pub winter: Units,
    /// What is forbidden for a while.
    pub bans: ArrayVec<Restriction, 10>,
    /// Added to calls for surrender this turn: who, how much, for which Power's leaders.
    pub calls: ArrayVec<(Seat, i8, Option<Power>), 4>,
    /// Free passage: through whose land each player may go, until his next round is over [9.4].
    pub passage: Sides<Powers>,
    /// The army that is moving.
    pub march: Option<March>,
    /// What is tried against it.
    pub tries: ArrayVec<Try, 7>,
    /// Forces that moved without being active.
    pub foragers: ArrayVec<Forager, 6>,
    /// A battle that is fought.
    pub battle: Option<Battle>,
    /// A siege that is resolved.
    pub duel: Option<Duel>,
    /// Units from which steps are being taken.
    pub struck: Units,
    /// Units that stay, while forces go home, and those gained from garrisons, while they muster.
    pub kept: Units,
    /// Leaders that stay, or that have been placed.
    pub kept_led: Leaders,
    /// Units placed in each space in this phase.
    pub placed: Map<Space, u8>,
    /// Whether what was announced is cancelled.
    pub cancelled: bool,
    /// How things stood when the turn began.
    pub year: Year,
    /// How the game ended.
    pub ending: Option<Ending>,
    /// What is going on.
    pub agenda: Agenda<Step, DEPTH>,
}

impl Open {
    /// Where a leader is, if he is in a space or box.
    #[inline]
    pub fn leader_at(&self, leader: Leader) -> Option<Space> {
        match self.led[leader] {
            Place::At(space) => Some(space),
            _ => None,
        }
    }

    /// Where a unit is, if it is in a space or box.
    #[inline]
    pub fn unit_at(&self, unit: Unit) -> Option<Space> {
        match self.at[unit] {
            Place::At(space) => Some(space),
            _ => None,
        }
    }

    /// Moves a unit.
    #[inline]
    pub fn put(&mut self, unit: Unit, place: Place) {
        if let Place::At(space) = self.at[unit] {
            self.here[space].remove(unit);
        }
        if let Place::At(space) = place {
            self.here[space].insert(unit);
        } else {
            self.winter.remove(unit);
        }
        self.inside.remove(unit);
        self.at[unit] = place;
    }

    /// Moves a leader.
    #[inline]
    pub fn put_leader(&mut self, leader: Leader, place: Place) {
        self.inside_led.remove(leader);
        self.led[leader] = place;
    }

    /// Units in a state.
    pub fn units_in(&self, place: Place) -> Units {
        self.at.iter().filter(|(_, at)| **at == place).map(|(unit, _)| unit).collect()
    }

    /// A force that avoided or shadows and holds this unit or leader.
    pub fn forager_of(&self, units: Units, leaders: Leaders) -> Option<usize> {
        self.foragers.iter().position(|f| f.units.meets(units) || f.leaders.meets(leaders))
    }
}

/// No units.
pub const NONE: Units = Set::NONE;
