//! Reads the pairs: two columns of a table, or plain text.

use super::ClosureJob;
use super::ids::number;
use crate::engine::{Progress, Stage};
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};
use crate::records::{Input, RowIds, Source};

/// Endings of files that hold pairs as plain text, if nothing else is said of them.
const PLAIN: [&str; 5] = ["txt", "edges", "edgelist", "el", "dat"];

/// Endings that say how a file is packed.
const PACKED: [&str; 2] = ["gz", "zst"];

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
    let is_plain = is_plain(&job.edges);
    let input = if is_plain { job.edges.clone().as_plain_text() } else { job.edges.clone() };
    let source = Source::open_until(&input, cancel)?;
    let places = places(&source, job.columns.as_ref())?;
    progress.begin(&Stage::Reading, None);
    let table = source.read_within(budget, &places, &|rows| progress.advance(rows))?;
    progress.begin(&Stage::Condensing, None);
    let names = [0, 1].map(|column| table.schema.field(column).name().clone());
    let numbered = number(&table, cancel)?;
    let is_named_by_numbers = names.iter().all(|name| name.parse::<i64>().is_ok());
    if is_named_by_numbers && numbered.are_written_integers && !input.is_plain_text() {
        return Err(no_names(&table.name, &names));
    }
    let names = if input.is_plain_text() { ["source", "target"].map(str::to_owned) } else { names };
    let _held = budget.hold(8 * numbered.pairs.len() + numbered.ids.bytes())?;
    Ok(EdgeList { pairs: numbered.pairs, ids: numbered.ids, names, _held })
}

/// Whether all files are plain text by their endings, and nothing was said of a delimiter.
fn is_plain(input: &Input) -> bool {
    let given = input.given();
    let is_plain = |name: &String| {
        let name = name.to_ascii_lowercase();
        let unpacked =
            name.rsplit_once('.').filter(|(_, ending)| PACKED.contains(ending)).map_or(&*name, |(stem, _)| stem);
        unpacked.rsplit_once('.').is_some_and(|(_, ending)| PLAIN.contains(&ending))
    };
    !given.is_empty() && input.given_delimiter().is_none() && given.iter().all(is_plain)
}

/// The places of the two columns.
fn places(source: &Source, columns: Option<&[String; 2]>) -> Result<[usize; 2]> {
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

/// A pair in the place of the names would be lost.
fn no_names(input: &str, names: &[String; 2]) -> Error {
    let [a, b] = names;
    Error::data(format!("`{input}` begins with the numbers {a} and {b}, where names of columns are expected"))
        .with_help("give it a first line with names, or read it as plain text, which has none")
        .with_code(crate::error::ErrorCode::NoColumnNames)
}
