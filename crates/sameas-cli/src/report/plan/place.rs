//! Where a branch ran, as a sentence.

use sameas::plan::{AccessPath, BranchPlace, BranchScoring, CpuReason, Place};

use super::numbers::of_one_core;
use crate::text::{count, counted};

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

/// What scoring takes, and where it is done; of a branch that has run, with the `pairs` that were scored.
pub fn scoring(of: &BranchScoring, pairs: Option<u64>) -> String {
    let expected =
        format!("about {}, {} to compare", counted(of.estimated_pairs, "pair"), of_one_core(of.estimated_seconds));
    let place = match of.expected_on {
        Place::Cpu => "the CPU",
        Place::Device => "the device",
    };
    match (of.by_host, pairs) {
        (Some(0), Some(1..)) => format!("made on the device; {expected} expected"),
        (Some(by_host), Some(pairs)) if by_host < pairs => {
            format!("{} made on the CPU, the others on the device; {expected} expected", count(by_host))
        }
        (Some(_), _) => format!("made on the CPU; {expected} expected"),
        (None, _) => format!("to be made on {place}; {expected}"),
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
