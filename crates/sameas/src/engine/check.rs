//! Rules checked against inputs: what is certainly wrong is an error, what cannot be meant is a doubt.

use std::collections::HashSet;

use super::id_columns::{asked, id_column};
use super::job::Job;
use super::load::{Loaded, compile_rules, names_of, open, wanted_columns};
use super::prepared::frames;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::expr::{Side, Type};
use crate::memory::MemoryBudget;
use crate::records::{Frame, Source, Table};
use crate::rules::{Doubt, LinkType, RuleSet, TextReading};

/// Records that a check looks at.
const SAMPLE: usize = 10_000;

/// What a check of rules without errors has found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RuleCheck {
    /// Conditions that cannot be meant.
    pub doubts: Vec<Doubt>,
    /// Derived columns that no rule uses.
    pub unused_derived: Vec<String>,
}

/// Checks the rules of a job against the columns of its inputs, and against some of the records of files.
pub fn check(job: &Job, memory: usize) -> Result<RuleCheck> {
    let budget = MemoryBudget::new(memory);
    let cancel = Cancel::NEVER.within(&budget);
    let sources = open(job, cancel)?;
    let names = names_of(&sources);
    let mut rules = compile_rules(job, &sources, &names, &budget)?;
    let asked = asked(job, &sources, &names)?;
    rules.doubts.extend(known_before_reading(&rules, &sources, &asked));
    let notes = rules.simplified().notes;
    rules.doubts.extend(rules.contradictions(&notes));
    rules.doubts.extend(of_sample(&rules, sources, &budget));
    Ok(RuleCheck { doubts: rules.doubts, unused_derived: rules.unused_derived })
}

/// The doubts that rules and ids give without any record; `asked` has the id column that was asked for of each input.
pub(super) fn known_before_reading(rules: &RuleSet, sources: &[Source], asked: &[Option<String>]) -> Vec<Doubt> {
    let mut doubts = rules.forbidden_rules();
    // Between two inputs ids may be equal.
    if rules.link_type == LinkType::DedupeOnly
        && let Some(source) = sources.first()
        && let Ok(Some(column)) = id_column(asked[0].as_deref(), source)
    {
        doubts.extend(rules.equal_ids(source.schema().field(column).name()));
    }
    doubts
}

/// Columns of which rules can read no value in the first records. What cannot be read as a file is left to a run.
fn of_sample(rules: &RuleSet, sources: Vec<Source>, budget: &MemoryBudget) -> Vec<Doubt> {
    if rules.readings.is_empty() {
        return Vec::new();
    }
    let of_source = |(side, source): (usize, Source)| {
        let wanted = wanted_columns(rules, side, &source, None);
        source.sample(budget, &wanted, SAMPLE)
    };
    let tables: Option<Vec<Table>> = sources.into_iter().enumerate().map(of_source).collect();
    let Some(tables) = tables else { return Vec::new() };
    let mut loaded = Loaded { rules: rules.clone(), tables, ids: Vec::new(), id_columns: Vec::new(), held: Vec::new() };
    let cancel = Cancel::NEVER.within(budget);
    let (frames, ..) = frames(&mut loaded, cancel);
    never_read(rules, &frames, &format!("the first {SAMPLE} records"), cancel)
}

/// Columns of which rules can read no value; `records` says in words which records there are.
pub(super) fn never_read(rules: &RuleSet, frames: &[Frame], records: &str, cancel: Cancel<'_>) -> Vec<Doubt> {
    // With one frame both records of a pair are in it.
    let mut seen = HashSet::new();
    let mut is_new = |reading: &&TextReading| {
        frames.len() > 1 || seen.insert((reading.key.clone(), reading.conversion.ty == Type::Date))
    };
    let doubt = |reading: &TextReading| {
        let frame = if reading.side == Side::Left { frames.first() } else { frames.last() };
        let example = frame?.example_of_unreadable(&reading.key, &reading.conversion, cancel)?;
        Some(reading.doubt(&example, records))
    };
    rules.readings.iter().filter(&mut is_new).filter_map(doubt).collect()
}
