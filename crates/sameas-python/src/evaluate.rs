//! A result against the truth, by labelled pairs, or against another result.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use sameas::evaluate::{AnswerKind, ComparisonRequest, EstimateRequest, EvaluationLists, EvaluationRequest, PairList};
use sameas::{Error, Result, ResultFile, RunRecord};
use sameas_cli::report;

use crate::errors::OrException;
use crate::format::format_of;
use crate::input::Input;
use crate::session::Session;
use crate::supervise::supervise;

/// How good a result is: as text and as JSON.
#[pyfunction]
#[pyo3(signature = (session, found, kind, truth, display, *, truth_kind=None, among=false, across=false, record=None,
    records=None, wrong=None, missed=None, overwrite=false))]
#[allow(clippy::too_many_arguments)]
fn evaluate(
    py: Python<'_>,
    session: &Session,
    found: &Input,
    kind: &str,
    truth: &Input,
    display: &Bound<'_, PyAny>,
    truth_kind: Option<&str>,
    among: bool,
    across: bool,
    record: Option<&str>,
    records: Option<Vec<u64>>,
    wrong: Option<PathBuf>,
    missed: Option<PathBuf>,
    overwrite: bool,
) -> PyResult<(String, String)> {
    let kind = kind_named("kind", kind).or_exception(py)?;
    let mut request = EvaluationRequest::new(found.input.clone(), kind, truth.input.clone());
    request.truth_kind = truth_kind.map(|kind| kind_named("truth_kind", kind)).transpose().or_exception(py)?;
    (request.among_known, request.across, request.records) = (among, across, records.unwrap_or_default());
    request.run = record.map(|text| RunRecord::parse(text, Path::new("record"))).transpose().or_exception(py)?;
    let session = session.session.clone();
    supervise(py, display, move |watch| {
        let list = |path: Option<PathBuf>| path.map(|path| list(&path, overwrite)).transpose();
        let lists = EvaluationLists { wrong: list(wrong)?, missed: list(missed)? };
        let evaluation = session.evaluate_and_list(&request, lists, watch)?;
        Ok((report::scores(&evaluation), report::scores_json(&evaluation)))
    })
}

/// How good a result is by labelled pairs: as text and as JSON.
#[pyfunction]
#[pyo3(signature = (session, found, kind, labels, display, *, across=false, record=None))]
#[allow(clippy::too_many_arguments)]
fn estimate(
    py: Python<'_>,
    session: &Session,
    found: &Input,
    kind: &str,
    labels: &Input,
    display: &Bound<'_, PyAny>,
    across: bool,
    record: Option<&str>,
) -> PyResult<(String, String)> {
    let kind = kind_named("kind", kind).or_exception(py)?;
    let mut request = EstimateRequest::new(found.input.clone(), kind, labels.input.clone());
    request.across = across;
    request.run = record.map(|text| RunRecord::parse(text, Path::new("record"))).transpose().or_exception(py)?;
    let session = session.session.clone();
    supervise(py, display, move |watch| {
        let estimates = session.estimate(&request, watch)?;
        Ok((report::estimates(&estimates), report::estimates_json(&estimates)))
    })
}

/// How the clusters of two results differ: as text and as JSON.
#[pyfunction]
fn compare_clusters(
    py: Python<'_>,
    session: &Session,
    clusters: &Input,
    other: &Input,
    display: &Bound<'_, PyAny>,
) -> PyResult<(String, String)> {
    let request = ComparisonRequest::new(clusters.input.clone(), other.input.clone());
    let session = session.session.clone();
    supervise(py, display, move |watch| {
        let comparison = session.compare_clusters(&request, watch)?;
        Ok((report::comparison(&comparison), report::comparison_json(&comparison)))
    })
}

fn list(path: &Path, overwrite: bool) -> Result<PairList> {
    Ok(PairList { format: format_of(path)?, file: ResultFile::create(path, overwrite)? })
}

/// What a result or a truth holds.
pub fn kind_named(argument: &str, name: &str) -> Result<AnswerKind> {
    match name {
        "pairs" => Ok(AnswerKind::Pairs),
        "clusters" => Ok(AnswerKind::Clusters),
        _ => Err(Error::usage(format!("there is no {argument}=\"{name}\"")).with_help("pairs or clusters")),
    }
}

/// Adds the functions to the module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(estimate, module)?)?;
    module.add_function(wrap_pyfunction!(compare_clusters, module)?)
}
