//! Distinct texts recoded to their own alphabet: one code per character, as narrow as the alphabet allows.

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::alphabet::Alphabet;
use super::bytes::text;
use super::dictionary::Dictionary;
use super::gather::gather;
use super::planes::PlaneShape;
use super::signature::Signatures;
use super::strings::Strings;
use crate::cancel::Cancel;

/// Values per task.
const CHUNK: usize = 1 << 14;

/// Character codes of all values, one after the other.
#[derive(Debug)]
enum CharCodes {
    /// Up to 256 distinct characters.
    U8(Vec<u8>),
    /// Up to 65,536 distinct characters.
    U16(Vec<u16>),
    /// More.
    U32(Vec<u32>),
}

/// The texts of a domain, by code.
#[derive(Debug)]
pub struct Texts {
    units: CharCodes,
    ends: Arc<Vec<usize>>,
    /// The ends are those of the dictionary.
    shares_ends: bool,
    signatures: Signatures,
    empty: Option<u32>,
    plane_shape: OnceLock<PlaneShape>,
}

impl Texts {
    /// Recodes the values of a dictionary of texts.
    pub fn new(dictionary: &Dictionary, cancel: Cancel<'_>) -> Self {
        // A character takes at most as many bytes here as in the text, or twice where the alphabet is large.
        let _held = cancel.hold(dictionary.bytes());
        let alphabet = Alphabet::from_pieces(pieces(dictionary));
        let ends = ends(dictionary, &alphabet);
        let units = match alphabet.size {
            0..=0x100 => CharCodes::U8(recode(dictionary, &ends, &alphabet, |code| code as u8)),
            0x101..=0x1_0000 => CharCodes::U16(recode(dictionary, &ends, &alphabet, |code| code as u16)),
            _ => CharCodes::U32(recode(dictionary, &ends, &alphabet, |code| code)),
        };
        let signatures = match &units {
            CharCodes::U8(units) => Signatures::new(Strings::new(units, &ends), ends.len() as u32),
            CharCodes::U16(units) => Signatures::new(Strings::new(units, &ends), ends.len() as u32),
            CharCodes::U32(units) => Signatures::new(Strings::new(units, &ends), ends.len() as u32),
        };
        let empty = codes(dictionary).find_any(|code| dictionary.value(*code).is_empty());
        Self { units, ends, shares_ends: alphabet.is_ascii, signatures, empty, plane_shape: OnceLock::new() }
    }

    /// Some of the texts, whose codes ascend.
    pub(super) fn part(&self, kept: &[u32]) -> Self {
        let (units, ends) = match &self.units {
            CharCodes::U8(units) => with_ends(CharCodes::U8, gather(units, &self.ends, kept)),
            CharCodes::U16(units) => with_ends(CharCodes::U16, gather(units, &self.ends, kept)),
            CharCodes::U32(units) => with_ends(CharCodes::U32, gather(units, &self.ends, kept)),
        };
        let empty = self.empty.and_then(|code| kept.binary_search(&code).ok()).map(|at| at as u32);
        let signatures = self.signatures.part(kept);
        Self { units, ends: Arc::new(ends), shares_ends: false, signatures, empty, plane_shape: OnceLock::new() }
    }

    /// The number of texts.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The code of the empty text, if it is one of them.
    pub fn empty(&self) -> Option<u32> {
        self.empty
    }

    /// Their signatures.
    #[inline]
    pub fn signatures(&self) -> &Signatures {
        &self.signatures
    }

    /// The characters of the longest; of a part of them perhaps more.
    pub fn longest(&self) -> usize {
        self.signatures.longest()
    }

    /// What their bit planes have in common; found when it is first asked for.
    pub fn plane_shape(&self) -> PlaneShape {
        let count = self.len() as u32;
        *self.plane_shape.get_or_init(|| match self.strings() {
            AnyStrings::U8(strings) => PlaneShape::for_strings(strings, count),
            AnyStrings::U16(strings) => PlaneShape::for_strings(strings, count),
            AnyStrings::U32(strings) => PlaneShape::for_strings(strings, count),
        })
    }

    /// The values, by the width of their characters.
    #[inline]
    pub fn strings(&self) -> AnyStrings<'_> {
        match &self.units {
            CharCodes::U8(units) => AnyStrings::U8(Strings::new(units, &self.ends)),
            CharCodes::U16(units) => AnyStrings::U16(Strings::new(units, &self.ends)),
            CharCodes::U32(units) => AnyStrings::U32(Strings::new(units, &self.ends)),
        }
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        let units = match &self.units {
            CharCodes::U8(units) => size_of_val(&units[..]),
            CharCodes::U16(units) => size_of_val(&units[..]),
            CharCodes::U32(units) => size_of_val(&units[..]),
        };
        let ends = if self.shares_ends { 0 } else { size_of_val(&self.ends[..]) };
        units + ends + self.signatures.bytes()
    }
}

/// Texts of one of the widths.
#[derive(Clone, Copy, Debug)]
pub enum AnyStrings<'a> {
    /// Up to 256 distinct characters.
    U8(Strings<'a, u8>),
    /// Up to 65,536 distinct characters.
    U16(Strings<'a, u16>),
    /// More.
    U32(Strings<'a, u32>),
}

fn with_ends<U>(of: fn(Vec<U>) -> CharCodes, (units, ends): (Vec<U>, Vec<usize>)) -> (CharCodes, Vec<usize>) {
    (of(units), ends)
}

fn codes(dictionary: &Dictionary) -> rayon::range::Iter<u32> {
    (0..dictionary.len() as u32).into_par_iter()
}

/// Where the characters of each value end.
fn ends(dictionary: &Dictionary, alphabet: &Alphabet) -> Arc<Vec<usize>> {
    if alphabet.is_ascii {
        return Arc::clone(dictionary.ends());
    }
    let mut ends: Vec<usize> = codes(dictionary).map(|code| text(dictionary.value(code)).chars().count()).collect();
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    Arc::new(ends)
}

/// Writes each piece of the values to its place.
fn recode<U: Copy + Default + Send>(
    dictionary: &Dictionary,
    ends: &[usize],
    alphabet: &Alphabet,
    narrow: impl Fn(u32) -> U + Copy + Sync,
) -> Vec<U> {
    let mut units = vec![U::default(); ends.last().copied().unwrap_or(0)];
    let (mut rest, mut pieces, mut start) = (&mut units[..], Vec::new(), 0);
    for (piece, ends) in ends.chunks(CHUNK).enumerate() {
        let end = ends[ends.len() - 1];
        let (own, others) = rest.split_at_mut(end - start);
        (rest, start) = (others, end);
        pieces.push((piece * CHUNK..piece * CHUNK + ends.len(), own));
    }
    pieces.into_par_iter().for_each(|(codes, units)| {
        if alphabet.is_ascii {
            return alphabet.recode_ascii(dictionary.bytes_of(codes), units, narrow);
        }
        let mut made = Vec::with_capacity(units.len());
        codes.for_each(|code| alphabet.recode(dictionary.value(code as u32), &mut made, narrow));
        units.copy_from_slice(&made);
    });
    units
}

/// The values of a dictionary in pieces.
fn pieces(dictionary: &Dictionary) -> impl ParallelIterator<Item = impl Iterator<Item = &[u8]> + Send> {
    let pieces = (0..dictionary.len().div_ceil(CHUNK)).into_par_iter();
    pieces.map(|piece| {
        let end = dictionary.len().min((piece + 1) * CHUNK);
        (piece * CHUNK..end).map(|code| dictionary.value(code as u32))
    })
}
