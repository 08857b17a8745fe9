//! Inputs and rules brought together: columns first, then the rules, then the rows that the rules need.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::job::Job;
use super::observer::{Progress, Stage};
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{Expr, Side, type_of};
use crate::memory::{Held, MemoryBudget};
use crate::records::{RowIds, Source, Table, row_ids};
use crate::rules::{LinkType, RuleSet, Test, compile_with_near, input_columns};

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

/// Checks the rules of a job, against the columns of its inputs if it has any.
pub fn check(job: &Job, memory: usize) -> Result<RuleSet> {
    let sources = open(job, Cancel::NEVER.within(&MemoryBudget::new(memory)))?;
    compile_for(job, &sources)
}

/// Reads the inputs of a job.
pub fn load(job: &Job, budget: &MemoryBudget, progress: Progress<'_>) -> Result<Loaded> {
    let cancel = progress.cancel().within(budget);
    let sources = open(job, cancel)?;
    let rules = compile_for(job, &sources)?;
    let names = dataset_names(&sources);
    let (mut tables, mut ids, mut held) = (Vec::new(), Vec::new(), Vec::new());
    progress.begin(&Stage::Reading, None);
    for (side, (source, name)) in sources.into_iter().zip(names).enumerate() {
        let id = id_column(job, &source)?;
        let wanted = match job.all_columns {
            true => readable_columns(&source, id),
            false => wanted_columns(&rules, side, &source, id),
        };
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
    job.inputs.iter().map(|input| Source::open_until(input, cancel)).collect()
}

fn compile_for(job: &Job, sources: &[Source]) -> Result<RuleSet> {
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
    let (left, right) = (columns.first(), columns.last());
    let side = |columns: Option<&Vec<_>>| columns.map_or(&[][..], |c: &Vec<_>| &c[..]).to_vec();
    compile_with_near(&job.rules, job.link_type, [&side(left), &side(right)], near_amount(job)?)
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

/// The names of the inputs. Results call the records of two inputs `name:id`, and `a:b:1` must not be a record of `a` and
/// one of `a:b`. Where that could be, the names get different endings; then neither is the other, nor begins with it and
/// a colon.
fn dataset_names(sources: &[Source]) -> Vec<String> {
    let names: Vec<String> = sources.iter().map(|s| s.name().to_owned()).collect();
    match &names[..] {
        [a, b] if may_be_confused(a, b) || may_be_confused(b, a) => vec![format!("{a}_l"), format!("{b}_r")],
        _ => names,
    }
}

fn may_be_confused(short: &str, long: &str) -> bool {
    long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
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

/// The places of all input columns whose values can be shown.
fn readable_columns(source: &Source, id: Option<usize>) -> Vec<usize> {
    let fields = source.schema().fields();
    (0..fields.len()).filter(|at| Some(*at) == id || type_of(fields[*at].data_type()).is_some()).collect()
}

/// The places of all input columns that the rules read, and of the id.
fn wanted_columns(rules: &RuleSet, side: usize, source: &Source, id: Option<usize>) -> Vec<usize> {
    let names = RefCell::new(BTreeSet::new());
    let this_side = |s: Side| rules.link_type != LinkType::LinkOnly || (s == Side::Right) == (side == 1);
    let collect = |expr: &Expr, own: Option<Side>| {
        expr.each_column(&mut |of, key| {
            if this_side(own.unwrap_or(of)) {
                names.borrow_mut().insert(key.to_owned());
            }
        });
    };
    let here = if side == 1 { Side::Right } else { Side::Left };
    rules.derived[side].iter().for_each(|d| collect(&d.expr, Some(here)));
    rules.rankings.iter().for_each(|r| collect(&r.keys[side], Some(here)));
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
