//! Rules: from their text to conjunctions of predicates; models of their comparisons; settings of Splink as both.

#![allow(missing_docs)]

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{cancel, error, memory};
use sameas_expr as expr;
use sameas_measures as measure;

// Rooms from the lowest to the highest: each imports only those before it.

pub mod rules;

pub mod model;

pub mod splink;
