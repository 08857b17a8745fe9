//! The passes of training, and the model that they come to.

use std::collections::BTreeSet;

use super::super::super::prepared::Prepared;
use super::{LearnedRules, Trained};
use crate::error::{Result, printable};
use crate::expr::{Expr, derived_key};
use crate::rules::{ComparisonRules, Literal, RuleSet};
use crate::score::{
    ComparisonModel, LearnedFrom, LevelModel, LevelShare, MatchWeight, Model, Pass, PassComparison, PassRecord,
    PatternCounts, Patterns, TrainingPass, expectation_maximisation, weighted_median, without_matches,
};

/// m of the first level of a comparison before anything is learned.
const FIRST_M: f64 = 0.95;

/// Rounds in which u is freed of matches by m, and m is learned from that.
const MOST_ROUNDS: usize = 25;

/// The change of u below which these end.
const TOLERANCE: f64 = 1e-6;

/// The probability that two random records match.
pub struct Prior {
    pub value: f64,
    /// Where it is from.
    pub from: String,
    /// Whether it says something about these records.
    pub is_known: bool,
}

/// What a model is learned from.
pub struct Lesson<'a> {
    pub prepared: &'a Prepared,
    pub rules: &'a LearnedRules,
    pub shares: &'a [Vec<LevelShare>],
    pub counts: &'a PatternCounts,
    pub prior: Prior,
}

impl Lesson<'_> {
    /// Learns the model.
    pub fn learn(self) -> Result<Trained> {
        let comparisons = &self.prepared.rules.scoring.comparisons;
        let shape = Patterns::new(comparisons)?;
        let tables: Vec<Vec<(u64, u64)>> =
            (0..self.rules.training).map(|rule| self.counts.with_any(1 << rule)).collect();
        let active: Vec<Vec<bool>> = (0..self.rules.training).map(|rule| self.active(rule)).collect();
        let all: Vec<Vec<f64>> = self.shares.iter().map(|of| of.iter().map(|of| of.share).collect()).collect();
        let mut u = all.clone();
        let (mut passes, mut m) = self.pass(&shape, &tables, &active, &u);
        for _ in 0..if self.prior.is_known { MOST_ROUNDS } else { 0 } {
            let next: Vec<Vec<f64>> =
                all.iter().zip(&m).map(|(all, m)| without_matches(all, &m.values, self.prior.value)).collect();
            let change = |(a, b): (&f64, &f64)| (a - b).abs() / b;
            let change = u.iter().flatten().zip(next.iter().flatten()).map(change).fold(0.0, f64::max);
            u = next;
            if change < TOLERANCE {
                break;
            }
            (passes, m) = self.pass(&shape, &tables, &active, &u);
        }
        Ok(self.model(&passes, &active, &m, &u))
    }

    /// One pass over the pairs of each rule, and what they say of m together.
    fn pass(
        &self,
        shape: &Patterns,
        tables: &[Vec<(u64, u64)>],
        active: &[Vec<bool>],
        u: &[Vec<f64>],
    ) -> (Vec<PassRecord>, Vec<CombinedM>) {
        let start: Vec<Vec<f64>> = u.iter().map(|u| first_m(u.len())).collect();
        let run = |(counts, active): (&Vec<(u64, u64)>, &Vec<bool>)| {
            let both = start.iter().zip(u).zip(active);
            let comparisons = both.map(|((m, u), is_active)| PassComparison { is_active: *is_active, m, u });
            let matches = self.first_share(&start, u, active);
            expectation_maximisation(&Pass { shape, counts, comparisons: comparisons.collect(), matches })
        };
        let passes: Vec<PassRecord> =
            tables.iter().zip(active).filter(|(counts, _)| !counts.is_empty()).map(run).collect();
        let m = (0..u.len()).map(|at| CombinedM::of(&passes, at, &start[at])).collect();
        (passes, m)
    }

    /// The share of matches among the pairs of a rule, to begin with: the prior, and that some comparisons agree.
    fn first_share(&self, m: &[Vec<f64>], u: &[Vec<f64>], active: &[bool]) -> f64 {
        let fixed = active.iter().enumerate().filter(|(_, is_active)| !**is_active);
        let agreed: MatchWeight = fixed.map(|(at, _)| MatchWeight::of_ratio(m[at][0], u[at][0])).sum();
        (MatchWeight::of_probability(self.prior.value) + agreed).probability().clamp(1e-4, 0.9)
    }

    /// Which comparisons take part in the pass of a rule: those that read none of its columns.
    fn active(&self, rule: usize) -> Vec<bool> {
        let set = &self.prepared.rules;
        let own = &self.rules.conjunctions[self.rules.rules[rule].conjunctions.clone()];
        let read = columns_of(own.iter().flat_map(|of| &of.literals), set);
        let of_comparison = |of: &ComparisonRules| {
            let literals = of.levels.iter().flat_map(|level| level.conjunctions.iter().flatten());
            columns_of(literals, set).is_disjoint(&read)
        };
        set.scoring.comparisons.iter().map(of_comparison).collect()
    }

    fn model(self, passes: &[PassRecord], active: &[Vec<bool>], m: &[CombinedM], u: &[Vec<f64>]) -> Trained {
        let rules = &self.prepared.rules.scoring.comparisons;
        let comparisons = (0..rules.len()).map(|at| self.comparison(at, &m[at], &u[at])).collect();
        let mut model = Model::new(self.prior.value, comparisons);
        model.prior_from = Some(self.prior.from.clone());
        model.passes = self.training_passes(passes, active);
        let mut warnings = Vec::new();
        if !self.prior.is_known {
            warnings.push("nothing says how many records match: the prior is a guess of one pair in 10,000".to_owned());
        }
        let untrained = rules.iter().zip(m).filter(|(_, m)| m.is_trained.iter().all(|trained| !trained));
        for (rule, _) in untrained {
            warnings.push(format!("no training rule leaves `{}` open: its m is not learned", printable(&rule.name)));
        }
        let stuck = model.passes.iter().filter(|pass| !pass.has_converged);
        warnings.extend(stuck.map(|pass| format!("the pass of `{}` has not converged", printable(&pass.rule))));
        for rule in &self.rules.rules[..self.rules.training] {
            if !model.passes.iter().any(|pass| pass.rule == rule.text) {
                warnings.push(format!("the training rule `{}` has no pair", printable(&rule.text)));
            }
        }
        Trained { model, warnings }
    }

    fn comparison(&self, at: usize, m: &CombinedM, u: &[f64]) -> ComparisonModel {
        let rules = &self.prepared.rules.scoring.comparisons[at];
        let shares = &self.shares[at];
        let level = |number: usize| {
            let when = rules.levels.get(number).map(|level| level.text.as_str());
            let mut level = LevelModel::new(when, m.values[number].clamp(1e-12, 1.0), u[number].clamp(1e-18, 1.0));
            level.m_from = Some(if m.is_trained[number] { LearnedFrom::Trained } else { LearnedFrom::Default });
            level.u_from = Some(shares[number].from);
            level.u_error = shares[number].error;
            level
        };
        let levels = rules.levels.len();
        ComparisonModel::new(&rules.name, (0..levels).map(level).collect(), level(levels))
    }

    fn training_passes(&self, passes: &[PassRecord], active: &[Vec<bool>]) -> Vec<TrainingPass> {
        let names = &self.prepared.rules.scoring.comparisons;
        let pairs_of = |rule: usize| self.counts.with_any(1 << rule).iter().map(|(_, pairs)| pairs).sum::<u64>();
        let with_pairs = (0..self.rules.training).map(|rule| (rule, pairs_of(rule))).filter(|(_, pairs)| *pairs > 0);
        let pass = |((rule, pairs), record): ((usize, u64), &PassRecord)| TrainingPass {
            rule: self.rules.rules[rule].text.clone(),
            pairs,
            matches: record.matches,
            without: names.iter().zip(&active[rule]).filter(|(_, on)| !**on).map(|(of, _)| of.name.clone()).collect(),
            has_converged: record.has_converged,
            changes: record.changes.clone(),
        };
        with_pairs.zip(passes).map(pass).collect()
    }
}

/// m of the outcomes of a comparison before anything is learned.
fn first_m(outcomes: usize) -> Vec<f64> {
    let others = (1.0 - FIRST_M) / (outcomes - 1) as f64;
    (0..outcomes).map(|outcome| if outcome == 0 { FIRST_M } else { others }).collect()
}

/// What passes say of m together: the median of those that have seen a level, weighted by the pairs they have learned from.
struct CombinedM {
    values: Vec<f64>,
    is_trained: Vec<bool>,
}

impl CombinedM {
    fn of(passes: &[PassRecord], at: usize, start: &[f64]) -> Self {
        let of_outcome = |outcome: usize| {
            let of_pass = |pass: &PassRecord| Some((pass.m[at].as_ref()?[outcome]?, pass.evidence[at]));
            let mut seen: Vec<(f64, f64)> = passes.iter().filter_map(of_pass).collect();
            weighted_median(&mut seen).map_or((start[outcome], false), |m| (m, true))
        };
        let (values, is_trained) = (0..start.len()).map(of_outcome).unzip();
        Self { values, is_trained }
    }
}

/// The columns of the inputs that some literals read, through derived columns too.
fn columns_of<'l>(literals: impl Iterator<Item = &'l Literal>, set: &RuleSet) -> BTreeSet<String> {
    let mut columns = BTreeSet::new();
    for literal in literals {
        set.predicates[literal.predicate].test.exprs().into_iter().for_each(|expr| collect(expr, set, &mut columns));
    }
    columns
}

fn collect(expr: &Expr, set: &RuleSet, columns: &mut BTreeSet<String>) {
    expr.each_column(&mut |_, key| {
        let derived: Vec<_> = set.derived.iter().flatten().filter(|of| derived_key(&of.name) == key).collect();
        if columns.insert(key.to_owned()) {
            derived.into_iter().for_each(|of| collect(&of.expr, set, columns));
        }
    });
}
