//! The outcomes of comparisons as conditions to join on, with what they weigh, how many pairs they have and what joins take.

use super::super::prepared::Prepared;
use super::Scoring;
use super::complete::follows;
use crate::candidates::AccessPath;
use crate::plan::{Estimator, Planner};
use crate::rules::{Implications, LevelRule, Literal};
use crate::score::{CoverJoin, CoverOutcome, MatchWeight, Model};
use crate::threshold::Check;

/// An outcome of a comparison, as a condition: a level, for values in at most some rows.
pub(super) struct OutcomeCondition {
    pub level: usize,
    pub most_rows: Option<u64>,
}

/// The outcomes of a comparison, and what they require; nothing for *else* and *null*.
pub(super) struct ComparisonOutcomes {
    pub outcomes: Vec<CoverOutcome>,
    pub conditions: Vec<Option<OutcomeCondition>>,
}

impl Prepared {
    /// The outcomes of all comparisons.
    pub(super) fn all_outcomes(&self, scoring: &Scoring, model: &Model) -> Vec<ComparisonOutcomes> {
        let (planner, implied) = (Planner::new(self.plan_input()), self.rules.level_implications());
        let outcomes_of = |at: usize| self.outcomes_of(at, (scoring, model), planner.estimator(), &implied);
        (0..model.comparisons.len()).map(outcomes_of).collect()
    }

    /// The outcomes of a comparison: its levels or their bands, *else* and *null*.
    fn outcomes_of(
        &self,
        at: usize,
        (scoring, model): (&Scoring, &Model),
        estimator: &Estimator<'_>,
        implied: &Implications,
    ) -> ComparisonOutcomes {
        let rules = &self.rules.scoring.comparisons[at];
        let weights = scoring.scorer.weights(at);
        let mut all = ComparisonOutcomes { outcomes: Vec::new(), conditions: Vec::new() };
        for (number, level) in rules.levels.iter().enumerate() {
            let of = &model.comparisons[at].levels[number];
            let share = (of.u + model.prior * of.m) * self.present_share(level);
            let join = join_of(level, estimator);
            for (most_rows, adjustment, part) in self.bands(at, number, scoring) {
                let (weight, share) = (weights[number] + adjustment, share * part);
                all.conditions.push(Some(OutcomeCondition { level: number, most_rows }));
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
    fn present_share(&self, level: &LevelRule) -> f64 {
        let of_operand = |operand: usize| {
            let column = &self.survey.statistics.columns[operand];
            1.0 - column.nulls as f64 / (column.rows as f64).max(1.0)
        };
        let operands = |literal: &Literal| self.program.checks[literal.predicate].operands();
        let of_literal =
            |literal: &Literal| operands(literal).map_or(1.0, |o| of_operand(o.left) * of_operand(o.right));
        let of_conjunction = |literals: &Vec<Literal>| literals.iter().map(of_literal).fold(1.0, f64::min);
        level.ways().iter().map(of_conjunction).fold(0.0, f64::max)
    }

    /// The bands of a level: the rows that a value has at most, the largest adjustment, and the share of the level's pairs.
    fn bands(&self, at: usize, level: usize, scoring: &Scoring) -> Vec<(Option<u64>, MatchWeight, f64)> {
        let frequencies = scoring.scorer.frequencies(at).filter(|frequencies| frequencies.adjusts(level));
        let Some(frequencies) = frequencies else { return vec![(None, MatchWeight(0), 1.0)] };
        let mut bands: Vec<(u64, MatchWeight, f64)> = Vec::new();
        let mut values: Vec<(u64, MatchWeight)> =
            frequencies.counts.iter().copied().zip(frequencies.adjustments().iter().copied()).collect();
        values.retain(|(rows, _)| *rows > 0);
        values.sort_unstable();
        for (rows, adjustment) in values {
            let pairs = rows as f64 * (rows as f64 - 1.0).max(0.0);
            match bands.last_mut() {
                Some((most, largest, all)) if rows < (*most).next_power_of_two().max(2) || rows == *most => {
                    (*most, *largest, *all) = (rows, (*largest).max(adjustment), *all + pairs);
                }
                _ => bands.push((rows, adjustment, pairs)),
            }
        }
        let all: f64 = bands.iter().map(|(.., pairs)| pairs).sum();
        let last = bands.len().saturating_sub(1);
        let band = |(number, (most, adjustment, pairs)): (usize, (u64, MatchWeight, f64))| {
            ((number < last).then_some(most), adjustment, pairs / all.max(1.0))
        };
        bands.into_iter().enumerate().map(band).collect()
    }
}

/// The outcomes so far whose pairs satisfy the condition of the last one.
fn included(so_far: &[Option<OutcomeCondition>], levels: &[LevelRule], implied: &Implications) -> Vec<usize> {
    let Some(Some(last)) = so_far.last() else { return Vec::new() };
    let satisfies = |level: usize| {
        let any = |from: &Vec<Literal>| levels[last.level].ways().iter().any(|of| follows(from, of, implied));
        levels[level].ways().iter().all(any)
    };
    let is_included = |condition: &OutcomeCondition| match condition.level == last.level {
        // Bands come from the rarest values on.
        true => true,
        false => last.most_rows.is_none() && satisfies(condition.level),
    };
    let all = so_far.iter().enumerate();
    all.filter(|(_, of)| of.as_ref().is_some_and(is_included)).map(|(at, _)| at).collect()
}

/// How pairs with a level are found: each of its conjunctions needs a condition to join on.
fn join_of(level: &LevelRule, estimator: &Estimator<'_>) -> Option<CoverJoin> {
    let mut cost: Option<f64> = Some(0.0);
    for literals in level.ways() {
        let joins = literals.iter().filter_map(|literal| join_cost(*literal, estimator));
        let cheapest = joins.min_by(f64::total_cmp);
        cost = cost.zip(cheapest).map(|(cost, more)| cost + more);
    }
    cost.map(|cost| if cost == 0.0 { CoverJoin::Equality } else { CoverJoin::Similarity(cost) })
}

/// What joining on a literal takes beside its candidates; nothing where no join finds them.
fn join_cost(literal: Literal, estimator: &Estimator<'_>) -> Option<f64> {
    let check = &estimator.program.checks[literal.predicate];
    if !literal.want || AccessPath::serving(check).is_none() {
        return None;
    }
    match check {
        Check::Equal { .. } => Some(0.0),
        _ => Some(estimator.least_cost(literal.predicate).max(1.0)),
    }
}
