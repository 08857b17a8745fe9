//! What is made of files of pairs, of any origin: clusters.

#![allow(missing_docs)]

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{VERSION, cancel, error, memory, numbering};
use sameas_engine::{cluster, engine, observer, settings};
use sameas_expr as expr;
use sameas_records::{ids, judgements, output, records};
use sameas_rules::rules;

// Rooms from the lowest to the highest: each imports only those before it.

pub mod cluster_pairs;
