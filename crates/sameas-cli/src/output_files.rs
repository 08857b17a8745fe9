//! What a command writes: nothing that it reads is replaced, nothing else without being asked, and nothing unfinished is left
//! where the program is interrupted.

use std::path::Path;

use sameas::{Input, OutputFolder, Result, ResultFile};

use crate::interrupt::{self, Unfinished};

/// Begins a file; `reads` is all that the command reads. The file goes when both values are dropped, unless it is finished.
pub fn begin_file(path: &Path, overwrite: bool, reads: &[Input]) -> Result<(ResultFile, Unfinished)> {
    let file = ResultFile::create(path, overwrite)?;
    file.protect_inputs(reads)?;
    let partial = file.partial();
    Ok((file, interrupt::remove_with(move || partial.remove())))
}

/// The same for a folder of results.
pub fn begin_folder(path: &Path, overwrite: bool, reads: &[Input]) -> Result<(OutputFolder, Unfinished)> {
    let folder = OutputFolder::create(path, overwrite)?;
    folder.protect_inputs(reads)?;
    let partial = folder.partial_results();
    Ok((folder, interrupt::remove_with(move || partial.remove())))
}

/// A file that is read, among those that must not be replaced.
pub fn one_file(path: &Path) -> Input {
    Input::files([path])
}
