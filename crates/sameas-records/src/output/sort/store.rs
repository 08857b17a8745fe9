//! Where the bytes of a run are: in memory, or in a temporary file read from many threads at once.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::run::{Index, SortedRun};
use crate::error::{Error, Result};
use crate::file_at::{read_at, write_at};
use crate::output::fault::write_error;

/// The packed bytes of a run.
pub enum Store {
    /// Bytes in memory.
    Memory(Box<[u8]>),
    /// Bytes in a file, from an offset on.
    File(Arc<Spilled>, u64),
}

/// A file that holds runs. A temporary one has no name: it vanishes when the last run in it is dropped, and also when the
/// process is killed.
pub struct Spilled {
    file: File,
    dir: PathBuf,
}

impl Spilled {
    /// A file whose path messages name.
    pub fn new(file: File, path: &Path) -> Self {
        Self { file, dir: path.to_path_buf() }
    }

    /// Fills `buffer` from an offset on.
    pub fn read(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        read_at(&self.file, buffer, offset)
    }
}

/// A temporary file that one worker appends its runs to.
pub struct SpillFile {
    spilled: Arc<Spilled>,
    end: u64,
}

impl SpillFile {
    /// An empty file in `dir`, or in the system's folder for temporary files.
    pub fn create(dir: Option<&Path>) -> Result<Self> {
        let made = dir.map_or_else(tempfile::tempfile, tempfile::tempfile_in);
        let dir = dir.unwrap_or_else(|| Path::new("the folder for temporary files"));
        let file = made.map_err(|error| {
            Error::io("cannot make a temporary file in", dir, error).with_help(
                "pairs that do not fit the memory limit are sorted there; raise the limit or choose another folder",
            )
        })?;
        Ok(Self { spilled: Arc::new(Spilled { file, dir: dir.to_path_buf() }), end: 0 })
    }

    /// Appends a packed run.
    pub fn append(&mut self, index: Index, packed: &[u8]) -> Result<SortedRun> {
        let start = self.end;
        write_at(&self.spilled.file, packed, start).map_err(|error| write_error(&self.spilled.dir, error))?;
        self.end += packed.len() as u64;
        Ok(SortedRun::new(index, Store::File(Arc::clone(&self.spilled), start)))
    }
}

impl Store {
    /// The bytes of `range`, through `buffer` where they have to be fetched.
    pub fn read<'a>(&'a self, range: Range<u64>, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        match self {
            Self::Memory(bytes) => Ok(&bytes[range.start as usize..range.end as usize]),
            Self::File(spilled, start) => {
                buffer.resize((range.end - range.start) as usize, 0);
                read_at(&spilled.file, buffer, start + range.start)
                    .map_err(|error| Error::io("cannot read a temporary file in", &spilled.dir, error))?;
                Ok(buffer)
            }
        }
    }
}
