//! sameas finds the records that mean the same thing: every pair of records that satisfies a rule, the clusters those
//! pairs form, and the reason for each.
//!
//! A [`Session`] has threads, memory and devices; a [`Job`] has inputs and rules; [`Session::run`] gives a [`Run`], whose
//! pairs and clusters are Arrow record batches or files:
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{RecordBatch, StringArray};
//! use sameas::{Input, Job, Session};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ids = StringArray::from(vec!["a", "b", "c"]);
//! let names = StringArray::from(vec!["Ann Smith", "Anne Smith", "Bob Jones"]);
//! let people = RecordBatch::try_from_iter([("id", Arc::new(ids) as _), ("name", Arc::new(names) as _)])?;
//!
//! let job = Job::dedupe(Input::batches("people", people.schema(), vec![people])?)
//!     .with_rule("jaro_winkler(l.name, r.name) >= 0.9");
//! let run = Session::new()?.run(&job, &())?;
//! for batch in run.pairs() {
//!     assert_eq!(batch?.num_rows(), 1);
//! }
//! assert_eq!(run.why(["a", "b"])?.match_key.as_deref(), Some("rule_1"));
//! # Ok(())
//! # }
//! ```
//!
//! What else there is, by the question it answers:
//!
//! - Where do records come from? An [`Input`] is files, batches, a stream of them, or a [`Source`] of the caller, and
//!   [`ReadOptions`] say how it is read.
//! - What if several jobs are over the same records? [`Session::open`] reads a [`Dataset`], which [`Session::run_on`],
//!   [`Session::train_on`] and others take: nothing is read, derived, encoded or counted twice.
//! - What do the inputs hold, and which keys join them well? [`Session::profile`] gives a
//!   [`Profile`](profile::Profile).
//! - What will a job do, and what did it do? [`Session::explain`] and [`Session::analyze`] give an [`Explanation`],
//!   [`Run::record`] gives a [`RunRecord`], the content of `run.json`.
//! - Why are two records a pair, or not? [`Run::why`] gives a [`Why`].
//! - How sure is it that two records match? [`Session::train`] learns a [`Model`] for the comparisons of the rules,
//!   [`Job::with_model`] scores pairs by it; [`Session::term_frequencies`] counts how frequent values are, for other jobs.
//! - How does a Splink model become a job? [`SplinkSettings`](splink::SplinkSettings) has its rules and its [`Model`],
//!   and what is not quite the same.
//! - How is a job stored, and run again? A [`JobSpec`] is everything that decides its answer; `run.json` has that of its run.
//! - What does a run look like? [`Run::report`] and [`Session::report`] give a [`RunReport`](report::RunReport),
//!   which a page shows.
//! - How good is a result? [`Session::evaluate`] compares it with the truth and gives an
//!   [`Evaluation`](evaluate::Evaluation); [`Session::estimate`] knows only some pairs that people have judged, and
//!   [`Session::compare_clusters`] compares two results. [`Session::sweep`] compares thresholds and ways to make clusters.
//! - Which ids are connected by a path of pairs? [`Session::closure`] gives the transitive
//!   [`Closure`](closure::Closure) of a file of pairs.
//! - How are pairs of any origin clustered? [`Session::cluster_pairs`] makes [`PairClusters`](clusters::PairClusters) of
//!   them: components, or clusters within limits, with what was cut and why.
//! - What does a cluster say of its entity? [`entities`] have one row each; [`Run::record_table`] gives them, and records with their
//!   clusters.
//! - What follows from relations by rules that refer to each other? [`Session::relate`] evaluates a
//!   [`RelateProgram`](datalog::RelateProgram).
//! - What does a measure say of two columns? An [`Expression`] of the rule language is evaluated over a record batch.
//! - Where do jobs run? [`DeviceList::find`](device::DeviceList::find) lists the GPUs; [`DeviceChoice`] and [`DeviceOptions`] say what is used.
//! - Can the work be divided? [`Session::plan`] gives a [`JobPlan`], whose branches [`Session::run_branch`] runs, over parts of
//!   the records that [`Session::open_parts`] reads. Where no machine has all records, [`Session::plan_from`] makes a plan of
//!   [`Statistics`] that were put together.
//!
//! What such values are made of is in the modules: [`record`] has the parts of a [`RunRecord`], [`plan`] those of an
//! [`Explanation`], and so on.
//!
//! An [`Observer`] learns how far a job has come and can cancel it. The library prints nothing, reads no environment and
//! keeps no global state; an [`Error`] says what went wrong, where, and what to do next.

mod api;
pub mod closure;
pub mod clusters;
pub mod datalog;
pub mod device;
pub mod entities;
pub mod evaluate;
pub mod output;
pub mod plan;
pub mod profile;
pub mod record;
pub mod record_parts;
pub mod report;
pub mod rules;
pub mod score;
pub mod sources;
pub mod splink;

pub use api::{ResultBatches, Run, Session, SessionBuilder};
#[doc(inline)]
pub use sameas_core::error::{Error, ErrorCode, ErrorKind, Result, printable};
#[doc(inline)]
pub use sameas_device::{DeviceChoice, DeviceOptions};
#[doc(inline)]
pub use sameas_engine::dataset::Dataset;
#[doc(inline)]
pub use sameas_engine::engine::{BranchRun, Explanation, RuleCheck, RunRecord, Why};
#[doc(inline)]
pub use sameas_engine::job::{Job, JobSpec};
#[doc(inline)]
pub use sameas_engine::observer::{Observer, Stage};
#[doc(inline)]
pub use sameas_engine::plan::cost::Costs;
#[doc(inline)]
pub use sameas_engine::plan::{JobPlan, Strategy};
#[doc(inline)]
pub use sameas_engine::scoring::Trained;
#[doc(inline)]
pub use sameas_expr::FieldValue;
#[doc(inline)]
pub use sameas_records::output::{Format, OutputFolder, ResultFile};
#[doc(inline)]
pub use sameas_records::records::stats::Statistics;
#[doc(inline)]
pub use sameas_records::records::{Expression, Input, ReadOptions, Source};
#[doc(inline)]
pub use sameas_rules::model::Model;
#[doc(inline)]
pub use sameas_rules::rules::{Doubt, FunctionInfo, LinkType, RuleFile, function, functions};

// The measures themselves, for programs that need nothing else.
pub use sameas_measures as measures;

// Record batches that come in and go out are of these versions of Arrow's crates.
pub use {arrow_array, arrow_schema};
