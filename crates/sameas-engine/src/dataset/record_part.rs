//! Parts of the records of a job: what one of several machines is given.

use crate::records::Input;

/// Some of the records of a job, of each of its inputs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecordPart {
    /// By input of the job.
    pub inputs: Vec<PartInput>,
}

/// Some of the records of an input.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartInput {
    /// Where they are read from. It has the name and the columns of the whole input.
    pub records: Input,
    /// The number of each among all records of the input, from 0 on, ascending. Numbers decide which record of a pair is the
    /// left one, and the order of pairs.
    pub rows: Vec<u64>,
    /// The places in a pair that each may take; nothing where all may take both.
    pub roles: Option<Vec<PartRole>>,
}

/// The places in a pair that a record of a part may take. A record that is given to several parts takes the left place in one of
/// them alone, so that each of its pairs is found once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartRole {
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// Either.
    Both,
}

impl RecordPart {
    /// A part with these records of each input.
    pub fn new(inputs: Vec<PartInput>) -> Self {
        Self { inputs }
    }
}

impl PartInput {
    /// Records with these numbers among all of their input.
    pub fn new(records: Input, rows: Vec<u64>) -> Self {
        Self { records, rows, roles: None }
    }

    /// The same, where each record may take these places in a pair.
    #[must_use]
    pub fn with_roles(self, roles: Vec<PartRole>) -> Self {
        Self { roles: Some(roles), ..self }
    }

    /// The place that the record at this place of the list may take.
    pub(super) fn role(&self, at: usize) -> PartRole {
        self.roles.as_ref().map_or(PartRole::Both, |roles| roles[at])
    }
}

impl PartRole {
    /// Whether it may be the left record.
    pub(super) fn is_left(self) -> bool {
        self != Self::Right
    }

    /// Whether it may be the right record.
    pub(super) fn is_right(self) -> bool {
        self != Self::Left
    }
}
