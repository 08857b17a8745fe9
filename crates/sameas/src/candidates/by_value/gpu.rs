//! From pairs of distinct values to tiles of the rows that hold them, on a device.
//!
//! The join of the values is run slice by slice; the pairs of values that a slice finds are one part of the path, whose
//! tiles are enumerated and verified before the next slice is run.

use std::ops::Range;
use std::sync::Arc;

use sameas_kernels::layout::by_value::ByValueTiles;
use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::text::TextOut;
use sameas_kernels::layout::tiles::Tile;

use super::RowsByCode;
use crate::candidates::device_path::{Consumer, DevicePath, share_of};
use crate::candidates::text_join::gpu::GpuTextJoin;
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
    capacity: usize,
    part: Option<Part>,
    decide: Decide<'a>,
}

/// Decides pairs of values that a device leaves open.
pub type Decide<'a> = Box<dyn Fn(u32, u32) -> bool + 'a>;

/// How the values are joined.
pub struct Work<'a> {
    /// Which share of the units of their join is run here, and of how many.
    pub share: (usize, usize),
    /// Pairs of values that a slice may find.
    pub capacity: usize,
    /// Decides the pairs that the device leaves open.
    pub decide: Decide<'a>,
}

/// Pairs of values that a share of the free memory has room for, with their tiles.
pub fn capacity(gpu: &Gpu) -> usize {
    (gpu.free() / 4 / PAIR).clamp(1 << 12, 1 << 24)
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
        Ok(Self { gpu: gpu.clone(), join, left, right, pairing, left_over, size, capacity, part: None, decide })
    }

    /// Runs the next slice; the pairs of values it found, those that the host decided included.
    fn next_pairs(&mut self) -> Result<(Buffer<u32>, Buffer<u32>, usize)> {
        loop {
            let units = self.left_over.start..self.left_over.end.min(self.left_over.start + self.size);
            let columns = [self.gpu.buffer::<u32>(self.capacity)?, self.gpu.buffer::<u32>(self.capacity)?];
            let open = [self.gpu.buffer::<u32>(self.capacity)?, self.gpu.buffer::<u32>(self.capacity)?];
            let cursors = self.gpu.zeroed::<u64>(2)?;
            let out = TextOut {
                left: columns[0].at(),
                right: columns[1].at(),
                capacity: self.capacity as u64,
                cursor: cursors.at(),
                open_left: open[0].at(),
                open_right: open[1].at(),
                open_capacity: self.capacity as u64,
                open_cursor: cursors.at() + size_of::<u64>() as u64,
                ..TextOut::default()
            };
            self.join.launch(units.clone(), &out)?;
            let found = self.gpu.read(&cursors, 0..2)?;
            let most = found[0].max(found[1]) as usize;
            if found[0] as usize + found[1] as usize > self.capacity {
                if units.end - units.start == 1 {
                    let text =
                        format!("one unit of a join of texts found {most} pairs; there is room for {}", self.capacity);
                    return Err(Error::resource(text).with_help("raise --device-memory, or use --device cpu"));
                }
                self.size = (units.end - units.start) / 2;
                continue;
            }
            if most < self.capacity / 8 {
                self.size = self.size.saturating_mul(2);
            }
            self.left_over.start = units.end;
            let [left, right] = columns;
            let count = self.add_open(&open, found[1] as usize, (&left, &right), found[0] as usize)?;
            return Ok((left, right, count));
        }
    }

    /// Appends those of the open pairs that hold.
    fn add_open(
        &self,
        open: &[Buffer<u32>; 2],
        open_count: usize,
        (left, right): (&Buffer<u32>, &Buffer<u32>),
        count: usize,
    ) -> Result<usize> {
        if open_count == 0 {
            return Ok(count);
        }
        let (a, b) = (self.gpu.read(&open[0], 0..open_count)?, self.gpu.read(&open[1], 0..open_count)?);
        let held = a.into_iter().zip(b).filter(|(a, b)| (self.decide)(*a, *b));
        let (a, b): (Vec<u32>, Vec<u32>) = held.unzip();
        self.gpu.write(left, count, &a)?;
        self.gpu.write(right, count, &b)?;
        Ok(count + a.len())
    }

    /// The tiles of some pairs of values. A value with itself pairs each row with those behind it, if lists are one.
    fn tiles(&self, left: &Buffer<u32>, right: &Buffer<u32>, count: usize) -> Result<Vec<Tiles>> {
        let rights = self.right.as_ref().unwrap_or(&self.left);
        let tiles = self.gpu.buffer::<Tile>(count)?;
        let same = self.right.is_none().then(|| self.gpu.buffer::<Tile>(count)).transpose()?;
        let args = ByValueTiles {
            left: left.at(),
            right: right.at(),
            left_starts: self.left.starts.at(),
            right_starts: rights.starts.at(),
            tiles: tiles.at(),
            same: same.as_ref().map_or(0, Buffer::at),
            pairs: count as u64,
        };
        let grid = (count as u32).div_ceil(THREADS).min(1 << 16);
        self.gpu.launch("by_value_tiles", grid, THREADS, 0, &args)?;
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
            let (left, right, count) = self.next_pairs()?;
            if count > 0 {
                self.part = Some(Part { tiles: self.tiles(&left, &right, count)? });
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
