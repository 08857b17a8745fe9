//! The engine: a job is planned, its records are bound, the plan is executed, pairs are scored and clustered.

#![allow(missing_docs)]

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{VERSION, cancel, cholesky, error, memory, numbering, union_find};
use sameas_device as device;
use sameas_expr as expr;
use sameas_joins::{candidates, device_values, threshold, verify};
use sameas_measures as measure;
use sameas_records::{frequency_table, judgements, output, pairs, records};
use sameas_rules::{model, rules};

// Rooms from the lowest to the highest: each imports only those before it.

pub mod score;

pub mod plan;

pub mod timeline;

pub mod observer;

pub mod settings;

pub mod job;

pub mod dataset;

pub mod cluster;

pub mod execute;

pub mod scoring;

pub mod engine;
