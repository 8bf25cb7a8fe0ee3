//! The tree: nodes and edges in two pools, found by key.
#![allow(clippy::disallowed_types, reason = "the map is never iterated")]

use rustc_hash::FxHashMap;

/// A node: what the thinker knows after a sequence of actions as he sees them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    pub(super) visits: u32,
    /// The sum of the results for the one who decides, and of their squares.
    pub(super) total: f64,
    pub(super) squares: f64,
    /// The print of the view at the first visit, where the thinker decides next; 0 where it was not taken.
    pub(super) print: u64,
}

impl Node {
    /// How far results lie apart here: their standard deviation, with a few usual ones added.
    #[inline]
    pub(super) fn spread(&self) -> f32 {
        let visits = f64::from(self.visits);
        let mean = self.total / visits.max(1.0);
        let apart = (self.squares - mean * self.total).max(0.0);
        ((apart + USUAL * USUAL * DOUBT) / (visits + DOUBT)).sqrt() as f32
    }
}

/// How far results usually lie apart at a node that nobody knows yet.
const USUAL: f64 = 0.05;
/// As many results as this count against those found.
const DOUBT: f64 = 4.0;

/// An edge: an action at a node, by whoever decides there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub(super) visits: u32,
    /// How often it could have been chosen.
    pub(super) available: u32,
    /// The sum of its results for the one who decides.
    pub(super) total: f64,
    /// How it looked one step ahead; negative if nobody looked.
    pub(super) look: f32,
}

/// The number of the node where a new tree begins.
pub(super) const ROOT: u32 = 0;

/// The pools.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    edge_of: Map,
    node_of: Map,
}

type Map = FxHashMap<(u32, u64), u32>;

impl Tree {
    /// A tree that is only a root.
    pub(super) fn planted() -> Self {
        let mut tree = Self::default();
        tree.clear();
        tree
    }

    /// Forgets everything, keeping the room.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.edge_of.clear();
        self.node_of.clear();
        self.nodes.push(Node::default());
    }

    #[inline]
    pub(super) fn edge(&self, node: u32, key: u64) -> Option<u32> {
        self.edge_of.get(&(node, key)).copied()
    }

    #[inline]
    pub(super) fn edge_or_new(&mut self, node: u32, key: u64) -> u32 {
        let new = self.edges.len() as u32;
        let edge = *self.edge_of.entry((node, key)).or_insert(new);
        if edge == new {
            self.edges.push(Edge { look: -1.0, ..Edge::default() });
        }
        edge
    }

    /// The node after a node, by what the thinker sees.
    #[inline]
    pub(super) fn next(&self, node: u32, key: u64) -> Option<u32> {
        self.node_of.get(&(node, key)).copied()
    }

    #[inline]
    pub(super) fn next_or_new(&mut self, node: u32, key: u64) -> u32 {
        let new = self.nodes.len() as u32;
        let next = *self.node_of.entry((node, key)).or_insert(new);
        if next == new {
            self.nodes.push(Node::default());
        }
        next
    }
}
