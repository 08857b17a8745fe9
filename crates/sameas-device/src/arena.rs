//! Memory of fixed size, handed out in pieces: the first gap that is large enough, and neighbours join when given back.

/// Pieces begin at multiples of this, as the widest loads and the primitives want them.
const ALIGNMENT: usize = 512;

/// The gaps of a stretch of memory.
#[derive(Debug)]
pub struct Arena {
    /// Begin and length, by begin; no two touch.
    gaps: Vec<(usize, usize)>,
}

impl Arena {
    /// This many bytes, all free.
    pub fn new(bytes: usize) -> Self {
        Self { gaps: vec![(0, bytes / ALIGNMENT * ALIGNMENT)] }
    }

    /// Bytes that a piece of this many takes.
    pub fn rounded(bytes: usize) -> usize {
        bytes.max(1).div_ceil(ALIGNMENT) * ALIGNMENT
    }

    /// The place of a piece, or nothing where no gap is large enough.
    pub fn take(&mut self, bytes: usize) -> Option<usize> {
        let bytes = Self::rounded(bytes);
        let gap = self.gaps.iter().position(|(_, length)| *length >= bytes)?;
        let (begin, length) = self.gaps[gap];
        if length == bytes {
            self.gaps.remove(gap);
        } else {
            self.gaps[gap] = (begin + bytes, length - bytes);
        }
        Some(begin)
    }

    /// Takes a piece back.
    pub fn give_back(&mut self, begin: usize, bytes: usize) {
        let bytes = Self::rounded(bytes);
        let at = self.gaps.partition_point(|(other, _)| *other < begin);
        self.gaps.insert(at, (begin, bytes));
        let joins = |gaps: &[(usize, usize)], at: usize| gaps[at].0 + gaps[at].1 == gaps[at + 1].0;
        if at + 1 < self.gaps.len() && joins(&self.gaps, at) {
            self.gaps[at].1 += self.gaps.remove(at + 1).1;
        }
        if at > 0 && joins(&self.gaps, at - 1) {
            self.gaps[at - 1].1 += self.gaps.remove(at).1;
        }
    }

    /// Bytes that are free, in all gaps.
    pub fn free(&self) -> usize {
        self.gaps.iter().map(|(_, length)| length).sum()
    }

    /// The largest piece there is room for.
    pub fn largest(&self) -> usize {
        self.gaps.iter().map(|(_, length)| *length).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_never_overlap_and_come_back(
            steps in prop::collection::vec((any::<bool>(), 0usize..5000, any::<prop::sample::Index>()), 0..200),
        ) {
            let mut arena = Arena::new(100 * ALIGNMENT + 3);
            let mut held: Vec<(usize, usize)> = Vec::new();
            for (take, bytes, index) in steps {
                if take || held.is_empty() {
                    if let Some(begin) = arena.take(bytes) {
                        let end = begin + Arena::rounded(bytes);
                        prop_assert!(end <= 100 * ALIGNMENT);
                        prop_assert!(held.iter().all(|(b, n)| end <= *b || b + Arena::rounded(*n) <= begin));
                        held.push((begin, bytes));
                    } else {
                        prop_assert!(arena.largest() < Arena::rounded(bytes));
                    }
                } else {
                    let (begin, bytes) = held.swap_remove(index.index(held.len()));
                    arena.give_back(begin, bytes);
                }
                let taken: usize = held.iter().map(|(_, bytes)| Arena::rounded(*bytes)).sum();
                prop_assert_eq!(arena.free(), 100 * ALIGNMENT - taken);
            }
            held.into_iter().for_each(|(begin, bytes)| arena.give_back(begin, bytes));
            prop_assert_eq!(arena.gaps, [(0, 100 * ALIGNMENT)]);
        }
    }
}
