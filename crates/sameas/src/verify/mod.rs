//! Verify: every candidate is decided by the definition of its predicates, a batch at a time.
//!
//! `program` turns a rule set into checks over encoded columns; `check` evaluates one predicate for the selected
//! candidates of a batch; `steps` is a branch's tree of checks, flattened, and `verifier` runs it over a batch and finds
//! each pair's owner; `text_check` decides thresholds of text measures, and `verdict_table` knows the answer for all
//! distinct values; `pair_value` has the values of expressions of two records; `result` is a pair that passed; `pair` does
//! the same for one pair and keeps every verdict and value. `outcome_tree` finds the outcome of a comparison with few
//! evaluations, `score_program` is all that a score is made of, and `score_reader` scores a batch of pairs by it, with what
//! codes say about all trees at once from `code_states`, and the outcomes of frequent values from `known_outcomes`.

mod check;
mod code_states;
pub mod gpu;
mod known_outcomes;
mod outcome_tree;
mod pair;
mod pair_batch;
mod pair_value;
mod program;
mod result;
mod score_program;
mod score_reader;
mod steps;
mod text_check;
mod verdict_table;
mod verifier;

pub use crate::threshold::{Check, Sides, TextTest, Truth};
pub use outcome_tree::{AskEffort, OutcomeNode, OutcomeStep, OutcomeTree};
pub use pair::{Finding, Inspection, NamedValue, finding, inspect, with_threshold};
pub use pair_batch::PairBatch;
pub use pair_value::PairValue;
pub use program::{CompiledRules, Program, compile_rules};
pub use result::Pair;
pub use score_program::{MOST_TREES, ScoreProgram, ScoredComparison, ValueAdjustment};
pub use score_reader::ScoreReader;
pub use steps::{BranchProgram, Step, StepCount};
pub use verdict_table::{VerdictTable, verdict_table};
pub use verifier::{Tally, Verifier};
