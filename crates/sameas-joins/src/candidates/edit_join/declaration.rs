//! The declaration of `edit_join`: texts within some edits of each other.
//!
//! Its inside is the index of deletion variants where that costs less than comparing the signatures of all texts of near
//! lengths, and else the scan of `text_join`. Here alone is that decided, and in `gpu/plan` for a device, where an entry
//! costs more signatures.

use super::{EditJoin, EditLimits, estimate, gpu};
use crate::candidates::by_value::path_over_values;
use crate::candidates::declaration::{Declaration, DeviceCost, JoinFacts, ValueDeclaration, ValueLists};
use crate::candidates::text_join::{TextUnit, is_for_devices, scan_join, texts_of};
use crate::candidates::value_cost::{SIGNATURE, VALUE, ValuePairs, rows_cost, texts_on_device};
use crate::candidates::value_join::AnyValueJoin;
use crate::candidates::{Parting, Path, PathInput};
use crate::measure::Unit;
use crate::records::encode::{AnyStrings, Encoded, Signatures, Strings};
use crate::threshold::{Check, TextPredicate, TextTest};

/// What an entry of the index costs, in comparisons of signatures.
const INDEX_ENTRY: f64 = 200.0;

/// Texts within some edits of each other.
pub struct EditJoinPath;

impl Declaration for EditJoinPath {
    fn name(&self) -> &'static str {
        "edit_join"
    }

    fn serves(&self, check: &Check) -> bool {
        matches!(check, Check::Text { test, .. } if test.is_edit_bound())
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

    /// Records would be repeated for every variant of their texts.
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
        let DeviceCost { host, device } = texts_on_device(on, facts);
        DeviceCost { host, device: device.min(on.iter().map(|predicate| index_on_device(*predicate, facts)).sum()) }
    }
}

impl ValueDeclaration for EditJoinPath {
    fn join<'a>(
        &self,
        check: &'a Check,
        encoded: &'a Encoded,
        values: &ValueLists,
        memory: usize,
    ) -> Box<dyn AnyValueJoin + 'a> {
        let (texts, test) = texts_of(check, encoded);
        match texts.strings() {
            AnyStrings::U8(strings) => join(strings, texts.signatures(), test, values, memory),
            AnyStrings::U16(strings) => join(strings, texts.signatures(), test, values, memory),
            AnyStrings::U32(strings) => join(strings, texts.signatures(), test, values, memory),
        }
    }

    fn cost(&self, predicate: usize, facts: &dyn JoinFacts) -> f64 {
        let (values, entries) = (ValuePairs::for_predicate(predicate, facts), sampled_entries(predicate, facts));
        // What the index gives is measured too, but that is a part of what an entry costs.
        let index = values.values * entries * (INDEX_ENTRY * SIGNATURE);
        index.min(values.pairs * (SIGNATURE + facts.measured(predicate))) + values.values * VALUE
    }
}

/// What the index of a predicate takes on a device; infinite where it has none.
fn index_on_device(predicate: usize, facts: &dyn JoinFacts) -> f64 {
    let (_, test) = texts_of(facts.check(predicate), facts.encoded());
    if !gpu::VariantPlan::may_serve(test) {
        return f64::INFINITY;
    }
    let ValuePairs { values, pairs } = ValuePairs::for_predicate(predicate, facts);
    let entries = values * sampled_entries(predicate, facts);
    entries * (gpu::INDEX_ENTRY * SIGNATURE) + pairs * facts.measured(predicate)
}

/// Entries of the index for each text, from a sample.
fn sampled_entries(predicate: usize, facts: &dyn JoinFacts) -> f64 {
    let (texts, test) = texts_of(facts.check(predicate), facts.encoded());
    let Some(operands) = facts.check(predicate).operands() else { unreachable!("texts are operands") };
    let [left, _] = facts.sampled_values(predicate, operands);
    match texts.strings() {
        AnyStrings::U8(strings) => entries(strings, &left, test),
        AnyStrings::U16(strings) => entries(strings, &left, test),
        AnyStrings::U32(strings) => entries(strings, &left, test),
    }
}

/// The index of variants, where the measure has one and it pays, and else the scan.
fn join<'a, U: TextUnit>(
    strings: Strings<'a, U>,
    signatures: &Signatures,
    test: &'a TextTest,
    values: &ValueLists,
    memory: usize,
) -> Box<dyn AnyValueJoin + 'a> {
    if let Some(TextPredicate::Edits(count, _)) = test.predicate()
        && count.leaves_subsequence()
        && index_pays(strings, test, values, memory)
    {
        let limits = EditLimits {
            of_longer: &|length| test.most_edits_of_longer(length),
            of_pair: &|longer, other| test.most_edits(longer, other),
        };
        return Box::new(EditJoin::new(strings, (&values.left, values.right.as_deref()), count, &limits, memory));
    }
    scan_join(strings, signatures, test, values)
}

/// Whether an index of deletion variants costs less than comparing the signatures of all texts of near lengths.
fn index_pays<U: Unit + Sync>(strings: Strings<'_, U>, test: &TextTest, values: &ValueLists, memory: usize) -> bool {
    let most_edits = |length| test.most_edits_of_longer(length);
    let estimate = estimate(strings, (&values.left, values.right.as_deref()), most_edits, memory);
    estimate.entries * INDEX_ENTRY < estimate.pairs
}

/// Entries of the index for each text.
fn entries<U: Unit + Sync>(strings: Strings<'_, U>, texts: &[u32], test: &TextTest) -> f64 {
    let estimate = estimate(strings, (texts, None), |length| test.most_edits_of_longer(length), usize::MAX);
    estimate.entries / (texts.len() as f64).max(1.0)
}
