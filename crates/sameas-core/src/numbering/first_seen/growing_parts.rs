//! Values of blocks that come one after the other: those of some blocks are numbered together, on all cores.
//!
//! The hash of a value chooses its part, as in `split`, and a part numbers its values as they come. So the number of a value
//! says its part and its number there: numbers have gaps, and no part waits for another one.

use rayon::prelude::*;

use super::split::SplitValues;
use crate::error::{Error, Result};
use crate::numbering::growing::GrowingNumbers;
use crate::numbering::value_list::{ValueList, up_to_end};

/// Parts: enough for many cores, and few enough that some blocks have values of each.
const PARTS: usize = 64;

/// Bits of a number that say its part.
const PART_BITS: u32 = PARTS.trailing_zeros();

/// The values of a part have numbers below this one.
const MOST_OF_PART: usize = 1 << (u32::BITS - PART_BITS);

/// Distinct values, in parts.
#[derive(Debug)]
pub struct GrowingParts {
    parts: Vec<GrowingNumbers>,
}

impl Default for GrowingParts {
    fn default() -> Self {
        Self { parts: (0..PARTS).map(|_| GrowingNumbers::default()).collect() }
    }
}

/// The numbers that a part has given the values of some blocks.
#[derive(Default)]
struct GivenNumbers {
    numbers: Vec<u32>,
    /// Where those of each block end.
    ends: Vec<usize>,
}

impl GrowingParts {
    /// The numbers of the values of some blocks, new ones for those that are unknown.
    pub fn number(&mut self, blocks: &[&[&[u8]]]) -> Result<Vec<Vec<u32>>> {
        let split_block = |values: &&[&[u8]]| SplitValues::new(values.len(), PARTS, |place| values.get(place).copied());
        let split: Vec<SplitValues> = blocks.par_iter().map(split_block).collect();
        let number_part = |(part, numbers): (usize, &mut GrowingNumbers)| {
            let mut given = GivenNumbers::default();
            for (values, split) in blocks.iter().zip(&split) {
                let of_part = split.values.list(part).iter().map(|value| values[value.place as usize]);
                given.numbers.extend(of_part.map(|value| number_of(part, numbers.number(value))));
                given.ends.push(given.numbers.len());
            }
            given
        };
        let given: Vec<GivenNumbers> = self.parts.par_iter_mut().enumerate().map(number_part).collect();
        if self.parts.iter().any(|part| part.count() > MOST_OF_PART) {
            return Err(Error::data(format!("{} different ids are too many", self.count())));
        }
        let of_block = |(block, split): (usize, &SplitValues)| {
            let mut numbers = vec![0; blocks[block].len()];
            split.write_numbers(&mut numbers, given.iter().map(|of| (0, up_to_end(&of.numbers, &of.ends, block))));
            numbers
        };
        Ok(split.par_iter().enumerate().map(of_block).collect())
    }

    /// The part of a number, and which of its values it is.
    #[inline]
    pub fn place(number: u32) -> (usize, usize) {
        ((number as usize) % PARTS, (number >> PART_BITS) as usize)
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.parts.iter().map(GrowingNumbers::count).sum()
    }

    /// How many values each part has.
    pub fn counts(&self) -> Vec<usize> {
        self.parts.iter().map(GrowingNumbers::count).collect()
    }

    /// The values of each part, when there will be no more.
    pub fn into_values(self) -> Vec<ValueList> {
        self.parts.into_iter().map(GrowingNumbers::into_values).collect()
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(GrowingNumbers::bytes).sum()
    }
}

/// The number of a value by its part and its number there. Of too many values numbers are wrong, and nobody gets them.
#[inline]
fn number_of(part: usize, number: u32) -> u32 {
    number << PART_BITS | part as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that numbers stand for.
    fn values(parts: &[ValueList], numbers: &[u32]) -> Vec<Vec<u8>> {
        let value = |number: &u32| {
            let (part, place) = GrowingParts::place(*number);
            parts[part].value(place as u32).to_vec()
        };
        numbers.iter().map(value).collect()
    }

    #[test]
    fn equal_values_of_all_blocks_have_one_number() {
        let texts: Vec<String> = (0..30_000).map(|at| (at * 7919 % 9_001).to_string()).collect();
        let all: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
        for step in [1 << 10, 30_000] {
            let (mut parts, mut numbers) = (GrowingParts::default(), Vec::new());
            let blocks: Vec<&[&[u8]]> = all.chunks(step).collect();
            for some in blocks.chunks(3) {
                numbers.extend(parts.number(some).unwrap().into_iter().flatten());
            }
            assert_eq!((parts.count(), parts.counts().iter().sum::<usize>()), (9_001, 9_001));
            let mut distinct = numbers.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), 9_001);
            assert!(parts.bytes() > 9_001 * 8);
            let found = values(&parts.into_values(), &numbers);
            assert!(found.iter().zip(&all).all(|(found, value)| found == value));
        }
    }

    #[test]
    fn blocks_may_be_empty() {
        let mut parts = GrowingParts::default();
        let values: [&[u8]; 3] = [b"", b"a", b""];
        let numbers = parts.number(&[&[], &values, &[]]).unwrap();
        assert_eq!((numbers[0].len(), numbers[1].len(), numbers[2].len(), parts.count()), (0, 3, 0, 2));
        assert_eq!(numbers[1][0], numbers[1][2]);
        assert!(parts.number(&[]).unwrap().is_empty());
    }
}
