//! Why pairs were cut, in words of the records: what the file of cut pairs says.

use sameas_clusters::{CutCause, CutEdge};

use super::gathered::RowValues;
use super::rows::RecordRows;
use crate::engine::CutRecord;
use crate::rules::ClusterSpec;

/// What causes of cuts refer to.
#[derive(Clone, Copy)]
pub(super) struct CutWords<'a> {
    pub rows: &'a RecordRows,
    pub spec: &'a ClusterSpec,
    pub limits: &'a [RowValues],
}

/// What causes are called.
pub(super) const CAUSES: [&str; 7] = ["method", "max_size", "decided", "never", "one_to", "limit", "bridge"];

/// The place of a cause among these.
pub(super) fn place_of(cause: CutCause) -> usize {
    match cause {
        CutCause::Method => 0,
        CutCause::MaxSize => 1,
        CutCause::DecidedApart { .. } => 2,
        CutCause::Forbidden { .. } => 3,
        CutCause::OneTo { .. } => 4,
        CutCause::Limit { .. } => 5,
        CutCause::Bridge => 6,
    }
}

impl CutWords<'_> {
    /// What has refused a pair, where something has: two records, a source, or a limit and its value.
    pub fn because(&self, cause: CutCause) -> Option<String> {
        match cause {
            CutCause::Method | CutCause::MaxSize | CutCause::Bridge => None,
            CutCause::DecidedApart { pair: [a, b] } | CutCause::Forbidden { pair: [a, b] } => {
                Some(format!("{}, {}", self.rows.name(a), self.rows.name(b)))
            }
            CutCause::OneTo { source } => self.rows.sources.get(source as usize).cloned(),
            CutCause::Limit { limit, value } => {
                let (limit, values) = (&self.spec.limits[limit as usize], &self.limits[limit as usize]);
                let value = values.texts.get(value as usize).map_or("", String::as_str);
                Some(format!("{}: {value}", limit.expression))
            }
        }
    }
}

/// How many pairs were cut, by what has cut them.
pub(super) fn count_causes(cut: &[CutEdge]) -> CutRecord {
    let mut counts = [0; CAUSES.len()];
    cut.iter().for_each(|edge| counts[place_of(edge.cause)] += 1);
    let mut record = CutRecord::default();
    [record.method, record.max_size, record.decided, record.never, record.one_to, record.limit, record.bridge] = counts;
    record.pairs = cut.len() as u64;
    record
}
