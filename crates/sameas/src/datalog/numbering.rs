//! The tuples of files and facts, with a number for each value.

use rayon::prelude::*;

use super::core::ProgramValue;
use super::job::RelateJob;
use super::load::{LoadedColumn, load};
use super::program::CheckedProgram;
use super::syntax::ValueKind;
use super::values::{DomainValues, NumberCodes, TextCodes};
use crate::engine::Progress;
use crate::error::Result;
use crate::memory::MemoryBudget;

/// Codes of the tuples of relations that files and facts fill, one list for each column.
pub(super) struct CodedTuples(Vec<(usize, Vec<Vec<u32>>)>);

impl RelateJob {
    /// The relations that have inputs.
    pub(super) fn input_places(&self) -> Vec<usize> {
        let core = &self.program.checked().core;
        self.inputs.iter().filter_map(|(name, _)| core.find(name)).collect()
    }
}

impl CodedTuples {
    /// Reads the inputs, and gives all values codes.
    pub fn read(job: &RelateJob, memory: usize, progress: Progress<'_>) -> Result<(Vec<DomainValues>, Self)> {
        let checked = job.program.checked();
        let budget = MemoryBudget::new(memory);
        let mut loaded = Vec::new();
        for (place, (_, input)) in job.input_places().into_iter().zip(&job.inputs) {
            loaded.push((place, load(&checked.core.relations[place], input, &budget, progress)?));
        }
        let _held = budget.hold(loaded.iter().flat_map(|(_, columns)| columns).map(LoadedColumn::bytes).sum())?;
        progress.cancel().check();
        let domains = 0..checked.domains.domains.len();
        let values = domains.map(|domain| values_of(checked, &loaded, domain)).collect::<Result<Vec<_>>>()?;
        let mut tuples = Vec::new();
        for (place, columns) in loaded {
            progress.cancel().check();
            let domains = &checked.domains.of_columns[place];
            let codes = columns.iter().zip(domains).map(|(column, domain)| column.codes(&values[*domain]));
            tuples.push((place, codes.collect()));
        }
        tuples.extend(facts(checked, &values));
        Ok((values, Self(tuples)))
    }

    /// Each relation that has tuples, and these.
    pub fn iter(&self) -> impl Iterator<Item = &(usize, Vec<Vec<u32>>)> {
        self.0.iter()
    }

    /// Bytes of the codes.
    pub fn bytes(&self) -> usize {
        self.0.iter().flat_map(|(_, columns)| columns).map(|column| 4 * column.len()).sum()
    }

    /// Relations with their tuples; one that has a file and facts comes twice.
    pub fn of_relations(self) -> impl Iterator<Item = (usize, Vec<Vec<u32>>)> {
        self.0.into_iter()
    }
}

type LoadedRelations = [(usize, Vec<LoadedColumn>)];

fn values_of(checked: &CheckedProgram, loaded: &LoadedRelations, domain: usize) -> Result<DomainValues> {
    let facts = &checked.domains.domains[domain];
    let columns: Vec<&LoadedColumn> = loaded
        .iter()
        .flat_map(|(place, columns)| columns.iter().zip(&checked.domains.of_columns[*place]))
        .filter(|(_, of)| **of == domain)
        .map(|(column, _)| column)
        .collect();
    match facts.kind {
        ValueKind::Number => {
            let constants = facts.constants.iter().filter_map(|value| match value {
                ProgramValue::Number(number) => Some(*number),
                ProgramValue::Text(_) => None,
            });
            let mut numbers: Vec<i64> = constants.collect();
            for array in columns.iter().flat_map(|column| column.numbers()) {
                numbers.extend_from_slice(array.values());
            }
            NumberCodes::of(numbers).map(DomainValues::Numbers)
        }
        ValueKind::Symbol => {
            let constants = facts.constants.par_iter().filter_map(|value| match value {
                ProgramValue::Text(text) => Some(text.as_str()),
                ProgramValue::Number(_) => None,
            });
            let arrays: Vec<_> = columns.iter().flat_map(|column| column.texts()).collect();
            let texts = arrays.par_iter().flat_map_iter(|array| array.iter().flatten());
            TextCodes::of(constants.chain(texts)).map(DomainValues::Texts)
        }
    }
}

fn facts(checked: &CheckedProgram, values: &[DomainValues]) -> Vec<(usize, Vec<Vec<u32>>)> {
    let mut found = Vec::new();
    for (place, relation) in checked.core.relations.iter().enumerate().filter(|(_, one)| !one.facts.is_empty()) {
        let domains = &checked.domains.of_columns[place];
        let column = |(at, domain): (usize, &usize)| {
            relation.facts.iter().filter_map(|fact| values[*domain].code(&fact[at])).collect()
        };
        found.push((place, domains.iter().enumerate().map(column).collect()));
    }
    found
}

impl LoadedColumn {
    fn numbers(&self) -> &[arrow_array::Int64Array] {
        match self {
            Self::Numbers(arrays) => arrays,
            Self::Texts(_) => &[],
        }
    }

    fn texts(&self) -> &[arrow_array::StringArray] {
        match self {
            Self::Numbers(_) => &[],
            Self::Texts(arrays) => arrays,
        }
    }

    fn bytes(&self) -> usize {
        // Beside the values there is a code for each, and while values are collected, another copy of a number.
        let numbers: usize = self.numbers().iter().map(|array| array.values().len() * 20).sum();
        let texts: usize =
            self.texts().iter().map(|array| array.value_data().len() + array.value_offsets().len() * 8).sum();
        numbers + texts
    }

    fn codes(&self, values: &DomainValues) -> Vec<u32> {
        match (self, values) {
            (Self::Numbers(arrays), DomainValues::Numbers(numbers)) => {
                let array = |array: &arrow_array::Int64Array| -> Vec<u32> {
                    array.values().iter().filter_map(|value| numbers.code(*value)).collect()
                };
                arrays.par_iter().map(array).collect::<Vec<_>>().concat()
            }
            (Self::Texts(arrays), DomainValues::Texts(texts)) => {
                let array = |array: &arrow_array::StringArray| -> Vec<u32> {
                    array.iter().flatten().filter_map(|value| texts.code(value)).collect()
                };
                arrays.par_iter().map(array).collect::<Vec<_>>().concat()
            }
            _ => Vec::new(),
        }
    }
}
