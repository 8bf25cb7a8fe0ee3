//! A sentence of advice with each kind of decision, in the guided and in the introductory scenario, for the eyes of
//! the one who decides.

use crate::KingdomOfHeaven;
use crate::data::scenarios::Victory;
use crate::ids::CHRISTIAN;
use crate::position::Step;
use crate::view::View;

impl KingdomOfHeaven {
    pub(crate) fn guidance(&self, view: &View) -> Option<String> {
        let plot = self.plot(&view.open);
        let seat = view.viewer.seat().filter(|seat| view.deciding.contains(*seat))?;
        if !plot.guided && !plot.introductory {
            return None;
        }
        let goal = match plot.victory {
            Victory::Space(space) => self.space_name(space),
            Victory::Points { .. } => "your goal",
        };
        let attacks = seat == CHRISTIAN;
        Some(match view.step()? {
            Step::Deal { .. } => {
                "Take your cards. Each of them can be used in several ways, and once only.".into()
            }
            Step::Round { .. } if attacks => format!(
                "You win by holding {goal} at the end. Activate a leader with a card of at least his strategy rating, \
                 march to {goal}, call on it to surrender, and besiege it if it refuses; later rounds weaken its walls."
            ),
            Step::Round { .. } => format!(
                "You win if {goal} is not lost. Keep cards for sieges and responses, bring troops to {goal}, and make \
                 every step of the enemy’s march dear."
            ),
            Step::Command => {
                "The largest army is proposed. Lay out a way by clicking a space, or simply set out.".into()
            }
            Step::March => {
                "Each space costs a movement point, a pass two. Waiting in a stronghold of your own gathers \
                            supplies for the foraging roll at the end."
                    .into()
            }
            Step::Window { .. } => {
                "You may answer with a card. You are asked whether or not you hold one, so that \
                                    nobody learns anything from the question."
                    .into()
            }
            Step::Designate { .. } => {
                "Say first who tries to intercept or to avoid; then the dice are rolled. An army \
                                       without infantry finds both easier."
                    .into()
            }
            Step::Shelter { .. } => {
                "Whoever goes inside is not attacked now; three fit into a castle, any number into \
                                     a city."
                    .into()
            }
            Step::Battle => {
                "A card played now changes the dice of this battle. The attacker is asked first.".into()
            }
            Step::Casualties | Step::Losses { .. } => {
                "Taking losses as usual keeps the most strength; you may choose step by step instead.".into()
            }
            Step::Retreat { .. } => {
                "Go where no enemy is, one space or two; a stronghold of your own is best.".into()
            }
            Step::Press => {
                "Play another siege event, storm the walls, or end the action. The walls push your column to \
                            the left by their resistance."
                    .into()
            }
            Step::Answer { .. } => {
                "One answer to each siege event: cancel it, strike back, or do nothing.".into()
            }
            Step::Vassals { .. } => "Vassals move one by one, without a leader, and do not attack.".into(),
            Step::Winter { .. } => {
                "Say who stays in the field; all others can muster again next turn.".into()
            }
            Step::MusterUnits { .. } => {
                "Place your units: three in your capital, two in a city, one at a castle.".into()
            }
            _ => return None,
        })
    }
}
