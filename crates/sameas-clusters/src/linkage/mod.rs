//! Average and complete linkage of a component, at a threshold.
//!
//! **Definition.** Each record is a cluster, and so is what decisions hold together. The two clusters that are most alike become
//! one, as long as two are as alike as the threshold says: by the average weight of all pairs of their records, where a pair
//! without an edge counts 0, or by the least, where such a pair forbids the union. Weights and the threshold are counted in
//! units (`edge`). Of equals the pair whose first cluster begins with the lowest record comes first, then the one whose other
//! cluster does. Two clusters that no edge joins are not united, whatever the threshold.
//!
//! **Argument.** An average is the fraction of two integers, a sum of units and a number of pairs, and fractions are compared
//! without rounding (`likeness`). A link of two clusters belongs to the one with more records, which knows the order of its links
//! whatever its own size is (`links`): its best one is an offer. The best of all offers is the next union.
//!
//! **Cost.** For m edges O(m) memory. A union moves the links of the smaller of two clusters, so each is moved at most log n times, and
//! finds a new place for those by which the larger one joins even larger ones: of these there are as many as n records allow,
//! however many smaller neighbours it has. A move or a place takes O(log m).

mod likeness;
mod links;
mod unions;

pub(crate) use unions::{link, most_bytes};

#[cfg(test)]
mod tests {
    use crate::rules::{ClusterMethod, Linkage};
    use crate::testing::{by_method, scored, with_decided};

    const AVERAGE: fn(f64) -> ClusterMethod =
        |threshold| ClusterMethod::Linkage { linkage: Linkage::Average, threshold };
    const COMPLETE: fn(f64) -> ClusterMethod =
        |threshold| ClusterMethod::Linkage { linkage: Linkage::Complete, threshold };

    /// A triangle with a fourth record that only one edge joins.
    const TRIANGLE: [(u32, u32, f64); 4] = [(0, 1, 0.75), (0, 2, 0.75), (1, 2, 0.75), (2, 3, 0.875)];

    #[test]
    fn an_absent_pair_counts_nothing_or_forbids() {
        // 2 and 3 first. Then 0 with 1, and the two pairs are alike by 1.5 / 4.
        assert_eq!(by_method(scored(4, &TRIANGLE), AVERAGE(0.5)), [0, 0, 2, 2]);
        assert_eq!(by_method(scored(4, &TRIANGLE), AVERAGE(0.375)), [0; 4]);
        assert_eq!(by_method(scored(4, &TRIANGLE), COMPLETE(0.25)), [0, 0, 2, 2]);
        assert_eq!(by_method(scored(4, &TRIANGLE[..3]), COMPLETE(0.75)), [0, 0, 0, 3]);
    }

    #[test]
    fn equals_come_by_their_first_records() {
        let chain = [(2, 3, 1.0), (0, 1, 1.0), (1, 2, 1.0)];
        assert_eq!(by_method(scored(4, &chain), AVERAGE(0.75)), [0, 0, 2, 2]);
        let star = [(3, 4, 1.0), (2, 4, 1.0), (1, 4, 1.0)];
        assert_eq!(by_method(scored(5, &star), COMPLETE(0.5)), [0, 1, 2, 3, 1]);
    }

    #[test]
    fn negative_weights_count_as_they_are() {
        let edges = [(0, 1, 1.0), (0, 2, 0.75), (1, 2, -0.5)];
        assert_eq!(by_method(scored(3, &edges), AVERAGE(0.25)), [0, 0, 2]);
        assert_eq!(by_method(scored(3, &edges), AVERAGE(0.125)), [0, 0, 0]);
        assert_eq!(by_method(scored(3, &edges), COMPLETE(-0.5)), [0, 0, 0]);
        assert_eq!(by_method(scored(3, &[(0, 2, -1.0)]), AVERAGE(-2.0)), [0, 1, 0], "no edge joins 1");
    }

    #[test]
    fn decisions_come_first() {
        let edges = || with_decided(scored(4, &TRIANGLE), &[[0, 3]]);
        // 2 has an edge to both, 1 only to one of them.
        assert_eq!(by_method(edges(), COMPLETE(0.5)), [0, 1, 0, 0]);
        assert_eq!(by_method(edges(), AVERAGE(2.0)), [0, 1, 2, 0]);
    }

    #[test]
    fn a_hub_does_not_ask_all_its_neighbours_again() {
        let star: Vec<(u32, u32, f64)> = (1..60_000).map(|leaf| (0, leaf, 1.0)).collect();
        assert_eq!(by_method(scored(60_000, &star), AVERAGE(0.0)), [0; 60_000]);
        let pairs = by_method(scored(60_000, &star), COMPLETE(0.0));
        assert_eq!((&pairs[..3], pairs[59_999]), (&[0, 0, 2][..], 59_999));
    }

    #[test]
    fn offers_are_few_where_unions_are_many() {
        let edges: Vec<(u32, u32, f64)> =
            (0..80).flat_map(|l| (l + 1..80).map(move |r| (l, r, 1.0 + f64::from(l * r % 7)))).collect();
        assert_eq!(by_method(scored(80, &edges), AVERAGE(0.5)), [0; 80]);
        assert_eq!(by_method(scored(80, &edges), COMPLETE(1.0)), [0; 80]);
    }
}
