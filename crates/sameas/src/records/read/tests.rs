//! What can be read, in every format and packing, and what the errors say.

mod columns;
mod csv;
mod encodings;
mod errors;
mod json;
mod parquet;

use std::io::Write;
use std::path::PathBuf;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::array_value_to_string;
use arrow_schema::DataType;
use tempfile::TempDir;

use super::*;

/// A folder of files, removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn with(name: &str, content: impl AsRef<[u8]>) -> (Self, PathBuf) {
        let folder = Self::new();
        let path = folder.file(name, content);
        (folder, path)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The message without the folder's name.
    fn plain(&self, error: &Error) -> String {
        error.to_string().replace(&format!("{}/", self.0.path().display()), "")
    }
}

fn read_all(input: &Input) -> Result<Table> {
    let source = Source::open(input)?;
    let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
    source.read(&columns, &|_| {})
}

fn read_path(path: &PathBuf) -> Result<Table> {
    read_all(&Input::files([path]))
}

fn types(schema: &SchemaRef) -> Vec<(&str, &DataType)> {
    schema.fields().iter().map(|field| (field.name().as_str(), field.data_type())).collect()
}

/// All rows, values as text, nulls as `-`.
fn rows(table: &Table) -> Vec<Vec<String>> {
    let value = |column: &ArrayRef, row: usize| match column.is_null(row) {
        true => "-".to_owned(),
        false => array_value_to_string(column, row).unwrap(),
    };
    let of_batch = |batch: &RecordBatch| -> Vec<Vec<String>> {
        (0..batch.num_rows()).map(|row| batch.columns().iter().map(|column| value(column, row)).collect()).collect()
    };
    table.batches.iter().flat_map(of_batch).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}
