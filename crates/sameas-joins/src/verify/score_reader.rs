//! Scores on the host, a batch of pairs at a time: each node of each tree has a list of the pairs that have come to it.

use super::code_states::{CodeStates, DIGITS};
use super::known_outcomes::OPEN;
use super::outcome_tree::{EvaluationEffort, OutcomeStep, next_of};
use super::program::Program;
use super::score_program::{ScoreProgram, ScoredComparison};
use crate::candidates::Batch;
use crate::records::encode::NULL;
use crate::threshold::{Check, Sides, Truth};

/// One thread's reader of scores, with the memory of the batch at hand.
pub struct ScoreReader<'a> {
    program: &'a Program,
    /// The verdict of each pair on the predicate at hand; unknown between two predicates.
    verdicts: Vec<Truth>,
    /// The state of each pair, of the codes at hand.
    states: Vec<u16>,
    /// The pairs at each node of each comparison.
    waiting: Vec<Vec<Vec<u32>>>,
    /// The bound of each pair: its score where that reaches the threshold that it was read for.
    bounds: Vec<i64>,
    /// The pattern of each pair whose score reaches the threshold.
    patterns: Vec<u64>,
}

impl<'a> ScoreReader<'a> {
    /// A reader of pairs of the records of a program.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            verdicts: Vec::new(),
            states: Vec::new(),
            waiting: Vec::new(),
            bounds: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// The scores of the pairs of a batch where they reach the threshold; of the others something below it. Every batch is
    /// read by the same program.
    pub fn scores(&mut self, batch: &Batch, by: &ScoreProgram<'_>) -> &[i64] {
        self.read(batch, by, by.threshold);
        &self.bounds
    }

    /// The scores of the pairs of a batch, whatever they are.
    pub fn all_scores(&mut self, batch: &Batch, by: &ScoreProgram<'_>) -> &[i64] {
        self.read(batch, by, i64::MIN);
        &self.bounds
    }

    /// The patterns of the pairs of a batch.
    pub fn patterns(&mut self, batch: &Batch, by: &ScoreProgram<'_>) -> &[u64] {
        self.read(batch, by, by.threshold);
        &self.patterns
    }

    /// Reads the pairs of a batch, each as far as it can reach the threshold.
    fn read(&mut self, batch: &Batch, by: &ScoreProgram<'_>, threshold: i64) {
        let pairs = batch.l.len();
        self.verdicts.resize(pairs, Truth::Unknown);
        self.bounds.clear();
        self.bounds.resize(pairs, by.first);
        self.patterns.clear();
        self.patterns.resize(pairs, 0);
        if self.waiting.len() != by.comparisons.len() {
            self.waiting = by.comparisons.iter().map(|of| vec![Vec::new(); of.tree.nodes.len()]).collect();
        }
        self.waiting.iter_mut().flatten().for_each(Vec::clear);
        by.code_states.iter().for_each(|codes| self.look_at_codes(batch, by, threshold, codes));
        for effort in [EvaluationEffort::Measure, EvaluationEffort::Expression] {
            for (at, comparison) in by.comparisons.iter().enumerate() {
                let mut waiting = std::mem::take(&mut self.waiting[at]);
                if effort == EvaluationEffort::Measure {
                    waiting.iter_mut().for_each(|here| self.forget(threshold, here));
                    self.look_up(batch, comparison, &mut waiting);
                }
                self.walk(batch, comparison, threshold, effort, &mut waiting);
                self.waiting[at] = waiting;
            }
        }
    }

    /// Takes all pairs as far as codes do. Without branches: verdicts on codes are hard to predict.
    fn look_at_codes(&mut self, batch: &Batch, by: &ScoreProgram<'_>, threshold: i64, codes: &CodeStates) {
        self.states.clear();
        self.states.resize(batch.l.len(), 0);
        let mut digit = 1;
        for predicate in &codes.predicates {
            self.add_digits(*predicate, digit, batch);
            digit *= DIGITS.len() as u16;
        }
        for ((state, bound), pattern) in self.states.iter().zip(&mut self.bounds).zip(&mut self.patterns) {
            let state = &codes.states[usize::from(*state)];
            *bound += state.change;
            *pattern += state.part;
        }
        if codes.states.iter().any(|state| !state.adjusted.is_empty()) {
            self.adjust(batch, by, codes);
        }
        for entry in &codes.entries {
            let list = &mut self.waiting[entry.comparison][entry.node];
            list.resize(self.states.len(), 0);
            let mut kept = 0;
            for (pair, (state, bound)) in self.states.iter().zip(&self.bounds).enumerate() {
                list[kept] = pair as u32;
                kept += usize::from(entry.is_reached[usize::from(*state)] & (*bound >= threshold));
            }
            list.truncate(kept);
        }
    }

    /// Puts the adjustments of outcomes that codes have shown in place of the largest ones.
    fn adjust(&mut self, batch: &Batch, by: &ScoreProgram<'_>, codes: &CodeStates) {
        for (pair, state) in self.states.iter().enumerate() {
            for (at, outcome) in &codes.states[usize::from(*state)].adjusted {
                self.bounds[pair] += self.correction(batch, &by.comparisons[*at], *outcome, pair as u32);
            }
        }
    }

    /// Adds the verdicts on a predicate, times `digit`, to the states of all pairs.
    fn add_digits(&mut self, predicate: usize, digit: u16, batch: &Batch) {
        let rows = batch.l.iter().zip(&batch.r);
        if let Check::Equal { operands, null_safe: false } = &self.program.checks[predicate] {
            let columns = &self.program.encoded.columns;
            let (l, r) = (&columns[operands.left].codes[..], &columns[operands.right].codes[..]);
            for (state, (a, b)) in self.states.iter_mut().zip(rows) {
                let (a, b) = (l[*a as usize], r[*b as usize]);
                *state += digit * if (a == NULL) | (b == NULL) { 2 } else { u16::from(a == b) };
            }
            return;
        }
        let all: Vec<u32> = (0..batch.l.len() as u32).collect();
        self.program.evaluate(predicate, batch, &all, &mut self.verdicts);
        for (state, verdict) in self.states.iter_mut().zip(&mut self.verdicts) {
            *state += digit * next_of(&[0, 1, 2], std::mem::take(verdict)) as u16;
        }
    }

    /// Leaves of some pairs those that can still reach the threshold.
    fn forget(&self, threshold: i64, pairs: &mut Vec<u32>) {
        let mut kept = 0;
        for at in 0..pairs.len() {
            let pair = pairs[at];
            pairs[kept] = pair;
            kept += usize::from(self.bounds[pair as usize] >= threshold);
        }
        pairs.truncate(kept);
    }

    /// Gives pairs of frequent values that were measured before their outcomes.
    fn look_up(&mut self, batch: &Batch, comparison: &ScoredComparison<'_>, waiting: &mut [Vec<u32>]) {
        let Some(known) = comparison.known(self.program) else { return };
        let (read, nodes) = (ReadCodes::new(self.program, known.operands, batch), &comparison.tree.nodes);
        for (node, here) in nodes.iter().zip(waiting).filter(|(_, here)| !here.is_empty()) {
            // What is open adds nothing.
            let (mut changes, mut parts) = ([0; 256], [0; 256]);
            for (outcome, (weight, part)) in comparison.outcome_weights().iter().zip(&comparison.parts).enumerate() {
                (changes[outcome], parts[outcome]) = (weight - node.most, *part);
            }
            let mut kept = 0;
            for at in 0..here.len() {
                let pair = here[at];
                let (a, b) = read.of_pair(pair);
                let outcome = known.get(a, b);
                here[kept] = pair;
                kept += usize::from(outcome == OPEN);
                self.bounds[pair as usize] += changes[usize::from(outcome)];
                self.patterns[pair as usize] += parts[usize::from(outcome)];
                if outcome != OPEN && comparison.is_adjusted(u32::from(outcome)) {
                    self.bounds[pair as usize] += self.correction(batch, comparison, u32::from(outcome), pair);
                }
            }
            here.truncate(kept);
        }
    }

    /// Takes the pairs of a comparison as far as predicates of this effort do.
    fn walk(
        &mut self,
        batch: &Batch,
        comparison: &ScoredComparison<'_>,
        threshold: i64,
        effort: EvaluationEffort,
        waiting: &mut [Vec<u32>],
    ) {
        let known = comparison.known(self.program);
        let known = known.map(|known| (known, ReadCodes::new(self.program, known.operands, batch)));
        for (at, node) in comparison.tree.nodes.iter().enumerate() {
            let OutcomeStep::Ask { predicate, effort: own, next } = node.step else { continue };
            if own > effort || waiting[at].is_empty() {
                continue;
            }
            let mut here = std::mem::take(&mut waiting[at]);
            self.forget(threshold, &mut here);
            self.program.evaluate(predicate, batch, &here, &mut self.verdicts);
            for pair in here.drain(..) {
                let to = next_of(&next, std::mem::take(&mut self.verdicts[pair as usize]));
                let after = &comparison.tree.nodes[to as usize];
                self.bounds[pair as usize] += after.most - node.most;
                let OutcomeStep::Reached(outcome) = after.step else {
                    waiting[to as usize].push(pair);
                    continue;
                };
                self.patterns[pair as usize] += comparison.parts[outcome as usize];
                if comparison.is_adjusted(outcome) {
                    self.bounds[pair as usize] += self.correction(batch, comparison, outcome, pair);
                }
                if let Some((known, read)) = &known {
                    let (a, b) = read.of_pair(pair);
                    known.put(a, b, outcome);
                }
            }
            waiting[at] = here;
        }
    }

    /// What replaces the largest adjustment where the outcome of a pair is known.
    fn correction(&self, batch: &Batch, comparison: &ScoredComparison<'_>, outcome: u32, pair: u32) -> i64 {
        let row = batch.l[pair as usize] as usize;
        comparison.correction(outcome, |operand| self.program.encoded.columns[operand].codes[row])
    }
}

/// The codes of two operands for the pairs of a batch.
struct ReadCodes<'a> {
    l: &'a [u32],
    r: &'a [u32],
    batch: &'a Batch,
}

impl<'a> ReadCodes<'a> {
    fn new(program: &'a Program, operands: Sides<usize>, batch: &'a Batch) -> Self {
        let columns = &program.encoded.columns;
        Self { l: &columns[operands.left].codes, r: &columns[operands.right].codes, batch }
    }

    #[inline]
    fn of_pair(&self, pair: u32) -> (u32, u32) {
        (self.l[self.batch.l[pair as usize] as usize], self.r[self.batch.r[pair as usize] as usize])
    }
}
