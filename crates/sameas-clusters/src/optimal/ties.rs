//! Of all choices with the largest sum the one that gives the first left records the lowest partners.
//!
//! Largest choices are those of *tight* edges, which prices meet exactly, with a partner for each record that has a price.
//! Each record gets a twin on the other side. A record without a price may be the partner of its twin, and the twins of the
//! two ends of a tight edge may be partners: then largest choices are the ways to give every record and every twin a
//! partner. In such a way a left record can have another partner exactly if there is a way back from that partner to its
//! present one: from a record to the one it has, and from there to any other that this one could have.
//!
//! Ways back are looked for from both ends, a step here and a step there: where many choices are equal, a search reaches many
//! records, and the two meet long before one of them has seen everything.

use sameas_core::numbering::ByNumber;

use super::assignment::Assignment;
use super::sides::MatchSides;
use crate::work_memory::WorkMemory;

/// For each left record its partner in the first of the largest choices.
pub(super) fn first_of_equals(sides: &MatchSides, assignment: Assignment, memory: &WorkMemory<'_>) -> Vec<Option<u32>> {
    let chosen = assignment.right_of.iter().flatten().count();
    let tight: usize = (0..sides.left.len()).map(|left| tight_edges(sides, &assignment, left).count()).sum();
    if tight == chosen {
        return assignment.right_of;
    }
    let mut twins = Twins::new(sides, &assignment);
    for left in 0..sides.left.len() as u32 {
        if twins.take_lowest(left) {
            memory.check();
        }
    }
    let rights = sides.right.len() as u32;
    twins.partner[..sides.left.len()].iter().map(|right| Some(*right).filter(|right| *right < rights)).collect()
}

/// The right ends of a left record's tight edges, ascending.
fn tight_edges<'a>(
    sides: &'a MatchSides,
    found: &'a Assignment,
    left: usize,
) -> impl Iterator<Item = u32> + Clone + use<'a> {
    let price = move |right: u32| u128::from(found.left_prices[left]) + u128::from(found.right_prices[right as usize]);
    let tight = sides.edges(left).iter().filter(move |edge| price(edge.right) == u128::from(edge.worth));
    tight.map(|edge| edge.right)
}

/// Left records and the twins of right ones; right records and the twins of left ones. Each left one has a right partner.
pub(super) struct Twins {
    /// The right ones that each left one could have; those of records ascend.
    possible: ByNumber<u32>,
    /// The left ones that could have each right one.
    could_have: ByNumber<u32>,
    partner: Vec<u32>,
    /// The left one of each right one.
    owner: Vec<u32>,
    /// Left records before this one keep what they have.
    first_open: u32,
    /// The partner that a left one would get on the way back.
    after: Vec<u32>,
    /// The right one before another one, in the search from a partner that a record could have.
    before: Vec<u32>,
    /// The last record for which a right one was reached from the partners that it could have, and from its present one. They are
    /// counted from 1.
    from_others: Vec<u32>,
    to_present: Vec<u32>,
}

impl Twins {
    /// Bytes for each edge: its ends and their twins are in two lists.
    pub(super) const BYTES_OF_EDGE: usize = 4 * size_of::<u32>();

    /// Bytes for each record, which is also a twin: in lists, with their bounds, in the six beside them, and in two that a search grows.
    pub(super) const BYTES_OF_RECORD: usize = (2 + 2 * 2 + 6 + 2 * 3) * size_of::<u32>();

    fn new(sides: &MatchSides, found: &Assignment) -> Self {
        let (lefts, rights) = (sides.left.len(), sides.right.len());
        let possible = ByNumber::new(possible_partners(sides, found), lefts + rights);
        let of_left = found.right_of.iter().zip(rights as u32..).map(|(right, twin)| right.unwrap_or(twin));
        let of_right = found.left_of.iter().zip(0..);
        let of_right = of_right.map(|(left, right)| left.map_or(right, |left| rights as u32 + left));
        Self::with_partners(possible, of_left.chain(of_right).collect())
    }

    fn with_partners(possible: ByNumber<u32>, partner: Vec<u32>) -> Self {
        let nodes = partner.len();
        let left_ones = |left: usize| possible.list(left).iter().map(move |right| (*right as usize, left as u32));
        let could_have = ByNumber::new((0..nodes).flat_map(left_ones), nodes);
        let mut owner = vec![0; nodes];
        (0..).zip(&partner).for_each(|(left, right)| owner[*right as usize] = left);
        let none = vec![0; nodes];
        let (after, before, from_others, to_present) = (none.clone(), none.clone(), none.clone(), none);
        Self { possible, could_have, partner, owner, first_open: 0, after, before, from_others, to_present }
    }

    /// Gives the first open left record the lowest partner that it can have, for good; says whether it has looked for another one.
    fn take_lowest(&mut self, left: u32) -> bool {
        self.first_open = left + 1;
        let present = self.partner[left as usize];
        let is_free = |right: &&u32| self.owner[**right as usize] >= left;
        let first = self.possible.list(left as usize).iter().find(is_free);
        if first == Some(&present) {
            return false;
        }
        // From these there is a way back to the present partner; the last ones have not been looked from.
        let (mut reached, mut next) = (vec![present], 0);
        self.to_present[present as usize] = self.first_open;
        for at in 0..self.possible.list(left as usize).len() {
            let right = self.possible.list(left as usize)[at];
            if right >= present {
                break;
            }
            if self.owner[right as usize] >= left && self.has_way_back(right, &mut reached, &mut next) {
                self.exchange(left, right, present);
                break;
            }
        }
        true
    }

    /// Whether there is a way back from a right one, by open left ones: then each of them knows what it would get.
    fn has_way_back(&mut self, start: u32, reached: &mut Vec<u32>, next: &mut usize) -> bool {
        let (query, mut open, mut looked) = (self.first_open, vec![start], 0);
        if self.to_present[start as usize] == query {
            return true;
        }
        // What was reached before from another one leads nowhere.
        if self.from_others[start as usize] == query {
            return false;
        }
        self.from_others[start as usize] = query;
        while looked < open.len() && *next < reached.len() {
            let met = self.step_back(reached[*next], reached).or_else(|| self.step_on(open[looked], &mut open));
            if let Some(meeting) = met {
                self.follow(start, meeting);
                return true;
            }
            (looked, *next) = (looked + 1, *next + 1);
        }
        false
    }

    /// Looks from a right one with a way back at those that lead to it; says where the other search has been.
    fn step_back(&mut self, right: u32, reached: &mut Vec<u32>) -> Option<u32> {
        for left in self.could_have.list(right as usize).iter().filter(|left| **left >= self.first_open) {
            let had = self.partner[*left as usize];
            if self.to_present[had as usize] != self.first_open {
                self.to_present[had as usize] = self.first_open;
                self.after[*left as usize] = right;
                reached.push(had);
                if self.from_others[had as usize] == self.first_open {
                    return Some(had);
                }
            }
        }
        None
    }

    /// Looks from a right one at those that its left one could have; says which of them has a way back.
    fn step_on(&mut self, right: u32, open: &mut Vec<u32>) -> Option<u32> {
        let owner = self.owner[right as usize];
        for other in self.possible.list(owner as usize) {
            let has_way_back = self.to_present[*other as usize] == self.first_open;
            let is_open = self.owner[*other as usize] >= self.first_open;
            if has_way_back || is_open && self.from_others[*other as usize] != self.first_open {
                self.from_others[*other as usize] = self.first_open;
                self.before[*other as usize] = right;
                open.push(*other);
                if has_way_back {
                    return Some(*other);
                }
            }
        }
        None
    }

    /// Has each left one on the way from a right one to the meeting of both searches know what it would get.
    fn follow(&mut self, start: u32, meeting: u32) {
        let mut right = meeting;
        while right != start {
            let before = self.before[right as usize];
            self.after[self.owner[before as usize] as usize] = right;
            right = before;
        }
    }

    /// Gives a left record another partner, and those on the way back the next one there.
    fn exchange(&mut self, left: u32, lowest: u32, present: u32) {
        let (mut giving, mut right) = (left, lowest);
        loop {
            let losing = std::mem::replace(&mut self.owner[right as usize], giving);
            self.partner[giving as usize] = right;
            if right == present {
                return;
            }
            (giving, right) = (losing, self.after[losing as usize]);
        }
    }
}

/// The right ones that left ones could have, each with the left one.
fn possible_partners<'a>(
    sides: &'a MatchSides,
    found: &'a Assignment,
) -> impl Iterator<Item = (usize, u32)> + Clone + use<'a> {
    let (lefts, rights) = (sides.left.len(), sides.right.len());
    let of_lefts = (0..lefts).flat_map(move |left| {
        let twin = (rights + left) as u32;
        let tight = tight_edges(sides, found, left);
        let of_both = tight.flat_map(move |right| [(left, right), (lefts + right as usize, twin)]);
        of_both.chain((found.left_prices[left] == 0).then_some((left, twin)))
    });
    let without_price = (0..rights).filter(move |right| found.right_prices[*right] == 0);
    of_lefts.chain(without_price.map(move |right| (lefts + right, right as u32)))
}
