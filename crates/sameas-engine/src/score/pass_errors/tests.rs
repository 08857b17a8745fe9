//! What is stated of m against tables that were drawn with a known m.

use super::super::expectation::{PassBelief, expectation_maximisation};
use super::super::match_limit::MatchLimit;
use super::super::pass_table::PassTable;
use super::super::pattern::Patterns;
use super::*;
use crate::cancel::Cancel;
use crate::records::stats::Random;
use crate::rules::{ComparisonRules, LevelRule};

/// What a table is drawn from.
struct DrawnFrom {
    share: f64,
    m: Vec<Vec<f64>>,
    u: Vec<Vec<f64>>,
    pairs: usize,
    /// How often a value is missing.
    null: f64,
}

fn shape(truth: &DrawnFrom) -> Patterns {
    let comparison = |m: &Vec<f64>| ComparisonRules {
        name: "a".to_owned(),
        levels: vec![LevelRule::default(); m.len() - 1],
        term_frequency: None,
    };
    Patterns::new(&truth.m.iter().map(comparison).collect::<Vec<_>>()).unwrap()
}

/// Probabilities of outcomes, of which the first and the last have what is left of `first`.
fn probabilities(random: &mut Random, outcomes: usize, first: f64) -> Vec<f64> {
    let others: Vec<f64> = (1..outcomes).map(|_| 0.2 + random.unit()).collect();
    let all: f64 = others.iter().sum();
    [first].into_iter().chain(others.into_iter().map(|of| (1.0 - first) * of / all)).collect()
}

fn random_truth(random: &mut Random) -> DrawnFrom {
    let comparisons = 3 + random.below(3) as usize;
    let levels: Vec<usize> = (0..comparisons).map(|_| 2 + random.below(3) as usize).collect();
    let m = levels.iter().map(|levels| {
        let first = 0.6 + 0.38 * random.unit();
        probabilities(random, *levels, first)
    });
    let m = m.collect();
    let u = levels.iter().map(|levels| {
        let first = 0.001 + 0.1 * random.unit();
        let mut u = probabilities(random, *levels, first);
        // The first is rare, and *else* is what most pairs have.
        u.sort_by(f64::total_cmp);
        u
    });
    let u = u.collect();
    let (share, null) = (0.1 + 0.8 * random.unit(), 0.3 * random.unit());
    DrawnFrom { share, m, u, pairs: 300 + random.below(4000) as usize, null }
}

fn drawn(random: &mut Random, shares: &[f64]) -> usize {
    let (mut left, mut at) = (random.unit(), 0);
    while at + 1 < shares.len() && left >= shares[at] {
        left -= shares[at];
        at += 1;
    }
    at
}

fn counts(truth: &DrawnFrom, random: &mut Random) -> Vec<(u64, u64)> {
    let shape = shape(truth);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..truth.pairs {
        let of = if random.unit() < truth.share { &truth.m } else { &truth.u };
        let mut pattern = 0;
        for (at, shares) in of.iter().enumerate() {
            let outcome = if random.unit() < truth.null { shares.len() } else { drawn(random, shares) };
            pattern += shape.part(at, outcome);
        }
        *counts.entry(pattern).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

fn learned(truth: &DrawnFrom, counts: &[(u64, u64)]) -> (PassRecord, PassErrors) {
    let table = PassTable::new(&shape(truth), counts, &vec![true; truth.m.len()]);
    let first = |u: &Vec<f64>| (0..u.len()).map(|at| if at == 0 { 0.9 } else { 0.1 / (u.len() - 1) as f64 }).collect();
    let pass = Pass { table: &table, u: &truth.u, cancel: Cancel::NEVER };
    let start = truth.u.iter().map(first).collect();
    let record =
        expectation_maximisation(pass, PassBelief { matches: 0.3, held_back: 0.0, m: start }, MatchLimit::NONE);
    let errors = PassErrors::new(pass, &record);
    (record, errors)
}

#[test]
fn intervals_hold_what_tables_were_drawn_with() {
    let mut random = Random::new(17);
    let (mut within, mut all, mut naive, mut shares) = (0, 0, 0, 0);
    let tables = 400;
    for _ in 0..tables {
        let truth = random_truth(&mut random);
        let counts = counts(&truth, &mut random);
        let (record, errors) = learned(&truth, &counts);
        shares += usize::from((record.belief.matches - truth.share).abs() <= 1.96 * errors.matches.unwrap_or(1.0));
        for (at, m) in truth.m.iter().enumerate() {
            let matches: f64 = record.expected[at].iter().sum();
            for (outcome, m) in m.iter().enumerate().filter(|(outcome, _)| record.expected[at][*outcome] >= 50.0) {
                let (found, error) = (record.belief.m[at][outcome], errors.m[at][outcome]);
                let off = (found / m).ln().abs();
                all += 1;
                within += usize::from(off <= 1.96 * error / found);
                naive += usize::from(off <= 1.96 * ((1.0 - found) / found / matches).sqrt());
            }
        }
    }
    let [within, naive] = [within, naive].map(|held| held as f64 / all as f64);
    assert!(all > 1000 && (0.92..0.98).contains(&within), "{within} of {all}");
    assert!(naive < within - 0.02, "an error that takes matches for known holds {naive}");
    assert!(shares as f64 > 0.91 * tables as f64, "{shares} of {tables} shares of matches");
}

#[test]
fn what_pairs_do_not_determine_is_not_known() {
    // One comparison: any share of matches is as good as another.
    let truth = DrawnFrom { share: 0.5, m: vec![vec![0.9, 0.1]], u: vec![vec![0.1, 0.9]], pairs: 0, null: 0.0 };
    let (record, errors) = learned(&truth, &[(0, 500), (1, 500)]);
    assert!(errors.m[0][0] > 0.1 && errors.matches.is_none_or(|error| error > 0.1), "{record:?} {errors:?}");
    // Three that agree or not together: known nearly as well as if matches were.
    let (m, u) = (vec![vec![0.9, 0.1]; 3], vec![vec![0.001, 0.999]; 3]);
    let three = DrawnFrom { share: 0.5, m, u, pairs: 4000, null: 0.0 };
    let (record, errors) = learned(&three, &counts(&three, &mut Random::new(3)));
    let known = (0.9 * 0.1 / record.expected[0].iter().sum::<f64>()).sqrt();
    assert!((errors.m[0][0] / known - 1.0).abs() < 0.2, "{errors:?} beside {known}");
}

#[test]
fn errors_of_odd_tables_are_numbers() {
    let truth = |levels: usize| DrawnFrom {
        share: 0.5,
        m: vec![vec![1.0 / levels as f64; levels]; 3],
        u: vec![vec![1.0 / levels as f64; levels]; 3],
        pairs: 0,
        null: 0.0,
    };
    for levels in [2, 3, 150] {
        let of = truth(levels);
        let shape = shape(&of);
        let pattern = |outcome: usize| (0..3).map(|at| shape.part(at, outcome)).sum::<u64>();
        for counts in [vec![(pattern(0), 1)], vec![(pattern(levels), 1000)], vec![(pattern(0), 10), (pattern(1), 10)]] {
            let (_, errors) = learned(&of, &counts);
            assert!(errors.m.iter().flatten().all(|error| error.is_finite() && *error >= 0.0), "{errors:?}");
        }
    }
}
