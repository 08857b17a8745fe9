//! What an earlier run over the same records has seen, from its `run.json`: facts instead of estimates.

use std::collections::HashMap;

use super::record::{InputRecord, RunRecord};
use crate::error::{Error, ErrorCode, Result};
use crate::plan::{Access, BranchRecord, Condition};
use crate::rules::{Literal, LiteralRecord, RuleSet};
use crate::verify::Check;

/// An earlier run, for the plan of a later one.
#[derive(Clone, Copy, Debug)]
pub struct History<'a> {
    record: &'a RunRecord,
}

impl<'a> History<'a> {
    /// What this run has seen.
    pub(super) fn of(record: &'a RunRecord) -> Self {
        Self { record }
    }

    /// Refuses facts about other records.
    pub(super) fn check(&self, inputs: &[InputRecord]) -> Result<()> {
        let names = |inputs: &[InputRecord]| {
            let name = |input: &InputRecord| format!("{} with {} records", input.name, input.rows);
            inputs.iter().map(name).collect::<Vec<_>>().join(" and ")
        };
        let known = |input: &InputRecord| (input.name.clone(), input.rows);
        if self.record.inputs.iter().map(known).eq(inputs.iter().map(known)) {
            return Ok(());
        }
        let (then, now) = (names(&self.record.inputs), names(inputs));
        Err(Error::usage(format!("the statistics are of {then}, the inputs are {now}"))
            .with_help("leave the statistics out, or give those of a run over these records")
            .with_code(ErrorCode::OtherStatistics))
    }

    /// The access conditions that these rules can use, with the candidates they gave.
    pub(super) fn facts(&self, rules: &RuleSet, checks: &[Check]) -> Vec<(Condition, f64)> {
        let predicates = rules.predicates.iter().enumerate().rev();
        let by_text: HashMap<&str, usize> = predicates.map(|(at, predicate)| (predicate.text.as_str(), at)).collect();
        let joined = |text: &String| by_text.get(text.as_str()).copied();
        let literal = |record: &LiteralRecord| {
            joined(&record.predicate).map(|predicate| Literal { predicate, want: record.want })
        };
        let fact = |branch: &BranchRecord| {
            let on: Vec<usize> = branch.on.iter().map(joined).collect::<Option<_>>()?;
            let mut filters: Vec<Literal> = branch.filters.iter().map(literal).collect::<Option<_>>()?;
            filters.sort_unstable();
            let access = match &on[..] {
                [] => Access::all_pairs(),
                [one] => Access::of(*one, &checks[*one])?,
                _ => Access::equi_join(on.clone()),
            };
            Some((Condition { access, filters }, branch.candidates? as f64))
        };
        let near = self.record.near.iter().flat_map(|near| &near.plan);
        self.record.plan.iter().chain(near).filter_map(fact).collect()
    }
}
