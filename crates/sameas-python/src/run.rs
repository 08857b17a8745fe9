//! What a job found.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use sameas::entities::{RecordTable, WithColumns};
use sameas::{Error, OutputFolder, Result, ResultBatches, ResultFile, Why};
use sameas_cli::{give_back, report};

use crate::arrow_out::{BatchMaker, Batches, MadeBatches};
use crate::errors::{OrException, json};
use crate::format::{format_named, format_of};
use crate::input::Input;
use crate::page::Page;
use crate::run_table::{MadeTable, RunTable};
use crate::supervise::supervise;
use crate::sweep::SweepTable;

/// What a job found: pairs, clusters, near pairs, pairs between clusters, and the record of how.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Run {
    found: Arc<SharedRun>,
}

/// A run that streams of its results share: it lives as long as one of them does.
pub struct SharedRun {
    run: Option<RwLock<sameas::Run>>,
    /// Tables that are read at the moment, and hold the run as long.
    streams: AtomicUsize,
}

impl SharedRun {
    fn lock(&self) -> &RwLock<sameas::Run> {
        self.run.as_ref().expect("it is taken only when it is dropped")
    }

    /// The run, to look at.
    pub fn read(&self) -> RwLockReadGuard<'_, sameas::Run> {
        self.lock().read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a table, as long as somebody takes its rows.
    pub fn streamed<T>(&self, read: impl FnOnce(&sameas::Run) -> T) -> T {
        let (run, _reading) = (self.read(), OpenStream::begin(&self.streams));
        read(&run)
    }

    /// Writes something of the run. A table that waits for its reader would never let go of it.
    pub fn written<T>(&self, write: impl FnOnce(&mut sameas::Run) -> Result<T>) -> Result<T> {
        if self.streams.load(Relaxed) > 0 {
            return Err(
                Error::usage("a table of the run is being read").with_help("read it to its end first, or drop it")
            );
        }
        write(&mut self.lock().write().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A table that is being read.
struct OpenStream<'a>(&'a AtomicUsize);

impl<'a> OpenStream<'a> {
    fn begin(streams: &'a AtomicUsize) -> Self {
        streams.fetch_add(1, Relaxed);
        Self(streams)
    }
}

impl Drop for OpenStream<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Drop for SharedRun {
    fn drop(&mut self) {
        drop(self.run.take());
        // The records and pairs are freed; the interpreter goes on, and others need the memory.
        give_back();
    }
}

impl Run {
    /// A run for Python.
    pub fn new(run: sameas::Run) -> Self {
        Self { found: Arc::new(SharedRun { run: Some(RwLock::new(run)), streams: AtomicUsize::new(0) }) }
    }
}

/// The results of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultKind {
    Pairs,
    Clusters,
    Near,
    Cut,
}

impl ResultKind {
    fn named(name: &str) -> Result<Self> {
        match name {
            "pairs" => Ok(Self::Pairs),
            "clusters" => Ok(Self::Clusters),
            "near" => Ok(Self::Near),
            "cut" => Ok(Self::Cut),
            _ => Err(Error::internal(format!("a run has no `{name}`"))),
        }
    }

    fn batches(self, run: &sameas::Run) -> Result<ResultBatches<'_>> {
        match self {
            Self::Pairs => Ok(run.pairs()),
            Self::Clusters => Ok(run.clusters()),
            Self::Near => run.near().ok_or_else(|| {
                Error::usage("near pairs were not looked for").with_help("ask for them: near=0.05, for example")
            }),
            Self::Cut => run.cut().ok_or_else(|| {
                Error::usage("the rules do not say how clusters are made, so no pair was cut")
                    .with_help("`[clusters]` and `[[limit]]` say it, with one threshold at most")
            }),
        }
    }
}

/// Makes the batches of a result of a run.
struct ResultMaker {
    found: Arc<SharedRun>,
    kind: ResultKind,
    schema: SchemaRef,
    count: usize,
}

impl ResultMaker {
    fn new(found: &Arc<SharedRun>, kind: ResultKind) -> Result<Self> {
        let run = found.read();
        let batches = kind.batches(&run)?;
        let (schema, count) = (batches.schema(), batches.len());
        Ok(Self { found: Arc::clone(found), kind, schema, count })
    }
}

impl BatchMaker for ResultMaker {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn count(&self) -> usize {
        self.count
    }

    fn make(&self, number: usize) -> Result<RecordBatch> {
        let run = self.found.read();
        let batch = self.kind.batches(&run)?.nth(number);
        batch.unwrap_or_else(|| Err(Error::internal("a batch of results is not there")))
    }
}

#[pymethods]
impl Run {
    /// A result as a stream of batches: `pairs`, `clusters`, `near` or `cut`.
    fn batches(&self, py: Python<'_>, result: &str) -> PyResult<Batches> {
        let maker = ResultKind::named(result).and_then(|kind| ResultMaker::new(&self.found, kind)).or_exception(py)?;
        Ok(Batches::new(Box::new(MadeBatches::new(Arc::new(maker)))))
    }

    /// The number of rows of a result.
    fn rows(&self, py: Python<'_>, result: &str) -> PyResult<u64> {
        let run = self.found.read();
        ResultKind::named(result).and_then(|kind| Ok(kind.batches(&run)?.rows())).or_exception(py)
    }

    /// A row for each cluster; with provenance also where each value is from.
    fn entities(&self, provenance: bool) -> RunTable {
        let rows = self.found.read().record().clusters;
        RunTable::new(&self.found, MadeTable::Records(RecordTable::Entities { provenance }), rows)
    }

    /// The records with their entities, or the best one of each.
    fn records(&self, best: bool) -> RunTable {
        let run = self.found.read();
        let (table, rows) = match best {
            true => (RecordTable::Best, run.record().clusters),
            false => (RecordTable::Records, run.clusters().rows()),
        };
        RunTable::new(&self.found, MadeTable::Records(table), rows)
    }

    /// The pairs with these columns of both records, or with all but those of ids.
    fn pairs_with(&self, columns: Option<Vec<String>>) -> RunTable {
        let columns = columns.map_or(WithColumns::All, WithColumns::Named);
        let rows = self.found.read().pairs().rows();
        RunTable::new(&self.found, MadeTable::Pairs(columns), rows)
    }

    /// The record of the run as JSON, and as text.
    fn record(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let record = py.detach(|| self.found.read().record());
        Ok((json(&record).or_exception(py)?, report::summary(&record, None)))
    }

    /// Why two records are a pair or not: as the program says it, in full with both records, and as JSON.
    fn why(
        &self,
        py: Python<'_>,
        ids: (String, String),
        display: &Bound<'_, PyAny>,
    ) -> PyResult<(String, String, String)> {
        let found = Arc::clone(&self.found);
        supervise(py, display, move |watch| answer(found.read().why_with_records([&ids.0, &ids.1], watch)?))
    }

    /// The records of a cluster: as the program shows them, in full, and as JSON.
    fn cluster(
        &self,
        py: Python<'_>,
        id: String,
        most: u64,
        display: &Bound<'_, PyAny>,
    ) -> PyResult<(String, String, String)> {
        let (found, most) = (Arc::clone(&self.found), usize::try_from(most).unwrap_or(usize::MAX).max(1));
        supervise(py, display, move |watch| {
            let shown = found.read().cluster(&id, most, watch)?;
            Ok((report::cluster(&shown, false), report::cluster(&shown, true), json(&shown)?))
        })
    }

    /// Writes all results into a folder.
    fn write(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        format: &str,
        overwrite: bool,
        display: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (found, format) = (Arc::clone(&self.found), format_named(format).or_exception(py)?);
        supervise(py, display, move |watch| {
            let folder = OutputFolder::create(&folder, overwrite)?;
            found.written(|run| run.write(folder, format, watch))
        })
    }

    /// Writes a report of the run, one HTML file to look at.
    #[allow(clippy::too_many_arguments)]
    fn report(
        &self,
        py: Python<'_>,
        path: PathBuf,
        mask: Vec<String>,
        size: u64,
        truth: Option<Input>,
        sweep: Option<SweepTable>,
        overwrite: bool,
        display: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let found = Arc::clone(&self.found);
        let page = Page { path, overwrite, size, mask, truth, sweep, folder: String::new() };
        supervise(py, display, move |watch| {
            let reads = found.read().files_read();
            page.write(reads, watch, |options, observer| found.read().report(options, observer))
        })
    }

    /// Writes one result into a file.
    fn write_table(
        &self,
        py: Python<'_>,
        result: &str,
        path: PathBuf,
        overwrite: bool,
        display: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (found, kind) = (Arc::clone(&self.found), ResultKind::named(result).or_exception(py)?);
        supervise(py, display, move |watch| {
            let format = format_of(&path)?;
            let mut file = ResultFile::create(&path, overwrite)?;
            let name = path.display().to_string();
            found.written(|run| {
                file.protect_inputs(&run.files_read())?;
                match kind {
                    ResultKind::Pairs => run.write_pairs(&mut file, format, &name, watch),
                    ResultKind::Clusters => run.write_clusters(&mut file, format, &name, watch),
                    ResultKind::Near => Err(Error::usage("near pairs are written with all results, into a folder")),
                    ResultKind::Cut => Err(Error::usage("cut pairs are written with all results, into a folder")),
                }
            })?;
            file.finish()
        })
    }
}

/// Why two records are a pair or not: as the program says it, in full with both records, and as JSON.
pub fn answer(mut why: Why) -> Result<(String, String, String)> {
    let (full, facts) = (report::pair(&why, true), json(&why)?);
    why.records.clear();
    Ok((report::pair(&why, false), full, facts))
}
