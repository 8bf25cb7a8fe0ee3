//! Turns, and how it ends [scenario.2, scenario.7, S38, ruling 48].

use table::{MOST_SEATS, Outcome, Readers, Seat, Umpire, rule};

use crate::campaign::Campaign;
use crate::realm::{Realm, Step};

impl Campaign {
    /// The last turn of the scenario.
    pub(crate) fn last_turn(&self, p: &Realm) -> u8 {
        self.atlas.scenarios[usize::from(p.open.scenario)].turns
    }

    pub(super) fn begin_turn(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.turn += 1;
        let turn = p.open.turn;
        umpire.heading(format_args!("Turn {turn}"));
        umpire.cite(rule!("scenario.2"));
        umpire.cite(rule!("3.15"));
        for group in p.open.groups.iter_mut().flatten() {
            group.moved = false;
            group.pinned = false;
        }
        for man in p.hidden.men.iter_mut().filter(|m| m.lord.is_some()) {
            man.shifted = false;
            if man.heals > 0 && man.heals <= turn {
                man.heals = 0;
                man.life = self.tactics().data.card(man.who.counter).life;
            }
        }
        p.hidden.treaties.retain(|t| t.until >= turn);
        self.launch_ships(p, umpire);
        self.settle_debts(p, umpire);
        self.bring_home(p);
        self.begin_writing(p);
    }

    pub(super) fn end_turn(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let goal = self.atlas.scenarios[usize::from(p.open.scenario)].goal;
        let wins = |seat: &Seat| {
            let worth = self.riches(p, *seat);
            worth.fame >= goal.0 && worth.revenue >= goal.1
        };
        let order = (0..p.open.order.len() as u8).filter_map(|at| p.open.at_turn(at));
        let mut winner = order.filter(|s| p.open.playing().contains(*s)).find(wins).map(Some);
        let left = p.open.playing();
        if winner.is_none() && left.len() == 1 {
            winner = Some(left.lowest());
        }
        if winner.is_none() && (p.open.turn >= self.last_turn(p) || left.is_empty()) {
            winner = Some(self.foremost(p));
        }
        match winner {
            Some(winner) => {
                p.open.victor = Some(winner.into_iter().collect());
                umpire.reveal(Readers::ALL);
                while p.open.agenda.pop().is_some() {}
                p.open.agenda.push(Step::Over);
                umpire.note(
                    Readers::ALL,
                    rule!("scenario.7"),
                    format_args!("{} is the foremost lord", winner.map_or("Nobody", |w| self.lord_name(w))),
                );
            }
            None => self.begin_turn(p, umpire),
        }
    }

    /// Who has most at the limit: fame of towns, then revenue, then the lord's fame; nobody, if two are equal.
    fn foremost(&self, p: &Realm) -> Option<Seat> {
        let best = p.open.playing().iter().map(|s| self.riches(p, s)).max()?;
        let mut first = p.open.playing().iter().filter(|s| self.riches(p, *s) == best);
        first.next().filter(|_| first.next().is_none())
    }

    pub(super) fn result(&self, p: &Realm) -> Option<Outcome> {
        let winners = p.open.victor?;
        let mut scores = [0; MOST_SEATS];
        for seat in p.open.party.iter() {
            scores[seat.index()] = i32::from(self.riches(p, seat).revenue);
        }
        const WINS: [&str; MOST_SEATS] = [
            "Crescent wins",
            "Cross wins",
            "Star wins",
            "Lion wins",
            "Falcon wins",
            "Lily wins",
            "Rosette wins",
            "Eagle wins",
        ];
        let headline = winners.lowest().map_or("A draw", |seat| WINS[seat.index()]);
        Some(Outcome { winners, first: None, headline, rule: rule!("scenario.7"), scores })
    }

    pub(super) fn why(&self, p: &Realm) -> String {
        let Some(winners) = p.open.victor else { return String::new() };
        match winners.lowest() {
            Some(seat) => {
                let worth = self.riches(p, seat);
                format!(
                    "{} has {} fame, {} dinars of revenue, and towns worth {} fame.",
                    self.lord_name(seat),
                    worth.fame,
                    worth.revenue,
                    worth.towns
                )
            }
            None => "No lord is ahead of the others.".to_string(),
        }
    }
}
