//! Conjunctions over a batch of candidates, and the owner of each pair.
//!
//! A pair that passes belongs to the first conjunction that holds, in the order of the rule set. Each conjunction lives
//! in one branch of the plan; a branch emits a pair only if no conjunction before it, in whatever branch, holds. So no
//! pair is emitted twice, and no set of pairs is kept. Verdicts are remembered per predicate and candidate, so that no
//! predicate is evaluated twice for a pair.

use crate::candidates::{BATCH, Batch};
use crate::output::Pair;
use crate::rules::{Conjunction, Literal};

use super::check::Truth;
use super::program::Program;

/// What a worker counted.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Candidates seen.
    pub candidates: u64,
    /// Pairs per rule, whatever other rules say.
    pub alone: Vec<u64>,
    /// Pairs per rule that no earlier rule has.
    pub owned: Vec<u64>,
}

impl Tally {
    /// Zero for each of the rules.
    pub fn new(rules: usize) -> Self {
        Self { candidates: 0, alone: vec![0; rules], owned: vec![0; rules] }
    }

    /// Adds the counts of another worker.
    pub fn add(&mut self, other: &Self) {
        self.candidates += other.candidates;
        self.alone.iter_mut().zip(&other.alone).for_each(|(a, b)| *a += b);
        self.owned.iter_mut().zip(&other.owned).for_each(|(a, b)| *a += b);
    }
}

/// What the verifier has to know of a branch.
#[derive(Debug)]
pub struct BranchProgram {
    steps: Vec<Step>,
    implied: Vec<Literal>,
}

/// A conjunction of the branch, and those before it that other branches decide, of its own rule and of others.
#[derive(Debug)]
struct Step {
    rule: usize,
    /// What its access condition has not settled yet.
    literals: Vec<Literal>,
    same_rule: Vec<usize>,
    other_rules: Vec<usize>,
}

impl BranchProgram {
    /// The branch that decides the conjunctions `mine`, whose access condition makes the literals `implied` hold.
    pub fn new(program: &Program, mine: &[usize], implied: Vec<Literal>) -> Self {
        let rule = |index: usize| program.conjunctions[index].rule;
        let step = |&conjunction: &usize| {
            let before = (0..conjunction).filter(|index| !mine.contains(index));
            let (same_rule, other_rules) = before.partition(|index| rule(*index) == rule(conjunction));
            let open = program.conjunctions[conjunction].literals.iter().filter(|l| !implied.contains(l));
            Step { rule: rule(conjunction), literals: open.copied().collect(), same_rule, other_rules }
        };
        let steps = mine.iter().map(step).collect();
        Self { steps, implied }
    }
}

/// Candidate positions of a batch, ascending.
type Selection = Vec<u32>;

/// One worker's verifier, with the memory of the batch at hand.
pub struct Verifier<'a> {
    program: &'a Program,
    /// Verdicts by predicate, then candidate; empty where a predicate was not asked.
    truths: Vec<Vec<Truth>>,
    /// The rule (plus one) a candidate was counted for last.
    counted: Vec<u32>,
    /// Candidates whose owner is known, here or elsewhere.
    settled: Vec<bool>,
    /// Counts so far.
    pub tally: Tally,
}

impl<'a> Verifier<'a> {
    /// A verifier with nothing counted.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            truths: vec![Vec::new(); program.checks.len()],
            counted: Vec::with_capacity(BATCH),
            settled: Vec::with_capacity(BATCH),
            tally: Tally::new(program.rules),
        }
    }

    /// Decides the candidates of a batch and emits the pairs that the branch owns.
    pub fn verify(&mut self, branch: &BranchProgram, batch: &Batch, emit: &mut impl FnMut(Pair)) {
        self.begin(&branch.implied, batch.l.len());
        let program = self.program;
        for step in &branch.steps {
            let rule = step.rule as u32;
            let open: Selection =
                (0..batch.l.len() as u32).filter(|at| self.counted[*at as usize] != rule + 1).collect();
            let mut passed = self.holding(&step.literals, open, batch);
            self.reject(&mut passed, &program.nevers, batch);
            self.reject(&mut passed, step.same_rule.iter().map(|i| &program.conjunctions[*i]), batch);
            self.tally.alone[step.rule] += passed.len() as u64;
            passed.iter().for_each(|at| self.counted[*at as usize] = rule + 1);
            passed.retain(|at| !std::mem::replace(&mut self.settled[*at as usize], true));
            self.reject(&mut passed, step.other_rules.iter().map(|i| &program.conjunctions[*i]), batch);
            self.tally.owned[step.rule] += passed.len() as u64;
            for at in passed {
                emit(Pair { l: batch.l[at as usize], r: batch.r[at as usize], rule });
            }
        }
    }

    fn begin(&mut self, implied: &[Literal], candidates: usize) {
        self.tally.candidates += candidates as u64;
        self.truths.iter_mut().for_each(Vec::clear);
        for literal in implied {
            self.truths[literal.predicate].resize(candidates, Truth::from(literal.want));
        }
        self.counted.clear();
        self.counted.resize(candidates, 0);
        self.settled.clear();
        self.settled.resize(candidates, false);
    }

    /// Those of the selection for which all literals hold.
    fn holding(&mut self, literals: &[Literal], mut selection: Selection, batch: &Batch) -> Selection {
        for literal in literals {
            if selection.is_empty() {
                break;
            }
            let truths = &mut self.truths[literal.predicate];
            if truths.is_empty() {
                truths.resize(batch.l.len(), Truth::Unknown);
            }
            self.program.checks[literal.predicate].evaluate(&self.program.encoded, batch, &selection, truths);
            let want = Truth::from(literal.want);
            selection.retain(|at| truths[*at as usize] == want);
        }
        selection
    }

    /// Takes out of the selection those for which one of the conjunctions holds.
    fn reject<'c>(
        &mut self,
        selection: &mut Selection,
        conjunctions: impl IntoIterator<Item = &'c Conjunction>,
        batch: &Batch,
    ) {
        for conjunction in conjunctions {
            if selection.is_empty() {
                return;
            }
            let mut held = self.holding(&conjunction.literals, selection.clone(), batch).into_iter().peekable();
            selection.retain(|at| held.next_if_eq(at).is_none());
        }
    }
}
