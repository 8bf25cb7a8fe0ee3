//! Advice for the guided battle: a sentence with each prompt.

use super::Skirmish;
use super::view::View;
use crate::field::Step;

impl Skirmish {
    /// A sentence of advice for the seat that decides, in the guided scenario.
    pub(super) fn advice(&self, view: &View) -> Option<String> {
        let guided = self.tactics.data.skirmishes.get(usize::from(view.open.scenario))?.guided;
        view.viewer.seat().filter(|seat| view.deciding.contains(*seat))?;
        if !guided {
            return None;
        }
        let f = &view.open.field;
        let t = &self.tactics;
        Some(match f.step() {
            Step::Initiative(_) => "Who sets up first also moves first. With more riders than the enemy, go first.".into(),
            Step::Deploy(..) => "The line-up is sound as it is: foot in front, your commander behind them. You may say \
                                 that you are ready."
                .into(),
            Step::Fire => "Shoot first: at riders and at men without armour, and not where your own men stand next to \
                           the target."
                .into(),
            Step::Move => "Keep your men together and near your commander, for whom he has in range may attack and roll \
                           twice. Let two or three close with one enemy."
                .into(),
            Step::March(man) if f.man(man).mounted() => {
                "Three hexes straight ahead over open ground, with the enemy straight in front, make a charge: half as \
                 strong again."
                    .into()
            }
            Step::March(_) => "Do not pass along an enemy: stepping from one hex next to him to another invites his \
                               challenge."
                .into(),
            Step::Shots(_) => "A shot at a man who moves can stop him on his way. Each of your shooters has one in this \
                               movement."
                .into(),
            Step::Combat => "Attack where several of yours stand next to one enemy: all their strength counts.".into(),
            Step::Attack => "Let everybody join who can reach him; then strike.".into(),
            Step::Answer => {
                let worth = t.answer_worth(f);
                let words = ["counter-attack", "dodge", "withdraw"];
                let best = (0..3).filter(|i| worth[*i].is_some()).max_by_key(|i| worth[*i])?;
                format!(
                    "Counter-attack when you are about as strong, dodge with experience or good armour, withdraw when you \
                     are faster. Here it looks best to {}.",
                    words[best]
                )
            }
            Step::Mercy(..) => "Spare him: a prisoner counts twice what a dead man does.".into(),
            Step::Victim(_) => "Choose one whom this kills or stuns; else the dearest.".into(),
            Step::Retreat(..) => "Go where no other enemy stands next to your way.".into(),
            Step::Advance => "Advance if it brings your man next to friends, not among enemies.".into(),
            Step::Breach | Step::Over => return None,
        })
    }
}
