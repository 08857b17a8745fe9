//! The output folder: one run at a time writes into it, and its results appear together, in one step, or not at all.
//!
//! - `lock`: one writer at a time;
//! - `contents`: what is in the folder, and whether it may be replaced;
//! - `stage`: where results are written until they are complete;
//! - `replace`: the step in which they become visible.
//!
//! What must hold:
//!
//! - The folder itself is locked (`flock`), so nothing has to be removed when a process is killed. A second run is
//!   refused.
//! - Files are made exclusively in a *staging folder* next to the output folder, and are synced to the disk there.
//! - Staging folder and output folder change places (`renameat2` with `RENAME_EXCHANGE`), and what was there before is
//!   removed. A kill leaves all of the earlier results or all of the new ones. `replace` has the way for folders that
//!   cannot be exchanged.
//! - `run.json` names the files of its run with size and hash. Overwriting replaces only these: a file that merely has
//!   the name of a result, was changed since, or is an input of the run, is an error.
//! - What a killed run has left is recognised by its name, and by the lock that nobody holds, and removed by the next
//!   run.

mod contents;
mod lock;
mod replace;
mod stage;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use xxhash_rust::xxh3::Xxh3;

use self::contents::Contents;
use self::lock::FolderLock;
use self::stage::StagingFolder;
use super::fault::{io_result, write_error};
use super::replaced::replaced_input;
use crate::error::{Error, ErrorCode, Result};
use crate::records::Input;

pub use self::contents::FileRecord;
pub use self::replace::current;

/// How often a folder is made that other runs, which end just then, remove again.
const ATTEMPTS: usize = 1000;

/// A folder for results, locked against other runs. They are written under another name until
/// `Run::write` has all of them. Dropped without that, it removes what was written, and itself if it
/// is new and has no checkpoint.
pub struct OutputFolder {
    path: PathBuf,
    partial: PartialResults,
    lock: FolderLock,
}

/// What an [`OutputFolder`] has begun and not finished.
#[derive(Clone, Default)]
pub struct PartialResults(Arc<Mutex<Partial>>);

#[derive(Default)]
struct Partial {
    stage: Option<StagingFolder>,
    /// Folders made for this one, outermost first.
    made: Vec<PathBuf>,
    /// Nothing is begun any more.
    ended: bool,
}

/// A file of an output folder.
pub struct OutputFile {
    file: File,
    name: String,
    path: PathBuf,
    bytes: u64,
    hash: Box<Xxh3>,
}

impl OutputFolder {
    /// The folder at `path`, made if it is not there. A folder with something in it is refused without `overwrite`;
    /// with it, the results of an earlier run are replaced, and other files are left alone. What a killed run has left is
    /// removed, but for a checkpoint.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self> {
        let gone = || Error::io("cannot make the output folder", path, io::ErrorKind::NotFound.into());
        let locked = (0..ATTEMPTS).find_map(|_| Self::locked(path).transpose());
        let folder = locked.unwrap_or_else(|| Err(gone()))?;
        // Dropped on an error, the folder removes what it has made.
        folder.check(overwrite)?;
        Ok(folder)
    }

    /// The folder, made and locked. `None` where another run that ended just now has removed or replaced it; nothing is
    /// removed where another run has it, even if it was made here.
    fn locked(path: &Path) -> Result<Option<Self>> {
        let Some(made) = make_folders(path)? else { return Ok(None) };
        let path = match path.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => io_result(found, "cannot open the output folder", path)?,
        };
        let Some(lock) = FolderLock::take(&path)? else { return Ok(None) };
        let partial = PartialResults(Arc::new(Mutex::new(Partial { made, ..Partial::default() })));
        Ok(Some(Self { path, partial, lock }))
    }

    /// Refuses a folder in which one of these inputs, or another file that is read, has the name of a result.
    pub fn protect_inputs(&self, inputs: &[Input]) -> Result<()> {
        let results = Contents::read(&self.path)?.results;
        let results: Vec<PathBuf> = results.iter().map(|name| self.path.join(name)).collect();
        replaced_input(&results, inputs).map_or(Ok(()), |path| {
            Err(Error::usage(format!("`{}` is an input of the run, and would be replaced by a result", path.display()))
                .with_code(ErrorCode::OutputIsInput)
                .with_help("choose another output folder"))
        })
    }

    /// Where the folder is. The temporary files of a sort may be made in it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the run keeps what a later one needs to go on where this one ended.
    #[doc(hidden)]
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join(contents::CHECKPOINT)
    }

    /// What is begun and not finished: for a program that has to end at once.
    pub fn partial_results(&self) -> PartialResults {
        self.partial.clone()
    }

    /// Begins the file that is to be called `name`.
    #[doc(hidden)]
    pub fn file(&mut self, name: &str) -> Result<OutputFile> {
        let path = self.path.join(name);
        let mut partial = self.partial.lock();
        if partial.ended {
            return Err(Error::cancelled());
        }
        let stage = match partial.stage.take() {
            Some(stage) => stage,
            None => StagingFolder::create(&self.path)?,
        };
        let file = partial.stage.insert(stage).file(name).map_err(|error| write_error(&path, error))?;
        Ok(OutputFile { file, name: name.to_owned(), path, bytes: 0, hash: Box::default() })
    }

    /// Says which files will be written, where their names are not those of pairs and clusters. Refused where the folder has
    /// other files of these names.
    #[doc(hidden)]
    pub fn announce(&mut self, names: &[String]) -> Result<()> {
        contents::check_are_free(&self.path, names)?;
        let mut partial = self.partial.lock();
        if partial.ended {
            return Err(Error::cancelled());
        }
        let stage = match partial.stage.take() {
            Some(stage) => stage,
            None => StagingFolder::create(&self.path)?,
        };
        let announced = partial.stage.insert(stage).announce(names);
        announced.map_err(|error| write_error(&self.path, error))
    }

    /// Writes the record of a run whose files were announced.
    #[doc(hidden)]
    pub fn write_record(&mut self, record: &impl serde::Serialize) -> Result<()> {
        if let Some(stage) = &self.partial.lock().stage {
            stage.forget_announced().map_err(|error| write_error(&self.path, error))?;
        }
        let mut file = self.file(contents::RECORD)?;
        let text = serde_json::to_string_pretty(record).map_err(|e| Error::internal(format!("run.json: {e}")))?;
        writeln!(file, "{text}").map_err(|error| write_error(file.path(), error))?;
        file.finish().map(drop)
    }

    /// Makes the files the results of the folder, in place of earlier ones, and removes its checkpoint.
    #[doc(hidden)]
    pub fn commit(self) -> Result<()> {
        let mut partial = self.partial.lock();
        if partial.ended {
            return Err(Error::cancelled());
        }
        if !self.lock.is_of(&self.path) {
            let message = format!("the output folder `{}` was moved or removed during the run", self.path.display());
            return Err(Error::resource(message));
        }
        if let Some(stage) = &partial.stage {
            replace::replace(&self.path, stage)?;
        }
        *partial = Partial { ended: true, ..Partial::default() };
        let checkpoint = self.checkpoint();
        if checkpoint.exists() {
            io_result(fs::remove_dir_all(&checkpoint), "cannot remove", &checkpoint)?;
        }
        Ok(())
    }

    fn check(&self, overwrite: bool) -> Result<()> {
        replace::finish(&self.path)?;
        let contents = Contents::read(&self.path)?;
        if !overwrite && !contents.is_empty() {
            return Err(Error::usage(format!("the output folder `{}` is not empty", self.path.display()))
                .with_code(ErrorCode::OutputNotEmpty)
                .with_help(
                    "choose another folder, or overwrite: that replaces earlier results and leaves other files alone",
                ));
        }
        contents::check_are_ours(&self.path, &contents.results)?;
        stage::remove_remains(&self.path, &contents)?;
        // Better to know now than after all the work.
        let probe = tempfile::tempfile_in(&self.path);
        io_result(probe, "cannot write into the output folder", &self.path).map(drop)
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        self.partial.remove();
    }
}

impl PartialResults {
    /// Removes what is not finished; nothing can be begun after that. False where the results were complete already. What
    /// cannot be removed stays: there is no caller to report it to, and the next run removes it.
    pub fn remove(&self) -> bool {
        let mut partial = self.lock();
        if partial.ended {
            return false;
        }
        if let Some(stage) = partial.stage.take() {
            let _ = stage::remove(&stage.path);
        }
        for folder in partial.made.drain(..).rev() {
            // Fails, as it should, if the folder has other contents.
            let _ = fs::remove_dir(folder);
        }
        partial.ended = true;
        true
    }

    fn lock(&self) -> MutexGuard<'_, Partial> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutputFile {
    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Brings everything to the disk and says what the file holds.
    pub fn finish(self) -> Result<FileRecord> {
        self.file.sync_all().map_err(|error| write_error(&self.path, error))?;
        Ok(FileRecord::new(&self.name, self.bytes, self.hash.digest128()))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Makes the folder and those above it, as far as they are missing, and returns those it made. `None` where one of them
/// vanished meanwhile.
fn make_folders(path: &Path) -> Result<Option<Vec<PathBuf>>> {
    // One look: another run may remove the folder between two.
    if fs::metadata(path).is_ok_and(|found| !found.is_dir()) {
        return Err(Error::usage(format!("the output folder `{}` is a file", path.display())));
    }
    let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let mut made: Vec<_> = path.ancestors().take_while(missing).map(Path::to_path_buf).collect();
    made.reverse();
    match fs::create_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        made_all => io_result(made_all, "cannot make the output folder", path).map(|()| Some(made)),
    }
}

#[cfg(test)]
mod tests;
