//! Phases 4 and 6: owners of ships write their orders at once and in secret, all sail, groups go aboard and ashore;
//! ships of enemies in one hex fight round by round; a blockade [3.72, S12 to S17, S37].

use arrayvec::ArrayVec;
use table::hex::Direction;
use table::{Ballot, MOST_SEATS, Readers, Seat, SeatSet, Umpire, rule};

use super::march::Spot;
use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::campaign::atlas::Soil;
use crate::realm::{
    Building, Group, GroupId, Hull, MapHex, PlaceId, Realm, SHIPS, Sailing, Ship, ShipId, Step, Work,
};

/// The most ships of one lord, those on the stocks included.
const FLEET: usize = SHIPS / MOST_SEATS;

/// What is said between two rounds of a battle at sea.
const FIGHT: u8 = 1;
const FLEE: u8 = 0;

impl Campaign {
    /// Phase 4 begins, if there are ships: their owners are asked, which everybody can see.
    pub(super) fn begin_fleet(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        p.hidden.sailing.clear();
        p.hidden.launches = 0;
        let idle: SeatSet = p.open.playing().iter().filter(|seat| !self.has_fleet(p, *seat)).collect();
        if p.open.playing().minus(idle).is_empty() {
            self.begin_march(p, 0, umpire);
        } else {
            p.open.agenda.replace(Step::Fleet(idle));
        }
    }

    /// Whether a lord has ships, or some on the stocks that are ready.
    pub(crate) fn has_fleet(&self, p: &Realm, seat: Seat) -> bool {
        let ship = |w: &Work| matches!(w.what, Building::Ship(..));
        let ready = |w: &Work| w.lord == seat && ship(w) && w.due <= p.open.turn;
        p.open.ships_of(seat).next().is_some() || p.open.works.iter().any(ready)
    }

    /// What a ship is ordered to do so far.
    pub(crate) fn sailing(&self, p: &Realm, id: ShipId) -> Sailing {
        let nothing = Sailing { ship: id, at: p.open.ship(id).at, spent: 0, loads: None, ashore: None };
        p.hidden.sailing.iter().find(|s| s.ship == id).copied().unwrap_or(nothing)
    }

    fn note_order(p: &mut Realm, order: Sailing) {
        match p.hidden.sailing.iter_mut().find(|s| s.ship == order.ship) {
            Some(before) => *before = order,
            None => p.hidden.sailing.push(order),
        }
    }

    /// Whether ships can be in a hex: the sea, or a port.
    fn is_water(&self, p: &Realm, hex: MapHex) -> bool {
        let tile = self.atlas.tile(hex);
        self.atlas.mapped(p.open.scenario.into(), hex)
            && (tile.soil == Soil::Sea || self.port_at(hex).is_some())
    }

    fn port_at(&self, hex: MapHex) -> Option<PlaceId> {
        let open = |id: &PlaceId| self.atlas.place(*id).port && !self.atlas.place(*id).inland;
        self.atlas.tile(hex).place.filter(open)
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

    /// The room that a group needs aboard: a rider counts three, an animal two, a cart or an engine five \[S12\].
    fn bulk(&self, p: &Realm, group: GroupId) -> u16 {
        let data = &self.tactics().data;
        let rides = |c| data.kind(c).mounted.is_some();
        let men = p.men_in(group).map(|m| if rides(m.who.counter) { self.atlas.rider_room } else { 1 });
        let cargo = &p.hidden.cargo[group.number()];
        let heavy = [cargo.carts, cargo.rams, cargo.mangonels, cargo.trebuchets];
        men.sum::<u16>()
            + u16::from(cargo.mules) * self.atlas.animal_room
            + heavy.into_iter().map(u16::from).sum::<u16>() * self.atlas.engine_room
    }

    /// Whether a group can go aboard a ship; else why not \[S14\].
    fn may_load(&self, p: &Realm, seat: Seat, id: ShipId, group: GroupId) -> Result<(), &'static str> {
        let (ship, plan, g) = (p.open.ship(id), self.sailing(p, id), p.open.group(group));
        let near =
            g.at == ship.at || self.atlas.tile(ship.at).soil == Soil::Sea && g.at.distance(ship.at) == 1;
        let taken = p.hidden.sailing.iter().any(|s| s.loads == Some(group));
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
        } else if g.pinned {
            Err("a battle holds it where it is")
        } else if self.bulk(p, group) > self.atlas.hulls[ship.kind as usize].room {
            Err("there is no room for all of it: a rider counts three, an animal two, an engine five")
        } else {
            Ok(())
        }
    }

    /// Where the group aboard would go ashore; else why it cannot \[S14\].
    fn may_land(&self, p: &Realm, id: ShipId, way: Option<Direction>) -> Result<MapHex, &'static str> {
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
        to.filter(dry).ok_or("there is no shore")
    }

    pub(super) fn list_fleet(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Done);
        self.list_launches(p, seat, ballot);
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
                match self.may_land(p, id, way) {
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
                    Self::note_order(p, Sailing { at: to, spent: plan.spent + 1, ..plan });
                }
            }
            Action::Load(id, group) => {
                let plan = self.sailing(p, id);
                Self::note_order(p, Sailing { loads: Some(group), ..plan });
            }
            Action::Land(id, way) => {
                if let Ok(to) = self.may_land(p, id, way) {
                    let plan = self.sailing(p, id);
                    Self::note_order(p, Sailing { ashore: Some(to), ..plan });
                }
            }
            Action::Launch(place) => p.hidden.launches |= self.ready_works(p, seat, place),
            _ => {}
        }
    }

    /// All orders are written: all ships sail \[S13\].
    pub(super) fn sail_all(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        let orders = std::mem::take(&mut p.hidden.sailing);
        let mut landed_at: ArrayVec<(Seat, MapHex), SHIPS> = ArrayVec::new();
        for i in 0..p.open.ships.len() {
            let plan = orders.iter().find(|s| s.ship.number() == i);
            let (Some(plan), Some(ship)) = (plan, p.open.ships[i]) else { continue };
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
                landed_at.push((ship.lord, to));
            }
        }
        self.launch_into_blockade(p, umpire);
        for (lord, hex) in landed_at {
            self.fight_on_the_shore(p, lord, hex, umpire);
        }
        self.begin_march(p, 0, umpire);
    }

    /// Who lands where strangers stand before the walls will fight them, with the sea behind him \[S14\].
    fn fight_on_the_shore(
        &self,
        p: &mut Realm,
        lord: Seat,
        hex: MapHex,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        for other in p.open.lords_at(hex).without(lord).iter() {
            let outside = p.open.groups_of(other).any(|(_, g)| g.is_ashore(hex) && !g.inside);
            if outside && !self.friends(p, lord, other) && !self.fought_over(p, hex, lord, other) {
                umpire.cite(rule!("S14"));
                self.declare_battle(p, hex, lord, other, umpire);
            }
        }
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

    pub(super) fn both_at_sea(&self, p: &Realm, hex: MapHex, lords: [Seat; 2]) -> bool {
        lords.iter().all(|lord| self.fleet_at(p, *lord, hex) > 0)
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
    /// one at least, of its own choice. Whether somebody is asked now \[S15\].
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
            let count = usize::from((totals[0].abs_diff(totals[1]) / 4).max(1));
            if count < self.fleet_at(p, loser, hex) && !self.ships_alike(p, loser, hex) {
                let loser = u8::from(totals[0] > totals[1]);
                p.open.agenda.replace(Step::Losses { hex, lords, loser, count: count as u8 });
                return true;
            }
            for _ in 0..count {
                self.sink_one(p, loser, hex, umpire);
            }
            self.raise_heirs(p, umpire);
        }
        self.both_at_sea(p, hex, lords)
    }

    /// Whether it is all the same which ship of a lord in a hex is lost.
    fn ships_alike(&self, p: &Realm, lord: Seat, hex: MapHex) -> bool {
        let here = || p.open.ships_of(lord).filter(|(_, s)| s.at == hex);
        let first = here().next().map(|(_, s)| s.kind);
        here().all(|(id, s)| Some(s.kind) == first && p.open.aboard(id).is_none())
    }

    pub(super) fn list_losses(
        &self,
        p: &Realm,
        seat: Seat,
        hex: MapHex,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for (id, ship) in p.open.all_ships() {
            if ship.lord == seat && ship.at == hex {
                ballot.allow(Action::Sink(id));
            } else {
                ballot.refuse(
                    Action::Sink(id),
                    rule!("S15"),
                    format_args!("it is no ship of yours in this battle"),
                );
            }
        }
    }

    /// The loser of a round has chosen a ship.
    pub(super) fn choose_loss(&self, p: &mut Realm, id: ShipId, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Losses { hex, lords, loser, count } = p.open.step() else { return };
        self.sink(p, id, umpire);
        if count > 1 {
            p.open.agenda.replace(Step::Losses { hex, lords, loser, count: count - 1 });
            return;
        }
        p.open.agenda.replace(Step::Naval { hex, lords, said: SeatSet::NONE });
        self.raise_heirs(p, umpire);
        if !self.both_at_sea(p, hex, lords) {
            self.next_naval(p, umpire);
        }
    }

    /// A lord loses a ship where he has no choice: an empty transport first, then those with men aboard, then warships.
    fn sink_one(&self, p: &mut Realm, lord: Seat, hex: MapHex, umpire: &mut (impl Umpire + ?Sized)) {
        let here = p.open.ships_of(lord).filter(|(_, s)| s.at == hex);
        let first = here.min_by_key(|(id, s)| (s.kind, p.open.aboard(*id).is_some(), *id));
        if let Some(id) = first.map(|(id, _)| id) {
            self.sink(p, id, umpire);
        }
    }

    /// A ship goes down with all that it carries \[S17\].
    fn sink(&self, p: &mut Realm, id: ShipId, umpire: &mut (impl Umpire + ?Sized)) {
        let Ship { lord, kind, .. } = *p.open.ship(id);
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

    /// Between two rounds both say whether they fight on; who flees loses a transport, or else a warship \[S15\].
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
        self.sink_one(p, lord, hex, umpire);
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
        let ship = |w: &&Work| w.lord == seat && matches!(w.what, Building::Ship(..));
        let works = p.open.works.iter().filter(ship).count();
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
                } else if self.atlas.place(id).inland {
                    "the sea of this port lies off the map"
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
        p.open.works.push(Work { lord: seat, what: Building::Ship(kind, place), due });
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

    /// The works of a lord that are ready in a port, a bit each.
    fn ready_works(&self, p: &Realm, seat: Seat, place: PlaceId) -> u64 {
        let ready = |w: &Work| {
            let here = matches!(w.what, Building::Ship(_, at) if at == place);
            w.lord == seat && here && w.due <= p.open.turn
        };
        let ready = p.open.works.iter().enumerate().filter(|(_, w)| ready(w));
        ready.fold(0, |mask, (i, _)| mask | 1 << i)
    }

    /// Ships that are ready wait on the stocks while their port is blockaded, until their lord launches them [3.75].
    fn list_launches(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for id in (0..p.open.places.len()).map(PlaceId::at) {
            let ready = self.ready_works(p, seat, id);
            if ready & !p.hidden.launches != 0 {
                ballot.allow(Action::Launch(id));
            } else if ballot.explains() {
                let why = format_args!("no ship of yours is ready there");
                ballot.refuse(Action::Launch(id), rule!("3.75"), why);
            }
        }
    }

    fn launch_into_blockade(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let launches = std::mem::take(&mut p.hidden.launches);
        for i in (0..p.open.works.len()).rev().filter(|i| launches >> i & 1 == 1) {
            umpire.cite(rule!("3.75"));
            self.launch(p, i, umpire);
        }
    }

    /// Ships that are ready are launched, unless their port is blockaded \[S37\].
    pub(super) fn launch_ships(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for i in (0..p.open.works.len()).rev() {
            let work = p.open.works[i];
            let Building::Ship(kind, place) = work.what else {
                continue;
            };
            if work.due > p.open.turn {
                continue;
            }
            if !self.blockaded(p, place, work.lord) {
                self.launch(p, i, umpire);
            } else if work.due == p.open.turn {
                umpire.note(
                    Readers::ALL,
                    rule!("3.75"),
                    format_args!(
                        "A {} of {} waits on the stocks of {}: the port is blockaded",
                        kind.word(),
                        self.lord_name(work.lord),
                        self.atlas.place(place).name
                    ),
                );
            }
        }
    }

    fn launch(&self, p: &mut Realm, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let work = p.open.works.remove(i);
        let Building::Ship(kind, place) = work.what else { return };
        let ship = Some(Ship { lord: work.lord, kind, at: self.hex_of(&p.open, place) });
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
                kind.word(),
                self.lord_name(work.lord),
                self.atlas.place(place).name
            ),
        );
    }

    /// Whether a group can march by land in this turn, as everybody sees it.
    pub(super) fn is_fresh(group: &Group) -> bool {
        !group.moved && !group.pinned && group.aboard.is_none()
    }
}
