//! What a path on an emulated device hands to its sinks, for tests.

use sameas_kernels::layout::consume::Consume;

use crate::device::{Buffer, Gpu};

/// Pairs written to a device, and counted as well.
pub struct DevicePairs {
    gpu: Gpu,
    /// All places are marked as free at the start.
    buffer: Buffer<u64>,
    /// Pairs and matches of the one that writes, its cursor; pairs and matches of the one that counts.
    counters: Buffer<u64>,
}

impl DevicePairs {
    /// Room for a number of pairs.
    pub fn new(gpu: &Gpu, pairs: usize) -> Self {
        let buffer = gpu.upload(&vec![u64::MAX; Self::places(pairs)]).unwrap();
        Self { gpu: gpu.clone(), buffer, counters: gpu.zeroed(5).unwrap() }
    }

    /// Places for a number of pairs: each warp may leave most of a chunk free.
    pub fn places(pairs: usize) -> usize {
        (pairs * 2 + (1 << 18)).next_power_of_two()
    }

    /// For the sink that writes.
    pub fn writing(&self) -> Consume {
        let (mask, counter) = (self.buffer.len() as u64 - 1, |index| self.counters.at_index(index));
        let (pairs, matched, cursor) = (counter(0), counter(1), counter(2));
        Consume { pairs, matched, cursor, buffer: self.buffer.at(), mask, ..Consume::default() }
    }

    /// For the sink that counts.
    pub fn counting(&self) -> Consume {
        Consume { pairs: self.counters.at_index(3), matched: self.counters.at_index(4), ..Consume::default() }
    }

    /// The pairs, sorted, once it is checked that both sinks saw as many.
    pub fn read(&self) -> Vec<(u32, u32)> {
        let counters = self.gpu.read(&self.counters, 0..5).unwrap();
        assert!(counters[2] <= self.buffer.len() as u64, "the buffer is too small for the test");
        let places = self.gpu.read(&self.buffer, 0..self.buffer.len()).unwrap();
        let taken = places.into_iter().filter(|pair| *pair != u64::MAX);
        let mut pairs: Vec<(u32, u32)> = taken.map(|pair| (pair as u32, (pair >> 32) as u32)).collect();
        let matched = pairs.iter().filter(|(l, r)| (l ^ r) & 0xFFFF == 0).count() as u64;
        assert_eq!([counters[0], counters[3], counters[4]], [pairs.len() as u64, pairs.len() as u64, matched]);
        pairs.sort_unstable();
        pairs
    }
}
