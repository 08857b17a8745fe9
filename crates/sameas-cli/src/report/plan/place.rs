//! Where a branch ran, as a sentence.

use sameas::{AccessPath, BranchPlace, CpuReason};

use crate::text::count;

/// Where a branch ran, if that is not where the user expects it.
pub fn place(place: &BranchPlace, path: AccessPath) -> Option<String> {
    match place {
        BranchPlace::Device | BranchPlace::Cpu { reason: CpuReason::NoDevice } => None,
        BranchPlace::Cpu { reason } => Some(format!("ran on the CPU: {}", cpu_reason(reason, path))),
        BranchPlace::DeviceInParts { parts, on_cpu, reason } => {
            let on_cpu = if *on_cpu == 0 { String::new() } else { format!(", {} of them on the CPU", count(*on_cpu)) };
            let reason = match reason {
                Some(needed) => needed.to_string(),
                None => "the options say so".into(),
            };
            Some(format!("ran in {} parts{on_cpu}: {reason}", count(*parts)))
        }
        BranchPlace::CpuAfterDeviceFailure { error } => Some(format!("ran on the CPU: the device failed: {error}")),
    }
}

fn cpu_reason(reason: &CpuReason, path: AccessPath) -> String {
    match reason {
        CpuReason::NoDevice => "there is no device".into(),
        CpuReason::NoKernel => format!("{} has no kernel yet", path.name()),
        CpuReason::NoKernelForMeasure => {
            format!("{} has no kernel for this measure yet", path.name())
        }
        CpuReason::ExpectedSooner => "it is expected to end sooner there".into(),
        CpuReason::DoesNotFit(needed) => needed.to_string(),
        CpuReason::DeviceFailedBefore => "the device failed in an earlier branch".into(),
    }
}
