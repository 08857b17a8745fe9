//! The program that estimates evaluate: a job's checks over a few thousand of its records, with rows of their own.
//!
//! What is asked about single pairs is asked about pairs of these records: those that were drawn, and those that a join
//! of sampled rows finds. What is asked about all records has been counted (`FullCounts`).

mod stored;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::draw::Drawn;
use super::full_counts::{is_null_safe, shape_of};
use super::joined_rows::JoinedRows;
use super::row_sample::RowSample;
use crate::candidates::{Batch, Shape};
use crate::records::encode::OperandKey;
use crate::records::stats::{EqualityKey, Random, SampledRow, Statistics};
use crate::verify::{Check, Program};

/// A program over the records of drawn pairs, and over those that are joined to estimate what joins give.
#[derive(Clone, Debug)]
pub struct SampleProgram {
    /// The checks and conjunctions, over the sampled records.
    pub program: Program,
    /// What its operands are.
    pub(super) keys: Arc<[OperandKey]>,
    /// The sampled records by frame, as rows of all records; ascending.
    records: Vec<Vec<u32>>,
    /// Those to be joined. All rows from here on are rows of the sample.
    pub(super) joined: JoinedRows,
    /// Pairs of any kind.
    pub(super) any: Drawn,
    /// Pairs of each predicate that is an equality.
    pub(super) drawn: Vec<Option<Batch>>,
}

/// The rows that estimates look at.
struct EstimateRows {
    joined: JoinedRows,
    any: Drawn,
    drawn: Vec<Option<Batch>>,
}

impl EstimateRows {
    /// Those of some checks, over operands with these keys; `place` says where in its frame a record lies.
    fn draw(checks: &[Check], keys: &[OperandKey], statistics: &Statistics, place: &dyn Fn(SampledRow) -> u32) -> Self {
        let sample = RowSample::new(statistics, place);
        let drawn = |check: &Check| {
            let Check::Equal { operands, .. } = check else { return None };
            let key = EqualityKey::new(&keys[operands.left], &keys[operands.right], is_null_safe(check));
            let pairs = statistics.equalities.get(&key)?.drawn.as_ref()?;
            let (l, r) = pairs.iter().map(|pair| (place(pair.l), place(pair.r))).unzip();
            Some(Batch { l, r })
        };
        Self {
            joined: sample.joined(),
            any: sample.draw(statistics.nominal_pairs(), &mut Random::new(statistics.seed)),
            drawn: checks.iter().map(drawn).collect(),
        }
    }

    /// The records that are looked at, by frame.
    fn records(&self, rows: [u32; 2], shape: Shape) -> Vec<Vec<u32>> {
        let [mut left, mut right] = self.joined.first(usize::MAX);
        for pairs in self.drawn.iter().flatten().chain([&self.any.pairs]) {
            left.extend_from_slice(&pairs.l);
            right.extend_from_slice(&pairs.r);
        }
        match shape {
            Shape::Rectangle => vec![of_frame(left, rows[0]), of_frame(right, rows[1])],
            Shape::Triangle => {
                left.append(&mut right);
                vec![of_frame(left, rows[0])]
            }
        }
    }
}

impl SampleProgram {
    /// The sample of a program over all records, whose operands have these keys.
    pub fn new(program: &Program, keys: &[OperandKey], statistics: &Statistics) -> Self {
        let rows = rows_of_all(program, keys, statistics);
        let records = rows.records(statistics.rows().map(|rows| rows as u32), shape_of(statistics));
        Self::over(records, program, keys, &rows)
    }

    /// All records as a sample: what a smaller one must agree with.
    #[cfg(test)]
    pub fn of_all(program: &Program, keys: &[OperandKey], statistics: &Statistics) -> Self {
        let (rows, shape) = (statistics.rows().map(|rows| rows as u32), shape_of(statistics));
        let frames = if shape == Shape::Triangle { &rows[..1] } else { &rows[..] };
        let records = frames.iter().map(|all| (0..*all).collect()).collect();
        Self::over(records, program, keys, &rows_of_all(program, keys, statistics))
    }

    /// The program over these records, by frame; they have all rows that are looked at.
    fn over(records: Vec<Vec<u32>>, program: &Program, keys: &[OperandKey], rows: &EstimateRows) -> Self {
        let sides = [&records[0][..], &records[records.len() - 1][..]];
        let renamed = |pairs: &Batch| Batch { l: places(&pairs.l, sides[0]), r: places(&pairs.r, sides[1]) };
        Self {
            program: program.sample(&by_frame(&records)),
            keys: keys.into(),
            joined: rows.joined.renamed(|side, of_side| places(of_side, sides[side])),
            any: Drawn { pairs: renamed(&rows.any.pairs), ..rows.any },
            drawn: rows.drawn.iter().map(|pairs| pairs.as_ref().map(renamed)).collect(),
            records,
        }
    }

    /// Takes over the rules that the program was given, and the checks that were added to it.
    pub fn follow(&mut self, program: &Program) {
        self.program.follow(program, &by_frame(&self.records));
    }

    /// Memory of what it does not share with the program that it is a sample of.
    pub fn bytes_beside(&self, program: &Program) -> usize {
        let columns = self.program.encoded.columns.iter().zip(&program.encoded.columns);
        let codes = columns.filter(|(own, of)| !Arc::ptr_eq(&own.codes, &of.codes));
        let verdicts = |(own, of): (&Check, &Check)| match (own, of) {
            (Check::OneSided { verdicts: own, .. }, Check::OneSided { verdicts: of, .. }) if !Arc::ptr_eq(own, of) => {
                own.len()
            }
            _ => 0,
        };
        let of_checks: usize = self.program.checks.iter().zip(&program.checks).map(verdicts).sum();
        of_checks + codes.map(|(own, _)| size_of_val(&own.codes[..])).sum::<usize>()
    }
}

fn by_frame(records: &[Vec<u32>]) -> Vec<&[u32]> {
    records.iter().map(|rows| &rows[..]).collect()
}

/// The places of rows among sampled ones.
fn places(rows: &[u32], sampled: &[u32]) -> Vec<u32> {
    rows.iter().map(|row| sampled.partition_point(|other| other < row) as u32).collect()
}

/// The rows of all records that are looked at.
fn rows_of_all(program: &Program, keys: &[OperandKey], statistics: &Statistics) -> EstimateRows {
    let mut firsts = vec![0; statistics.inputs.len()];
    if !statistics.has_two_sides() {
        // Inputs lie in one frame, one after the other.
        for (at, counted) in statistics.inputs.iter().enumerate().take(firsts.len().saturating_sub(1)) {
            firsts[at + 1] = firsts[at] + counted.rows as u32;
        }
    }
    let place = |of: SampledRow| firsts[of.input as usize] + of.row as u32;
    EstimateRows::draw(&program.checks, keys, statistics, &place)
}

/// Some of a frame's records, each once. Where they are more than half of all, all are taken, whose codes need no copy.
fn of_frame(mut rows: Vec<u32>, all: u32) -> Vec<u32> {
    rows.sort_unstable();
    rows.dedup();
    if 2 * rows.len() > all as usize { (0..all).collect() } else { rows }
}
