//! The rules of a job: as they are written, and as they are run.

use crate::rules::{Rule, RuleLabel, RuleSet, Simplified};

/// The rules of a job.
pub(super) struct JobRules {
    /// As they were compiled.
    pub written: RuleSet,
    /// As they are run, with what was simplified; where no rule finds the pairs of scores, with the one that does.
    pub simplified: Simplified,
}

impl JobRules {
    /// Rules that were compiled.
    pub fn new(written: RuleSet) -> Self {
        let simplified = written.simplified();
        Self { written, simplified }
    }

    /// The rules as they are run.
    pub fn set(&self) -> &RuleSet {
        &self.simplified.rules
    }

    /// Those that have conjunctions of both orientations.
    pub fn both_ways(&self) -> Vec<RuleLabel> {
        let set = self.set();
        let names = |rules: &[Rule], label: fn(String) -> RuleLabel| -> Vec<RuleLabel> {
            rules.iter().filter(|rule| rule.both_ways).map(|rule| label(rule.name.clone())).collect()
        };
        [names(&set.rules[..set.written_rules()], RuleLabel::Rule), names(&set.nevers, RuleLabel::Never)].concat()
    }
}
