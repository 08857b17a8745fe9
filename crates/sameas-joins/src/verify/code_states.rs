//! What looking at codes says about all comparisons at once.
//!
//! Trees of several comparisons begin with the same few predicates: equalities, conditions on one record, verdict tables. For
//! every combination of their verdicts, a state has what follows: which outcomes are known and what they come to, and at
//! which node each of the other trees goes on. So a pair costs one look-up, however many trees there are.

use super::outcome_tree::{EvaluationEffort, OutcomeStep, OutcomeTree, next_of};
use super::score_program::ScoredComparison;
use crate::threshold::Truth;

/// Predicates of one table at most: each multiplies its states by three.
const MOST_PREDICATES: usize = 6;

/// Verdicts of a predicate, in the order of their digits.
pub const DIGITS: [Truth; 3] = [Truth::False, Truth::True, Truth::Null];

/// The states of some comparisons.
#[derive(Clone, Debug)]
pub struct CodeStates {
    /// The predicates, each a digit of a state's number; the first is the lowest.
    pub predicates: Vec<usize>,
    /// By number.
    pub states: Vec<CodeState>,
    /// Where trees go on that need more than codes.
    pub entries: Vec<TreeEntry>,
}

/// What some verdicts say.
#[derive(Clone, Debug, Default)]
pub struct CodeState {
    /// What they add to the bound of a pair.
    pub change: i64,
    /// What they add to its pattern.
    pub part: u64,
    /// Comparisons whose outcome is known and adjusted by the frequency of a value.
    pub adjusted: Vec<(usize, u32)>,
}

/// A node at which a comparison goes on after codes were looked at.
#[derive(Clone, Debug)]
pub struct TreeEntry {
    /// The comparison.
    pub comparison: usize,
    /// Its node.
    pub node: usize,
    /// By number of a state, whether it leads there.
    pub is_reached: Vec<bool>,
}

impl CodeStates {
    /// The tables of a program's comparisons; each comparison is in one.
    pub fn tables(comparisons: &[ScoredComparison<'_>]) -> Vec<Self> {
        let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for (at, comparison) in comparisons.iter().enumerate() {
            // A tree that asks for too much is walked from its root.
            let asked =
                first_asked(&comparison.tree).filter(|asked| asked.len() <= MOST_PREDICATES).unwrap_or_default();
            let with = |group: &Vec<usize>| {
                let mut all = group.clone();
                all.extend(asked.iter().filter(|predicate| !group.contains(predicate)));
                all
            };
            match groups.last_mut().map(|group| (with(&group.0), group)) {
                Some((all, group)) if all.len() <= MOST_PREDICATES => {
                    group.0 = all;
                    group.1.push(at);
                }
                _ => groups.push((asked, vec![at])),
            }
        }
        groups.into_iter().map(|(predicates, members)| Self::new(predicates, comparisons, &members)).collect()
    }

    fn new(predicates: Vec<usize>, comparisons: &[ScoredComparison<'_>], members: &[usize]) -> Self {
        let states = vec![CodeState::default(); DIGITS.len().pow(predicates.len() as u32)];
        let mut table = Self { predicates, states, entries: Vec::new() };
        for at in members {
            (0..table.states.len()).for_each(|number| table.follow(*at, &comparisons[*at], number));
        }
        table
    }

    /// Takes a comparison as far as the verdicts of a state's number lead.
    fn follow(&mut self, at: usize, comparison: &ScoredComparison<'_>, number: usize) {
        let nodes = &comparison.tree.nodes;
        let mut node = 0;
        while let OutcomeStep::Ask { predicate, effort: EvaluationEffort::Codes, next } = nodes[node].step {
            let Some(place) = self.predicates.iter().position(|of| *of == predicate) else { break };
            node = next_of(&next, DIGITS[number / DIGITS.len().pow(place as u32) % DIGITS.len()]) as usize;
        }
        let state = &mut self.states[number];
        state.change += nodes[node].most - nodes[0].most;
        match nodes[node].step {
            OutcomeStep::Ask { .. } => self.enter(at, node, number),
            OutcomeStep::Reached(outcome) => {
                state.part += comparison.parts[outcome as usize];
                if comparison.is_adjusted(outcome) {
                    state.adjusted.push((at, outcome));
                }
            }
        }
    }

    /// A state leads to a node of a comparison.
    fn enter(&mut self, comparison: usize, node: usize, number: usize) {
        let is_it = |entry: &TreeEntry| (entry.comparison, entry.node) == (comparison, node);
        let place = self.entries.iter().position(is_it).unwrap_or_else(|| {
            self.entries.push(TreeEntry { comparison, node, is_reached: vec![false; self.states.len()] });
            self.entries.len() - 1
        });
        self.entries[place].is_reached[number] = true;
    }
}

/// The predicates that codes answer and that are asked before any other; nothing where there are too many.
fn first_asked(tree: &OutcomeTree) -> Option<Vec<usize>> {
    let (mut asked, mut open) = (Vec::new(), vec![0_u32]);
    let mut is_seen = vec![false; tree.nodes.len()];
    while let Some(node) = open.pop() {
        if let OutcomeStep::Ask { predicate, effort: EvaluationEffort::Codes, next } = tree.nodes[node as usize].step {
            if !asked.contains(&predicate) {
                asked.push(predicate);
            }
            open.extend(next.iter().filter(|to| !std::mem::replace(&mut is_seen[**to as usize], true)));
        }
        if asked.len() > MOST_PREDICATES {
            return None;
        }
    }
    Some(asked)
}

#[cfg(test)]
mod tests {
    use super::super::outcome_tree::OutcomeNode;
    use super::*;

    /// Asks for some equalities one after the other, then for a measure; outcome 0 where one holds, 1 and 2 by the measure,
    /// and 3 where something is null.
    fn comparison(equalities: &[usize], measure: usize, weight: i64) -> ScoredComparison<'static> {
        let count = equalities.len() as u32;
        let reached = |outcome: u32| count + 1 + outcome;
        let mut steps: Vec<OutcomeStep> = Vec::new();
        for (at, predicate) in equalities.iter().enumerate() {
            let next = [at as u32 + 1, reached(0), reached(3)];
            steps.push(OutcomeStep::Ask { predicate: *predicate, effort: EvaluationEffort::Codes, next });
        }
        let next = [reached(2), reached(1), reached(3)];
        steps.push(OutcomeStep::Ask { predicate: measure, effort: EvaluationEffort::Measure, next });
        steps.extend((0..4).map(OutcomeStep::Reached));
        let most = |step: &OutcomeStep| match step {
            OutcomeStep::Reached(outcome) => -weight * i64::from(*outcome),
            OutcomeStep::Ask { effort: EvaluationEffort::Measure, .. } => -weight,
            OutcomeStep::Ask { .. } => 0,
        };
        let nodes = steps.iter().map(|step| OutcomeNode { step: *step, most: most(step) }).collect();
        ScoredComparison::new(
            OutcomeTree { nodes },
            [0, 1, 2, 3].iter().map(|part| part * weight as u64).collect(),
            None,
        )
    }

    /// Where a tree is after all verdicts on codes, by walking it.
    fn walked(tree: &OutcomeTree, verdict: impl Fn(usize) -> Truth) -> usize {
        let mut node = 0;
        while let OutcomeStep::Ask { predicate, effort: EvaluationEffort::Codes, next } = tree.nodes[node].step {
            node = next_of(&next, verdict(predicate)) as usize;
        }
        node
    }

    #[test]
    fn a_state_is_where_its_verdicts_lead() {
        let comparisons = [comparison(&[0, 1], 9, 1), comparison(&[1, 2, 3], 9, 10), comparison(&[0], 8, 100)];
        let tables = CodeStates::tables(&comparisons);
        assert_eq!(tables.len(), 1);
        let table = &tables[0];
        assert_eq!(table.states.len(), 81);
        for (number, state) in table.states.iter().enumerate() {
            let verdict = |predicate: usize| {
                let place = table.predicates.iter().position(|of| *of == predicate).unwrap();
                DIGITS[number / 3_usize.pow(place as u32) % 3]
            };
            let (mut change, mut part) = (0, 0);
            for (at, comparison) in comparisons.iter().enumerate() {
                let node = walked(&comparison.tree, verdict);
                change += comparison.tree.nodes[node].most - comparison.tree.nodes[0].most;
                let is_entered = |entry: &&TreeEntry| entry.comparison == at && entry.is_reached[number];
                let entered: Vec<usize> = table.entries.iter().filter(is_entered).map(|entry| entry.node).collect();
                match comparison.tree.nodes[node].step {
                    OutcomeStep::Reached(outcome) => part += comparison.parts[outcome as usize],
                    OutcomeStep::Ask { .. } => assert_eq!(entered, [node]),
                }
                assert!(entered.len() <= 1);
            }
            assert_eq!((state.change, state.part), (change, part), "state {number}");
        }
    }

    #[test]
    fn what_asks_for_too_much_is_walked_from_its_root() {
        let many: Vec<usize> = (10..10 + MOST_PREDICATES + 1).collect();
        let comparisons =
            [comparison(&[0, 1], 90, 1), comparison(&many, 91, 1), comparison(&[20, 21, 22, 23, 24], 92, 1)];
        let tables = CodeStates::tables(&comparisons);
        assert_eq!(tables.iter().map(|of| of.predicates.len()).collect::<Vec<_>>(), [2, 5]);
        let root = tables[0].entries.iter().find(|entry| entry.comparison == 1).unwrap();
        assert_eq!((root.node, root.is_reached.iter().all(|reached| *reached)), (0, true));
    }
}
