//! Measures of two texts: a file for each algorithm, with the facts of the measures that are made of it, and here the list.
//!
//! A [`TextMeasure`] is what rules name. Its [`TextForm`] says what it is computed from: a number of edits
//! ([`EditCount`]) that a formula ([`EditFormula`]) makes a value of, differing places, or Jaro's counts. Whoever needs to
//! know more of a measure asks its [`MeasureFacts`], and of an algorithm its [`CountFacts`]; nobody else has a list.

#![deny(clippy::wildcard_enum_match_arm)]

pub mod damerau;
mod edit_similarity;
pub mod hamming;
pub mod indel_similarity;
pub mod jaro;
pub mod jaro_winkler;
pub mod lcs_similarity;
pub mod levenshtein;
pub mod osa;

pub use edit_similarity::edit_similarity;

use super::cost::CountFacts;
use super::facts::{MeasureFacts, MeasureKind, MeasureValue};
use super::{Pattern, Unit};

/// The measures: the name, the facts in its file, and the form.
macro_rules! text_measures {
    ($($name:ident: $facts:path, $form:expr;)*) => {
        /// A measure of two texts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum TextMeasure { $($name,)* }

        impl TextMeasure {
            /// All of them, in the order of the catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// What is known of it.
            pub const fn facts(self) -> &'static MeasureFacts {
                match self { $(Self::$name => &$facts,)* }
            }

            /// What it is computed from.
            #[inline]
            pub const fn form(self) -> TextForm {
                match self { $(Self::$name => $form,)* }
            }
        }
    };
}

text_measures! {
    Levenshtein: levenshtein::DISTANCE, TextForm::Edits(EditCount::Levenshtein, EditFormula::Count);
    Osa: osa::DISTANCE, TextForm::Edits(EditCount::Osa, EditFormula::Count);
    DamerauLevenshtein: damerau::DISTANCE, TextForm::Edits(EditCount::Damerau, EditFormula::Count);
    LevenshteinSimilarity: levenshtein::SIMILARITY, TextForm::Edits(EditCount::Levenshtein, EditFormula::Similarity);
    OsaSimilarity: osa::SIMILARITY, TextForm::Edits(EditCount::Osa, EditFormula::Similarity);
    DamerauSimilarity: damerau::SIMILARITY, TextForm::Edits(EditCount::Damerau, EditFormula::Similarity);
    LcsSimilarity: lcs_similarity::SIMILARITY, TextForm::Edits(EditCount::Lcs, EditFormula::Lcs);
    IndelSimilarity: indel_similarity::SIMILARITY, TextForm::Edits(EditCount::Lcs, EditFormula::Indel);
    Hamming: hamming::DISTANCE, TextForm::Places;
    Jaro: jaro::SIMILARITY, TextForm::Jaro;
    JaroWinkler: jaro_winkler::SIMILARITY, TextForm::JaroWinkler;
}

/// The algorithms: the name and the facts in its file.
macro_rules! text_counts {
    ($($name:ident: $facts:path;)*) => {
        /// What is found out about two texts. The numbers are those of the kernels.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        #[repr(u32)]
        pub enum TextCount { $($name,)* }

        impl TextCount {
            /// All of them, in the order of files of costs.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// What it takes.
            pub const fn facts(self) -> &'static CountFacts {
                match self { $(Self::$name => &$facts,)* }
            }
        }
    };
}

text_counts! {
    Levenshtein: levenshtein::COUNT;
    Osa: osa::COUNT;
    Damerau: damerau::COUNT;
    Jaro: jaro::COUNT;
    JaroWinkler: jaro_winkler::COUNT;
    Hamming: hamming::COUNT;
    Lcs: lcs_similarity::COUNT;
}

/// What a measure of two texts is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// A number of edits, of which a formula makes a value.
    Edits(EditCount, EditFormula),
    /// The number of places at which texts of one length differ; texts of other lengths have no value.
    Places,
    /// Jaro's matches and transpositions.
    Jaro,
    /// The same with a common prefix.
    JaroWinkler,
}

impl TextForm {
    /// The algorithm.
    #[inline]
    pub const fn count(self) -> TextCount {
        match self {
            Self::Edits(count, _) => count.count(),
            Self::Places => TextCount::Hamming,
            Self::Jaro => TextCount::Jaro,
            Self::JaroWinkler => TextCount::JaroWinkler,
        }
    }
}

/// A number of edits between two texts: 0 for equal ones, and at most the longer length. All of them are at least what the
/// longer text has more of, as a bag of characters, than the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EditCount {
    /// Insertions, deletions, substitutions.
    Levenshtein,
    /// With swaps of neighbours, no substring edited twice.
    Osa,
    /// With swaps of neighbours, unrestricted.
    Damerau,
    /// Characters of the longer text besides a longest common subsequence.
    Lcs,
}

impl EditCount {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Levenshtein, Self::Osa, Self::Damerau, Self::Lcs];

    /// The algorithm.
    #[inline]
    pub const fn count(self) -> TextCount {
        match self {
            Self::Levenshtein => TextCount::Levenshtein,
            Self::Osa => TextCount::Osa,
            Self::Damerau => TextCount::Damerau,
            Self::Lcs => TextCount::Lcs,
        }
    }

    /// The number of edits.
    pub fn distance<U: Unit>(self, a: &[U], b: &[U]) -> usize {
        match self {
            Self::Levenshtein => levenshtein::distance(a, b),
            Self::Osa => osa::distance(a, b),
            Self::Damerau => damerau::distance(a, b),
            Self::Lcs => lcs_similarity::distance(a, b),
        }
    }

    /// Whether there are at most `max` edits.
    #[inline]
    pub fn is_within<U: Unit>(self, a: &impl Pattern<U>, b: &[U], max: usize) -> bool {
        match self {
            Self::Levenshtein => levenshtein::pattern_within(a, b, max).is_some(),
            Self::Osa => osa::pattern_within(a, b, max).is_some(),
            Self::Damerau => damerau::distance_within(a.codes(), b, max).is_some(),
            Self::Lcs => lcs_similarity::pattern_within(a, b, max).is_some(),
        }
    }

    /// The number of edits by definition.
    pub fn reference<U: Unit>(self, a: &[U], b: &[U]) -> usize {
        match self {
            Self::Levenshtein => levenshtein::reference(a, b),
            Self::Osa => osa::reference(a, b),
            Self::Damerau => damerau::reference(a, b),
            Self::Lcs => lcs_similarity::reference(a, b),
        }
    }

    /// The most bytes in which a thread decides whether texts of at most `length` characters have at most `max` edits.
    pub fn scratch_bytes(self, length: usize, max: usize) -> usize {
        match self {
            Self::Levenshtein | Self::Osa | Self::Lcs => length,
            Self::Damerau => damerau::scratch_bytes(length, max),
        }
    }

    /// Whether texts of at most `k` edits have a common subsequence of all but `k` characters of the longer one, which an
    /// index can find them by (sameas-joins/src/candidates/edit_join/lengths.rs).
    pub fn leaves_subsequence(self) -> bool {
        match self {
            Self::Levenshtein | Self::Osa | Self::Lcs => true,
            Self::Damerau => false,
        }
    }
}

/// What a measure makes of a number of edits and of the lengths. It is monotone in the edits, rounded or not. The numbers
/// are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum EditFormula {
    /// The number itself.
    Count,
    /// 1 less their share of the longer length.
    Similarity,
    /// What is left of the longer length, as a share of it.
    Lcs,
    /// 1 less the share of both lengths that is inserted or deleted.
    Indel,
}

impl EditFormula {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Count, Self::Similarity, Self::Lcs, Self::Indel];

    /// The lengths that it depends on.
    #[inline]
    pub const fn scale(self) -> CountScale {
        match self {
            Self::Count | Self::Similarity | Self::Lcs => CountScale::Longer,
            Self::Indel => CountScale::Both,
        }
    }

    /// The value for as many edits as are counted from the least that [`CountScale`] allows.
    #[inline]
    pub fn value(self, edits: usize, key: usize) -> MeasureValue {
        match self {
            Self::Count => MeasureValue::Whole(edits),
            Self::Similarity => MeasureValue::Share(edit_similarity(edits, key, key)),
            Self::Lcs => MeasureValue::Share(lcs_similarity::from_distance(edits, key)),
            Self::Indel => MeasureValue::Share(indel_similarity::from_distance(edits, key)),
        }
    }
}

/// What of two lengths decides, together with a number of edits, what a measure is. Bounds are found once for each *key*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountScale {
    /// The key is the longer length.
    Longer,
    /// The key is the sum of both lengths. Edits are counted as of two texts of half that length; texts of other lengths
    /// with the same sum have [`shift`](Self::shift) more.
    Both,
}

impl CountScale {
    /// What bounds are found by.
    #[inline]
    pub const fn key(self, x: usize, y: usize) -> usize {
        match self {
            Self::Longer => longer(x, y),
            Self::Both => x + y,
        }
    }

    /// The most edits that are counted with this key.
    #[inline]
    pub const fn most(self, key: usize) -> usize {
        match self {
            Self::Longer => key,
            Self::Both => key / 2,
        }
    }

    /// How many edits two texts have more than are counted.
    #[inline]
    pub const fn shift(self, x: usize, y: usize) -> usize {
        match self {
            Self::Longer => 0,
            Self::Both => longer(x, y) - (x + y) / 2,
        }
    }
}

#[inline]
const fn longer(x: usize, y: usize) -> usize {
    if x > y { x } else { y }
}

impl TextMeasure {
    /// Its value for two texts that are not empty; `None` is null.
    pub fn value<U: Unit>(self, a: &[U], b: &[U]) -> Option<MeasureValue> {
        match self.form() {
            TextForm::Edits(count, formula) => {
                let (scale, x, y) = (formula.scale(), a.len(), b.len());
                Some(formula.value(count.distance(a, b) - scale.shift(x, y), scale.key(x, y)))
            }
            TextForm::Places => hamming::distance(a, b).map(MeasureValue::Whole),
            TextForm::Jaro => Some(MeasureValue::Share(jaro::similarity(a, b))),
            TextForm::JaroWinkler => Some(MeasureValue::Share(jaro_winkler::similarity(a, b))),
        }
    }

    /// Its value for a text that is not empty and itself.
    pub const fn of_equals(self) -> MeasureValue {
        match self.facts().kind {
            MeasureKind::Distance => MeasureValue::Whole(0),
            MeasureKind::Common | MeasureKind::Similarity => MeasureValue::Share(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_and_every_algorithm_is_in_its_list() {
        for measure in TextMeasure::ALL {
            let (facts, form) = (measure.facts(), measure.form());
            assert!(TextCount::ALL.contains(&form.count()), "{}", facts.words.name);
            if let TextForm::Edits(count, formula) = form {
                assert!(EditCount::ALL.contains(&count) && EditFormula::ALL.contains(&formula));
                assert_eq!(facts.kind == MeasureKind::Distance, formula == EditFormula::Count);
                assert!(facts.tells_equality, "{}", facts.words.name);
            }
            assert_eq!(measure.value(b"abc", b"abc"), Some(measure.of_equals()), "{}", facts.words.name);
        }
        for (at, count) in TextCount::ALL.iter().enumerate() {
            assert_eq!(*count as usize, at);
        }
        for (at, formula) in EditFormula::ALL.iter().enumerate() {
            assert_eq!(*formula as usize, at);
        }
    }

    /// No formula depends on more of two lengths than its key.
    #[test]
    fn edits_are_counted_from_the_least_of_their_lengths() {
        for (x, y) in (1..40).flat_map(|x| (1..40).map(move |y| (x, y))) {
            for scale in [CountScale::Longer, CountScale::Both] {
                let (most, shift) = (scale.most(scale.key(x, y)), scale.shift(x, y));
                assert_eq!(most + shift, x.max(y), "nothing in common is the longer length of edits");
                assert!(shift <= x.abs_diff(y), "no texts have fewer edits than their lengths differ by");
            }
        }
    }
}
