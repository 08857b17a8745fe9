//! What an operand is, whatever job asks for it: over the same inputs, equal keys mean equal values of every record.
//!
//! In expressions a derived column is a column by name, and so are ranks. The text of an operand alone would be the same for
//! two jobs that derive a column of this name differently. So its key also has the definition of every such column that it
//! reads. A definition is a hash of its text and of the definitions that it reads in turn: a chain of derived columns takes
//! time in proportion to its length, however often each is read. Files of lists are part of texts, by their content.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::bytes::Numbers;
use crate::expr::{Expr, derived_key};
use crate::rules::{Derived, Ranking};

/// What an operand is; a condition on one record has such a key, too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OperandKey(String);

impl OperandKey {
    /// Its text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// The key of an expression of the records of a frame.
pub fn operand_key(frame: usize, expr: &Expr, numbers: Numbers, definitions: &Definitions) -> OperandKey {
    OperandKey(written(frame, expr, numbers) + &definitions.read_by(frame, expr))
}

/// An operand without the definitions of what it reads: enough within one job.
pub(super) fn written(frame: usize, expr: &Expr, numbers: Numbers) -> String {
    format!("{frame} {numbers:?} {:?} {}", expr.ty, expr.canonical())
}

/// What the derived columns and the ranks of a job are, by their names in expressions.
#[derive(Debug)]
pub struct Definitions {
    /// Derived columns, by frame.
    derived: Vec<BTreeMap<String, u128>>,
    /// Ranks, which are of all frames.
    ranks: BTreeMap<String, u128>,
}

impl Definitions {
    /// Those of the derived columns of each input, and of rankings. All inputs lie in one frame, or each in its own.
    pub fn new(derived: &[Vec<Derived>], rankings: &[Ranking], frames: usize) -> Self {
        let derived = if frames == 1 { vec![of_frame(derived)] } else { derived.chunks(1).map(of_frame).collect() };
        let unranked = Self { derived, ranks: BTreeMap::new() };
        let rank = |ranking: &Ranking| {
            let keys = (0..frames).zip(&ranking.keys);
            let keys = keys.map(|(frame, key)| operand_key(frame, key, Numbers::AsWritten, &unranked).0);
            (ranking.name.clone(), hash(&keys.collect::<Vec<String>>().join("\n")))
        };
        let ranks = rankings.iter().map(rank).collect();
        Self { ranks, ..unranked }
    }

    /// What a rank is, by its name: the same in all jobs that sort by the same.
    pub fn rank(&self, name: &str) -> Option<u128> {
        self.ranks.get(name).copied()
    }

    /// The definitions of the columns that an expression reads.
    fn read_by(&self, frame: usize, expr: &Expr) -> String {
        let definition = |column: &String| self.ranks.get(column).or_else(|| self.derived.get(frame)?.get(column));
        named(columns_of(expr).iter().filter_map(|column| Some((column, *definition(column)?))))
    }
}

/// The derived columns of inputs that lie in one frame: what each is in every input that has it.
fn of_frame(inputs: &[Vec<Derived>]) -> BTreeMap<String, u128> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for (input, derived) in inputs.iter().enumerate() {
        for (column, definition) in of_input(derived) {
            texts.entry(column).or_default().push_str(&format!("{input} {definition:032x} "));
        }
    }
    texts.into_iter().map(|(column, text)| (column, hash(&text))).collect()
}

/// The derived columns of an input, each of which may read those before it.
fn of_input(derived: &[Derived]) -> BTreeMap<String, u128> {
    let mut known: BTreeMap<String, u128> = BTreeMap::new();
    for Derived { name, expr } in derived {
        let reads = columns_of(expr);
        let reads = named(reads.iter().filter_map(|column| Some((column, *known.get(column)?))));
        known.insert(derived_key(name), hash(&(written(0, expr, Numbers::AsWritten) + &reads)));
    }
    known
}

/// The columns that an expression reads, each once.
fn columns_of(expr: &Expr) -> BTreeSet<String> {
    let mut columns = BTreeSet::new();
    expr.each_column(&mut |_, column| {
        columns.insert(column.to_owned());
    });
    columns
}

/// Columns with their definitions. Names are quoted, so that no two lists have one text.
fn named<'c>(columns: impl Iterator<Item = (&'c String, u128)>) -> String {
    columns.map(|(column, definition)| format!(" {column:?} is {definition:032x}")).collect()
}

/// The same on every machine: keys may be stored.
fn hash(text: &str) -> u128 {
    xxh3_128(text.as_bytes())
}
