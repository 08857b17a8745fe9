//! The flattened tree of a branch: checks in depth-first order, each with the step to jump to where nothing passes.
//!
//! No recursion: a step reads the candidates that its parent left (the selection of its depth) and leaves those that
//! pass for its children. Where none pass, the run goes on after the step's subtree.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::rules::{Conjunction, Literal};

use super::program::Program;

/// One check of a branch's tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What must hold.
    pub literal: Literal,
    /// How many steps lie above it.
    pub depth: usize,
    /// The first step after its subtree.
    pub skip: usize,
    /// The branch's conjunctions that hold where this passes, by their place in the branch.
    pub complete: Vec<usize>,
}

/// What the verifier has to know of a branch.
#[derive(Clone, Debug)]
pub struct BranchProgram {
    /// The checks, depth first.
    pub steps: Vec<Step>,
    /// Conjunctions of the branch that its access condition settles, by their place in the branch.
    pub settled: Vec<usize>,
    /// Literals that the access condition makes hold.
    pub implied: Vec<Literal>,
    /// The conjunctions of the branch, ascending.
    pub(super) mine: Vec<usize>,
    /// Whether a conjunction is one of the branch.
    pub(super) is_mine: Vec<bool>,
    /// The literals of every conjunction, in the order they are evaluated where another branch decides it.
    pub(super) asked: Vec<Vec<Literal>>,
    /// The conjunctions of `never` rules, with literals in that order.
    pub(super) nevers: Vec<Conjunction>,
    /// Those that only say which `never` is the first to forbid a pair.
    pub(super) shadowed_nevers: Vec<Conjunction>,
}

impl BranchProgram {
    /// The branch that decides the conjunctions `mine` (ascending) by `steps`; `rank` orders the literals of conjunctions
    /// that are evaluated one after the other: those before a pair's owner, and `never`.
    pub fn new(
        program: &Program,
        mine: Vec<usize>,
        steps: Vec<Step>,
        settled: Vec<usize>,
        implied: Vec<Literal>,
        rank: &dyn Fn(Literal) -> f64,
    ) -> Self {
        let ordered = |literals: &Vec<Literal>| -> Vec<Literal> {
            let mut literals: Vec<(f64, Literal)> = literals.iter().map(|l| (rank(*l), *l)).collect();
            literals.sort_by(|a, b| b.0.total_cmp(&a.0));
            literals.into_iter().map(|(_, literal)| literal).collect()
        };
        let mut is_mine = vec![false; program.conjunctions.len()];
        mine.iter().for_each(|index| is_mine[*index] = true);
        let asked = program.conjunctions.iter().map(|c| ordered(&c.literals)).collect();
        let never = |c: &Conjunction| Conjunction { rule: c.rule, literals: ordered(&c.literals) };
        let nevers = program.nevers.iter().map(never).collect();
        let shadowed_nevers = program.shadowed_nevers.iter().map(never).collect();
        Self { steps, settled, implied, mine, is_mine, asked, nevers, shadowed_nevers }
    }
}

/// What came of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepCount {
    /// Candidates that reached it.
    pub tried: u64,
    /// Candidates that passed.
    pub passed: u64,
    /// Time of all threads.
    pub time: Duration,
}

impl StepCount {
    /// Adds another worker's.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        self.tried += other.tried;
        self.passed += other.passed;
        self.time += other.time;
    }
}
