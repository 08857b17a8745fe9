//! The characters in use, numbered without gaps, so that a short substring is a small integer.

use rayon::prelude::*;

use super::bytes::text;

/// Number of Unicode code points.
const CODE_POINTS: usize = 0x11_0000;

/// The characters of some values, numbered in code-point order.
pub struct Alphabet {
    code: Vec<u32>,
    /// The number of characters.
    pub size: u64,
    /// Whether all of them are ASCII.
    pub is_ascii: bool,
}

/// Which characters occur: a byte for each of the first 128, because bits would make every step wait for the one
/// before, and bits for the others.
struct Used {
    ascii: [bool; 128],
    others: Vec<u64>,
}

impl Used {
    fn from_values<'v>(values: impl Iterator<Item = &'v [u8]>) -> Self {
        let mut used = Self { ascii: [false; 128], others: Vec::new() };
        for value in values {
            if value.is_ascii() {
                value.iter().for_each(|b| used.ascii[usize::from(b & 127)] = true);
            } else {
                used.add(text(value));
            }
        }
        used
    }

    fn add(&mut self, text: &str) {
        self.others.resize(CODE_POINTS / 64, 0);
        text.chars().for_each(|c| self.others[c as usize / 64] |= 1 << (c as usize % 64));
    }

    fn merged(mut self, other: &Self) -> Self {
        self.ascii.iter_mut().zip(&other.ascii).for_each(|(a, b)| *a |= b);
        self.others.resize(self.others.len().max(other.others.len()), 0);
        self.others.iter_mut().zip(&other.others).for_each(|(a, b)| *a |= b);
        self
    }
}

impl Alphabet {
    /// The alphabet of values that come in pieces; each piece is one task.
    pub fn from_pieces<'v, P: Iterator<Item = &'v [u8]> + Send>(pieces: impl ParallelIterator<Item = P>) -> Self {
        let none = || Used { ascii: [false; 128], others: Vec::new() };
        let mut used = pieces.map(Used::from_values).reduce(none, |a, b| a.merged(&b));
        let is_ascii = used.others.is_empty();
        used.others.resize(2.max(used.others.len()), 0);
        used.ascii.iter().enumerate().for_each(|(c, u)| used.others[c / 64] |= u64::from(*u) << (c % 64));
        let (mut size, mut code) = (0, vec![0; used.others.len() * 64]);
        for (word, bits) in used.others.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                code[word * 64 + bits.trailing_zeros() as usize] = size;
                size += 1;
                bits &= bits - 1;
            }
        }
        Self { code, size: u64::from(size), is_ascii }
    }

    /// Writes the numbers of the characters of ASCII values that lie one after the other.
    pub fn recode_ascii<U>(&self, values: &[u8], codes: &mut [U], narrow: impl Fn(u32) -> U) {
        values.iter().zip(codes).for_each(|(byte, code)| *code = narrow(self.code[usize::from(*byte)]));
    }

    /// Appends the numbers of a value's characters to `codes`, in the width that `narrow` converts them to.
    pub fn recode<U>(&self, value: &[u8], codes: &mut Vec<U>, narrow: impl Fn(u32) -> U) {
        if value.is_ascii() {
            codes.extend(value.iter().map(|b| narrow(self.code[usize::from(*b)])));
        } else {
            codes.extend(text(value).chars().map(|c| narrow(self.code[c as usize])));
        }
    }
}
