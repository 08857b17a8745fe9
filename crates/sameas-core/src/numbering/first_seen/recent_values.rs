//! Recognises most repetitions of a value, in constant memory: for each slot the last two values that fell into it.
//!
//! A hash table of all values would recognise every repetition, but it grows, and leaves the nearer caches. Frequent
//! values stay in their slots, so no value is passed on more often than it is new or rare; what is passed on twice costs
//! time alone, because dictionaries recognise it later.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;

/// The hash of a value's bytes, the same on every run.
#[inline]
pub fn hash_of(bytes: &[u8]) -> u64 {
    FixedState::default().hash_one(bytes)
}

/// A number that no value has.
const FREE: u32 = u32::MAX;

/// The numbers of the last two values in each slot, the later first, with other bits of their hashes than those that
/// chose the slot. With one value a slot, two frequent ones in one slot would take turns for ever.
pub struct RecentValues {
    slots: Vec<[(u32, u32); 2]>,
}

impl RecentValues {
    /// With 2^`bits` slots.
    pub fn new(bits: u32) -> Self {
        Self { slots: vec![[(0, FREE); 2]; 1 << bits] }
    }

    /// The number of the value, if it was one of the last in its slot: `is_it` compares it with the value of a number.
    /// Otherwise it is remembered with the number `next`.
    #[inline]
    pub fn find_or_remember(&mut self, hash: u64, next: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let place = hash as usize & (self.slots.len() - 1);
        let [first, second] = &mut self.slots[place];
        let tag = (hash >> 32) as u32;
        let has = |slot: (u32, u32)| slot.0 == tag && slot.1 != FREE && is_it(slot.1);
        if has(*first) {
            return Some(first.1);
        }
        let known = has(*second).then_some(second.1);
        *second = *first;
        *first = (tag, known.unwrap_or(next));
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_recognised_until_two_others_come_into_its_slot() {
        let mut recent = RecentValues::new(1);
        let other = |_| unreachable!("nothing has this hash");
        assert_eq!(recent.find_or_remember(2, 0, other), None);
        assert_eq!(recent.find_or_remember(2, 1, |number| number == 0), Some(0));
        assert_eq!(recent.find_or_remember(3, 1, other), None);
        assert_eq!(recent.find_or_remember(2 | 1 << 32, 2, other), None);
        // Of two that take turns both stay.
        assert_eq!(recent.find_or_remember(2, 3, |number| number == 0), Some(0));
        assert_eq!(recent.find_or_remember(2 | 1 << 32, 3, |number| number == 2), Some(2));
        // A third takes the place of the one that came first.
        assert_eq!(recent.find_or_remember(2 | 2 << 32, 3, other), None);
        assert_eq!(recent.find_or_remember(2 | 1 << 32, 4, |number| number == 2), Some(2));
        assert_eq!(recent.find_or_remember(2, 4, other), None);
        // Different values with one hash are distinguished.
        assert_eq!(recent.find_or_remember(2, 5, |_| false), None);
    }
}
