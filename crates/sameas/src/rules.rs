//! What is said of rules: doubts of a [`RuleCheck`](crate::RuleCheck), rules that a plan simplifies, and what each
//! condition says of the two records of a [`Why`](crate::Why).

#[doc(inline)]
pub use sameas_engine::engine::RecordField;
#[doc(inline)]
pub use sameas_joins::verify::{Finding, Inspection, NamedValue};
#[doc(inline)]
pub use sameas_rules::rules::{
    Contradiction, DoubtKind, FunctionGroup, LiteralRecord, RuleFileText, RuleLabel, RulePart, Severity, Simplification,
};
