//! The verifier on a device: the same tree, walked inside the kernels that enumerate the candidates.
//!
//! `columns` brings what the checks read to the device, from where `source` says, `compile` flattens a branch for the
//! kernels, `gate` picks the checks that are tested for many candidates at a time, and `verifier` runs the tasks of an
//! access path, slice by slice, and brings back the pairs that passed. `stage` is what a device does with these in place of
//! a pair stage, and `scoring` how kernels score them. What a device cannot decide leaves it with what is known and is
//! decided by the host.
//!
//! A warp walks 32 candidates through cheap checks; those that need a measure wait in a queue in shared memory until 32
//! of them can be decided together. Where many rows of a key meet, they pass the *gate* first: facts of 32 rows
//! (signatures, set summaries, codes) are read once and tested with those of each lane's rows. Owners are found on the
//! device. Where a slice gives many pairs, the device brings them in order. Texts that exceed what a thread has itself
//! (from 1,025 characters on, Damerau from 64) take a slot of scratch memory (`device_values/slots`).
//!
//! *Deferred* to the host are: regular expressions, decimals, `round`, `floor` and `ceil`, casts and text functions of
//! two records, thresholds that no float is exactly, Damerau beyond 16,000 characters, and long texts where no slot
//! fits. The host goes on with the verdicts known so far.
//!
//! Scores: a lane looks at the codes of its pair when it has found the owner; what they do not rule out waits in the
//! warp's queue once more, so that measures are evaluated by full warps. Where the host is needed, a pair is emitted
//! with a mark, and the host scores it. To train, pairs are counted by pattern in a hash table behind the counters of
//! the slice, which is read and, where a slice is repeated, forgotten with them. Branches in parts have other numbers
//! for their values, so the host scores their pairs, as it does all where a tree would be too large.

mod columns;
mod compile;
mod gate;
mod part;
mod scoring;
mod source;
mod stage;
mod verifier;

pub use columns::DeviceColumns;
pub use compile::DeviceProgram;
pub use source::LentColumns;
pub use stage::DeviceStage;
pub use verifier::{CountedRules, Deferred, DeviceVerifier, Resolved, ResultSink, SliceCounts, VerifierSetup};
