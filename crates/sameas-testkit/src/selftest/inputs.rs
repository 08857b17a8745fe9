//! A case as input files: Parquet with explicit types, JSON lines where they show the types, CSV where all is text.

use std::path::{Path, PathBuf};

use crate::case::{Case, Cell, Kind, Row, Table, csv, json_lines};
use sameas::{Input, RuleFile};

use super::engine::rules_of;
use super::parquet_file;

/// Writes the tables of a case into `folder`; the seed chooses the formats and whether a table is cut into two files.
pub fn write(case: &Case, seed: u64, folder: &Path) -> Result<Vec<Input>, String> {
    let tables = case.tables.iter().enumerate();
    tables.map(|(at, table)| write_table(case, table, &case.source(at), seed >> at, folder)).collect()
}

fn write_table(case: &Case, table: &Table, name: &str, seed: u64, folder: &Path) -> Result<Input, String> {
    // JSON has integers and floats only.
    let plain = without_unused(case, table, |kind| matches!(kind, Kind::Unsigned | Kind::Decimal(..)));
    let only_texts = table.columns.iter().all(|column| column.kind == Kind::Text);
    let (ending, cut) = match seed % 4 {
        _ if only_texts && !seed.is_multiple_of(8) => ("csv", seed % 8 < 4),
        1 if shows_its_types(&plain) => ("jsonl", false),
        _ => ("parquet", seed % 8 < 4),
    };
    let parts = match ending {
        "jsonl" => vec![plain],
        _ if cut => halves(table),
        _ => vec![table.clone()],
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        // The name of the input is that of its first file.
        let path =
            folder.join(if number == 0 { format!("{name}.{ending}") } else { format!("rest of {name}.{ending}") });
        let written = match ending {
            "csv" => write_text(&path, &csv(part).unwrap_or_default()),
            "jsonl" => write_text(&path, &json_lines(part)),
            _ => parquet_file::write(part, &path, seed),
        };
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        paths.push(path);
    }
    Ok(Input::files(paths))
}

/// The rules of a case, and the files that they name.
pub fn rules(case: &Case, folder: &Path) -> Result<RuleFile, String> {
    for (name, content) in case.lists() {
        write_text(&folder.join(&name), content).map_err(|error| format!("{name}: {error}"))?;
    }
    for (name, content) in case.frequency_files() {
        write_text(&folder.join(&name), &content).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(rules_of(case)?.in_folder(folder))
}

fn write_text(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| error.to_string())
}

fn halves(table: &Table) -> Vec<Table> {
    let (first, second) = table.rows.split_at(table.rows.len() / 2);
    let part = |rows: &[_]| Table { columns: table.columns.clone(), rows: rows.to_vec() };
    vec![part(first), part(second)]
}

/// Whether every column has a value from which a reader of JSON lines can see its type.
fn shows_its_types(table: &Table) -> bool {
    let shows_type = |cell: &Option<Cell>| match cell {
        None => false,
        Some(Cell::TextList(list)) => list.iter().any(Option::is_some),
        Some(Cell::NumberList(list)) => !list.is_empty(),
        Some(Cell::Integers(list)) => !list.is_empty(),
        // In JSON, these are integers and floats.
        Some(Cell::Unsigned(_) | Cell::Decimal(_)) => false,
        Some(Cell::Text(_) | Cell::Int(_) | Cell::Float(_)) => true,
    };
    (0..table.columns.len()).all(|column| table.rows.iter().any(|row| shows_type(&row.cells[column])))
        && !table.rows.is_empty()
}

/// The table without columns of some kinds that no rule uses.
fn without_unused(case: &Case, table: &Table, kinds: impl Fn(Kind) -> bool) -> Table {
    let uses = |name: &str| {
        let derives = case.job.derives.iter().map(|derive| &derive.expr);
        derives.chain(case.job.conditions()).any(|expr| expr.columns().iter().any(|(_, used)| *used == name))
    };
    let kept: Vec<bool> = table.columns.iter().map(|c| !kinds(c.kind) || uses(&c.name)).collect();
    let row = |row: &Row| Row { id: row.id.clone(), cells: kept_items(&row.cells, &kept) };
    Table { columns: kept_items(&table.columns, &kept), rows: table.rows.iter().map(row).collect() }
}

fn kept_items<T: Clone>(all: &[T], kept: &[bool]) -> Vec<T> {
    all.iter().zip(kept).filter(|(_, kept)| **kept).map(|(item, _)| item.clone()).collect()
}

/// The case with its numbers as texts, as a CSV file would hold them, and without lists that no rule uses.
pub fn as_texts(mut case: Case) -> Case {
    let whole = case.clone();
    for table in &mut case.tables {
        *table = without_unused(&whole, table, Kind::is_list);
        table.rows.iter_mut().flat_map(|row| &mut row.cells).flatten().for_each(to_text);
        table.columns.iter_mut().filter(|c| c.kind.is_number()).for_each(|c| c.kind = Kind::Text);
    }
    case
}

fn to_text(cell: &mut Cell) {
    match cell {
        Cell::Int(value) => *cell = Cell::Text(value.to_string()),
        Cell::Float(value) => *cell = Cell::Text(format!("{value:?}")),
        Cell::Unsigned(value) => *cell = Cell::Text(value.to_string()),
        Cell::Decimal(text) => *cell = Cell::Text(std::mem::take(text)),
        Cell::Text(_) | Cell::TextList(_) | Cell::NumberList(_) | Cell::Integers(_) => {}
    }
}
