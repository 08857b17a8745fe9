//! `all_pairs`: every pair of records, for rules without a usable access condition.

use super::adjacency::{Adjacency, Probe};
use super::{Candidates, Rows, Shape};

/// All pairs of the given rows.
///
/// No loss and no repetition: each left row has all right rows (behind it, in a triangle) as partners once.
pub fn all_pairs(left: &Rows, right: Rows, shape: Shape) -> Candidates {
    let probes: Vec<Probe> = left.iter().map(|row| Probe::new(*row, 0, &right, shape)).collect();
    Candidates { adjacency: Adjacency::new(probes.into_iter(), right), once: None }
}
