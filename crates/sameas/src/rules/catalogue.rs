//! The functions of the language by name, with what they take.

use crate::expr::{Function, Type};

/// What one argument must be. Scalars are converted where the language allows it; sets and vectors are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Text.
    Text,
    /// A number.
    Number,
    /// A date.
    Date,
    /// A set of texts.
    Set,
    /// A list of numbers.
    Vector,
}

impl Parameter {
    /// The type the argument must have or be converted to.
    pub fn ty(self) -> Type {
        match self {
            Self::Text => Type::Text,
            Self::Number => Type::Number,
            Self::Date => Type::Date,
            Self::Set => Type::TextList,
            Self::Vector => Type::NumberList,
        }
    }
}

/// A function by its name: `args` are all it can take; the first `required` of them must be given.
#[derive(Clone, Copy, Debug)]
pub struct FunctionEntry {
    /// Its name in rules.
    pub name: &'static str,
    /// What it is.
    pub function: Function,
    /// What it takes.
    pub args: &'static [Parameter],
    /// The number of these that must be given.
    pub required: usize,
}

const fn entry(name: &'static str, function: Function, args: &'static [Parameter], required: usize) -> FunctionEntry {
    FunctionEntry { name, function, args, required }
}

use Function as F;
use Parameter::{Date as D, Number as N, Set as S, Text as T, Vector as V};

/// All functions with fixed arguments. `coalesce`, `nullif`, `least`, `greatest` and `neighbours` are special forms.
pub const FUNCTIONS: &[FunctionEntry] = &[
    entry("lower", F::Lower, &[T], 1),
    entry("upper", F::Upper, &[T], 1),
    entry("trim", F::Trim, &[T, T], 1),
    entry("ltrim", F::TrimStart, &[T, T], 1),
    entry("rtrim", F::TrimEnd, &[T, T], 1),
    entry("substr", F::Substr, &[T, N, N], 2),
    entry("substring", F::Substr, &[T, N, N], 2),
    entry("left", F::Left, &[T, N], 2),
    entry("right", F::Right, &[T, N], 2),
    entry("length", F::Length, &[T], 1),
    entry("len", F::Length, &[T], 1),
    entry("character_length", F::Length, &[T], 1),
    entry("char_length", F::Length, &[T], 1),
    entry("replace", F::Replace, &[T, T, T], 3),
    entry("regexp_replace", F::RegexpReplace, &[T, T, T, T], 3),
    entry("regexp_extract", F::RegexpExtract, &[T, T, N], 2),
    entry("split_part", F::SplitPart, &[T, T, N], 3),
    entry("starts_with", F::StartsWith, &[T, T], 2),
    entry("contains", F::Contains, &[T, T], 2),
    entry("strip_accents", F::StripAccents, &[T], 1),
    entry("strip_punctuation", F::StripPunctuation, &[T], 1),
    entry("collapse_spaces", F::CollapseSpaces, &[T], 1),
    entry("digits", F::Digits, &[T], 1),
    entry("abs", F::Abs, &[N], 1),
    entry("round", F::Round, &[N, N], 1),
    entry("floor", F::Floor, &[N], 1),
    entry("ceil", F::Ceil, &[N], 1),
    entry("ceiling", F::Ceil, &[N], 1),
    entry("year", F::Year, &[D], 1),
    entry("month", F::Month, &[D], 1),
    entry("day", F::Day, &[D], 1),
    entry("date_diff_days", F::DateDiffDays, &[D, D], 2),
    entry("soundex", F::Soundex, &[T], 1),
    entry("sort_key", F::SortKey, &[T], 1),
    entry("words", F::Words, &[T], 1),
    entry("qgrams", F::Qgrams, &[T, N], 2),
    entry("levenshtein", F::Levenshtein, &[T, T], 2),
    entry("osa", F::Osa, &[T, T], 2),
    entry("damerau_levenshtein", F::DamerauLevenshtein, &[T, T], 2),
    entry("levenshtein_similarity", F::LevenshteinSimilarity, &[T, T], 2),
    entry("osa_similarity", F::OsaSimilarity, &[T, T], 2),
    entry("damerau_similarity", F::DamerauSimilarity, &[T, T], 2),
    entry("damerau_levenshtein_similarity", F::DamerauSimilarity, &[T, T], 2),
    entry("hamming", F::Hamming, &[T, T], 2),
    entry("jaro", F::Jaro, &[T, T], 2),
    entry("jaro_winkler", F::JaroWinkler, &[T, T], 2),
    entry("jaccard", F::Jaccard, &[S, S], 2),
    entry("dice", F::Dice, &[S, S], 2),
    entry("cosine", F::Cosine, &[S, S], 2),
    entry("overlap_coefficient", F::OverlapCoefficient, &[S, S], 2),
    entry("overlap", F::Overlap, &[S, S], 2),
    entry("list_has_any", F::ListHasAny, &[S, S], 2),
    entry("cosine_similarity", F::CosineSimilarity, &[V, V], 2),
    entry("haversine_km", F::HaversineKm, &[N, N, N, N], 4),
];

/// Names of the special forms, for suggestions.
pub const SPECIAL: &[&str] = &["coalesce", "nullif", "least", "greatest", "neighbours"];

/// Functions other systems have under another name, and what they are called here.
const ALIASES: &[(&str, &str)] = &[
    ("jaro_similarity", "jaro"),
    ("jaro_winkler_similarity", "jaro_winkler"),
    ("editdist3", "levenshtein"),
    ("edit_distance", "levenshtein"),
    ("ngrams", "qgrams"),
    ("tokens", "words"),
    ("neighbors", "neighbours"),
    ("datediff", "date_diff_days"),
    ("date_diff", "date_diff_days"),
    ("unaccent", "strip_accents"),
    ("ifnull", "coalesce"),
    ("nvl", "coalesce"),
    ("concat", "||"),
    ("list_intersect", "list_has_any"),
    ("array_intersect", "list_has_any"),
];

const AGGREGATES: &[&str] = &["count", "sum", "avg", "min", "max", "median", "mode", "string_agg", "list", "array_agg"];

/// The function of that name.
pub fn find(name: &str) -> Option<&'static FunctionEntry> {
    FUNCTIONS.iter().find(|entry| entry.name == name)
}

/// What to write instead of an unknown function.
pub fn advice(name: &str) -> String {
    if AGGREGATES.contains(&name) {
        return "aggregates have no meaning for a pair of records; for the larger of two values use `greatest`".into();
    }
    if let Some((_, ours)) = ALIASES.iter().find(|(theirs, _)| *theirs == name) {
        return format!("it is called `{ours}` here");
    }
    let names = FUNCTIONS.iter().map(|entry| entry.name).chain(SPECIAL.iter().copied());
    match super::nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "the functions are listed in the README under \"The rule language\"".into(),
    }
}
