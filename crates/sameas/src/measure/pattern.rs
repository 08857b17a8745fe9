//! One side of a comparison: a string as it is, or prepared for many comparisons.

use super::{PreparedText, Unit, jaro, levenshtein, osa};

/// A string that is compared with others.
pub trait Pattern<U: Unit> {
    /// The string itself.
    fn codes(&self) -> &[U];

    /// The Levenshtein distance to `other` if it is at most `max`.
    fn levenshtein_within(&self, other: &[U], max: usize) -> Option<usize>;

    /// The optimal string alignment distance to `other` if it is at most `max`.
    fn osa_within(&self, other: &[U], max: usize) -> Option<usize>;

    /// The Jaro matches and transpositions with `other` if the matches are `enough`, as [`jaro::counts_if`].
    fn jaro_counts_if(&self, other: &[U], enough: impl Fn(usize) -> bool) -> Option<jaro::JaroCounts>;
}

impl<U: Unit> Pattern<U> for &[U] {
    fn codes(&self) -> &[U] {
        self
    }

    fn levenshtein_within(&self, other: &[U], max: usize) -> Option<usize> {
        levenshtein::distance_within(self, other, max)
    }

    fn osa_within(&self, other: &[U], max: usize) -> Option<usize> {
        osa::distance_within(self, other, max)
    }

    fn jaro_counts_if(&self, other: &[U], enough: impl Fn(usize) -> bool) -> Option<jaro::JaroCounts> {
        jaro::counts_if(self, other, enough)
    }
}

impl<U: Unit> Pattern<U> for PreparedText<U> {
    fn codes(&self) -> &[U] {
        PreparedText::codes(self)
    }

    fn levenshtein_within(&self, other: &[U], max: usize) -> Option<usize> {
        PreparedText::levenshtein_within(self, other, max)
    }

    fn osa_within(&self, other: &[U], max: usize) -> Option<usize> {
        PreparedText::osa_within(self, other, max)
    }

    fn jaro_counts_if(&self, other: &[U], enough: impl Fn(usize) -> bool) -> Option<jaro::JaroCounts> {
        PreparedText::jaro_counts_if(self, other, enough)
    }
}
