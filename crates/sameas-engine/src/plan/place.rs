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

impl BranchPlace {
    /// The place of a branch that ran in two parts, one here and one there.
    #[must_use]
    pub(crate) fn and(self, other: &Self) -> Self {
        match (&self, other) {
            (Self::CpuAfterDeviceFailure { .. }, _) => self,
            (_, Self::CpuAfterDeviceFailure { .. }) => other.clone(),
            (Self::Cpu { .. }, Self::Cpu { .. }) | (Self::Device, Self::Device) => self,
            _ => {
                let (mine, theirs) = (self.in_parts(), other.in_parts());
                Self::DeviceInParts { parts: mine.0 + theirs.0, on_cpu: mine.1 + theirs.1, reason: mine.2.or(theirs.2) }
            }
        }
    }

    /// Parts, those of them on the CPU, and why there are several.
    fn in_parts(&self) -> (u64, u64, Option<DoesNotFit>) {
        match self {
            Self::DeviceInParts { parts, on_cpu, reason } => (*parts, *on_cpu, *reason),
            Self::Device => (1, 0, None),
            Self::Cpu { .. } | Self::CpuAfterDeviceFailure { .. } => (1, 1, None),
        }
    }
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
    fn a_branch_in_two_parts_has_one_place() {
        let (device, cpu) = (BranchPlace::Device, BranchPlace::Cpu { reason: CpuReason::ExpectedSooner });
        let failed = BranchPlace::CpuAfterDeviceFailure { error: "lost".into() };
        let parts = |parts, on_cpu| BranchPlace::DeviceInParts { parts, on_cpu, reason: None };
        assert_eq!(device.clone().and(&device), device);
        assert_eq!(cpu.clone().and(&cpu), cpu);
        assert_eq!(device.clone().and(&cpu), parts(2, 1));
        assert_eq!(parts(3, 0).and(&device), parts(4, 0));
        assert_eq!(device.and(&failed).and(&cpu), failed);
    }

    #[test]
    fn places_are_written_and_read() {
        let needed = DoesNotFit::new(7, 5, 6);
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
