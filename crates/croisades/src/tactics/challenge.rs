//! Who slips past enemies is challenged by them [3.56, T22].

use table::{Readers, Umpire, rule};

use super::Tactics;
use crate::field::{Field, Marks};
use crate::ids::{Man, Place};

impl Tactics {
    /// A man has entered a hex. If he came from one next to an enemy, all who stand next to the new one and are not
    /// stunned challenge him, each once in a move.
    pub(super) fn challenges(
        &self,
        f: &mut Field,
        man: Man,
        was_near: bool,
        entered: Place,
        spared: &[Man],
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if !was_near {
            return;
        }
        let tables = &self.data.tables;
        for direction in table::hex::Direction::ALL {
            let Some(at) = f.next(entered, direction) else { continue };
            let Some(other) = f.man_on(at) else { continue };
            let soldier = *f.man(other);
            let idle = soldier.side == f.man(man).side || !soldier.steady();
            if idle || spared.contains(&other) || f.march.challenged.contains(&other) {
                continue;
            }
            if !self.touch(f, entered, at) || !self.kind(&soldier).armed {
                continue;
            }
            if !f.march.challenged.is_full() {
                f.march.challenged.push(other);
            }
            let needed = if soldier.mounted() { tables.challenge_mounted } else { tables.challenge_foot };
            let hits = umpire.roll(10) <= needed;
            umpire.note(
                Readers::ALL,
                rule!("T22"),
                format_args!(
                    "{} challenges {}{}",
                    self.call(f, other),
                    self.call(f, man),
                    if hits { "" } else { " in vain" }
                ),
            );
            if !hits {
                continue;
            }
            umpire.cite(rule!("3.56"));
            let armoured = self.kind(f.man(man)).armoured;
            let dice = if armoured { tables.challenge_armoured } else { tables.challenge_unarmoured };
            let loss = dice.roll(umpire);
            self.hurt(f, man, loss, true, umpire);
            if !f.man(man).here() || f.man(man).is(Marks::STUNNED) {
                return;
            }
        }
    }
}
