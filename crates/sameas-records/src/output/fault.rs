//! Turns failed writes into errors.

use std::io;
use std::path::Path;

use crate::error::{Error, ErrorCode, Result};

/// The error of a failed write to `path`.
pub(super) fn write_error(path: &Path, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Error::resource("the reader of the output has closed its end")
            .with_code(ErrorCode::BrokenPipe)
            .with_source(error),
        _ => Error::io("cannot write", path, error),
    }
}

/// `result`, with an error of the operating system reported as "cannot `what` `path`".
pub(super) fn io_result<T>(result: io::Result<T>, what: &str, path: &Path) -> Result<T> {
    result.map_err(|error| Error::io(what, path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_disks_come_with_help_and_broken_pipes_are_known() {
        let full = write_error(Path::new("out/pairs.csv"), io::ErrorKind::StorageFull.into());
        assert!(full.to_string().contains("out/pairs.csv") && full.to_string().contains("help: free some space"));
        assert_eq!(full.code(), ErrorCode::Other);
        let closed = write_error(Path::new("-"), io::ErrorKind::BrokenPipe.into());
        assert_eq!(closed.code(), ErrorCode::BrokenPipe);
    }
}
