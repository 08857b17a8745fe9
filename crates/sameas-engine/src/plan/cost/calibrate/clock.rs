//! How long a check takes for a pair.

use std::time::Instant;

use crate::candidates::Batch;
use crate::records::encode::Encoded;
use crate::verify::{Check, Truth};

/// Pairs of a first run, which finds the number of pairs to time.
const FIRST: usize = 64;

/// The nanoseconds that a check takes for a pair, over as many pairs as fit into `longest` seconds; and these pairs. Of
/// several runs the lower quartile counts: whatever disturbs a run can only make it longer.
pub fn nanoseconds(check: &Check, encoded: &Encoded, pairs: &Batch, runs: usize, longest: f64) -> (Vec<u32>, f64) {
    let mut truths = vec![Truth::Unknown; pairs.l.len()];
    let mut time = |selection: &[u32]| {
        truths.fill(Truth::Unknown);
        let start = Instant::now();
        check.evaluate(encoded, pairs, selection, &mut truths);
        start.elapsed().as_secs_f64()
    };
    let all: Vec<u32> = (0..pairs.l.len() as u32).collect();
    let first = &all[..FIRST.min(all.len())];
    time(first);
    let one = time(first) / first.len() as f64;
    let fitting = (longest / one.max(1e-9)) as usize;
    let taken = &all[..fitting.clamp(first.len(), all.len())];
    // The first run warms the caches and is not counted.
    time(taken);
    let mut times: Vec<f64> = (0..runs.max(1)).map(|_| time(taken)).collect();
    times.sort_unstable_by(f64::total_cmp);
    (taken.to_vec(), (times[times.len() / 4] * 1e9 / taken.len() as f64).max(f64::MIN_POSITIVE))
}
