//! What becomes of the pairs that the verifier passed: optional stages, then components, then the sort.
//!
//! A limit, a look at pairs or another sink is a [`PairStage`] and touches neither the verifier nor the joins. What a stage
//! gives to a pair goes with it from there on, through the sort and its files to whoever reads the pair: nothing makes it
//! again. Where there is no stage, a device may join the components of its pairs itself, which is faster. A stage may have a
//! form for devices, which then send only what is kept.

use crate::error::Result;
use crate::output::PairBuffer;
use crate::pairs::{Pair, PairScore};
use crate::union_find::Components;
use crate::verify::PairBatch;
use crate::verify::gpu::DeviceStage;

/// A step between the verifier and the results. Called from all threads, with some pairs at a time.
pub trait PairStage: Sync {
    /// Predicates whose verdicts it wants to know of each pair, as far as the verifier has evaluated them.
    fn wanted_predicates(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Pairs come next, and the tables of their plan are made. Nothing else is asked before.
    fn begin(&self) {}

    /// Looks at pairs, may remove some, and may give each of the others something to carry. The counts of rules are made by
    /// the verifier, so they include what is removed.
    fn apply(&self, batch: &mut PairBatch) -> Result<()>;

    /// How a device does what the stage does, where it can: what it has done so with does not come to the stage.
    fn on_device(&self) -> Option<DeviceStage<'_>> {
        None
    }

    /// Takes what its form on a device has counted in place of keeping pairs: what they have in common, and how many they
    /// are, some more than once.
    fn take_counts(&self, _counts: &[(u64, u64)]) {}

    /// The pairs that the host has scored so far, where it is a stage that scores.
    fn scored_by_host(&self) -> Option<u64> {
        None
    }

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
    /// Nothing where no components are formed while pairs are found.
    components: Option<&'a Components>,
    /// What is added to a right record to number all records.
    right_offset: u32,
    /// Whether its pairs are the results of the job.
    has_results: bool,
}

impl<'a> Pipeline<'a> {
    /// Pairs go through `stages`, in order, then to `components`, if these are formed, and to the sort.
    pub fn new(stages: Vec<&'a dyn PairStage>, components: Option<&'a Components>, right_offset: u32) -> Self {
        Self { stages, components, right_offset, has_results: true }
    }

    /// Pairs go to the sort alone, beside the results of the job.
    pub fn beside_results() -> Self {
        Self { stages: Vec::new(), components: None, right_offset: 0, has_results: false }
    }

    /// Pairs go to a stage that keeps none.
    pub fn to_stage(stage: &'a dyn PairStage) -> Self {
        Self { stages: vec![stage], ..Self::beside_results() }
    }

    /// Whether its pairs are the results of the job.
    pub fn has_results(&self) -> bool {
        self.has_results
    }

    /// Whether nothing stands between the verifier and the components: these may then be joined elsewhere.
    pub fn is_direct(&self) -> bool {
        self.stages.is_empty() && self.components.is_some()
    }

    /// How devices do what its only stage does, where they can.
    pub fn on_device(&self) -> Option<DeviceStage<'_>> {
        match self.stages[..] {
            [stage] => stage.on_device(),
            _ => None,
        }
    }

    /// Whether devices may join components of pairs that nothing on the host can remove.
    pub fn lets_devices_join(&self) -> bool {
        self.components.is_some() && (self.stages.is_empty() || self.on_device().is_some())
    }

    /// The components that devices may join.
    pub fn joined_by_devices(&self) -> Option<&'a Components> {
        self.components.filter(|_| self.lets_devices_join())
    }

    /// What is added to a right record to number all records, as the components do.
    pub fn right_offset(&self) -> u32 {
        self.right_offset
    }

    /// Pairs come next.
    pub fn begin(&self) {
        self.stages.iter().for_each(|stage| stage.begin());
    }

    /// Takes what a device has counted in place of keeping pairs.
    pub fn take_counts(&self, counts: &[(u64, u64)]) {
        if !counts.is_empty() {
            self.stages.iter().for_each(|stage| stage.take_counts(counts));
        }
    }

    /// The pairs that a stage has scored on the host so far, if one scores.
    pub fn scored_by_host(&self) -> Option<u64> {
        self.stages.iter().find_map(|stage| stage.scored_by_host())
    }

    /// A branch begins that may have to be undone.
    pub fn mark(&self) {
        self.stages.iter().for_each(|stage| stage.mark());
    }

    /// The branch is undone.
    pub fn roll_back(&self) {
        self.stages.iter().for_each(|stage| stage.roll_back());
    }

    /// The components, if pairs form them.
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
        if batch.scores.is_empty() {
            batch.pairs.iter().try_for_each(|pair| self.take_staged(*pair, PairScore::NONE, sorted))?;
        } else {
            let mut pairs = batch.pairs.iter().zip(&batch.scores);
            pairs.try_for_each(|(pair, score)| self.take_staged(*pair, *score, sorted))?;
        }
        let kept = batch.pairs.len() as u64;
        batch.clear();
        Ok(kept)
    }

    /// Takes a pair that has been through all stages, with what it carries.
    #[inline]
    pub fn take_staged(&self, pair: Pair, score: PairScore, sorted: &mut PairBuffer) -> Result<()> {
        if let Some(components) = self.components {
            components.join(pair.l, self.right_offset + pair.r);
        }
        sorted.push_scored(pair, score)
    }

    /// Takes a pair whose components have been joined elsewhere, which only happens where no stage wants to see it.
    #[inline]
    pub fn take_joined(&self, pair: Pair, score: PairScore, sorted: &mut PairBuffer) -> Result<()> {
        debug_assert!(self.lets_devices_join(), "a stage would miss this pair");
        sorted.push_scored(pair, score)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::output::PairSorter;
    use crate::verify::Truth;

    /// Keeps the pairs for which predicate 7 is true, has them carry their right rows, and remembers what it saw.
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
            let score = |pair: &Pair| PairScore::new(f64::from(pair.r));
            batch.retain_scored(|at, pair| (verdicts[at] == Truth::True).then(|| score(pair)));
            Ok(())
        }
    }

    #[test]
    fn a_stage_sees_verdicts_and_what_it_removes_is_neither_clustered_nor_written() {
        let (stage, components) = (OnlyTrue::default(), Components::new(8));
        let sorter = PairSorter::with_scores(1 << 16, 1, None).unwrap();
        let mut buffer = sorter.buffer();
        let pipeline = Pipeline::new(vec![&stage], Some(&components), 4);
        assert_eq!((pipeline.wanted_predicates(), pipeline.is_direct()), (vec![7], false));
        let pair = |l, r| Pair { l, r, rule: 0 };
        let mut batch = PairBatch {
            pairs: vec![pair(0, 1), pair(1, 2), pair(3, 3)],
            verdicts: vec![vec![Truth::True, Truth::Unknown, Truth::True]],
            scores: Vec::new(),
        };
        assert_eq!(pipeline.take(&mut batch, &mut buffer).unwrap(), 2);
        assert!(batch.pairs.is_empty() && batch.verdicts[0].is_empty());
        let rows = sorter.finish(vec![buffer]).unwrap().read_scored(0..2).unwrap();
        assert_eq!(rows.pairs, [pair(0, 1), pair(3, 3)]);
        assert_eq!(rows.scores, [1.0, 3.0].map(PairScore::new));
        assert_eq!(components.into_roots(), [0, 1, 2, 3, 4, 0, 6, 3]);
        assert_eq!(stage.seen.lock().unwrap().len(), 3);
    }
}
