//! One string prepared for comparison with many others: its character table is filled once, not for every pair.

use super::bit_parallel::{Masks, WORD, fill};
use super::char_table::CharTable;
use super::{Pattern, Unit};

/// A string with its character table; [`PreparedText::set`] reuses the memory for the next one.
///
/// Strings of up to 64 characters benefit. Longer ones take the form for pairs, with the same results.
pub struct PreparedText<U> {
    codes: Vec<U>,
    masks: Masks,
}

impl<U: Unit> Default for PreparedText<U> {
    fn default() -> Self {
        PreparedText { codes: Vec::new(), masks: Masks::new(0) }
    }
}

impl<U: Unit> PreparedText<U> {
    /// The non-empty string `text`, prepared.
    pub fn new(text: &[U]) -> Self {
        let mut prepared = PreparedText::default();
        prepared.set(text);
        prepared
    }

    /// Replaces the string by another non-empty one.
    pub fn set(&mut self, text: &[U]) {
        debug_assert!(!text.is_empty());
        if self.fits() {
            self.masks.clear(&self.codes);
        }
        self.codes.clear();
        self.codes.extend_from_slice(text);
        if self.fits() {
            fill(&mut self.masks, text);
        }
    }

    /// The string itself.
    #[inline]
    pub fn codes(&self) -> &[U] {
        &self.codes
    }

    fn fits(&self) -> bool {
        self.codes.len() <= WORD
    }
}

impl<U: Unit> Pattern<U> for PreparedText<U> {
    #[inline]
    fn codes(&self) -> &[U] {
        PreparedText::codes(self)
    }

    #[inline]
    fn table(&self) -> Option<&CharTable<u64>> {
        self.fits().then_some(&self.masks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::testing::{each_width, string_pair};
    use crate::measure::{EditCount, jaro};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_form_for_pairs((a, b) in string_pair(130), max in 0usize..140) {
            each_width!(a, b, |a, b| {
                let mut prepared = PreparedText::new(b);
                prepared.set(a);
                prop_assert_eq!(prepared.codes(), a);
                for count in EditCount::ALL {
                    prop_assert_eq!(count.is_within(&prepared, b, max), count.is_within(&a, b, max), "{:?}", count);
                }
                let enough = |matches: usize| matches >= max / 8;
                prop_assert_eq!(jaro::pattern_counts_if(&prepared, b, enough), jaro::counts_if(a, b, enough));
            });
        }
    }
}
