//! Page-locked memory through which large writes go: the driver copies from other memory with one thread and without
//! overlap, at a tenth of what the bus can do.

use std::sync::Mutex;

use cudarc::driver::CudaEvent;
use rayon::prelude::*;

use super::{Cuda, lock};
use crate::device::buffer::DeviceRange;
use crate::device::driver::Driver;
use crate::error::Result;

/// Bytes of a stage.
const STAGE: usize = 16 << 20;

/// Bytes that one core copies at a time.
const PIECE: usize = 1 << 20;

/// Writes of fewer bytes go without a stage.
pub const LEAST_STAGED: usize = 1 << 20;

/// The stages that nobody uses now.
#[derive(Default)]
pub struct StagingMemory(Mutex<Vec<StagingBuffer>>);

/// Some page-locked memory, and when the device has copied what was last in it.
struct StagingBuffer {
    at: u64,
    copied: Option<CudaEvent>,
}

impl StagingMemory {
    /// Writes to the device, in the order of its kernels: while the device copies one stage, the cores fill another. No
    /// lock is held meanwhile: a core that waits may take on other work, which writes too.
    pub fn write(&self, cuda: &Cuda, to: DeviceRange, from: &[u8]) -> Result<()> {
        let first = self.take(cuda)?;
        let mut stages = match self.take(cuda) {
            Ok(second) => [first, second],
            Err(error) => {
                lock(&self.0).push(first);
                return Err(error);
            }
        };
        let mut written = Ok(());
        for (turn, piece) in from.chunks(STAGE).enumerate() {
            let (stage, part) = (&mut stages[turn % 2], to.part(turn * STAGE, piece.len()));
            written = written.and_then(|()| stage.write(cuda, part, piece));
        }
        lock(&self.0).extend(stages);
        written
    }

    fn take(&self, cuda: &Cuda) -> Result<StagingBuffer> {
        let kept = lock(&self.0).pop();
        kept.map_or_else(|| Ok(StagingBuffer { at: cuda.reserve(STAGE, true)?, copied: None }), Ok)
    }

    /// Gives the memory back. Nothing runs.
    pub fn release(&mut self, cuda: &Cuda) {
        for stage in lock(&self.0).drain(..) {
            cuda.release(stage.at, true);
        }
    }
}

impl StagingBuffer {
    fn write(&mut self, cuda: &Cuda, to: DeviceRange, from: &[u8]) -> Result<()> {
        if let Some(copied) = self.copied.take() {
            cuda.wait_for_event(&copied)?;
        }
        // SAFETY: the stage has as many bytes, is the caller's alone, and the device has copied what was in it.
        let stage = unsafe { std::slice::from_raw_parts_mut(self.at as *mut u8, from.len()) };
        stage.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE)).for_each(|(to, from)| to.copy_from_slice(from));
        cuda.begin_write(to, stage)?;
        self.copied = Some(cuda.event()?);
        Ok(())
    }
}
