//! A file that is opened more than once and must be the same file in the same state each time.
//!
//! An input is read in two steps, and there may be more files than a process may keep open. So what identifies a file and
//! its state is noted when it is found and compared whenever it is opened again, and once more when all has been read: a
//! file that was replaced or written to meanwhile is an error, and never a mixture of two states.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::byte_source::{StoredBytes, Stream, unpacked, unreadable};
use crate::error::{Error, Result};

/// A file to be opened.
#[derive(Debug)]
pub(in crate::records) struct InputFile {
    path: PathBuf,
    state: FileState,
}

/// Which file it is, and in which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileState {
    /// The disk and the number of the file on it, where the system has these.
    file: (u64, u64),
    size: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    fn from_metadata(metadata: &Metadata) -> Self {
        Self { file: identity(metadata), size: metadata.len(), modified: metadata.modified().ok() }
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

impl InputFile {
    /// Notes the state of a file.
    pub(super) fn find(path: &Path) -> io::Result<Self> {
        let state = FileState::from_metadata(&File::open(path)?.metadata()?);
        Ok(Self { path: path.to_owned(), state })
    }
}

impl StoredBytes for InputFile {
    fn unpacked(&self, label: &str) -> Result<Stream> {
        unpacked(self.file(label)?).map_err(|error| unreadable(label, &error))
    }

    fn file(&self, label: &str) -> Result<File> {
        let opened = File::open(&self.path).and_then(|file| Ok((FileState::from_metadata(&file.metadata()?), file)));
        let (state, file) = opened.map_err(|error| unreadable(label, &error))?;
        if state == self.state { Ok(file) } else { Err(changed(label)) }
    }

    /// What has been read of a file that was only removed is whole.
    fn check_unchanged(&self, label: &str) -> Result<()> {
        match std::fs::metadata(&self.path) {
            Ok(metadata) if FileState::from_metadata(&metadata) != self.state => Err(changed(label)),
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
        assert!(file.file("a.csv").is_ok() && file.check_unchanged("a.csv").is_ok());
        std::fs::rename(&other, &path).unwrap();
        let message =
            "a.csv: the file changed while it was read\n  help: run again when nothing writes to it or replaces it";
        assert_eq!(file.file("a.csv").unwrap_err().to_string(), message);
        assert_eq!(file.check_unchanged("a.csv").unwrap_err().to_string(), message);
        let file = InputFile::find(&path).unwrap();
        std::fs::write(&path, "id\n1\n2\n").unwrap();
        assert!(file.file("a.csv").is_err());
    }
}
