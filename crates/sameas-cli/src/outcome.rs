//! How a command ends.

use sameas::{Error, ErrorCode};

/// The exit code of a command that failed.
pub const FAILURE: u8 = 2;

/// A command did what it was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing else to say.
    Done,
    /// It was asked to judge something, and the judgement is bad.
    Findings,
}

/// A command ended early.
#[derive(Debug)]
pub enum Stop {
    /// Something went wrong.
    Failed(Error),
    /// The reader of our output has gone.
    NobodyReads,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        if error.code() == ErrorCode::BrokenPipe { Self::NobodyReads } else { Self::Failed(error) }
    }
}

/// What a command gives.
pub type CommandResult<T = Outcome> = Result<T, Stop>;
