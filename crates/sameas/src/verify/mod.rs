//! Verify: every candidate is decided by the definition of its predicates, a batch at a time.
//!
//! `program` flattens a rule set into checks over encoded columns; `check` evaluates one predicate for the selected
//! candidates of a batch; `verifier` runs conjunctions over a batch and finds each pair's owner; `text_check` and
//! `text_test` decide thresholds of text measures, `text_filter` beforehand where signatures tell; `pair` answers the same questions for one pair, in words.

mod check;
mod pair;
mod program;
mod text_check;
mod text_filter;
mod text_test;
mod verifier;

pub use check::{Check, Sides, Truth};
pub use pair::{Finding, Inspection, inspect};
pub use program::{Program, compile_program};
pub use text_test::TextTest;
pub use verifier::{BranchProgram, Tally, Verifier};
