//! Strings and tiles for the tests of all kernels.

use proptest::prelude::*;

/// The lengths around the lane widths, up to `longest`.
pub(super) fn lengths(longest: usize) -> Vec<usize> {
    let edges = [1, 2, 3, 4, 5, 8, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 130, 199];
    edges.into_iter().filter(|&length| length <= longest).collect()
}

/// A list of strings over a small alphabet: some a few edits from each other, many of lengths on the edge.
pub(super) fn near_strings(longest: usize) -> impl Strategy<Value = Vec<Vec<u8>>> {
    let one = (prop::sample::select(lengths(longest)), prop_oneof![Just(2u8), Just(4), Just(26), Just(255)]);
    let stem = prop::collection::vec(any::<u8>(), longest);
    let edit = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5);
    (stem, prop::collection::vec((one, edit), 1..40)).prop_map(|(stem, list)| {
        let string = |((length, alphabet), edits): ((usize, u8), Vec<(prop::sample::Index, u8)>)| {
            let mut text: Vec<u8> = stem[..length].iter().map(|c| c % alphabet).collect();
            for (at, code) in edits {
                let at = at.index(length);
                if code % 2 == 0 { text.swap(at, (at + 1) % length) } else { text[at] = code % alphabet }
            }
            text
        };
        list.into_iter().map(string).collect()
    })
}

/// Runs a check with every instruction set and lane width, with the patterns that fit the width.
macro_rules! each_tile {
    ($strings:expr, |$word:ident, $isa:ident, $patterns:ident| $check:expr) => {{
        for $isa in Isa::available() {
            each_tile!(@width u16, $strings, |$word, $patterns| $check);
            each_tile!(@width u32, $strings, |$word, $patterns| $check);
            each_tile!(@width u64, $strings, |$word, $patterns| $check);
        }
    }};
    (@width $width:ty, $strings:expr, |$word:ident, $patterns:ident| $check:expr) => {{
        type $word = $width;
        let fitting: Vec<&[u8]> =
            $strings.iter().map(Vec::as_slice).filter(|s| s.len() <= <$width>::BITS as usize).collect();
        let $patterns = &fitting[..];
        $check;
    }};
}
pub(super) use each_tile;
