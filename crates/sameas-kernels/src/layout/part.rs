//! Arguments of the kernels that gather a part of the records; the C++ side is in `kernels/part_layout.h`.
//!
//! What is gathered from may lie in the memory of the host: a device reads it over the bus.

use bytemuck::{NoUninit, Zeroable};

use super::text::TextHead;
use crate::{DevicePtr, Untyped};

/// `part_codes`: the codes of some records, copied, and the values they hold marked.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct PartCodes {
    /// Codes by record.
    pub all: DevicePtr<u32>,
    /// The records of the part.
    pub rows: DevicePtr<u32>,
    /// Codes by record of the part.
    pub codes: DevicePtr<u32>,
    /// A bit for each value of the domain.
    pub marks: DevicePtr<u64>,
    /// Records of the part.
    pub len: u64,
}

/// `part_counts` and `part_kept`: the values that are marked.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct PartValues {
    /// A bit for each value of the domain.
    pub marks: DevicePtr<u64>,
    /// By word: its marks.
    pub counts: DevicePtr<u32>,
    /// By word: the marks before it.
    pub before: DevicePtr<u64>,
    /// The marked values, ascending.
    pub kept: DevicePtr<u32>,
    /// Words of marks.
    pub words: u64,
}

/// `part_numbers`: codes, numbered by the marks before them.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct PartNumbers {
    /// Codes by record of the part.
    pub codes: DevicePtr<u32>,
    /// A bit for each value of the domain.
    pub marks: DevicePtr<u64>,
    /// By word: the marks before it.
    pub before: DevicePtr<u64>,
    /// Records of the part.
    pub len: u64,
}

/// `part_spans`: where the lists of some values lie among those of all, which lie one after the other, each up to its end.
/// They are looked up once: over the bus, eight bytes cost as much as 32.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct PartSpans {
    /// The values of the part.
    pub kept: DevicePtr<u32>,
    /// By value: where its list ends.
    pub ends: DevicePtr<u64>,
    /// By list of the part: where it begins.
    pub begins: DevicePtr<u64>,
    /// By list of the part, and 0 behind the last.
    pub lengths: DevicePtr<u32>,
    /// Lists of the part.
    pub len: u64,
}

/// `part_lists`: the lists of some values.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct PartLists {
    /// The items of all lists.
    pub items: DevicePtr<u32>,
    /// By list of the part: where it begins.
    pub begins: DevicePtr<u64>,
    /// By list of the part.
    pub lengths: DevicePtr<u32>,
    /// Where each begins among the items of the part.
    pub places: DevicePtr<u64>,
    /// The items of the part.
    pub gathered: DevicePtr<u32>,
    /// Lists of the part.
    pub len: u64,
}

/// `part_records`: some of the records of several times 8 bytes.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct PartRecords {
    /// The values of the part.
    pub kept: DevicePtr<u32>,
    /// By value: its record.
    pub all: DevicePtr<Untyped>,
    /// The records of the part.
    pub records: DevicePtr<Untyped>,
    /// Their number.
    pub len: u64,
    /// Times 8 bytes of a record.
    pub units: u32,
    /// Nothing.
    pub unused: u32,
}

/// `part_groups` and `part_heads`: where the planes of some texts lie.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct PartHeads {
    /// By text of the part, and 0 behind the last.
    pub lengths: DevicePtr<u32>,
    /// By text of the part: a quarter of its words; 0 behind the last.
    pub groups: DevicePtr<u32>,
    /// The sums of these before it.
    pub offsets: DevicePtr<u64>,
    /// By text of the part.
    pub heads: DevicePtr<TextHead>,
    /// Texts of the part.
    pub len: u64,
    /// Words of a group.
    pub stride: u32,
    /// Nothing.
    pub unused: u32,
}
