//! What texts are made of.

/// A character code: an index into an alphabet, or the code point itself.
///
/// Alphabets of up to 256 characters take `u8`, which makes every table lookup a plain array access; wider ones take
/// `u16` or `u32`.
pub trait Unit: Copy + Eq + Ord + Into<u32> {}

impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}
