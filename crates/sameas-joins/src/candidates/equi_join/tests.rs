//! The join against nested loops, and the bound on tasks.

use std::ops::Range;

use proptest::prelude::*;

use super::inspect::Inspected;
use super::round::BOUND;
use super::*;
use crate::candidates::equi_join::blocks::{AREA, Product};
use crate::candidates::tile::{Pairing, Tile};

/// Keeps every pair.
#[derive(Default)]
struct Keep {
    pairs: Vec<(u32, u32)>,
}

impl Sink for Keep {
    fn tile(&mut self, tile: Tile<'_>) {
        for (at, left) in tile.left.iter().enumerate() {
            let behind = match tile.pairing {
                Pairing::All => tile.right,
                Pairing::Ascending => &tile.right[at + 1..],
                Pairing::Sorted | Pairing::Before => unreachable!(),
            };
            self.pairs.extend(behind.iter().map(|right| (*left, *right)));
        }
    }
}

/// Counts pairs without keeping them.
#[derive(Default)]
struct Count(u64);

impl Sink for Count {
    fn tile(&mut self, tile: Tile<'_>) {
        self.0 += match tile.pairing {
            Pairing::All => Product::Rectangle(tile.left.len(), tile.right.len()).pairs(),
            _ => Product::Triangle(tile.left.len()).pairs(),
        };
    }
}

/// All pairs of a join, sorted; checks the count of each round on the way.
fn pairs<K: Key, L: KeySource<K>, R: KeySource<K>>(mut join: EquiJoin<K, L, R>) -> Vec<(u32, u32)> {
    let mut keep = Keep::default();
    for round in 0..join.rounds() {
        join.prepare(round);
        let before = keep.pairs.len();
        (0..join.tasks()).for_each(|task| join.run(task, &mut keep));
        assert_eq!(join.pairs(), (keep.pairs.len() - before) as u64);
    }
    keep.pairs.sort_unstable();
    keep.pairs
}

/// The nested loop; rows are payloads.
fn naive<K: PartialEq>(left: &[Option<K>], right: Option<&[Option<K>]>) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (l, left_key) in left.iter().enumerate() {
        for (r, right_key) in right.unwrap_or(left).iter().enumerate() {
            if left_key.is_some() && left_key == right_key && (right.is_some() || l < r) {
                found.push((l as u32, r as u32));
            }
        }
    }
    found
}

/// Tuples computed from the record number; `None` is a null key and takes no part.
struct Indexed<F> {
    len: usize,
    tuple: F,
}

impl<K, F: Fn(usize) -> Option<(K, u32)> + Sync> KeySource<K> for Indexed<F> {
    fn len(&self) -> usize {
        self.len
    }

    fn each(&self, range: Range<usize>, mut take: impl FnMut(K, u32)) {
        range.filter_map(&self.tuple).for_each(|(key, payload)| take(key, payload));
    }
}

/// A source joined with itself.
fn within<K: Key, L: KeySource<K>>(source: L, budget_bytes: usize) -> EquiJoin<K, L, L> {
    EquiJoin::new(source, None, budget_bytes)
}

fn indexed<K: Key>(keys: &[Option<K>]) -> impl KeySource<K> {
    Indexed { len: keys.len(), tuple: |at: usize| keys[at].map(|key| (key, at as u32)) }
}

/// Both shapes of a join, without skewed keys and with every third key of the left side declared skewed.
fn check<K: Key>(left: &[Option<K>], right: &[Option<K>], budget: usize) {
    let some: Vec<K> = left.iter().step_by(3).flatten().copied().collect();
    for skewed in [&[], &some[..]] {
        let mut two = EquiJoin::new(indexed(left), Some(indexed(right)), budget);
        two.skew = Skew::from_keys(skewed.iter().copied());
        assert_eq!(pairs(two), naive(left, Some(right)));
        let mut one = within(indexed(left), budget);
        one.skew = Skew::from_keys(skewed.iter().copied());
        assert_eq!(pairs(one), naive(left, None));
    }
}

fn keys(domain: u64) -> impl Strategy<Value = Vec<Option<u64>>> {
    prop::collection::vec(prop::option::weighted(0.9, 0..domain), 0..200)
}

proptest! {
    #[test]
    fn agrees_with_the_nested_loop(
        (left, right) in (1u64..150).prop_flat_map(|domain| (keys(domain), keys(domain))),
        budget in prop::sample::select(vec![1, 100, 1000, usize::MAX]),
        shift in 0u32..40,
    ) {
        let wide = |side: &[Option<u64>]| side.iter().map(|key| key.map(|key| key << shift)).collect::<Vec<_>>();
        check(&wide(&left), &wide(&right), budget);
        let narrow = |side: &[Option<u64>]| side.iter().map(|key| key.map(|key| key as u32)).collect::<Vec<_>>();
        check(&narrow(&left), &narrow(&right), budget);
    }

    #[test]
    fn blocks_cover_a_product_once(left in 0usize..9000, right in 0usize..9000) {
        for product in [Product::Rectangle(left, right), Product::Triangle(left)] {
            let (rows, columns): (Vec<u32>, Vec<u32>) = ((0..left as u32).collect(), (0..right as u32).collect());
            let columns = if matches!(product, Product::Triangle(_)) { &rows } else { &columns };
            let mut count = Count::default();
            for at in 0..product.blocks() {
                let tile = product.tile(at, &rows, columns);
                prop_assert!(tile.left.len() * tile.right.len() <= AREA && !tile.left.is_empty() && !tile.right.is_empty());
                let ordered = tile.left.last() < tile.right.first() || tile.pairing == Pairing::Ascending;
                prop_assert!(ordered || matches!(product, Product::Rectangle(..)));
                count.tile(tile);
            }
            prop_assert_eq!(count.0, product.pairs());
        }
    }
}

/// Keys that are mostly one of a few, the rest spread over `universe`.
fn skewed(n: usize, frequent: u64, universe: u64, seed: u64) -> Vec<u64> {
    let random = |at: usize| (seed << 32 | at as u64).hash() >> 20;
    (0..n).map(random).map(|x| if x % 3 == 0 { x / 3 % frequent } else { x / 3 % universe }).collect()
}

/// The pairs of a join as a count for each key, by plain counting.
fn expected(left: &[u64], right: &[u64], universe: usize) -> u64 {
    let count = |keys: &[u64]| {
        let mut counts = vec![0u64; universe];
        keys.iter().for_each(|key| counts[*key as usize] += 1);
        counts
    };
    count(left).iter().zip(count(right)).map(|(l, r)| l * r).sum()
}

fn tuples<'a>(keys: &'a [u64], rows: &'a [u32]) -> Tuples<'a, u64> {
    Tuples { keys, payloads: rows }
}

#[test]
fn sampled_keys_stay_out_of_the_partitions() {
    let (n, universe) = (600_000, 400_000);
    let (left, right) = (skewed(n, 5, universe, 1), skewed(n, 5, universe, 2));
    let rows: Vec<u32> = (0..n as u32).collect();
    for budget in [usize::MAX, n * 16] {
        let mut join = EquiJoin::new(tuples(&left, &rows), Some(tuples(&right, &rows)), budget);
        assert_eq!(join.skew.len(), 5);
        let mut total = 0;
        for round in 0..join.rounds() {
            join.prepare(round);
            let mut count = Count::default();
            (0..join.tasks()).for_each(|task| join.run(task, &mut count));
            assert_eq!(join.pairs(), count.0);
            total += count.0;
        }
        assert_eq!(total, expected(&left, &right, universe as usize));
    }
}

#[test]
fn no_task_exceeds_the_bound_even_if_the_sample_misses() {
    // A third of the records has one key, and nothing is said of it.
    let n = 600_000;
    let rows: Vec<u32> = (0..n as u32).collect();
    let keys = skewed(n, 1, 1 << 40, 3);
    let mut join = within(tuples(&keys, &rows), usize::MAX);
    join.skew = Skew::none();
    join.prepare(0);
    let mut total = 0;
    for task in 0..join.tasks() {
        let mut count = Count::default();
        join.run(task, &mut count);
        assert!(count.0 <= BOUND);
        total += count.0;
    }
    assert!(total > 1 << 33 && total == join.pairs());
}

#[test]
fn runs_of_an_inspected_partition_are_bounded() {
    let tuple = |at: u32| Tuple::new(at / 1500, at);
    let side: Vec<Tuple<u32>> = (0..150_000).map(tuple).collect();
    let split = HashSplit { rounds: 1, bits: 0 };
    let inspected = Inspected::new(&side, Some(&side), split, &mut Layout::new());
    assert!(inspected.heavy.is_empty() && inspected.runs.len() == 50);
    assert_eq!(inspected.pairs(), 100 * 1500 * 1500);
    for run in &inspected.runs {
        let pairs: u64 = inspected.groups[run.clone()].iter().map(|group| group.product.pairs()).sum();
        assert!(pairs < 2 * AREA as u64);
    }
}

#[test]
fn payloads_of_a_key_keep_their_order() {
    let n = 700_000;
    let keys = skewed(n, 40, 3000, 4);
    let rows: Vec<u32> = (0..n as u32).collect();
    struct Ascends;
    impl Sink for Ascends {
        fn tile(&mut self, tile: Tile<'_>) {
            assert!(tile.left.is_sorted() && tile.right.is_sorted());
        }
    }
    let mut join = within(tuples(&keys, &rows), usize::MAX);
    join.prepare(0);
    (0..join.tasks()).for_each(|task| join.run(task, &mut Ascends));
}

#[test]
fn edges() {
    check::<u32>(&[], &[], usize::MAX);
    check::<u32>(&[Some(0)], &[], usize::MAX);
    check::<u64>(&[None, None], &[None, Some(u64::MAX)], usize::MAX);
    check::<u32>(&[Some(u32::MAX), Some(0)], &[Some(0), Some(u32::MAX)], 1);
    for n in [1, 2, 31, 32, 33, 65, 2047, 2049] {
        check(&vec![Some(7u32); n], &vec![Some(7u32); 65], usize::MAX);
    }
}

#[test]
#[should_panic(expected = "answered differently")]
fn a_source_that_changes_its_answer_is_refused() {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let fickle = |at: usize| Some((asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) as u32, at as u32));
    within(Indexed { len: 100_000, tuple: fickle }, usize::MAX).prepare(0);
}
