//! Consumers of the benchmark: one tests every pair, one writes every pair. Neither uses more of a tile
//! than its pairs.

use sameas_joins::candidates::{Pairing, Sink, Tile};

/// Counts the pairs with `(l ^ r) & 0xFFFF = 0`, each compared for itself.
#[derive(Default)]
pub struct CountSink {
    /// Pairs seen.
    pub pairs: u64,
    /// Pairs that satisfy the predicate.
    pub matched: u64,
    lanes: Lanes,
}

/// The low halves of a tile's rows, as vectors want them.
#[derive(Default)]
struct Lanes {
    left: Vec<u32>,
    /// What is after the end of the rows is of an earlier tile.
    right: Vec<[u16; LANES]>,
}

/// Right rows of a vector.
const LANES: usize = 32;
/// Vectors of a loop.
const VECTORS: usize = 8;
/// Left rows between two foldings of the 16-bit counters, which may not overflow.
const HIGH: usize = 1 << 15;
/// Entries of a triangle that are compared one by one; larger ones are halved.
const SMALL: usize = 32;

impl Sink for CountSink {
    #[inline(always)]
    fn tile(&mut self, tile: Tile<'_>) {
        match tile.pairing {
            Pairing::All => self.rectangle(tile.left, tile.right),
            Pairing::Ascending => self.triangle(tile.left),
            Pairing::Sorted | Pairing::Before => unreachable!("equi_join does not make these tiles"),
        }
    }
}

impl CountSink {
    #[inline(always)]
    fn rectangle(&mut self, left: &[u32], right: &[u32]) {
        self.pairs += left.len() as u64 * right.len() as u64;
        if left.len() * right.len() < 64 {
            for l in left {
                for r in right {
                    self.matched += u64::from((l ^ r) & 0xFFFF == 0);
                }
            }
        } else {
            self.matched += self.lanes.count(left, right);
        }
    }

    fn triangle(&mut self, rows: &[u32]) {
        if rows.len() > SMALL {
            let (before, after) = rows.split_at(rows.len() / 2);
            self.rectangle(before, after);
            self.triangle(before);
            self.triangle(after);
            return;
        }
        for (at, l) in rows.iter().enumerate() {
            self.pairs += (rows.len() - at - 1) as u64;
            self.matched += rows[at + 1..].iter().map(|r| u64::from((l ^ r) & 0xFFFF == 0)).sum::<u64>();
        }
    }
}

impl Lanes {
    #[inline(never)]
    fn count(&mut self, left: &[u32], right: &[u32]) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512bw") {
            // SAFETY: the processor has the instructions.
            return unsafe { self.count_avx512(left, right) };
        }
        left.iter().map(|l| count_portable(*l, right)).sum()
    }

    /// Compares 32 pairs with one instruction; a mask leaves out what is after the end of the right rows.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn count_avx512(&mut self, left: &[u32], right: &[u32]) -> u64 {
        self.left.clear();
        self.left.extend(left.iter().map(|l| (l & 0xFFFF) * 0x1_0001));
        if self.right.len() < right.len().div_ceil(LANES) {
            self.right.resize(right.len().div_ceil(LANES), [0; LANES]);
        }
        for (lane, r) in self.right.as_flattened_mut().iter_mut().zip(right) {
            *lane = *r as u16;
        }
        let (full, rest) = (right.len() / LANES, right.len() % LANES);
        let mut matched = 0;
        for left in self.left.chunks(HIGH) {
            let (blocks, vectors) = self.right[..full].as_chunks::<VECTORS>();
            matched += blocks.iter().map(|block| avx512::count_block(left, block)).sum::<u64>();
            matched += vectors.iter().map(|one| avx512::count_block(left, std::array::from_ref(one))).sum::<u64>();
            if rest > 0 {
                matched += avx512::count_rest(left, &self.right[full], rest);
            }
        }
        matched
    }
}

fn count_portable(l: u32, right: &[u32]) -> u64 {
    right
        .chunks(1 << 16)
        .map(|rows| u64::from(rows.iter().map(|r| u32::from((l ^ r) & 0xFFFF == 0)).sum::<u32>()))
        .sum()
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::LANES;

    /// Matches of each left row, its half doubled, with each right row of some vectors.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn count_block<const V: usize>(left: &[u32], right: &[[u16; LANES]; V]) -> u64 {
        let rows: [__m512i; V] = std::array::from_fn(|v| bytemuck::must_cast(right[v]));
        let one = _mm512_set1_epi16(1);
        let mut counts = [_mm512_setzero_si512(); V];
        for l in left {
            let l = _mm512_set1_epi32(*l as i32);
            for v in 0..V {
                counts[v] = _mm512_mask_add_epi16(counts[v], _mm512_cmpeq_epi16_mask(l, rows[v]), counts[v], one);
            }
        }
        counts.iter().map(|counts| fold(*counts)).sum()
    }

    /// The same for the first right rows of one vector, fewer than it holds.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn count_rest(left: &[u32], right: &[u16; LANES], first: usize) -> u64 {
        assert!(first < LANES);
        let mask = (1u32 << first) - 1;
        let rows: __m512i = bytemuck::must_cast(*right);
        let one = _mm512_set1_epi16(1);
        let mut counts = _mm512_setzero_si512();
        for l in left {
            let equal = _mm512_mask_cmpeq_epi16_mask(mask, _mm512_set1_epi32(*l as i32), rows);
            counts = _mm512_mask_add_epi16(counts, equal, counts, one);
        }
        fold(counts)
    }

    /// The sum of 16-bit counters.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn fold(counts: __m512i) -> u64 {
        let low = _mm512_and_si512(counts, _mm512_set1_epi32(0xFFFF));
        let sums = _mm512_add_epi32(low, _mm512_srli_epi32::<16>(counts));
        _mm512_reduce_add_epi32(sums) as u32 as u64
    }

    /// Writes the pairs of each left row with each of eight right rows; returns how many.
    #[target_feature(enable = "avx512f")]
    pub fn write_block(left: &[u32], right: &[u32; 8], out: &mut [u64]) -> usize {
        let rows = _mm512_slli_epi64::<32>(_mm512_cvtepu32_epi64(bytemuck::must_cast(*right)));
        for (l, out) in left.iter().zip(out.as_chunks_mut::<8>().0) {
            *out = bytemuck::must_cast(_mm512_or_si512(rows, _mm512_set1_epi64(i64::from(*l))));
        }
        8 * left.len()
    }
}

/// Pairs of the buffer that is written again and again.
const BUFFER: usize = 2048;

/// Writes every pair, eight bytes, into a small buffer that is overwritten when full, as the next operator's input
/// would be.
pub struct WriteSink {
    /// Pairs written.
    pub pairs: u64,
    at: usize,
    buffer: Vec<u64>,
}

impl Default for WriteSink {
    fn default() -> Self {
        Self { pairs: 0, at: 0, buffer: vec![0; BUFFER] }
    }
}

impl Sink for WriteSink {
    #[inline(always)]
    fn tile(&mut self, tile: Tile<'_>) {
        match tile.pairing {
            Pairing::All => self.rectangle(tile.left, tile.right),
            Pairing::Ascending => self.triangle(tile.left),
            Pairing::Sorted | Pairing::Before => unreachable!("equi_join does not make these tiles"),
        }
    }
}

impl WriteSink {
    #[inline(always)]
    fn rectangle(&mut self, left: &[u32], right: &[u32]) {
        self.pairs += left.len() as u64 * right.len() as u64;
        if left.len() * right.len() < 64 {
            left.iter().for_each(|l| self.row(*l, right));
        } else {
            self.large(left, right);
        }
    }

    #[inline(never)]
    fn large(&mut self, left: &[u32], right: &[u32]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            let (blocks, rest) = right.as_chunks::<8>();
            for left in left.chunks(BUFFER / 8) {
                for block in blocks {
                    self.make_room(8 * left.len());
                    // SAFETY: the processor has the instructions.
                    self.at += unsafe { avx512::write_block(left, block, &mut self.buffer[self.at..]) };
                }
                left.iter().for_each(|l| self.row(*l, rest));
            }
            return;
        }
        left.iter().for_each(|l| self.row(*l, right));
    }

    fn triangle(&mut self, rows: &[u32]) {
        if rows.len() > SMALL {
            let (before, after) = rows.split_at(rows.len() / 2);
            self.rectangle(before, after);
            self.triangle(before);
            return self.triangle(after);
        }
        for (at, l) in rows.iter().enumerate() {
            self.pairs += (rows.len() - at - 1) as u64;
            self.row(*l, &rows[at + 1..]);
        }
    }

    /// Starts the buffer again where this many pairs would not fit; what it held counts as consumed.
    #[inline(always)]
    fn make_room(&mut self, pairs: usize) {
        if self.at + pairs > BUFFER {
            std::hint::black_box(&mut self.buffer);
            self.at = 0;
        }
    }

    /// The pairs of one left row.
    #[inline(always)]
    fn row(&mut self, l: u32, right: &[u32]) {
        for right in right.chunks(BUFFER) {
            self.make_room(right.len());
            for (out, r) in self.buffer[self.at..].iter_mut().zip(right) {
                *out = u64::from(l) | u64::from(*r) << 32;
            }
            self.at += right.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::zipf::random;
    use super::*;

    /// Lengths around those of vectors, blocks and halvings.
    const LENGTHS: [usize; 20] = [0, 1, 2, 3, 7, 8, 9, 15, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257, 301];

    /// Random rows whose low halves often agree and whose high halves seldom do.
    fn rows(len: usize, seed: u64) -> Vec<u32> {
        (0..len as u64).map(|at| random(seed << 32 | at) as u32 & 0xFFFF_0007).collect()
    }

    /// The pairs of a tile, by nested loops.
    fn naive(tile: Tile<'_>) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (i, l) in tile.left.iter().enumerate() {
            for (j, r) in tile.right.iter().enumerate() {
                if tile.pairing == Pairing::All || i < j {
                    pairs.push((*l, *r));
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// Tiles of every pairing that the joins make, of all lengths.
    fn each_tile(mut check: impl FnMut(Tile<'_>)) {
        for (at, len) in LENGTHS.into_iter().enumerate() {
            let left = rows(len, at as u64);
            check(Tile { left: &left, right: &left, pairing: Pairing::Ascending });
            for (other, len) in LENGTHS.into_iter().enumerate() {
                let right = rows(len, 100 + other as u64);
                check(Tile { left: &left, right: &right, pairing: Pairing::All });
            }
        }
    }

    #[test]
    fn every_pair_is_counted_and_compared() {
        let mut sink = CountSink::default();
        let (mut pairs, mut matched) = (0, 0);
        each_tile(|tile| {
            let naive = naive(tile);
            sink.tile(tile);
            pairs += naive.len() as u64;
            matched += naive.iter().filter(|(l, r)| l & 0xFFFF == r & 0xFFFF).count() as u64;
            assert_eq!((sink.pairs, sink.matched), (pairs, matched), "{} x {}", tile.left.len(), tile.right.len());
        });
        assert!(0 < matched && matched < pairs);
    }

    #[test]
    fn machines_without_vectors_count_the_same() {
        each_tile(|tile| {
            let portable: u64 = tile.left.iter().map(|l| count_portable(*l, tile.right)).sum();
            assert_eq!(Lanes::default().count(tile.left, tile.right), portable);
        });
    }

    #[test]
    fn counters_do_not_overflow() {
        let (left, right) = (vec![5; 2 * HIGH + 3], vec![5; VECTORS * LANES + 33]);
        let mut sink = CountSink::default();
        sink.tile(Tile { left: &left, right: &right, pairing: Pairing::All });
        assert_eq!(sink.matched, left.len() as u64 * right.len() as u64);
    }

    #[test]
    fn every_pair_is_written() {
        each_tile(|tile| {
            let naive = naive(tile);
            let mut sink = WriteSink::default();
            sink.tile(tile);
            assert_eq!(sink.pairs, naive.len() as u64);
            let mut written: Vec<(u32, u32)> =
                sink.buffer[..sink.at].iter().map(|pair| (*pair as u32, (pair >> 32) as u32)).collect();
            written.sort_unstable();
            if naive.len() <= BUFFER {
                assert_eq!(written, naive);
            } else {
                // The buffer has been overwritten and holds the last pairs only, each a pair of the tile.
                let mut expected = naive.iter();
                assert!(!written.is_empty() && written.iter().all(|pair| expected.any(|other| other == pair)));
            }
        });
    }
}
