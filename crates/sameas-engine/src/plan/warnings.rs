//! Warnings: rules that look at all pairs, and values that make most of the candidates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::branch::Branch;
use super::estimate::Estimator;
use super::explain::Describer;
use crate::candidates::AccessPath;
use crate::expr::{FieldValue, Function};
use crate::measure::TextMeasure;
use crate::records::stats::HeaviestValue;
use crate::rules::{Literal, Test};
use crate::verify::{Check, NamedValue};

/// From this many pairs on, comparing everything with everything deserves a warning.
const MANY: f64 = 1e7;

/// From this many candidates on, a value that makes most of them does.
const SOME: f64 = 1e5;

/// The share of candidates that one value must not exceed.
const HEAVY: f64 = 0.3;

/// What a user should know about a branch. Every reader has to say something about each kind, so the list is exhaustive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PlanWarning {
    /// Every pair of very many records is compared.
    AllPairs {
        /// The rules that need it.
        rules: Vec<String>,
        /// The number of pairs.
        pairs: u64,
        /// Seconds that this is expected to take.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<f64>,
        /// A condition that holds wherever a Hamming distance of the rules does, and that can be joined on: adding it
        /// changes only the time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        implied: Option<String>,
        /// The most selective equality of what the rules read, and the pairs that it would leave. Without one, any
        /// equality would help.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        equality: Option<(String, u64)>,
    },
    /// One value, or one combination of values, makes most of the candidates.
    HeavyKey {
        /// The values, one for each equality that is joined on.
        key: Vec<NamedValue>,
        /// Its share of the candidates.
        share: f64,
    },
}

/// The warnings about a branch of these rules.
pub fn warnings(describer: &Describer<'_, '_>, branch: &Branch, rules: &[String]) -> Vec<PlanWarning> {
    let access = &branch.condition.access;
    match access.path {
        AccessPath::AllPairs if branch.candidates >= MANY => vec![all_pairs(describer, branch, rules)],
        _ if access.has_keys() && branch.candidates >= SOME => {
            heavy_key(describer, branch, access.predicates()).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// What would help is a condition that follows from the rules or, if there is none, the most selective equality of what
/// they read.
fn all_pairs(describer: &Describer<'_, '_>, branch: &Branch, rules: &[String]) -> PlanWarning {
    let implied = implied_edit_distance(describer, branch);
    // Costs are those of one core, and what a device does in a moment counts as what all cores do in it.
    let seconds = Some(branch.cost / 1e9 / rayon::current_num_threads() as f64);
    let equality = if implied.is_none() { best_equality(describer, branch) } else { None };
    PlanWarning::AllPairs { rules: rules.to_vec(), pairs: branch.candidates.round() as u64, seconds, implied, equality }
}

fn literals<'a>(describer: &'a Describer<'_, '_>, branch: &'a Branch) -> impl Iterator<Item = &'a Literal> {
    branch.conjunctions.iter().flat_map(|index| &describer.rules.conjunctions[*index].literals)
}

fn implied_edit_distance(describer: &Describer<'_, '_>, branch: &Branch) -> Option<String> {
    literals(describer, branch).filter(|literal| literal.want).find_map(|literal| {
        let predicate = &describer.rules.predicates[literal.predicate];
        let is_hamming = matches!(&predicate.test, Test::Measure { measure: Function::Text(TextMeasure::Hamming), .. });
        is_hamming.then(|| predicate.text.replacen("hamming", "levenshtein", 1))
    })
}

#[deny(clippy::wildcard_enum_match_arm)]
fn best_equality(describer: &Describer<'_, '_>, branch: &Branch) -> Option<(String, u64)> {
    let (program, columns) = (describer.estimator.program, &describer.estimator.program.encoded.columns);
    let equality = |literal: &Literal| match &program.checks[literal.predicate] {
        Check::Text { operands, .. } | Check::Set { operands, .. } | Check::Elements { operands, .. } => {
            let same = describer.estimator.counts.same(literal.predicate);
            Some((same, format!("l.{} = r.{}", columns[operands.left].text, columns[operands.right].text)))
        }
        Check::Equal { .. } | Check::OneSided { .. } | Check::ListHasAny { .. } => None,
        Check::Difference { .. } | Check::SameSource { .. } | Check::Residual { .. } => None,
    };
    let best = literals(describer, branch).filter_map(equality).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(pairs, condition)| (condition, pairs.round() as u64))
}

/// The value, or combination of values, that makes too many of the candidates.
fn heavy_key(describer: &Describer<'_, '_>, branch: &Branch, equalities: &[usize]) -> Option<PlanWarning> {
    let (values, share) = match (equalities, branch.condition.filters.is_empty()) {
        ([one], true) => {
            let HeaviestValue { value, share } = describer.estimator.counts.heaviest(*one)?;
            (vec![value.clone()], *share)
        }
        _ => most_drawn(describer.estimator, branch, equalities)?,
    };
    if share < HEAVY {
        return None;
    }
    let named = |(predicate, value): (&usize, FieldValue)| {
        let left = describer.estimator.program.checks[*predicate].operands()?.left;
        Some(NamedValue { name: describer.estimator.program.encoded.columns[left].text.clone(), value })
    };
    Some(PlanWarning::HeavyKey { key: equalities.iter().zip(values).filter_map(named).collect(), share })
}

/// The combination of values that most of the drawn candidates have, and their share.
fn most_drawn(estimator: &Estimator<'_>, branch: &Branch, equalities: &[usize]) -> Option<(Vec<FieldValue>, f64)> {
    let (estimate, encoded) = (estimator.condition(&branch.condition), &estimator.program.encoded);
    let left = |predicate: &usize| estimator.program.checks[*predicate].operands().map(|operands| operands.left);
    let operands: Vec<usize> = equalities.iter().filter_map(left).collect();
    let mut seen: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
    for at in estimate.mask.iter() {
        let (l, _) = Estimator::pair(estimate.sample, at);
        let code = |operand: &usize| encoded.columns[*operand].codes[l as usize];
        *seen.entry(operands.iter().map(code).collect()).or_default() += 1;
    }
    let (codes, count) = seen.into_iter().max_by_key(|(_, count)| *count)?;
    let value = |(operand, code): (&usize, &u32)| {
        FieldValue::from_row(&encoded.domain(*operand).gather(std::iter::once(*code)), 0)
    };
    let values = operands.iter().zip(&codes).map(value).collect();
    Some((values, count as f64 / estimate.mask.count().max(1) as f64))
}
