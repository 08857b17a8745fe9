//! The results of a job, from its files and its record.

use std::path::Path;

use crate::case::{Case, JobKind};
use crate::oracle::Answer;
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sameas::Format;

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
pub struct Given {
    /// Who or what computed them.
    pub by: String,
    /// The results.
    pub outcome: Outcome,
}

/// The columns of `pairs`.
pub fn pair_columns(case: &Case) -> &'static [&'static str] {
    match case.has_sources_in_pairs() {
        false => &["unique_id_l", "unique_id_r", "match_key"],
        true => &["source_dataset_l", "unique_id_l", "source_dataset_r", "unique_id_r", "match_key"],
    }
}

/// The columns of `clusters`.
pub fn cluster_columns(kind: JobKind) -> &'static [&'static str] {
    match kind {
        JobKind::Dedupe => &["unique_id", "cluster_id"],
        JobKind::Link | JobKind::LinkAndDedupe => &["source_dataset", "unique_id", "cluster_id"],
    }
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
            [shown(*l, with_source), shown(*r, with_source), vec![case.job.rule_name(*rule)]].concat()
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
            forbidden: answer.forbidden.clone(),
        }
    }
}

fn counts(case: &Case, answer: &Answer) -> Vec<(String, [u64; 3])> {
    let mut cumulative = 0;
    let of_rule = |rule: usize| {
        let marginal = answer.pairs.iter().filter(|(_, _, first)| *first == rule).count() as u64;
        cumulative += marginal;
        (case.job.rule_name(rule), [answer.alone[rule], marginal, cumulative])
    };
    (0..case.job.rules.len()).map(of_rule).collect()
}

/// Reads a result file that must have exactly these columns.
pub fn read(path: &Path, format: Format, columns: &[&str]) -> Result<Rows, String> {
    match format {
        Format::Csv => read_csv(&text_of(path)?, columns),
        Format::Json => text_of(path)?.lines().map(|line| json_row(line, columns)).collect(),
        Format::Parquet => read_parquet(path, columns),
    }
}

fn text_of(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Ids and names of random cases need no quotes, so a comma always separates two values.
fn read_csv(text: &str, columns: &[&str]) -> Result<Rows, String> {
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    match rows.next() {
        Some(header) if header == columns => Ok(rows.collect()),
        header => Err(format!("the header is {header:?}, not {columns:?}")),
    }
}

fn json_row(line: &str, columns: &[&str]) -> Result<Vec<String>, String> {
    let row: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
    let value = |name: &&str| match row.get(*name)? {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let values: Option<Vec<String>> = columns.iter().map(value).collect();
    values.filter(|values| values.len() == row.len()).ok_or_else(|| format!("{line}: not the columns {columns:?}"))
}

fn read_parquet(path: &Path, columns: &[&str]) -> Result<Rows, String> {
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
