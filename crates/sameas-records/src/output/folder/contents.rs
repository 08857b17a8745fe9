//! What an output folder holds: results of an earlier run, what a killed run left, a checkpoint, and what is not ours.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode, Result};
use crate::expr::ValueGroups;
use crate::output::Format;
use crate::output::fault::io_result;

/// The record of a run; it says which files belong to it.
pub(super) const RECORD: &str = "run.json";

/// Begins the name of every folder that holds what is not finished.
pub(super) const UNFINISHED: &str = ".sameas-";

/// Complete results that have not all been moved to their places.
pub(super) const COMPLETE: &str = ".sameas-complete";

/// What a later run needs to go on where this one ended.
pub(super) const CHECKPOINT: &str = ".sameas-checkpoint";

/// The file that is locked where a folder cannot be.
#[cfg(not(unix))]
pub(super) const LOCK: &str = ".sameas-lock";

/// A file of results, or one that rules read, as `run.json` names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileRecord {
    /// Its name in the output folder, or in the rules.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// The 128-bit XXH3 hash of its content, as `xxhsum -H2` prints it.
    pub xxh128: String,
}

impl FileRecord {
    /// A file that rules read, by the name that they give it.
    #[doc(hidden)]
    pub fn of_list(list: &ValueGroups) -> Self {
        Self { name: list.path().to_owned(), bytes: list.bytes(), xxh128: list.xxh128().to_owned() }
    }

    pub(super) fn new(name: &str, bytes: u64, hash: u128) -> Self {
        Self { name: name.to_owned(), bytes, xxh128: format!("{hash:032x}") }
    }
}

/// As much of `run.json` as shows that a run of ours has written it.
#[derive(Deserialize)]
struct Manifest {
    #[serde(rename = "version")]
    _version: String,
    /// A run that looks for pairs.
    nominal_pairs: Option<u64>,
    /// A run of a Datalog program.
    relations: Option<Vec<String>>,
    /// A run that makes clusters of pairs.
    clustered_pairs: Option<u64>,
    /// Not in records of the first versions.
    files: Option<Vec<FileRecord>>,
}

/// The entries of an output folder.
#[derive(Default)]
pub(super) struct Contents {
    /// Those that have the name of a result.
    pub results: Vec<String>,
    /// Folders that a killed run has left.
    pub unfinished: Vec<PathBuf>,
    /// Whether there is a checkpoint.
    pub has_checkpoint: bool,
    /// Whether there is anything else.
    pub has_others: bool,
}

impl Contents {
    /// Looks into a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut contents = Self::default();
        let own: Vec<String> = manifest(folder).unwrap_or_default().into_iter().map(|file| file.name).collect();
        for entry in io_result(fs::read_dir(folder), "cannot read the output folder", folder)? {
            let entry = io_result(entry, "cannot read the output folder", folder)?;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            contents.add(&entry.path(), is_folder, &own);
        }
        contents.results.sort();
        Ok(contents)
    }

    /// `own` are the names of files that the record of the folder names.
    fn add(&mut self, path: &Path, is_folder: bool, own: &[String]) {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        match name {
            #[cfg(not(unix))]
            LOCK => {}
            CHECKPOINT if is_folder => self.has_checkpoint = true,
            _ if is_folder && name.starts_with(UNFINISHED) => self.unfinished.push(path.to_owned()),
            _ if result_names().chain(own.iter().cloned()).any(|result| result == name) => {
                self.results.push(name.to_owned());
            }
            _ => self.has_others = true,
        }
    }

    /// Whether nothing is in the way of a run that may not overwrite.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty() && !self.has_others
    }
}

/// The names that results have.
pub(super) fn result_names() -> impl Iterator<Item = String> {
    let tables = ["pairs", "clusters", "skipped", "near", "cut"].into_iter();
    let files = tables.flat_map(|table| Format::of_files().map(|format| format!("{table}.{}", format.extension())));
    files.chain([RECORD.to_owned()])
}

/// The names that results in a folder can have, the record last.
pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let named = manifest(folder).unwrap_or_default().into_iter().map(|file| file.name);
    let mut names: Vec<String> = named.collect();
    let usual: Vec<String> = result_names().filter(|name| !names.contains(name)).collect();
    names.extend(usual);
    names
}

/// Refuses to replace results that are not, or no longer, what an earlier run has written.
pub(super) fn check_are_ours(folder: &Path, results: &[String]) -> Result<()> {
    let Some(first) = results.first() else { return Ok(()) };
    let files = manifest(folder).ok_or_else(|| {
        let name = if results.iter().any(|name| name == RECORD) { RECORD } else { first };
        not_ours(&folder.join(name), "was not written by sameas")
    })?;
    let unknown = results.iter().filter(|name| *name != RECORD).find_map(|name| {
        let size = fs::symlink_metadata(folder.join(name)).ok().filter(fs::Metadata::is_file).map(|file| file.len());
        match files.iter().find(|file| file.name == *name) {
            Some(file) if Some(file.bytes) == size => None,
            Some(_) => Some((name, "has been changed since a run wrote it")),
            None => Some((name, "does not belong to the run that `run.json` describes")),
        }
    });
    unknown.map_or(Ok(()), |(name, what)| Err(not_ours(&folder.join(name), what)))
}

fn not_ours(path: &Path, what: &str) -> Error {
    Error::usage(format!("`{}` would be replaced, and it {what}", path.display()))
        .with_code(ErrorCode::OutputNotOurs)
        .with_help("move it away, or choose another folder")
}

/// The files that the record in a folder names, if it is the record of a run.
pub(super) fn manifest(folder: &Path) -> Option<Vec<FileRecord>> {
    let path = folder.join(RECORD);
    // Anything but a plain file is not ours, and might block its reader.
    fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
    // Read as a stream: a file that is not ours may be of any size.
    let manifest: Manifest = serde_json::from_reader(BufReader::new(File::open(path).ok()?)).ok()?;
    let Manifest { nominal_pairs, relations, clustered_pairs, .. } = &manifest;
    if nominal_pairs.is_none() && relations.is_none() && clustered_pairs.is_none() {
        return None;
    }
    let mut files = manifest.files.unwrap_or_else(|| files_by_name(folder));
    files.retain(|file| is_plain_name(&file.name));
    Some(files)
}

/// Whether a name is that of a file in the folder itself, and none that means something else here.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']) && name != RECORD
}

/// Refuses names of results that other files of the folder have.
pub(super) fn check_are_free(folder: &Path, names: &[String]) -> Result<()> {
    let results = Contents::read(folder)?.results;
    let is_other = |name: &&String| !results.contains(name) && fs::symlink_metadata(folder.join(name)).is_ok();
    let other = names.iter().find(is_other);
    other.map_or(Ok(()), |name| Err(not_ours(&folder.join(name), "was not written by sameas")))
}

/// The files that have the names of results.
fn files_by_name(folder: &Path) -> Vec<FileRecord> {
    let file = |name: String| {
        let file = fs::symlink_metadata(folder.join(&name)).ok().filter(fs::Metadata::is_file)?;
        Some(FileRecord::new(&name, file.len(), 0))
    };
    result_names().filter(|name| name != RECORD).filter_map(file).collect()
}
