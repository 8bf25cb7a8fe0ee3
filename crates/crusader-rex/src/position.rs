//! The position: plain data, a little over a kilobyte, copied in a few dozen nanoseconds.
//!
//! Blocks are numbered; sets of blocks and of towns are bit sets. Besides the truth a position holds what
//! everybody may lawfully remember of hidden blocks: `known` and `seen`, `board` and `pooled`, `token`.

use serde::{Deserialize, Serialize};
use table::{Agenda, Seat};

use crate::data::{BLOCKS, Components, KINDS, NONE, ROADS, Set, TOWNS, one};

/// Face-down in the draw pool [7.1].
pub const POOL: u8 = 100;
/// Face-up in the draw pool: cannot be drawn this year [6.34].
pub const DEAD: u8 = 101;
/// Eliminated for good [6.34].
pub const GONE: u8 = 102;
/// In the staging area of its nation [7.21].
pub const STAGING: u8 = 103;
/// Drawn, and about to be placed.
pub const HAND: u8 = 104;

/// The whole truth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// Where each block is: a town, or [`POOL`] and the like.
    #[serde(with = "table::wide")]
    pub(crate) town: [u8; BLOCKS],
    #[serde(with = "table::wide")]
    pub(crate) strength: [u8; BLOCKS],
    /// The strength at which everybody last saw a block; 0 if nobody did.
    #[serde(with = "table::wide")]
    pub(crate) seen: [u8; BLOCKS],
    /// The mark by which a lone hidden block is followed; 0 in company.
    #[serde(with = "table::wide")]
    pub(crate) token: [u8; BLOCKS],
    /// The road by which a block entered an enemy field in this phase.
    #[serde(with = "table::wide")]
    pub(crate) via: [u8; BLOCKS],
    /// The blocks in each town.
    #[serde(with = "table::wide")]
    pub(crate) here: [Set; TOWNS],
    /// Blocks shut in a castle.
    pub(crate) inside: Set,
    /// Blocks that have moved in this turn.
    pub(crate) moved: Set,
    /// Blocks that lie face-up.
    pub(crate) shown: Set,
    /// Reserves that arrive in round 2, and in round 3.
    pub(crate) second: Set,
    pub(crate) third: Set,
    /// Blocks on a forced march.
    pub(crate) marched: Set,
    /// Hidden blocks of which everybody knows where they are.
    pub(crate) known: Set,
    /// Blocks that everybody knows to be on the map, and to be in the pool.
    pub(crate) board: Set,
    pub(crate) pooled: Set,
    /// Blocks that used each road in this phase, round or regroup.
    #[serde(with = "table::wide")]
    pub(crate) used: [u8; ROADS],
    /// The roads by which each side entered towns with enemies in this turn, by direction.
    pub(crate) entered: [[Set; 3]; 2],
    /// The towns where each side began a battle in this turn.
    pub(crate) attacked: [Set; 2],
    /// Towns entered against enemies in this phase, whose main road is not settled yet.
    pub(crate) pending: Set,
    /// Towns whose battle or siege is still to be fought.
    pub(crate) to_fight: Set,
    pub(crate) hands: [[u8; KINDS]; 2],
    /// Cards that each side has played this year.
    pub(crate) played: [[u8; KINDS]; 2],
    /// This turn's cards as printed, and as they count.
    pub(crate) printed: [u8; 2],
    pub(crate) cards: [u8; 2],
    /// Last turn's cards as printed; [`NONE`] in a year's first turn.
    pub(crate) last: [u8; 2],
    /// 0 for 1187.
    pub(crate) year: u8,
    /// 1 to 6; the sixth is the winter turn.
    pub(crate) turn: u8,
    /// Player 1 of this turn.
    pub(crate) first: Seat,
    /// Whether each side has a guide this turn.
    pub(crate) guide: [bool; 2],
    /// The town of the jihad.
    pub(crate) jihad: u8,
    /// The siege that a winter campaign keeps.
    pub(crate) campaign: u8,
    pub(crate) battle: Battle,
    /// Winter: blocks given up, and steps gained, until both are done [8.3, 8.4].
    pub(crate) starved: Set,
    #[serde(with = "table::wide")]
    pub(crate) gains: [u8; BLOCKS],
    pub(crate) done: [bool; 2],
    pub(crate) table: TableRules,
    /// Who has won, and whether by sudden death.
    pub(crate) result: Option<(Seat, bool)>,
    pub(crate) agenda: Agenda<Step, 5>,
}

/// What was chosen at set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableRules {
    pub(crate) iron_bridge: bool,
    pub(crate) forced_marches: bool,
    pub(crate) handicap: u8,
    pub(crate) years: u8,
    /// Victory cities the Saracens need at the end.
    pub(crate) needs: u8,
    /// Shields of Outremer they need instead, where the scenario counts those; 0 where it does not.
    pub(crate) shields: u8,
    /// For a scenario of one battle, the town that decides; else [`NONE`].
    pub(crate) goal: u8,
}

/// The battle or siege that is being fought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Battle {
    pub(crate) town: u8,
    /// 1 to 3.
    pub(crate) round: u8,
    /// Who attacks in the field.
    pub(crate) attacker: Seat,
    /// Whether it began as a battle, not as a siege of an earlier turn.
    pub(crate) fresh: bool,
    /// Whether this round is a storm.
    pub(crate) storm: bool,
    /// Whether the field was fought for in this round.
    pub(crate) clashed: bool,
    pub(crate) stormers: Set,
    pub(crate) sallied: Set,
    /// Blocks that have had their turn in this round.
    pub(crate) acted: Set,
    /// Blocks picked for a deployment, storm or sally that is not declared yet.
    pub(crate) picked: Set,
    /// The castle block with a half-hit.
    pub(crate) half: u8,
}

impl Battle {
    /// No battle.
    pub(crate) const NONE: Self = Self {
        town: NONE,
        round: 0,
        attacker: Seat::new(0),
        fresh: false,
        storm: false,
        clashed: false,
        stormers: 0,
        sallied: 0,
        acted: 0,
        picked: 0,
        half: NONE,
    };
}

/// What is going on: control steps that go on by themselves, and steps at which somebody decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// The sequence of play.
    Turn(Phase),
    /// The course of a battle.
    Fight(Stage),
    /// The Franks choose among their seats [3.1].
    Deploy {
        /// Shifts so far.
        shifts: u8,
    },
    /// Saladin may change places [3.2].
    Exchange,
    /// The Saracens are dealt their cards.
    Deal,
    /// Both choose a card in secret [4.1].
    Cards {
        /// The choice of each side, or [`NONE`].
        chosen: [u8; 2],
    },
    /// The assassins need a target.
    Assassins {
        /// Whose.
        seat: Seat,
    },
    /// Manna falls.
    Manna {
        /// On whose blocks.
        seat: Seat,
        /// Steps left.
        left: u8,
        /// Who has one already.
        blessed: Set,
    },
    /// A side moves [5.0].
    Moves {
        /// Who.
        seat: Seat,
        /// Moves left.
        left: u8,
        /// Whether only a group may move, by road (Guide, Jihad).
        group_only: bool,
        /// What is moving now.
        going: Going,
    },
    /// A side names its main road into a town [6.41, 6.42].
    MainRoad {
        /// Who.
        seat: Seat,
        /// Where.
        town: u8,
    },
    /// The town of the jihad is named.
    Jihad {
        /// Whose.
        seat: Seat,
    },
    /// Player 1 picks the next battle [6.0].
    NextBattle,
    /// The defender deploys in field and castle [6.1].
    Shelter {
        /// Who.
        seat: Seat,
    },
    /// The besieger storms or not [6.53].
    Storm {
        /// Who.
        seat: Seat,
    },
    /// The besieged sally or not [6.55].
    Sally {
        /// Who.
        seat: Seat,
    },
    /// Blocks have their combat turns [6.2].
    Round,
    /// Hits that their victim must still place [6.31].
    Hits {
        /// Whose blocks.
        seat: Seat,
        /// How many.
        hits: u8,
    },
    /// A block that harried must retreat [6.33].
    Harried {
        /// Which.
        block: u8,
    },
    /// The attacker must leave the field [6.2].
    MustRetreat {
        /// Who.
        seat: Seat,
    },
    /// A besieger may leave after three rounds [6.2].
    LeaveSiege {
        /// Who.
        seat: Seat,
    },
    /// The victor may regroup [6.7].
    Regroup {
        /// Who.
        seat: Seat,
        /// Where.
        town: u8,
    },
    /// A drawn block is placed [7.0].
    Place {
        /// Whose.
        seat: Seat,
        /// Which.
        block: u8,
    },
    /// Supply and replacements, both sides at once [8.3, 8.4].
    Winter,
}

/// What a moving side is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Going {
    /// Nothing has been begun.
    Idle,
    /// A group moves [5.2].
    Group {
        /// From where.
        town: u8,
        /// The block that may go on.
        walk: Walk,
    },
    /// A muster; the town is still to be named while it is [`NONE`] [5.3].
    Muster {
        /// To where.
        town: u8,
        /// The block on its way.
        walk: Walk,
    },
    /// A block sails; its port is still to be named [5.4].
    Sail {
        /// Which.
        block: u8,
    },
}

/// A block under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Walk {
    /// Which, or [`NONE`].
    pub(crate) block: u8,
    /// The road it came by.
    pub(crate) road: u8,
    /// Roads so far.
    pub(crate) roads: u8,
}

impl Walk {
    /// Nobody is under way.
    pub(crate) const NOBODY: Self = Self { block: NONE, road: NONE, roads: 0 };
}

/// The sequence of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Phase {
    /// Nomads are drawn [3.2].
    Nomads,
    /// The handicap's blocks are drawn: so many are left.
    Bonus(u8),
    /// Saladin's exchange [3.2].
    Exchange,
    /// Cards are dealt [4.0].
    NewYear,
    /// A turn begins.
    TurnStart,
    /// Player 1 moves, and what follows from it.
    FirstMoves,
    /// Roads and marches of player 1 are settled.
    FirstSettles,
    /// Player 2 moves.
    SecondMoves,
    /// Roads and marches of player 2 are settled.
    SecondSettles,
    /// Battles are fought.
    Battles,
    /// Player 1 (0) or 2 (1) draws.
    Draws(u8),
    /// The turn ends.
    TurnEnd,
    /// Winter sieges [8.2].
    WinterSieges,
    /// Besiegers leave the game; supply follows [8.3].
    WinterToll,
    /// The year ends [8.5].
    YearEnd,
}

/// The course of a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stage {
    /// It begins.
    Open,
    /// The defender has deployed.
    Deployed,
    /// A round begins.
    Round,
    /// A round in the field.
    Clash,
    /// A round of storming.
    Assault,
    /// A round is over.
    RoundEnd,
    /// The third round is over.
    Dusk,
    /// The attacker has left the field.
    FieldHeld,
    /// Attrition of a siege that goes on [6.57].
    Attrition,
    /// One side is gone.
    Won,
    /// All is done here.
    Close,
}

impl Position {
    /// An empty map with nobody on it: everyone in the pool, or gone for good.
    pub(crate) fn empty(components: &Components, table: TableRules) -> Self {
        let mut p = Self {
            town: [POOL; BLOCKS],
            strength: [0; BLOCKS],
            seen: [0; BLOCKS],
            token: [0; BLOCKS],
            via: [NONE; BLOCKS],
            here: [0; TOWNS],
            inside: 0,
            moved: 0,
            shown: 0,
            second: 0,
            third: 0,
            marched: 0,
            known: 0,
            board: 0,
            pooled: 0,
            used: [0; ROADS],
            entered: [[0; 3]; 2],
            attacked: [0; 2],
            pending: 0,
            to_fight: 0,
            hands: [[0; KINDS]; 2],
            played: [[0; KINDS]; 2],
            printed: [NONE; 2],
            cards: [NONE; 2],
            last: [NONE; 2],
            year: 0,
            turn: 1,
            first: Seat::new(0),
            guide: [false; 2],
            jihad: NONE,
            campaign: NONE,
            battle: Battle::NONE,
            starved: 0,
            gains: [0; BLOCKS],
            done: [false; 2],
            table,
            result: None,
            agenda: Agenda::default(),
        };
        for (b, label) in components.blocks.iter().enumerate() {
            if label.side.is_none() {
                p.town[b] = label.home;
                p.strength[b] = label.steps;
            }
        }
        p.pooled = components.side[0] | components.side[1];
        p
    }

    /// The blocks that are still on the road to the battle.
    #[inline]
    pub(crate) fn coming(&self) -> Set {
        self.second | self.third
    }

    /// Puts a block into a town that everybody knows to be there.
    pub(crate) fn stand(&mut self, b: u8, town: u8, strength: u8) {
        let i = usize::from(b);
        self.town[i] = town;
        self.strength[i] = strength;
        self.here[usize::from(town)] |= one(b);
        self.board |= one(b);
        self.pooled &= !one(b);
    }
}
