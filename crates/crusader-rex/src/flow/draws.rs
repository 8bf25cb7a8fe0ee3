//! Draws [7.0]: one block a turn from the draw pool, and where it may stand.

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Class, NATIONS, Port, Set, TOWNS, each, one};
use crate::position::{HAND, POOL, Position, STAGING, Step};

impl CrusaderRex {
    /// A side draws a block. Crusaders go face-up to their staging area, so that much is drawn openly;
    /// which of the others it is, only their owner is told.
    pub(super) fn draw_block(&self, p: &mut Position, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("7.1"));
        let pool: Set =
            each(self.of(seat)).filter(|b| p.town[usize::from(*b)] == POOL).fold(0, |set, b| set | one(b));
        if pool == 0 {
            return;
        }
        let crusaders = pool & (self.components.nations.iter().fold(0, |all, n| all | n));
        let others = pool & !crusaders;
        let nth = |set: Set, n: u16| each(set).nth(usize::from(n)).unwrap_or(0);
        let staged = crusaders.count_ones() as u16;
        let drawn = umpire.draw(Readers::ALL, pool.count_ones() as u16, &|n| {
            if n < staged { self.components.block_name(nth(crusaders, n)).into() } else { "a block".into() }
        });
        if drawn < staged {
            let b = nth(crusaders, drawn);
            let label = &self.components.blocks[usize::from(b)];
            p.town[usize::from(b)] = STAGING;
            p.strength[usize::from(b)] = label.steps;
            p.pooled &= !one(b);
            if umpire.writes() {
                let (name, nation) = (&label.name, NATIONS[usize::from(label.nation)]);
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
        let which = umpire.draw(Readers::only(seat.into()), others.count_ones() as u16, &|n| {
            self.components.block_name(nth(others, n)).into()
        });
        let b = nth(others, which);
        self.come_from_pool(p, b);
        p.town[usize::from(b)] = HAND;
        p.agenda.push(Step::Place { seat, block: b });
        umpire.note(Readers::ALL, rule!("7.0"), format_args!("the {} draw a block", self.title_of(seat)));
    }

    /// The strength at which a drawn block would come to a town; 0 if it may not [7.24, 7.25, 7.3].
    pub(crate) fn entry_strength(&self, p: &Position, seat: Seat, b: u8, t: u8) -> u8 {
        let label = &self.components.blocks[usize::from(b)];
        let town = &self.components.towns[usize::from(t)];
        if town.home.is_none() {
            return 0;
        }
        let enemy_field = self.field(p, t, seat.other()) != 0;
        if label.class == Class::Pilgrim {
            let open = match (town.port, self.besieged(p, t)) {
                (Port::No, _) => false,
                (Port::Fortified, Some(besieged)) => {
                    besieged == seat && self.garrison(p, t).count_ones() < self.rating(t)
                }
                _ => self.friendly(p, t, seat),
            };
            return if open { label.steps } else { 0 };
        }
        if enemy_field {
            0
        } else if label.seats & one(t) != 0 {
            label.steps
        } else {
            u8::from(self.friendly(p, t, seat))
        }
    }

    pub(super) fn list_places(
        &self,
        p: &Position,
        seat: Seat,
        b: u8,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let mut any = false;
        for t in 0..TOWNS as u8 {
            if self.entry_strength(p, seat, b, t) > 0 {
                any = true;
                ballot.allow(Action::Place(t));
            } else if ballot.explains() {
                let (rule, why) = match self.components.blocks[usize::from(b)].class {
                    Class::Pilgrim if self.besieged(p, t) == Some(seat) => {
                        (rule!("7.24"), "the castle is full or no port of ours")
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
        b: u8,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.agenda.pop();
        if let Action::Place(t) = action {
            let strength = self.entry_strength(p, seat, b, t);
            p.town[usize::from(b)] = t;
            p.strength[usize::from(b)] = strength;
            p.here[usize::from(t)] |= one(b);
            if self.besieged(p, t) == Some(seat) {
                p.inside |= one(b);
            }
            self.arrive(p, b);
            umpire.note(
                Readers::ALL,
                rule!("7.0"),
                format_args!("a block is placed in {}", self.components.town_name(t)),
            );
            umpire.cite(match self.components.blocks[usize::from(b)].class {
                Class::Pilgrim => rule!("7.24"),
                Class::Emir | Class::Nomad => rule!("7.3"),
                _ => rule!("7.25"),
            });
        } else {
            p.town[usize::from(b)] = POOL;
            umpire.note(Readers::ALL, rule!("7.24"), format_args!("the block finds no place and goes back"));
        }
    }
}
