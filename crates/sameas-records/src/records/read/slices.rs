//! Parts of arrays that are in memory already, without what lies beside the part.
//!
//! A slice of an Arrow array refers to all of the array's values. Whoever converts such a slice, or asks how much it takes,
//! would convert or count the whole array once for each slice. A part has only its own values, and still refers to the memory
//! of the array: of texts and lists the offsets are written again, and nothing else.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericListArray, GenericStringArray, OffsetSizeTrait, StringArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType};

/// The rows of an array from `from` on, as a part of its own. Large texts become texts: few rows have short ones.
pub(super) fn part(array: &ArrayRef, from: usize, rows: usize) -> Result<ArrayRef, ArrowError> {
    let slice = array.slice(from, rows);
    match slice.data_type() {
        DataType::Utf8 => text(slice.as_string::<i32>()),
        DataType::LargeUtf8 => text(slice.as_string::<i64>()),
        DataType::List(_) => list(slice.as_list::<i32>()),
        DataType::LargeList(_) => list(slice.as_list::<i64>()),
        _ => Ok(slice),
    }
}

fn text<O: OffsetSizeTrait>(texts: &GenericStringArray<O>) -> Result<ArrayRef, ArrowError> {
    let (first, offsets) = rebased(texts.offsets())?;
    let bytes = *offsets.last().unwrap_or(&0) as usize;
    let values = texts.values().slice_with_length(first, bytes);
    // This looks whether the bytes are UTF-8, which whoever gave them may have got wrong.
    Ok(Arc::new(StringArray::try_new(OffsetBuffer::new(offsets.into()), values, texts.nulls().cloned())?))
}

fn list<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> Result<ArrayRef, ArrowError> {
    let (field, offsets, values, nulls) = lists.clone().into_parts();
    let (first, last) = (offsets[0].as_usize(), offsets[offsets.len() - 1].as_usize());
    let values = part(&values, first, last - first)?;
    let field = Arc::new(field.as_ref().clone().with_data_type(values.data_type().clone()));
    let offsets = OffsetBuffer::new(offsets.iter().map(|at| *at - offsets[0]).collect());
    Ok(Arc::new(GenericListArray::<O>::try_new(field, offsets, values, nulls)?))
}

/// The first offset, and all of them less the first.
fn rebased<O: OffsetSizeTrait>(offsets: &OffsetBuffer<O>) -> Result<(usize, Vec<i32>), ArrowError> {
    let first = offsets[0].as_usize();
    let offset = |at: &O| i32::try_from(at.as_usize() - first);
    let rebased = offsets.iter().map(offset).collect::<Result<Vec<i32>, _>>();
    let too_long = |_| ArrowError::InvalidArgumentError("some tens of thousands of texts take more than 2 GiB".into());
    Ok((first, rebased.map_err(too_long)?))
}

#[cfg(test)]
mod tests {
    use arrow_array::{LargeListArray, LargeStringArray, StringViewArray};
    use arrow_schema::Field;

    use super::*;

    fn texts() -> LargeStringArray {
        LargeStringArray::from_iter([Some("aa"), None, Some(""), Some("bcd"), Some("é"), None])
    }

    #[test]
    fn a_part_has_its_own_texts_and_shares_their_memory() {
        let large: ArrayRef = Arc::new(texts());
        let short: ArrayRef = Arc::new(StringArray::from_iter(texts().iter()));
        for whole in [&large, &short] {
            let own = part(whole, 2, 3).unwrap();
            let own = own.as_string::<i32>();
            assert_eq!(own.iter().collect::<Vec<_>>(), [Some(""), Some("bcd"), Some("é")]);
            assert_eq!((own.value_offsets(), own.value_data().len()), (&[0, 0, 3, 5][..], 5));
        }
        let (whole, own) = (large.as_string::<i64>(), part(&large, 3, 1).unwrap());
        assert_eq!(own.as_string::<i32>().value_data().as_ptr(), whole.value(3).as_ptr());
        assert_eq!(part(&large, 6, 0).unwrap().len(), 0);
    }

    #[test]
    fn a_part_of_lists_has_its_own_values() {
        let values: ArrayRef = Arc::new(texts());
        let field = Arc::new(Field::new("item", DataType::LargeUtf8, true));
        let offsets = OffsetBuffer::new(vec![0i64, 2, 2, 5, 6].into());
        let whole: ArrayRef = Arc::new(LargeListArray::new(field, offsets, values, None));
        let own = part(&whole, 1, 2).unwrap();
        let own = own.as_list::<i64>();
        assert_eq!((own.value_length(0), own.values().len()), (0, 3));
        assert_eq!(own.value(1).as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["", "bcd", "é"]);
    }

    #[test]
    fn other_arrays_are_sliced() {
        let views: ArrayRef = Arc::new(StringViewArray::from_iter(texts().iter()));
        assert_eq!(&part(&views, 3, 2).unwrap(), &views.slice(3, 2));
    }
}
