//! Inputs and rules brought together: columns first, then the rules, then the rows that the rules need.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::input_names::unambiguous;
use super::job::Job;
use super::observer::{Progress, Stage};
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{Expr, Side};
use crate::memory::{Held, MemoryBudget};
use crate::records::{RowIds, Source, Table, row_ids};
use crate::rules::{InputColumns, LinkType, RuleSet, Test, compile_for, input_columns};

/// A job whose rules fit its inputs, and whose inputs are read.
pub struct Loaded {
    /// The rules.
    pub rules: RuleSet,
    /// The tables.
    pub tables: Vec<Table>,
    /// The ids of each table.
    pub ids: Vec<RowIds>,
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

/// Checks the rules of a job, against the columns of its inputs if it has any.
pub fn check(job: &Job, memory: usize) -> Result<RuleSet> {
    let sources = open(job, Cancel::NEVER.within(&MemoryBudget::new(memory)))?;
    compile_rules(job, &sources, &names_of(&sources))
}

/// Reads the inputs of a job.
pub fn load(job: &Job, budget: &MemoryBudget, progress: Progress<'_>) -> Result<Loaded> {
    let cancel = progress.cancel().within(budget);
    let sources = open(job, cancel)?;
    let names = names_of(&sources);
    let rules = compile_rules(job, &sources, &names)?;
    let (mut tables, mut ids, mut held) = (Vec::new(), Vec::new(), Vec::new());
    progress.begin(&Stage::Reading, None);
    for (side, (source, name)) in sources.into_iter().zip(names).enumerate() {
        let id = id_column(job, &source)?;
        let wanted = wanted_columns(&rules, side, &source, id);
        let mut table = source.read_within(budget, &wanted, &|rows| progress.advance(rows))?;
        let id = id.and_then(|id| wanted.iter().position(|w| *w == id));
        table.name = name;
        if u32::try_from(table.rows()).is_err() {
            return Err(Error::data(format!("`{}` has more than {} records", table.name, u32::MAX)));
        }
        let of_table = row_ids(&table, id, cancel)?;
        held.push(budget.hold(of_table.bytes())?);
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
    Ok(Loaded { rules, tables, ids, held })
}

fn open(job: &Job, cancel: Cancel<'_>) -> Result<Vec<Source>> {
    if job.link_type != LinkType::DedupeOnly && job.inputs.len() < 2 {
        let given = if job.inputs.is_empty() { "none was" } else { "1 was" };
        return Err(Error::usage(format!("a link needs two inputs, and {given} given")));
    }
    job.inputs.iter().map(|input| Source::open_until(input, cancel)).collect()
}

fn names_of(sources: &[Source]) -> Vec<String> {
    unambiguous(&sources.iter().map(Source::name).collect::<Vec<&str>>())
}

fn compile_rules(job: &Job, sources: &[Source], names: &[String]) -> Result<RuleSet> {
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
    compile_for(&job.rules, job.link_type, &inputs.collect::<Vec<_>>())
}

/// The id column, or `None` for row numbers.
fn id_column(job: &Job, source: &Source) -> Result<Option<usize>> {
    let find = |name: &str| {
        let lower = name.to_lowercase();
        let fields = source.schema().fields();
        fields
            .iter()
            .position(|f| f.name() == name)
            .or_else(|| fields.iter().position(|f| f.name().to_lowercase() == lower))
    };
    let names: Vec<&str> = source.schema().fields().iter().map(|f| f.name().as_str()).collect();
    let asked = job.id.as_deref().or(job.rules.unique_id.as_deref());
    match asked {
        Some(name) => match find(name) {
            Some(column) => Ok(Some(column)),
            None if name == "row" => Ok(None),
            None => Err(Error::usage(format!("`{}` has no column `{name}` to take ids from", source.name()))
                .with_help(format!("its columns are: {}; `row` stands for row numbers", names.join(", ")))
                .with_code(ErrorCode::NoIdColumn)),
        },
        None => match find("id").or_else(|| find("unique_id")) {
            Some(column) => Ok(Some(column)),
            None => {
                Err(Error::usage(format!("`{}` has no column `id` or `unique_id`", source.name()))
                    .with_help(format!(
                        "say which column holds the ids; the columns are: {}; `row` stands for row numbers",
                        names.join(", ")
                    ))
                    .with_code(ErrorCode::NoIdColumn))
            }
        },
    }
}

/// The places of all input columns that the rules read, and of the id.
fn wanted_columns(rules: &RuleSet, side: usize, source: &Source, id: Option<usize>) -> Vec<usize> {
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
    let names = names.into_inner();
    let fields = source.schema().fields();
    (0..fields.len()).filter(|at| Some(*at) == id || names.contains(fields[*at].name())).collect()
}
