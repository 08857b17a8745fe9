//! What consumers of candidates are given; the twin is in `kernels/consume_layout.h`.

use crate::Plain;

/// What the consumers need; each leaves alone what is another's. Zero stands for what is not there.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Consume {
    /// What the verifier reads and writes.
    pub verify: u64,
    /// `u64`: pairs seen.
    pub pairs: u64,
    /// `u64`: pairs that satisfied the consumer's predicate.
    pub matched: u64,
    /// `u64`: the next free place of the buffer, counted on past its end.
    pub cursor: u64,
    /// `u64` a pair, the left row in the low half. Places are taken modulo the capacity; some stay as they were.
    pub buffer: u64,
    /// The capacity less one: a power of two of 1024 to 2^31.
    pub mask: u64,
}

const _: () = assert!(size_of::<Consume>() == 48);

// SAFETY: six numbers of eight bytes.
unsafe impl Plain for Consume {}
