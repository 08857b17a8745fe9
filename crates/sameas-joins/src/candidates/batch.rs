//! Batches: candidates as two columns of rows, ready for the verifier.

use super::tile::{Pairing, Sink, Tile};

/// Pairs per batch: its columns fit the nearest cache together with the values they point to.
pub const BATCH: usize = 4096;

/// Candidate pairs, as rows of the left and of the right frame.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Left rows.
    pub l: Vec<u32>,
    /// Right rows.
    pub r: Vec<u32>,
}

impl Batch {
    /// Holds these pairs, and none of those before.
    pub fn set(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.l.clear();
        self.r.clear();
        for (l, r) in pairs {
            self.l.push(l);
            self.r.push(r);
        }
    }
}

/// Fills a batch from tiles and hands it on whenever it is full; [`flush`](Batches::flush) hands on the rest.
pub struct Batches<'a, F> {
    batch: &'a mut Batch,
    take: F,
}

impl<'a, F: FnMut(&Batch)> Batches<'a, F> {
    /// Fills `batch`, whose content is forgotten, for `take`.
    pub fn new(batch: &'a mut Batch, take: F) -> Self {
        batch.l.clear();
        batch.r.clear();
        Self { batch, take }
    }

    /// Hands on what has been gathered.
    pub fn flush(&mut self) {
        if !self.batch.l.is_empty() {
            (self.take)(self.batch);
            self.batch.l.clear();
            self.batch.r.clear();
        }
    }

    /// Every pair of a left row with some right rows.
    #[inline]
    fn row(&mut self, row: u32, mut right: &[u32]) {
        loop {
            let room = BATCH - self.batch.l.len();
            let (now, later) = right.split_at(room.min(right.len()));
            self.batch.r.extend_from_slice(now);
            self.batch.l.resize(self.batch.r.len(), row);
            if later.is_empty() {
                return;
            }
            self.flush();
            right = later;
        }
    }

    fn pair(&mut self, l: u32, r: u32) {
        if self.batch.l.len() == BATCH {
            self.flush();
        }
        self.batch.l.push(l);
        self.batch.r.push(r);
    }
}

impl<F: FnMut(&Batch)> Sink for Batches<'_, F> {
    #[inline]
    fn tile(&mut self, tile: Tile<'_>) {
        let Tile { left, right, pairing } = tile;
        match pairing {
            Pairing::All => left.iter().for_each(|row| self.row(*row, right)),
            Pairing::Ascending => left.iter().enumerate().for_each(|(at, row)| self.row(*row, &right[at + 1..])),
            Pairing::Sorted => {
                left.iter().for_each(|l| right.iter().for_each(|r| self.pair(*l.min(r), *l.max(r))));
            }
            Pairing::Before => {
                left.iter().for_each(|l| right.iter().filter(|r| l < r).for_each(|r| self.pair(*l, *r)));
            }
        }
    }
}

/// Turns the pairs of two lists into those with the smaller row on the left, for joins inside one frame whose two sides
/// were filtered apart.
pub struct OnlyBefore<'a, S>(pub &'a mut S);

impl<S: Sink> Sink for OnlyBefore<'_, S> {
    #[inline]
    fn tile(&mut self, tile: Tile<'_>) {
        debug_assert_eq!(tile.pairing, Pairing::All);
        self.0.tile(Tile { pairing: Pairing::Before, ..tile });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(left: &[u32], right: &[u32], pairing: Pairing) -> Vec<(u32, u32)> {
        let (mut batch, mut seen) = (Batch::default(), Vec::new());
        let mut batches = Batches::new(&mut batch, |b: &Batch| {
            assert!(b.l.len() <= BATCH && b.l.len() == b.r.len());
            seen.extend(b.l.iter().copied().zip(b.r.iter().copied()));
        });
        batches.tile(Tile { left, right, pairing });
        batches.flush();
        seen
    }

    #[test]
    fn a_pairing_says_which_pairs() {
        assert_eq!(pairs(&[5, 1], &[3, 7], Pairing::All), [(5, 3), (5, 7), (1, 3), (1, 7)]);
        assert_eq!(pairs(&[1, 4, 9], &[1, 4, 9], Pairing::Ascending), [(1, 4), (1, 9), (4, 9)]);
        assert_eq!(pairs(&[5, 1], &[3, 7], Pairing::Sorted), [(3, 5), (5, 7), (1, 3), (1, 7)]);
        assert_eq!(pairs(&[5, 3], &[3, 7], Pairing::Before), [(5, 7), (3, 7)]);
    }

    #[test]
    fn tiles_larger_than_a_batch_come_whole() {
        let (left, right): (Vec<u32>, Vec<u32>) = ((0..70).collect(), (100..200).collect());
        for pairing in [Pairing::All, Pairing::Sorted, Pairing::Before] {
            let found = pairs(&left, &right, pairing);
            assert_eq!(found.len(), 7000, "{pairing:?}");
            assert!(found.is_sorted());
        }
        let rows: Vec<u32> = (0..300).collect();
        assert_eq!(pairs(&rows, &rows, Pairing::Ascending).len(), 300 * 299 / 2);
    }
}
