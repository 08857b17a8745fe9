//! How far a command has come: on a terminal one line that changes, elsewhere a line every ten seconds, on standard error.
//!
//! Threads of a job only count. Another thread looks at the counts from time to time and makes a line of them.

mod estimate;
mod line;
mod stage;
mod ticker;

use std::sync::Arc;

use sameas::plan::PlanWarning;
use sameas::{Doubt, Observer, Stage};

pub use self::line::Counts;
use self::ticker::Ticker;
use crate::allocator;
use crate::interrupt;
use crate::report;
use crate::terminal;

/// Shows how far a job has come.
pub struct Bar {
    /// What is shown, if anything is.
    shown: Option<(Arc<Counts>, Ticker)>,
}

impl Bar {
    /// A bar, or a silent one if the user wants none.
    pub fn new(quiet: bool) -> Self {
        let shown = (!quiet).then(|| {
            let counts = Arc::new(Counts::default());
            (Arc::clone(&counts), Ticker::start(counts))
        });
        Self { shown }
    }

    fn with(&self, act: impl FnOnce(&Counts)) {
        if let Some((counts, _)) = &self.shown {
            act(counts);
        }
    }

    /// Says something above the line, if anything is said at all.
    fn say_above(&self, say: impl Fn()) {
        if let Some((_, ticker)) = &self.shown {
            ticker.suspend(say);
        }
    }

    /// A stage of the program's own begins: what it does, how much there is to do, and of what.
    pub fn begin(&self, message: &str, total: Option<u64>, unit: &'static str) {
        self.with(|counts| counts.begin(message.to_owned(), total, unit));
    }
}

impl Observer for Bar {
    fn stage(&self, stage: &Stage, total: Option<u64>) {
        self.with(|counts| counts.stage(stage, total));
    }

    fn advance(&self, amount: u64) {
        self.with(|counts| counts.advance(amount));
    }

    fn counted(&self, candidates: u64, pairs: u64) {
        self.with(|counts| counts.counted(candidates, pairs));
    }

    fn doubts(&self, doubts: &[Doubt]) {
        self.say_above(|| report::doubts(doubts).iter().for_each(|doubt| terminal::warn(doubt)));
    }

    fn planned(&self, warnings: &[PlanWarning]) {
        self.say_above(|| warnings.iter().for_each(|warning| terminal::warn(&report::warning(warning))));
    }

    fn memory_freed(&self) {
        allocator::give_back();
    }

    fn is_cancelled(&self) -> bool {
        interrupt::is_wanted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_bar_counts_nothing() {
        let bar = Bar::new(true);
        bar.begin("reading", None, "records");
        bar.advance(3);
        assert!(bar.shown.is_none());
    }
}
