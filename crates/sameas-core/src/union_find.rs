//! Connected components by union-find over a stream of pairs, on all cores, without keeping a pair.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

/// Pairs whose rows are looked up together.
const AT_A_TIME: usize = 32;

/// A forest over rows in which every parent comes before its children, so that a root is its cluster's first row.
#[derive(Debug)]
pub struct Components {
    parent: Vec<AtomicU32>,
}

impl Components {
    /// Every row is a cluster of its own.
    pub fn new(rows: u32) -> Self {
        let mut parent = Vec::with_capacity(rows as usize);
        use_large_pages(&parent);
        parent.par_extend((0..rows).into_par_iter().map(AtomicU32::new));
        Self { parent }
    }

    /// How many rows there are.
    #[inline]
    pub fn rows(&self) -> u32 {
        self.parent.len() as u32
    }

    /// Joins the clusters of two rows. May be called from any number of threads: a root is attached to a smaller one by
    /// one compare-and-swap, which fails if another thread was quicker, and is then tried again from the new roots.
    #[inline]
    pub fn join(&self, a: u32, b: u32) {
        let parent = |row: u32| self.parent[row as usize].load(Relaxed);
        // Most pairs of a large cluster are already connected.
        if parent(a) != parent(b) {
            self.join_roots(a, b);
        }
    }

    /// Joins the clusters of each of these pairs. Memory is looked at for some pairs together: a processor waits for many
    /// places of it at the same time in nearly the time of one.
    pub fn join_all(&self, pairs: &[[u32; 2]]) {
        let parent = |row: u32| self.parent[row as usize].load(Relaxed);
        for some in pairs.chunks(AT_A_TIME) {
            let mut above = [[0; 2]; AT_A_TIME];
            for (above, pair) in above.iter_mut().zip(some) {
                *above = pair.map(parent);
            }
            // Most pairs of a large cluster are already connected.
            let is_open = |[a, b]: &[u32; 2]| a != b;
            let mut open = 0;
            for at in 0..some.len() {
                let pair = above[at];
                above[open] = pair;
                open += usize::from(is_open(&pair));
            }
            let mut further = [[0; 2]; AT_A_TIME];
            for (further, pair) in further.iter_mut().zip(&above[..open]) {
                *further = pair.map(parent);
            }
            further[..open].iter().filter(|pair| is_open(pair)).for_each(|[a, b]| self.join_roots(*a, *b));
        }
    }

    /// Attaches every row to the first row of its cluster. No pair may be joined at the same time.
    pub fn flatten(&self) {
        self.parent.par_iter().with_min_len(1 << 12).for_each(|parent| {
            let (before, root) = (parent.load(Relaxed), self.root(parent.load(Relaxed)));
            if before != root {
                parent.store(root, Relaxed);
            }
        });
    }

    fn join_roots(&self, a: u32, b: u32) {
        let (mut a, mut b) = (self.root(a), self.root(b));
        while a != b {
            let (low, high) = (a.min(b), a.max(b));
            if self.parent[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok() {
                return;
            }
            (a, b) = (self.root(low), self.root(high));
        }
    }

    /// The first row of a row's cluster. Halves the path on the way; a parent is only ever replaced by one of its own
    /// ancestors, so a race loses an improvement and nothing else.
    fn root(&self, mut row: u32) -> u32 {
        loop {
            let parent = self.parent[row as usize].load(Relaxed);
            if parent == row {
                return row;
            }
            let above = self.parent[parent as usize].load(Relaxed);
            if above != parent {
                let _ = self.parent[row as usize].compare_exchange(parent, above, Relaxed, Relaxed);
            }
            row = parent;
        }
    }

    /// The first row of each row's cluster so far. No pair may be joined at the same time.
    pub fn roots(&self) -> Vec<u32> {
        self.flatten();
        self.parent.par_iter().with_min_len(1 << 12).map(|parent| parent.load(Relaxed)).collect()
    }

    /// The first row of each row's cluster.
    pub fn into_roots(self) -> Vec<u32> {
        self.flatten();
        self.parent.into_iter().map(AtomicU32::into_inner).collect()
    }
}

/// Asks for large pages, where the system has them: rows are looked up in no order, and the addresses of small pages are
/// then looked up in memory, too, which takes most of the time of a hundred million rows.
#[cfg(target_os = "linux")]
fn use_large_pages<T>(list: &Vec<T>) {
    if list.capacity() * size_of::<T>() >= MUCH_MEMORY {
        let page = 4096;
        let first = list.as_ptr().addr().next_multiple_of(page);
        let bytes = list.capacity() * size_of::<T>() - (first - list.as_ptr().addr());
        let start = list.as_ptr().with_addr(first).cast_mut().cast();
        // SAFETY: the pages belong to the list as a whole, and the advice changes nothing of what they hold.
        let _ = unsafe { rustix::mm::madvise(start, bytes / page * page, rustix::mm::Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
fn use_large_pages<T>(_: &Vec<T>) {}

/// Smaller lists fit the processor's table of addresses.
#[cfg(target_os = "linux")]
const MUCH_MEMORY: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_threads_find_the_components_of_many_pairs() {
        let rows = 10_000_u32;
        let components = Components::new(rows);
        // Rows are joined with the row 7 after them, except across multiples of 700: each residue of each stretch is a
        // cluster.
        (0..rows - 7).into_par_iter().rev().filter(|r| r % 700 < 693).for_each(|r| components.join(r + 7, r));
        let so_far = components.roots();
        let roots = components.into_roots();
        assert_eq!(so_far, roots);
        for row in 0..rows {
            assert_eq!(roots[row as usize], row / 700 * 700 + row % 700 % 7, "row {row}");
        }
    }
}
