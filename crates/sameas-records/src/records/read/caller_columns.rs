//! Columns of the caller whose texts stay where they are: views, and dictionaries.
//!
//! Views of texts stay views. A part of a dictionary that repeats its values has them once, and a place for every row; other
//! parts keep the keys and share the values of the whole. In all of these, empty texts are null, and so are texts that
//! the user has named as null.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt16Type, UInt32Type};
use arrow_array::{Array, ArrayRef, BooleanArray, DictionaryArray, StringViewArray, UInt16Array, UInt32Array};
use arrow_buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use arrow_select::nullif::nullif;

use super::slices::part;
use crate::records::block_column::BlockColumn;
use crate::records::null_texts::NullTexts;

/// Bytes of a text that a view holds itself.
const INLINE: usize = 12;

/// A dictionary with more values than this, for each row of a part, is not scanned to number those of the part.
const FAR_LARGER: usize = 4;

/// Whether a column of this type is texts that stay where they are.
pub(super) fn stays(physical: &DataType) -> bool {
    match physical {
        DataType::Utf8View => true,
        DataType::Dictionary(_, value) => matches!(**value, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View),
        _ => false,
    }
}

/// A whole column, from which parts are taken: what all parts share is done once. Dictionaries have 32-bit keys and views.
pub(super) fn whole(array: &ArrayRef, nulls: &NullTexts) -> Result<ArrayRef, ArrowError> {
    let DataType::Dictionary(..) = array.data_type() else { return Ok(array.clone()) };
    let dictionary = array.as_any_dictionary();
    whole_dictionary(dictionary.keys(), dictionary.values(), nulls)
}

/// A dictionary of keys and values as the caller gave them, who may have got them wrong.
fn whole_dictionary(keys: &dyn Array, values: &ArrayRef, nulls: &NullTexts) -> Result<ArrayRef, ArrowError> {
    // Bytes are looked at once here, as those of other columns are where they are cut.
    let views = match values.data_type() {
        DataType::Utf8View => checked(values.as_string_view())?,
        DataType::Utf8 => cast(&part(values, 0, values.len())?, &DataType::Utf8View)?.as_string_view().clone(),
        _ => checked(cast(values, &DataType::Utf8View)?.as_string_view())?,
    };
    // This looks whether every key has a value.
    Ok(Arc::new(DictionaryArray::try_new(keys_of_32_bits(keys)?, without_null_texts(views, nulls)?)?))
}

/// Keys with 32 bits; those of the most frequent types are not copied.
fn keys_of_32_bits(keys: &dyn Array) -> Result<UInt32Array, ArrowError> {
    match keys.data_type() {
        DataType::Int32 => {
            let signed = keys.as_primitive::<Int32Type>();
            let bits: ScalarBuffer<u32> = signed.values().inner().clone().into();
            Ok(UInt32Array::new(bits.slice(0, keys.len()), keys.nulls().cloned()))
        }
        _ => Ok(cast(keys, &DataType::UInt32)?.as_primitive::<UInt32Type>().clone()),
    }
}

/// A part of a column that [`whole`] gave: views, or a dictionary.
pub(super) fn column(part: &ArrayRef, nulls: &NullTexts) -> Result<ArrayRef, ArrowError> {
    match part.data_type() {
        DataType::Utf8View => without_null_texts(checked(part.as_string_view())?, nulls),
        _ => of_dictionary(part.as_dictionary()),
    }
}

/// Memory of a part, with the texts that it alone refers to.
pub(super) fn bytes(column: &ArrayRef) -> usize {
    match column.data_type() {
        DataType::Utf8View => {
            let long =
                column.as_string_view().lengths().map(|length| length as usize).filter(|length| *length > INLINE);
            size_of::<u128>() * column.len() + long.sum::<usize>()
        }
        DataType::Dictionary(key, _) if **key == DataType::UInt32 => size_of::<u32>() * column.len(),
        _ => column.to_data().get_slice_memory_size().unwrap_or(0),
    }
}

/// The views, if all of them are texts, which whoever gave them may have got wrong.
fn checked(views: &StringViewArray) -> Result<StringViewArray, ArrowError> {
    StringViewArray::try_new(views.views().clone(), views.data_buffers().to_vec(), views.nulls().cloned())
}

/// The views with nulls for texts that stand for a missing value.
fn without_null_texts(views: StringViewArray, nulls: &NullTexts) -> Result<ArrayRef, ArrowError> {
    // The length is the first part of a view.
    let stands_for_null =
        |row: usize| views.views()[row] as u32 == 0 || (!nulls.is_empty() && nulls.has(views.value(row)));
    let is_missing = |row: usize| views.is_valid(row) && stands_for_null(row);
    if !(0..views.len()).any(is_missing) {
        return Ok(Arc::new(views));
    }
    nullif(&views, &BooleanArray::new(BooleanBuffer::collect_bool(views.len(), is_missing), None))
}

fn of_dictionary(part: &DictionaryArray<UInt32Type>) -> Result<ArrayRef, ArrowError> {
    let (keys, views) = (part.keys(), part.values().as_string_view());
    let value = |row: usize| {
        let key = keys.is_valid(row).then(|| keys.value(row));
        key.filter(|key| views.is_valid(*key as usize))
    };
    let numbered = if views.len() > FAR_LARGER * part.len() {
        let mut known = HashMap::new();
        PartValues::from_rows((0..part.len()).map(value), |value, next| *known.entry(value).or_insert(next))
    } else {
        let mut known = vec![None; views.len()];
        PartValues::from_rows((0..part.len()).map(value), |value, next| *known[value as usize].get_or_insert(next))
    };
    if let Some(numbered) = numbered {
        return Ok(Arc::new(numbered.dictionary(views)?));
    }
    // A row whose value is null is null.
    let valid = NullBuffer::new(BooleanBuffer::collect_bool(part.len(), |row| value(row).is_some()));
    let keys = UInt32Array::new(keys.values().clone(), Some(valid).filter(|valid| valid.null_count() > 0));
    Ok(Arc::new(DictionaryArray::try_new(keys, part.values().clone())?))
}

/// The values of a part of a dictionary, and the number of each row's value among them.
struct PartValues {
    places: Vec<u16>,
    /// The place of each value in the dictionary; none for null.
    values: Vec<Option<u32>>,
}

impl PartValues {
    /// Numbers values by their first row; `number` gives the number that a value has, or gets. Nothing where most rows have a
    /// value of their own.
    fn from_rows(
        rows: impl ExactSizeIterator<Item = Option<u32>>,
        mut number: impl FnMut(u32, u16) -> u16,
    ) -> Option<Self> {
        let (count, mut null) = (rows.len(), None);
        let mut part = Self { places: Vec::with_capacity(count), values: Vec::new() };
        for value in rows {
            // A part has at most 2^16 rows, so that there is always a number left.
            let next = part.values.len() as u16;
            let place = match value {
                Some(value) => number(value, next),
                None => *null.get_or_insert(next),
            };
            part.places.push(place);
            if usize::from(place) == part.values.len() {
                part.values.push(value);
            }
            if BlockColumn::is_tried(part.places.len()) && !part.is_repeated() {
                return None;
            }
        }
        part.is_repeated().then_some(part)
    }

    fn is_repeated(&self) -> bool {
        BlockColumn::is_repeated(self.values.len(), self.places.len())
    }

    /// The values as texts of their own: they are few.
    fn dictionary(self, views: &StringViewArray) -> Result<DictionaryArray<UInt16Type>, ArrowError> {
        let text = |place: &Option<u32>| place.map(|place| views.value(place as usize));
        let bytes = self.values.iter().filter_map(text).map(str::len).sum();
        let mut texts = StringBuilder::with_capacity(self.values.len(), bytes);
        self.values.iter().for_each(|place| texts.append_option(text(place)));
        DictionaryArray::try_new(UInt16Array::from(self.places), Arc::new(texts.finish()))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::{Int8Type, Int64Type};
    use arrow_array::{Int32Array, LargeStringArray, StringArray};
    use arrow_buffer::Buffer;
    use arrow_schema::DataType;

    use super::*;
    use crate::records::read::logical_types;

    const LONG: &str = "longer than a view has room for";

    fn nulls() -> NullTexts {
        NullTexts::new(&["-".into()], false)
    }

    /// The texts of a part of a column.
    fn taken(array: &ArrayRef, from: usize, rows: usize) -> (DataType, Vec<Option<String>>) {
        let given = column(&part(&whole(array, &nulls()).unwrap(), from, rows).unwrap(), &nulls()).unwrap();
        let texts = BlockColumn::new(&given).to_rows(crate::cancel::Cancel::NEVER);
        (given.data_type().clone(), (0..rows).map(|row| texts.shown(row)).collect())
    }

    fn expected(texts: &[Option<&str>]) -> Vec<Option<String>> {
        let value = |text: &Option<&str>| text.filter(|text| !text.is_empty() && *text != "-").map(str::to_owned);
        texts.iter().map(value).collect()
    }

    #[test]
    fn every_kind_of_text_has_the_values_of_plain_text() {
        let texts = [Some("a"), None, Some(""), Some(LONG), Some("-"), Some("é"), Some("a"), Some(LONG)];
        let all: Vec<Option<&str>> = texts.iter().copied().cycle().take(200).collect();
        let indices = |at: usize| (at % 8 != 1).then_some(at as i64 % 8);
        let keys = arrow_array::Int64Array::from_iter((0..200).map(indices));
        let values = texts.map(|text| text.unwrap_or("never"));
        let dictionary = |values: ArrayRef| -> ArrayRef {
            Arc::new(DictionaryArray::<Int64Type>::try_new(keys.clone(), values).unwrap())
        };
        let kinds: [ArrayRef; 4] = [
            Arc::new(StringViewArray::from_iter(all.iter())),
            dictionary(Arc::new(StringArray::from_iter_values(values))),
            dictionary(Arc::new(LargeStringArray::from_iter_values(values))),
            dictionary(Arc::new(StringViewArray::from_iter_values(values))),
        ];
        for array in kinds {
            for (from, rows) in [(0, 200), (3, 90), (199, 1), (5, 0)] {
                let (data_type, found) = taken(&array, from, rows);
                assert_eq!(found, expected(&all[from..from + rows]), "{} from {from}", array.data_type());
                let is_repeated = data_type == DataType::Dictionary(DataType::UInt16.into(), DataType::Utf8.into());
                assert!(
                    array.data_type() == &DataType::Utf8View || is_repeated == (rows != 1),
                    "{data_type}, {rows} rows"
                );
                let plain = logical_types::column(array.slice(from, rows), &DataType::Utf8, &nulls()).unwrap();
                assert_eq!(
                    plain.as_string::<i32>().iter().collect::<Vec<_>>(),
                    found.iter().map(Option::as_deref).collect::<Vec<_>>()
                );
            }
        }
    }

    #[test]
    fn views_and_rare_values_refer_to_the_memory_of_the_caller() {
        let views = StringViewArray::from_iter_values((0..50).map(|at| format!("{LONG} {at}")));
        let array: ArrayRef = Arc::new(views.clone());
        let given = column(&part(&whole(&array, &nulls()).unwrap(), 10, 20).unwrap(), &nulls()).unwrap();
        assert_eq!(given.as_string_view().value(0).as_ptr(), views.value(10).as_ptr());
        assert_eq!(bytes(&given), 20 * (16 + LONG.len() + 3));
        let keys = Int32Array::from_iter_values(0..50);
        let array: ArrayRef = Arc::new(DictionaryArray::try_new(keys.clone(), Arc::new(views.clone())).unwrap());
        let given = column(&part(&whole(&array, &nulls()).unwrap(), 10, 20).unwrap(), &nulls()).unwrap();
        let given_keys = given.as_dictionary::<UInt32Type>().keys();
        assert_eq!(given_keys.values().inner().as_ptr(), keys.values()[10..].as_ptr().cast());
        assert_eq!(given.as_any_dictionary().values().as_string_view().value(10).as_ptr(), views.value(10).as_ptr());
        assert_eq!(bytes(&given), 20 * 4);
    }

    #[test]
    fn keys_without_a_value_are_refused() {
        let values: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
        let with_keys = |keys: [i32; 2]| whole_dictionary(&Int32Array::from_iter_values(keys), &values, &nulls());
        assert!(with_keys([0, 1]).is_err());
        assert!(with_keys([-1, 0]).is_err());
        assert!(with_keys([0, 0]).is_ok());
    }

    #[test]
    fn a_dictionary_without_values_is_null() {
        let keys = arrow_array::Int8Array::from(vec![None; 20]);
        let none: ArrayRef = Arc::new(StringArray::new_null(0));
        let array: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::try_new(keys, none).unwrap());
        assert_eq!(taken(&array, 0, 20).1, vec![None; 20]);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let valid = StringViewArray::from_iter_values([LONG, "short"]);
        let (views, _, nulls_of) = valid.into_parts();
        let wrong: Buffer = vec![0xff_u8; LONG.len()].into();
        // SAFETY: none: this is what a caller may have got wrong.
        let wrong = unsafe { StringViewArray::new_unchecked(views, vec![wrong], nulls_of) };
        let array: ArrayRef = Arc::new(wrong);
        assert!(column(&array, &nulls()).is_err());
        let keys = arrow_array::Int8Array::from(vec![0, 1, 0]);
        let array: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::try_new(keys, array).unwrap());
        assert!(whole(&array, &nulls()).is_err());
    }
}
