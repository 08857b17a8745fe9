//! How two divisions of the same records into clusters differ, by plain definitions: every record, and every pair of records, is
//! looked at. A division says for each record which cluster it is in.

use std::collections::BTreeSet;

use super::cluster::clusters;

/// How alike found clusters and true ones are.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionFigures {
    /// Precision and recall of B-cubed.
    pub bcubed: [f64; 2],
    /// The adjusted Rand index.
    pub adjusted_rand_index: f64,
    /// The variation of information in bits.
    pub variation_of_information: f64,
    /// Clusters found, true, and both.
    pub exact: [usize; 3],
    /// True clusters in several found ones, and in how many all of these are.
    pub split: [usize; 2],
    /// Found clusters with records of several true ones, and of how many.
    pub merged: [usize; 2],
}

/// The figures of found clusters; there is a record.
pub fn partition_figures(found: &[usize], truth: &[usize]) -> PartitionFigures {
    let (sets_found, sets_true) = (sets(found), sets(truth));
    PartitionFigures {
        bcubed: [bcubed(found, truth), bcubed(truth, found)],
        adjusted_rand_index: adjusted_rand_index(found, truth),
        variation_of_information: conditional_entropy(found, truth) + conditional_entropy(truth, found),
        exact: [sets_found.len(), sets_true.len(), sets_found.intersection(&sets_true).count()],
        split: divided(&sets_true, found),
        merged: divided(&sets_found, truth),
    }
}

/// The records of each cluster.
fn sets(labels: &[usize]) -> BTreeSet<Vec<usize>> {
    let members = |label: usize| (0..labels.len()).filter(|record| labels[*record] == label).collect();
    labels.iter().map(|label| members(*label)).collect()
}

/// For the average record the share of the records with it in one division that are with it in the other, too.
fn bcubed(one: &[usize], other: &[usize]) -> f64 {
    let records = 0..one.len();
    let share = |record: usize| {
        let with_it: Vec<usize> = records.clone().filter(|with| one[*with] == one[record]).collect();
        let in_both = with_it.iter().filter(|with| other[**with] == other[record]).count();
        in_both as f64 / with_it.len() as f64
    };
    records.clone().map(share).sum::<f64>() / one.len() as f64
}

/// (agreement - its expectation) / (the most there could be - its expectation), by pairs of records.
fn adjusted_rand_index(found: &[usize], truth: &[usize]) -> f64 {
    let pairs = || (0..found.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let in_found = pairs().filter(|(a, b)| found[*a] == found[*b]).count() as f64;
    let in_truth = pairs().filter(|(a, b)| truth[*a] == truth[*b]).count() as f64;
    let in_both = pairs().filter(|(a, b)| found[*a] == found[*b] && truth[*a] == truth[*b]).count() as f64;
    if sets(found) == sets(truth) {
        return 1.0;
    }
    let expected = in_found * in_truth / pairs().count() as f64;
    (in_both - expected) / ((in_found + in_truth) / 2.0 - expected)
}

/// The bits that one division leaves open about the other: the sum of -p(x, y) log p(y | x).
fn conditional_entropy(given: &[usize], of: &[usize]) -> f64 {
    let records = 0..given.len();
    let bits = |record: usize| {
        let like: Vec<usize> = records.clone().filter(|other| given[*other] == given[record]).collect();
        let both = like.iter().filter(|other| of[**other] == of[record]).count();
        -(both as f64 / like.len() as f64).log2()
    };
    records.clone().map(bits).sum::<f64>() / given.len() as f64
}

/// Sets whose records are in several clusters, and in how many each.
fn divided(sets: &BTreeSet<Vec<usize>>, labels: &[usize]) -> [usize; 2] {
    let parts = |set: &Vec<usize>| set.iter().map(|record| labels[*record]).collect::<BTreeSet<usize>>().len();
    let several: Vec<usize> = sets.iter().map(parts).filter(|parts| *parts > 1).collect();
    [several.len(), several.iter().sum()]
}

/// What became of clusters, of each kind (the same, split, merged, otherwise): changes, clusters before and after, and records.
/// Records that are together before or after are in one change.
pub fn partition_changes(before: &[usize], after: &[usize]) -> [[usize; 4]; 4] {
    let pairs: Vec<(usize, usize)> = (0..before.len())
        .flat_map(|b| (0..b).map(move |a| (a, b)))
        .filter(|(a, b)| before[*a] == before[*b] || after[*a] == after[*b])
        .collect();
    let mut kinds = [[0; 4]; 4];
    for change in sets(&clusters(before.len(), &pairs)) {
        let count = |labels: &[usize]| change.iter().map(|record| labels[*record]).collect::<BTreeSet<usize>>().len();
        let counts = [count(before), count(after)];
        let kind = match counts {
            [1, 1] => 0,
            [1, _] => 1,
            [_, 1] => 2,
            _ => 3,
        };
        for (sum, more) in kinds[kind].iter_mut().zip([1, counts[0], counts[1], change.len()]) {
            *sum += more;
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand.
    #[test]
    fn figures_of_a_small_case() {
        let figures = partition_figures(&[0, 0, 1, 1, 1, 2], &[0, 0, 0, 1, 1, 2]);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(figures.bcubed.into_iter().all(|share| close(share, 7.0 / 9.0)), "{figures:?}");
        assert!(close(figures.adjusted_rand_index, 14.0 / 44.0), "{figures:?}");
        assert!(close(figures.variation_of_information, (3.0_f64.log2() + 2.0 * 1.5_f64.log2()) / 3.0), "{figures:?}");
        assert_eq!((figures.exact, figures.split, figures.merged), ([3, 3, 1], [1, 2], [1, 2]));
    }

    #[test]
    fn changes_of_a_small_case() {
        let before = [0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5];
        let after = [0, 0, 1, 2, 2, 2, 2, 3, 4, 5, 4, 5];
        assert_eq!(partition_changes(&before, &after), [[1, 1, 1, 1], [1, 1, 2, 3], [1, 2, 1, 4], [1, 2, 2, 4]]);
    }
}
