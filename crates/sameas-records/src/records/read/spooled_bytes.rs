//! Bytes that come once, from a pipe or standard input, and can be read from the beginning as often as needed: what has come
//! of them is kept in a temporary file without a name, which is left by no end of the process.
//!
//! Whoever reads first takes the bytes as they come, so that a header that never ends is refused before it fills the disk.
//! Others read the file, and go on with the stream where the file ends.

use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::byte_source::{StoredBytes, Stream, unreadable};
use crate::error::Result;
use crate::file_at::{read_some_at, write_at};

/// Bytes that are copied at a time where nobody wants to see them.
const COPIED: usize = 1 << 20;

/// A stream, and what has come of it.
#[derive(Clone)]
pub(in crate::records) struct SpooledBytes(Arc<Mutex<ByteSpool>>);

struct ByteSpool {
    stream: Stream,
    file: Arc<File>,
    /// Bytes that have come.
    came: u64,
    /// Why what has come is not in the file, where it is not.
    lost: Option<io::Error>,
    /// How the stream has failed.
    failed: Option<io::Error>,
}

impl SpooledBytes {
    /// Keeps what comes of a stream.
    pub(super) fn new(stream: Stream) -> io::Result<Self> {
        let file = Arc::new(tempfile::tempfile().map_err(|error| not_kept(&error))?);
        Ok(Self(Arc::new(Mutex::new(ByteSpool { stream, file, came: 0, lost: None, failed: None }))))
    }

    /// Whether it can be read from the beginning.
    pub(in crate::records) fn is_kept(&self) -> bool {
        self.lock().lost.is_none()
    }

    /// The bytes from the beginning.
    pub(super) fn read_from_start(&self) -> SpooledStream {
        SpooledStream { bytes: self.clone(), at: 0 }
    }

    fn lock(&self) -> MutexGuard<'_, ByteSpool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for SpooledBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a stream of bytes")
    }
}

impl StoredBytes for SpooledBytes {
    fn unpacked(&self, _label: &str) -> Result<Stream> {
        Ok(Box::new(self.read_from_start()))
    }

    fn file(&self, label: &str) -> Result<File> {
        let whole = || {
            let mut buffer = vec![0; COPIED];
            let mut spool = self.lock();
            loop {
                match spool.next(&mut buffer) {
                    Ok(0) => break,
                    Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
                    _ => {}
                }
            }
            spool.lost.as_ref().map_or_else(|| spool.file.try_clone(), |lost| Err(not_kept(lost)))
        };
        whole().map_err(|error| unreadable(label, &error))
    }

    /// Nobody else can write to it.
    fn check_unchanged(&self, _label: &str) -> Result<()> {
        Ok(())
    }
}

impl ByteSpool {
    /// The next bytes of the stream, which go into the file too.
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(failed) = &self.failed {
            return Err(same(failed));
        }
        let count = match self.stream.read(buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                self.failed = Some(same(&error));
                return Err(error);
            }
        };
        // A full disk is no reason to stop whoever reads first.
        if self.lost.is_none() {
            self.lost = write_at(&self.file, &buffer[..count], self.came).err();
        }
        self.came += count as u64;
        Ok(count)
    }
}

/// An error that is reported again.
fn same(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), error.to_string())
}

fn not_kept(lost: &io::Error) -> io::Error {
    let what = format!("it comes only once, and was not kept in a temporary file: {lost}");
    io::Error::new(io::ErrorKind::StorageFull, what)
}

/// One pass over the bytes.
pub(super) struct SpooledStream {
    bytes: SpooledBytes,
    at: u64,
}

impl Read for SpooledStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut spool = self.bytes.lock();
        let count = match spool.came.checked_sub(self.at) {
            Some(0) | None => spool.next(buffer)?,
            Some(before) => {
                if let Some(lost) = &spool.lost {
                    return Err(not_kept(lost));
                }
                let most = buffer.len().min(usize::try_from(before).unwrap_or(usize::MAX));
                let file = Arc::clone(&spool.file);
                drop(spool);
                read_some_at(&file, &mut buffer[..most], self.at)?
            }
        };
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that fail after these.
    struct Failing(io::Cursor<Vec<u8>>);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::new(io::ErrorKind::InvalidData, "broken")),
                count => Ok(count),
            }
        }
    }

    fn bytes() -> Vec<u8> {
        (0..100_000_u32).flat_map(u32::to_le_bytes).collect()
    }

    fn read(stream: &mut impl Read, count: u64) -> Vec<u8> {
        let mut all = Vec::new();
        stream.take(count).read_to_end(&mut all).unwrap();
        all
    }

    #[test]
    fn passes_read_the_same_wherever_others_are() {
        let (whole, stream) = (bytes(), Box::new(io::Cursor::new(bytes())));
        let spooled = SpooledBytes::new(stream).unwrap();
        let (mut first, mut second) = (spooled.read_from_start(), spooled.read_from_start());
        assert_eq!(read(&mut first, 1_000), whole[..1_000]);
        // It goes beyond the first, which then reads the file until it is ahead again.
        assert_eq!(read(&mut second, 50_000), whole[..50_000]);
        assert_eq!(read(&mut first, u64::MAX), whole[1_000..]);
        assert_eq!(read(&mut second, u64::MAX), whole[50_000..]);
        assert_eq!(read(&mut spooled.read_from_start(), u64::MAX), whole);
        assert!(spooled.is_kept());
    }

    #[test]
    fn a_file_has_all_of_the_stream() {
        let spooled = SpooledBytes::new(Box::new(io::Cursor::new(bytes()))).unwrap();
        read(&mut spooled.read_from_start(), 7);
        let file = spooled.file("x").unwrap();
        let mut all = vec![0; bytes().len()];
        crate::file_at::read_at(&file, &mut all, 0).unwrap();
        assert_eq!((file.metadata().unwrap().len() as usize, all), (bytes().len(), bytes()));
    }

    #[test]
    fn a_stream_that_fails_does_so_each_time() {
        let spooled = SpooledBytes::new(Box::new(Failing(io::Cursor::new(vec![7; 100])))).unwrap();
        for _ in 0..2 {
            let mut all = Vec::new();
            let error = spooled.read_from_start().read_to_end(&mut all).unwrap_err();
            assert_eq!(
                (all.len(), error.kind(), error.to_string()),
                (100, io::ErrorKind::InvalidData, "broken".into())
            );
        }
        assert!(spooled.file("x").is_err());
    }
}
