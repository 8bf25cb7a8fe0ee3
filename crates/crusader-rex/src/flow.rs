//! The sequence of play: who decides, what may be done, and what follows by itself.
//!
//! One file for each chapter of the rulebook; this one holds the sequence itself [Game Turns, 8.5] and the
//! ground that all chapters stand on: who stands where, and what roads carry.

use table::{Ballot, Id, Map, Outcome, Rules, Seat, SeatSet, Set, Setup, SetupError, Title, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{BOTH, Block, Card, FRANK, Road, SARACEN, Sides, Town};
use crate::position::{Battle, Phase, Position, Stage, Step, TableRules};

mod armies;
mod battle;
mod cards;
mod deployment;
mod draws;
mod movement;
mod retreat;
mod siege;
mod victory;
mod winter;

/// The road limits of a guide, doubled [card.guide].
const GUIDED: (u8, u8) = (8, 4);
/// The usual road limits [5.1].
const USUAL: (u8, u8) = (4, 2);
/// The Iron Bridge of the optional rule.
const BRIDGE: u8 = 3;
/// The first of the years.
pub(crate) const FIRST_YEAR: u32 = 1187;

impl Rules for CrusaderRex {
    type Position = Position;
    type Action = Action;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Position, SetupError> {
        let plot = self.components.plots.iter().find(|plot| plot.id == setup.scenario());
        let plot = plot.or(self.components.plots.first());
        let stage = plot.and_then(|plot| plot.stage.as_ref());
        let table = TableRules {
            iron_bridge: setup.is_on("iron-bridge"),
            forced_marches: setup.is_on("forced-marches"),
            handicap: setup.option("handicap").parse().unwrap_or(0),
            years: plot.map_or(6, |plot| plot.years),
            needs: plot.map_or(4, |plot| plot.needs),
            shields: plot.and_then(|plot| plot.shields),
            goal: stage.map(|stage| stage.goal),
        };
        let mut p = Position::empty(&self.components, table);
        match stage {
            Some(stage) => self.open_in_battle(&mut p, stage, umpire),
            None => {
                self.deploy_at_home(&mut p);
                self.know_set_up(&mut p, SARACEN);
                self.give_all_marks(&mut p);
                p.open.agenda.push(Step::Turn(Phase::Nomads));
                p.open.agenda.push(Step::Deploy { shifts: 0 });
            }
        }
        umpire.cite(rule!("1.1"));
        umpire.cite(rule!("3.0"));
        if table.iron_bridge {
            umpire.cite(rule!("opt.iron-bridge"));
        }
        Ok(p)
    }

    #[inline]
    fn deciding(&self, p: &Position) -> SeatSet {
        match p.open.agenda.now() {
            None => SeatSet::NONE,
            Some(step) => match *step {
                Step::Turn(_) | Step::Fight(_) => SeatSet::NONE,
                Step::Deploy { .. } => FRANK.into(),
                Step::Exchange | Step::Deal => SARACEN.into(),
                Step::Cards { chosen } => SeatSet::first(2).minus(chosen),
                Step::NextBattle => p.open.first.into(),
                Step::Round => self.acting(p).map_or(SeatSet::NONE, |(seat, _)| seat.into()),
                Step::Harried { block } => self.owner(block).into(),
                Step::Winter => undecided(p.open.done),
                Step::Assassins { seat }
                | Step::Manna { seat, .. }
                | Step::Moves { seat, .. }
                | Step::MainRoad { seat, .. }
                | Step::Jihad { seat }
                | Step::Shelter { seat }
                | Step::Storm { seat }
                | Step::Sally { seat }
                | Step::FaceUp { seat, .. }
                | Step::Hits { seat, .. }
                | Step::MustRetreat { seat }
                | Step::LeaveSiege { seat }
                | Step::Regroup { seat, .. }
                | Step::Place { seat } => seat.into(),
            },
        }
    }

    #[inline]
    fn options(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(step) = p.open.agenda.now() else { return };
        match *step {
            Step::Turn(_) | Step::Fight(_) => {}
            Step::Deploy { shifts } => self.list_seats(p, shifts, ballot),
            Step::Exchange => self.list_exchange(p, ballot),
            Step::Deal => ballot.force(Action::Deal),
            Step::Cards { .. } => self.list_cards(p, seat, ballot),
            Step::Assassins { seat } => self.list_targets(p, seat, ballot),
            Step::Manna { seat, left } => self.list_manna(p, seat, left, ballot),
            Step::Moves { seat, left, group_only, going } => {
                self.list_moves(p, seat, left, group_only, going, ballot);
            }
            Step::MainRoad { seat, town } => self.list_main_roads(p, seat, town, ballot),
            Step::Jihad { .. } => {
                for t in self.contested(p) {
                    ballot.allow(Action::Jihad(t));
                }
            }
            Step::NextBattle => {
                for t in p.open.to_fight {
                    ballot.allow(Action::Fight(t));
                }
            }
            Step::Shelter { seat } => self.list_shelter(p, seat, ballot),
            Step::Storm { seat } => self.list_storm(p, seat, ballot),
            Step::Sally { seat } => self.list_sally(p, seat, ballot),
            Step::FaceUp { seat, town } => self.list_face_up(p, seat, town, ballot),
            Step::Round => self.list_round(p, ballot),
            Step::Hits { seat, .. } => self.list_hits(p, seat, ballot),
            Step::Harried { block } => self.list_last_retreats(p, block, block.into(), ballot),
            Step::MustRetreat { seat } => self.list_forced_retreats(p, seat, ballot),
            Step::LeaveSiege { seat } => self.list_leave_siege(p, seat, ballot),
            Step::Regroup { seat, town } => self.list_regroups(p, seat, town, ballot),
            Step::Place { seat } => self.list_places(p, seat, ballot),
            Step::Winter => self.list_winter(p, seat, ballot),
        }
    }

    fn apply(&self, p: &mut Position, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(step) = p.open.agenda.now().copied() else { return };
        match step {
            Step::Turn(_) | Step::Fight(_) => {}
            Step::Deploy { shifts } => self.act_seats(p, shifts, action, umpire),
            Step::Exchange => self.act_exchange(p, action, umpire),
            Step::Deal => {
                p.open.agenda.pop();
                self.deal(p, SARACEN, umpire);
            }
            Step::Cards { chosen } => self.act_cards(p, seat, chosen, action, umpire),
            Step::Assassins { seat } => self.act_strike(p, seat, action, umpire),
            Step::Manna { seat, left } => self.act_manna(p, seat, left, action, umpire),
            Step::Moves { seat, left, group_only, going } => {
                self.act_moves(p, seat, left, group_only, going, action, umpire);
            }
            Step::MainRoad { seat, town } => self.act_main_road(p, seat, town, action, umpire),
            Step::Jihad { .. } => {
                if let Action::Jihad(t) = action {
                    self.name_jihad(p, t, umpire);
                }
                p.open.agenda.pop();
            }
            Step::NextBattle => {
                p.open.agenda.pop();
                if let Action::Fight(t) = action {
                    self.open_battle(p, t);
                }
            }
            Step::Shelter { seat } => self.act_shelter(p, seat, action, umpire),
            Step::Storm { seat } => self.act_storm(p, seat, action, umpire),
            Step::Sally { seat } => self.act_sally(p, seat, action, umpire),
            Step::FaceUp { seat, town } => self.act_face_up(p, seat, town, action, umpire),
            Step::Round => self.act_round(p, action, umpire),
            Step::Hits { seat, hits } => self.act_hit(p, seat, hits, action, umpire),
            Step::Harried { .. } => {
                p.open.agenda.pop();
                if let Action::Retreat(b, to) = action {
                    if !p.here[p.open.battle().town].meets(self.of(seat.other())) {
                        // Nobody is left whom it could flee from, and it goes all the same.
                        p.open.battle_mut().victor = Some(seat);
                    }
                    self.retreat(p, b, to, umpire);
                }
            }
            Step::MustRetreat { seat } => self.act_forced_retreat(p, seat, action, umpire),
            Step::LeaveSiege { seat } => self.act_leave_siege(p, seat, action, umpire),
            Step::Regroup { seat, town } => self.act_regroup(p, seat, town, action, umpire),
            Step::Place { seat } => self.act_place(p, seat, action, umpire),
            Step::Winter => self.act_winter(p, seat, action, umpire),
        }
        self.proceed(p, umpire);
    }

    /// Whoever defends a castle, besieges one or is shut in one is asked what he does, whatever his blocks are: towns,
    /// sieges and rounds are open, and most answers are no.
    fn window(&self, p: &Position, seat: Seat) -> bool {
        match p.open.agenda.now() {
            Some(
                Step::Shelter { seat: asked }
                | Step::Storm { seat: asked }
                | Step::Sally { seat: asked }
                | Step::LeaveSiege { seat: asked },
            ) => *asked == seat,
            _ => false,
        }
    }

    fn outcome(&self, p: &Position) -> Option<Outcome> {
        self.ending(p)
    }

    fn reason(&self, p: &Position) -> String {
        self.ending_in_words(p)
    }
}

impl CrusaderRex {
    /// The blocks of a side.
    #[inline]
    pub(crate) fn of(&self, seat: Seat) -> Set<Block> {
        self.components.army[seat]
    }

    /// Whose block it is.
    #[inline]
    pub(crate) fn owner(&self, b: Block) -> Seat {
        if self.components.army[SARACEN].has(b) { SARACEN } else { FRANK }
    }

    /// A side's blocks in a town, outside the castle.
    #[inline]
    pub(crate) fn field(&self, p: &Position, t: Town, seat: Seat) -> Set<Block> {
        (p.here[t] & self.of(seat)) - p.inside
    }

    /// A side's blocks in a field that have arrived there.
    #[inline]
    pub(crate) fn active(&self, p: &Position, t: Town, seat: Seat) -> Set<Block> {
        self.field(p, t, seat) - p.coming()
    }

    /// The blocks shut in a castle.
    #[inline]
    pub(crate) fn garrison(&self, p: &Position, t: Town) -> Set<Block> {
        p.here[t] & p.inside
    }

    /// Who is shut in a castle [6.51].
    #[inline]
    pub(crate) fn besieged(&self, p: &Position, t: Town) -> Option<Seat> {
        let inside = self.garrison(p, t);
        if inside.is_empty() {
            None
        } else {
            Some(if inside.meets(self.of(FRANK)) { FRANK } else { SARACEN })
        }
    }

    /// Whether a town's field is friendly: no enemy in it, and one's own blocks or one's own country [1.12].
    #[inline]
    pub(crate) fn friendly(&self, p: &Position, t: Town, seat: Seat) -> bool {
        let here = p.here[t] - p.inside;
        !here.meets(self.of(seat.other()))
            && (here.meets(self.of(seat)) || (self.components.homes[seat].has(t) && p.here[t].is_empty()))
    }

    /// Whether nobody stands in a town.
    #[inline]
    pub(crate) fn vacant(&self, p: &Position, t: Town) -> bool {
        p.here[t].is_empty()
    }

    /// How many blocks of a side a road carries [5.1].
    #[inline]
    pub(crate) fn road_limit(&self, p: &Position, seat: Seat, road: Road) -> u8 {
        let road = &self.components.roads[road];
        let guided = p.open.guide[seat];
        let (major, minor) = if guided { GUIDED } else { USUAL };
        match road {
            road if road.bridge && p.open.table.iron_bridge && !guided => BRIDGE,
            road if road.major => major,
            _ => minor,
        }
    }

    /// Whether a road has room for one more.
    #[inline]
    pub(crate) fn has_room(&self, p: &Position, seat: Seat, road: Road) -> bool {
        p.open.used[road] < self.road_limit(p, seat, road)
    }

    /// Marks that a side entered a town by a road.
    #[inline]
    pub(crate) fn mark_entry(&self, p: &mut Position, seat: Seat, road: Road, to: Town) {
        let entered = &mut p.open.entered[seat];
        if self.components.roads[road].b == to { entered.b.insert(road) } else { entered.a.insert(road) }
    }

    /// Whether a side entered a town with enemies by this road in this turn.
    #[inline]
    pub(crate) fn entered_by(&self, p: &Position, seat: Seat, road: Road, to: Town) -> bool {
        let entered = &p.open.entered[seat];
        if self.components.roads[road].b == to { entered.b.has(road) } else { entered.a.has(road) }
    }

    /// Forgets by which roads a side entered a town.
    fn forget_entries(&self, p: &mut Position, seat: Seat, to: Town) {
        let entered = &mut p.open.entered[seat];
        for (_, road) in &self.components.towns[to].roads {
            if self.components.roads[*road].b == to {
                entered.b.remove(*road)
            } else {
                entered.a.remove(*road)
            }
        }
    }

    /// A siege without besiegers is no siege: it is lifted at that instant [1.12]. Where nobody is besieged
    /// and nobody fights, nobody lies face-up.
    pub(crate) fn lift_siege(&self, p: &mut Position, t: Town, umpire: &mut (impl Umpire + ?Sized)) {
        if let Some(seat) = self.besieged(p, t) {
            if self.field(p, t, seat.other()).any() {
                return;
            }
            if p.open.battle.is_some() && self.field(p, t, seat).any() {
                // Who is relieved does not hunger.
                umpire.cite(rule!("6.56"));
                umpire.cite(rule!("6.57"));
            }
            let garrison = self.garrison(p, t);
            p.inside -= garrison;
            self.mark_lone(p, t);
            // Nobody attacks any more, so no road is barred, not even where others passed by [5.5].
            self.forget_entries(p, seat.other(), t);
            umpire.cite(rule!("1.12"));
            umpire.cite(rule!("5.5"));
        }
        if p.open.battle.as_ref().is_none_or(|battle| battle.town != t) && p.here[t].meets(p.open.shown) {
            self.hide(p, t, Set::NONE);
            umpire.cite(rule!("6.51"));
        }
    }

    /// One more block of a side uses a road [5.1].
    pub(crate) fn use_road(
        &self,
        p: &mut Position,
        seat: Seat,
        road: Road,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.used[road] += 1;
        if !umpire.writes() {
            return;
        }
        if !self.has_room(p, seat, road) {
            umpire.cite(rule!("5.1"));
        }
        // A guide widens the roads of his own side and of nobody else.
        if BOTH.iter().any(|side| p.open.guide[*side]) {
            umpire.cite(rule!("card.guide"));
        }
    }

    /// A block has gone from one town to another: whoever enters an empty town holds it, and whoever leaves one
    /// empty holds it no more [1.12].
    pub(crate) fn cite_control(
        &self,
        p: &Position,
        from: Town,
        to: Town,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if umpire.writes() && (p.here[to].len() == 1 || self.vacant(p, from)) {
            umpire.cite(rule!("1.12"));
        }
    }

    /// Goes on until somebody must decide.
    pub(crate) fn proceed(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        loop {
            match p.open.agenda.now().copied() {
                Some(Step::Turn(phase)) => self.go_on(p, phase, umpire),
                Some(Step::Fight(stage)) => self.fight_on(p, stage, umpire),
                Some(Step::Round) if self.acting(p).is_none() => drop(p.open.agenda.pop()),
                Some(Step::Hits { seat, hits }) if !self.hits_need_choice(p, seat, hits, umpire) => {}
                Some(Step::MustRetreat { seat }) if !self.can_still_retreat(p, seat, umpire) => {
                    p.open.agenda.pop();
                }
                _ => return,
            }
        }
    }

    fn next(&self, p: &mut Position, phase: Phase) {
        p.open.agenda.replace(Step::Turn(phase));
    }

    /// The sequence of play.
    fn go_on(&self, p: &mut Position, phase: Phase, umpire: &mut (impl Umpire + ?Sized)) {
        match phase {
            Phase::Nomads => {
                self.draw_nomads(p, umpire);
                self.next(p, Phase::Bonus(p.open.table.handicap));
            }
            Phase::Bonus(0) => self.next(p, Phase::Exchange),
            Phase::Bonus(n) => {
                self.next(p, Phase::Bonus(n - 1));
                self.draw_block(p, FRANK, umpire);
            }
            Phase::Exchange => {
                self.next(p, Phase::NewYear);
                p.open.agenda.push(Step::Exchange);
            }
            Phase::NewYear => {
                for seat in BOTH {
                    p.secret[seat].hand = Map::filled(0);
                }
                p.open.played = Sides::default();
                p.open.last = Sides::default();
                p.open.turn = 1;
                self.next(p, Phase::TurnStart);
                self.deal(p, FRANK, umpire);
                p.open.agenda.push(Step::Deal);
            }
            Phase::TurnStart => {
                self.clear_turn(p);
                let (year, turn) = (FIRST_YEAR + u32::from(p.open.year), p.open.turn);
                if p.open.is_winter() {
                    umpire.heading(format_args!("{year}, winter turn"));
                } else {
                    umpire.heading(format_args!("{year}, turn {turn}"));
                }
                self.next(p, Phase::FirstMoves);
                p.open.agenda.push(Step::Cards { chosen: SeatSet::NONE });
            }
            Phase::FirstMoves => {
                self.next(p, Phase::FirstSettles);
                self.begin_moves(p, p.open.first, umpire);
            }
            Phase::FirstSettles => {
                let seat = p.open.first;
                if self.settle_moves(p, seat, umpire) && self.besiegers_show(p, umpire) {
                    self.next(p, Phase::SecondMoves);
                    if p.open.cards[seat] == Some(Card::Jihad) && !p.open.is_winter() {
                        self.ask_jihad(p, seat, umpire);
                    }
                }
            }
            Phase::SecondMoves => {
                self.next(p, Phase::SecondSettles);
                self.begin_moves(p, p.open.first.other(), umpire);
            }
            Phase::SecondSettles => {
                if self.settle_moves(p, p.open.first.other(), umpire) && self.besiegers_show(p, umpire) {
                    let winter = p.open.is_winter();
                    self.next(p, if winter { Phase::WinterSieges } else { Phase::Battles });
                    if !winter {
                        p.open.to_fight = self.contested(p);
                    }
                }
            }
            Phase::Battles => {
                p.open.to_fight &= self.contested(p);
                if p.open.to_fight.is_empty() {
                    self.next(p, Phase::Draws(0));
                } else if let Some(only) = p.open.to_fight.single() {
                    self.open_battle(p, only);
                } else {
                    umpire.cite(rule!("6.0"));
                    p.open.agenda.push(Step::NextBattle);
                }
            }
            Phase::Draws(n) => {
                if p.open.year == 0 {
                    umpire.cite(rule!("7.0"));
                }
                if n == 2 || p.open.year == 0 {
                    self.next(p, Phase::TurnEnd);
                } else {
                    let seat = if n == 0 { p.open.first } else { p.open.first.other() };
                    self.next(p, Phase::Draws(n + 1));
                    self.draw_block(p, seat, umpire);
                }
            }
            Phase::TurnEnd => {
                if self.sudden_death(p, umpire) || self.goal_reached(p, umpire) {
                    return;
                }
                p.open.last = p.open.printed;
                p.open.turn += 1;
                self.next(p, Phase::TurnStart);
            }
            Phase::WinterSieges => self.winter_sieges(p, umpire),
            Phase::WinterToll => self.winter_toll(p, umpire),
            Phase::YearEnd => self.year_end(p, umpire),
        }
    }

    /// What holds for one turn only is over.
    fn clear_turn(&self, p: &mut Position) {
        p.moved = Set::NONE;
        p.marched = Set::NONE;
        p.landed = Set::NONE;
        p.left = Map::filled(None);
        p.second = Set::NONE;
        p.third = Set::NONE;
        p.open.entered = Sides::default();
        p.open.attacked = Sides::default();
        p.open.pending = Set::NONE;
        p.open.to_fight = Set::NONE;
        p.open.printed = Sides::default();
        p.open.cards = Sides::default();
        p.open.guide = Sides::default();
        p.open.jihad = None;
        p.open.campaign = None;
        p.open.used = Map::filled(0);
    }

    /// The towns where both sides stand.
    pub(crate) fn contested(&self, p: &Position) -> Set<Town> {
        let both = |t: &Town| BOTH.iter().all(|seat| p.here[*t].meets(self.of(*seat)));
        Town::all().filter(both).collect()
    }

    fn open_battle(&self, p: &mut Position, t: Town) {
        p.open.battle = Some(Battle::at(t));
        p.open.agenda.push(Step::Fight(Stage::Open));
    }
}

fn undecided(done: Sides<bool>) -> SeatSet {
    BOTH.into_iter().filter(|s| !done[*s]).collect()
}
