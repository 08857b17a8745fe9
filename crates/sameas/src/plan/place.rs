//! Where a branch runs, as typed facts: the program makes sentences of them.

use serde::{Deserialize, Serialize};

use crate::device::DoesNotFit;

/// Where a branch ran, and why there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "on", rename_all = "snake_case")]
pub enum BranchPlace {
    /// All of it on the CPU.
    Cpu {
        /// Why not on a device.
        reason: CpuReason,
    },
    /// All of it on the job's devices.
    Device,
    /// Its records were cut into parts.
    DeviceInParts {
        /// Number of parts.
        parts: u64,
        /// Parts that the CPU ran, because they fit no device.
        on_cpu: u64,
        /// Why they were cut: what did not fit a device; `None` where the options say so.
        reason: Option<DoesNotFit>,
    },
    /// On the CPU, after a device had failed: nothing of what the device had found was kept.
    CpuAfterDeviceFailure {
        /// What the device reported.
        error: String,
    },
}

/// Why a branch ran on the CPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum CpuReason {
    /// The job has no device.
    NoDevice,
    /// Its access path has no kernel.
    NoKernel,
    /// Its access path has kernels, but none for this measure.
    NoKernelForMeasure,
    /// It was expected to end sooner there.
    ExpectedSooner,
    /// Not even what a part without records needs fits a device.
    DoesNotFit(DoesNotFit),
    /// The device had failed in an earlier branch.
    DeviceFailedBefore,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_and_read() {
        let needed = DoesNotFit { needed: 7, free: 5, memory: 6 };
        let places = [
            (BranchPlace::Device, r#"{"on":"device"}"#),
            (
                BranchPlace::Cpu { reason: CpuReason::ExpectedSooner },
                r#"{"on":"cpu","reason":{"why":"expected_sooner"}}"#,
            ),
            (
                BranchPlace::Cpu { reason: CpuReason::NoKernelForMeasure },
                r#"{"on":"cpu","reason":{"why":"no_kernel_for_measure"}}"#,
            ),
            (
                BranchPlace::DeviceInParts { parts: 8, on_cpu: 1, reason: Some(needed) },
                r#"{"on":"device_in_parts","parts":8,"on_cpu":1,"reason":{"needed":7,"free":5,"memory":6}}"#,
            ),
            (
                BranchPlace::CpuAfterDeviceFailure { error: "lost".into() },
                r#"{"on":"cpu_after_device_failure","error":"lost"}"#,
            ),
        ];
        for (place, text) in places {
            assert_eq!(serde_json::to_string(&place).unwrap(), text);
            assert_eq!(serde_json::from_str::<BranchPlace>(text).unwrap(), place);
        }
    }
}
