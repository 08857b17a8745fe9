//! Some of the records of a job, ready for the branches of its plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, UInt64Array};
use arrow_schema::{DataType, Field};

use crate::candidates::Shape;
use crate::dataset::{DatasetInput, PartedDataset, PartedRows, RecordPart};
use crate::error::{Error, ErrorCode, Result};
use crate::execute::JoinScope;
use crate::job::Job;
use crate::memory::{self, MemoryBudget, Shares};
use crate::observer::{Progress, Stage};
use crate::output::ExtraColumns;
use crate::pairs::{Pair, ResultPairs};
use crate::plan::{JobPlan, of_other};
use crate::records::{Input, NamedRecords, RowIds};
use crate::rules::RuleSet;
use crate::scoring::{ColumnFrequencies, ScoreColumns, Scores};
use crate::scoring::{check_frequencies, counts_frequencies, frequency_columns};
use crate::settings::Settings;
use crate::verify::Program;

/// What only all records of a job can tell, for a part of them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OfAllRecords {
    /// Tables with the term frequencies of columns, by the names of these, as
    /// [`Job::with_term_frequencies`](crate::job::Job::with_term_frequencies) takes them.
    pub term_frequencies: BTreeMap<String, Input>,
}

impl OfAllRecords {
    /// Of a job that needs nothing.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Of a job with these term frequencies, which `Session::term_frequencies` has counted
    /// over all its records.
    pub fn counted(frequencies: &[ColumnFrequencies]) -> Result<Self> {
        let mut all = Self::nothing();
        for of in frequencies {
            all.term_frequencies.insert(of.column().to_owned(), of.input()?);
        }
        Ok(all)
    }

    /// The job with what would otherwise be counted over its records.
    fn given_to(&self, mut job: Job) -> Result<Job> {
        let counted = frequency_columns(&job)?.into_iter().flatten().filter(|column| column.given.is_none());
        for column in counted {
            let given = self.term_frequencies.iter().find(|(name, _)| name.eq_ignore_ascii_case(&column.name));
            if let Some((_, frequencies)) = given {
                job.term_frequencies.insert(column.name, frequencies.clone());
            }
        }
        Ok(job)
    }
}

/// Which pairs of the records of parts are looked for. Parts are numbered from 0 on, in the order in which they were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchPairs {
    /// Those of two records of one part, in each part that was opened.
    Within,
    /// Those of a record of one part and one of the other, where two were opened.
    Across,
    /// Those of two records of this part.
    InPart(usize),
    /// Those of a record of one of these parts and one of the other.
    Between(usize, usize),
}

impl BranchPairs {
    /// Whether a pair is meant whose left and right record are in these parts.
    pub(super) fn has(self, [left, right]: [usize; 2]) -> bool {
        match self {
            Self::Within => left == right,
            Self::Across => left != right,
            Self::InPart(part) => left == part && right == part,
            Self::Between(one, other) => [left, right] == [one, other] || [left, right] == [other, one],
        }
    }

    /// Refuses parts that there are not, and pairs across parts where it is not clear which two are meant.
    fn check(self, parts: usize) -> Result<()> {
        let were_opened = if parts == 1 { "1 was opened".to_owned() } else { format!("{parts} were opened") };
        let last = match self {
            Self::Across if parts != 2 => {
                return Err(Error::usage(format!("pairs across parts need two parts, and {were_opened}"))
                    .with_help("open both parts together, or say which two of several are meant"));
            }
            Self::Between(one, other) if one == other => {
                return Err(Error::usage(format!("pairs between two parts are wanted, and part {one} is given twice"))
                    .with_help("name two parts, or ask for the pairs in one"));
            }
            Self::Within | Self::Across => return Ok(()),
            Self::InPart(part) => part,
            Self::Between(one, other) => one.max(other),
        };
        if last < parts {
            return Ok(());
        }
        Err(Error::usage(format!("there is no part {last}: {were_opened}"))
            .with_help("the first part has the number 0"))
    }
}

/// Records of one part of a job, or of several, read and encoded for the branches of its plan. Clones share them.
#[derive(Clone)]
pub struct PartRecords(pub(super) Arc<BoundPart>);

/// What clones share.
pub(super) struct BoundPart {
    pub job: Job,
    /// As they are run: simplified, and with the rule of the scores.
    pub rules: RuleSet,
    pub program: Program,
    pub scores: Scores,
    pub rows: PartedRows,
    /// Which pairs of rows are pairs at all.
    shape: Shape,
    /// The ids of left and of right rows.
    pub ids: [RowIds; 2],
    pub rule_names: Vec<String>,
    /// Memory it takes.
    bytes: usize,
    records: u64,
}

/// Reads parts of the records of a job, and encodes them for the branches of a plan.
pub fn open_parts(
    job: &Job,
    plan: &JobPlan,
    parts: &[RecordPart],
    of_all: &OfAllRecords,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<PartRecords> {
    if job.rules.score.open_precision().is_some() {
        return Err(Error::usage(
            "the threshold of the job is found from all of its pairs, and parts have only some of them",
        )
        .with_help("run the job once, and give parts the threshold that it has found, as `threshold_weight`")
        .with_code(ErrorCode::NeedsAllRecords));
    }
    if job.decided.is_some() {
        return Err(Error::usage("decisions are about all pairs of the job, and parts have only some of them")
            .with_help("leave the judgements out, and apply them to the pairs of all parts")
            .with_code(ErrorCode::NeedsAllRecords));
    }
    let job = of_all.given_to(job.without_near())?;
    let budget = MemoryBudget::new(settings.memory);
    let cancel = progress.cancel().within(&budget);
    check_frequencies(&job, cancel)?;
    if counts_frequencies(&job)? {
        return Err(Error::usage("a comparison weighs values by their frequency among all records of the job")
            .with_help("count the term frequencies of all records, and give them with each part")
            .with_code(ErrorCode::NeedsAllRecords));
    }
    let PartedDataset { dataset, rules, rows } = PartedDataset::open(&job, parts, &budget, progress)?;
    progress.begin(&Stage::Encoding, None);
    let rules = rules.simplified().rules;
    let program = dataset.bind(&rules, progress, cancel)?;
    let (inputs, records, shape) = (dataset.inputs(), dataset.layout().records(), dataset.layout().shape());
    let names = dataset.record_names();
    let bytes = program.bytes() + rows.bytes() + inputs.iter().map(DatasetInput::bytes).sum::<usize>();
    let memory = shares(settings, records, bytes, &program)?.join;
    let named = NamedRecords { are_all: false, ..names.all() };
    let mut scores = Scores::read(&job, &rules, &program, named, memory, cancel)?;
    drop(scores.take_kept_frequencies());
    let (rules, program) = with_score_rule(plan, &job, rules, program, &scores)?;
    plan.check(&rules)?;
    let bytes = bytes + scores.bytes();
    let ids = dataset.result_ids()?.pairs;
    let rule_names = rules.rules.iter().map(|rule| rule.name.clone()).collect();
    Ok(PartRecords(Arc::new(BoundPart { job, rules, program, scores, rows, shape, ids, rule_names, bytes, records })))
}

/// The rules with the one that finds the pairs of the scores, as the plan has it, where no rule of the job finds them.
fn with_score_rule(
    plan: &JobPlan,
    job: &Job,
    rules: RuleSet,
    program: Program,
    scores: &Scores,
) -> Result<(RuleSet, Program)> {
    match (plan.scores(), scores.rule_key(job, &rules)) {
        (None, None) => Ok((rules, program)),
        (Some(planned), Some(key)) if planned.key == key => {
            let scorer = scores.model().map(|scoring| &scoring.scorer);
            let (simplified, program) = planned.rule.apply(&rules, &program, scorer)?;
            Ok((simplified.rules, program))
        }
        (None, Some(_)) | (Some(_), None) => Err(of_other("rules")),
        (Some(_), Some(_)) => Err(of_other("scores")),
    }
}

/// What the memory limit leaves beside records that take this many bytes.
fn shares(settings: &Settings, records: u64, bytes: usize, program: &Program) -> Result<Shares> {
    memory::shares_with_scratch(settings.memory, records, bytes, rayon::current_num_threads(), program.scratch_bytes())
}

impl BoundPart {
    /// What the memory limit leaves for joins and the sort.
    pub fn shares(&self, settings: &Settings) -> Result<Shares> {
        shares(settings, self.records, self.bytes, &self.program)
    }

    /// The pairs that are looked for.
    pub fn scope(&self, pairs: BranchPairs) -> Result<JoinScope> {
        let (rows, shape) = (&self.rows, self.shape);
        pairs.check(rows.parts())?;
        let across = |parts: [usize; 2]| JoinScope::across(parts.map(|part| rows.of_part(part)), shape);
        Ok(match pairs {
            BranchPairs::Within => {
                JoinScope { sides: (0..rows.parts()).map(|part| rows.of_part(part)).collect(), shape }
            }
            BranchPairs::InPart(part) => JoinScope::only(rows.of_part(part), shape),
            BranchPairs::Across => across([0, 1]),
            BranchPairs::Between(one, other) => across([one, other]),
        })
    }

    fn score_columns(&self) -> ScoreColumns<'_> {
        ScoreColumns { rules: &self.rules, program: &self.program, scores: &self.scores }
    }
}

/// The columns of row numbers, which come before all others of the kind.
pub(super) const ROW_COLUMNS: [&str; 2] = ["row_l", "row_r"];

/// What pairs are given with: the numbers of their records among all, and scores.
impl ExtraColumns for BoundPart {
    fn fields(&self) -> Vec<Field> {
        let mut fields = ROW_COLUMNS.map(|name| Field::new(name, DataType::UInt64, false)).to_vec();
        fields.extend(self.score_columns().fields());
        fields
    }

    fn columns(&self, pairs: &ResultPairs) -> Result<Vec<ArrayRef>> {
        let column = |number: &dyn Fn(&Pair) -> u64| -> ArrayRef {
            Arc::new(UInt64Array::from_iter_values(pairs.pairs.iter().map(number)))
        };
        let mut columns =
            vec![column(&|pair| self.rows.left_number(pair.l)), column(&|pair| self.rows.right_number(pair.r))];
        columns.extend(self.score_columns().columns(pairs)?);
        Ok(columns)
    }
}

impl std::fmt::Debug for PartRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PartRecords {{ parts: {}, records: {} }}", self.0.rows.parts(), self.0.records)
    }
}
