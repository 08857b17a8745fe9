//! Of all choices with the largest sum the one that gives the first left records the lowest partners.
//!
//! Largest choices are those of *tight* edges, which prices meet exactly, with a partner for each record that has a price.
//! Each record gets a twin on the other side. A record without a price may be the partner of its twin, and the twins of the
//! two ends of a tight edge may be partners: then largest choices are the ways to give every record and every twin a
//! partner. In such a way a left record can have another partner exactly if there is a way back from that partner to its
//! present one: from a record to the one it has, and from there to any other that this one could have.

use super::assignment::Assignment;
use super::sides::MatchSides;

/// For each left record its partner in the first of the largest choices.
pub(super) fn first_of_equals(sides: &MatchSides, assignment: Assignment) -> Vec<Option<u32>> {
    let chosen = assignment.right_of.iter().flatten().count();
    let tight: usize = (0..sides.left.len()).map(|left| tight_edges(sides, &assignment, left).count()).sum();
    if tight == chosen {
        return assignment.right_of;
    }
    let mut twins = Twins::new(sides, &assignment);
    (0..sides.left.len() as u32).for_each(|left| twins.take_lowest(left));
    let rights = sides.right.len() as u32;
    twins.partner[..sides.left.len()].iter().map(|right| Some(*right).filter(|right| *right < rights)).collect()
}

/// The right ends of a left record's tight edges, ascending.
fn tight_edges<'a>(sides: &'a MatchSides, found: &'a Assignment, left: usize) -> impl Iterator<Item = u32> + use<'a> {
    let is_tight = move |right: u32, worth: i128| found.left_prices[left] + found.right_prices[right as usize] == worth;
    sides.edges(left).iter().filter(move |edge| is_tight(edge.right, edge.worth)).map(|edge| edge.right)
}

/// Left records and the twins of right ones; right records and the twins of left ones. Each left one has a right partner.
struct Twins {
    /// The right ones that each left one could have, ascending.
    possible: Vec<Vec<u32>>,
    /// The left ones that could have each right one.
    could_have: Vec<Vec<u32>>,
    partner: Vec<u32>,
    /// The left one of each right one.
    owner: Vec<u32>,
    /// The partner that a left one would get on the way back.
    after: Vec<u32>,
    /// Whether the way back is known from a right one.
    is_reached: Vec<bool>,
    /// Left records before this one keep what they have.
    first_open: u32,
}

impl Twins {
    fn new(sides: &MatchSides, found: &Assignment) -> Self {
        let (lefts, rights) = (sides.left.len(), sides.right.len());
        let (twin_of_left, twin_of_right) = (|left: usize| (rights + left) as u32, |right: u32| lefts + right as usize);
        let mut possible = vec![Vec::new(); lefts + rights];
        for left in 0..lefts {
            for right in tight_edges(sides, found, left) {
                possible[left].push(right);
                possible[twin_of_right(right)].push(twin_of_left(left));
            }
            if found.left_prices[left] == 0 {
                possible[left].push(twin_of_left(left));
            }
        }
        for right in (0..rights as u32).filter(|right| found.right_prices[*right as usize] == 0) {
            possible[twin_of_right(right)].push(right);
        }
        let of_left = found.right_of.iter().enumerate().map(|(left, right)| right.unwrap_or(twin_of_left(left)));
        let of_right = found.left_of.iter().enumerate();
        let of_right = of_right.map(|(right, left)| left.map_or(right as u32, |left| twin_of_left(left as usize)));
        Self::with_partners(possible, of_left.chain(of_right).collect())
    }

    fn with_partners(possible: Vec<Vec<u32>>, partner: Vec<u32>) -> Self {
        let nodes = partner.len();
        let (mut could_have, mut owner) = (vec![Vec::new(); nodes], vec![0; nodes]);
        for (left, rights) in possible.iter().enumerate() {
            rights.iter().for_each(|right| could_have[*right as usize].push(left as u32));
            owner[partner[left] as usize] = left as u32;
        }
        let (after, is_reached) = (vec![0; nodes], vec![false; nodes]);
        Self { possible, could_have, partner, owner, after, is_reached, first_open: 0 }
    }

    /// Gives the first open left record the lowest partner that it can have, for good.
    fn take_lowest(&mut self, left: u32) {
        self.first_open = left + 1;
        let present = self.partner[left as usize];
        let is_free = |right: &&u32| self.owner[**right as usize] >= left;
        if self.possible[left as usize].iter().find(is_free) == Some(&present) {
            return;
        }
        let reached = self.reach(present);
        let lowest = self.possible[left as usize].iter().copied().find(|right| self.is_reached[*right as usize]);
        if let Some(lowest) = lowest.filter(|lowest| *lowest < present) {
            self.exchange(left, lowest, present);
        }
        reached.into_iter().for_each(|right| self.is_reached[right as usize] = false);
    }

    /// Finds the right ones from which there is a way back to this one, by open left ones.
    fn reach(&mut self, present: u32) -> Vec<u32> {
        let (mut reached, mut next) = (vec![present], 0);
        self.is_reached[present as usize] = true;
        while next < reached.len() {
            let right = reached[next];
            next += 1;
            for left in self.could_have[right as usize].iter().filter(|left| **left >= self.first_open) {
                let had = self.partner[*left as usize];
                if !self.is_reached[had as usize] {
                    self.is_reached[had as usize] = true;
                    self.after[*left as usize] = right;
                    reached.push(had);
                }
            }
        }
        reached
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
