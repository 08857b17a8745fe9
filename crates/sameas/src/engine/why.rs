//! Why a pair is a result, or why not.

use serde::{Deserialize, Serialize};

use super::encode::encode;
use super::load::{Loaded, load};
use super::job::Job;
use super::observer::Progress;
use super::prepared::frames;
use crate::error::{Error, ErrorCode, Result};
use crate::memory::MemoryBudget;
use crate::rules::LinkType;
use crate::verify::{Inspection, inspect};

/// The answer to why two records are, or are not, a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Why {
    /// The rule that owns the pair, if it is a result.
    pub match_key: Option<String>,
    /// The rules.
    pub rules: Vec<Inspection>,
    /// The `never` rules.
    pub nevers: Vec<Inspection>,
    /// The ids as the pair is written: the earlier row first.
    pub ids: [String; 2],
}

/// Inspects the pair of records with these ids, on the threads of the current pool.
pub fn why(job: &Job, ids: [&str; 2], memory: usize, progress: Progress<'_>) -> Result<Why> {
    let budget = MemoryBudget::new(memory);
    let cancel = progress.cancel().within(&budget);
    let mut loaded = load(job, &budget, progress)?;
    let mut rows = find_rows(&loaded, ids)?;
    // A rank is a place among all records; everything else needs the two records only.
    if loaded.rules.rankings.is_empty() {
        rows = keep_two(&mut loaded, rows);
    }
    let (frames, _, border) = frames(&loaded, cancel);
    let program = encode(&loaded.rules, &frames, border, cancel);
    let offset = if loaded.rules.link_type == LinkType::LinkAndDedupe { border } else { 0 };
    let (l, r) =
        (rows[0].1 as u32 + u32::from(rows[0].0 == 1) * offset, rows[1].1 as u32 + u32::from(rows[1].0 == 1) * offset);
    let (rules, nevers) = inspect(&loaded.rules, &program, &frames, l, r);
    let vetoed = nevers.iter().any(|n| n.holds);
    let match_key = rules.iter().find(|rule| rule.holds && !vetoed).map(|rule| rule.name.clone());
    let names = rows.map(|(table, row)| loaded.ids[table].text(row));
    Ok(Why { match_key, rules, nevers, ids: names })
}

/// A table and a row of it.
type RecordPlace = (usize, usize);

/// The two records, the left or earlier one first.
fn find_rows(loaded: &Loaded, ids: [&str; 2]) -> Result<[RecordPlace; 2]> {
    let find = |table: usize, id: &str| loaded.ids[table].find(id).map(|row| (table, row));
    let (dataset, id): (Vec<Option<&str>>, Vec<&str>) = ids.iter().map(|id| split_dataset(id, loaded)).unzip();
    let last = loaded.ids.len() - 1;
    let tables = |side: usize| -> Vec<usize> {
        match (loaded.rules.link_type, dataset[side]) {
            (LinkType::LinkOnly, _) => vec![side],
            (_, Some(name)) => (0..=last).filter(|t| loaded.tables[*t].name == name).collect(),
            _ => (0..=last).collect(),
        }
    };
    let place = |side: usize| {
        tables(side).into_iter().find_map(|t| find(t, ids[side]).or_else(|| find(t, id[side]))).ok_or_else(|| {
            let names: Vec<&str> = tables(side).into_iter().map(|t| loaded.tables[t].name.as_str()).collect();
            Error::usage(format!("there is no record with id `{}` in {}", ids[side], names.join(" or ")))
                .with_help("ids are compared as text; check which column holds them")
                .with_code(ErrorCode::NoSuchId)
        })
    };
    let mut rows = [place(0)?, place(1)?];
    if rows[0] == rows[1] {
        return Err(Error::usage(format!("`{}` is one record; a pair needs two", ids[0])));
    }
    rows.sort_unstable();
    Ok(rows)
}

/// `people:17` names record 17 of the input `people`.
fn split_dataset<'a>(id: &'a str, loaded: &Loaded) -> (Option<&'a str>, &'a str) {
    match id.split_once(':') {
        Some((name, rest)) if loaded.tables.iter().any(|t| t.name == name) => (Some(name), rest),
        _ => (None, id),
    }
}

/// Cuts the tables down to the two records.
fn keep_two(loaded: &mut Loaded, rows: [RecordPlace; 2]) -> [RecordPlace; 2] {
    let mut kept = rows;
    let mut taken = vec![0; loaded.tables.len()];
    for place in &mut kept {
        place.1 = taken[place.0];
        taken[place.0] += 1;
    }
    for (table, (data, ids)) in loaded.tables.iter_mut().zip(&mut loaded.ids).enumerate() {
        let wanted: Vec<usize> = rows.iter().filter(|(t, _)| *t == table).map(|(_, row)| *row).collect();
        data.keep(&wanted);
        *ids = ids.keep(&wanted);
    }
    kept
}
