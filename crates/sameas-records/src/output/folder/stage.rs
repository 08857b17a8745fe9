//! Where results are written until they are complete: a folder with an unpredictable name, whose files are made
//! exclusively, so that no link or pipe is ever opened.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::contents::{CHECKPOINT, Contents, FileRecord, RECORD, UNFINISHED, names_in};
use super::lock::FolderLock;
use super::replace::is_replaceable;
use crate::error::{Error, Result};
use crate::output::fault::write_error;

/// Characters of a name that cannot be guessed.
const RANDOM: usize = 16;

/// A folder of results that are not complete.
pub(super) struct StagingFolder {
    pub path: PathBuf,
    /// Whether it can take the place of the output folder: it is next to it, and not in it.
    pub is_beside: bool,
    /// Nobody takes it for the remains of a killed run.
    _lock: FolderLock,
}

impl StagingFolder {
    /// A stage for the results of `folder`: next to it if it can take its place as a whole, else in it.
    pub fn create(folder: &Path) -> Result<Self> {
        let beside = if is_replaceable(folder, &Contents::read(folder)?) { Self::beside(folder) } else { None };
        match beside {
            Some(stage) => Ok(stage),
            None => {
                let path = make(folder, UNFINISHED).map_err(|error| write_error(folder, error))?;
                Self::locked(path, false)
            }
        }
    }

    /// A stage that can take the place of `folder`, where the system allows that.
    fn beside(folder: &Path) -> Option<Self> {
        let path = make(folder.parent()?, &prefix(folder)?).ok()?;
        if let Ok(stage) = Self::locked(path.clone(), true)
            && is_like(&path, folder)
        {
            return Some(stage);
        }
        let _ = fs::remove_dir(path);
        None
    }

    fn locked(path: PathBuf, is_beside: bool) -> Result<Self> {
        let gone = || Error::io("cannot write", &path, io::ErrorKind::NotFound.into());
        let lock = FolderLock::take(&path)?.ok_or_else(gone)?;
        Ok(Self { path, is_beside, _lock: lock })
    }

    /// Says which files will be in it, so that they are known for results whatever becomes of the run.
    pub fn announce(&self, names: &[String]) -> io::Result<()> {
        let files: Vec<FileRecord> = names.iter().map(|name| FileRecord::new(name, 0, 0)).collect();
        let record = serde_json::json!({ "version": crate::VERSION, "relations": [], "files": files });
        self.file(RECORD)?.write_all(record.to_string().as_bytes())
    }

    /// Takes back what was announced, before the record itself is written.
    pub fn forget_announced(&self) -> io::Result<()> {
        ignore_missing(fs::remove_file(self.path.join(RECORD)))
    }

    /// Begins the file that is to be called `name`.
    pub fn file(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.path.join(name))
    }
}

fn make(parent: &Path, prefix: &str) -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).rand_bytes(RANDOM);
    // As any other new folder, and not for its owner alone.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    Ok(builder.tempdir_in(parent)?.keep())
}

/// What the stages of an output folder are called that are next to it.
fn prefix(folder: &Path) -> Option<String> {
    Some(format!(".{}{UNFINISHED}", folder.file_name()?.to_str()?))
}

/// Gives a new folder the rights of the one it is to replace. Whether it then is like it: on the same disk, of the same
/// owner.
#[cfg(unix)]
fn is_like(new: &Path, folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let like = || {
        let old = fs::metadata(folder)?;
        fs::set_permissions(new, old.permissions())?;
        let new = fs::metadata(new)?;
        io::Result::Ok((new.dev(), new.uid(), new.gid()) == (old.dev(), old.uid(), old.gid()))
    };
    like().unwrap_or(false)
}

#[cfg(not(unix))]
fn is_like(_: &Path, _: &Path) -> bool {
    false
}

/// Removes what killed runs have left next to `folder` and in it. The caller has the folder's lock.
pub(super) fn remove_remains(folder: &Path, contents: &Contents) -> Result<()> {
    for path in contents.unfinished.iter().cloned().chain(remains_beside(folder)) {
        // A stage that is locked belongs to a run whose output folder was moved away while it ran.
        if FolderLock::take(&path).is_ok_and(|lock| lock.is_some()) {
            remove(&path).map_err(|error| Error::io("cannot remove what an earlier run has left in", &path, error))?;
        }
    }
    Ok(())
}

fn remains_beside(folder: &Path) -> Vec<PathBuf> {
    let (Some(parent), Some(prefix)) = (folder.parent(), prefix(folder)) else { return Vec::new() };
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let is_stage = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(prefix.as_str()));
        random.is_some_and(|random| random.len() == RANDOM) && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    entries.filter_map(io::Result::ok).filter(is_stage).map(|entry| entry.path()).collect()
}

/// Removes a stage, or an output folder that a stage has replaced: results and checkpoints only.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    for name in names_in(path) {
        ignore_missing(fs::remove_file(path.join(name)))?;
    }
    ignore_missing(fs::remove_dir_all(path.join(CHECKPOINT)))?;
    ignore_missing(fs::remove_dir(path))
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
