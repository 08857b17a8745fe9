//! Nodes go to the communities where the modularity becomes largest.

use std::collections::BTreeSet;

use super::level::{CommunitySums, Level, SignedSum};
use crate::work_memory::WorkMemory;

/// A move must add more than this share of all weights.
const LEAST_GAIN: f64 = 1.0 / (1_u64 << 40) as f64;

/// Nodes between two looks at whether moves are still wanted.
const NODES_AT_A_TIME: usize = 1 << 12;

/// Bytes for each node: its community, the degrees and sizes of communities, those that are empty, and sums for each.
pub(super) const BYTES_OF_NODE: usize =
    2 * size_of::<u32>() + size_of::<SignedSum>() + 3 * size_of::<usize>() + CommunitySums::BYTES_OF_COMMUNITY;

/// The community of each node, by the number of the node that began it; nothing where no node moves.
pub(super) fn communities(level: &Level, memory: &WorkMemory<'_>) -> Option<Vec<u32>> {
    let mut moves = Moves::new(level);
    let mut has_moved = false;
    loop {
        let mut moved = false;
        for node in 0..level.nodes() {
            if node % NODES_AT_A_TIME == NODES_AT_A_TIME - 1 {
                memory.check();
            }
            moved |= moves.move_node(node);
        }
        if !moved {
            return has_moved.then_some(moves.community_of);
        }
        has_moved = true;
    }
}

struct Moves<'a> {
    level: &'a Level,
    community_of: Vec<u32>,
    /// The degrees of the nodes of each community.
    degrees: Vec<SignedSum>,
    /// How many nodes each community has.
    sizes: Vec<u32>,
    /// Communities without a node.
    empty: BTreeSet<u32>,
    /// The edges of a node to each community.
    near: CommunitySums,
    least_gain: f64,
}

impl<'a> Moves<'a> {
    fn new(level: &'a Level) -> Self {
        let nodes = level.nodes();
        Self {
            level,
            community_of: (0..nodes as u32).collect(),
            degrees: level.degrees.clone(),
            sizes: vec![1; nodes],
            empty: BTreeSet::new(),
            near: CommunitySums::new(nodes),
            least_gain: (level.total.positive + level.total.negative) as f64 * LEAST_GAIN,
        }
    }

    /// Moves a node where it adds most; says whether that is another place.
    fn move_node(&mut self, node: usize) -> bool {
        self.level.add_edges(node, &self.community_of, &mut self.near);
        // Of equals the lowest number comes first.
        self.near.sort();
        let own = self.community_of[node];
        self.degrees[own as usize] -= self.level.degrees[node];
        self.sizes[own as usize] -= 1;
        let best = self.best(node, own);
        self.near.clear();
        self.degrees[best as usize] += self.level.degrees[node];
        self.sizes[best as usize] += 1;
        self.community_of[node] = best;
        if best != own {
            self.empty.remove(&best);
            if self.sizes[own as usize] == 0 {
                self.empty.insert(own);
            }
        }
        best != own
    }

    /// The community where a node adds most, once it has left its own.
    fn best(&self, node: usize, own: u32) -> u32 {
        let gain = |community: u32| self.gain(node, community, self.near.sum(community));
        let mut best = (own, gain(own));
        for community in self.near.communities().iter().filter(|community| **community != own) {
            let gain = gain(*community);
            if gain > best.1 + self.least_gain {
                best = (*community, gain);
            }
        }
        // Where it has left nobody, its own community is as good as any other without nodes.
        let alone = self.empty.first().filter(|_| self.sizes[own as usize] > 0);
        match alone {
            Some(alone) if best.1 < -self.least_gain => *alone,
            _ => best.0,
        }
    }

    /// What a node adds to the modularity in a community that it is not in, with its edges to it.
    fn gain(&self, node: usize, community: u32, edges: i128) -> f64 {
        let (own, theirs, total) = (self.level.degrees[node], self.degrees[community as usize], self.level.total);
        let by_chance = |own: i128, theirs: i128, total: i128| match total {
            0 => 0.0,
            total => own as f64 * theirs as f64 / total as f64,
        };
        edges as f64 - by_chance(own.positive, theirs.positive, total.positive)
            + by_chance(own.negative, theirs.negative, total.negative)
    }
}
