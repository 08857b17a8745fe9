//! A branch while it runs: its checks, what they have passed so far, and a better order where that is far from what was
//! expected.
//!
//! A wrong estimate costs little: a check that passes ten times the share that drawn pairs had promised
//! makes the planner order the branch's checks again, with what was seen; tasks that begin later run by the new order. A
//! device, which runs many tasks at a time, tries a few of them first.
//! The pairs of a branch do not depend on the order, so a change is safe at any moment.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::plan::{Branch, Estimated, Misestimate, PlanRevision, Planner};
use crate::rules::Literal;
use crate::verify::{BranchProgram, Program, StepCount};

/// When a check counts as misestimated.
#[derive(Clone, Copy, Debug)]
struct RevisionLimits {
    /// How many times the expected share of candidates it must have passed.
    far: f64,
    /// Candidates that it must have seen.
    enough: u64,
    /// Candidates of a branch that are worth a trial on a device.
    tried_from: f64,
}

impl RevisionLimits {
    const USUAL: Self = Self { far: 10.0, enough: 1 << 14, tried_from: (1_u64 << 30) as f64 };

    /// The usual ones or, for tests, those of branches of any size.
    fn new(far: Option<f64>) -> Self {
        far.map_or(Self::USUAL, |far| Self { far, enough: 1, tried_from: 0.0 })
    }
}

/// A branch with its checks in some order.
pub struct Revision {
    /// The branch.
    pub branch: Branch,
    /// As the verifier runs it.
    pub program: BranchProgram,
    counts: Mutex<Vec<StepCount>>,
}

impl Revision {
    fn new(branch: Branch, program: &Program) -> Self {
        let counts = Mutex::new(vec![StepCount::default(); branch.steps.len()]);
        Self { program: branch.program(program), branch, counts }
    }

    /// What came of its checks.
    pub fn counts(&self) -> Vec<StepCount> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds what came of some candidates.
    pub fn add(&self, counts: &[StepCount]) {
        let mut all = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter_mut().zip(counts).for_each(|(all, more)| all.add(more));
    }

    /// Forgets what came of its checks.
    pub fn clear_counts(&self) {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).fill(StepCount::default());
    }

    /// The checks that passed far more than was expected, with the share they passed, but for those `known`.
    fn misestimates(&self, counts: &[StepCount], known: &[Misestimate], limits: RevisionLimits) -> Vec<Misestimate> {
        let steps = self.branch.steps.iter().zip(&self.branch.weights).zip(counts.iter());
        let misestimated = steps.filter_map(|((step, weight), count)| {
            let (passed, expected) = (count.passed as f64 / count.tried.max(1) as f64, weight.passes?);
            let is_new = !known.iter().any(|misestimate| misestimate.what == Estimated::Share(step.literal));
            (count.tried >= limits.enough && passed >= limits.far * expected && is_new).then_some(Misestimate {
                what: Estimated::Share(step.literal),
                expected,
                seen: passed,
            })
        });
        misestimated.collect()
    }
}

/// A branch while it runs.
pub struct AdaptiveBranch<'w, 'p> {
    /// Who orders checks; without one, they stay as they are.
    planner: Option<&'w Planner<'p>>,
    program: &'w Program,
    limits: RevisionLimits,
    current: RwLock<Arc<Revision>>,
    misestimates: Mutex<Vec<Misestimate>>,
    /// Whether a device has tried it.
    is_tried: AtomicBool,
}

impl<'w, 'p> AdaptiveBranch<'w, 'p> {
    /// A branch that begins, and whose checks a planner may order again. A check may pass `far` times the share that was
    /// expected, or the usual number of times.
    pub fn new(branch: Branch, planner: Option<&'w Planner<'p>>, program: &'w Program, far: Option<f64>) -> Self {
        Self {
            planner,
            program,
            limits: RevisionLimits::new(far),
            current: RwLock::new(Arc::new(Revision::new(branch, program))),
            misestimates: Mutex::default(),
            is_tried: AtomicBool::new(false),
        }
    }

    /// Whether a device had better try some of its tasks before it runs all of them. It is tried once.
    pub fn is_worth_a_trial(&self) -> bool {
        let branch = &self.current().branch;
        let pays = branch.steps.len() > 1 && branch.candidates >= self.limits.tried_from;
        pays && self.planner.is_some() && !self.is_tried.swap(true, Relaxed)
    }

    /// The order that a task which begins now runs by.
    pub fn current(&self) -> Arc<Revision> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was changed so far, and why.
    pub fn revisions(&self) -> Vec<PlanRevision> {
        let conjunctions = &self.current().branch.conjunctions;
        let misestimates = self.misestimates.lock().unwrap_or_else(PoisonError::into_inner);
        let revision = |cause: &Misestimate| PlanRevision { conjunctions: conjunctions.clone(), cause: cause.clone() };
        misestimates.iter().map(revision).collect()
    }

    /// A task has ended; if what it saw is far from what was expected, later tasks run by another order.
    pub fn ended(&self, revision: &Arc<Revision>, counts: &[StepCount]) {
        revision.add(counts);
        self.tried(revision, &revision.counts());
    }

    /// The same for candidates that were only tried: nothing came of them.
    pub fn tried(&self, revision: &Arc<Revision>, counts: &[StepCount]) {
        let Some(planner) = self.planner else { return };
        let mut seen = self.misestimates.lock().unwrap_or_else(PoisonError::into_inner);
        let new = revision.misestimates(counts, &seen, self.limits);
        if new.is_empty() || !Arc::ptr_eq(revision, &self.current()) {
            return;
        }
        seen.extend(new);
        let passed = |literal: Literal| seen.iter().find(|m| m.what == Estimated::Share(literal)).map(|m| m.seen);
        let branch = planner.reordered(&revision.branch, &passed);
        if branch.steps != revision.branch.steps {
            *self.current.write().unwrap_or_else(PoisonError::into_inner) =
                Arc::new(Revision::new(branch, self.program));
        }
    }
}
