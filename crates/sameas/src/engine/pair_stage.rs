//! What becomes of the pairs that the verifier passed: optional stages, then clusters, then the sort.
//!
//! A score, a limit or another sink is a [`PairStage`] and touches neither the verifier nor the joins. Where there is no
//! stage, a device may join the components of its pairs itself, which is faster. A stage that scores pairs may leave that to
//! devices, which then send only what is kept.

use crate::cluster::Components;
use crate::error::Result;
use crate::output::PairBuffer;
use crate::verify::{Pair, PairBatch, ScoreProgram};

/// A step between the verifier and the results. Called from all threads, with some pairs at a time.
pub trait PairStage: Sync {
    /// Predicates whose verdicts it wants to know of each pair, as far as the verifier has evaluated them.
    fn wanted_predicates(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Looks at pairs, and may remove some. The counts of rules are made by the verifier, so they include these.
    fn apply(&self, batch: &mut PairBatch) -> Result<()>;

    /// How a device does what the stage does, where it can: what it has done so with does not come to the stage.
    fn on_device(&self) -> Option<&ScoreProgram<'_>> {
        None
    }

    /// Takes what a device has counted: patterns and their pairs, some more than once.
    fn take_patterns(&self, _patterns: &[(u64, u64)]) {}

    /// A branch begins that may have to be undone. No other runs meanwhile.
    fn mark(&self) {}

    /// Forgets what it has seen since the mark: the branch is undone.
    fn roll_back(&self) {}
}

/// How far a pair has come that a device has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceDone {
    /// It is found, and has been through no stage.
    Found,
    /// It has been through all stages.
    Staged,
    /// Its components are joined too.
    Joined,
}

/// The stages of a job, and where its pairs go.
pub struct Pipeline<'a> {
    stages: Vec<&'a dyn PairStage>,
    /// Nothing where pairs make no clusters.
    components: Option<&'a Components>,
    /// What is added to a right record to number all records.
    right_offset: u32,
}

impl<'a> Pipeline<'a> {
    /// Pairs go through `stages`, in order, and then to `components`.
    pub fn new(stages: Vec<&'a dyn PairStage>, components: &'a Components, right_offset: u32) -> Self {
        Self { stages, components: Some(components), right_offset }
    }

    /// Pairs go to the sort alone.
    pub fn to_no_clusters() -> Self {
        Self { stages: Vec::new(), components: None, right_offset: 0 }
    }

    /// Pairs go to a stage that keeps none.
    pub fn to_stage(stage: &'a dyn PairStage) -> Self {
        Self { stages: vec![stage], components: None, right_offset: 0 }
    }

    /// Whether nothing stands between the verifier and the clusters: components may then be joined elsewhere.
    pub fn is_direct(&self) -> bool {
        self.stages.is_empty() && self.components.is_some()
    }

    /// How devices do what its only stage does, where they can.
    pub fn on_device(&self) -> Option<&ScoreProgram<'_>> {
        match self.stages[..] {
            [stage] => stage.on_device(),
            _ => None,
        }
    }

    /// Whether devices may join components of pairs that nothing on the host can remove.
    pub fn lets_devices_join(&self) -> bool {
        self.components.is_some() && (self.stages.is_empty() || self.on_device().is_some())
    }

    /// Takes the pairs that a device has counted by pattern.
    pub fn take_patterns(&self, patterns: &[(u64, u64)]) {
        if !patterns.is_empty() {
            self.stages.iter().for_each(|stage| stage.take_patterns(patterns));
        }
    }

    /// A branch begins that may have to be undone.
    pub fn mark(&self) {
        self.stages.iter().for_each(|stage| stage.mark());
    }

    /// The branch is undone.
    pub fn roll_back(&self) {
        self.stages.iter().for_each(|stage| stage.roll_back());
    }

    /// The clusters, if pairs make some.
    pub fn components(&self) -> Option<&'a Components> {
        self.components
    }

    /// The predicates whose verdicts some stage wants, each once.
    pub fn wanted_predicates(&self) -> Vec<usize> {
        let mut wanted: Vec<usize> = self.stages.iter().flat_map(|stage| stage.wanted_predicates()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }

    /// Takes the pairs of a batch through all stages and leaves the batch empty. Says how many the stages have left.
    pub fn take(&self, batch: &mut PairBatch, sorted: &mut PairBuffer) -> Result<u64> {
        for stage in &self.stages {
            stage.apply(batch)?;
        }
        for pair in &batch.pairs {
            self.take_staged(*pair, sorted)?;
        }
        let kept = batch.pairs.len() as u64;
        batch.clear();
        Ok(kept)
    }

    /// Takes a pair that has been through all stages.
    #[inline]
    pub fn take_staged(&self, pair: Pair, sorted: &mut PairBuffer) -> Result<()> {
        if let Some(components) = self.components {
            components.join(pair.l, self.right_offset + pair.r);
        }
        sorted.push(pair)
    }

    /// Takes a pair whose components have been joined elsewhere, which only happens where no stage wants to see it.
    #[inline]
    pub fn take_joined(&self, pair: Pair, sorted: &mut PairBuffer) -> Result<()> {
        debug_assert!(self.lets_devices_join(), "a stage would miss this pair");
        sorted.push(pair)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::output::PairSorter;
    use crate::verify::Truth;

    /// Keeps the pairs for which predicate 7 is true, and remembers what it saw.
    #[derive(Default)]
    struct OnlyTrue {
        seen: Mutex<Vec<(u32, Truth)>>,
    }

    impl PairStage for OnlyTrue {
        fn wanted_predicates(&self) -> Vec<usize> {
            vec![7]
        }

        fn apply(&self, batch: &mut PairBatch) -> Result<()> {
            let verdicts = batch.verdicts[0].clone();
            let mut seen = self.seen.lock().unwrap();
            seen.extend(batch.pairs.iter().map(|pair| pair.l).zip(verdicts.iter().copied()));
            batch.retain(|at, _| verdicts[at] == Truth::True);
            Ok(())
        }
    }

    #[test]
    fn a_stage_sees_verdicts_and_what_it_removes_is_neither_clustered_nor_written() {
        let (stage, components) = (OnlyTrue::default(), Components::new(8));
        let sorter = PairSorter::new(1 << 16, 1, None).unwrap();
        let mut buffer = sorter.buffer();
        let pipeline = Pipeline::new(vec![&stage], &components, 4);
        assert_eq!((pipeline.wanted_predicates(), pipeline.is_direct()), (vec![7], false));
        let pair = |l, r| Pair { l, r, rule: 0 };
        let mut batch = PairBatch {
            pairs: vec![pair(0, 1), pair(1, 2), pair(3, 3)],
            verdicts: vec![vec![Truth::True, Truth::Unknown, Truth::True]],
        };
        assert_eq!(pipeline.take(&mut batch, &mut buffer).unwrap(), 2);
        assert!(batch.pairs.is_empty() && batch.verdicts[0].is_empty());
        let pairs = sorter.finish(vec![buffer]).unwrap();
        assert_eq!(pairs.read(0..2).unwrap(), [pair(0, 1), pair(3, 3)]);
        assert_eq!(components.into_roots(), [0, 1, 2, 3, 4, 0, 6, 3]);
        assert_eq!(stage.seen.lock().unwrap().len(), 3);
    }
}
