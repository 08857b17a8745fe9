//! Rounds of rules over relations; the C++ side is in `kernels/relation_rounds_layout.h`.
//!
//! A tuple is one number: its columns lie side by side in it, each in as many bits as its domain needs. So are the
//! values that some atoms of a rule have bound (a row).

use bytemuck::{NoUninit, Pod, Zeroable};

use crate::DevicePtr;

/// A value is taken from a row.
pub const FIELD_ROW: u32 = 0;
/// From a tuple that the first probe has found.
pub const FIELD_FIRST: u32 = 1;
/// From a tuple that the second probe has found.
pub const FIELD_SECOND: u32 = 2;
/// It is a constant.
pub const FIELD_CONSTANT: u32 = 3;

/// Two values are equal.
pub const RELATION_EQUAL: u32 = 0;
/// They differ.
pub const RELATION_DIFFERENT: u32 = 1;
/// The left one is less.
pub const RELATION_LESS: u32 = 2;
/// The left one is not greater.
pub const RELATION_AT_MOST: u32 = 3;

/// Fields that a key has at most.
pub const MOST_KEY_FIELDS: usize = 4;
/// Conditions that a step has at most.
pub const MOST_FILTERS: usize = 6;
/// Negated atoms that a step has at most.
pub const MOST_ABSENT: usize = 2;
/// Fields that a row has at most.
pub const MOST_ROW_FIELDS: usize = 6;
/// Threads of a block of `relation_expand`.
pub const RELATION_THREADS: u32 = 256;
/// Results of a block at a time.
pub const RELATION_TILE: u64 = 1024;

/// A value, and its place in the number that it becomes a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct RelationField {
    /// Its bits after the shift; or the constant.
    pub mask: u64,
    /// Where it is taken from.
    pub from: u32,
    /// How far it is shifted there.
    pub shift: u32,
    /// How far it is shifted in what is made of it.
    pub to: u32,
    /// Zero.
    pub unused: u32,
}

/// The tuples that share a key, in an order of tuples where the key comes first.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationProbe {
    /// In order.
    pub tuples: DevicePtr<u64>,
    /// By key: where its tuples begin; null where they are looked for.
    pub offsets: DevicePtr<u32>,
    /// The number of tuples.
    pub len: u64,
    /// The parts of a key.
    pub key: [RelationField; 4],
    /// The number of these.
    pub key_len: u32,
    /// A tuple's key is what remains after this shift.
    pub shift: u32,
}

/// A condition.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct RelationFilter {
    /// A value.
    pub left: RelationField,
    /// Another one.
    pub right: RelationField,
    /// How they compare.
    pub comparison: u32,
    /// Zero.
    pub unused: u32,
}

/// The tuples that are there: a bit for each that there can be, or a table of slots.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationSet {
    /// By tuple; or null.
    pub bits: DevicePtr<u32>,
    /// Each 0, or a tuple plus one.
    pub slots: DevicePtr<u64>,
    /// The number of slots, less one.
    pub mask: u64,
}

/// `relation_count`: by row the range of each probe, and the number of results.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationCount {
    /// The rows.
    pub rows: DevicePtr<u64>,
    /// What is probed.
    pub first: RelationProbe,
    /// What else is.
    pub second: RelationProbe,
    /// By row.
    pub first_begin: DevicePtr<u32>,
    /// By row.
    pub second_begin: DevicePtr<u32>,
    /// By row.
    pub second_count: DevicePtr<u32>,
    /// By row; and 0 behind the last.
    pub results: DevicePtr<u64>,
    /// The number of rows.
    pub len: u64,
    /// One or two.
    pub probes: u32,
    /// Zero.
    pub unused: u32,
}

/// `relation_expand`: makes the results of rows and adds those that fulfil all conditions to a list.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationExpand {
    /// The rows.
    pub rows: DevicePtr<u64>,
    /// What was probed.
    pub first: RelationProbe,
    /// What else was.
    pub second: RelationProbe,
    /// By row.
    pub first_begin: DevicePtr<u32>,
    /// By row.
    pub second_begin: DevicePtr<u32>,
    /// By row.
    pub second_count: DevicePtr<u32>,
    /// By row: the results before it; and of all.
    pub before: DevicePtr<u64>,
    /// Conditions.
    pub filters: [RelationFilter; 6],
    /// A key of which there must be no tuple.
    pub absent: RelationProbe,
    /// Another one.
    pub also_absent: RelationProbe,
    /// What a result is made of.
    pub output: [RelationField; 6],
    /// The tuples that are there, where the list is that of a relation.
    pub set: RelationSet,
    /// Results.
    pub list: DevicePtr<u64>,
    /// Their number.
    pub list_len: DevicePtr<u64>,
    /// Room in the list: what is beyond is counted only.
    pub capacity: u64,
    /// The number of rows.
    pub len: u64,
    /// The first result that is made.
    pub begin: u64,
    /// The end of those that are.
    pub end: u64,
    /// None, one or two; with none each row is a result.
    pub probes: u32,
    /// The number of conditions.
    pub filters_len: u32,
    /// The number of keys of which there must be no tuple.
    pub absent_len: u32,
    /// The number of fields of a result.
    pub output_len: u32,
    /// 1 where there is a set.
    pub is_head: u32,
    /// Zero.
    pub unused: u32,
}

/// `relation_permute`: puts the columns of tuples into another order.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationPermute {
    /// As they are.
    pub tuples: DevicePtr<u64>,
    /// As they become.
    pub permuted: DevicePtr<u64>,
    /// What a tuple becomes.
    pub output: [RelationField; 4],
    /// The number of tuples.
    pub len: u64,
    /// The number of columns.
    pub output_len: u32,
    /// Zero.
    pub unused: u32,
}

/// `relation_offsets`: where the tuples of each key begin.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationOffsets {
    /// In order.
    pub tuples: DevicePtr<u64>,
    /// By key; and the end.
    pub offsets: DevicePtr<u32>,
    /// The number of tuples.
    pub len: u64,
    /// The number of keys.
    pub keys: u64,
    /// A tuple's key is what remains after this shift.
    pub shift: u32,
    /// Zero.
    pub unused: u32,
}

/// `relation_enter_all`: enters tuples into a set.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationEnter {
    /// Some tuples.
    pub tuples: DevicePtr<u64>,
    /// The set.
    pub set: RelationSet,
    /// The number of tuples.
    pub len: u64,
}

/// `relation_copy`: copies tuples.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationCopy {
    /// Some tuples.
    pub from: DevicePtr<u64>,
    /// Where they go.
    pub to: DevicePtr<u64>,
    /// The number of tuples.
    pub len: u64,
}

/// `relation_pairs`: tuples of two columns as pairs of ids.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationPairs {
    /// Some tuples.
    pub tuples: DevicePtr<u64>,
    /// By value; null where values are ids.
    pub ids: DevicePtr<u32>,
    /// By tuple.
    pub pairs: DevicePtr<[u32; 2]>,
    /// The first value.
    pub left: RelationField,
    /// The second value.
    pub right: RelationField,
    /// The number of tuples.
    pub len: u64,
}

/// `relation_column`: a column of tuples.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationColumn {
    /// Some tuples.
    pub tuples: DevicePtr<u64>,
    /// By tuple.
    pub values: DevicePtr<u32>,
    /// Which column.
    pub field: RelationField,
    /// The number of tuples.
    pub len: u64,
}
