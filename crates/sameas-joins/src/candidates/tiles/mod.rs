//! Tiles on a device: ranges of two lists of rows, whose pairs a warp enumerates where they are consumed.
//!
//! Every pair lies in one task. A tile of many pairs is cut into a grid of rectangles (a triangle into squares on and
//! above its diagonal); the pairs of all others are numbered through and cut by number. Tasks are bounded in pairs.

mod pace;

use std::ops::Range;
use std::sync::Arc;

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::tiles as layout;
use sameas_kernels::layout::tiles::{TILE_LIGHT_UNIT, TILE_SIDE, TILE_THREADS, Tile, TilesMeasure, TilesRun};
use sameas_kernels::{Kernel, kernel};

use super::device_path::DeviceSink;
use super::tile::Pairing;
use super::work_division::TaskSizes;
use crate::device::{Buffer, Gpu, WarpSchedule};
use crate::error::{ErrorCode, Result};

pub use self::pace::pace;

#[cfg(all(test, feature = "emulated"))]
mod tests;

/// Blocks a multiprocessor runs at once.
const BLOCKS: u64 = 8;

/// Tasks for each multiprocessor that keep all of its warps busy to the end.
const BUSY: u64 = 256;

/// The smallest side of a dense task, and the fewest pairs of a light one.
const LEAST_SIDE: u32 = 32;
const LEAST_PAIRS: u64 = 32;

/// Tiles of two lists of rows.
pub struct DeviceTiles {
    gpu: Gpu,
    tiles: Buffer<Tile>,
    count: usize,
    pairing: Pairing,
    side: u32,
    rows: [Arc<Buffer<u32>>; 2],
    dense: TileTasks,
    light: TileTasks,
    /// Pairs of a task of light tiles.
    light_pairs: u64,
    schedule: WarpSchedule,
    /// For the queue.
    taken: Buffer<u64>,
}

/// What is before each tile, and how many tasks that makes in all.
struct TileTasks {
    before: Buffer<u64>,
    all: u64,
}

impl DeviceTiles {
    /// The first `count` of some tiles, which are ranges of the left and of the right rows.
    pub fn new(
        gpu: &Gpu,
        tiles: Buffer<Tile>,
        count: usize,
        pairing: Pairing,
        rows: [Arc<Buffer<u32>>; 2],
        sizes: &TaskSizes,
    ) -> Result<Self> {
        let mut side = side(sizes);
        let busy = u64::from(sizes.processors) * BUSY;
        let (mut dense, mut light) = measure(gpu, &tiles, count, pairing, side)?;
        // Few large tasks would leave most of the device idle.
        let light_pairs = (light.all / busy).next_power_of_two().clamp(LEAST_PAIRS, TILE_LIGHT_UNIT);
        light.all = light.all.div_ceil(light_pairs);
        while side > LEAST_SIDE && dense.all > 0 && dense.all < busy {
            side /= 2;
            dense = measure(gpu, &tiles, count, pairing, side)?.0;
        }
        let taken = gpu.buffer(1)?;
        Ok(Self {
            gpu: gpu.clone(),
            tiles,
            count,
            pairing,
            side,
            rows,
            dense,
            light,
            light_pairs,
            schedule: sizes.schedule,
            taken,
        })
    }

    /// Number of tasks.
    pub fn tasks(&self) -> u64 {
        self.dense.all + self.light.all
    }

    /// Starts the kernels for some tasks: first come those of dense tiles.
    pub fn launch(&self, tasks: Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()> {
        let [dense, light] = kernels(sink);
        let border = self.dense.all;
        self.start(dense, &self.dense, tasks.start.min(border)..tasks.end.min(border), sink, consume)?;
        let of_light = tasks.start.max(border) - border..tasks.end.max(border) - border;
        self.start(light, &self.light, of_light, sink, consume)
    }

    fn start(
        &self,
        kernel: Kernel<TilesRun>,
        of: &TileTasks,
        tasks: Range<u64>,
        sink: DeviceSink,
        consume: &Consume,
    ) -> Result<()> {
        if tasks.is_empty() {
            return Ok(());
        }
        let units = tasks.end - tasks.start;
        let warps = u64::from(TILE_THREADS / 32);
        let grid = units.div_ceil(warps).min(u64::from(self.gpu.info().processors) * BLOCKS);
        let (schedule, of_schedule) = self.schedule(units, grid * warps)?;
        let args = TilesRun {
            tiles: self.tiles.at(),
            before: of.before.at(),
            left_rows: self.rows[0].at(),
            right_rows: self.rows[1].at(),
            first: tasks.start,
            units,
            taken: of_schedule.as_ref().unwrap_or(&self.taken).at(),
            count: self.count as u32,
            pairing: number(self.pairing),
            side: self.side,
            light_pairs: self.light_pairs as u32,
            schedule,
            unused: 0,
            consume: *consume,
        };
        self.gpu.launch(kernel, grid as u32, TILE_THREADS, sink.shared() * warps as u32, &args)
    }
}

impl DeviceTiles {
    /// How the warps of a launch share its units, and what they do it by where it is not the counter, which serves where
    /// there is no memory for anything else.
    fn schedule(&self, units: u64, warps: u64) -> Result<(u32, Option<Buffer<u64>>)> {
        match self.taken(units, warps) {
            Err(error) if error.code() == ErrorCode::DoesNotFitDevice => {
                self.gpu.fill_zero(&self.taken).map(|()| (layout::schedule::QUEUE, None))
            }
            taken => Ok((schedule_number(self.schedule), taken?)),
        }
    }

    fn taken(&self, units: u64, warps: u64) -> Result<Option<Buffer<u64>>> {
        match self.schedule {
            WarpSchedule::Queue => self.gpu.fill_zero(&self.taken).map(|()| None),
            WarpSchedule::WindowStealing => self.gpu.zeroed(units.div_ceil(64) as usize).map(Some),
            WarpSchedule::RangeStealing => {
                let border = |warp: u64| units * warp / warps;
                let range = |warp: u64| (border(warp) << 32) | border(warp + 1);
                self.gpu.upload(&(0..warps).map(range).collect::<Vec<u64>>()).map(Some)
            }
            WarpSchedule::Continuous | WarpSchedule::Windows => Ok(None),
        }
    }
}

fn schedule_number(schedule: WarpSchedule) -> u32 {
    match schedule {
        WarpSchedule::Queue => layout::schedule::QUEUE,
        WarpSchedule::Continuous => layout::schedule::CONTINUOUS,
        WarpSchedule::Windows => layout::schedule::WINDOWS,
        WarpSchedule::WindowStealing => layout::schedule::WINDOW_STEALING,
        WarpSchedule::RangeStealing => layout::schedule::RANGE_STEALING,
    }
}

/// Starts the kernels for some tasks of several lists of tiles, which are numbered one list after the other.
pub fn launch_all(lists: &[DeviceTiles], tasks: &Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()> {
    let mut before = 0;
    for tiles in lists {
        let own = tasks.start.max(before) - before..tasks.end.clamp(before, before + tiles.tasks()) - before;
        if !own.is_empty() {
            tiles.launch(own, sink, consume)?;
        }
        before += tiles.tasks();
    }
    Ok(())
}

/// The kernels for dense and for light tiles.
fn kernels(sink: DeviceSink) -> [Kernel<TilesRun>; 2] {
    match sink {
        DeviceSink::Verify => [kernel::TILES_DENSE_VERIFY, kernel::TILES_LIGHT_VERIFY],
        DeviceSink::VerifyRecursively => {
            [kernel::TILES_DENSE_VERIFY_RECURSIVELY, kernel::TILES_LIGHT_VERIFY_RECURSIVELY]
        }
        DeviceSink::EditJoin => [kernel::TILES_DENSE_EDIT_JOIN, kernel::TILES_LIGHT_EDIT_JOIN],
        DeviceSink::Count => [kernel::TILES_DENSE_COUNT, kernel::TILES_LIGHT_COUNT],
        DeviceSink::Write => [kernel::TILES_DENSE_WRITE, kernel::TILES_LIGHT_WRITE],
    }
}

/// The greatest side whose square is within the limit of a task.
fn side(sizes: &TaskSizes) -> u32 {
    let limit = sizes.task_limit.isqrt().clamp(LEAST_SIDE as usize, TILE_SIDE as usize);
    1 << limit.ilog2()
}

/// The number of a pairing in the kernels.
pub fn number(pairing: Pairing) -> u32 {
    match pairing {
        Pairing::All => layout::PAIRING_ALL,
        Pairing::Ascending => layout::PAIRING_ASCENDING,
        Pairing::Sorted => layout::PAIRING_SORTED,
        Pairing::Before => layout::PAIRING_BEFORE,
    }
}

/// Tasks of the dense tiles, and pairs of the light ones.
fn measure(
    gpu: &Gpu,
    tiles: &Buffer<Tile>,
    count: usize,
    pairing: Pairing,
    side: u32,
) -> Result<(TileTasks, TileTasks)> {
    let (dense, light) = (gpu.buffer::<u64>(count + 1)?, gpu.buffer::<u64>(count + 1)?);
    let args = TilesMeasure {
        tiles: tiles.at(),
        dense: dense.at(),
        light: light.at(),
        count: count as u32,
        pairing: number(pairing),
        side,
        unused: 0,
    };
    gpu.launch(kernel::TILES_MEASURE, (count + 1).div_ceil(256).min(1 << 16) as u32, 256, 0, &args)?;
    let dense = gpu.exclusive_sum_u64(&dense, count + 1)?;
    let light = gpu.exclusive_sum_u64(&light, count + 1)?;
    let all = |sums: &Buffer<u64>| Ok(gpu.read(sums, count..count + 1)?[0]);
    let (tasks, pairs) = (all(&dense)?, all(&light)?);
    Ok((TileTasks { before: dense, all: tasks }, TileTasks { before: light, all: pairs }))
}
