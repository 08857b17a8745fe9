//! What a join asks of two texts, and the least that their signatures must show.
//!
//! Every bound below is on the multiset intersection of the characters of two texts, c for short. No pair is lost:
//!
//! Edit distances (bag distance of Bartolini, Ciaccia and Patella 2002):
//! 1. Let g = max(|a|, |b|) - c, the larger number of characters that one text has and the other has not. An insertion,
//!    deletion or substitution changes g by at most one, a swap of neighbours not at all.
//! 2. Levenshtein, optimal string alignment and Damerau-Levenshtein distance each count the steps of a sequence of such
//!    edits from a to b, where g is 0. So the distance is at least g.
//! 3. With at most k edits allowed, c >= max(|a|, |b|) - k. The k of two lengths comes from the caller, which tests its
//!    decision for them.
//!
//! Jaro and Jaro-Winkler:
//! 1. A match pairs two equal characters, each used once, so m <= c.
//! 2. Among all pairs with the lengths |a| and |b|, m matches and a prefix of p, the greatest value is that without
//!    transpositions, as rounded subtraction, division and addition keep the order of their operands; Jaro-Winkler adds
//!    a slack for the step at 0.7 ([`jaro_winkler::at_most`]).
//! 3. The decision is monotone: if it fails for this greatest value, it fails for all these pairs. So m matches are
//!    enough only if the decision, tested for this value, holds.
//! 4. One match more raises the true value by at least 0.6 / (3 max(|a|, |b|)), far above rounding for texts of fewer
//!    than 2^32 characters, so the least sufficient m is found by bisection. If not even min(|a|, |b|) matches are enough, no
//!    pair with these lengths and prefix holds.
//! 5. The prefix of a pair is bounded from above by the bytes of its signatures, and a longer prefix never asks for more
//!    matches: weight, product and sum keep the order of their operands.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::measure::{EditCount, PreparedText, Unit, jaro, jaro_winkler};

/// The number of prefixes that count: 0 to 4 characters.
const PREFIXES: usize = jaro_winkler::MAX_PREFIX + 1;

/// The most edits for two lengths, `None` for never.
pub type MostEdits<'a> = Box<dyn Fn(usize, usize) -> Option<usize> + Sync + 'a>;

/// A decision on a similarity that, once true, stays true for all greater values.
pub type Decision<'a> = Box<dyn Fn(f64) -> bool + Sync + 'a>;

/// What two texts must satisfy.
pub enum TextPredicate<'a> {
    /// At most the number of edits that the lengths allow.
    Edits(EditCount, MostEdits<'a>),
    /// A decision on the Jaro similarity.
    Jaro(Decision<'a>),
    /// A decision on the Jaro-Winkler similarity.
    JaroWinkler(Decision<'a>),
}

/// What pairs of two lengths need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LengthRequirements {
    /// The least intersection, by the length of the prefix; `u32::MAX` for never. It falls with the prefix.
    pub(crate) common: [u32; PREFIXES],
    /// The most edits, where edits are counted.
    pub(crate) edits: usize,
}

impl LengthRequirements {
    /// The least intersection of any pair of these lengths.
    pub(crate) fn least(&self) -> u32 {
        self.common[PREFIXES - 1]
    }
}

impl TextPredicate<'_> {
    /// What pairs of these lengths need, `None` if there can be none.
    pub(crate) fn needs(&self, a: usize, b: usize) -> Option<LengthRequirements> {
        if let TextPredicate::Edits(_, most_edits) = self {
            let longest = a.max(b);
            let edits = most_edits(a, b)?;
            let common = longest.saturating_sub(edits);
            return (common <= a.min(b)).then_some(LengthRequirements { common: [common as u32; PREFIXES], edits });
        }
        let common = std::array::from_fn(|prefix| self.least_matches(a, b, prefix).map_or(u32::MAX, |m| m as u32));
        Some(LengthRequirements { common, edits: 0 }).filter(|needs| needs.least() != u32::MAX)
    }

    /// Whether any pair of these lengths may hold.
    pub(crate) fn may_hold(&self, a: usize, b: usize) -> bool {
        match self {
            TextPredicate::Edits(..) => self.needs(a, b).is_some(),
            TextPredicate::Jaro(holds) => holds(jaro::from_counts(a, b, a.min(b), 0)),
            TextPredicate::JaroWinkler(holds) => holds(jaro_winkler::at_most(a, b, a.min(b), jaro_winkler::MAX_PREFIX)),
        }
    }

    /// The least number of matches that is enough.
    fn least_matches(&self, a: usize, b: usize, prefix: usize) -> Option<usize> {
        let may_hold = |matches| match self {
            TextPredicate::Edits(..) => true,
            TextPredicate::Jaro(holds) => holds(jaro::from_counts(a, b, matches, 0)),
            TextPredicate::JaroWinkler(holds) => holds(jaro_winkler::at_most(a, b, matches, prefix)),
        };
        let (mut low, mut high) = (0, a.min(b));
        if !may_hold(high) {
            return None;
        }
        while low < high {
            let middle = usize::midpoint(low, high);
            if may_hold(middle) { high = middle } else { low = middle + 1 }
        }
        Some(low)
    }

    /// The decision for two texts of such lengths, one of them prepared.
    #[inline]
    pub(crate) fn holds<U: Unit>(&self, a: &PreparedText<U>, b: &[U], needs: &LengthRequirements) -> bool {
        match self {
            TextPredicate::Edits(count, _) => count.is_within(a, b, needs.edits),
            TextPredicate::Jaro(_) | TextPredicate::JaroWinkler(_) => {
                let prefix = jaro_winkler::prefix(a.codes(), b);
                let enough = |matches: usize| matches as u32 >= needs.common[prefix];
                let counts = jaro::pattern_counts_if(a, b, enough);
                counts.is_some_and(|counts| self.holds_for(a.codes().len(), b.len(), counts, prefix))
            }
        }
    }

    /// The decision of a Jaro predicate for two lengths, matches, transpositions and prefix.
    #[inline]
    pub(crate) fn holds_for(&self, a: usize, b: usize, counts: jaro::JaroCounts, prefix: usize) -> bool {
        let value = jaro::from_counts(a, b, counts.matches, counts.transpositions);
        match self {
            TextPredicate::Edits(..) => false,
            TextPredicate::Jaro(holds) => holds(value),
            TextPredicate::JaroWinkler(holds) => holds(jaro_winkler::from_jaro(value, prefix)),
        }
    }
}
