//! Numbers near each other; the C++ side is in `kernels/neighbourhood_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use super::tiles::Tile;
use super::verify::DifferenceCheck;
use crate::DevicePtr;

/// `neighbourhood_rows`: lists the rows of a side, and marks those whose number is of one kind.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct NeighbourhoodRows {
    /// Rows that take part, or null where all do.
    pub rows: DevicePtr<u32>,
    /// By row: its code.
    pub codes: DevicePtr<u32>,
    /// By code: the kind of its number.
    pub kinds: DevicePtr<u8>,
    /// The rows.
    pub list: DevicePtr<u32>,
    /// By row of the list: 1 where its number is of the kind.
    pub flags: DevicePtr<u8>,
    /// Number of rows.
    pub len: u32,
    /// The kind.
    pub kind: u32,
}

/// `neighbourhood_keys`: keys that have the order of the numbers of some rows.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct NeighbourhoodKeys {
    /// Rows whose numbers are of one kind.
    pub rows: DevicePtr<u32>,
    /// By row: its code.
    pub codes: DevicePtr<u32>,
    /// By code: the bits of its number.
    pub numbers: DevicePtr<u64>,
    /// By row of the list: its key.
    pub keys: DevicePtr<u64>,
    /// Number of rows.
    pub len: u32,
    /// The kind.
    pub kind: u32,
}

/// `neighbourhood_windows`: a tile for each of some distinct left numbers.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct NeighbourhoodWindows {
    /// The condition; numbers are read from the keys.
    pub check: DifferenceCheck,
    /// Sorted keys of the left rows.
    pub left_keys: DevicePtr<u64>,
    /// Sorted keys of the right rows.
    pub right_keys: DevicePtr<u64>,
    /// By distinct left number: the place of its first row.
    pub heads: DevicePtr<u32>,
    /// By distinct left number: its rows and those of its window.
    pub tiles: DevicePtr<Tile>,
    /// The rows of each number with each other, or null where two orders meet.
    pub same: DevicePtr<Tile>,
    /// The first distinct left number.
    pub first: u32,
    /// How many of them.
    pub count: u32,
    /// All distinct left numbers.
    pub distinct: u32,
    /// Number of left rows.
    pub left_len: u32,
    /// Number of right rows.
    pub right_len: u32,
    /// The kind of the left numbers.
    pub left_kind: u32,
    /// The kind of the right numbers.
    pub right_kind: u32,
    /// Zero.
    pub unused: u32,
}
