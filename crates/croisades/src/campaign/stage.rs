//! Positions of vignettes, what they may ask, and whether a position can exist.

use table::rooms::*;
use table::sheet::{DataError, Node};
use table::{Fact, Seat, SeatSet};

use super::Campaign;
use crate::ids::Who;
use crate::realm::{
    Building, Debt, GroupId, Hull, Letter, MapHex, Pact, Person, PlaceId, Quick, Rampart, Realm, Ship, Siege,
    Step, TERMS, Title, Treaty, Watchman, Work, side_of,
};

impl Staged for Campaign {
    fn sound(&self, p: &Realm) -> Result<(), String> {
        for (id, group) in p.open.all_groups() {
            let men = p.men_in(id).count();
            // While all put their groups together sizes are not counted: nobody shall see who comes and goes.
            if matches!(p.open.step(), Step::Camp(_) | Step::Market(_)) {
                continue;
            }
            if men == 0 {
                return Err(format!("{id:?} is empty"));
            }
            if self.atlas.word(men) != group.word {
                return Err(format!("{id:?} of {men} men is called {}", group.word));
            }
            if !p.open.playing().contains(group.lord) {
                return Err(format!("{id:?} belongs to nobody"));
            }
        }
        for seat in p.open.party.iter() {
            for man in p.men_of(seat) {
                if man.lord != Some(seat) {
                    return Err("a man stands in another lord's slot".into());
                }
                if let Some(id) = man.group
                    && p.open.groups[id.number()].is_none_or(|g| g.lord != seat)
                {
                    return Err(format!("{} is in no group of his lord", self.tactics().data.name(man.who)));
                }
                if p.men_of(seat).filter(|m| m.who == man.who).count() > 1 {
                    return Err(format!("two men are called {}", self.tactics().data.name(man.who)));
                }
                let captive =
                    p.open.major_of(seat, man.who).is_some_and(|id| p.open.major(id).captor.is_some());
                if man.group.is_none() && !captive {
                    return Err(format!("{} is nowhere", self.tactics().data.name(man.who)));
                }
            }
            for (_, major) in p.open.majors_of(seat) {
                if p.find(seat, major.who).is_none() {
                    return Err(format!("{} is on no list", self.tactics().data.name(major.who)));
                }
            }
        }
        for (id, ship) in p.open.all_ships() {
            let tile = self.atlas.tile(ship.at);
            let port = tile.place.is_some_and(|place| self.atlas.place(place).port);
            if tile.soil != super::atlas::Soil::Sea && !port {
                return Err(format!("{id:?} lies on dry land"));
            }
            if p.open.all_groups().filter(|(_, g)| g.aboard == Some(id)).count() > 1 {
                return Err(format!("{id:?} carries two groups"));
            }
        }
        for (id, group) in p.open.all_groups() {
            let ship = group.aboard.map(|ship| p.open.ships[ship.number()]);
            if ship.is_some_and(|s| s.is_none_or(|s| s.at != group.at || s.lord != group.lord)) {
                return Err(format!("{id:?} is aboard a ship that is not there"));
            }
        }
        for place in &p.open.places {
            if place
                .guardian
                .is_some_and(|id| p.open.major(id).lord != place.lord() || place.lord().is_none())
            {
                return Err("a place is in the ward of a stranger".into());
            }
        }
        for theatre in &p.open.theatres {
            if theatre.stage == crate::realm::Stage::Fought && theatre.roll.len() != theatre.field.men.len() {
                return Err("a man on the field is on no roll".into());
            }
        }
        Ok(())
    }

    fn stage(&self, sheet: &Node) -> Result<Realm, DataError> {
        let mut f = sheet.fields()?;
        let seats = f.optional("seats").map_or(Ok(2), |n| n.number_in(2..=8))? as usize;
        let scenario = f.optional("scenario").map_or(Ok("short"), Node::text)?;
        let scenario = self.atlas.scenarios.iter().position(|s| s.id == scenario);
        let scenario = scenario.ok_or_else(|| sheet.wrong("no such scenario"))?;
        let quick = match f.optional("quick") {
            Some(node) => {
                node.one_of(&[("asked", Quick::Asked), ("always", Quick::Always), ("never", Quick::Never)])?
            }
            None => Quick::Always,
        };
        let mut p = self.blank(SeatSet::first(seats), scenario, quick);
        p.open.turn = f.optional("turn").map_or(Ok(1), |n| n.number_in(1..=80))? as u8;
        for node in f.optional("places").map_or(Ok(Vec::new()), |n| n.fields().map(|f| f.all().to_vec()))? {
            let place = self.place_node(&node, node.name())?;
            let text = node.text()?;
            let (name, allied) = match text.strip_prefix("allied ") {
                Some(name) => (name, true),
                None => (text, false),
            };
            let seat = self.seat_node(&node, name)?;
            p.open.places[place.number()].holder = Some(seat);
            p.open.places[place.number()].controlled = !allied;
        }
        for node in f.optional("lords").map_or(Ok(Vec::new()), |n| n.fields().map(|f| f.all().to_vec()))? {
            let seat = self.seat_node(&node, node.name())?;
            self.stage_lord(&mut p, seat, &node)?;
        }
        for node in f.optional("treaties").map_or(Ok(&[][..]), Node::list)? {
            let mut g = node.fields()?;
            let between = g.required("between")?;
            let names = between.texts()?;
            let [one, other] = &names[..] else { return Err(between.expected("two lords")) };
            p.hidden.treaties.push(Treaty {
                parties: [self.seat_node(between, one)?, self.seat_node(between, other)?],
                pact: g.optional("pact").map_or(Ok(Pact::Peace), |n| {
                    n.one_of(&[
                        ("passage", Pact::Passage),
                        ("peace", Pact::Peace),
                        ("alliance", Pact::Alliance),
                    ])
                })?,
                until: g.required("until")?.number_in(1..=80)? as u8,
            });
            g.finish()?;
        }
        for node in f.optional("debts").map_or(Ok(&[][..]), Node::list)? {
            let mut g = node.fields()?;
            p.hidden.debts.push(Debt {
                from: self.seat_node(node, g.required("from")?.text()?)?,
                to: self.seat_node(node, g.required("to")?.text()?)?,
                sum: g.required("sum")?.number_in(1..=5000)? as u16,
                due: g.required("due")?.number_in(1..=80)? as u8,
            });
            g.finish()?;
        }
        for node in f.optional("works").map_or(Ok(&[][..]), Node::list)? {
            let mut g = node.fields()?;
            let lord = self.seat_node(node, g.required("lord")?.text()?)?;
            let (kind, at) = (g.required("kind")?, g.required("at")?);
            let castle = Rampart::ALL.iter().find(|(word, _)| kind.text().is_ok_and(|k| k == *word));
            p.open.works.push(Work {
                lord,
                what: match castle {
                    Some((_, castle)) => {
                        Building::Castle(*castle, at.text()?.parse().map_err(|()| at.expected("a hex"))?)
                    }
                    None => Building::Ship(kind.one_of(&Hull::ALL)?, self.place_node(node, at.text()?)?),
                },
                due: g.required("due")?.number_in(1..=80)? as u8,
            });
            g.finish()?;
        }
        p.open.exchange = f.optional("exchange").map_or(Ok(0), |n| n.number_in(0..=2))? as u8;
        if let Some(node) = f.optional("siege") {
            let mut g = node.fields()?;
            let place = self.place_node(node, g.required("place")?.text()?)?;
            let besieger = self.seat_node(node, g.required("by")?.text()?)?;
            let warden = g.optional("warden").map(|n| self.seat_node(n, n.text()?)).transpose()?;
            let kind = self.atlas.place(place).kind;
            let side = p.open.place(place).side.unwrap_or(crate::ids::Side::First);
            let men = &self.tactics().data.garrisons[kind as usize].men[side.index()];
            let most = g.optional("garrison").map_or(Ok(99), |n| n.number_in(1..=99))? as usize;
            p.hidden.stores[place.number()] =
                g.optional("stores").map_or(Ok(350), |n| n.number_in(0..=2000))? as u16;
            p.open.sieges.push(Siege {
                place,
                besieger,
                warden,
                oil: self.tactics().data.garrisons[kind as usize].oil,
                levied: g.optional("levied").map_or(Ok(true), Node::flag)?,
                quarters: g.optional("quarters").map_or(Ok(4), |n| n.number_in(1..=4))? as u8,
                damage: g.optional("damage").map_or(Ok(0), |n| n.number_in(0..=9))? as u8,
                breaches: g.optional("breaches").map_or(Ok(0), |n| n.number_in(0..=3))? as u8,
                came: [0; 2],
                ramparts: g.optional("ramparts").map_or(Ok(false), Node::flag)?,
                garrison: men
                    .iter()
                    .take(most)
                    .map(|c| Watchman { counter: *c, life: self.tactics().data.card(*c).life })
                    .collect(),
            });
            g.finish()?;
        }
        for (key, side) in [("lady_crusader", 0), ("lady_saracen", 1)] {
            if let Some(node) = f.optional(key) {
                let name = node.text()?;
                let at = self.atlas.ladies.iter().position(|l| l.name == name);
                let at = at.and_then(crate::realm::LadyId::try_at);
                p.open.ladies.free[side] =
                    Some(at.ok_or_else(|| node.wrong(format!("no lady is called {name}")))?);
            }
        }
        if let Some(node) = f.optional("nile") {
            let mut g = node.fields()?;
            p.open.nile.broken = g.required("broken")?.flag()?;
            p.open.nile.dry = g.optional("dry").map_or(Ok(0), |n| n.number_in(0..=240))? as u8;
            p.open.nile.last = g.optional("last").map_or(Ok(0), |n| n.number_in(0..=240))? as u8;
            g.finish()?;
        }
        for node in f.optional("vows").map_or(Ok(&[][..]), Node::list)? {
            let mut g = node.fields()?;
            let vassal = self.seat_node(node, g.required("vassal")?.text()?)?;
            let liege = self.seat_node(node, g.required("liege")?.text()?)?;
            self.may_swear(&p, vassal, liege).map_err(|why| node.wrong(why))?;
            let share = g.required("share")?.number_in(0..=100)? as u8;
            p.open.lords[vassal.index()].liege = Some((liege, share));
            g.finish()?;
        }
        if let Some(node) = f.optional("away") {
            for name in node.texts()? {
                let lord = &mut p.open.lords[self.seat_node(node, &name)?.index()];
                (lord.plays, lord.waits) = (false, true);
            }
        }
        let step = f.optional("step").map_or(Ok("writing"), Node::text)?.to_string();
        let none = SeatSet::NONE;
        let begin = match step.as_str() {
            "castle" => Step::Castle(0),
            "holding" => Step::Holding(0),
            "creation" => Step::Creation(none),
            "writing" => Step::Writing(none),
            "answering" => Step::Answering(none),
            "camp" => Step::Camp(none),
            "fleet" => {
                Step::Fleet(p.open.playing().iter().filter(|seat| !self.has_fleet(&p, *seat)).collect())
            }
            "march" => Step::March { at: 0, group: None },
            "calls" => Step::Calls(self.idle_before_walls(&p)),
            "suits" => Step::Suits(self.idle_suitors(&p, none)),
            "arrival" => Step::Arrival(p.open.waiting().lowest().unwrap_or(Seat::new(0))),
            "surtax" => Step::Surtax(none),
            "ransom" => Step::Ransom(none),
            "market" => Step::Market(none),
            other => return Err(sheet.wrong(format!("no step is called {other}"))),
        };
        p.open.agenda = table::Agenda::starting(begin);
        for node in f.optional("letters").map_or(Ok(&[][..]), Node::list)? {
            let mut g = node.fields()?;
            let from = self.seat_node(node, g.required("from")?.text()?)?;
            let to = self.seat_node(node, g.required("to")?.text()?)?;
            let mut terms = [None; TERMS];
            for (slot, term) in terms.iter_mut().zip(g.required("terms")?.list()?) {
                match self.read(term.text()?) {
                    Ok(super::action::Action::Term(read)) => *slot = Some(read),
                    _ => return Err(term.expected("a term such as `peace until 8`")),
                }
            }
            g.finish()?;
            p.hidden.letters.push(Letter { from, to, terms, answer: None });
        }
        if let Some(node) = f.optional("order") {
            let order =
                node.texts()?.iter().map(|name| self.seat_node(node, name)).collect::<Result<_, _>>()?;
            p.open.order = order;
            // The order shifts every turn: it is given for this one.
            let shift = usize::from(p.open.turn - 1) % p.open.order.len();
            p.open.order.rotate_right(shift);
        }
        // The first in the order of play is asked in any case.
        if let Some(Step::Calls(done) | Step::Suits(done)) = p.open.agenda.now().copied() {
            let done = p.open.at_turn(0).map_or(done, |first| done.without(first));
            p.open.agenda.replace(match p.open.step() {
                Step::Calls(_) => Step::Calls(done),
                _ => Step::Suits(done),
            });
        }
        f.finish()?;
        let ids: Vec<GroupId> = p.open.all_groups().map(|(id, _)| id).collect();
        for id in ids {
            self.recount(&mut p, id, true);
        }
        self.sound(&p).map_err(|e| sheet.wrong(e))?;
        Ok(p)
    }

    fn fact(&self, before: &Realm, after: &Realm, key: &str) -> Option<Fact> {
        let (key, p) = match key.strip_prefix("before ") {
            Some(key) => (key, before),
            None => (key, after),
        };
        if let Some(place) = self.atlas.place_named(key) {
            let place = p.open.place(place);
            let side = match place.side {
                Some(crate::ids::Side::First) => "Crusader",
                Some(crate::ids::Side::Second) => "Saracen",
                None => "neutral",
            };
            let text = match (place.holder, place.controlled) {
                (Some(seat), true) => format!("{}, {side}", self.lord_name(seat)),
                (Some(seat), false) => format!("allied {}, {side}", self.lord_name(seat)),
                (None, _) => format!("nobody, {side}"),
            };
            return Some(text.as_str().into());
        }
        let names = |seats: SeatSet| self.title.party_names(seats).as_str().into();
        let words: Vec<&str> = key.splitn(2, ' ').collect();
        Some(match words[..] {
            ["deciding"] => names(self.deciding(p)),
            ["turn"] => i64::from(p.open.turn).into(),
            ["treaties"] => (p.hidden.treaties.len() as i64).into(),
            ["debts"] => (p.hidden.debts.len() as i64).into(),
            ["nile"] => match p.open.nile {
                crate::realm::Nile { broken: false, .. } => "whole".into(),
                crate::realm::Nile { dry: 0, .. } => "broken".into(),
                crate::realm::Nile { dry, .. } => format!("dry in turn {dry}").as_str().into(),
            },
            ["works"] => (p.open.works.len() as i64).into(),
            ["sieges"] => (p.open.sieges.len() as i64).into(),
            ["step"] => format!("{:?}", p.open.step()).split(['(', ' ']).next().unwrap_or("").into(),
            ["stage"] => {
                let stage = p.open.theatres.first().map_or("none".into(), |t| format!("{:?}", t.stage));
                stage.split(['(', ' ']).next().unwrap_or("").into()
            }
            ["theatres"] => (p.open.theatres.len() as i64).into(),
            ["board"] => p.open.theatres.first().map_or("none".into(), |t| {
                format!("{} by {}", t.field.columns, t.field.rows).as_str().into()
            }),
            ["outcome"] => self.outcome(p).map_or("not over", |o| o.headline).into(),
            ["groups"] => (p.open.all_groups().count() as i64).into(),
            ["stores"] => {
                let first = p.open.sieges.first();
                first.map_or(0, |s| i64::from(p.hidden.stores[s.place.number()])).into()
            }
            ["garrison"] => p.open.sieges.first().map_or(0, |s| s.garrison.len() as i64).into(),
            ["damage"] => p.open.sieges.first().map_or(0, |s| i64::from(s.damage)).into(),
            ["breaches"] => p.open.sieges.first().map_or(0, |s| i64::from(s.breaches)).into(),
            ["bonus"] => {
                if p.open.sieges.is_empty() {
                    0.into()
                } else {
                    i64::from(self.surrender_bonus(p, 0)).into()
                }
            }
            [what, name] => {
                if let Some(seat) = self.title.seat_named(name) {
                    return Some(match what {
                        "funds" => i64::from(self.funds(p, seat)).into(),
                        "men" => (p.men_of(seat).count() as i64).into(),
                        "revenue" => i64::from(self.riches(p, seat).revenue).into(),
                        "ships" => (p.open.ships_of(seat).count() as i64).into(),
                        "yield" => {
                            let own = (0..p.open.places.len()).map(PlaceId::at);
                            let own = own.filter(|id| p.open.place(*id).lord() == Some(seat));
                            i64::from(own.map(|id| self.yields(p, id)).sum::<u16>()).into()
                        }
                        "liege" => {
                            p.open.lords[seat.index()].liege.map_or("nobody".into(), |(liege, share)| {
                                format!("{}, {share}", self.lord_name(liege)).as_str().into()
                            })
                        }
                        "waits" => p.open.lords[seat.index()].waits.into(),
                        "owed" => i64::from(p.open.lords[seat.index()].owed).into(),
                        "majors" => (p.open.majors_of(seat).count() as i64).into(),
                        "suzerain" => {
                            let id = p.open.lords[seat.index()].suzerain;
                            id.map_or("nobody".into(), |id| self.tactics().data.name(p.open.major(id).who))
                                .as_str()
                                .into()
                        }
                        "points" => {
                            i64::from(self.points_left(&p.open, &p.hidden.sheets[seat.index()])).into()
                        }
                        "hungry" => {
                            let all =
                                p.open.groups_of(seat).map(|(id, _)| p.hidden.cargo[id.number()].hungry);
                            i64::from(all.max().unwrap_or(0)).into()
                        }
                        "rations" => {
                            let all =
                                p.open.groups_of(seat).map(|(id, _)| p.hidden.cargo[id.number()].rations);
                            i64::from(all.sum::<u16>()).into()
                        }
                        _ => return None,
                    });
                }
                if what == "ship" {
                    let id = name.parse::<usize>().ok()?.checked_sub(1)?;
                    return Some(match p.open.ships.get(id).copied().flatten() {
                        Some(ship) => self.atlas.hex_name(ship.at).as_str().into(),
                        None => "gone".into(),
                    });
                }
                if what == "group" {
                    let id = name.parse::<usize>().ok().and_then(|n| GroupId::try_at(n.checked_sub(1)?))?;
                    return Some(match p.open.groups.get(id.number()).copied().flatten() {
                        Some(group) => format!("{}, {}", group.at, p.men_in(id).count()).as_str().into(),
                        None => "gone".into(),
                    });
                }
                let who = self.tactics().data.who(name)?;
                let seat = p.open.party.iter().find(|s| p.find(*s, who).is_some());
                let Some(seat) = seat else { return Some("gone".into()) };
                let man = p.hidden.men[p.find(seat, who)?];
                if what == "life" {
                    return Some(i64::from(man.life).into());
                }
                if what == "experience" {
                    return Some(i64::from(man.experience).into());
                }
                if what == "heals" {
                    return Some(i64::from(man.heals).into());
                }
                let id = p.open.major_of(seat, who)?;
                let (major, traits) = (p.open.major(id), &p.hidden.traits[id.number()]);
                match what {
                    "fame" => i64::from(major.fame).into(),
                    "honour" => i64::from(major.honour).into(),
                    "command" => i64::from(traits.command).into(),
                    "diplomacy" => i64::from(traits.diplomacy).into(),
                    "charisma" => i64::from(traits.charisma).into(),
                    "purse" => i64::from(traits.purse).into(),
                    "title" => major.title.word(side_of(seat)).into(),
                    "captor" => major.captor.map_or("nobody", |s| self.lord_name(s)).into(),
                    "wife" => major.wife.map_or("nobody", |l| self.atlas.lady(l).name.as_str()).into(),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn facts(&self) -> &'static str {
        "a stronghold (`LORD, SIDE`), nile, theatres, board, deciding, turn, step, stage, treaties, debts, works, sieges, groups, outcome, \
         stores, garrison, damage, breaches, bonus, `ship N` (its hex), `group N` (`HEX, MEN`), \
         `liege|waits|funds|men|revenue|yield|ships|owed|majors|suzerain|points|hungry|rations LORD`, \
         `life|experience|heals|fame|honour|command|diplomacy|charisma|purse|title|captor|wife MAN`, each with `before ` too"
    }
}

impl Campaign {
    fn seat_node(&self, node: &Node, name: &str) -> Result<Seat, DataError> {
        let names = || self.title.seat_names().join(", ");
        self.title
            .seat_named(name)
            .ok_or_else(|| node.wrong(format!("no lord is called `{name}`; there are {}", names())))
    }

    fn place_node(&self, node: &Node, name: &str) -> Result<PlaceId, DataError> {
        self.atlas.place_named(name).ok_or_else(|| node.wrong(format!("no stronghold is called `{name}`")))
    }

    /// A lord of a vignette: `{ majors = [{ name, honour, … }], groups = [{ at, men, … }], … }`.
    fn stage_lord(&self, p: &mut Realm, seat: Seat, node: &Node) -> Result<(), DataError> {
        let mut f = node.fields()?;
        let mut first = None;
        for node in f.required("majors")?.list()? {
            let mut g = node.fields()?;
            let name = g.required("name")?;
            let who = self.who_node(name)?;
            let mut byte =
                |key: &str, usual: i64| g.optional(key).map_or(Ok(usual), |n| n.number_in(0..=60_000));
            let traits = [
                byte("experience", 1)?,
                byte("charisma", 1)?,
                byte("diplomacy", 1)?,
                byte("command", 1)?,
                byte("honour", 1)?,
            ];
            let (fame, purse) = (byte("fame", 1)? as u8, byte("purse", 150)? as u16);
            let person = Person { who, traits: traits.map(|n| n as u8) };
            let id = self.add_major(p, seat, &person, purse);
            p.open.majors[id.number()].fame = fame;
            if let Some(title) = g.optional("title") {
                let words = [
                    ("knight", Title::Knight),
                    ("baron", Title::Baron),
                    ("prince", Title::Prince),
                    ("king", Title::King),
                ];
                p.open.majors[id.number()].title = title.one_of(&words)?;
            }
            if let Some(wife) = g.optional("wife") {
                let lady = self.atlas.ladies.iter().position(|l| wife.text().is_ok_and(|n| n == l.name));
                let lady = lady.and_then(crate::realm::LadyId::try_at);
                let lady = lady.ok_or_else(|| wife.expected("a lady by her name"))?;
                p.open.majors[id.number()].wife = Some(lady);
                p.open.ladies.married |= 1 << lady.number();
                if let Some(captor) = g.optional("wife_captor") {
                    p.open.ladies.captors[lady.number()] = Some(self.seat_node(captor, captor.text()?)?);
                }
            }
            if let Some(captor) = g.optional("captor") {
                p.open.majors[id.number()].captor = Some(self.seat_node(captor, captor.text()?)?);
                let man = crate::realm::Man { group: None, ..self.fresh_man(seat, who, GroupId::at(0)) };
                self.add_man(p, man);
            }
            for place in g.optional("guards").map_or(Ok(&[][..]), Node::list)? {
                let id_of = self.place_node(place, place.text()?)?;
                p.open.places[id_of.number()].guardian = Some(id);
                if self.atlas.place(id_of).fame > 0 {
                    p.open.places[id_of.number()].famed = Some(id);
                }
            }
            g.finish()?;
            first = first.or(Some(id));
        }
        p.open.lords[seat.index()].suzerain = first;
        for node in f.optional("groups").map_or(Ok(&[][..]), Node::list)? {
            let mut g = node.fields()?;
            let at = g.required("at")?;
            let hex: MapHex = match self.atlas.place_named(at.text()?) {
                Some(place) => self.hex_of(&p.open, place),
                None => at.text()?.parse().map_err(|()| at.expected("a hex or a stronghold"))?,
            };
            let id = self.add_group(p, seat, hex).ok_or_else(|| node.wrong("there are groups enough"))?;
            for man in g.required("men")?.list()? {
                let text = man.text()?;
                let (name, experience) =
                    match text.rsplit_once(' ').and_then(|(n, e)| Some((n, e.parse::<u8>().ok()?))) {
                        Some((name, experience)) => (name, Some(experience)),
                        None => (text, None),
                    };
                let who = self
                    .tactics()
                    .data
                    .who(name)
                    .ok_or_else(|| man.wrong(format!("no counter is called `{name}`")))?;
                let mut fresh = self.fresh_man(seat, who, id);
                fresh.experience = experience.unwrap_or(fresh.experience);
                self.add_man(p, fresh);
            }
            for man in g.optional("wounded").map_or(Ok(&[][..]), Node::list)? {
                let who = self.who_node(man)?;
                let at = p.find(seat, who).ok_or_else(|| man.wrong("he is not in this group"))?;
                p.hidden.men[at].life /= 3;
            }
            let cargo = &mut p.hidden.cargo[id.number()];
            cargo.rations = g.optional("rations").map_or(Ok(0), |n| n.number_in(0..=5000))? as u16;
            cargo.mules = g.optional("mules").map_or(Ok(0), |n| n.number_in(0..=50))? as u8;
            cargo.ladders = g.optional("ladders").map_or(Ok(0), |n| n.number_in(0..=8))? as u8;
            cargo.rams = g.optional("rams").map_or(Ok(0), |n| n.number_in(0..=8))? as u8;
            cargo.trebuchets = g.optional("trebuchets").map_or(Ok(0), |n| n.number_in(0..=8))? as u8;
            cargo.hungry = g.optional("hungry").map_or(Ok(0), |n| n.number_in(0..=9))? as u8;
            if let Some(inside) = g.optional("inside") {
                p.open.group_mut(id).inside = inside.flag()?;
            }
            g.finish()?;
        }
        for node in f.optional("ships").map_or(Ok(&[][..]), Node::list)? {
            let mut g = node.fields()?;
            let at = g.required("at")?;
            let hex: MapHex = match self.atlas.place_named(at.text()?) {
                Some(place) => self.hex_of(&p.open, place),
                None => at.text()?.parse().map_err(|()| at.expected("a hex or a port"))?,
            };
            let kind = g.required("kind")?.one_of(&Hull::ALL)?;
            g.finish()?;
            let ship = Some(Ship { lord: seat, kind, at: hex });
            p.open.ships.try_push(ship).map_err(|_| node.wrong("there are ships enough"))?;
        }
        let lord = &mut p.open.lords[seat.index()];
        lord.taxed = f.optional("taxed").map_or(Ok(0), |n| n.number_in(0..=90))? as u8;
        let taxed = lord.taxed;
        for place in p.open.places.iter_mut().filter(|place| place.lord() == Some(seat)) {
            place.taxed = taxed;
        }
        let lord = &mut p.open.lords[seat.index()];
        lord.fought = f.optional("fought").map_or(Ok(false), Node::flag)?;
        lord.revenue = f.optional("revenue").map(|n| n.number_in(0..=5000)).transpose()?.map(|n| n as u16);
        f.finish()
    }

    fn who_node(&self, node: &Node) -> Result<Who, DataError> {
        let name = node.text()?;
        self.tactics().data.who(name).ok_or_else(|| node.wrong(format!("no counter is called `{name}`")))
    }
}
