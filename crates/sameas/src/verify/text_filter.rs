//! Which pairs of texts cannot pass a test, told by their signatures alone: two cache lines instead of a comparison.

use crate::expr::Function;
use crate::measure::{jaro, jaro_winkler};
use crate::records::encode::Signatures;

use super::text_test::TextTest;

/// Lengths up to this have their bounds in tables.
const TABLE: usize = 64;

/// A prefix of 0 to 4 characters counts.
const PREFIXES: usize = jaro_winkler::MAX_PREFIX + 1;

/// What the signatures of two texts must allow.
#[derive(Debug)]
pub enum TextFilter {
    /// At most so many edits, by the length of the longer text.
    ///
    /// No loss: an alignment of d edits leaves at least max(|a|, |b|) - d characters of the longer text equal to, or
    /// exchanged with, characters of the other, and these are common to the two multisets. Hence d is at least
    /// max(|a|, |b|) less the size of their intersection, in Levenshtein's, the optimal string alignment and Damerau's
    /// distance.
    Edits(Vec<u32>),
    /// At least so many Jaro matches, by the two lengths and the common prefix.
    ///
    /// No loss: matched characters are common to the two multisets; the least number of matches that can pass is found
    /// by asking the test, with all matches in order (see [`jaro_winkler::at_most`]), and a longer prefix asks for no more.
    Matches(Vec<u8>, Function),
    /// Nothing.
    Open,
}

/// More matches than any text in the table has.
const NEVER: u8 = u8::MAX;

impl TextFilter {
    /// The filter that a test allows.
    pub fn new(test: &TextTest, measure: Function) -> Self {
        if test.is_edit_bound() {
            return Self::Edits((0..=TABLE).map(|length| edits(test, length)).collect());
        }
        if !test.is_jaro_bound() {
            return Self::Open;
        }
        let least = |x: usize, y: usize, prefix: usize| {
            (0..=x.min(y)).find(|m| can_pass(test, measure, [x, y], *m, prefix)).map_or(NEVER, |m| m as u8)
        };
        let lengths = (1..=TABLE).flat_map(|x| (1..=TABLE).map(move |y| (x, y)));
        let table = lengths.flat_map(|(x, y)| (0..PREFIXES).map(move |p| least(x, y, p)));
        Self::Matches(table.collect(), measure)
    }

    /// False only where `test`, for which the filter was made, fails for the texts `a` and `b`, which are not empty.
    #[inline]
    pub fn admits(&self, test: &TextTest, signatures: &Signatures, a: u32, b: u32) -> bool {
        let (x, y) = (signatures.length(a), signatures.length(b));
        let long = x.max(y);
        match self {
            Self::Open => true,
            Self::Edits(most) => {
                let most = if long <= TABLE { most[long] } else { edits(test, long) };
                most != u32::MAX && signatures.most_common(a, b) + most >= long as u32
            }
            Self::Matches(least, _) if long <= TABLE => {
                let place = ((x - 1) * TABLE + y - 1) * PREFIXES + signatures.most_prefix(a, b);
                signatures.most_common(a, b) >= u32::from(least[place])
            }
            Self::Matches(_, measure) => {
                let matches = (signatures.most_common(a, b) as usize).min(x).min(y);
                can_pass(test, *measure, [x, y], matches, signatures.most_prefix(a, b))
            }
        }
    }
}

fn edits(test: &TextTest, length: usize) -> u32 {
    test.most_edits(length).map_or(u32::MAX, |edits| edits as u32)
}

fn can_pass(test: &TextTest, measure: Function, [x, y]: [usize; 2], matches: usize, prefix: usize) -> bool {
    test.holds_for(match measure {
        Function::Jaro => jaro::from_counts(x, y, matches, 0),
        _ => jaro_winkler::at_most(x, y, matches, prefix),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Num;
    use crate::records::encode::Strings;
    use crate::rules::Comparison;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_passes_a_test_passes_its_filter(
            texts in prop::collection::vec(prop::collection::vec(0u8..6, 1..90), 2..12),
            measure in prop::sample::select(vec![
                Function::Levenshtein, Function::OsaSimilarity, Function::DamerauSimilarity, Function::Jaro, Function::JaroWinkler,
            ]),
            comparison in prop::sample::select(vec![Comparison::Less, Comparison::LessEqual, Comparison::Greater, Comparison::GreaterEqual]),
            threshold in prop::sample::select(vec![0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0, 2.0, 5.0]),
        ) {
            let units = texts.concat();
            let ends: Vec<usize> = texts.iter().scan(0, |sum, t| { *sum += t.len(); Some(*sum) }).collect();
            let signatures = Signatures::new(Strings::new(&units, &ends), texts.len() as u32);
            let test = TextTest::new(measure, comparison, Num::Float(threshold));
            let filter = TextFilter::new(&test, measure);
            for (i, a) in texts.iter().enumerate() {
                for (j, b) in texts.iter().enumerate() {
                    if test.holds(&&a[..], b) == Some(true) {
                        prop_assert!(filter.admits(&test, &signatures, i as u32, j as u32), "{measure:?} {threshold} {a:?} {b:?}");
                    }
                }
            }
        }
    }
}
