//! Phases 4 and 6: owners of ships write their orders at once and in secret, all sail, groups go aboard and ashore;
//! ships of enemies in one hex fight round by round; a blockade [3.72, S12 to S17, S37].

use table::hex::Direction;
use table::{Ballot, MOST_SEATS, Readers, Seat, SeatSet, Umpire, rule};

use super::march::Spot;
use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::campaign::atlas::Soil;
use crate::realm::{Group, GroupId, Hull, MapHex, PlaceId, Realm, SHIPS, Sailing, Ship, ShipId, Step, Work};

/// The most ships of one lord, those on the stocks included.
const FLEET: usize = SHIPS / MOST_SEATS;

/// What is said between two rounds of a battle at sea.
const FIGHT: u8 = 1;
const FLEE: u8 = 0;

impl Campaign {
    /// Phase 4 begins, if there are ships: their owners are asked, which everybody can see.
    pub(super) fn begin_fleet(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        p.hidden.sailing = [None; SHIPS];
        let idle = p.open.playing().iter().filter(|seat| p.open.ships_of(*seat).next().is_none());
        let idle: SeatSet = idle.collect();
        if p.open.playing().minus(idle).is_empty() {
            self.begin_march(p, 0, umpire);
        } else {
            p.open.agenda.replace(Step::Fleet(idle));
        }
    }

    /// What a ship is ordered to do so far.
    pub(crate) fn sailing(&self, p: &Realm, id: ShipId) -> Sailing {
        let nothing = Sailing { at: p.open.ship(id).at, spent: 0, loads: None, ashore: None };
        p.hidden.sailing[id.number()].unwrap_or(nothing)
    }

    /// Whether ships can be in a hex: the sea, or a port.
    fn is_water(&self, p: &Realm, hex: MapHex) -> bool {
        let tile = self.atlas.tile(hex);
        self.atlas.mapped(p.open.scenario.into(), hex)
            && (tile.soil == Soil::Sea || self.port_at(hex).is_some())
    }

    fn port_at(&self, hex: MapHex) -> Option<PlaceId> {
        self.atlas.tile(hex).place.filter(|id| self.atlas.place(*id).port)
    }

    /// Whether a ship can sail from one hex to the next; else why not \[S12\].
    fn may_sail(&self, p: &Realm, id: ShipId, way: Direction) -> Result<MapHex, &'static str> {
        let plan = self.sailing(p, id);
        let Some(to) = plan.at.neighbour(way).filter(|to| self.is_water(p, *to)) else {
            return Err("ships keep to the sea and to ports of this map");
        };
        if self.atlas.tile(plan.at).soil != Soil::Sea && self.atlas.tile(to).soil != Soil::Sea {
            return Err("there is no water between them");
        }
        if plan.ashore.is_some() {
            return Err("it lands its men where it is");
        }
        if plan.spent >= self.atlas.hulls[p.open.ship(id).kind as usize].speed {
            return Err("it cannot sail further");
        }
        Ok(to)
    }

    /// The room that a group needs aboard: a rider counts three \[S12\].
    fn bulk(&self, p: &Realm, group: GroupId) -> u16 {
        let data = &self.tactics().data;
        let rides = |c| data.kind(c).mounted.is_some();
        let men = p.men_in(group).map(|m| if rides(m.who.counter) { self.atlas.rider_room } else { 1 });
        men.sum::<u16>() + u16::from(p.hidden.cargo[group.number()].mules) * self.atlas.rider_room
    }

    /// Whether a group can go aboard a ship; else why not \[S14\].
    fn may_load(&self, p: &Realm, seat: Seat, id: ShipId, group: GroupId) -> Result<(), &'static str> {
        let (ship, plan, g) = (p.open.ship(id), self.sailing(p, id), p.open.group(group));
        let cargo = &p.hidden.cargo[group.number()];
        let near =
            g.at == ship.at || self.atlas.tile(ship.at).soil == Soil::Sea && g.at.distance(ship.at) == 1;
        let taken = (0..SHIPS).any(|i| p.hidden.sailing[i].is_some_and(|s| s.loads == Some(group)));
        if g.aboard.is_some() || taken {
            Err("it is aboard a ship")
        } else if !near {
            Err("it does not stand where the ship can fetch it")
        } else if plan.loads.is_some() || p.open.aboard(id).is_some() {
            Err("a ship takes one group")
        } else if plan.spent > 0 {
            Err("the ship has put to sea")
        } else if g.inside && self.shut_in(p, seat, g.at) && self.port_at(g.at).is_none() {
            Err("the besiegers hold the gates")
        } else if cargo.carts > 0 {
            Err("carts stay ashore")
        } else if self.bulk(p, group) > self.atlas.hulls[ship.kind as usize].room {
            Err("there is no room for so many: a rider counts three")
        } else {
            Ok(())
        }
    }

    /// Where the group aboard would go ashore; else why it cannot \[S14\].
    fn may_land(
        &self,
        p: &Realm,
        seat: Seat,
        id: ShipId,
        way: Option<Direction>,
    ) -> Result<MapHex, &'static str> {
        let plan = self.sailing(p, id);
        if plan.loads.is_none() && p.open.aboard(id).is_none() {
            return Err("nobody is aboard");
        }
        if plan.ashore.is_some() {
            return Err("they have their orders");
        }
        let to = match way {
            None => Some(plan.at).filter(|hex| self.port_at(*hex).is_some()),
            Some(way) if self.atlas.tile(plan.at).soil == Soil::Sea => plan.at.neighbour(way),
            Some(_) => None,
        };
        let dry = |hex: &MapHex| {
            self.atlas.mapped(p.open.scenario.into(), *hex)
                && !matches!(self.atlas.tile(*hex).soil, Soil::Sea | Soil::Lake)
        };
        let Some(to) = to.filter(dry) else { return Err("there is no shore") };
        if p.open.lords_at(to).without(seat).iter().any(|other| !self.friends(p, seat, other)) {
            return Err("other lords stand on that shore");
        }
        Ok(to)
    }

    pub(super) fn list_fleet(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Done);
        for (id, ship) in p.open.all_ships() {
            if ship.lord != seat {
                if ballot.explains() {
                    for way in Direction::ALL {
                        let why = format_args!("it is another lord’s ship");
                        ballot.refuse(Action::Sail(id, way), rule!("S13"), why);
                    }
                }
                continue;
            }
            for way in Direction::ALL {
                match self.may_sail(p, id, way) {
                    Ok(_) => ballot.allow(Action::Sail(id, way)),
                    Err(why) => ballot.refuse(Action::Sail(id, way), rule!("S12"), format_args!("{why}")),
                }
            }
            for (group, _) in p.open.groups_of(seat) {
                match self.may_load(p, seat, id, group) {
                    Ok(()) => ballot.allow(Action::Load(id, group)),
                    Err(why) => ballot.refuse(Action::Load(id, group), rule!("S14"), format_args!("{why}")),
                }
            }
            for way in std::iter::once(None).chain(Direction::ALL.map(Some)) {
                match self.may_land(p, seat, id, way) {
                    Ok(_) => ballot.allow(Action::Land(id, way)),
                    Err(why) => ballot.refuse(Action::Land(id, way), rule!("S14"), format_args!("{why}")),
                }
            }
        }
    }

    /// An order for a ship: nobody else learns of it before all sail \[S13\].
    pub(super) fn order_ship(&self, p: &mut Realm, seat: Seat, action: Action) {
        match action {
            Action::Sail(id, way) => {
                if let Ok(to) = self.may_sail(p, id, way) {
                    let plan = self.sailing(p, id);
                    p.hidden.sailing[id.number()] = Some(Sailing { at: to, spent: plan.spent + 1, ..plan });
                }
            }
            Action::Load(id, group) => {
                let plan = self.sailing(p, id);
                p.hidden.sailing[id.number()] = Some(Sailing { loads: Some(group), ..plan });
            }
            Action::Land(id, way) => {
                if let Ok(to) = self.may_land(p, seat, id, way) {
                    let plan = self.sailing(p, id);
                    p.hidden.sailing[id.number()] = Some(Sailing { ashore: Some(to), ..plan });
                }
            }
            _ => {}
        }
    }

    /// All orders are written: all ships sail \[S13\].
    pub(super) fn sail_all(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        for i in 0..p.open.ships.len() {
            let (Some(plan), Some(ship)) = (p.hidden.sailing[i].take(), p.open.ships[i]) else { continue };
            let id = ShipId::at(i);
            if let Some(group) = plan.loads {
                let group = p.open.group_mut(group);
                (group.aboard, group.inside) = (Some(id), false);
            }
            if let Some(ship) = &mut p.open.ships[i] {
                ship.at = plan.at;
            }
            if plan.spent > 0 {
                umpire.note(
                    Readers::ALL,
                    rule!("S13"),
                    format_args!(
                        "A {} of {} sails to {}",
                        ship.kind.word(),
                        self.lord_name(ship.lord),
                        Spot(self, plan.at)
                    ),
                );
            }
            let Some(group) = p.open.aboard(id) else { continue };
            let to = plan.ashore.unwrap_or(plan.at);
            let landed = plan.ashore.is_some();
            let home = landed && self.is_friendly(p, ship.lord, to) && !self.shut_in(p, ship.lord, to);
            let g = p.open.group_mut(group);
            g.at = to;
            if landed {
                g.aboard = None;
                g.inside = home;
            }
            // Who lands in a friendly port may still march.
            g.moved = !(home && self.port_at(to).is_some());
            umpire.note(
                Readers::ALL,
                rule!("S14"),
                format_args!(
                    "Group {} of {} {} {}",
                    group.number() + 1,
                    self.lord_name(ship.lord),
                    if landed { "goes ashore at" } else { "is aboard at" },
                    Spot(self, to)
                ),
            );
            if landed {
                self.look_around(p, to, umpire);
            }
        }
        self.begin_march(p, 0, umpire);
    }

    /// Whether an enemy's ship lies in the port of a lord \[S16\].
    pub(crate) fn blockaded(&self, p: &Realm, id: PlaceId, lord: Seat) -> bool {
        let (sheet, enemy) =
            (self.atlas.place(id), |s: &Ship| s.lord != lord && !self.friends(p, s.lord, lord));
        sheet.port && p.open.all_ships().any(|(_, s)| s.at == sheet.hex && enemy(s))
    }

    /// Phase 6: ships of enemies in one hex fight \[S15\]; when none are left, battles on land.
    pub(super) fn next_naval(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        loop {
            if matches!(p.open.step(), Step::Heir(_)) {
                return;
            }
            let Some((hex, lords)) = self.enemies_at_sea(p) else { break };
            p.open.agenda.replace(Step::Naval { hex, lords, said: SeatSet::NONE });
            umpire.reveal(Readers::ALL);
            umpire.heading(format_args!(
                "A battle at sea: {} against {} at {}",
                self.lord_name(lords[0]),
                self.lord_name(lords[1]),
                Spot(self, hex)
            ));
            for lord in lords {
                p.open.lords[lord.index()].fought = true;
            }
            if self.naval_round(p, hex, lords, umpire) {
                return;
            }
        }
        self.begin_battles(p, umpire);
    }

    fn enemies_at_sea(&self, p: &Realm) -> Option<(MapHex, [Seat; 2])> {
        for (_, ship) in p.open.all_ships() {
            let foe =
                |s: &Ship| s.at == ship.at && s.lord != ship.lord && !self.friends(p, ship.lord, s.lord);
            if let Some((_, other)) = p.open.all_ships().find(|(_, s)| foe(s)) {
                return Some((ship.at, [ship.lord, other.lord]));
            }
        }
        None
    }

    fn fleet_at(&self, p: &Realm, lord: Seat, hex: MapHex) -> usize {
        p.open.ships_of(lord).filter(|(_, s)| s.at == hex).count()
    }

    /// Both roll and add the strength of their ships; the lower side loses a ship for each four points of difference,
    /// one at least. Whether both have ships left \[S15\].
    fn naval_round(
        &self,
        p: &mut Realm,
        hex: MapHex,
        lords: [Seat; 2],
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let strength = |lord: Seat| -> u16 {
            let own = p.open.ships_of(lord).filter(|(_, s)| s.at == hex);
            own.map(|(_, s)| self.atlas.hulls[s.kind as usize].strength).sum()
        };
        let strengths = lords.map(strength);
        let totals = strengths.map(|s| s + u16::from(umpire.roll(10)));
        umpire.note(
            Readers::ALL,
            rule!("S15"),
            format_args!(
                "{} has {} at sea, {} has {}",
                self.lord_name(lords[0]),
                totals[0],
                self.lord_name(lords[1]),
                totals[1]
            ),
        );
        if totals[0] != totals[1] {
            let loser = lords[usize::from(totals[0] > totals[1])];
            for _ in 0..(totals[0].abs_diff(totals[1]) / 4).max(1) {
                self.sink_one(p, loser, hex, false, umpire);
            }
            self.raise_heirs(p, umpire);
        }
        lords.iter().all(|lord| self.fleet_at(p, *lord, hex) > 0)
    }

    /// A lord loses a ship: empty transports first, then warships, those with men aboard last \[S15, S17\].
    fn sink_one(
        &self,
        p: &mut Realm,
        lord: Seat,
        hex: MapHex,
        transport: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let fits = |s: &Ship| s.at == hex && (!transport || s.kind == Hull::Transport);
        let here = p.open.ships_of(lord).filter(|(_, s)| fits(s));
        let first = here.min_by_key(|(id, s)| (p.open.aboard(*id).is_some(), s.kind, *id));
        let Some((id, kind)) = first.map(|(id, s)| (id, s.kind)) else { return };
        let aboard = p.open.aboard(id);
        p.open.ships[id.number()] = None;
        umpire.note(
            Readers::ALL,
            rule!("S17"),
            format_args!("A {} of {} is sunk with all that it carries", kind.word(), self.lord_name(lord)),
        );
        let Some(group) = aboard else { return };
        for n in p.slots(lord) {
            if p.hidden.men[n].lord.is_some() && p.hidden.men[n].group == Some(group) {
                self.lose_man(p, n);
            }
        }
        self.recount(p, group, true);
    }

    /// Where the ships of a lord can flee to: the next hex of water without enemies.
    fn sea_room(&self, p: &Realm, lord: Seat, hex: MapHex) -> Option<MapHex> {
        let water = |to: &MapHex| {
            let sea = |hex| self.atlas.tile(hex).soil == Soil::Sea;
            self.is_water(p, *to) && (sea(hex) || sea(*to))
        };
        let calm = |to: &MapHex| {
            p.open.all_ships().all(|(_, s)| s.at != *to || s.lord == lord || self.friends(p, lord, s.lord))
        };
        Direction::ALL.into_iter().filter_map(|d| hex.neighbour(d)).filter(water).find(calm)
    }

    pub(super) fn list_naval(
        &self,
        p: &Realm,
        seat: Seat,
        hex: MapHex,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Fight);
        if self.sea_room(p, seat, hex).is_some() {
            ballot.allow(Action::Flee);
        } else {
            ballot.refuse(Action::Flee, rule!("S15"), format_args!("no water is open to you"));
        }
    }

    /// Between two rounds both say whether they fight on; who flees loses a transport \[S15\].
    pub(super) fn say_at_sea(
        &self,
        p: &mut Realm,
        seat: Seat,
        fight: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Step::Naval { hex, lords, said } = p.open.step() else { return };
        p.hidden.said[seat.index()] = Some(if fight { FIGHT } else { FLEE });
        let said = said.with(seat);
        p.open.agenda.replace(Step::Naval { hex, lords, said });
        if said.len() < 2 {
            return;
        }
        umpire.reveal(Readers::ALL);
        let answers = lords.map(|lord| p.hidden.said[lord.index()].take());
        if answers == [Some(FIGHT); 2] {
            p.open.agenda.replace(Step::Naval { hex, lords, said: SeatSet::NONE });
            if self.naval_round(p, hex, lords, umpire) {
                return;
            }
        } else {
            for (lord, answer) in lords.into_iter().zip(answers) {
                if answer == Some(FLEE) {
                    self.flee(p, lord, hex, umpire);
                }
            }
            self.raise_heirs(p, umpire);
        }
        self.next_naval(p, umpire);
    }

    fn flee(&self, p: &mut Realm, lord: Seat, hex: MapHex, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(to) = self.sea_room(p, lord, hex) else { return };
        umpire.note(
            Readers::ALL,
            rule!("S15"),
            format_args!("{} flees from the battle at sea", self.lord_name(lord)),
        );
        if p.open.ships_of(lord).any(|(_, s)| s.at == hex && s.kind == Hull::Transport) {
            self.sink_one(p, lord, hex, true, umpire);
        }
        for i in 0..p.open.ships.len() {
            let Some(ship) = p.open.ships[i].filter(|s| s.lord == lord && s.at == hex) else { continue };
            p.open.ships[i] = Some(Ship { at: to, ..ship });
            if let Some(group) = p.open.aboard(ShipId::at(i)) {
                p.open.group_mut(group).at = to;
            }
        }
    }

    /// Which ships a lord can build, and where [3.75].
    pub(super) fn list_ships(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let works = p.open.works.iter().filter(|w| w.lord == seat).count();
        let many = p.open.ships_of(seat).count() + works >= FLEET;
        let funds = self.funds(p, seat);
        for id in (0..p.open.places.len()).map(PlaceId::at) {
            if !p.open.place(id).mapped {
                continue;
            }
            for (_, kind) in Hull::ALL {
                let action = Action::Build(kind, id);
                let refused = if p.open.place(id).lord() != Some(seat) || !self.atlas.place(id).port {
                    "ships are built in a port of your own"
                } else if p.open.siege(id).is_some() {
                    "the port is besieged"
                } else if u32::from(self.atlas.hulls[kind as usize].price) > funds {
                    "your purses do not hold so much"
                } else if many || p.open.works.is_full() {
                    "you have ships enough"
                } else {
                    ballot.allow(action);
                    continue;
                };
                if ballot.explains() {
                    ballot.refuse(action, rule!("3.75"), format_args!("{refused}"));
                }
            }
        }
    }

    /// A ship is put on the stocks: it is launched five turns later \[S37\].
    pub(super) fn build_ship(
        &self,
        p: &mut Realm,
        seat: Seat,
        kind: Hull,
        place: PlaceId,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        self.spend(p, seat, self.atlas.hulls[kind as usize].price.into());
        let due = p.open.turn + self.atlas.ship_turns;
        p.open.works.push(Work { lord: seat, kind, place, due });
        umpire.note(
            Readers::ALL,
            rule!("3.75"),
            format_args!(
                "{} builds a {} at {}",
                self.lord_name(seat),
                kind.word(),
                self.atlas.place(place).name
            ),
        );
    }

    /// Ships that are ready are launched \[S37\].
    pub(super) fn launch_ships(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let mut i = 0;
        while i < p.open.works.len() {
            let work = p.open.works[i];
            if work.due > p.open.turn {
                i += 1;
                continue;
            }
            p.open.works.remove(i);
            let ship = Some(Ship { lord: work.lord, kind: work.kind, at: self.atlas.place(work.place).hex });
            match p.open.ships.iter().position(Option::is_none) {
                Some(slot) => p.open.ships[slot] = ship,
                None => {
                    let _ = p.open.ships.try_push(ship);
                }
            }
            umpire.note(
                Readers::ALL,
                rule!("S37"),
                format_args!(
                    "A {} of {} is launched at {}",
                    work.kind.word(),
                    self.lord_name(work.lord),
                    self.atlas.place(work.place).name
                ),
            );
        }
    }

    /// Whether a group can march by land in this turn, as everybody sees it.
    pub(super) fn is_fresh(group: &Group) -> bool {
        !group.moved && !group.pinned && group.aboard.is_none()
    }
}
