//! Near pairs among some records of a job, for whoever looks at these.

use super::job::Job;
use super::observer::Progress;
use super::run::{Found, find};
use super::scoring::threshold_of;
use super::settings::Settings;
use crate::cancel::catch;
use crate::device::DeviceChoice;
use crate::error::{ErrorCode, Result};
use crate::records::Input;
use crate::rules::LiteralRecord;

/// Two records that miss a rule by one threshold alone, by a little, or whose score is a little too low.
#[derive(Clone, Debug)]
pub struct NearMiss {
    /// The places of the two records among those of all inputs.
    pub records: [u32; 2],
    /// The rule.
    pub rule: String,
    /// The condition that they miss; none where they miss a score.
    pub condition: Option<LiteralRecord>,
}

/// By how much similarities are loosened where nothing else is said.
pub const USUAL_AMOUNT: f64 = 0.05;

/// By how much the least match weight is lowered, where nothing else is said: the odds of a match are an eighth.
pub const USUAL_WEIGHT: f64 = 3.0;

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
    let near = Job { near: Some(USUAL_AMOUNT), ..small_job(job, inputs) };
    found_in(&near, settings, progress, |found| found.near_misses(most))
}

/// Pairs of a job over these records in place of its own that would be found if the threshold of its score were a little
/// lower, those that are found anyway among them, at most `most` of them; nothing where they would take too long.
///
/// A score may depend on how frequent values are, and so that of a pair can be another one among all records.
pub fn low_scores(
    job: &Job,
    inputs: &[Input],
    most: usize,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Option<Vec<NearMiss>>> {
    let lower = Job { all_pairs: true, ..small_job(&with_lower_threshold(job), inputs) };
    found_in(&lower, settings, progress, |found| found.scored_pairs(most))
}

/// What a small job finds; nothing where that takes too long or too much memory.
fn found_in(
    job: &Job,
    settings: &Settings,
    progress: Progress<'_>,
    misses: impl FnOnce(&Found) -> Result<Vec<NearMiss>>,
) -> Result<Option<Vec<NearMiss>>> {
    // What ends for lack of memory unwinds.
    match catch(|| find(job, &beside_others(settings), &[], progress.silent())) {
        Ok(found) => misses(&found).map(Some),
        Err(error) if matches!(error.code(), ErrorCode::CandidateLimit | ErrorCode::MemoryLimit) => Ok(None),
        Err(error) => Err(error),
    }
}

fn small_job(job: &Job, inputs: &[Input]) -> Job {
    Job {
        inputs: inputs.to_vec(),
        max_candidates: Some(MOST_CANDIDATES),
        near: None,
        statistics: None,
        all_columns: false,
        ..job.clone()
    }
}

/// On the CPU, and with a part of the memory: the records and results of the whole job are there, too.
fn beside_others(settings: &Settings) -> Settings {
    Settings { device: DeviceChoice::Cpu, memory: settings.memory / 4, ..settings.clone() }
}

fn with_lower_threshold(job: &Job) -> Job {
    let mut lower = job.clone();
    let score = &mut lower.rules.score;
    match lower.model.is_some() {
        true => {
            let least = threshold_of(score).bits() - USUAL_WEIGHT;
            (score.threshold, score.threshold_at, score.threshold_weight) = (None, None, Some(least));
        }
        false => score.threshold = score.threshold.map(|least| (least - USUAL_AMOUNT).max(f64::MIN_POSITIVE)),
    }
    lower
}
