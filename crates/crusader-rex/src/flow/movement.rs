//! Movement [5.0]: groups, musters, sea moves, road limits, pinning, and what attacks are made of.

use table::{Ballot, Id, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, Card, FRANK, Nation, Road, Town, Way};
use crate::position::{Going, Position, Step};

mod muster;
mod sea;
mod settle;

impl CrusaderRex {
    /// A side's blocks in a town that may still move by road: not besieged, not moved [5.0, 6.62].
    #[inline]
    fn free(&self, p: &Position, t: Town, seat: Seat) -> Set<Block> {
        self.field(p, t, seat) - p.moved
    }

    /// How many defenders the attackers of a town pin: as many as come by the main road [5.5].
    #[inline]
    pub(crate) fn pinners(&self, p: &Position, t: Town, seat: Seat) -> usize {
        if !p.open.attacked[seat.other()].has(t) {
            return 0;
        }
        self.active(p, t, seat.other()).len()
    }

    /// Whether one more block may leave a town [5.5].
    #[inline]
    fn may_leave(&self, p: &Position, t: Town, seat: Seat) -> bool {
        let free = self.free(p, t, seat).len();
        free > 0 && free > self.pinners(p, t, seat)
    }

    /// Whether a road out of a town is open: room on it [5.1] and no attacker came by it [5.5].
    #[inline]
    fn open_road(&self, p: &Position, seat: Seat, from: Town, road: Road) -> bool {
        self.has_room(p, seat, road) && !self.entered_by(p, seat.other(), road, from)
    }

    /// Whether a block that could then go `left` more roads may step into a town. In winter nobody goes where
    /// an enemy stands; one's own sieges can only be passed, on the way to a town without enemies [8.1].
    fn may_step(&self, p: &Position, seat: Seat, to: Town, road: Road, left: u8) -> bool {
        if !p.open.is_winter() || !p.here[to].meets(self.of(seat.other())) {
            return true;
        }
        left > 0 && self.field(p, to, seat.other()).is_empty() && {
            let onward = &self.components.towns[to].roads;
            onward.iter().any(|(next, r)| {
                *r != road && self.open_road(p, seat, to, *r) && self.may_step(p, seat, *next, *r, left - 1)
            })
        }
    }

    /// How many roads a block may go.
    #[inline]
    fn reach(&self, p: &Position, b: Block) -> u8 {
        self.components.blocks[b].moves + u8::from(p.open.table.forced_marches)
    }

    pub(super) fn list_moves(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        group_only: bool,
        going: Going,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        if let Some(block) = p.secret[seat].sailing {
            self.list_ports(p, seat, block, ballot);
            return;
        }
        match going {
            Going::Idle if left == 0 => {
                // Cards and moves are open: all know that there is nothing left to do.
                ballot.force(Action::Done);
                self.refuse_more(p, seat, ballot);
            }
            Going::Idle => self.list_begin(p, seat, left, group_only, None, ballot),
            Going::Group { town, begun } => {
                if let Some(b) = self.must_go_on(p, seat) {
                    self.list_walk(p, seat, b, ballot);
                    let why = "in winter nobody stays where an enemy stands";
                    ballot.refuse(Action::Done, rule!("8.1"), format_args!("{why}"));
                    return;
                }
                for b in p.march.under_way {
                    self.list_walk(p, seat, b, ballot);
                }
                self.list_group(p, seat, town, ballot);
                if begun {
                    self.list_begin(p, seat, left, group_only, Some(town), ballot);
                }
            }
            Going::Call => self.list_muster_towns(p, seat, ballot),
            Going::Muster { town } => {
                self.list_muster(p, seat, town, ballot);
                if p.march.under_way.is_empty() {
                    self.list_begin(p, seat, left, group_only, None, ballot);
                } else {
                    let why = "who is on his way to the muster must reach it";
                    ballot.refuse(Action::Done, rule!("5.3"), format_args!("{why}"));
                }
            }
        }
    }

    /// In winter nobody stays where an enemy is: who passes a siege goes on before anybody else moves, so that
    /// nobody can bar his road [8.1].
    #[inline]
    fn must_go_on(&self, p: &Position, seat: Seat) -> Option<Block> {
        if !p.open.is_winter() {
            return None;
        }
        let enemies = self.of(seat.other());
        p.march.under_way.iter().find(|b| p.town(*b).is_some_and(|t| p.here[t].meets(enemies)))
    }

    /// What a side may begin, or end.
    fn list_begin(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        group_only: bool,
        open_group: Option<Town>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        self.list_beginnings(p, seat, left, group_only, open_group, ballot);
        ballot.allow(Action::Done);
    }

    fn list_beginnings(
        &self,
        p: &Position,
        seat: Seat,
        left: u8,
        group_only: bool,
        open_group: Option<Town>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        if left == 0 {
            self.refuse_more(p, seat, ballot);
            return;
        }
        let mine = self.of(seat);
        for t in Town::all() {
            if !p.here[t].meets(mine) || Some(t) == open_group {
                continue;
            }
            if self.free(p, t, seat).is_empty() {
                if ballot.explains() {
                    let (rule, why) = if self.field(p, t, seat).is_empty() {
                        (rule!("6.62"), "the blocks there are besieged")
                    } else {
                        (rule!("5.0"), "all blocks there have moved")
                    };
                    ballot.refuse(Action::Group(t), rule, format_args!("{why}"));
                }
            } else if !self.may_leave(p, t, seat) {
                ballot.refuse(
                    Action::Group(t),
                    rule!("5.5"),
                    format_args!("the attackers pin all blocks there"),
                );
            } else if self.components.towns[t].roads.iter().any(|(to, road)| {
                self.open_road(p, seat, t, *road)
                    && (!p.open.is_winter() || {
                        let most = self.free(p, t, seat).iter().map(|b| self.reach(p, b)).max().unwrap_or(1);
                        self.may_step(p, seat, *to, *road, most - 1)
                    })
            }) {
                ballot.allow(Action::Group(t));
            } else {
                ballot.refuse(Action::Group(t), rule!("5.1"), format_args!("no road out of there is open"));
            }
        }
        if group_only {
            ballot.refuse(
                Action::Muster,
                rule!("4.2b"),
                format_args!("this event moves one group by road, nothing else"),
            );
            return;
        }
        ballot.allow(Action::Muster);
        self.list_sails(p, seat, ballot);
        if seat == FRANK {
            self.list_germans(p, ballot);
        }
        if p.open.is_winter() && p.open.cards[seat] == Some(Card::WinterCampaign) && left == 1 {
            for t in Town::all() {
                if self.besieged(p, t) == Some(seat.other()) && open_group.is_none() {
                    ballot.allow(Action::Campaign(t));
                } else if ballot.explains() && p.here[t].meets(mine) {
                    ballot.refuse(
                        Action::Campaign(t),
                        rule!("8.2"),
                        format_args!("you besiege nobody there"),
                    );
                }
            }
        }
    }

    fn refuse_more(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        if !ballot.explains() {
            return;
        }
        ballot.refuse(Action::Muster, rule!("5.0"), format_args!("no moves are left"));
        for t in Town::all() {
            if self.field(p, t, seat).any() {
                ballot.refuse(Action::Group(t), rule!("5.0"), format_args!("no moves are left"));
            }
        }
    }

    /// How a block under way may go on.
    fn list_walk(&self, p: &Position, seat: Seat, b: Block, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(t) = p.town(b) else { return };
        let left = self.reach(p, b).saturating_sub(p.march.gone[b]);
        if left == 0 && !ballot.explains() {
            return;
        }
        for (to, road) in &self.components.towns[t].roads {
            let go = Action::Go(b, *to);
            if Some(*road) == p.march.came[b] {
                ballot.refuse(go, rule!("5.0"), format_args!("it has just come that way"));
            } else if left == 0 {
                ballot.refuse(go, rule!("2.1.3"), format_args!("it has gone as far as it can"));
            } else {
                self.list_step(p, seat, b, t, *to, *road, left - 1, ballot);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn list_step(
        &self,
        p: &Position,
        seat: Seat,
        b: Block,
        from: Town,
        to: Town,
        road: Road,
        left: u8,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let go = Action::Go(b, to);
        if !self.has_room(p, seat, road) {
            let bridge = self.components.roads[road].bridge && p.open.table.iron_bridge;
            ballot.refuse(
                go,
                if bridge { rule!("opt.iron-bridge") } else { rule!("5.1") },
                format_args!("{} blocks have used that road", p.open.used[road]),
            );
        } else if self.entered_by(p, seat.other(), road, from) {
            ballot.refuse(go, rule!("5.5"), format_args!("the attackers came by that road"));
        } else if p.open.is_winter() && !self.may_step(p, seat, to, road, left) {
            ballot.refuse(go, rule!("8.1"), format_args!("in winter nobody stays where an enemy stands"));
        } else {
            ballot.allow(go);
        }
    }

    /// First steps of the blocks of a group [5.2].
    fn list_group(&self, p: &Position, seat: Seat, t: Town, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let roads = &self.components.towns[t].roads;
        if !self.may_leave(p, t, seat) {
            if ballot.explains() {
                for b in self.free(p, t, seat) {
                    for (to, _) in roads {
                        ballot.refuse(Action::Go(b, *to), rule!("5.5"), format_args!("the rest is pinned"));
                    }
                }
            }
            return;
        }
        for b in self.free(p, t, seat) {
            for (to, road) in roads {
                self.list_step(p, seat, b, t, *to, *road, self.reach(p, b) - 1, ballot);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn act_moves(
        &self,
        p: &mut Position,
        seat: Seat,
        mut left: u8,
        group_only: bool,
        going: Going,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        // The next move, or the end of all, ends the march of those under way.
        if !matches!(action, Action::Go(..)) {
            self.end_march(p);
        }
        if umpire.writes() && matches!(action, Action::Group(_) | Action::MusterAt(_) | Action::Sail(_)) {
            umpire.cite(rule!("4.2"));
            if p.open.cards[seat] == Some(Card::WinterCampaign) {
                // It is a move card of one in any other respect.
                umpire.cite(rule!("8.2"));
            }
        }
        let going = match action {
            Action::Group(town) => {
                left -= 1;
                umpire.cite(rule!("5.2"));
                Going::Group { town, begun: false }
            }
            Action::Muster => Going::Call,
            Action::MusterAt(town) => {
                left -= 1;
                umpire.note(
                    Readers::ALL,
                    rule!("5.3"),
                    format_args!("The {} muster at {}", self.title_of(seat), self.components.town_name(town)),
                );
                Going::Muster { town }
            }
            Action::Go(b, to) => {
                self.walk(p, seat, b, to, going, umpire);
                match going {
                    Going::Group { town, .. } => Going::Group { town, begun: true },
                    other => other,
                }
            }
            Action::Sail(block) => {
                p.secret[seat].sailing = Some(block);
                umpire.cite(rule!("1.14"));
                self.cite_harbours(p, seat, umpire);
                if self.components.nations[Nation::English].has(block) {
                    umpire.cite(rule!("7.22"));
                }
                Going::Idle
            }
            Action::Land(to) | Action::Assault(to) => {
                left -= 1;
                if let Some(block) = p.secret[seat].sailing.take() {
                    self.sail(p, seat, block, to, matches!(action, Action::Assault(_)), umpire);
                }
                Going::Idle
            }
            Action::Enter(b, to) => {
                left -= 1;
                self.enter_from_north(p, b, to, umpire);
                Going::Idle
            }
            Action::Campaign(t) => {
                p.open.campaign = Some(t);
                left = 0;
                umpire.note(
                    Readers::ALL,
                    rule!("8.2"),
                    format_args!("The siege of {} goes on over the winter", self.components.town_name(t)),
                );
                Going::Idle
            }
            _ if going == Going::Call => {
                left -= 1;
                Going::Idle
            }
            _ => {
                p.open.agenda.pop();
                self.mark_movers(p);
                if !p.moved.meets(self.of(seat)) {
                    umpire.note(
                        Readers::ALL,
                        rule!("5.0"),
                        format_args!("The {} move no blocks", self.title_of(seat)),
                    );
                }
                return;
            }
        };
        p.open.agenda.replace(Step::Moves { seat, left, group_only, going });
    }

    /// Those under way stay where they are, all at once: in which order they went makes no difference.
    fn end_march(&self, p: &mut Position) {
        let under_way = p.march.under_way;
        for b in under_way {
            p.march.halt(b);
        }
        for b in under_way {
            self.arrive(p, b);
        }
    }

    /// A block goes along one road.
    fn walk(
        &self,
        p: &mut Position,
        seat: Seat,
        b: Block,
        to: Town,
        going: Going,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(from) = p.town(b) else { return };
        let Some(road) = self.components.road(from, to) else { return };
        let gone = p.march.gone[b];
        self.use_road(p, seat, road, umpire);
        umpire.cite(rule!("5.0"));
        if gone >= self.components.blocks[b].moves {
            // The last road is gone when all other movement is done.
            p.march.halt(b);
            p.marched.insert(b);
            p.via[b] = Some(Way::Road(road));
            umpire.cite(rule!("opt.forced-marches"));
            return;
        }
        if gone == 0 {
            self.depart(p, b);
            p.moved.insert(b);
            p.left[b] = Some(from);
            umpire.cite(rule!("2.0"));
        }
        p.march.note(b, road);
        p.put(b, to);
        self.lift_siege(p, from, umpire);
        self.cite_control(p, from, to, umpire);
        let stops = self.meet(p, seat, b, to, Way::Road(road));
        if !stops && umpire.writes() && p.here[to].meets(self.of(seat.other())) {
            // Who is shut in stops nobody, and who stays has joined the siege before its first round.
            umpire.cite(rule!("6.51"));
            umpire.cite(rule!("6.4"));
        }
        if stops || going == (Going::Muster { town: to }) {
            p.march.halt(b);
            self.arrive(p, b);
        }
    }

    /// A block has come to a town by a road. If enemies hold the field it must stop and fight [5.0].
    fn meet(&self, p: &mut Position, seat: Seat, b: Block, to: Town, via: Way) -> bool {
        let enemies = p.here[to] & self.of(seat.other());
        if enemies.is_empty() {
            return false;
        }
        if let Way::Road(road) = via {
            self.mark_entry(p, seat, road, to);
        }
        if enemies.within(p.inside) {
            return false;
        }
        p.via[b] = Some(via);
        p.open.pending.insert(to);
        if !p.open.attacked[seat.other()].has(to) {
            p.open.attacked[seat].insert(to);
        }
        true
    }
}
