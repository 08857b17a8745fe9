//! Programs against naive evaluation, and every mistake.

mod files;
mod limits;
mod mistakes;
mod naive;
mod programs;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{RelateExplanation, RelateJob, RelatedTuples, explain, relate};
use crate::cancel;
use crate::error::Result;
use crate::observer::{Observer, Progress};
use crate::settings::Settings;

/// What programs are evaluated with: threads of their own, memory and a device.
struct Evaluator {
    settings: Settings,
    pool: ThreadPool,
}

impl Evaluator {
    fn new(settings: Settings) -> Self {
        let pool = ThreadPoolBuilder::new().num_threads(settings.threads).stack_size(8 << 20).build().unwrap();
        Self { settings, pool }
    }

    fn with_threads(threads: usize) -> Self {
        Self::new(Settings { threads, ..Settings::default() })
    }

    fn relate(&self, job: &RelateJob, observer: &dyn Observer) -> Result<RelatedTuples> {
        self.work(observer, |progress| relate(job, &self.settings, progress))
    }

    fn explain(&self, job: &RelateJob) -> Result<RelateExplanation> {
        self.work(&(), |progress| explain(job, &self.settings, progress))
    }

    fn work<T: Send>(&self, observer: &dyn Observer, work: impl FnOnce(Progress<'_>) -> Result<T> + Send) -> Result<T> {
        let is_cancelled = || observer.is_cancelled();
        self.pool.install(|| cancel::catch(|| work(Progress::new(observer, &is_cancelled))))
    }
}
