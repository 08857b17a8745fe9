//! The join on a device against nested loops, on the emulated one: every pair once, whatever the partitions, rounds and
//! order of threads.

use proptest::prelude::*;

use super::*;
use crate::candidates::Rows;
use crate::candidates::device_pairs::DevicePairs;
use crate::candidates::equi_join::keys::{KeyPart, Keys, fit};
use crate::device_values::DeviceCodes;
use crate::records::encode::NULL;

/// What is joined, and how.
struct Case {
    parts: Vec<KeyPart<'static>>,
    rows: [Rows; 2],
    self_join: bool,
    which: EqualKeyPairs,
    settings: GpuEquiJoinSettings,
    memory: usize,
    seed: u64,
}

impl Case {
    /// One column on each side, all rows.
    fn new(left: Vec<u32>, right: Vec<u32>, values: usize) -> Self {
        let rows = [(0..left.len() as u32).collect(), (0..right.len() as u32).collect()];
        let parts = vec![KeyPart { left: left.into(), right: right.into(), values, null_safe: false }];
        let (settings, memory) = (GpuEquiJoinSettings::default(), 64 << 20);
        Self { parts, rows, self_join: false, which: EqualKeyPairs::All, settings, memory, seed: 1 }
    }

    /// One column with itself.
    fn itself(codes: Vec<u32>, values: usize) -> Self {
        Self { self_join: true, ..Self::new(codes.clone(), codes, values) }
    }

    /// Partitions of few tuples, of which many are large.
    fn tiny(self) -> Self {
        Self { settings: GpuEquiJoinSettings { partition: 8, build: 5, probe: 9, pairs: 40, sizes: None }, ..self }
    }

    fn naive(&self) -> Vec<(u32, u32)> {
        let equal = |l: u32, r: u32| {
            let same = |part: &KeyPart<'_>| (part.left[l as usize], part.right[r as usize]);
            self.parts
                .iter()
                .map(|part| (same(part), part.null_safe))
                .all(|((l, r), safe)| l == r && (l != NULL || safe))
        };
        let before = self.self_join || self.which == EqualKeyPairs::Before;
        let row = |l: u32| self.rows[1].iter().map(move |r| (l, *r));
        let pairs = self.rows[0].iter().flat_map(|l| row(*l));
        pairs.filter(|(l, r)| equal(*l, *r) && (!before || l < r)).collect()
    }

    /// The join on a device of `memory` bytes, and its rounds.
    fn joined(&self) -> (Vec<(u32, u32)>, usize) {
        let gpu = Gpu::emulated(self.memory, self.seed);
        let output = DevicePairs::new(&gpu, self.naive().len());
        let (parts, _) = fit(self.parts.clone());
        let [left, right] = Keys::new(parts, self.rows[0].clone(), self.rows[1].clone());
        let copied = |codes: &[u32]| gpu.upload(codes).map(DeviceCodes::Copied);
        let left = left.on_device(&gpu, copied).unwrap();
        let right = (!self.self_join).then(|| right.on_device(&gpu, copied).unwrap());
        let mut join = GpuEquiJoin::new(&gpu, left, right, self.which, self.settings);
        let mut rounds = 0;
        while join.next_round().unwrap() {
            rounds += 1;
            // Two ranges, so that each of the kernels starts in the middle of its tasks once.
            let middle = join.tasks() / 2;
            for tasks in [0..middle, middle..join.tasks()] {
                join.launch(tasks.clone(), DeviceSink::Write, &output.writing()).unwrap();
                join.launch(tasks, DeviceSink::Count, &output.counting()).unwrap();
            }
        }
        (output.read(), rounds)
    }

    fn check(&self) -> usize {
        let (pairs, rounds) = self.joined();
        let mut expected = self.naive();
        expected.sort_unstable();
        assert_eq!(pairs.len(), expected.len(), "pairs of {:?} rows", self.rows.each_ref().map(|rows| rows.len()));
        assert!(pairs == expected, "first difference at {:?}", pairs.iter().zip(&expected).find(|(a, b)| a != b));
        rounds
    }
}

/// Codes below `values`, some of them far more frequent than others, and some null.
fn skewed(len: usize, values: u32, seed: u64) -> Vec<u32> {
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let code = |x: u32, y: u32| if x.is_multiple_of(19) { NULL } else { (y % values) % (x % values + 1) };
    (0..len).map(|_| (random(), random())).map(|(x, y)| code(x, y)).collect()
}

#[test]
fn all_sizes_around_those_of_warps() {
    for (at, len) in [0, 1, 2, 31, 32, 33, 65].into_iter().enumerate() {
        for (other, right) in [0, 1, 31, 33, 65].into_iter().enumerate() {
            let (left, right) = (skewed(len, 9, at as u64), skewed(right, 9, 100 + other as u64));
            Case::new(left.clone(), right.clone(), 9).check();
            Case::new(left, right, 9).tiny().check();
        }
        Case::itself(skewed(len, 9, at as u64), 9).check();
        Case::itself(skewed(len, 9, at as u64), 9).tiny().check();
    }
}

#[test]
fn one_key_for_all() {
    for len in [3, 40, 300, 1100] {
        Case::new(vec![7; len], vec![7; 77], 8).check();
        Case::new(vec![7; 77], vec![7; len], 8).check();
        Case::itself(vec![7; len], 8).check();
        Case { which: EqualKeyPairs::Before, ..Case::new(vec![7; len], vec![7; 90], 8) }.tiny().check();
    }
}

#[test]
fn all_keys_differ() {
    let codes: Vec<u32> = (0..3000).collect();
    let turned: Vec<u32> = codes.iter().rev().copied().collect();
    Case::new(codes.clone(), turned.clone(), 3000).check();
    Case::new(codes.clone(), turned, 3000).tiny().check();
    assert!(Case::itself(codes, 3000).tiny().naive().is_empty());
}

#[test]
fn skewed_keys() {
    for seed in 0..3 {
        let (left, right) = (skewed(4000, 700, seed), skewed(2500, 700, seed + 50));
        Case { seed, ..Case::new(left.clone(), right.clone(), 700) }.check();
        Case { seed, ..Case::new(left.clone(), right, 700) }.tiny().check();
        Case { seed, ..Case::itself(left.clone(), 700) }.check();
        Case { seed, ..Case::itself(left, 700) }.tiny().check();
    }
}

#[test]
fn partitions_of_several_tuples_a_thread() {
    let settings = GpuEquiJoinSettings { partition: 300, ..GpuEquiJoinSettings::default() };
    let (left, right) = (skewed(1200, 5000, 5), skewed(1300, 5000, 6));
    let case = Case::new(left.clone(), right, 5000);
    for case in [case, Case::itself(left, 5000)] {
        Case { settings, memory: 256 << 20, ..case }.check();
    }
}

#[test]
fn wide_keys() {
    let wide = |codes: Vec<u32>, factor: u32| -> Vec<u32> {
        codes.iter().map(|code| if *code == NULL { NULL } else { code * factor }).collect()
    };
    let part = |seed: u64, factor: u32, null_safe: bool| KeyPart {
        left: wide(skewed(1500, 20, seed), factor).into(),
        right: wide(skewed(1500, 20, seed + 7), factor).into(),
        values: 20 * factor as usize,
        null_safe,
    };
    for settings in [
        GpuEquiJoinSettings::default(),
        GpuEquiJoinSettings { partition: 8, build: 5, probe: 9, pairs: 40, sizes: None },
    ] {
        let parts = vec![part(1, 100_000_000, false), part(2, 3, true), part(3, 50_000_000, true)];
        let case = Case { parts, settings, ..Case::new(vec![0; 1500], vec![0; 1500], 1) };
        assert!(!case.naive().is_empty());
        case.check();
    }
}

#[test]
fn lists_of_rows_and_pairs_in_order() {
    let codes = skewed(900, 40, 3);
    let rows = [(0..900).filter(|row| row % 3 != 1).collect(), (0..900).filter(|row| row % 5 < 3).collect()];
    let case = Case { rows, which: EqualKeyPairs::Before, ..Case::new(codes.clone(), codes, 40) };
    case.check();
    case.tiny().check();
}

#[test]
fn little_memory_takes_several_rounds() {
    let (left, right) = (skewed(20_000, 30_000, 1), skewed(15_000, 30_000, 2));
    let mut wide = Case::new(left.clone(), right.clone(), 30_000);
    let constant = |len: usize| vec![5; len].into();
    let part = KeyPart { left: constant(left.len()), right: constant(right.len()), values: 1 << 20, null_safe: false };
    wide.parts.push(part);
    for case in [Case::new(left.clone(), right, 30_000), Case::itself(left, 30_000), wide] {
        // What the join has besides its output.
        let memory = DevicePairs::places(case.naive().len()) * size_of::<u64>() + (3 << 19);
        let case =
            Case { memory, settings: GpuEquiJoinSettings { partition: 64, ..GpuEquiJoinSettings::default() }, ..case };
        assert!(case.check() > 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn random_joins(
        sizes in (0usize..200, 0usize..200), values in 1u32..80, seed in any::<u64>(), tiny in any::<bool>(),
        shape in 0..3, null_safe in any::<bool>(),
    ) {
        let (left, right) = (skewed(sizes.0, values, seed), skewed(sizes.1, values, !seed));
        let mut case = match shape {
            0 => Case::new(left, right, values as usize),
            1 => Case { which: EqualKeyPairs::Before, ..Case::new(left, right, values as usize) },
            _ => Case::itself(left, values as usize),
        };
        case.parts[0].null_safe = null_safe;
        case.seed = seed >> 40;
        if tiny { case.tiny() } else { case }.check();
    }
}
