//! The candidates of a job whose comparisons have weights and which has no rules: comparisons that reach the threshold
//! together, each as a condition to join on.

use super::super::prepared::Prepared;
use super::SCORE_RULE;
use super::weighted::Weighted;
use crate::candidates::AccessPath;
use crate::error::{Error, ErrorCode, Result};
use crate::rules::{Conjunction, Literal, Rule, WeightedRules};
use crate::score::{JoinablePart, WeightedSum, reaching_sets};

/// Sets of comparisons at most: each is a condition, or several.
const MOST_SETS: usize = 64;

/// Conjunctions at most.
const MOST_CONJUNCTIONS: usize = 1024;

impl Prepared {
    /// Gives a job without rules the one that finds every pair whose weighted average reaches its threshold.
    pub(in super::super) fn add_weighted_rule(&mut self) -> Result<()> {
        let Some(weighted) = &self.weighted else { return Ok(()) };
        if !self.rules.rules.is_empty() {
            return Ok(());
        }
        let conjunctions = self.weighted_conjunctions(weighted)?;
        let mut rule = Rule::made(&format!("score >= {}", weighted.threshold), 0..conjunctions.len());
        rule.name = SCORE_RULE.to_owned();
        let conjunction = |literals| Conjunction { rule: 0, literals };
        self.use_rules(vec![rule], conjunctions.into_iter().map(conjunction).collect());
        Ok(())
    }

    fn weighted_conjunctions(&self, weighted: &Weighted) -> Result<Vec<Vec<Literal>>> {
        let comparisons = &self.rules.scoring.weighted;
        let part = |(at, of): (usize, &WeightedRules)| JoinablePart {
            most: weighted.sum.part(at, 1.0),
            otherwise: weighted.sum.part(at, of.otherwise),
            is_joinable: self.is_joinable(of),
        };
        let parts: Vec<JoinablePart> = comparisons.iter().enumerate().map(part).collect();
        // Fewer sets have fewer conjunctions, and in the end each has those of one comparison.
        let mut limit = MOST_SETS;
        loop {
            match reaching_sets(&parts, weighted.sum.threshold(), limit) {
                Ok(sets) => {
                    let all: Vec<Vec<Literal>> = sets.iter().flat_map(|set| product(comparisons, set)).collect();
                    if all.len() <= MOST_CONJUNCTIONS || limit == 1 {
                        return Ok(all);
                    }
                    limit /= 2;
                }
                Err(_) if self.job.all_pairs => return Ok(vec![Vec::new()]),
                Err(granted) => return Err(self.average_too_low(weighted, &parts, granted)),
            }
        }
    }

    /// Whether each way in which the comparison adds to a pair has something to join on.
    fn is_joinable(&self, of: &WeightedRules) -> bool {
        let can_join =
            |literal: &Literal| literal.want && AccessPath::serving(&self.program.checks[literal.predicate]).is_some();
        !of.joined.is_empty() && of.joined.iter().all(|literals| literals.iter().any(can_join))
    }

    fn average_too_low(&self, weighted: &Weighted, parts: &[JoinablePart], granted: i64) -> Error {
        let all = self.rules.scoring.weighted.iter().zip(parts);
        let names: Vec<&str> = all.filter(|(_, part)| !part.is_joinable).map(|(of, _)| of.name.as_str()).collect();
        let (average, pairs) = (WeightedSum::average(granted), self.nominal_pairs());
        Error::rules(format!(
            "pairs that reach the threshold can only be found by looking at all {pairs} pairs: no join finds what is alike by \
             {}, which can reach an average of {average}, and the threshold is {}",
            names.join(", "),
            weighted.threshold
        ))
        .with_help(format!(
            "raise the threshold above {average}, give these comparisons a `within` or a larger `at_least`, or add rules that \
             give the candidates"
        ))
        .with_code(ErrorCode::ThresholdTooLow)
    }
}

/// Every choice of one way from each comparison of a set.
fn product(comparisons: &[WeightedRules], set: &[usize]) -> Vec<Vec<Literal>> {
    let mut all: Vec<Vec<Literal>> = vec![Vec::new()];
    for at in set {
        let ways = &comparisons[*at].joined;
        let longer = |literals: &Vec<Literal>| -> Vec<Vec<Literal>> {
            let more = |way: &Vec<Literal>| {
                let mut both = literals.clone();
                both.extend(way.iter().filter(|literal| !literals.contains(literal)));
                both
            };
            ways.iter().map(more).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
