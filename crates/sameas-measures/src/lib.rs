//! The similarity measures: one file per measure, each with its definition and a fast form that must agree with it.
//!
//! Strings are slices of character codes of one alphabet ([`Unit`]): one code is one Unicode scalar value, so every
//! length and position here counts characters. The string measures expect non-empty operands; the empty text is null
//! long before a measure sees it.
//!
//! [`text`] has the measures of two texts, [`set`] those of two sets: each file has a definition, a fast form that must agree
//! with it, and the facts that all others read ([`facts`], [`cost`]). [`TextMeasure`] and [`SetMeasure`] list them.
//!
//! | measure | distance | similarity | cutoff form | reference |
//! |---|---|---|---|---|
//! | [`levenshtein`] | `distance` | `similarity` | `distance_within` | matrix of Wagner and Fischer |
//! | [`osa`] | `distance` | `similarity` | `distance_within` | the same matrix with adjacent swaps |
//! | [`damerau`] | `distance` | `similarity` | `distance_within` | matrix of Lowrance and Wagner |
//! | [`hamming`] | `distance` | | `distance_within` | position by position |
//! | [`jaro`] | | `similarity`, `from_counts` | `similarity_at_least` | greedy matching with flags |
//! | [`jaro_winkler`] | | `similarity`, `from_jaro` | `similarity_at_least` | `from_jaro` of the Jaro reference |
//! | [`set`] | `intersection` | `jaccard`, `dice`, `cosine`, `overlap_coefficient` | `has_common` | the formulas |
//! | [`soundex`](soundex()) | a code of four letters | | | |
//! | [`double_metaphone`](double_metaphone()) | two codes of any length | | | |
//! | [`sort_key`](sort_key()) | an integer key | | | |
//! | [`haversine_km`] | kilometres | | | the formula |
//! | [`cosine_similarity`](cosine_similarity()) | | of two vectors | | the formula |
//!
//! The edit distances and Jaro also take one side prepared once for many comparisons ([`PreparedText`]; [`Pattern`] is
//! either form), and one text against many in vector registers ([`lanes`]).
//!
//! Every similarity is a function of small integers (lengths, distance, matches, transpositions, prefix) evaluated in
//! 64-bit floats from left to right and without fused multiply-add, so that all devices decide a threshold the same
//! way.
//!
//! Both lists are enums, and whoever matches one names all of its measures: a new measure is a new file, a line in a
//! list, and what the compiler then asks for.

#![allow(missing_docs)]

extern crate self as measure;

mod affix;
mod bit_parallel;
mod char_table;
pub mod cosine_similarity;
pub mod cost;
pub mod double_metaphone;
pub mod facts;
pub mod haversine;
pub mod lanes;
mod pattern;
mod prepared;
pub mod set;
pub mod sort_key;
pub mod soundex;
pub mod text;
pub mod tokens;
mod unit;

#[cfg(test)]
mod testing;

pub use affix::common_prefix;
pub use cosine_similarity::cosine_similarity;
pub use double_metaphone::double_metaphone;
pub use facts::{MeasureFacts, MeasureKind, MeasureValue};
pub use haversine::haversine_km;
pub use pattern::Pattern;
pub use prepared::PreparedText;
pub use set::{SetForm, SetFormula, SetMeasure};
pub use sort_key::sort_key;
pub use soundex::soundex;
pub use text::{CountScale, EditCount, EditFormula, TextCount, TextForm, TextMeasure, edit_similarity};
pub use text::{damerau, hamming, jaro, jaro_winkler, levenshtein, osa};
pub use unit::Unit;
