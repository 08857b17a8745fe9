//! How fast a device is: the time it takes to compare the rows of one large tile.

use std::sync::Arc;

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::tiles::Tile;

use super::DeviceTiles;
use crate::candidates::device_path::DeviceSink;
use crate::candidates::tile::Pairing;
use crate::candidates::work_division::TaskSizes;
use crate::device::Gpu;
use crate::error::Result;

/// Rows of either side: their pairs take an H200 half a millisecond.
const ROWS: u32 = 1 << 16;

/// Pairs that an H200 compares in a second.
const H200: f64 = 8.1e12;

/// Pairs of a task, whatever memory the job may take.
const TASK: usize = 1 << 16;

/// How many times as fast as an H200 a device is: the nearest power of two, so that measuring it again gives the same plans.
/// Measured once for each device that was opened.
///
/// One that has no memory for it, or fails, counts as an H200: what runs on it next says what is wrong.
pub fn pace(gpu: &Gpu) -> f64 {
    gpu.pace(|| pairs_per_second(gpu).map_or(1.0, |rate| nearest_power(rate / H200)))
}

fn nearest_power(ratio: f64) -> f64 {
    ratio.log2().round().exp2()
}

/// The second of two runs counts: the first may wait for the clock to rise.
fn pairs_per_second(gpu: &Gpu) -> Result<f64> {
    let rows: Vec<u32> = (0..ROWS).collect();
    let rows = Arc::new(gpu.upload(&rows)?);
    let tile = gpu.upload(&[Tile { left_begin: 0, left_len: ROWS, right_begin: 0, right_len: ROWS }])?;
    let mut sizes = TaskSizes::alone(gpu);
    sizes.task_limit = TASK;
    let tiles = DeviceTiles::new(gpu, tile, 1, Pairing::All, [Arc::clone(&rows), rows], &sizes)?;
    let counters = gpu.zeroed::<u64>(2)?;
    let consume = Consume { pairs: counters.at(), matched: counters.at_index(1), ..Consume::default() };
    let count = || gpu.timed(|| tiles.launch(0..tiles.tasks(), DeviceSink::Count, &consume));
    count()?;
    let ((), seconds) = count()?;
    Ok(f64::from(ROWS) * f64::from(ROWS) / seconds)
}

#[cfg(test)]
mod tests {
    use super::nearest_power;

    #[test]
    fn a_pace_is_the_nearest_power_of_two() {
        assert_eq!(
            [0.3, 0.35, 0.36, 0.9, 1.0, 1.4, 1.5, 3.0].map(nearest_power),
            [0.25, 0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 4.0]
        );
    }
}
