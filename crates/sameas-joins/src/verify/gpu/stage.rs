//! What a device does with the pairs that pass, in place of a pair stage on the host.

use crate::pairs::PairScore;
use crate::verify::score_program::ScoreProgram;

/// The device's form of a pair stage. What the device cannot decide comes to the stage itself.
#[derive(Clone, Copy, Debug)]
pub struct DeviceStage<'a> {
    program: &'a ScoreProgram<'a>,
    /// What a pair with a sum carries.
    score: fn(i64) -> PairScore,
}

impl<'a> DeviceStage<'a> {
    /// Keeps the pairs that a program keeps; each carries what `score` makes of its sum.
    pub fn keeping(program: &'a ScoreProgram<'a>, score: fn(i64) -> PairScore) -> Self {
        Self { program, score }
    }

    /// Counts pairs by the patterns of a program, and keeps none.
    pub fn counting(program: &'a ScoreProgram<'a>) -> Self {
        Self { program, score: |_| PairScore::NONE }
    }

    /// The predicates that it asks, each once.
    pub fn predicates(&self) -> Vec<usize> {
        self.program.predicates()
    }

    /// What a pair with this sum carries.
    #[inline]
    pub fn score(&self, sum: i64) -> PairScore {
        (self.score)(sum)
    }

    pub(super) fn program(&self) -> &'a ScoreProgram<'a> {
        self.program
    }
}
