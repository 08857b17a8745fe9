//! Execution: how the branches of a plan are run, and on what.
//!
//! An [`Execution`] is a plan over a program, with the `scope` of pairs that are looked for and a sink for those that are
//! found. `joiner` runs one branch after the other, with the tools of `host`: a `worker` for each thread, and `gpu` on
//! devices. `adaptive` reorders the checks of a branch whose estimates were wrong, `reviser` plans again what has not begun.
//! `rectangles` are the rows of a branch, cut where a pair must be of two inputs; `pair_stage` is the way of the pairs from
//! the verifier on, with what they carry. `tables` decides predicates once for all values, before branches run; `counts` says
//! how many candidates a plan has, as far as keys tell it. `checkpoint` keeps what branches have found, so that an interrupted
//! run can be resumed. `machine` is what it all runs on: threads, memory, and the device, which starts while files are read.
//!
//! An execution knows no job: a run, its near pairs, the passes of a training and a branch that was sent elsewhere
//! differ in plan, scope and sink alone. Devices see the host and not the loop over branches, and the loop does not see
//! how devices work. Without a reviser a plan runs as it is, which is what a branch that was sent elsewhere wants.
//! `auto` takes a GPU where the plan is worth its start, so the device is waited for when there is a plan; one that the
//! plan did not count on, or of another pace, has the job planned again.
//!
//! A stage may want the verdicts of some predicates. Those that the verifier did not need are `Unknown`: to evaluate
//! them for every pair would cost a job that wants none of it. A stage that counts forgets what it has counted since a
//! `mark` where a branch is undone.

mod adaptive;
mod checkpoint;
mod counts;
mod execution;
mod gpu;
mod host;
mod joiner;
mod machine;
mod pair_stage;
mod place_in_plan;
mod rectangles;
mod reviser;
mod scope;
mod tables;
#[cfg(test)]
mod tests;
mod worker;

pub use checkpoint::{Checkpoint, Resumable, Stored, find_stored};
pub use counts::CandidateCounter;
pub use execution::{Executed, Execution};
pub use host::PairSink;
pub use machine::Machine;
pub use pair_stage::{PairStage, Pipeline};
pub use place_in_plan::{OtherBranches, PlaceInPlan};
pub use reviser::Reviser;
pub use scope::JoinScope;
pub use tables::MadeTables;
