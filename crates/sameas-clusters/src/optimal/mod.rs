//! Optimal pairs of the records of two sources, in a component.
//!
//! **Definition.** Left records are those of the source with the lower number. Of all ways to choose edges between left and right
//! records so that no record has two, the one is taken whose sum is largest, where an edge counts its weight less the least
//! weight of the component and 2^-32 more, in units (`edge`): so each edge counts at least one unit. Of several such ways
//! the one is taken that gives the first left record the lowest partner (none comes last), then the second, and so on. Pairs
//! of decisions are taken first, and their records have no other edge. Edges within a source are never taken.
//!
//! **Argument.** `assignment` keeps a price for each record: those of two ends are together at least what an edge counts,
//! exactly that where it is taken, and 0 where a record has no partner. Such a choice is largest, since every other
//! one pays at most the sum of all prices (duality of linear programs), and all largest choices are those of edges that
//! prices meet exactly, with all records that have a price. Among these `ties` looks for the first. All numbers are integers.
//!
//! **Cost.** O(m) memory for m edges, and for n records at most O(n m log n) time: for each left record one search by
//! prices, which ends at the nearest record without a partner, and where it could have a lower partner one among the edges that
//! prices meet exactly, from both ends.

mod assignment;
mod sides;
mod ties;

use crate::component::{Component, label_by_first};
use crate::outcome::ClusterConflict;
use crate::work_memory::{ComponentSize, WorkMemory};
use assignment::{Assignment, assign};
use sides::MatchSides;
use ties::{Twins, first_of_equals};

/// Bytes that it takes at most.
pub(crate) fn most_bytes(size: ComponentSize) -> usize {
    let of_edge = MatchSides::BYTES_OF_EDGE + Assignment::BYTES_OF_EDGE.max(Twins::BYTES_OF_EDGE);
    let of_record = MatchSides::BYTES_OF_RECORD + Assignment::BYTES_OF_RECORD + Twins::BYTES_OF_RECORD;
    size.edges * of_edge + size.records * of_record
}

/// Labels the records of a component by the first record of their pair.
pub(crate) fn match_pairs(
    component: &Component<'_>,
    sources: &[u32],
    labels: &mut [u32],
    memory: &mut WorkMemory<'_>,
) -> Result<(), ClusterConflict> {
    memory.reach("optimal pairs", most_bytes(component.size()));
    let mut sets = component.decided();
    label_by_first(&mut sets, labels);
    let sides = MatchSides::new(component, sources, labels)?;
    let assignment = assign(&sides, memory);
    for (left, right) in first_of_equals(&sides, assignment, memory).into_iter().enumerate() {
        if let Some(right) = right {
            sets.join(sides.left[left] as usize, sides.right[right as usize] as usize);
        }
    }
    label_by_first(&mut sets, labels);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::outcome::{ClusterConflict, CutCause};
    use crate::rules::{ClusterMethod, ClusterRules, RowFacts};
    use crate::testing::{clusters, scored, with_decided};

    fn rules() -> ClusterRules {
        ClusterRules { method: ClusterMethod::Optimal, ..ClusterRules::default() }
    }

    /// Records from `left` on are of the second source.
    fn two_sources(left: u32, rows: u32) -> RowFacts {
        RowFacts { sources: (0..rows).map(|row| u32::from(row >= left)).collect(), ..RowFacts::default() }
    }

    fn matched(left: u32, rows: u32, edges: &[(u32, u32, f64)]) -> Vec<u32> {
        clusters(scored(rows, edges), &rules(), &two_sources(left, rows)).unwrap().first_rows
    }

    #[test]
    fn the_sum_counts_and_not_the_best_pair() {
        let edges = [(0, 2, 10.0), (0, 3, 9.0), (1, 2, 9.0)];
        assert_eq!(matched(2, 4, &edges), [0, 1, 0, 3], "both others are the lightest");
        let edges = [(0, 2, 10.0), (0, 3, 9.0), (1, 2, 9.0), (1, 3, 1.0)];
        assert_eq!(matched(2, 4, &edges), [0, 1, 1, 0]);
    }

    #[test]
    fn equals_give_the_first_records_the_lowest_partners() {
        let all = |left: u32, right: u32| -> Vec<(u32, u32, f64)> {
            (0..left).flat_map(|l| (left..left + right).rev().map(move |r| (l, r, 1.0))).collect()
        };
        assert_eq!(matched(3, 6, &all(3, 3)), [0, 1, 2, 0, 1, 2]);
        assert_eq!(matched(3, 5, &all(3, 2)), [0, 1, 2, 0, 1]);
        // Record 1 has one partner only, so the first takes its second.
        assert_eq!(matched(2, 4, &[(0, 2, 1.0), (0, 3, 1.0), (1, 2, 1.0)]), [0, 1, 1, 0]);
    }

    #[test]
    fn negative_weights_are_weights() {
        assert_eq!(matched(2, 4, &[(0, 2, -5.0), (1, 3, -7.0), (1, 2, -6.0)]), [0, 1, 0, 1]);
    }

    #[test]
    fn decided_pairs_are_taken() {
        let edges = with_decided(scored(4, &[(0, 2, 9.0), (1, 3, 9.0), (0, 3, 1.0)]), &[[0, 3]]);
        let found = clusters(edges, &rules(), &two_sources(2, 4)).unwrap();
        assert_eq!(found.first_rows, [0, 1, 2, 0]);
        let causes: Vec<CutCause> = found.cut.iter().map(|edge| edge.cause).collect();
        assert_eq!(causes, [CutCause::Method; 2]);
        let edges = with_decided(scored(4, &[]), &[[0, 3], [1, 3]]);
        let conflict = clusters(edges, &rules(), &two_sources(2, 4)).unwrap_err();
        let limit = CutCause::OneTo { source: 0 };
        assert_eq!(conflict, ClusterConflict::TooMany { limit, rows: vec![0, 1] });
    }
}
