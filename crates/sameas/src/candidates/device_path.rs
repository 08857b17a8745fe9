//! The contract of access paths on a device.

use std::ops::Range;

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::verify::VERIFY_SHARED;

use crate::device::Gpu;
use crate::error::Result;

/// Which kernels take the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumer {
    /// The verifier.
    Verify,
    /// One that counts them, for measurements.
    Count,
    /// One that writes them, for measurements and tests.
    Write,
}

impl Consumer {
    /// Bytes of dynamic shared memory that a warp needs.
    pub fn shared(self) -> u32 {
        match self {
            Self::Verify => VERIFY_SHARED,
            Self::Count | Self::Write => 0,
        }
    }
}

/// An access path on a device: independent units of work, part after part where the index of all records exceeds the
/// memory.
///
/// `while advance()? { launch(0..units()) }`, in any ranges: every candidate of a unit goes to the consumer once.
pub trait DevicePath {
    /// Prepares the next part; false where there is none left.
    fn advance(&mut self) -> Result<bool>;

    /// Units of this part, none with more candidates than [`unit_limit`].
    fn units(&self) -> u64;

    /// Starts the kernels for some units.
    fn launch(&self, units: Range<u64>, consumer: Consumer, consume: &Consume) -> Result<()>;
}

/// Candidates of a unit at most, so that a slice of one unit always fits the output.
pub fn unit_limit(gpu: &Gpu) -> usize {
    (gpu.bytes() >> 11).clamp(1 << 12, 1 << 22)
}

/// One of several shares of a number of units.
pub fn share_of(units: u64, (which, of): (usize, usize)) -> Range<u64> {
    let border = |at: usize| (u128::from(units) * at as u128 / of as u128) as u64;
    border(which)..border(which + 1)
}

/// A share of the units of a path, where several devices run it.
pub struct Share<P> {
    path: P,
    share: (usize, usize),
}

impl<P: DevicePath> Share<P> {
    /// A share: which one, of how many.
    pub fn new(path: P, share: (usize, usize)) -> Self {
        Self { path, share }
    }

    fn units(&self) -> Range<u64> {
        share_of(self.path.units(), self.share)
    }
}

impl<P: DevicePath> DevicePath for Share<P> {
    fn advance(&mut self) -> Result<bool> {
        self.path.advance()
    }

    fn units(&self) -> u64 {
        let units = self.units();
        units.end - units.start
    }

    fn launch(&self, units: Range<u64>, consumer: Consumer, consume: &Consume) -> Result<()> {
        let first = self.units().start;
        self.path.launch(first + units.start..first + units.end, consumer, consume)
    }
}
