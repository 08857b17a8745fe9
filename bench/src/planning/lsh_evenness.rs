//! How well is the share of pairs that satisfy a predicate estimated, from sampled pairs or from the evenness of hash
//! buckets?
//!
//! Arguments: `--data FOLDER` with the data sets, `--list` to print every predicate. Prints tables.
//!
//! - sample N: the share among N pairs drawn at random; for equalities, from the frequencies of keys, without error.
//! - evenness: the values of the column are hashed into buckets, so that similar ones meet, and the estimate is the
//!   standard deviation of the buckets' sizes, divided by the greatest that it can be (all values in one bucket), which
//!   brings it between 0 and 1. Texts and sets are hashed by the minima of two hashes over their 2-grams, other values
//!   whole. It sees the column and the kind of comparison; thresholds and measures make no difference.
//!
//! The truth is counted over all pairs.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;
use sameas_joins::candidates::{BATCH, Batch};
use sameas_joins::verify::{Check, Truth};

use super::random::Random;
use super::ranking::{ndcg, ndcg_of_chance, spearman};
use super::workload::{DATA_SETS, Workload};
use crate::report::{self, mix};

/// Pairs in a sample.
const SAMPLES: [usize; 3] = [1 << 10, 1 << 14, 1 << 18];

/// Numbers of buckets.
const BUCKETS: [usize; 2] = [64, 1024];

/// Runs the experiment.
///
/// # Panics
/// If a data set cannot be read.
pub fn run(args: &[String]) {
    let data = Path::new(report::option(args, "--data").expect("--data names the folder of data sets"));
    let list = args.iter().any(|arg| arg == "--list");
    println!("| data set | predicates | estimate | NDCG | Spearman | ms in all |\n|---|---|---|---|---|---|");
    for set in &DATA_SETS {
        let work = Workload::read(data, set);
        let hashable = |at: &usize| work.operand_codes(work.check(*at)).is_some();
        let predicates: Vec<usize> = (0..work.predicates.len()).filter(hashable).collect();
        let truth: Vec<f64> = predicates.iter().map(|at| true_share(&work, work.check(*at))).collect();
        let head = format!("| {} | {} |", work.name, predicates.len());
        println!("{head} any order | {:.3} | | |", ndcg_of_chance(&truth));
        let mut shown = Vec::new();
        for (name, estimate) in estimates(&work) {
            let start = Instant::now();
            let estimated: Vec<f64> = predicates.iter().map(|at| estimate(work.check(*at))).collect();
            let milliseconds = start.elapsed().as_secs_f64() * 1e3;
            let [gain, correlation] = [ndcg(&estimated, &truth), spearman(&estimated, &truth)];
            println!("{head} {name} | {gain:.3} | {correlation:.3} | {milliseconds:.1} |");
            shown.push(estimated);
        }
        if list {
            for (place, at) in predicates.iter().enumerate() {
                let values: Vec<String> = shown.iter().map(|of| format!("{:.2e}", of[place])).collect();
                eprintln!("{}: {:.3e}; {}", work.predicates[*at].0, truth[place], values.join(", "));
            }
        }
    }
}

type Estimate<'a> = Box<dyn Fn(&Check) -> f64 + 'a>;

fn estimates(work: &Workload) -> Vec<(String, Estimate<'_>)> {
    let mut all: Vec<(String, Estimate<'_>)> = Vec::new();
    for count in SAMPLES {
        let pairs = work.random_pairs(count, &mut Random(99));
        let batches: Vec<Batch> = pairs
            .l
            .chunks(BATCH)
            .zip(pairs.r.chunks(BATCH))
            .map(|(l, r)| Batch { l: l.to_vec(), r: r.to_vec() })
            .collect();
        all.push((format!("sample {count}"), Box::new(move |check| sampled_share(work, check, &batches))));
    }
    for buckets in BUCKETS {
        all.push((format!("evenness, {buckets} buckets"), Box::new(move |check| evenness(work, check, buckets))));
    }
    all
}

fn held(work: &Workload, check: &Check, pairs: &Batch) -> usize {
    work.verdicts(check, pairs).iter().filter(|verdict| **verdict == Truth::True).count()
}

/// The share over all pairs.
fn true_share(work: &Workload, check: &Check) -> f64 {
    let [left, right] = work.rows;
    let of_row = |l: u32| {
        let rows: Vec<u32> = (0..right).collect();
        rows.chunks(BATCH).map(|r| held(work, check, &Batch { l: vec![l; r.len()], r: r.to_vec() })).sum::<usize>()
    };
    (0..left).into_par_iter().map(of_row).sum::<usize>() as f64 / (f64::from(left) * f64::from(right))
}

fn sampled_share(work: &Workload, check: &Check, batches: &[Batch]) -> f64 {
    if matches!(check, Check::Equal { .. })
        && let Some([left, right]) = work.operand_codes(check)
    {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        right.iter().for_each(|code| *counts.entry(*code).or_default() += 1);
        let equal: u64 = left.iter().filter_map(|code| counts.get(code)).sum();
        return equal as f64 / (f64::from(work.rows[0]) * f64::from(work.rows[1]));
    }
    let pairs: usize = batches.iter().map(|batch| batch.l.len()).sum();
    batches.iter().map(|batch| held(work, check, batch)).sum::<usize>() as f64 / pairs as f64
}

fn evenness(work: &Workload, check: &Check, buckets: usize) -> f64 {
    let Some(operands) = check.operands() else { return 0.0 };
    let whole = matches!(check, Check::Equal { .. } | Check::Difference { .. });
    let mut sizes = vec![0.0_f64; buckets];
    let mut values = 0.0;
    for (operand, codes) in
        [operands.left, operands.right].into_iter().zip(work.operand_codes(check).into_iter().flatten())
    {
        let dictionary = &work.program.encoded.domain(operand).dictionary;
        for code in codes {
            let value = dictionary.value(code);
            let hash = if whole { bytes_hash(value, 0) } else { min_hash(value) };
            sizes[(hash % buckets as u64) as usize] += 1.0;
            values += 1.0;
        }
    }
    let mean = values / buckets as f64;
    let deviation = (sizes.iter().map(|size| (size - mean).powi(2)).sum::<f64>() / buckets as f64).sqrt();
    let greatest = values * (buckets as f64 - 1.0).sqrt() / buckets as f64;
    if greatest == 0.0 { 0.0 } else { deviation / greatest }
}

/// The minima of two hashes over the 2-grams of a text, mixed.
fn min_hash(text: &[u8]) -> u64 {
    let least = |seed: u64| text.windows(2).map(|gram| bytes_hash(gram, seed)).min().unwrap_or(0);
    mix(least(1).wrapping_add(mix(least(2))))
}

fn bytes_hash(bytes: &[u8], seed: u64) -> u64 {
    bytes.iter().fold(mix(seed.wrapping_add(bytes.len() as u64)), |hash, byte| mix(hash ^ u64::from(*byte)))
}
