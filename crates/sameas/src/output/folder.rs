//! The output folder: its files appear whole and together, or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    committed: bool,
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
        let folder = Self { path: path.to_path_buf(), made, names: Vec::new(), committed: false };
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
    pub fn commit(mut self) -> Result<()> {
        for name in &self.names {
            let synced = File::open(self.partial(name)).and_then(|file| file.sync_all());
            synced.map_err(|error| write_error(&self.path.join(name), error))?;
        }
        for name in &self.names {
            let to = self.path.join(name);
            io_result(fs::rename(self.partial(name), &to), "cannot write", &to)?;
        }
        self.committed = true;
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
        self.path.join(format!(".{name}.partial"))
    }
}

impl Drop for OutputFolder {
    /// What cannot be removed stays: there is no caller to report it to.
    fn drop(&mut self) {
        if self.committed {
            return;
        }
        for name in &self.names {
            let _ = fs::remove_file(self.partial(name));
        }
        for folder in self.made.iter().rev() {
            // Fails, as it should, if the folder has other contents.
            let _ = fs::remove_dir(folder);
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
