//! Graphs and who reaches whom in them; relations and rules over them, to their fixpoint.

#![allow(missing_docs)]

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{cancel, error, memory, numbering, union_find};
use sameas_device as device;

// Rooms from the lowest to the highest: each imports only those before it.

pub mod graph;

pub mod relation;
