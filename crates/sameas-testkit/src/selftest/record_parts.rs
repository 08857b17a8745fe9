//! Records divided into parts, as several machines would have them: however they are divided and whatever access path is taken, the
//! branches within each part and across each two of them give the pairs of a run, each once, with its rules and scores.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use sameas::record_parts::{BranchPairs, OfAllRecords, PartInput, PartRecords, RecordPart};
use sameas::{ErrorCode, Input, Job, JobPlan, JobSpec, Session, Statistics};
use sameas_engine::plan::{AccessPath, Draw, Strategy};
use sameas_records::records::Table;

use super::Settings;
use super::check::{Check, Sessions};
use super::compare::is_mistake;
use super::engine::job;
use super::seeded_cases::{case_of, scored_case_of};
use super::variant::{Options, by_seed, paths};
use crate::case::Case;
use crate::rng::mix;

/// How many parts records are divided into.
pub const PARTS: [usize; 4] = [1, 2, 3, 5];

/// Of as many random cases as other groups run, one of this many: each is run many times.
const ONE_OF: u64 = 24;

/// Memory of a session: what does not fit is the subject of other groups.
const MEMORY: usize = 1 << 27;

/// A question for each of some seeds, about cases without and with scores.
pub fn checks(settings: &Settings) -> Vec<Check> {
    let (device, sessions) = (settings.device, Arc::new(Sessions::default()));
    let check = |seed: u64| {
        let sessions = Arc::clone(&sessions);
        let ask = Box::new(move |_: Duration| {
            let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
            let options = Options { memory: MEMORY, ..by_seed(device, seed, Strategy::Full) };
            let session = sessions.open(&options).map_err(|error| error.to_string())?;
            for case in [case_of(seed), scored_case_of(seed)] {
                divided(&session, &case, seed, folder.path()).map_err(|error| format!("{case}\n{error}"))?;
            }
            Ok(())
        });
        Check { name: format!("seed {seed}"), seed, ask }
    };
    (settings.seed..settings.seed + settings.cases.div_ceil(ONE_OF)).map(check).collect()
}

/// The number of a record among all; most do not fit 32 bits.
fn number(row: usize) -> u64 {
    3 + row as u64 * 1_000_000_007
}

/// All records of the inputs of a job, as rules see them.
///
/// # Errors
/// Where an input cannot be read.
pub fn tables(job: &Job) -> sameas::Result<Vec<Table>> {
    let read = |input: &Input| {
        let source = input.open()?;
        let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
        source.read(&columns, &|_| ())
    };
    job.inputs.iter().map(read).collect()
}

/// Records of a table, by their rows, as an input of a part.
///
/// # Errors
/// Where the table lacks a row.
pub fn part_input(table: &Table, rows: &[usize]) -> sameas::Result<PartInput> {
    let names = table.schema.fields().iter().map(|field| field.name().clone()).collect();
    let some = table.part(&names, &rows.iter().map(|row| *row as u32).collect::<Vec<u32>>())?;
    let records = Input::batches(&table.name, some.schema, some.batches)?;
    Ok(PartInput::new(records, rows.iter().map(|row| number(*row)).collect()))
}

/// The records that a hash of their row puts into one of some parts.
fn part(tables: &[Table], own: usize, parts: usize, seed: u64) -> sameas::Result<RecordPart> {
    let is_own = |input: usize, row: usize| mix(seed ^ mix(row as u64 + 31 * input as u64)) as usize % parts == own;
    let of_input = |(at, table): (usize, &Table)| {
        let rows: Vec<usize> = (0..table.rows()).filter(|row| is_own(at, *row)).collect();
        part_input(table, &rows)
    };
    Ok(RecordPart::new(tables.iter().enumerate().map(of_input).collect::<sameas::Result<_>>()?))
}

/// A cell as text.
pub fn cell(column: &ArrayRef, row: usize) -> String {
    match column.data_type() {
        _ if column.is_null(row) => "null".to_owned(),
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).to_owned(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        // All digits, so that scores are the same to the last bit.
        DataType::Float64 => format!("{:?}", column.as_primitive::<Float64Type>().value(row)),
        _ => format!("{:?}", column.slice(row, 1)),
    }
}

/// The pairs of a batch as texts, with everything but the numbers of their records.
fn texts(batch: &RecordBatch) -> Vec<String> {
    let schema = batch.schema();
    let is_shown = |at: &usize| !["row_l", "row_r"].contains(&schema.field(*at).name().as_str());
    let columns: Vec<&ArrayRef> = (0..batch.num_columns()).filter(is_shown).map(|at| batch.column(at)).collect();
    let text = |row: usize| columns.iter().map(|column| cell(column, row)).collect::<Vec<String>>().join("|");
    (0..batch.num_rows()).map(text).collect()
}

/// The pairs of a job; none where it is refused, because something in it can never hold.
///
/// # Errors
/// Where it is refused for another reason.
pub fn pairs_of_run(session: &Session, job: &Job) -> sameas::Result<Option<Vec<String>>> {
    let run = match session.run(job, &()) {
        Err(error) if is_mistake(&error.to_string()) => return Ok(None),
        run => run?,
    };
    let mut pairs = Vec::new();
    for batch in run.pairs() {
        pairs.extend(texts(&batch?));
    }
    pairs.sort();
    Ok(Some(pairs))
}

/// A job with its plan and what only all of its records tell.
pub struct Divided<'a> {
    /// Where it runs.
    pub session: &'a Session,
    /// The job.
    pub job: &'a Job,
    /// Its plan.
    pub plan: &'a JobPlan,
    /// What only all of its records tell.
    pub of_all: OfAllRecords,
}

impl Divided<'_> {
    /// The pairs of some branches over one part, or across two.
    ///
    /// # Errors
    /// Where the parts or a branch are refused.
    pub fn pairs(&self, branches: &[usize], parts: &[RecordPart]) -> sameas::Result<Vec<String>> {
        let which = if parts.len() == 1 { BranchPairs::Within } else { BranchPairs::Across };
        let records = self.session.open_parts(self.job, self.plan, parts, &self.of_all, &())?;
        self.pairs_of(branches, &records, which)
    }

    fn pairs_of(&self, branches: &[usize], records: &PartRecords, which: BranchPairs) -> sameas::Result<Vec<String>> {
        let mut pairs = Vec::new();
        for branch in branches {
            let run = self.session.run_branch(self.plan, *branch, records, which, &())?;
            for batch in run.batches() {
                pairs.extend(texts(&batch?));
            }
        }
        Ok(pairs)
    }

    /// Within each part and across each two, of parts that are opened together.
    fn union(&self, parts: &[RecordPart]) -> sameas::Result<Vec<String>> {
        let records = self.session.open_parts(self.job, self.plan, parts, &self.of_all, &())?;
        let branches: Vec<usize> = (0..self.plan.branches()).collect();
        let mut pairs = Vec::new();
        for own in 0..parts.len() {
            pairs.extend(self.pairs_of(&branches, &records, BranchPairs::InPart(own))?);
            for other in own + 1..parts.len() {
                pairs.extend(self.pairs_of(&branches, &records, BranchPairs::Between(own, other))?);
            }
        }
        pairs.sort();
        Ok(pairs)
    }
}

/// What came of a case.
#[derive(Debug, Default)]
pub struct DividedCase {
    /// The pairs of its run.
    pub pairs: usize,
    /// The paths of the branches that ran over parts.
    pub paths: Vec<AccessPath>,
    /// Whether it was planned from statistics of parts, too.
    pub is_planned_from_parts: bool,
}

/// Runs a case by its seed, with every access path wherever a rule can take it, and every other one by a plan from statistics of its
/// parts. Nothing where a job is refused: something in it can never hold, or it needs all records.
///
/// # Errors
/// Where parts give other pairs than the run, or are refused.
pub fn divided(session: &Session, case: &Case, seed: u64, folder: &Path) -> Result<Option<DividedCase>, String> {
    let whole = job(case, seed, folder)?;
    let whole = if case.job.rules.is_empty() { whole.with_all_pairs() } else { whole };
    match divided_job(session, &whole, seed) {
        Err(Differs::Refused(error)) if error.code() == ErrorCode::NeedsAllRecords => Ok(None),
        Err(Differs::Refused(error)) => Err(error.to_string()),
        Err(Differs::Pairs(text)) => Err(text),
        Ok(case) => Ok(case),
    }
}

/// What goes wrong with parts.
enum Differs {
    /// They are refused.
    Refused(sameas::Error),
    /// They have other pairs.
    Pairs(String),
}

impl From<sameas::Error> for Differs {
    fn from(error: sameas::Error) -> Self {
        Self::Refused(error)
    }
}

fn divided_job(session: &Session, whole: &Job, seed: u64) -> Result<Option<DividedCase>, Differs> {
    let Some(expected) = pairs_of_run(session, whole)? else { return Ok(None) };
    let mut case = DividedCase { pairs: expected.len(), ..DividedCase::default() };
    let tables = tables(whole)?;
    let of_all = match session.term_frequencies(whole, &()) {
        Err(error) if error.code() == ErrorCode::NoComparisons => OfAllRecords::nothing(),
        counted => OfAllRecords::counted(&counted?)?,
    };
    let divide =
        |count: usize| (0..count).map(|own| part(&tables, own, count, seed)).collect::<sameas::Result<Vec<_>>>();
    let mut check = |job: &Job, plan: &JobPlan, parts: &[RecordPart], by: &str| -> Result<(), Differs> {
        let divided = Divided { session, job, plan, of_all: of_all.clone() };
        case.paths.extend(plan.kinds().iter().filter_map(|kind| kind.path));
        match divided.union(parts)? {
            found if found == expected => Ok(()),
            found => Err(Differs::Pairs(difference(&expected, &found, by, parts.len()))),
        }
    };
    for (at, path) in paths().into_iter().enumerate() {
        let job = whole.clone().with_strategy(Strategy::Random(Draw { seed, path: Some(path) }));
        let parts = divide(PARTS[(seed as usize + at) % PARTS.len()])?;
        check(&job, &session.plan(&job, &())?, &parts, path.name())?;
    }
    // No rule finds the pairs of a job without rules: its plan depends on all records.
    if seed.is_multiple_of(2) && !whole.rules.rules.is_empty() {
        let parts = divide(PARTS[1 + seed as usize / 2 % 3])?;
        let plan = plan_of_parts(session, whole, &parts)?;
        check(whole, &plan, &parts, "a plan from statistics")?;
        case.is_planned_from_parts = true;
    }
    Ok(Some(case))
}

/// The plan of a job from statistics that were counted part by part and put together.
fn plan_of_parts(session: &Session, whole: &Job, parts: &[RecordPart]) -> sameas::Result<JobPlan> {
    let mut all: Option<Statistics> = None;
    let mut schemas: Vec<SchemaRef> = Vec::new();
    for part in parts {
        let mut job = whole.clone();
        job.inputs = part.inputs.iter().map(|input| input.records.clone()).collect();
        schemas = job.inputs.iter().map(|input| Ok(input.open()?.schema().clone())).collect::<sameas::Result<_>>()?;
        let numbers: Vec<Vec<u64>> = part.inputs.iter().map(|input| input.rows.clone()).collect();
        let counted = session.statistics_of_part(&job, &numbers, &())?;
        all = Some(match all {
            Some(others) => counted.merge(others)?,
            None => counted,
        });
    }
    let all = all.ok_or_else(|| sameas::Error::internal("records are divided into one part at least"))?;
    session.plan_from(&JobSpec::new(whole), &schemas, &all, &())
}

/// Which pairs a run has and parts have not, or the other way round.
fn difference(expected: &[String], found: &[String], by: &str, parts: usize) -> String {
    let lacking = |of: &[String], others: &[String]| {
        let only = of.iter().filter(|pair| !others.contains(pair)).take(10);
        only.cloned().collect::<Vec<String>>().join("\n  ")
    };
    format!(
        "{by} in {parts} parts: {} pairs, and a run has {}\nmissing:\n  {}\ntoo much:\n  {}",
        found.len(),
        expected.len(),
        lacking(expected, found),
        lacking(found, expected)
    )
}
