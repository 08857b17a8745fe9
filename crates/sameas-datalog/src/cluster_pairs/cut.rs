//! Why pairs were cut, in words of the records: what the file of cut pairs says.

use std::collections::BTreeMap;

use sameas_clusters::{CutCause, CutEdge};

use super::gathered::RowValues;
use super::rows::RecordRows;
use crate::rules::ClusterSpec;

/// What causes of cuts refer to.
#[derive(Clone, Copy)]
pub(super) struct CutWords<'a> {
    pub rows: &'a RecordRows,
    pub spec: &'a ClusterSpec,
    pub limits: &'a [RowValues],
}

/// How a file writes a cause.
pub(super) fn cause_name(cause: CutCause) -> &'static str {
    match cause {
        CutCause::Method => "method",
        CutCause::MaxSize => "max_size",
        CutCause::DecidedApart { .. } => "decided",
        CutCause::Forbidden { .. } => "never",
        CutCause::OneTo { .. } => "one_to",
        CutCause::Limit { .. } => "limit",
        CutCause::Bridge => "bridge",
    }
}

impl CutWords<'_> {
    /// What has refused a pair, where something has: two records, a source, or a limit and its value.
    pub fn because(&self, cause: CutCause) -> Option<String> {
        match cause {
            CutCause::Method | CutCause::Bridge => None,
            CutCause::MaxSize => self.spec.max_size.map(|most| most.to_string()),
            CutCause::DecidedApart { pair: [a, b] } | CutCause::Forbidden { pair: [a, b] } => {
                Some(format!("{}, {}", self.rows.name(a), self.rows.name(b)))
            }
            CutCause::OneTo { source } => self.rows.sources.get(source as usize).cloned(),
            CutCause::Limit { limit, value } => {
                let (limit, values) = (&self.spec.limits[limit as usize], &self.limits[limit as usize]);
                let value = values.texts.get(value as usize).map_or("", String::as_str);
                Some(format!("{} {}: {value}", limit.counted.name(), limit.expression))
            }
        }
    }
}

/// How many pairs each cause has cut, by the name of the cause.
pub(super) fn count_causes(cut: &[CutEdge]) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for edge in cut {
        *counts.entry(cause_name(edge.cause)).or_insert(0) += 1;
    }
    counts
}
