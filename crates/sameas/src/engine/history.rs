//! What an earlier run over the same records has seen, from its `run.json`: facts in place of estimates.

use std::path::Path;

use serde::Deserialize;

use super::record::InputRecord;
use crate::error::{Error, Result};
use crate::plan::{Access, Condition};
use crate::records::stats::Statistics;
use crate::rules::{Literal, RuleSet};
use crate::verify::Check;

/// The parts of a run's record that a later plan can use.
#[derive(Clone, Debug, Deserialize)]
pub struct History {
    inputs: Vec<Input>,
    plan: Vec<Branch>,
    /// What is known about the values that its rules compared.
    pub statistics: Statistics,
}

#[derive(Clone, Debug, Deserialize)]
struct Input {
    name: String,
    rows: u64,
}

#[derive(Clone, Debug, Deserialize)]
struct Branch {
    on: Vec<String>,
    filters: Vec<String>,
    candidates: Option<u64>,
}

impl History {
    /// Reads the `run.json` of an earlier run.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::io("cannot read the statistics", path, e))?;
        serde_json::from_str(&text).map_err(|e| {
            Error::data(format!("{}: no record of a run: {e}", path.display()))
                .with_help("give the `run.json` that a run has written into its folder")
        })
    }

    /// Refuses facts about other records.
    pub(super) fn check(&self, inputs: &[InputRecord]) -> Result<()> {
        let shown = |name: &str, rows: u64| format!("{name} with {rows} records");
        let then: Vec<String> = self.inputs.iter().map(|input| shown(&input.name, input.rows)).collect();
        let now: Vec<String> = inputs.iter().map(|input| shown(&input.name, input.rows)).collect();
        if then == now {
            return Ok(());
        }
        Err(Error::usage(format!("the statistics are of {}, the inputs are {}", then.join(" and "), now.join(" and ")))
            .with_help("leave --statistics out, or give the run.json of a run over these records"))
    }

    /// The access conditions that these rules can use, with the candidates they gave.
    pub(super) fn facts(&self, rules: &RuleSet, checks: &[Check]) -> Vec<(Condition, f64)> {
        let find = |text: &str| {
            let (bare, want) = match text.strip_prefix("not (").and_then(|rest| rest.strip_suffix(')')) {
                Some(inner) => (inner, false),
                None => (text, true),
            };
            let predicate = rules.predicates.iter().position(|predicate| predicate.text == bare)?;
            Some(Literal { predicate, want })
        };
        let fact = |branch: &Branch| {
            let on: Vec<usize> = branch.on.iter().map(|text| find(text).map(|l| l.predicate)).collect::<Option<_>>()?;
            let mut filters: Vec<Literal> = branch.filters.iter().map(|text| find(text)).collect::<Option<_>>()?;
            filters.sort_unstable();
            let access = match &on[..] {
                [] => Access::all_pairs(),
                [one] => Access::of(*one, &checks[*one])?,
                _ => Access::equi_join(on.clone()),
            };
            Some((Condition { access, filters }, branch.candidates? as f64))
        };
        self.plan.iter().filter_map(fact).collect()
    }
}
