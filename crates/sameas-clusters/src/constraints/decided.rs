//! What decisions hold together, and where they contradict each other or a limit.

use std::collections::VecDeque;

use super::counted::Constraints;
use super::values::ClusterValues;
use crate::component::Component;
use crate::edge::EdgeKind;
use crate::outcome::{ClusterConflict, CutCause};

/// The records of a cluster, by places in the component, ascending.
fn members(labels: &[u32], first: usize) -> Vec<u32> {
    (0..labels.len() as u32).filter(|record| labels[*record as usize] as usize == first).collect()
}

/// Says where decisions to keep pairs apart contradict those that hold records together.
pub(super) fn check_apart(
    component: &Component<'_>,
    constraints: &Constraints<'_>,
    labels: &[u32],
) -> Result<(), ClusterConflict> {
    let mut apart = constraints.apart_in(component);
    match apart.find(|[a, b]| labels[*a as usize] == labels[*b as usize]) {
        Some([a, b]) => Err(ClusterConflict::HeldTogether { chain: chain(component, a, b) }),
        None => Ok(()),
    }
}

/// Says where decisions hold too many records together. Labels are the first records of what they hold together, which
/// number the clusters of `values`, too.
pub(super) fn check_limits(
    component: &Component<'_>,
    constraints: &Constraints<'_>,
    labels: &[u32],
    cluster_of: &dyn Fn(u32) -> u32,
    values: &[ClusterValues<'_>],
) -> Result<(), ClusterConflict> {
    let mut sizes = vec![0_usize; labels.len()];
    labels.iter().for_each(|label| sizes[*label as usize] += 1);
    for (first, _) in sizes.iter().enumerate().filter(|(_, size)| **size > 1) {
        let rows = |counts: &dyn Fn(u32) -> bool| -> Vec<u32> {
            let records = members(labels, first);
            records.into_iter().map(|record| component.rows[record as usize]).filter(|row| counts(*row)).collect()
        };
        if sizes[first] > constraints.max_size {
            return Err(ClusterConflict::TooMany { limit: CutCause::MaxSize, rows: rows(&|_| true) });
        }
        for values in values {
            if let Some(value) = values.excess(cluster_of(first as u32)) {
                let (limit, rows) = (values.limit.cause(value), rows(&|row| values.limit.counts_for(row, value)));
                return Err(ClusterConflict::TooMany { limit, rows });
            }
        }
    }
    Ok(())
}

/// A shortest way from one record to another by decisions, as rows; where there are several, the one that is found first
/// from the lowest rows.
fn chain(component: &Component<'_>, from: u32, to: u32) -> Vec<u32> {
    let mut neighbours = vec![Vec::new(); component.records()];
    for edge in component.edges().take_while(|edge| edge.kind == EdgeKind::DecidedTogether) {
        let [a, b] = edge.ends;
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    neighbours.iter_mut().for_each(|of_record: &mut Vec<u32>| of_record.sort_unstable());
    // From the end, so that the way is read from the beginning.
    let mut next = vec![None; component.records()];
    let mut open = VecDeque::from([to]);
    next[to as usize] = Some(to);
    while let Some(record) = open.pop_front() {
        for other in &neighbours[record as usize] {
            if next[*other as usize].is_none() {
                next[*other as usize] = Some(record);
                open.push_back(*other);
            }
        }
    }
    let step = |record: &u32| next[*record as usize].filter(|_| *record != to);
    std::iter::successors(Some(from), step).map(|record| component.rows[record as usize]).collect()
}
