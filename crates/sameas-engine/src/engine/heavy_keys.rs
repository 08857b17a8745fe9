//! Keys of joins that many records share, counted in a sample of the records.
//!
//! A run counts the values of each operand, and so it knows the heavy keys of a join on one equality. Those of a join on
//! several are known only when they are counted together.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::record::RunRecord;
use crate::plan::BranchRecord;
use crate::records::encode::NULL;
use crate::records::stats::{SEED, sample_rows, value_text};
use crate::rules::{LinkType, LiteralRecord, RuleSet};
use crate::threshold::{Check, Sides};
use crate::verify::Program;

/// Records of an input in which keys are counted.
const SAMPLED: usize = 50_000;

/// Records of the sample that must share a key, so that its number is no accident.
const LEAST_OF_SAMPLE: u32 = 5;

/// Keys that are kept of a join.
const KEPT: usize = 8;

/// A key of a join.
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyKey {
    /// The number of the branch that joins on it.
    pub branch: usize,
    /// Its values, one for each equality.
    pub values: Vec<String>,
    /// Records with it.
    pub records: f64,
    /// Candidates that it makes.
    pub candidates: f64,
    /// Whether all records were counted.
    pub is_exact: bool,
}

/// Whether a branch joins on equal values of all records.
pub fn has_keys(branch: &BranchRecord) -> bool {
    branch.path.declaration().has_keys() && branch.filters.is_empty() && branch.follows_from.is_empty()
}

/// Some rows of each input, ascending and numbered through all inputs.
pub(super) fn rows_of_sample(rows: &[u32]) -> Vec<u32> {
    let mut first = 0;
    let of_input = |rows: &u32| {
        let sampled = sample_rows(*rows, SAMPLED, SEED).into_iter().map(move |row| first + row);
        first += rows;
        sampled
    };
    rows.iter().flat_map(of_input).collect()
}

/// How many records of an input each record of its sample stands for.
pub(super) fn weights_of_sample(rows: &[u32]) -> Vec<f64> {
    rows.iter().map(|rows| f64::from(*rows) / SAMPLED.min(*rows as usize).max(1) as f64).collect()
}

/// A sample of the records, with the values that joins compare.
pub(super) struct KeySample<'a> {
    pub rules: &'a RuleSet,
    pub program: &'a Program,
    /// The frame, the row and the input of each.
    pub records: Vec<((usize, u32), usize)>,
    /// How many records each stands for, by input.
    pub weights: Vec<f64>,
}

impl KeySample<'_> {
    /// The heaviest keys of each branch.
    pub fn heavy_keys(&self, run: &RunRecord) -> Vec<HeavyKey> {
        let texts: HashMap<String, &Check> = self.equalities().collect();
        let branches: Vec<(usize, &BranchRecord)> = run.plan.iter().enumerate().collect();
        let of_branch = |(at, branch): &(usize, &BranchRecord)| {
            let parts: Option<Vec<&Check>> = branch.on.iter().map(|on| texts.get(on).copied()).collect();
            match parts {
                Some(parts) if has_keys(branch) => self.of_join(*at, &parts, run.link_type),
                _ => Vec::new(),
            }
        };
        branches.par_iter().flat_map_iter(of_branch).collect()
    }

    fn equalities(&self) -> impl Iterator<Item = (String, &Check)> {
        let literals = self.program.conjunctions.iter().flat_map(|conjunction| &conjunction.literals);
        literals.filter_map(|literal| match &self.program.checks[literal.predicate] {
            check @ Check::Equal { .. } => {
                Some((LiteralRecord::new(*literal, &self.rules.predicates).to_string(), check))
            }
            _ => None,
        })
    }

    fn of_join(&self, branch: usize, parts: &[&Check], link_type: LinkType) -> Vec<HeavyKey> {
        let Some(operands) = parts.iter().map(|part| self.operands(part)).collect::<Option<Vec<_>>>() else {
            return Vec::new();
        };
        let is_exact = self.weights.iter().all(|weight| *weight == 1.0);
        let least = if is_exact { 2 } else { LEAST_OF_SAMPLE };
        let counted = self.counted(&operands).into_iter();
        let mut keys: Vec<(Box<[u32]>, f64, f64)> = counted
            .filter(|(_, counts)| counts.iter().sum::<u32>() >= least)
            .map(|(key, counts)| (key, self.records(&counts), self.candidates(&counts, link_type)))
            .filter(|(.., candidates)| *candidates > 0.0)
            .collect();
        keys.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
        keys.truncate(KEPT);
        let text = |(operand, code): (&(Sides<usize>, bool), &u32)| {
            value_text(self.program.encoded.domain(operand.0.left), *code)
        };
        let key = |(codes, records, candidates): (Box<[u32]>, f64, f64)| HeavyKey {
            branch,
            values: operands.iter().zip(&codes).map(text).collect(),
            records,
            candidates,
            is_exact,
        };
        keys.into_iter().map(key).collect()
    }

    /// The operands of an equality, and whether two nulls are equal. Where both records are of one frame, a key that
    /// exchanges columns has its candidates spread over two values: that is none.
    fn operands(&self, check: &Check) -> Option<(Sides<usize>, bool)> {
        let Check::Equal { operands, null_safe } = check else { return None };
        let columns = &self.program.encoded.columns;
        let (left, right) = (&columns[operands.left], &columns[operands.right]);
        (left.frame != right.frame || left.text == right.text).then_some((*operands, *null_safe))
    }

    /// How many records of each input have each key.
    fn counted(&self, operands: &[(Sides<usize>, bool)]) -> HashMap<Box<[u32]>, Vec<u32>, FixedState> {
        let columns = &self.program.encoded.columns;
        let mut counts: HashMap<Box<[u32]>, Vec<u32>, FixedState> = HashMap::default();
        let mut key = Vec::with_capacity(operands.len());
        for ((frame, row), input) in &self.records {
            key.clear();
            key.extend(operands.iter().map(|(of, _)| {
                let operand = if columns[of.left].frame == *frame { of.left } else { of.right };
                columns[operand].codes[*row as usize]
            }));
            if key.iter().zip(operands).any(|(code, (_, null_safe))| *code == NULL && !null_safe) {
                continue;
            }
            match counts.get_mut(&key[..]) {
                Some(of_key) => of_key[*input] += 1,
                None => {
                    let mut of_key = vec![0; self.weights.len()];
                    of_key[*input] = 1;
                    counts.insert(key[..].into(), of_key);
                }
            }
        }
        counts
    }

    fn records(&self, counts: &[u32]) -> f64 {
        counts.iter().zip(&self.weights).map(|(count, weight)| f64::from(*count) * weight).sum()
    }

    /// The pairs of records with a key: of two records of one input each is in the sample, or not, by itself.
    fn candidates(&self, counts: &[u32], link_type: LinkType) -> f64 {
        let all = self.records(counts);
        let of_input = |(count, weight): (&u32, &f64)| {
            let (count, records) = (f64::from(*count), f64::from(*count) * weight);
            let within = if link_type == LinkType::LinkOnly { 0.0 } else { count * (count - 1.0) * weight * weight };
            records * (all - records) + within
        };
        counts.iter().zip(&self.weights).map(of_input).sum::<f64>() / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_rows_of_all_inputs() {
        assert_eq!(rows_of_sample(&[3, 0, 2]), [0, 1, 2, 3, 4]);
        let many = rows_of_sample(&[1_000_000, 50]);
        assert_eq!(many.len(), SAMPLED + 50);
        assert_eq!(many.iter().filter(|row| **row >= 1_000_000).count(), 50);
        assert!(many.windows(2).all(|two| two[0] < two[1]));
    }
}
