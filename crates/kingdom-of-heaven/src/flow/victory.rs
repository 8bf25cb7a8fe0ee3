//! Victory \[20\].

use table::{Readers, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::data::scenarios::Victory;
use crate::ids::{CHRISTIAN, MUSLIM};
use crate::position::{Ending, Open, Position};

impl KingdomOfHeaven {
    /// The last turn is over.
    pub(super) fn finish(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for rule in [rule!("5.8"), rule!("20"), rule!("20.1"), rule!("20.1.1")] {
            umpire.cite(rule);
        }
        p.open.ending = Some(self.judge(&p.open));
        umpire.reveal(Readers::ALL);
        umpire.note(
            Readers::ALL,
            rule!("20.2"),
            format_args!("{}", if umpire.writes() { self.why(&p.open) } else { String::new() }),
        );
    }

    /// How it would end now.
    pub(crate) fn judge(&self, o: &Open) -> Ending {
        let (mine, theirs) = (i16::from(self.points(o, CHRISTIAN)), i16::from(self.points(o, MUSLIM)));
        match self.plot(o).victory {
            Victory::Space(space) => {
                Ending::Won(if self.friendly(o, space, CHRISTIAN) { CHRISTIAN } else { MUSLIM })
            }
            Victory::Points { .. } => {
                let (short, lack) = self.shortfalls(o, mine, theirs);
                if short <= 0 {
                    Ending::Won(CHRISTIAN)
                } else if lack <= 0 {
                    Ending::Won(MUSLIM)
                } else if !o.rules.marginal || short == lack {
                    Ending::Draw
                } else {
                    Ending::Marginal(if short < lack { CHRISTIAN } else { MUSLIM })
                }
            }
        }
    }

    /// How many points each side lacks; none or less is a victory.
    pub(crate) fn shortfalls(&self, o: &Open, christian: i16, muslim: i16) -> (i16, i16) {
        match self.plot(o).victory {
            Victory::Space(_) => (0, 0),
            Victory::Points { christian: goal, muslim: other, most_christian } => {
                let short = i16::from(goal) - christian;
                let lack = match (other, most_christian) {
                    (Some(goal), _) => i16::from(goal) - muslim,
                    (None, Some(most)) => christian - i16::from(most),
                    (None, None) => 1,
                };
                (short, lack)
            }
        }
    }

    /// Why it ended so.
    pub(crate) fn why(&self, o: &Open) -> String {
        let (mine, theirs) = (self.points(o, CHRISTIAN), self.points(o, MUSLIM));
        match (o.ending, self.plot(o).victory) {
            (None, _) => String::new(),
            (Some(Ending::NoCrusade), _) => {
                format!(
                    "The Muslim holds {theirs} victory points, too few for a crusade to be preached: the Christian has won"
                )
            }
            (Some(Ending::Won(CHRISTIAN)), Victory::Space(space)) => {
                format!("The Christian holds {}", self.space_name(space))
            }
            (Some(_), Victory::Space(space)) => {
                format!("The Christian does not hold {}", self.space_name(space))
            }
            (Some(ending), Victory::Points { christian, muslim, most_christian }) => {
                let goal = match (muslim, most_christian) {
                    (Some(goal), _) => format!("the Muslim holds {theirs} and needs {goal}"),
                    (None, Some(most)) => format!("the Muslim wins if it is {most} or less"),
                    (None, None) => String::new(),
                };
                let result = match ending {
                    Ending::Won(CHRISTIAN) => "the Christian has won",
                    Ending::Won(_) => "the Muslim has won",
                    Ending::Marginal(CHRISTIAN) => "the Christian came closer",
                    Ending::Marginal(_) => "the Muslim came closer",
                    Ending::NoCrusade | Ending::Draw => "nobody has won",
                };
                format!("The Christian holds {mine} victory points and needs {christian}; {goal}: {result}")
            }
        }
    }
}
