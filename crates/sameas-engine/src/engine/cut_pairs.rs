//! The pairs between clusters, in order: the columns of pairs, with what has cut each and what was in the way.

use std::sync::Arc;

use arrow_array::{ArrayRef, UInt32Array};
use arrow_schema::{DataType, Field};

use super::cluster_record::CutRecord;
use super::connection::CutReason;
use super::largest_cluster::shown_id;
use crate::cluster::{CutCause, CutEdge, FoundClusters};
use crate::error::{Error, Result};
use crate::observer::Progress;
use crate::output::{ExtraColumns, PairSorter, PairTable, SortedPairs, repeated_texts, sort_kept};
use crate::pairs::{Pair, PairScore, ResultPairs};
use crate::records::{RowIds, dictionary, dictionary_field};
use crate::rules::LimitSpec;
use crate::scoring::ScoreColumns;
use crate::threshold::Check;
use crate::verify::Program;

/// The pairs between clusters.
pub(super) struct CutPairs {
    /// The pairs, with their scores.
    pub pairs: SortedPairs,
    /// What has cut each, in the same order.
    edges: Vec<CutEdge>,
    kept_apart: Option<u64>,
}

impl CutPairs {
    /// Sorts those of all pairs that a clustering has cut, which it gives away. Pairs below a threshold of clusters are none of
    /// them, whatever clusters they are in.
    pub fn sort(
        pairs: &SortedPairs,
        found: &mut FoundClusters,
        right_offset: u32,
        has_threshold: bool,
        sorter: PairSorter,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let edges = std::mem::take(&mut found.cut);
        let is_cut = |pair: &Pair, _: PairScore| {
            let rows = [pair.l, right_offset + pair.r];
            let [l, r] = rows.map(|row| found.roots[row as usize]);
            l != r && (!has_threshold || place_of(&edges, rows).is_some())
        };
        let pairs = sort_kept(pairs, &is_cut, &ResultPairs::default(), sorter, progress.cancel())?;
        Ok(Self { pairs, edges, kept_apart: found.kept_apart })
    }

    /// How many there are, by what has cut them.
    pub fn record(&self) -> CutRecord {
        CutRecord { kept_apart: self.kept_apart, ..CutRecord::count(&self.edges) }
    }
}

/// Makes the columns of pairs between clusters.
pub(super) struct CutColumns<'a> {
    pub cut: &'a CutPairs,
    /// What all pairs have.
    pub scores: ScoreColumns<'a>,
    /// The names of the inputs.
    pub sources: Vec<&'a str>,
    /// The ids of all records.
    pub ids: &'a RowIds,
    pub right_offset: u32,
    /// The limits, each with the equality of the values that it counts.
    pub limits: Vec<(&'a LimitSpec, usize)>,
}

/// The pairs between clusters as a table.
pub struct CutTable<'a> {
    pairs: PairTable<'a>,
    columns: CutColumns<'a>,
}

impl<'a> CutTable<'a> {
    /// A table of pairs, with what has cut each.
    pub(super) fn new(pairs: PairTable<'a>, columns: CutColumns<'a>) -> Self {
        Self { pairs, columns }
    }

    /// The same as any pairs are.
    pub fn as_pairs(&self) -> PairTable<'_> {
        let more: &dyn ExtraColumns = &self.columns;
        PairTable { more: Some(more), ..self.pairs }
    }
}

/// The place of the edge between two records.
fn place_of(edges: &[CutEdge], rows: [u32; 2]) -> Option<usize> {
    edges.binary_search_by_key(&rows, |edge| edge.rows).ok()
}

impl CutColumns<'_> {
    /// What has cut each of some pairs.
    fn causes(&self, pairs: &[Pair]) -> Result<Vec<CutCause>> {
        let (edges, mut next) = (&self.cut.edges, 0);
        let cause = |pair: &Pair| {
            let rows = [pair.l, self.right_offset + pair.r];
            // Both have one order: the edge of a pair comes after that of the pair before it.
            let is_next = edges.get(next).is_some_and(|edge| edge.rows == rows);
            let found = if is_next { Some(next) } else { place_of(edges, rows) };
            let at = found.ok_or_else(|| Error::internal("nothing has cut this pair"))?;
            next = at + 1;
            Ok(edges[at].cause)
        };
        pairs.iter().map(cause).collect()
    }

    /// What has cut the pair of two records, if anything has.
    pub fn reason(&self, records: [u32; 2]) -> Result<Option<CutReason>> {
        let Some(at) = place_of(&self.cut.edges, records) else { return Ok(None) };
        let cause = self.cut.edges[at].cause;
        Ok(Some(CutReason::new(cause.name(), self.because(cause)?)))
    }

    /// What was in the way, as text.
    fn because(&self, cause: CutCause) -> Result<Option<String>> {
        Ok(match cause {
            CutCause::Method | CutCause::MaxSize | CutCause::Bridge => None,
            CutCause::DecidedApart { pair: [a, b] } | CutCause::Forbidden { pair: [a, b] } => {
                Some(format!("{}, {}", shown_id(self.ids, a)?, shown_id(self.ids, b)?))
            }
            CutCause::OneTo { source } => self.sources.get(source as usize).map(|name| (*name).to_owned()),
            CutCause::Limit { limit, value } => self.limits.get(limit as usize).map(|(limit, equality)| {
                let value = limit_value(self.scores.program, *equality, value).unwrap_or_default();
                format!("{}: {value}", limit.expression)
            }),
        })
    }
}

/// The value with a number among those that the equality of a limit compares.
pub(super) fn limit_value(program: &Program, equality: usize, value: u32) -> Option<String> {
    let Check::Equal { operands, .. } = &program.checks[equality] else { return None };
    program.encoded.domain(operands.left).gather(std::iter::once(value)).shown(0)
}

impl ExtraColumns for CutColumns<'_> {
    fn fields(&self) -> Vec<Field> {
        let mut fields = self.scores.fields();
        fields.push(dictionary_field("cause", DataType::Utf8, false));
        fields.push(Field::new("because", DataType::Utf8, true));
        fields
    }

    fn columns(&self, pairs: &ResultPairs) -> Result<Vec<ArrayRef>> {
        let mut columns = self.scores.columns(pairs)?;
        let causes = self.causes(&pairs.pairs)?;
        let places = UInt32Array::from_iter_values(causes.iter().map(|cause| cause.place() as u32));
        columns.push(dictionary(places, &CutCause::NAMES.map(str::to_owned))?);
        columns.push(Arc::new(repeated_texts(causes.into_iter(), |cause| self.because(cause))?));
        Ok(columns)
    }
}
