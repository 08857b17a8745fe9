//! Clusters of pairs, and the pairs that were cut, as tables.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::Float64Builder;
use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use sameas_clusters::{CutCause, CutEdge};

use super::cut::CutWords;
use super::gathered::RowValues;
use super::pair_rows::CutFacts;
use super::record::ClusterPairsRecord;
use super::rows::RecordRows;
use crate::error::Result;
use crate::output::{ClusterIdColumn, ClusterTable, plain_batch, plain_schema, repeated_texts};
use crate::records::{Input, broken, dictionary, dictionary_field};
use crate::rules::ClusterSpec;

/// Rows of a batch.
const BATCH_ROWS: usize = 1 << 16;

/// Clusters of pairs: each record with its cluster, and the pairs that were cut.
pub struct PairClusters {
    pub(super) rows: RecordRows,
    pub(super) spec: ClusterSpec,
    pub(super) limits: Vec<RowValues>,
    /// The first row of each row's cluster.
    pub(super) roots: Vec<u32>,
    /// The same at further thresholds.
    pub(super) more: Vec<ClusterIdColumn>,
    pub(super) cut: Vec<CutEdge>,
    pub(super) cut_facts: CutFacts,
    pub(super) record: ClusterPairsRecord,
    /// What was read.
    pub(super) inputs: Vec<Input>,
}

/// A table of [`PairClusters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairClusterTable {
    /// Each record once, in order: `unique_id`, and `cluster_id`, the id of the cluster's first record. Where sources have
    /// names, `source_dataset` is before the id. Further thresholds have a column each, such as `cluster_id_0.9`.
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
            PairClusterTable::Clusters => self.cluster_table().schema(),
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
        match table {
            PairClusterTable::Clusters => self.cluster_table().batch(schema, rows),
            PairClusterTable::Cut => {
                let columns = self.cut_columns(rows)?;
                RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| broken(&error))
            }
        }
    }

    pub(super) fn cluster_table(&self) -> ClusterTable<'_> {
        ClusterTable { rows: &self.rows.ids, roots: &self.roots, more: &self.more }
    }

    fn cut_schema(&self) -> SchemaRef {
        let mut fields = Vec::new();
        for side in ["l", "r"] {
            if self.rows.ids.has_sources() {
                fields.push(dictionary_field(&format!("source_dataset_{side}"), DataType::Utf8, false));
            }
            fields.push(self.rows.ids.field(&format!("unique_id_{side}")));
        }
        fields.extend(self.cut_facts.rules.iter().map(|_| dictionary_field("match_key", DataType::Utf8, false)));
        let score = |name: &String| Field::new(name, DataType::Float64, true);
        fields.extend(self.cut_facts.scored_by.iter().map(score));
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
        if let Some(rules) = &self.cut_facts.rules {
            columns.push(dictionary(UInt32Array::from(rules[rows.clone()].to_vec()), &self.cut_facts.rule_names)?);
        }
        if let Some(scores) = &self.cut_facts.scores {
            let mut known = Float64Builder::with_capacity(cut.len());
            scores[rows].iter().for_each(|score| known.append_option(Some(*score).filter(|score| !score.is_nan())));
            columns.push(Arc::new(known.finish()));
        }
        let words = CutWords { rows: &self.rows, spec: &self.spec, limits: &self.limits };
        let places = UInt32Array::from_iter_values(cut.iter().map(|edge| edge.cause.place() as u32));
        columns.push(dictionary(places, &CutCause::NAMES.map(str::to_owned))?);
        let causes = cut.iter().map(|edge| edge.cause);
        columns.push(Arc::new(repeated_texts(causes, |cause| Ok(words.because(cause)))?));
        Ok(columns)
    }
}

impl std::fmt::Debug for PairClusters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairClusters").field("record", &self.record).finish_non_exhaustive()
    }
}
