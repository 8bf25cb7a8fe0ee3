//! What cards, orders, rewards and spaces do, in words; and what each option is called on a button.

use table::scene::Choice;

use crate::ThirdCrusade;
use crate::action::{Action, Out};
use crate::data::{Effect, March, Mode, Part, Place, Presence, Quest, Sort, Target, Whose};
use crate::ids::{Army, Event, Icon, Objective, Order, Owner, Piece, Region, Shape, Side, Slot};
use crate::position::{Chore, Source, Stage, Step};
use crate::view::View;
use crate::words::{counted, listed, sentence};

impl ThirdCrusade {
    /// A list of parts as a few sentences: those of the main event, or of the crown event, or all.
    pub(crate) fn parts_words(&self, parts: &[Part], crown: Option<bool>) -> String {
        let wanted = |part: &&Part| crown.is_none_or(|crown| part.crown == crown);
        let mut words: Vec<String> = Vec::new();
        let mut branch = 0;
        for part in parts.iter().filter(wanted) {
            let text = self.effect_words(&part.effect);
            match words.last_mut() {
                // The branches of an OR are one sentence.
                Some(last) if part.branch > 0 && branch > 0 && part.branch != branch => {
                    *last = format!("{last}, or {text}");
                }
                _ => words.push(text),
            }
            branch = part.branch;
        }
        if words.is_empty() { "Nothing".into() } else { sentence(&words.join("; ")) }
    }

    /// What a space of the diplomacy board brings, as short as on a board: `3 Infantry`, `Glory token, crown`.
    pub(crate) fn gain_words(&self, parts: &[Part]) -> String {
        let some = |n: u8, one: &str, many: &str| match n {
            1 => one.to_string(),
            _ => format!("{n} {many}"),
        };
        let gain = |part: &Part| match part.effect {
            Effect::Muster { unit, n, whose: Whose::Neutral, .. } => some(n, unit.name(), unit.many()),
            // Glory can also come at once: there the token has to be named.
            Effect::PlaceToken { icon: Icon::Glory, n, .. } => some(n, "Glory token", "Glory tokens"),
            Effect::PlaceToken { icon, n, .. } => some(n, icon.name(), icon.name()),
            Effect::NeutralLeader { .. } => "leader".into(),
            Effect::Faith(n) => format!("{n} Faith"),
            Effect::Glory(n) => format!("{n} Glory"),
            _ => self.effect_words(&part.effect),
        };
        sentence(&parts.iter().map(gain).collect::<Vec<_>>().join(", "))
    }

    /// What one effect does: a clause.
    pub(crate) fn effect_words(&self, effect: &Effect) -> String {
        let tokens = |n: u8, icon: Icon| {
            counted(n, &format!("{} token", icon.name()), &format!("{} tokens", icon.name()))
        };
        match *effect {
            Effect::Muster { unit, n, at, whose } => {
                let units = counted(n, unit.name(), unit.many());
                let whose = match whose {
                    Whose::Own => "",
                    Whose::Ally => " of the partner",
                    Whose::Neutral => " of the Neutrals",
                };
                format!("muster {units}{whose} {}", self.place_words(at))
            }
            Effect::RemoveUnit { unit, n, target, at } => {
                let units = unit
                    .map_or_else(|| counted(n, "Unit", "Units"), |unit| counted(n, unit.name(), unit.many()));
                format!("remove {units} of {} {}", self.target_words(target), self.place_words(at))
            }
            Effect::PlaceLeader { leader, at } => {
                let name = &self.components.leaders[leader].faces[0].name;
                format!("{name} comes to the map {}", self.place_words(at))
            }
            Effect::NeutralLeader { at } => {
                format!("a Neutral leader comes to the map {}", self.place_words(at))
            }
            Effect::RemoveLeader { target, n, at } => format!(
                "kill {} of {} {}",
                counted(n, "leader", "leaders"),
                self.target_words(target),
                self.place_words(at)
            ),
            Effect::FlipLeader(leader) => {
                let faces = &self.components.leaders[leader].faces;
                format!("{} takes the place of {}", faces[1].name, faces[0].name)
            }
            Effect::PlaceToken { icon, n, at } => {
                format!("lay {} {}", tokens(n, icon), self.place_words(at))
            }
            Effect::RemoveToken { icon, n, at } => {
                format!("remove {} {}", tokens(n, icon), self.place_words(at))
            }
            Effect::Sabotage { n, at } => {
                format!("sabotage {} {}", counted(n, "Slot", "Slots"), self.place_words(at))
            }
            Effect::Repair { n, at } => {
                format!("repair {} {}", counted(n, "sabotaged Slot", "sabotaged Slots"), self.place_words(at))
            }
            Effect::Bandit(n) => format!("lay {} on roads", counted(n, "Bandit", "Bandits")),
            Effect::RemoveBandit(n) => format!("remove {} from roads", counted(n, "Bandit", "Bandits")),
            Effect::DestroyPort { n, at } => {
                format!("destroy {} {}", counted(n, "port", "ports"), self.place_words(at))
            }
            Effect::March { kind, from, strength, ignores } => {
                let kind = march_words(kind);
                let more =
                    if strength > 0 { format!(" with {strength} more strength") } else { String::new() };
                let free = if ignores { ", whatever Bandits do" } else { "" };
                format!("{kind} {}{more}{free}", self.place_words(from).replacen("in ", "from ", 1))
            }
            Effect::Glory(n) => gain(n, "Glory"),
            Effect::Faith(n) => gain(n, "Faith"),
            Effect::Gold(n) => gain(n, "gold"),
            Effect::BaseCommand(n) => gain(n, "base command"),
            Effect::Command(n) => {
                format!("gain {} for this round", counted(n, "command point", "command points"))
            }
            Effect::AdvancedOrder(n) => {
                format!("gain {} for free", counted(n, "Advanced Order", "Advanced Orders"))
            }
            Effect::DiplomacyMove(n) => {
                format!("move {} on the diplomacy board", counted(n, "time", "times"))
            }
            Effect::Defence(n) => format!("reaction: {n} more strength for the defence of its own region"),
            Effect::Reinforce(n) => {
                format!("reaction: {n} more strength for each Unit there in a battle next to it")
            }
            Effect::Diversion => "reaction: cancel a reaction of the enemy in a region next to it".into(),
            Effect::TacticalRetreat => "reaction: lose a Unit and leave before the battle is decided".into(),
            Effect::Blank => "nothing at all: it cannot be executed".into(),
        }
    }

    fn place_words(&self, place: Place) -> String {
        match place {
            Place::Fits(presence, sort) => {
                let sort = sort_word(sort);
                match presence {
                    Presence::Own => format!("in {sort} with own presence"),
                    Presence::Alliance => format!("in {sort} with presence of the alliance"),
                    Presence::Control => format!("in {sort} that the army controls"),
                    Presence::Enemy => format!("in {sort} with enemies"),
                    Presence::NoEnemy => format!("in {sort} without enemies"),
                    Presence::Any => format!("in {sort}"),
                    Presence::Empty => format!("in {sort} where no army stands"),
                    Presence::Adjacent => format!("in {sort} next to the army"),
                    Presence::Of(army) => format!("in {sort} with {}", self.components.army(army)),
                }
            }
            Place::At(region) => format!("in {}", self.components.place(region)),
            Place::Leader(leader) => {
                format!("in the region of {}", self.components.leaders[leader].faces[0].name)
            }
            Place::Same => "in the same region".into(),
        }
    }

    fn target_words(&self, target: Target) -> &str {
        match target {
            Target::Side(side) => side.name(),
            Target::Army(army) => self.components.army(army),
            Target::Neutral => "the Neutrals",
            Target::Anyone => "anybody",
        }
    }

    /// What an order asks for and does.
    pub(crate) fn order_words(&self, order: Order) -> String {
        let sheet = &self.components.orders[order];
        let presence = match sheet.presence {
            Presence::Own => "own presence",
            Presence::Alliance => "presence of the alliance",
            _ => "no presence",
        };
        let sort = match sheet.sort {
            Sort::City => " in a city",
            Sort::Desert => " in a desert",
            Sort::Port => " in a port",
            _ => "",
        };
        let cost = counted(sheet.cost, "command point", "command points");
        let tithe = if sheet.tithe { "; or a tithe" } else { "" };
        format!("{} (needs {presence}{sort}, costs {cost}{tithe})", self.parts_words(&sheet.parts, None))
    }

    /// What the crown event of a card asks for and does.
    pub(crate) fn crown_words(&self, event: Event) -> String {
        let sheet = &self.components.events[event];
        let mode = match sheet.mode {
            Mode::And => "",
            Mode::SameRegion => ", in the same region",
            Mode::Instead => ", instead",
        };
        format!("{} crowns{mode}: {}", sheet.crowns, self.parts_words(&sheet.parts, Some(true)))
    }

    /// What an objective asks for.
    pub(crate) fn objective_words(&self, objective: Objective) -> String {
        let sheet = &self.components.objectives[objective];
        let names: Vec<_> = sheet.cities.iter().map(|r| self.components.place(r).to_string()).collect();
        let [one, two, three] = sheet.score;
        format!("{} Glory for one, {} for two, {} for three of {}", one, two, three, listed(&names))
    }

    pub(crate) fn quest_words(&self, quest: Quest) -> String {
        match quest {
            Quest::Sort(sort) => match sort {
                Sort::City => "cities".into(),
                Sort::Desert => "deserts".into(),
                Sort::Port => "ports".into(),
                Sort::Mercantile => "Mercantile Cities".into(),
                Sort::Region | Sort::Jerusalem => "regions".into(),
            },
            Quest::Icon(icon) => format!("regions with an open {} icon", icon.name()),
        }
    }

    /// How an option is shown: its button, where to click, and what to know before the click.
    pub(crate) fn button(&self, view: &View, action: Action) -> Choice {
        let c = &self.components;
        let name = |region: Region| c.place(region);
        let at = |region: Region| self.region_id(region);
        let piece = |piece: Piece| self.piece_words(&view.open, piece);
        let deed = match view.open.agenda.now() {
            Some(Step::Deed(deed)) => Some(*deed),
            _ => None,
        };
        let part = |n: u8| deed.and_then(|deed| self.parts(deed.source).get(usize::from(n)).copied());
        let effect = |n: u8| part(n).map_or_else(String::new, |part| self.effect_words(&part.effect));
        match action {
            Action::Draw => Choice::button("Draw your objectives"),
            Action::Discard(o) => {
                Choice::button(format!("Discard the objective of {}", self.objective_title(Some(o))))
                    .at(self.objective_id(o))
                    .hint(self.objective_words(o))
            }
            Action::Deploy(what, r) => {
                let cost = match what {
                    Piece::Unit(_, unit) => counted(c.figures.deployment[unit as usize], "point", "points"),
                    Piece::Leader(_) => "Free".into(),
                };
                Choice::button(format!("Deploy {} in {}", piece(what), name(r))).at(at(r)).hint(cost)
            }
            Action::Lay(e) => {
                let next = view.army().map_or(0, |a| view.known.laid[a].iter().flatten().count());
                let value = c.figures.values[next.min(3)];
                Choice::button(format!(
                    "Lay {} under {}",
                    c.events[e].title,
                    counted(value, "point", "points")
                ))
                .at(self.event_id(e))
                .hint(self.parts_words(&c.events[e].parts, Some(false)))
            }
            Action::Pick(e) => {
                let sheet = &c.events[e];
                let slot = view.open.rows[sheet.army].iter().position(|x| *x == Some(e)).unwrap_or(0);
                let worth = view.army().map_or(0, |army| self.worth(&view.open, army, slot));
                let points = counted(worth, "command point", "command points");
                Choice::button(format!("Select {} for {points}", sheet.title))
                    .at(self.event_id(e))
                    .hint(format!("{} may then play it", c.army(sheet.army)))
            }
            Action::Take(o) => {
                let sheet = &c.orders[o];
                let tithe = if sheet.tithe { " with tithe" } else { "" };
                let hint = if sheet.parts.iter().any(|p| p.effect == Effect::Blank) {
                    "A bluff: it costs 1 Glory when the round ends".to_string()
                } else {
                    let costs = view.army().map(|army| self.costs(view, army, Some(o)).0);
                    let costs =
                        costs.map_or_else(String::new, |costs| format!(". Your orders then cost {costs}"));
                    format!("{}{costs}", self.order_words(o))
                };
                Choice::button(format!("Take {}{tithe}", sheet.title)).at(self.box_id(o)).hint(hint)
            }
            Action::Set(r) => {
                let choice = Choice::button(format!("Place it in {}", name(r))).at(at(r));
                let ready = view.army().and_then(|army| Some((army, view.known.ready[army]?)));
                let Some((army, order)) = ready else { return choice };
                if let Some((_, why)) = self.unmet(&view.open, army, order, r) {
                    return choice.hint(format!("As things stand it will fail: {why}"));
                }
                if self.musters(order).next().is_none() {
                    return choice;
                }
                let musters = self.musters(order).map(|(unit, n)| (r, unit, n));
                choice.hint(format!("You will then need {}", self.supply_after(&view.open, army, musters)))
            }
            Action::Pass => {
                let choice = Choice::button("Pass");
                match view.open.agenda.now() {
                    Some(Step::Plan { .. }) => choice.hint("You place no more orders in this round"),
                    _ => {
                        let left = view.army().map_or(0, |army| view.open.on_map(army));
                        choice.hint(format!(
                            "You execute nothing more but reactions; {} still on the map",
                            counted(left, "order is", "orders are")
                        ))
                    }
                }
            }
            Action::Play(e) => {
                Choice::button(format!("Play {}", c.events[e].title)).at(self.event_id(e)).hint(format!(
                    "{}. {}",
                    self.parts_words(&c.events[e].parts, Some(false)),
                    self.crown_words(e)
                ))
            }
            Action::Execute(r) => {
                let order = view.army().and_then(|army| view.known.orders[army.side()][r]);
                let (title, cost) =
                    order.map_or(("the order", 0), |o| (c.orders[o].title.as_str(), c.orders[o].cost));
                let left = view.army().map_or(0, |army| view.open.command[army].saturating_sub(cost));
                Choice::button(format!("Execute {title} in {}", name(r)))
                    .at(at(r))
                    .hint(format!("Costs {cost}, leaves {left}"))
            }
            Action::Crown => {
                let price = deed.and_then(|deed| self.crown_price(&view.open, &deed)).unwrap_or(0);
                let event = match deed.map(|deed| deed.source) {
                    Some(Source::Event(event)) => Some(event),
                    _ => None,
                };
                Choice::button(format!("Pay {price} gold for the crown event"))
                    .hint(event.map_or_else(String::new, |e| self.crown_words(e)))
            }
            Action::Part(n) => Choice::button(sentence(&effect(n))),
            Action::Place(n, r, k) => self.place_choice(view, part(n), r, k).at(at(r)),
            Action::Spot(n, r, slot) => {
                let shows = self.slot_icon(&view.open, r, slot);
                let what = self.slot_words(slot, shows);
                let verb = match part(n).map(|part| part.effect) {
                    Some(Effect::Repair { .. }) => "Repair",
                    _ => "Sabotage",
                };
                Choice::button(format!("{verb} {what} of {}", name(r))).at(at(r))
            }
            Action::Remove(_, r, what) => {
                Choice::button(format!("Remove {} from {}", piece(what), name(r))).at(at(r))
            }
            Action::Slay(_, leader) => {
                Choice::button(format!("Kill {}", piece(Piece::Leader(leader)))).at(self.leader_id(leader))
            }
            Action::Road(n, road) => {
                let (a, b) = c.ends(road);
                let verb = match part(n).map(|part| part.effect) {
                    Some(Effect::RemoveBandit(_)) => "Remove Bandits",
                    _ => "Lay Bandits",
                };
                Choice::button(format!("{verb} between {} and {}", name(a), name(b)))
                    .at(self.road_id(road))
                    .hint("Whoever marches there loses two Units")
            }
            Action::March(n, r) => {
                Choice::button(format!("Begin the march in {}", name(r))).at(at(r)).hint(sentence(&effect(n)))
            }
            Action::Gain(_, o) => {
                Choice::button(format!("Gain the order {}", c.orders[o].title)).hint(self.order_words(o))
            }
            Action::Settle(_, leader, r) => {
                Choice::button(format!("{} comes to {}", piece(Piece::Leader(leader)), name(r))).at(at(r))
            }
            Action::Replace(n, r, out) => {
                let what = match out {
                    Out::Unit(owner) if owner == Owner::neutral() => "a Neutral Unit".to_string(),
                    Out::Unit(owner) => format!("a Unit of {}", self.owner_name(owner)),
                    Out::Token(icon) => format!("a {} token", icon.name()),
                };
                Choice::button(format!("Place it in {} instead of {what}", name(r)))
                    .at(at(r))
                    .hint(sentence(&effect(n)))
            }
            Action::Done => match view.open.agenda.now() {
                Some(Step::Deploy { .. }) => {
                    Choice::button("Deploy no more").hint("Points that are left are lost")
                }
                Some(Step::Upkeep(Chore::Tithe)) => Choice::button("Take these tithes"),
                Some(Step::Upkeep(Chore::Buy)) => Choice::button("Buy what is chosen"),
                _ => Choice::button("Leave it at that"),
            },
            Action::Leave(what) if matches!(view.open.agenda.now(), Some(Step::Land { .. })) => {
                Choice::button(sentence(&format!("{} stays aboard", piece(what))))
                    .hint("What stays aboard lands in a second port, or is lost where there is no room")
            }
            Action::Leave(what) if matches!(view.open.agenda.now(), Some(Step::Retreat)) => {
                Choice::button(sentence(&format!("{} goes elsewhere", piece(what))))
                    .hint("The others go first; then it is its turn to find a place")
            }
            Action::Leave(what) => Choice::button(sentence(&format!("{} stays behind", piece(what)))),
            Action::Go(r) => self.go_choice(view, r),
            Action::Halt => Choice::button("March no further"),
            Action::Fight(r) => Choice::button(format!("Fight first in {}", name(r))).at(at(r)),
            Action::React(r, against) => {
                let order = view.army().and_then(|army| view.known.orders[army.side()][r]);
                let title = order.map_or("the order", |o| c.orders[o].title.as_str());
                let hint = order.map_or_else(String::new, |o| self.order_words(o));
                let choice = match against {
                    Some(target) => Choice::button(format!(
                        "Answer with {title} in {} against the reaction from {}",
                        name(r),
                        name(target)
                    )),
                    None => Choice::button(format!("Answer with {title} in {}", name(r))),
                };
                choice.at(at(r)).hint(hint)
            }
            Action::Decline => {
                Choice::button("Do not react").hint("The battle is decided if nobody of your side does")
            }
            Action::Lose(what, r) => {
                Choice::button(sentence(&format!("{} is lost in {}", piece(what), name(r)))).at(at(r))
            }
            Action::Send(what) => Choice::button(sentence(&format!("{} has to go", piece(what)))),
            Action::Bid(_) => Choice::button("Bid gold for the first choice of rewards"),
            Action::Reward(n) => {
                let words = view.open.treaty.map_or_else(String::new, |t| {
                    self.parts_words(&c.treaties[t].rewards[usize::from(n)], None)
                });
                let verb = match view.open.agenda.now() {
                    Some(Step::Bestow { .. }) => "Name reward",
                    _ => "Take reward",
                };
                Choice::button(format!("{verb} number {}: {}", n + 1, lower(&words)))
                    .hint("Lower numbers move earlier on the diplomacy board")
            }
            Action::Assent => Choice::button("Agree with your partner"),
            Action::Advance(space) => {
                let sheet = &c.spaces[space];
                Choice::button(format!(
                    "Move to row {}: {}",
                    sheet.row,
                    lower(&self.parts_words(&sheet.parts, None))
                ))
                .at(self.space_id(space))
            }
            Action::Tithe(r) => Choice::button(format!("Take a tithe in {}", name(r)))
                .at(at(r))
                .hint("Costs its command points, brings 1 gold and saves 1 Glory"),
            Action::Buy(o) => {
                Choice::button(format!("Buy the order {}", c.orders[o].title)).hint(self.order_words(o))
            }
            Action::Land(r) => Choice::button(format!("Land in {}", name(r))).at(at(r)),
            Action::Reveal(o) => {
                let glory = view.army().map_or(0, |army| self.objective_glory(&view.open, army, o));
                Choice::button(format!("Reveal the objective of {}", self.objective_title(Some(o))))
                    .at(self.objective_id(o))
                    .hint(format!("Brings {glory} Glory now"))
            }
        }
    }

    /// A part that is carried out in a region.
    fn place_choice(&self, view: &View, part: Option<Part>, region: Region, k: u8) -> Choice {
        let (open, place) = (&view.open, self.components.place(region));
        let tokens =
            |icon: Icon| counted(k, &format!("{} token", icon.name()), &format!("{} tokens", icon.name()));
        match part.map(|part| part.effect) {
            Some(Effect::Muster { unit, whose, .. }) => {
                let choice =
                    Choice::button(format!("Muster {} in {place}", counted(k, unit.name(), unit.many())));
                let Some(army) = view.army().filter(|_| whose == Whose::Own) else { return choice };
                let enemy = self.side_presence(open, region, army.side().other());
                let supply = self.supply_after(open, army, [(region, unit, k)]);
                let battle = if enemy { "Enemies stand there: battle. " } else { "" };
                choice.hint(format!("{battle}You will need {supply}"))
            }
            Some(Effect::PlaceLeader { leader, .. }) => {
                Choice::button(format!("{} comes to {place}", self.face(open, leader).name))
            }
            Some(Effect::PlaceToken { icon, .. }) => {
                Choice::button(format!("Lay {} in {place}", tokens(icon)))
            }
            Some(Effect::RemoveToken { icon, .. }) => {
                Choice::button(format!("Remove {} from {place}", tokens(icon)))
            }
            Some(Effect::DestroyPort { .. }) => Choice::button(format!("Destroy a port of {place}")),
            _ => Choice::button(format!("Do it in {place}")),
        }
    }

    /// A march or retreat to a region, with what waits there.
    fn go_choice(&self, view: &View, to: Region) -> Choice {
        let (open, place) = (&view.open, self.components.place(to));
        let choice = Choice::button(format!("Go to {place}")).at(self.region_id(to));
        let Some(march) = open.march.filter(|_| matches!(open.agenda.now(), Some(Step::March))) else {
            return choice;
        };
        let mut hints = Vec::new();
        let bandits = self.components.road[march.from][to].map_or(0, |road| open.bandits[road]);
        if bandits > 0 && !march.ignores && march.kind != March::Sea {
            hints.push(format!("Bandits will take {}", counted(bandits * 2, "Unit", "Units")));
        }
        if self.side_presence(open, to, march.army.side().other()) {
            let own = self.power(open, &march.group, to) + march.strength;
            let foe = self.power(open, &open.lands[to], to);
            hints.push(format!("Battle: strength {own} against {foe} before reactions"));
        }
        choice.hint(hints.join(". "))
    }

    fn slot_words(&self, slot: Slot, shows: Option<Icon>) -> String {
        match (shows, Shape::of(slot)) {
            (Some(icon), _) => format!("the {} Slot", icon.name()),
            (None, shape) => format!("a bare {} Slot", shape.name()),
        }
    }

    /// What has to be decided, as a sentence to the one who decides or about him, and the rule.
    pub(crate) fn question(&self, view: &View) -> (String, table::Rule) {
        use table::rule;
        let open = &view.open;
        let who = self.title.party_names(view.deciding);
        let place = |region: Region| self.components.place(region);
        let several = view.deciding.len() > 1;
        let (verb, rule): (String, _) = match open.agenda.now() {
            Some(Step::Deal { .. }) => ("draw objectives".into(), rule!("setup.3")),
            Some(Step::Keep) => ("discard one of four objectives".into(), rule!("setup.variable")),
            Some(Step::Deploy { .. }) => {
                let points = view.deciding.lowest().map_or(0, |seat| open.points[Army::of(seat)]);
                (
                    format!("deploy a piece ({} left)", counted(points, "point", "points")),
                    rule!("setup.variable"),
                )
            }
            Some(Step::Lay) => ("lay event cards under the values".into(), rule!("1.1")),
            Some(Step::Market { .. }) => ("select an event card of the enemy".into(), rule!("1.2")),
            Some(Step::Plan { .. }) => {
                let ready = view.army().and_then(|army| view.known.ready[army]);
                match ready {
                    Some(order) => {
                        (format!("place {} in a region", self.components.orders[order].title), rule!("2.2"))
                    }
                    None => ("place an order or pass".into(), rule!("2.1")),
                }
            }
            Some(Step::Command { .. }) => ("play a card, execute an order or pass".into(), rule!("3.1")),
            Some(Step::Deed(deed)) => match deed.source {
                Source::Event(event) => {
                    (format!("carry out {}", self.components.events[event].title), rule!("3.2"))
                }
                Source::Order(order, at) => (
                    format!("carry out {} in {}", self.components.orders[order].title, place(at)),
                    rule!("3.7"),
                ),
                Source::Reward(..) => ("use the reward".into(), rule!("4.2")),
                Source::Space(_) => ("place what was gained".into(), rule!("4.5")),
            },
            Some(Step::March) => match open.march {
                Some(march) => {
                    let group = self.force_words(open, &march.group);
                    (format!("march from {} with {group}", place(march.from)), rule!("glossary.march"))
                }
                None => ("march".into(), rule!("glossary.march")),
            },
            Some(Step::Which) => ("say which battle comes first".into(), rule!("glossary.disperse")),
            Some(Step::Bandits(ambush)) => {
                let units = counted(ambush.left, "Unit", "Units");
                (format!("lose {units} to Bandits"), rule!("glossary.bandit"))
            }
            Some(Step::Battle) => {
                let region = open.battle.as_ref().map_or("", |battle| place(battle.region));
                (format!("execute a Reaction Order for the battle in {region}, or none"), rule!("battle.5"))
            }
            Some(Step::Losses(losses)) => {
                let pieces = counted(losses.left, "piece", "pieces");
                let rule =
                    if losses.tactical { rule!("glossary.tactical-retreat") } else { rule!("battle.8") };
                (format!("lose {pieces}"), rule)
            }
            Some(Step::Retreat) => {
                let group = open.retreat.map_or_else(String::new, |r| self.force_words(open, &r.group));
                (format!("find a place for {group}"), rule!("battle.9"))
            }
            Some(Step::Excess { .. }) => ("choose who finds no Slot and has to go".into(), rule!("battle.9")),
            Some(Step::Bids) => ("bid gold in secret".into(), rule!("4.1")),
            Some(Step::Reward { .. }) => ("choose a reward".into(), rule!("4.2")),
            Some(Step::Bestow { army, .. }) => {
                (format!("choose the reward of {}", self.components.army(*army)), rule!("4.2"))
            }
            Some(Step::Advance { .. }) => ("move on the diplomacy board".into(), rule!("4.4")),
            Some(Step::Upkeep(Chore::Tithe)) => ("choose orders to tithe".into(), rule!("5.2")),
            Some(Step::Upkeep(Chore::Buy)) => ("buy Advanced Orders".into(), rule!("5.4b")),
            Some(Step::Starve { .. }) => ("send Units home until supply suffices".into(), rule!("5.4a")),
            Some(Step::Land { .. }) => {
                let group = self.force_words(open, &open.cargo);
                (format!("choose a port for {group}"), rule!("5.7"))
            }
            Some(Step::Reveal) => ("reveal an objective for Glory".into(), rule!("end.1")),
            Some(Step::Columns | Step::Envoys { .. } | Step::Over) | None => {
                ("go on".into(), rule!("goal.1"))
            }
        };
        let own = view.viewer.seat().is_some_and(|seat| view.deciding.contains(seat));
        // Who has passed is told why it is not his turn any more.
        let phase = match open.agenda.now() {
            Some(Step::Plan { .. }) => Some(("you place no more orders", rule!("2.4"))),
            Some(Step::Command { .. }) => Some(("you execute nothing more but reactions", rule!("3.10"))),
            _ => None,
        };
        let out = view.army().is_some_and(|army| open.passed.has(army));
        if let Some((what, rule)) = phase.filter(|_| out && !own) {
            return (format!("You have passed: {what} in this round. {who} has to {verb}"), rule);
        }
        let text = if own {
            sentence(&verb)
        } else if several {
            format!("{who} must {verb}")
        } else {
            format!("{who} has to {verb}")
        };
        (text, rule)
    }

    /// A word about how the sides stand in a battle.
    pub(crate) fn battle_words(&self, view: &View) -> Option<String> {
        let battle = view.open.battle.as_ref()?;
        let side = battle.attacker.side();
        let [attack, defence] = [side, side.other()].map(|s| self.might(&view.open, battle, s).sum());
        let stage = match battle.stage {
            Stage::React => "before reactions are over",
            Stage::WinnerLoses | Stage::LoserLoses => "losses",
            Stage::LoserRetreats => "retreat",
            Stage::WinnerStays | Stage::Glory => "the winner stays",
        };
        Some(format!("{attack} against {defence}, {stage}"))
    }

    /// The name of an alliance at the beginning of a line.
    pub(crate) fn side_name(side: Side) -> String {
        sentence(side.name())
    }
}

fn gain(n: i8, what: &str) -> String {
    if n < 0 { format!("lose {} {what}", -n) } else { format!("gain {n} {what}") }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

const fn sort_word(sort: Sort) -> &'static str {
    match sort {
        Sort::Region => "any region",
        Sort::City => "a city",
        Sort::Desert => "a desert",
        Sort::Port => "a port",
        Sort::Mercantile => "a Mercantile City",
        Sort::Jerusalem => "Jerusalem",
    }
}

const fn march_words(kind: March) -> &'static str {
    match kind {
        March::Plain => "march",
        March::Forced => "march twice",
        March::Coordinated => "march together with the partner",
        March::Disperse => "march to two regions",
        March::Sea => "sail to another port",
    }
}
