//! The one error type of the library: what went wrong, where, and what to do next.
//!
//! [`ErrorKind`] says who can do something about it, [`ErrorCode`] what exactly it is, where a program may react to it,
//! and `source()` keeps the cause. Messages and helps name no option of the program: the program adds its options by
//! code. Nothing is learned from the text of a message.
//!
//! A message and a help are one line each and safe on a terminal: control characters, line breaks and invisible
//! characters of the names in them are escaped where the error is made ([`printable`]). Only mistakes in rules have
//! several lines, whose parts are escaped one by one.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::Path;

/// Result with the library's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Who can do something about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An option or a combination of options that makes no sense.
    Usage,
    /// A mistake in a rule file or a rule.
    Rules,
    /// Input data that cannot be read as what it claims to be.
    Data,
    /// Memory, disk, device or operating system said no.
    Resource,
    /// The caller cancelled the job.
    Cancelled,
    /// A defect of sameas itself.
    Internal,
}

/// What exactly went wrong, where a program may want to react to it: by another option, or not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// Nothing that a program could react to.
    #[default]
    Other,
    /// The records do not fit the job's memory limit.
    MemoryLimit,
    /// The rules give more candidates than the caller allows.
    CandidateLimit,
    /// An input has no column to take ids from.
    NoIdColumn,
    /// An id is repeated.
    BadId,
    /// A record has no id.
    MissingId,
    /// Something is said of an input that the job does not have.
    NoSuchInput,
    /// A text file is not in the encoding in which it was read.
    WrongEncoding,
    /// No encoding has that name.
    UnknownEncoding,
    /// No record has the id that was asked for.
    NoSuchId,
    /// Something that only all records of a job can tell was asked of some of them.
    NeedsAllRecords,
    /// The rule file is for another kind of job: a dedupe or a link.
    LinkTypeMismatch,
    /// There is no rule.
    NoRules,
    /// The rules compare records, and there is no model to score them by.
    NoModel,
    /// The rules compare nothing, where comparisons are needed.
    NoComparisons,
    /// Settings of another tool have parts that cannot be taken over.
    NotTakenOver,
    /// The model is about other comparisons.
    ModelMismatch,
    /// Comparisons have too many levels together.
    TooManyLevels,
    /// A threshold is so low that some pairs above it can only be found by looking at all pairs.
    ThresholdTooLow,
    /// The statistics are of other records.
    OtherStatistics,
    /// Records, or what belongs to them, are not those that a run has read before.
    OtherRecords,
    /// The caller has to give the records of a job again, and has not.
    RecordsNotGiven,
    /// A later version of the library has written it.
    LaterVersion,
    /// The output folder is not empty, or the output file is there.
    OutputNotEmpty,
    /// Another run is writing into the output folder.
    OutputBusy,
    /// A file in the output folder has the name of a result and was not written by a run.
    OutputNotOurs,
    /// A result would replace an input.
    OutputIsInput,
    /// A file of clusters was given where one of pairs is needed.
    HoldsClusters,
    /// A file of pairs was given where one of clusters is needed.
    HoldsPairs,
    /// The two answers to compare name their inputs differently.
    SourcesDiffer,
    /// No GPU can be used.
    DeviceUnavailable,
    /// The work does not fit the memory of a device.
    DoesNotFitDevice,
    /// A device failed: an illegal access, a lost device.
    DeviceFailed,
    /// A file begins with values where the names of its columns are expected.
    NoColumnNames,
    /// A table of results would have two columns of one name.
    RepeatedColumn,
    /// No input has a column of that name.
    NoSuchColumn,
    /// The reader of the output has closed its end.
    BrokenPipe,
    /// The caller cancelled the job.
    Cancelled,
}

/// What went wrong, where, and what to do next. Its text can be shown on a terminal whatever the names in it are:
/// see [`printable`].
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    code: ErrorCode,
    message: String,
    help: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let message = printable(&message.into());
        Self { kind, code: ErrorCode::Other, message, help: None, source: None }
    }

    /// An option or a combination of options that makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// A mistake in a rule file.
    pub fn rules(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Rules, message)
    }

    /// Mistakes in the rules, shown in several lines that are printable already.
    #[doc(hidden)]
    pub fn mistakes(lines: String) -> Self {
        Self { message: lines, ..Self::rules("") }
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
    pub fn io(what: &str, path: &Path, error: io::Error) -> Self {
        let help = what_to_do(error.kind());
        let failed = Self::resource(format!("{what} `{}`: {error}", path.display())).with_source(error);
        match help {
            Some(help) => failed.with_help(help),
            None => failed,
        }
    }

    /// The system does not start `what` (`"2 threads"`).
    #[doc(hidden)]
    pub fn no_thread(what: &str, error: impl StdError + Send + Sync + 'static) -> Self {
        Self::resource(format!("cannot start {what}: {error}"))
            .with_help("use fewer threads, or raise the limit of processes (`ulimit -u`) or of memory")
            .with_source(error)
    }

    /// The caller cancelled the job.
    #[doc(hidden)]
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "the job was cancelled").with_code(ErrorCode::Cancelled)
    }

    /// Adds what the user can do next.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(printable(&help.into()));
        self
    }

    /// The same error, with the place where it was met before its message.
    #[must_use]
    #[doc(hidden)]
    pub fn at(mut self, place: &str) -> Self {
        self.message = format!("{}: {}", printable(place), self.message);
        self
    }

    /// Says what exactly went wrong.
    #[must_use]
    #[doc(hidden)]
    pub fn with_code(mut self, code: ErrorCode) -> Self {
        self.code = code;
        self
    }

    /// Keeps the error that caused this one.
    #[must_use]
    #[doc(hidden)]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    /// Who can do something about it.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What exactly went wrong.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The message without the help line.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What the user can do next.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

/// What to do about an error of the operating system, where that is known.
fn what_to_do(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("free some space, or choose an output folder on a larger disk")
        }
        io::ErrorKind::FileTooLarge => {
            Some("raise the limit of file sizes (`ulimit -f`), or write to a disk that holds larger files")
        }
        _ => None,
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

/// A text from outside (a name, an id, a value) in one line that does nothing to a terminal: control characters, line
/// breaks and characters that are invisible or change the direction of writing are escaped, as in `\u{1b}`.
pub fn printable(text: &str) -> String {
    if !text.contains(is_unprintable) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unprintable(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// Unicode's categories of control and format characters, line and paragraph separators.
fn is_unprintable(c: char) -> bool {
    const FORMAT: [(char, char); 15] = [
        ('\u{ad}', '\u{ad}'),
        ('\u{600}', '\u{605}'),
        ('\u{61c}', '\u{61c}'),
        ('\u{6dd}', '\u{6dd}'),
        ('\u{70f}', '\u{70f}'),
        ('\u{180e}', '\u{180e}'),
        ('\u{200b}', '\u{200f}'),
        ('\u{2028}', '\u{202e}'),
        ('\u{2060}', '\u{206f}'),
        ('\u{feff}', '\u{feff}'),
        ('\u{fff9}', '\u{fffb}'),
        ('\u{13430}', '\u{1345f}'),
        ('\u{1bca0}', '\u{1bca3}'),
        ('\u{1d173}', '\u{1d17a}'),
        ('\u{e0000}', '\u{e007f}'),
    ];
    c.is_control() || c >= FORMAT[0].0 && FORMAT.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_keeps_its_cause() {
        let error = Error::io("cannot read", Path::new("a.csv"), io::ErrorKind::PermissionDenied.into());
        let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
        assert_eq!(cause.map(io::Error::kind), Some(io::ErrorKind::PermissionDenied));
        assert_eq!((error.kind(), error.code()), (ErrorKind::Resource, ErrorCode::Other));
        assert_eq!(error.help(), None);
    }

    #[test]
    fn errors_of_the_system_say_what_to_do() {
        let of = |kind: io::ErrorKind| Error::io("cannot write", Path::new("a.csv"), kind.into());
        assert_eq!(
            of(io::ErrorKind::StorageFull).help(),
            Some("free some space, or choose an output folder on a larger disk")
        );
        assert_eq!(
            of(io::ErrorKind::FileTooLarge).help(),
            Some("raise the limit of file sizes (`ulimit -f`), or write to a disk that holds larger files")
        );
        let error = Error::no_thread("2 threads", io::Error::from(io::ErrorKind::WouldBlock));
        assert!(error.message().starts_with("cannot start 2 threads: "), "{error}");
        assert!(error.help().is_some_and(|help| help.starts_with("use fewer threads")), "{error}");
    }

    #[test]
    fn names_do_nothing_to_a_terminal() {
        for (name, shown) in [
            ("a\u{1b}[2Jb\r\n\tc\u{7}", "a\\u{1b}[2Jb\\r\\n\\tc\\u{7}"),
            ("\u{9b}31m \u{202e}gpj.exe \u{200b}\u{feff}", "\\u{9b}31m \\u{202e}gpj.exe \\u{200b}\\u{feff}"),
            ("José 東京 \\ 'x' 𝄞", "José 東京 \\ 'x' 𝄞"),
        ] {
            assert_eq!(printable(name), shown);
            let error = Error::data(format!("{name}: no")).with_help(name);
            assert_eq!(error.to_string(), format!("{shown}: no\n  help: {shown}"));
        }
    }
}
