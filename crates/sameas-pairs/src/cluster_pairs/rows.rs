//! Records become rows, in the order of their sources and ids: never in that of their appearance.

use std::ops::Range;

use arrow_array::{Array, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use rayon::prelude::*;

use super::read::RecordColumn;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::ids::{NumberedIds, number_ids, of_one_kind};
use crate::numbering::{number_integers, number_texts};
use crate::records::RowIds;

/// The row of a record that is not known.
pub(super) const NO_ROW: u32 = u32::MAX;

/// From this many ids on, texts of them need longer places.
const MANY_IDS: usize = 100_000_000;

/// Bytes of a record while it becomes a row.
const BYTES_OF_RECORD: usize = 24;

/// The rows, and which of them the columns name.
pub(super) struct RecordRows {
    /// The ids of the rows, with their sources if these are named.
    pub ids: RowIds,
    /// The sources, ascending; none where they are not named.
    pub sources: Vec<String>,
    /// The source of each row; empty where they are not named.
    pub source_of: Vec<u32>,
    /// The rows that each column names, or [`NO_ROW`].
    pub columns: Vec<Vec<u32>>,
}

/// Records by number, in order, before it is asked which are known.
struct NumberedRecords {
    ids: RowIds,
    /// The names of sources, ascending.
    sources: Vec<String>,
    /// The source and the id of each record, by number.
    records: Vec<[u32; 2]>,
    columns: Vec<Vec<u32>>,
}

/// Numbers the records that columns name. Those of the columns `known` are all there are.
pub(super) fn number_records(named: Vec<RecordColumn>, known: Range<usize>, cancel: Cancel<'_>) -> Result<RecordRows> {
    let (ids, sources): (Vec<_>, Vec<_>) = named.into_iter().map(|one| (one.ids, one.sources)).unzip();
    let numbered = number_ids(&of_one_kind(ids)?, cancel)?;
    let sources: Option<Vec<Vec<StringArray>>> = sources.into_iter().collect();
    let records = match sources {
        Some(sources) => with_sources(&numbered, &sources, cancel)?,
        None => NumberedRecords {
            ids: row_ids(&numbered)?,
            sources: Vec::new(),
            records: (0..numbered.ids.len() as u32).map(|id| [0, id]).collect(),
            columns: numbered.columns,
        },
    };
    let _held = cancel.hold(BYTES_OF_RECORD * records.records.len());
    records.only(known)
}

/// The ids as they are written; whole numbers in texts stay texts.
fn row_ids(numbered: &NumberedIds) -> Result<RowIds> {
    if !numbered.are_written_integers {
        return RowIds::new(std::slice::from_ref(&numbered.ids));
    }
    let text = if numbered.ids.len() < MANY_IDS { DataType::Utf8 } else { DataType::LargeUtf8 };
    let ids = cast(&numbered.ids, &text).map_err(|error| Error::internal(format!("ids as texts: {error}")))?;
    RowIds::new(&[ids])
}

fn with_sources(numbered: &NumberedIds, sources: &[Vec<StringArray>], cancel: Cancel<'_>) -> Result<NumberedRecords> {
    let texts: Vec<Vec<&[u8]>> = sources.iter().map(|chunks| bytes_of(chunks)).collect();
    let slices: Vec<&[&[u8]]> = texts.iter().map(Vec::as_slice).collect();
    let names = number_texts(&slices, cancel)?;
    let keys: Vec<Vec<u64>> = names.columns.iter().zip(&numbered.columns).map(|(of, ids)| keys(of, ids)).collect();
    let slices: Vec<&[u64]> = keys.iter().map(Vec::as_slice).collect();
    let records = number_integers(&slices, cancel)?;
    let name = |bytes: &&[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(NumberedRecords {
        ids: row_ids(numbered)?,
        sources: names.ids.iter().map(name).collect(),
        records: records.ids.par_iter().map(|key| [(key >> 32) as u32, *key as u32]).collect(),
        columns: records.columns,
    })
}

/// Sources and ids as one number each, in their order.
fn keys(sources: &[u32], ids: &[u32]) -> Vec<u64> {
    sources.par_iter().zip(ids).map(|(source, id)| (u64::from(*source) << 32) | u64::from(*id)).collect()
}

fn bytes_of(chunks: &[StringArray]) -> Vec<&[u8]> {
    chunks.iter().flat_map(|names| (0..names.len()).map(move |row| names.value(row).as_bytes())).collect()
}

impl NumberedRecords {
    /// The records that some columns name, as rows.
    fn only(self, known: Range<usize>) -> Result<RecordRows> {
        let mut is_known = vec![false; self.records.len()];
        self.columns[known].iter().flatten().for_each(|record| is_known[*record as usize] = true);
        let mut rows = 0;
        let row_of: Vec<u32> = is_known.iter().map(|known| if *known { next(&mut rows) } else { NO_ROW }).collect();
        let kept: Vec<[u32; 2]> =
            self.records.iter().zip(&is_known).filter(|(_, known)| **known).map(|(r, _)| *r).collect();
        let mut columns = self.columns;
        columns.par_iter_mut().flatten().for_each(|record| *record = row_of[*record as usize]);
        if self.sources.is_empty() {
            let ids: Vec<u32> = kept.iter().map(|[_, id]| *id).collect();
            let ids = if ids.len() == self.ids.len() { self.ids } else { self.ids.keep(&ids)? };
            return Ok(RecordRows { ids, sources: Vec::new(), source_of: Vec::new(), columns });
        }
        let (mut parts, mut names, mut source_of) = (Vec::new(), Vec::new(), Vec::with_capacity(kept.len()));
        for of_source in kept.chunk_by(|a, b| a[0] == b[0]) {
            source_of.resize(source_of.len() + of_source.len(), names.len() as u32);
            names.push(self.sources[of_source[0][0] as usize].clone());
            parts.push(self.ids.keep(&of_source.iter().map(|[_, id]| *id).collect::<Vec<_>>())?);
        }
        let ids = if parts.is_empty() { self.ids.keep(&[])? } else { RowIds::join(&parts, &names)? };
        Ok(RecordRows { ids, sources: names, source_of, columns })
    }
}

/// The number, which is then one more.
fn next(number: &mut u32) -> u32 {
    *number += 1;
    *number - 1
}

impl RecordRows {
    /// What a row is called: `people:17`, or `17` where sources have no names.
    pub fn name(&self, row: u32) -> String {
        let id = self.ids.text(row as usize);
        match self.source_of.get(row as usize) {
            Some(source) => format!("{}:{id}", self.sources[*source as usize]),
            None => id,
        }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.ids.len() as u32
    }
}
