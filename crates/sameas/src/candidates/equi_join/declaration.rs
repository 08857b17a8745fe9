//! The declaration of `equi_join`: equal composite keys.

use std::borrow::Cow;

use super::EquiJoin;
use crate::candidates::declaration::{Declaration, JoinFacts, PathInput};
use crate::candidates::keys::{KeyPart, Keys, fit};
use crate::candidates::{Path, Shape, Which};
use crate::threshold::{Check, Sides};

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

    fn cost(&self, on: &[usize], facts: &dyn JoinFacts) -> f64 {
        facts.rows() * (ROW + KEY_PART * on.len() as f64)
    }

    fn path<'a>(&self, on: &[usize], input: PathInput<'a>) -> Path<'a> {
        let memory = input.memory;
        let (left, right, which, bits) = keys(on, input);
        if bits <= u32::BITS {
            Path::Narrow(EquiJoin::new(left, right, memory), which)
        } else {
            Path::Wide(EquiJoin::new(left, right, memory), which)
        }
    }

    fn has_device_path(&self) -> bool {
        true
    }
}

/// The keys of both sides, or of one that is joined with itself, which of their pairs are wanted, and the bits of a key.
pub fn keys<'a>(equalities: &[usize], input: PathInput<'a>) -> (Keys<'a>, Option<Keys<'a>>, Which, u32) {
    let (checks, encoded) = (input.source.checks, input.source.encoded);
    let equal = |predicate: &usize| match &checks[*predicate] {
        Check::Equal { operands, null_safe } => (*operands, *null_safe),
        _ => unreachable!("an equi-join is one of equalities"),
    };
    let equalities: Vec<(Sides<usize>, bool)> = equalities.iter().map(equal).collect();
    let part = |(operands, null_safe): &(Sides<usize>, bool)| KeyPart {
        left: Cow::Borrowed(&encoded.columns[operands.left].codes),
        right: Cow::Borrowed(&encoded.columns[operands.right].codes),
        values: encoded.domain(operands.left).dictionary.len(),
        null_safe: *null_safe,
    };
    let (parts, bits) = fit(equalities.iter().map(part).collect());
    let self_join = input.is_self_join(equalities.iter().map(|(operands, _)| *operands));
    let which = if input.shape == Shape::Triangle && !self_join { Which::Before } else { Which::All };
    let [left, right] = input.rows;
    let [left, right] = Keys::new(parts, left, right);
    (left, (!self_join).then_some(right), which, bits)
}
