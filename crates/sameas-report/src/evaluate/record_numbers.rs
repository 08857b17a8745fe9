//! Records by number: each distinct id, as text and with the input it is from, gets the next number.

use crate::numbering::GrowingNumbers;

/// Distinct records, numbered from 0; the number of the input comes before the id.
#[derive(Debug, Default)]
pub struct RecordNumbers(GrowingNumbers);

impl RecordNumbers {
    /// None yet, with room for this many.
    pub fn with_room(records: usize) -> Self {
        Self(GrowingNumbers::with_room(records, 0))
    }

    /// The number of the record `id` of an input, a new one if it is unknown.
    pub fn number(&mut self, source: u32, id: &str) -> u32 {
        self.0.number_written(|bytes| write(bytes, source, id))
    }

    /// The number of the record `id` of an input, if it is known; `scratch` is memory to look it up in.
    pub fn find(&self, source: u32, id: &str, scratch: &mut Vec<u8>) -> Option<u32> {
        scratch.clear();
        write(scratch, source, id);
        self.0.find(scratch)
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// The id of a record.
    pub(crate) fn id(&self, number: u32) -> &str {
        // Ids were texts, and are not cut.
        std::str::from_utf8(&self.0.value(number)[size_of::<u32>()..]).unwrap_or_default()
    }

    /// The input that a record comes from.
    pub fn source(&self, number: u32) -> u32 {
        let value = self.0.value(number);
        u32::from_le_bytes([value[0], value[1], value[2], value[3]])
    }
}

fn write(bytes: &mut Vec<u8>, source: u32, id: &str) {
    bytes.extend_from_slice(&source.to_le_bytes());
    bytes.extend_from_slice(id.as_bytes());
}
