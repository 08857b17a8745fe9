//! The module `sameas._sameas`: the front door of the library for Python.
//!
//! What a Python user sees is in `python/sameas`, which is typed and documented; this module is private to it. It takes
//! Arrow streams in without copying their values (`arrow_in`), hands results out as streams (`arrow_out`), and runs every job
//! on a thread of its own while the calling thread listens to signals (`supervise`). Facts go to Python as JSON, sentences
//! as the program has them.
//!
//! Views and dictionaries of a caller stay what they are and are encoded where they lie; ids are copied, because
//! results have them. A job that was cancelled and cannot end within a quarter of a second ends by itself, later. Freed
//! memory is returned to the system where a job was cancelled and where a run or a dataset is dropped.
//!
//! The command `sameas` of the wheel is this module, too, called by a script of two lines: a second program would
//! double the size of the wheel. It ends without the interpreter's own end, so that exit codes, signals and pipes are
//! the program's.
//!
//! In `python/sameas`, rules of Python values become the text of a rule file (`_toml`), so that mistakes are shown in
//! it as the program shows them. Arguments are checked by what they are (`_arguments`): a value that is not understood
//! is an error, and never the default. All HTML is made in `_html`, and every value goes through one function there.

// What Python hands over is a value of its own, whether a function keeps it or only reads it.
#![allow(clippy::needless_pass_by_value)]

mod arrow_check;
mod arrow_in;
mod arrow_out;
mod closure;
mod dataset;
mod errors;
mod evaluate;
mod expression;
mod facts;
mod format;
mod frequencies;
mod input;
mod job;
mod nested_lists;
mod null_columns;
mod numpy_memory;
mod page;
mod pair_clusters;
mod pushed;
mod python_columns;
mod relate;
mod rules;
mod run;
mod run_table;
mod session;
mod spec;
mod supervise;
mod sweep;

use std::ffi::OsString;

use pyo3::prelude::*;

/// The program `sameas`, with these arguments, the first of which is its own name; gives its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| sameas_cli::main(arguments))
}

/// The front door of the library for Python.
#[pymodule]
fn _sameas(module: &Bound<'_, PyModule>) -> PyResult<()> {
    sameas_cli::keep_decoders_silent();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_class::<arrow_out::Batch>()?;
    module.add_class::<arrow_out::Batches>()?;
    module.add_class::<input::Input>()?;
    module.add_class::<job::Job>()?;
    module.add_class::<dataset::Dataset>()?;
    module.add_class::<rules::RuleFile>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<run_table::RunTable>()?;
    module.add_class::<frequencies::Frequencies>()?;
    module.add_class::<closure::Closure>()?;
    module.add_class::<relate::Related>()?;
    module.add_class::<pair_clusters::ClusterPairsJob>()?;
    module.add_class::<pair_clusters::PairClusters>()?;
    module.add_class::<sweep::SweepTable>()?;
    module.add_class::<expression::Expression>()?;
    module.add_class::<expression::Column>()?;
    job::add_functions(module)?;
    facts::add_functions(module)?;
    evaluate::add_functions(module)?;
    spec::add_functions(module)?;
    closure::add_functions(module)?;
    pair_clusters::add_functions(module)?;
    sweep::add_functions(module)?;
    relate::add_functions(module)
}
