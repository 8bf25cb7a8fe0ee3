//! The walks: one iteration after another down the tree and back.

use table::{Lots, MOST_SEATS, Seat, SeatSet, Silent, Thought};

use super::tree::{ROOT, Tree};
use super::{Budget, Settings};
use crate::clock::Clock;

/// No walk takes more steps than this in the tree.
const DEEPEST: usize = 400;
/// No tree grows beyond so many nodes.
const MOST_NODES: usize = 2_000_000;
/// How many iterations pass between two looks at the clock, or at whether thinking on can change anything.
const PAUSE: u32 = 32;
/// The key of the node where others decide at the same time as the thinker.
const BESIDE: u64 = 0x6265_7369_6465;

/// One thread of a search: its tree and its buffers.
#[derive(Debug)]
pub(super) struct Walker {
    settings: Settings,
    tree: Tree,
    /// Where in the tree the thinker stands: not at the root, once the tree is used again.
    here: u32,
    /// The keys of his choices there.
    choices: Vec<u64>,
    path: Vec<Step>,
    keys: Vec<u64>,
}

/// A step of a walk.
#[derive(Clone, Copy, Debug)]
struct Step {
    node: u32,
    edge: u32,
    seat: Seat,
}

impl Walker {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            tree: Tree::planted(),
            here: ROOT,
            choices: Vec::new(),
            path: Vec::with_capacity(DEEPEST),
            keys: Vec::with_capacity(64),
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.tree.nodes.len()
    }

    /// How often a choice was tried, and the sum of the results.
    pub(super) fn tried(&self, key: u64) -> Option<(u32, f64)> {
        let edge = &self.tree.edges[self.tree.edge(self.here, key)? as usize];
        Some((edge.visits, edge.total))
    }

    /// Walks until the budget is spent or nothing can change any more; how many iterations it made.
    pub(super) fn walk(&mut self, thought: &mut dyn Thought, budget: Budget, start: Clock, seed: u64) -> u32 {
        self.find_place(thought);
        let mut umpire = Silent::new(seed);
        let mut lots = Lots::new(umpire.lots.bits());
        let mut done = 0;
        loop {
            let pause = done % PAUSE == 0;
            let left = match budget {
                Budget::Iterations(all) => all - done,
                Budget::Time(_) if !pause => 1,
                Budget::Time(time) => {
                    let (spent, time) = (start.elapsed().as_secs_f64(), time.as_secs_f64());
                    let left = f64::from(done) * (time - spent) / spent.max(1e-6);
                    if spent >= time && done > 0 { 0 } else { left as u32 + PAUSE }
                }
            };
            if left == 0 || (pause && done > 0 && self.is_settled(left)) {
                return done;
            }
            self.iterate(thought, &mut umpire, &mut lots);
            done += 1;
        }
    }

    /// Goes to where the tree foresaw this view, if it did, or begins anew.
    fn find_place(&mut self, thought: &dyn Thought) {
        let print = thought.print();
        let foresaw = |node: &u32| self.tree.nodes[*node as usize].print == print;
        let next = self.choices.iter().find_map(|key| self.tree.next(self.here, *key).filter(foresaw));
        match next {
            Some(node) if self.tree.nodes.len() < MOST_NODES / 2 => self.here = node,
            _ => {
                self.tree.clear();
                self.here = ROOT;
            }
        }
        self.choices.clear();
        self.choices.extend_from_slice(thought.choices());
    }

    /// Whether so many iterations more cannot change which choice was tried most.
    fn is_settled(&self, left: u32) -> bool {
        let (mut first, mut second) = (0, 0);
        for key in &self.choices {
            let visits = self.tried(*key).map_or(0, |(visits, _)| visits);
            if visits > first {
                (first, second) = (visits, first);
            } else {
                second = second.max(visits);
            }
        }
        first - second > left
    }

    /// Imagines a position; where they are weighed, the likelier of two is likelier to be taken.
    fn imagine(&self, thought: &mut dyn Thought, lots: &mut Lots) {
        thought.imagine(lots);
        if self.settings.weigh > 0.0 {
            let me = thought.seat();
            let before = thought.worth(me);
            thought.keep();
            thought.imagine(lots);
            // What suits the others is what does not suit the thinker.
            let odds = (self.settings.weigh * (before - thought.worth(me))).exp();
            if chance(lots) >= odds / (1.0 + odds) {
                thought.back();
            }
        }
    }

    fn iterate(&mut self, thought: &mut dyn Thought, umpire: &mut Silent, lots: &mut Lots) {
        let me = thought.seat();
        self.imagine(thought, lots);
        self.path.clear();
        let mut decided = false;
        let mut node = self.here;
        for _ in 0..DEEPEST {
            let deciding = thought.deciding();
            // The thinker is the last to choose of those who choose together; what others decide elsewhere can wait.
            let company = if deciding.contains(me) { thought.together(me).both(deciding) } else { deciding };
            let Some(seat) =
                company.without(me).lowest().or_else(|| deciding.both(company.with(me)).lowest())
            else {
                break;
            };
            if !decided {
                if seat == me {
                    node = self.here;
                } else if node == self.here {
                    node = self.tree.next_or_new(node, BESIDE);
                }
            }
            self.keys.clear();
            self.keys.extend_from_slice(thought.list(seat));
            let Some((number, new)) = self.select(node, seat, thought, umpire, lots) else { break };
            let key = if seat == me { self.keys[number] } else { thought.seen(seat, number) };
            thought.play(seat, number, umpire);
            let is_first = seat == me && !decided;
            decided |= seat == me;
            let next = self.tree.next_or_new(node, key);
            if is_first
                && self.tree.nodes[next as usize].print == 0
                && thought.deciding() == SeatSet::only(me)
            {
                self.tree.nodes[next as usize].print = thought.present_print();
            }
            node = next;
            if (new && decided) || self.tree.nodes.len() > MOST_NODES {
                break;
            }
        }
        thought.settle(self.settings.settle, self.settings.beyond, umpire, lots);
        self.learn(thought);
    }

    /// Chooses a move of the last list at a node: its number, and whether it was never tried before.
    fn select(
        &mut self,
        node: u32,
        seat: Seat,
        thought: &mut dyn Thought,
        umpire: &mut Silent,
        lots: &mut Lots,
    ) -> Option<(usize, bool)> {
        let Settings { explore, swing, widen, look, trust, .. } = self.settings;
        match self.keys.len() {
            0 => return None,
            1 => return Some((0, false)),
            _ => {}
        }
        let here = &self.tree.nodes[node as usize];
        let visits = here.visits;
        let explore = explore + swing * here.spread();
        if look > 0 && (visits == look || (visits == 0 && node == self.here)) {
            self.look(node, seat, thought, umpire, lots);
        }
        let mut best = (f32::NEG_INFINITY, 0, 0);
        let (mut open, mut closed) = (0, 0);
        let mut fresh = (f32::NEG_INFINITY, 0);
        for (number, key) in self.keys.iter().enumerate() {
            let edge = self.tree.edge(node, *key);
            let known = edge.map(|edge| (edge, &mut self.tree.edges[edge as usize]));
            match known {
                Some((edge, known)) if known.visits > 0 => {
                    open += 1;
                    known.available += 1;
                    let tried = known.visits as f32;
                    let mean = if known.look < 0.0 {
                        known.total as f32 / tried
                    } else {
                        (known.total as f32 + trust * known.look) / (tried + trust)
                    };
                    let score = mean + explore * ((known.available as f32).ln() / tried).sqrt();
                    if score > best.0 {
                        best = (score, number, edge);
                    }
                }
                other => {
                    closed += 1;
                    // By how they look; those nobody looked at, and equals, by lot.
                    let look = other.map_or(-1.0, |(_, edge)| edge.look);
                    if look > fresh.0 || (look == fresh.0 && lots.below(closed) == 0) {
                        fresh = (look, number);
                    }
                }
            }
        }
        let new = closed > 0
            && (open == 0 || f64::from(open) < f64::from(widen).mul_add(f64::from(visits).sqrt(), 1.0));
        let (number, edge) = if new {
            let edge = self.tree.edge_or_new(node, self.keys[fresh.1]);
            self.tree.edges[edge as usize].available += 1;
            (fresh.1, edge)
        } else {
            (best.1, best.2)
        };
        self.path.push(Step { node, edge, seat });
        Some((number, new))
    }

    /// Looks at every move of the last list one step ahead.
    fn look(
        &mut self,
        node: u32,
        seat: Seat,
        thought: &mut dyn Thought,
        umpire: &mut Silent,
        lots: &mut Lots,
    ) {
        thought.keep();
        for number in 0..self.keys.len() {
            thought.play(seat, number, umpire);
            thought.settle(self.settings.settle, 0, umpire, lots);
            let edge = self.tree.edge_or_new(node, self.keys[number]);
            self.tree.edges[edge as usize].look = thought.worth(seat);
            thought.back();
        }
    }

    /// Tells every edge of the path what came of it.
    fn learn(&mut self, thought: &dyn Thought) {
        let mut worths = [f32::NAN; MOST_SEATS];
        for step in &self.path {
            let worth = &mut worths[step.seat.index()];
            if worth.is_nan() {
                *worth = thought.worth(step.seat);
            }
            let edge = &mut self.tree.edges[step.edge as usize];
            edge.visits += 1;
            edge.total += f64::from(*worth);
            let node = &mut self.tree.nodes[step.node as usize];
            node.visits += 1;
            node.total += f64::from(*worth);
            node.squares += f64::from(*worth) * f64::from(*worth);
        }
    }
}

/// A number from 0 to 1.
fn chance(lots: &mut Lots) -> f32 {
    (lots.bits() >> 40) as f32 / (1u64 << 24) as f32
}
