//! What two sets have in common. A set is a slice of token ids, sorted and without repeats.

use std::cmp::Ordering;

/// The number of ids common to two sorted slices of distinct ids.
#[inline]
pub fn intersection(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        // Without branches: which side advances is close to random, and a misprediction costs more than three adds.
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}

/// Whether two sorted slices of distinct ids share at least `need` ids.
///
/// A step that matches nothing loses an id of one side for good; when a side has lost more than it can spare, the rest
/// cannot reach `need`. Two very different sets are rejected after a few steps.
#[inline]
pub fn share_at_least(a: &[u32], b: &[u32], need: usize) -> bool {
    let (Some(mut spare_a), Some(mut spare_b)) = (a.len().checked_sub(need), b.len().checked_sub(need)) else {
        return false;
    };
    let (mut i, mut j, mut open) = (0, 0, need);
    while open > 0 {
        // A side has `open` ids and its spare ones left, so both have an id here.
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
        open -= usize::from(x == y);
        let (lost_a, lost_b) = (usize::from(x < y), usize::from(y < x));
        if lost_a > spare_a || lost_b > spare_b {
            return false;
        }
        (spare_a, spare_b) = (spare_a - lost_a, spare_b - lost_b);
    }
    true
}

/// Whether two sorted slices of distinct ids share an id.
#[inline]
pub fn has_common(a: &[u32], b: &[u32]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_empty_side_shares_nothing() {
        assert_eq!(intersection(&[], &[1, 2]), 0);
        assert!(!has_common(&[1, 2], &[]));
    }

    proptest! {
        #[test]
        fn intersection_equals_that_of_ordered_sets(
            a in prop::collection::btree_set(0u32..60, 0..40),
            b in prop::collection::btree_set(0u32..60, 0..40),
        ) {
            let expected = a.intersection(&b).count();
            let list = |set: &BTreeSet<u32>| set.iter().copied().collect::<Vec<_>>();
            let (a, b) = (list(&a), list(&b));
            prop_assert_eq!(intersection(&a, &b), expected);
            prop_assert_eq!(intersection(&b, &a), expected);
            prop_assert_eq!(has_common(&a, &b), expected > 0);
            for need in 0..=a.len().max(b.len()) + 1 {
                prop_assert_eq!(share_at_least(&a, &b, need), expected >= need);
            }
        }
    }
}
