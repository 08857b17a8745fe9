//! Jobs that a test writes itself.

use std::path::Path;

use sameas::device::DeviceChoice;
use sameas::engine::{JobSpec, RunRecord};
use sameas::output::Format;
use sameas::plan::Strategy;
use sameas::records::Input;
use sameas::rules::{LinkType, RuleFile};
use sameas_testkit::selftest::engine::run_job;
use sameas_testkit::selftest::variant::by_seed;

/// A job over files.
pub fn job_spec(job: &str, inputs: Vec<Input>) -> Result<JobSpec, String> {
    let job = RuleFile::parse(job, "job").map_err(|error| error.to_string())?;
    let link_type = job.link_type.unwrap_or(LinkType::DedupeOnly);
    Ok(JobSpec { job, inputs, link_type, id: None })
}

/// Runs a job with the threads and the memory of a seed.
pub fn run_once(spec: &JobSpec, seed: u64, format: Format, out: &Path) -> Result<RunRecord, String> {
    run_job(spec, &by_seed(DeviceChoice::Cpu, seed, Strategy::Full), format, out)
}
