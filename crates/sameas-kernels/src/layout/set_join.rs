//! The join of sets: its sides by rank, its lists, and the arguments of its kernels; the twins are in
//! `kernels/set_join_layout.h`.

use bytemuck::{NoUninit, Pod, Zeroable};

use super::text::TextOut;
use crate::DevicePtr;

/// The threads of a block of every kernel of the join.
pub const SET_JOIN_THREADS: u32 = 256;
/// Words of 32 bits a signature may have on a device.
pub const SET_JOIN_WORDS: [usize; 3] = [8, 16, 32];
/// Indexed sets that a warp compares at a time: a unit has a multiple of these.
pub const SET_JOIN_COLUMNS: usize = 32;

/// Probes of a chunk: as many as the registers of a warp hold signatures of this many words.
pub const fn set_join_rows(words: usize) -> usize {
    1024 / words
}

/// Which pairs of two sets of equal size belong to a direction.
pub mod equal_sizes {
    /// Those whose probe has no lower rank: one side with itself.
    pub const BY_RANK: u32 = 0;
    /// All.
    pub const HERE: u32 = 1;
    /// None.
    pub const THERE: u32 = 2;
}

/// How a join goes about it.
pub mod set_join_flags {
    /// Pairs belong to the list of their first common token.
    pub const LISTS: u32 = 1;
    /// The probes are the right side.
    pub const SWAPPED: u32 = 2;
}

/// Sets by code.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct Sets {
    /// Where each ends among the ids.
    pub ends: DevicePtr<u64>,
    /// The ids, ascending within a set.
    pub ids: DevicePtr<u32>,
}

/// A set at a glance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct SetSummary {
    /// Token `id` sets bit `id mod 96` of these 64 and the next 32.
    pub low: u64,
    /// The other bits.
    pub high: u32,
    /// The number of tokens.
    pub size: u32,
}

/// `set_join_sizes`: the sizes of the sets of some codes.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetSizes {
    /// The sets.
    pub sets: Sets,
    /// The codes.
    pub codes: DevicePtr<u32>,
    /// By place of the code.
    pub sizes: DevicePtr<u32>,
    /// Raised to the greatest.
    pub largest: DevicePtr<u32>,
    /// Number of codes.
    pub count: u64,
}

/// `set_join_histogram`: how many sets have each size.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetHistogram {
    /// Sizes.
    pub sizes: DevicePtr<u32>,
    /// By size.
    pub counts: DevicePtr<u32>,
    /// Number of sets.
    pub count: u64,
}

/// One side of a join, by rank.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetSide {
    /// The sets by code.
    pub sets: Sets,
    /// The codes.
    pub codes: DevicePtr<u32>,
    /// Signatures.
    pub signatures: DevicePtr<u32>,
    /// Tokens that found their bit taken.
    pub excess: DevicePtr<u32>,
    /// Classes of size.
    pub classes: DevicePtr<u32>,
    /// Number of sets.
    pub count: u32,
    /// Zero.
    pub unused: u32,
}

/// `set_join_sign`: makes signatures and classes of a side.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetSign {
    /// The side, as far as it is there.
    pub side: SetSide,
    /// By size.
    pub class_of_size: DevicePtr<u32>,
    /// Signatures.
    pub signatures: DevicePtr<u32>,
    /// Tokens that found their bit taken.
    pub excess: DevicePtr<u32>,
    /// Classes of size.
    pub classes: DevicePtr<u32>,
    /// Raised to the greatest token.
    pub largest_token: DevicePtr<u32>,
    /// Words of a signature.
    pub words: u32,
    /// Zero.
    pub unused: u32,
}

/// A class of size, on one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct SetClass {
    /// Its size.
    pub size: u32,
    /// The smallest class that can match it, or the class above it.
    pub lowest: u32,
    /// Its first rank.
    pub first: u32,
    /// Tokens of a set that are listed.
    pub prefix: u32,
    /// Entries of the classes before it.
    pub entries: u64,
}

/// `set_join_sample`: pairs of compatible sizes that signatures leave.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetSample {
    /// The sets that probe.
    pub probe_sets: Sets,
    /// The sets that are indexed.
    pub index_sets: Sets,
    /// Codes of the probes by rank.
    pub probe_codes: DevicePtr<u32>,
    /// Codes of the indexed sets by rank.
    pub index_codes: DevicePtr<u32>,
    /// [`SetClass`]es of the probes.
    pub classes: DevicePtr<SetClass>,
    /// By size.
    pub class_of_size: DevicePtr<u32>,
    /// The first indexed rank of each class, and one more.
    pub index_firsts: DevicePtr<u32>,
    /// Least overlaps, by class of the probe, then by that of the indexed set.
    pub needs: DevicePtr<u32>,
    /// Four: pairs that signatures of 8, 16 and 32 words leave, and pairs drawn.
    pub counts: DevicePtr<u64>,
    /// Number of probes.
    pub probe_count: u32,
    /// Number of classes.
    pub class_count: u32,
    /// Pairs to draw.
    pub draws: u32,
    /// Zero.
    pub unused: u32,
}

/// `set_join_token_counts`: adds the entries that a side has in the list of each token.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetTokenCounts {
    /// The side.
    pub side: SetSide,
    /// [`SetClass`]es.
    pub classes: DevicePtr<SetClass>,
    /// By token.
    pub counts: DevicePtr<u32>,
}

/// `set_join_listed`: how many tokens of a range are listed of each set.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetListed {
    /// The side.
    pub side: SetSide,
    /// [`SetClass`]es.
    pub classes: DevicePtr<SetClass>,
    /// By rank.
    pub counts: DevicePtr<u32>,
    /// The first token of the range.
    pub first: u32,
    /// The token after its last.
    pub end: u32,
}

/// `set_join_entries`: lists the first tokens of all sets, or those of a range.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetEntries {
    /// The side.
    pub side: SetSide,
    /// [`SetClass`]es.
    pub classes: DevicePtr<SetClass>,
    /// The entries before those of each rank, for a range of tokens; null for all.
    pub places: DevicePtr<u64>,
    /// The token in the upper half, its place in the set in the lower.
    pub keys: DevicePtr<u64>,
    /// The rank of the set.
    pub ranks: DevicePtr<u32>,
    /// The first token of the range.
    pub first: u32,
    /// The token after its last.
    pub end: u32,
}

/// `set_join_starts`: where the list of each token starts.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetStarts {
    /// In order.
    pub keys: DevicePtr<u64>,
    /// By token, and one more.
    pub starts: DevicePtr<u32>,
    /// Number of keys.
    pub entries: u32,
    /// Number of tokens.
    pub tokens: u32,
}

/// Lists by token, or null.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetLists {
    /// Keys in order.
    pub keys: DevicePtr<u64>,
    /// Their ranks.
    pub ranks: DevicePtr<u32>,
    /// By token, and one more.
    pub starts: DevicePtr<u32>,
}

/// `set_join_count`: how many chunks the list of each token has.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetCount {
    /// Lists of probes.
    pub probes: SetLists,
    /// Lists of indexed sets.
    pub index: SetLists,
    /// By token.
    pub chunks: DevicePtr<u32>,
    /// Number of tokens.
    pub tokens: u32,
    /// Probes of a chunk.
    pub rows: u32,
}

/// Some probes of a list, and the places of the index list that they meet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct SetChunk {
    /// The place of the first probe.
    pub probe: u32,
    /// How many there are.
    pub probes: u32,
    /// The first place of the index list.
    pub begin: u32,
    /// The place after the last.
    pub end: u32,
    /// The token of the list.
    pub token: u32,
    /// Zero.
    pub unused: u32,
}

/// `set_join_chunks`: the chunks of all lists.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetChunks {
    /// Lists of probes.
    pub probes: SetLists,
    /// Lists of indexed sets.
    pub index: SetLists,
    /// By rank of a probe.
    pub probe_classes: DevicePtr<u32>,
    /// [`SetClass`]es of the probes.
    pub classes: DevicePtr<SetClass>,
    /// The first indexed rank of each class, and one more.
    pub index_firsts: DevicePtr<u32>,
    /// Least overlaps, by class of the probe, then by that of the indexed set.
    pub needs: DevicePtr<u32>,
    /// Chunks before those of each token, and one more.
    pub before: DevicePtr<u64>,
    /// [`SetChunk`]s.
    pub chunks: DevicePtr<SetChunk>,
    /// By chunk.
    pub units: DevicePtr<u32>,
    /// Rows times columns of all chunks, in whole tiles.
    pub work: DevicePtr<u64>,
    /// Number of chunks.
    pub count: u64,
    /// Number of tokens.
    pub tokens: u32,
    /// Number of classes.
    pub class_count: u32,
    /// Probes of a chunk.
    pub rows: u32,
    /// Indexed sets of a unit.
    pub piece: u32,
    /// See [`equal_sizes`].
    pub equal: u32,
    /// Zero.
    pub unused: u32,
}

/// `set_join_*`: some units of a join.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct SetJoin {
    /// The side that probes.
    pub probes: SetSide,
    /// The side that is indexed.
    pub index: SetSide,
    /// Lists of probes.
    pub probe_lists: SetLists,
    /// Lists of indexed sets.
    pub index_lists: SetLists,
    /// Least overlaps, by class of the probe, then by that of the indexed set.
    pub needs: DevicePtr<u32>,
    /// [`SetChunk`]s.
    pub chunks: DevicePtr<SetChunk>,
    /// The first unit of each chunk, and one more.
    pub starts: DevicePtr<u64>,
    /// The first unit of this launch.
    pub first: u64,
    /// Units of this launch.
    pub units: u32,
    /// Number of chunks.
    pub chunk_count: u32,
    /// Number of classes.
    pub class_count: u32,
    /// Indexed sets of a unit.
    pub piece: u32,
    /// See [`equal_sizes`].
    pub equal: u32,
    /// See [`set_join_flags`].
    pub flags: u32,
    /// Units taken, zero at the start.
    pub next: DevicePtr<u32>,
    /// Three: pairs whose signatures were compared, pairs whose sets were, pairs found.
    pub counters: DevicePtr<u64>,
    /// Where pairs go.
    pub out: TextOut,
}
