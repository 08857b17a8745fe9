//! Verify: every candidate is decided by the definition of its predicates, a batch at a time.
//!
//! `program` flattens a rule set into checks over encoded columns; `check` evaluates one predicate for the selected
//! candidates of a batch; `verifier` runs conjunctions over a batch and finds each pair's owner; `text_test` decides
//! thresholds of text measures; `pair` answers the same questions for one pair, in words.

mod check;
mod pair;
mod program;
mod text_test;
mod verifier;

pub use check::{Check, Truth};
pub use pair::{Finding, Inspection, inspect};
pub use program::{Program, compile_program};
pub use verifier::{BranchProgram, Tally, Verifier};
