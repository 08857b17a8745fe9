//! Other jobs over the records of a dataset: what they say of its inputs must be what these were read by.

use super::dataset_input::DatasetInput;
use super::id_columns::{SIDES, asked_by_job, asked_by_rules, id_column};
use super::shared::Dataset;
use crate::error::{Error, Result};
use crate::job::Job;
use crate::records::Input;
use crate::rules::RuleFile;

impl Dataset {
    /// A job over its records, to be given rules.
    pub fn job(&self) -> Job {
        let inputs = self.inputs();
        // Which records they are is known, whatever columns other rules read of them.
        let sources: Vec<Input> = inputs.iter().map(|input| input.source.clone().expecting(None)).collect();
        let mut job = Job::new(sources, self.layout().link_type());
        let id = |input: &DatasetInput| input.id_column.clone().unwrap_or_else(|| "row".to_owned());
        match inputs {
            [only] => job.id = Some(id(only)),
            [_, _] => job.ids.extend(SIDES.map(str::to_owned).into_iter().zip(inputs.iter().map(id))),
            several => job.ids.extend(several.iter().map(|input| (input.name.clone(), id(input)))),
        }
        job.skip_null_ids = Some(inputs.iter().any(|input| !input.skipped.is_empty()));
        job
    }

    /// The same with rules and all else of another job; only its inputs and ids are those of the dataset, and what it says of
    /// them must be so. If its inputs must have some records, those of the dataset must be these.
    #[doc(hidden)]
    pub fn job_over(&self, job: &Job) -> Result<Job> {
        self.check_kind(job)?;
        self.check_ids(job)?;
        self.check_reading(job)?;
        let Job { inputs, id, ids, skip_null_ids, .. } = self.job();
        let of_job = job.inputs.iter().map(|input| input.expected().cloned());
        let inputs = inputs.into_iter().zip(of_job).map(|(input, expected)| input.expecting(expected)).collect();
        Ok(Job { inputs, id, ids, skip_null_ids, ..job.clone() })
    }

    /// Refuses a job that makes pairs of other inputs.
    pub(super) fn check_kind(&self, job: &Job) -> Result<()> {
        if job.link_type == self.layout().link_type() && job.inputs.len() == self.inputs().len() {
            return Ok(());
        }
        Err(Error::usage("the records were read for a job of another kind, or with other inputs")
            .with_help("read the inputs of this job"))
    }

    /// Refuses a job with ids of other columns. What was said of an input goes before what rules say.
    pub(super) fn check_ids(&self, job: &Job) -> Result<()> {
        let names: Vec<String> = self.inputs().iter().map(|input| input.name.clone()).collect();
        let given: Vec<&str> = self.inputs().iter().map(|input| input.given_name.as_str()).collect();
        let said = asked_by_job(job, &given, &names)?.into_iter().zip(asked_by_rules(&job.rules, &given, &names)?);
        for (input, (by_job, by_rules)) in self.inputs().iter().zip(said) {
            let counts = [by_job, by_rules.filter(|_| !input.said.id)];
            for column in counts.into_iter().flatten() {
                let place = id_column(Some(&column), &input.given_name, &input.schema)?;
                if place.map(|place| input.schema.field(place).name()) != input.id_column.as_ref() {
                    return Err(Error::usage(format!("the ids of `{}` were read from another column", input.name))
                        .with_help("read the inputs of this job"));
                }
            }
        }
        Ok(())
    }

    /// Refuses rules by which inputs would be read in another way, and a job that wants what was left out.
    fn check_reading(&self, job: &Job) -> Result<()> {
        if let Some(input) = self.inputs().iter().find(|input| is_read_otherwise(input, &job.rules)) {
            return Err(Error::usage(format!(
                "with these rules `{}` would be read in another way than it was",
                input.name
            ))
            .with_help("open the records with these rules, or say of the input how it is read"));
        }
        let wants_all = job.skip_null_ids.or(job.rules.skip_null_ids) == Some(false);
        match self.inputs().iter().find(|input| wants_all && !input.skipped.is_empty()) {
            Some(input) => Err(Error::usage(format!("records of `{}` without an id were left out", input.name))
                .with_help("read the inputs of this job")),
            None => Ok(()),
        }
    }
}

/// Whether an input would be read in another way by rules that say how. What was said of the input itself goes before that.
fn is_read_otherwise(input: &DatasetInput, rules: &RuleFile) -> bool {
    let (said, read) = (input.said.options.or_as_rules_say(rules), input.source.options());
    let is_of_files = !input.source.given().is_empty();
    let encoding = said.encoding.filter(|_| is_of_files);
    let null = said.null.filter(|texts| !texts.is_empty());
    encoding.is_some() && encoding != read.encoding
        || null.is_some() && null != read.null
        || said.blank_is_null.is_some_and(|is_null| is_null != read.blank_is_null.unwrap_or(false))
}
