//! Armies [2.0]: blocks stand upright, and what their moves, losses and battles tell all the same.

use table::{Id, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::data::{BOTH, Block, Mark, Place, SLOW, Town};
use crate::position::{Position, Step, TableRules};
use crate::words::{counted, listed};

impl CrusaderRex {
    /// The hidden blocks that others cannot tell from this one by its place.
    #[inline]
    fn cell(&self, p: &Position, b: Block) -> Set<Block> {
        let (Place::Town(t), false) = (p.place[b], p.marched.has(b)) else {
            // A block on a forced march bears a die [opt.forced-marches].
            return Set::one(b);
        };
        // Who is under way has not arrived.
        let passing = p.marched | p.march.under_way.without(b);
        let all = (p.here[t] & self.of(self.owner(b))) - p.open.shown - passing;
        if p.inside.has(b) { all & p.inside } else { all - p.inside }
    }

    /// The blocks of which everybody knows this one, on the map, to be.
    #[inline]
    pub(crate) fn among(&self, p: &Position, b: Block) -> Set<Block> {
        match (p.open.known.has(b) || p.open.shown.has(b), p.guess[b]) {
            (true, _) => Set::one(b),
            (false, Some(guess)) => p.guesses[guess],
            (false, None) => self.began_in(p.origin[b]),
        }
    }

    /// Those who could begin in a town.
    #[inline]
    pub(crate) fn began_in(&self, origin: Option<Town>) -> Set<Block> {
        origin.map_or(Set::all(), |town| self.components.beginnings[town])
    }

    /// Everybody knows that a hidden block is one of these.
    pub(crate) fn know_among(&self, p: &mut Position, b: Block, among: Set<Block>) {
        if p.open.known.has(b) || p.open.shown.has(b) || among == self.began_in(p.origin[b]) {
            p.guess[b] = None;
        } else {
            p.guess_among(b, among);
        }
    }

    /// Nothing tells these hidden blocks apart any more: each may be any that one of them could be, and if all began in
    /// the same town, all still did.
    pub(crate) fn confuse(&self, p: &mut Position, blocks: Set<Block>) {
        let side = blocks.first().map_or(Set::NONE, |b| self.of(self.owner(b)));
        let mut among = Set::NONE;
        for b in blocks {
            among |= self.among(p, b);
        }
        if side.within(among) {
            among = Set::all();
        }
        p.open.known -= blocks;
        let first = blocks.first().and_then(|b| p.origin[b]);
        let parted = blocks.iter().any(|b| p.origin[b] != first);
        for b in blocks {
            if parted {
                p.origin[b] = None;
            }
            self.know_among(p, b, among);
        }
    }

    /// Who has gone farther in one march than the slower blocks can is none of them. Forced marches carry anybody so far.
    pub(crate) fn rule_out_slow(&self, p: &mut Position) {
        for b in Block::all() {
            if let Some(fast) = self.so_far(&p.open.table, p.left[b], p.place[b]) {
                let among = self.among(p, b) & fast;
                self.know_among(p, b, among);
            }
        }
    }

    /// The blocks that can march from one place to another in one phase, where not everybody can.
    pub(crate) fn so_far(&self, table: &TableRules, left: Option<Town>, place: Place) -> Option<Set<Block>> {
        let (Some(from), Place::Town(to), false) = (left, place, table.forced_marches) else { return None };
        let roads = self.components.roads_between[from][to]?;
        (roads > SLOW).then_some(self.components.fast)
    }

    /// A block leaves its place. A face-up block is followed; a hidden one that leaves company takes
    /// with it what was known of all of them.
    pub(crate) fn depart(&self, p: &mut Position, b: Block) {
        let cell = self.cell(p, b);
        if p.open.shown.has(b) {
            p.open.shown.remove(b);
            p.open.known.insert(b);
            p.open.seen[b] = Some(p.strength[b]);
        } else if cell != Set::one(b) {
            self.confuse(p, cell);
            p.mark[b] = None;
        }
        if let Place::Town(from) = p.place[b] {
            p.here[from].remove(b);
        }
        p.inside.remove(b);
        if let Some(rest) = cell.without(b).single() {
            self.give_mark(p, rest);
        }
    }

    /// A block comes to its new place.
    pub(crate) fn arrive(&self, p: &mut Position, b: Block) {
        let cell = self.cell(p, b);
        if cell == Set::one(b) {
            self.give_mark(p, b);
        } else {
            for member in cell {
                p.mark[member] = None;
            }
        }
    }

    /// A hidden block that is alone can be followed: it gets the lowest mark that is free. While a side moves
    /// nobody gets one, so that marks do not tell in which order it moved.
    fn give_mark(&self, p: &mut Position, b: Block) {
        if p.mark[b].is_some() {
            return;
        }
        if matches!(p.open.agenda.now(), Some(Step::Moves { .. })) {
            p.march.unmarked.insert(b);
            return;
        }
        let taken: Set<Mark> = self.of(self.owner(b)).iter().filter_map(|other| p.mark[other]).collect();
        p.mark[b] = (Set::all() - taken).first();
    }

    /// Marks all lone blocks, after a set-up.
    pub(crate) fn give_all_marks(&self, p: &mut Position) {
        for t in Town::all() {
            self.mark_lone(p, t);
        }
    }

    /// Marks who has come to stand alone while a side moved, by place.
    pub(crate) fn mark_movers(&self, p: &mut Position) {
        let unmarked = std::mem::take(&mut p.march.unmarked);
        let mut movers: arrayvec::ArrayVec<_, { Block::COUNT }> =
            unmarked.iter().map(|b| (p.place[b], p.inside.has(b), b)).collect();
        movers.sort_unstable();
        for (_, _, b) in movers {
            if !p.open.shown.has(b) && self.cell(p, b) == Set::one(b) {
                self.give_mark(p, b);
            }
        }
    }

    /// Marks who is alone in a town, in the field or in the castle, and nobody else. Marks are given by place
    /// and not by block, so that their order tells nothing.
    pub(crate) fn mark_lone(&self, p: &mut Position, t: Town) {
        let hidden = p.here[t] - p.open.shown - p.marched - p.march.under_way;
        let cells = BOTH.map(|seat| hidden & self.of(seat)).map(|cell| [cell - p.inside, cell & p.inside]);
        for crowd in cells.as_flattened().iter().filter(|cell| cell.len() > 1) {
            for b in *crowd {
                p.mark[b] = None;
            }
        }
        for cell in cells.as_flattened() {
            if let Some(b) = cell.single() {
                self.give_mark(p, b);
            }
        }
    }

    /// Everybody sees a lone block of which everybody knows gain or lose a step.
    pub(crate) fn see_steps(&self, p: &mut Position, b: Block) {
        if p.open.known.has(b) && self.cell(p, b) == Set::one(b) {
            p.open.seen[b] = Some(p.strength[b]);
        }
    }

    /// A block loses a step; whether it is eliminated by it.
    pub(crate) fn lose_step(&self, p: &mut Position, b: Block, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        p.strength[b] -= 1;
        if p.strength[b] > 0 {
            self.see_steps(p, b);
            umpire.cite(rule!("2.0"));
            return false;
        }
        self.eliminate(p, b, false, umpire);
        true
    }

    /// A block is eliminated: for good, or face-up (in winter face-down) into the draw pool [6.34, 8.3].
    pub(crate) fn eliminate(
        &self,
        p: &mut Position,
        b: Block,
        face_down: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let permanent = self.components.permanent.has(b);
        let cell = self.cell(p, b);
        // Even who is not shown is now known to be no one who never comes back.
        umpire.reveal(Readers::ALL);
        let name = self.components.block_name(b);
        if face_down && !permanent && !p.open.shown.has(b) {
            // Nobody sees which one: any of them may be the one that is gone.
            self.confuse(p, cell);
            let mortal = self.of(self.owner(b)) - self.components.permanent;
            p.open.board -= mortal - p.open.shown - p.open.known;
        } else if face_down && !permanent {
            p.open.seen[b] = None;
            p.open.board.remove(b);
            p.open.pooled.insert(b);
            umpire.note(Readers::ALL, rule!("8.3"), format_args!("{name} goes back into the draw pool"));
        } else {
            p.open.seen[b] = None;
            p.open.board.remove(b);
            if umpire.writes() {
                let fate = if permanent { "lost for good" } else { "eliminated" };
                umpire.tell(Readers::ALL, rule!("6.34"), format_args!("{name} is {fate}"), &|| {
                    p.town(b).map(|t| self.fall(self.owner(b), t)).into_iter().collect()
                });
            }
        }
        self.take_off(p, b);
        let from = p.town(b);
        p.place[b] = match (permanent, face_down) {
            (true, _) => Place::Gone,
            (false, true) => Place::Pool,
            (false, false) => Place::Dead,
        };
        if let Some(rest) = cell.without(b).single() {
            self.give_mark(p, rest);
        }
        if let Some(from) = from {
            self.lift_siege(p, from, umpire);
        }
    }

    /// Nothing that belongs to the map stays with a block that is taken off it.
    fn take_off(&self, p: &mut Position, b: Block) {
        if let Place::Town(t) = p.place[b] {
            p.here[t].remove(b);
        }
        for set in [
            &mut p.inside,
            &mut p.second,
            &mut p.third,
            &mut p.open.shown,
            &mut p.open.known,
            &mut p.moved,
            &mut p.marched,
            &mut p.landed,
            &mut p.secret[self.owner(b)].picked,
        ] {
            set.remove(b);
        }
        if let Some(battle) = &mut p.open.battle {
            battle.stormers.remove(b);
            battle.sallied.remove(b);
            battle.half = battle.half.filter(|half| *half != b);
        }
        p.strength[b] = 0;
        p.mark[b] = None;
        p.via[b] = None;
        p.left[b] = None;
        p.origin[b] = None;
        p.guess[b] = None;
    }

    /// Blocks are turned face-up for all to see.
    pub(crate) fn show(&self, p: &mut Position, blocks: Set<Block>, umpire: &mut (impl Umpire + ?Sized)) {
        let fresh = blocks - p.open.shown;
        if fresh.is_empty() {
            return;
        }
        self.turn_up(p, fresh);
        umpire.reveal(Readers::ALL);
        umpire.cite(rule!("2.0"));
        if umpire.writes() {
            for seat in BOTH {
                let names: Vec<_> = (fresh & self.of(seat))
                    .iter()
                    .map(|b| {
                        let steps = counted(p.strength[b], "step", "steps");
                        format!("{} ({steps})", self.components.block_name(b))
                    })
                    .collect();
                if !names.is_empty() {
                    let (who, names) = (self.title_of(seat), listed(&names));
                    umpire.note(Readers::ALL, rule!("6.0"), format_args!("The {who} show {names}"));
                }
            }
        }
    }

    /// These hidden blocks lie face-up from now on.
    pub(crate) fn turn_up(&self, p: &mut Position, fresh: Set<Block>) {
        p.open.shown |= fresh;
        p.open.known -= fresh;
        p.open.board |= fresh;
        for b in fresh {
            p.mark[b] = None;
            p.guess[b] = None;
        }
        // Those who stay hidden beside them may now be alone.
        for b in fresh {
            let Some(t) = p.town(b) else { continue };
            let mates = (p.here[t] & self.of(self.owner(b))) - p.open.shown;
            for rest in [mates & p.inside, mates - p.inside] {
                if let Some(rest) = rest.single() {
                    self.give_mark(p, rest);
                }
            }
        }
    }

    /// Face-up blocks in a town stand up again, but for those that are kept so; everybody remembers them.
    pub(crate) fn hide(&self, p: &mut Position, t: Town, kept: Set<Block>) {
        let shown = (p.here[t] & p.open.shown) - kept;
        p.open.shown -= shown;
        p.open.known |= shown;
        for b in shown {
            p.open.seen[b] = Some(p.strength[b]);
        }
        self.mark_lone(p, t);
    }

    /// What everybody may call a block: its name while it lies face-up.
    pub(super) fn name_for_all(&self, p: &Position, b: Block) -> &str {
        if p.open.shown.has(b) { self.components.block_name(b) } else { "A block" }
    }

    /// The name of a side in the journal.
    pub(crate) fn title_of(&self, seat: Seat) -> &'static str {
        if seat == crate::data::FRANK { "Franks" } else { "Saracens" }
    }
}
