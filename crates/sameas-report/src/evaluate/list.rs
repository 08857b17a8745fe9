//! The pairs that one answer has and another has not, one after the other: wrong pairs, and missed ones.
//!
//! None of them is kept. Of clusters, only pairs that the other answer can be without are looked at: within a cluster, records
//! that the other answer has in one cluster lie side by side, and a record meets those after its neighbours.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::answer::{Answer, RecordClusters};
use super::compare::PairScope;
use super::record_numbers::RecordNumbers;
use crate::error::{Error, Result};
use crate::numbering::GrowingNumbers;
use crate::output::{Format, ResultFile, WriteOptions, write_table};
use crate::records::Input;

/// A file for pairs.
pub struct PairList {
    /// The file, which is finished when all pairs are in it.
    pub file: ResultFile,
    /// How it is written.
    pub format: Format,
}

/// Where to list the pairs that a result has wrongly, and those it misses.
#[derive(Default)]
pub struct EvaluationLists {
    /// Pairs of the result that are not true, with their `match_key` if the result has it.
    pub wrong: Option<PairList>,
    /// True pairs that the result does not have.
    pub missed: Option<PairList>,
}

impl EvaluationLists {
    /// Refuses lists that would replace an input.
    pub(super) fn protect_inputs(&self, inputs: &[Input]) -> Result<()> {
        [&self.wrong, &self.missed].into_iter().flatten().try_for_each(|list| list.file.protect_inputs(inputs))
    }
}

/// A pair of records, the left one first, and the number of its `match_key`.
type ListedPair = (u32, u32, u32);

/// What the records of answers are called.
pub(super) struct ListNames<'a> {
    pub numbers: &'a RecordNumbers,
    /// The names of the inputs, if files name them.
    pub inputs: Option<&'a GrowingNumbers>,
}

/// The pairs of `of` that `other` does not have, as far as they count: with a record that is known, if that matters.
pub(super) fn difference<'a>(
    of: &'a Answer,
    other: &'a Answer,
    numbers: &'a RecordNumbers,
    scope: PairScope,
    known: Option<&'a [bool]>,
) -> Box<dyn Iterator<Item = ListedPair> + Send + 'a> {
    let counts = move |(a, b, _): &ListedPair| known.is_none_or(|known| known[*a as usize] || known[*b as usize]);
    match of {
        Answer::Pairs(pairs) => Box::new(pairs.listed().filter(move |(a, b, _)| !other.has((*a, *b))).filter(counts)),
        Answer::Clusters(clusters) => {
            let across = move |(a, b, _): &ListedPair| !scope.across || numbers.source(*a) != numbers.source(*b);
            Box::new(of_clusters(clusters, other, numbers).filter(across).filter(counts))
        }
    }
}

/// The pairs within clusters that `other` does not have.
fn of_clusters<'a>(
    clusters: &'a RecordClusters,
    other: &'a Answer,
    numbers: &'a RecordNumbers,
) -> impl Iterator<Item = ListedPair> + Send + 'a {
    // Cluster, cluster of the other answer, record; a record that is in none of the other's is a cluster of its own there.
    let place = |(record, cluster): (u32, u32)| match other {
        Answer::Clusters(other) => {
            (cluster, other.cluster_of(record).map_or((u64::from(record) + 1) << 32, u64::from), record)
        }
        Answer::Pairs(_) => (cluster, u64::from(record), record),
    };
    let mut members: Vec<(u32, u64, u32)> = clusters.members().map(place).collect();
    members.sort_unstable();
    let members = Arc::new(members);
    let (mut end, mut beyond) = (0, 0);
    (0..members.len())
        .flat_map(move |at| {
            let (cluster, neighbours, record) = members[at];
            if at >= end {
                end += members[at..].iter().take_while(|(c, ..)| *c == cluster).count();
            }
            if at >= beyond {
                beyond += members[at..].iter().take_while(|(c, n, _)| (*c, *n) == (cluster, neighbours)).count();
            }
            let members = Arc::clone(&members);
            (beyond..end).map(move |at| in_order((record, members[at].2), numbers))
        })
        .filter(move |(a, b, _)| matches!(other, Answer::Clusters(_)) || !other.has((*a, *b)))
}

/// A record of the first input comes first, else the one that was read first.
fn in_order((a, b): (u32, u32), numbers: &RecordNumbers) -> ListedPair {
    let key = |record: u32| (numbers.source(record), record);
    if key(a) <= key(b) { (a, b, 0) } else { (b, a, 0) }
}

impl PairList {
    /// Writes this many pairs, and finishes the file; `rules` are the names of match keys, if there are any.
    pub(super) fn write(
        mut self,
        pairs: Box<dyn Iterator<Item = ListedPair> + Send + '_>,
        count: u64,
        names: &ListNames<'_>,
        rules: &[String],
    ) -> Result<()> {
        let (schema, rows) = (names.schema(!rules.is_empty()), self.format.chunk_rows(count) as usize);
        let pairs = Mutex::new(pairs);
        let make_chunk = |_| {
            let mut pairs = pairs.lock().unwrap_or_else(PoisonError::into_inner);
            names.batch(&schema, &pairs.by_ref().take(rows).collect::<Vec<_>>(), rules)
        };
        let path = self.file.path().to_owned();
        // One chunk at a time: they come out of the iterator in order.
        let options = WriteOptions { format: self.format, path: &path, parallel: 1, progress: &|_| {} };
        write_table(&mut self.file, &schema, &[], count.div_ceil(rows as u64), &make_chunk, &options)?;
        self.file.finish()
    }
}

impl ListNames<'_> {
    fn schema(&self, with_rules: bool) -> SchemaRef {
        let mut fields = Vec::new();
        for side in ["l", "r"] {
            if self.inputs.is_some() {
                fields.push(format!("source_dataset_{side}"));
            }
            fields.push(format!("unique_id_{side}"));
        }
        fields.extend(with_rules.then(|| "match_key".to_owned()));
        Arc::new(Schema::new(fields.iter().map(|name| Field::new(name, DataType::Utf8, false)).collect::<Vec<_>>()))
    }

    fn batch<'n>(&'n self, schema: &SchemaRef, pairs: &[ListedPair], rules: &'n [String]) -> Result<RecordBatch> {
        let mut columns = Vec::new();
        for record in [|pair: &ListedPair| pair.0, |pair: &ListedPair| pair.1] {
            if let Some(inputs) = self.inputs {
                columns.push(column(pairs, |pair| inputs.text(self.numbers.source(record(pair)))));
            }
            columns.push(column(pairs, |pair| self.numbers.id(record(pair))));
        }
        if !rules.is_empty() {
            columns.push(column(pairs, |pair| &rules[pair.2 as usize]));
        }
        let batch = RecordBatch::try_new(Arc::clone(schema), columns);
        batch.map_err(|error| Error::internal(format!("a list of pairs: {error}")).with_source(error))
    }
}

fn column<'n>(pairs: &[ListedPair], of: impl Fn(&ListedPair) -> &'n str) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(pairs.iter().map(of)))
}
