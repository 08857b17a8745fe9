//! Reads a file of judgements.

use arrow_array::{Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;

use super::columns::{JudgementColumn, JudgementColumns};
use super::judgement::{JudgedRecord, Judgement, JudgementKind};
use super::once::each_once;
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};
use crate::records::{ContentId, OpenSource, Table};

/// How judgements are read.
pub struct JudgementReading<'a> {
    /// Whether the first record of a pair is of the left input and the second of the right one where no column names them: an id
    /// that comes on both sides is then that of two records.
    pub has_sides: bool,
    /// What the file may take while it is read.
    pub reading: &'a MemoryBudget,
    /// What the judgements may take.
    pub kept: &'a MemoryBudget,
    /// Called with how many more rows are read, from any thread.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// What people have said of pairs, each pair once, in the order of the file.
#[derive(Debug)]
pub struct Judgements {
    all: Vec<Judgement>,
    /// Where rows are, for messages; it has no rows any more.
    origin: Table,
    /// What identifies the table that has them.
    content: ContentId,
    names_sources: bool,
    _held: Held,
}

/// The least probability with which a pair is drawn: no frame has more pairs than 2^32 records have.
const LEAST_PROBABILITY: f64 = 1.0 / (1_u64 << 63) as f64;

/// What a judgement takes beside itself while repeated ones are looked for.
const BESIDE_A_JUDGEMENT: usize = 2 * size_of::<usize>();

impl Judgements {
    /// Reads all of them.
    pub fn read(source: OpenSource, how: &JudgementReading<'_>) -> Result<Self> {
        let columns = JudgementColumns::find(&source)?;
        let names_sources = columns.has(JudgementColumn::LeftSource);
        let mut table = source.read_within(how.reading, &columns.wanted(), how.progress)?;
        let content = ContentId::from_table(&table);
        let (mut held, mut bytes) = (how.kept.hold(0)?, 0);
        let mut all: Vec<Judgement> = Vec::new();
        for batch in std::mem::take(&mut table.batches) {
            let rows = JudgementRows::new(&table, &batch, &columns, all.len())?;
            for row in 0..batch.num_rows() {
                let judgement = rows.judgement(row, !how.has_sides || names_sources)?;
                bytes += judgement.bytes() + BESIDE_A_JUDGEMENT;
                all.push(judgement);
            }
            held.reach(bytes)?;
        }
        let all = each_once(all, how.has_sides && !names_sources, &table)?;
        Ok(Self { all, origin: table, content, names_sources, _held: held })
    }

    /// The judgements.
    pub fn as_slice(&self) -> &[Judgement] {
        &self.all
    }

    /// Whether the file says which inputs records are from.
    pub fn names_sources(&self) -> bool {
        self.names_sources
    }

    /// What identifies the table that has them.
    pub fn content(&self) -> &ContentId {
        &self.content
    }

    /// Where a judgement is, for messages: `labels.csv:17`.
    pub fn place(&self, judgement: &Judgement) -> String {
        self.origin.place(judgement.row)
    }
}

/// The rows of a batch.
struct JudgementRows<'a> {
    table: &'a Table,
    /// The row that the batch begins with.
    first: usize,
    /// The texts of each column, if it is there.
    texts: Vec<Option<StringArray>>,
}

impl<'a> JudgementRows<'a> {
    fn new(table: &'a Table, batch: &RecordBatch, columns: &JudgementColumns, first: usize) -> Result<Self> {
        let text =
            |column: JudgementColumn| columns.rank(column).map(|rank| column_text(batch, rank, column)).transpose();
        Ok(Self { table, first, texts: JudgementColumn::ALL.into_iter().map(text).collect::<Result<_>>()? })
    }

    fn judgement(&self, row: usize, is_one_space: bool) -> Result<Judgement> {
        let records = [
            self.record(row, JudgementColumn::LeftId, JudgementColumn::LeftSource)?,
            self.record(row, JudgementColumn::RightId, JudgementColumn::RightSource)?,
        ];
        if is_one_space && records[0] == records[1] {
            let message = format!("{}: the record `{}` is compared with itself", self.place(row), records[0].id);
            return Err(Error::data(message).with_help("a judgement is about two records"));
        }
        let owned = |column| self.text(row, column).map(str::to_owned);
        Ok(Judgement {
            records,
            kind: self.kind(row)?,
            who: owned(JudgementColumn::Who),
            when: owned(JudgementColumn::When),
            stratum: owned(JudgementColumn::Stratum),
            inclusion_probability: self.inclusion_probability(row)?,
            row: self.first + row,
        })
    }

    fn record(&self, row: usize, id: JudgementColumn, source: JudgementColumn) -> Result<JudgedRecord> {
        let missing = |what: &str, column: JudgementColumn| {
            Error::data(format!("{}: {what} in column `{}` is missing", self.place(row), column.name()))
        };
        let name = match self.text(row, source) {
            None if self.texts[source as usize].is_some() => return Err(missing("the input of the record", source)),
            name => name.map(str::to_owned),
        };
        let id = self.text(row, id).ok_or_else(|| missing("the id", id))?;
        Ok(JudgedRecord { source: name, id: id.to_owned() })
    }

    fn kind(&self, row: usize) -> Result<JudgementKind> {
        let text = self.text(row, JudgementColumn::Kind);
        text.and_then(JudgementKind::named).ok_or_else(|| {
            let allowed = "`same`, `different` and `unsure` are allowed";
            self.not_allowed(row, JudgementColumn::Kind, text, allowed)
                .with_help("leave out the rows of pairs that nobody has judged yet")
        })
    }

    fn inclusion_probability(&self, row: usize) -> Result<Option<f64>> {
        let Some(text) = self.text(row, JudgementColumn::InclusionProbability) else { return Ok(None) };
        let probability = text.trim().parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1.0);
        probability.filter(|number| *number >= LEAST_PROBABILITY).map(Some).ok_or_else(|| {
            let allowed = match probability {
                Some(_) => "it stands for 1 / that many pairs, and there are no more than 2^63",
                None => "a number above 0 and at most 1 is allowed",
            };
            self.not_allowed(row, JudgementColumn::InclusionProbability, Some(text), allowed)
                .with_help("it says how likely the pair was to be drawn; it may be empty for all pairs")
        })
    }

    fn not_allowed(&self, row: usize, column: JudgementColumn, text: Option<&str>, allowed: &str) -> Error {
        let is = text.map_or("is missing".to_owned(), |text| format!("is `{text}`"));
        Error::data(format!("{}: `{}` {is}; {allowed}", self.place(row), column.name()))
    }

    /// What a column says; nothing where it is not there, or empty.
    fn text(&self, row: usize, column: JudgementColumn) -> Option<&str> {
        let texts = self.texts[column as usize].as_ref()?;
        texts.is_valid(row).then(|| texts.value(row))
    }

    fn place(&self, row: usize) -> String {
        self.table.place(self.first + row)
    }
}

fn column_text(batch: &RecordBatch, place: usize, column: JudgementColumn) -> Result<StringArray> {
    let text = cast(batch.column(place), &DataType::Utf8);
    let text = text.map_err(|e| Error::data(format!("column `{}` must be text or numbers: {e}", column.name())))?;
    Ok(text.as_any().downcast_ref::<StringArray>().cloned().unwrap_or_else(|| StringArray::new_null(batch.num_rows())))
}
