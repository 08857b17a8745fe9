//! The stage that has pairs of certain rules carry the scores that others have given.

use super::outside::OutsideScores;
use crate::error::Result;
use crate::execute::PairStage;
use crate::pairs::PairScore;
use crate::verify::PairBatch;

/// Looks up the scores of pairs; those without one stay, and carry none.
pub struct OutsideStage<'a> {
    scores: &'a OutsideScores,
}

impl<'a> OutsideStage<'a> {
    /// Of these scores.
    pub fn new(scores: &'a OutsideScores) -> Self {
        Self { scores }
    }
}

impl PairStage for OutsideStage<'_> {
    fn apply(&self, pairs: &mut PairBatch) -> Result<()> {
        let score = |l, r| self.scores.score(l, r).map_or(PairScore::NONE, PairScore::new);
        pairs.scores.clear();
        pairs.scores.extend(pairs.pairs.iter().map(|pair| score(pair.l, pair.r)));
        Ok(())
    }
}
