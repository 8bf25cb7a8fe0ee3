//! The table: a match with clumsy players, who try nonsense, undo, and ask for take-backs.

use super::Course;
use crate::dice::{Nonces, Seed};
use crate::game::Game;
use crate::matches::{Acted, Match};
use crate::record::Record;
use crate::seat::{Seat, SeatSet, Viewer};

/// So many pieces are picked to ask where they can go.
const PICKED: usize = 8;

impl<G: Game> Course<'_, G> {
    /// The record as text replays to the same position, dice checked against the seed.
    pub(super) fn check_replay(&mut self, end: &G::Position) -> Result<(), String> {
        let text = self.record.to_string();
        let record = Record::read("record", &text).map_err(|e| format!("the record cannot be read: {e}"))?;
        if record.to_string() != text {
            return Err("the record is another one after reading and writing".into());
        }
        let replayed = Match::replay(self.game.clone(), &record, None)
            .map_err(|e| format!("the record does not replay: {e}"))?;
        if replayed.position() != end {
            return Err("the record replays to another position".into());
        }
        Ok(())
    }

    /// A match at a table, with everything a clumsy player may do.
    pub(super) fn check_sitting(&mut self) -> Result<(), String> {
        let game = self.game.clone();
        let seed = Seed::numbered(self.lots.bits());
        let mut sitting = Match::open(game.clone(), self.setup.clone(), seed, Nonces::default())
            .map_err(|e| format!("the match cannot be opened: {e}"))?;
        let all = self.party;
        // Clicks that are undone count, and what is taken back is played again.
        let mut left = u64::from(game.title().longest) * 2;
        let mut take_backs = 0;
        loop {
            if sitting.outcome().is_some() {
                break;
            }
            let waiting: Vec<_> = sitting.waiting_for().iter().collect();
            let Some(seat) = self.lots.pick(&waiting) else {
                return Err("the table waits for nobody, and the game is not over".into());
            };
            // What others get grows with the game: it is compared, and nonsense tried, at thorough steps only.
            let thorough = self.lots.below(self.examination.every) == 0;
            if thorough {
                self.check_nonsense(&mut sitting, seat)?;
                self.check_routes(&sitting, seat)?;
            }
            let Some(observed) = sitting.observed(seat) else {
                return Err(format!(
                    "the table waits for {}, who has nothing to decide",
                    game.title().seat_name(seat)
                ));
            };
            let action = crate::simulate::choose(&*game, &observed, crate::Pick::Random, &mut self.lots);
            let others = thorough.then(|| self.all_that_others_get(&sitting, seat));
            let (before, last) = (sitting.position().clone(), sitting.last_entry());
            let number = sitting.number(seat);
            let acted = sitting
                .act(seat, Some(number), &[action])
                .map_err(|e| format!("an option is refused: {e}"))?;
            if sitting.act(seat, Some(number), &[action]).is_ok() {
                return Err("the same action at the same number was done twice".into());
            }
            match acted {
                Acted::Committed { .. } => {}
                Acted::Drafted | Acted::Held { .. } => {
                    // A held choice may complete the round and be committed after all.
                    let settled = sitting.last_entry() != last;
                    if !settled {
                        if acted == Acted::Drafted && self.others_notice(&sitting, seat, others.as_ref()) {
                            return Err(format!("others notice the draft `{}`", game.write(action)));
                        }
                        if *sitting.position() != before {
                            return Err("a draft changed the committed position".into());
                        }
                        if self.lots.below(3) == 0 {
                            sitting.undo(seat).map_err(|e| format!("a draft cannot be undone: {e}"))?;
                            if self.others_notice(&sitting, seat, others.as_ref()) {
                                return Err(format!(
                                    "others notice that `{}` was undone",
                                    game.write(action)
                                ));
                            }
                        }
                    }
                }
            }
            if self.lots.below(40) == 0 && take_backs < 5 && sitting.outcome().is_none() {
                take_backs += 1;
                left += u64::from(sitting.last_entry());
                self.check_take_back(&mut sitting, all)?;
            }
            left -= 1;
            if left == 0 {
                return Err("the match goes on beyond its bound".into());
            }
        }
        let record = sitting.record(true);
        let record = Record::read("sitting", &record.to_string())
            .map_err(|e| format!("the record cannot be read: {e}"))?;
        let again = Match::replay(game, &record, None)
            .map_err(|e| format!("the match's record does not replay: {e}"))?;
        if again.position() != sitting.position() {
            return Err("the match's record replays to another position".into());
        }
        for viewer in Viewer::all(self.party) {
            if again.journal(viewer) != sitting.journal(viewer) {
                return Err(format!("the journal of {viewer:?} is another one after a replay"));
            }
        }
        Ok(())
    }

    /// Nonsense, other seats' turns and stale numbers change nothing.
    fn check_nonsense(&mut self, sitting: &mut Match<G>, seat: Seat) -> Result<(), String> {
        let (before, last, number) = (sitting.position().clone(), sitting.last_entry(), sitting.number(seat));
        let nonsense =
            ["", " ", "~", "\u{0}", "move", "🙂 > 🙂", "pass > > >", "bid 99999999999999999999", "card -1"];
        let text = nonsense[self.lots.below(nonsense.len() as u32) as usize];
        if let Ok(action) = sitting.read(text)
            && sitting.why_not(seat, action).is_ok()
        {
            return Err(format!("`{text}` is read as a possible action"));
        }
        let explained = sitting.explained(seat);
        if let Some(refusal) = self.lots.pick(&(0..explained.refusals.len()).collect::<Vec<_>>()) {
            let refused = explained.refusals[refusal].action;
            if sitting.act(seat, None, &[refused]).is_ok() {
                return Err(format!("`{}` is refused, and was done", self.game.write(refused)));
            }
            // A batch with one bad action does nothing, unless dice stopped it before.
            if let Some(offer) = explained.offers.first() {
                let mut trial = sitting.clone();
                if trial.act(seat, None, &[offer.action, refused, refused]).is_err()
                    && (trial.position() != sitting.position()
                        || trial.undoable(seat) != sitting.undoable(seat))
                {
                    return Err("a batch that was refused did something".into());
                }
            }
        }
        if let Some(offer) = explained.offers.first() {
            if sitting.act(seat, Some(number.wrapping_add(1)), &[offer.action]).is_ok() {
                return Err("a stale action was done".into());
            }
            let idle = self.party.minus(sitting.waiting_for()).lowest();
            if let Some(idle) = idle.filter(|s| sitting.observed(*s).is_none() && sitting.undoable(*s) == 0)
                && sitting.act(idle, None, &[offer.action]).is_ok()
            {
                return Err("a seat acted when it had nothing to decide".into());
            }
        }
        if *sitting.position() != before || sitting.last_entry() != last || sitting.number(seat) != number {
            return Err("something that was refused changed the table".into());
        }
        Ok(())
    }

    /// What is shown in reach has a route, and a route is played as it stands.
    fn check_routes(&mut self, sitting: &Match<G>, seat: Seat) -> Result<(), String> {
        let scene = sitting.scene(Viewer::Seat(seat));
        let own = scene.boards.iter().flat_map(|board| &board.pieces).filter(|p| p.owner == Some(seat));
        let own: Vec<&str> = own.map(|piece| piece.id.as_str()).collect();
        for _ in 0..PICKED.min(own.len()) {
            let Some(piece) = self.lots.pick(&own) else { return Ok(()) };
            let reach = sitting.reach(seat, &[piece]);
            let Some(goal) = self.lots.pick(&reach.iter().map(|r| r.space.as_str()).collect::<Vec<_>>())
            else {
                continue;
            };
            let route = sitting.route(seat, &[piece], goal);
            if route.is_empty() {
                return Err(format!("{goal} is shown in reach of {piece}, and no route leads there"));
            }
            let written =
                || route.iter().map(|a| self.game.write(*a).to_string()).collect::<Vec<_>>().join(", ");
            let played = sitting.clone().act(seat, Some(sitting.number(seat)), &route);
            played
                .map_err(|e| format!("the route of {piece} to {goal} (`{}`) is refused: {e}", written()))?;
        }
        Ok(())
    }

    /// Whether what the other viewers get is another thing than it was, where that was kept.
    fn others_notice(&self, sitting: &Match<G>, seat: Seat, before: Option<&Vec<String>>) -> bool {
        before.is_some_and(|before| self.all_that_others_get(sitting, seat) != *before)
    }

    /// Everything that the other viewers can get from a match, as text.
    fn all_that_others_get(&self, sitting: &Match<G>, seat: Seat) -> Vec<String> {
        let others = Viewer::all(self.party).filter(|v| *v != Viewer::Seat(seat));
        others
            .map(|viewer| {
                let text = |v: &dyn Fn() -> serde_json::Result<String>| v().unwrap_or_default();
                format!(
                    "{} {} {} {:?} {:?} {:?}",
                    text(&|| serde_json::to_string(&sitting.view(viewer))),
                    text(&|| serde_json::to_string(&sitting.scene(viewer))),
                    text(&|| serde_json::to_string(&sitting.journal(viewer))),
                    sitting.history(viewer).iter().map(|(_, s, n)| (*s, n.clone())).collect::<Vec<_>>(),
                    viewer.seat().map(|s| (sitting.number(s), sitting.explained(s).offers)),
                    sitting.waiting_for(),
                )
            })
            .collect()
    }

    /// All agree to take something back: it is undone, its number is not used again, and the dice are new.
    fn check_take_back(&mut self, sitting: &mut Match<G>, all: SeatSet) -> Result<(), String> {
        let standing = sitting.standing();
        if standing.len() < 2 || sitting.last_entry() == 0 {
            return Ok(());
        }
        let to = standing[self.lots.below(standing.len() as u32 - 1) as usize];
        if to >= sitting.last_entry() {
            return Ok(());
        }
        let last = sitting.last_entry();
        let Some(asking) = all.lowest() else { return Ok(()) };
        if self.setup.option(crate::TAKE_BACKS) == "no" {
            return match sitting.ask_take_back(asking, to) {
                Ok(()) => Err("something was taken back at a table without take-backs".into()),
                Err(_) => Ok(()),
            };
        }
        sitting.ask_take_back(asking, to).map_err(|e| format!("a take-back is refused: {e}"))?;
        while let Some(asked) = sitting.take_back_asked() {
            let next = asked.needed.minus(asked.agreed).lowest();
            let Some(seat) = next else { return Err("all agree, and nothing is taken back".into()) };
            if !all.contains(seat) {
                return Err(format!("seat {} is asked, which nobody plays", seat.index()));
            }
            // Half of them say so, the others let the time pass.
            if self.lots.below(2) == 0 {
                sitting.answer_take_back(seat, true).map_err(|e| format!("consent is refused: {e}"))?;
            } else {
                sitting.lapse_take_back();
            }
        }
        if sitting.last_entry() != last + 1 || sitting.standing().last() != Some(&to) {
            return Err(format!("a take-back to {to} did not lead there"));
        }
        Ok(())
    }
}
