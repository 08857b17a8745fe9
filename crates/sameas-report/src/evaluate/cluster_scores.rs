//! How good clusters are: measures that count records and clusters, where pairs would give a large cluster the weight of its square.
//!
//! All are sums over the clusters that share records. Squares are added up as integers for each size, and what is not an integer
//! in the order of sizes, so that no order of records or clusters changes a digit.

use rayon::prelude::*;
use serde::Serialize;

use super::answer::Answer;
use super::arithmetic::{f1, pairs_of, ratio};
use super::partition::{RECORD_BYTES, SharedClusters, SharedRecords, cluster_of_each};
use crate::error::Result;
use crate::memory::MemoryBudget;

/// The sizes of true clusters at which the rows of the table by size begin.
const SIZES: [u32; 11] = [1, 2, 3, 4, 5, 6, 11, 21, 51, 101, 1001];

/// How good the clusters of a result are.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClusterScores {
    /// Records that count: those of the result and of the truth. One that either does not list is alone there.
    pub records: u64,
    /// Clusters of the result and of the truth, and those that are equal, record by record.
    pub exact: ExactClusters,
    /// The same of clusters of two or more records.
    pub exact_of_several: ExactClusters,
    /// True clusters whose records are in several found ones.
    pub split: DividedClusters,
    /// Found clusters that have records of several true ones.
    pub merged: DividedClusters,
    /// For the average record the share of the records found with it that truly belong to it: the precision of B-cubed.
    pub bcubed_precision: f64,
    /// For the average record the share of the records that truly belong to it that were found with it: the recall of B-cubed.
    pub bcubed_recall: f64,
    /// How far pairs agree beyond chance: 1 for equal clusters, about 0 for clusters by chance.
    pub adjusted_rand_index: f64,
    /// The bits that the true cluster of a record leaves open about its found one, and the other way round; 0 for equal clusters.
    pub variation_of_information: f64,
    /// The true clusters by their sizes, the small ones first.
    pub by_size: Vec<ClusterSizeScore>,
    /// Whether the truth is pairs: its clusters are then what these connect.
    pub truth_is_pairs: bool,
}

impl ClusterScores {
    /// The harmonic mean of the precision and recall of B-cubed.
    pub fn bcubed_f1(&self) -> f64 {
        let (precision, recall) = (self.bcubed_precision, self.bcubed_recall);
        2.0 * precision * recall / (precision + recall)
    }
}

/// Clusters of a result, of the truth, and of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExactClusters {
    /// Clusters of the result.
    pub found: u64,
    /// Clusters of the truth.
    pub true_clusters: u64,
    /// Clusters with the same records in both.
    pub both: u64,
}

impl ExactClusters {
    /// The share of the found clusters that are true; unknown if there are none.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.both, self.found)
    }

    /// The share of the true clusters that were found; unknown if there are none.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.both, self.true_clusters)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> Option<f64> {
        f1(self.both, self.found, self.true_clusters)
    }
}

/// Clusters of one side whose records are in several clusters of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DividedClusters {
    /// Such clusters.
    pub clusters: u64,
    /// The clusters of the other side that share records with them; one that shares some with two of them counts twice.
    pub parts: u64,
}

/// The true clusters of some sizes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClusterSizeScore {
    /// From this number of records.
    pub from: u64,
    /// To this one; nothing where there is no end.
    pub to: Option<u64>,
    /// The true clusters.
    pub clusters: u64,
    /// Their records.
    pub records: u64,
    /// Those that were found as they are.
    pub exact: u64,
    /// Those whose records are in several found clusters.
    pub split: u64,
    /// Those that share a found cluster with records of others.
    pub mixed: u64,
    /// The precision of B-cubed over their records.
    pub bcubed_precision: f64,
    /// The recall of B-cubed over their records.
    pub bcubed_recall: f64,
}

/// Whose clusters.
const FOUND: usize = 0;
const TRUTH: usize = 1;

/// How good found clusters are as clusters; nothing where pairs were found.
pub(super) fn scores_of_clusters(
    found: &Answer,
    truth: &Answer,
    records: usize,
    among_known: bool,
    budget: &MemoryBudget,
) -> Result<Option<ClusterScores>> {
    let Answer::Clusters(_) = found else { return Ok(None) };
    let _working = budget.hold(records.saturating_mul(RECORD_BYTES))?;
    let known = among_known.then(|| truth.known(records));
    let [found, of_truth] = [found, truth].map(|answer| {
        cluster_of_each(answer, records, |record| known.as_ref().is_none_or(|known| known[record as usize]))
    });
    let shared = SharedClusters::new(&found, &of_truth);
    drop((found, of_truth));
    Ok(cluster_scores(shared, matches!(truth, Answer::Pairs(_))))
}

/// How far two clusterings of the same records agree beyond chance: the adjusted Rand index.
pub(super) fn agreement(one: &[u32], other: &[u32]) -> f64 {
    let SharedClusters { records, sizes, cells } = SharedClusters::new(one, other);
    adjusted_rand_index(records, &cells, &sizes)
}

/// The scores of found clusters; none where there are no records.
fn cluster_scores(shared: SharedClusters, truth_is_pairs: bool) -> Option<ClusterScores> {
    let SharedClusters { records, sizes, mut cells } = shared;
    if records == 0 {
        return None;
    }
    let size = |cell: &SharedRecords, side: usize| sizes[side][cell.clusters[side] as usize];
    // One true cluster after the other, the small ones first.
    cells.par_sort_unstable_by_key(|cell| (size(cell, TRUTH), cell.clusters[TRUTH], cell.clusters[FOUND]));
    let by_size: Vec<ClusterSizeScore> = cells
        .chunk_by(|a, b| band(size(a, TRUTH)) == band(size(b, TRUTH)))
        .map(|cells| of_band(cells, &sizes))
        .collect();
    let exact = |least: u32| ExactClusters {
        found: clusters(&sizes[FOUND], least),
        true_clusters: clusters(&sizes[TRUTH], least),
        both: cells.iter().filter(|cell| is_exact(cell, &sizes) && cell.records >= least).count() as u64,
    };
    let bits = missing_bits(&cells, &sizes[FOUND], FOUND) + missing_bits(&cells, &sizes[TRUTH], TRUTH);
    Some(ClusterScores {
        records,
        exact: exact(1),
        exact_of_several: exact(2),
        split: divided(&cells, &sizes[TRUTH], TRUTH),
        merged: divided(&cells, &sizes[FOUND], FOUND),
        bcubed_precision: shares(&cells, &sizes[FOUND], FOUND) / records as f64,
        bcubed_recall: shares(&cells, &sizes[TRUTH], TRUTH) / records as f64,
        adjusted_rand_index: adjusted_rand_index(records, &cells, &sizes),
        variation_of_information: bits / records as f64,
        by_size,
        truth_is_pairs,
    })
}

/// The row of the table by size that a true cluster belongs to.
fn band(size: u32) -> usize {
    SIZES.partition_point(|from| *from <= size) - 1
}

/// The figures of true clusters of about one size, which follow each other.
fn of_band(cells: &[SharedRecords], sizes: &[Vec<u32>; 2]) -> ClusterSizeScore {
    let band = band(sizes[TRUTH][cells[0].clusters[TRUTH] as usize]);
    let records = cells.iter().map(|cell| u64::from(cell.records)).sum::<u64>();
    let mut score = ClusterSizeScore {
        from: u64::from(SIZES[band]),
        to: SIZES.get(band + 1).map(|next| u64::from(next - 1)),
        clusters: 0,
        records,
        exact: 0,
        split: 0,
        mixed: 0,
        bcubed_precision: shares(cells, &sizes[FOUND], FOUND) / records as f64,
        bcubed_recall: shares(cells, &sizes[TRUTH], TRUTH) / records as f64,
    };
    for parts in cells.chunk_by(|a, b| a.clusters[TRUTH] == b.clusters[TRUTH]) {
        let has_others = |cell: &SharedRecords| sizes[FOUND][cell.clusters[FOUND] as usize] > cell.records;
        score.clusters += 1;
        score.exact += u64::from(is_exact(&parts[0], sizes));
        score.split += u64::from(parts.len() > 1);
        score.mixed += u64::from(parts.iter().any(has_others));
    }
    score
}

/// Whether two clusters have the same records.
fn is_exact(cell: &SharedRecords, sizes: &[Vec<u32>; 2]) -> bool {
    [FOUND, TRUTH].into_iter().all(|side| sizes[side][cell.clusters[side] as usize] == cell.records)
}

/// The number of clusters with at least this many records.
fn clusters(sizes: &[u32], least: u32) -> u64 {
    sizes.iter().filter(|size| **size >= least).count() as u64
}

/// The clusters of a side that share records with several of the other.
fn divided(cells: &[SharedRecords], sizes: &[u32], side: usize) -> DividedClusters {
    let mut parts = vec![0_u32; sizes.len()];
    cells.iter().for_each(|cell| parts[cell.clusters[side] as usize] += 1);
    let several = || parts.iter().filter(|parts| **parts > 1);
    DividedClusters { clusters: several().count() as u64, parts: several().map(|parts| u64::from(*parts)).sum() }
}

/// The sum over records of the share of its cluster on this side that is with it on the other: of each cell the square of its
/// records by the size of the cluster.
fn shares(cells: &[SharedRecords], sizes: &[u32], side: usize) -> f64 {
    let square = |cell: &SharedRecords| (sizes[cell.clusters[side] as usize], u64::from(cell.records).pow(2));
    let mut squares: Vec<(u32, u64)> = cells.par_iter().map(square).collect();
    squares.par_sort_unstable();
    let of_size = |squares: &[(u32, u64)]| {
        let sum: u128 = squares.iter().map(|(_, square)| u128::from(*square)).sum();
        sum as f64 / f64::from(squares[0].0)
    };
    squares.chunk_by(|a, b| a.0 == b.0).map(of_size).sum()
}

/// The sum over records of the bits that its cluster on this side leaves open about its cluster on the other.
fn missing_bits(cells: &[SharedRecords], sizes: &[u32], side: usize) -> f64 {
    let part = |cell: &SharedRecords| (sizes[cell.clusters[side] as usize], cell.records);
    let mut parts: Vec<(u32, u32)> = cells.par_iter().map(part).filter(|(size, records)| records < size).collect();
    parts.par_sort_unstable();
    let of_equal = |parts: &[(u32, u32)]| {
        let (size, records) = (f64::from(parts[0].0), f64::from(parts[0].1));
        parts.len() as f64 * records * (size / records).log2()
    };
    // A sum of nothing would be -0.
    parts.chunk_by(|a, b| a == b).map(of_equal).fold(0.0, |sum, bits| sum + bits)
}

/// (both - expected) / (mean of found and true - expected) with expected = found * true / all, in pairs. Multiplied by all pairs
/// everything is an integer, below 2^127 for as many records as have numbers. Its denominator is 0 only for equal clusters.
fn adjusted_rand_index(records: u64, cells: &[SharedRecords], sizes: &[Vec<u32>; 2]) -> f64 {
    let pairs =
        |sizes: &mut dyn Iterator<Item = u32>| -> u128 { sizes.map(|size| u128::from(pairs_of(size.into()))).sum() };
    let [found, truth] = [FOUND, TRUTH].map(|side| pairs(&mut sizes[side].iter().copied()));
    let (both, all) = (pairs(&mut cells.iter().map(|cell| cell.records)), u128::from(pairs_of(records)));
    let expected = found * truth;
    let range = (found + truth) * all - 2 * expected;
    if range == 0 {
        return 1.0;
    }
    2.0 * ((both * all) as i128 - expected as i128) as f64 / range as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(found: &[u32], truth: &[u32]) -> ClusterScores {
        cluster_scores(SharedClusters::new(found, truth), false).unwrap()
    }

    /// Worked out by hand: of {a, b, c}, {d, e}, {f} the result has {a, b}, {c, d, e}, {f}.
    #[test]
    fn figures_of_a_small_case() {
        let found = scores(&[0, 0, 1, 1, 1, 2], &[0, 0, 0, 1, 1, 2]);
        // a, b: 1; c: 1/3; d, e: 2/3; f: 1. And a, b: 2/3; c: 1/3; d, e, f: 1.
        let close = |a: f64, b: f64| (a - b).abs() < 1e-15;
        assert!(close(found.bcubed_precision, (2.0 + 1.0 / 3.0 + 4.0 / 3.0 + 1.0) / 6.0), "{found:?}");
        assert!(close(found.bcubed_recall, (4.0 / 3.0 + 1.0 / 3.0 + 3.0) / 6.0), "{found:?}");
        assert!(close(found.bcubed_f1(), 7.0 / 9.0), "{found:?}");
        // Pairs: 4 found, 4 true, 2 both, of 15: expected 16/15.
        assert!(close(found.adjusted_rand_index, (2.0 - 16.0 / 15.0) / (4.0 - 16.0 / 15.0)), "{found:?}");
        // Of c, d, e one of three and two of three; of a, b, c two of three and one of three.
        let bits = 2.0 * (3.0_f64.log2() + 2.0 * 1.5_f64.log2()) / 6.0;
        assert!(close(found.variation_of_information, bits), "{found:?}");
        assert_eq!(found.exact, ExactClusters { found: 3, true_clusters: 3, both: 1 });
        assert_eq!(found.exact_of_several, ExactClusters { found: 2, true_clusters: 2, both: 0 });
        assert_eq!((found.exact.precision(), found.exact_of_several.f1()), (Some(1.0 / 3.0), Some(0.0)));
        assert_eq!(found.split, DividedClusters { clusters: 1, parts: 2 });
        assert_eq!(found.merged, DividedClusters { clusters: 1, parts: 2 });
        let rows: Vec<_> = found
            .by_size
            .iter()
            .map(|row| (row.from, row.to, row.clusters, row.records, row.exact, row.split, row.mixed))
            .collect();
        assert_eq!(rows, [(1, Some(1), 1, 1, 1, 0, 0), (2, Some(2), 1, 2, 0, 0, 1), (3, Some(3), 1, 3, 0, 1, 1)]);
        let rows: Vec<_> = found.by_size.iter().map(|row| (row.bcubed_precision, row.bcubed_recall)).collect();
        assert!(close(rows[1].0, 2.0 / 3.0) && close(rows[1].1, 1.0) && close(rows[2].1, 5.0 / 9.0), "{rows:?}");
    }

    #[test]
    fn equal_clusters_are_perfect_to_the_last_digit() {
        for labels in [vec![0], vec![0, 0], vec![0, 1], vec![0, 0, 0, 1, 2, 2, 0]] {
            let found = scores(&labels, &labels);
            let figures = [found.bcubed_precision, found.bcubed_recall, found.bcubed_f1(), found.adjusted_rand_index];
            assert_eq!((figures, found.variation_of_information), ([1.0; 4], 0.0), "{labels:?}");
            assert_eq!(
                (found.exact.f1(), found.split, found.merged),
                (Some(1.0), DividedClusters::default(), DividedClusters::default())
            );
        }
        assert_eq!(scores(&[0, 0, 0], &[0, 1, 2]).adjusted_rand_index, 0.0);
        assert!(cluster_scores(SharedClusters::new(&[], &[]), false).is_none());
    }

    #[test]
    fn no_order_changes_a_digit() {
        let (found, truth): (Vec<u32>, Vec<u32>) =
            (0..5000_u32).map(|at| (at * 7919 % 613, at * 104_729 % 797)).unzip();
        let turned = |labels: &[u32], most: u32| labels.iter().rev().map(|label| most - label).collect::<Vec<u32>>();
        assert_eq!(scores(&turned(&found, 700), &turned(&truth, 900)), scores(&found, &truth));
    }

    #[test]
    fn sizes_have_their_rows() {
        assert_eq!([1, 2, 5, 6, 10, 11, 1000, 1001, u32::MAX].map(band), [0, 1, 4, 5, 5, 6, 9, 10, 10]);
        let rows = scores(&[3; 1500], &[3; 1500]).by_size;
        assert_eq!(rows.iter().map(|row| (row.from, row.to, row.records)).collect::<Vec<_>>(), [(1001, None, 1500)]);
    }
}
