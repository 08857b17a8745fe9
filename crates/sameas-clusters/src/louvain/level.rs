//! One level of Louvain's method: nodes, and the edges between them.

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

/// Edges from one node to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeLink {
    from: u32,
    pub(super) to: u32,
    pub(super) sum: SignedSum,
}

/// Nodes with their edges.
pub(super) struct Level {
    /// The edges of each node, by node, both ways and each pair of nodes once; those within a node twice.
    links: Vec<NodeLink>,
    /// Where the edges of each node begin, and their number.
    starts: Vec<usize>,
    /// The sum of each node's edges.
    pub(super) degrees: Vec<SignedSum>,
    /// The sum of all degrees.
    pub(super) total: SignedSum,
}

impl Level {
    /// The level of these edges, in any order, with their units; their nodes are numbered from 0.
    pub(super) fn new(nodes: usize, edges: impl Iterator<Item = ([u32; 2], i64)>) -> Self {
        let both = edges.flat_map(|([a, b], units)| {
            let sum = SignedSum::new(units);
            [NodeLink { from: a, to: b, sum }, NodeLink { from: b, to: a, sum }]
        });
        Self::from_links(nodes, both.collect())
    }

    /// The level whose nodes are the communities of this one.
    pub(super) fn condensed(&self, community_of: &[u32], communities: usize) -> Self {
        let community = |node: u32| community_of[node as usize];
        let moved = |link: &NodeLink| NodeLink { from: community(link.from), to: community(link.to), sum: link.sum };
        Self::from_links(communities, self.links.iter().map(moved).collect())
    }

    fn from_links(nodes: usize, mut links: Vec<NodeLink>) -> Self {
        links.sort_unstable_by_key(|link| [link.from, link.to]);
        links.dedup_by(|link, kept| {
            let is_same = [link.from, link.to] == [kept.from, kept.to];
            if is_same {
                kept.sum += link.sum;
            }
            is_same
        });
        let (mut degrees, mut total) = (vec![SignedSum::default(); nodes], SignedSum::default());
        for link in &links {
            degrees[link.from as usize] += link.sum;
            total += link.sum;
        }
        let starts = (0..=nodes).map(|node| links.partition_point(|link| (link.from as usize) < node)).collect();
        Self { links, starts, degrees, total }
    }

    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.degrees.len()
    }

    /// The edges of a node to others.
    pub(super) fn links(&self, node: usize) -> impl Iterator<Item = &NodeLink> {
        self.links[self.starts[node]..self.starts[node + 1]].iter().filter(move |link| link.to as usize != node)
    }
}
