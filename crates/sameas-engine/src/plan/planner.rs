//! The planner: conditions, trees and tables for the conjunctions of a program.

use std::collections::HashMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::as_written::as_written;
use super::branch::{Branch, Builder, Ranks};
use super::choose::{ChosenCondition, choose};
use super::cost::Costs;
use super::estimate::{Estimator, Place, RelativeCost, SampleProgram};
use super::random_plan::random_plan;
use super::strategy::Strategy;
use super::tables::{TablePlan, can_have_a_table, worth_a_table};
use crate::candidates::{Access, AccessPath, Condition};
use crate::records::stats::Statistics;
use crate::rules::{ComparisonRules, Implications, Literal};

/// All branches of a job, by their first conjunction, and the tables they read: a value that can be stored, and run
/// without the planner that made it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The branches.
    pub branches: Vec<Branch>,
    /// Predicates that are decided once for all distinct values.
    pub tables: Vec<TablePlan>,
}

/// What a plan is made from.
#[derive(Clone, Copy, Debug)]
pub struct PlanInput<'a> {
    /// The checks and conjunctions, over sampled records.
    pub sample: &'a SampleProgram,
    /// What is known of all records.
    pub statistics: &'a Statistics,
    /// What evaluations cost.
    pub costs: &'a Costs,
    /// What follows from what.
    pub implications: &'a Implications,
    /// For a conjunction whose pairs all belong to an earlier one: that one.
    pub shadowed: &'a [Option<usize>],
    /// Conditions whose candidates are known, from an earlier run or because they were counted.
    pub facts: &'a [(Condition, f64)],
    /// Which parts of the planner are active.
    pub strategy: Strategy,
    /// Bytes an index may take.
    pub memory: usize,
    /// The relative cost of the job's device, if it has one.
    pub device: Option<RelativeCost>,
    /// The comparisons that are evaluated of each pair, if it is scored or learned from.
    pub comparisons: &'a [ComparisonRules],
}

/// The part of the memory of indexes that tables may take.
const TABLES: usize = 4;

/// Makes plans, and learns from what came of them.
pub struct Planner<'a> {
    input: PlanInput<'a>,
    estimator: Estimator<'a>,
    ranks: Ranks,
}

impl<'a> Planner<'a> {
    /// A planner that has seen nothing yet.
    pub fn new(input: PlanInput<'a>) -> Self {
        let mut estimator = Estimator::new(input.sample, input.statistics, input.costs);
        estimator.device = input.device;
        let mut planner = Self { input, estimator, ranks: Ranks::new() };
        for (condition, seen) in input.facts {
            let compared = planner.estimator.compared(&condition.access);
            planner.estimator.facts.add(condition, compared, *seen, *seen);
        }
        planner.ranks = planner.ranks();
        planner
    }

    /// The plan of some conjunctions, ascending.
    pub fn plan(&mut self, all: &[usize]) -> Plan {
        let lone = self.lone(all);
        self.look(&lone);
        let mut branches = self.branches(all);
        let tables = self.tables(&branches);
        if !tables.is_empty() {
            // Conditions and orders in the light of what the tables make cheap.
            tables.iter().for_each(|table| self.estimator.tables[table.predicate] = Some(table.lookup));
            branches = self.branches(all);
        }
        Plan { branches, tables }
    }

    /// The branches of more conjunctions, besides a plan whose tables they may read.
    pub fn more_branches(&self, conjunctions: &[usize]) -> Vec<Branch> {
        self.look(&self.lone(conjunctions));
        self.branches(conjunctions)
    }

    /// The branches of some conjunctions.
    pub fn branches(&self, conjunctions: &[usize]) -> Vec<Branch> {
        let PlanInput { implications, strategy, .. } = self.input;
        let lone = self.lone(conjunctions);
        let groups = match strategy {
            Strategy::NoEpg => as_written(self.estimator.program, &lone),
            Strategy::Random(draw) => random_plan(&self.estimator, implications, &lone, draw),
            _ => choose(&self.estimator, implications, &lone),
        };
        let (builder, shadowed) = (self.builder(), self.shadowed(conjunctions));
        let branch = |chosen: ChosenCondition| {
            let members = with_shadowed(chosen.conjunctions, &shadowed);
            Branch { alternative: chosen.alternative, ..builder.branch(&chosen.condition, &members) }
        };
        let mut branches: Vec<Branch> = groups.into_iter().map(branch).collect();
        branches.sort_by_key(|branch| branch.conjunctions[0]);
        let mut placed: Vec<usize> = branches.iter().flat_map(|branch| branch.conjunctions.iter().copied()).collect();
        placed.sort_unstable();
        assert_eq!(placed, conjunctions, "every conjunction lives in one branch");
        branches
    }

    /// A branch whose checks passed other shares of candidates than expected, in the order that follows from these.
    pub fn reordered(&self, branch: &Branch, passed: &dyn Fn(Literal) -> Option<f64>) -> Branch {
        let reordered = self.builder().branch_with(&branch.condition, &branch.conjunctions, passed);
        let (alternative, revisions) = (branch.alternative.clone(), branch.revisions.clone());
        Branch { alternative, revisions, place: branch.place, ..reordered }
    }

    /// A branch has ended with this many candidates.
    pub fn learn(&mut self, branch: &Branch, candidates: u64) {
        let compared = self.estimator.compared(&branch.condition.access);
        self.estimator.facts.add(&branch.condition, compared, branch.candidates, candidates as f64);
    }

    /// The same planner, for a plan that reads these tables.
    #[must_use]
    pub fn with_tables(mut self, tables: &[TablePlan]) -> Self {
        tables.iter().for_each(|table| self.estimator.tables[table.predicate] = Some(table.lookup));
        self
    }

    /// What is known about the records.
    pub fn estimator(&self) -> &Estimator<'a> {
        &self.estimator
    }

    fn builder(&self) -> Builder<'_, 'a> {
        let PlanInput { implications, strategy, comparisons, .. } = self.input;
        Builder { estimator: &self.estimator, implications, strategy, ranks: &self.ranks, comparisons }
    }

    /// Those, of an ascending list, that are not shadowed by another one of them.
    fn lone(&self, conjunctions: &[usize]) -> Vec<usize> {
        let is_lone = |index: &usize| match (self.input.strategy, self.shadow(*index)) {
            (Strategy::NoEpg | Strategy::Random(_), _) => true,
            (_, shadow) => shadow == *index || conjunctions.binary_search(&shadow).is_err(),
        };
        conjunctions.iter().copied().filter(is_lone).collect()
    }

    /// The first conjunction that holds wherever this one does: itself, if it has no shadow.
    fn shadow(&self, mut index: usize) -> usize {
        while let Some(earlier) = self.input.shadowed[index] {
            index = earlier;
        }
        index
    }

    /// Those that another one shadows, by that one.
    fn shadowed(&self, conjunctions: &[usize]) -> HashMap<usize, Vec<usize>> {
        let mut shadowed: HashMap<usize, Vec<usize>> = HashMap::new();
        if !matches!(self.input.strategy, Strategy::NoEpg | Strategy::Random(_)) {
            let pairs = conjunctions.iter().map(|index| (self.shadow(*index), *index));
            pairs.filter(|(by, index)| by != index).for_each(|(by, index)| shadowed.entry(by).or_default().push(index));
        }
        shadowed
    }

    /// Evaluates what the choice will ask for, on all cores: the verdicts of pairs drawn from each predicate that can be
    /// joined on together with others, on the predicates of the conjunctions that say it.
    fn look(&self, conjunctions: &[usize]) {
        let program = self.estimator.program;
        let is_combined =
            |literal: &Literal| literal.want && AccessPath::combining(&program.checks[literal.predicate]).is_some();
        let mut wanted: Vec<(usize, usize)> = Vec::new();
        for conjunction in conjunctions.iter().map(|index| &program.conjunctions[*index].literals) {
            for joined in conjunction.iter().filter(|literal| is_combined(literal)) {
                wanted.extend(conjunction.iter().map(|literal| (joined.predicate, literal.predicate)));
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted.par_iter().for_each(|(joined, predicate)| {
            self.estimator.verdicts(self.estimator.join_sample(*joined), *predicate);
        });
    }

    fn tables(&self, branches: &[Branch]) -> Vec<TablePlan> {
        let memory = self.input.memory / TABLES;
        match self.input.strategy {
            Strategy::NoEpg => Vec::new(),
            Strategy::Random(draw) => self.random_tables(draw.seed),
            _ => worth_a_table(&self.estimator, branches, memory),
        }
    }

    /// Every other predicate that can have one, where tables are small.
    fn random_tables(&self, seed: u64) -> Vec<TablePlan> {
        let checks = self.estimator.program.checks.iter().enumerate();
        let small = |predicate: usize| self.estimator.counts.distinct(predicate).iter().all(|values| *values < 2000.0);
        let chosen =
            checks.filter(|(at, check)| can_have_a_table(*at, check) && small(*at) && (seed >> (at % 60)) & 1 == 1);
        chosen.map(|(predicate, _)| TablePlan { predicate, ..TablePlan::default() }).collect()
    }

    /// The worth of literals among pairs of any kind.
    fn ranks(&self) -> Ranks {
        let program = self.estimator.program;
        let mut ranks = vec![[0.0; 2]; program.checks.len()];
        if matches!(self.input.strategy, Strategy::NoEpg | Strategy::NoPredicateOrder) {
            return ranks;
        }
        let estimate = self.estimator.condition(&Condition { access: Access::all_pairs(), filters: Vec::new() });
        for literal in program.conjunctions.iter().chain(&program.nevers).flat_map(|c| &c.literals) {
            ranks[literal.predicate][usize::from(literal.want)] =
                self.estimator.weight(&estimate, *literal, Place::Cpu).rank();
        }
        ranks
    }
}

/// A conjunction goes with the one that shadows it: wherever it holds, so does that one's access condition.
fn with_shadowed(mut members: Vec<usize>, shadowed: &HashMap<usize, Vec<usize>>) -> Vec<usize> {
    let more: Vec<usize> = members.iter().filter_map(|member| shadowed.get(member)).flatten().copied().collect();
    members.extend(more);
    members.sort_unstable();
    members
}
