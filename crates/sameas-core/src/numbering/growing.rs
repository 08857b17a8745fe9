//! Values that are numbered as they come: a new one gets the next number.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::value_list::ValueList;

/// Distinct values by number.
#[derive(Debug, Default)]
pub struct GrowingNumbers {
    values: ValueList,
    places: HashTable<u32>,
    hasher: FixedState,
}

impl GrowingNumbers {
    /// None yet, with room for this many values of that many bytes together.
    pub fn with_room(values: usize, bytes: usize) -> Self {
        let list = ValueList { bytes: Vec::with_capacity(bytes), ends: Vec::with_capacity(values) };
        Self { values: list, places: HashTable::with_capacity(values), hasher: FixedState::default() }
    }

    /// The number of a value, a new one if it is unknown.
    pub fn number(&mut self, value: &[u8]) -> u32 {
        self.number_written(|bytes| bytes.extend_from_slice(value))
    }

    /// The same for a value that is written here, where it stays if it is new.
    pub fn number_written(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> u32 {
        let Self { values, places, hasher } = self;
        let from = values.bytes.len();
        write(&mut values.bytes);
        let value = &values.bytes[from..];
        let hash = hasher.hash_one(value);
        if let Some(known) = places.find(hash, |place| values.value(*place) == value) {
            values.bytes.truncate(from);
            return *known;
        }
        let number = values.end_value();
        places.insert_unique(hash, number, |place| hasher.hash_one(values.value(*place)));
        number
    }

    /// Adds a value that is not among them.
    pub fn push(&mut self, value: &[u8]) -> u32 {
        let Self { values, places, hasher } = self;
        let number = values.push(value);
        places.insert_unique(hasher.hash_one(value), number, |place| hasher.hash_one(values.value(*place)));
        number
    }

    /// The number of a value, if it is known.
    pub fn find(&self, value: &[u8]) -> Option<u32> {
        self.places.find(self.hasher.hash_one(value), |place| self.values.value(*place) == value).copied()
    }

    /// The value with a number.
    pub fn value(&self, number: u32) -> &[u8] {
        self.values.value(number)
    }

    /// The same for one that was a text.
    pub fn text(&self, number: u32) -> &str {
        std::str::from_utf8(self.value(number)).unwrap_or_default()
    }

    /// All values that were texts.
    pub fn texts(&self) -> Vec<String> {
        (0..self.count()).map(|number| self.text(number as u32).to_owned()).collect()
    }

    /// All values.
    pub fn values(&self) -> &ValueList {
        &self.values
    }

    /// All values, when there will be no more.
    pub fn into_values(self) -> ValueList {
        self.values
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.values.count()
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        let ValueList { bytes, ends } = &self.values;
        bytes.capacity() + ends.capacity() * size_of::<usize>() + self.places.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_value_gets_the_next_number() {
        let mut numbers = GrowingNumbers::with_room(1, 0);
        let texts = ["b", "", "é", "b", "", "ab", "a"];
        assert_eq!(texts.map(|text| numbers.number(text.as_bytes())), [0, 1, 2, 0, 1, 3, 4]);
        assert_eq!(numbers.number_written(|bytes| bytes.extend_from_slice(b"ab")), 3);
        assert_eq!((numbers.push(b"c"), numbers.count()), (5, 6));
        assert_eq!(["a", "c", "d"].map(|text| numbers.find(text.as_bytes())), [Some(4), Some(5), None]);
        assert_eq!((numbers.value(3), numbers.text(2), numbers.text(1)), (&b"ab"[..], "é", ""));
        assert_eq!(numbers.texts(), ["b", "", "é", "ab", "a", "c"]);
        assert_eq!(numbers.into_values().ends, [1, 1, 3, 5, 6, 7]);
        let mut many = GrowingNumbers::default();
        assert!(many.find(b"").is_none() && (0..50_000_u32).all(|value| many.number(&value.to_be_bytes()) == value));
        assert!((0..50_000_u32).all(|value| many.find(&value.to_be_bytes()) == Some(value)));
        assert!((50_000 * 12..50_000 * 48).contains(&many.bytes()), "{}", many.bytes());
    }
}
