//! The pairs between clusters, in order: the columns of pairs, with what has cut each and what was in the way.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray, UInt32Array};
use arrow_schema::{DataType, Field};

use super::cluster_record::CutRecord;
use super::connection::CutReason;
use super::largest_cluster::shown_id;
use super::second_sort::sort_kept;
use crate::cluster::{CutCause, CutEdge, FoundClusters};
use crate::error::{Error, Result};
use crate::observer::Progress;
use crate::output::{ExtraColumns, PairSorter, PairTable, SortedPairs};
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
    /// Sorts those of all pairs that a clustering has cut, which it gives away.
    pub fn sort(
        pairs: &SortedPairs,
        found: &mut FoundClusters,
        right_offset: u32,
        sorter: PairSorter,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let edges = std::mem::take(&mut found.cut);
        let is_cut = |pair: &Pair, _: PairScore| {
            let rows = [pair.l, right_offset + pair.r];
            let [l, r] = rows.map(|row| found.roots[row as usize]);
            l != r && edges.binary_search_by_key(&rows, |edge| edge.rows).is_ok()
        };
        let pairs = sort_kept(pairs, &is_cut, &ResultPairs::default(), sorter, progress)?;
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

impl CutColumns<'_> {
    fn cause(&self, pair: &Pair) -> Result<CutCause> {
        let rows = [pair.l, self.right_offset + pair.r];
        let found = self.cut.edges.binary_search_by_key(&rows, |edge| edge.rows);
        found.map(|at| self.cut.edges[at].cause).map_err(|_| Error::internal("nothing has cut this pair"))
    }

    /// What has cut the pair of two records, if anything has.
    pub fn reason(&self, records: [u32; 2]) -> Result<Option<CutReason>> {
        let found = self.cut.edges.binary_search_by_key(&records, |edge| edge.rows);
        let Some(edge) = found.ok().map(|at| self.cut.edges[at]) else { return Ok(None) };
        Ok(Some(CutReason::new(edge.cause.name(), self.because(edge.cause)?)))
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
        let causes = pairs.pairs.iter().map(|pair| self.cause(pair)).collect::<Result<Vec<CutCause>>>()?;
        let places = UInt32Array::from_iter_values(causes.iter().map(|cause| cause.place() as u32));
        columns.push(dictionary(places, &CutCause::NAMES.map(str::to_owned))?);
        let because = causes.iter().map(|cause| self.because(*cause)).collect::<Result<Vec<Option<String>>>>()?;
        columns.push(Arc::new(StringArray::from(because)));
        Ok(columns)
    }
}
