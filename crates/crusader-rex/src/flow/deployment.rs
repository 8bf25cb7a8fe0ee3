//! Deployment [3.0]: the Franks choose among their seats, nomads are drawn, Saladin may change places.

use table::{Ballot, Id, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, FRANK, Place, SARACEN, Town};
use crate::position::{Position, Step};

/// So many shifts are heard; a player who needs more takes some back.
const MOST_SHIFTS: u8 = 24;
/// Nomads drawn at the start [3.2].
const NOMADS: u8 = 4;

impl CrusaderRex {
    /// Everyone at his home seat at full strength, the others in the pool [3.0].
    pub(crate) fn deploy_at_home(&self, p: &mut Position) {
        for (b, label) in self.components.blocks.iter() {
            if let (Some(home), Some(_), false) = (label.home, label.side, label.pool) {
                p.stand(b, home, label.steps);
            }
        }
    }

    /// What everybody knows of a set-up: where each block stands that has only one seat, and for all others
    /// where they began [3.1, 3.2].
    pub(crate) fn know_set_up(&self, p: &mut Position, seat: Seat) {
        for b in self.of(seat) {
            let Some(t) = p.town(b) else { continue };
            p.origin[b] = Some(t);
            if self.components.beginnings.values().iter().filter(|blocks| blocks.has(b)).count() == 1 {
                p.open.known.insert(b);
                p.open.seen[b] = Some(p.strength[b]);
            }
        }
    }

    /// Frank blocks on the map.
    fn deployed(&self, p: &Position) -> Set<Block> {
        self.of(FRANK).iter().filter(|b| p.place[*b].is_town()).collect()
    }

    /// A town with more Franks than its castle takes [3.1].
    fn overfull(&self, p: &Position) -> Option<Town> {
        let too_many = |t: &Town| (p.here[*t] & self.of(FRANK)).len() > self.rating(*t);
        Town::all().find(too_many)
    }

    pub(super) fn list_seats(&self, p: &Position, shifts: u8, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        match self.overfull(p) {
            None => ballot.allow(Action::Done),
            Some(t) => {
                ballot.refuse(
                    Action::Done,
                    rule!("3.1"),
                    format_args!("more blocks than the castle limit in {}", self.components.town_name(t)),
                );
                ballot.allow(Action::Homes);
            }
        }
        for b in self.deployed(p) {
            let elsewhere = |t: &Town| p.place[b] != Place::Town(*t);
            for t in self.components.blocks[b].seats.iter().filter(elsewhere) {
                if shifts < MOST_SHIFTS {
                    ballot.allow(Action::Seat(b, t));
                } else {
                    ballot.refuse(
                        Action::Seat(b, t),
                        rule!("3.1"),
                        format_args!("enough shifting to and fro"),
                    );
                }
            }
        }
        if ballot.explains() {
            for b in self.deployed(p) {
                for t in self.components.homes[FRANK] - self.components.blocks[b].seats {
                    ballot.refuse(Action::Seat(b, t), rule!("1.13"), format_args!("it has no seat there"));
                }
            }
        }
    }

    pub(super) fn act_seats(
        &self,
        p: &mut Position,
        shifts: u8,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            Action::Seat(b, t) => {
                self.depart(p, b);
                p.stand(b, t, p.strength[b]);
                self.arrive(p, b);
                p.open.agenda.replace(Step::Deploy { shifts: shifts + 1 });
                for rule in [rule!("1.1"), rule!("1.11"), rule!("1.13"), rule!("3.0")] {
                    umpire.cite(rule);
                }
            }
            Action::Homes => {
                for b in self.deployed(p) {
                    let label = &self.components.blocks[b];
                    if let Some(home) = label.home {
                        self.depart(p, b);
                        p.stand(b, home, label.steps);
                        self.arrive(p, b);
                    }
                }
                p.open.agenda.replace(Step::Deploy { shifts: shifts.saturating_add(1).min(MOST_SHIFTS) });
            }
            _ => {
                self.know_set_up(p, FRANK);
                umpire.note(Readers::ALL, rule!("3.1"), format_args!("The Franks are deployed"));
                umpire.cite(rule!("1.13"));
                umpire.cite(rule!("2.0"));
                p.open.agenda.pop();
            }
        }
    }

    /// Nomads are drawn and stand at their seats. Where one stands tells its tribe, so the tribe is drawn
    /// openly and which block of it in secret.
    pub(super) fn draw_nomads(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for _ in 0..NOMADS.saturating_sub(p.open.table.handicap) {
            let pool = self.of(SARACEN).iter().filter(|b| p.place[*b] == Place::Pool);
            let home = |b: Block| self.components.blocks[b].home;
            // The pool in the order of seats.
            let mut order = arrayvec::ArrayVec::<Block, 31>::new();
            order.extend(pool);
            order.sort_unstable_by_key(|b| home(*b));
            if order.is_empty() {
                return;
            }
            let tribe = |i: u16| {
                home(order[usize::from(i)]).map_or("nowhere", |t| self.components.town_name(t)).to_string()
            };
            let drawn = umpire.draw(Readers::ALL, order.len() as u16, &tribe);
            let seat = home(order[usize::from(drawn)]);
            let first = order.iter().position(|b| home(*b) == seat).unwrap_or(0);
            let many = order.iter().filter(|b| home(**b) == seat).count();
            let name = |i: u16| self.components.block_name(order[first + usize::from(i)]).to_string();
            let which = umpire.draw(Readers::only(SARACEN.into()), many as u16, &name);
            let b = order[first + usize::from(which)];
            let Some(seat) = seat else { return };
            self.come_from_pool(p, b);
            p.stand(b, seat, self.components.blocks[b].steps);
            p.open.board.remove(b);
            p.origin[b] = Some(seat);
            self.arrive(p, b);
            if umpire.writes() {
                let town = self.components.town_name(seat);
                umpire.note(Readers::ALL, rule!("3.2"), format_args!("A nomad comes to {town}"));
                umpire.cite(rule!("2.3.2"));
            }
        }
        umpire.cite(rule!("3.0"));
    }

    /// A hidden block leaves the pool: it might be any of those that could lie there.
    pub(crate) fn come_from_pool(&self, p: &mut Position, b: Block) {
        let side = self.of(self.owner(b));
        let mut mortal = side - self.components.permanent;
        if p.open.year == 0 && self.owner(b) == SARACEN {
            // At the start everybody knows that only nomads lie there.
            mortal &= self.components.nomads;
        }
        p.open.pooled -= mortal;
    }

    /// Those of Saladin's family with whom he may change places: they begin in another town [3.2].
    fn family_elsewhere(&self, p: &Position) -> Set<Block> {
        let saladin = p.place[self.components.saladin];
        let elsewhere = |b: &Block| p.place[*b].is_town() && p.place[*b] != saladin;
        self.components.family.iter().filter(elsewhere).collect()
    }

    pub(super) fn list_exchange(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Done);
        for b in self.family_elsewhere(p) {
            ballot.allow(Action::Exchange(b));
        }
        if ballot.explains() {
            for b in self.of(SARACEN) - self.components.family {
                ballot.refuse(
                    Action::Exchange(b),
                    rule!("3.2"),
                    format_args!("it is not of Saladin's family"),
                );
            }
        }
    }

    pub(super) fn act_exchange(&self, p: &mut Position, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.pop();
        if let Action::Exchange(b) = action {
            let saladin = self.components.saladin;
            if let (Some(here), Some(there)) = (p.town(saladin), p.town(b)) {
                for (block, to) in [(saladin, there), (b, here)] {
                    p.put(block, to);
                    p.origin[block] = Some(to);
                }
                // Nothing tells that anybody moved: the marks stay with the places.
                (p.mark[saladin], p.mark[b]) = (p.mark[b], p.mark[saladin]);
            }
        }
        umpire.note(Readers::ALL, rule!("3.2"), format_args!("The Saracens are deployed"));
        umpire.cite(rule!("2.0"));
    }
}
