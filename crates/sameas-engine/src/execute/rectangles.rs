//! The rows of a branch, cut where a pair must be of two of several inputs.
//!
//! A link of two inputs joins a rectangle of two frames; all other jobs have one frame with all inputs one after the
//! other, and join a triangle. A link of more than two inputs must not find pairs within an input, and must not pay for
//! them either: one of its inputs may be a thousand times as large as the others. So the inputs are cut into two halves
//! of about as many rows, those before the cut meet those after it, and each half is cut again. Two inputs are
//! separated by exactly one cut, so every pair across inputs is found once and no other is; a row is in about
//! log2(inputs) rectangles. Verifier, kernels and access paths know nothing of it.

use std::ops::Range;

use crate::candidates::{Rows, Shape};
use crate::verify::Program;

/// Left and right rows whose pairs are found by themselves.
pub struct Rectangle {
    /// Left and right rows, ascending.
    pub rows: [Rows; 2],
    /// Which of their pairs are meant.
    pub shape: Shape,
}

/// The rows of a branch as they are; or, where only pairs across several inputs count, the rectangles that have each of
/// these once and no other.
pub fn rectangles(program: &Program, rows: [Rows; 2], shape: Shape) -> Box<dyn Iterator<Item = Rectangle>> {
    let Some(inputs) = &program.across else { return Box::new(std::iter::once(Rectangle { rows, shape })) };
    // All rows before the cut are before all those after it, so that every pair is meant.
    let cut = move |[left, right]: [Range<u32>; 2]| Rectangle {
        rows: [within(&rows[0], &left), within(&rows[1], &right)],
        shape: Shape::Rectangle,
    };
    let has_pairs = |cut: &Rectangle| cut.rows.iter().all(|rows| !rows.is_empty());
    Box::new(inputs.rectangles().into_iter().map(cut).filter(has_pairs))
}

fn within(rows: &[u32], range: &Range<u32>) -> Rows {
    let place = |row: u32| rows.partition_point(|other| *other < row);
    Rows::from(rows[place(range.start)..place(range.end)].to_vec())
}
