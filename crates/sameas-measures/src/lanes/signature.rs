//! One character signature against many: which of them share enough bits with it?

use super::vector::{LaneVector, Row, Word};
use super::{Isa, Kernel, launch};

/// The signatures in a row: one word of each.
pub const ROW: usize = u64::LANES;

/// The rows of one step: their signatures fill one word of verdicts.
const STEP: usize = 64 / ROW;

/// Which signatures have at least `need` bits in common with `probe`: bit `i % 64` of `verdicts[i / 64]` for signature
/// `i`. See [`places`].
///
/// `columns[w]` holds word `w` of all signatures, eight per row; all columns have the same number of rows, and there is
/// a word of verdicts for every eight rows begun.
#[inline]
pub fn reaching<const WORDS: usize>(
    isa: Isa,
    probe: [u64; WORDS],
    columns: [&[Row<u64>]; WORDS],
    need: u32,
    verdicts: &mut [u64],
) {
    launch(isa, Reaching { probe, columns, need, verdicts });
}

/// The words of verdicts for this many rows.
#[inline]
pub fn words_of(rows: usize) -> usize {
    rows.div_ceil(STEP)
}

/// The places whose verdict is true, ascending.
#[inline]
pub fn places(verdicts: &[u64]) -> impl Iterator<Item = usize> + '_ {
    verdicts.iter().enumerate().filter(|(_, bits)| **bits != 0).flat_map(|(word, &bits)| {
        let next = |bits: &u64| Some(bits & (bits - 1)).filter(|rest| *rest != 0);
        std::iter::successors(Some(bits), next).map(move |bits| word * 64 + bits.trailing_zeros() as usize)
    })
}

/// See [`reaching`].
pub struct Reaching<'a, const WORDS: usize> {
    pub probe: [u64; WORDS],
    pub columns: [&'a [Row<u64>]; WORDS],
    pub need: u32,
    pub verdicts: &'a mut [u64],
}

impl<const WORDS: usize> Kernel<u64> for Reaching<'_, WORDS> {
    type Output = ();

    /// Nothing is called and nothing allocated in the loop, so that probe and need stay in registers.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "the row is an index into every column")]
    fn run<V: LaneVector<Word = u64>>(self) {
        let (probe, need) = (self.probe.map(V::splat), V::splat(u64::from(self.need)));
        let mut steps: [&[[Row<u64>; STEP]]; WORDS] = [&[]; WORDS];
        let mut rest: [&[Row<u64>]; WORDS] = [&[]; WORDS];
        for word in 0..WORDS {
            (steps[word], rest[word]) = self.columns[word].as_chunks();
        }
        let (full, last) = self.verdicts.split_at_mut(steps[0].len());
        for (step, verdict) in full.iter_mut().enumerate() {
            let rows: [&[Row<u64>; STEP]; WORDS] = std::array::from_fn(|word| &steps[word][step]);
            *verdict = 0;
            for row in 0..STEP {
                *verdict |= reached(probe, std::array::from_fn(|word| &rows[word][row]), need) << (row * ROW);
            }
        }
        if let Some(verdict) = last.first_mut() {
            *verdict = 0;
            for row in 0..rest[0].len() {
                *verdict |= reached(probe, std::array::from_fn(|word| &rest[word][row]), need) << (row * ROW);
            }
        }
    }
}

/// The verdicts of one row.
#[inline(always)]
pub fn reached<V: LaneVector<Word = u64>, const WORDS: usize>(
    probe: [V; WORDS],
    rows: [&Row<u64>; WORDS],
    need: V,
) -> u64 {
    let mut common = probe[0].and(V::load(rows[0])).count_ones();
    for word in 1..WORDS {
        common = common.add(probe[word].and(V::load(rows[word])).count_ones());
    }
    V::bits(common.at_least(need))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const WORDS: usize>(signatures: &[[u64; WORDS]], probe: [u64; WORDS], need: u32) {
        let rows = signatures.len() / ROW;
        let columns: [Vec<Row<u64>>; WORDS] = std::array::from_fn(|word| {
            (0..rows).map(|row| Row::from_fn(|lane| signatures[row * ROW + lane][word])).collect()
        });
        let common = |s: &[u64; WORDS]| (0..WORDS).map(|w| (s[w] & probe[w]).count_ones()).sum::<u32>();
        let expected: Vec<u32> =
            (0..(rows * ROW) as u32).filter(|&i| common(&signatures[i as usize]) >= need).collect();
        for isa in Isa::available() {
            let mut verdicts = vec![!0; words_of(rows)];
            reaching(isa, probe, std::array::from_fn(|word| &columns[word][..]), need, &mut verdicts);
            let found: Vec<u32> = places(&verdicts).map(|place| place as u32).collect();
            assert_eq!(found, expected, "{isa:?} {need}");
        }
    }

    proptest! {
        #[test]
        fn counts_common_bits(words in prop::collection::vec(any::<[u64; 4]>(), 0..300), need in 0u32..150) {
            let probe = words.first().copied().unwrap_or([!0; 4]);
            check(&words, probe, need);
            let narrow: Vec<[u64; 1]> = words.iter().map(|w| [w[0]]).collect();
            check(&narrow, [probe[0]], need % 65);
            check(&narrow, [!0], need % 65);
        }
    }
}
