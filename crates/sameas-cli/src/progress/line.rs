//! What has been counted, as a line.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sameas::Stage;

use super::estimate::{Estimate, about};
use super::stage::{stage_text, unit_text};
use crate::text::{count, counted, percent, seconds};

/// What a job has done so far. Counting takes no lock.
#[derive(Debug, Default)]
pub struct Counts {
    stage: Mutex<StageAtWork>,
    /// Units of the stage's work.
    done: AtomicU64,
    /// Of all stages.
    candidates: AtomicU64,
    pairs: AtomicU64,
}

/// The stage at work.
#[derive(Debug, Default)]
struct StageAtWork {
    message: String,
    total: Option<u64>,
    unit: &'static str,
    begun: Option<Instant>,
    is_join: bool,
    estimate: Estimate,
}

impl Counts {
    /// A stage begins.
    pub fn begin(&self, message: String, total: Option<u64>, unit: &'static str) {
        let now = Instant::now();
        let mut stage = self.stage_at_work();
        stage.estimate.end(now);
        let estimate = std::mem::take(&mut stage.estimate);
        self.done.store(0, Relaxed);
        *stage = StageAtWork { message, total, unit, begun: Some(now), is_join: false, estimate };
    }

    /// A stage of a job begins, as an observer learns it.
    pub fn stage(&self, stage: &Stage, total: Option<u64>) {
        match stage {
            Stage::Joining { work, .. } => self.begin_join(stage_text(stage), total, *work),
            _ => self.begin(stage_text(stage), total, unit_text(stage.unit())),
        }
    }

    /// A join begins, which is this part of all joins, in thousandths, if that is known.
    pub fn begin_join(&self, message: String, total: Option<u64>, work: Option<(u32, u32)>) {
        let now = Instant::now();
        let mut stage = self.stage_at_work();
        stage.estimate.begin(work, now);
        let estimate = std::mem::take(&mut stage.estimate);
        self.done.store(0, Relaxed);
        *stage = StageAtWork { message, total, unit: "", begun: Some(now), is_join: true, estimate };
    }

    /// More of the stage's work is done.
    pub fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Relaxed);
    }

    /// More candidates were looked at, and more pairs found.
    pub fn counted(&self, candidates: u64, pairs: u64) {
        self.candidates.fetch_add(candidates, Relaxed);
        self.pairs.fetch_add(pairs, Relaxed);
    }

    /// All that can be said now; nothing before the first stage.
    pub fn line(&self, now: Instant) -> Option<String> {
        let (mut stage, done) = (self.stage_at_work(), self.done.load(Relaxed));
        let begun = stage.begun?;
        let facts = if stage.is_join { self.of_join(&mut stage, done, now) } else { of_work(&stage, done) };
        let time = seconds((now - begun).as_secs_f64());
        let facts = if facts.is_empty() { time } else { facts };
        Some(format!("{}: {facts}", stage.message))
    }

    /// How much of the stage is done, from 0 to 1, where that is known.
    pub fn share(&self) -> Option<f64> {
        let total = self.stage_at_work().total.filter(|total| *total > 0)?;
        Some(self.done.load(Relaxed).min(total) as f64 / total as f64)
    }

    /// When all tasks of a step have ended, what the next one needs is prepared, and nothing says how far that is.
    fn of_join(&self, stage: &mut StageAtWork, done: u64, now: Instant) -> String {
        let (candidates, pairs) = (self.candidates.load(Relaxed), self.pairs.load(Relaxed));
        let mut facts = format!("{}, {} so far", counted(candidates, "candidate"), counted(pairs, "pair"));
        if let Some(total) = stage.total.filter(|total| done < *total) {
            // Rounded down: 100 % would be a step that has ended.
            facts += &format!("; {} % of this step", 100 * done / total);
            let left = stage.estimate.left(done as f64 / total as f64, now);
            facts += &left.map_or(String::new(), |left| format!(", {} left", about(left)));
        }
        facts
    }

    fn stage_at_work(&self) -> MutexGuard<'_, StageAtWork> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn of_work(stage: &StageAtWork, done: u64) -> String {
    match (stage.unit, stage.total) {
        ("", _) => String::new(),
        (unit, Some(total)) => format!("{} of {} {unit} ({})", count(done), count(total), percent(done, total)),
        (unit, None) => format!("{} {unit} so far", count(done)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn lines_count_what_a_person_understands() {
        let counts = Counts::default();
        assert_eq!(counts.line(Instant::now()), None);
        let line = |seconds: u64| counts.line(Instant::now() + Duration::from_secs(seconds)).unwrap();
        counts.begin("reading".into(), None, "records");
        counts.advance(1_200_000);
        assert_eq!(line(3), "reading: 1,200,000 records so far");
        counts.begin("planning".into(), None, "");
        assert!(line(3).starts_with("planning: 3.0 s"));
        counts.begin_join("finding pairs, branch 1 of 2 (a)".into(), Some(10), Some((0, 500)));
        counts.advance(5);
        counts.counted(4_000, 1);
        assert_eq!(
            line(10),
            "finding pairs, branch 1 of 2 (a): 4,000 candidates, 1 pair so far; 50 % of this step, about 30 s left"
        );
        counts.begin_join("finding pairs, branch 2 of 2 (b)".into(), None, None);
        counts.counted(4_000, 1);
        assert_eq!(line(10), "finding pairs, branch 2 of 2 (b): 8,000 candidates, 2 pairs so far");
        counts.begin("writing pairs".into(), Some(8), "pairs");
        counts.advance(2);
        assert_eq!(line(10), "writing pairs: 2 of 8 pairs (25.0 %)");
        assert_eq!(counts.share(), Some(0.25));
    }

    #[test]
    fn a_step_that_has_not_ended_is_not_called_so() {
        let counts = Counts::default();
        let begun = Instant::now();
        let line = |seconds: u64| counts.line(begun + Duration::from_secs(seconds)).unwrap();
        counts.begin_join("finding pairs (a)".into(), Some(400), Some((0, 1000)));
        counts.advance(399);
        let step = "finding pairs (a): 0 candidates, 0 pairs so far; 99 % of this step";
        assert_eq!(line(6), format!("{step}, a few seconds left"));
        // The last task takes longer than all others together.
        assert_eq!(line(20), step);
        assert_eq!(line(70), step);
        counts.advance(1);
        assert_eq!(line(71), "finding pairs (a): 0 candidates, 0 pairs so far");
    }
}
