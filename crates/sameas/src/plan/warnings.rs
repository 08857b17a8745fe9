//! Warnings: rules that look at all pairs, and values that make most of the candidates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::branch::Branch;
use super::estimate::Estimator;
use super::explain::Describer;
use crate::candidates::AccessPath;
use crate::expr::{FieldValue, Function};
use crate::rules::Test;
use crate::verify::Check;

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
        /// What would help.
        advice: JoinAdvice,
    },
    /// One value, or one combination of values, makes most of the candidates.
    HeavyKey {
        /// The values, one for each equality that is joined on.
        key: Vec<KeyValue>,
        /// Its share of the candidates.
        share: f64,
    },
}

/// What would let a rule join.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JoinAdvice {
    /// A condition that holds wherever a Hamming distance of the rule does, and that can be joined on.
    AddEditDistance {
        /// The condition.
        condition: String,
    },
    /// The most selective equality of what the rule reads.
    AddEquality {
        /// The equality.
        condition: String,
        /// The pairs it leaves.
        pairs: u64,
    },
    /// Any equality.
    AddAnyEquality,
}

/// A value that records are joined by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyValue {
    /// The expression of the left record that has the value.
    pub column: String,
    /// The value.
    pub value: FieldValue,
}

/// The warnings about a branch of these rules.
pub fn warnings(describer: &Describer<'_, '_>, branch: &Branch, rules: &[String]) -> Vec<PlanWarning> {
    match branch.condition.access.path {
        AccessPath::AllPairs if branch.candidates >= MANY => vec![PlanWarning::AllPairs {
            rules: rules.to_vec(),
            pairs: branch.candidates.round() as u64,
            advice: advice(describer, branch),
        }],
        AccessPath::EquiJoin if branch.candidates >= SOME => {
            heavy_key(describer, branch, &branch.condition.access.on).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// What would help: a condition that follows from the rule, or the most selective equality of what it reads.
fn advice(describer: &Describer<'_, '_>, branch: &Branch) -> JoinAdvice {
    let predicates = &describer.rules.predicates;
    let literals = branch.conjunctions.iter().flat_map(|index| &describer.rules.conjunctions[*index].literals);
    let mut equalities: Vec<(f64, String)> = Vec::new();
    for literal in literals {
        let predicate = &predicates[literal.predicate];
        if let Test::Measure { measure: Function::Hamming, .. } = &predicate.test
            && literal.want
        {
            return JoinAdvice::AddEditDistance { condition: predicate.text.replacen("hamming", "levenshtein", 1) };
        }
        if let Check::Text { operands, .. } | Check::Set { operands, .. } =
            &describer.estimator.program.checks[literal.predicate]
        {
            let columns = &describer.estimator.program.encoded.columns;
            let same = describer.estimator.survey[literal.predicate].same;
            equalities.push((same, format!("l.{} = r.{}", columns[operands.left].text, columns[operands.right].text)));
        }
    }
    let best = equalities.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(JoinAdvice::AddAnyEquality, |(pairs, condition)| JoinAdvice::AddEquality {
        condition,
        pairs: pairs.round() as u64,
    })
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
        Some(KeyValue { column: encoded.columns[left].text.clone(), value })
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
