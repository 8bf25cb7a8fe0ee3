//! The end of a player-turn, and of a battle [T8, T23, T31, T45, T47, ruling 50].

use table::{Ballot, Readers, Umpire, rule};

use super::{Refusal, Tactics};
use crate::data::Terrain;
use crate::deed::Deed;
use crate::field::{Ending, Fate, Field, Marks, Step};
use crate::ids::{Man, Side};

impl Tactics {
    pub(super) fn begin_player_turn(&self, f: &mut Field, side: Side, umpire: &mut (impl Umpire + ?Sized)) {
        f.active = side;
        let first = side == f.first;
        for soldier in &mut f.men {
            let own = soldier.side == side;
            soldier.marks.begin_turn(own, first);
            if !soldier.is(Marks::LATE) {
                soldier.run = 0;
            }
            if own {
                let running = soldier.is(Marks::PANIC);
                soldier.marks.set(Marks::RUNNING, running);
            }
        }
        for engine in &mut f.engines {
            if engine.side == side && engine.kind != crate::field::EngineKind::Ballista {
                engine.used = 0;
            }
            engine.done = false;
        }
        if let Some(siege) = &mut f.siege {
            siege.poured = 0;
            siege.worked = false;
        }
        umpire.heading(format_args!(
            "Turn {}, the men of {}",
            f.turn,
            self.call(f, f.chiefs[side.index()].man)
        ));
        umpire.cite(rule!("T8"));
        self.reinforce(f, side, umpire);
        self.begin_fire(f, umpire);
    }

    /// Combat is over: morale, then the stunned stand up, then the other side's turn.
    pub(super) fn end_player_turn(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        self.drop_orders(f);
        self.morale_phase(f, umpire);
        for number in 0..f.men.len() {
            let soldier = f.men[number];
            if soldier.side == f.active
                && soldier.here()
                && soldier.is(Marks::STUNNED)
                && !soldier.is(Marks::FRESH)
            {
                f.men[number].marks.set(Marks::ANEW, false);
                if soldier.is(Marks::ANEW) {
                    umpire.note(
                        Readers::ALL,
                        rule!("3.51"),
                        format_args!(
                            "{} was stunned anew and lies a turn longer",
                            self.call(f, Man::at(number))
                        ),
                    );
                    continue;
                }
                f.men[number].marks.set(Marks::STUNNED, false);
                umpire.note(
                    Readers::ALL,
                    rule!("T23"),
                    format_args!("{} stands up", self.call(f, Man::at(number))),
                );
            }
        }
        if f.siege.is_some() {
            self.burn(f, umpire);
        }
        self.take_ladies(f, umpire);
        if let Some(ending) = self.ending(f) {
            self.end(f, ending, umpire);
            return;
        }
        if f.active != f.first {
            if f.turn >= f.last {
                self.end(f, Ending::Night, umpire);
                return;
            }
            f.turn += 1;
        }
        self.begin_player_turn(f, f.active.foe(), umpire);
    }

    /// A lady next to an enemy major character with no friend of hers next to him is taken \[T47\].
    fn take_ladies(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        for number in 0..f.men.len() {
            let (man, soldier) = (Man::at(number), f.men[number]);
            if !soldier.here() || self.kind(&soldier).armed || !self.card(&soldier).name.starts_with("Lady ")
            {
                continue;
            }
            let captor = f.of(soldier.side.foe()).map(|(foe, _)| foe).find(|foe| {
                let guarded = |foe: Man| {
                    let mut friends = f.of(soldier.side);
                    friends.any(|(friend, m)| friend != man && m.stands() && f.apart(friend, foe) == 1)
                };
                f.man(*foe).steady() && self.major(f, *foe) && self.beside(f, *foe, man) && !guarded(*foe)
            });
            if let Some(captor) = captor {
                umpire.note(
                    Readers::ALL,
                    rule!("T47"),
                    format_args!("{} is taken by {}", self.call(f, man), self.call(f, captor)),
                );
                self.remove(f, man, Fate::Captive, false);
            }
        }
    }

    /// Whether it is over, and why.
    fn ending(&self, f: &Field) -> Option<Ending> {
        if let Some(siege) = f.siege
            && self.taken(f, siege.defender)
        {
            return Some(Ending::Taken);
        }
        for side in [f.active.foe(), f.active] {
            if f.retreats[side.index()] && f.of(side).next().is_none() {
                return Some(Ending::Withdrawn(side));
            }
            if !self.fights_on(f, side) {
                return Some(Ending::Beaten(side));
            }
        }
        None
    }

    /// Whether somebody of a side still fights: a man in arms on the field, neither stunned nor routing [T31, T46].
    pub fn fights_on(&self, f: &Field, side: Side) -> bool {
        f.of(side).any(|(_, m)| m.stands() && !m.is(Marks::ROUT) && self.kind(m).armed)
    }

    /// Whether the place is taken: no standing defender outside the keep, and the keep entered or its door
    /// broken \[T45\].
    pub fn taken(&self, f: &Field, defender: Side) -> bool {
        let in_keep = |at| matches!(f.terrain(at), Terrain::KeepInterior);
        let outside = f
            .of(defender)
            .any(|(_, m)| m.stands() && self.kind(m).armed && m.at.is_some_and(|at| !in_keep(at)));
        let entered = f.of(defender.foe()).any(|(_, m)| m.stands() && m.at.is_some_and(in_keep));
        let broken = f.siege.is_some_and(|siege| siege.door >= self.data.tables.gate_damage);
        !outside && (entered || broken || f.of(defender).all(|(_, m)| !m.stands()))
    }

    /// Whether the besiegers hold the ramparts: a man in arms of theirs stands on the wall, and none of the
    /// garrison \[T45\]. It does not decide an assault; whoever parleys afterwards asks for it.
    pub fn ramparts_held(&self, f: &Field, defender: Side) -> bool {
        let up = |side| {
            let mut men = f.of(side).filter(|(_, m)| m.stands() && self.kind(m).armed);
            men.any(|(_, m)| m.at.is_some_and(|at| self.level(f, at) > 0))
        };
        !up(defender) && up(defender.foe())
    }

    fn end(&self, f: &mut Field, ending: Ending, umpire: &mut (impl Umpire + ?Sized)) {
        f.ended = Some(ending);
        if let Ending::Beaten(side) | Ending::GivenUp(side) = ending {
            for number in 0..f.men.len() {
                if f.men[number].side == side && f.men[number].here() {
                    let fate = if f.men[number].is(Marks::STUNNED) { Fate::Captive } else { Fate::Fled };
                    self.remove(f, Man::at(number), fate, false);
                }
            }
        }
        if let Ending::Beaten(side) | Ending::Withdrawn(side) | Ending::GivenUp(side) = ending {
            self.free_prisoners(f, side);
        }
        let chief = |side: Side| self.call(f, f.chiefs[side.index()].man);
        match ending {
            Ending::Beaten(side) => umpire.note(
                Readers::ALL,
                rule!("T31"),
                format_args!("Nobody who follows {} fights on", chief(side)),
            ),
            Ending::Withdrawn(side) => {
                umpire.note(Readers::ALL, rule!("T31"), format_args!("The men of {} are gone", chief(side)));
            }
            Ending::GivenUp(side) => {
                umpire.note(Readers::ALL, rule!("T31"), format_args!("{} gives the battle up", chief(side)));
            }
            Ending::Night => {
                umpire.note(Readers::ALL, rule!("T31"), format_args!("Night falls"));
                let held = f.defender().is_some_and(|defender| self.ramparts_held(f, defender));
                if held {
                    umpire.note(Readers::ALL, rule!("T45"), format_args!("The besiegers hold the ramparts"));
                }
            }
            Ending::Taken => umpire.note(Readers::ALL, rule!("T45"), format_args!("The place is taken")),
        }
        while f.agenda.pop().is_some() {}
        f.agenda.push(Step::Over);
    }

    /// What a side counts for its enemies, in hundredths of points [ruling 50].
    pub fn score(&self, f: &Field, side: Side) -> u32 {
        let count = &self.data.count;
        let lost = f.men.iter().filter(|m| m.side != side);
        lost.map(|m| {
            let tenths = match m.fate {
                Fate::Fights => 0,
                Fate::Dead => count.killed,
                Fate::Captive => count.captured,
                Fate::Fled => count.fled,
            };
            let refused = if m.is(Marks::REFUSED) { count.refused_plea } else { 0 };
            u32::from(self.card(m).cost) * tenths * (10 - refused)
        })
        .sum()
    }

    /// Who has won, if it is over; nobody in a draw.
    pub fn winner(&self, f: &Field) -> Option<Option<Side>> {
        let ending = f.ended?;
        if let Some(siege) = f.siege {
            return Some(Some(match ending {
                Ending::Taken => siege.defender.foe(),
                Ending::Beaten(side) | Ending::Withdrawn(side) | Ending::GivenUp(side) => side.foe(),
                Ending::Night => siege.defender,
            }));
        }
        let scores = Side::BOTH.map(|side| self.score(f, side));
        let ahead = |own: u32, other: u32| own > 0 && own * 10 >= other * (10 + self.data.count.ahead);
        Some(if ahead(scores[0], scores[1]) {
            Some(Side::First)
        } else if ahead(scores[1], scores[0]) {
            Some(Side::Second)
        } else {
            None
        })
    }

    /// Whether a commander may order the retreat, or give the battle up once he has \[T31\].
    pub fn may_retreat(&self, f: &Field) -> Result<(), Refusal> {
        let side = f.active;
        let begun = f.of(side).any(|(_, m)| m.is(Marks::SHOT.or(Marks::MOVED)));
        if begun {
            return Err((rule!("T31"), "the retreat is ordered at the start of a player-turn"));
        }
        if f.men.iter().all(|m| m.side != side || m.fate == Fate::Fights && !self.wounded(m)) {
            return Err((rule!("T31"), "nobody retreats before blood has flowed"));
        }
        if f.defender() == Some(side) {
            return Err((rule!("T31"), "a garrison has nowhere to go"));
        }
        Ok(())
    }

    pub(super) fn list_giving_up(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        let ordered = f.retreats[f.active.index()];
        let deed = if ordered { Deed::GiveUp } else { Deed::Retreat };
        match self.may_retreat(f) {
            Ok(()) => ballot.allow(deed),
            Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
        }
    }

    pub(super) fn order_retreat(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let side = f.active;
        f.retreats[side.index()] = true;
        umpire.note(
            Readers::ALL,
            rule!("T31"),
            format_args!("{} orders the retreat", self.call(f, f.chiefs[side.index()].man)),
        );
        if f.step() == Step::Move {
            self.begin_movement(f, umpire);
        }
    }

    pub(super) fn give_up(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let side = f.active;
        self.end(f, Ending::GivenUp(side), umpire);
    }
}
