//! Components that are formed while pairs are found, and those of sorted pairs.

use proptest::collection::btree_map;
use proptest::prelude::*;
use rayon::prelude::*;

use super::*;
use crate::output::{PairSorter, SortedPairs};
use crate::pairs::{PairScore, ResultPairs};

/// Pairs in memory, shown some at a time.
struct ListedPairs {
    rows: ResultPairs,
    at_a_time: usize,
}

impl ListedPairs {
    fn new(mut pairs: Vec<Pair>, at_a_time: usize) -> Self {
        pairs.sort_by_key(|pair| pair.key());
        let scores = pairs.iter().map(|pair| PairScore::new(f64::from(pair.l))).collect();
        Self { rows: ResultPairs { pairs, scores }, at_a_time }
    }

    fn chunks(&self) -> Vec<ResultPairs> {
        let both = self.rows.pairs.chunks(self.at_a_time).zip(self.rows.scores.chunks(self.at_a_time));
        both.map(|(pairs, scores)| ResultPairs { pairs: pairs.to_vec(), scores: scores.to_vec() }).collect()
    }
}

impl PairsInOrder for ListedPairs {
    fn count(&self) -> u64 {
        self.rows.pairs.len() as u64
    }

    fn in_order(&self, take: &mut dyn FnMut(&ResultPairs) -> Result<()>) -> Result<()> {
        self.chunks().iter().try_for_each(take)
    }

    fn in_any_order(&self, take: &(dyn Fn(&ResultPairs) -> Result<()> + Sync)) -> Result<()> {
        self.chunks().par_iter().rev().try_for_each(take)
    }
}

/// The first record that can be reached from each, by looking at all pairs until nothing changes.
fn reached(records: u32, right_offset: u32, pairs: &[Pair]) -> Vec<u32> {
    let mut first: Vec<u32> = (0..records).collect();
    loop {
        let before = first.clone();
        for pair in pairs {
            let (l, r) = (pair.l as usize, (right_offset + pair.r) as usize);
            let least = first[l].min(first[r]);
            (first[l], first[r]) = (least, least);
        }
        if first == before {
            return first;
        }
    }
}

/// Left and right records, where the right ones begin, and pairs of them in any order.
fn some_pairs() -> impl Strategy<Value = (u32, u32, Vec<Pair>)> {
    (2..40_u32, 2..40_u32, any::<bool>()).prop_flat_map(|(left, right, two_sides)| {
        let pair = move |(l, r): (u32, u32)| match two_sides {
            true => Pair { l: l % left, r: r % right, rule: 0 },
            false => Pair { l: (l % left).min(r % left), r: (l % left).max(r % left), rule: 1 },
        };
        let pairs = prop::collection::vec((any::<u32>(), any::<u32>()).prop_map(pair), 0..60);
        let (records, right_offset) = if two_sides { (left + right, left) } else { (left, 0) };
        pairs.prop_map(move |pairs| (records, right_offset, pairs))
    })
}

proptest! {
    /// In whatever order and from whatever thread they come.
    #[test]
    fn components_fed_unsorted_are_those_of_sorted_pairs(
        (records, right_offset, pairs) in some_pairs(), at_a_time in 1..20_usize,
    ) {
        let fed = Components::new(records);
        pairs.par_iter().rev().for_each(|pair| fed.join(pair.l, right_offset + pair.r));
        let expected = reached(records, right_offset, &pairs);
        let listed = ListedPairs::new(pairs, at_a_time);
        let roots = |components: Option<Components>| {
            let input = ClusterInput { pairs: &listed, records, right_offset, components };
            ConnectedComponents.roots(input).unwrap()
        };
        prop_assert_eq!(&roots(Some(fed)), &expected);
        prop_assert_eq!(roots(None), expected);
    }

    /// The sorter shows the same pairs, spilled or not.
    #[test]
    fn components_fed_unsorted_are_those_of_spilled_pairs(
        rows in btree_map((0..400_u32, 0..300_u32), 0..3_u32, 0..800),
        budget in prop_oneof![Just(0), 0..40_000_usize, Just(1 << 20)],
        workers in 1..4_usize,
    ) {
        let pairs: Vec<Pair> = rows.into_iter().map(|((l, r), rule)| Pair { l, r, rule }).rev().collect();
        let (records, right_offset) = (700, 400);
        let fed = Components::new(records);
        pairs.iter().for_each(|pair| fed.join(pair.l, right_offset + pair.r));
        let sorted = sorted(&pairs, budget, workers);
        let roots = |components| {
            ConnectedComponents.roots(ClusterInput { pairs: &sorted, records, right_offset, components }).unwrap()
        };
        prop_assert_eq!(roots(Some(fed)), roots(None));
    }
}

/// The pairs, sorted by some workers.
fn sorted(pairs: &[Pair], budget: usize, workers: usize) -> SortedPairs {
    let dir = tempfile::tempdir().unwrap();
    let sorter = PairSorter::with_scores(budget, workers, Some(dir.path())).unwrap();
    let mut buffers: Vec<_> = (0..workers).map(|_| sorter.buffer()).collect();
    for (at, pair) in pairs.iter().enumerate() {
        buffers[at % workers].push_scored(*pair, PairScore::new(f64::from(pair.l))).unwrap();
    }
    sorter.finish(buffers).unwrap()
}

/// Stands for clusterings that need every pair in order, with what it carries.
struct FirstPairsOnly;

impl Clustering for FirstPairsOnly {
    /// A record joins the left record of the first pair that has it on the right, if that joins none itself.
    fn roots(&self, input: ClusterInput<'_>) -> Result<Vec<u32>> {
        let mut roots: Vec<u32> = (0..input.records).collect();
        input.pairs.in_order(&mut |rows| {
            for (pair, score) in rows.pairs.iter().zip(&rows.scores) {
                let [l, r] = input.records_of(pair);
                assert_eq!(score.get(), Some(f64::from(l)));
                if roots[l as usize] == l && roots[r as usize] == r {
                    roots[r as usize] = l;
                }
            }
            Ok(())
        })?;
        Ok(roots)
    }
}

#[test]
fn pairs_come_in_order_with_their_scores() {
    let pairs = [(1, 2), (0, 1), (2, 3)].map(|(l, r)| Pair { l, r, rule: 0 });
    for at_a_time in 1..4 {
        let listed = ListedPairs::new(pairs.to_vec(), at_a_time);
        let input = ClusterInput { pairs: &listed, records: 4, right_offset: 0, components: None };
        assert_eq!(FirstPairsOnly.roots(input).unwrap(), [0, 0, 2, 2]);
    }
}
