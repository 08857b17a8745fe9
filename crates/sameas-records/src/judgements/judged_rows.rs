//! The rows of the records that judgements name. Records may be far more than judgements, so the ids of these are numbered, and
//! all records are looked through once.

use std::fmt::Write;

use arrow_array::Array;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use rayon::prelude::*;

use super::judgement::{JudgedRecord, Judgement};
use super::read::Judgements;
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::numbering::GrowingNumbers;
use crate::records::{NamedRecords, RowIds, broken};
use crate::rules::LinkType;

/// Records that a thread looks through at a time.
const BLOCK: usize = 1 << 14;

/// A record of judgements, by its input and its number among the ids that are wanted there.
#[derive(Clone, Copy)]
struct WantedRecord {
    input: usize,
    number: u32,
}

/// The rows of each of these judgements as pairs of the job have them, the left or earlier one first.
pub(super) fn rows_of(
    judgements: &Judgements,
    decided: &[&Judgement],
    records: NamedRecords<'_>,
    cancel: Cancel<'_>,
) -> Result<Vec<[u32; 2]>> {
    if !records.has_two_sides && records.names.len() > 1 && !judgements.names_sources() {
        return Err(Error::data("the judgements do not say which inputs records are from, and the job has several")
            .with_help("give them the columns `source_dataset_l` and `source_dataset_r`"));
    }
    let mut wanted: Vec<GrowingNumbers> = records.names.iter().map(|_| GrowingNumbers::default()).collect();
    let mut pairs = Vec::with_capacity(decided.len());
    for judgement in decided {
        let [l, r] = &judgement.records;
        let both = input_of(l, 0, records).and_then(|left| Ok([left, input_of(r, 1, records)?]));
        let inputs = both.and_then(|inputs| check_inputs(judgement, inputs, records));
        let inputs = inputs.map_err(|message| not_of_job(judgements, judgement, &message))?;
        let mut number = |input: usize, id: &str| WantedRecord { input, number: wanted[input].number(id.as_bytes()) };
        pairs.push([number(inputs[0], &l.id), number(inputs[1], &r.id)]);
    }
    let each = wanted.iter().zip(records.ids);
    let found = each.map(|(wanted, ids)| rows_of_ids(ids, wanted, cancel)).collect::<Result<Vec<_>>>()?;
    let firsts = first_rows(records);
    let row = |record: WantedRecord| found[record.input][record.number as usize].map(|row| firsts[record.input] + row);
    let known = |(pair, judgement): ([WantedRecord; 2], &&Judgement)| match pair.map(row) {
        // The left row of a link of two inputs is of the first of them, whichever the judgement has first.
        [Some(a), Some(b)] if records.has_two_sides => Ok(if pair[0].input == 0 { [a, b] } else { [b, a] }),
        [Some(a), Some(b)] => Ok([a.min(b), a.max(b)]),
        rows => {
            let side = usize::from(rows[0].is_some());
            let (id, input) = (&judgement.records[side].id, &records.names[pair[side].input]);
            let message = format!("there is no record with id `{id}` in {input}");
            Err(not_of_job(judgements, judgement, &message).with_code(ErrorCode::NoSuchId))
        }
    };
    pairs.into_iter().zip(decided).map(known).collect()
}

/// The input of a record on a side of a judgement.
fn input_of(record: &JudgedRecord, side: usize, records: NamedRecords<'_>) -> std::result::Result<usize, String> {
    match &record.source {
        Some(name) => records
            .names
            .iter()
            .position(|known| known == name)
            .ok_or_else(|| format!("there is no input `{name}`: they are {}", records.names.join(", "))),
        None => Ok(if records.has_two_sides { side } else { 0 }),
    }
}

/// Refuses two records that the job cannot pair.
fn check_inputs(
    judgement: &Judgement,
    inputs: [usize; 2],
    records: NamedRecords<'_>,
) -> std::result::Result<[usize; 2], String> {
    if records.link_type != LinkType::LinkOnly || inputs[0] != inputs[1] {
        return Ok(inputs);
    }
    let ([a, b], name) = (&judgement.records, &records.names[inputs[0]]);
    Err(format!("`{}` and `{}` are both records of {name}, and a link pairs records of different inputs", a.id, b.id))
}

fn not_of_job(judgements: &Judgements, judgement: &Judgement, message: &str) -> Error {
    Error::data(format!("{}: {message}", judgements.place(judgement)))
        .with_help("a decision is about two records of the job that it could pair: correct it, or leave it out")
}

/// What is added to the row of an input: rows are counted over all inputs, but for the two sides of a link.
fn first_rows(records: NamedRecords<'_>) -> Vec<u32> {
    let mut rows = 0;
    let first = |ids: &RowIds| {
        let first = if records.has_two_sides { 0 } else { rows };
        rows += ids.len() as u32;
        first
    };
    records.ids.iter().map(first).collect()
}

/// The row of each id that is wanted, where there is one.
fn rows_of_ids(ids: &RowIds, wanted: &GrowingNumbers, cancel: Cancel<'_>) -> Result<Vec<Option<u32>>> {
    let mut rows = vec![None; wanted.count()];
    if wanted.count() == 0 {
        return Ok(rows);
    }
    let blocks = (0..ids.len().div_ceil(BLOCK)).into_par_iter();
    let of_block = |block: usize| {
        cancel.check();
        rows_in_block(ids, block * BLOCK, wanted)
    };
    let found = blocks.map(of_block).collect::<Result<Vec<Vec<(u32, u32)>>>>()?;
    found.into_iter().flatten().for_each(|(number, row)| rows[number as usize] = Some(row));
    Ok(rows)
}

/// The numbers and rows of wanted ids among those from `first` on.
fn rows_in_block(ids: &RowIds, first: usize, wanted: &GrowingNumbers) -> Result<Vec<(u32, u32)>> {
    let block = ids.gather_range(first..ids.len().min(first + BLOCK))?;
    let options = FormatOptions::new();
    let formatter = ArrayFormatter::try_new(block.as_ref(), &options).map_err(|error| broken(&error))?;
    let (mut found, mut text) = (Vec::new(), String::new());
    for at in 0..block.len() {
        text.clear();
        write!(text, "{}", formatter.value(at)).map_err(|_| Error::internal("an id cannot be written"))?;
        found.extend(wanted.find(text.as_bytes()).map(|number| (number, (first + at) as u32)));
    }
    Ok(found)
}
