//! Turns failed writes into errors that say what to do next.

use std::io;
use std::path::Path;

use crate::error::{Error, Result};

/// The whole message of a broken pipe. [`is_broken_pipe`] knows the error by it.
const BROKEN_PIPE: &str = "the reader of the output has closed its end";

const DISK_FULL: &str = "free some space, or choose an output folder on a larger disk";

/// Whether a write failed because the reader of a pipe went away (`sameas ... -o - | head`): no fault of anybody, and
/// the program may end quietly.
pub fn is_broken_pipe(error: &Error) -> bool {
    error.message() == BROKEN_PIPE
}

/// The error of a failed write to `path`.
pub(super) fn write_error(path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Error::resource(BROKEN_PIPE),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Error::io("cannot write", path, error).with_help(DISK_FULL)
        }
        _ => Error::io("cannot write", path, error),
    }
}

/// `result`, with an error of the operating system told as "cannot `what` `path`".
pub(super) fn io_result<T>(result: io::Result<T>, what: &str, path: &Path) -> Result<T> {
    result.map_err(|error| Error::io(what, path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_disks_come_with_help_and_broken_pipes_are_known() {
        let full = write_error(Path::new("out/pairs.csv"), &io::ErrorKind::StorageFull.into());
        assert!(full.to_string().contains("out/pairs.csv") && full.to_string().contains("help: free some space"));
        assert!(!is_broken_pipe(&full));
        assert!(is_broken_pipe(&write_error(Path::new("-"), &io::ErrorKind::BrokenPipe.into())));
    }
}
