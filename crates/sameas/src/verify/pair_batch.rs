//! Batches of result pairs: what the verifier hands on, with the verdicts that a later stage wants to know.

use super::result::Pair;
use crate::threshold::Truth;

/// Pairs that passed, in no particular order.
#[derive(Debug, Default)]
pub struct PairBatch {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// For each wanted predicate a verdict for each pair; unknown where the verifier had no need to evaluate it.
    pub verdicts: Vec<Vec<Truth>>,
}

impl PairBatch {
    /// Removes all pairs, and keeps the memory.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.verdicts.iter_mut().for_each(Vec::clear);
    }

    /// Keeps the pairs for which `keep`, called with their places in order, holds.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &Pair) -> bool) {
        let kept: Vec<bool> = self.pairs.iter().enumerate().map(|(at, pair)| keep(at, pair)).collect();
        let mut places = kept.iter();
        self.pairs.retain(|_| places.next().copied().unwrap_or(false));
        for verdicts in &mut self.verdicts {
            let mut places = kept.iter();
            verdicts.retain(|_| places.next().copied().unwrap_or(false));
        }
    }
}
