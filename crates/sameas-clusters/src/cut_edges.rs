//! Packed edges that are cut, as those that a clustering gives.

use std::cmp::Reverse;

use rayon::prelude::*;
use sameas_core::cancel::Cancel;

use crate::outcome::CutEdge;
use crate::packed::{EdgeLayout, PackedEdge};

/// The parts in which edges are taken out: the memory of one is free again before the next.
const PARTS: usize = 16;

/// Cut edges by rows, of packed ones that are all cut. Each two rows have one: if edges repeat, they have one cause.
pub(crate) fn cut_edges<K: PackedEdge>(mut packed: Vec<K>, layout: EdgeLayout, cancel: Cancel<'_>) -> Vec<CutEdge> {
    // The last come out first.
    packed.par_sort_unstable_by_key(|edge| Reverse(edge.row_order(layout)));
    packed.dedup_by_key(|edge| edge.row_order(layout));
    let unpacked = |edge: &K| {
        let cause = edge.cause().expect("each of these is cut");
        CutEdge { rows: edge.rows(layout), cause }
    };
    cancel.check_room(size_of::<CutEdge>().saturating_sub(size_of::<K>()) * packed.len());
    let (mut cut, at_a_time) = (Vec::with_capacity(packed.len()), packed.len().div_ceil(PARTS));
    while !packed.is_empty() {
        cancel.check();
        let from = packed.len().saturating_sub(at_a_time);
        cut.par_extend(packed[from..].par_iter().rev().map(unpacked));
        packed.truncate(from);
        packed.shrink_to_fit();
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::{Edge, EdgeKind};
    use crate::outcome::CutCause;

    #[test]
    fn cut_edges_come_by_rows() {
        let layout = EdgeLayout::new(1000);
        let rows = |at: u32| [at * 7 % 500, 500 + at];
        let packed = (0..500).map(|at| {
            let edge = Edge::new(rows(at), EdgeKind::Scored, Some(f64::from(at)), 0).unwrap();
            u128::pack(&edge, layout).cut(CutCause::OneTo { source: at }, layout)
        });
        let mut expected: Vec<CutEdge> =
            (0..500).map(|at| CutEdge { rows: rows(at), cause: CutCause::OneTo { source: at } }).collect();
        expected.sort_unstable();
        let packed: Vec<u128> = packed.collect();
        assert_eq!(cut_edges(packed.repeat(2), layout, Cancel::NEVER), expected);
        assert!(cut_edges(Vec::<u128>::new(), layout, Cancel::NEVER).is_empty());
    }
}
