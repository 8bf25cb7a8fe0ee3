//! Sieges: who besieges what, garrisons, three days a turn with rations and initiative, battering, parley, assault,
//! sorties, and what becomes of a place that is taken [3.45, 3.47, table.4 to table.6, S24 to S33].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use super::battles::Army;
use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::campaign::atlas::{Kind, hired};
use crate::data::AssaultSheet;
use crate::field::{Chief, Fate, Field};
use crate::ids::{Man as FieldMan, Side};
use crate::realm::{
    MajorId, Pact, Pending, PlaceId, Quick, Realm, Siege, Stage, Step, Theatre, Watchman, What, side_of,
};

impl Campaign {
    /// Phase 8 begins: sieges that nobody keeps up are raised, then all say what they besiege.
    pub(super) fn begin_calls(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        self.raise_sieges(p, umpire);
        p.open.ladies.suitors = [None; 16];
        p.open.sued = SeatSet::NONE;
        let idle = self.idle_before_walls(p);
        p.open.agenda.replace(Step::Calls(idle));
        if p.open.playing().minus(idle).is_empty() {
            self.end_calls(p, umpire);
        }
    }

    /// Who is asked for nothing before sieges: whoever neither stands before walls that are not his own, nor has a suit
    /// that he can make at once, for nobody else is where he is. Everybody can see that.
    pub(crate) fn idle_before_walls(&self, p: &Realm) -> SeatSet {
        let stands = |seat: Seat| {
            p.open.groups_of(seat).any(|(_, g)| {
                self.place_at(&p.open, g.at).is_some_and(|id| {
                    !g.inside
                        && p.open.place(id).mapped
                        && p.open.place(id).holder != Some(seat)
                        && p.open.siege(id).is_none()
                })
            })
        };
        let asked = |seat: &Seat| stands(*seat) || self.is_suitor(p, *seat) && self.is_alone(p, *seat);
        p.open.playing().iter().filter(|seat| !asked(seat)).collect()
    }

    /// A lord calls no more sieges. Who called none and shares no hex has made his suits as well \[S34\].
    pub(super) fn call_no_more(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Calls(done) = p.open.step() else { return };
        if self.sues_at_once(p, seat) {
            p.open.sued = p.open.sued.with(seat);
        }
        let done = done.with(seat);
        p.open.agenda.replace(Step::Calls(done));
        if p.open.playing().minus(done).is_empty() {
            self.end_calls(p, umpire);
        }
    }

    /// Whether a lord makes his suits while sieges are called: he keeps up none, and nobody is where he is \[S34\].
    pub(super) fn sues_at_once(&self, p: &Realm, seat: Seat) -> bool {
        self.is_alone(p, seat) && p.open.sieges.iter().all(|s| s.besieger != seat)
    }

    fn end_calls(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for i in 0..p.open.sieges.len() {
            let siege = &p.open.sieges[i];
            let pending = Pending::new(What::Siege(siege.place), [Some(siege.besieger), siege.warden]);
            if !p.open.pending.is_full() {
                p.open.pending.push(pending);
            }
        }
        self.begin_naming(p, Step::Sieges, umpire);
    }

    /// A siege is raised when no group of the besieger is left before the walls \[S32\].
    pub(super) fn raise_sieges(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let mut i = 0;
        while i < p.open.sieges.len() {
            let (place, besieger) = (p.open.sieges[i].place, p.open.sieges[i].besieger);
            let hex = self.hex_of(&p.open, place);
            if p.open.groups_of(besieger).any(|(_, g)| g.is_ashore(hex) && !g.inside) {
                i += 1;
                continue;
            }
            p.open.sieges.remove(i);
            umpire.note(
                Readers::ALL,
                rule!("S32"),
                format_args!("The siege of {} is raised", self.atlas.place(place).name),
            );
        }
    }

    /// Whether a lord may begin a siege; else why not \[S24\].
    fn may_besiege(&self, p: &Realm, seat: Seat, id: PlaceId) -> Result<(), &'static str> {
        let (place, hex) = (p.open.place(id), self.hex_of(&p.open, id));
        if !p.open.groups_of(seat).any(|(_, g)| g.is_ashore(hex) && !g.inside) {
            Err("you have no group before its walls")
        } else if place.holder == Some(seat) {
            Err("it is yours, or your ally")
        } else if place.holder.is_some_and(|holder| p.open.sworn(seat, holder)) {
            Err("a vow binds you to its lord")
        } else if p.open.siege(id).is_some() {
            Err("it is besieged already")
        } else if p.open.sieges.is_full() {
            Err("there are sieges enough")
        } else {
            Ok(())
        }
    }

    pub(super) fn list_calls(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        if self.sues_at_once(p, seat) {
            self.list_suits(p, seat, ballot);
        } else {
            ballot.allow(Action::Done);
        }
        for i in 0..p.open.places.len() {
            let id = PlaceId::at(i);
            match self.may_besiege(p, seat, id) {
                Ok(()) => ballot.allow(Action::Besiege(id)),
                Err(why) if ballot.explains() => {
                    ballot.refuse(Action::Besiege(id), rule!("S24"), format_args!("{why}"));
                }
                Err(_) => {}
            }
        }
    }

    /// Who commands a garrison: its lord or ally; else somebody of its side by lot, else anybody, none an ally of the
    /// besieger; else the house [scenario.8, rulings 8 and 47].
    fn warden(
        &self,
        p: &Realm,
        besieger: Seat,
        id: PlaceId,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> Option<Seat> {
        let place = p.open.place(id);
        if let Some(holder) = place.holder {
            return Some(holder);
        }
        let may = |own: bool| -> SeatSet {
            let others = p.open.playing().without(besieger).iter();
            others
                .filter(|s| !own || place.side == Some(side_of(*s)))
                .filter(|s| !self.friends(p, *s, besieger))
                .collect()
        };
        let list = if may(true).is_empty() { may(false) } else { may(true) };
        if list.is_empty() {
            return None;
        }
        let lot = umpire.draw(Readers::ALL, list.len() as u16, &|n| {
            list.iter().nth(n.into()).map_or(String::new(), |s| self.lord_name(s).to_string())
        });
        list.iter().nth(lot.into())
    }

    pub(super) fn besiege(
        &self,
        p: &mut Realm,
        seat: Seat,
        id: PlaceId,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let sheet = self.atlas.place(id);
        if let Some(holder) = p.open.place(id).holder.filter(|h| p.pact(seat, *h) > Some(Pact::Passage)) {
            self.breach(p, seat, holder, umpire);
        }
        let warden = self.warden(p, seat, id, umpire);
        umpire.reveal(Readers::ALL);
        let side = p.open.place(id).side.unwrap_or(Side::First);
        let template = &self.tactics().data.garrisons[sheet.kind as usize];
        let watchman =
            |c: &crate::ids::Counter| Watchman { counter: *c, life: self.tactics().data.card(*c).life };
        p.open.sieges.push(Siege {
            place: id,
            besieger: seat,
            warden,
            quarters: 4,
            oil: template.oil,
            levied: warden.is_none(),
            damage: 0,
            breaches: 0,
            ramparts: false,
            came: [0; 2],
            garrison: template.men[side.index()].iter().map(watchman).collect(),
        });
        p.hidden.stores[id.number()] = self.atlas.stores[sheet.kind as usize];
        umpire.note(
            Readers::ALL,
            rule!("S24"),
            format_args!(
                "{} besieges {}; {} commands the garrison",
                self.lord_name(seat),
                sheet.name,
                warden.map_or("the house", |w| self.lord_name(w))
            ),
        );
    }

    pub(super) fn open_siege(
        &self,
        p: &mut Realm,
        id: PlaceId,
        deputies: [Option<Seat>; 2],
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(i) = p.open.siege(id) else { return };
        // The ramparts are held until they are retaken, or the turn is over.
        p.open.sieges[i].ramparts = false;
        let siege = &p.open.sieges[i];
        let nobody = [0, 1].map(|n| Chief { man: FieldMan::at(n), command: 0, fame: 0 });
        p.open.theatres.push(Theatre {
            what: What::Siege(id),
            seats: [Some(siege.besieger), siege.warden],
            deputies,
            summoned: 0,
            joined: false,
            stage: Stage::Rations,
            day: 1,
            map: 0,
            roll: Default::default(),
            field: Field::new(1, 1, nobody),
        });
        umpire.heading(format_args!("The siege of {}", self.atlas.place(id).name));
        let at = p.open.theatres.len() - 1;
        // A garrison whose commander is gone stays as the template has it.
        if p.open.sieges[i].levied || p.open.sieges[i].warden.is_none() {
            p.open.sieges[i].levied = true;
            self.begin_day(p, at, umpire);
        } else {
            p.open.theatres[at].stage = Stage::Levy;
        }
    }

    /// Points of a garrison that are left: as many as its template costs [table.5].
    fn posts_left(&self, p: &Realm, i: usize) -> u16 {
        let siege = &p.open.sieges[i];
        let (kind, data) = (self.atlas.place(siege.place).kind, &self.tactics().data);
        let side = p.open.place(siege.place).side.unwrap_or(Side::First);
        let total: u16 =
            data.garrisons[kind as usize].men[side.index()].iter().map(|c| data.card(*c).cost).sum();
        let spent: u16 = siege.garrison.iter().map(|w| data.card(w.counter).cost).sum();
        total.saturating_sub(if siege.levied { spent } else { 0 })
    }

    /// The garrison is called up: as the template has it, or man by man for the same points \[S24\].
    pub(super) fn list_levy(&self, p: &Realm, t: usize, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let What::Siege(id) = p.open.theatres[t].what else { return };
        let Some(i) = p.open.siege(id) else { return };
        let (siege, data) = (&p.open.sieges[i], &self.tactics().data);
        if siege.levied {
            let led = siege.garrison.iter().any(|w| data.kind(w.counter).class <= crate::data::NCO);
            if led {
                ballot.allow(Action::Seal);
            } else {
                ballot.refuse(
                    Action::Seal,
                    rule!("S24"),
                    format_args!("a garrison needs somebody who commands it"),
                );
            }
        } else {
            ballot.allow(Action::Ready);
        }
        let left = self.posts_left(p, i);
        let full = siege.levied && siege.garrison.is_full();
        // The last place is kept for somebody who can command.
        let led =
            siege.levied && siege.garrison.iter().any(|w| data.kind(w.counter).class <= crate::data::NCO);
        let leader = |c: crate::ids::Counter| data.kind(c).class <= crate::data::NCO;
        let side = p.open.place(id).side.unwrap_or(Side::First);
        for counter in hired(data, side) {
            let action = Action::Hire(counter);
            if full || data.card(counter).cost > left {
                ballot.refuse(action, rule!("table.5"), format_args!("its points do not suffice"));
            } else if !led && !leader(counter) {
                ballot.refuse(action, rule!("S24"), format_args!("somebody who commands it comes first"));
            } else {
                ballot.allow(action);
            }
        }
    }

    fn levy_of(&self, p: &Realm, seat: Seat) -> Option<(usize, usize)> {
        let t = p.open.theatre_of(seat)?;
        let What::Siege(id) = p.open.theatres[t].what else { return None };
        Some((t, p.open.siege(id)?))
    }

    /// A man of the garrison's own choice.
    pub(super) fn post(&self, p: &mut Realm, seat: Seat, counter: crate::ids::Counter) {
        let Some((_, i)) = self.levy_of(p, seat) else { return };
        let siege = &mut p.open.sieges[i];
        if !siege.levied {
            siege.garrison.clear();
            siege.levied = true;
        }
        let _ = siege.garrison.try_push(Watchman { counter, life: self.tactics().data.card(counter).life });
    }

    /// The garrison as the template has it.
    pub(super) fn post_all(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Some((_, i)) = self.levy_of(p, seat) else { return };
        p.open.sieges[i].levied = true;
        self.seal_garrison(p, seat, umpire);
    }

    pub(super) fn seal_garrison(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Some((t, i)) = self.levy_of(p, seat) else { return };
        umpire.note(
            Readers::ALL,
            rule!("S24"),
            format_args!(
                "The garrison of {} has {} men",
                self.atlas.place(p.open.sieges[i].place).name,
                p.open.sieges[i].garrison.len()
            ),
        );
        umpire.cite(rule!("table.5"));
        self.begin_day(p, t, umpire);
    }

    /// A day begins: the garrison says what it eats; the house eats its fill while it can.
    fn begin_day(&self, p: &mut Realm, t: usize, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.theatres[t].stage = Stage::Rations;
        let What::Siege(id) = p.open.theatres[t].what else { return };
        let Some(i) = p.open.siege(id) else { return self.close(p, t, umpire) };
        if p.hidden.stores[id.number()] == 0 && !self.fed_by_sea(p, i) {
            let name = &self.atlas.place(id).name;
            umpire.note(Readers::ALL, rule!("table.6"), format_args!("Nothing is left to eat in {name}"));
            self.fall(p, t, umpire);
            return;
        }
        if p.open.theatres[t].seats[1].is_none() {
            self.eat_at(p, t, 4, umpire);
        }
    }

    pub(super) fn list_day(&self, p: &Realm, t: usize, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let What::Siege(id) = p.open.theatres[t].what else { return };
        let Some(i) = p.open.siege(id) else { return };
        match p.open.theatres[t].stage {
            Stage::Rations => {
                for quarters in [4, 2, 1] {
                    ballot.allow(Action::Eat(quarters));
                }
            }
            Stage::Besiegers => {
                ballot.allow(Action::Wait);
                ballot.allow(Action::Parley);
                ballot.allow(Action::Assault);
                if self.engines(p, i) > 0 {
                    ballot.allow(Action::Batter);
                } else {
                    ballot.refuse(
                        Action::Batter,
                        rule!("S26"),
                        format_args!("there is no engine in the camp"),
                    );
                }
            }
            _ => {
                ballot.allow(Action::Wait);
                if self.sally(p, i).len() >= 2 {
                    ballot.allow(Action::Sortie);
                    ballot.allow(Action::Raid);
                } else {
                    ballot.refuse(Action::Sortie, rule!("S28"), format_args!("they are too few"));
                    ballot.refuse(Action::Raid, rule!("S29"), format_args!("they are too few"));
                }
            }
        }
    }

    /// Points of the engines in the camp \[S26\].
    fn engines(&self, p: &Realm, i: usize) -> u16 {
        let siege = &p.open.sieges[i];
        let hex = self.hex_of(&p.open, siege.place);
        let camp = p.open.groups_of(siege.besieger).filter(|(_, g)| g.at == hex && !g.inside);
        camp.map(|(id, _)| {
            let cargo = &p.hidden.cargo[id.number()];
            u16::from(cargo.mangonels) * u16::from(self.atlas.engine_points[0])
                + u16::from(cargo.trebuchets) * u16::from(self.atlas.engine_points[1])
                + u16::from(cargo.rams) * u16::from(self.atlas.engine_points[2])
        })
        .sum()
    }

    /// Whether ships of the besieger, or of another enemy, lie in the port \[S16\].
    fn cut_off(&self, p: &Realm, i: usize) -> bool {
        let siege = &p.open.sieges[i];
        let hex = self.hex_of(&p.open, siege.place);
        let holder = p.open.place(siege.place).holder;
        p.open.ships_of(siege.besieger).any(|(_, s)| s.at == hex)
            || holder.is_some_and(|holder| self.blockaded(p, siege.place, holder))
    }

    /// Whether a port receives all that it needs by sea: nobody blockades it [3.72].
    fn fed_by_sea(&self, p: &Realm, i: usize) -> bool {
        self.atlas.place(p.open.sieges[i].place).port && !self.cut_off(p, i)
    }

    /// Who eats inside: soldiers, civilians and the groups of lords.
    fn mouths(&self, p: &Realm, i: usize) -> u16 {
        let siege = &p.open.sieges[i];
        let sheet = self.atlas.place(siege.place);
        let civilians = u16::from(self.tactics().data.garrisons[sheet.kind as usize].civilians);
        let hex = self.hex_of(&p.open, siege.place);
        let within = p.open.all_groups().filter(|(_, g)| g.at == hex && g.inside);
        let men: usize = within.map(|(id, _)| p.men_in(id).count()).sum();
        siege.garrison.len() as u16 + civilians + men as u16
    }

    pub(super) fn eat(&self, p: &mut Realm, seat: Seat, quarters: u8, umpire: &mut (impl Umpire + ?Sized)) {
        if let Some(t) = p.open.theatre_of(seat) {
            self.eat_at(p, t, quarters, umpire);
        }
    }

    /// The garrison eats; then both roll for the day [table.4].
    fn eat_at(&self, p: &mut Realm, t: usize, quarters: u8, umpire: &mut (impl Umpire + ?Sized)) {
        let What::Siege(id) = p.open.theatres[t].what else { return };
        let Some(i) = p.open.siege(id) else { return self.close(p, t, umpire) };
        let name = &self.atlas.place(id).name;
        let need = (self.mouths(p, i) * u16::from(quarters)).div_ceil(4);
        if self.fed_by_sea(p, i) {
            umpire.cite(rule!("3.72"));
        } else {
            let stores = &mut p.hidden.stores[id.number()];
            *stores = stores.saturating_sub(need);
        }
        p.open.sieges[i].quarters = quarters;
        umpire.note(
            Readers::ALL,
            rule!("S25"),
            format_args!(
                "The garrison of {name} eats {}",
                match quarters {
                    4 => "its fill",
                    2 => "half of it",
                    _ => "a quarter of it",
                }
            ),
        );
        let command = [self.camp_command(p, i), self.garrison_command(p, i)];
        let won = loop {
            let rolls = [umpire.roll(10), umpire.roll(10)];
            let totals = [rolls[0] + command[0] + self.atlas.besieger_bonus, rolls[1] + command[1]];
            umpire.note(
                Readers::ALL,
                rule!("3.45"),
                format_args!(
                    "The besiegers have {} for the initiative, the garrison {}",
                    totals[0], totals[1]
                ),
            );
            match totals[0].cmp(&totals[1]).then(command[0].cmp(&command[1])) {
                std::cmp::Ordering::Greater => break true,
                std::cmp::Ordering::Less => break false,
                std::cmp::Ordering::Equal => {}
            }
        };
        umpire.cite(rule!("table.4"));
        if won {
            p.open.theatres[t].stage = Stage::Besiegers;
        } else {
            p.open.theatres[t].stage = Stage::Garrison;
            if p.open.theatres[t].commanders()[1].is_none() {
                self.next_day(p, t, umpire);
            }
        }
    }

    /// The commander of the besiegers: the highest in rank of the camp.
    pub(super) fn camp_leader(&self, p: &Realm, i: usize) -> Option<MajorId> {
        let siege = &p.open.sieges[i];
        let hex = self.hex_of(&p.open, siege.place);
        self.majors_at(p, siege.besieger, hex).min_by_key(|id| {
            let m = p.open.major(*id);
            (self.class(p, siege.besieger, m.who), 255 - m.fame, *id)
        })
    }

    fn camp_command(&self, p: &Realm, i: usize) -> u8 {
        self.camp_leader(p, i).map_or(0, |id| p.hidden.traits[id.number()].command)
    }

    /// The major character who commands the garrison, if one is inside.
    fn garrison_leader(&self, p: &Realm, i: usize) -> Option<MajorId> {
        let siege = &p.open.sieges[i];
        let hex = self.hex_of(&p.open, siege.place);
        let warden = siege.warden?;
        let inside = |id: &MajorId| p.group_of(*id).is_some_and(|g| p.open.group(g).inside);
        self.majors_at(p, warden, hex).filter(inside).min_by_key(|id| {
            let m = p.open.major(*id);
            (self.class(p, warden, m.who), 255 - m.fame, *id)
        })
    }

    fn garrison_command(&self, p: &Realm, i: usize) -> u8 {
        match self.garrison_leader(p, i) {
            Some(id) => p.hidden.traits[id.number()].command,
            None => {
                let best =
                    p.open.sieges[i].garrison.iter().map(|w| self.tactics().data.kind(w.counter).class);
                let class = best.min().unwrap_or(6);
                let brings = self.tactics().data.commanders.iter().find(|(c, _, _)| *c == class);
                brings.map_or(0, |(_, command, _)| *command)
            }
        }
    }

    pub(super) fn siege_day(
        &self,
        p: &mut Realm,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(t) = p.open.theatre_of(seat) else { return };
        let What::Siege(id) = p.open.theatres[t].what else { return };
        let Some(i) = p.open.siege(id) else { return };
        match action {
            Action::Parley => self.parley(p, t, i, umpire),
            Action::Batter => self.batter(p, t, i, umpire),
            Action::Assault => self.assault(p, t, i, umpire),
            Action::Sortie => self.sortie(p, t, i, false, umpire),
            Action::Raid => self.sortie(p, t, i, true, umpire),
            _ => {
                umpire.cite(rule!("table.4"));
                self.next_day(p, t, umpire);
            }
        }
    }

    fn next_day(&self, p: &mut Realm, t: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let What::Siege(id) = p.open.theatres[t].what else { return };
        let camp = |siege: &Siege| {
            let hex = self.hex_of(&p.open, id);
            p.open.groups_of(siege.besieger).any(|(_, g)| g.is_ashore(hex) && !g.inside)
        };
        let goes_on = p.open.siege(id).is_some_and(|i| camp(&p.open.sieges[i]));
        let theatre = &mut p.open.theatres[t];
        theatre.day += 1;
        if theatre.day > self.atlas.siege_days || !goes_on {
            self.close(p, t, umpire);
        } else {
            self.begin_day(p, t, umpire);
        }
    }

    /// One roll on the surrender table [3.47, table.6].
    fn parley(&self, p: &mut Realm, t: usize, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let bonus = self.surrender_bonus(p, i);
        let roll = umpire.roll(10);
        let total = roll + bonus;
        let name = &self.atlas.place(p.open.sieges[i].place).name;
        umpire.note(
            Readers::ALL,
            rule!("3.47"),
            format_args!("{name} is asked to surrender: {roll} and {bonus} make {total}"),
        );
        umpire.cite(rule!("table.6"));
        if total >= self.atlas.surrender {
            self.fall(p, t, umpire);
        } else {
            self.next_day(p, t, umpire);
        }
    }

    /// What is added to the surrender die.
    pub(crate) fn surrender_bonus(&self, p: &Realm, i: usize) -> u8 {
        let siege = &p.open.sieges[i];
        let hex = self.hex_of(&p.open, siege.place);
        let count = |inside: bool| -> usize {
            let groups = p
                .open
                .all_groups()
                .filter(|(_, g)| g.at == hex && g.inside == inside && (inside || g.lord == siege.besieger));
            // Peasants and civilians impress nobody [table.6].
            let soldier = |m: &&crate::realm::Man| self.tactics().data.kind(m.who.counter).class < 6;
            groups.map(|(id, _)| p.men_in(id).filter(soldier).count()).sum()
        };
        let (outside, within) = (count(false), count(true) + siege.garrison.len());
        let numbers = match outside {
            n if n >= 3 * within => 2,
            n if n >= 2 * within => 1,
            _ => 0,
        };
        let hunger = match siege.quarters {
            1 => 2,
            2 => 1,
            _ => 0,
        };
        let walls = match (siege.ramparts, siege.breaches) {
            (true, 2..) => 3,
            (true, _) => 2,
            (false, 1..) => 1,
            (false, 0) => 0,
        };
        let plain = numbers + hunger + walls;
        if plain < 2 {
            return plain;
        }
        let Some(id) = self.camp_leader(p, i) else { return plain };
        let m = p.open.major(id);
        // Under a surtax the fame of whoever commands the garrison counts for nothing [3.73].
        let place = p.open.place(siege.place);
        let taxed = place.lord().is_some() && place.taxed >= p.open.turn;
        let against = match self.garrison_leader(p, i) {
            Some(id) if !taxed => p.open.major(id).fame,
            _ => 0,
        };
        plain + (m.honour + m.fame).saturating_sub(against) / 4
    }

    /// All engines of the camp hurl at the wall \[S26\].
    fn batter(&self, p: &mut Realm, t: usize, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let points = self.engines(p, i);
        let column = match points {
            12.. => 4,
            9.. => 3,
            6.. => 2,
            3.. => 1,
            _ => 0,
        };
        let roll = umpire.roll(10);
        let blow = self.atlas.battering[usize::from(roll - 1)][column];
        let siege = &mut p.open.sieges[i];
        let name = &self.atlas.place(siege.place).name;
        if blow.damage {
            siege.damage += 1;
            // A breach once made, every further blow fells a hex behind it.
            if siege.breaches > 0 || siege.damage >= self.atlas.breach {
                siege.damage = 0;
                siege.breaches = (siege.breaches + 1).min(3);
                umpire.note(
                    Readers::ALL,
                    rule!("S26"),
                    format_args!("There is a breach in the walls of {name}"),
                );
            } else {
                umpire.note(Readers::ALL, rule!("S26"), format_args!("The walls of {name} are damaged"));
            }
        } else {
            umpire.note(Readers::ALL, rule!("S26"), format_args!("The walls of {name} hold"));
        }
        let besieger = siege.besieger;
        let hex = self.hex_of(&p.open, p.open.sieges[i].place);
        let mut dead = 0;
        for nth in 0..usize::from(blow.crew) {
            let mut crew = p.slots(besieger).filter(|n| {
                let m = &p.hidden.men[*n];
                let camp = m.group.is_some_and(|g| p.open.group(g).at == hex && !p.open.group(g).inside);
                m.lord == Some(besieger) && camp && p.open.major_of(besieger, m.who).is_none()
            });
            // Each of the crew is hit once; who dies makes room for the next.
            let Some(n) = crew.nth(nth - dead) else { break };
            let hurt = umpire.roll(10);
            let (man, group) = (p.hidden.men[n], p.hidden.men[n].group);
            let dies = hurt >= man.life;
            umpire.note(
                Readers::ALL,
                rule!("S26"),
                format_args!(
                    "{} of the crew {}",
                    self.tactics().named(man.who),
                    if dies { "is killed" } else { "is hurt" }
                ),
            );
            if dies {
                dead += 1;
                self.lose_man(p, n);
                if let Some(group) = group {
                    self.recount(p, group, true);
                }
            } else {
                p.hidden.men[n].life -= hurt;
            }
        }
        self.next_day(p, t, umpire);
    }

    /// Everybody inside who can fight: the garrison, and the groups of its commander and his allies.
    fn defenders(&self, p: &Realm, i: usize) -> Army {
        let siege = &p.open.sieges[i];
        let hex = self.hex_of(&p.open, siege.place);
        let mut army = Army::new();
        for watchman in &siege.garrison {
            self.call_watchman(&mut army, watchman.counter, watchman.life, siege.quarters);
        }
        for lord in p.open.lords_at(hex).without(siege.besieger).iter() {
            self.call_lord(p, &mut army, lord, hex, true);
        }
        army
    }

    /// Up to half the garrison for a sortie \[S28\].
    fn sally(&self, p: &Realm, i: usize) -> Army {
        let mut army = self.defenders(p, i);
        let half = army.len() / 2;
        army.truncate(half);
        army
    }

    fn assault(&self, p: &mut Realm, t: usize, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let siege = &p.open.sieges[i];
        let sheet = self.atlas.place(siege.place);
        let at = self.hex_of(&p.open, siege.place);
        let mut armies: [Army; 2] = [Army::new(), self.defenders(p, i)];
        self.call_lord(p, &mut armies[0], siege.besieger, at, false);
        if armies[1].is_empty() {
            self.fall(p, t, umpire);
            return;
        }
        if armies[0].is_empty() {
            self.next_day(p, t, umpire);
            return;
        }
        let template = &self.tactics().data.garrisons[sheet.kind as usize];
        let (mut ladders, mut rams, mut screens) = (0u8, 0u8, 0u8);
        for (id, _) in p.open.groups_of(siege.besieger).filter(|(_, g)| g.at == at && !g.inside) {
            let cargo = &p.hidden.cargo[id.number()];
            ladders += cargo.ladders;
            rams += cargo.rams;
            screens += cargo.screens;
        }
        let assault = AssaultSheet {
            defender: Side::Second,
            oil: siege.oil,
            ballistas: template.ballistas,
            ladders: ladders.min(8),
            rams: rams.min(4),
            fascines: 12,
            screens: screens.min(8),
        };
        let map = if matches!(sheet.kind, Kind::Border | Kind::Baronial) {
            self.atlas.castle_map
        } else {
            self.atlas.town_map
        };
        let breaches = siege.breaches;
        let hex = at;
        umpire.note(
            Readers::ALL,
            rule!("table.4"),
            format_args!("{} assaults {}", self.lord_name(siege.besieger), sheet.name),
        );
        let (mut field, roll) = self.make_field(p, &mut armies, &[map], Some(assault));
        if let Some(walls) = &mut field.siege {
            walls.breaches = breaches;
        }
        self.show_field(p, t, hex, map, field, roll, umpire);
    }

    /// A sortie: up to half the garrison against a third of the camp \[S28\]. A raid: all of it, and the rest of the camp
    /// comes on turn D6 and 2 \[S29\].
    fn sortie(&self, p: &mut Realm, t: usize, i: usize, raid: bool, umpire: &mut (impl Umpire + ?Sized)) {
        let siege = &p.open.sieges[i];
        let sheet = self.atlas.place(siege.place);
        let hex = self.hex_of(&p.open, siege.place);
        let mut camp = Army::new();
        self.call_lord(p, &mut camp, siege.besieger, hex, false);
        let third = camp.len().div_ceil(3);
        if raid {
            let late = umpire.roll(6) + 2;
            for called in camp.iter_mut().skip(third) {
                called.late = late;
            }
        } else {
            camp.truncate(third);
        }
        p.open.theatres[t].joined = raid;
        let mut armies = [camp, if raid { self.defenders(p, i) } else { self.sally(p, i) }];
        if armies.iter().any(|army| army.is_empty()) {
            self.next_day(p, t, umpire);
            return;
        }
        umpire.note(
            Readers::ALL,
            if raid { rule!("S29") } else { rule!("S28") },
            format_args!(
                "The garrison of {} {}",
                sheet.name,
                if raid { "raids the camp" } else { "makes a sortie" }
            ),
        );
        let map = self.atlas.camp_map;
        let (field, roll) = self.make_field(p, &mut armies, &[map], None);
        self.show_field(p, t, hex, map, field, roll, umpire);
    }

    #[allow(clippy::too_many_arguments)]
    fn show_field(
        &self,
        p: &mut Realm,
        t: usize,
        hex: crate::realm::MapHex,
        map: usize,
        field: Field,
        roll: arrayvec::ArrayVec<crate::realm::Enrolled, { 2 * crate::realm::SIDE_MEN }>,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        umpire.reveal(Readers::ALL);
        for group in p.open.groups.iter_mut().flatten().filter(|g| g.at == hex) {
            group.public = true;
        }
        let theatre = &mut p.open.theatres[t];
        theatre.map = map as u8;
        theatre.field = field;
        theatre.roll = roll;
        match p.open.quick {
            Quick::Asked => {
                p.open.theatres[t].stage = Stage::Asked(SeatSet::NONE);
            }
            Quick::Always => self.play_out(p, t, umpire),
            Quick::Never => self.begin_fighting(p, t, umpire),
        }
    }

    /// After an assault or a sortie: losses of the garrison, and whether the place is taken.
    pub(super) fn after_field(
        &self,
        p: &mut Realm,
        t: usize,
        id: PlaceId,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        self.raise_heirs(p, umpire);
        let Some(i) = p.open.siege(id) else {
            p.open.theatres[t].roll.clear();
            return self.close(p, t, umpire);
        };
        let theatre = &p.open.theatres[t];
        let assault = theatre.field.siege.is_some();
        for n in 0..p.open.theatres[t].roll.len() {
            let (who, m) = (p.open.theatres[t].roll[n], p.open.theatres[t].field.men[n]);
            if who.lord.is_some() || m.side != Side::Second {
                continue;
            }
            let garrison = &mut p.open.sieges[i].garrison;
            let Some(at) = garrison.iter().position(|w| w.counter == who.who.counter) else { continue };
            if matches!(m.fate, Fate::Dead | Fate::Captive) {
                garrison.remove(at);
            } else {
                let full = self.tactics().data.card(who.who.counter).life;
                // Who is not wounded is well again in the evening [3.51].
                garrison[at].life = if u16::from(m.life) * 2 >= u16::from(full) { full } else { m.life };
            }
        }
        let field = &p.open.theatres[t].field;
        let lost = self.loser(field) == Some(Side::Second);
        let held = assault && self.tactics().ramparts_held(field, Side::Second);
        p.open.sieges[i].ramparts |= held;
        let led = p.open.sieges[i]
            .garrison
            .iter()
            .any(|w| self.tactics().data.kind(w.counter).class <= crate::data::NCO)
            || self.garrison_leader(p, i).is_some();
        p.open.theatres[t].roll.clear();
        if assault && lost || !led {
            if !led {
                umpire.cite(rule!("table.6"));
            }
            self.fall(p, t, umpire);
            return;
        }
        if let Some(walls) = p.open.theatres[t].field.siege {
            p.open.sieges[i].oil = walls.oil;
        }
        let raid = std::mem::take(&mut p.open.theatres[t].joined);
        if !assault && !lost && raid {
            self.burn_engines(p, i, umpire);
        } else if !assault && !lost {
            // The mules came home with ten rations each, the carts with fifty \[S28\].
            let stores = &mut p.hidden.stores[id.number()];
            *stores += match self.atlas.place(id).kind {
                Kind::Border => 40,
                Kind::Baronial => 60,
                Kind::Medium => 110,
                Kind::Important => 160,
            };
        }
        self.next_day(p, t, umpire);
    }

    /// After a raid that was not beaten off each engine of the camp burns on 7 or more of D10 \[S29\].
    fn burn_engines(&self, p: &mut Realm, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let (besieger, hex) = (p.open.sieges[i].besieger, self.hex_of(&p.open, p.open.sieges[i].place));
        let mut burnt = 0u32;
        for g in 0..p.open.groups.len() {
            if p.open.groups[g].is_none_or(|g| g.lord != besieger || g.at != hex || g.inside) {
                continue;
            }
            let cargo = &mut p.hidden.cargo[g];
            for engines in [&mut cargo.rams, &mut cargo.mangonels, &mut cargo.trebuchets] {
                for _ in 0..*engines {
                    if umpire.roll(10) >= 7 {
                        *engines -= 1;
                        burnt += 1;
                    }
                }
            }
        }
        umpire.note(
            Readers::ALL,
            rule!("S29"),
            format_args!("In the camp {burnt} {}", if burnt == 1 { "engine burns" } else { "engines burn" }),
        );
    }

    /// A place falls: it changes hands, and side; who is inside is taken [3.47, S33].
    fn fall(&self, p: &mut Realm, t: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let What::Siege(id) = p.open.theatres[t].what else { return };
        let Some(i) = p.open.siege(id) else { return self.close(p, t, umpire) };
        let besieger = p.open.sieges[i].besieger;
        let guardian = self.camp_leader(p, i).or(p.open.lords[besieger.index()].suzerain);
        let hex = self.hex_of(&p.open, id);
        self.shame(p, i, umpire);
        self.take_lady(p, id, besieger, umpire);
        p.open.sieges.remove(i);
        umpire.note(
            Readers::ALL,
            rule!("3.47"),
            format_args!("{} falls to {}", self.atlas.place(id).name, self.lord_name(besieger)),
        );
        umpire.cite(rule!("S33"));
        let inside = p.open.lords_at(hex).without(besieger);
        for lord in inside.iter() {
            self.capture_groups(p, lord, hex, Some(besieger), |g| g.inside, umpire);
        }
        self.own(p, besieger, id);
        p.open.places[id.number()].side = Some(side_of(besieger));
        self.set_guardian(p, id, guardian);
        self.win_fame(p, id, guardian);
        for group in p.open.groups.iter_mut().flatten().filter(|g| g.lord == besieger && g.at == hex) {
            group.inside = true;
        }
        self.close(p, t, umpire);
    }

    /// Whoever may not be inside a place any more leaves it: to the next hex that is free, else he is taken \[S35\].
    pub(super) fn put_out(&self, p: &mut Realm, id: PlaceId, umpire: &mut (impl Umpire + ?Sized)) {
        let hex = self.hex_of(&p.open, id);
        let holder = p.open.place(id).holder;
        for lord in p.open.lords_at(hex).iter() {
            let inside = p.open.groups_of(lord).any(|(_, g)| g.at == hex && g.inside);
            if !inside || holder.is_some_and(|holder| p.allied(lord, holder)) {
                continue;
            }
            umpire.cite(rule!("S35"));
            match self.ways_out(p, Some(lord), hex).first() {
                Some(way) => {
                    let to = hex.neighbour(*way).unwrap_or(hex);
                    for group in p.open.groups.iter_mut().flatten().filter(|g| g.lord == lord && g.at == hex)
                    {
                        group.at = to;
                        group.inside = false;
                    }
                }
                None => self.capture_groups(p, lord, hex, holder, |g| g.inside, umpire),
            }
        }
    }
}
