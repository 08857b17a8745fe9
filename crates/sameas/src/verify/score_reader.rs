//! Scores on the host, a batch of pairs at a time: each node of each tree has a list of the pairs that have come to it.

use super::outcome_tree::{AskEffort, OutcomeStep, next_of};
use super::program::Program;
use super::score_program::{ScoreProgram, ScoredComparison};
use crate::candidates::Batch;
use crate::threshold::Truth;

/// One thread's reader of scores, with the memory of the batch at hand.
pub struct ScoreReader<'a> {
    program: &'a Program,
    /// Verdicts by predicate, then pair; empty where a predicate was not evaluated.
    truths: Vec<Vec<Truth>>,
    /// The pairs at each node of each comparison.
    waiting: Vec<Vec<Vec<u32>>>,
    /// The bound of each pair: its score where that reaches the threshold.
    bounds: Vec<i64>,
    /// The pattern of each pair whose score reaches the threshold.
    patterns: Vec<u64>,
}

impl<'a> ScoreReader<'a> {
    /// A reader of pairs of the records of a program.
    pub fn new(program: &'a Program) -> Self {
        let truths = vec![Vec::new(); program.checks.len()];
        Self { program, truths, waiting: Vec::new(), bounds: Vec::new(), patterns: Vec::new() }
    }

    /// The scores of the pairs of a batch where they reach the threshold; of the others something below it.
    pub fn scores(&mut self, batch: &Batch, by: &ScoreProgram<'_>) -> &[i64] {
        self.read(batch, by);
        &self.bounds
    }

    /// The patterns of the pairs of a batch.
    pub fn patterns(&mut self, batch: &Batch, by: &ScoreProgram<'_>) -> &[u64] {
        self.read(batch, by);
        &self.patterns
    }

    fn read(&mut self, batch: &Batch, by: &ScoreProgram<'_>) {
        let pairs = batch.l.len();
        self.truths.iter_mut().for_each(Vec::clear);
        self.bounds.clear();
        self.bounds.resize(pairs, by.first);
        self.patterns.clear();
        self.patterns.resize(pairs, 0);
        self.waiting.resize_with(by.comparisons.len(), Vec::new);
        for effort in AskEffort::ALL {
            for (at, comparison) in by.comparisons.iter().enumerate() {
                let mut waiting = std::mem::take(&mut self.waiting[at]);
                if effort == AskEffort::ALL[0] {
                    waiting.resize_with(comparison.tree.nodes.len(), Vec::new);
                    waiting.iter_mut().for_each(Vec::clear);
                    for pair in 0..pairs as u32 {
                        if self.bounds[pair as usize] >= by.threshold {
                            self.arrive(batch, comparison, 0, pair, &mut waiting);
                        }
                    }
                }
                self.walk(batch, (comparison, by.threshold), effort, &mut waiting);
                self.waiting[at] = waiting;
            }
        }
    }

    /// Takes the pairs of a comparison as far as predicates of this effort do.
    fn walk(
        &mut self,
        batch: &Batch,
        (comparison, threshold): (&ScoredComparison<'_>, i64),
        effort: AskEffort,
        waiting: &mut [Vec<u32>],
    ) {
        for (at, node) in comparison.tree.nodes.iter().enumerate() {
            let OutcomeStep::Ask { predicate, effort: own, next } = node.step else { continue };
            if own > effort || waiting[at].is_empty() {
                continue;
            }
            let mut here = std::mem::take(&mut waiting[at]);
            here.retain(|pair| self.bounds[*pair as usize] >= threshold);
            self.evaluate(predicate, batch, &here);
            for pair in here.drain(..) {
                let to = next_of(&next, self.truths[predicate][pair as usize]);
                self.bounds[pair as usize] += comparison.tree.nodes[to as usize].most - node.most;
                self.arrive(batch, comparison, to, pair, waiting);
            }
            waiting[at] = here;
        }
    }

    /// A pair comes to a node.
    fn arrive(
        &mut self,
        batch: &Batch,
        comparison: &ScoredComparison<'_>,
        node: u32,
        pair: u32,
        waiting: &mut [Vec<u32>],
    ) {
        match comparison.tree.nodes[node as usize].step {
            OutcomeStep::Ask { .. } => waiting[node as usize].push(pair),
            OutcomeStep::Reached(outcome) => {
                let row = batch.l[pair as usize] as usize;
                let code = |operand: usize| self.program.encoded.columns[operand].codes[row];
                self.bounds[pair as usize] += comparison.correction(outcome, code);
                self.patterns[pair as usize] += comparison.parts[outcome as usize];
            }
        }
    }

    fn evaluate(&mut self, predicate: usize, batch: &Batch, pairs: &[u32]) {
        let truths = &mut self.truths[predicate];
        if truths.is_empty() {
            truths.resize(batch.l.len(), Truth::Unknown);
        }
        self.program.evaluate(predicate, batch, pairs, truths);
    }
}
