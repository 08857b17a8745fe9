//! For each left slot, what it meets: single partners, and places in groups.

use super::groups::{END, VariantGroups};
use rayon::prelude::*;

/// Lists of numbers, one per slot of a range.
struct SlotLists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl SlotLists {
    /// Collects what `each` yields for the slots from `first` on, `count` of them; `each` yields the same twice.
    fn new(first: u32, count: usize, each: impl Fn(&mut dyn FnMut(u32, u32))) -> Self {
        let mut starts = vec![0u32; count + 1];
        let index = |slot: u32| (slot.wrapping_sub(first)) as usize;
        each(&mut |slot, _| {
            if let Some(start) = starts[..count].get_mut(index(slot)) {
                *start += 1;
            }
        });
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut items = vec![0; sum as usize];
        each(&mut |slot, item| {
            if let Some(start) = starts[..count].get_mut(index(slot)) {
                *start -= 1;
                items[*start as usize] = item;
            }
        });
        SlotLists { starts, items }
    }

    fn get(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

/// The index of a round.
#[derive(Default)]
pub(super) struct Adjacency {
    members: Vec<u32>,
    pairs: Vec<Vec<(u32, u32)>>,
    bytes: usize,
    width: u32,
    partners: Vec<SlotLists>,
    tails: Vec<SlotLists>,
}

impl Adjacency {
    /// Adds the groups of a slice.
    pub(super) fn add(&mut self, found: Vec<VariantGroups>) {
        self.members.reserve(found.iter().map(|groups| groups.members.len()).sum());
        for VariantGroups { mut pairs, members } in found {
            self.bytes += pairs.len() * 12 + members.len() * 8;
            self.members.extend_from_slice(&members);
            pairs.shrink_to_fit();
            self.pairs.push(pairs);
        }
    }

    /// The bytes that the groups so far will take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Lists what each of the first `lefts` slots meets, in `parts` that are made side by side.
    pub(super) fn finish(&mut self, lefts: u32, first_right: u32, parts: u32) {
        self.width = lefts.div_ceil(parts).max(1);
        let parts: Vec<u32> = (0..lefts).step_by(self.width as usize).collect();
        let count = |first: u32| (lefts - first).min(self.width) as usize;
        self.partners =
            parts.par_iter().map(|&first| SlotLists::new(first, count(first), |to| self.each_pair(to))).collect();
        let tails = |to: &mut dyn FnMut(u32, u32)| self.each_tail(first_right, to);
        self.tails = parts.par_iter().map(|&first| SlotLists::new(first, count(first), tails)).collect();
        self.pairs = Vec::new();
    }

    fn each_pair(&self, to: &mut dyn FnMut(u32, u32)) {
        self.pairs.iter().flatten().for_each(|&(a, b)| to(a, b));
    }

    /// For each member of a group that has partners after it, where they begin: at the next member, or at the first
    /// of the right list.
    fn each_tail(&self, first_right: u32, to: &mut dyn FnMut(u32, u32)) {
        let mut start = 0;
        for group in self.members.split(|&slot| slot == END) {
            if first_right == 0 {
                for at in 1..group.len() {
                    to(group[at - 1], (start + at) as u32);
                }
            } else {
                let rights = group.partition_point(|&slot| slot < first_right);
                group[..rights].iter().for_each(|&slot| to(slot, (start + rights) as u32));
            }
            start += group.len() + 1;
        }
    }

    /// Tells each slot that shares a variant with `slot` and may be its partner, as often as they share one.
    pub(super) fn each(&self, slot: u32, mut to: impl FnMut(u32)) {
        let (part, index) = ((slot / self.width) as usize, (slot % self.width) as usize);
        self.partners[part].get(index).iter().for_each(|&partner| to(partner));
        let tails = self.tails[part].get(index);
        // Groups lie anywhere in memory. The first round brings them near, all fetches overlapping; the ends of the groups,
        // which cannot be foretold, come up in the second.
        tails.iter().for_each(|&tail| to(self.members[tail as usize]));
        for &tail in tails {
            self.members[tail as usize + 1..].iter().take_while(|&&slot| slot != END).for_each(|&slot| to(slot));
        }
    }
}
