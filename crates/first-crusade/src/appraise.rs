//! How good a position looks, for the bots: the points that are held, those within reach, and the strength
//! to take and keep them.
//!
//! Each sign is measured the same for all seats. What they count for is in `data/appraise.toml`, one table for each
//! scenario that is counted in points, fitted to games of searching players by the example `points`.

use arrayvec::ArrayVec;
use table::habits::Figure;
use table::rooms::Minded;
use table::weights::{Sign, chance};
use table::{Id, Lots, Options, Seat, Set};

use crate::FirstCrusade;
use crate::action::Action;
use crate::data::{Family, Space, Unit};
use crate::position::{Ending, Phase, Position, Step};

/// What is measured. Those that end in `late` count the more the nearer the end is.
pub(crate) const SIGNS: [Sign; 16] = [
    Sign::either("side"),
    Sign::either("left"),
    Sign::good("margin"),
    Sign::good("margin_late"),
    Sign::good("reach"),
    Sign::good("reach_late"),
    Sign::good("strength"),
    Sign::good("boons"),
    Sign::good("special"),
    Sign::good("armenia"),
    Sign::good("safe"),
    Sign::good("sound"),
    Sign::good("fed"),
    Sign::good("calm"),
    Sign::good("prize"),
    Sign::good("prize_late"),
];

/// The tables of weights: of the crusade, and of a scenario with a prize.
pub(crate) const TABLES: [&str; 2] = ["crusade", "antioch"];

/// Fortresses that can be taken in a turn.
const TAKEN: f32 = 1.6;
/// How much of a fortress that is lost is lost for good.
const MISSED: f32 = 0.7;
/// What a game is worth that misses the victory by nothing.
const CONSOLATION: f32 = 0.35;

/// Christians who stand together.
struct Host {
    space: Space,
    power: f32,
}

impl Minded for FirstCrusade {
    fn appraise(&self, p: &Position, seat: Seat) -> f32 {
        let victory = f32::from(self.levels(p)[1]);
        let consoled = |points: f32| CONSOLATION * (points / victory).clamp(0.0, 1.0);
        match p.result {
            Some(Ending::SuddenVictory | Ending::Goal(true)) => return 1.0,
            Some(Ending::SuddenDefeat | Ending::Goal(false)) => return 0.0,
            Some(Ending::Counted) => {
                let points = f32::from(self.points(p));
                let won = points >= victory && self.has_prize(p);
                return if won { self.share(p, seat) } else { consoled(points) };
            }
            None => {}
        }
        if let Some(goal) = p.table.goal {
            return self.nearness(p, goal);
        }
        let signs = self.signs_of(p);
        let chance = chance(&signs, self.weights.of(usize::from(p.table.prize.is_some())));
        // Margin and reach are in fives.
        let expected = victory + 5.0 * (signs[2] + 0.5 * signs[4]);
        chance * self.share(p, seat) + (1.0 - chance) * consoled(expected)
    }

    fn considered(&self, p: &Position, _: Seat, action: Action) -> bool {
        self.is_sensible(p, action)
    }

    fn habit(&self, p: &Position, seat: Seat, room: &mut Options<Action>, _: &mut Lots) -> Option<Action> {
        self.usual(p, seat, room)
    }

    fn signs(&self) -> &'static [Sign] {
        &SIGNS
    }

    fn figures(&self) -> Vec<(Figure, f32)> {
        self.habits.figures()
    }

    fn measure(&self, p: &Position, _: Seat) -> Vec<f32> {
        self.signs_of(p).to_vec()
    }
}

impl FirstCrusade {
    /// Where the one who contributed most wins alone, how near a seat is to that.
    fn share(&self, p: &Position, seat: Seat) -> f32 {
        if !p.table.contribution || p.table.party.len() < 2 {
            return 1.0;
        }
        let points = self.contributions(p);
        let own = points.get(seat.index()).copied().unwrap_or(0);
        let best = points.iter().copied().max().unwrap_or(0);
        if p.result.is_some() {
            f32::from(u8::from(own == best))
        } else {
            0.7 + 0.3 * f32::from(u8::from(own == best))
        }
    }

    /// How much of the present turn is left: actions still to come.
    fn turn_left(&self, p: &Position) -> f32 {
        match p.agenda.steps().first() {
            Some(Step::Turn(Phase::Event)) => 1.0,
            _ => (f32::from(p.standard) / 3.0 + f32::from(p.special) * 0.1).min(1.0),
        }
    }

    /// Combat power of units: factors, and half a point for every step.
    pub(crate) fn power(&self, p: &Position, units: Set<Unit>) -> f32 {
        let each = units.iter().map(|u| {
            let unit = &self.components.units[u];
            let full = !p.reduced.has(u) && unit.steps == 2;
            f32::from(unit.factor(p.reduced.has(u))) + if full { 1.0 } else { 0.4 }
        });
        each.sum()
    }

    fn hosts(&self, p: &Position) -> ArrayVec<Host, { Space::COUNT }> {
        let c = &self.components;
        let mut hosts = ArrayVec::new();
        for s in c.spaces.ids() {
            let mut here = self.christians(p, s);
            if !p.armenia {
                here -= self.family(Family::Armenian);
            }
            if here.is_empty() {
                continue;
            }
            hosts.push(Host { space: s, power: self.power(p, here) });
        }
        hosts
    }

    fn signs_of(&self, p: &Position) -> [f32; SIGNS.len()] {
        let c = &self.components;
        let left = f32::from(p.table.last_turn.saturating_sub(p.turn)) + self.turn_left(p);
        let late = 1.0 / (0.5 + left);
        let margin = f32::from(self.points(p) - self.levels(p)[1]) / 5.0;
        let hosts = self.hosts(p);
        let dice = f32::from(p.reaction);
        let mut prizes = ArrayVec::<f32, { Space::COUNT }>::new();
        for s in c.fortresses.iter() {
            if self.holder(p, s).is_some() {
                continue;
            }
            let worth = f32::from(self.stake(p, s));
            let guarded = self.muslims(p, s).any();
            let mut best = 0.0f32;
            for host in &hosts {
                let Some(far) = c.apart[host.space][s].map(f32::from) else { continue };
                // At sea nobody storms walls; an empty fortress is anybody's.
                let able = match (guarded, c.seas.has(host.space)) {
                    (false, _) => 1.0,
                    (true, true) => 0.0,
                    (true, false) => able(host.power, dice),
                };
                // Each turn a host can cover some ten spaces.
                let near = (1.0 - far / (4.0 + 9.0 * left)).max(0.0);
                best = best.max(able * near);
            }
            prizes.push(worth * best);
        }
        // So many can still be taken, the best first: what is taken today makes room for another.
        prizes.sort_unstable_by(|a, b| b.total_cmp(a));
        let taken = |(i, prize): (usize, &f32)| prize * (TAKEN * left - i as f32).clamp(0.0, 1.0);
        let reachable: f32 = prizes.iter().enumerate().map(taken).sum();
        // Strength counts where it is gathered.
        let gathered: f32 = hosts.iter().map(|host| host.power * (host.power / 45.0).min(1.5)).sum();
        let reach = reachable / 5.0;
        let hungry = if p.turn.is_multiple_of(3) { self.hungry(p) } else { Set::NONE };
        let starving = |s: Space| (self.christians(p, s).len() as f32 - 3.5).max(0.0);
        let prize = f32::from(u8::from(self.holder(p, p.table.prize.unwrap_or(c.jerusalem)).is_some()));
        [
            1.0,
            left / 3.0,
            margin,
            margin * late,
            reach,
            reach * late,
            gathered.min(250.0) / 50.0 * (left / (left + 2.0)),
            p.held().len() as f32 * (left / (left + 1.0)),
            f32::from(p.special),
            if p.armenia { left / 3.0 } else { 0.0 },
            -self.dangers(p) / 5.0,
            -((p.reduced & c.leaders).len() as f32),
            -hungry.iter().map(starving).sum::<f32>() / 5.0,
            (3.0 - dice) * left / 3.0,
            prize,
            prize * late,
        ]
    }

    /// Held fortresses that a raid would take.
    fn dangers(&self, p: &Position) -> f32 {
        let c = &self.components;
        let mut sum = 0.0;
        let blows = f32::from(p.table.last_turn.saturating_sub(p.turn) + 1).min(3.0);
        let mut threats = c.raids;
        for (route, chance) in c.inroads.iter() {
            if let Some(s) = self.foremost(p, route) {
                threats[s] += chance;
            }
        }
        for s in c.fortresses.iter() {
            let chance = if self.holder(p, s).is_some() { threats[s] } else { 0.0 };
            if chance > 0.0 {
                let steps = f32::from(self.steps(p, self.christians(p, s)));
                let lost = 1.0 / (1.0 + ((steps - 1.3 * f32::from(p.reaction)) * 1.1).exp());
                sum += f32::from(self.stake(p, s)) * chance * lost * blows * MISSED;
            }
        }
        sum
    }

    /// The guided scenario: the city, or how near the host is to it.
    fn nearness(&self, p: &Position, goal: Space) -> f32 {
        if self.controlled(p, goal) {
            return 0.95;
        }
        let hosts = self.hosts(p);
        let near = hosts.iter().map(|host| {
            let far = self.components.apart[host.space][goal].map_or(f32::MAX, f32::from);
            (host.power / 60.0).min(1.0) * (1.0 - far / 12.0).max(0.1)
        });
        near.fold(0.0, f32::max) * 0.5 * (0.4 + 0.2 * f32::from(p.standard.min(3)))
    }
}

/// The chance that a host of this power takes a fortress against so many dice of reinforcements: fitted to many
/// assaults of the set-up's host and of parts of it.
pub(crate) fn able(power: f32, dice: f32) -> f32 {
    1.0 / (1.0 + (-(power - 29.0 * dice) / 9.0).exp())
}
