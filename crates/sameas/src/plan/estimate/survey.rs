//! One pass over every operand, domain by domain: statistics, exact numbers of equal pairs, and pairs drawn from them.
//!
//! The rows of each value are counted for the operands of one domain at a time, so that the counts of few are in memory.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::across::{only_across, within_inputs};
use super::draw::{Drawn, EqualSides, Total};
use crate::cancel::Cancel;
use crate::candidates::Shape;
use crate::records::encode::Encoded;
use crate::records::stats::Random;
use crate::records::stats::{ColumnStatistics, Frequencies, SAMPLE, SEED, Statistics, sample_rows};
use crate::verify::{Check, Program, Sides};

/// What the counts say about a predicate.
#[derive(Debug, Default)]
pub struct Surveyed {
    /// Pairs drawn from an equality.
    pub drawn: Option<Drawn>,
    /// Pairs of rows whose two values are the same.
    pub same: f64,
    /// Distinct values on the left and on the right.
    pub distinct: [f64; 2],
    /// The value with the most pairs: its code, and its share of all pairs with the same value.
    pub heaviest: Option<(u32, f64)>,
}

/// What one pass has counted.
#[derive(Debug)]
pub struct Survey {
    /// By operand.
    pub statistics: Statistics,
    /// By predicate.
    pub predicates: Vec<Surveyed>,
}

impl Survey {
    /// Surveys what the checks of a program read; `inputs` names the input of each frame.
    pub fn of(program: &Program, shape: Shape, inputs: &[String], cancel: Cancel<'_>) -> Self {
        let encoded = &program.encoded;
        let domains: Vec<CountedDomain> = domain_readers(program)
            .par_iter()
            .with_max_len(1)
            .map(|readers| {
                cancel.check();
                survey_domain(program, readers, shape, inputs)
            })
            .collect();
        let mut columns: Vec<Option<ColumnStatistics>> = encoded.columns.iter().map(|_| None).collect();
        let mut predicates: Vec<Surveyed> = program.checks.iter().map(|_| Surveyed::default()).collect();
        for counted in domains {
            counted.columns.into_iter().for_each(|(operand, found)| columns[operand] = Some(found));
            counted.predicates.into_iter().for_each(|(predicate, found)| predicates[predicate] = found);
        }
        for (check, found) in program.checks.iter().zip(&mut predicates) {
            // Words of a text and elements of a list are compared, though texts and lists themselves are not.
            if let Some(Sides { left, right }) = check.operands()
                && encoded.columns[left].domain != encoded.columns[right].domain
            {
                found.distinct = [left, right].map(|of| columns[of].as_ref().map_or(0.0, |of| of.distinct as f64));
            }
        }
        let columns = columns.into_iter().flatten().collect();
        Self { statistics: Statistics { seed: SEED, sampled: SAMPLE as u64, columns }, predicates }
    }
}

/// What the counts of one domain say.
struct CountedDomain {
    columns: Vec<(usize, ColumnStatistics)>,
    predicates: Vec<(usize, Surveyed)>,
}

/// What reads a domain, in ascending order.
#[derive(Clone, Default)]
struct DomainReaders {
    operands: Vec<usize>,
    /// Those whose left operand is of it.
    predicates: Vec<usize>,
}

/// The readers of each domain: there may be many domains, so they are found once for all.
fn domain_readers(program: &Program) -> Vec<DomainReaders> {
    let encoded = &program.encoded;
    let mut readers = vec![DomainReaders::default(); encoded.domains.len()];
    for (operand, column) in encoded.columns.iter().enumerate() {
        readers[column.domain].operands.push(operand);
    }
    for (predicate, check) in program.checks.iter().enumerate() {
        if let Some(operands) = check.operands() {
            readers[encoded.columns[operands.left].domain].predicates.push(predicate);
        }
    }
    readers
}

fn survey_domain(program: &Program, readers: &DomainReaders, shape: Shape, inputs: &[String]) -> CountedDomain {
    let encoded = &program.encoded;
    let counts: Vec<(usize, Frequencies)> =
        readers.operands.iter().map(|operand| (*operand, frequencies(encoded, *operand))).collect();
    let place = |operand: usize| readers.operands.binary_search(&operand).ok();
    let rows_of = |operand: usize| place(operand).map(|at| &counts[at].1);
    let of_column = |(operand, rows): &(usize, Frequencies)| {
        let column = &encoded.columns[*operand];
        let sample = sample_rows(column.codes.len() as u32, SAMPLE, SEED);
        let input = inputs.get(column.frame).map_or("", String::as_str);
        (*operand, ColumnStatistics::of(encoded, *operand, rows, input, &sample))
    };
    let columns: Vec<(usize, ColumnStatistics)> = counts.iter().map(of_column).collect();
    let distinct = |operand: usize| place(operand).map_or(0.0, |at| columns[at].1.distinct as f64);
    // Several thresholds of one measure compare the same operands.
    let mut totals: BTreeMap<(usize, usize, bool), (Total, f64)> = BTreeMap::new();
    let mut predicate = |index: &usize| {
        let (index, check) = (*index, &program.checks[*index]);
        let Sides { left, right } = check.operands()?;
        let sides = EqualSides {
            left: &encoded.columns[left],
            right: &encoded.columns[right],
            left_rows: rows_of(left)?,
            right_rows: rows_of(right)?,
            is_self_join: shape == Shape::Triangle && left == right,
            shape,
        };
        let null_safe = matches!(check, Check::Equal { null_safe: true, .. });
        let count = || {
            let all = sides.total(null_safe);
            (
                all,
                program
                    .across
                    .as_ref()
                    .map_or(all.pairs, |inputs| all.pairs - within_inputs(&sides, null_safe, inputs)),
            )
        };
        let (total, counting) = *totals.entry((left, right, null_safe)).or_insert_with(count);
        let draw = || {
            let drawn = sides.draw(null_safe, total.pairs, &mut Random::new(SEED ^ index as u64));
            match &program.across {
                Some(inputs) => only_across(drawn, inputs, counting),
                None => drawn,
            }
        };
        let surveyed = Surveyed {
            drawn: matches!(check, Check::Equal { .. }).then(draw),
            same: counting,
            distinct: [left, right].map(&distinct),
            heaviest: total.heaviest.map(|code| (code, total.most / total.pairs.max(1.0))),
        };
        Some((index, surveyed))
    };
    let predicates = readers.predicates.iter().filter_map(&mut predicate).collect();
    CountedDomain { columns, predicates }
}

fn frequencies(encoded: &Encoded, operand: usize) -> Frequencies {
    Frequencies::of(&encoded.columns[operand].codes, encoded.domain(operand).dictionary.len())
}
