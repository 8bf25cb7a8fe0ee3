//! Sieges [6.5] and combat deployment [6.1]: castle and field, storms, sallies, attrition.

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{NONE, Port, each, one};
use crate::position::{Position, Stage, Step};

/// A besieged block loses a step on so much or less [6.57, 8.2]: elsewhere, and in Tripoli and Tyre.
const ATTRITION: [u8; 2] = [3, 1];
const WINTER_ATTRITION: [u8; 2] = [4, 2];

impl CrusaderRex {
    #[inline]
    pub(crate) fn rating(&self, t: u8) -> u32 {
        self.components.towns[usize::from(t)].rating.into()
    }

    pub(super) fn list_shelter(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let t = p.battle.town;
        ballot.allow(Action::Begin);
        let full = p.battle.picked.count_ones() >= self.rating(t);
        for b in each(self.field(p, t, seat) & !p.battle.picked) {
            if p.coming() & one(b) != 0 {
                ballot.refuse(Action::Pick(b), rule!("6.1"), format_args!("it has not arrived yet"));
            } else if full {
                ballot.refuse(Action::Pick(b), rule!("6.52"), format_args!("the castle is full"));
            } else {
                ballot.allow(Action::Pick(b));
            }
        }
    }

    pub(super) fn act_shelter(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if let Action::Pick(b) = action {
            p.battle.picked |= one(b);
            return;
        }
        p.agenda.pop();
        umpire.cite(rule!("6.52"));
        let t = p.battle.town;
        let sheltered = std::mem::take(&mut p.battle.picked);
        let present = self.active(p, t, seat);
        if sheltered != 0 && sheltered != present {
            // Who went where is not seen.
            p.known &= !present;
        }
        p.inside |= sheltered;
        for b in each(present) {
            p.token[usize::from(b)] = 0;
        }
        self.mark_lone(p, t);
        umpire.note(
            Readers::ALL,
            rule!("6.1"),
            format_args!(
                "the {} put {} of {} blocks into the castle",
                self.title_of(seat),
                sheltered.count_ones(),
                present.count_ones()
            ),
        );
    }

    pub(super) fn list_storm(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let t = p.battle.town;
        let storming = p.battle.stormers | p.battle.picked;
        if storming == 0 {
            ballot.allow(Action::Done);
            ballot.refuse(Action::Begin, rule!("6.53"), format_args!("name a block that storms"));
        } else {
            ballot.allow(Action::Begin);
            let why =
                if p.battle.stormers != 0 { "storming blocks go on" } else { "blocks are named already" };
            ballot.refuse(Action::Done, rule!("6.53"), format_args!("{why}"));
        }
        let full = storming.count_ones() >= self.rating(t);
        for b in each(self.field(p, t, seat) & !storming) {
            if p.coming() & one(b) != 0 {
                ballot.refuse(Action::Pick(b), rule!("6.41"), format_args!("it has not arrived yet"));
            } else if full {
                ballot.refuse(
                    Action::Pick(b),
                    rule!("6.52"),
                    format_args!("no more than {} blocks storm here", self.rating(t)),
                );
            } else {
                ballot.allow(Action::Pick(b));
            }
        }
    }

    pub(super) fn act_storm(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            Action::Pick(b) => {
                p.battle.picked |= one(b);
            }
            Action::Begin => {
                p.agenda.pop();
                p.battle.stormers |= std::mem::take(&mut p.battle.picked);
                p.agenda.replace(Step::Fight(Stage::Assault));
                umpire.note(
                    Readers::ALL,
                    rule!("6.53"),
                    format_args!(
                        "the {} storm with {} blocks",
                        self.title_of(seat),
                        p.battle.stormers.count_ones()
                    ),
                );
            }
            _ => {
                // No storm: the jihad's moment is over, and the castle may sally.
                p.agenda.pop();
                umpire.note(
                    Readers::ALL,
                    rule!("6.53"),
                    format_args!("the {} do not storm", self.title_of(seat)),
                );
                p.agenda.push(Step::Sally { seat: seat.other() });
            }
        }
    }

    pub(super) fn list_sally(&self, p: &Position, _: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        if p.battle.picked == 0 {
            ballot.allow(Action::Done);
            ballot.refuse(Action::Begin, rule!("6.55"), format_args!("name a block that sallies"));
        } else {
            ballot.allow(Action::Begin);
            ballot.refuse(Action::Done, rule!("6.55"), format_args!("blocks are named already"));
        }
        for b in each(self.garrison(p, p.battle.town) & !p.battle.picked) {
            ballot.allow(Action::Pick(b));
        }
    }

    pub(super) fn act_sally(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let t = p.battle.town;
        let field_fight = self.active(p, t, seat) != 0;
        match action {
            Action::Pick(b) => {
                p.battle.picked |= one(b);
            }
            Action::Begin => {
                p.agenda.pop();
                let out = std::mem::take(&mut p.battle.picked);
                self.show(p, out, umpire);
                p.inside &= !out;
                p.battle.sallied |= out;
                if !field_fight {
                    // They open the field battle, so they attack [6.55].
                    p.battle.attacker = seat;
                }
                p.agenda.replace(Step::Fight(Stage::Clash));
                umpire.note(
                    Readers::ALL,
                    rule!("6.55"),
                    format_args!("the {} sally with {} blocks", self.title_of(seat), out.count_ones()),
                );
            }
            _ => {
                p.agenda.pop();
                if !field_fight && p.here[usize::from(t)] & self.of(seat) & p.coming() == 0 {
                    // Neither storm nor sally: nothing but hunger is left [6.53].
                    p.agenda.replace(Step::Fight(Stage::Attrition));
                }
                umpire.cite(rule!("6.53"));
            }
        }
    }

    /// Storming is over: a half-hit is recovered [6.54].
    pub(super) fn end_storm(&self, p: &mut Position) {
        p.battle.stormers = 0;
        p.battle.half = NONE;
        p.battle.storm = false;
    }

    /// Whether a block may withdraw into the castle on its turn [6.62, 6.63].
    pub(super) fn list_withdrawal(&self, p: &Position, b: u8, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let t = p.battle.town;
        let (seat, withdraw) = (self.owner(b), Action::Withdraw(b));
        if p.battle.sallied & one(b) != 0 {
            ballot.allow(withdraw);
            return;
        }
        let taken =
            self.garrison(p, t).count_ones() + (p.battle.sallied & p.here[usize::from(t)]).count_ones();
        if self.rating(t) == 0 {
            ballot.refuse(withdraw, rule!("6.5"), format_args!("there is no castle"));
        } else if seat == p.battle.attacker {
            let relief = self.besieged(p, t) == Some(seat);
            let rule = if relief { rule!("6.56") } else { rule!("6.62") };
            ballot.refuse(withdraw, rule, format_args!("attackers cannot withdraw into the castle"));
        } else if self.besieged(p, t) == Some(seat.other()) || p.battle.sallied & self.of(seat.other()) != 0 {
            ballot.refuse(withdraw, rule!("6.62"), format_args!("the enemy holds the castle"));
        } else if taken >= self.rating(t) {
            ballot.refuse(withdraw, rule!("6.52"), format_args!("the castle is full"));
        } else {
            ballot.allow(withdraw);
        }
    }

    /// From the field into the castle, or from a storm back to the field [6.63].
    pub(super) fn withdraw(&self, p: &mut Position, b: u8, umpire: &mut (impl Umpire + ?Sized)) {
        p.battle.acted |= one(b);
        if p.battle.storm {
            p.battle.stormers &= !one(b);
        } else {
            p.battle.sallied &= !one(b);
            p.inside |= one(b);
            self.lift_siege(p, p.battle.town);
        }
        if umpire.writes() {
            let name = self.components.block_name(b);
            umpire.note(Readers::ALL, rule!("6.63"), format_args!("{name} withdraws"));
        }
    }

    /// Hunger and disease in a castle; its besieger may regroup when it falls [6.57, 6.7].
    pub(super) fn attrition(
        &self,
        p: &mut Position,
        t: u8,
        winter: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(seat) = self.besieged(p, t) else { return };
        let fortified = self.components.towns[usize::from(t)].port == Port::Fortified;
        let worst = (if winter { WINTER_ATTRITION } else { ATTRITION })[usize::from(fortified)];
        let rule = if winter { rule!("8.2") } else { rule!("6.57") };
        for b in each(self.garrison(p, t)) {
            let die = umpire.roll(6);
            let lost = die <= worst;
            if umpire.writes() {
                let (town, result) =
                    (self.components.town_name(t), if lost { "a step lost" } else { "no loss" });
                umpire.note(Readers::ALL, rule, format_args!("attrition in {town}: {die}, {result}"));
            }
            if lost {
                self.lose_step(p, b, umpire);
            }
        }
        if self.garrison(p, t) == 0 && self.field(p, t, seat.other()) != 0 {
            self.offer_regroup(p, seat.other(), t);
        }
    }
}
