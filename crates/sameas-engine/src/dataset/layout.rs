//! Where the records of a dataset lie: in frames, one input after the other.

use crate::candidates::Shape;
use crate::records::InputRows;
use crate::rules::{LinkType, RuleSet, has_two_sides};

/// How the records of inputs lie in frames: those of a link of two inputs in two, all others in one, one input after the
/// other. Records are numbered through all inputs.
#[derive(Clone, Debug)]
pub struct RecordLayout {
    link_type: LinkType,
    has_two_sides: bool,
    /// Records of each input.
    inputs: Vec<u32>,
}

impl RecordLayout {
    /// The records of inputs with these numbers of them, for the pairs that rules make.
    pub fn new(rules: &RuleSet, inputs: Vec<u32>) -> Self {
        Self::for_link_type(rules.link_type, inputs)
    }

    /// The same for pairs of this kind.
    pub(super) fn for_link_type(link_type: LinkType, inputs: Vec<u32>) -> Self {
        Self { link_type, has_two_sides: has_two_sides(link_type, inputs.len()), inputs }
    }

    /// The same for some of the records: this many of each input.
    pub(super) fn with_inputs(&self, inputs: Vec<u32>) -> Self {
        Self { inputs, ..self.clone() }
    }

    /// What pairs are made of.
    pub fn link_type(&self) -> LinkType {
        self.link_type
    }

    /// Whether each side of a pair is one input, in a frame of its own.
    pub fn has_two_sides(&self) -> bool {
        self.has_two_sides
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        if self.has_two_sides { 2 } else { 1 }
    }

    /// The frame of an input.
    pub fn frame_of(&self, input: usize) -> usize {
        if self.has_two_sides { input } else { 0 }
    }

    /// Records of each input.
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }

    /// Records of all inputs.
    pub fn records(&self) -> u64 {
        self.inputs.iter().map(|rows| u64::from(*rows)).sum()
    }

    /// Rows of the left and of the right frame.
    pub fn rows(&self) -> [u32; 2] {
        match (self.has_two_sides, &self.inputs[..]) {
            (true, [left, right]) => [*left, *right],
            _ => [self.records() as u32; 2],
        }
    }

    /// The first record of each input after the first.
    pub fn borders(&self) -> Vec<u32> {
        let end = |sum: &mut u32, rows: &u32| {
            *sum += rows;
            Some(*sum)
        };
        let mut ends: Vec<u32> = self.inputs.iter().scan(0, end).collect();
        ends.pop();
        ends
    }

    /// The rows of each input where they lie in one frame and only pairs of different inputs count.
    pub fn across(&self) -> Option<InputRows> {
        let is_across = self.link_type == LinkType::LinkOnly && !self.has_two_sides;
        is_across.then(|| InputRows::new([0].into_iter().chain(self.borders()), self.rows()[0]))
    }

    /// Which pairs of a left and a right row are pairs of records.
    pub fn shape(&self) -> Shape {
        if self.has_two_sides { Shape::Rectangle } else { Shape::Triangle }
    }

    /// All pairs of records there are.
    pub fn pairs(&self) -> u64 {
        let [left, right] = self.rows().map(u64::from);
        match (self.shape(), self.across()) {
            (_, Some(inputs)) => inputs.pairs_across(),
            (Shape::Rectangle, None) => left * right,
            (Shape::Triangle, None) => left * left.saturating_sub(1) / 2,
        }
    }

    /// What is added to the right row of a pair to number all records.
    pub fn right_offset(&self) -> u32 {
        if self.has_two_sides { self.rows()[0] } else { 0 }
    }

    /// The frame and the row of a record.
    pub fn place(&self, record: u32) -> (usize, u32) {
        match self.inputs.first() {
            Some(left) if self.has_two_sides && record >= *left => (1, record - left),
            _ => (0, record),
        }
    }

    /// The input of a row of a frame, and the row in it; `borders` are [those](Self::borders) of the inputs.
    pub fn input_row(&self, borders: &[u32], frame: usize, row: u32) -> (usize, u32) {
        if self.has_two_sides {
            return (frame, row);
        }
        let input = borders.partition_point(|border| *border <= row);
        (input, if input == 0 { row } else { row - borders[input - 1] })
    }

    /// The number of a row of an input.
    pub fn record(&self, input: usize, row: u32) -> u32 {
        self.inputs[..input].iter().sum::<u32>() + row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(link_type: LinkType, inputs: &[u32]) -> RecordLayout {
        RecordLayout::for_link_type(link_type, inputs.to_vec())
    }

    #[test]
    fn a_link_of_two_inputs_has_two_frames() {
        let link = layout(LinkType::LinkOnly, &[3, 4]);
        assert_eq!((link.frames(), link.rows(), link.records(), link.borders()), (2, [3, 4], 7, vec![3]));
        assert_eq!([0, 2, 3, 6].map(|record| link.place(record)), [(0, 0), (0, 2), (1, 0), (1, 3)]);
        assert!(link.across().is_none());
        assert_eq!([link.frame_of(0), link.frame_of(1)], [0, 1]);
        assert_eq!(link.input_row(&[3], 1, 3), (1, 3));
        assert_eq!((link.shape(), link.pairs()), (Shape::Rectangle, 12));
    }

    #[test]
    fn all_others_have_one() {
        let both = layout(LinkType::LinkAndDedupe, &[3, 4]);
        assert_eq!((both.frames(), both.rows(), both.borders()), (1, [7, 7], vec![3]));
        assert!(both.across().is_none() && both.place(5) == (0, 5));
        assert_eq!((both.shape(), both.pairs()), (Shape::Triangle, 21));
        let three = layout(LinkType::LinkOnly, &[3, 0, 4]);
        assert_eq!((three.frames(), three.rows(), three.borders()), (1, [7, 7], vec![3, 3]));
        assert_eq!((three.across().unwrap().pairs_across(), three.pairs()), (12, 12));
        assert_eq!((three.record(0, 2), three.record(2, 1)), (2, 4));
        assert_eq!([0, 2, 3, 6].map(|row| three.input_row(&[3, 3], 0, row)), [(0, 0), (0, 2), (2, 0), (2, 3)]);
        let one = layout(LinkType::DedupeOnly, &[5]);
        assert!(one.borders().is_empty() && one.rows() == [5, 5]);
        assert_eq!((one.pairs(), layout(LinkType::DedupeOnly, &[0]).pairs()), (10, 0));
    }
}
