//! A file that is opened more than once and must be the same file in the same state each time.
//!
//! An input is read in two steps, and there may be more files than a process may keep open. So what identifies a file and
//! its state is noted when it is found and compared whenever it is opened again, and once more when all has been read: a
//! file that was replaced or written to meanwhile is an error, and never a mixture of two states.

use std::any::Any;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::byte_source::unreadable;
use crate::error::{Error, Result};

/// A file to be opened.
#[derive(Debug)]
pub(in crate::records) struct InputFile {
    path: PathBuf,
    state: FileState,
    /// What keeps the file, if it is a temporary one: it vanishes with this value.
    _spooled: Option<Box<dyn Any + Send + Sync>>,
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
    fn of(metadata: &Metadata) -> Self {
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
        let state = FileState::of(&File::open(path)?.metadata()?);
        Ok(Self { path: path.to_owned(), state, _spooled: None })
    }

    /// Keeps a stream in a temporary file without a name, which is left by no end of the process. The system knows it by its
    /// descriptor.
    #[cfg(target_os = "linux")]
    pub(super) fn spooled(stream: &mut impl Read) -> io::Result<Self> {
        use std::os::fd::AsRawFd;
        let mut file = tempfile::tempfile()?;
        io::copy(stream, &mut file)?;
        let found = Self::find(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd())))?;
        Ok(Self { _spooled: Some(Box::new(file)), ..found })
    }

    /// Keeps a stream in a temporary file.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn spooled(stream: &mut impl Read) -> io::Result<Self> {
        let mut file = tempfile::NamedTempFile::new()?;
        io::copy(stream, &mut file)?;
        let path = file.into_temp_path();
        let found = Self::find(&path)?;
        Ok(Self { _spooled: Some(Box::new(path)), ..found })
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
        let message =
            "a.csv: the file changed while it was read\n  help: run again when nothing writes to it or replaces it";
        assert_eq!(file.open("a.csv").unwrap_err().to_string(), message);
        assert_eq!(file.check_unchanged("a.csv").unwrap_err().to_string(), message);
        let file = InputFile::find(&path).unwrap();
        std::fs::write(&path, "id\n1\n2\n").unwrap();
        assert!(file.open("a.csv").is_err());
    }
}
