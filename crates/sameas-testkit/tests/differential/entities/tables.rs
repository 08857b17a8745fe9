//! The tables of entities and records, as files, made by the crate that makes them of given clusters.

use std::path::Path;

use arrow_array::ArrayRef;
use rayon::ThreadPool;
use sameas_core::cancel::{Cancel, catch};
use sameas_core::error::{ErrorCode, Result};
use sameas_core::memory::MemoryBudget;
use sameas_entities::record_stream::StreamedInput;
use sameas_entities::tables::{ClusteredRecords, TableFile, TableTools, best_records, entities, records};
use sameas_records::output::Format;
use sameas_records::records::{Input, RowIds, SkippedRecords};
use sameas_rules::rules::RuleFile;
use sameas_testkit::entities::{EntityCase, kept_type};
use sameas_testkit::oracle::entities::EntityAnswer;

use super::arrays::array;
use super::inputs::{inputs, rule_text};

/// A table that is compared.
#[derive(Clone, Copy, Debug)]
pub(super) enum TableKind {
    /// Entities.
    Entities,
    /// Entities with the records that values are from.
    Provenance,
    /// All records.
    Records,
    /// The best record of each entity.
    Best,
}

/// The tables that are compared.
pub(super) const TABLES: [TableKind; 4] =
    [TableKind::Entities, TableKind::Provenance, TableKind::Records, TableKind::Best];

/// A case whose inputs can be read.
pub(super) struct Prepared {
    inputs: Vec<Input>,
    rules: RuleFile,
    ids: RowIds,
    roots: Vec<u32>,
    weights: Vec<i64>,
    skipped: SkippedRecords,
    id_names: Vec<String>,
    names: Vec<String>,
    rows: Vec<usize>,
}

impl Prepared {
    /// A case with the answer that says its clusters; `line` is added to its rules.
    pub(super) fn new(case: &EntityCase, answer: &EntityAnswer<'_>, line: &str, folder: &Path) -> Result<Self> {
        let text = rule_text(case, folder) + line;
        let rules = RuleFile::parse(&text, "job.toml")?.in_folder(folder);
        let inputs = inputs(case, folder).iter().map(|input| input.or_as_rules_say(&rules)).collect::<Result<_>>()?;
        let names: Vec<String> = case.inputs.iter().map(|input| input.name.clone()).collect();
        Ok(Self {
            inputs,
            rules,
            ids: ids(case, &names),
            roots: answer.first_rows().iter().map(|row| *row as u32).collect(),
            weights: answer.strengths().iter().map(|weight| *weight as i64).collect(),
            skipped: SkippedRecords::default(),
            id_names: case.inputs.iter().map(|input| input.columns[input.id].name.clone()).collect(),
            names,
            rows: case.inputs.iter().map(|input| input.rows()).collect(),
        })
    }

    /// The bytes of a table, made with this number of threads and this memory.
    pub(super) fn table(&self, table: TableKind, pool: &ThreadPool, memory: usize, folder: &Path) -> Result<Vec<u8>> {
        let streamed = |at: usize| StreamedInput {
            name: &self.names[at],
            source: &self.inputs[at],
            id: Some(&self.id_names[at]),
            skipped: &self.skipped,
            rows: self.rows[at],
        };
        let inputs: Vec<StreamedInput<'_>> = (0..self.inputs.len()).map(streamed).collect();
        let weights = || Ok(self.weights.clone());
        let of = ClusteredRecords { inputs: &inputs, ids: &self.ids, roots: &self.roots, weights: &weights };
        let budget = MemoryBudget::new(memory);
        let tools =
            TableTools { budget: &budget, spill_folder: Some(folder), cancel: Cancel::NEVER, progress: &|_| {} };
        let mut sink = TableFile::new(Vec::new(), Format::Parquet, Path::new("table.parquet"));
        let written = || match table {
            TableKind::Entities => entities(of, &self.rules, false, tools, &mut sink),
            TableKind::Provenance => entities(of, &self.rules, true, tools, &mut sink),
            TableKind::Records => records(of, tools, &mut sink),
            TableKind::Best => best_records(of, &self.rules, tools, &mut sink),
        };
        pool.install(|| catch(written))?;
        sink.finish()
    }
}

/// The ids of all records.
fn ids(case: &EntityCase, names: &[String]) -> RowIds {
    let column = |of: &sameas_testkit::entities::EntityInput| -> ArrayRef {
        let ids = &of.columns[of.id];
        array(&kept_type(&ids.physical), &ids.items)
    };
    let all: Vec<RowIds> = case.inputs.iter().map(|input| RowIds::new(&[column(input)]).unwrap()).collect();
    if let [one] = &all[..] { one.clone() } else { RowIds::join(&all, names).unwrap() }
}

/// Whether a table was refused because it does not fit the memory.
pub(super) fn does_not_fit(result: &Result<Vec<u8>>) -> bool {
    result.as_ref().is_err_and(|error| error.code() == ErrorCode::MemoryLimit)
}
