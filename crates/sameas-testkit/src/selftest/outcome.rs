//! The results of a job, from its files and its record.

use std::path::Path;

use crate::case::{Case, JobKind};
use crate::oracle::Answer;
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sameas::Format;

use super::scores;

/// Rows of a result file, every value as text.
pub type Rows = Vec<Vec<String>>;

/// The results of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The rows of `pairs`.
    pub pairs: Rows,
    /// The rows of `clusters`.
    pub clusters: Rows,
    /// Name, alone, marginal and cumulative of every rule.
    pub rules: Vec<(String, [u64; 3])>,
    /// The pairs that every `never` was the first to forbid.
    pub forbidden: Vec<u64>,
}

/// The results of a job and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedOutcome {
    /// Who or what computed them.
    pub by: String,
    /// The results.
    pub outcome: Outcome,
}

/// The columns of `pairs`.
pub fn pair_columns(case: &Case) -> Vec<String> {
    let ids: &[&str] = match case.has_sources_in_pairs() {
        false => &["unique_id_l", "unique_id_r", "match_key"],
        true => &["source_dataset_l", "unique_id_l", "source_dataset_r", "unique_id_r", "match_key"],
    };
    ids.iter().map(|name| (*name).to_owned()).chain(scores::columns(case)).collect()
}

/// The columns of `clusters`.
pub fn cluster_columns(kind: JobKind) -> Vec<String> {
    let names: &[&str] = match kind {
        JobKind::Dedupe => &["unique_id", "cluster_id"],
        JobKind::Link | JobKind::LinkAndDedupe => &["source_dataset", "unique_id", "cluster_id"],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

impl Outcome {
    /// What the files must hold if `answer` is right.
    pub fn of_answer(case: &Case, answer: &Answer) -> Self {
        let ids = case.tables.iter().enumerate().flat_map(|(t, table)| table.rows.iter().map(move |row| (t, &row.id)));
        let ids: Vec<(String, String)> = ids.map(|(table, id)| (case.source(table), id.clone())).collect();
        let with_source = case.has_sources_in_pairs();
        let shown = |row: usize, source: bool| {
            let (name, id) = &ids[row];
            if source { vec![name.clone(), id.clone()] } else { vec![id.clone()] }
        };
        let pair = |(l, r, rule): &(usize, usize, usize)| {
            let score = case.job.scoring.as_ref().zip(answer.scores.get(&(*l, *r)));
            let score = score.map_or(Vec::new(), |(scoring, score)| scores::cells(scoring, score));
            [shown(*l, with_source), shown(*r, with_source), vec![case.job.rule_name(*rule)], score].concat()
        };
        let two = case.job.kind != JobKind::Dedupe;
        let cluster = |row: usize| {
            let root = shown(answer.clusters[row], two).join(":");
            [shown(row, two), vec![root]].concat()
        };
        Outcome {
            pairs: answer.pairs.iter().map(pair).collect(),
            clusters: (0..ids.len()).map(cluster).collect(),
            rules: counts(case, answer),
            forbidden: if has_counts(case) { answer.forbidden.clone() } else { Vec::new() },
        }
    }
}

/// Whether a definition says what is counted: without rules, how many pairs are looked at is up to the engine.
pub fn has_counts(case: &Case) -> bool {
    !case.job.rules.is_empty()
}

fn counts(case: &Case, answer: &Answer) -> Vec<(String, [u64; 3])> {
    let mut cumulative = 0;
    let of_rule = |rule: usize| {
        cumulative += answer.marginal[rule];
        (case.job.rule_name(rule), [answer.alone[rule], answer.marginal[rule], cumulative])
    };
    case.job.rule_order().into_iter().map(of_rule).collect()
}

/// Reads a result file that must have exactly these columns.
pub fn read(path: &Path, format: Format, columns: &[String]) -> Result<Rows, String> {
    match format {
        Format::Csv | Format::EscapedCsv => read_csv(&text_of(path)?, columns),
        Format::Json => text_of(path)?.lines().map(|line| json_row(line, columns)).collect(),
        Format::Parquet => read_parquet(path, columns),
    }
}

fn text_of(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn read_csv(text: &str, columns: &[String]) -> Result<Rows, String> {
    let mut rows = text.lines().map(csv_values);
    match rows.next() {
        Some(header) if header == columns => Ok(rows.collect()),
        header => Err(format!("the header is {header:?}, not {columns:?}")),
    }
}

/// The values of a line; in quotes, a comma is a part of one, and two quotes are a quote.
fn csv_values(line: &str) -> Vec<String> {
    let (mut values, mut is_quoted) = (vec![String::new()], false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let last = values.len() - 1;
        match c {
            '"' if is_quoted && rest.next_if_eq(&'"').is_some() => values[last].push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => values.push(String::new()),
            c => values[last].push(c),
        }
    }
    values
}

fn json_row(line: &str, columns: &[String]) -> Result<Vec<String>, String> {
    let row: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
    let value = |name: &String| match row.get(name)? {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let values: Option<Vec<String>> = columns.iter().map(value).collect();
    values.filter(|values| values.len() == row.len()).ok_or_else(|| format!("{line}: not the columns {columns:?}"))
}

fn read_parquet(path: &Path, columns: &[String]) -> Result<Rows, String> {
    let shown = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = std::fs::File::open(path).map_err(|error| shown(&error))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| shown(&error))?;
    let names: Vec<String> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    if names != columns {
        return Err(format!("the columns are {names:?}, not {columns:?}"));
    }
    let mut rows = Vec::new();
    for batch in reader.build().map_err(|error| shown(&error))? {
        rows.extend(rows_of(&batch.map_err(|error| shown(&error))?)?);
    }
    Ok(rows)
}

fn rows_of(batch: &RecordBatch) -> Result<Rows, String> {
    let mut rows = vec![Vec::new(); batch.num_rows()];
    for column in batch.columns() {
        let texts = cast(column, &DataType::Utf8).map_err(|error| error.to_string())?;
        let texts = texts.as_any().downcast_ref::<StringArray>().ok_or("not a text")?;
        for (row, values) in rows.iter_mut().enumerate() {
            values.push(texts.value(row).to_owned());
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas() {
        assert_eq!(csv_values("a,,\"l.a in (\"\"x\"\", 1)\",b"), ["a", "", "l.a in (\"x\", 1)", "b"]);
        assert_eq!(csv_values(""), [""]);
    }
}
