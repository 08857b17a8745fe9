//! Records become rows, in the order of their sources and ids: never in that of their appearance.

use arrow_cast::cast;
use arrow_schema::DataType;
use rayon::prelude::*;

use super::interned::{InternedRecords, ListedIds, ListedPart, ListedRecords};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::ids::{IdColumn, NumberedIds, number_ids, of_one_kind};
use crate::numbering::{GrowingParts, number_integers};
use crate::records::RowIds;

/// The row of a record that is not known.
pub(super) const NO_ROW: u32 = u32::MAX;

/// From this many ids on, texts of them need longer places.
const MANY_IDS: usize = 100_000_000;

/// Bytes of a record while it becomes a row.
const BYTES_OF_RECORD: usize = 24;

/// The rows.
pub(super) struct RecordRows {
    /// The ids of the rows, with their sources if these are named.
    pub ids: RowIds,
    /// The sources, ascending; none where they are not named.
    pub sources: Vec<String>,
    /// The source of each row; empty where they are not named.
    pub source_of: Vec<u32>,
}

/// The rows of the codes of records, by the types of their ids.
pub(super) struct RowsOfCodes {
    types: Vec<RowsOfType>,
}

/// The rows of records whose ids have one type, or [`NO_ROW`], in the order in which they are listed.
struct RowsOfType {
    parts: Vec<ListedPart>,
    rows: Vec<u32>,
}

/// Records by number, in order, before it is asked which are known.
struct NumberedRecords {
    ids: RowIds,
    /// The names of sources, ascending; none where they have no names.
    sources: Vec<String>,
    /// The source and the id of each record, by number.
    records: Vec<[u32; 2]>,
    /// The numbers of the records that were listed, type by type.
    types: Vec<Vec<u32>>,
}

/// Makes rows of the records that are known.
pub(super) fn number_records(interned: InternedRecords, cancel: Cancel<'_>) -> Result<(RecordRows, RowsOfCodes)> {
    let ListedRecords { mut types, sources, _held } = interned.list()?;
    let column = |listed: &mut ListedIds| IdColumn {
        data_type: listed.data_type.clone(),
        chunks: std::mem::take(&mut listed.ids),
    };
    let columns = types.iter_mut().map(column).collect();
    let numbered = number_ids(&of_one_kind(columns)?, cancel)?;
    let _working = cancel.hold(BYTES_OF_RECORD * numbered.ids.len());
    let records = match sources {
        Some(names) => with_sources(&numbered, &names, &types, cancel)?,
        None => NumberedRecords {
            ids: row_ids(&numbered)?,
            sources: Vec::new(),
            records: (0..numbered.ids.len() as u32).map(|id| [0, id]).collect(),
            types: numbered.columns,
        },
    };
    records.only_known(types.into_iter().map(|listed| listed.parts).collect())
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

fn with_sources(
    numbered: &NumberedIds,
    names: &[String],
    types: &[ListedIds],
    cancel: Cancel<'_>,
) -> Result<NumberedRecords> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_unstable_by_key(|name| &names[*name]);
    let mut ranks = vec![0_u32; names.len()];
    order.iter().zip(0..).for_each(|(name, rank)| ranks[*name] = rank);
    // Sources and ids as one number each, in their order.
    let key = |(source, id): (&u32, &u32)| (u64::from(ranks[*source as usize]) << 32) | u64::from(*id);
    let of_type =
        |(listed, ids): (&ListedIds, &Vec<u32>)| -> Vec<u64> { listed.sources.par_iter().zip(ids).map(key).collect() };
    let keys: Vec<Vec<u64>> = types.iter().zip(&numbered.columns).map(of_type).collect();
    let slices: Vec<&[u64]> = keys.iter().map(Vec::as_slice).collect();
    let records = number_integers(&slices, cancel)?;
    Ok(NumberedRecords {
        ids: row_ids(numbered)?,
        sources: order.iter().map(|name| names[*name].clone()).collect(),
        records: records.ids.par_iter().map(|key| [(key >> 32) as u32, *key as u32]).collect(),
        types: records.columns,
    })
}

impl NumberedRecords {
    /// The records that are known, as rows.
    fn only_known(self, parts: Vec<Vec<ListedPart>>) -> Result<(RecordRows, RowsOfCodes)> {
        let mut is_known = vec![false; self.records.len()];
        for (parts, numbers) in parts.iter().zip(&self.types) {
            let known = parts.iter().flat_map(|part| &numbers[part.first..part.first + part.known]);
            known.for_each(|record| is_known[*record as usize] = true);
        }
        let mut rows = 0;
        let row_of: Vec<u32> = is_known.iter().map(|known| if *known { next(&mut rows) } else { NO_ROW }).collect();
        let mut types = self.types;
        types.par_iter_mut().flatten().for_each(|record| *record = row_of[*record as usize]);
        let types = parts.into_iter().zip(types).map(|(parts, rows)| RowsOfType { parts, rows }).collect();
        let kept: Vec<[u32; 2]> =
            self.records.iter().zip(&is_known).filter(|(_, known)| **known).map(|(r, _)| *r).collect();
        Ok((RecordRows::new(self.ids, &self.sources, &kept)?, RowsOfCodes { types }))
    }
}

/// The number, which is then one more.
fn next(number: &mut u32) -> u32 {
    *number += 1;
    *number - 1
}

impl RecordRows {
    /// Of the sources and the ids of records, in their order.
    fn new(ids: RowIds, names: &[String], records: &[[u32; 2]]) -> Result<Self> {
        let ids_of = |records: &[[u32; 2]]| records.iter().map(|[_, id]| *id).collect::<Vec<u32>>();
        if names.is_empty() {
            let ids = if records.len() == ids.len() { ids } else { ids.keep(&ids_of(records))? };
            return Ok(Self { ids, sources: Vec::new(), source_of: Vec::new() });
        }
        let (mut parts, mut sources, mut source_of) = (Vec::new(), Vec::new(), Vec::with_capacity(records.len()));
        for of_source in records.chunk_by(|a, b| a[0] == b[0]) {
            source_of.resize(source_of.len() + of_source.len(), sources.len() as u32);
            sources.push(names[of_source[0][0] as usize].clone());
            parts.push(ids.keep(&ids_of(of_source))?);
        }
        let ids = if parts.is_empty() { ids.keep(&[])? } else { RowIds::join(&parts, &sources)? };
        Ok(Self { ids, sources, source_of })
    }

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

impl RowsOfCodes {
    /// The row of a record, or [`NO_ROW`], by the place of the type of its ids and its code.
    #[inline]
    pub fn row(&self, type_place: usize, code: u32) -> u32 {
        let RowsOfType { parts, rows } = &self.types[type_place];
        let (part, number) = GrowingParts::place(code);
        rows[parts[part].first + number]
    }

    /// Puts rows in place of codes.
    pub fn renumber(&self, type_place: usize, codes: &mut [u32]) {
        codes.par_iter_mut().for_each(|code| *code = self.row(type_place, *code));
    }
}
