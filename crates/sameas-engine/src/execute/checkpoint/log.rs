//! A file of lines that are only appended: each is a hash and a JSON value, and is on the disk when `append` returns.
//!
//! The hash of a line depends on the one before it, back to the first. So a line that was changed, repeated, moved or left out
//! makes the next one wrong, and a log is read up to there; what a killed process has not written to its end is left out too.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Hexadecimal digits of the hash, and the space after them.
const HASH: usize = 17;

/// What stands for the hash before the first line: logs whose lines did not depend on each other, and those whose runs had no
/// scores beside their pairs, have no line that fits.
const BEFORE_ALL: u64 = u64::from_le_bytes(*b"sameas 3");

/// A log that is written.
pub struct Log {
    file: File,
    /// The hash of the last line.
    hash: u64,
}

/// The lines of a log, up to the first that is not whole or does not follow the one before it.
pub struct Lines {
    text: Vec<u8>,
    end: LogEnd,
}

/// Where a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEnd {
    /// Bytes of the log up to there.
    bytes: usize,
    /// The hash of the line.
    hash: u64,
}

impl Log {
    /// A new log.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(Self { file, hash: BEFORE_ALL })
    }

    /// Goes on after a line of a log.
    pub fn resume(path: &Path, end: LogEnd) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).open(path)?;
        file.set_len(end.bytes as u64)?;
        Ok(Self { file, hash: end.hash })
    }

    /// Reads a log.
    pub fn read(path: &Path) -> io::Result<Lines> {
        Ok(Lines { text: fs::read(path)?, end: LogEnd { bytes: 0, hash: BEFORE_ALL } })
    }

    /// Appends a line.
    pub fn append(&mut self, value: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_vec(value)?;
        let hash = xxh3_64_with_seed(&json, self.hash);
        let mut line = format!("{hash:016x} ").into_bytes();
        line.extend_from_slice(&json);
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.sync_data()?;
        self.hash = hash;
        Ok(())
    }
}

impl Lines {
    /// The next line, and where it ends, if there is a whole one of this type.
    pub fn next<T: DeserializeOwned>(&mut self) -> Option<(T, LogEnd)> {
        let rest = self.text.get(self.end.bytes..)?;
        let line = &rest[..rest.iter().position(|byte| *byte == b'\n')?];
        let (written, json) = line.split_at_checked(HASH)?;
        let hash = xxh3_64_with_seed(json, self.end.hash);
        if written != format!("{hash:016x} ").as_bytes() {
            return None;
        }
        let value = serde_json::from_slice(json).ok()?;
        self.end = LogEnd { bytes: self.end.bytes + line.len() + 1, hash };
        Some((value, self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> (Vec<u32>, LogEnd) {
        let (mut lines, mut values) = (Log::read(path).unwrap(), Vec::new());
        while let Some((value, _)) = lines.next() {
            values.push(value);
        }
        (values, lines.end)
    }

    /// A log of these values, in a folder that goes with the value.
    fn log_of(values: &[u32]) -> (tempfile::TempDir, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut log = Log::create(&path).unwrap();
        values.iter().for_each(|value| log.append(value).unwrap());
        (dir, path)
    }

    /// Whatever is missing at the end, what comes before it is read, and the log goes on from there.
    #[test]
    fn a_log_that_was_cut_ends_with_its_last_whole_line() {
        let (_dir, path) = log_of(&[7, 70, 700]);
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
        let (_dir, path) = log_of(&[7, 70]);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace(" 70", " 71")).unwrap();
        assert_eq!(read(&path).0, [7]);
    }

    /// Each line is whole by itself: only the order of all of them is wrong.
    #[test]
    fn lines_that_were_repeated_left_out_or_moved_end_the_log() {
        let (_dir, path) = log_of(&[1, 2, 3, 4]);
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let of = |order: &[usize]| {
            fs::write(&path, order.iter().map(|at| lines[*at]).collect::<String>()).unwrap();
            read(&path).0
        };
        assert_eq!(of(&[0, 1, 2, 3]), [1, 2, 3, 4]);
        assert_eq!(of(&[0, 1, 1, 2, 3]), [1, 2], "repeated");
        assert_eq!(of(&[0, 2, 3]), [1], "left out");
        assert_eq!(of(&[0, 1, 3]), [1, 2], "left out before the last");
        assert_eq!(of(&[0, 2, 1, 3]), [1], "moved");
        assert_eq!(of(&[0, 0, 1]), [1], "the first one repeated");
        assert!(of(&[1, 2, 3]).is_empty(), "the first one left out");
    }

    /// As lines were written before they depended on each other.
    #[test]
    fn a_log_of_lines_that_do_not_follow_each_other_has_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let line = |value: u32| {
            let json = value.to_string();
            format!("{:016x} {json}\n", xxh3_64_with_seed(json.as_bytes(), 0))
        };
        fs::write(&path, [7, 70].map(line).concat()).unwrap();
        assert!(read(&path).0.is_empty());
    }
}
