//! The pairs with equal values of two operands, where all records were not counted together.

use super::operand::OperandStatistics;
use super::statistics::Statistics;
use crate::records::encode::OperandKey;

impl Statistics {
    /// About how many pairs have equal values of two operands, by their sketches.
    #[doc(hidden)]
    pub fn sketched_pairs(&self, left: &OperandKey, right: &OperandKey, null_safe: bool) -> f64 {
        let [Some(of_left), Some(of_right)] = [left, right].map(|key| self.operands.get(key)) else { return 0.0 };
        let [Some(own), Some(others)] = [of_left, of_right].map(|of| of.sketches.as_ref()) else { return 0.0 };
        let products = own.pairs.products(&others.pairs);
        let nulls = |of: &OperandStatistics| if null_safe { of.nulls as f64 } else { 0.0 };
        let of_nulls = nulls(of_left) * nulls(of_right);
        if self.has_two_sides() {
            return products + of_nulls;
        }
        // Of one operand each row is equal to itself; of two, about half of the pairs have the left row first.
        let same_row = if left == right { (of_left.rows - of_left.nulls) as f64 + nulls(of_left) } else { 0.0 };
        let pairs = (products + of_nulls - same_row).max(0.0) / 2.0;
        if self.is_across() { pairs * self.share_across() } else { pairs }
    }

    /// The share of all pairs that are of different inputs. Equal values are taken to be spread over inputs as records are.
    fn share_across(&self) -> f64 {
        let records = self.record_count() as f64;
        self.nominal_pairs() / (records * (records - 1.0) / 2.0).max(1.0)
    }
}
