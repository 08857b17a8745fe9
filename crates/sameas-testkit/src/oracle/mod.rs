//! The oracle: every pair by nested loops, every value by its textbook definition.
//!
//! It shares no code with the engine it judges; the crate does not even depend on it. Nothing here is clever.

mod accents;
mod cluster;
mod coverage;
mod date;
mod date_format;
mod exact;
pub mod faulty;
mod functions;
mod interpret;
mod keys;
mod lists;
mod metaphone;
mod near;
mod neighbours;
mod number;
mod number_text;
mod records;
mod regex;
pub mod relations;
mod sets;
mod strings;
mod text;
mod value;

pub use coverage::{Coverage, Seen};
pub use near::{NearPair, near};

use crate::case::{Case, Expr, JobKind};
use faulty::Fault;
use interpret::Pair;
use neighbours::Ranks;
use records::Record;
use value::Value;

/// The expected answer of a job. Rows count from 0 over all inputs, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Row of l, row of r and the first rule that holds, sorted.
    pub pairs: Vec<(usize, usize, usize)>,
    /// For each row the first row of its cluster.
    pub clusters: Vec<usize>,
    /// For each rule the number of pairs it would find if it were the only rule.
    pub alone: Vec<u64>,
    /// For each `never` the number of pairs of some rule that it is the first to forbid.
    pub forbidden: Vec<u64>,
}

/// The answer to a case.
pub fn evaluate(case: &Case) -> Answer {
    evaluate_and_record(case, &mut Coverage::default())
}

/// The answer to a case; adds to `coverage` what was seen of each measure on the way.
pub fn evaluate_and_record(case: &Case, coverage: &mut Coverage) -> Answer {
    answer(case, None, coverage)
}

/// The value of an expression without columns, if it is a number.
pub fn number_of(expr: &Expr) -> Option<f64> {
    let (no_record, ranks) = (Record::default(), Ranks::default());
    let pair = Pair { left: &no_record, right: &no_record, ranks: &ranks, fault: None };
    pair.value(expr, &mut Coverage::default()).to_float()
}

/// The answer by nested loops, wrong in one way if there is a `fault`.
fn answer(case: &Case, fault: Option<Fault>, coverage: &mut Coverage) -> Answer {
    let records = records::records(case, fault);
    let ranks = Ranks::new(case, &records);
    let mut pairs = Vec::new();
    let mut alone = vec![0; case.job.rules.len()];
    let mut forbidden = vec![0; case.job.nevers.len()];
    for a in &records {
        for b in &records[a.row + 1..] {
            let (holding, never) = rules_that_hold(case, a, b, &ranks, fault, coverage);
            if let Some(never) = never {
                forbidden[never] += u64::from(!holding.is_empty());
                continue;
            }
            if let Some(first) = holding.first() {
                pairs.push((a.row, b.row, *first));
            }
            holding.into_iter().for_each(|rule| alone[rule] += 1);
        }
    }
    Answer { clusters: clusters_of(&pairs, records.len()), pairs, alone, forbidden }
}

fn clusters_of(pairs: &[(usize, usize, usize)], records: usize) -> Vec<usize> {
    let edges: Vec<(usize, usize)> = pairs.iter().map(|(a, b, _)| (*a, *b)).collect();
    cluster::clusters(records, &edges)
}

/// The rules that hold for the pair, `a` being the earlier row, and the first `never`; none if the job does not compare it.
fn rules_that_hold(
    case: &Case,
    a: &Record,
    b: &Record,
    ranks: &Ranks,
    fault: Option<Fault>,
    coverage: &mut Coverage,
) -> (Vec<usize>, Option<usize>) {
    let across = a.table != b.table;
    if case.job.kind == JobKind::Link && !across {
        return (Vec::new(), None);
    }
    let mut holds = |condition: &Expr, back_too: bool| {
        let mut is_true = |left: &Record, right: &Record| {
            Pair { left, right, ranks, fault }.value(condition, coverage) == Value::Bool(true)
        };
        let forth = is_true(a, b);
        let back = !across && back_too && is_true(b, a);
        forth || back
    };
    let mut forbids = |never: &Expr| holds(never, fault != Some(Fault::NeverOneWayOnly));
    let mut nevers = case.job.nevers.iter();
    let never = match fault {
        Some(Fault::NeverCountedForTheLast) => nevers.rposition(&mut forbids),
        _ => nevers.position(&mut forbids),
    };
    let both_ways = fault != Some(Fault::TriangleOnAsymmetricRule);
    let rules = (0..case.job.rules.len()).filter(|rule| holds(&case.job.rules[*rule].when, both_ways)).collect();
    (rules, never)
}

#[cfg(test)]
mod tests;
