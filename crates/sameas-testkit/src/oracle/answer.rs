//! The answer to a job: every pair by nested loops.

use std::collections::BTreeMap;

use super::cluster;
use super::coverage::Coverage;
use super::fault::Fault;
use super::interpret::Pair;
use super::neighbours::Ranks;
use super::records::{Record, has_back, is_compared, records};
use super::scores::{PairScore, Scorer};
use super::value::Value;
use crate::case::{Case, Expr};

/// The expected answer of a job. Rows count from 0 over all inputs, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Row of l, row of r and the first rule that holds, certain ones first, sorted.
    pub pairs: Vec<(usize, usize, usize)>,
    /// The scores of these pairs, if pairs have some.
    pub scores: BTreeMap<(usize, usize), PairScore>,
    /// For each comparison and each of its outcomes the number of pairs, of all that the job compares.
    pub outcomes: Vec<Vec<u64>>,
    /// For each row the first row of its cluster.
    pub clusters: Vec<usize>,
    /// For each rule the number of pairs it would find if it were the only rule.
    pub alone: Vec<u64>,
    /// For each rule the number of pairs that belong to it, whatever their scores.
    pub marginal: Vec<u64>,
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

/// The answer by nested loops, wrong in one way if there is a `fault`.
pub(super) fn answer(case: &Case, fault: Option<Fault>, coverage: &mut Coverage) -> Answer {
    let records = records(case, fault);
    let ranks = Ranks::new(case, &records);
    let scorer = Scorer::new(case, &records, &ranks, fault);
    let mut answer = no_pairs(case);
    for a in &records {
        for b in records[a.row + 1..].iter().filter(|b| is_compared(case, a, b)) {
            let scored = scorer.as_ref().map(|scorer| {
                let score = scorer.score(a, b, coverage);
                (scorer.is_reached(&score), score)
            });
            let (holding, never) = rules_that_hold(case, a, b, &ranks, fault, coverage);
            answer.add(case, (a.row, b.row), scored, &holding, never, fault);
        }
    }
    answer.clusters = clusters_of(&answer.pairs, records.len());
    answer
}

/// The answer before any pair was looked at.
fn no_pairs(case: &Case) -> Answer {
    let (job, zeros) = (&case.job, |number: usize| vec![0; number]);
    let comparisons = job.scoring.iter().flat_map(|scoring| &scoring.comparisons);
    Answer {
        pairs: Vec::new(),
        scores: BTreeMap::new(),
        outcomes: comparisons.map(|compare| zeros(compare.levels.len() + 2)).collect(),
        clusters: Vec::new(),
        alone: zeros(job.rules.len()),
        marginal: zeros(job.rules.len()),
        forbidden: zeros(job.nevers.len()),
    }
}

impl Answer {
    /// Adds what is known of two rows: whether their score is enough, and that score; the rules that hold, and the first
    /// `never`.
    fn add(
        &mut self,
        case: &Case,
        (l, r): (usize, usize),
        scored: Option<(bool, PairScore)>,
        holding: &[usize],
        never: Option<usize>,
        fault: Option<Fault>,
    ) {
        let (is_reached, score) = scored.map_or((true, None), |(is_reached, score)| (is_reached, Some(score)));
        for (counts, part) in self.outcomes.iter_mut().zip(score.iter().flat_map(|score| &score.parts)) {
            counts[part.outcome] += 1;
        }
        if let Some(never) = never {
            self.forbidden[never] += u64::from(!holding.is_empty());
            return;
        }
        holding.iter().for_each(|rule| self.alone[*rule] += 1);
        let rules = &case.job.rules;
        // Without rules, every pair is a candidate.
        let owner = if rules.is_empty() { Some(0) } else { holding.first().copied() };
        let Some(rule) = owner else { return };
        self.marginal.iter_mut().skip(rule).take(1).for_each(|pairs| *pairs += 1);
        let is_certain = rules.get(rule).is_some_and(|rule| rule.is_certain) && fault != Some(Fault::CertainForgotten);
        if is_certain || is_reached {
            self.pairs.push((l, r, rule));
            self.scores.extend(score.map(|score| ((l, r), score)));
        }
    }
}

/// For each record the first one of its cluster.
pub(super) fn clusters_of(pairs: &[(usize, usize, usize)], records: usize) -> Vec<usize> {
    let edges: Vec<(usize, usize)> = pairs.iter().map(|(a, b, _)| (*a, *b)).collect();
    cluster::clusters(records, &edges)
}

/// The rules that hold for the pair, `a` being the earlier row, certain ones first, and the first `never`.
fn rules_that_hold(
    case: &Case,
    a: &Record,
    b: &Record,
    ranks: &Ranks,
    fault: Option<Fault>,
    coverage: &mut Coverage,
) -> (Vec<usize>, Option<usize>) {
    let mut holds = |condition: &Expr, back_too: bool| {
        let mut is_true = |left: &Record, right: &Record| {
            Pair { left, right, ranks, fault }.value(condition, coverage) == Value::Bool(true)
        };
        let forth = is_true(a, b);
        let back = back_too && has_back(case, a, b) && is_true(b, a);
        forth || back
    };
    let mut forbids = |never: &Expr| holds(never, fault != Some(Fault::NeverOneWayOnly));
    let mut nevers = case.job.nevers.iter();
    let never = match fault {
        Some(Fault::NeverCountedForTheLast) => nevers.rposition(&mut forbids),
        _ => nevers.position(&mut forbids),
    };
    let both_ways = fault != Some(Fault::TriangleOnAsymmetricRule);
    let rules = case.job.rule_order().into_iter();
    let rules = rules.filter(|rule| holds(&case.job.rules[*rule].when, both_ways)).collect();
    (rules, never)
}
