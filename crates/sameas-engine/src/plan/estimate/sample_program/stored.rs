//! The sample of records that are elsewhere: from the values that statistics have of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{EstimateRows, SampleProgram};
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::records::InputRows;
use crate::records::encode::{OperandKey, StoredColumn};
use crate::records::stats::{DRAWN_PAIRS, SampledRecord, SampledRow, Statistics};
use crate::verify::{RuleProgram, Truth};

impl SampleProgram {
    /// The sample of rules whose operands and conditions have these keys. Texts, signatures and tokens are those of the
    /// sampled records alone: verdicts are the same as those of a sample of all records, costs nearly.
    pub fn of_stored(
        rules: &RuleProgram,
        keys: &[OperandKey],
        conditions: &[OperandKey],
        statistics: &Statistics,
        cancel: Cancel<'_>,
    ) -> Result<Self> {
        let records = StoredRecords::checked(statistics)?;
        let columns = records.columns(rules, keys)?;
        let encoded = rules.wanted.encode_stored(&columns, cancel).ok_or_else(|| not_whole("values of other types"))?;
        let verdicts = records.verdicts(rules, conditions)?;
        let borders = records.borders();
        let across = statistics
            .is_across()
            .then(|| InputRows::new([0].into_iter().chain(borders.iter().copied()), records.of_frame(0).len() as u32));
        let program = rules.bind(encoded, verdicts, &borders, across);
        let place = |of: SampledRow| records.place(of).unwrap_or(0);
        let EstimateRows { joined, any, drawn } = EstimateRows::draw(&program.checks, keys, statistics, &place);
        let frames = if statistics.has_two_sides() { 2 } else { 1 };
        let records = (0..frames).map(|frame| (0..records.of_frame(frame).len() as u32).collect()).collect();
        Ok(Self { program, keys: keys.into(), records, joined, any, drawn })
    }
}

/// The records that statistics have values of, by frame.
struct StoredRecords<'s> {
    statistics: &'s Statistics,
    /// Where the records of the right frame begin, if there is one.
    right: usize,
}

impl<'s> StoredRecords<'s> {
    /// Those of statistics that were read from somewhere: whatever is not as it was made is refused.
    fn checked(statistics: &'s Statistics) -> Result<Self> {
        let Statistics { records, operands, conditions, inputs, samples, equalities, .. } = statistics;
        let right = records.partition_point(|record| record.of.input == 0);
        let found = Self { statistics, right: if statistics.has_two_sides() { right } else { records.len() } };
        let is_whole = |record: &SampledRecord| {
            (record.values.len(), record.verdicts.len()) == (operands.len(), conditions.len())
                && (record.of.input as usize) < inputs.len()
        };
        if !records.iter().all(is_whole) || !records.is_sorted_by_key(|record| record.of) {
            return Err(not_whole("records with other values than the rules read"));
        }
        if samples.len() != inputs.len() || !statistics.named_records().into_iter().all(|of| found.place(of).is_some())
        {
            return Err(not_whole("a sample of records without their values"));
        }
        let too_many = equalities.values().flat_map(|of| &of.drawn).any(|pairs| pairs.len() > DRAWN_PAIRS);
        if too_many { Err(not_whole("more drawn pairs than any")) } else { Ok(found) }
    }

    fn of_frame(&self, frame: usize) -> &'s [SampledRecord] {
        let records = &self.statistics.records[..];
        if frame == 0 { &records[..self.right] } else { &records[self.right..] }
    }

    /// The row of a record in its frame.
    fn place(&self, of: SampledRow) -> Option<u32> {
        let place = self.statistics.records.binary_search_by_key(&of, |record| record.of).ok()?;
        let row = if place < self.right { place } else { place - self.right };
        Some(row as u32)
    }

    /// The first record of each input after the first.
    fn borders(&self) -> Vec<u32> {
        let first = |input: usize| self.statistics.records.partition_point(|of| (of.of.input as usize) < input) as u32;
        (1..self.statistics.inputs.len()).map(first).collect()
    }

    /// The values of each operand, by row.
    fn columns(&self, rules: &RuleProgram, keys: &[OperandKey]) -> Result<Vec<StoredColumn<'s>>> {
        let places: BTreeMap<&OperandKey, usize> = self.statistics.operands.keys().zip(0..).collect();
        let column = |(operand, key): (usize, &OperandKey)| -> Result<StoredColumn<'s>> {
            let place = *places.get(key).ok_or_else(other_rules)?;
            let records = self.of_frame(rules.wanted.expression(operand).0).iter();
            Ok(records.map(|record| record.values[place].as_ref().map(|value| &value.0[..])).collect())
        };
        keys.iter().enumerate().map(column).collect()
    }

    /// The verdicts of each condition, by row.
    fn verdicts(&self, rules: &RuleProgram, conditions: &[OperandKey]) -> Result<Vec<Arc<Vec<Truth>>>> {
        let places: BTreeMap<&OperandKey, usize> = self.statistics.conditions.iter().zip(0..).collect();
        let of_condition = |(frame, key): (usize, &OperandKey)| -> Result<Arc<Vec<Truth>>> {
            let place = *places.get(key).ok_or_else(other_rules)?;
            let records = self.of_frame(frame).iter();
            Ok(Arc::new(records.map(|record| Truth::from(record.verdicts[place])).collect()))
        };
        rules.conditions.iter().map(|of| of.frame).zip(conditions).map(of_condition).collect()
    }
}

fn other_rules() -> Error {
    Error::usage("the statistics are of other rules than the job's")
        .with_help("make statistics of the job itself, with the same rules and derived columns")
        .with_code(ErrorCode::OtherStatistics)
}

fn not_whole(what: &str) -> Error {
    Error::data(format!("the statistics are not as they were made: they have {what}"))
        .with_code(ErrorCode::OtherStatistics)
}
