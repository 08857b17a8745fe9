//! Measures of two sets: a file for each, with its facts, and here the list.
//!
//! A [`SetMeasure`] is what rules name. Its [`SetForm`] says what it is computed from: a formula ([`SetFormula`]) of the sizes
//! of the sets and of what they have in common, or the texts of their elements ([`best_matches`]). Whoever needs to know more
//! of a measure asks its [`MeasureFacts`].

#![deny(clippy::wildcard_enum_match_arm)]

pub mod best_matches;
mod common;
mod cosine;
mod dice;
mod jaccard;
mod monge_elkan;
mod overlap;
mod overlap_coefficient;

pub use common::{has_common, intersection, share_at_least};
pub use cosine::cosine;
pub use dice::dice;
pub use jaccard::jaccard;
pub use overlap_coefficient::overlap_coefficient;

use std::cmp::Ordering;

use super::cost::CheckCost;
use super::facts::{MeasureFacts, MeasureValue};
use super::text::TextMeasure;

/// The measures: the name, the facts in its file, and the form.
macro_rules! set_measures {
    ($($name:ident: $facts:path, $form:expr;)*) => {
        /// A measure of two sets.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum SetMeasure { $($name,)* }

        impl SetMeasure {
            /// All of them, in the order of the catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// What is known of it.
            pub const fn facts(self) -> &'static MeasureFacts {
                match self { $(Self::$name => &$facts,)* }
            }

            /// What it is computed from.
            #[inline]
            pub const fn form(self) -> SetForm {
                match self { $(Self::$name => $form,)* }
            }
        }
    };
}

set_measures! {
    Jaccard: jaccard::SIMILARITY, SetForm::Shared(SetFormula::Jaccard);
    Dice: dice::SIMILARITY, SetForm::Shared(SetFormula::Dice);
    Cosine: cosine::SIMILARITY, SetForm::Shared(SetFormula::Cosine);
    OverlapCoefficient: overlap_coefficient::SIMILARITY, SetForm::Shared(SetFormula::OverlapCoefficient);
    Overlap: overlap::COMMON, SetForm::Shared(SetFormula::Overlap);
    MongeElkan: monge_elkan::SIMILARITY, SetForm::BestMatches(TextMeasure::JaroWinkler);
}

/// What a measure of two sets is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetForm {
    /// The sizes of the sets and of what they have in common: 0 exactly where that is nothing, as a quotient of small
    /// integers does not vanish by rounding.
    Shared(SetFormula),
    /// The mean over the elements of the first set of the greatest such similarity with an element of the second one.
    BestMatches(TextMeasure),
}

/// What deciding a formula takes.
pub const SHARED_COST: CheckCost = CheckCost {
    core: [2.3, 21.0, 3.45],
    filter: [6.0; 3],
    gpu: [1.05, 0.758, 1.09, 0.712],
    usual: [1.0, 0.2, 0.2 * 16.0],
};

/// A formula of what two sets have in common and of their sizes. It rises with what is common, and is symmetric in the sizes
/// and falls with them, rounded or not. The numbers are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum SetFormula {
    /// Of what is in either set.
    Jaccard,
    /// Of the mean of both sizes.
    Dice,
    /// Of their geometric mean.
    Cosine,
    /// Of the smaller size.
    OverlapCoefficient,
    /// The number itself.
    Overlap,
}

impl SetMeasure {
    /// Its value for two sets of texts, none of them empty, each in order and without repeats.
    pub fn value(self, x: &[&str], y: &[&str]) -> MeasureValue {
        match self.form() {
            SetForm::Shared(formula) => formula.value(common_texts(x, y), x.len(), y.len()),
            SetForm::BestMatches(inner) => MeasureValue::Share(best_matches::of_texts(inner, x, y)),
        }
    }
}

/// The number of texts that two sets have in common.
pub fn common_texts(x: &[&str], y: &[&str]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(a), Some(b)) = (x.get(i), y.get(j)) {
        let order = a.cmp(b);
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
        common += usize::from(order == Ordering::Equal);
    }
    common
}

impl SetFormula {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::Jaccard, Self::Dice, Self::Cosine, Self::OverlapCoefficient, Self::Overlap];

    /// The value for sets of `x` and `y` elements, none of them empty, that have `i` in common.
    #[inline]
    pub fn value(self, i: usize, x: usize, y: usize) -> MeasureValue {
        match self {
            Self::Jaccard => MeasureValue::Share(jaccard(i, x, y)),
            Self::Dice => MeasureValue::Share(dice(i, x, y)),
            Self::Cosine => MeasureValue::Share(cosine(i, x, y)),
            Self::OverlapCoefficient => MeasureValue::Share(overlap_coefficient(i, x, y)),
            Self::Overlap => MeasureValue::Whole(i),
        }
    }

    /// About how many elements two sets have in common whose value is the threshold: where to look first.
    #[inline]
    pub fn common_at(self, threshold: f64, x: f64, y: f64) -> f64 {
        match self {
            Self::Jaccard => jaccard::common_at(threshold, x, y),
            Self::Dice => dice::common_at(threshold, x, y),
            Self::Cosine => cosine::common_at(threshold, x, y),
            Self::OverlapCoefficient => overlap_coefficient::common_at(threshold, x, y),
            Self::Overlap => threshold,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::MeasureKind;

    #[test]
    fn monge_elkan_is_not_symmetric() {
        let of = |x: &[&str], y: &[&str]| SetMeasure::MongeElkan.value(x, y);
        assert_eq!(of(&["Smith"], &["Anna", "Smith"]), MeasureValue::Share(1.0));
        assert_eq!(of(&["Anna", "Smith"], &["Smith"]), MeasureValue::Share(0.5));
        assert!(!SetMeasure::MongeElkan.facts().is_symmetric);
    }

    #[test]
    fn every_formula_is_in_its_list() {
        for measure in SetMeasure::ALL {
            match measure.form() {
                SetForm::Shared(formula) => assert!(SetFormula::ALL.contains(&formula)),
                SetForm::BestMatches(inner) => assert_eq!(inner.facts().kind, MeasureKind::Similarity),
            }
        }
        for (at, formula) in SetFormula::ALL.iter().enumerate() {
            assert_eq!(*formula as usize, at);
        }
    }
}
