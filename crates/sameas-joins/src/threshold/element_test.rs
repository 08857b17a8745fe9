//! The threshold of a measure of two sets by the texts of their elements: a mean of best matches.
//!
//! Two bounds save work and decide nothing by themselves. Let S be the sum of the best similarities of some elements, in
//! floats, and R what the others can add at most:
//! 1. Similarities are not negative and rounded sums keep the order of their parts, so the mean is at least S / n, to the
//!    last bit.
//! 2. Each element adds at most its greatest bound with an element of the other set: 1 where that has it too, else by their
//!    signatures, as in [`TextPredicate`](super::TextPredicate). The true sum is at most S + R, and n roundings of sums of
//!    at most n stray from it by less than the slack.
//!
//! Where the comparison has one verdict for both bounds, it has that verdict for the mean.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::expr::Num;
use crate::measure::set::best_matches::{mean_of, similarity};
use crate::measure::{TextForm, TextMeasure, Unit, jaro, jaro_winkler};
use crate::records::encode::{AnyStrings, SignatureRecord, SignatureRecords, Strings, Texts};
use crate::rules::Comparison;

use super::text_predicate::TextPredicate;

/// A mean of best matches against a threshold.
#[derive(Clone, Copy, Debug)]
pub struct ElementTest {
    /// The similarity of two elements.
    pub inner: TextMeasure,
    /// How the mean is compared.
    pub comparison: Comparison,
    /// With what.
    pub threshold: Num,
}

/// What rounding may add to a mean, and for each element besides.
const SLACK: f64 = 1e-12;
const SLACK_OF_ELEMENT: f64 = 1e-15;

/// The similarity that makes two elements partners is at most this.
const PARTNERS_AT_MOST: f64 = 0.95;

/// Below this threshold partners would be most of all elements.
const LEAST_INDEXED: f64 = 0.8;

/// What of a number of partners is rounding.
const ROUNDED_PARTNERS: f64 = 1e-9;

/// Evaluates an expression with the characters and signatures of elements, whatever their widths.
macro_rules! with_elements {
    ($texts:expr, |$of:ident| $body:expr) => {
        match ($texts.strings(), $texts.signatures().records()) {
            (AnyStrings::U8(strings), SignatureRecords::Short(records)) => with_elements!(strings, records, $of, $body),
            (AnyStrings::U8(strings), SignatureRecords::Long(records)) => with_elements!(strings, records, $of, $body),
            (AnyStrings::U16(strings), SignatureRecords::Short(records)) => {
                with_elements!(strings, records, $of, $body)
            }
            (AnyStrings::U16(strings), SignatureRecords::Long(records)) => with_elements!(strings, records, $of, $body),
            (AnyStrings::U32(strings), SignatureRecords::Short(records)) => {
                with_elements!(strings, records, $of, $body)
            }
            (AnyStrings::U32(strings), SignatureRecords::Long(records)) => with_elements!(strings, records, $of, $body),
        }
    };
    ($strings:ident, $records:ident, $of:ident, $body:expr) => {{
        let $of = ElementTexts { strings: $strings, records: &$records[..] };
        $body
    }};
}

impl ElementTest {
    /// The verdict on two sets of elements of these texts, the first argument first; null where one is empty.
    pub fn holds(&self, texts: &Texts, x: &[u32], y: &[u32]) -> Option<bool> {
        let is_null = x.is_empty() || y.is_empty();
        (!is_null).then(|| with_elements!(texts, |of| self.decide(of, x, y)))
    }

    /// The mean for two such sets; null where one is empty.
    pub fn value(&self, texts: &Texts, x: &[u32], y: &[u32]) -> Option<f64> {
        let is_null = x.is_empty() || y.is_empty();
        let mean = || with_elements!(texts, |of| mean_of(x.len(), |at| of.best(self.inner, x[at], y).0));
        (!is_null).then(mean)
    }

    /// Whether a device can decide it: it has Jaro's similarities, and the threshold must be a float exactly.
    pub fn is_for_devices(&self) -> bool {
        self.is_of_jaro() && Num::Float(self.threshold.to_f64()) == self.threshold
    }

    /// Whether a common prefix of two elements adds to their similarity.
    pub fn counts_prefix(&self) -> bool {
        match self.inner.form() {
            TextForm::JaroWinkler => true,
            TextForm::Jaro | TextForm::Edits(..) | TextForm::Places => false,
        }
    }

    /// The most bytes in which a thread compares two elements of at most `length` characters by their edits.
    pub fn scratch_bytes(&self, length: usize) -> usize {
        match self.inner.form() {
            TextForm::Edits(count, _) => count.scratch_bytes(length, length),
            TextForm::Places | TextForm::Jaro | TextForm::JaroWinkler => 0,
        }
    }

    /// Whether sets that reach the threshold can be found by [partners](Self::partners).
    pub fn has_partners(&self) -> bool {
        let is_lower = match self.comparison {
            Comparison::Greater | Comparison::GreaterEqual => true,
            Comparison::Equal | Comparison::Less | Comparison::LessEqual => false,
        };
        is_lower && self.is_of_jaro() && self.threshold.to_f64() >= LEAST_INDEXED
    }

    /// Which elements are partners of each other: those of at least a similarity below the threshold.
    pub fn partners(&self) -> Option<TextPredicate<'static>> {
        let least = self.least_of_partners();
        match self.inner.form() {
            TextForm::Jaro => Some(TextPredicate::Jaro(Box::new(move |value| value >= least))),
            TextForm::JaroWinkler => Some(TextPredicate::JaroWinkler(Box::new(move |value| value >= least))),
            TextForm::Edits(..) | TextForm::Places => None,
        }
    }

    /// How many elements of a first set of this size have a partner at least where the threshold is reached; more than the size
    /// where it cannot be.
    ///
    /// Let k of n elements have a partner, of similarity s or more. The others have less than s, and none has more than 1, so
    /// for a mean of at least t, n t <= k + (n - k) s, and k >= n (t - s) / (1 - s). What rounding may have added to the mean
    /// is taken from t. As t lies above s by more than that, k is 1 at least.
    pub fn least_partners(&self, size: usize) -> usize {
        let (count, least) = (size as f64, self.least_of_partners());
        let reached = self.threshold.to_f64() - SLACK - SLACK_OF_ELEMENT * count;
        let partners = count * (reached - least) / (1.0 - least) - ROUNDED_PARTNERS;
        (partners.ceil().max(1.0) as usize).min(size + 1)
    }

    /// Whether an element has a partner in a set.
    pub fn has_partner(&self, texts: &Texts, element: u32, set: &[u32]) -> bool {
        let least = self.least_of_partners();
        with_elements!(texts, |of| of.has_at_least(self.inner, element, set, least))
    }

    /// The least similarity of partners: so far below the threshold that a third of the elements must have one, or more of them
    /// for thresholds near 1.
    fn least_of_partners(&self) -> f64 {
        let threshold = self.threshold.to_f64();
        (threshold - (1.0 - threshold) / 2.0).min(PARTNERS_AT_MOST)
    }

    fn is_of_jaro(&self) -> bool {
        match self.inner.form() {
            TextForm::Jaro | TextForm::JaroWinkler => true,
            TextForm::Edits(..) | TextForm::Places => false,
        }
    }

    fn decide<U: Unit, R: SignatureRecord>(&self, of: ElementTexts<'_, U, R>, x: &[u32], y: &[u32]) -> bool {
        let count = x.len() as f64;
        let mut rest: f64 = x.iter().map(|element| of.most(self.inner, *element, y)).sum();
        if let Some(verdict) = self.known(0.0, rest, count) {
            return verdict;
        }
        let mut sum = 0.0;
        for element in x {
            let (best, most) = of.best(self.inner, *element, y);
            (sum, rest) = (sum + best, rest - most);
            if let Some(verdict) = self.known(sum, rest, count) {
                return verdict;
            }
        }
        self.holds_for(sum / count)
    }

    /// The verdict, where it is the same for every mean between the two bounds.
    fn known(&self, sum: f64, rest: f64, count: f64) -> Option<bool> {
        let low = sum / count;
        let high = (sum + rest.max(0.0)) / count + SLACK + SLACK_OF_ELEMENT * count;
        match self.comparison {
            Comparison::Equal => {
                let outside = Num::Float(low) > self.threshold || Num::Float(high) < self.threshold;
                outside.then_some(false)
            }
            Comparison::Less | Comparison::LessEqual | Comparison::Greater | Comparison::GreaterEqual => {
                let verdict = self.holds_for(low);
                (verdict == self.holds_for(high)).then_some(verdict)
            }
        }
    }

    fn holds_for(&self, mean: f64) -> bool {
        self.comparison.holds(Num::Float(mean), self.threshold)
    }
}

/// Elements by their numbers: their characters and signatures.
#[derive(Clone, Copy)]
struct ElementTexts<'a, U, R> {
    strings: Strings<'a, U>,
    records: &'a [R],
}

impl<U: Unit, R: SignatureRecord> ElementTexts<'_, U, R> {
    /// The most that an element can have in common with one of a set.
    fn most(&self, inner: TextMeasure, element: u32, set: &[u32]) -> f64 {
        if set.binary_search(&element).is_ok() {
            return 1.0;
        }
        set.iter().map(|other| self.bound(inner, element, *other)).fold(0.0, f64::max)
    }

    /// The greatest similarity of an element with one of a set, and the most that it could have been.
    fn best(&self, inner: TextMeasure, element: u32, set: &[u32]) -> (f64, f64) {
        if set.binary_search(&element).is_ok() {
            return (1.0, 1.0);
        }
        let (text, mut best, mut most) = (self.strings.get(element), 0.0_f64, 0.0_f64);
        for other in set {
            let bound = self.bound(inner, element, *other);
            most = most.max(bound);
            if bound > best {
                best = best.max(self.at_least(inner, text, *other, best));
            }
        }
        (best, most)
    }

    /// Whether an element has at least this similarity with one of a set.
    fn has_at_least(&self, inner: TextMeasure, element: u32, set: &[u32], least: f64) -> bool {
        let text = self.strings.get(element);
        set.binary_search(&element).is_ok()
            || set.iter().any(|other| {
                self.bound(inner, element, *other) >= least && self.at_least(inner, text, *other, least) >= least
            })
    }

    /// At least the similarity of two elements.
    fn bound(&self, inner: TextMeasure, a: u32, b: u32) -> f64 {
        let (a, b) = (&self.records[a as usize], &self.records[b as usize]);
        let (x, y) = (a.length(), b.length());
        let matches = (a.most_common(b) as usize).min(x).min(y);
        let bound = match inner.form() {
            TextForm::Jaro => jaro::from_counts(x, y, matches, 0),
            TextForm::JaroWinkler => jaro_winkler::at_most(x, y, matches, a.most_prefix(b)),
            TextForm::Edits(..) | TextForm::Places => 1.0,
        };
        bound.min(1.0)
    }

    /// The similarity of a text with an element, or less than `least` where it is less.
    fn at_least(&self, inner: TextMeasure, text: &[U], other: u32, least: f64) -> f64 {
        let other = self.strings.get(other);
        match inner.form() {
            TextForm::Jaro => jaro::similarity_at_least(&text, other, least).unwrap_or(0.0),
            TextForm::JaroWinkler => jaro_winkler::similarity_at_least(&text, other, least).unwrap_or(0.0),
            TextForm::Edits(..) | TextForm::Places => similarity(inner, text, other),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use arrow_array::StringArray;
    use proptest::prelude::*;

    use super::*;
    use crate::cancel::Cancel;
    use crate::expr::Vector;
    use crate::measure::set::best_matches::of_texts;
    use crate::measure::tokens::words;
    use crate::records::encode::{Dictionary, Numbers, TokenSets, Tokenizer};

    const COMPARISONS: [Comparison; 5] =
        [Comparison::Equal, Comparison::Less, Comparison::LessEqual, Comparison::Greater, Comparison::GreaterEqual];

    proptest! {
        #[test]
        fn decides_as_the_definition_does(
            values in prop::collection::vec("[abé-]{1,6}( [ab]{1,5}){0,3}( [a-f]{60,70}){0,1}", 2..6),
            inner in prop::sample::select(vec![TextMeasure::Jaro, TextMeasure::JaroWinkler]),
            given in 0.0..1.0f64,
        ) {
            let column = Vector::Text(StringArray::from_iter_values(&values));
            let (dictionary, codes) = Dictionary::encode(&[vec![column.into()]], Numbers::ByValue, Cancel::NEVER);
            let sources = [(&dictionary, Tokenizer::Words)];
            let sets = TokenSets::with_elements(TokenSets::tokenize(&sources, Cancel::NEVER), &sources, Cancel::NEVER);
            let elements = sets[0].elements().expect("they were wanted");
            let of_row = |row: usize| elements.view().set(codes[0][row]);
            for (a, b) in (0..values.len()).flat_map(|a| (0..values.len()).map(move |b| (a, b))) {
                let [x, y] = [a, b].map(|row| words(&values[row]).collect::<BTreeSet<_>>());
                let [x, y] = [&x, &y].map(|set| set.iter().copied().collect::<Vec<&str>>());
                let value = (!x.is_empty() && !y.is_empty()).then(|| of_texts(inner, &x, &y));
                let near = value.unwrap_or(given);
                for threshold in [given, near, near.next_up(), near.next_down(), 1.0] {
                    for comparison in COMPARISONS {
                        let test = ElementTest { inner, comparison, threshold: Num::Float(threshold) };
                        let expected = value.map(|value| comparison.holds(Num::Float(value), Num::Float(threshold)));
                        prop_assert_eq!(test.holds(elements.texts(), of_row(a), of_row(b)), expected);
                        prop_assert_eq!(test.value(elements.texts(), of_row(a), of_row(b)), value);
                    }
                }
            }
        }
    }
}
