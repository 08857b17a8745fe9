//! By what the work of an access path can be divided among parts of the records.

use crate::expr::Num;
use crate::threshold::Sides;

/// How records can be divided so that the candidates of a path are those of the parts, each once. Any division of the records is
/// possible for every path; keys and ranges save the pairs across parts.
#[derive(Clone, Debug)]
pub enum Parting {
    /// Records with equal values of these operands belong together, and a record without one of them has no pair: the pairs within
    /// each part are all.
    ///
    /// 1. A candidate has equal values of each key, the left record of its left operand and the right one of its right operand. So
    ///    the part of the left record's values is that of the right record's.
    /// 2. A left record has values of one part, so the candidate is found there and nowhere else.
    Keys(Vec<PartingKey>),
    /// A left record belongs to the part whose range has its number, and a right one to every part whose range is within `width` of
    /// its own.
    ///
    /// 1. The numbers of a candidate are within `width` of each other, so the right record belongs to the part of the left one.
    /// 2. A left record has one number and ranges do not overlap, so the candidate is found there and nowhere else.
    Ranges {
        /// The numbers of left and of right records; dates are numbers of days.
        operands: Sides<usize>,
        /// How far they may be apart at most.
        width: Num,
    },
    /// Any division of the records: within each part, and across each two.
    Rows,
}

/// A value that both records of a candidate have.
#[derive(Clone, Copy, Debug)]
pub struct PartingKey {
    /// Whose value it is.
    pub operands: Sides<usize>,
    /// Two nulls are equal.
    pub null_safe: bool,
}
