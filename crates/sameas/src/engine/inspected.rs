//! Records of a job that has run, looked at again: their values, and what each condition says of pairs of them.
//!
//! The inputs are read once more and must be as they were. Only the records that are wanted are encoded, unless a rule
//! needs all of them: a rank is a place among all records, and a term frequency a share of them.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::encode::encode;
use super::heavy_keys::{HeavyKey, KeySample, has_keys, rows_of_sample, weights_of_sample};
use super::inspected_columns::{InputColumnCounts, count_columns};
use super::job::Job;
use super::load::{Loaded, load, wanted_names};
use super::observer::{Progress, Stage};
use super::prepared::frames;
use super::record::RunRecord;
use super::scoring::{ScoreExplanation, Scoring, Weighted, WeightedExplanation};
use crate::cancel::catch;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{derived_key, shown_name};
use crate::memory::{INPUTS_SHARE, MemoryBudget};
use crate::records::stats::value_text;
use crate::records::{Frame, Input, Table, content_hash};
use crate::rules::{Conjunction, Literal, LiteralRecord, Predicate, Rule, RuleSet};
use crate::score::TermFrequencies;
use crate::verify::{Finding, Program, finding};

/// Records of a job, ready to be looked at pair by pair.
pub struct InspectedRecords {
    rules: RuleSet,
    program: Program,
    frames: Vec<Frame>,
    scoring: Option<Scoring>,
    weighted: Option<Weighted>,
    /// The frame and the row of each wanted record.
    places: Vec<(usize, u32)>,
    /// The input of each.
    inputs: Vec<usize>,
    /// Their columns.
    pub columns: Vec<InspectedColumn>,
    /// What was counted of the columns of all records.
    pub counts: Vec<InputColumnCounts>,
    /// The conditions of the rules and `never` rules, each once.
    pub conditions: Vec<Literal>,
    /// For each rule the ways in which it can hold, as places among the conditions.
    pub rule_ways: Vec<ConditionWays>,
    /// The same for each `never` rule.
    pub never_ways: Vec<ConditionWays>,
    /// Some of the records as inputs of another job.
    pub near_tables: Vec<Input>,
    /// Keys of joins that many records share.
    pub heavy_keys: Vec<HeavyKey>,
    /// The hash of columns whose values are to stay secret, of all records.
    pub secret: u128,
}

/// The ways in which a rule can hold: places of the conditions that must all hold.
pub type ConditionWays = Vec<Vec<usize>>;

/// A column of inspected records.
#[derive(Clone, Debug)]
pub struct InspectedColumn {
    /// Its name.
    pub name: String,
    /// Whether it is computed, by `derive`.
    pub is_derived: bool,
    /// Whether rules read it, or columns that are derived from it.
    pub is_used: bool,
    /// Its name in expressions; nothing for inputs that do not have it.
    keys: Vec<Option<String>>,
}

/// What each condition says of a pair.
pub struct InspectedPair {
    /// By condition.
    pub findings: Vec<Finding>,
    /// How its score comes about, where comparisons have levels.
    pub score: Option<ScoreExplanation>,
    /// The same where they have weights.
    pub weighted: Option<WeightedExplanation>,
}

/// What is to be read again.
#[derive(Clone, Copy)]
pub struct RereadRequest<'a> {
    /// The job.
    pub job: &'a Job,
    /// The record of its run.
    pub run: &'a RunRecord,
    /// Names of columns whose values are to stay secret.
    pub secret: &'a (dyn Fn(&str) -> bool + Sync),
    /// The memory limit, of which results that are read beside them have their share.
    pub memory: usize,
}

/// What is to be looked at of what was read.
pub struct InspectionRequest<'a> {
    /// The records by their numbers among those of all inputs, ascending.
    pub records: &'a [u32],
    /// Some of them, ascending, to be inputs of another job.
    pub near_records: &'a [u32],
    /// Whether keys of joins are counted.
    pub with_keys: bool,
}

/// The inputs of a job that has run, read once more. They have the records that the run has read.
pub struct RereadInputs {
    job: Job,
    budget: MemoryBudget,
    loaded: Loaded,
    columns: Vec<InspectedColumn>,
    counts: Vec<InputColumnCounts>,
    secret: u128,
}

impl RereadInputs {
    /// Reads the inputs, with all columns if there is memory for them: a run needs only those that rules read.
    pub fn read(request: RereadRequest<'_>, progress: Progress<'_>) -> Result<Self> {
        match catch(|| Self::of(request, true, progress)) {
            Err(error) if error.code() == ErrorCode::MemoryLimit => {
                progress.memory_freed();
                Self::of(request, false, progress)
            }
            read => read,
        }
    }

    fn of(request: RereadRequest<'_>, all_columns: bool, progress: Progress<'_>) -> Result<Self> {
        let job = Job { all_columns, ..request.job.without_near() };
        let budget = MemoryBudget::share(request.memory, INPUTS_SHARE);
        // The run has said already what is doubtful about the rules.
        let loaded = load(&job, &budget, progress.silent())?;
        check_unchanged(&loaded, request.run)?;
        let names: Vec<BTreeSet<String>> = (0..loaded.tables.len()).map(|at| wanted_names(&loaded.rules, at)).collect();
        let columns = columns(&loaded, &names);
        let counts = count_columns(&loaded.tables, progress.cancel());
        let secret = secret_hash(&loaded.tables, request.secret)?;
        Ok(Self { job, budget, loaded, columns, counts, secret })
    }
}

impl InspectedRecords {
    /// Looks at records of inputs that were read again.
    pub fn new(
        inputs: RereadInputs,
        reread: RereadRequest<'_>,
        request: &InspectionRequest<'_>,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let has_all_columns = inputs.job.all_columns;
        match catch(|| Self::of(inputs, reread.run, request, progress)) {
            Err(error) if error.code() == ErrorCode::MemoryLimit && has_all_columns => {
                progress.memory_freed();
                Self::of(RereadInputs::of(reread, false, progress)?, reread.run, request, progress)
            }
            made => made,
        }
    }

    fn of(
        inputs: RereadInputs,
        run: &RunRecord,
        request: &InspectionRequest<'_>,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let RereadInputs { job, budget, mut loaded, columns, counts, secret } = inputs;
        let cancel = progress.cancel().within(&budget);
        progress.begin(&Stage::Encoding, None);
        let inputs = input_of_each(&loaded, request.records);
        let rows: Vec<u32> = loaded.tables.iter().map(|table| table.rows() as u32).collect();
        let has_keys = request.with_keys && run.plan.iter().any(has_keys);
        let sampled = if has_keys { rows_of_sample(&rows) } else { Vec::new() };
        let wanted = united(request.records, &sampled);
        let kept = kept_tables(&loaded.tables, &wanted)?;
        let near_tables = as_inputs(&kept_tables(&loaded.tables, request.near_records)?)?;
        let needs_all = !loaded.rules.rankings.is_empty()
            || loaded.rules.scoring.comparisons.iter().any(|of| of.term_frequency.is_some());
        let inputs_of_sample = input_of_each(&loaded, &sampled);
        if !needs_all {
            loaded.tables = kept;
        }
        // Where a row lies among those that are kept.
        let row_of = |record: &u32| match needs_all {
            true => *record,
            false => wanted.binary_search(record).unwrap_or_default() as u32,
        };
        let has_two_sides = loaded.rules.has_two_sides();
        let left = loaded.tables.first().map_or(0, Table::rows) as u32;
        let place = |record: &u32| match row_of(record) {
            row if has_two_sides && row >= left => (1, row - left),
            row => (0, row),
        };
        let places = request.records.iter().map(place).collect();
        let (frames, _, borders) = frames(&mut loaded, cancel);
        let program = encode(&loaded.rules, &frames, &borders, cancel);
        let rules = loaded.rules;
        let sample = KeySample {
            rules: &rules,
            program: &program,
            records: sampled.iter().map(place).zip(inputs_of_sample).collect(),
            weights: weights_of_sample(&rows),
        };
        let heavy_keys = sample.heavy_keys(run);
        let scoring = if job.scores.is_some() { None } else { Scoring::of(&job, &rules, &program)? };
        let weighted = if job.scores.is_some() { None } else { Weighted::of(&job, &rules)? };
        let mut conditions = ConditionList::default();
        let rule_ways = rules.rules.iter().map(|rule| conditions.ways(rule, &program.conjunctions)).collect();
        let never_ways = rules.nevers.iter().map(|rule| conditions.ways(rule, &program.nevers)).collect();
        let conditions = conditions.all;
        Ok(Self {
            rules,
            program,
            frames,
            scoring,
            weighted,
            places,
            inputs,
            columns,
            counts,
            conditions,
            rule_ways,
            never_ways,
            near_tables,
            heavy_keys,
            secret,
        })
    }

    /// The rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The predicate of a condition.
    pub fn predicate(&self, condition: Literal) -> &Predicate {
        &self.rules.predicates[condition.predicate]
    }

    /// A condition as rules have it.
    pub fn condition_text(&self, condition: Literal) -> String {
        LiteralRecord::of(condition, &self.rules.predicates).to_string()
    }

    /// Whether rules need ranks or frequencies among all records.
    pub fn has_rankings(&self) -> bool {
        !self.rules.rankings.is_empty()
    }

    /// The value of a column of a record as text; nothing where it is missing.
    pub fn value(&self, record: usize, column: &InspectedColumn) -> Option<String> {
        let key = column.keys[self.inputs[record]].as_ref()?;
        let (frame, row) = self.places[record];
        self.frames[frame].value(row, key).shown(0)
    }

    /// What each condition says of two records, the earlier one first.
    pub fn pair(&self, left: usize, right: usize) -> InspectedPair {
        let rows = (self.places[left].1, self.places[right].1);
        let of = |condition: &Literal| finding(&self.rules, &self.program, &self.frames, rows, *condition);
        let score = self.scoring.as_ref().map(|scoring| scoring.explanation(&self.rules, &self.program, rows));
        let weighted = self.weighted.as_ref().map(|weighted| weighted.explanation(&self.rules, &self.program, rows));
        InspectedPair { findings: self.conditions.iter().map(of).collect(), score, weighted }
    }

    /// What the frequencies of the values of a comparison are worth; nothing where they do not count.
    pub fn term_frequencies(&self, comparison: usize) -> Option<&TermFrequencies> {
        self.scoring.as_ref()?.scorer.frequencies(comparison)
    }

    /// A value of such a comparison, by its code.
    pub fn term(&self, of: &TermFrequencies, code: u32) -> String {
        value_text(self.program.encoded.domain(of.operands().left), code)
    }
}

/// Conditions, each once.
#[derive(Default)]
struct ConditionList {
    all: Vec<Literal>,
    places: HashMap<Literal, usize>,
}

impl ConditionList {
    fn ways(&mut self, rule: &Rule, conjunctions: &[Conjunction]) -> ConditionWays {
        let mine = conjunctions[rule.conjunctions.clone()].iter();
        mine.map(|way| way.literals.iter().map(|literal| self.place(*literal)).collect()).collect()
    }

    fn place(&mut self, literal: Literal) -> usize {
        *self.places.entry(literal).or_insert_with(|| {
            self.all.push(literal);
            self.all.len() - 1
        })
    }
}

/// Refuses inputs that are not as the run has read them.
fn check_unchanged(loaded: &Loaded, run: &RunRecord) -> Result<()> {
    if loaded.tables.len() != run.inputs.len() {
        return Err(Error::data(format!(
            "the run had {} inputs, and {} are given",
            run.inputs.len(),
            loaded.tables.len()
        )));
    }
    let of_table = |(at, (table, input)): (usize, (&Table, &super::record::InputRecord))| {
        let names = wanted_names(&loaded.rules, at);
        let id = loaded.id_columns[at].as_deref();
        let fields = table.schema.fields().iter().enumerate();
        let is_read = |name: &str| Some(name) == id || names.contains(name);
        let places: Vec<usize> = fields.filter(|(_, field)| is_read(field.name())).map(|(place, _)| place).collect();
        let hash = format!("{:032x}", content_hash(&table.with_columns(&places)?));
        if table.rows() as u64 == input.rows && (input.xxh128.is_empty() || hash == input.xxh128) {
            return Ok(());
        }
        Err(Error::data(format!("the records of `{}` are not those that the run has read", input.name))
            .with_help("run the job again, or bring back the files as they were"))
    };
    loaded.tables.iter().zip(&run.inputs).enumerate().try_for_each(of_table)
}

/// The columns of all inputs, each name once, then the derived ones.
fn columns(loaded: &Loaded, names: &[BTreeSet<String>]) -> Vec<InspectedColumn> {
    let inputs = loaded.tables.len();
    let mut all: Vec<InspectedColumn> = Vec::new();
    let mut places: HashMap<(String, bool), usize> = HashMap::new();
    let mut add = |name: &str, is_derived: bool, at: usize, key: String| {
        let place = *places.entry((name.to_owned(), is_derived)).or_insert_with(|| {
            all.push(InspectedColumn { name: name.to_owned(), is_derived, is_used: false, keys: vec![None; inputs] });
            all.len() - 1
        });
        all[place].is_used |= is_derived || names[at].contains(name);
        all[place].keys[at] = Some(key);
    };
    for (at, table) in loaded.tables.iter().enumerate() {
        table.schema.fields().iter().for_each(|field| add(field.name(), false, at, field.name().clone()));
    }
    for (at, derived) in loaded.rules.derived.iter().enumerate() {
        derived.iter().for_each(|column| add(shown_name(&column.name), true, at, derived_key(&column.name)));
    }
    all
}

/// The input that each record is from.
fn input_of_each(loaded: &Loaded, records: &[u32]) -> Vec<usize> {
    let borders = loaded.borders();
    records.iter().map(|record| borders.partition_point(|border| border <= record)).collect()
}

/// Rows of either of two ascending lists, each once.
fn united(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// The tables with the wanted records alone.
fn kept_tables(tables: &[Table], records: &[u32]) -> Result<Vec<Table>> {
    let (mut first, mut wanted, mut kept) = (0_u32, records, Vec::new());
    for table in tables {
        let end = first + table.rows() as u32;
        let (here, rest) = wanted.split_at(wanted.partition_point(|record| *record < end));
        let rows: Vec<u32> = here.iter().map(|record| record - first).collect();
        let mut table = table.clone();
        table.keep_many(&rows)?;
        kept.push(table.with_plain_texts()?);
        (first, wanted) = (end, rest);
    }
    Ok(kept)
}

fn as_inputs(tables: &[Table]) -> Result<Vec<Input>> {
    tables.iter().map(|table| Input::batches(&table.name, table.schema.clone(), table.batches.clone())).collect()
}

/// One number for all values of the columns that are to stay secret: whoever does not have them does not know it.
fn secret_hash(tables: &[Table], is_secret: &(dyn Fn(&str) -> bool + Sync)) -> Result<u128> {
    let of_table = |table: &Table| {
        let fields = table.schema.fields().iter().enumerate();
        let places: Vec<usize> = fields.filter(|(_, field)| is_secret(field.name())).map(|(place, _)| place).collect();
        Ok(content_hash(&table.with_columns(&places)?))
    };
    let hashes = tables.iter().map(of_table).collect::<Result<Vec<u128>>>()?;
    Ok(hashes.into_iter().fold(0, |all, hash| all.rotate_left(1) ^ hash))
}

/// Looks at many pairs on all threads; `pairs` are places of records.
pub fn inspect_pairs(
    records: &InspectedRecords,
    pairs: &[(usize, usize)],
    progress: Progress<'_>,
) -> Vec<InspectedPair> {
    let of_pair = |(left, right): &(usize, usize)| {
        progress.cancel().check();
        records.pair(*left, *right)
    };
    pairs.par_iter().map(of_pair).collect()
}
