//! The output folder: its files appear whole and together, or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::Format;
use super::fault::{io_result, write_error};
use crate::error::{Error, ErrorCode, Result};

const FORMATS: [Format; 3] = [Format::Parquet, Format::Csv, Format::Json];

/// A folder for results. They are written under temporary names, until [`OutputFolder::commit`], which
/// [`Run::write`](crate::Run::write) calls. Dropped without that, it removes what was written, and itself if it is new.
pub struct OutputFolder {
    path: PathBuf,
    /// Folders made for this one, outermost first.
    made: Vec<PathBuf>,
    /// Names of the files begun.
    names: Vec<String>,
    /// Whether the results are there, or given up.
    is_settled: Arc<Mutex<bool>>,
}

/// A file of an output folder.
pub struct OutputFile {
    file: File,
    path: PathBuf,
}

impl OutputFolder {
    /// The folder at `path`, made if it is not there. A folder with something in it is refused without `overwrite`;
    /// with it, earlier results are replaced, and other files are left alone.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self> {
        let made = make_folders(path)?;
        let folder = Self { path: path.to_path_buf(), made, names: Vec::new(), is_settled: Arc::default() };
        folder.check(overwrite)?;
        Ok(folder)
    }

    /// Where the folder is. The temporary files of a sort may be made in it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins the file that is to be called `name`.
    #[doc(hidden)]
    pub fn file(&mut self, name: &str) -> Result<OutputFile> {
        let path = self.path.join(name);
        let file = File::create(self.partial(name)).map_err(|error| write_error(&path, error))?;
        self.names.push(name.to_owned());
        Ok(OutputFile { file, path })
    }

    /// Gives all files their names, and removes earlier results that were not replaced. Everything is on the disk
    /// before the first name changes.
    pub fn commit(self) -> Result<()> {
        for name in &self.names {
            let synced = File::open(self.partial(name)).and_then(|file| file.sync_all());
            synced.map_err(|error| write_error(&self.path.join(name), error))?;
        }
        let is_settled = Arc::clone(&self.is_settled);
        let mut is_settled = is_settled.lock().unwrap_or_else(PoisonError::into_inner);
        for name in &self.names {
            let to = self.path.join(name);
            io_result(fs::rename(self.partial(name), &to), "cannot write", &to)?;
        }
        *is_settled = true;
        drop(is_settled);
        for name in own_names() {
            if !self.names.contains(&name) {
                remove_old(&self.path.join(&name))?;
            }
            // Left over from a run that was killed.
            remove_old(&self.partial(&name))?;
        }
        sync_folder(&self.path)
    }

    fn check(&self, overwrite: bool) -> Result<()> {
        let mut entries = io_result(fs::read_dir(&self.path), "cannot read the output folder", &self.path)?;
        if !overwrite && entries.next().is_some() {
            return Err(Error::usage(format!("the output folder `{}` is not empty", self.path.display()))
                .with_code(ErrorCode::OutputNotEmpty)
                .with_help(
                    "choose another folder, or overwrite: that replaces earlier results and leaves other files alone",
                ));
        }
        // Better to know now than after all the work.
        let probe = tempfile::tempfile_in(&self.path);
        io_result(probe, "cannot write into the output folder", &self.path).map(drop)
    }

    fn partial(&self, name: &str) -> PathBuf {
        partial(&self.path, name)
    }

    /// What removes the unfinished results, from any thread: for a program that must end before its job does. Says `false`,
    /// and does nothing, where they are finished.
    pub fn remover(&self) -> impl Fn() -> bool + Send + 'static + use<> {
        let (path, made, is_settled) = (self.path.clone(), self.made.clone(), Arc::clone(&self.is_settled));
        move || {
            let is_settled = is_settled.lock().unwrap_or_else(PoisonError::into_inner);
            if !*is_settled {
                remove_unfinished(&path, own_names(), &made);
            }
            !*is_settled
        }
    }
}

fn partial(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!(".{name}.partial"))
}

/// What cannot be removed stays: there is no caller to report it to.
fn remove_unfinished(folder: &Path, names: impl Iterator<Item = String>, made: &[PathBuf]) {
    for name in names {
        let _ = fs::remove_file(partial(folder, &name));
    }
    for folder in made.iter().rev() {
        // Fails, as it should, if the folder has other contents.
        let _ = fs::remove_dir(folder);
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if !*self.is_settled.lock().unwrap_or_else(PoisonError::into_inner) {
            remove_unfinished(&self.path, self.names.iter().cloned(), &self.made);
        }
    }
}

impl OutputFile {
    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn remove_old(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::io("cannot remove the earlier", path, error))
        }
        _ => Ok(()),
    }
}

/// The names that results have.
fn own_names() -> impl Iterator<Item = String> {
    let tables = ["pairs", "clusters"].into_iter();
    tables
        .flat_map(|table| FORMATS.map(|format| format!("{table}.{}", format.extension())))
        .chain(["run.json".to_owned()])
}

/// Makes the folder and those above it, as far as they are missing, and returns those it made.
fn make_folders(path: &Path) -> Result<Vec<PathBuf>> {
    if path.exists() && !path.is_dir() {
        return Err(Error::usage(format!("the output folder `{}` is a file", path.display())));
    }
    let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let mut made: Vec<_> = path.ancestors().take_while(missing).map(Path::to_path_buf).collect();
    made.reverse();
    io_result(fs::create_dir_all(path), "cannot make the output folder", path)?;
    Ok(made)
}

/// Makes new names last through a power failure, where folders can be synced.
#[cfg(unix)]
fn sync_folder(path: &Path) -> Result<()> {
    io_result(File::open(path).and_then(|folder| folder.sync_all()), "cannot write", path)
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
