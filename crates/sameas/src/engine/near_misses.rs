//! Near pairs among some records of a job, for whoever looks at these.

use super::job::Job;
use super::observer::Progress;
use super::run::find;
use super::settings::Settings;
use crate::device::DeviceChoice;
use crate::error::{ErrorCode, Result};
use crate::records::Input;
use crate::rules::LiteralRecord;

/// Two records that miss a rule by one threshold alone, by a little.
#[derive(Clone, Debug)]
pub struct NearMiss {
    /// The places of the two records among those of all inputs.
    pub records: [u32; 2],
    /// The rule.
    pub rule: String,
    /// The condition that they miss.
    pub condition: LiteralRecord,
}

/// By how much similarities are loosened where nothing else is said.
pub const USUAL_AMOUNT: f64 = 0.05;

/// The candidates that are looked at: what takes more is left alone.
const MOST_CANDIDATES: u64 = 20_000_000;

/// The near pairs of a job over these records in place of its own, at most `most` of them; nothing where they would take
/// too long.
pub fn near_misses(
    job: &Job,
    inputs: &[Input],
    most: usize,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Option<Vec<NearMiss>>> {
    let near = Job {
        inputs: inputs.to_vec(),
        max_candidates: Some(MOST_CANDIDATES),
        near: Some(USUAL_AMOUNT),
        statistics: None,
        all_columns: false,
        ..job.clone()
    };
    let settings = Settings { device: DeviceChoice::Cpu, ..settings.clone() };
    match find(&near, &settings, &[], progress.silent()) {
        Ok(found) => found.near_misses(most).map(Some),
        Err(error) if error.code() == ErrorCode::CandidateLimit => Ok(None),
        Err(error) => Err(error),
    }
}
