//! The declaration of `neighbourhood`: numbers, dates or ranks near each other.

use super::{Neighbourhood, SortedNumbers};
use crate::candidates::declaration::{Declaration, JoinFacts};
use crate::candidates::{Parting, Path, PathInput, Rows};
use crate::rules::Comparison;
use crate::threshold::Check;

/// Nanoseconds of a row, which is sorted.
const ROW: f64 = 120.0;

/// Numbers, dates or ranks near each other.
pub struct NeighbourhoodPath;

impl Declaration for NeighbourhoodPath {
    fn name(&self) -> &'static str {
        "neighbourhood"
    }

    /// Near each other: a difference needs an upper bound.
    fn serves(&self, check: &Check) -> bool {
        matches!(check, Check::Difference { comparison: Comparison::Less | Comparison::LessEqual, .. })
    }

    fn cost(&self, _: &[usize], facts: &dyn JoinFacts) -> f64 {
        facts.rows() * ROW
    }

    fn path<'a>(&self, on: &[usize], input: PathInput<'a>) -> Path<'a> {
        Path::Neighbourhood(Neighbourhood::for_predicate(on[0], &input))
    }

    /// Partners lie within the threshold.
    fn parting(&self, on: &[usize], checks: &[Check]) -> Parting {
        match checks[on[0]] {
            Check::Difference { operands, threshold, .. } => Parting::Ranges { operands, width: threshold },
            _ => unreachable!("a neighbourhood is one of numbers"),
        }
    }

    fn has_device_path(&self) -> bool {
        true
    }
}

impl Neighbourhood {
    /// The pairs of records whose numbers a predicate wants near each other.
    pub fn for_predicate(predicate: usize, input: &PathInput<'_>) -> Self {
        let (check, encoded) = (&input.source.checks[predicate], input.source.encoded);
        let Check::Difference { operands, .. } = check else { unreachable!("a neighbourhood is one of numbers") };
        let numbers = |operand: usize, rows: &Rows| {
            let (codes, domain) = (&encoded.columns[operand].codes[..], encoded.domain(operand));
            SortedNumbers::new(rows, |row| domain.number(codes[row as usize]))
        };
        let right = (!input.is_self_join([*operands])).then(|| numbers(operands.right, &input.rows[1]));
        let left = numbers(operands.left, &input.rows[0]);
        Self::new(left, right, input.shape, |a, b| check.holds_for_numbers(a, b))
    }
}
