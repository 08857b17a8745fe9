//! Sets and measures of two sets.

use super::entry::Parameter::{Number as N, Set as S, Text as T};
use super::entry::{FunctionEntry, IF_NULL, fixed, of_measure, special};
use crate::expr::Function as F;
use crate::measure::SetMeasure;
use crate::measure::facts::IF_NO_ELEMENT;

/// Sets, measures of two of them by their facts, and what else is known of sets.
pub const ENTRIES: &[FunctionEntry] = &{
    const MEASURES: usize = SetMeasure::ALL.len();
    let mut entries = [special(""); MEASURES + SETS.len() + OTHERS.len()];
    let mut at = 0;
    while at < entries.len() {
        entries[at] = if at < SETS.len() {
            SETS[at]
        } else if at < SETS.len() + MEASURES {
            let measure = SetMeasure::ALL[at - SETS.len()];
            of_measure(measure.facts(), F::Set(measure), &[S, S])
        } else {
            OTHERS[at - SETS.len() - MEASURES]
        };
        at += 1;
    }
    entries
};

/// How sets are made.
const SETS: [FunctionEntry; 2] = [
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
];

/// What is known of sets besides.
const OTHERS: [FunctionEntry; 2] = [
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
