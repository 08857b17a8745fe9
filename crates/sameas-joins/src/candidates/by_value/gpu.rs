//! From pairs of distinct values to tiles of the rows that hold them, on a device.
//!
//! The join of the values is run slice by slice; the pairs of values that a slice finds are one round of the path, whose
//! tiles are enumerated and verified before the next slice is run.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use sameas_kernels::layout::by_value::ByValueTiles;
use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::tiles::Tile;
use sameas_kernels::{DevicePtr, kernel};

use super::RowsByCode;
use crate::candidates::device_path::{DevicePath, DeviceSink};
use crate::candidates::device_value_join::DeviceValueJoin;
use crate::candidates::pair_output::PairOutput;
use crate::candidates::slices::Slices;
use crate::candidates::tiles::{self, DeviceTiles};
use crate::candidates::work_division::{DeviceShare, UnitsOfRound};
use crate::candidates::{Pairing, Shape};
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// Threads of a block of `by_value_tiles`.
const THREADS: u32 = 256;

/// Bytes that a pair of values takes, with its tiles and their sums.
const PAIR: usize = 100;

/// The rows of each value of a side.
struct DeviceRows {
    starts: Buffer<u32>,
    rows: Arc<Buffer<u32>>,
}

/// The rows of values that a join finds.
pub struct GpuByValue<'a> {
    gpu: Gpu,
    join: Box<dyn DeviceValueJoin + Send + 'a>,
    left: DeviceRows,
    right: Option<DeviceRows>,
    pairing: Pairing,
    share: DeviceShare,
    /// What this device does of the join's round, and the tasks of its unit that have not been run; nothing before the
    /// first round.
    units: Option<UnitsOfRound>,
    slices: Option<Slices>,
    /// Pairs of values that a slice may find.
    capacity: usize,
    /// Rounds of the join that have begun.
    rounds: usize,
    output: PairOutput,
    /// Tiles of the pairs of values that the last slice found.
    round: Vec<DeviceTiles>,
    resolve: Resolve<'a>,
}

/// Decides a pair of values that a device leaves to the host.
pub type Resolve<'a> = Box<dyn Fn(u32, u32) -> bool + Send + 'a>;

/// How values are joined.
pub struct ValueWork<'a> {
    /// The join, made with the sizes of the share.
    pub join: Box<dyn DeviceValueJoin + Send + 'a>,
    /// Which of its tasks are run here.
    pub share: DeviceShare,
    /// Pairs of values that a slice may find.
    pub capacity: usize,
    /// Decides the pairs that the device leaves to the host.
    pub resolve: Resolve<'a>,
}

/// Pairs of values that a quarter of some memory has room for, with their tiles.
pub fn capacity(memory: usize) -> usize {
    (memory / 4 / PAIR).clamp(1 << 12, 1 << 24)
}

impl<'a> GpuByValue<'a> {
    /// The rows of values joined with themselves, or of two lists of values.
    pub fn new(
        gpu: &Gpu,
        (left, right): (&RowsByCode, Option<&RowsByCode>),
        shape: Shape,
        work: ValueWork<'a>,
    ) -> Result<Self> {
        let ValueWork { join, share, capacity, resolve } = work;
        let pairing = super::pairing(shape, right.is_none());
        let (left, right) = (DeviceRows::new(gpu, left)?, right.map(|rows| DeviceRows::new(gpu, rows)).transpose()?);
        let output = PairOutput::new(gpu, capacity, capacity)?;
        let (gpu, round) = (gpu.clone(), Vec::new());
        let (units, slices, rounds) = (None, None, 0);
        Ok(Self { gpu, join, left, right, pairing, share, units, slices, capacity, rounds, output, round, resolve })
    }

    /// Begins the next round of the join; false where there is none.
    fn next_join_round(&mut self) -> Result<bool> {
        let more = self.join.next_round()?;
        let tasks = if more { self.join.tasks() } else { 0 };
        let units = self.share.begin(self.rounds, more.then_some(tasks))?;
        self.rounds += 1;
        self.units = more.then_some(units);
        Ok(more)
    }

    /// Runs the next slice, of the next round where this one has none; how many pairs of values it found. Nothing where
    /// all rounds are done.
    fn next_pairs(&mut self) -> Result<Option<usize>> {
        loop {
            if let Some(found) = self.run_slice()? {
                return Ok(Some(found));
            }
            if !self.next_join_round()? {
                return Ok(None);
            }
        }
    }

    /// Runs the next slice of the round, again in smaller ones where its pairs do not fit; how many pairs of values it
    /// found, those that the host decided included. Nothing where all tasks are done.
    fn run_slice(&mut self) -> Result<Option<usize>> {
        while let Some(tasks) = self.next_slice() {
            let begun = Instant::now();
            self.output.clear()?;
            self.join.launch(tasks, &self.output)?;
            let [found, deferred] = self.output.found()?;
            let Some(slices) = &mut self.slices else { break };
            if slices.finish(found + deferred, begun.elapsed())? {
                return self.add_deferred(found, deferred).map(Some);
            }
        }
        Ok(None)
    }

    /// The next slice of this device's unit, or of the next unit it takes.
    fn next_slice(&mut self) -> Option<Range<u64>> {
        if let Some(slice) = self.slices.as_ref().and_then(Slices::next_slice) {
            return Some(slice);
        }
        let unit = self.units.as_mut()?.next_unit()?;
        match &mut self.slices {
            Some(slices) => slices.go_on(unit),
            None => self.slices = Some(Slices::new(unit, self.capacity)),
        }
        self.slices.as_ref()?.next_slice()
    }

    /// Appends those of the pairs left to the host that hold.
    fn add_deferred(&self, found: usize, deferred: usize) -> Result<usize> {
        if deferred == 0 {
            return Ok(found);
        }
        let [a, b] = self.output.read_deferred(deferred)?;
        let held = a.into_iter().zip(b).filter(|(a, b)| (self.resolve)(*a, *b));
        let (a, b): (Vec<u32>, Vec<u32>) = held.unzip();
        self.gpu.write(&self.output.pairs[0], found, &a)?;
        self.gpu.write(&self.output.pairs[1], found, &b)?;
        Ok(found + a.len())
    }

    /// The tiles of the pairs of values that were found. A value with itself pairs each row with those after it, if
    /// lists are one.
    fn tiles(&self, count: usize) -> Result<Vec<DeviceTiles>> {
        let rights = self.right.as_ref().unwrap_or(&self.left);
        let tiles = self.gpu.buffer::<Tile>(count)?;
        let same = self.right.is_none().then(|| self.gpu.buffer::<Tile>(count)).transpose()?;
        let args = ByValueTiles {
            left: self.output.pairs[0].at(),
            right: self.output.pairs[1].at(),
            left_starts: self.left.starts.at(),
            right_starts: rights.starts.at(),
            tiles: tiles.at(),
            same: same.as_ref().map_or(DevicePtr::NULL, Buffer::at),
            pairs: count as u64,
        };
        let grid = (count as u32).div_ceil(THREADS).min(1 << 16);
        self.gpu.launch(kernel::BY_VALUE_TILES, grid, THREADS, 0, &args)?;
        let rows = || [Arc::clone(&self.left.rows), Arc::clone(&rights.rows)];
        let sizes = self.share.sizes();
        let mut all = vec![DeviceTiles::new(&self.gpu, tiles, count, self.pairing, rows(), sizes)?];
        if let Some(same) = same {
            all.push(DeviceTiles::new(&self.gpu, same, count, Pairing::Ascending, rows(), sizes)?);
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
    /// A slice that finds nothing is a round too: between rounds a job can be cancelled.
    fn next_round(&mut self) -> Result<bool> {
        self.round.clear();
        let Some(count) = self.next_pairs()? else { return Ok(false) };
        if count > 0 {
            self.round = self.tiles(count)?;
        }
        Ok(true)
    }

    fn tasks(&self) -> u64 {
        self.round.iter().map(DeviceTiles::tasks).sum()
    }

    fn launch(&self, tasks: Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()> {
        tiles::launch_all(&self.round, &tasks, sink, consume)
    }
}
