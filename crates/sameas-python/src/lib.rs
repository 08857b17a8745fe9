//! The module `sameas._sameas`: the front door of the library for Python.
//!
//! What a Python user sees is in `python/sameas`, which is typed and documented; this module is private to it. It takes
//! Arrow streams in without copying their values (`arrow_in`), hands results out as streams (`arrow_out`), and runs every job
//! on a thread of its own while the calling thread listens to signals (`supervise`). Facts go to Python as JSON, sentences
//! as the program has them.

// What Python hands over is a value of its own, whether a function keeps it or only reads it.
#![allow(clippy::needless_pass_by_value)]

mod arrow_check;
mod arrow_in;
mod arrow_out;
mod closure;
mod errors;
mod evaluate;
mod expression;
mod facts;
mod input;
mod job;
mod nested_lists;
mod null_columns;
mod numpy_memory;
mod pushed;
mod python_columns;
mod relate;
mod rules;
mod run;
mod session;
mod supervise;

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
    module.add_class::<rules::RuleFile>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<closure::Closure>()?;
    module.add_class::<relate::Related>()?;
    module.add_class::<expression::Expression>()?;
    module.add_class::<expression::Column>()?;
    job::add_functions(module)?;
    facts::add_functions(module)?;
    evaluate::add_functions(module)?;
    closure::add_functions(module)?;
    relate::add_functions(module)
}
