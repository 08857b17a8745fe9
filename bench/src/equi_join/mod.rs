//! The benchmark of `equi_join`: Zipf-distributed keys, every pair consumed, the number of pairs checked.
//!
//! Arguments, all optional: `--n 4000000` records per side, `--universe` keys (as many as records), `--zipf 0,0.5,1`,
//! `--shape two|self`, `--consumer count|write`, `--chained` to measure the chained join too, `--repeats 5`, `--tasks
//! 100000` to run only this many tasks, spread evenly, where all would take minutes. One line of JSON per measurement.

mod sinks;
pub mod zipf;

use std::time::Instant;

use rayon::prelude::*;
use sameas_joins::candidates::Sink;
use sameas_joins::candidates::equi_join::{EquiJoin, Tuples};

use super::chained_join::ChainedJoin;
use sinks::{CountSink, WriteSink};

/// What is to be measured.
struct Options {
    n: usize,
    universe: usize,
    zipf: Vec<f64>,
    itself: bool,
    write: bool,
    chained: bool,
    repeats: usize,
    tasks: usize,
}

impl Options {
    fn parse(args: &[String]) -> Self {
        let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
        let number = |name: &str, otherwise: usize| {
            value(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} takes a number")))
        };
        let zipf = value("--zipf").map_or("0,0.5,0.8,0.9,1", String::as_str);
        let n = number("--n", 4_000_000);
        Self {
            n,
            universe: number("--universe", n),
            zipf: zipf.split(',').map(|step| step.parse().expect("--zipf takes numbers")).collect(),
            itself: value("--shape").is_some_and(|shape| shape == "self"),
            write: value("--consumer").is_some_and(|consumer| consumer == "write"),
            chained: args.iter().any(|arg| arg == "--chained"),
            repeats: number("--repeats", 5),
            tasks: number("--tasks", usize::MAX),
        }
    }
}

/// A consumer of the benchmark.
trait Consumer: Sink + Default + Send {
    /// Pairs seen.
    fn pairs(&self) -> u64;
    /// Pairs that satisfy the predicate; all where there is none.
    fn matched(&self) -> u64;
}

impl Consumer for CountSink {
    fn pairs(&self) -> u64 {
        self.pairs
    }

    fn matched(&self) -> u64 {
        self.matched
    }
}

impl Consumer for WriteSink {
    fn pairs(&self) -> u64 {
        self.pairs
    }

    fn matched(&self) -> u64 {
        self.pairs
    }
}

/// One run: seconds in all and for partitioning, seconds of all cores, pairs and matches.
struct Run {
    seconds: f64,
    partition: f64,
    cpu: f64,
    partition_cpu: f64,
    pairs: u64,
    matched: u64,
    complete: bool,
}

/// Both sides of an input. In a self-join the payloads are the rows, else they are random.
struct Input {
    keys: [Vec<u32>; 2],
    payloads: [Vec<u32>; 2],
}

impl Input {
    fn new(options: &Options, exponent: f64) -> Self {
        let zipf = zipf::Zipf::new(options.universe, exponent);
        let payload = |side: u64| {
            let random = |at: usize| zipf::random(side ^ at as u64) as u32;
            (0..options.n).into_par_iter().map(|at| if options.itself { at as u32 } else { random(at) }).collect()
        };
        let right = if options.itself { Vec::new() } else { zipf.keys(options.n, 2) };
        Self { keys: [zipf.keys(options.n, 1), right], payloads: [payload(1 << 40), payload(2 << 40)] }
    }

    fn side(&self, at: usize) -> Tuples<'_, u32> {
        Tuples { keys: &self.keys[at], payloads: &self.payloads[at] }
    }

    /// The number of pairs, by plain counting.
    fn expected(&self, universe: usize, itself: bool) -> u64 {
        let count = |keys: &[u32]| {
            let mut counts = vec![0u64; universe];
            keys.iter().for_each(|key| counts[*key as usize] += 1);
            counts
        };
        let left = count(&self.keys[0]);
        if itself {
            return left.iter().map(|count| count * count.saturating_sub(1) / 2).sum();
        }
        left.iter().zip(count(&self.keys[1])).map(|(left, right)| left * right).sum()
    }

    /// A sum over the input by which two machines can check that they measured the same.
    fn checksum(&self) -> u64 {
        let sum = |(at, key): (usize, &u32)| zipf::random((at as u64) << 32 | u64::from(*key));
        self.keys.iter().flat_map(|keys| keys.iter().enumerate()).map(sum).fold(0, u64::wrapping_add)
    }
}

/// Runs the benchmark.
pub fn run(args: &[String]) {
    let options = Options::parse(args);
    for exponent in &options.zipf {
        let input = Input::new(&options, *exponent);
        match options.write {
            true => measure::<WriteSink>(&options, *exponent, &input),
            false => measure::<CountSink>(&options, *exponent, &input),
        }
    }
}

fn measure<C: Consumer>(options: &Options, exponent: f64, input: &Input) {
    let expected = input.expected(options.universe, options.itself);
    let ours: Vec<Run> = (0..options.repeats).map(|_| ours::<C>(options, input)).collect();
    report("equi_join", options, exponent, input, expected, &ours);
    if options.chained && !options.itself {
        let chained: Vec<Run> = (0..options.repeats).map(|_| chained::<C>(input)).collect();
        report("chained_join", options, exponent, input, expected, &chained);
        assert!(ours.iter().any(|run| !run.complete) || ours[0].matched == chained[0].matched, "the joins differ");
    }
}

/// Seconds the threads of this process have run so far. On a machine shared with others it says more than the clock;
/// 0 where the system does not report it.
fn cpu_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let run = |text: String| text.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    threads.filter_map(|thread| run(std::fs::read_to_string(thread.path().join("schedstat")).ok()?)).sum::<f64>() * 1e-9
}

/// Both clocks.
struct Clock(Instant, f64);

impl Clock {
    fn start() -> Self {
        Self(Instant::now(), cpu_seconds())
    }

    fn read(&self) -> (f64, f64) {
        (self.0.elapsed().as_secs_f64(), cpu_seconds() - self.1)
    }
}

/// Our join, consumed on all threads.
fn ours<C: Consumer>(options: &Options, input: &Input) -> Run {
    let clock = Clock::start();
    let right = (!options.itself).then(|| input.side(1));
    let mut join = EquiJoin::new(input.side(0), right, usize::MAX);
    join.prepare(0);
    let partition = clock.read();
    let tasks = join.tasks().min(options.tasks);
    let every = join.tasks() as f64 / tasks as f64;
    let step = |mut sink: C, at: usize| {
        join.run((at as f64 * every) as usize, &mut sink);
        sink
    };
    let sinks: Vec<C> = (0..tasks).into_par_iter().fold(C::default, step).collect();
    total(&clock, partition, &sinks, tasks == join.tasks())
}

/// The chained join, likewise.
fn chained<C: Consumer>(input: &Input) -> Run {
    let clock = Clock::start();
    let join = ChainedJoin::new(input.side(0), input.side(1));
    let partition = clock.read();
    total(&clock, partition, &join.run::<C>(), true)
}

fn total<C: Consumer>(clock: &Clock, partition: (f64, f64), sinks: &[C], complete: bool) -> Run {
    let (seconds, cpu) = clock.read();
    let pairs = sinks.iter().map(Consumer::pairs).sum();
    let matched = sinks.iter().map(Consumer::matched).sum();
    Run { seconds, partition: partition.0, cpu, partition_cpu: partition.1, pairs, matched, complete }
}

/// Checks the runs and prints their line. Times are reported run by run.
#[expect(clippy::print_stdout, reason = "a benchmark's result is its output")]
fn report(op: &str, options: &Options, exponent: f64, input: &Input, expected: u64, runs: &[Run]) {
    for run in runs {
        assert!(
            run.complete && run.pairs == expected || !run.complete && run.pairs <= expected,
            "{op} lost or repeated"
        );
        assert_eq!(run.matched, runs[0].matched, "{op} gave two answers");
    }
    let list = |of: fn(&Run) -> f64| runs.iter().map(|run| format!("{:.4}", of(run))).collect::<Vec<_>>().join(",");
    println!(
        "{{\"op\":\"{op}\",\"n\":{},\"universe\":{},\"zipf\":{exponent},\"shape\":\"{}\",\"consumer\":\"{}\",\
         \"seconds\":[{}],\"partition_seconds\":[{}],\"cpu_seconds\":[{}],\"partition_cpu_seconds\":[{}],\"pairs\":{},\"complete\":{},\"expected_pairs\":{expected},\
         \"matched\":{},\"checksum\":\"{:016x}\",\"threads\":{}}}",
        options.n,
        options.universe,
        if options.itself { "self" } else { "two" },
        if options.write { "write" } else { "count" },
        list(|run| run.seconds),
        list(|run| run.partition),
        list(|run| run.cpu),
        list(|run| run.partition_cpu),
        runs[0].pairs,
        runs[0].complete,
        runs[0].matched,
        input.checksum(),
        rayon::current_num_threads(),
    );
}
