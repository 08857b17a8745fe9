//! The values of a domain, numbered in their order, so that codes compare like values.

use std::hash::BuildHasher;

use foldhash::fast::{FixedState, RandomState};
use hashbrown::{HashSet, HashTable};
use rayon::prelude::*;

use super::core::ProgramValue;
use super::joined_texts::JoinedTexts;
use crate::cancel::or_end;
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};

/// A table of all numbers between the least and the greatest is taken where it has at most this many entries for each
/// value: it is faster than a search.
const SPARSE: usize = 8;

/// A table of this size is always taken, unless memory is short.
const SMALL_TABLE: usize = 1 << 16;

/// Bytes beside the characters of a text: where it ends, its code, its place in a table.
const BESIDE_A_TEXT: usize = 24;

/// Bytes for each text of a set: its address and length, and what is free beside it.
const IN_A_SET: usize = 20;

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
    texts: JoinedTexts,
    codes: HashTable<u32>,
    hasher: FixedState,
}

impl DomainValues {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.values.len(),
            Self::Texts(texts) => texts.texts.len(),
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

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.values.capacity() * 8 + numbers.table.capacity() * 4,
            Self::Texts(texts) => texts.texts.bytes() + texts.codes.allocation_size(),
        }
    }
}

impl NumberCodes {
    /// These values, in any order and with repetitions. Tables leave half of the memory for what is to come.
    pub fn of(mut values: Vec<i64>, budget: &MemoryBudget) -> Result<Self> {
        values.par_sort_unstable();
        values.dedup();
        values.shrink_to_fit();
        check_number(values.len())?;
        let range = match (values.first(), values.last()) {
            (Some(least), Some(greatest)) => greatest.checked_sub(*least).and_then(|range| usize::try_from(range).ok()),
            _ => None,
        };
        let spare = budget.room().saturating_sub(budget.most() / 2) / size_of::<u32>();
        let most = (values.len() * SPARSE).max(SMALL_TABLE).min(spare);
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
    pub fn of<'a>(texts: impl ParallelIterator<Item = &'a str>, budget: &MemoryBudget) -> Result<Self> {
        let none = || SeenTexts::new(budget);
        let seen = texts.fold(none, SeenTexts::with).reduce(none, SeenTexts::joined);
        let _listed = budget.hold(seen.set.len() * size_of::<&str>())?;
        let mut sorted: Vec<&str> = seen.set.into_iter().collect();
        drop(seen.held);
        sorted.par_sort_unstable();
        check_number(sorted.len())?;
        let bytes = sorted.iter().map(|text| text.len()).sum::<usize>();
        let _made = budget.hold(bytes + sorted.len() * BESIDE_A_TEXT)?;
        let texts = JoinedTexts::with_room(sorted.len(), bytes);
        let mut made = Self { texts, codes: HashTable::with_capacity(sorted.len()), hasher: FixedState::default() };
        sorted.into_iter().for_each(|text| made.push(text));
        Ok(made)
    }

    /// Adds a text after all others.
    fn push(&mut self, text: &str) {
        let code = self.texts.len() as u32;
        self.texts.push(text);
        let Self { texts, codes, hasher } = self;
        codes.insert_unique(hasher.hash_one(text), code, |code| hasher.hash_one(texts.get(*code as usize)));
    }

    /// The value of a code.
    pub fn value(&self, code: usize) -> &str {
        self.texts.get(code)
    }

    /// The code of a value, if it is in the domain.
    pub fn code(&self, value: &str) -> Option<u32> {
        let is_it = |code: &u32| self.texts.get(*code as usize) == value;
        self.codes.find(self.hasher.hash_one(value), is_it).copied()
    }
}

/// Different texts while they are collected, and their memory: ends the job where there is too little.
struct SeenTexts<'a> {
    set: HashSet<&'a str, RandomState>,
    held: Held,
}

impl<'a> SeenTexts<'a> {
    fn new(budget: &MemoryBudget) -> Self {
        Self { set: HashSet::default(), held: or_end(budget.hold(0)) }
    }

    fn with(mut self, text: &'a str) -> Self {
        self.set.insert(text);
        or_end(self.held.grow(self.set.capacity() * IN_A_SET));
        self
    }

    fn joined(mut self, mut other: Self) -> Self {
        if self.set.len() < other.set.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.set.extend(other.set);
        or_end(self.held.grow(self.set.capacity() * IN_A_SET));
        self
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
    use crate::cancel::catch;
    use crate::error::ErrorCode;

    #[test]
    fn codes_are_in_the_order_of_the_values() {
        let budgets = [MemoryBudget::unlimited(), MemoryBudget::of_relations(1 << 10)];
        for values in
            [vec![], vec![7], vec![5, -3, 5, 70_000, i64::MAX, i64::MIN], (-50..50).rev().step_by(7).collect()]
        {
            for budget in &budgets {
                let codes = NumberCodes::of(values.clone(), budget).unwrap();
                assert!(codes.values().is_sorted_by(|a, b| a < b));
                for value in &values {
                    assert_eq!(codes.values()[codes.code(*value).unwrap() as usize], *value);
                }
                assert_eq!((codes.code(6), codes.code(-51), codes.code(80_000)), (None, None, None));
            }
        }
        let texts = TextCodes::of(["b", "", "a", "b", "é"].into_par_iter(), &budgets[0]).unwrap();
        assert_eq!(["", "a", "b", "é", "c"].map(|text| texts.code(text)), [Some(0), Some(1), Some(2), Some(3), None]);
        assert_eq!((0..4).map(|code| texts.value(code)).collect::<Vec<_>>(), ["", "a", "b", "é"]);
    }

    #[test]
    fn tables_and_texts_stay_within_the_memory() {
        let budget = MemoryBudget::of_relations(64 << 10);
        let codes = NumberCodes::of((0..10_000).map(|at| at * 7).collect(), &budget).unwrap();
        assert!(codes.table.is_empty() && codes.code(7 * 77) == Some(77) && codes.code(8).is_none());
        let texts: Vec<String> = (0..100_000).map(|at| at.to_string()).collect();
        let texts = || texts.par_iter().map(String::as_str);
        let error = catch(|| TextCodes::of(texts(), &MemoryBudget::of_relations(1 << 20))).unwrap_err();
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
        let codes = TextCodes::of(texts(), &MemoryBudget::unlimited()).unwrap();
        assert_eq!((codes.code("99999"), codes.value(0)), (Some(99_999), "0"));
    }
}
