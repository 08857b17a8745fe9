//! The kernels as nvcc compiled them, for a driver to load, and the primitives over memory of a GPU.

/// All kernels for all architectures; a driver takes what suits its GPU.
pub static FATBIN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kernels.fatbin"));

crate::primitives::primitives!(
    PRIMITIVES,
    "The primitives over memory of a GPU: its primary context must be current on the calling thread.",
    sameas_cuda_sort_pairs_u32,
    sameas_cuda_sort_pairs_u64,
    sameas_cuda_exclusive_sum_u32,
    sameas_cuda_exclusive_sum_u64,
    sameas_cuda_exclusive_sum_u32_to_u64,
    sameas_cuda_select_flagged_u32
);
