//! A plan in words a data analyst understands.

use serde::Serialize;

use super::access::{Access, Branch};
use crate::rules::RuleSet;

/// One branch in words, with its candidates.
#[derive(Clone, Debug, Serialize)]
pub struct BranchReport {
    /// The access path's name.
    pub path: &'static str,
    /// What it joins on.
    pub on: Vec<String>,
    /// Conditions that filter records first.
    pub filters: Vec<String>,
    /// The rules decided here.
    pub rules: Vec<String>,
    /// What is checked for each candidate, rule by rule.
    pub checks: Vec<String>,
    /// How many distinct values are joined on each side, where values are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<[u64; 2]>,
    /// How many candidates there are; an upper bound where `exact` is false.
    pub candidates: u64,
    /// Whether the number is exact.
    pub exact: bool,
    /// A caution, where one is due.
    pub warning: Option<String>,
}

/// Describes a branch that has `candidates` candidates, or at most so many where the number is not `exact`.
pub fn describe(branch: &Branch, rules: &RuleSet, nevers: &[&str], candidates: u64, exact: bool) -> BranchReport {
    let text = |predicate: usize| rules.predicates[predicate].text.clone();
    let shown =
        |predicate: usize, want: bool| if want { text(predicate) } else { format!("not ({})", text(predicate)) };
    let mut names: Vec<String> = Vec::new();
    let mut checks = Vec::new();
    let implied = branch.implied();
    for index in &branch.conjunctions {
        let conjunction = &rules.conjunctions[*index];
        let name = &rules.rules[conjunction.rule].name;
        if !names.contains(name) {
            names.push(name.clone());
        }
        let rest = conjunction.literals.iter().filter(|l| !implied.contains(l)).map(|l| shown(l.predicate, l.want));
        let rest: Vec<String> = rest.collect();
        checks.push(format!(
            "{name}: {}",
            if rest.is_empty() { "nothing more to check".into() } else { rest.join(", then ") }
        ));
    }
    checks.extend(nevers.iter().map(|never| format!("never: {never}")));
    BranchReport {
        path: branch.access.name(),
        on: branch.access.predicates().iter().map(|p| text(*p)).collect(),
        filters: branch.filters.iter().map(|l| shown(l.predicate, l.want)).collect(),
        warning: warning(branch, &names, candidates),
        rules: names,
        checks,
        values: None,
        candidates,
        exact,
    }
}

/// From this many pairs on, comparing everything with everything deserves a word.
const MANY: u64 = 10_000_000;

fn warning(branch: &Branch, rules: &[String], candidates: u64) -> Option<String> {
    (branch.access == Access::AllPairs && candidates >= MANY).then(|| {
        format!(
            "{} must look at every pair of records, {candidates} in all; an equality (of a column, or of a part of one, \
             such as substr(l.zip, 1, 3) = substr(r.zip, 1, 3)) would let it join instead",
            rules.join(", ")
        )
    })
}
