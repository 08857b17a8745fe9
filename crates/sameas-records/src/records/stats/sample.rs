//! A seeded sample of rows: the same on every machine, at a cost that depends on its own size alone.

use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// The seed of a run's samples.
pub const SEED: u64 = 0x5a3e_a550_0001;

/// Rows that statistics look at, of each input.
pub const SAMPLE: usize = 4096;

/// Rows drawn without repetition, every set of that size as likely as any other; ascending. All rows if there are no
/// more than `wanted`.
pub fn sample_rows(rows: u32, wanted: usize, seed: u64) -> Vec<u32> {
    if rows as usize <= wanted {
        return (0..rows).collect();
    }
    let mut random = Random::new(seed);
    let mut known: HashSet<u32, FixedState> = HashSet::with_capacity_and_hasher(wanted, FixedState::default());
    // Floyd's algorithm: among the first rows up to `last`, `last` itself takes the place of a row that was drawn
    // before. Each step adds one row, so no draw is wasted, however large the wanted share.
    let mut drawn: Vec<u32> = (rows - wanted as u32..rows)
        .map(|last| {
            let row = random.below(last + 1);
            let row = if known.contains(&row) { last } else { row };
            known.insert(row);
            row
        })
        .collect();
    drawn.sort_unstable();
    drawn
}

/// The golden ratio, as a fraction of 2^64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Random numbers that a seed determines: a counter in steps of the golden ratio, its bits mixed (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The numbers of a seed after the first `skipped`.
    pub fn after(seed: u64, skipped: u64) -> Self {
        Self(seed.wrapping_add(skipped.wrapping_mul(STEP)))
    }

    /// The next number.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `end`, which is not 0. The upper bits of a product are uneven by less than one part in 2^32.
    #[inline]
    pub fn below(&mut self, end: u32) -> u32 {
        self.below_wide(u64::from(end)) as u32
    }

    /// The same for an end beyond 32 bits: uneven by one part in as many as 2^64 divided by the end.
    #[inline]
    pub fn below_wide(&mut self, end: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(end)) >> 64) as u64
    }

    /// A number from 0 to below 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
