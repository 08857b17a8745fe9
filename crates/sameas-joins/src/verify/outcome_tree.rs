//! The levels of a comparison as a tree of predicates: where each verdict leads, until the outcome is known.
//!
//! The first level that holds counts. Where none does, the outcome is *null* if some conjunction is null, and *else* if all
//! are false. A tree gives the same outcome with as few evaluations as it can:
//!
//! - A predicate is asked only where the outcome still depends on it.
//! - Of several thresholds of one measure of the same values the loosest is asked first: where it is false, so are all that
//!   imply it. Thresholds of one measure of the same values are null together.
//! - Where an equality is null, a value is missing, and every measure of the same values is null too.
//!
//! What is left to ask is all that two nodes can differ in, so equal ones are one node, and trees stay small.

use std::collections::HashMap;

use super::program::Program;
use crate::rules::{Literal, Predicate, implies};
use crate::threshold::{Check, Sides, Truth};

/// Nodes of a tree, and predicates of a comparison, at most. A comparison beyond has no tree.
const MOST_NODES: usize = 1 << 12;
const MOST_PREDICATES: usize = 64;

/// What a predicate takes to evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvaluationEffort {
    /// A look at codes.
    Codes,
    /// A measure of values.
    Measure,
    /// An expression, which only the host may know.
    Expression,
}

impl EvaluationEffort {
    /// All of them, from the least.
    pub const ALL: [Self; 3] = [Self::Codes, Self::Measure, Self::Expression];
}

/// A place in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeStep {
    /// A predicate is asked.
    Ask {
        /// The predicate.
        predicate: usize,
        /// What that takes.
        effort: EvaluationEffort,
        /// The nodes to go on with where it is false, true and null.
        next: [u32; 3],
    },
    /// The outcome is known.
    Reached(u32),
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutcomeNode {
    /// What happens there.
    pub step: OutcomeStep,
    /// The largest weight of an outcome that can be reached from it.
    pub most: i64,
}

/// The levels of a comparison as a tree. The first node is the root, and every node comes before those it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeTree {
    /// The nodes.
    pub nodes: Vec<OutcomeNode>,
}

impl OutcomeTree {
    /// The tree of levels, each of which holds where one of its conjunctions does. Outcomes are the levels, *else* and
    /// *null*, with these weights. Nothing where the tree would be too large.
    pub fn new(
        levels: &[&[Vec<Literal>]],
        weights: &[i64],
        program: &Program,
        predicates: &[Predicate],
    ) -> Option<Self> {
        Self::of_families(levels, weights, PredicateFamilies::new(levels, program, predicates)?)
    }

    fn of_families(levels: &[&[Vec<Literal>]], weights: &[i64], facts: PredicateFamilies) -> Option<Self> {
        let mut builder = TreeBuilder { levels, facts, known_nodes: HashMap::new(), nodes: Vec::new() };
        let none = vec![Truth::Unknown; builder.facts.predicates.len()];
        builder.node(&none)?;
        let mut tree = Self { nodes: builder.in_order() };
        tree.weigh(weights);
        Some(tree)
    }

    /// Gives every node the largest weight of an outcome below it.
    fn weigh(&mut self, weights: &[i64]) {
        for at in (0..self.nodes.len()).rev() {
            self.nodes[at].most = match self.nodes[at].step {
                OutcomeStep::Reached(outcome) => weights[outcome as usize],
                OutcomeStep::Ask { next, .. } => {
                    next.iter().map(|to| self.nodes[*to as usize].most).max().unwrap_or(i64::MIN)
                }
            };
        }
    }

    /// The predicates that it asks, each once.
    pub fn predicates(&self) -> Vec<usize> {
        let asked = self.nodes.iter().filter_map(|node| match node.step {
            OutcomeStep::Ask { predicate, .. } => Some(predicate),
            OutcomeStep::Reached(_) => None,
        });
        let mut asked: Vec<usize> = asked.collect();
        asked.sort_unstable();
        asked.dedup();
        asked
    }
}

/// The node that a verdict leads to.
pub fn next_of(next: &[u32; 3], truth: Truth) -> u32 {
    match truth {
        Truth::False => next[0],
        Truth::True => next[1],
        Truth::Null => next[2],
        Truth::Unknown => unreachable!("an evaluated predicate has a verdict"),
    }
}

/// The predicates of a comparison, and what a verdict on one says about the others.
struct PredicateFamilies {
    /// The predicates, in the order in which levels name them.
    predicates: Vec<usize>,
    efforts: Vec<EvaluationEffort>,
    /// For each, those that are true where it is, of its own family.
    looser: Vec<Vec<usize>>,
    /// For each, those that are false where it is, of its own family.
    stricter: Vec<Vec<usize>>,
    /// For each, the other thresholds of the same measure of the same values.
    family: Vec<Vec<usize>>,
    /// For each, those that are null where it is.
    null_with: Vec<Vec<usize>>,
}

impl PredicateFamilies {
    fn new(levels: &[&[Vec<Literal>]], program: &Program, all: &[Predicate]) -> Option<Self> {
        let mut predicates: Vec<usize> = Vec::new();
        for literal in levels.iter().flat_map(|level| level.iter().flatten()) {
            if !predicates.contains(&literal.predicate) {
                predicates.push(literal.predicate);
            }
            if predicates.len() > MOST_PREDICATES {
                return None;
            }
        }
        let check = |at: usize| &program.checks[predicates[at]];
        let test = |at: usize| &all[predicates[at]].test;
        let those = |holds: &dyn Fn(usize, usize) -> bool| -> Vec<Vec<usize>> {
            let of = |a: usize| (0..predicates.len()).filter(|b| *b != a && holds(a, *b)).collect();
            (0..predicates.len()).map(of).collect()
        };
        let is_family = |a: usize, b: usize| are_of_one_measure(check(a), check(b));
        let looser = those(&|a, b| is_family(a, b) && implies(test(a), true, test(b), true));
        let stricter = those(&|a, b| is_family(a, b) && implies(test(b), true, test(a), true));
        let family = those(&is_family);
        let null_with = those(&|a, b| is_family(a, b) || is_null_with(check(a), check(b)));
        let efforts = predicates.iter().map(|predicate| effort(program, *predicate)).collect();
        Some(Self { predicates, efforts, looser, stricter, family, null_with })
    }

    fn place(&self, predicate: usize) -> usize {
        self.predicates.iter().position(|of| *of == predicate).unwrap_or_else(|| unreachable!("all were collected"))
    }

    /// What is known where a verdict comes to what was known.
    fn with(&self, known: &[Truth], at: usize, truth: Truth) -> Vec<Truth> {
        let mut more = known.to_vec();
        more[at] = truth;
        let others = match truth {
            Truth::True => &self.looser[at],
            Truth::False => &self.stricter[at],
            _ => &self.null_with[at],
        };
        others.iter().for_each(|other| more[*other] = truth);
        more
    }

    /// Whether a predicate is true or false, whichever, by another threshold of its measure.
    fn has_value(&self, known: &[Truth], at: usize) -> bool {
        self.family[at].iter().any(|other| matches!(known[*other], Truth::True | Truth::False))
    }
}

/// What a predicate takes to evaluate.
#[deny(clippy::wildcard_enum_match_arm)]
fn effort(program: &Program, predicate: usize) -> EvaluationEffort {
    let has_table = program.tables[predicate].get().is_some();
    let of_values = if has_table { EvaluationEffort::Codes } else { EvaluationEffort::Measure };
    match &program.checks[predicate] {
        Check::Residual { .. } => EvaluationEffort::Expression,
        Check::Equal { .. } | Check::OneSided { .. } | Check::SameSource { .. } => EvaluationEffort::Codes,
        Check::Text { .. } | Check::Set { .. } | Check::Elements { .. } => of_values,
        Check::ListHasAny { .. } | Check::Difference { .. } => of_values,
    }
}

/// Whether two checks are thresholds of one measure of the same values: they are null together.
#[deny(clippy::wildcard_enum_match_arm)]
fn are_of_one_measure(one: &Check, other: &Check) -> bool {
    let same = |a: &Sides<usize>, b: &Sides<usize>| (a.left, a.right) == (b.left, b.right);
    match one {
        Check::Text { operands: x, measure: a, .. } => {
            let is_fit = !a.facts().has_more_nulls;
            is_fit && matches!(other, Check::Text { operands: y, measure: b, .. } if a == b && same(x, y))
        }
        Check::Set { tokens: x, formula: a, .. } => {
            matches!(other, Check::Set { tokens: y, formula: b, .. } if a == b && same(x, y))
        }
        // An element always has some similarity, so they are null where a set is empty.
        Check::Elements { tokens: x, .. } => matches!(other, Check::Elements { tokens: y, .. } if same(x, y)),
        Check::Difference { operands: x, .. } => matches!(other, Check::Difference { operands: y, .. } if same(x, y)),
        Check::Equal { .. } | Check::OneSided { .. } | Check::ListHasAny { .. } => false,
        Check::SameSource { .. } | Check::Residual { .. } => false,
    }
}

/// Whether a check is null wherever an equality is, because it compares the same values.
fn is_null_with(equality: &Check, other: &Check) -> bool {
    let Check::Equal { operands: x, null_safe: false } = equality else { return false };
    let reads_values = !matches!(other, Check::Equal { null_safe: true, .. });
    other.operands().is_some_and(|y| reads_values && (x.left, x.right) == (y.left, y.right))
}

/// What a conjunction can still come to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConjunctionState {
    False,
    True,
    Null,
    /// All that is known holds; this predicate is open.
    Open(usize),
    /// It is null or false, by this predicate.
    NullOrFalse(usize),
}

/// All that a node depends on.
#[derive(PartialEq, Eq, Hash)]
enum NodeState {
    Reached(u32),
    Open {
        /// Some conjunction is null.
        is_null: bool,
        /// Of each conjunction that is not decided, what is known of its predicates: the verdict, and whether there is one
        /// that is not null.
        open: Vec<Option<Vec<(Truth, bool)>>>,
    },
}

struct TreeBuilder<'a> {
    levels: &'a [&'a [Vec<Literal>]],
    facts: PredicateFamilies,
    known_nodes: HashMap<NodeState, u32>,
    /// Every node after those it leads to.
    nodes: Vec<OutcomeNode>,
}

impl TreeBuilder<'_> {
    /// The node for what is known; nothing where there are too many.
    fn node(&mut self, known: &[Truth]) -> Option<u32> {
        let next = self.next(known);
        let state = next.map_or_else(|_| self.state(known), NodeState::Reached);
        if let Some(node) = self.known_nodes.get(&state) {
            return Some(*node);
        }
        let step = match next {
            Ok(outcome) => OutcomeStep::Reached(outcome),
            Err(at) => self.ask(known, at)?,
        };
        self.nodes.push(OutcomeNode { step, most: 0 });
        let node = self.nodes.len() as u32 - 1;
        self.known_nodes.insert(state, node);
        (self.nodes.len() <= MOST_NODES).then_some(node)
    }

    fn ask(&mut self, known: &[Truth], at: usize) -> Option<OutcomeStep> {
        let at = self.first_to_ask(known, at);
        let otherwise = self.node(&self.facts.with(known, at, Truth::False))?;
        let holds = self.node(&self.facts.with(known, at, Truth::True))?;
        // Where another threshold has a value, this one has.
        let null = match self.facts.has_value(known, at) {
            true => otherwise,
            false => self.node(&self.facts.with(known, at, Truth::Null))?,
        };
        let next = [otherwise, holds, null];
        Some(OutcomeStep::Ask { predicate: self.facts.predicates[at], effort: self.facts.efforts[at], next })
    }

    /// The outcome where it is known, or the predicate that it depends on first.
    fn next(&self, known: &[Truth]) -> Result<u32, usize> {
        let (mut is_null, mut undecided) = (false, None);
        for (at, level) in self.levels.iter().enumerate() {
            let mut open = None;
            for conjunction in *level {
                match self.state_of(conjunction, known) {
                    ConjunctionState::True => return Ok(at as u32),
                    ConjunctionState::Open(predicate) => open = open.or(Some(predicate)),
                    ConjunctionState::Null => is_null = true,
                    ConjunctionState::NullOrFalse(predicate) => undecided = undecided.or(Some(predicate)),
                    ConjunctionState::False => {}
                }
            }
            if let Some(predicate) = open {
                return Err(predicate);
            }
        }
        match undecided.filter(|_| !is_null) {
            Some(predicate) => Err(predicate),
            None => Ok(self.levels.len() as u32 + u32::from(is_null)),
        }
    }

    fn state_of(&self, conjunction: &[Literal], known: &[Truth]) -> ConjunctionState {
        let (mut open, mut is_null) = (None, false);
        let cheaper = |a: usize, b: usize| if self.facts.efforts[b] < self.facts.efforts[a] { b } else { a };
        for literal in conjunction {
            let at = self.facts.place(literal.predicate);
            match known[at] {
                Truth::Unknown => open = Some(open.map_or(at, |other| cheaper(other, at))),
                Truth::Null => is_null = true,
                truth if truth != Truth::from(literal.want) => return ConjunctionState::False,
                _ => {}
            }
        }
        match (open, is_null) {
            (Some(at), false) => ConjunctionState::Open(at),
            (Some(at), true) => ConjunctionState::NullOrFalse(at),
            (None, true) => ConjunctionState::Null,
            (None, false) => ConjunctionState::True,
        }
    }

    /// All that the outcome can still depend on.
    fn state(&self, known: &[Truth]) -> NodeState {
        let of_literal = |literal: &Literal| {
            let at = self.facts.place(literal.predicate);
            (known[at], self.facts.has_value(known, at))
        };
        let open = |conjunction: &Vec<Literal>| conjunction.iter().map(of_literal).collect();
        let open = self.undecided(known).map(|conjunction| conjunction.map(open)).collect();
        NodeState::Open { is_null: self.is_null(known), open }
    }

    /// Whether some conjunction is null.
    fn is_null(&self, known: &[Truth]) -> bool {
        let mut conjunctions = self.levels.iter().flat_map(|level| level.iter());
        conjunctions.any(|conjunction| self.state_of(conjunction, known) == ConjunctionState::Null)
    }

    /// The conjunctions, without those that say no more about the outcome.
    fn undecided(&self, known: &[Truth]) -> impl Iterator<Item = Option<&Vec<Literal>>> {
        let is_null = self.is_null(known);
        let conjunctions = self.levels.iter().flat_map(|level| level.iter());
        conjunctions.map(move |conjunction| match self.state_of(conjunction, known) {
            ConjunctionState::False | ConjunctionState::Null => None,
            ConjunctionState::NullOrFalse(_) if is_null => None,
            _ => Some(conjunction),
        })
    }

    /// The predicate to ask where the outcome depends on one: the loosest of those that it implies and that matter too.
    fn first_to_ask(&self, known: &[Truth], at: usize) -> usize {
        let matters = |other: &usize| {
            let predicate = self.facts.predicates[*other];
            self.undecided(known).flatten().flatten().any(|literal| literal.predicate == predicate)
        };
        let looser = self.facts.looser[at].iter().copied();
        let open = looser.filter(|other| known[*other] == Truth::Unknown && matters(other));
        open.max_by_key(|other| (self.facts.stricter[*other].len(), usize::MAX - other)).unwrap_or(at)
    }

    /// The nodes with the root first and every node before those it leads to.
    fn in_order(self) -> Vec<OutcomeNode> {
        let last = self.nodes.len() as u32 - 1;
        let turned = |node: &OutcomeNode| match node.step {
            OutcomeStep::Ask { predicate, effort, next } => {
                let step = OutcomeStep::Ask { predicate, effort, next: next.map(|to| last - to) };
                OutcomeNode { step, ..*node }
            }
            OutcomeStep::Reached(_) => *node,
        };
        self.nodes.iter().rev().map(turned).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Predicates 0, 1 and 2 are thresholds of one measure, the strictest first; 3 is an equality of the same values, and 4
    /// is about something else.
    fn families() -> PredicateFamilies {
        PredicateFamilies {
            predicates: (0..5).collect(),
            efforts: vec![
                EvaluationEffort::Measure,
                EvaluationEffort::Measure,
                EvaluationEffort::Measure,
                EvaluationEffort::Codes,
                EvaluationEffort::Expression,
            ],
            looser: vec![vec![1, 2], vec![2], vec![], vec![], vec![]],
            stricter: vec![vec![], vec![0], vec![0, 1], vec![], vec![]],
            family: vec![vec![1, 2], vec![0, 2], vec![0, 1], vec![], vec![]],
            null_with: vec![vec![1, 2], vec![0, 2], vec![0, 1], vec![0, 1, 2], vec![]],
        }
    }

    /// All verdicts that values can have.
    fn worlds() -> Vec<[Truth; 5]> {
        use Truth::{False, Null, True};
        let measures = [[False; 3], [False, False, True], [False, True, True], [True; 3], [Null; 3]];
        let mut all = Vec::new();
        for [a, b, c] in measures {
            for equal in [False, True, Null] {
                let other = [False, True, Null].map(|other| [a, b, c, equal, other]);
                all.extend(other.into_iter().filter(|_| equal != Null || a == Null));
            }
        }
        all
    }

    fn by_definition(levels: &[Vec<Vec<Literal>>], world: &[Truth; 5]) -> u32 {
        let mut is_null = false;
        for (at, level) in levels.iter().enumerate() {
            for conjunction in level {
                let truths: Vec<Truth> = conjunction.iter().map(|literal| world[literal.predicate]).collect();
                let unwanted = |(literal, truth): (&Literal, &Truth)| *truth == Truth::from(!literal.want);
                if conjunction.iter().zip(&truths).any(unwanted) {
                    continue;
                }
                if !truths.contains(&Truth::Null) {
                    return at as u32;
                }
                is_null = true;
            }
        }
        levels.len() as u32 + u32::from(is_null)
    }

    fn literal() -> impl Strategy<Value = Literal> {
        (0usize..5, prop::bool::weighted(0.8)).prop_map(|(predicate, want)| Literal { predicate, want })
    }

    proptest! {
        #[test]
        fn a_tree_finds_the_outcome_and_never_underestimates(
            levels in prop::collection::vec(
                prop::collection::vec(prop::collection::vec(literal(), 1..4), 1..3), 1..5),
            weights in prop::collection::vec(-100i64..100, 7),
        ) {
            let borrowed: Vec<&[Vec<Literal>]> = levels.iter().map(|level| &level[..]).collect();
            let tree = OutcomeTree::of_families(&borrowed, &weights, families()).unwrap();
            for world in worlds() {
                let expected = by_definition(&levels, &world);
                let (mut at, mut asked) = (0, Vec::new());
                loop {
                    let node = tree.nodes[at];
                    prop_assert!(node.most >= weights[expected as usize]);
                    match node.step {
                        OutcomeStep::Reached(outcome) => {
                            prop_assert_eq!((outcome, node.most), (expected, weights[expected as usize]));
                            break;
                        }
                        OutcomeStep::Ask { predicate, next, .. } => {
                            prop_assert!(!asked.contains(&predicate));
                            asked.push(predicate);
                            let to = next_of(&next, world[predicate]) as usize;
                            prop_assert!(to > at);
                            at = to;
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_loosest_threshold_is_asked_first() {
        let level = |predicate| vec![vec![Literal { predicate, want: true }]];
        let levels = [level(3), level(0), level(1), level(2)];
        let borrowed: Vec<&[Vec<Literal>]> = levels.iter().map(|level| &level[..]).collect();
        let tree = OutcomeTree::of_families(&borrowed, &[5, 4, 3, 2, -6, 0], families()).unwrap();
        let OutcomeStep::Ask { predicate: 3, next: [differs, _, missing], .. } = tree.nodes[0].step else { panic!() };
        assert_eq!(tree.nodes[missing as usize].step, OutcomeStep::Reached(5));
        let OutcomeStep::Ask { predicate: 2, next: [unlike, ..], .. } = tree.nodes[differs as usize].step else {
            panic!()
        };
        assert_eq!(tree.nodes[unlike as usize], OutcomeNode { step: OutcomeStep::Reached(4), most: -6 });
        assert_eq!(tree.nodes.len(), 4 + 6);
    }

    #[test]
    fn a_tree_may_have_more_levels_than_a_byte_counts() {
        let [holds, fails] = [true, false].map(|want| Literal { predicate: 4, want });
        // All but the last contradict themselves.
        let mut levels = vec![vec![vec![holds, fails]]; 299];
        levels.push(vec![vec![holds]]);
        let borrowed: Vec<&[Vec<Literal>]> = levels.iter().map(|level| &level[..]).collect();
        let tree = OutcomeTree::of_families(&borrowed, &[0; 302], families()).unwrap();
        let OutcomeStep::Ask { predicate: 4, next, .. } = tree.nodes[0].step else { panic!() };
        let reached = next.map(|to| tree.nodes[to as usize].step);
        assert_eq!(reached, [300, 299, 301].map(OutcomeStep::Reached));
    }
}
