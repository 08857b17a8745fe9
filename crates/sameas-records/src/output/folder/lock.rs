//! One writer at a time: a lock on the folder itself, which the system releases however the process ends.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use crate::error::{Error, ErrorCode, Result};
use crate::output::fault::io_result;

/// A lock on a folder, as long as the value lives.
pub(super) struct FolderLock {
    /// The folder; on systems that cannot open one, a file in it.
    file: File,
}

impl FolderLock {
    /// Locks the folder at `path`, or says that another run has it. `None` where another run has removed or replaced the
    /// folder just now.
    pub fn take(path: &Path) -> Result<Option<Self>> {
        let file = match open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => io_result(file, "cannot open the output folder", path)?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(is_busy(path)),
            // Some network file systems have no locks. The results still appear in one step.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(Error::io("cannot lock the output folder", path, error)),
        }
        let lock = Self { file };
        Ok(lock.is_of(path).then_some(lock))
    }

    /// Whether the locked folder is still the one at `path`.
    pub fn is_of(&self, path: &Path) -> bool {
        matches!((self.file.metadata(), fs::metadata(path)), (Ok(own), Ok(there)) if is_same(&own, &there))
    }
}

impl Drop for FolderLock {
    /// Closing the folder is not enough: a process that another thread starts right now holds every open file until it
    /// runs its own program, and with the file its lock.
    fn drop(&mut self) {
        // The system releases it at the latest when the last holder has closed the file.
        let _ = self.file.unlock();
    }
}

fn is_busy(path: &Path) -> Error {
    Error::usage(format!("another run is writing into the output folder `{}`", path.display()))
        .with_code(ErrorCode::OutputBusy)
        .with_help("wait until it has ended, or choose another folder")
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(unix)]
fn is_same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    fs::OpenOptions::new().create(true).truncate(false).write(true).open(path.join(super::contents::LOCK))
}

#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_ends_with_the_value_though_another_process_still_has_the_file_open() {
        let folder = tempfile::tempdir().unwrap();
        let lock = FolderLock::take(folder.path()).unwrap().unwrap();
        assert_eq!(FolderLock::take(folder.path()).err().unwrap().code(), ErrorCode::OutputBusy);
        // A copy shares the lock, as in a process that was just started.
        let copy = lock.file.try_clone().unwrap();
        drop(lock);
        assert!(FolderLock::take(folder.path()).unwrap().is_some());
        drop(copy);
    }
}
