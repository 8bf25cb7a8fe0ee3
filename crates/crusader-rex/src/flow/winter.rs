//! Winter [8.0]: sieges kept over it, supply, replacements, and the end of the year.

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{BLOCKS, FRANK, NONE, SARACEN, Set, TOWNS, each, one};
use crate::position::{DEAD, POOL, Phase, Position, Step};

impl CrusaderRex {
    /// Attrition in the siege that a winter campaign keeps; nothing if it is a siege no more [8.2].
    pub(super) fn winter_sieges(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        p.agenda.replace(Step::Turn(Phase::WinterToll));
        umpire.cite(rule!("8.2"));
        if p.campaign != NONE {
            self.attrition(p, p.campaign, true, umpire);
        }
    }

    /// All other besiegers are eliminated; then the count, or supply and replacements [8.3].
    pub(super) fn winter_toll(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for t in 0..TOWNS as u8 {
            let Some(seat) = self.besieged(p, t) else { continue };
            if t == p.campaign {
                continue;
            }
            let besiegers = self.field(p, t, seat.other());
            umpire.note(
                Readers::ALL,
                rule!("8.3"),
                format_args!(
                    "{} blocks before {} do not survive the winter",
                    besiegers.count_ones(),
                    self.components.town_name(t)
                ),
            );
            for b in each(besiegers) {
                self.eliminate(p, b, true, umpire);
            }
        }
        if self.sudden_death(p, umpire) {
            return;
        }
        if p.year + 1 == p.table.years {
            let saracens = self.saracens_lead(p);
            umpire.note(
                Readers::ALL,
                rule!("1.2"),
                format_args!("the Saracens hold {} of seven victory cities", self.prizes(p, SARACEN)),
            );
            self.finish(p, if saracens { SARACEN } else { FRANK }, false, umpire);
            return;
        }
        p.done = [false; 2];
        p.agenda.replace(Step::Turn(Phase::YearEnd));
        p.agenda.push(Step::Winter);
        umpire.cite(rule!("8.3"));
    }

    /// How many blocks a town feeds [8.3].
    pub(crate) fn supply(&self, t: u8) -> u32 {
        self.rating(t).max(1)
    }

    /// A side's blocks that winter in a town: not those of a siege that goes on [8.2].
    pub(crate) fn wintering(&self, p: &Position, seat: Seat, t: u8) -> Set {
        if self.besieged(p, t).is_some() { 0 } else { p.here[usize::from(t)] & self.of(seat) & !p.starved }
    }

    /// What a step costs in a town [8.4].
    fn step_cost(&self, seat: Seat, t: u8) -> u8 {
        if self.components.homes[seat.index()] & one(t) != 0 { 1 } else { 2 }
    }

    /// Replacement points that a town has left.
    fn points(&self, p: &Position, seat: Seat, t: u8, wintering: Set) -> u8 {
        let spent: u8 = each(wintering).map(|b| p.gains[usize::from(b)]).sum();
        self.components.towns[usize::from(t)].rating - spent * self.step_cost(seat, t)
    }

    fn is_whole(&self, p: &Position, b: u8) -> bool {
        let i = usize::from(b);
        p.strength[i] + p.gains[i] >= self.components.blocks[i].steps
    }

    pub(super) fn list_winter(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let mut hungry = false;
        for t in 0..TOWNS as u8 {
            let blocks = self.wintering(p, seat, t);
            if blocks.count_ones() > self.supply(t) {
                hungry = true;
                for b in each(blocks) {
                    ballot.allow(Action::Starve(b));
                }
            } else if ballot.explains() {
                for b in each(blocks) {
                    ballot.refuse(Action::Starve(b), rule!("8.3"), format_args!("its town can feed it"));
                }
            }
        }
        if hungry {
            ballot.refuse(
                Action::Done,
                rule!("8.3"),
                format_args!("some towns cannot feed all their blocks"),
            );
            ballot.allow(Action::Fill);
            return;
        }
        ballot.allow(Action::Done);
        let mut any = false;
        for t in 0..TOWNS as u8 {
            let blocks = self.wintering(p, seat, t);
            if blocks == 0 {
                if ballot.explains() {
                    for b in each(p.here[usize::from(t)] & self.of(seat) & !p.starved) {
                        ballot.refuse(
                            Action::Replace(b),
                            rule!("8.4"),
                            format_args!("the town is under siege"),
                        );
                    }
                }
                continue;
            }
            let cost = self.step_cost(seat, t);
            let enough = self.points(p, seat, t, blocks) >= cost;
            for b in each(blocks) {
                if self.is_whole(p, b) {
                    ballot.refuse(Action::Replace(b), rule!("8.4"), format_args!("it is at full strength"));
                } else if !enough {
                    ballot.refuse(
                        Action::Replace(b),
                        rule!("8.4"),
                        format_args!("its town has not {cost} replacement points left"),
                    );
                } else {
                    any = true;
                    ballot.allow(Action::Replace(b));
                }
            }
        }
        if any {
            ballot.allow(Action::Fill);
        }
    }

    pub(super) fn act_winter(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            Action::Starve(b) => {
                p.starved |= one(b);
            }
            Action::Replace(b) => p.gains[usize::from(b)] += 1,
            Action::Fill => self.fill_up(p, seat),
            _ => {
                p.done[seat.index()] = true;
                if p.done == [true; 2] {
                    p.agenda.pop();
                    self.settle_winter(p, umpire);
                }
            }
        }
    }

    /// What a block is worth keeping: firepower by steps, and more if it never comes back.
    pub(crate) fn worth(&self, p: &Position, b: u8) -> u32 {
        let i = usize::from(b);
        let label = &self.components.blocks[i];
        u32::from(label.fire) * u32::from(p.strength[i] * 2 + label.steps)
            + if self.components.permanent & one(b) != 0 { 6 } else { 0 }
    }

    /// Gives up the least worthy, then spends every point where it adds most.
    fn fill_up(&self, p: &mut Position, seat: Seat) {
        for t in 0..TOWNS as u8 {
            while self.wintering(p, seat, t).count_ones() > self.supply(t) {
                let least = each(self.wintering(p, seat, t)).min_by_key(|b| self.worth(p, *b));
                p.starved |= least.map_or(0, one);
            }
            loop {
                let blocks = self.wintering(p, seat, t);
                if blocks == 0 || self.points(p, seat, t, blocks) < self.step_cost(seat, t) {
                    break;
                }
                let needy = each(blocks).filter(|b| !self.is_whole(p, *b));
                let best = needy.max_by_key(|b| {
                    let label = &self.components.blocks[usize::from(*b)];
                    let now = p.strength[usize::from(*b)] + p.gains[usize::from(*b)];
                    (label.fire, 8 - now)
                });
                match best {
                    Some(b) => p.gains[usize::from(b)] += 1,
                    None => break,
                }
            }
        }
    }

    /// Both are done: what they chose in secret happens at once [8.3, 8.4].
    fn settle_winter(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        let starved = std::mem::take(&mut p.starved);
        for seat in [FRANK, SARACEN] {
            let side = self.of(seat);
            let steps: u32 = each(side).map(|b| u32::from(p.gains[usize::from(b)])).sum();
            if umpire.writes() {
                let (who, lost) = (self.title_of(seat), (starved & side).count_ones());
                umpire.note(Readers::ALL, rule!("8.3"), format_args!("winter costs the {who} {lost} blocks"));
                umpire.note(Readers::ALL, rule!("8.4"), format_args!("the {who} gain {steps} steps"));
            }
        }
        for b in each(starved) {
            p.gains[usize::from(b)] = 0;
            self.eliminate(p, b, true, umpire);
        }
        for b in 0..BLOCKS {
            p.strength[b] += std::mem::take(&mut p.gains[b]);
        }
    }

    /// The pool is turned face-down, the year advances, all cards are shuffled [8.5].
    pub(super) fn year_end(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for b in 0..BLOCKS {
            if p.town[b] == DEAD {
                p.town[b] = POOL;
                p.pooled |= one(b as u8);
            }
        }
        p.year += 1;
        p.done = [false; 2];
        p.campaign = NONE;
        umpire.note(Readers::ALL, rule!("8.5"), format_args!("the year {} begins", 1187 + u32::from(p.year)));
        p.agenda.replace(Step::Turn(Phase::NewYear));
    }
}
