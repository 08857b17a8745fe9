//! Verify: every candidate is decided by the definition of its predicates, a batch at a time.
//!
//! `program` turns a rule set into checks over encoded columns; `check` evaluates one predicate for the selected
//! candidates of a batch; `steps` is a branch's tree of checks, flattened, and `verifier` runs it over a batch and finds
//! each pair's owner; `text_check` decides thresholds of text measures, and `verdict_table` knows the answer for all
//! distinct values; `result` is a pair that passed; `pair` answers the same questions for
//! one pair, in words.

mod check;
pub mod gpu;
mod pair;
mod program;
mod result;
mod steps;
mod text_check;
mod verdict_table;
mod verifier;

pub use crate::threshold::{Check, Sides, TextTest, Truth};
pub use pair::{Finding, Inspection, inspect};
pub use program::{CompiledRules, Program, compile_rules};
pub use result::Pair;
pub use steps::{BranchProgram, Step, StepCount};
pub use verdict_table::{VerdictTable, verdict_table};
pub use verifier::{Tally, Verifier};
