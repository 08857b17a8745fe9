//! Runs in a file that outlives the process: index and packed pairs of each, with a hash.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::run::SortedRun;
use super::store::{Spilled, Store};
use super::{PairBuffer, PairSorter, SorterMark, lock};
use crate::error::{Error, Result};
use crate::output::fault::write_error;
use crate::pairs::Pair;

/// Bytes that are copied or hashed at a time.
const CHUNK: u64 = 1 << 20;

/// Where a run is in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedRun {
    pairs: u64,
    start: u64,
    bytes: u64,
    xxh128: String,
}

impl PairBuffer {
    /// Writes the runs of all buffers after a mark to a new file. Runs that were in temporary files are read from it from
    /// now on. What is in a buffer is not written: flush all of them first.
    pub fn save(&self, since: SorterMark, path: &Path) -> Result<Vec<SavedRun>> {
        let mut runs = lock(&self.shared.runs);
        let runs = &mut runs[since.runs..];
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let file = file.map_err(|error| write_error(path, error))?;
        let saved = write_runs(&file, runs, path)?;
        let file = std::sync::Arc::new(Spilled::new(file, path));
        for (run, saved) in runs.iter_mut().zip(&saved) {
            run.move_to(&file, saved.start);
        }
        Ok(saved)
    }

    /// Runs of this buffer go to another temporary file from now on; the one up to now vanishes with its last run.
    pub fn end_spill(&mut self) {
        self.spill = None;
    }
}

impl PairSorter {
    /// Takes over runs that were saved by a sorter as this one is, and shows each of their pairs to `take`.
    pub fn restore(&self, path: &Path, saved: &[SavedRun], take: &dyn Fn(Pair)) -> Result<()> {
        let unreadable = |error| Error::io("cannot read", path, error);
        let file = std::sync::Arc::new(Spilled::new(File::open(path).map_err(unreadable)?, path));
        for saved in saved {
            let mut index = vec![0; SortedRun::index_bytes(saved.pairs as usize)];
            file.read(&mut index, saved.start).map_err(unreadable)?;
            let packed = saved.start + index.len() as u64;
            let (pairs, store) = (saved.pairs as usize, Store::File(file.clone(), packed));
            let run = SortedRun::restored(pairs, self.shared.has_scores, &index, store);
            run.each(take)?;
            lock(&self.shared.runs).push(run);
        }
        Ok(())
    }
}

/// Whether the runs in a file are as they were saved.
pub fn are_intact(path: &Path, saved: &[SavedRun]) -> bool {
    let intact = || -> io::Result<bool> {
        let mut file = File::open(path)?;
        for run in saved {
            file.seek(SeekFrom::Start(run.start))?;
            if hash_of(&mut BufReader::with_capacity(CHUNK as usize, &file).take(run.bytes))? != run.xxh128 {
                return Ok(false);
            }
        }
        Ok(true)
    };
    intact().unwrap_or(false)
}

fn write_runs(file: &File, runs: &[SortedRun], path: &Path) -> Result<Vec<SavedRun>> {
    let mut out = BufWriter::with_capacity(CHUNK as usize, file);
    let (mut saved, mut start, mut buffer) = (Vec::with_capacity(runs.len()), 0, Vec::new());
    for run in runs {
        let (mut hash, mut bytes) = (Xxh3::new(), 0);
        let mut write = |piece: &[u8]| {
            hash.update(piece);
            bytes += piece.len() as u64;
            out.write_all(piece).map_err(|error| write_error(path, error))
        };
        write(&run.index_as_bytes())?;
        let packed = run.packed_bytes();
        for from in (0..packed).step_by(CHUNK as usize) {
            write(run.packed(from..packed.min(from + CHUNK), &mut buffer)?)?;
        }
        saved.push(SavedRun { pairs: run.len() as u64, start, bytes, xxh128: format!("{:032x}", hash.digest128()) });
        start += bytes;
    }
    let done = out.flush().and_then(|()| file.sync_data());
    done.map_err(|error| write_error(path, error))?;
    Ok(saved)
}

fn hash_of(bytes: &mut impl Read) -> io::Result<String> {
    let (mut hash, mut buffer) = (Xxh3::new(), vec![0; CHUNK as usize]);
    loop {
        match bytes.read(&mut buffer)? {
            0 => return Ok(format!("{:032x}", hash.digest128())),
            read => hash.update(&buffer[..read]),
        }
    }
}
