//! The order of values: the least first, floats in their total order, texts by their bytes, lists and objects part by part.

use std::cmp::Ordering;

use arrow_array::ArrayRef;
use arrow_ord::ord::{DynComparator, make_comparator};
use arrow_schema::SortOptions;

use super::{Result, broken};

/// Compares the values of two rows.
pub struct ValueOrder(Vec<DynComparator>);

impl ValueOrder {
    /// The values of a column; missing ones are last.
    pub fn of_column(column: &ArrayRef) -> Result<Self> {
        Self::with(std::slice::from_ref(column), SortOptions { descending: false, nulls_first: false })
    }

    /// The same, the largest first.
    pub fn largest_first(column: &ArrayRef) -> Result<Self> {
        Self::with(std::slice::from_ref(column), SortOptions { descending: true, nulls_first: false })
    }

    /// Combinations of values, of which missing ones are equal.
    pub fn of_columns(columns: &[ArrayRef]) -> Result<Self> {
        Self::with(columns, SortOptions { descending: false, nulls_first: true })
    }

    fn with(columns: &[ArrayRef], options: SortOptions) -> Result<Self> {
        let order = |column: &ArrayRef| make_comparator(column, column, options).map_err(|error| broken(&error));
        columns.iter().map(order).collect::<Result<_>>().map(Self)
    }

    /// Which of two rows comes first.
    #[inline]
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        let mut orders = self.0.iter().map(|order| order(a as usize, b as usize));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// Whether two rows have the same value.
    #[inline]
    pub fn is_same(&self, a: u32, b: u32) -> bool {
        self.compare(a, b).is_eq()
    }
}
