//! The first of each run of equal keys; the C++ side is in `kernels/heads_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use crate::{DevicePtr, Untyped};

/// `heads_*`: marks the first entry of each key.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct Heads {
    /// Sorted keys, of 4 or 8 bytes.
    pub keys: DevicePtr<Untyped>,
    /// By entry: its number.
    pub numbers: DevicePtr<u32>,
    /// By entry: 1 where its key begins.
    pub flags: DevicePtr<u8>,
    /// Number of entries.
    pub len: u32,
    /// Zero.
    pub unused: u32,
}
