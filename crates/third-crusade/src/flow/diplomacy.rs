//! The Diplomacy Phase \[4\]: secret bids, rewards, the lowest bidder's by proposal and assent, and the board.

use arrayvec::ArrayVec;
use table::{Ballot, Id as _, Map, Readers, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::ids::{Army, Space};
use crate::position::{Deed, Open, Position, Source, Step};

impl ThirdCrusade {
    /// Who has no gold bids nothing, as everybody can know.
    pub(super) fn begin_bids(&self, p: &mut Position) {
        p.open.bids = Map::filled(None);
        p.open.rewards = [None; 5];
        p.open.chosen = p.open.table.party.iter().filter(|army| p.open.gold[*army] == 0).collect();
        p.hidden.bids = Map::new(|army| p.open.chosen.has(army).then_some(0));
        p.open.agenda.replace(Step::Bids);
    }

    pub(super) fn list_bids(&self, p: &Position, army: Army, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let gold = p.open.gold[army];
        ballot.allow_range(Action::Bid(0), 0, gold.into());
        if let Some(more) = gold.checked_add(1) {
            ballot.refuse(Action::Bid(more), rule!("4.1"), format_args!("there is no more gold than {gold}"));
        }
    }

    pub(super) fn bid(&self, p: &mut Position, army: Army, gold: u8) {
        p.hidden.bids[army] = Some(gold);
        p.open.chosen.insert(army);
    }

    /// All have bid: bids are opened and paid [4.1].
    pub(super) fn bidding(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        if p.open.chosen != p.open.table.party {
            return true;
        }
        umpire.reveal(Readers::ALL);
        p.open.bids = p.hidden.bids;
        p.hidden.bids = Map::filled(None);
        for army in self.bidders(&p.open) {
            let gold = p.open.bids[army].unwrap_or(0);
            p.open.gold[army] -= gold;
            let who = self.components.army(army);
            umpire.note(Readers::ALL, rule!("4.1"), format_args!("{who} bids and pays {gold} gold"));
        }
        p.open.agenda.replace(Step::Reward { taken: 0 });
        false
    }

    /// The players by their bids, the highest first; of equal bids who is ahead in initiative [4.1].
    pub(crate) fn bidders(&self, open: &Open) -> ArrayVec<Army, 4> {
        let mut order: ArrayVec<Army, 4> = open.table.party.iter().collect();
        order.sort_unstable_by_key(|army| {
            (std::cmp::Reverse(open.bids[*army].unwrap_or(0)), open.rank(*army))
        });
        order
    }

    pub(super) fn rewarding(&self, p: &mut Position, taken: u8) -> bool {
        let bidders = self.bidders(&p.open);
        let players = bidders.len() as u8;
        if taken == players {
            p.open.agenda.replace(Step::Envoys { number: 0 });
            return false;
        }
        if taken + 1 == players {
            let army = bidders[usize::from(taken)];
            p.open.agenda.push(Step::Bestow { army, proposal: None, other: None });
        }
        true
    }

    /// Who decides on the lowest bidder's reward now: of two partners the one ahead in initiative proposes and has
    /// the last word, the other assents or names another.
    pub(super) fn giver(
        &self,
        open: &Open,
        army: Army,
        proposal: Option<u8>,
        other: Option<u8>,
    ) -> Option<Army> {
        let givers = open.armies(army.side().other());
        let first = open.ahead(givers)?;
        match (proposal, other) {
            (Some(_), None) => givers.without(first).first(),
            _ => Some(first),
        }
    }

    pub(super) fn list_rewards(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for (number, taken) in p.open.rewards.iter().enumerate() {
            let action = Action::Reward(number as u8);
            match taken {
                None => ballot.allow(action),
                Some(_) => ballot.refuse(action, rule!("4.2"), format_args!("that reward has been taken")),
            }
        }
    }

    pub(super) fn list_gifts(
        &self,
        p: &Position,
        _army: Army,
        proposal: Option<u8>,
        other: Option<u8>,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        if proposal.is_some() && other.is_none() {
            ballot.allow(Action::Assent);
        }
        for (number, taken) in p.open.rewards.iter().enumerate() {
            let (number, action) = (number as u8, Action::Reward(number as u8));
            let named = proposal == Some(number);
            if taken.is_some() {
                ballot.refuse(action, rule!("4.2"), format_args!("that reward has been taken"));
            } else if other.is_some() && !named && other != Some(number) {
                ballot.refuse(
                    action,
                    rule!("4.2"),
                    format_args!("it must be one of the two that were named"),
                );
            } else if other.is_none() && named {
                ballot.refuse(action, rule!("4.2"), format_args!("it was proposed: assent, or name another"));
            } else {
                ballot.allow(action);
            }
        }
    }

    pub(super) fn choose_reward(
        &self,
        p: &mut Position,
        army: Army,
        number: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match p.open.agenda.now().copied() {
            Some(Step::Bestow { army: to, proposal, other }) => {
                let pair = p.open.armies(army.side()).len() == 2;
                let who = self.components.army(army);
                let shown = number + 1;
                match (pair, proposal, other) {
                    (true, None, _) => {
                        umpire.note(
                            Readers::ALL,
                            rule!("4.2"),
                            format_args!("{who} proposes reward number {shown}"),
                        );
                        p.open.agenda.replace(Step::Bestow { army: to, proposal: Some(number), other: None });
                    }
                    (true, Some(_), None) => {
                        umpire.note(
                            Readers::ALL,
                            rule!("4.2"),
                            format_args!("{who} names reward number {shown} instead"),
                        );
                        p.open.agenda.replace(Step::Bestow { army: to, proposal, other: Some(number) });
                    }
                    _ => {
                        p.open.agenda.pop();
                        self.give_reward(p, to, number, umpire);
                    }
                }
            }
            _ => self.give_reward(p, army, number, umpire),
        }
    }

    pub(super) fn assent(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        if let Some(Step::Bestow { army, proposal: Some(number), .. }) = p.open.agenda.now().copied() {
            p.open.agenda.pop();
            self.give_reward(p, army, number, umpire);
        }
    }

    /// A reward is taken and carried out at once [4.2].
    fn give_reward(&self, p: &mut Position, army: Army, number: u8, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.rewards[usize::from(number)] = Some(army);
        if let Some(Step::Reward { taken }) = p.open.agenda.now_mut() {
            *taken += 1;
        }
        let Some(treaty) = p.open.treaty else { return };
        let (who, name) = (self.components.army(army), &self.components.treaties[treaty].name);
        let shown = number + 1;
        umpire.note(Readers::ALL, rule!("4.2"), format_args!("{who} gets reward number {shown} of {name}"));
        p.open.agenda.push(Step::Deed(Deed::new(army, Source::Reward(treaty, number), None)));
    }

    /// Players move in the order of their numbers [4.3].
    pub(super) fn sending_envoys(
        &self,
        p: &mut Position,
        number: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let Some(taken) = p.open.rewards.get(usize::from(number)) else {
            if !self.victory_check(p, rule!("3.11"), umpire) {
                self.begin_upkeep(p, umpire);
            }
            return false;
        };
        let taken = *taken;
        p.open.agenda.replace(Step::Envoys { number: number + 1 });
        if let Some(army) = taken {
            umpire.cite(rule!("4.3"));
            p.open.agenda.push(Step::Advance { army, left: 1 });
        }
        false
    }

    /// The spaces that an army can reach: forward and sideways along lines, past no row of four without a marker of
    /// its own in it, unless all four are taken [4.4].
    pub(crate) fn reachable(&self, open: &Open, army: Army) -> Set<Space> {
        let spaces = &self.components.spaces;
        let markers = open.board.values().iter().filter(|marker| **marker == Some(army)).count();
        if markers >= usize::from(self.components.figures.markers) {
            return Set::NONE;
        }
        let free = |space: Space| open.board[space].is_none();
        let may_leave = |row: u8| {
            let all = || Space::all().filter(|s| spaces[*s].row == row);
            !self.components.is_mandatory(row)
                || all().any(|s| open.board[s] == Some(army))
                || !all().any(free)
        };
        let mut reached = match open.envoy[army] {
            None => self.components.start,
            Some(at) => Set::one(at),
        };
        loop {
            let next = reached.iter().fold(reached, |all, space| {
                let sheet = &spaces[space];
                let forward = if may_leave(sheet.row) { sheet.forward } else { Set::NONE };
                all | sheet.sideways | forward
            });
            if next == reached {
                break;
            }
            reached = next;
        }
        reached.iter().filter(|space| free(*space)).collect()
    }

    pub(super) fn list_spaces(&self, p: &Position, army: Army, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let reachable = self.reachable(&p.open, army);
        match reachable.single() {
            Some(only) => ballot.force(Action::Advance(only)),
            None => reachable.iter().for_each(|space| ballot.allow(Action::Advance(space))),
        }
        if ballot.explains() {
            let row = p.open.envoy[army].map_or(0, |at| self.components.spaces[at].row);
            for space in Set::<Space>::all() - reachable {
                let why = if p.open.board[space].is_some() {
                    "a marker lies there"
                } else if self.components.spaces[space].row < row {
                    "nobody goes back"
                } else {
                    "no line leads there without passing a row of four"
                };
                ballot.refuse(Action::Advance(space), rule!("4.4"), format_args!("{why}"));
            }
        }
    }

    pub(super) fn advance(
        &self,
        p: &mut Position,
        army: Army,
        space: Space,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.board[space] = Some(army);
        p.open.envoy[army] = Some(space);
        if let Some(Step::Advance { left, .. }) = p.open.agenda.now_mut() {
            *left -= 1;
        }
        if umpire.writes() {
            let who = self.components.army(army);
            let gain = self.parts_words(&self.components.spaces[space].parts, None);
            umpire.note(
                Readers::ALL,
                rule!("4.4"),
                format_args!("{who} moves on the diplomacy board: {gain}"),
            );
            umpire.cite(rule!("4.5"));
        }
        p.open.agenda.push(Step::Deed(Deed::new(army, Source::Space(space), None)));
    }

    pub(super) fn advancing(&self, p: &mut Position, army: Army, left: u8) -> bool {
        if left > 0 && self.reachable(&p.open, army).any() {
            return true;
        }
        p.open.agenda.pop();
        false
    }
}
