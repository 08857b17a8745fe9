//! The benchmark of `equi_join` on a GPU: Zipf-distributed keys on the device, every pair consumed there, the number of
//! pairs checked.
//!
//! Arguments, all optional: `--rows 32000000` a side, `--zipf 0,0.5,1`, `--consumer count|write`, `--shape two|self`,
//! `--repeats 5`, `--memory` bytes of the device, `--buffer 2097152` pairs that are written again and again. One line of
//! JSON a measurement; the first run of a process also loads the kernels.

use rayon::prelude::*;
use sameas::Result;
use sameas_device::{Buffer, Gpu};
use sameas_joins::candidates::EqualKeyPairs;
use sameas_joins::candidates::device_path::{DevicePath, DeviceSink};
use sameas_joins::candidates::equi_join::gpu::{DeviceSide, GpuEquiJoin, GpuEquiJoinSettings};
use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::equi_join::EquiJoinPart;
use serde_json::json;

use crate::equi_join::zipf::Zipf;
use crate::report::{option, print};

/// What is to be measured.
struct Options {
    rows: usize,
    zipf: Vec<f64>,
    itself: bool,
    write: bool,
    repeats: usize,
    memory: Option<usize>,
    buffer: usize,
}

impl Options {
    fn parse(args: &[String]) -> Self {
        let number = |name: &str| option(args, name).map(|text| text.parse::<usize>().expect("a number"));
        let zipf = option(args, "--zipf").unwrap_or("0,0.5,0.6,0.7,0.8,0.9,1");
        Self {
            rows: number("--rows").unwrap_or(32_000_000),
            zipf: zipf.split(',').map(|step| step.parse().expect("--zipf takes numbers")).collect(),
            itself: option(args, "--shape") == Some("self"),
            write: option(args, "--consumer") == Some("write"),
            repeats: number("--repeats").unwrap_or(5),
            memory: number("--memory"),
            buffer: number("--buffer").unwrap_or(1 << 21).next_power_of_two(),
        }
    }
}

/// Keys of both sides.
struct Input {
    keys: [Vec<u32>; 2],
    expected: u64,
}

impl Input {
    fn new(options: &Options, exponent: f64) -> Self {
        let zipf = Zipf::new(options.rows, exponent);
        let left = zipf.keys(options.rows, 1);
        let right = if options.itself { Vec::new() } else { zipf.keys(options.rows, 2) };
        let expected = expected(options, &left, &right);
        Self { keys: [left, right], expected }
    }
}

/// The number of pairs, by plain counting.
fn expected(options: &Options, left: &[u32], right: &[u32]) -> u64 {
    let count = |keys: &[u32]| {
        let mut counts = vec![0u64; options.rows];
        keys.iter().for_each(|key| counts[*key as usize] += 1);
        counts
    };
    let left = count(left);
    if options.itself {
        return left.iter().map(|count| count * count.saturating_sub(1) / 2).sum();
    }
    left.par_iter().zip(count(right)).map(|(left, right)| left * right).sum()
}

/// One run: seconds of partitioning and of joining on the device's clock, rounds, pairs and matches.
struct Run {
    partition: f64,
    join: f64,
    rounds: usize,
    pairs: u64,
    matched: u64,
}

/// Runs the benchmark.
///
/// # Panics
/// If there is no usable GPU, or a pair is lost or repeated.
pub fn run(args: &[String]) {
    let options = Options::parse(args);
    let gpu = super::open(options.memory);
    for exponent in &options.zipf {
        let input = Input::new(&options, *exponent);
        measure(&gpu, &options, *exponent, &input).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Keys on the device are uploaded once; what the join makes of them is made again in every run.
fn measure(gpu: &Gpu, options: &Options, exponent: f64, input: &Input) -> Result<()> {
    let keys = [gpu.upload(&input.keys[0])?, gpu.upload(&input.keys[1])?];
    let buffer = gpu.buffer::<u64>(if options.write { options.buffer } else { 0 })?;
    let runs = (0..options.repeats).map(|_| once(gpu, options, &keys, &buffer)).collect::<Result<Vec<Run>>>()?;
    for run in &runs {
        assert_eq!(run.pairs, input.expected, "the join lost or repeated pairs");
        assert_eq!(run.matched, runs[0].matched, "the join gave two answers");
    }
    report(gpu, options, exponent, &runs);
    Ok(())
}

/// The side of a join whose key is one column of as many values as there are rows.
fn side(gpu: &Gpu, keys: &Buffer<u32>) -> Result<DeviceSide> {
    let bits = usize::BITS - keys.len().leading_zeros();
    let part = EquiJoinPart { codes: keys.at(), shift: 0, null_safe: 0, null_code: 0, unused: 0 };
    DeviceSide::new(gpu, &[part], bits, None, keys.len(), Vec::new())
}

/// The join of two sides, or of the first with itself.
pub fn join_of(gpu: &Gpu, keys: &[Buffer<u32>; 2], itself: bool) -> Result<GpuEquiJoin> {
    let right = if itself { None } else { Some(side(gpu, &keys[1])?) };
    Ok(GpuEquiJoin::new(gpu, side(gpu, &keys[0])?, right, EqualKeyPairs::All, GpuEquiJoinSettings::default()))
}

fn once(gpu: &Gpu, options: &Options, keys: &[Buffer<u32>; 2], buffer: &Buffer<u64>) -> Result<Run> {
    let mut join = join_of(gpu, keys, options.itself)?;
    let counters = gpu.zeroed::<u64>(3)?;
    let (pairs, matched, cursor) = (counters.at(), counters.at_index(1), counters.at_index(2));
    let mask = (buffer.len() as u64).saturating_sub(1);
    let consume = Consume { pairs, matched, cursor, buffer: buffer.at(), mask, ..Consume::default() };
    let sink = if options.write { DeviceSink::Write } else { DeviceSink::Count };
    let mut run = Run { partition: 0.0, join: 0.0, rounds: 0, pairs: 0, matched: 0 };
    gpu.wait()?;
    loop {
        let (more, partition) = gpu.timed(|| join.next_round())?;
        run.partition += partition;
        if !more {
            break;
        }
        run.rounds += 1;
        run.join += gpu.timed(|| join.launch(0..join.tasks(), sink, &consume))?.1;
    }
    let counters = gpu.read(&counters, 0..2)?;
    (run.pairs, run.matched) = (counters[0], counters[1]);
    Ok(run)
}

fn report(gpu: &Gpu, options: &Options, exponent: f64, runs: &[Run]) {
    let list = |of: fn(&Run) -> f64| runs.iter().map(of).collect::<Vec<f64>>();
    print(&json!({
        "op": "gpu-equi-join",
        "device": gpu.info().name,
        "rows": options.rows,
        "zipf": exponent,
        "shape": if options.itself { "self" } else { "two" },
        "consumer": if options.write { "write" } else { "count" },
        "memory": gpu.bytes(),
        "rounds": runs[0].rounds,
        "seconds": list(|run| run.partition + run.join),
        "partition_seconds": list(|run| run.partition),
        "join_seconds": list(|run| run.join),
        "pairs": runs[0].pairs,
        "matched": runs[0].matched,
    }));
}
