//! Texts of a domain on the device, tests of two of them, and the arguments of the kernels over them; the twins are in
//! `kernels/text_layout.h`.

use bytemuck::{NoUninit, Pod, Zeroable};

use crate::{DevicePtr, Untyped};

/// Texts of up to this many characters have their numbers of edits in a table; longer texts take a slot.
pub const LIMIT: usize = 1024;
/// Texts of more characters have no Damerau distance on a device.
pub const DAMERAU_LIMIT: usize = 16_000;
/// Shorter texts have a Damerau distance that a thread computes without a slot.
pub const DAMERAU_OWN: usize = 64;
/// Lengths up to this have the least number of common characters in a table.
pub const LEAST: usize = 128;
/// Lengths up to this have the decisions on Jaro similarities in a table.
pub const DECIDED: usize = 32;
/// The lengths of a Winkler prefix that count: 0 to 4.
pub const PREFIXES: usize = 5;
/// In the table of the least: no pair of these lengths holds.
pub const NEVER: u8 = u8::MAX;
/// In [`TextNeeds`]: no pair of two runs holds.
pub const NO_NEED: u16 = u16::MAX;
/// Right texts of a unit of a join with signatures of 64 bits.
pub const SHORT_CHUNK: usize = 32 * 4;
/// Right texts of a unit of a join with signatures of 256 bits.
pub const LONG_CHUNK: usize = 32 * 2;
/// Texts of up to this many characters may be verified in the dense way.
pub const DENSE: usize = 32;
/// The bits of a character code with which they may.
pub const DENSE_PLANES: u32 = 8;
/// The threads of a block of every kernel over texts.
pub const BLOCK: u32 = 256;

/// Instead of what is counted: the host decides.
pub const HOST: u32 = 255;

/// How a join goes about it.
pub mod join_flags {
    /// A list with itself.
    pub const TRIANGLE: u32 = 1;
    /// What signatures leave is verified immediately.
    pub const NO_QUEUE: u32 = 2;
    /// No test of 32 left texts together.
    pub const NO_UNIONS: u32 = 4;
}

/// A signature of 64 bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct TextShort {
    /// Counts in unary.
    pub bits: [u32; 2],
    /// The low bytes of the first four character codes.
    pub prefix: u32,
    /// Characters; in a join's list, the run.
    pub length: u16,
    /// Characters that found no bit.
    pub overflow: u16,
}

/// A signature of 256 bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct TextLong {
    /// Counts in unary.
    pub bits: [u32; 8],
    /// The low bytes of the first four character codes.
    pub prefix: u32,
    /// Characters; in a join's list, the run.
    pub length: u32,
    /// Characters that found no bit.
    pub overflow: u32,
    /// Up to a whole number of vectors.
    pub padding: [u32; 5],
}

/// Where a text lies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct TextHead {
    /// Its first group of bit planes, in units of four words.
    pub offset: u32,
    /// Its characters.
    pub length: u32,
}

/// `text_planes_*`: makes the planes of texts.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct TextPlanes {
    /// Character codes of 1, 2 or 4 bytes, text after text.
    pub units: DevicePtr<Untyped>,
    /// By text: where its characters end.
    pub ends: DevicePtr<u64>,
    /// By text: where its characters begin; null where that is the end of the one before it.
    pub begins: DevicePtr<u64>,
    /// [`TextHead`]s.
    pub heads: DevicePtr<TextHead>,
    /// The planes.
    pub words: DevicePtr<u32>,
    /// Number of texts.
    pub count: u32,
    /// Words of a group.
    pub stride: u32,
}

/// The texts of a domain, by code.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct Texts {
    /// Bit planes, in groups of 32 characters.
    pub words: DevicePtr<u32>,
    /// [`TextHead`]s.
    pub heads: DevicePtr<TextHead>,
    /// [`TextShort`]s or [`TextLong`]s.
    pub signatures: DevicePtr<Untyped>,
    /// The bits of a character code.
    pub planes: u32,
    /// Words of a group: `planes` up to a multiple of four.
    pub stride: u32,
    /// Whether signatures have 256 bits.
    pub is_long: u32,
    /// The number of texts.
    pub count: u32,
}

/// A measure against a threshold, as integers.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct TextTest {
    /// For texts of up to [`LIMIT`] characters, by the key of their lengths: the fewest edits with which the test holds,
    /// and the most in the upper half.
    pub edits: DevicePtr<u32>,
    /// By both lengths up to [`LEAST`], then by prefix: the least common characters.
    pub least: DevicePtr<u8>,
    /// By two lengths up to [`DECIDED`], matches and prefix: the numbers of transpositions with which it holds.
    pub decisions: DevicePtr<u32>,
    /// The threshold, of which edits of short texts have their own form.
    pub threshold: f64,
    /// What is counted: see [`TEXT_COUNTS`](super::codes::TEXT_COUNTS).
    pub measure: u32,
    /// `=`, `<`, `<=`, `>`, `>=`.
    pub comparison: u32,
    /// The verdict on a text and itself.
    pub same: u32,
    /// Whether the test is a bound, so that signatures can rule pairs out.
    pub bounded: u32,
    /// What is made of a number of edits: see [`TEXT_FORMULAS`](super::codes::TEXT_FORMULAS).
    pub formula: u32,
    /// Number of slots.
    pub slots: u32,
    /// The words of the slots.
    pub scratch: DevicePtr<u64>,
    /// By slot: 1 while it is taken.
    pub taken: DevicePtr<u32>,
    /// Words of a slot.
    pub slot_words: u32,
    /// Whether a common prefix raises a Jaro similarity.
    pub winkler: u32,
}

/// Where the pairs of a join go.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct TextOut {
    /// Left codes of the pairs that hold.
    pub left: DevicePtr<u32>,
    /// Their right codes.
    pub right: DevicePtr<u32>,
    /// Room for this many.
    pub capacity: u64,
    /// How many there were, room or not.
    pub cursor: DevicePtr<u64>,
    /// Left codes of the pairs that the host has to decide.
    pub open_left: DevicePtr<u32>,
    /// Their right codes.
    pub open_right: DevicePtr<u32>,
    /// Room for this many.
    pub open_capacity: u64,
    /// How many there were, room or not.
    pub open_cursor: DevicePtr<u64>,
    /// Or null: a table of verdicts, set instead of writing pairs that hold.
    pub bits: DevicePtr<u64>,
    /// Its words for each left code.
    pub row_words: u64,
}

/// One list of a join, by place.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct TextSide {
    /// [`TextShort`]s or [`TextLong`]s with the run instead of the length.
    pub records: DevicePtr<Untyped>,
    /// The codes.
    pub codes: DevicePtr<u32>,
    /// The number of texts.
    pub count: u32,
    /// The number of different lengths.
    pub runs: u32,
}

/// The least common characters of texts of two runs, by prefix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct TextNeeds {
    /// [`NO_NEED`] where none holds; the last three are not used.
    pub common: [u16; 8],
}

/// `text_join_*`: a launch of some units of a join.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct TextJoin {
    /// The texts.
    pub texts: Texts,
    /// The test.
    pub test: TextTest,
    /// The left list.
    pub left: TextSide,
    /// The right list, or the left one again.
    pub right: TextSide,
    /// [`TextNeeds`] by left run, then by right run.
    pub needs: DevicePtr<TextNeeds>,
    /// For each chunk of the right list its first unit, and the number of units at the end.
    pub starts: DevicePtr<u64>,
    /// For each chunk its left places.
    pub lefts: DevicePtr<[u32; 2]>,
    /// The number of chunks.
    pub chunks: u32,
    /// Left places of a unit.
    pub piece: u32,
    /// The first unit of this launch.
    pub first: u64,
    /// Units of this launch.
    pub units: u32,
    /// See [`join_flags`].
    pub flags: u32,
    /// Units taken, zero at the start.
    pub next: DevicePtr<u32>,
    /// Three: pairs whose signatures were tested, pairs verified, pairs found.
    pub counters: DevicePtr<u64>,
    /// Without signatures: how many of the first left places are of texts of at most [`DENSE`] characters, for the dense way.
    pub dense_left: u32,
    /// The same for the right list.
    pub dense_right: u32,
    /// Where pairs go.
    pub out: TextOut,
}

/// `text_pair_list`: verdicts on pairs of codes, as bits by the place of the pair; all zero at the start.
#[derive(Debug, Clone, Copy, Default, NoUninit, Zeroable)]
#[repr(C)]
pub struct TextPairs {
    /// The texts.
    pub texts: Texts,
    /// The test.
    pub test: TextTest,
    /// Left codes.
    pub left: DevicePtr<u32>,
    /// Right codes.
    pub right: DevicePtr<u32>,
    /// The number of pairs.
    pub pairs: u64,
    /// 32 verdicts each, whether the test holds.
    pub holds: DevicePtr<u32>,
    /// Whether it is null.
    pub nulls: DevicePtr<u32>,
    /// Whether the host has to decide.
    pub for_host: DevicePtr<u32>,
}
