//! Turns, and how it ends [scenario.2, scenario.6, scenario.7, S38, ruling 48].

use table::{MOST_SEATS, Outcome, Readers, Rule, Seat, SeatSet, Umpire, rule};

use super::revenue::Worth;
use crate::campaign::Campaign;
use crate::campaign::atlas::{Goal, ScenarioSheet};
use crate::realm::{GroupId, PlaceId, Realm, Step};

/// So many turns before the chronicle ends everybody is told, each turn.
const WARNED: u8 = 10;

impl Campaign {
    /// The scenario that is played.
    pub(crate) fn sheet(&self, p: &Realm) -> &ScenarioSheet {
        &self.atlas.scenarios[usize::from(p.open.scenario)]
    }

    /// The last turn of the scenario that is played.
    pub fn last(&self, p: &Realm) -> u8 {
        self.last_turn(p)
    }

    /// The last turn of the scenario.
    pub(crate) fn last_turn(&self, p: &Realm) -> u8 {
        self.sheet(p).turns
    }

    /// Whether every town of the map knows a lord: he or a vassal of his holds it; where nobody does, an alliance
    /// is enough [scenario.6].
    fn has_all_towns(&self, p: &Realm, seat: Seat) -> bool {
        let mut towns = (0..p.open.places.len()).map(PlaceId::at);
        towns.all(|id| {
            let place = p.open.place(id);
            !place.mapped
                || !self.atlas.place(id).kind.is_town()
                || place.holder.is_some_and(|holder| p.open.overlord(holder) == seat)
        })
    }

    /// What a lord has with his vassals: their places count for him [scenario.5].
    pub(crate) fn might(&self, p: &Realm, seat: Seat) -> Worth {
        let mut worth = self.riches(p, seat);
        for vassal in p.open.playing().without(seat).iter().filter(|s| p.open.overlord(*s) == seat) {
            let more = self.riches(p, vassal);
            worth.towns += more.towns;
            worth.revenue += more.revenue;
        }
        worth
    }

    /// Lords who are nobody's vassal: only these can win [scenario.5].
    fn free_lords(&self, p: &Realm) -> SeatSet {
        p.open.playing().iter().filter(|s| p.open.overlord(*s) == *s).collect()
    }

    pub(super) fn begin_turn(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.turn += 1;
        let turn = p.open.turn;
        umpire.heading(format_args!("Turn {turn}"));
        umpire.cite(rule!("scenario.2"));
        let left = self.last_turn(p).saturating_sub(turn);
        if !self.sheet(p).limited && left <= WARNED {
            umpire.note(
                Readers::ALL,
                rule!("scenario.6"),
                format_args!(
                    "The chronicle ends with turn {}: then the towns are counted",
                    self.last_turn(p)
                ),
            );
        }
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
        self.gather_strays(p);
        self.dry_up(p, umpire);
        self.launch_ships(p, umpire);
        self.settle_debts(p, umpire);
        self.bring_home(p);
        self.next_arrival(p, umpire);
    }

    /// Groups that nobody leads join another of their lord in the hex, or scatter; prisoners whose keepers are gone are
    /// kept by another group of their captor, or go free [S6, 3.58].
    fn gather_strays(&self, p: &mut Realm) {
        for i in 0..p.open.groups.len() {
            let (id, Some(group)) = (GroupId::at(i), p.open.groups[i]) else { continue };
            if self.best_class(p, id, None) <= crate::data::NCO {
                continue;
            }
            let mate = p.open.groups_of(group.lord).find(|(other, g)| {
                *other != id && g.at == group.at && g.aboard == group.aboard && g.inside == group.inside
            });
            let mate = mate.map(|(other, _)| other);
            for n in p.slots(group.lord) {
                if p.hidden.men[n].group == Some(id) && p.hidden.men[n].lord.is_some() {
                    match mate {
                        Some(mate) => p.hidden.men[n].group = Some(mate),
                        None => self.lose_man(p, n),
                    }
                }
            }
            self.recount(p, id, true);
            if let Some(mate) = mate {
                self.recount(p, mate, false);
            }
        }
        for i in 0..p.open.majors.len() {
            let major = p.open.majors[i];
            let (Some(_), Some(captor)) = (major.lord, major.captor) else { continue };
            let kept =
                major.keeper.is_some_and(|g| p.open.groups[g.number()].is_some_and(|g| g.lord == captor));
            if !kept {
                let other = p.open.groups_of(captor).map(|(g, _)| g).next();
                p.open.majors[i].keeper = other;
            }
        }
    }

    pub(super) fn end_turn(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let wins = |seat: &Seat| match self.sheet(p).goal {
            Goal::Riches(fame, revenue) => {
                let worth = self.might(p, *seat);
                worth.fame >= fame && worth.revenue >= revenue
            }
            Goal::Towns => self.has_all_towns(p, *seat),
        };
        // Of several who have reached it in one turn, who has most as at the limit.
        let reached: SeatSet = self.free_lords(p).iter().filter(wins).collect();
        let mut winner = (!reached.is_empty()).then(|| self.foremost_of(p, reached));
        let left = p.open.playing();
        // Who is out may come back while a castle is free.
        let awaited = p.open.party.iter().any(|seat| self.may_enter(p, seat));
        if winner.is_none() && left.len() == 1 && !awaited {
            winner = Some(left.lowest());
        }
        if winner.is_none() && (p.open.turn >= self.last_turn(p) || left.is_empty() && !awaited) {
            winner = Some(self.foremost_of(p, self.free_lords(p)));
        }
        match winner {
            Some(winner) => {
                p.open.victor = Some(winner.into_iter().collect());
                umpire.reveal(Readers::ALL);
                while p.open.agenda.pop().is_some() {}
                p.open.agenda.push(Step::Over);
                if winner.is_some_and(|w| p.open.playing().without(w).iter().any(|s| p.open.overlord(s) == w))
                {
                    umpire.cite(rule!("scenario.5"));
                }
                umpire.note(
                    Readers::ALL,
                    self.goal_rule(p),
                    format_args!("{} is the foremost lord", winner.map_or("Nobody", |w| self.lord_name(w))),
                );
            }
            None => self.begin_turn(p, umpire),
        }
    }

    /// Who has most at the limit: fame of towns, then revenue, then the lord's fame; nobody, if two are equal.
    fn foremost_of(&self, p: &Realm, lords: SeatSet) -> Option<Seat> {
        let best = lords.iter().map(|s| self.might(p, s)).max()?;
        let mut first = lords.iter().filter(|s| self.might(p, *s) == best);
        first.next().filter(|_| first.next().is_none())
    }

    /// The rule by which the scenario is won.
    fn goal_rule(&self, p: &Realm) -> Rule {
        match self.sheet(p).goal {
            Goal::Riches(..) => rule!("scenario.7"),
            Goal::Towns => rule!("scenario.6"),
        }
    }

    pub(super) fn result(&self, p: &Realm) -> Option<Outcome> {
        let winners = p.open.victor?;
        let mut scores = [0; MOST_SEATS];
        for seat in p.open.party.iter() {
            scores[seat.index()] = i32::from(self.might(p, seat).revenue);
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
        Some(Outcome { winners, first: None, headline, rule: self.goal_rule(p), scores })
    }

    pub(super) fn why(&self, p: &Realm) -> String {
        let Some(winners) = p.open.victor else { return String::new() };
        match winners.lowest() {
            Some(seat) => {
                let worth = self.might(p, seat);
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
