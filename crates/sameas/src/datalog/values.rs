//! The values of a domain, numbered in their order, so that codes compare like values.

use std::collections::HashMap;

use rayon::prelude::*;

use super::core::ProgramValue;
use crate::error::{Error, Result};

/// A table of all numbers between the least and the greatest is taken where it has at most this many entries for each
/// value: it is faster than a search.
const SPARSE: usize = 8;

/// A table of this size is always taken.
const SMALL_TABLE: usize = 1 << 16;

/// The values of a domain in their order; the code of a value is its place.
#[derive(Debug)]
pub(super) enum DomainValues {
    Numbers(NumberCodes),
    Texts(TextCodes),
}

/// Numbers and how their codes are found.
#[derive(Debug, Default)]
pub(super) struct NumberCodes {
    values: Vec<i64>,
    /// The codes of all numbers from the least on, where that is not too large.
    table: Vec<u32>,
}

/// Texts and how their codes are found.
#[derive(Debug, Default)]
pub(super) struct TextCodes {
    values: Vec<Box<str>>,
    codes: HashMap<Box<str>, u32, foldhash::fast::RandomState>,
}

impl DomainValues {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.values.len(),
            Self::Texts(texts) => texts.values.len(),
        }
    }

    /// The code of a value of the domain.
    pub fn code(&self, value: &ProgramValue) -> Option<u32> {
        match (self, value) {
            (Self::Numbers(numbers), ProgramValue::Number(value)) => numbers.code(*value),
            (Self::Texts(texts), ProgramValue::Text(value)) => texts.code(value),
            _ => None,
        }
    }

    /// Bytes that it takes, roughly.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.values.len() * 8 + numbers.table.len() * 4,
            Self::Texts(texts) => texts.values.iter().map(|text| 2 * text.len() + BESIDE_A_TEXT).sum(),
        }
    }
}

/// Bytes beside the characters of a text: two pointers with lengths, a code, a place in a table.
const BESIDE_A_TEXT: usize = 64;

impl NumberCodes {
    /// These values, in any order and with repetitions.
    pub fn of(mut values: Vec<i64>) -> Result<Self> {
        values.par_sort_unstable();
        values.dedup();
        check_number(values.len())?;
        let range = match (values.first(), values.last()) {
            (Some(least), Some(greatest)) => greatest.checked_sub(*least).and_then(|range| usize::try_from(range).ok()),
            _ => None,
        };
        let most = (values.len() * SPARSE).max(SMALL_TABLE);
        let table = match range.filter(|range| *range < most) {
            Some(range) => table_of(&values, range + 1),
            None => Vec::new(),
        };
        Ok(Self { values, table })
    }

    /// All values, in order.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The code of a value, if it is in the domain.
    pub fn code(&self, value: i64) -> Option<u32> {
        if self.table.is_empty() {
            return self.values.binary_search(&value).ok().map(|code| code as u32);
        }
        let place = usize::try_from(value.checked_sub(self.values[0])?).ok()?;
        // A number that is missing has the code of the next one.
        self.table.get(place).copied().filter(|code| self.values[*code as usize] == value)
    }
}

fn table_of(values: &[i64], range: usize) -> Vec<u32> {
    let mut table = vec![0; range];
    let mut at = 0;
    for (code, value) in values.iter().enumerate() {
        let place = value.wrapping_sub(values[0]) as usize;
        table[at..=place].fill(code as u32);
        at = place + 1;
    }
    table
}

impl TextCodes {
    /// These values, in any order and with repetitions.
    pub fn of<'a>(texts: impl ParallelIterator<Item = &'a str>) -> Result<Self> {
        type Distinct<'a> = hashbrown::HashSet<&'a str, foldhash::fast::RandomState>;
        let add = |mut set: Distinct<'a>, text| {
            set.insert(text);
            set
        };
        let join = |mut a: Distinct<'a>, mut b: Distinct<'a>| {
            if a.len() < b.len() {
                std::mem::swap(&mut a, &mut b);
            }
            a.extend(b);
            a
        };
        let distinct = texts.fold(Distinct::default, add).reduce(Distinct::default, join);
        let mut sorted: Vec<&str> = distinct.into_iter().collect();
        sorted.par_sort_unstable();
        check_number(sorted.len())?;
        let codes = sorted.iter().enumerate().map(|(code, text)| (Box::from(*text), code as u32)).collect();
        Ok(Self { values: sorted.into_iter().map(Box::from).collect(), codes })
    }

    /// All values, in order.
    pub fn values(&self) -> &[Box<str>] {
        &self.values
    }

    /// The code of a value, if it is in the domain.
    pub fn code(&self, value: &str) -> Option<u32> {
        self.codes.get(value).copied()
    }
}

fn check_number(values: usize) -> Result<()> {
    if values as u64 <= 1 << 32 {
        return Ok(());
    }
    let message = format!("columns that are compared with each other have {values} values, and 2^32 are possible");
    Err(Error::data(message).with_help("divide the relations into parts that share no values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_the_order_of_the_values() {
        for values in
            [vec![], vec![7], vec![5, -3, 5, 70_000, i64::MAX, i64::MIN], (-50..50).rev().step_by(7).collect()]
        {
            let codes = NumberCodes::of(values.clone()).unwrap();
            assert!(codes.values().is_sorted_by(|a, b| a < b));
            for value in &values {
                assert_eq!(codes.values()[codes.code(*value).unwrap() as usize], *value);
            }
            assert_eq!((codes.code(6), codes.code(-51), codes.code(80_000)), (None, None, None));
        }
        let texts = TextCodes::of(["b", "", "a", "b", "é"].into_par_iter()).unwrap();
        assert_eq!(["", "a", "b", "é", "c"].map(|text| texts.code(text)), [Some(0), Some(1), Some(2), Some(3), None]);
    }
}
