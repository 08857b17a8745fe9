//! The records of a job, as tables of pairs name them: by ids, and by the inputs that these are of.

use super::row_ids::RowIds;
use crate::rules::LinkType;

/// The ids of all records of a job, and the names of their inputs.
#[derive(Clone, Debug)]
pub struct RecordNames {
    pub ids: Vec<RowIds>,
    pub names: Vec<String>,
    pub link_type: LinkType,
    pub has_two_sides: bool,
}

/// The same, for all that look records up.
#[derive(Clone, Copy)]
pub struct NamedRecords<'a> {
    pub ids: &'a [RowIds],
    pub names: &'a [String],
    pub link_type: LinkType,
    pub has_two_sides: bool,
    /// Whether they are all records of the job; else pairs of others are passed over.
    pub are_all: bool,
}

impl RecordNames {
    /// All records of the job.
    pub fn all(&self) -> NamedRecords<'_> {
        let Self { ids, names, link_type, has_two_sides } = self;
        NamedRecords { ids, names, link_type: *link_type, has_two_sides: *has_two_sides, are_all: true }
    }
}
