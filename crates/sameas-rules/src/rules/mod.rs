//! Rules: text to typed predicates to disjunctive normal form.
//!
//! `rule_file` reads the file, `parser` and `bind` make typed expressions of its text, `predicate` sorts conditions by how
//! they can be evaluated, `normal_form` distributes `or`, and `compile` puts a [`RuleSet`] together (`rule_set`). `simplify`
//! leaves out of it what follows from the rest, by the proofs of `imply`. `near` adds rules for borderline pairs.
//!
//! **Nothing overflows the stack, and nothing takes long.** The parser is our own, because it decides how deep an
//! expression can be. Everything after it walks trees by recursion, on a thread with a deep stack (`stack`). Each step
//! takes time in proportion to the text. An `or` that would make more than 64 conjunctions of a rule stays one step.
//!
//! **Both ways round.** In a dedupe a rule R means R(a, b) or R(b, a). If exchanging the records gives the same
//! conjunctions, one orientation is kept; otherwise both are listed and owned in that order.
//!
//! **What a person reads.** `written` knows where a text stands in its file, escapes and several lines included, so
//! that carets stand at the mistake; `diagnostic` underlines it, and `predicate_text` gives predicates back in the
//! user's words. `catalogue` has every function with what it takes and what the help says; a test evaluates every
//! example. `doubt` finds conditions that are likely mistakes; doubts never change a result. `text_reading` remembers which
//! columns are read as numbers or dates, so that values that are none can be reported. `parts` takes conditions apart
//! for those who ask why a pair is a result.
//!
//! **Sums, near rules, several inputs, lists.** `sums` finds what a condition on a sum, an average or points of `case`
//! says about its parts. `near` adds a rule with a looser threshold after all others (`RuleSet::written_rules` is where
//! these begin). Where `l` and `r` have no sides (everything but a link of two inputs, `RuleSet::has_two_sides`), rules
//! see the columns that all inputs have; a column that only some inputs derive is derived in the others too, as what it
//! is there (`columns_of_inputs`). `list_file` reads the files of `in_list` when rules are compiled against columns,
//! and never before; their memory is counted, and their hashes say whether a job is the same as an earlier one.

mod bind;
mod catalogue;
mod columns_of_inputs;
mod compile;
mod condition_parts;
mod derive;
mod diagnostic;
mod doubt;
mod entity_rules;
mod imply;
mod lexer;
mod limits;
mod list_file;
mod literal_record;
mod near;
mod nearest;
mod normal_form;
mod pair_columns;
mod parser;
mod predicate;
mod predicate_text;
mod record_limits;
mod rule_file;
mod rule_set;
mod scoring;
mod simplify;
mod source_text;
mod stack;
mod sums;
mod syntax;
mod text_file;
mod text_reading;
mod weighted;

#[cfg(test)]
mod tests;

pub(crate) use bind::written_name;
pub use bind::{Column, Ranking};
pub use catalogue::{FunctionGroup, FunctionInfo, function, functions};
pub use columns_of_inputs::InputColumns;
pub use compile::{compile, compile_within, input_columns};
pub use condition_parts::{ConditionPart, compared};
pub use derive::{Derived, record_expression};
pub use diagnostic::{Diagnostic, Origin, Report};
pub use doubt::{Doubt, DoubtKind, Severity};
pub use entity_rules::{
    EntityColumn, EntityEntry, EntityExpressions, EntityInput, EntityRules, RecordValue, entity_rules,
};
pub use imply::implies;
pub use list_file::NamedFile;
pub use literal_record::LiteralRecord;
pub use nearest::nearest;
pub use predicate::measured;
pub use predicate::{Comparison, Literal, Predicate, Test};
pub use record_limits::{RecordLimits, record_limits};
pub use rule_file::{
    ClusterMistake, ClusterPlace, ClusterSpec, ClustersText, CompareText, CountedSpec, DeriveText, EntityText,
    EntryText, GroupText, LimitSpec, LinkType, MOST_COMBINATIONS, MethodSpec, OTHERS, OneToSpec, RuleFile,
    RuleFileText, RulePart, RuleText, ScoreText, SplitSpec, Take, TrainText, ValueText, WeightedText,
};
pub use rule_set::{
    ComparisonRules, Conjunction, LevelRule, LoosenedCondition, PairColumn, Rule, RuleSet, ScoringRules, WeightedRules,
    has_two_sides,
};
pub use simplify::{Contradiction, Implications, RuleLabel, Simplification, Simplified};
pub use source_text::SourceFile;
pub(crate) use stack::on_a_deep_stack;
pub(crate) use text_file::text_of;
pub use text_reading::TextReading;
