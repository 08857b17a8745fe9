//! What decisions hold together, and where they contradict each other or a limit.

use std::collections::VecDeque;

use super::counted::Constraints;
use super::growing::GrowingClusters;
use super::values::ClusterValues;
use crate::component::Component;
use crate::edge::EdgeKind;
use crate::outcome::{ClusterConflict, CutCause};

/// Says where decisions to keep pairs of places apart contradict those that hold records together.
pub(super) fn check_apart(
    component: &Component<'_>,
    apart: &[[u32; 2]],
    clusters: &GrowingClusters,
) -> Result<(), ClusterConflict> {
    let mut apart = apart.iter().map(|pair| pair.map(|place| place - component.first));
    match apart.find(|[a, b]| clusters.cluster(*a) == clusters.cluster(*b)) {
        Some([a, b]) => Err(ClusterConflict::HeldTogether { chain: chain(component, a, b) }),
        None => Ok(()),
    }
}

/// Says where decisions hold too many records together.
pub(super) fn check_limits(
    component: &Component<'_>,
    constraints: &Constraints<'_>,
    clusters: &GrowingClusters,
    values: &[ClusterValues<'_>],
) -> Result<(), ClusterConflict> {
    for cluster in clusters.of_several() {
        let rows = |counts: &dyn Fn(u32) -> bool| -> Vec<u32> {
            let rows = (0..).zip(component.rows).filter(|(record, _)| clusters.cluster(*record) == cluster);
            rows.map(|(_, row)| *row).filter(|row| counts(*row)).collect()
        };
        if clusters.size(cluster) > constraints.max_size {
            return Err(ClusterConflict::TooMany { limit: CutCause::MaxSize, rows: rows(&|_| true) });
        }
        for values in values {
            if let Some(value) = values.excess(cluster) {
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
