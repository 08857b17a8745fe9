//! Hashes of 32 and of 64 bits: the kernels for each.

use sameas_kernels::layout::equi_join::{EquiJoinCollect, EquiJoinKeys, EquiJoinProbe, EquiJoinStarts, EquiJoinTiles};
use sameas_kernels::{Kernel, kernel};

use crate::candidates::device_path::DeviceSink;
use crate::candidates::heads::RunKey;

/// The kernels that read or write hashes.
pub struct HashKernels {
    pub write: Kernel<EquiJoinKeys>,
    pub starts: Kernel<EquiJoinStarts>,
    pub collect: Kernel<EquiJoinCollect>,
    pub tiles: Kernel<EquiJoinTiles>,
    count_pairs: Kernel<EquiJoinProbe>,
    write_pairs: Kernel<EquiJoinProbe>,
    verify: Kernel<EquiJoinProbe>,
    verify_recursively: Kernel<EquiJoinProbe>,
}

impl HashKernels {
    /// The kernel that joins light partitions.
    pub fn probe(&self, sink: DeviceSink) -> Kernel<EquiJoinProbe> {
        match sink {
            DeviceSink::Verify => self.verify,
            DeviceSink::VerifyRecursively => self.verify_recursively,
            DeviceSink::Count => self.count_pairs,
            DeviceSink::Write => self.write_pairs,
            DeviceSink::EditJoin => unreachable!("it takes tiles of entries alone"),
        }
    }
}

/// A hash: `u32` or `u64`.
pub trait KeyHash: RunKey {
    const KERNELS: HashKernels;
}

impl KeyHash for u32 {
    const KERNELS: HashKernels = HashKernels {
        write: kernel::EQUI_JOIN_KEYS_WRITE_U32,
        starts: kernel::EQUI_JOIN_STARTS_U32,
        collect: kernel::EQUI_JOIN_COLLECT_U32,
        tiles: kernel::EQUI_JOIN_TILES_U32,
        count_pairs: kernel::EQUI_JOIN_PROBE_COUNT_U32,
        write_pairs: kernel::EQUI_JOIN_PROBE_WRITE_U32,
        verify: kernel::EQUI_JOIN_PROBE_VERIFY_U32,
        verify_recursively: kernel::EQUI_JOIN_PROBE_VERIFY_RECURSIVELY_U32,
    };
}

impl KeyHash for u64 {
    const KERNELS: HashKernels = HashKernels {
        write: kernel::EQUI_JOIN_KEYS_WRITE_U64,
        starts: kernel::EQUI_JOIN_STARTS_U64,
        collect: kernel::EQUI_JOIN_COLLECT_U64,
        tiles: kernel::EQUI_JOIN_TILES_U64,
        count_pairs: kernel::EQUI_JOIN_PROBE_COUNT_U64,
        write_pairs: kernel::EQUI_JOIN_PROBE_WRITE_U64,
        verify: kernel::EQUI_JOIN_PROBE_VERIFY_U64,
        verify_recursively: kernel::EQUI_JOIN_PROBE_VERIFY_RECURSIVELY_U64,
    };
}
