//! Verdicts of a test on arbitrary pairs of texts, on a device.

use sameas_kernels::kernel;
use sameas_kernels::layout::text::{BLOCK, TextPairs};

use super::{DeviceTextTest, DeviceTexts};
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// Blocks that a multiprocessor has at a time.
const RESIDENT: u32 = 2;

/// Pairs that a warp takes at a time.
const TAKEN: u64 = 128;

/// Verdicts as bits: pair `i` is bit `i % 32` of word `i / 32`.
pub struct PairVerdicts {
    /// The test holds.
    pub holds: Buffer<u32>,
    /// It is null.
    pub nulls: Buffer<u32>,
    /// The host has to decide.
    pub asks: Buffer<u32>,
}

/// Begins to decide the first `pairs` pairs of codes.
pub fn verdicts(
    gpu: &Gpu,
    texts: &DeviceTexts,
    test: &DeviceTextTest,
    (left, right): (&Buffer<u32>, &Buffer<u32>),
    pairs: usize,
) -> Result<PairVerdicts> {
    let words = pairs.div_ceil(32);
    let verdicts = PairVerdicts { holds: gpu.zeroed(words)?, nulls: gpu.zeroed(words)?, asks: gpu.zeroed(words)? };
    let args = TextPairs {
        texts: texts.layout(),
        test: test.layout(),
        left: left.at(),
        right: right.at(),
        pairs: pairs as u64,
        holds: verdicts.holds.at(),
        nulls: verdicts.nulls.at(),
        for_host: verdicts.asks.at(),
    };
    let warps = (pairs as u64).div_ceil(TAKEN).div_ceil(u64::from(BLOCK / 32)).max(1);
    let grid = warps.min(u64::from(gpu.info().processors * RESIDENT)) as u32;
    gpu.launch(kernel::TEXT_PAIR_LIST, grid, BLOCK, 0, &args)?;
    Ok(verdicts)
}
