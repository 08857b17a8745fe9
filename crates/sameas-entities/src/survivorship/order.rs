//! The order of values: the least first, floats in their total order, texts by their bytes, lists and objects part by part.

use std::cmp::Ordering;

use arrow_array::{Array, ArrayRef};
use arrow_buffer::NullBuffer;
use arrow_ord::ord::{DynComparator, make_comparator};
use arrow_schema::SortOptions;

use super::hashes::{ValueHash, hashes};
use super::{Result, broken};

/// Compares the values of two rows.
pub struct ValueOrder {
    of_columns: Vec<DynComparator>,
    /// The rows whose values are missing, if they are last.
    missing: Option<NullBuffer>,
    /// Their hashes, if there are any.
    pub hashes: Option<ValueHash>,
}

impl ValueOrder {
    /// The values of a column; missing ones are last. Inside of lists and objects a missing part is the least.
    pub fn of_column(column: &ArrayRef) -> Result<Self> {
        Self::missing_last(column, SortOptions { descending: false, nulls_first: true })
    }

    /// The same, the largest first.
    pub fn largest_first(column: &ArrayRef) -> Result<Self> {
        Self::missing_last(column, SortOptions { descending: true, nulls_first: false })
    }

    fn missing_last(column: &ArrayRef, options: SortOptions) -> Result<Self> {
        Ok(Self { missing: column.logical_nulls(), ..Self::with(std::slice::from_ref(column), options)? })
    }

    /// Combinations of values, of which missing ones are equal.
    pub fn of_columns(columns: &[ArrayRef]) -> Result<Self> {
        Self::with(columns, SortOptions { descending: false, nulls_first: true })
    }

    fn with(columns: &[ArrayRef], options: SortOptions) -> Result<Self> {
        let order = |column: &ArrayRef| make_comparator(column, column, options).map_err(|error| broken(&error));
        Ok(Self {
            of_columns: columns.iter().map(order).collect::<Result<_>>()?,
            missing: None,
            hashes: hashes(columns),
        })
    }

    /// Which of two rows comes first.
    #[inline]
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        if let Some(there) = &self.missing {
            let [a, b] = [a, b].map(|row| there.is_null(row as usize));
            if a || b {
                return a.cmp(&b);
            }
        }
        let mut orders = self.of_columns.iter().map(|order| order(a as usize, b as usize));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// Whether two rows have the same value.
    #[inline]
    pub fn is_same(&self, a: u32, b: u32) -> bool {
        self.compare(a, b).is_eq()
    }
}
