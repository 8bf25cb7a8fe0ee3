//! Winter [8.0]: sieges kept over it, supply, replacements, and the end of the year.

use table::{Ballot, Id, Map, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{BOTH, Block, FRANK, Place, SARACEN, Sides, Town};
use crate::position::{Phase, Position, Step};
use crate::words::counted;

impl CrusaderRex {
    /// Attrition in the siege that a winter campaign keeps; nothing if it is a siege no more [8.2].
    pub(super) fn winter_sieges(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.replace(Step::Turn(Phase::WinterToll));
        umpire.cite(rule!("8.2"));
        if let Some(town) = p.open.campaign {
            self.attrition(p, town, true, umpire);
        }
    }

    /// All other besiegers are eliminated; then the count, or supply and replacements [8.3].
    pub(super) fn winter_toll(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for t in Town::all() {
            let Some(seat) = self.besieged(p, t) else { continue };
            if Some(t) == p.open.campaign {
                continue;
            }
            let besiegers = self.field(p, t, seat.other());
            if umpire.writes() {
                let town = self.components.town_name(t);
                let lost = counted(besiegers.len(), "block", "blocks");
                let verb = if besiegers.single().is_some() { "does" } else { "do" };
                umpire.note(
                    Readers::ALL,
                    rule!("8.3"),
                    format_args!("{lost} before {town} {verb} not survive the winter"),
                );
            }
            for b in besiegers {
                self.eliminate(p, b, true, umpire);
            }
        }
        if self.sudden_death(p, umpire) {
            return;
        }
        if p.open.year + 1 == p.open.table.years {
            let saracens = self.saracens_lead(p);
            self.finish(p, if saracens { SARACEN } else { FRANK }, false, umpire);
            return;
        }
        p.open.done = Sides::default();
        p.open.agenda.replace(Step::Turn(Phase::YearEnd));
        p.open.agenda.push(Step::Winter);
        umpire.cite(rule!("8.3"));
    }

    /// How many blocks a town feeds [8.3].
    pub(crate) fn supply(&self, t: Town) -> usize {
        self.rating(t).max(1)
    }

    /// A side's blocks that winter in a town: not those of a siege that goes on [8.2].
    pub(crate) fn wintering(&self, p: &Position, seat: Seat, t: Town) -> Set<Block> {
        if self.besieged(p, t).is_some() {
            Set::NONE
        } else {
            (p.here[t] & self.of(seat)) - p.secret[seat].starved
        }
    }

    /// What a step costs in a town [8.4].
    fn step_cost(&self, seat: Seat, t: Town) -> u8 {
        if self.components.homes[seat].has(t) { 1 } else { 2 }
    }

    /// Replacement points that a town has left.
    fn points(&self, p: &Position, seat: Seat, t: Town, wintering: Set<Block>) -> u8 {
        let spent: u8 = wintering.iter().map(|b| p.secret[seat].gains[b]).sum();
        self.components.towns[t].rating - spent * self.step_cost(seat, t)
    }

    fn is_whole(&self, p: &Position, b: Block) -> bool {
        p.strength[b] + p.secret[self.owner(b)].gains[b] >= self.components.blocks[b].steps
    }

    pub(super) fn list_winter(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let mut hungry = false;
        for t in Town::all() {
            let blocks = self.wintering(p, seat, t);
            if blocks.len() > self.supply(t) {
                hungry = true;
                for b in blocks {
                    ballot.allow(Action::Starve(b));
                }
            } else if ballot.explains() {
                for b in blocks {
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
        for t in Town::all() {
            let blocks = self.wintering(p, seat, t);
            if blocks.is_empty() {
                if ballot.explains() {
                    for b in (p.here[t] & self.of(seat)) - p.secret[seat].starved {
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
            for b in blocks {
                if self.is_whole(p, b) {
                    ballot.refuse(Action::Replace(b), rule!("8.4"), format_args!("it is at full strength"));
                } else if !enough {
                    ballot.refuse(
                        Action::Replace(b),
                        rule!("8.4"),
                        format_args!("a step costs {cost} there, and its town has no more points for it"),
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
        if p.open.campaign.is_some() {
            // Those of the siege that goes on need no supply and get no replacements.
            umpire.cite(rule!("8.2"));
        }
        match action {
            Action::Starve(b) => {
                p.secret[seat].starved.insert(b);
                umpire.cite(rule!("1.11"));
            }
            Action::Replace(b) => p.secret[seat].gains[b] += 1,
            Action::Fill => self.fill_up(p, seat),
            _ => {
                p.open.done[seat] = true;
                if p.open.done == Sides::both(true) {
                    p.open.agenda.pop();
                    self.settle_winter(p, umpire);
                }
            }
        }
    }

    /// What a block is worth keeping: firepower by steps, and more if it never comes back.
    pub(crate) fn worth(&self, p: &Position, b: Block) -> u32 {
        let label = &self.components.blocks[b];
        u32::from(label.fire) * u32::from(p.strength[b] * 2 + label.steps)
            + if self.components.permanent.has(b) { 6 } else { 0 }
    }

    /// Gives up the least worthy, then spends every point where it adds most.
    fn fill_up(&self, p: &mut Position, seat: Seat) {
        for t in Town::all() {
            while self.wintering(p, seat, t).len() > self.supply(t) {
                let least = self.wintering(p, seat, t).iter().min_by_key(|b| self.worth(p, *b));
                p.secret[seat].starved |= least.map_or(Set::NONE, Set::one);
            }
            loop {
                let blocks = self.wintering(p, seat, t);
                if blocks.is_empty() || self.points(p, seat, t, blocks) < self.step_cost(seat, t) {
                    break;
                }
                let needy = blocks.iter().filter(|b| !self.is_whole(p, *b));
                let best = needy.max_by_key(|b| {
                    let label = &self.components.blocks[*b];
                    let now = p.strength[*b] + p.secret[seat].gains[*b];
                    (label.fire, 8 - now)
                });
                match best {
                    Some(b) => p.secret[seat].gains[b] += 1,
                    None => break,
                }
            }
        }
    }

    /// Both are done: what they chose in secret happens at once [8.3, 8.4].
    fn settle_winter(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.reveal(Readers::ALL);
        let chosen = p.secret;
        for seat in BOTH {
            let (starved, gains) = (chosen[seat].starved, chosen[seat].gains);
            let steps: u32 = gains.values().iter().map(|gain| u32::from(*gain)).sum();
            if umpire.writes() {
                let who = self.title_of(seat);
                let lost = counted(starved.len(), "block", "blocks");
                let gained = counted(steps, "step", "steps");
                umpire.note(Readers::ALL, rule!("8.3"), format_args!("Hunger costs the {who} {lost}"));
                umpire.note(Readers::ALL, rule!("8.4"), format_args!("The {who} gain {gained}"));
            }
            p.secret[seat].starved = Set::NONE;
            p.secret[seat].gains = Map::filled(0);
        }
        for b in chosen[FRANK].starved | chosen[SARACEN].starved {
            self.eliminate(p, b, true, umpire);
        }
        for b in Block::all().filter(|b| p.place[*b].is_town()) {
            p.strength[b] += chosen[FRANK].gains[b] + chosen[SARACEN].gains[b];
        }
    }

    /// The pool is turned face-down, the year advances, all cards are shuffled [8.5].
    pub(super) fn year_end(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for b in Block::all() {
            if p.place[b] == Place::Dead {
                p.place[b] = Place::Pool;
                p.open.pooled.insert(b);
            }
        }
        p.open.year += 1;
        p.open.done = Sides::default();
        p.open.campaign = None;
        umpire.note(
            Readers::ALL,
            rule!("8.5"),
            format_args!("The year {} begins", super::FIRST_YEAR + u32::from(p.open.year)),
        );
        p.open.agenda.replace(Step::Turn(Phase::NewYear));
    }
}
