//! Counts the candidates of two keys together.
//!
//! The records of each value of the first key lie side by side; within them, those with the same value of the second key
//! are counted. So the time is that of reading every record once, whatever the values are, and the memory that of the
//! records of one key.

use rayon::prelude::*;

use super::pair_count::{GroupSize, KeyCount};
use crate::cancel::Cancel;
use crate::memory::Held;
use crate::numbering::ByNumber;
use crate::records::encode::NULL;
use crate::rules::LinkType;

/// Records of a task, about.
const TASK: usize = 1 << 16;

/// Records of one value that are sorted rather than counted in a table.
const FEW: usize = 48;

/// Records that are grouped between two looks at whether the job shall stop.
const CHECKED: u32 = 1 << 20;

/// The records of each value of a key, side by side.
pub struct RecordGroups {
    /// Where the records of each value begin, and how many there are in all.
    starts: Vec<u32>,
    /// Records by value, those of one value ascending.
    rows: Vec<u32>,
    _held: Held,
}

/// The other key, and which records are of the second input.
pub struct OtherKey<'a> {
    /// The code of each record's value.
    pub codes: &'a [u32],
    /// The number of values.
    pub distinct: usize,
    /// The first record of the second input.
    pub border: u32,
    /// What the pairs are made of.
    pub link_type: LinkType,
}

impl RecordGroups {
    /// Groups records by the codes of their values.
    pub fn new(codes: &[u32], distinct: usize, cancel: Cancel<'_>) -> Self {
        let held = cancel.hold(4 * (codes.len() + 2 * distinct));
        let is_known = |(code, row): &(&u32, u32)| {
            if row.is_multiple_of(CHECKED) {
                cancel.check();
            }
            **code != NULL
        };
        let known = codes.iter().zip(0..).filter(is_known).map(|(code, row)| (*code as usize, row));
        let (starts, rows) = ByNumber::new(known, distinct).into_parts();
        Self { starts, rows, _held: held }
    }

    fn group(&self, value: usize) -> &[u32] {
        &self.rows[self.starts[value] as usize..self.starts[value + 1] as usize]
    }

    /// Counts the candidates of this key and another one together. Groups are named by the values of both.
    pub fn count(&self, other: &OtherKey<'_>, cancel: Cancel<'_>) -> KeyCount<(u32, u32)> {
        let tasks = self.rows.len().div_ceil(TASK).max(1);
        let ends = &self.starts[1..];
        let first_of = |task: usize| ends.partition_point(|end| (*end as usize) <= task * TASK);
        let of_task = |task: usize| {
            cancel.check();
            let last = if task + 1 == tasks { ends.len() } else { first_of(task + 1) };
            let first = if task == 0 { 0 } else { first_of(task) };
            let mut counter = GroupCounter::new(other, cancel);
            (first..last).for_each(|value| counter.add(value as u32, self.group(value)));
            counter.count
        };
        (0..tasks).into_par_iter().map(of_task).reduce(KeyCount::default, KeyCount::merged)
    }
}

/// Counts groups one after the other.
struct GroupCounter<'a> {
    other: &'a OtherKey<'a>,
    cancel: Cancel<'a>,
    count: KeyCount<(u32, u32)>,
    /// Codes of a small group, each with the input of its record.
    few: Vec<u64>,
    /// Records by code, for large groups; all zero between them.
    table: Vec<[u32; 2]>,
    held: Held,
}

impl<'a> GroupCounter<'a> {
    fn new(other: &'a OtherKey<'a>, cancel: Cancel<'a>) -> Self {
        let held = cancel.hold(0);
        Self { other, cancel, count: KeyCount::default(), few: Vec::new(), table: Vec::new(), held }
    }

    fn add(&mut self, value: u32, rows: &[u32]) {
        match rows {
            [] => {}
            [row] => {
                let code = self.other.codes[*row as usize];
                if code != NULL {
                    self.put(value, code, self.one(*row));
                }
            }
            _ if rows.len() <= FEW => self.add_few(value, rows),
            _ => self.add_many(value, rows),
        }
    }

    /// A record of the first or of the second input.
    fn one(&self, row: u32) -> GroupSize {
        if row < self.other.border { [1, 0] } else { [0, 1] }
    }

    fn put(&mut self, value: u32, code: u32, size: GroupSize) {
        self.count.add((value, code), size, self.other.link_type);
    }

    fn add_few(&mut self, value: u32, rows: &[u32]) {
        let mut few = std::mem::take(&mut self.few);
        few.clear();
        few.extend(rows.iter().filter_map(|row| {
            let code = self.other.codes[*row as usize];
            (code != NULL).then(|| u64::from(code) << 1 | u64::from(*row >= self.other.border))
        }));
        few.sort_unstable();
        for same in few.chunk_by(|a, b| a >> 1 == b >> 1) {
            let right = same.iter().map(|entry| entry & 1).sum();
            self.put(value, (same[0] >> 1) as u32, [same.len() as u64 - right, right]);
        }
        self.few = few;
    }

    fn add_many(&mut self, value: u32, rows: &[u32]) {
        if self.table.is_empty() {
            crate::cancel::or_end(self.held.reach(8 * self.other.distinct));
            self.table = vec![[0; 2]; self.other.distinct];
        }
        let (codes, border) = (self.other.codes, self.other.border);
        for some in rows.chunks(TASK) {
            self.cancel.check();
            for row in some {
                let code = codes[*row as usize];
                if code != NULL {
                    self.table[code as usize][usize::from(*row >= border)] += 1;
                }
            }
        }
        for some in rows.chunks(TASK) {
            self.cancel.check();
            for row in some {
                let code = codes[*row as usize];
                if code == NULL {
                    continue;
                }
                let size = std::mem::take(&mut self.table[code as usize]);
                if size != [0, 0] {
                    self.put(value, code, size.map(u64::from));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Counts by a map of both values.
    fn naive(a: &[u32], b: &[u32], border: u32, link_type: LinkType) -> KeyCount<(u32, u32)> {
        let mut groups: BTreeMap<(u32, u32), GroupSize> = BTreeMap::new();
        for (row, (a, b)) in a.iter().zip(b).enumerate().filter(|(_, (a, b))| **a != NULL && **b != NULL) {
            groups.entry((*a, *b)).or_default()[usize::from(row as u32 >= border)] += 1;
        }
        let mut count = KeyCount::default();
        groups.into_iter().for_each(|(group, size)| count.add(group, size, link_type));
        count
    }

    #[test]
    fn counts_are_those_of_a_map() {
        let code = |row: u32, seed: u32, values: u32, nulls: u32| {
            let hash = (row.wrapping_mul(2_654_435_761) ^ seed.wrapping_mul(40_503)).rotate_left(seed % 31) >> 3;
            if hash % 100 < nulls { NULL } else { (hash / 100) % values }
        };
        for (rows, first, second, nulls) in
            [(0, 3, 3, 0), (500, 7, 300, 10), (3000, 2, 3, 50), (70_000, 900, 4, 5), (2000, 1, 1, 0)]
        {
            let a: Vec<u32> = (0..rows).map(|row| code(row, 1, first, nulls)).collect();
            let b: Vec<u32> = (0..rows).map(|row| code(row, 2, second, nulls)).collect();
            let grouping = RecordGroups::new(&a, first as usize, Cancel::NEVER);
            for (border, link_type) in
                [(rows, LinkType::DedupeOnly), (rows / 3, LinkType::LinkOnly), (9, LinkType::LinkAndDedupe)]
            {
                let other = OtherKey { codes: &b, distinct: second as usize, border, link_type };
                assert_eq!(
                    grouping.count(&other, Cancel::NEVER),
                    naive(&a, &b, border, link_type),
                    "{rows} {link_type:?}"
                );
            }
        }
    }
}
