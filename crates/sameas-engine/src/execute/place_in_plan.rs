//! Where a branch is among all branches, by number and by the cost that the planner expects, those of others included.

use crate::plan::Branch;

/// What runs before and after the branches of a plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct OtherBranches<'a> {
    /// Where the last one before them was among all.
    pub before: PlaceInPlan,
    /// The candidates of those before them.
    pub candidates: u64,
    /// Those after them.
    pub later: &'a [Branch],
}

/// The place of a branch among all.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlaceInPlan {
    number: usize,
    branches: usize,
    /// Of the branches that have ended, of this one, and of all.
    ended: f64,
    cost: f64,
    all: f64,
}

impl PlaceInPlan {
    /// The next branch, after which these are pending.
    #[must_use]
    pub fn next<'b>(self, branch: &Branch, pending: impl Iterator<Item = &'b Branch>) -> Self {
        let ended = self.ended + self.cost;
        let (left, cost) = pending.fold((0, 0.0), |(left, cost), branch| (left + 1, cost + branch.cost));
        Self {
            number: self.number + 1,
            branches: self.number + 1 + left,
            ended,
            cost: branch.cost,
            all: ended + branch.cost + cost,
        }
    }

    /// The same after this many branches that an interrupted run has finished.
    #[must_use]
    pub fn after(self, finished: usize) -> Self {
        Self { number: self.number + finished, ..self }
    }

    /// Its number, from 1 on, and that of all branches.
    pub fn number(&self) -> (usize, usize) {
        (self.number, self.branches)
    }

    /// From where to where a round of the branch is of all work, in thousandths.
    pub fn work(&self, (round, rounds): (usize, usize)) -> Option<(u32, u32)> {
        let at = |round: usize| 1000.0 * (self.ended + self.cost * round as f64 / rounds as f64) / self.all;
        (self.cost > 0.0).then(|| (at(round - 1) as u32, at(round) as u32))
    }
}
