//! A file that is opened more than once and must be the same file in the same state each time.
//!
//! An input is read in two steps, and there may be more files than a process may keep open. So what identifies a file and
//! its state is noted when it is found and compared whenever it is opened again, and once more when all has been read: a
//! file that was replaced or written to meanwhile is an error, and never a mixture of two states.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::byte_source::unreadable;
use crate::error::{Error, Result};

/// A file to be opened.
#[derive(Debug)]
pub(in crate::records) struct InputFile {
    path: PathBuf,
    state: FileState,
    /// Removes the file, if it is a temporary one, when it is no longer needed.
    _spooled: Option<TempPath>,
}

/// Which file it is, and in which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileState {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
}

impl FileState {
    fn of(metadata: &Metadata) -> Self {
        let modified = (metadata.mtime(), metadata.mtime_nsec());
        Self { device: metadata.dev(), inode: metadata.ino(), size: metadata.size(), modified }
    }
}

impl InputFile {
    /// Notes the state of a file.
    pub(super) fn find(path: &Path) -> io::Result<Self> {
        let state = FileState::of(&File::open(path)?.metadata()?);
        Ok(Self { path: path.to_owned(), state, _spooled: None })
    }

    /// The same for a temporary file, which is removed with this value.
    pub(super) fn spooled(path: TempPath) -> io::Result<Self> {
        let found = Self::find(&path)?;
        Ok(Self { _spooled: Some(path), ..found })
    }

    /// Opens the file, if it is still the same.
    pub(super) fn open(&self, label: &str) -> Result<File> {
        let opened = File::open(&self.path).and_then(|file| Ok((FileState::of(&file.metadata()?), file)));
        let (state, file) = opened.map_err(|error| unreadable(label, &error))?;
        if state == self.state { Ok(file) } else { Err(changed(label)) }
    }

    /// An error if the path leads to another file, or to the same in another state. What has been read of a file that was
    /// only removed is whole.
    pub(super) fn check_unchanged(&self, label: &str) -> Result<()> {
        match std::fs::metadata(&self.path) {
            Ok(metadata) if FileState::of(&metadata) != self.state => Err(changed(label)),
            _ => Ok(()),
        }
    }
}

fn changed(label: &str) -> Error {
    Error::data(format!("{label}: the file changed while it was read"))
        .with_help("run again when nothing writes to it or replaces it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_replaced_or_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
        std::fs::write(&path, "id\n1\n").unwrap();
        std::fs::write(&other, "id\n2\n").unwrap();
        let file = InputFile::find(&path).unwrap();
        assert!(file.open("a.csv").is_ok() && file.check_unchanged("a.csv").is_ok());
        std::fs::rename(&other, &path).unwrap();
        let message = "a.csv: the file changed while it was read\n  help: run again when nothing writes to it or replaces it";
        assert_eq!(file.open("a.csv").unwrap_err().to_string(), message);
        assert_eq!(file.check_unchanged("a.csv").unwrap_err().to_string(), message);
        let file = InputFile::find(&path).unwrap();
        std::fs::write(&path, "id\n1\n2\n").unwrap();
        assert!(file.open("a.csv").is_err());
    }
}
