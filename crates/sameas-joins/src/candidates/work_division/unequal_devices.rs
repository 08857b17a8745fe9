//! Paths on two emulated devices of different memory, against nested loops: together they give every pair once.

use std::collections::BTreeSet;
use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::candidates::all_pairs::gpu::GpuAllPairs;
use crate::candidates::by_value::RowsByCode;
use crate::candidates::by_value::gpu::{GpuByValue, ValueWork, capacity};
use crate::candidates::device_pairs::DevicePairs;
use crate::candidates::device_path::{DevicePath, DeviceSink, SharedPath};
use crate::candidates::device_value_join::DeviceValueJoin;
use crate::candidates::equi_join::gpu::{GpuEquiJoin, GpuEquiJoinSettings};
use crate::candidates::equi_join::keys::{KeyPart, Keys, fit};
use crate::candidates::pair_output::PairOutput;
use crate::candidates::set_join::Enumeration;
use crate::candidates::set_join::gpu::{GpuSetJoin, GpuSetJoinSettings, piece_for as set_piece_for};
use crate::candidates::text_join::gpu::{GpuTextJoin, GpuTextJoinSettings, TextJoinInput, piece_for};
use crate::candidates::{EqualKeyPairs, Rows, Shape};
use crate::device_values::{DeviceCodes, DeviceSets, DeviceTextTest, DeviceTexts};
use crate::expr::Num;
use crate::measure::TextMeasure;
use crate::measure::set::jaccard;
use crate::records::encode::{Sets, Signatures, Strings};
use crate::rules::Comparison;
use crate::threshold::TextTest;

type AnyPath<'a> = Box<dyn DevicePath + 'a>;

/// What both devices hand out, in order, and the rounds of each.
fn joined<'a>(
    memories: [usize; 2],
    most: usize,
    path: impl Fn(&Gpu, DeviceShare) -> AnyPath<'a>,
) -> (Vec<(u32, u32)>, Vec<usize>) {
    let by_scheduler = Scheduler::ALL.map(|scheduler| joined_by(scheduler, memories, most, &path));
    assert!(by_scheduler.iter().all(|(pairs, _)| *pairs == by_scheduler[0].0), "all schedulers give the same pairs");
    let [_, round_robin, _] = by_scheduler;
    round_robin
}

/// The same by one scheduler. The devices run one after the other.
fn joined_by<'a>(
    scheduler: Scheduler,
    memories: [usize; 2],
    most: usize,
    path: &impl Fn(&Gpu, DeviceShare) -> AnyPath<'a>,
) -> (Vec<(u32, u32)>, Vec<usize>) {
    let gpus =
        memories.map(|memory| Gpu::emulated(memory + DevicePairs::places(most) * size_of::<u64>(), memory as u64));
    let options = DeviceOptions::default().with_scheduler(scheduler);
    let shares = DeviceShare::divide(&[&gpus[0], &gpus[1]], &options);
    let (mut pairs, mut rounds) = (Vec::new(), Vec::new());
    for (gpu, share) in gpus.iter().zip(shares) {
        let (written, mut path) = (DevicePairs::new(gpu, most), path(gpu, share));
        rounds.push(0);
        while path.next_round().unwrap() {
            *rounds.last_mut().unwrap() += 1;
            let middle = path.tasks() / 2;
            for tasks in [0..middle, middle..path.tasks()] {
                path.launch(tasks.clone(), DeviceSink::Write, &written.writing()).unwrap();
                path.launch(tasks, DeviceSink::Count, &written.counting()).unwrap();
            }
        }
        pairs.extend(written.read());
    }
    pairs.sort_unstable();
    (pairs, rounds)
}

/// Numbers without a pattern.
fn numbers(len: usize, below: u32, seed: u64) -> Vec<u32> {
    let mut state = seed;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % below
    };
    (0..len).map(next).collect()
}

/// Pairs of rows by nested loops, in order.
fn naive(left: &[u32], right: &[u32], holds: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
    let pairs = left.iter().flat_map(|l| right.iter().map(move |r| (*l, *r)));
    pairs.filter(|(l, r)| holds(*l, *r)).collect()
}

fn check_equi_join(memories: [usize; 2], rows: usize, seed: u64) -> Vec<usize> {
    // Some keys are frequent, so that there are large partitions and tiles.
    let skewed = |code: &u32| if code.is_multiple_of(197) { 0 } else { code / (code % 10 + 1) };
    let codes = |seed| numbers(rows, 2 * rows as u32, seed).iter().map(skewed).collect();
    let (left, right): (Vec<u32>, Vec<u32>) = (codes(seed), codes(!seed));
    let all: Rows = (0..rows as u32).collect();
    let mut by_code = vec![Vec::new(); 2 * rows];
    right.iter().zip(&all).for_each(|(code, row)| by_code[*code as usize].push(*row));
    let partners = |l: &u32| by_code[left[*l as usize] as usize].iter().map(|r| (*l, *r)).collect::<Vec<_>>();
    let expected: Vec<(u32, u32)> = all.iter().flat_map(partners).collect();
    let (pairs, rounds) = joined(memories, expected.len(), |gpu, share| {
        let values = 2 * rows;
        let part = KeyPart { left: left.clone().into(), right: right.clone().into(), values, null_safe: false };
        let sides = Keys::new(fit(vec![part]).0, all.clone(), all.clone());
        let [left, right] =
            sides.map(|keys| keys.on_device(gpu, |codes| gpu.upload(codes).map(DeviceCodes::Copied)).unwrap());
        let settings = GpuEquiJoinSettings { sizes: Some(*share.sizes()), ..GpuEquiJoinSettings::default() };
        Box::new(SharedPath::new(GpuEquiJoin::new(gpu, left, Some(right), EqualKeyPairs::All, settings), share))
    });
    assert!(pairs == expected, "{} pairs instead of {}", pairs.len(), expected.len());
    rounds
}

fn check_all_pairs(memories: [usize; 2], rows: [u32; 2], shape: Shape) {
    let [left, right]: [Rows; 2] = rows.map(|rows| (0..rows).collect());
    let expected = naive(&left, &right, |l, r| shape == Shape::Rectangle || l < r);
    let (pairs, _) = joined(memories, expected.len(), |gpu, share| {
        let path = GpuAllPairs::new(gpu, &left, &right, shape, share.sizes()).unwrap();
        Box::new(SharedPath::new(path, share))
    });
    assert!(pairs == expected, "{} pairs instead of {}", pairs.len(), expected.len());
}

/// A join with what it reads.
struct Kept<J, R> {
    join: J,
    _reads: R,
}

impl<J: DeviceValueJoin, R> DeviceValueJoin for Kept<J, R> {
    fn next_round(&mut self) -> Result<bool> {
        self.join.next_round()
    }

    fn tasks(&self) -> u64 {
        self.join.tasks()
    }

    fn launch(&self, tasks: Range<u64>, output: &PairOutput) -> Result<()> {
        DeviceValueJoin::launch(&self.join, tasks, output)
    }
}

/// Rows of texts within an edit of each other, by their distinct values.
fn check_by_value(memories: [usize; 2], values: usize, rows: usize, seed: u64) {
    let mut texts: Vec<Vec<u8>> =
        (0..values).map(|at| numbers(5, 3, seed + at as u64).iter().map(|unit| *unit as u8).collect()).collect();
    texts.sort();
    texts.dedup();
    let ends: Vec<usize> = (1..=texts.len()).map(|count| 5 * count).collect();
    let units = texts.concat();
    let strings = Strings::new(&units, &ends);
    let signatures = Signatures::new(strings, texts.len() as u32);
    let test = TextTest::new(TextMeasure::Levenshtein, Comparison::LessEqual, Num::Int(1));
    let holds = |a: u32, b: u32| test.holds(&strings.get(a), strings.get(b)) == Some(true);
    let codes = numbers(rows, texts.len() as u32, !seed);
    let all: Rows = (0..rows as u32).collect();
    let expected = naive(&all, &all, |l, r| l < r && holds(codes[l as usize], codes[r as usize]));
    let by_code = RowsByCode::new(&codes, &all, texts.len());
    let predicate = test.predicate();
    let (pairs, _) = joined(memories, expected.len(), |gpu, share| {
        let on_gpu = DeviceTexts::from_strings(gpu, strings, &signatures, texts.len() as u32).unwrap();
        let on_device = DeviceTextTest::new(gpu, &test, on_gpu.longest()).unwrap().unwrap();
        let input = TextJoinInput {
            texts: &on_gpu,
            signatures: &signatures,
            predicate: predicate.as_ref(),
            on_device: &on_device,
        };
        let capacity = capacity(share.sizes().memory(gpu));
        let (piece, processors) = (piece_for(capacity), Some(share.sizes().processors));
        let settings = GpuTextJoinSettings { piece, processors, ..GpuTextJoinSettings::default() };
        let join = GpuTextJoin::new(gpu, input, &by_code.codes(), None, settings).unwrap();
        let join = Box::new(Kept { join, _reads: (on_gpu, on_device) });
        let work = ValueWork { join, share, capacity, resolve: Box::new(&holds) };
        Box::new(GpuByValue::new(gpu, (&by_code, None), Shape::Triangle, work).unwrap())
    });
    assert!(pairs == expected, "{} pairs instead of {}", pairs.len(), expected.len());
}

/// Rows of sets that share half of their tokens, by their distinct values, in lists or not.
fn check_sets(memories: [usize; 2], values: usize, rows: usize, seed: u64, path: Enumeration) {
    let sets: BTreeSet<BTreeSet<u32>> =
        (0..values).map(|at| numbers(5, 20, seed + at as u64).into_iter().collect()).collect();
    let ends: Vec<usize> = sets
        .iter()
        .scan(0, |sum, set| {
            *sum += set.len();
            Some(*sum)
        })
        .collect();
    let ids: Vec<u32> = sets.iter().flatten().copied().collect();
    let stored = Sets::new(&ids, &ends);
    let holds = |common: usize, x: usize, y: usize| jaccard(common, x, y) >= 0.5;
    let pair_holds = |a: u32, b: u32| {
        let (a, b) = (stored.set(a), stored.set(b));
        holds(a.iter().filter(|token| b.contains(token)).count(), a.len(), b.len())
    };
    let codes = numbers(rows, sets.len() as u32, !seed);
    let all: Rows = (0..rows as u32).collect();
    let expected = naive(&all, &all, |l, r| l < r && pair_holds(codes[l as usize], codes[r as usize]));
    let by_code = RowsByCode::new(&codes, &all, sets.len());
    let (pairs, _) = joined(memories, expected.len(), |gpu, share| {
        let on_gpu = DeviceSets::new(gpu, stored).unwrap();
        let memory = share.sizes().memory(gpu);
        let settings = GpuSetJoinSettings {
            path: Some(path),
            piece: set_piece_for(capacity(memory)),
            processors: Some(share.sizes().processors),
            memory: Some(memory),
            ..GpuSetJoinSettings::default()
        };
        let join = GpuSetJoin::new(gpu, (on_gpu.layout(), &by_code.codes()), None, holds, settings).unwrap();
        let join = Box::new(Kept { join, _reads: on_gpu });
        let work = ValueWork { join, share, capacity: capacity(memory), resolve: Box::new(|_, _| unreachable!()) };
        Box::new(GpuByValue::new(gpu, (&by_code, None), Shape::Triangle, work).unwrap())
    });
    assert!(pairs == expected, "{path:?}: {} pairs instead of {}", pairs.len(), expected.len());
}

/// Bytes of a device besides its output, a quarter of which is too little for all rows of the test of rounds.
const SMALL: usize = 4 << 20;
const LARGE: usize = 60 << 20;

#[test]
fn rounds_follow_the_smallest_memory() {
    // A round has many units, half of which are done by each device.
    let one_round = check_equi_join([LARGE, LARGE], 24_000, 3);
    for memories in [[SMALL, LARGE], [LARGE, SMALL]] {
        let rounds = check_equi_join(memories, 24_000, 3);
        assert!(rounds[0] > one_round[0] && rounds[0] == rounds[1], "{rounds:?} after {one_round:?}");
    }
    assert_eq!(one_round[0], one_round[1]);
}

#[test]
fn all_pairs_of_unequal_devices() {
    for memories in [[SMALL, LARGE], [LARGE, SMALL]] {
        check_all_pairs(memories, [300, 310], Shape::Rectangle);
        check_all_pairs(memories, [420, 420], Shape::Triangle);
        check_all_pairs(memories, [1, 0], Shape::Rectangle);
    }
}

#[test]
fn values_of_unequal_devices() {
    for memories in [[SMALL, LARGE], [LARGE, SMALL]] {
        check_by_value(memories, 400, 900, 5);
        check_sets(memories, 400, 900, 5, Enumeration::Prefixes);
        check_sets(memories, 400, 900, 5, Enumeration::Everything);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn any_two_devices(memories in [SMALL..LARGE, SMALL..LARGE], rows in 1usize..500, seed in 0u64..1 << 40) {
        check_equi_join(memories, rows, seed);
        check_all_pairs(memories, [rows as u32, rows as u32 / 2], Shape::Rectangle);
        check_by_value(memories, rows / 3 + 1, rows, seed);
        let path = if seed % 2 == 0 { Enumeration::Prefixes } else { Enumeration::Everything };
        check_sets(memories, rows / 3 + 1, rows, seed, path);
    }
}
