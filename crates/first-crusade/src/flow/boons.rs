//! Boons and the moments at which they are played [13.2 and the chart of Pilgrimage markers].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use super::actions::bits;
use super::{ARMENIAN, Refused};
use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::position::{Cause, Position, Stage, Step};
use crate::set::Set;

impl FirstCrusade {
    /// The boons that can be used so, as bits of markers.
    #[inline]
    pub(crate) fn boons_for(&self, used: Use) -> u32 {
        let symbol = match used {
            Use::Peace | Use::Armenia => 0,
            Use::Edge => 1,
            Use::Actions => 2,
            Use::Treachery | Use::Passage => 3,
            Use::Supplies => 4,
        };
        self.components.boons[symbol]
    }

    /// The uses that the present step has room for.
    fn uses(&self, step: Step) -> &'static [Use] {
        match step {
            Step::Choose | Step::Council => &[Use::Peace, Use::Armenia],
            Step::Shields => &[Use::Actions],
            Step::Battle(Stage::Eve) => &[Use::Peace, Use::Treachery],
            Step::Battle(Stage::Dawn) => &[Use::Edge],
            Step::March => &[Use::Passage],
            Step::Losses { cause: Cause::March, .. } | Step::Hunger { .. } => &[Use::Supplies],
            _ => &[],
        }
    }

    /// Whether a boon can do this now.
    fn may_use(&self, p: &Position, used: Use) -> Result<(), Refused> {
        match used {
            Use::Peace | Use::Armenia => {
                if !self.has_envoy(p) {
                    return Err((
                        rule!("boon.negotiations"),
                        "a Christian leader must be in a Byzantine Objective, a Pilgrimage fortress or Sis",
                    ));
                }
                match used {
                    Use::Peace if p.reaction == 1 => {
                        Err((rule!("boon.negotiations"), "the Muslim reaction is Low already"))
                    }
                    Use::Armenia if p.armenia => {
                        Err((rule!("boon.negotiations"), "Armenia is activated already"))
                    }
                    _ => Ok(()),
                }
            }
            Use::Treachery if p.battle.fewer > 0 => {
                Err((rule!("boon.treachery"), "once in a battle is enough"))
            }
            Use::Treachery if !self.is_reinforced(p) => {
                Err((rule!("boon.treachery"), "no reinforcements will come"))
            }
            Use::Edge if p.battle.sword => {
                Err((rule!("boon.military-advantage"), "one such marker in a battle"))
            }
            Use::Actions if p.special >= 6 => {
                Err((rule!("12.2"), "there are never more than six Special Actions"))
            }
            Use::Passage if !p.march.engaged => Err((rule!("boon.treachery"), "no Muslims stand in the way")),
            _ => Ok(()),
        }
    }

    /// Whether a leader is where negotiations can be held.
    fn has_envoy(&self, p: &Position) -> bool {
        let c = &self.components;
        let places = c.objectives | c.holy | Set::one(c.sis);
        let own = if p.armenia { c.christians } else { c.christians - self.family(ARMENIAN) };
        (c.leaders & own).each().any(|u| p.on_map(u) && places.has(p.place[usize::from(u)]))
    }

    pub(super) fn list_boons<B: Ballot<Action> + ?Sized>(&self, p: &Position, seat: Seat, ballot: &mut B) {
        let (Some(step), held) = (p.agenda.now(), p.boons[seat.index()]) else { return };
        if held == 0 {
            return;
        }
        for used in self.uses(*step) {
            let verdict = self.may_use(p, *used);
            for m in bits(held & self.boons_for(*used)) {
                match verdict {
                    Ok(()) => ballot.allow(Action::Play(m, *used)),
                    Err((rule, why)) => ballot.refuse(Action::Play(m, *used), rule, format_args!("{why}")),
                }
            }
        }
    }

    /// Who is asked next in a window for boons: somebody who could play one and has not been asked.
    pub(super) fn asked_next(&self, p: &Position) -> Option<Seat> {
        let step = *p.agenda.now()?;
        let open = SeatSet::first(usize::from(p.table.seats)).minus(p.asked);
        if p.held() == 0 {
            return None;
        }
        open.iter().find(|seat| {
            let held = p.boons[seat.index()];
            held != 0
                && self
                    .uses(step)
                    .iter()
                    .any(|used| held & self.boons_for(*used) != 0 && self.may_use(p, *used).is_ok())
        })
    }

    /// A boon is played and goes back to the bin [13.2].
    pub(super) fn play_boon<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        seat: Seat,
        m: u8,
        used: Use,
        umpire: &mut U,
    ) {
        p.boons[seat.index()] &= !(1 << m);
        umpire.cite(rule!("13.2"));
        let name = self.components.marker_name(m);
        let rule = match used {
            Use::Peace | Use::Armenia => rule!("boon.negotiations"),
            Use::Edge => rule!("boon.military-advantage"),
            Use::Actions => rule!("boon.special-action"),
            Use::Treachery | Use::Passage => rule!("boon.treachery"),
            Use::Supplies => rule!("boon.supplies"),
        };
        umpire.note(Readers::ALL, rule, format_args!("{name} is played"));
        match used {
            Use::Peace => self.move_reaction(p, -1, umpire),
            Use::Armenia => self.activate_armenia(p, umpire),
            Use::Edge => p.battle.sword = true,
            Use::Actions => self.gain_special(p, 2, umpire),
            Use::Treachery => {
                p.battle.fewer = 1;
                self.reveal(p, p.battle.space, umpire);
            }
            Use::Passage => {
                self.reveal(p, p.march.at, umpire);
                p.march.engaged = false;
            }
            Use::Supplies => match p.agenda.now().copied() {
                Some(Step::Losses { .. }) => {
                    p.agenda.pop();
                    p.pool = Set::NONE;
                }
                Some(Step::Hunger { mut spaces }) => {
                    if let Some(s) = spaces.first() {
                        spaces.remove(s);
                    }
                    p.agenda.replace(Step::Hunger { spaces });
                }
                _ => {}
            },
        }
    }

    /// The faces of all Muslim units in a space are shown [11.0].
    pub(crate) fn reveal<U: Umpire + ?Sized>(&self, p: &mut Position, s: u8, umpire: &mut U) {
        let muslims = self.muslims(p, s);
        if (muslims - p.shown).any() {
            p.shown |= muslims;
            p.rumour[usize::from(s)] = Set::NONE;
            umpire.reveal(Readers::ALL);
            if umpire.writes() {
                let names: Vec<_> = muslims.each().map(|u| self.components.unit_name(u)).collect();
                umpire.note(
                    Readers::ALL,
                    rule!("11.0"),
                    format_args!("in {} stand {}", self.components.space_name(s), names.join(", ")),
                );
            }
        }
    }
}
