//! What identifies records that were read, so that whoever reads them again knows whether they are the same.

use serde::{Deserialize, Serialize};

use super::content_hash::content_hash;
use super::table::Table;

/// What identifies the records that were read of an input: how many there are, and a hash of the columns that were read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ContentId {
    /// Number of records.
    pub rows: u64,
    /// The 128-bit XXH3 hash of the columns: their names, types and values.
    pub xxh128: String,
}

impl ContentId {
    /// That of this number of records whose hash is known.
    #[doc(hidden)]
    pub fn new(rows: u64, xxh128: &str) -> Self {
        Self { rows, xxh128: xxh128.to_owned() }
    }

    /// That of a table.
    #[doc(hidden)]
    pub fn from_table(table: &Table) -> Self {
        Self { rows: table.rows() as u64, xxh128: format!("{:032x}", content_hash(table)) }
    }

    /// Whether it is that of these records. Runs of earlier versions have recorded no hash.
    #[doc(hidden)]
    pub fn is_of(&self, found: &Self) -> bool {
        self.rows == found.rows && (self.xxh128.is_empty() || self.xxh128 == found.xxh128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_known_by_their_number_and_their_hash() {
        let known = ContentId::new(3, "00");
        assert!(known.is_of(&ContentId::new(3, "00")));
        assert!(!known.is_of(&ContentId::new(3, "01")) && !known.is_of(&ContentId::new(4, "00")));
        let without_hash = ContentId::new(3, "");
        assert!(without_hash.is_of(&known) && !without_hash.is_of(&ContentId::new(2, "00")));
    }
}
