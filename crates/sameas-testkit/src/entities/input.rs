//! Inputs, pairs, and what is asked of them.

use arrow_schema::DataType;

use super::{EntitySection, Item};
use crate::case::{Expr, JobKind};

/// A column of an input.
#[derive(Clone, Debug)]
pub struct EntityColumn {
    /// Its name.
    pub name: String,
    /// Its type as the input has it, with its encoding.
    pub physical: DataType,
    /// A value for each record.
    pub items: Vec<Item>,
}

/// An input.
#[derive(Clone, Debug)]
pub struct EntityInput {
    /// Its name.
    pub name: String,
    /// The place of the column with ids, which are texts or 64-bit integers.
    pub id: usize,
    /// All columns, with that of ids.
    pub columns: Vec<EntityColumn>,
    /// How it is given: its records cut into parts at these places.
    pub cuts: Vec<usize>,
    /// Whether it is a file of Parquet; else record batches.
    pub is_file: bool,
}

impl EntityInput {
    /// The number of its records.
    pub fn rows(&self) -> usize {
        self.columns[self.id].items.len()
    }

    /// The place of the column with exactly this name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The id of a record, as text.
    pub fn id_text(&self, row: usize) -> String {
        match &self.columns[self.id].items[row] {
            Item::Text(text) => text.clone(),
            Item::Whole(number) => number.to_string(),
            other => panic!("an id is a text or an integer: {other:?}"),
        }
    }
}

/// A pair of rows, the earlier one first, counted over all inputs, and its score if it has one.
#[derive(Clone, Debug)]
pub struct EntityPair {
    /// The rows.
    pub rows: [usize; 2],
    /// The score.
    pub score: Option<f64>,
}

/// Where the pairs of a job come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSource {
    /// From a file with scores, as another matcher gives them.
    Scored,
    /// From a rule about the column `links`: two records that share a word of it.
    Links,
}

/// The columns that stand beside pairs.
#[derive(Clone, Debug)]
pub enum WithColumns {
    /// All of them.
    All,
    /// These.
    Named(Vec<String>),
}

/// A job with entities.
#[derive(Clone, Debug)]
pub struct EntityCase {
    /// What is compared.
    pub kind: JobKind,
    /// The inputs; one for a dedupe.
    pub inputs: Vec<EntityInput>,
    /// Where pairs come from.
    pub source: PairSource,
    /// The pairs, each once.
    pub pairs: Vec<EntityPair>,
    /// Texts that stand for a missing value.
    pub nulls: Vec<String>,
    /// Whether white space alone does.
    pub blank_is_null: bool,
    /// Columns that are computed of each record.
    pub derives: Vec<(String, Expr)>,
    /// `[entity]`, if the rules have it.
    pub section: Option<EntitySection>,
    /// The columns beside pairs.
    pub with: WithColumns,
}

impl EntityCase {
    /// All rows: the input and the record there.
    pub fn rows(&self) -> Vec<(usize, usize)> {
        let inputs = self.inputs.iter().enumerate();
        inputs.flat_map(|(at, input)| (0..input.rows()).map(move |row| (at, row))).collect()
    }

    /// What a record is called: its id, with the name of its input where there are several.
    pub fn record_name(&self, row: usize) -> String {
        let (input, at) = self.rows()[row];
        let id = self.inputs[input].id_text(at);
        if self.inputs.len() > 1 { format!("{}:{id}", self.inputs[input].name) } else { id }
    }
}
