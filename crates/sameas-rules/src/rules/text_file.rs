//! The text of a small file, such as rules or a model.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};

/// Bytes of such a file at most: parsing takes many times that.
const MOST_BYTES: u64 = 16 << 20;

/// The text of a file of at most 16 MiB; `what` says in messages what it should hold. No more than that is read: a device
/// has no end, and its length says nothing.
pub fn text_of(path: &Path, what: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| Error::io(&format!("cannot read {what}"), path, error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Error::rules(format!("`{}` is longer than {} MiB", path.display(), MOST_BYTES >> 20))
            .with_help(format!("check the path: this cannot be {what}")));
    }
    String::from_utf8(bytes).map_err(|_| Error::rules(format!("`{}` is not UTF-8 text", path.display())))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_is_too_long_or_no_text_is_refused() {
        let read = |bytes: &[u8]| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(bytes).unwrap();
            text_of(file.path(), "a model").map_err(|error| error.to_string())
        };
        assert_eq!(read("prior = 0.5 # é\n".as_bytes()).unwrap(), "prior = 0.5 # é\n");
        // What is read ends within a character, and that is not what is wrong.
        let error = read("é".repeat(MOST_BYTES as usize / 2 + 1).as_bytes()).unwrap_err();
        assert!(error.ends_with("is longer than 16 MiB\n  help: check the path: this cannot be a model"), "{error}");
        assert!(read(b"caf\xe9").unwrap_err().ends_with("is not UTF-8 text"));
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_not_read_to_it() {
        let error = text_of(Path::new("/dev/zero"), "the rules").unwrap_err().to_string();
        assert_eq!(error, "`/dev/zero` is longer than 16 MiB\n  help: check the path: this cannot be the rules");
    }
}
