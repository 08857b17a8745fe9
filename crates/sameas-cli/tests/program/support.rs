//! A temporary folder with files, and the program run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// People with ids, two of them the same.
pub const PEOPLE: &str = "id,name,phone,year\n\
    1,john smith,555-1,1980\n\
    2,jon smith,555-1,1980\n\
    3,mary jones,555-2,1975\n\
    4,marie jonas,555-2,1975\n\
    5,alan poe,,1990\n\
    6,zoe adams,555-3,\n";

pub const SAME_PHONE: &str = "l.phone = r.phone and jaro_winkler(l.name, r.name) >= 0.9";

/// The program under test: the one that `SAMEAS_PROGRAM` names, such as a release, or the one that was built with these tests.
pub fn program() -> PathBuf {
    std::env::var_os("SAMEAS_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_sameas").into(), PathBuf::from)
}

/// The longest time that something may take: this on a machine that does nothing else (`SAMEAS_QUIET`), and twenty times as
/// much on any other, where a test can only show that it does not take for ever.
pub fn at_most(quiet: Duration) -> Duration {
    if std::env::var_os("SAMEAS_QUIET").is_some() { quiet } else { quiet * 20 }
}

/// A temporary folder, the working directory of the program.
pub struct Folder(TempDir);

/// What the program said.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with `people.csv`.
    pub fn with_people() -> Self {
        let folder = Self::new();
        folder.write("people.csv", PEOPLE);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names in the folder, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.0.path()).args(args).stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Said {
        Said::from(self.command(args).output().unwrap())
    }

    /// Runs the program, which must succeed.
    pub fn ok(&self, args: &[&str]) -> Said {
        let said = self.run(args);
        assert_eq!(said.code, Some(0), "{args:?}: {said:?}");
        said
    }

    /// Runs the program, which must fail and leave nothing new in the folder; gives what it complained about.
    pub fn fails(&self, args: &[&str]) -> String {
        let before = self.names();
        let said = self.run(args);
        assert_eq!(said.code, Some(2), "{args:?}: {said:?}");
        assert_eq!(said.out, "", "{args:?}");
        assert!(said.err.starts_with("error: "), "{args:?}: {}", said.err);
        assert_eq!(self.names(), before, "{args:?}");
        said.err
    }

    /// Runs the program with something on standard input.
    pub fn feed(&self, args: &[&str], input: &[u8]) -> Said {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Said::from(child.wait_with_output().unwrap())
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Asserts that a text has all these parts.
pub fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}
