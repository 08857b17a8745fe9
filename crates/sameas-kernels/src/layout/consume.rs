//! What consumers of candidates are given; the C++ side is in `kernels/consume_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use super::edit_join::EditJoinRun;
use super::verify::VerifyRun;
use crate::DevicePtr;

/// What the consumers need; each leaves alone what is another's. Null stands for what is not there.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct Consume {
    /// What the verifier reads and writes.
    pub verify: DevicePtr<VerifyRun>,
    /// Pairs seen.
    pub pairs: DevicePtr<u64>,
    /// Pairs that satisfied the consumer's predicate.
    pub matched: DevicePtr<u64>,
    /// The next free place of the buffer, counted on past its end.
    pub cursor: DevicePtr<u64>,
    /// By pair, the left row in the low half. Places are taken modulo the capacity; some stay as they were.
    pub buffer: DevicePtr<u64>,
    /// The capacity less one: a power of two of 1024 to 2^31.
    pub mask: u64,
    /// What the join of texts by their variants reads and writes.
    pub edit_join: DevicePtr<EditJoinRun>,
}
