//! Errors of the library as exceptions of the package.

use pyo3::intern;
use pyo3::prelude::*;

/// The exception of an error. `sameas._errors` has its classes, and knows which arguments help.
pub fn exception(py: Python<'_>, error: &sameas::Error) -> PyErr {
    let made = py.import(intern!(py, "sameas._errors")).and_then(|errors| {
        let kind = snake_case(&format!("{:?}", error.kind()));
        let code = snake_case(&format!("{:?}", error.code()));
        errors.call_method1(intern!(py, "error"), (kind, code, error.message(), error.help()))
    });
    made.map_or_else(|failed| failed, PyErr::from_value)
}

/// A name of Rust's as one of Python's: `MemoryLimit` as `memory_limit`.
fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for (at, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// Turns errors of the library into exceptions.
pub trait OrException<T> {
    /// The value, or the exception.
    fn or_exception(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrException<T> for sameas::Result<T> {
    fn or_exception(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error))
    }
}

/// A value of the library as JSON.
pub fn json<T: serde::Serialize>(value: &T) -> sameas::Result<String> {
    serde_json::to_string(value).map_err(|error| sameas::Error::internal(format!("a value as JSON: {error}")))
}
