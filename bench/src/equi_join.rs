//! The benchmark of `equi_join`: Zipf-distributed keys, every pair consumed, the number of pairs checked.
//!
//! Arguments, all optional: `--n 4000000` records a side, `--universe` keys (as many as records), `--zipf 0,0.5,1`,
//! `--shape two|self`, `--consumer count|write`, `--chained` to measure the chained join too, `--repeats 5`,
//! `--tasks 100000` to run only so many tasks, spread evenly, where all would take minutes. One line of JSON a measurement.

use std::time::Instant;

use rayon::prelude::*;
use sameas::candidates::equi_join::{EquiJoin, Tuples};
use sameas::candidates::tile::Sink;

use super::chained_join::ChainedJoin;

pub use sinks::{CountSink, WriteSink};

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

    /// A sum over the input by which two machines can tell that they measured the same.
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
/// 0 where the system does not tell.
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

/// Checks the runs and prints their line. Times are told run by run.
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

/// Consumers of the benchmark: one tests every pair, one writes every pair. Neither uses more of a tile than its pairs.
mod sinks {
    use sameas::candidates::tile::{Pairing, Sink, Tile};

    /// Counts the pairs with `(l ^ r) & 0xFFFF = 0`, each compared for itself.
    #[derive(Default)]
    pub struct CountSink {
        /// Pairs seen.
        pub pairs: u64,
        /// Pairs that satisfy the predicate.
        pub matched: u64,
        lanes: Lanes,
    }

    /// The low halves of a tile's rows, as vectors want them.
    #[derive(Default)]
    struct Lanes {
        left: Vec<u32>,
        right: Vec<u16>,
    }

    /// Right rows of a vector loop: eight vectors of 32 lanes.
    const WIDE: usize = 256;
    /// Left rows between two foldings of the 16-bit counters, which may not overflow.
    const HIGH: usize = 1 << 15;
    /// Entries of a triangle that are compared one by one; larger ones are halved.
    const SMALL: usize = 32;

    impl Sink for CountSink {
        #[inline(always)]
        fn tile(&mut self, tile: Tile<'_>) {
            match tile.pairing {
                Pairing::All => self.rectangle(tile.left, tile.right),
                Pairing::Ascending => self.triangle(tile.left),
                Pairing::Sorted | Pairing::Before => unreachable!("equi_join makes no such tiles"),
            }
        }
    }

    impl CountSink {
        #[inline(always)]
        fn rectangle(&mut self, left: &[u32], right: &[u32]) {
            self.pairs += left.len() as u64 * right.len() as u64;
            if left.len() * right.len() < 64 {
                for l in left {
                    for r in right {
                        self.matched += u64::from((l ^ r) & 0xFFFF == 0);
                    }
                }
            } else {
                self.matched += self.lanes.count(left, right);
            }
        }

        fn triangle(&mut self, rows: &[u32]) {
            if rows.len() > SMALL {
                let (before, after) = rows.split_at(rows.len() / 2);
                self.rectangle(before, after);
                self.triangle(before);
                self.triangle(after);
                return;
            }
            for (at, l) in rows.iter().enumerate() {
                self.pairs += (rows.len() - at - 1) as u64;
                self.matched += rows[at + 1..].iter().map(|r| u64::from((l ^ r) & 0xFFFF == 0)).sum::<u64>();
            }
        }
    }

    impl Lanes {
        #[inline(never)]
        fn count(&mut self, left: &[u32], right: &[u32]) -> u64 {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx512bw") {
                // SAFETY: the processor has the instructions.
                return unsafe { self.count_avx512(left, right) };
            }
            left.iter().map(|l| count_portable(*l, right)).sum()
        }

        /// Compares 32 pairs with one instruction; a mask leaves out what is behind the end of the right rows.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn count_avx512(&mut self, left: &[u32], right: &[u32]) -> u64 {
            self.left.clear();
            self.left.extend(left.iter().map(|l| (l & 0xFFFF) * 0x1_0001));
            self.right.clear();
            self.right.extend(right.iter().map(|r| *r as u16));
            let mut matched = 0;
            for left in self.left.chunks(HIGH) {
                let (blocks, rest) = self.right.as_chunks::<WIDE>();
                matched += blocks.iter().map(|block| avx512::count_block::<8>(left, block)).sum::<u64>();
                let (blocks, rest) = rest.as_chunks::<32>();
                matched += blocks.iter().map(|block| avx512::count_block::<1>(left, block)).sum::<u64>();
                if !rest.is_empty() {
                    matched += avx512::count_rest(left, rest);
                }
            }
            matched
        }
    }

    fn count_portable(l: u32, right: &[u32]) -> u64 {
        right
            .chunks(1 << 16)
            .map(|rows| u64::from(rows.iter().map(|r| u32::from((l ^ r) & 0xFFFF == 0)).sum::<u32>()))
            .sum()
    }

    #[cfg(target_arch = "x86_64")]
    mod avx512 {
        use std::arch::x86_64::*;

        /// Matches of each left row, its half doubled, with each of `32 V` right rows.
        #[target_feature(enable = "avx512f,avx512bw")]
        pub fn count_block<const V: usize>(left: &[u32], right: &[u16]) -> u64 {
            assert_eq!(right.len(), 32 * V);
            // SAFETY: the length has been checked.
            let rows: [__m512i; V] =
                std::array::from_fn(|v| unsafe { _mm512_loadu_si512(right[32 * v..].as_ptr().cast()) });
            let one = _mm512_set1_epi16(1);
            let mut counts = [_mm512_setzero_si512(); V];
            for l in left {
                let l = _mm512_set1_epi32(*l as i32);
                for v in 0..V {
                    counts[v] = _mm512_mask_add_epi16(counts[v], _mm512_cmpeq_epi16_mask(l, rows[v]), counts[v], one);
                }
            }
            counts.iter().map(|counts| fold(*counts)).sum()
        }

        /// The same for fewer than 32 right rows.
        #[target_feature(enable = "avx512f,avx512bw")]
        pub fn count_rest(left: &[u32], right: &[u16]) -> u64 {
            assert!(right.len() < 32);
            let mask = (1u32 << right.len()) - 1;
            // SAFETY: only lanes within the slice are loaded.
            let rows = unsafe { _mm512_maskz_loadu_epi16(mask, right.as_ptr().cast()) };
            let one = _mm512_set1_epi16(1);
            let mut counts = _mm512_setzero_si512();
            for l in left {
                let equal = _mm512_mask_cmpeq_epi16_mask(mask, _mm512_set1_epi32(*l as i32), rows);
                counts = _mm512_mask_add_epi16(counts, equal, counts, one);
            }
            fold(counts)
        }

        /// The sum of 16-bit counters.
        #[target_feature(enable = "avx512f,avx512bw")]
        fn fold(counts: __m512i) -> u64 {
            let low = _mm512_and_si512(counts, _mm512_set1_epi32(0xFFFF));
            let sums = _mm512_add_epi32(low, _mm512_srli_epi32::<16>(counts));
            _mm512_reduce_add_epi32(sums) as u32 as u64
        }

        /// Writes the pairs of each left row with each of eight right rows; returns how many.
        #[target_feature(enable = "avx512f")]
        pub fn write_block(left: &[u32], right: &[u32; 8], out: &mut [u64]) -> usize {
            // SAFETY: eight rows are read from an array of eight.
            let rows = unsafe { _mm256_loadu_si256(right.as_ptr().cast()) };
            let rows = _mm512_slli_epi64::<32>(_mm512_cvtepu32_epi64(rows));
            for (l, out) in left.iter().zip(out.as_chunks_mut::<8>().0) {
                let pairs = _mm512_or_si512(rows, _mm512_set1_epi64(i64::from(*l)));
                // SAFETY: eight pairs are written to an array of eight.
                unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), pairs) };
            }
            8 * left.len()
        }
    }

    /// Pairs of the buffer that is written again and again.
    const BUFFER: usize = 2048;

    /// Writes every pair, eight bytes, into a small buffer that is overwritten when full, as the next operator's input
    /// would be.
    pub struct WriteSink {
        /// Pairs written.
        pub pairs: u64,
        at: usize,
        buffer: Vec<u64>,
    }

    impl Default for WriteSink {
        fn default() -> Self {
            Self { pairs: 0, at: 0, buffer: vec![0; BUFFER] }
        }
    }

    impl Sink for WriteSink {
        #[inline(always)]
        fn tile(&mut self, tile: Tile<'_>) {
            match tile.pairing {
                Pairing::All => self.rectangle(tile.left, tile.right),
                Pairing::Ascending => self.triangle(tile.left),
                Pairing::Sorted | Pairing::Before => unreachable!("equi_join makes no such tiles"),
            }
        }
    }

    impl WriteSink {
        #[inline(always)]
        fn rectangle(&mut self, left: &[u32], right: &[u32]) {
            self.pairs += left.len() as u64 * right.len() as u64;
            if left.len() * right.len() < 64 {
                left.iter().for_each(|l| self.row(*l, right));
            } else {
                self.large(left, right);
            }
        }

        #[inline(never)]
        fn large(&mut self, left: &[u32], right: &[u32]) {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx512f") {
                let (blocks, rest) = right.as_chunks::<8>();
                for left in left.chunks(BUFFER / 8) {
                    for block in blocks {
                        self.make_room(8 * left.len());
                        // SAFETY: the processor has the instructions.
                        self.at += unsafe { avx512::write_block(left, block, &mut self.buffer[self.at..]) };
                    }
                    left.iter().for_each(|l| self.row(*l, rest));
                }
                return;
            }
            left.iter().for_each(|l| self.row(*l, right));
        }

        fn triangle(&mut self, rows: &[u32]) {
            if rows.len() > SMALL {
                let (before, after) = rows.split_at(rows.len() / 2);
                self.rectangle(before, after);
                self.triangle(before);
                return self.triangle(after);
            }
            for (at, l) in rows.iter().enumerate() {
                self.pairs += (rows.len() - at - 1) as u64;
                self.row(*l, &rows[at + 1..]);
            }
        }

        /// Starts the buffer anew where so many pairs would not fit; what it held counts as consumed.
        #[inline(always)]
        fn make_room(&mut self, pairs: usize) {
            if self.at + pairs > BUFFER {
                std::hint::black_box(&mut self.buffer);
                self.at = 0;
            }
        }

        /// The pairs of one left row.
        #[inline(always)]
        fn row(&mut self, l: u32, right: &[u32]) {
            for right in right.chunks(BUFFER) {
                self.make_room(right.len());
                for (out, r) in self.buffer[self.at..].iter_mut().zip(right) {
                    *out = u64::from(l) | u64::from(*r) << 32;
                }
                self.at += right.len();
            }
        }
    }
}

/// Seeded Zipf-distributed keys: inversion of the cumulative distribution, with a guide table to where to look.
mod zipf {
    use rayon::prelude::*;

    /// Ranks `1..=universe` with probability proportional to `rank^-exponent`, spread over the keys `0..universe`.
    pub struct Zipf {
        /// Probability of this rank or a smaller one.
        cumulative: Vec<f64>,
        /// For each of equally many slices of 0..1, the first rank that reaches it.
        guide: Vec<u32>,
    }

    impl Zipf {
        pub fn new(universe: usize, exponent: f64) -> Self {
            let mut cumulative: Vec<f64> =
                (1..=universe).into_par_iter().map(|rank| (rank as f64).powf(-exponent)).collect();
            let mut sum = 0.0;
            for weight in &mut cumulative {
                sum += *weight;
                *weight = sum;
            }
            cumulative.par_iter_mut().for_each(|entry| *entry /= sum);
            let mut rank = 0;
            let reach = |slice: usize| {
                while cumulative[rank] < slice as f64 / universe as f64 {
                    rank += 1;
                }
                rank as u32
            };
            let guide = (0..universe).map(reach).chain([universe as u32 - 1]).collect();
            Self { cumulative, guide }
        }

        /// So many keys. An affine map spreads the ranks over the keys, so that frequent keys are no neighbours.
        pub fn keys(&self, n: usize, seed: u64) -> Vec<u32> {
            let universe = self.cumulative.len();
            let factor = (universe * 5 / 8..).find(|factor| gcd(*factor, universe) == 1).unwrap_or(1);
            let key =
                |at: usize| ((self.rank(random(seed << 40 | at as u64)) * factor + universe / 3) % universe) as u32;
            (0..n).into_par_iter().map(key).collect()
        }

        /// The rank, from 0, for 53 random bits.
        fn rank(&self, random: u64) -> usize {
            let x = (random >> 11) as f64 / (1u64 << 53) as f64;
            let slice = (x * self.cumulative.len() as f64) as usize;
            let (from, to) = (self.guide[slice] as usize, self.guide[slice + 1] as usize);
            from + self.cumulative[from..to].partition_point(|entry| *entry <= x)
        }
    }

    fn gcd(a: usize, b: usize) -> usize {
        if b == 0 { a } else { gcd(b, a % b) }
    }

    /// SplitMix64's output for a counter.
    pub fn random(counter: u64) -> u64 {
        let x = counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    }
}
