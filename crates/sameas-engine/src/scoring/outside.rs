//! Scores that others have given: a file of pairs, by their ids, with a number each.
//!
//! Every pair of the file whose score reaches the threshold is a result, unless a `never` forbids it. Rules that are certain
//! add theirs; other rules have given the candidates before, and are not asked again. The pairs are held in memory, sixteen
//! bytes each, in the order of their rows.

use arrow_array::{Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::{DataType, Schema};
use xxhash_rust::xxh3::Xxh3;

use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::numbering::GrowingNumbers;
use crate::records::{ContentId, Input, NamedRecords, OpenSource, RowIds, Table};
use crate::rules::LinkType;

/// The least score where none is given.
const DEFAULT_THRESHOLD: f64 = 0.5;

/// The columns with ids, and what a score may be called, in this order.
const IDS: [&str; 2] = ["unique_id_l", "unique_id_r"];
const SOURCES: [&str; 2] = ["source_dataset_l", "source_dataset_r"];
const SCORES: [&str; 3] = ["score", "match_probability", "match_weight"];

/// A pair of rows with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredPair {
    pub l: u32,
    pub r: u32,
    pub score: f64,
}

/// All pairs of a file.
#[derive(Debug)]
pub struct OutsideScores {
    /// Sorted by rows.
    pairs: Vec<ScoredPair>,
    /// The least score of a pair that is kept.
    pub threshold: f64,
    /// What identifies the table that has them.
    pub content: ContentId,
    /// What their file is called, where the rules name one; nothing where they came with the job.
    pub file: Option<String>,
}

impl OutsideScores {
    /// The scores that a job names, if it does.
    pub fn read(job: &Job, records: NamedRecords<'_>, memory: usize, cancel: Cancel<'_>) -> Result<Option<Self>> {
        let (input, file, column) = match (&job.scores, job.rules.scored_pairs()) {
            (Some(given), _) => (given.clone(), None, job.rules.score_column()),
            (None, Some((file, column))) => (Input::files([file.place]), Some(file.name), column),
            (None, None) => return Ok(None),
        };
        if job.near.is_some() {
            return Err(Error::usage("near pairs are not looked for where a file has the scores")
                .with_help("lower the threshold of the score instead"));
        }
        if job.model.is_some() {
            return Err(Error::usage("a model is for comparisons; the rules name a file with scores")
                .with_help("leave the model out"));
        }
        let budget = MemoryBudget::new(memory);
        let cancel = cancel.within(&budget);
        let reader = ScoredPairReader::open(&input, column, records, cancel)?;
        let (pairs, content) = reader.read(&budget, cancel)?;
        check_content(&input, &content)?;
        file.as_ref().map_or(Ok(()), |name| job.check_named_file(name, &content))?;
        Ok(Some(Self { pairs, threshold: job.rules.score.threshold.unwrap_or(DEFAULT_THRESHOLD), content, file }))
    }

    /// Some of the pairs, by their rows.
    pub fn only(&self, is_meant: impl Fn(u32, u32) -> bool) -> Self {
        let pairs = self.pairs.iter().copied().filter(|pair| is_meant(pair.l, pair.r)).collect();
        Self { pairs, threshold: self.threshold, content: self.content.clone(), file: self.file.clone() }
    }

    /// All pairs, in the order of their rows.
    pub fn pairs(&self) -> &[ScoredPair] {
        &self.pairs
    }

    /// The score of a pair of rows.
    pub fn score(&self, l: u32, r: u32) -> Option<f64> {
        let found = self.pairs.binary_search_by_key(&(l, r), |pair| (pair.l, pair.r));
        found.ok().map(|at| self.pairs[at].score)
    }

    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.pairs[..])
    }

    /// What identifies the pairs and the threshold.
    pub fn key(&self) -> String {
        let mut hash = Xxh3::new();
        for pair in &self.pairs {
            hash.update(&pair.l.to_le_bytes());
            hash.update(&pair.r.to_le_bytes());
            hash.update(&pair.score.to_bits().to_le_bytes());
        }
        format!("outside {:?} {:032x}", self.threshold, hash.digest128())
    }
}

/// Refuses scores that are not those that a run has read before.
fn check_content(input: &Input, read: &ContentId) -> Result<()> {
    match input.expected() {
        Some(expected) if !expected.is_of(read) => {
            Err(Error::data("the pairs with scores are not those that the run has read")
                .with_help("run the job again, or bring back the scores as they were")
                .with_code(ErrorCode::OtherRecords))
        }
        _ => Ok(()),
    }
}

struct ScoredPairReader<'a> {
    source: OpenSource,
    records: NamedRecords<'a>,
    /// The columns of ids, of inputs where there are several, and of the score.
    wanted: Vec<usize>,
    has_sources: bool,
}

impl<'a> ScoredPairReader<'a> {
    fn open(input: &Input, column: Option<&str>, records: NamedRecords<'a>, cancel: Cancel<'_>) -> Result<Self> {
        let source = input.open_until(cancel)?;
        let schema = source.schema();
        let find = |name: &str| schema.fields().iter().position(|field| field.name().eq_ignore_ascii_case(name));
        let missing = |what: &str, help: String| {
            Error::data(format!("the pairs with scores, `{}`, have no column {what}", source.name())).with_help(help)
        };
        let mut wanted = Vec::new();
        for name in IDS {
            wanted.push(find(name).ok_or_else(|| missing(&format!("`{name}`"), columns_of(schema)))?);
        }
        let has_sources = records.ids.len() > 1 && !records.has_two_sides;
        if has_sources {
            for name in SOURCES {
                wanted.push(find(name).ok_or_else(|| missing(&format!("`{name}`"), columns_of(schema)))?);
            }
        }
        let score = match column {
            Some(name) => find(name).ok_or_else(|| missing(&format!("`{name}`"), columns_of(schema)))?,
            None => SCORES.into_iter().find_map(find).ok_or_else(|| {
                let help = format!("{}; say which has the scores: `column = \"...\"`", columns_of(schema));
                missing("`score` or `match_probability`", help)
            })?,
        };
        wanted.push(score);
        Ok(Self { source, records, wanted, has_sources })
    }

    /// Reads the pairs, and what identifies their table.
    fn read(self, budget: &MemoryBudget, cancel: Cancel<'_>) -> Result<(Vec<ScoredPair>, ContentId)> {
        let Self { source, records, wanted, has_sources } = self;
        let rows: usize = records.ids.iter().map(RowIds::len).sum();
        let _held = budget.hold(rows * BESIDE_AN_ID)?;
        let numbers: Vec<GrowingNumbers> = records.ids.iter().map(|ids| numbers_of(ids, cancel)).collect();
        let mut distinct = wanted.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let place = |column: usize| distinct.binary_search(&column).expect("it is wanted");
        let places: Vec<usize> = wanted.iter().map(|column| place(*column)).collect();
        let table = source.read_within(budget, &distinct, &|_| cancel.check())?;
        let _pairs = budget.hold(table.rows() * size_of::<ScoredPair>())?;
        let finder = RowFinder { records, numbers: &numbers };
        let mut pairs = Vec::with_capacity(table.rows());
        let mut first = 0;
        for batch in &table.batches {
            let texts = places.iter().map(|place| texts(batch, *place)).collect::<Result<Vec<StringArray>>>()?;
            for row in 0..batch.num_rows() {
                check_at(row, cancel);
                let at = || table.place(first + row);
                let text = |column: usize| (!texts[column].is_null(row)).then(|| texts[column].value(row));
                let source = |side: usize| if has_sources { text(2 + side) } else { None };
                let rows = match finder.pair([text(0), text(1)], [source(0), source(1)]) {
                    Err((_, Some(ErrorCode::NoSuchId))) if !records.are_all => continue,
                    found => found.map_err(|why| wrong(&at(), why))?,
                };
                let score = text(texts.len() - 1).and_then(|text| text.trim().parse::<f64>().ok());
                let score = score.filter(|score| !score.is_nan()).ok_or_else(|| no_number(&table, &places, &at()))?;
                pairs.push(ScoredPair { l: rows.0, r: rows.1, score });
            }
            first += batch.num_rows();
        }
        let content = ContentId::from_table(&table);
        drop(table);
        Ok((in_order(pairs, records)?, content))
    }
}

/// Bytes of an id in a table of rows, about.
const BESIDE_AN_ID: usize = 64;

/// Rows between two looks at whether the job was cancelled.
const ROWS_AT_ONCE: usize = 1 << 14;

/// Ends a loop over rows if the job was cancelled.
fn check_at(row: usize, cancel: Cancel<'_>) {
    if row.is_multiple_of(ROWS_AT_ONCE) {
        cancel.check();
    }
}

/// The rows of an input by their ids, which are distinct.
fn numbers_of(ids: &RowIds, cancel: Cancel<'_>) -> GrowingNumbers {
    let mut numbers = GrowingNumbers::with_room(ids.len(), 0);
    for row in 0..ids.len() {
        check_at(row, cancel);
        numbers.push(ids.text(row).as_bytes());
    }
    numbers
}

fn columns_of(schema: &Schema) -> String {
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    format!("its columns are: {}", names.join(", "))
}

fn texts(batch: &RecordBatch, column: usize) -> Result<StringArray> {
    let text = cast(batch.column(column), &DataType::Utf8);
    let text = text.map_err(|error| Error::data(format!("ids and scores must be text or numbers: {error}")))?;
    Ok(text.as_any().downcast_ref::<StringArray>().cloned().unwrap_or_else(|| StringArray::new_null(batch.num_rows())))
}

fn wrong(place: &str, (message, code): (String, Option<ErrorCode>)) -> Error {
    let error = Error::data(format!("{place}: {message}"))
        .with_help("the pairs must be of these inputs: take the ids from the candidates that were scored");
    match code {
        Some(code) => error.with_code(code),
        None => error,
    }
}

fn no_number(table: &Table, places: &[usize], place: &str) -> Error {
    let column = places.last().map_or("score", |column| table.schema.field(*column).name());
    Error::data(format!("{place}: `{column}` is not a number"))
        .with_help("every pair needs a score; leave out those without")
}

/// Finds rows by ids.
struct RowFinder<'a> {
    records: NamedRecords<'a>,
    /// The rows of each input by their ids.
    numbers: &'a [GrowingNumbers],
}

/// What is wrong with a pair.
type PairMistake = (String, Option<ErrorCode>);

impl RowFinder<'_> {
    /// The rows of two ids, the left or earlier one first.
    fn pair(&self, ids: [Option<&str>; 2], sources: [Option<&str>; 2]) -> std::result::Result<(u32, u32), PairMistake> {
        let [l, r] = [self.row(0, ids[0], sources[0])?, self.row(1, ids[1], sources[1])?];
        let shown = |side: usize| ids[side].unwrap_or_default().to_owned();
        if self.records.has_two_sides {
            return Ok((l.1, r.1));
        }
        if l.1 == r.1 {
            return Err((format!("`{}` is paired with itself", shown(0)), None));
        }
        if self.records.link_type == LinkType::LinkOnly && l.0 == r.0 {
            return Err((format!("`{}` and `{}` are records of one input", shown(0), shown(1)), None));
        }
        Ok((l.1.min(r.1), l.1.max(r.1)))
    }

    /// The input and the row of an id, counted over all inputs unless these are two sides.
    fn row(
        &self,
        side: usize,
        id: Option<&str>,
        source: Option<&str>,
    ) -> std::result::Result<(usize, u32), PairMistake> {
        let id = id.ok_or_else(|| ("an id is missing".to_owned(), None))?;
        let names = self.records.names;
        let input = match (self.records.has_two_sides, names.len()) {
            (true, _) => side,
            (false, 1) => 0,
            (false, _) => {
                let source = source.unwrap_or_default();
                let known = names.iter().position(|name| name == source);
                known.ok_or_else(|| (format!("there is no input `{source}`: they are {}", names.join(", ")), None))?
            }
        };
        let no_record =
            || (format!("there is no record with id `{id}` in {}", names[input]), Some(ErrorCode::NoSuchId));
        let row = self.numbers[input].find(id.as_bytes()).ok_or_else(no_record)?;
        let before: usize = match self.records.has_two_sides {
            true => 0,
            false => self.records.ids[..input].iter().map(RowIds::len).sum(),
        };
        Ok((input, before as u32 + row))
    }
}

/// Sorts the pairs; one that comes twice must have one score.
fn in_order(mut pairs: Vec<ScoredPair>, records: NamedRecords<'_>) -> Result<Vec<ScoredPair>> {
    pairs.sort_unstable_by(|a, b| (a.l, a.r).cmp(&(b.l, b.r)).then(a.score.total_cmp(&b.score)));
    let differs = |two: &[ScoredPair]| (two[0].l, two[0].r) == (two[1].l, two[1].r) && two[0].score != two[1].score;
    if let Some(two) = pairs.windows(2).find(|two| differs(two)) {
        let id = |row: u32, side: usize| match records.has_two_sides {
            true => records.ids[side].text(row as usize),
            false => id_of(records.ids, row),
        };
        return Err(Error::data(format!(
            "the pair of `{}` and `{}` comes twice, with the scores {} and {}",
            id(two[0].l, 0),
            id(two[0].r, 1),
            two[0].score,
            two[1].score
        ))
        .with_help("give every pair one score"));
    }
    pairs.dedup_by_key(|pair| (pair.l, pair.r));
    Ok(pairs)
}

/// The id of a row that is counted over all inputs.
fn id_of(ids: &[RowIds], row: u32) -> String {
    let mut row = row as usize;
    for of in ids {
        if row < of.len() {
            return of.text(row);
        }
        row -= of.len();
    }
    String::new()
}
