//! Record batches that come once, and can be read from the beginning as often as needed: what has come of them is kept in a
//! temporary file without a name, which is left by no end of the process.
//!
//! Whoever reads first takes the batches as they come. Others read the file, and go on with the stream where the file ends.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Fields, Schema, SchemaRef};
use arrow_select::concat::concat;

use super::batches::schema_difference;
use crate::error::{Error, Result};
use crate::file_at::{ReadFrom, write_at};

/// A batch, or why it does not come.
type NextBatch = std::result::Result<RecordBatch, ArrowError>;

/// A stream of batches, and what has come of it.
#[derive(Clone)]
pub(in crate::records) struct SpooledBatches {
    schema: SchemaRef,
    spool: Arc<Mutex<BatchSpool>>,
}

struct BatchSpool {
    schema: SchemaRef,
    /// The stream, until its end.
    stream: Option<Box<dyn RecordBatchReader + Send>>,
    /// The file, once a batch has come, and what writes to it until the end.
    file: Option<Arc<File>>,
    writer: Option<StreamWriter<BufWriter<FileEnd>>>,
    /// Batches that have come.
    came: usize,
    /// Why what has come is not in the file, where it is not.
    lost: Option<String>,
    /// How the stream has failed.
    failed: Option<String>,
}

impl SpooledBatches {
    /// Keeps what comes of a stream.
    pub(in crate::records) fn new(stream: Box<dyn RecordBatchReader + Send>) -> Self {
        let schema = stream.schema();
        let spool = BatchSpool {
            schema: schema.clone(),
            stream: Some(stream),
            file: None,
            writer: None,
            came: 0,
            lost: None,
            failed: None,
        };
        Self { schema, spool: Arc::new(Mutex::new(spool)) }
    }

    /// The columns.
    pub(in crate::records) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Whether it can be read from the beginning.
    pub(in crate::records) fn is_kept(&self) -> bool {
        self.lock().lost.is_none()
    }

    /// The columns at these places, from the beginning.
    pub(in crate::records) fn read_from_start(&self, columns: &[usize]) -> Result<SpooledPass> {
        let schema = self.schema.project(columns).map_err(|error| Error::internal(error.to_string()))?;
        let columns = columns.to_vec();
        Ok(SpooledPass { batches: self.clone(), columns, schema: Arc::new(schema), at: 0, replay: None })
    }

    fn lock(&self) -> MutexGuard<'_, BatchSpool> {
        self.spool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for SpooledBatches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a stream of batches")
    }
}

impl BatchSpool {
    /// The next batch of the stream, which goes into the file too.
    fn next(&mut self) -> Option<NextBatch> {
        if let Some(failed) = &self.failed {
            return Some(Err(ArrowError::ExternalError(failed.clone().into())));
        }
        let next = self.stream.as_mut()?.next();
        let fitting = |batch: RecordBatch| match schema_difference(&batch, &self.schema) {
            Some(what) => Err(ArrowError::SchemaError(what)),
            None => Ok(batch),
        };
        match next.map(|next| next.and_then(fitting)) {
            Some(Ok(batch)) => {
                self.keep(&batch);
                Some(Ok(batch))
            }
            Some(Err(error)) => {
                self.failed = Some(match &error {
                    ArrowError::ExternalError(inner) => inner.to_string(),
                    other => other.to_string(),
                });
                Some(Err(error))
            }
            None => {
                (self.stream, self.writer) = (None, None);
                None
            }
        }
    }

    /// A full disk is no reason to stop whoever reads first.
    fn keep(&mut self, batch: &RecordBatch) {
        self.came += 1;
        if self.lost.is_some() {
            return;
        }
        self.lost = self.write(batch).err().map(|error| error.to_string());
    }

    fn write(&mut self, batch: &RecordBatch) -> std::result::Result<(), ArrowError> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let file = Arc::new(tempfile::tempfile()?);
                let end = FileEnd { file: Arc::clone(&file), at: 0 };
                self.file = Some(file);
                // Which columns have nulls is not looked at before they are read.
                let nullable = self.schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true));
                let schema = Schema::new(nullable.collect::<Fields>());
                self.writer.insert(StreamWriter::try_new_buffered(end, &schema)?)
            }
        };
        writer.write(&with_columns(batch, |column| Ok(without_others(column)))?)?;
        writer.flush()
    }
}

/// The same batch with other columns of the same types.
fn with_columns(
    batch: &RecordBatch,
    column: impl Fn(&ArrayRef) -> std::result::Result<ArrayRef, ArrowError>,
) -> NextBatch {
    let columns = batch.columns().iter().map(column).collect::<std::result::Result<Vec<_>, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(batch.schema(), columns, &options)
}

/// Views without the texts of other batches, of which a whole column may be one buffer: each batch would be written with all
/// of them.
fn without_others(column: &ArrayRef) -> ArrayRef {
    match column.data_type() {
        DataType::Utf8View => Arc::new(column.as_string_view().gc()),
        DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
        _ => column.clone(),
    }
}

/// A column in memory of its own: what is read from a file shares one buffer with all columns of its batch, which would stay
/// as long as one of them.
fn in_own_memory(column: &ArrayRef) -> std::result::Result<ArrayRef, ArrowError> {
    match column.data_type() {
        DataType::Utf8View | DataType::BinaryView => Ok(without_others(column)),
        _ => concat(&[column.as_ref(), column.slice(0, 0).as_ref()]),
    }
}

/// One pass over the batches.
pub(in crate::records) struct SpooledPass {
    batches: SpooledBatches,
    columns: Vec<usize>,
    schema: SchemaRef,
    /// Batches that it has given.
    at: usize,
    /// What reads the file, and the number of batches that it has read.
    replay: Option<(StreamReader<BufReader<ReadFrom>>, usize)>,
}

impl SpooledPass {
    /// The batch at its place, which others have taken from the stream before.
    fn next_of_file(&mut self, file: Arc<File>) -> NextBatch {
        let (reader, read) = match &mut self.replay {
            Some(replay) => replay,
            None => {
                let start = ReadFrom { file, at: 0 };
                self.replay.insert((StreamReader::try_new_buffered(start, None)?, 0))
            }
        };
        loop {
            let batch = reader.next().unwrap_or_else(|| Err(ends_early()))?;
            *read += 1;
            if *read > self.at {
                return with_columns(&batch.project(&self.columns)?, in_own_memory);
            }
        }
    }
}

fn ends_early() -> ArrowError {
    ArrowError::IpcError("the temporary file that keeps the batches ends early".to_owned())
}

fn not_kept(lost: &str) -> ArrowError {
    let error = Error::resource(format!("the batches come only once, and were not kept in a temporary file: {lost}"))
        .with_help("free some space for temporary files, or give files or batches in memory");
    ArrowError::ExternalError(Box::new(error))
}

impl Iterator for SpooledPass {
    type Item = NextBatch;

    fn next(&mut self) -> Option<NextBatch> {
        let mut spool = self.batches.lock();
        let batch = if spool.came == self.at {
            spool.next()?.and_then(|batch| batch.project(&self.columns))
        } else {
            let file = match (&spool.lost, &spool.file) {
                (None, Some(file)) => Arc::clone(file),
                (lost, _) => return Some(Err(not_kept(lost.as_deref().unwrap_or("there is no file")))),
            };
            drop(spool);
            self.next_of_file(file)
        };
        self.at += usize::from(batch.is_ok());
        Some(batch)
    }
}

impl RecordBatchReader for SpooledPass {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// Writes to the end of a file.
struct FileEnd {
    file: Arc<File>,
    at: u64,
}

impl Write for FileEnd {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write_at(&self.file, bytes, self.at)?;
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int8Type;
    use arrow_array::{DictionaryArray, Int64Array, RecordBatchIterator, StringArray, StringViewArray};

    use super::*;

    /// Slices of one batch with columns of several layouts, each with its own dictionary.
    fn batches() -> Vec<RecordBatch> {
        let text = |at: usize| format!("{at} {}", "x".repeat(1_000));
        let views: ArrayRef = Arc::new(StringViewArray::from_iter_values((0..90).map(text)));
        let of_batch = |at: usize| {
            let words = [Some("a"), None, Some(["b", "c", "d"][at % 3])];
            let columns: [(&str, ArrayRef); 4] = [
                ("id", Arc::new(Int64Array::from_iter_values((0..30).map(|row| (at * 30 + row) as i64)))),
                ("view", views.slice(at * 30, 30)),
                ("word", Arc::new((0..30).map(|row| words[row % 3]).collect::<DictionaryArray<Int8Type>>())),
                ("text", Arc::new((0..30).map(|row| (row % 4 > 0).then_some("x")).collect::<StringArray>())),
            ];
            RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap()
        };
        (0..3).map(of_batch).collect()
    }

    fn spooled(batches: Vec<NextBatch>, schema: SchemaRef) -> SpooledBatches {
        SpooledBatches::new(Box::new(RecordBatchIterator::new(batches, schema)))
    }

    #[test]
    fn passes_read_the_same_wherever_others_are() {
        let whole = batches();
        let spooled = spooled(whole.iter().cloned().map(Ok).collect(), whole[0].schema());
        let columns = [3, 1, 2, 0];
        let expected: Vec<RecordBatch> = whole.iter().map(|batch| batch.project(&columns).unwrap()).collect();
        let mut first = spooled.read_from_start(&columns).unwrap();
        assert_eq!(first.next().unwrap().unwrap(), expected[0]);
        // It goes beyond the first, which reads the rest from the file.
        for pass in [spooled.read_from_start(&columns).unwrap(), spooled.read_from_start(&columns).unwrap()] {
            assert_eq!(pass.map(std::result::Result::unwrap).collect::<Vec<_>>(), expected);
        }
        assert_eq!(first.map(std::result::Result::unwrap).collect::<Vec<_>>(), expected[1..]);
        assert!(spooled.is_kept());
    }

    /// Each batch is written with its own texts alone, and what is read again has no memory of other columns.
    #[test]
    fn batches_are_kept_without_what_is_not_theirs() {
        let whole = batches();
        let spooled = spooled(whole.iter().cloned().map(Ok).collect(), whole[0].schema());
        assert_eq!(spooled.read_from_start(&[0]).unwrap().count(), 3);
        let file = spooled.lock().file.clone().unwrap();
        assert!(file.metadata().unwrap().len() < 150_000, "{} bytes", file.metadata().unwrap().len());
        let again = spooled.read_from_start(&[0]).unwrap().next().unwrap().unwrap();
        assert!(again.get_array_memory_size() < 1_000, "{} bytes", again.get_array_memory_size());
    }

    #[test]
    fn a_stream_that_fails_does_so_each_time() {
        let whole = batches();
        let failing = || Err(ArrowError::ExternalError("the line is dead".into()));
        let spooled = spooled(vec![Ok(whole[0].clone()), failing(), Ok(whole[1].clone())], whole[0].schema());
        for _ in 0..2 {
            let mut pass = spooled.read_from_start(&[0]).unwrap();
            assert_eq!(pass.next().unwrap().unwrap().num_rows(), 30);
            assert_eq!(pass.next().unwrap().unwrap_err().to_string(), "External error: the line is dead");
        }
    }

    #[test]
    fn a_batch_with_other_columns_is_an_error() {
        let whole = batches();
        let spooled = spooled(vec![Ok(whole[0].project(&[0]).unwrap())], whole[0].schema());
        let error = spooled.read_from_start(&[0]).unwrap().next().unwrap().unwrap_err().to_string();
        assert!(error.contains("a batch has the columns id (Int64), and the schema says id (Int64), view"), "{error}");
    }

    #[test]
    fn what_was_not_kept_is_read_once_and_then_an_error() {
        let whole = batches();
        let spooled = spooled(whole.iter().cloned().map(Ok).collect(), whole[0].schema());
        let mut first = spooled.read_from_start(&[0]).unwrap();
        assert!(first.next().unwrap().is_ok());
        spooled.lock().lost = Some("the disk is full".into());
        assert_eq!(first.filter(std::result::Result::is_ok).count(), 2);
        assert!(!spooled.is_kept());
        let error = spooled.read_from_start(&[0]).unwrap().next().unwrap().unwrap_err().to_string();
        assert!(error.contains("were not kept in a temporary file: the disk is full"), "{error}");
    }
}
