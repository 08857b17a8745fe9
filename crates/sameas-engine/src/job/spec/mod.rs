//! A job as a value: everything that decides its answer, to be stored, sent, and made a job again.

use std::collections::BTreeMap;
use std::env::current_dir;
use std::path::{Path, PathBuf};

use sameas_entities::tables::ResultTables;
use serde::{Deserialize, Serialize};

use super::input_spec::{InputSpec, not_given};
use super::{Job, NamedFiles};
use crate::error::{Error, ErrorCode, Result};
use crate::model::Model;
use crate::records::{Input, is_relative};
use crate::rules::{LinkType, RuleFile, RulePart};

/// A job as a value: everything that decides its answer. It has no records: files are named, and records that somebody gave
/// have to be given again. `run.json` holds that of its run, which also says which records were read.
///
/// How a job is planned and run, and how many candidates it may have, is no part of it: none of that changes the answer.
///
/// ```
/// # mod sameas { pub use sameas_core::error::*; pub use sameas_engine::{job::*, observer::*}; pub use sameas_records::records::Input; }
/// # use sameas::{Input, Job, JobSpec};
/// # fn main() -> sameas::Result<()> {
/// let job = Job::dedupe(Input::files(["people.csv"])).with_rule("l.email = r.email");
/// let spec = JobSpec::new(&job);
/// let again = spec.job(&[])?;
/// assert_eq!(JobSpec::new(&again), spec);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JobSpec {
    /// The version of this description.
    pub version: u32,
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// The inputs, each with how it is read: by what was said of it, else by what the rules say.
    pub inputs: Vec<InputSpec>,
    /// The columns with the ids that the job names.
    #[serde(default, skip_serializing_if = "IdSpec::is_empty")]
    pub ids: IdSpec,
    /// Those that the rules name, where the job names none.
    #[serde(default, skip_serializing_if = "IdSpec::is_empty")]
    pub ids_of_rules: IdSpec,
    /// Whether records without an id are left out; else they are an error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skip_null_ids: bool,
    /// How the rules were made: derived columns, rules, `never` rules, comparisons and thresholds.
    pub rules: Vec<RulePart>,
    /// The model that pairs are scored by, as its file has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Pairs with scores that others have given, where they came with the job; a file that rules name is in the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<InputSpec>,
    /// Tables of term frequencies by column, where they came with the job.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub term_frequencies: BTreeMap<String, InputSpec>,
    /// What people have decided about pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<InputSpec>,
    /// The files that the rules name, as far as they were read, by their paths from the folder in which the rules were written;
    /// others are refused. The hash of a list is that of its file, that of a table of the columns that were read; a file that
    /// is read for several uses has several.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: NamedFiles,
    /// The current folder of the run, if an input is named by a relative path or the rules name a file: relative paths are
    /// looked for from there first, and then from the current folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// By how much thresholds are loosened for near pairs, if they are looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<f64>,
    /// Whether all pairs may be looked at where the comparisons leave no other way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_pairs: bool,
    /// The tables of records and entities that its results have.
    #[serde(default, skip_serializing_if = "ResultTables::is_empty")]
    pub tables: ResultTables,
}

/// Columns with ids: of single inputs, by `left`, `right` or the input's name, and of all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(default)]
pub struct IdSpec {
    /// Of single inputs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub of_inputs: BTreeMap<String, String>,
    /// Of all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
}

impl IdSpec {
    fn is_empty(&self) -> bool {
        self.of_inputs.is_empty() && self.column.is_none()
    }
}

/// The version alone, of whatever else there is.
#[derive(Deserialize)]
struct SpecVersion {
    version: u32,
}

impl JobSpec {
    /// The version that this library writes. It reads those before, too.
    pub const VERSION: u32 = 1;

    /// The description of a job.
    pub fn new(job: &Job) -> Self {
        let rules = &job.rules;
        let as_given = |input: &Input| InputSpec::new(input, input.options().clone());
        let resolved = |input: &Input| InputSpec::new(input, input.options().or_as_rules_say(rules));
        Self {
            version: Self::VERSION,
            link_type: job.link_type,
            inputs: job.inputs.iter().map(resolved).collect(),
            ids: IdSpec { of_inputs: job.ids.clone(), column: job.id.clone() },
            ids_of_rules: IdSpec { of_inputs: rules.unique_ids.clone(), column: rules.unique_id.clone() },
            skip_null_ids: job.skip_null_ids.or(rules.skip_null_ids).unwrap_or(false),
            rules: rules.parts().to_vec(),
            model: job.model.as_ref().map(Model::to_text),
            scores: job.scores.as_ref().map(as_given),
            term_frequencies: job.term_frequencies.iter().map(|(of, input)| (of.clone(), as_given(input))).collect(),
            decided: job.decided.as_ref().map(as_given),
            files: job.named_files.clone(),
            folder: rules.folder_made_in().and_then(Path::to_str).map(str::to_owned),
            near: job.near,
            all_pairs: job.all_pairs,
            tables: job.tables.clone(),
        }
    }

    /// Reads a description that was written as JSON; `name` is what messages call it.
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        let wrong = |error: serde_json::Error| {
            Error::data(format!("{name}: not the description of a job: {error}")).with_source(error)
        };
        let SpecVersion { version } = serde_json::from_str(text).map_err(wrong)?;
        Self::check_version(version.into()).map_err(|error| error.at(name))?;
        serde_json::from_str(text).map_err(wrong)
    }

    /// The names of the records that have to be given again, in the order in which [`Self::job`] takes them.
    pub fn asks_for(&self) -> Vec<&str> {
        let others = self.scores.iter().chain(self.term_frequencies.values()).chain(&self.decided);
        self.inputs.iter().chain(others).filter_map(InputSpec::asks_for).collect()
    }

    /// The job again. `given` are the records that it [asks for](Self::asks_for). Where the description says which records
    /// were read, others are refused when they are read.
    pub fn job(&self, given: &[Input]) -> Result<Job> {
        Self::check_version(self.version.into())?;
        self.check_given(given)?;
        let (given, folder) = (&mut given.iter(), self.folder_elsewhere());
        let inputs = self.inputs.iter().map(|input| input.input(given, folder)).collect::<Result<Vec<Input>>>()?;
        let mut job = Job::new(inputs, self.link_type).with_rules(self.rule_file()?);
        (job.id, job.ids) = (self.ids.column.clone(), self.ids.of_inputs.clone());
        job.skip_null_ids = Some(self.skip_null_ids);
        (job.near, job.all_pairs, job.tables) = (self.near, self.all_pairs, self.tables.clone());
        job.model = self.model.as_deref().map(|text| Model::parse(text, "the model of the job")).transpose()?;
        job.scores = self.scores.as_ref().map(|scores| scores.input(given, folder)).transpose()?;
        for (column, table) in &self.term_frequencies {
            job.term_frequencies.insert(column.clone(), table.input(given, folder)?);
        }
        job.decided = self.decided.as_ref().map(|decided| decided.input(given, folder)).transpose()?;
        job.named_files.clone_from(&self.files);
        Ok(job)
    }

    /// The job with rules and a model, and with no records: what is known before any are read.
    pub(crate) fn job_without_records(&self) -> Result<Job> {
        Self::check_version(self.version.into())?;
        let rules = self.rule_file()?;
        let rules = if self.scores.is_some() { rules.with_outside_scores() } else { rules };
        let mut job = Job::new(Vec::new(), self.link_type).with_rules(rules);
        job.model = self.model.as_deref().map(|text| Model::parse(text, "the model of the job")).transpose()?;
        job.named_files.clone_from(&self.files);
        Ok(job)
    }

    /// The folder of the run, where it is not the current one: there paths stay as they are.
    fn folder_elsewhere(&self) -> Option<&Path> {
        let folder = self.folder.as_deref().map(Path::new)?;
        Some(folder).filter(|folder| !current_dir().is_ok_and(|current| current == **folder))
    }

    /// The same of a run in a current folder: what is there by a relative path is found again from elsewhere.
    pub(crate) fn of_run_in(mut self, current: Option<&Path>) -> Self {
        let Some(current) = current else { return self };
        match &self.folder {
            // The rules are of another run, elsewhere, and the inputs from here.
            Some(folder) if Path::new(folder) != current => {
                let others = self.scores.iter_mut().chain(&mut self.decided).chain(self.term_frequencies.values_mut());
                self.inputs.iter_mut().chain(others).for_each(|input| *input = input.found_in(current));
            }
            Some(_) => {}
            None if self.depends_on_folder() => self.folder = current.to_str().map(str::to_owned),
            None => {}
        }
        self
    }

    /// Whether a file could be another one in another current folder: so it is with all that rules name.
    fn depends_on_folder(&self) -> bool {
        let others = self.scores.iter().chain(&self.decided).chain(self.term_frequencies.values());
        let mut inputs = self.inputs.iter().chain(others);
        let is_given_relatively = |input: &InputSpec| input.source.given().iter().any(|path| is_relative(path));
        !self.files.is_empty() || inputs.any(is_given_relatively)
    }

    /// The rules again. What they say of inputs has become a part of the inputs.
    fn rule_file(&self) -> Result<RuleFile> {
        let mut rules = RuleFile::of_parts(&self.rules)?;
        (rules.unique_id, rules.unique_ids) = (self.ids_of_rules.column.clone(), self.ids_of_rules.of_inputs.clone());
        (rules.encoding, rules.null) = (None, Vec::new());
        (rules.blank_is_null, rules.skip_null_ids) = (None, None);
        // Whoever has made another kind of job of them has left this out.
        rules.link_type = rules.link_type.filter(|said| *said == self.link_type);
        Ok(rules.made_in(self.folder.as_ref().map(PathBuf::from)))
    }

    fn check_given(&self, given: &[Input]) -> Result<()> {
        let asked = self.asks_for();
        match asked.get(given.len()) {
            Some(name) => Err(not_given(name)),
            None if asked.len() < given.len() => {
                let (given, asked) = (given.len(), asked.len());
                Err(Error::usage(format!(
                    "the records of {asked} inputs are asked for, and those of {given} are given"
                ))
                .with_help("records that came from files are read from these again"))
            }
            None => Ok(()),
        }
    }

    /// Refuses what a later version has written.
    pub(crate) fn check_version(version: u64) -> Result<()> {
        if version <= u64::from(Self::VERSION) {
            return Ok(());
        }
        Err(Error::data("a later version of sameas has written the description of this job")
            .with_help("use that version, or one after it")
            .with_code(ErrorCode::LaterVersion))
    }
}

#[cfg(test)]
mod tests;
