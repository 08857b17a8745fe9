//! An order of values in which most steps lead forward, so that one sweep brings walks far: the reverse of the order in
//! which a depth-first search leaves the values.

use super::pairs::PairLists;

/// Values and their places in the order.
pub struct SweepOrder {
    ranks: Vec<u32>,
    values: Vec<u32>,
}

impl SweepOrder {
    /// The order for some steps.
    pub fn new(steps: &PairLists, domain: usize) -> Self {
        let mut values = Vec::with_capacity(domain);
        let mut is_entered = vec![false; domain];
        // Values on the way from the first to the current one, and how many of their steps were looked at.
        let mut way: Vec<(u32, u32)> = Vec::new();
        for first in 0..domain as u32 {
            if !std::mem::replace(&mut is_entered[first as usize], true) {
                way.push((first, 0));
            }
            while let Some((value, looked)) = way.last_mut() {
                if let Some(next) = steps.list(*value as usize).get(*looked as usize) {
                    *looked += 1;
                    if !std::mem::replace(&mut is_entered[*next as usize], true) {
                        way.push((*next, 0));
                    }
                } else {
                    values.push(*value);
                    way.pop();
                }
            }
        }
        values.reverse();
        let mut ranks = vec![0; domain];
        values.iter().enumerate().for_each(|(rank, value)| ranks[*value as usize] = rank as u32);
        Self { ranks, values }
    }

    /// The place of a value.
    #[inline]
    pub fn rank(&self, value: u32) -> u32 {
        self.ranks[value as usize]
    }

    /// The value at a place.
    #[inline]
    pub fn value(&self, rank: u32) -> u32 {
        self.values[rank as usize]
    }

    /// The places of all values, in the order of the values.
    pub fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The values in their order.
    pub fn values(&self) -> &[u32] {
        &self.values
    }
}
