//! How many pairs the records of a key make.

use super::report::LargestGroup;
use crate::rules::LinkType;

/// Records of the first and of the second input; a dedupe has those of the first alone.
pub type GroupSize = [u64; 2];

/// The pairs of the records of one key.
pub fn pairs(link_type: LinkType, [left, right]: GroupSize) -> u64 {
    match link_type {
        LinkType::LinkOnly => left * right,
        LinkType::DedupeOnly | LinkType::LinkAndDedupe => {
            let all = left + right;
            all * all.saturating_sub(1) / 2
        }
    }
}

/// What is counted of a key, group by group. `G` names a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyCount<G> {
    /// Pairs of records with the same key.
    pub candidates: u64,
    /// Records that have the key.
    pub records: u64,
    /// Different keys.
    pub distinct: u64,
    /// The group with the most candidates, with its records and candidates.
    pub largest: Option<(G, u64, u64)>,
}

impl<G: Copy + Ord> KeyCount<G> {
    /// Counts a group.
    #[inline]
    pub fn add(&mut self, group: G, size: GroupSize, link_type: LinkType) {
        let (records, candidates) = (size[0] + size[1], pairs(link_type, size));
        self.candidates += candidates;
        self.records += records;
        self.distinct += u64::from(records > 0);
        if candidates > 0 {
            self.offer((group, records, candidates));
        }
    }

    /// Adds what was counted elsewhere.
    #[must_use]
    pub fn merged(mut self, other: Self) -> Self {
        self.candidates += other.candidates;
        self.records += other.records;
        self.distinct += other.distinct;
        if let Some(largest) = other.largest {
            self.offer(largest);
        }
        self
    }

    /// Of equal groups the least is taken, whichever thread has found it.
    fn offer(&mut self, new: (G, u64, u64)) {
        let is_larger = self.largest.is_none_or(|known| (new.2, new.1, known.0) > (known.2, known.1, new.0));
        if is_larger {
            self.largest = Some(new);
        }
    }

    /// The largest group with its values.
    pub fn largest_group(&self, values: impl Fn(G) -> Vec<crate::expr::FieldValue>) -> Option<LargestGroup> {
        self.largest.map(|(group, records, candidates)| LargestGroup { values: values(group), records, candidates })
    }
}
