//! Sets at a glance: how many tokens, and a bit for each. What two sets have in common at most is known from these alone,
//! which decides nearly all pairs of unrelated values without a look at their tokens.

use rayon::prelude::*;
use sameas_kernels::layout::set_join::SetSummary;

use super::Sets;

/// Bits of a summary: with the size it takes 16 bytes.
const BITS: u32 = 96;

/// Sets per task.
const CHUNK: usize = 1 << 12;

/// The summaries of all sets, by code.
pub fn summaries(sets: Sets<'_>) -> Vec<SetSummary> {
    let codes = sets.parts().1.len() as u32;
    (0..codes).into_par_iter().with_min_len(CHUNK).map(|code| summary(sets.set(code))).collect()
}

fn summary(set: &[u32]) -> SetSummary {
    let mut made = SetSummary { size: set.len() as u32, ..SetSummary::default() };
    for id in set {
        match id % BITS {
            bit @ 0..64 => made.low |= 1 << bit,
            bit => made.high |= 1 << (bit - 64),
        }
    }
    made
}

/// The most tokens that two sets can share: what sets a bit that the other side does not have is not common. Each such bit
/// has at least one token of its own, so the bound loses nothing.
#[inline]
pub fn most_common(x: SetSummary, y: SetSummary) -> u32 {
    let of = |x: SetSummary, y: SetSummary| x.size - (x.low & !y.low).count_ones() - (x.high & !y.high).count_ones();
    of(x, y).min(of(y, x))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::measure::set::intersection;

    fn sets(ids: std::ops::Range<u32>) -> impl Strategy<Value = Vec<u32>> {
        prop::collection::btree_set(ids, 0..60).prop_map(|set: BTreeSet<u32>| set.into_iter().collect())
    }

    proptest! {
        #[test]
        fn no_pair_shares_more(a in sets(0..400), b in sets(0..400)) {
            prop_assert!(most_common(summary(&a), summary(&b)) as usize >= intersection(&a, &b));
        }

        #[test]
        fn with_a_bit_for_every_token_the_bound_is_what_is_shared(a in sets(0..96), b in sets(0..96)) {
            prop_assert_eq!(most_common(summary(&a), summary(&b)) as usize, intersection(&a, &b));
        }
    }
}
