//! Entities: the records of a cluster become one, and records are written with their clusters.
//!
//! Inputs are read once more, all columns in their own types, some records at a time (`record_stream`). Their rows are brought
//! together by cluster, within the memory of a job (`partitions`). Of each cluster every column is taken as the rules say
//! (`survivorship`). `tables` puts this together: the table of entities, and that of records.

#![allow(missing_docs)]

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{cancel, error, file_at, memory};
use sameas_expr as expr;
use sameas_records::{output, pairs, records};
use sameas_rules::rules;

// Rooms from the lowest to the highest: each imports only those before it.

pub mod record_stream;

pub mod partitions;

pub mod survivorship;

pub mod tables;
