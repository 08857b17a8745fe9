//! Columns of the caller whose texts stay where they are: views, and dictionaries.
//!
//! Views of texts stay views. A part of a dictionary has the values that occur in it, each once, and a place for every row;
//! where nearly every row has a value of its own, it has views of the caller's values instead. In all of these, empty texts
//! are null, and so are texts of which the user says so.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt16Type;
use arrow_array::{Array, ArrayRef, BooleanArray, DictionaryArray, StringViewArray, UInt16Array, UInt32Array};
use arrow_buffer::BooleanBuffer;
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use arrow_select::nullif::nullif;
use arrow_select::take::take;

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

/// A whole column, from which parts are taken: what all parts share is done once.
pub(super) fn whole(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let DataType::Dictionary(..) = array.data_type() else { return Ok(array.clone()) };
    let dictionary = array.as_any_dictionary();
    let values = dictionary.values();
    // Texts are looked at once here, as other columns are where they are cut.
    let views = match values.data_type() {
        DataType::Utf8View => checked(values.as_string_view())?,
        DataType::Utf8 => cast(&part(values, 0, values.len())?, &DataType::Utf8View)?.as_string_view().clone(),
        _ => cast(values, &DataType::Utf8View).map(|views| views.as_string_view().clone()).and_then(|v| checked(&v))?,
    };
    Ok(dictionary.with_values(Arc::new(views)))
}

/// A part of a column that [`whole`] gave: views, or a dictionary of its own.
pub(super) fn column(part: &ArrayRef, nulls: &NullTexts) -> Result<ArrayRef, ArrowError> {
    match part.data_type() {
        DataType::Utf8View => without_null_texts(checked(part.as_string_view())?, nulls),
        _ => of_dictionary(part, nulls),
    }
}

/// Memory of the texts of a part.
pub(super) fn bytes(column: &ArrayRef) -> usize {
    match column.data_type() {
        DataType::Utf8View => {
            let long = column.as_string_view().lengths().map(|length| length as usize).filter(|length| *length > INLINE);
            size_of::<u128>() * column.len() + long.sum::<usize>()
        }
        _ => column.to_data().get_slice_memory_size().unwrap_or(0),
    }
}

/// The views, if all of them are texts, which whoever gave them may have got wrong.
fn checked(views: &StringViewArray) -> Result<StringViewArray, ArrowError> {
    StringViewArray::try_new(views.views().clone(), views.data_buffers().to_vec(), views.nulls().cloned())
}

/// The views with nulls for texts that stand for a missing value.
fn without_null_texts(views: StringViewArray, nulls: &NullTexts) -> Result<ArrayRef, ArrowError> {
    let is_missing = |row: usize| views.is_valid(row) && !is_value(&views, row, nulls);
    if !(0..views.len()).any(is_missing) {
        return Ok(Arc::new(views));
    }
    nullif(&views, &BooleanArray::new(BooleanBuffer::collect_bool(views.len(), is_missing), None))
}

fn is_value(views: &StringViewArray, row: usize, nulls: &NullTexts) -> bool {
    // The length is the first part of a view.
    views.is_valid(row) && views.views()[row] as u32 != 0 && (nulls.is_empty() || !nulls.has(views.value(row)))
}

/// The rows of a part of a dictionary by the number of their value in the part.
struct PartValues {
    /// The number of each row's value.
    places: Vec<u16>,
    /// The place of each value in the dictionary; none for null.
    values: Vec<Option<u32>>,
}

fn of_dictionary(part: &ArrayRef, nulls: &NullTexts) -> Result<ArrayRef, ArrowError> {
    let dictionary = part.as_any_dictionary();
    let views = dictionary.values().as_string_view();
    let keys = if views.is_empty() { vec![0; part.len()] } else { dictionary.normalized_keys() };
    let place = |row: usize| {
        let is_value = !views.is_empty() && dictionary.keys().is_valid(row) && is_value(views, keys[row], nulls);
        is_value.then_some(keys[row] as u32)
    };
    let numbered = if views.len() > FAR_LARGER * part.len() {
        let mut known = HashMap::new();
        numbered((0..part.len()).map(place), |value, next| *known.entry(value).or_insert(next))
    } else {
        let mut known = vec![None; views.len()];
        numbered((0..part.len()).map(place), |value, next| *known[value as usize].get_or_insert(next))
    };
    match BlockColumn::is_repeated(numbered.values.len(), part.len()) {
        true => Ok(Arc::new(numbered.dictionary(views)?)),
        false => take(views, &UInt32Array::from_iter((0..part.len()).map(place)), None),
    }
}

/// Numbers values by their first row; `number` gives the number that a value has, or gets.
fn numbered(rows: impl Iterator<Item = Option<u32>>, mut number: impl FnMut(u32, u16) -> u16) -> PartValues {
    let (mut places, mut values, mut null) = (Vec::with_capacity(rows.size_hint().0), Vec::new(), None);
    for value in rows {
        // A part has at most 2^16 rows, so that there is always a number left.
        let next = values.len() as u16;
        let place = match value {
            Some(value) => number(value, next),
            None => *null.get_or_insert(next),
        };
        places.push(place);
        if usize::from(place) == values.len() {
            values.push(value);
        }
    }
    PartValues { places, values }
}

impl PartValues {
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
    use arrow_array::{LargeStringArray, StringArray};
    use arrow_buffer::Buffer;
    use arrow_schema::DataType;

    use super::*;
    use crate::records::read::normal;

    const LONG: &str = "longer than a view has room for";

    fn nulls() -> NullTexts {
        NullTexts::new(&["-".into()], false)
    }

    /// The texts of a part of a column.
    fn taken(array: ArrayRef, from: usize, rows: usize) -> (DataType, Vec<Option<String>>) {
        let given = column(&part(&whole(&array).unwrap(), from, rows).unwrap(), &nulls()).unwrap();
        let texts = cast(&given, &DataType::Utf8).unwrap();
        (given.data_type().clone(), texts.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect())
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
                let (data_type, found) = taken(array.clone(), from, rows);
                assert_eq!(found, expected(&all[from..from + rows]), "{} from {from}", array.data_type());
                assert!(data_type == DataType::Utf8View || rows > 10 || rows == 0, "{data_type} of {rows} rows");
                let plain = normal::column(array.slice(from, rows), &DataType::Utf8, &nulls()).unwrap();
                assert_eq!(plain.as_string::<i32>().iter().collect::<Vec<_>>(), found.iter().map(Option::as_deref).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn views_and_rare_values_refer_to_the_memory_of_the_caller() {
        let views = StringViewArray::from_iter_values((0..50).map(|at| format!("{LONG} {at}")));
        let array: ArrayRef = Arc::new(views.clone());
        let given = column(&part(&whole(&array).unwrap(), 10, 20).unwrap(), &nulls()).unwrap();
        assert_eq!(given.as_string_view().value(0).as_ptr(), views.value(10).as_ptr());
        let keys = arrow_array::Int8Array::from_iter_values(0..50);
        let array: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::try_new(keys, Arc::new(views.clone())).unwrap());
        let given = column(&part(&whole(&array).unwrap(), 10, 20).unwrap(), &nulls()).unwrap();
        assert_eq!(given.as_string_view().value(0).as_ptr(), views.value(10).as_ptr());
        assert_eq!(bytes(&given), 20 * (16 + LONG.len() + 3));
    }

    #[test]
    fn a_dictionary_without_values_is_null() {
        let keys = arrow_array::Int8Array::from(vec![None; 20]);
        let none: ArrayRef = Arc::new(StringArray::new_null(0));
        let array: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::try_new(keys, none).unwrap());
        assert_eq!(taken(array, 0, 20).1, vec![None; 20]);
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
        assert!(whole(&array).is_err());
    }
}
