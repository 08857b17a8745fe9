//! The near pairs of a run against those of the oracle.

use std::path::Path;

use sameas::Format;

use crate::case::{Case, Expr, sql};
use crate::oracle::{NearPair, near};

use super::outcome::{Rows, pair_columns, read};

/// Amounts that are loosened by.
const AMOUNTS: [f64; 3] = [0.05, 0.1, 0.3];

/// By how much the thresholds of a case are loosened; every other seed has no near pairs, and no job with scores.
pub fn amount(case: &Case, seed: u64) -> Option<f64> {
    (!seed.is_multiple_of(2) && case.job.scoring.is_none()).then(|| AMOUNTS[(seed / 2) as usize % AMOUNTS.len()])
}

/// Reads the near pairs in a folder and compares them with those of the oracle.
pub fn agrees(case: &Case, amount: f64, format: Format, folder: &Path) -> Result<(), String> {
    let given = rows(case, format, folder)?;
    let expected = near(case, amount);
    let wrong = |what: String| Err(format!("near pairs by {amount}: {what}"));
    if given.len() != expected.len() {
        let keys = |rows: &Rows| rows.iter().map(|row| row.join(" ")).collect::<Vec<_>>().join("; ");
        return wrong(format!("the oracle has {}, given are {}: {}", expected.len(), given.len(), keys(&given)));
    }
    for (given, expected) in given.iter().zip(&expected) {
        let key = key(case, expected);
        let loosened = given.last().map_or("", String::as_str);
        let number = sql(&Expr::Literal(expected.threshold.clone()));
        let is_it = loosened.starts_with("not (") != expected.want && loosened.contains(&number);
        if given[..given.len() - 1] != key || !is_it {
            return wrong(format!("{given:?} instead of {key:?} by {expected:?}"));
        }
    }
    Ok(())
}

/// The first columns of a near pair.
fn key(case: &Case, pair: &NearPair) -> Vec<String> {
    let ids: Vec<(usize, &str)> = case
        .tables
        .iter()
        .enumerate()
        .flat_map(|(table, rows)| rows.rows.iter().map(move |row| (table, row.id.as_str())))
        .collect();
    let mut key = Vec::new();
    for row in [pair.l, pair.r] {
        if case.has_sources_in_pairs() {
            key.push(case.source(ids[row].0));
        }
        key.push(ids[row].1.to_owned());
    }
    key.push(case.job.rule_name(pair.rule));
    key
}

fn rows(case: &Case, format: Format, folder: &Path) -> Result<Rows, String> {
    let columns = [pair_columns(case), vec!["loosened".to_owned()]].concat();
    let path = folder.join(format!("near.{}", format.extension()));
    read(&path, format, &columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;

    #[test]
    fn random_cases_have_near_pairs() {
        let found: Vec<NearPair> = (0..40).flat_map(|seed| near(&random::case(seed), 0.1)).collect();
        assert!(found.len() > 40 && found.iter().all(|pair| pair.l < pair.r), "{}", found.len());
        assert!(found.iter().any(|pair| !pair.want), "nothing with not");
    }
}
