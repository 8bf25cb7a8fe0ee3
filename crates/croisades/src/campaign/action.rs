//! The decisions of a campaign and their notation. Men are named, strongholds too, other hexes have their numbers;
//! nothing hangs on the position, so that a line of a record can be read by itself. What is decided in a battle
//! stands behind the word `battle`.

use serde::{Deserialize, Serialize};
use table::hex::{Direction, Lie};
use table::rooms::*;
use table::{Ballot, Notation, ReadError, Rule, Seat};

use super::Campaign;
use crate::deed::Deed;
use crate::ids::{Counter, Who};
use crate::realm::{GroupId, Hull, MapHex, PlaceId, Rampart, ShipId, Term, Trait, What};

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Begin at a border castle [3.13].
    Castle(PlaceId),
    /// Begin with a place more [scenario.7].
    Hold(PlaceId),
    /// Begin with no more places [scenario.7].
    Settle,
    /// The lord himself [3.14].
    Lord(Counter),
    /// A vassal [3.14].
    Vassal(Counter),
    /// A man, before the first turn or at a recruitment [3.14, 3.44].
    Hire(Counter),
    /// A characteristic of the lord or vassal named last [3.14].
    Raise(Trait, u8),
    /// Take the ready-made company.
    Ready,
    /// No more of it: the company, the letters.
    Seal,
    /// Begin a letter [ruling 43].
    Write(Seat),
    /// Add a term [ruling 44].
    Term(Term),
    /// Send the letter.
    Send,
    /// Sign the so manieth letter of a lord.
    Accept(Seat, u8),
    /// A man joins another group in his hex \[S7\].
    Shift(Who, GroupId),
    /// A man becomes the first of a new group \[S7\].
    Split(Who),
    /// Dinars go from one to another in the same hex \[S7\].
    Give(Who, Who, u16),
    /// Put a place into the ward of somebody [3.42].
    Entrust(PlaceId, Who),
    /// Buy something for a group [3.75, 3.76].
    Buy(Good, GroupId, u8),
    /// A ship sails on \[S12\].
    Sail(ShipId, Direction),
    /// A ship takes a group aboard \[S14\].
    Load(ShipId, GroupId),
    /// The group aboard a ship goes ashore, into the port or that way \[S14\].
    Land(ShipId, Option<Direction>),
    /// Flee from a battle at sea \[S15\].
    Flee,
    /// Build a ship [3.75].
    Build(Hull, PlaceId),
    /// Begin to build a castle on a hex [3.75].
    Found(Rampart, MapHex),
    /// Pay the rest of a castle [3.75].
    Finish(MapHex),
    /// A man of regular infantry becomes elite [3.62].
    Elite(Who),
    /// Another seat shall command in a battle or siege \[S39\].
    Delegate(What, Seat),
    /// Say whether one commands for another \[S39\].
    Agree(bool),
    /// Call a group from a neighbouring hex into the battle \[S20\].
    Summon(GroupId),
    /// The besieged join the battle of those who relieve them \[S31\].
    Join,
    /// March with a group \[S4\].
    Take(GroupId),
    /// To the next hex \[S4\].
    Go(Direction),
    /// No further \[S4\].
    Halt,
    /// Attack a lord with whom there is peace [3.31].
    Attack(Seat),
    /// Let them pass \[S18\].
    Pass,
    /// Fight \[S18\].
    Fight,
    /// Stay inside the walls \[S19\].
    Refuge,
    /// Let the house play the battle out \[S41\].
    Quick,
    /// Launch ships that are ready into a blockade [3.75].
    Launch(PlaceId),
    /// The ship that is lost \[S15\].
    Sink(ShipId),
    /// Break the banks of the Nile [scenario.10].
    Breach,
    /// Mend them [scenario.10].
    Mend,
    /// Break the vow to one's lord [scenario.5].
    Renounce,
    /// Fight man by man \[S41\].
    Command,
    /// Something in a battle.
    Battle(Deed),
    /// Leave the field for the next hex \[S22\].
    Leave(Direction),
    /// Besiege a place \[S24\].
    Besiege(PlaceId),
    /// Eat so many quarters of a ration \[S25\].
    Eat(u8),
    /// Assault [table.4].
    Assault,
    /// Batter the walls \[S26\].
    Batter,
    /// Ask for surrender [3.47].
    Parley,
    /// Let the day pass.
    Wait,
    /// Make a sortie for food \[S28\].
    Sortie,
    /// Raid the camp \[S29\].
    Raid,
    /// Negotiate or court [3.41 to 3.43].
    Suit(Who, Suit),
    /// Raise taxes, or leave them [3.73].
    Tax(bool),
    /// Pay the ransom of one's own man [3.77].
    Ransom(Who),
    /// Pay the ransom of the wife of one's own man [3.77].
    Redeem(Who),
    /// Put a prisoner to death [3.31].
    Kill(Seat, Who),
    /// A point of diplomacy for somebody [3.32].
    Polish(Who),
    /// Somebody recruits [3.44].
    Recruit(Who),
    /// A man rises in rank [3.62].
    Advance(Who, Counter),
    /// The vassal who follows the dead lord [3.16].
    Heir(Who),
    /// No more in this phase.
    Done,
}

/// What is bought.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Good {
    Rations,
    Mule,
    Cart,
    Ladder,
    Ram,
    Screen,
    Mangonel,
    Trebuchet,
}

impl Good {
    /// All of them, with their words.
    pub const ALL: [(&'static str, Self); 8] = [
        ("rations", Self::Rations),
        ("mules", Self::Mule),
        ("carts", Self::Cart),
        ("ladders", Self::Ladder),
        ("rams", Self::Ram),
        ("screens", Self::Screen),
        ("mangonels", Self::Mangonel),
        ("trebuchets", Self::Trebuchet),
    ];

    /// Its word.
    pub const fn word(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// What somebody seeks at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Suit {
    /// An alliance [3.41].
    Alliance,
    /// Allegiance [3.42].
    Allegiance,
    /// A lady's hand [3.43].
    Marriage,
}

const PLAIN: [(&str, Action); 29] = [
    ("agree", Action::Agree(true)),
    ("decline", Action::Agree(false)),
    ("join", Action::Join),
    ("raid", Action::Raid),
    ("break the banks", Action::Breach),
    ("mend the banks", Action::Mend),
    ("break the vow", Action::Renounce),
    ("flee", Action::Flee),
    ("settle", Action::Settle),
    ("ready-made", Action::Ready),
    ("seal", Action::Seal),
    ("send", Action::Send),
    ("halt", Action::Halt),
    ("pass", Action::Pass),
    ("fight", Action::Fight),
    ("refuge", Action::Refuge),
    ("quick", Action::Quick),
    ("command", Action::Command),
    ("eat full", Action::Eat(4)),
    ("eat half", Action::Eat(2)),
    ("eat a quarter", Action::Eat(1)),
    ("assault", Action::Assault),
    ("batter", Action::Batter),
    ("parley", Action::Parley),
    ("wait", Action::Wait),
    ("sortie", Action::Sortie),
    ("raise taxes", Action::Tax(true)),
    ("leave taxes", Action::Tax(false)),
    ("done", Action::Done),
];

const EXPECTED: &str = "such as `castle Nablus`, `lord Hakim`, `honour 2`, `hire Bryn`, `seal`, `write to Cross`, \
     `peace until 8`, `send`, `take group 5`, `go NE`, `halt`, `fight`, `pass`, `besiege Acre`, \
     `Hakim seeks an alliance`, `recruit with Hakim`, `battle done` or `done`";

impl Written for Campaign {
    fn write(&self, action: Action) -> Notation {
        let data = &self.tactics().data;
        let man = |who| data.name(who);
        let card = |counter| data.card(counter).name.clone();
        let place = |id: PlaceId| self.atlas.place(id).name.clone();
        let seat = |seat| self.title.seat_name(seat).to_string();
        Notation::new(match action {
            Action::Castle(id) => format!("castle {}", place(id)),
            Action::Hold(id) => format!("hold {}", place(id)),
            Action::Lord(counter) => format!("lord {}", card(counter)),
            Action::Vassal(counter) => format!("vassal {}", card(counter)),
            Action::Hire(counter) => format!("hire {}", card(counter)),
            Action::Raise(which, n) => format!("{} {n}", which.word()),
            Action::Write(to) => format!("write to {}", seat(to)),
            Action::Term(Term::Peace(turn)) => format!("peace until {turn}"),
            Action::Term(Term::Alliance(turn)) => format!("alliance until {turn}"),
            Action::Term(Term::Passage(turn)) => format!("passage until {turn}"),
            Action::Term(Term::Promise(sum)) => format!("promise {sum}"),
            Action::Term(Term::Claim(sum)) => format!("claim {sum}"),
            Action::Term(Term::Due(turn)) => format!("due {turn}"),
            Action::Term(Term::Want(id)) => format!("want {}", place(id)),
            Action::Term(Term::Free(who)) => format!("free {}", man(who)),
            Action::Term(Term::Release(who)) => format!("release {}", man(who)),
            Action::Term(Term::Vow(share)) => format!("vow {share}"),
            Action::Term(Term::Homage(share)) => format!("homage {share}"),
            Action::Launch(id) => format!("launch at {}", place(id)),
            Action::Sink(id) => format!("sink {}", id.number() + 1),
            Action::Term(Term::Gift(sum)) => format!("offer {sum}"),
            Action::Term(Term::Demand(sum)) => format!("ask {sum}"),
            Action::Term(Term::Cede(id)) => format!("cede {}", place(id)),
            Action::Accept(from, n) => format!("accept {n} of {}", seat(from)),
            Action::Shift(who, group) => format!("shift {} to group {}", man(who), group.number() + 1),
            Action::Split(who) => format!("split off {}", man(who)),
            Action::Give(from, to, sum) => format!("give {sum} from {} to {}", man(from), man(to)),
            Action::Entrust(id, who) => format!("entrust {} to {}", place(id), man(who)),
            Action::Buy(good, group, n) => {
                format!("buy {n} {} for group {}", good.word(), group.number() + 1)
            }
            Action::Sail(id, way) => format!("sail {} {}", id.number() + 1, way.letters(Lie::Pointy)),
            Action::Load(id, group) => format!("load {} group {}", id.number() + 1, group.number() + 1),
            Action::Land(id, None) => format!("land {}", id.number() + 1),
            Action::Land(id, Some(way)) => format!("land {} {}", id.number() + 1, way.letters(Lie::Pointy)),
            Action::Build(hull, id) => format!("build {} at {}", hull.word(), place(id)),
            Action::Found(kind, hex) => format!("found {} on {hex}", kind.word()),
            Action::Finish(hex) => format!("finish {hex}"),
            Action::Elite(who) => format!("elite {}", man(who)),
            Action::Delegate(What::Battle(hex), to) => format!("delegate battle {hex} to {}", seat(to)),
            Action::Delegate(What::Siege(id), to) => format!("delegate siege {} to {}", place(id), seat(to)),
            Action::Summon(group) => format!("summon group {}", group.number() + 1),
            Action::Redeem(who) => format!("redeem the wife of {}", man(who)),
            Action::Kill(lord, who) => format!("kill {} of {}", man(who), seat(lord)),
            Action::Take(group) => format!("take group {}", group.number() + 1),
            Action::Go(direction) => format!("go {}", direction.letters(Lie::Pointy)),
            Action::Attack(whom) => format!("attack {}", seat(whom)),
            Action::Battle(deed) => format!("battle {}", data.write(deed)),
            Action::Leave(direction) => format!("leave {}", direction.letters(Lie::Pointy)),
            Action::Besiege(id) => format!("besiege {}", place(id)),
            Action::Suit(who, Suit::Alliance) => format!("{} seeks an alliance", man(who)),
            Action::Suit(who, Suit::Allegiance) => format!("{} seeks allegiance", man(who)),
            Action::Suit(who, Suit::Marriage) => format!("{} seeks a wife", man(who)),
            Action::Ransom(who) => format!("ransom {}", man(who)),
            Action::Polish(who) => format!("diplomacy for {}", man(who)),
            Action::Recruit(who) => format!("recruit with {}", man(who)),
            Action::Advance(who, counter) => format!("advance {} to {}", man(who), card(counter)),
            Action::Heir(who) => format!("heir {}", man(who)),
            plain => {
                let word = PLAIN.iter().find(|(_, other)| *other == plain).map(|(word, _)| *word);
                match (word, plain) {
                    (Some(word), _) => word.to_string(),
                    (None, Action::Eat(quarters)) => format!("eat {quarters}"),
                    _ => String::new(),
                }
            }
        })
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        if let Some((_, action)) = PLAIN.iter().find(|(word, _)| *word == text) {
            return Ok(*action);
        }
        let data = &self.tactics().data;
        let wrong = || ReadError::new(format!("`{text}`"), EXPECTED);
        let man = |name: &str| data.read_who(name);
        let card = |name: &str| -> Result<Counter, ReadError> { Ok(data.read_who(name)?.counter) };
        let place = |name: &str| {
            let found = self.atlas.place_named(name);
            found.ok_or_else(|| ReadError::new(format!("`{name}`"), "a stronghold by its name"))
        };
        let seat = |name: &str| {
            let names = || self.title.seat_names().join(", ");
            self.title
                .seat_named(name)
                .ok_or_else(|| ReadError::new(format!("`{name}`"), format!("one of {}", names())))
        };
        let group = |number: &str| {
            let number = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            number.and_then(GroupId::try_at).ok_or_else(wrong)
        };
        let ship = |number: &str| {
            let number = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            number.and_then(ShipId::try_at).ok_or_else(wrong)
        };
        let byte = |number: &str| number.parse::<u8>().map_err(|_| wrong());
        let sum = |number: &str| number.parse::<u16>().map_err(|_| wrong());
        if let Some((name, what)) = text.split_once(" seeks ") {
            let what = match what {
                "an alliance" => Suit::Alliance,
                "allegiance" => Suit::Allegiance,
                "a wife" => Suit::Marriage,
                _ => return Err(wrong()),
            };
            return Ok(Action::Suit(man(name)?, what));
        }
        let (word, rest) = text.split_once(' ').ok_or_else(wrong)?;
        if let Some((_, which)) = Trait::ALL.iter().find(|(w, _)| *w == word)
            && let Ok(n) = rest.parse()
        {
            return Ok(Action::Raise(*which, n));
        }
        let two = |by: &str| rest.split_once(by).ok_or_else(wrong);
        Ok(match word {
            "castle" => Action::Castle(place(rest)?),
            "hold" => Action::Hold(place(rest)?),
            "lord" => Action::Lord(card(rest)?),
            "vassal" => Action::Vassal(card(rest)?),
            "hire" => Action::Hire(card(rest)?),
            "write" => Action::Write(seat(rest.strip_prefix("to ").ok_or_else(wrong)?)?),
            "peace" => Action::Term(Term::Peace(byte(rest.strip_prefix("until ").ok_or_else(wrong)?)?)),
            "alliance" => Action::Term(Term::Alliance(byte(rest.strip_prefix("until ").ok_or_else(wrong)?)?)),
            "passage" => Action::Term(Term::Passage(byte(rest.strip_prefix("until ").ok_or_else(wrong)?)?)),
            "promise" => Action::Term(Term::Promise(sum(rest)?)),
            "claim" => Action::Term(Term::Claim(sum(rest)?)),
            "due" => Action::Term(Term::Due(byte(rest)?)),
            "want" => Action::Term(Term::Want(place(rest)?)),
            "free" => Action::Term(Term::Free(man(rest)?)),
            "release" => Action::Term(Term::Release(man(rest)?)),
            "vow" => Action::Term(Term::Vow(byte(rest)?)),
            "homage" => Action::Term(Term::Homage(byte(rest)?)),
            "launch" => Action::Launch(place(rest.strip_prefix("at ").ok_or_else(wrong)?)?),
            "sink" => Action::Sink(ship(rest)?),
            "sail" => {
                let (id, way) = two(" ")?;
                Action::Sail(ship(id)?, Direction::read(way, Lie::Pointy)?)
            }
            "load" => {
                let (id, to) = two(" group ")?;
                Action::Load(ship(id)?, group(to)?)
            }
            "land" => match rest.split_once(' ') {
                Some((id, way)) => Action::Land(ship(id)?, Some(Direction::read(way, Lie::Pointy)?)),
                None => Action::Land(ship(rest)?, None),
            },
            "build" => {
                let (what, at) = two(" at ")?;
                let hull = Hull::ALL.iter().find(|(w, _)| *w == what).ok_or_else(wrong)?.1;
                Action::Build(hull, place(at)?)
            }
            "found" => {
                let (what, at) = two(" on ")?;
                let kind = Rampart::ALL.iter().find(|(w, _)| *w == what).ok_or_else(wrong)?.1;
                Action::Found(kind, at.parse().map_err(|()| wrong())?)
            }
            "finish" => Action::Finish(rest.parse().map_err(|()| wrong())?),
            "elite" => Action::Elite(man(rest)?),
            "delegate" => {
                let (what, to) = rest.rsplit_once(" to ").ok_or_else(wrong)?;
                let what = match what.split_once(' ').ok_or_else(wrong)? {
                    ("battle", hex) => What::Battle(hex.parse().map_err(|()| wrong())?),
                    ("siege", name) => What::Siege(place(name)?),
                    _ => return Err(wrong()),
                };
                Action::Delegate(what, seat(to)?)
            }
            "summon" => Action::Summon(group(rest.strip_prefix("group ").ok_or_else(wrong)?)?),
            "redeem" => Action::Redeem(man(rest.strip_prefix("the wife of ").ok_or_else(wrong)?)?),
            "kill" => {
                let (who, lord) = rest.rsplit_once(" of ").ok_or_else(wrong)?;
                Action::Kill(seat(lord)?, man(who)?)
            }
            "offer" => Action::Term(Term::Gift(sum(rest)?)),
            "ask" => Action::Term(Term::Demand(sum(rest)?)),
            "cede" => Action::Term(Term::Cede(place(rest)?)),
            "accept" => {
                let (n, from) = two(" of ")?;
                Action::Accept(seat(from)?, byte(n)?)
            }
            "shift" => {
                let (who, to) = two(" to group ")?;
                Action::Shift(man(who)?, group(to)?)
            }
            "split" => Action::Split(man(rest.strip_prefix("off ").ok_or_else(wrong)?)?),
            "give" => {
                let (n, whom) = two(" from ")?;
                let (from, to) = whom.split_once(" to ").ok_or_else(wrong)?;
                Action::Give(man(from)?, man(to)?, sum(n)?)
            }
            "entrust" => {
                let (what, whom) = two(" to ")?;
                Action::Entrust(place(what)?, man(whom)?)
            }
            "buy" => {
                let (what, whom) = two(" for group ")?;
                let (n, good) = what.split_once(' ').ok_or_else(wrong)?;
                let good = Good::ALL.iter().find(|(w, _)| *w == good).ok_or_else(wrong)?.1;
                Action::Buy(good, group(whom)?, byte(n)?)
            }
            "take" => Action::Take(group(rest.strip_prefix("group ").ok_or_else(wrong)?)?),
            "go" => Action::Go(Direction::read(rest, Lie::Pointy)?),
            "attack" => Action::Attack(seat(rest)?),
            "battle" => Action::Battle(data.read_deed(rest)?),
            "leave" => Action::Leave(Direction::read(rest, Lie::Pointy)?),
            "besiege" => Action::Besiege(place(rest)?),
            "ransom" => Action::Ransom(man(rest)?),
            "diplomacy" => Action::Polish(man(rest.strip_prefix("for ").ok_or_else(wrong)?)?),
            "recruit" => Action::Recruit(man(rest.strip_prefix("with ").ok_or_else(wrong)?)?),
            "advance" => {
                let (who, to) = two(" to ")?;
                Action::Advance(man(who)?, card(to)?)
            }
            "heir" => Action::Heir(man(rest)?),
            "eat" => Action::Eat(byte(rest)?),
            _ => return Err(wrong()),
        })
    }
}

/// A ballot of a campaign, as the battle inside it fills it in.
pub(crate) struct Within<'a, B: ?Sized>(pub(crate) &'a mut B);

impl<B: Ballot<Action> + ?Sized> Ballot<Deed> for Within<'_, B> {
    #[inline]
    fn allow(&mut self, deed: Deed) {
        self.0.allow(Action::Battle(deed));
    }
    #[inline]
    fn allow_range(&mut self, deed: Deed, least: u32, most: u32) {
        self.0.allow_range(Action::Battle(deed), least, most);
    }
    #[inline]
    fn force(&mut self, deed: Deed) {
        self.0.force(Action::Battle(deed));
    }
    #[inline]
    fn explains(&self) -> bool {
        self.0.explains()
    }
    #[inline]
    fn refuse(&mut self, deed: Deed, rule: Rule, why: std::fmt::Arguments<'_>) {
        self.0.refuse(Action::Battle(deed), rule, why);
    }
}
