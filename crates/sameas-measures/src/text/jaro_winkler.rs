//! Jaro-Winkler similarity: Jaro similarity raised for strings with a common prefix.

use super::jaro;
use crate::measure::affix::common_prefix;
use crate::measure::cost::{CheckCost, CountFacts, DeviceForm, DeviceWords, NEAR_TEXTS};
use crate::measure::facts::{IF_EMPTY, MeasureChain, MeasureFacts, MeasureWords};
use crate::measure::{Pattern, Unit};

/// What is known of `jaro_winkler`. It adds something that is not negative to Jaro, or nothing, and a rounded sum is no less
/// than its part; `j + w * (1 - j)` for `w` below 1 does not exceed 1, as `1 - j` is exact above 0.5.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "jaro_winkler",
    also: &[],
    signature: "jaro_winkler(a, b)",
    meaning: "as `jaro`, raised for up to four equal characters at the start: good for names",
    null: IF_EMPTY,
    example: ["jaro_winkler('Martha', 'Marhta')", "0.9611111111111111"],
})
.at(MeasureChain::Jaro, 1);

/// What it takes.
pub const COUNT: CountFacts = CountFacts {
    name: "jaro_winkler",
    cost: CheckCost {
        core: [2.3, 77.0, 1.17],
        filter: [5.8, 5.5, 8.5],
        gpu: [1.08, 2.17, 0.0, 11.9],
        usual: [1.0, NEAR_TEXTS, NEAR_TEXTS * 32.0],
    },
    steps: jaro::steps,
    on_device: DeviceForm { words: DeviceWords::ForStripes(2), is_dense: true },
};

/// The prefix is counted up to this length.
pub const MAX_PREFIX: usize = 4;
/// The share of the missing similarity that each character of the prefix adds.
pub const PREFIX_WEIGHT: f64 = 0.1;
/// Only Jaro similarities above this are raised.
pub const BOOST_ABOVE: f64 = 0.7;

/// The Jaro-Winkler similarity of two non-empty strings.
pub fn similarity<U: Unit>(a: &[U], b: &[U]) -> f64 {
    from_jaro(jaro::similarity(a, b), prefix(a, b))
}

/// The similarity if it is at least `threshold`.
pub fn similarity_at_least<U: Unit>(a: &impl Pattern<U>, b: &[U], threshold: f64) -> Option<f64> {
    let (x, y) = (a.codes().len(), b.len());
    let prefix = prefix(a.codes(), b);
    let enough = |matches| at_most(x, y, matches, prefix) >= threshold;
    if !enough(x.min(y)) {
        return None;
    }
    let counts = jaro::pattern_counts_if(a, b, enough)?;
    let jaro = jaro::from_counts(x, y, counts.matches, counts.transpositions);
    Some(from_jaro(jaro, prefix)).filter(|&similarity| similarity >= threshold)
}

/// An upper bound on the similarity of two strings of these lengths, with at most this many matches and this prefix.
///
/// 1. With as many matches or more, all in order, the Jaro similarity is bounded from above, to the last bit.
/// 2. For a given prefix the true formula increases with it, also across the step at 0.7. The rounded one strays by a
///    few units in the last place of 1.0, each about 1e-16, which the slack covers many times over.
#[inline]
pub fn at_most(len_a: usize, len_b: usize, matches: usize, prefix: usize) -> f64 {
    const SLACK: f64 = 1e-12;
    from_jaro(jaro::from_counts(len_a, len_b, matches, 0), prefix) + SLACK
}

/// The length of the common prefix that counts.
pub fn prefix<U: Unit>(a: &[U], b: &[U]) -> usize {
    common_prefix(&a[..a.len().min(MAX_PREFIX)], b)
}

/// The formula: `jaro + p * 0.1 * (1 - jaro)` where `jaro > 0.7`, else `jaro`.
#[inline]
pub fn from_jaro(jaro: f64, prefix: usize) -> f64 {
    if jaro > BOOST_ABOVE { jaro + prefix as f64 * PREFIX_WEIGHT * (1.0 - jaro) } else { jaro }
}

/// The definition: the formula over the Jaro similarity by definition.
pub fn reference<U: Unit>(a: &[U], b: &[U]) -> f64 {
    let mut p = 0;
    while p < MAX_PREFIX && p < a.len() && p < b.len() && a[p] == b[p] {
        p += 1;
    }
    from_jaro(jaro::reference(a, b), p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::testing::{each_width, string_pair};
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        let list: [(&str, &str, f64); 7] = [
            ("MARTHA", "MARHTA", 17.0 / 18.0 + 0.3 / 18.0),
            ("DIXON", "DICKSONX", 0.8133333333),
            ("DWAYNE", "DUANE", 0.84),
            ("TRATE", "TRACE", 0.9066666667),
            ("CRATE", "TRACE", 11.0 / 15.0),
            ("prefixed", "prefixes", 0.9166666667 + 0.4 * 0.0833333333),
            ("a", "b", 0.0),
        ];
        for (a, b, expected) in list {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            assert!((similarity(a, b) - expected).abs() < 1e-9, "{a:?} {b:?} {}", similarity(a, b));
            assert_eq!(similarity(a, b).to_bits(), reference(a, b).to_bits());
        }
    }

    #[test]
    fn low_similarities_stay_as_they_are() {
        assert_eq!(from_jaro(0.7, 4), 0.7);
        assert!(from_jaro(0.7f64.next_up(), 4) > 0.8);
        assert_eq!(from_jaro(1.0, 4), 1.0);
    }

    proptest! {
        #[test]
        fn equals_the_definition((a, b) in string_pair(140)) {
            each_width!(a, b, |a, b| {
                prop_assert_eq!(similarity(a, b).to_bits(), reference(a, b).to_bits());
            });
        }

        #[test]
        fn symmetric_and_cut_off_exactly((a, b) in string_pair(80), threshold in 0.0..1.0f64) {
            let value = similarity(&a, &b);
            prop_assert_eq!(value.to_bits(), similarity(&b, &a).to_bits());
            for threshold in [threshold, value, value.next_up(), 1.0] {
                prop_assert_eq!(similarity_at_least(&&a[..], &b, threshold), Some(value).filter(|&v| v >= threshold));
            }
        }
    }
}
