//! Cautions: rules that look at all pairs, and values that make most of the candidates.

use std::collections::BTreeMap;

use super::branch::Branch;
use super::estimate::Estimator;
use super::explain::Describer;
use super::words::grouped;
use crate::candidates::AccessPath;
use crate::expr::{Function, Type};
use crate::records::stats::value_text;
use crate::rules::Test;
use crate::verify::Check;

/// From this many pairs on, comparing everything with everything deserves a word.
const MANY: f64 = 1e7;

/// From this many candidates on, a value that makes most of them does.
const SOME: f64 = 1e5;

/// The share of candidates that one value must not exceed.
const HEAVY: f64 = 0.3;

/// What should be said about a branch of these rules.
pub fn warnings(describer: &Describer<'_, '_>, branch: &Branch, rules: &[String]) -> Vec<String> {
    match branch.condition.access.path {
        AccessPath::AllPairs if branch.candidates >= MANY => vec![all_pairs(describer, branch, rules)],
        AccessPath::EquiJoin if branch.candidates >= SOME => {
            heavy_key(describer, branch, &branch.condition.access.on).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn all_pairs(describer: &Describer<'_, '_>, branch: &Branch, rules: &[String]) -> String {
    format!(
        "{} must look at every pair of records, {} in all; {}",
        rules.join(", "),
        grouped(branch.candidates.round() as u64),
        advice(describer, branch)
    )
}

/// What would help: a condition that follows from what the rule says, or the most selective equality of what it reads.
fn advice(describer: &Describer<'_, '_>, branch: &Branch) -> String {
    let predicates = &describer.rules.predicates;
    let literals = branch.conjunctions.iter().flat_map(|index| &describer.rules.conjunctions[*index].literals);
    let mut equalities: Vec<(f64, String)> = Vec::new();
    for literal in literals {
        let predicate = &predicates[literal.predicate];
        if let Test::Measure { measure: Function::Hamming, .. } = &predicate.test
            && literal.want
        {
            let weaker = predicate.text.replacen("hamming", "levenshtein", 1);
            return format!("{weaker} holds wherever its hamming distance does and can be joined on: add it");
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
    best.map_or_else(
        || "an equality (of a column, or of a part of one, such as substr(l.zip, 1, 3) = substr(r.zip, 1, 3)) would let it join instead".into(),
        |(pairs, text)| format!("an equality would let it join instead: {text} leaves {} of them, an equality of parts of the two somewhat more", grouped(pairs.round() as u64)),
    )
}

/// The value, or combination of values, that makes too many of the candidates.
fn heavy_key(describer: &Describer<'_, '_>, branch: &Branch, equalities: &[usize]) -> Option<String> {
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
        let operands = describer.estimator.program.checks[*predicate].operands()?;
        let encoded = &describer.estimator.program.encoded;
        let domain = encoded.domain(operands.left);
        let (column, text) = (&encoded.columns[operands.left].text, value_text(domain, *code));
        Some(if domain.ty == Type::Text { format!("{column} = '{text}'") } else { format!("{column} = {text}") })
    };
    let values: Vec<String> = equalities.iter().zip(&codes).filter_map(value).collect();
    Some(format!("{} alone makes {:.0} % of the candidates", values.join(" and "), share * 100.0))
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
