//! Inputs and rules brought together: columns first, then the rules, then the rows that the rules need.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::check::known_before_reading;
use super::id_columns::{asked, id_column};
use super::input_names::unambiguous;
use super::job::Job;
use super::observer::{Progress, Stage};
use super::record::InputRecord;
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{Expr, Side, repetition, type_of};
use crate::memory::{Held, MemoryBudget};
use crate::records::{MissingIds, RowIds, Source, Table, row_ids};
use crate::rules::{InputColumns, LinkType, RuleSet, Test, compile_within, input_columns};

/// A job whose rules fit its inputs, and whose inputs are read.
pub struct Loaded {
    /// The rules.
    pub rules: RuleSet,
    /// The tables.
    pub tables: Vec<Table>,
    /// The ids of each table.
    pub ids: Vec<RowIds>,
    /// The column that they are from; none for row numbers.
    pub id_columns: Vec<Option<String>>,
    /// The memory of the ids.
    pub held: Vec<Held>,
}

impl Loaded {
    /// The first row of each input after the first, where all lie one after the other.
    pub fn borders(&self) -> Vec<u32> {
        let mut rows = 0;
        let ends = self.tables.iter().map(|table| {
            rows += table.rows() as u32;
            rows
        });
        let mut ends: Vec<u32> = ends.collect();
        ends.pop();
        ends
    }
}

/// Reads the inputs of a job.
pub fn load(job: &Job, budget: &MemoryBudget, progress: Progress<'_>) -> Result<Loaded> {
    let cancel = progress.cancel().within(budget);
    let sources = open(job, cancel)?;
    let names = names_of(&sources);
    let mut rules = compile_rules(job, &sources, &names, budget)?;
    let asked = asked(job, &sources, &names)?;
    rules.doubts.extend(known_before_reading(&rules, &sources, &asked));
    progress.doubts(&rules.doubts);
    let missing = match job.skip_null_ids.or(job.rules.skip_null_ids) {
        Some(true) => MissingIds::Skip,
        _ => MissingIds::Refuse,
    };
    let (mut tables, mut ids, mut held, mut id_columns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    progress.begin(&Stage::Reading, None);
    for (side, (source, name)) in sources.into_iter().zip(names).enumerate() {
        let id = id_column(asked[side].as_deref(), &source)?;
        id_columns.push(id.map(|id| source.schema().field(id).name().clone()));
        let wanted = match job.all_columns {
            true => readable_columns(&source, id),
            false => wanted_columns(&rules, side, &source, id),
        };
        let mut table = source.as_given().read_within(budget, &wanted, &|rows| progress.advance(rows))?;
        let id = id.and_then(|id| wanted.iter().position(|w| *w == id));
        table.name = name;
        if u32::try_from(table.rows()).is_err() {
            return Err(Error::data(format!("`{}` has more than {} records", table.name, u32::MAX)));
        }
        let of_table = row_ids(&mut table, id, missing, cancel)?;
        held.push(budget.hold(of_table.bytes() + table.skipped().bytes())?);
        ids.push(of_table);
        tables.push(table);
    }
    let rows: u64 = tables.iter().map(|t| t.rows() as u64).sum();
    if rows >= u64::from(u32::MAX) {
        return Err(Error::data(format!(
            "the inputs have {rows} records in all; at most {} are possible",
            u32::MAX - 1
        )));
    }
    Ok(Loaded { rules, tables, ids, id_columns, held })
}

impl Loaded {
    /// What is recorded of the inputs of the job.
    pub(super) fn input_records(&self, job: &Job) -> Vec<InputRecord> {
        let inputs = self.tables.iter().zip(&job.inputs).zip(&self.id_columns);
        inputs.map(|((table, input), id)| InputRecord::of(table, input, id.as_deref().unwrap_or("row"))).collect()
    }
}

/// Opens the inputs of a job: their columns are known, and nothing is read.
pub fn open(job: &Job, cancel: Cancel<'_>) -> Result<Vec<Source>> {
    if job.link_type != LinkType::DedupeOnly && job.inputs.len() < 2 {
        let given = if job.inputs.is_empty() { "none was" } else { "1 was" };
        return Err(Error::usage(format!("a link needs two inputs, and {given} given")));
    }
    job.inputs.iter().map(|input| Source::open_until(&input.or_as_rules_say(&job.rules)?, cancel)).collect()
}

/// The names of the inputs, by which no two records are called the same.
pub(super) fn names_of(sources: &[Source]) -> Vec<String> {
    unambiguous(&sources.iter().map(Source::name).collect::<Vec<&str>>())
}

pub(super) fn compile_rules(job: &Job, sources: &[Source], names: &[String], budget: &MemoryBudget) -> Result<RuleSet> {
    if let Some(said) = job.rules.link_type
        && said != job.link_type
    {
        return Err(Error::rules(format!(
            "the rule file says link_type = \"{}\", the job is {}",
            said.name(),
            job.link_type.name()
        ))
        .with_help("make the job that the rules are for, or change them")
        .with_code(ErrorCode::LinkTypeMismatch));
    }
    let with_source = job.link_type != LinkType::DedupeOnly;
    let columns: Vec<_> = sources.iter().map(|s| input_columns(s.schema(), with_source)).collect();
    let inputs = names.iter().zip(&columns).map(|(name, columns)| InputColumns { name, columns });
    let given = job.scores.as_ref().map(|_| job.rules.clone().with_outside_scores());
    compile_within(
        given.as_ref().unwrap_or(&job.rules),
        job.link_type,
        &inputs.collect::<Vec<_>>(),
        budget,
        near_amount(job)?,
    )
}

/// By how much thresholds are loosened for near pairs.
fn near_amount(job: &Job) -> Result<Option<f64>> {
    match job.near {
        Some(amount) if !(amount > 0.0 && amount < 1.0) => {
            Err(Error::usage(format!("thresholds cannot be loosened by {amount}"))
                .with_help("similarities are between 0 and 1, and so is what they are loosened by: 0.05, for example"))
        }
        near => Ok(near),
    }
}

/// The places of all input columns whose values can be shown.
fn readable_columns(source: &Source, id: Option<usize>) -> Vec<usize> {
    let fields = source.schema().fields();
    let is_readable = |at: usize| type_of(fields[at].data_type()).is_some() && repetition(&fields[at]).is_none();
    (0..fields.len()).filter(|at| Some(*at) == id || is_readable(*at)).collect()
}

/// The places of all input columns that the rules read, and of the id.
pub(super) fn wanted_columns(rules: &RuleSet, side: usize, source: &Source, id: Option<usize>) -> Vec<usize> {
    let names = wanted_names(rules, side);
    let fields = source.schema().fields();
    (0..fields.len()).filter(|at| Some(*at) == id || names.contains(fields[*at].name())).collect()
}

/// The names in expressions of all columns of an input that the rules read.
pub(super) fn wanted_names(rules: &RuleSet, side: usize) -> BTreeSet<String> {
    let names = RefCell::new(BTreeSet::new());
    let this_side = |s: Side| !rules.has_two_sides() || (s == Side::Right) == (side == 1);
    let collect = |expr: &Expr, own: Option<Side>| {
        expr.each_column(&mut |of, key| {
            if this_side(own.unwrap_or(of)) {
                names.borrow_mut().insert(key.to_owned());
            }
        });
    };
    let here = if side == 1 { Side::Right } else { Side::Left };
    rules.derived[side].iter().for_each(|d| collect(&d.expr, Some(here)));
    rules.rankings.iter().for_each(|r| collect(&r.keys[side.min(1)], Some(here)));
    for predicate in &rules.predicates {
        match &predicate.test {
            Test::Equal { left, right, .. } | Test::Measure { left, right, .. } | Test::ListHasAny { left, right } => {
                collect(left, Some(Side::Left));
                collect(right, Some(Side::Right));
            }
            Test::OneSided { side, condition } => collect(condition, Some(*side)),
            Test::Residual(expr) => collect(expr, None),
            Test::SameSource => {}
        }
    }
    rules.values.iter().for_each(|value| collect(value, None));
    names.into_inner()
}
