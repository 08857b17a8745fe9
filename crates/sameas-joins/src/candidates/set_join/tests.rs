use std::collections::BTreeSet;

use proptest::prelude::*;

use super::plan::rounds;
use super::*;
use crate::measure::set::{cosine, dice, jaccard, overlap_coefficient};

/// Sets as the records hold them.
pub(super) struct Stored {
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl Stored {
    pub(super) fn new(sets: &[BTreeSet<u32>]) -> Self {
        let mut stored = Self { ids: Vec::new(), ends: Vec::new() };
        for set in sets {
            stored.ids.extend(set);
            stored.ends.push(stored.ids.len());
        }
        stored
    }

    pub(super) fn view(&self) -> Sets<'_> {
        Sets::new(&self.ids, &self.ends)
    }
}

pub(super) type Decision = Box<dyn Fn(usize, usize, usize) -> bool + Sync>;

pub(super) fn decision(kind: usize, t: f64) -> Decision {
    match kind {
        0 => Box::new(move |i, x, y| jaccard(i, x, y) >= t),
        1 => Box::new(move |i, x, y| jaccard(i, x, y) > t),
        2 => Box::new(move |i, x, y| dice(i, x, y) >= t),
        3 => Box::new(move |i, x, y| cosine(i, x, y) >= t),
        4 => Box::new(move |i, x, y| overlap_coefficient(i, x, y) >= t),
        5 => Box::new(move |i, _, _| i as f64 >= 10.0 * t),
        _ => Box::new(|i, _, _| i >= 1),
    }
}

pub(super) fn naive(left: &[BTreeSet<u32>], right: Option<&[BTreeSet<u32>]>, holds: &Decision) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (l, a) in left.iter().enumerate() {
        let from = if right.is_some() { 0 } else { l };
        for (r, b) in right.unwrap_or(left).iter().enumerate().skip(from) {
            let common = a.intersection(b).count();
            if !a.is_empty() && !b.is_empty() && holds(common, a.len(), b.len()) {
                pairs.push((l as u32, r as u32));
            }
        }
    }
    pairs
}

/// Every path, instruction set and switch against the nested loop, each pair once.
fn check(left: &[BTreeSet<u32>], right: Option<&[BTreeSet<u32>]>, holds: &Decision, budget: usize) {
    let expected = naive(left, right, holds);
    let (stored_left, stored_right) = (Stored::new(left), right.map(Stored::new));
    let codes = |n: usize| (0..n as u32).rev().collect::<Vec<_>>();
    let (left_codes, right_codes) = (codes(left.len()), codes(right.map_or(0, <[_]>::len)));
    for path in [None, Some(Enumeration::Prefixes), Some(Enumeration::Everything)] {
        for (isa, bitmap, positional) in switches() {
            let options = SetJoinOptions { budget, path, bitmap, positional, isa };
            let other = stored_right.as_ref().map(|s| (s.view(), &right_codes[..]));
            let mut join = SetJoin::new((stored_left.view(), &left_codes), other, holds, options);
            let mut found = collect(&mut join);
            if right.is_none() {
                found.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
            }
            found.sort_unstable();
            assert_eq!(found, expected, "{path:?} {isa:?} bitmap {bitmap} positional {positional}");
            assert_eq!(join.counters().found, expected.len() as u64);
        }
    }
}

fn switches() -> Vec<(Isa, bool, bool)> {
    let mut all: Vec<_> = Isa::available().into_iter().map(|isa| (isa, true, true)).collect();
    let (narrowest, best) = (Isa::available()[0], Isa::detect());
    all.extend([(best, false, true), (best, true, false), (narrowest, false, false)]);
    all
}

pub(super) fn sets(tokens: u32, size: usize, count: usize) -> impl Strategy<Value = Vec<BTreeSet<u32>>> {
    let skewed = (0..tokens, 0..3_u32).prop_map(move |(token, skew)| token >> skew);
    prop::collection::vec(prop::collection::btree_set(skewed, 0..=size), 0..count)
}

/// Sets that resemble others: a copy with some tokens dropped and others added.
pub(super) fn similar(tokens: u32, size: usize, count: usize) -> impl Strategy<Value = Vec<BTreeSet<u32>>> {
    let change = (any::<prop::sample::Index>(), prop::collection::vec(0..tokens, 0..5));
    (sets(tokens, size, count), prop::collection::vec(change, 0..count)).prop_map(|(mut sets, changes)| {
        let known = sets.clone();
        for (at, tokens) in changes.into_iter().filter(|_| !known.is_empty()) {
            let mut set = known[at.index(known.len())].clone();
            for token in tokens {
                if !set.remove(&token) {
                    set.insert(token);
                }
            }
            sets.push(set);
        }
        sets
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn self_joins(a in similar(300, 40, 40), kind in 0usize..7, t in 1u32..=10, budget in 0usize..4000) {
        check(&a, None, &decision(kind, f64::from(t) / 10.0), budget);
    }

    #[test]
    fn joins_of_two_sides(
        a in similar(120, 25, 30), b in similar(120, 35, 30), kind in 0usize..7, t in 1u32..=10, budget in 0usize..4000,
    ) {
        check(&a, Some(&b), &decision(kind, f64::from(t) / 10.0), budget);
    }

    #[test]
    fn tiny_alphabets(a in sets(9, 9, 60), b in sets(9, 9, 20), kind in 0usize..7, t in 0u32..=10) {
        let holds = decision(kind, f64::from(t) / 10.0);
        check(&a, None, &holds, usize::MAX);
        check(&a, Some(&b), &holds, 100);
    }

    #[test]
    fn large_sets(a in similar(4000, 300, 14), kind in 0usize..7, t in 3u32..=10) {
        check(&a, None, &decision(kind, f64::from(t) / 10.0), usize::MAX);
    }
}

#[test]
fn a_token_in_all_sets_of_one_size() {
    let sets: Vec<BTreeSet<u32>> = (0..200_u32).map(|i| BTreeSet::from([i / 4, 300 + i % 7, 999])).collect();
    for (kind, t) in [(0, 0.3), (0, 0.5), (4, 0.3), (6, 0.0), (0, 0.0)] {
        check(&sets, None, &decision(kind, t), usize::MAX);
        check(&sets[..50], Some(&sets[25..]), &decision(kind, t), 1000);
    }
}

#[test]
fn edge_counts_and_sizes() {
    for count in [0_u32, 1, 2, 11, 12, 13, 15, 16, 17, 31, 32, 33, 65] {
        for size in [1_u32, 2, 15, 16, 17, 64, 65] {
            let sets: Vec<BTreeSet<u32>> = (0..count).map(|i| (0..size).map(|k| (i % 5) * 7 + k).collect()).collect();
            check(&sets, None, &decision(0, 0.6), usize::MAX);
        }
    }
    check(&[BTreeSet::new()], None, &decision(0, 0.0), usize::MAX);
    check(&[], Some(&[BTreeSet::from([1])]), &decision(0, 0.5), usize::MAX);
}

/// Long lists are cut into tasks by ranges of probes.
#[test]
fn lists_longer_than_a_task() {
    let sets: Vec<BTreeSet<u32>> = (0..4000_u32).map(|i| BTreeSet::from([i % 50, 100 + i / 400, 5000])).collect();
    let stored = Stored::new(&sets);
    let codes: Vec<u32> = (0..4000).collect();
    let holds = |i: usize, x: usize, y: usize| jaccard(i, x, y) >= 0.9;
    for path in [Enumeration::Prefixes, Enumeration::Everything] {
        let options = SetJoinOptions { path: Some(path), ..SetJoinOptions::new(usize::MAX) };
        let mut join = SetJoin::new((stored.view(), &codes), None, holds, options);
        let pairs = collect(&mut join);
        // 500 kinds of set, 8 sets each: 36 pairs of a kind, a set with itself included.
        assert_eq!(pairs.len(), 500 * 36, "{path:?}");
        assert_eq!(pairs.iter().collect::<BTreeSet<_>>().len(), pairs.len());
    }
}

/// Sets with themselves are cut into tasks too.
#[test]
fn each_set_with_itself_in_several_tasks() {
    let sets: Vec<BTreeSet<u32>> = (0..10_000_u32).map(|i| BTreeSet::from([i, 10_000 + i])).collect();
    let (stored, codes) = (Stored::new(&sets), (0..10_000).collect::<Vec<u32>>());
    let mut join = SetJoin::new((stored.view(), &codes), None, |i, x, _| i == x, SetJoinOptions::new(usize::MAX));
    join.prepare(0);
    let itself = join.prepared.tasks.iter().filter(|task| matches!(task, SetTask::Itself(_))).count();
    let mut pairs = collect(&mut join);
    pairs.sort_unstable();
    assert_eq!(itself, 3);
    assert!(pairs.into_iter().eq(codes.iter().map(|code| (*code, *code))));
}

#[test]
fn rounds_cover_the_tokens_and_keep_to_the_room() {
    let entries = [5, 1, 0, 9, 2, 2, 0, 0];
    for room in [0, 1, 5, 8, 100] {
        let rounds = rounds(&entries, room);
        let parts: Vec<Range<u32>> = rounds.iter().flatten().cloned().collect();
        assert_eq!((parts[0].start, parts.last().map(|p| p.end)), (0, Some(8)), "room {room}");
        assert!(parts.windows(2).all(|w| w[0].end == w[1].start), "room {room}: {parts:?}");
        for parts in &rounds {
            let held: usize = parts.iter().flat_map(|p| p.clone()).map(|t| entries[t as usize]).sum();
            let tokens: usize = parts.iter().map(|p| p.len()).sum();
            assert!(held <= room || tokens == 1 || entries[parts[0].start as usize] >= room, "room {room}: {rounds:?}");
        }
    }
}
