//! The join on the emulated device against the nested loop: both ways, every width, tiny units and tiny outputs.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sameas_kernels::layout::set_join::SET_JOIN_WORDS;

use super::super::tests::{Decision, Stored, decision, naive, sets, similar};
use super::*;
use crate::device_values::DeviceSets;

/// What a join found, in order, and what it did.
struct Joined {
    pairs: Vec<(u32, u32)>,
    counters: SetCounters,
    path: Enumeration,
    tasks: u64,
    rounds: u64,
}

/// Runs a join by launches that are halved where their output is too small.
fn joined(
    left: &[BTreeSet<u32>],
    right: Option<&[BTreeSet<u32>]>,
    holds: &Decision,
    settings: GpuSetJoinSettings,
    room: usize,
) -> Joined {
    let gpu = Gpu::emulated(64 << 20, left.len() as u64 + room as u64);
    let stored: Vec<Stored> = std::iter::once(left).chain(right).map(Stored::new).collect();
    let on_device: Vec<DeviceSets> = stored.iter().map(|sets| DeviceSets::new(&gpu, sets.view()).unwrap()).collect();
    let codes = |n: usize| (0..n as u32).rev().collect::<Vec<_>>();
    let (left_codes, right_codes) = (codes(left.len()), codes(right.map_or(0, <[_]>::len)));
    let other = right.map(|_| (on_device[1].layout(), &right_codes[..]));
    let mut join = GpuSetJoin::new(&gpu, (on_device[0].layout(), &left_codes), other, holds, settings).unwrap();
    let out = PairOutput::new(&gpu, room, room).unwrap();
    let (mut pairs, mut lost, mut tasks, mut rounds) = (Vec::new(), 0, 0, 0);
    while join.next_round().unwrap() {
        (tasks, rounds) = (tasks + join.tasks(), rounds + 1);
        lost += run_round(&gpu, &join, &out, &mut pairs);
    }
    if right.is_none() {
        pairs.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
    }
    pairs.sort_unstable();
    let counters = join.counters().unwrap();
    assert_eq!(counters.found, pairs.len() as u64 + lost);
    Joined { pairs, counters, path: join.path().unwrap(), tasks, rounds }
}

/// Adds the pairs of a round, and returns how many were counted by launches that had no room for them.
fn run_round(gpu: &Gpu, join: &GpuSetJoin, out: &PairOutput, pairs: &mut Vec<(u32, u32)>) -> u64 {
    let (room, mut lost) = (out.pairs[0].len(), 0);
    let mut waiting: Vec<Range<u64>> = std::iter::once(0..join.tasks()).collect();
    while let Some(tasks) = waiting.pop() {
        out.clear().unwrap();
        join.launch(tasks.clone(), out).unwrap();
        let [found, deferred] = out.found().unwrap();
        assert_eq!(deferred, 0, "no pair of sets is left to the host");
        if found <= room {
            let [a, b] = out.pairs.each_ref().map(|side| gpu.read(side, 0..found).unwrap());
            pairs.extend(a.into_iter().zip(b));
        } else {
            assert!(tasks.end - tasks.start > 1, "a task has more pairs than there is room for");
            lost += found as u64;
            let middle = tasks.start.midpoint(tasks.end);
            waiting.extend([tasks.start..middle, middle..tasks.end]);
        }
    }
    lost
}

/// Chosen by cost and forced both ways, each with another width and other units, against the nested loop.
fn check(left: &[BTreeSet<u32>], right: Option<&[BTreeSet<u32>]>, holds: &Decision, seed: usize) {
    let expected = naive(left, right, holds);
    let paths = [None, Some(Enumeration::Prefixes), Some(Enumeration::Everything)];
    for (at, path) in paths.into_iter().enumerate() {
        let words = [None, Some(SET_JOIN_WORDS[(seed + at) % 3])][(seed + at) / 3 % 2];
        let piece = [None, Some(32), Some(64)][(seed / 6 + at) % 3];
        let memory = (seed % 5 == 4).then_some(40_000);
        let settings = GpuSetJoinSettings { path, words, piece, processors: None, memory };
        let room = if piece == Some(32) { 128 * 32 } else { 1 << 16 };
        let found = joined(left, right, holds, settings, room);
        assert_eq!(found.pairs, expected, "{settings:?} taken {:?}", found.path);
        assert!(path != Some(Enumeration::Everything) || found.path == Enumeration::Everything);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn self_joins(a in similar(300, 40, 40), kind in 0usize..7, t in 1u32..=10, seed in 0usize..100) {
        check(&a, None, &decision(kind, f64::from(t) / 10.0), seed);
    }

    #[test]
    fn joins_of_two_sides(
        a in similar(120, 25, 30), b in similar(120, 35, 30), kind in 0usize..7, t in 1u32..=10, seed in 0usize..100,
    ) {
        check(&a, Some(&b), &decision(kind, f64::from(t) / 10.0), seed);
    }

    #[test]
    fn tiny_alphabets(a in sets(9, 9, 60), b in sets(9, 9, 20), kind in 0usize..7, t in 0u32..=10, seed in 0usize..100) {
        let holds = decision(kind, f64::from(t) / 10.0);
        check(&a, None, &holds, seed);
        check(&a, Some(&b), &holds, seed);
    }

    #[test]
    fn large_sets(a in similar(4000, 300, 14), kind in 0usize..7, t in 3u32..=10, seed in 0usize..100) {
        check(&a, None, &decision(kind, f64::from(t) / 10.0), seed);
    }
}

#[test]
fn a_token_in_all_sets_of_one_size() {
    let sets: Vec<BTreeSet<u32>> = (0..200_u32).map(|i| BTreeSet::from([i / 4, 300 + i % 7, 999])).collect();
    for (seed, (kind, t)) in [(0, 0.3), (0, 0.5), (4, 0.3), (6, 0.0), (0, 0.0)].into_iter().enumerate() {
        check(&sets, None, &decision(kind, t), seed);
        check(&sets[..50], Some(&sets[25..]), &decision(kind, t), seed);
    }
}

#[test]
fn edge_counts_and_sizes() {
    for (seed, count) in [0_u32, 1, 2, 7, 8, 9, 31, 32, 33, 65, 129].into_iter().enumerate() {
        for size in [1_u32, 2, 33, 64] {
            let sets: Vec<BTreeSet<u32>> = (0..count).map(|i| (0..size).map(|k| (i % 5) * 7 + k).collect()).collect();
            check(&sets, None, &decision(0, 0.6), seed);
        }
    }
    check(&[BTreeSet::new()], None, &decision(0, 0.0), 0);
    check(&[BTreeSet::new(), BTreeSet::from([7])], Some(&[BTreeSet::new()]), &decision(6, 0.0), 1);
    check(&[], Some(&[BTreeSet::from([1])]), &decision(0, 0.5), 2);
}

/// Thousands of tokens in a set, most of them common, beside sets of one token.
#[test]
fn very_large_sets_and_single_tokens() {
    let large =
        |i: u32| (0..3000).filter(|token| token % 97 != i && (i != 3 || token % 3 > 0)).collect::<BTreeSet<u32>>();
    let all: Vec<BTreeSet<u32>> = (0..6).map(large).chain((0..40).map(|i| BTreeSet::from([i % 13]))).collect();
    for (seed, (kind, t)) in [(0, 0.9), (0, 0.3), (2, 0.95), (4, 1.0), (5, 0.1), (6, 0.0)].into_iter().enumerate() {
        check(&all, None, &decision(kind, t), seed);
        check(&all[..9], Some(&all), &decision(kind, t), seed + 1);
    }
}

/// Sets that differ in size by more than the threshold allows are never compared.
#[test]
fn sizes_that_cannot_match_have_no_work() {
    let of = |size: u32| move |i: u32| (0..size).map(|k| i * 3 + k * 7).collect::<BTreeSet<u32>>();
    let all: Vec<BTreeSet<u32>> = (0..128).map(of(10)).chain((0..128).map(of(40))).collect();
    let settings = GpuSetJoinSettings {
        path: Some(Enumeration::Everything),
        words: Some(8),
        piece: Some(32),
        ..GpuSetJoinSettings::default()
    };
    let found = joined(&all, None, &decision(0, 0.8), settings, 1 << 16);
    assert_eq!(found.counters.compared, 2 * 128 * 128, "{} tasks", found.tasks);
}

/// A list of a token that all sets have is cut into units, and so is the list of everything.
#[test]
fn long_lists_are_cut_into_units() {
    let sets: Vec<BTreeSet<u32>> = (0..500_u32).map(|i| BTreeSet::from([i % 50, 5000])).collect();
    for path in [Enumeration::Prefixes, Enumeration::Everything] {
        let settings = GpuSetJoinSettings { path: Some(path), piece: Some(64), ..GpuSetJoinSettings::default() };
        let found = joined(&sets, None, &decision(0, 0.3), settings, 128 * 64);
        assert_eq!(found.path, path);
        assert!(found.tasks > 16, "{path:?}: {} tasks", found.tasks);
        assert_eq!(found.pairs, naive(&sets, None, &decision(0, 0.3)));
    }
}

#[test]
fn lists_without_memory_are_not_made() {
    let sets: Vec<BTreeSet<u32>> = (0..100_u32).map(|i| BTreeSet::from([i, i + 1, i + 2])).collect();
    let path = Some(Enumeration::Prefixes);
    let with = |memory: Option<usize>| {
        let settings = GpuSetJoinSettings { path, memory, ..GpuSetJoinSettings::default() };
        joined(&sets, None, &decision(0, 0.5), settings, 1 << 14).path
    };
    assert_eq!((with(Some(1000)), with(None)), (Enumeration::Everything, Enumeration::Prefixes));
}

#[test]
fn lists_that_exceed_the_memory_are_joined_in_rounds() {
    let sets: Vec<BTreeSet<u32>> =
        (0..600_u32).map(|i| BTreeSet::from([i / 3, 300 + i / 5, 600 + i % 40, 700 + i % 7])).collect();
    let holds = decision(0, 0.5);
    let words = SET_JOIN_WORDS[0];
    let settings = |memory| GpuSetJoinSettings {
        path: Some(Enumeration::Prefixes),
        words: Some(words),
        memory,
        ..GpuSetJoinSettings::default()
    };
    for right in [None, Some(&sets[100..500])] {
        let count = sets.len() + right.map_or(0, <[_]>::len);
        let with_sides = |memory: usize| memory + size_of::<u32>() * (words + 3) * count;
        let whole = joined(&sets, right, &holds, settings(None), 1 << 16);
        let parts = joined(&sets, right, &holds, settings(Some(with_sides(30_000))), 1 << 16);
        assert_eq!((whole.path, whole.rounds), (Enumeration::Prefixes, 1));
        assert!(parts.path == Enumeration::Prefixes && parts.rounds > 2, "{} rounds", parts.rounds);
        assert_eq!(parts.pairs, whole.pairs);
        assert_eq!(parts.counters, whole.counters);
        // The list of one token alone does not fit: everything is compared.
        let all = joined(&sets, right, &holds, settings(Some(with_sides(10_200))), 1 << 16);
        assert_eq!((all.path, all.pairs == whole.pairs), (Enumeration::Everything, true));
    }
}
