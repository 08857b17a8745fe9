//! The id that is written like a text, without writing every id: texts are compared as they are, whole numbers as numbers.

use std::fmt::Display;
use std::str::FromStr;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, GenericStringArray, OffsetSizeTrait};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;
use rayon::prelude::*;

/// Ids that one core looks at.
const PIECE: usize = 1 << 14;

/// The first place of an id that is written like this, among the ids of all chunks.
pub(super) fn find_id(chunks: &[ArrayRef], text: &str) -> Option<usize> {
    let (mut pieces, mut first) = (Vec::new(), 0);
    for chunk in chunks {
        let piece = |at: usize| (first + at, chunk.slice(at, PIECE.min(chunk.len() - at)));
        pieces.extend((0..chunk.len()).step_by(PIECE).map(piece));
        first += chunk.len();
    }
    pieces.par_iter().find_map_first(|(first, ids)| Some(first + place_of(ids, text)?))
}

fn place_of(ids: &ArrayRef, text: &str) -> Option<usize> {
    match ids.data_type() {
        DataType::Utf8 => place_of_text(ids.as_string::<i32>(), text),
        DataType::LargeUtf8 => place_of_text(ids.as_string::<i64>(), text),
        DataType::Int8 => place_of_number::<Int8Type>(ids, text),
        DataType::Int16 => place_of_number::<Int16Type>(ids, text),
        DataType::Int32 => place_of_number::<Int32Type>(ids, text),
        DataType::Int64 => place_of_number::<Int64Type>(ids, text),
        DataType::UInt8 => place_of_number::<UInt8Type>(ids, text),
        DataType::UInt16 => place_of_number::<UInt16Type>(ids, text),
        DataType::UInt32 => place_of_number::<UInt32Type>(ids, text),
        DataType::UInt64 => place_of_number::<UInt64Type>(ids, text),
        _ => place_of_shown(ids, text),
    }
}

/// A null is written as nothing. Most ids are of one length and differ at their ends: few are compared as a whole.
fn place_of_text<O: OffsetSizeTrait>(ids: &GenericStringArray<O>, text: &str) -> Option<usize> {
    if text.is_empty() {
        return ids.iter().position(|id| id.unwrap_or_default().is_empty());
    }
    let (offsets, bytes, tail) = (ids.value_offsets(), ids.value_data(), Tail::new(text));
    let is_it = |ends: &[O]| {
        let [start, end] = [ends[0].as_usize(), ends[1].as_usize()];
        end - start == text.len() && tail.may_end(&bytes[..end]) && bytes[start..end] == *text.as_bytes()
    };
    let mut places = offsets.windows(2).enumerate().filter(|(_, ends)| is_it(ends)).map(|(place, _)| place);
    places.find(|place| ids.is_valid(*place))
}

/// The last eight bytes of a text, or all of a shorter one, as a number: compared with one instruction and nearly never equal, where
/// a comparison of the last byte is a guess of the processor that is wrong for each tenth id.
struct Tail {
    number: u64,
    /// Bits of what stands before a shorter text.
    before: u32,
}

impl Tail {
    fn new(text: &str) -> Self {
        let mut last = [0; 8];
        let length = text.len().min(8);
        last[8 - length..].copy_from_slice(&text.as_bytes()[text.len() - length..]);
        let before = 8 * (8 - length as u32);
        Self { number: u64::from_le_bytes(last) >> before, before }
    }

    /// Whether bytes may end with the text.
    #[inline]
    fn may_end(&self, bytes: &[u8]) -> bool {
        bytes.last_chunk().is_none_or(|last| u64::from_le_bytes(*last) >> self.before == self.number)
    }
}

/// A whole number is written in one way only: without a plus and without leading zeros.
fn place_of_number<T: ArrowPrimitiveType>(ids: &ArrayRef, text: &str) -> Option<usize>
where
    T::Native: Display + FromStr,
{
    let ids = ids.as_primitive::<T>();
    if text.is_empty() {
        return ids.iter().position(|id| id.is_none());
    }
    let number = text.parse::<T::Native>().ok().filter(|number| number.to_string() == text)?;
    let mut places = ids.values().iter().enumerate().filter(|(_, id)| **id == number).map(|(place, _)| place);
    places.find(|place| ids.is_valid(*place))
}

/// Any other id is written to be compared.
fn place_of_shown(ids: &ArrayRef, text: &str) -> Option<usize> {
    let options = FormatOptions::default();
    let formatter = ArrayFormatter::try_new(ids, &options).ok()?;
    let mut shown = String::new();
    (0..ids.len()).find(|at| {
        shown.clear();
        formatter.value(*at).write(&mut shown).is_ok() && shown == text
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{LargeStringArray, StringArray};

    use super::*;

    #[test]
    fn texts_of_any_length_are_found_by_their_ends() {
        // Equal ends, ends of another text, texts longer than what is compared first, and some at the very beginning.
        let texts =
            ["7", "17", "a17", "b17", "x-00000017", "y-00000017", "x-00000018", "00000017", "é17", "x-0000001", ""];
        let plain: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        let large: ArrayRef = Arc::new(LargeStringArray::from(texts.to_vec()));
        for ids in [plain, large] {
            for first in 0..texts.len() {
                let ids = [ids.slice(0, first), ids.slice(first, texts.len() - first)];
                let found: Vec<_> = texts.iter().map(|text| find_id(&ids, text)).collect();
                assert_eq!(found, (0..texts.len()).map(Some).collect::<Vec<_>>());
                assert_eq!(["1", "0017", "-00000017", "z-00000017", "27"].map(|text| find_id(&ids, text)), [None; 5]);
            }
        }
    }

    #[test]
    fn a_null_is_written_as_nothing() {
        let ids: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some("")]));
        assert_eq!((find_id(&[ids], ""), find_id(&[], "a")), (Some(1), None));
    }
}
