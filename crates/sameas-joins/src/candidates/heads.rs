//! Runs of equal keys in sorted lists on a device.

use sameas_kernels::layout::heads::Heads;
use sameas_kernels::{Kernel, kernel};

use crate::device::{Buffer, Gpu, SortKey};
use crate::error::Result;

/// Threads of a block of a kernel whose threads go through their input in strides.
pub const STRIDE_THREADS: u32 = 256;

/// Blocks of such a kernel.
pub fn strides(entries: usize) -> u32 {
    entries.div_ceil(STRIDE_THREADS as usize).clamp(1, 1 << 16) as u32
}

/// A key: `u32` or `u64`.
pub trait RunKey: SortKey {
    /// The kernel that marks where keys begin.
    const HEADS: Kernel<Heads>;
}

impl RunKey for u32 {
    const HEADS: Kernel<Heads> = kernel::HEADS_U32;
}

impl RunKey for u64 {
    const HEADS: Kernel<Heads> = kernel::HEADS_U64;
}

/// The place of the first of each key among the first `len` of a sorted list, and how many keys there are.
pub fn heads<K: RunKey>(gpu: &Gpu, keys: &Buffer<K>, len: usize) -> Result<(Buffer<u32>, usize)> {
    let (numbers, flags) = (gpu.buffer::<u32>(len)?, gpu.buffer::<u8>(len)?);
    let args =
        Heads { keys: keys.at().untyped(), numbers: numbers.at(), flags: flags.at(), len: len as u32, unused: 0 };
    gpu.launch(K::HEADS, strides(len), STRIDE_THREADS, 0, &args)?;
    gpu.select_flagged(&numbers, &flags, len)
}
