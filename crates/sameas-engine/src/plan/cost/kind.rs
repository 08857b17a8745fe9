//! The kinds of checks that the model distinguishes.

#![deny(clippy::wildcard_enum_match_arm)]

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::measure::TextCount;
use crate::verify::Check;

/// The kinds of checks that differ in cost: what they compute, not what they compare it with. A file of costs has them in
/// this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckKind {
    /// Codes are compared.
    Equal,
    /// A verdict is looked up.
    OneSided,
    /// Rows are compared with the borders of inputs.
    SameSource,
    /// Two numbers are subtracted.
    Difference,
    /// A measure of two texts is computed, by one of the algorithms.
    Text(TextCount),
    /// A measure of what two sets share.
    Set,
    /// Two sets share an element.
    ListHasAny,
    /// A measure of the texts of two sets' elements.
    Elements,
    /// An expression, evaluated as it is written.
    Residual,
}

/// Kinds before and after those of texts.
const BEFORE: [CheckKind; 4] = [CheckKind::Equal, CheckKind::OneSided, CheckKind::SameSource, CheckKind::Difference];
const AFTER: [CheckKind; 4] = [CheckKind::Set, CheckKind::ListHasAny, CheckKind::Elements, CheckKind::Residual];

impl CheckKind {
    /// How many kinds there are.
    const COUNT: usize = BEFORE.len() + TextCount::ALL.len() + AFTER.len();

    /// All kinds.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Equal; Self::COUNT];
        let mut at = 0;
        while at < Self::COUNT {
            all[at] = if at < BEFORE.len() {
                BEFORE[at]
            } else if at < BEFORE.len() + TextCount::ALL.len() {
                Self::Text(TextCount::ALL[at - BEFORE.len()])
            } else {
                AFTER[at - BEFORE.len() - TextCount::ALL.len()]
            };
            at += 1;
        }
        all
    };

    /// The kind of a check.
    pub fn from_check(check: &Check) -> Self {
        match check {
            Check::Equal { .. } => Self::Equal,
            Check::OneSided { .. } => Self::OneSided,
            Check::SameSource { .. } => Self::SameSource,
            Check::Difference { .. } => Self::Difference,
            Check::Text { measure, .. } => Self::Text(measure.form().count()),
            Check::Set { .. } => Self::Set,
            Check::ListHasAny { .. } => Self::ListHasAny,
            Check::Elements { .. } => Self::Elements,
            Check::Residual { .. } => Self::Residual,
        }
    }

    /// Its name, as in a file of costs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::OneSided => "one_sided",
            Self::SameSource => "same_source",
            Self::Difference => "difference",
            Self::Text(count) => count.facts().name,
            Self::Set => "set",
            Self::ListHasAny => "list_has_any",
            Self::Elements => "elements",
            Self::Residual => "residual",
        }
    }

    /// Whether it measures two texts or two sets, and looks them up as an equality does.
    pub fn is_measure(self) -> bool {
        match self {
            Self::Text(_) | Self::Set | Self::ListHasAny | Self::Elements => true,
            Self::Equal | Self::OneSided | Self::SameSource | Self::Difference | Self::Residual => false,
        }
    }
}

impl Serialize for CheckKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for CheckKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| D::Error::custom(format!("there is no kind of check `{name}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of costs of older versions can be read.
    #[test]
    fn kinds_keep_their_names_and_their_order() {
        let names = CheckKind::ALL.map(CheckKind::name).to_vec();
        let old = "equal one_sided same_source difference levenshtein osa damerau jaro jaro_winkler hamming set list_has_any \
                   residual";
        let kept: Vec<&str> = names.iter().copied().filter(|name| old.split(' ').any(|old| old == *name)).collect();
        assert_eq!(kept.join(" "), old);
        assert!(CheckKind::ALL.is_sorted());
        for kind in CheckKind::ALL {
            let text = serde_json::to_string(&kind).unwrap();
            assert_eq!(text, format!("\"{}\"", kind.name()));
            assert_eq!(serde_json::from_str::<CheckKind>(&text).unwrap(), kind);
        }
        assert!(serde_json::from_str::<CheckKind>("\"abacus\"").is_err());
    }
}
