//! What is known of each length of texts: in a table for lengths that are usual, and in a map for those of a few long texts.

use std::collections::BTreeMap;

/// The lengths of the table.
const USUAL: usize = 4096;

/// A value for each length; the default for those that have none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByLength<T> {
    usual: Vec<T>,
    long: BTreeMap<usize, T>,
    /// What all other lengths have.
    none: T,
}

impl<T: Clone + Default> ByLength<T> {
    /// The value of a length.
    #[inline]
    pub fn get(&self, length: usize) -> &T {
        match self.usual.get(length) {
            Some(value) => value,
            None if length < USUAL => &self.none,
            None => self.long.get(&length).unwrap_or(&self.none),
        }
    }

    /// The value of a length, to be changed.
    pub fn get_mut(&mut self, length: usize) -> &mut T {
        if length >= USUAL {
            return self.long.entry(length).or_default();
        }
        if self.usual.len() <= length {
            self.usual.resize(length + 1, T::default());
        }
        &mut self.usual[length]
    }

    /// All lengths that may have values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.usual.iter().enumerate().chain(self.long.iter().map(|(length, value)| (*length, value)))
    }

    /// The greatest length that has a value; zero where none has.
    pub fn longest(&self) -> usize {
        self.long.last_key_value().map_or(self.usual.len().saturating_sub(1), |(length, _)| *length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lengths_take_no_table() {
        let mut lengths = ByLength::<u64>::default();
        assert_eq!((lengths.longest(), *lengths.get(7), *lengths.get(1 << 40)), (0, 0, 0));
        for length in [3, USUAL - 1, USUAL, 1 << 40] {
            *lengths.get_mut(length) += 1;
        }
        assert_eq!((lengths.longest(), *lengths.get(3), *lengths.get(USUAL + 1)), (1 << 40, 1, 0));
        let some: Vec<usize> = lengths.iter().filter(|(_, count)| **count > 0).map(|(length, _)| length).collect();
        assert_eq!(some, [3, USUAL - 1, USUAL, 1 << 40]);
    }
}
