//! Battles: armies and contingents are called up, the field is made, men fight or the house plays it out, and what
//! comes after [3.42, 3.45, 3.51, table.3, table.7, S21 to S23, S40, S41].

use arrayvec::ArrayVec;
use table::hex::Direction;
use table::{Ballot, Readers, Seat, SeatSet, Silent, Umpire, rule};

use super::march::Spot;
use crate::campaign::Campaign;
use crate::campaign::action::{Action, Within};
use crate::campaign::atlas::Soil;
use crate::data::{AssaultSheet, KNIGHT, MAP_COLUMNS, MAP_ROWS};
use crate::deed::Deed;
use crate::field::{Chief, Ending, Fate, Field, Marks, Step as FieldStep};
use crate::house::Room;
use crate::ids::{Counter, Man as FieldMan, Place as FieldHex, Side, Who};
use crate::realm::{
    Enrolled, GroupId, MajorId, MapHex, Pending, PlaceId, Quick, Realm, SIDE_MEN, Stage, Step, Theatre,
    Title, What,
};
use crate::tactics::Tactics;

/// No battle takes more actions of the house.
const HOUSE: u32 = 300_000;

/// Where the house lists what it may do: no allocation.
#[derive(Default)]
pub(crate) struct Desk(ArrayVec<Deed, 2048>);

impl Ballot<Deed> for Desk {
    fn allow(&mut self, deed: Deed) {
        let _ = self.0.try_push(deed);
    }
    fn allow_range(&mut self, deed: Deed, _: u32, _: u32) {
        self.allow(deed);
    }
}

impl Room for Desk {
    fn fill(&mut self, tactics: &Tactics, f: &Field) {
        self.0.clear();
        tactics.options(f, self);
    }
    fn deeds(&self) -> impl Iterator<Item = Deed> + '_ {
        self.0.iter().copied()
    }
}

/// A man who is called up.
#[derive(Clone, Copy)]
pub(super) struct Called {
    pub(super) enrolled: Enrolled,
    pub(super) life: u8,
    pub(super) experience: u8,
    pub(super) skill: u8,
    pub(super) kills: u8,
    /// The turn in which he comes to the field; 0 if he is there.
    pub(super) late: u8,
    /// How hungry he is: 0 not at all, 1 or 2.
    pub(super) hunger: u8,
}

pub(super) type Army = ArrayVec<Called, SIDE_MEN>;

impl Campaign {
    pub(super) fn begin_battles(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        self.begin_naming(p, Step::Battles, umpire);
    }

    /// As many battles or sieges as share no seat are begun; when none is left, the next phase.
    pub(super) fn next_theatre(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        loop {
            if matches!(p.open.step(), Step::Heir(_)) {
                return;
            }
            let busy = p.open.theatres.iter().flat_map(Theatre::commanders).flatten().collect::<SeatSet>();
            let free = |b: &Pending| b.commanders().iter().flatten().all(|seat| !busy.contains(*seat));
            let next = p.open.pending.iter().position(free).filter(|_| !p.open.theatres.is_full());
            if let Some(i) = next {
                let pending = p.open.pending.remove(i);
                match pending.what {
                    What::Battle(hex) => self.open_battle(p, hex, &pending, umpire),
                    What::Siege(place) => self.open_siege(p, place, pending.deputies, umpire),
                }
                continue;
            }
            if !p.open.theatres.is_empty() {
                return;
            }
            match p.open.step() {
                Step::Battles => {
                    for group in p.open.groups.iter_mut().flatten() {
                        group.pinned = false;
                    }
                    self.begin_calls(p, umpire);
                }
                Step::Sieges => self.begin_suits(p, umpire),
                _ => {}
            }
            return;
        }
    }

    /// The men of a lord's groups in a hex, outside the walls or inside.
    pub(super) fn call_lord(&self, p: &Realm, army: &mut Army, lord: Seat, hex: MapHex, inside: bool) {
        for man in p.men_of(lord) {
            let Some(id) = man.group else { continue };
            let group = p.open.group(id);
            if !group.is_ashore(hex) || group.inside != inside || army.is_full() {
                continue;
            }
            army.push(self.called(p, lord, man));
        }
    }

    fn called(&self, p: &Realm, lord: Seat, man: &crate::realm::Man) -> Called {
        let siege = man.group.filter(|g| p.open.group(*g).inside).and_then(|g| {
            let place = self.place_at(&p.open, p.open.group(g).at)?;
            p.open.siege(place)
        });
        let hunger = match (siege, man.group) {
            (Some(s), _) => Self::hunger_of(p.open.sieges[s].quarters),
            (None, Some(g)) => p.hidden.cargo[g.number()].hungry.min(2),
            (None, None) => 0,
        };
        Called {
            enrolled: Enrolled { lord: Some(lord), who: man.who },
            life: man.life,
            experience: man.experience,
            skill: man.skill,
            kills: man.kills,
            late: 0,
            hunger,
        }
    }

    /// How hungry so many quarters of a ration leave a man [3.55].
    const fn hunger_of(quarters: u8) -> u8 {
        match quarters {
            1 => 2,
            2 => 1,
            _ => 0,
        }
    }

    pub(super) fn call_watchman(&self, army: &mut Army, counter: Counter, life: u8, quarters: u8) {
        let double =
            army.iter().filter(|c| c.enrolled.lord.is_none() && c.enrolled.who.counter == counter).count();
        if !army.is_full() {
            army.push(Called {
                enrolled: Enrolled { lord: None, who: Who { counter, double: double as u8 } },
                life,
                experience: self.tactics().data.tables.first_experience,
                skill: 0,
                kills: 0,
                late: 0,
                hunger: Self::hunger_of(quarters),
            });
        }
    }

    /// Half the garrison of every place of a lord in the hex or next to it joins him [3.42, 3.73].
    fn call_contingents(
        &self,
        p: &mut Realm,
        army: &mut Army,
        lord: Seat,
        hex: MapHex,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        for i in 0..p.open.places.len() {
            let (id, place) = (PlaceId::at(i), p.open.places[i]);
            let sheet = &self.atlas.places[i];
            let far = self.hex_of(&p.open, id).distance(hex) > 1;
            if place.lord() != Some(lord) || far || p.open.siege(id).is_some() || place.sent == p.open.turn {
                continue;
            }
            p.open.places[i].sent = p.open.turn;
            if place.taxed >= p.open.turn {
                let roll = umpire.roll(6);
                let comes = roll > 3;
                umpire.note(
                    Readers::ALL,
                    rule!("3.73"),
                    format_args!(
                        "The contingent of {} {}",
                        sheet.name,
                        if comes { "comes all the same" } else { "comes too late" }
                    ),
                );
                if !comes {
                    continue;
                }
            }
            let template = &self.tactics().data.garrisons[sheet.kind as usize];
            let men = &template.men[place.side.unwrap_or(Side::First).index()];
            let total: u16 = men.iter().map(|c| self.tactics().data.card(*c).cost).sum();
            let mut sum = 0;
            for counter in men {
                let card = self.tactics().data.card(*counter);
                if (sum + card.cost) * 2 > total {
                    continue;
                }
                sum += card.cost;
                self.call_watchman(army, *counter, card.life, 4);
            }
            umpire.note(Readers::ALL, rule!("3.42"), format_args!("{} sends half its garrison", sheet.name));
        }
    }

    /// A battle begins: groups are called from near by, then both say how it is decided.
    fn open_battle(
        &self,
        p: &mut Realm,
        hex: MapHex,
        pending: &Pending,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let [Some(mover), Some(met)] = pending.seats else { return };
        let stands = |lord: Seat| p.open.groups_of(lord).any(|(_, g)| g.at == hex && !g.inside);
        if !stands(mover) || !stands(met) {
            return;
        }
        umpire.heading(format_args!(
            "The battle of {}: {} against {}",
            Spot(self, hex),
            self.lord_name(mover),
            self.lord_name(met)
        ));
        let nobody = [0, 1].map(|n| Chief { man: FieldMan::at(n), command: 0, fame: 0 });
        p.open.theatres.push(Theatre {
            what: What::Battle(hex),
            seats: pending.seats,
            deputies: pending.deputies,
            summoned: 0,
            joined: false,
            stage: Stage::Muster(SeatSet::NONE),
            day: 0,
            map: 0,
            roll: ArrayVec::new(),
            field: Field::new(1, 1, nobody),
        });
        let i = p.open.theatres.len() - 1;
        self.go_on_mustering(p, i, SeatSet::NONE, umpire);
    }

    /// Whether a group can be called into a battle: its lord's, in a neighbouring hex, and free to march \[S20\].
    fn may_summon(&self, p: &Realm, t: &Theatre, side: usize, id: GroupId) -> Result<(), &'static str> {
        let What::Battle(hex) = t.what else { return Err("nobody is called to a siege") };
        let group = p.open.group(id);
        let ways = Direction::ALL.into_iter().filter_map(|d| self.atlas.step_cost(group.at, d));
        if Some(group.lord) != t.seats[side] {
            Err("it is not yours")
        } else if group.at == hex || !ways.into_iter().any(|(to, _)| to == hex) {
            Err("it is not in a neighbouring hex")
        } else if group.pinned
            || group.aboard.is_some()
            || group.inside && self.shut_in(p, group.lord, group.at)
        {
            Err("it cannot leave where it is")
        } else if t.calls(id) {
            Err("it is called")
        } else {
            Ok(())
        }
    }

    /// Whether the besieged whom a side commands can join it from the gate \[S31\].
    fn may_join(&self, p: &Realm, t: &Theatre, side: usize) -> bool {
        let What::Battle(hex) = t.what else { return false };
        let siege = self.place_at(&p.open, hex).and_then(|place| p.open.siege(place));
        !t.joined
            && siege.is_some_and(|s| {
                let siege = &p.open.sieges[s];
                siege.warden.is_some()
                    && siege.warden == t.seats[side]
                    && t.seats[1 - side] == Some(siege.besieger)
            })
    }

    /// Whoever can call nobody is done; when all are, both say how the battle is decided.
    fn go_on_mustering(&self, p: &mut Realm, i: usize, said: SeatSet, umpire: &mut (impl Umpire + ?Sized)) {
        let t = &p.open.theatres[i];
        let mut said = said;
        for (side, seat) in t.commanders().into_iter().enumerate() {
            let Some(seat) = seat else { continue };
            let calls = p.open.all_groups().any(|(id, _)| self.may_summon(p, t, side, id).is_ok());
            if !calls && !self.may_join(p, t, side) {
                said = said.with(seat);
            }
        }
        let all: SeatSet = t.commanders().into_iter().flatten().collect();
        p.open.theatres[i].stage = Stage::Muster(said);
        if all.minus(said).is_empty() {
            match p.open.quick {
                Quick::Asked => p.open.theatres[i].stage = Stage::Asked(SeatSet::NONE),
                quick => {
                    self.call_up(p, i, umpire);
                    match quick {
                        Quick::Always => self.play_out(p, i, umpire),
                        _ => self.begin_fighting(p, i, umpire),
                    }
                }
            }
        }
    }

    pub(super) fn done_mustering(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(i) = p.open.theatre_of(seat) else { return };
        let Stage::Muster(said) = p.open.theatres[i].stage else { return };
        self.go_on_mustering(p, i, said.with(seat), umpire);
    }

    fn list_muster(&self, p: &Realm, seat: Seat, i: usize, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let t = &p.open.theatres[i];
        let side = usize::from(t.commanders()[1] == Some(seat));
        ballot.allow(Action::Done);
        for (id, _) in p.open.all_groups() {
            match self.may_summon(p, t, side, id) {
                Ok(()) => ballot.allow(Action::Summon(id)),
                Err(why) => ballot.refuse(Action::Summon(id), rule!("S20"), format_args!("{why}")),
            }
        }
        if self.may_join(p, t, side) {
            ballot.allow(Action::Join);
        } else {
            ballot.refuse(Action::Join, rule!("S31"), format_args!("you command no garrison besieged here"));
        }
    }

    pub(super) fn summon(&self, p: &mut Realm, seat: Seat, id: GroupId, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(i) = p.open.theatre_of(seat) else { return };
        p.open.theatres[i].summoned |= 1 << id.number();
        umpire.note(
            Readers::ALL,
            rule!("S20"),
            format_args!("{} calls group {} to the battle", self.lord_name(seat), id.number() + 1),
        );
        if let Stage::Muster(said) = p.open.theatres[i].stage {
            self.go_on_mustering(p, i, said, umpire);
        }
    }

    pub(super) fn join_relief(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(i) = p.open.theatre_of(seat) else { return };
        p.open.theatres[i].joined = true;
        umpire.note(
            Readers::ALL,
            rule!("S31"),
            format_args!("The garrison of {} comes out of the gate", self.lord_name(seat)),
        );
        if let Stage::Muster(said) = p.open.theatres[i].stage {
            self.go_on_mustering(p, i, said, umpire);
        }
    }

    /// Both armies are called up, contingents and reinforcements with them; everybody sees who fights.
    fn call_up(&self, p: &mut Realm, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let What::Battle(hex) = p.open.theatres[i].what else { return };
        let [Some(mover), Some(met)] = p.open.theatres[i].seats else { return };
        let mut armies: [Army; 2] = Default::default();
        for (side, lord, foe) in [(0, mover, met), (1, met, mover)] {
            self.call_lord(p, &mut armies[side], lord, hex, false);
            // Whoever is allied with one of them and not with the other fights at his side.
            for ally in p.open.lords_at(hex).without(lord).without(foe).iter() {
                if p.allied(ally, lord) && !self.friends(p, ally, foe) {
                    self.call_lord(p, &mut armies[side], ally, hex, false);
                }
            }
        }
        for (side, army) in armies.iter_mut().enumerate() {
            let lords: SeatSet = army.iter().filter_map(|c| c.enrolled.lord).collect();
            for lord in lords.iter() {
                self.call_contingents(p, army, lord, hex, umpire);
            }
            if p.open.theatres[i].joined && self.may_join_side(p, i, side, hex) {
                self.call_besieged(p, army, hex);
            }
            self.call_reinforcements(p, i, army, side, umpire);
        }
        umpire.reveal(Readers::ALL);
        let summoned = p.open.theatres[i].summoned;
        for (n, group) in p.open.groups.iter_mut().enumerate() {
            let Some(group) = group else { continue };
            if group.is_ashore(hex) && !group.inside || summoned >> n & 1 == 1 {
                group.public = true;
            }
        }
        let maps = self.pick_maps(hex, armies[0].len() + armies[1].len(), umpire);
        let (field, roll) = self.make_field(p, &mut armies, &maps, None);
        let theatre = &mut p.open.theatres[i];
        theatre.map = maps[0] as u8;
        theatre.roll = roll;
        theatre.field = field;
    }

    fn may_join_side(&self, p: &Realm, i: usize, side: usize, hex: MapHex) -> bool {
        let siege = self.place_at(&p.open, hex).and_then(|place| p.open.siege(place));
        siege.is_some_and(|s| p.open.sieges[s].warden == p.open.theatres[i].seats[side])
    }

    /// The garrison of a besieged place and the groups inside come out of the gate \[S31\].
    fn call_besieged(&self, p: &Realm, army: &mut Army, hex: MapHex) {
        let Some(s) = self.place_at(&p.open, hex).and_then(|place| p.open.siege(place)) else { return };
        let siege = &p.open.sieges[s];
        for watchman in &siege.garrison {
            self.call_watchman(army, watchman.counter, watchman.life, siege.quarters);
        }
        if let Some(warden) = siege.warden {
            self.call_lord(p, army, warden, hex, true);
        }
    }

    /// Groups from neighbouring hexes come on turn D10, those with men on foot five turns later \[S20\].
    fn call_reinforcements(
        &self,
        p: &Realm,
        i: usize,
        army: &mut Army,
        side: usize,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(lord) = p.open.theatres[i].seats[side] else { return };
        for n in 0..p.open.groups.len() {
            let id = GroupId::at(n);
            let own = p.open.groups[n].is_some_and(|g| g.lord == lord);
            if !own || !p.open.theatres[i].calls(id) {
                continue;
            }
            let roll = umpire.roll(10);
            umpire.note(
                Readers::ALL,
                rule!("S20"),
                format_args!("Group {} comes on turn {roll}, its foot five turns later", n + 1),
            );
            for man in p.men_in(id) {
                let rides = self.tactics().data.kind(man.who.counter).mounted.is_some();
                let late = if rides { roll } else { roll + 5 };
                if !army.is_full() {
                    army.push(Called { late, ..self.called(p, lord, man) });
                }
            }
        }
    }

    /// The maps of a battle, by the ground of its hex \[S21\].
    fn pick_maps(&self, hex: MapHex, men: usize, umpire: &mut (impl Umpire + ?Sized)) -> ArrayVec<usize, 6> {
        let tile = self.atlas.tile(hex);
        let list = match tile.soil {
            _ if tile.river => &self.atlas.boards[3],
            Soil::Mountain => &self.atlas.boards[1],
            Soil::Desert => &self.atlas.boards[2],
            _ => &self.atlas.boards[0],
        };
        let count = if men <= self.atlas.one_map {
            1
        } else if men <= self.atlas.four_maps {
            4
        } else {
            umpire.cite(rule!("scenario.11"));
            6
        };
        umpire.cite(rule!("S21"));
        (0..count)
            .map(|_| match umpire.roll(10) {
                1..=4 => list[0],
                5..=7 => list[1],
                8 | 9 => list[2],
                _ => list[3],
            })
            .collect()
    }

    /// Who of an army commands: the lord himself, else the highest in rank of those who are there [3.45, ruling 21].
    fn commander(&self, p: &Realm, army: &Army) -> usize {
        let rank = |c: &Called| {
            let Some(lord) = c.enrolled.lord else {
                return (1, self.tactics().data.kind(c.enrolled.who.counter).class, 1, 255);
            };
            let major = p.open.major_of(lord, c.enrolled.who);
            let suzerain = major.is_some() && major == p.open.lords[lord.index()].suzerain;
            let fame = major.map_or(0, |id| p.open.major(id).fame);
            (u8::from(!suzerain), self.class(p, lord, c.enrolled.who), 0, 255 - fame)
        };
        (0..army.len()).min_by_key(|i| (army[*i].late > 0, rank(&army[*i]), *i)).unwrap_or(0)
    }

    /// The field of two armies; the first of each commands it.
    pub(super) fn make_field(
        &self,
        p: &Realm,
        armies: &mut [Army; 2],
        maps: &[usize],
        assault: Option<AssaultSheet>,
    ) -> (Field, ArrayVec<Enrolled, { 2 * SIDE_MEN }>) {
        let t = self.tactics();
        let mut names: [ArrayVec<Who, SIDE_MEN>; 2] = Default::default();
        for army in armies.iter_mut() {
            let chief = self.commander(p, army);
            army.swap(0, chief);
        }
        // Men of one name are told apart by numbers on the field [3.66].
        for side in 0..2 {
            for called in &armies[side] {
                let counter = called.enrolled.who.counter;
                let before = names.iter().flatten().filter(|who| who.counter == counter).count();
                names[side].push(Who { counter, double: before as u8 });
            }
        }
        let mut f = t.field(maps[0], [&names[0], &names[1]], assault);
        if maps.len() > 1 {
            let across = maps.len() / 2;
            f.columns = (MAP_COLUMNS * across) as u8;
            f.rows = (MAP_ROWS * 2) as u8;
            for (n, map) in maps.iter().enumerate() {
                let (down, right) = (n / across * MAP_ROWS, n % across * MAP_COLUMNS);
                for (row, line) in t.data.maps[*map].hexes.iter().enumerate() {
                    for (column, terrain) in line.iter().enumerate() {
                        if let Some(place) = FieldHex::new(down + row, right + column) {
                            f.set_terrain(place, *terrain);
                        }
                    }
                }
            }
        }
        let mut roll = ArrayVec::new();
        for (i, called) in armies.iter().flatten().enumerate() {
            let soldier = &mut f.men[i];
            soldier.life = called.life;
            soldier.experience = called.experience;
            soldier.skill = called.skill;
            soldier.kills = called.kills;
            soldier.marks.set(Marks::HUNGRY, called.hunger > 0);
            soldier.marks.set(Marks::STARVED, called.hunger > 1);
            if called.late > 0 {
                soldier.marks.set(Marks::LATE, true);
                soldier.run = called.late;
            }
            let major = called.enrolled.lord.and_then(|lord| p.open.major_of(lord, called.enrolled.who));
            if let Some(id) = major {
                let title = p.open.major(id).title;
                soldier.marks.set(Marks::BARON, matches!(title, Title::Baron | Title::King));
                soldier.marks.set(Marks::PRINCE, matches!(title, Title::Prince | Title::King));
            }
            roll.push(called.enrolled);
        }
        for side in Side::BOTH {
            let man = if side == Side::First { 0 } else { armies[0].len() };
            let who: Enrolled = roll[man];
            let major = who.lord.and_then(|lord| p.open.major_of(lord, who.who));
            let (command, fame) = match major {
                Some(id) => (p.hidden.traits[id.number()].command, p.open.major(id).fame),
                None => {
                    let class = t.data.kind(who.who.counter).class;
                    let brings = t.data.commanders.iter().find(|(c, _, _)| *c == class);
                    brings.map_or((0, 0), |(_, command, fame)| (*command, *fame))
                }
            };
            let lord = who.lord.and_then(|lord| p.open.lords[lord.index()].suzerain);
            let suzerain = major.is_some() && major == lord;
            f.men[man].marks.set(Marks::VASSAL, !suzerain);
            f.chiefs[side.index()] = Chief { man: FieldMan::at(man), command, fame };
        }
        (f, roll)
    }

    /// The commanders roll for the initiative, and men fight.
    pub(super) fn begin_fighting(&self, p: &mut Realm, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        self.mark_fighters(p, i);
        let theatre = &mut p.open.theatres[i];
        theatre.stage = Stage::Fought;
        theatre.field.agenda.push(FieldStep::Over);
        self.tactics().roll_initiative(&mut theatre.field, umpire);
        self.house_plays(p, i, umpire);
    }

    /// Whose troops are engaged has fought [3.32].
    fn mark_fighters(&self, p: &mut Realm, i: usize) {
        let lords: SeatSet = p.open.theatres[i].roll.iter().filter_map(|who| who.lord).collect();
        for lord in lords.iter() {
            p.open.lords[lord.index()].fought = true;
        }
    }

    /// The house plays a side that nobody commands, one action after the other \[ruling 47\].
    fn house_plays(&self, p: &mut Realm, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let mut desk = Desk::default();
        for _ in 0..HOUSE {
            let theatre = &mut p.open.theatres[i];
            let Some(side) = theatre.field.deciding() else {
                self.finish_field(p, i, umpire);
                return;
            };
            if theatre.commanders()[side.index()].is_some() {
                return;
            }
            let Some(deed) = self.tactics().routine(&theatre.field, &mut desk) else { return };
            self.carry_out(p, i, deed, umpire);
        }
    }

    /// The whole battle is played by the house, from lots that all see \[S41\].
    pub(super) fn play_out(&self, p: &mut Realm, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let lots = [0; 2].map(|_| umpire.draw(Readers::ALL, u16::MAX, &|n| format!("lot {n}")));
        umpire.note(Readers::ALL, rule!("S41"), format_args!("The battle is played out by the house"));
        let mut dice = Silent::new(u64::from(lots[0]) << 16 | u64::from(lots[1]));
        self.mark_fighters(p, i);
        let theatre = &mut p.open.theatres[i];
        theatre.stage = Stage::Fought;
        theatre.field.agenda.push(FieldStep::Over);
        self.tactics().roll_initiative(&mut theatre.field, &mut dice);
        let mut desk = Desk::default();
        for _ in 0..HOUSE {
            let field = &p.open.theatres[i].field;
            if field.deciding().is_none() {
                break;
            }
            let Some(deed) = self.tactics().routine(field, &mut desk) else { break };
            self.carry_out(p, i, deed, &mut dice);
        }
        self.finish_field(p, i, umpire);
    }

    /// A deed of the field, and the honour that hangs on it [3.31].
    fn carry_out(&self, p: &mut Realm, i: usize, deed: Deed, umpire: &mut (impl Umpire + ?Sized)) {
        let theatre = &mut p.open.theatres[i];
        let mercy = match (theatre.field.step(), deed) {
            (FieldStep::Mercy(pleader, asked), Deed::Grant) => Some((pleader, asked, true)),
            (FieldStep::Mercy(pleader, asked), Deed::Refuse) => Some((pleader, asked, false)),
            _ => None,
        };
        self.tactics().apply(&mut theatre.field, deed, umpire);
        if let Some((pleader, asked, granted)) = mercy {
            self.honour_mercy(p, i, pleader, asked, granted, umpire);
        }
    }

    pub(super) fn do_deed(&self, p: &mut Realm, seat: Seat, deed: Deed, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(i) = p.open.theatre_of(seat) else { return };
        self.carry_out(p, i, deed, umpire);
        self.house_plays(p, i, umpire);
    }

    pub(super) fn list_theatre(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(i) = p.open.theatre_of(seat) else { return };
        let theatre = &p.open.theatres[i];
        match theatre.stage {
            Stage::Muster(_) => self.list_muster(p, seat, i, ballot),
            Stage::Levy => self.list_levy(p, i, ballot),
            Stage::Asked(_) => {
                ballot.allow(Action::Command);
                ballot.allow(Action::Quick);
            }
            Stage::Fought => self.tactics().options(&theatre.field, &mut Within(ballot)),
            Stage::Leaving(_) => self.list_leaving(p, seat, i, ballot),
            Stage::Rations | Stage::Besiegers | Stage::Garrison => self.list_day(p, i, ballot),
        }
    }

    pub(super) fn answer_quick(
        &self,
        p: &mut Realm,
        seat: Seat,
        quick: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(i) = p.open.theatre_of(seat) else { return };
        let Stage::Asked(said) = p.open.theatres[i].stage else { return };
        let said = said.with(seat);
        p.open.theatres[i].stage = Stage::Asked(said);
        p.hidden.said[seat.index()] = Some(u8::from(quick));
        let both: SeatSet = p.open.theatres[i].commanders().into_iter().flatten().collect();
        if !both.minus(said).is_empty() {
            return;
        }
        umpire.reveal(Readers::ALL);
        let all = both.iter().all(|s| p.hidden.said[s.index()].take() == Some(1));
        for seat in both.iter() {
            p.hidden.said[seat.index()] = None;
        }
        if p.open.theatres[i].roll.is_empty() {
            self.call_up(p, i, umpire);
        }
        if all {
            self.play_out(p, i, umpire);
        } else {
            umpire.note(Readers::ALL, rule!("S41"), format_args!("The battle will be fought out"));
            self.begin_fighting(p, i, umpire);
        }
    }

    /// A field is over: deserters, wounds, awards; then what its kind asks for.
    fn finish_field(&self, p: &mut Realm, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        let tally = self.tally(p, i, umpire);
        let what = p.open.theatres[i].what;
        match what {
            What::Battle(hex) => {
                self.award(p, i, &tally, umpire);
                self.raise_heirs(p, umpire);
                // At night nobody has fled: who came into the hex leaves it again.
                let night = p.open.theatres[i].field.ended == Some(Ending::Night);
                let beaten = self.loser(&p.open.theatres[i].field).filter(|_| !night);
                let loser = beaten.unwrap_or(Side::First);
                self.honour_relief(p, i, hex, beaten, umpire);
                let seat = p.open.theatres[i].seats[loser.index()];
                umpire.note(
                    Readers::ALL,
                    rule!("S22"),
                    format_args!(
                        "{} has lost the field",
                        seat.map_or("The garrison", |seat| self.lord_name(seat))
                    ),
                );
                let left = seat.is_some_and(|s| p.open.groups_of(s).any(|(_, g)| g.at == hex && !g.inside));
                if left && p.open.playing().contains(seat.unwrap_or(Seat::new(0))) {
                    p.open.theatres[i].stage = Stage::Leaving(loser);
                    if self.ways_out(p, seat, hex).is_empty() && !self.can_hide(p, seat, hex) {
                        self.surrender_all(p, i, loser, umpire);
                        self.close(p, i, umpire);
                    }
                } else {
                    self.close(p, i, umpire);
                }
            }
            What::Siege(place) => self.after_field(p, i, place, umpire),
        }
    }

    /// Which side has lost the field: who is beaten or gone; at night who counts less, in doubt who came.
    pub(super) fn loser(&self, f: &Field) -> Option<Side> {
        match f.ended? {
            Ending::Beaten(side) | Ending::Withdrawn(side) | Ending::GivenUp(side) => Some(side),
            Ending::Taken => f.defender(),
            Ending::Night => self.tactics().winner(f).flatten().map(Side::foe),
        }
    }

    /// A theatre is over.
    pub(super) fn close(&self, p: &mut Realm, i: usize, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.theatres.remove(i);
        self.raise_heirs(p, umpire);
        self.next_theatre(p, umpire);
    }

    /// Where a beaten army can go: next to the hex, on land, on the map, where no enemy is \[S22\].
    pub(super) fn ways_out(&self, p: &Realm, seat: Option<Seat>, hex: MapHex) -> ArrayVec<Direction, 6> {
        let Some(seat) = seat else { return ArrayVec::new() };
        let open = |d: &Direction| {
            self.atlas.step_cost(hex, *d).is_some_and(|(to, _)| {
                self.atlas.mapped(p.open.scenario.into(), to)
                    && p.open.lords_at(to).without(seat).iter().all(|other| self.friends(p, seat, other))
            })
        };
        let ways: ArrayVec<Direction, 6> = Direction::ALL.into_iter().filter(open).collect();
        // Towards the nearest stronghold that is open to him.
        let far = |d: &Direction| {
            let to = hex.neighbour(*d).unwrap_or(hex);
            let own = (0..p.open.places.len()).filter(|i| p.open.places[*i].mapped).map(PlaceId::at);
            let own = own.map(|id| self.hex_of(&p.open, id)).filter(|at| self.is_friendly(p, seat, *at));
            own.map(|at| at.distance(to)).min()
        };
        let least = ways.iter().filter_map(far).min();
        ways.into_iter().filter(|d| least.is_none() || far(d) == least).collect()
    }

    fn can_hide(&self, p: &Realm, seat: Option<Seat>, hex: MapHex) -> bool {
        seat.is_some_and(|seat| self.is_friendly(p, seat, hex))
            && self.place_at(&p.open, hex).is_some_and(|place| p.open.siege(place).is_none())
    }

    fn list_leaving(&self, p: &Realm, seat: Seat, i: usize, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let What::Battle(hex) = p.open.theatres[i].what else { return };
        let open = self.ways_out(p, Some(seat), hex);
        for direction in Direction::ALL {
            let action = Action::Leave(direction);
            if open.contains(&direction) {
                ballot.allow(action);
            } else {
                ballot.refuse(action, rule!("S22"), format_args!("the enemy or the sea bars that way"));
            }
        }
        if self.can_hide(p, Some(seat), hex) {
            ballot.allow(Action::Refuge);
        }
    }

    pub(super) fn leave_field(
        &self,
        p: &mut Realm,
        seat: Seat,
        way: Option<Direction>,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(i) = p.open.theatre_of(seat) else { return };
        let What::Battle(hex) = p.open.theatres[i].what else { return };
        let to = way.and_then(|way| hex.neighbour(way)).unwrap_or(hex);
        let fled = |lord: Seat, p: &Realm| {
            let roll = &p.open.theatres[i].roll;
            let field = &p.open.theatres[i].field;
            let Stage::Leaving(side) = p.open.theatres[i].stage else { return false };
            roll.iter().zip(&field.men).any(|(who, m)| m.side == side && who.lord == Some(lord))
        };
        let leaving: SeatSet = p.open.lords_at(hex).iter().filter(|lord| fled(*lord, p)).collect();
        for lord in leaving.iter() {
            let inside = self.is_friendly(p, lord, to);
            for group in p.open.groups.iter_mut().flatten().filter(|g| g.lord == lord && g.at == hex) {
                if !group.inside || way.is_some() {
                    group.at = to;
                    group.inside = inside;
                    group.moved = true;
                }
            }
        }
        umpire.note(
            Readers::ALL,
            rule!("S22"),
            format_args!("{} falls back to {}", self.lord_name(seat), Spot(self, to)),
        );
        self.look_around(p, to, umpire);
        self.close(p, i, umpire);
    }

    /// Nobody of a side gets away: majors are prisoners, the others are gone \[S22\].
    pub(super) fn surrender_all(
        &self,
        p: &mut Realm,
        i: usize,
        side: Side,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let captor = p.open.theatres[i].seats[side.foe().index()];
        let What::Battle(hex) = p.open.theatres[i].what else { return };
        let Some(seat) = p.open.theatres[i].seats[side.index()] else { return };
        umpire.note(
            Readers::ALL,
            rule!("S22"),
            format_args!("{} cannot get away: his men lay down their arms", self.lord_name(seat)),
        );
        self.capture_groups(p, seat, hex, captor, |g| !g.inside, umpire);
    }

    /// The groups of a lord in a hex are taken: majors are prisoners of the captor, the others are lost.
    pub(super) fn capture_groups(
        &self,
        p: &mut Realm,
        seat: Seat,
        hex: MapHex,
        captor: Option<Seat>,
        which: impl Fn(&crate::realm::Group) -> bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        for i in 0..p.open.groups.len() {
            let Some(group) = p.open.groups[i] else { continue };
            if group.lord != seat || group.at != hex || !which(&group) {
                continue;
            }
            let id = GroupId::at(i);
            for n in p.slots(seat) {
                if p.hidden.men[n].group == Some(id) && p.hidden.men[n].lord.is_some() {
                    self.take_or_lose(p, n, captor, umpire);
                }
            }
            self.recount(p, id, true);
            self.release_prisoners(p, id, hex, captor);
        }
        self.raise_heirs(p, umpire);
    }

    /// A man falls into the hands of an enemy: a major character is a prisoner [3.58, 3.47].
    fn take_or_lose(
        &self,
        p: &mut Realm,
        n: usize,
        captor: Option<Seat>,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let man = p.hidden.men[n];
        let Some(lord) = man.lord else { return };
        match (p.open.major_of(lord, man.who), captor) {
            (Some(id), Some(captor)) => {
                let hex = man.group.map(|g| p.open.group(g).at);
                let major = &mut p.open.majors[id.number()];
                major.captor = Some(captor);
                p.hidden.men[n].group = None;
                self.set_keeper(p, id, captor, hex);
                umpire.note(
                    Readers::ALL,
                    rule!("3.58"),
                    format_args!(
                        "{} is a prisoner of {}",
                        self.tactics().named(man.who),
                        self.lord_name(captor)
                    ),
                );
            }
            _ => self.lose_man(p, n),
        }
    }

    /// A prisoner is led by a group of his captor where he was taken; its first character has taken him [3.58, 3.77].
    fn set_keeper(&self, p: &mut Realm, id: MajorId, captor: Seat, hex: Option<MapHex>) {
        let here = hex.and_then(|hex| p.open.groups_of(captor).find(|(_, g)| g.at == hex).map(|(g, _)| g));
        let near = here.or_else(|| p.open.groups_of(captor).map(|(g, _)| g).next());
        let taker = hex.and_then(|hex| {
            self.majors_at(p, captor, hex).min_by_key(|m| (self.class(p, captor, p.open.major(*m).who), *m))
        });
        let major = &mut p.open.majors[id.number()];
        (major.keeper, major.taker) = (near, taker);
    }

    /// A group is gone: prisoners whom it kept are free if it was beaten by their friends, else the victor's; without a
    /// victor another group of their captor has them [3.58].
    pub(super) fn release_prisoners(&self, p: &mut Realm, group: GroupId, hex: MapHex, victor: Option<Seat>) {
        for i in 0..p.open.majors.len() {
            let major = p.open.majors[i];
            let (Some(lord), Some(captor)) = (major.lord, major.captor) else { continue };
            if major.keeper != Some(group) {
                continue;
            }
            match victor {
                Some(victor) if victor == lord || p.allied(victor, lord) => {
                    let major = &mut p.open.majors[i];
                    (major.captor, major.keeper, major.taker) = (None, None, None);
                }
                Some(victor) => {
                    p.open.majors[i].captor = Some(victor);
                    self.set_keeper(p, MajorId::at(i), victor, Some(hex));
                }
                None => self.set_keeper(p, MajorId::at(i), captor, Some(hex)),
            }
        }
        self.bring_home(p);
    }

    /// A man is gone for good.
    pub(super) fn lose_man(&self, p: &mut Realm, n: usize) {
        let man = p.hidden.men[n];
        p.hidden.men[n].lord = None;
        p.hidden.men[n].group = None;
        let Some(lord) = man.lord else { return };
        if let Some(id) = p.open.major_of(lord, man.who) {
            self.bury(p, id);
        }
    }

    /// What became of the men of a field is written into their sheets; what each side had and lost is counted.
    fn tally(&self, p: &mut Realm, i: usize, umpire: &mut (impl Umpire + ?Sized)) -> Tally {
        let t = self.tactics();
        let mut tally = Tally::default();
        let men = p.open.theatres[i].roll.len();
        let siege = matches!(p.open.theatres[i].what, What::Siege(_));
        for n in 0..men {
            let (who, soldier) = (p.open.theatres[i].roll[n], p.open.theatres[i].field.men[n]);
            let side = soldier.side.index();
            // Who never came to the field was not engaged \[S20\].
            if soldier.is(Marks::LATE) {
                continue;
            }
            let points = u32::from(t.kind(&soldier).points);
            tally.points[side] += points;
            if let What::Battle(hex) = p.open.theatres[i].what
                && let Some(g) =
                    who.lord.and_then(|lord| p.find(lord, who.who)).and_then(|m| p.hidden.men[m].group)
                && p.open.theatres[i].calls(g)
            {
                let group = p.open.group_mut(g);
                (group.at, group.inside, group.moved) = (hex, false, true);
            }
            let fled = soldier.fate == Fate::Fled && soldier.is(Marks::PANIC.or(Marks::ROUT)) && !siege;
            let honour = who
                .lord
                .and_then(|lord| p.open.major_of(lord, who.who))
                .map_or(0, |id| p.open.major(id).honour);
            let deserts = fled && {
                let roll = umpire.roll(10);
                let most = if soldier.is(Marks::ROUT) { 6 } else { 3 };
                let gone = roll.saturating_add(honour) <= most;
                umpire.note(
                    Readers::ALL,
                    rule!("table.3"),
                    format_args!(
                        "{} {}",
                        t.named(soldier.who),
                        if gone { "has deserted" } else { "comes back to his company" }
                    ),
                );
                gone
            };
            if deserts {
                tally.deserters[side] += 1;
            }
            if deserts || matches!(soldier.fate, Fate::Dead | Fate::Captive) {
                tally.losses[side] += points;
            }
            let Some(lord) = who.lord else { continue };
            let Some(m) = p.find(lord, who.who) else { continue };
            let hurt = soldier.life < p.hidden.men[m].life;
            p.hidden.men[m].experience = soldier.experience;
            p.hidden.men[m].skill = soldier.skill;
            p.hidden.men[m].kills = soldier.kills;
            p.hidden.men[m].life = soldier.life;
            match soldier.fate {
                Fate::Dead => self.lose_man(p, m),
                Fate::Captive => {
                    let captor = p.open.theatres[i].seats[soldier.side.foe().index()];
                    self.take_or_lose(p, m, captor, umpire);
                }
                _ if deserts => self.lose_man(p, m),
                _ => self.heal(p, m, lord, hurt, umpire),
            }
        }
        for g in 0..p.open.groups.len() {
            let Some(group) = p.open.groups[g] else { continue };
            let (id, seats) = (GroupId::at(g), p.open.theatres[i].seats);
            self.recount(p, id, true);
            if p.open.groups[g].is_none() {
                let victor = seats.into_iter().flatten().find(|s| *s != group.lord);
                self.release_prisoners(p, id, group.at, victor);
            }
        }
        tally
    }

    /// Who is not wounded is well again; the wounded roll for the turn of their healing [3.33, 3.51, table.7].
    fn heal(&self, p: &mut Realm, n: usize, lord: Seat, hurt: bool, umpire: &mut (impl Umpire + ?Sized)) {
        let man = p.hidden.men[n];
        let full = self.tactics().data.card(man.who.counter).life;
        if u16::from(man.life) * 2 >= u16::from(full) {
            p.hidden.men[n].life = full;
            p.hidden.men[n].heals = 0;
            return;
        }
        // Wounded anew he rolls again, and the later turn counts.
        if man.heals > 0 && !hurt {
            return;
        }
        let name = self.tactics().named(man.who);
        let turns = match umpire.roll(6) {
            1 | 2 => 1,
            3 | 4 => 2,
            5 => 3,
            _ if umpire.roll(6) <= 2 => {
                umpire.note(Readers::ALL, rule!("table.7"), format_args!("{name} dies of his wounds"));
                self.lose_man(p, n);
                return;
            }
            _ => 5,
        };
        p.hidden.men[n].heals = (p.open.turn + turns).max(man.heals);
        umpire.note(
            Readers::ALL,
            rule!("table.7"),
            format_args!("{name} will be well again in turn {}", p.hidden.men[n].heals),
        );
        if let Some(id) = p.open.major_of(lord, man.who) {
            let change = match umpire.roll(6) {
                1 => -1,
                6 => 1,
                _ => 0,
            };
            Self::adjust(&mut p.hidden.traits[id.number()].charisma, change);
            umpire.note(
                Readers::ALL,
                rule!("3.33"),
                format_args!(
                    "The wound of {name} {}",
                    ["disfigures him", "leaves no mark", "becomes him"][(change + 1) as usize]
                ),
            );
        }
    }

    /// The first major character of a lord's men on a side of a field.
    pub(super) fn leader_on(&self, p: &Realm, i: usize, side: Side, lord: Seat) -> Option<MajorId> {
        let t = &p.open.theatres[i];
        let own = t.roll.iter().zip(&t.field.men).filter(|(who, m)| m.side == side && who.lord == Some(lord));
        let majors = own.filter_map(|(who, _)| p.open.major_of(lord, who.who));
        let majors = majors.filter(|id| p.open.major(*id).captor.is_none());
        majors.min_by_key(|id| {
            let m = p.open.major(*id);
            (self.class(p, lord, m.who), 255 - m.fame, *id)
        })
    }

    pub(crate) fn is_knight(&self, counter: Counter) -> bool {
        self.tactics().data.kind(counter).class == KNIGHT
    }
}

/// What each side of a field had and lost, in troop points [3.34].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) points: [u32; 2],
    pub(super) losses: [u32; 2],
    pub(super) deserters: [u32; 2],
}
