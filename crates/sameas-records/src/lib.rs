//! Records are read, derived and encoded; pairs of them are sorted and written.

#![allow(missing_docs)]

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{VERSION, cancel, disjoint_sets, error, file_at, memory, numbering};
use sameas_expr as expr;
use sameas_measures as measure;
use sameas_rules::rules;

// Rooms from the lowest to the highest: each imports only those before it.

pub mod records;

pub mod ids;

pub mod frequency_table;

pub mod judgements;

pub mod pairs;

pub mod output;
