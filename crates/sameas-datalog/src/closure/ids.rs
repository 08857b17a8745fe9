//! Ids of one type become vertices, in the order of the ids.

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::ids::{IdColumn, id_type, number_ids};
use crate::records::{RowIds, Table};

/// Pairs of vertices, and their ids.
pub(super) struct NumberedEdges {
    pub pairs: Vec<[u32; 2]>,
    pub ids: RowIds,
    /// Whether the ids were texts that are whole numbers.
    pub are_written_integers: bool,
}

/// Numbers the ids of a table of two columns.
pub(super) fn number(table: &Table, cancel: Cancel<'_>) -> Result<NumberedEdges> {
    check_types(table)?;
    let columns = [IdColumn::of_table(table, 0)?, IdColumn::of_table(table, 1)?];
    let numbered = number_ids(&columns, cancel).map_err(|error| error.at(&format!("`{}`", table.name)))?;
    let pairs = numbered.columns[0].iter().zip(&numbered.columns[1]).map(|(a, b)| [*a, *b]).collect();
    let (ids, are_written_integers) = (RowIds::new(&[numbered.ids])?, numbered.are_written_integers);
    Ok(NumberedEdges { pairs, ids, are_written_integers })
}

/// Refuses columns whose ids are of two types.
fn check_types(table: &Table) -> Result<()> {
    let [a, b] = [id_type(table, 0)?, id_type(table, 1)?];
    if a == b {
        return Ok(());
    }
    let [first, second] = [0, 1].map(|at| table.schema.field(at).name());
    let message = format!(
        "`{}`: the ids are of two types: {} in column `{first}`, {} in column `{second}`",
        table.name,
        a.text(),
        b.text()
    );
    Err(Error::data(message).with_help("make both columns of one type, so that equal ids are the same"))
}
