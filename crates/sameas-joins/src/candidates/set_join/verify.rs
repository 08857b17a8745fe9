//! The last word on a pair: do two sets share enough tokens?

use crate::measure::set::share_at_least;

/// Whether two sets share at least `need` tokens and, where an owner is given, the first they share is the owner.
///
/// Each pair once: a pair meets in the list of every token that both prefixes hold, and is taken in the list of its
/// first common token only. It is in that list, see [`super::bounds::Bounds::probe_prefix`].
#[inline]
pub fn verified(a: &[u32], b: &[u32], need: u32, owner: Option<u32>) -> bool {
    let Some(owner) = owner else { return share_at_least(a, b, need as usize) };
    let (mut i, mut j) = (0, 0);
    // Both hold the owner, so neither runs out before the first common token.
    while a[i] != b[j] {
        let step = usize::from(a[i] < b[j]);
        (i, j) = (i + step, j + 1 - step);
    }
    a[i] == owner && share_at_least(&a[i..], &b[j..], need as usize)
}
