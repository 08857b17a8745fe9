//! Which pairs of which rows are looked for.

use crate::candidates::{Rows, Shape};

/// Rows whose pairs are looked for: all of a job, or some.
#[derive(Clone, Debug)]
pub struct JoinScope {
    /// Left and right rows, ascending. No pair is one of two of these.
    pub sides: Vec<[Rows; 2]>,
    /// Which of their pairs are meant.
    pub shape: Shape,
}

impl JoinScope {
    /// All of this many left and right records.
    pub fn all(rows: [u32; 2], shape: Shape) -> Self {
        Self::only(Rows::of_sides(rows), shape)
    }

    /// These left and right records alone.
    pub fn only(rows: [Rows; 2], shape: Shape) -> Self {
        Self { sides: vec![rows], shape }
    }

    /// These left and right records of two parts: the pairs that have one record in each. Where both sides are one frame, the
    /// rows of the parts are numbered together, and the pairs whose left record is in the one and those whose left record is in the
    /// other have none in common.
    pub fn across([[lefts, rights], [other_lefts, other_rights]]: [[Rows; 2]; 2], shape: Shape) -> Self {
        Self { sides: vec![[lefts, other_rights], [other_lefts, rights]], shape }
    }

    /// How many bits the numbers of left and of right rows have at most, and at least one.
    pub fn row_bits(&self) -> [u32; 2] {
        let last = |side: usize| self.sides.iter().filter_map(|rows| rows[side].last()).max().copied().unwrap_or(0);
        [0, 1].map(|side| (u32::BITS - last(side).leading_zeros()).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_last_row() {
        let bits = |rows: [u32; 2]| JoinScope::all(rows, Shape::Rectangle).row_bits();
        assert_eq!([bits([0, 0]), bits([1, 2]), bits([3, 256]), bits([257, 4])], [[1, 1], [1, 1], [2, 8], [9, 2]]);
        let some = JoinScope::only([Rows::from(vec![2, 9]), Rows::from(vec![70])], Shape::Triangle);
        assert_eq!((some.row_bits(), some.sides.len()), ([4, 7], 1));
        let more = JoinScope { sides: vec![some.sides[0].clone(), Rows::of_sides([33, 3])], ..some };
        assert_eq!(more.row_bits(), [6, 7]);
    }
}
