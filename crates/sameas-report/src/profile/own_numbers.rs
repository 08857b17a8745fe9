//! Columns in which each of two inputs numbers its own records, such as `id` from 1 on: they join what has nothing in common.

use rayon::prelude::*;

use super::column_values::{ColumnValues, value_of};
use crate::expr::FieldValue;

/// How many numbers there may be for each that is taken, where records are numbered and some were removed.
const SPREAD: u64 = 2;

/// Whether each of two inputs numbers its own records here: every record has another number, with the same text around it, and the
/// numbers follow each other. Where the numbers of one input are far apart, they may be a part of those of the other.
pub fn number_own_records(inputs: &[ColumnValues]) -> bool {
    inputs.len() == 2 && inputs.iter().all(follow_each_other)
}

fn follow_each_other(values: &ColumnValues) -> bool {
    let distinct = values.distinct() as u64;
    if distinct < 2 || distinct != values.rows() {
        return false;
    }
    let Some((around, _)) = number_in(value_of(&values.domain, 0)) else { return false };
    let of_block = |codes: std::ops::Range<u32>| {
        codes.map(|code| number_in(value_of(&values.domain, code)).filter(|(other, _)| *other == around)).try_fold(
            (u64::MAX, 0),
            |(least, most), found| {
                let (_, number) = found?;
                Some((number.min(least), number.max(most)))
            },
        )
    };
    let range =
        values.code_blocks().map(of_block).try_reduce(|| (u64::MAX, 0), |a, b| Some((a.0.min(b.0), a.1.max(b.1))));
    range.is_some_and(|(least, most)| most - least < SPREAD * distinct)
}

/// The only whole number in a value, and the text before and after it.
fn number_in(value: FieldValue) -> Option<([String; 2], u64)> {
    let (FieldValue::Text(text) | FieldValue::Number(text)) = value else { return None };
    let is_digit = |c: char| c.is_ascii_digit();
    let first = text.find(is_digit)?;
    let digits = text[first..].find(|c| !is_digit(c)).map_or(text.len(), |length| first + length);
    let around = [text[..first].to_owned(), text[digits..].to_owned()];
    if around[1].contains(is_digit) { None } else { Some((around, text[first..digits].parse().ok()?)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_value() {
        let found = |text: &str| {
            number_in(FieldValue::Text(text.into())).map(|([before, after], number)| (before, after, number))
        };
        assert_eq!(found("r0012"), Some(("r".into(), String::new(), 12)));
        assert_eq!(found("rec-7-org"), Some(("rec-".into(), "-org".into(), 7)));
        assert_eq!(number_in(FieldValue::Number("42".into())).map(|(_, number)| number), Some(42));
        assert_eq!([found("rec-7-dup-0"), found("ann"), found("3.5")], [None, None, None]);
        assert_eq!(found("99999999999999999999"), None, "more than a number of 64 bits");
    }
}
