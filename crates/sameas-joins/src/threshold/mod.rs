//! Thresholds: what predicates ask of two values, restated over codes and integers.
//!
//! [`Check`] is a predicate over encoded columns. `text_test` turns the threshold of a text measure into a number of
//! edits for lengths, `text_predicate` into the least that two texts must have in common, by which joins and filters
//! rule pairs out, and `text_filter` applies that to signatures; `set_test` turns the threshold of a set measure into the
//! least that two sets must have in common, and `element_test` decides measures of the texts of their elements. Candidates
//! and verification both read these, and neither reads the other's.
//!
//! No bound is computed from a threshold: the comparison itself is asked. `1 - 1/5 >= 0.8` holds, though `(1 - 0.8) * 5`
//! is below 1.

mod check;
mod element_test;
mod set_test;
mod text_filter;
mod text_predicate;
mod text_test;

pub(crate) use check::difference;
pub use check::{Check, Sides, Truth};
pub use element_test::ElementTest;
pub use set_test::SetTest;
pub use text_filter::{TextFilter, TextPair};
pub(crate) use text_predicate::LengthRequirements;
pub use text_predicate::{Decision, MostEdits, TextPredicate};
pub use text_test::TextTest;
