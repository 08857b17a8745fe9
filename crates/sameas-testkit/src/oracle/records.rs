//! Records as the rules see them: input columns and derived ones.

use super::coverage::Coverage;
use super::fault::Fault;
use super::interpret::Pair;
use super::neighbours::Ranks;
use super::value::Value;
use crate::case::{Case, Cell, JobKind, SOURCE_DATASET, Type};
use std::collections::BTreeMap;

/// A record with every column that rules can name.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The place in row order, earlier inputs before later ones.
    pub row: usize,
    /// The table it is from.
    pub table: usize,
    columns: BTreeMap<String, (Type, Value)>,
}

impl Record {
    /// A record by itself, with these columns.
    pub(super) fn with_columns(columns: BTreeMap<String, (Type, Value)>) -> Self {
        Record { columns, ..Record::default() }
    }

    /// The value of a column; null for a column that is nowhere.
    pub fn value_of(&self, name: &str) -> Value {
        self.columns.get(name).map_or(Value::Null, |(_, value)| value.clone())
    }

    /// The static type of a column.
    pub fn type_of(&self, name: &str) -> Type {
        self.columns.get(name).map_or(Type::Null, |(kind, _)| *kind)
    }
}

/// All records of a case, in row order; without a `fault`, an empty text is null.
pub fn records(case: &Case, fault: Option<Fault>) -> Vec<Record> {
    let mut records = Vec::new();
    for (table, data) in case.tables.iter().enumerate() {
        for row in 0..data.rows.len() {
            let mut columns = columns(case, table, row, fault);
            if case.has_sources() {
                columns.insert(SOURCE_DATASET.to_owned(), (Type::Text, Value::Text(case.source(table))));
            }
            records.push(Record { row: records.len(), table, columns });
        }
    }
    records
}

/// Whether a job compares two records.
pub fn is_compared(case: &Case, a: &Record, b: &Record) -> bool {
    case.job.kind != JobKind::Link || a.table != b.table
}

/// Whether the later of two records may be `l` as well.
pub fn has_back(case: &Case, a: &Record, b: &Record) -> bool {
    case.job.kind != JobKind::Link && a.table == b.table
}

/// Every column of one record; a derived column hides an input column of its name.
fn columns(case: &Case, table: usize, row: usize, fault: Option<Fault>) -> BTreeMap<String, (Type, Value)> {
    let inputs = case.tables[table].columns.iter().map(|column| &column.name);
    let derived = case.job.derives.iter().map(|derive| &derive.name);
    let known = derived.clone().filter(|name| case.derive_of(table, name).is_some());
    let names = inputs.chain(known).cloned();
    let mut columns: BTreeMap<String, (Type, Value)> =
        names.map(|name| (name.clone(), column(case, table, row, &name, None))).collect();
    if fault == Some(Fault::EmptyIsNotNull) {
        for (column, cell) in case.tables[table].columns.iter().zip(&case.tables[table].rows[row].cells) {
            if *cell == Some(Cell::Text(String::new())) && case.derive_of(table, &column.name).is_none() {
                columns.insert(column.name.clone(), (Type::Text, Value::Text(String::new())));
            }
        }
    }
    columns
}

/// One column of one record; `inside` is the derive being computed, whose own name means the input column.
fn column(case: &Case, table: usize, row: usize, name: &str, inside: Option<&str>) -> (Type, Value) {
    let kind = case.column_type(table, name, inside);
    let Some(derive) = case.derive_of(table, name).filter(|_| inside != Some(name)) else {
        let place = case.tables[table].column(name);
        let cell = place.and_then(|at| case.tables[table].rows[row].cells[at].as_ref());
        return (kind, Value::of_cell(cell));
    };
    let mut seen = Record::default();
    for (_, needed) in derive.expr.columns() {
        seen.columns.insert(needed.to_owned(), column(case, table, row, needed, Some(name)));
    }
    let pair = Pair { left: &seen, right: &seen, ranks: &Ranks::default(), fault: None };
    (kind, pair.value(&derive.expr, &mut Coverage::default()).or_null_if_empty())
}
