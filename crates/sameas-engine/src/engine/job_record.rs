//! What a run was asked to do: the job as a value, and what a reader of its record wants to see at once.

use std::collections::HashSet;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::bound_job::BoundJob;
use crate::expr::{ValueGroups, utc};
use crate::job::{Job, JobSpec, NamedFiles};
use crate::records::ContentId;
use crate::rules::DeriveText;
use crate::scoring::TermFrequencyRecord;

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

/// What a run was asked to do. The same version gives the same results for the same [`JobSpec`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(default)]
pub struct JobRecord {
    /// When it began, in UTC: `2026-01-31T12:00:00Z`.
    pub started: String,
    /// The command that started it, if a program has said so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The job, with the records that were read; nothing in records of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<JobSpec>,
    /// Derived columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derive: Vec<DeriveRecord>,
    /// The most candidates that were allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_candidates: Option<u64>,
}

impl JobRecord {
    /// The record of a job that began at this time and has read all that it reads.
    pub(super) fn new(bound: &BoundJob, started: SystemTime) -> Self {
        let job = &bound.job;
        Self {
            started: utc(started),
            command: job.command.clone(),
            spec: Some(spec_of(bound)),
            derive: derives(job),
            max_candidates: job.max_candidates,
        }
    }
}

/// The description of a job, with what identifies all that it has read.
fn spec_of(bound: &BoundJob) -> JobSpec {
    let BoundJob { job, inputs, scores, decided, folder, .. } = bound;
    let mut spec = JobSpec::new(job);
    for (input, read) in spec.inputs.iter_mut().zip(inputs) {
        input.content = Some(read.content());
    }
    if let Some(given) = &mut spec.scores {
        given.content = scores.given_content().cloned();
    }
    if let Some(given) = &mut spec.decided {
        given.content = decided.as_ref().map(|decided| decided.content().clone());
    }
    for (column, given) in &mut spec.term_frequencies {
        let read = scores.term_frequencies().iter().find(|of| of.column.eq_ignore_ascii_case(column));
        given.content = read.and_then(TermFrequencyRecord::content);
    }
    spec.files = named_files(bound);
    spec.of_run_in(folder.as_deref())
}

/// What identifies the files that the rules of a job name, by what they are called.
pub(super) fn named_files(BoundJob { rules, scores, .. }: &BoundJob) -> NamedFiles {
    let content = |list: &ValueGroups| ContentId::new(list.group_count(), list.xxh128());
    let lists = rules.set().named_lists.iter().map(|(name, list)| (name.clone(), content(list)));
    let mut all = NamedFiles::new();
    for (name, content) in lists.chain(scores.named_files()) {
        let known = all.entry(name).or_default();
        if !known.contains(&content) {
            known.push(content);
        }
    }
    all
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
