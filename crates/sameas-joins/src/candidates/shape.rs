//! The shape of a job's pairs.

/// Which pairs of rows are pairs at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every row of the left frame with every row of the right.
    Rectangle,
    /// Both frames are one; only pairs with the left row before the right.
    Triangle,
}
