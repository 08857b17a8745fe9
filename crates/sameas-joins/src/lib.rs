//! Joins: access paths find candidates, and the verifier decides each by the definition of its predicates.

#![allow(missing_docs)]

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{cancel, error, memory, numbering};
use sameas_device as device;
use sameas_expr as expr;
use sameas_measures as measure;
use sameas_records::{pairs, records};
use sameas_rules::rules;

// Rooms from the lowest to the highest: each imports only those before it.

pub mod threshold;

pub mod device_values;

pub mod candidates;

pub mod verify;
