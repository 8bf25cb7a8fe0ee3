//! One game of the arena.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use table::{AnyGame, Nonces, Outcome, Seat, SeatSet, Seed, Setup, Title};

use super::Plan;
use crate::clock::Clock;
use crate::level::seat_player;
use crate::player::{Fault, Player, Turn};

/// How a game of the arena ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ended {
    /// By the rules: who won, as the sides are numbered, if anybody, and the result in a few words.
    Result(Option<usize>, String),
    /// By the rules, where there is one side: whether it won, its points, and the result in a few words.
    Alone(bool, i32, String),
    /// A side could not go on, and lost: why.
    Forfeit(usize, String),
    /// The table itself could not go on.
    Stuck(String),
}

/// One game of the arena.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// The number of its seed.
    pub seed: u64,
    /// How it ended.
    pub ended: Ended,
    /// Actions in all.
    pub actions: u64,
    /// Decisions of each side among several options.
    pub decisions: [u64; 2],
    /// How long each side thought about them.
    pub time: [Duration; 2],
    /// How long its longest decision took.
    pub longest: [Duration; 2],
}

impl Played {
    /// Points of the first side: 1 for a win, a half for a draw.
    pub fn first_side(&self) -> f64 {
        match self.ended {
            Ended::Result(Some(0), _) | Ended::Forfeit(1, _) | Ended::Alone(true, ..) => 1.0,
            Ended::Result(Some(_), _) | Ended::Forfeit(..) | Ended::Alone(..) => 0.0,
            Ended::Result(None, _) | Ended::Stuck(_) => 0.5,
        }
    }
}

impl Played {
    /// How well the only side did: whether it won, then its points.
    pub fn alone(&self) -> Option<(bool, i32)> {
        match self.ended {
            Ended::Alone(won, points, _) => Some((won, points)),
            _ => None,
        }
    }
}

/// Who plays which seat.
type Seated = BTreeMap<Seat, Box<dyn Player>>;

/// The sides of a game: seats of one alliance together. The first is the first seat's; all others together
/// are the second.
pub(crate) fn sides(title: &Title, party: SeatSet) -> Vec<SeatSet> {
    let first = party.lowest().map_or(0, |seat| title.seats[seat.index()].alliance);
    let of = |own: bool| -> SeatSet {
        party.iter().filter(|s| (title.seats[s.index()].alliance == first) == own).collect()
    };
    [of(true), of(false)].into_iter().filter(|side| !side.is_empty()).collect()
}

/// The name of a side: those of its seats.
pub(super) fn side_name(title: &Title, sides: &[SeatSet], side: usize) -> String {
    sides[side].iter().map(|s| title.seat_name(s)).collect::<Vec<_>>().join(" and ")
}

/// Plays one game.
pub(super) fn play(
    minds: &[&dyn AnyGame],
    setup: &Setup,
    plan: &Plan,
    players: [usize; 2],
    pair: u32,
    swapped: bool,
) -> Played {
    let seed = plan.seed.wrapping_mul(0x9e37_79b9).wrapping_add(pair.into());
    let mut played = Played {
        seed,
        ended: Ended::Stuck("not begun".into()),
        actions: 0,
        decisions: [0; 2],
        time: [Duration::ZERO; 2],
        longest: [Duration::ZERO; 2],
    };
    played.ended =
        go(minds, setup, plan, if swapped { [players[1], players[0]] } else { players }, &mut played);
    played
}

fn go(minds: &[&dyn AnyGame], setup: &Setup, plan: &Plan, players: [usize; 2], played: &mut Played) -> Ended {
    let title = minds[players[0]].title();
    let sides = sides(title, setup.party());
    let side_of = |seat: Seat| usize::from(!sides[0].contains(seat));
    let open =
        |player: usize| minds[player].open(setup.clone(), Seed::numbered(played.seed), Nonces::default());
    let mut sitting = match open(players[0]) {
        Ok(sitting) => sitting,
        Err(error) => return Ended::Stuck(error.to_string()),
    };
    // Who has other weights or habits thinks at a table of his own, where the same is played.
    let apart = sides.len() > 1 && !std::ptr::addr_eq(minds[players[0]], minds[players[1]]);
    let mut beside = match apart.then(|| open(players[1])).transpose() {
        Ok(beside) => beside,
        Err(error) => return Ended::Stuck(error.to_string()),
    };
    // One player for each seat: allies do not share what they know.
    let mut seated: Seated = Seated::new();
    for seat in setup.party().iter() {
        let player = players[side_of(seat)];
        let seed =
            played.seed ^ (player as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ seat.index() as u64;
        match seat_player(super::plain(&plan.players[player]), seed, plan.limits.clone()) {
            Ok(player) => drop(seated.insert(seat, player)),
            Err(error) => return Ended::Stuck(error.to_string()),
        }
    }
    let finish = |mut seated: Seated, outcome: Option<Outcome>| {
        seated.values_mut().for_each(|player| player.end(outcome.as_ref()));
    };
    for seat in setup.party().iter() {
        let begun = seated.get_mut(&seat).map_or(Ok(()), |player| player.begin(title, setup, seat));
        if let Err(fault) = begun {
            finish(seated, None);
            return Ended::Forfeit(side_of(seat), fault.to_string());
        }
    }
    let most = u64::from(title.longest) * 2;
    loop {
        if let Some(outcome) = sitting.outcome() {
            finish(seated, Some(outcome));
            let winner = sides.iter().position(|side| !side.both(outcome.winners).is_empty());
            let headline = outcome.headline.to_string();
            if sides.len() == 1 {
                let points = setup.party().iter().map(|s| outcome.scores[s.index()]).sum();
                return Ended::Alone(winner.is_some(), points, headline);
            }
            return Ended::Result(winner, headline);
        }
        let turn = sitting.waiting_for().lowest().and_then(|seat| match &beside {
            Some(beside) if side_of(seat) == 1 => Turn::new(&**beside, seat),
            _ => Turn::new(&*sitting, seat),
        });
        let Some(turn) = turn.filter(|_| played.actions < most) else {
            finish(seated, None);
            let why = if played.actions < most { "nobody can act" } else { "it goes on for ever" };
            return Ended::Stuck(format!("after {} actions {why}", played.actions));
        };
        let seat = turn.seat();
        let side = side_of(seat);
        let among_several = turn.thought().choices().len() > 1;
        let start = Clock::start();
        let Some(player) = seated.get_mut(&seat) else {
            return Ended::Stuck(format!("{} decides, and nobody plays it", title.seat_name(seat)));
        };
        let answer = player.decide(&turn);
        let took = start.elapsed();
        let mut parted = None;
        if among_several {
            played.decisions[side] += 1;
            played.time[side] += took;
            played.longest[side] = played.longest[side].max(took);
        }
        let acted = answer.and_then(|answer| match sitting.act(seat, None, &[answer.as_str()]) {
            Ok(_) => {
                if let Some(beside) = &mut beside
                    && let Err(error) = beside.act(seat, None, &[answer.as_str()])
                {
                    parted = Some(error.to_string());
                }
                Ok(())
            }
            Err(error) => Err(Fault::Nonsense {
                player: player.name().to_string(),
                said: answer.as_str().chars().take(80).collect(),
                why: error.to_string(),
            }),
        });
        if let Some(error) = parted {
            finish(seated, None);
            return Ended::Stuck(format!("two tables of the same game differ: {error}"));
        }
        if let Err(fault) = acted {
            finish(seated, None);
            return Ended::Forfeit(side, fault.to_string());
        }
        played.actions += 1;
    }
}
