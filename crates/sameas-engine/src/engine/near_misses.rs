//! Near pairs among some records of a job, for whoever looks at these.

use super::find::{PairUse, find};
use super::job_results::JobResults;
use crate::cancel::catch;
use crate::dataset::Dataset;
use crate::device::DeviceChoice;
use crate::error::{ErrorCode, Result};
use crate::job::Job;
use crate::observer::Progress;
use crate::pairs::Pair;
use crate::rules::{ClustersText, LiteralRecord};
use crate::scoring::threshold_of;
use crate::settings::Settings;

/// Two records that miss a rule by one threshold alone, by a little, or whose score is a little too low.
#[derive(Clone, Debug)]
pub struct NearMiss {
    /// The numbers of the two records among those that were looked at.
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

/// The near pairs of a job among some of its records, at most `most` of them; nothing where they would take too long.
pub fn near_misses(
    job: &Job,
    records: &Dataset,
    most: usize,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Option<Vec<NearMiss>>> {
    let near = Job { near: Some(USUAL_AMOUNT), ..small_job(job) };
    found_in(&near, records, settings, progress, |found| found.near_misses(most))
}

/// Pairs of a job among some of its records that would be found if the threshold of its score were a little lower, those that are
/// found anyway among them, at most `most` of them; nothing where they would take too long.
pub fn low_scores(
    job: &Job,
    records: &Dataset,
    most: usize,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Option<Vec<NearMiss>>> {
    let lower = Job { all_pairs: true, ..small_job(&with_lower_threshold(job)) };
    found_in(&lower, records, settings, progress, |found| found.scored_pairs(most))
}

/// What a small job finds; nothing where that takes too long or too much memory.
fn found_in(
    job: &Job,
    records: &Dataset,
    settings: &Settings,
    progress: Progress<'_>,
    misses: impl FnOnce(&JobResults) -> Result<Vec<NearMiss>>,
) -> Result<Option<Vec<NearMiss>>> {
    // What ends for lack of memory unwinds.
    let settings = &beside_others(settings);
    match catch(|| find(job, Some(records), settings, PairUse::default(), progress.silent())) {
        Ok(found) => misses(&found).map(Some),
        Err(error) if matches!(error.code(), ErrorCode::CandidateLimit | ErrorCode::MemoryLimit) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Without the clusters that its rules ask for, which nobody looks at.
fn small_job(job: &Job) -> Job {
    let most = Some(MOST_CANDIDATES);
    let mut small = Job { max_candidates: most, near: None, statistics: None, all_columns: false, ..job.clone() };
    small.rules.clusters = ClustersText::default();
    small
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

impl JobResults {
    /// The first near pairs, with what they miss.
    fn near_misses(&self, most: usize) -> Result<Vec<NearMiss>> {
        let Some(near) = &self.near else { return Ok(Vec::new()) };
        let (set, offset) = (self.bound.rules.set(), self.bound.right_offset());
        let miss = |pair: Pair| {
            let loosened = &set.near[pair.rule as usize - set.written_rules()];
            let records = [pair.l, offset + pair.r];
            NearMiss { records, rule: loosened.rule.clone(), condition: Some(loosened.condition.clone()) }
        };
        Ok(near.pairs.read(0..near.pairs.len().min(most as u64))?.into_iter().map(miss).collect())
    }

    /// The first pairs that were found by their scores.
    fn scored_pairs(&self, most: usize) -> Result<Vec<NearMiss>> {
        let (rules, offset) = (&self.bound.rules.set().rules, self.bound.right_offset());
        let by_score = |pair: &Pair| !rules.get(pair.rule as usize).is_some_and(|rule| rule.is_certain);
        let found = self.pairs.read(0..self.pairs.len().min(most as u64))?.into_iter().filter(by_score);
        let name = |pair: &Pair| self.rule_names.get(pair.rule as usize).cloned().unwrap_or_default();
        Ok(found
            .map(|pair| NearMiss { records: [pair.l, offset + pair.r], rule: name(&pair), condition: None })
            .collect())
    }
}
