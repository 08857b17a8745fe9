//! A choice of edges with the largest sum, and the prices that prove it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::sides::{MatchSides, SideEdge};
use crate::work_memory::WorkMemory;

/// A distance that nothing has yet. No edge counts as much, so no price and no distance is as large.
const UNKNOWN: u64 = u64::MAX;

/// Left records between two looks at whether partners are still wanted.
const RECORDS_AT_A_TIME: usize = 1 << 8;

/// Chosen edges, and the price of each record.
pub(super) struct Assignment {
    /// The right record of each left one.
    pub(super) right_of: Vec<Option<u32>>,
    /// The left record of each right one.
    pub(super) left_of: Vec<Option<u32>>,
    pub(super) left_prices: Vec<u64>,
    pub(super) right_prices: Vec<u64>,
}

impl Assignment {
    /// Bytes for each edge while partners are looked for: records to look from, in a heap that has just grown.
    pub(super) const BYTES_OF_EDGE: usize = 3 * size_of::<Reverse<(u64, u32)>>();

    /// Bytes for each record: its partner and price, its distance, who is before it, and what a search has reached, in lists that
    /// have just grown.
    pub(super) const BYTES_OF_RECORD: usize =
        size_of::<Option<u32>>() + 2 * size_of::<u64>() + 4 * size_of::<u32>() + 3 * size_of::<(u32, u64)>();
}

/// The choice with the largest sum. Left records get a partner one after the other; each takes the way along which the
/// prices of others change least, and may leave itself or another left record without a partner.
pub(super) fn assign(sides: &MatchSides, memory: &WorkMemory<'_>) -> Assignment {
    let mut search = PriceSearch::new(sides);
    for left in 0..sides.left.len() {
        if left % RECORDS_AT_A_TIME == RECORDS_AT_A_TIME - 1 {
            memory.check();
        }
        search.place(left as u32);
    }
    search.found
}

/// Where a search ends.
#[derive(Clone, Copy)]
enum SearchEnd {
    /// At a left record that has no partner afterwards.
    Left(u32),
    /// At a right record that had none before.
    Right(u32),
}

struct PriceSearch<'a> {
    sides: &'a MatchSides,
    found: Assignment,
    /// The distance of each right record, and the left record before it.
    distances: Vec<u64>,
    before: Vec<u32>,
    /// Right records with a distance.
    seen: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'a> PriceSearch<'a> {
    fn new(sides: &'a MatchSides) -> Self {
        let (left, right) = (sides.left.len(), sides.right.len());
        let highest = |at: usize| sides.edges(at).iter().map(|edge| edge.worth).max().unwrap_or(0);
        let found = Assignment {
            right_of: vec![None; left],
            left_of: vec![None; right],
            left_prices: (0..left).map(highest).collect(),
            right_prices: vec![0; right],
        };
        let distances = vec![UNKNOWN; right];
        Self { sides, found, distances, before: vec![0; right], seen: Vec::new(), heap: BinaryHeap::new() }
    }

    /// Gives a left record a partner, where that makes the sum larger.
    fn place(&mut self, start: u32) {
        // What was reached, with its distance; every price there changes by what the end is farther away.
        let (mut lefts, mut rights) = (vec![(start, 0)], Vec::new());
        let (mut farthest, mut end) = (self.found.left_prices[start as usize], SearchEnd::Left(start));
        self.look_from(start, 0, farthest);
        while let Some(Reverse((distance, right))) = self.heap.pop() {
            if distance >= farthest {
                break;
            }
            if distance > self.distances[right as usize] {
                continue;
            }
            let Some(left) = self.found.left_of[right as usize] else {
                (farthest, end) = (distance, SearchEnd::Right(right));
                break;
            };
            rights.push((right, distance));
            lefts.push((left, distance));
            let without = distance.saturating_add(self.found.left_prices[left as usize]);
            if without < farthest {
                (farthest, end) = (without, SearchEnd::Left(left));
            }
            self.look_from(left, distance, farthest);
        }
        for (left, distance) in lefts {
            self.found.left_prices[left as usize] -= farthest - distance;
        }
        for (right, distance) in rights {
            self.found.right_prices[right as usize] += farthest - distance;
        }
        self.change_partners(start, end);
        self.seen.drain(..).for_each(|right| self.distances[right as usize] = UNKNOWN);
        self.heap.clear();
    }

    /// Looks from a left record, at a distance, at the right records that are nearer than the nearest end.
    fn look_from(&mut self, left: u32, distance: u64, farthest: u64) {
        let (sides, price) = (self.sides, self.found.left_prices[left as usize]);
        // Sums of prices may need one bit more.
        let to_left = u128::from(distance) + u128::from(price);
        for SideEdge { right, worth } in sides.edges(left as usize) {
            let known = &mut self.distances[*right as usize];
            let reached = to_left + u128::from(self.found.right_prices[*right as usize]) - u128::from(*worth);
            if reached < u128::from(farthest.min(*known)) {
                if *known == UNKNOWN {
                    self.seen.push(*right);
                }
                *known = reached as u64;
                self.before[*right as usize] = left;
                self.heap.push(Reverse((*known, *right)));
            }
        }
    }

    /// Gives each left record on the way from the start to the end the right record after it.
    fn change_partners(&mut self, start: u32, end: SearchEnd) {
        let mut next = match end {
            SearchEnd::Right(right) => Some(right),
            SearchEnd::Left(left) => self.found.right_of[left as usize].take(),
        };
        while let Some(right) = next {
            let left = self.before[right as usize];
            self.found.left_of[right as usize] = Some(left);
            next = self.found.right_of[left as usize].replace(right);
            if left == start {
                break;
            }
        }
    }
}
