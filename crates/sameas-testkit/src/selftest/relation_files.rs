//! Tuples as files, and files as tuples.

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sameas::{Format, Input};

use crate::program::{ColumnType, Tuple, Value};

/// Tuples as an input: a file in one of the formats, or batches in memory. The seed chooses.
pub fn input(name: &str, types: &[ColumnType], tuples: &[Tuple], seed: u64, folder: &Path) -> Result<Input, String> {
    let path = |ending: &str| folder.join(format!("{name}.{ending}"));
    match seed % 5 {
        0 => {
            let batch = batch(types, tuples)?;
            Input::batches(name, batch.schema(), vec![batch]).map_err(|error| error.to_string())
        }
        1 => write_parquet(&batch(types, tuples)?, &path("parquet")),
        // A file of JSON lines without lines has no columns.
        2 if !tuples.is_empty() => write_text(&path("jsonl"), &json_lines(tuples)),
        3 if !tuples.is_empty() => write_text(&path("facts"), &tab_lines(tuples)),
        _ => write_text(&path("csv"), &csv(types.len(), tuples)),
    }
}

/// The name of a column, as `Program::text` has it.
fn column(at: usize) -> String {
    format!("c{at}")
}

fn write_text(path: &Path, text: &str) -> Result<Input, String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Input::files([path]))
}

/// The tuples with a header, as CSV.
pub fn csv(columns: usize, tuples: &[Tuple]) -> String {
    let header: Vec<String> = (0..columns).map(column).collect();
    let mut text = header.join(",") + "\n";
    for tuple in tuples {
        let fields: Vec<String> = tuple.iter().map(csv_field).collect();
        text += &(fields.join(",") + "\n");
    }
    text
}

fn csv_field(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) if text.contains(['"', ',']) => format!("\"{}\"", text.replace('"', "\"\"")),
        Value::Text(text) => text.to_string(),
    }
}

/// The tuples without names, with tabs between values and no quotes, as Soufflé has them.
fn tab_lines(tuples: &[Tuple]) -> String {
    let field = |value: &Value| match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.to_string(),
    };
    let line = |tuple: &Tuple| tuple.iter().map(field).collect::<Vec<_>>().join("\t") + "\n";
    tuples.iter().map(line).collect()
}

fn json_lines(tuples: &[Tuple]) -> String {
    let mut lines = String::new();
    for tuple in tuples {
        let fields = tuple.iter().enumerate().map(|(at, value)| match value {
            Value::Number(number) => (column(at), serde_json::Value::from(*number)),
            Value::Text(text) => (column(at), serde_json::Value::from(&**text)),
        });
        // A map would sort its fields, which are in this order already.
        let _ = writeln!(lines, "{}", serde_json::Value::Object(fields.collect()));
    }
    lines
}

fn batch(types: &[ColumnType], tuples: &[Tuple]) -> Result<RecordBatch, String> {
    let array = |(at, kind): (usize, &ColumnType)| -> ArrayRef {
        let values = tuples.iter().map(|tuple| &tuple[at]);
        match kind {
            ColumnType::Number => Arc::new(values.map(whole).collect::<Int64Array>()),
            ColumnType::Text => Arc::new(values.map(text).collect::<StringArray>()),
        }
    };
    let arrays: Vec<ArrayRef> = types.iter().enumerate().map(array).collect();
    let field = |(at, array): (usize, &ArrayRef)| Field::new(column(at), array.data_type().clone(), true);
    let schema = Schema::new(arrays.iter().enumerate().map(field).collect::<Vec<_>>());
    RecordBatch::try_new(Arc::new(schema), arrays).map_err(|error| error.to_string())
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => i64::try_from(*number).ok(),
        Value::Text(_) => None,
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Number(_) => None,
        Value::Text(text) => Some(text),
    }
}

fn write_parquet(batch: &RecordBatch, path: &Path) -> Result<Input, String> {
    let written = || -> parquet::errors::Result<()> {
        let mut writer = ArrowWriter::try_new(File::create(path)?, batch.schema(), None)?;
        writer.write(batch)?;
        writer.close().map(drop)
    };
    written().map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Input::files([path]))
}

/// The tuples of a result file, whose columns have these types.
pub fn read(path: &Path, format: Format, types: &[ColumnType]) -> Result<Vec<Tuple>, String> {
    let rows = match format {
        Format::Parquet => parquet_rows(path)?,
        Format::Csv | Format::EscapedCsv => text_of(path)?.lines().skip(1).map(csv_row).collect(),
        Format::Json => text_of(path)?.lines().map(json_row).collect::<Result<_, _>>()?,
    };
    rows.into_iter().map(|row| tuple(&row, types)).collect()
}

fn tuple(row: &[String], types: &[ColumnType]) -> Result<Tuple, String> {
    if row.len() != types.len() {
        return Err(format!("{row:?} has not {} columns", types.len()));
    }
    let value = |(text, kind): (&String, &ColumnType)| match kind {
        ColumnType::Number => text.parse().map(Value::Number).map_err(|error| format!("{text}: {error}")),
        ColumnType::Text => Ok(Value::from(text.as_str())),
    };
    row.iter().zip(types).map(value).collect()
}

fn text_of(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The fields of a line: in quotes, a comma is a comma and two quotes are one.
fn csv_row(line: &str) -> Vec<String> {
    let (mut fields, mut quoted, mut before) = (vec![String::new()], false, ' ');
    for c in line.chars() {
        match c {
            '"' => {
                // The second of two quotes within quotes stands for one.
                if !quoted && before == '"' {
                    fields.last_mut().expect("there is one").push('"');
                }
                quoted = !quoted;
            }
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is one").push(c),
        }
        before = c;
    }
    fields
}

fn json_row(line: &str) -> Result<Vec<String>, String> {
    let row: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
    // Names of columns are in the order of the alphabet.
    row.values()
        .map(|value| match value {
            serde_json::Value::String(text) => Ok(text.clone()),
            serde_json::Value::Number(number) => Ok(number.to_string()),
            other => Err(format!("{line}: {other} is no id")),
        })
        .collect()
}

fn parquet_rows(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let shown = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| shown(&error))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
    let mut rows = Vec::new();
    for batch in reader.map_err(|error| shown(&error))? {
        let batch = batch.map_err(|error| shown(&error))?;
        let texts = batch.columns().iter().map(|column| cast(column, &DataType::Utf8));
        let texts = texts.collect::<Result<Vec<_>, _>>().map_err(|error| shown(&error))?;
        let texts: Option<Vec<&StringArray>> = texts.iter().map(|c| c.as_any().downcast_ref::<StringArray>()).collect();
        let texts = texts.ok_or_else(|| shown(&"not texts"))?;
        rows.extend((0..batch.num_rows()).map(|row| texts.iter().map(|c| c.value(row).to_owned()).collect::<Vec<_>>()));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_as_csv_is_read_again() {
        let tuples: Vec<Tuple> = [("a", "b"), ("a, b", "\"c\""), ("say \"no\", twice", "\"\"")]
            .map(|(a, b)| vec![Value::from(a), Value::from(b), Value::Number(7)])
            .into();
        let types = [ColumnType::Text, ColumnType::Text, ColumnType::Number];
        let text = csv(3, &tuples);
        let read: Result<Vec<Tuple>, String> = text.lines().skip(1).map(|line| tuple(&csv_row(line), &types)).collect();
        assert_eq!(read, Ok(tuples));
    }
}
