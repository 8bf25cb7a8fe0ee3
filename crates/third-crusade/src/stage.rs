//! Positions of vignettes, what they ask about, and what cannot be.

use table::rooms::*;
use table::sheet::{DataError, Fields, Node};
use table::{Agenda, Fact, Id, Map, Seats, Set, SetupError, Silent, Viewer, Wishes};

use crate::ThirdCrusade;
use crate::flow::ground::Hold;
use crate::ids::{
    Army, Event, ICONS, Icon, Leader, Mission, Objective, Order, Owner, Piece, Region, Road, SHAPES, SIDES,
    SLOT_NAMES, Side, Sides, Space, Treaty, UNITS,
};
use crate::position::{Chore, Force, Open, Placed, Position, Stage, Step, Works};
use crate::words::counted;

/// Words for the sides in `[position]` and in facts.
const SIDE_WORDS: [(&str, Side); 2] = [("crusader", Side::Crusader), ("muslim", Side::Muslim)];

impl Staged for ThirdCrusade {
    fn sound(&self, p: &Position) -> Result<(), String> {
        self.sound_pieces(&p.open)?;
        self.sound_regions(&p.open)?;
        self.sound_orders(p)?;
        let open = &p.open;
        let figures = &self.components.figures;
        if open.glory.abs() > figures.glory.0 || open.faith.0.iter().any(|f| f.abs() > figures.faith.0) {
            return Err(format!("Glory stands at {}, Faith at {:?}", open.glory, open.faith));
        }
        let held: usize = p.hidden.objectives.values().iter().map(|own| own.len()).sum();
        let all = p.hidden.objectives.values().iter().fold(Set::NONE, |all, own| all | *own);
        if held != all.len() {
            return Err("two players hold the same objective".into());
        }
        for army in open.table.party {
            if p.hidden.bids[army].is_some_and(|bid| bid > open.gold[army]) {
                return Err(format!("{} bids more gold than it has", self.components.army(army)));
            }
        }
        Ok(())
    }

    /// Keys: see `stage.rs` of the game; every one may be left out. Where `pieces` is given, the map holds these only.
    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let mut f = sheet.fields()?;
        let seats = f.optional("seats").map(|node| match node.number() {
            Ok(count) => Seats::Count(count.clamp(0, 255) as u8),
            Err(_) => Seats::Named(node.texts().unwrap_or_default()),
        });
        let scenario = f.optional("scenario").map(|n| n.text().map(str::to_string)).transpose()?;
        let wrong = |e: SetupError| sheet.wrong(e.to_string());
        let wishes = Wishes { seats, scenario, ..Wishes::default() };
        let setup = self.title.set_up(&wishes).map_err(wrong)?;
        let mut p = self.setup(&setup, &mut Silent::new(1)).map_err(wrong)?;
        // Objectives without any chance: the first of the deck for everybody.
        let mut deck = self.objective_deck(&p.open, None);
        for army in p.open.table.party {
            let own: Set<Objective> = deck.iter().take(p.open.table.objectives.into()).collect();
            deck -= own;
            p.hidden.objectives[army] = own;
        }
        p.open.initiative = Army::all()
            .filter(|army| p.open.table.party.has(*army) || p.open.table.party.len() == 3)
            .map(|army| if p.open.table.party.has(army) { army } else { army.partner() })
            .collect();
        p.hidden.hands.fill(Set::NONE);
        self.stage_map(&mut f, &mut p)?;
        self.stage_numbers(&mut f, &mut p)?;
        self.stage_cards(&mut f, &mut p)?;
        self.stage_orders(&mut f, &mut p)?;
        self.stage_step(&mut f, &mut p)?;
        f.finish()?;
        self.proceed(&mut p, &mut Silent::new(1));
        Ok(p)
    }

    fn fact(&self, _: &Position, after: &Position, key: &str) -> Option<Fact> {
        self.fact_of(after, key)
    }

    fn facts(&self) -> &'static str {
        "a region (`2 Angevin Infantry, Saladin`), glory, period, step, deciding, windows, outcome, first, reason, strength \
         (`[attack, defence]`), initiative, mission, future, treaty, faith crusader (muslim), markets ARMY, gold, command, \
         base, crown, supply, income, need, orders, cards, bought ARMY, control REGION, icons REGION, ports REGION, \
         sabotage REGION, tokens REGION, bandits REGION to REGION, leader NAME, space ID, order ARMY sees at REGION, \
         objectives ARMY sees of ARMY, hand ARMY sees of ARMY, bonus of faith crusader (muslim), offers"
    }
}

impl ThirdCrusade {
    /// Units stay within their pools, leaders are in one place.
    fn sound_pieces(&self, open: &Open) -> Result<(), String> {
        for army in Army::all() {
            for unit in UNITS {
                let (off, pool) =
                    (open.off_board(army, unit), self.components.armies[army].pool[unit as usize]);
                if off > pool || off > 0 && !open.table.party.has(army) {
                    return Err(format!(
                        "{} has {off} {} of {pool}",
                        self.components.army(army),
                        unit.name()
                    ));
                }
            }
        }
        let mut seen = open.away;
        let mut count = seen.len();
        let mut more = |leaders: Set<Leader>| {
            seen |= leaders;
            count += leaders.len();
        };
        more(open.aboard);
        open.lands.values().iter().for_each(|force| more(force.leaders));
        open.columns.iter().for_each(|column| more(column.force.leaders));
        if let Some(battle) = &open.battle {
            more(battle.force.leaders);
        }
        if let Some(retreat) = &open.retreat {
            more(retreat.group.leaders);
            more(retreat.rest.leaders);
        }
        more(open.cargo.leaders);
        more(open.kept.leaders);
        if count != seen.len() {
            return Err("a leader is in two places".into());
        }
        Ok(())
    }

    /// Slots hold what stands on them, and alliances keep apart.
    fn sound_regions(&self, open: &Open) -> Result<(), String> {
        let crowded = open.agenda.steps().iter().any(|step| matches!(step, Step::Excess { .. }));
        for region in Region::all() {
            let place = self.components.place(region);
            let works = &open.works[region];
            if !open.lands[region].is_empty() && !open.table.ground.has(region) {
                return Err(format!("pieces stand in {place}, which is not in play"));
            }
            if SIDES.iter().all(|side| self.side_presence(open, region, *side)) {
                return Err(format!("both alliances stand in {place}"));
            }
            for shape in SHAPES {
                let has = self.of_shape(open, &open.lands[region], shape);
                let slots = self.slots(open, region, shape);
                if has > slots && !crowded {
                    return Err(format!("{has} {} pieces stand in {place} on {slots} Slots", shape.name()));
                }
            }
            for (slot, token) in works.tokens.iter() {
                let shape = token.map(|icon| self.components.figures.tokens[icon as usize]);
                if shape.is_some_and(|shape| shape.slots() >> slot.number() & 1 == 0) {
                    return Err(format!("a token lies on a Slot of another shape in {place}"));
                }
            }
            if region == self.components.jerusalem && works.sabotage != 0 {
                return Err("Jerusalem is sabotaged".into());
            }
            if works.ruined > self.components.regions[region].ports {
                return Err(format!("more ports are destroyed in {place} than there are"));
            }
        }
        Ok(())
    }

    /// Orders come from their boxes, and what is open agrees with what is hidden.
    fn sound_orders(&self, p: &Position) -> Result<(), String> {
        let turned = matches!(p.open.agenda.now(), Some(Step::Upkeep(Chore::Tithe)));
        let mut used: Map<Order, u8> = p.open.aside;
        for side in SIDES {
            for region in Region::all() {
                match (p.open.orders[side][region], p.hidden.orders[side][region]) {
                    (None, None) => {}
                    (Some(placed), Some(order)) => {
                        used[order] += 1;
                        let sheet = &self.components.orders[order];
                        let fits = placed.army == sheet.army && placed.army.side() == side;
                        if !fits || placed.face.is_some_and(|face| face != order) {
                            return Err(format!("{} is not what it seems", self.components.place(region)));
                        }
                        if turned && sheet.tithe != placed.face.is_some() {
                            return Err("a tithe was not turned".into());
                        }
                    }
                    _ => return Err(format!("an order at {} is half there", self.components.place(region))),
                }
            }
        }
        for (army, ready) in p.hidden.ready.iter() {
            if let Some(order) = ready {
                used[*order] += 1;
                if self.components.orders[*order].army != army {
                    return Err("somebody has taken an order of another army".into());
                }
            }
        }
        for (order, used) in used.iter() {
            if *used > self.owned(&p.open, order) {
                return Err(format!("{used} of the order {} are in use", self.order_name(order)));
            }
        }
        Ok(())
    }

    fn named<T: Id>(&self, node: &Node, name: &str, called: impl Fn(T) -> String) -> Result<T, DataError> {
        let found = T::all().find(|thing| called(*thing) == name);
        found.ok_or_else(|| {
            let known: Vec<_> = T::all().map(called).take(60).collect();
            node.wrong(format!("nothing is called `{name}`; there are {}", known.join(", ")))
        })
    }

    fn named_army(&self, node: &Node, name: &str) -> Result<Army, DataError> {
        self.named(node, name, |army| self.components.army(army).to_string())
    }

    fn named_region(&self, node: &Node, name: &str) -> Result<Region, DataError> {
        self.named(node, name, |region| self.components.place(region).to_string())
    }

    fn named_order(&self, node: &Node, name: &str) -> Result<Order, DataError> {
        let called = |order| {
            if self.components.orders[order].count > 0 { self.order_name(order) } else { String::new() }
        };
        self.named(node, name, called)
    }

    fn named_event(&self, node: &Node) -> Result<Event, DataError> {
        self.named(node, node.text()?, |event| self.components.events[event].title.clone())
    }

    /// The entries of a table under a key.
    fn entries<'a>(f: &mut Fields<'a>, key: &str) -> Result<&'a [Node], DataError> {
        f.optional(key).map_or(Ok(&[][..]), |node| node.fields().map(Fields::all))
    }

    /// `pieces`, `tokens`, `sabotage` (by region), `ruined`, `bandits`, `flipped`.
    fn stage_map(&self, f: &mut Fields<'_>, p: &mut Position) -> Result<(), DataError> {
        let open = &mut p.open;
        if let Some(node) = f.optional("pieces") {
            let here = open.lands.values().iter().fold(Set::NONE, |all, force| all | force.leaders);
            open.away |= here;
            open.lands = Map::filled(Force::none());
            open.works = Map::filled(Works::default());
            for node in node.fields()?.all() {
                let region = self.named_region(node, node.name())?;
                for piece in node.list()? {
                    self.stage_pieces(piece, open, region)?;
                }
            }
        }
        for node in Self::entries(f, "tokens")? {
            let region = self.named_region(node, node.name())?;
            for token in node.list()? {
                let words = ICONS.map(|icon| (icon.name(), icon));
                let icon = token.one_of(&words)?;
                let slot = self.token_slot(open, region, icon);
                let slot = slot.ok_or_else(|| token.wrong("no Slot is left for this token"))?;
                open.works[region].tokens[slot] = Some(icon);
            }
        }
        for node in Self::entries(f, "sabotage")? {
            let region = self.named_region(node, node.name())?;
            for slot in node.list()? {
                let words: Vec<_> = SLOT_NAMES.iter().enumerate().map(|(i, name)| (*name, i)).collect();
                open.works[region].sabotage |= 1 << slot.one_of(&words)?;
            }
        }
        for node in Self::entries(f, "ruined")? {
            let region = self.named_region(node, node.name())?;
            open.works[region].ruined = node.number_in(0..=3)? as u8;
        }
        for node in Self::entries(f, "bandits")? {
            open.bandits[self.named_road(node, node.name())?] = node.number_in(0..=9)? as u8;
        }
        if let Some(node) = f.optional("flipped") {
            for node in node.list()? {
                open.flipped.insert(self.named(node, node.text()?, |l| self.piece_name(Piece::Leader(l)))?);
            }
        }
        Ok(())
    }

    fn named_road(&self, node: &Node, name: &str) -> Result<Road, DataError> {
        self.named(node, name, |road: Road| {
            if road.number() >= self.components.roads.len() {
                return String::new();
            }
            let (a, b) = self.components.ends(road);
            format!("{} to {}", self.components.place(a), self.components.place(b))
        })
    }

    /// `3 Angevin Infantry`, `Neutral Cavalry`, `Saladin`.
    fn stage_pieces(&self, node: &Node, open: &mut Open, region: Region) -> Result<(), DataError> {
        let text = node.text()?;
        let (count, name) = match text.split_once(' ') {
            Some((count, name)) if count.parse::<u8>().is_ok() => (count.parse().unwrap_or(1), name),
            _ => (1u8, text),
        };
        for owner in Owner::all() {
            let Some(rest) = name.strip_prefix(self.owner_name(owner)) else { continue };
            let found = UNITS.into_iter().find(|unit| {
                rest.strip_prefix(' ').is_some_and(|word| word == unit.name() || word == unit.many())
            });
            if let Some(unit) = found {
                open.lands[region].units[owner][unit as usize] += count;
                return Ok(());
            }
        }
        let leader = self.named(node, name, |l| self.piece_name(Piece::Leader(l)))?;
        open.away.remove(leader);
        open.aboard.remove(leader);
        open.lands[region].leaders.insert(leader);
        Ok(())
    }

    /// `period`, `glory`, `faith`, `gold`, `command`, `bonus`, `initiative`, `passed`.
    fn stage_numbers(&self, f: &mut Fields<'_>, p: &mut Position) -> Result<(), DataError> {
        if let Some(node) = f.optional("period") {
            let periods = &self.components.figures.periods;
            let words: Vec<_> = periods.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
            p.open.period = node.one_of(&words)? as u8;
        }
        if let Some(node) = f.optional("glory") {
            p.open.glory = node.number_in(-13..=13)? as i8;
        }
        for node in Self::entries(f, "faith")? {
            let words: Vec<_> = SIDE_WORDS.to_vec();
            let side = words.iter().find(|(word, _)| *word == node.name());
            let side = side.ok_or_else(|| node.wrong("expected crusader or muslim"))?.1;
            p.open.faith[side] = node.number_in(-5..=5)? as i8;
        }
        for army in p.open.table.party {
            p.open.command[army] = self.track(&p.open, army, Icon::Command);
        }
        for key in ["gold", "command", "bonus"] {
            for node in Self::entries(f, key)? {
                let (army, number) = (self.named_army(node, node.name())?, node.number_in(0..=60)? as u8);
                match key {
                    "gold" => p.open.gold[army] = number,
                    "command" => p.open.command[army] = number,
                    _ => p.open.bonus[army] = number,
                }
            }
        }
        if let Some(node) = f.optional("initiative") {
            let markers = p.open.initiative.len();
            p.open.initiative.clear();
            for name in node.list()? {
                let army = self.named_army(name, name.text()?)?;
                if p.open.initiative.try_push(army).is_err() || !p.open.table.party.has(army) {
                    return Err(name.wrong("this marker is not on the track"));
                }
            }
            if p.open.initiative.len() != markers {
                return Err(node.expected(&format!("{markers} armies")));
            }
        }
        if let Some(node) = f.optional("passed") {
            for name in node.list()? {
                p.open.passed.insert(self.named_army(name, name.text()?)?);
            }
        }
        Ok(())
    }

    /// `cards`, `hands`, `rows`, `objectives`, `mission`, `future`, `treaty`, `board`.
    fn stage_cards(&self, f: &mut Fields<'_>, p: &mut Position) -> Result<(), DataError> {
        if let Some(node) = f.optional("cards") {
            for node in node.list()? {
                p.open.cards.insert(self.named_event(node)?);
            }
        }
        for node in Self::entries(f, "hands")? {
            let army = self.named_army(node, node.name())?;
            for card in node.list()? {
                p.hidden.hands[army].insert(self.named_event(card)?);
            }
        }
        for node in Self::entries(f, "rows")? {
            let army = self.named_army(node, node.name())?;
            let list = node.list()?;
            for (slot, card) in p.open.rows[army].iter_mut().zip(list) {
                *slot = if card.text()? == "-" { None } else { Some(self.named_event(card)?) };
            }
        }
        for node in Self::entries(f, "objectives")? {
            let army = self.named_army(node, node.name())?;
            let mut own = Set::NONE;
            for card in node.list()? {
                own.insert(self.named(card, card.text()?, |o| self.objective_title(Some(o)))?);
            }
            for other in Army::all() {
                p.hidden.objectives[other] -= own;
            }
            p.hidden.objectives[army] = own;
        }
        let mission = |node: &Node| {
            self.named(node, node.text()?, |m: Mission| self.components.missions[m].title.clone())
        };
        if let Some(node) = f.optional("mission") {
            p.open.mission = Some(mission(node)?);
        }
        if let Some(node) = f.optional("future") {
            p.open.future = Some(mission(node)?);
        }
        p.open.missions = p.open.mission.into_iter().chain(p.open.future).collect();
        if let Some(node) = f.optional("treaty") {
            let found = self.named(node, node.text()?, |t: Treaty| self.components.treaties[t].name.clone());
            p.open.treaty = Some(found?);
            p.open.treaties = p.open.treaty.into_iter().collect();
        }
        for node in Self::entries(f, "board")? {
            let army = self.named_army(node, node.name())?;
            for space in node.list()? {
                let found =
                    self.named(space, space.text()?, |s: Space| self.components.spaces[s].id.clone())?;
                p.open.board[found] = Some(army);
                p.open.envoy[army] = Some(found);
            }
        }
        Ok(())
    }

    /// `orders` (by region), `bought`.
    fn stage_orders(&self, f: &mut Fields<'_>, p: &mut Position) -> Result<(), DataError> {
        p.open.orders = Sides([Map::filled(None), Map::filled(None)]);
        if let Some(node) = f.optional("bought") {
            for node in node.list()? {
                p.open.bought.insert(self.named_order(node, node.text()?)?);
            }
        }
        for node in Self::entries(f, "orders")? {
            let region = self.named_region(node, node.name())?;
            for order in node.list()? {
                let found = self.named_order(order, order.text()?)?;
                let sheet = &self.components.orders[found];
                if sheet.advanced {
                    p.open.bought.insert(found);
                }
                let (army, side) = (sheet.army, sheet.army.side());
                if p.open.orders[side][region].is_some() || !p.open.table.party.has(army) {
                    return Err(
                        order.wrong("expected one order of each alliance in a region, of an army that plays")
                    );
                }
                p.open.orders[side][region] = Some(Placed { army, face: None });
                p.hidden.orders[side][region] = Some(found);
            }
        }
        Ok(())
    }

    /// `step` and `turn`: what goes on, and whose turn it is.
    fn stage_step(&self, f: &mut Fields<'_>, p: &mut Position) -> Result<(), DataError> {
        let turn = match f.optional("turn") {
            None => 0,
            Some(node) => {
                let army = self.named_army(node, node.text()?)?;
                p.open.rank(army) as u8
            }
        };
        let army = p.open.initiative.get(usize::from(turn)).copied();
        let army = army.unwrap_or(Army::at(0));
        p.open.chosen = Set::NONE;
        let word = f.optional("step").map_or(Ok("command"), Node::text)?;
        let step = match word {
            "command" => Step::Command { turn },
            "lay" => Step::Lay,
            "market" => {
                let (party, each) = (p.open.table.party, self.components.figures.hand.1);
                p.open.picks = Map::new(|a: Army| match (party.has(a), party.len()) {
                    (false, _) => 0,
                    (true, 3) if p.open.is_lone(a.side()) => 2 * each,
                    (true, 3) => each / 2,
                    (true, _) => each,
                });
                Step::Market { turn }
            }
            "plan" => Step::Plan { turn },
            // Everybody moves on the diplomacy board after bidding; then comes upkeep.
            "advance" => {
                p.open.agenda = Agenda::starting(Step::Envoys { number: 5 });
                p.open.agenda.push(Step::Advance { army, left: 1 });
                return Ok(());
            }
            "bids" => {
                p.open.agenda = Agenda::starting(Step::Bids);
                p.open.chosen = p.open.table.party.iter().filter(|a| p.open.gold[*a] == 0).collect();
                p.hidden.bids = Map::new(|a| p.open.chosen.has(a).then_some(0));
                return Ok(());
            }
            _ => {
                let node = f.optional("step");
                let wrong = "expected command, lay, market, plan, bids or advance";
                return Err(node.map_or_else(|| DataError::new("stage", 1, wrong), |n| n.expected(wrong)));
            }
        };
        p.open.agenda = Agenda::starting(step);
        Ok(())
    }

    fn fact_of(&self, p: &Position, key: &str) -> Option<Fact> {
        let open = &p.open;
        let c = &self.components;
        let army = |name: &str| Army::all().find(|a| c.army(*a) == name);
        let region = |name: &str| Region::all().find(|r| c.place(*r) == name);
        let number = |n: u8| Some(Fact::from(i64::from(n)));
        if let Some(at) = region(key) {
            return Some(self.pieces_words(&open.lands[at]).as_str().into());
        }
        let simple = match key {
            "glory" => Some(i64::from(open.glory).into()),
            "period" => Some(c.figures.periods[usize::from(open.period)].as_str().into()),
            "step" => Some(self.step_word(open).into()),
            "deciding" => Some(self.title.party_names(self.deciding(p)).as_str().into()),
            "windows" => {
                let windows = self.deciding(p).iter().filter(|seat| self.window(p, *seat)).collect();
                Some(self.title.party_names(windows).as_str().into())
            }
            "outcome" => Some(self.outcome(p).map_or("not over", |o| o.headline).into()),
            "first" => {
                let first = self.outcome(p).and_then(|o| o.first);
                Some(first.map_or("nobody", |seat| self.title.seat_name(seat)).into())
            }
            "reason" => Some(self.reason(p).as_str().into()),
            "strength" => Some(match &open.battle {
                Some(battle) if battle.stage == Stage::React => {
                    let side = battle.attacker.side();
                    let sums = [side, side.other()].map(|s| self.might(open, battle, s).sum());
                    Fact::List(sums.map(|n| i64::from(n).into()).to_vec())
                }
                _ => Fact::List(Vec::new()),
            }),
            "initiative" => {
                let names: Vec<_> = open.initiative.iter().map(|a| c.army(*a)).collect();
                Some(names.join(", ").as_str().into())
            }
            "mission" => Some(open.mission.map_or("none", |m| &c.missions[m].title).into()),
            "future" => Some(open.future.map_or("none", |m| &c.missions[m].title).into()),
            "treaty" => Some(open.treaty.map_or("none", |t| &c.treaties[t].name).into()),
            "offers" => {
                let seat = self.deciding(p).lowest();
                let mut options = table::Options::new();
                seat.into_iter().for_each(|seat| self.options(p, seat, &mut options));
                Some((options.len() as i64).into())
            }
            _ => None,
        };
        if simple.is_some() {
            return simple;
        }
        if let Some((seer, at)) = key.strip_prefix("order ").and_then(|rest| rest.split_once(" sees at ")) {
            return self.order_seen(p, army(seer)?, region(at)?);
        }
        if let Some((seer, whose)) =
            key.strip_prefix("objectives ").and_then(|rest| rest.split_once(" sees of "))
        {
            let view = self.view(p, Viewer::Seat(army(seer)?.seat()));
            return number(view.known.objectives[army(whose)?].len() as u8);
        }
        if let Some((seer, whose)) = key.strip_prefix("hand ").and_then(|rest| rest.split_once(" sees of ")) {
            let view = self.view(p, Viewer::Seat(army(seer)?.seat()));
            let (own, laid) = (view.known.hands[army(whose)?], view.known.laid[army(whose)?]);
            return number(own.len() as u8 + laid.iter().flatten().count() as u8);
        }
        if let Some(side) = key.strip_prefix("bonus of faith ") {
            let side = SIDE_WORDS.iter().find(|(word, _)| *word == side)?.1;
            return Some(self.has_faith_bonus(open, side).into());
        }
        if let Some(road) = key.strip_prefix("bandits ") {
            let (a, b) = road.split_once(" to ")?;
            return number(open.bandits[c.road[region(a)?][region(b)?]?]);
        }
        let (what, name) = key.split_once(' ')?;
        match what {
            "faith" => {
                let side = SIDE_WORDS.iter().find(|(word, _)| *word == name)?.1;
                Some(i64::from(open.faith[side]).into())
            }
            "markets" => number(self.markets(open, army(name)?) as u8),
            "gold" => number(open.gold[army(name)?]),
            "command" => number(open.command[army(name)?]),
            "base" => number(self.track(open, army(name)?, Icon::Command)),
            "crown" => number(self.track(open, army(name)?, Icon::Crown)),
            "supply" => number(self.track(open, army(name)?, Icon::Supply)),
            "income" => number(self.track(open, army(name)?, Icon::Gold)),
            "need" => number(self.need(open, army(name)?)),
            "orders" => number(open.on_map(army(name)?)),
            "cards" => number(self.cards_of(open, army(name)?).len() as u8),
            "bought" => number(self.bought_by(open, army(name)?).len() as u8),
            "control" => Some(match self.hold(open, region(name)?) {
                Some(Hold::Army(army)) => c.army(army).into(),
                Some(Hold::Tied(_)) => "tied".into(),
                None => "nobody".into(),
            }),
            "icons" => {
                let icons = self.icons(open, region(name)?);
                Some(icon_words(icons).as_str().into())
            }
            "tokens" => {
                let at = region(name)?;
                Some(icon_words(ICONS.map(|icon| self.tokens(open, at, icon))).as_str().into())
            }
            "ports" => number(self.ports(open, region(name)?)),
            "sabotage" => number(open.works[region(name)?].sabotage.count_ones() as u8),
            "leader" => {
                let leader = Leader::all().find(|l| self.piece_name(Piece::Leader(*l)) == name)?;
                Some(match open.whereabouts(leader) {
                    Some(at) => c.place(at).into(),
                    None if open.away.has(leader) => "away".into(),
                    None if open.aboard.has(leader) => "aboard".into(),
                    None => "gone".into(),
                })
            }
            "space" => {
                let space = Space::all().find(|s| c.spaces[*s].id == name)?;
                Some(open.board[space].map_or("free", |a| c.army(a)).into())
            }
            _ => None,
        }
    }

    /// What an army sees of the enemy's or its own alliance's order in a region: `hidden`, its title, or `none`; the
    /// other alliance's where it has one.
    fn order_seen(&self, p: &Position, seer: Army, at: Region) -> Option<Fact> {
        let view = self.view(p, Viewer::Seat(seer.seat()));
        let side = if view.open.orders[seer.side().other()][at].is_some() {
            seer.side().other()
        } else {
            seer.side()
        };
        Some(match (view.open.orders[side][at], view.known.orders[side][at]) {
            (None, _) => "none".into(),
            (Some(_), Some(order)) => self.components.orders[order].title.as_str().into(),
            (Some(Placed { face: Some(order), .. }), None) => {
                self.components.orders[order].title.as_str().into()
            }
            (Some(_), None) => "hidden".into(),
        })
    }

    /// What stands together, for facts: `2 Angevin Infantry, 1 Neutral Infantry, Saladin`.
    fn pieces_words(&self, force: &Force) -> String {
        let mut words = Vec::new();
        for (owner, units) in force.units.iter() {
            for unit in UNITS {
                let n = units[unit as usize];
                if n > 0 {
                    let name = self.owner_name(owner);
                    let (one, many) = (format!("{name} {}", unit.name()), format!("{name} {}", unit.many()));
                    words.push(counted(n, &one, &many));
                }
            }
        }
        words.extend(force.leaders.iter().map(|l| self.piece_name(Piece::Leader(l))));
        if words.is_empty() { "empty".into() } else { words.join(", ") }
    }

    /// What goes on, in a word.
    pub(crate) fn step_word(&self, open: &Open) -> &'static str {
        match open.agenda.now() {
            Some(Step::Deal { .. }) => "deal",
            Some(Step::Keep) => "keep",
            Some(Step::Deploy { .. }) => "deploy",
            Some(Step::Lay) => "lay",
            Some(Step::Market { .. }) => "market",
            Some(Step::Plan { .. }) => "plan",
            Some(Step::Command { .. }) => "command",
            Some(Step::Deed(_)) => "deed",
            Some(Step::March) => "march",
            Some(Step::Which) => "which",
            Some(Step::Columns) => "columns",
            Some(Step::Bandits(_)) => "bandits",
            Some(Step::Battle) => "react",
            Some(Step::Losses(_)) => "losses",
            Some(Step::Retreat) => "retreat",
            Some(Step::Excess { .. }) => "excess",
            Some(Step::Bids) => "bids",
            Some(Step::Reward { .. }) => "reward",
            Some(Step::Bestow { .. }) => "bestow",
            Some(Step::Envoys { .. }) => "envoys",
            Some(Step::Advance { .. }) => "advance",
            Some(Step::Upkeep(Chore::Tithe)) => "tithe",
            Some(Step::Upkeep(Chore::Buy)) => "buy",
            Some(Step::Starve { .. }) => "starve",
            Some(Step::Land { .. }) => "land",
            Some(Step::Reveal) => "reveal",
            Some(Step::Over) | None => "over",
        }
    }
}

/// Icons in words: `1 supply, 2 gold`.
fn icon_words(icons: [u8; 5]) -> String {
    let words: Vec<_> = ICONS
        .iter()
        .zip(icons)
        .filter(|(_, n)| *n > 0)
        .map(|(icon, n)| format!("{n} {}", icon.name()))
        .collect();
    if words.is_empty() { "none".into() } else { words.join(", ") }
}
