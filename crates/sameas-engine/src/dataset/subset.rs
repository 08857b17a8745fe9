//! Some records of a dataset as a dataset of their own. What depends on all records, ranks and how many have each value, is that of
//! the dataset that they are a part of.

use std::collections::BTreeSet;

use super::dataset_input::DatasetInput;
use super::shared::Dataset;
use super::tables::{ColumnsByInput, InputTables, Keep};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::observer::Progress;
use crate::records::Table;

/// Which records a subset has, and of which dataset.
pub struct SubsetOf {
    /// The dataset that it is a part of, which is no subset.
    pub whole: Dataset,
    /// Its records by their numbers among those of all inputs, ascending.
    records: Vec<u32>,
    /// The same by input.
    rows: Vec<Vec<u32>>,
}

impl Dataset {
    /// Some of its records as a dataset of their own, by their numbers among those of all inputs, ascending. Nothing is read until
    /// rules are bound to them.
    pub(crate) fn subset(&self, records: &[u32]) -> Result<Self> {
        if let Some(of) = self.subset_of() {
            let of_whole = records.iter().map(|record| of.records.get(*record as usize).copied());
            return of.whole.subset(&of_whole.collect::<Option<Vec<u32>>>().ok_or_else(no_such_records)?);
        }
        let of = SubsetOf::new(self, records)?;
        let inputs = self.inputs().iter().zip(&of.rows).map(|(input, rows)| input.part(rows));
        let inputs = inputs.collect::<Result<Vec<DatasetInput>>>()?;
        let layout = self.layout().with_inputs(of.rows.iter().map(|rows| rows.len() as u32).collect());
        let tables = InputTables::new(Keep::Always, inputs.len(), None);
        Ok(Self::part(layout, inputs, tables, of))
    }
}

impl SubsetOf {
    fn new(whole: &Dataset, records: &[u32]) -> Result<Self> {
        let ascend = records.windows(2).all(|two| two[0] < two[1]);
        let are_there = records.last().is_none_or(|last| u64::from(*last) < whole.layout().records());
        if !(ascend && are_there) {
            return Err(no_such_records());
        }
        let (mut first, mut left, mut rows) = (0_u32, records, Vec::new());
        for count in whole.layout().inputs() {
            let end = first + count;
            let (here, rest) = left.split_at(left.partition_point(|record| *record < end));
            rows.push(here.iter().map(|record| record - first).collect());
            (first, left) = (end, rest);
        }
        Ok(Self { whole: whole.clone(), records: records.to_vec(), rows })
    }

    /// Its records of the tables, each with these columns alone.
    pub fn tables(&self, columns: &ColumnsByInput, progress: Progress<'_>, cancel: Cancel<'_>) -> Result<Vec<Table>> {
        let all = self.whole.tables_having(columns, progress, cancel)?;
        let part = |((table, columns), rows): ((&Table, &BTreeSet<String>), &Vec<u32>)| {
            if columns.is_empty() {
                return Table::without_columns(&table.name, rows.len());
            }
            table.part(columns, rows)?.with_plain_texts()
        };
        all.iter().zip(columns).zip(&self.rows).map(part).collect()
    }

    /// The rows that its records have in a frame of all records, in their order.
    pub fn rows_of_frame(&self, frame: usize) -> &[u32] {
        if self.whole.layout().has_two_sides() { &self.rows[frame] } else { &self.records }
    }

    /// Of something that all records have those of its own, in their order.
    pub fn of_all<T: Copy>(&self, all: &[T]) -> Vec<T> {
        self.records.iter().map(|record| all[*record as usize]).collect()
    }
}

/// Numbers that are none of the records, or not in their order: the callers are wrong, not the user.
fn no_such_records() -> Error {
    Error::internal("the records of a subset are those of its dataset, in their order")
}
