//! Threads, memory and devices of a job.

use std::path::PathBuf;

use pyo3::prelude::*;
use sameas::{DeviceChoice, DeviceOptions, Error};

use crate::errors::OrException;

/// Threads, memory and devices.
#[pyclass(frozen, from_py_object, module = "sameas._sameas")]
#[derive(Clone)]
pub struct Session {
    pub session: sameas::Session,
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (threads=None, memory=None, device=None, device_memory=None, spill_folder=None))]
    fn new(
        py: Python<'_>,
        threads: Option<usize>,
        memory: Option<&str>,
        device: Option<&str>,
        device_memory: Option<&str>,
        spill_folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let options = DeviceOptions::default().with_memory(bytes("device_memory", device_memory).or_exception(py)?);
        let mut builder = sameas::Session::builder()
            .device(choice(device.unwrap_or("auto")).or_exception(py)?)
            .device_options(options)
            .costs(sameas_cli::costs().0);
        if let Some(threads) = threads {
            builder = builder.threads(threads);
        }
        if let Some(memory) = bytes("memory", memory).or_exception(py)? {
            builder = builder.memory(memory);
        }
        if let Some(folder) = spill_folder {
            builder = builder.spill_folder(folder);
        }
        Ok(Self { session: builder.build().or_exception(py)? })
    }
}

fn choice(name: &str) -> sameas::Result<DeviceChoice> {
    match name {
        "auto" => Ok(DeviceChoice::Auto),
        "cpu" => Ok(DeviceChoice::Cpu),
        "cuda" => Ok(DeviceChoice::Cuda),
        _ => Err(Error::usage(format!("there is no device `{name}`")).with_help("devices are auto, cpu and cuda")),
    }
}

fn bytes(name: &str, text: Option<&str>) -> sameas::Result<Option<usize>> {
    let amount = |text: &str| sameas_cli::amount_of_memory(text).map_err(|why| (text.to_owned(), why));
    text.map(amount).transpose().map_err(|(text, why)| Error::usage(format!("{name}={text}: {why}")))
}
