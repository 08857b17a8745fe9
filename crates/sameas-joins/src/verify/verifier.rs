//! The tree of a branch over a batch of candidates, and the owner of each pair.
//!
//! A pair that passes belongs to the first conjunction that holds, in the order of the rule set. Each conjunction lives
//! in one branch of the plan; a branch emits a pair only if no conjunction before it, in whatever branch, holds. So no
//! pair is emitted twice, and no set of pairs is kept. Verdicts are remembered per predicate and candidate, so that no
//! predicate is evaluated twice for a pair.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::candidates::{BATCH, Batch};
use crate::pairs::Pair;
use crate::rules::Literal;
use crate::threshold::Truth;

use super::pair_batch::PairBatch;
use super::program::Program;
use super::steps::{BranchProgram, StepCount};

/// What a worker counted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Candidates seen.
    pub candidates: u64,
    /// Pairs per rule, whatever other rules say.
    pub alone: Vec<u64>,
    /// Pairs per rule that no earlier rule has.
    pub owned: Vec<u64>,
    /// Pairs of some rule that a `never` forbids, per `never`: those that no earlier one forbids.
    #[serde(default)]
    pub forbidden: Vec<u64>,
}

impl Tally {
    /// Zero for each rule and each `never` of a program.
    pub fn new(program: &Program) -> Self {
        let zeros = |number: usize| vec![0; number];
        Self {
            candidates: 0,
            alone: zeros(program.rules),
            owned: zeros(program.rules),
            forbidden: zeros(program.never_rules),
        }
    }

    /// What was counted since an earlier state of it.
    pub fn since(&self, earlier: &Self) -> Self {
        let less = |now: &[u64], before: &[u64]| now.iter().zip(before).map(|(now, before)| now - before).collect();
        Self {
            candidates: self.candidates - earlier.candidates,
            alone: less(&self.alone, &earlier.alone),
            owned: less(&self.owned, &earlier.owned),
            forbidden: less(&self.forbidden, &earlier.forbidden),
        }
    }

    /// Adds the counts of another worker.
    pub fn add(&mut self, other: &Self) {
        self.candidates += other.candidates;
        self.alone.iter_mut().zip(&other.alone).for_each(|(a, b)| *a += b);
        self.owned.iter_mut().zip(&other.owned).for_each(|(a, b)| *a += b);
        self.forbidden.iter_mut().zip(&other.forbidden).for_each(|(a, b)| *a += b);
    }
}

/// Candidate positions of a batch, ascending.
type Selection = Vec<u32>;

/// Stands in place of the rule that a candidate was counted for last: a `never` forbids it.
const FORBIDDEN: u32 = u32::MAX;

/// One worker's verifier, with the memory of the batch at hand.
pub struct Verifier<'a> {
    program: &'a Program,
    /// Predicates whose verdicts go with each pair.
    wanted: Vec<usize>,
    /// Verdicts by predicate, then candidate; empty where a predicate was not evaluated.
    truths: Vec<Vec<Truth>>,
    /// The candidates that reached each depth of the tree.
    reached: Vec<Selection>,
    /// The candidates that satisfy each conjunction of the branch.
    held: Vec<Selection>,
    /// The rule (plus one) a candidate was counted for last.
    counted: Vec<u32>,
    /// The `never` that forbids a candidate, where one does.
    forbidden_by: Vec<u32>,
    /// Candidates whose owner is known, here or elsewhere.
    settled: Vec<bool>,
    /// Counts so far.
    pub tally: Tally,
    /// Counts of the steps of the branch at hand.
    pub steps: Vec<StepCount>,
}

impl<'a> Verifier<'a> {
    /// A verifier with nothing counted, which gives the verdicts of `wanted` predicates with each pair.
    pub fn new(program: &'a Program, wanted: Vec<usize>) -> Self {
        Self {
            program,
            wanted,
            truths: vec![Vec::new(); program.checks.len()],
            reached: Vec::new(),
            held: Vec::new(),
            counted: Vec::with_capacity(BATCH),
            forbidden_by: Vec::new(),
            settled: Vec::with_capacity(BATCH),
            tally: Tally::new(program),
            steps: Vec::new(),
        }
    }

    /// Decides the candidates of a batch and adds the pairs that the branch owns to `passed`.
    pub fn verify(&mut self, branch: &BranchProgram, batch: &Batch, passed: &mut PairBatch) {
        self.tally.candidates += batch.l.len() as u64;
        self.begin(branch, batch.l.len());
        self.decide_all(branch, batch, passed);
    }

    /// Decides candidates that a device has counted and left open, with the verdicts it had found.
    pub fn verify_deferred(
        &mut self,
        branch: &BranchProgram,
        batch: &Batch,
        known: impl Iterator<Item = (usize, Vec<Truth>)>,
        passed: &mut PairBatch,
    ) {
        self.begin(branch, batch.l.len());
        for (predicate, verdicts) in known {
            self.truths[predicate] = verdicts;
        }
        self.decide_all(branch, batch, passed);
    }

    fn decide_all(&mut self, branch: &BranchProgram, batch: &Batch, passed: &mut PairBatch) {
        self.descend(branch, batch);
        for (place, conjunction) in branch.mine.iter().enumerate() {
            let held = std::mem::take(&mut self.held[place]);
            if !held.is_empty() {
                self.decide(branch, *conjunction, held, batch, passed);
            }
        }
    }

    fn begin(&mut self, branch: &BranchProgram, candidates: usize) {
        self.truths.iter_mut().for_each(Vec::clear);
        for literal in &branch.implied {
            self.truths[literal.predicate].resize(candidates, Truth::from(literal.want));
        }
        self.counted.clear();
        self.counted.resize(candidates, 0);
        self.settled.clear();
        self.settled.resize(candidates, false);
        self.held.resize_with(branch.mine.len(), Vec::new);
        self.steps.resize(branch.steps.len(), StepCount::default());
        let depths = branch.steps.iter().map(|step| step.depth + 2).max().unwrap_or(1);
        self.reached.resize_with(depths.max(self.reached.len()), Vec::new);
        self.reached[0].clear();
        self.reached[0].extend(0..candidates as u32);
        branch.settled.iter().for_each(|place| self.held[*place].extend(0..candidates as u32));
    }

    /// Walks the tree: every step sees the candidates that its parent left.
    fn descend(&mut self, branch: &BranchProgram, batch: &Batch) {
        let mut at = 0;
        let mut begun = Instant::now();
        while let Some(step) = branch.steps.get(at) {
            let mut passed = std::mem::take(&mut self.reached[step.depth + 1]);
            let tried = std::mem::take(&mut self.reached[step.depth]);
            self.passing(step.literal, &tried, batch, &mut passed);
            let now = Instant::now();
            let (tries, passes, time) = (tried.len() as u64, passed.len() as u64, now - begun);
            self.steps[at].add(&StepCount { tried: tries, passed: passes, time });
            begun = now;
            step.complete.iter().for_each(|place| self.held[*place].clone_from(&passed));
            at = if passed.is_empty() { step.skip } else { at + 1 };
            self.reached[step.depth] = tried;
            self.reached[step.depth + 1] = passed;
        }
    }

    /// Counts the candidates for which a conjunction of the branch holds, and hands on those that it owns.
    fn decide(
        &mut self,
        branch: &BranchProgram,
        conjunction: usize,
        mut held: Selection,
        batch: &Batch,
        passed: &mut PairBatch,
    ) {
        let all = &self.program.conjunctions;
        let rule = all[conjunction].rule;
        let elsewhere = |same_rule: bool| {
            let before = (0..conjunction).filter(move |i| !branch.is_mine[*i] && (all[*i].rule == rule) == same_rule);
            before.map(|i| &branch.asked[i][..])
        };
        held.retain(|at| ![rule as u32 + 1, FORBIDDEN].contains(&self.counted[*at as usize]));
        if !branch.nevers.is_empty() {
            self.forbid(&mut held, branch, conjunction, batch);
        }
        self.reject(&mut held, elsewhere(true), batch);
        self.tally.alone[rule] += held.len() as u64;
        held.iter().for_each(|at| self.counted[*at as usize] = rule as u32 + 1);
        held.retain(|at| !std::mem::replace(&mut self.settled[*at as usize], true));
        self.reject(&mut held, elsewhere(false), batch);
        self.tally.owned[rule] += held.len() as u64;
        let pair = |at: &u32| Pair { l: batch.l[*at as usize], r: batch.r[*at as usize], rule: rule as u32 };
        passed.pairs.extend(held.iter().map(pair));
        for (predicate, verdicts) in self.wanted.iter().zip(&mut passed.verdicts) {
            let known = &self.truths[*predicate];
            verdicts.extend(held.iter().map(|at| known.get(*at as usize).copied().unwrap_or(Truth::Unknown)));
        }
    }

    /// Those of the selection for which a literal holds, into `passed`.
    fn passing(&mut self, literal: Literal, selection: &[u32], batch: &Batch, passed: &mut Selection) {
        let truths = &mut self.truths[literal.predicate];
        if truths.is_empty() {
            truths.resize(batch.l.len(), Truth::Unknown);
        }
        self.program.evaluate(literal.predicate, batch, selection, truths);
        let want = Truth::from(literal.want);
        passed.clear();
        passed.extend(selection.iter().filter(|at| truths[**at as usize] == want));
    }

    /// Takes out of the selection what a `never` forbids. The branch that would own such a pair counts it: for the first
    /// `never` in the order of the rules.
    fn forbid(&mut self, selection: &mut Selection, branch: &BranchProgram, conjunction: usize, batch: &Batch) {
        self.forbidden_by.resize(batch.l.len(), 0);
        let mut forbidden = Selection::new();
        for never in &branch.nevers {
            let held = self.holding(selection, &never.literals, batch);
            for at in &held {
                self.counted[*at as usize] = FORBIDDEN;
                self.forbidden_by[*at as usize] = never.rule as u32;
            }
            remove(selection, &held);
            forbidden.extend(held);
        }
        forbidden.sort_unstable();
        let elsewhere = (0..conjunction).filter(|i| !branch.is_mine[*i]).map(|i| &branch.asked[i][..]);
        self.reject(&mut forbidden, elsewhere, batch);
        for never in &branch.shadowed_nevers {
            for at in self.holding(&forbidden, &never.literals, batch) {
                let first = &mut self.forbidden_by[at as usize];
                *first = never.rule.min(*first as usize) as u32;
            }
        }
        forbidden.iter().for_each(|at| self.tally.forbidden[self.forbidden_by[*at as usize] as usize] += 1);
    }

    /// Takes out of the selection those for which all literals of one of the lists hold.
    fn reject<'c>(
        &mut self,
        selection: &mut Selection,
        conjunctions: impl IntoIterator<Item = &'c [Literal]>,
        batch: &Batch,
    ) {
        for literals in conjunctions {
            if selection.is_empty() {
                return;
            }
            let held = self.holding(selection, literals, batch);
            remove(selection, &held);
        }
    }

    /// Those of the selection for which all literals hold.
    fn holding(&mut self, selection: &Selection, literals: &[Literal], batch: &Batch) -> Selection {
        let (mut held, mut next) = (selection.clone(), Selection::new());
        for literal in literals {
            if held.is_empty() {
                break;
            }
            self.passing(*literal, &held, batch, &mut next);
            std::mem::swap(&mut held, &mut next);
        }
        held
    }
}

/// Takes some of a selection, in its order, out of it.
fn remove(selection: &mut Selection, some: &[u32]) {
    let mut some = some.iter().peekable();
    selection.retain(|at| some.next_if_eq(&at).is_none());
}
