//! The declaration of `jaro_join`: texts of at least some Jaro or Jaro-Winkler similarity.

use super::{TextJoin, TextUnit};
use crate::candidates::by_value::path_over_values;
use crate::candidates::declaration::{Declaration, DeviceCost, JoinFacts, ValueDeclaration, ValueLists};
use crate::candidates::value_cost::{ValuePairs, rows_cost, texts_on_device};
use crate::candidates::value_join::AnyValueJoin;
use crate::candidates::{Parting, Path, PathInput};
use crate::records::encode::{AnyStrings, Encoded, Signatures, Strings, Texts};
use crate::threshold::{Check, TextTest};

/// Texts of at least some Jaro or Jaro-Winkler similarity, by their signatures: there is no index.
pub struct JaroJoinPath;

impl Declaration for JaroJoinPath {
    fn name(&self) -> &'static str {
        "jaro_join"
    }

    fn serves(&self, check: &Check) -> bool {
        matches!(check, Check::Text { test, .. } if test.is_jaro_bound())
    }

    fn over_values(&self) -> Option<&dyn ValueDeclaration> {
        Some(self)
    }

    fn cost(&self, on: &[usize], facts: &dyn JoinFacts) -> f64 {
        rows_cost(on, facts)
    }

    fn path<'a>(&self, on: &[usize], input: PathInput<'a>) -> Path<'a> {
        path_over_values(self, on[0], &input)
    }

    fn parting(&self, _: &[usize], _: &[Check]) -> Parting {
        Parting::Rows
    }

    fn has_device_path(&self) -> bool {
        true
    }

    fn serves_on_device(&self, check: &Check) -> bool {
        is_for_devices(check)
    }

    fn device_cost(&self, on: &[usize], facts: &dyn JoinFacts) -> DeviceCost {
        texts_on_device(on, facts)
    }
}

impl ValueDeclaration for JaroJoinPath {
    fn join<'a>(
        &self,
        check: &'a Check,
        encoded: &'a Encoded,
        values: &ValueLists,
        _: usize,
    ) -> Box<dyn AnyValueJoin + 'a> {
        let (texts, test) = texts_of(check, encoded);
        match texts.strings() {
            AnyStrings::U8(strings) => scan_join(strings, texts.signatures(), test, values),
            AnyStrings::U16(strings) => scan_join(strings, texts.signatures(), test, values),
            AnyStrings::U32(strings) => scan_join(strings, texts.signatures(), test, values),
        }
    }

    fn cost(&self, predicate: usize, facts: &dyn JoinFacts) -> f64 {
        ValuePairs::for_predicate(predicate, facts).cost(f64::INFINITY, facts.measured(predicate))
    }
}

/// The texts of a check of texts, and its test.
pub(in crate::candidates) fn texts_of<'a>(check: &'a Check, encoded: &'a Encoded) -> (&'a Texts, &'a TextTest) {
    let Check::Text { operands, test, .. } = check else { unreachable!("a join of texts is one of texts") };
    let texts = encoded.domain(operands.left).texts.as_ref();
    (texts.unwrap_or_else(|| unreachable!("the texts of a test of texts are encoded")), test)
}

/// The join that compares the signatures of all texts of near lengths.
pub(in crate::candidates) fn scan_join<'a, U: TextUnit>(
    strings: Strings<'a, U>,
    signatures: &Signatures,
    test: &'a TextTest,
    values: &ValueLists,
) -> Box<dyn AnyValueJoin + 'a> {
    let predicate = test.predicate().unwrap_or_else(|| unreachable!("a text join is one of bounds"));
    Box::new(TextJoin::new(strings, signatures, &values.left, values.right.as_deref(), predicate))
}

/// Whether a device can join texts by a check.
pub(in crate::candidates) fn is_for_devices(check: &Check) -> bool {
    matches!(check, Check::Text { test, .. } if test.is_for_devices())
}
