//! The cards and what their events do: operations, conditions and selectors, read from `cards.toml`.
//!
//! No card is named in the rules: what a card does is a list of operations here. Lists are kept in one place and
//! named by number, so that a step of the agenda can say where it is.

use table::sheet::{DataError, Fields, Node};
use table::{Id as _, Seat, Set};

use super::Components;
use crate::ids::{CHRISTIAN, Card, Leader, MUSLIM, Power, Powers, Province, SiegeEvent, Space, Spaces};

/// A list of operations, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct List(pub u16);

/// Somebody, seen from the player of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// He himself.
    Own,
    /// His enemy.
    Enemy,
    /// Both.
    Both,
}

/// What an event card is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardType {
    /// Played as an action.
    Normal,
    /// Played in battle [8.4.2].
    Battle,
    /// Played in answer to the enemy [8.4.3].
    Response,
}

/// When a battle or response event can be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Trigger {
    /// A leader or a stack has been activated and its army named.
    Activation,
    /// An army has entered a space.
    Move,
    /// A siege action or an assault was announced.
    SiegeAction,
    /// A siege event was announced.
    SiegeEvent,
    /// An event was played as an action.
    Event,
    /// A diplomacy roll succeeded.
    Diplomacy,
    /// A naval move was announced.
    Naval,
    /// With one's own interception.
    Interception,
    /// Before the rolls of a battle.
    BeforeRolls,
    /// After the rolls of a battle.
    AfterRolls,
    /// Before a pursuit is rolled.
    Pursuit,
}

const TRIGGERS: [(&str, Trigger); 11] = [
    ("enemy_activation", Trigger::Activation),
    ("enemy_move", Trigger::Move),
    ("enemy_siege_action", Trigger::SiegeAction),
    ("enemy_siege_event", Trigger::SiegeEvent),
    ("enemy_event", Trigger::Event),
    ("enemy_diplomacy_success", Trigger::Diplomacy),
    ("enemy_naval_move", Trigger::Naval),
    ("own_interception", Trigger::Interception),
    ("battle_before_rolls", Trigger::BeforeRolls),
    ("battle_after_rolls", Trigger::AfterRolls),
    ("pursuit", Trigger::Pursuit),
];

/// What happens when a card without siege event is drawn by Fortunes of War [17.6.5].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fortunes {
    /// The event itself takes effect.
    Event,
    /// It strikes one of the two armies by a die.
    Epidemic,
}

/// A card.
#[derive(Clone, Debug)]
pub struct CardData {
    /// Its number: `1` to `60`, or a scenario's letter and a number.
    pub id: String,
    /// The scenario it belongs to; none for the basic deck.
    pub scenario: Option<String>,
    /// Its title.
    pub title: String,
    /// What its event does, in words.
    pub gist: String,
    /// Its operations value.
    pub ov: u8,
    /// Its diplomacy modifier, if it has one.
    pub diplomacy: Option<i8>,
    /// What kind of event it has.
    pub kind: CardType,
    /// Its event both moves and does something [8.3].
    pub dual: bool,
    /// It must be played as an event [8.4.1].
    pub must: bool,
    /// It leaves the game when played as an event.
    pub removed: bool,
    /// Deck and discards are shuffled together at the end of the turn.
    pub reshuffle: bool,
    /// Its event gives another card.
    pub draws: bool,
    /// Who may use its event; anybody where none is said.
    pub usable_by: Option<Seat>,
    /// When it can be played, for battle and response events.
    pub triggers: Vec<Trigger>,
    /// What must hold.
    pub requires: Vec<Cond>,
    /// What it does.
    pub effects: List,
    /// Its siege event.
    pub siege: Option<SiegeEvent>,
    /// What it does when drawn by Fortunes of War without a siege event.
    pub fortunes: Option<Fortunes>,
}

impl CardData {
    /// Whether a seat may use its event at all.
    #[inline]
    pub fn serves(&self, seat: Seat) -> bool {
        self.usable_by.is_none_or(|owner| owner == seat)
    }
}

/// A siege event [17.6.6].
#[derive(Clone, Debug)]
pub struct SiegeData {
    /// Its key in the data.
    pub key: String,
    /// Its title.
    pub title: String,
    /// What it does, in words.
    pub gist: String,
    /// Whether the besieger may use it.
    pub attacker: bool,
    /// Whether the besieged may use it.
    pub defender: bool,
    /// Who may use it; anybody where none is said.
    pub usable_by: Option<Seat>,
    /// The manpower it needs.
    pub man: u8,
    /// What it does to the resistance factor.
    pub rf: i8,
    /// Whether it is played in an assault.
    pub blue: bool,
    /// Whether it works only on a stronghold that is not blockaded.
    pub unblockaded: bool,
    /// Whether it gives another card.
    pub draws: bool,
    /// The siege events that it cancels.
    pub cancels: Set<SiegeEvent>,
    /// What must hold.
    pub requires: Vec<Cond>,
    /// What it does besides.
    pub effects: List,
    /// Whether it rolls dice, so that it is answered before and after [8.4.3].
    pub rolls: bool,
    /// Whether it ends the besieger's action, and so is an answer only.
    pub halts: bool,
}

/// An amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// So many.
    Fixed(i8),
    /// Half a die, rounded up.
    HalfDie,
    /// A die.
    Die,
    /// All.
    All,
    /// Half of them, rounded up.
    Half,
    /// The command rating of the leader it concerns.
    Command,
    /// The battle rating of the leader it concerns.
    Battle,
}

/// Which Powers an operation means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PowerPick {
    /// One of these, or all of these together where points are spent.
    Among(Powers),
    /// One that the player controls.
    Controlled,
    /// One that the enemy controls.
    EnemyPower,
    /// One that is listed under diplomacy.
    Listed,
    /// A Sunni Power that the player controls.
    Sunni,
    /// A Catholic Power that the player controls, neither Crusaders nor an Order.
    Catholic,
}

/// Where an operation works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// The capital of the Power.
    Capital,
    /// A friendly port that is not blockaded.
    FriendlyPort,
    /// A friendly stronghold, besieged or not, that is not blockaded.
    FriendlyStronghold,
    /// A friendly space that is not besieged.
    FriendlyUnbesieged,
    /// A friendly walled city that is not besieged.
    FriendlyCity,
    /// A friendly space without stronghold.
    FriendlyOpen,
    /// Where a leader of the Power stands, not besieged.
    OwnLeader,
    /// A port of the enemy.
    EnemyPort,
    /// Harsh terrain.
    Harsh,
    /// Away from strongholds friendly to the target.
    OutsideOwnStrongholds,
    /// Where this leader stands.
    LeaderAt(Leader),
    /// The siege at hand, else one that the player picks.
    Siege,
    /// Along the Nile.
    Nile,
    /// One province, picked once for the whole event.
    OneProvince,
    /// Anywhere.
    Anywhere,
    /// In this province.
    In(Province),
    /// One of these spaces.
    Spaces(Spaces),
    /// In the battle at hand.
    Battle,
    /// In the active army.
    Active,
    /// On the map.
    OnMap,
    /// On the map or in a box.
    MapOrBox,
    /// In prison.
    Prisoner,
    /// At most two spaces from the active army.
    WithinTwo,
}

/// What an operation strikes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The army that is moving.
    Active,
    /// All enemies in one space, which the player picks.
    OneEnemyForce,
    /// The besieger.
    Besieger,
    /// The besieged.
    Besieged,
    /// Whichever of the two is the enemy.
    Opposing,
    /// An enemy leader.
    EnemyLeader,
    /// All enemy armies in `where`.
    EnemyForces,
}

/// How long something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// For the roll at hand.
    Now,
    /// Until the enemy's next round is over.
    NextEnemyRound,
    /// For two rounds of each player.
    TwoRounds,
    /// To the end of the Strategy Phase.
    Turn,
    /// While the siege lasts.
    Siege,
    /// Until the stronghold changes hands.
    Captured,
    /// For the game.
    Game,
}

/// What is forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ban {
    /// Anything hostile.
    Hostile,
    /// To activate leaders.
    Activate,
    /// To move from or into some spaces.
    Move,
    /// To sail.
    Naval,
    /// To command units of other Powers.
    OtherPowers,
}

/// Whom a ban hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Banned {
    /// A player, or both.
    Side(Who),
    /// A Power.
    Power(Power),
    /// A Power of the enemy's that the player picks.
    OneEnemyPower,
    /// The leaders of the force that was struck.
    Target,
}

/// Where a piece goes that an event removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removal {
    /// To the force pool.
    Pool,
    /// To the dead pile.
    Dead,
    /// Out of play.
    Tray,
}

/// Which units a condition counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filter {
    /// All.
    Any,
    /// Cavalry.
    Cavalry,
    /// Infantry.
    Infantry,
    /// Units of these Powers.
    Of(Powers),
}

/// How a Power must stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stand {
    /// On the player's side.
    ProOwn,
    /// On the enemy's.
    ProEnemy,
    /// Not on the enemy's.
    NotProEnemy,
}

/// A condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cond {
    /// Somebody has so many units there.
    Units { side: Who, filter: Filter, min: u8, place: Where },
    /// Somebody has such a leader there.
    Leader { side: Who, leader: Option<Leader>, powers: Option<Powers>, place: Where, most: Option<u8> },
    /// The active army stands there.
    ActiveIn(Where),
    /// A Power stands so.
    PowerIs(Power, Stand),
    /// Somebody controls one of these spaces.
    Controls(Who, Spaces),
    /// The player besieges, or is besieged.
    Siege { attacker: bool, space: Option<Space> },
    /// At least this turn.
    Turn(u8),
    /// In the battle at hand, in this role, and half cavalry if so.
    Battle { attacker: Option<bool>, half_cavalry: bool },
    /// The active leader has a subordinate with him.
    Subordinate,
}

/// What an activation by event allows besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Licence {
    /// More movement points.
    pub mp: i8,
    /// Added to the Attrition Value of foraging.
    pub forage_av: i8,
    /// Added to battle rolls.
    pub battle: i8,
    /// Added to enemy interception rolls.
    pub evade: i8,
    /// No foraging.
    pub no_forage: bool,
    /// Desert links are open.
    pub desert: bool,
    /// Exempt from demobilisation.
    pub no_demob: bool,
    /// Free passage through this Power's land.
    pub passage: Option<Power>,
}

/// An operation.
#[derive(Clone, Debug)]
pub enum Op {
    Choose {
        of: Vec<List>,
        by: Who,
    },
    Roll {
        drm: Vec<(i8, Cond)>,
        table: Vec<(i8, i8, List)>,
        target: Amount,
        pass: List,
        fail: List,
        by: Who,
    },
    Reinforce {
        power: PowerPick,
        n: u8,
        values: Option<(u8, u8)>,
        reduced: bool,
        place: Where,
        exclude: Powers,
    },
    Recover {
        power: PowerPick,
        rp: u8,
        at_siege: bool,
    },
    PlaceLeader {
        leader: Option<Leader>,
        prisoner: bool,
        place: Where,
    },
    RemoveLeader {
        leader: Option<Leader>,
        to: Removal,
    },
    RemoveUnits {
        power: Option<PowerPick>,
        side: Option<Who>,
        n: Amount,
        to: Removal,
        place: Option<Where>,
        with: Option<Leader>,
        exclude: Powers,
    },
    LoseSteps {
        target: Option<Target>,
        power: Option<Power>,
        place: Option<Where>,
        n: Amount,
        full_only: bool,
        garrison: bool,
    },
    RollPerUnit {
        lose_on: u8,
        spread: u8,
    },
    Attrition {
        target: Target,
        place: Option<Where>,
        av: i8,
    },
    FlipGarrison {
        side: Who,
        n: Amount,
        full: bool,
        place: Option<Where>,
    },
    PlaceCastle {
        power: PowerPick,
        full: bool,
        place: Where,
    },
    Transfer {
        spaces: Spaces,
        to: Power,
        full: bool,
    },
    Demobilize {
        power: Power,
    },
    Activate {
        n: u8,
        free: bool,
        cavalry: bool,
        power: Option<Power>,
        leader: Option<Leader>,
        licence: Licence,
    },
    NavalMove {
        capacity: u8,
        red: bool,
        leaderless: bool,
    },
    HoldBack {
        units: Amount,
    },
    HaltForce,
    HaltSiege,
    MovePoints(i8),
    Shift {
        power: PowerPick,
        toward: Option<Seat>,
    },
    Attempt {
        power: PowerPick,
        modifier: i8,
    },
    TakeAdvantage(Option<Seat>),
    CancelSiege(Option<Set<SiegeEvent>>),
    CancelEvent,
    CancelDiplomacy,
    CancelNaval,
    Draw(u8),
    Discard {
        n: u8,
        look: bool,
    },
    Restrict {
        who: Banned,
        what: Ban,
        until: Until,
        place: Option<Where>,
    },
    BattleModifier {
        own: i8,
        enemy: i8,
    },
    InterceptModifier {
        n: i8,
    },
    PursuitModifier {
        n: i8,
    },
    SurrenderModifier {
        n: i8,
        power: Option<Power>,
    },
    ReplacementModifier {
        power: Power,
        n: i8,
    },
    Resistance {
        n: i8,
        place: Option<Where>,
        count: Amount,
        until: Until,
    },
    Blockade {
        on: bool,
        port: Option<bool>,
        place: Option<Where>,
    },
    Sortie {
        most: u8,
        lose_on: u8,
        rf_on: u8,
    },
    AssaultModifier {
        own: i8,
        columns: i8,
        pre_loss: u8,
    },
    Betray {
        bonus: i8,
        fail_rf: i8,
        place: Option<Where>,
    },
}

impl Op {
    /// Whether it rolls dice.
    fn rolls(&self) -> bool {
        matches!(
            self,
            Self::Roll { .. }
                | Self::Attrition { .. }
                | Self::Sortie { .. }
                | Self::Betray { .. }
                | Self::RollPerUnit { .. }
        )
    }
}

const SIDES: [(&str, Who); 3] = [("self", Who::Own), ("enemy", Who::Enemy), ("both", Who::Both)];
const PLAYERS: [(&str, Seat); 2] = [("christian", CHRISTIAN), ("muslim", MUSLIM)];

/// Reads cards and siege events into components whose map and forces are read already.
pub(super) fn read(c: &mut Components, root: &Node) -> Result<(), DataError> {
    let mut fields = root.sourced()?;
    // Titles first, since siege events cancel each other.
    let mut sieges = Vec::new();
    for node in fields.records("siege_event")? {
        let mut f = node.sourced()?;
        let key = f.required("key")?.text()?.to_string();
        let title = f.required("title")?.text()?.to_string();
        if sieges.iter().any(|s: &SiegeData| s.key == key) {
            return Err(node.wrong(format!("the siege event `{key}` occurs twice")));
        }
        let (attacker, defender) =
            f.required("side")?.one_of(&[("A", (true, false)), ("D", (false, true)), ("B", (true, true))])?;
        sieges.push(SiegeData {
            key,
            title,
            gist: f.required("gist")?.text()?.to_string(),
            attacker,
            defender,
            usable_by: f.optional("usable_by").map(|n| n.one_of(&PLAYERS)).transpose()?,
            man: f.required("man")?.number_in(0..=9)? as u8,
            rf: f.required("rf")?.number_in(-8..=8)? as i8,
            blue: flag(&mut f, "blue")?,
            unblockaded: flag(&mut f, "requires_unblockaded")?,
            draws: flag(&mut f, "draw_replacement")?,
            cancels: Set::NONE,
            requires: Vec::new(),
            effects: List(0),
            rolls: false,
            halts: false,
        });
    }
    if sieges.len() > SiegeEvent::COUNT {
        return Err(root.wrong(format!(
            "{} siege events, expected at most {}",
            sieges.len(),
            SiegeEvent::COUNT
        )));
    }
    c.sieges = sieges;
    for (i, node) in fields.records("siege_event")?.iter().enumerate() {
        let mut f = node.fields()?;
        for key in [
            "key",
            "title",
            "side",
            "usable_by",
            "man",
            "rf",
            "blue",
            "requires_unblockaded",
            "draw_replacement",
            "gist",
            "source",
        ] {
            f.optional(key);
        }
        let mut cancels = Set::NONE;
        for title in f.optional("cancels").map_or(Ok(&[][..]), Node::list)? {
            cancels.insert(siege_titled(c, title)?);
        }
        let requires = conds(c, f.optional("requires"))?;
        let effects = f.optional("effects").map_or(Ok(List(0)), |n| list(c, n))?;
        f.finish()?;
        let rolls = c.lists[usize::from(effects.0)].iter().any(Op::rolls);
        let halts = c.lists[usize::from(effects.0)].iter().any(|op| matches!(op, Op::HaltSiege));
        let s = &mut c.sieges[i];
        (s.cancels, s.requires, s.effects, s.rolls, s.halts) = (cancels, requires, effects, rolls, halts);
    }
    for node in fields.records("card")? {
        let card = read_card(c, node)?;
        if c.cards.iter().any(|other| other.id == card.id) {
            return Err(node.wrong(format!("the card `{}` occurs twice", card.id)));
        }
        c.cards.push(card);
    }
    fields.finish()?;
    if c.cards.is_empty() || c.cards.len() > Card::COUNT {
        return Err(root.wrong(format!("{} cards, expected at most {}", c.cards.len(), Card::COUNT)));
    }
    Ok(())
}

fn read_card(c: &mut Components, node: &Node) -> Result<CardData, DataError> {
    let mut f = node.sourced()?;
    f.optional("note");
    let id = f.required("id")?.new_name("~ : ( ) ,", false)?;
    let scenario = f.optional("scenario").map(|n| n.text().map(str::to_string)).transpose()?;
    let kind = f.required("type")?.one_of(&[
        ("normal", CardType::Normal),
        ("battle", CardType::Battle),
        ("response", CardType::Response),
    ])?;
    let flags = f.optional("flags").map_or(Ok(Vec::new()), Node::texts)?;
    const FLAGS: [&str; 5] =
        ["dual_usage", "must_be_played", "remove_if_played", "reshuffle", "draw_replacement"];
    if let Some(strange) = flags.iter().find(|flag| !FLAGS.contains(&flag.as_str())) {
        return Err(node.wrong(format!("unknown flag `{strange}`; known: {}", FLAGS.join(", "))));
    }
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    let mut triggers = Vec::new();
    for n in f.optional("trigger").map_or(Ok(&[][..]), Node::list)? {
        triggers.push(n.one_of(&TRIGGERS)?);
    }
    if (kind == CardType::Normal) != triggers.is_empty() {
        return Err(node.wrong("battle and response events have a trigger, others have none"));
    }
    let siege = match f.optional("siege") {
        None => None,
        Some(n) => {
            let key = n.text()?;
            let found = c.sieges.iter().position(|s| s.key == key);
            Some(SiegeEvent::at(found.ok_or_else(|| n.expected("the key of a siege event"))?))
        }
    };
    let fortunes = f
        .optional("fortunes_of_war")
        .map(|n| n.one_of(&[("event", Fortunes::Event), ("epidemic", Fortunes::Epidemic)]))
        .transpose()?;
    let requires = conds(c, f.optional("requires"))?;
    let effects = list(c, f.required("effects")?)?;
    if c.lists[usize::from(effects.0)].is_empty() {
        return Err(node.wrong(format!("the event of card {id} does nothing: expected an operation")));
    }
    let card = CardData {
        id,
        scenario,
        title: f.required("title")?.text()?.to_string(),
        gist: f.required("gist")?.text()?.to_string(),
        ov: f.required("ov")?.number_in(1..=3)? as u8,
        diplomacy: f.optional("diplomacy").map(|n| n.number_in(-5..=-1)).transpose()?.map(|n| n as i8),
        kind,
        dual: has("dual_usage"),
        must: has("must_be_played"),
        removed: has("remove_if_played"),
        reshuffle: has("reshuffle"),
        draws: has("draw_replacement"),
        usable_by: f.optional("usable_by").map(|n| n.one_of(&PLAYERS)).transpose()?,
        triggers,
        requires,
        effects,
        siege,
        fortunes,
    };
    f.finish()?;
    Ok(card)
}

fn flag(f: &mut Fields<'_>, key: &str) -> Result<bool, DataError> {
    f.optional(key).map_or(Ok(false), Node::flag)
}

fn siege_titled(c: &Components, node: &Node) -> Result<SiegeEvent, DataError> {
    let title = node.text()?;
    let found = c.sieges.iter().position(|s| s.title == title);
    found.map(SiegeEvent::at).ok_or_else(|| node.expected("the title of a siege event"))
}

/// A list of operations; an empty one is number 0.
fn list(c: &mut Components, node: &Node) -> Result<List, DataError> {
    let mut ops = Vec::new();
    for n in node.list()? {
        ops.push(op(c, n)?);
    }
    if ops.is_empty() {
        return Ok(List(0));
    }
    c.lists.push(ops);
    Ok(List(c.lists.len() as u16 - 1))
}

fn op(c: &mut Components, node: &Node) -> Result<Op, DataError> {
    let mut f = node.fields()?;
    let name = f.required("op")?;
    let read = match name.text()? {
        "choose" => {
            let mut of = Vec::new();
            for n in f.required("of")?.list()? {
                of.push(list(c, n)?);
            }
            Op::Choose { of, by: side(&mut f, "by")?.unwrap_or(Who::Own) }
        }
        "roll" => {
            let mut drm = Vec::new();
            for n in f.optional("drm").map_or(Ok(&[][..]), Node::list)? {
                let mut g = n.fields()?;
                let add = g.required("n")?.number_in(-6..=6)? as i8;
                drm.push((add, cond(c, g.required("if")?)?));
                g.finish()?;
            }
            let mut table = Vec::new();
            for n in f.optional("table").map_or(Ok(&[][..]), Node::list)? {
                let mut g = n.fields()?;
                let (min, max) = (g.required("min")?.number()?, g.required("max")?.number()?);
                let then = list(c, g.required("do")?)?;
                g.finish()?;
                if table.last().is_some_and(|(_, last, _): &(i8, i8, List)| i64::from(*last) + 1 != min)
                    || min > max
                {
                    return Err(n.wrong("the rows of a table follow each other"));
                }
                table.push((min as i8, max as i8, then));
            }
            let target = f.optional("target").map(amount).transpose()?;
            if target.is_none() == table.is_empty() {
                return Err(node.wrong("a roll has either a table or a target"));
            }
            Op::Roll {
                drm,
                table,
                target: target.unwrap_or(Amount::Fixed(0)),
                pass: f.optional("pass").map_or(Ok(List(0)), |n| list(c, n))?,
                fail: f.optional("fail").map_or(Ok(List(0)), |n| list(c, n))?,
                by: side(&mut f, "by")?.unwrap_or(Who::Own),
            }
        }
        "reinforce" => Op::Reinforce {
            power: power_pick(c, f.required("power")?)?,
            n: f.required("n")?.number_in(1..=9)? as u8,
            values: f.optional("unit").map(unit_values).transpose()?,
            reduced: f
                .optional("strength")
                .map_or(Ok(false), |n| n.one_of(&[("full", false), ("reduced", true)]))?,
            place: place(c, f.required("where")?)?,
            exclude: f.optional("exclude").map_or(Ok(Set::NONE), |n| powers(c, n))?,
        },
        "recover" => Op::Recover {
            power: power_pick(c, f.required("power")?)?,
            rp: f.required("rp")?.number_in(1..=9)? as u8,
            at_siege: f.optional("where").map_or(Ok(false), |n| n.one_of(&[("siege", true)]))?,
        },
        "place_leader" => Op::PlaceLeader {
            leader: f.optional("leader").map(|n| c.leader_named(n)).transpose()?,
            prisoner: f.required("from")?.one_of(&[("tray", false), ("prisoner", true)])?,
            place: place(c, f.required("where")?)?,
        },
        "remove_leader" => {
            let leader = f.optional("leader").map(|n| c.leader_named(n)).transpose()?;
            match f.optional("target").map(target).transpose()? {
                None if leader.is_some() => {}
                Some(Target::EnemyLeader) if leader.is_none() => {}
                _ => return Err(node.wrong("expected `leader`, or `target = \"one_enemy_leader\"`")),
            }
            Op::RemoveLeader { leader, to: removal(f.required("to")?)? }
        }
        "remove_units" => {
            // Whoever chooses, it is the owner here: no card lets the other choose.
            f.optional("chooser").map_or(Ok(()), |n| n.one_of(&[("owner", ())]))?;
            Op::RemoveUnits {
                power: f.optional("power").map(|n| power_pick(c, n)).transpose()?,
                side: side(&mut f, "side")?,
                n: amount(f.required("n")?)?,
                to: removal(f.required("to")?)?,
                place: f.optional("where").map(|n| place(c, n)).transpose()?,
                with: f.optional("with_leader").map(|n| c.leader_named(n)).transpose()?,
                exclude: f.optional("exclude").map_or(Ok(Set::NONE), |n| powers(c, n))?,
            }
        }
        "lose_steps" => Op::LoseSteps {
            target: f.optional("target").map(target).transpose()?,
            power: f.optional("power").map(|n| c.power_named(n)).transpose()?,
            place: f.optional("where").map(|n| place(c, n)).transpose()?,
            n: amount(f.required("n")?)?,
            full_only: f
                .optional("mode")
                .map_or(Ok(false), |n| n.one_of(&[("any", false), ("full_only", true)]))?,
            garrison: flag(&mut f, "garrison")?,
        },
        "roll_per_unit" => {
            let t = f.required("target")?;
            if target(t)? != Target::OneEnemyForce {
                return Err(t.expected("\"one_enemy_force\""));
            }
            let spread = match f.optional("spread") {
                None => 0,
                Some(n) => {
                    let mut g = n.fields()?;
                    let max = g.required("max")?.number_in(1..=5)? as u8;
                    g.finish()?;
                    max
                }
            };
            Op::RollPerUnit { lose_on: faces(f.required("lose_on")?)?, spread }
        }
        "attrition" => Op::Attrition {
            target: target(f.required("target")?)?,
            place: f.optional("where").map(|n| place(c, n)).transpose()?,
            av: f.optional("av").map_or(Ok(0), |n| n.number_in(-9..=9))? as i8,
        },
        "flip_garrison" => Op::FlipGarrison {
            side: required_side(&mut f, "side")?,
            n: amount(f.required("n")?)?,
            full: f.required("to")?.one_of(&[("full", true), ("low", false)])?,
            place: f.optional("where").map(|n| place(c, n)).transpose()?,
        },
        "place_castle" => Op::PlaceCastle {
            power: power_pick(c, f.required("power")?)?,
            full: f.required("garrison")?.one_of(&[("full", true), ("low", false)])?,
            place: place(c, f.required("where")?)?,
        },
        "transfer_stronghold" => Op::Transfer {
            spaces: spaces(c, f.required("spaces")?)?,
            to: c.power_named(f.required("to")?)?,
            full: f
                .optional("garrison")
                .map_or(Ok(false), |n| n.one_of(&[("full", true), ("low", false)]))?,
        },
        "demobilize" => {
            f.required("to")?.one_of(&[("home", ())])?;
            Op::Demobilize { power: c.power_named(f.required("power")?)? }
        }
        "activate" => Op::Activate {
            n: f.required("n")?.number_in(1..=4)? as u8,
            free: f.required("by")?.one_of(&[("ov", false), ("free", true)])?,
            cavalry: flag(&mut f, "cavalry_stack")?,
            power: f.optional("power").map(|n| c.power_named(n)).transpose()?,
            leader: f.optional("leader").map(|n| c.leader_named(n)).transpose()?,
            licence: Licence {
                mp: small(&mut f, "mp")?,
                forage_av: small(&mut f, "forage_av")?,
                battle: small(&mut f, "battle")?,
                evade: small(&mut f, "evade")?,
                no_forage: flag(&mut f, "no_forage")?,
                desert: flag(&mut f, "desert")?,
                no_demob: flag(&mut f, "no_demob")?,
                passage: f.optional("passage").map(|n| c.power_named(n)).transpose()?,
            },
        },
        "naval_move" => Op::NavalMove {
            capacity: f.required("capacity")?.number_in(1..=20)? as u8,
            red: f.required("sea")?.one_of(&[("mediterranean", false), ("red", true)])?,
            leaderless: flag(&mut f, "leaderless")?,
        },
        "hold_back" => {
            f.required("leader")?.one_of(&[("subordinate", ())])?;
            Op::HoldBack { units: amount(f.required("units")?)? }
        }
        "halt" => match f.required("target")?.one_of(&[("active_force", true), ("siege_action", false)])? {
            true => Op::HaltForce,
            false => Op::HaltSiege,
        },
        "mp_modifier" => {
            f.required("target")?.one_of(&[("active_force", ())])?;
            Op::MovePoints(f.required("n")?.number_in(-6..=6)? as i8)
        }
        "diplomacy_shift" => Op::Shift {
            power: power_pick(c, f.required("power")?)?,
            toward: f.required("toward")?.one_of(&[
                ("self", None),
                ("christian", Some(CHRISTIAN)),
                ("muslim", Some(MUSLIM)),
            ])?,
        },
        "diplomacy_attempt" => Op::Attempt {
            power: power_pick(c, f.required("power")?)?,
            modifier: f.required("mod")?.number_in(-6..=6)? as i8,
        },
        "diplomatic_advantage" => {
            Op::TakeAdvantage(f.required("do")?.one_of(&[("take", None), ("to_muslim", Some(MUSLIM))])?)
        }
        "cancel" => {
            let mut titles = None;
            if let Some(n) = f.optional("titles") {
                let mut set = Set::NONE;
                for title in n.list()? {
                    set.insert(siege_titled(c, title)?);
                }
                titles = Some(set);
            }
            match f.required("what")?.one_of(&[
                ("siege_event", 0),
                ("event", 1),
                ("diplomacy", 2),
                ("naval_move", 3),
            ])? {
                0 => Op::CancelSiege(titles),
                1 => Op::CancelEvent,
                2 => Op::CancelDiplomacy,
                _ => Op::CancelNaval,
            }
        }
        "draw" => Op::Draw(f.required("n")?.number_in(1..=5)? as u8),
        "discard" => {
            f.required("side")?.one_of(&[("enemy", ())])?;
            f.required("how")?.one_of(&[("random", ())])?;
            Op::Discard { n: f.required("n")?.number_in(1..=5)? as u8, look: flag(&mut f, "look")? }
        }
        "restrict" => {
            let who = f.required("who")?;
            let who = match who.text()? {
                "self" => Banned::Side(Who::Own),
                "enemy" => Banned::Side(Who::Enemy),
                "both" => Banned::Side(Who::Both),
                "one_enemy" => Banned::OneEnemyPower,
                "target" => Banned::Target,
                _ => Banned::Power(c.power_named(who)?),
            };
            let what = f.required("what")?.one_of(&[
                ("hostile", Ban::Hostile),
                ("activate", Ban::Activate),
                ("move", Ban::Move),
                ("naval_move", Ban::Naval),
                ("command_other_powers", Ban::OtherPowers),
            ])?;
            Op::Restrict {
                who,
                what,
                until: until(f.required("until")?)?,
                place: f.optional("where").map(|n| place(c, n)).transpose()?,
            }
        }
        "battle_modifier" => {
            Op::BattleModifier { own: small(&mut f, "self")?, enemy: small(&mut f, "enemy")? }
        }
        "roll_modifier" => {
            let n = f.required("n")?.number_in(-6..=6)? as i8;
            side(&mut f, "side")?;
            f.optional("until").map(until).transpose()?;
            let power = f.optional("power").map(|n| c.power_named(n)).transpose()?;
            match f.required("roll")?.one_of(&[("intercept", 0), ("pursuit", 1), ("surrender", 2)])? {
                0 => Op::InterceptModifier { n },
                1 => Op::PursuitModifier { n },
                _ => Op::SurrenderModifier { n, power },
            }
        }
        "rp_modifier" => Op::ReplacementModifier {
            power: c.power_named(f.required("power")?)?,
            n: f.required("n")?.number_in(-5..=5)? as i8,
        },
        "rf" => Op::Resistance {
            n: f.required("n")?.number_in(-8..=8)? as i8,
            place: f.optional("where").map(|n| place(c, n)).transpose()?,
            count: f.optional("count").map_or(Ok(Amount::Fixed(1)), amount)?,
            until: f.optional("until").map_or(Ok(Until::Siege), until)?,
        },
        "blockade" => Op::Blockade {
            on: f.required("set")?.one_of(&[("on", true), ("off", false)])?,
            port: f.optional("port").map(Node::flag).transpose()?,
            place: f.optional("where").map(|n| place(c, n)).transpose()?,
        },
        "sortie" => Op::Sortie {
            most: f.required("max_steps")?.number_in(1..=9)? as u8,
            lose_on: faces(f.required("lose_on")?)?,
            rf_on: faces(f.required("rf_on")?)?,
        },
        "assault_modifier" => Op::AssaultModifier {
            own: small(&mut f, "self")?,
            columns: small(&mut f, "columns")?,
            pre_loss: f.optional("pre_loss").map_or(Ok(0), |n| n.number_in(0..=5))? as u8,
        },
        "betray" => Op::Betray {
            bonus: small(&mut f, "bonus")?,
            fail_rf: small(&mut f, "fail_rf")?,
            place: f.optional("where").map(|n| place(c, n)).transpose()?,
        },
        _ => return Err(name.expected("an operation that the rules know")),
    };
    f.finish()?;
    Ok(read)
}

fn small(f: &mut Fields<'_>, key: &str) -> Result<i8, DataError> {
    Ok(f.optional(key).map_or(Ok(0), |n| n.number_in(-9..=9))? as i8)
}

fn side(f: &mut Fields<'_>, key: &str) -> Result<Option<Who>, DataError> {
    f.optional(key).map(|n| n.one_of(&SIDES)).transpose()
}

fn required_side(f: &mut Fields<'_>, key: &str) -> Result<Who, DataError> {
    f.required(key)?.one_of(&SIDES)
}

fn removal(node: &Node) -> Result<Removal, DataError> {
    node.one_of(&[("force_pool", Removal::Pool), ("dead", Removal::Dead), ("tray", Removal::Tray)])
}

fn until(node: &Node) -> Result<Until, DataError> {
    node.one_of(&[
        ("now", Until::Now),
        ("next_enemy_round", Until::NextEnemyRound),
        ("two_rounds_each", Until::TwoRounds),
        ("turn", Until::Turn),
        ("siege", Until::Siege),
        ("captured", Until::Captured),
        ("game", Until::Game),
    ])
}

fn target(node: &Node) -> Result<Target, DataError> {
    node.one_of(&[
        ("active_force", Target::Active),
        ("one_enemy_force", Target::OneEnemyForce),
        ("besieger", Target::Besieger),
        ("besieged", Target::Besieged),
        ("opposing", Target::Opposing),
        ("one_enemy_leader", Target::EnemyLeader),
        ("enemy_forces", Target::EnemyForces),
    ])
}

/// The faces of a die as bits, the one the lowest.
fn faces(node: &Node) -> Result<u8, DataError> {
    let mut bits = 0;
    for n in node.list()? {
        bits |= 1 << (n.number_in(1..=6)? - 1);
    }
    Ok(bits)
}

fn amount(node: &Node) -> Result<Amount, DataError> {
    if let Ok(n) = node.number() {
        return i8::try_from(n).map(Amount::Fixed).map_err(|_| node.expected("a small number"));
    }
    node.one_of(&[
        ("1d3", Amount::HalfDie),
        ("1d6", Amount::Die),
        ("all", Amount::All),
        ("half", Amount::Half),
        ("command_rating", Amount::Command),
        ("battle_rating", Amount::Battle),
    ])
}

/// The printed values of a unit, as in "2-6".
fn unit_values(node: &Node) -> Result<(u8, u8), DataError> {
    let text = node.text()?;
    let values = text.split_once('-').and_then(|(cs, ma)| Some((cs.parse().ok()?, ma.parse().ok()?)));
    values.ok_or_else(|| node.expected("a unit's values, as in \"2-6\""))
}

fn spaces(c: &Components, node: &Node) -> Result<Spaces, DataError> {
    let mut set = Set::NONE;
    for n in node.list()? {
        set.insert(c.space_named(n)?);
    }
    Ok(set)
}

/// One Power, a group of Powers, or a list of them.
fn powers(c: &Components, node: &Node) -> Result<Powers, DataError> {
    if let Ok(list) = node.list() {
        let mut set = Set::NONE;
        for n in list {
            set |= powers(c, n)?;
        }
        return Ok(set);
    }
    match c.group(node.text()?) {
        Some(group) => Ok(group),
        None => c.power_named(node).map(Set::one),
    }
}

fn power_pick(c: &Components, node: &Node) -> Result<PowerPick, DataError> {
    Ok(match node.text() {
        Ok("one_controlled") => PowerPick::Controlled,
        Ok("one_enemy") => PowerPick::EnemyPower,
        Ok("one_listed") => PowerPick::Listed,
        Ok("one_sunni") => PowerPick::Sunni,
        Ok("one_catholic") => PowerPick::Catholic,
        _ => PowerPick::Among(powers(c, node)?),
    })
}

fn place(c: &Components, node: &Node) -> Result<Where, DataError> {
    let Ok(text) = node.text() else {
        let mut f = node.fields()?;
        let set = spaces(c, f.required("spaces")?)?;
        f.finish()?;
        return Ok(Where::Spaces(set));
    };
    if let Some(id) = text.strip_prefix("province:") {
        let found = c.provinces.iter().position(|p| p.id == id);
        return found.map(|i| Where::In(Province::at(i))).ok_or_else(|| node.expected("a province"));
    }
    if let Some(id) = text.strip_prefix("leader:") {
        let found = c.leaders.iter().position(|l| l.id == id);
        return found.map(|i| Where::LeaderAt(Leader::at(i))).ok_or_else(|| node.expected("a leader"));
    }
    if let Some(space) = c.spaces.iter().position(|s| s.id == text && s.is_box) {
        return Ok(Where::Spaces(Set::one(Space::at(space))));
    }
    node.one_of(&[
        ("capital", Where::Capital),
        ("friendly_port", Where::FriendlyPort),
        ("friendly_stronghold", Where::FriendlyStronghold),
        ("friendly_unbesieged", Where::FriendlyUnbesieged),
        ("friendly_city", Where::FriendlyCity),
        ("friendly_open", Where::FriendlyOpen),
        ("own_leader", Where::OwnLeader),
        ("enemy_port", Where::EnemyPort),
        ("harsh", Where::Harsh),
        ("outside_own_strongholds", Where::OutsideOwnStrongholds),
        ("siege", Where::Siege),
        ("nile", Where::Nile),
        ("one_province", Where::OneProvince),
        ("anywhere", Where::Anywhere),
        ("battle", Where::Battle),
        ("active", Where::Active),
        ("map", Where::OnMap),
        ("map_or_box", Where::MapOrBox),
        ("prisoner", Where::Prisoner),
        ("within_two_spaces", Where::WithinTwo),
    ])
}

fn conds(c: &Components, node: Option<&Node>) -> Result<Vec<Cond>, DataError> {
    node.map_or(Ok(&[][..]), Node::list)?.iter().map(|n| cond(c, n)).collect()
}

fn cond(c: &Components, node: &Node) -> Result<Cond, DataError> {
    let mut f = node.fields()?;
    let name = f.required("cond")?;
    let read = match name.text()? {
        "units" => {
            let n = f.required("filter")?;
            let filter = match n.text()? {
                "any" => Filter::Any,
                "cavalry" => Filter::Cavalry,
                "infantry" => Filter::Infantry,
                _ => Filter::Of(powers(c, n)?),
            };
            Cond::Units {
                side: required_side(&mut f, "side")?,
                filter,
                min: f.required("min")?.number_in(1..=20)? as u8,
                place: place(c, f.required("where")?)?,
            }
        }
        "leader" => Cond::Leader {
            side: required_side(&mut f, "side")?,
            leader: f.optional("leader").map(|n| c.leader_named(n)).transpose()?,
            powers: f.optional("power").map(|n| powers(c, n)).transpose()?,
            place: place(c, f.required("where")?)?,
            most: f.optional("max_br").map(|n| n.number_in(0..=6)).transpose()?.map(|n| n as u8),
        },
        "active_in" => Cond::ActiveIn(place(c, f.required("where")?)?),
        "power" => Cond::PowerIs(
            c.power_named(f.required("power")?)?,
            f.required("is")?.one_of(&[
                ("pro_self", Stand::ProOwn),
                ("pro_enemy", Stand::ProEnemy),
                ("not_pro_enemy", Stand::NotProEnemy),
            ])?,
        ),
        "controls" => Cond::Controls(required_side(&mut f, "side")?, spaces(c, f.required("space")?)?),
        "siege" => Cond::Siege {
            attacker: f.required("role")?.one_of(&[("attacker", true), ("defender", false)])?,
            space: f.optional("space").map(|n| c.space_named(n)).transpose()?,
        },
        "turn" => Cond::Turn(f.required("min")?.number_in(1..=20)? as u8),
        "battle" => Cond::Battle {
            attacker: f
                .optional("role")
                .map(|n| n.one_of(&[("attacker", true), ("defender", false)]))
                .transpose()?,
            half_cavalry: f.optional("cavalry").map_or(Ok(false), |n| n.one_of(&[("half", true)]))?,
        },
        "subordinate" => Cond::Subordinate,
        _ => return Err(name.expected("a condition that the rules know")),
    };
    f.finish()?;
    Ok(read)
}
