//! Positions of vignettes, what they ask about, and what cannot be.

use table::hex::{Direction, Lie};
use table::rooms::*;
use table::sheet::{DataError, Node};
use table::{Fact, SeatSet};

use super::position::{Hidden, Open, Position, Prelude};
use super::{Skirmish, seat_of, side_of};
use crate::data::{AssaultSheet, Terrain, letters};
use crate::field::{ENGINE, Engine, EngineKind, Fate, Field, Fire, HORSE, Marks, Step};
use crate::ids::{EngineId, Man, Place, Side, Who};

const STATES: [(&str, Marks); 9] = [
    ("stunned", Marks::STUNNED),
    ("panic", Marks::PANIC),
    ("rout", Marks::ROUT),
    ("moved", Marks::MOVED),
    ("shot", Marks::SHOT),
    ("attacked", Marks::ATTACKED),
    ("shaken", Marks::SHAKEN),
    ("used", Marks::USED),
    ("refused", Marks::REFUSED),
];

const KINDS: [(&str, EngineKind); 6] = [
    ("ladder", EngineKind::Ladder),
    ("ram", EngineKind::Ram),
    ("tower", EngineKind::Tower),
    ("screen", EngineKind::Screen),
    ("ballista", EngineKind::Ballista),
    ("fascine", EngineKind::Fascine),
];

const STEPS: [(&str, Step); 7] = [
    ("fire", Step::Fire),
    ("move", Step::Move),
    ("combat", Step::Combat),
    ("breach", Step::Breach),
    ("initiative", Step::Initiative(Side::First)),
    ("deploy", Step::Deploy(Side::First, None)),
    ("over", Step::Over),
];

impl Staged for Skirmish {
    fn sound(&self, p: &Position) -> Result<(), String> {
        let f = &p.open.field;
        let t = &self.tactics;
        if f.men.len() > Man::COUNT {
            return Err(format!("there are {} men", f.men.len()));
        }
        let mut marked = 0;
        for (man, m) in f.all() {
            let name = t.call(f, man);
            if m.here() != (m.fate == Fate::Fights && m.at.is_some()) || m.here() && m.life == 0 {
                return Err(format!("{name} is {:?} with {} life", m.fate, m.life));
            }
            if m.life > t.card(m).life {
                return Err(format!("{name} has {} life of {}", m.life, t.card(m).life));
            }
            if m.mounted()
                && (t.card(m).mounted.is_none() || m.here() && m.tail().is_none_or(|tail| !f.has(tail)))
            {
                return Err(format!("{name} cannot ride there"));
            }
            if m.mounted() && m.horse.is_some() {
                return Err(format!("{name} rides and has a loose horse"));
            }
            if let Some(horse) = m.horse
                && f.on.get(horse) != HORSE
            {
                return Err(format!("the horse of {name} is not on {horse}"));
            }
            if m.horse.is_some() {
                marked += 1;
            }
            let moving = matches!(f.step(), Step::March(one) | Step::Retreat(one, _) if one == man);
            if m.here() && !moving && !m.is(Marks::ABOARD) {
                for place in m.hexes() {
                    marked += 1;
                    if f.man_on(place) != Some(man) {
                        return Err(format!("{name} is not on {place}: {:?}", f.man_on(place)));
                    }
                    if t.data.ground(f.terrain(place)).foot.is_none() {
                        return Err(format!("{name} stands in {}", f.terrain(place).word()));
                    }
                }
            }
        }
        let roofed = |kind| matches!(kind, EngineKind::Ram | EngineKind::Tower);
        marked += f.engines().filter(|(_, e)| roofed(e.kind)).count();
        let on = f.places().filter(|at| !f.is_free(*at)).count();
        if on != marked {
            return Err(format!("{on} hexes are marked, and {marked} are covered"));
        }
        for (side, muster) in Side::BOTH.into_iter().zip(&p.hidden.musters) {
            if self.spent(muster) > p.open.sum {
                return Err(format!("{side:?} has bought for {}", self.spent(muster)));
            }
        }
        Ok(())
    }

    /// Keys: `map`, `scenario`, `muster` (a sum), `quick`, `defender` (then it is an assault), `men` (name = `HEX` on
    /// foot, `HEX NE` mounted, `away`), `sides` (for men of both sides), `commanders`, `command` (name = `[command,
    /// fame]`), `life`, `experience`, `skill`, `kills`, `run`, `states` (name = list), `horses` (name = hex), `ground` (hex
    /// = kind), `engines`, `oiled`, `fires`, `gate`, `door`, `oil`, `breaches`, `bridge`, `retreat`, `active`, `first`,
    /// `turn`, `step`.
    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let data = &self.tactics.data;
        let mut f = sheet.fields()?;
        let map_node = f.optional("map");
        let map = match map_node {
            None => 0,
            Some(node) => {
                let id = node.text()?;
                let known = || data.maps.iter().map(|m| m.id.as_str()).collect::<Vec<_>>().join(", ");
                let found = data.maps.iter().position(|m| m.id == id);
                found.ok_or_else(|| node.expected(&format!("one of the maps {}", known())))?
            }
        };
        let sum = f.optional("muster").map(|n| n.number_in(20..=1000)).transpose()?.map(|n| n as u16);
        let quick = f.optional("quick").map_or(Ok(false), Node::flag)?;
        let scenario = f.optional("scenario").map_or(Ok(""), Node::text)?;
        let number = self.title.scenarios.iter().position(|s| s.id == scenario).unwrap_or(if sum.is_some() {
            self.title.scenarios.len() - 1
        } else {
            0
        });
        let defender = f
            .optional("defender")
            .map(|n| n.one_of(&[("Crusader", Side::First), ("Saracen", Side::Second)]))
            .transpose()?;
        let nobody = [0, 1].map(|i| crate::field::Chief { man: Man::at(i), command: 0, fame: 0 });
        let mut p = Position {
            open: Open {
                party: SeatSet::first(2),
                scenario: number as u8,
                map: map as u8,
                sum: sum.unwrap_or(0),
                breaches: 0,
                prelude: Prelude::Past,
                field: Field::new(crate::data::MAP_COLUMNS as u8, crate::data::MAP_ROWS as u8, nobody),
            },
            hidden: Hidden::default(),
        };
        if quick || sum.is_some() {
            p.open.prelude = if quick { Prelude::Quick } else { Prelude::Muster([false; 2]) };
            f.finish()?;
            return Ok(p);
        }
        let men_node = f.required("men")?;
        let others = f.optional("sides").map_or(Ok(Vec::new()), |n| n.fields().map(|f| f.all().to_vec()))?;
        let mut lists: [Vec<Who>; 2] = Default::default();
        let mut spots: Vec<(Who, Node)> = Vec::new();
        for node in men_node.fields()?.all() {
            let who = data
                .who(node.name())
                .ok_or_else(|| node.wrong(format!("no man is called `{}`", node.name())))?;
            let side = match (data.kind(who.counter).side, others.iter().find(|n| n.name() == node.name())) {
                (_, Some(other)) => other.one_of(&[("Crusader", Side::First), ("Saracen", Side::Second)])?,
                (Some(side), None) => side,
                (None, None) => Side::First,
            };
            lists[side.index()].push(who);
            spots.push((who, node.clone()));
        }
        if let Some(node) = f.optional("commanders") {
            for name in node.texts()? {
                let who = data.who(&name).ok_or_else(|| node.wrong(format!("no man is called `{name}`")))?;
                for list in &mut lists {
                    if let Some(at) = list.iter().position(|w| *w == who) {
                        list.swap(0, at);
                    }
                }
            }
        }
        if lists.iter().any(Vec::is_empty) {
            return Err(men_node.expected("men of both sides"));
        }
        let assault = defender.map(|defender| AssaultSheet {
            defender,
            oil: 6,
            ballistas: 0,
            ladders: 0,
            rams: 0,
            fascines: 0,
            screens: 0,
        });
        p.open.field = self.tactics.field(map, [&lists[0], &lists[1]], assault);
        let field = &mut p.open.field;
        for node in f.optional("ground").map_or(Ok(Vec::new()), |n| n.fields().map(|f| f.all().to_vec()))? {
            let place = place_of(&node, node.name())?;
            let name = node.text()?;
            let terrain = Terrain::ALL.iter().find(|(_, word, _)| *word == name).map(|(_, _, t)| *t);
            field.set_terrain(place, terrain.ok_or_else(|| node.expected("a kind of ground"))?);
        }
        for (who, node) in &spots {
            let Some(man) = field.find(*who) else { continue };
            let mut words = node.text()?.split(' ');
            let place = words.next().unwrap_or_default();
            if place == "away" {
                continue;
            }
            let place = place_of(node, place)?;
            let soldier = field.man_mut(man);
            soldier.at = Some(place);
            match words.next() {
                Some(word) => {
                    soldier.facing =
                        Direction::read(word, Lie::Pointy).map_err(|e| node.wrong(e.to_string()))?;
                    soldier
                        .marks
                        .set(Marks::MOUNTED.or(Marks::OWNS), data.card(who.counter).mounted.is_some());
                }
                None => soldier.marks.set(Marks::MOUNTED, false),
            }
            let hexes = field.man(man).hexes();
            if hexes.clone().any(|at| !field.is_free(at)) {
                return Err(node.wrong("somebody stands there already"));
            }
            field.set_down(man);
        }
        self.stage_men(field, &mut f)?;
        self.stage_siege(field, &mut f)?;
        let named = |node: &Node| node.one_of(&[("Crusader", Side::First), ("Saracen", Side::Second)]);
        field.active = f.optional("active").map_or(Ok(Side::First), named)?;
        field.first = f.optional("first").map_or(Ok(field.active), named)?;
        field.turn = f.optional("turn").map_or(Ok(1), |n| n.number_in(1..=30))? as u8;
        let step = f.optional("step").map_or(Ok(Step::Fire), |n| n.one_of(&STEPS))?;
        let step = match step {
            Step::Initiative(_) => Step::Initiative(field.active),
            Step::Deploy(..) => Step::Deploy(field.active, None),
            other => other,
        };
        field.agenda.push(step);
        f.finish()?;
        self.sound(&p).map_err(|e| sheet.wrong(e))?;
        Ok(p)
    }

    fn fact(&self, _: &Position, after: &Position, key: &str) -> Option<Fact> {
        let f = &after.open.field;
        let t = &self.tactics;
        let data = &t.data;
        let man_named = |name: &str| data.who(name).and_then(|who| f.find(who));
        if let Some(man) = man_named(key) {
            let m = f.man(man);
            let place = match (m.fate, m.at) {
                (Fate::Dead, _) => "dead".to_string(),
                (Fate::Captive, _) => "captive".to_string(),
                (Fate::Fled, _) => "fled".to_string(),
                (Fate::Fights, Some(at)) => at.to_string(),
                (Fate::Fights, None) => "away".to_string(),
            };
            return Some(place.as_str().into());
        }
        if let Some((what, name)) = key.split_once(' ') {
            if what == "points" {
                let seat = self.title.seat_named(name)?;
                return Some(i64::from(t.score(f, side_of(seat)) / 100).into());
            }
            if what == "ground" {
                return Some(f.terrain(name.parse().ok()?).word().into());
            }
            if what == "muster" {
                let seat = self.title.seat_named(name)?;
                return Some(i64::from(self.spent(&after.hidden.musters[seat.index()])).into());
            }
            let man = man_named(name)?;
            let m = f.man(man);
            return Some(match what {
                "life" => i64::from(m.life).into(),
                "experience" => i64::from(m.experience).into(),
                "skill" => i64::from(m.skill).into(),
                "kills" => i64::from(m.kills).into(),
                "run" => i64::from(m.run).into(),
                "facing" => letters(m.facing).into(),
                "morale" => i64::from(t.morale(f, man, &mut |_, _, _| {})).into(),
                "allowance" => i64::from(t.allowance(f, man)).into(),
                "attack" => i64::from(t.face(m).attack).into(),
                "defence" => i64::from(t.face(m).defence).into(),
                "inspired" => t.inspired(f, &[man]).into(),
                "commanded" => t.commanded(f, man).into(),
                "wounded" => t.wounded(m).into(),
                "stunned" => m.is(Marks::STUNNED).into(),
                "mounted" => m.mounted().into(),
                "panic" => m.is(Marks::PANIC).into(),
                "rout" => m.is(Marks::ROUT).into(),
                "carries" => m.engine.map_or("nothing", |e| f.engine(e).kind.word()).into(),
                "horse" => match (m.mounted(), m.horse) {
                    (true, _) => "ridden".into(),
                    (false, Some(at)) => at.to_string().as_str().into(),
                    (false, None) => "none".into(),
                },
                _ => return None,
            });
        }
        Some(match key {
            "deciding" => self.title.party_names(self.deciding(after)).as_str().into(),
            "active" => self.title.seat_name(seat_of(f.active)).into(),
            "first" => self.title.seat_name(seat_of(f.first)).into(),
            "turn" => i64::from(f.turn).into(),
            "step" => step_word(after).into(),
            "men" => (f.men.len() as i64).into(),
            "outcome" => self.outcome(after).map_or("not over", |o| o.headline).into(),
            "gate" => f.siege.map_or(0, |s| i64::from(s.gate)).into(),
            "door" => f.siege.map_or(0, |s| i64::from(s.door)).into(),
            "ramparts" => {
                let held = f.defender().is_some_and(|defender| t.ramparts_held(f, defender));
                if held { "held" } else { "not held" }.into()
            }
            "oil" => f.siege.map_or(0, |s| i64::from(s.oil)).into(),
            "bridge" => f.siege.map_or("none", |s| if s.raised { "raised" } else { "lowered" }).into(),
            "fires" => (f.fires.len() as i64).into(),
            "engines" => (f.engines().count() as i64).into(),
            "raised_ladders" => {
                (f.engines().filter(|(_, e)| e.kind == EngineKind::Ladder && e.raised).count() as i64).into()
            }
            "ram" => {
                let ram = f.engines().find(|(_, e)| e.kind == EngineKind::Ram).and_then(|(_, e)| e.at);
                ram.map_or("gone".into(), |at| at.to_string().as_str().into())
            }
            "tower" => {
                let tower = f.engines().find(|(_, e)| e.kind == EngineKind::Tower).and_then(|(_, e)| e.at);
                tower.map_or("gone".into(), |at| at.to_string().as_str().into())
            }
            _ => return None,
        })
    }

    fn facts(&self) -> &'static str {
        "a man (where he is, or dead, captive, fled), life/experience/skill/kills/run/facing/morale/allowance/\
         attack/defence/inspired/commanded/wounded/stunned/mounted/panic/rout/carries/horse MAN, points SEAT, \
         muster SEAT, ground HEX, deciding, active, first, turn, step, men, outcome, gate, door, oil, bridge, \
         fires, ramparts, engines, raised_ladders, ram, tower"
    }
}

fn step_word(p: &Position) -> &'static str {
    match p.open.prelude {
        Prelude::Quick => return "quick",
        Prelude::Muster(_) => return "muster",
        Prelude::Past => {}
    }
    match p.open.field.step() {
        Step::Initiative(_) => "initiative",
        Step::Breach => "breach",
        Step::Deploy(..) => "deploy",
        Step::Fire => "fire",
        Step::Move => "move",
        Step::March(_) => "march",
        Step::Shots(_) => "shots",
        Step::Combat => "combat",
        Step::Attack => "attack",
        Step::Answer => "answer",
        Step::Mercy(..) => "mercy",
        Step::Victim(_) => "victim",
        Step::Retreat(..) => "retreat",
        Step::Advance => "advance",
        Step::Over => "over",
    }
}

fn place_of(node: &Node, text: &str) -> Result<Place, DataError> {
    text.parse().map_err(|()| node.expected("a hex by row and column, such as `07.12`"))
}

impl Skirmish {
    fn stage_men(&self, field: &mut Field, f: &mut table::sheet::Fields<'_>) -> Result<(), DataError> {
        let data = &self.tactics.data;
        let entries = |f: &mut table::sheet::Fields<'_>, key: &str| -> Result<Vec<Node>, DataError> {
            f.optional(key).map_or(Ok(Vec::new()), |n| n.fields().map(|f| f.all().to_vec()))
        };
        let man = |field: &Field, node: &Node, name: &str| {
            let found = data.who(name).and_then(|who| field.find(who));
            found.ok_or_else(|| node.wrong(format!("`{name}` is not on this field")))
        };
        for key in ["life", "experience", "skill", "kills", "run"] {
            for node in entries(f, key)? {
                let one = man(field, &node, node.name())?;
                let number = node.number_in(0..=250)? as u8;
                let soldier = field.man_mut(one);
                match key {
                    "life" => soldier.life = number.max(1),
                    "experience" => soldier.experience = number,
                    "skill" => soldier.skill = number,
                    "kills" => soldier.kills = number,
                    _ => soldier.run = number,
                }
            }
        }
        for node in entries(f, "states")? {
            let one = man(field, &node, node.name())?;
            for word in node.texts()? {
                let mark = STATES.iter().find(|(state, _)| *state == word).map(|(_, mark)| *mark);
                let known = || STATES.map(|(word, _)| word).join(", ");
                let mark = mark.ok_or_else(|| node.expected(&format!("states among {}", known())))?;
                field.man_mut(one).marks.set(mark, true);
            }
        }
        for node in entries(f, "command")? {
            let one = man(field, &node, node.name())?;
            let [command, fame] = node.list()? else { return Err(node.expected("`[command, fame]`")) };
            let side = field.man(one).side;
            let chief = &mut field.chiefs[side.index()];
            chief.man = one;
            chief.command = command.number_in(0..=20)? as u8;
            chief.fame = fame.number_in(0..=20)? as u8;
        }
        for node in entries(f, "horses")? {
            let one = man(field, &node, node.name())?;
            let place = place_of(&node, node.text()?)?;
            if !field.is_free(place) || field.man(one).mounted() {
                return Err(node.wrong("no loose horse of his can stand there"));
            }
            field.man_mut(one).horse = Some(place);
            let armoured = self.tactics.kind(field.man(one)).armoured;
            field.man_mut(one).marks.set(Marks::CAPARISON, armoured);
            field.man_mut(one).marks.set(Marks::OWNS, true);
            field.on.set(place, HORSE);
        }
        if let Some(node) = f.optional("retreat") {
            field.retreats[node.one_of(&[("Crusader", Side::First), ("Saracen", Side::Second)])?.index()] =
                true;
        }
        Ok(())
    }

    fn stage_siege(&self, field: &mut Field, f: &mut table::sheet::Fields<'_>) -> Result<(), DataError> {
        let data = &self.tactics.data;
        for node in f.records("engines")? {
            let mut g = node.fields()?;
            let kind = g.required("kind")?.one_of(&KINDS)?;
            let side = g.optional("side").map_or(Ok(Side::Second), |n| {
                n.one_of(&[("Crusader", Side::First), ("Saracen", Side::Second)])
            })?;
            let at_node = g.required("at")?;
            let at = place_of(at_node, at_node.text()?)?;
            let facing = match g.optional("facing") {
                None => Direction::Fifth,
                Some(n) => Direction::read(n.text()?, Lie::Pointy).map_err(|e| n.wrong(e.to_string()))?,
            };
            let raised = g.optional("raised").map_or(Ok(false), Node::flag)?;
            let used = g.optional("used").map_or(Ok(0), |n| n.number_in(0..=30))? as u8;
            let id = EngineId::try_at(field.engines.len())
                .ok_or_else(|| node.wrong("there are too many engines"))?;
            field.engines.push(Engine { kind, side, at: Some(at), facing, used, raised, done: false });
            let roofed = matches!(kind, EngineKind::Ram | EngineKind::Tower);
            if roofed {
                if !field.is_free(at) {
                    return Err(at_node.wrong("somebody stands there already"));
                }
                field.on.set(at, ENGINE);
            }
            for name in g.optional("with").map_or(Ok(Vec::new()), Node::texts)? {
                let man = data.who(&name).and_then(|who| field.find(who));
                let man = man.ok_or_else(|| node.wrong(format!("`{name}` is not on this field")))?;
                if roofed {
                    field.lift(man);
                    field.man_mut(man).at = Some(at);
                    field.man_mut(man).marks.set(Marks::ABOARD, true);
                }
                field.man_mut(man).engine = Some(id);
            }
            g.finish()?;
        }
        for node in f.optional("oiled").map_or(Ok(Vec::new()), |n| n.list().map(<[Node]>::to_vec))? {
            let place = place_of(&node, node.text()?)?;
            field.oiled.push(place);
        }
        for node in f.optional("fires").map_or(Ok(Vec::new()), |n| n.fields().map(|f| f.all().to_vec()))? {
            let at = place_of(&node, node.name())?;
            field.fires.push(Fire { at, left: node.number_in(1..=3)? as u8 });
        }
        for key in ["gate", "door", "oil", "breaches", "fascines"] {
            let Some(node) = f.optional(key) else { continue };
            let number = node.number_in(0..=60)? as u8;
            let Some(siege) = &mut field.siege else { return Err(node.wrong("there is no assault here")) };
            match key {
                "gate" => siege.gate = number,
                "door" => siege.door = number,
                "oil" => siege.oil = number,
                "breaches" => siege.breaches = number,
                _ => siege.fascines = number,
            }
        }
        if let Some(node) = f.optional("bridge") {
            let raised = node.one_of(&[("raised", true), ("lowered", false)])?;
            let Some(siege) = &mut field.siege else { return Err(node.wrong("there is no assault here")) };
            siege.raised = raised;
        }
        Ok(())
    }
}
