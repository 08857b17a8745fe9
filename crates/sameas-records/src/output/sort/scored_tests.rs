//! Scores stay with their pairs, bit by bit: through buffers, runs, files and what is restored of them.

use proptest::collection::btree_map;
use proptest::prelude::*;

use super::*;
use crate::pairs::PairsInOrder;

/// What a pair carries here: of every fifth nothing, and of the others bits that no rounding leaves as they are.
fn score_of(pair: Pair) -> PairScore {
    let mixed = pair.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(pair.rule);
    match mixed % 5 {
        0 => PairScore::NONE,
        1 => PairScore::new(-0.0),
        _ => PairScore::new(mixed as f64 / 3.0 - 1e18),
    }
}

fn scored(pairs: &[Pair]) -> ResultPairs {
    ResultPairs { pairs: pairs.to_vec(), scores: pairs.iter().map(|pair| score_of(*pair)).collect() }
}

fn in_order(pairs: &[Pair]) -> ResultPairs {
    let mut pairs = pairs.to_vec();
    pairs.sort_by_key(|pair| pair.key());
    scored(&pairs)
}

fn fill(buffers: &mut [PairBuffer], pairs: &[Pair]) {
    let workers = buffers.len();
    for (at, pair) in pairs.iter().enumerate() {
        buffers[at % workers].push_scored(*pair, score_of(*pair)).unwrap();
    }
}

fn sorted(pairs: &[Pair], budget: usize, workers: usize) -> SortedPairs {
    let dir = tempfile::tempdir().unwrap();
    let sorter = PairSorter::with_scores(budget, workers, Some(dir.path())).unwrap();
    let mut buffers: Vec<_> = (0..workers).map(|_| sorter.buffer()).collect();
    fill(&mut buffers, pairs);
    sorter.finish(buffers).unwrap()
}

/// Distinct pairs in random order, of few rows or of all there can be.
fn pairs(most: usize) -> impl Strategy<Value = Vec<Pair>> {
    let rows = prop_oneof![Just(u32::MAX), Just(300), Just(20)];
    rows.prop_flat_map(move |rows| btree_map((0..=rows, 0..=rows), prop_oneof![0..9_u32, any::<u32>()], 0..most))
        .prop_map(|map| map.into_iter().map(|((l, r), rule)| Pair { l, r, rule }).collect::<Vec<_>>())
        .prop_shuffle()
}

fn budgets() -> impl Strategy<Value = usize> {
    prop_oneof![Just(0), 0..40_000_usize, Just(1 << 20)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn scores_are_read_with_their_pairs(
        pairs in pairs(3000), budget in budgets(), workers in 1..6_usize, cuts in (0.0..1.0_f64, 0.0..1.0_f64),
    ) {
        let (sorted, expected) = (sorted(&pairs, budget, workers), in_order(&pairs));
        prop_assert_eq!(&sorted.read_scored(0..sorted.len()).unwrap(), &expected);
        prop_assert_eq!(&sorted.read(0..sorted.len()).unwrap(), &expected.pairs);
        let cut = |share: f64| (share * pairs.len() as f64) as usize;
        let (from, to) = (cut(cuts.0.min(cuts.1)), cut(cuts.0.max(cuts.1)));
        let part = sorted.read_scored(from as u64..to as u64).unwrap();
        prop_assert_eq!(part, scored(&expected.pairs[from..to]));

        let mut seen = ResultPairs::default();
        let mut take = |rows: &ResultPairs| {
            seen.pairs.extend(&rows.pairs);
            seen.scores.extend(&rows.scores);
            Ok(())
        };
        sorted.in_order(&mut take).unwrap();
        prop_assert_eq!(&seen, &expected);

        let seen = Mutex::new(Vec::new());
        let take = |rows: &ResultPairs| {
            assert_eq!(*rows, scored(&rows.pairs), "each with its own");
            seen.lock().unwrap().extend(rows.pairs.iter().copied());
            Ok(())
        };
        sorted.in_any_order(&take).unwrap();
        prop_assert_eq!(in_order(&seen.into_inner().unwrap()), expected);
    }

    #[test]
    fn scores_are_saved_and_restored(
        pairs in pairs(3000), budget in budgets(), workers in 1..4_usize, broken in any::<prop::sample::Index>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let (file, half) = (dir.path().join("runs"), pairs.len() / 2);
        let sorter = PairSorter::with_scores(budget, workers, Some(dir.path())).unwrap();
        let mut buffers: Vec<_> = (0..workers).map(|_| sorter.buffer()).collect();
        fill(&mut buffers, &pairs[..half]);
        buffers.iter_mut().for_each(|buffer| { buffer.flush().unwrap(); buffer.end_spill(); });
        let saved = buffers[0].save(SorterMark { runs: 0 }, &file).unwrap();
        fill(&mut buffers, &pairs[half..]);
        let sorted = sorter.finish(buffers).unwrap();
        prop_assert_eq!(sorted.read_scored(0..sorted.len()).unwrap(), in_order(&pairs));

        prop_assert!(are_intact(&file, &saved));
        let other = PairSorter::with_scores(budget, 1, Some(dir.path())).unwrap();
        other.restore(&file, &saved, &|_| {}).unwrap();
        let mut buffers = [other.buffer()];
        fill(&mut buffers, &pairs[half..]);
        let sorted = other.finish(buffers.into()).unwrap();
        prop_assert_eq!(sorted.read_scored(0..sorted.len()).unwrap(), in_order(&pairs));

        let mut bytes = std::fs::read(&file).unwrap();
        if !bytes.is_empty() {
            let at = broken.index(bytes.len());
            bytes[at] ^= 1;
            std::fs::write(&file, bytes).unwrap();
            prop_assert!(!are_intact(&file, &saved));
        }
    }

    #[test]
    fn scores_of_pairs_in_order_stay_with_them(pairs in pairs(600), runs in 0_usize..5, budget in budgets()) {
        let sorter = PairSorter::with_scores(budget, 1, None).unwrap();
        let mut buffers = [sorter.buffer()];
        for (at, part) in pairs.chunks(pairs.len().div_ceil(6).max(1)).enumerate() {
            if at < runs {
                let ResultPairs { pairs, scores } = in_order(part);
                buffers[0].add_runs(pairs.into_iter().zip(scores)).unwrap();
            } else {
                fill(&mut buffers, part);
            }
        }
        let sorted = sorter.finish(buffers.into()).unwrap();
        prop_assert_eq!(sorted.read_scored(0..sorted.len()).unwrap(), in_order(&pairs));
    }
}

/// Runs without scores have nothing for them.
#[test]
fn pairs_without_scores_take_no_more_room() {
    let pairs: Vec<Pair> = (0..5000).map(|at| Pair { l: at / 7, r: at, rule: at % 3 }).collect();
    let packed = |list: &ResultPairs| {
        let mut packed = Vec::new();
        run::pack(&list.pairs, &list.scores, &mut packed);
        packed.len()
    };
    let without = packed(&ResultPairs { pairs: pairs.clone(), scores: Vec::new() });
    assert_eq!(packed(&scored(&pairs)), without + pairs.len() * PairScore::BYTES);
    let [new, with_scores] = [PairSorter::new, PairSorter::with_scores].map(|make| make(1 << 20, 1, None).unwrap());
    assert_eq!(new.capacity, (1 << 19) / 28);
    assert!(with_scores.capacity < new.capacity);
    let mut buffer = new.buffer();
    buffer.push_scored(pairs[0], score_of(pairs[0])).unwrap();
    let rows = new.finish(vec![buffer]).unwrap().read_scored(0..1).unwrap();
    assert_eq!(rows, ResultPairs { pairs: vec![pairs[0]], scores: Vec::new() });
}
