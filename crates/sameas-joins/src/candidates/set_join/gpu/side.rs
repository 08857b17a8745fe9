//! A side of a join on a device: its sets in order of size, with signatures.

use sameas_kernels::layout::set_join::{self as layout, SET_JOIN_THREADS};
use sameas_kernels::{DevicePtr, kernel};

use crate::candidates::set_join::bounds::Bounds;
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// Blocks of a kernel that has work for some threads and goes through it in strides.
pub(super) fn strides(gpu: &Gpu, threads: usize) -> u32 {
    let most = gpu.info().processors.max(1) * 16;
    threads.div_ceil(SET_JOIN_THREADS as usize).clamp(1, most as usize) as u32
}

/// The codes of a side in order of size, and how many of them there are of each size.
pub(super) struct SizedSets {
    pub(super) sets: layout::Sets,
    codes: Buffer<u32>,
    /// By size.
    pub(super) counts: Vec<u32>,
}

impl SizedSets {
    pub(super) fn new(gpu: &Gpu, sets: layout::Sets, codes: &[u32]) -> Result<Self> {
        let count = codes.len();
        let (codes, sizes, largest) = (gpu.upload(codes)?, gpu.buffer::<u32>(count)?, gpu.zeroed::<u32>(1)?);
        let args =
            layout::SetSizes { sets, codes: codes.at(), sizes: sizes.at(), largest: largest.at(), count: count as u64 };
        gpu.launch(kernel::SET_JOIN_SIZES, strides(gpu, count), SET_JOIN_THREADS, 0, &args)?;
        let largest = gpu.read(&largest, 0..1)?[0];
        let counts = gpu.zeroed::<u32>(largest as usize + 1)?;
        let args = layout::SetHistogram { sizes: sizes.at(), counts: counts.at(), count: count as u64 };
        gpu.launch(kernel::SET_JOIN_HISTOGRAM, strides(gpu, count), SET_JOIN_THREADS, 0, &args)?;
        let counts = gpu.read(&counts, 0..largest as usize + 1)?;
        let codes = match (count, bits(largest)) {
            (0 | 1, _) | (_, 0) => codes,
            (_, bits) => gpu.sort_pairs(&sizes, &codes, count, 0..bits)?.1,
        };
        Ok(Self { sets, codes, counts })
    }

    /// Number of sets that are not empty.
    pub(super) fn len(&self) -> usize {
        self.codes.len() - self.counts[0] as usize
    }

    /// The codes of these, by rank.
    pub(super) fn codes(&self) -> DevicePtr<u32> {
        self.codes.at_index(self.counts[0] as usize)
    }

    /// The first rank of each class, and the number of ranks.
    pub(super) fn firsts(&self, bounds: &Bounds) -> Vec<u32> {
        let of_class = |class: u32| self.counts.get(bounds.size(class) as usize).copied().unwrap_or(0);
        let sizes = (0..bounds.classes() as u32).map(of_class);
        std::iter::once(0)
            .chain(sizes.scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            }))
            .collect()
    }
}

/// The sizes of non-empty sets that occur on any side, rising.
pub(super) fn sizes_of(sides: &[SizedSets]) -> Vec<u32> {
    let largest = sides.iter().map(|side| side.counts.len()).max().unwrap_or(0);
    let occurs = |size: &usize| sides.iter().any(|side| side.counts.get(*size).is_some_and(|count| *count > 0));
    (1..largest).filter(occurs).map(|size| size as u32).collect()
}

/// The bits of a number.
pub(super) fn bits(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}

/// One side, by rank.
pub(super) struct DeviceSetSide {
    pub(super) layout: layout::SetSide,
    /// The first rank of each class, and the number of ranks.
    pub(super) firsts: Vec<u32>,
    /// One above the largest token.
    pub(super) tokens: u32,
    _codes: Buffer<u32>,
    _made: [Buffer<u32>; 3],
}

impl DeviceSetSide {
    /// Signs the sets of a side, with `words` words each.
    pub(super) fn new(gpu: &Gpu, of: SizedSets, bounds: &Bounds, words: usize) -> Result<Self> {
        let (count, firsts) = (of.len(), of.firsts(bounds));
        let made = [gpu.buffer::<u32>(count * words)?, gpu.buffer(count)?, gpu.buffer(count)?];
        let [signatures, excess, classes] = made.each_ref().map(Buffer::at);
        let layout = layout::SetSide {
            sets: of.sets,
            codes: of.codes(),
            signatures,
            excess,
            classes,
            count: count as u32,
            unused: 0,
        };
        let (class_of_size, largest) = (gpu.upload(&class_of_size(bounds))?, gpu.zeroed::<u32>(1)?);
        let args = layout::SetSign {
            side: layout,
            class_of_size: class_of_size.at(),
            signatures,
            excess,
            classes,
            largest_token: largest.at(),
            words: words as u32,
            unused: 0,
        };
        gpu.launch(kernel::SET_JOIN_SIGN, strides(gpu, 32 * count), SET_JOIN_THREADS, 0, &args)?;
        let tokens = if count == 0 { 0 } else { gpu.read(&largest, 0..1)?[0].saturating_add(1) };
        Ok(Self { layout, firsts, tokens, _codes: of.codes, _made: made })
    }

    /// Number of sets.
    pub(super) fn len(&self) -> usize {
        self.layout.count as usize
    }

    /// Memory it takes: signatures of this many words, and a code, an excess and a class of each set.
    pub(super) fn bytes(&self, words: usize) -> usize {
        size_of::<u32>() * (words + 3) * self.len()
    }

    /// The class of a rank.
    pub(super) fn class(&self, rank: usize) -> u32 {
        self.firsts.partition_point(|first| *first as usize <= rank) as u32 - 1
    }
}

/// The class of each size that occurs.
pub(super) fn class_of_size(bounds: &Bounds) -> Vec<u32> {
    let classes = bounds.classes() as u32;
    let largest = classes.checked_sub(1).map_or(0, |last| bounds.size(last));
    let mut class_of_size = vec![0; largest as usize + 1];
    (0..classes).for_each(|class| class_of_size[bounds.size(class) as usize] = class);
    class_of_size
}
