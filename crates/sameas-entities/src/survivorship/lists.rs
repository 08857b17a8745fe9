//! All different values of a cluster as a list: of a column of lists all different elements.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray, UInt32Array};
use arrow_buffer::{BooleanBuffer, NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field};
use arrow_select::take::take;

use super::counting::without_nan;
use super::different::first_rows;
use super::order::ValueOrder;
use super::{ClusterRows, Result, broken};

/// The type of lists of all values of this type.
pub fn union_type(values: &DataType) -> DataType {
    match values {
        DataType::List(_) => values.clone(),
        other => DataType::List(Arc::new(Field::new_list_field(other.clone(), true))),
    }
}

/// The different values of the rows that count, for each cluster, in the order of the records.
pub fn unions(groups: &ClusterRows, counting: &BooleanBuffer, column: &ArrayRef) -> Result<ArrayRef> {
    match column.as_list_opt::<i32>() {
        None => listed(groups, counting, column, |row, wanted| wanted.push(row)),
        Some(lists) => {
            let offsets = lists.value_offsets();
            listed(groups, counting, lists.values(), |row, wanted| {
                wanted.extend(offsets[row as usize] as u32..offsets[row as usize + 1] as u32);
            })
        }
    }
}

/// Lists of different values; `values_of` gives the places of the values of a row.
fn listed(
    groups: &ClusterRows,
    counting: &BooleanBuffer,
    values: &ArrayRef,
    values_of: impl Fn(u32, &mut Vec<u32>),
) -> Result<ArrayRef> {
    let values = &without_nan(values);
    let order = ValueOrder::of_column(values)?;
    let present = match values.logical_nulls() {
        Some(nulls) => nulls.into_inner(),
        None => BooleanBuffer::new_set(values.len()),
    };
    let (mut places, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
    let (mut wanted, mut firsts) = (Vec::new(), Vec::new());
    for rows in groups.each() {
        wanted.clear();
        let mut counted = rows.iter().filter(|row| counting.value(**row as usize)).peekable();
        valid.push(counted.peek().is_some());
        counted.for_each(|row| values_of(*row, &mut wanted));
        // Elements are found in the order of the records, which that of their places is, too.
        first_rows(&wanted, &present, &order, &mut firsts);
        lengths.push(firsts.len());
        places.extend(firsts.iter().map(|(place, _)| *place));
    }
    let items = take(values, &UInt32Array::from(places), None).map_err(|error| broken(&error))?;
    let field = Arc::new(Field::new_list_field(items.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths(lengths);
    let lists = ListArray::try_new(field, offsets, items, Some(NullBuffer::from(valid)));
    Ok(Arc::new(lists.map_err(|error| broken(&error))?))
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;
    use arrow_array::types::Int32Type;

    use super::*;

    fn union(column: &ArrayRef) -> ListArray {
        let groups = ClusterRows::new(&[0, 1, 0, 0], 0, &[3, 1]);
        let counting = BooleanBuffer::collect_bool(4, |row| column.is_valid(row));
        unions(&groups, &counting, column).unwrap().as_list::<i32>().clone()
    }

    #[test]
    fn values_come_once_in_the_order_of_the_records() {
        let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("b"), None, Some("a"), Some("b")]));
        let lists = union(&texts);
        assert_eq!(lists.value(0).as_string::<i32>(), &StringArray::from(vec!["b", "a"]));
        assert!(lists.is_null(1));
    }

    #[test]
    fn lists_give_their_elements() {
        let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([
            Some(vec![Some(3), None, Some(1)]),
            Some(vec![]),
            None,
            Some(vec![Some(1), Some(2)]),
        ]));
        let lists = union(&lists);
        assert_eq!(lists.value(0).as_primitive::<Int32Type>().values(), &[3, 1, 2]);
        assert!(lists.is_valid(1) && lists.value_length(1) == 0);
    }
}
