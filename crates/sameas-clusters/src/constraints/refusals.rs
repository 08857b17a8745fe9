//! Which clusters may not be united, and why.
//!
//! A refusal of two clusters is known under both numbers together, and stands in a list of each of them: so it is found at once,
//! and a union goes through the list of one cluster alone. Memory grows with refusals, not with unions: most clusters have none.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// What no cluster and no entry is called.
const NONE: u32 = u32::MAX;

/// For each two clusters that may not be united the number of a reason. Of several reasons the least counts.
pub(super) struct Refusals {
    reasons: HashMap<(u32, u32), u32, FixedState>,
    /// The lists of all clusters. A refusal has two entries, at an even place and after it.
    entries: Vec<RefusalEntry>,
    /// None, as long as nothing is refused.
    lists: Vec<RefusalList>,
    clusters: usize,
}

/// The refusals of one cluster.
#[derive(Clone, Copy)]
struct RefusalList {
    /// The place of its first entry.
    first: u32,
    refusals: u32,
}

impl RefusalList {
    const EMPTY: Self = Self { first: NONE, refusals: 0 };
}

/// A refusal as one of the two clusters sees it.
#[derive(Clone, Copy)]
struct RefusalEntry {
    /// The other cluster; none if another entry of the list says the same.
    other: u32,
    /// The place of the next entry.
    next: u32,
}

impl Refusals {
    /// Bytes for each cluster.
    pub(super) const BYTES_OF_CLUSTER: usize = size_of::<RefusalList>();

    /// Bytes for each refusal, at most: where a list and a table have just grown, they are twice as large as they must be, and
    /// there for a moment as they were before.
    pub(super) const BYTES_OF_REFUSAL: usize = 2 * 3 * size_of::<RefusalEntry>() + 80;

    pub(super) fn new(clusters: usize) -> Self {
        Self { reasons: HashMap::default(), entries: Vec::new(), lists: Vec::new(), clusters }
    }

    /// How many refusals there have been: those that unions have made one are counted twice.
    pub(super) fn count(&self) -> usize {
        self.entries.len() / 2
    }

    /// With how many clusters this one may not be united.
    pub(super) fn of_cluster(&self, cluster: u32) -> usize {
        self.lists.get(cluster as usize).map_or(0, |list| list.refusals as usize)
    }

    /// Why two clusters may not be united, if they may not.
    pub(super) fn get(&self, a: u32, b: u32) -> Option<u32> {
        self.reasons.get(&both(a, b)).copied()
    }

    /// Two clusters may not be united, for one more reason.
    pub(super) fn add(&mut self, a: u32, b: u32, reason: u32) {
        if self.lists.is_empty() {
            self.lists = vec![RefusalList::EMPTY; self.clusters];
        }
        let mut is_new = false;
        let known = self.reasons.entry(both(a, b)).or_insert_with(|| {
            is_new = true;
            reason
        });
        *known = reason.min(*known);
        if is_new {
            for [own, other] in [[a, b], [b, a]] {
                self.entries.push(RefusalEntry { other, next: NONE });
                self.put_first(self.entries.len() - 1, own);
            }
        }
    }

    /// What a cluster may not be united with, the other one may not either.
    pub(super) fn unite(&mut self, kept: u32, gone: u32) {
        let Some(list) = self.lists.get_mut(gone as usize) else { return };
        let RefusalList { first: mut next, .. } = std::mem::replace(list, RefusalList::EMPTY);
        while next != NONE {
            let at = next as usize;
            let entry = self.entries[at];
            next = entry.next;
            if entry.other != NONE {
                self.give(at, kept, gone);
            }
        }
    }

    /// Gives a refusal of a cluster that is gone to another one.
    fn give(&mut self, at: usize, kept: u32, gone: u32) {
        let other = self.entries[at].other;
        let reason = self.reasons.remove(&both(gone, other)).expect("an entry stands for a refusal");
        if let Some(known) = self.reasons.get_mut(&both(kept, other)) {
            *known = reason.min(*known);
            self.entries[at ^ 1].other = NONE;
            self.lists[other as usize].refusals -= 1;
        } else {
            self.reasons.insert(both(kept, other), reason);
            self.entries[at ^ 1].other = kept;
            self.put_first(at, kept);
        }
    }

    /// Puts an entry before the others of a cluster.
    fn put_first(&mut self, entry: usize, cluster: u32) {
        let list = &mut self.lists[cluster as usize];
        self.entries[entry].next = list.first;
        list.first = entry as u32;
        list.refusals += 1;
    }
}

/// Two clusters, whatever their order.
fn both(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_keep_what_is_refused() {
        let mut refusals = Refusals::new(6);
        for (a, b, reason) in [(0, 1, 7), (2, 1, 5), (1, 3, 9), (3, 4, 1), (1, 0, 6)] {
            refusals.add(a, b, reason);
        }
        assert_eq!((refusals.get(0, 1), refusals.get(1, 2), refusals.get(2, 0)), (Some(6), Some(5), None));
        refusals.unite(0, 2);
        assert_eq!((refusals.get(0, 1), refusals.of_cluster(0), refusals.of_cluster(1)), (Some(5), 1, 2));
        refusals.unite(4, 1);
        let with_4 = [0, 3, 5].map(|other| refusals.get(4, other));
        assert_eq!((with_4, refusals.of_cluster(4), refusals.count()), ([Some(5), Some(1), None], 2, 4));
        refusals.unite(5, 4);
        assert_eq!([0, 3, 4].map(|other| refusals.get(other, 5)), [Some(5), Some(1), None]);
        assert_eq!([0, 3, 5].map(|cluster| refusals.of_cluster(cluster)), [1, 1, 2]);
    }

    #[test]
    fn at_first_nothing_is_refused() {
        let mut refusals = Refusals::new(6);
        refusals.unite(2, 5);
        assert_eq!((refusals.get(2, 4), refusals.of_cluster(2), refusals.count()), (None, 0, 0));
        refusals.add(4, 2, 8);
        assert_eq!((refusals.get(2, 4), refusals.of_cluster(2), refusals.count()), (Some(8), 1, 1));
    }
}
