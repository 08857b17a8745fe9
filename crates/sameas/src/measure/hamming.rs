//! Hamming distance: the number of positions at which two strings of one length differ.

use super::Unit;

/// The number of differing positions; `None` for strings of different lengths.
pub fn distance<U: Unit>(a: &[U], b: &[U]) -> Option<usize> {
    (a.len() == b.len()).then(|| a.iter().zip(b).filter(|(x, y)| x != y).count())
}

/// The distance if it exists and is at most `max`.
pub fn distance_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    distance(a, b).filter(|&d| d <= max)
}

/// The definition, one position after the other.
pub fn reference<U: Unit>(a: &[U], b: &[U]) -> Option<usize> {
    if a.len() != b.len() {
        return None;
    }
    let mut differing = 0;
    for i in 0..a.len() {
        if a[i] != b[i] {
            differing += 1;
        }
    }
    Some(differing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::testing::{each_width, string_pair};
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        assert_eq!(distance(b"karolin", b"kathrin"), Some(3));
        assert_eq!(distance(b"1011101", b"1001001"), Some(2));
        assert_eq!(distance(b"abc", b"abcd"), None);
        assert_eq!(distance_within(b"karolin", b"kathrin", 2), None);
        assert_eq!(distance_within(b"karolin", b"kathrin", 3), Some(3));
    }

    proptest! {
        #[test]
        fn equals_the_definition((a, b) in string_pair(300)) {
            let shorter = a.len().min(b.len());
            each_width!(a[..shorter], b[..shorter], |a, b| prop_assert_eq!(distance(a, b), reference(a, b)));
            each_width!(a, b, |a, b| prop_assert_eq!(distance(a, b), reference(a, b)));
        }
    }
}
