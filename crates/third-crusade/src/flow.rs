//! The rules: who decides, the sequence of play, and what happens by itself between decisions. A file for each chapter.

use table::rooms::*;
use table::{Ballot, Outcome, Readers, Seat, SeatSet, Set, Setup, SetupError, Title, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::ids::{Army, Side, seats};
use crate::position::{Chore, Deed, Position, Step};

mod aftermath;
mod battle;
mod command;
mod deployment;
mod diplomacy;
mod effects;
mod ending;
pub(crate) mod ground;
mod march;
mod planning;
mod strategy;
mod upkeep;

impl Rules for ThirdCrusade {
    type Position = Position;
    type Action = Action;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        let mut p = self.set_up(setup, umpire)?;
        self.proceed(&mut p, umpire);
        Ok(p)
    }

    #[inline]
    fn deciding(&self, p: &Position) -> SeatSet {
        let open = &p.open;
        let Some(step) = open.agenda.now() else { return SeatSet::NONE };
        let one = match step {
            Step::Keep | Step::Lay | Step::Bids | Step::Upkeep(_) => {
                return seats(open.table.party - open.chosen);
            }
            Step::Deal { dealt, .. } => open.ahead(open.table.party - *dealt),
            Step::Deploy { turn } | Step::Market { turn } | Step::Plan { turn } | Step::Command { turn } => {
                Some(open.at_turn(*turn))
            }
            Step::Deed(deed) => Some(deed.army),
            Step::March | Step::Which => open.march.map(|march| march.army),
            Step::Bandits(ambush) => Some(ambush.army),
            Step::Battle => self.asked(p),
            Step::Losses(losses) => Some(losses.army),
            Step::Retreat => open.retreat.map(|retreat| retreat.army),
            Step::Excess { army } | Step::Advance { army, .. } => Some(*army),
            Step::Reward { taken } => self.bidders(open).get(usize::from(*taken)).copied(),
            Step::Bestow { army, proposal, other } => self.giver(open, *army, *proposal, *other),
            Step::Starve { short } => open.ahead(*short),
            Step::Land { now, .. } => *now,
            Step::Reveal => self.revealing(open),
            Step::Columns | Step::Envoys { .. } | Step::Over => None,
        };
        one.map_or(SeatSet::NONE, |army| army.seat().into())
    }

    #[inline]
    fn options(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let army = Army::of(seat);
        let Some(step) = p.open.agenda.now() else { return };
        match step {
            Step::Deal { .. } => ballot.force(Action::Draw),
            Step::Keep => self.list_discards(p, army, ballot),
            Step::Deploy { .. } => self.list_deployments(p, army, ballot),
            Step::Lay => self.list_cards(p, army, ballot),
            Step::Market { .. } => self.list_market(p, army, ballot),
            Step::Plan { .. } => self.list_plans(p, army, ballot),
            Step::Command { .. } => self.list_activations(p, army, ballot),
            Step::Deed(deed) => self.list_parts(p, deed, ballot),
            Step::March => self.list_marches(p, ballot),
            Step::Which => self.list_battles(p, ballot),
            Step::Bandits(ambush) => self.list_victims(p, ambush, ballot),
            Step::Battle => self.list_reactions(p, army, ballot),
            Step::Losses(losses) => self.list_losses(p, losses, ballot),
            Step::Retreat => self.list_retreats(p, ballot),
            Step::Excess { army } => self.list_excess(p, *army, ballot),
            Step::Bids => self.list_bids(p, army, ballot),
            Step::Reward { .. } => self.list_rewards(p, ballot),
            Step::Bestow { army: to, proposal, other } => {
                self.list_gifts(p, *to, *proposal, *other, ballot);
            }
            Step::Advance { army, .. } => self.list_spaces(p, *army, ballot),
            Step::Upkeep(Chore::Tithe) => self.list_tithes(p, army, ballot),
            Step::Upkeep(Chore::Buy) => self.list_purchases(p, army, ballot),
            Step::Starve { .. } => self.list_starving(p, army, ballot),
            Step::Land { .. } => self.list_ports(p, army, ballot),
            Step::Reveal => self.list_reveals(p, army, ballot),
            Step::Columns | Step::Envoys { .. } | Step::Over => {}
        }
    }

    #[inline]
    fn apply(&self, p: &mut Position, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        let army = Army::of(seat);
        match action {
            Action::Draw => self.draw_objectives(p, army, umpire),
            Action::Discard(objective) => self.discard(p, army, objective),
            Action::Deploy(piece, region) => self.deploy(p, army, piece, region, umpire),
            Action::Lay(event) => self.lay(p, army, event),
            Action::Pick(event) => self.pick(p, army, event, umpire),
            Action::Take(order) => p.hidden.ready[army] = Some(order),
            Action::Set(region) => self.set_order(p, army, region, umpire),
            Action::Pass => self.pass(p, army, umpire),
            Action::Play(event) => self.play(p, army, event, umpire),
            Action::Execute(region) => self.execute(p, army, region, umpire),
            Action::Crown => self.pay_for_crowns(p, army, umpire),
            Action::Part(..)
            | Action::Place(..)
            | Action::Spot(..)
            | Action::Remove(..)
            | Action::Slay(..)
            | Action::Road(..)
            | Action::March(..)
            | Action::Gain(..)
            | Action::Settle(..)
            | Action::Replace(..) => self.carry_out(p, action, umpire),
            Action::Done => self.leave_it(p, army, umpire),
            Action::Leave(piece) => self.leave(p, piece),
            Action::Go(region) => self.go(p, region, umpire),
            Action::Halt => self.halt(p, umpire),
            Action::Fight(region) => self.fight_first(p, region),
            Action::React(at, against) => self.react(p, army, at, against, umpire),
            Action::Decline => self.decline(p, army, umpire),
            Action::Lose(piece, region) => self.lose(p, piece, region, umpire),
            Action::Send(piece) => self.send(p, piece),
            Action::Bid(gold) => self.bid(p, army, gold),
            Action::Reward(number) => self.choose_reward(p, army, number, umpire),
            Action::Assent => self.assent(p, umpire),
            Action::Advance(space) => self.advance(p, army, space, umpire),
            Action::Tithe(region) => p.hidden.tithes[army].insert(region),
            Action::Buy(order) => p.hidden.buys[army].insert(order),
            Action::Land(region) => self.land(p, region, umpire),
            Action::Reveal(objective) => self.reveal_objective(p, army, objective, umpire),
        }
        self.proceed(p, umpire);
    }

    fn outcome(&self, p: &Position) -> Option<Outcome> {
        p.open.result.map(|verdict| self.result(&p.open, verdict))
    }

    fn reason(&self, p: &Position) -> String {
        p.open.result.map_or_else(String::new, |verdict| self.why(&p.open, verdict))
    }

    fn window(&self, p: &Position, seat: Seat) -> bool {
        matches!(p.open.agenda.now(), Some(Step::Battle)) && self.asked(p) == Some(Army::of(seat))
    }

    fn with_amount(&self, action: Action, amount: u32) -> Action {
        match action {
            Action::Bid(_) => Action::Bid(amount.min(255) as u8),
            other => other,
        }
    }

    fn amount(&self, action: Action) -> Option<u32> {
        match action {
            Action::Bid(gold) => Some(gold.into()),
            _ => None,
        }
    }
}

impl ThirdCrusade {
    /// Goes on until somebody must decide or it is over.
    pub(crate) fn proceed(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        while !self.rests(p, umpire) {}
    }

    /// Whether somebody must decide; if not, what happens by itself has been done.
    fn rests(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let Some(step) = p.open.agenda.now().copied() else { return true };
        match step {
            Step::Deal { count, dealt } => self.dealing(p, count, dealt, umpire),
            Step::Keep => self.keeping(p, umpire),
            Step::Deploy { turn } => self.deploying(p, turn, umpire),
            Step::Lay => self.laying(p, umpire),
            Step::Market { turn } => self.marketing(p, turn, umpire),
            Step::Plan { turn } => self.planning(p, turn, umpire),
            Step::Command { turn } => self.commanding(p, turn, umpire),
            Step::Deed(deed) => self.doing(p, &deed, umpire),
            Step::March => self.marching(p),
            Step::Which => true,
            Step::Columns => self.columns_move(p, umpire),
            Step::Bandits(ambush) => self.striking(p, &ambush, umpire),
            Step::Battle => self.fighting(p, umpire),
            Step::Losses(losses) => self.losing(p, &losses, umpire),
            Step::Retreat => self.retreating(p, umpire),
            Step::Excess { .. } => self.exceeding(p, umpire),
            Step::Bids => self.bidding(p, umpire),
            Step::Reward { taken } => self.rewarding(p, taken),
            Step::Bestow { .. } => true,
            Step::Envoys { number } => self.sending_envoys(p, number, umpire),
            Step::Advance { army, left } => self.advancing(p, army, left),
            Step::Upkeep(Chore::Tithe) => self.tithing(p, umpire),
            Step::Upkeep(Chore::Buy) => self.buying(p, umpire),
            Step::Starve { short } => self.starving(p, short),
            Step::Land { left, now, first } => self.landing(p, left, now, first, umpire),
            Step::Reveal => self.revealing_all(p, umpire),
            Step::Over => true,
        }
    }

    /// Somebody has had enough of what he may leave undone.
    fn leave_it(&self, p: &mut Position, army: Army, umpire: &mut (impl Umpire + ?Sized)) {
        match p.open.agenda.now().copied() {
            Some(Step::Deed(deed)) => self.finish_deed(p, &deed, umpire),
            Some(Step::Deploy { turn }) => {
                p.open.passed.insert(army);
                umpire.note(
                    Readers::ALL,
                    rule!("setup.variable"),
                    format_args!("{} has deployed", self.components.army(army)),
                );
                let turn = p.open.after(turn);
                p.open.agenda.replace(Step::Deploy { turn });
            }
            Some(Step::Upkeep(_)) => p.open.chosen.insert(army),
            _ => {}
        }
    }

    /// The next round begins: each draws events of the period [1.1].
    pub(crate) fn begin_round(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        if umpire.writes() {
            umpire.heading(format_args!("{}", self.period_name(p.open.period)));
        }
        self.draw_events(p, umpire);
        p.open.chosen = Set::NONE;
        p.open.agenda = table::Agenda::starting(Step::Lay);
    }

    /// A period as people say it.
    pub(crate) fn period_name(&self, period: u8) -> String {
        let text = &self.components.figures.periods[usize::from(period)];
        match text.split_once('_') {
            Some((year, season)) => format!("{} of {year}", crate::words::sentence(season)),
            None => format!("The year {text}"),
        }
    }

    /// Moves the Glory marker towards a side, or away from it [goal.1].
    pub(crate) fn gain_glory(&self, p: &mut Position, side: Side, amount: i8) {
        let end = self.components.figures.glory.0;
        p.open.glory = (p.open.glory + amount * side.sign()).clamp(-end, end);
    }

    /// Moves a Faith marker towards an army, or away from it [glossary.faith].
    pub(crate) fn gain_faith(&self, p: &mut Position, army: Army, amount: i8) {
        let side = army.side();
        let end = self.components.figures.faith.0;
        let faith = &mut p.open.faith.0[side as usize];
        *faith = if side.armies().iter().all(|a| p.open.table.party.has(*a)) {
            let sign = if army == side.armies()[0] { 1 } else { -1 };
            (*faith + amount * sign).clamp(-end, end)
        } else {
            (*faith + amount).clamp(0, end)
        };
    }

    /// What is carried out now, to be changed.
    pub(crate) fn deed_mut(p: &mut Position) -> Option<&mut Deed> {
        match p.open.agenda.now_mut() {
            Some(Step::Deed(deed)) => Some(deed),
            _ => None,
        }
    }
}
