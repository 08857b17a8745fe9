//! Decisions that cannot all hold: found among themselves, and shown in messages.

use sameas_core::cancel::Cancel;
use sameas_core::error::{Error, Result};

use crate::cluster::cluster;
use crate::edge::{Edge, EdgeKind};
use crate::edges::Edges;
use crate::outcome::{ClusterConflict, CutCause};
use crate::rules::{ClusterRules, RowFacts};

/// The most rows that a message names.
const MOST_NAMES: usize = 20;

/// Where decisions contradict each other, whatever else is an edge: rows each of which is decided to be together with the next one,
/// while the first and the last are decided to be different. What it takes depends on the decisions alone.
pub fn contradicting_chain(together: &[[u32; 2]], apart: &[[u32; 2]], cancel: Cancel<'_>) -> Result<Option<Vec<u32>>> {
    if together.is_empty() || apart.is_empty() {
        return Ok(None);
    }
    let mut rows: Vec<u32> = together.iter().chain(apart).flatten().copied().collect();
    rows.sort_unstable();
    rows.dedup();
    let places = |pair: &[u32; 2]| pair.map(|row| rows.binary_search(&row).unwrap_or_default() as u32);
    let mut edges = Edges::new(rows.len() as u32, 1);
    for pair in together {
        edges.push(Edge::new(places(pair), EdgeKind::DecidedTogether, None, 0)?);
    }
    let facts = RowFacts { apart: apart.iter().map(places).collect(), ..RowFacts::default() };
    Ok(match cluster(edges, &ClusterRules::default(), &facts, cancel) {
        Err(ClusterConflict::HeldTogether { chain }) => Some(chain.iter().map(|place| rows[*place as usize]).collect()),
        Err(ClusterConflict::TooMany { .. }) | Ok(_) => None,
    })
}

/// The error for such a chain; `place` says where its first and its last row are decided to be different, and `name` what a row is
/// called.
pub fn held_together(chain: &[u32], place: &str, name: &dyn Fn(u32) -> String) -> Error {
    let [first, last] = [chain.first(), chain.last()].map(|row| row.map_or_else(String::new, |row| name(*row)));
    let message = format!(
        "{place}: `{first}` and `{last}` are decided to be different, and decisions hold them together: {}",
        names(chain, name, " = ")
    );
    Error::data(message).with_help("of these decisions at least one is wrong: correct it, or leave it out")
}

/// The error for rows that decisions hold together and that are more than a limit allows.
pub fn held_beyond_limit(rows: &[u32], limit: &str, name: &dyn Fn(u32) -> String) -> Error {
    let message = format!("decisions hold {} records together, and {limit}: {}", rows.len(), names(rows, name, ", "));
    Error::data(message).with_help("of these decisions at least one is wrong, or the limit is too strict")
}

/// What a limit says: that of records, where it is this; `because` is that of one that counts values.
pub fn limit_words(
    limit: CutCause,
    max_size: Option<u32>,
    sources: &[String],
    because: impl FnOnce() -> Option<String>,
) -> String {
    match limit {
        CutCause::MaxSize => format!("a cluster has at most {} records", max_size.unwrap_or_default()),
        CutCause::OneTo { source } => {
            format!("a cluster has at most one record of `{}`", sources.get(source as usize).map_or("", String::as_str))
        }
        _ => format!("it breaks the limit `{}`", because().unwrap_or_default()),
    }
}

/// The names of these rows, or of the first of them where there are many.
fn names(rows: &[u32], name: &dyn Fn(u32) -> String, between: &str) -> String {
    let shown: Vec<String> = rows.iter().take(MOST_NAMES).map(|row| format!("`{}`", name(*row))).collect();
    let more = rows.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    shown.join(between) + &more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_found_among_decisions_alone() {
        let chain = |together: &[[u32; 2]], apart: &[[u32; 2]]| {
            contradicting_chain(together, apart, Cancel::NEVER).unwrap_or_else(|error| panic!("{error}"))
        };
        assert_eq!(chain(&[], &[]), None);
        assert_eq!(chain(&[[1, 900], [900, 70]], &[[1, 5]]), None);
        assert_eq!(chain(&[[1, 900], [900, 70]], &[[1, 70]]), Some(vec![1, 900, 70]));
        let error = held_together(&[1, 900, 70], "judged.csv:4", &|row| row.to_string());
        let chain = "judged.csv:4: `1` and `70` are decided to be different, and decisions hold them together: `1` = `900` = `70`";
        assert_eq!(error.message(), chain);
        let many: Vec<u32> = (0..22).collect();
        let limit = limit_words(CutCause::MaxSize, Some(3), &[], || None);
        let error = held_beyond_limit(&many, &limit, &|row| row.to_string());
        assert!(
            error.message().starts_with("decisions hold 22 records together, and a cluster has at most 3"),
            "{error}"
        );
        assert!(error.message().ends_with("`19`, and 2 more"), "{error}");
    }
}
