//! The contract of access paths on a device: rounds, tasks and a sink, as those of the CPU ([`Path`](super::Path)).

use std::ops::Range;

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::edit_join::EDIT_JOIN_SHARED;
use sameas_kernels::layout::verify::VERIFY_SHARED;

use super::work_division::{DeviceShare, UnitsOfRound};
use crate::error::Result;

/// Which kernels take the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceSink {
    /// The verifier.
    Verify,
    /// One that walks the tree of checks by recursion, to compare.
    VerifyRecursively,
    /// The join of texts by their variants, whose candidates are pairs of entries.
    EditJoin,
    /// One that counts them, for measurements.
    Count,
    /// One that writes them, for measurements and tests.
    Write,
}

impl DeviceSink {
    /// Bytes of dynamic shared memory that a warp needs.
    pub fn shared(self) -> u32 {
        match self {
            Self::Verify | Self::VerifyRecursively => VERIFY_SHARED,
            Self::EditJoin => EDIT_JOIN_SHARED,
            Self::Count | Self::Write => 0,
        }
    }
}

/// An access path on a device: independent tasks, in several rounds where the index of all records exceeds the memory.
///
/// `while next_round()? { launch(0..tasks()) }`, in any ranges: every candidate of a task goes to the sink once.
pub trait DevicePath {
    /// Prepares the next round, which may be one without tasks; false where there is none left.
    fn next_round(&mut self) -> Result<bool>;

    /// Tasks of this round, none with more candidates than the limit of its [`TaskSizes`](super::work_division::TaskSizes).
    fn tasks(&self) -> u64;

    /// Starts the kernels for some tasks.
    fn launch(&self, tasks: Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()>;
}

/// One device's share of the tasks of a path. A unit of the work is a round of it.
pub struct SharedPath<P> {
    path: P,
    share: DeviceShare,
    rounds: usize,
    /// The units of the path's round, and the tasks of the one that this device does.
    units: Option<UnitsOfRound>,
    unit: Range<u64>,
}

impl<P: DevicePath> SharedPath<P> {
    /// A share of a path that was made with the sizes of the share.
    pub fn new(path: P, share: DeviceShare) -> Self {
        Self { path, share, rounds: 0, units: None, unit: 0..0 }
    }
}

impl<P: DevicePath> DevicePath for SharedPath<P> {
    fn next_round(&mut self) -> Result<bool> {
        if let Some(unit) = self.units.as_mut().and_then(UnitsOfRound::next_unit) {
            self.unit = unit;
            return Ok(true);
        }
        let more = self.path.next_round()?;
        let mut units = self.share.begin(self.rounds, more.then(|| self.path.tasks()))?;
        // Where others have taken everything, this is a round without tasks.
        self.unit = units.next_unit().unwrap_or(0..0);
        self.units = Some(units);
        self.rounds += 1;
        Ok(more)
    }

    fn tasks(&self) -> u64 {
        self.unit.end - self.unit.start
    }

    fn launch(&self, tasks: Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()> {
        let first = self.unit.start;
        self.path.launch(first + tasks.start..first + tasks.end, sink, consume)
    }
}
