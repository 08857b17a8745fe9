//! Nodes go to the communities where the modularity becomes largest.

use std::collections::{BTreeMap, BTreeSet};

use super::level::{Level, SignedSum};

/// A move must add more than this share of all weights.
const LEAST_GAIN: f64 = 1.0 / (1_u64 << 40) as f64;

/// The community of each node, by the number of the node that began it; nothing where no node moves.
pub(super) fn communities(level: &Level) -> Option<Vec<u32>> {
    let mut moves = Moves::new(level);
    let mut has_moved = false;
    loop {
        let moved = (0..level.nodes()).filter(|node| moves.move_node(*node)).count();
        if moved == 0 {
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
            least_gain: (level.total.positive + level.total.negative) as f64 * LEAST_GAIN,
        }
    }

    /// Moves a node where it adds most; says whether that is another place.
    fn move_node(&mut self, node: usize) -> bool {
        let near = self.near(node);
        let own = self.community_of[node];
        self.degrees[own as usize] -= self.level.degrees[node];
        self.sizes[own as usize] -= 1;
        let best = self.best(node, own, &near);
        self.degrees[best as usize] += self.level.degrees[node];
        self.sizes[best as usize] += 1;
        self.community_of[node] = best;
        if self.sizes[own as usize] == 0 {
            self.empty.insert(own);
        }
        self.empty.remove(&best);
        best != own
    }

    /// The edges of a node to each community.
    fn near(&self, node: usize) -> BTreeMap<u32, SignedSum> {
        let mut near: BTreeMap<u32, SignedSum> = BTreeMap::new();
        for link in self.level.links(node) {
            *near.entry(self.community_of[link.to as usize]).or_default() += link.sum;
        }
        near
    }

    /// The community where a node adds most, once it has left its own.
    fn best(&self, node: usize, own: u32, near: &BTreeMap<u32, SignedSum>) -> u32 {
        let gain = |community, sum| self.gain(node, community, sum);
        let mut best = (own, gain(own, near.get(&own).copied().unwrap_or_default()));
        for (community, sum) in near.iter().filter(|(community, _)| **community != own) {
            let gain = gain(*community, *sum);
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
    fn gain(&self, node: usize, community: u32, sum: SignedSum) -> f64 {
        let (own, theirs, total) = (self.level.degrees[node], self.degrees[community as usize], self.level.total);
        let by_chance = |own: i128, theirs: i128, total: i128| match total {
            0 => 0.0,
            total => own as f64 * theirs as f64 / total as f64,
        };
        (sum.positive - sum.negative) as f64 - by_chance(own.positive, theirs.positive, total.positive)
            + by_chance(own.negative, theirs.negative, total.negative)
    }
}
