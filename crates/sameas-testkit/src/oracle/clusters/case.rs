//! A graph, what is asked about it, and what clusters of it are.

/// What says that two rows belong together, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// A decision.
    Decided,
    /// A certain rule.
    Certain,
    /// Any other rule.
    Other,
}

/// Two rows, the lower one first, and how strongly they belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedEdge {
    /// The rows.
    pub rows: [usize; 2],
    /// What says it.
    pub strength: Strength,
    /// The weight in quarters, if it has one.
    pub quarters: Option<i64>,
    /// The number of the rule.
    pub rule: usize,
}

impl WeightedEdge {
    /// The total order of edges, the strongest first.
    pub(super) fn key(&self) -> (Strength, bool, i64, usize, [usize; 2]) {
        (self.strength, self.quarters.is_none(), -self.quarters.unwrap_or(0), self.rule, self.rows)
    }
}

/// How clusters are made; thresholds are in quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Connected components.
    Components,
    /// Pairs of two sources with the largest sum.
    Optimal,
    /// Average linkage.
    Average(i64),
    /// Complete linkage.
    Complete(i64),
    /// Louvain's method.
    Louvain,
}

/// A number of records of each value, or of values, that no cluster exceeds.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The value of each row, if it has one.
    pub values: Vec<Option<u32>>,
    /// The most that there may be.
    pub most: usize,
    /// Whether different values are counted, and not records of each.
    pub counts_values: bool,
    /// Whether it is about sources.
    pub is_of_sources: bool,
}

/// A graph, and what is asked about it.
#[derive(Clone, Debug)]
pub struct ClusterCase {
    /// How many rows there are.
    pub rows: usize,
    /// Edges in any order, with repetitions.
    pub edges: Vec<WeightedEdge>,
    /// The least weight of an edge that counts, in quarters.
    pub threshold: Option<i64>,
    /// The method.
    pub method: Method,
    /// The most records of a cluster.
    pub max_size: Option<usize>,
    /// Forbidden pairs, in any order.
    pub forbidden: Vec<[usize; 2]>,
    /// Pairs that are decided to be different.
    pub apart: Vec<[usize; 2]>,
    /// The source of each row.
    pub sources: Vec<usize>,
    /// Limits, that of sources first.
    pub limits: Vec<Limit>,
    /// The density of parts at bridges, in quarters.
    pub density: Option<i64>,
}

/// Why an edge is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// By the method.
    Method,
    /// Too many records.
    MaxSize,
    /// This pair is decided to be different.
    Apart([usize; 2]),
    /// This pair is forbidden.
    Forbidden([usize; 2]),
    /// The limit with this number, by this value.
    Limit(usize, u32),
    /// A bridge.
    Bridge,
}

/// Clusters, and the edges between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainClusters {
    /// The first row of each row's cluster.
    pub first_rows: Vec<usize>,
    /// Edges that are cut, by their rows.
    pub cut: Vec<([usize; 2], Cause)>,
}
