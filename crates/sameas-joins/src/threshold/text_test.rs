//! Thresholds of text measures, decided with as little work as the definition allows.
//!
//! A distance is an integer and a similarity falls with it, so every comparison with a threshold is "at most `k` edits"
//! or its opposite. `k` is found by asking the comparison itself, for each length that the measure depends on; rounding is
//! never anticipated.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::expr::Num;
use crate::measure::{CountScale, EditFormula, MeasureKind, Pattern, TextForm, TextMeasure, Unit, jaro, jaro_winkler};
use crate::rules::Comparison;

use super::text_predicate::TextPredicate;

/// Texts of fewer characters have their bound in a table.
const TABLE: usize = 256;

/// A measure of two texts against a threshold.
#[derive(Clone, Debug)]
pub struct TextTest {
    measure: TextMeasure,
    form: TextForm,
    comparison: Comparison,
    threshold: Num,
    /// The verdict for a text and itself: no edits, or a similarity of 1.
    same: bool,
    /// The lengths that bounds depend on.
    scale: CountScale,
    /// By the key of two lengths.
    bounds: Vec<Bound>,
}

/// A comparison restated over edits, as they are counted by the key of two lengths.
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
    pub fn new(measure: TextMeasure, comparison: Comparison, threshold: Num) -> Self {
        let same = comparison.holds(measure.of_equals().into(), threshold);
        let form = measure.form();
        let scale = match form {
            TextForm::Edits(_, formula) => formula.scale(),
            TextForm::Places | TextForm::Jaro | TextForm::JaroWinkler => CountScale::Longer,
        };
        let mut test = Self { measure, form, comparison, threshold, same, scale, bounds: Vec::new() };
        test.bounds = (0..scale.key(TABLE, TABLE)).map(|key| test.bound(key)).collect();
        test
    }

    /// The verdict for a text that is not empty and itself.
    pub fn holds_for_same(&self) -> bool {
        self.same
    }

    /// The most edits with which the test can hold for texts of these lengths, and `None` where it never does.
    #[inline]
    pub fn most_edits(&self, x: usize, y: usize) -> Option<usize> {
        match self.bound_of_key(self.scale.key(x, y)) {
            Bound::AtMost(edits) => Some(edits + self.scale.shift(x, y)),
            Bound::Constant(false) => None,
            Bound::MoreThan(_) | Bound::Constant(true) | Bound::AtLeast(_) | Bound::Value => Some(x.max(y)),
        }
    }

    /// The most edits with which the test can hold for a text of `length` characters and any that is no longer, and `None`
    /// where it never does.
    ///
    /// Where the sum of both lengths decides, that is the number for the shortest text with which it can hold. No loss:
    /// 1. Let L = longer length - edits be what is left alone. A formula of L and the sum s falls with s and rises with L,
    ///    rounded or not. So the least L with which the test holds, l(s), never falls as s rises.
    /// 2. With a text of y characters no more than y are left alone: the test can hold only where l(length + y) <= y. What
    ///    holds for y and L = y holds for y + 1 and L = y + 1 too, as the edits are one fewer and the sum is greater; so
    ///    these y have no gap, and the least is found by bisection.
    /// 3. By 1, l is least for the least y, and the most edits, length - l, are those for it.
    pub fn most_edits_of_longer(&self, length: usize) -> Option<usize> {
        let can_hold = |y: usize| self.most_edits(length, y).is_some_and(|most| most + y >= length);
        match self.scale {
            CountScale::Longer => self.most_edits(length, length),
            CountScale::Both if !can_hold(length) => None,
            CountScale::Both => {
                let (mut low, mut high) = (length.min(1), length);
                while low < high {
                    let middle = usize::midpoint(low, high);
                    if can_hold(middle) { high = middle } else { low = middle + 1 }
                }
                self.most_edits(length, low)
            }
        }
    }

    /// The most bytes in which a thread decides texts of at most `length` characters by their edits.
    pub fn scratch_bytes(&self, length: usize) -> usize {
        match self.form {
            TextForm::Edits(count, _) => count.scratch_bytes(length, self.most_edits_of_longer(length).unwrap_or(0)),
            TextForm::Places | TextForm::Jaro | TextForm::JaroWinkler => 0,
        }
    }

    /// The bound that a join or a filter can use, if the test is one.
    pub fn predicate(&self) -> Option<TextPredicate<'_>> {
        match self.form {
            TextForm::Edits(count, _) if self.is_edit_bound() => {
                Some(TextPredicate::Edits(count, Box::new(|x, y| self.most_edits(x, y))))
            }
            TextForm::Jaro if self.is_lower() => Some(TextPredicate::Jaro(Box::new(|value| self.holds_for(value)))),
            TextForm::JaroWinkler if self.is_lower() => {
                Some(TextPredicate::JaroWinkler(Box::new(|value| self.holds_for(value))))
            }
            TextForm::Edits(..) | TextForm::Places | TextForm::Jaro | TextForm::JaroWinkler => None,
        }
    }

    /// False only where the test fails for all texts of these lengths with at most `common` characters in common and at
    /// most `prefix` in a common prefix: see [`TextPredicate`].
    pub fn can_hold(&self, [x, y]: [usize; 2], common: usize, prefix: usize) -> bool {
        let matches = common.min(x).min(y);
        match self.form {
            TextForm::Jaro => self.holds_for(jaro::from_counts(x, y, matches, 0)),
            TextForm::JaroWinkler => self.holds_for(jaro_winkler::at_most(x, y, matches, prefix)),
            TextForm::Edits(..) | TextForm::Places => {
                self.most_edits(x, y).is_some_and(|most| common + most >= x.max(y))
            }
        }
    }

    /// Whether the test holds exactly for the pairs within [`most_edits`](Self::most_edits).
    pub fn is_edit_bound(&self) -> bool {
        matches!(self.form, TextForm::Edits(..)) && if self.is_distance() { self.is_upper() } else { self.is_lower() }
    }

    /// Whether the test asks for at least some Jaro or Jaro-Winkler similarity.
    pub fn is_jaro_bound(&self) -> bool {
        matches!(self.form, TextForm::Jaro | TextForm::JaroWinkler) && self.is_lower()
    }

    fn is_distance(&self) -> bool {
        self.measure.facts().kind == MeasureKind::Distance
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
    #[inline]
    pub fn measure(&self) -> TextMeasure {
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

    /// The lengths that its bounds depend on.
    pub(crate) fn scale(&self) -> CountScale {
        self.scale
    }

    /// The numbers of edits with which a test of edits holds, as they are counted by this key. They have no gaps: a
    /// comparison is one of bounds, or an equality, which at most one number of edits satisfies.
    pub(crate) fn edits_that_hold(&self, key: usize) -> Option<std::ops::RangeInclusive<usize>> {
        let most = self.scale.most(key);
        let formula = self.formula()?;
        if self.comparison == Comparison::Equal {
            let verdict = |edits: &usize| self.comparison.holds(formula.value(*edits, key).into(), self.threshold);
            return (0..=most).find(verdict).map(|edits| edits..=edits);
        }
        match self.ordered_bound(formula, key) {
            Bound::AtMost(edits) => Some(0..=edits),
            Bound::MoreThan(edits) => Some(edits + 1..=most),
            Bound::Constant(verdict) => verdict.then_some(0..=most),
            Bound::AtLeast(_) | Bound::Value => None,
        }
    }

    /// The verdict for two texts that are not empty; `None` is null.
    #[inline]
    pub fn holds<U: Unit>(&self, a: &impl Pattern<U>, b: &[U]) -> Option<bool> {
        let (x, y) = (a.codes().len(), b.len());
        match self.bound_of_key(self.scale.key(x, y)) {
            Bound::AtMost(edits) => Some(self.is_within(a, b, edits + self.scale.shift(x, y))),
            Bound::MoreThan(edits) => Some(!self.is_within(a, b, edits + self.scale.shift(x, y))),
            Bound::Constant(verdict) => Some(verdict),
            Bound::AtLeast(least) => Some(self.reaches(a, b, least)),
            Bound::Value => self.value(a.codes(), b).map(|value| self.comparison.holds(value, self.threshold)),
        }
    }

    fn value<U: Unit>(&self, a: &[U], b: &[U]) -> Option<Num> {
        self.measure.value(a, b).map(Num::from)
    }

    /// A similarity below `least` is below the threshold, which is all that is asked of it.
    fn reaches<U: Unit>(&self, a: &impl Pattern<U>, b: &[U], least: f64) -> bool {
        let similarity = match self.form {
            TextForm::Jaro => jaro::similarity_at_least(a, b, least),
            TextForm::JaroWinkler => jaro_winkler::similarity_at_least(a, b, least),
            TextForm::Edits(..) | TextForm::Places => None,
        };
        similarity.map_or(self.is_upper(), |value| self.holds_for(value))
    }

    fn is_within<U: Unit>(&self, a: &impl Pattern<U>, b: &[U], edits: usize) -> bool {
        match self.form {
            TextForm::Edits(count, _) => count.is_within(a, b, edits),
            TextForm::Places | TextForm::Jaro | TextForm::JaroWinkler => false,
        }
    }

    #[inline]
    fn bound_of_key(&self, key: usize) -> Bound {
        self.bounds.get(key).copied().unwrap_or_else(|| self.bound(key))
    }

    /// The comparison over the edits of texts with this key.
    fn bound(&self, key: usize) -> Bound {
        match self.form {
            TextForm::Jaro | TextForm::JaroWinkler => Bound::AtLeast(self.threshold.to_f64()),
            TextForm::Edits(_, formula) if self.comparison != Comparison::Equal => self.ordered_bound(formula, key),
            TextForm::Edits(..) | TextForm::Places => Bound::Value,
        }
    }

    /// What is made of a number of edits or of differing places; nothing where the measure has none.
    fn formula(&self) -> Option<EditFormula> {
        match self.form {
            TextForm::Edits(_, formula) => Some(formula),
            TextForm::Places => Some(EditFormula::Count),
            TextForm::Jaro | TextForm::JaroWinkler => None,
        }
    }

    /// An ordering as a bound on edits or on differing places.
    fn ordered_bound(&self, formula: EditFormula, key: usize) -> Bound {
        let verdict = |edits| self.comparison.holds(formula.value(edits, key).into(), self.threshold);
        // No more edits than these are counted, and the verdict changes at most once from none to them.
        let most = self.scale.most(key);
        let (first, last) = (verdict(0), verdict(most));
        if first == last {
            return Bound::Constant(first);
        }
        let (mut low, mut high) = (0, most);
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if verdict(middle) == first { low = middle } else { high = middle }
        }
        if first { Bound::AtMost(low) } else { Bound::MoreThan(low) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_follow_the_comparison_and_not_a_rounded_product() {
        // 1 - 1/5 >= 0.8 holds in floats, though (1 - 0.8) * 5 is below 1.
        let test = TextTest::new(TextMeasure::LevenshteinSimilarity, Comparison::GreaterEqual, Num::Float(0.8));
        assert_eq!(test.bounds[5], Bound::AtMost(1));
        assert_eq!(test.holds(&&b"abcde"[..], b"abcdx"), Some(true));
        assert_eq!(test.holds(&&b"abcde"[..], b"abcxx"), Some(false));
    }

    const COMPARISONS: [Comparison; 5] =
        [Comparison::Equal, Comparison::Less, Comparison::LessEqual, Comparison::Greater, Comparison::GreaterEqual];

    /// Every measure, comparison and some thresholds.
    fn tests() -> impl Iterator<Item = TextTest> {
        let thresholds = [0.0, 0.3, 0.5, 0.8, 1.0, 2.0, 7.5];
        let all = TextMeasure::ALL.iter().flat_map(move |measure| thresholds.map(|t| (*measure, Num::Float(t))));
        all.flat_map(|(measure, threshold)| COMPARISONS.map(|c| TextTest::new(measure, c, threshold)))
    }

    #[test]
    fn every_comparison_agrees_with_the_value_at_every_length() {
        let texts: Vec<Vec<u8>> =
            (0..40_usize).map(|i| (0..=(i * 7) % 90).map(|j| ((i * j) % 3) as u8).collect()).collect();
        for test in tests() {
            for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
                let value = test.measure.value(a, b).map(Num::from);
                let expected = value.map(|v| test.comparison.holds(v, test.threshold));
                let shown = || format!("{:?} {:?} {:?} {a:?} {b:?}", test.measure, test.comparison, test.threshold);
                assert_eq!(test.holds(&&a[..], b), expected, "{}", shown());
                if a == b {
                    assert_eq!(Some(test.holds_for_same()), expected, "{}", shown());
                }
            }
        }
    }

    /// What a join by the longer length takes for granted.
    #[test]
    fn the_longer_length_allows_what_any_two_lengths_allow() {
        for test in tests().filter(TextTest::is_edit_bound) {
            for x in 1..60 {
                let possible = (1..=x).filter_map(|y| test.most_edits(x, y).filter(|most| most + y >= x));
                let of_longer = test.most_edits_of_longer(x);
                assert!(
                    possible.clone().all(|most| of_longer.is_some_and(|all| all >= most)),
                    "{:?} {x}",
                    test.measure
                );
                if test.scale == CountScale::Both {
                    assert_eq!(of_longer, possible.max(), "{:?} {x}", test.measure);
                }
            }
        }
    }
}
