//! The rows of one side in the order of their numbers, on a device: the twin of `NumberOrder`.

use std::sync::Arc;

use sameas_kernels::layout::neighbourhood::{NeighbourhoodKeys, NeighbourhoodRows};
use sameas_kernels::layout::verify::number_kind;
use sameas_kernels::{DevicePtr, kernel};

use crate::candidates::heads::{STRIDE_THREADS, heads, strides};
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// The kinds of numbers that kernels know.
pub const DEVICE_KINDS: [u8; 2] = [number_kind::WHOLE, number_kind::FLOAT];

/// Bits of a key.
const KEY_BITS: u32 = 64;

/// The numbers of one side on a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceNumbers<'r> {
    /// Rows that take part, ascending.
    pub rows: &'r [u32],
    /// All rows of the side.
    pub all_rows: usize,
    /// By row.
    pub codes: DevicePtr<u32>,
    /// The bits of a number, by code.
    pub numbers: DevicePtr<u64>,
    /// The kind of a number, by code.
    pub kinds: DevicePtr<u8>,
}

/// Rows of numbers of one kind, by number, and by row where numbers are equal.
pub struct DeviceOrder {
    /// The kind.
    pub kind: u32,
    /// Keys that have the order of the numbers.
    pub keys: Buffer<u64>,
    /// The rows.
    pub rows: Arc<Buffer<u32>>,
    /// How many rows there are.
    pub len: usize,
    /// The place of the first row of each distinct number.
    pub heads: Buffer<u32>,
    /// How many distinct numbers there are.
    pub distinct: usize,
}

impl DeviceNumbers<'_> {
    /// Sorts the rows of each kind that there is.
    pub fn sorted(&self, gpu: &Gpu) -> Result<Vec<Arc<DeviceOrder>>> {
        // Rows ascend and differ, so that as many as the side has are all of them, in order.
        let is_all = self.rows.len() == self.all_rows;
        let uploaded = if is_all { None } else { Some(gpu.upload(self.rows)?) };
        let rows = uploaded.as_ref().map_or(DevicePtr::NULL, Buffer::at);
        let orders = DEVICE_KINDS.iter().map(|kind| self.order(gpu, rows, u32::from(*kind)));
        orders.filter_map(Result::transpose).map(|order| order.map(Arc::new)).collect()
    }

    /// The rows of one kind in order; nothing where there are none.
    fn order(&self, gpu: &Gpu, rows: DevicePtr<u32>, kind: u32) -> Result<Option<DeviceOrder>> {
        let (rows, len) = self.of_kind(gpu, rows, kind)?;
        if len == 0 {
            return Ok(None);
        }
        let keys = gpu.buffer::<u64>(len)?;
        let args = NeighbourhoodKeys {
            rows: rows.at(),
            codes: self.codes,
            numbers: self.numbers,
            keys: keys.at(),
            len: len as u32,
            kind,
        };
        gpu.launch(kernel::NEIGHBOURHOOD_KEYS, strides(len), STRIDE_THREADS, 0, &args)?;
        // The sort is stable and rows ascend.
        let (keys, rows) = gpu.sort_pairs(&keys, &rows, len, 0..KEY_BITS)?;
        let (heads, distinct) = heads(gpu, &keys, len)?;
        Ok(Some(DeviceOrder { kind, keys, rows: Arc::new(rows), len, heads, distinct }))
    }

    /// The rows whose number is of one kind, ascending, and how many they are.
    fn of_kind(&self, gpu: &Gpu, rows: DevicePtr<u32>, kind: u32) -> Result<(Buffer<u32>, usize)> {
        let len = self.rows.len();
        if len == 0 {
            return Ok((gpu.buffer(0)?, 0));
        }
        let (list, flags) = (gpu.buffer::<u32>(len)?, gpu.buffer::<u8>(len)?);
        let args = NeighbourhoodRows {
            rows,
            codes: self.codes,
            kinds: self.kinds,
            list: list.at(),
            flags: flags.at(),
            len: len as u32,
            kind,
        };
        gpu.launch(kernel::NEIGHBOURHOOD_ROWS, strides(len), STRIDE_THREADS, 0, &args)?;
        gpu.select_flagged(&list, &flags, len)
    }
}
