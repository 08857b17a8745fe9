//! Files that appear only when they are whole: written under another name, then renamed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is being written. Dropped before [`Partial::finish`], it leaves nothing.
pub struct Partial {
    target: PathBuf,
    temporary: PathBuf,
    finished: bool,
}

impl Partial {
    /// Starts the file `name` in `dir`.
    pub fn create(dir: &Path, name: &str) -> io::Result<(Self, BufWriter<File>)> {
        let temporary = temporary(dir, name);
        let writer = BufWriter::with_capacity(1 << 20, File::create(&temporary)?);
        Ok((Partial { target: dir.join(name), temporary, finished: false }, writer))
    }

    /// Gives the file its name; `writer` is the one that [`Partial::create`] returned.
    pub fn finish(mut self, mut writer: BufWriter<File>) -> io::Result<PathBuf> {
        writer.flush()?;
        drop(writer);
        std::fs::rename(&self.temporary, &self.target)?;
        self.finished = true;
        Ok(self.target.clone())
    }
}

/// Where the file `name` of `dir` is until it is whole.
pub fn temporary(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!(".{name}.partial"))
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing better can be done about a leftover that cannot be removed.
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}
