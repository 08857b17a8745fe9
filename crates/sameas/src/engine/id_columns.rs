//! Which column of each input holds the ids: what the job says, else what the rules say, else `id` or `unique_id`.

use std::collections::BTreeMap;

use super::job::Job;
use crate::error::{Error, ErrorCode, Result};
use crate::records::Source;
use crate::rules::nearest;

/// The names that the sides of a link have.
const SIDES: [&str; 2] = ["left", "right"];

/// What was asked for each input, by its name. `names` are the names of the inputs in results.
pub fn asked(job: &Job, sources: &[Source], names: &[String]) -> Result<Vec<Option<String>>> {
    let known: Vec<Vec<&str>> = sources.iter().zip(names).map(|(source, name)| vec![name, source.name()]).collect();
    check_names(&job.ids, &known, Error::usage)?;
    check_names(&job.rules.unique_ids, &known, Error::rules)?;
    let of_input = |(at, names): (usize, &Vec<&str>)| {
        let named = |columns: &BTreeMap<String, String>| named(columns, at, sources.len(), names);
        let of_job = named(&job.ids).or_else(|| job.id.clone());
        of_job.or_else(|| named(&job.rules.unique_ids)).or_else(|| job.rules.unique_id.clone())
    };
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

/// The id column of an input, or `None` for row numbers; `asked` is the one that was asked for.
pub fn id_column(asked: Option<&str>, source: &Source) -> Result<Option<usize>> {
    let find = |name: &str| {
        let lower = name.to_lowercase();
        let fields = source.schema().fields();
        fields
            .iter()
            .position(|f| f.name() == name)
            .or_else(|| fields.iter().position(|f| f.name().to_lowercase() == lower))
    };
    let names: Vec<&str> = source.schema().fields().iter().map(|f| f.name().as_str()).collect();
    match asked {
        Some(name) => match find(name) {
            Some(column) => Ok(Some(column)),
            None if name == "row" => Ok(None),
            None => Err(Error::usage(format!("`{}` has no column `{name}` to take ids from", source.name()))
                .with_help(format!("its columns are: {}; `row` stands for row numbers", names.join(", ")))
                .with_code(ErrorCode::NoIdColumn)),
        },
        None => match find("id").or_else(|| find("unique_id")) {
            Some(column) => Ok(Some(column)),
            None => Err(Error::usage(format!("`{}` has no column `id` or `unique_id`", source.name()))
                .with_help(format!(
                    "say which column holds the ids; the columns are: {}; `row` stands for row numbers",
                    names.join(", ")
                ))
                .with_code(ErrorCode::NoIdColumn)),
        },
    }
}
