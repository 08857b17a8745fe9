//! Which job a checkpoint is of: threads, memory and devices do not matter, everything that can change a pair does.

use serde::{Deserialize, Serialize};

use crate::engine::prepared::Prepared;
use crate::rules::{LinkType, RuleText};

/// Whether a run went on where an interrupted one had ended. Exhaustive on purpose: programs have a sentence for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Resumption {
    /// No run was interrupted.
    NothingStored,
    /// It went on.
    Resumed {
        /// The branches that had ended.
        branches: usize,
    },
    /// It did everything again.
    StartedOver {
        /// Why.
        reason: StartOverReason,
    },
}

/// Why what an interrupted run has left cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StartOverReason {
    /// Another version of sameas has left it.
    Version {
        /// That version.
        stored: String,
    },
    /// The records of an input are others.
    Input {
        /// The name of the input.
        name: String,
    },
    /// The rules are others, or the inputs, or the columns with the ids.
    Rules,
    /// It cannot be read.
    Unreadable,
}

/// What a checkpoint is found by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JobKey {
    version: String,
    link_type: LinkType,
    id: Option<String>,
    derived: [Vec<(String, String)>; 2],
    rules: Vec<(Option<String>, String)>,
    nevers: Vec<(Option<String>, String)>,
    /// By how much thresholds are loosened for near pairs, as text.
    #[serde(default)]
    near: Option<String>,
    inputs: Vec<InputKey>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InputKey {
    name: String,
    rows: u64,
    xxh128: String,
}

impl JobKey {
    /// The key of a job whose inputs have been read.
    pub fn of(prepared: &Prepared) -> Self {
        let (job, file) = (&prepared.job, &prepared.job.rules);
        let derived = |side: usize| {
            let texts = file.derive[side].iter();
            texts.map(|derive| (derive.name.clone(), derive.origin.text.clone())).collect()
        };
        let texts = |rules: &[RuleText]| rules.iter().map(|rule| (rule.name.clone(), rule.origin.text.clone())).collect();
        let input = |input: &crate::engine::InputRecord| InputKey {
            name: input.name.clone(),
            rows: input.rows,
            xxh128: input.xxh128.clone(),
        };
        Self {
            version: crate::VERSION.to_owned(),
            link_type: job.link_type,
            id: job.id.clone().or_else(|| file.unique_id.clone()),
            derived: [derived(0), derived(1)],
            rules: texts(&file.rules),
            nevers: texts(&file.nevers),
            near: job.near.map(|amount| amount.to_string()),
            inputs: prepared.inputs.iter().map(input).collect(),
        }
    }

    /// Why a stored key is not that of `job`, if it is not. Rules are compared first: they decide which columns are read.
    pub fn check(&self, job: &Self) -> Result<(), StartOverReason> {
        if self.version != job.version {
            return Err(StartOverReason::Version { stored: self.version.clone() });
        }
        let others = Self { inputs: job.inputs.clone(), ..self.clone() };
        if others != *job || self.inputs.len() != job.inputs.len() {
            return Err(StartOverReason::Rules);
        }
        let changed = self.inputs.iter().zip(&job.inputs).find(|(stored, input)| stored != input);
        changed.map_or(Ok(()), |(_, input)| Err(StartOverReason::Input { name: input.name.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> JobKey {
        let input = InputKey { name: "people".into(), rows: 3, xxh128: "00".into() };
        JobKey {
            version: "1".into(),
            link_type: LinkType::DedupeOnly,
            id: None,
            derived: [vec![("a".into(), "lower(b)".into())], Vec::new()],
            rules: vec![(None, "l.a = r.a".into())],
            nevers: Vec::new(),
            near: None,
            inputs: vec![input],
        }
    }

    #[test]
    fn what_changed_is_the_reason() {
        let reason = |change: &dyn Fn(&mut JobKey)| {
            let mut job = key();
            change(&mut job);
            key().check(&job).err()
        };
        assert_eq!(reason(&|_| {}), None);
        assert_eq!(reason(&|job| job.version = "2".into()), Some(StartOverReason::Version { stored: "1".into() }));
        let input = Some(StartOverReason::Input { name: "people".into() });
        assert_eq!(reason(&|job| job.inputs[0].xxh128 = "01".into()), input);
        assert_eq!(reason(&|job| job.inputs[0].rows = 4), input);
        assert_eq!(reason(&|job| job.rules[0].0 = Some("same".into())), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.derived[0].clear()), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.id = Some("x".into())), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.near = Some("0.05".into())), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.inputs.clear()), Some(StartOverReason::Rules));
    }
}
