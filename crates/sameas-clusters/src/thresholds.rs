//! Components at several thresholds, in one pass over the edges.
//!
//! Edges are put in order by the thresholds that they reach, those that reach most at the end of the list; among themselves they
//! need no order. From the highest threshold down they are joined, and their memory is free again.
//!
//! **Cost.** For m edges and k thresholds O(m log k), and no memory beside the edges but 4 bytes for each row and threshold.

use rayon::prelude::*;
use sameas_core::cancel::Cancel;
use sameas_core::union_find::Components;

use crate::edge::place_of;
use crate::edges::{Edges, PackedEdges};
use crate::in_place::put_first;
use crate::packed::{EdgeLayout, PackedEdge};

/// Edges that one thread takes at a time.
const EDGES_AT_A_TIME: usize = 1 << 12;

/// The first row of each row's component, at each of some thresholds, in one pass over the edges. An edge without a score
/// reaches no threshold; certain and decided ones reach all.
pub fn components_at(edges: Edges, thresholds: &[f64], cancel: Cancel<'_>) -> Vec<Vec<u32>> {
    let _held = cancel.hold(size_of::<u32>() * edges.rows as usize * (1 + thresholds.len()));
    let components = Components::new(edges.rows);
    match edges.packed {
        PackedEdges::Narrow(packed) => columns(packed, edges.layout, thresholds, &components, cancel),
        PackedEdges::Wide(packed) => columns(packed, edges.layout, thresholds, &components, cancel),
    }
}

fn columns<K: PackedEdge>(
    mut edges: Vec<K>,
    layout: EdgeLayout,
    thresholds: &[f64],
    components: &Components,
    cancel: Cancel<'_>,
) -> Vec<Vec<u32>> {
    let mut descending: Vec<usize> = (0..thresholds.len()).collect();
    descending.sort_by(|a, b| thresholds[*b].total_cmp(&thresholds[*a]));
    let bounds: Vec<K> = descending.iter().map(|column| K::below(place_of(thresholds[*column]))).collect();
    let mut begins = vec![0; bounds.len()];
    order_by_reach(&mut edges, 0, &bounds, &mut begins);
    let mut columns = vec![Vec::new(); thresholds.len()];
    for (column, begin) in descending.into_iter().zip(begins) {
        join(components, &edges[begin..], layout, cancel, |_| true);
        edges.truncate(begin);
        edges.shrink_to_fit();
        columns[column] = components.roots();
    }
    columns
}

/// Puts edges that reach more thresholds after those that reach fewer, and says where those begin that reach each one. A
/// threshold is what is less than a bound, and bounds ascend; `before` edges come before these.
fn order_by_reach<K: PackedEdge>(edges: &mut [K], before: usize, bounds: &[K], begins: &mut [usize]) {
    let middle = bounds.len() / 2;
    let Some(bound) = bounds.get(middle) else { return };
    let begin = put_first(edges, |edge| edge >= bound);
    begins[middle] = before + begin;
    let (fewer, more) = edges.split_at_mut(begin);
    let (higher, lower) = begins.split_at_mut(middle);
    rayon::join(
        || order_by_reach(more, before + begin, &bounds[..middle], higher),
        || order_by_reach(fewer, before, &bounds[middle + 1..], &mut lower[1..]),
    );
}

/// Joins the ends of some edges, on all cores.
pub(crate) fn join<K: PackedEdge>(
    components: &Components,
    edges: &[K],
    layout: EdgeLayout,
    cancel: Cancel<'_>,
    is_joined: impl Fn(&K) -> bool + Sync,
) {
    edges.par_chunks(EDGES_AT_A_TIME).for_each(|some| {
        cancel.check();
        let mut pairs = Vec::with_capacity(some.len());
        pairs.extend(some.iter().filter(|edge| is_joined(edge)).map(|edge| edge.rows(layout)));
        components.join_all(&pairs);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::WideEdge;

    #[test]
    fn edges_are_ordered_by_what_they_reach() {
        let weights: Vec<u32> = (0..500_u32).map(|at| at * 7919 % 101).collect();
        let bounds: Vec<WideEdge> = [13, 29, 29, 50, 90].map(|bound| [bound, 0, 0, 0, 0, 0]).to_vec();
        for bounds in [&bounds[..], &bounds[..1], &[]] {
            let mut edges: Vec<WideEdge> = weights.iter().map(|weight| [*weight, 0, 0, 0, 0, 0]).collect();
            let mut begins = vec![0; bounds.len()];
            order_by_reach(&mut edges, 0, bounds, &mut begins);
            for (begin, bound) in begins.into_iter().zip(bounds) {
                assert!(edges[..begin].iter().all(|edge| edge >= bound), "{bound:?}");
                assert!(edges[begin..].iter().all(|edge| edge < bound), "{bound:?}");
            }
        }
    }
}
