//! Sixteen signatures at a time against one: the only place of the join that names instruction sets.
//!
//! The loops are plain Rust over arrays of sixteen, which the compiler turns into vector instructions of the set a
//! function is compiled for; the functions differ in nothing else.

use super::signature::Signatures;

/// Sets per block.
pub const LANES: usize = 16;

type Row = [u32; LANES];

/// Signatures in blocks of sixteen sets: for each word of the signature a row with that word of every set, then a row
/// with their excess.
#[derive(Debug, Default)]
pub struct Tile {
    rows: Vec<Row>,
    /// The class of each block's first set, the smallest of the block.
    classes: Vec<u32>,
    words: usize,
}

/// A signature to compare with a tile.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// Its bits.
    pub bits: &'a [u32],
    /// Its excess.
    pub excess: u32,
    /// The least overlap by class of the other set.
    pub needs: &'a [u32],
}

/// The sets of a block whose bound reaches the overlap that the block's smallest set needs.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// The block.
    pub block: u32,
    /// A bit for each of its sets.
    pub lanes: u32,
}

impl Tile {
    /// Fills the tile with the signatures of some ranks, given with their classes in rising order.
    pub fn fill(&mut self, signatures: &Signatures, ranks: &[u32], class: impl Fn(u32) -> u32) {
        self.words = signatures.words();
        self.rows.clear();
        self.classes.clear();
        for block in ranks.chunks(LANES) {
            let start = self.rows.len();
            self.rows.resize(start + self.words + 1, [0; LANES]);
            let rows = &mut self.rows[start..];
            for (lane, rank) in block.iter().enumerate() {
                rows.iter_mut().zip(signatures.bits(*rank)).for_each(|(row, word)| row[lane] = *word);
                rows[self.words][lane] = signatures.excess(*rank);
            }
            self.classes.push(class(block[0]));
        }
    }

    /// The class of a block's smallest set.
    pub fn class(&self, block: u32) -> u32 {
        self.classes[block as usize]
    }

    /// Appends the hits of a probe among blocks `from..to`. Lanes of a block outside the sets that can match are the
    /// caller's to drop.
    ///
    /// No loss: a block is judged by the overlap its smallest set needs, and larger sets need no less.
    pub fn scan(&self, level: Level, probe: Probe<'_>, from: usize, to: usize, hits: &mut Vec<Hit>) {
        match self.words {
            2 => self.scan_wide::<2>(level, probe, from, to, hits),
            4 => self.scan_wide::<4>(level, probe, from, to, hits),
            8 => self.scan_wide::<8>(level, probe, from, to, hits),
            16 => self.scan_wide::<16>(level, probe, from, to, hits),
            _ => self.scan_wide::<32>(level, probe, from, to, hits),
        }
    }

    fn scan_wide<const W: usize>(&self, level: Level, probe: Probe<'_>, from: usize, to: usize, hits: &mut Vec<Hit>) {
        let rows = &self.rows[from * (W + 1)..to * (W + 1)];
        let classes = &self.classes[from..to];
        let start = hits.len();
        match level {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Level::best` and `Level::available` give this level only where the features are present.
            Level::Avx512 => unsafe { scan_avx512::<W>(rows, classes, probe, hits) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Level::Avx2 => unsafe { scan_avx2::<W>(rows, classes, probe, hits) },
            Level::Portable => scan_blocks::<W>(rows, classes, probe, hits),
        }
        hits[start..].iter_mut().for_each(|hit| hit.block += from as u32);
    }
}

/// The instruction set to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What every machine has.
    Portable,
    /// Eight words at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Sixteen words at a time, bits counted by one instruction.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// All that this machine has, the best last.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                levels.push(Self::Avx2);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
                levels.push(Self::Avx512);
            }
        }
        levels
    }

    /// The best this machine has.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn scan_avx512<const W: usize>(rows: &[Row], classes: &[u32], probe: Probe<'_>, hits: &mut Vec<Hit>) {
    scan_blocks::<W>(rows, classes, probe, hits);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn scan_avx2<const W: usize>(rows: &[Row], classes: &[u32], probe: Probe<'_>, hits: &mut Vec<Hit>) {
    scan_blocks::<W>(rows, classes, probe, hits);
}

#[inline(always)]
fn scan_blocks<const W: usize>(rows: &[Row], classes: &[u32], probe: Probe<'_>, hits: &mut Vec<Hit>) {
    let Some(bits) = probe.bits.first_chunk::<W>() else { return };
    for (at, (block, class)) in rows.chunks_exact(W + 1).zip(classes).enumerate() {
        let bounds = block_bounds(block, bits, probe.excess);
        let need = probe.needs.get(*class as usize).map_or(u32::MAX, |need| *need);
        if bounds.iter().fold(false, |any, bound| any | (*bound >= need)) {
            let lanes = (0..).zip(&bounds).fold(0, |lanes, (lane, bound)| lanes | u32::from(*bound >= need) << lane);
            hits.push(Hit { block: at as u32, lanes });
        }
    }
}

#[inline(always)]
fn block_bounds<const W: usize>(block: &[Row], bits: &[u32; W], excess: u32) -> Row {
    let mut bounds = block[W];
    for bound in &mut bounds {
        *bound = (*bound).min(excess);
    }
    for (row, word) in block.iter().zip(bits) {
        for (bound, bits) in bounds.iter_mut().zip(row) {
            *bound += (bits & word).count_ones();
        }
    }
    bounds
}
