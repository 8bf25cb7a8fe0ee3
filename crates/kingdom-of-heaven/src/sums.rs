//! Figures that unfold into what they are made of, each line with its rule: the strengths of a battle, resistance and
//! manpower, attrition, a call for surrender, interception, getting away.

use table::scene::{Sum, SumLine};
use table::{Rule, Seat, rule};

use crate::KingdomOfHeaven;
use crate::flow::Element;
use crate::ids::{Leader, Space};
use crate::position::{Battle, March, Open, Step};
use crate::scene::{chances, space_id};
use crate::view::View;
use crate::words::{counted, signed};

/// The parts of a figure that count for something, a line each.
fn lines_of(parts: &[(&'static str, i8)], rule: Rule) -> Vec<SumLine> {
    let counts = parts.iter().filter(|(_, n)| *n != 0);
    counts.map(|(text, n)| SumLine::new(*text, signed((*n).into()).to_string(), rule)).collect()
}

impl KingdomOfHeaven {
    /// All figures that matter now.
    pub(crate) fn sums(&self, view: &View) -> Vec<Sum> {
        let o = &view.open;
        let mut places: Vec<Space> = o.duel.iter().map(|duel| duel.at).collect();
        let march = o.march.as_ref().filter(|m| !m.over);
        let before_walls = march.filter(|m| self.holds(o, m.at, m.seat.other()));
        places.extend(before_walls.map(|m| m.at));
        places.dedup();
        let mut sums: Vec<Sum> = places.into_iter().map(|at| self.resistance_sum(o, at)).collect();
        sums.extend(o.duel.filter(|d| o.marks[d.at].besieged).map(|duel| self.manpower_sum(o, duel)));
        if let Some(battle) = &o.battle {
            sums.push(self.strengths_sum(o, battle));
            return sums;
        }
        if let Some(march) = before_walls.filter(|m| m.arrived && m.leader.is_some() && !m.vassal) {
            sums.push(self.call_sum(o, march));
        }
        sums.extend(march.and_then(|march| self.forage_sum(o, march)));
        if let (Some(march), Some(Step::Designate { seat })) = (march, view.step()) {
            sums.extend(self.attempt_sums(o, march, *seat));
        }
        sums
    }

    /// What the active army would forage with, if it stopped here [15.2].
    fn forage_sum(&self, o: &Open, march: &March) -> Option<Sum> {
        if !march.begun || march.units.is_empty() {
            return None;
        }
        let (value, must) = self.forage_value(o, march, march.units);
        let trail = &march.trail;
        let mut lines = vec![SumLine::new("Units", march.units.len().to_string(), rule!("15.2"))];
        lines.extend(lines_of(
            &[
                ("Shadowing units", march.shadowed.len() as i8),
                ("Enemy strongholds, two each", 2 * trail.enemy.len() as i8),
                ("Harsh spaces", trail.harsh.len() as i8),
                ("Mountain passes, two each", 2 * trail.passes as i8),
                ("Friendly strongholds and waiting", -(trail.friendly as i8)),
                ("By the event", march.licence.forage_av),
            ],
            rule!("15.2"),
        ));
        Some(Sum {
            id: "forage".into(),
            name: "Attrition value".into(),
            total: value.to_string(),
            note: if must { "It must forage when it stops" } else { "It need not forage, as it stands" }
                .into(),
            lines,
            target: Some(space_id(&self.components, march.at)),
            ..Sum::default()
        })
    }

    /// What is added to a call for surrender [17.5].
    fn call_sum(&self, o: &Open, march: &March) -> Sum {
        let modifier = self.call_modifier(o, march);
        Sum {
            id: "call".into(),
            name: format!("Call on {}", self.space_name(march.at)),
            total: signed(modifier.into()).to_string(),
            note: self.call_hint(o),
            lines: lines_of(&self.call_parts(o, march), rule!("17.5")),
            target: Some(space_id(&self.components, march.at)),
            ..Sum::default()
        }
    }

    /// What each who could intercept, and those who could get away, need on their die [11.2, 12.1].
    fn attempt_sums(&self, o: &Open, march: &March, seat: Seat) -> Vec<Sum> {
        let mut sums = Vec::new();
        for (from, leader) in self.all_interceptors(o, march, seat) {
            let units = match leader {
                Some(top) => {
                    let (units, leaders) = self.outside(o, from, seat);
                    self.largest(o, seat, top, leaders, units, Element::Land).1
                }
                None => self.outside(o, from, seat).0 & self.plot(o).roster.cavalry,
            };
            let parts = self.interception_parts(o, march, seat, units);
            let name = match leader {
                Some(leader) => format!("{} intercepts", self.leader_start(leader)),
                None => format!("Cavalry of {} intercepts", self.space_name(from)),
            };
            let id = match leader {
                Some(leader) => format!("intercept-{}", self.components.leader(leader).id),
                None => format!("intercept-riders-{}", self.components.space(from).id),
            };
            sums.push(self.attempt_sum(id, name, leader, &parts, from, rule!("11.2")));
        }
        let (units, leaders) = self.outside(o, march.at, seat);
        let top = self.ranking(leaders);
        let units = if top.is_some() { units } else { units & self.plot(o).roster.cavalry };
        if units.any() || top.is_some() {
            let parts = self.avoidance_parts(o, march.into(), seat, units, false);
            let name = "To avoid battle".to_string();
            sums.push(self.attempt_sum("avoid".into(), name, top, &parts, march.at, rule!("12.1")));
        }
        sums
    }

    /// A roll against a leader's battle rating: what is added to the die is taken from what he needs.
    fn attempt_sum(
        &self,
        id: String,
        name: String,
        leader: Option<Leader>,
        parts: &[(&'static str, i8)],
        at: Space,
        rule: Rule,
    ) -> Sum {
        let rating = leader.map_or(1, |l| self.components.leader(l).battle as i8);
        let modifier: i8 = parts.iter().map(|(_, n)| n).sum();
        let first = leader.map_or("Without a leader", |_| "The leader’s battle rating");
        let mut lines = vec![SumLine::new(first, rating.to_string(), rule)];
        let turned: Vec<_> = parts.iter().map(|(text, n)| (*text, -n)).collect();
        lines.extend(lines_of(&turned, rule));
        Sum {
            id,
            name,
            total: (rating - modifier).clamp(1, 5).to_string(),
            note: format!("{}; a 1 always does, a 6 never", chances(rating - modifier)),
            lines,
            target: Some(space_id(&self.components, at)),
            ..Sum::default()
        }
    }

    /// The strengths of a battle.
    fn strengths_sum(&self, o: &Open, battle: &Battle) -> Sum {
        let mut lines = Vec::new();
        let mut shares = Vec::new();
        for seat in [battle.attacker, battle.attacker.other()] {
            let host = &battle.hosts[seat];
            let who = self.title.seat_name(seat);
            for (sort, count) in self.army_sorts(o, host.units) {
                let kind = self.components.kind(sort.kind);
                let each = if sort.reduced { kind.reduced_cs } else { kind.cs };
                lines.push(SumLine::new(
                    format!("{}, {who}", counted(count, &self.sort_name(sort), &self.sort_name(sort))),
                    (count * usize::from(each)).to_string(),
                    rule!("13.2"),
                ));
            }
            for leader in host.leaders {
                let rating = self.components.leader(leader).battle;
                lines.push(SumLine::new(self.leader_name(leader), rating.to_string(), rule!("13.2")));
            }
            let strength = self.strength(o, host.units, host.leaders).max(0) as u32;
            lines.push(SumLine {
                text: format!("The {who} in all"),
                amount: strength.to_string(),
                rule: None,
                total: true,
            });
            shares.push((Some(seat), strength));
        }
        Sum {
            id: "strengths".into(),
            name: if battle.assault { "Strengths in the assault" } else { "Strengths in the battle" }.into(),
            total: format!("{} : {}", shares[0].1, shares[1].1),
            note: format!("At {}", self.space_name(battle.at)),
            lines,
            shares: if shares.iter().all(|(_, n)| *n == 0) { Vec::new() } else { shares },
            target: Some(space_id(&self.components, battle.at)),
        }
    }
}
