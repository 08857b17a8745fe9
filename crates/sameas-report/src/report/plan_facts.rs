//! The plan of a run and its times, as a report has them.

use super::facts::{ReportBranch, ReportPlan, ReportStage, ReportStep, ReportTable};
use crate::engine::RunRecord;
use crate::plan::{BranchPlace, BranchRecord, StepRecord};
use crate::timeline::OperatorRecord;

/// The plan and the times of a run.
pub fn plan_facts(run: &RunRecord) -> ReportPlan {
    ReportPlan {
        branches: run.plan.iter().map(branch).collect(),
        near_branches: run.near.iter().flat_map(|near| &near.plan).map(branch).collect(),
        tables: run
            .tables
            .iter()
            .map(|t| ReportTable { check: t.check.clone(), values: t.values, seconds: t.seconds })
            .collect(),
        timeline: run.operators.iter().map(stage).collect(),
        seconds: run.seconds,
    }
}

fn branch(branch: &BranchRecord) -> ReportBranch {
    ReportBranch {
        path: branch.path.name(),
        on: branch.on.clone(),
        filters: branch.filters.iter().map(ToString::to_string).collect(),
        rules: branch.rules.clone(),
        settled: branch.settled.clone(),
        estimated_candidates: branch.estimated_candidates,
        exact: branch.exact,
        candidates: branch.candidates,
        pairs: branch.pairs,
        estimated_seconds: branch.estimated_seconds,
        seconds: branch.seconds,
        place: branch.place.as_ref().map(place),
        steps: branch.steps.iter().map(step).collect(),
    }
}

fn place(place: &BranchPlace) -> &'static str {
    match place {
        BranchPlace::Cpu { .. } => "cpu",
        BranchPlace::Device => "device",
        BranchPlace::DeviceInParts { .. } => "device_in_parts",
        BranchPlace::CpuAfterDeviceFailure { .. } => "cpu_after_device_failure",
    }
}

fn step(step: &StepRecord) -> ReportStep {
    ReportStep {
        depth: step.depth,
        check: step.check.to_string(),
        expected_pass: step.passes,
        tried: step.tried,
        passed: step.passed,
        seconds: step.seconds,
        nanoseconds: step.nanoseconds,
        table: step.table,
        rules: step.rules.clone(),
    }
}

fn stage(operator: &OperatorRecord) -> ReportStage {
    // The name of an operator is the one that `run.json` has.
    let name = serde_json::to_value(operator.operator).ok();
    ReportStage {
        operator: name.and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default(),
        path: operator.path.map(|path| path.name()),
        rules: operator.rules.clone(),
        input: operator.input,
        output: operator.output,
        start: operator.start,
        seconds: operator.seconds,
        gpu: operator.device,
        bytes: operator.bytes,
    }
}
