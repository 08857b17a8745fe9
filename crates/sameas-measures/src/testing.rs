//! Strings for the tests of all measures, and the properties that every edit distance must have.

use proptest::prelude::*;

/// The lengths around one, two and four machine words.
pub(super) const EDGE_LENGTHS: [usize; 12] = [1, 2, 3, 31, 63, 64, 65, 127, 128, 129, 257, 300];

/// Two strings of the given lengths: repeats of one stretch of text with some characters changed and swapped.
pub(super) fn edge_strings(len_a: usize, len_b: usize, alphabet: u32) -> (Vec<u32>, Vec<u32>) {
    let mut state = (len_a * 1000 + len_b) as u32 ^ alphabet.rotate_left(20);
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 12
    };
    let base: Vec<u32> = (0..len_a.max(len_b)).map(|_| random() % alphabet).collect();
    let mut edited = base.clone();
    for _ in 0..len_b / 9 {
        let at = random() as usize % len_b;
        edited[at] = random() % alphabet;
        edited.swap(at, (at + 1) % len_b);
    }
    // The cut at the front shifts the two strings against each other.
    let (a, b) = (base[base.len() - len_a..].to_vec(), edited[..len_b].to_vec());
    (a, b)
}

/// All strings of up to `longest` characters over an alphabet.
pub(super) fn all_strings(alphabet: u8, longest: usize) -> Vec<Vec<u8>> {
    let mut strings = vec![Vec::new()];
    let mut grown = 0;
    while strings[grown].len() < longest {
        let stem = strings[grown].clone();
        strings.extend((0..alphabet).map(|last| [&stem[..], &[last]].concat()));
        grown += 1;
    }
    strings
}

/// Two non-empty strings over an alphabet of 2, 4, 26 or 1000 characters: one a few edits from the other, or unrelated.
pub(super) fn string_pair(longest: usize) -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    prop_oneof![Just(2u32), Just(4), Just(26), Just(1000)].prop_flat_map(move |alphabet| {
        let string = prop::collection::vec(0..alphabet, 1..=longest);
        let edits = prop::collection::vec((any::<prop::sample::Index>(), 0..5u8, 0..alphabet), 0..8);
        let related = (string.clone(), edits).prop_map(|(a, edits)| {
            let b = edits.iter().fold(a.clone(), |b, (at, kind, code)| edit(b, at, *kind, *code));
            (a, b)
        });
        prop_oneof![2 => related, 1 => (string.clone(), string)]
    })
}

fn edit(mut text: Vec<u32>, at: &prop::sample::Index, kind: u8, code: u32) -> Vec<u32> {
    let at = at.index(text.len());
    match kind {
        0 => text.insert(at, code),
        1 if text.len() > 1 => drop(text.remove(at)),
        2 | 3 if at + 1 < text.len() => text.swap(at, at + 1),
        _ => text[at] = code,
    }
    text
}

/// Runs a check with two strings as `u32`, as `u16` and, reduced to 256 characters, as `u8`.
macro_rules! each_width {
    ($a:expr, $b:expr, |$x:ident, $y:ident| $check:expr) => {{
        let (wide_a, wide_b): (&[u32], &[u32]) = (&$a[..], &$b[..]);
        {
            let ($x, $y) = (wide_a, wide_b);
            $check;
        }
        {
            let narrow = |s: &[u32]| s.iter().map(|&c| c as u16).collect::<Vec<u16>>();
            let (a, b) = (narrow(wide_a), narrow(wide_b));
            let ($x, $y) = (&a[..], &b[..]);
            $check;
        }
        {
            let narrow = |s: &[u32]| s.iter().map(|&c| c as u8).collect::<Vec<u8>>();
            let (a, b) = (narrow(wide_a), narrow(wide_b));
            let ($x, $y) = (&a[..], &b[..]);
            $check;
        }
    }};
}
pub(super) use each_width;

/// The tests of a measure with `distance`, `distance_within` and `reference` in the scope above.
macro_rules! edit_distance_tests {
    () => {
        use crate::measure::testing::{EDGE_LENGTHS, all_strings, each_width, edge_strings, string_pair};
        use proptest::prelude::*;

        #[test]
        fn equals_the_definition_around_word_borders() {
            for (len_a, len_b) in EDGE_LENGTHS.iter().flat_map(|&a| EDGE_LENGTHS.map(|b| (a, b))) {
                for alphabet in [1, 2, 26, 1000] {
                    let (a, b) = edge_strings(len_a, len_b, alphabet);
                    each_width!(a, b, |a, b| assert_eq!(distance(a, b), reference(a, b), "{a:?} {b:?}"));
                }
            }
        }

        #[test]
        fn equals_the_definition_for_all_short_strings() {
            let strings = all_strings(3, 5);
            for (a, b) in strings.iter().flat_map(|a| strings.iter().map(move |b| (a, b))) {
                let expected = reference(a, b);
                assert_eq!(distance(a, b), expected, "{a:?} {b:?}");
                for max in 0..4 {
                    assert_eq!(distance_within(a, b, max), Some(expected).filter(|&d| d <= max), "{a:?} {b:?}");
                }
            }
        }

        proptest! {
            #[test]
            fn equals_the_definition((a, b) in string_pair(300)) {
                each_width!(a, b, |a, b| {
                    prop_assert_eq!(distance(a, b), reference(a, b));
                    prop_assert_eq!(distance(b, a), reference(a, b));
                    prop_assert_eq!(distance(a, &[]), a.len());
                });
            }

            #[test]
            fn cut_off_exactly((a, b) in string_pair(200)) {
                each_width!(a, b, |a, b| {
                    let expected = reference(a, b);
                    let near = [expected.saturating_sub(1), expected, expected + 1];
                    for max in (0..=8).chain(near).chain([20, 63, 64, 65, 130, 1000, usize::MAX]) {
                        let within = Some(expected).filter(|&d| d <= max);
                        prop_assert_eq!(distance_within(a, b, max), within, "max {}", max);
                        prop_assert_eq!(distance_within(b, a, max), within, "max {}", max);
                    }
                });
            }
        }
    };
}
pub(super) use edit_distance_tests;
