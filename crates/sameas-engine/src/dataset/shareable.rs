//! Statistics for another place: with sketches, so that they can be put together with those of other records, and with what
//! rules read of the sampled records.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::count::RecordCounter;
use super::operand_keys::OperandKeys;
use crate::cancel::Cancel;
use crate::records::encode::{Encoded, OperandKey};
use crate::records::stats::{
    Frequencies, SampledRecord, SampledRow, Statistics, StoredValue, ValueSketches, value_hash,
};
use crate::threshold::{Check, Truth};
use crate::verify::{Program, RecordCondition, RuleProgram};

impl RecordCounter<'_> {
    /// What was counted, for use without the records; `rules` are those of the program, with these keys.
    pub fn to_share(
        &self,
        mut statistics: Statistics,
        rules: &RuleProgram,
        keys: &OperandKeys,
        cancel: Cancel<'_>,
    ) -> Statistics {
        let sketch = |operand: usize| {
            cancel.check();
            sketches(&self.program.encoded, operand)
        };
        let sketches: Vec<ValueSketches> = (0..self.keys.len()).into_par_iter().map(sketch).collect();
        for (key, sketches) in self.keys.iter().zip(sketches) {
            if let Some(operand) = statistics.operands.get_mut(key) {
                operand.sketches = Some(sketches);
            }
        }
        let values = RecordValues::new(self.program, self.keys, &rules.conditions[..], &keys.conditions[..]);
        statistics.conditions = values.conditions.keys().map(|key| (*key).clone()).collect();
        let (named, borders) = (statistics.named_records(), self.layout.borders());
        let record = |of: SampledRow| Some(values.record(of, self.place(of, &borders)?));
        statistics.records = named.into_iter().filter_map(record).collect();
        statistics
    }

    /// The frame and the row of a record; `borders` are those of the inputs.
    fn place(&self, of: SampledRow, borders: &[u32]) -> Option<(usize, u32)> {
        let input = of.input as usize;
        let row = match self.numbers {
            Some(numbers) => numbers[input].binary_search(&of.row).ok()? as u32,
            None => of.row as u32,
        };
        let is_alone = self.layout.has_two_sides() || input == 0;
        Some((self.layout.frame_of(input), if is_alone { row } else { borders[input - 1] + row }))
    }
}

/// The sketches of the values of an operand.
fn sketches(encoded: &Encoded, operand: usize) -> ValueSketches {
    let dictionary = &encoded.domain(operand).dictionary;
    let rows = Frequencies::count(&encoded.columns[operand].codes, dictionary.len());
    let mut sketches = ValueSketches::default();
    for (code, rows) in rows.counts.iter().enumerate().filter(|(_, rows)| **rows > 0) {
        sketches.add(value_hash(dictionary.value(code as u32)), *rows);
    }
    sketches
}

/// What rules read of records.
struct RecordValues<'a> {
    program: &'a Program,
    /// The numbers of operands, by key.
    operands: BTreeMap<&'a OperandKey, usize>,
    /// The frames and the checks of conditions, by key.
    conditions: BTreeMap<&'a OperandKey, (usize, &'a Check)>,
}

impl<'a> RecordValues<'a> {
    fn new(
        program: &'a Program,
        keys: &'a [OperandKey],
        conditions: &[RecordCondition],
        of_conditions: &'a [OperandKey],
    ) -> Self {
        let check = |(of, key): (&RecordCondition, &'a OperandKey)| (key, (of.frame, &program.checks[of.predicate]));
        Self {
            program,
            operands: keys.iter().enumerate().map(|(operand, key)| (key, operand)).collect(),
            conditions: conditions.iter().zip(of_conditions).map(check).collect(),
        }
    }

    /// Those of a record that lies here.
    fn record(&self, of: SampledRow, (frame, row): (usize, u32)) -> SampledRecord {
        let value = |operand: &usize| {
            let column = Some(&self.program.encoded.columns[*operand]).filter(|column| column.frame == frame)?;
            let bytes = self.program.encoded.domain(*operand).dictionary.get(column.codes[row as usize])?;
            Some(StoredValue(bytes.into()))
        };
        let verdict = |(of_frame, check): &(usize, &Check)| match check {
            Check::OneSided { verdicts, .. } if *of_frame == frame => match verdicts[row as usize] {
                Truth::True => Some(true),
                Truth::False => Some(false),
                Truth::Null | Truth::Unknown => None,
            },
            _ => None,
        };
        let (values, verdicts) = (self.operands.values().map(value), self.conditions.values().map(verdict));
        SampledRecord { of, values: values.collect(), verdicts: verdicts.collect() }
    }
}
