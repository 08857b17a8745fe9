//! A file that all threads read from one handle, each at its own place.

use std::fs::File;
use std::io::{self, BufReader};
use std::sync::Arc;

use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::reader::{ChunkReader, Length};
use bytes::Bytes;

use crate::file_at::{ReadFrom, read_at};

/// Bytes that are read at once where pages are read one after the other.
const BUFFER: usize = 64 << 10;

/// An open file. Clones share the handle, and reading moves no position that others could depend on.
#[derive(Clone, Debug)]
pub(super) struct SharedFile {
    file: Arc<File>,
    length: u64,
}

impl SharedFile {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), length })
    }

    /// The bytes at a place, fewer at the end of the file.
    pub(super) fn bytes_at(&self, at: u64, most: usize) -> io::Result<Vec<u8>> {
        let most = usize::try_from(self.length.saturating_sub(at)).unwrap_or(usize::MAX).min(most);
        let mut bytes = vec![0; most];
        read_at(&self.file, &mut bytes, at)?;
        Ok(bytes)
    }
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::with_capacity(BUFFER, ReadFrom { file: self.file.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let bytes = self.bytes_at(start, length)?;
        if bytes.len() < length {
            return Err(ParquetError::EOF(format!("{length} bytes at {start}, beyond the end of the file")));
        }
        Ok(bytes.into())
    }
}
