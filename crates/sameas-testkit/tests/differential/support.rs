//! Jobs that a test writes itself.

use std::path::Path;

use sameas::{DeviceChoice, Format, Input, Job, LinkType, RuleFile, RunRecord};
use sameas_engine::plan::Strategy;
use sameas_testkit::selftest::engine::{job_of, run_job};
use sameas_testkit::selftest::variant::by_seed;

/// A job over files, by the text of its rules.
pub fn job_over(rules: &str, inputs: Vec<Input>) -> Result<Job, String> {
    let rules = RuleFile::parse(rules, "job").map_err(|error| error.to_string())?;
    Ok(job_of(rules.link_type.unwrap_or(LinkType::DedupeOnly), inputs).with_rules(rules))
}

/// Runs a job with the threads and the memory of a seed.
pub fn run_once(job: &Job, seed: u64, format: Format, out: &Path) -> Result<RunRecord, String> {
    run_job(job, &by_seed(DeviceChoice::Cpu, seed, Strategy::Full), format, out)
}
