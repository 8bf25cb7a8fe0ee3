//! Draws [7.0]: one block a turn from the draw pool, and where it may stand.

use table::{Ballot, Id, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, Class, Place, Port, Town};
use crate::position::{Position, Step};

impl CrusaderRex {
    /// A side draws a block. Crusaders go face-up to their staging area, so that much is drawn openly;
    /// which of the others it is, only their owner is told.
    pub(super) fn draw_block(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("7.1"));
        let pool: Set<Block> = self.of(seat).iter().filter(|b| p.place[*b] == Place::Pool).collect();
        if pool.is_empty() {
            return;
        }
        if umpire.writes() && self.of(seat).iter().any(|b| p.place[b] == Place::Dead) {
            umpire.cite(rule!("6.34"));
        }
        let crusaders = self.components.nations.values().iter().fold(Set::NONE, |all, n| all | *n) & pool;
        let others = pool - crusaders;
        let name = |set: Set<Block>, n: u16| {
            set.nth(n.into()).map_or("a block", |b| self.components.block_name(b)).to_string()
        };
        let drawn = umpire.draw(Readers::ALL, pool.len() as u16, &|n| name(crusaders, n));
        if let Some(b) = crusaders.nth(drawn.into()) {
            let label = &self.components.blocks[b];
            p.place[b] = Place::Staging;
            p.strength[b] = label.steps;
            p.open.pooled.remove(b);
            if let Some(nation) = label.nation {
                let (name, nation) = (&label.name, nation.name());
                umpire.note(
                    Readers::ALL,
                    rule!("7.21"),
                    format_args!("{name} joins the {nation} crusaders over the sea"),
                );
                umpire.cite(rule!("7.2"));
                umpire.cite(rule!("2.2.4"));
            }
            return;
        }
        let which = umpire.draw(Readers::only(seat.into()), others.len() as u16, &|n| name(others, n));
        let Some(b) = others.nth(which.into()) else { return };
        self.come_from_pool(p, b);
        p.place[b] = Place::Hand;
        p.secret[seat].drawn = Some(b);
        p.open.agenda.push(Step::Place { seat });
        umpire.note(Readers::ALL, rule!("7.0"), format_args!("The {} draw a block", self.title_of(seat)));
    }

    /// The strength at which a drawn block would come to a town; 0 if it may not [7.24, 7.25, 7.3].
    pub(crate) fn entry_strength(&self, p: &Position, seat: Seat, b: Block, t: Town) -> u8 {
        let label = &self.components.blocks[b];
        let town = &self.components.towns[t];
        if town.home.is_none() {
            return 0;
        }
        let pilgrim = label.class == Class::Pilgrim;
        if let (Port::Fortified, Some(besieged)) = (town.port, self.besieged(p, t)) {
            // Tripoli and Tyre stay friendly to their garrison, and to nobody else [5.4, 6.51]; an enemy
            // occupies the seat all the same [7.25].
            let open = besieged == seat && self.garrison(p, t).len() < self.rating(t);
            return if pilgrim { label.steps } else { 1 } * u8::from(open);
        }
        if pilgrim {
            return label.steps * u8::from(town.port != Port::No && self.friendly(p, t, seat));
        }
        if self.field(p, t, seat.other()).any() {
            0
        } else if label.seats.has(t) {
            label.steps
        } else {
            u8::from(self.friendly(p, t, seat))
        }
    }

    pub(super) fn list_places(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(b) = p.secret[seat].drawn else { return };
        let mut any = false;
        for t in Town::all() {
            if self.entry_strength(p, seat, b, t) > 0 {
                any = true;
                ballot.allow(Action::Place(t));
            } else if ballot.explains() {
                let (rule, why) = match self.components.blocks[b].class {
                    Class::Pilgrim if self.besieged(p, t) == Some(seat) => {
                        (rule!("7.24"), "the castle is full, or the port is not ours")
                    }
                    Class::Pilgrim => (rule!("7.24"), "pilgrims land in a friendly port"),
                    Class::Emir | Class::Nomad => (rule!("7.3"), "that town is not friendly"),
                    _ => (rule!("7.25"), "that town is not friendly"),
                };
                ballot.refuse(Action::Place(t), rule, format_args!("{why}"));
            }
        }
        if any {
            ballot.refuse(Action::Return, rule!("7.0"), format_args!("a drawn block must be placed"));
        } else {
            ballot.allow(Action::Return);
        }
    }

    pub(super) fn act_place(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let Some(b) = p.secret[seat].drawn.take() else { return };
        if let Action::Place(t) = action {
            self.cite_harbours(p, seat, umpire);
            let strength = self.entry_strength(p, seat, b, t);
            p.put(b, t);
            p.strength[b] = strength;
            if self.besieged(p, t) == Some(seat) {
                p.inside.insert(b);
            }
            self.arrive(p, b);
            umpire.note(
                Readers::ALL,
                rule!("7.0"),
                format_args!("The {} place it in {}", self.title_of(seat), self.components.town_name(t)),
            );
            umpire.cite(match self.components.blocks[b].class {
                Class::Pilgrim => rule!("7.24"),
                Class::Emir | Class::Nomad => rule!("7.3"),
                _ => rule!("7.25"),
            });
        } else {
            p.place[b] = Place::Pool;
            umpire.note(Readers::ALL, rule!("7.24"), format_args!("It finds no place and goes back"));
        }
    }
}
