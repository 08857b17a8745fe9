//! Writes `pairs`: one row for every pair, in output order.
//!
//! Columns: `unique_id_l`, `unique_id_r`, `match_key`; where the inputs have names, `source_dataset_l`, `unique_id_l`,
//! `source_dataset_r`, `unique_id_r`, `match_key`. Near pairs have `loosened`, too: the condition that they miss.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::{Pair, RowIds, SortedPairs, WriteOptions, write_table};
use crate::error::{Error, Result};
use crate::pairs::ResultPairs;
use crate::records::{broken, dictionary, dictionary_field};

/// The pairs and what their rows and rules are called.
#[derive(Clone, Copy)]
pub struct PairTable<'a> {
    /// The pairs.
    pub pairs: &'a SortedPairs,
    /// Ids of the rows that [`Pair::l`] counts.
    pub left: &'a RowIds,
    /// Ids of the rows that [`Pair::r`] counts; those of `left` in a dedupe.
    pub right: &'a RowIds,
    /// Names of the rules that [`Pair::rule`] counts.
    pub rules: &'a [String],
    /// Of near pairs, for each of these rules the condition that is loosened.
    pub loosened: Option<&'a [String]>,
    /// What else is known of pairs.
    pub more: Option<&'a dyn ExtraColumns>,
}

/// Columns that are made of pairs when they are written.
pub trait ExtraColumns: Sync {
    /// Their names and types.
    fn fields(&self) -> Vec<Field>;

    /// Their values for some pairs, with the scores that these carry.
    fn columns(&self, pairs: &ResultPairs) -> Result<Vec<ArrayRef>>;
}

/// Writes `pairs` and returns the flushed writer.
pub fn write_pairs<W: Write + Send>(out: W, table: &PairTable<'_>, options: &WriteOptions<'_>) -> Result<W> {
    if table.left.has_sources() != table.right.has_sources() {
        return Err(Error::internal("only one of two inputs has a name"));
    }
    let schema = table.schema();
    let len = table.pairs.len();
    let rows = options.format.chunk_rows(len);
    let make_chunk = |k: u64| table.batch(&schema, k * rows..len.min((k + 1) * rows));
    write_table(out, &schema, &[], len.div_ceil(rows), &make_chunk, options)
}

impl PairTable<'_> {
    /// The rows at these ranks of the output order.
    pub fn batch(&self, schema: &SchemaRef, ranks: Range<u64>) -> Result<RecordBatch> {
        let columns = self.columns(self.pairs.read_scored(ranks)?)?;
        RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| broken(&error))
    }

    /// Names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        let mut fields = Vec::new();
        for (side, ids) in [("l", self.left), ("r", self.right)] {
            if ids.has_sources() {
                fields.push(text_field(&format!("source_dataset_{side}")));
            }
            fields.push(ids.field(&format!("unique_id_{side}")));
        }
        fields.push(text_field("match_key"));
        fields.extend(self.loosened.map(|_| text_field("loosened")));
        fields.extend(self.more.iter().flat_map(|more| more.fields()));
        Arc::new(Schema::new(fields))
    }

    fn columns(&self, pairs: ResultPairs) -> Result<Vec<ArrayRef>> {
        let column = |part: fn(&Pair) -> u32| UInt32Array::from(pairs.pairs.iter().map(part).collect::<Vec<_>>());
        let rows = [column(|pair| pair.l), column(|pair| pair.r)];
        let rules = column(|pair| pair.rule);
        let more = self.more.map(|more| more.columns(&pairs)).transpose()?;
        drop(pairs);
        let mut columns = Vec::new();
        for (ids, rows) in [self.left, self.right].into_iter().zip(rows) {
            if ids.has_sources() {
                columns.push(ids.gather_sources(&rows)?);
            }
            columns.push(ids.gather(&rows)?);
        }
        if let Some(loosened) = self.loosened {
            columns.push(dictionary(rules.clone(), self.rules)?);
            columns.push(dictionary(rules, loosened)?);
        } else {
            columns.push(dictionary(rules, self.rules)?);
        }
        columns.extend(more.into_iter().flatten());
        Ok(columns)
    }
}

/// A column of few names, written by reference.
pub(super) fn text_field(name: &str) -> Field {
    dictionary_field(name, DataType::Utf8, false)
}

#[cfg(test)]
mod tests;
