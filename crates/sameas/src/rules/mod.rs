//! Rules: text to typed predicates to disjunctive normal form.
//!
//! `rule_file` reads the file, `parser` and `bind` make typed expressions of its text, `predicate` sorts conditions by how
//! they can be evaluated, `normal_form` distributes `or`, and `compile` puts a [`RuleSet`] together. `simplify` leaves
//! out of it what follows from the rest, by the proofs of `imply`. `near` adds rules for borderline pairs.

mod bind;
mod catalogue;
mod columns_of_inputs;
mod compile;
mod derive;
mod diagnostic;
mod doubt;
mod imply;
mod lexer;
mod list_file;
mod literal_record;
mod near;
mod normal_form;
mod pair_columns;
mod parser;
mod parts;
mod predicate;
mod predicate_text;
mod rule_file;
mod scoring;
mod simplify;
mod stack;
mod sums;
mod syntax;
mod text_file;
mod text_reading;
mod weighted;
mod written;

#[cfg(test)]
mod tests;

pub(crate) use bind::written_name;
pub use bind::{Column, Ranking};
pub use catalogue::{FunctionGroup, FunctionInfo, function, functions};
pub use columns_of_inputs::InputColumns;
pub use compile::{Conjunction, Rule, RuleSet, compile, compile_within, input_columns};
pub use derive::{Derived, record_expression};
pub(crate) use diagnostic::{Diagnostic, Origin, Report};
pub use doubt::{Doubt, DoubtKind, Severity};
pub use imply::implies;
pub use literal_record::LiteralRecord;
pub use near::LoosenedCondition;
pub use pair_columns::PairColumn;
pub use parts::{ConditionPart, compared};
pub(crate) use predicate::measured;
pub use predicate::{Comparison, Literal, Predicate, Test};
pub(crate) use rule_file::MOST_COMBINATIONS;
pub use rule_file::{
    CompareText, DeriveText, LinkType, RuleFile, RuleFileText, RuleText, ScoreText, TrainText, WeightedText,
};
pub use scoring::{ComparisonRules, LevelRule, ScoringRules};
pub use simplify::{Contradiction, Implications, RuleLabel, Simplification, Simplified};
pub(crate) use stack::on_a_deep_stack;
pub(crate) use text_file::text_of;
pub use text_reading::TextReading;
pub use weighted::WeightedRules;
pub(crate) use written::SourceFile;

/// The name nearest to a misspelt one, if any is near.
pub(crate) fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let codes = |text: &str| -> Vec<u32> { text.to_lowercase().chars().map(u32::from).collect() };
    let wrong = codes(wrong);
    let allowed = (wrong.len() / 3).max(1);
    names
        .filter(|name| !name.is_empty())
        .map(|name| (crate::measure::osa::distance(&wrong, &codes(name)), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
