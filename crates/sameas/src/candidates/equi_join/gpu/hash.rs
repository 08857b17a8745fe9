//! Hashes of 32 and of 64 bits: the kernels for each.

use crate::candidates::device_path::DeviceSink;
use crate::device::SortKey;

/// The kernels that read or write hashes.
pub struct HashKernels {
    pub write: &'static str,
    pub starts: &'static str,
    pub collect: &'static str,
    pub heads: &'static str,
    pub tiles: &'static str,
    count_pairs: &'static str,
    write_pairs: &'static str,
    verify: &'static str,
}

impl HashKernels {
    /// The kernel that joins light partitions.
    pub fn probe(&self, sink: DeviceSink) -> &'static str {
        match sink {
            DeviceSink::Verify => self.verify,
            DeviceSink::Count => self.count_pairs,
            DeviceSink::Write => self.write_pairs,
        }
    }
}

/// A hash: `u32` or `u64`.
pub trait KeyHash: SortKey {
    const KERNELS: HashKernels;
}

macro_rules! hash {
    ($hash:ident) => {
        impl KeyHash for $hash {
            const KERNELS: HashKernels = HashKernels {
                write: concat!("equi_join_keys_write_", stringify!($hash)),
                starts: concat!("equi_join_starts_", stringify!($hash)),
                collect: concat!("equi_join_collect_", stringify!($hash)),
                heads: concat!("equi_join_heads_", stringify!($hash)),
                tiles: concat!("equi_join_tiles_", stringify!($hash)),
                count_pairs: concat!("equi_join_probe_count_", stringify!($hash)),
                write_pairs: concat!("equi_join_probe_write_", stringify!($hash)),
                verify: concat!("equi_join_probe_verify_", stringify!($hash)),
            };
        }
    };
}
hash!(u32);
hash!(u64);
