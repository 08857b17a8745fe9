//! The candidates of a job without rules: conditions on its comparisons that no pair above the threshold fails.
//!
//! A level of a comparison is over-approximated by its own condition: where it counts, it holds. Levels whose weight depends
//! on the frequency of the value are cut into *bands* of frequencies, each with the weight of its rarest value; a band is the
//! level and a condition on the left record, that its value is at most as frequent as the band allows. Both records have one
//! value there, so one of them suffices.

use serde::{Deserialize, Serialize};

use super::super::prepared::Prepared;
use super::outcome_conditions::ComparisonOutcomes;
use super::{SCORE_RULE, Scoring};
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{Expr, ExprKind, Side, Span, Type};
use crate::records::encode::NULL;
use crate::rules::{Conjunction, Implications, Literal, Predicate, Rule, Test};
use crate::score::{
    Cover, CoverCondition, CoverOutcome, CoverPart, Covering, MatchWeight, Model, Uncovered, without_implied,
};
use crate::threshold::{Check, Truth};

/// Bits above a threshold at which it is said what that would save.
const HIGHER: [f64; 3] = [2.0, 4.0, 8.0];

/// How a job without rules finds every pair above its threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CoverRecord {
    /// Conditions, one of which every such pair satisfies.
    pub conditions: u64,
    /// Candidates that these are expected to give.
    pub candidates: f64,
    /// The same at higher thresholds.
    pub higher: Vec<HigherThreshold>,
}

/// What a higher threshold would take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HigherThreshold {
    /// The least probability of a pair.
    pub threshold: f64,
    /// The least match weight of a pair.
    pub threshold_weight: f64,
    /// Candidates that would be expected.
    pub candidates: f64,
}

impl Prepared {
    /// Gives a job without rules the one that finds every pair above its threshold.
    pub(in super::super) fn add_score_rule(&mut self) -> Result<()> {
        let (Some(scoring), Some(model)) = (self.scoring.take(), self.job.model.clone()) else { return Ok(()) };
        if self.rules.rules.is_empty() {
            let conjunctions = self.score_conjunctions(&scoring, &model)?;
            let text = format!("match_weight >= {}", scoring.threshold.bits());
            let mut rule = Rule::made(&text, 0..conjunctions.len());
            rule.name = SCORE_RULE.to_owned();
            let conjunction = |literals| Conjunction { rule: 0, literals };
            self.use_rules(vec![rule], conjunctions.into_iter().map(conjunction).collect());
        }
        self.scoring = Some(scoring);
        Ok(())
    }

    fn score_conjunctions(&mut self, scoring: &Scoring, model: &Model) -> Result<Vec<Vec<Literal>>> {
        let comparisons = self.all_outcomes(scoring, model);
        let outcomes: Vec<Vec<CoverOutcome>> = comparisons.iter().map(|of| of.outcomes.clone()).collect();
        match self.cover_of(scoring, &outcomes).covering() {
            Ok(covering) => {
                let implied = self.rules.level_implications();
                Ok(self.conjunctions_of(&covering.conditions, &comparisons, &implied))
            }
            Err(_) if self.job.all_pairs => Ok(vec![Vec::new()]),
            Err(uncovered) => Err(self.too_low(&uncovered, &comparisons, scoring)),
        }
    }

    fn cover_of<'a>(&self, scoring: &Scoring, outcomes: &'a [Vec<CoverOutcome>]) -> Cover<'a> {
        let (prior, threshold, pairs) = (scoring.scorer.prior(), scoring.threshold, self.nominal_pairs() as f64);
        Cover { comparisons: outcomes, prior, threshold, pairs }
    }

    /// How every pair above the threshold is found, where no rule finds them, and what higher thresholds would save.
    pub(in super::super) fn cover_record(&self) -> Option<CoverRecord> {
        let (scoring, model) = (self.scoring.as_ref()?, self.job.model.as_ref()?);
        if !self.job.rules.rules.is_empty() {
            return None;
        }
        let outcomes: Vec<Vec<CoverOutcome>> =
            self.all_outcomes(scoring, model).into_iter().map(|of| of.outcomes).collect();
        let cover = self.cover_of(scoring, &outcomes);
        let Covering { conditions, candidates } = cover.covering().ok()?;
        let higher = HIGHER.iter().filter_map(|more| higher_threshold(&cover, *more)).collect();
        Some(CoverRecord { conditions: conditions.len() as u64, candidates, higher })
    }

    /// The conjunctions of conditions.
    fn conjunctions_of(
        &mut self,
        conditions: &[CoverCondition],
        of: &[ComparisonOutcomes],
        implied: &Implications,
    ) -> Vec<Vec<Literal>> {
        let mut all = Vec::new();
        for condition in conditions {
            let mut product: Vec<Vec<Literal>> = vec![Vec::new()];
            for part in condition {
                let ways = self.ways_of(part, &of[part.comparison], implied);
                let longer = |literals: &Vec<Literal>| -> Vec<Vec<Literal>> {
                    ways.iter().map(|way| [&literals[..], way].concat()).collect()
                };
                product = product.iter().flat_map(longer).collect();
            }
            all.extend(product);
        }
        without_implied(&all, |a, b| follows(a, b, implied))
    }

    /// The ways to have one of some outcomes, without those that follow from others.
    fn ways_of(&mut self, part: &CoverPart, of: &ComparisonOutcomes, implied: &Implications) -> Vec<Vec<Literal>> {
        let mut levels: Vec<(usize, Option<u64>)> = Vec::new();
        for condition in part.outcomes.iter().filter_map(|at| of.conditions[*at].as_ref()) {
            match levels.iter_mut().find(|(level, _)| *level == condition.level) {
                Some((_, most)) => *most = most.zip(condition.most_rows).map(|(a, b)| a.max(b)),
                None => levels.push((condition.level, condition.most_rows)),
            }
        }
        let mut ways: Vec<Vec<Literal>> = Vec::new();
        for (level, most_rows) in levels {
            let rare = most_rows.map(|most| self.rare(part.comparison, most));
            let own = self.rules.scoring.comparisons[part.comparison].levels[level].ways();
            ways.extend(own.iter().map(|literals| literals.iter().copied().chain(rare).collect()));
        }
        without_implied(&ways, |a, b| follows(a, b, implied))
    }

    /// The literal that the left record's value of a comparison is in at most some rows.
    fn rare(&mut self, comparison: usize, most: u64) -> Literal {
        let equality = self.rules.scoring.comparisons[comparison].term_frequency.expect("it has bands");
        let Check::Equal { operands, .. } = self.program.checks[equality] else { unreachable!("it is an equality") };
        let text = format!("the value of `{}` is in at most {most} records", self.rules.predicates[equality].text);
        let known = self.rules.predicates.iter().position(|predicate| predicate.text == text);
        let predicate = known.unwrap_or_else(|| {
            let frequencies = self.value_rows(operands.left, operands.right);
            let verdict = |code: &u32| match *code {
                NULL => Truth::Null,
                code => Truth::from(frequencies[code as usize] <= most),
            };
            let verdicts = self.program.encoded.columns[operands.left].codes.iter().map(verdict).collect();
            self.program.checks.push(Check::OneSided { side: Side::Left, verdicts });
            self.program.tables.push(std::sync::OnceLock::new());
            // An expression that nothing is known of, so that nothing is proved of it.
            let kind = ExprKind::Column(Side::Left, text.clone());
            let condition = Expr { kind, ty: Type::Bool, span: Span::default() };
            let test = Test::OneSided { side: Side::Left, condition };
            self.rules.predicates.push(Predicate { test, text, parts: Vec::new() });
            self.rules.predicates.len() - 1
        });
        Literal { predicate, want: true }
    }

    /// The rows with each value of two operands.
    fn value_rows(&self, left: usize, right: usize) -> Vec<u64> {
        let encoded = &self.program.encoded;
        let mut rows = vec![0; encoded.domain(left).dictionary.len()];
        let both = if left == right { vec![left] } else { vec![left, right] };
        for code in both.into_iter().flat_map(|operand| &encoded.columns[operand].codes) {
            if let Some(rows) = rows.get_mut(*code as usize) {
                *rows += 1;
            }
        }
        rows
    }

    fn too_low(&self, uncovered: &Uncovered, of: &[ComparisonOutcomes], scoring: &Scoring) -> Error {
        let rules = &self.rules.scoring.comparisons;
        let name = |(at, place): (usize, &usize)| match (&of[at].conditions[*place], of[at].conditions.len() - place) {
            (Some(condition), _) => format!("{} at level {}", rules[at].name, condition.level + 1),
            (None, 1) => format!("{} null", rules[at].name),
            (None, _) => format!("{} else", rules[at].name),
        };
        let outcomes: Vec<String> = uncovered.outcomes.iter().enumerate().map(name).collect();
        let (threshold, score) = (scoring.threshold, uncovered.score);
        Error::rules(format!(
            "pairs that reach the threshold can only be found by looking at all {} pairs: with {} the match weight is {:.3}, \
             and the threshold is {:.3}",
            self.nominal_pairs(),
            outcomes.join(", "),
            score.bits(),
            threshold.bits()
        ))
        .with_help(format!(
            "raise the threshold above {:.6} (match weight {:.3}), or add rules that give the candidates",
            score.probability(),
            score.bits()
        ))
        .with_code(ErrorCode::ThresholdTooLow)
    }
}

/// Whether a conjunction follows from another.
pub(super) fn follows(from: &[Literal], conjunction: &[Literal], implied: &Implications) -> bool {
    conjunction.iter().all(|b| from.iter().any(|a| a == b || implied.implies(*a, *b)))
}

/// What a threshold that is some bits higher would take.
fn higher_threshold(cover: &Cover<'_>, more: f64) -> Option<HigherThreshold> {
    let threshold = cover.threshold + MatchWeight::of_bits(more);
    let candidates = Cover { threshold, ..*cover }.covering().ok()?.candidates;
    Some(HigherThreshold { threshold: threshold.probability(), threshold_weight: threshold.bits(), candidates })
}
