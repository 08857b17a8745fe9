//! What a check is expected to refuse, and what it costs: the order of checks comes from both.

use serde::{Deserialize, Serialize};

/// What is expected of a check.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weight {
    /// The share of candidates that pass.
    pub probability: f64,
    /// Nanoseconds of an evaluation.
    pub cost: f64,
    /// The share that passes of the candidates that reach it, where enough drawn pairs do.
    pub passes: Option<f64>,
}

impl Weight {
    /// How much is gained for what is paid: candidates refused in a nanosecond.
    pub fn rank(&self) -> f64 {
        (1.0 - self.probability) / self.cost.max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example 6 of HyperBlocker: comparing colors is six times as cheap as comparing names, but all records are gray.
    #[test]
    fn a_check_that_everything_passes_is_worth_nothing() {
        let color = Weight { probability: 1.0, cost: 0.1, passes: None };
        let name = Weight { probability: 0.4, cost: 0.6, passes: None };
        assert_eq!(color.rank(), 0.0);
        assert!((name.rank() - 1.0).abs() < 1e-9, "the paper prints 0.8 for (1 - 0.4) / 0.6");
        assert!(name.rank() > color.rank());
    }
}
