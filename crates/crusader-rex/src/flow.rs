//! The sequence of play: who decides, what may be done, and what follows by itself.
//!
//! One file for each chapter of the rulebook; this one holds the sequence itself [Game Turns, 8.5] and the
//! ground that all chapters stand on: who holds what, and what the moving of hidden blocks tells.

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{FRANK, NONE, SARACEN, Set, TOWNS, each, kind, one};
use crate::position::{Battle, DEAD, GONE, Going, POOL, Phase, Position, Stage, Step};

mod battle;
mod cards;
mod deployment;
mod draws;
mod movement;
mod retreat;
mod siege;
mod winter;

/// The road limits of a guide, doubled [card.guide].
const GUIDED: (u8, u8) = (8, 4);
/// The usual road limits [5.1].
const USUAL: (u8, u8) = (4, 2);
/// The Iron Bridge of the optional rule.
const BRIDGE: u8 = 3;

impl CrusaderRex {
    /// The blocks of a side.
    #[inline]
    pub(crate) fn of(&self, seat: Seat) -> Set {
        self.components.side[seat.index()]
    }

    /// Whose block it is.
    #[inline]
    pub(crate) fn owner(&self, b: u8) -> Seat {
        if self.components.side[1] & one(b) != 0 { SARACEN } else { FRANK }
    }

    /// A side's blocks in a town, outside the castle.
    #[inline]
    pub(crate) fn field(&self, p: &Position, t: u8, seat: Seat) -> Set {
        p.here[usize::from(t)] & self.of(seat) & !p.inside
    }

    /// A side's blocks in a field that have arrived there.
    #[inline]
    pub(crate) fn active(&self, p: &Position, t: u8, seat: Seat) -> Set {
        self.field(p, t, seat) & !p.coming()
    }

    /// The blocks shut in a castle.
    #[inline]
    pub(crate) fn garrison(&self, p: &Position, t: u8) -> Set {
        p.here[usize::from(t)] & p.inside
    }

    /// Who is shut in a castle [6.51].
    #[inline]
    pub(crate) fn besieged(&self, p: &Position, t: u8) -> Option<Seat> {
        let inside = self.garrison(p, t);
        if inside == 0 { None } else { Some(if inside & self.of(FRANK) != 0 { FRANK } else { SARACEN }) }
    }

    /// Whether a town's field is friendly: no enemy in it, and one's own blocks or one's own country [1.12].
    #[inline]
    pub(crate) fn friendly(&self, p: &Position, t: u8, seat: Seat) -> bool {
        let here = p.here[usize::from(t)] & !p.inside;
        here & self.of(seat.other()) == 0
            && (here & self.of(seat) != 0
                || (self.components.homes[seat.index()] & one(t) != 0 && p.here[usize::from(t)] == 0))
    }

    /// Whether nobody stands in a town.
    #[inline]
    pub(crate) fn vacant(&self, p: &Position, t: u8) -> bool {
        p.here[usize::from(t)] == 0
    }

    /// Who controls a town [1.12]; the castle decides [1.2].
    pub(crate) fn control(&self, p: &Position, t: u8) -> Option<Seat> {
        if let Some(seat) = self.besieged(p, t) {
            return Some(seat);
        }
        let frank = p.here[usize::from(t)] & self.of(FRANK) != 0;
        let saracen = p.here[usize::from(t)] & self.of(SARACEN) != 0;
        match (frank, saracen) {
            (true, false) => Some(FRANK),
            (false, true) => Some(SARACEN),
            (true, true) => {
                let saracens_came = p.attacked[SARACEN.index()] & one(t) != 0;
                Some(if saracens_came { FRANK } else { SARACEN })
            }
            (false, false) => self.components.towns[usize::from(t)].home,
        }
    }

    /// How many victory cities a side controls [1.2].
    pub(crate) fn prizes(&self, p: &Position, seat: Seat) -> u8 {
        each(self.components.prizes).filter(|t| self.control(p, *t) == Some(seat)).count() as u8
    }

    /// The ratings of all towns of Outremer that the Saracens control, added up.
    pub(crate) fn shields_taken(&self, p: &Position) -> u8 {
        let taken =
            each(self.components.homes[FRANK.index()]).filter(|t| self.control(p, *t) == Some(SARACEN));
        taken.map(|t| self.components.towns[usize::from(t)].rating).sum()
    }

    /// Whether the Saracens would win if the count were taken now [1.2].
    pub(crate) fn saracens_lead(&self, p: &Position) -> bool {
        match p.table.shields {
            0 => self.prizes(p, SARACEN) >= p.table.needs,
            shields => self.shields_taken(p) >= shields,
        }
    }

    /// Whether this is the winter turn [8.1].
    #[inline]
    pub(crate) fn is_winter(&self, p: &Position) -> bool {
        p.turn == 6
    }

    /// How many blocks of a side a road carries [5.1].
    #[inline]
    pub(crate) fn road_limit(&self, p: &Position, seat: Seat, road: u8) -> u8 {
        let road = &self.components.roads[usize::from(road)];
        let guided = p.guide[seat.index()];
        let (major, minor) = if guided { GUIDED } else { USUAL };
        match road {
            road if road.bridge && p.table.iron_bridge && !guided => BRIDGE,
            road if road.major => major,
            _ => minor,
        }
    }

    /// Whether a road has room for one more.
    #[inline]
    pub(crate) fn has_room(&self, p: &Position, seat: Seat, road: u8) -> bool {
        p.used[usize::from(road)] < self.road_limit(p, seat, road)
    }

    /// Marks that a side entered a town by a road.
    #[inline]
    pub(crate) fn mark_entry(&self, p: &mut Position, seat: Seat, road: u8, to: u8) {
        let bit = usize::from(road) * 2 + usize::from(self.components.roads[usize::from(road)].b == to);
        p.entered[seat.index()][bit / 64] |= 1 << (bit % 64);
    }

    /// Whether a side entered a town with enemies by this road in this turn.
    #[inline]
    pub(crate) fn entered_by(&self, p: &Position, seat: Seat, road: u8, to: u8) -> bool {
        let bit = usize::from(road) * 2 + usize::from(self.components.roads[usize::from(road)].b == to);
        p.entered[seat.index()][bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The hidden blocks that others cannot tell from this one by its place.
    #[inline]
    fn cell(&self, p: &Position, b: u8) -> Set {
        let bit = one(b);
        let all = p.here[usize::from(p.town[usize::from(b)])] & self.of(self.owner(b)) & !p.shown;
        if p.inside & bit != 0 { all & p.inside } else { all & !p.inside }
    }

    /// A block leaves its place. A face-up block is followed; a hidden one that leaves company takes
    /// with it what was known of all of them.
    pub(crate) fn depart(&self, p: &mut Position, b: u8) {
        let (bit, i) = (one(b), usize::from(b));
        let cell = self.cell(p, b);
        if p.shown & bit != 0 {
            p.shown &= !bit;
            p.known |= bit;
            p.seen[i] = p.strength[i];
        } else if cell != bit {
            p.known &= !cell;
            p.token[i] = 0;
        }
        p.here[usize::from(p.town[i])] &= !bit;
        p.inside &= !bit;
        let rest = cell & !bit;
        if rest.is_power_of_two() {
            self.give_token(p, rest.trailing_zeros() as u8);
        }
    }

    /// A block comes to its new place.
    pub(crate) fn arrive(&self, p: &mut Position, b: u8) {
        let cell = self.cell(p, b);
        if cell == one(b) {
            self.give_token(p, b);
        } else {
            for member in each(cell) {
                p.token[usize::from(member)] = 0;
            }
        }
    }

    /// A hidden block that is alone can be followed: it gets the lowest mark that is free.
    fn give_token(&self, p: &mut Position, b: u8) {
        if p.token[usize::from(b)] != 0 {
            return;
        }
        let mut free = !1u64;
        for other in each(self.of(self.owner(b))) {
            free &= !(1 << p.token[usize::from(other)]);
        }
        p.token[usize::from(b)] = free.trailing_zeros() as u8;
    }

    /// Marks all lone blocks, after a set-up.
    pub(crate) fn give_all_tokens(&self, p: &mut Position) {
        for t in 0..TOWNS as u8 {
            self.mark_lone(p, t);
        }
    }

    /// Marks who is alone in a town, in the field or in the castle, and nobody else. Marks are given by place
    /// and not by block, so that their order tells nothing.
    pub(crate) fn mark_lone(&self, p: &mut Position, t: u8) {
        let hidden = p.here[usize::from(t)] & !p.shown;
        let cells = [FRANK, SARACEN].map(|seat| hidden & self.of(seat));
        let cells = cells.map(|cell| [cell & !p.inside, cell & p.inside]);
        let crowds = cells.as_flattened().iter().filter(|cell| cell.count_ones() > 1);
        for b in each(crowds.fold(0, |sum, cell| sum | cell)) {
            p.token[usize::from(b)] = 0;
        }
        for cell in cells.as_flattened().iter().filter(|cell| cell.is_power_of_two()) {
            self.give_token(p, cell.trailing_zeros() as u8);
        }
    }

    /// A siege without besiegers is no siege: it is lifted at that instant [1.12].
    pub(crate) fn lift_siege(&self, p: &mut Position, t: u8) {
        let Some(seat) = self.besieged(p, t) else { return };
        if self.field(p, t, seat.other()) == 0 {
            let garrison = self.garrison(p, t);
            p.inside &= !garrison;
            self.mark_lone(p, t);
        }
    }

    /// A block loses a step; whether it is eliminated by it.
    pub(crate) fn lose_step(&self, p: &mut Position, b: u8, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let i = usize::from(b);
        p.strength[i] -= 1;
        if p.strength[i] > 0 {
            return false;
        }
        self.eliminate(p, b, false, umpire);
        true
    }

    /// A block is eliminated: for good, or face-up (in winter face-down) into the draw pool [6.34, 8.3].
    pub(crate) fn eliminate(
        &self,
        p: &mut Position,
        b: u8,
        face_down: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let (bit, i) = (one(b), usize::from(b));
        let t = p.town[i];
        let permanent = self.components.permanent & bit != 0;
        let cell = self.cell(p, b);
        // Even who is not shown is now known to be no one who never comes back.
        umpire.reveal(Readers::ALL);
        if face_down && !permanent {
            // Nobody sees which one: any of them may be the one that is gone.
            p.known &= !cell;
            let mortal = self.of(self.owner(b)) & !self.components.permanent;
            p.board &= !(mortal & !p.shown & !p.known);
        } else {
            p.seen[i] = 0;
            p.board &= !bit;
            if umpire.writes() {
                let fate = if permanent { "lost for good" } else { "eliminated" };
                let name = self.components.block_name(b);
                umpire.note(Readers::ALL, rule!("6.34"), format_args!("{name} is {fate}"));
            }
        }
        p.here[usize::from(t)] &= !bit;
        for set in [
            &mut p.inside,
            &mut p.second,
            &mut p.third,
            &mut p.shown,
            &mut p.known,
            &mut p.moved,
            &mut p.marched,
            &mut p.battle.stormers,
            &mut p.battle.sallied,
            &mut p.battle.picked,
        ] {
            *set &= !bit;
        }
        if p.battle.half == b {
            p.battle.half = NONE;
        }
        p.strength[i] = 0;
        p.token[i] = 0;
        p.via[i] = NONE;
        p.town[i] = if permanent {
            GONE
        } else if face_down {
            POOL
        } else {
            DEAD
        };
        let rest = cell & !bit;
        if rest.is_power_of_two() {
            self.give_token(p, rest.trailing_zeros() as u8);
        }
        self.lift_siege(p, t);
    }

    /// A block is turned face-up for all to see.
    pub(crate) fn show(&self, p: &mut Position, blocks: Set, umpire: &mut (impl Umpire + ?Sized)) {
        let fresh = blocks & !p.shown;
        if fresh == 0 {
            return;
        }
        p.shown |= fresh;
        p.known &= !fresh;
        p.board |= fresh;
        for b in each(fresh) {
            p.token[usize::from(b)] = 0;
        }
        // Those who stay hidden beside them may now be alone.
        for b in each(fresh) {
            let bit = one(b);
            let mates = p.here[usize::from(p.town[usize::from(b)])] & self.of(self.owner(b)) & !p.shown;
            for rest in [mates & p.inside, mates & !p.inside] {
                if rest.is_power_of_two() && rest & bit == 0 {
                    self.give_token(p, rest.trailing_zeros() as u8);
                }
            }
        }
        umpire.reveal(Readers::ALL);
        umpire.cite(rule!("2.0"));
        if umpire.writes() {
            for seat in [FRANK, SARACEN] {
                let names: Vec<_> = each(fresh & self.of(seat))
                    .map(|b| format!("{} {}", self.components.block_name(b), p.strength[usize::from(b)]))
                    .collect();
                if !names.is_empty() {
                    let names = names.join(", ");
                    umpire.note(Readers::ALL, rule!("6.0"), format_args!("revealed: {names}"));
                }
            }
        }
    }

    /// Face-up blocks in a town stand up again; everybody remembers them.
    pub(crate) fn hide(&self, p: &mut Position, t: u8) {
        let shown = p.here[usize::from(t)] & p.shown;
        p.shown &= !shown;
        p.known |= shown;
        for b in each(shown) {
            p.seen[usize::from(b)] = p.strength[usize::from(b)];
        }
        self.mark_lone(p, t);
    }

    /// Who must decide.
    #[inline]
    pub(crate) fn who_decides(&self, p: &Position) -> SeatSet {
        match p.agenda.now() {
            None => SeatSet::NONE,
            Some(step) => match *step {
                Step::Turn(_) | Step::Fight(_) => SeatSet::NONE,
                Step::Deploy { .. } => FRANK.into(),
                Step::Exchange | Step::Deal => SARACEN.into(),
                Step::Cards { chosen } => undecided(chosen.map(|c| c != NONE)),
                Step::NextBattle => p.first.into(),
                Step::Round => self.acting(p).map_or(SeatSet::NONE, |(seat, _)| seat.into()),
                Step::Harried { block } => self.owner(block).into(),
                Step::Winter => undecided(p.done),
                Step::Assassins { seat }
                | Step::Manna { seat, .. }
                | Step::Moves { seat, .. }
                | Step::MainRoad { seat, .. }
                | Step::Jihad { seat }
                | Step::Shelter { seat }
                | Step::Storm { seat }
                | Step::Sally { seat }
                | Step::Hits { seat, .. }
                | Step::MustRetreat { seat }
                | Step::LeaveSiege { seat }
                | Step::Regroup { seat, .. }
                | Step::Place { seat, .. } => seat.into(),
            },
        }
    }

    /// What a deciding seat may do.
    pub(crate) fn list(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(step) = p.agenda.now() else { return };
        match *step {
            Step::Turn(_) | Step::Fight(_) => {}
            Step::Deploy { shifts } => self.list_seats(p, shifts, ballot),
            Step::Exchange => self.list_exchange(p, ballot),
            Step::Deal => ballot.force(Action::Deal),
            Step::Cards { .. } => self.list_cards(p, seat, ballot),
            Step::Assassins { seat } => self.list_targets(p, seat, ballot),
            Step::Manna { seat, left, blessed } => self.list_manna(p, seat, left, blessed, ballot),
            Step::Moves { seat, left, group_only, going } => {
                self.list_moves(p, seat, left, group_only, going, ballot);
            }
            Step::MainRoad { seat, town } => self.list_main_roads(p, seat, town, ballot),
            Step::Jihad { seat } => {
                for t in each(self.jihads(p, seat)) {
                    ballot.allow(Action::Jihad(t));
                }
            }
            Step::NextBattle => {
                for t in each(p.to_fight) {
                    ballot.allow(Action::Fight(t));
                }
            }
            Step::Shelter { seat } => self.list_shelter(p, seat, ballot),
            Step::Storm { seat } => self.list_storm(p, seat, ballot),
            Step::Sally { seat } => self.list_sally(p, seat, ballot),
            Step::Round => self.list_round(p, ballot),
            Step::Hits { seat, .. } => self.list_hits(p, seat, ballot),
            Step::Harried { block } => self.list_last_retreats(p, block, one(block), ballot),
            Step::MustRetreat { seat } => self.list_forced_retreats(p, seat, ballot),
            Step::LeaveSiege { seat } => self.list_leave_siege(p, seat, ballot),
            Step::Regroup { seat, town } => self.list_regroups(p, seat, town, ballot),
            Step::Place { seat, block } => self.list_places(p, seat, block, ballot),
            Step::Winter => self.list_winter(p, seat, ballot),
        }
    }

    /// Carries out an action, and everything that follows by itself.
    pub(crate) fn act(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(step) = p.agenda.now().copied() else { return };
        match step {
            Step::Turn(_) | Step::Fight(_) => {}
            Step::Deploy { shifts } => self.act_seats(p, shifts, action, umpire),
            Step::Exchange => self.act_exchange(p, action, umpire),
            Step::Deal => {
                p.agenda.pop();
                self.deal(p, SARACEN, umpire);
            }
            Step::Cards { chosen } => self.act_cards(p, seat, chosen, action, umpire),
            Step::Assassins { seat } => self.act_strike(p, seat, action, umpire),
            Step::Manna { seat, left, blessed } => self.act_manna(p, seat, left, blessed, action, umpire),
            Step::Moves { seat, left, group_only, going } => {
                self.act_moves(p, seat, left, group_only, going, action, umpire);
            }
            Step::MainRoad { seat, town } => self.act_main_road(p, seat, town, action, umpire),
            Step::Jihad { .. } => {
                if let Action::Jihad(t) = action {
                    self.name_jihad(p, t, umpire);
                }
                p.agenda.pop();
            }
            Step::NextBattle => {
                p.agenda.pop();
                if let Action::Fight(t) = action {
                    self.open_battle(p, t);
                }
            }
            Step::Shelter { seat } => self.act_shelter(p, seat, action, umpire),
            Step::Storm { seat } => self.act_storm(p, seat, action, umpire),
            Step::Sally { seat } => self.act_sally(p, seat, action, umpire),
            Step::Round => self.act_round(p, action, umpire),
            Step::Hits { seat, hits } => self.act_hit(p, seat, hits, action, umpire),
            Step::Harried { .. } => {
                p.agenda.pop();
                if let Action::Retreat(b, to) = action {
                    self.retreat(p, b, to, umpire);
                }
            }
            Step::MustRetreat { seat } => self.act_forced_retreat(p, seat, action, umpire),
            Step::LeaveSiege { seat } => self.act_leave_siege(p, seat, action, umpire),
            Step::Regroup { seat, town } => self.act_regroup(p, seat, town, action, umpire),
            Step::Place { seat, block } => self.act_place(p, seat, block, action, umpire),
            Step::Winter => self.act_winter(p, seat, action, umpire),
        }
        self.proceed(p, umpire);
    }

    /// Goes on until somebody must decide.
    pub(crate) fn proceed(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        loop {
            match p.agenda.now().copied() {
                Some(Step::Turn(phase)) => self.go_on(p, phase, umpire),
                Some(Step::Fight(stage)) => self.fight_on(p, stage, umpire),
                Some(Step::Round) if self.acting(p).is_none() => drop(p.agenda.pop()),
                Some(Step::Hits { seat, hits }) if !self.hits_need_choice(p, seat, hits, umpire) => {}
                Some(Step::MustRetreat { seat }) if !self.can_still_retreat(p, seat, umpire) => {
                    p.agenda.pop();
                }
                _ => return,
            }
        }
    }

    fn next(&self, p: &mut Position, phase: Phase) {
        p.agenda.replace(Step::Turn(phase));
    }

    /// The sequence of play.
    fn go_on(&self, p: &mut Position, phase: Phase, umpire: &mut (impl Umpire + ?Sized)) {
        match phase {
            Phase::Nomads => {
                self.draw_nomads(p, umpire);
                self.next(p, Phase::Bonus(p.table.handicap));
            }
            Phase::Bonus(0) => self.next(p, Phase::Exchange),
            Phase::Bonus(n) => {
                self.next(p, Phase::Bonus(n - 1));
                self.draw_block(p, FRANK, umpire);
            }
            Phase::Exchange => {
                self.next(p, Phase::NewYear);
                p.agenda.push(Step::Exchange);
            }
            Phase::NewYear => {
                p.hands = Default::default();
                p.played = Default::default();
                p.last = [NONE; 2];
                p.turn = 1;
                self.next(p, Phase::TurnStart);
                self.deal(p, FRANK, umpire);
                p.agenda.push(Step::Deal);
            }
            Phase::TurnStart => {
                self.clear_turn(p);
                let (year, turn) = (1187 + u32::from(p.year), p.turn);
                if self.is_winter(p) {
                    umpire.heading(format_args!("{year}, winter turn"));
                } else {
                    umpire.heading(format_args!("{year}, turn {turn}"));
                }
                self.next(p, Phase::FirstMoves);
                p.agenda.push(Step::Cards { chosen: [NONE; 2] });
            }
            Phase::FirstMoves => {
                self.next(p, Phase::FirstSettles);
                self.begin_moves(p, p.first, umpire);
            }
            Phase::FirstSettles => {
                let seat = p.first;
                if self.settle_moves(p, seat, umpire) {
                    self.next(p, Phase::SecondMoves);
                    if p.cards[seat.index()] == kind::JIHAD && !self.is_winter(p) {
                        self.ask_jihad(p, seat, umpire);
                    }
                }
            }
            Phase::SecondMoves => {
                self.next(p, Phase::SecondSettles);
                self.begin_moves(p, p.first.other(), umpire);
            }
            Phase::SecondSettles => {
                if self.settle_moves(p, p.first.other(), umpire) {
                    let winter = self.is_winter(p);
                    self.next(p, if winter { Phase::WinterSieges } else { Phase::Battles });
                    if !winter {
                        p.to_fight = self.contested(p);
                    }
                }
            }
            Phase::Battles => {
                p.to_fight &= self.contested(p);
                if p.to_fight == 0 {
                    self.next(p, Phase::Draws(0));
                } else if p.to_fight.is_power_of_two() {
                    self.open_battle(p, p.to_fight.trailing_zeros() as u8);
                } else {
                    umpire.cite(rule!("6.0"));
                    p.agenda.push(Step::NextBattle);
                }
            }
            Phase::Draws(n) => {
                if n == 2 || p.year == 0 {
                    self.next(p, Phase::TurnEnd);
                } else {
                    let seat = if n == 0 { p.first } else { p.first.other() };
                    self.next(p, Phase::Draws(n + 1));
                    self.draw_block(p, seat, umpire);
                }
            }
            Phase::TurnEnd => {
                if self.sudden_death(p, umpire) || self.goal_reached(p, umpire) {
                    return;
                }
                p.last = p.printed;
                p.turn += 1;
                self.next(p, Phase::TurnStart);
            }
            Phase::WinterSieges => self.winter_sieges(p, umpire),
            Phase::WinterToll => self.winter_toll(p, umpire),
            Phase::YearEnd => self.year_end(p, umpire),
        }
    }

    /// What holds for one turn only is over.
    fn clear_turn(&self, p: &mut Position) {
        p.moved = 0;
        p.marched = 0;
        p.second = 0;
        p.third = 0;
        p.entered = Default::default();
        p.attacked = [0; 2];
        p.pending = 0;
        p.to_fight = 0;
        p.printed = [NONE; 2];
        p.cards = [NONE; 2];
        p.guide = [false; 2];
        p.jihad = NONE;
        p.campaign = NONE;
        p.used = [0; crate::data::ROADS];
    }

    /// The towns where both sides stand.
    fn contested(&self, p: &Position) -> Set {
        let (frank, saracen) = (self.of(FRANK), self.of(SARACEN));
        let mut towns = 0;
        for (t, here) in p.here.iter().enumerate() {
            if here & frank != 0 && here & saracen != 0 {
                towns |= 1 << t;
            }
        }
        towns
    }

    fn open_battle(&self, p: &mut Position, t: u8) {
        p.battle = Battle { town: t, round: 1, ..Battle::NONE };
        p.agenda.push(Step::Fight(Stage::Open));
    }

    /// All seven victory cities win at once [1.2].
    fn sudden_death(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        for seat in [FRANK, SARACEN] {
            if p.table.goal == NONE && self.prizes(p, seat) == 7 {
                umpire.note(Readers::ALL, rule!("1.2"), format_args!("all seven victory cities are taken"));
                self.finish(p, seat, true, umpire);
                return true;
            }
        }
        false
    }

    /// A scenario of one battle ends with its turn.
    fn goal_reached(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        if p.table.goal == NONE {
            return false;
        }
        umpire.cite(rule!("1.2"));
        let saracens = p.here[usize::from(p.table.goal)] & self.of(SARACEN) != 0;
        self.finish(p, if saracens { SARACEN } else { FRANK }, false, umpire);
        true
    }

    fn finish(&self, p: &mut Position, winner: Seat, sudden: bool, umpire: &mut (impl Umpire + ?Sized)) {
        // When it is over everything is open.
        umpire.reveal(Readers::ALL);
        p.result = Some((winner, sudden));
        p.agenda = Default::default();
    }
}

fn undecided(done: [bool; 2]) -> SeatSet {
    [FRANK, SARACEN].into_iter().filter(|s| !done[s.index()]).collect()
}

/// Nothing is moving.
const IDLE: Going = Going::Idle;
