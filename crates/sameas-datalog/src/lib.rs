//! Transitive closures of files of pairs, and Datalog programs.

#![allow(missing_docs)]

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{VERSION, cancel, disjoint_sets, error, memory, numbering};
use sameas_device as device;
use sameas_engine::{observer, settings};
use sameas_expr as expr;
use sameas_records::{ids, output, records};
use sameas_relations::{graph, relation};
use sameas_rules::rules;

// Rooms from the lowest to the highest: each imports only those before it.

pub mod closure;

pub mod datalog;
