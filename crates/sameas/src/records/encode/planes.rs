//! Texts as bit planes, the form in which a device compares them: for each 32 characters of a text, word `j` holds bit `j`
//! of their codes, the first character lowest. Alphabets of any size then take the same kernels.

use rayon::prelude::*;

use super::strings::Strings;
use crate::error::{Error, Result};
use crate::measure::Unit;

/// Characters of a group.
const GROUP: usize = 32;

/// Words of a group are a multiple of this, so that they are loaded as vectors and offsets count in such units.
const VECTOR: usize = 4;

/// Values per task.
const CHUNK: usize = 1 << 14;

/// The texts of a domain as bit planes.
#[derive(Debug)]
pub struct Planes {
    /// The groups of all texts, one behind the other.
    pub words: Vec<u32>,
    /// By code: where a text begins, in units of four words, and its characters.
    pub heads: Vec<[u32; 2]>,
    /// The bits of a character code.
    pub planes: u32,
    /// Words of a group.
    pub stride: u32,
}

impl Planes {
    /// The planes of the texts with codes below `count`.
    pub fn new<U: Unit + Send + Sync>(strings: Strings<'_, U>, count: u32) -> Result<Self> {
        let greatest = |code| strings.get(code).iter().map(|unit| (*unit).into()).max().unwrap_or(0);
        let greatest: u32 = (0..count).into_par_iter().map(greatest).max().unwrap_or(0);
        let planes = (u32::BITS - greatest.leading_zeros()).max(1);
        let stride = (planes as usize).next_multiple_of(VECTOR);
        let heads = heads(strings, count, stride)?;
        let end = |code: usize| heads.get(code).map(|head| head[0] as usize * VECTOR);
        let last = heads
            .last()
            .map_or(0, |[offset, length]| *offset as usize * VECTOR + (*length as usize).div_ceil(GROUP) * stride);
        let mut words = vec![0; last];
        let mut chunks: Vec<(usize, &mut [u32])> = Vec::new();
        let (mut rest, mut begun) = (&mut words[..], 0);
        for first in (0..count as usize).step_by(CHUNK) {
            let until = end(first + CHUNK).unwrap_or(last);
            let (chunk, others) = rest.split_at_mut(until - begun);
            chunks.push((first, chunk));
            (rest, begun) = (others, until);
        }
        chunks.into_par_iter().for_each(|(first, mut chunk)| {
            for code in first..(first + CHUNK).min(count as usize) {
                let text = strings.get(code as u32);
                let (mine, others) = chunk.split_at_mut(text.len().div_ceil(GROUP) * stride);
                fill(text, mine, stride);
                chunk = others;
            }
        });
        Ok(Self { words, heads, planes, stride: stride as u32 })
    }
}

/// Where each text begins, and its length.
fn heads<U: Unit>(strings: Strings<'_, U>, count: u32, stride: usize) -> Result<Vec<[u32; 2]>> {
    let (mut heads, mut offset) = (Vec::with_capacity(count as usize), 0_usize);
    for code in 0..count {
        let length = strings.length(code);
        let begin = u32::try_from(offset)
            .map_err(|_| Error::resource("the texts of a domain are more than a device can number (64 GiB)"))?;
        heads.push([begin, length as u32]);
        offset += length.div_ceil(GROUP) * stride / VECTOR;
    }
    Ok(heads)
}

fn fill<U: Unit>(text: &[U], words: &mut [u32], stride: usize) {
    for (characters, group) in text.chunks(GROUP).zip(words.chunks_mut(stride)) {
        for (place, unit) in characters.iter().enumerate() {
            let code: u32 = (*unit).into();
            group.iter_mut().enumerate().for_each(|(plane, word)| *word |= (code >> plane & 1) << place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_found_in_the_planes() {
        let texts: Vec<Vec<u16>> =
            (0..40_000_usize).map(|i| (0..i % 70).map(|k| ((i * k + k) % 300) as u16).collect()).collect();
        let units: Vec<u16> = texts.concat();
        let ends: Vec<usize> = texts
            .iter()
            .scan(0, |end, text| {
                *end += text.len();
                Some(*end)
            })
            .collect();
        let planes = Planes::new(Strings::new(&units, &ends), texts.len() as u32).unwrap();
        assert_eq!((planes.planes, planes.stride), (9, 12));
        for (text, [offset, length]) in texts.iter().zip(&planes.heads) {
            assert_eq!(*length as usize, text.len());
            for (i, unit) in text.iter().enumerate() {
                let group = *offset as usize * VECTOR + i / GROUP * 12;
                let code = (0..9).fold(0, |code, j| code | (planes.words[group + j] >> (i % GROUP) & 1) << j);
                assert_eq!(code, u32::from(*unit));
            }
        }
    }

    #[test]
    fn no_texts_and_one_empty_text_have_no_words() {
        assert!(Planes::new(Strings::<u8>::new(&[], &[]), 0).unwrap().words.is_empty());
        let empty = Planes::new(Strings::<u8>::new(&[], &[0]), 1).unwrap();
        assert_eq!((empty.words.len(), empty.heads), (0, vec![[0, 0]]));
    }
}
