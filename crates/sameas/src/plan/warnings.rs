//! Warnings: rules that look at all pairs, and values that make most of the candidates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::branch::Branch;
use super::estimate::Estimator;
use super::explain::Describer;
use crate::candidates::AccessPath;
use crate::expr::{FieldValue, Function};
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
    match branch.condition.access.path {
        AccessPath::AllPairs if branch.candidates >= MANY => vec![all_pairs(describer, branch, rules)],
        AccessPath::EquiJoin if branch.candidates >= SOME => {
            heavy_key(describer, branch, &branch.condition.access.on).into_iter().collect()
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
        let is_hamming = matches!(&predicate.test, Test::Measure { measure: Function::Hamming, .. });
        is_hamming.then(|| predicate.text.replacen("hamming", "levenshtein", 1))
    })
}

fn best_equality(describer: &Describer<'_, '_>, branch: &Branch) -> Option<(String, u64)> {
    let (program, columns) = (describer.estimator.program, &describer.estimator.program.encoded.columns);
    let equality = |literal: &Literal| match &program.checks[literal.predicate] {
        Check::Text { operands, .. } | Check::Set { operands, .. } => {
            let same = describer.estimator.survey[literal.predicate].same;
            Some((same, format!("l.{} = r.{}", columns[operands.left].text, columns[operands.right].text)))
        }
        _ => None,
    };
    let best = literals(describer, branch).filter_map(equality).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(pairs, condition)| (condition, pairs.round() as u64))
}

/// The value, or combination of values, that makes too many of the candidates.
fn heavy_key(describer: &Describer<'_, '_>, branch: &Branch, equalities: &[usize]) -> Option<PlanWarning> {
    let (codes, share) = match (equalities, branch.condition.filters.is_empty()) {
        ([one], true) => {
            let (code, share) = describer.estimator.survey[*one].heaviest?;
            (vec![code], share)
        }
        _ => most_drawn(describer.estimator, branch, equalities)?,
    };
    if share < HEAVY {
        return None;
    }
    let value = |(predicate, code): (&usize, &u32)| {
        let left = describer.estimator.program.checks[*predicate].operands()?.left;
        let encoded = &describer.estimator.program.encoded;
        let value = FieldValue::of(&encoded.domain(left).gather(std::iter::once(*code)), 0);
        Some(NamedValue { name: encoded.columns[left].text.clone(), value })
    };
    Some(PlanWarning::HeavyKey { key: equalities.iter().zip(&codes).filter_map(value).collect(), share })
}

/// The combination of values that most of the drawn candidates have, and their share.
fn most_drawn(estimator: &Estimator<'_>, branch: &Branch, equalities: &[usize]) -> Option<(Vec<u32>, f64)> {
    let estimate = estimator.condition(&branch.condition);
    let mut seen: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
    for at in estimate.mask.iter() {
        let (l, _) = Estimator::pair(estimate.base, at);
        let code = |predicate: &usize| {
            let operands = estimator.program.checks[*predicate].operands()?;
            Some(estimator.program.encoded.columns[operands.left].codes[l as usize])
        };
        *seen.entry(equalities.iter().filter_map(code).collect()).or_default() += 1;
    }
    let (codes, count) = seen.into_iter().max_by_key(|(_, count)| *count)?;
    Some((codes, count as f64 / estimate.mask.count().max(1) as f64))
}
