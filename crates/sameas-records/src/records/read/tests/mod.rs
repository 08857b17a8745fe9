//! What can be read, in every format and packing, and what the errors say.

mod columns;
mod csv;
mod encodings;
mod errors;
mod json;
mod parquet;
mod passed;

use std::io::Write;
use std::path::PathBuf;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::array_value_to_string;
use arrow_schema::{DataType, SchemaRef};
use tempfile::TempDir;

use super::blocks::BLOCK_BYTES;
use super::byte_source::{ByteSource, unpacked};
use super::files::part_of;
use super::reading::Reading;
use super::spooled_bytes::SpooledBytes;
use super::*;
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::records::encoding::TextEncoding;
use crate::records::read_options::TextOptions;
use crate::records::{Input, Table};

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
    let source = input.open()?;
    let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
    source.read(&columns, &|_| {})
}

fn read_path(path: &PathBuf) -> Result<Table> {
    read_all(&Input::files([path]))
}

/// The rows of a stream, which are the same when it is opened again.
fn rows_of_stream(bytes: &[u8], encoding: Option<&str>) -> Vec<Vec<String>> {
    let encoding = encoding.map(|name| TextEncoding::named(name).unwrap());
    let stream = SpooledBytes::new(unpacked(std::io::Cursor::new(bytes.to_vec())).unwrap()).unwrap();
    let read = || {
        let (place, format) = ByteSource::of_stream("<stdin>".to_owned(), stream.clone(), None, encoding).unwrap();
        let budget = MemoryBudget::unlimited();
        let reading = Reading::new(1, BLOCK_BYTES, &budget, &|_| {});
        let part = part_of(place, format, TextOptions::default(), &reading).unwrap();
        let source = OpenSource::new("stdin", vec![part]).unwrap();
        let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
        rows(&source.read(&columns, &|_| {}).unwrap())
    };
    let first = read();
    assert_eq!(read(), first);
    first
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
