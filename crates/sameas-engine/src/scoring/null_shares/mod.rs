//! For how many pairs a comparison is null, and whether one column is why.
//!
//! A level that reads several columns is null where one of them is missing and the others do not suffice to decide it. Where that
//! column is missing in most records, the comparison says nothing of nearly all pairs, though most of what it reads is
//! there. The share is that of a seeded sample of pairs, or of all where they are few.

use std::collections::BTreeMap;

use super::auxiliary_rules::KnownRecords;
use super::sampled_levels::outcomes_of_some;
use crate::error::Result;
use crate::records::stats::ColumnFacts;
use crate::rules::ComparisonRules;
use crate::threshold::Check;
use crate::verify::Program;

/// Pairs that are drawn: the standard error of a share is at most 0.002 then.
const PAIRS: usize = 1 << 16;

/// The share of null pairs from which one column is looked for.
const LARGE: f64 = 0.5;

/// How a comparison is null.
#[derive(Clone, Debug, PartialEq)]
pub struct NullShare {
    /// The share of pairs for which it is.
    pub share: f64,
    /// The column that is missing in most of these, where that is most pairs, and other columns of the comparison are there.
    pub missing: Option<String>,
}

/// How the comparisons of some records are null, in order.
pub fn null_shares(records: &KnownRecords<'_>, columns: &ColumnFacts) -> Result<Vec<NullShare>> {
    let comparisons = &records.rules.scoring.comparisons;
    let seen = outcomes_of_some(records, comparisons, PAIRS)?;
    let share = |(of, counts): (&ComparisonRules, &Vec<u128>)| {
        let (null, all) = (counts.last().copied().unwrap_or_default(), counts.iter().sum::<u128>());
        let share = null as f64 / (all as f64).max(1.0);
        NullShare { share, missing: missing_column(of, share, records.program, columns) }
    };
    Ok(comparisons.iter().zip(&seen.counts).map(share).collect())
}

/// The column that makes a comparison null for this share of pairs.
fn missing_column(of: &ComparisonRules, share: f64, program: &Program, columns: &ColumnFacts) -> Option<String> {
    let read = missing_shares(of, program, columns);
    let (column, most) = read.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)))?;
    let others = read.iter().filter(|(other, _)| *other != column).map(|(_, missing)| *missing);
    let least = others.min_by(f64::total_cmp)?;
    let is_why = share >= LARGE && *most >= share / 2.0 && least < share / 2.0;
    is_why.then(|| column.clone())
}

/// For each column that can make a comparison null, the share of pairs in which a record lacks it.
fn missing_shares(of: &ComparisonRules, program: &Program, columns: &ColumnFacts) -> BTreeMap<String, f64> {
    let nullable = of.levels.iter().filter(|level| !level.is_never_null);
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    for literal in nullable.flat_map(|level| level.conjunctions.iter().flatten()) {
        let check = &program.checks[literal.predicate];
        let operands = check.operands().filter(|_| !matches!(check, Check::Equal { null_safe: true, .. }));
        let Some(operands) = operands else { continue };
        let [left, right] = [operands.left, operands.right].map(|operand| &columns.columns[operand]);
        let [l, r] = [left, right].map(|of| of.nulls as f64 / (of.rows as f64).max(1.0));
        let named = if l >= r { left } else { right };
        let missing = shares.entry(named.column.clone()).or_default();
        *missing = missing.max(1.0 - (1.0 - l) * (1.0 - r));
    }
    shares
}

#[cfg(test)]
mod tests;
