//! The decisions and their notation.

use serde::{Deserialize, Serialize};
use table::rooms::Written;
use table::{Notation, ReadError, Seat};

use crate::FirstCrusade;
use crate::data::{Family, Marker, Space, Unit};

/// What a boon is played for [boon chart].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Use {
    /// Negotiations: the Muslim reaction falls by one.
    Peace,
    /// Negotiations: Armenia joins.
    Armenia,
    /// Military advantage: +1 to the Tactical Edge.
    Edge,
    /// Two Special Actions.
    Actions,
    /// Treachery: one die of Muslim reinforcements less.
    Treachery,
    /// Treachery: through a space with Muslims.
    Passage,
    /// Supplies.
    Supplies,
}

const USES: [(Use, &str); 7] = [
    (Use::Peace, "peace"),
    (Use::Armenia, "Armenia"),
    (Use::Edge, "edge"),
    (Use::Actions, "actions"),
    (Use::Treachery, "treachery"),
    (Use::Passage, "passage"),
    (Use::Supplies, "supplies"),
];

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// All land units of a contingent in a space march [18.0, 19.0].
    March(Space, Family),
    /// The same, but the least of them stays to hold the place.
    Advance(Space, Family),
    /// All march, supplied [22.0].
    SuppliedMarch(Space, Family),
    /// Form a land force unit by unit [10.0].
    Form(Space, Family),
    /// Form a fleet [20.0].
    Fleet(Space, Family),
    /// This unit stays behind.
    Leave(Unit),
    /// Only this unit, to begin with.
    Only(Unit),
    /// This unit comes along.
    Take(Unit),
    /// This unit goes aboard [25.2].
    Embark(Unit),
    /// The force sets out.
    Roll,
    /// The force sets out, supplied.
    RollSupplied,
    /// On to a space.
    Go(Space),
    /// Over a pass [17.5].
    Cross(Space),
    /// The move ends here.
    Stop,
    /// A leader recruits [14.1].
    Recruit(Unit),
    /// Rally in a space [15.1].
    Rally(Space),
    /// This unit is rallied.
    Restore(Unit),
    /// A leader negotiates in Sis [16.1].
    Diplomacy(Unit),
    /// A leader goes on a pilgrimage [13.1].
    Pilgrimage(Unit),
    /// Build a camp [33.1].
    Camp(Space),
    /// Build a castle [33.2].
    Castle(Space),
    /// Build a monastery [33.3].
    Monastery(Space),
    /// A leader founds a kingdom where he is [opt-36.2].
    Crown(Unit),
    /// Lay siege [opt-34.1].
    Besiege,
    /// Attack at once.
    Assault,
    /// Stay in the siege lines.
    Join,
    /// A besieging contingent attacks by the standard rules [opt-34.2].
    AttackFrom(Space, Family),
    /// A besieging contingent makes a siege attack [opt-34.2].
    SiegeAttack(Space, Family),
    /// Play a boon.
    Play(Marker, Use),
    /// Give a boon to another player [opt-37.0].
    Give(Marker, Seat),
    /// Let another player take this action [opt-37.0].
    Hand(Seat),
    /// Forgo this action.
    Pass,
    /// No (more) boons here.
    Done,
    /// This unit loses a step.
    Lose(Unit),
    /// The rest of the losses as the table would allot them.
    Allot,
    /// This Muslim unit takes the hit [23.2].
    Strike(Unit),
    /// Withdraw to a space [24.2].
    Withdraw(Space),
    /// Give up a contingent where they may not stand together [10.1].
    GiveUp(Family),
    /// The unit that waits arrives here.
    Place(Space),
    /// Use up the camp here [22.1].
    SpendCamp(Space),
    /// This leader it is.
    Name(Unit),
    /// Face the winter without supplies [28.2].
    Endure,
    /// The system goes on.
    Proceed,
}

/// The names of the seats.
pub(crate) const SEATS: [&str; 3] = ["Crusaders", "Byzantines", "Armenians"];

const EXPECTED: &str = "something like `march Crusaders from Nicaea`, `advance`, `form`, `sail`, `leave UNIT`, `only UNIT`, \
     `take UNIT`, `embark UNIT`, `roll`, `roll supplied`, `go SPACE`, `cross SPACE`, `stop`, `recruit LEADER`, \
     `rally SPACE`, `restore UNIT`, `diplomacy LEADER`, `pilgrimage LEADER`, `camp SPACE`, `castle SPACE`, \
     `monastery SPACE`, `crown LEADER`, `besiege`, `assault`, `join`, `play MARKER for USE`, `give MARKER > SEAT`, \
     `hand SEAT`, `pass`, `done`, `lose UNIT`, `allot`, `strike UNIT`, `withdraw SPACE`, `give up CONTINGENT`, \
     `place SPACE`, `spend camp SPACE`, `name LEADER`, `endure`, `proceed`";

impl Written for FirstCrusade {
    fn write(&self, action: Action) -> Notation {
        let components = &self.components;
        let space = |s: Space| components.space_name(s);
        let unit = |u: Unit| components.unit_name(u);
        let marker = |m: Marker| components.marker_name(m);
        let force = |f: Family| f.name();
        let seat = |s: Seat| SEATS.get(s.index()).copied().unwrap_or("nobody");
        let used = |u: Use| USES.iter().find(|(one, _)| *one == u).map_or("", |(_, word)| word);
        Notation::new(match action {
            Action::March(s, f) => format!("march {} from {}", force(f), space(s)),
            Action::Advance(s, f) => format!("advance {} from {}", force(f), space(s)),
            Action::SuppliedMarch(s, f) => format!("march supplied {} from {}", force(f), space(s)),
            Action::Form(s, f) => format!("form {} from {}", force(f), space(s)),
            Action::Fleet(s, f) => format!("sail {} from {}", force(f), space(s)),
            Action::Leave(u) => format!("leave {}", unit(u)),
            Action::Only(u) => format!("only {}", unit(u)),
            Action::Take(u) => format!("take {}", unit(u)),
            Action::Embark(u) => format!("embark {}", unit(u)),
            Action::Roll => "roll".into(),
            Action::RollSupplied => "roll supplied".into(),
            Action::Go(s) => format!("go {}", space(s)),
            Action::Cross(s) => format!("cross {}", space(s)),
            Action::Stop => "stop".into(),
            Action::Recruit(u) => format!("recruit {}", unit(u)),
            Action::Rally(s) => format!("rally {}", space(s)),
            Action::Restore(u) => format!("restore {}", unit(u)),
            Action::Diplomacy(u) => format!("diplomacy {}", unit(u)),
            Action::Pilgrimage(u) => format!("pilgrimage {}", unit(u)),
            Action::Camp(s) => format!("camp {}", space(s)),
            Action::Castle(s) => format!("castle {}", space(s)),
            Action::Monastery(s) => format!("monastery {}", space(s)),
            Action::Crown(u) => format!("crown {}", unit(u)),
            Action::Besiege => "besiege".into(),
            Action::Assault => "assault".into(),
            Action::Join => "join".into(),
            Action::AttackFrom(s, f) => format!("attack {} at {}", force(f), space(s)),
            Action::SiegeAttack(s, f) => format!("siege attack {} at {}", force(f), space(s)),
            Action::Play(m, u) => format!("play {} for {}", marker(m), used(u)),
            Action::Give(m, s) => format!("give {} > {}", marker(m), seat(s)),
            Action::Hand(s) => format!("hand {}", seat(s)),
            Action::Pass => "pass".into(),
            Action::Done => "done".into(),
            Action::Lose(u) => format!("lose {}", unit(u)),
            Action::Allot => "allot".into(),
            Action::Strike(u) => format!("strike {}", unit(u)),
            Action::Withdraw(s) => format!("withdraw {}", space(s)),
            Action::GiveUp(f) => format!("give up {}", force(f)),
            Action::Place(s) => format!("place {}", space(s)),
            Action::SpendCamp(s) => format!("spend camp {}", space(s)),
            Action::Name(u) => format!("name {}", unit(u)),
            Action::Endure => "endure".into(),
            Action::Proceed => "proceed".into(),
        })
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        let components = &self.components;
        let wrong = |expected: &str| ReadError::new(format!("`{text}`"), expected.to_string());
        let space = |name: &str| components.space(name).ok_or_else(|| wrong("the name of a space"));
        let unit = |name: &str| components.unit(name).ok_or_else(|| wrong("the name of a unit"));
        let marker = |name: &str| components.marker(name).ok_or_else(|| wrong("the name of a boon"));
        let force = |name: &str| {
            let family = Family::ALL.into_iter().find(|f| f.name() == name);
            family.ok_or_else(|| wrong("Crusaders, Byzantines or Armenians"))
        };
        let seat = |name: &str| {
            let at = SEATS.iter().position(|s| *s == name);
            at.map(|s| Seat::new(s as u8)).ok_or_else(|| wrong("Crusaders, Byzantines or Armenians"))
        };
        let place = |rest: &str, word: &str| -> Result<(Space, Family), ReadError> {
            let (f, s) =
                rest.split_once(word).ok_or_else(|| wrong(&format!("a contingent,{word}and a space")))?;
            Ok((space(s)?, force(f)?))
        };
        // Longer beginnings first.
        if let Some(rest) = text.strip_prefix("march supplied ") {
            return place(rest, " from ").map(|(s, f)| Action::SuppliedMarch(s, f));
        }
        if let Some(rest) = text.strip_prefix("siege attack ") {
            return place(rest, " at ").map(|(s, f)| Action::SiegeAttack(s, f));
        }
        if let Some(rest) = text.strip_prefix("give up ") {
            return force(rest).map(Action::GiveUp);
        }
        if let Some(rest) = text.strip_prefix("spend camp ") {
            return space(rest).map(Action::SpendCamp);
        }
        match text {
            "roll" => return Ok(Action::Roll),
            "roll supplied" => return Ok(Action::RollSupplied),
            "stop" => return Ok(Action::Stop),
            "besiege" => return Ok(Action::Besiege),
            "assault" => return Ok(Action::Assault),
            "join" => return Ok(Action::Join),
            "pass" => return Ok(Action::Pass),
            "done" => return Ok(Action::Done),
            "allot" => return Ok(Action::Allot),
            "endure" => return Ok(Action::Endure),
            "proceed" => return Ok(Action::Proceed),
            _ => {}
        }
        let (word, rest) = text.split_once(' ').ok_or_else(|| wrong(EXPECTED))?;
        match word {
            "march" => place(rest, " from ").map(|(s, f)| Action::March(s, f)),
            "advance" => place(rest, " from ").map(|(s, f)| Action::Advance(s, f)),
            "form" => place(rest, " from ").map(|(s, f)| Action::Form(s, f)),
            "sail" => place(rest, " from ").map(|(s, f)| Action::Fleet(s, f)),
            "attack" => place(rest, " at ").map(|(s, f)| Action::AttackFrom(s, f)),
            "leave" => unit(rest).map(Action::Leave),
            "only" => unit(rest).map(Action::Only),
            "take" => unit(rest).map(Action::Take),
            "embark" => unit(rest).map(Action::Embark),
            "go" => space(rest).map(Action::Go),
            "cross" => space(rest).map(Action::Cross),
            "recruit" => unit(rest).map(Action::Recruit),
            "rally" => space(rest).map(Action::Rally),
            "restore" => unit(rest).map(Action::Restore),
            "diplomacy" => unit(rest).map(Action::Diplomacy),
            "pilgrimage" => unit(rest).map(Action::Pilgrimage),
            "camp" => space(rest).map(Action::Camp),
            "castle" => space(rest).map(Action::Castle),
            "monastery" => space(rest).map(Action::Monastery),
            "crown" => unit(rest).map(Action::Crown),
            "play" => {
                let (name, used) = rest.rsplit_once(" for ").ok_or_else(|| wrong("`play MARKER for USE`"))?;
                let known = || USES.map(|(_, word)| word).join(", ");
                let used = USES.iter().find(|(_, word)| *word == used);
                let (used, _) = used.ok_or_else(|| wrong(&format!("one of the uses {}", known())))?;
                Ok(Action::Play(marker(name)?, *used))
            }
            "give" => {
                let (name, to) = rest.split_once(" > ").ok_or_else(|| wrong("`give MARKER > SEAT`"))?;
                Ok(Action::Give(marker(name)?, seat(to)?))
            }
            "hand" => seat(rest).map(Action::Hand),
            "lose" => unit(rest).map(Action::Lose),
            "strike" => unit(rest).map(Action::Strike),
            "withdraw" => space(rest).map(Action::Withdraw),
            "place" => space(rest).map(Action::Place),
            "name" => unit(rest).map(Action::Name),
            _ => Err(wrong(EXPECTED)),
        }
    }
}
