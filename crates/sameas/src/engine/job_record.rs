//! What a run was asked to do: with its inputs and rules, enough to run it again.

use std::collections::{BTreeMap, HashSet};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::job::Job;
use super::timestamp::utc;
use crate::rules::{DeriveText, RuleFileText};
use crate::score::Model;

/// A derived column of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DeriveRecord {
    /// The input it is for, `left`, `right` or an input's name, unless it is for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The name of the column.
    pub name: String,
    /// The expression as it is written.
    pub expression: String,
}

/// What a run was asked to do, as far as its inputs and rules do not say it. With these and the same files, the same version
/// gives the same results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(default)]
pub struct JobRecord {
    /// When it began, in UTC: `2026-01-31T12:00:00Z`.
    pub started: String,
    /// The command that started it, if a program has said so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The rule files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule_files: Vec<RuleFileText>,
    /// Derived columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derive: Vec<DeriveRecord>,
    /// The column with the ids that the job names, which goes before what the rules name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The column with the ids that the rules name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique_id: Option<String>,
    /// The same by input.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unique_ids: BTreeMap<String, String>,
    /// The encoding of text files that the rules name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Texts that stand for a missing value, by the rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub null: Vec<String>,
    /// Whether a text of white space alone is a missing value, by the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank_is_null: Option<bool>,
    /// Whether records without an id are left out, by the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_null_ids: Option<bool>,
    /// The model that pairs are scored by, as its file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The most candidates that were allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_candidates: Option<u64>,
}

impl JobRecord {
    /// The record of a job that began at this time.
    pub(super) fn of(job: &Job, started: SystemTime) -> Self {
        let file = &job.rules;
        Self {
            started: utc(started),
            command: job.command.clone(),
            rule_files: file.files.clone(),
            derive: derives(job),
            id: job.id.clone(),
            unique_id: file.unique_id.clone(),
            unique_ids: file.unique_ids.clone(),
            encoding: file.encoding.clone(),
            null: file.null.clone(),
            blank_is_null: file.blank_is_null,
            skip_null_ids: file.skip_null_ids,
            model: job.model.as_ref().map(Model::to_text),
            max_candidates: job.max_candidates,
        }
    }
}

fn derives(job: &Job) -> Vec<DeriveRecord> {
    let record = |input: Option<&str>, derive: &DeriveText| DeriveRecord {
        input: input.map(str::to_owned),
        name: derive.name.clone(),
        expression: derive.origin.text.clone(),
    };
    let [left, right] = &job.rules.derive;
    let [names_l, names_r] = [left, right].map(|all| all.iter().map(DeriveText::identity).collect::<HashSet<_>>());
    let of_left = left.iter().map(|d| record(if names_r.contains(&d.identity()) { None } else { Some("left") }, d));
    let of_right = right.iter().filter(|d| !names_l.contains(&d.identity())).map(|d| record(Some("right"), d));
    let of_inputs = job.rules.derive_of.iter().flat_map(|(input, all)| all.iter().map(move |d| (input, d)));
    of_left.chain(of_right).chain(of_inputs.map(|(input, d)| record(Some(input), d))).collect()
}
