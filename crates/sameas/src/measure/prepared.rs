//! One string prepared for comparison with many others: its character table is filled once, not for every pair.

use super::bit_parallel::{Masks, WORD, fill, one_word};
use super::{Unit, jaro, levenshtein, osa};

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
    pub fn codes(&self) -> &[U] {
        &self.codes
    }

    /// The Levenshtein distance to `other` if it is at most `max`.
    pub fn levenshtein_within(&self, other: &[U], max: usize) -> Option<usize> {
        if !self.fits() {
            return levenshtein::distance_within(&self.codes, other, max);
        }
        self.distance_within::<false>(other, max)
    }

    /// The optimal string alignment distance to `other` if it is at most `max`.
    pub fn osa_within(&self, other: &[U], max: usize) -> Option<usize> {
        if !self.fits() {
            return osa::distance_within(&self.codes, other, max);
        }
        self.distance_within::<true>(other, max)
    }

    /// The Jaro matches and transpositions with `other` if the matches are `enough`, as [`jaro::counts_if`].
    pub fn jaro_counts_if(&self, other: &[U], enough: impl Fn(usize) -> bool) -> Option<jaro::JaroCounts> {
        if !self.fits() || other.len() > WORD {
            return jaro::counts_if(&self.codes, other, enough);
        }
        jaro::one_word(&self.masks, &self.codes, other, enough)
    }

    fn fits(&self) -> bool {
        self.codes.len() <= WORD
    }

    fn distance_within<const SWAPS: bool>(&self, other: &[U], max: usize) -> Option<usize> {
        if self.codes.len().abs_diff(other.len()) > max {
            return None;
        }
        one_word::<U, SWAPS>(&self.masks, self.codes.len(), other, max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::testing::{each_width, string_pair};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_form_for_pairs((a, b) in string_pair(130), max in 0usize..140) {
            each_width!(a, b, |a, b| {
                let mut prepared = PreparedText::new(b);
                prepared.set(a);
                prop_assert_eq!(prepared.codes(), a);
                prop_assert_eq!(prepared.levenshtein_within(b, max), levenshtein::distance_within(a, b, max));
                prop_assert_eq!(prepared.osa_within(b, max), osa::distance_within(a, b, max));
                prop_assert_eq!(prepared.jaro_counts_if(b, |m| m >= max / 8), jaro::counts_if(a, b, |m| m >= max / 8));
            });
        }
    }
}
