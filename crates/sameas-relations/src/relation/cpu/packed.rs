//! Tuples as numbers: up to two values in 64 bits, up to four in 128, the first one highest, so that numbers have the
//! order of the tuples.

/// A tuple as a number.
pub trait PackedTuple: Copy + Ord + Send + Sync + Default + 'static {
    /// The number of a tuple.
    fn pack(values: impl Iterator<Item = u32>) -> Self;
    /// The last value, and the number without it.
    fn split_last(self) -> (Self, u32);
    /// With a value added at some place, counted from the last, that was 0.
    fn with(self, value: u32, from_last: usize) -> Self;
    /// All bits depend on all bits of the tuple.
    fn hash(self) -> u64;
}

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn mixed(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

impl PackedTuple for u64 {
    #[inline]
    fn pack(values: impl Iterator<Item = u32>) -> Self {
        values.fold(0, |packed, value| packed << 32 | Self::from(value))
    }

    #[inline]
    fn split_last(self) -> (Self, u32) {
        (self >> 32, self as u32)
    }

    #[inline]
    fn with(self, value: u32, from_last: usize) -> Self {
        self | Self::from(value) << (32 * from_last)
    }

    #[inline]
    fn hash(self) -> u64 {
        mixed(self ^ MIX, MIX)
    }
}

impl PackedTuple for u128 {
    #[inline]
    fn pack(values: impl Iterator<Item = u32>) -> Self {
        values.fold(0, |packed, value| packed << 32 | Self::from(value))
    }

    #[inline]
    fn split_last(self) -> (Self, u32) {
        (self >> 32, self as u32)
    }

    #[inline]
    fn with(self, value: u32, from_last: usize) -> Self {
        self | Self::from(value) << (32 * from_last)
    }

    #[inline]
    fn hash(self) -> u64 {
        mixed(mixed(self as u64 ^ MIX, MIX) ^ (self >> 64) as u64, MIX)
    }
}

/// Appends the values of a packed tuple to as many columns.
#[inline]
pub fn unpack_into<K: PackedTuple>(packed: K, columns: &mut [Vec<u32>]) {
    let mut rest = packed;
    for column in columns.iter_mut().rev() {
        let (before, value) = rest.split_last();
        column.push(value);
        rest = before;
    }
}
