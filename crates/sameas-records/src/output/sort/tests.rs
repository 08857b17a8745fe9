//! The sort against a plain sort, with any number of workers and budgets that spill all the time.

use proptest::collection::btree_map;
use proptest::prelude::*;

use super::*;

fn sorted(pairs: &[Pair], budget: usize, workers: usize) -> SortedPairs {
    let dir = tempfile::tempdir().unwrap();
    let sorter = PairSorter::new(budget, workers, Some(dir.path())).unwrap();
    let mut buffers: Vec<_> = (0..workers).map(|_| sorter.buffer()).collect();
    for (i, &pair) in pairs.iter().enumerate() {
        buffers[i % workers].push(pair).unwrap();
    }
    sorter.finish(buffers).unwrap()
}

/// Distinct pairs in random order: scattered over all rows, or close together.
fn pairs(most: usize) -> impl Strategy<Value = Vec<Pair>> {
    let rows = prop_oneof![Just(u32::MAX), Just(300), Just(20)];
    rows.prop_flat_map(move |rows| btree_map((0..=rows, 0..=rows), prop_oneof![0..9_u32, any::<u32>()], 0..most))
        .prop_map(|map| map.into_iter().map(|((l, r), rule)| Pair { l, r, rule }).collect::<Vec<_>>())
        .prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Pairs before a mark stay, whether they are in memory or in a file, and those after it go; memory comes back.
    #[test]
    fn what_comes_after_a_mark_can_be_dropped(
        pairs in pairs(2000), budget in prop_oneof![Just(0), 0..20_000_usize, Just(1 << 20)], workers in 1..6_usize,
        cuts in (0.0..1.0_f64, 0.0..1.0_f64),
    ) {
        let cut = |share: f64| (share * pairs.len() as f64) as usize;
        let (kept, again) = (cut(cuts.0.min(cuts.1)), cut(cuts.0.max(cuts.1)));
        let dir = tempfile::tempdir().unwrap();
        let sorter = PairSorter::new(budget, workers, Some(dir.path())).unwrap();
        let mut buffers: Vec<_> = (0..workers).map(|_| sorter.buffer()).collect();
        let push = |buffers: &mut Vec<PairBuffer>, pairs: &[Pair]| {
            pairs.iter().enumerate().for_each(|(i, pair)| buffers[i % workers].push(*pair).unwrap());
        };
        push(&mut buffers, &pairs[..kept]);
        buffers.iter_mut().for_each(|buffer| buffer.flush().unwrap());
        let (mark, left) = (buffers[0].mark(), sorter.shared.memory_left.load(Ordering::Relaxed));
        push(&mut buffers, &pairs[kept..again]);
        buffers.iter_mut().for_each(|buffer| buffer.roll_back(mark));
        prop_assert_eq!(sorter.shared.memory_left.load(Ordering::Relaxed), left);
        push(&mut buffers, &pairs[kept..]);
        let sorted = sorter.finish(buffers).unwrap();
        let mut expected = pairs.clone();
        expected.sort_by_key(|pair| pair.key());
        prop_assert_eq!(sorted.read(0..sorted.len()).unwrap(), expected);
    }

    #[test]
    fn equals_a_plain_sort(
        pairs in pairs(3000), budget in prop_oneof![Just(0), 0..20_000_usize, Just(1 << 20)], workers in 1..6_usize,
        cuts in (0.0..1.0_f64, 0.0..1.0_f64),
    ) {
        let sorted = sorted(&pairs, budget, workers);
        let mut expected = pairs.clone();
        expected.sort_by_key(|pair| pair.key());
        prop_assert_eq!(sorted.len(), pairs.len() as u64);
        prop_assert_eq!(&sorted.read(0..sorted.len()).unwrap(), &expected);
        let cut = |share: f64| (share * pairs.len() as f64) as usize;
        let (from, to) = (cut(cuts.0.min(cuts.1)), cut(cuts.0.max(cuts.1)));
        prop_assert_eq!(&sorted.read(from as u64..to as u64).unwrap(), &expected[from..to]);
        let mut in_block_ranges = Vec::new();
        sorted.block_ranges().iter().for_each(|range| range.each(|pair| in_block_ranges.push(pair)).unwrap());
        in_block_ranges.sort_by_key(|pair| pair.key());
        prop_assert_eq!(in_block_ranges, expected);
    }

    /// Pairs that were saved are those of another sorter, with what came before and after; a changed byte is noticed.
    #[test]
    fn saved_runs_are_restored(
        pairs in pairs(3000), budget in prop_oneof![Just(0), 0..20_000_usize, Just(1 << 20)], workers in 1..4_usize,
        cuts in (0.0..1.0_f64, 0.0..1.0_f64), broken in any::<prop::sample::Index>(),
    ) {
        let cut = |share: f64| (share * pairs.len() as f64) as usize;
        let (from, to) = (cut(cuts.0.min(cuts.1)), cut(cuts.0.max(cuts.1)));
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("runs");
        let sorter = PairSorter::new(budget, workers, Some(dir.path())).unwrap();
        let mut buffers: Vec<_> = (0..workers).map(|_| sorter.buffer()).collect();
        let fill = |buffers: &mut Vec<PairBuffer>, pairs: &[Pair]| {
            pairs.iter().enumerate().for_each(|(i, pair)| buffers[i % workers].push(*pair).unwrap());
            buffers.iter_mut().for_each(|buffer| { buffer.flush().unwrap(); buffer.end_spill(); });
        };
        fill(&mut buffers, &pairs[..from]);
        let mark = sorter.mark();
        fill(&mut buffers, &pairs[from..to]);
        let saved = buffers[0].save(mark, &file).unwrap();
        fill(&mut buffers, &pairs[to..]);
        let mut expected = pairs.clone();
        expected.sort_by_key(|pair| pair.key());
        let sorted = sorter.finish(buffers).unwrap();
        prop_assert_eq!(sorted.read(0..sorted.len()).unwrap(), expected);

        prop_assert!(are_intact(&file, &saved));
        let other = PairSorter::new(budget, 1, Some(dir.path())).unwrap();
        let seen = std::cell::RefCell::new(Vec::new());
        other.restore(&file, &saved, &|pair| seen.borrow_mut().push(pair)).unwrap();
        let restored = other.finish(Vec::new()).unwrap();
        let mut expected = pairs[from..to].to_vec();
        expected.sort_by_key(|pair| pair.key());
        prop_assert_eq!(restored.read(0..restored.len()).unwrap(), expected.clone());
        let mut seen = seen.into_inner();
        seen.sort_by_key(|pair| pair.key());
        prop_assert_eq!(seen, expected);

        let mut bytes = std::fs::read(&file).unwrap();
        if !bytes.is_empty() {
            let at = broken.index(bytes.len());
            bytes[at] ^= 1;
            std::fs::write(&file, bytes).unwrap();
            prop_assert!(!are_intact(&file, &saved));
        }
    }

    #[test]
    fn pairs_in_order_are_runs_of_their_own(pairs in pairs(600), runs in 0usize..5, budget in 0usize..20_000) {
        let sorter = PairSorter::new(budget, 1, None).unwrap();
        let mut buffer = sorter.buffer();
        let mut expected = pairs.clone();
        expected.sort_by_key(|pair| pair.key());
        for (at, part) in pairs.chunks(pairs.len().div_ceil(6).max(1)).enumerate() {
            let mut part = part.to_vec();
            if at < runs {
                part.sort_by_key(|pair| pair.key());
                buffer.add_runs(part.into_iter().map(|pair| (pair, PairScore::NONE))).unwrap();
            } else {
                part.into_iter().for_each(|pair| buffer.push(pair).unwrap());
            }
        }
        let sorted = sorter.finish(vec![buffer]).unwrap();
        prop_assert_eq!(sorted.read(0..sorted.len()).unwrap(), expected);
    }

    #[test]
    fn radix_sort_equals_a_plain_sort(mut pairs in pairs(5000)) {
        let mut expected = pairs.clone();
        expected.sort_by_key(|pair| pair.key());
        radix::sort(&mut pairs, &mut Vec::new());
        prop_assert_eq!(pairs, expected);
    }
}

/// Several buckets, even and uneven: nearly all in one, and rows from end to end.
#[test]
fn radix_sort_in_buckets() {
    let mix = |at: u64| at.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    for (rows, outliers) in [(1_000_000, 0), (300, 1), (u64::from(u32::MAX), 0), (2_000, 3_000)] {
        let pair = |at: u64| {
            let rows = if at < outliers { u64::from(u32::MAX) } else { rows };
            Pair { l: (mix(at) % rows) as u32, r: (mix(at + 1_000_000) % rows) as u32, rule: (at % 50) as u32 }
        };
        let mut pairs: Vec<Pair> = (0..300_000).map(pair).collect();
        let mut expected = pairs.clone();
        expected.sort_by_key(|pair| pair.key());
        let keys = |pairs: &[Pair]| pairs.iter().map(|pair| pair.key()).collect::<Vec<u64>>();
        radix::sort(&mut pairs, &mut Vec::new());
        assert!(keys(&pairs) == keys(&expected), "{rows} rows, {outliers} outliers");
        let rules =
            |pairs: &[Pair]| pairs.iter().map(|pair| u64::from(pair.rule) * (pair.key() % 1_000_003)).sum::<u64>();
        assert_eq!(rules(&pairs), rules(&expected), "each pair has kept its rule");
    }
}

#[test]
fn the_ends_of_the_key_range_are_read() {
    let ends = [(u32::MAX, u32::MAX, u32::MAX), (0, 0, 7), (u32::MAX, 0, 6), (0, u32::MAX, 0)];
    let pairs = ends.map(|(l, r, rule)| Pair { l, r, rule });
    let sorted = sorted(&pairs, 0, 2);
    let rows: Vec<_> = (0..4).flat_map(|rank| sorted.read(rank..rank + 1).unwrap()).collect();
    assert_eq!(rows, [pairs[1], pairs[3], pairs[2], pairs[0]]);
}

#[test]
fn nothing_is_read_from_nothing() {
    let sorted = sorted(&[], 0, 3);
    assert!(sorted.is_empty());
    assert_eq!(sorted.read(0..0).unwrap(), []);
    assert!(sorted.read(0..1).is_err());
}

#[test]
fn spilling_leaves_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let sorter = PairSorter::new(0, 1, Some(dir.path())).unwrap();
    let mut buffer = sorter.buffer();
    for r in 0..10_000 {
        buffer.push(Pair { l: 1, r, rule: 0 }).unwrap();
    }
    let sorted = sorter.finish(vec![buffer]).unwrap();
    assert_eq!(sorted.read(9_999..10_000).unwrap(), [Pair { l: 1, r: 9_999, rule: 0 }]);
    drop(sorted);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_missing_folder_is_an_error_of_the_first_spill() {
    let sorter = PairSorter::new(0, 1, Some(Path::new("/no/such/folder"))).unwrap();
    let mut buffer = sorter.buffer();
    let error = (0..MIN_BUFFER as u32).find_map(|r| buffer.push(Pair { l: 0, r, rule: 0 }).err()).unwrap();
    assert!(error.message().contains("/no/such/folder"));
}
