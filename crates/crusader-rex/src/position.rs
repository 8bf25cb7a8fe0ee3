//! The position: plain data, a little under two kilobytes, copied in a few dozen nanoseconds.
//!
//! [`Open`] is all that everybody may know, what everybody may lawfully remember of hidden blocks included
//! (`known` and `seen`, `board` and `pooled`). The rest is hidden: which block stands where and how strong it is,
//! and what each side holds or has chosen in secret.

use serde::{Deserialize, Serialize};
use table::{Agenda, Map, Seat, SeatSet, Set};

use crate::data::{
    Block, Card, Cards, Components, FRANK, Guess, Mark, Place, Road, SARACEN, Sides, Town, Way,
};

/// The whole truth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// All that everybody may know.
    pub(crate) open: Open,
    /// Where each block is.
    pub(crate) place: Map<Block, Place>,
    pub(crate) strength: Map<Block, u8>,
    /// The mark by which a lone hidden block is followed; none in company.
    pub(crate) mark: Map<Block, Option<Mark>>,
    /// How a block entered an enemy field in this phase; for a block on a forced march, the road that it has
    /// still to go.
    pub(crate) via: Map<Block, Option<Way>>,
    /// The town from which a block set out by road in this phase, for the journal.
    pub(crate) left: Map<Block, Option<Town>>,
    /// The town in which everybody saw a block begin the game, while nothing could be confused with it.
    pub(crate) origin: Map<Block, Option<Town>>,
    /// Of which blocks everybody knows a hidden one to be, where that is fewer than could have begun where it began.
    pub(crate) guess: Map<Block, Option<Guess>>,
    /// What the guesses are; those of nobody mean nothing.
    pub(crate) guesses: Map<Guess, Set<Block>>,
    /// The blocks in each town.
    pub(crate) here: Map<Town, Set<Block>>,
    /// Blocks shut in a castle.
    pub(crate) inside: Set<Block>,
    /// Blocks that have moved in this turn.
    pub(crate) moved: Set<Block>,
    /// Reserves that arrive in round 2, and in round 3.
    pub(crate) second: Set<Block>,
    pub(crate) third: Set<Block>,
    /// Blocks on a forced march.
    pub(crate) marched: Set<Block>,
    /// English who have attacked by sea in this turn [7.22].
    pub(crate) landed: Set<Block>,
    /// The blocks under way.
    pub(crate) march: March,
    /// What only one side may know.
    pub(crate) secret: Sides<Secret>,
}

/// All that everybody may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Open {
    pub(crate) table: TableRules,
    /// Who has won, and whether by sudden death.
    pub(crate) result: Option<(Seat, bool)>,
    /// 0 for 1187.
    pub(crate) year: u8,
    /// 1 to 6; the sixth is the winter turn.
    pub(crate) turn: u8,
    /// Player 1 of this turn.
    pub(crate) first: Seat,
    /// Cards that each side has played this year.
    pub(crate) played: Sides<Cards>,
    /// This turn's cards as printed, and as they count.
    pub(crate) printed: Sides<Option<Card>>,
    pub(crate) cards: Sides<Option<Card>>,
    /// Last turn's cards as printed; none in a year's first turn.
    pub(crate) last: Sides<Option<Card>>,
    /// Whether each side has a guide this turn.
    pub(crate) guide: Sides<bool>,
    /// The town of the jihad.
    pub(crate) jihad: Option<Town>,
    /// The siege that a winter campaign keeps.
    pub(crate) campaign: Option<Town>,
    /// Blocks that used each road in this phase, round or regroup.
    pub(crate) used: Map<Road, u8>,
    /// The roads by which each side entered towns with enemies in this turn.
    pub(crate) entered: Sides<Entered>,
    /// The towns where each side began a battle in this turn.
    pub(crate) attacked: Sides<Set<Town>>,
    /// Towns entered against enemies in this phase, whose main road is not settled yet.
    pub(crate) pending: Set<Town>,
    /// Towns whose battle or siege is still to be fought.
    pub(crate) to_fight: Set<Town>,
    /// The battle or siege that is being fought.
    pub(crate) battle: Option<Battle>,
    /// Blocks that lie face-up.
    pub(crate) shown: Set<Block>,
    /// Hidden blocks of which everybody knows where they are.
    pub(crate) known: Set<Block>,
    /// The strength at which everybody last saw a block.
    pub(crate) seen: Map<Block, Option<u8>>,
    /// Blocks that everybody knows to be on the map, and to be in the pool.
    pub(crate) board: Set<Block>,
    pub(crate) pooled: Set<Block>,
    /// Who has made his winter choices [8.3, 8.4].
    pub(crate) done: Sides<bool>,
    pub(crate) agenda: Agenda<Step, 5>,
}

/// What only one side may know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Secret {
    pub(crate) hand: Cards,
    /// The card chosen for this turn, until both are shown [4.1].
    pub(crate) chosen: Option<Card>,
    /// Blocks picked for a deployment, storm or sally that is not declared yet.
    pub(crate) picked: Set<Block>,
    /// Who has a step by manna already.
    pub(crate) blessed: Set<Block>,
    /// The block that sails; its port is still to be named [5.4].
    pub(crate) sailing: Option<Block>,
    /// The block that was drawn and is to be placed [7.0].
    pub(crate) drawn: Option<Block>,
    /// Winter: blocks given up, and steps gained, until both are done [8.3, 8.4].
    pub(crate) starved: Set<Block>,
    pub(crate) gains: Map<Block, u8>,
}

/// Roads by which a side entered towns: by which of their ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Entered {
    /// Into the town at the first end.
    pub(crate) a: Set<Road>,
    /// Into the town at the other.
    pub(crate) b: Set<Road>,
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
    /// Shields of Outremer they need instead, where the scenario counts those.
    pub(crate) shields: Option<u8>,
    /// For a scenario of one battle, the town that decides.
    pub(crate) goal: Option<Town>,
}

/// The battle or siege that is being fought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Battle {
    pub(crate) town: Town,
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
    pub(crate) stormers: Set<Block>,
    pub(crate) sallied: Set<Block>,
    /// Blocks that have had their turn in this round.
    pub(crate) acted: Set<Block>,
    /// The castle block with a half-hit.
    pub(crate) half: Option<Block>,
    /// Whose last block harried the last enemy away and left after him [6.33].
    pub(crate) victor: Option<Seat>,
}

impl Battle {
    /// A battle that begins in a town.
    pub(crate) fn at(town: Town) -> Self {
        Self {
            town,
            round: 1,
            attacker: Seat::new(0),
            fresh: false,
            storm: false,
            clashed: false,
            stormers: Set::NONE,
            sallied: Set::NONE,
            acted: Set::NONE,
            half: None,
            victor: None,
        }
    }
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
        /// Who has chosen.
        chosen: SeatSet,
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
        town: Town,
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
    /// The besieger names the block that he keeps face-up [6.51].
    FaceUp {
        /// Who.
        seat: Seat,
        /// Where.
        town: Town,
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
        block: Block,
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
        town: Town,
    },
    /// A drawn block is placed [7.0].
    Place {
        /// Whose.
        seat: Seat,
    },
    /// Supply and replacements, both sides at once [8.3, 8.4].
    Winter,
}

/// What a moving side is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Going {
    /// Nothing has been begun, as far as everybody knows: a block may be about to sail.
    Idle,
    /// A group moves [5.2].
    Group {
        /// From where.
        town: Town,
        /// Whether anybody has set out.
        begun: bool,
    },
    /// A muster whose town is still to be named [5.3].
    Call,
    /// A muster [5.3].
    Muster {
        /// To where.
        town: Town,
    },
}

/// The blocks under way: they go on in any order until their group or muster is done [5.2, 5.3].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct March {
    /// Who has set out and has met no enemy.
    pub(crate) under_way: Set<Block>,
    /// The roads that each of them has gone; 0 for all others.
    pub(crate) gone: Map<Block, u8>,
    /// The road by which each of them came last.
    pub(crate) came: Map<Block, Option<Road>>,
    /// Who may have come to stand alone since the side began to move, and is to be marked when it has done.
    pub(crate) unmarked: Set<Block>,
}

impl March {
    /// A block has gone a road and may go on.
    #[inline]
    pub(crate) fn note(&mut self, b: Block, road: Road) {
        self.under_way.insert(b);
        self.gone[b] += 1;
        self.came[b] = Some(road);
    }

    /// A block goes no further.
    #[inline]
    pub(crate) fn halt(&mut self, b: Block) {
        self.under_way.remove(b);
        self.gone[b] = 0;
        self.came[b] = None;
    }
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

impl Open {
    /// A table before anything is set up.
    fn blank(table: TableRules) -> Self {
        Self {
            table,
            result: None,
            year: 0,
            turn: 1,
            first: Seat::new(0),
            played: Sides::default(),
            printed: Sides::default(),
            cards: Sides::default(),
            last: Sides::default(),
            guide: Sides::default(),
            jihad: None,
            campaign: None,
            used: Map::filled(0),
            entered: Sides::default(),
            attacked: Sides::default(),
            pending: Set::NONE,
            to_fight: Set::NONE,
            battle: None,
            shown: Set::NONE,
            known: Set::NONE,
            seen: Map::filled(None),
            board: Set::NONE,
            pooled: Set::NONE,
            done: Sides::default(),
            agenda: Agenda::default(),
        }
    }

    /// Whether this is the winter turn [8.1].
    #[inline]
    pub(crate) fn is_winter(&self) -> bool {
        self.turn == 6
    }

    /// The battle that a step of battle belongs to.
    ///
    /// # Panics
    /// When there is none: steps of battle stand on the agenda only inside one, which soundness checks.
    #[inline]
    pub(crate) fn battle(&self) -> &Battle {
        match &self.battle {
            Some(battle) => battle,
            None => unreachable!("a step of battle without a battle"),
        }
    }

    /// The same, to be changed.
    ///
    /// # Panics
    /// Where [`battle`](Self::battle) does.
    #[inline]
    pub(crate) fn battle_mut(&mut self) -> &mut Battle {
        match &mut self.battle {
            Some(battle) => battle,
            None => unreachable!("a step of battle without a battle"),
        }
    }
}

impl Position {
    /// An empty map with nobody on it: everyone in the pool, or gone for good.
    pub(crate) fn empty(components: &Components, table: TableRules) -> Self {
        let mut p = Self {
            open: Open::blank(table),
            place: Map::filled(Place::Pool),
            strength: Map::filled(0),
            mark: Map::filled(None),
            via: Map::filled(None),
            left: Map::filled(None),
            origin: Map::filled(None),
            guess: Map::filled(None),
            guesses: Map::filled(Set::NONE),
            here: Map::filled(Set::NONE),
            inside: Set::NONE,
            moved: Set::NONE,
            second: Set::NONE,
            third: Set::NONE,
            marched: Set::NONE,
            landed: Set::NONE,
            march: March::default(),
            secret: Sides::default(),
        };
        let label = &components.blocks[components.assassins];
        if let Some(home) = label.home {
            p.place[components.assassins] = Place::Town(home);
            p.strength[components.assassins] = label.steps;
        }
        p.open.pooled = components.army[FRANK] | components.army[SARACEN];
        p
    }

    /// The blocks that are still on the road to the battle.
    #[inline]
    pub(crate) fn coming(&self) -> Set<Block> {
        self.second | self.third
    }

    /// Puts a block into a town that everybody knows to be there.
    pub(crate) fn stand(&mut self, b: Block, town: Town, strength: u8) {
        self.place[b] = Place::Town(town);
        self.strength[b] = strength;
        self.here[town].insert(b);
        self.open.board.insert(b);
        self.open.pooled.remove(b);
    }

    /// Everybody knows that a hidden block is one of these. Equal guesses share a place; when all places are taken, one
    /// more is forgotten.
    pub(crate) fn guess_among(&mut self, b: Block, among: Set<Block>) {
        self.guess[b] = None;
        let used: Set<Guess> = self.guess.values().iter().flatten().copied().collect();
        let same = |guess: &Guess| self.guesses[*guess] == among;
        let place = used.iter().find(same).or_else(|| (Set::all() - used).first());
        if let Some(place) = place {
            self.guesses[place] = among;
        }
        self.guess[b] = place;
    }

    /// The town in which a block stands.
    #[inline]
    pub(crate) fn town(&self, b: Block) -> Option<Town> {
        self.place[b].town()
    }

    /// Takes a block out of its town, if it stands in one, and puts it elsewhere on the map.
    #[inline]
    pub(crate) fn put(&mut self, b: Block, to: Town) {
        if let Place::Town(from) = self.place[b] {
            self.here[from].remove(b);
        }
        self.place[b] = Place::Town(to);
        self.here[to].insert(b);
    }
}
