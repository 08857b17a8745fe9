//! A small seeded generator of random numbers (splitmix64), the same on every machine.

/// A stream of random numbers that its seed determines.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    /// Bytes that the next numbers are made of, the last first.
    bytes: Vec<u8>,
}

/// The bijective mixing step of splitmix64.
pub fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Rng { state: mix(seed ^ 0x5851_f42d_4c95_7f2d), bytes: Vec::new() }
    }

    /// The stream of any bytes, for fuzzers that hand out bytes instead of numbers: two bytes decide one choice, so that
    /// a small change of the bytes is a small change of what is drawn. After the last byte their hash goes on as a seed.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let seed = bytes.iter().fold(bytes.len() as u64, |seed, byte| mix(seed ^ u64::from(*byte)).wrapping_add(1));
        Rng { bytes: bytes.iter().rev().copied().collect(), ..Rng::new(seed) }
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        match self.bytes.pop() {
            None => mix(self.state),
            // The upper bits are those that `below` and `unit` look at.
            Some(high) => (u64::from(high) << 56) | (u64::from(self.bytes.pop().unwrap_or(0)) << 48),
        }
    }

    /// A number below `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        // The upper half of a product is even enough for tests and costs no division.
        ((u128::from(self.next_u64()) * limit as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// A float from 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True in `percent` of a hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items; there is at least one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_determines_the_stream() {
        // Not a closure that takes the generator itself as `mut rng`: where it is called twice with the same constant, rustc 1.95
        // hands the second call what the first one has left, with some numbers of codegen units (opt-level 2 and 3).
        let stream = |rng: &mut Rng| (0..5).map(|_| rng.next_u64()).collect::<Vec<_>>();
        assert_eq!(stream(&mut Rng::new(7)), stream(&mut Rng::new(7)));
        assert_ne!(stream(&mut Rng::new(7)), stream(&mut Rng::new(8)));
        assert_ne!(stream(&mut Rng::from_bytes(b"a")), stream(&mut Rng::from_bytes(b"ab")));
    }

    #[test]
    fn two_bytes_decide_one_choice() {
        let choices = |bytes: &[u8]| {
            let mut rng = Rng::from_bytes(bytes);
            [(); 3].map(|()| rng.below(256))
        };
        assert_eq!(choices(&[7, 0, 9, 255, 200, 1]), [7, 9, 200]);
        assert_eq!(choices(&[7, 0, 8, 255, 200, 1]), [7, 8, 200]);
    }

    #[test]
    fn numbers_keep_their_limits() {
        let mut rng = Rng::new(1);
        assert!((0..1000).all(|_| (0..7).contains(&rng.below(7))));
        assert!((0..1000).all(|_| (-3..=3).contains(&rng.between(-3, 3))));
        assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.unit())));
    }
}
