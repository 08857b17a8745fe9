//! Clusters of pairs, and the pairs that were cut, as tables.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::Float64Builder;
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use sameas_clusters::CutEdge;

use super::cut::{CutWords, cause_name};
use super::gathered::RowValues;
use super::pair_list::CutPairs;
use super::record::ClusterPairsRecord;
use super::rows::RecordRows;
use crate::error::Result;
use crate::output::{ClusterTable, plain_batch, plain_schema};
use crate::records::{Input, broken, dictionary, dictionary_field};
use crate::rules::ClusterSpec;

/// Rows of a batch.
const BATCH_ROWS: usize = 1 << 16;

/// Clusters of pairs: each record with its cluster, and the pairs that were cut.
pub struct PairClusters {
    pub(super) rows: RecordRows,
    pub(super) spec: ClusterSpec,
    pub(super) limits: Vec<RowValues>,
    pub(super) columns: Vec<ClusterColumn>,
    pub(super) cut: Vec<CutEdge>,
    pub(super) cut_pairs: CutPairs,
    pub(super) record: ClusterPairsRecord,
    /// What was read.
    pub(super) inputs: Vec<Input>,
}

/// The clusters at a threshold, or at none.
pub(super) struct ClusterColumn {
    /// What the column is called.
    pub name: String,
    pub threshold: Option<f64>,
    /// The first row of each row's cluster.
    pub first_rows: Vec<u32>,
}

/// A table of [`PairClusters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairClusterTable {
    /// Each record once, in order: `unique_id`, and `cluster_id`, the id of the cluster's first record. Where sources have
    /// names, `source_dataset` is before the id. Of several thresholds each has a column, such as `cluster_id_0.9`.
    Clusters,
    /// The pairs whose records are in different clusters, in order, and why: `cause`, and in `because` what has refused them.
    Cut,
}

impl PairClusters {
    /// What was clustered, how, and what came of it.
    pub fn record(&self) -> &ClusterPairsRecord {
        &self.record
    }

    /// The rows of a table.
    pub fn rows(&self, table: PairClusterTable) -> u64 {
        match table {
            PairClusterTable::Clusters => u64::from(self.rows.count()),
            PairClusterTable::Cut => self.cut.len() as u64,
        }
    }

    /// The columns of a table.
    pub fn schema(&self, table: PairClusterTable) -> SchemaRef {
        plain_schema(&self.written_schema(table))
    }

    /// The rows of a table in order, some tens of thousands at a time. An error of the sink ends it.
    pub fn read(&self, table: PairClusterTable, sink: &mut dyn FnMut(RecordBatch) -> Result<()>) -> Result<()> {
        let (written, plain) = (self.written_schema(table), self.schema(table));
        let rows = self.rows(table) as usize;
        for first in (0..rows).step_by(BATCH_ROWS) {
            let batch = self.written_batch(table, &written, first..rows.min(first + BATCH_ROWS))?;
            sink(plain_batch(&batch, &plain)?)?;
        }
        Ok(())
    }

    /// The columns of a table as files have them: what repeats is referred to.
    pub(super) fn written_schema(&self, table: PairClusterTable) -> SchemaRef {
        match table {
            PairClusterTable::Clusters => self.clusters_schema(),
            PairClusterTable::Cut => self.cut_schema(),
        }
    }

    /// Some rows of a table, with these columns.
    pub(super) fn written_batch(
        &self,
        table: PairClusterTable,
        schema: &SchemaRef,
        rows: Range<usize>,
    ) -> Result<RecordBatch> {
        let columns = match table {
            PairClusterTable::Clusters => self.cluster_columns(rows)?,
            PairClusterTable::Cut => self.cut_columns(rows)?,
        };
        RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| broken(&error))
    }

    fn table<'a>(&'a self, column: &'a ClusterColumn) -> ClusterTable<'a> {
        ClusterTable { rows: &self.rows.ids, roots: &column.first_rows }
    }

    /// The columns of one clustering have the usual names; the last one is renamed and repeated for each.
    fn clusters_schema(&self) -> SchemaRef {
        let mut fields: Vec<Field> = Vec::new();
        for (at, column) in self.columns.iter().enumerate() {
            let schema = self.table(column).schema();
            let (cluster, others) =
                schema.fields().split_last().map_or((None, &[][..]), |(last, all)| (Some(last), all));
            if at == 0 {
                fields.extend(others.iter().map(|field| field.as_ref().clone()));
            }
            fields.extend(cluster.map(|field| field.as_ref().clone().with_name(&column.name)));
        }
        Arc::new(Schema::new(fields))
    }

    fn cluster_columns(&self, rows: Range<usize>) -> Result<Vec<ArrayRef>> {
        let mut columns = Vec::new();
        for (at, column) in self.columns.iter().enumerate() {
            let table = self.table(column);
            let mut of_table = table.batch(&table.schema(), rows.clone())?.columns().to_vec();
            let cluster = of_table.pop();
            columns.extend(of_table.into_iter().filter(|_| at == 0));
            columns.extend(cluster);
        }
        Ok(columns)
    }

    fn cut_schema(&self) -> SchemaRef {
        let mut fields = Vec::new();
        for side in ["l", "r"] {
            if self.rows.ids.has_sources() {
                fields.push(dictionary_field(&format!("source_dataset_{side}"), DataType::Utf8, false));
            }
            fields.push(self.rows.ids.field(&format!("unique_id_{side}")));
        }
        fields.extend(self.cut_pairs.rules.iter().map(|_| dictionary_field("match_key", DataType::Utf8, false)));
        let score = |name: &String| Field::new(name, DataType::Float64, true);
        fields.extend(self.cut_pairs.scored_by.iter().map(score));
        fields.push(dictionary_field("cause", DataType::Utf8, false));
        fields.push(Field::new("because", DataType::Utf8, true));
        Arc::new(Schema::new(fields))
    }

    fn cut_columns(&self, rows: Range<usize>) -> Result<Vec<ArrayRef>> {
        let (ids, cut) = (&self.rows.ids, &self.cut[rows.clone()]);
        let mut columns: Vec<ArrayRef> = Vec::new();
        for side in 0..2 {
            let ends = UInt32Array::from_iter_values(cut.iter().map(|edge| edge.rows[side]));
            if ids.has_sources() {
                columns.push(ids.gather_sources(&ends)?);
            }
            columns.push(ids.gather(&ends)?);
        }
        if let Some(rules) = &self.cut_pairs.rules {
            columns.push(dictionary(UInt32Array::from(rules[rows.clone()].to_vec()), &self.cut_pairs.rule_names)?);
        }
        if let Some(scores) = &self.cut_pairs.scores {
            let mut known = Float64Builder::with_capacity(cut.len());
            scores[rows].iter().for_each(|score| known.append_option(Some(*score).filter(|score| !score.is_nan())));
            columns.push(Arc::new(known.finish()));
        }
        let words = CutWords { rows: &self.rows, spec: &self.spec, limits: &self.limits };
        columns.push(causes(cut)?);
        columns.push(Arc::new(StringArray::from_iter(cut.iter().map(|edge| words.because(edge.cause)))));
        Ok(columns)
    }
}

/// The causes of cuts, by reference.
fn causes(cut: &[CutEdge]) -> Result<ArrayRef> {
    let mut names: Vec<&str> = cut.iter().map(|edge| cause_name(edge.cause)).collect();
    names.sort_unstable();
    names.dedup();
    let place = |edge: &CutEdge| names.binary_search(&cause_name(edge.cause)).unwrap_or_default() as u32;
    let keys = UInt32Array::from_iter_values(cut.iter().map(place));
    dictionary(keys, &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
}

impl std::fmt::Debug for PairClusters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairClusters").field("record", &self.record).finish_non_exhaustive()
    }
}
