//! Where a device has what checks read.

use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::Rows;
use crate::device::LentMemory;
use crate::device_values::DevicePart;

/// Where a device has the columns of a job.
pub enum ColumnSource<'a> {
    /// In its memory: they are copied there.
    Copied,
    /// As far as kernels read them in the form that the host has, in the memory of the host.
    Lent(LentColumns<'a>),
    /// In its memory those of some records, which it gathers from the memory of the host.
    Gathered(GatheredRecords<'a>),
}

/// Columns that stay on the host where there is no room for them on the device.
#[derive(Clone)]
pub struct LentColumns<'a> {
    /// Where they lie.
    pub lent: Arc<LentMemory<'a>>,
    /// Bytes of the device that are left for indexes and results.
    pub left: usize,
}

/// Some records of a job.
pub struct GatheredRecords<'a> {
    /// What they are gathered from.
    pub lent: Arc<LentMemory<'a>>,
    /// Their codes and values.
    pub part: DevicePart,
    /// Which they are, by frame.
    pub rows: Vec<Rows>,
}

impl GatheredRecords<'_> {
    /// What each record of one side has.
    pub fn of_side<T: Copy + Send + Sync>(&self, all: &[T], side: usize) -> Vec<T> {
        let rows = &self.rows[side.min(self.rows.len() - 1)];
        rows.par_iter().map(|row| all[*row as usize]).collect()
    }

    /// Where rows of one frame would stand among them.
    pub fn places(&self, rows: &[u32]) -> Vec<u32> {
        let place = |row: &u32| self.rows[0].partition_point(|other| other < row) as u32;
        rows.iter().map(place).collect()
    }
}
