//! A plan as data: what is joined and why, what is checked in which order, and warnings.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::branch::Branch;
use super::branch_kind::{PartingRecord, rule_names};
use super::branch_scoring::BranchScoring;
use super::estimate::Estimator;
use super::place::BranchPlace;
use super::reasons::{ChoiceReason, RevisionRecord};
use super::revision::{Estimated, Misestimate, PlanRevision};
use super::strategy::Strategy;
use super::tables::TablePlan;
use super::warnings::{PlanWarning, warnings};
use crate::candidates::{Access, AccessPath, Condition};
use crate::rules::{Implications, Literal, LiteralRecord, RuleSet, Test};
use crate::threshold::Check;
use crate::verify::StepCount;

/// One branch: how candidates are found, and the tree of checks. Where it has run, what was counted is next to what was
/// expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BranchRecord {
    /// The access path.
    pub path: AccessPath,
    /// The predicates it joins on.
    pub on: Vec<String>,
    /// What that follows from, where no rule decided here says it: conditions on sums, of which it is about a part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follows_from: Vec<LiteralRecord>,
    /// Conditions that filter records first.
    pub filters: Vec<LiteralRecord>,
    /// By what its records can be divided, where the plan was made for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parted_by: Option<PartingRecord>,
    /// The rules decided here.
    pub rules: Vec<String>,
    /// Why candidates are found this way.
    pub reason: ChoiceReason,
    /// The number of distinct values on each side, where values are joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<[u64; 2]>,
    /// How many candidates are expected.
    pub estimated_candidates: u64,
    /// Whether that number is exact.
    pub exact: bool,
    /// Seconds of one core that finding and checking them, and scoring the pairs, is expected to take.
    pub estimated_seconds: f64,
    /// What of that is scoring the pairs, where they are scored by levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scoring: Option<BranchScoring>,
    /// Rules that hold for every candidate.
    pub settled: Vec<String>,
    /// The tree of checks, depth first.
    pub steps: Vec<StepRecord>,
    /// How many candidates there were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<u64>,
    /// How many of them are result pairs that belong to the rules of this branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What was changed of the plan after the run had begun.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub revisions: Vec<RevisionRecord>,
    /// Where it ran and why, if the job has devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<BranchPlace>,
    /// What the user should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<PlanWarning>,
}

/// A check in the tree of a branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StepRecord {
    /// How many checks lie above it.
    pub depth: usize,
    /// What must hold.
    pub check: LiteralRecord,
    /// The share of the branch's candidates for which it is expected to hold.
    pub holds: f64,
    /// The share that is expected to pass of those that reach it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<f64>,
    /// Nanoseconds that an evaluation is expected to take.
    pub nanoseconds: f64,
    /// Whether it is looked up in a table of all distinct values.
    pub table: bool,
    /// Rules that hold where this passes.
    pub rules: Vec<String>,
    /// Candidates that reached it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<u64>,
    /// Candidates that passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<u64>,
    /// Seconds it took, summed over all threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A predicate that is decided once for all pairs of distinct values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TableRecord {
    /// The predicate.
    pub check: String,
    /// Distinct values on the left and on the right.
    pub values: [u64; 2],
    /// How often it is expected to be evaluated.
    pub estimated_lookups: u64,
    /// Seconds of one core that it is expected to save.
    pub estimated_saving: f64,
    /// How long it took to make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl TableRecord {
    /// A table, and how long it took to make if it has been made.
    #[doc(hidden)]
    pub fn new(table: &TablePlan, rules: &RuleSet, seconds: Option<f64>) -> Self {
        Self {
            check: rules.predicates[table.predicate].text.clone(),
            values: table.values,
            estimated_lookups: table.asked.round() as u64,
            estimated_saving: table.saved / 1e9,
            seconds,
        }
    }
}

/// Makes records of plans.
pub struct Describer<'d, 'a> {
    /// The rules as they are run.
    pub rules: &'d RuleSet,
    /// What is known about the records.
    pub estimator: &'d Estimator<'a>,
    /// What follows from what.
    pub implications: &'d Implications,
    /// The tables of the plan.
    pub tables: &'d [TablePlan],
    /// How the plan was made.
    pub strategy: Strategy,
}

impl Describer<'_, '_> {
    /// A branch before it has run.
    pub fn branch(&self, branch: &Branch) -> BranchRecord {
        let checks = &self.estimator.program.checks;
        let planned = BranchRecord::planned(branch, self.rules, checks, self.tables, self.strategy);
        let parted_by = PartingRecord::new(&branch.condition.access, self.rules, self.estimator.program.source());
        BranchRecord {
            parted_by: Some(parted_by),
            follows_from: self.follows_from(branch),
            values: self.values(branch),
            warnings: warnings(self, branch, &planned.rules),
            ..planned
        }
    }

    /// The sums of a branch's conjunctions that imply what is joined on, each once.
    fn follows_from(&self, branch: &Branch) -> Vec<LiteralRecord> {
        let mut sums: Vec<Literal> = Vec::new();
        for joined in branch.condition.access.predicates().iter().map(|on| Literal { predicate: *on, want: true }) {
            let all = branch.conjunctions.iter().map(|at| &self.rules.conjunctions[*at].literals);
            for literals in all.filter(|literals| !literals.contains(&joined)) {
                let is_sum = |l: &&Literal| matches!(self.rules.predicates[l.predicate].test, Test::Residual(_));
                sums.extend(literals.iter().filter(is_sum).find(|sum| self.implications.implies(**sum, joined)));
            }
        }
        let mut seen = HashSet::new();
        sums.into_iter().filter(|sum| seen.insert(*sum)).map(|sum| self.literal(sum)).collect()
    }

    /// The record of a literal.
    pub fn literal(&self, literal: Literal) -> LiteralRecord {
        LiteralRecord::new(literal, &self.rules.predicates)
    }

    fn values(&self, branch: &Branch) -> Option<[u64; 2]> {
        let predicate =
            branch.condition.access.predicates().first().filter(|_| branch.condition.access.is_over_values())?;
        Some(self.estimator.counts.distinct(*predicate).map(|values| values as u64))
    }
}

/// A check of a branch, before it has run.
fn planned_step(branch: &Branch, at: usize, rules: &RuleSet, tables: &[TablePlan]) -> StepRecord {
    let (step, weight) = (&branch.steps[at], branch.weights[at]);
    StepRecord {
        depth: step.depth,
        check: LiteralRecord::new(step.literal, &rules.predicates),
        holds: weight.probability,
        passes: weight.passes,
        nanoseconds: weight.cost,
        table: tables.iter().any(|table| table.predicate == step.literal.predicate),
        rules: rule_names(branch, step.complete.iter().copied(), rules),
        tried: None,
        passed: None,
        seconds: None,
    }
}

/// What every candidate of a condition satisfies; nothing, where every pair is a candidate.
fn condition_records(condition: &Condition, rules: &RuleSet) -> Vec<LiteralRecord> {
    condition.literals().into_iter().map(|literal| LiteralRecord::new(literal, &rules.predicates)).collect()
}

fn reason(branch: &Branch, rules: &RuleSet, checks: &[Check], strategy: Strategy) -> ChoiceReason {
    if let Some(other) = &branch.alternative {
        // The pairs to compare are the same, however they are found.
        let comparing = branch.comparing.pairs * branch.comparing.cost;
        return ChoiceReason::Alternative {
            path: other.condition.access.path,
            condition: condition_records(&other.condition, rules),
            times_as_long: (other.cost + comparing) / branch.cost.max(1.0),
        };
    }
    match (strategy, branch.condition.access.path) {
        (Strategy::NoEpg | Strategy::Random(_), _) => ChoiceReason::StrategyDoesNotChoose,
        (_, AccessPath::AllPairs) => ChoiceReason::NothingJoinable,
        _ if branch.conjunctions.len() > 1 => ChoiceReason::OnlyCommon,
        _ if joinable(branch, rules, checks) > 1 => ChoiceReason::OthersCostMore,
        _ => ChoiceReason::OnlyJoinable,
    }
}

/// How many conditions of a branch's first conjunction can be joined on.
fn joinable(branch: &Branch, rules: &RuleSet, checks: &[Check]) -> usize {
    let literals = rules.conjunctions[branch.conjunctions[0]].literals.iter().filter(|literal| literal.want);
    literals.filter(|l| Access::on_predicate(l.predicate, &checks[l.predicate]).is_some()).count()
}

impl RevisionRecord {
    /// A change of the plan of these rules, as data that needs no plan to be read.
    pub(crate) fn new(revision: &PlanRevision, rules: &RuleSet) -> Self {
        let Misestimate { what, expected, seen } = &revision.cause;
        match what {
            Estimated::Share(literal) => Self::ChecksReordered {
                check: LiteralRecord::new(*literal, &rules.predicates),
                passed: *seen,
                expected: *expected,
            },
            Estimated::Candidates(condition) => Self::ReplannedBeforeStart {
                joined_on: condition_records(condition, rules),
                candidates: *seen as u64,
                expected: expected.round() as u64,
            },
        }
    }
}

impl BranchRecord {
    /// A branch before it has run, as it is planned: without what only the records tell, such as warnings.
    pub(crate) fn planned(
        branch: &Branch,
        rules: &RuleSet,
        checks: &[Check],
        tables: &[TablePlan],
        strategy: Strategy,
    ) -> Self {
        let (access, filters) = (&branch.condition.access, &branch.condition.filters);
        Self {
            path: access.path,
            on: access.predicates().iter().map(|p| rules.predicates[*p].text.clone()).collect(),
            follows_from: Vec::new(),
            filters: filters.iter().map(|literal| LiteralRecord::new(*literal, &rules.predicates)).collect(),
            parted_by: None,
            rules: rule_names(branch, 0..branch.conjunctions.len(), rules),
            reason: reason(branch, rules, checks, strategy),
            values: None,
            estimated_candidates: branch.candidates.round() as u64,
            exact: branch.exact,
            estimated_seconds: branch.cost / 1e9,
            scoring: BranchScoring::planned(branch),
            settled: rule_names(branch, branch.settled.iter().copied(), rules),
            steps: (0..branch.steps.len()).map(|at| planned_step(branch, at, rules, tables)).collect(),
            candidates: None,
            pairs: None,
            seconds: None,
            revisions: Vec::new(),
            place: None,
            warnings: Vec::new(),
        }
    }

    /// Adds how many pairs the host has scored.
    #[doc(hidden)]
    pub fn scored(mut self, by_host: Option<u64>) -> Self {
        if let Some(scoring) = &mut self.scoring {
            scoring.by_host = by_host;
        }
        self
    }

    /// Adds the counts of the checks of this many candidates. A device counts them only on request, and does not measure
    /// their time.
    #[doc(hidden)]
    pub fn counted(mut self, candidates: u64, counts: &[StepCount]) -> Self {
        if candidates > 0 && counts.iter().all(|count| count.tried == 0) {
            return self;
        }
        for (step, count) in self.steps.iter_mut().zip(counts) {
            step.tried = Some(count.tried);
            step.passed = Some(count.passed);
            step.seconds = (count.tried == 0 || !count.time.is_zero()).then_some(count.time.as_secs_f64());
        }
        self
    }
}
