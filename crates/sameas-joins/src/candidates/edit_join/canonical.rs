//! One common variant of two texts, always the same.

use super::variants::VariantKeys;
use crate::measure::Unit;

/// The hash of a common subsequence of exactly `length` characters, if there is one: a function of the two texts.
///
/// Where the next characters agree, keeping both loses nothing: in any common subsequence the first kept character can
/// be moved to the front of either text. Where they differ, one of them is deleted, that of `a` first.
pub(super) fn common_variant<U: Unit>(keys: &VariantKeys, a: &[U], b: &[U], length: usize) -> Option<u64> {
    search(keys, a, b, 0, length, 0)
}

fn search<U: Unit>(keys: &VariantKeys, a: &[U], b: &[U], kept: usize, length: usize, hash: u64) -> Option<u64> {
    let (mut kept, mut hash, mut at) = (kept, hash, 0);
    while kept < length && at < a.len() && at < b.len() && a[at] == b[at] {
        hash = hash.wrapping_add(keys.term(kept, a[at]));
        kept += 1;
        at += 1;
    }
    if kept == length {
        return Some(hash);
    }
    let (a, b) = (&a[at..], &b[at..]);
    let shorter = |text: &[U]| (kept + text.len() > length).then_some(1);
    let without_a = shorter(a).and_then(|from| search(keys, &a[from..], b, kept, length, hash));
    without_a.or_else(|| shorter(b).and_then(|from| search(keys, a, &b[from..], kept, length, hash)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_found_where_it_exists() {
        let keys = VariantKeys::new(9);
        let hash = |text: &[u8]| text.iter().enumerate().fold(0u64, |h, (at, &c)| h.wrapping_add(keys.term(at, c)));
        assert_eq!(common_variant(&keys, b"abcd", b"bcde", 3), Some(hash(b"bcd")));
        assert_eq!(common_variant(&keys, b"abcd", b"abcd", 2), Some(hash(b"ab")));
        assert_eq!(common_variant(&keys, b"abcd", b"efgh", 0), Some(0));
        assert_eq!(common_variant(&keys, b"xay", b"ybx", 2), None);
        assert_eq!(common_variant(&keys, b"ab", b"ba", 1), Some(hash(b"b")));
    }
}
