//! Slots: memory in which threads of a device compare texts that exceed their own.

use sameas_kernels::DevicePtr;
use sameas_kernels::layout::text::{DAMERAU_LIMIT, DAMERAU_OWN, LIMIT};

use crate::device::{Buffer, Gpu};
use crate::error::Result;
use crate::measure::cost::DeviceWords;

/// Threads that a multiprocessor runs at once: more slots would never be taken.
const THREADS: usize = 512;

/// The part of the free memory that the slots of a test may take.
const SHARE: usize = 16;

/// The slots of a test.
pub struct TextSlots {
    scratch: Buffer<u64>,
    taken: Buffer<u32>,
    words: usize,
}

impl TextSlots {
    /// Slots for a measure of texts of up to `longest` characters: one for each thread, or as many as there is room for.
    /// Where there is room for none, the host decides what needs one.
    pub fn new(gpu: &Gpu, of: DeviceWords, longest: usize) -> Result<Self> {
        let words = words(of, longest);
        let room = gpu.free() / SHARE / (words * size_of::<u64>() + size_of::<u32>()).max(1);
        let slots = if words == 0 { 0 } else { room.min(gpu.info().processors as usize * THREADS) };
        Ok(Self { scratch: gpu.buffer(slots * words)?, taken: gpu.zeroed(slots)?, words })
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.taken.len() as u32
    }

    /// Words of each.
    pub fn words(&self) -> u32 {
        self.words as u32
    }

    /// Where their words lie.
    pub fn scratch(&self) -> DevicePtr<u64> {
        self.scratch.at()
    }

    /// Which of them are taken.
    pub fn taken(&self) -> DevicePtr<u32> {
        self.taken.at()
    }
}

/// Words that two texts of up to `longest` characters take, beyond those that threads have themselves.
fn words(of: DeviceWords, longest: usize) -> usize {
    match of {
        DeviceWords::ForStripes(words) if longest > LIMIT => longest.div_ceil(64) * words,
        DeviceWords::ForCharacters if longest >= DAMERAU_OWN => longest.min(DAMERAU_LIMIT) + 1,
        DeviceWords::Nothing | DeviceWords::ForStripes(_) | DeviceWords::ForCharacters => 0,
    }
}
