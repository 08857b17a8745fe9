//! Common prefixes and suffixes: what two strings share at their ends costs no edit.

use super::Unit;

/// The length of the longest common prefix.
pub fn common_prefix<U: Unit>(a: &[U], b: &[U]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

fn common_suffix<U: Unit>(a: &[U], b: &[U]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count()
}

/// Both strings without their common prefix and the common suffix of what remains.
///
/// Levenshtein, OSA and unrestricted Damerau-Levenshtein distances do not change. In an optimal alignment that does not
/// pair the two equal first characters, at least one of them is deleted or inserted, or moves in a swap; pairing them
/// instead frees that edit, which pays for whatever their former partners now cost. By symmetry the same holds at the
/// end.
pub(super) fn strip<'s, U: Unit>(a: &'s [U], b: &'s [U]) -> (&'s [U], &'s [U]) {
    let prefix = common_prefix(a, b);
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = common_suffix(a, b);
    (&a[..a.len() - suffix], &b[..b.len() - suffix])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_and_suffix_never_overlap() {
        assert_eq!(strip(b"abab", b"ab"), (&b"ab"[..], &b""[..]));
        assert_eq!(strip(b"aaa", b"aa"), (&b"a"[..], &b""[..]));
        assert_eq!(strip(b"xaby", b"xcdy"), (&b"ab"[..], &b"cd"[..]));
        assert_eq!(strip(b"same", b"same"), (&b""[..], &b""[..]));
    }

    #[test]
    fn prefix_ends_with_the_shorter_string() {
        assert_eq!(common_prefix(b"abc", b"ab"), 2);
        assert_eq!(common_prefix::<u8>(b"", b"ab"), 0);
    }
}
