//! A file of lines that are only appended: each is a hash and a JSON value, and is on the disk when `append` returns.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;

/// Hexadecimal digits of the hash, and the space after them.
const HASH: usize = 17;

/// A log that is written.
pub struct Log {
    file: File,
}

/// The lines of a log, up to the first that is not whole.
pub struct Lines {
    text: Vec<u8>,
    at: usize,
}

impl Log {
    /// A new log.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: OpenOptions::new().write(true).create_new(true).open(path)? })
    }

    /// Goes on after the first `bytes` of a log.
    pub fn resume(path: &Path, bytes: u64) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).open(path)?;
        file.set_len(bytes)?;
        Ok(Self { file })
    }

    /// Reads a log.
    pub fn read(path: &Path) -> io::Result<Lines> {
        Ok(Lines { text: fs::read(path)?, at: 0 })
    }

    /// Appends a line.
    pub fn append(&mut self, value: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_vec(value)?;
        let mut line = format!("{:016x} ", xxh3_64(&json)).into_bytes();
        line.extend_from_slice(&json);
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.sync_data()
    }
}

impl Lines {
    /// The next line, and where it ends, if there is a whole one of this type.
    pub fn next<T: DeserializeOwned>(&mut self) -> Option<(T, u64)> {
        let rest = self.text.get(self.at..)?;
        let line = &rest[..rest.iter().position(|byte| *byte == b'\n')?];
        let (hash, json) = line.split_at_checked(HASH)?;
        if hash != format!("{:016x} ", xxh3_64(json)).as_bytes() {
            return None;
        }
        let value = serde_json::from_slice(json).ok()?;
        self.at += line.len() + 1;
        Some((value, self.at as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> (Vec<u32>, u64) {
        let (mut lines, mut values, mut end) = (Log::read(path).unwrap(), Vec::new(), 0);
        while let Some((value, at)) = lines.next() {
            values.push(value);
            end = at;
        }
        (values, end)
    }

    /// Whatever is missing at the end, what comes before it is read, and the log goes on from there.
    #[test]
    fn a_log_that_was_cut_ends_with_its_last_whole_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut log = Log::create(&path).unwrap();
        [7, 70, 700].iter().for_each(|value| log.append(value).unwrap());
        let whole = fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let (values, end) = read(&path);
            assert_eq!(values, [7, 70, 700][..whole[..length].iter().filter(|b| **b == b'\n').count()]);
            Log::resume(&path, end).unwrap().append(&8).unwrap();
            assert_eq!(read(&path).0, [&values[..], &[8]].concat());
        }
        assert!(Log::create(&path).is_err());
    }

    #[test]
    fn a_line_that_was_changed_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut log = Log::create(&path).unwrap();
        [7, 70].iter().for_each(|value| log.append(value).unwrap());
        let mut text = fs::read_to_string(&path).unwrap();
        text = text.replace(" 70", " 71");
        fs::write(&path, text).unwrap();
        assert_eq!(read(&path).0, [7]);
    }
}
