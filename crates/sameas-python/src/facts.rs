//! Facts about the machine, the language and models.

use std::path::PathBuf;

use pyo3::prelude::*;
use sameas::Model;
use sameas::device::DeviceList;
use sameas::splink::SplinkSettings;
use sameas_cli::report;

use crate::errors::{OrException, json};

/// The GPUs of this machine: as text and as JSON.
#[pyfunction]
fn devices(py: Python<'_>) -> PyResult<(String, String)> {
    let list = py.detach(DeviceList::find);
    Ok((report::devices(&list), json(&list).or_exception(py)?))
}

/// Every function and operator of the rule language, as JSON.
#[pyfunction]
fn functions(py: Python<'_>) -> PyResult<String> {
    json(&sameas::functions()).or_exception(py)
}

/// The text of the file of a model.
#[pyfunction]
fn read_model(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    Ok(Model::read(&path).or_exception(py)?.to_text())
}

/// A model by its text: as a table, as JSON, and what should be known about how it was learned.
#[pyfunction]
fn model(py: Python<'_>, text: &str) -> PyResult<(String, String, Vec<String>)> {
    let model = Model::parse(text, "model").or_exception(py)?;
    let warnings = report::training_warnings(&model.warnings);
    Ok((report::model(&model, None), json(&model).or_exception(py)?, warnings))
}

/// Settings of Splink as the text of a rule file, the kind of job, the text of a model, and notes as JSON.
#[pyfunction]
fn from_splink(py: Python<'_>, settings: &str, skip: bool) -> PyResult<(String, &'static str, Option<String>, String)> {
    let read = if skip { SplinkSettings::read_skipping } else { SplinkSettings::read };
    let made = read(settings).or_exception(py)?;
    let notes = json(&made.notes).or_exception(py)?;
    Ok((made.rules_text, made.link_type.name(), made.model.map(|model| model.to_text()), notes))
}

/// Adds the functions to the module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(devices, module)?)?;
    module.add_function(wrap_pyfunction!(functions, module)?)?;
    module.add_function(wrap_pyfunction!(read_model, module)?)?;
    module.add_function(wrap_pyfunction!(model, module)?)?;
    module.add_function(wrap_pyfunction!(from_splink, module)?)
}
