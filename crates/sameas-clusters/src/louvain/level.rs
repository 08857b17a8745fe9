//! One level of Louvain's method: nodes, and the edges between them.

use sameas_core::numbering::ByNumber;

/// The sums of positive and of negative weights, in units; both are numbers above 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SignedSum {
    pub(super) positive: i128,
    pub(super) negative: i128,
}

impl SignedSum {
    fn new(units: i64) -> Self {
        let units = i128::from(units);
        Self { positive: units.max(0), negative: (-units).max(0) }
    }
}

impl std::ops::AddAssign for SignedSum {
    fn add_assign(&mut self, other: Self) {
        self.positive += other.positive;
        self.negative += other.negative;
    }
}

impl std::ops::SubAssign for SignedSum {
    fn sub_assign(&mut self, other: Self) {
        self.positive -= other.positive;
        self.negative -= other.negative;
    }
}

/// Nodes with their edges to others.
pub(super) struct Level {
    /// Where the edges of each node begin, and their number.
    starts: Vec<usize>,
    /// The other end of each edge, which is here for both of its ends, and its weight in units. Edges may repeat.
    ends: Vec<u32>,
    weights: Vec<i128>,
    /// The sum of each node's edges; those within a node count twice.
    pub(super) degrees: Vec<SignedSum>,
    /// The sum of all degrees.
    pub(super) total: SignedSum,
}

impl Level {
    /// Bytes for each edge of the first level, in the two levels that there are at a time.
    pub(super) const BYTES_OF_EDGE: usize = 2 * 2 * (size_of::<u32>() + size_of::<i128>());

    /// Bytes for each node of the first level in the two levels, and while the second is made.
    pub(super) const BYTES_OF_NODE: usize =
        2 * (2 * size_of::<usize>() + size_of::<SignedSum>()) + CommunitySums::BYTES_OF_COMMUNITY;

    /// The level of these edges, with their units; its nodes are numbered from 0.
    pub(super) fn new(nodes: usize, edges: impl Iterator<Item = ([u32; 2], i64)> + Clone) -> Self {
        let (mut starts, mut degrees) = (vec![0_usize; nodes + 1], vec![SignedSum::default(); nodes]);
        for ([a, b], units) in edges.clone() {
            for node in [a, b] {
                degrees[node as usize] += SignedSum::new(units);
                starts[node as usize + 1] += usize::from(a != b);
            }
        }
        (0..nodes).for_each(|node| starts[node + 1] += starts[node]);
        let (mut ends, mut weights) = (vec![0; starts[nodes]], vec![0; starts[nodes]]);
        let mut next = starts.clone();
        for ([a, b], units) in edges.filter(|([a, b], _)| a != b) {
            for [from, to] in [[a, b], [b, a]] {
                let place = &mut next[from as usize];
                (ends[*place], weights[*place]) = (to, i128::from(units));
                *place += 1;
            }
        }
        Self { starts, ends, weights, total: total_of(&degrees), degrees }
    }

    /// The level whose nodes are the communities of this one.
    pub(super) fn condensed(&self, community_of: &[u32], communities: usize) -> Self {
        let nodes = (0..self.nodes()).map(|node| (community_of[node] as usize, node as u32));
        let members = ByNumber::new(nodes, communities);
        let mut degrees = vec![SignedSum::default(); communities];
        let (mut ends, mut weights) = (Vec::with_capacity(self.ends.len()), Vec::with_capacity(self.ends.len()));
        let (mut starts, mut sums) = (Vec::with_capacity(communities + 1), CommunitySums::new(communities));
        starts.push(0);
        for (community, degree) in degrees.iter_mut().enumerate() {
            for node in members.list(community).iter().map(|node| *node as usize) {
                *degree += self.degrees[node];
                self.add_edges(node, community_of, &mut sums);
            }
            for other in sums.communities().iter().filter(|other| **other as usize != community) {
                ends.push(*other);
                weights.push(sums.sum(*other));
            }
            starts.push(ends.len());
            sums.clear();
        }
        Self { starts, ends, weights, total: self.total, degrees }
    }

    /// Adds the edges of a node to others to the sums of their communities.
    pub(super) fn add_edges(&self, node: usize, community_of: &[u32], sums: &mut CommunitySums) {
        let edges = self.starts[node]..self.starts[node + 1];
        for (end, weight) in self.ends[edges.clone()].iter().zip(&self.weights[edges]) {
            sums.add(community_of[*end as usize], *weight);
        }
    }

    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.degrees.len()
    }
}

fn total_of(degrees: &[SignedSum]) -> SignedSum {
    let mut total = SignedSum::default();
    degrees.iter().for_each(|degree| total += *degree);
    total
}

/// The edges to each of some communities, in units.
pub(super) struct CommunitySums {
    of_community: Vec<i128>,
    is_known: Vec<bool>,
    known: Vec<u32>,
}

impl CommunitySums {
    /// Bytes for each community that there may be.
    pub(super) const BYTES_OF_COMMUNITY: usize = size_of::<i128>() + size_of::<bool>() + 2 * size_of::<u32>();

    pub(super) fn new(communities: usize) -> Self {
        Self { of_community: vec![0; communities], is_known: vec![false; communities], known: Vec::new() }
    }

    fn add(&mut self, community: u32, units: i128) {
        if !std::mem::replace(&mut self.is_known[community as usize], true) {
            self.known.push(community);
        }
        self.of_community[community as usize] += units;
    }

    /// The communities to which there are edges.
    pub(super) fn communities(&self) -> &[u32] {
        &self.known
    }

    /// Puts them in order by their numbers.
    pub(super) fn sort(&mut self) {
        self.known.sort_unstable();
    }

    /// The edges to a community, which may be none.
    pub(super) fn sum(&self, community: u32) -> i128 {
        self.of_community[community as usize]
    }

    /// Forgets all edges.
    pub(super) fn clear(&mut self) {
        for community in self.known.drain(..) {
            self.of_community[community as usize] = 0;
            self.is_known[community as usize] = false;
        }
    }
}
