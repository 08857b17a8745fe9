//! Rule files, read once: as rules, and as text for the record of a run.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sameas::{Result, RuleFile, RuleFileText};

/// Bytes up to which a file is read here; the library refuses longer ones.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a rule file. It may be a pipe, as in `--rules <(...)`, which can be read only once.
pub fn read(path: &Path) -> Result<(RuleFile, RuleFileText)> {
    let name = path.display().to_string();
    match text_of(path) {
        Some(text) => Ok((RuleFile::parse(&text, &name)?, RuleFileText { path: name, text })),
        // The library says what is wrong with it.
        None => Ok((RuleFile::read(path)?, RuleFileText { path: name, text: String::new() })),
    }
}

fn text_of(path: &Path) -> Option<String> {
    let mut text = String::new();
    let read = File::open(path).ok()?.take(MOST_BYTES + 1).read_to_string(&mut text);
    (read.is_ok() && text.len() as u64 <= MOST_BYTES).then_some(text)
}
