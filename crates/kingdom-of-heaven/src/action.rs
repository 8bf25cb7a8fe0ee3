//! The decisions, and their notation: a verb, then names, set apart by ` > `.

use serde::{Deserialize, Serialize};
use table::rooms::*;
use table::{Id as _, Notation, ReadError};

use crate::KingdomOfHeaven;
use crate::ids::{Card, Kind, Leader, Power, Province, Sort, Space};

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    // A round [8.4].
    /// Play a card to activate a leader.
    Activate(Card, Leader),
    /// Play a card as an event.
    Event(Card),
    /// Play a card to starve a stronghold.
    Starve(Card, Space),
    /// Discard a card and draw another for its siege event.
    Fortune(Card, Space),
    /// Play a card's siege event.
    Siege(Card, Space),
    /// Discard a card to assault.
    Storm(Card, Space),
    /// Play a card to influence a Power.
    Influence(Card, Power),
    /// Play a card to gain the advantage marker.
    Woo(Card),
    /// Play a card for a vassal move.
    Vassals(Card),
    /// A vassal move with one unit and without a card.
    FreeVassal,
    /// Put a card to others, for their sum [8.6].
    Combine(Card),
    /// Discard a card.
    Discard(Card),
    /// Do nothing.
    Pass,
    /// Be dealt one’s cards.
    Deal,
    /// Draw a card.
    Draw,
    // Answers.
    /// Play a card in answer, in battle or as a siege event.
    Respond(Card),
    /// Play nothing.
    Decline,
    // The army.
    /// Activate a leader by an event.
    Lead(Leader),
    /// Activate cavalry without a leader.
    Stack(Space),
    /// A unit comes along.
    Take(Sort),
    /// A unit stays behind.
    Leave(Sort),
    /// A leader comes along.
    Bring(Leader),
    /// A leader stays behind.
    Dismiss(Leader),
    /// Lay out the way as far as there.
    To(Space),
    /// Lay out a wait.
    Rest,
    /// Forget the way.
    Forget,
    /// The army is formed.
    Go,
    /// Sail.
    Sail(Space),
    /// Attack the besiegers from inside.
    Sally,
    /// March to the next space.
    March(Space),
    /// March there under free passage.
    Passage(Space),
    /// Spend a movement point where one is.
    Wait,
    /// Leave a unit here for good.
    Drop(Sort),
    /// Leave a leader here for good.
    DropLeader(Leader),
    /// Call for surrender.
    Call,
    /// Begin a siege.
    Besiege,
    /// March no further.
    Halt,
    /// A vassal of this sort moves from there.
    Vassal(Space, Sort),
    /// Vassals sail from there.
    Embark(Space),
    // Reactions.
    /// Try to intercept from there, with a leader or with cavalry alone.
    Intercept(Space, Option<Leader>),
    /// Try to avoid battle.
    Avoid,
    /// Try to shadow.
    Shadow,
    /// That is all.
    Done,
    /// There.
    Target(Space),
    /// A unit goes inside.
    Inside(Sort),
    /// A leader goes inside.
    InsideLeader(Leader),
    /// As many as can go inside.
    AllInside,
    /// Attack.
    Attack,
    // Losses.
    /// A unit loses a step.
    Lose(Sort),
    /// A unit that has gone inside loses a step.
    LoseInside(Sort),
    /// The castle loses a step.
    LoseCastle,
    /// Losses are taken as usual.
    Usual,
    // Choices.
    /// One of several things that an event offers.
    Choose(u8),
    /// This Power.
    PickPower(Power),
    /// This leader.
    PickLeader(Leader),
    /// This province.
    PickProvince(Province),
    /// A unit of this kind comes there.
    Place(Kind, Space),
    /// So many steps are committed.
    Commit(u8),
    /// The advantage marker is spent.
    Spend,
    /// The advantage marker is kept.
    Keep,
    // Replacement and mustering.
    /// A dead unit is rebuilt.
    Rebuild(Kind),
    /// A reduced unit in a space is restored.
    Restore(Space, Kind),
    /// A reduced unit in the force pool is restored.
    RestorePool(Kind),
    /// A dead leader is brought back.
    Revive(Leader),
    /// The advantage marker gives a Power a point.
    Boost(Power),
    /// A leader is placed.
    MusterLeader(Leader, Space),
    /// A unit is placed.
    Muster(Space, Sort),
    /// A castle is filled by a step of a unit in the pool, or of one inside.
    Fill(Space, Sort),
    /// A castle's garrison becomes a reduced unit.
    Drain(Space, Kind),
    /// A castle's garrison strengthens a unit that came from another.
    DrainMore(Space, Kind),
    /// A leader is ransomed.
    Ransom(Leader),
    // Going home.
    /// A leader stays.
    Stays(Leader),
    /// A unit stays.
    Keeps(Sort),
}

/// A standing order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Play no responses before one's own next round.
    NoResponses,
    /// Play no battle events.
    NoBattleCards,
    /// This leader never intercepts.
    NeverIntercepts(Leader),
    /// Nobody intercepts, avoids or shadows.
    StandFast,
    /// Take losses as usual.
    UsualLosses,
}

impl KingdomOfHeaven {
    pub(crate) fn card_id(&self, card: Card) -> &str {
        &self.components.card(card).id
    }
    pub(crate) fn space_name(&self, space: Space) -> &str {
        &self.components.space(space).name
    }
    pub(crate) fn leader_name(&self, leader: Leader) -> &str {
        &self.components.leader(leader).name
    }
    /// A leader’s name where a sentence begins.
    pub(crate) fn leader_start(&self, leader: Leader) -> crate::words::Begins<'_> {
        crate::words::Begins(self.leader_name(leader))
    }
    pub(crate) fn power_name(&self, power: Power) -> &str {
        &self.components.power(power).name
    }
    pub(crate) fn sort_name(&self, sort: Sort) -> String {
        let name = &self.components.kind(sort.kind).name;
        if sort.reduced { format!("reduced {name}") } else { name.clone() }
    }
}

impl Written for KingdomOfHeaven {
    fn write(&self, action: Action) -> Notation {
        let (card, space, leader) = (|c| self.card_id(c), |s| self.space_name(s), |l| self.leader_name(l));
        let kind = |k: Kind| &self.components.kind(k).name;
        let sort = |s| self.sort_name(s);
        Notation::new(match action {
            Action::Activate(c, l) => format!("activate {} > {}", card(c), leader(l)),
            Action::Event(c) => format!("event {}", card(c)),
            Action::Starve(c, s) => format!("starve {} > {}", card(c), space(s)),
            Action::Fortune(c, s) => format!("fortune {} > {}", card(c), space(s)),
            Action::Siege(c, s) => format!("siege {} > {}", card(c), space(s)),
            Action::Storm(c, s) => format!("storm {} > {}", card(c), space(s)),
            Action::Influence(c, p) => format!("influence {} > {}", card(c), self.power_name(p)),
            Action::Woo(c) => format!("woo {}", card(c)),
            Action::Vassals(c) => format!("vassals {}", card(c)),
            Action::FreeVassal => "vassal".into(),
            Action::Combine(c) => format!("combine {}", card(c)),
            Action::Discard(c) => format!("discard {}", card(c)),
            Action::Pass => "pass".into(),
            Action::Deal => "deal".into(),
            Action::Draw => "draw".into(),
            Action::Respond(c) => format!("respond {}", card(c)),
            Action::Decline => "decline".into(),
            Action::Lead(l) => format!("lead {}", leader(l)),
            Action::Stack(s) => format!("stack {}", space(s)),
            Action::Take(s) => format!("take {}", sort(s)),
            Action::Leave(s) => format!("leave {}", sort(s)),
            Action::Bring(l) => format!("bring {}", leader(l)),
            Action::Dismiss(l) => format!("dismiss {}", leader(l)),
            Action::To(s) => format!("via {}", space(s)),
            Action::Rest => "rest".into(),
            Action::Forget => "forget".into(),
            Action::Go => "go".into(),
            Action::Sail(s) => format!("sail {}", space(s)),
            Action::Sally => "sally".into(),
            Action::March(s) => format!("march {}", space(s)),
            Action::Passage(s) => format!("passage {}", space(s)),
            Action::Wait => "wait".into(),
            Action::Drop(s) => format!("drop {}", sort(s)),
            Action::DropLeader(l) => format!("part {}", leader(l)),
            Action::Call => "call".into(),
            Action::Besiege => "besiege".into(),
            Action::Halt => "halt".into(),
            Action::Vassal(s, k) => format!("move {} > {}", space(s), sort(k)),
            Action::Embark(s) => format!("embark {}", space(s)),
            Action::Intercept(s, Some(l)) => format!("intercept {} > {}", space(s), leader(l)),
            Action::Intercept(s, None) => format!("intercept {}", space(s)),
            Action::Avoid => "avoid".into(),
            Action::Shadow => "shadow".into(),
            Action::Done => "done".into(),
            Action::Target(s) => format!("there {}", space(s)),
            Action::Inside(s) => format!("inside {}", sort(s)),
            Action::InsideLeader(l) => format!("shelter {}", leader(l)),
            Action::AllInside => "all inside".into(),
            Action::Attack => "attack".into(),
            Action::Lose(s) => format!("lose {}", sort(s)),
            Action::LoseInside(s) => format!("lose inside {}", sort(s)),
            Action::LoseCastle => "lose castle".into(),
            Action::Usual => "usual".into(),
            Action::Choose(n) => format!("choose {}", n + 1),
            Action::PickPower(p) => format!("power {}", self.power_name(p)),
            Action::PickLeader(l) => format!("name {}", leader(l)),
            Action::PickProvince(p) => format!("province {}", self.components.provinces[p.number()].name),
            Action::Place(k, s) => format!("place {} > {}", kind(k), space(s)),
            Action::Commit(n) => format!("commit {n}"),
            Action::Spend => "spend".into(),
            Action::Keep => "keep".into(),
            Action::Rebuild(k) => format!("rebuild {}", kind(k)),
            Action::Restore(s, k) => format!("restore {} > {}", space(s), kind(k)),
            Action::RestorePool(k) => format!("restore {}", kind(k)),
            Action::Revive(l) => format!("revive {}", leader(l)),
            Action::Boost(p) => format!("boost {}", self.power_name(p)),
            Action::MusterLeader(l, s) => format!("post {} > {}", leader(l), space(s)),
            Action::Muster(s, k) => format!("muster {} > {}", space(s), sort(k)),
            Action::Fill(s, k) => format!("fill {} > {}", space(s), sort(k)),
            Action::Drain(s, k) => format!("drain {} > {}", space(s), kind(k)),
            Action::DrainMore(s, k) => format!("draw off {} > {}", space(s), kind(k)),
            Action::Ransom(l) => format!("ransom {}", leader(l)),
            Action::Stays(l) => format!("stays {}", leader(l)),
            Action::Keeps(s) => format!("keeps {}", sort(s)),
        })
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        let wrong = |what: &str| ReadError::new(format!("`{text}`"), what.to_string());
        let plain = match text {
            "vassal" => Some(Action::FreeVassal),
            "pass" => Some(Action::Pass),
            "deal" => Some(Action::Deal),
            "draw" => Some(Action::Draw),
            "decline" => Some(Action::Decline),
            "rest" => Some(Action::Rest),
            "forget" => Some(Action::Forget),
            "go" => Some(Action::Go),
            "sally" => Some(Action::Sally),
            "wait" => Some(Action::Wait),
            "call" => Some(Action::Call),
            "besiege" => Some(Action::Besiege),
            "halt" => Some(Action::Halt),
            "avoid" => Some(Action::Avoid),
            "shadow" => Some(Action::Shadow),
            "done" => Some(Action::Done),
            "all inside" => Some(Action::AllInside),
            "attack" => Some(Action::Attack),
            "lose castle" => Some(Action::LoseCastle),
            "usual" => Some(Action::Usual),
            "spend" => Some(Action::Spend),
            "keep" => Some(Action::Keep),
            _ => None,
        };
        if let Some(action) = plain {
            return Ok(action);
        }
        let (verb, rest) = match text.strip_prefix("draw off ") {
            Some(rest) => ("draw off", rest),
            None => text.split_once(' ').ok_or_else(|| wrong("a verb, then names: `march Acre`"))?,
        };
        let (one, two) = rest.split_once(" > ").map_or((rest, None), |(a, b)| (a, Some(b)));
        let c = &self.components;
        let card = || c.card_of(one).ok_or_else(|| wrong("the number of a card"));
        let space_of = |t: &str| c.space_of(t).ok_or_else(|| wrong("the name of a space"));
        let leader_of = |t: &str| c.leader_of(t).ok_or_else(|| wrong("the name of a leader"));
        let power_of = |t: &str| c.power_of(t).ok_or_else(|| wrong("the name of a Power"));
        let kind_of = |t: &str| c.kind_of(t).ok_or_else(|| wrong("a kind of unit, as in `Templar 3-4`"));
        let sort_of = |t: &str| -> Result<Sort, ReadError> {
            let (name, reduced) = t.strip_prefix("reduced ").map_or((t, false), |name| (name, true));
            Ok(Sort { kind: kind_of(name)?, reduced })
        };
        let second = || two.ok_or_else(|| wrong("two names, set apart by ` > `"));
        let number = || one.parse::<u8>().map_err(|_| wrong("a number"));
        if two.is_some()
            && !matches!(
                verb,
                "activate"
                    | "starve"
                    | "fortune"
                    | "siege"
                    | "storm"
                    | "influence"
                    | "move"
                    | "intercept"
                    | "place"
                    | "restore"
                    | "post"
                    | "muster"
                    | "fill"
                    | "drain"
                    | "draw off"
            )
        {
            return Err(wrong("one name only"));
        }
        Ok(match verb {
            "activate" => Action::Activate(card()?, leader_of(second()?)?),
            "event" => Action::Event(card()?),
            "starve" => Action::Starve(card()?, space_of(second()?)?),
            "fortune" => Action::Fortune(card()?, space_of(second()?)?),
            "siege" => Action::Siege(card()?, space_of(second()?)?),
            "storm" => Action::Storm(card()?, space_of(second()?)?),
            "influence" => Action::Influence(card()?, power_of(second()?)?),
            "woo" => Action::Woo(card()?),
            "vassals" => Action::Vassals(card()?),
            "combine" => Action::Combine(card()?),
            "discard" => Action::Discard(card()?),
            "respond" => Action::Respond(card()?),
            "lead" => Action::Lead(leader_of(one)?),
            "stack" => Action::Stack(space_of(one)?),
            "take" => Action::Take(sort_of(one)?),
            "leave" => Action::Leave(sort_of(one)?),
            "bring" => Action::Bring(leader_of(one)?),
            "dismiss" => Action::Dismiss(leader_of(one)?),
            "via" => Action::To(space_of(one)?),
            "sail" => Action::Sail(space_of(one)?),
            "march" => Action::March(space_of(one)?),
            "passage" => Action::Passage(space_of(one)?),
            "drop" => Action::Drop(sort_of(one)?),
            "part" => Action::DropLeader(leader_of(one)?),
            "move" => Action::Vassal(space_of(one)?, sort_of(second()?)?),
            "embark" => Action::Embark(space_of(one)?),
            "intercept" => Action::Intercept(space_of(one)?, two.map(leader_of).transpose()?),
            "there" => Action::Target(space_of(one)?),
            "inside" => Action::Inside(sort_of(one)?),
            "shelter" => Action::InsideLeader(leader_of(one)?),
            "lose" => match one.strip_prefix("inside ") {
                Some(sort) => Action::LoseInside(sort_of(sort)?),
                None => Action::Lose(sort_of(one)?),
            },
            "choose" => Action::Choose(number()?.checked_sub(1).ok_or_else(|| wrong("a number from 1"))?),
            "power" => Action::PickPower(power_of(one)?),
            "name" => Action::PickLeader(leader_of(one)?),
            "province" => {
                let found = c.provinces.iter().position(|p| p.name == one || p.id == one);
                Action::PickProvince(found.map(Province::at).ok_or_else(|| wrong("the name of a province"))?)
            }
            "place" => Action::Place(kind_of(one)?, space_of(second()?)?),
            "commit" => Action::Commit(number()?),
            "rebuild" => Action::Rebuild(kind_of(one)?),
            "restore" => match two {
                Some(kind) => Action::Restore(space_of(one)?, kind_of(kind)?),
                None => Action::RestorePool(kind_of(one)?),
            },
            "revive" => Action::Revive(leader_of(one)?),
            "boost" => Action::Boost(power_of(one)?),
            "post" => Action::MusterLeader(leader_of(one)?, space_of(second()?)?),
            "muster" => Action::Muster(space_of(one)?, sort_of(second()?)?),
            "fill" => Action::Fill(space_of(one)?, sort_of(second()?)?),
            "drain" => Action::Drain(space_of(one)?, kind_of(second()?)?),
            "draw off" => Action::DrainMore(space_of(one)?, kind_of(second()?)?),
            "ransom" => Action::Ransom(leader_of(one)?),
            "stays" => Action::Stays(leader_of(one)?),
            "keeps" => Action::Keeps(sort_of(one)?),
            _ => return Err(wrong("a verb that the game knows, such as `march`, `activate` or `event`")),
        })
    }
}
