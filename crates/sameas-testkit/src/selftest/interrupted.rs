//! A run that is interrupted between two branches, and another one that goes on where it ended.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sameas::{Error, ErrorCode, Format, Job, Observer, OutputFolder, Resumption, RunRecord, Session, Stage};

/// Ends a run when the branch after this many begins.
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

/// Runs a job with the first session until some branches have ended, and to its end with the second.
pub fn run_in(
    [first, second]: [&Session; 2],
    branches: usize,
    job: &Job,
    format: Format,
    out: &Path,
) -> sameas::Result<RunRecord> {
    let interruption = Interruption { branches, begun: AtomicUsize::new(0) };
    let folder = OutputFolder::create(out, true)?;
    let is_interrupted = match first.resume(job, &folder, &interruption) {
        Err(error) if error.code() == ErrorCode::Cancelled => true,
        ended => ended.map(|_| false)?,
    };
    drop(folder);
    let folder = OutputFolder::create(out, true)?;
    let mut run = second.resume(job, &folder, &())?;
    run.write(folder, format, &())?;
    let record = run.record();
    let expected = if is_interrupted { branches } else { record.plan.len() };
    match &record.resumption {
        Some(Resumption::Resumed { branches }) if *branches == expected => Ok(record),
        other => Err(Error::internal(format!("{expected} branches had ended, and the record says {other:?}"))),
    }
}
