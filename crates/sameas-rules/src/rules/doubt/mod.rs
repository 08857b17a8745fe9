//! Conditions that are likely mistakes: they can never hold, hold for whatever has values, or say
//! something else than they seem to. Each is a [`Doubt`] with advice.
//!
//! Rules with doubts have a meaning and are run: what never holds gives no pair. A claim that something never or always
//! holds is a proof; where none is known, nothing is said.

mod bounds;
mod constant;
mod lists;
mod numbers;
mod of_set;
mod range;
mod records;
mod texts;
mod walk;

#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::diagnostic::{Diagnostic, Origin};
use crate::error::printable;
use crate::expr::{Expr, Span};
pub(super) use range::exceeds_one;
use walk::DoubtWalk;

/// Whether a condition is certainly a mistake, or probably one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It can never hold.
    Mistake,
    /// It can hold, but probably not as it was meant.
    Warning,
}

/// What is doubtful about a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DoubtKind {
    /// A number is compared with what is outside its range: `jaro(l.a, r.a) > 90`.
    OutOfRange,
    /// A number is compared with the end of its range: `jaro(l.a, r.a) <= 1`.
    WholeRange,
    /// What is counted is compared with a fraction: `levenshtein(l.a, r.a) <= 0.8`.
    FractionOfCount,
    /// A similarity is to be equal to a fraction: `jaro(l.a, r.a) = 0.9`.
    EqualToFraction,
    /// A year of two digits.
    ShortYear,
    /// `2024-05-31` without quotes is a difference of numbers.
    UnquotedDate,
    /// `l.x - r.x <= 5` holds however much smaller the first is.
    SignedDifference,
    /// `neighbours` of a window in which there is one record only.
    NarrowWindow,
    /// Bounds that exclude each other.
    Contradiction,
    /// One of two conditions holds whatever the value is.
    Tautology,
    /// A part of a condition does not depend on the records.
    ConstantPart,
    /// A list of values has null in it.
    NullInList,
    /// A column is compared with the empty text, which is null.
    EmptyText,
    /// What may be made an empty text is tested for null, and an empty text is null in columns only.
    EmptyNotNull,
    /// A text in another case than what it is compared with.
    OtherCase,
    /// A text that a function never gives.
    UnreachableText,
    /// A text of another length than what it is compared with.
    OtherLength,
    /// Sets of tokens that are made in different ways.
    MixedTokens,
    /// A value is compared with itself.
    SameValue,
    /// A measure of two values of one record.
    OneRecordMeasure,
    /// A rule that reads one of the two records only.
    OneRecordRule,
    /// The ids of two different records are to be equal.
    EqualIds,
    /// Every pair of a rule is forbidden by a `never` rule.
    ForbiddenRule,
    /// No value of a column can be read as a number.
    NoNumbers,
    /// No value of a column can be read as a date.
    NoDates,
}

/// A condition that is likely a mistake, and what may be meant. Its text shows the condition underlined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Doubt {
    /// What is doubtful.
    pub kind: DoubtKind,
    /// Whether it can never hold.
    pub severity: Severity,
    /// The rule or derived column: `rule "same phone"`.
    pub of: String,
    /// Where it is written: `rules.toml:12`.
    pub place: String,
    /// The condition.
    pub condition: String,
    /// What is wrong with it.
    pub message: String,
    /// What to write.
    pub help: String,
    /// All this in several lines, with the condition underlined; not for all of very many.
    #[serde(skip)]
    shown: Option<String>,
}

impl Doubt {
    /// What was found in a text.
    pub(super) fn new(origin: &Origin, found: FoundDoubt) -> Self {
        let shown = found.diagnostic().render(origin);
        Self { shown: Some(shown), ..Self::in_short(origin, found) }
    }

    /// The same without the lines that show it.
    pub(super) fn in_short(origin: &Origin, found: FoundDoubt) -> Self {
        let FoundDoubt { kind, severity, span, message, help } = found;
        let condition = origin.text.get(span.start..span.end).unwrap_or_default();
        Self {
            kind,
            severity,
            of: origin.what.clone(),
            place: origin.place_of(span),
            condition: condition.split_whitespace().collect::<Vec<_>>().join(" "),
            message,
            help,
            shown: None,
        }
    }

    /// Whether it can never hold.
    pub fn is_mistake(&self) -> bool {
        self.severity == Severity::Mistake
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shown {
            Some(shown) => f.write_str(shown),
            None => {
                let [message, of, place, help] =
                    [&self.message, &self.of, &self.place, &self.help].map(|t| printable(t));
                write!(f, "{message}\n --> {of}, {place}\n  = help: {help}")
            }
        }
    }
}

/// A doubt about a part of a text.
#[derive(Clone, Debug)]
pub struct FoundDoubt {
    pub kind: DoubtKind,
    pub severity: Severity,
    pub span: Span,
    pub message: String,
    pub help: String,
}

impl FoundDoubt {
    fn diagnostic(&self) -> Diagnostic {
        Diagnostic::new(self.span, self.message.clone()).with_help(self.help.clone())
    }
}

/// What a condition is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A rule that gives pairs.
    Rule,
    /// A `never` rule.
    Never,
}

/// The doubts about a condition of two records.
pub(super) fn of_condition(condition: &Expr, text: &str, role: Role) -> Vec<FoundDoubt> {
    let mut walk = DoubtWalk::new(text, true);
    walk.condition(condition, true);
    walk.signed_differences(std::slice::from_ref(condition), true);
    if role == Role::Rule && walk.found.is_empty() {
        walk.one_record(condition);
    }
    walk.into_found()
}

/// The doubts about the conditions in an expression of one record.
pub(super) fn of_expression(expr: &Expr, text: &str) -> Vec<FoundDoubt> {
    let mut walk = DoubtWalk::new(text, false);
    walk.value(expr);
    walk.into_found()
}
