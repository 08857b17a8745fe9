//! The plan of a job as a value: what its numbers stand for goes with it.

use serde::{Deserialize, Serialize};

use super::branch_kind::BranchKind;
use super::plan_key::PlanKey;
use super::planner::Plan;
use crate::candidates::JoinSource;
use crate::error::{Error, Result};
use crate::rules::RuleSet;
use crate::score::ScoreRule;

/// The plan of a job as a value: it can be stored, and its branches run one by one, elsewhere or later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobPlan {
    key: PlanKey,
    plan: Plan,
    /// How pairs are found by their scores, where no rule finds them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scores: Option<ScorePlan>,
    /// What each branch is, that of given pairs among them.
    kinds: Vec<BranchKind>,
}

/// How pairs are found by their scores. It was made for all records of a job, so that some of them are looked at by the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScorePlan {
    /// The rule that finds them.
    pub rule: ScoreRule,
    /// What the scores of the job depend on, besides its records and rules.
    pub key: String,
    /// Whether others have given the scores: their pairs are one more branch, the last.
    pub has_given_pairs: bool,
}

impl JobPlan {
    /// A plan that was made for these simplified rules, whose joins read this.
    pub(crate) fn new(rules: &RuleSet, source: JoinSource<'_>, plan: Plan) -> Self {
        let kinds = plan.branches.iter().map(|branch| BranchKind::new(branch, rules, source)).collect();
        Self { key: PlanKey::new(rules), plan, scores: None, kinds }
    }

    /// The same, where pairs are found by their scores.
    #[must_use]
    pub(crate) fn with_scores(mut self, scores: Option<ScorePlan>, rules: &RuleSet) -> Self {
        if scores.as_ref().is_some_and(|scores| scores.has_given_pairs) {
            self.kinds.push(BranchKind::given_pairs(rules));
        }
        Self { scores, ..self }
    }

    /// The number of branches.
    pub fn branches(&self) -> usize {
        self.kinds.len()
    }

    /// What each branch joins, and by what its records can be divided.
    pub fn kinds(&self) -> &[BranchKind] {
        &self.kinds
    }

    /// Whether it is a plan of these rules.
    pub(crate) fn is_of(&self, rules: &RuleSet) -> bool {
        self.key == PlanKey::new(rules)
    }

    /// The plan itself.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How pairs are found by their scores, where no rule finds them.
    pub(crate) fn scores(&self) -> Option<&ScorePlan> {
        self.scores.as_ref()
    }

    /// Refuses other rules than it was made for.
    pub(crate) fn check(&self, rules: &RuleSet) -> Result<()> {
        match self.key.difference(&PlanKey::new(rules)) {
            None => Ok(()),
            Some(what) => Err(of_other(what)),
        }
    }

    /// The plan of one branch, with the tables that it looks verdicts up in; nothing for the pairs that others have scored.
    pub(crate) fn branch(&self, branch: usize) -> Result<Option<Plan>> {
        let count = self.branches();
        match self.plan.branches.get(branch) {
            None if branch < count => Ok(None),
            None => Err(Error::usage(format!("there is no branch {branch}: the plan has {count}, counted from 0"))),
            Some(only) => {
                let is_read = |predicate: usize| only.evaluations.iter().any(|of| of.predicate == predicate);
                let tables = self.plan.tables.iter().filter(|table| is_read(table.predicate)).cloned().collect();
                Ok(Some(Plan { branches: vec![only.clone()], tables }))
            }
        }
    }
}

/// Something of a job is not what the plan was made for.
pub(crate) fn of_other(what: &str) -> Error {
    Error::usage(format!("the plan is of other {what} than the job's")).with_help("plan the job again")
}
