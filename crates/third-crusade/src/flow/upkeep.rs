//! The Upkeep Phase \[5\], in its ten steps.

use table::{Ballot, Id as _, Map, Readers, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::Quest;
use crate::ids::{Army, Icon, Order, Piece, Region, SIDES, Shape, Side, UNITS};
use crate::position::{Chore, Open, Position, Step};

impl ThirdCrusade {
    pub(super) fn begin_upkeep(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        self.score_mission(p, umpire);
        self.begin_tithes(p, umpire);
    }

    /// How many regions an alliance holds that count for a quest.
    pub(crate) fn held_for(&self, open: &Open, side: Side, quest: Quest) -> i8 {
        let own = |r: &Region| self.hold(open, *r).is_some_and(|hold| hold.side() == side);
        open.table.ground.iter().filter(own).filter(|r| self.counts_for(open, *r, quest)).count() as i8
    }

    /// How many regions an army controls that count for a quest.
    pub(crate) fn controlled_for(&self, open: &Open, army: Army, quest: Quest) -> i8 {
        let own = |r: &Region| self.control(open, *r) == Some(army);
        open.table.ground.iter().filter(own).filter(|r| self.counts_for(open, *r, quest)).count() as i8
    }

    /// What the active mission would bring the Crusaders in Glory, and each alliance in Faith [5.1].
    pub(crate) fn mission_steps(&self, open: &Open) -> (i8, [Option<(Army, i8)>; 2]) {
        let Some(mission) = open.mission else { return (0, [None; 2]) };
        let sheet = &self.components.missions[mission];
        let [crusader, muslim] = SIDES.map(|side| self.held_for(open, side, sheet.glory));
        let faith = SIDES.map(|side| {
            let own = |army: Army| self.controlled_for(open, army, sheet.faith);
            let [one, two] = side.armies();
            if !open.is_lone(side) {
                let lead = own(one) - own(two);
                return (lead != 0).then(|| if lead > 0 { (one, lead) } else { (two, -lead) });
            }
            // A lone player is measured by the best of his enemies, and loses nothing.
            let army = open.armies(side).first()?;
            let best = open.armies(side.other()).iter().map(own).max().unwrap_or(0);
            let lead = own(army) - best;
            (lead > 0).then_some((army, lead))
        });
        (crusader - muslim, faith)
    }

    fn score_mission(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let (glory, faith) = self.mission_steps(&p.open);
        self.gain_glory(p, Side::Crusader, glory);
        let title = p.open.mission.map_or("", |m| &self.components.missions[m].title);
        match glory {
            0 => umpire.note(Readers::ALL, rule!("5.1"), format_args!("{title} brings nobody Glory")),
            n => {
                let side = if n > 0 { Side::Crusader } else { Side::Muslim };
                let n = n.abs();
                umpire.note(
                    Readers::ALL,
                    rule!("5.1"),
                    format_args!("{title} brings {} {n} Glory", side.name()),
                );
            }
        }
        for (army, steps) in faith.into_iter().flatten() {
            self.gain_faith(p, army, steps);
            let who = self.components.army(army);
            umpire.note(Readers::ALL, rule!("5.1"), format_args!("{title} brings {who} {steps} Faith"));
        }
    }

    /// All orders with a tithe are turned; who can use one chooses [5.2].
    fn begin_tithes(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for side in SIDES {
            for region in p.open.table.ground {
                let Some(placed) = &mut p.open.orders[side][region] else { continue };
                let Some(order) = p.hidden.orders[side][region] else { continue };
                if self.components.orders[order].tithe {
                    placed.face = Some(order);
                }
            }
        }
        umpire.reveal(Readers::ALL);
        umpire.cite(rule!("5.2"));
        p.hidden.tithes = Map::filled(Set::NONE);
        p.open.chosen = p
            .open
            .table
            .party
            .iter()
            .filter(|army| self.tithable(&p.open, *army, p.open.command[*army]).is_empty())
            .collect();
        p.open.agenda.replace(Step::Upkeep(Chore::Tithe));
    }

    /// The open orders of an army that it could tithe with so many points.
    pub(crate) fn tithable(&self, open: &Open, army: Army, points: u8) -> Set<Region> {
        let orders = &open.orders[army.side()];
        let can = |r: &Region| {
            orders[*r].is_some_and(|placed| placed.army == army)
                && orders[*r]
                    .and_then(|placed| placed.face)
                    .is_some_and(|order| self.components.orders[order].cost <= points)
                && self.presence(open, *r, army)
        };
        open.table.ground.iter().filter(can).collect()
    }

    /// The points that an army has left beside the tithes that it has chosen.
    pub(crate) fn points_left(&self, p: &Position, army: Army) -> u8 {
        let orders = &p.open.orders[army.side()];
        let cost = |r: Region| {
            orders[r].and_then(|placed| placed.face).map_or(0, |order| self.components.orders[order].cost)
        };
        p.open.command[army].saturating_sub(p.hidden.tithes[army].iter().map(cost).sum())
    }

    pub(super) fn list_tithes(&self, p: &Position, army: Army, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let chosen = p.hidden.tithes[army];
        let can = self.tithable(&p.open, army, self.points_left(p, army)) - chosen;
        can.iter().for_each(|region| ballot.allow(Action::Tithe(region)));
        ballot.allow(Action::Done);
        if ballot.explains() {
            for (region, placed) in p.open.orders[army.side()].iter() {
                let own = placed.is_some_and(|placed| placed.army == army && placed.face.is_some());
                if own && !can.has(region) {
                    let why = if chosen.has(region) {
                        "it is chosen already"
                    } else if self.presence(&p.open, region, army) {
                        "the command points do not suffice"
                    } else {
                        "a tithe asks for own presence there"
                    };
                    ballot.refuse(Action::Tithe(region), rule!("5.2"), format_args!("{why}"));
                }
            }
        }
    }

    /// All have chosen: tithes are paid, the other orders removed, supply is checked.
    pub(super) fn tithing(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        if p.open.chosen != p.open.table.party {
            return true;
        }
        umpire.reveal(Readers::ALL);
        for army in p.open.table.party {
            let side = army.side();
            for region in std::mem::replace(&mut p.hidden.tithes[army], Set::NONE) {
                let Some(order) = p.hidden.orders[side][region].take() else { continue };
                p.open.orders[side][region] = None;
                p.open.command[army] -= self.components.orders[order].cost;
                p.open.gold[army] += 1;
                let (who, place) = (self.components.army(army), self.components.place(region));
                umpire.note(Readers::ALL, rule!("5.2"), format_args!("{who} takes a tithe at {place}"));
                umpire.cite(rule!("glossary.tithe"));
            }
        }
        self.clear_orders(p, umpire);
        let short = self.check_supply(p, umpire);
        p.open.agenda.replace(Step::Starve { short });
        false
    }

    /// Orders that were not executed cost Glory [5.3]; all go back to their boxes.
    fn clear_orders(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let each = self.components.figures.penalties.0;
        let mut change = 0;
        for army in p.open.table.party {
            let left = p.open.on_map(army);
            change += each * left as i8 * army.side().sign();
            if left > 0 && umpire.writes() {
                let who = self.components.army(army);
                let orders = crate::words::listed(&self.left_lying(p, army));
                umpire.note(
                    Readers::ALL,
                    rule!("5.3"),
                    format_args!("{who} has not executed {orders} and pays {left} Glory"),
                );
            }
        }
        self.gain_glory(p, Side::Crusader, change);
        let blank = |order: &Order| {
            self.components.orders[*order].parts.iter().any(|part| part.effect == crate::data::Effect::Blank)
        };
        if SIDES.iter().any(|side| p.hidden.orders[*side].values().iter().flatten().any(blank)) {
            umpire.cite(rule!("glossary.blank-orders"));
        }
        for side in SIDES {
            p.open.orders[side].fill(None);
            p.hidden.orders[side].fill(None);
        }
        p.open.aside.fill(0);
        umpire.cite(rule!("5.3"));
        umpire.cite(rule!("glossary.orders"));
    }

    /// The orders of an army that still lie on the map, by title and place: they are opened now [5.3].
    fn left_lying(&self, p: &Position, army: Army) -> Vec<String> {
        let side = army.side();
        let own = p.open.orders[side].iter().filter(|(_, placed)| placed.is_some_and(|x| x.army == army));
        own.filter_map(|(region, _)| {
            let title = &self.components.orders[p.hidden.orders[side][region]?].title;
            Some(format!("{title} at {}", self.components.place(region)))
        })
        .collect()
    }

    /// Who is short of supply pays with Glory, counted once before anything is removed [5.4a].
    fn check_supply(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> Set<Army> {
        umpire.cite(rule!("5.4a"));
        umpire.cite(rule!("glossary.section"));
        let (mut short, mut change) = (Set::NONE, 0);
        for army in p.open.table.party {
            let (need, has) = (self.need(&p.open, army), self.track(&p.open, army, Icon::Supply));
            if need <= has {
                continue;
            }
            short.insert(army);
            let lacks = (need - has) as i8;
            change += self.components.figures.penalties.1 * lacks * army.side().sign();
            let who = self.components.army(army);
            umpire.note(
                Readers::ALL,
                rule!("5.4a"),
                format_args!("{who} needs {need} supply and has {has}: {lacks} Glory is lost"),
            );
        }
        self.gain_glory(p, Side::Crusader, change);
        short
    }

    pub(super) fn list_starving(
        &self,
        p: &Position,
        army: Army,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for (region, force) in p.open.lands.iter() {
            for unit in UNITS {
                let piece = Piece::Unit(army.owner(), unit);
                if force.has(piece) {
                    ballot.allow(Action::Lose(piece, region));
                }
            }
            if ballot.explains() {
                let others = force
                    .kinds()
                    .filter(|piece| !matches!(piece, Piece::Unit(owner, _) if *owner == army.owner()));
                for piece in others {
                    ballot.refuse(
                        Action::Lose(piece, region),
                        rule!("5.4a"),
                        format_args!("only Units of his own are sent home"),
                    );
                }
            }
        }
    }

    /// A Unit goes home for want of supply.
    pub(super) fn send_home(
        &self,
        p: &mut Position,
        piece: Piece,
        at: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.lands[at].take(piece);
        if umpire.writes() {
            let what = crate::words::sentence(&self.piece_words(&p.open, piece));
            let place = self.components.place(at);
            umpire.note(
                Readers::ALL,
                rule!("5.4a"),
                format_args!("{what} leaves {place} for want of supply"),
            );
        }
    }

    pub(super) fn starving(&self, p: &mut Position, short: Set<Army>) -> bool {
        let Some(army) = p.open.ahead(short) else {
            self.begin_purchases(p);
            return false;
        };
        let units = p.open.lands.values().iter().any(|force| force.count(army.owner()) > 0);
        if units && self.need(&p.open, army) > self.track(&p.open, army, Icon::Supply) {
            return true;
        }
        p.open.agenda.replace(Step::Starve { short: short.without(army) });
        false
    }

    /// Supply that an army's Units leave over.
    pub(crate) fn spare(&self, open: &Open, army: Army) -> u8 {
        self.track(open, army, Icon::Supply).saturating_sub(self.need(open, army))
    }

    /// Who has supply left for an Advanced Order chooses [5.4b].
    fn begin_purchases(&self, p: &mut Position) {
        p.hidden.buys = Map::filled(Set::NONE);
        let price = self.components.figures.prices.1;
        p.open.chosen = p
            .open
            .table
            .party
            .iter()
            .filter(|army| self.spare(&p.open, *army) < price || self.unowned(&p.open, *army).is_empty())
            .collect();
        p.open.agenda.replace(Step::Upkeep(Chore::Buy));
    }

    pub(super) fn list_purchases(
        &self,
        p: &Position,
        army: Army,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let (chosen, price) = (p.hidden.buys[army], self.components.figures.prices.1);
        let left = self.spare(&p.open, army).saturating_sub(price * chosen.len() as u8);
        for order in self.unowned(&p.open, army) {
            if chosen.has(order) {
                ballot.refuse(Action::Buy(order), rule!("5.4b"), format_args!("it is chosen already"));
            } else if left >= price {
                ballot.allow(Action::Buy(order));
            } else {
                ballot.refuse(
                    Action::Buy(order),
                    rule!("5.4b"),
                    format_args!("an Advanced Order takes {price} spare supply"),
                );
            }
        }
        ballot.allow(Action::Done);
    }

    /// All have chosen: orders are bought, then Jerusalem, gold and Glory are counted.
    pub(super) fn buying(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        if p.open.chosen != p.open.table.party {
            return true;
        }
        umpire.reveal(Readers::ALL);
        umpire.cite(rule!("5.4b"));
        for army in p.open.table.party {
            for order in std::mem::replace(&mut p.hidden.buys[army], Set::<Order>::NONE) {
                p.open.bought.insert(order);
                let (who, title) = (self.components.army(army), &self.components.orders[order].title);
                umpire.note(
                    Readers::ALL,
                    rule!("5.4b"),
                    format_args!("{who} buys the Advanced Order {title}"),
                );
            }
        }
        self.count_jerusalem(p, umpire);
        self.count_gold(p, umpire);
        self.count_glory(p, umpire);
        if !self.victory_check(p, rule!("5.5"), umpire) {
            self.next_period(p, umpire);
        }
        false
    }

    /// Glory of the Crusaders for Jerusalem [5.4c].
    pub(crate) fn jerusalem_glory(&self, open: &Open) -> i8 {
        let held = self.hold(open, self.components.jerusalem).map(|hold| hold.side());
        if held == Some(Side::Crusader) { self.components.figures.penalties.2 } else { 0 }
    }

    fn count_jerusalem(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("5.4c"));
        let glory = self.jerusalem_glory(&p.open);
        if glory > 0 {
            self.gain_glory(p, Side::Crusader, glory);
            umpire.note(
                Readers::ALL,
                rule!("5.4c"),
                format_args!("The Crusaders hold Jerusalem: {glory} Glory"),
            );
        }
    }

    fn count_gold(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for army in p.open.table.party {
            let gold = self.track(&p.open, army, Icon::Gold);
            p.open.gold[army] = p.open.gold[army].saturating_add(gold);
            let who = self.components.army(army);
            umpire.note(Readers::ALL, rule!("5.4d"), format_args!("{who} takes {gold} gold"));
        }
    }

    /// Glory icons in controlled regions, net for the Crusaders [5.4e].
    pub(crate) fn icon_glory(&self, open: &Open) -> i8 {
        let of = |army: Army| self.track(open, army, Icon::Glory) as i8 * army.side().sign();
        open.table.party.iter().map(of).sum()
    }

    fn count_glory(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let glory = self.icon_glory(&p.open);
        self.gain_glory(p, Side::Crusader, glory);
        let side = if glory < 0 { Side::Muslim } else { Side::Crusader };
        umpire.note(
            Readers::ALL,
            rule!("5.4e"),
            format_args!("Open Glory icons bring {} {} Glory", side.name(), glory.abs()),
        );
        umpire.cite(rule!("glossary.glory"));
        umpire.cite(rule!("glossary.region"));
    }

    /// The round marker advances, or the game ends [5.6].
    fn next_period(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("5.6"));
        if p.open.period == p.open.table.last {
            self.begin_reveals(p, umpire);
            return;
        }
        p.open.period += 1;
        let left = p
            .open
            .armies(Side::Crusader)
            .iter()
            .filter(|army| {
                let comes = |c: &crate::data::Cargo| c.army == *army && c.period == p.open.period;
                self.components.cargo.iter().any(comes)
            })
            .collect();
        p.open.agenda.replace(Step::Land { left, now: None, first: None });
    }

    /// The open ports where an army stands, but for the one that its ship has used.
    fn own_ports(&self, open: &Open, army: Army, first: Option<Region>) -> Set<Region> {
        let own = |r: &Region| Some(*r) != first && self.ports(open, *r) > 0 && self.presence(open, *r, army);
        (self.components.ports & open.table.ground).iter().filter(own).collect()
    }

    /// The ports in which an army may land: those that hold the whole ship, if any does [5.7].
    fn havens(&self, open: &Open, army: Army, first: Option<Region>) -> Set<Region> {
        let own = self.own_ports(open, army, first);
        let mut whole = open.cargo;
        whole.add(&open.kept);
        let holds_all: Set<Region> = own.iter().filter(|r| self.fits(open, *r, &whole)).collect();
        if holds_all.any() {
            return holds_all;
        }
        let some =
            |r: &Region| open.cargo.kinds().any(|piece| self.room(open, *r, self.shape_of(open, piece)) > 0);
        own.iter().filter(some).collect()
    }

    /// The pieces that may stay aboard while others land: where no port holds all, those that a second port has room
    /// for, and of those for whom there is no room anywhere the ones that their player gives up [5.7].
    fn keepable(&self, open: &Open, army: Army, first: Option<Region>) -> impl Iterator<Item = Piece> {
        let ports = self.havens(open, army, first);
        let mut whole = open.cargo;
        whole.add(&open.kept);
        let splits = open.cargo.size() > 1 && !ports.iter().any(|r| self.fits(open, r, &whole));
        let may = move |piece: Piece| {
            let shape = self.shape_of(open, piece);
            let room = |ports: Set<Region>, shape: Shape| {
                ports.iter().map(|r| self.room(open, r, shape)).max().unwrap_or(0)
            };
            let others = self.own_ports(open, army, first);
            let mut rest = open.cargo;
            rest.take(piece);
            let lands = |piece: Piece| room(others, self.shape_of(open, piece)) > 0;
            if !rest.kinds().any(lands) {
                return false;
            }
            let second = first.is_none()
                && others.len() > 1
                && self.of_shape(open, &open.kept, shape) < room(others, shape);
            let alike = open.cargo.kinds().all(|other| other == piece || self.shape_of(open, other) != shape);
            second || !alike && self.of_shape(open, &open.cargo, shape) > room(ports, shape)
        };
        let cargo = open.cargo;
        UNITS
            .into_iter()
            .map(move |unit| Piece::Unit(army.owner(), unit))
            .chain(cargo.leaders.iter().map(Piece::Leader))
            .filter(move |piece| splits && cargo.has(*piece) && may(*piece))
    }

    pub(super) fn list_ports(&self, p: &Position, army: Army, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(Step::Land { first, .. }) = p.open.agenda.now().copied() else { return };
        let havens = self.havens(&p.open, army, first);
        havens.iter().for_each(|port| ballot.allow(Action::Land(port)));
        self.keepable(&p.open, army, first).for_each(|piece| ballot.allow(Action::Leave(piece)));
        if ballot.explains() {
            for port in p.open.table.ground - havens {
                let why = if Some(port) == first {
                    "the ship was there: what is left goes to another port"
                } else {
                    "it is no open port with own presence and room for the ship"
                };
                ballot.refuse(Action::Land(port), rule!("5.7"), format_args!("{why}"));
            }
            for piece in p.open.cargo.kinds() {
                if !self.keepable(&p.open, army, first).any(|other| other == piece) {
                    ballot.refuse(
                        Action::Leave(piece),
                        rule!("5.7"),
                        format_args!(
                            "it stays aboard only if the ship is split and another port has room for it"
                        ),
                    );
                }
            }
        }
    }

    pub(super) fn land(&self, p: &mut Position, port: Region, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(Step::Land { left, now: Some(army), first }) = p.open.agenda.now().copied() else { return };
        let mut cargo = p.open.cargo;
        let before = cargo;
        self.unload(&mut p.open, &mut cargo, port);
        p.open.cargo = cargo;
        let kept = std::mem::take(&mut p.open.kept);
        p.open.cargo.add(&kept);
        if umpire.writes() {
            let mut landed = before;
            landed.subtract(&cargo);
            let (what, place) = (self.force_words(&p.open, &landed), self.components.place(port));
            umpire.note(
                Readers::ALL,
                rule!("5.7"),
                format_args!("In {place} lands for {}: {what}", self.components.army(army)),
            );
        }
        if first.is_some() || p.open.cargo.is_empty() {
            self.sail_away(p, army, left, umpire);
        } else {
            p.open.agenda.replace(Step::Land { left, now: Some(army), first: Some(port) });
        }
    }

    /// The ship leaves; whoever is still aboard is lost [5.7].
    fn sail_away(&self, p: &mut Position, army: Army, left: Set<Army>, umpire: &mut (impl Umpire + ?Sized)) {
        let lost = std::mem::take(&mut p.open.cargo);
        if !lost.is_empty() && umpire.writes() {
            let (who, what) = (self.components.army(army), self.force_words(&p.open, &lost));
            umpire.note(
                Readers::ALL,
                rule!("5.7"),
                format_args!("What finds no port of {who} is lost: {what}"),
            );
        }
        p.open.agenda.replace(Step::Land { left, now: None, first: None });
    }

    pub(super) fn landing(
        &self,
        p: &mut Position,
        left: Set<Army>,
        now: Option<Army>,
        first: Option<Region>,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let Some(army) = now else {
            match p.open.ahead(left) {
                None => self.end_round(p, umpire),
                Some(army) => {
                    umpire.cite(rule!("5.7"));
                    let period = p.open.period;
                    p.open.cargo = self.load(&mut p.open, army, period);
                    let step = Step::Land { left: left.without(army), now: Some(army), first: None };
                    p.open.agenda.replace(step);
                }
            }
            return false;
        };
        let havens = self.havens(&p.open, army, first);
        if p.open.cargo.is_empty() || havens.is_empty() {
            let kept = std::mem::take(&mut p.open.kept);
            p.open.cargo.add(&kept);
            self.sail_away(p, army, left, umpire);
            return false;
        }
        match havens.single() {
            Some(port) if self.keepable(&p.open, army, first).next().is_none() => {
                self.land(p, port, umpire);
                false
            }
            _ => true,
        }
    }

    /// New cards, the initiative, command points; and the next round [5.8 to 5.10].
    fn end_round(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("5.8"));
        self.draw_treaty(&mut p.open, umpire);
        umpire.cite(rule!("5.9"));
        self.draw_mission(&mut p.open, umpire);
        p.open.initiative.rotate_right(1);
        p.open.cards = Set::NONE;
        for army in p.open.table.party {
            p.open.command[army] = self.track(&p.open, army, Icon::Command);
        }
        if umpire.writes() {
            let first = self.components.army(p.open.at_turn(0));
            umpire.note(Readers::ALL, rule!("5.10"), format_args!("{first} has the initiative now"));
        }
        self.begin_round(p, umpire);
    }

    /// Orders of an army that it has bought.
    pub(crate) fn bought_by(&self, open: &Open, army: Army) -> Set<Order> {
        Order::all().filter(|o| open.bought.has(*o) && self.components.orders[*o].army == army).collect()
    }
}
