//! Reads pairs and clusters from files.

use arrow_array::{Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::{DataType, Schema};

use super::answer::{Answer, NO_SCORE, PairSet, ReadPair, RecordClusters};
use super::record_numbers::RecordNumbers;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::repetition;
use crate::judgements::{JudgedRecord, Judgements};
use crate::memory::{Held, INPUTS_SHARE, MemoryBudget, RESULTS_SHARE};
use crate::numbering::GrowingNumbers;
use crate::observer::Progress;
use crate::records::{OpenSource, Table};

/// What a file of results or of the truth holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerKind {
    /// A pair of ids per row.
    Pairs,
    /// An id and its cluster per row.
    Clusters,
}

/// Reads answers whose records are numbered together.
pub struct AnswerReader<'a> {
    numbers: RecordNumbers,
    /// The inputs by name; the first is the left one.
    sources: GrowingNumbers,
    records: RecordIdentity,
    /// Whether some file did not say, and some file did say, which input a record comes from.
    with_source: [bool; 2],
    /// The memory limit. A table may take a share of it while it is read, and what is kept of all of them the rest.
    memory: usize,
    budget: MemoryBudget,
    kept: KeptMemory,
    progress: Progress<'a>,
}

/// The memory of what was read: of the ids, and of pairs and clusters.
#[derive(Debug, Default)]
pub struct KeptMemory {
    ids: Held,
    answers: Held,
}

/// How records are identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordIdentity {
    /// By id alone; inputs do not matter.
    ById,
    /// By id and, where files name it, by input.
    ByInput,
    /// By id and input; where a file names none, the first record of a pair is of the left input. Only pairs across inputs
    /// are read.
    BySide,
}

impl RecordIdentity {
    /// How records of a result and of a truth are identified: the ids of the truth may be those of one space, and pairs across
    /// inputs may be all that counts.
    pub(super) fn beside_truth(is_one_space: bool, across: bool) -> Self {
        match (is_one_space, across) {
            (true, _) => Self::ById,
            (_, true) => Self::BySide,
            _ => Self::ByInput,
        }
    }
}

/// The columns to read: of pairs the two ids, of clusters id and cluster; and where each record comes from.
struct AnswerColumns {
    values: [usize; 2],
    sources: Vec<usize>,
    /// The rule of a pair.
    match_key: Option<usize>,
    /// Its score.
    score: Option<usize>,
}

impl<'a> AnswerReader<'a> {
    /// A reader that has read nothing yet, with the inputs as far as their names are known, for a memory limit.
    pub fn new(names: GrowingNumbers, records: RecordIdentity, memory: usize, progress: Progress<'a>) -> Result<Self> {
        let budget = MemoryBudget::share(memory, INPUTS_SHARE);
        let kept = KeptMemory { ids: budget.hold(0)?, answers: budget.hold(0)? };
        let (numbers, with_source) = (RecordNumbers::default(), [false; 2]);
        Ok(Self { numbers, sources: names, records, with_source, memory, budget, kept, progress })
    }

    /// The memory that is left for what is made of the answers.
    pub fn budget(&self) -> &MemoryBudget {
        &self.budget
    }

    /// Reads a file; `what` is its name in messages.
    pub fn read(&mut self, source: OpenSource, kind: Option<AnswerKind>, what: &str) -> Result<Answer> {
        let kind = kind.unwrap_or_else(|| kind_of(source.schema()));
        let columns = AnswerColumns::find(source.schema(), kind)
            .map_err(|problem| wrong_columns(what, &source, kind, &problem))?;
        let by_side = self.records == RecordIdentity::BySide;
        if by_side && kind == AnswerKind::Clusters && columns.sources.is_empty() {
            return Err(wrong_columns(what, &source, kind, "has no column `source_dataset` to tell the inputs apart"));
        }
        let sources = if self.records == RecordIdentity::ById { &[] } else { &columns.sources[..] };
        let more = columns.match_key.iter().chain(&columns.score);
        let wanted: Vec<usize> = columns.values.iter().chain(sources).chain(more).copied().collect();
        let place = |column: Option<usize>| column.and_then(|column| wanted.iter().rposition(|other| *other == column));
        let (match_key, score) = (place(columns.match_key), place(columns.score));
        let reading = MemoryBudget::share(self.memory, RESULTS_SHARE);
        let table = source.read_within(&reading, &wanted, &|rows| self.progress.advance(rows))?;
        self.with_source[usize::from(!sources.is_empty())] = true;
        let answer = match kind {
            AnswerKind::Pairs => self.pairs(table, match_key, score).map(Answer::Pairs),
            AnswerKind::Clusters => self.clusters(table, what).map(Answer::Clusters),
        };
        self.progress.memory_freed();
        answer
    }

    /// Numbers records that were read elsewhere, each once, by their sources, where these have names, and their ids: from 0 on in
    /// this order, if nothing was read before.
    pub(super) fn number_records<'n>(
        &mut self,
        records: impl Iterator<Item = (Option<&'n str>, String)>,
    ) -> Result<()> {
        for (at, (source, id)) in records.enumerate() {
            let source = source.filter(|_| self.records != RecordIdentity::ById);
            self.with_source[usize::from(source.is_some())] = true;
            let source = source.map_or(0, |name| self.sources.number(name.as_bytes()));
            if self.numbers.number(source, &id) as usize != at {
                let message =
                    format!("the id `{id}` is that of several records, and the truth does not say which it means");
                return Err(Error::data(message).with_help("give the truth a column `source_dataset`"));
            }
            if at.is_multiple_of(RECORDS_AT_A_TIME) {
                self.progress.cancel().check();
                self.kept.ids.reach(self.numbers.bytes())?;
            }
        }
        self.kept.ids.reach(self.numbers.bytes())
    }

    /// The pairs of judgements, as those of a file of pairs.
    pub fn judged(&mut self, judgements: &Judgements) -> Result<Vec<(u32, u32)>> {
        let are_named = judgements.names_sources() && self.records != RecordIdentity::ById;
        self.with_source[usize::from(are_named)] = true;
        let mut pairs = Vec::with_capacity(judgements.as_slice().len());
        for judgement in judgements.as_slice() {
            let [left, right] = &judgement.records;
            pairs.push((self.judged_record(left, 0), self.judged_record(right, 1)));
        }
        self.kept.ids.reach(self.numbers.bytes())?;
        Ok(pairs)
    }

    fn judged_record(&mut self, record: &JudgedRecord, side: u32) -> u32 {
        let source = match (&record.source, self.records) {
            (_, RecordIdentity::ById) => 0,
            (Some(name), _) => self.sources.number(name.as_bytes()),
            (None, RecordIdentity::BySide) => side,
            (None, RecordIdentity::ByInput) => 0,
        };
        self.numbers.number(source, &record.id)
    }

    /// The records of all that was read, the names of the inputs if files say which they are from, and the memory of what was
    /// read.
    pub fn finish(self) -> Result<(RecordNumbers, Option<GrowingNumbers>, KeptMemory)> {
        // Across two inputs the side of a record says which input it comes from; otherwise only the name does.
        let only_names_tell = self.sources.count() > 2 && self.records == RecordIdentity::BySide;
        if self.with_source == [true; 2] && (self.records == RecordIdentity::ByInput || only_names_tell) {
            let error = Error::usage("only one of result and truth says which input a record is from");
            return Err(match only_names_tell {
                true => error.with_help(
                    "the result has more than two inputs: give the truth `source_dataset_l` and `source_dataset_r` beside the \
                     ids of pairs, or `source_dataset` beside the id of a record",
                ),
                false => error
                    .with_code(ErrorCode::SourcesDiffer)
                    .with_help("give both a column `source_dataset`, or score only pairs across the inputs"),
            });
        }
        let are_named = self.with_source[1] && self.records == RecordIdentity::ByInput;
        Ok((self.numbers, are_named.then_some(self.sources), self.kept))
    }

    fn pairs(&mut self, mut table: Table, match_key: Option<usize>, score: Option<usize>) -> Result<PairSet> {
        let rows = table.rows();
        let mut working = self.budget.hold(rows.saturating_mul(PAIR_BYTES))?;
        let mut pairs = Vec::with_capacity(rows);
        let (mut first, mut rules) = (0, MatchKeys::default());
        // Rows go as they are read.
        for batch in std::mem::take(&mut table.batches) {
            self.progress.cancel().check();
            let [left, right] = [self.records(&table, &batch, first, 0)?, self.records(&table, &batch, first, 1)?];
            let across = |(l, r): &(u32, u32)| {
                self.records != RecordIdentity::BySide || self.numbers.source(*l) != self.numbers.source(*r)
            };
            let keys = rules.number_rows(&batch, match_key)?;
            working.reach(rows.saturating_mul(PAIR_BYTES).saturating_add(rules.bytes()))?;
            let scores = self::scores(&table, &batch, first, score)?;
            let read = left.into_iter().zip(right).zip(keys).zip(scores);
            pairs.extend(read.map(|((pair, key), score)| (pair, key, score)).filter(|(pair, ..)| across(pair)));
            first += batch.num_rows();
        }
        let column = score.map(|column| table.schema.field(column).name().to_ascii_lowercase());
        let pairs = PairSet::with_rules(pairs, rules.0.texts(), column);
        self.kept.answers.add(pairs.bytes() + rules.bytes())?;
        Ok(pairs)
    }

    fn clusters(&mut self, mut table: Table, what: &str) -> Result<RecordClusters> {
        let (mut clusters, mut cluster_numbers, mut first) = (RecordClusters::default(), RecordNumbers::default(), 0);
        let mut working = self.budget.hold(0)?;
        for batch in std::mem::take(&mut table.batches) {
            self.progress.cancel().check();
            let records = self.records(&table, &batch, first, 0)?;
            let of = column_text(&batch, 1)?;
            for (row, record) in records.into_iter().enumerate() {
                if of.is_null(row) {
                    return Err(Error::data(format!("{}: the record has no cluster", table.place(first + row)))
                        .with_help("give it one of its own if it is alone, or leave the row out"));
                }
                if !clusters.put(record, cluster_numbers.number(0, of.value(row))) {
                    let id = column_text(&batch, 0)?.value(row).to_owned();
                    let message = format!("{}: the record `{id}` is in {what} twice", table.place(first + row));
                    return Err(
                        Error::data(message).with_help("a record has one cluster: leave out the row that is wrong")
                    );
                }
            }
            first += batch.num_rows();
            working.reach(cluster_numbers.bytes() + clusters.bytes())?;
        }
        self.kept.answers.add(clusters.bytes())?;
        Ok(clusters)
    }

    /// The numbers of the records that a column of ids names; `first` is the row the batch begins with.
    fn records(&mut self, table: &Table, batch: &RecordBatch, first: usize, column: usize) -> Result<Vec<u32>> {
        let ids = column_text(batch, column)?;
        let has_source = table.schema.fields().get(2).is_some_and(|field| is_source(field.name()));
        let source = if has_source { Some(column_text(batch, 2 + column)?) } else { None };
        let mut of_row = |row: usize| {
            if ids.is_null(row) {
                let name = table.schema.field(column).name();
                return Err(Error::data(format!("{}: the id in column `{name}` is missing", table.place(first + row)))
                    .with_help("write the id, or leave the row out"));
            }
            let number = match &source {
                Some(names) if names.is_null(row) => {
                    let message = format!("{}: the input of the record is missing", table.place(first + row));
                    return Err(Error::data(message).with_help("say of each record which input it is from, or of none"));
                }
                Some(names) => self.sources.number(names.value(row).as_bytes()),
                None if self.records == RecordIdentity::BySide => column as u32,
                None => 0,
            };
            Ok(self.numbers.number(number, ids.value(row)))
        };
        let numbers: Result<Vec<u32>> = (0..batch.num_rows()).map(&mut of_row).collect();
        self.kept.ids.reach(self.numbers.bytes())?;
        numbers
    }
}

/// Records that are numbered between two looks at the memory.
const RECORDS_AT_A_TIME: usize = 1 << 16;

/// What a pair takes while it is read: as it was read, and as it is sorted.
const PAIR_BYTES: usize = 2 * size_of::<ReadPair>();

impl AnswerColumns {
    fn find(schema: &Schema, kind: AnswerKind) -> std::result::Result<Self, String> {
        let find = |names: &[&str]| {
            let fields = schema.fields();
            names.iter().find_map(|name| fields.iter().position(|field| field.name().eq_ignore_ascii_case(name)))
        };
        if schema.fields().len() < 2 {
            if let Some(places) = schema.fields().first().and_then(|field| repetition(field)) {
                return Err(format!("has one name for several columns: {places}"));
            }
            return Err("has only one column; two are needed".into());
        }
        let (values, sources): (_, &[&str]) = match kind {
            AnswerKind::Pairs => {
                ([find(&["unique_id_l"]), find(&["unique_id_r"])], &["source_dataset_l", "source_dataset_r"])
            }
            AnswerKind::Clusters => {
                ([find(&["unique_id", "id"]), find(&["cluster_id", "cluster"])], &["source_dataset"])
            }
        };
        if kind == AnswerKind::Pairs && find(&["label"]).is_some() {
            return Err("has a column `label`; leave only the rows that are matches, and drop it".into());
        }
        let values = match (values, kind, schema.fields().len()) {
            ([Some(a), Some(b)], ..) => [a, b],
            // Of more columns nobody knows which is meant: two that are taken for others give figures that say nothing.
            ([None, _], AnswerKind::Clusters, 3..) => return Err("has no column `unique_id` or `id`".into()),
            ([_, None], AnswerKind::Clusters, 3..) => return Err("has no column `cluster_id` or `cluster`".into()),
            // Of two columns the other one is meant.
            ([Some(id), None], AnswerKind::Clusters, _) => [id, 1 - id],
            ([None, Some(cluster)], AnswerKind::Clusters, _) => [1 - cluster, cluster],
            // Ids come first, whatever the columns are called.
            _ => [0, 1],
        };
        let sources: Option<Vec<usize>> = sources.iter().map(|name| find(&[name])).collect();
        let of_pairs = |names: &[&str]| if kind == AnswerKind::Pairs { find(names) } else { None };
        let (match_key, score) = (of_pairs(&["match_key"]), of_pairs(&["match_weight", "match_probability", "score"]));
        Ok(Self {
            values,
            sources: sources.unwrap_or_default(),
            match_key: match_key.filter(|key| !values.contains(key)),
            score: score.filter(|score| !values.contains(score)),
        })
    }
}

/// The score of each row of a batch, or [`NO_SCORE`]; `first` is the row the batch begins with.
fn scores(table: &Table, batch: &RecordBatch, first: usize, column: Option<usize>) -> Result<Vec<f64>> {
    let Some(column) = column else { return Ok(vec![NO_SCORE; batch.num_rows()]) };
    let texts = column_text(batch, column)?;
    let score = |row: usize| {
        if texts.is_null(row) {
            return Ok(NO_SCORE);
        }
        texts.value(row).trim().parse::<f64>().ok().filter(|score| !score.is_nan()).ok_or_else(|| {
            let (place, name) = (table.place(first + row), table.schema.field(column).name());
            let shown = texts.value(row);
            Error::data(format!("{place}: `{name}` is `{shown}`, which is not a number"))
                .with_help("a score is a number; a pair may have none")
        })
    };
    (0..batch.num_rows()).map(score).collect()
}

/// Numbers the match keys of pairs.
#[derive(Default)]
struct MatchKeys(GrowingNumbers);

/// What a match key takes beside its text, in the list and in the table.
const KEY_BYTES: usize = 96;

impl MatchKeys {
    /// The number of the match key of each row; all the same where there is no such column.
    fn number_rows(&mut self, batch: &RecordBatch, column: Option<usize>) -> Result<Vec<u32>> {
        let Some(column) = column else { return Ok(vec![0; batch.num_rows()]) };
        let keys = column_text(batch, column)?;
        Ok(keys.iter().map(|key| self.0.number(key.unwrap_or("").as_bytes())).collect())
    }

    /// What they take, about.
    fn bytes(&self) -> usize {
        2 * self.0.values().bytes.len() + self.0.count() * KEY_BYTES
    }
}

/// The error for columns that are not those of an answer.
fn wrong_columns(what: &str, source: &OpenSource, kind: AnswerKind, problem: &str) -> Error {
    let help = match kind {
        AnswerKind::Pairs => {
            "pairs are two columns of ids, and `source_dataset_l` and `source_dataset_r` may be beside them"
        }
        AnswerKind::Clusters => {
            "clusters have the columns `unique_id` and `cluster_id`, or `id` and `cluster`, and may have `source_dataset`"
        }
    };
    Error::data(format!("{what}, `{}`, {problem}", source.name())).with_help(help)
}

fn is_source(name: &str) -> bool {
    ["source_dataset", "source_dataset_l"].iter().any(|source| name.eq_ignore_ascii_case(source))
}

/// Refuses a file that has the columns of the other kind.
pub(super) fn check_kind(source: &OpenSource, kind: AnswerKind, what: &str) -> Result<()> {
    let has = |name: &str| source.schema().fields().iter().any(|field| field.name().eq_ignore_ascii_case(name));
    let of_pairs = ["unique_id_l", "unique_id_r"].into_iter().all(has);
    let of_clusters = ["cluster_id", "cluster"].into_iter().find(|name| has(name));
    let refused = |holds: &str, column: &str, wanted: &str, code| {
        let name = source.name();
        let message =
            format!("{what}, `{name}`, holds {holds} (it has a column `{column}`), and {wanted} are expected");
        Err(Error::data(message)
            .with_code(code)
            .with_help(format!("evaluate it as {holds}, or name the file of {wanted}")))
    };
    match (kind, of_pairs, of_clusters) {
        (AnswerKind::Pairs, false, Some(column)) => refused("clusters", column, "pairs", ErrorCode::HoldsClusters),
        (AnswerKind::Clusters, true, _) => refused("pairs", "unique_id_l", "clusters", ErrorCode::HoldsPairs),
        _ => Ok(()),
    }
}

/// Whether the file holds clusters and does not name inputs: its ids are then unique over all of them.
pub(super) fn is_of_one_id_space(source: &OpenSource, kind: Option<AnswerKind>) -> bool {
    let schema = source.schema();
    let named = schema.fields().iter().any(|field| field.name().eq_ignore_ascii_case("source_dataset"));
    kind.unwrap_or_else(|| kind_of(schema)) == AnswerKind::Clusters && !named
}

/// Clusters are recognised by the name of a column.
fn kind_of(schema: &Schema) -> AnswerKind {
    let is_cluster = |name: &str| name.eq_ignore_ascii_case("cluster") || name.eq_ignore_ascii_case("cluster_id");
    if schema.fields().iter().any(|field| is_cluster(field.name())) { AnswerKind::Clusters } else { AnswerKind::Pairs }
}

fn column_text(batch: &RecordBatch, column: usize) -> Result<StringArray> {
    let text = cast(batch.column(column), &DataType::Utf8);
    let text = text.map_err(|e| Error::data(format!("ids must be text or numbers: {e}")))?;
    Ok(text.as_any().downcast_ref::<StringArray>().cloned().unwrap_or_else(|| StringArray::new_null(batch.num_rows())))
}
