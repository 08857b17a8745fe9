//! From pairs of distinct values to tiles of the rows that hold them, on a device.
//!
//! The join of the values is run slice by slice; the pairs of values that a slice finds are one part of the path, whose
//! tiles are enumerated and verified before the next slice is run.

use std::ops::Range;
use std::sync::Arc;

use sameas_kernels::layout::by_value::ByValueTiles;
use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::tiles::Tile;
use sameas_kernels::{DevicePtr, kernel};

use super::RowsByCode;
use crate::candidates::device_path::{Consumer, DevicePath, share_of};
use crate::candidates::text_join::gpu::{GpuTextJoin, Room};
use crate::candidates::tiles::Tiles;
use crate::candidates::{Pairing, Shape};
use crate::device::{Buffer, Gpu};
use crate::error::{Error, Result};

/// Threads of a block of `by_value_tiles`.
const THREADS: u32 = 256;

/// Units of the first slice of the join of the values.
const FIRST_UNITS: u64 = 1 << 16;

/// Bytes that a pair of values takes, with its tiles and their sums.
const PAIR: usize = 100;

/// The rows of each value of a side.
struct DeviceRows {
    starts: Buffer<u32>,
    rows: Arc<Buffer<u32>>,
}

/// Pairs of values that a slice found, and their tiles.
struct Part {
    tiles: Vec<Tiles>,
}

/// The rows of values that a join of texts finds.
pub struct GpuByValue<'a> {
    gpu: Gpu,
    join: GpuTextJoin,
    left: DeviceRows,
    right: Option<DeviceRows>,
    pairing: Pairing,
    /// Units of the join that have not been run.
    left_over: Range<u64>,
    size: u64,
    room: Room,
    part: Option<Part>,
    decide: Decide<'a>,
}

/// Decides pairs of values that a device leaves open.
pub type Decide<'a> = Box<dyn Fn(u32, u32) -> bool + Send + 'a>;

/// How the values are joined.
pub struct Work<'a> {
    /// Which share of the units of their join is run here, and of how many.
    pub share: (usize, usize),
    /// Pairs of values that a slice may find.
    pub capacity: usize,
    /// Decides the pairs that the device leaves open.
    pub decide: Decide<'a>,
}

/// Pairs of values that a quarter of so much memory has room for, with their tiles.
pub fn capacity(memory: usize) -> usize {
    (memory / 4 / PAIR).clamp(1 << 12, 1 << 24)
}

impl<'a> GpuByValue<'a> {
    /// The rows of values joined with themselves, or of two lists of values.
    pub fn new(
        gpu: &Gpu,
        join: GpuTextJoin,
        (left, right): (&RowsByCode, Option<&RowsByCode>),
        shape: Shape,
        work: Work<'a>,
    ) -> Result<Self> {
        let Work { share, capacity, decide } = work;
        let pairing = super::pairing(shape, right.is_none());
        let (left, right) = (DeviceRows::new(gpu, left)?, right.map(|rows| DeviceRows::new(gpu, rows)).transpose()?);
        let left_over = share_of(join.units(), share);
        let size = (left_over.end - left_over.start).clamp(1, FIRST_UNITS);
        let room = Room::new(gpu, capacity, capacity)?;
        Ok(Self { gpu: gpu.clone(), join, left, right, pairing, left_over, size, room, part: None, decide })
    }

    /// Runs the next slice; how many pairs of values it found, those that the host decided included.
    fn next_pairs(&mut self) -> Result<usize> {
        loop {
            let units = self.left_over.start..self.left_over.end.min(self.left_over.start + self.size);
            self.room.clear()?;
            self.join.launch(units.clone(), &self.room.layout())?;
            let ([found, open], capacity) = (self.room.found()?, self.room.pairs[0].len());
            if found + open > capacity {
                self.size = (units.end - units.start) / 2;
                if self.size == 0 {
                    let text = format!("one unit of a join of texts found {found} pairs; there is room for {capacity}");
                    return Err(Error::internal(text));
                }
                continue;
            }
            if found.max(open) < capacity / 8 {
                self.size = self.size.saturating_mul(2);
            }
            self.left_over.start = units.end;
            return self.add_open(found, open);
        }
    }

    /// Appends those of the open pairs that hold.
    fn add_open(&self, found: usize, open: usize) -> Result<usize> {
        if open == 0 {
            return Ok(found);
        }
        let [a, b] = self.room.read_open(open)?;
        let held = a.into_iter().zip(b).filter(|(a, b)| (self.decide)(*a, *b));
        let (a, b): (Vec<u32>, Vec<u32>) = held.unzip();
        self.gpu.write(&self.room.pairs[0], found, &a)?;
        self.gpu.write(&self.room.pairs[1], found, &b)?;
        Ok(found + a.len())
    }

    /// The tiles of the pairs of values that were found. A value with itself pairs each row with those behind it, if
    /// lists are one.
    fn tiles(&self, count: usize) -> Result<Vec<Tiles>> {
        let rights = self.right.as_ref().unwrap_or(&self.left);
        let tiles = self.gpu.buffer::<Tile>(count)?;
        let same = self.right.is_none().then(|| self.gpu.buffer::<Tile>(count)).transpose()?;
        let args = ByValueTiles {
            left: self.room.pairs[0].at(),
            right: self.room.pairs[1].at(),
            left_starts: self.left.starts.at(),
            right_starts: rights.starts.at(),
            tiles: tiles.at(),
            same: same.as_ref().map_or(DevicePtr::NULL, Buffer::at),
            pairs: count as u64,
        };
        let grid = (count as u32).div_ceil(THREADS).min(1 << 16);
        self.gpu.launch(kernel::BY_VALUE_TILES, grid, THREADS, 0, &args)?;
        let rows = || [Arc::clone(&self.left.rows), Arc::clone(&rights.rows)];
        let mut all = vec![Tiles::new(&self.gpu, tiles, count, self.pairing, rows())?];
        if let Some(same) = same {
            all.push(Tiles::new(&self.gpu, same, count, Pairing::Ascending, rows())?);
        }
        Ok(all)
    }
}

impl DeviceRows {
    fn new(gpu: &Gpu, rows: &RowsByCode) -> Result<Self> {
        let (starts, rows) = rows.parts();
        Ok(Self { starts: gpu.upload(starts)?, rows: Arc::new(gpu.upload(rows)?) })
    }
}

impl DevicePath for GpuByValue<'_> {
    fn advance(&mut self) -> Result<bool> {
        self.part = None;
        while !self.left_over.is_empty() {
            let count = self.next_pairs()?;
            if count > 0 {
                self.part = Some(Part { tiles: self.tiles(count)? });
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn units(&self) -> u64 {
        self.part.iter().flat_map(|part| &part.tiles).map(Tiles::units).sum()
    }

    fn launch(&self, units: Range<u64>, consumer: Consumer, consume: &Consume) -> Result<()> {
        let mut before = 0;
        for tiles in self.part.iter().flat_map(|part| &part.tiles) {
            let own = units.start.max(before) - before..units.end.clamp(before, before + tiles.units()) - before;
            if !own.is_empty() {
                tiles.launch(own, consumer, consume)?;
            }
            before += tiles.units();
        }
        Ok(())
    }
}
