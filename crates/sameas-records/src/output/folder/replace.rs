//! The step in which results become visible.
//!
//! A stage next to the output folder changes places with it: one step, which has happened or has not. Where that is not
//! possible (the folder has other files, is mounted, or somebody works in it), the complete stage becomes
//! `.sameas-complete` in the folder, which is one step too, and its files are then moved to their places. If that is
//! interrupted, readers take the files from there ([`current`]), and the next run moves the rest.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::contents::{COMPLETE, Contents, RECORD, manifest, names_in};
use super::stage::{self, StagingFolder};
use crate::error::{Error, Result};
use crate::output::fault::io_result;

/// Makes the files of a complete stage the results in `folder`.
pub(super) fn replace(folder: &Path, stage: &StagingFolder) -> Result<()> {
    io_result(sync(&stage.path), "cannot write", &stage.path)?;
    // What else is in the folder may have come while the run went on.
    if stage.is_beside && is_replaceable(folder, &Contents::read(folder)?) && exchange(&stage.path, folder).is_ok() {
        // The results are in place: what cannot be removed now is removed by the next run.
        let _ = sync(folder.parent().unwrap_or(folder)).and_then(|()| stage::remove(&stage.path));
        return Ok(());
    }
    let complete = folder.join(COMPLETE);
    io_result(fs::rename(&stage.path, &complete).and_then(|()| sync(folder)), "cannot write", &complete)?;
    finish(folder)
}

/// Moves complete results to their places, if there are any that are not.
pub(super) fn finish(folder: &Path) -> Result<()> {
    let complete = folder.join(COMPLETE);
    if !complete.is_dir() {
        return Ok(());
    }
    let is_new = |name: &String| complete.join(name).symlink_metadata().is_ok();
    // The record comes last: as long as it is not moved, the earlier one says what is to be removed.
    let new: Vec<String> = names_in(&complete).into_iter().filter(is_new).collect();
    if new.iter().any(|name| name == RECORD) {
        remove_replaced(folder, &complete)?;
    }
    for name in new {
        let to = folder.join(&name);
        io_result(fs::rename(complete.join(name), &to), "cannot write", &to)?;
    }
    let done = fs::remove_dir(&complete).and_then(|()| sync(folder));
    done.map_err(|error| {
        Error::io("cannot write", folder, error).with_help("the results are complete; the next run moves them")
    })
}

/// Removes earlier results that have no successor of the same name.
fn remove_replaced(folder: &Path, complete: &Path) -> Result<()> {
    let (old, new) = (manifest(folder).unwrap_or_default(), manifest(complete).unwrap_or_default());
    for file in old.iter().filter(|old| new.iter().all(|new| new.name != old.name)) {
        let path = folder.join(&file.name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::io("cannot remove the earlier", &path, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Where the content of a result is: at its path, unless a run was killed while it replaced results.
pub fn current(result: &Path) -> PathBuf {
    let folder = result.parent().unwrap_or(Path::new(""));
    let complete = folder.join(COMPLETE).join(result.file_name().unwrap_or(OsStr::new("")));
    if complete.is_file() { complete } else { result.to_owned() }
}

/// Whether another folder may take the place of this one: it holds nothing but what is ours, and this process is not
/// in it.
pub(super) fn is_replaceable(folder: &Path, contents: &Contents) -> bool {
    let is_here = std::env::current_dir().is_ok_and(|here| here.starts_with(folder));
    !contents.has_others && contents.unfinished.is_empty() && !is_here
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Makes new names last through a power failure, where folders can be synced.
fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
