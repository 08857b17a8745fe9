//! The records of a run by number, with the clusters they are in: what the table of clusters says.

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, Float64Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;

use super::results::RunResults;
use crate::cancel::Cancel;
use crate::engine::RunRecord;
use crate::error::{Error, Result};
use crate::evaluate::RecordNumbers;
use crate::memory::{Held, MemoryBudget};

/// What a record takes besides its id: where that ends, its place among the ids, its cluster, and the size of that.
const RECORD_BYTES: usize = 8 + 6 + 4 + 4;

/// All records of a run, in order: the number of a record is its place.
pub struct ClusterMembers {
    numbers: RecordNumbers,
    /// The first record of the cluster of each.
    pub roots: Vec<u32>,
    /// The records in the cluster of each first record; 0 for others.
    pub sizes: Vec<u32>,
    /// The first record of each input after the first.
    pub borders: Vec<u32>,
    /// The names of the inputs.
    names: Vec<String>,
    /// Whether pairs have a left and a right input, and do not name them.
    pub has_two_sides: bool,
    _held: Held,
}

impl ClusterMembers {
    /// Reads the table of clusters.
    pub fn read(results: &dyn RunResults, run: &RunRecord, budget: &MemoryBudget, cancel: Cancel<'_>) -> Result<Self> {
        let rows = run.inputs.iter().fold(0_u64, |all, input| all.saturating_add(input.rows));
        // Held before memory is asked for: a damaged record of a run may name any number.
        let mut held = budget.hold((rows as usize).saturating_mul(RECORD_BYTES))?;
        let mut members = Self {
            numbers: RecordNumbers::with_room(rows as usize),
            roots: Vec::with_capacity(rows as usize),
            sizes: Vec::new(),
            borders: borders(run),
            names: run.inputs.iter().map(|input| input.name.clone()).collect(),
            has_two_sides: run.link_type == crate::rules::LinkType::LinkOnly && run.inputs.len() == 2,
            _held: Held::default(),
        };
        for batch in results.clusters()? {
            cancel.check();
            members.add(&batch?)?;
            held.reach(members.numbers.bytes() + members.roots.len() * 2 * size_of::<u32>())?;
        }
        if members.roots.len() as u64 != rows {
            let read = members.roots.len();
            return Err(Error::data(format!("the run has {rows} records, and its clusters have {read}")));
        }
        members.sizes = vec![0; members.roots.len()];
        members.roots.iter().for_each(|root| members.sizes[*root as usize] += 1);
        Ok(Self { _held: held, ..members })
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let ids = needed(batch, "unique_id")?;
        let clusters = needed(batch, "cluster_id")?;
        let mut scratch = Vec::new();
        for row in 0..batch.num_rows() {
            let number = self.roots.len() as u32;
            let input = self.input_of(number);
            if self.numbers.number(input as u32, ids.value(row)) != number {
                return Err(Error::data(format!("the record `{}` is in the clusters twice", ids.value(row))));
            }
            let root = self.root(number, ids.value(row), clusters.value(row), &mut scratch);
            self.roots.push(
                root.ok_or_else(|| Error::data(format!("the cluster `{}` has no first record", clusters.value(row))))?,
            );
        }
        Ok(())
    }

    /// The first record of the cluster that a record is in.
    fn root(&self, number: u32, id: &str, cluster: &str, scratch: &mut Vec<u8>) -> Option<u32> {
        if self.names.len() == 1 && cluster == id { Some(number) } else { self.find_named(cluster, scratch) }
    }

    /// The record that results call so: by its id, with the name of its input before it where there are several.
    pub fn find_named(&self, name: &str, scratch: &mut Vec<u8>) -> Option<u32> {
        if self.names.len() == 1 {
            return self.find(0, name, scratch);
        }
        // A name and an id say which record is meant, by the choice of the names.
        let mut inputs = self.names.iter().enumerate();
        inputs.find_map(|(input, of_input)| {
            let id = name.strip_prefix(of_input.as_str())?.strip_prefix(':')?;
            self.find(input, id, scratch)
        })
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// The first record of the cluster that two records are both in; nothing where they are in two.
    pub fn cluster_of_both(&self, records: [u32; 2]) -> Option<u32> {
        let [l, r] = records.map(|record| self.roots[record as usize]);
        (l == r).then_some(l)
    }

    /// The input that a record is from.
    pub fn input_of(&self, record: u32) -> usize {
        self.borders.partition_point(|border| *border <= record)
    }

    /// The id of a record.
    pub fn id(&self, record: u32) -> &str {
        self.numbers.id(record)
    }

    /// The id of the cluster with this first record.
    pub fn cluster_id(&self, root: u32) -> String {
        match self.names.len() {
            1 => self.id(root).to_owned(),
            _ => format!("{}:{}", self.names[self.input_of(root)], self.id(root)),
        }
    }

    /// The number of an input.
    pub fn input_named(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The record of an input with this id.
    pub fn find(&self, input: usize, id: &str, scratch: &mut Vec<u8>) -> Option<u32> {
        self.numbers.find(input as u32, id, scratch)
    }

    /// The first records of clusters of at least this size.
    pub fn clusters_from(&self, size: u32) -> impl Iterator<Item = u32> + '_ {
        (0..self.len() as u32).filter(move |record| self.sizes[*record as usize] >= size)
    }

    /// For each cluster, by its first record, the pairs that it could have: in a link those across inputs alone.
    pub fn possible_pairs(&self, across: bool) -> Vec<u64> {
        let pairs = |size: u64| size * size.saturating_sub(1) / 2;
        let mut possible: Vec<u64> = self.sizes.iter().map(|size| pairs(u64::from(*size))).collect();
        if !across {
            return possible;
        }
        let ends = self.borders.iter().copied().chain([self.len() as u32]);
        let mut first = 0;
        let mut here = vec![0_u32; self.len()];
        for end in ends {
            let roots = &self.roots[first as usize..end as usize];
            roots.iter().for_each(|root| here[*root as usize] += 1);
            for root in roots {
                let within = std::mem::take(&mut here[*root as usize]);
                possible[*root as usize] -= pairs(u64::from(within));
            }
            first = end;
        }
        possible
    }
}

fn borders(run: &RunRecord) -> Vec<u32> {
    let mut rows = 0;
    let ends = run.inputs.iter().map(|input| {
        rows += input.rows as u32;
        rows
    });
    let mut ends: Vec<u32> = ends.collect();
    ends.pop();
    ends
}

/// A column of a batch as texts, if it is there.
pub fn column_text(batch: &RecordBatch, name: &str) -> Result<Option<StringArray>> {
    let Some(column) = batch.column_by_name(name) else { return Ok(None) };
    let texts = cast(column, &DataType::Utf8)
        .map_err(|error| Error::data(format!("the column `{name}` of the results: {error}")))?;
    Ok(Some(texts.as_string::<i32>().clone()))
}

/// The same for a column that must be there and complete.
pub fn needed(batch: &RecordBatch, name: &str) -> Result<StringArray> {
    let column = column_text(batch, name)?.filter(|column| column.null_count() == 0);
    column.ok_or_else(|| Error::data(format!("the results have no complete column `{name}`")))
}

/// A column of a batch as numbers, if it is there.
pub fn column_numbers(batch: &RecordBatch, name: &str) -> Result<Option<Float64Array>> {
    let Some(column) = batch.column_by_name(name) else { return Ok(None) };
    let numbers = cast(column, &DataType::Float64)
        .map_err(|error| Error::data(format!("the column `{name}` of the results: {error}")))?;
    Ok(Some(numbers.as_primitive::<Float64Type>().clone()))
}
