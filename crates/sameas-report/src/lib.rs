//! What a person wants to know: profiles of inputs, evaluations of results, reports of runs.

#![allow(missing_docs)]

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::{VERSION, cancel, error, memory, numbering, union_find};
use sameas_device as device;
use sameas_engine::{dataset, engine, job, observer, plan, score, scoring, settings, timeline};
use sameas_expr as expr;
use sameas_joins::verify;
use sameas_measures as measure;
use sameas_pairs::cluster_pairs;
use sameas_records::{judgements, output, records};
use sameas_rules::{model, rules};

// Rooms from the lowest to the highest: each imports only those before it.

pub mod evaluate;

pub mod profile;

pub mod report;
