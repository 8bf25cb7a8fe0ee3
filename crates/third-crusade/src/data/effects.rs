//! The vocabulary of effects: what orders, event cards, rewards and spaces can do, as data.
//!
//! A list of effects is read into flat parts. A part knows whether it belongs to the crown event and, inside an OR,
//! to which of the branches; the flow has one function for each operation and none for a card.

use arrayvec::ArrayVec;
use table::Id as _;
use table::sheet::{DataError, Fields, Node};

use super::{Names, PARTS};
use crate::ids::{Army, Icon, Leader, Region, Side, Unit};

/// Where an effect may happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In any region of a kind with this presence.
    Fits(Presence, Sort),
    /// In this region.
    At(Region),
    /// Where this leader stands.
    Leader(Leader),
    /// In the region that was chosen for the first part that names one.
    Same,
}

/// What presence a place asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// The acting army's.
    Own,
    /// The acting army's or its partner's.
    Alliance,
    /// The acting army controls it.
    Control,
    /// Somebody's of the other alliance.
    Enemy,
    /// Nobody's of the other alliance.
    NoEnemy,
    /// Whatever stands there.
    Any,
    /// Nobody's.
    Empty,
    /// It lies next to a region with own presence.
    Adjacent,
    /// That of one army.
    Of(Army),
}

/// What sort of region a place asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Any.
    Region,
    /// A city, Jerusalem among them.
    City,
    /// A desert.
    Desert,
    /// One with a port that is not destroyed.
    Port,
    /// A mercantile city.
    Mercantile,
    /// Jerusalem.
    Jerusalem,
}

/// Whose Units are mustered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// The acting army's.
    Own,
    /// Its partner's.
    Ally,
    /// White ones.
    Neutral,
}

/// Whose pieces are removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// An alliance's; of leaders the white ones, too.
    Side(Side),
    /// One army's.
    Army(Army),
    /// White ones.
    Neutral,
    /// Anybody's.
    Anyone,
}

/// How a march goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum March {
    /// To one region next to it.
    Plain,
    /// Two marches, one after the other.
    Forced,
    /// The partner's pieces may come.
    Coordinated,
    /// To two regions at once.
    Disperse,
    /// From port to port.
    Sea,
}

/// One operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Effect {
    /// Units come from a board or the pool.
    Muster { unit: Unit, n: u8, at: Place, whose: Whose },
    /// Units go back; of any kind where it names none.
    RemoveUnit { unit: Option<Unit>, n: u8, target: Target, at: Place },
    /// A named leader comes.
    PlaceLeader { leader: Leader, at: Place },
    /// A white leader comes out of the pool.
    NeutralLeader { at: Place },
    /// Leaders are killed.
    RemoveLeader { target: Target, n: u8, at: Place },
    /// A leader shows his other side.
    FlipLeader(Leader),
    /// Resource tokens are laid.
    PlaceToken { icon: Icon, n: u8, at: Place },
    /// Resource tokens are taken away.
    RemoveToken { icon: Icon, n: u8, at: Place },
    /// Slots are sabotaged.
    Sabotage { n: u8, at: Place },
    /// Sabotage is taken away.
    Repair { n: u8, at: Place },
    /// Bandits come to roads.
    Bandit(u8),
    /// Bandits leave roads.
    RemoveBandit(u8),
    /// Ports are destroyed.
    DestroyPort { n: u8, at: Place },
    /// Pieces march.
    March { kind: March, from: Place, strength: u8, ignores: bool },
    /// Glory, at once.
    Glory(i8),
    /// Faith, towards the acting army.
    Faith(i8),
    /// Gold.
    Gold(i8),
    /// Base command, for good.
    BaseCommand(i8),
    /// Command points, for this round.
    Command(i8),
    /// Advanced Orders, free.
    AdvancedOrder(u8),
    /// Steps on the diplomacy board.
    DiplomacyMove(u8),
    /// Reaction: strength for the defence.
    Defence(u8),
    /// Reaction: strength for each Unit next to the battle.
    Reinforce(u8),
    /// Reaction: an enemy's reaction is cancelled.
    Diversion,
    /// Reaction: the attacked leave.
    TacticalRetreat,
    /// Nothing, ever.
    Blank,
}

/// An effect as a part of what it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it does.
    pub effect: Effect,
    /// Whether it belongs to the crown event.
    pub crown: bool,
    /// In an OR, which branch it belongs to, from 1; 0 outside.
    pub branch: u8,
}

/// The parts of an order, card, reward or space.
pub type Parts = ArrayVec<Part, PARTS>;

impl Effect {
    /// Where it happens, if it names a region.
    #[inline]
    pub const fn place(&self) -> Option<Place> {
        match *self {
            Self::Muster { at, .. }
            | Self::RemoveUnit { at, .. }
            | Self::PlaceLeader { at, .. }
            | Self::NeutralLeader { at }
            | Self::RemoveLeader { at, .. }
            | Self::PlaceToken { at, .. }
            | Self::RemoveToken { at, .. }
            | Self::Sabotage { at, .. }
            | Self::Repair { at, .. }
            | Self::DestroyPort { at, .. } => Some(at),
            Self::March { from, .. } => Some(from),
            _ => None,
        }
    }

    /// Whether it is for battles.
    #[inline]
    pub const fn is_reaction(&self) -> bool {
        matches!(self, Self::Defence(_) | Self::Reinforce(_) | Self::Diversion | Self::TacticalRetreat)
    }

    /// An army that it names.
    fn names(&self) -> Option<Army> {
        let target = match *self {
            Self::RemoveUnit { target: Target::Army(army), .. }
            | Self::RemoveLeader { target: Target::Army(army), .. } => Some(army),
            _ => None,
        };
        target.or(match self.place() {
            Some(Place::Fits(Presence::Of(army), _)) => Some(army),
            _ => None,
        })
    }
}

/// The armies that parts name.
pub(super) fn named(parts: &[Part]) -> impl Iterator<Item = Army> + '_ {
    parts.iter().filter_map(|part| part.effect.names())
}

const UNIT_WORDS: [(&str, Unit); 3] =
    [("infantry", Unit::Infantry), ("cavalry", Unit::Cavalry), ("siege", Unit::Siege)];
pub(super) const ICON_WORDS: [(&str, Icon); 5] = [
    ("supply", Icon::Supply),
    ("gold", Icon::Gold),
    ("command", Icon::Command),
    ("crown", Icon::Crown),
    ("glory", Icon::Glory),
];
const SORT_WORDS: [(&str, Sort); 6] = [
    ("region", Sort::Region),
    ("city", Sort::City),
    ("desert", Sort::Desert),
    ("port", Sort::Port),
    ("mercantile", Sort::Mercantile),
    ("jerusalem", Sort::Jerusalem),
];
const MARCH_WORDS: [(&str, March); 5] = [
    ("march", March::Plain),
    ("forced", March::Forced),
    ("coordinated", March::Coordinated),
    ("disperse", March::Disperse),
    ("sea", March::Sea),
];

/// All operations, for the error that lists them.
const OPERATIONS: &str = "muster, remove_unit, place_leader, neutral_leader, remove_leader, flip_leader, place_token, \
     remove_token, sabotage, repair, bandit, remove_bandit, destroy_port, march, glory, faith, gold, base_command, \
     command, advanced_order, diplomacy_move, choose, defence, reinforce, diversion, tactical_retreat, blank";

/// Reads lists of effects, and remembers whether `same` has a meaning yet.
pub(super) struct Reader<'a> {
    /// What the file may name.
    pub(super) names: &'a Names,
    /// Whose card it is; nobody's for what all share.
    pub(super) army: Option<Army>,
    /// Whether a region has been chosen, so that `same` is one.
    pub(super) anchored: bool,
    /// Leaders that these effects bring in.
    pub(super) brought: Vec<Leader>,
}

impl Reader<'_> {
    /// Reads a list of effects into parts.
    pub(super) fn read(&mut self, list: &Node, crown: bool, parts: &mut Parts) -> Result<(), DataError> {
        for node in list.list()? {
            let mut fields = node.fields()?;
            if fields.required("op")?.text()? == "choose" {
                let options = fields.required("options")?;
                fields.finish()?;
                if parts.iter().any(|part| part.branch > 0) {
                    return Err(node.wrong("expected at most one `choose` in a list, found another"));
                }
                let (before, mut all) = (self.anchored, true);
                for (i, branch) in options.list()?.iter().enumerate() {
                    self.anchored = before;
                    for effect in branch.list()? {
                        let effect = self.effect(effect)?;
                        add(parts, Part { effect, crown, branch: i as u8 + 1 }, node)?;
                    }
                    all &= self.anchored;
                }
                self.anchored = before || all;
                continue;
            }
            let effect = self.effect(node)?;
            add(parts, Part { effect, crown, branch: 0 }, node)?;
        }
        Ok(())
    }

    fn effect(&mut self, node: &Node) -> Result<Effect, DataError> {
        let mut f = node.fields()?;
        let op = f.required("op")?;
        let effect = match op.text()? {
            "muster" => Effect::Muster {
                unit: f.required("unit")?.one_of(&UNIT_WORDS)?,
                n: count(&mut f)?,
                whose: f.required("army")?.one_of(&[
                    ("self", Whose::Own),
                    ("ally", Whose::Ally),
                    ("neutral", Whose::Neutral),
                ])?,
                at: self.place(f.required("where")?)?,
            },
            "remove_unit" => {
                let unit = f.required("unit")?;
                let unit = if unit.text() == Ok("any") { None } else { Some(unit.one_of(&UNIT_WORDS)?) };
                let (n, target) = (count(&mut f)?, self.target(f.required("side")?)?);
                Effect::RemoveUnit { unit, n, target, at: self.place(f.required("where")?)? }
            }
            "place_leader" => {
                let leader = self.leader(f.required("leader")?)?;
                self.brought.push(leader);
                Effect::PlaceLeader { leader, at: self.place(f.required("where")?)? }
            }
            "neutral_leader" => Effect::NeutralLeader { at: self.place(f.required("where")?)? },
            "remove_leader" => {
                let (n, target) = (count(&mut f)?, self.target(f.required("side")?)?);
                Effect::RemoveLeader { n, target, at: self.place(f.required("where")?)? }
            }
            "flip_leader" => {
                let leader = f.required("leader")?;
                let flipped = self.leader(leader)?;
                if !self.names.two_sided.has(flipped) {
                    return Err(leader.expected("a leader with another side"));
                }
                Effect::FlipLeader(flipped)
            }
            "place_token" => {
                let (icon, n) = (f.required("token")?.one_of(&ICON_WORDS)?, count(&mut f)?);
                Effect::PlaceToken { icon, n, at: self.place(f.required("where")?)? }
            }
            "remove_token" => {
                let (icon, n) = (f.required("token")?.one_of(&ICON_WORDS)?, count(&mut f)?);
                Effect::RemoveToken { icon, n, at: self.place(f.required("where")?)? }
            }
            "sabotage" => Effect::Sabotage { n: count(&mut f)?, at: self.place(f.required("where")?)? },
            "repair" => Effect::Repair { n: count(&mut f)?, at: self.place(f.required("where")?)? },
            "destroy_port" => {
                Effect::DestroyPort { n: count(&mut f)?, at: self.place(f.required("where")?)? }
            }
            "bandit" => Effect::Bandit(on_roads(&mut f)?),
            "remove_bandit" => Effect::RemoveBandit(on_roads(&mut f)?),
            "march" => Effect::March {
                kind: f.required("kind")?.one_of(&MARCH_WORDS)?,
                from: self.place(f.required("from")?)?,
                strength: f.optional("strength").map_or(Ok(0), |n| n.number_in(0..=9))? as u8,
                ignores: f.optional("ignore_bandits").map_or(Ok(false), Node::flag)?,
            },
            "glory" => Effect::Glory(signed(&mut f)?),
            "faith" => Effect::Faith(signed(&mut f)?),
            "gold" => Effect::Gold(signed(&mut f)?),
            "base_command" => Effect::BaseCommand(count(&mut f)? as i8),
            "command" => Effect::Command(count(&mut f)? as i8),
            "advanced_order" => Effect::AdvancedOrder(count(&mut f)?),
            "diplomacy_move" => Effect::DiplomacyMove(count(&mut f)?),
            "defence" => Effect::Defence(count(&mut f)?),
            "reinforce" => Effect::Reinforce(f.required("per_unit")?.number_in(1..=9)? as u8),
            "diversion" => Effect::Diversion,
            "tactical_retreat" => Effect::TacticalRetreat,
            "blank" => Effect::Blank,
            _ => return Err(op.expected(&format!("one of {OPERATIONS}"))),
        };
        f.finish()?;
        Ok(effect)
    }

    fn leader(&self, node: &Node) -> Result<Leader, DataError> {
        let leader = self.names.leader(node)?;
        match (self.army, self.names.leader_army[leader].army()) {
            (Some(army), Some(other)) if army != other => {
                Err(node.expected("a leader of the card's own army, or a white one"))
            }
            _ => Ok(leader),
        }
    }

    fn target(&self, node: &Node) -> Result<Target, DataError> {
        Ok(match node.text()? {
            "crusader" => Target::Side(Side::Crusader),
            "muslim" => Target::Side(Side::Muslim),
            "neutral" => Target::Neutral,
            "any" => Target::Anyone,
            _ => Target::Army(self.names.army(node)?),
        })
    }

    fn place(&mut self, node: &Node) -> Result<Place, DataError> {
        let text = node.text()?;
        if text == "same" {
            return if self.anchored {
                Ok(Place::Same)
            } else {
                Err(node.wrong("`same`, but no region was chosen before it"))
            };
        }
        let expected = || {
            node.expected(
                "`same`, `at:REGION`, `leader:LEADER` or PRESENCE:KIND, where presence is own, alliance, control, enemy, \
                 no_enemy, any, empty, adjacent or an army and kind is region, city, desert, port, mercantile or jerusalem",
            )
        };
        let (presence, sort) = text.split_once(':').ok_or_else(expected)?;
        let place = match presence {
            "at" => {
                let region = self.names.region_called(node, sort)?;
                if !self.names.south.has(region) {
                    return Err(
                        node.expected("a region of the south board, for two and three play there alone")
                    );
                }
                Place::At(region)
            }
            "leader" => {
                let leader = self.names.leader_called(node, sort)?;
                if self.army.is_some_and(|army| self.names.leader_army[leader] != army.owner()) {
                    return Err(node.expected("a leader of the card's own army"));
                }
                Place::Leader(leader)
            }
            _ => {
                let presence = match presence {
                    "own" => Presence::Own,
                    "alliance" => Presence::Alliance,
                    "control" => Presence::Control,
                    "enemy" => Presence::Enemy,
                    "no_enemy" => Presence::NoEnemy,
                    "any" => Presence::Any,
                    "empty" => Presence::Empty,
                    "adjacent" => Presence::Adjacent,
                    other => Presence::Of(
                        Army::all().find(|a| self.names.armies[*a] == other).ok_or_else(expected)?,
                    ),
                };
                let sort = SORT_WORDS.iter().find(|(word, _)| *word == sort).ok_or_else(expected)?;
                Place::Fits(presence, sort.1)
            }
        };
        self.anchored = true;
        Ok(place)
    }
}

fn add(parts: &mut Parts, part: Part, node: &Node) -> Result<(), DataError> {
    parts.try_push(part).map_err(|_| node.wrong(format!("expected at most {PARTS} parts, found more")))
}

fn count(fields: &mut Fields<'_>) -> Result<u8, DataError> {
    Ok(fields.required("n")?.number_in(1..=9)? as u8)
}

fn signed(fields: &mut Fields<'_>) -> Result<i8, DataError> {
    Ok(fields.required("n")?.number_in(-9..=9)? as i8)
}

fn on_roads(fields: &mut Fields<'_>) -> Result<u8, DataError> {
    let place = fields.required("where")?;
    if place.text()? != "road:any" {
        return Err(place.expected("`road:any`"));
    }
    count(fields)
}
