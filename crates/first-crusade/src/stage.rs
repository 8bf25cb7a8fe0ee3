//! The positions of vignettes, the facts that vignettes ask about, and what must be true of every position.

use table::rooms::*;
use table::sheet::{DataError, Node};
use table::{Fact, Seat, SeatSet, Set};

use crate::FirstCrusade;
use crate::data::{Contingent, Marker, Space, Unit};
use crate::position::{Phase, Place, Position, Step, TableRules};

/// What a vignette may ask.
pub(crate) const FACTS: &str = "the name of a unit (`SPACE`, `SPACE reduced`, `bin`, `dead`, `out`, `waiting`, \
     `aboard FLEET in SPACE`), the name of a space (its holder: Crusaders, Byzantines, Armenians, Muslims, \
     contested, empty), christians SPACE, muslims SPACE, concealed SPACE (how many), title SPACE, reaction, special, \
     standard, turn, armenia, fatimids, infighting, boons, byzantine_boons, camps, castles, monasteries, sieges, \
     massacres, points, step, deciding, left, losses, edge, rounds, seljuk_bin, fatimid_bin, outcome, winners";

const PHASES: [(&str, Phase); 8] = [
    ("event", Phase::Event),
    ("standard", Phase::Standard),
    ("determination", Phase::Determination),
    ("special", Phase::Special),
    ("reaction", Phase::Reaction),
    ("counteroffensive", Phase::Counteroffensive),
    ("winter", Phase::Winter),
    ("end", Phase::End),
];

impl Staged for FirstCrusade {
    fn sound(&self, p: &Position) -> Result<(), String> {
        let c = &self.components;
        let mut seen = Set::NONE;
        for (s, here) in p.here.iter() {
            if c.spaces.get(s).is_none() && here.any() {
                return Err(format!("units stand in {s:?}, which the map lacks"));
            }
            if let Some(u) = here.iter().find(|u| p.at(*u) != Some(s)) {
                return Err(format!("{} stands in two places", c.unit_name(u)));
            }
            seen |= *here;
            if here.any() && (*here & self.of(Contingent::Seljuk)).any() {
                if (*here & self.of(Contingent::Fatimid)).any() {
                    return Err(format!("Seljuks and Fatimids stand together in {}", c.space_name(s)));
                }
                if s == c.capital || s == c.masyaf || c.seas.has(s) {
                    return Err(format!("Seljuks stand in {}", c.space_name(s)));
                }
            }
            if here.any() && c.seas.has(s) {
                let ashore = *here - c.fleets;
                if let Some(u) = ashore.iter().find(|u| !p.cargo.values().contains(&Some(*u))) {
                    return Err(format!("{} swims in {}", c.unit_name(u), c.space_name(s)));
                }
            }
            if (c.fleets & *here).any() && !c.seas.has(s) && !c.ports.has(s) {
                return Err(format!("a fleet lies in {}", c.space_name(s)));
            }
            let hidden = *here & (c.muslims - p.shown);
            if hidden.any() {
                if !hidden.within(p.rumour[s]) {
                    return Err(format!("what is told of {} cannot be true", c.space_name(s)));
                }
                if self.christians(p, s).any() && p.battle.is_none_or(|b| b.space != s) {
                    return Err(format!("concealed Muslims face Christians in {}", c.space_name(s)));
                }
            }
        }
        for (u, place) in p.place.iter() {
            if c.units.get(u).is_none() && *place != Place::Out {
                return Err("a unit that does not exist is somewhere".into());
            }
            if p.on_map(u) != seen.has(u) {
                return Err(format!("{} is nowhere", c.unit_name(u)));
            }
            if p.reduced.has(u) && (!p.on_map(u) || !c.two_steps.has(u)) {
                return Err(format!("{} cannot be reduced", c.unit_name(u)));
            }
        }
        for (fleet, cargo) in p.cargo.iter() {
            let Some(cargo) = *cargo else { continue };
            if c.fleet_units.get(fleet).is_none_or(|fleet| p.place[*fleet] != p.place[cargo]) {
                return Err(format!("{} is not where its fleet is", c.unit_name(cargo)));
            }
        }
        let limits = [
            (1..=3).contains(&p.reaction),
            p.special <= 6,
            p.standard <= 3,
            p.camps.len() <= c.camps,
            p.castles.len() + p.monasteries.len() <= c.buildings,
            p.sieges.len() + p.massacres.len() <= c.sieges,
            !p.boons[0].meets(p.boons[1]) && p.held().within(c.all_boons),
            !p.boons[0].meets(p.boons[2]) && !p.boons[1].meets(p.boons[2]),
            (1..=9).contains(&p.turn),
        ];
        if let Some(broken) = limits.iter().position(|fine| !fine) {
            return Err(format!("limit {broken} is broken"));
        }
        Ok(())
    }

    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let c = &self.components;
        let mut f = sheet.fields()?;
        let flag = |node: Option<&Node>| node.map_or(Ok(false), Node::flag);
        let rules = f.optional("rules").map_or(Ok(Vec::new()), Node::texts)?;
        let known = ["sieges", "cavalry", "kingdoms", "contribution"];
        if let Some(stray) = rules.iter().find(|r| !known.contains(&r.as_str())) {
            return Err(sheet.wrong(format!("no rule is called `{stray}`; known: {}", known.join(", "))));
        }
        let on = |name: &str| rules.iter().any(|r| r == name);
        let turn = f.optional("turn").map_or(Ok(1), |n| n.number_in(1..=9))? as u8;
        let table = TableRules {
            sieges: on("sieges"),
            cavalry: on("cavalry"),
            kingdoms: on("kingdoms"),
            contribution: on("contribution"),
            party: SeatSet::first(f.optional("seats").map_or(Ok(1), |n| n.number_in(1..=3))? as usize),
            last_turn: f.optional("last_turn").map_or(Ok(9), |n| n.number_in(turn.into()..=9))? as u8,
            levels: [31, 41, 51],
            goal: None,
            prize: f.optional("prize").map(|n| c.space_at(n)).transpose()?,
            idle: self.places(f.optional("idle"))?,
            quiet: flag(f.optional("quiet"))?,
        };
        let mut p = Position::empty(c, table);
        p.turn = turn;
        p.put(c.assassin, c.masyaf);
        p.shown.insert(c.assassin);
        let free = self.places(f.optional("free"))?;
        if flag(f.optional("garrisons"))? {
            self.garrison(&mut p, free);
        }
        for node in f.optional("units").map_or(Ok(&[][..]), Node::list)? {
            let (s, units) = c.stack(node)?;
            for u in units {
                p.put(u, s);
                if c.muslims.has(u) {
                    p.shown.insert(u);
                }
            }
            // Where Christians stand before Masyaf's walls no more, the Assassins are gone.
            if s == c.masyaf && self.christians(&p, s).any() {
                p.stow(c.assassin, Place::Bin);
            }
        }
        p.reduced = self.names(f.optional("reduced"))? & c.two_steps;
        for (key, place) in [("dead", Place::Dead), ("out", Place::Out)] {
            for u in self.names(f.optional(key))?.iter() {
                p.stow(u, place);
            }
        }
        let sides = [
            ("Crusaders", Contingent::Crusader),
            ("Byzantines", Contingent::Byzantine),
            ("Armenians", Contingent::Armenian),
            ("Mercenaries", Contingent::Mercenary),
            ("Seljuks", Contingent::Seljuk),
            ("Fatimids", Contingent::Fatimid),
        ];
        for node in f.optional("no_bin").map_or(Ok(&[][..]), Node::list)? {
            for u in self.of(node.one_of(&sides)?).iter() {
                if p.in_bin(u) {
                    p.stow(u, Place::Out);
                }
            }
        }
        for node in f.optional("concealed").map_or(Ok(&[][..]), Node::list)? {
            let (s, units) = c.stack(node)?;
            for u in units {
                p.put(u, s);
                p.shown.remove(u);
            }
        }
        for s in c.spaces.ids() {
            let hidden = self.muslims(&p, s) - p.shown;
            if let Some(u) = hidden.first() {
                p.rumour[s] = self.unseen(&p, c.units[u].contingent);
            }
        }
        for node in f.optional("cargo").map_or(Ok(&[][..]), Node::list)? {
            let (fleet, cargo) =
                node.text()?.split_once(": ").ok_or_else(|| node.expected("`FLEET: unit`"))?;
            let find =
                |name: &str| c.unit(name).ok_or_else(|| node.wrong(format!("no unit is called `{name}`")));
            let (fleet, cargo) = (find(fleet)?, find(cargo)?);
            let fleet = c.fleet_number[fleet].ok_or_else(|| node.expected("a fleet"))?;
            p.cargo[fleet] = Some(cargo);
        }
        p.boons[0] = self.boons(f.optional("boons"))?;
        p.boons[1] = self.boons(f.optional("byzantine_boons"))?;
        p.standard = f.optional("standard").map_or(Ok(2), |n| n.number_in(0..=3))? as u8;
        p.special = f.optional("special").map_or(Ok(0), |n| n.number_in(0..=6))? as u8;
        p.reaction = f.optional("reaction").map_or(Ok(1), |n| n.number_in(1..=3))? as u8;
        p.armenia = flag(f.optional("armenia"))?;
        p.fatimids = flag(f.optional("fatimids"))?;
        p.infighting = flag(f.optional("infighting"))?;
        p.camps = self.places(f.optional("camps"))?;
        p.castles = self.places(f.optional("castles"))?;
        p.monasteries = self.places(f.optional("monasteries"))?;
        p.sieges = self.places(f.optional("sieges"))?;
        p.massacres = self.places(f.optional("massacres"))?;
        for node in f.optional("titles").map_or(Ok(&[][..]), Node::list)? {
            let (s, units) = c.stack(node)?;
            let kingdom = c.kingdom(s).ok_or_else(|| node.expected("a Crusader Pilgrimage Fortress"))?;
            p.titles[kingdom] = units.first().copied();
        }
        let then = f.optional("then").map_or(Ok(Phase::Standard), |n| n.one_of(&PHASES))?;
        f.finish()?;
        // Without a Crusader leader on the map the game would be over [6.3].
        let leaders = self.of(Contingent::Crusader) & c.leaders;
        if !leaders.iter().any(|u| p.on_map(u))
            && let Some(u) = leaders.iter().find(|u| p.in_bin(*u))
        {
            p.put(u, c.capital);
        }
        p.agenda.push(Step::Turn(then));
        p.word = Seat::new(0);
        p.asked = Seat::new(0).into();
        p.agenda.push(Step::Choose);
        if p.standard + p.special == 0 {
            return Err(sheet.wrong("a position needs an action to spend: give it `standard` or `special`"));
        }
        Ok(p)
    }

    fn fact(&self, before: &Position, after: &Position, key: &str) -> Option<Fact> {
        let _ = before;
        let (c, p) = (&self.components, after);
        if let Some(u) = c.unit(key) {
            return Some(Fact::Text(self.unit_fact(p, u)));
        }
        if let Some(s) = c.space(key) {
            return Some(self.space_fact(p, s).into());
        }
        let number = |n: u8| Some(Fact::Number(n.into()));
        let size = |set: Set<Unit>| number(set.len() as u8);
        let list = |names: Vec<&str>| Some(Fact::List(names.into_iter().map(Fact::from).collect()));
        let spaces = |set: Set<Space>| list(set.iter().map(|s| c.space_name(s)).collect());
        let boons = |held: Set<Marker>| list(held.iter().map(|m| c.marker_name(m)).collect());
        if let Some((word, name)) = key.split_once(' ')
            && let Some(s) = c.space(name)
        {
            return match word {
                "christians" => size(self.christians(p, s)),
                "muslims" => size(self.muslims(p, s)),
                "concealed" => size(self.muslims(p, s) - p.shown),
                "title" => {
                    let leader = p.titles[c.kingdom(s)?];
                    Some(leader.map_or("nobody", |leader| c.unit_name(leader)).into())
                }
                _ => None,
            };
        }
        let bin = |side: Contingent| self.of(side).iter().filter(|u| p.in_bin(*u)).count() as u8;
        match key {
            "reaction" => number(p.reaction),
            "special" => number(p.special),
            "standard" => number(p.standard),
            "turn" => number(p.turn),
            "armenia" => Some(p.armenia.into()),
            "fatimids" => Some(p.fatimids.into()),
            "infighting" => Some(p.infighting.into()),
            "boons" => boons(p.boons[0]),
            "byzantine_boons" => boons(p.boons[1]),
            "camps" => spaces(p.camps),
            "castles" => spaces(p.castles),
            "monasteries" => spaces(p.monasteries),
            "sieges" => spaces(p.sieges),
            "massacres" => spaces(p.massacres),
            "points" => Some(i64::from(self.points(p)).into()),
            "left" => number(p.march.map_or(0, |m| m.left)),
            "losses" => number(match p.agenda.now() {
                Some(Step::Losses { left, .. }) => *left,
                _ => 0,
            }),
            "edge" => Some(if p.battle.is_some_and(|b| b.edge) { "Christians" } else { "Muslims" }.into()),
            "rounds" => number(p.battle.map_or(0, |b| b.rounds)),
            "seljuk_bin" => number(bin(Contingent::Seljuk)),
            "fatimid_bin" => number(bin(Contingent::Fatimid)),
            "step" => Some(step_name(p).into()),
            "deciding" => list(self.deciding(p).iter().map(|s| self.title.seat_name(s)).collect()),
            "outcome" => Some(self.outcome(p).map_or("none", |o| o.headline).into()),
            "winners" => {
                let winners = self.outcome(p).map_or(SeatSet::NONE, |o| o.winners);
                list(winners.iter().map(|s| self.title.seat_name(s)).collect())
            }
            _ => None,
        }
    }

    fn facts(&self) -> &'static str {
        FACTS
    }
}

impl FirstCrusade {
    fn names(&self, node: Option<&Node>) -> Result<Set<Unit>, DataError> {
        let mut set = Set::NONE;
        for name in node.map_or(Ok(&[][..]), Node::list)? {
            let text = name.text()?;
            let u = self.components.unit(text);
            set.insert(u.ok_or_else(|| name.wrong(format!("no unit is called `{text}`")))?);
        }
        Ok(set)
    }

    fn places(&self, node: Option<&Node>) -> Result<Set<Space>, DataError> {
        let mut set = Set::NONE;
        for name in node.map_or(Ok(&[][..]), Node::list)? {
            set.insert(self.components.space_at(name)?);
        }
        Ok(set)
    }

    fn boons(&self, node: Option<&Node>) -> Result<Set<Marker>, DataError> {
        let mut set = Set::NONE;
        for name in node.map_or(Ok(&[][..]), Node::list)? {
            let text = name.text()?;
            let m = self.components.marker(text);
            set.insert(m.ok_or_else(|| name.wrong(format!("no boon is called `{text}`")))?);
        }
        Ok(set)
    }

    fn unit_fact(&self, p: &Position, u: Unit) -> String {
        let carrier = p.cargo.iter().find(|(_, cargo)| **cargo == Some(u));
        match p.place[u] {
            Place::Bin => "bin".into(),
            Place::Dead => "dead".into(),
            Place::Out => "out".into(),
            Place::Waiting => "waiting".into(),
            Place::Map(s) => {
                let name = self.components.space_name(s);
                let state = if p.reduced.has(u) { " reduced" } else { "" };
                match carrier {
                    Some((fleet, _)) => {
                        let fleet = self.components.unit_name(self.components.fleet_units[fleet]);
                        format!("aboard {fleet} in {name}{state}")
                    }
                    None => format!("{name}{state}"),
                }
            }
        }
    }

    fn space_fact(&self, p: &Position, s: Space) -> &'static str {
        match (self.holder(p, s), self.christians(p, s).any(), self.muslims(p, s).any()) {
            (Some(family), ..) => family.name(),
            (None, true, true) => "contested",
            (None, false, true) => "Muslims",
            _ => "empty",
        }
    }
}

fn step_name(p: &Position) -> &'static str {
    match p.agenda.now() {
        None => "over",
        Some(Step::Turn(_)) => "turn",
        Some(Step::Shields) => "shields",
        Some(Step::Council) => "council",
        Some(Step::Choose) => "choose",
        Some(Step::Force) => "force",
        Some(Step::March) => "march",
        Some(Step::Close(_)) => "close",
        Some(Step::Gate) => "gate",
        Some(Step::Camps) => "camps",
        Some(Step::Rally { .. }) => "rally",
        Some(Step::Pilgrim { .. }) => "pilgrimage",
        Some(Step::Bane(_)) => "bane",
        Some(Step::Landing(_)) => "landing",
        Some(Step::Event(_)) => "event",
        Some(Step::Named(_)) => "name",
        Some(Step::Counter { .. }) => "counteroffensive",
        Some(Step::Battle(_)) => "battle",
        Some(Step::Losses { .. }) => "losses",
        Some(Step::Strikes { .. }) => "strikes",
        Some(Step::Withdraw) => "withdraw",
        Some(Step::Crowded { .. }) => "crowded",
        Some(Step::Breath) => "breath",
        Some(Step::Hunger { .. }) => "hunger",
    }
}
