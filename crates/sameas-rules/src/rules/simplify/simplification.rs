//! What was left out of a rule set, as data.

use serde::{Deserialize, Serialize};

use crate::rules::literal_record::LiteralRecord;
use crate::rules::predicate_text::exchanged;

/// What of a rule set need not be checked, and why. Every reader has to say something about each kind, so the list is
/// exhaustive.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Simplification {
    /// A condition follows from another one of its conjunction and is not checked.
    ConditionImplied {
        /// The rule it belongs to.
        rule: RuleLabel,
        /// The condition.
        condition: LiteralRecord,
        /// The one it follows from.
        by: LiteralRecord,
    },
    /// No pair can satisfy a rule.
    RuleNeverHolds {
        /// The rule.
        rule: RuleLabel,
        /// Why: the contradiction of its first conjunction.
        contradiction: Contradiction,
    },
    /// No pair can satisfy one conjunction of a rule, which is left out.
    ConjunctionNeverHolds {
        /// The rule.
        rule: RuleLabel,
        /// Why.
        contradiction: Contradiction,
    },
    /// A conjunction is left out because another one holds wherever it holds.
    ConjunctionSubsumed {
        /// The rule it belongs to.
        rule: RuleLabel,
        /// What it checks.
        conjunction: Vec<LiteralRecord>,
        /// The rule of the other one.
        by_rule: RuleLabel,
        /// What the other one checks.
        by: Vec<LiteralRecord>,
    },
    /// Every pair of a rule belongs to an earlier rule: the rule is only counted.
    RuleShadowed {
        /// The rule.
        rule: RuleLabel,
        /// Each of its pairs belongs to this rule or to an earlier one.
        by: RuleLabel,
    },
    /// Which conditions follow from each other was not searched for: too many read the same columns.
    NotCompared {
        /// The number of these conditions.
        conditions: usize,
    },
}

/// A rule by what it does with the pairs for which it holds, and by its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "name", rename_all = "snake_case")]
pub enum RuleLabel {
    /// A rule that gives them.
    Rule(String),
    /// A `never` rule, which forbids them.
    Never(String),
}

/// Why no pair satisfies a conjunction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Contradiction {
    /// One condition holds for no pair.
    Unsatisfiable {
        /// The condition.
        condition: LiteralRecord,
    },
    /// Two conditions exclude each other.
    Conflict {
        /// One of them.
        first: LiteralRecord,
        /// The other.
        second: LiteralRecord,
    },
}

impl Simplification {
    /// The same with the two records of a pair exchanged.
    pub(super) fn exchanged(&self) -> Self {
        let mut other = self.clone();
        match &mut other {
            Self::ConditionImplied { condition, by, .. } => [condition, by].into_iter().for_each(exchange),
            Self::RuleNeverHolds { contradiction, .. } | Self::ConjunctionNeverHolds { contradiction, .. } => {
                match contradiction {
                    Contradiction::Unsatisfiable { condition } => exchange(condition),
                    Contradiction::Conflict { first, second } => [first, second].into_iter().for_each(exchange),
                }
            }
            Self::ConjunctionSubsumed { conjunction, by, .. } => {
                conjunction.iter_mut().chain(by).for_each(exchange);
            }
            Self::RuleShadowed { .. } | Self::NotCompared { .. } => {}
        }
        other
    }
}

fn exchange(literal: &mut LiteralRecord) {
    literal.predicate = exchanged(&literal.predicate);
}
