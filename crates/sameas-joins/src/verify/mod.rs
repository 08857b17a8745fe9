//! Verify: every candidate is decided by the definition of its predicates, a batch at a time.
//!
//! `rule_program` turns a rule set into checks over operands, and `program` is one over the encoded columns of records, or
//! over those of a `sample` of them; `check` evaluates one predicate for the selected candidates of a batch; `steps` is a
//! branch's tree of checks, flattened, and `verifier` runs it over a batch and finds each pair's owner; `text_check` decides
//! thresholds of text measures, and `verdict_table` knows the answer for all distinct values; `pair_value` has the values of
//! expressions of two records, and `compared_numbers` those of measures; `pair_batch` has pairs that passed, with their
//! verdicts; `pair` does the same for one pair and keeps every verdict and value. `outcome_tree` finds the outcome of a
//! comparison with few evaluations, `score_program` is all that a score is made of, and `score_reader` scores a batch of
//! pairs by it, with what codes say about all trees at once from `code_states`, and the outcomes of frequent values from
//! `known_outcomes`.
//!
//! Columns and tables of verdicts are shared by counted pointers, so that one encoding can serve several programs, and
//! the same predicates other rules (`Program::with_rules`). Every step counts what it tried, what it passed and how
//! long it took.
//!
//! **Pairs that a `never` forbids** are counted where they would be owned: the branch that would emit such a pair adds
//! it to the first `never` in file order that holds. So the counts do not depend on plan, device or threads. A `never`
//! that follows from a later one is not needed to decide a pair, but to say which is the first; such conjunctions are
//! kept apart (`shadowed_nevers`) and evaluated for forbidden pairs only.
//!
//! **Scores.** Codes of all comparisons are looked at first, then measures, then what only the host knows, and a pair
//! whose bound is below the threshold is left alone: most candidates cost a few comparisons of codes. Pairs of certain
//! rules are kept whatever their score, so no threshold ends their walk.

mod check;
mod code_states;
mod compared_numbers;
pub mod gpu;
mod known_outcomes;
mod outcome_tree;
mod pair;
mod pair_batch;
mod pair_value;
mod program;
mod rule_program;
mod sample;
mod score_program;
mod score_reader;
mod steps;
mod text_check;
mod verdict_table;
mod verifier;

pub use crate::threshold::{Check, Sides, TextTest, Truth};
pub use outcome_tree::{EvaluationEffort, OutcomeNode, OutcomeStep, OutcomeTree};
pub use pair::{Finding, Inspection, NamedValue, finding, inspect, with_threshold};
pub use pair_batch::PairBatch;
pub use pair_value::PairValue;
pub use program::Program;
pub use rule_program::{RecordCondition, RuleProgram};
pub use score_program::{MOST_TREES, ScoreProgram, ScoredComparison, ValueAdjustment};
pub use score_reader::ScoreReader;
pub use steps::{BranchProgram, Step, StepCount};
pub use verdict_table::{VerdictTable, verdict_table};
pub use verifier::{Tally, Verifier};
