//! Where the bit planes of texts are stored, the form in which a device compares them: for each 32 characters of a
//! text, word `j` holds bit `j` of their codes, the first character lowest. Alphabets of any size then take the same
//! kernels. The planes themselves are made on the device.

use rayon::prelude::*;

use super::strings::Strings;
use crate::error::{Error, ErrorCode, Result};
use crate::measure::Unit;

/// Characters of a group.
const GROUP: usize = 32;

/// Words of a group are a multiple of this, so that they are loaded as vectors and offsets count in such units.
const VECTOR: usize = 4;

/// Texts that one core looks at.
const CHUNK: usize = 1 << 14;

/// What the planes of all texts of a domain have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneShape {
    /// The bits of a character code.
    pub planes: u32,
    /// Words of a group.
    pub stride: u32,
    /// Characters of the longest text.
    pub longest: usize,
}

impl PlaneShape {
    /// That of the texts with codes below `count`.
    pub fn for_strings<U: Unit + Send + Sync>(strings: Strings<'_, U>, count: u32) -> Self {
        let greatest = |code| strings.get(code).iter().map(|unit| (*unit).into()).max().unwrap_or(0);
        let codes = || (0..count).into_par_iter().with_min_len(CHUNK);
        let greatest: u32 = codes().map(greatest).max().unwrap_or(0);
        let planes = (u32::BITS - greatest.leading_zeros()).max(1);
        let stride = (planes as usize).next_multiple_of(VECTOR) as u32;
        Self { planes, stride, longest: codes().map(|code| strings.length(code)).max().unwrap_or(0) }
    }

    /// What a text takes, in units of four words.
    fn vectors(self, length: usize) -> usize {
        length.div_ceil(GROUP) * self.stride as usize / VECTOR
    }
}

/// The places of the planes of a domain's texts.
#[derive(Debug)]
pub struct Planes {
    /// By code: where a text begins, in units of four words, and its characters.
    pub heads: Vec<[u32; 2]>,
    /// Words of all groups.
    pub words: usize,
}

impl Planes {
    /// The places for the texts with codes below `count`, whose planes have this shape.
    pub fn new<U: Unit + Send + Sync>(strings: Strings<'_, U>, count: u32, shape: PlaneShape) -> Result<Self> {
        let mut heads: Vec<[u32; 2]> =
            (0..count).into_par_iter().map(|code| [0, strings.length(code) as u32]).collect();
        let vectors = |chunk: &[[u32; 2]]| chunk.iter().map(|head| shape.vectors(head[1] as usize)).sum::<usize>();
        let sums: Vec<usize> = heads.par_chunks(CHUNK).map(vectors).collect();
        let before = |before: &mut usize, sum: usize| {
            *before += sum;
            Some(*before - sum)
        };
        let all: usize = sums.iter().sum();
        u32::try_from(all).map_err(|_| too_long())?;
        let begins: Vec<usize> = sums.into_iter().scan(0, before).collect();
        heads.par_chunks_mut(CHUNK).zip(begins).for_each(|(chunk, mut begin)| {
            for head in chunk {
                head[0] = begin as u32;
                begin += shape.vectors(head[1] as usize);
            }
        });
        Ok(Self { heads, words: all * VECTOR })
    }
}

fn too_long() -> Error {
    Error::resource("the texts of a domain are more than a device can number (64 GiB)")
        .with_code(ErrorCode::DoesNotFitDevice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planes<U: Unit + Send + Sync>(strings: Strings<'_, U>, count: u32) -> Planes {
        Planes::new(strings, count, PlaneShape::for_strings(strings, count)).unwrap()
    }

    #[test]
    fn a_group_has_room_for_every_bit_of_its_characters() {
        let (units, ends): (Vec<u16>, Vec<usize>) = ((0..100).map(|unit| unit * 5).collect(), vec![33, 33, 65, 100]);
        let strings = Strings::new(&units, &ends);
        assert_eq!(PlaneShape::for_strings(strings, 4), PlaneShape { planes: 9, stride: 12, longest: 35 });
        let planes = planes(strings, 4);
        assert_eq!(planes.heads, [[0, 33], [6, 0], [6, 32], [9, 35]]);
        assert_eq!(planes.words, 5 * 12);
    }

    #[test]
    fn no_texts_and_one_empty_text_have_no_words() {
        assert_eq!(planes(Strings::<u8>::new(&[], &[]), 0).words, 0);
        let empty = planes(Strings::<u8>::new(&[], &[0]), 1);
        assert_eq!((empty.words, empty.heads), (0, vec![[0, 0]]));
    }
}
