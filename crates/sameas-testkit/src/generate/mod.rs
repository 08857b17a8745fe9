//! The generator of dirty data: people, publications or CDs of any number, with duplicates and the truth about them.
//!
//! Every record is a pure function of the seed and its row, so that any number of records takes constant memory, any
//! number of threads writes the same bytes, and one seed always makes the same files.

mod cds;
mod chunk;
mod csv;
mod errors;
mod layout;
mod options;
mod output;
mod parquet;
mod people;
mod permutation;
mod publications;
mod words;

use chunk::{Chunk, Maker};
use layout::Layout;
use output::Partial;
use parquet::ParquetFile;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::Builder;
use words::Vocabulary;

pub use options::{Format, Kind, Options};

/// What was generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The files: the inputs, then the truth.
    pub files: Vec<PathBuf>,
    /// The number of records over all inputs.
    pub records: u64,
    /// The number of them that are copies of another.
    pub duplicates: u64,
    /// The number of clusters, of one record or more.
    pub clusters: u64,
}

/// Learns how many records are written, and may end the work.
pub type Progress<'a> = dyn FnMut(u64) -> io::Result<()> + 'a;

fn names(options: &Options) -> &'static [&'static str] {
    if options.two_inputs { &["left", "right"] } else { &["records"] }
}

fn extension(options: &Options) -> &'static str {
    if options.format == Format::Csv { "csv" } else { "parquet" }
}

/// The files in `dir` while they are not whole.
pub fn partial_files(options: &Options, dir: &Path) -> Vec<PathBuf> {
    let inputs = names(options).iter().map(|name| format!("{name}.{}", extension(options)));
    inputs.chain(["truth.csv".to_owned()]).map(|name| output::temporary(dir, &name)).collect()
}

/// The number of rows a thread makes at a time.
const CHUNK_ROWS: u64 = 8192;

/// Writes `records.*`, or `left.*` and `right.*`, and `truth.csv` (`id,cluster`) into `dir`, which exists. Calls
/// `progress` with the number of records written so far, which may end it by an error. Files appear under their names when
/// all are whole; until then they are in [`partial_files`].
///
/// # Errors
/// If a file cannot be written, or if a share is not from 0 to 1.
pub fn generate(options: &Options, dir: &Path, progress: &mut Progress<'_>) -> io::Result<Summary> {
    for (share, name) in [(options.duplicates, "duplicates"), (options.missing, "missing values")] {
        if !(0.0..=1.0).contains(&share) {
            let message = format!("the share of {name} must be from 0 to 1, not {share}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    }
    let (layout, words) = (Layout::new(options), Vocabulary::new());
    let maker = Maker { options, layout: &layout, words: &words };
    let names = names(options);
    let mut truth = Partial::create(dir, "truth.csv")?;
    truth.1.write_all(csv::header(&["id", "cluster"]).as_bytes())?;
    let (mut inputs, mut done) = (Vec::new(), 0);
    for (input, name) in names.iter().enumerate() {
        let mut advance = |rows: u64| {
            done += rows;
            progress(done)
        };
        inputs.push(write_input(&maker, input, name, dir, &mut truth.1, &mut advance)?);
    }
    inputs.push(truth);
    let files = inputs.into_iter().map(|(partial, writer)| partial.finish(writer)).collect::<io::Result<_>>()?;
    Ok(Summary { files, records: options.records, duplicates: layout.copies, clusters: layout.entities })
}

/// The records of one input, in the format of the options.
enum Records {
    Csv(BufWriter<File>),
    Parquet(Box<ParquetFile>),
}

impl Records {
    fn start(format: Format, names: &[&str], mut to: BufWriter<File>) -> io::Result<Self> {
        match format {
            Format::Csv => {
                to.write_all(csv::header(names).as_bytes())?;
                Ok(Records::Csv(to))
            }
            Format::Parquet => Ok(Records::Parquet(Box::new(ParquetFile::new(names, to)?))),
        }
    }

    fn append(&mut self, made: &Made) -> io::Result<()> {
        match self {
            Records::Csv(to) => to.write_all(made.csv.as_bytes()),
            Records::Parquet(file) => file.append(&made.chunk),
        }
    }

    fn finish(self) -> io::Result<BufWriter<File>> {
        match self {
            Records::Csv(to) => Ok(to),
            Records::Parquet(file) => file.finish(),
        }
    }
}

/// What a thread hands over: a chunk and its text forms.
struct Made {
    chunk: Chunk,
    csv: String,
    truth: String,
}

fn write_input(
    maker: &Maker<'_>,
    input: usize,
    name: &str,
    dir: &Path,
    truth: &mut BufWriter<File>,
    advance: &mut Progress<'_>,
) -> io::Result<(Partial, BufWriter<File>)> {
    let format = maker.options.format;
    let (partial, writer) = Partial::create(dir, &format!("{name}.{}", extension(maker.options)))?;
    let columns: Vec<&str> = std::iter::once("id").chain(maker.options.kind.columns().iter().copied()).collect();
    let mut records = Records::start(format, &columns, writer)?;
    let rows = maker.layout.rows(input);
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let mut start = 0;
    while start < rows {
        let end = rows.min(start + CHUNK_ROWS * threads);
        for made in wave(maker, input, start..end) {
            records.append(&made)?;
            truth.write_all(made.truth.as_bytes())?;
            advance(made.chunk.rows as u64)?;
        }
        start = end;
    }
    Ok((partial, records.finish()?))
}

/// The chunks of a range of rows, in order, each made by its own thread, or by this one where the system has no more.
fn wave(maker: &Maker<'_>, input: usize, rows: Range<u64>) -> Vec<Made> {
    std::thread::scope(|scope| {
        let starts = rows.clone().step_by(CHUNK_ROWS as usize);
        let make = |start: u64| move || made(maker, input, start..rows.end.min(start + CHUNK_ROWS));
        let begin = |start: u64| Builder::new().spawn_scoped(scope, make(start)).map_err(|_| make(start));
        let threads: Vec<_> = starts.map(begin).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Made>| match thread.join() {
            Ok(made) => made,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().map(|begun| begun.map_or_else(|make| make(), join)).collect()
    })
}

fn made(maker: &Maker<'_>, input: usize, rows: Range<u64>) -> Made {
    let chunk = maker.chunk(input, rows);
    let csv = if maker.options.format == Format::Csv { csv::records(&chunk) } else { String::new() };
    Made { truth: csv::truth(&chunk), csv, chunk }
}

#[cfg(test)]
mod tests;
