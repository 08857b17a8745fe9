//! All tables of a job: read one after the other, and their records as rows.

use std::borrow::Cow;

use sameas_clusters::NO_VALUE;

use super::columns::PairColumnPlaces;
use super::decided::{DecidedCodes, Decisions};
use super::interned::{BYTES_OF_SOURCE, InternedRecords};
use super::job::ClusterPairsJob;
use super::pair_rows::PairRows;
use super::read::ReadingTools;
use super::read_pairs::{OpenPairs, ReadPairs};
use super::records::{AllRecords, LimitValues, ReadRecords, read_records};
use super::rows::{NO_ROW, RecordRows, RowsOfCodes, number_records};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::judgements::JudgementKind;
use crate::memory::Held;
use crate::numbering::ValueList;

/// All tables, read: their records are codes.
pub(super) struct GatheredTables {
    interned: InternedRecords,
    pub pairs: ReadPairs,
    /// All records, where they are given.
    records: Option<AllRecords>,
    forbidden: Option<ReadPairs>,
    decided: Option<GatheredDecisions>,
}

/// What people have decided, with the records of the pairs that are the same, and of those that are different.
struct GatheredDecisions {
    decisions: Decisions,
    same: DecidedCodes,
    different: DecidedCodes,
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
    /// The memory of what grows with the rows.
    pub held: Held,
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
    texts: ValueList,
    /// The number of the value of each row, or [`NO_VALUE`].
    pub of_rows: Vec<u32>,
    _held: Held,
}

impl GatheredTables {
    /// Reads all tables of a job. Those with the records that are known come first: all records, where they are given, or else
    /// those of the pairs and of what is decided to be the same.
    pub fn read(job: &ClusterPairsJob, tools: ReadingTools<'_>) -> Result<Self> {
        let source = tools.open(&job.pairs)?;
        let columns = PairColumnPlaces::find(&source, &job.columns)?;
        let opened = OpenPairs::new(source, columns, job.sides.as_ref());
        let sides = opened.sides().cloned();
        let mut interned = InternedRecords::new(opened.has_sources(), tools.kept)?;
        let records = match job.records.is_empty() {
            true => None,
            false => Some(read_records(job, &mut interned, tools)?),
        };
        if records.is_some() {
            interned.complete();
        }
        let pairs = opened.read(&mut interned, tools)?;
        let decisions = job.decided.as_ref().map(|input| Decisions::read(input, sides.as_ref(), tools)).transpose()?;
        let decided = decisions.map(|decisions| GatheredDecisions::new(decisions, records.is_none(), &mut interned));
        let decided = decided.transpose()?;
        if decided.is_none() && records.is_none() {
            interned.complete();
        }
        let forbidden = match &job.keep_apart {
            Some(input) => {
                let source = tools.open(input)?;
                // Nothing but the records of such a pair matters.
                let columns = PairColumnPlaces::of_ids(&source, &job.columns)?;
                let opened = OpenPairs::new(source, columns, sides.as_ref());
                opened.check_sources(interned.has_sources())?;
                Some(opened.read(&mut interned, tools)?)
            }
            None => None,
        };
        Ok(Self { interned, pairs, records, forbidden, decided })
    }

    /// Makes rows of the records of all tables.
    pub fn number(self, job: &ClusterPairsJob, cancel: Cancel<'_>) -> Result<GatheredRows> {
        let Self { interned, mut pairs, records, mut forbidden, mut decided } = self;
        let (rows, of_codes) = number_records(interned, cancel)?;
        pairs.renumber(&of_codes);
        forbidden.iter_mut().for_each(|pairs| pairs.renumber(&of_codes));
        decided.iter_mut().for_each(|decided| decided.renumber(&of_codes));
        let limits = match records {
            Some(records) => {
                let limits = limits_of(records, &rows, &of_codes)?;
                check_known(&pairs, decided.as_ref(), forbidden.as_ref())?;
                limits
            }
            None => Vec::new(),
        };
        let (together, apart) = match &decided {
            Some(decided) => (decided.same.both(), decided.different.both()),
            None => (Vec::new(), Vec::new()),
        };
        let apart = apart.into_iter().enumerate().map(|(at, rows)| ApartPair { rows, at });
        let forbidden = forbidden.map_or_else(Vec::new, |pairs| pairs.known());
        let sources = BYTES_OF_SOURCE * rows.sources.len() + size_of_val(&rows.source_of[..]);
        let held = cancel.hold(rows.ids.bytes() + sources + size_of_val(&forbidden[..]));
        Ok(GatheredRows {
            pairs: PairRows::new(pairs, job),
            together,
            apart: apart.filter(|pair| !pair.rows.contains(&NO_ROW)).collect(),
            forbidden,
            limits,
            decisions: decided.map(|decided| decided.decisions),
            rows,
            held,
        })
    }
}

/// What limits count of all records, which must come once each.
fn limits_of(records: AllRecords, rows: &RecordRows, of_codes: &RowsOfCodes) -> Result<Vec<RowValues>> {
    let AllRecords { mut inputs, limits } = records;
    inputs.iter_mut().for_each(|input| of_codes.renumber(input.type_place, &mut input.codes));
    check_once(&inputs, rows)?;
    Ok(limits.into_iter().map(|limit| RowValues::new(limit, &inputs, rows.count())).collect())
}

impl GatheredDecisions {
    /// Of decisions, whose records become codes: those of pairs that are the same may be known by that alone.
    fn new(decisions: Decisions, makes_known: bool, interned: &mut InternedRecords) -> Result<Self> {
        let same = decisions.codes(JudgementKind::Same, interned)?;
        if makes_known {
            interned.complete();
        }
        let different = decisions.codes(JudgementKind::Different, interned)?;
        Ok(Self { decisions, same, different })
    }

    fn renumber(&mut self, of_codes: &RowsOfCodes) {
        for decided in [&mut self.same, &mut self.different] {
            let type_place = decided.type_place;
            decided.codes.iter_mut().for_each(|codes| of_codes.renumber(type_place, codes));
        }
    }
}

impl DecidedCodes {
    /// Both records of each pair.
    fn both(&self) -> Vec<[u32; 2]> {
        let [left, right] = &self.codes;
        left.iter().zip(right).map(|(l, r)| [*l, *r]).collect()
    }
}

impl ReadPairs {
    /// Puts rows in place of codes.
    fn renumber(&mut self, of_codes: &RowsOfCodes) {
        let [left, right] = self.types;
        self.pairs.renumber(|[l, r]| [of_codes.row(left, l), of_codes.row(right, r)]);
    }

    /// The pairs of records that are known.
    fn known(&self) -> Vec<[u32; 2]> {
        let pairs = (0..self.pairs.len()).map(|at| self.pairs.records(at));
        pairs.filter(|pair| !pair.contains(&NO_ROW)).collect()
    }
}

impl RowValues {
    /// Of the values of records, input by input, and the rows of these.
    fn new(limit: LimitValues, inputs: &[ReadRecords], rows: u32) -> Self {
        let LimitValues { texts, of_records, held } = limit;
        let mut of_rows = vec![NO_VALUE; rows as usize];
        for (values, input) in of_records.iter().zip(inputs) {
            values.iter().zip(&input.codes).for_each(|(value, row)| of_rows[*row as usize] = *value);
        }
        Self { texts, of_rows, _held: held }
    }

    /// The value with a number.
    pub fn text(&self, value: u32) -> Cow<'_, str> {
        match (value as usize) < self.texts.count() {
            true => String::from_utf8_lossy(self.texts.value(value)),
            false => Cow::Borrowed(""),
        }
    }
}

/// Refuses a record that comes twice.
fn check_once(inputs: &[ReadRecords], rows: &RecordRows) -> Result<()> {
    let mut is_known = vec![false; rows.ids.len()];
    for input in inputs {
        for (at, row) in input.codes.iter().enumerate() {
            if std::mem::replace(&mut is_known[*row as usize], true) {
                let message = format!("{}: the record `{}` comes twice", input.origin.place(at), rows.name(*row));
                return Err(Error::data(message).with_help("give each record once, with an id of its own"));
            }
        }
    }
    Ok(())
}

/// Refuses records that are not among all records.
fn check_known(pairs: &ReadPairs, decided: Option<&GatheredDecisions>, forbidden: Option<&ReadPairs>) -> Result<()> {
    let unknown = |pairs: &ReadPairs| {
        let at = pairs.pairs.find(|pair| pair.contains(&NO_ROW))?;
        Some(not_known(pairs.pairs.records(at), &pairs.origin.place(at)))
    };
    let unknown_decided = |decided: &GatheredDecisions| {
        let of_kind = |codes: &DecidedCodes, kind: JudgementKind| {
            let (at, pair) = codes.both().into_iter().enumerate().find(|(_, pair)| pair.contains(&NO_ROW))?;
            Some(not_known(pair, &decided.decisions.place(kind, at)))
        };
        let same = of_kind(&decided.same, JudgementKind::Same);
        same.or_else(|| of_kind(&decided.different, JudgementKind::Different))
    };
    let found = unknown(pairs).or_else(|| unknown_decided(decided?)).or_else(|| unknown(forbidden?));
    found.map_or(Ok(()), Err)
}

fn not_known([left, _]: [u32; 2], place: &str) -> Error {
    let which = if left == NO_ROW { "first" } else { "second" };
    Error::data(format!("{place}: the {which} record of the pair is not among the records"))
        .with_help("ids, and sources where pairs name them, must be those of the records")
}
