//! A run that is interrupted between two branches, and another one that goes on where it ended.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sameas::record::Resumption;
use sameas::{Error, ErrorCode, Format, Job, Observer, OutputFolder, RunRecord, Session, Stage};

/// Ends a run soon after the branch after this many has begun.
struct Interruption {
    branches: usize,
    begun: AtomicUsize,
}

impl Observer for Interruption {
    fn stage(&self, stage: &Stage, _: Option<u64>) {
        if matches!(stage, Stage::Joining { round: (1, _), frequent_values: false, .. }) {
            self.begun.fetch_add(1, Relaxed);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.begun.load(Relaxed) > self.branches
    }
}

/// Runs a job with the first session until some branches have ended, and to its end with the second. What is stored
/// must be used: a run that starts over finds the same pairs.
pub fn run_in(
    [first, second]: [&Session; 2],
    branches: usize,
    job: &Job,
    format: Format,
    out: &Path,
) -> sameas::Result<RunRecord> {
    let interruption = Interruption { branches, begun: AtomicUsize::new(0) };
    let folder = OutputFolder::create(out, true)?;
    match first.resume(job, &folder, &interruption) {
        Err(error) if error.code() == ErrorCode::Cancelled => {}
        ended => drop(ended?),
    }
    let logs = [".sameas-checkpoint/log", ".sameas-checkpoint/near/log"].map(|log| folder.path().join(log));
    drop(folder);
    // A line for the plan, and one for each branch.
    let lines = |log| std::fs::read_to_string(log).map_or(0, |log| log.lines().count().saturating_sub(1));
    let stored: usize = logs.into_iter().map(lines).sum();
    let folder = OutputFolder::create(out, true)?;
    let mut run = second.resume(job, &folder, &())?;
    run.write(folder, format, &())?;
    let record = run.record();
    match &record.resumption {
        Some(Resumption::Resumed { branches }) if *branches == stored => Ok(record),
        other => Err(Error::internal(format!("{stored} branches were stored, and the record says {other:?}"))),
    }
}
