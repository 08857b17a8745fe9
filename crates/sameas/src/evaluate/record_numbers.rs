//! Records by number: each distinct id, as text and with the input it is from, gets the next number.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The inputs by name; the first is the left one.
#[derive(Clone, Debug, Default)]
pub struct InputNames {
    numbers: HashMap<String, u32>,
    /// The names by number.
    names: Vec<String>,
}

impl InputNames {
    /// The inputs as far as their names are known already.
    pub fn new(names: Vec<String>) -> Self {
        let mut known = Self::default();
        for name in names {
            known.number(&name);
        }
        known
    }

    /// The number of an input, a new one if it is unknown.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }

    /// The number of known inputs.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The name of the input with this number.
    pub(super) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }

    /// Whether no input is known.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}

/// Distinct records, numbered from 0. One buffer holds all ids: millions of ids do not need millions of allocations.
#[derive(Debug, Default)]
pub struct RecordNumbers {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    places: HashTable<u32>,
    hasher: FixedState,
}

impl RecordNumbers {
    /// None yet, with room for this many.
    pub fn with_room(records: usize) -> Self {
        Self { ends: Vec::with_capacity(records), places: HashTable::with_capacity(records), ..Self::default() }
    }

    /// The number of the record `id` of an input, a new one if it is unknown.
    pub fn number(&mut self, source: u32, id: &str) -> u32 {
        let from = self.bytes.len();
        self.bytes.extend_from_slice(&source.to_le_bytes());
        self.bytes.extend_from_slice(id.as_bytes());
        let hash = self.hasher.hash_one(&self.bytes[from..]);
        let (bytes, ends) = (&self.bytes, &self.ends);
        let key = &bytes[from..];
        if let Some(known) = self.places.find(hash, |place| text(bytes, ends, *place) == key) {
            let known = *known;
            self.bytes.truncate(from);
            return known;
        }
        let number = self.ends.len() as u32;
        self.ends.push(self.bytes.len());
        let Self { bytes, ends, places, hasher } = self;
        places.insert_unique(hash, number, |place| hasher.hash_one(text(bytes, ends, *place)));
        number
    }

    /// The number of the record `id` of an input, if it is known; `scratch` is memory to look it up in.
    pub fn find(&self, source: u32, id: &str, scratch: &mut Vec<u8>) -> Option<u32> {
        scratch.clear();
        scratch.extend_from_slice(&source.to_le_bytes());
        scratch.extend_from_slice(id.as_bytes());
        let hash = self.hasher.hash_one(&scratch[..]);
        self.places.find(hash, |place| text(&self.bytes, &self.ends, *place) == &scratch[..]).copied()
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<usize>() + self.places.allocation_size()
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The id of a record.
    pub(crate) fn id(&self, number: u32) -> &str {
        // The number of the input comes first. Ids were texts, and are not cut.
        std::str::from_utf8(&text(&self.bytes, &self.ends, number)[size_of::<u32>()..]).unwrap_or_default()
    }

    /// The input that a record comes from.
    pub fn source(&self, number: u32) -> u32 {
        let text = text(&self.bytes, &self.ends, number);
        u32::from_le_bytes([text[0], text[1], text[2], text[3]])
    }
}

fn text<'a>(bytes: &'a [u8], ends: &[usize], number: u32) -> &'a [u8] {
    let number = number as usize;
    let from = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[from..ends[number]]
}
