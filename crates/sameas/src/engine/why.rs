//! Why a pair is a result, or why not.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::encode::encode;
use super::job::Job;
use super::load::{Loaded, load};
use super::observer::Progress;
use super::prepared::frames;
use super::scoring::{
    NamedRecords, OutsideScores, SCORE_RULE, ScoreExplanation, WeightedExplanation, explain_score, explain_weighted,
};
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{FieldValue, derived_key};
use crate::memory::MemoryBudget;
use crate::records::Frame;
use crate::rules::LinkType;
use crate::verify::{Inspection, inspect};

/// The answer to why two records are, or are not, a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Why {
    /// The rule that owns the pair, if it is a result: the first that holds, certain ones first.
    pub match_key: Option<String>,
    /// The rules.
    pub rules: Vec<Inspection>,
    /// The `never` rules.
    pub nevers: Vec<Inspection>,
    /// How its score comes about, where the rules compare records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreExplanation>,
    /// How its weighted average comes about, where the rules have similarities and weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weighted: Option<WeightedExplanation>,
    /// Its score, where others have given scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<OutsideScore>,
    /// The ids, the earlier row first; of several inputs with the input's name, as in `people:17`.
    pub ids: [String; 2],
    /// The two whole records, if the job reads [all columns](Job::with_all_columns).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<RecordField>,
}

/// The score that others have given to a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutsideScore {
    /// The score; nothing where the file does not have the pair.
    pub score: Option<f64>,
    /// The least score of a pair that is kept.
    pub threshold: f64,
    /// Whether it is reached.
    pub is_reached: bool,
}

/// A column of the two records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordField {
    /// Its name.
    pub name: String,
    /// Whether it is computed, by `derive`.
    pub is_derived: bool,
    /// What each of the two records has; nothing where its input has no such column.
    pub values: [Option<FieldValue>; 2],
}

/// Inspects the pair of records with these ids, on the threads of the current pool.
pub fn why(job: &Job, ids: [&str; 2], memory: usize, progress: Progress<'_>) -> Result<Why> {
    let budget = MemoryBudget::new(memory);
    let cancel = progress.cancel().within(&budget);
    let mut loaded = load(&job.without_near(), &budget, progress)?;
    let mut rows = find_rows(&loaded, ids)?;
    let outside = outside_score(job, &loaded, rows, memory, cancel)?;
    // A rank is a place among all records, a frequency a share of them; everything else needs the two records only.
    let has_frequencies = loaded.rules.scoring.comparisons.iter().any(|of| of.term_frequency.is_some());
    if loaded.rules.rankings.is_empty() && !has_frequencies {
        rows = keep_two(&mut loaded, rows);
    }
    let (frames, _, borders) = frames(&mut loaded, cancel);
    let program = encode(&loaded.rules, &frames, &borders, cancel);
    let before = |table: usize| match table.checked_sub(1) {
        Some(last) if frames.len() == 1 => borders[last],
        _ => 0,
    };
    let [l, r] = rows.map(|(table, row)| before(table) + row as u32);
    let (rules, nevers) = inspect(&loaded.rules, &program, &frames, l, r);
    let vetoed = nevers.iter().any(|n| n.holds);
    let score = explain_score(job, &loaded.rules, &program, (l, r))?;
    let weighted = explain_weighted(job, &loaded.rules, &program, (l, r))?;
    let is_reached = score.as_ref().is_none_or(|score| score.is_reached)
        && weighted.as_ref().is_none_or(|weighted| weighted.is_reached)
        && outside.as_ref().is_none_or(|outside| outside.is_reached);
    let is_pair = |rule: usize| !vetoed && rules[rule].holds && (is_reached || loaded.rules.rules[rule].is_certain);
    // Where others have given the scores, rules that are not certain have given the candidates before.
    let counts = |rule: &usize| outside.is_none() || loaded.rules.rules[*rule].is_certain;
    let by_rule = (0..rules.len()).filter(counts).find(|rule| is_pair(*rule)).map(|rule| rules[rule].name.clone());
    let by_score = (rules.is_empty() || outside.is_some()) && is_reached && !vetoed;
    let match_key = by_rule.or_else(|| by_score.then(|| SCORE_RULE.to_owned()));
    let ids = rows.map(|place| name_of(&loaded, place));
    let records = if job.all_columns { records(&loaded, &frames, rows, [l, r]) } else { Vec::new() };
    Ok(Why { match_key, rules, nevers, score, weighted, outside, ids, records })
}

/// The score that others have given to two records of a job.
fn outside_score(
    job: &Job,
    loaded: &Loaded,
    places: [RecordPlace; 2],
    memory: usize,
    cancel: Cancel<'_>,
) -> Result<Option<OutsideScore>> {
    let names: Vec<String> = loaded.tables.iter().map(|table| table.name.clone()).collect();
    let has_two_sides = loaded.rules.has_two_sides();
    let records = NamedRecords { ids: &loaded.ids, names: &names, link_type: loaded.rules.link_type, has_two_sides };
    let Some(outside) = OutsideScores::of(job, records, memory, cancel)? else { return Ok(None) };
    let borders = loaded.borders();
    let before = |table: usize| if has_two_sides || table == 0 { 0 } else { borders[table - 1] };
    let [l, r] = places.map(|(table, row)| before(table) + row as u32);
    let (score, threshold) = (outside.score(l, r), outside.threshold);
    let is_reached = score.is_some_and(|score| score >= threshold);
    Ok(Some(OutsideScore { score, threshold, is_reached }))
}

/// The two records, column by column: those of the inputs, then the derived ones.
fn records(loaded: &Loaded, frames: &[Frame], places: [RecordPlace; 2], rows: [u32; 2]) -> Vec<RecordField> {
    let mut fields: Vec<RecordField> = Vec::new();
    let mut known: HashMap<(String, bool), usize> = HashMap::new();
    for is_derived in [false, true] {
        for (at, (table, _)) in places.into_iter().enumerate() {
            let frame = if at == 0 { &frames[0] } else { &frames[frames.len() - 1] };
            for (name, key) in columns_of(loaded, table, is_derived) {
                let place = *known.entry((name.clone(), is_derived)).or_insert_with(|| {
                    fields.push(RecordField { name, is_derived, values: [None, None] });
                    fields.len() - 1
                });
                fields[place].values[at] = Some(FieldValue::of(&frame.value(rows[at], &key), 0));
            }
        }
    }
    fields
}

/// The columns of a table, each with its name in expressions.
fn columns_of(loaded: &Loaded, table: usize, is_derived: bool) -> Vec<(String, String)> {
    if is_derived {
        let derived = loaded.rules.derived[table].iter();
        return derived.map(|column| (column.name.clone(), derived_key(&column.name))).collect();
    }
    let fields = loaded.tables[table].schema.fields().iter();
    fields.map(|field| (field.name().clone(), field.name().clone())).collect()
}

/// A table and a row of it.
type RecordPlace = (usize, usize);

/// The two records, the left or earlier one first.
fn find_rows(loaded: &Loaded, ids: [&str; 2]) -> Result<[RecordPlace; 2]> {
    let [first, second] = [find_records(loaded, ids[0], 0)?, find_records(loaded, ids[1], 1)?];
    let mut both = first.iter().flat_map(|l| second.iter().map(move |r| [*l, *r]));
    let is_link = loaded.rules.link_type == LinkType::LinkOnly;
    let may_be_a_pair = |[l, r]: &[RecordPlace; 2]| if is_link { l.0 != r.0 } else { l != r };
    match both.find(may_be_a_pair) {
        Some(mut rows) => {
            rows.sort_unstable();
            Ok(rows)
        }
        None => Err(no_pair(loaded, ids, first[0], second[0])),
    }
}

/// The records that `id` may mean, the likeliest first; at least one.
///
/// It means the record that results call so. In the `pairs` of a dedupe or a link of two inputs that is the id alone, the
/// left one first in a link; all others, and all clusters of a link, have the input's name too, as in `people:17`.
fn find_records(loaded: &Loaded, id: &str, side: usize) -> Result<Vec<RecordPlace>> {
    let has_two_sides = loaded.rules.has_two_sides();
    let tables: Vec<usize> = if has_two_sides { vec![side] } else { (0..loaded.tables.len()).collect() };
    let mut found: Vec<RecordPlace> =
        tables.iter().filter_map(|table| Some((*table, loaded.ids[*table].find(id)?))).collect();
    let is_named = tables.len() > 1;
    match find_named(loaded, id) {
        // No id alone can say that it is this one.
        Some(named) if is_named => found = vec![named],
        None if is_named && found.len() > 1 => return Err(ambiguous(loaded, id, &found)),
        named => found.extend(named),
    }
    // Only where both have a side does the other id say which is meant.
    if !has_two_sides {
        found.truncate(1);
    }
    if found.is_empty() { Err(no_such_record(loaded, id, &tables)) } else { Ok(found) }
}

/// Two ids that do not make a pair of the job.
fn no_pair(loaded: &Loaded, ids: [&str; 2], first: RecordPlace, second: RecordPlace) -> Error {
    if first == second {
        return Error::usage(format!("`{}` is one record; a pair needs two", name_of(loaded, first)));
    }
    let name = &loaded.tables[first.0].name;
    let help = match loaded.tables.len() {
        2 => "a link pairs a record of the left input with one of the right",
        _ => "a link pairs records of different inputs",
    };
    Error::usage(format!("`{}` and `{}` are both records of `{name}`", ids[0], ids[1])).with_help(help)
}

/// `people:17` names record 17 of the input `people`. It can name only one, by the choice of the names.
fn find_named(loaded: &Loaded, id: &str) -> Option<RecordPlace> {
    let mut tables = loaded.tables.iter().enumerate();
    tables.find_map(|(table, data)| {
        let rest = id.strip_prefix(&data.name)?.strip_prefix(':')?;
        Some((table, loaded.ids[table].find(rest)?))
    })
}

fn ambiguous(loaded: &Loaded, id: &str, found: &[RecordPlace]) -> Error {
    let names = found.iter().map(|(table, _)| loaded.tables[*table].name.clone());
    let full = found.iter().map(|(table, _)| format!("`{}:{id}`", loaded.tables[*table].name));
    Error::usage(format!("there is a record with id `{id}` in {}", some(names, " and in ")))
        .with_help(format!("say which is meant: {}", some(full, " or ")))
}

/// The most inputs that a message names.
const MOST_NAMES: usize = 20;

/// These, or the first of them where there are many.
fn some(names: impl ExactSizeIterator<Item = String>, between: &str) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let shown = names.take(MOST_NAMES).collect::<Vec<_>>().join(between);
    if more > 0 { format!("{shown}{between}{more} more") } else { shown }
}

fn no_such_record(loaded: &Loaded, id: &str, tables: &[usize]) -> Error {
    let names = tables.iter().map(|table| loaded.tables[*table].name.clone());
    Error::usage(format!("there is no record with id `{id}` in {}", some(names, " or ")))
        .with_help("ids are compared as text; check which column holds them")
        .with_code(ErrorCode::NoSuchId)
}

/// What a record is called: its id, with the input's name where there are several.
fn name_of(loaded: &Loaded, (table, row): RecordPlace) -> String {
    let id = loaded.ids[table].text(row);
    if loaded.tables.len() == 1 { id } else { format!("{}:{id}", loaded.tables[table].name) }
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
