//! Crusades and other arrivals \[19\].

use table::{Readers, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::data::scenarios::Arrival;
use crate::ids::{MUSLIM, Space};
use crate::position::{Ending, Place, Position};
use crate::words::Counted;

impl KingdomOfHeaven {
    /// At the beginning of a turn: the check of a scheduled crusade, then whoever comes.
    pub(super) fn arrive_on_time(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let (plot, turn) = (self.plot(&p.open), p.open.turn);
        let crusade = plot.crusade.as_ref().filter(|(when, ..)| *when == turn);
        if let Some((_, least, arrivals)) = crusade {
            umpire.cite(rule!("19"));
            let points = self.points(&p.open, MUSLIM);
            if points < *least {
                p.open.ending = Some(Ending::NoCrusade);
                umpire.reveal(Readers::ALL);
                umpire.note(
                    Readers::ALL,
                    rule!("19.2"),
                    format_args!("The Muslim has {points} victory points, and {least} are needed: no crusade comes, and the war is won"),
                );
                return;
            }
            umpire.note(
                Readers::ALL,
                rule!("19.2"),
                format_args!(
                    "The Muslim has {points} victory points, and {least} are enough: the crusade comes"
                ),
            );
            for arrival in arrivals {
                self.come(p, arrival, umpire);
            }
        }
        for arrival in plot.arrivals.iter().filter(|a| a.turn == turn) {
            self.come(p, arrival, umpire);
        }
    }

    fn come(&self, p: &mut Position, arrival: &Arrival, umpire: &mut (impl Umpire + ?Sized)) {
        let side = arrival.leaders.iter().find_map(|l| self.leads_for(&p.open, *l)).or_else(|| {
            arrival.units.iter().find_map(|(k, _)| self.side(&p.open, self.components.kind(*k).power))
        });
        let sea = self.components.all_spaces().find(|s| self.components.space(*s).by_sea);
        let is_box = |s: Space| self.components.space(s).is_box;
        let welcome = is_box(arrival.space)
            || side.is_some_and(|seat| self.friendly(&p.open, arrival.space, seat))
                && !p.open.marks[arrival.space].besieged;
        let space = if welcome { Some(arrival.space) } else { arrival.other.or(sea) };
        let Some(space) = space else { return };
        for leader in &arrival.leaders {
            if p.open.led[*leader] == Place::Tray {
                p.open.put_leader(*leader, Place::At(space));
                let (name, place) = (self.leader_start(*leader), self.space_name(space));
                umpire.note(Readers::ALL, rule!("19.1"), format_args!("{name} arrives in {place}"));
            }
        }
        let mut count = 0_u8;
        for (kind, n) in &arrival.units {
            for _ in 0..*n {
                let free =
                    self.plot(&p.open).roster.of_kind[*kind].iter().find(|u| p.open.at[*u] == Place::Tray);
                let Some(unit) = free else { continue };
                p.open.put(unit, Place::At(space));
                count += 1;
            }
        }
        if count > 0 {
            let place = self.space_name(space);
            umpire.note(
                Readers::ALL,
                rule!("19.1"),
                format_args!("{} in {place}", Counted(count, "unit arrives", "units arrive")),
            );
        }
    }
}
