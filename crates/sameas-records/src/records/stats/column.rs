//! Statistics of one operand.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::frequencies::Frequencies;
use super::histogram::Histogram;
use super::tokens::TokenStatistics;
use crate::expr::{Num, Type};
use crate::records::encode::{AnyStrings, Domain, Encoded};

/// Heavy values reported per operand.
const HEAVY: usize = 8;

/// Characters of a heavy value that are reported.
const SHOWN: usize = 80;

/// Values per task in the search for the least and the greatest.
const PIECE: usize = 1 << 15;

/// What is known about an operand: a column, or an expression of one record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnStatistics {
    /// Its expression, written as in rules.
    pub column: String,
    /// The input its rows come from.
    pub input: String,
    /// Number of rows.
    pub rows: u64,
    /// Rows that are null.
    pub nulls: u64,
    /// Distinct values.
    pub distinct: u64,
    /// The values with the most rows, if they have more than one; most rows first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heavy: Vec<HeavyValue>,
    /// The least and the greatest value of numbers; of dates, in days since 1970-01-01.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// Characters of the sampled texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Histogram>,
    /// The token sets that rules make of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<TokenStatistics>,
}

/// A value that many rows share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeavyValue {
    /// The value; of a long one its beginning and `…`.
    pub value: String,
    /// Its rows.
    pub rows: u64,
}

impl ColumnStatistics {
    /// The statistics of an operand but for its token sets, with its exact frequencies and the rows sampled of its frame.
    pub fn new(encoded: &Encoded, operand: usize, frequencies: &Frequencies, input: &str, sample: &[u32]) -> Self {
        let (column, domain) = (&encoded.columns[operand], encoded.domain(operand));
        Self {
            column: column.text.clone(),
            input: input.to_owned(),
            rows: column.codes.len() as u64,
            nulls: u64::from(frequencies.nulls),
            distinct: frequencies.distinct(),
            heavy: heavy(domain, frequencies),
            range: range(domain, frequencies),
            lengths: (domain.ty == Type::Text).then(|| lengths(domain, &column.present_codes(sample))),
            tokens: Vec::new(),
        }
    }
}

fn heavy(domain: &Domain, frequencies: &Frequencies) -> Vec<HeavyValue> {
    let shared = frequencies.heaviest(HEAVY).into_iter().filter(|(_, rows)| *rows > 1);
    shared.map(|(code, rows)| HeavyValue { value: value_text(domain, code), rows: u64::from(rows) }).collect()
}

/// The least and the greatest of the values that occur. Rounding keeps order, so the floats show them.
fn range(domain: &Domain, frequencies: &Frequencies) -> Option<[f64; 2]> {
    if !domain.ty.is_number() && domain.ty != Type::Date {
        return None;
    }
    let pieces = frequencies.counts.par_chunks(PIECE).enumerate();
    let ranges = pieces.filter_map(|(piece, counts)| {
        let codes = counts.iter().enumerate().filter(|(_, rows)| **rows > 0).map(|(at, _)| (piece * PIECE + at) as u32);
        let numbers = codes.filter_map(|code| domain.number(code)).map(Num::to_f64);
        numbers.map(|number| [number; 2]).reduce(both)
    });
    ranges.reduce_with(both)
}

fn both(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

fn lengths(domain: &Domain, codes: &[u32]) -> Histogram {
    let length = |code: u32| match domain.texts.as_ref().map(|texts| texts.strings()) {
        Some(AnyStrings::U8(strings)) => strings.length(code),
        Some(AnyStrings::U16(strings)) => strings.length(code),
        Some(AnyStrings::U32(strings)) => strings.length(code),
        None => characters(domain.dictionary.value(code)),
    };
    Histogram::from_sizes(codes.iter().map(|code| length(*code) as u64))
}

/// The number of characters in UTF-8: its bytes except those that continue a character.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| *byte & 0b1100_0000 != 0b1000_0000).count()
}

/// A value for readers.
pub fn value_text(domain: &Domain, code: u32) -> String {
    shortened(domain.gather(std::iter::once(code)).shown(0).unwrap_or_else(|| "null".into()))
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(SHOWN) {
        text.truncate(end);
        text.push('…');
    }
    text
}
