//! The join of texts by common deletion variants; the C++ side is in `kernels/edit_join_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use super::text::{TextOut, TextTest, Texts};
use super::tiles::Tile;
use crate::DevicePtr;

/// Threads of a block that makes variants.
pub const EDIT_JOIN_THREADS: u32 = 256;
/// Texts of more characters are not entered.
pub const EDIT_JOIN_LONGEST: usize = 256;
/// The most characters that are deleted from a text.
pub const EDIT_JOIN_DELETIONS: usize = 2;
/// Slices that the space of hashes is cut into at most.
pub const EDIT_JOIN_SLICES: usize = 1024;
/// Bytes of shared memory that the consumer of meetings takes per warp.
pub const EDIT_JOIN_SHARED: u32 = 1024;

/// `edit_join_slices`, `edit_join_count` and `edit_join_write`: the variants of texts.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EditJoinVariants {
    /// The texts.
    pub texts: Texts,
    /// By slot: the code of a text.
    pub codes: DevicePtr<u32>,
    /// By length: bit d where variants with d deletions are wanted.
    pub deletions: DevicePtr<u8>,
    /// By slot: entries in the slice.
    pub counts: DevicePtr<u32>,
    /// By slot: entries before its own.
    pub before: DevicePtr<u64>,
    /// By entry: its key.
    pub keys: DevicePtr<u32>,
    /// By entry: the slot of its text.
    pub slots: DevicePtr<u32>,
    /// By slice: entries of all texts.
    pub bins: DevicePtr<u32>,
    /// Number of slots.
    pub count: u32,
    /// Number of slices.
    pub slices: u32,
    /// The slice.
    pub slice: u32,
    /// The bits of a hash that a key has.
    pub tag_mask: u32,
}

/// `edit_join_heads`: marks the first entry of each key that several have.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EditJoinHeads {
    /// By entry: its key, ascending.
    pub keys: DevicePtr<u32>,
    /// By entry: its number.
    pub numbers: DevicePtr<u32>,
    /// By entry: 1 where a key of several begins.
    pub flags: DevicePtr<u8>,
    /// Number of entries.
    pub len: u32,
    /// Zero.
    pub unused: u32,
}

/// `edit_join_tiles`: a tile for the entries of each key.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EditJoinTiles {
    /// By entry: its key, ascending.
    pub keys: DevicePtr<u32>,
    /// By entry: the slot of its text.
    pub slots: DevicePtr<u32>,
    /// By key of several: its first entry.
    pub heads: DevicePtr<u32>,
    /// By key of several.
    pub tiles: DevicePtr<Tile>,
    /// Number of entries.
    pub len: u32,
    /// Number of keys of several.
    pub count: u32,
    /// The first slot of the right list; 0 where a list is joined with itself.
    pub first_right: u32,
    /// Zero.
    pub unused: u32,
}

/// What the consumer of meetings reads and writes.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EditJoinRun {
    /// The texts.
    pub texts: Texts,
    /// The test.
    pub test: TextTest,
    /// By slot: the code of a text.
    pub codes: DevicePtr<u32>,
    /// By entry: its key.
    pub keys: DevicePtr<u32>,
    /// By entry: the slot of its text.
    pub slots: DevicePtr<u32>,
    /// By length: the most edits of a text and any that is no longer, by which they meet.
    pub most: DevicePtr<u8>,
    /// Meetings, pairs whose distance was computed, pairs found.
    pub counters: DevicePtr<u64>,
    /// Number of slices.
    pub slices: u32,
    /// The slice.
    pub slice: u32,
    /// The bits of a hash that a key has.
    pub tag_mask: u32,
    /// Zero.
    pub unused: u32,
    /// Where pairs go.
    pub out: TextOut,
}

/// `edit_join_itself`: texts with themselves.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EditJoinItself {
    /// The texts.
    pub texts: Texts,
    /// By slot: the code of a text.
    pub codes: DevicePtr<u32>,
    /// The first slot.
    pub first: u32,
    /// How many.
    pub count: u32,
    /// Where pairs go.
    pub out: TextOut,
}
