//! The verifier on a device: the same tree, walked inside the kernels that enumerate the candidates.
//!
//! `columns` brings what the checks read to the device, from where `source` says, `compile` flattens a branch for the
//! kernels, `gate` picks the checks that are tested for many candidates at a time, and `verifier` runs the tasks of an
//! access path, slice by slice, and brings back the pairs that passed. `scoring` is how kernels score them. What a device cannot decide leaves it with what is known and is decided by the host.

mod columns;
mod compile;
mod gate;
mod part;
mod scoring;
mod source;
mod verifier;

pub use columns::DeviceColumns;
pub use compile::DeviceProgram;
pub use source::LentColumns;
pub use verifier::{CountedRules, Deferred, DeviceVerifier, Resolved, ResultSink, SliceCounts, VerifierSetup};
