//! Reads the pairs: two columns of a table, or plain text.

use super::ClosureJob;
use super::ids::number;
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};
use crate::observer::{Progress, Stage};
use crate::records::{OpenSource, RowIds, TupleShape, no_names};

/// Pairs of vertices, and the ids of these.
pub(super) struct EdgeList {
    /// The pairs as they were read.
    pub pairs: Vec<[u32; 2]>,
    /// The ids of the vertices, ascending.
    pub ids: RowIds,
    /// What the columns of the pairs are called.
    pub names: [String; 2],
    /// The memory of the pairs and the ids.
    pub _held: Held,
}

/// Reads the pairs of a job.
pub(super) fn read(job: &ClosureJob, budget: &MemoryBudget, progress: Progress<'_>) -> Result<EdgeList> {
    let cancel = progress.cancel().within(budget);
    let source = job.edges.clone().into_tuples(TupleShape::default()).open_until(cancel)?;
    let (places, has_names) = (places(&source, job.columns.as_ref())?, source.has_column_names());
    progress.begin(&Stage::Reading, None);
    let table = source.read_within(budget, &places, &|rows| progress.advance(rows))?;
    progress.begin(&Stage::Condensing, None);
    let names = [0, 1].map(|column| table.schema.field(column).name().clone());
    let numbered = number(&table, cancel)?;
    let numbers: Vec<i64> = names.iter().filter_map(|name| name.parse().ok()).collect();
    if has_names && numbers.len() == names.len() && numbered.are_written_integers {
        return Err(no_names(&table.name, &numbers));
    }
    let names = if has_names { names } else { ["source", "target"].map(str::to_owned) };
    let _held = budget.hold(8 * numbered.pairs.len() + numbered.ids.bytes())?;
    Ok(EdgeList { pairs: numbered.pairs, ids: numbered.ids, names, _held })
}

/// The places of the two columns.
fn places(source: &OpenSource, columns: Option<&[String; 2]>) -> Result<[usize; 2]> {
    let fields = source.schema().fields();
    let names = || fields.iter().map(|field| format!("`{}`", field.name())).collect::<Vec<_>>().join(", ");
    let Some(columns) = columns else {
        return match fields.len() {
            2.. => Ok([0, 1]),
            _ => Err(Error::data(format!("`{}` has only one column, {}; pairs need two", source.name(), names()))),
        };
    };
    if columns[0] == columns[1] {
        return Err(Error::usage(format!(
            "the ids of a pair are in two columns, and `{}` was named twice",
            columns[0]
        )));
    }
    let place = |name: &String| {
        let unknown = || {
            Error::usage(format!("`{}` has no column `{name}`", source.name()))
                .with_help(format!("its columns are {}", names()))
        };
        fields.iter().position(|field| field.name() == name).ok_or_else(unknown)
    };
    Ok([place(&columns[0])?, place(&columns[1])?])
}
