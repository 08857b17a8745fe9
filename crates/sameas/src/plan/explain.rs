//! A plan in words a data analyst understands: what is joined and why, what is checked in which order, and cautions.

use serde::Serialize;

use super::branch::Branch;
use super::estimate::Estimator;
use super::strategy::Strategy;
use super::tables::TablePlan;
use super::warnings::warnings;
use super::words::times;
use crate::candidates::{Access, AccessPath, Condition};
use crate::rules::{Literal, RuleSet};
use crate::verify::StepCount;

/// One branch: how candidates are found, and the tree of what is checked of them. What a run has seen stands beside what
/// was expected, where it has run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BranchReport {
    /// The access path's name.
    pub path: &'static str,
    /// What it joins on.
    pub on: Vec<String>,
    /// Conditions that filter records first.
    pub filters: Vec<String>,
    /// The rules decided here.
    pub rules: Vec<String>,
    /// Why candidates are found this way.
    pub why: String,
    /// How many distinct values are joined on each side, where values are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<[u64; 2]>,
    /// How many candidates are expected.
    pub estimated_candidates: u64,
    /// Whether that number is exact.
    pub exact: bool,
    /// Seconds of one core that finding and checking them is expected to take.
    pub estimated_seconds: f64,
    /// Rules that hold for every candidate.
    pub settled: Vec<String>,
    /// The tree of checks, depth first.
    pub steps: Vec<StepReport>,
    /// How many candidates there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<u64>,
    /// How many of them are result pairs that belong to the rules of this branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What was changed while it ran, or before it ran, because of what had been seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// Cautions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A check in the tree of a branch.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// How many checks lie above it.
    pub depth: usize,
    /// What must hold.
    pub check: String,
    /// The share of the branch's candidates for which it is expected to hold.
    pub holds: f64,
    /// The share that is expected to pass of those that reach it, where that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<f64>,
    /// Nanoseconds that an evaluation is expected to take.
    pub nanoseconds: f64,
    /// Whether it is looked up in a table of all distinct values.
    pub table: bool,
    /// Rules that hold where this passes.
    pub rules: Vec<String>,
    /// Candidates that reached it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<u64>,
    /// Candidates that passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed: Option<u64>,
    /// Seconds it took, of all threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A predicate that is decided once for all pairs of distinct values.
#[derive(Clone, Debug, Serialize)]
pub struct TableReport {
    /// The predicate.
    pub check: String,
    /// Distinct values on the left and on the right.
    pub values: [u64; 2],
    /// How often it is expected to be asked.
    pub estimated_lookups: u64,
    /// Seconds of one core that it is expected to save.
    pub estimated_saving: f64,
    /// How long it took to make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl TableReport {
    /// A table, and how long it took to make if it has been made.
    pub fn of(table: &TablePlan, rules: &RuleSet, seconds: Option<f64>) -> Self {
        Self {
            check: rules.predicates[table.predicate].text.clone(),
            values: table.values,
            estimated_lookups: table.asked.round() as u64,
            estimated_saving: table.saved / 1e9,
            seconds,
        }
    }
}

/// Puts plans into words.
pub struct Describer<'d, 'a> {
    /// The rules as they are run.
    pub rules: &'d RuleSet,
    /// What is known about the records.
    pub estimator: &'d Estimator<'a>,
    /// The tables of the plan.
    pub tables: &'d [TablePlan],
    /// How the plan was made.
    pub strategy: Strategy,
}

impl Describer<'_, '_> {
    /// A branch before it has run.
    pub fn branch(&self, branch: &Branch) -> BranchReport {
        let access = &branch.condition.access;
        let names = self.names(branch, 0..branch.conjunctions.len());
        BranchReport {
            path: access.name(),
            on: access.predicates().iter().map(|p| self.rules.predicates[*p].text.clone()).collect(),
            filters: branch.condition.filters.iter().map(|l| self.literal(*l)).collect(),
            why: self.why(branch),
            values: self.values(branch),
            estimated_candidates: branch.candidates.round() as u64,
            exact: branch.exact,
            estimated_seconds: branch.cost / 1e9,
            settled: self.names(branch, branch.settled.iter().copied()),
            steps: (0..branch.steps.len()).map(|at| self.step(branch, at)).collect(),
            warnings: warnings(self, branch, &names),
            rules: names,
            ..BranchReport::default()
        }
    }

    fn step(&self, branch: &Branch, at: usize) -> StepReport {
        let (step, weight) = (&branch.steps[at], branch.weights[at]);
        StepReport {
            depth: step.depth,
            check: self.literal(step.literal),
            holds: weight.probability,
            passes: weight.passes,
            nanoseconds: weight.cost,
            table: self.tables.iter().any(|table| table.predicate == step.literal.predicate),
            rules: self.names(branch, step.complete.iter().copied()),
            tried: None,
            passed: None,
            seconds: None,
        }
    }

    /// A literal as a user writes it.
    pub fn literal(&self, literal: Literal) -> String {
        let text = &self.rules.predicates[literal.predicate].text;
        if literal.want { text.clone() } else { format!("not ({text})") }
    }

    /// A condition as a user writes it.
    pub fn condition(&self, condition: &Condition) -> String {
        let texts: Vec<String> = condition.literals().iter().map(|literal| self.literal(*literal)).collect();
        if texts.is_empty() { "every pair".into() } else { texts.join(" and ") }
    }

    /// The rules of some conjunctions of a branch, each once.
    fn names(&self, branch: &Branch, places: impl IntoIterator<Item = usize>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for place in places {
            let name = &self.rules.rules[self.rules.conjunctions[branch.conjunctions[place]].rule].name;
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    fn values(&self, branch: &Branch) -> Option<[u64; 2]> {
        let predicate =
            branch.condition.access.predicates().first().filter(|_| branch.condition.access.is_over_values())?;
        Some(self.estimator.survey[*predicate].distinct.map(|values| values as u64))
    }

    fn why(&self, branch: &Branch) -> String {
        if let Some(other) = &branch.alternative {
            let instead = match other.condition.access.path {
                AccessPath::AllPairs => "looking at every pair".to_owned(),
                _ => format!("joining on {}", self.condition(&other.condition)),
            };
            return format!(
                "{instead} instead would take about {} times as long",
                times(other.cost / branch.cost.max(1.0))
            );
        }
        let reason = match (self.strategy, branch.condition.access.path) {
            (Strategy::NoEpg | Strategy::Random(_), _) => "the strategy does not choose",
            (_, AccessPath::AllPairs) => "nothing that the rule says can be joined on",
            _ if branch.conjunctions.len() > 1 => "of all that can be joined on, these rules have only this in common",
            _ if self.joinable(branch) > 1 => "an index on anything else would cost more than this whole join",
            _ => "nothing else that the rule says can be joined on",
        };
        reason.into()
    }

    /// How many conditions of a branch's first conjunction can be joined on.
    fn joinable(&self, branch: &Branch) -> usize {
        let program = self.estimator.program;
        let literals = program.conjunctions[branch.conjunctions[0]].literals.iter().filter(|literal| literal.want);
        literals.filter(|l| Access::of(l.predicate, &program.checks[l.predicate]).is_some()).count()
    }
}

impl BranchReport {
    /// Adds what came of the checks of so many candidates. A device counts them only where it is asked to, and does not
    /// tell their time.
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
