//! What all joins over distinct values cost, in nanoseconds of one core.

use super::declaration::{DeviceCost, JoinFacts};

/// A row of a join over values: it is put to its value.
pub const GROUPED_ROW: f64 = 15.0;
/// A value of a join over values: its place in an index.
pub const VALUE: f64 = 200.0;
/// Two signatures compared.
pub const SIGNATURE: f64 = 0.25;

/// The distinct values that a predicate compares, and the pairs of them.
#[derive(Clone, Copy, Debug)]
pub struct ValuePairs {
    /// Values, each once.
    pub values: f64,
    /// Pairs of them.
    pub pairs: f64,
}

impl ValuePairs {
    /// Those of a predicate.
    pub fn for_predicate(predicate: usize, facts: &dyn JoinFacts) -> Self {
        let [left, right] = facts.distinct(predicate);
        let is_self_join = facts.check(predicate).operands().is_some_and(|o| o.left == o.right);
        let (values, pairs) = if is_self_join { (left, left * left / 2.0) } else { (left + right, left * right) };
        Self { values, pairs }
    }

    /// The cheaper of an index and of comparing all signatures, as joins themselves choose, and the measure for the
    /// pairs that are left.
    pub fn cost(&self, index: f64, measured: f64) -> f64 {
        let Self { values, pairs } = self;
        values * VALUE + index.min(pairs * SIGNATURE) + pairs * measured
    }
}

/// What a join of rows over their values takes.
pub fn rows_cost(on: &[usize], facts: &dyn JoinFacts) -> f64 {
    facts.rows() * GROUPED_ROW + on.iter().map(|predicate| facts.values_cost(*predicate)).sum::<f64>()
}

/// What a join of texts takes where a device does it: the host puts rows to their values and sorts these; the device has
/// no index and compares the signatures of all values.
pub fn texts_on_device(on: &[usize], facts: &dyn JoinFacts) -> DeviceCost {
    let host = |predicate: &usize| facts.distinct(*predicate).iter().sum::<f64>() * VALUE;
    let device = |predicate: &usize| {
        ValuePairs::for_predicate(*predicate, facts).pairs * (SIGNATURE + facts.measured(*predicate))
    };
    DeviceCost {
        host: facts.rows() * GROUPED_ROW + on.iter().map(host).sum::<f64>(),
        device: on.iter().map(device).sum::<f64>(),
    }
}
