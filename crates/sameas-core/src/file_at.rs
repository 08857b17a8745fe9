//! Reading and writing at a place of a file, from many threads with one handle, on every system.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

/// Reads some bytes at a place, at most as many as there is room for; none at the end of the file.
pub fn read_some_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, buffer, offset);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, buffer, offset);
}

/// Fills the buffer with the bytes at a place.
pub fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_some_at(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes all bytes at a place.
pub fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match write_some_at(file, bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                offset += written as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn write_some_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_at(file, bytes, offset);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_write(file, bytes, offset);
}

/// Reads a file on from a place, and moves no position that others could depend on.
#[derive(Debug)]
pub struct ReadFrom {
    /// The file.
    pub file: Arc<File>,
    /// The place.
    pub at: u64,
}

impl Read for ReadFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = read_some_at(&self.file, buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_at_a_place_is_read_there() {
        let file = tempfile::tempfile().unwrap();
        write_at(&file, b"world", 6).unwrap();
        write_at(&file, b"hello ", 0).unwrap();
        let mut read = [0; 7];
        read_at(&file, &mut read, 4).unwrap();
        assert_eq!(&read, b"o world");
        assert_eq!(read_at(&file, &mut read, 5).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(read_some_at(&file, &mut read, 9).unwrap(), 2);
        assert_eq!(read_some_at(&file, &mut read, 11).unwrap(), 0);
    }
}
