//! Tiles on a device: ranges of two lists of rows, whose pairs a warp enumerates where they are consumed.
//!
//! Every pair lies in one unit. A tile of many pairs is cut into a grid of rectangles (a triangle into squares on and
//! above its diagonal); the pairs of all others are numbered through and cut by number. Units are bounded in pairs.

use std::ops::Range;
use std::sync::Arc;

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::tiles as layout;
use sameas_kernels::layout::tiles::{TILE_LIGHT_UNIT, TILE_SIDE, TILE_THREADS, Tile, TilesMeasure, TilesRun};
use sameas_kernels::{Kernel, kernel};

use super::device_path::{Consumer, unit_limit};
use super::tile::Pairing;
use crate::device::{Buffer, Gpu};
use crate::error::Result;

#[cfg(all(test, feature = "emulated"))]
mod tests;

/// Blocks a multiprocessor runs at once.
const BLOCKS: u64 = 8;

/// Units for each multiprocessor that keep all of its warps busy to the end.
const BUSY: u64 = 256;

/// The smallest side of a dense unit.
const LEAST_SIDE: u32 = 32;

/// Tiles of two lists of rows.
pub struct Tiles {
    gpu: Gpu,
    tiles: Buffer<Tile>,
    count: usize,
    pairing: Pairing,
    side: u32,
    rows: [Arc<Buffer<u32>>; 2],
    dense: Units,
    light: Units,
    taken: Buffer<u64>,
}

/// What is before each tile, and how many units that makes in all.
struct Units {
    before: Buffer<u64>,
    all: u64,
}

impl Tiles {
    /// The first `count` of some tiles, which are ranges of the left and of the right rows.
    pub fn new(
        gpu: &Gpu,
        tiles: Buffer<Tile>,
        count: usize,
        pairing: Pairing,
        rows: [Arc<Buffer<u32>>; 2],
    ) -> Result<Self> {
        let mut side = side(gpu);
        let (mut dense, light) = measure(gpu, &tiles, count, pairing, side)?;
        // Few large units would leave most of the device idle.
        while side > LEAST_SIDE && dense.all > 0 && dense.all < u64::from(gpu.info().processors) * BUSY {
            side /= 2;
            dense = measure(gpu, &tiles, count, pairing, side)?.0;
        }
        let taken = gpu.buffer(1)?;
        Ok(Self { gpu: gpu.clone(), tiles, count, pairing, side, rows, dense, light, taken })
    }

    /// Number of units.
    pub fn units(&self) -> u64 {
        self.dense.all + self.light.all
    }

    /// Starts the kernels for some units: first come those of dense tiles.
    pub fn launch(&self, units: Range<u64>, consumer: Consumer, consume: &Consume) -> Result<()> {
        let [dense, light] = kernels(consumer);
        let border = self.dense.all;
        self.start(dense, &self.dense, units.start.min(border)..units.end.min(border), consumer, consume)?;
        let behind = units.start.max(border) - border..units.end.max(border) - border;
        self.start(light, &self.light, behind, consumer, consume)
    }

    fn start(
        &self,
        kernel: Kernel<TilesRun>,
        of: &Units,
        units: Range<u64>,
        consumer: Consumer,
        consume: &Consume,
    ) -> Result<()> {
        if units.is_empty() {
            return Ok(());
        }
        let args = TilesRun {
            tiles: self.tiles.at(),
            before: of.before.at(),
            left_rows: self.rows[0].at(),
            right_rows: self.rows[1].at(),
            first: units.start,
            units: units.end - units.start,
            taken: self.taken.at(),
            count: self.count as u32,
            pairing: number(self.pairing),
            side: self.side,
            unused: 0,
            consume: *consume,
        };
        self.gpu.fill_zero(&self.taken)?;
        let warps = u64::from(TILE_THREADS / 32);
        let grid = args.units.div_ceil(warps).min(u64::from(self.gpu.info().processors) * BLOCKS);
        self.gpu.launch(kernel, grid as u32, TILE_THREADS, consumer.shared() * warps as u32, &args)
    }
}

/// The kernels for dense and for light tiles.
fn kernels(consumer: Consumer) -> [Kernel<TilesRun>; 2] {
    match consumer {
        Consumer::Verify => [kernel::TILES_DENSE_VERIFY, kernel::TILES_LIGHT_VERIFY],
        Consumer::Count => [kernel::TILES_DENSE_COUNT, kernel::TILES_LIGHT_COUNT],
        Consumer::Write => [kernel::TILES_DENSE_WRITE, kernel::TILES_LIGHT_WRITE],
    }
}

/// The greatest side whose square is within the limit of a unit.
fn side(gpu: &Gpu) -> u32 {
    let limit = unit_limit(gpu).isqrt().clamp(LEAST_SIDE as usize, TILE_SIDE as usize);
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

/// Units of the dense tiles and of the light ones.
fn measure(gpu: &Gpu, tiles: &Buffer<Tile>, count: usize, pairing: Pairing, side: u32) -> Result<(Units, Units)> {
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
    let (units, pairs) = (all(&dense)?, all(&light)?);
    Ok((Units { before: dense, all: units }, Units { before: light, all: pairs.div_ceil(TILE_LIGHT_UNIT) }))
}
