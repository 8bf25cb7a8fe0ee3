//! Random events [9.0, 35.0].

use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use super::pilgrimage::Picked;
use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Contingent, Event, Family, Space, Unit};
use crate::position::{Landing, Phase, Place, Position, Step};
use crate::words::{count, units};

impl FirstCrusade {
    /// Two dice on the event table: column, row [9.0].
    pub(super) fn roll_event<U: Umpire + ?Sized>(&self, umpire: &mut U) -> Event {
        let (column, row) = (umpire.roll(6), umpire.roll(6));
        let event = self.components.events[usize::from(column) - 1][usize::from(row) - 1];
        umpire.note(
            Readers::ALL,
            rule!("9.0"),
            format_args!("The event of column {column}, row {row} is {}", event.name()),
        );
        event
    }

    fn controls(&self, p: &Position, spaces: Set<Space>) -> usize {
        spaces.iter().filter(|s| self.christians(p, *s).any() && self.controlled(p, *s)).count()
    }

    pub(super) fn happen<U: Umpire + ?Sized>(&self, p: &mut Position, event: Event, umpire: &mut U) {
        let c = &self.components;
        let rule = event.rule();
        let nothing = |umpire: &mut U| {
            umpire.note(Readers::ALL, rule, format_args!("Nothing comes of it"));
        };
        umpire.cite(rule);
        match event {
            Event::NoEvent => {}
            Event::ArmenianAlliance => {
                if p.armenia {
                    self.gain_special(p, 1, umpire);
                } else {
                    self.activate_armenia(p, umpire);
                }
            }
            Event::AssassinsStrike => {
                if (self.christians(p, c.masyaf) & self.all_of(Family::Crusader)).any() {
                    self.gain_special(p, 1, umpire);
                } else {
                    self.lose_boon(p, umpire);
                    p.agenda.push(Step::Named(event));
                }
            }
            Event::ByzantinesGoHome => self.byzantines_go_home(p, umpire),
            Event::ByzantineReinforcement => {
                if let Some(u) = self.draw(self.bin_of(p, Family::Byzantine), Readers::ALL, umpire) {
                    p.put(u, c.capital);
                    umpire.note(
                        Readers::ALL,
                        rule,
                        format_args!("{} comes to Constantinople", c.unit_name(u)),
                    );
                }
            }
            Event::CelestialWonder => self.celestial_wonder(p, umpire),
            Event::ChristianInfighting => {
                self.lose_boon(p, umpire);
                p.infighting = true;
                umpire.note(Readers::ALL, rule, format_args!("This turn only Crusaders take actions"));
            }
            Event::CrusaderLeaderGoesHome => p.agenda.push(Step::Named(event)),
            Event::CrusaderReinforcement => {
                if let Some(u) = self.draw(self.bin_of(p, Family::Crusader), Readers::ALL, umpire) {
                    p.place[u] = Place::Waiting;
                    p.agenda.push(Step::Landing(Landing::CrusaderPort));
                }
            }
            Event::Earthquake => {
                umpire.note(Readers::ALL, rule, format_args!("The turn is over"));
                p.standard = 0;
                p.special = 0;
                p.agenda = table::Agenda::starting(Step::Turn(Phase::Winter));
            }
            Event::FatimidsIntervene => {
                let seljuk = (self.muslims(p, c.jerusalem) & self.of(Contingent::Seljuk)).any()
                    && self.christians(p, c.jerusalem).is_empty();
                if p.fatimids || self.controls(p, c.holy) < 2 || !seljuk {
                    umpire.cite(rule!("27.10"));
                    nothing(umpire);
                } else {
                    self.fatimids_intervene(p, umpire);
                }
            }
            Event::GestaFrancorum => self.gain_special(p, 2, umpire),
            Event::Jihad => {
                let occupied = self.christians(p, c.jerusalem).any() || self.christians(p, c.damascus).any();
                if occupied {
                    umpire.cite(rule!("27.9"));
                    umpire.cite(rule!("26.3"));
                    self.move_reaction(p, 1, umpire);
                    p.agenda.push(Step::Counter { bonus: 1 });
                } else {
                    nothing(umpire);
                }
            }
            Event::MuslimInfighting => {
                self.move_reaction(p, -1, umpire);
                self.gain_special(p, 1, umpire);
            }
            Event::PapalSupport => self.papal_support(p, umpire),
            Event::Plague => self.plague(p, umpire),
            Event::Storms => self.storms(p, umpire),
            Event::TurkCivilWar => {
                if self.controls(p, c.turkish) >= 2 {
                    self.move_reaction(p, -1, umpire);
                    self.gain_special(p, 1, umpire);
                } else {
                    nothing(umpire);
                }
            }
        }
    }

    fn byzantines_go_home<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        for s in self.components.spaces.ids() {
            let force = p.here[s] & self.family(Family::Byzantine);
            if force.is_empty() || self.sheltered(p, s) {
                continue;
            }
            if force.has(self.components.takitios) && p.here[s].meets(self.family(Family::Crusader)) {
                umpire.cite(rule!("32.3"));
            }
            let die = umpire.roll(6);
            umpire.note(
                Readers::ALL,
                Event::ByzantinesGoHome.rule(),
                format_args!(
                    "The Byzantines in {} {} (die {die})",
                    self.components.space_name(s),
                    if die <= 2 { "go home" } else { "stay" }
                ),
            );
            if die <= 2 {
                for u in force.iter() {
                    self.remove(p, u, Place::Bin);
                }
            }
        }
    }

    /// All markers go back and as many are picked [35.celestial-wonder].
    fn celestial_wonder<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let held = std::mem::take(&mut p.boons);
        let mut without = Set::NONE;
        for (family, held) in Family::ALL.into_iter().zip(held) {
            for _ in held {
                match self.pick(p, family.seat(), without, umpire) {
                    Picked::Mercenary(u) => p.put(u, self.components.capital),
                    // A bane that was picked is not picked again before all have gone back.
                    Picked::Bane(m) => without.insert(m),
                    Picked::Boon | Picked::Nothing => {}
                }
            }
        }
    }

    fn papal_support<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let n = umpire.roll(6);
        umpire.note(
            Readers::ALL,
            Event::PapalSupport.rule(),
            format_args!("The Pope sends {}", count(n, "Pilgrimage marker", "Pilgrimage markers")),
        );
        let mut without = Set::NONE;
        for _ in 0..n {
            if let Picked::Bane(m) = self.pick(p, Seat::new(0), without, umpire) {
                without.insert(m);
            }
        }
        p.agenda.push(Step::Landing(Landing::CrusaderPort));
    }

    /// The Fatimids take Jerusalem [27.10].
    fn fatimids_intervene<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        let jerusalem = self.components.jerusalem;
        for u in self.muslims(p, jerusalem).iter() {
            p.stow(u, Place::Bin);
        }
        p.fatimids = true;
        let n = umpire.roll(6);
        self.occupy(p, jerusalem, n, umpire);
        umpire.note(
            Readers::ALL,
            rule!("27.10"),
            format_args!("The Fatimids take Jerusalem with {}", units(self.muslims(p, jerusalem).len())),
        );
    }

    fn plague<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        for s in self.components.spaces.ids() {
            let here = p.here[s];
            if here.len() < 3 {
                continue;
            }
            let die = umpire.roll(6);
            let struck = die == 6;
            umpire.note(
                Readers::ALL,
                Event::Plague.rule(),
                format_args!(
                    "{} is {} (die {die})",
                    self.components.space_name(s),
                    if struck { "struck by the plague" } else { "spared the plague" }
                ),
            );
            if struck {
                // The dead are seen by all.
                self.reveal(p, s, umpire);
                for u in here.iter() {
                    if p.at(u) == Some(s) {
                        self.lose_step(p, u, Event::Plague.rule(), umpire);
                    }
                }
            }
        }
    }

    fn storms<U: Umpire + ?Sized>(&self, p: &mut Position, umpire: &mut U) {
        for s in self.components.seas.iter() {
            let ships = p.here[s];
            if ships.is_empty() {
                continue;
            }
            let die = umpire.roll(6);
            umpire.note(
                Readers::ALL,
                Event::Storms.rule(),
                format_args!(
                    "The ships in {} {} (die {die})",
                    self.components.space_name(s),
                    if die <= 2 { "are driven to Constantinople" } else { "weather the storms" }
                ),
            );
            if die <= 2 {
                for u in ships.iter() {
                    p.put(u, self.components.capital);
                    self.disembark(p, u);
                }
            }
        }
    }

    /// The leaders among whom one is named.
    pub(super) fn nameable(&self, p: &Position, event: Event) -> Set<Unit> {
        let leaders = match event {
            Event::AssassinsStrike => self.components.leaders & self.components.christians,
            _ => self.components.leaders & self.of(Contingent::Crusader),
        };
        leaders.iter().filter(|u| p.on_map(*u)).collect()
    }

    pub(super) fn list_named<B: Ballot<Action> + ?Sized>(&self, p: &Position, event: Event, ballot: &mut B) {
        for u in self.nameable(p, event).iter() {
            ballot.allow(Action::Name(u));
        }
    }

    pub(super) fn name_leader<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        u: Unit,
        event: Event,
        umpire: &mut U,
    ) {
        p.agenda.pop();
        let name = self.components.unit_name(u);
        if event == Event::AssassinsStrike {
            let factor = self.components.units[u].factor(p.reduced.has(u));
            let die = umpire.roll(6);
            umpire.note(
                Readers::ALL,
                event.rule(),
                format_args!(
                    "The Assassins seek {name}: a die of {die} against his factor of {factor}, and {}",
                    if die > factor { "the dagger strikes" } else { "he wards it off" }
                ),
            );
            if die > factor {
                self.lose_step(p, u, event.rule(), umpire);
            }
        } else {
            let from = self.whereabouts(p, u);
            umpire.note(Readers::ALL, event.rule(), format_args!("{name} goes home from {from}"));
            self.remove(p, u, Place::Bin);
        }
    }
}
