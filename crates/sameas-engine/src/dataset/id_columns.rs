//! Which column of each input holds the ids: what the job says, else what the rules say, else `id` or `unique_id`.

use std::collections::BTreeMap;

use arrow_schema::Schema;

use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::rules::{RuleFile, nearest};

/// The names that the sides of a link have.
pub(super) const SIDES: [&str; 2] = ["left", "right"];

/// The id columns of single inputs by their names, and that of all others.
type AskedColumns<'a> = (&'a BTreeMap<String, String>, Option<&'a String>);

/// What was asked for each input, by its names: those that its source has given it, and those in results. What the job says goes
/// before what its rules say.
pub fn asked(job: &Job, given: &[&str], names: &[String]) -> Result<Vec<Option<String>>> {
    let by_job = asked_by_job(job, given, names)?;
    let by_rules = asked_by_rules(&job.rules, given, names)?;
    Ok(by_job.into_iter().zip(by_rules).map(|(job, rules)| job.or(rules)).collect())
}

/// The same by the job itself.
pub fn asked_by_job(job: &Job, given: &[&str], names: &[String]) -> Result<Vec<Option<String>>> {
    asked_in((&job.ids, job.id.as_ref()), given, names, Error::usage)
}

/// The same by rules.
pub fn asked_by_rules(rules: &RuleFile, given: &[&str], names: &[String]) -> Result<Vec<Option<String>>> {
    asked_in((&rules.unique_ids, rules.unique_id.as_ref()), given, names, Error::rules)
}

fn asked_in(
    (columns, of_others): AskedColumns<'_>,
    given: &[&str],
    names: &[String],
    error: fn(String) -> Error,
) -> Result<Vec<Option<String>>> {
    let known: Vec<Vec<&str>> = given.iter().zip(names).map(|(given, name)| vec![name.as_str(), *given]).collect();
    check_names(columns, &known, error)?;
    let of_input =
        |(at, names): (usize, &Vec<&str>)| named(columns, at, given.len(), names).or_else(|| of_others.cloned());
    Ok(known.iter().enumerate().map(of_input).collect())
}

/// The column for the input at this place. What is said of a side of a link is said of its place.
fn named(columns: &BTreeMap<String, String>, at: usize, inputs: usize, names: &[&str]) -> Option<String> {
    let side = SIDES.get(at).filter(|_| inputs == SIDES.len());
    let of_side = side.and_then(|side| columns.get(*side));
    let is_side = |name: &str| inputs == SIDES.len() && SIDES.contains(&name);
    of_side.or_else(|| names.iter().filter(|name| !is_side(name)).find_map(|name| columns.get(*name))).cloned()
}

/// A name that no input has is a mistake.
fn check_names(columns: &BTreeMap<String, String>, inputs: &[Vec<&str>], error: fn(String) -> Error) -> Result<()> {
    let sides: &[&str] = if inputs.len() == SIDES.len() { &SIDES } else { &[] };
    let known: Vec<&str> = sides.iter().copied().chain(inputs.iter().flatten().copied()).collect();
    let wrong = columns.keys().find(|name| !known.contains(&name.as_str()));
    let Some(wrong) = wrong.filter(|_| !inputs.is_empty()) else { return Ok(()) };
    let near = nearest(wrong, known.iter().copied()).map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let first = |at: &usize| !known[..*at].contains(&known[*at]);
    let known: Vec<String> = (0..known.len()).filter(first).map(|at| format!("`{}`", known[at])).collect();
    Err(error(format!("an id column is given for `{wrong}`, and no input has that name"))
        .with_help(format!("{near}an input of this job can be called {}", known.join(" or ")))
        .with_code(ErrorCode::NoSuchInput))
}

/// The id column of an input with these columns, or `None` for row numbers; `asked` is the one that was asked for, and `input`
/// what the input is called.
pub fn id_column(asked: Option<&str>, input: &str, schema: &Schema) -> Result<Option<usize>> {
    let find = |name: &str| {
        let lower = name.to_lowercase();
        let fields = schema.fields();
        fields
            .iter()
            .position(|f| f.name() == name)
            .or_else(|| fields.iter().position(|f| f.name().to_lowercase() == lower))
    };
    let names: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
    match asked {
        Some(name) => match find(name) {
            Some(column) => Ok(Some(column)),
            None if name == "row" => Ok(None),
            None => Err(Error::usage(format!("`{input}` has no column `{name}` to take ids from"))
                .with_help(format!("its columns are: {}; `row` stands for row numbers", names.join(", ")))
                .with_code(ErrorCode::NoIdColumn)),
        },
        None => match find("id").or_else(|| find("unique_id")) {
            Some(column) => Ok(Some(column)),
            None => Err(Error::usage(format!("`{input}` has no column `id` or `unique_id`"))
                .with_help(format!(
                    "say which column holds the ids; the columns are: {}; `row` stands for row numbers",
                    names.join(", ")
                ))
                .with_code(ErrorCode::NoIdColumn)),
        },
    }
}
