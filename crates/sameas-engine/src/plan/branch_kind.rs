//! What kind of work a branch is, as data: whoever divides records among machines reads it.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::branch::Branch;
use crate::candidates::{Access, AccessPath, JoinSource, Parting, PartingKey};
use crate::rules::{LiteralRecord, RuleSet};

/// What a branch joins, and by what its records can be divided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BranchKind {
    /// The access path; nothing for pairs that others have scored.
    pub path: Option<AccessPath>,
    /// The predicates it joins on.
    pub on: Vec<String>,
    /// Conditions that filter records first.
    pub filters: Vec<LiteralRecord>,
    /// By what its records can be divided.
    pub parted_by: PartingRecord,
    /// The rules decided here.
    pub rules: Vec<String>,
}

/// How records can be divided into parts so that the pairs of a branch are found, each once. Expressions are those of one record, in
/// the language of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum PartingRecord {
    /// Records with equal keys are given to one part, as left records by their left keys and as right ones by their right keys;
    /// those without a key are given to none. The pairs within each part are all.
    Keys {
        /// The keys: all of them together, or some of them.
        keys: Vec<KeyRecord>,
    },
    /// Parts are ranges of numbers, which do not overlap. A left record is given to the one with its number, and a right record to
    /// each that has a number at most `width` away from its own. The pairs within each part are all. Differences of floats are
    /// rounded: there, a range is wider by the last digit.
    Ranges {
        /// The number of a left record; of dates that of the day.
        left: String,
        /// The number of a right record.
        right: String,
        /// How far they may be apart, in decimal digits.
        width: String,
    },
    /// Any division of the records: the pairs within each part and those across each two are all.
    Rows,
}

/// A key by which records can be divided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KeyRecord {
    /// What it is of a left record.
    pub left: String,
    /// What it is of a right record.
    pub right: String,
    /// Whether records without the key belong together; else they have no pair.
    pub null_safe: bool,
}

impl BranchKind {
    /// Of a branch of these rules.
    pub(super) fn new(branch: &Branch, rules: &RuleSet, source: JoinSource<'_>) -> Self {
        let (access, filters) = (&branch.condition.access, branch.condition.filters.iter());
        Self {
            path: Some(access.path),
            on: access.predicates().iter().map(|on| rules.predicates[*on].text.clone()).collect(),
            filters: filters.map(|literal| LiteralRecord::new(*literal, &rules.predicates)).collect(),
            parted_by: PartingRecord::new(access, rules, source),
            rules: rule_names(branch, 0..branch.conjunctions.len(), rules),
        }
    }

    /// Of the pairs that others have scored, which belong to the last rule.
    pub(super) fn given_pairs(rules: &RuleSet) -> Self {
        let rules = rules.rules.last().map(|rule| rule.name.clone()).into_iter().collect();
        Self { path: None, on: Vec::new(), filters: Vec::new(), parted_by: PartingRecord::Rows, rules }
    }
}

impl PartingRecord {
    /// By what the records of an access can be divided.
    pub(super) fn new(access: &Access, rules: &RuleSet, source: JoinSource<'_>) -> Self {
        let text = |operand: usize| source.encoded.columns[operand].text.clone();
        let key = |PartingKey { operands, null_safe }: PartingKey| KeyRecord {
            left: text(operands.left),
            right: text(operands.right),
            null_safe,
        };
        match access.parting(source.checks) {
            Parting::Keys(keys) => Self::Keys { keys: keys.into_iter().map(key).collect() },
            // A rank is known of all records together alone.
            Parting::Ranges { .. } if reads_ranks(access, rules) => Self::Rows,
            Parting::Ranges { operands, width } => {
                Self::Ranges { left: text(operands.left), right: text(operands.right), width: width.to_text() }
            }
            Parting::Rows => Self::Rows,
        }
    }
}

/// Whether an access joins on ranks.
fn reads_ranks(access: &Access, rules: &RuleSet) -> bool {
    let mut reads = false;
    for expr in access.predicates().iter().flat_map(|on| rules.predicates[*on].test.exprs()) {
        expr.each_column(&mut |_, name| reads |= rules.rankings.iter().any(|ranking| ranking.name == name));
    }
    reads
}

/// The rules of some conjunctions of a branch, each once.
pub(super) fn rule_names(branch: &Branch, places: impl IntoIterator<Item = usize>, rules: &RuleSet) -> Vec<String> {
    let rule = |place: usize| rules.conjunctions[branch.conjunctions[place]].rule;
    let names = places.into_iter().map(|place| &rules.rules[rule(place)].name);
    let mut seen: HashSet<&String> = HashSet::new();
    names.filter(|name| seen.insert(*name)).cloned().collect()
}
