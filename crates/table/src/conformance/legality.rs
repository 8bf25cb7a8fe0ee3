//! Legality: what is offered can be done, what can be done is offered, and all of it can be written down.

use std::collections::BTreeSet;

use super::{Course, Moment};
use crate::ballot::{Explained, Offer, Options};
use crate::dice::Lots;
use crate::game::Game;
use crate::matches::is_allowed;
use crate::seat::{SeatSet, Viewer};
use crate::umpire::Scribe;

/// So many of the offers of a step are tried out.
const TRIED: usize = 6;

impl<G: Game> Course<'_, G> {
    pub(super) fn check_legality(&mut self, position: &G::Position) -> Result<(), String> {
        let game = self.game.clone();
        let deciding = game.deciding(position);
        if game.outcome(position).is_some() != deciding.is_empty() {
            return Err(format!("the outcome is {:?}, yet {deciding:?} must decide", game.outcome(position)));
        }
        if let Some(outcome) = game.outcome(position) {
            self.cite(outcome.rule.number())?;
        }
        let text =
            serde_json::to_string(position).map_err(|e| format!("the position cannot be saved: {e}"))?;
        let again: G::Position =
            serde_json::from_str(&text).map_err(|e| format!("the saved position cannot be read: {e}"))?;
        if again != *position {
            return Err("the position is another one after saving and reading".into());
        }
        for seat in deciding.iter() {
            if !self.party.contains(seat) {
                return Err(format!(
                    "seat {} must decide, but only {:?} are played",
                    seat.index(),
                    self.party
                ));
            }
            let (mut quiet, mut loud) = (Options::new(), Explained::default());
            game.options(position, seat, &mut quiet);
            game.options(position, seat, &mut loud);
            if quiet.offers() != loud.offers {
                return Err("the options differ when reasons are wanted".into());
            }
            if loud.offers.is_empty() {
                return Err(format!("{} must decide and can do nothing", game.title().seat_name(seat)));
            }
            if loud.offers.len() > 1 && loud.offers.iter().any(|o| o.forced) && quiet.len() > 1 {
                return Err("a choice is called forced, but there are others".into());
            }
            let mut written = BTreeSet::new();
            for offer in &loud.offers {
                let amounts = offer.range.map_or(vec![offer.action], |(least, most)| {
                    vec![game.with_amount(offer.action, least), game.with_amount(offer.action, most)]
                });
                for action in amounts {
                    self.check_notation(action)?;
                    if !is_allowed(&*game, position, seat, action) {
                        return Err(format!("`{}` is offered, but not allowed", game.write(action)));
                    }
                }
                if !written.insert(game.write(offer.action)) {
                    return Err(format!("two options are written `{}`", game.write(offer.action)));
                }
            }
            for refusal in &loud.refusals {
                self.check_notation(refusal.action)?;
                self.cite(refusal.rule.number())?;
                if is_allowed(&*game, position, seat, refusal.action) {
                    return Err(format!("`{}` is allowed and refused at once", game.write(refusal.action)));
                }
                if refusal.why.trim().is_empty() {
                    return Err(format!("`{}` is refused without a reason", game.write(refusal.action)));
                }
            }
            let scene = game.scene(&game.view(position, Viewer::Seat(seat)));
            match &scene.prompt {
                None => return Err("somebody must decide, but there is no prompt".into()),
                Some(prompt) if !prompt.seats.contains(seat) => {
                    return Err(format!("the prompt forgets {}", game.title().seat_name(seat)));
                }
                Some(prompt) => self.cite(prompt.rule.number())?,
            }
            self.try_some(position, seat, &loud.offers)?;
        }
        let seats = SeatSet::first(game.title().seats.len());
        for viewer in Viewer::all(self.party).chain([Viewer::Umpire]) {
            if let Some(fault) = game.scene(&game.view(position, viewer)).faults_among(seats).first() {
                return Err(format!("the scene of {viewer:?}: {fault}"));
            }
        }
        Ok(())
    }

    /// Notation survives a round trip and can stand in a record.
    fn check_notation(&self, action: G::Action) -> Result<(), String> {
        let text = self.game.write(action);
        if !text.is_well_formed() {
            return Err(format!("`{text}` cannot stand in a record"));
        }
        match self.game.read(text.as_str()) {
            Ok(again) if again == action => Ok(()),
            Ok(again) => Err(format!("`{text}` is written for {action:?} and read as {again:?}")),
            Err(error) => Err(format!("`{text}` is written, but cannot be read: {error}")),
        }
    }

    /// Some of the offers are carried out on a copy: they leave sound positions and the original alone.
    fn try_some(
        &mut self,
        position: &G::Position,
        seat: crate::Seat,
        offers: &[Offer<G::Action>],
    ) -> Result<(), String> {
        let original = position.clone();
        for _ in 0..offers.len().min(TRIED) {
            let Some(offer) = self.lots.pick(offers) else { break };
            let action = match offer.range {
                None => offer.action,
                Some((least, most)) => {
                    self.game.with_amount(offer.action, least + self.lots.below(most - least + 1))
                }
            };
            let mut after = position.clone();
            self.game.apply(&mut after, seat, action, &mut Scribe::new(Lots::new(self.lots.bits())));
            let text = self.game.write(action);
            self.game.sound(&after).map_err(|e| format!("`{text}` would leave an unsound position: {e}"))?;
            if after == original && offers.len() > 1 {
                return Err(format!("`{text}` changes nothing"));
            }
        }
        if *position != original {
            return Err("a copy was played on, and the original changed".into());
        }
        Ok(())
    }

    /// An action without dice, draws and reveals does the same every time, so undoing it gains nothing.
    pub(super) fn check_action(&mut self, moment: &Moment<'_, G>) -> Result<(), String> {
        let text = self.game.write(moment.action);
        for _ in 0..2 {
            let mut again = moment.before.clone();
            let mut scribe = Scribe::new(Lots::new(self.lots.bits()));
            self.game.apply(&mut again, moment.seat, moment.action, &mut scribe);
            if !moment.protocol.is_final() && again != *moment.after {
                return Err(format!("`{text}` can end in different ways, but no die was rolled"));
            }
        }
        let mut again = moment.before.clone();
        let mut scribe = Scribe::new(self.key.stream(0, moment.entry));
        self.game.apply(&mut again, moment.seat, moment.action, &mut scribe);
        if again != *moment.after || scribe.protocol != *moment.protocol {
            return Err(format!("`{text}` is not the same when it is played again with the same dice"));
        }
        let mut silent = moment.before.clone();
        let mut retold = Quiet(crate::umpire::Retold::new(&moment.protocol.chance));
        self.game.apply(&mut silent, moment.seat, moment.action, &mut retold);
        if silent != *moment.after {
            return Err(format!("`{text}` does something else when nobody writes a journal"));
        }
        Ok(())
    }
}

/// An umpire who tells the dice of a record and writes nothing.
struct Quiet<'a>(crate::umpire::Retold<'a>);

impl crate::Umpire for Quiet<'_> {
    fn roll(&mut self, sides: u8) -> u8 {
        crate::Fate::roll(&mut self.0, sides)
    }
    fn draw(&mut self, to: crate::Readers, n: u16, name: &dyn Fn(u16) -> String) -> u16 {
        crate::Fate::draw(&mut self.0, to, n, name)
    }
    fn reveal(&mut self, _: crate::Readers) {}
}
