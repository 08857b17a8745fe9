//! Hashes of 32 and of 64 bits: the kernels for each.

use crate::candidates::device_path::Consumer;
use crate::device::SortKey;

/// The kernels that read or write hashes.
pub struct Kernels {
    pub write: &'static str,
    pub starts: &'static str,
    pub collect: &'static str,
    pub heads: &'static str,
    pub tiles: &'static str,
    count_pairs: &'static str,
    write_pairs: &'static str,
    verify: &'static str,
}

impl Kernels {
    /// The kernel that joins light partitions.
    pub fn probe(&self, consumer: Consumer) -> &'static str {
        match consumer {
            Consumer::Verify => self.verify,
            Consumer::Count => self.count_pairs,
            Consumer::Write => self.write_pairs,
        }
    }
}

/// A hash: `u32` or `u64`.
pub trait Hash: SortKey {
    const KERNELS: Kernels;
}

macro_rules! hash {
    ($hash:ident) => {
        impl Hash for $hash {
            const KERNELS: Kernels = Kernels {
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
