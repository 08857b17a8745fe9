//! The candidates of a job whose comparisons have weights and which has no rules: comparisons that reach the threshold
//! together, each as a condition to join on.

use super::covered_records::CoveredRecords;
use super::weighted::Weighted;
use crate::candidates::AccessPath;
use crate::error::{Error, ErrorCode, Result};
use crate::rules::{Literal, WeightedRules};
use crate::score::{JoinablePart, ScoreRule, WeightedSum, reaching_sets};
use crate::verify::Program;

/// Sets of comparisons at most: each is a condition, or several.
const MOST_SETS: usize = 64;

/// Conjunctions at most.
const MOST_CONJUNCTIONS: usize = 1024;

/// The rule that finds every pair whose weighted average reaches the threshold.
pub(super) fn weighted_rule(records: &CoveredRecords<'_>, weighted: &Weighted) -> Result<ScoreRule> {
    let comparisons = &records.rules.scoring.weighted;
    let part = |(at, of): (usize, &WeightedRules)| JoinablePart {
        most: weighted.sum.part(at, 1.0),
        otherwise: weighted.sum.part(at, of.otherwise),
        is_joinable: is_joinable(of, records.program),
    };
    let parts: Vec<JoinablePart> = comparisons.iter().enumerate().map(part).collect();
    let text = format!("score >= {}", weighted.threshold);
    // Fewer sets have fewer conjunctions, and in the end each has those of one comparison.
    let mut limit = MOST_SETS;
    loop {
        match reaching_sets(&parts, weighted.sum.threshold(), limit) {
            Ok(sets) => {
                let all: Vec<Vec<Literal>> = sets.iter().flat_map(|set| product(comparisons, set)).collect();
                if all.len() <= MOST_CONJUNCTIONS || limit == 1 {
                    return Ok(ScoreRule::new(text, all));
                }
                limit /= 2;
            }
            Err(_) if records.may_take_all => return Ok(ScoreRule::new(text, vec![Vec::new()])),
            Err(granted) => return Err(too_low(granted, &parts, records, weighted)),
        }
    }
}

/// Whether each way in which a comparison adds to a pair has something to join on.
fn is_joinable(of: &WeightedRules, program: &Program) -> bool {
    let can_join =
        |literal: &Literal| literal.want && AccessPath::serving(&program.checks[literal.predicate]).is_some();
    !of.joined.is_empty() && of.joined.iter().all(|literals| literals.iter().any(can_join))
}

fn too_low(granted: i64, parts: &[JoinablePart], records: &CoveredRecords<'_>, weighted: &Weighted) -> Error {
    let all = records.rules.scoring.weighted.iter().zip(parts);
    let names: Vec<&str> = all.filter(|(_, part)| !part.is_joinable).map(|(of, _)| of.name.as_str()).collect();
    let (average, pairs) = (WeightedSum::average(granted), records.pairs);
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
