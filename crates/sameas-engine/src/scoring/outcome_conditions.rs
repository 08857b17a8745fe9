//! The outcomes of comparisons as conditions to join on, with what they weigh, how many pairs they have and what joins take.

use super::covered_records::CoveredRecords;
use super::model_scores::Scoring;
use crate::candidates::AccessPath;
use crate::model::MatchWeight;
use crate::plan::{Estimator, Planner};
use crate::rules::{Implications, LevelRule, Literal};
use crate::score::{CoverJoin, CoverOutcome, RareLimit, ValueBand};
use crate::verify::Program;

/// An outcome of a comparison, as a condition: a level, for values that are rare enough.
pub(super) struct OutcomeCondition {
    pub level: usize,
    pub limit: Option<RareLimit>,
}

/// The outcomes of a comparison, and what they require; nothing for *else* and *null*.
pub(super) struct ComparisonOutcomes {
    pub outcomes: Vec<CoverOutcome>,
    pub conditions: Vec<Option<OutcomeCondition>>,
}

/// The outcomes of all comparisons.
pub(super) fn all_outcomes(
    records: &CoveredRecords<'_>,
    planner: &Planner<'_>,
    scoring: &Scoring,
) -> Vec<ComparisonOutcomes> {
    let (estimator, implied) = (planner.estimator(), records.rules.level_implications());
    let comparisons = 0..scoring.model.comparisons.len();
    comparisons.map(|at| outcomes_of(at, records, scoring, estimator, &implied)).collect()
}

/// The outcomes of a comparison: its levels or their bands, *else* and *null*.
fn outcomes_of(
    at: usize,
    records: &CoveredRecords<'_>,
    scoring: &Scoring,
    estimator: &Estimator<'_>,
    implied: &Implications,
) -> ComparisonOutcomes {
    let (rules, model) = (&records.rules.scoring.comparisons[at], &scoring.model);
    let weights = scoring.scorer.weights(at);
    let mut all = ComparisonOutcomes { outcomes: Vec::new(), conditions: Vec::new() };
    for (number, level) in rules.levels.iter().enumerate() {
        let of = &model.comparisons[at].levels[number];
        let share = (of.u + model.prior * of.m) * present_share(level, records);
        let join = join_of(level, records.program, estimator);
        for band in bands(at, number, scoring) {
            let (weight, share) = (weights[number] + band.adjustment, share * band.share);
            all.conditions.push(Some(OutcomeCondition { level: number, limit: band.limit }));
            let includes = included(&all.conditions, &rules.levels, implied);
            all.outcomes.push(CoverOutcome { weight, share, join, includes });
        }
    }
    for weight in &weights[rules.levels.len()..] {
        all.outcomes.push(CoverOutcome { weight: *weight, share: 1.0, join: None, includes: Vec::new() });
        all.conditions.push(None);
    }
    all
}

/// The share of pairs in which both records have the values that a level compares.
fn present_share(level: &LevelRule, records: &CoveredRecords<'_>) -> f64 {
    let of_operand = |operand: usize| {
        let column = &records.columns.columns[operand];
        1.0 - column.nulls as f64 / (column.rows as f64).max(1.0)
    };
    let operands = |literal: &Literal| records.program.checks[literal.predicate].operands();
    let of_literal = |literal: &Literal| operands(literal).map_or(1.0, |o| of_operand(o.left) * of_operand(o.right));
    let of_conjunction = |literals: &Vec<Literal>| literals.iter().map(of_literal).fold(1.0, f64::min);
    level.ways.iter().map(of_conjunction).fold(0.0, f64::max)
}

/// The bands of a level; one of all values where their frequencies do not count.
fn bands(at: usize, level: usize, scoring: &Scoring) -> Vec<ValueBand> {
    let frequencies = scoring.scorer.frequencies(at).filter(|frequencies| frequencies.adjusts(level));
    match frequencies {
        Some(frequencies) => frequencies.bands(),
        None => vec![ValueBand { limit: None, adjustment: MatchWeight(0), share: 1.0 }],
    }
}

/// The outcomes so far whose pairs satisfy the condition of the last one.
fn included(so_far: &[Option<OutcomeCondition>], levels: &[LevelRule], implied: &Implications) -> Vec<usize> {
    let Some(Some(last)) = so_far.last() else { return Vec::new() };
    let satisfies = |level: usize| {
        let any = |from: &Vec<Literal>| levels[last.level].ways.iter().any(|of| follows(from, of, implied));
        levels[level].ways.iter().all(any)
    };
    let is_included = |condition: &OutcomeCondition| match condition.level == last.level {
        // Bands come from the rarest values on.
        true => true,
        false => last.limit.is_none() && satisfies(condition.level),
    };
    let all = so_far.iter().enumerate();
    all.filter(|(_, of)| of.as_ref().is_some_and(is_included)).map(|(at, _)| at).collect()
}

/// Whether a conjunction follows from another.
pub(super) fn follows(from: &[Literal], conjunction: &[Literal], implied: &Implications) -> bool {
    conjunction.iter().all(|b| from.iter().any(|a| a == b || implied.implies(*a, *b)))
}

/// How pairs with a level are found: each of its conjunctions needs a condition to join on.
fn join_of(level: &LevelRule, program: &Program, estimator: &Estimator<'_>) -> Option<CoverJoin> {
    let mut cost: Option<f64> = Some(0.0);
    for literals in &level.ways {
        let joins = literals.iter().filter_map(|literal| join_cost(*literal, program, estimator));
        let cheapest = joins.min_by(f64::total_cmp);
        cost = cost.zip(cheapest).map(|(cost, more)| cost + more);
    }
    cost.map(|cost| if cost == 0.0 { CoverJoin::Equality } else { CoverJoin::Similarity(cost) })
}

/// What joining on a literal takes beside its candidates; nothing where no join finds them. Always that of a core: covers are rules
/// whose pairs are counted, and a run that resumes another may have other threads or another device.
fn join_cost(literal: Literal, program: &Program, estimator: &Estimator<'_>) -> Option<f64> {
    let path = AccessPath::serving(&program.checks[literal.predicate]).filter(|_| literal.want)?;
    // Keys are found without a look at other values.
    let has_keys = path.declaration().has_keys();
    Some(if has_keys { 0.0 } else { estimator.least_cost_on_cores(literal.predicate).max(1.0) })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};

    use super::super::scores::Scores;
    use super::super::testing::TestRecords;
    use super::*;
    use crate::job::Job;
    use crate::model::Model;
    use crate::plan::cost::Costs;
    use crate::plan::{PlanInput, RelativeCost, Strategy};
    use crate::records::Input;
    use crate::rules::RuleFile;

    const RULES: &str = "[[compare]]\nname = \"name\"\n\
                         levels = [\"l.name = r.name\", \"levenshtein(l.name, r.name) <= 2\"]\n[score]\nthreshold = 0.5\n";
    const MODEL: &str = "prior = 0.01\n[[comparison]]\nname = \"name\"\n[[comparison.level]]\nwhen = \"l.name = r.name\"\n\
                         m = 0.8\nu = 0.001\n[[comparison.level]]\nwhen = \"levenshtein(l.name, r.name) <= 2\"\nm = 0.1\n\
                         u = 0.01\n[comparison.else]\nm = 0.1\nu = 0.989\n";

    #[test]
    fn what_joins_take_does_not_depend_on_a_device() {
        let column = |texts: Vec<String>| -> ArrayRef { Arc::new(StringArray::from(texts)) };
        let names = (0..2_000).map(|at| format!("name {}", at * 7919 % 1_999)).collect();
        let ids = (0..2_000).map(|at| at.to_string()).collect();
        let batch = RecordBatch::try_from_iter([("id", column(ids)), ("name", column(names))]).unwrap();
        let input = Input::batches("names", batch.schema(), vec![batch]).unwrap();
        let job = Job::dedupe(input).with_rules(RuleFile::parse(RULES, "rules.toml").unwrap());
        let job = job.with_model(Model::parse(MODEL, "model.toml").unwrap());
        let records = TestRecords::read(&job);
        let (known, Scores::Model(scoring)) = (records.known(), records.scores(&job)) else { panic!("no model") };
        let (rules, program, columns) = (known.rules, known.program, &records.columns);
        let covered = CoveredRecords { rules, program, columns, pairs: 1_999_000, may_take_all: false };
        let (costs, implications) = (Costs::shipped_for_all_machines(), rules.level_implications());
        let joins = |device: Option<RelativeCost>| -> Vec<Option<CoverJoin>> {
            let input = PlanInput {
                sample: known.sample,
                statistics: known.statistics,
                costs: &costs,
                implications: &implications,
                shadowed: &[],
                facts: &[],
                strategy: Strategy::default(),
                memory: 0,
                device,
                comparisons: &[],
            };
            let outcomes = all_outcomes(&covered, &Planner::new(input), &scoring);
            outcomes.iter().flat_map(|of| &of.outcomes).map(|outcome| outcome.join).collect()
        };
        let on_cores = joins(None);
        assert!(matches!(on_cores[1], Some(CoverJoin::Similarity(cost)) if cost > 1.0), "{on_cores:?}");
        assert_eq!(on_cores, joins(Some(RelativeCost::of_emulated())));
        assert_eq!(on_cores, joins(Some(RelativeCost::of_gpu(16, 1.0))));
    }
}
