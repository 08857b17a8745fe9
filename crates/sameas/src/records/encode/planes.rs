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

/// The places of the planes of a domain's texts.
#[derive(Debug)]
pub struct Planes {
    /// By code: where a text begins, in units of four words, and its characters.
    pub heads: Vec<[u32; 2]>,
    /// Words of all groups.
    pub words: usize,
    /// The bits of a character code.
    pub planes: u32,
    /// Words of a group.
    pub stride: u32,
}

impl Planes {
    /// The places for the texts with codes below `count`.
    pub fn new<U: Unit + Send + Sync>(strings: Strings<'_, U>, count: u32) -> Result<Self> {
        let greatest = |code| strings.get(code).iter().map(|unit| (*unit).into()).max().unwrap_or(0);
        let greatest: u32 = (0..count).into_par_iter().map(greatest).max().unwrap_or(0);
        let planes = (u32::BITS - greatest.leading_zeros()).max(1);
        let stride = (planes as usize).next_multiple_of(VECTOR);
        let (mut heads, mut offset) = (Vec::with_capacity(count as usize), 0_usize);
        for code in 0..count {
            let length = strings.length(code);
            let begin = u32::try_from(offset).map_err(|_| too_long())?;
            heads.push([begin, length as u32]);
            offset += length.div_ceil(GROUP) * stride / VECTOR;
        }
        Ok(Self { heads, words: offset * VECTOR, planes, stride: stride as u32 })
    }
}

fn too_long() -> Error {
    Error::resource("the texts of a domain are more than a device can number (64 GiB)")
        .with_code(ErrorCode::DoesNotFitDevice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_room_for_every_bit_of_its_characters() {
        let (units, ends): (Vec<u16>, Vec<usize>) = ((0..100).map(|unit| unit * 5).collect(), vec![33, 33, 65, 100]);
        let planes = Planes::new(Strings::new(&units, &ends), 4).unwrap();
        assert_eq!((planes.planes, planes.stride), (9, 12));
        assert_eq!(planes.heads, [[0, 33], [6, 0], [6, 32], [9, 35]]);
        assert_eq!(planes.words, 5 * 12);
    }

    #[test]
    fn no_texts_and_one_empty_text_have_no_words() {
        assert_eq!(Planes::new(Strings::<u8>::new(&[], &[]), 0).unwrap().words, 0);
        let empty = Planes::new(Strings::<u8>::new(&[], &[0]), 1).unwrap();
        assert_eq!((empty.words, empty.heads), (0, vec![[0, 0]]));
    }
}
