//! Constraints: one pass over the edges, in which every pair of rows is looked at again. Why an edge is cut, the clusters say that
//! the pass has left.

use std::collections::{BTreeMap, BTreeSet};

use super::case::{Cause, ClusterCase, Limit, Strength, WeightedEdge};
use super::partition::{components, sets};

/// A pair, the lower row first.
pub(super) fn ascending([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Whether decisions hold together what they keep apart, or what a limit does not allow.
pub(super) fn contradict(case: &ClusterCase, edges: &[WeightedEdge]) -> bool {
    let decided: Vec<WeightedEdge> = edges.iter().filter(|edge| edge.strength == Strength::Decided).copied().collect();
    let labels = components(case.rows, &decided);
    let is_too_large = |set: &Vec<usize>| set.len() > 1 && case.max_size.is_some_and(|most| set.len() > most);
    let breaks = |set: &Vec<usize>| set.len() > 1 && case.limits.iter().any(|limit| broken(limit, set));
    case.apart.iter().any(|[a, b]| a != b && labels[*a] == labels[*b])
        || sets(&labels).iter().any(|set| is_too_large(set) || breaks(set))
}

/// The records of each value.
fn values(limit: &Limit, rows: &[usize]) -> BTreeMap<u32, usize> {
    let mut values = BTreeMap::new();
    for value in rows.iter().filter_map(|row| limit.values[*row]) {
        *values.entry(value).or_insert(0) += 1;
    }
    values
}

fn broken(limit: &Limit, rows: &[usize]) -> bool {
    let values = values(limit, rows);
    match limit.counts_values {
        true => values.len() > limit.most,
        false => values.values().any(|records| *records > limit.most),
    }
}

/// The value by which a limit refuses the union of two clusters, that of the lower row of an edge first.
fn refused_by(limit: &Limit, left: &[usize], right: &[usize]) -> Option<u32> {
    let both = [left, right].concat();
    if !broken(limit, &both) {
        return None;
    }
    match limit.counts_values {
        true => {
            let left: BTreeSet<u32> = values(limit, left).into_keys().collect();
            values(limit, right).into_keys().find(|value| !left.contains(value))
        }
        false => values(limit, &both).into_iter().find(|(_, records)| *records > limit.most).map(|(value, _)| value),
    }
}

/// The clusters that constraints leave of these, and the edges that they cut, each with what refuses the union of its two clusters.
pub(super) fn constrain(
    case: &ClusterCase,
    edges: &[WeightedEdge],
    before: &[usize],
) -> (Vec<usize>, Vec<([usize; 2], Cause)>) {
    if case.max_size.is_none() && case.limits.is_empty() && case.forbidden.is_empty() && case.apart.is_empty() {
        return (before.to_vec(), Vec::new());
    }
    let mut taken: Vec<WeightedEdge> = Vec::new();
    for edge in edges {
        let [left, right] = clusters_of(edge, &components(case.rows, &taken));
        if edge.strength == Strength::Decided || left != right && refusal(case, &left, &right).is_none() {
            taken.push(*edge);
        }
    }
    let labels = components(case.rows, &taken);
    let is_between = |edge: &&WeightedEdge| labels[edge.rows[0]] != labels[edge.rows[1]];
    let cut = edges.iter().filter(is_between).map(|edge| {
        let [left, right] = clusters_of(edge, &labels);
        (edge.rows, refusal(case, &left, &right).expect("larger clusters break what smaller ones break"))
    });
    let cut = cut.collect();
    (labels, cut)
}

/// The rows of the clusters of an edge's ends.
fn clusters_of(edge: &WeightedEdge, labels: &[usize]) -> [Vec<usize>; 2] {
    edge.rows.map(|row| (0..labels.len()).filter(|other| labels[*other] == labels[row]).collect())
}

/// Why two clusters may not be united.
fn refusal(case: &ClusterCase, left: &[usize], right: &[usize]) -> Option<Cause> {
    if case.max_size.is_some_and(|most| left.len() + right.len() > most) {
        return Some(Cause::MaxSize);
    }
    let is_between =
        |[a, b]: &[usize; 2]| left.contains(a) && right.contains(b) || left.contains(b) && right.contains(a);
    let first = |pairs: &[[usize; 2]]| pairs.iter().filter(|pair| is_between(pair)).map(|pair| ascending(*pair)).min();
    let limited = || {
        let by_limit = |limit: usize| Some(Cause::Limit(limit, refused_by(&case.limits[limit], left, right)?));
        (0..case.limits.len()).find_map(by_limit)
    };
    first(&case.apart).map(Cause::Apart).or_else(|| first(&case.forbidden).map(Cause::Forbidden)).or_else(limited)
}
