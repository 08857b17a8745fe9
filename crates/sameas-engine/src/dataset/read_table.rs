//! The one way in which the columns of an input become a table that is encoded or shown.

use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::observer::Progress;
use crate::records::{OpenSource, Table};

/// Reads the columns at these places of an input that results call by this name. Texts of the caller stay where they are.
pub fn read_table(
    source: OpenSource,
    columns: &[usize],
    name: String,
    budget: &MemoryBudget,
    progress: Progress<'_>,
) -> Result<Table> {
    let mut table = source.with_given_types().read_within(budget, columns, &|rows| progress.advance(rows))?;
    table.name = name;
    if u32::try_from(table.rows()).is_err() {
        return Err(Error::data(format!("`{}` has more than {} records", table.name, u32::MAX)));
    }
    Ok(table)
}
