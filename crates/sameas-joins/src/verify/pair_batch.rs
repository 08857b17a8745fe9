//! Batches of result pairs: what the verifier hands on, with the verdicts that a later stage wants to know and the scores that
//! a stage gives.

use crate::pairs::{Pair, PairScore};
use crate::threshold::Truth;

/// Pairs that passed, in no particular order.
#[derive(Debug, Default)]
pub struct PairBatch {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// For each wanted predicate a verdict for each pair; unknown where the verifier had no need to evaluate it.
    pub verdicts: Vec<Vec<Truth>>,
    /// What a stage has given to each pair, for the pair to carry; empty where none has.
    pub scores: Vec<PairScore>,
}

impl PairBatch {
    /// No pairs, with room for verdicts on this many predicates.
    pub fn wanting(predicates: usize) -> Self {
        Self { verdicts: vec![Vec::new(); predicates], ..Self::default() }
    }

    /// Removes all pairs, and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.verdicts.iter_mut().for_each(Vec::clear);
        self.scores.clear();
    }

    /// Keeps the pairs for which `keep`, called with their places in order, holds.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &Pair) -> bool) {
        let kept: Vec<bool> = self.pairs.iter().enumerate().map(|(at, pair)| keep(at, pair)).collect();
        retain_places(&mut self.pairs, &kept);
        self.verdicts.iter_mut().for_each(|verdicts| retain_places(verdicts, &kept));
        if !self.scores.is_empty() {
            retain_places(&mut self.scores, &kept);
        }
    }

    /// Keeps the pairs to which `score`, called with their places in order, gives a score, and has them carry it.
    pub fn retain_scored(&mut self, mut score: impl FnMut(usize, &Pair) -> Option<PairScore>) {
        let mut scores = std::mem::take(&mut self.scores);
        scores.clear();
        self.retain(|at, pair| {
            let given = score(at, pair);
            scores.extend(given);
            given.is_some()
        });
        self.scores = scores;
    }
}

/// Keeps the values at the places that are kept.
fn retain_places<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut places = kept.iter();
    values.retain(|_| places.next().copied().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_and_scores_stay_with_their_pairs() {
        let pair = |l| Pair { l, r: 9, rule: 0 };
        let mut batch = PairBatch::wanting(1);
        batch.pairs.extend([pair(0), pair(1), pair(2), pair(3)]);
        batch.verdicts[0].extend([Truth::True, Truth::False, Truth::Null, Truth::Unknown]);
        batch.retain_scored(|at, pair| (pair.l != 1).then(|| PairScore::new(at as f64)));
        assert_eq!(batch.scores, [0.0, 2.0, 3.0].map(PairScore::new));
        batch.retain(|at, _| at != 1);
        assert_eq!(batch.pairs, [pair(0), pair(3)]);
        assert_eq!(batch.verdicts[0], [Truth::True, Truth::Unknown]);
        assert_eq!(batch.scores, [0.0, 3.0].map(PairScore::new));
        batch.clear();
        assert!(batch.pairs.is_empty() && batch.verdicts[0].is_empty() && batch.scores.is_empty());
    }
}
