//! The results of a run, read again as often as needed: batch by batch, so that their number does not matter.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use xxhash_rust::xxh3::Xxh3;

use crate::engine::RunRecord;
use crate::error::{Error, Result};
use crate::output::{FileRecord, Format, current};
use crate::records::Input;

/// Rows of a batch.
const BATCH_ROWS: usize = 1 << 16;

/// Bytes of a file that are hashed at a time.
const PIECE: usize = 1 << 20;

/// The rows of a result, some at a time.
pub type ResultRows<'a> = Box<dyn Iterator<Item = Result<RecordBatch>> + 'a>;

/// The tables that a run has given. Columns have the names that files have; their types may be any that hold the values.
pub trait RunResults: Sync {
    /// The pairs.
    fn pairs(&self) -> Result<ResultRows<'_>>;

    /// The clusters: every record once, in order.
    fn clusters(&self) -> Result<ResultRows<'_>>;

    /// The near pairs, if the run looked for them.
    fn near(&self) -> Result<Option<ResultRows<'_>>>;

    /// The pairs between clusters, if the rules of the run say how clusters are made.
    fn cut(&self) -> Result<Option<ResultRows<'_>>>;

    /// The pairs as an input, to be compared with the truth.
    fn pairs_as_input(&self) -> Result<Input>;
}

/// The results in a folder.
pub struct FolderResults {
    pairs: ResultPath,
    clusters: ResultPath,
    near: Option<ResultPath>,
    cut: Option<ResultPath>,
}

/// A file of results.
struct ResultPath {
    path: PathBuf,
    format: Format,
}

impl FolderResults {
    /// The results of a run in a folder, which must be as the run wrote them.
    pub fn open(folder: &Path, run: &RunRecord) -> Result<Self> {
        let file = |name: &str| {
            let of_name = |format: &Format| {
                let name = format!("{name}.{}", format.extension());
                run.files.iter().find(|file| file.name == name).map(|file| (file, *format))
            };
            Format::of_files().iter().find_map(of_name)
        };
        let open = |(file, format): (&FileRecord, Format)| {
            let path = current(&folder.join(&file.name));
            check_unchanged(&path, file)?;
            Ok(ResultPath { path, format })
        };
        let needed = |name: &str| {
            let found = file(name).ok_or_else(|| {
                Error::data(format!("the run in `{}` has written no {name}", folder.display()))
                    .with_help("name the folder that a dedupe or a link has written")
            });
            found.and_then(open)
        };
        let [near, cut] = ["near", "cut"].map(|name| file(name).map(open).transpose());
        Ok(Self { pairs: needed("pairs")?, clusters: needed("clusters")?, near: near?, cut: cut? })
    }
}

impl RunResults for FolderResults {
    fn pairs(&self) -> Result<ResultRows<'_>> {
        self.pairs.rows()
    }

    fn clusters(&self) -> Result<ResultRows<'_>> {
        self.clusters.rows()
    }

    fn near(&self) -> Result<Option<ResultRows<'_>>> {
        self.near.as_ref().map(ResultPath::rows).transpose()
    }

    fn cut(&self) -> Result<Option<ResultRows<'_>>> {
        self.cut.as_ref().map(ResultPath::rows).transpose()
    }

    fn pairs_as_input(&self) -> Result<Input> {
        Ok(Input::files([&self.pairs.path]))
    }
}

/// Refuses a file that is not as a run wrote it: what was not changed needs no other check.
fn check_unchanged(path: &Path, file: &FileRecord) -> Result<()> {
    let cannot_read = |error| Error::io("cannot read", path, error);
    let mut content = File::open(path).map_err(cannot_read)?;
    let (mut hash, mut piece, mut bytes) = (Xxh3::new(), vec![0; PIECE], 0);
    loop {
        let read = content.read(&mut piece).map_err(cannot_read)?;
        if read == 0 {
            break;
        }
        bytes += read as u64;
        hash.update(&piece[..read]);
    }
    if bytes == file.bytes && format!("{:032x}", hash.digest128()) == file.xxh128 {
        return Ok(());
    }
    Err(Error::data(format!("`{}` is not as the run in its folder wrote it", path.display()))
        .with_help("run the job again"))
}

/// The columns that results may have and that are read, all as text.
const COLUMNS: [&str; 14] = [
    "source_dataset",
    "unique_id",
    "cluster_id",
    "source_dataset_l",
    "unique_id_l",
    "source_dataset_r",
    "unique_id_r",
    "match_key",
    "loosened",
    "match_weight",
    "match_probability",
    "score",
    "cause",
    "because",
];

impl ResultPath {
    fn rows(&self) -> Result<ResultRows<'_>> {
        let file = File::open(&self.path).map_err(|error| Error::io("cannot read", &self.path, error))?;
        match self.format {
            Format::Parquet => self.parquet(file),
            Format::Csv | Format::EscapedCsv => self.csv(&file),
            Format::Json => self.json(file),
        }
    }

    fn failed(&self, error: &dyn std::fmt::Display) -> Error {
        Error::data(format!("cannot read `{}`: {error}", self.path.display()))
    }

    fn parquet(&self, file: File) -> Result<ResultRows<'_>> {
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|b| b.with_batch_size(BATCH_ROWS).build());
        let reader = reader.map_err(|error| self.failed(&error))?;
        Ok(Box::new(reader.map(|batch| batch.map_err(|error| self.failed(&error)))))
    }

    fn csv(&self, file: &File) -> Result<ResultRows<'_>> {
        let mut names = csv::Reader::from_reader(BufReader::new(file));
        let names = names.headers().map_err(|error| self.failed(&error))?.clone();
        let schema = texts(names.iter());
        let wanted = names.iter().enumerate().filter(|(_, name)| COLUMNS.contains(name)).map(|(at, _)| at).collect();
        let file = File::open(&self.path).map_err(|error| Error::io("cannot read", &self.path, error))?;
        let builder = arrow_csv::ReaderBuilder::new(schema).with_header(true).with_batch_size(BATCH_ROWS);
        let reader = builder.with_projection(wanted).build(file).map_err(|error| self.failed(&error))?;
        Ok(Box::new(reader.map(|batch| batch.map_err(|error| self.failed(&error)))))
    }

    /// Columns that the file does not have are null.
    fn json(&self, file: File) -> Result<ResultRows<'_>> {
        let builder = arrow_json::ReaderBuilder::new(texts(COLUMNS.into_iter())).with_batch_size(BATCH_ROWS);
        let reader = builder.with_coerce_primitive(true).build(BufReader::new(file));
        let reader = reader.map_err(|error| self.failed(&error))?;
        Ok(Box::new(reader.map(|batch| batch.map_err(|error| self.failed(&error)))))
    }
}

fn texts<'a>(names: impl Iterator<Item = &'a str>) -> SchemaRef {
    Arc::new(Schema::new(names.map(|name| Field::new(name, DataType::Utf8, true)).collect::<Vec<_>>()))
}
