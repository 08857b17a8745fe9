//! Sorts pairs by their key with a radix sort over the bits that differ: one pass over the highest bits makes buckets that
//! fit the cache of a core, and the other bits are sorted there, from the last digit to the first.

use super::Pair;

/// Below this many pairs, counting digits costs more than comparing.
const SMALL: usize = 2048;

/// Pairs of a bucket: with their scratch memory, they fit the second-level cache.
const BUCKET: usize = 1 << 15;

/// Bits that divide into buckets at most: more places to write to than the first-level cache has lines would be slow.
const BUCKET_BITS: u32 = 8;

/// Bits of a digit at most. Measured: 12 bits take two thirds of the time of 9.
const DIGIT_BITS: u32 = 12;

/// Sorts `pairs` by [`Pair::key`]. `scratch` may hold anything; its memory is used.
pub fn sort(pairs: &mut Vec<Pair>, scratch: &mut Vec<Pair>) {
    if pairs.len() < SMALL {
        pairs.sort_unstable_by_key(|pair| pair.key());
    } else if !pairs.is_sorted_by_key(|pair| pair.key()) {
        scratch.clear();
        scratch.reserve_exact(pairs.capacity());
        scratch.resize(pairs.len(), Pair { l: 0, r: 0, rule: 0 });
        let keys = PairKeys::new(pairs);
        let buckets = keys.bucket_bits(pairs.len());
        match buckets {
            0 if keys.sort(0..keys.bits, pairs, scratch) => pairs.copy_from_slice(scratch),
            0 => {}
            buckets => keys.sort_buckets(buckets, pairs, scratch),
        }
    }
}

/// How keys become numbers of few bits: rows are counted from the smallest that occurs, so that a narrow range of rows needs
/// few bits wherever it lies.
struct PairKeys {
    l: u32,
    r: u32,
    r_bits: u32,
    bits: u32,
}

/// Some bits of a key.
#[derive(Clone, Copy)]
struct Digit {
    shift: u32,
    mask: u64,
}

impl Digit {
    fn new(shift: u32, width: u32) -> Self {
        Self { shift, mask: (1 << width) - 1 }
    }

    fn values(self) -> usize {
        self.mask as usize + 1
    }
}

impl PairKeys {
    fn new(pairs: &[Pair]) -> Self {
        let mut low = (u32::MAX, u32::MAX);
        let mut high = (0, 0);
        for pair in pairs {
            low = (low.0.min(pair.l), low.1.min(pair.r));
            high = (high.0.max(pair.l), high.1.max(pair.r));
        }
        let r_bits = u32::BITS - (high.1 - low.1).leading_zeros();
        let bits = u32::BITS - (high.0 - low.0).leading_zeros() + r_bits;
        Self { l: low.0, r: low.1, r_bits, bits }
    }

    #[inline]
    fn value(&self, pair: Pair, digit: Digit) -> usize {
        let key = u64::from(pair.l - self.l) << self.r_bits | u64::from(pair.r - self.r);
        (key >> digit.shift & digit.mask) as usize
    }

    /// Bits that divide this many pairs into buckets of the right size; none where all fit the cache.
    fn bucket_bits(&self, pairs: usize) -> u32 {
        (pairs / BUCKET).next_power_of_two().trailing_zeros().min(BUCKET_BITS).min(self.bits.saturating_sub(1))
    }

    /// Divides the pairs by their highest bits, and sorts each bucket by the others.
    fn sort_buckets(&self, bits: u32, pairs: &mut [Pair], scratch: &mut [Pair]) {
        let highest = Digit::new(self.bits - bits, bits);
        let mut ends = self.places(pairs, highest);
        self.scatter(pairs, scratch, highest, &mut ends);
        let mut begin = 0;
        // Each place has moved on to the end of its bucket.
        for end in ends {
            let (made, room) = (&mut scratch[begin..end], &mut pairs[begin..end]);
            let is_in_room = if made.len() < SMALL {
                made.sort_unstable_by_key(|pair| pair.key());
                false
            } else {
                self.sort(0..self.bits - bits, made, room)
            };
            if !is_in_room {
                room.copy_from_slice(made);
            }
            begin = end;
        }
    }

    /// Sorts pairs by some of their bits, from the last digit to the first; each pass keeps the order of equal digits.
    /// Whether the sorted pairs are in `scratch` in the end.
    fn sort(&self, bits: std::ops::Range<u32>, pairs: &mut [Pair], scratch: &mut [Pair]) -> bool {
        let passes = (bits.end - bits.start).div_ceil(DIGIT_BITS).max(1);
        let width = (bits.end - bits.start).div_ceil(passes).max(1);
        let digits: Vec<Digit> = (0..passes).map(|pass| Digit::new(bits.start + pass * width, width)).collect();
        // The last digit may reach into bits that are the same for all.
        let mut places: Vec<Vec<usize>> = digits.iter().map(|digit| vec![0; digit.values()]).collect();
        for &pair in pairs.iter() {
            for (digit, count) in digits.iter().zip(&mut places) {
                count[self.value(pair, *digit)] += 1;
            }
        }
        places.iter_mut().for_each(|counts| become_places(counts));
        let (mut from, mut to) = (pairs, scratch);
        for (digit, places) in digits.iter().zip(&mut places) {
            self.scatter(from, to, *digit, places);
            std::mem::swap(&mut from, &mut to);
        }
        passes % 2 == 1
    }

    /// For each value of a digit, where its first pair goes.
    fn places(&self, pairs: &[Pair], digit: Digit) -> Vec<usize> {
        let mut counts = vec![0; digit.values()];
        pairs.iter().for_each(|pair| counts[self.value(*pair, digit)] += 1);
        become_places(&mut counts);
        counts
    }

    fn scatter(&self, from: &[Pair], to: &mut [Pair], digit: Digit, places: &mut [usize]) {
        for &pair in from {
            let place = &mut places[self.value(pair, digit)];
            to[*place] = pair;
            *place += 1;
        }
    }
}

/// Turns counts into the sums of those before them.
fn become_places(counts: &mut [usize]) {
    let mut place = 0;
    for slot in counts {
        place += std::mem::replace(slot, place);
    }
}
