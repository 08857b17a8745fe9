//! Ranks for `neighbours`: all records sorted by the key.

use super::coverage::Coverage;
use super::interpret::{Pair, order};
use super::records::Record;
use super::value::Value;
use crate::case::{Case, Expr, Op, compared};

/// The ranks of all records for every `neighbours` of a job.
#[derive(Debug, Default)]
pub struct Ranks {
    /// The arguments of a call and the rank of each record, by its row.
    calls: Vec<(Vec<Expr>, Vec<Option<usize>>)>,
}

impl Ranks {
    /// Sorts the records for each `neighbours` in the job.
    pub fn new(case: &Case, records: &[Record]) -> Self {
        let mut ranks = Ranks::default();
        for condition in case.job.conditions() {
            condition.walk(&mut |expr| {
                if let Expr::Call(Op::Neighbours, arguments) = expr {
                    ranks.calls.push((arguments.clone(), ranks_of(case, arguments, records)));
                }
            });
        }
        ranks
    }

    /// The rank of the record at `row` for a call with these arguments.
    pub fn rank(&self, arguments: &[Expr], row: usize) -> Option<usize> {
        let call = self.calls.iter().find(|(known, _)| known == arguments)?;
        call.1[row]
    }
}

/// The rank of each record: left records by the first argument, right ones by the second, nulls nowhere.
fn ranks_of(case: &Case, arguments: &[Expr], records: &[Record]) -> Vec<Option<usize>> {
    let common = compared(arguments[..2].iter().map(|key| case.rule_type(key)));
    let key = |record: &Record| {
        let none = Ranks::default();
        let pair = Pair { left: record, right: record, ranks: &none, fault: None };
        let side = usize::from(case.has_two_sides() && record.table == 1);
        pair.value(&arguments[side], &mut Coverage::default()).read_as(common)
    };
    let mut sorted: Vec<(Value, usize)> = records.iter().map(|record| (key(record), record.row)).collect();
    sorted.retain(|(key, _)| !key.is_null());
    sorted
        .sort_by(|(a, row_a), (b, row_b)| order(a, b).expect("keys of one type have an order").then(row_a.cmp(row_b)));
    let mut ranks = vec![None; records.len()];
    for (rank, (_, row)) in sorted.into_iter().enumerate() {
        ranks[row] = Some(rank);
    }
    ranks
}
