//! Exact inspection of the partitions that can hold too many pairs: what makes the bound of a task a guarantee.
//!
//! 1. A task of a normal partition runs all its pairs, at most the product of its two sizes. A partition whose product
//!    exceeds the bound is inspected: it is laid out once, by exact keys, and gives no task of its own.
//! 2. A key of it with more than [`AREA`] pairs is cut into blocks of at most that area, like a sampled one.
//! 3. The other keys are collected into runs that end as soon as they reach [`AREA`] pairs, so a run has fewer than
//!    twice as many.
//!
//! So no task exceeds the bound, whatever the sample missed. Each key lies in one partition and there in one run or one
//! product, so no pair is lost or repeated.

use std::ops::Range;

use super::blocks::{AREA, Product};
use super::key::{HashSplit, Key};
use super::layout::Layout;
use super::source::Tuple;

/// The payloads of one key, as ranges of the inspected lists.
pub struct KeyGroup {
    pub left: Range<usize>,
    pub right: Range<usize>,
    pub product: Product,
}

/// A partition laid out for good. In a self-join the right list is empty and right ranges are left ranges.
#[derive(Default)]
pub struct Inspected {
    pub left: Vec<u32>,
    pub right: Vec<u32>,
    /// The keys of moderate size.
    pub groups: Vec<KeyGroup>,
    /// Which groups make up a task.
    pub runs: Vec<Range<usize>>,
    /// The keys to be cut.
    pub heavy: Vec<KeyGroup>,
}

impl Inspected {
    /// Inspects a partition of a join of two sides, or of one with itself.
    pub fn new<K: Key>(
        left: &[Tuple<K>],
        right: Option<&[Tuple<K>]>,
        split: HashSplit,
        layout: &mut Layout<K>,
    ) -> Self {
        let mut inspected = Self::default();
        match right {
            Some(right) => layout.meet(left, right, split, |left, right| {
                let product = Product::Rectangle(left.len(), right.len());
                let (left, right) = (append(&mut inspected.left, left), append(&mut inspected.right, right));
                inspected.add(KeyGroup { left, right, product });
            }),
            None => layout.repeat(left, split, |entries| {
                let range = append(&mut inspected.left, entries);
                inspected.add(KeyGroup {
                    left: range.clone(),
                    right: range,
                    product: Product::Triangle(entries.len()),
                });
            }),
        }
        inspected.cut_runs();
        inspected
    }

    fn add(&mut self, group: KeyGroup) {
        let heavy = group.product.pairs() > AREA as u64;
        if heavy { self.heavy.push(group) } else { self.groups.push(group) }
    }

    fn cut_runs(&mut self) {
        let (mut start, mut pairs) = (0, 0);
        for (at, group) in self.groups.iter().enumerate() {
            pairs += group.product.pairs();
            if pairs >= AREA as u64 || at + 1 == self.groups.len() {
                self.runs.push(start..at + 1);
                (start, pairs) = (at + 1, 0);
            }
        }
    }

    /// The lists of a group.
    pub fn lists(&self, group: &KeyGroup) -> (&[u32], &[u32]) {
        let right = if matches!(group.product, Product::Triangle(_)) { &self.left } else { &self.right };
        (&self.left[group.left.clone()], &right[group.right.clone()])
    }

    /// Pairs of all groups.
    pub fn pairs(&self) -> u64 {
        self.groups.iter().chain(&self.heavy).map(|group| group.product.pairs()).sum()
    }
}

/// Appends a list to another; returns where it lies.
fn append(list: &mut Vec<u32>, entries: &[u32]) -> Range<usize> {
    let start = list.len();
    list.extend_from_slice(entries);
    start..list.len()
}
