//! One file of results: written under another name next to its place, and moved there, in one step, when it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::TempPath;

use super::fault::{io_result, write_error};
use super::replaced::replaced_input;
use crate::error::{Error, ErrorCode, Result};
use crate::records::Input;

/// Characters of a name that cannot be guessed.
const RANDOM: usize = 16;

/// What a killed run has left is removed when it is this old: a younger file may be about to be locked.
const REMAINS_AFTER: Duration = Duration::from_secs(60);

/// A file for one table of results. Dropped without [`finish`](Self::finish), it leaves nothing behind.
pub struct ResultFile {
    file: File,
    target: PathBuf,
    overwrite: bool,
    partial: PartialFile,
}

/// What a [`ResultFile`] has begun and not finished: for a program that has to end at once.
#[derive(Clone)]
pub struct PartialFile(Arc<Mutex<Option<TempPath>>>);

impl ResultFile {
    /// The file that is to be at `path`, in a folder that is there. A file that is there already is refused without
    /// `overwrite`, and anything but a plain file always is.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self> {
        let earlier = check(path, overwrite)?;
        let folder = folder_of(path);
        remove_remains(&folder, &prefix(path));
        let made =
            make(&folder, &prefix(path)).map_err(|error| Error::io("cannot write into the folder", &folder, error))?;
        let (file, temporary) = made.into_parts();
        // The system releases it however the process ends. Some network file systems have no locks.
        let _ = file.try_lock();
        if let Some(earlier) = earlier {
            io_result(file.set_permissions(earlier.permissions()), "cannot write", path)?;
        }
        let partial = PartialFile(Arc::new(Mutex::new(Some(temporary))));
        Ok(Self { file, target: path.to_owned(), overwrite, partial })
    }

    /// Refuses to replace one of these inputs, or of other files that are read.
    pub fn protect_inputs(&self, inputs: &[Input]) -> Result<()> {
        replaced_input(std::slice::from_ref(&self.target), inputs).map_or(Ok(()), |path| {
            Err(Error::usage(format!("`{}` is an input, and would be replaced by the output", path.display()))
                .with_code(ErrorCode::OutputIsInput)
                .with_help("choose another name for the output"))
        })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.target
    }

    /// What is begun and not finished.
    pub fn partial(&self) -> PartialFile {
        self.partial.clone()
    }

    /// Brings everything to the disk, and the file to its place.
    pub fn finish(self) -> Result<()> {
        self.file.sync_all().map_err(|error| write_error(&self.target, error))?;
        let Some(temporary) = self.partial.lock().take() else { return Err(Error::cancelled()) };
        let moved = match self.overwrite {
            true => temporary.persist(&self.target),
            false => temporary.persist_noclobber(&self.target),
        };
        moved.map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => exists(&self.target),
            _ => write_error(&self.target, error.error),
        })?;
        sync(&folder_of(&self.target)).map_err(|error| write_error(&self.target, error))
    }
}

impl Write for ResultFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for ResultFile {
    fn drop(&mut self) {
        self.partial.remove();
    }
}

impl PartialFile {
    /// Removes what is not finished; it cannot be finished after that. False where it was complete already.
    pub fn remove(&self) -> bool {
        self.lock().take().is_some_and(|temporary| {
            // There is no caller to report it to; a later run removes it.
            let _ = temporary.close();
            true
        })
    }

    fn lock(&self) -> MutexGuard<'_, Option<TempPath>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses what must not be replaced. Gives the state of the file that will be.
fn check(path: &Path, overwrite: bool) -> Result<Option<fs::Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => Err(Error::usage(format!("the output file `{}` is a folder", path.display()))),
        Ok(there) if !there.is_file() => {
            Err(Error::usage(format!("the output file `{}` is there and is not a plain file", path.display()))
                .with_help("choose another name, or write to standard output"))
        }
        Ok(_) if !overwrite => Err(exists(path)),
        Ok(there) => Ok(Some(there)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("cannot write", path, error)),
    }
}

fn exists(path: &Path) -> Error {
    Error::usage(format!("the output file `{}` is there already", path.display()))
        .with_code(ErrorCode::OutputNotEmpty)
        .with_help("choose another name, or overwrite it")
}

fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// What begins the name of the file until it is complete.
fn prefix(path: &Path) -> String {
    format!(".{}.sameas-", path.file_name().unwrap_or_default().to_string_lossy())
}

fn make(folder: &Path, prefix: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).rand_bytes(RANDOM);
    // As any other new file, and not for its owner alone.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Removes what killed runs have left, as far as that is possible.
fn remove_remains(folder: &Path, prefix: &str) {
    let is_left = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(prefix));
        let Some(file) = random.filter(|random| random.len() == RANDOM).and_then(|_| entry.metadata().ok()) else {
            return false;
        };
        let is_old = file.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > REMAINS_AFTER));
        file.is_file() && is_old && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
    };
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(io::Result::ok);
    entries.filter(is_left).for_each(|entry| drop(fs::remove_file(entry.path())));
}

/// Makes the new name last through a power failure, where folders can be synced.
fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_finished_and_never_in_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut file = ResultFile::create(&path, false).unwrap();
        file.write_all(b"one").unwrap();
        assert!(!path.exists() && names(folder.path()).len() == 1);
        drop(file);
        assert!(names(folder.path()).is_empty());
        let mut file = ResultFile::create(&path, false).unwrap();
        file.write_all(b"two").unwrap();
        file.finish().unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"two".to_vec(), vec!["a.csv".to_owned()]));
        let message = ResultFile::create(&path, false).err().unwrap().to_string();
        let shown = path.display();
        assert_eq!(
            message,
            format!("the output file `{shown}` is there already\n  help: choose another name, or overwrite it")
        );
        let mut file = ResultFile::create(&path, true).unwrap();
        file.write_all(b"three").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let partial = file.partial();
        file.finish().unwrap();
        assert_eq!((fs::read(&path).unwrap(), partial.remove()), (b"three".to_vec(), false));
    }

    #[test]
    fn a_file_that_comes_meanwhile_is_not_replaced_and_one_that_was_cancelled_does_not_appear() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let file = ResultFile::create(&path, false).unwrap();
        fs::write(&path, "mine").unwrap();
        assert_eq!(file.finish().unwrap_err().code(), ErrorCode::OutputNotEmpty);
        assert_eq!((fs::read(&path).unwrap(), names(folder.path()).len()), (b"mine".to_vec(), 1));
        let file = ResultFile::create(&path, true).unwrap();
        assert!(file.partial().remove());
        assert_eq!(file.finish().unwrap_err().code(), ErrorCode::Cancelled);
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    fn inputs_and_what_is_no_plain_file_are_safe() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "id\n").unwrap();
        let file = ResultFile::create(&path, true).unwrap();
        let error = file.protect_inputs(&[Input::files([&path])]).unwrap_err();
        assert!(error.message().ends_with("a.csv` is an input, and would be replaced by the output"), "{error}");
        assert!(ResultFile::create(folder.path(), true).err().unwrap().message().ends_with("is a folder"));
        #[cfg(unix)]
        {
            let link = folder.path().join("b.csv");
            std::os::unix::fs::symlink(&path, &link).unwrap();
            let error = ResultFile::create(&link, true).err().unwrap();
            assert!(error.message().ends_with("b.csv` is there and is not a plain file"), "{error}");
        }
        let nowhere = ResultFile::create(&folder.path().join("no/a.csv"), false).err().unwrap();
        assert!(nowhere.message().starts_with("cannot write into the folder"), "{nowhere}");
    }

    #[test]
    fn what_a_killed_run_has_left_is_removed_when_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let [old, young] = ["0123456789abcdef", "0123456789abcdeg"].map(|end| folder.path().join(prefix(&path) + end));
        for left in [&old, &young] {
            fs::write(left, "").unwrap();
        }
        File::options().write(true).open(&old).unwrap().set_modified(SystemTime::now() - REMAINS_AFTER * 2).unwrap();
        drop(ResultFile::create(&path, false).unwrap());
        assert!(!old.exists() && young.exists());
    }
}
