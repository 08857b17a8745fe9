//! Clusterings by their plain definitions, for small graphs: sets of rows, and everything counted again each time.
//!
//! Weights are whole quarters, so that every sum is exact.

mod bridges;
mod case;
mod constraints;
mod counted;
mod linkage;
mod louvain;
mod optimal;
mod partition;

pub use case::{Cause, ClusterCase, Limit, Method, PlainClusters, Strength, WeightedEdge};

use counted::Counted;
use partition::{components, decided_groups};

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

#[cfg(test)]
mod tests;
