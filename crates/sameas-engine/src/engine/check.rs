//! Rules checked against inputs: what is certainly wrong is an error, what is likely wrong is a doubt.

use super::entity_tables::check_tables_before_reading;
use crate::cancel::Cancel;
use crate::dataset::{OpenedInputs, frames, never_read, wanted_columns};
use crate::error::Result;
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::records::{OpenSource, Table};
use crate::rules::{Doubt, RuleSet};
use crate::scoring::check_frequencies;

/// Records that a check looks at.
const SAMPLE: usize = 10_000;

/// What a check of rules without errors has found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RuleCheck {
    /// Conditions that are likely mistakes.
    pub doubts: Vec<Doubt>,
    /// Derived columns that no rule uses.
    pub unused_derived: Vec<String>,
}

/// Checks the rules of a job against the columns of its inputs, and against some of the records of files.
pub fn check(job: &Job, memory: usize) -> Result<RuleCheck> {
    let budget = MemoryBudget::new(memory);
    let cancel = Cancel::NEVER.within(&budget);
    let inputs = OpenedInputs::open(job, cancel)?;
    let mut rules = inputs.compile(job, &budget)?;
    check_frequencies(job, cancel)?;
    check_tables_before_reading(job, &inputs, &budget)?;
    let notes = rules.simplified().notes;
    rules.doubts.extend(rules.contradictions(&notes));
    rules.doubts.extend(of_sample(&rules, inputs.sources, &budget));
    Ok(RuleCheck { doubts: rules.doubts, unused_derived: rules.unused_derived })
}

/// Columns of which rules can read no value in the first records. What cannot be read as a file is left to a run.
fn of_sample(rules: &RuleSet, sources: Vec<OpenSource>, budget: &MemoryBudget) -> Vec<Doubt> {
    if rules.readings.is_empty() {
        return Vec::new();
    }
    let of_source = |(side, source): (usize, OpenSource)| {
        let wanted = wanted_columns(rules, side, &source, None);
        source.sample(budget, &wanted, SAMPLE)
    };
    let tables: Option<Vec<Table>> = sources.into_iter().enumerate().map(of_source).collect();
    let Some(mut tables) = tables else { return Vec::new() };
    let cancel = Cancel::NEVER.within(budget);
    let frames = frames(&mut tables, rules, cancel);
    never_read(rules, &frames, &format!("the first {SAMPLE} records"), cancel)
}
