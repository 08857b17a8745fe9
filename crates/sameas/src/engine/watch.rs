//! A branch under way: its checks, what they have passed so far, and a better order where that is far from what was
//! expected.
//!
//! A wrong estimate cannot hurt beyond measure: a check that passes ten times the share that drawn pairs had promised
//! makes the planner order the branch's checks anew, with what was seen; tasks that begin later run by the new order.
//! The pairs of a branch do not depend on the order, so a change is safe at any moment.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::plan::{Branch, Planner};
use crate::rules::Literal;
use crate::verify::{BranchProgram, Program, StepCount};

/// How far from the expected share a check may be.
const SURPRISE: f64 = 10.0;

/// Candidates that a check must have seen before it can surprise.
const ENOUGH: u64 = 1 << 14;

/// A branch with its checks in some order.
pub struct Version {
    /// The branch.
    pub branch: Branch,
    /// As the verifier runs it.
    pub program: BranchProgram,
    counts: Mutex<Vec<StepCount>>,
}

impl Version {
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
    #[cfg(feature = "gpu")]
    pub fn clear_counts(&self) {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).fill(StepCount::default());
    }

    /// The checks that passed far more than was expected, with the share they passed, but for those `known`.
    fn surprises(&self, known: &[Surprise]) -> Vec<Surprise> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let steps = self.branch.steps.iter().zip(&self.branch.weights).zip(counts.iter());
        let surprising = steps.filter_map(|((step, weight), count)| {
            let (passed, expected) = (count.passed as f64 / count.tried.max(1) as f64, weight.passes?);
            let is_new = !known.iter().any(|surprise| surprise.literal == step.literal);
            (count.tried >= ENOUGH && passed >= SURPRISE * expected && is_new).then_some(Surprise {
                literal: step.literal,
                passed,
                expected,
            })
        });
        surprising.collect()
    }
}

/// A check that passed far more than was expected.
#[derive(Clone, Copy, Debug)]
pub struct Surprise {
    /// The check.
    pub literal: Literal,
    /// The share that passed of the candidates that reached it.
    pub passed: f64,
    /// The share that was expected.
    pub expected: f64,
}

/// A branch under way.
pub struct Watched<'w, 'p> {
    planner: &'w Planner<'p>,
    program: &'w Program,
    current: RwLock<Arc<Version>>,
    seen: Mutex<Vec<Surprise>>,
}

impl<'w, 'p> Watched<'w, 'p> {
    /// A branch that begins.
    pub fn new(branch: Branch, planner: &'w Planner<'p>, program: &'w Program) -> Self {
        let current = RwLock::new(Arc::new(Version::new(branch, program)));
        Self { planner, program, current, seen: Mutex::default() }
    }

    /// The order that a task which begins now runs by.
    pub fn current(&self) -> Arc<Version> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What has surprised so far.
    pub fn surprises(&self) -> Vec<Surprise> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A task has ended; if what it saw is far from what was expected, later tasks run by another order.
    pub fn ended(&self, version: &Arc<Version>, counts: &[StepCount]) {
        version.add(counts);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let new = version.surprises(&seen);
        if new.is_empty() || !Arc::ptr_eq(version, &self.current()) {
            return;
        }
        seen.extend(new);
        let passed = |literal: Literal| seen.iter().find(|s| s.literal == literal).map(|s| s.passed);
        let branch = self.planner.reordered(&version.branch, &passed);
        if branch.steps != version.branch.steps {
            *self.current.write().unwrap_or_else(PoisonError::into_inner) =
                Arc::new(Version::new(branch, self.program));
        }
    }
}
