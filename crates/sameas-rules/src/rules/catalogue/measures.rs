//! Measures of texts, numbers and records, and keys.

use super::entry::Parameter::{Number as N, Text as T, Vector as V};
use super::entry::{FunctionEntry, IF_ANY, fixed, of_measure, special};
use crate::expr::Function as F;
use crate::measure::TextMeasure;
use crate::measure::facts::IF_EMPTY;

/// Measures of two texts, by their facts. They count characters, are case-sensitive and do not trim.
pub const OF_TEXTS: &[FunctionEntry] = &{
    let mut entries = [special(""); TextMeasure::ALL.len()];
    let mut at = 0;
    while at < entries.len() {
        let measure = TextMeasure::ALL[at];
        entries[at] = of_measure(measure.facts(), F::Text(measure), &[T, T]);
        at += 1;
    }
    entries
};

/// Measures of numbers, places and vectors, and those by file or by order.
pub const OF_OTHERS: &[FunctionEntry] = &[
    special("in_list")
        .means(
            "in_list(a, b, 'file.csv')",
            "true if the two texts are equal or stand together in a row of the file. Each row of this CSV file is a \
             group and each cell a member: `William,Bill,Will`. It has no header; groups may overlap; blanks around a \
             member are dropped, else it is compared as written. The file is looked for beside the rule file, then in \
             the current folder",
        )
        .null("null if one of the texts is null")
        .example("in_list('Bill', 'William', 'nicknames.csv')", "true"),
    special("neighbours")
        .means(
            "neighbours(l.k, r.k, w)",
            "true if the two records are less than `w` places apart when all records are sorted by `k`",
        )
        .null("null if a key is null: such records have no place")
        .example("neighbours(l.name, r.name, 2)", "true for records that follow each other in the order of names"),
    fixed("haversine_km", F::HaversineKm, &[N, N, N, N], 4)
        .means(
            "haversine_km(lat, lon, lat, lon)",
            "kilometres between two places, by their latitudes and longitudes in degrees",
        )
        .null(IF_ANY)
        .example("round(haversine_km(52.52, 13.405, 48.137, 11.575), 1)", "504.3"),
    fixed("cosine_similarity", F::CosineSimilarity, &[V, V], 2)
        .means(
            "cosine_similarity(u, v)",
            "cosine of the angle between two vectors, from -1 to 1: list columns of numbers",
        )
        .null("null if a vector is null or of length 0, or the two have different numbers of elements")
        .example("cosine_similarity(l.v, r.v)", "0.6 for the vectors [1, 0] and [3, 4]"),
];

/// Codes and keys.
pub const KEYS: &[FunctionEntry] = &[
    fixed("soundex", F::Soundex, &[T], 1)
        .means("soundex(a)", "American Soundex: a letter and three digits that names of similar sound share")
        .null("null if the text is null or has no letter from A to Z")
        .example("soundex('Robert')", "'R163'"),
    fixed("metaphone", F::Metaphone, &[T], 1)
        .means(
            "metaphone(a)",
            "Double Metaphone, the primary code: how a name sounds in English, in its full length. Accents are removed \
             before",
        )
        .null("null if the text is null or nothing of it is heard, as in '12'")
        .example("metaphone('Schmidt')", "'XMT'"),
    fixed("metaphone_alternate", F::MetaphoneAlternate, &[T], 1)
        .means(
            "metaphone_alternate(a)",
            "Double Metaphone, the alternate code: how else it may sound; the primary code where there is no other",
        )
        .null("null where `metaphone` is, or nothing is left")
        .example("metaphone_alternate('Schmidt')", "'SMT'"),
    fixed("sort_key", F::SortKey, &[T], 1)
        .means("sort_key(a)", "1000 * length + code of the first character: a simple key to sort by")
        .null(IF_EMPTY)
        .example("sort_key('Ann')", "3065"),
];
