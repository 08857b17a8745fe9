//! A choice of edges with the largest sum, and the prices that prove it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::sides::{MatchSides, SideEdge};

/// A price or a distance that nothing has yet.
const UNKNOWN: i128 = i128::MAX;

/// Chosen edges, and the price of each record.
pub(super) struct Assignment {
    /// The right record of each left one.
    pub(super) right_of: Vec<Option<u32>>,
    /// The left record of each right one.
    pub(super) left_of: Vec<Option<u32>>,
    pub(super) left_prices: Vec<i128>,
    pub(super) right_prices: Vec<i128>,
}

/// The choice with the largest sum. Left records get a partner one after the other; each takes the way along which the
/// prices of others change least, and may leave itself or another left record without a partner.
pub(super) fn assign(sides: &MatchSides) -> Assignment {
    let mut search = PriceSearch::new(sides);
    (0..sides.left.len()).for_each(|left| search.place(left as u32));
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
    distances: Vec<i128>,
    before: Vec<u32>,
    /// Right records with a distance.
    seen: Vec<u32>,
    heap: BinaryHeap<Reverse<(i128, u32)>>,
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
            let without = distance + self.found.left_prices[left as usize];
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
    fn look_from(&mut self, left: u32, distance: i128, farthest: i128) {
        let (sides, price) = (self.sides, self.found.left_prices[left as usize]);
        for SideEdge { right, worth } in sides.edges(left as usize) {
            let known = &mut self.distances[*right as usize];
            let reached = distance + price + self.found.right_prices[*right as usize] - worth;
            if reached < farthest && reached < *known {
                if *known == UNKNOWN {
                    self.seen.push(*right);
                }
                *known = reached;
                self.before[*right as usize] = left;
                self.heap.push(Reverse((reached, *right)));
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
