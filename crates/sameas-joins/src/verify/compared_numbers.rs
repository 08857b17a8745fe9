//! The number that a check compares with its threshold, for one pair after the other.

#![deny(clippy::wildcard_enum_match_arm)]

use super::check::codes;
use super::text_check;
use crate::expr::{Num, Side};
use crate::measure::{SetFormula, TextMeasure, set};
use crate::records::encode::{Domain, Elements, Encoded, NULL, Texts, TokenSets};
use crate::threshold::{Check, ElementTest, difference};

/// What the numbers of a check are found from, looked up once for many pairs.
pub(super) enum ComparedNumbers<'a> {
    /// A measure of texts.
    OfTexts { codes: [&'a [u32]; 2], texts: &'a Texts, measure: TextMeasure },
    /// A measure of sets.
    OfSets { codes: [&'a [u32]; 2], sets: [&'a TokenSets; 2], formula: SetFormula },
    /// A measure of sets by the texts of their elements.
    OfElements { codes: [&'a [u32]; 2], sets: [&'a Elements; 2], first: Side, test: ElementTest },
    /// The difference of two numbers.
    Differences { codes: [&'a [u32]; 2], domains: [&'a Domain; 2] },
    /// The check compares no number.
    Nothing,
}

impl Check {
    /// The numbers that it compares with a threshold.
    pub(super) fn compared_numbers<'a>(&self, encoded: &'a Encoded) -> ComparedNumbers<'a> {
        let codes_of = |operands| <[&'a [u32]; 2]>::from(codes(encoded, operands));
        match self {
            Self::Text { operands, measure, .. } => match &encoded.domain(operands.left).texts {
                Some(texts) => ComparedNumbers::OfTexts { codes: codes_of(*operands), texts, measure: *measure },
                None => ComparedNumbers::Nothing,
            },
            Self::Set { operands, tokens, formula, .. } => {
                let sets = [&*encoded.tokens[tokens.left], &*encoded.tokens[tokens.right]];
                ComparedNumbers::OfSets { codes: codes_of(*operands), sets, formula: *formula }
            }
            Self::Elements { operands, tokens, first, test } => {
                let elements = |tokens: usize| encoded.tokens[tokens].elements();
                match (elements(tokens.left), elements(tokens.right)) {
                    (Some(left), Some(right)) => ComparedNumbers::OfElements {
                        codes: codes_of(*operands),
                        sets: [left, right],
                        first: *first,
                        test: *test,
                    },
                    _ => ComparedNumbers::Nothing,
                }
            }
            Self::Difference { operands, .. } => {
                let domains = [encoded.domain(operands.left), encoded.domain(operands.right)];
                ComparedNumbers::Differences { codes: codes_of(*operands), domains }
            }
            Self::Equal { .. } | Self::OneSided { .. } | Self::ListHasAny { .. } => ComparedNumbers::Nothing,
            Self::SameSource { .. } | Self::Residual { .. } => ComparedNumbers::Nothing,
        }
    }
}

impl ComparedNumbers<'_> {
    /// The number of two rows; `None` where there is none or it is null.
    #[inline]
    pub(super) fn number_of_pair(&self, l: u32, r: u32) -> Option<Num> {
        let read = |[left, right]: &[&[u32]; 2]| (left[l as usize], right[r as usize]);
        match self {
            Self::OfTexts { codes, texts, measure } => {
                let (a, b) = read(codes);
                text_check::value(texts, a, b, *measure)
            }
            Self::OfSets { codes, sets, formula } => match read(codes) {
                (NULL, _) | (_, NULL) => None,
                (a, b) => set_value(*formula, sets[0].set(a), sets[1].set(b)),
            },
            Self::OfElements { codes, sets: [left, right], first, test } => match read(codes) {
                (NULL, _) | (_, NULL) => None,
                (a, b) => {
                    let (x, y) = first.in_order(left.view().set(a), right.view().set(b));
                    test.value(left.texts(), x, y).map(Num::Float)
                }
            },
            Self::Differences { codes, domains } => {
                let (a, b) = read(codes);
                difference(domains[0].number(a), domains[1].number(b))
            }
            Self::Nothing => None,
        }
    }
}

/// A set measure by its formula; an empty set makes it null.
fn set_value(formula: SetFormula, a: &[u32], b: &[u32]) -> Option<Num> {
    let is_null = a.is_empty() || b.is_empty();
    (!is_null).then(|| formula.value(set::intersection(a, b), a.len(), b.len()).into())
}
