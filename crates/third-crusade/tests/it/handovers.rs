//! A round of four people who plan ahead: how often the one who must click changes.
#![allow(clippy::unwrap_used)]

use table::rooms::*;
use table::{Lots, Options, Seat, Silent, Viewer, Wishes};
use third_crusade::ThirdCrusade;
use third_crusade::action::Action;
use third_crusade::orders::Plan;
use third_crusade::position::{Position, Step};

/// The most orders that a scripted player plans.
const PLANNED: usize = 5;

/// What a scripted player says in advance, as far as it is offered: select by value, a handful of orders that can be
/// paid for, their execution, and no reactions.
fn plans(game: &ThirdCrusade, p: &Position, seat: Seat) -> Vec<Plan> {
    let view = game.view(p, Viewer::Seat(seat));
    let offers = game.orders(&view);
    let mut left = i16::from(p.open.command[third_crusade::ids::Army::of(seat)]);
    let (mut plan, mut regions, mut orders) = (Vec::new(), Vec::new(), Vec::new());
    for offer in offers {
        match offer.order {
            Plan::Place(order, region) => {
                let cost = i16::from(game.components().orders[order].cost);
                let reaction = game.components().orders[order].reaction;
                let fresh = !regions.contains(&region) && !orders.contains(&order);
                if fresh && !reaction && cost <= left && plan.len() < PLANNED {
                    left -= cost;
                    regions.push(region);
                    orders.push(order);
                    plan.push(offer.order);
                }
            }
            other => plan.push(other),
        }
    }
    plan
}

#[test]
fn a_round_of_four_by_plans_takes_at_most_fifty_handovers() {
    let game = ThirdCrusade::built_in();
    let setup = game.title().set_up(&Wishes::default()).unwrap();
    let mut most = 0;
    for seed in 0..10 {
        let mut umpire = Silent::new(seed);
        let mut lots = Lots::new(seed);
        let mut p = game.setup(&setup, &mut umpire).unwrap();
        let period = p.open.period;
        let (mut count, mut last, mut together) = (0, None, false);
        let mut given: [Vec<Plan>; 4] = Default::default();
        let mut phase = None;
        while p.open.period == period && game.outcome(&p).is_none() {
            let now = p.open.agenda.steps().first().map(std::mem::discriminant);
            if now != phase {
                phase = now;
                let planned = matches!(
                    p.open.agenda.steps().first(),
                    Some(Step::Lay | Step::Plan { .. } | Step::Command { .. })
                );
                for seat in setup.party().iter().filter(|_| planned) {
                    given[seat.index()] = plans(&game, &p, seat);
                }
                // In the Planning Phase everybody sits down once to plan; other plans are made in passing.
                if matches!(p.open.agenda.steps().first(), Some(Step::Plan { .. })) {
                    count += 4;
                }
            }
            let deciding = game.deciding(&p);
            let seat = deciding.lowest().unwrap();
            let mut options = Options::new();
            game.options(&p, seat, &mut options);
            let forced = matches!(options.offers(), [offer] if offer.forced);
            let view = game.view(&p, Viewer::Seat(seat));
            let obeyed = game.obey(&view, &given[seat.index()]);
            let simultaneous = matches!(p.open.agenda.now(), Some(Step::Lay | Step::Bids | Step::Upkeep(_)));
            let action = match obeyed {
                Some(action) if !forced => action,
                _ => {
                    if simultaneous && !together {
                        count += 1;
                    } else if !simultaneous && !forced && last != Some(seat) {
                        count += 1;
                        last = Some(seat);
                    }
                    let habit = game.habit(&p, seat, &mut Options::new(), &mut lots);
                    habit.unwrap_or_else(|| scripted(&game, options.offers()[0].action, &options))
                }
            };
            together = simultaneous;
            game.apply(&mut p, seat, action, &mut umpire);
        }
        println!("seed {seed}: {count} handovers");
        most = most.max(count);
    }
    assert!(most <= 50, "{most} handovers");
}

/// Where no habit speaks: a card if there is one, or else pass.
fn scripted(game: &ThirdCrusade, first: Action, options: &Options<Action>) -> Action {
    let offers = options.offers().iter().map(|offer| offer.action);
    let card = offers.clone().find(|action| matches!(action, Action::Play(_)));
    let pass = offers.clone().find(|action| *action == Action::Pass);
    let _ = game;
    card.or(pass).unwrap_or(first)
}
