//! Clusters of pairs of any origin.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;
use sameas::clusters::{self, PairClusterTable, PairColumnNames};
use sameas::{Error, Observer, OutputFolder};
use sameas_cli::report;

use crate::arrow_out::Batches;
use crate::errors::{OrException, json};
use crate::format::format_named;
use crate::input::Input;
use crate::pushed::{Push, PushedBatches};
use crate::rules::RuleFile;
use crate::session::Session;
use crate::supervise::supervise;

/// Clusters of pairs, and what was cut.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct PairClusters {
    found: Arc<RwLock<sameas::clusters::PairClusters>>,
    session: Session,
}

impl PairClusters {
    fn with<T>(&self, ask: impl FnOnce(&sameas::clusters::PairClusters) -> T) -> T {
        ask(&self.found.read().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl PairClusters {
    /// The number of rows of `clusters` or `cut`.
    fn rows(&self, py: Python<'_>, table: &str) -> PyResult<u64> {
        let table = table_named(table).or_exception(py)?;
        Ok(self.with(|found| found.rows(table)))
    }

    /// The rows of `clusters` or `cut`, in order, as a stream.
    fn batches(&self, py: Python<'_>, table: &str) -> PyResult<Batches> {
        let table = table_named(table).or_exception(py)?;
        let (schema, found) = (self.with(|found| found.schema(table)), Arc::clone(&self.found));
        let read = move |sink: Push<'_>| {
            found.read().unwrap_or_else(PoisonError::into_inner).read(table, &mut |batch| sink(batch))
        };
        Ok(Batches::new(Box::new(PushedBatches::new(schema, read))))
    }

    /// What was clustered and what came of it: as text and as JSON.
    fn record(&self, py: Python<'_>) -> PyResult<(String, String)> {
        self.with(|found| {
            let record = found.record();
            let seconds = &record.seconds;
            let time = std::time::Duration::from_secs_f64(seconds.reading + seconds.numbering + seconds.clustering);
            Ok((report::pair_clusters(record, None, time), json(record).or_exception(py)?))
        })
    }

    /// Writes clusters, cut pairs and the record into a folder.
    fn write(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        format: &str,
        overwrite: bool,
        display: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (found, session) = (Arc::clone(&self.found), self.session.session.clone());
        let format = format_named(format).or_exception(py)?;
        supervise(py, display, move |watch| {
            let folder = OutputFolder::create(&folder, overwrite)?;
            // A stream that waits for its reader would never let go.
            let mut found = found.try_write().map_err(|_| Error::usage("the clusters are being read"))?;
            session.write_pair_clusters(&mut found, folder, format, watch)
        })
    }
}

fn table_named(name: &str) -> sameas::Result<PairClusterTable> {
    match name {
        "clusters" => Ok(PairClusterTable::Clusters),
        "cut" => Ok(PairClusterTable::Cut),
        other => Err(Error::usage(format!("there is no table `{other}`")).with_help("clusters or cut")),
    }
}

/// Pairs, or those of a run whose results are in `folder`, and how clusters are to be made of them.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct ClusterPairsJob {
    pub job: clusters::ClusterPairsJob,
}

#[pymethods]
impl ClusterPairsJob {
    #[new]
    #[pyo3(signature = (pairs, rules, *, folder=None, sides=None, records=None, keep_apart=None, decided=None,
                        columns=None, source_columns=None, score=None, match_key=None, certain=None, id=None,
                        source=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        pairs: Option<Input>,
        rules: Option<RuleFile>,
        folder: Option<PathBuf>,
        sides: Option<(String, String)>,
        records: Option<Vec<Input>>,
        keep_apart: Option<Input>,
        decided: Option<Input>,
        columns: Option<(String, String)>,
        source_columns: Option<(String, String)>,
        score: Option<String>,
        match_key: Option<String>,
        certain: Option<String>,
        id: Option<String>,
        source: Option<String>,
    ) -> PyResult<Self> {
        let mut job = match (pairs, folder) {
            (Some(pairs), _) => clusters::ClusterPairsJob::new(pairs.input),
            (None, Some(folder)) => clusters::ClusterPairsJob::of_run(&folder).or_exception(py)?,
            (None, None) => return Err(Error::usage("no pairs were given")).or_exception(py),
        };
        if let Some(rules) = rules {
            job = job.with_rules(rules.rules);
        }
        let two = |names: Option<(String, String)>| names.map(|(first, second)| [first, second]);
        let (ids, sources) = (two(columns), two(source_columns));
        job.columns = PairColumnNames { ids, sources, score, match_key, certain };
        job.sides = two(sides).or(job.sides);
        job.records = records.unwrap_or_default().into_iter().map(|records| records.input).collect();
        job.keep_apart = keep_apart.map(|pairs| pairs.input);
        job.decided = decided.map(|judgements| judgements.input);
        (job.id, job.source) = (id, source);
        Ok(Self { job })
    }

    /// Whether the records of both sides are of different inputs.
    fn has_sides(&self) -> bool {
        self.job.sides.is_some()
    }
}

/// Makes the clusters of a job.
#[pyfunction]
fn cluster_pairs(
    py: Python<'_>,
    session: &Session,
    job: &ClusterPairsJob,
    display: &Bound<'_, PyAny>,
) -> PyResult<PairClusters> {
    let (running, job) = (session.session.clone(), job.job.clone());
    let found = supervise(py, display, move |watch| running.cluster_pairs(&job, watch as &dyn Observer))?;
    Ok(PairClusters { found: Arc::new(RwLock::new(found)), session: session.clone() })
}

/// Adds the function to the module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cluster_pairs, module)?)
}
