//! Inputs that are read again: other columns of the same records, or those that were dropped.

use std::collections::BTreeSet;

use super::dataset_input::DatasetInput;
use super::read_table::read_table;
use super::tables::{ColumnsByInput, InputTables, changed};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::observer::{Progress, Stage};
use crate::records::Table;

/// Reads some columns of each input. Where none of them was read before, one that was is read beside them: by this the records are
/// known to be the same.
pub fn read_again(
    inputs: &[DatasetInput],
    columns: &ColumnsByInput,
    before: &InputTables,
    progress: Progress<'_>,
    cancel: Cancel<'_>,
) -> Result<Vec<Table>> {
    progress.begin(&Stage::Reading, None);
    let read = |(at, (input, columns)): (usize, (&DatasetInput, &BTreeSet<String>))| {
        let mut columns = columns.clone();
        if !columns.is_empty() && !before.knows_any(at, &columns) {
            columns.extend(before.known_column(at, input.id_column.as_deref()));
        }
        read_columns(input, &columns, progress, cancel)
    };
    let tables = inputs.iter().zip(columns).enumerate().map(read).collect();
    progress.begin(&Stage::Encoding, None);
    tables
}

fn read_columns(
    input: &DatasetInput,
    columns: &BTreeSet<String>,
    progress: Progress<'_>,
    cancel: Cancel<'_>,
) -> Result<Table> {
    if columns.is_empty() {
        return Table::without_columns(&input.name, input.ids.len());
    }
    let source = input.source.open_until(cancel)?;
    let fields = source.schema().fields();
    let places: Vec<usize> = (0..fields.len()).filter(|at| columns.contains(fields[*at].name())).collect();
    if places.len() != columns.len() {
        return Err(changed(&input.name));
    }
    let budget = cancel.budget().cloned().unwrap_or_else(MemoryBudget::unlimited);
    let mut table = read_table(source, &places, input.name.clone(), &budget, progress)?;
    if table.rows() != input.ids.len() + input.skipped.len() {
        return Err(changed(&input.name));
    }
    table.skip_same(&input.skipped)?;
    Ok(table)
}
