//! Thresholds and ways to make clusters, compared.

use pyo3::prelude::*;
use sameas::evaluate::{SweepMethod, SweepRequest};
use sameas::{Error, Result};
use sameas_cli::report;

use crate::errors::OrException;
use crate::evaluate::kind_named;
use crate::input::Input;
use crate::pair_clusters::ClusterPairsJob;
use crate::session::Session;
use crate::supervise::supervise;

/// Thresholds and methods that were compared.
#[pyclass(frozen, from_py_object, module = "sameas._sameas")]
#[derive(Clone)]
pub struct SweepTable {
    pub table: sameas::evaluate::SweepTable,
}

/// Thresholds and methods compared on the pairs of a job: as text, as JSON, and for reports.
#[pyfunction]
#[pyo3(signature = (session, job, display, *, thresholds=None, methods=None, density=None, truth=None, truth_kind=None,
                    labels=None, among=false, across=false))]
#[allow(clippy::too_many_arguments)]
fn sweep(
    py: Python<'_>,
    session: &Session,
    job: &ClusterPairsJob,
    display: &Bound<'_, PyAny>,
    thresholds: Option<Vec<f64>>,
    methods: Option<Vec<String>>,
    density: Option<f64>,
    truth: Option<Input>,
    truth_kind: Option<&str>,
    labels: Option<Input>,
    among: bool,
    across: bool,
) -> PyResult<(String, String, SweepTable)> {
    let mut request = SweepRequest::new(job.job.clone());
    let methods: Result<Vec<SweepMethod>> = methods.iter().flatten().map(|name| method_named(name)).collect();
    (request.thresholds, request.methods) = (thresholds.unwrap_or_default(), methods.or_exception(py)?);
    request.density = density.unwrap_or(request.density);
    request.truth = truth.map(|truth| truth.input);
    request.truth_kind = truth_kind.map(|kind| kind_named("truth_kind", kind)).transpose().or_exception(py)?;
    request.labels = labels.map(|labels| labels.input);
    (request.among_known, request.across) = (among, across);
    let session = session.session.clone();
    supervise(py, display, move |watch| {
        let table = session.sweep(&request, watch)?;
        Ok((report::sweep(&table), report::sweep_json(&table), SweepTable { table }))
    })
}

fn method_named(name: &str) -> Result<SweepMethod> {
    SweepMethod::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
        let names = SweepMethod::ALL.map(SweepMethod::name).join(", ");
        Error::usage(format!("there is no method `{name}`")).with_help(format!("the methods are {names}"))
    })
}

/// Adds the function to the module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sweep, module)?)
}
