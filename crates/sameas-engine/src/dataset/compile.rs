//! The rules of a job against the columns of its inputs, before any record is read.

use arrow_schema::Schema;

use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::records::ContentId;
use crate::rules::{InputColumns, LinkType, RuleSet, compile_within, input_columns};

/// Compiles the rules of a job against the columns of its inputs. `names` are the names of the inputs in results.
pub fn compile_rules(job: &Job, schemas: &[&Schema], names: &[String], budget: &MemoryBudget) -> Result<RuleSet> {
    if let Some(said) = job.rules.link_type
        && said != job.link_type
    {
        return Err(Error::rules(format!(
            "the rule file says link_type = \"{}\", the job is {}",
            said.name(),
            job.link_type.name()
        ))
        .with_help("make the job that the rules are for, or change them")
        .with_code(ErrorCode::LinkTypeMismatch));
    }
    let with_source = job.link_type != LinkType::DedupeOnly;
    let columns: Vec<_> = schemas.iter().map(|schema| input_columns(schema, with_source)).collect();
    let inputs = names.iter().zip(&columns).map(|(name, columns)| InputColumns { name, columns });
    let completed = job.completed_rules();
    let given = job.scores.as_ref().map(|_| job.rules.clone().with_outside_scores());
    let rules = compile_within(
        given.as_ref().unwrap_or(&completed),
        job.link_type,
        &inputs.collect::<Vec<_>>(),
        budget,
        near_amount(job)?,
    )?;
    for (name, list) in &rules.named_lists {
        job.check_named_file(name, &ContentId::new(list.group_count(), list.xxh128()))?;
    }
    Ok(rules)
}

/// By how much thresholds are loosened for near pairs.
fn near_amount(job: &Job) -> Result<Option<f64>> {
    match job.near {
        Some(amount) if !(amount > 0.0 && amount < 1.0) => {
            Err(Error::usage(format!("thresholds cannot be loosened by {amount}"))
                .with_help("similarities are between 0 and 1, and so is what they are loosened by: 0.05, for example"))
        }
        near => Ok(near),
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::{DataType, Field};

    use super::*;
    use crate::error::ErrorKind;
    use crate::records::Input;

    fn compiled(job: &Job, columns: [&str; 2]) -> Result<usize> {
        let schema = Schema::new(columns.map(|name| Field::new(name, DataType::Utf8, true)).to_vec());
        let rules = compile_rules(job, &[&schema], &["people".to_owned()], &MemoryBudget::new(1 << 24))?;
        Ok(rules.written_rules())
    }

    #[test]
    fn rules_need_columns_and_no_records() {
        // There is no such file, and nobody looks for it.
        let mut job = Job::dedupe(Input::files(["nowhere.csv"])).with_rule("l.name = r.name");
        assert_eq!(compiled(&job, ["id", "name"]).unwrap(), 1);
        assert_eq!(compiled(&job, ["id", "surname"]).unwrap_err().kind(), ErrorKind::Rules);
        for amount in [0.0, 1.0, f64::NAN] {
            let error = compiled(&job.clone().with_near(amount), ["id", "name"]).unwrap_err();
            assert_eq!(error.message(), format!("thresholds cannot be loosened by {amount}"));
        }
        job.rules.link_type = Some(LinkType::LinkOnly);
        assert_eq!(compiled(&job, ["id", "name"]).unwrap_err().code(), ErrorCode::LinkTypeMismatch);
    }
}
