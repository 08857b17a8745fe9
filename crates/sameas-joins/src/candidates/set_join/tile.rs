//! Sixteen signatures at a time against one, with the vector instructions of the machine.

use super::signature::SetSignatures;
use crate::measure::lanes::{Isa, Kernel, LaneVector, Row, Word, launch};

/// Sets per block.
pub const LANES: usize = u32::LANES;

/// Signatures in blocks of sixteen sets: for each word of the signature a row with that word of every set, then a row
/// with their excess.
#[derive(Debug, Default)]
pub struct SignatureTile {
    rows: Vec<Row<u32>>,
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

impl SignatureTile {
    /// Fills the tile with the signatures of some ranks, given with their classes in rising order.
    pub fn fill(&mut self, signatures: &SetSignatures, ranks: &[u32], class: impl Fn(u32) -> u32) {
        self.words = signatures.words();
        self.rows.clear();
        self.classes.clear();
        for block in ranks.chunks(LANES) {
            let start = self.rows.len();
            self.rows.resize(start + self.words + 1, Row::ZERO);
            let rows = &mut self.rows[start..];
            for (lane, rank) in block.iter().enumerate() {
                rows.iter_mut().zip(signatures.bits(*rank)).for_each(|(row, word)| row.0[lane] = *word);
                rows[self.words].0[lane] = signatures.excess(*rank);
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
    pub fn scan(&self, isa: Isa, probe: Probe<'_>, from: usize, to: usize, hits: &mut Vec<Hit>) {
        match self.words {
            2 => self.scan_wide::<2>(isa, probe, from, to, hits),
            4 => self.scan_wide::<4>(isa, probe, from, to, hits),
            8 => self.scan_wide::<8>(isa, probe, from, to, hits),
            16 => self.scan_wide::<16>(isa, probe, from, to, hits),
            _ => self.scan_wide::<32>(isa, probe, from, to, hits),
        }
    }

    fn scan_wide<const W: usize>(&self, isa: Isa, probe: Probe<'_>, from: usize, to: usize, hits: &mut Vec<Hit>) {
        let rows = &self.rows[from * (W + 1)..to * (W + 1)];
        let classes = &self.classes[from..to];
        let Some(bits) = probe.bits.first_chunk::<W>() else { return };
        launch(isa, TileScan { rows, classes, bits, probe, from: from as u32, hits });
    }
}

/// Some blocks against a probe of `W` words.
struct TileScan<'a, const W: usize> {
    rows: &'a [Row<u32>],
    classes: &'a [u32],
    bits: &'a [u32; W],
    probe: Probe<'a>,
    /// The number of the first block.
    from: u32,
    hits: &'a mut Vec<Hit>,
}

impl<const W: usize> Kernel<u32> for TileScan<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<V: LaneVector<Word = u32>>(self) {
        let (bits, excess) = (self.bits.map(V::splat), V::splat(self.probe.excess));
        for (block, (rows, class)) in (self.from..).zip(self.rows.chunks_exact(W + 1).zip(self.classes)) {
            // Classes above the probe's own cannot match.
            let Some(&need) = self.probe.needs.get(*class as usize) else { continue };
            let lanes = V::bits(bounds::<V, W>(rows, &bits, excess).at_least(V::splat(need))) as u32;
            if lanes != 0 {
                self.hits.push(Hit { block, lanes });
            }
        }
    }
}

/// The bounds on the overlaps with the sets of a block.
#[inline(always)]
fn bounds<V: LaneVector<Word = u32>, const W: usize>(rows: &[Row<u32>], bits: &[V; W], excess: V) -> V {
    let other = V::load(&rows[W]);
    // The lesser of the two.
    let mut bounds = other.sub_where(other.at_least(excess), other.sub(excess));
    for (row, bits) in rows.iter().zip(bits) {
        bounds = bounds.add(V::load(row).and(*bits).count_ones());
    }
    bounds
}
