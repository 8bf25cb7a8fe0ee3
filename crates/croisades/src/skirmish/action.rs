//! The decisions of a skirmish: those of a battle, and the few before it.

use serde::{Deserialize, Serialize};
use table::rooms::*;
use table::{Ballot, Notation, ReadError, Rule};

use super::Skirmish;
use crate::deed::Deed;
use crate::ids::Who;

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Play the battle out by itself \[S41\].
    Quick,
    /// Fight it \[S41\].
    Fight,
    /// Buy a man [3.14].
    Buy(Who),
    /// Buy a rider without his horse, which nobody may [3.14].
    BuyOnFoot(Who),
    /// Buy no more [3.14].
    Seal,
    /// A decision of the battle.
    Field(Deed),
}

impl Written for Skirmish {
    fn write(&self, action: Action) -> Notation {
        Notation::new(match action {
            Action::Quick => "quick".into(),
            Action::Fight => "fight".into(),
            Action::Buy(who) => format!("buy {}", self.tactics.data.name(who)),
            Action::BuyOnFoot(who) => format!("buy {} on foot", self.tactics.data.name(who)),
            Action::Seal => "seal".into(),
            Action::Field(deed) => self.tactics.data.write(deed),
        })
    }

    fn read(&self, text: &str) -> Result<Action, ReadError> {
        Ok(match text {
            "quick" => Action::Quick,
            "fight" => Action::Fight,
            "seal" => Action::Seal,
            _ => match text.strip_prefix("buy ") {
                Some(name) => match name.strip_suffix(" on foot") {
                    Some(rider) => Action::BuyOnFoot(self.tactics.data.read_who(rider)?),
                    None => Action::Buy(self.tactics.data.read_who(name)?),
                },
                None => Action::Field(self.tactics.data.read_deed(text)?),
            },
        })
    }
}

/// A ballot of a skirmish, as the battle inside it fills it in.
pub(crate) struct Within<'a, B: ?Sized>(pub(crate) &'a mut B);

impl<B: Ballot<Action> + ?Sized> Ballot<Deed> for Within<'_, B> {
    #[inline]
    fn allow(&mut self, deed: Deed) {
        self.0.allow(Action::Field(deed));
    }
    #[inline]
    fn allow_range(&mut self, deed: Deed, least: u32, most: u32) {
        self.0.allow_range(Action::Field(deed), least, most);
    }
    #[inline]
    fn force(&mut self, deed: Deed) {
        self.0.force(Action::Field(deed));
    }
    #[inline]
    fn explains(&self) -> bool {
        self.0.explains()
    }
    #[inline]
    fn refuse(&mut self, deed: Deed, rule: Rule, why: std::fmt::Arguments<'_>) {
        self.0.refuse(Action::Field(deed), rule, why);
    }
}
