//! The declaration of `all_pairs`: every pair, where nothing else is left.

use super::AllPairs;
use crate::candidates::declaration::{Declaration, JoinFacts};
use crate::candidates::{Parting, Path, PathInput};
use crate::threshold::Check;

/// Every pair.
pub struct AllPairsPath;

impl Declaration for AllPairsPath {
    fn name(&self) -> &'static str {
        "all_pairs"
    }

    /// It joins on nothing.
    fn serves(&self, _: &Check) -> bool {
        false
    }

    fn cost(&self, _: &[usize], _: &dyn JoinFacts) -> f64 {
        0.0
    }

    fn path<'a>(&self, _: &[usize], input: PathInput<'a>) -> Path<'a> {
        let [left, right] = input.rows;
        Path::AllPairs(AllPairs::new(left, right, input.shape))
    }

    fn parting(&self, _: &[usize], _: &[Check]) -> Parting {
        Parting::Rows
    }

    fn has_device_path(&self) -> bool {
        true
    }
}
