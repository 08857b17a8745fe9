//! The declaration of `equi_join`: equal composite keys.

use super::SideKeys;
use super::key_join::KeyJoin;
use crate::candidates::declaration::{Declaration, JoinFacts};
use crate::candidates::{Parting, PartingKey, Path, PathInput};
use crate::threshold::Check;

/// Nanoseconds of a row: its key, its partition, its place.
const ROW: f64 = 40.0;
/// Nanoseconds of a row for each part of a composite key.
const KEY_PART: f64 = 5.0;

/// Equal composite keys, one part for each of some equalities.
pub struct EquiJoinPath;

impl Declaration for EquiJoinPath {
    fn name(&self) -> &'static str {
        "equi_join"
    }

    fn serves(&self, check: &Check) -> bool {
        matches!(check, Check::Equal { .. })
    }

    /// One key of several parts.
    fn joins_several(&self) -> bool {
        true
    }

    fn has_keys(&self) -> bool {
        true
    }

    /// Equal values are counted.
    fn samples_values(&self) -> bool {
        false
    }

    fn cost(&self, on: &[usize], facts: &dyn JoinFacts) -> f64 {
        facts.rows() * (ROW + KEY_PART * on.len() as f64)
    }

    fn path<'a>(&self, on: &[usize], input: PathInput<'a>) -> Path<'a> {
        let (keys, memory) = (keys_of(on, input.source.checks), input.memory);
        Path::Keys(Box::new(KeyJoin::new(SideKeys::new(&keys, input), memory)))
    }

    /// Equal values meet, and nulls where they are equal.
    fn parting(&self, on: &[usize], checks: &[Check]) -> Parting {
        Parting::Keys(keys_of(on, checks))
    }

    fn has_device_path(&self) -> bool {
        true
    }
}

/// What some equalities want to be equal.
fn keys_of(on: &[usize], checks: &[Check]) -> Vec<PartingKey> {
    let key = |predicate: &usize| match checks[*predicate] {
        Check::Equal { operands, null_safe } => PartingKey { operands, null_safe },
        _ => unreachable!("an equi-join is one of equalities"),
    };
    on.iter().map(key).collect()
}
