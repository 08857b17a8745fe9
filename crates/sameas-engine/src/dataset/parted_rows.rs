//! Which records of a job the rows of its parts are, and which of their pairs are meant.
//!
//! The records of all parts are numbered together, in the order of their numbers among all records. So whatever depends on
//! that order, the left record of a pair, ties and the order of the output, is as in a run over all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::layout::RecordLayout;
use super::record_part::{PartInput, PartRole};
use crate::candidates::Rows;
use crate::error::{Error, Result};

/// A record of a part.
#[derive(Clone, Copy, Debug)]
struct PartedRow {
    /// Its number among all records of its input.
    number: u64,
    part: u32,
    role: PartRole,
}

/// The records of an input in all parts, in the order of their numbers.
pub(super) struct MergedRows {
    rows: Vec<PartedRow>,
    /// Which record of which part each is.
    pub order: Vec<(usize, usize)>,
}

impl MergedRows {
    /// Of an input of this name; nothing of it is in two parts.
    pub fn merge(name: &str, parts: &[&PartInput]) -> Result<Self> {
        parts.iter().try_for_each(|part| check(name, part))?;
        let (mut rows, mut order) = (Vec::new(), Vec::new());
        // The next record of each part: its number, the part, and its place there.
        let record = |part: usize, at: usize| Some(Reverse((*parts[part].rows.get(at)?, part, at)));
        let mut next: BinaryHeap<Reverse<(u64, usize, usize)>> =
            (0..parts.len()).filter_map(|part| record(part, 0)).collect();
        while let Some(Reverse((number, part, at))) = next.pop() {
            if next.peek().is_some_and(|Reverse(other)| other.0 == number) {
                return Err(Error::usage(format!("record {number} of `{name}` is in two parts"))
                    .with_help("give a record that is looked for across parts to one of them"));
            }
            rows.push(PartedRow { number, part: part as u32, role: parts[part].role(at) });
            order.push((part, at));
            next.extend(record(part, at + 1));
        }
        Ok(Self { rows, order })
    }

    /// The numbers of the records.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.rows.iter().map(|row| row.number)
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.rows[..])
    }

    /// The same without some of them, ascending by their places.
    pub fn without(mut self, left_out: &[u32]) -> Self {
        let mut at = 0;
        self.rows.retain(|_| {
            at += 1;
            left_out.binary_search(&(at - 1)).is_err()
        });
        self
    }
}

/// Every record needs a number, and the order of numbers must be that of records.
fn check(name: &str, part: &PartInput) -> Result<()> {
    let has_order = part.rows.windows(2).all(|two| two[0] < two[1]);
    if !has_order {
        return Err(Error::usage(format!("the row numbers of `{name}` must ascend in the order of the records"))
            .with_help("sort the records of a part by their numbers among all records"));
    }
    if part.rows.last().is_some_and(|last| *last >= i64::MAX as u64) {
        return Err(Error::usage(format!("a row number of `{name}` is 2^63 - 1 or more")));
    }
    let roles = part.roles.as_ref().map_or(part.rows.len(), Vec::len);
    if roles != part.rows.len() {
        let (rows, roles) = (part.rows.len(), roles);
        return Err(Error::usage(format!("`{name}` has {rows} row numbers, and {roles} roles were given")));
    }
    Ok(())
}

/// The rows of the parts of a job, by frame.
#[derive(Debug)]
pub struct PartedRows {
    frames: Vec<Vec<PartedRow>>,
    /// By part, its rows that may be left, and those that may be right.
    sides: Vec<[Rows; 2]>,
}

impl PartedRows {
    /// Of all inputs, which lie in frames as the layout says.
    pub(super) fn new(layout: &RecordLayout, parts: usize, inputs: Vec<MergedRows>) -> Self {
        let mut frames: Vec<Vec<PartedRow>> = vec![Vec::new(); layout.frames()];
        for (input, merged) in inputs.into_iter().enumerate() {
            frames[layout.frame_of(input)].extend(merged.rows);
        }
        let lefts = by_part(&frames[0], parts, PartRole::is_left);
        let rights = by_part(&frames[frames.len() - 1], parts, PartRole::is_right);
        let sides = lefts.into_iter().zip(rights).map(|(lefts, rights)| [lefts, rights]).collect();
        Self { frames, sides }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.sides.len()
    }

    /// The number of a left record among all of its input.
    pub fn left_number(&self, row: u32) -> u64 {
        self.left(row).number
    }

    /// The number of a right record among all of its input.
    pub fn right_number(&self, row: u32) -> u64 {
        self.right(row).number
    }

    /// The rows of a part that may be left, and those that may be right.
    pub fn of_part(&self, part: usize) -> [Rows; 2] {
        self.sides[part].clone()
    }

    /// The parts of two rows, if they may be left and right.
    pub fn parts_of(&self, (l, r): (u32, u32)) -> Option<[usize; 2]> {
        let (left, right) = (self.left(l), self.right(r));
        (left.role.is_left() && right.role.is_right()).then_some([left.part as usize, right.part as usize])
    }

    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        let sides = self.sides.iter().flatten().map(|rows| size_of_val(&rows[..])).sum::<usize>();
        sides + self.frames.iter().map(|frame| size_of_val(&frame[..])).sum::<usize>()
    }

    fn left(&self, row: u32) -> &PartedRow {
        &self.frames[0][row as usize]
    }

    fn right(&self, row: u32) -> &PartedRow {
        &self.frames[self.frames.len() - 1][row as usize]
    }
}

/// By part, the rows of a frame whose role is one of these.
fn by_part(frame: &[PartedRow], parts: usize, may_be: fn(PartRole) -> bool) -> Vec<Rows> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); parts];
    for (row, at) in frame.iter().zip(0..).filter(|(row, _)| may_be(row.role)) {
        rows[row.part as usize].push(at);
    }
    rows.into_iter().map(Rows::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Input;

    fn part(rows: &[u64]) -> PartInput {
        PartInput::new(Input::files(["t.csv"]), rows.to_vec())
    }

    #[test]
    fn records_of_parts_are_in_the_order_of_their_numbers() {
        const FAR: u64 = 1 << 40;
        let (a, b) = (part(&[1, 5, FAR]), part(&[0, 2, FAR + 7]));
        let merged = MergedRows::merge("t", &[&a, &b]).unwrap();
        assert_eq!(merged.numbers().collect::<Vec<u64>>(), [0, 1, 2, 5, FAR, FAR + 7]);
        assert_eq!(merged.order, [(1, 0), (0, 0), (1, 1), (0, 1), (0, 2), (1, 2)]);
        assert_eq!(merged.without(&[0, 4]).numbers().collect::<Vec<u64>>(), [1, 2, 5, FAR + 7]);
        let merged = MergedRows::merge("t", &[&part(&[4]), &a, &part(&[]), &b, &part(&[3])]).unwrap();
        assert_eq!(merged.numbers().collect::<Vec<u64>>(), [0, 1, 2, 3, 4, 5, FAR, FAR + 7]);
        assert_eq!(merged.order[..5], [(3, 0), (1, 0), (3, 1), (4, 0), (0, 0)]);
    }

    #[test]
    fn numbers_that_make_no_order_are_refused() {
        let refused = |parts: &[&PartInput]| MergedRows::merge("t", parts).err().unwrap().message().to_owned();
        assert!(refused(&[&part(&[0, 2, 2])]).contains("must ascend"));
        assert!(refused(&[&part(&[0, 3]), &part(&[1, 3])]).contains("record 3 of `t` is in two parts"));
        assert!(refused(&[&part(&[7]), &part(&[0, 3]), &part(&[7])]).contains("record 7 of `t` is in two parts"));
        assert!(refused(&[&part(&[u64::MAX])]).contains("2^63"));
        assert!(refused(&[&part(&[0, 3]).with_roles(vec![PartRole::Left])]).contains("1 roles were given"));
    }
}
