//! Clusterings by their plain definitions, for small graphs: sets of rows, and everything counted again each time.
//!
//! Weights are whole quarters, so that every sum is exact.

mod bridges;
mod constraints;
mod linkage;
mod louvain;
mod optimal;
mod partition;

use partition::{components, decided_groups};

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
    fn key(&self) -> (Strength, bool, i64, usize, [usize; 2]) {
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

/// The clusters of a case; nothing where decisions contradict each other or a limit.
pub fn clusters(case: &ClusterCase) -> Option<PlainClusters> {
    let (edges, mut cut) = ordered_edges(case);
    if constraints::contradict(case, &edges) {
        return None;
    }
    let mut labels = components(case.rows, &edges);
    for component in partition::sets(&labels) {
        let own: Vec<WeightedEdge> = edges.iter().filter(|edge| component.contains(&edge.rows[0])).copied().collect();
        by_method(case, &component, &own, &mut labels)?;
    }
    cut.extend(between(&edges, &labels).map(|edge| (edge.rows, Cause::Method)));
    let within = |labels: &[usize]| -> Vec<WeightedEdge> {
        edges.iter().filter(|edge| labels[edge.rows[0]] == labels[edge.rows[1]]).copied().collect()
    };
    let (constrained, refused) = constraints::constrain(case, &within(&labels), &labels);
    cut.extend(refused);
    labels = constrained;
    if let Some(density) = case.density {
        let edges = within(&labels);
        labels = bridges::split(case.rows, &edges, density);
        cut.extend(between(&edges, &labels).map(|edge| (edge.rows, Cause::Bridge)));
    }
    cut.sort_unstable();
    Some(PlainClusters { first_rows: labels, cut })
}

/// The edges that count, the strongest first and each pair once, and those that decisions cut.
fn ordered_edges(case: &ClusterCase) -> (Vec<WeightedEdge>, Vec<([usize; 2], Cause)>) {
    let reaches = |edge: &WeightedEdge| match (edge.strength, case.threshold) {
        (Strength::Other, Some(threshold)) => edge.quarters.is_some_and(|quarters| quarters >= threshold),
        _ => true,
    };
    let mut sorted: Vec<WeightedEdge> =
        case.edges.iter().filter(|edge| edge.rows[0] != edge.rows[1] && reaches(edge)).copied().collect();
    sorted.sort_by_key(WeightedEdge::key);
    let (mut edges, mut cut): (Vec<WeightedEdge>, Vec<([usize; 2], Cause)>) = (Vec::new(), Vec::new());
    for edge in sorted {
        if edges.iter().any(|earlier| earlier.rows == edge.rows) || cut.iter().any(|(rows, _)| *rows == edge.rows) {
            continue;
        }
        let is_apart = case.apart.iter().any(|pair| constraints::ascending(*pair) == edge.rows);
        match is_apart && edge.strength != Strength::Decided {
            true => cut.push((edge.rows, Cause::Apart(edge.rows))),
            false => edges.push(edge),
        }
    }
    (edges, cut)
}

/// The edges between clusters.
fn between<'a>(edges: &'a [WeightedEdge], labels: &'a [usize]) -> impl Iterator<Item = &'a WeightedEdge> {
    edges.iter().filter(|edge| labels[edge.rows[0]] != labels[edge.rows[1]])
}

/// Divides one component; nothing where decisions hold records of one source together that are to be in pairs.
fn by_method(case: &ClusterCase, component: &[usize], edges: &[WeightedEdge], labels: &mut [usize]) -> Option<()> {
    if component.len() == 1 {
        return Some(());
    }
    let groups = decided_groups(component, edges);
    let counted = Counted::new(edges);
    let clusters = match case.method {
        Method::Components => return Some(()),
        Method::Optimal => optimal::pairs(&case.sources, component, edges, &counted, groups)?,
        Method::Average(threshold) => linkage::unite(groups, |a, b| linkage::average(a, b, edges, &counted), threshold),
        Method::Complete(threshold) => linkage::unite(groups, |a, b| linkage::least(a, b, edges, &counted), threshold),
        Method::Louvain => louvain::communities(component, edges, &counted, groups),
    };
    partition::label(&clusters, labels);
    Some(())
}

/// What edges count in sums, in quarters.
struct Counted {
    certain: i64,
    other: i64,
}

impl Counted {
    fn new(edges: &[WeightedEdge]) -> Self {
        let weights = || edges.iter().filter_map(|edge| edge.quarters);
        Self { certain: weights().max().unwrap_or(4).max(4), other: weights().min().unwrap_or(4) }
    }

    fn quarters(&self, edge: &WeightedEdge) -> i64 {
        let missing = if edge.strength == Strength::Other { self.other } else { self.certain };
        edge.quarters.unwrap_or(missing)
    }
}

#[cfg(test)]
mod tests;
