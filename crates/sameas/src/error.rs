//! The one error type of the library: what went wrong, where, and what to do next.

use std::fmt;
use std::path::Path;

/// Result with the library's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Who can do something about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// An option or a combination of options that makes no sense.
    Usage,
    /// A mistake in a rule file or a rule.
    Rules,
    /// Input data that cannot be read as what it claims to be.
    Data,
    /// Memory, disk, device or operating system said no.
    Resource,
    /// A defect of sameas itself.
    Internal,
}

/// What went wrong, where, and what to do next.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    help: Option<String>,
}

impl Error {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None }
    }

    /// An option or a combination of options that makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// A mistake in a rule file.
    pub fn rules(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Rules, message)
    }

    /// Input that cannot be read; the message opens with `file:line:column: `, as far as these are known.
    pub fn data(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Data, message)
    }

    /// Memory, disk, device or operating system said no.
    pub fn resource(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Resource, message)
    }

    /// A defect of sameas itself.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// An operating-system error met while doing `what` (`"cannot read"`) with `path`.
    pub fn io(what: &str, path: &Path, error: &std::io::Error) -> Self {
        Self::resource(format!("{what} `{}`: {error}", path.display()))
    }

    /// Adds what the user can do next.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Who can do something about it.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The message without the help line.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
