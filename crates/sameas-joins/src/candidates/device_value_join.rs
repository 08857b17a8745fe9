//! The contract of joins of distinct values on a device.

use std::ops::Range;

use super::pair_output::PairOutput;
use crate::error::Result;

/// A join of distinct values on a device: independent tasks that write pairs of values, in several rounds where the index
/// of all exceeds the memory.
pub trait DeviceValueJoin {
    /// Prepares the next round, which may be one without tasks; false where there is none left.
    fn next_round(&mut self) -> Result<bool>;

    /// Tasks of this round, none of which finds more pairs than the output it was planned for has room for.
    fn tasks(&self) -> u64;

    /// Starts some tasks. Every pair of them that holds is written once, as is every one that is left to the host.
    fn launch(&self, tasks: Range<u64>, output: &PairOutput) -> Result<()>;
}
