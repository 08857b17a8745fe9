//! Experiments on what the planner believes: what predicates cost, and how often they hold.
//!
//! `workload` reads data sets and makes predicates over them, `ranking` compares orders, `network` is the small
//! regression network that the cost model is compared with.

mod cost_models;
mod lsh_evenness;
mod network;
mod random;
mod ranking;
mod workload;

pub use cost_models::run as cost_models;
pub use lsh_evenness::run as lsh_evenness;
