//! Many pairs at once: one text against a tile of patterns, each pattern in a lane of a vector register.
//!
//! A [`PatternTile`] holds, for each character, a row of 64 bytes with the places of this character in every pattern:
//! 32 patterns of up to 16 characters, 16 of up to 32, or 8 of up to 64. One load then gives the match masks of all
//! lanes for a character of the text, and the bit-parallel algorithms of the scalar measures run on all lanes in step:
//! [`edits`] (Levenshtein, optimal string alignment) and [`jaro`]. [`signature`] tests one character signature against
//! many, [`matrix`] measures all pairs of two lists.
//!
//! Each algorithm is written once over the trait `vector::LaneVector`; `launch` instantiates it for the instruction
//! set of the machine: plain arrays, AVX2 (two registers per row), or AVX-512 (one). All return the same integers.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod edits;
pub mod jaro;
pub mod matrix;
mod plain;
pub mod signature;
mod similarity;
mod tile;
mod vector;
mod vectors;

#[cfg(test)]
mod testing;

pub use tile::{MAX_LANES, PatternTile};
pub use vector::{ROW_WORDS, Row, Word};

pub use vector::LaneVector;

/// An instruction set that this machine has; there is no way to name another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa(InstructionSet);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InstructionSet {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// The widest instruction set of this machine.
    pub fn detect() -> Self {
        Self::available().pop().unwrap_or(Isa(InstructionSet::Plain))
    }

    /// All instruction sets of this machine, the narrowest first.
    pub fn available() -> Vec<Self> {
        let mut found = vec![Isa(InstructionSet::Plain)];
        #[cfg(target_arch = "x86_64")]
        {
            found.extend(avx2::available().then_some(Isa(InstructionSet::Avx2)));
            found.extend(avx512::available().then_some(Isa(InstructionSet::Avx512)));
        }
        found
    }

    /// Its name, for reports.
    pub fn name(self) -> &'static str {
        match self.0 {
            InstructionSet::Plain => "portable",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "AVX-512",
        }
    }
}

/// A piece of work written once for all instruction sets. Its `run` and all it calls must be `#[inline(always)]`, so
/// that they end up in the function that enables the instructions.
pub trait Kernel<W: Word> {
    /// The result of the work.
    type Output;

    /// Does the work with vectors of type `V`.
    fn run<V: LaneVector<Word = W>>(self) -> Self::Output;
}

/// Runs a kernel with an instruction set.
#[inline]
pub fn launch<W: Word, K: Kernel<W>>(isa: Isa, kernel: K) -> K::Output {
    match isa.0 {
        InstructionSet::Plain => kernel.run::<W::Plain>(),
        // SAFETY: an `Isa` names only what `available` found on this machine.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { avx2::run(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => unsafe { avx512::run(kernel) },
    }
}
