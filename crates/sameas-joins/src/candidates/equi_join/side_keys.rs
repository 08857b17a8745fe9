//! The keys of the records of both sides.

use std::borrow::Cow;

use super::keys::{KeyPart, Keys, fit};
use crate::candidates::{EqualKeyPairs, PartingKey, PathInput, Rows, Shape};

/// The keys of both sides, or of one that is joined with itself.
#[derive(Debug)]
pub struct SideKeys<'a> {
    /// Of the left records.
    pub left: Keys<'a>,
    /// Of the right records; `None` where the left ones are joined with themselves.
    pub right: Option<Keys<'a>>,
    /// Which of the pairs with equal keys are wanted.
    pub which: EqualKeyPairs,
    /// Bits of a key.
    pub bits: u32,
}

impl<'a> SideKeys<'a> {
    /// One part of a key for each of these.
    pub fn new(keys: &[PartingKey], input: PathInput<'a>) -> Self {
        let encoded = input.source.encoded;
        let part = |PartingKey { operands, null_safe }: &PartingKey| KeyPart {
            left: Cow::Borrowed(&encoded.columns[operands.left].codes[..]),
            right: Cow::Borrowed(&encoded.columns[operands.right].codes[..]),
            values: encoded.domain(operands.left).dictionary.len(),
            null_safe: *null_safe,
        };
        let (parts, bits) = fit(keys.iter().map(part).collect());
        let self_join = input.is_self_join(keys.iter().map(|key| key.operands));
        let which =
            if input.shape == Shape::Triangle && !self_join { EqualKeyPairs::Before } else { EqualKeyPairs::All };
        let [left, right] = input.rows;
        let [left, right] = Keys::new(parts, left, right);
        Self { left, right: (!self_join).then_some(right), which, bits }
    }

    /// The rows of both sides by some bits of the hashes of their keys, behind those that were `spent` before: records with
    /// equal keys are in one group.
    pub fn groups(&self, spent: u32, bits: u32) -> Vec<[Rows; 2]> {
        let lefts = self.left.groups(spent, bits);
        let rights = self.right.as_ref().map_or_else(|| lefts.clone(), |right| right.groups(spent, bits));
        lefts.into_iter().zip(rights).map(|(left, right)| [left, right]).collect()
    }
}
