//! The tuples of files and facts, with a number for each value.

use rayon::prelude::*;

use super::core::ProgramValue;
use super::domains::DomainFacts;
use super::facts::{BESIDE_A_FACT, FactColumn};
use super::job::RelateJob;
use super::load::{ColumnPart, LoadedColumn, LoadedRelation, load};
use super::program::CheckedProgram;
use super::syntax::ValueKind;
use super::values::{DomainValues, check_number};
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};
use crate::numbering::{GrowingNumbers, OrderedIntegers, texts_in_order};
use crate::observer::Progress;

/// Codes of the tuples of relations that files and facts fill, one list for each column.
pub(super) struct CodedTuples(Vec<(usize, Vec<Vec<u32>>)>);

impl CodedTuples {
    /// Reads the inputs, and gives all values codes.
    pub fn read(job: &RelateJob, memory: usize, progress: Progress<'_>) -> Result<(Vec<DomainValues>, Self)> {
        let checked = job.program.checked();
        let budget = MemoryBudget::new(memory);
        let mut held = budget.hold(checked.bytes)?;
        let mut loaded = Vec::new();
        for (place, input) in &job.inputs {
            loaded.push((*place, load(&checked.core.relations[*place], input, &budget, progress)?));
        }
        let facts = checked.core.relations.iter().flat_map(|relation| &relation.facts);
        held.add(facts.map(FactColumn::len).sum::<usize>() * BESIDE_A_FACT)?;
        let values = domain_values(checked, &loaded, &budget, &mut held, progress)?;
        let mut tuples = Vec::new();
        for (place, relation) in loaded {
            progress.cancel().check();
            let columns = relation.columns.iter().zip(&checked.domains.of_columns[place]);
            tuples.push((place, columns.map(|(column, domain)| column.codes(&values[*domain])).collect()));
        }
        for (place, relation) in checked.core.relations.iter().enumerate().filter(|(_, one)| one.has_facts()) {
            let columns = relation.facts.iter().zip(&checked.domains.of_columns[place]);
            tuples.push((place, columns.map(|(column, domain)| column.codes(&values[*domain])).collect()));
        }
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

/// The columns that share a domain.
#[derive(Default)]
struct DomainColumns<'a> {
    loaded: Vec<&'a LoadedColumn>,
    facts: Vec<&'a FactColumn>,
}

/// The values of all domains; their memory is held.
fn domain_values(
    checked: &CheckedProgram,
    loaded: &[(usize, LoadedRelation)],
    budget: &MemoryBudget,
    held: &mut Held,
    progress: Progress<'_>,
) -> Result<Vec<DomainValues>> {
    let columns = by_domain(checked, loaded);
    let mut all = Vec::with_capacity(columns.len());
    for (domain, columns) in checked.domains.domains.iter().zip(columns) {
        progress.cancel().check();
        let values = columns.values(domain, budget)?;
        held.add(values.bytes())?;
        all.push(values);
    }
    Ok(all)
}

/// The columns of each domain: each column is looked at once, however many domains there are.
fn by_domain<'a>(checked: &'a CheckedProgram, loaded: &'a [(usize, LoadedRelation)]) -> Vec<DomainColumns<'a>> {
    let mut found: Vec<DomainColumns<'a>> = checked.domains.domains.iter().map(|_| DomainColumns::default()).collect();
    for (place, relation) in loaded {
        for (column, domain) in relation.columns.iter().zip(&checked.domains.of_columns[*place]) {
            found[*domain].loaded.push(column);
        }
    }
    for (relation, domains) in checked.core.relations.iter().zip(&checked.domains.of_columns) {
        for (column, domain) in relation.facts.iter().zip(domains).filter(|(column, _)| column.len() > 0) {
            found[*domain].facts.push(column);
        }
    }
    found
}

impl DomainColumns<'_> {
    fn values(&self, domain: &DomainFacts, budget: &MemoryBudget) -> Result<DomainValues> {
        let values = match domain.kind {
            ValueKind::Number => DomainValues::Numbers(OrderedIntegers::new(self.numbers(domain), budget)),
            ValueKind::Symbol => DomainValues::Texts(self.texts(domain, budget)?),
        };
        check_number(values.len())?;
        Ok(values)
    }

    fn numbers(&self, domain: &DomainFacts) -> Vec<i64> {
        let loaded = self.loaded.iter().flat_map(|column| &column.parts).map(ColumnPart::numbers);
        let lists: Vec<&[i64]> = loaded.chain(self.facts.iter().map(|column| column.numbers())).collect();
        let values = lists.iter().map(|list| list.len()).sum::<usize>();
        let mut numbers = Vec::with_capacity(domain.constants.len() + values);
        numbers.extend(domain.constants.iter().filter_map(|value| match value {
            ProgramValue::Number(number) => Some(*number),
            ProgramValue::Text(_) => None,
        }));
        lists.into_iter().for_each(|list| numbers.extend_from_slice(list));
        numbers
    }

    fn texts(&self, domain: &DomainFacts, budget: &MemoryBudget) -> Result<GrowingNumbers> {
        let constants = domain.constants.par_iter().filter_map(|value| match value {
            ProgramValue::Text(text) => Some(text.as_bytes()),
            ProgramValue::Number(_) => None,
        });
        let arrays: Vec<_> =
            self.loaded.iter().flat_map(|column| &column.parts).filter_map(ColumnPart::texts).collect();
        let texts = arrays.par_iter().flat_map_iter(|array| array.iter().flatten().map(str::as_bytes));
        let facts = self.facts.par_iter().flat_map(|column| column.texts());
        texts_in_order(constants.chain(texts).chain(facts), budget)
    }
}

impl LoadedColumn {
    /// The codes of all values.
    fn codes(&self, values: &DomainValues) -> Vec<u32> {
        let codes: Vec<Vec<u32>> = self.parts.par_iter().map(|part| part.codes(values)).collect();
        codes.concat()
    }
}

impl ColumnPart {
    fn numbers(&self) -> &[i64] {
        match self {
            Self::Numbers(array) => array.values(),
            Self::Texts(_) => &[],
        }
    }

    fn texts(&self) -> Option<&arrow_array::StringArray> {
        match self {
            Self::Numbers(_) => None,
            Self::Texts(array) => Some(array),
        }
    }

    fn codes(&self, values: &DomainValues) -> Vec<u32> {
        match (self, values) {
            (Self::Numbers(array), DomainValues::Numbers(codes)) => {
                array.values().iter().filter_map(|value| codes.find(*value)).collect()
            }
            (Self::Texts(array), DomainValues::Texts(codes)) => {
                array.iter().flatten().filter_map(|value| codes.find(value.as_bytes())).collect()
            }
            _ => Vec::new(),
        }
    }
}
