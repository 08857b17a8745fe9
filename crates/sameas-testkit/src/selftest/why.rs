//! What `why` says about a pair agrees with the pairs that a run finds.

use crate::case::{Case, JobKind, SOURCES};
use crate::rng::Rng;
use sameas::{Job, Session};

use super::outcome::Outcome;

/// Explains two records that the seed chooses.
pub fn agrees(case: &Case, seed: u64, job: &Job, outcome: &Outcome) -> Result<(), String> {
    let Some(names) = two_records(case, &mut Rng::new(seed)) else { return Ok(()) };
    let session = Session::builder().threads(1).build().map_err(|error| error.to_string())?;
    let ids = match case.job.kind {
        JobKind::LinkAndDedupe => names.clone().map(|[source, id]| format!("{source}:{id}")),
        JobKind::Dedupe | JobKind::Link => names.clone().map(|[_, id]| id),
    };
    let answer = session.why(job, [&ids[0], &ids[1]], &()).map_err(|error| error.to_string())?;
    let columns =
        if case.job.kind == JobKind::LinkAndDedupe { names.concat() } else { names.map(|[_, id]| id).to_vec() };
    let row = outcome.pairs.iter().find(|row| row[..row.len() - 1] == columns);
    match (row.and_then(|row| row.last()), &answer.match_key) {
        (found, said) if found == said.as_ref() => Ok(()),
        (found, said) => Err(format!("the pair {ids:?} has match_key {found:?}, but `why` says {said:?}")),
    }
}

/// Input and id of two records, the earlier one first.
fn two_records(case: &Case, rng: &mut Rng) -> Option<[[String; 2]; 2]> {
    let name = |(table, row): (usize, usize)| [SOURCES[table].to_owned(), case.tables[table].rows[row].id.clone()];
    let of_table = |table: usize| (0..case.tables[table].rows.len()).map(move |row| (table, row));
    let (first, second): (Vec<_>, Vec<_>) = match case.job.kind {
        JobKind::Link => (of_table(0).collect(), of_table(1).collect()),
        JobKind::Dedupe | JobKind::LinkAndDedupe => {
            let mut all: Vec<_> = (0..case.tables.len()).flat_map(of_table).collect();
            let cut = if all.len() < 2 { return None } else { 1 + rng.below(all.len() - 1) };
            let later = all.split_off(cut);
            (all, later)
        }
    };
    let any = !first.is_empty() && !second.is_empty();
    any.then(|| [name(*rng.pick(&first)), name(*rng.pick(&second))])
}
