//! How far a command has come: on a terminal one line that changes, elsewhere a line every ten seconds, on standard error.
//!
//! Threads of a job only count. Another thread looks at the counts from time to time and makes a line of them.

mod estimate;
mod line;
mod ticker;

use std::sync::Arc;

use sameas::{Doubt, Observer, PlanWarning, Stage, WorkUnit};

use self::line::Counts;
use self::ticker::Ticker;
use crate::allocator;
use crate::interrupt;
use crate::report;
use crate::terminal;
use crate::text;

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
    fn aside(&self, say: impl Fn()) {
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
        self.with(|counts| match stage {
            Stage::Joining { work, .. } => counts.begin_join(stage_text(stage), total, *work),
            _ => counts.begin(stage_text(stage), total, unit_text(stage.unit())),
        });
    }

    fn advance(&self, amount: u64) {
        self.with(|counts| counts.advance(amount));
    }

    fn counted(&self, candidates: u64, pairs: u64) {
        self.with(|counts| counts.counted(candidates, pairs));
    }

    fn doubts(&self, doubts: &[Doubt]) {
        self.aside(|| report::doubts(doubts).iter().for_each(|doubt| terminal::warn(doubt)));
    }

    fn planned(&self, warnings: &[PlanWarning]) {
        self.aside(|| warnings.iter().for_each(|warning| terminal::warn(&report::warning(warning))));
    }

    fn memory_freed(&self) {
        allocator::give_back();
    }

    fn is_cancelled(&self) -> bool {
        interrupt::is_wanted()
    }
}

fn stage_text(stage: &Stage) -> String {
    match stage {
        Stage::Reading => "reading".into(),
        Stage::Encoding => "preparing the values that rules compare".into(),
        Stage::Planning => "planning".into(),
        Stage::DecidingTable { predicate } => format!("deciding {} once for all values", text::one_line(predicate)),
        Stage::Joining { rules, near, branch, round, frequent_values, .. } => {
            let branch = if branch.1 > 1 { format!(", branch {} of {}", branch.0, branch.1) } else { String::new() };
            let round = if round.1 > 1 { format!(", round {} of {}", round.0, round.1) } else { String::new() };
            let frequent = if *frequent_values { ", frequent values" } else { "" };
            let pairs = if *near { "near pairs" } else { "pairs" };
            format!("finding {pairs}{branch}{round}{frequent} ({})", text::cut(&text::names(rules, ", "), 32))
        }
        Stage::Condensing => "numbering ids and joining cycles".into(),
        Stage::Counting => "counting the pairs of the closure".into(),
        Stage::Training => "learning how much agreement says".into(),
        Stage::Profiling => "describing columns and trying keys".into(),
        Stage::Sorting => "sorting pairs, forming clusters".into(),
        Stage::Relating { stratum, round, tuples } => {
            format!("stratum {} of {}, round {round}, {} so far", stratum.0, stratum.1, text::counted(*tuples, "tuple"))
        }
        Stage::WritingRelations => "writing relations".into(),
        Stage::WritingPairs => "writing pairs".into(),
        Stage::WritingResults => "writing pairs and clusters".into(),
        Stage::WritingClusters => "writing clusters".into(),
        other => format!("{other:?}"),
    }
}

fn unit_text(unit: WorkUnit) -> &'static str {
    match unit {
        WorkUnit::Records => "records",
        WorkUnit::Pairs => "pairs",
        WorkUnit::Rows => "rows",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_pairs_are_called_so() {
        let stage = |near| Stage::Joining {
            path: sameas::AccessPath::EquiJoin,
            rules: vec!["a".into()],
            near,
            branch: (2, 3),
            work: None,
            round: (1, 1),
            frequent_values: false,
        };
        assert_eq!(stage_text(&stage(false)), "finding pairs, branch 2 of 3 (a)");
        assert_eq!(stage_text(&stage(true)), "finding near pairs, branch 2 of 3 (a)");
    }

    #[test]
    fn a_silent_bar_counts_nothing() {
        let bar = Bar::new(true);
        bar.begin("reading", None, "records");
        bar.advance(3);
        assert!(bar.shown.is_none());
    }
}
