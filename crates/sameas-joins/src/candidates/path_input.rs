//! What an access path is made from.

use super::{Rows, Shape};
use crate::records::encode::Encoded;
use crate::threshold::{Check, Sides};

/// The checks of a program and what they read.
#[derive(Clone, Copy, Debug)]
pub struct JoinSource<'a> {
    /// One check for each predicate.
    pub checks: &'a [Check],
    /// What the checks read.
    pub encoded: &'a Encoded,
}

/// What a path is made from.
#[derive(Clone, Debug)]
pub struct PathInput<'a> {
    /// The checks and what they read.
    pub source: JoinSource<'a>,
    /// The left and the right records that take part, ascending.
    pub rows: [Rows; 2],
    /// Which pairs are pairs.
    pub shape: Shape,
    /// Bytes that an index takes at most, about.
    pub memory: usize,
}

impl PathInput<'_> {
    /// Whether the two sides of these operands are one list of values held by one list of rows.
    pub fn is_self_join(&self, operands: impl IntoIterator<Item = Sides<usize>>) -> bool {
        let one_operand = operands.into_iter().all(|o| o.left == o.right);
        self.shape == Shape::Triangle && one_operand && self.rows[0] == self.rows[1]
    }
}
