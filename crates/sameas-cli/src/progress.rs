//! The progress bar: one line on standard error, where that is a terminal, and nothing elsewhere.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use sameas::{Observer, Stage, WorkUnit};

use crate::interrupt;
use crate::terminal;
use crate::text;

/// Shows how far a job has come.
pub struct Bar {
    /// The bar of the stage at work, if anything is shown at all.
    shown: Option<Mutex<ProgressBar>>,
}

impl Bar {
    /// A bar, or a silent one if the user wants none or could not see it.
    pub fn new(quiet: bool) -> Self {
        let visible = !quiet && terminal::shows_progress();
        Self { shown: visible.then(|| Mutex::new(ProgressBar::no_length())) }
    }

    fn with(&self, act: impl FnOnce(&mut ProgressBar)) {
        if let Some(bar) = &self.shown {
            act(&mut bar.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.with(|bar| bar.finish_and_clear());
    }
}

impl Bar {
    /// A stage of the program's own begins: what it does, how much there is to do, and of what.
    pub fn begin(&self, message: &str, total: Option<u64>, unit: &str) {
        self.with(|bar| {
            bar.finish_and_clear();
            *bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
            bar.set_style(style(total.is_some(), unit));
            bar.set_message(text::cut(message, 24));
        });
    }
}

impl Observer for Bar {
    fn stage(&self, stage: &Stage, total: Option<u64>) {
        self.begin(&stage_text(stage), total, unit_text(stage.unit()));
    }

    fn advance(&self, amount: u64) {
        self.with(|bar| bar.inc(amount));
    }

    fn is_cancelled(&self) -> bool {
        interrupt::is_wanted()
    }
}

fn stage_text(stage: &Stage) -> String {
    match stage {
        Stage::Reading => "reading".into(),
        Stage::Encoding => "encoding".into(),
        Stage::Planning => "planning".into(),
        Stage::DecidingTable { predicate } => format!("deciding {} once for all values", text::one_line(predicate)),
        Stage::Joining { path, rules, round, frequent_values } => {
            let round = if round.1 > 1 { format!(", round {} of {}", round.0, round.1) } else { String::new() };
            let frequent = if *frequent_values { ", frequent values" } else { "" };
            format!("{} for {}{round}{frequent}", path.name(), text::names(rules, ", "))
        }
        Stage::Profiling => "looking at columns".into(),
        Stage::WritingPairs => "writing pairs".into(),
        Stage::WritingClusters => "writing clusters".into(),
        other => format!("{other:?}"),
    }
}

fn unit_text(unit: WorkUnit) -> &'static str {
    match unit {
        WorkUnit::Records => "rows",
        WorkUnit::Tasks => "tasks",
        WorkUnit::Pairs => "pairs",
        _ => "",
    }
}

/// A known total has a bar and the time left; an unknown one only counts.
fn style(known: bool, unit: &str) -> ProgressStyle {
    let template = match (known, unit) {
        (true, _) => "{msg:24} {bar:14} {percent:>3} %  {rate}  {eta} left",
        (false, "") => "{msg:24} {elapsed}",
        (false, _) => "{msg:24} {done}  {rate}",
    };
    let unit = unit.to_owned();
    let counted = unit.clone();
    let rate = move |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{} {unit}/s", text::count(state.per_sec() as u64));
    };
    let done = move |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{} {counted}", text::count(state.pos()));
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", rate).with_key("done", done).progress_chars("=> ")
}
