//! Thresholds of text measures, decided with as little work as the definition allows.
//!
//! A distance is an integer and a similarity falls with it, so every comparison with a threshold is "at most `k` edits"
//! or its opposite. `k` is found by asking the comparison itself, for each length; rounding is never anticipated.

use crate::expr::{Function, Num};
use crate::measure::{Pattern, Unit, damerau, edit_similarity, hamming, jaro, jaro_winkler, levenshtein, osa};
use crate::rules::Comparison;

use super::text_predicate::{EditMeasure, TextPredicate};

/// Lengths below this have their bound in a table.
const TABLE: usize = 256;

/// A measure of two texts against a threshold.
#[derive(Clone, Debug)]
pub struct TextTest {
    measure: Function,
    comparison: Comparison,
    threshold: Num,
    /// The verdict for a text and itself: no edits, or a similarity of 1.
    same: bool,
    /// By length of the longer text.
    bounds: Vec<Bound>,
}

/// A comparison restated over edit distances.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    /// True for up to that many edits.
    AtMost(usize),
    /// True for more than that many edits.
    MoreThan(usize),
    /// Always so.
    Constant(bool),
    /// A similarity that need not be computed to its end where it cannot reach this.
    AtLeast(f64),
    /// The value itself is needed.
    Value,
}

impl TextTest {
    /// Prepares a test.
    pub fn new(measure: Function, comparison: Comparison, threshold: Num) -> Self {
        let distance = measure.is_edit_distance() || measure == Function::Hamming;
        let same = comparison.holds(if distance { Num::Int(0) } else { Num::Float(1.0) }, threshold);
        let mut test = Self { measure, comparison, threshold, same, bounds: Vec::new() };
        test.bounds = (0..TABLE).map(|length| test.bound(length)).collect();
        test
    }

    /// The verdict for a text that is not empty and itself.
    pub fn holds_for_same(&self) -> bool {
        self.same
    }

    /// The most edits with which the test can hold for texts whose longer one has `length` characters, and `None` where
    /// it never does.
    pub fn most_edits(&self, length: usize) -> Option<usize> {
        match self.bounds.get(length).copied().unwrap_or_else(|| self.bound(length)) {
            Bound::AtMost(edits) => Some(edits),
            Bound::Constant(false) => None,
            _ => Some(length),
        }
    }

    /// The most bytes in which a thread decides texts of at most `length` characters by their edits.
    pub fn scratch_bytes(&self, length: usize) -> usize {
        match self.measure {
            Function::DamerauLevenshtein | Function::DamerauSimilarity => {
                damerau::scratch_bytes(length, self.most_edits(length).unwrap_or(0))
            }
            _ if self.counts_edits() => length,
            _ => 0,
        }
    }

    /// The bound that a join or a filter can use, if the test is one.
    pub fn predicate(&self) -> Option<TextPredicate<'_>> {
        if self.is_jaro_bound() {
            let decision = Box::new(|value| self.holds_for(value));
            return Some(match self.measure {
                Function::Jaro => TextPredicate::Jaro(decision),
                _ => TextPredicate::JaroWinkler(decision),
            });
        }
        let measure = match self.measure {
            Function::Levenshtein | Function::LevenshteinSimilarity => EditMeasure::Levenshtein,
            Function::Osa | Function::OsaSimilarity => EditMeasure::Osa,
            _ => EditMeasure::Damerau,
        };
        self.is_edit_bound().then(|| TextPredicate::Edits(measure, Box::new(|length| self.most_edits(length))))
    }

    /// False only where the test fails for all texts of these lengths with at most `common` characters in common and at
    /// most `prefix` in a common prefix: see [`TextPredicate`].
    pub fn can_hold(&self, [x, y]: [usize; 2], common: usize, prefix: usize) -> bool {
        let matches = common.min(x).min(y);
        match self.measure {
            Function::Jaro => self.holds_for(jaro::from_counts(x, y, matches, 0)),
            Function::JaroWinkler => self.holds_for(jaro_winkler::at_most(x, y, matches, prefix)),
            _ => self.most_edits(x.max(y)).is_some_and(|most| common + most >= x.max(y)),
        }
    }

    /// Whether the test holds exactly for the pairs within [`most_edits`](Self::most_edits).
    pub fn is_edit_bound(&self) -> bool {
        self.counts_edits() && if self.measure.is_edit_distance() { self.is_upper() } else { self.is_lower() }
    }

    /// Whether the test asks for at least some Jaro or Jaro-Winkler similarity.
    pub fn is_jaro_bound(&self) -> bool {
        matches!(self.measure, Function::Jaro | Function::JaroWinkler) && self.is_lower()
    }

    fn counts_edits(&self) -> bool {
        self.measure.is_edit_distance() || self.measure.is_edit_similarity()
    }

    fn is_upper(&self) -> bool {
        matches!(self.comparison, Comparison::Less | Comparison::LessEqual)
    }

    fn is_lower(&self) -> bool {
        matches!(self.comparison, Comparison::Greater | Comparison::GreaterEqual)
    }

    /// The verdict for a value of the measure.
    pub fn holds_for(&self, value: f64) -> bool {
        self.comparison.holds(Num::Float(value), self.threshold)
    }

    /// Whether a device can decide it: what no table has is compared there with the threshold as a float, so that must be
    /// the threshold exactly.
    pub fn is_for_devices(&self) -> bool {
        Num::Float(self.threshold.to_f64()) == self.threshold
    }

    /// The measure.
    pub(crate) fn measure(&self) -> Function {
        self.measure
    }

    /// How its value is compared with the threshold.
    pub(crate) fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// The threshold.
    pub(crate) fn threshold(&self) -> Num {
        self.threshold
    }

    /// The numbers of edits with which a test of edits holds for texts whose longer one has `length` characters. They
    /// have no gaps: a comparison is one of bounds, or an equality, which at most one number of edits satisfies.
    pub(crate) fn edits_that_hold(&self, length: usize) -> Option<std::ops::RangeInclusive<usize>> {
        let is_ordering = self.measure == Function::Hamming && self.comparison != Comparison::Equal;
        match if is_ordering { self.bound_of_edits(length) } else { self.bound(length) } {
            Bound::AtMost(edits) => Some(0..=edits),
            Bound::MoreThan(edits) => Some(edits + 1..=length),
            Bound::Constant(verdict) => verdict.then_some(0..=length),
            Bound::AtLeast(_) | Bound::Value => {
                let verdict =
                    |edits: &usize| self.comparison.holds(edit_value(self.measure, *edits, length), self.threshold);
                (0..=length).find(verdict).map(|edits| edits..=edits)
            }
        }
    }

    /// The verdict for two texts that are not empty; `None` is null.
    #[inline]
    pub fn holds<U: Unit>(&self, a: &impl Pattern<U>, b: &[U]) -> Option<bool> {
        let length = a.codes().len().max(b.len());
        let bound = self.bounds.get(length).copied().unwrap_or_else(|| self.bound(length));
        match bound {
            Bound::AtMost(edits) => Some(self.within(a, b, edits)),
            Bound::MoreThan(edits) => Some(!self.within(a, b, edits)),
            Bound::Constant(verdict) => Some(verdict),
            Bound::AtLeast(least) => Some(self.reaches(a, b, least)),
            Bound::Value => value(self.measure, a.codes(), b).map(|v| self.comparison.holds(v, self.threshold)),
        }
    }

    /// A similarity below `least` is below the threshold, which is all that is asked of it.
    fn reaches<U: Unit>(&self, a: &impl Pattern<U>, b: &[U], least: f64) -> bool {
        let similarity = match self.measure {
            Function::Jaro => jaro::similarity_at_least(a, b, least),
            _ => jaro_winkler::similarity_at_least(a, b, least),
        };
        let below = matches!(self.comparison, Comparison::Less | Comparison::LessEqual);
        similarity.map_or(below, |value| self.comparison.holds(Num::Float(value), self.threshold))
    }

    fn within<U: Unit>(&self, a: &impl Pattern<U>, b: &[U], edits: usize) -> bool {
        match self.measure {
            Function::Levenshtein | Function::LevenshteinSimilarity => a.levenshtein_within(b, edits).is_some(),
            Function::Osa | Function::OsaSimilarity => a.osa_within(b, edits).is_some(),
            _ => damerau::distance_within(a.codes(), b, edits).is_some(),
        }
    }

    /// The comparison over distances of texts whose longer one has `length` characters.
    fn bound(&self, length: usize) -> Bound {
        if matches!(self.measure, Function::Jaro | Function::JaroWinkler) {
            return Bound::AtLeast(self.threshold.to_f64());
        }
        if !self.counts_edits() || self.comparison == Comparison::Equal {
            return Bound::Value;
        }
        self.bound_of_edits(length)
    }

    /// The same for an ordering of edits or of differing places.
    fn bound_of_edits(&self, length: usize) -> Bound {
        let verdict = |edits| self.comparison.holds(edit_value(self.measure, edits, length), self.threshold);
        // A distance never exceeds the longer length, and the verdict changes at most once from 0 to it.
        let (first, last) = (verdict(0), verdict(length));
        if first == last {
            return Bound::Constant(first);
        }
        let (mut low, mut high) = (0, length);
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if verdict(middle) == first { low = middle } else { high = middle }
        }
        if first { Bound::AtMost(low) } else { Bound::MoreThan(low) }
    }
}

/// The measure's value for a distance between texts whose longer one has `length` characters.
fn edit_value(measure: Function, edits: usize, length: usize) -> Num {
    match measure {
        distance if distance.is_edit_distance() || distance == Function::Hamming => Num::Int(edits as i64),
        _ => Num::Float(edit_similarity(edits, length, length)),
    }
}

/// The value of a measure of two texts that are not empty; `None` is null.
pub fn value<U: Unit>(measure: Function, a: &[U], b: &[U]) -> Option<Num> {
    let distance = match measure {
        Function::Jaro => return Num::from_f64(jaro::similarity(a, b)),
        Function::JaroWinkler => return Num::from_f64(jaro_winkler::similarity(a, b)),
        Function::Hamming => return hamming::distance(a, b).map(|d| Num::Int(d as i64)),
        Function::Levenshtein | Function::LevenshteinSimilarity => levenshtein::distance(a, b),
        Function::Osa | Function::OsaSimilarity => osa::distance(a, b),
        _ => damerau::distance(a, b),
    };
    Some(edit_value(measure, distance, a.len().max(b.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_follow_the_comparison_and_not_a_rounded_product() {
        // 1 - 1/5 >= 0.8 holds in floats, though (1 - 0.8) * 5 is below 1.
        let test = TextTest::new(Function::LevenshteinSimilarity, Comparison::GreaterEqual, Num::Float(0.8));
        assert_eq!(test.bounds[5], Bound::AtMost(1));
        assert_eq!(test.holds(&&b"abcde"[..], b"abcdx"), Some(true));
        assert_eq!(test.holds(&&b"abcde"[..], b"abcxx"), Some(false));
    }

    #[test]
    fn every_comparison_agrees_with_the_value_at_every_length() {
        use Comparison as C;
        let texts: Vec<Vec<u8>> =
            (0..60_usize).map(|i| (0..=(i * 7) % 90).map(|j| ((i * j) % 3) as u8).collect()).collect();
        let measures = [
            Function::Levenshtein,
            Function::OsaSimilarity,
            Function::DamerauSimilarity,
            Function::Jaro,
            Function::JaroWinkler,
            Function::Hamming,
        ];
        for (measure, threshold) in
            measures.into_iter().flat_map(|m| [0.0, 0.3, 0.5, 0.8, 1.0, 2.0, 7.5].map(|t| (m, Num::Float(t))))
        {
            for comparison in [C::Equal, C::Less, C::LessEqual, C::Greater, C::GreaterEqual] {
                let test = TextTest::new(measure, comparison, threshold);
                for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
                    let expected = value(measure, a, b).map(|v| comparison.holds(v, threshold));
                    assert_eq!(
                        test.holds(&&a[..], b),
                        expected,
                        "{measure:?} {comparison:?} {threshold:?} {a:?} {b:?}"
                    );
                    if a == b {
                        assert_eq!(
                            Some(test.holds_for_same()),
                            expected,
                            "{measure:?} {comparison:?} {threshold:?} {a:?}"
                        );
                    }
                }
            }
        }
    }
}
