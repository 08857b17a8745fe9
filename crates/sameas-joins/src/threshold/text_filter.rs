//! Which pairs of texts cannot pass a test, known by their signatures alone: two cache lines instead of a comparison.
//!
//! No loss: what two texts need to have in common, by their lengths and prefix, is derived in
//! [`TextPredicate`](super::TextPredicate), and signatures bound from above what they have.

use std::sync::{Arc, OnceLock};

use crate::measure::jaro_winkler::MAX_PREFIX;
use crate::measure::lanes::{Isa, Kernel, LaneVector, launch};
use crate::records::encode::{SignatureRecord, SignatureRecords, Signatures};

use super::text_test::TextTest;

/// Lengths up to this have their needs in a table.
const TABLE: usize = 64;

/// More than any text in the table has in common with another.
const NEVER: u8 = u8::MAX;

/// The least number of common characters, by both lengths less one and the common prefix.
type LeastCommon = Vec<[u8; MAX_PREFIX + 1]>;

/// What the signatures of two texts must show for a test to hold.
#[derive(Clone, Debug)]
pub struct TextFilter {
    /// Made for the first pairs, once for all copies of the check: rules that are only read, or asked about two records, need no
    /// table. `None` where the test is not a bound.
    least: Arc<OnceLock<Option<LeastCommon>>>,
    isa: Isa,
}

impl Default for TextFilter {
    fn default() -> Self {
        Self { least: Arc::default(), isa: Isa::detect() }
    }
}

impl TextFilter {
    /// Leaves of `pairs`, of texts that are not empty, those that the filter of `test` admits.
    pub fn retain(&self, test: &TextTest, signatures: &Signatures, pairs: &mut Vec<TextPair>) {
        // A table is more work than a comparison of two texts.
        if pairs.len() < 2 && self.least.get().is_none() {
            return;
        }
        let Some(least) = self.least.get_or_init(|| least_common(test)) else { return };
        let kept = match signatures.records() {
            SignatureRecords::Short(records) => launch(self.isa, Retain { least, test, records, pairs }),
            SignatureRecords::Long(records) => launch(self.isa, Retain { least, test, records, pairs }),
        };
        pairs.truncate(kept);
    }
}

/// What a test needs, if it is a bound.
fn least_common(test: &TextTest) -> Option<LeastCommon> {
    let predicate = test.predicate()?;
    let lengths = (1..=TABLE).flat_map(|x| (1..=TABLE).map(move |y| (x, y)));
    let needs = |(x, y)| predicate.needs(x, y).map_or([NEVER; MAX_PREFIX + 1], |needs| needs.common.map(narrow));
    Some(lengths.map(needs).collect())
}

fn narrow(need: u32) -> u8 {
    u8::try_from(need).unwrap_or(NEVER)
}

/// A candidate whose texts have to be compared.
#[derive(Clone, Copy, Debug)]
pub struct TextPair {
    /// Its place in the batch.
    pub at: u32,
    /// The code of the left text.
    pub a: u32,
    /// The code of the right text.
    pub b: u32,
}

/// Moves the pairs that pass to the front and counts them. Without branches: nearly all fail, but not predictably.
struct Retain<'a, R> {
    least: &'a [[u8; MAX_PREFIX + 1]],
    test: &'a TextTest,
    records: &'a [R],
    pairs: &'a mut [TextPair],
}

impl<R: SignatureRecord> Kernel<u64> for Retain<'_, R> {
    type Output = usize;

    #[inline(always)]
    fn run<V: LaneVector<Word = u64>>(self) -> usize {
        let mut kept = 0;
        for at in 0..self.pairs.len() {
            let pair = self.pairs[at];
            let (a, b) = (&self.records[pair.a as usize], &self.records[pair.b as usize]);
            self.pairs[kept] = pair;
            kept += usize::from(self.admits(a, b));
        }
        kept
    }
}

impl<R: SignatureRecord> Retain<'_, R> {
    #[inline(always)]
    fn admits(&self, a: &R, b: &R) -> bool {
        let (x, y, common, prefix) = (a.length(), b.length(), a.most_common(b), a.most_prefix(b));
        if x.max(y) > TABLE {
            return self.test.can_hold([x, y], common as usize, prefix);
        }
        common >= u32::from(self.least[(x - 1) * TABLE + y - 1][prefix])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Num;
    use crate::measure::TextMeasure;
    use crate::records::encode::Strings;
    use crate::rules::Comparison;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_passes_a_test_passes_its_filter(
            texts in prop::collection::vec(prop::collection::vec(0u8..6, 1..90), 2..12),
            measure in prop::sample::select(TextMeasure::ALL),
            comparison in prop::sample::select(vec![Comparison::Less, Comparison::LessEqual, Comparison::Greater, Comparison::GreaterEqual]),
            threshold in prop::sample::select(vec![0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0, 2.0, 5.0]),
        ) {
            let units = texts.concat();
            let ends: Vec<usize> = texts.iter().scan(0, |sum, t| { *sum += t.len(); Some(*sum) }).collect();
            let signatures = Signatures::new(Strings::new(&units, &ends), texts.len() as u32);
            let test = TextTest::new(measure, comparison, Num::Float(threshold));
            let filter = TextFilter::default();
            let all = (0..texts.len() as u32).flat_map(|a| (0..texts.len() as u32).map(move |b| TextPair { at: 0, a, b }));
            let mut kept: Vec<TextPair> = all.clone().collect();
            filter.retain(&test, &signatures, &mut kept);
            let kept: Vec<(u32, u32)> = kept.iter().map(|pair| (pair.a, pair.b)).collect();
            for TextPair { a, b, .. } in all {
                let (x, y) = (&texts[a as usize], &texts[b as usize]);
                if test.holds(&&x[..], y) == Some(true) {
                    prop_assert!(kept.contains(&(a, b)), "{measure:?} {threshold} {x:?} {y:?}");
                }
            }
        }
    }
}
