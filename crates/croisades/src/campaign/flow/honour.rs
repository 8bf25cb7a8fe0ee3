//! What characters gain and lose by battles: honour by mercy, command and fame by what was lost [3.31, 3.34, 3.35].

use table::{Readers, Seat, Umpire, rule};

use super::battles::Tally;
use crate::campaign::Campaign;
use crate::field::Ending;
use crate::ids::{Man as FieldMan, Side};
use crate::realm::{MajorId, MapHex, PlaceId, Realm};

impl Campaign {
    /// Mercy granted brings 2 honour, mercy refused costs 2, unless the pleader has none himself [3.31].
    pub(super) fn honour_mercy(
        &self,
        p: &mut Realm,
        i: usize,
        pleader: FieldMan,
        asked: FieldMan,
        granted: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let major = |man: FieldMan| {
            let who = p.open.theatres[i].roll[man.number()];
            who.lord.and_then(|lord| p.open.major_of(lord, who.who))
        };
        let (Some(pleader), Some(asked)) = (major(pleader), major(asked)) else { return };
        let change = match granted {
            true => 2,
            false if p.open.major(pleader).honour == 0 => 0,
            false => -2,
        };
        Self::adjust(&mut p.open.majors[asked.number()].honour, change);
        umpire.note(
            Readers::ALL,
            rule!("3.31"),
            format_args!(
                "{} {}",
                self.tactics().named(p.open.major(asked).who),
                match change {
                    2 => "gains 2 honour by his mercy",
                    0 => "refuses a man without honour, and loses none",
                    _ => "loses 2 honour by his refusal",
                }
            ),
        );
    }

    /// Whether a major character is inside the walls of a hex.
    fn is_inside(&self, p: &Realm, id: MajorId, hex: MapHex) -> bool {
        p.group_of(id).is_some_and(|g| p.open.group(g).at == hex && p.open.group(g).inside)
    }

    /// Whom a character must help in a besieged town: his wife, a vassal, his lord; the honour that hangs on each [3.31].
    fn ties(&self, p: &Realm, id: MajorId, place: PlaceId) -> (i8, &'static str) {
        let (major, hex) = (p.open.major(id), self.hex_of(&p.open, place));
        let Some(lord) = major.lord else { return (0, "") };
        let own = p.open.lords[lord.index()].suzerain;
        if self.lady_of(p, place).is_some_and(|(_, husband)| husband == id) {
            (2, "his wife")
        } else if own == Some(id) {
            let vassal = p.open.majors_of(lord).any(|(v, _)| v != id && self.is_inside(p, v, hex));
            // Lords who are vassals of lords bear the same duties [scenario.5].
            let sworn = |open: bool| {
                let bound = p.open.playing().without(lord);
                let bound = bound.iter().filter(|other| {
                    let (vassal, liege) = if open { (*other, lord) } else { (lord, *other) };
                    p.open.lords[vassal.index()].liege.is_some_and(|(l, _)| l == liege)
                });
                bound.filter_map(|s| p.open.lords[s.index()].suzerain).any(|s| self.is_inside(p, s, hex))
            };
            if sworn(false) {
                return (1, "his lord");
            }
            (i8::from(vassal || sworn(true)), "his vassal")
        } else {
            (i8::from(own.is_some_and(|own| self.is_inside(p, own, hex))), "his lord")
        }
    }

    /// Who fought the besiegers of a town has come to its relief; who beat them has honour by it [3.31].
    pub(super) fn honour_relief(
        &self,
        p: &mut Realm,
        i: usize,
        hex: MapHex,
        loser: Option<Side>,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(place) = self.place_at(&p.open, hex) else { return };
        let Some(s) = p.open.siege(place) else { return };
        let besieger = Some(p.open.sieges[s].besieger);
        let Some(camp) =
            Side::BOTH.into_iter().find(|side| p.open.theatres[i].seats[side.index()] == besieger)
        else {
            return;
        };
        for n in 0..p.open.theatres[i].roll.len() {
            let (who, m) = (p.open.theatres[i].roll[n], p.open.theatres[i].field.men[n]);
            let helper = who.lord.filter(|_| m.side != camp).and_then(|l| p.open.major_of(l, who.who));
            let Some(id) = helper else { continue };
            p.open.sieges[s].came[id.number() / 64] |= 1 << (id.number() % 64);
            let (points, whom) = self.ties(p, id, place);
            if loser != Some(camp) || points == 0 {
                continue;
            }
            Self::adjust(&mut p.open.majors[id.number()].honour, points);
            umpire.note(
                Readers::ALL,
                rule!("3.31"),
                format_args!(
                    "{} has relieved {whom}: honour grows by {points}",
                    self.tactics().named(who.who)
                ),
            );
        }
    }

    /// A besieged town falls: who did not come to the help of his own loses honour [3.31].
    pub(super) fn shame(&self, p: &mut Realm, s: usize, umpire: &mut (impl Umpire + ?Sized)) {
        let (place, came) = (p.open.sieges[s].place, p.open.sieges[s].came);
        let hex = self.hex_of(&p.open, place);
        for n in 0..p.open.majors.len() {
            let id = MajorId::at(n);
            let major = p.open.majors[n];
            let helped = came[n / 64] >> (n % 64) & 1 == 1;
            if major.lord.is_none() || major.captor.is_some() || helped || self.is_inside(p, id, hex) {
                continue;
            }
            let (points, whom) = self.ties(p, id, place);
            if points > 0 {
                Self::adjust(&mut p.open.majors[n].honour, -points);
                umpire.note(
                    Readers::ALL,
                    rule!("3.31"),
                    format_args!(
                        "{} did not come to the help of {whom}: honour falls by {points}",
                        self.tactics().named(major.who)
                    ),
                );
            }
        }
    }

    /// Command and fame are given and taken after a battle [3.34, 3.35, ruling 20].
    pub(super) fn award(&self, p: &mut Realm, i: usize, tally: &Tally, umpire: &mut (impl Umpire + ?Sized)) {
        let field = &p.open.theatres[i].field;
        let fled = match field.ended {
            Some(Ending::Beaten(side) | Ending::Withdrawn(side) | Ending::GivenUp(side)) => Some(side),
            _ => None,
        };
        let total = tally.points[0] + tally.points[1];
        for side in Side::BOTH {
            let (own, foe) = (side.index(), side.foe().index());
            let (points, losses) = (tally.points, tally.losses);
            // Halves are kept: twice the sums are compared.
            let command = if points[own] < 20 || tally.deserters[own] > 0 {
                0
            } else if 2 * points[own] + 3 * losses[own] < 2 * points[foe] + 2 * losses[foe] {
                match points[own] {
                    100.. => 3,
                    50.. => 2,
                    _ => 1,
                }
            } else {
                0
            };
            if command > 0 {
                self.share(p, i, side, command, rule!("3.34"), umpire);
            }
            let disgraced = tally.deserters[own] > 0
                && 2 * points[own] + 2 * losses[own] > 2 * points[foe] + 3 * losses[foe];
            if disgraced {
                self.lose_points(p, i, side, rule!("3.34"), umpire);
            }
            let fame = if total < 40 || fled != Some(side.foe()) {
                0
            } else if points[own] + 2 * losses[own] < points[foe] + losses[foe] {
                match total {
                    400.. => 5,
                    250.. => 4,
                    150.. => 3,
                    80.. => 2,
                    _ => 1,
                }
            } else {
                0
            };
            if fame > 0 {
                self.share(p, i, side, fame, rule!("3.35"), umpire);
            }
            let shamed = total >= 40
                && fled == Some(side)
                && points[own] + losses[own] > points[foe] + 2 * losses[foe];
            if shamed {
                self.lose_points(p, i, side, rule!("3.35"), umpire);
            }
        }
    }

    /// Points go round among the lords of a side, the greatest army first, to the highest in rank of each.
    fn share(
        &self,
        p: &mut Realm,
        i: usize,
        side: Side,
        points: u8,
        rule: table::Rule,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let weight = |lord: Seat| -> u32 {
            let t = &p.open.theatres[i];
            let own = t.roll.iter().zip(&t.field.men).filter(|(w, m)| m.side == side && w.lord == Some(lord));
            own.map(|(_, m)| u32::from(self.tactics().kind(m).points)).sum()
        };
        let mut lords: arrayvec::ArrayVec<(u32, Seat, MajorId), 8> = arrayvec::ArrayVec::new();
        for lord in p.open.party.iter() {
            if let Some(id) = self.leader_on(p, i, side, lord) {
                lords.push((weight(lord), lord, id));
            }
        }
        if lords.is_empty() {
            return;
        }
        // Of equal armies the commander's first, then by the order of play [ruling 20].
        let chief = p.open.theatres[i].seats[side.index()];
        let order = |lord: Seat| (0..8).position(|at| p.open.at_turn(at) == Some(lord)).unwrap_or(8);
        lords.sort_unstable_by_key(|(weight, lord, _)| {
            (u32::MAX - weight, Some(*lord) != chief, order(*lord))
        });
        for n in 0..usize::from(points) {
            let (_, _, id) = lords[n % lords.len()];
            if rule.number() == "3.34" {
                Self::adjust(&mut p.hidden.traits[id.number()].command, 1);
            } else {
                Self::adjust(&mut p.open.majors[id.number()].fame, 1);
            }
        }
        let what = if rule.number() == "3.34" { "command" } else { "fame" };
        for (n, (_, _, id)) in lords.iter().enumerate() {
            let got = (usize::from(points) + lords.len() - 1 - n) / lords.len();
            if got > 0 {
                umpire.note(
                    Readers::ALL,
                    rule,
                    format_args!("{} gains {got} {what}", self.tactics().named(p.open.major(*id).who)),
                );
            }
        }
    }

    /// Every major character of a side loses a point.
    fn lose_points(
        &self,
        p: &mut Realm,
        i: usize,
        side: Side,
        rule: table::Rule,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        for n in 0..p.open.theatres[i].roll.len() {
            let (who, m) = (p.open.theatres[i].roll[n], p.open.theatres[i].field.men[n]);
            let Some(id) = who.lord.filter(|_| m.side == side).and_then(|l| p.open.major_of(l, who.who))
            else {
                continue;
            };
            let command = rule.number() == "3.34";
            if command {
                Self::adjust(&mut p.hidden.traits[id.number()].command, -1);
            } else {
                Self::adjust(&mut p.open.majors[id.number()].fame, -1);
            }
            umpire.note(
                Readers::ALL,
                rule,
                format_args!(
                    "{} loses a point of {}",
                    self.tactics().named(p.open.major(id).who),
                    if command { "command" } else { "fame" }
                ),
            );
        }
    }
}
