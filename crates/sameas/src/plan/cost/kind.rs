//! The kinds of checks that the model distinguishes.

use serde::{Deserialize, Serialize};

use crate::expr::Function;
use crate::verify::Check;

/// The kinds of checks that differ in cost: what they compute, not what they compare it with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// Codes are compared.
    Equal,
    /// A verdict is looked up.
    OneSided,
    /// Rows are compared with the borders of inputs.
    SameSource,
    /// Two numbers are subtracted.
    Difference,
    /// Levenshtein, as a distance or a similarity.
    Levenshtein,
    /// Optimal string alignment.
    Osa,
    /// Unrestricted Damerau-Levenshtein.
    Damerau,
    /// Jaro.
    Jaro,
    /// Jaro-Winkler.
    JaroWinkler,
    /// Hamming.
    Hamming,
    /// A measure of two sets.
    Set,
    /// Two sets share an element.
    ListHasAny,
    /// An expression, evaluated as it is written.
    Residual,
}

impl CheckKind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::Equal,
        Self::OneSided,
        Self::SameSource,
        Self::Difference,
        Self::Levenshtein,
        Self::Osa,
        Self::Damerau,
        Self::Jaro,
        Self::JaroWinkler,
        Self::Hamming,
        Self::Set,
        Self::ListHasAny,
        Self::Residual,
    ];

    /// The kind of a check.
    pub fn of(check: &Check) -> Self {
        match check {
            Check::Equal { .. } => Self::Equal,
            Check::OneSided { .. } => Self::OneSided,
            Check::SameSource { .. } => Self::SameSource,
            Check::Difference { .. } => Self::Difference,
            Check::Text { measure, .. } => Self::of_text(*measure),
            Check::Set { .. } => Self::Set,
            Check::ListHasAny { .. } => Self::ListHasAny,
            Check::Residual { .. } => Self::Residual,
        }
    }

    fn of_text(measure: Function) -> Self {
        match measure {
            Function::Levenshtein | Function::LevenshteinSimilarity => Self::Levenshtein,
            Function::Osa | Function::OsaSimilarity => Self::Osa,
            Function::Jaro => Self::Jaro,
            Function::JaroWinkler => Self::JaroWinkler,
            Function::Hamming => Self::Hamming,
            _ => Self::Damerau,
        }
    }

    /// Its name, as in a file of costs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::OneSided => "one_sided",
            Self::SameSource => "same_source",
            Self::Difference => "difference",
            Self::Levenshtein => "levenshtein",
            Self::Osa => "osa",
            Self::Damerau => "damerau",
            Self::Jaro => "jaro",
            Self::JaroWinkler => "jaro_winkler",
            Self::Hamming => "hamming",
            Self::Set => "set",
            Self::ListHasAny => "list_has_any",
            Self::Residual => "residual",
        }
    }

    /// Whether it measures two texts.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Levenshtein | Self::Osa | Self::Damerau | Self::Jaro | Self::JaroWinkler | Self::Hamming)
    }
}
