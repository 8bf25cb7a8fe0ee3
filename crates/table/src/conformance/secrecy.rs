//! Secrecy: no viewer gets anything that tells apart what it may not tell apart.

use super::{Course, Moment};
use crate::ballot::{Explained, Options};
use crate::dice::Lots;
use crate::game::Game;
use crate::journal::{Journal, Line};
use crate::seat::{Readers, Viewer};
use crate::umpire::{Chance, Fate, Protocol, Scribe};

/// So many other actions are tried that look the same to a viewer.
const ALIKE: usize = 4;

impl<G: Game> Course<'_, G> {
    /// For every viewer: the true position and imagined ones give the same view, options, refusals,
    /// deciding seats, outcome and forced choices.
    pub(super) fn check_twins(&mut self, position: &G::Position) -> Result<(), String> {
        let game = self.game.clone();
        let deciding = game.deciding(position);
        for viewer in Viewer::all(self.party) {
            let view = game.view(position, viewer);
            if game.view(position, viewer) != view {
                return Err(format!("two views of {viewer:?} of one position differ"));
            }
            let scene = game.scene(&view);
            for _ in 0..self.examination.twins {
                let twin = game.imagine(&view, &mut self.lots);
                self.findings.twins.0 += 1;
                self.findings.twins.1 += u64::from(twin != *position);
                game.sound(&twin).map_err(|e| format!("what {viewer:?} imagines is unsound: {e}"))?;
                let theirs = game.view(&twin, viewer);
                if theirs != view {
                    return Err(format!(
                        "{viewer:?} can tell an imagined position from the true one: {}",
                        difference(&view, &theirs)
                    ));
                }
                if game.scene(&theirs) != scene {
                    return Err(format!("equal views of {viewer:?} make different scenes"));
                }
                if game.deciding(&twin) != deciding {
                    return Err(format!("who must decide hangs on what {viewer:?} may not know"));
                }
                if game.outcome(&twin) != game.outcome(position)
                    || game.reason(&twin) != game.reason(position)
                {
                    return Err(format!("the outcome hangs on what {viewer:?} may not know"));
                }
                self.check_standing(position, &twin, viewer)?;
                for seat in deciding.iter() {
                    if viewer == Viewer::Seat(seat) {
                        let (mut here, mut there) = (Explained::default(), Explained::default());
                        game.options(position, seat, &mut here);
                        game.options(&twin, seat, &mut there);
                        if here != there {
                            return Err(format!(
                                "options or refusals of {} hang on what it may not know: {:?} against {:?}",
                                game.title().seat_name(seat),
                                first_difference(&here, &there),
                                first_difference(&there, &here),
                            ));
                        }
                    } else if self.is_forced(position, seat) != self.is_forced(&twin, seat) {
                        return Err(format!(
                            "whether {} is forced hangs on what {viewer:?} may not know",
                            game.title().seat_name(seat)
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// What the table asks of the rules beside the options is the same in a twin: windows, companies, who is in the
    /// game and who may come; and no order answers another's window by what only its giver knows, for it would be
    /// answered sooner then.
    fn check_standing(
        &self,
        position: &G::Position,
        twin: &G::Position,
        viewer: Viewer,
    ) -> Result<(), String> {
        let (game, title) = (&self.game, self.game.title());
        let in_the_game = |p: &G::Position| (game.still_in(p, self.party), game.latecomers(p));
        if in_the_game(position) != in_the_game(twin) {
            return Err(format!("who is in the game hangs on what {viewer:?} may not know"));
        }
        for seat in game.deciding(position).iter() {
            let name = title.seat_name(seat);
            if game.together(position, seat) != game.together(twin, seat) {
                return Err(format!(
                    "who chooses together with {name} hangs on what {viewer:?} may not know"
                ));
            }
            let window = game.window(position, seat);
            if window != game.window(twin, seat) {
                return Err(format!(
                    "whether {name} is asked in a window hangs on what {viewer:?} may not know"
                ));
            }
            if !window || viewer == Viewer::Seat(seat) {
                continue;
            }
            let [own, theirs] = [position, twin].map(|p| game.view(p, Viewer::Seat(seat)));
            for offer in game.orders(&own) {
                let order = std::slice::from_ref(&offer.order);
                if game.obey(&own, order).is_some() != game.obey(&theirs, order).is_some() {
                    return Err(format!(
                        "the order `{}` of {name} answers a window by what {viewer:?} may not know",
                        game.write_order(&offer.order)
                    ));
                }
            }
        }
        Ok(())
    }

    fn is_forced(&self, position: &G::Position, seat: crate::Seat) -> bool {
        let mut options = Options::new();
        self.game.options(position, seat, &mut options);
        matches!(options.offers(), [offer] if offer.forced)
    }

    /// An action leaves no trace with those who may not know it, and teaches its own player nothing that
    /// undo could unlearn.
    pub(super) fn check_traces(&mut self, moment: &Moment<'_, G>) -> Result<(), String> {
        let game = self.game.clone();
        let dice = Reroll::Nothing;
        for viewer in Viewer::all(self.party) {
            if viewer == Viewer::Seat(moment.seat) {
                continue;
            }
            let got = self.got(moment.after, moment.protocol, viewer);
            let seen = game.seen(moment.before, moment.seat, moment.action, viewer);
            if seen.as_ref().is_some_and(|notation| !notation.is_well_formed()) {
                return Err(format!("`{seen:?}` is what {viewer:?} sees, and it cannot stand on a line"));
            }
            // Other actions that look the same.
            let mut options = Options::new();
            game.options(moment.before, moment.seat, &mut options);
            let mut others: Vec<_> = options
                .offers()
                .iter()
                .flat_map(|offer| match offer.range {
                    None => vec![offer.action],
                    Some((least, most)) => [least, most].map(|n| game.with_amount(offer.action, n)).to_vec(),
                })
                .filter(|other| *other != moment.action)
                .filter(|other| game.seen(moment.before, moment.seat, *other, viewer) == seen)
                .collect();
            self.lots.shuffle(&mut others);
            for other in others.into_iter().take(ALIKE) {
                let (after, protocol) = self.again(moment, other, &dice);
                let theirs = self.got(&after, &protocol, viewer);
                if theirs != got {
                    return Err(format!(
                        "`{}` and `{}` look alike to {viewer:?}, but leave different traces: {}",
                        game.write(moment.action),
                        game.write(other),
                        got.difference(&theirs)
                    ));
                }
            }
            // Other results of draws that the viewer is not told.
            if told_to_others(moment.protocol, viewer) {
                let (after, protocol) = self.again(moment, moment.action, &Reroll::UntoldTo(viewer));
                let theirs = self.got(&after, &protocol, viewer);
                if theirs != got {
                    return Err(format!(
                        "{viewer:?} can tell what was drawn for others: {}",
                        got.difference(&theirs)
                    ));
                }
            }
        }
        self.check_nothing_learned(moment)
    }

    /// What can be undone has taught the player nothing: in every position that he could not tell from the
    /// true one, he would now see the same.
    fn check_nothing_learned(&mut self, moment: &Moment<'_, G>) -> Result<(), String> {
        if moment.protocol.is_final() {
            return Ok(());
        }
        let game = self.game.clone();
        let viewer = Viewer::Seat(moment.seat);
        let got = self.got(moment.after, moment.protocol, viewer);
        for _ in 0..self.examination.twins {
            let mut twin = game.imagine(&game.view(moment.before, viewer), &mut self.lots);
            let mut scribe = Scribe::new(Lots::new(1));
            game.apply(&mut twin, moment.seat, moment.action, &mut scribe);
            let theirs = self.got(&twin, &scribe.protocol, viewer);
            if scribe.protocol.is_final() || theirs != got {
                return Err(format!(
                    "`{}` teaches its player something and reveals nothing, so that undo would cheat: {}",
                    game.write(moment.action),
                    got.difference(&theirs)
                ));
            }
        }
        Ok(())
    }

    /// The set-up's private draws leave no trace with the others.
    pub(super) fn check_setup_traces(
        &mut self,
        position: &G::Position,
        protocol: &Protocol,
    ) -> Result<(), String> {
        for viewer in Viewer::all(self.party) {
            if !told_to_others(protocol, viewer) {
                continue;
            }
            let fate = Rerolled {
                stream: self.key.stream(0, 0),
                other: self.lots.clone(),
                reroll: Reroll::UntoldTo(viewer),
            };
            let mut scribe = Scribe::new(fate);
            let other = self.game.setup(&self.setup, &mut scribe).map_err(|e| e.to_string())?;
            let (got, theirs) =
                (self.got(position, protocol, viewer), self.got(&other, &scribe.protocol, viewer));
            if got != theirs {
                return Err(format!(
                    "{viewer:?} can tell what was drawn for others at set-up: {}",
                    got.difference(&theirs)
                ));
            }
        }
        Ok(())
    }

    /// Plays a moment again with another action or other draws, and the same public dice.
    fn again(
        &mut self,
        moment: &Moment<'_, G>,
        action: G::Action,
        reroll: &Reroll,
    ) -> (G::Position, Protocol) {
        let other = Lots::new(self.lots.bits());
        let fate = Rerolled { stream: self.key.stream(0, moment.entry), other, reroll: *reroll };
        let mut scribe = Scribe::new(fate);
        let mut after = moment.before.clone();
        self.game.apply(&mut after, moment.seat, action, &mut scribe);
        (after, scribe.protocol)
    }

    /// All that a viewer gets of a position and of what led to it.
    fn got(&self, position: &G::Position, protocol: &Protocol, viewer: Viewer) -> Got<G> {
        let mut journal = Journal::default();
        journal.extend(protocol.notes.iter().cloned());
        let told = protocol.chance.iter().filter(|c| match c {
            Chance::Roll { .. } => true,
            Chance::Draw { to, .. } => to.is_none_or(|to| to.include(viewer)),
        });
        Got {
            view: self.game.view(position, viewer),
            journal: journal.read(viewer).map(Line::from).collect(),
            chance: told.cloned().collect(),
            deciding: format!("{:?} {:?}", self.game.deciding(position), self.game.outcome(position)),
        }
    }
}

struct Got<G: Game> {
    view: G::View,
    journal: Vec<Line>,
    chance: Vec<Chance>,
    deciding: String,
}

impl<G: Game> PartialEq for Got<G> {
    fn eq(&self, other: &Self) -> bool {
        self.view == other.view
            && self.journal == other.journal
            && self.chance == other.chance
            && self.deciding == other.deciding
    }
}

impl<G: Game> Got<G> {
    fn difference(&self, other: &Self) -> String {
        if self.view != other.view {
            difference(&self.view, &other.view)
        } else if self.journal != other.journal {
            format!("the journal says {:?} against {:?}", lines(&self.journal), lines(&other.journal))
        } else if self.chance != other.chance {
            format!("the dice are {:?} against {:?}", self.chance, other.chance)
        } else {
            format!("{} against {}", self.deciding, other.deciding)
        }
    }
}

fn lines(journal: &[Line]) -> Vec<&str> {
    journal.iter().map(|l| l.text.as_str()).collect()
}

/// Where two views part, as text.
fn difference<V: serde::Serialize>(one: &V, other: &V) -> String {
    let texts = [one, other].map(|v| serde_json::to_string(v).unwrap_or_default());
    let at = texts[0].bytes().zip(texts[1].bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| -> String {
        let from = at.saturating_sub(60);
        String::from_utf8_lossy(&text.as_bytes()[from.min(text.len())..(at + 60).min(text.len())])
            .into_owned()
    };
    format!("`…{}…` against `…{}…`", around(&texts[0]), around(&texts[1]))
}

fn first_difference<A: Copy + PartialEq + std::fmt::Debug>(
    one: &Explained<A>,
    other: &Explained<A>,
) -> Option<String> {
    let offer = one.offers.iter().zip(other.offers.iter().map(Some).chain(std::iter::repeat(None)));
    let offer = offer.into_iter().find(|(a, b)| Some(*a) != *b).map(|(a, _)| format!("{a:?}"));
    let refusal = one.refusals.iter().zip(other.refusals.iter().map(Some).chain(std::iter::repeat(None)));
    offer.or_else(|| refusal.into_iter().find(|(a, b)| Some(*a) != *b).map(|(a, _)| format!("{a:?}")))
}

/// Whether something was drawn that this viewer was not told.
fn told_to_others(protocol: &Protocol, viewer: Viewer) -> bool {
    protocol.chance.iter().any(|c| matches!(c, Chance::Draw { to: Some(to), .. } if !to.include(viewer)))
}

/// Which draws come out otherwise.
#[derive(Clone, Copy)]
enum Reroll {
    Nothing,
    UntoldTo(Viewer),
}

/// The dice of an entry, with some draws made again.
struct Rerolled {
    stream: crate::dice::DiceStream,
    other: Lots,
    reroll: Reroll,
}

impl Fate for Rerolled {
    fn roll(&mut self, sides: u8) -> u8 {
        self.stream.roll(sides)
    }
    fn draw(&mut self, to: Readers, n: u16, name: &dyn Fn(u16) -> String) -> u16 {
        let drawn = self.stream.draw(to, n, name);
        match self.reroll {
            Reroll::UntoldTo(viewer) if !to.include(viewer) => self.other.draw(to, n, name),
            _ => drawn,
        }
    }
}
