//! One side of a comparison: a string as it is, or prepared for many comparisons.

use super::Unit;
use super::char_table::CharTable;

/// A string that is compared with others.
pub trait Pattern<U: Unit> {
    /// The string itself.
    fn codes(&self) -> &[U];

    /// For each character the places that hold it, where the string has been prepared and fits a machine word.
    fn table(&self) -> Option<&CharTable<u64>>;
}

impl<U: Unit> Pattern<U> for &[U] {
    #[inline]
    fn codes(&self) -> &[U] {
        self
    }

    #[inline]
    fn table(&self) -> Option<&CharTable<u64>> {
        None
    }
}
