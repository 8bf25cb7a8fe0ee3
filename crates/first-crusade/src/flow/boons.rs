//! Boons and the moments at which they are played [13.2 and the chart of Pilgrimage markers].

use table::{Ballot, Readers, Seat, SeatSet, Set, Umpire, rule};

use super::Refused;
use crate::FirstCrusade;
use crate::action::{Action, Use};
use crate::data::{Marker, Space, Symbol};
use crate::position::{Cause, Position, Stage, Step};
use crate::words::Listed;

impl FirstCrusade {
    /// The boons that can be used so.
    #[inline]
    pub(crate) fn boons_for(&self, used: Use) -> Set<Marker> {
        self.components.with(match used {
            Use::Peace | Use::Armenia => Symbol::Scroll,
            Use::Edge => Symbol::Sword,
            Use::Actions => Symbol::Shield,
            Use::Treachery | Use::Passage => Symbol::Eye,
            Use::Supplies => Symbol::Wagon,
        })
    }

    /// The uses that the present step has room for; negotiations are held at any time.
    fn uses(&self, step: Step) -> &'static [Use] {
        match step {
            Step::Shields => &[Use::Actions, Use::Peace, Use::Armenia],
            Step::Battle(Stage::Eve) => &[Use::Treachery, Use::Peace, Use::Armenia],
            Step::Battle(Stage::Dawn) => &[Use::Edge, Use::Peace, Use::Armenia],
            Step::March => &[Use::Passage, Use::Peace, Use::Armenia],
            Step::Losses { cause: Cause::March, .. } | Step::Hunger { .. } => {
                &[Use::Supplies, Use::Peace, Use::Armenia]
            }
            Step::Breath => &[],
            _ => &[Use::Peace, Use::Armenia],
        }
    }

    /// The uses for the sake of which a window opens.
    fn occasions(&self, step: Step) -> &'static [Use] {
        match step {
            Step::Council => &[Use::Peace, Use::Armenia],
            Step::Shields => &[Use::Actions],
            Step::Battle(Stage::Eve) => &[Use::Peace, Use::Armenia, Use::Treachery],
            Step::Battle(Stage::Dawn) => &[Use::Edge],
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
            Use::Treachery if p.battle.is_some_and(|b| b.fewer > 0) => {
                Err((rule!("boon.treachery"), "once in a battle is enough"))
            }
            Use::Treachery if !self.is_reinforced(p) => {
                Err((rule!("boon.treachery"), "no reinforcements will come"))
            }
            Use::Edge if p.battle.is_some_and(|b| b.sword) => {
                Err((rule!("boon.military-advantage"), "one such marker in a battle"))
            }
            Use::Actions if p.special >= 6 => {
                Err((rule!("12.2"), "there are never more than six Special Actions"))
            }
            Use::Passage if !p.march.is_some_and(|m| m.engaged) => {
                Err((rule!("boon.treachery"), "no Muslims stand in the way"))
            }
            _ => Ok(()),
        }
    }

    /// Whether a leader is where negotiations can be held.
    fn has_envoy(&self, p: &Position) -> bool {
        let c = &self.components;
        let places = c.objectives | c.holy | Set::one(c.sis);
        // Constantine is a Christian leader before he joins, too.
        (c.leaders & c.christians).iter().any(|u| p.at(u).is_some_and(|s| places.has(s)))
    }

    pub(super) fn list_boons<B: Ballot<Action> + ?Sized>(&self, p: &Position, seat: Seat, ballot: &mut B) {
        let (Some(step), held) = (p.agenda.now(), p.boons[seat.index()]) else { return };
        if held.is_empty() {
            return;
        }
        for used in self.uses(*step) {
            let verdict = self.may_use(p, *used);
            for m in held & self.boons_for(*used) {
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
        let open = p.table.party.minus(p.asked);
        if p.held().is_empty() {
            return None;
        }
        open.iter().find(|seat| {
            let held = p.boons[seat.index()];
            held.any()
                && self
                    .occasions(step)
                    .iter()
                    .any(|used| held.meets(self.boons_for(*used)) && self.may_use(p, *used).is_ok())
        })
    }

    /// A boon is played and goes back to the bin [13.2].
    pub(super) fn play_boon<U: Umpire + ?Sized>(
        &self,
        p: &mut Position,
        seat: Seat,
        m: Marker,
        used: Use,
        umpire: &mut U,
    ) {
        p.boons[seat.index()].remove(m);
        umpire.cite(rule!("13.2"));
        let (rule, what) = match used {
            Use::Peace => (rule!("boon.negotiations"), "to calm the Muslims"),
            Use::Armenia => (rule!("boon.negotiations"), "to win Armenia"),
            Use::Edge => (rule!("boon.military-advantage"), "for the Tactical Edge"),
            Use::Actions => (rule!("boon.special-action"), "for two Special Actions"),
            Use::Treachery => (rule!("boon.treachery"), "to keep one die of reinforcements away"),
            Use::Passage => (rule!("boon.treachery"), "to slip by the enemy"),
            Use::Supplies => (rule!("boon.supplies"), "to feed a force"),
        };
        umpire.note(
            Readers::ALL,
            rule,
            format_args!("The {} play {} {what}", self.title.seat_name(seat), self.components.marker_name(m)),
        );
        match used {
            Use::Peace => self.move_reaction(p, -1, umpire),
            Use::Armenia => self.activate_armenia(p, umpire),
            Use::Edge => {
                if let Some(b) = &mut p.battle {
                    b.sword = true;
                }
            }
            Use::Actions => self.gain_special(p, 2, umpire),
            Use::Treachery => {
                umpire.cite(rule!("11.0"));
                if let Some(b) = &mut p.battle {
                    b.fewer = 1;
                    let space = b.space;
                    self.reveal(p, space, umpire);
                }
            }
            Use::Passage => {
                umpire.cite(rule!("11.0"));
                if let Some(m) = &mut p.march {
                    m.engaged = false;
                    let at = m.at;
                    self.reveal(p, at, umpire);
                }
            }
            Use::Supplies => match p.agenda.now().copied() {
                Some(Step::Losses { .. }) => {
                    p.agenda.pop();
                    p.pool = Set::NONE;
                }
                Some(Step::Hunger { mut spaces }) => {
                    umpire.cite(rule!("28.1"));
                    self.cite_team(p, umpire);
                    if let Some(s) = spaces.first() {
                        spaces.remove(s);
                    }
                    p.asked = SeatSet::NONE;
                    p.agenda.replace(Step::Hunger { spaces });
                }
                _ => {}
            },
        }
    }

    /// The faces of all Muslim units in a space are shown [11.0].
    pub(crate) fn reveal<U: Umpire + ?Sized>(&self, p: &mut Position, s: Space, umpire: &mut U) {
        let muslims = self.muslims(p, s);
        if (muslims - p.shown).any() {
            p.shown |= muslims;
            p.rumour[s] = Set::NONE;
            umpire.reveal(Readers::ALL);
            if umpire.writes() {
                let names = Listed(muslims.iter().map(|u| self.components.unit_name(u)));
                umpire.note(
                    Readers::ALL,
                    rule!("11.0"),
                    format_args!(
                        "In {} {} {names}",
                        self.components.space_name(s),
                        if muslims.len() == 1 { "stands" } else { "stand" }
                    ),
                );
            }
        }
    }
}
