//! Why no GPU is used.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode};

/// Why a GPU, or any GPU of a machine, is not used. It is the cause of errors with
/// [`ErrorCode::DeviceUnavailable`](crate::error::ErrorCode::DeviceUnavailable) where no device is usable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NoGpu {
    /// The library was built without CUDA.
    NoCudaInBuild,
    /// The machine has no NVIDIA driver.
    NoDriver,
    /// The NVIDIA driver does not start.
    DriverDoesNotStart {
        /// What the driver reports.
        error: String,
    },
    /// The NVIDIA driver is older than the kernels.
    DriverTooOld {
        /// The version of CUDA that the driver speaks, if it says one.
        speaks: Option<(u32, u32)>,
        /// The version of CUDA that the kernels were built with.
        needed: (u32, u32),
        /// The oldest driver that speaks that version.
        oldest_driver: u32,
    },
    /// The NVIDIA driver has no device.
    NoDevice,
    /// The kernels were not built for a device this old.
    ComputeTooOld {
        /// The compute capability of the device.
        compute: (u32, u32),
        /// The least compute capability that the kernels were built for.
        oldest: (u32, u32),
    },
    /// The job is not worth the start of a GPU.
    JobTooSmall,
    /// A usable GPU could not be opened.
    CannotOpen {
        /// What went wrong.
        error: String,
    },
}

/// The text of errors.
impl fmt::Display for NoGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCudaInBuild => f.write_str("this build of sameas has no CUDA support"),
            Self::NoDriver => f.write_str("no NVIDIA driver was found on this machine (libcuda)"),
            Self::DriverDoesNotStart { error } => write!(f, "the NVIDIA driver does not start: {error}"),
            Self::DriverTooOld { speaks, needed: (major, minor), oldest_driver } => {
                let speaks =
                    speaks.map_or("an unknown version".into(), |(major, minor)| format!("CUDA {major}.{minor}"));
                write!(f, "the NVIDIA driver is too old: it speaks {speaks}; ")?;
                write!(f, "CUDA {major}.{minor}, driver {oldest_driver} or newer, is needed")
            }
            Self::NoDevice => f.write_str("the NVIDIA driver has no device"),
            Self::ComputeTooOld { compute: (major, minor), oldest } => {
                write!(f, "compute capability {major}.{minor} is older than {}.{}", oldest.0, oldest.1)
            }
            Self::JobTooSmall => f.write_str("the job is too small to be worth the start of a GPU"),
            Self::CannotOpen { error } => f.write_str(error),
        }
    }
}

impl std::error::Error for NoGpu {}

/// The error for a GPU that was chosen and cannot be used.
pub(super) fn unusable(reason: NoGpu) -> Error {
    Error::resource(format!("no GPU can be used: {reason}"))
        .with_code(ErrorCode::DeviceUnavailable)
        .with_source(reason)
        .with_help("run the job on the CPU, or take a GPU only where there is one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_written_and_read() {
        let reasons = [
            (NoGpu::NoCudaInBuild, r#"{"why":"no_cuda_in_build"}"#),
            (
                NoGpu::DriverTooOld { speaks: Some((12, 4)), needed: (13, 0), oldest_driver: 580 },
                r#"{"why":"driver_too_old","speaks":[12,4],"needed":[13,0],"oldest_driver":580}"#,
            ),
            (
                NoGpu::ComputeTooOld { compute: (7, 0), oldest: (7, 5) },
                r#"{"why":"compute_too_old","compute":[7,0],"oldest":[7,5]}"#,
            ),
            (NoGpu::CannotOpen { error: "lost".into() }, r#"{"why":"cannot_open","error":"lost"}"#),
        ];
        for (reason, text) in reasons {
            assert_eq!(serde_json::to_string(&reason).unwrap(), text);
            assert_eq!(serde_json::from_str::<NoGpu>(text).unwrap(), reason);
        }
    }
}
