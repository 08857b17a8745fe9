//! What the kernels need of an instruction set: 64 bytes of unsigned words, operated on lane by lane.

use std::fmt::Debug;

/// The 64-bit words in a row.
pub const ROW_WORDS: usize = 8;

/// The vectors of a word, private to this crate: no other code can use one that the machine lacks, or add word types.
pub(crate) trait Vectors: Sized {
    /// Vectors without special instructions.
    type Plain: LaneVector<Word = Self>;
    /// Vectors of AVX2.
    #[cfg(target_arch = "x86_64")]
    type Avx2: LaneVector<Word = Self>;
    /// Vectors of AVX-512.
    #[cfg(target_arch = "x86_64")]
    type Avx512: LaneVector<Word = Self>;
}

/// A lane: 16, 32 or 64 bits.
#[allow(private_bounds, reason = "no other crate may reach the vectors")]
pub trait Word: Vectors + Copy + Default + Debug + Send + Sync + 'static {
    /// The lanes of a row.
    const LANES: usize;
    /// The bits of a lane.
    const BITS: usize;
    /// The lanes of a row, as an array.
    type Lanes: Copy + AsRef<[Self]> + AsMut<[Self]> + Debug + Send + Sync;
    /// A row of zeros.
    const ZEROS: Self::Lanes;

    /// The low bits of `value`.
    fn low(value: u64) -> Self;

    /// The value.
    fn wide(self) -> u64;
}

macro_rules! word {
    ($word:ty, $lanes:literal) => {
        impl Word for $word {
            const LANES: usize = $lanes;
            const BITS: usize = <$word>::BITS as usize;
            type Lanes = [$word; $lanes];
            const ZEROS: Self::Lanes = [0; $lanes];

            #[inline(always)]
            fn low(value: u64) -> Self {
                value as $word
            }

            #[inline(always)]
            fn wide(self) -> u64 {
                u64::from(self)
            }
        }
    };
}
word!(u16, 32);
word!(u32, 16);
word!(u64, 8);

/// 64 aligned bytes: the lanes of one vector in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Row<W: Word>(pub W::Lanes);

impl<W: Word> Row<W> {
    /// A row of zeros.
    pub const ZERO: Self = Row(W::ZEROS);

    /// Its lanes.
    #[inline(always)]
    pub fn lanes(&self) -> &[W] {
        self.0.as_ref()
    }

    /// Its lanes, to write.
    #[inline(always)]
    pub fn lanes_mut(&mut self) -> &mut [W] {
        self.0.as_mut()
    }

    /// A row from a function of the lane.
    pub fn from_fn(lane: impl Fn(usize) -> W) -> Self {
        let mut row = Self::ZERO;
        row.lanes_mut().iter_mut().enumerate().for_each(|(i, word)| *word = lane(i));
        row
    }
}

/// A row in registers. Arithmetic wraps around.
///
/// The methods are the instructions the kernels are made of; every implementation inlines them into the function that
/// [`super::launch`] enters.
pub trait LaneVector: Copy {
    /// A lane.
    type Word: Word;
    /// A yes or no for each lane.
    type Flags: Copy;

    fn splat(word: Self::Word) -> Self;
    fn load(row: &Row<Self::Word>) -> Self;
    fn store(self, row: &mut Row<Self::Word>);
    /// Writes the low byte of each lane; `out` has room for all lanes.
    fn store_bytes(self, out: &mut [u8]);

    fn and(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    /// The product of lanes below 2^8.
    fn mul(self, other: Self) -> Self;
    /// Half of each lane, rounded down.
    fn half(self) -> Self;
    fn count_ones(self) -> Self;
    /// Twice each lane, which moves its bits up by one.
    #[inline(always)]
    fn up(self) -> Self {
        self.add(self)
    }

    /// Where `self & other` has a bit.
    fn meets(self, other: Self) -> Self::Flags;
    /// Where `self & other` has none.
    fn misses(self, other: Self) -> Self::Flags;
    /// Where a lane is at least the other; both are below half the range of a word.
    fn at_least(self, other: Self) -> Self::Flags;
    /// `self - other` in flagged lanes, `self` elsewhere.
    fn sub_where(self, flags: Self::Flags, other: Self) -> Self;

    fn none() -> Self::Flags;
    fn both(a: Self::Flags, b: Self::Flags) -> Self::Flags;
    /// Lane `i` as bit `i`.
    fn bits(flags: Self::Flags) -> u64;
}
