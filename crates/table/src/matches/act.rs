//! What becomes of clicks: drafts, held choices, windows, and what follows by itself.

use super::{Acted, Draft, Match, Pace, SeenBy, Step};
use crate::ballot::{Offer, Options};
use crate::dice::Lots;
use crate::error::TableError;
use crate::game::Game;
use crate::record::{By, Deed};
use crate::seat::{Seat, SeatSet, Viewer};
use crate::umpire::{Protocol, Scribe};

impl<G: Game> Match<G> {
    /// A seat acts. With a number, only if nothing that it sees has changed since. Several actions are a
    /// batch: all are done or none, up to the first that rolls, draws, reveals or passes the decision on; what
    /// comes after that one is left unplayed, for nobody shall try a batch to learn the dice.
    pub fn act(
        &mut self,
        seat: Seat,
        number: Option<u64>,
        actions: &[G::Action],
    ) -> Result<Acted, TableError> {
        if self.outcome().is_some() {
            return Err(TableError::Over);
        }
        let present = self.number(seat);
        if let Some(sent) = number.filter(|n| *n != present) {
            return Err(TableError::Stale { sent, present });
        }
        let chosen = self.chosen;
        let acted = self.perform(seat, actions, By::Hand)?;
        self.numbers.clicks[seat.index()] += 1;
        // A draft changes nothing for anybody else.
        if acted == Acted::Drafted {
            self.count_changes(seat.into());
            return Ok(acted);
        }
        // Who chooses anew after a change of mind does nothing that others could notice.
        if matches!(acted, Acted::Committed { .. }) || self.chosen != chosen {
            self.asked = None;
        }
        self.settle();
        self.count_changes(self.party);
        Ok(acted)
    }

    /// Windows are opened at an even pace: an answer is held until [`ripen`](Self::ripen) says that the time has
    /// come. Unless this was said they are opened as soon as they are answered.
    pub fn keep_pace(&mut self) {
        self.pace = Pace::Even;
    }

    /// The time has come for the windows that are open now: answers are entered, those to come at once.
    pub fn ripen(&mut self) {
        if self.pace == Pace::Even {
            self.pace = Pace::Ripe;
            self.settle();
            self.count_changes(self.party);
        }
    }

    /// The seats that are asked in a window whose answer would be held: what everybody may know.
    pub fn windows(&self) -> SeatSet {
        if self.pace == Pace::AtOnce {
            return SeatSet::NONE;
        }
        self.deciding().iter().filter(|seat| self.game.window(&self.position, *seat)).collect()
    }

    /// Whether a seat's choice, or its answer to a window, is made and held.
    pub fn holds(&self, seat: Seat) -> bool {
        self.drafts[seat.index()].as_ref().is_some_and(|draft| draft.held)
    }

    /// Whether the answer of a deciding seat waits for its window to be opened.
    fn is_shut(&self, seat: Seat) -> bool {
        self.pace == Pace::Even && self.game.window(&self.position, seat)
    }

    fn perform(&mut self, seat: Seat, actions: &[G::Action], by: By) -> Result<Acted, TableError> {
        // A held choice is changed by choosing again.
        let old = self.drafts[seat.index()].take();
        let result = self.perform_over(seat, actions, by, old.as_deref().filter(|d| !d.held));
        if result.is_err() {
            self.drafts[seat.index()] = old;
        }
        result
    }

    fn perform_over(
        &mut self,
        seat: Seat,
        actions: &[G::Action],
        by: By,
        old: Option<&Draft<G>>,
    ) -> Result<Acted, TableError> {
        let mut draft = old.cloned().unwrap_or_else(|| self.blank_draft());
        if self.is_shut(seat) {
            return self.answer(seat, actions, by, draft);
        }
        let mut unplayed = 0;
        for (i, action) in actions.iter().enumerate() {
            self.check(&draft.position, seat, *action)?;
            unplayed = actions.len() - i - 1;
            if self.step(seat, *action, by, &mut draft)? {
                self.enter(seat, draft);
                return Ok(Acted::Committed { unplayed });
            }
            if self.passes_on(seat, &draft.position) {
                break;
            }
        }
        // The seat's own click may lead to what its standing orders answer.
        for _ in 0..=self.game.title().longest {
            let Some(action) = self.obeyed(seat, &draft.position) else { break };
            if self.step(seat, action, By::Order, &mut draft)? {
                self.enter(seat, draft);
                return Ok(Acted::Committed { unplayed });
            }
        }
        let handed_over = self.hands_over(&draft.position);
        if !handed_over && self.game.deciding(&draft.position).contains(seat) {
            self.drafts[seat.index()] = Some(Box::new(draft));
            return Ok(Acted::Drafted);
        }
        if !handed_over && is_secret(seat, &draft) {
            draft.held = true;
            self.drafts[seat.index()] = Some(Box::new(draft));
            self.chosen = self.chosen.with(seat);
            return Ok(Acted::Held { unplayed });
        }
        self.enter(seat, draft);
        Ok(Acted::Committed { unplayed })
    }

    /// The answer to a window that is not opened yet: it is held, and nothing is rolled or shown before its time.
    fn answer(
        &mut self,
        seat: Seat,
        actions: &[G::Action],
        by: By,
        mut draft: Draft<G>,
    ) -> Result<Acted, TableError> {
        for (i, action) in actions.iter().enumerate() {
            self.check(&draft.position, seat, *action)?;
            let seen = self.seen_by(&draft.position, seat, *action);
            let (mut next, mut scribe) = (draft.position.clone(), Scribe::new(Lots::new(0)));
            self.game.apply(&mut next, seat, *action, &mut scribe);
            let unknown = scribe.protocol.is_final();
            draft.held = unknown || self.passes_on(seat, &next);
            // What chance will make of it is not for anybody's eyes yet.
            let protocol = if unknown { Protocol::default() } else { scribe.protocol };
            draft.steps.push(Step { action: *action, by, protocol, seen });
            if !unknown {
                draft.position = next;
            }
            if draft.held {
                self.drafts[seat.index()] = Some(Box::new(draft));
                return Ok(Acted::Held { unplayed: actions.len() - i - 1 });
            }
        }
        self.drafts[seat.index()] = Some(Box::new(draft));
        Ok(Acted::Drafted)
    }

    fn blank_draft(&self) -> Draft<G> {
        Draft { steps: Vec::new(), position: self.position.clone(), held: false }
    }

    /// Whether somebody must decide in a position who had nothing to decide before, or nobody any more.
    fn hands_over(&self, position: &G::Position) -> bool {
        let after = self.game.deciding(position);
        after.is_empty() || !after.minus(self.game.deciding(&self.position)).is_empty()
    }

    /// Whether a seat's decision has passed on to others, or is over.
    fn passes_on(&self, seat: Seat, position: &G::Position) -> bool {
        self.hands_over(position) || !self.game.deciding(position).contains(seat)
    }

    /// Who sees anything of an action.
    pub(super) fn seen_by(&self, position: &G::Position, seat: Seat, action: G::Action) -> SeenBy {
        let sees = |viewer| self.game.seen(position, seat, action, viewer).is_some();
        SeenBy {
            seats: self.party.iter().filter(|s| sees(Viewer::Seat(*s))).collect(),
            observers: sees(Viewer::Observer),
        }
    }

    /// Adds an action to a draft; whether it taught anybody anything, so that the draft is final.
    fn step(&self, seat: Seat, action: G::Action, by: By, draft: &mut Draft<G>) -> Result<bool, TableError> {
        let Some(key) = &self.key else {
            let reason = "this record has no seed, so no dice can be rolled: look at it, or branch from it";
            return Err(TableError::Unreadable {
                text: self.game.write(action).to_string(),
                reason: reason.into(),
            });
        };
        let entry = self.last_entry() + draft.steps.len() as u32 + 1;
        let seen = self.seen_by(&draft.position, seat, action);
        let mut scribe = Scribe::new(key.stream(self.take_backs, entry));
        self.game.apply(&mut draft.position, seat, action, &mut scribe);
        let is_final = scribe.protocol.is_final();
        draft.steps.push(Step { action, by, protocol: scribe.protocol, seen });
        Ok(is_final)
    }

    /// Puts a draft into the record, and the drafts of the others on top of it.
    fn enter(&mut self, seat: Seat, draft: Draft<G>) {
        self.drafts[seat.index()] = None;
        self.position = draft.position;
        self.chosen = self.chosen.both(self.deciding());
        if self.pace == Pace::Ripe {
            self.pace = Pace::Even;
        }
        for step in draft.steps {
            self.mark(step.seen, step.protocol.is_final());
            self.journal.extend(step.protocol.notes);
            self.entries.push(Deed::Act {
                seat,
                by: step.by,
                action: step.action,
                chance: step.protocol.chance,
            });
        }
        self.tell_take_backs();
        self.rebase_drafts();
    }

    /// Puts every draft over the new position.
    pub(super) fn rebase_drafts(&mut self) {
        for seat in self.party.iter() {
            if let Some(draft) = self.drafts[seat.index()].take() {
                self.drafts[seat.index()] = self.rebase(seat, *draft);
            }
        }
    }

    /// A draft over a new position: as much of it as is still possible and still teaches nothing.
    fn rebase(&self, seat: Seat, old: Draft<G>) -> Option<Box<Draft<G>>> {
        let mut draft = self.blank_draft();
        draft.held = old.held;
        for Step { action, by, .. } in old.steps {
            if self.check(&draft.position, seat, action).is_err() {
                break;
            }
            let seen = self.seen_by(&draft.position, seat, action);
            let (mut next, mut scribe) = (draft.position.clone(), Scribe::new(Lots::new(0)));
            self.game.apply(&mut next, seat, action, &mut scribe);
            if scribe.protocol.is_final() && !old.held {
                break;
            }
            if scribe.protocol.is_final() && self.is_shut(seat) {
                draft.steps.push(Step { action, by, protocol: Protocol::default(), seen });
                break;
            }
            draft.steps.push(Step { action, by, protocol: scribe.protocol, seen });
            draft.position = next;
        }
        if draft.steps.is_empty() { None } else { Some(Box::new(draft)) }
    }

    /// Does what follows by itself: held choices once all of their company have chosen, forced choices, standing
    /// orders, plans.
    pub(super) fn settle(&mut self) {
        for _ in 0..=self.game.title().longest {
            let deciding = self.game.deciding(&self.position);
            if deciding.is_empty() {
                self.drafts = Default::default();
                return;
            }
            self.drop_expired();
            if let Some(company) = self.all_have_chosen(deciding) {
                self.chosen = self.chosen.minus(company);
                self.asked = None;
                for seat in company.iter() {
                    let Some(draft) = self.drafts[seat.index()].take() else { continue };
                    self.enter_held(seat, *draft);
                }
                continue;
            }
            let free = deciding.iter().filter(|s| self.drafts[s.index()].is_none());
            let Some((seat, action, by)) = free.filter_map(|s| self.by_itself(s)).next() else { return };
            if self.perform(seat, &[action], by).is_err() {
                return;
            }
        }
    }

    /// Those who choose together and have all chosen, if there are such: their choices can be opened.
    fn all_have_chosen(&self, deciding: SeatSet) -> Option<SeatSet> {
        deciding.iter().filter(|seat| self.holds(*seat)).find_map(|seat| {
            let company = self.game.together(&self.position, seat).both(deciding).with(seat);
            company.iter().all(|s| self.holds(s) && !self.is_shut(s)).then_some(company)
        })
    }

    /// Commits a held choice on what the choices before it have made of the position.
    fn enter_held(&mut self, seat: Seat, held: Draft<G>) {
        let mut draft = self.blank_draft();
        for Step { action, by, .. } in held.steps {
            if self.check(&draft.position, seat, action).is_err()
                || self.step(seat, action, by, &mut draft).is_err()
            {
                break;
            }
        }
        self.enter(seat, draft);
    }

    /// What happens in a seat's name without a click, if anything.
    fn by_itself(&self, seat: Seat) -> Option<(Seat, G::Action, By)> {
        self.key.as_ref()?;
        if self.plays_forced {
            let mut options = Options::new();
            self.game.options(&self.position, seat, &mut options);
            if let [Offer { action, forced: true, .. }] = options.offers() {
                return Some((seat, *action, By::Forced));
            }
        }
        self.obeyed(seat, &self.position).map(|action| (seat, action, By::Order))
    }

    /// Makes a seat's draft final, though it could still be undone.
    pub fn commit(&mut self, seat: Seat) -> Result<(), TableError> {
        match self.drafts[seat.index()].take() {
            Some(draft) if !draft.held && !self.is_shut(seat) => {
                self.enter(seat, *draft);
                self.numbers.clicks[seat.index()] += 1;
                self.asked = None;
                self.settle();
                self.count_changes(self.party);
                Ok(())
            }
            other => {
                self.drafts[seat.index()] = other;
                Err(TableError::NothingToUndo { why: "there is no draft to make final".into() })
            }
        }
    }

    /// How many clicks a seat can undo.
    pub fn undoable(&self, seat: Seat) -> usize {
        self.drafts[seat.index()].as_ref().map_or(0, |d| d.steps.len())
    }

    /// Undoes the last click of a seat's draft, or opens its held choice again.
    pub fn undo(&mut self, seat: Seat) -> Result<(), TableError> {
        let Some(mut draft) = self.drafts[seat.index()].take() else {
            let why = "your last action is part of the record; the others may agree to take it back";
            return Err(TableError::NothingToUndo { why: why.into() });
        };
        // What standing orders added goes with the click that led to it.
        while draft.steps.pop().is_some_and(|step| step.by == By::Order) {}
        draft.held = false;
        self.numbers.clicks[seat.index()] += 1;
        self.drafts[seat.index()] = self.rebase(seat, *draft);
        self.count_changes(seat.into());
        Ok(())
    }
}

/// Whether nobody else sees anything of a draft's actions.
fn is_secret<G: Game>(seat: Seat, draft: &Draft<G>) -> bool {
    draft.steps.iter().all(|step| step.seen.seats.without(seat).is_empty() && !step.seen.observers)
}
