//! Thresholds: what predicates ask of two values, restated over codes and integers.
//!
//! [`Check`] is a predicate over encoded columns. `text_test` turns the threshold of a text measure into a number of
//! edits for each length, `text_predicate` into the least that two texts must have in common, by which joins and filters
//! rule pairs out, and `text_filter` applies that to signatures; `set_test` turns the threshold of a set measure into the
//! least that two sets must have in common. Candidates and verification both read these, and neither
//! reads the other's.

mod check;
mod set_test;
mod text_filter;
mod text_predicate;
mod text_test;

pub use check::{Check, Sides, Truth};
pub(crate) use check::{difference, set_measure};
pub use set_test::SetTest;
pub use text_filter::{TextFilter, TextPair};
pub(crate) use text_predicate::Needs;
pub use text_predicate::{Decision, EditMeasure, MostEdits, TextPredicate};
pub use text_test::TextTest;
pub(crate) use text_test::value;
