//! Why pairs were cut, in words of the records: what the file of cut pairs says.

use sameas_clusters::CutCause;

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
                Some(format!("{}: {}", limit.expression, values.text(value)))
            }
        }
    }
}
