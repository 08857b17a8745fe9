//! All tables of a job: read, and their records as rows.

use std::ops::Range;

use arrow_array::{Array, StringArray};
use sameas_clusters::NO_VALUE;

use super::decided::Decisions;
use super::job::ClusterPairsJob;
use super::pair_rows::PairRows;
use super::read::{ReadPairs, ReadingTools, RecordColumn};
use super::records::{AllRecords, LimitValues, read_records};
use super::rows::{NO_ROW, RecordRows, number_records};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::judgements::JudgementKind;
use crate::records::Table;

/// All tables, read.
pub(super) struct GatheredTables {
    pub pairs: ReadPairs,
    records: Option<AllRecords>,
    forbidden: Option<ReadPairs>,
    decisions: Option<Decisions>,
    has_sources: bool,
}

/// The records of all tables as rows, and what the tables say of them.
pub(super) struct GatheredRows {
    pub rows: RecordRows,
    pub pairs: PairRows,
    /// Pairs that are decided to be the same.
    pub together: Vec<[u32; 2]>,
    /// Pairs that are decided to be different.
    pub apart: Vec<ApartPair>,
    pub forbidden: Vec<[u32; 2]>,
    pub limits: Vec<RowValues>,
    pub decisions: Option<Decisions>,
}

/// A pair that is decided to be different.
pub(super) struct ApartPair {
    pub rows: [u32; 2],
    /// Its place among the judgements that are `different`.
    pub at: usize,
}

/// What a limit counts.
pub(super) struct RowValues {
    /// The values, ascending.
    pub texts: Vec<String>,
    /// The number of the value of each row, or [`NO_VALUE`].
    pub of_rows: Vec<u32>,
}

impl GatheredTables {
    /// Reads all tables of a job.
    pub fn read(job: &ClusterPairsJob, tools: ReadingTools<'_>) -> Result<Self> {
        let pairs = tools.pairs(&job.pairs, &job.columns)?;
        let sides = job.sides.as_ref().filter(|_| pairs.records[0].sources.is_none());
        let pairs = pairs.with_sides(sides);
        let has_sources = pairs.records[0].sources.is_some();
        let records = match job.records.is_empty() {
            true => None,
            false => Some(read_records(job, has_sources, tools)?),
        };
        let forbidden = job.keep_apart.as_ref().map(|input| tools.bare_pairs(input, &job.columns)).transpose()?;
        let forbidden = forbidden.map(|pairs| pairs.with_sides(sides).with_sources_as(has_sources)).transpose()?;
        let decisions = job.decided.as_ref().map(|input| Decisions::read(input, sides, tools)).transpose()?;
        Ok(Self { pairs, records, forbidden, decisions, has_sources })
    }

    /// Numbers the records of all tables.
    pub fn number(self, job: &ClusterPairsJob, cancel: Cancel<'_>) -> Result<GatheredRows> {
        let Self { pairs, records, forbidden, decisions, has_sources } = self;
        let AllRecords { inputs, limits } = records.unwrap_or_default();
        let (origins, mut named): (Vec<Table>, Vec<RecordColumn>) =
            inputs.into_iter().map(|input| (input.origin, input.records)).unzip();
        let are_all = !origins.is_empty();
        // Without records, those of pairs and of what is decided to be the same are all there are.
        let known: Range<usize> = if are_all { 0..origins.len() } else { 0..4 };
        let none = || [RecordColumn::empty(has_sources), RecordColumn::empty(has_sources)];
        let decided = |kind| decisions.as_ref().map_or_else(|| Ok(none()), |all| all.records(kind, has_sources));
        named.extend(pairs.records);
        named.extend(decided(JudgementKind::Same)?);
        named.extend(decided(JudgementKind::Different)?);
        let (forbidden_origin, of_forbidden) = match forbidden {
            Some(ReadPairs { origin, records, .. }) => (Some(origin), records),
            None => (None, none()),
        };
        named.extend(of_forbidden);
        let mut rows = number_records(named, known, cancel)?;
        let mut columns = std::mem::take(&mut rows.columns).into_iter();
        let of_records: Vec<Vec<u32>> = columns.by_ref().take(origins.len()).collect();
        check_once(&of_records, &origins, &rows)?;
        let mut next = || [columns.next().unwrap_or_default(), columns.next().unwrap_or_default()];
        let tables = RowsOfTables { pairs: next(), same: next(), different: next(), forbidden: next() };
        if are_all {
            tables.check_known(&pairs.origin, decisions.as_ref(), forbidden_origin.as_ref())?;
        }
        let RowsOfTables { pairs: of_pairs, same, different, forbidden } = tables;
        let apart = both(&different).enumerate().map(|(at, rows)| ApartPair { rows, at });
        Ok(GatheredRows {
            limits: limits.into_iter().map(|limit| RowValues::new(limit, &of_records, rows.count())).collect(),
            pairs: PairRows::new(of_pairs, pairs.facts, job, cancel),
            together: both(&same).collect(),
            apart: apart.filter(|pair| !pair.rows.contains(&NO_ROW)).collect(),
            forbidden: both(&forbidden).filter(|pair| !pair.contains(&NO_ROW)).collect(),
            decisions,
            rows,
        })
    }
}

/// The rows that tables name, on both sides.
struct RowsOfTables {
    pairs: [Vec<u32>; 2],
    same: [Vec<u32>; 2],
    different: [Vec<u32>; 2],
    forbidden: [Vec<u32>; 2],
}

impl RowsOfTables {
    /// Refuses records that are not among all records.
    fn check_known(&self, pairs: &Table, decisions: Option<&Decisions>, forbidden: Option<&Table>) -> Result<()> {
        check_known(&self.pairs, |at| pairs.place(at))?;
        if let Some(decisions) = decisions {
            check_known(&self.same, |at| decisions.place(JudgementKind::Same, at))?;
            check_known(&self.different, |at| decisions.place(JudgementKind::Different, at))?;
        }
        forbidden.map_or(Ok(()), |table| check_known(&self.forbidden, |at| table.place(at)))
    }
}

impl RowValues {
    /// Of the values of records, input by input, and the rows of these.
    fn new(limit: LimitValues, of_records: &[Vec<u32>], rows: u32) -> Self {
        let mut of_rows = vec![NO_VALUE; rows as usize];
        for (values, numbers) in limit.of_records.iter().zip(of_records) {
            values.iter().zip(numbers).for_each(|(value, row)| of_rows[*row as usize] = *value);
        }
        Self { texts: limit.texts, of_rows }
    }
}

/// The rows of pairs.
fn both([left, right]: &[Vec<u32>; 2]) -> impl Iterator<Item = [u32; 2]> {
    left.iter().zip(right).map(|(l, r)| [*l, *r])
}

/// Refuses a record that comes twice.
fn check_once(of_records: &[Vec<u32>], origins: &[Table], rows: &RecordRows) -> Result<()> {
    let mut is_known = vec![false; rows.ids.len()];
    for (numbers, origin) in of_records.iter().zip(origins) {
        for (at, row) in numbers.iter().enumerate() {
            if std::mem::replace(&mut is_known[*row as usize], true) {
                let message = format!("{}: the record `{}` comes twice", origin.place(at), rows.name(*row));
                return Err(Error::data(message).with_help("give each record once, with an id of its own"));
            }
        }
    }
    Ok(())
}

/// Refuses a record that is not among all records.
fn check_known(pairs: &[Vec<u32>; 2], place: impl Fn(usize) -> String) -> Result<()> {
    match both(pairs).position(|pair| pair.contains(&NO_ROW)) {
        Some(at) => {
            let which = if pairs[0][at] == NO_ROW { "first" } else { "second" };
            Err(Error::data(format!("{}: the {which} record of the pair is not among the records", place(at)))
                .with_help("ids, and sources where pairs name them, must be those of the records"))
        }
        None => Ok(()),
    }
}

impl RecordColumn {
    /// No records.
    fn empty(has_sources: bool) -> Self {
        let none = || StringArray::from(Vec::<&str>::new());
        Self::of_texts(none(), has_sources.then(none))
    }
}

impl ReadPairs {
    /// The same pairs, whose sides say the sources where no columns do.
    fn with_sides(mut self, sides: Option<&[String; 2]>) -> Self {
        if let (Some(sides), None) = (sides, &self.records[0].sources) {
            for (records, side) in self.records.iter_mut().zip(sides) {
                let names = |rows: usize| StringArray::from_iter_values(std::iter::repeat_n(side.as_str(), rows));
                records.sources = Some(records.ids.chunks.iter().map(|chunk| names(chunk.len())).collect());
            }
        }
        self
    }

    /// The same pairs, whose records have sources as others have, or none.
    fn with_sources_as(mut self, has_sources: bool) -> Result<Self> {
        if has_sources && self.records[0].sources.is_none() {
            let message =
                format!("`{}` does not say which sources records are from, and the pairs do", self.origin.name);
            return Err(Error::data(message)
                .with_help("give it the columns `source_dataset_l` and `source_dataset_r`, called as in the pairs"));
        }
        if !has_sources {
            self.records.iter_mut().for_each(|records| records.sources = None);
        }
        Ok(self)
    }
}
