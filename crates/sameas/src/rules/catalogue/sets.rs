//! Sets and measures of two sets.

use super::Parameter::{Number as N, Set as S, Text as T};
use super::{FunctionEntry, IF_NULL, fixed};
use crate::expr::Function as F;

/// An empty set counts as missing.
const IF_NO_ELEMENT: &str = "null if a set is null or empty";

pub const ENTRIES: &[FunctionEntry] = &[
    fixed("words", F::Words, &[T], 1)
        .means(
            "words(a)",
            "the set of words of a text: its longest runs of letters and digits, with the accents that follow them. \
             Everything else separates words: blanks, punctuation, apostrophes, hyphens. Each word counts once; case \
             matters",
        )
        .null(IF_NULL)
        .example("words('O''Neil-Smith, Ann; Ann')", "[Ann, Neil, O, Smith]"),
    fixed("qgrams", F::Qgrams, &[T, N], 2)
        .means("qgrams(a, q)", "the set of all substrings of `q` characters; a shorter text has none")
        .null("null if an argument is null")
        .example("qgrams('banana', 3)", "[ana, ban, nan]"),
    fixed("jaccard", F::Jaccard, &[S, S], 2)
        .means("jaccard(x, y)", "elements in both sets / elements in either, from 0 to 1")
        .null(IF_NO_ELEMENT)
        .example("jaccard(words('red car'), words('red bus'))", "0.3333333333333333"),
    fixed("dice", F::Dice, &[S, S], 2)
        .means("dice(x, y)", "2 * elements in both / sum of both sizes, from 0 to 1")
        .null(IF_NO_ELEMENT)
        .example("dice(words('red car'), words('red bus'))", "0.5"),
    fixed("cosine", F::Cosine, &[S, S], 2)
        .means("cosine(x, y)", "elements in both / square root of the product of both sizes, from 0 to 1")
        .null(IF_NO_ELEMENT)
        .example("cosine(words('red car'), words('red bus'))", "0.5"),
    fixed("overlap_coefficient", F::OverlapCoefficient, &[S, S], 2)
        .means("overlap_coefficient(x, y)", "elements in both / size of the smaller set, from 0 to 1")
        .null(IF_NO_ELEMENT)
        .example("overlap_coefficient(words('red'), words('red bus'))", "1.0"),
    fixed("overlap", F::Overlap, &[S, S], 2)
        .means("overlap(x, y)", "number of elements in both sets")
        .null(IF_NO_ELEMENT)
        .example("overlap(words('red car'), words('red bus'))", "1"),
    fixed("list_has_any", F::ListHasAny, &[S, S], 2)
        .means("list_has_any(x, y)", "true if the two sets, or list columns, share an element")
        .null(IF_NO_ELEMENT)
        .example("list_has_any(words('red car'), words('red bus'))", "true"),
    fixed("array_length", F::ArrayLength, &[S], 1)
        .means(
            "array_length(x)",
            "number of different elements of a set or list column; nulls and empty texts are none",
        )
        .null("null if the set is null; 0 if it is empty")
        .example("array_length(words('to be or not to be'))", "4"),
];
