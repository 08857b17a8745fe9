//! Pairs with columns of both records beside them.
//!
//! Pairs may be many more than records, and their right records lie anywhere. So values are brought to their pairs in two steps, and
//! nothing is looked up in a file: pairs ask for records, sorted by these (`requests`); the records are read once, in order, and what
//! was asked for goes to the place of each pair (`answers`). Both are partitions, which spill.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array, UInt64Array, new_null_array};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use arrow_select::take::take;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::chunks::TableChunks;
use super::clustered::TableTools;
use super::names::check_names;
use super::sink::{TableCounts, TableSink};
use super::{Error, ErrorCode, Result, broken};
use crate::memory::Held;
use crate::output::{PairTable, plain_batch, plain_schema};
use crate::partitions::{Partitions, RowsByPartition, bytes_of_column};
use crate::record_stream::{InputBatch, InputSchemas, StreamedInput, StreamedInputs};
use crate::records::KeptColumns;

/// Pairs whose places are in one partition, or several times as many.
const CHUNK: u64 = 1 << 13;

/// The most pairs of a partition.
const MOST_PAIRS: u64 = 1 << 18;

/// Requests that are answered at a time, at most.
const AT_A_TIME: usize = 1 << 16;

/// The part of the memory, for each thread, that a partition takes, and what a row of it takes as far as that is known before.
const SHARE: usize = 16;
const ROW_BYTES: usize = 1 << 10;

/// The columns of both records that pairs have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithColumns {
    /// All but those of ids.
    All,
    /// These.
    Named(Vec<String>),
}

/// The pairs of a run.
#[derive(Clone, Copy)]
pub struct PairsOfRecords<'a> {
    /// The pairs as a table.
    pub table: PairTable<'a>,
    /// What is added to the row of a right record to number all records.
    pub right_offset: u32,
    /// Whether left records are of the first input alone, and right ones of the second.
    pub has_two_sides: bool,
}

/// The table of pairs with columns of both records: `a_l`, `a_r` for a column `a`, after those of pairs.
pub fn pairs_with(
    inputs: &[StreamedInput<'_>],
    pairs: PairsOfRecords<'_>,
    with: &WithColumns,
    tools: TableTools<'_>,
    sink: &mut dyn TableSink,
) -> Result<TableCounts> {
    let opened = StreamedInputs::open(inputs, tools.cancel.within(tools.budget))?;
    let columns = SideColumns::find(&opened.schemas(), pairs.has_two_sides, with)?;
    let schema = table_schema(&pairs, &columns);
    check_names(&schema)?;
    // Before any work: some want to know the columns alone.
    let mut chunks = TableChunks::begin(sink, schema.clone())?;
    let join = PairJoin { pairs, columns, tools };
    let records = inputs.iter().map(|input| input.rows).sum();
    let requests = join.requests(records)?;
    let answers = join.answers(opened, &requests)?;
    drop(requests);
    let all: Vec<usize> = (0..answers[0].count()).collect();
    for some in all.chunks(rayon::current_num_threads()) {
        let made: Vec<Result<RecordBatch>> =
            some.par_iter().map(|partition| join.rows(&schema, &answers, *partition)).collect();
        chunks.add(made.into_iter().collect::<Result<_>>()?)?;
    }
    Ok(TableCounts { rows: chunks.finish()?, columns: Vec::new() })
}

/// The columns of the left and of the right records.
#[derive(Debug)]
pub struct SideColumns {
    /// Those of all inputs of a side, in the same order; none where the side lacks a column.
    sides: [Vec<Option<FieldRef>>; 2],
}

impl SideColumns {
    /// The columns that are asked for.
    pub fn find(schemas: &InputSchemas<'_>, has_two_sides: bool, with: &WithColumns) -> Result<Self> {
        let of_side =
            |side: usize| -> Range<usize> { if has_two_sides { side..side + 1 } else { 0..schemas.inputs.len() } };
        let all_of = |side: usize| {
            let labels: Vec<&str> = schemas.inputs[of_side(side)].iter().map(|input| input.name).collect();
            KeptColumns::of_all(&labels, &schemas.kept[of_side(side)])
        };
        let all = [all_of(0)?, all_of(1)?];
        let names = match with {
            WithColumns::Named(names) => {
                let mut once: Vec<String> = Vec::with_capacity(names.len());
                for name in names {
                    let name = found(name, &all)?;
                    once.extend((!once.contains(&name)).then_some(name));
                }
                once
            }
            WithColumns::All => {
                let is_id = |name: &str| {
                    let inputs = schemas.inputs.iter().zip(&schemas.kept);
                    inputs
                        .filter(|(_, schema)| schema.field_with_name(name).is_ok())
                        .all(|(input, _)| input.id == Some(name))
                };
                let names = all.iter().flat_map(|schema| schema.fields().iter().map(|field| field.name().clone()));
                let mut known = HashSet::new();
                names.filter(|name| !is_id(name) && known.insert(name.clone())).collect()
            }
        };
        let fields =
            |schema: &SchemaRef| names.iter().map(|name| Some(schema.fields().find(name)?.1.clone())).collect();
        Ok(Self { sides: all.each_ref().map(fields) })
    }

    /// The places of the columns that are read of an input.
    fn read(&self, schema: &Schema) -> Vec<usize> {
        let wanted: HashSet<&str> = self.sides.iter().flatten().flatten().map(|field| field.name().as_str()).collect();
        let fields = schema.fields().iter().enumerate();
        fields.filter(|(_, field)| wanted.contains(field.name().as_str())).map(|(at, _)| at).collect()
    }
}

/// The column of this name, or the only one that differs in case.
fn found(name: &str, all: &[SchemaRef]) -> Result<String> {
    let fields = || all.iter().flat_map(|schema| schema.fields().iter().map(|field| field.name().as_str()));
    if fields().any(|field| field == name) {
        return Ok(name.to_owned());
    }
    let lower = name.to_lowercase();
    let alike: HashSet<&str> = fields().filter(|field| field.to_lowercase() == lower).collect();
    if let (1, Some(only)) = (alike.len(), alike.iter().next()) {
        return Ok((*only).to_owned());
    }
    let near = crate::rules::nearest(name, fields()).map(|near| format!("did you mean `{near}`? "));
    let mut known = HashSet::new();
    let shown: Vec<&str> = fields().filter(|field| known.insert(*field)).take(MOST_SHOWN).collect();
    Err(Error::usage(format!("no input has a column `{name}`")).with_code(ErrorCode::NoSuchColumn).with_help(format!(
        "{}the columns are: {}",
        near.unwrap_or_default(),
        shown.join(", ")
    )))
}

/// The most columns in one message.
const MOST_SHOWN: usize = 30;

fn table_schema(pairs: &PairsOfRecords<'_>, columns: &SideColumns) -> SchemaRef {
    let mut fields: Vec<Field> =
        plain_schema(&pairs.table.schema()).fields().iter().map(|field| field.as_ref().clone()).collect();
    let [left, right] = &columns.sides;
    for both in left.iter().zip(right) {
        for (side, field) in [("l", both.0), ("r", both.1)] {
            fields.extend(
                field.iter().map(|of| Field::new(format!("{}_{side}", of.name()), of.data_type().clone(), true)),
            );
        }
    }
    Arc::new(Schema::new(fields.into_iter().collect::<Fields>()))
}

/// The work of bringing values to pairs.
struct PairJoin<'a> {
    pairs: PairsOfRecords<'a>,
    columns: SideColumns,
    tools: TableTools<'a>,
}

/// What left and right records are asked for, by record.
struct Requests {
    sides: [Partitions; 2],
    /// Where windows of records begin, and where the last one ends.
    windows: Vec<u32>,
}

impl PairJoin<'_> {
    fn threads_share(&self) -> usize {
        self.tools.budget.most() / (SHARE * rayon::current_num_threads())
    }

    fn new_partitions(&self, schema: SchemaRef, borders: Vec<u32>) -> Result<Partitions> {
        Partitions::new(schema, borders, self.tools.budget, self.tools.spill_folder.map(std::path::Path::to_owned))
    }

    /// The records of pairs at these ranks, by side, as numbers among those of all inputs.
    fn records_of(&self, ranks: Range<u64>) -> Result<[Vec<u32>; 2]> {
        let pairs = self.pairs.table.pairs.read(ranks)?;
        let right = pairs.iter().map(|pair| pair.r + self.pairs.right_offset).collect();
        Ok([pairs.iter().map(|pair| pair.l).collect(), right])
    }

    /// Ranks of all pairs, some at a time.
    fn rank_ranges(&self) -> Vec<Range<u64>> {
        let len = self.pairs.table.pairs.len();
        (0..len).step_by(AT_A_TIME).map(|from| from..len.min(from + AT_A_TIME as u64)).collect()
    }

    /// Sorts what pairs ask for by record.
    fn requests(&self, records: usize) -> Result<Requests> {
        let _held = self.tools.budget.hold(records * size_of::<u32>())?;
        let counts: Vec<AtomicU32> = (0..records).map(|_| AtomicU32::new(0)).collect();
        let ranges = self.rank_ranges();
        ranges.par_iter().try_for_each(|ranks| {
            self.tools.cancel.check();
            let asked = self.records_of(ranks.clone())?;
            asked.iter().flatten().for_each(|record| _ = counts[*record as usize].fetch_add(1, Relaxed));
            Ok::<(), Error>(())
        })?;
        let windows = self.windows(&counts);
        let schema: SchemaRef = Arc::new(Schema::new(vec![
            Field::new("record", DataType::UInt32, true),
            Field::new("rank", DataType::UInt64, true),
        ]));
        let mut sides = [
            self.new_partitions(schema.clone(), windows.clone())?,
            self.new_partitions(schema.clone(), windows.clone())?,
        ];
        for some in ranges.chunks(2 * rayon::current_num_threads()) {
            let divided: Vec<Result<[RowsByPartition; 2]>> = some
                .par_iter()
                .map(|ranks| {
                    self.tools.cancel.check();
                    let asked = self.records_of(ranks.clone())?;
                    let divided = |side: usize| {
                        let places: ArrayRef = Arc::new(UInt64Array::from_iter_values(ranks.clone()));
                        let columns = vec![Arc::new(UInt32Array::from(asked[side].clone())) as ArrayRef, places];
                        let batch = RecordBatch::try_new(schema.clone(), columns).map_err(|error| broken(&error))?;
                        sides[side].divided(&batch, &asked[side])
                    };
                    Ok([divided(0)?, divided(1)?])
                })
                .collect();
            for divided in divided {
                let [left, right] = divided?;
                sides[0].add(left)?;
                sides[1].add(right)?;
            }
        }
        sides.iter_mut().try_for_each(Partitions::finish)?;
        Ok(Requests { sides, windows })
    }

    /// Where windows of records begin, so that what is asked of them is not large.
    fn windows(&self, counts: &[AtomicU32]) -> Vec<u32> {
        let most = self.threads_share() / size_of::<[u64; 2]>();
        let (mut borders, mut requests) = (vec![0], 0_usize);
        for (record, count) in counts.iter().enumerate() {
            let count = count.load(Relaxed) as usize;
            if requests > 0 && requests + count > most {
                borders.push(record as u32);
                requests = 0;
            }
            requests += count;
        }
        borders.push(counts.len() as u32);
        borders
    }

    /// Reads the records, and brings what is asked of them to the places of the pairs.
    fn answers(&self, opened: StreamedInputs<'_>, requests: &Requests) -> Result<[Partitions; 2]> {
        let chunks = self.pairs.table.pairs.len().div_ceil(CHUNK);
        let of_partition = ((self.threads_share() / ROW_BYTES) as u64).clamp(CHUNK, MOST_PAIRS) / CHUNK;
        let mut borders: Vec<u32> = (0..chunks).step_by(of_partition as usize).map(|chunk| chunk as u32).collect();
        borders.push(chunks as u32);
        if borders.len() == 1 {
            borders.insert(0, 0);
        }
        let schemas = [0, 1].map(|side| answer_schema(&self.columns.sides[side]));
        let mut answers = [
            self.new_partitions(schemas[0].clone(), borders.clone())?,
            self.new_partitions(schemas[1].clone(), borders)?,
        ];
        let read: Vec<Vec<usize>> = opened.schemas().kept.iter().map(|schema| self.columns.read(schema)).collect();
        let mut window = self.window(requests, 0)?;
        opened.read(&read, self.tools.budget, self.tools.progress, &mut |batch| {
            self.tools.cancel.check();
            let InputBatch { first, batch, .. } = batch;
            let (mut from, end) = (first, first + batch.num_rows() as u32);
            while from < end {
                if from == window.end {
                    window = self.window(requests, window.at + 1)?;
                }
                let to = window.end.min(end);
                let records = batch.slice((from - first) as usize, (to - from) as usize);
                self.answer(&window, &records, from, &schemas, &mut answers)?;
                from = to;
            }
            Ok(())
        })?;
        answers.iter_mut().try_for_each(Partitions::finish)?;
        Ok(answers)
    }

    /// What is asked of the records of a window.
    fn window(&self, requests: &Requests, at: usize) -> Result<RecordWindow> {
        let mut held = self.tools.budget.hold(0)?;
        let mut asked = [Vec::new(), Vec::new()];
        for (asked, of_side) in asked.iter_mut().zip(&requests.sides) {
            let (rows, _held) = of_side.rows(at, self.tools.cancel.within(self.tools.budget))?;
            held.add(rows.num_rows() * size_of::<(u32, u64)>())?;
            let records = rows.column(0).as_primitive::<UInt32Type>().values().iter().copied();
            asked.extend(records.zip(rows.column(1).as_primitive::<UInt64Type>().values().iter().copied()));
            asked.par_sort_unstable();
        }
        Ok(RecordWindow { at, end: requests.windows[at + 1], asked, _held: held })
    }

    /// Answers what is asked of some records of an input, of which the first has this number.
    fn answer(
        &self,
        window: &RecordWindow,
        records: &RecordBatch,
        first: u32,
        schemas: &[SchemaRef; 2],
        answers: &mut [Partitions; 2],
    ) -> Result<()> {
        for side in 0..2 {
            let asked = window.asked_of(side, first..first + records.num_rows() as u32);
            if asked.is_empty() {
                continue;
            }
            let values = values_of(records, &self.columns.sides[side], &schemas[side])?;
            // A record may be asked for often, so the longest values decide how many answers are made at a time.
            let at_a_time = (self.threads_share() / most_row_bytes(&values)).clamp(1, AT_A_TIME);
            let some: Vec<&[(u32, u64)]> = asked.chunks(at_a_time).collect();
            for some in some.chunks(rayon::current_num_threads()) {
                let answer = |asked: &&[(u32, u64)]| answered(asked, &values, first, &schemas[side], &answers[side]);
                let made: Vec<Result<RowsByPartition>> = some.par_iter().map(answer).collect();
                made.into_iter().try_for_each(|made| answers[side].add(made?))?;
            }
        }
        Ok(())
    }

    /// The pairs of a partition with the values of their records.
    fn rows(&self, schema: &SchemaRef, answers: &[Partitions; 2], partition: usize) -> Result<RecordBatch> {
        let chunks = answers[0].clusters(partition);
        let (from, len) = (chunks.start as u64 * CHUNK, self.pairs.table.pairs.len());
        let to = len.min(chunks.end as u64 * CHUNK);
        let of_pairs = self.pairs.table.schema();
        let pairs = plain_batch(&self.pairs.table.batch(&of_pairs, from..to)?, &plain_schema(&of_pairs))?;
        let mut sides = Vec::with_capacity(2);
        for answers in answers {
            let (answers, _held) = answers.rows(partition, self.tools.cancel.within(self.tools.budget))?;
            sides.push(in_order(&answers, from, (to - from) as usize)?);
        }
        let mut columns = pairs.columns().to_vec();
        let mut next = [0; 2];
        let [left, right] = &self.columns.sides;
        for both in left.iter().zip(right) {
            for (side, field) in [both.0, both.1].into_iter().enumerate() {
                if field.is_some() {
                    columns.push(sides[side][next[side]].clone());
                    next[side] += 1;
                }
            }
        }
        let options = RecordBatchOptions::new().with_row_count(Some(pairs.num_rows()));
        RecordBatch::try_new_with_options(schema.clone(), columns, &options).map_err(|error| broken(&error))
    }
}

/// What is asked of some records that follow each other.
struct RecordWindow {
    at: usize,
    /// The record at which the next one begins.
    end: u32,
    /// Records and the ranks of the pairs that ask for them, ascending, for each side.
    asked: [Vec<(u32, u64)>; 2],
    _held: Held,
}

impl RecordWindow {
    fn asked_of(&self, side: usize, records: Range<u32>) -> &[(u32, u64)] {
        let asked = &self.asked[side];
        let place = |record: u32| asked.partition_point(|(of, _)| *of < record);
        &asked[place(records.start)..place(records.end)]
    }
}

/// The columns of answers: the values, and the rank of the pair.
fn answer_schema(columns: &[Option<FieldRef>]) -> SchemaRef {
    let columns = columns.iter().flatten().enumerate();
    let mut fields: Vec<Field> =
        columns.map(|(at, field)| Field::new(at.to_string(), field.data_type().clone(), true)).collect();
    fields.push(Field::new("rank", DataType::UInt64, true));
    Arc::new(Schema::new(fields.into_iter().collect::<Fields>()))
}

/// The values of some records of an input.
fn values_of(records: &RecordBatch, columns: &[Option<FieldRef>], schema: &SchemaRef) -> Result<RecordBatch> {
    let last = schema.fields().len() - 1;
    let values = Arc::new(schema.project(&(0..last).collect::<Vec<_>>()).map_err(|error| broken(&error))?);
    let column = |field: &FieldRef| match records.column_by_name(field.name()) {
        Some(column) => KeptColumns::column(column, field),
        None => Ok(new_null_array(field.data_type(), records.num_rows())),
    };
    let columns = columns.iter().flatten().map(column).collect::<Result<Vec<_>>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(records.num_rows()));
    RecordBatch::try_new_with_options(values, columns, &options).map_err(|error| broken(&error))
}

/// About the bytes of the longest row: for columns of texts and bytes the longest value, for others what a value takes on average.
fn most_row_bytes(values: &RecordBatch) -> usize {
    let longest = |offsets: &[i32]| offsets.windows(2).map(|ends| (ends[1] - ends[0]) as usize).max().unwrap_or(0);
    let bytes = |column: &ArrayRef| match column.data_type() {
        DataType::Utf8 => longest(column.as_string::<i32>().offsets()),
        DataType::Binary => longest(column.as_binary::<i32>().offsets()),
        _ => bytes_of_column(column).div_ceil(column.len().max(1)),
    };
    size_of::<u64>() + values.columns().iter().map(bytes).sum::<usize>()
}

/// Values for some requests, by the places of their pairs. The first record of the values has number `first`.
fn answered(
    asked: &[(u32, u64)],
    values: &RecordBatch,
    first: u32,
    schema: &SchemaRef,
    answers: &Partitions,
) -> Result<RowsByPartition> {
    let places = UInt32Array::from_iter_values(asked.iter().map(|(record, _)| record - first));
    let taken = values.columns().iter().map(|column| take(column, &places, None));
    let mut columns = taken.collect::<std::result::Result<Vec<_>, _>>().map_err(|error| broken(&error))?;
    columns.push(Arc::new(UInt64Array::from_iter_values(asked.iter().map(|(_, rank)| *rank))));
    let batch = RecordBatch::try_new(schema.clone(), columns).map_err(|error| broken(&error))?;
    let chunks: Vec<u32> = asked.iter().map(|(_, rank)| (rank / CHUNK) as u32).collect();
    answers.divided(&batch, &chunks)
}

/// The values of answers in the order of their pairs, of which the first has rank `from`.
fn in_order(answers: &RecordBatch, from: u64, pairs: usize) -> Result<Vec<ArrayRef>> {
    let Some((ranks, values)) = answers.columns().split_last() else {
        return Err(Error::internal("answers without ranks"));
    };
    if answers.num_rows() != pairs {
        return Err(Error::internal(format!("{pairs} pairs have {} answers", answers.num_rows())));
    }
    let mut places = vec![0_u32; pairs];
    for (row, rank) in ranks.as_primitive::<UInt64Type>().values().iter().enumerate() {
        places[(rank - from) as usize] = row as u32;
    }
    let places = UInt32Array::from(places);
    values.iter().map(|column| take(column, &places, None).map_err(|error| broken(&error))).collect()
}
