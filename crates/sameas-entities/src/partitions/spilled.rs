//! Rows in a temporary file without a name, which is left by no end of the process.

use std::fs::File;
use std::io::Cursor;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;

use super::{Error, Result, broken, read_at, write_at};

/// A temporary file with batches of rows.
pub struct SpilledRows {
    file: File,
    folder: PathBuf,
    end: u64,
}

impl SpilledRows {
    /// An empty file in a folder, or in that of the system.
    pub fn create(folder: Option<&Path>) -> Result<Self> {
        let made = folder.map_or_else(tempfile::tempfile, tempfile::tempfile_in);
        let folder = folder.unwrap_or_else(|| Path::new("the folder for temporary files"));
        let file = made.map_err(|error| Error::io("cannot make a temporary file in", folder, error))?;
        Ok(Self { file, folder: folder.to_owned(), end: 0 })
    }

    /// Appends a batch; gives the place that it is read from.
    pub fn append(&mut self, batch: &RecordBatch) -> Result<Range<u64>> {
        let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).map_err(|error| broken(&error))?;
        let written = writer.write(batch).and_then(|()| writer.into_inner());
        let bytes = written.map_err(|error| broken(&error))?;
        let start = self.end;
        write_at(&self.file, &bytes, start).map_err(|error| Error::io("cannot write", &self.folder, error))?;
        self.end += bytes.len() as u64;
        Ok(start..self.end)
    }

    /// The batch at a place.
    pub fn read(&self, place: &Range<u64>) -> Result<RecordBatch> {
        let mut bytes = vec![0; (place.end - place.start) as usize];
        read_at(&self.file, &mut bytes, place.start)
            .map_err(|error| Error::io("cannot read a temporary file in", &self.folder, error))?;
        let mut reader = StreamReader::try_new(Cursor::new(bytes), None).map_err(|error| broken(&error))?;
        let batch = reader.next().ok_or_else(|| Error::internal("a temporary file ends early"))?;
        batch.map_err(|error| broken(&error))
    }
}
