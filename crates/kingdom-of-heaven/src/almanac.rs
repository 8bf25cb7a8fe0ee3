//! What a sharp player could count for himself, counted for all: what the cards in his hand can do and why not, which
//! interrupts are still out, and the year so far.

use table::rooms::*;
use table::scene::{Aid, AidRow, Use};
use table::{Explained, Lots, Readers, Seat, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::cards::CardType;
use crate::flow::{Element, Rank};
use crate::ids::{BOTH, Card, Cards, Leaders, Spaces};
use crate::position::{Open, Place, Position, Step, Year};
use crate::view::View;
use crate::words::{listed, signed};

/// The uses of a card.
const USES: [&str; 5] = ["Activation", "Event", "Siege", "Diplomacy", "Vassal move"];

impl KingdomOfHeaven {
    /// What a player may do with his cards now, and why not; nothing where it is not his round.
    pub(crate) fn explained_hand(&self, view: &View, seat: Seat) -> Option<Explained<Action>> {
        let mine = view.viewer.seat() == Some(seat) && view.deciding.contains(seat);
        if !mine || !matches!(view.step(), Some(Step::Round { .. })) {
            return None;
        }
        let p = self.imagine(view, &mut Lots::new(0));
        let mut all = Explained::default();
        self.options(&p, seat, &mut all);
        Some(all)
    }

    /// All uses of a card, those that are open and those that are not, and why.
    pub(crate) fn uses_of(&self, all: &Explained<Action>, card: Card) -> Vec<Use> {
        let mut uses = Vec::new();
        for (kind, name) in USES.iter().enumerate() {
            let open = all.offers.iter().filter(|o| column(o.action, card) == Some(kind)).count();
            let why = all.refusals.iter().find(|r| column(r.action, card) == Some(kind));
            let note = match (open, why) {
                (0, Some(why)) => why.why.clone(),
                (0, None) => continue,
                (1, _) => "in one way".into(),
                (n, _) => format!("in {n} ways"),
            };
            uses.push(Use { name: (*name).into(), note, open: open > 0 });
        }
        uses
    }

    /// Who is under whom in the army that is formed, and who stays behind and why [10.2, 10.3].
    pub(crate) fn command_aid(&self, view: &View) -> Option<Aid> {
        let o = &view.open;
        let march = o.march.as_ref().filter(|_| matches!(view.step(), Some(Step::Command)))?;
        let top = march.leader?;
        let by_sea = self.components.space(march.at).by_sea || march.fleet;
        let element = if by_sea { Element::Sea } else { Element::Land };
        let chain = self.chain_of_command(o, march.seat, top, march.leaders, march.units, element);
        let row = |rank: &Rank| {
            let units = rank.units.iter().map(|(power, n)| format!("{n} of {}", self.power_name(*power)));
            let units: Vec<String> = units.collect();
            let under = rank.superior.map_or("he leads".into(), |l| format!("under {}", self.leader_name(l)));
            let commands = if units.is_empty() { "nobody".into() } else { listed(&units) };
            let room = format!("{} more", rank.room);
            AidRow::new([self.leader_start(rank.leader).to_string(), under, commands, room])
                .lit(rank.leader == top)
        };
        let mut rows: Vec<AidRow> = chain.iter().map(row).collect();
        rows.extend(self.left_behind(view, march.seat));
        Some(Aid {
            id: "aid-command".into(),
            name: format!("The army of {}", self.leader_name(top)),
            note: "Who commands whom, and who cannot come".into(),
            rule: Some(rule!("10.3")),
            columns: ["who", "place", "commands", "room"].map(String::from).to_vec(),
            rows,
        })
    }

    /// Who stays behind, for the player who forms the army.
    fn left_behind(&self, view: &View, seat: Seat) -> Vec<AidRow> {
        if view.viewer.seat() != Some(seat) {
            return Vec::new();
        }
        let p = self.imagine(view, &mut Lots::new(0));
        let mut all = Explained::default();
        self.options(&p, seat, &mut all);
        let who = |action: Action| match action {
            Action::Bring(leader) => Some(self.leader_start(leader).to_string()),
            Action::Take(sort) => Some(self.sort_name(sort)),
            _ => None,
        };
        let cannot = all.refusals.iter().filter_map(|r| Some((who(r.action)?, "cannot come", r.why.clone())));
        let could = all.offers.iter().filter_map(|o| Some((who(o.action)?, "could come", String::new())));
        let row = |(who, place, why): (String, &str, String)| {
            AidRow::new([who, place.to_string(), why, String::new()])
        };
        could.chain(cannot).map(row).collect()
    }

    /// Which responses and battle events are not accounted for, by what the viewer may know.
    pub(crate) fn interrupts_aid(&self, view: &View) -> Aid {
        let o = &view.open;
        let own: Cards =
            BOTH.iter().fold(Cards::NONE, |cards, seat| cards | view.hands[*seat].unwrap_or(Cards::NONE));
        let out = self.plot(o).deck - o.discards - o.removed - own;
        let unseen = out.len();
        let interrupt = |card: &Card| self.components.card(*card).kind != CardType::Normal;
        let hidden: usize =
            BOTH.iter().filter(|s| view.hands[**s].is_none()).map(|s| usize::from(o.held[*s])).sum();
        let row = |card: Card| {
            let data = self.components.card(card);
            let when = match data.kind {
                CardType::Battle => "in battle",
                _ => "in answer",
            };
            AidRow::new([data.title.clone(), when.to_string(), data.gist.clone()])
        };
        let rows: Vec<_> = out.iter().filter(interrupt).map(row).collect();
        let note = match (unseen, hidden) {
            (0, _) | (_, 0) => "Nobody holds a card that you do not see".into(),
            (unseen, hidden) => format!(
                "Each of them is in a hand that you do not see with {} %: {} of {unseen} cards",
                hidden * 100 / unseen,
                hidden
            ),
        };
        Aid {
            id: "aid-interrupts".into(),
            name: "Interrupts still out".into(),
            note,
            rule: Some(rule!("8.4.3")),
            columns: ["card", "when", "what it does"].map(String::from).to_vec(),
            rows,
        }
    }

    /// How things stood when the year began.
    pub(crate) fn new_year(&self, o: &Open) -> Year {
        let held = |seat: Seat| -> Spaces {
            self.components.all_spaces().filter(|s| self.holds(o, *s, seat)).collect()
        };
        let mut year = Year { dead: self.dead(o), ..Year::default() };
        for seat in BOTH {
            year.points[seat] = self.points(o, seat);
            year.held[seat] = held(seat);
        }
        year
    }

    fn dead(&self, o: &Open) -> Leaders {
        self.plot(o).all_leaders.iter().filter(|l| matches!(o.led[*l], Place::Dead | Place::Gone)).collect()
    }

    /// The lines of a year: points, what changed hands, who died or lies captive, which sieges stand.
    fn year_lines(&self, o: &Open) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        for seat in BOTH {
            let (was, now) = (o.year.points[seat], self.points(o, seat));
            let by = signed(i32::from(now) - i32::from(was));
            lines.push((
                "victory points",
                format!("the {}: {was}, now {now} ({by})", self.title.seat_name(seat)),
            ));
        }
        let names = |spaces: Spaces| -> Vec<String> {
            spaces.iter().map(|s| self.space_name(s).to_string()).collect()
        };
        for seat in BOTH {
            let taken: Spaces = self
                .components
                .all_spaces()
                .filter(|s| self.holds(o, *s, seat) && !o.year.held[seat].has(*s))
                .collect();
            if taken.any() {
                lines.push(("won", format!("the {}: {}", self.title.seat_name(seat), listed(&names(taken)))));
            }
        }
        let leaders = |leaders: Leaders| -> Vec<String> {
            leaders.iter().map(|l| self.leader_name(l).to_string()).collect()
        };
        let dead = self.dead(o) - o.year.dead;
        if dead.any() {
            lines.push(("died", listed(&leaders(dead))));
        }
        for seat in BOTH {
            let captive: Leaders =
                self.plot(o).all_leaders.iter().filter(|l| o.led[*l] == Place::Prison(seat)).collect();
            if captive.any() {
                let who = self.title.seat_name(seat);
                lines.push(("captive", format!("with the {who}: {}", listed(&leaders(captive)))));
            }
        }
        let sieges: Spaces = self.components.all_spaces().filter(|s| o.marks[*s].besieged).collect();
        if sieges.any() {
            lines.push(("besieged", listed(&names(sieges))));
        }
        lines
    }

    /// The page of the year so far.
    pub(crate) fn year_aid(&self, view: &View) -> Aid {
        let o = &view.open;
        let year = self.plot(o).first_year + u16::from(o.turn) - 1;
        Aid {
            id: "aid-year".into(),
            name: format!("The year {year}"),
            note: "What it has brought so far".into(),
            rule: Some(rule!("20.1")),
            columns: ["what", "who"].map(String::from).to_vec(),
            rows: self
                .year_lines(o)
                .into_iter()
                .map(|(what, who)| AidRow::new([what.to_string(), who]))
                .collect(),
        }
    }

    /// At the end of a turn the journal tells the year.
    pub(crate) fn tell_year(&self, p: &Position, umpire: &mut (impl Umpire + ?Sized)) {
        if !umpire.writes() {
            return;
        }
        let year = self.plot(&p.open).first_year + u16::from(p.open.turn) - 1;
        for (what, who) in self.year_lines(&p.open) {
            umpire.note(Readers::ALL, rule!("5.7"), format_args!("The year {year}, {what}: {who}"));
        }
    }
}

/// Which of its uses an action of a card is.
fn column(action: Action, card: Card) -> Option<usize> {
    let (kind, of) = match action {
        Action::Activate(c, _) => (0, c),
        Action::Event(c) => (1, c),
        Action::Starve(c, _) | Action::Fortune(c, _) | Action::Siege(c, _) | Action::Storm(c, _) => (2, c),
        Action::Influence(c, _) | Action::Woo(c) => (3, c),
        Action::Vassals(c) => (4, c),
        _ => return None,
    };
    (of == card).then_some(kind)
}
