//! Where a branch runs, as typed facts: the program makes sentences of them.

use serde::{Deserialize, Serialize};

use crate::candidates::NoDevicePath;
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
        /// Why they were cut.
        reason: PartsReason,
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
    /// A device cannot find its candidates.
    NoDevicePath {
        /// What is missing.
        missing: NoDevicePath,
    },
    /// It was expected to end sooner there.
    ExpectedSooner,
    /// Not even what a part without records needs fits a device.
    DoesNotFit(DoesNotFit),
    /// The device had failed in an earlier branch.
    DeviceFailedBefore,
}

/// Why the records of a branch were cut into parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum PartsReason {
    /// They do not fit a device together.
    DoesNotFit(DoesNotFit),
    /// The options say so.
    Requested,
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
                BranchPlace::Cpu { reason: CpuReason::NoDevicePath { missing: NoDevicePath::Measure } },
                r#"{"on":"cpu","reason":{"why":"no_device_path","missing":"measure"}}"#,
            ),
            (
                BranchPlace::DeviceInParts { parts: 8, on_cpu: 1, reason: PartsReason::DoesNotFit(needed) },
                r#"{"on":"device_in_parts","parts":8,"on_cpu":1,"reason":{"why":"does_not_fit","needed":7,"free":5,"memory":6}}"#,
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
