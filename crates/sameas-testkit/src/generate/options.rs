//! What to generate.

use super::{cds, people, publications};

/// What the records describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `id, given_name, surname, street, city, state, postcode, phone, email, birth_date`
    People,
    /// `id, title, authors, venue, year`
    Publications,
    /// `id, artist, title, track01, track02`
    Cds,
}

impl Kind {
    /// The columns after the id.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Kind::People => &people::COLUMNS,
            Kind::Publications => &publications::COLUMNS,
            Kind::Cds => &cds::COLUMNS,
        }
    }
}

/// The format of the records; the truth is always CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values by RFC 4180, in UTF-8; a missing value is an empty field.
    Csv,
    /// Parquet with text columns; a missing value is null.
    Parquet,
}

/// What to generate.
#[derive(Clone, Debug)]
pub struct Options {
    /// People, publications or CDs.
    pub kind: Kind,
    /// The number of records, over both inputs.
    pub records: u64,
    /// The share of records that are dirty copies of another, from 0 to 1; with two inputs, the share of the right
    /// input's records that are copies of a left one.
    pub duplicates: f64,
    /// The share of values that are missing besides those that a record lacks anyway, from 0 to 1.
    pub missing: f64,
    /// Two inputs of half the records each, each without duplicates in itself.
    pub two_inputs: bool,
    /// The same seed makes the same files.
    pub seed: u64,
    /// The format of the records.
    pub format: Format,
}

impl Default for Options {
    /// A thousand people, a fifth of them duplicates, as CSV.
    fn default() -> Self {
        let (kind, format) = (Kind::People, Format::Csv);
        Options { kind, records: 1000, duplicates: 0.2, missing: 0.0, two_inputs: false, seed: 42, format }
    }
}
